//! A round of one box: the first two cards, the dealer's visible cards, the best decision and its value.

use crate::cards::{Index, Shoe, lowest_and_highest, pair_of, points, shoe_size, two_cards};
use crate::dealer::DealerTree;
use crate::hands::{Hand, Suits};
use crate::joint::none_answers;
use crate::judge::{Blackjack, Book, Ending, Finish, Judge, Measure, Net, Origin, Stake};
use crate::num::{Real, inverse};
use crate::play::{AfterSplit, Play, PlayChoice};
use crate::seen::{Row, seen_states};
use crate::solve::{AsDealt, Solution, Solver};
use crate::split::Splits;
use crate::turn::{Action, Choice};
use crate::vocabulary::{ACE, BLACKJACK, RANKS, Rank, TEN, Upcard, by_rank, by_up};
use std::sync::Arc;

/// A solved shoe: the decision on every hand, including pairs, with its value.
pub struct Solved<'s, 'j, J, R, const U: usize> {
    /// The solver with the hands and the rules.
    pub solver: &'s Solver<'j, J, R, U>,
    /// The values of unsplit hands and the decisions on them.
    pub base: Solution<R, U>,
    /// The plans for splitting each pair.
    pub splits: Arc<Splits<'s, R, U>>,
    /// Value of splitting each pair, by its rank.
    pub split_values: Vec<(Rank, Row<R, U>)>,
    /// Decisions on the first two cards, including splits, indexed by hand.
    pub first: Vec<Choice<U>>,
    /// `Some(true)` if the player takes even money wherever it is offered, `Some(false)` if never.
    ///
    /// `None` if the player takes even money only where it is worth more than the blackjack's own payout.
    pub even_money: Option<bool>,
}

/// The splits for which the chance of an escape is computed.
///
/// An escape is the event that no hand of a split answers for the original bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// Only the splits that the gain from an escape can turn into the best action.
    ///
    /// All other splits stay worse even with that gain.
    WhereBest,
    /// All splits, whether or not splitting is the best action.
    Everywhere,
    /// The splits against one visible state.
    ///
    /// The values against the other states must not be used.
    Against(Upcard),
}

/// A deal of a box's first two cards, with its chance.
pub struct Deal<R> {
    /// The index of the hand that the two cards form.
    pub hand: Index,
    /// The chance of this deal.
    pub chance: R,
}

impl<'s, 'j, J: Judge, R: Real, const U: usize> Solved<'s, 'j, J, R, U> {
    /// Solves a shoe under the strategy that `play_choice` selects.
    pub fn by(
        solver: &'s Solver<'j, J, R, U>,
        dealer: &'s DealerTree<R, U>,
        play_choice: PlayChoice<'_>,
    ) -> Self {
        match play_choice {
            PlayChoice::Best(after) => Self::best(solver, dealer, after),
            PlayChoice::Given(play) => Self::given(solver, dealer, play),
        }
    }

    /// Solves a shoe under the best play.
    ///
    /// `after` selects how split hands are played.
    pub fn best(solver: &'s Solver<'j, J, R, U>, dealer: &'s DealerTree<R, U>, after: AfterSplit) -> Self {
        let base = solver.best();
        let splits = Splits::new(solver, (after, dealer, &solver.whole_shoe()), &AsDealt(&base));
        Self::split(solver, base, Arc::new(splits))
    }

    /// Solves the same shoe under the rules of another judge, reusing the plans of splits.
    ///
    /// Returns `None` if the best decisions on unsplit hands differ under that judge.
    pub fn under_judge(&self, solver: &'s Solver<'j, J, R, U>) -> Option<Self> {
        let base = solver.best();
        (base.choices == self.base.choices).then(|| Self::split(solver, base, self.splits.clone()))
    }

    /// Solves a shoe under a strategy that the caller supplies.
    pub fn given(solver: &'s Solver<'j, J, R, U>, dealer: &'s DealerTree<R, U>, play: &dyn Play) -> Self {
        let base = solver.given(play);
        let of = (AfterSplit::AsDealt, dealer, &solver.whole_shoe());
        let splits = Arc::new(Splits::new(solver, of, play));
        Self::followed(solver, base, splits, play)
    }

    /// Solves a shoe under a supplied strategy, with splits that are already planned.
    pub fn followed(
        solver: &'s Solver<'j, J, R, U>,
        base: Solution<R, U>,
        splits: Arc<Splits<'s, R, U>>,
        play: &dyn Play,
    ) -> Self {
        let mut solved = Self::split_with(solver, base, splits, Escapes::Everywhere);
        solved.even_money = play.takes_even_money();
        for (rank, _) in &solved.split_values {
            let Some(i) = solver.hands.find(&pair_of(*rank)) else {
                continue;
            };
            for u in Upcard::all::<U>() {
                if let Some(split) = play.splits(solver.hand(i), u) {
                    let played = solved.base.choices[i as usize].action[u];
                    solved.first[i as usize].action[u] = if split { Action::Split } else { played };
                }
            }
        }
        solved
    }

