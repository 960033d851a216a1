//! Plays the lines of the dealer, the floor and the supervisor.

use super::super::parse::{Statement, StatementKind};
use super::{Replay, Stop};
use crate::command::Command;
use crate::ids::{CardPlace, Person, Side};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use crate::table::Awaiting;
use crate::vocabulary::{LineCodec, NOBODY, Word};
use rules::play::Refusal;
use rules::{Card, message};
use std::iter::once;

impl<'a> Replay<'a> {
    /// Plays the current line if it is an official's line, and returns whether the line took effect.
    ///
    /// An official's line takes effect as soon as what it reports can have happened.
    pub(super) fn official_line(&mut self) -> Result<bool, Stop> {
        let Some(StatementKind::Official { words, .. }) = self.statement().map(|statement| &statement.what)
        else {
            return Ok(false);
        };
        if let ("admit", Some(name)) = (words[0].as_str(), words.get(1)) {
            self.person(name);
        }
        // in a void round only a won bonus remains, for which 2.15(o) may still be needed
        let over =
            self.table.round().void.is_some() && !matches!(self.table.awaiting(), Some(Awaiting::Award(..)));
        if over || !self.moment_has_come(words)? {
            return Ok(false);
        }
        let command = self.official_command()?;
        let named = match command {
            // like the burn card, a card found in its place is not listed
            Command::Report(Irregularity::FoundFaceUp(_)) if self.table.round().step == 0 => None,
            Command::Report(irregularity) => irregularity.card(),
            Command::Determinant(card, _) => Some(card),
            _ => None,
        };
        // the word tells whether both initial cards are missing or only the second
        let of_one_card = match command {
            Command::Report(Irregularity::MissedBox(_)) if words[0] == "missed-second-card" => {
                self.second_card_awaited()
            }
            // 2.6(d)2: the determinant card may be the first box's first card, so that box cannot have missed it
            Command::Report(Irregularity::MissedBox(_)) if words.len() == 2 => !self.second_card_awaited(),
            Command::Report(Irregularity::MissedOwnCard) if words[0] == "missed-own-second-card" => {
                self.table.round().dealer.len() == 1 || self.table.round().mishaps.own_card_late
            }
            Command::Report(Irregularity::MissedOwnCard) if words.len() == 1 => {
                self.table.round().dealer.is_empty()
            }
            _ => true,
        };
        if !of_one_card {
            return Ok(false);
        }
        if named.is_some() && self.file.cards.get(self.next_card).copied() != Some(named) {
            return Ok(false);
        }
        let event = match (self.table.decide(command), command) {
            (Ok(event), _) => event,
            // no later moment makes it legal
            (Err(refusal), Command::ClaimVoid { .. }) => return Err(self.refused(refusal)),
            (Err(_), _) => return Ok(false),
        };
        self.apply(&event);
        self.at += 1;
        let stays = matches!(command, Command::Report(irregularity) if irregularity.stays_next());
        if named.is_some() && !stays {
            self.card_used();
        }
        Ok(true)
    }

    /// Returns an error for a report on a card that was dealt in its turn, so that no irregularity happened.
    ///
    /// An example is a report that the dealer drew on a standing hand (2.15(d)), for a card that the dealer had to
    /// draw.
    pub(super) fn came_in_turn(&self) -> Result<(), Stop> {
        let Ok(command @ Command::Report(irregularity)) = self.official_command() else {
            return Ok(());
        };
        let dealt = &self.file.cards[self.first_card..self.next_card];
        let Some(card) = irregularity.card().filter(|card| dealt.contains(&Some(*card))) else {
            return Ok(());
        };
        let by = match self.table.decide(command) {
            Ok(event) => event.by,
            Err(refusal) => refusal.by,
        };
        let why = message!(
            "card-came-in-turn",
            "{card} was dealt in turn, so what this line reports did not happen",
            card
        );
        Err(self.refused(Refusal::new(by, why)))
    }

