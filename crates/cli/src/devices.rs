//! `--device`: which device plays a run, and which there are.

use crate::output::Output;
use device::Found;
use documents::{Failure, Of, Stamped};
use serde_json::{Value, json};
use sim::Options;
use sim::chunk::Job;
use sim::device::Device;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// What is to play.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Player {
    /// A device for long runs, if there is one that can play them.
    Auto,
    /// The processor.
    Cpu,
    /// Every graphics processor of this machine.
    Gpu,
    /// Tell which devices there are, and play nothing.
    List,
}

/// Rounds from which on a device is worth its start.
const LONG: u64 = 1_000_000_000;
/// About as many rounds, in chunks.
const LONG_CHUNKS: u64 = 4_000;

/// The devices for a job; none where the processor plays it, which is said if a device was asked for.
pub fn ready(player: Player, options: &Options, job: &Job) -> Result<Vec<Box<dyn Device>>, String> {
    let long = match &options.chunks {
        Some(chunks) => chunks.end - chunks.start >= LONG_CHUNKS,
        None => options.rounds >= LONG,
    };
    if player == Player::Cpu || (player == Player::Auto && !long) {
        return Ok(Vec::new());
    }
    let found = match (device::devices(), player) {
        (Ok(found), _) => found,
        (Err(_), Player::Auto) => return Ok(Vec::new()),
        (Err(error), _) => return Err(error),
    };
    match (device::ready(job, &found), player) {
        (Ok(Ok(devices)), _) => Ok(devices),
        (_, Player::Auto) => Ok(Vec::new()),
        (Err(error), _) => Err(error),
        (Ok(Err(reason)), _) => {
            // a run that is made all the same need not end because nobody reads this
            let _ = writeln!(io::stderr(), "the processor plays this run: {reason}");
            Ok(Vec::new())
        }
    }
}

/// Tells which devices there are.
pub fn list(output: &Output) -> Result<ExitCode, Failure> {
    let found = device::devices().map_err(Failure::Refused)?;
    if output.wants_json() {
        let rows: Vec<Value> = found.iter().map(row).collect();
        output.document(&Stamped::new(json!({ "devices": rows }), Of::nothing()))?;
    } else {
        output.text(&found.iter().fold(String::new(), |mut text, device| {
            let (major, minor) = device.capability;
            let _ = writeln!(
                text,
                "{} {}, compute capability {major}.{minor}, {} multiprocessors, {} GiB",
                device.number,
                device.name,
                device.multiprocessors,
                device.memory >> 30
            );
            text
        }))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(device: &Found) -> Value {
    let (major, minor) = device.capability;
    json!({
        "number": device.number, "name": device.name, "compute_capability": format!("{major}.{minor}"),
        "multiprocessors": device.multiprocessors, "memory": device.memory,
    })
}
