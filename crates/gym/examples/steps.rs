//! Measures the steps per second of one core in batches of 4,096: `cargo run --release -p cutcard-gym --example steps`,
//! with the name of a preset to measure only that one. Each decision is answered by the first allowed action in
//! rotation, so that choosing takes no time.

use gym::core::{Core, Options};
use gym::observation::FEATURES;
use gym::vector::{Buffers, NextRound, Vector};
use rules::preset::{PRESETS, preset};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SEATS: usize = 4096;
/// The batches timed together; they take a few milliseconds.
const BATCHES: usize = 20;
const RUNS: usize = 501;

fn main() {
    let only = std::env::args().nth(1);
    for (name, _) in PRESETS.iter().filter(|row| only.as_deref().is_none_or(|only| only == row.0)) {
        let Some(choices) = preset(name) else { continue };
        match Core::new(&choices, &Options::default()) {
            Ok(core) => measure(name, core),
            Err(why) => println!("{name:<24} {why}"),
        }
    }
}

/// Prints the steps per second. The median of the runs is the figure to use, because other processes slow down single
/// runs. The rate over all runs and the best run are printed next to it.
fn measure(name: &str, core: Core) {
    let actions = core.actions();
    let seeds: Vec<u64> = (0..SEATS as u64).collect();
    let mut vector = Vector::new(Arc::new(core), &seeds, NextRound::SameStep);
    let (mut observations, mut masks) = (vec![0; SEATS * FEATURES.len()], vec![0; SEATS * actions]);
    let (mut rewards, mut terminated) = (vec![0.0; SEATS], vec![0; SEATS]);
    let mut buffers = Buffers {
        observations: &mut observations,
        masks: &mut masks,
        rewards: &mut rewards,
        terminated: &mut terminated,
        finals: &mut [],
    };
    vector.observe(&mut buffers);
    let mut answers = vec![0; SEATS];
    let (mut runs, mut turn) = (Vec::new(), 0);
    for _ in 0..RUNS {
        let mut spent = Duration::ZERO;
        for _ in 0..BATCHES {
            turn += 1;
            for (answer, mask) in answers.iter_mut().zip(buffers.masks.chunks_exact(actions)) {
                let open = (0..actions).map(|at| (at + turn) % actions).find(|&at| mask[at] == 1);
                *answer = open.unwrap_or(0) as i64;
            }
            let began = Instant::now();
            if let Err(refused) = vector.step(&answers, &mut buffers) {
                println!("{name:<24} {refused:?}");
                return;
            }
            spent += began.elapsed();
        }
        runs.push(spent);
    }
    let rate = |spent: Duration, batches: usize| (SEATS * batches) as f64 / spent.as_secs_f64() / 1e6;
    runs.sort();
    let (median, all) = (rate(runs[RUNS / 2], BATCHES), rate(runs.iter().sum(), RUNS * BATCHES));
    println!("{name:<24} {median:>6.1} M steps/s (all {all:.1}, best {:.1})", rate(runs[0], BATCHES));
}
