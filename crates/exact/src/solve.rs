//! The best decision on every unsplit hand, and the value of any fixed decisions under any measure.

use crate::cards::{Counts, Index, NONE, Shoe, shoe_size, size, together};
use crate::dealer::DealerTree;
use crate::hands::{Hand, Hands, Removals};
use crate::judge::{Book, Judge, LegalActions, Measure, Origin, PayId};
use crate::num::{Real, inverse};
use crate::play::Play;
use crate::result::Chances;
use crate::seen::{Row, constant};
use crate::turn::{Action, Choice, Draws, NextValues, Pays, Turn};
use crate::vocabulary::{ACE, BLACKJACK, RANKS, Rank, Upcard, by_rank, by_up};
use std::sync::Arc;

/// The hands that one shoe can deal, with the indices of the dealer's chances for each.
pub struct Layout {
    shoe: Shoe,
    other: Counts,
    hands: Arc<Hands>,
    rows: Arc<Vec<Index>>,
}

impl Layout {
    /// Lists the hands that contain the cards of `root`, dealt from `shoe` without the cards `other`.
    ///
    /// The player sees the cards `other` elsewhere. The sets of cards that must be removed for the dealer's
    /// chances are added to `removals`.
    pub fn new<J: Judge>(
        judge: &J,
        shoe: &Shoe,
        other: &Counts,
        root: &Counts,
        removals: &mut Removals,
    ) -> Self {
        let left = by_rank(|r| shoe[r].saturating_sub(u16::from(other[r])));
        let mut hands = Hands::new(&left, root);
        if judge.third_suited().is_some() {
            hands.tell_suits_apart();
        }
        let rows = hands.list.iter().map(|h| removals.index(&together(&h.cards, other))).collect();
        Layout { shoe: left, other: *other, hands: Arc::new(hands), rows: Arc::new(rows) }
    }
}

/// A shoe prepared for solving: the hands, the dealer's chances, and the legal actions on each hand.
pub struct Solver<'j, J, R, const U: usize> {
    /// The judge that answers questions about the rules.
    pub judge: &'j J,
    /// The cards left in the shoe. The player's cards and the dealer's visible cards still count as left.
    pub shoe: Shoe,
    /// The cards that the player sees elsewhere, such as the other hand in Switch. They are not in `shoe`.
    pub other: Counts,
    /// The player's hands that the shoe can deal.
    pub hands: Arc<Hands>,
    /// The chances of draws from the shoe.
    pub draws: Draws<U>,
    rows: Arc<Vec<Index>>,
    table: Arc<Vec<Chances<R, U>>>,
    /// Legal actions on each hand as dealt.
    pub may: Vec<LegalActions>,
    /// Settlement of each hand as dealt, as an index into [`Book::pays`].
    pub pay: Vec<PayId>,
    /// The settlements of all dealt hands under the measure `Net`.
    net: Option<Book<R>>,
    /// Whether doubling can lead to each hand.
    pub by_double: Vec<bool>,
}

/// A cache of legal actions by total, softness and number of cards, on which alone legal actions depend.
pub struct LegalActionCache<'j, J> {
    judge: &'j J,
    origin: Origin,
    known: Vec<Option<LegalActions>>,
}

impl<'j, J: Judge> LegalActionCache<'j, J> {
    /// Returns an empty cache for hands of one origin.
    pub fn new(judge: &'j J, origin: Origin) -> Self {
        LegalActionCache { judge, origin, known: vec![None; 32 * 2 * 32] }
    }

    /// Returns the legal actions of this hand.
    pub fn may(&mut self, hand: &Hand) -> LegalActions {
        let (total, size) = (usize::from(hand.points.total), usize::from(hand.size));
        assert!(total < 32 && size < 32, "expected a hand of at most 21, found {hand:?}");
        let at = (total * 2 + usize::from(hand.points.soft)) * 32 + size;
        *self.known[at].get_or_insert_with(|| self.judge.may(hand, self.origin))
    }
}

/// The values of all dealt hands under given or best decisions.
pub struct Solution<R, const U: usize> {
    /// Values of the actions on each hand, or `None` for a hand of fewer than two cards. Indexed by hand.
    pub turns: Vec<Option<Turn<R, U>>>,
    /// Chosen actions on each hand.
    pub choices: Vec<Choice<U>>,
    /// Value of each hand with a single bet under the chosen actions.
    pub best: Vec<Row<R, U>>,
    /// Value of each hand with a doubled bet.
    pub doubled: Vec<Row<R, U>>,
}

