//! Whole runs: chunks are played by as many threads as wanted and merged in order, so that a run is the same on any
//! machine; it can be stopped, saved and taken up again.

use crate::chunk::{Job, ShoeResult};
use crate::count::{Counting, Ramp, System};
use crate::isa::Isa;
use crate::part::{Part, identity};
use crate::tally::Tally;
use program::Program;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// What is to be simulated, beside the program.
#[derive(Clone, Debug)]
pub struct Options {
    pub rounds: u64,
    pub seed: u64,
    pub threads: usize,
    /// Boxes in play, one to seven.
    pub boxes: usize,
    /// A full shoe for every round.
    pub fresh: bool,
    pub system: Option<System>,
    pub ramp: Ramp,
    /// The instruction set; the best of the processor if none is named. The results are the same with all.
    pub isa: Option<Isa>,
    /// Stop as soon as the standard error of the expected value is no more than this.
    pub until_error: Option<f64>,
    /// Play these whole chunks instead of a number of rounds.
    pub chunks: Option<Range<u64>>,
    /// Use the general engine only.
    pub general: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rounds: 100_000_000,
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            boxes: 1,
            fresh: false,
            system: None,
            ramp: Ramp::default(),
            isa: None,
            until_error: None,
            chunks: None,
            general: false,
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub rounds: u64,
    /// None if the run goes on until its error is small enough or its chunks are done.
    pub of: Option<u64>,
    pub seconds: f64,
    pub ev: f64,
    pub error: f64,
}

/// What a caller wants to hear while a run goes on.
#[derive(Default)]
pub struct Hooks<'h> {
    /// Called now and then.
    pub progress: Option<&'h mut dyn FnMut(&Progress)>,
    /// Set from outside to end the run with what there is so far.
    pub stop: Option<&'h AtomicBool>,
    /// Called now and then with all that is merged, to be saved.
    pub checkpoint: Option<&'h mut dyn FnMut(&Part)>,
    /// What was saved by an earlier run, to go on from.
    pub resume: Option<Part>,
    /// Called for every shoe, in order; such runs use the general engine.
    pub shoes: Option<&'h mut dyn FnMut(&ShoeResult)>,
}

/// What a run came to.
pub struct Results {
    pub job: Job,
    pub part: Part,
    pub threads: usize,
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// Whether the run was stopped from outside before its end.
    pub stopped: bool,
}

/// Makes a job of a program and options.
pub fn job(program: Program, options: &Options) -> Result<Job, String> {
    if options.boxes == 0 || options.boxes > program.positions.min(crate::round::MOST_BOXES) {
        return Err(format!(
            "{} boxes cannot be in play: the table has {} positions",
            options.boxes, program.positions
        ));
    }
    let fresh = options.fresh || program.stack.fresh;
    let counting = options.system.as_ref().map(|system| Counting::new(&program, system, &options.ramp));
    let lane = (options.boxes == 1 && !options.general).then(|| crate::lane::Table::new(&program)).flatten();
    Ok(Job {
        shoes: Job::shoes_a_chunk(&program, options.boxes, fresh),
        isa: options.isa.unwrap_or_else(Isa::best),
        boxes: options.boxes,
        seed: options.seed,
        program,
        counting,
        fresh,
        lane,
    })
}

type Played = (u64, Tally, Vec<ShoeResult>);

/// Runs a simulation.
pub fn simulate(program: Program, options: &Options, mut hooks: Hooks<'_>) -> Result<Results, String> {
    let job = job(program, options)?;
    let identity = identity(&job);
    let mut part = match hooks.resume.take() {
        Some(part) if part.identity != identity => {
            return Err("what was saved belongs to another table, strategy or seed".into());
        }
        Some(part) => part,
        None => Part::empty(&job, options.chunks.as_ref().map_or(0, |chunks| chunks.start)),
    };
    let begun = Instant::now();
    let wants_shoes = hooks.shoes.is_some();
    let next = AtomicU64::new(part.chunks.end);
    let last = options.chunks.as_ref().map_or(u64::MAX, |chunks| chunks.end);
    let done = AtomicBool::new(false);
    let cpu = Mutex::new(0.0);
    let threads = options.threads.clamp(1, 1024);
    let mut stopped = false;
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::sync_channel::<Played>(2 * threads);
        for _ in 0..threads {
            let send = send.clone();
            scope.spawn(|| {
                play(&job, &next, last, &done, wants_shoes, send);
                if let Ok(mut sum) = cpu.lock() {
                    *sum += cpu_seconds();
                }
            });
        }
        drop(send);
        stopped = merge(&job, options, &mut part, &mut hooks, receive, begun);
        done.store(true, Ordering::Relaxed);
    });
    let cpu_seconds = cpu.lock().map_or(0.0, |sum| *sum);
    Ok(Results { job, part, threads, seconds: begun.elapsed().as_secs_f64(), cpu_seconds, stopped })
}

