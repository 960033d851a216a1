//! How many steps a second one core takes in batches of 4,096: `cargo run --release -p gym --example steps`. Whoever is
//! asked for a decision answers by the first action that is allowed in turn, so that no time goes into choosing.

use gym::core::{Core, Options};
use gym::sight::FEATURES;
use gym::vector::{Buffers, Vector};
use rules::preset::{PRESETS, preset};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SEATS: usize = 4096;

fn main() {
    for (name, _) in PRESETS {
        let Some(choices) = preset(name) else { continue };
        match Core::new(&choices, &Options::default()) {
            Ok(core) => println!("{name:<24} {:>8.1} M steps/s", measure(core) / 1e6),
            Err(why) => println!("{name:<24} {why}"),
        }
    }
}

fn measure(core: Core) -> f64 {
    let actions = core.actions();
    let mut vector = Vector::new(Arc::new(core), SEATS, 1);
    let (mut observations, mut masks) = (vec![0; SEATS * FEATURES.len()], vec![0; SEATS * actions]);
    let (mut rewards, mut terminated) = (vec![0.0; SEATS], vec![0; SEATS]);
    let mut buffers = Buffers {
        observations: &mut observations,
        masks: &mut masks,
        rewards: &mut rewards,
        terminated: &mut terminated,
    };
    vector.look(&mut buffers);
    let mut answers = vec![0; SEATS];
    let (mut batches, mut spent, mut turn) = (Vec::new(), Duration::ZERO, 0);
    while spent < Duration::from_secs(1) {
        turn += 1;
        for (answer, mask) in answers.iter_mut().zip(buffers.masks.chunks_exact(actions)) {
            let open = (0..actions).map(|at| (at + turn) % actions).find(|&at| mask[at] == 1);
            *answer = open.unwrap_or(0) as i64;
        }
        let began = Instant::now();
        if vector.step(&answers, &mut buffers).is_err() {
            return 0.0;
        }
        batches.push(began.elapsed());
        spent += began.elapsed();
    }
    // the median: a batch that another process interrupted says nothing of this one
    batches.sort();
    SEATS as f64 / batches[batches.len() / 2].as_secs_f64()
}
