//! Runs whole simulations: any number of threads plays the chunks, which are merged in order.
//!
//! A run therefore gives the same results on any machine. It can be stopped, saved and resumed.

use crate::chunk::{Engine, Job, ShoeResult};
use crate::count::{Counting, Ramp, System};
use crate::device::{self, Device};
use crate::identity::identity;
use crate::isa::Isa;
use crate::part::RunPart;
use crate::prefix::{Goal, Prefix};
use crate::shoes_file::ChunkShoes;
use crate::side_counts::{self, SideStakes};
use crate::tally::Tally;
use program::Program;
use program::chart::Take;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, mpsc};
use std::time::{Duration, Instant};

/// The options for a simulation, apart from the program.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of rounds to play, or the maximum if `until_error` is set.
    pub rounds: u64,
    /// The seed that determines every card of the run.
    pub seed: u64,
    /// The number of threads that play.
    pub threads: usize,
    /// The number of boxes in play, one to seven.
    pub boxes: usize,
    /// Whether every round starts from a full shoe.
    pub fresh: bool,
    /// The counting system, or `None` if no cards are counted.
    pub system: Option<System>,
    /// The bet ramp, which gives the bet at each count.
    pub ramp: Ramp,
    /// The side bets with counting systems of their own, which only the general engine supports.
    pub side_counts: Vec<SideStakes>,
    /// The instruction set, or `None` for the fastest one of the processor; the results do not depend on it.
    pub isa: Option<Isa>,
    /// The standard error of the EV at which the run ends, or `None` to play all rounds.
    pub until_error: Option<f64>,
    /// The range of whole chunks to play, or `None` if the number of rounds decides.
    pub chunks: Option<Range<u64>>,
    /// Whether only the general engine plays.
    pub general: bool,
}

/// The lowest number of rounds that justifies starting a device.
const LONG: u64 = 1_000_000_000;
/// The number of chunks that have about `LONG` rounds.
const LONG_CHUNKS: u64 = 4_000;

impl Options {
    /// Returns whether the run may be long enough to use a device.
    ///
    /// A short run is not worth the device's start-up time.
    pub fn is_long(&self) -> bool {
        match &self.chunks {
            Some(chunks) => chunks.end.saturating_sub(chunks.start) >= LONG_CHUNKS,
            None => self.rounds >= LONG,
        }
    }
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
            side_counts: Vec::new(),
            isa: None,
            until_error: None,
            chunks: None,
            general: false,
        }
    }
}

/// The progress of a run, for example to show to a person who waits.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of rounds played.
    pub rounds: u64,
    /// The requested number of rounds; `None` if a standard error or a range of chunks decides when the run ends.
    pub of: Option<u64>,
    /// The fraction of the run that is done, which is an estimate if the standard error ends the run.
    pub share: f64,
    /// The time since the start of the run, in seconds.
    pub seconds: f64,
    /// The number of rounds played per second by this process, without the rounds of a saved part.
    pub rate: f64,
    /// The EV of an initial bet so far.
    pub ev: f64,
    /// The standard error of `ev`.
    pub error: f64,
}

/// The callbacks of a simulation, and the saved part to resume from.
#[derive(Default)]
pub struct Hooks<'h> {
    /// A callback that regularly receives the run's progress, or `None`.
    pub progress: Option<&'h mut dyn FnMut(&Progress)>,
    /// A flag that another thread sets to stop the run; the run then returns its results so far.
    pub stop: Option<&'h AtomicBool>,
    /// A callback that regularly receives the sums of all merged chunks, to save them, or `None`.
    pub checkpoint: Option<&'h mut dyn FnMut(&RunPart)>,
    /// The saved part of an earlier run to resume from, or `None` to start at the first chunk.
    pub resume: Option<RunPart>,
    /// A callback that receives the result of every shoe, in order.
    ///
    /// Runs with this callback use the general engine.
    pub shoes: Option<&'h mut dyn FnMut(&ShoeResult)>,
    /// A callback that prepares devices for the job.
    ///
    /// The callback returns an empty list if the CPU should play the job. Without this callback, a long run uses
    /// the registered devices ([`device::register`]).
    pub devices: Option<&'h mut MakeReady<'h>>,
}

