//! `cutcard restore`: a backup put into an empty data directory and audited.

use crate::audit::for_people;
use crate::house::{HouseArgs, cannot};
use crate::output::Output;
use documents::{Failure, Of, Stamped};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// The directory that holds the backup.
    from: PathBuf,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let report = server::restore(&args.place.options(), &args.from).map_err(cannot)?;
    if output.wants_json() {
        output.document(&Stamped::new(&report, Of::nothing()))?;
    } else {
        output.text(&for_people(&report))?;
    }
    Ok(ExitCode::from(u8::from(!report.passes)))
}
