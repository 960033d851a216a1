//! Decisions about the cards: preparation, cut, recut, reshuffle, an idle table.

use super::Decided;
use crate::event::Fact;
use crate::ids::{BoxId, Role};
use crate::shoe::{self, Occasion, Procedure};
use crate::table::{Awaiting, Table};
use rules::play::Refusal;
use rules::{Card, Clause};

impl Table {
    pub(super) fn perform(&self, procedure: Procedure) -> Decided {
        let by = self.procedure_by(procedure);
        if self.custody.device_on_table && shoe::is_by_hand(procedure) {
            let by = self.text().irregular.shuffler_removed;
            return self.no(by, "the shuffling device must be removed from the table first");
        }
        if let (Procedure::Cut { .. }, Some(by)) = (procedure, self.not_cut_by()) {
            return self.no(by, "cards that a device has shuffled are not cut");
        }
        let Some(expected) = self.custody.next_procedure() else {
            return self.no(by, "the cards are ready; nothing is to be done with them now");
        };
        let in_time = self.round.step == 0 || (self.ran_out() && self.due().is_none());
        if !in_time || std::mem::discriminant(&expected) != std::mem::discriminant(&procedure) {
            // MA 4(i)(4)#2: not before two riffles
            let by = match procedure {
                Procedure::Strip => self.text().shuffle.strip_early,
                _ => self.procedure_by(expected),
            };
            return self.no(by, "another step comes first");
        }
        match procedure {
            Procedure::Cut { by: None, at } => {
                if let Some(box_id) = self.cut_offered_to() {
                    return self.no(
                        self.text().cut.declined,
                        format!("the cut is to be offered to the player at box {}", box_id.0),
                    );
                }
                self.cut_distance(at)?;
            }
            Procedure::Cut { by: Some(_), .. } => {
                return self.no(by, "a player accepts the cut that is offered");
            }
            Procedure::PlaceCuttingCard { behind } if usize::from(behind) > self.rules.stack_size() => {
                return self.no(by, "there are not so many cards in the stack");
            }
            Procedure::PlaceCuttingCard { behind } if behind < shoe::least_behind(&self.rules) => {
                return self.no(
                    by,
                    format!("at least {} cards must lie behind it", shoe::least_behind(&self.rules)),
                );
            }
            _ => {}
        }
        self.ok(Fact::Performed(procedure), by)
    }

    /// 2.15(f) and counterparts: the discards are being made ready in the middle of a round.
    fn ran_out(&self) -> bool {
        self.custody.occasion == Occasion::OutOfCards
    }

    /// 2A.4(b)1, 26.4(b)1, 36.4(b)1: why the cards are not cut, where a device shuffles them and no cut is to come.
    fn not_cut_by(&self) -> Option<Clause> {
        let cut_next = matches!(self.custody.next_procedure(), Some(Procedure::Cut { .. }));
        self.text().cut.not_after_device.filter(|_| self.custody.device_on_table && !cut_next)
    }

    /// Checks the place of a cut: at least ten cards from either end; one deck in Massachusetts, MA 4(f). 2.5(c),
    /// 2A.4(f), 26.4(e), 36.4(e).
    pub(super) fn cut_distance(&self, at: u16) -> Result<(), Refusal> {
        let by = self.text().cut.by;
        let stack = self.custody.to_cut() as u16;
        let least = self.text().cut.least.min(stack / 2);
        if at < least || at > stack.saturating_sub(least) {
            return self.no(by, format!("the cutting card goes in at least {least} cards from either end"));
        }
        Ok(())
    }

    pub(super) fn accept_cut(&self, box_id: BoxId, at: u16) -> Decided {
        let by = self.not_cut_by().unwrap_or(self.text().cut.order);
        match self.awaiting() {
            Some(Awaiting::Cut(offered)) if offered == box_id => {
                self.cut_distance(at)?;
                let procedure = Procedure::Cut { by: Some(box_id), at };
                self.ok(Fact::Performed(procedure), self.procedure_by(procedure))
            }
            _ => self.no(by, "the cut is not offered to this player now"),
        }
    }

    pub(super) fn decline_cut(&self, box_id: BoxId) -> Decided {
        let by = self.not_cut_by().unwrap_or(self.text().cut.declined);
        match self.awaiting() {
            Some(Awaiting::Cut(offered)) if offered == box_id => self.ok(Fact::CutDeclined(box_id), by),
            _ => self.no(by, "the cut is not offered to this player now"),
        }
    }

    pub(super) fn disclose_burn(&self, card: Card) -> Decided {
        let by = self.text().deal.burn_shown;
        if self.custody.burned.is_none() {
            return self.no(by, "no card has been burned from this shoe");
        }
        match self.custody.burned_face() {
            Some(shown) if shown != card => {
                return self.no(by, format!("the burned card has been shown, and is {shown}"));
            }
            None if !self.custody.may_be_face_down(card) => {
                return self.no(by, format!("all {card} of this stack have been dealt"));
            }
            _ => {}
        }
        self.ok(Fact::BurnDisclosed(card), by)
    }

    pub(super) fn order_reshuffle(&self) -> Decided {
        let by = self.text().shuffle.ordered;
        if self.round.step != 0 || !self.round.boxes.is_empty() {
            return self.no(by, "a reshuffle is ordered after a round of play");
        }
        self.ok(Fact::ReshuffleOrdered, by)
    }

    /// Lets a supervisor order another cut, between the cut and the first card: 2.5(g), 2A.4(g), 26.4(f), 36.4(f).
    pub(super) fn order_recut(&self, role: Role) -> Decided {
        let by = self.text().cut.recut;
        if role != Role::Supervisor {
            return self.no(by, "a casino supervisor orders a recut");
        }
        if (self.round.step != 0 && !self.ran_out()) || !self.custody.may_be_recut {
            return self.no(by, "cards are cut again only after a cut and before any card has been dealt");
        }
        self.ok(Fact::RecutOrdered, by)
    }

    /// Lets a player have the batch from the device spread and shuffled again before it is dealt: 2.5(j)2#3,
    /// 2A.4(i)2#3.
    pub(super) fn ask_reshuffle(&self, box_id: BoxId) -> Decided {
        let idle = &self.text().opening.idle;
        let Some(by) = idle.device.and_then(|device| device.on_request) else {
            return self
                .no(idle.wash, "here the cards of an idle table are washed and shuffled for everybody");
        };
        let here = self.memory.wagered_boxes.contains(&box_id) || self.round.box_at(box_id).is_some();
        if self.round.step != 0 || !self.custody.holds_stored_batch() {
            return self.no(
                by,
                "only a batch that comes out of the device of an idle table, and before it is dealt",
            );
        }
        if !here {
            return self.no(by, format!("nobody has come to box {}", box_id.0));
        }
        self.ok(Fact::BatchAskedFor(box_id), by)
    }

    /// Has the cards spread at an open table without play: 2.5(j), 2A.4(i), 26.4(i), 36.4(h).
    pub(super) fn fall_idle(&self) -> Decided {
        let by = self.text().opening.idle.spread;
        if !self.is_idle() || !self.custody.is_ready() {
            return self.no(by, "a table falls idle between rounds");
        }
        self.ok(Fact::FellIdle, by)
    }
}
