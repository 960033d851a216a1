//! The best play of every hand that is not a split one, and the value of any fixed play under any measure.

use crate::cards::{Counts, RANKS, Shoe, shoe_size, size};
use crate::dealer::{BLACKJACK, Chances, DealerTree};
use crate::hands::{Hands, Index, Removals};
use crate::judge::{Book, Judge, May, Measure, Origin, PayId};
use crate::num::{Real, inverse};
use crate::turn::{Action, Ahead, Draws, Pays, Row, Turn, constant};

/// The actions on one hand, by visible state, and whether a doubled hand is given up.
#[derive(Clone, Copy)]
pub struct Choice<const U: usize> {
    /// What to do.
    pub action: [Action; U],
    /// Surrender after doubling into this hand.
    pub rescue: [bool; U],
}

/// Everything about one shoe: the hands, the dealer's chances, and the play.
pub struct Solver<'j, J, R, const U: usize> {
    /// The rules.
    pub judge: &'j J,
    /// The cards left, the dealer's visible ones included.
    pub shoe: Shoe,
    /// The player's hands.
    pub hands: Hands,
    /// The dealer's drawing.
    pub dealer: &'j DealerTree<R, U>,
    /// Draws from the shoe.
    pub draws: Draws<R, U>,
    /// The dealer's chances with each hand removed.
    pub chances: Vec<Chances<R, U>>,
    /// What each dealt hand may do.
    pub may: Vec<May>,
    /// The settlement of each dealt hand.
    pub pay: Vec<PayId>,
}

/// The values of all dealt hands under the best play or under a given one.
pub struct Solution<R, const U: usize> {
    /// The values of the actions on each hand.
    pub turns: Vec<Option<Turn<R, U>>>,
    /// What is done.
    pub choices: Vec<Choice<U>>,
    /// The value of what is done.
    pub best: Vec<Row<R, U>>,
    /// The value with a doubled stake.
    pub doubled: Vec<Row<R, U>>,
}

impl<'j, J: Judge, R: Real, const U: usize> Solver<'j, J, R, U> {
    /// Prepares all hands that have the cards of `root`.
    pub fn new(judge: &'j J, dealer: &'j DealerTree<R, U>, shoe: Shoe, root: &Counts) -> Self {
        let mut hands = Hands::new(&shoe, root);
        if judge.third_suited().is_some() {
            hands.tell_suits_apart();
        }
        let mut removals = Removals::default();
        let rows: Vec<Index> = hands.list.iter().map(|h| removals.index(&h.cards)).collect();
        let table = dealer.chances(&shoe, &removals.list);
        // Hands that differ in suits only come last and share the chances of the plain ones.
        let shared = rows.iter().skip(table.len()).map(|&i| table[i as usize].clone()).collect::<Vec<_>>();
        let chances = table.into_iter().chain(shared).collect();
        let may = hands.list.iter().map(|h| judge.may(h, Origin::Dealt)).collect();
        let draws = Draws::new(&shoe, judge.seen());
        let mut solver = Solver { judge, shoe, hands, dealer, draws, chances, may, pay: Vec::new() };
        solver.pay = solver.pay_ids(&mut solver.book(Measure::Net));
        solver
    }

    /// The settlements under a measure, numbered alike for all measures.
    pub fn book(&self, measure: Measure) -> Book<R> {
        let mut book = Book::new(self.judge, measure);
        self.pay_ids(&mut book);
        book
    }

    fn pay_ids(&self, book: &mut Book<R>) -> Vec<PayId> {
        self.hands.list.iter().map(|h| book.pay(self.judge, h, Origin::Dealt)).collect()
    }

    /// The best play: hands are taken in an order in which all that may follow is known.
    pub fn best(&self) -> Solution<R, U> {
        self.play(&self.book(Measure::Net), None)
    }

    /// The value of the play `choices` under a measure.
    pub fn follow(&self, measure: Measure, choices: &[Choice<U>]) -> Solution<R, U> {
        self.play(&self.book(measure), Some(choices))
    }

    fn play(&self, book: &Book<R>, given: Option<&[Choice<U>]>) -> Solution<R, U> {
        let n = self.hands.list.len();
        let zero = constant::<R, U>(&R::zero());
        let stand = Choice { action: [Action::Stand; U], rescue: [false; U] };
        let mut out = Solution {
            turns: vec![None; n],
            choices: given.map_or_else(|| vec![stand; n], <[_]>::to_vec),
            best: vec![zero.clone(); n],
            doubled: vec![zero; n],
        };
        for &i in &self.hands.order {
            let i = i as usize;
            let hand = &self.hands.list[i];
            if hand.size < 2 {
                continue;
            }
            let pays = Pays {
                stand: &book.pays[self.pay[i] as usize],
                bust: &book.bust[0],
                surrender: &book.surrender[0],
            };
            let ahead = Ahead { best: &out.best, doubled: &out.doubled, next: &self.hands.next[i] };
            let turn = self.draws.turn(hand, (0, 0), &self.chances[i], (self.may[i], &pays, &ahead));
            for u in 0..U {
                if given.is_none() {
                    out.choices[i].rescue[u] = turn.may.surrender_doubled && turn.rescued[u] > turn.doubled[u];
                    out.choices[i].action[u] = turn.best(turn.may, u).0;
                }
                out.best[i][u] = turn.value(out.choices[i].action[u], u).clone();
                let rescue = out.choices[i].rescue[u];
                out.doubled[i][u] = if rescue { turn.rescued[u].clone() } else { turn.doubled[u].clone() };
            }
            out.turns[i] = Some(turn);
        }
        out
    }

    /// The chance of a dealer's blackjack once these cards are gone, by visible state.
    pub fn dealer_blackjack(&self, hand: Index) -> &Row<R, U> {
        &self.chances[hand as usize][BLACKJACK]
    }

    /// The chance of each visible state once these cards are gone.
    pub fn state_chances(&self, gone: &Counts, states: &[Counts]) -> Row<R, U> {
        let cards = shoe_size(&self.shoe) - i64::from(size(gone));
        std::array::from_fn(|u| {
            let Some(state) = states.get(u) else { return R::zero() };
            let (mut p, mut drawn) = (R::one(), 0);
            let mut orders = 1;
            for r in 0..RANKS {
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
