//! Writes a table's events as a round file, the inverse of `play`.
//!
//! Playing the file gives the same events and settlements, so anyone can check a recorded round.

use super::parse::{FACE_DOWN, UNSEEN, Verb, parse};
use super::play::play;
use crate::command::Command;
use crate::event::{Event, Fact, Settlement};
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person};
use crate::shoe::Procedure;
use crate::vocabulary::{LineCodec, Word};
use rules::preset;
use rules::wager::Prize;
use rules::{Card, Cents, Choices, Rules, file};
use std::sync::Arc;

/// Returns the `table` line of a round file for a table with these options.
///
/// The line names the nearest preset, and then every option in which the table differs from the preset.
pub fn table_line(choices: &Choices) -> String {
    let (name, usual) = nearest(choices);
    let mut line = format!("table {name}");
    for (key, value) in keys(&file::show(choices)) {
        if key != "name" && !usual.contains(&(key.clone(), value.clone())) {
            line.push_str(&format!(" {key}={value}"));
        }
    }
    line
}

/// Returns the preset with the fewest different options: its name, and its options with their values.
///
/// Only presets of the same game, variation and jurisdiction are compared.
fn nearest(choices: &Choices) -> (&'static str, Vec<(String, String)>) {
    let wanted = keys(&file::show(choices));
    let known =
        preset::PRESETS.iter().filter_map(|&(name, _)| preset::preset(name).map(|preset| (name, preset)));
    let same = known.filter(|(_, preset)| {
        (preset.text, preset.variation, preset.jurisdiction)
            == (choices.text, choices.variation, choices.jurisdiction)
    });
    same.map(|(name, preset)| (name, keys(&file::show(&preset))))
        .min_by_key(|(_, usual)| wanted.iter().filter(|key| !usual.contains(key)).count())
        .unwrap_or((preset::PRESETS[0].0, Vec::new()))
}

/// Returns the options in a table file: each dotted key, with its value as written.
fn keys(file: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut keys = Vec::new();
    for line in file.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = format!("{name}.");
            // the section alone offers a side bet
            if name.starts_with("side_wagers.") {
                keys.push((name.to_string(), "true".to_string()));
            }
        } else if let Some((key, value)) = line.split_once(" = ") {
            let value = match key {
                "multiple_action" => value.replace(' ', ""),
                _ => value.to_string(),
            };
            keys.push((format!("{section}{key}"), value));
        }
    }
    keys
}

/// Options for writing a log of events as a round file.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// The function that returns a person's name.
    pub name: &'a dyn Fn(Person) -> String,
    /// The function that returns the remark for an event's line, or `None`, given the event's index in the log.
    pub remark: &'a dyn Fn(usize) -> Option<&'static str>,
}

/// Writes the events of a log as a round file, up to the last finished round, and returns the text of the file.
pub fn write(choices: &Choices, log: &[Event], style: Style<'_>) -> String {
    let lines = vec![("dealer opens".to_string(), None)];
    Writer { lines, prepared: false, ..Writer::new(choices, log, style) }.written(log)
}

/// Returns the text of a round file with only the last finished round of a log.
///
/// The file is written as if the cards had been prepared for that round.
///
/// Returns `None` if the round would then settle differently, for example because a streak was pending or a reader had
/// failed.
pub fn write_alone(choices: &Choices, log: &[Event], style: Style<'_>) -> Option<String> {
    let mut ends = log.iter().enumerate().rev().filter(|(_, event)| event.fact == Fact::PickedUp);
    let end = ends.next().map_or(0, |(at, _)| at + 1);
    let start = ends.next().map_or(0, |(at, _)| at + 1);
    let round = &log[start..end];
    let remark = &|at| (style.remark)(start + at);
    let alone = Writer::new(choices, round, Style { remark, ..style }).written(round);
    is_settled_as(&alone, &before(choices, round), round, style).then_some(alone)
}

fn is_settled_as(text: &str, choices: &Choices, round: &[Event], style: Style<'_>) -> bool {
    let (Ok(file), Ok(rules)) = (parse(text), Rules::new(choices.clone())) else {
        return false;
    };
    play(&file, Arc::new(rules)).is_ok_and(|played| {
        let name = |person: Person| played.people.get(person.0 as usize).cloned().unwrap_or_default();
        played.events.len() == 1 && settlements(&played.events[0], &name) == settlements(round, style.name)
    })
}

