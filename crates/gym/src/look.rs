//! What a seat at a compiled table shows its agent.

use crate::cards::Cards;
use crate::core::{Core, Seat};
use crate::sight::{FEATURES, Question, Sight};

impl<C: Cards> Seat<C> {
    /// What the agent sees.
    #[inline]
    pub fn sight(&self, core: &Core) -> Sight {
        let program = &core.tree.program;
        let asked = self.question == Question::Decision;
        let mut sight =
            if asked { core.tree.decisions[usize::from(self.at)].sight } else { Sight::default() };
        sight.question = self.question;
        sight.stake = self.stake;
        sight.left = self.cards.left() as u16;
        if let Some(counting) = &core.counting {
            let gone = program.stack.cards - self.cards.left();
            sight.count = counting.count(self.running - self.hidden, gone) as i8;
        }
        if self.question as u8 <= Question::Wager as u8 {
            return sight;
        }
        sight.up = if self.up == u8::MAX { 0 } else { core.value(self.up) };
        if let (Some(hole), true) = (self.hole, core.hole_shown) {
            sight.hole = core.value(hole);
        }
        sight.attacks = self.attacks;
        sight.insured = self.insured;
        sight.hand = self.hand;
        let hands = program.hands_per_box;
        if asked || self.question == Question::Switch {
            sight.cards = self.drawn;
            sight.own = self.two;
            sight.hands = self.made;
        } else {
            sight.hands = 1;
            sight.cards = self.given;
            for (place, at) in [0, hands].into_iter().enumerate().take(usize::from(self.given)) {
                sight.own[place] = core.value(self.own[at]);
            }
        }
        if !asked {
            let [first, second] = sight.own;
            sight.soft = first == 1 || second == 1;
            sight.total = first + second + if sight.soft { 10 } else { 0 };
            sight.pair = if first == second { first } else { 0 };
        }
        if hands == 2 && self.given == 2 && !self.split_before {
            let other = 1 - usize::from(self.initial.min(1));
            sight.other = self.faces(core, other).map(|face| core.value(face));
        }
        sight
    }

    /// The numbers of what the agent sees.
    #[inline]
    pub fn write(&self, core: &Core, out: &mut [i16]) {
        out[..FEATURES.len()].copy_from_slice(&self.sight(core).numbers());
    }
}
