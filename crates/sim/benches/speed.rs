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
    let six = Options { boxes: 6, ..Options::default() };
    show("nj-blackjack, six boxes (rounds)", best(&nj_blackjack(), &six), None);
    // arithmetic that touches no memory shows what two threads of this machine can do at all
    let (machine, speedup) = (arithmetic(2) / arithmetic(1), threads(2) / threads(1));
    println!("{:<55}{machine:>8.2} times", "pure arithmetic on two threads of one");
    ratio("two threads of one", speedup, 1.9);
    ratio("two threads of one, of what the machine gives", speedup / (machine / 2.0), 1.9);
}

/// Steps a second by the clock of as many threads that only reckon.
fn arithmetic(threads: u64) -> f64 {
    const STEPS: u64 = 300_000_000;
    let reckon = |seed: u64| (0..STEPS).fold(seed, |state, _| std::hint::black_box(mix_in(state)));
    let rate = |_| {
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for seed in 0..threads {
                scope.spawn(move || std::hint::black_box(reckon(seed)));
            }
        });
        (threads * STEPS) as f64 / begun.elapsed().as_secs_f64()
    };
    (0..3).map(rate).fold(0.0, f64::max)
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

/// Million rounds a second by the clock.
fn threads(threads: usize) -> f64 {
    let options = Options { rounds: 100_000_000, threads, ..Options::default() };
    let rate = |_| {
        let results = simulate(nj_blackjack(), &options, Hooks::default()).unwrap();
        results.part.tally.rounds() as f64 / results.seconds / 1e6
    };
    (0..3).map(rate).fold(0.0, f64::max)
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