    /// Returns whether the awaited card is the second of a hand's two initial cards.
    pub(super) fn second_card_awaited(&self) -> bool {
        let Some(Awaiting::Card(CardPlace::Hand(box_id, number))) = self.table.awaiting() else {
            return false;
        };
        let play = self.table.round().box_at(box_id).map(|at| &self.table.round().boxes[at]);
        let hand = play.and_then(|play| play.hand_at(number).map(|at| &play.hands[at]));
        hand.is_some_and(|hand| hand.hand.len() == 1)
    }

    /// Returns whether the moment at which a line takes effect has come.
    ///
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
            return Err(self.error(format!("`after {moment}`: expected a number of cards")));
        };
        let now = (self.next_card - self.first_card, self.since_card);
        Ok(self.table.round().step > 0 && now >= (cards, steps))
    }

    /// Returns the command for an official's line.
    ///
    /// The line names an irregularity, a step of preparing the cards, or one of a few commands. Returns an error for
    /// other lines.
    pub(super) fn official_command(&self) -> Result<Command, Stop> {
        let Some(Statement { what: StatementKind::Official { who, words }, .. }) = self.statement() else {
            return Err(self.error("an official's line is missing".to_string()));
        };
        let who_is = &mut |name: &str| {
            let known = self.people.iter().position(|known| known == name);
            Some(Person(known.unwrap_or(self.people.len()) as u32))
        };
        let word = words[0].as_str();
        let rest = || words[1..].iter().map(String::as_str);
        let plain = || once(word).chain(rest());
        let forward = words.get(2).is_some_and(|word| word == "forward");
        if let Some(irregularity) = Irregularity::parse_prefix(plain(), who_is) {
            return Ok(Command::Report(match irregularity {
                Irregularity::Misdelivered(card) if forward => Irregularity::MovedForward(card),
                other => other,
            }));
        }
        // an official's cut has no box, and the notation does not name the floorperson
        let unnamed =
            Procedure::parse_prefix([word, NOBODY].into_iter().chain(rest()), &mut |_| Some(Person(0)));
        if let Some(step) = unnamed.or_else(|| Procedure::parse_prefix(plain(), who_is)) {
            return Ok(Command::Perform(step));
        }
        let by_role = Command::parse_prefix([word, who.word()].into_iter(), &mut |_| None);
        match by_role.or_else(|| Command::parse_prefix(plain(), who_is)) {
            Some(
                command @ (Command::FallIdle
                | Command::OrderRecut { .. }
                | Command::DiscloseBurn(_)
                | Command::OrderReshuffle
                | Command::RelieveDealer(_)
                | Command::Admit(_)
                | Command::Determinant(..)
                | Command::ClaimVoid { .. }
                | Command::VoidRound { .. }),
            ) => Ok(command),
            _ => Err(self.error(missing(word, words.get(1).map(String::as_str)))),
        }
    }
}

/// Returns the error message for an official's line that cannot be parsed.
fn missing(word: &str, said: Option<&str>) -> String {
    let with = |said: &[&str]| {
        let words = || once(word).chain(said.iter().copied());
        Irregularity::parse_prefix(words(), &mut |_| None).is_some()
            || Procedure::parse_prefix(words(), &mut |_| None).is_some()
            || Command::parse_prefix(words(), &mut |_| None).is_some()
    };
    let takes_card = with(&["As"]) || with(&["As", Side::Red.word()]);
    match said.map(str::parse::<Card>) {
        Some(Err(not_a_card)) if takes_card => not_a_card.to_string(),
        Some(Ok(_)) if takes_card => "say from which side of the shoe it was drawn: red or black".to_string(),
        None if takes_card => format!("`{word}` needs a card"),
        _ if Irregularity::parse_prefix([word, "1"].into_iter(), &mut |_| None).is_some() => {
            format!("`{word}` needs the number of a box")
        }
        _ if with(&["1"]) || with(&[NOBODY, "1"]) => format!("`{word}` needs a number of cards"),
        _ if Command::parse_prefix([word, ""].into_iter(), &mut |_| Some(Person(0))).is_some() => {
            format!("`{word}` needs a name")
        }
        _ => format!("unknown irregularity or procedure `{word}`"),
    }
}
