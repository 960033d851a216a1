//! Decides on commands about the cards: preparation, cut, recut, reshuffle, an idle table.

use super::{Decided, card_used_up};
use crate::event::Fact;
use crate::ids::{BoxId, Role};
use crate::shoe::{self, Occasion, Procedure};
use crate::table::{Awaiting, Table};
use rules::play::Refusal;
use rules::{Card, Clause, message};

impl Table {
    pub(super) fn perform(&self, procedure: Procedure) -> Decided {
        let by = self.procedure_by(procedure);
        if self.custody.device_on_table && shoe::is_by_hand(procedure) {
            let by = self.text().irregular.shuffler_removed;
            return self.no(
                by,
                message!("device-on-table", "the shuffling device must be removed from the table first"),
            );
        }
        if let (Procedure::Cut { .. }, Some(by)) = (procedure, self.not_cut_by()) {
            return self.no(by, message!("no-cut-after-device", "cards shuffled by a device may not be cut"));
        }
        let Some(expected) = self.custody.next_procedure() else {
            return self.no(by, message!("cards-ready", "the cards are ready; no step is due"));
        };
        let in_time = self.round.step == 0 || (self.ran_out() && self.due().is_none());
        if !in_time || std::mem::discriminant(&expected) != std::mem::discriminant(&procedure) {
            // MA 4(i)(4)#2: no strip before two riffles
            let by = match procedure {
                Procedure::Strip => self.text().shuffle.strip_early,
                _ => self.procedure_by(expected),
            };
            return self.no(by, message!("other-step-first", "another step is due first"));
        }
        match procedure {
            Procedure::Cut { by: None, at } => {
                if let Some(box_id) = self.next_cutter() {
                    return self.no(
                        self.text().cut.declined,
                        message!(
                            "offer-the-cut",
                            "offer the cut to the player at box {position} first",
                            position = box_id.0
                        ),
                    );
                }
                self.check_cut_distance(at)?;
            }
            Procedure::Cut { by: Some(_), .. } => {
                return self.no(by, message!("player-accepts-cut", "the cut must be offered first"));
            }
            Procedure::PlaceCutCard { behind } if usize::from(behind) > self.rules.stack_size() => {
                return self.no(by, message!("stack-too-small", "the stack does not have that many cards"));
            }
            Procedure::PlaceCutCard { behind } if behind < shoe::least_behind(&self.rules) => {
                return self.no(
                    by,
                    message!(
                        "cutting-card-place",
                        "at least {least} cards must lie behind the cut card",
                        least = shoe::least_behind(&self.rules)
                    ),
                );
            }
            _ => {}
        }
        self.ok(Fact::Performed(procedure), by)
    }

    /// Returns whether the cards ran out and the discards are being shuffled, mid-round (2.15(f) and
    /// counterparts).
    fn ran_out(&self) -> bool {
        self.custody.occasion == Occasion::OutOfCards
    }

    /// Returns the clause that forbids cutting device-shuffled cards, or `None` if a cut is allowed or pending.
    ///
    /// See 2A.4(b)1, 26.4(b)1, 36.4(b)1.
    fn not_cut_by(&self) -> Option<Clause> {
        let cut_next = matches!(self.custody.next_procedure(), Some(Procedure::Cut { .. }));
        self.text().cut.not_after_device.filter(|_| self.custody.device_on_table && !cut_next)
    }

    /// Refuses a cut that is too close to either end of the stack.
    ///
    /// Each end must keep at least ten cards (2.5(c), 2A.4(f), 26.4(e), 36.4(e)), or one deck in Massachusetts
    /// (MA 4(f)).
    pub(super) fn check_cut_distance(&self, at: u16) -> Result<(), Refusal> {
        let by = self.text().cut.by;
        let stack = self.custody.to_cut() as u16;
        let least = self.text().cut.least.min(stack / 2);
        if at < least || at > stack.saturating_sub(least) {
            return self.no(
                by,
                message!(
                    "cut-too-near-end",
                    "the cut card must go in at least {least} cards from either end",
                    least
                ),
            );
        }
        Ok(())
    }

    pub(super) fn accept_cut(&self, box_id: BoxId, at: u16) -> Decided {
        let by = self.not_cut_by().unwrap_or(self.text().cut.order);
        match self.awaiting() {
            Some(Awaiting::Cut(offered)) if offered == box_id => {
                self.check_cut_distance(at)?;
                let procedure = Procedure::Cut { by: Some(box_id), at };
                self.ok(Fact::Performed(procedure), self.procedure_by(procedure))
            }
            _ => self.no(by, message!("cut-not-offered", "the cut is not offered to this player now")),
        }
    }

