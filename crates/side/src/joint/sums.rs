//! Computes the probabilities of split hands that do not lose, jointly with the dealer's result.
//!
//! The probability that some hands and the dealer end with given multisets of cards is a product: the number of
//! card orders that the strategy allows, times the probability of one order of all these cards. The last hand and
//! the dealer are summed in advance ([`last`]); the cards of the one or two other hands are removed from the shoe.

use super::ends::{Class, DealerEnd, End, KINDS, LOSS};
use super::key::{ByKey, HandPair, Key, cards_of};
use exact::cards::{Counts, Shoe};
use exact::one_order::OneOrder;
use exact::sum::Sums;
use exact::vocabulary::{DealerResult, OVER, RANKS, RESULTS, by_result};

/// The kind and the outcome of a split hand, encoded as `OUTCOMES * kind + outcome`.
pub(super) type Label = usize;
pub(super) const LABELS: usize = OUTCOMES * KINDS;
/// The number of outcomes of a hand that does not lose a single bet.
///
/// The outcomes are: won, pushed, won doubled, lost doubled, and surrendered. Hands that lose a single bet, busted
/// or not, are the complement.
pub(super) const OUTCOMES: usize = 5;
/// The net win of a hand in half bets, indexed by outcome.
pub(super) const NETS: [i32; OUTCOMES] = [2, 0, 4, -4, -1];
/// The number of outcomes to distinguish if hands only win, push, or lose a single bet.
const WON_OR_PUSHED: usize = 2;

pub(super) fn label(kind: usize, outcome: usize) -> Label {
    OUTCOMES * kind + outcome
}

/// The probabilities of one dealer result together with the labels of zero to three hands.
#[derive(Clone, Copy, Default)]
pub(super) struct Chances {
    pub none: f64,
    pub one: [f64; LABELS],
    pub two: [[f64; LABELS]; LABELS],
    pub three: [[[f64; LABELS]; LABELS]; LABELS],
}

/// Returns the outcome of a hand of the class `class` against a dealer result, or `None` if the hand loses a
/// single bet.
fn outcome(class: &Class, result: DealerResult) -> Option<usize> {
    let net = i32::from(class.against[result]);
    NETS.iter().position(|known| *known == net)
}

/// Returns the number of outcomes that must be distinguished for hands of these classes.
fn outcomes_of(classes: &[Class]) -> usize {
    let places = classes.iter().flat_map(|class| class.against).filter(|net| *net != LOSS);
    let place = |net: i8| NETS.iter().position(|known| *known == i32::from(net)).unwrap_or(0);
    places.map(place).max().map_or(WON_OR_PUSHED, |last| WON_OR_PUSHED.max(last + 1))
}

/// All ways in which split hands and the dealer's hand end, prepared for summing, for one set of the dealer's
/// visible cards.
pub(super) struct SplitTable {
    classes: Vec<Class>,
    /// The number of outcomes that the sums distinguish.
    pub outcomes: usize,
    /// The ways in which a split hand ends, except busts that lose a single bet.
    ends: Vec<End>,
    /// Every combination of two elements of `ends`; empty if the pair makes only two hands.
    two: Vec<HandPair>,
    dealer: Sums<f64>,
    /// The sums over the last hand and the dealer's cards, by dealer result and by kind of the last hand.
    last: [Option<[Sums<f64>; KINDS]>; RESULTS],
}

impl SplitTable {
    /// Prepares the sums over the ways in which split hands and the dealer's hand end.
    ///
    /// `three` says whether the pair may be split into more than two hands.
    pub(super) fn new(classes: Vec<Class>, mut ends: Vec<End>, dealer: &[DealerEnd], three: bool) -> Self {
        ends.retain(|end| !classes[end.class].bust);
        let alone = dealer.iter().map(|end| (cards_of(end.cards), end.result.index(), end.orders));
        let outcomes = outcomes_of(&classes);
        SplitTable {
            outcomes,
            last: by_result(|result| last((&classes, outcomes), &ends, dealer, result)),
            dealer: Sums::new(alone, RESULTS),
            two: if three { super::key::products(&ends) } else { Vec::new() },
            classes,
            ends,
        }
    }