/// A function that prepares devices for a job.
///
/// The function returns an error with the reason if the run cannot begin.
pub type MakeReady<'h> = dyn FnMut(&Job) -> Result<Vec<Box<dyn Device>>, String> + 'h;

/// The results of a run.
pub struct Results {
    /// The run that was played: its compiled table and settings.
    pub job: Job,
    /// The chunks of the run with their sums.
    pub part: RunPart,
    /// The number of rounds played, without those of the saved part.
    pub played: u64,
    /// The number of threads that played.
    pub threads: usize,
    /// The wall-clock time of the run, in seconds.
    pub seconds: f64,
    /// The processor time of all threads together, in seconds.
    pub cpu_seconds: f64,
    /// Whether the run was stopped from outside before its end.
    pub stopped: bool,
    /// The names of the devices that played the run; empty if the CPU played it.
    pub devices: Vec<String>,
}

/// Creates the job for a program and its options.
///
/// Returns an error if the options do not fit the table or the strategy.
pub fn job(program: Program, options: &Options) -> Result<Job, String> {
    if options.boxes == 0 || options.boxes > program.positions.min(crate::round::MOST_BOXES) {
        return Err(format!(
            "cannot play {} boxes: the table has {} positions",
            options.boxes, program.positions
        ));
    }
    let by_count = matches!(program.offers.insurance, Take::FromCount(_))
        || (program.even_money.is_some() && matches!(program.offers.even_money, Take::FromCount(_)))
        || !program.hands.consults.is_empty();
    if by_count && options.system.is_none() {
        return Err("the strategy has index plays; set a counting system with --count".into());
    }
    let fresh = options.fresh || program.stack.fresh;
    let counting = options.system.as_ref().map(|system| Counting::new(&program, system, &options.ramp));
    let side_counts = side_counts::prepared(&program, &options.side_counts)?;
    let general = options.general || !side_counts.is_empty();
    let engine = if general { Engine::General } else { Engine::of(&program, options.boxes) };
    Ok(Job {
        shoes: Job::shoes_a_chunk(&program, options.boxes, fresh),
        isa: options.isa.unwrap_or_else(Isa::best),
        boxes: options.boxes,
        seed: options.seed,
        program,
        counting,
        side_counts,
        fresh,
        engine,
    })
}

type Played = (u64, Tally, ChunkShoes);

/// Runs a simulation and returns its results.
///
/// Returns an error if the options, the saved part or the devices cannot be used for the run.
pub fn simulate(program: Program, options: &Options, mut hooks: Hooks<'_>) -> Result<Results, String> {
    // only the general engine reports single shoes
    let general = options.general || hooks.shoes.is_some();
    let job = job(program, &Options { general, ..options.clone() })?;
    let part = match hooks.resume.take() {
        Some(part) => resumable(&job, options, part)?,
        None => RunPart::empty(&job),
    };
    let devices = match hooks.devices.take() {
        _ if hooks.shoes.is_some() => Vec::new(),
        Some(make) => make(&job)?,
        None => device::registered(&job, options),
    };
    let prefix = Prefix::new(&job, Goal::of(options), part);
    let (next, before) = (prefix.next(), prefix.part.tally.rounds());
    let now = Instant::now();
    let mut run = Run { prefix, hooks, before, begun: now, told: now, saved: None };
    let threads = options.threads.clamp(1, 1024);
    let queue = ChunkQueue {
        next: AtomicU64::new(next),
        last: run.prefix.end(),
        // the results of single shoes take memory, sums do not
        window: if run.hooks.shoes.is_some() { threads as u64 + 1 } else { 32 * threads as u64 },
        merged: Mutex::new(next),
        moved: Condvar::new(),
    };
    if run.prefix.is_enough() {
        queue.note_merged(u64::MAX);
    }
    let own = cpu_seconds();
    let others = Mutex::new(0.0);
    let stopped = match devices.is_empty() {
        true => play_on_threads(&mut run, &queue, threads, &others),
        false => device::play_and_merge(&mut run, &devices)?,
    };
    run.save();
    if !stopped {
        run.finish();
    }
    let (part, seconds) = (run.prefix.part, run.begun.elapsed().as_secs_f64());
    let cpu_seconds = cpu_seconds() - own + others.lock().map_or(0.0, |sum| *sum);
    let played = part.tally.rounds() - before;
    let devices = devices.iter().map(|device| device.name().to_string()).collect();
    Ok(Results { job, part, played, threads, seconds, cpu_seconds, stopped, devices })
}

