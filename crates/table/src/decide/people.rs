//! Decisions about people and wagers: seats, sharing, entry, limits.

use super::Decided;
use crate::event::Fact;
use crate::ids::{Bettor, BoxId, Person};
use crate::round::BoxPlay;
use crate::table::{Awaiting, Table};
use rules::play::Refusal;
use rules::{Cents, SideBet, clause, limit};

impl Table {
    pub(super) fn sit(&self, box_id: BoxId, person: Person) -> Decided {
        let by = self.text().opening.spread;
        if box_id.0 == 0 || box_id.0 > self.rules.positions {
            return self.no(by, format!("this table has boxes 1 to {}", self.rules.positions));
        }
        self.ok(Fact::Seated { box_id, person }, by)
    }

    pub(super) fn wagers_open(&self) -> Result<(), Refusal> {
        let by = self.text().wagers.closed;
        match self.awaiting() {
            Some(Awaiting::Wagers) => Ok(()),
            Some(Awaiting::Procedure(_) | Awaiting::Cut(_)) => self.no(by, "the cards are being prepared"),
            _ => self.no(by, "no wager may be made, increased or withdrawn after the first card"),
        }
    }

    pub(super) fn consent(&self, box_id: BoxId) -> Decided {
        self.wagers_open()?;
        let by = self.text().sharing.by;
        if self.round.box_at(box_id).is_none() {
            return self.no(by, "nobody has a wager on the box who could consent");
        }
        self.ok(Fact::Consented(box_id), by)
    }

    pub(super) fn wager(&self, box_id: BoxId, person: Person, seated: bool, amounts: [Cents; 3]) -> Decided {
        self.wagers_open()?;
        let by = self.text().wagers.required;
        if box_id.0 == 0 || box_id.0 > self.rules.positions {
            return self.no(by, format!("this table has boxes 1 to {}", self.rules.positions));
        }
        self.may_enter(person)?;
        self.may_take_box(box_id, person)?;
        if seated {
            self.may_sit(box_id)?;
        }
        self.amounts(amounts)?;
        self.ok(Fact::Wagered { box_id, person, seated, amounts }, by)
    }

    /// Checks whether a person who sat out a round since the shuffle may enter: 2.3(i), 2A.5(h), 26.5(h), 36.5(h).
    pub(super) fn may_enter(&self, person: Person) -> Result<(), Refusal> {
        let barred = !self.rules.mid_shoe_entry.is_yes()
            && self.memory.rounds_since_shuffle > 0
            && !self.memory.wagered_last.contains(&person)
            && !self.memory.admitted.contains(&person);
        if barred {
            return self
                .no(self.text().wagers.entry, "who sat a round out may not wager until the next shuffle");
        }
        Ok(())
    }

    /// Checks how many people share a box, and on how many boxes a person wagers: 2.13(a), 2.14 and counterparts.
    pub(super) fn may_take_box(&self, box_id: BoxId, person: Person) -> Result<(), Refusal> {
        let holds = |play: &&BoxPlay| play.bettors.iter().any(|bettor| bettor.person == person);
        if let Some(at) = self.round.box_at(box_id) {
            let play = &self.round.boxes[at];
            if holds(&play) {
                return self.no(self.text().wagers.required, "this player has a wager on the box already");
            }
            if play.bettors.len() >= usize::from(self.rules.bettors_per_box) {
                let most = self.rules.bettors_per_box;
                return self.no(self.text().sharing.by, format!("at most {most} may wager on one box here"));
            }
            if !play.bettors.is_empty() && !play.consent {
                let by = self.text().sharing.consent;
                return self.no(by, "the first person wagering on the box has not consented");
            }
            self.may_share(play)?;
        }
        let boxes = self.round.boxes.iter().filter(holds).count();
        if boxes >= usize::from(self.rules.boxes_per_player) {
            let by = self.text().sharing.boxes;
            return self.no(
                by,
                match self.rules.boxes_per_player {
                    1 => "each player may bet on only one box at this table".to_owned(),
                    most => format!("a player may wager on at most {most} boxes here"),
                },
            );
        }
        Ok(())
    }

    /// 2.13(b), 2A.13(b), 26.13(b), 36.12(b): one player is seated at a box.
    fn may_sit(&self, box_id: BoxId) -> Result<(), Refusal> {
        let play = self.round.box_at(box_id).map(|at| &self.round.boxes[at]);
        let taken = play.is_some_and(|play| play.bettors.iter().any(|bettor| bettor.seated));
        if taken {
            let by = self.text().sharing.caller;
            return self.no(by, "another player is seated at the box, and decides there alone");
        }
        Ok(())
    }

    /// 2.13(g)#2, 2A.13(f), 26.13(h), 36.12(h): how many boxes may be shared at a time.
    fn may_share(&self, play: &BoxPlay) -> Result<(), Refusal> {
        let shared = self.round.boxes.iter().filter(|play| play.bettors.len() > 1).count();
        match self.rules.shared_boxes {
            Some(most) if play.bettors.len() == 1 && shared >= usize::from(most) => self
                .no(self.text().sharing.limited, format!("at most {most} box(es) are shared at this table")),
            _ => Ok(()),
        }
    }

