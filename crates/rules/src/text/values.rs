//! The values that a regulation permits for the keys of a table file.
//!
//! These values are data for the legality check, the documentation and the tests. For a key that depends on
//! another key, they include every value that is permitted in some combination; the regulation's check rejects the
//! illegal combinations. A list, such as `bonus_payouts`, is permitted if each of its items is permitted.
//! `rows.rs` has the rows that follow from other parts of a regulation.

use crate::choice::Choices;
use crate::clause::Clause;
use crate::file::KEYS;
use crate::lawful::{Kind, Report, has_cut_card};
use crate::message::{Fixed, Message};
use crate::wager::{self, SideWager};

/// The permitted and rejected values of one table file key.
#[derive(Clone, Copy, Debug)]
pub struct KeyValues<'a> {
    /// The key of the table file, such as `decks`.
    pub key: &'a str,
    /// The keys that a violation names: `key`, and the keys that it depends on.
    pub keys: &'a [&'a str],
    /// The permitted values of the key.
    pub values: &'a [Value<'a>],
    /// The rejections of values that are not permitted, or empty if no value is rejected.
    pub rejects: &'a [Rejection<'a>],
}

/// A value that is not permitted, with the clause and the reason.
#[derive(Clone, Copy, Debug)]
pub struct Rejection<'a> {
    /// The rejected value, or empty for every value that is neither permitted nor named by another rejection.
    pub is: &'a str,
    /// The clause that rejects the value.
    pub by: Clause,
    /// The sentence that says what the clause requires, for people.
    pub why: Reason<'a>,
}

/// A sentence that says what a clause requires.
#[derive(Clone, Copy, Debug)]
pub enum Reason<'a> {
    /// A sentence that is the same for every table.
    Fixed(Fixed),
    /// A sentence that contains values of the table, such as a number of decks.
    Message(&'a Message),
}

impl From<Reason<'_>> for Message {
    fn from(reason: Reason<'_>) -> Message {
        match reason {
            Reason::Fixed(sentence) => sentence.into(),
            Reason::Message(sentence) => sentence.clone(),
        }
    }
}

/// A permitted value of a key, or a range of permitted values.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    /// The value as in a table file, or a pattern for several values.
    ///
    /// Numbers, amounts and odds may also be ranges, `3..=4` and `1..`; a `?` stands for any letter, `*` for any value,
    /// and `[]` for an empty list.
    pub is: &'a str,
    /// The clause that permits the value.
    pub by: Clause,
    /// The requirements that the value brings, such as a notice or an approval.
    pub asks: &'static [Requirement],
}

/// A requirement for using a permitted value, such as a notice or an approval.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// The kind of requirement.
    pub kind: Kind,
    /// The clause that makes the requirement.
    pub by: Clause,
    /// The other keys and values that a table must all have for the requirement to apply.
    ///
    /// The values are written as in [`Value::is`].
    pub with: &'static [(&'static str, &'static str)],
    /// Whether a register entry must meet the requirement before cage chips are bet.
    pub register: bool,
    /// The requirement in words, for people.
    pub what: Fixed,
}

impl Requirement {
    /// Returns whether the requirement applies, that is, whether `choices` have all values in `with`.
    pub fn applies(&self, choices: &Choices) -> bool {
        let has = |key: &str, is| {
            let wanted = Value { is, by: self.by, asks: &[] };
            values_of(choices, key).iter().any(|value| wanted.takes(value))
        };
        self.with.iter().all(|&(key, is)| has(key, is))
    }
}

impl Value<'_> {
    /// Returns whether this value, range or pattern includes `value`.
    pub fn takes(&self, value: &str) -> bool {
        let not_above = |a: &str, b: &str| match (fraction(a), fraction(b)) {
            (Some((a, over)), Some((b, under))) => a * under <= b * over,
            _ => false,
        };
        match self.is.split_once("..") {
            None => self.is == "*" || alike(self.is, value),
            Some((from, to)) => {
                not_above(from, value) && to.strip_prefix('=').is_none_or(|most| not_above(value, most))
            }
        }
    }
}

