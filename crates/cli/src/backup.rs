//! `cutcard backup`: copies a house into a new directory. The server may be running.

use crate::house::{HouseArgs, cannot};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// Directory to create for the backup.
    into: PathBuf,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    server::tell_progress();
    let rows = server::backup(&args.place.options(), &args.into).map_err(cannot)?;
    if output.wants_json() {
        let document = serde_json::json!({ "rows": rows, "into": args.into });
        output.document(&Stamped::new(document, Inputs::nothing()))?;
    } else {
        output.text(&format!("{rows} rows saved in {}.\n", args.into.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
