//! Writes the observation of a seat at a compiled table.

use crate::cards::Cards;
use crate::core::Core;
use crate::observation::{
    CARDS, COUNT, DOUBLED, FIRST, HANDS, HOLE, LEFT, Numbers, OTHER_FIRST, OTHER_SECOND, PAIR, Question,
    SECOND, SOFT, SPLIT_HAND, SuitNumbers, TOTAL, UP,
};
use crate::seat::Seat;

impl<C: Cards> Seat<C> {
    /// Writes the seat's observation into `out`.
    #[inline]
    pub fn write(&self, core: &Core, out: &mut Numbers) {
        *out = self.shows;
        let left = self.cards.left();
        out[LEFT] = left as i16;
        if let Some(counting) = &core.counting {
            let gone = core.tree.program.stack.cards - left;
            out[COUNT] = counting.count(self.running - self.hidden, gone) as i16;
        }
    }

    /// Writes the suits of the cards that the seat's observation shows into `out`.
    pub fn write_suits(&self, core: &Core, out: &mut SuitNumbers) {
        let [first, second] = self.first_two(core);
        let hole = self.hole().unwrap_or(self.second());
        let cards = [(FIRST, first), (SECOND, second), (UP, self.up()), (HOLE, hole)];
        *out = cards.map(|(at, face)| if self.shows[at] == 0 { 0 } else { core.face(face).suit.into() });
    }

    /// Writes the dealer's face-up cards into the observation.
    #[inline]
    pub(crate) fn show_dealer(&mut self, core: &Core) {
        self.shows[UP] = core.value(self.up()).into();
        if core.hole_shown {
            self.shows[HOLE] = self.hole().map_or(0, |hole| core.value(hole).into());
        }
    }

    /// Writes a hand of two cards into the observation.
    ///
    /// `first` and `second` are the cards' point values; zero stands for a card that is not dealt yet.
    #[inline]
    pub(crate) fn show_two(&mut self, first: u8, second: u8) {
        self.shows[CARDS] = 2;
        (self.shows[FIRST], self.shows[SECOND]) = (first.into(), second.into());
        let soft = first == 1 || second == 1;
        self.shows[SOFT] = soft.into();
        self.shows[TOTAL] = i16::from(first) + i16::from(second) + if soft { 10 } else { 0 };
        self.shows[PAIR] = if first == second { first.into() } else { 0 };
        self.shows[DOUBLED] = 0;
    }

    /// Adds a card with the point value `value` to the observation of the hand in play.
    #[inline]
    pub(crate) fn show_drawn(&mut self, value: u8) {
        self.shows[CARDS] += 1;
        self.shows[PAIR] = 0;
        let mut total = self.shows[TOTAL] + i16::from(value);
        if value == 1 && self.shows[SOFT] == 0 && total <= 11 {
            (total, self.shows[SOFT]) = (total + 10, 1);
        } else if total > 21 && self.shows[SOFT] == 1 {
            (total, self.shows[SOFT]) = (total - 10, 0);
        }
        self.shows[TOTAL] = total;
    }

    /// Copies the total, the pair, and the soft, split and doubled flags of `hand` into the observation.
    #[inline]
    pub(crate) fn show_hand(&mut self, hand: &Numbers) {
        for at in [TOTAL, SOFT, PAIR, SPLIT_HAND, DOUBLED] {
            self.shows[at] = hand[at];
        }
    }

    /// Writes the first two cards of a Switch box's other hand into the observation.
    ///
    /// Writes zeros if an earlier hand of the box was split.
    #[inline]
    pub(crate) fn show_other(&mut self, core: &Core) {
        if core.tree.program.hands_per_box == 2 && self.given == 2 {
            let other = self.faces(core, usize::from(self.initial ^ 1)).map(|face| core.value(face).into());
            [self.shows[OTHER_FIRST], self.shows[OTHER_SECOND]] =
                if self.split_before { [0; 2] } else { other };
        }
    }

    /// Writes the observation for an offer, that is, a question other than a decision on a hand.
    pub(crate) fn show_offer(&mut self, core: &Core) {
        if self.question != Question::Switch {
            let hands = core.tree.program.hands_per_box;
            let value = |at: usize, given: u8| if self.given < given { 0 } else { core.value(self.own(at)) };
            let (first, second) = (value(0, 1), value(hands, 2));
            self.show_two(first, second);
            self.shows[HANDS] = 1;
            self.shows[CARDS] = self.given.into();
            self.show_other(core);
        }
    }
}
