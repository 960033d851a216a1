//! Writes what happened at a table as a round file: the other way round from `play`. Playing the file gives the same
//! events and settlements, so a recorded round can be handed to anyone to check.

use crate::event::{Event, Fact};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Place, Side};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use rules::preset;
use rules::{Card, Cents, Choices, Variation, file};

/// The `table` line for these choices: a preset, and every key in which the table differs from it.
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

/// The preset of the same game, variation and jurisdiction that needs the fewest words, and its keys.
fn nearest(choices: &Choices) -> (&'static str, Vec<(String, String)>) {
    let wanted = keys(&file::show(choices));
    let known =
        preset::PRESETS.iter().filter_map(|&(name, _)| preset::preset(name).map(|preset| (name, preset)));
    let same = known.filter(|(_, preset)| {
        (preset.game, preset.variation, preset.jurisdiction)
            == (choices.game, choices.variation, choices.jurisdiction)
    });
    same.map(|(name, preset)| (name, keys(&file::show(&preset))))
        .min_by_key(|(_, usual)| wanted.iter().filter(|key| !usual.contains(key)).count())
        .unwrap_or((preset::PRESETS[0].0, Vec::new()))
}

/// The dotted keys of a table file and their values as written.
fn keys(file: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut keys = Vec::new();
    for line in file.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = format!("{name}.");
            // the section alone offers a side wager
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

/// The whole log of a table, from its opening on, as a round file. What follows the last finished round is left out.
pub fn write(choices: &Choices, log: &[Event], name: &dyn Fn(Person) -> String) -> String {
    let mut writer = Writer {
        name,
        several: choices.variation == Variation::MultipleAction,
        text: format!("{}\n", table_line(choices)),
        lines: vec!["dealer opens".to_string()],
        bets: Vec::new(),
        cards: Vec::new(),
        face_down: None,
        since_card: None,
        finished: 0,
    };
    let finished = log.iter().rposition(|event| event.fact == Fact::PickedUp);
    for event in &log[..finished.map_or(0, |at| at + 1)] {
        writer.take(event);
    }
    writer.text
}

/// A bettor with a wager in this round, and the line of the bet, to which side wagers are added.
struct Bet {
    box_id: BoxId,
    person: Person,
    line: usize,
}

struct Writer<'a> {
    name: &'a dyn Fn(Person) -> String,
    /// Amounts are given for three spots.
    several: bool,
    text: String,
    /// The statements of this round.
    lines: Vec<String>,
    bets: Vec<Bet>,
    /// The cards of this round; `None` for one that lies face down unseen.
    cards: Vec<Option<Card>>,
    face_down: Option<usize>,
    /// How many events there were since the last card; `None` before the wagers are closed.
    since_card: Option<usize>,
    finished: usize,
}