    /// Completes the solution of unsplit hands with planned splits.
    ///
    /// A pair is split where that is worth more.
    pub fn split(
        solver: &'s Solver<'j, J, R, U>,
        base: Solution<R, U>,
        splits: Arc<Splits<'s, R, U>>,
    ) -> Self {
        Self::split_with(solver, base, splits, Escapes::WhereBest)
    }

    /// Completes the solution of unsplit hands with planned splits.
    ///
    /// `exactly` selects the splits for which the chance that no hand answers for the original bet is computed.
    pub fn split_with(
        solver: &'s Solver<'j, J, R, U>,
        base: Solution<R, U>,
        splits: Arc<Splits<'s, R, U>>,
        exactly: Escapes,
    ) -> Self {
        let book = solver.book_with_splits(&splits, Measure::Net);
        let split_values = splits.values(solver, &book);
        let first = base.choices.clone();
        let mut solved = Solved { solver, first, base, splits, split_values, even_money: None };
        solved.add_escapes(&book, exactly);
        for (rank, split) in &solved.split_values {
            let Some(i) = solver.hands.find(&pair_of(*rank)) else {
                continue;
            };
            for (u, split) in Upcard::all::<U>().zip(split) {
                if *split > solved.base.best[i as usize][u] {
                    solved.first[i as usize].action[u] = Action::Split;
                }
            }
        }
        solved
    }

    /// Adds to the value of each split what its hands gain in an escape, when none answers for the original bet.
    ///
    /// `exactly` selects the splits for which this gain is computed.
    fn add_escapes(&mut self, book: &Book<R>, exactly: Escapes) {
        for (plan, (rank, values)) in self.splits.plans.iter().zip(&mut self.split_values) {
            let Some(i) = self.solver.hands.find(&pair_of(*rank)) else {
                continue;
            };
            let wanted = |u: &Upcard| {
                u.index() < U && (!matches!(exactly, Escapes::Against(_)) || exactly == Escapes::Against(*u))
            };
            for u in [ACE, TEN].map(Upcard::card).into_iter().filter(wanted) {
                let original = R::zero() - book.together.clone();
                if original > R::zero() {
                    // A smaller chance would not make splitting the better choice.
                    let enough =
                        (self.base.best[i as usize][u].clone() - values[u].clone()) / original.clone();
                    let enough = if exactly == Escapes::WhereBest { Some(&enough) } else { None };
                    values[u] =
                        values[u].clone() + original * none_answers(self.solver, book, plan, (u, enough));
                }
            }
        }
    }

    /// Returns the value of the first two cards against visible state `u`.
    ///
    /// A dealer's blackjack that is found before play counts as zero.
    pub fn value(&self, hand: Index, u: Upcard) -> R {
        self.value_in(&self.base.best, &self.split_values, hand, u)
    }

    fn value_in(&self, base: &[Row<R, U>], splits: &[(Rank, Row<R, U>)], hand: Index, u: Upcard) -> R {
        let i = hand as usize;
        if self.first[i].action[u] == Action::Split {
            let cards = &self.solver.hands.list[i].cards;
            if let Some((_, row)) = splits.iter().find(|(rank, _)| cards[*rank] > 0) {
                return row[u].clone();
            }
        }
        base[i][u].clone()
    }

    /// Returns whether the player takes even money on this hand against visible state `u`.
    ///
    /// If the strategy leaves the decision open, the player takes even money where it is worth more.
    pub fn takes_even_money(&self, hand: Index, u: Upcard) -> bool {
        let cards = &self.solver.hand(hand).cards;
        if u != Upcard::card(ACE) || cards[ACE] != 1 || cards[TEN] != 1 {
            return false;
        }
        let waits = self.value(hand, u)
            + self.solver.dealer_blackjack(hand)[u].clone() * self.solver.settled_before(hand, Measure::Net);
        let at_once = self.solver.even_money(hand, Measure::Net);
        at_once.is_some_and(|at_once| self.even_money.unwrap_or(at_once > waits))
    }

