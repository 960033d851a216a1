//! Reads and writes table files: parses TOML into [`Choices`], and formats choices as TOML.
//!
//! Every error names the line, the key and what to write instead.

mod keys;
mod show;
mod value;

pub use keys::{KEYS, Key};
pub use show::show;
pub use value::Value;

use crate::choice::*;
use crate::message::Message;
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
use value::{
    awards, cents, convert, count, line_odds, money, odds, one_of, paytable_name, percent, text, weights,
};

/// An error in a table file, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// The line number in the file, counted from 1, or `None` for an error without a line.
    pub line: Option<usize>,
    /// The key with the error, such as `rulings.lone_seven`, or empty if the file is not TOML.
    pub key: String,
    /// The error in words, with what to write instead.
    pub message: String,
    /// The stable code under which a page finds the message's translation.
    pub code: &'static str,
    /// The placeholder names in the message, with their values.
    pub params: Vec<(&'static str, String)>,
}

impl FileError {
    fn new(line: Option<usize>, key: &str, message: impl Into<Message>) -> FileError {
        let Message { code, text, params } = message.into();
        FileError { line, key: key.to_string(), message: text.into_owned(), code, params }
    }

    /// Returns the error as a message that a page can translate.
    ///
    /// The message's values include the line (`file_line`) and the key (`file_key`), if the error has them.
    pub fn why(&self) -> Message {
        let mut params = self.params.clone();
        params.extend(self.line.map(|line| ("file_line", line.to_string())));
        if !self.key.is_empty() {
            params.push(("file_key", self.key.clone()));
        }
        Message { code: self.code, text: self.to_string().into(), params }
    }
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
///
/// Keys that the file omits come from the preset for its game, variation and jurisdiction. Returns an error for
/// the first unknown key or invalid value.
pub fn parse(file: &str) -> Result<Choices, FileError> {
    let table = DeTable::parse(file).map_err(|error| {
        let line = error.span().map(|span| line_of(file, span.start));
        let mut wrong = FileError::new(line, "", message!("not-toml", "the table file is not valid TOML"));
        // the parser has its reason in English only
        wrong.message = format!("{}: {}", wrong.message, error.message().trim());
        wrong
    })?;
    let mut entries = Vec::new();
    flatten(file, "", table.get_ref(), &mut entries);
    // game, variation and jurisdiction select the preset that supplies the rest
    let mut start = nj_blackjack::preset();
    for (key, value, line) in &entries {
        if ["game", "variation", "jurisdiction"].contains(&key.as_str()) {
            set_value(&mut start, key, value).map_err(|message| FileError::new(Some(*line), key, message))?;
        }
    }
    let mut choices = preset::base(&start);
    for (key, value, line) in &entries {
        set_value(&mut choices, key, value).map_err(|message| FileError::new(Some(*line), key, message))?;
    }
    Ok(choices)
}

/// Applies one command-line assignment, such as `decks=6`.
///
/// A key of a section contains a dot, as in `rulings.lone_seven=either`. The value is written as in TOML; a single
/// word needs no quotes.
pub fn set(choices: &mut Choices, assignment: &str) -> Result<(), FileError> {
    let (key, value) = assignment.split_once('=').ok_or_else(|| {
        let message = message!("assignment-expected", "expected KEY=VALUE, such as decks=6");
        FileError::new(None, assignment, message)
    })?;
    let (key, value) = (key.trim(), value.trim());
    let line = format!("v = {value}");
    let parsed = DeTable::parse(&line).ok().and_then(|table| {
        let table = table.into_inner();
        (table.len() == 1).then(|| table.iter().next().map(|(_, value)| convert(value.get_ref())))?
    });
    let value = parsed.unwrap_or_else(|| Value::Text(value.to_string()));
    set_value(choices, key, &value).map_err(|message| FileError::new(None, key, message))
}

/// Sets a key of the table file, such as `rulings.lone_seven`.
///
/// Returns an error if the key is unknown or does not accept the value.
pub fn set_value(choices: &mut Choices, key: &str, value: &Value) -> Result<(), Message> {
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
            other => Err(not_a_section(section, other)),
        },
        _ => Err(unknown(key, &all_keys())),
    }
}

