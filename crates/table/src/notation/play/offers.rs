//! Plays offers. An offer that no line of the round file accepts is declined.

use super::super::parse::{Verb, verb_of};
use super::{Replay, Stop};
use crate::command::{Command, Decision};
use crate::ids::{Bettor, BoxId};
use crate::round::CoAsk;
use rules::script::Offer;

impl<'a> Replay<'a> {
    pub(super) fn offers(&mut self, offer: Offer) -> Result<(), Stop> {
        if let Some((box_id, words)) = self.player_line()
            && let Ok((bettor, verb, rest)) = self.speaker(box_id, words)
        {
            let answers = matches!(
                (offer, verb),
                (_, Verb::Pass)
                    | (Offer::Insurance, Verb::Insurance | Verb::EvenMoney)
                    | (Offer::Attack | Offer::SecondAttack | Offer::ThirdAttack, Verb::Attack)
            );
            if answers && self.table.is_asked(box_id, bettor) {
                return self.offer_answered(box_id, bettor, verb, rest);
            }
            // refuse a box without a bet, or an offer answered twice, at its line
            let known = self.table.round().box_at(box_id).is_some();
            if answers && !known {
                let command = self.command_of(box_id, bettor, verb, rest)?;
                return self.execute_statement(command);
            }
        }
        self.decline_one(offer)
    }

    pub(super) fn offer_answered(
        &mut self,
        box_id: BoxId,
        bettor: Bettor,
        verb: Verb,
        rest: &[String],
    ) -> Result<(), Stop> {
        let command = self.command_of(box_id, bettor, verb, rest)?;
        self.execute_statement(command)
    }

    /// Declines an offer that no line accepts.
    pub(super) fn decline_one(&mut self, offer: Offer) -> Result<(), Stop> {
        let asked = self.table.round().boxes.iter().find_map(|play| {
            play.bettors.iter().position(|bettor| !bettor.answered).map(|at| (play.id, Bettor(at as u8)))
        });
        match asked {
            Some((box_id, bettor)) => self.command(Command::Decline { box_id, bettor, offer }),
            None => Ok(()),
        }
    }

    pub(super) fn late_insurance(&mut self, box_id: BoxId) -> Result<(), Stop> {
        if let Some((said, words)) = self.player_line()
            && said == box_id
            && let Ok((bettor, verb @ (Verb::Insurance | Verb::Pass), rest)) = self.speaker(box_id, words)
            && self.table.is_asked(box_id, bettor)
        {
            return self.offer_answered(box_id, bettor, verb, rest);
        }
        let at = self.table.round().box_at(box_id).unwrap_or(0);
        let bettor =
            self.table.round().boxes[at].bettors.iter().position(|bettor| !bettor.answered).unwrap_or(0);
        self.command(Command::Decline { box_id, bettor: Bettor(bettor as u8), offer: Offer::Insurance })
    }

    /// Accepts or declines an offer to a box, as the current line says.
    ///
    /// The verb `taking` accepts the offer; `pass`, `decline` or no line at all declines it.
    pub(super) fn answer(
        &mut self,
        box_id: BoxId,
        taking: Verb,
        command: impl Fn(bool) -> Command,
    ) -> Result<(), Stop> {
        match self.verb_for(box_id) {
            Some((bettor, verb)) if verb == taking || matches!(verb, Verb::Pass | Verb::Decline) => {
                self.table.check_box_owner(box_id, bettor).map_err(|refusal| self.refused(refusal))?;
                self.execute_statement(command(verb == taking))
            }
            _ => self.command(command(false)),
        }
    }

    /// Accepts or declines a switch, or the revocation of a switch, as the current line says.
    pub(super) fn switch(&mut self, box_id: BoxId) -> Result<(), Stop> {
        match self.verb_for(box_id) {
            Some((_, Verb::Switch | Verb::Revoke | Verb::Keep | Verb::Pass)) => self.statement_decision(),
            _ => self.command(Command::DeclineSwitch(box_id)),
        }
    }

    pub(super) fn co_bettors(&mut self, ask: CoAsk) -> Result<(), Stop> {
        let (at, hand) = match ask {
            CoAsk::Double(at, hand) | CoAsk::Split(at, hand, _) => (at, hand),
        };
        let box_id = self.table.round().boxes[at].id;
        if let Some((said, words)) = self.player_line()
            && said == box_id
            && verb_of(&words[0]).is_none()
            && let Ok((bettor, verb, rest)) = self.speaker(box_id, words)
            && self.table.is_asked(box_id, bettor)
        {
            let answers = match ask {
                CoAsk::Double(..) => matches!(verb, Verb::Double | Verb::Pass | Verb::Stand),
                CoAsk::Split(..) => matches!(verb, Verb::Cover | Verb::Follow | Verb::Split | Verb::Pass),
            };
            if answers {
                let command = self.command_of(box_id, bettor, verb, rest)?;
                return self.execute_statement(command);
            }
        }
        let bettor =
            self.table.round().boxes[at].bettors.iter().position(|bettor| !bettor.answered).unwrap_or(0);
        let decision = match ask {
            CoAsk::Double(..) => Decision::NotDouble,
            CoAsk::Split(..) => Decision::Follow(hand),
        };
        self.command(Command::Decide { box_id, bettor: Bettor(bettor as u8), decision })
    }
}