/// Returns whether a value matches a pattern, in which a `?` stands for any one letter.
fn alike(pattern: &str, value: &str) -> bool {
    let letters = pattern.bytes().zip(value.bytes());
    pattern.len() == value.len()
        && letters.into_iter().all(|(wanted, found)| wanted == b'?' || wanted == found)
}

/// Parses a number, an amount or odds, such as `4`, `0.25` or `3 to 2`, as a numerator and a denominator.
fn fraction(text: &str) -> Option<(u128, u128)> {
    let digits = |text: &str| text.parse::<u64>().ok().map(u128::from);
    if let Some((pays, per)) = text.split_once(" to ") {
        return Some((digits(pays)?, digits(per)?));
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    Some((digits(&format!("{whole}{part}"))?, 10u128.checked_pow(part.len() as u32)?))
}

impl<'a> KeyValues<'a> {
    /// Returns the permitted value, range or pattern that includes `value`, or `None` if `value` is not permitted.
    pub fn find(&self, value: &str) -> Option<&'a Value<'a>> {
        self.values.iter().find(|permitted| permitted.takes(value))
    }

    /// Returns the first rejection of `value`, or `None` if no rejection covers it.
    pub fn rejects(&self, value: &str) -> Option<&'a Rejection<'a>> {
        if self.find(value).is_some() {
            return None;
        }
        self.rejects.iter().find(|rejects| rejects.is.is_empty() || rejects.is == value)
    }
}

/// A value that no clause permits explicitly, with the reason why it is permitted.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The name of the regulation, such as `nj-blackjack`.
    pub text: &'static str,
    /// The key of the table file, such as `soft_17`.
    pub key: &'static str,
    /// The permitted value, as a table file writes it.
    pub value: &'static str,
    /// The note in `regulations/notes.md` that permits the value, or a remark that the key has no effect in this
    /// game.
    pub why: &'static str,
}

/// The values that no clause permits explicitly.
pub const READINGS: &[Reading] = {
    const fn of(text: &'static str, key: &'static str, value: &'static str, why: &'static str) -> Reading {
        Reading { text, key, value, why }
    }
    const NO_ATTACK: &str = "no effect: the game has no attack bets";
    const ONE_WAGER: &str = "no effect: the table does not offer multiple action";
    &[
        of("nj-blackjack", "surrender_settled", "at-once", "Q17, because no clause says so"),
        of("nj-blackjack", "insurance_collected", "after-reader", "Q18, because no clause says so"),
        of("nj-blackjack", "attack_amount", "up-to", NO_ATTACK),
        of("nj-blackjack", "attack_amount", "equal", NO_ATTACK),
        of("nj-blackjack", "multiple_action.required", "0..", ONE_WAGER),
        of("nj-switch", "multiple_action.required", "0..", ONE_WAGER),
        of("ma-switch", "multiple_action.required", "0..", ONE_WAGER),
        of("nj-double-attack", "multiple_action.required", "0..", ONE_WAGER),
        of("nj-triple-attack", "multiple_action.required", "0..", ONE_WAGER),
        of("nj-triple-attack", "split_hands", "2", "A22, because no clause says so"),
        of("nj-triple-attack", "resplit_aces", "true", "A22, because no clause says so"),
        of("nj-switch", "attack_amount", "up-to", NO_ATTACK),
        of("nj-switch", "attack_amount", "equal", NO_ATTACK),
        of("ma-switch", "attack_amount", "up-to", NO_ATTACK),
        of("ma-switch", "attack_amount", "equal", NO_ATTACK),
    ]
};

/// Returns why a value is permitted without an explicit clause, or `None` for every other value.
pub fn reading(text: &str, key: &str, value: &str) -> Option<&'static str> {
    let row = READINGS.iter().find(|row| row.text == text && row.key == key && row.value == value);
    row.map(|row| row.why)
}

/// Returns a key's value as in a table file, but without quotes, or `None` if the key is unknown.
pub fn value_of(choices: &Choices, key: &str) -> Option<String> {
    let key = KEYS.iter().find(|known| known.name == key)?;
    Some(key.shown(choices).trim_matches('"').to_string())
}

