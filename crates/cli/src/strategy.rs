//! `cutcard strategy`: the strategy charts of a table, as text, HTML, SVG or JSON.

use crate::edge::Play;
use crate::failure::Failure;
use crate::load::TableArgs;
use crate::output::Output;
use exact::strategy::strategy;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The form of the charts.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The play that they show.
    #[arg(long, value_enum, default_value_t = Play::TotalDependent)]
    strategy: Play,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Text,
    Html,
    Svg,
    Json,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let rules = args.table.rules()?;
    let charts = strategy(&rules, &args.strategy.strategy());
    let format = if output.wants_json() { Format::Json } else { args.format };
    let text = match format {
        Format::Text => charts.to_text(),
        Format::Html => charts.to_html(),
        Format::Svg => charts.to_svg(),
        Format::Json => charts.to_json(),
    };
    output.text(&text)?;
    Ok(ExitCode::SUCCESS)
}
