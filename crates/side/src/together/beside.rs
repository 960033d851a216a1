//! Hands of a split that do not lose, together with the dealer's result.
//!
//! The chance that some hands and the dealer end as given multisets of cards is the product of the numbers of orders that
//! the play allows, times the chance of one order of all these cards. The last hand and the dealer are added up
//! beforehand ([`Last`]); the cards of the hands before them, one or two, are taken from the shoe.

use super::ends::{Class, DealerEnd, End, KINDS};
use super::key::{ByKey, Key, Two, cards_of};
use exact::cards::{Counts, RANKS, Shoe};
use exact::dealer::{OVER, RESULTS};
use exact::one_order::OneOrder;
use exact::sum::Sums;

/// A hand by its kind and by whether it wins or pushes: `2 * kind + outcome`.
pub(super) type Label = usize;
pub(super) const LABELS: usize = OUTCOMES * KINDS;
/// Won and pushed. A hand that loses, over 21 or not, is what is left of all.
pub(super) const OUTCOMES: usize = 2;

pub(super) fn label(kind: usize, outcome: usize) -> Label {
    OUTCOMES * kind + outcome
}

/// The chances of hands that end so, together with one result of the dealer.
#[derive(Clone, Copy, Default)]
pub(super) struct Chances {
    pub none: f64,
    pub one: [f64; LABELS],
    pub two: [[f64; LABELS]; LABELS],
    pub three: [[[f64; LABELS]; LABELS]; LABELS],
}

/// Whether a hand of this class wins or pushes against a result.
fn outcome(class: &Class, result: usize) -> Option<usize> {
    match class.against[result] {
        1.. => Some(0),
        0 => Some(1),
        _ => None,
    }
}

/// The hands of one split against one visible state of the dealer.
pub(super) struct Beside {
    classes: Vec<Class>,
    /// The hands that stand.
    ends: Vec<End>,
    /// Every two of them.
    two: Vec<Two>,
    dealer: Sums<f64>,
    /// The last hand and the dealer, by the dealer's result and the kind of the hand.
    last: [Option<[Sums<f64>; KINDS]>; RESULTS],
}

impl Beside {
    /// `three`: whether there may be more than two hands.
    pub(super) fn new(classes: Vec<Class>, mut ends: Vec<End>, dealer: &[DealerEnd], three: bool) -> Self {
        ends.retain(|end| !classes[end.class].bust);
        let alone = dealer.iter().map(|end| (cards_of(end.cards), end.result, end.orders));
        Beside {
            last: std::array::from_fn(|result| last(&classes, &ends, dealer, result)),
            dealer: Sums::new(alone, RESULTS),
            two: if three { super::key::products(&ends) } else { Vec::new() },
            classes,
            ends,
        }
    }

    /// The dealer's results alone.
    pub(super) fn none(&self, shoe: &Shoe, chances: &mut [Chances; RESULTS]) {
        self.dealer.each(shoe, &[[0; RANKS]], |_, sums, lane| {
            let mut over = 1.0;
            for (chances, sum) in chances.iter_mut().zip(sums) {
                chances.none = sum[lane];
                over -= sum[lane];
            }
            chances[OVER].none = over;
        });
    }

    /// One hand.
    pub(super) fn one(&self, shoe: &Shoe, chances: &mut [Chances; RESULTS]) {
        let orders = OneOrder::<f64>::new(shoe);
        let rows: Vec<Counts> = self.ends.iter().map(|end| cards_of(end.cards)).collect();
        self.dealer.each(shoe, &rows, |row, sums, lane| {
            let (end, one_order) = (&self.ends[row], orders.chance(&rows[row]));
            let with = |result: usize| sums[result][lane];
            let over = 1.0 - (0..RESULTS).map(with).sum::<f64>();
            for (result, chances) in chances.iter_mut().enumerate() {
                let Some(outcome) = outcome(&self.classes[end.class], result) else { continue };
                let chance = one_order * if result == OVER { over } else { with(result) };
                for (kind, orders) in end.orders.iter().enumerate() {
                    chances.one[label(kind, outcome)] += orders * chance;
                }
            }
        });
    }

