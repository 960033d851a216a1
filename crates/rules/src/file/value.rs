//! Values of a table file, and the parser for each kind of value.

use crate::card::{Card, parse_cards};
use crate::choice::{BonusPayouts, Millionths, Offered, OwnProcedure};
use crate::message::Message;
use crate::odds::{Cents, NotAnAmount, Odds};
use crate::wager::own;
use std::collections::BTreeMap;
use toml::de::DeValue;

/// A value of a table file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A quoted string.
    Text(String),
    /// A number as a decimal string.
    Number(String),
    /// A Boolean value, `true` or `false`.
    Truth(bool),
    /// A list of values.
    List(Vec<Value>),
    /// A section or an inline table, with a value for each key.
    Table(BTreeMap<String, Value>),
}

impl Value {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text",
            Value::Number(_) => "a number",
            Value::Truth(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// Returns the message with the value of its placeholder `found` replaced by an id for this value's kind.
    ///
    /// A page translates the id.
    pub(super) fn named_in(&self, message: Message) -> Message {
        let kind = match self {
            Value::Text(_) => "text",
            Value::Number(_) => "number",
            Value::Truth(_) => "truth",
            Value::List(_) => "list",
            Value::Table(_) => "table",
        };
        message.id("found", kind)
    }
}

pub(super) fn convert(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            let digits = number.as_str();
            let parsed =
                i64::from_str_radix(digits, number.radix()).map_or(digits.to_string(), |n| n.to_string());
            Value::Number(parsed)
        }
        DeValue::Float(number) => Value::Number(number.as_str().to_string()),
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(moment) => Value::Text(moment.to_string()),
        DeValue::Array(items) => Value::List(items.iter().map(|item| convert(item.get_ref())).collect()),
        DeValue::Table(table) => Value::Table(
            table.iter().map(|(key, value)| (key.get_ref().to_string(), convert(value.get_ref()))).collect(),
        ),
    }
}

pub(super) fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// Returns the error for a word that is not among `words`, the words that a key accepts.
fn unknown_value(value: &str, words: &[&str]) -> Message {
    message!("value-unknown", "invalid value `{value}`; expected {choices}", value, choices = one_of(words))
        .id("choices", &words.join(", "))
}

pub(super) fn word<T>(value: &Value, words: &[&str], find: fn(&str) -> Option<T>) -> Result<T, Message> {
    let word = text(value)?;
    find(word).ok_or_else(|| unknown_value(word, words))
}

pub(super) fn text(value: &Value) -> Result<&str, Message> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(other.named_in(message!(
            "string-expected",
            "expected a quoted string, found {found}",
            found = other.kind()
        ))),
    }
}

pub(super) fn truth(value: &Value) -> Result<bool, Message> {
    match value {
        Value::Truth(truth) => Ok(*truth),
        other => Err(other.named_in(message!(
            "truth-expected",
            "expected true or false, found {found}",
            found = other.kind()
        ))),
    }
}

pub(super) fn count(value: &Value) -> Result<u8, Message> {
    match value {
        Value::Number(number) => number.parse().map_err(|_| {
            message!(
                "count-out-of-range",
                "invalid number `{number}`; expected a whole number from 0 to 255",
                number
            )
        }),
        other => Err(other.named_in(message!(
            "integer-expected",
            "expected an integer, found {found}",
            found = other.kind()
        ))),
    }
}

/// Parses an amount such as `12.50`, or returns an error that names the invalid amount.
pub(super) fn cents(text: &str) -> Result<Cents, Message> {
    text.parse().map_err(|error: NotAnAmount| error.why())
}

pub(super) fn money(value: &Value) -> Result<Cents, Message> {
    match value {
        Value::Text(text) | Value::Number(text) => cents(text),
        other => Err(other.named_in(message!(
            "amount-expected",
            "expected an amount such as \"12.50\", found {found}",
            found = other.kind()
        ))),
    }
}

/// Parses a decimal number, and returns it in units of `10^-places`.
///
/// A number of more than `most` units is an error. The error holds the invalid number, or `None` if the value is
/// not a number at all.
fn decimal(value: &Value, places: usize, most: u64) -> Result<u64, Option<&str>> {
    let (Value::Number(text) | Value::Text(text)) = value else { return Err(None) };
    let bad = Some(text.as_str());
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || part.len() > places || !digits(whole) || !digits(part) {
        return Err(bad);
    }
    let all: u64 = format!("{whole}{part:0<places$}").parse().map_err(|_| bad)?;
    if all > most { Err(bad) } else { Ok(all) }
}

pub(super) fn share(value: &Value) -> Result<Millionths, Message> {
    let parsed = decimal(value, 6, 1_000_000).map_err(|wrong| match wrong {
        Some(number) => message!(
            "fraction-invalid",
            "invalid number `{number}`; expected a number such as 0.25, from 0 to 1",
            number
        ),
        None => value.named_in(message!(
            "fraction-expected",
            "expected a number such as 0.25, from 0 to 1, found {found}",
            found = value.kind()
        )),
    });
    Ok(Millionths(parsed? as u32))
}

pub(super) fn percent(value: &Value) -> Result<u32, Message> {
    let parsed = decimal(value, 2, 1_000_000).map_err(|wrong| match wrong {
        Some(number) => message!(
            "percentage-invalid",
            "invalid number `{number}`; expected a percentage without the % sign, such as 75",
            number
        ),
        None => value.named_in(message!(
            "percentage-expected",
            "expected a percentage without the % sign, such as 75; found {found}",
            found = value.kind()
        )),
    });
    Ok(parsed? as u32)
}