/// Returns the values of a key, written as in [`Value::is`].
///
/// A list gives one value for each item. A key of a side bet that the table does not offer gives no value.
pub fn values_of(choices: &Choices, key: &str) -> Vec<String> {
    if key == "multiple_action.required" {
        return vec![choices.multiple_action_required.to_string()];
    }
    if let Some(side) = key.strip_prefix("side_wagers.") {
        let (name, inner) = side.split_once('.').map_or((side, None), |(name, inner)| (name, Some(inner)));
        return SideWager::from_word(name).map_or(Vec::new(), |wager| of_side(choices, wager, inner));
    }
    let value = value_of(choices, key).unwrap_or_default();
    match value.strip_prefix('[') {
        Some(items) => items_or_none(items.split('"').skip(1).step_by(2).map(ace_first).collect()),
        None => vec![value],
    }
}

fn items_or_none(items: Vec<String>) -> Vec<String> {
    if items.is_empty() { vec!["[]".to_string()] } else { items }
}

/// Returns a designated blackjack with its ace first, such as `blackjack:As Ks`.
fn ace_first(item: &str) -> String {
    match item.strip_prefix("blackjack:").and_then(|cards| cards.split_once(' ')) {
        Some((other, ace)) if ace.starts_with('A') => format!("blackjack:{ace} {other}"),
        _ => item.to_string(),
    }
}

/// Returns the values of the key `key` in a side bet's section, or no value if the table does not offer the side
/// bet.
///
/// If `key` is `None`, returns `true` or `false`: whether the table offers the side bet.
fn of_side(choices: &Choices, wager: SideWager, key: Option<&str>) -> Vec<String> {
    let (Some(key), Some(offer)) = (key, choices.offer(wager)) else {
        return if key.is_none() { vec![choices.offer(wager).is_some().to_string()] } else { Vec::new() };
    };
    let in_use = || wager::paytable(choices, wager).map(|table| table.name.to_string());
    match key {
        "paytable" => offer.paytable.clone().or_else(in_use).into_iter().collect(),
        "minimum" => vec![offer.minimum.to_string()],
        "maximum" => vec![offer.maximum.to_string()],
        "meter" => offer.meter.iter().map(ToString::to_string).collect(),
        "seed" => vec![offer.seed.to_string()],
        "rate" => vec![format!("{}.{:02}", offer.rate / 100, offer.rate % 100)],
        "cap" => offer.cap.iter().map(ToString::to_string).collect(),
        "awards" => items_or_none(offer.awards.keys().map(ToString::to_string).collect()),
        _ => match key.split_once('.') {
            Some(("odds", line)) => offer.odds.get(line).iter().map(ToString::to_string).collect(),
            Some(("awards", of)) => {
                let awards = offer.awards.iter().find(|(wager, _)| wager.to_string() == of);
                awards.map_or(Vec::new(), |(_, awards)| {
                    items_or_none(awards.keys().map(ToString::to_string).collect())
                })
            }
            _ => Vec::new(),
        },
    }
}

/// Reports every value that the regulation does not permit, and the requirements of the permitted values.
pub(crate) fn check(choices: &Choices, report: &mut Report) {
    choices.text().rows(choices, &mut |permits| {
        if permits.key == "cut_behind" && !has_cut_card(choices) {
            return;
        }
        // several items of a list may be rejected, or require something, by one clause
        let mut said = Vec::new();
        for value in values_of(choices, permits.key) {
            for asks in permits.find(&value).map_or(&[][..], |permitted| permitted.asks) {
                if said.contains(&asks.by) || !asks.applies(choices) {
                    continue;
                }
                let others = asks.with.iter().map(|&(key, _)| key);
                let keys: Vec<&str> = std::iter::once(permits.key).chain(others).collect();
                if asks.register {
                    report.requires(asks.kind, asks.by, &keys, asks.what);
                } else {
                    report.warning(asks.kind, asks.by, &keys, asks.what);
                }
                said.push(asks.by);
            }
            // several clauses may reject one value
            let rejected = permits.rejects(&value).map(|first| first.is);
            for rejects in permits.rejects.iter().filter(|rejects| Some(rejects.is) == rejected) {
                if !said.contains(&rejects.by) {
                    report.violation(rejects.by, permits.keys, rejects.why);
                    said.push(rejects.by);
                }
            }
        }
    });
}
