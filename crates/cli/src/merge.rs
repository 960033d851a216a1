//! `cutcard merge`: merges parts of one simulation exactly.

use crate::output::Output;
use crate::simulate::read_part;
use crate::simulated::{StakesArgs, pictures, print};
use documents::Failure;
use documents::simulate::Ready;
use documents::subject::Subject;
use sim::identity::identity;
use sim::part::merge;
use sim::report::RunPerformance;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Files written by `cutcard simulate --out`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the merged sums to FILE.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write plots to this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    stakes: StakesArgs,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let stakes = args.stakes.stakes()?;
    let mut parts = Vec::new();
    let mut about = serde_json::Value::Null;
    for path in &args.files {
        let (part, of) = read_part(path)?;
        parts.push(part);
        about = of;
    }
    let whole = merge(&parts).map_err(Failure::Refused)?;
    let ready = Ready::from_about(&about, stakes)?;
    let job = ready.job()?;
    if identity(&job) != whole.identity {
        return Err(Failure::Refused(
            "the files were written by another version of cutcard, or have been modified".into(),
        ));
    }
    if let Some(path) = &args.out {
        std::fs::write(path, whole.to_text(&about))
            .map_err(|error| Failure::Refused(format!("cannot write {}: {error}", path.display())))?;
    }
    if let Some(directory) = &args.plots {
        pictures(directory, (&job, &whole.tally), &ready.stakes)?;
    }
    let mut summary = ready.summary(&job, &whole.tally, &RunPerformance::default());
    summary.document.chunks = Some(whole.chunk_ranges());
    let table = Subject::new(ready.rules.clone())?;
    table.mark(&mut summary.document);
    print(&summary, (&job, &table), output)?;
    Ok(ExitCode::SUCCESS)
}
