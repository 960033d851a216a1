//! Lines of the dealer, the floor and the supervisor.

use super::super::parse::{Official, Statement, What};
use super::{Player, Stop};
use crate::command::Command;
use crate::ids::{BoxId, Person, Place, Role, Side};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use crate::table::Awaiting;
use rules::Card;

impl<'a> Player<'a> {
    /// Tries the next line if it is an official's; it takes effect as soon as it can have happened.
    pub(super) fn official(&mut self) -> Result<bool, Stop> {
        let Some(What::Official { words, .. }) = self.statement().map(|statement| &statement.what) else {
            return Ok(false);
        };
        if let ("admit", Some(name)) = (words[0].as_str(), words.get(1)) {
            self.person(name);
        }
        if self.table.round().void.is_some() || !self.moment_has_come(words)? {
            return Ok(false);
        }
        let command = self.official_command()?;
        let named = match command {
            Command::Report(
                Irregularity::FoundFaceUp(card)
                | Irregularity::TenFound(card)
                | Irregularity::Exposed(card)
                | Irregularity::DrewOnStanding(card)
                | Irregularity::MovedForward(card)
                | Irregularity::Misdelivered(card),
            )
            | Command::Determinant(card, _) => Some(card),
            _ => None,
        };
        // one card is missing when the other has been dealt
        let of_one_card = match command {
            Command::Report(Irregularity::MissedBox(_)) if words[0] == "missed-second-card" => {
                self.second_card_awaited()
            }
            Command::Report(Irregularity::MissedOwnCard) if words[0] == "missed-own-second-card" => {
                self.table.round().dealer.len() == 1
            }
            _ => true,
        };
        if !of_one_card {
            return Ok(false);
        }
        if named.is_some() && self.file.cards.get(self.next_card).copied() != named {
            return Ok(false);
        }
        let Ok(event) = self.table.decide(command) else {
            return Ok(false);
        };
        self.apply(&event);
        self.at += 1;
        let stays =
            matches!(command, Command::Report(Irregularity::Exposed(_) | Irregularity::MovedForward(_)));
        if named.is_some() && !stays {
            self.card_used();
        }
        Ok(true)
    }

    /// Whether the card awaited is the second of a hand's initial two.
    pub(super) fn second_card_awaited(&self) -> bool {
        let Some(Awaiting::Card(Place::Hand(box_id, number))) = self.table.awaiting() else {
            return false;
        };
        let play = self.table.round().box_at(box_id).map(|at| &self.table.round().boxes[at]);
        let hand = play.and_then(|play| play.hand_at(number).map(|at| &play.hands[at]));
        hand.is_some_and(|hand| hand.hand.len() == 1)
    }

    /// A line that ends in `after N`, or `after N+K`, waits for the Nth card of the round and K steps after it.
    pub(super) fn moment_has_come(&self, words: &[String]) -> Result<bool, Stop> {
        let [_, .., after, moment] = words else {
            return Ok(true);
        };
        if after != "after" {
            return Ok(true);
        }
        let (cards, steps) = moment.split_once('+').unwrap_or((moment, "0"));
        let (Ok(cards), Ok(steps)) = (cards.parse::<usize>(), steps.parse::<usize>()) else {
            return Err(self.error(format!("`after {moment}` names no number of cards")));
        };
        let now = (self.next_card - self.first_card, self.since_card);
        Ok(self.table.round().step > 0 && now >= (cards, steps))
    }

