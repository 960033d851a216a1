//! Measures rounds per second of every game on one core, side by side with the reference program, and prints the ratios
//! and the targets.
//!
//! `cargo bench -p cutcard-sim` compiles the reference program `../shared/prototypes/lockstep.rs`, if it exists, and
//! runs it alternately with this crate, so that other load on the machine affects both equally. It prints the medians
//! of the ratios. Times are CPU times where the system reports them.

use program::{CompileOptions, Program, compile, infinite_deck::infinite_deck_chart};
use rules::preset::preset;
use rules::{Choices, file};
use sim::chunk::Job;
use sim::count::{Ramp, System};
use sim::isa::Isa;
use sim::{Hooks, Options, simulate};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// The number of times that the compared programs are measured alternately.
const TURNS: usize = 9;

fn main() {
    let lockstep = Lockstep::build();
    let (plain, counted) = (job(&nj_blackjack(), &Options::default()), job(&nj_blackjack(), &counting()));
    let (mut rates, mut ratios) = ([vec![], vec![], vec![]], [vec![], vec![]]);
    for _ in 0..TURNS {
        let ours = [piece(&plain, 0.3), piece(&counted, 0.3)];
        (0..2).for_each(|way| rates[way].push(ours[way]));
        if let Some(yard) = lockstep.as_ref().and_then(Lockstep::rate) {
            rates[2].push(yard);
            (0..2).for_each(|way| ratios[way].push(ours[way] / yard));
        }
    }
    let [plain, counted, yard] = rates.map(median);
    let [to_yard, counted_to_yard] = ratios.map(median);
    let show = |name: &str, rate: f64, least: Option<f64>| show(name, rate, rate / yard, least);
    show("nj-blackjack, avx512 or best", plain, None);
    show("nj-blackjack with Hi-Lo and a ramp", counted, None);
    if lockstep.is_some() {
        show("lockstep.rs", yard, None);
        ratio("nj-blackjack of lockstep.rs", to_yard, 0.6);
        ratio("with Hi-Lo and a ramp, of lockstep.rs", counted_to_yard, 0.4);
    }
    ratio("nj-blackjack of the fastest public simulator (9.0 M/s)", plain / 9.0, 10.0);
    let plainly = Options::default();
    for name in OTHER_GAMES {
        let program = program(&preset(name).unwrap(), false);
        show(name, rate(&program, &plainly), Some(25.0));
        show(&format!("{name} with Hi-Lo and a ramp"), rate(&program, &counting()), None);
    }
    for name in &OTHER_GAMES[3..] {
        let program = program(&preset(name).unwrap(), true);
        show(&format!("{name} with its side bets"), rate(&program, &plainly), Some(10.0));
    }
    for wager in ["same-suit", "match-the-dealer", "sevens", "streak"] {
        let mut choices = preset("nj-blackjack").unwrap();
        file::set(&mut choices, &format!("side_wagers.{wager}.minimum=1")).unwrap();
        let rate = rate(&program(&choices, true), &plainly);
        show(&format!("nj-blackjack with {wager}"), rate, Some(10.0));
    }
    let portable = |options: Options| Options { isa: Some(Isa::Portable), ..options };
    show("nj-blackjack, portable", rate(&nj_blackjack(), &portable(plainly)), Some(20.0));
    show("the same with Hi-Lo and a ramp", rate(&nj_blackjack(), &portable(counting())), None);
    println!("several boxes, in boxes a second:");
    let of_boxes = |program: &Program, options: Options, boxes: usize| {
        rate(program, &Options { boxes, ..options }) * boxes as f64
    };
    for boxes in [2, 4, 6] {
        let rate = of_boxes(&nj_blackjack(), Options::default(), boxes);
        show(&format!("nj-blackjack, {boxes} boxes"), rate, None);
    }
    show("the same with Hi-Lo and a ramp, 6 boxes", of_boxes(&nj_blackjack(), counting(), 6), None);
    for name in &OTHER_GAMES[3..] {
        let program = program(&preset(name).unwrap(), true);
        let rate = of_boxes(&program, Options::default(), 3);
        show(&format!("{name} with its side bets, 3 boxes"), rate, None);
    }
    two_threads(lockstep.as_ref());
}