/// Plays the chunks of a run on `threads` threads, including this one.
///
/// Returns whether the run was stopped from outside.
fn play_on_threads(run: &mut Run<'_, '_>, queue: &ChunkQueue, threads: usize, others: &Mutex<f64>) -> bool {
    let (job, wants_shoes) = (run.prefix.job, run.hooks.shoes.is_some());
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel::<Played>();
        // one thread fewer, since this one plays too
        for _ in 1..threads {
            let send = send.clone();
            scope.spawn(move || {
                work(job, queue, wants_shoes, send);
                if let Ok(mut sum) = others.lock() {
                    *sum += cpu_seconds();
                }
            });
        }
        drop(send);
        let stopped = run.play_and_merge(receive, queue);
        queue.note_merged(u64::MAX);
        stopped
    })
}

/// Returns the saved part if this run can resume from it, and an error otherwise.
fn resumable(job: &Job, options: &Options, part: RunPart) -> Result<RunPart, String> {
    if part.identity != identity(job) {
        return Err("the checkpoint is for a different table, strategy, count or seed".into());
    }
    let wanted = options.chunks.clone().unwrap_or(0..u64::MAX);
    let begins = match part.chunks.as_slice() {
        [] => true,
        [row] => row.start == wanted.start && row.end <= wanted.end,
        _ => false,
    };
    if !begins || !part.tally.has_shape_of(&job.empty()) {
        return Err(format!(
            "the checkpoint contains the chunks {:?}, which are not the start of this run",
            part.chunk_ranges()
        ));
    }
    let rounds = part.tally.rounds();
    if options.chunks.is_none() && rounds > options.rounds {
        return Err(format!(
            "the checkpoint already has {rounds} rounds, which is more than the {} requested",
            options.rounds
        ));
    }
    Ok(part)
}

/// A queue from which threads take the numbers of the chunks to play.
///
/// A thread waits if its chunk is too far ahead of the merge, so that only a few chunks are in memory at a time.
struct ChunkQueue {
    next: AtomicU64,
    last: u64,
    /// The number of chunks, counted from the first unmerged one, that may be taken at a time.
    window: u64,
    /// The number of the first chunk that is not merged, or `u64::MAX` once the run has reached its goal.
    merged: Mutex<u64>,
    moved: Condvar,
}

impl ChunkQueue {
    /// Takes the next chunk without waiting, or returns `None` if the chunk is too far ahead of the merge.
    ///
    /// The thread that merges calls this function, because it must not wait for itself.
    fn try_take(&self) -> Option<u64> {
        let merged = *self.merged.lock().ok()?;
        if self.next.load(Ordering::Relaxed) >= self.last.min(merged.saturating_add(self.window)) {
            return None;
        }
        let chunk = self.next.fetch_add(1, Ordering::Relaxed);
        (chunk < self.last).then_some(chunk)
    }

    /// Takes the next chunk to play, and waits while that chunk is too far ahead of the merge.
    ///
    /// Returns `None` if no chunk is left to play.
    fn take(&self) -> Option<u64> {
        let chunk = self.next.fetch_add(1, Ordering::Relaxed);
        let merged = self.merged.lock().ok()?;
        let far = |merged: &mut u64| chunk >= merged.saturating_add(self.window);
        let merged = self.moved.wait_while(merged, far).ok()?;
        (*merged < u64::MAX && chunk < self.last).then_some(chunk)
    }

    fn note_merged(&self, chunk: u64) {
        if let Ok(mut merged) = self.merged.lock() {
            *merged = chunk;
        }
        self.moved.notify_all();
    }
}

