//! Rounds a second of every game on one core, beside the yardstick in one go, with ratios and the figures to reach.
//!
//! `cargo bench -p sim` compiles `../shared/prototypes/lockstep.rs` if it is there and runs it before and after. Times are
//! processor times where the system tells them, so that other work on the machine matters less.

use program::{Program, Wish, compile, reckon::reckon};
use rules::preset::preset;
use rules::{Choices, file};
use sim::chunk::Job;
use sim::count::{Ramp, System};
use sim::isa::Isa;
use sim::{Hooks, Options, simulate};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn main() {
    let yardstick = lockstep();
    let plain = best(&nj_blackjack(), &Options::default());
    show("nj-blackjack, avx512 or best", plain, None);
    let again = lockstep();
    if let (Some(before), Some(after)) = (yardstick, again) {
        let counted = best(&nj_blackjack(), &counting());
        let yard = before.max(after);
        show("lockstep.rs", yard, None);
        ratio("nj-blackjack of lockstep.rs", plain / yard, 0.6);
        ratio("with Hi-Lo and a ramp, of lockstep.rs", counted / yard, 0.4);
    }
    ratio("nj-blackjack of the fastest public simulator (9.0 M/s)", plain / 9.0, 10.0);
    for name in [
        "nj-six-to-five",
        "nj-blackjack-face-up",
        "nj-multiple-action",
        "nj-switch",
        "nj-double-attack",
        "nj-triple-attack",
    ] {
        show(name, best(&program(&preset(name).unwrap(), false), &Options::default()), Some(25.0));
    }
    for name in ["nj-switch", "nj-double-attack", "nj-triple-attack"] {
        let label = format!("{name} with its side wagers");
        show(&label, best(&program(&preset(name).unwrap(), true), &Options::default()), Some(10.0));
    }
    for wager in ["same-suit", "match-the-dealer", "sevens", "streak"] {
        let mut choices = preset("nj-blackjack").unwrap();
        file::set(&mut choices, &format!("side_wagers.{wager}.minimum=1")).unwrap();
        show(
            &format!("nj-blackjack with {wager}"),
            best(&program(&choices, true), &Options::default()),
            Some(10.0),
        );
    }
    let portable = Options { isa: Some(Isa::Portable), ..Options::default() };
    show("nj-blackjack, portable", best(&nj_blackjack(), &portable), Some(20.0));
    for boxes in [2, 4, 6] {
        let options = Options { boxes, ..Options::default() };
        let rate = best(&nj_blackjack(), &options);
        show(&format!("nj-blackjack, {boxes} boxes (boxes a second)"), rate * boxes as f64, Some(25.0));
    }
    let counted = Options { boxes: 6, ..counting() };
    show("the same with Hi-Lo and a ramp, 6 boxes", best(&nj_blackjack(), &counted) * 6.0, Some(25.0));
    two_threads();
}

/// How much faster two threads are than one, beside what two threads of this machine give arithmetic without memory.
/// The four are measured in turn, over and over, so that other work on the machine hits all of them; medians are
/// printed. Rounds by the clock show what a user gets; rounds for each second of processor time show whether the threads
/// get in each other's way, whatever else the machine does.
fn two_threads() {
    let (mut machine, mut clock, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..9 {
        let (a1, t1, a2, t2) = (arithmetic(1), threads(1), arithmetic(2), threads(2));
        machine.push(a2 / a1);
        clock.push(t2.0 / t1.0);
        own.push(2.0 * t2.1 / t1.1);
    }
    let relative = machine.iter().zip(&clock).map(|(machine, clock)| 2.0 * clock / machine).collect();
    println!("{:<55}{:>8.2} times", "pure arithmetic, two threads of one, by the clock", median(machine));
    ratio("two threads of one, by the clock", median(clock), 1.9);
    ratio("  for what the machine gives", median(relative), 1.9);
    ratio("  for each second of processor time", median(own), 1.9);
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Steps a second by the clock of as many threads that only reckon.
fn arithmetic(threads: u64) -> f64 {
    const STEPS: u64 = 200_000_000;
    let reckon = |seed: u64| (0..STEPS).fold(seed, |state, _| std::hint::black_box(mix_in(state)));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for seed in 0..threads {
            scope.spawn(move || std::hint::black_box(reckon(seed)));
        }
    });
    (threads * STEPS) as f64 / begun.elapsed().as_secs_f64()
}