/// The other presets; the last three include side bets.
const OTHER_GAMES: [&str; 6] = [
    "nj-six-to-five",
    "nj-blackjack-face-up",
    "nj-multiple-action",
    "nj-switch",
    "nj-double-attack",
    "nj-triple-attack",
];

/// Measures how much faster two threads are than one, compared with what two processors of this machine achieve on
/// other work: arithmetic limited by latency, which leaves half of the processor idle; arithmetic that saturates it;
/// and the reference program, as two processes.
///
/// A virtual processor may be one hyper-thread of a core whose other hyper-thread belongs to another machine, and then
/// a saturating load runs at half speed for a while. All loads are measured alternately, so that other work affects all
/// of them, and the medians are printed. Rounds per second of CPU time exclude the time in which others have the
/// processor, and the fastest tenth of all chunks excludes the time in which others use the core's other hyper-thread.
fn two_threads(lockstep: Option<&Lockstep>) {
    let (mut idle, mut busy, mut yard) = (vec![], vec![], vec![]);
    let (mut clock, mut own, mut alone, mut both) = (vec![], vec![], vec![], vec![]);
    let job = job(&nj_blackjack(), &Options::default());
    for _ in 0..TURNS {
        alone.extend(chunk_times(&job, 1));
        both.extend(chunk_times(&job, 2));
        idle.push(1.0 / arithmetic::<1>(1) * arithmetic::<1>(2));
        busy.push(1.0 / arithmetic::<24>(1) * arithmetic::<24>(2));
        yard.extend(lockstep.and_then(|lockstep| Some(1.0 / lockstep.rates(1)? * lockstep.rates(2)?)));
        let [one, two] = [threads(1), threads(2)];
        clock.push(two.0 / one.0);
        own.push(2.0 * two.1 / one.1);
    }
    println!("two threads of one:");
    let tell = |name: &str, ratio: f64| println!("{name:<55}{ratio:>8.2} times");
    tell("arithmetic that waits for itself, by the clock", median(idle));
    tell("arithmetic that fills the processor, by the clock", median(busy));
    if !yard.is_empty() {
        tell("lockstep.rs, two at once, by processor time", median(yard));
    }
    ratio("nj-blackjack, by the clock", median(clock), 1.9);
    ratio("nj-blackjack, by processor time", median(own), 1.9);
    ratio("nj-blackjack, the fastest tenth of all chunks", 2.0 * tenth(alone) / tenth(both), 1.9);
}

/// Returns the wall-clock time of each of many chunks while `threads` threads play.
fn chunk_times(job: &Job, threads: u64) -> Vec<f64> {
    let play = |thread: u64| {
        let time = |chunk: u64| {
            let begun = Instant::now();
            std::hint::black_box(job.chunk(thread << 32 | chunk));
            begun.elapsed().as_secs_f64()
        };
        (0..100).map(time).collect::<Vec<f64>>()
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|thread| scope.spawn(move || play(thread))).collect();
        all.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// Returns the first decile.
fn tenth(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 10]
}

/// Returns the median, or 0 for an empty list.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Returns the steps per second of wall-clock time of `threads` threads that only do arithmetic, each on `NUMBERS`
/// independent numbers.
fn arithmetic<const NUMBERS: usize>(threads: u64) -> f64 {
    let steps = 400_000_000 / (NUMBERS as u64 + 3);
    let work = |seed: u64| {
        let mut numbers: [u64; NUMBERS] = std::array::from_fn(|nth| seed + nth as u64);
        for _ in 0..steps {
            numbers =
                std::hint::black_box(numbers).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (n >> 31));
        }
        numbers
    };
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for seed in 0..threads {
            scope.spawn(move || std::hint::black_box(work(seed)));
        }
    });
    (threads * steps) as f64 / begun.elapsed().as_secs_f64()
}

fn nj_blackjack() -> Program {
    program(&preset("nj-blackjack").unwrap(), false)
}

fn program(choices: &Choices, sides: bool) -> Program {
    let compile_options =
        CompileOptions { bets: if sides { program::side::offered(choices) } else { vec![] }, stake: None };
    compile(choices, &infinite_deck_chart(choices), &compile_options).unwrap()
}

fn counting() -> Options {
    Options {
        system: Some(System::parse("hi-lo").unwrap()),
        ramp: Ramp::parse("1:1,2:4,3:8,4:12").unwrap(),
        ..Options::default()
    }
}

