//! Plays the lines of players.

use super::super::parse::{FACE_DOWN, StatementKind, Verb, amounts_of, verb_of};
use super::{Replay, Stop};
use crate::command::{Command, Decision};
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person, Spots};
use crate::round::{BoxRole, CoAsk, HandState};
use crate::table::{Awaiting, Decide, SwitchOption};
use crate::vocabulary::Word;
use rules::script::{Offer, Step};
use rules::{Action, Cents, limit};

impl<'a> Replay<'a> {
    pub(super) fn stand(&mut self, ask: Decide) -> Result<(), Stop> {
        let at = self.table.round().box_at(ask.box_id).unwrap_or(0);
        let bettor = Bettor(self.table.round().boxes[at].box_owner);
        self.command(Command::Decide { box_id: ask.box_id, bettor, decision: Decision::Stand })
    }

    pub(super) fn decision(&mut self, ask: Decide) -> Result<(), Stop> {
        match self.statement().map(|statement| &statement.what) {
            Some(StatementKind::Say { .. }) => {
                let same_box = self.speaks_for(ask.box_id);
                if !same_box && !ask.actions.has(Action::Hit) {
                    return self.stand(ask);
                }
                self.statement_decision()
            }
            _ if !ask.actions.has(Action::Hit) => self.stand(ask),
            Some(StatementKind::Official { .. }) => {
                let command = self.official_command()?;
                match self.table.decide(command) {
                    Err(refusal) => Err(self.refused(refusal)),
                    Ok(_) if matches!(command, Command::Report(what) if what.card().is_some()) => {
                        Err(self.error("the card on this line is not the next card".to_string()))
                    }
                    Ok(_) => Err(self.error(format!(
                        "this line comes too early: box {}, hand {} must decide first; put that decision before this \
                            line, or use a smaller number after `after`",
                        ask.box_id.0, ask.hand.0
                    ))),
                }
            }
            Some(StatementKind::Bet { .. }) => self.late_bet(),
            None => {
                let (at, hand) = (ask.box_id.0, ask.hand.0);
                Err(self.missing(format!(
                    "box {at}, hand {hand}: a decision is missing after this line; add one, like `{at} stand`"
                )))
            }
        }
    }

    pub(super) fn late_bet(&mut self) -> Result<(), Stop> {
        let refusal = self.table.decide(Command::Consent(BoxId(1)));
        match refusal {
            Err(refusal) => Err(self.refused(refusal)),
            Ok(_) => Err(self.error("a bet cannot be made at this point of the round".to_string())),
        }
    }

    pub(super) fn statement_decision(&mut self) -> Result<(), Stop> {
        let Some((box_id, words)) = self.player_line() else {
            return Err(self.error("a decision is missing".to_string()));
        };
        let (bettor, verb, rest) = self.speaker(box_id, words)?;
        let command = self.command_of(box_id, bettor, verb, rest)?;
        self.execute_statement(command)
    }

