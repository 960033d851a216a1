//! Blackjack Switch: the player has two hands, whose second cards may be exchanged (2A.7(g)).
//!
//! The player decides with five cards visible: both hands and the upcard. The value of each hand is that of its
//! best play with the other hand's two cards removed. This value is exact for a strategy that does not depend on
//! the other hand's draws: unseen cards are exchangeable, so it does not matter in which order the hands draw.

use crate::cards::{
    Counts, Index, Shoe, fits, highest_first, lowest_and_highest, plus, shoe_size, two_cards,
};
use crate::dealer::{ChanceTable, DealerTree};
use crate::hands::Removals;
use crate::judge::{Blackjack, Judge, Measure, Origin};
use crate::num::{Real, inverse};
use crate::play::{AfterSplit, PlayChoice};
use crate::result::Chances;
use crate::round::Solved;
use crate::seen::{Groups, Row};
use crate::solve::{AsDealt, Layout, Solution, Solver};
use crate::split::{Shared, Splits};
use crate::threads::{each, each_owned};
use crate::turn::Pays;
use crate::vocabulary::{ACE, RANKS, Rank, TEN, Upcard, by_up, place_of_two};
use std::sync::Arc;

const U: usize = RANKS;

/// The values of all two-card hands when the box's other hand is one given hand.
pub struct PairValues<R> {
    /// Value of each two-card hand, by [`TwoCards`] index. `None` where the shoe lacks the cards.
    values: Vec<Option<PairValue<R>>>,
}

/// The value of one hand of a box when the other hand is known.
#[derive(Clone)]
pub struct PairValue<R> {
    /// Value of the hand as dealt, by upcard.
    ///
    /// A dealer's blackjack that is settled before play counts as zero.
    pub dealt: Row<R, U>,
    /// Value of the same two cards if a switch made the hand, by upcard.
    pub switched: Row<R, U>,
    /// Chance of a dealer's blackjack with both hands out of the shoe, by upcard.
    pub blackjack: Row<R, U>,
}

/// The values of every two-card hand beside every other two-card hand, from one shoe.
pub struct Switch<R> {
    beside: Vec<PairValues<R>>,
    /// Net of a hand against a dealer's blackjack that the peek finds: of a hand without blackjack, and of a
    /// blackjack.
    against_early_blackjack: (R, R),
    shoe: Shoe,
    /// The chart's values of two cards by upcard, or `None` if the values of the hands decide the switch.
    charted_values: Option<Vec<[(f64, f64); U]>>,
}

/// The five visible cards: two two-card hands, each with its first card first, and the upcard.
pub type FiveCards = ([Rank; 2], [Rank; 2], Upcard);

/// The values of keeping and of switching, for five visible cards.
#[derive(Clone, Debug)]
pub struct Decision<R> {
    /// The value of keeping the hands as they are.
    pub keep: R,
    /// The value of exchanging the second cards.
    pub switch: R,
}

/// Returns all two-card hands, indexed by [`TwoCards`].
pub fn twos() -> Vec<Counts> {
    Rank::twos().map(two_cards).collect()
}

/// A two-card hand, as an index into [`twos`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoCards(usize);

impl TwoCards {
    /// Returns the two-card hand of these cards, in either order.
    pub fn of([a, b]: [Rank; 2]) -> TwoCards {
        TwoCards(place_of_two(a.min(b), a.max(b)))
    }

    /// Iterates over all two-card hands.
    pub fn all() -> impl Iterator<Item = TwoCards> {
        Rank::twos().map(TwoCards::of)
    }

    /// Returns the index of the hand in [`twos`].
    pub fn index(self) -> usize {
        self.0
    }
}

struct Side<'j, J, R> {
    solver: Solver<'j, J, R, U>,
    base: Solution<R, U>,
    splits: Shared<U>,
}