    /// Stores the probability of each dealer result, without regard to the player's hands, in `chances`.
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

    /// Adds the probabilities of each label of one hand, by dealer result, to `chances`.
    pub(super) fn one(&self, shoe: &Shoe, chances: &mut [Chances; RESULTS]) {
        let orders = OneOrder::<f64>::new(shoe);
        let rows: Vec<Counts> = self.ends.iter().map(|end| cards_of(end.cards)).collect();
        self.dealer.each(shoe, &rows, |row, sums, lane| {
            let (end, one_order) = (&self.ends[row], orders.chance(&rows[row]));
            let with = |result: DealerResult| sums[result.index()][lane];
            let over = 1.0 - DealerResult::ALL.into_iter().map(with).sum::<f64>();
            for (result, chances) in DealerResult::ALL.into_iter().zip(&mut *chances) {
                let Some(outcome) = outcome(&self.classes[end.class], result) else { continue };
                let chance = one_order * if result == OVER { over } else { with(result) };
                for (kind, orders) in end.orders.iter().enumerate() {
                    chances.one[label(kind, outcome)] += orders * chance;
                }
            }
        });
    }

    /// Stores the probabilities of each two labels of two hands, by dealer result, in `chances`.
    ///
    /// The last hand is of the kind `kind`.
    pub(super) fn two(&self, shoe: &Shoe, kind: usize, chances: &mut [Chances; RESULTS]) {
        let orders = OneOrder::<f64>::new(shoe);
        for (result, (last, chances)) in DealerResult::ALL.into_iter().zip(self.last.iter().zip(chances)) {
            let Some(last) = last.as_ref().map(|last| &last[kind]) else { continue };
            let of = |end: &End| outcome(&self.classes[end.class], result);
            let ends: Vec<&End> = self.ends.iter().filter(|end| of(end).is_some()).collect();
            let rows: Vec<Counts> = ends.iter().map(|end| cards_of(end.cards)).collect();
            let mut found = [[0.0; OUTCOMES]; LABELS];
            last.each(shoe, &rows, |row, sums, lane| {
                let chance = orders.chance(&rows[row]);
                for (first, orders) in ends[row].orders.into_iter().enumerate() {
                    let found = &mut found[label(first, of(ends[row]).unwrap_or(0))];
                    (0..self.outcomes).for_each(|z| found[z] += orders * chance * sums[z][lane]);
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

    /// Stores the probabilities of each three labels of three hands, by dealer result, in `chances`.
    ///
    /// The last hand is of the kind `kind`.
    pub(super) fn three(&self, shoe: &Shoe, kind: usize, chances: &mut [Chances; RESULTS]) {
        let orders = OneOrder::<f64>::new(shoe);
        let groups: Vec<&[HandPair]> = self.two.chunk_by(|a, b| a.cards == b.cards).collect();
        let all: Vec<Counts> = groups.iter().map(|group| cards_of(group[0].cards)).collect();
        let one_order: Vec<f64> = all.iter().map(|cards| orders.chance(cards)).collect();
        for (result, (last, chances)) in DealerResult::ALL.into_iter().zip(self.last.iter().zip(chances)) {
            let Some(last) = last.as_ref().map(|last| &last[kind]) else { continue };
            let ends = TwoEnds::new(&self.classes, result);
            let lives = |&n: &usize| one_order[n] > 0.0 && groups[n].iter().any(|two| ends.of(two).is_some());
            let rows: Vec<usize> = (0..groups.len()).filter(lives).collect();
            let cards: Vec<Counts> = rows.iter().map(|&n| all[n]).collect();
            let mut found = [[[[0.0; OUTCOMES]; KINDS]; KINDS]; TwoEnds::MANY];
            last.each(shoe, &cards, |row, sums, lane| {
                let chance = one_order[rows[row]];
                let last: [f64; OUTCOMES] =
                    std::array::from_fn(|z| sums.get(z).map_or(0.0, |sums| chance * sums[lane]));
                for two in groups[rows[row]] {
                    let Some(ends) = ends.of(two) else { continue };
                    for (found, orders) in
                        found[ends].as_flattened_mut().iter_mut().zip(two.orders.as_flattened())
                    {
                        found.iter_mut().zip(last).for_each(|(found, last)| *found += orders * last);
                    }
                }
            });
            let mut three = [[[0.0; OUTCOMES]; LABELS]; LABELS];
            for (ends, found) in found.iter().enumerate() {
                let ([x, y], apart) = TwoEnds::outcomes(ends);
                for (first, second) in
                    (0..KINDS).flat_map(|first| (0..KINDS).map(move |second| (first, second)))
                {
                    let (x, y) = (label(first, x), label(second, y));
                    for (z, &chance) in found[first][second].iter().enumerate() {
                        three[x][y][z] += chance;
                        // if the two classes differ, either may belong to the first hand
                        three[y][x][z] += if apart { chance } else { 0.0 };
                    }
                }
            }
            for (x, y) in (0..LABELS).flat_map(|x| (0..LABELS).map(move |y| (x, y))) {
                for (z, &chance) in three[x][y].iter().enumerate() {
                    let z = label(kind, z);
                    for [a, b, c] in [[x, y, z], [x, z, y], [z, x, y]] {
                        chances.three[a][b][c] = chance;
                    }
                }
            }
        }
    }
}

/// A lookup table from the classes of two hands to a code for both outcomes, against one dealer result.
///
/// The code is `None` if either hand loses a single bet.
struct TwoEnds {
    classes: usize,
    ends: Vec<Option<u8>>,
}

impl TwoEnds {
    /// The number of codes: one for each pair of outcomes, separately for hands of equal and of different classes.
    const MANY: usize = 2 * OUTCOMES * OUTCOMES;

    fn new(classes: &[Class], result: DealerResult) -> Self {
        let of = |(n, m): (usize, usize)| {
            let (x, y) = (outcome(&classes[n], result)?, outcome(&classes[m], result)?);
            Some((OUTCOMES * (OUTCOMES * usize::from(n != m) + x) + y) as u8)
        };
        let many = classes.len();
        TwoEnds { classes: many, ends: (0..many * many).map(|at| of((at / many, at % many))).collect() }
    }

    fn of(&self, two: &HandPair) -> Option<usize> {
        self.ends[usize::from(two.classes.0) * self.classes + usize::from(two.classes.1)].map(usize::from)
    }

    /// Returns the outcomes of both hands that a code stands for, and whether the classes of the hands differ.
    fn outcomes(ends: usize) -> ([usize; 2], bool) {
        ([ends / OUTCOMES % OUTCOMES, ends % OUTCOMES], ends >= OUTCOMES * OUTCOMES)
    }
}

/// Returns the sums over the last hand and the dealer's cards for one dealer result, by kind of the last hand.
///
/// Covers only hands that do not lose a single bet. Returns `None` if there are none. A dealer bust is the
/// complement of all results in which the dealer stands.
fn last(
    (classes, outcomes): (&[Class], usize),
    ends: &[End],
    dealer: &[DealerEnd],
    result: DealerResult,
) -> Option<[Sums<f64>; KINDS]> {
    let dealt: Vec<(Key, f64)> = match result {
        OVER => dealer.iter().map(|end| (end.cards, -end.orders)).chain([(0, 1.0)]).collect(),
        _ => dealer.iter().filter(|end| end.result == result).map(|end| (end.cards, end.orders)).collect(),
    };
    let mut all: Vec<(Counts, usize, [f64; KINDS])> = Vec::new();
    for z in 0..outcomes {
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
    (!all.is_empty()).then(|| Sums::alike(all, outcomes))
}
