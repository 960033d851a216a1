//! `cutcard doctor`: checks an installation and explains what is wrong with it.

use crate::house::HouseArgs;
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// House file that the nodes should run with.
    #[arg(long, value_name = "FILE")]
    house: Option<PathBuf>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let diagnosis = server::doctor(&server::Options { house: args.house, ..args.place.options() });
    let well = diagnosis.is_well();
    if output.wants_json() {
        output.document(&Stamped::new(&diagnosis, Inputs::nothing()))?;
    } else {
        let line = |found: &server::Checkup| {
            let mark = if found.ok { "ok" } else { "WRONG" };
            format!("{mark:<6}{:<12}{}\n", found.check, found.message)
        };
        output.text(&diagnosis.checks.iter().map(line).collect::<String>())?;
    }
    Ok(ExitCode::from(u8::from(!well)))
}
