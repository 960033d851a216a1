//! Decides on commands about people and bets: seats, sharing, entry, limits.

use super::Decided;
use crate::event::Fact;
use crate::ids::{Bettor, BoxId, Person};
use crate::round::BoxPlay;
use crate::table::{Awaiting, Table};
use rules::play::Refusal;
use rules::wager::Prize;
use rules::{Cents, SideBet, limit, message};

impl Table {
    pub(super) fn sit(&self, box_id: BoxId, person: Person) -> Decided {
        let by = self.text().opening.spread;
        if box_id.0 == 0 || box_id.0 > self.rules.positions {
            return self.no(
                by,
                message!("no-such-box", "this table has boxes 1 to {most}", most = self.rules.positions),
            );
        }
        self.ok(Fact::Seated { box_id, person }, by)
    }

    pub(super) fn check_wagers_open(&self) -> Result<(), Refusal> {
        let by = self.text().wagers.closed;
        match self.awaiting() {
            Some(Awaiting::Wagers) => Ok(()),
            Some(Awaiting::Procedure(_) | Awaiting::Cut(_)) => {
                self.no(by, message!("cards-being-prepared", "the cards are being prepared"))
            }
            _ => self.no(
                by,
                message!("bets-closed", "bets cannot be placed, raised or withdrawn after the first card"),
            ),
        }
    }

    pub(super) fn consent(&self, box_id: BoxId) -> Decided {
        self.check_wagers_open()?;
        let by = self.text().sharing.by;
        if self.round.box_at(box_id).is_none() {
            return self.no(by, message!("nobody-to-consent", "no bettor on the box can consent"));
        }
        self.ok(Fact::Consented(box_id), by)
    }

    pub(super) fn wager(&self, box_id: BoxId, person: Person, seated: bool, amounts: [Cents; 3]) -> Decided {
        self.check_wagers_open()?;
        let by = self.text().wagers.required;
        if box_id.0 == 0 || box_id.0 > self.rules.positions {
            return self.no(
                by,
                message!("no-such-box", "this table has boxes 1 to {most}", most = self.rules.positions),
            );
        }
        self.check_may_enter(person)?;
        self.check_may_take_box(box_id, person)?;
        if seated {
            self.check_may_sit(box_id)?;
        }
        self.check_amounts(amounts)?;
        self.ok(Fact::Wagered { box_id, person, seated, amounts }, by)
    }

    /// Decides whether to admit a person who may not bet, because the person did not bet in the last round.
    ///
    /// An admitted person may bet again: 2.3(i), 2A.5(h), 26.5(h), 36.5(h).
    pub(super) fn admit(&self, person: Person) -> Decided {
        let by = self.text().wagers.admission;
        if self.round.step == 0 && !self.bars(person) {
            return self.no(
                by,
                message!("not-barred", "this player may already bet; only a barred player can be admitted"),
            );
        }
        self.between_rounds(Fact::Admitted(person), by)
    }

    /// Returns whether the person may not bet until the next shuffle, because the table forbids mid-shoe entry.
    ///
    /// Concerns everybody who did not bet in the last round since the shuffle and was not admitted.
    pub(crate) fn bars(&self, person: Person) -> bool {
        !self.rules.mid_shoe_entry.is_yes()
            && self.memory.rounds_since_shuffle > 0
            && !self.memory.wagered_last.contains(&person)
            && !self.memory.admitted.contains(&person)
    }

    /// Refuses a person who may not bet until the next shuffle ([`Table::bars`]).
    ///
    /// See 2.3(i), 2A.5(h), 26.5(h), 36.5(h).
    pub(super) fn check_may_enter(&self, person: Person) -> Result<(), Refusal> {
        if self.bars(person) {
            return self.no(
                self.text().wagers.entry,
                message!(
                    "no-mid-shoe-entry",
                    "a player who sat out a round may not bet until the next shuffle"
                ),
            );
        }
        Ok(())
    }