    /// Two hands, the last of this kind.
    pub(super) fn two(&self, shoe: &Shoe, kind: usize, chances: &mut [Chances; RESULTS]) {
        let orders = OneOrder::<f64>::new(shoe);
        for (result, (last, chances)) in self.last.iter().zip(chances).enumerate() {
            let Some(last) = last.as_ref().map(|last| &last[kind]) else { continue };
            let of = |end: &End| outcome(&self.classes[end.class], result);
            let ends: Vec<&End> = self.ends.iter().filter(|end| of(end).is_some()).collect();
            let rows: Vec<Counts> = ends.iter().map(|end| cards_of(end.cards)).collect();
            let mut found = [[0.0; OUTCOMES]; LABELS];
            last.each(shoe, &rows, |row, sums, lane| {
                let chance = orders.chance(&rows[row]);
                for (first, orders) in ends[row].orders.into_iter().enumerate() {
                    let found = &mut found[label(first, of(ends[row]).unwrap_or(0))];
                    (0..OUTCOMES).for_each(|z| found[z] += orders * chance * sums[z][lane]);
                }
            });
            for (x, found) in found.iter().enumerate() {
                for (z, &chance) in found.iter().enumerate() {
                    let z = label(kind, z);
                    chances.two[x][z] = chance;
                    chances.two[z][x] = chance;
                }
            }
        }
    }

    /// Three hands, the last of this kind.
    pub(super) fn three(&self, shoe: &Shoe, kind: usize, chances: &mut [Chances; RESULTS]) {
        let orders = OneOrder::<f64>::new(shoe);
        for (result, (last, chances)) in self.last.iter().zip(chances).enumerate() {
            let Some(last) = last.as_ref().map(|last| &last[kind]) else { continue };
            let of = |class: u8| outcome(&self.classes[usize::from(class)], result);
            let both = |two: &&Two| of(two.classes.0).is_some() && of(two.classes.1).is_some();
            let all: Vec<&Two> = self.two.iter().filter(both).collect();
            let groups: Vec<&[&Two]> = all.chunk_by(|a, b| a.cards == b.cards).collect();
            let rows: Vec<Counts> = groups.iter().map(|group| cards_of(group[0].cards)).collect();
            let mut found = [[[0.0; OUTCOMES]; LABELS]; LABELS];
            last.each(shoe, &rows, |row, sums, lane| {
                let chance = orders.chance(&rows[row]);
                let last: [f64; OUTCOMES] = std::array::from_fn(|z| chance * sums[z][lane]);
                for two in groups[row] {
                    let (x, y) = (of(two.classes.0).unwrap_or(0), of(two.classes.1).unwrap_or(0));
                    for (first, orders) in two.orders.iter().enumerate() {
                        for (second, orders) in orders.iter().enumerate() {
                            let (x, y) = (label(first, x), label(second, y));
                            (0..OUTCOMES).for_each(|z| found[x][y][z] += orders * last[z]);
                            if two.classes.0 != two.classes.1 {
                                (0..OUTCOMES).for_each(|z| found[y][x][z] += orders * last[z]);
                            }
                        }
                    }
                }
            });
            for (x, found) in found.iter().enumerate() {
                for (y, found) in found.iter().enumerate() {
                    for (z, &chance) in found.iter().enumerate() {
                        let z = label(kind, z);
                        for [a, b, c] in [[x, y, z], [x, z, y], [z, x, y]] {
                            chances.three[a][b][c] = chance;
                        }
                    }
                }
            }
        }
    }
}

/// One hand that does not lose to a result of the dealer, with the cards of that result, by kind; nothing where there is
/// none. The dealer goes over wherever he does not stand.
fn last(classes: &[Class], ends: &[End], dealer: &[DealerEnd], result: usize) -> Option<[Sums<f64>; KINDS]> {
    let dealt: Vec<(Key, f64)> = match result {
        OVER => dealer.iter().map(|end| (end.cards, -end.orders)).chain([(0, 1.0)]).collect(),
        _ => dealer.iter().filter(|end| end.result == result).map(|end| (end.cards, end.orders)).collect(),
    };
    let mut all: Vec<(Counts, usize, [f64; KINDS])> = Vec::new();
    for z in 0..OUTCOMES {
        let mut sums: ByKey<[f64; KINDS]> = ByKey::default();
        let ends = ends.iter().filter(|end| outcome(&classes[end.class], result) == Some(z));
        for end in ends {
            sums.reserve(if sums.len() < 8 * dealt.len() { 16 * dealt.len() } else { 0 });
            for (cards, orders) in &dealt {
                let sums = sums.entry(end.cards + cards).or_default();
                sums.iter_mut().zip(end.orders).for_each(|(sum, hand)| *sum += hand * orders);
            }
        }
        all.extend(sums.into_iter().map(|(cards, orders)| (cards_of(cards), z, orders)));
    }
    (!all.is_empty()).then(|| Sums::alike(all, OUTCOMES))
}
