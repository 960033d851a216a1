//! `cutcard follow`: keeps a replica of a house up to date from its archive.

use crate::house::{HouseArgs, open_error};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use utoipa::ToSchema;

/// The time between two checks of the archive for new records.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// Archive directory, or a copy of it.
    #[arg(long, value_name = "DIR")]
    archive: PathBuf,
    /// Apply the segments that are there, then exit.
    #[arg(long)]
    once: bool,
}

/// The progress of the replica of a house.
#[derive(Serialize, ToSchema)]
pub struct Followed {
    /// The number of records that the replica has.
    records: i64,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let mut last = None;
    let mut heard = Ok(());
    let again = |records: i64| {
        if last != Some(records) {
            last = Some(records);
            heard = match output.wants_json() {
                true => output.document(&Stamped::new(Followed { records }, Inputs::nothing())),
                false => output.text(&format!("{records} records.\n")),
            };
        }
        if !args.once && heard.is_ok() {
            std::thread::sleep(PAUSE);
        }
        !args.once && heard.is_ok()
    };
    server::follow(&args.place.options(), &args.archive, again).map_err(open_error)?;
    heard?;
    Ok(ExitCode::SUCCESS)
}