/// Parses the name of a paytable: a digit, a letter or a word; a digit may be written without quotes.
pub(super) fn paytable_name(value: &Value) -> Result<String, Message> {
    match value {
        Value::Text(name) | Value::Number(name) => Ok(name.clone()),
        other => Err(other.named_in(message!(
            "paytable-expected",
            "expected a paytable name, found {found}",
            found = other.kind()
        ))),
    }
}

/// Returns the error for a value that should have been an inline table such as `example`.
fn not_a_table(value: &Value, example: &str) -> Message {
    value.named_in(message!(
        "table-expected",
        "expected a table such as {example}, found {found}",
        example,
        found = value.kind()
    ))
}

/// Returns the error for a value that should have been a list such as `example`.
fn not_a_list(value: &Value, example: &str) -> Message {
    value.named_in(message!(
        "list-expected",
        "expected a list such as {example}, found {found}",
        example,
        found = value.kind()
    ))
}

pub(super) fn awards(value: &Value) -> Result<BTreeMap<Cents, BTreeMap<Cents, u32>>, Message> {
    let Value::Table(table) = value else {
        return Err(not_a_table(value, "{ \"1\" = { \"5\" = 60, \"20\" = 40 } }"));
    };
    table.iter().map(|(wager, value)| Ok((cents(wager)?, weights(value)?))).collect()
}

pub(super) fn weights(value: &Value) -> Result<BTreeMap<Cents, u32>, Message> {
    let Value::Table(table) = value else {
        return Err(value.named_in(message!(
            "weights-expected",
            "expected awards with weights such as {example}, found {found}",
            example = "{ \"5\" = 60 }",
            found = value.kind()
        )));
    };
    let weight = |value: &Value| match value {
        Value::Number(number) => number
            .parse::<u32>()
            .ok()
            .filter(|w| *w <= 1_000_000_000)
            .ok_or_else(|| message!("weight-invalid", "invalid weight `{number}`", number)),
        other => Err(other.named_in(message!(
            "weight-expected",
            "expected a whole number as the weight, found {found}",
            found = other.kind()
        ))),
    };
    table.iter().map(|(award, value)| Ok((cents(award)?, weight(value)?))).collect()
}

pub(super) fn bonus_payouts(value: &Value) -> Result<BonusPayouts, Message> {
    let Value::List(list) = value else {
        return Err(not_a_list(value, "[\"suited-678\"]"));
    };
    let mut payouts = BonusPayouts::NONE;
    for item in list {
        match text(item)? {
            "suited-678" => payouts.suited_678 = Offered::Yes,
            "three-sevens" => payouts.three_sevens = Offered::Yes,
            "five-card-21" => payouts.five_card_21 = Offered::Yes,
            other => match other.strip_prefix("blackjack:").map(parse_cards) {
                Some(Ok(cards)) => {
                    let pair: [Card; 2] = cards.try_into().map_err(|_| {
                        message!("two-cards-expected", "`{value}` must name two cards", value = other)
                    })?;
                    payouts.blackjacks.push(pair);
                }
                Some(Err(error)) => return Err(error.why()),
                None => {
                    let known = ["suited-678", "three-sevens", "five-card-21", "blackjack:As Ks"];
                    let unknown = message!(
                        "special-payout-unknown",
                        "unknown special payout `{value}`; expected {choices}",
                        value = other,
                        choices = one_of(&known)
                    );
                    return Err(unknown.id("choices", &known.join(", ")));
                }
            },
        }
    }
    Ok(payouts)
}

/// Parses the odds of several paytable lines, such as `{ "four-of-a-kind" = "60 to 1" }`.
///
/// A single number stands for odds to 1.
pub(super) fn line_odds(value: &Value) -> Result<BTreeMap<String, Odds>, Message> {
    let Value::Table(table) = value else {
        return Err(value.named_in(message!(
            "line-odds-expected",
            "expected lines with their odds such as {example}, found {found}",
            example = "{ \"four-of-a-kind\" = \"60 to 1\" }",
            found = value.kind()
        )));
    };
    table.iter().map(|(line, value)| Ok((own::key(line), odds(value)?))).collect()
}

pub(super) fn odds(value: &Value) -> Result<Odds, Message> {
    match value {
        Value::Text(text) | Value::Number(text) => text.parse().map_err(|_| {
            message!("odds-invalid", "invalid odds `{value}`; expected odds such as 3 to 2", value = text)
        }),
        other => Err(other.named_in(message!(
            "odds-expected",
            "expected odds such as \"3 to 2\", found {found}",
            found = other.kind()
        ))),
    }
}

pub(super) fn own_procedures(value: &Value) -> Result<Vec<OwnProcedure>, Message> {
    let Value::List(list) = value else {
        return Err(not_a_list(value, "[\"no-cutting-card\"]"));
    };
    let mut own = Vec::new();
    for item in list {
        let procedure = word(item, OwnProcedure::WORDS, OwnProcedure::from_word)?;
        if !own.contains(&procedure) {
            own.push(procedure);
        }
    }
    own.sort();
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::one_of;

    #[test]
    fn words_are_joined_as_they_are_spoken() {
        assert_eq!(one_of(&["a"]), "\"a\"");
        assert_eq!(one_of(&["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
    }
}
