//! Loads tables and strategies by name, or from files that people wrote.

use crate::Failure;
use program::Chart;
use rules::file::FileError;
use rules::lawful::{Report, Rules};
use rules::suggest::closest;
use rules::{Choices, file, preset};
use std::io::Read;

/// The maximum size of a text file in bytes; a table file normally has a page or two of text.
const MOST_BYTES: u64 = 1 << 20;

/// The file name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Returns the name by which messages call the file at `path`: "standard input" for `-`, and otherwise the path.
fn called(path: &str) -> &str {
    if path == STANDARD_INPUT { "standard input" } else { path }
}

/// Reads a text file that a person wrote; `-` is standard input.
///
/// Returns an error if the file cannot be read, is too large, or is not UTF-8.
pub fn read_text(path: &str) -> Result<String, Failure> {
    let failed = |why: String| Failure::NotUnderstood(format!("{}: {why}", called(path)));
    let unreadable =
        |error: std::io::Error| Failure::NotUnderstood(format!("cannot read {}: {error}", called(path)));
    let file: Box<dyn Read> = match path {
        STANDARD_INPUT => Box::new(std::io::stdin()),
        path => Box::new(std::fs::File::open(path).map_err(unreadable)?),
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(failed("the file is too large".to_string()));
    }
    let text = String::from_utf8(bytes).map_err(|_| failed("the file is not UTF-8 text".to_string()))?;
    // some editors start a file with a byte order mark
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

/// Reads the chart of a strategy from a file.
///
/// The file is the output of `cutcard strategy --format json`, or has the simpler form described in
/// docs/simulate.md.
pub fn read_chart(path: &str) -> Result<Chart, Failure> {
    let text = read_text(path)?;
    Chart::from_json(&text).map_err(|error| Failure::NotUnderstood(format!("{}: {error}", called(path))))
}

/// Loads a preset or a table file, and applies changes such as `decks=6`.
///
/// The table need not be legal.
pub fn choices(table: &str, changes: &[String]) -> Result<Choices, Failure> {
    let mut choices = preset_or_file(table)?;
    change(&mut choices, changes)?;
    Ok(choices)
}

/// Loads the table named in the `table` line of a round file.
///
/// The table need not be legal. Error messages name no command-line flag, unlike those of [`choices`].
pub fn of_table_line(table: &str, changes: &[String]) -> Result<Choices, Failure> {
    let mut choices = preset_or_file(table)?;
    for assignment in changes {
        file::set(&mut choices, assignment).map_err(|error| Failure::NotUnderstood(naming_key(&error)))?;
    }
    Ok(choices)
}

/// Returns the message of an error in a table file, with the wrong key added if the message does not name that
/// key.
fn naming_key(error: &FileError) -> String {
    let quoted = format!("`{}`", error.key);
    if error.message.contains(&quoted) { error.message.clone() } else { error.to_string() }
}

fn preset_or_file(table: &str) -> Result<Choices, Failure> {
    match preset::preset(table) {
        Some(preset) => Ok(preset),
        None => parsed(table),
    }
}

/// Applies changes such as `decks=6` to the options of a table.
///
/// Returns an error if a key is unknown or a value is invalid.
pub fn change(choices: &mut Choices, changes: &[String]) -> Result<(), Failure> {
    for assignment in changes {
        file::set(choices, assignment)
            .map_err(|error| Failure::NotUnderstood(format!("--set {assignment}: {error}")))?;
    }
    Ok(())
}

/// Returns the rules of a table, or an error of one sentence if the table is not legal.
pub fn lawful(choices: Choices) -> Result<Rules, Failure> {
    let name = choices.name.clone();
    Rules::new(choices).map_err(|report| Failure::Refused(unlawful(&name, &report)))
}

/// Reads and parses a table file.
///
/// Returns an error if the file is empty or invalid.
fn parsed(table: &str) -> Result<Choices, Failure> {
    let text = read_table(table)?;
    let failed = |why: String| Failure::NotUnderstood(format!("{}: {why}", called(table)));
    let says_something = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    if !text.lines().any(says_something) {
        let why = "the table file is empty; add at least the game, such as game = \"blackjack\"";
        return Err(failed(why.to_string()));
    }
    file::parse(&text).map_err(|error| failed(error.to_string()))
}

fn read_table(table: &str) -> Result<String, Failure> {
    match std::fs::exists(table) {
        _ if table == STANDARD_INPUT => read_text(table),
        Ok(true) => read_text(table),
        _ => Err(Failure::NotUnderstood(no_such_table(table))),
    }
}

fn no_such_table(table: &str) -> String {
    match closest(table, preset::PRESETS.iter().map(|(name, _)| *name)) {
        Some(nearest) => {
            format!("no preset or file is named `{table}`; the nearest preset is `{nearest}`")
        }
        None => format!("no preset or file is named `{table}`; `cutcard tables` lists the presets"),
    }
}

/// Returns the error message for a table that is not legal, which names the first violated clause.
pub fn unlawful(name: &str, report: &Report) -> String {
    let more = match report.violations.len() {
        0 | 1 => String::new(),
        all => format!(" (one of {all} violations; `cutcard check` lists them)"),
    };
    match report.violations.first() {
        Some(first) => format!("{name} is not a legal table under {}: {}{more}", first.clause, first.message),
        None => format!("{name} is not a legal table"),
    }
}
