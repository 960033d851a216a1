//! `cutcard simulate`: simulates whole shoes (Monte Carlo), with counts, side bets and several boxes.

use crate::devices::{self, Player};
use crate::load::TableArgs;
use crate::output::Output;
use crate::simulated::{StakesArgs, pictures, print};
use crate::sweep_shown::as_json;
use documents::Failure;
use documents::report_text::grouped;
use documents::simulate::{Ready, SimulationOptions};
use serde_json::Value;
use sim::count::{Divisor, Rounding};
use sim::part::RunPart;
use sim::shoes_file::{ShoesParquet, csv_head, csv_line};
use sim::{Hooks, Progress, simulate};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Rounds to simulate, such as 1e8 (the default); with --until-error, the maximum.
    #[arg(long, value_parser = count)]
    rounds: Option<u64>,
    /// Random seed. The same seed, table, strategy and rounds give the same result on every machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads (default: all cores). Does not affect the result.
    #[arg(long)]
    threads: Option<usize>,
    /// Start every round from a full shoe.
    #[arg(long)]
    fresh_shoes: bool,
    /// Number of boxes in play.
    #[arg(long, default_value_t = 1)]
    boxes: usize,
    /// `exact` (the solver's total-dependent chart), `quick` (infinite-deck approximation), or the path of a JSON chart
    /// from `cutcard strategy`.
    #[arg(long, default_value = "exact")]
    strategy: String,
    /// Side bet to make. May be repeated; default all that the table offers, `none` for none.
    #[arg(long, value_name = "NAME")]
    side_wager: Vec<String>,
    /// Counting system: hi-lo, ko, hi-opt-1, hi-opt-2, omega-2, zen, or ten tags for A,2,…,9,T (fractions such as 0.5
    /// allowed).
    #[arg(long, value_name = "SYSTEM", allow_hyphen_values = true)]
    count: Option<String>,
    /// Divisor of the running count.
    #[arg(long, value_enum)]
    count_by: Option<CountBy>,
    /// Initial running count. Default: 0; for KO, 4 less for each deck after the first.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(i32).range(-1000..=1000))]
    count_start: Option<i32>,
    /// Rounding of the true count.
    #[arg(long, value_enum, default_value_t = Round::Down)]
    rounding: Round,
    /// Bet ramp by count, such as 1:1,2:4,3:8; 0 sits out.
    #[arg(long, allow_hyphen_values = true)]
    ramp: Option<String>,
    /// Separate count for a side bet, such as over-13=1,1,1,1,0,0,0,0,0,-1.
    #[arg(long, value_name = "WAGER=SYSTEM")]
    side_count: Vec<String>,
    /// Bet ramp for a side bet by its --side-count (or --count), such as over-13=2:0,3:1,5:4.
    #[arg(long, value_name = "WAGER=RAMP")]
    side_ramp: Vec<String>,
    /// Stop when the standard error falls to this, such as 0.001%.
    #[arg(long, value_name = "ERROR", value_parser = share)]
    until_error: Option<f64>,
    /// Play this range of chunks instead of --rounds, such as 0..1000, and write the sums to --out.
    #[arg(long, value_name = "A..B", value_parser = chunks, requires = "out", conflicts_with = "rounds")]
    chunks: Option<Range<u64>>,
    /// Write chunk sums to FILE, for `cutcard merge`.
    #[arg(long, value_name = "FILE", requires = "chunks")]
    out: Option<PathBuf>,
    /// Save checkpoints to FILE, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write plots to this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Write the result of every shoe to FILE, as CSV or (.parquet) Parquet.
    #[arg(long, value_name = "FILE", conflicts_with = "checkpoint")]
    shoes: Option<PathBuf>,
    /// Start CSV of shoes with a comment line, `# {…}`, that names the program and the table; Parquet always has it in
    /// its footer.
    #[arg(long, requires = "shoes")]
    provenance: bool,
    /// Run on a Ray cluster (`auto`, `ray://…`, host:port, or `local` to start one). Requires the Python package
    /// `cutcard[ray]`.
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["threads", "chunks", "checkpoint", "shoes", "isa", "device"])]
    ray: Option<String>,
    #[command(flatten)]
    stakes: StakesArgs,
    /// Instruction set: portable, avx2 or avx512. Does not affect the result.
    #[arg(long, value_name = "SET")]
    isa: Option<String>,
    /// Run on the CPU or a GPU, with the same result. `auto` uses a GPU from 1e9 rounds on; `list` shows the devices.
    #[arg(long, value_enum, default_value_t = Player::Auto)]
    device: Player,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum CountBy {
    Decks,
    HalfDecks,
    Running,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Round {
    Down,
    TowardsZero,
    Nearest,
}

pub fn divisor(by: CountBy) -> Divisor {
    match by {
        CountBy::Decks => Divisor::Decks,
        CountBy::HalfDecks => Divisor::HalfDecks,
        CountBy::Running => Divisor::None,
    }
}

pub fn rounding(round: Round) -> Rounding {
    match round {
        Round::Down => Rounding::Down,
        Round::TowardsZero => Rounding::TowardsZero,
        Round::Nearest => Rounding::Nearest,
    }
}

/// Parses a positive whole number, written plainly or as `1e8`.
pub fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let wrong = || format!("invalid number of rounds `{text}`; expected one such as 100000000 or 1e8");
    if let Ok(number) = plain.parse::<u64>() {
        return if number == 0 { Err(wrong()) } else { Ok(number) };
    }
    match plain.parse::<f64>() {
        Ok(number) if (1.0..=1e18).contains(&number) && number.fract() == 0.0 => Ok(number as u64),
        _ => Err(wrong()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let (number, scale) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 0.01));
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number * scale),
        _ => Err(format!("invalid standard error `{text}`; expected 0.001% or 0.00001")),
    }
}

