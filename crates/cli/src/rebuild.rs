//! `cutcard rebuild`: rebuilds all projections from the journal.

use crate::audit::for_people;
use crate::house::{HouseArgs, open_error};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    server::tell_progress();
    let report = server::rebuild(&args.place.options()).map_err(open_error)?;
    if output.wants_json() {
        output.document(&Stamped::new(&report, Inputs::nothing()))?;
    } else {
        output.text(&for_people(&report))?;
    }
    Ok(ExitCode::from(u8::from(!report.passes)))
}
