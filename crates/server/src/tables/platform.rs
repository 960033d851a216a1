//! The automatic steps of the platform.
//!
//! The platform deals from the virtual shoe, performs the procedures of an automatic table, and decides for
//! players who did not answer in time, by the rule published in `ABSENT_RULE`.

use super::live::{By, CommandError, Live, Step, TableFault};
use super::shoe::{award, drawn_from};
use crate::fair::Vault;
use crate::house_file::Dealing;
use rules::message::Fixed;
use rules::rule;
use rules::script::Offer;
use rules::{Action, Hand};
use table::event::Finding;
use table::round::{CoAsk, Hole};
use table::shoe::{Procedure, least_behind};
use table::table::Decide;
use table::{Awaiting, Bettor, BoxId, CardPlace, Command, Decision, Irregularity, Person, Role};

/// The rule for players who do not answer in time, in the words that every player is shown.
pub const ABSENT_RULE: Fixed = rule!(
    "absent-player",
    "A player who does not answer in time declines every offer, does not cut, switch, double, split or surrender, \
        hits totals below 12 and stands on 12 or more; a co-bettor neither doubles nor covers. The platform presses \
        the bonus button. The record marks these decisions as the platform's."
);

impl Live {
    /// Returns whether an automatic step is due at the table: a reopening, a snapshot, or a step of the platform.
    pub fn has_work(&self) -> bool {
        let by_platform = matches!(
            self.table.awaiting(),
            Some(
                Awaiting::Procedure(_)
                    | Awaiting::Card(_)
                    | Awaiting::Reader
                    | Awaiting::Award(..)
                    | Awaiting::Approval(_)
            )
        );
        self.wants_reopening()
            || self.wants_snapshot()
            || (by_platform && self.fixed.dealing == Dealing::Automatic)
    }

    /// Performs the automatic steps of dealing until a person must act or the table should be reopened.
    ///
    /// Does nothing at a dealer's table. Returns an error if the table cannot continue.
    pub fn carry_on(&mut self, vault: &Vault, step: &mut Step) -> Result<(), TableFault> {
        if self.fixed.dealing != Dealing::Automatic {
            return Ok(());
        }
        while !self.wants_reopening() {
            let Some(command) = self.next_by_platform()? else {
                break;
            };
            self.by_platform(By::House, command, vault, step)?;
        }
        Ok(())
    }

    /// Performs a command of the platform, and shuffles a new shoe if the command shuffles the cards.
    ///
    /// Returns an error if the rules refuse the command, which means that the table cannot continue.
    pub fn by_platform(
        &mut self,
        by: By,
        command: Command,
        vault: &Vault,
        step: &mut Step,
    ) -> Result<(), TableFault> {
        self.perform(by, command, step).map_err(|halt| match halt {
            CommandError::Refused(refusal) => TableFault::Refused(format!("{command:?}: {}", refusal.why)),
            CommandError::TableFault(stuck) => stuck,
        })?;
        match command {
            Command::Perform(procedure) => {
                let sides = self.to_shuffle(procedure);
                sides.into_iter().try_for_each(|side| self.shuffle(side, vault, step))
            }
            // 2.15(f): the discards are shuffled and cut, the first card is burned, and dealing continues from them
            Command::Report(Irregularity::OutOfCards) => self.shuffle(self.table.custody().side, vault, step),
            _ => Ok(()),
        }
    }

    fn next_by_platform(&self) -> Result<Option<Command>, TableFault> {
        let entropy = |e: getrandom::Error| TableFault::Entropy(e.to_string());
        Ok(match self.table.awaiting() {
            Some(Awaiting::Procedure(step)) => Some(Command::Perform(self.procedure(step))),
            Some(Awaiting::Card(CardPlace::Determinant)) => {
                let side = drawn_from(&self.table);
                self.shoes.next(&self.table, side).map(|card| Command::Determinant(card, side))
            }
            Some(Awaiting::Card(_)) => Some(match self.shoes.next(&self.table, self.table.custody().side) {
                Some(card) => Command::Card(card),
                None if self.table.custody().rack.len() > 1 => Command::Report(Irregularity::OutOfCards),
                // The discards would not help, because the first of them is burned.
                None => Command::VoidRound { role: Role::Supervisor },
            }),
            Some(Awaiting::Reader) => Some(Command::Reader(self.read_hole())),
            Some(Awaiting::Award(box_id, bettor)) => {
                let wager = self.bonus_wager(box_id, bettor);
                Some(match wager.map(|w| award(&self.table, w)).transpose().map_err(entropy)?.flatten() {
                    Some(amount) => Command::Award { box_id, bettor, amount },
                    None => Command::Report(Irregularity::BonusFailed(box_id)),
                })
            }
            Some(Awaiting::Approval(what)) => {
                Some(Command::Approve { what, role: what.role(), person: Person(0) })
            }
            _ => None,
        })
    }