/// Returns all settlements and reversals of a log in order, each with the person's name.
pub fn settlements(log: &[Event], name: &dyn Fn(Person) -> String) -> Vec<(String, Event)> {
    let named = |event: &Event| match event.fact {
        Fact::Settled(settlement) => {
            let fact = Fact::Settled(Settlement { person: Person(0), ..settlement });
            Some((name(settlement.person), Event { fact, ..*event }))
        }
        Fact::Reversed(settlement) => {
            let fact = Fact::Reversed(Settlement { person: Person(0), ..settlement });
            Some((name(settlement.person), Event { fact, ..*event }))
        }
        _ => None,
    };
    log.iter().filter_map(named).collect()
}

/// Returns the table's options with the progressive meter's amount before the first event of the log.
///
/// The first change of the meter in a log always raises the meter.
fn before(choices: &Choices, log: &[Event]) -> Choices {
    let mut choices = choices.clone();
    let raised = log.iter().find_map(|event| match event.fact {
        Fact::MeterRaised { by_amount, meter } => Some(meter - by_amount),
        _ => None,
    });
    let metered = choices.bet_for(Prize::Meter).map(|(bet, _)| bet.wager());
    if let (Some(meter), Some(wager)) = (raised, metered)
        && let Some(offer) = choices.side_wagers.get_mut(&wager)
        && offer.meter.unwrap_or(offer.seed) != meter
    {
        offer.meter = Some(meter);
    }
    choices
}

/// A bettor in this round, and the index in `Writer::lines` of the line that makes the bettor's bets.
struct Bet {
    box_id: BoxId,
    person: Person,
    line: usize,
}

struct Writer<'a> {
    style: Style<'a>,
    /// Whether amounts are written for three spots, not only for one.
    several: bool,
    text: String,
    /// The statements of this round, each with its remark or `None`.
    lines: Vec<(String, Option<&'static str>)>,
    bets: Vec<Bet>,
    /// The cards of this round; `None` for an unseen face-down card.
    cards: Vec<Option<Card>>,
    face_down: Option<usize>,
    /// The number of events since the last card; `None` before betting is closed.
    since_card: Option<usize>,
    finished: usize,
    /// Whether the cards are already prepared, so that their preparation is not written.
    prepared: bool,
}