    /// Checks the required wagers: one; in multiple action two or three, equal or not, 2.18(b).
    pub(super) fn amounts(&self, amounts: [Cents; 3]) -> Result<(), Refusal> {
        if self.rules.spots() == 1 {
            if amounts[1] != Cents::ZERO || amounts[2] != Cents::ZERO {
                let by = self.text().wagers.required;
                return self.no(by, self.text().wagers.one_amount);
            }
            return limit::required_wager(&self.rules, amounts[0]);
        }
        // 2.18(a)-(b): two or three wagers, on whichever spots
        let made = || amounts.iter().filter(|&&amount| amount != Cents::ZERO);
        if made().count() < usize::from(self.rules.multiple_action_required) {
            let by = match self.rules.multiple_action_required {
                3 => clause!("19:47-2.18(b)#2"),
                _ => clause!("19:47-2.18(b)"),
            };
            return self
                .no(by, format!("at least {} wagers must be made", self.rules.multiple_action_required));
        }
        made().try_for_each(|&amount| limit::required_wager(&self.rules, amount))
    }

    pub(super) fn side_wager(&self, box_id: BoxId, person: Person, bet: SideBet, amount: Cents) -> Decided {
        self.wagers_open()?;
        let (by, beside_main) = match self.text().side(bet.wager()) {
            Some(side) => (side.by, side.beside_main),
            None => [(self.text().sides.refused)(bet.wager()); 2].into(),
        };
        let found = self.round.box_at(box_id).and_then(|at| {
            let play = &self.round.boxes[at];
            play.bettors.iter().position(|bettor| bettor.person == person).map(|bettor| (play, bettor))
        });
        let Some((play, at)) = found else {
            return self.no(beside_main, "a side wager needs a main wager on the same box");
        };
        let bettor = &play.bettors[at];
        let smallest =
            bettor.main.iter().copied().filter(|&amount| amount > Cents::ZERO).min().unwrap_or(Cents::ZERO);
        limit::side_wager(&self.rules, bet, amount, smallest)?;
        if bettor.side(bet) > Cents::ZERO {
            return self.no(by, "this side wager has been made already");
        }
        match bet {
            // Q9: a player picks one side
            SideBet::Over13 | SideBet::Under13
                if bettor.side(SideBet::Over13) > Cents::ZERO
                    || bettor.side(SideBet::Under13) > Cents::ZERO =>
            {
                return self.no(clause!("19:47-2.17(a)"), "over and under 13 are one wager; pick one side");
            }
            // 2.15(n)
            SideBet::Progressive if self.memory.lights_out & (1 << box_id.0.min(31)) != 0 => {
                return self.no(clause!("19:47-2.15(n)"), "the light of this betting area does not work");
            }
            _ => {}
        }
        if bet.streak().is_some()
            && let Some(streak) = self.streak_of(person, box_id)
        {
            // 2.22(k)1: several streak wagers are placed at the same time
            let placed_now = streak.placed == self.memory.round_number;
            let again = streak.bets[usize::from(bet.streak().unwrap_or(2) - 2)] > Cents::ZERO;
            if again || !placed_now {
                return self.no(clause!("19:47-2.22(k)2"), "earlier streak wagers must be decided first");
            }
        }
        self.ok(Fact::SideWagered { box_id, bettor: Bettor(at as u8), bet, amount }, by)
    }

    /// Checks that this bettor calls the decisions on the cards of a box: 2.13(b) and counterparts.
    ///
    /// Commands that name no bettor are the caller's; who passes them on asks here first.
    pub fn may_call(&self, box_id: BoxId, bettor: Bettor) -> Result<(), Refusal> {
        let play = self.round.box_at(box_id).map(|at| &self.round.boxes[at]);
        match play {
            Some(play) if play.caller != bettor.0 => {
                let by = self.text().sharing.caller;
                self.no(by, "the player who calls the decisions decides for the box")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn withdraw(&self, box_id: BoxId, person: Person) -> Decided {
        self.wagers_open()?;
        let by = self.text().wagers.closed;
        let bettor = self
            .round
            .box_at(box_id)
            .and_then(|at| self.round.boxes[at].bettors.iter().position(|bettor| bettor.person == person));
        match bettor {
            Some(bettor) => self.ok(Fact::Withdrawn { box_id, bettor: Bettor(bettor as u8) }, by),
            None => self.no(by, "this player has no wager on the box"),
        }
    }

    pub(super) fn close_wagers(&self) -> Decided {
        self.wagers_open()?;
        let by = self.text().wagers.closed;
        if self.round.boxes.iter().all(|play| play.bettors.is_empty()) {
            return self.no(self.text().wagers.required, "no wager has been placed");
        }
        self.ok(Fact::WagersClosed, by)
    }
}
