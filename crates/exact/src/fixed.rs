//! The best play for one shoe, recorded so that it can be followed with another shoe.

use crate::cards::{Counts, Index, two_cards};
use crate::hands::{Hand, Hands, Suits};
use crate::judge::{Judge, LegalActions, Origin};
use crate::num::Real;
use crate::play::Play;
use crate::round::Solved;
use crate::turn::{Action, Choice, Turn};
use crate::vocabulary::{ACE, TEN, Upcard};
use std::sync::Arc;

/// The decisions of a solved shoe, recorded to be followed with another shoe.
pub(crate) struct Fixed<R, const U: usize> {
    hands: Arc<Hands>,
    turns: Vec<Option<Turn<R, U>>>,
    choices: Vec<Choice<U>>,
    first: Vec<Choice<U>>,
    even_money: bool,
}

impl<R: Real, const U: usize> Fixed<R, U> {
    /// Records the decisions of a solved shoe.
    pub fn of<J: Judge>(solved: &Solved<'_, '_, J, R, U>) -> Self {
        let natural = solved.solver.hands.find(&two_cards([ACE, TEN]));
        Fixed {
            hands: solved.solver.hands.clone(),
            turns: solved.base.turns.clone(),
            choices: solved.base.choices.clone(),
            first: solved.first.clone(),
            even_money: natural.is_some_and(|i| solved.takes_even_money(i, Upcard::card(ACE))),
        }
    }

    /// Returns the index that the hand has in the recorded shoe, or `None` if the recorded shoe lacks it.
    ///
    /// The recorded shoe had at least all cards of the other shoe.
    fn find(&self, hand: &Hand) -> Option<usize> {
        match hand.suits {
            Suits::Any => self.hands.find(&hand.cards).map(|i| i as usize),
            suits => self.hands.list.iter().position(|h| h.cards == hand.cards && h.suits == suits),
        }
    }
}

impl<R: Real, const U: usize> Play for Fixed<R, U> {
    fn action(&self, (_, hand): (Index, &Hand), _: Origin, may: LegalActions, u: Upcard) -> Action {
        let turn = self.find(hand).and_then(|i| self.turns[i].as_ref());
        turn.map_or(Action::Stand, |turn| turn.best(may, u).0)
    }

    fn surrenders_doubled(&self, (_, hand): (Index, &Hand), _: Origin, u: Upcard) -> bool {
        self.find(hand).is_some_and(|i| self.choices[i].surrender_doubled[u])
    }

    fn splits(&self, pair: &Hand, u: Upcard) -> Option<bool> {
        Some(self.find(pair).is_some_and(|i| self.first[i].action[u] == Action::Split))
    }

    fn splits_again(&self, _: &Hand, _: Origin, _: Upcard) -> bool {
        true
    }

    fn takes_even_money(&self) -> Option<bool> {
        Some(self.even_money)
    }
}

/// Recorded decisions of Switch, by the cards of the box's other hand.
pub(crate) struct FixedBeside<R, const U: usize>(pub Vec<(Counts, Fixed<R, U>)>);

impl<R: Real, const U: usize> Play for FixedBeside<R, U> {
    /// Returns a placeholder: without the other hand, this strategy is undefined.
    fn action(&self, _: (Index, &Hand), _: Origin, _: LegalActions, _: Upcard) -> Action {
        Action::Stand
    }

    fn surrenders_doubled(&self, _: (Index, &Hand), _: Origin, _: Upcard) -> bool {
        false
    }

    fn splits(&self, _: &Hand, _: Upcard) -> Option<bool> {
        Some(false)
    }

    fn splits_again(&self, _: &Hand, _: Origin, _: Upcard) -> bool {
        true
    }

    fn takes_even_money(&self) -> Option<bool> {
        Some(false)
    }

    fn beside(&self, other: &Counts) -> Option<&dyn Play> {
        self.0.iter().find(|(cards, _)| cards == other).map(|(_, play)| play as &dyn Play)
    }
}