impl Writer<'_> {
    fn take(&mut self, event: &Event) {
        let cards = self.cards.len();
        self.fact(event);
        self.since_card = match (event.fact, self.since_card) {
            (Fact::WagersClosed, _) => Some(0),
            (Fact::PickedUp, _) => None,
            (_, Some(_)) if self.cards.len() > cards => Some(0),
            (_, since) => since.map(|count| count + 1),
        };
    }

    fn say(&mut self, box_id: BoxId, words: &str) {
        self.lines.push(format!("{} {words}", box_id.0));
    }

    fn person(&self, box_id: BoxId, bettor: Bettor) -> String {
        let mut bets = self.bets.iter().filter(|bet| bet.box_id == box_id);
        bets.nth(usize::from(bettor.0)).map_or(String::new(), |bet| (self.name)(bet.person))
    }

    fn say_for(&mut self, box_id: BoxId, bettor: Bettor, words: &str) {
        let name = self.person(box_id, bettor);
        self.say(box_id, &format!("{name} {words}"));
    }

    /// What went wrong takes effect after so many cards of the round and so many steps since the last of them.
    fn official(&mut self, who: &str, words: &str) {
        let moment = match self.since_card {
            Some(0) => format!(" after {}", self.cards.len()),
            Some(steps) => format!(" after {}+{steps}", self.cards.len()),
            None => String::new(),
        };
        self.lines.push(format!("{who} {words}{moment}"));
    }

    fn amounts(&self, amounts: [Cents; 3]) -> String {
        let shown = if self.several { 3 } else { 1 };
        let words: Vec<String> = amounts[..shown].iter().map(Cents::to_string).collect();
        words.join("/")
    }

    fn fact(&mut self, event: &Event) {
        match event.fact {
            Fact::Performed(procedure) => self.performed(procedure),
            Fact::CutDeclined(box_id) => self.say(box_id, "decline"),
            Fact::BurnDisclosed(card) => self.lines.push(format!("dealer disclose-burn {card}")),
            Fact::DealerRelieved(person) => {
                let name = (self.name)(person);
                self.lines.push(format!("dealer relieved {name}"));
            }
            Fact::Admitted(person) => {
                let name = (self.name)(person);
                self.lines.push(format!("dealer admit {name}"));
            }
            Fact::ReshuffleOrdered => self.lines.push("dealer reshuffle".to_string()),
            Fact::RecutOrdered => self.lines.push("supervisor recut".to_string()),
            Fact::FellIdle => self.lines.push("dealer idle".to_string()),
            Fact::Seated { box_id, person } => {
                let name = (self.name)(person);
                self.say(box_id, &format!("{name} sits"));
            }
            Fact::Wagered { box_id, person, seated, amounts } => {
                self.wagered(box_id, person, seated, amounts)
            }
            Fact::SideWagered { box_id, bettor, bet, amount } => {
                let mut bets = self.bets.iter().filter(|bet| bet.box_id == box_id);
                if let Some(place) = bets.nth(usize::from(bettor.0)) {
                    self.lines[place.line].push_str(&format!(" {}={amount}", bet.name()));
                }
            }
            Fact::Withdrawn { box_id, bettor } => self.withdrawn(box_id, bettor),
            Fact::Determined { card, drawn_from, .. } => {
                let side = if drawn_from == Side::Red { "red" } else { "black" };
                self.lines.push(format!("dealer determinant {card} {side}"));
                self.cards.push(Some(card));
            }
            Fact::Dealt { to, card } => self.dealt(to, card),
            Fact::Destroyed(card) => self.cards.push(Some(card)),
            Fact::Irregular(irregularity) => self.irregular(irregularity),
            Fact::Burned(Some(card)) => self.cards.push(Some(card)),
            Fact::Voided => self.official("supervisor", "void"),
            Fact::PickedUp => self.picked_up(),
            _ => self.decided(event),
        }
    }

    /// Answers to offers, and decisions.
    fn decided(&mut self, event: &Event) {
        match event.fact {
            Fact::Attacked { box_id, bettor, amount, .. } => {
                self.say_for(box_id, bettor, &format!("attack {amount}"))
            }
            Fact::Declined { box_id, bettor, .. } => self.say_for(box_id, bettor, "pass"),
            Fact::Insured { box_id, bettor, hand, amounts } => {
                let second = if hand == HandNumber(2) { " second" } else { "" };
                let words = format!("insurance {}{second}", self.amounts(amounts));
                self.say_for(box_id, bettor, &words);
            }
            Fact::EvenMoneyTaken { box_id, bettor } => self.say_for(box_id, bettor, "even-money"),
            Fact::Switched(box_id) => self.say(box_id, "switch"),
            Fact::Revoked(box_id) => self.say(box_id, "revoke"),
            Fact::SwitchDeclined(box_id) => self.say(box_id, "keep"),
            Fact::Stood { box_id, .. } => self.say(box_id, "stand"),
            Fact::Drew { box_id, .. } => self.say(box_id, "hit"),
            Fact::Doubled { box_id, bettor, amounts, face_down, .. } => {
                let down = if face_down { " face-down" } else { "" };
                let words = format!("double {}{down}", self.amounts(amounts));
                self.say_for(box_id, bettor, &words);
            }
            Fact::NotDoubled { box_id, bettor, .. } => self.say_for(box_id, bettor, "pass"),
            Fact::Split { box_id, .. } => self.say(box_id, "split"),
            Fact::Covered { box_id, bettor } => self.say_for(box_id, bettor, "cover"),
            Fact::Followed { box_id, bettor, hand } => {
                self.say_for(box_id, bettor, &format!("follow {}", hand.0));
            }
            Fact::Surrendered { box_id, .. } => self.say(box_id, "surrender"),
            Fact::SevensCard { box_id, taken: true } => self.say(box_id, "hit"),
            Fact::LateCard { box_id, taken } => self.say(box_id, if taken { "accept" } else { "decline" }),
            Fact::Refused(box_id) => self.say(box_id, "refuse"),
            Fact::Awarded { box_id, bettor, amount } => {
                self.say_for(box_id, bettor, &format!("award {amount}"))
            }
            // all else follows from what has been written
            _ => {}
        }
    }

    fn performed(&mut self, procedure: Procedure) {
        match procedure {
            Procedure::Cut { by: Some(box_id), at } => self.say(box_id, &format!("cut {at}")),
            other => self.lines.push(format!("dealer {}", procedure_words(other))),
        }
    }

    fn wagered(&mut self, box_id: BoxId, person: Person, seated: bool, amounts: [Cents; 3]) {
        let placed: Vec<String> =
            amounts.iter().filter(|amount| **amount > Cents::ZERO).map(Cents::to_string).collect();
        let sits = if seated { "seated" } else { "unseated" };
        let name = (self.name)(person);
        self.bets.push(Bet { box_id, person, line: self.lines.len() });
        self.lines.push(format!("bet {} {name} {} {sits}", box_id.0, placed.join("/")));
    }

    fn withdrawn(&mut self, box_id: BoxId, bettor: Bettor) {
        self.say_for(box_id, bettor, "withdraw");
        let of_box = |bet: &&(usize, &Bet)| bet.1.box_id == box_id;
        let at = self
            .bets
            .iter()
            .enumerate()
            .filter(|bet| of_box(&bet))
            .map(|(at, _)| at)
            .nth(usize::from(bettor.0));
        if let Some(at) = at {
            self.bets.remove(at);
        }
    }

    fn dealt(&mut self, to: Place, card: Option<Card>) {
        match self.face_down {
            Some(at) if to == Place::Dealer => {
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

    fn irregular(&mut self, irregularity: Irregularity) {
        let (words, card) = irregularity_words(irregularity);
        self.official("dealer", &words);
        self.cards.extend(card.map(Some));
    }

    /// The cards stand above the statements that they answer.
    fn picked_up(&mut self) {
        if self.finished > 0 {
            self.text.push_str("next\n");
        }
        self.finished += 1;
        // a face-down card that was never turned can have been any that was not seen elsewhere
        let cards: Vec<Card> = self.cards.drain(..).map(|card| card.unwrap_or(UNSEEN)).collect();
        for row in cards.chunks(20) {
            self.text.push_str(&format!("cards {}\n", rules::card::show_cards(row)));
        }
        for line in self.lines.drain(..) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
        self.bets.clear();
        self.face_down = None;
    }
}

/// Stands for a card that nobody ever saw.
const UNSEEN: Card = Card::new(rules::Rank::Two, rules::Suit::Clubs);

/// A step of preparation in the words of the notation.
fn procedure_words(procedure: Procedure) -> String {
    let word = match procedure {
        Procedure::Inspect => "inspect",
        Procedure::RemoveTens => "remove-tens",
        Procedure::VerifyTens(_) => "verify-tens",
        Procedure::DestroyTens => "destroy-tens",
        Procedure::Spread => "spread",
        Procedure::TurnUp => "turn-up",
        Procedure::TurnDown => "turn-down",
        Procedure::Wash => "wash",
        Procedure::Stack => "stack",
        Procedure::EmptyShoe => "empty-shoe",
        Procedure::Shuffle => "shuffle",
        Procedure::Plug => "plug",
        Procedure::Riffle => "riffle",
        Procedure::Turn => "turn",
        Procedure::Strip => "strip",
        Procedure::SwapBatches => "swap-batches",
        Procedure::Cut { at, .. } => return format!("cut {at}"),
        Procedure::CoverBottom => "cover-bottom",
        Procedure::PlaceCuttingCard { behind } => return format!("place-cutting-card {behind}"),
        Procedure::Load => "load",
        Procedure::TakeInHand => "take-in-hand",
        Procedure::Burn => "burn",
        Procedure::InsertThreeStacks => "insert-three-stacks",
        Procedure::ReturnToShuffler => "return-to-shuffler",
        Procedure::ReshuffleDiscards => "reshuffle-discards",
    };
    word.to_string()
}

/// An irregularity in the words of the notation, and the card that it takes from the shoe.
fn irregularity_words(irregularity: Irregularity) -> (String, Option<Card>) {
    let plain = |word: &str| (word.to_string(), None);
    let at_box = |word: &str, box_id: BoxId| (format!("{word} {}", box_id.0), None);
    let with_card = |word: &str, card: Card| (format!("{word} {card}"), Some(card));
    match irregularity {
        Irregularity::FoundFaceUp(card) => with_card("found-face-up", card),
        Irregularity::TenFound(card) => with_card("ten-found", card),
        Irregularity::DrawnUnexposed => plain("drawn-unexposed"),
        // it stays the next card, and is written when it is dealt or burned
        Irregularity::Exposed(card) => (format!("exposed {card}"), None),
        Irregularity::DrewOnStanding(card) => with_card("drew-on-standing", card),
        Irregularity::MissedOwnCard => plain("missed-own-card"),
        Irregularity::MissedBox(box_id) => at_box("missed-box", box_id),
        Irregularity::MissedDraw(box_id) => at_box("missed-draw", box_id),
        Irregularity::WrongSide => plain("wrong-side"),
        Irregularity::ReaderMisused => plain("reader-misused"),
        Irregularity::ReaderFailed => plain("reader-failed"),
        Irregularity::UpCardNotMoved => plain("up-card-not-moved"),
        Irregularity::UpCardDiscarded => plain("up-card-discarded"),
        Irregularity::LightFailed(box_id) => at_box("light-failed", box_id),
        Irregularity::BonusFailed(box_id) => at_box("bonus-failed", box_id),
        Irregularity::DoubleDealtUp(box_id) => at_box("double-dealt-up", box_id),
        Irregularity::OutOfCards => plain("out-of-cards"),
        Irregularity::ShufflerFailed => plain("shuffler-failed"),
        Irregularity::ShufflerRemoved => plain("shuffler-removed"),
        Irregularity::BurnForgotten => plain("burn-forgotten"),
        Irregularity::SeenInMixing => plain("seen-in-mixing"),
        Irregularity::Misdelivered(card) => with_card("misdelivered", card),
        // like an exposed card it is written when it is dealt or burned
        Irregularity::MovedForward(card) => (format!("misdelivered {card} forward"), None),
        Irregularity::LetOut(box_id) => at_box("lets-out", box_id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every preset is its own `table` line, or the base of its game with what differs; reading it gives the same table.
    #[test]
    fn the_table_line_gives_the_same_table() {
        let mut chance = crate::random::Chance::seeded(5);
        for _ in 0..500 {
            let rules = crate::random::tables::lawful(&mut chance);
            let line = table_line(rules.choices());
            let file = crate::notation::parse::parse(&line).expect("a table line");
            let mut read = preset::preset(&file.table.table).expect("a preset");
            for assignment in &file.table.overrides {
                file::set(&mut read, assignment).unwrap_or_else(|e| panic!("{e} in {line}"));
            }
            read.name.clone_from(&rules.choices().name);
            assert_eq!(&read, rules.choices(), "{line}");
        }
    }
}
