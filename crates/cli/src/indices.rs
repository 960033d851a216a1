//! `cutcard indices`: finds the count at which each play of the chart changes.

use crate::counts::CountArgs;
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::by_count::insurance::Insurance;
use documents::indices::{Indices, document, work_out};
use documents::subject::Subject;
use serde_json::Value;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    count: CountArgs,
    /// Show only the N most valuable.
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Output format; chart is the full chart with index plays, for `simulate --strategy`.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Text,
    Chart,
    Json,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let asked = args.count.asked();
    asked.options()?;
    let mut found = work_out(&table, &asked, &crate::progress::shown("compositions solved"))?;
    let format = if output.wants_json() { Format::Json } else { args.format };
    if format == Format::Chart {
        output.text(&found.with_plays(args.most).to_json().to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    found.plays.truncate(args.most.unwrap_or(usize::MAX));
    let mut told = document(&table, &found);
    table.mark(&mut told.document);
    match format {
        Format::Json => output.document(&told)?,
        _ => output.text(&for_people(&table, &found, &told.document))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(table: &Subject, found: &Indices, told: &Value) -> String {
    let mut text = format!(
        "{}{}, {}: {} index plays, the most valuable first; gains in parts of a million of the initial wager, a round\n",
        table.marked(),
        table.name,
        found.asked.count.as_deref().unwrap_or_default(),
        found.plays.len()
    );
    if let Some(Insurance { from, exact, gain, .. }) = &found.insurance {
        let _ = writeln!(
            text,
            "  {:<12} v A   from {from:>3}  take              ({exact:+.2}) {:>9.2}",
            "insurance",
            1e6 * gain
        );
    }
    for play in told["indices"].as_array().into_iter().flatten() {
        let word = |key: &str| play[key].as_str().unwrap_or_default();
        let number = |key: &str| play[key].as_f64().unwrap_or(0.0);
        let _ = writeln!(
            text,
            "  {:<12} v {:<3} from {:>3}  {} otherwise {}     ({:+.2}) {:>9.2}",
            word("hand"),
            word("up"),
            number("from"),
            word("play"),
            word("otherwise"),
            number("exact"),
            1e6 * number("gain")
        );
    }
    let _ = writeln!(
        text,
        "\n  betting correlation {:.4}, playing {:.4}{}",
        found.betting,
        found.playing,
        found.insuring.map_or(String::new(), |c| format!(", insurance {c:.4}"))
    );
    text
}
