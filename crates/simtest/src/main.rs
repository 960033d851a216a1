//! Runs simulated histories of a house, one after another, until the given time has passed.
//!
//! Usage: `cargo run --release -p simtest -- [--seed N] [--lives N] [--minutes M]` and more. Stops at a history that
//! breaks an invariant, and prints its seed.

use simtest::{HistoryConfig, Summary, history};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "simtest [--seed N] [--lives N] [--minutes M] [--longest S] [--audits N] [--pictures N]\n\
    --seed N      seed of the first history (1)\n\
    --lives N     lives per history: how often the house starts (60)\n\
    --minutes M   run histories one after another for M minutes (default: one history)\n\
    --longest S   maximum length of a life, in seconds (300)\n\
    --audits N    run a full audit after every N lives (15)\n\
    --pictures N  check once in N disk operations what a power cut would leave (40)";

struct Arguments {
    config: HistoryConfig,
    minutes: Option<u64>,
}

fn parse_arguments() -> Result<Arguments, String> {
    let longest = Duration::from_secs(300);
    let config = HistoryConfig { seed: 1, lives: 60, image_interval: 40, audit_every: 15, longest };
    let mut arguments = Arguments { config, minutes: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or_else(|| format!("{word} needs a number"))?;
            text.parse::<u64>().map_err(|_| format!("{word} needs a number, not `{text}`"))
        };
        match word.as_str() {
            "--seed" => arguments.config.seed = number()?,
            "--lives" => arguments.config.lives = u32::try_from(number()?).map_err(|e| e.to_string())?.max(1),
            "--minutes" => arguments.minutes = Some(number()?),
            "--longest" => arguments.config.longest = Duration::from_secs(number()?.max(1)),
            "--audits" => {
                arguments.config.audit_every = u32::try_from(number()?).map_err(|e| e.to_string())?.max(1);
            }
            "--pictures" => arguments.config.image_interval = number()?.max(1),
            _ => return Err(format!("unknown option `{word}`\n{USAGE}")),
        }
    }
    Ok(arguments)
}

fn print_summary(histories: u64, all: &Summary) {
    let days = all.house_ms as f64 / 86_400_000.0;
    println!(
        "{histories} histories, {days:.1} days of house time: {} kills, {} power cuts, {} clean shutdowns, \
         {} clock jumps, {} disk faults; {} acknowledged, {} refused, {} repeated, {} records; {} disk operations, \
         {} syncs, {} pictures",
        all.killed,
        all.power_cuts,
        all.closed,
        all.jumps,
        all.disk_faults,
        all.acknowledged,
        all.refused,
        all.repeated,
        all.records,
        all.operations,
        all.syncs,
        all.crash_images
    );
}

fn main() -> ExitCode {
    let arguments = match parse_arguments() {
        Ok(arguments) => arguments,
        Err(wrong) => {
            eprintln!("{wrong}");
            return ExitCode::from(2);
        }
    };
    let (begun, mut all, mut histories) = (Instant::now(), Summary::default(), 0);
    let lasting = Duration::from_secs(arguments.minutes.unwrap_or(0) * 60);
    let mut config = arguments.config;
    loop {
        match history(config) {
            Ok(summary) => all.add(&summary),
            Err(wrong) => {
                print_summary(histories, &all);
                eprintln!("an invariant is broken: {wrong}");
                return ExitCode::FAILURE;
            }
        }
        histories += 1;
        config.seed += 1;
        if begun.elapsed() >= lasting {
            print_summary(histories, &all);
            return ExitCode::SUCCESS;
        }
        if histories.is_multiple_of(20) {
            print_summary(histories, &all);
        }
    }
}
