//! Loads the table that a command names: a preset or a table file, changed by `--set`.
//!
//! The table must be legal unless `--hypothetical` is given.

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

    /// Loads the table that the command names.
    ///
    /// Returns an error if the table is illegal and `--hypothetical` is not given, or if the table's figures
    /// cannot be computed.
    pub fn subject(&self) -> Result<Subject, Failure> {
        let choices = self.choices()?;
        if self.hypothetical { Subject::new(choices) } else { Subject::lawful(choices) }
    }

    /// Loads the options of the table that the command names, without checking whether the table is legal.
    pub fn choices(&self) -> Result<Choices, Failure> {
        load::choices(&self.table, &self.overrides)
    }
}
