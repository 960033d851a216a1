//! The `cutcard` program.
//!
//! A subcommand is one file, one `mod` and one line of `commands!`. This crate contains no game rules. The
//! program is a library, so that it compiles while the optimizer still works on the server; `main.rs` only
//! calls [`run`].
#![forbid(unsafe_code)]

mod assume;
mod atlas;
mod atlas_checkpoint;
mod audit;
mod backup;
mod card;
mod check;
mod chromium;
mod clauses;
mod compare;
mod completions;
mod counts;
mod devices;
mod doctor;
mod edge;
mod ev;
mod export;
mod filing;
mod follow;
mod house;
mod indices;
mod keeper;
mod lab_worker;
mod load;
mod man;
mod merge;
mod on_ray;
mod output;
mod perfect;
mod progress;
mod ramp;
mod random;
mod rebuild;
mod removal;
mod replay;
mod report;
mod restore;
#[cfg(test)]
mod schemas;
mod seat;
mod serve;
mod shoe;
mod shoes;
mod side;
mod simulate;
mod simulated;
mod strategy;
mod sweep;
mod sweep_shown;
mod tables;
mod tags;
mod verify_shoe;

use clap::{CommandFactory, Parser, Subcommand};
use documents::Failure;
use output::Output;
use std::process::ExitCode;

/// Regulated blackjack: legal tables, every settlement with its clause.
#[derive(Parser)]
#[command(name = "cutcard", version, about, max_term_width = 110, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print a single JSON document to standard output.
    #[arg(long, global = true)]
    json: bool,
}

/// Declares the subcommands, each with the module that holds its `Args` and `run`.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident = $module:ident),+ $(,)?) => {
        // only one value exists per process, so its size does not matter
        #[allow(clippy::large_enum_variant)]
        #[derive(Subcommand)]
        enum Command { $($(#[$doc])* $name($module::Args)),+ }

        impl Command {
            fn run(self, output: &Output) -> Result<ExitCode, Failure> {
                match self { $(Command::$name(args) => $module::run(args, output)),+ }
            }
        }
    };
}

commands! {
    /// Run the server: live tables, web page, HTTP API and ledger. The default command.
    Serve = serve,
    /// List the preset tables, or print one as a table file.
    Tables = tables,
    /// Check whether a table is legal, and cite the clause of every violation.
    Check = check,
    /// Compute the exact house edge of the main game and every side bet.
    Edge = edge,
    /// Compute the exact EV of every legal action for a hand.
    Ev = ev,
    /// Print strategy charts.
    Strategy = strategy,
    /// Compute the effects of removal.
    Removal = removal,
    /// Write the math report (PAR sheet) of a table: every bet and outcome, rules, rulings and charts.
    Report = report,
    /// Solve every legal combination of some options.
    Sweep = sweep,
    /// Count and solve every legal table under one regulation.
    Atlas = atlas,
    /// Explain the difference in house edge between two tables, option by option.
    Compare = compare,
    /// Draw a pocket strategy card, with exceptions and what they are worth.
    Card = card,
    /// List index plays: the count at which each play changes.
    Indices = indices,
    /// Find the best bet ramp for a bankroll, with win rate and risk.
    Ramp = ramp,
    /// Find the best counting tags for every bet.
    Tags = tags,
    /// Count a side bet: its EV at each count and the count at which it becomes profitable.
    Side = side,
    /// Compute the value of perfect play, the upper bound for any count.
    Perfect = perfect,
    /// Simulate the game shoe by shoe (Monte Carlo).
    Simulate = simulate,
    /// Merge parts of one simulation.
    Merge = merge,
    /// Replay a round file, citing the clause of every step and settlement.
    Replay = replay,
    /// Replay the journal and verify every recorded round and balance.
    Audit = audit,
    /// Check a house for problems: versions, schema, keys, permissions, disk, clock, database.
    Doctor = doctor,
    /// Back up a house into a new directory.
    Backup = backup,
    /// Restore a backup into an empty data directory, optionally to a point in time, and audit it.
    Restore = restore,
    /// Rebuild all projections from the journal while the server is stopped, and audit them.
    Rebuild = rebuild,
    /// Keep a replica up to date from a house's archive.
    Follow = follow,
    /// Export a house's data as CSV or Parquet.
    Export = export,
    /// Run a signer: hold a house's keys on another machine and sign for it.
    Keeper = keeper,
    /// Write random numbers or shuffles for statistical test suites.
    Random = random,
    /// Verify a finished shoe against its commitment.
    VerifyShoe = verify_shoe,
    #[command(hide = true)]
    LabWorker = lab_worker,
    /// List the clauses of the regulations, how each is met, and the tests that prove it.
    Clauses = clauses,
    /// Print a shell completion script.
    Completions = completions,
    /// Print the manual pages.
    Man = man,
}

/// Returns the definition of the program's arguments, from which completions and manual pages are generated.
fn definition() -> clap::Command {
    Cli::command()
}

/// Runs the command named in this process's arguments.
///
/// Returns the exit code.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    documents::set_commit(commit::COMMIT);
    sim::device::register(device::if_any);
    let output = Output::new(cli.json);
    let done = match cli.command {
        Some(command) => command.run(&output),
        None => serve::run(serve::Args::default(), &output),
    };
    done.unwrap_or_else(|failure| output.failure(&failure))
}
