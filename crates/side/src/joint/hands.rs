//! Computes how many hands of a split win, push and lose together.
//!
//! The sums use inclusion and exclusion. The outcome of each hand is written as a loss, plus the outcome minus a
//! loss if the hand does not lose. A hand whose second card is not a pair card is any hand minus a hand whose
//! second card is a pair card. Multiplied out over the hands of an arrangement, these expressions become sums over
//! hands that do not lose, with further pair cards removed from the shoe.

use super::ends::{ANY, OTHER};
use super::sums::{Chances, LABELS, Label, NETS, OUTCOMES, label};
use exact::split::arrangements;
use rules::wager::streak::Record;

/// One term of the expansion: the numbers of hands that do not lose; all other hands of the split lose.
///
/// `other_second` hands have a second card that is not a pair card, and `any_second` hands have any second card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Hands {
    /// The number of hands of the split, including those that lose.
    pub all: usize,
    /// The number of pair cards removed from the shoe, not counting the pair itself.
    pub gone: usize,
    pub other_second: usize,
    pub any_second: usize,
}

impl Hands {
    /// Returns the number of hands that do not lose.
    pub(super) fn not_losing(self) -> usize {
        self.other_second + self.any_second
    }

    /// Calls `visit` with every combination of labels of the hands that do not lose, and with its number of wins.
    pub(super) fn each(self, mut visit: impl FnMut(&[Label], usize)) {
        // won or pushed: the first two outcomes
        for outcomes in 0..1_usize << self.not_losing() {
            let of = |n: usize| label(if n < self.other_second { OTHER } else { ANY }, outcomes >> n & 1);
            let labels: Vec<Label> = (0..self.not_losing()).map(of).collect();
            let won = labels.iter().filter(|&label| label % OUTCOMES == 0).count();
            visit(&labels, won);
        }
    }

    /// Calls `visit` with each record to which a combination of `won` wins contributes, and with the signed
    /// coefficient.
    ///
    /// By inclusion and exclusion, each record keeps the outcomes of some hands that do not lose, and counts all
    /// other hands as lost.
    pub(super) fn each_record(self, won: usize, mut visit: impl FnMut(Record, f64)) {
        let pushed = self.not_losing() - won;
        for w in 0..=won {
            for p in 0..=pushed {
                let sign = if (self.not_losing() - w - p).is_multiple_of(2) { 1.0 } else { -1.0 };
                let lost = (self.all - w - p) as u8;
                let record = Record { won: w as u8, pushed: p as u8, lost };
                visit(record, sign * choose(won, w) * choose(pushed, p));
            }
        }
    }
}

impl Hands {
    /// Calls `visit` with every combination of labels of the hands that do not lose a single bet, and with its
    /// joint nets.
    ///
    /// There is one joint net for each choice of hands whose outcomes are kept: the net win of all hands of the
    /// split in half bets, and a signed coefficient. `lost` returns the half bets that a number of losing hands
    /// lose together.
    pub(super) fn each_net(
        self,
        outcomes: usize,
        lost: impl Fn(i32) -> i32,
        mut visit: impl FnMut(&[Label], &[(i32, f64)]),
    ) {
        let many = self.not_losing();
        for all in 0..outcomes.pow(many as u32) {
            let of = |n: usize| all / outcomes.pow(n as u32) % outcomes;
            let kind = |n: usize| if n < self.other_second { OTHER } else { ANY };
            let labels: Vec<Label> = (0..many).map(|n| label(kind(n), of(n))).collect();
            let net = |kept: usize| -> (i32, f64) {
                let hands = (0..many).filter(|n| kept >> n & 1 == 1);
                let others = self.all as i32 - kept.count_ones() as i32;
                let sign = if (many as u32 - kept.count_ones()).is_multiple_of(2) { 1.0 } else { -1.0 };
                (hands.map(|n| NETS[of(n)]).sum::<i32>() - lost(others), sign)
            };
            let nets: Vec<(i32, f64)> = (0..1_usize << many).map(net).collect();
            visit(&labels, &nets);
        }
    }
}

/// Returns all terms of the expansion, each with its coefficient, for a pair that is split into up to `most`
/// hands.
pub(super) fn terms(most: usize) -> Vec<(Hands, f64)> {
    let mut terms = std::collections::BTreeMap::new();
    for leaf in arrangements(most) {
        let all = leaf.others + leaf.any_second;
        for other_second in 0..=leaf.others {
            for any_second in 0..=leaf.any_second {
                let ways = choose(leaf.others, other_second) * choose(leaf.any_second, any_second);
                // hands that lose and whose second card is not a pair card: any second card minus a pair card
                let lost = leaf.others - other_second;
                for paired in 0..=lost {
                    let sign = if paired % 2 == 0 { 1.0 } else { -1.0 };
                    let hands = Hands { all, gone: leaf.pairs + paired, other_second, any_second };
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
    /// Returns the probability that split hands end with the labels `hands` and the dealer with the result of
    /// these chances.
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

    /// Returns the approximate joint probability of four hands from the probabilities of every three (Kirkwood
    /// superposition).
    ///
    /// Assumes no correlation of four hands beyond the correlations of every three.
    fn superposed(&self, hands: [Label; 4]) -> f64 {
        let mut chance = 1.0 / self.none;
        for n in 0..4 {
            let others = |m: usize| hands[(n + m) % 4];
            chance *= self.one[hands[n]] * self.three[others(1)][others(2)][others(3)];
            chance /= (0..n).map(|m| self.two[hands[n]][hands[m]]).product::<f64>();
        }
        possible(chance)
    }

    /// Approximates the probabilities of three hands beside a fourth hand whose second card is known to be a pair
    /// card.
    ///
    /// The pair card acts as the fourth event of the superposition. The approximation combines the probabilities
    /// of three hands with the pair card in the shoe (`with_it`) and those of two hands without the pair card.
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

/// Returns `chance`, or zero if `chance` comes from a division by zero.
///
/// A divisor is zero if two hands cannot end in these ways together, or if the dealer has no such result. The
/// larger combination is then impossible too.
fn possible(chance: f64) -> f64 {
    if chance.is_finite() { chance } else { 0.0 }
}
