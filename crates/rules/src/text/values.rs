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
    /// The keys that a violation names: this key, and those that it depends on.
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
    /// The clause that rejects the value.
    pub by: Clause,
    /// What the clause would have, for people.
    pub why: &'static str,
}

/// One permitted value, or a range of them.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The value as a table file writes it; numbers may also be ranges, `3..=4` and `1..`.
    pub is: &'static str,
    /// The clause that permits the value.
    pub by: Clause,
    /// What has to be done before the value is used.
    pub asks: &'static [Asks],
}

/// A notice, an approval or the like that a value asks for.
#[derive(Clone, Copy, Debug)]
pub struct Asks {
    /// The kind of requirement.
    pub kind: Kind,
    /// The clause that makes the requirement.
    pub by: Clause,
    /// The requirement in words, for people.
    pub what: &'static str,
}

impl Value {
    /// Returns whether this entry covers a value.
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
    /// Returns the entry that permits this value, if there is one.
    pub fn find(&self, value: &str) -> Option<&'static Value> {
        self.values.iter().find(|permitted| permitted.takes(value))
    }

    /// Returns the rejection of this value, if it is not permitted.
    pub fn rejects(&self, value: &str) -> Option<&'static Rejects> {
        if self.find(value).is_some() {
            return None;
        }
        self.rejects.iter().find(|rejects| rejects.is.is_empty() || rejects.is == value)
    }
}

/// A value that the text permits by interpretation, without saying so.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The name of the text.
    pub text: &'static str,
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: &'static str,
    /// The note of `regulations/notes.md` that reads the value into the clause, or a remark that the key means
    /// nothing in this game.
    pub why: &'static str,
}

/// Lists the values that a clause does not grant in words.
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

/// Returns the reason why a text permits a value that its clause does not grant in words; `None` if the clause
/// does.
pub fn reading(text: &str, key: &str, value: &str) -> Option<&'static str> {
    let row = READINGS.iter().find(|row| row.text == text && row.key == key && row.value == value);
    row.map(|row| row.why)
}

/// Returns the value of a key, as a table file writes it, without quotes.
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
