//! `cutcard sweep`: solves every legal combination of chosen options.

use crate::counts::spread;
use crate::load::TableArgs;
use crate::output::Output;
use crate::sweep_shown::{Form, shown};
use documents::Failure;
use documents::sweep::SweepOptions;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Option to vary and its values, as for --set: `--vary decks=4,6,8 --vary soft_17=stand,hit`. May be repeated.
    #[arg(long, value_name = "KEY=V1,V2,…", required = true)]
    vary: Vec<String>,
    /// Show only tables with a house edge in this range: `0.35%..0.45%`, `..0.5%`, `0.004..`.
    #[arg(long = "where", value_name = "FROM..TO", allow_hyphen_values = true)]
    within: Option<String>,
    /// Also list illegal combinations, with their violations.
    #[arg(long)]
    all: bool,
    /// Skip the standard deviation, which is slower than the edge.
    #[arg(long)]
    no_spread: bool,
    /// Sort by house_edge, std_dev, score (of the first spread) or an option; prefix - to sort descending.
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Add the SCORE of this count at each table: best bets, index plays and insurance, with its error. Takes some
    /// seconds per table.
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    score: Option<String>,
    /// Bet spread for `--score` in units; several as `1-8,1-12`.
    #[arg(long, value_name = "A-B,…", default_value = "1-12", value_delimiter = ',', value_parser = spread,
        requires = "score")]
    spread: Vec<(u32, u32)>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Start CSV with a comment line, `# {…}`, that names the program and the table; Parquet always has it in its
    /// footer.
    #[arg(long)]
    provenance: bool,
    /// Write to FILE; required for Parquet.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let asked = SweepOptions {
        vary: args.vary,
        within: args.within,
        all: args.all,
        no_spread: args.no_spread,
        sort: args.sort,
        hypothetical: args.table.hypothetical,
        score: args.score.map(|count| (count, args.spread)),
    };
    let sweep =
        asked.sweep_with_progress(&args.table.choices()?, &crate::progress::shown("tables solved"))?;
    let form = if output.wants_json() { Form::Json } else { args.format };
    let bytes = shown(&sweep, form, args.provenance)?;
    match &args.out {
        Some(path) => std::fs::write(path, bytes)
            .map_err(|error| Failure::Refused(format!("cannot write {}: {error}", path.display())))?,
        None => match String::from_utf8(bytes) {
            Ok(text) => output.text(&text)?,
            Err(_) => {
                return Err(Failure::NotUnderstood(
                    "Parquet cannot be printed; add --out tables.parquet".into(),
                ));
            }
        },
    }
    Ok(ExitCode::SUCCESS)
}
