//! The argument `--device`: selects the device that plays a run, or lists the available ones.

use crate::output::Output;
use device::DeviceInfo;
use documents::{Failure, Inputs, Stamped};
use serde::Serialize;
use sim::Options;
use sim::chunk::Job;
use sim::device::Device;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Device to run on.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Player {
    /// GPU for long runs, if one is available.
    Auto,
    /// The CPU of this machine.
    Cpu,
    /// All GPUs of this machine.
    Gpu,
    /// List the devices and exit.
    List,
}

/// Returns the GPUs that run a simulation, or an empty list if the CPU runs it.
///
/// If the user asked for a GPU but the CPU runs the simulation, prints the reason to standard error. Returns an
/// error if the GPUs cannot be used.
pub fn ready(player: Player, options: &Options, job: &Job) -> Result<Vec<Box<dyn Device>>, String> {
    match player {
        Player::Auto => return Ok(sim::device::registered(job, options)),
        Player::Cpu | Player::List => return Ok(Vec::new()),
        Player::Gpu => {}
    }
    match device::ready(job, &device::devices()?)? {
        Ok(devices) => Ok(devices),
        Err(reason) => {
            // the run continues on the CPU even if standard error is closed
            let _ = writeln!(io::stderr(), "running on the CPU: {reason}");
            Ok(Vec::new())
        }
    }
}

/// Prints the GPUs of this machine.
pub fn list(output: &Output) -> Result<ExitCode, Failure> {
    let found = device::devices().map_err(Failure::Refused)?;
    if output.wants_json() {
        let document = Devices { devices: found.iter().map(row).collect() };
        output.document(&Stamped::new(document, Inputs::nothing()))?;
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

fn row(device: &DeviceInfo) -> DeviceRow {
    let (major, minor) = device.capability;
    DeviceRow {
        compute_capability: format!("{major}.{minor}"),
        memory: device.memory,
        multiprocessors: device.multiprocessors,
        name: device.name.clone(),
        number: device.number,
    }
}

/// The GPUs of this machine, as a document.
#[derive(Serialize)]
struct Devices {
    devices: Vec<DeviceRow>,
}

#[derive(Serialize)]
struct DeviceRow {
    compute_capability: String,
    memory: usize,
    multiprocessors: usize,
    name: String,
    number: usize,
}
