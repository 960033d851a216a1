//! Plays random rounds until stopped: `cargo run --release -p cutcard-table --example marathon -- 10000000
//! [FIRST-SEED]`.
//!
//! Alternates between the presets and random legal tables and checks all invariants. Reports a broken invariant with
//! its seed and continues; the exit status is 1 if any invariant was broken.

use rules::preset::PRESETS;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use table::random::{Chance, Style, Watch, tables};

fn main() -> std::process::ExitCode {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let rounds = arguments.next().and_then(Result::ok).unwrap_or(1_000_000);
    let mut seed = arguments.next().and_then(Result::ok).unwrap_or(1 << 40);
    let (begun, mut played, mut events, mut broken) = (Instant::now(), 0, 0, 0);
    let mut told = 0;
    while played < rounds && broken < 10 {
        seed += 1;
        let table = catch_unwind(AssertUnwindSafe(|| play(seed)));
        match table {
            Ok((of_table, of_events)) => {
                played += of_table;
                events += of_events;
            }
            Err(_) => {
                broken += 1;
                println!("seed {seed} breaks a law");
            }
        }
        if played / 1_000_000 > told {
            told = played / 1_000_000;
            println!("{played} rounds, {events} events, {:.0?}", begun.elapsed());
        }
    }
    println!("{played} rounds, {events} events, {broken} broken invariants, {:.0?}", begun.elapsed());
    std::process::ExitCode::from(u8::from(broken > 0))
}

/// One table: a preset or any legal one, a few to a few dozen rounds. Gives the rounds and the events.
fn play(seed: u64) -> (u64, u64) {
    let mut chance = Chance::seeded(seed);
    let style = Style::random(&mut chance);
    let rules = match usize::try_from(seed % 27) {
        Ok(at) if at < PRESETS.len() => tables::of_preset(PRESETS[at].0).expect("a preset"),
        _ => tables::lawful(&mut chance),
    };
    let mut watch = Watch::new(rules, style);
    let rounds = 1 + chance.below(24) as u64;
    for _ in 0..rounds {
        watch.round(&mut chance);
    }
    watch.replay();
    (rounds, watch.log.len() as u64)
}