    pub(super) fn official_command(&self) -> Result<Command, Stop> {
        let Some(Statement { what: What::Official { who, words }, .. }) = self.statement() else {
            return Err(self.error("an official's line is missing".to_string()));
        };
        let card = || -> Result<Card, Stop> {
            let word = words.get(1).ok_or_else(|| self.error(format!("`{}` needs a card", words[0])))?;
            word.parse().map_err(|e| self.error(format!("{e}")))
        };
        let box_id = || -> Result<BoxId, Stop> {
            let number = words.get(1).and_then(|word| word.parse().ok());
            number.map(BoxId).ok_or_else(|| self.error(format!("`{}` needs the number of a box", words[0])))
        };
        let person = || -> Result<Person, Stop> {
            let name = words.get(1).ok_or_else(|| self.error(format!("`{}` needs a name", words[0])))?;
            let known = self.people.iter().position(|known| known == name);
            Ok(Person(known.unwrap_or(self.people.len()) as u32))
        };
        let report = |irregularity| Ok(Command::Report(irregularity));
        let perform = |procedure| Ok(Command::Perform(procedure));
        match (*who, words[0].as_str()) {
            (_, "found-face-up") => report(Irregularity::FoundFaceUp(card()?)),
            (_, "ten-found") => report(Irregularity::TenFound(card()?)),
            (_, "drawn-unexposed") => report(Irregularity::DrawnUnexposed),
            (_, "exposed") => report(Irregularity::Exposed(card()?)),
            (_, "drew-on-standing") => report(Irregularity::DrewOnStanding(card()?)),
            (_, "missed-own-second-card") => report(Irregularity::MissedOwnCard),
            (_, "missed-second-card") => report(Irregularity::MissedBox(box_id()?)),
            (_, "missed-own-card") => report(Irregularity::MissedOwnCard),
            (_, "missed-box") => report(Irregularity::MissedBox(box_id()?)),
            (_, "missed-draw") => report(Irregularity::MissedDraw(box_id()?)),
            (_, "wrong-side") => report(Irregularity::WrongSide),
            (_, "reader-misused") => report(Irregularity::ReaderMisused),
            (_, "reader-failed") => report(Irregularity::ReaderFailed),
            (_, "up-card-not-moved") => report(Irregularity::UpCardNotMoved),
            (_, "up-card-discarded") => report(Irregularity::UpCardDiscarded),
            (_, "light-failed") => report(Irregularity::LightFailed(box_id()?)),
            (_, "bonus-failed") => report(Irregularity::BonusFailed(box_id()?)),
            (_, "double-dealt-up") => report(Irregularity::DoubleDealtUp(box_id()?)),
            (_, "out-of-cards") => report(Irregularity::OutOfCards),
            (_, "shuffler-failed") => report(Irregularity::ShufflerFailed),
            (_, "shuffler-removed") => report(Irregularity::ShufflerRemoved),
            (_, "burn-forgotten") => report(Irregularity::BurnForgotten),
            (_, "misdelivered") if words.get(2).is_some_and(|word| word == "forward") => {
                report(Irregularity::MovedForward(card()?))
            }
            (_, "misdelivered") => report(Irregularity::Misdelivered(card()?)),
            (_, "lets-out") => report(Irregularity::LetOut(box_id()?)),
            (_, "seen-in-mixing") => report(Irregularity::SeenInMixing),
            (_, "destroy-tens") => perform(Procedure::DestroyTens),
            (_, "plug") => perform(Procedure::Plug),
            (_, "riffle") => perform(Procedure::Riffle),
            (_, "turn") => perform(Procedure::Turn),
            (_, "strip") => perform(Procedure::Strip),
            (_, "inspect") => perform(Procedure::Inspect),
            (_, "remove-tens") => perform(Procedure::RemoveTens),
            (_, "verify-tens") => perform(Procedure::VerifyTens(Person(0))),
            (_, "spread") => perform(Procedure::Spread),
            (_, "turn-up") => perform(Procedure::TurnUp),
            (_, "turn-down") => perform(Procedure::TurnDown),
            (_, "wash") => perform(Procedure::Wash),
            (_, "stack") => perform(Procedure::Stack),
            (_, "empty-shoe") => perform(Procedure::EmptyShoe),
            (_, "shuffle") => perform(Procedure::Shuffle),
            (_, "swap-batches") => perform(Procedure::SwapBatches),
            (_, "cut") => perform(Procedure::Cut { by: None, at: self.card_count(words)? }),
            (_, "cover-bottom") => perform(Procedure::CoverBottom),
            (_, "place-cutting-card") => {
                perform(Procedure::PlaceCuttingCard { behind: self.card_count(words)? })
            }
            (_, "load") => perform(Procedure::Load),
            (_, "take-in-hand") => perform(Procedure::TakeInHand),
            (_, "burn") => perform(Procedure::Burn),
            (_, "insert-three-stacks") => perform(Procedure::InsertThreeStacks),
            (_, "return-to-shuffler") => perform(Procedure::ReturnToShuffler),
            (_, "idle") => Ok(Command::FallIdle),
            (Official::Supervisor, "recut") => Ok(Command::OrderRecut { role: Role::Supervisor }),
            (Official::Floor, "recut") => Ok(Command::OrderRecut { role: Role::Floorperson }),
            (Official::Dealer, "recut") => Ok(Command::OrderRecut { role: Role::Dealer }),
            (_, "disclose-burn") => Ok(Command::DiscloseBurn(card()?)),
            (_, "reshuffle") => Ok(Command::OrderReshuffle),
            (_, "relieved") => Ok(Command::RelieveDealer(person()?)),
            (_, "admit") => Ok(Command::Admit(person()?)),
            (_, "determinant") => {
                let side = match words.get(2).map(String::as_str) {
                    Some("red") => Side::Red,
                    Some("black") => Side::Black,
                    _ => return Err(self.error("say from which side it was drawn: red or black".to_string())),
                };
                Ok(Command::Determinant(card()?, side))
            }
            (Official::Floor, "void") => Ok(Command::VoidRound { role: Role::Floorperson }),
            (Official::Supervisor, "void") => Ok(Command::VoidRound { role: Role::Supervisor }),
            (Official::Dealer, "void") => Ok(Command::VoidRound { role: Role::Dealer }),
            (_, other) => {
                Err(self.error(format!("`{other}` is no irregularity or procedure of the notation")))
            }
        }
    }
}
