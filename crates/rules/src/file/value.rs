//! Values of a table file, and how each kind of key parses them.

use crate::card::{Card, parse_cards};
use crate::choice::{BonusPayouts, Millionths, Offered, OwnProcedure};
use crate::odds::{Cents, Odds};
use crate::wager::own;
use std::collections::BTreeMap;
use toml::de::DeValue;

/// A value of a table file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Text between quotes.
    Text(String),
    /// A number as written.
    Number(String),
    /// `true` or `false`.
    Truth(bool),
    /// A list.
    List(Vec<Value>),
    /// A section or an inline table.
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

pub(super) fn word<T>(value: &Value, words: &[&str], find: fn(&str) -> Option<T>) -> Result<T, String> {
    let word = text(value)?;
    find(word).ok_or_else(|| format!("invalid value `{word}`; expected {}", one_of(words)))
}

pub(super) fn text(value: &Value) -> Result<&str, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(format!("expected a quoted string, found {}", other.kind())),
    }
}

pub(super) fn truth(value: &Value) -> Result<bool, String> {
    match value {
        Value::Truth(truth) => Ok(*truth),
        other => Err(format!("expected true or false, found {}", other.kind())),
    }
}

pub(super) fn count(value: &Value) -> Result<u8, String> {
    match value {
        Value::Number(number) => number
            .parse()
            .map_err(|_| format!("invalid number `{number}`; expected a whole number from 0 to 255")),
        other => Err(format!("expected an integer, found {}", other.kind())),
    }
}

pub(super) fn money(value: &Value) -> Result<Cents, String> {
    match value {
        Value::Text(text) | Value::Number(text) => text.parse().map_err(|error| format!("{error}")),
        other => Err(format!("expected an amount such as \"12.50\", found {}", other.kind())),
    }
}

/// Parses a decimal number from 0 to `most`, in units of `10^-places`.
fn decimal(value: &Value, places: usize, most: u64, example: &str) -> Result<u64, String> {
    let bad = |text: &str| format!("invalid number `{text}`; expected a number such as {example}");
    let (Value::Number(text) | Value::Text(text)) = value else {
        return Err(format!("expected a number such as {example}, found {}", value.kind()));
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || part.len() > places || !digits(whole) || !digits(part) {
        return Err(bad(text));
    }
    let all: u64 = format!("{whole}{part:0<places$}").parse().map_err(|_| bad(text))?;
    if all > most {
        return Err(bad(text));
    }
    Ok(all)
}

pub(super) fn share(value: &Value) -> Result<Millionths, String> {
    Ok(Millionths(decimal(value, 6, 1_000_000, "0.25, from 0 to 1")? as u32))
}

pub(super) fn percent(value: &Value) -> Result<u32, String> {
    Ok(decimal(value, 2, 1_000_000, "75, a percentage")? as u32)
}

/// Parses the name of a paytable: a digit, a letter or a word. A digit may be written without quotes.
pub(super) fn paytable_name(value: &Value) -> Result<String, String> {
    match value {
        Value::Text(name) | Value::Number(name) => Ok(name.clone()),
        other => Err(format!("expected the name of a pay table, found {}", other.kind())),
    }
}

pub(super) fn awards(value: &Value) -> Result<BTreeMap<Cents, BTreeMap<Cents, u32>>, String> {
    let Value::Table(table) = value else {
        return Err(format!(
            "expected a table such as {{ \"1\" = {{ \"5\" = 60, \"20\" = 40 }} }}, found {}",
            value.kind()
        ));
    };
    table
        .iter()
        .map(|(wager, value)| Ok((wager.parse().map_err(|e| format!("{e}"))?, weights(value)?)))
        .collect()
}

pub(super) fn weights(value: &Value) -> Result<BTreeMap<Cents, u32>, String> {
    let Value::Table(table) = value else {
        return Err(format!("expected awards with weights such as {{ \"5\" = 60 }}, found {}", value.kind()));
    };
    let weight = |value: &Value| match value {
        Value::Number(number) => number
            .parse::<u32>()
            .ok()
            .filter(|w| *w <= 1_000_000_000)
            .ok_or_else(|| format!("invalid weight `{number}`")),
        other => Err(format!("expected a whole number as the weight, found {}", other.kind())),
    };
    table
        .iter()
        .map(|(award, value)| Ok((award.parse().map_err(|e| format!("{e}"))?, weight(value)?)))
        .collect()
}

pub(super) fn bonus_payouts(value: &Value) -> Result<BonusPayouts, String> {
    let Value::List(list) = value else {
        return Err(format!("expected a list such as [\"suited-678\"], found {}", value.kind()));
    };
    let mut payouts = BonusPayouts::NONE;
    for item in list {
        match text(item)? {
            "suited-678" => payouts.suited_678 = Offered::Yes,
            "three-sevens" => payouts.three_sevens = Offered::Yes,
            "five-card-21" => payouts.five_card_21 = Offered::Yes,
            other => match other.strip_prefix("blackjack:").map(parse_cards) {
                Some(Ok(cards)) => {
                    let pair: [Card; 2] =
                        cards.try_into().map_err(|_| format!("`{other}` must name two cards"))?;
                    payouts.blackjacks.push(pair);
                }
                Some(Err(error)) => return Err(error.to_string()),
                None => {
                    let known = ["suited-678", "three-sevens", "five-card-21", "blackjack:As Ks"];
                    return Err(format!("unknown special payout `{other}`; expected {}", one_of(&known)));
                }
            },
        }
    }
    Ok(payouts)
}

/// Parses odds by the name of their line, such as `{ "four-of-a-kind" = "60 to 1" }`; a single number is to one.
pub(super) fn line_odds(value: &Value) -> Result<BTreeMap<String, Odds>, String> {
    let Value::Table(table) = value else {
        return Err(format!(
            "expected lines with their odds such as {{ \"four-of-a-kind\" = \"60 to 1\" }}, found {}",
            value.kind()
        ));
    };
    table.iter().map(|(line, value)| Ok((own::key(line), odds(value)?))).collect()
}

pub(super) fn odds(value: &Value) -> Result<Odds, String> {
    match value {
        Value::Text(text) | Value::Number(text) => {
            text.parse().map_err(|_| format!("invalid odds `{text}`; expected odds such as 3 to 2"))
        }
        other => Err(format!("expected odds such as \"3 to 2\", found {}", other.kind())),
    }
}

pub(super) fn own_procedures(value: &Value) -> Result<Vec<OwnProcedure>, String> {
    let Value::List(list) = value else {
        return Err(format!("expected a list such as [\"no-cutting-card\"], found {}", value.kind()));
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
