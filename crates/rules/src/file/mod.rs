//! The table file: TOML in, [`Choices`] out, and back. Every error names the line, the key and what would be right.

mod keys;
mod show;
mod value;

pub use keys::{KEYS, Key};
pub use show::show;
pub use value::Value;

use crate::choice::*;
use crate::odds::Odds;
use crate::preset;
use crate::ruling::{RULINGS, Rulings};
use crate::suggest::closest;
use crate::text::nj_blackjack;
use crate::wager::{SideWager, own};
use keys::SIDE_KEYS;
use std::collections::BTreeMap;
use std::fmt;
use toml::de::{DeTable, DeValue};
use value::{awards, convert, count, line_odds, money, odds, one_of, paytable_name, percent, text, weights};

/// An error in a table file and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// The line of the file, if there is one.
    pub line: Option<usize>,
    /// The key, with its section before a dot.
    pub key: String,
    /// The error, and what to write instead.
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}

/// Parses a table file.
pub fn parse(file: &str) -> Result<Choices, FileError> {
    let table = DeTable::parse(file).map_err(|error| FileError {
        line: error.span().map(|span| line_of(file, span.start)),
        key: String::new(),
        message: format!("this is not TOML: {}", error.message().trim()),
    })?;
    let mut entries = Vec::new();
    flatten(file, "", table.get_ref(), &mut entries);
    // game, variation and jurisdiction select the preset that supplies the rest
    let mut start = nj_blackjack::preset();
    for (key, value, line) in &entries {
        if ["game", "variation", "jurisdiction"].contains(&key.as_str()) {
            set_value(&mut start, key, value).map_err(|message| at(*line, key, message))?;
        }
    }
    let mut choices = preset::base(&start);
    for (key, value, line) in &entries {
        set_value(&mut choices, key, value).map_err(|message| at(*line, key, message))?;
    }
    Ok(choices)
}

fn at(line: usize, key: &str, message: String) -> FileError {
    FileError { line: Some(line), key: key.to_string(), message }
}

/// Sets one key as on the command line: a dotted key, and a value as in TOML, where a bare word is text.
pub fn set(choices: &mut Choices, assignment: &str) -> Result<(), FileError> {
    let error = |key: &str, message: String| FileError { line: None, key: key.to_string(), message };
    let (key, value) = assignment
        .split_once('=')
        .ok_or_else(|| error(assignment, "expected KEY=VALUE, such as decks=6".to_string()))?;
    let (key, value) = (key.trim(), value.trim());
    let line = format!("v = {value}");
    let parsed = DeTable::parse(&line).ok().and_then(|table| {
        let table = table.into_inner();
        (table.len() == 1).then(|| table.iter().next().map(|(_, value)| convert(value.get_ref())))?
    });
    let value = parsed.unwrap_or_else(|| Value::Text(value.to_string()));
    set_value(choices, key, &value).map_err(|message| error(key, message))
}

/// Sets one dotted key.
pub fn set_value(choices: &mut Choices, key: &str, value: &Value) -> Result<(), String> {
    if let Some(known) = KEYS.iter().find(|known| known.name == key) {
        return (known.set)(choices, value);
    }
    let mut parts = key.splitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("side_wagers"), Some(name), inner) => side_wager(choices, name, inner, value),
        (Some("rulings"), Some(name), None) => ruling(&mut choices.rulings, name, value),
        (Some("multiple_action"), Some("required"), None) => {
            choices.multiple_action_required = count(value)?;
            Ok(())
        }
        (Some(section @ ("side_wagers" | "rulings" | "multiple_action")), None, None) => match value {
            Value::Table(inner) => inner
                .iter()
                .try_for_each(|(name, value)| set_value(choices, &format!("{section}.{name}"), value)),
            other => Err(format!("`{section}` is a section, not {}", other.kind())),
        },
        _ => Err(unknown(key, &all_keys())),
    }
}

fn all_keys() -> Vec<String> {
    let mut keys: Vec<String> = KEYS.iter().map(|key| key.name.to_string()).collect();
    keys.extend(["side_wagers", "rulings", "multiple_action.required"].map(String::from));
    keys.extend(SideWager::WORDS.iter().map(|name| format!("side_wagers.{name}")));
    keys.extend(RULINGS.iter().map(|ruling| format!("rulings.{}", ruling.key)));
    keys
}

/// The maximum number of extra letters in a misspelled key.
const MISSPELT_BY: usize = 16;

fn unknown(word: &str, known: &[String]) -> String {
    // A word much longer than any known one is not a misspelling, and comparing it would take long.
    let longest = known.iter().map(|key| key.len()).max().unwrap_or(0) + MISSPELT_BY;
    if word.len() > longest {
        let begins: String = word.chars().take(longest).collect();
        return format!("unknown key `{begins}…` in a table file");
    }
    match closest(word, known.iter().map(String::as_str)) {
        Some(nearest) => format!("unknown key `{word}` in a table file; the nearest is `{nearest}`"),
        None => format!("unknown key `{word}` in a table file"),
    }
}

