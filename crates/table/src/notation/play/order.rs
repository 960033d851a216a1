//! Plays lines of a round file out of their order where the notation allows it, and offers of a missed card.

use super::super::parse::{Statement, StatementKind, Verb, verb_of};
use super::{Replay, Stop};
use crate::command::Command;
use crate::ids::BoxId;
use rules::play::Refusal;
use rules::script::Step;
use rules::{Clause, message};

/// The lines of a round that were played early, and the offers of a missed card that no line accepted.
#[derive(Clone, Default)]
pub(super) struct Order {
    /// The indices of lines that have taken effect before a line above them.
    played: Vec<usize>,
    /// The missed cards that no line accepted when they were offered.
    unanswered: Vec<Unanswered>,
}

/// A missed card that no line accepted when it was offered.
#[derive(Clone, Copy)]
struct Unanswered {
    box_id: BoxId,
    /// The line number of the line that followed the offer without accepting the card.
    line: usize,
    /// The clause that makes the hand dead.
    by: Clause,
}

impl<'a> Replay<'a> {
    /// Moves past lines that have already taken effect.
    pub(super) fn skip_played(&mut self) {
        while self.order.played.contains(&self.at) {
            self.at += 1;
        }
    }

    /// Plays the line at this index before the lines above it, which remain to be played.
    fn early<T>(&mut self, index: usize, play: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        let at = std::mem::replace(&mut self.at, index);
        // a line that is refused stays the current one, and so the one that is named
        let result = play(self)?;
        if self.at > index {
            self.order.played.push(index);
        }
        self.at = at;
        Ok(result)
    }

    /// Plays an official's line, and returns whether a line took effect. Does nothing if the current line is
    /// another one.
    ///
    /// If the current line and the next line may stand in either order, the next line may take effect instead.
    pub(super) fn official(&mut self) -> Result<bool, Stop> {
        if self.official_line()? {
            return Ok(true);
        }
        match self.other_missed_card() {
            Some(index) => self.early(index, Replay::official_line),
            None => Ok(false),
        }
    }

    /// Returns the index of the next line if that line may take effect before the current one, or `None` if it may
    /// not.
    ///
    /// The two lines may come in either order if one reports a player's missed card and the other the dealer's.
    /// See 2.15(e), (g).
    fn other_missed_card(&self) -> Option<usize> {
        let next = (self.at + 1..).find(|index| !self.order.played.contains(index))?;
        let missed = |index: usize| match &self.file.rounds.get(self.round)?.get(index)?.what {
            StatementKind::Official { words, .. } => match words.as_slice() {
                [own] if matches!(own.as_str(), "missed-own-card" | "missed-own-second-card") => Some(true),
                [second, _] if second == "missed-second-card" => Some(false),
                _ => None,
            },
            _ => None,
        };
        (missed(self.at)? != missed(next)?).then_some(next)
    }

    /// Accepts or declines a missed card that is offered to a box, as a line of the round file says.
    ///
    /// If no line does, the hand is dead. In the players' turns the line may follow the lines of other players
    /// (2.15(i)).
    pub(super) fn late_card(&mut self, box_id: BoxId) -> Result<(), Stop> {
        let command = |take| Command::TakeLateCard { box_id, take };
        let next = self.line_after_offer(box_id);
        if let Some((index, _)) = next.filter(|(index, line)| self.answers(*index, line, box_id)) {
            let answer = |player: &mut Self| player.answer(box_id, Verb::Accept, command);
            return if index == self.at { answer(self) } else { self.early(index, answer) };
        }
        self.command(command(false))?;
        let by = self.events.last().and_then(|events| events.last()).map(|event| event.by);
        let unanswered = next.zip(by).map(|((_, line), by)| Unanswered { box_id, line: line.line, by });
        self.order.unanswered.extend(unanswered);
        Ok(())
    }

    /// Returns the line that may accept or decline an offered missed card, with its index, or `None` if none is
    /// left.
    ///
    /// In the deal it is the next line; in the players' turns it is the next line about the box.
    fn line_after_offer(&self, box_id: BoxId) -> Option<(usize, &'a Statement)> {
        let lines = self.file.rounds.get(self.round)?.iter().enumerate().skip(self.at);
        let mut open = lines.filter(|(index, _)| !self.order.played.contains(index));
        match self.table.step() {
            Step::Play => open.find(|(_, line)| concerns(line, box_id)),
            _ => open.next(),
        }
    }

    /// Returns whether a line accepts or declines a missed card that is offered to this box.
    ///
    /// A `pass` declines the card only directly after the offer.
    fn answers(&self, index: usize, line: &Statement, box_id: BoxId) -> bool {
        let StatementKind::Say { box_id: said, words } = &line.what else {
            return false;
        };
        let answer = match words.iter().take(2).find_map(|word| verb_of(word)) {
            Some(Verb::Accept | Verb::Decline) => true,
            Some(Verb::Pass) => index == self.at,
            _ => false,
        };
        answer && BoxId(*said) == box_id
    }

    /// Returns the refusal to report for a refused line.
    ///
    /// If the line fails because an earlier offer of a missed card was not accepted, the refusal names that offer.
    pub(super) fn with_cause(&self, refusal: Refusal) -> Refusal {
        let (said, code) = (self.player_line().map(|(box_id, _)| box_id), refusal.why.code);
        let current = self.statement().map(|statement| statement.line);
        let lost = self.order.unanswered.iter().rev().find(|lost| {
            let here = code == "hand-finished" && current == Some(lost.line);
            said == Some(lost.box_id) && (here || code == "no-missed-card")
        });
        match lost {
            Some(&Unanswered { box_id, line, by }) => {
                let why = message!(
                    "missed-card-not-accepted",
                    "before line {line}, box {position} did not answer the offer of its missed card, so its hand was \
                        called dead; write `{position} accept` before that line",
                    position = box_id.0,
                    line
                );
                Refusal::new(by, why)
            }
            None => refusal,
        }
    }
}

/// Returns whether a line speaks for this box, or reports another card that this box missed.
fn concerns(line: &Statement, box_id: BoxId) -> bool {
    match &line.what {
        StatementKind::Say { box_id: said, .. } => BoxId(*said) == box_id,
        StatementKind::Official { words, .. } => match words.as_slice() {
            [word, missed, ..] if word == "missed-draw" => missed.parse() == Ok(box_id.0),
            _ => false,
        },
        StatementKind::Bet { .. } => false,
    }
}
