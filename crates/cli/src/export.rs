//! `cutcard export`: writes the tables of a house to files for other tools.

use crate::house::{HouseArgs, cannot};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use server::Form;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Clone, Copy, clap::ValueEnum)]
enum Files {
    Csv,
    Parquet,
}

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// File format; one file per table.
    #[arg(long, value_enum, default_value = "csv")]
    form: Files,
    /// Directory to create for the files.
    into: PathBuf,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let form = match args.form {
        Files::Csv => Form::Csv,
        Files::Parquet => Form::Parquet,
    };
    let tables = server::export(&args.place.options(), form, &args.into).map_err(cannot)?;
    if output.wants_json() {
        let rows: serde_json::Map<_, _> =
            tables.into_iter().map(|(name, rows)| (name.into(), rows.into())).collect();
        let document = serde_json::json!({ "into": args.into, "rows": rows });
        output.document(&Stamped::new(document, Inputs::nothing()))?;
    } else {
        let lines = tables.iter().map(|(name, rows)| format!("{rows:>10}  {name}\n"));
        output.text(&lines.collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