    /// Refuses a bettor who may not join the box.
    ///
    /// The box may be full or not shared, or the person may bet on too many boxes. See 2.13(a), 2.14 and counterparts.
    pub(super) fn check_may_take_box(&self, box_id: BoxId, person: Person) -> Result<(), Refusal> {
        let holds = |play: &&BoxPlay| play.bettors.iter().any(|bettor| bettor.person == person);
        if let Some(at) = self.round.box_at(box_id) {
            let play = &self.round.boxes[at];
            if holds(&play) {
                return self.no(
                    self.text().wagers.required,
                    message!("already-on-box", "this player already has a bet on the box"),
                );
            }
            if play.bettors.len() >= usize::from(self.rules.bettors_per_box) {
                let most = self.rules.bettors_per_box;
                return self.no(
                    self.text().sharing.by,
                    message!("box-full", "at most {most} may bet on one box here", most),
                );
            }
            if !play.bettors.is_empty() && !play.consent {
                let by = self.text().sharing.consent;
                return self
                    .no(by, message!("no-consent", "the first person betting on the box has not consented"));
            }
            self.check_may_share(play)?;
        }
        let boxes = self.round.boxes.iter().filter(holds).count();
        if boxes >= usize::from(self.rules.boxes_per_player) {
            let by = self.text().sharing.boxes;
            return self.no::<()>(
                by,
                match self.rules.boxes_per_player {
                    1 => message!("one-box-each", "each player may bet on only one box at this table").into(),
                    most => {
                        message!("boxes-limit", "a player may bet on at most {most} boxes here", most)
                    }
                },
            );
        }
        Ok(())
    }

    /// Refuses a seat at a box where another player is seated (2.13(b), 2A.13(b), 26.13(b), 36.12(b)).
    fn check_may_sit(&self, box_id: BoxId) -> Result<(), Refusal> {
        let play = self.round.box_at(box_id).map(|at| &self.round.boxes[at]);
        let taken = play.is_some_and(|play| play.bettors.iter().any(|bettor| bettor.seated));
        if taken {
            let by = self.text().sharing.box_owner;
            return self.no(
                by,
                message!("seat-taken", "another player is seated at this box and alone decides its hands"),
            );
        }
        Ok(())
    }

    /// Refuses to share a box if the table's limit on shared boxes is already reached.
    ///
    /// See 2.13(g)#2, 2A.13(f), 26.13(h), 36.12(h).
    fn check_may_share(&self, play: &BoxPlay) -> Result<(), Refusal> {
        let shared = self.round.boxes.iter().filter(|play| play.bettors.len() > 1).count();
        match self.rules.shared_boxes {
            Some(most) if play.bettors.len() == 1 && shared >= usize::from(most) => self.no(
                self.text().sharing.limited,
                message!("shared-boxes-limit", "shared boxes are limited to {most} at this table", most),
            ),
            _ => Ok(()),
        }
    }

    /// Refuses required bets that are wrong in number or amount.
    ///
    /// Multiple action requires two or three bets, equal or not (2.18(b)); other games require one.
    pub(super) fn check_amounts(&self, amounts: [Cents; 3]) -> Result<(), Refusal> {
        if self.rules.dealer_hands() == 1 {
            if amounts[1] != Cents::ZERO || amounts[2] != Cents::ZERO {
                let by = self.text().wagers.required;
                return self.no(by, self.text().wagers.one_amount);
            }
            return limit::required_wager(&self.rules, amounts[0]);
        }
        // 2.18(a)-(b): two or three bets, on whichever spots
        let made = || amounts.iter().filter(|&&amount| amount != Cents::ZERO);
        if made().count() < usize::from(self.rules.multiple_action_required) {
            let wagers = &self.text().wagers;
            let all = wagers.several.filter(|_| self.rules.multiple_action_required == 3);
            let by = all.map_or(wagers.required, |several| several.all);
            return self.no(
                by,
                message!(
                    "too-few-bets",
                    "place at least {least} bets",
                    least = self.rules.multiple_action_required
                ),
            );
        }
        made().try_for_each(|&amount| limit::required_wager(&self.rules, amount))
    }