    /// Returns the procedure that performs a step of preparing the cards, with the positions that the step needs.
    ///
    /// When the house cuts the cards, the commitment determines the position.
    fn procedure(&self, step: Procedure) -> Procedure {
        let rules = self.table.rules();
        match step {
            Procedure::Cut { .. } => {
                let custody = self.table.custody();
                let least = rules.text().cut.least.min(custody.to_cut() as u16 / 2);
                let shoe = self.shoes.of(custody.side);
                Procedure::Cut { by: None, at: shoe.map_or(least, |shoe| shoe.derived_cut() as u16) }
            }
            Procedure::PlaceCutCard { .. } => {
                let wanted = rules.cut_behind.of(rules.stack_size()) as u16;
                Procedure::PlaceCutCard { behind: wanted.max(least_behind(rules)) }
            }
            Procedure::VerifyTens(_) => Procedure::VerifyTens(Person(0)),
            other => other,
        }
    }

    fn read_hole(&self) -> Finding {
        let round = self.table.round();
        match (round.up(), round.hole) {
            (Some(up), Hole::Down(Some(hole))) if Hand::dealt(&[up, hole]).is_blackjack() => {
                Finding::Blackjack
            }
            _ => Finding::NoBlackjack,
        }
    }

    fn bonus_wager(&self, box_id: BoxId, bettor: Bettor) -> Option<rules::Cents> {
        let round = self.table.round();
        let play = &round.boxes[round.box_at(box_id)?];
        let (bet, _) = self.table.rules().bet_for(rules::wager::Prize::Button)?;
        play.bettors.get(usize::from(bettor.0)).map(|b| b.side(bet))
    }

    /// Returns the commands by which the published rule for absent players acts for those who must act now.
    ///
    /// Returns none if no player must act.
    pub fn absent(&self) -> Vec<Command> {
        match self.table.awaiting() {
            Some(Awaiting::Cut(box_id)) => vec![Command::DeclineCut { box_id }],
            Some(Awaiting::Wagers) => {
                self.anyone_wagers().then_some(Command::CloseWagers).into_iter().collect()
            }
            Some(Awaiting::Offers(offer)) => self.decline_all(None, offer),
            Some(Awaiting::LateInsurance(box_id)) => self.decline_all(Some(box_id), Offer::Insurance),
            Some(Awaiting::Switch(box_id) | Awaiting::Revocation(box_id)) => {
                vec![Command::DeclineSwitch(box_id)]
            }
            Some(Awaiting::Decision(ask)) => self.decide_for(ask).into_iter().collect(),
            Some(Awaiting::CoBettors(ask)) => self.answer_for_co_bettors(ask),
            Some(Awaiting::SevensCard(box_id)) => vec![Command::TakeSevensCard { box_id, take: false }],
            Some(Awaiting::LateCard(box_id)) => vec![Command::TakeLateCard { box_id, take: false }],
            _ => Vec::new(),
        }
    }

    pub fn anyone_wagers(&self) -> bool {
        self.table.round().boxes.iter().any(|play| !play.bettors.is_empty())
    }

    fn decline_all(&self, only: Option<BoxId>, offer: Offer) -> Vec<Command> {
        self.asked(only).map(|(box_id, bettor)| Command::Decline { box_id, bettor, offer }).collect()
    }

    /// Returns the bettors who have not answered the current offer, at all boxes or only at the box `only`.
    pub fn asked(&self, only: Option<BoxId>) -> impl Iterator<Item = (BoxId, Bettor)> + '_ {
        let boxes = self.table.round().boxes.iter().filter(move |play| only.is_none_or(|id| id == play.id));
        boxes
            .flat_map(|play| (0..play.bettors.len()).map(move |at| (play.id, Bettor(at as u8))))
            .filter(|(box_id, bettor)| self.table.is_asked(*box_id, *bettor))
    }

    fn decide_for(&self, ask: Decide) -> Option<Command> {
        let round = self.table.round();
        let play = &round.boxes[round.box_at(ask.box_id)?];
        let hand = &play.hands[play.hand_at(ask.hand)?];
        let draws = hand.hand.points() < 12 && ask.actions.has(Action::Hit);
        let decision = if draws || !ask.actions.has(Action::Stand) { Decision::Hit } else { Decision::Stand };
        Some(Command::Decide { box_id: ask.box_id, bettor: Bettor(play.box_owner), decision })
    }

    fn answer_for_co_bettors(&self, ask: CoAsk) -> Vec<Command> {
        let (at, decision) = match ask {
            CoAsk::Double(at, _) => (at, Decision::NotDouble),
            CoAsk::Split(at, hand, _) => (at, Decision::Follow(hand)),
        };
        let Some(play) = self.table.round().boxes.get(at) else {
            return Vec::new();
        };
        self.asked(Some(play.id))
            .map(|(box_id, bettor)| Command::Decide { box_id, bettor, decision })
            .collect()
    }
}
