//! The table that a command is about: a preset's name or the path of a file, with `--set` overrides.

use crate::failure::Failure;
use clap::Args;
use program::Chart;
use rules::lawful::{Report, Rules};
use rules::{Choices, file, preset};
use std::io::Read;

/// A table file is a page or two; whatever is larger is something else.
const MOST_BYTES: u64 = 1 << 20;

/// The arguments that every command about a table has.
#[derive(Args)]
pub struct TableArgs {
    /// A preset's name (see `cutcard tables`) or the path of a table file.
    #[arg(value_name = "TABLE")]
    table: String,
    /// Override a key: `--set decks=6`, `--set side_wagers.match.minimum=5`.
    #[arg(long = "set", value_name = "K=V")]
    overrides: Vec<String>,
}

/// Reads a text file that a person wrote.
pub fn read_text(path: &str) -> Result<String, Failure> {
    let failed = |why: String| Failure::NotUnderstood(format!("{path}: {why}"));
    let unreadable = |error: std::io::Error| failed(format!("the file cannot be read: {error}"));
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(failed("this is too large".to_string()));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| failed("this is not a text file in UTF-8".to_string()))?;
    // some editors begin a text with this mark
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

/// Reads a strategy: what `cutcard strategy --format json` prints, or the plainer form of docs/simulate.md.
pub fn read_chart(path: &str) -> Result<Chart, Failure> {
    let text = read_text(path)?;
    Chart::from_json(&text).map_err(|error| Failure::NotUnderstood(format!("{path}: {error}")))
}

impl TableArgs {
    pub fn new(table: String, overrides: Vec<String>) -> TableArgs {
        TableArgs { table, overrides }
    }

    /// The choices, lawful or not.
    pub fn choices(&self) -> Result<Choices, Failure> {
        let mut choices = match preset::preset(&self.table) {
            Some(preset) => preset,
            None => file::parse(&self.read()?)
                .map_err(|error| Failure::NotUnderstood(format!("{}: {error}", self.table)))?,
        };
        for assignment in &self.overrides {
            file::set(&mut choices, assignment)
                .map_err(|error| Failure::NotUnderstood(format!("--set {assignment}: {error}")))?;
        }
        Ok(choices)
    }

    /// The rules of the table, for every command but `check`, which wants the whole report.
    pub fn rules(&self) -> Result<Rules, Failure> {
        let choices = self.choices()?;
        let name = choices.name.clone();
        Rules::new(choices).map_err(|report| Failure::Refused(unlawful(&name, &report)))
    }

    fn read(&self) -> Result<String, Failure> {
        match std::fs::exists(&self.table) {
            Ok(true) => read_text(&self.table),
            _ => Err(Failure::NotUnderstood(self.no_such_table())),
        }
    }

    fn no_such_table(&self) -> String {
        let table = &self.table;
        let nearest =
            preset::PRESETS.iter().map(|(name, _)| (strsim::damerau_levenshtein(table, name), name)).min();
        match nearest {
            Some((_, nearest)) => {
                format!("there is no preset and no file `{table}`; the nearest preset is `{nearest}`")
            }
            None => format!("there is no preset and no file `{table}`"),
        }
    }
}

/// One sentence about an unlawful table, with the first clause that it breaks.
fn unlawful(name: &str, report: &Report) -> String {
    let more = match report.violations.len() {
        0 | 1 => String::new(),
        all => format!(" (one of {all} violations; `cutcard check` lists them)"),
    };
    match report.violations.first() {
        Some(first) => format!("{name} is not a lawful table by {}: {}{more}", first.clause, first.message),
        None => format!("{name} is not a lawful table"),
    }
}