impl<'j, J: Judge, R: Real, const U: usize> Solver<'j, J, R, U> {
    /// Prepares the solver of all hands that contain the cards of `root`.
    pub fn new(judge: &'j J, dealer: &DealerTree<R, U>, shoe: Shoe, root: &Counts) -> Self {
        let mut removals = Removals::default();
        let layout = Layout::new(judge, &shoe, &[0; RANKS], root, &mut removals);
        let table = Arc::new(dealer.chances(&shoe, &removals.list));
        Solver::laid_out(judge, &layout, table)
    }

    /// Prepares the solver of a layout, with the dealer's chances by removed hand from the lookup table `table`.
    pub fn laid_out(judge: &'j J, layout: &Layout, table: Arc<Vec<Chances<R, U>>>) -> Self {
        let hands = layout.hands.clone();
        let mut asked = LegalActionCache::new(judge, Origin::Dealt);
        let may = hands.list.iter().map(|h| asked.may(h)).collect();
        let draws = Draws::new(&layout.shoe, judge.seen());
        let (shoe, other, rows) = (layout.shoe, layout.other, layout.rows.clone());
        let mut solver = Solver {
            judge,
            shoe,
            other,
            hands,
            draws,
            rows,
            table,
            may,
            pay: Vec::new(),
            net: None,
            by_double: Vec::new(),
        };
        solver.by_double = vec![false; solver.hands.list.len()];
        for (next, _) in solver.hands.next.iter().zip(&solver.may).filter(|(_, may)| may.double) {
            for &i in next.iter().filter(|&&i| i != NONE) {
                solver.by_double[i as usize] = true;
            }
        }
        let mut net = Book::new(judge, Measure::Net);
        solver.pay = solver.pay_ids(&mut net);
        solver.net = Some(net);
        solver
    }

    /// Returns a solver of the same shoe under the rules of another judge.
    pub fn judged_by(&self, judge: &'j J) -> Self {
        let (hands, rows) = (self.hands.clone(), self.rows.clone());
        Solver::laid_out(
            judge,
            &Layout { shoe: self.shoe, other: self.other, hands, rows },
            self.table.clone(),
        )
    }

    /// Returns the chances of the dealer's results with the cards of the hand with index `hand` removed.
    pub fn chances(&self, hand: usize) -> &Chances<R, U> {
        &self.table[self.rows[hand] as usize]
    }

    /// Returns the settlements of dealt hands under a measure. Their indices are the same for all measures.
    pub fn book(&self, measure: Measure) -> Book<R> {
        if let (Measure::Net, Some(net)) = (measure, &self.net) {
            return net.clone();
        }
        let mut book = Book::new(self.judge, measure);
        self.pay_ids(&mut book);
        book
    }

    fn pay_ids(&self, book: &mut Book<R>) -> Vec<PayId> {
        self.hands.list.iter().map(|h| book.pay(self.judge, h, Origin::Dealt)).collect()
    }

    /// Returns the best decisions on all hands, with the values of the hands.
    ///
    /// Each hand is evaluated after all hands to which one more card can lead.
    pub fn best(&self) -> Solution<R, U> {
        self.play(&self.book(Measure::Net), None)
    }

    /// Returns the values of all hands under a measure, with the decisions fixed by `choices`.
    pub fn follow(&self, measure: Measure, choices: &[Choice<U>]) -> Solution<R, U> {
        self.play(&self.book(measure), Some(choices))
    }

    /// Returns the value of each hand by visible state, with the decisions fixed by `choices`.
    ///
    /// `book` defines the value of each settlement.
    pub fn followed(&self, book: &Book<R>, choices: &[Choice<U>]) -> Vec<Row<R, U>> {
        let zero = constant::<R, U>(&R::zero());
        let (mut values, mut doubled) = (vec![zero.clone(); choices.len()], vec![zero; choices.len()]);
        for i in self.hands.order.iter().map(|&i| i as usize).filter(|&i| self.hands.list[i].size > 1) {
            // Actions that are never chosen need not be computed.
            let done = |action| choices[i].action.contains(&action);
            let may = self.may[i];
            let may = LegalActions {
                hit: may.hit && done(Action::Hit),
                double: may.double && done(Action::Double),
                ..may
            };
            let turn = self.turn_if(may, i, book, (&values, &doubled));
            (values[i], doubled[i]) = turn.followed(&choices[i]);
        }
        values
    }

    /// Returns the values of all dealt hands under a supplied strategy.
    pub fn given(&self, play: &dyn Play) -> Solution<R, U> {
        let choice = |(i, hand): (usize, &Hand)| {
            let of = (i as Index, hand);
            Choice {
                action: by_up(|u| match hand.size {
                    0 | 1 => Action::Stand,
                    _ => play.action(of, Origin::Dealt, self.may[i], u),
                }),
                surrender_doubled: by_up(|u| {
                    self.may[i].surrender_doubled && play.surrenders_doubled(of, Origin::Dealt, u)
                }),
            }
        };
        let choices: Vec<Choice<U>> = self.hands.list.iter().enumerate().map(choice).collect();
        self.follow(Measure::Net, &choices)
    }