    /// Returns the contribution of each visible state to the expected value of a round under a measure.
    ///
    /// Each entry includes the chance of the state, so that the entries add up to the value of the round.
    pub fn round(&self, measure: Measure) -> Row<R, U> {
        let mut sum: Row<R, U> = std::array::from_fn(|_| R::zero());
        for (_, values) in self.rounds(measure) {
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum = sum.clone() + value;
            }
        }
        sum
    }

    /// Returns the contribution of each two-card deal to the expected value of a round under a measure, by
    /// visible state.
    ///
    /// Each entry includes the chance of the two cards and of the state.
    pub fn rounds(&self, measure: Measure) -> Vec<(Index, Row<R, U>)> {
        let followed;
        let (base, splits) = if measure == Measure::Net {
            (&self.base.best, &self.split_values)
        } else {
            let book = self.solver.book_with_splits(&self.splits, measure);
            let base = self.solver.followed(&book, &self.base.choices);
            followed = (base, self.splits.values(self.solver, &book));
            (&followed.0, &followed.1)
        };
        self.weighed(measure, |hand, u| self.value_in(base, splits, hand, u))
    }

    /// Returns the same contributions as [`Solved::rounds`], without the value of split hands.
    ///
    /// A pair that is split counts only if the round ends before the split.
    pub fn unsplit_rounds(&self, measure: Measure) -> Vec<(Index, Row<R, U>)> {
        let book = self.solver.book_with_splits(&self.splits, measure);
        let unsplit = self.unsplit(&book);
        self.weighed(measure, |hand, u| unsplit(hand)[u].clone())
    }

    /// Returns a function that gives the value of a hand's first two cards by visible state, and zero where
    /// they are split.
    ///
    /// A dealer's blackjack found before play counts as zero. `book` defines the value of each settlement.
    pub fn unsplit(&self, book: &Book<R>) -> impl Fn(Index) -> Row<R, U> + use<'_, 's, 'j, J, R, U> {
        let base = self.solver.followed(book, &self.base.choices);
        move |hand| {
            let (i, zero) = (hand as usize, R::zero());
            let splits = |u: Upcard| self.first[i].action[u] == Action::Split;
            by_up(|u| if splits(u) { zero.clone() } else { base[i][u].clone() })
        }
    }

    /// Returns the value of each possible two-card deal, by visible state, multiplied by the chance of both.
    ///
    /// `played` gives the value of the deal if the round is played on.
    fn weighed(&self, measure: Measure, played: impl Fn(Index, Upcard) -> R) -> Vec<(Index, Row<R, U>)> {
        let states = seen_states(self.solver.judge.seen());
        let one = |deal: Deal<R>| {
            let hand = self.solver.hand(deal.hand);
            let chance = self.solver.state_chances(&hand.cards, &states);
            let v_blackjack = self.solver.settled_before(deal.hand, measure);
            let row = by_up(|u| {
                let blackjack = self.solver.dealer_blackjack(deal.hand)[u].clone();
                let played = played(deal.hand, u) + blackjack * v_blackjack.clone();
                let value = if self.takes_even_money(deal.hand, u) {
                    self.solver.even_money(deal.hand, measure).unwrap_or(played)
                } else {
                    played
                };
                deal.chance.clone() * chance[u].clone() * value
            });
            (deal.hand, row)
        };
        self.solver.deals().into_iter().map(one).collect()
    }

    /// Returns a function that gives the value of a hand's first two cards by visible state, including splits.
    ///
    /// A dealer's blackjack found before play counts as zero. `book` defines the value of each settlement.
    pub fn values(&self, book: &Book<R>) -> impl Fn(Index) -> Row<R, U> + use<'_, 's, 'j, J, R, U> {
        let base = self.solver.followed(book, &self.base.choices);
        let splits = self.splits.values(self.solver, book);
        move |hand| by_up(|u| self.value_in(&base, &splits, hand, u))
    }

    /// Returns the fraction of rounds with a split.
    pub fn split_share(&self) -> f64 {
        let states = seen_states(self.solver.judge.seen());
        let mut share = 0.0;
        for deal in self.solver.deals() {
            let chance = self.solver.state_chances(&self.solver.hand(deal.hand).cards, &states);
            for (u, chance) in Upcard::all::<U>().zip(&chance) {
                if self.first[deal.hand as usize].action[u] == Action::Split {
                    let before = match self.solver.judge.blackjack() {
                        Blackjack::BeforePlay => self.solver.dealer_blackjack(deal.hand)[u].to_f64(),
                        Blackjack::AfterPlay => 0.0,
                    };
                    share += deal.chance.to_f64() * chance.to_f64() * (1.0 - before);
                }
            }
        }
        share
    }
}

