//! The program `cutcard`. A subcommand is one file, one `mod` and one line of `commands!`; nothing here knows a rule.
#![forbid(unsafe_code)]

mod atlas;
mod atlas_notes;
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

/// Regulated blackjack: lawful tables, every settlement with its clause.
#[derive(Parser)]
#[command(name = "cutcard", version, about, max_term_width = 110, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print one JSON document on standard output and nothing else there.
    #[arg(long, global = true)]
    json: bool,
}

/// Each subcommand with the module that holds its `Args` and `run`.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident = $module:ident),+ $(,)?) => {
        // one value a run: how large it is does not matter
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
    /// Open the house: live tables with page, interface and ledger. Also what `cutcard` does by itself.
    Serve = serve,
    /// List the preset tables, or print one of them as a table file.
    Tables = tables,
    /// Is this table lawful? Every violation with its clause.
    Check = check,
    /// The exact house edge of the main game and of every side wager.
    Edge = edge,
    /// The exact value of every legal action, and the best.
    Ev = ev,
    /// The strategy charts.
    Strategy = strategy,
    /// What it is worth that one card of each value is gone.
    Removal = removal,
    /// The math report of a table: every wager with every line, rules, rulings, charts.
    Report = report,
    /// Every lawful combination of chosen options, with its house edge.
    Sweep = sweep,
    /// Every lawful table of a text, as far as the edge is concerned, counted and solved.
    Atlas = atlas,
    /// Why two tables differ: the difference of their values, option by option.
    Compare = compare,
    /// The strategy as a card to carry, with its exceptions and what they are worth.
    Card = card,
    /// Index plays: at which count each play of the chart changes.
    Indices = indices,
    /// The best stakes by count for a bankroll, and what they come to.
    Ramp = ramp,
    /// The best possible count of every wager, and whole tags that come near it.
    Tags = tags,
    /// A side wager with a count of its own: what it is worth at each count, and from where on it gains.
    Side = side,
    /// Perfect play as a bound: the exact value of every composition that a simulation meets.
    Perfect = perfect,
    /// Monte Carlo of the whole shoe game.
    Simulate = simulate,
    /// Add up parts of one simulation.
    Merge = merge,
    /// Play a round file: every decision, settlement and citation.
    Replay = replay,
    /// Derive every recorded round and balance again from the journal.
    Audit = audit,
    /// Look a house over and say what is wrong with it: versions, schema, keys, permissions, disk, clock, database.
    Doctor = doctor,
    /// Copy a house into a new directory.
    Backup = backup,
    /// Put a backup into an empty data directory, as of a record or moment if wanted, and audit it.
    Restore = restore,
    /// Make everything beside the journal anew from it, in a house that is closed, and audit it.
    Rebuild = rebuild,
    /// Keep a copy of a house up to date from its archive.
    Follow = follow,
    /// Write the tables of a house as CSV or Parquet for other tools.
    Export = export,
    /// Keep a house's keys elsewhere, and sign for it.
    Keeper = keeper,
    /// What the house's source of chance gives, for the batteries of a test laboratory.
    Random = random,
    /// Check a finished shoe against its commitment.
    VerifyShoe = verify_shoe,
    #[command(hide = true)]
    LabWorker = lab_worker,
    /// The clause catalogue: how each requirement is honoured, where it is cited and which tests prove it.
    Clauses = clauses,
    /// What a shell needs to complete commands and options.
    Completions = completions,
    /// The manual pages.
    Man = man,
}

/// The program's arguments, for whoever writes them up.
fn definition() -> clap::Command {
    Cli::command()
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    documents::built_from(commit::COMMIT);
    sim::device::offer(device::if_any);
    let output = Output::new(cli.json);
    let done = match cli.command {
        Some(command) => command.run(&output),
        None => serve::run(serve::Args::default(), &output),
    };
    done.unwrap_or_else(|failure| output.failure(&failure))
}