    pub(super) fn decline_cut(&self, box_id: BoxId) -> Decided {
        let by = self.not_cut_by().unwrap_or(self.text().cut.declined);
        match self.awaiting() {
            Some(Awaiting::Cut(offered)) if offered == box_id => self.ok(Fact::CutDeclined(box_id), by),
            _ => self.no(by, message!("cut-not-offered", "the cut is not offered to this player now")),
        }
    }

    pub(super) fn disclose_burn(&self, card: Card) -> Decided {
        let by = self.text().deal.burn_shown;
        if self.custody.burned.is_none() {
            return self.no(by, message!("no-burn-card", "no card has been burned from this shoe"));
        }
        match self.custody.burned_face() {
            Some(shown) if shown != card => {
                return self.no(
                    by,
                    message!(
                        "burn-card-shown",
                        "the burned card has already been shown: it is the {card}",
                        card = shown
                    ),
                );
            }
            None if !self.custody.may_be_face_down(card) => {
                return self.no(by, card_used_up(card));
            }
            _ => {}
        }
        self.ok(Fact::BurnDisclosed(card), by)
    }

    pub(super) fn order_reshuffle(&self) -> Decided {
        let by = self.text().shuffle.ordered;
        if self.round.step != 0 || !self.round.boxes.is_empty() {
            return self.no(
                by,
                message!("reshuffle-after-round", "a reshuffle can be ordered only after a round of play"),
            );
        }
        self.ok(Fact::ReshuffleOrdered, by)
    }

    /// Decides on a supervisor's order to cut the cards again, between the cut and the first card.
    ///
    /// See 2.5(g), 2A.4(g), 26.4(f), 36.4(f).
    pub(super) fn order_recut(&self, role: Role) -> Decided {
        let by = self.text().cut.recut;
        if role != Role::Supervisor {
            return self
                .no(by, message!("recut-needs-supervisor", "only a casino supervisor can order a recut"));
        }
        if (self.round.step != 0 && !self.ran_out()) || !self.custody.may_be_recut {
            return self.no(
                by,
                message!(
                    "recut-too-late",
                    "cards are cut again only after a cut and before any card has been dealt"
                ),
            );
        }
        self.ok(Fact::RecutOrdered, by)
    }

    /// Decides on a player's request that the device's batch be spread and shuffled again.
    ///
    /// See 2.5(j)2#3, 2A.4(i)2#3.
    pub(super) fn ask_reshuffle(&self, box_id: BoxId) -> Decided {
        let opening = &self.text().opening;
        let Some(by) = opening.idle.and_then(|idle| idle.device?.on_request) else {
            let wash = opening.idle.map_or(opening.wash, |idle| idle.wash);
            return self.no(
                wash,
                message!(
                    "no-player-reshuffle",
                    "a player cannot ask for a reshuffle here: after this table was idle, its cards are washed and \
                        shuffled for everyone"
                ),
            );
        };
        let here = self.memory.wagered_boxes.contains(&box_id) || self.round.box_at(box_id).is_some();
        if self.round.step != 0 || !self.custody.holds_stored_batch() {
            return self.no(
                by,
                message!(
                    "stored-batch-only",
                    "a player can ask for a reshuffle only after the table was idle, and only before a batch from the \
                        shuffling device is dealt"
                ),
            );
        }
        if !here {
            return self.no(
                by,
                message!("nobody-at-box", "no player has arrived at box {position}", position = box_id.0),
            );
        }
        self.ok(Fact::BatchAskedFor(box_id), by)
    }

    /// Decides whether the table becomes idle. The cards of an idle table are then spread.
    ///
    /// See 2.5(j), 2A.4(i), 26.4(i), 36.4(h).
    pub(super) fn fall_idle(&self) -> Decided {
        let Some(by) = self.text().opening.idle.map(|idle| idle.spread) else {
            return self.no(
                self.text().opening.inspect,
                message!("no-idle-procedure", "the regulation has no procedure for an idle table"),
            );
        };
        if !self.is_idle() || !self.custody.is_ready() {
            return self
                .no(by, message!("idle-between-rounds", "a table can only become idle between rounds"));
        }
        self.ok(Fact::FellIdle, by)
    }
}