impl<R: Real> Switch<R> {
    /// Solves every two-card hand beside each of the box's possible other hands.
    ///
    /// `hands` holds the list of other hands, and the root: only hands that contain the root's cards are solved.
    pub fn solve_hands<J: Judge + Sync>(
        judge: &J,
        dealer: &DealerTree<R, U>,
        shoe: &Shoe,
        hands: (&[Counts], &Counts),
        play_choice: (PlayChoice<'_>, usize),
    ) -> Self {
        Self::solve_with(judge, dealer, shoe, (hands, play_choice), |_| ()).0
    }

    /// Solves every two-card hand beside each of the box's possible other hands, and calls `visit` once per
    /// other hand.
    ///
    /// `visit` gets the solved shoe beside that hand. The second result holds what `visit` returned, by the
    /// other hand's index, or `None` for a hand that the shoe lacks.
    pub fn solve_with<J: Judge + Sync, W: Send>(
        judge: &J,
        dealer: &DealerTree<R, U>,
        shoe: &Shoe,
        ((others, root), (play_choice, threads)): ((&[Counts], &Counts), (PlayChoice<'_>, usize)),
        visit: impl Fn(&Solved<'_, '_, J, R, U>) -> W + Sync,
    ) -> (Self, Vec<Option<W>>) {
        let mut removals = Removals::default();
        let others: Vec<&Counts> = others.iter().filter(|other| fits(other, shoe)).collect();
        let layouts: Vec<Layout> =
            others.iter().map(|other| Layout::new(judge, shoe, other, root, &mut removals)).collect();
        let table = Arc::new(chances(dealer, shoe, &removals, threads));
        let mut sides: Vec<Side<J, R>> = each(&layouts, threads, |layout| {
            let solver = Solver::laid_out(judge, layout, table.clone());
            let base = match play_choice.beside(&solver.other) {
                PlayChoice::Best(_) => solver.best(),
                PlayChoice::Given(play) => solver.given(play),
            };
            Side { solver, base, splits: Shared::default() }
        });
        let mut removals = Removals::default();
        let after = if let PlayChoice::Best(after) = play_choice { after } else { AfterSplit::AsDealt };
        for side in &mut sides {
            let as_dealt = AsDealt(&side.base);
            let play = if let PlayChoice::Given(play) = play_choice.beside(&side.solver.other) {
                play
            } else {
                &as_dealt
            };
            side.splits = Shared::new(&side.solver, (after, play), &mut removals);
        }
        let table = Arc::new(chances_for(dealer, shoe, &removals, threads));
        let solved: Vec<(PairValues<R>, W)> = each_owned(sides, threads, |side| {
            let play_choice = play_choice.beside(&side.solver.other);
            let splits = Arc::new(Splits::sharing(&side.solver, side.splits, after, table.clone()));
            let solved = match play_choice {
                PlayChoice::Best(_) => Solved::split(&side.solver, side.base, splits),
                PlayChoice::Given(play) => Solved::followed(&side.solver, side.base, splits, play),
            };
            (beside(&solved, play_choice), visit(&solved))
        });
        let mut found: Vec<Option<W>> = twos().iter().map(|_| None).collect();
        let mut beside: Vec<PairValues<R>> =
            (0..twos().len()).map(|_| PairValues { values: vec![None; twos().len()] }).collect();
        for (other, (values, visited)) in others.into_iter().zip(solved) {
            beside[index(other)] = values;
            found[index(other)] = Some(visited);
        }
        (
            Switch {
                beside,
                against_early_blackjack: against_early_blackjack(judge),
                shoe: *shoe,
                charted_values: None,
            },
            found,
        )
    }

    /// Replaces the best decision by a chart's rule: switch if the two new hands have the greater sum of `values`.
    ///
    /// `values` returns the value of two cards as dealt and as made by a switch, for an upcard.
    pub fn by_charted_values(mut self, values: impl Fn([Rank; 2], Upcard) -> (f64, f64)) -> Self {
        self.charted_values = Some(Rank::twos().map(|cards| by_up(|u| values(cards, u))).collect());
        self
    }

    /// Returns whether the player exchanges the second cards of both hands.
    pub fn switches(&self, decision: &Decision<R>, (first, second, up): FiveCards) -> bool {
        let Some(values) = &self.charted_values else { return decision.switch > decision.keep };
        let of = |cards: [Rank; 2]| values[TwoCards::of(cards).index()][up];
        let stay = of(first).0 + of(second).0;
        let change = of([first[0], second[1]]).1 + of([second[0], first[1]]).1;
        change > stay
    }

    /// Returns the values of keeping and of switching for five visible cards, solving no other cards.
    ///
    /// Returns `None` if the shoe lacks the cards. With a hole-card reader, the values assume that the dealer has
    /// no blackjack.
    pub fn decide<J: Judge + Sync>(
        judge: &J,
        dealer: &DealerTree<R, U>,
        shoe: &Shoe,
        (first, second, up): FiveCards,
    ) -> Option<Decision<R>> {
        let value = |hand: [Rank; 2], other: [Rank; 2], of: fn(&PairValue<R>) -> &Row<R, U>| {
            let root = if hand[0] == hand[1] { plus([0; RANKS], hand[0]) } else { two_cards(hand) };
            let play_choice = PlayChoice::Best(AfterSplit::AsDealt);
            let one = Self::solve_hands(judge, dealer, shoe, (&[two_cards(other)], &root), (play_choice, 1));
            let beheld = one.hand(TwoCards::of(hand), TwoCards::of(other))?;
            let given = match judge.blackjack() {
                Blackjack::BeforePlay => R::one() - beheld.blackjack[up].clone(),
                Blackjack::AfterPlay => R::one(),
            };
            Some(of(beheld)[up].clone() / given)
        };
        let (crossed, back) = ([first[0], second[1]], [second[0], first[1]]);
        Some(Decision {
            keep: value(first, second, |b| &b.dealt)? + value(second, first, |b| &b.dealt)?,
            switch: value(crossed, back, |b| &b.switched)? + value(back, crossed, |b| &b.switched)?,
        })
    }

    /// Returns the value of `hand` when the box's other hand is `other`, or `None` if the shoe lacks the cards.
    pub fn hand(&self, hand: TwoCards, other: TwoCards) -> Option<&PairValue<R>> {
        self.beside.get(other.index())?.values.get(hand.index())?.as_ref()
    }

    /// Returns the values of keeping and of switching two hands, or `None` if the shoe lacks the cards.
    ///
    /// Each hand has its first card first.
    pub fn decision(&self, first: [Rank; 2], second: [Rank; 2], up: Upcard) -> Option<Decision<R>> {
        let (a, b) = (TwoCards::of(first), TwoCards::of(second));
        let (c, d) = (TwoCards::of([first[0], second[1]]), TwoCards::of([second[0], first[1]]));
        let early_blackjack = self.early_blackjack_loss(a, b, up)?;
        let (a, b, c, d) = (self.hand(a, b)?, self.hand(b, a)?, self.hand(c, d)?, self.hand(d, c)?);
        Some(Decision {
            keep: a.dealt[up].clone() + b.dealt[up].clone() + early_blackjack.clone(),
            switch: c.switched[up].clone() + d.switched[up].clone() + early_blackjack,
        })
    }

    /// Returns the net of both hands as dealt against a dealer's blackjack found before the switch, times its
    /// chance.
    ///
    /// Returns `None` if the shoe lacks the cards.
    fn early_blackjack_loss(&self, a: TwoCards, b: TwoCards, up: Upcard) -> Option<R> {
        let natural = TwoCards::of([ACE, TEN]);
        let of = |hand| {
            if hand == natural {
                self.against_early_blackjack.1.clone()
            } else {
                self.against_early_blackjack.0.clone()
            }
        };
        Some(self.hand(a, b)?.blackjack[up].clone() * (of(a) + of(b)))
    }

    /// Visits every deal of five visible cards, with the value of its decision.
    ///
    /// `visit` gets a deal's chance, the values of keeping and of switching, and the cards.
    pub fn each_deal(&self, mut visit: impl FnMut(R, &Decision<R>, FiveCards)) {
        let cards = shoe_size(&self.shoe);
        let per: R = (0..5).fold(R::one(), |p, i| p * inverse(cards - i));
        for [a, b] in Rank::twos() {
            for (c, d) in Rank::ALL.into_iter().flat_map(|c| Rank::ALL.map(move |d| (c, d))) {
                for up in Upcard::all::<U>() {
                    let mut left = self.shoe.map(i64::from);
                    let mut orders = if a == b { 1 } else { 2 };
                    for r in [a, b, c, d, up.rank()] {
                        orders *= left[r].max(0);
                        left[r] -= 1;
                    }
                    if orders == 0 {
                        continue;
                    }
                    // First hand a-d, second hand b-c; by symmetry only a <= b for the first cards.
                    if let Some(decision) = self.decision([a, d], [b, c], up) {
                        visit(R::int(orders) * per.clone(), &decision, ([a, d], [b, c], up));
                    }
                }
            }
        }
    }

    /// Returns the expected net of both hands and the fraction of rounds with a switch.
    pub fn value(&self) -> (R, R) {
        let (mut value, mut switched) = (R::zero(), R::zero());
        self.each_deal(|chance, decision, five| {
            if self.switches(decision, five) {
                value = value.clone() + chance.clone() * decision.switch.clone();
                switched = switched.clone() + chance;
            } else {
                value = value.clone() + chance * decision.keep.clone();
            }
        });
        (value, switched)
    }
}

fn index(hand: &Counts) -> usize {
    TwoCards::of(lowest_and_highest(hand).unwrap_or([ACE; 2])).index()
}

fn against_early_blackjack<J: Judge, R: Real>(judge: &J) -> (R, R) {
    if judge.blackjack() == Blackjack::AfterPlay {
        return (R::zero(), R::zero());
    }
    let net = |cards: [Rank; 2]| crate::round::first_two_v_blackjack(judge, cards, Measure::Net);
    (net([TEN, TEN]), net([ACE, TEN]))
}

/// Returns the values of all two-card hands beside one other hand.
fn beside<J: Judge, R: Real>(solved: &Solved<'_, '_, J, R, U>, play_choice: PlayChoice<'_>) -> PairValues<R> {
    let solver = solved.solver;
    let values = twos()
        .iter()
        .map(|cards| {
            let i = solver.hands.find(cards)?;
            let dealt: Row<R, U> = by_up(|u| solved.value(i, u));
            let natural = cards[ACE] == 1 && cards[TEN] == 1;
            let switched = if natural { switched_21(solved, i, play_choice) } else { dealt.clone() };
            Some(PairValue { dealt, switched, blackjack: solver.dealer_blackjack(i).clone() })
        })
        .collect();
    PairValues { values }
}

/// Returns the value of an ace and a ten-value card made by a switch: a two-card 21, but not a blackjack.
pub fn switched_21<J: Judge, R: Real>(
    solved: &Solved<'_, '_, J, R, U>,
    i: Index,
    play_choice: PlayChoice<'_>,
) -> Row<R, U> {
    let solver = solved.solver;
    let mut book = solver.book(Measure::Net);
    let hand = solver.hand(i);
    let pay = book.pay(solver.judge, hand, Origin::Switched);
    let may = solver.judge.may(hand, Origin::Switched);
    let pays = Pays { stand: &book.pays[pay as usize], bust: &book.bust[0], surrender: &book.surrender[0] };
    let ahead = crate::turn::NextValues {
        best: &solved.base.best,
        doubled: &solved.base.doubled,
        next: &solver.hands.next[i as usize],
        by_double: true,
    };
    let turn = solver.draws.turn(hand, (ACE, 0), solver.chances(i as usize), (may, &pays, &ahead));
    by_up(|u| match play_choice {
        PlayChoice::Best(_) => turn.best(may, u).1,
        PlayChoice::Given(play) => turn.value(play.action((i, hand), Origin::Switched, may, u), u).clone(),
    })
}

/// Returns the indices of the removed hands, divided between threads.
///
/// Neighbors in ascending order of their high cards share most work, so the parts are cut from a sorted list.
fn shares(removals: &Removals, threads: usize) -> Vec<Vec<usize>> {
    let removed = &removals.list;
    let mut order: Vec<usize> = (0..removed.len()).collect();
    if threads > 1 {
        order.sort_by_key(|&i| highest_first(&removed[i]));
    }
    order.chunks(removed.len().div_ceil(threads.max(1)).max(1)).map(<[usize]>::to_vec).collect()
}

/// Returns the dealer's chances with each hand removed, by visible state.
fn chances<R: Real>(
    dealer: &DealerTree<R, U>,
    shoe: &Shoe,
    removals: &Removals,
    threads: usize,
) -> Vec<Chances<R, U>> {
    let shares = shares(removals, threads);
    let done = each(&shares, threads, |share| {
        let hands: Vec<Counts> = share.iter().map(|&i| removals.list[i]).collect();
        dealer.chances(shoe, &hands)
    });
    let mut out: Vec<Option<Chances<R, U>>> = vec![None; removals.list.len()];
    for (share, rows) in shares.iter().zip(done) {
        for (&i, row) in share.iter().zip(rows) {
            out[i] = Some(row);
        }
    }
    out.into_iter().flatten().collect()
}

/// Returns the dealer's chances with each hand removed, only for the visible states for which they are needed.
fn chances_for<R: Real>(
    dealer: &DealerTree<R, U>,
    shoe: &Shoe,
    removals: &Removals,
    threads: usize,
) -> ChanceTable<R> {
    let shares = shares(removals, threads);
    let done = each(&shares, threads, |share| {
        let hands: Vec<Counts> = share.iter().map(|&i| removals.list[i]).collect();
        let needed: Vec<Groups> = share.iter().map(|&i| removals.needed[i]).collect();
        dealer.chances_for(shoe, &hands, &needed)
    });
    ChanceTable::joined(shares.iter().map(Vec::as_slice).zip(done).collect(), removals.list.len())
}