/// Returns the error for assigning a single value to a whole section.
fn not_a_section(section: &str, value: &Value) -> Message {
    value.named_in(message!(
        "section-expected",
        "`{section}` must be a section, not {found}",
        section,
        found = value.kind()
    ))
}

fn all_keys() -> Vec<String> {
    let mut keys: Vec<String> = KEYS.iter().map(|key| key.name.to_string()).collect();
    keys.extend(["side_wagers", "rulings", "multiple_action.required"].map(String::from));
    keys.extend(SideWager::WORDS.iter().map(|name| format!("side_wagers.{name}")));
    keys.extend(RULINGS.iter().map(|ruling| format!("rulings.{}", ruling.key)));
    keys
}

/// The number of letters by which a misspelled key may be longer than the longest known key.
const MAX_EXTRA_LETTERS: usize = 16;

fn unknown(word: &str, known: &[String]) -> Message {
    // A word much longer than any known one is not a misspelling, and comparing it would take long.
    let longest = known.iter().map(|key| key.len()).max().unwrap_or(0) + MAX_EXTRA_LETTERS;
    if word.len() > longest {
        let begins: String = word.chars().take(longest).collect();
        return unknown_key(&format!("{begins}…"));
    }
    match closest(word, known.iter().map(String::as_str)) {
        Some(nearest) => message!(
            "unknown-key-nearest",
            "unknown key `{word}` in a table file; the nearest is `{nearest}`",
            word,
            nearest
        ),
        None => unknown_key(word),
    }
}

fn unknown_key(word: &str) -> Message {
    message!("unknown-key", "unknown key `{word}` in a table file", word)
}

fn side_wager(choices: &mut Choices, name: &str, inner: Option<&str>, value: &Value) -> Result<(), Message> {
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
            other => Err(not_a_section(&format!("side_wagers.{name}"), other)),
        };
    };
    let owner = inner.split('.').next().and_then(SideWager::with_key);
    if let Some(owner) = owner.filter(|owner| *owner != wager) {
        return Err(message!(
            "key-of-another-bet",
            "`{word}` is a key of {side_bet}, not of {other_bet}",
            word = inner,
            side_bet = owner.word(),
            other_bet = name
        ));
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
                let denomination = cents(denomination.trim_matches('"'))?;
                offer.awards.insert(denomination, weights(value)?);
            }
            None => return Err(unknown(inner, &SIDE_KEYS.map(String::from))),
        },
    }
    Ok(())
}

/// Returns `lines` if each is the name of a paytable line of this side bet, or an error otherwise.
fn known_lines(wager: SideWager, lines: BTreeMap<String, Odds>) -> Result<BTreeMap<String, Odds>, Message> {
    let names = own::names(wager);
    match lines.keys().find(|line| !names.contains(line)) {
        Some(line) => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let unknown = message!(
                "unknown-line",
                "unknown line `{line}` of {side_bet}; expected {choices}",
                line,
                side_bet = wager.word(),
                choices = one_of(&names)
            );
            Err(unknown.id("choices", &names.join(", ")))
        }
        None => Ok(lines),
    }
}

fn ruling(rulings: &mut Rulings, key: &str, value: &Value) -> Result<(), Message> {
    let word = text(value)?;
    rulings.set(key, word).map_err(|words| match words {
        Some(words) => message!(
            "unknown-reading",
            "unknown reading `{value}`; expected {choices}",
            value = word,
            choices = one_of(words)
        )
        .id("choices", &words.join(", ")),
        None => unknown(key, &RULINGS.iter().map(|ruling| ruling.key.to_string()).collect::<Vec<_>>()),
    })
}

/// Flattens the document into dotted keys, each with its value and line number.
///
/// Only known sections are flattened, including those written as inline tables.
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
        let longest = all_keys().iter().map(String::len).max().expect("keys") + MAX_EXTRA_LETTERS;
        let said = |letters: usize| set(&mut nj_blackjack::preset(), &format!("{}=6", "x".repeat(letters)));
        let said = |letters| said(letters).expect_err("unknown").message;
        assert_eq!(said(longest), format!("unknown key `{}` in a table file", "x".repeat(longest)));
        assert_eq!(said(longest + 1), format!("unknown key `{}…` in a table file", "x".repeat(longest)));
        let error = set(&mut nj_blackjack::preset(), "decs=6");
        assert!(error.expect_err("unknown").message.contains("nearest is `decks`"));
    }
}