fn chunks(text: &str) -> Result<Range<u64>, String> {
    let bounds =
        text.split_once("..").and_then(|(a, b)| Some(a.trim().parse().ok()?..b.trim().parse().ok()?));
    match bounds {
        Some(range) if range.start < range.end => Ok(range),
        _ => Err(format!("invalid chunk range `{text}`; expected A..B, such as 0..1000")),
    }
}

impl Args {
    /// Returns the options of the simulation, without the output files.
    fn options(&self) -> SimulationOptions {
        SimulationOptions {
            rounds: self.rounds,
            seed: self.seed,
            threads: self.threads,
            fresh_shoes: self.fresh_shoes,
            boxes: self.boxes,
            strategy: self.strategy.clone(),
            side_wagers: self.side_wager.clone(),
            count: self.count.clone(),
            count_by: self.count_by.map(divisor),
            count_start: self.count_start,
            rounding: rounding(self.rounding),
            ramp: self.ramp.clone(),
            side_counts: self.side_count.clone(),
            side_ramps: self.side_ramp.clone(),
            until_error: self.until_error,
            chunks: self.chunks.clone(),
            isa: self.isa.clone(),
        }
    }
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    if args.device == Player::List {
        return devices::list(output);
    }
    let table = args.table.subject()?;
    let stakes = args.stakes.stakes()?;
    let asked = args.options();
    // check the options and files first, since the solver takes a while
    asked.options()?;
    writable(&args)?;
    let ready = asked.ready((*table).clone(), stakes)?;
    let results = match &args.ray {
        Some(address) => crate::on_ray::play(address, &ready)?,
        None => play(&args, &ready)?,
    };
    if results.stopped {
        let kept =
            args.checkpoint.as_ref().map(|path| format!("; {} contains their results", path.display()));
        let rounds = grouped(results.part.tally.rounds());
        let _ = writeln!(io::stderr(), "stopped after {rounds} rounds{}", kept.unwrap_or_default());
    }
    if let Some(path) = &args.out {
        write(path, results.part.to_text(&ready.about).as_bytes())?;
    }
    if let Some(directory) = &args.plots {
        pictures(directory, (&results.job, &results.part.tally), &ready.stakes)?;
    }
    let mut summary = ready.outcome(&results);
    table.mark(&mut summary.document);
    print(&summary, (&results.job, &table), output)?;
    Ok(ExitCode::SUCCESS)
}

/// Checks that the output files can be written, before a long run begins.
fn writable(args: &Args) -> Result<(), Failure> {
    if let Some(directory) = &args.plots {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::Refused(format!("cannot create {}: {error}", directory.display())))?;
    }
    for path in [&args.out, &args.checkpoint].into_iter().flatten() {
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
        let length =
            opened.and_then(|file| file.metadata()).map_err(|error| cannot_write(path, &error))?.len();
        // remove a file that the check created
        if length == 0 {
            std::fs::remove_file(path).map_err(|error| cannot_write(path, &error))?;
        }
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Refused(format!("cannot write {}: {error}", path.display()))
}

/// The output file for the results of single shoes, in CSV or Parquet.
enum ShoesFile {
    Csv(BufWriter<std::fs::File>),
    Parquet(ShoesParquet<BufWriter<std::fs::File>>),
}

