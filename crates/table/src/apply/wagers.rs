//! Applies bets that are placed or withdrawn, and the closing of betting.

use crate::ids::BoxId;
use crate::round::{HandPlay, Phase, Stakes, SwitchState};
use crate::table::{Streak, Table};
use rules::settle::Stake;
use rules::{Cents, Shoe};

impl Table {
    pub(super) fn side_wagered(&mut self, box_id: BoxId, bettor: u8, bet: rules::SideBet, amount: Cents) {
        let mut person = None;
        self.bettor(box_id, bettor, |b| {
            person = Some(b.person);
            if bet.streak().is_none() {
                b.side[bet as usize] = amount;
            }
        });
        self.round.any_side = true;
        let (Some(person), Some(hands)) = (person, bet.streak()) else {
            return;
        };
        let at = usize::from(hands - 2);
        let known = self.memory.streaks.iter_mut().find(|s| s.person == person && s.box_id == box_id);
        match known {
            Some(streak) => streak.bets[at] = amount,
            None => {
                let mut bets = [Cents::ZERO; 4];
                bets[at] = amount;
                let placed = self.memory.round_number;
                self.memory.streaks.push(Streak { person, box_id, bets, wins: 0, placed });
            }
        }
    }

    /// Removes a bettor's bets from the box, side bets included.
    ///
    /// A streak bet from an earlier round stays; it is abandoned if the player does not bet in the round.
    pub(super) fn withdrawn(&mut self, box_id: BoxId, bettor: usize) {
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let person = self.round.boxes[at].bettors.remove(bettor).person;
        let now = self.memory.round_number;
        self.memory
            .streaks
            .retain(|streak| (streak.person, streak.box_id) != (person, box_id) || streak.placed < now);
        if self.round.boxes[at].bettors.is_empty() {
            self.round.boxes.remove(at);
        }
        self.round.any_side &= !self.round.boxes.is_empty();
    }

    pub(super) fn wagers_closed(&mut self) {
        let per_box = self.rules.hands_per_box();
        let switch = self.text().switch.is_some();
        let face_down = self.text().deal.face_down.is_some();
        self.memory.wagered_boxes.clear();
        // a box that was opened for sharing but has no bet takes no part
        self.round.boxes.retain(|play| !play.bettors.is_empty());
        for play in &mut self.round.boxes {
            self.memory.wagered_boxes.push(play.id);
            play.choose_box_owner();
            play.next_number = per_box as u8 + 1;
            play.marks.face_down = face_down;
            for group in 0..per_box {
                let mut hand = HandPlay::new(group as u8 + 1, group as u8);
                for (at, bettor) in play.bettors.iter().enumerate() {
                    hand.stakes[at] = Stakes::new(Stake::Main, bettor.main);
                }
                play.hands.push(hand);
            }
            if switch {
                play.switch = SwitchState::Offered;
            }
        }
        self.round.phase = if self.needs_opening() { Phase::Abandoned } else { Phase::Deal };
        self.round.step = 1;
        self.round.cursor = 0;
        self.memory.round_number += 1;
    }

    pub(super) fn needs_opening(&self) -> bool {
        !self.rules.side_wagers.is_empty()
            || !self.memory.streaks.is_empty()
            || matches!(self.rules.shoe, Shoe::Double | Shoe::Hand)
    }
}