    pub(super) fn side_wager(&self, box_id: BoxId, person: Person, bet: SideBet, amount: Cents) -> Decided {
        self.check_wagers_open()?;
        let (by, beside_main) = match self.text().side(bet.wager()) {
            Some(side) => (side.by, side.beside_main),
            None => [(self.text().sides.refused)(bet.wager()); 2].into(),
        };
        let found = self.round.box_at(box_id).and_then(|at| {
            let play = &self.round.boxes[at];
            play.bettors.iter().position(|bettor| bettor.person == person).map(|bettor| (play, bettor))
        });
        let Some((play, at)) = found else {
            return self.no(
                beside_main,
                message!("side-bet-needs-main", "a side bet needs a main bet on the same box"),
            );
        };
        let bettor = &play.bettors[at];
        let smallest =
            bettor.main.iter().copied().filter(|&amount| amount > Cents::ZERO).min().unwrap_or(Cents::ZERO);
        limit::side_wager(&self.rules, bet, amount, smallest)?;
        if bettor.side(bet) > Cents::ZERO {
            return self.no(by, message!("side-bet-made", "this side bet has already been made"));
        }
        // Q9: a player chooses one side
        let one_of = self.text().side(bet.wager()).and_then(|side| side.extras.one_of);
        if let Some(by) = one_of
            && bet.wager().bets().any(|other| bettor.side(other) > Cents::ZERO)
        {
            return self
                .no(by, message!("over-or-under", "you cannot bet both over 13 and under 13; choose one"));
        }
        // 2.15(n)
        let lit = bet.kind().prize == Prize::Meter;
        if lit && self.memory.lights_out & (1 << box_id.0.min(31)) != 0 {
            return self.no(
                self.text().irregular.light_failed.unwrap_or(by),
                message!("light-failed", "this betting area's light is broken"),
            );
        }
        if bet.streak().is_some()
            && let Some(streak) = self.streak_of(person, box_id)
        {
            // 2.22(k)1: several streak bets must be placed at the same time
            let placed_now = streak.placed == self.memory.round_number;
            let again = streak.bets[usize::from(bet.streak().unwrap_or(2) - 2)] > Cents::ZERO;
            if again || !placed_now {
                return self.no(
                    rules::wager::streak::PENDING,
                    message!(
                        "streak-undecided",
                        "your earlier streak bets must be settled before you make another"
                    ),
                );
            }
        }
        self.ok(Fact::SideWagered { box_id, bettor: Bettor(at as u8), bet, amount }, by)
    }

    /// Refuses a bettor who is not the box owner (2.13(b) and counterparts).
    ///
    /// A command without a `bettor` field acts for the box owner. Callers of this crate must therefore call this
    /// function for the sender of such a command before they submit the command.
    pub fn check_box_owner(&self, box_id: BoxId, bettor: Bettor) -> Result<(), Refusal> {
        let play = self.round.box_at(box_id).map(|at| &self.round.boxes[at]);
        match play {
            Some(play) if play.box_owner != bettor.0 => {
                let by = self.text().sharing.box_owner;
                self.no(
                    by,
                    message!(
                        "caller-decides",
                        "only the player who calls the decisions can decide for the box"
                    ),
                )
            }
            _ => Ok(()),
        }
    }

    pub(super) fn withdraw(&self, box_id: BoxId, person: Person) -> Decided {
        self.check_wagers_open()?;
        let by = self.text().wagers.closed;
        let bettor = self
            .round
            .box_at(box_id)
            .and_then(|at| self.round.boxes[at].bettors.iter().position(|bettor| bettor.person == person));
        match bettor {
            Some(bettor) => self.ok(Fact::Withdrawn { box_id, bettor: Bettor(bettor as u8) }, by),
            None => self.no(by, message!("no-bet-to-withdraw", "this player has no bet on the box")),
        }
    }

    pub(super) fn close_wagers(&self) -> Decided {
        self.check_wagers_open()?;
        let by = self.text().wagers.closed;
        if self.round.boxes.iter().all(|play| play.bettors.is_empty()) {
            return self.no(self.text().wagers.required, message!("no-bet-placed", "no bet has been placed"));
        }
        self.ok(Fact::WagersClosed, by)
    }
}
