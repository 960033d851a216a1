//! The table that a command is about: a preset's name or the path of a file, with `--set` overrides; lawful, or said to
//! be hypothetical.

use clap::Args;
use documents::subject::Subject;
use documents::{Failure, load};
use rules::Choices;

/// The arguments that every command about a table has.
#[derive(Args)]
pub struct TableArgs {
    /// Preset name (see `cutcard tables`) or path of a table file; - reads standard input.
    #[arg(value_name = "TABLE")]
    table: String,
    /// Override an option: `--set decks=6`, `--set side_wagers.match.minimum=5`.
    #[arg(long = "set", value_name = "K=V")]
    overrides: Vec<String>,
    /// Accept an illegal table; every answer lists the clauses it violates.
    #[arg(long)]
    pub hypothetical: bool,
}

impl TableArgs {
    pub fn new(table: String, overrides: Vec<String>, hypothetical: bool) -> TableArgs {
        TableArgs { table, overrides, hypothetical }
    }

    /// The table to work with: lawful, or hypothetical if it is said to be.
    pub fn subject(&self) -> Result<Subject, Failure> {
        let choices = self.choices()?;
        if self.hypothetical { Subject::new(choices) } else { Subject::lawful(choices) }
    }

    /// The choices, lawful or not.
    pub fn choices(&self) -> Result<Choices, Failure> {
        load::choices(&self.table, &self.overrides)
    }
}
