//! Runs on devices that play many chunks at a time, with the same sums as the CPU.
//!
//! While the end of the run is far off, chunks are summed together. Near the end they are summed separately, so that
//! the run ends after the same chunk as on the CPU. Both play the first chunk, and a device with different sums is
//! refused.

use crate::chunk::Job;
use crate::prefix::Prefix;
use crate::run::{Options, Run};
use crate::tally::Tally;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Instant;

/// A processor that plays whole chunks of a job.
pub trait Device: Send + Sync {
    /// Returns the device's name, for people.
    fn name(&self) -> &str;
    /// Returns the joint sums of these chunks.
    fn together(&self, job: &Job, chunks: Range<u64>) -> Result<Tally, String>;
    /// Returns the sums of each of these chunks separately.
    fn apart(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String>;
}

/// Prepares devices for a job; returns none if the CPU should play it.
pub type Maker = fn(&Job) -> Vec<Box<dyn Device>>;

static OFFERED: OnceLock<Maker> = OnceLock::new();

/// Registers the maker of devices for the long runs of this process that choose none themselves. The first registration
/// wins.
pub fn offer(maker: Maker) {
    OFFERED.get_or_init(|| maker);
}

/// Returns the devices for a run that chooses none itself.
pub fn offered(job: &Job, options: &Options) -> Vec<Box<dyn Device>> {
    match OFFERED.get() {
        Some(make) if options.is_long() && !options.general => make(job),
        _ => Vec::new(),
    }
}

/// The number of chunks that are summed separately in one call.
const APART: u64 = 128;
/// The target duration of one call in seconds: long enough to keep a device busy, short enough to be stopped.
const A_CALL: f64 = 0.25;
/// A safety factor: the error inside a group of chunks may have been smaller than at its end by this factor.
const NEAR: f64 = 1.01;

/// Plays and merges chunks until the goal is reached. Returns whether the run was stopped from outside.
pub(crate) fn play_and_merge(run: &mut Run<'_, '_>, devices: &[Box<dyn Device>]) -> Result<bool, String> {
    if run.prefix.is_enough() {
        return Ok(false);
    }
    let end = run.prefix.end();
    let a_chunk = compare(&run.prefix, devices)? as f64;
    let mut at_once = APART * devices.len() as u64;
    // chunks before this one are summed separately
    let mut apart_to = run.prefix.next();
    while !run.prefix.is_enough() {
        if run.is_stopped() {
            return Ok(true);
        }
        let prefix = &mut run.prefix;
        let next = prefix.next();
        let far = far(prefix, a_chunk).min(end - next);
        if next < apart_to || far < APART {
            let tallies = devices[0].apart(prefix.job, next..end.min(next + APART))?;
            for tally in &tallies {
                if !prefix.add(tally) {
                    return Ok(false);
                }
            }
        } else {
            let chunks = next..next + at_once.min(far);
            let begun = Instant::now();
            let tally = together(prefix.job, devices, chunks.clone())?;
            let seconds = begun.elapsed().as_secs_f64();
            if prefix.would_end(&tally, NEAR) {
                apart_to = chunks.end;
                continue;
            }
            prefix.add_row(chunks.clone(), &tally);
            if seconds < A_CALL && chunks.end - chunks.start == at_once {
                at_once *= if seconds < A_CALL / 4.0 { 4 } else { 2 };
            }
        }
        run.tell_and_save();
    }
    Ok(false)
}

/// Checks that every device plays the next chunk like the CPU, and returns the chunk's number of rounds.
fn compare(prefix: &Prefix<&Job>, devices: &[Box<dyn Device>]) -> Result<u64, String> {
    let wanted = prefix.job.chunk(prefix.next());
    for device in devices {
        if device.apart(prefix.job, prefix.next()..prefix.next() + 1)? != [wanted.clone()] {
            return Err(format!(
                "{} and the CPU disagree on chunk {}; use --device cpu",
                device.name(),
                prefix.next()
            ));
        }
    }
    Ok(wanted.rounds().max(1))
}

/// Returns the number of chunks that can be played before the end is near.
fn far(prefix: &Prefix<&Job>, a_chunk: f64) -> u64 {
    let rounds = prefix.part.tally.rounds();
    let left = prefix.goal().rounds.saturating_sub(rounds) as f64 / a_chunk * 0.999;
    let by_error = prefix.goal().until_error.map_or(f64::INFINITY, |least| {
        let error = crate::report::ev_and_error(prefix.job, &prefix.part.tally).1;
        // without an error estimate, play a few chunks separately first
        if error.is_finite() {
            rounds as f64 / a_chunk * ((error / (least * NEAR)).powi(2) - 1.0)
        } else {
            0.0
        }
    });
    left.min(by_error).max(0.0) as u64
}

/// Sums chunks on all devices in parallel, each with its share.
fn together(job: &Job, devices: &[Box<dyn Device>], chunks: Range<u64>) -> Result<Tally, String> {
    if let [device] = devices {
        return device.together(job, chunks);
    }
    let (all, parts) = (chunks.end - chunks.start, devices.len() as u64);
    let bound = |part: u64| chunks.start + all * part / parts;
    let tallies: Vec<Result<Tally, String>> = std::thread::scope(|scope| {
        let workers: Vec<_> = devices
            .iter()
            .zip(0..)
            .map(|(device, part)| scope.spawn(move || device.together(job, bound(part)..bound(part + 1))))
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
