//! Which values a text permits for the keys of a table file: data that the check, the documentation and the tests read.
//!
//! A key that depends on another one has here what the text permits at best; what the combination excludes is in the
//! check of the text.

use crate::choice::Choices;
use crate::clause::Clause;
use crate::file::KEYS;
use crate::lawful::{Kind, Report};

/// What a text says of one key.
#[derive(Clone, Copy, Debug)]
pub struct Permits {
    /// The key.
    pub key: &'static str,
    /// The keys that a violation names: this one, and what it depends on.
    pub keys: &'static [&'static str],
    /// The values that the text permits.
    pub values: &'static [Value],
    /// What rejects the others; nothing where every value is permitted.
    pub rejects: &'static [Rejects],
}

/// Why a value is not permitted.
#[derive(Clone, Copy, Debug)]
pub struct Rejects {
    /// The value, or nothing for every value that is neither permitted nor named.
    pub is: &'static str,
    /// The clause that rejects it.
    pub by: Clause,
    /// What the clause would have, for people.
    pub why: &'static str,
}

/// One permitted value, or a range of them.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// As it is written in a table file; of numbers also `3..=4` and `1..`.
    pub is: &'static str,
    /// The clause that permits it.
    pub by: Clause,
    /// What has to be done before the value is used.
    pub asks: &'static [Asks],
}

/// A notice, an approval or the like that a value asks for.
#[derive(Clone, Copy, Debug)]
pub struct Asks {
    /// What kind of thing it is.
    pub kind: Kind,
    /// The clause that asks for it.
    pub by: Clause,
    /// What it is, for people.
    pub what: &'static str,
}

impl Value {
    /// Whether it stands for this value.
    pub fn takes(&self, value: &str) -> bool {
        let number = |text: &str| text.parse::<u32>().ok();
        match self.is.split_once("..") {
            None => self.is == value,
            Some((from, to)) => {
                let to = to.strip_prefix('=').map_or(Some(u32::MAX), number);
                match (number(from), to, number(value)) {
                    (Some(from), Some(to), Some(value)) => (from..=to).contains(&value),
                    _ => false,
                }
            }
        }
    }
}

impl Permits {
    /// The permitted value that this one is, if it is permitted.
    pub fn find(&self, value: &str) -> Option<&'static Value> {
        self.values.iter().find(|permitted| permitted.takes(value))
    }

    /// What rejects this value, if it is not permitted.
    pub fn rejects(&self, value: &str) -> Option<&'static Rejects> {
        if self.find(value).is_some() {
            return None;
        }
        self.rejects.iter().find(|rejects| rejects.is.is_empty() || rejects.is == value)
    }
}

/// A value that the text permits without a word of it.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The name of the text.
    pub text: &'static str,
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: &'static str,
    /// The note of `regulations/notes.md` that reads it into the clause, or that the key means nothing in this game.
    pub why: &'static str,
}

/// The values whose clause does not grant them in words.
pub const READINGS: &[Reading] = {
    const fn of(text: &'static str, key: &'static str, value: &'static str, why: &'static str) -> Reading {
        Reading { text, key, value, why }
    }
    const NO_ATTACK: &str = "no effect: the game has no attack wagers";
    &[
        of("nj-blackjack", "surrender_settled", "at-once", "Q17, not in words"),
        of("nj-blackjack", "insurance_collected", "after-reader", "Q18, not in words"),
        of("nj-blackjack", "attack_amount", "up-to", NO_ATTACK),
        of("nj-blackjack", "attack_amount", "equal", NO_ATTACK),
        of("nj-switch", "attack_amount", "up-to", NO_ATTACK),
        of("nj-switch", "attack_amount", "equal", NO_ATTACK),
        of("ma-switch", "attack_amount", "up-to", NO_ATTACK),
        of("ma-switch", "attack_amount", "equal", NO_ATTACK),
    ]
};

/// Why a text permits a value that its clause does not grant in words; nothing where the clause does.
pub fn reading(text: &str, key: &str, value: &str) -> Option<&'static str> {
    let row = READINGS.iter().find(|row| row.text == text && row.key == key && row.value == value);
    row.map(|row| row.why)
}

/// What a key is set to, as a table file writes it, without quotes.
pub fn value_of(choices: &Choices, key: &str) -> Option<String> {
    let key = KEYS.iter().find(|known| known.name == key)?;
    Some(key.shown(choices).trim_matches('"').to_string())
}

/// Rejects every value that the text does not permit, and notes what the permitted ones ask for.
pub(crate) fn check(choices: &Choices, report: &mut Report) {
    for permits in choices.text().permits() {
        let Some(value) = value_of(choices, permits.key) else { continue };
        for asks in permits.find(&value).map_or(&[][..], |permitted| permitted.asks) {
            report.requires(asks.kind, asks.by, &[permits.key], asks.what);
        }
        if let Some(rejects) = permits.rejects(&value) {
            report.violation(rejects.by, permits.keys, rejects.why);
        }
    }
}