    /// Returns the command that a player's line stands for. Returns an error if the line is incomplete.
    pub(super) fn command_of(
        &self,
        box_id: BoxId,
        bettor: Bettor,
        verb: Verb,
        rest: &[String],
    ) -> Result<Command, Stop> {
        let decide = |decision| Ok(Command::Decide { box_id, bettor, decision });
        let called = |command| match self.table.check_box_owner(box_id, bettor) {
            Ok(()) => Ok(command),
            Err(refusal) => Err(self.refused(refusal)),
        };
        match verb {
            Verb::Hit => decide(Decision::Hit),
            Verb::Stand => decide(Decision::Stand),
            Verb::Split => decide(Decision::Split),
            Verb::Surrender => decide(Decision::Surrender),
            Verb::Double => {
                let face_down = rest.last().is_some_and(|word| word == FACE_DOWN);
                let given = rest.first().filter(|word| *word != FACE_DOWN);
                let full = self.table.cost(box_id, self.hand_to_double(), bettor);
                let amounts = match given {
                    Some(text) => self.spread(text, full)?,
                    None => full.map(|amount| limit::in_chips(self.table.rules(), amount)),
                };
                decide(Decision::Double { amounts, face_down })
            }
            Verb::Cover => decide(Decision::Cover),
            Verb::Follow => {
                let number = rest.first().and_then(|word| word.parse().ok());
                let number =
                    number.ok_or_else(|| self.error("`follow` needs the number of a hand".to_string()))?;
                decide(Decision::Follow(HandNumber(number)))
            }
            Verb::Withdraw => {
                let person = self.table.round().box_at(box_id).and_then(|at| {
                    let play = &self.table.round().boxes[at];
                    play.bettors.get(usize::from(bettor.0)).map(|who| who.person)
                });
                let person = person.unwrap_or(Person(u32::MAX));
                Ok(Command::Withdraw { box_id, person })
            }
            Verb::Switch => called(Command::Switch(box_id)),
            Verb::Revoke => called(Command::Revoke(box_id)),
            Verb::Keep => called(Command::DeclineSwitch(box_id)),
            Verb::Refuse => called(Command::RefuseCard(box_id)),
            Verb::Accept => called(Command::TakeLateCard { box_id, take: true }),
            Verb::Decline => called(Command::TakeLateCard { box_id, take: false }),
            Verb::Attack => {
                let main = self.table.main_wager(box_id, bettor).map_or(Cents::ZERO, |main| main[0]);
                let amount = match rest.first() {
                    Some(text) => text.parse().map_err(|e| self.error(format!("{e}")))?,
                    None => limit::in_chips(self.table.rules(), main),
                };
                Ok(Command::Attack { box_id, bettor, amount })
            }
            Verb::Insurance => self.insurance(box_id, bettor, rest),
            Verb::EvenMoney => {
                let spots = Spots::from_names(rest.iter().map(String::as_str));
                let spots = spots.ok_or_else(|| {
                    self.error("`even-money` must be followed by `first`, `second` or `third`".to_string())
                })?;
                Ok(Command::TakeEvenMoney { box_id, bettor, spots })
            }
            Verb::Award => {
                let amount = rest.first().ok_or_else(|| self.error("`award` needs an amount".to_string()))?;
                let amount = amount.parse().map_err(|e| self.error(format!("{e}")))?;
                Ok(Command::Award { box_id, bettor, amount })
            }
            Verb::Pass => match self.declined(box_id, bettor) {
                command @ (Command::Decline { .. } | Command::Decide { .. }) => Ok(command),
                command => called(command),
            },
            Verb::Cut | Verb::Consent | Verb::Sits | Verb::AsksReshuffle => {
                Err(self.error(format!("`{}` is not possible here", verb.word())))
            }
        }
    }

    /// Returns the command for `pass`, which declines the offer open to this player.
    ///
    /// A pending decision on a hand cannot be declined.
    fn declined(&self, box_id: BoxId, bettor: Bettor) -> Command {
        let decide = |decision| Command::Decide { box_id, bettor, decision };
        let offer = match self.table.awaiting() {
            Some(Awaiting::Offers(offer)) => offer,
            Some(Awaiting::SevensCard(_)) => return Command::TakeSevensCard { box_id, take: false },
            Some(Awaiting::LateCard(_)) => return Command::TakeLateCard { box_id, take: false },
            Some(Awaiting::Switch(_) | Awaiting::Revocation(_)) => return Command::DeclineSwitch(box_id),
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id && ask.switch == SwitchOption::Switch => {
                return Command::DeclineSwitch(box_id);
            }
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id && !ask.actions.has(Action::Hit) => {
                return decide(Decision::Stand);
            }
            Some(Awaiting::CoBettors(CoAsk::Double(..))) => return decide(Decision::NotDouble),
            Some(Awaiting::CoBettors(CoAsk::Split(_, hand, _))) => return decide(Decision::Follow(hand)),
            Some(Awaiting::LateInsurance(_)) => Offer::Insurance,
            _ => self.first_offer(),
        };
        Command::Decline { box_id, bettor, offer }
    }

    /// Plays the current line if it is one that a player may give out of turn. Returns whether it was played.
    ///
    /// A player who refuses the exposed card gets no more cards, and so stands on every box that the player owns
    /// (2.15(c)#2). For that player, a later `stand` line has no effect, and a line that asks for a card is
    /// refused. A switch may be revoked while other players decide (2A.7(g)2).
    pub(super) fn out_of_turn(&mut self) -> Result<bool, Stop> {
        let round = self.table.round();
        let Some((box_id, words)) = self.player_line() else {
            return Ok(false);
        };
        // the line may begin with the name of the player who calls
        let verb = match self.speaker(box_id, words) {
            Ok((bettor, verb, _)) if self.table.check_box_owner(box_id, bettor).is_ok() => verb,
            _ => return Ok(false),
        };
        // 2A.7(g)2: a switch may be revoked while others decide
        if verb == Verb::Revoke && self.table.revocable_after_turn(box_id) {
            return self.statement_decision().map(|()| true);
        }
        let Some(at) = round.box_at(box_id).filter(|&at| round.boxes[at].role == BoxRole::RefusesCards)
        else {
            return Ok(false);
        };
        let turn_came = at <= round.cursor || self.table.step() != Step::Play;
        if !turn_came || round.boxes[at].hands.iter().any(|hand| hand.state == HandState::Open) {
            return Ok(false);
        }
        match verb {
            Verb::Stand => {
                self.at += 1;
                Ok(true)
            }
            Verb::Hit | Verb::Double | Verb::Split => self.statement_decision().map(|()| true),
            _ => Ok(false),
        }
    }

