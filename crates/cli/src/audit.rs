//! `cutcard audit`: replays the journal and verifies every recorded round and balance.

use crate::house::{HouseArgs, open_error};
use crate::output::Output;
use documents::{Failure, Inputs, Stamped};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: HouseArgs,
    /// Anchor to check the journal against, as for `cutcard serve`. May be repeated.
    #[arg(long, value_name = "PLACE")]
    anchor: Vec<String>,
    /// Shell command of the remote signer, as for `cutcard serve`.
    #[arg(long, value_name = "COMMAND")]
    key_command: Option<String>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    server::tell_progress();
    let mut options = args.place.options();
    options.anchors = args.anchor;
    options.key_command = args.key_command;
    let report = server::audit(&options).map_err(open_error)?;
    if output.wants_json() {
        output.document(&Stamped::new(&report, Inputs::nothing()))?;
    } else {
        output.text(&for_people(&report))?;
    }
    Ok(ExitCode::from(u8::from(!report.passes)))
}

pub fn for_people(report: &server::AuditReport) -> String {
    match &report.first_bad {
        None => format!(
            "{} records, {} accounts and {} seals are consistent.\nHead of the chain: {}\n",
            report.records, report.accounts, report.seals, report.head
        ),
        Some(bad) if bad.seq > 0 => format!("Record {} is inconsistent: {}\n", bad.seq, bad.what),
        Some(bad) => format!("The account balances are inconsistent: {}\n", bad.what),
    }
}
