//! `cutcard export`: writes the tables of a house to files for other tools.

use crate::house::{HouseArgs, open_error};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use serde::Serialize;
use server::Form;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use utoipa::ToSchema;

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

/// The result of exporting a house's tables to files.
#[derive(Serialize, ToSchema)]
pub struct Exported {
    /// The directory that has the exported files.
    #[schema(value_type = String)]
    into: PathBuf,
    /// The number of rows exported from each table, by table name.
    #[schema(value_type = BTreeMap<String, u64>)]
    rows: BTreeMap<&'static str, u64>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let form = match args.form {
        Files::Csv => Form::Csv,
        Files::Parquet => Form::Parquet,
    };
    let tables = server::export(&args.place.options(), form, &args.into).map_err(open_error)?;
    if output.wants_json() {
        let document = Exported { into: args.into, rows: tables.into_iter().collect() };
        output.document(&Stamped::new(document, Inputs::nothing()))?;
    } else {
        let lines = tables.iter().map(|(name, rows)| format!("{rows:>10}  {name}\n"));
        output.text(&lines.collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