fn play(args: &Args, ready: &Ready) -> Result<sim::Results, Failure> {
    let program = ready.program()?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    // Ctrl-C and SIGTERM end the run with its results so far; if no handler can be set, they end the program as usual
    let _ = ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed));
    let unit = program.initial() as f64;
    let mut shoes =
        args.shoes.as_deref().map(|path| open_shoes(path, unit, (ready, args.provenance))).transpose()?;
    let mut failed: Option<io::Error> = None;
    let mut show = shown();
    let mut save = |part: &RunPart| {
        if let Some(path) = &args.checkpoint {
            save_checkpoint(path, part, &ready.about);
        }
    };
    let mut each = |shoe: &sim::chunk::ShoeResult| {
        let written = match &mut shoes {
            Some(ShoesFile::Csv(out)) => csv_line(out, shoe, unit),
            Some(ShoesFile::Parquet(out)) => out.push(shoe),
            None => Ok(()),
        };
        if let Err(error) = written {
            failed.get_or_insert(error);
        }
    };
    let resume = match &args.checkpoint {
        Some(path) if path.exists() => Some(read_part(path)?.0),
        _ => None,
    };
    let mut make = |job: &sim::chunk::Job| devices::ready(args.device, &ready.options, job);
    let hooks = Hooks {
        progress: Some(&mut show),
        stop: Some(&stop),
        checkpoint: args.checkpoint.is_some().then_some(&mut save),
        resume,
        shoes: args.shoes.is_some().then_some(&mut each),
        devices: Some(&mut make),
    };
    let results = simulate(program, &ready.options, hooks).map_err(Failure::Refused)?;
    clear();
    let ended = match shoes {
        Some(ShoesFile::Csv(mut out)) => out.flush(),
        Some(ShoesFile::Parquet(out)) => out.finish(),
        None => Ok(()),
    };
    match failed.map_or(ended, Err) {
        Err(error) => Err(Failure::Refused(format!("cannot write the shoes: {error}"))),
        Ok(()) => Ok(results),
    }
}

/// Creates the output file for the results of single shoes.
///
/// A Parquet file states its provenance in the footer; a CSV file states it in a comment line if `commented`
/// is set.
fn open_shoes(path: &Path, unit: f64, (ready, commented): (&Ready, bool)) -> Result<ShoesFile, Failure> {
    let stamp = ready.of_shoes();
    let cannot = |error: io::Error| cannot_write(path, &error);
    let mut out = BufWriter::new(std::fs::File::create(path).map_err(cannot)?);
    if path.extension().is_some_and(|end| end == "parquet") {
        let file = ShoesParquet::new(out, unit).map_err(cannot)?;
        let file = file.with_footer("made_by", as_json(&stamp.made_by)).with_footer("of", as_json(&stamp.of));
        return Ok(ShoesFile::Parquet(file));
    }
    if commented {
        out.write_all(stamp.comment().as_bytes()).map_err(cannot)?;
    }
    csv_head(&mut out).map_err(cannot)?;
    Ok(ShoesFile::Csv(out))
}

/// Saves a checkpoint of the run, and prints a message if saving fails.
///
/// Writes a temporary file named after this process, then renames it, so that a crash leaves the old
/// checkpoint intact.
fn save_checkpoint(path: &Path, part: &RunPart, about: &Value) {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let saved = std::fs::write(&beside, part.to_text(about)).and_then(|()| std::fs::rename(&beside, path));
    if let Err(error) = saved {
        let _ = writeln!(io::stderr(), "cannot save {}: {error}", path.display());
    }
}

/// Returns a callback that shows the progress of a simulation as a bar on a terminal.
///
/// The callback prints nothing if standard error is redirected.
pub fn shown() -> impl FnMut(&Progress) {
    let terminal = io::stderr().is_terminal();
    move |progress: &Progress| {
        if terminal {
            tell(progress);
        }
    }
}

/// Removes the progress bar from the terminal.
pub fn clear() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

/// Shows a progress bar with the rounds played, the rate and the time left.
fn tell(progress: &Progress) {
    const WIDTH: usize = 20;
    let filled = (progress.share * WIDTH as f64) as usize;
    let left = (progress.rounds as f64 / progress.share.max(1e-9) - progress.rounds as f64) / progress.rate;
    let line = format!(
        "{}{} {:>3.0} %  {:.1} M rounds  {:.1} M/s  edge {:.4} % ± {:.4}  {} left",
        "█".repeat(filled.min(WIDTH)),
        "░".repeat(WIDTH.saturating_sub(filled)),
        100.0 * progress.share,
        progress.rounds as f64 / 1e6,
        progress.rate / 1e6,
        -100.0 * progress.ev,
        100.0 * progress.error,
        duration(left),
    );
    // a failure to show progress must not end the run
    let _ = write!(io::stderr(), "\r\x1b[K{line}");
    let _ = io::stderr().flush();
}

fn duration(seconds: f64) -> String {
    let whole = seconds.clamp(0.0, 1e9).ceil() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| cannot_write(path, &error))
}

/// Reads a part file, and returns the sums of its run and the settings of the run.
///
/// Returns an error if the file cannot be read or parsed.
pub fn read_part(path: &Path) -> Result<(RunPart, Value), Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::NotUnderstood(format!("cannot read {name}: {error}")))?;
    RunPart::from_text(&text).map_err(|error| Failure::NotUnderstood(format!("{name}: {error}")))
}
