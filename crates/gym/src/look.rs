//! What a seat at a compiled table shows its agent.

use crate::cards::Cards;
use crate::core::Core;
use crate::seat::Seat;
use crate::sight::{
    CARDS, COUNT, DOUBLED, FIRST, HANDS, HOLE, LEFT, NOTHING, Numbers, OTHER_FIRST, OTHER_SECOND, PAIR,
    QUESTION, Question, SECOND, SOFT, SPLIT_HAND, TOTAL,
};
use std::hint::select_unpredictable;

impl<C: Cards> Seat<C> {
    /// The numbers of what the agent sees.
    #[inline]
    pub fn write(&self, core: &Core, out: &mut Numbers) {
        let program = &core.tree.program;
        let asked = self.question == Question::Decision;
        // A wager is as likely asked for as a decision, so both take the same way: before the deal all numbers are zero.
        let decision = &core.tree.decisions[usize::from(self.at)].shown;
        let decision = select_unpredictable(asked, decision, &NOTHING);
        *out = self.shows;
        for at in [TOTAL, SOFT, PAIR, SPLIT_HAND, DOUBLED] {
            out[at] = decision[at];
        }
        out[QUESTION] = self.question as i16;
        out[LEFT] = self.cards.left() as i16;
        if let Some(counting) = &core.counting {
            let gone = program.stack.cards - self.cards.left();
            out[COUNT] = counting.count(self.running - self.hidden, gone) as i16;
        }
        if let (Some(hole), true) = (self.hole, core.hole_shown) {
            out[HOLE] = core.value(hole).into();
        }
        let hands = program.hands_per_box;
        if !asked & (self.question as u8 > Question::Wager as u8) {
            self.write_offer(core, out);
        }
        if hands == 2 && self.given == 2 && !self.split_before {
            let other = 1 - usize::from(self.initial.min(1));
            [out[OTHER_FIRST], out[OTHER_SECOND]] =
                self.faces(core, other).map(|face| core.value(face).into());
        }
    }

    /// What is seen while something else than a decision on a hand is asked.
    fn write_offer(&self, core: &Core, out: &mut Numbers) {
        if self.question != Question::Switch {
            out[HANDS] = 1;
            out[CARDS] = self.given.into();
            let cards = [(FIRST, 0), (SECOND, core.tree.program.hands_per_box)];
            for (place, at) in cards.into_iter().take(usize::from(self.given)) {
                out[place] = core.value(self.own[at]).into();
            }
        }
        let (first, second) = (out[FIRST], out[SECOND]);
        let soft = first == 1 || second == 1;
        out[SOFT] = soft.into();
        out[TOTAL] = first + second + if soft { 10 } else { 0 };
        out[PAIR] = if first == second { first } else { 0 };
    }
}