    /// Returns an error if the next line is a decision although only the dealer's cards are still to be dealt.
    ///
    /// Without this check, the error would be about a missing card.
    pub(super) fn decided_too_late(&mut self) -> Result<(), Stop> {
        let decides = self.player_line().is_some_and(|(_, words)| {
            let verb = words.iter().find_map(|word| verb_of(word));
            matches!(verb, Some(Verb::Hit | Verb::Stand | Verb::Double | Verb::Split | Verb::Surrender))
        });
        match self.table.awaiting() {
            Some(Awaiting::Card(CardPlace::Dealer)) if decides && self.table.step() != Step::Play => {
                self.leftover()
            }
            _ => Ok(()),
        }
    }

    /// Returns the offer that a refused `pass` names if no offer is open: the game's first attack bet, or
    /// insurance.
    fn first_offer(&self) -> Offer {
        let attacks = self.table.rules().text().wagers.attacks;
        attacks.first().map_or(Offer::Insurance, |attack| attack.offer)
    }

    /// Returns the number of a hand whose bets are the most that the bettor may double for.
    ///
    /// A box owner has the same bet on every hand. A co-bettor who followed one hand of a split bets on that hand
    /// only (2.13(e)).
    fn hand_to_double(&self) -> HandNumber {
        match self.table.awaiting() {
            Some(Awaiting::CoBettors(CoAsk::Double(_, hand))) => hand,
            _ => HandNumber(1),
        }
    }

    /// Parses the amounts of a bet, spot by spot.
    ///
    /// One amount applies to every spot that has a bet.
    pub(super) fn spread(&self, text: &str, full: [Cents; 3]) -> Result<[Cents; 3], Stop> {
        let amounts = amounts_of(text).map_err(|message| self.error(message))?;
        let mut three = [Cents::ZERO; 3];
        if amounts.len() == 1 && self.table.rules().dealer_hands() > 1 {
            for (spot, amount) in three.iter_mut().enumerate() {
                *amount = if full[spot] > Cents::ZERO { amounts[0] } else { Cents::ZERO };
            }
        } else {
            three[..amounts.len()].copy_from_slice(&amounts);
        }
        Ok(three)
    }

    pub(super) fn insurance(&self, box_id: BoxId, bettor: Bettor, rest: &[String]) -> Result<Command, Stop> {
        let text = rest.first().ok_or_else(|| self.error("`insurance` needs an amount".to_string()))?;
        let full = self.table.main_wager(box_id, bettor).unwrap_or([Cents::ZERO; 3]);
        let amounts = self.spread(text, full)?;
        let hand = match rest.get(1).map(String::as_str) {
            None | Some("first") => HandNumber(1),
            Some("second") => HandNumber(2),
            Some(other) => return Err(self.error(format!("`{other}` must be first or second"))),
        };
        Ok(Command::Insure { box_id, bettor, hand, amounts })
    }

    /// Plays the line with the amount on the bonus button.
    ///
    /// The amount is for the winner who has the button. The button moves from the dealer's left. A line without a
    /// name means the bettor at the box.
    pub(super) fn award(&mut self, box_id: BoxId, bettor: Bettor) -> Result<(), Stop> {
        if let Some((said, words)) = self.player_line() {
            let (speaker, verb, rest) = self.speaker(said, words)?;
            if verb != Verb::Award {
                // every hand is over, so no decision remains
                return self.leftover();
            }
            let unnamed = verb_of(&words[0]).is_some();
            let who = if said == box_id && unnamed { bettor } else { speaker };
            let command = self.command_of(said, who, Verb::Award, rest)?;
            return self.execute_statement(command);
        }
        Err(self.error(format!(
            "box {}: say what the bonus button showed, like `{} award 20`",
            box_id.0, box_id.0
        )))
    }
}