impl<'a> Writer<'a> {
    fn new(choices: &Choices, log: &[Event], style: Style<'a>) -> Writer<'a> {
        Writer {
            style,
            several: choices.dealer_hands() > 1,
            text: format!("{}\n", table_line(&before(choices, log))),
            lines: Vec::new(),
            bets: Vec::new(),
            cards: Vec::new(),
            face_down: None,
            since_card: None,
            finished: 0,
            prepared: true,
        }
    }

    fn written(mut self, log: &[Event]) -> String {
        let finished = log.iter().rposition(|event| event.fact == Fact::PickedUp);
        for (at, event) in log[..finished.map_or(0, |at| at + 1)].iter().enumerate() {
            self.take(at, event);
        }
        self.text
    }

    fn take(&mut self, at: usize, event: &Event) {
        let (cards, lines) = (self.cards.len(), self.lines.len());
        self.fact(event);
        if let Some((_, remark)) = self.lines.get_mut(lines..).and_then(<[_]>::first_mut) {
            *remark = (self.style.remark)(at);
        }
        if self.prepared && self.bets.is_empty() && self.finished == 0 {
            self.lines.clear();
        }
        self.since_card = match (event.fact, self.since_card) {
            (Fact::WagersClosed, _) => Some(0),
            (Fact::PickedUp, _) => None,
            (_, Some(_)) if self.cards.len() > cards => Some(0),
            (_, since) => since.map(|count| count + 1),
        };
    }

    fn line(&mut self, line: String) {
        self.lines.push((line, None));
    }

    fn say(&mut self, box_id: BoxId, verb: Verb) {
        self.line(format!("{} {}", box_id.0, verb.word()));
    }

    fn say_for(&mut self, box_id: BoxId, bettor: Bettor, verb: Verb, rest: &str) {
        let mut bets = self.bets.iter().filter(|bet| bet.box_id == box_id);
        let bet = bets.nth(usize::from(bettor.0));
        let name = bet.map_or(String::new(), |bet| (self.style.name)(bet.person));
        self.line(format!("{} {name} {}{rest}", box_id.0, verb.word()));
    }

    fn dealer(&mut self, command: Command) {
        let said = command.to_line(self.style.name);
        self.line(format!("dealer {said}"));
    }

    /// Writes an official's line, with the moment at which the line takes effect.
    ///
    /// The moment is the number of cards dealt in the round, and the number of steps since the last card.
    fn official(&mut self, who: &str, words: &str) {
        let moment = match self.since_card {
            Some(0) => format!(" after {}", self.cards.len()),
            Some(steps) => format!(" after {}+{steps}", self.cards.len()),
            None => String::new(),
        };
        self.line(format!("{who} {words}{moment}"));
    }

    fn amounts(&self, amounts: [Cents; 3]) -> String {
        let shown = if self.several { 3 } else { 1 };
        let words: Vec<String> = amounts[..shown].iter().map(Cents::to_string).collect();
        words.join("/")
    }

    fn fact(&mut self, event: &Event) {
        match event.fact {
            Fact::Performed(step) => self.performed(step),
            Fact::CutDeclined(box_id) => self.say(box_id, Verb::Decline),
            Fact::BurnDisclosed(card) => self.dealer(Command::DiscloseBurn(card)),
            Fact::DealerRelieved(person) => self.dealer(Command::RelieveDealer(person)),
            Fact::Admitted(person) => self.dealer(Command::Admit(person)),
            Fact::ReshuffleOrdered => self.dealer(Command::OrderReshuffle),
            Fact::RecutOrdered => self.line("supervisor recut".to_string()),
            Fact::FellIdle => self.dealer(Command::FallIdle),
            Fact::BatchAskedFor(box_id) => self.say(box_id, Verb::AsksReshuffle),
            Fact::Seated { box_id, person } => {
                let name = (self.style.name)(person);
                self.line(format!("{} {name} {}", box_id.0, Verb::Sits.word()));
            }
            Fact::Wagered { box_id, person, seated, amounts } => {
                self.wagered(box_id, person, seated, amounts)
            }
            Fact::SideWagered { box_id, bettor, bet, amount } => {
                let mut bets = self.bets.iter().filter(|bet| bet.box_id == box_id);
                if let Some(place) = bets.nth(usize::from(bettor.0)) {
                    self.lines[place.line].0.push_str(&format!(" {}={amount}", bet.name()));
                }
            }
            Fact::Withdrawn { box_id, bettor } => self.withdrawn(box_id, bettor),
            Fact::Determined { card, drawn_from, .. } => {
                self.dealer(Command::Determinant(card, drawn_from));
                self.cards.push(Some(card));
            }
            Fact::Dealt { to, card } => self.dealt(to, card),
            Fact::Destroyed(card) | Fact::Burned(Some(card)) => self.cards.push(Some(card)),
            Fact::Irregular(irregularity) => {
                self.official("dealer", &irregularity.to_line(self.style.name));
                // a card that stays next is written when dealt or burned, and one found at the burn is not listed
                let listed = self.since_card.is_some() && !irregularity.stays_next();
                let gone = irregularity.card().filter(|_| listed);
                self.cards.extend(gone.map(Some));
            }
            Fact::Voided => self.official("supervisor", "house-void"),
            Fact::PickedUp => self.picked_up(),

            Fact::Attacked { box_id, bettor, amount, .. } => {
                self.say_for(box_id, bettor, Verb::Attack, &format!(" {amount}"))
            }
            Fact::Declined { box_id, bettor, .. } | Fact::NotDoubled { box_id, bettor, .. } => {
                self.say_for(box_id, bettor, Verb::Pass, "")
            }
            Fact::Insured { box_id, bettor, hand, amounts } => {
                let second = if hand == HandNumber(2) { " second" } else { "" };
                let rest = format!(" {}{second}", self.amounts(amounts));
                self.say_for(box_id, bettor, Verb::Insurance, &rest);
            }
            Fact::EvenMoneyTaken { box_id, bettor, spots } => {
                let rest: String = spots.names().map(|word| format!(" {word}")).collect();
                self.say_for(box_id, bettor, Verb::EvenMoney, &rest);
            }
            Fact::Switched(box_id) => self.say(box_id, Verb::Switch),
            Fact::Revoked(box_id) => self.say(box_id, Verb::Revoke),
            Fact::SwitchDeclined(box_id) => self.say(box_id, Verb::Keep),
            Fact::Stood { box_id, .. } => self.say(box_id, Verb::Stand),
            Fact::Drew { box_id, .. } => self.say(box_id, Verb::Hit),
            Fact::Doubled { box_id, bettor, amounts, face_down, .. } => {
                let down = if face_down { format!(" {FACE_DOWN}") } else { String::new() };
                let rest = format!(" {}{down}", self.amounts(amounts));
                self.say_for(box_id, bettor, Verb::Double, &rest);
            }
            Fact::Split { box_id, .. } => self.say(box_id, Verb::Split),
            Fact::Covered { box_id, bettor } => self.say_for(box_id, bettor, Verb::Cover, ""),
            Fact::Followed { box_id, bettor, hand } => {
                self.say_for(box_id, bettor, Verb::Follow, &format!(" {}", hand.0));
            }
            Fact::Surrendered { box_id, .. } => self.say(box_id, Verb::Surrender),
            Fact::SevensCard { box_id, taken: true } => self.say(box_id, Verb::Hit),
            Fact::LateCard { box_id, taken: true } => self.say(box_id, Verb::Accept),
            Fact::LateCard { box_id, taken: false } => self.say(box_id, Verb::Decline),
            Fact::Refused(box_id) => self.say(box_id, Verb::Refuse),
            Fact::Awarded { box_id, bettor, amount } => {
                self.say_for(box_id, bettor, Verb::Award, &format!(" {amount}"))
            }

            // The rest follows from what has been written: every case and every random round of the laws is written and
            // played again. A file plays as if boxes had consented, and an offer that no line accepts is declined.
            _ => {}
        }
    }

    fn performed(&mut self, step: Procedure) {
        match step {
            Procedure::Cut { by: Some(box_id), at } => {
                self.line(format!("{} {} {at}", box_id.0, Verb::Cut.word()))
            }
            Procedure::Cut { by: None, at } => self.line(format!("dealer {} {at}", step.word())),
            Procedure::VerifyTens(_) => self.line(format!("floor {}", step.word())),
            other => self.line(format!("dealer {}", other.to_line(self.style.name))),
        }
    }

    fn wagered(&mut self, box_id: BoxId, person: Person, seated: bool, amounts: [Cents; 3]) {
        let last = amounts.iter().rposition(|amount| *amount > Cents::ZERO).unwrap_or(0);
        let placed: Vec<String> = amounts[..=last].iter().map(Cents::to_string).collect();
        let sits = if seated { "seated" } else { "unseated" };
        let name = (self.style.name)(person);
        self.bets.push(Bet { box_id, person, line: self.lines.len() });
        self.line(format!("bet {} {name} {} {sits}", box_id.0, placed.join("/")));
    }

    fn withdrawn(&mut self, box_id: BoxId, bettor: Bettor) {
        self.say_for(box_id, bettor, Verb::Withdraw, "");
        let of_box = self.bets.iter().enumerate().filter(|(_, bet)| bet.box_id == box_id);
        if let Some((at, _)) = of_box.map(|(at, bet)| (at, bet.line)).nth(usize::from(bettor.0)) {
            self.bets.remove(at);
        }
    }

    fn dealt(&mut self, to: CardPlace, card: Option<Card>) {
        match self.face_down {
            Some(at) if to == CardPlace::Dealer => {
                self.cards[at] = card;
                self.face_down = None;
            }
            _ => {
                if card.is_none() {
                    self.face_down = Some(self.cards.len());
                }
                self.cards.push(card);
            }
        }
    }

    /// Writes the round, with the cards above its statements.
    fn picked_up(&mut self) {
        if self.finished > 0 {
            self.text.push_str("next\n");
        }
        self.finished += 1;
        let shown = |card: &Option<Card>| card.map_or(UNSEEN.to_string(), |card| card.to_string());
        for row in self.cards.chunks(20) {
            let cards: Vec<String> = row.iter().map(shown).collect();
            self.text.push_str(&format!("cards {}\n", cards.join(" ")));
        }
        for (line, remark) in self.lines.drain(..) {
            let remark = remark.map_or(String::new(), |remark| format!("   # {remark}"));
            self.text.push_str(&format!("{line}{remark}\n"));
        }
        self.cards.clear();
        self.bets.clear();
        self.face_down = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parsing a table's `table` line gives the same table.
    ///
    /// The line of a preset is its own name; any other line is the base of its game with the differences.
    #[test]
    fn the_table_line_gives_the_same_table() {
        let mut chance = crate::random::Chance::seeded(5);
        for _ in 0..500 {
            let rules = crate::random::tables::lawful(&mut chance);
            let line = table_line(rules.choices());
            let file = crate::notation::parse::parse(&line).expect("expected a `table` line");
            let mut read = preset::preset(&file.table.table).expect("a preset");
            for assignment in &file.table.overrides {
                file::set(&mut read, assignment).unwrap_or_else(|e| panic!("{e} in {line}"));
            }
            read.name.clone_from(&rules.choices().name);
            assert_eq!(&read, rules.choices(), "{line}");
        }
    }
}