    /// Returns the values of the legal actions on a dealt hand.
    ///
    /// `ahead` holds the values of the hands to which one more card can lead, with a single and with a doubled
    /// bet.
    pub(crate) fn turn_of(
        &self,
        i: usize,
        book: &Book<R>,
        ahead: (&[Row<R, U>], &[Row<R, U>]),
    ) -> Turn<R, U> {
        self.turn_if(self.may[i], i, book, ahead)
    }

    /// Returns the values of the actions in `may` on a dealt hand.
    fn turn_if(
        &self,
        may: LegalActions,
        i: usize,
        book: &Book<R>,
        (best, doubled): (&[Row<R, U>], &[Row<R, U>]),
    ) -> Turn<R, U> {
        let pays = Pays {
            stand: &book.pays[self.pay[i] as usize],
            bust: &book.bust[0],
            surrender: &book.surrender[0],
        };
        let ahead = NextValues { best, doubled, next: &self.hands.next[i], by_double: self.by_double[i] };
        self.draws.turn(&self.hands.list[i], (ACE, 0), self.chances(i), (may, &pays, &ahead))
    }

    fn play(&self, book: &Book<R>, given: Option<&[Choice<U>]>) -> Solution<R, U> {
        let n = self.hands.list.len();
        let zero = constant::<R, U>(&R::zero());
        let stand = Choice { action: [Action::Stand; U], surrender_doubled: [false; U] };
        let mut out = Solution {
            turns: vec![None; n],
            choices: given.map_or_else(|| vec![stand; n], <[_]>::to_vec),
            best: vec![zero.clone(); n],
            doubled: vec![zero; n],
        };
        for &i in &self.hands.order {
            let i = i as usize;
            if self.hands.list[i].size < 2 {
                continue;
            }
            crate::cancel::check();
            let turn = self.turn_of(i, book, (&out.best, &out.doubled));
            for u in Upcard::all::<U>() {
                if given.is_none() {
                    out.choices[i].surrender_doubled[u] =
                        turn.may.surrender_doubled && turn.surrendered_doubled[u] > turn.doubled[u];
                    out.choices[i].action[u] = turn.best(turn.may, u).0;
                }
            }
            (out.best[i], out.doubled[i]) = turn.followed(&out.choices[i]);
            out.turns[i] = Some(turn);
        }
        out
    }

    /// Returns the chance of a dealer's blackjack with the cards of `hand` out of the shoe, by visible state.
    pub fn dealer_blackjack(&self, hand: Index) -> &Row<R, U> {
        &self.chances(hand as usize)[BLACKJACK]
    }

    /// Returns the chance of each visible state with the cards `gone` out of the shoe.
    pub fn state_chances(&self, gone: &Counts, states: &[Counts]) -> Row<R, U> {
        let cards = shoe_size(&self.shoe) - i64::from(size(gone));
        by_up(|u| {
            let Some(state) = states.get(u.index()) else {
                return R::zero();
            };
            let (mut p, mut drawn) = (R::one(), 0);
            let mut orders = 1;
            for r in Rank::ALL {
                let left = i64::from(self.shoe[r]) - i64::from(gone[r]);
                for j in 0..i64::from(state[r]) {
                    p = p * R::int((left - j).max(0)) * inverse(cards - drawn);
                    drawn += 1;
                }
                if state[r] == 1 && drawn == 1 && size(state) == 2 {
                    orders = 2;
                }
            }
            p * R::int(orders)
        })
    }
}

/// The strategy that plays split hands like dealt hands.
pub struct AsDealt<'a, R, const U: usize>(pub &'a Solution<R, U>);

impl<R: Real, const U: usize> Play for AsDealt<'_, R, U> {
    fn action(&self, (i, _): (Index, &Hand), _: Origin, may: LegalActions, u: Upcard) -> Action {
        self.0.turns[i as usize].as_ref().map_or(Action::Stand, |t| t.best(may, u).0)
    }

    fn surrenders_doubled(&self, (i, _): (Index, &Hand), _: Origin, u: Upcard) -> bool {
        self.0.choices[i as usize].surrender_doubled[u]
    }

    fn splits(&self, _: &Hand, _: Upcard) -> Option<bool> {
        None
    }

    fn splits_again(&self, _: &Hand, _: Origin, _: Upcard) -> bool {
        true
    }

    fn takes_even_money(&self) -> Option<bool> {
        None
    }
}
