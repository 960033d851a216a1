//! Measures rounds per second of the table on one core: `cargo bench -p cutcard-table`.
//!
//! Random legal play through the public interface, cards drawn at random, events to a null sink. Main wagers only; one box
//! for the headline, three boxes below it. Names on the command line choose presets.

use rules::preset::PRESETS;
use std::hint::black_box;
use std::time::Instant;
use table::random::{Chance, Driver, Style, tables};

/// Each preset is played in so many parts, of which the best counts: other work on the machine only slows.
const PARTS: u32 = 5;

/// Returns the CPU seconds of this thread, so that other work does not count; the wall clock if the system does not
/// report them.
fn seconds(begun: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    // `cargo test --benches` only wants to see that it runs
    let part = match std::env::args().any(|word| word == "--bench") {
        true => 0.4,
        false => 0.01,
    };
    println!("{:24} {:>14} {:>14}  rounds a second", "", "one box", "three boxes");
    for (name, _) in PRESETS {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            println!("{name:24} {:>14} {:>14}", speed(name, 1, part), speed(name, 3, part));
        }
    }
}

fn speed(preset: &str, boxes: usize, part: f64) -> u64 {
    let begun = Instant::now();
    let mut chance = Chance::seeded(1);
    let rules = tables::of_preset(preset).expect("a preset");
    let mut driver = Driver::new(rules, Style::plain(boxes));
    let mut best = 0.0_f64;
    for _ in 0..PARTS {
        let (start, mut rounds) = (seconds(begun), 0_u32);
        let mut spent = 0.0;
        while spent < part {
            for _ in 0..1_000 {
                driver.round(&mut chance, |event| {
                    black_box(event);
                });
            }
            rounds += 1_000;
            spent = seconds(begun) - start;
        }
        best = best.max(f64::from(rounds) / spent);
    }
    best as u64
}
