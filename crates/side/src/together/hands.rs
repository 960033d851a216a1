//! All hands of a split: which records they can end with.
//!
//! A hand loses unless it does not: what it is, is a loss, and where it ends otherwise that instead of a loss. A hand whose
//! second card is no pair card is any hand, less one whose second card is a pair card. Multiplied out over the hands of
//! an arrangement that leaves sums over hands that do not lose, with further pair cards gone.

use super::beside::{Chances, LABELS, Label, OUTCOMES, label};
use super::ends::{ANY, OTHER};
use exact::split::arrangements;
use rules::wager::streak::Record;

/// Some hands that do not lose, of which `closed` have a second card that is no pair card and `open` have any, beside
/// others that lose, so many pair cards of the shoe being gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Hands {
    /// All hands of the split, those that lose included.
    pub all: usize,
    /// Pair cards that have left the shoe behind the pair.
    pub gone: usize,
    pub closed: usize,
    pub open: usize,
}

impl Hands {
    /// How many do not lose.
    pub(super) fn many(self) -> usize {
        self.closed + self.open
    }

    /// Visits the outcomes that the hands which do not lose can have.
    pub(super) fn each(self, mut visit: impl FnMut(&[Label], usize)) {
        for outcomes in 0..1_usize << self.many() {
            let of = |n: usize| label(if n < self.closed { OTHER } else { ANY }, outcomes >> n & 1);
            let labels: Vec<Label> = (0..self.many()).map(of).collect();
            let won = labels.iter().filter(|&label| label % OUTCOMES == 0).count();
            visit(&labels, won);
        }
    }

    /// The records that take the place of so many losses, each with its sign: hands that win and push instead of losing.
    pub(super) fn instead(self, won: usize, mut visit: impl FnMut(Record, f64)) {
        let pushed = self.many() - won;
        for w in 0..=won {
            for p in 0..=pushed {
                let sign = if (self.many() - w - p).is_multiple_of(2) { 1.0 } else { -1.0 };
                let lost = (self.all - w - p) as u8;
                let record = Record { won: w as u8, pushed: p as u8, lost };
                visit(record, sign * choose(won, w) * choose(pushed, p));
            }
        }
    }
}

/// All sums that make up the arrangements of a pair, of up to `most` hands, and how often each counts.
pub(super) fn terms(most: usize) -> Vec<(Hands, f64)> {
    let mut terms = std::collections::BTreeMap::new();
    for leaf in arrangements(most) {
        let all = leaf.others + leaf.open;
        for closed in 0..=leaf.others {
            for open in 0..=leaf.open {
                let ways = choose(leaf.others, closed) * choose(leaf.open, open);
                // hands that lose, whose second card is no pair card: any card less a pair card
                let lost = leaf.others - closed;
                for paired in 0..=lost {
                    let sign = if paired % 2 == 0 { 1.0 } else { -1.0 };
                    let hands = Hands { all, gone: leaf.pairs + paired, closed, open };
                    *terms.entry(hands).or_insert(0.0) += ways * sign * choose(lost, paired);
                }
            }
        }
    }
    terms.into_iter().filter(|(_, times)| *times != 0.0).collect()
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |all, i| all * (n - i) as f64 / (i + 1) as f64)
}

impl Chances {
    /// The chance of hands that end so.
    pub(super) fn of(&self, hands: &[Label]) -> f64 {
        match *hands {
            [] => self.none,
            [x] => self.one[x],
            [x, y] => self.two[x][y],
            [x, y, z] => self.three[x][y][z],
            [x, y, z, w] => self.superposed([x, y, z, w]),
            _ => 0.0,
        }
    }

    /// Four hands from every three of them: as if no four were bound together by more than each three are.
    fn superposed(&self, hands: [Label; 4]) -> f64 {
        let mut chance = 1.0 / self.none;
        for n in 0..4 {
            let others = |m: usize| hands[(n + m) % 4];
            chance *= self.one[hands[n]] * self.three[others(1)][others(2)][others(3)];
            chance /= (0..n).map(|m| self.two[hands[n]][hands[m]]).product::<f64>();
        }
        possible(chance)
    }

    /// Three hands beside the second card of a fourth, a pair card, which is the fourth thing that ends so: from three
    /// hands in the shoe that still has it, and from every two in the one that has it not.
    pub(super) fn superpose_three(&mut self, with_it: &Chances) {
        for hands in (0..LABELS.pow(3)).map(|n| [n / LABELS / LABELS, n / LABELS % LABELS, n % LABELS]) {
            let mut chance = with_it.of(&hands) * self.none / with_it.none;
            for n in 0..3 {
                let (x, y) = (hands[n], hands[(n + 1) % 3]);
                chance *= self.two[x][y] / with_it.two[x][y] * (with_it.one[x] / self.one[x]);
            }
            let [x, y, z] = hands;
            self.three[x][y][z] = possible(chance);
        }
    }
}

/// Where two hands cannot end so together, or the dealer has no such result, neither can more.
fn possible(chance: f64) -> f64 {
    if chance.is_finite() { chance } else { 0.0 }
}
