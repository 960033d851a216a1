//! `cutcard backup`: copies a house into a new directory. The server may be running.

use crate::house::{HouseArgs, open_error};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use utoipa::ToSchema;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// Directory to create for the backup.
    into: PathBuf,
}

/// The result of backing up a house to a new directory.
#[derive(Serialize, ToSchema)]
pub struct BackedUp {
    /// The directory that has the backup.
    #[schema(value_type = String)]
    into: PathBuf,
    /// The number of rows saved.
    rows: u64,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    server::tell_progress();
    let rows = server::backup(&args.place.options(), &args.into).map_err(open_error)?;
    if output.wants_json() {
        let document = BackedUp { into: args.into, rows };
        output.document(&Stamped::new(document, Inputs::nothing()))?;
    } else {
        output.text(&format!("{rows} rows saved in {}.\n", args.into.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
