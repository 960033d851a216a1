//! Runs simulations on devices that play many chunks at a time, with the same sums as the CPU.
//!
//! Far from the end of the run, a device returns the joint sums of many chunks. Near the end it returns the sums
//! of each chunk, so that the run ends after the same chunk as on the CPU. The CPU and every device play the first
//! chunk; a device whose sums differ from the CPU's is rejected.

use crate::chunk::Job;
use crate::prefix::Prefix;
use crate::run::{Options, Run};
use crate::tally::Tally;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Instant;

/// A processor that plays whole chunks of a job.
pub trait Device: Send + Sync {
    /// Returns the device's name for the report.
    fn name(&self) -> &str;
    /// Plays a range of chunks and returns their joint sums.
    fn play_merged(&self, job: &Job, chunks: Range<u64>) -> Result<Tally, String>;
    /// Plays a range of chunks and returns the sums of each chunk separately.
    fn play_separately(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String>;
}

/// A function that prepares devices for a job, or returns an empty list if the CPU should play the job.
pub type DeviceFactory = fn(&Job) -> Vec<Box<dyn Device>>;

static REGISTERED: OnceLock<DeviceFactory> = OnceLock::new();

/// Registers the function that prepares devices for long runs.
///
/// The function is not called for runs that choose their devices themselves. Only the first registration in a
/// process has an effect.
pub fn register(factory: DeviceFactory) {
    REGISTERED.get_or_init(|| factory);
}

/// Returns the devices that the registered function prepares for a job.
///
/// Returns an empty list if no function is registered, if the run is short, or if only the general engine plays.
pub fn registered(job: &Job, options: &Options) -> Vec<Box<dyn Device>> {
    match REGISTERED.get() {
        Some(make) if options.is_long() && !options.general => make(job),
        _ => Vec::new(),
    }
}

/// The maximum number of chunks that one call to a device sums separately.
const MAX_SEPARATE: u64 = 128;
/// The target duration of one call to a device, in seconds.
///
/// The call is long enough to keep the device busy, and short enough for a run to be stopped.
const CALL_SECONDS: f64 = 0.25;
/// The factor on the target error, within which chunks are no longer summed together.
///
/// The margin is needed because the error may be smaller within a group of chunks than at the end of the group.
const ERROR_MARGIN: f64 = 1.01;

/// Plays and merges chunks until the run reaches its goal or is stopped.
///
/// Returns whether the run was stopped, or an error if a device failed.
pub(crate) fn play_and_merge(run: &mut Run<'_, '_>, devices: &[Box<dyn Device>]) -> Result<bool, String> {
    if run.prefix.is_enough() {
        return Ok(false);
    }
    let end = run.prefix.end();
    let a_chunk = compare(&run.prefix, devices)? as f64;
    let mut at_once = MAX_SEPARATE * devices.len() as u64;
    // chunks before this one are summed separately
    let mut separate_to = run.prefix.next();
    while !run.prefix.is_enough() {
        if run.is_stopped() {
            return Ok(true);
        }
        let prefix = &mut run.prefix;
        let next = prefix.next();
        let far = chunks_before_end(prefix, a_chunk).min(end - next);
        if next < separate_to || far < MAX_SEPARATE {
            let tallies = devices[0].play_separately(prefix.job, next..end.min(next + MAX_SEPARATE))?;
            for tally in &tallies {
                if !prefix.add(tally) {
                    return Ok(false);
                }
            }
        } else {
            let chunks = next..next + at_once.min(far);
            let begun = Instant::now();
            let tally = play_on_all(prefix.job, devices, chunks.clone())?;
            let seconds = begun.elapsed().as_secs_f64();
            if prefix.would_end(&tally, ERROR_MARGIN) {
                separate_to = chunks.end;
                continue;
            }
            prefix.add_row(chunks.clone(), &tally);
            if seconds < CALL_SECONDS && chunks.end - chunks.start == at_once {
                at_once *= if seconds < CALL_SECONDS / 4.0 { 4 } else { 2 };
            }
        }
        run.report_and_save();
    }
    Ok(false)
}

/// Plays the next chunk on the CPU and on every device, and returns its number of rounds.
///
/// Returns an error if the sums of a device differ from those of the CPU.
fn compare(prefix: &Prefix<&Job>, devices: &[Box<dyn Device>]) -> Result<u64, String> {
    let wanted = prefix.job.chunk(prefix.next());
    for device in devices {
        if device.play_separately(prefix.job, prefix.next()..prefix.next() + 1)? != [wanted.clone()] {
            return Err(format!(
                "{} and the CPU disagree on chunk {}; use --device cpu",
                device.name(),
                prefix.next()
            ));
        }
    }
    Ok(wanted.rounds().max(1))
}

/// Returns the number of chunks that can be played together before the end of the run is near.
fn chunks_before_end(prefix: &Prefix<&Job>, a_chunk: f64) -> u64 {
    let rounds = prefix.part.tally.rounds();
    let left = prefix.goal().rounds.saturating_sub(rounds) as f64 / a_chunk * 0.999;
    let by_error = prefix.goal().until_error.map_or(f64::INFINITY, |least| {
        let error = crate::report::ev_and_error(prefix.job, &prefix.part.tally).1;
        // without an error estimate, play a few chunks separately first
        if error.is_finite() {
            rounds as f64 / a_chunk * ((error / (least * ERROR_MARGIN)).powi(2) - 1.0)
        } else {
            0.0
        }
    });
    left.min(by_error).max(0.0) as u64
}

/// Splits chunks among all devices, plays them in parallel and returns their joint sums.
fn play_on_all(job: &Job, devices: &[Box<dyn Device>], chunks: Range<u64>) -> Result<Tally, String> {
    if let [device] = devices {
        return device.play_merged(job, chunks);
    }
    let (all, parts) = (chunks.end - chunks.start, devices.len() as u64);
    let bound = |part: u64| chunks.start + all * part / parts;
    let tallies: Vec<Result<Tally, String>> = std::thread::scope(|scope| {
        let workers: Vec<_> = devices
            .iter()
            .zip(0..)
            .map(|(device, part)| scope.spawn(move || device.play_merged(job, bound(part)..bound(part + 1))))
            .collect();
        let stopped = || Err("a device stopped before its work was done".to_string());
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| stopped())).collect()
    });
    let mut sum = job.empty();
    for tally in tallies {
        sum.merge(&tally?);
    }
    Ok(sum)
}