fn mix_in(state: u64) -> u64 {
    let mut state = state;
    sim::rng::mix(&mut state)
}

fn nj_blackjack() -> Program {
    program(&preset("nj-blackjack").unwrap(), false)
}

fn program(choices: &Choices, sides: bool) -> Program {
    let wish = Wish { bets: if sides { program::side::offered(choices) } else { vec![] }, stake: None };
    compile(choices, &reckon(choices), &wish).unwrap()
}

fn counting() -> Options {
    Options {
        system: Some(System::parse("hi-lo").unwrap()),
        ramp: Ramp::parse("1:1,2:4,3:8,4:12").unwrap(),
        ..Options::default()
    }
}

/// Million rounds a second of processor time on one core, the best of several tries.
fn best(program: &Program, options: &Options) -> f64 {
    let job: Job = sim::run::job(program.clone(), options).unwrap();
    let mut best = 0f64;
    for part in 0..6 {
        let begun = seconds();
        let rounds: u64 = (0..12).map(|chunk| job.chunk(part * 12 + chunk).rounds()).sum();
        best = best.max(rounds as f64 / (seconds() - begun) / 1e6);
    }
    best
}

/// Million rounds a second by the clock, and for each second of processor time.
fn threads(threads: usize) -> (f64, f64) {
    let options = Options { rounds: 100_000_000, threads, ..Options::default() };
    let results = simulate(nj_blackjack(), &options, Hooks::default()).unwrap();
    let rounds = results.part.tally.rounds() as f64 / 1e6;
    (rounds / results.seconds, rounds / results.cpu_seconds.max(1e-9))
}

/// Processor time of this thread, or the clock where the system does not tell.
fn seconds() -> f64 {
    thread_local!(static BEGUN: Instant = Instant::now());
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let told = text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    told.map_or_else(|| BEGUN.with(Instant::elapsed).as_secs_f64(), |n| n * 1e-9)
}

/// The yardstick: compiled beside this benchmark, its best rate in million rounds a second.
fn lockstep() -> Option<f64> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = [root.join("../shared/prototypes/lockstep.rs"), root.join("shared/prototypes/lockstep.rs")]
        .into_iter()
        .chain(std::env::var_os("CUTCARD_LOCKSTEP").map(Into::into))
        .find(|path| path.exists())?;
    let program = std::env::temp_dir().join(format!("lockstep-{}", std::process::id()));
    let built = Command::new("rustc")
        .args(["-O", "-C", "target-cpu=native", "-o"])
        .args([&program, &source])
        .output()
        .ok()?;
    let run = built.status.success().then(|| Command::new(&program).arg("5").output().ok()).flatten()?;
    // a file that stays behind in the temporary directory does no harm
    let _ = std::fs::remove_file(&program);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    text.split("ns/round = ").nth(1)?.split_whitespace().next()?.parse().ok()
}

fn show(name: &str, rate: f64, least: Option<f64>) {
    let verdict = least.map_or(String::new(), |least| {
        format!("   at least {least}: {}", if rate >= least { "reached" } else { "MISSED" })
    });
    println!("{name:<55}{rate:>8.1} M rounds/s{verdict}");
}

fn ratio(name: &str, ratio: f64, least: f64) {
    let verdict = if ratio >= least { "reached" } else { "MISSED" };
    println!("{name:<55}{ratio:>8.2} times        at least {least}: {verdict}");
}