/// A worker: takes the next chunk as long as there are any.
fn play(
    job: &Job,
    next: &AtomicU64,
    last: u64,
    done: &AtomicBool,
    wants_shoes: bool,
    send: mpsc::SyncSender<Played>,
) {
    while !done.load(Ordering::Relaxed) {
        let chunk = next.fetch_add(1, Ordering::Relaxed);
        if chunk >= last {
            return;
        }
        let mut shoes = Vec::new();
        let tally = if wants_shoes {
            job.chunk_by_rounds(chunk, u64::MAX, &mut |shoe| shoes.push(shoe))
        } else {
            job.chunk(chunk)
        };
        if send.send((chunk, tally, shoes)).is_err() {
            return;
        }
    }
}

/// Merges chunks in their order until there is enough; whether it was stopped from outside.
fn merge(
    job: &Job,
    options: &Options,
    part: &mut Part,
    hooks: &mut Hooks<'_>,
    receive: mpsc::Receiver<Played>,
    begun: Instant,
) -> bool {
    let mut waiting: BTreeMap<u64, (Tally, Vec<ShoeResult>)> = BTreeMap::new();
    let (mut told, mut saved) = (Instant::now(), Instant::now());
    let rounds = if options.chunks.is_some() { u64::MAX } else { options.rounds };
    while let Ok((chunk, tally, shoes)) = receive.recv() {
        waiting.insert(chunk, (tally, shoes));
        while let Some((tally, shoes)) = waiting.remove(&part.chunks.end) {
            let enough = part.tally.rounds() + tally.rounds() >= rounds;
            if enough {
                finish(job, part, hooks, rounds);
                return false;
            }
            part.tally.merge(&tally);
            part.chunks.end += 1;
            if let Some(sink) = &mut hooks.shoes {
                shoes.iter().for_each(sink);
            }
            let close = |most: f64| crate::report::ev_and_error(job, &part.tally).1 <= most;
            if options.until_error.is_some_and(close) {
                return false;
            }
        }
        if told.elapsed() > Duration::from_millis(200) {
            told = Instant::now();
            if let Some(progress) = &mut hooks.progress {
                progress(&progress_of(job, options, part, begun));
            }
        }
        if saved.elapsed() > Duration::from_secs(5) {
            saved = Instant::now();
            if let Some(checkpoint) = &mut hooks.checkpoint {
                checkpoint(part);
            }
        }
        if hooks.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            if let Some(checkpoint) = &mut hooks.checkpoint {
                checkpoint(part);
            }
            return true;
        }
    }
    false
}

/// The last chunk of a number of rounds is played again as far as it is wanted.
fn finish(job: &Job, part: &mut Part, hooks: &mut Hooks<'_>, rounds: u64) {
    let left = rounds.saturating_sub(part.tally.rounds());
    let mut sink = |shoe: ShoeResult| {
        if let Some(shoes) = &mut hooks.shoes {
            shoes(&shoe);
        }
    };
    part.tally.merge(&job.chunk_by_rounds(part.chunks.end, left, &mut sink));
}

fn progress_of(job: &Job, options: &Options, part: &Part, begun: Instant) -> Progress {
    let (ev, error) = crate::report::ev_and_error(job, &part.tally);
    Progress {
        rounds: part.tally.rounds(),
        of: (options.chunks.is_none() && options.until_error.is_none()).then_some(options.rounds),
        seconds: begun.elapsed().as_secs_f64(),
        ev,
        error,
    }
}

/// Processor time that this thread has used, where the system tells; otherwise nothing.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.map_or(0.0, |n| n * 1e-9)
}