fn side_wager(choices: &mut Choices, name: &str, inner: Option<&str>, value: &Value) -> Result<(), String> {
    let names: Vec<String> = SideWager::WORDS.iter().map(ToString::to_string).collect();
    let wager = SideWager::from_word(name).ok_or_else(|| unknown(name, &names))?;
    let Some(inner) = inner else {
        return match value {
            Value::Truth(false) => {
                choices.side_wagers.remove(&wager);
                Ok(())
            }
            Value::Truth(true) => {
                choices.side_wagers.entry(wager).or_insert_with(|| SideOffer::of(wager));
                Ok(())
            }
            Value::Table(table) => {
                choices.side_wagers.entry(wager).or_insert_with(|| SideOffer::of(wager));
                table.iter().try_for_each(|(key, value)| side_wager(choices, name, Some(key), value))
            }
            other => Err(format!("`side_wagers.{name}` is a section, not {}", other.kind())),
        };
    };
    let owner = inner.split('.').next().and_then(SideWager::with_key);
    if let Some(owner) = owner.filter(|owner| *owner != wager) {
        return Err(format!("`{inner}` is a key of {}, not of {name}", owner.word()));
    }
    let offer = choices.side_wagers.entry(wager).or_insert_with(|| SideOffer::of(wager));
    match inner {
        "odds" => offer.odds = known_lines(wager, line_odds(value)?)?,
        "paytable" => offer.paytable = Some(paytable_name(value)?),
        "minimum" => offer.minimum = money(value)?,
        "maximum" => offer.maximum = money(value)?,
        "meter" => offer.meter = Some(money(value)?),
        "seed" => offer.seed = money(value)?,
        "rate" => offer.rate = percent(value)?,
        "awards" => offer.awards = awards(value)?,
        "cap" => offer.cap = Some(money(value)?),
        _ if inner.starts_with("odds.") => {
            let line = own::key(inner["odds.".len()..].trim_matches('"'));
            offer.odds.extend(known_lines(wager, [(line, odds(value)?)].into())?);
        }
        _ => match inner.strip_prefix("awards.") {
            Some(denomination) => {
                let denomination = denomination.trim_matches('"').parse().map_err(|e| format!("{e}"))?;
                offer.awards.insert(denomination, weights(value)?);
            }
            None => return Err(unknown(inner, &SIDE_KEYS.map(String::from))),
        },
    }
    Ok(())
}

/// Checks that a paytable of this side bet has these lines.
fn known_lines(wager: SideWager, lines: BTreeMap<String, Odds>) -> Result<BTreeMap<String, Odds>, String> {
    let names = own::names(wager);
    match lines.keys().find(|line| !names.contains(line)) {
        Some(line) => Err(format!(
            "unknown line `{line}` of {}; expected {}",
            wager.word(),
            one_of(&names.iter().map(String::as_str).collect::<Vec<_>>())
        )),
        None => Ok(lines),
    }
}

fn ruling(rulings: &mut Rulings, key: &str, value: &Value) -> Result<(), String> {
    let word = text(value)?;
    rulings.set(key, word).map_err(|words| match words {
        Some(words) => format!("unknown reading `{word}`; expected {}", one_of(words)),
        None => unknown(key, &RULINGS.iter().map(|ruling| ruling.key.to_string()).collect::<Vec<_>>()),
    })
}

/// Flattens the document into dotted keys with their line numbers. Opens sections, and inline tables of known sections.
fn flatten(file: &str, prefix: &str, table: &DeTable<'_>, entries: &mut Vec<(String, Value, usize)>) {
    for (key, value) in table.iter() {
        let line = line_of(file, key.span().start);
        let name =
            if prefix.is_empty() { key.get_ref().to_string() } else { format!("{prefix}.{}", key.get_ref()) };
        let opened = ["side_wagers", "rulings", "multiple_action"].contains(&name.as_str())
            || (prefix == "side_wagers" && SideWager::from_word(key.get_ref()).is_some());
        match value.get_ref() {
            DeValue::Table(inner) if opened => {
                if prefix == "side_wagers" {
                    entries.push((name.clone(), Value::Truth(true), line));
                }
                flatten(file, &name, inner, entries);
            }
            other => entries.push((name, convert(other), line)),
        }
    }
}

fn line_of(file: &str, offset: usize) -> usize {
    file.as_bytes()[..offset.min(file.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A megabyte of nonsense is quoted only by its beginning, and not compared.
    #[test]
    fn a_word_that_nobody_means_is_not_compared() {
        let long = "x".repeat(1 << 20);
        let error = parse(&format!("{long} = 1")).expect_err("unknown").to_string();
        assert!(error.contains("unknown key `xxx") && error.contains("line 1") && !error.contains("nearest"));
        let longest = all_keys().iter().map(String::len).max().expect("keys") + MISSPELT_BY;
        let said = |letters: usize| set(&mut nj_blackjack::preset(), &format!("{}=6", "x".repeat(letters)));
        let said = |letters| said(letters).expect_err("unknown").message;
        assert_eq!(said(longest), format!("unknown key `{}` in a table file", "x".repeat(longest)));
        assert_eq!(said(longest + 1), format!("unknown key `{}…` in a table file", "x".repeat(longest)));
        let error = set(&mut nj_blackjack::preset(), "decs=6");
        assert!(error.expect_err("unknown").message.contains("nearest is `decks`"));
    }
}
