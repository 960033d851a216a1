//! Runs on devices that play many chunks at a time, with the same sums as the processor's.
//!
//! Chunks are played together as long as the end of the run is far; near it they are counted apart, so that it ends behind
//! the same chunk as on the processor. The first chunk is played by both, and a device that comes to other sums is refused.

use crate::chunk::Job;
use crate::run::Run;
use crate::tally::Tally;
use std::ops::Range;
use std::time::Instant;

/// Something that plays whole chunks of a job.
pub trait Device: Send + Sync {
    fn name(&self) -> &str;
    /// The sums of these chunks together.
    fn together(&self, job: &Job, chunks: Range<u64>) -> Result<Tally, String>;
    /// The sums of each of these chunks.
    fn apart(&self, job: &Job, chunks: Range<u64>) -> Result<Vec<Tally>, String>;
}

/// Chunks that are counted apart at a time.
const APART: u64 = 128;
/// Seconds that one call should take: long enough for a device to be busy, short enough to be stopped.
const A_CALL: f64 = 0.25;
/// How much smaller than wanted an error might have been in the middle of chunks played together.
const NEAR: f64 = 1.01;

/// Plays and merges chunks until there is enough; whether it was stopped from outside.
pub(crate) fn play_and_merge(run: &mut Run<'_, '_>, devices: &[Box<dyn Device>]) -> Result<bool, String> {
    let end = run.options.chunks.as_ref().map_or(u64::MAX, |chunks| chunks.end);
    if run.is_enough() || run.next >= end {
        return Ok(false);
    }
    let a_chunk = compare(run, devices)? as f64;
    let mut at_once = APART * devices.len() as u64;
    // chunks before this one are counted apart
    let mut apart_to = run.next;
    while !run.is_enough() && run.next < end {
        if run.is_stopped() {
            return Ok(true);
        }
        let far = far(run, a_chunk).min(end - run.next);
        if run.next < apart_to || far < APART {
            let tallies = devices[0].apart(run.job, run.next..end.min(run.next + APART))?;
            for tally in &tallies {
                if !run.merge(tally) {
                    return Ok(false);
                }
            }
        } else {
            let chunks = run.next..run.next + at_once.min(far);
            let begun = Instant::now();
            let tally = together(run.job, devices, chunks.clone())?;
            let seconds = begun.elapsed().as_secs_f64();
            if run.would_end(&tally, NEAR) {
                apart_to = chunks.end;
                continue;
            }
            run.merge_many(chunks.clone(), &tally);
            if seconds < A_CALL && chunks.end - chunks.start == at_once {
                at_once *= if seconds < A_CALL / 4.0 { 4 } else { 2 };
            }
        }
        run.tell_and_save();
    }
    Ok(false)
}

/// Every device plays the next chunk as the processor does; the rounds of it.
fn compare(run: &Run<'_, '_>, devices: &[Box<dyn Device>]) -> Result<u64, String> {
    let wanted = run.job.chunk(run.next);
    for device in devices {
        if device.apart(run.job, run.next..run.next + 1)? != [wanted.clone()] {
            return Err(format!(
                "{} does not play chunk {} as the processor does; play with --device cpu",
                device.name(),
                run.next
            ));
        }
    }
    Ok(wanted.rounds().max(1))
}

/// Chunks that can be played before the end is near.
fn far(run: &Run<'_, '_>, a_chunk: f64) -> u64 {
    let rounds = run.part.tally.rounds();
    let left = run.rounds().saturating_sub(rounds) as f64 / a_chunk * 0.999;
    let by_error = run.options.until_error.map_or(f64::INFINITY, |least| {
        let error = crate::report::ev_and_error(run.job, &run.part.tally).1;
        // an error that is not known yet says nothing; a few chunks make it known
        if error.is_finite() {
            rounds as f64 / a_chunk * ((error / (least * NEAR)).powi(2) - 1.0)
        } else {
            0.0
        }
    });
    left.min(by_error).max(0.0) as u64
}

/// Each device plays its part of the chunks.
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
        let stopped = || Err("a device stopped".to_string());
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| stopped())).collect()
    });
    let mut sum = job.empty();
    for tally in tallies {
        sum.merge(&tally?);
    }
    Ok(sum)
}