/// Plays chunks in another thread until none are left, and sends their sums.
fn work(job: &Job, queue: &ChunkQueue, wants_shoes: bool, send: mpsc::Sender<Played>) {
    while let Some(chunk) = queue.take() {
        if send.send(play(job, chunk, wants_shoes)).is_err() {
            return;
        }
    }
}

fn play(job: &Job, chunk: u64, wants_shoes: bool) -> Played {
    let mut shoes = ChunkShoes::new(chunk);
    let tally = if wants_shoes {
        shoes.reserve(job);
        job.chunk_by_rounds(chunk, u64::MAX, &mut |shoe| shoes.push(&shoe))
    } else {
        job.chunk(chunk)
    };
    (chunk, tally, shoes)
}

/// A run in progress.
pub(crate) struct Run<'r, 'h> {
    pub prefix: Prefix<&'r Job>,
    hooks: Hooks<'h>,
    /// The number of rounds in the saved part from which the run resumed.
    before: u64,
    begun: Instant,
    /// The time at which the run's progress was last reported.
    ///
    /// The field `saved` is the time at which the run's sums were last saved.
    told: Instant,
    saved: Option<Instant>,
}

impl Run<'_, '_> {
    /// Returns whether the run has been asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.hooks.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Reports the progress and saves the run, each if its own interval has passed.
    pub fn report_and_save(&mut self) {
        if self.told.elapsed() > Duration::from_millis(200) {
            self.told = Instant::now();
            let progress = self.prefix.progress(self.before, self.begun.elapsed().as_secs_f64());
            if let Some(tell) = &mut self.hooks.progress {
                tell(&progress);
            }
        }
        // the first save comes as soon as there is anything to save, so that an early kill loses little
        if self.saved.is_none_or(|at| at.elapsed() > Duration::from_secs(5)) {
            self.saved = Some(Instant::now());
            self.save();
        }
    }

    /// Plays and merges chunks in order until the run reaches its goal or is stopped.
    ///
    /// Returns whether the run was stopped. The calling thread plays chunks like the other threads.
    fn play_and_merge(&mut self, receive: mpsc::Receiver<Played>, queue: &ChunkQueue) -> bool {
        let mut waiting: BTreeMap<u64, (Tally, ChunkShoes)> = BTreeMap::new();
        let wants_shoes = self.hooks.shoes.is_some();
        while !self.prefix.is_enough() {
            // if there is nothing left to take, wait for the chunks of the other threads
            let mut played = match queue.try_take() {
                Some(chunk) => Some(play(self.prefix.job, chunk, wants_shoes)),
                None => receive.recv().ok(),
            };
            if played.is_none() {
                return false;
            }
            while let Some((chunk, tally, shoes)) = played {
                waiting.insert(chunk, (tally, shoes));
                played = receive.try_recv().ok();
            }
            while let Some((tally, shoes)) = waiting.remove(&self.prefix.next()) {
                let chunk = self.prefix.next();
                let goes_on = self.prefix.add(&tally);
                if let Some(sink) = self.hooks.shoes.as_mut().filter(|_| self.prefix.next() > chunk) {
                    shoes.each(sink);
                }
                queue.note_merged(self.prefix.next());
                if !goes_on {
                    return false;
                }
            }
            self.report_and_save();
            if self.is_stopped() {
                return true;
            }
        }
        false
    }

    fn save(&mut self) {
        if let Some(checkpoint) = &mut self.hooks.checkpoint {
            checkpoint(&self.prefix.part);
        }
    }

    /// Plays the remaining rounds of the last chunk.
    fn finish(&mut self) {
        let (Some(shoes), Some((chunk, left))) = (&mut self.hooks.shoes, self.prefix.cut()) else {
            return self.prefix.finish();
        };
        let tally = self.prefix.job.chunk_by_rounds(chunk, left, &mut |shoe| shoes(&shoe));
        self.prefix.part.tally.merge(&tally);
    }
}

/// Returns the CPU time of this thread in seconds, or 0 where the system does not report it.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.map_or(0.0, |n| n * 1e-9)
}
