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
    /// The directory that holds the backup; with an archive that begins at the first record, one with the keys is enough.
    from: PathBuf,
    /// An archive that goes on where the backup ends.
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
    /// The last record, or the last moment, that the restored house has: `12345` or `2026-11-15T20:30:00Z`.
    #[arg(long, value_name = "TIME|SEQ")]
    until: Option<String>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    server::tell_progress();
    let (archive, until) = (args.archive.as_deref(), args.until.as_deref());
    let report = server::restore(&args.place.options(), &args.from, archive, until).map_err(cannot)?;
    if output.wants_json() {
        output.document(&Stamped::new(&report, Of::nothing()))?;
    } else {
        output.text(&for_people(&report))?;
    }
    Ok(ExitCode::from(u8::from(!report.passes)))
}
