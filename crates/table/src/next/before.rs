//! Determines the next step between rounds: a step of preparing the cards, or the cut.

use crate::event::{Event, Fact};
use crate::ids::{BoxId, CardPlace};
use crate::shoe::{self, Procedure};
use crate::table::{Awaiting, Next, Table};
use rules::Clause;
use rules::choice::RecutBy;

impl Table {
    #[inline(never)]
    pub(super) fn next_before_round(&self) -> Next {
        Next::Await(match self.custody.next_procedure() {
            Some(Procedure::Cut { .. }) => match self.next_cutter() {
                Some(box_id) if self.custody.cut_offered_to != Some(box_id) => {
                    return Next::Due(self.event(Fact::CutOffered(box_id), self.cut_offered_by()));
                }
                Some(box_id) => Awaiting::Cut(box_id),
                None => Awaiting::Procedure(Procedure::Cut { by: None, at: 0 }),
            },
            Some(procedure) => Awaiting::Procedure(procedure),
            None => Awaiting::Wagers,
        })
    }

    /// Returns the clause that requires the cut to be offered to the player whose turn it is to cut.
    ///
    /// See 2.5(e)1-4, (f), (g)#2.
    pub(super) fn cut_offered_by(&self) -> Clause {
        let declined = !self.custody.cut_declined_by.is_empty();
        let cut = &self.text().cut;
        match (self.custody.occasion, self.custody.cut_card_out) {
            _ if self.custody.recut => cut.recut_by,
            _ if declined => cut.offered_to_next,
            (shoe::Occasion::Opening | shoe::Occasion::Idle, _) => cut.first_player,
            (shoe::Occasion::CutCard, Some(CardPlace::Hand(..))) => cut.at_player,
            (shoe::Occasion::CutCard, _) => cut.at_dealer,
            _ => cut.after_ordered_shuffle,
        }
    }

    pub(crate) fn procedure_by(&self, procedure: Procedure) -> Clause {
        if procedure == Procedure::Burn && self.custody.burned.is_some() {
            return self.text().deal.burn_again;
        }
        shoe::procedure_by(&self.rules, self.custody.occasion, self.custody.device_on_table, procedure)
    }

    /// Returns the event that puts a box's cards under its winning bonus bet, or `None` if none is due (2.20(e)2).
    pub(super) fn next_cards_tucked(&self) -> Option<Next> {
        if !self.round.any_side {
            return None;
        }
        let won = self.round.boxes.iter().find(|play| {
            !play.marks.under_bonus_bet && play.bettors.iter().any(|bettor| self.has_open_bonus_bet(bettor))
        })?;
        Some(Next::Due(self.event(Fact::CardsTucked(won.id), self.text().button()?.cards_under_bet)))
    }

    /// Returns the box whose player may cut now, or `None` when the dealer cuts the cards.
    ///
    /// See 2.5(e)-(f), 2A.4(d)-(e), 26.4(c)-(d), 36.4(c)-(d).
    pub(crate) fn next_cutter(&self) -> Option<BoxId> {
        if shoe::dealer_cuts(&self.rules) {
            return None;
        }
        let boxes = &self.memory.wagered_boxes;
        let first = match (self.custody.occasion, self.custody.cut_card_out) {
            (shoe::Occasion::Opening | shoe::Occasion::Idle, _) => self.memory.first_player?,
            (shoe::Occasion::CutCard, Some(CardPlace::Hand(box_id, _))) => box_id,
            _ => *boxes.iter().max()?,
        };
        // clockwise is from the dealer's left to the right, wrapping (A25); counterclockwise in Massachusetts
        let clockwise = self.text().cut.clockwise;
        let mut order: Vec<BoxId> = boxes.clone();
        order.sort();
        if !order.contains(&first) {
            order.push(first);
            order.sort();
        }
        // 2.5(g)#2: the last cutter makes the recut, or the next player in line
        if self.custody.recut {
            let last = self.custody.last_cutter;
            if self.rules.recut_by == RecutBy::LastCutter {
                return last.filter(|box_id| !self.custody.cut_declined_by.contains(box_id));
            }
        }
        let at = order.iter().position(|&box_id| box_id == first)?;
        order.rotate_left(at);
        if !clockwise {
            order[1..].reverse();
        }
        let skipped = self.custody.last_cutter.filter(|_| self.custody.recut);
        // 26.4(d), 36.4(d) name one player; if that player refuses, others may be asked (A20)
        order
            .into_iter()
            .find(|box_id| !self.custody.cut_declined_by.contains(box_id) && Some(*box_id) != skipped)
    }

    /// Returns the event for the next step of preparing the cards, or `None` if the cards are ready.
    ///
    /// No player is asked: the dealer cuts, and the cut card goes to its usual place.
    pub(crate) fn preparation(&self) -> Option<Event> {
        let procedure = match self.custody.next_procedure()? {
            Procedure::Cut { .. } => Procedure::Cut { by: None, at: (self.custody.to_cut() / 2) as u16 },
            Procedure::PlaceCutCard { .. } => Procedure::PlaceCutCard { behind: self.cards_behind() },
            other => other,
        };
        let by = match procedure {
            Procedure::Cut { .. } => self.text().cut.by,
            _ => self.procedure_by(procedure),
        };
        Some(self.event(Fact::Performed(procedure), by))
    }

    pub(crate) fn cards_behind(&self) -> u16 {
        let wanted = self.rules.cut_behind.of(self.rules.stack_size());
        (wanted as u16).max(shoe::least_behind(&self.rules))
    }
}