fn job(program: &Program, options: &Options) -> Job {
    sim::run::job(program.clone(), options).unwrap()
}

/// Returns million rounds per second of CPU time on one core, the best of three tries.
fn rate(program: &Program, options: &Options) -> f64 {
    let job = job(program, options);
    (0..3).fold(0f64, |best, _| best.max(piece(&job, 0.1)))
}

/// Returns million rounds per second of CPU time, measured over at least `least` seconds, since the system reports CPU
/// time in steps of several milliseconds.
fn piece(job: &Job, least: f64) -> f64 {
    let (begun, mut rounds, mut chunk, mut taken) = (seconds(), 0, 0, 0.0);
    while taken < least {
        for _ in 0..8 {
            rounds += job.chunk(chunk).rounds();
            chunk += 1;
        }
        taken = seconds() - begun;
    }
    rounds as f64 / taken / 1e6
}

/// Returns million rounds per second of wall-clock time, and per second of CPU time.
fn threads(threads: usize) -> (f64, f64) {
    let options = Options { rounds: 100_000_000 * threads as u64, threads, ..Options::default() };
    let results = simulate(nj_blackjack(), &options, Hooks::default()).unwrap();
    let rounds = results.part.tally.rounds() as f64 / 1e6;
    (rounds / results.seconds, rounds / results.cpu_seconds.max(1e-9))
}

/// Returns the CPU time of this thread, or the wall-clock time where the system does not report it.
fn seconds() -> f64 {
    thread_local!(static BEGUN: Instant = Instant::now());
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let told = text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    told.map_or_else(|| BEGUN.with(Instant::elapsed).as_secs_f64(), |n| n * 1e-9)
}

/// The reference program, compiled with this benchmark.
struct Lockstep(PathBuf);

impl Lockstep {
    fn build() -> Option<Lockstep> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let place = "shared/prototypes/lockstep.rs";
        let source = [root.join("..").join(place), root.join(place)]
            .into_iter()
            .chain(std::env::var_os("CUTCARD_LOCKSTEP").map(Into::into))
            .find(|path| path.exists())?;
        let program = std::env::temp_dir().join(format!("lockstep-{}", std::process::id()));
        let built = Command::new("rustc")
            .args(["-O", "-C", "target-cpu=native", "-o"])
            .args([&program, &source])
            .output()
            .ok()?;
        built.status.success().then_some(Lockstep(program))
    }

    /// Returns million rounds per second of CPU time, the best of two tries.
    fn rate(&self) -> Option<f64> {
        let run = Command::new(&self.0).arg("2").output().ok()?;
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        text.split("ns/round = ").nth(1)?.split_whitespace().next()?.parse().ok()
    }

    /// Returns the total rate of several processes at once, each at the median of its tries.
    fn rates(&self, processes: usize) -> Option<f64> {
        let run = || Command::new(&self.0).arg("3").stdout(Stdio::piped()).spawn().ok();
        let all: Vec<_> = (0..processes).map(|_| run()).collect();
        let rate = |child: Child| {
            let text = String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?;
            let tries = text.lines().filter_map(|line| line.split_once(" ns/round ")?.0.parse().ok());
            Some(1e3 / median(tries.collect()))
        };
        all.into_iter().map(|child| rate(child?)).sum()
    }
}

impl Drop for Lockstep {
    fn drop(&mut self) {
        // a leftover file in the temporary directory does no harm
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Prints a rate in million rounds per second, and its ratio to the reference program, if there is one.
fn show(name: &str, rate: f64, of_yard: f64, least: Option<f64>) {
    let of_yard = if of_yard.is_finite() { format!("{of_yard:>8.2}") } else { " ".repeat(8) };
    let verdict = least.map_or(String::new(), |least| {
        format!("   at least {least}: {}", if rate >= least { "reached" } else { "MISSED" })
    });
    println!("{name:<55}{rate:>8.1} M/s{of_yard}{verdict}");
}

fn ratio(name: &str, ratio: f64, least: f64) {
    let verdict = if ratio >= least { "reached" } else { "MISSED" };
    println!("{name:<55}{ratio:>8.2} times       at least {least}: {verdict}");
}
