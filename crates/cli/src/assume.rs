//! The argument `--assume`: rules that no regulation here has, for a hypothetical table, such as `blackjack=6:5`.

use crate::load::TableArgs;
use clap::Args;
use documents::Failure;
use documents::subject::Subject;
use exact::assume::Assumptions;

/// The argument for the assumed rules of a command.
#[derive(Args)]
pub struct AssumeArgs {
    /// Assume a rule that no regulation here has (with --hypothetical): blackjack=6:5, double=9-11, surrender=early,
    /// dealer_blackjack=takes-all (European, no hole card), split_aces=draw, split_hands=2 to 8.
    #[arg(long, value_name = "RULE=VALUE", requires = "hypothetical")]
    assume: Vec<String>,
}

impl AssumeArgs {
    /// Returns the command's table with the rules of `--assume` applied.
    ///
    /// Returns an error if a rule cannot be parsed, or if the table's figures cannot be computed with it.
    pub fn subject(&self, table: &TableArgs) -> Result<Subject, Failure> {
        let mut assumed = Assumptions::default();
        self.assume.iter().try_for_each(|text| assumed.set(text)).map_err(Failure::NotUnderstood)?;
        table.subject()?.assuming(assumed)
    }
}