impl<J: Judge, R: Real, const U: usize> Solver<'_, J, R, U> {
    /// Returns the solver's shoe together with the cards that the player sees in other hands.
    pub fn whole_shoe(&self) -> Shoe {
        by_rank(|r| self.shoe[r] + u16::from(self.other[r]))
    }

    /// Returns the settlements of dealt and split hands under a measure.
    ///
    /// Their indices agree with `Plan::pay` in the plans of `splits`.
    pub fn book_with_splits(&self, splits: &Splits<'_, R, U>, measure: Measure) -> Book<R> {
        let mut book = self.book(measure);
        for plan in &splits.plans {
            for &i in &plan.hands {
                book.pay(self.judge, self.hand(i), crate::plan::origin(plan.rank));
            }
        }
        book
    }

    /// Returns the possible deals of the first two cards, with their chances.
    ///
    /// Hands that differ in suits are separate deals where suits matter.
    pub fn deals(&self) -> Vec<Deal<R>> {
        let cards = shoe_size(&self.shoe);
        let per_two: R = inverse::<R>(cards) * inverse(cards - 1);
        let mut deals = Vec::new();
        for [a, b] in Rank::twos() {
            let (left, right) = (i64::from(self.shoe[a]), i64::from(self.shoe[b]));
            let orders = if a == b { left * (left - 1).max(0) } else { 2 * left * right };
            for (hand, part) in self.second(a, b) {
                deals.push(Deal { hand, chance: R::int(orders) * per_two.clone() * part });
            }
        }
        deals
    }

    /// Returns the value, under a measure, of a blackjack that takes even money.
    ///
    /// Returns `None` if the table does not offer even money.
    pub fn even_money(&self, hand: Index, measure: Measure) -> Option<R> {
        let (n, d) = self.judge.even_money()?;
        let hand = *self.hand(hand);
        let finish = Finish { hand, origin: Origin::Dealt, ending: Ending::Stood, stake: Stake::Single };
        let wager = R::ratio(self.judge.wager().0, self.judge.wager().1.max(1));
        Some(measure.of(&finish, BLACKJACK, R::ratio(n, d.max(1)), &wager))
    }

    /// Returns the value of the first two cards if the dealer has a blackjack that ends the round before play.
    ///
    /// Returns zero if the table finds a dealer's blackjack only after play.
    pub fn settled_before(&self, hand: Index, measure: Measure) -> R {
        if self.judge.blackjack() == Blackjack::AfterPlay {
            return R::zero();
        }
        let cards = &self.hand(hand).cards;
        first_two_v_blackjack(self.judge, lowest_and_highest(cards).unwrap_or([TEN; 2]), measure)
    }
}

/// Returns the value of two cards against a dealer's blackjack.
pub fn first_two_v_blackjack<J: Judge, R: Real>(judge: &J, first: [Rank; 2], measure: Measure) -> R {
    let cards = two_cards(first);
    let natural = cards[ACE] == 1 && cards[TEN] == 1;
    let ask = |suits| {
        let hand = Hand { cards, points: points(&cards), size: 2, suits };
        let finish = Finish { hand, origin: Origin::Dealt, ending: Ending::Stood, stake: Stake::Single };
        let (n, d) = match judge.net(&finish, BLACKJACK) {
            Net::Amount(n, d) | Net::Collected(n, d) | Net::CollectedFirst(n, d) => (n, d),
            Net::Original => (-judge.original().0, judge.original().1),
        };
        let wager = R::ratio(judge.wager().0, judge.wager().1.max(1));
        measure.of(&finish, BLACKJACK, R::ratio(n, d.max(1)), &wager)
    };
    let plain: R = ask(Suits::Any);
    match judge.designated() {
        Some((n, d)) if natural => {
            let q = R::ratio(n, d.max(1));
            plain.clone() + q * (ask(Suits::Suited) - plain)
        }
        _ => plain,
    }
}

/// Returns the number of bets that best play makes in Triple Attack, by first card and upcard.
pub fn bets_made<J: Judge>(solved: &Solved<'_, '_, J, f64, RANKS>) -> [Row<f64, RANKS>; RANKS] {
    let net = by_first_card(solved, &solved.rounds(Measure::Net));
    net.map(|row| {
        let second = f64::from(u8::from(crate::seen::sum(&row) > 0.0));
        row.map(|net| 1.0 + second + f64::from(u8::from(net > 0.0)))
    })
}

/// Returns the expected value of one bet in Triple Attack, by first card and upcard.
///
/// Each value is multiplied by the probability of the two cards.
pub(crate) fn by_first_card<J: Judge, R: Real>(
    solved: &Solved<'_, '_, J, R, RANKS>,
    rounds: &[(u32, Row<R, RANKS>)],
) -> [Row<R, RANKS>; RANKS] {
    let mut out: [Row<R, RANKS>; RANKS] = std::array::from_fn(|_| std::array::from_fn(|_| R::zero()));
    for (hand, values) in rounds {
        let cards = &solved.solver.hand(*hand).cards;
        for first in Rank::ALL {
            // Two different cards are equally likely in either order.
            let part = R::ratio(i64::from(cards[first]), 2);
            for u in Upcard::all::<RANKS>() {
                out[first][u] = out[first][u].clone() + part.clone() * values[u].clone();
            }
        }
    }
    out
}
