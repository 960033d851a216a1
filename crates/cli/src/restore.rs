//! `cutcard restore`: restores a backup into an empty data directory, and audits it.

use crate::audit::for_people;
use crate::house::{HouseArgs, open_error};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// Directory of the backup. If --archive starts at the first record, a directory with only the keys is enough.
    from: PathBuf,
    /// Archive to apply after the backup.
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
    /// Restore up to this record or time: `12345` or `2026-11-15T20:30:00Z`.
    #[arg(long, value_name = "TIME|SEQ")]
    until: Option<String>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    server::tell_progress();
    let (archive, until) = (args.archive.as_deref(), args.until.as_deref());
    let report = server::restore(&args.place.options(), &args.from, archive, until).map_err(open_error)?;
    if output.wants_json() {
        output.document(&Stamped::new(&report, Inputs::nothing()))?;
    } else {
        output.text(&for_people(&report))?;
    }
    Ok(ExitCode::from(u8::from(!report.passes)))
}
