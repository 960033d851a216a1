//! `cutcard strategy`: prints the strategy charts of a table as text, HTML, SVG or JSON.

use crate::assume::AssumeArgs;
use crate::load::TableArgs;
use crate::output::Output;
use crate::shoe::ShoeArgs;
use clap::builder::{PossibleValue, PossibleValuesParser};
use documents::Failure;
use documents::play::{PLAYS, strategy as play};
use documents::strategy::document;
use exact::strategy::strategy_at;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    assume: AssumeArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Strategy to show.
    #[arg(long, value_parser = plays(), default_value = "total-dependent")]
    strategy: String,
    #[command(flatten)]
    shoe: ShoeArgs,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Text,
    Html,
    Svg,
    Json,
}

/// Returns a parser that accepts the strategy names, each with its help text.
fn plays() -> PossibleValuesParser {
    PossibleValuesParser::new(PLAYS.map(|(name, about)| PossibleValue::new(name).help(about)))
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let rules = args.assume.subject(&args.table)?;
    let play = rules.played_by(play(&rules, &args.strategy)?)?;
    let table = rules.solver_table();
    let table = match args.shoe.stack(&rules)? {
        Some(stack) => table.with_stack(&stack).map_err(|why| Failure::Refused(why.to_string()))?,
        None => table,
    };
    let mut charts = strategy_at(&table, &play);
    charts.table = rules.named();
    let format = if output.wants_json() { Format::Json } else { args.format };
    let text = match format {
        Format::Text => charts.to_text(),
        Format::Html => charts.to_html(),
        Format::Svg => charts.to_svg(),
        Format::Json => document(&rules, &play, &charts)?,
    };
    output.text(&text)?;
    Ok(ExitCode::SUCCESS)
}
