//! Every answer that a mask allows is taken by the vector, every other is refused, and nothing moves when one is.

use gym::core::{Core, Options};
use gym::sight::FEATURES;
use gym::vector::{Buffers, Vector};
use rules::preset::{PRESETS, preset};
use sim::rng::mix;
use std::sync::Arc;

struct Space {
    observations: Vec<i16>,
    masks: Vec<i8>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
}

impl Space {
    fn new(seats: usize, actions: usize) -> Space {
        Space {
            observations: vec![0; seats * FEATURES.len()],
            masks: vec![0; seats * actions],
            rewards: vec![0.0; seats],
            terminated: vec![0; seats],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
        }
    }
}

#[test]
fn what_the_mask_allows_is_taken_and_nothing_else() {
    const SEATS: usize = 64;
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        let options = Options {
            stakes: vec![1, 2, 8],
            count: sim::count::System::parse("hi-lo").ok(),
            ..Options::default()
        };
        let core = Arc::new(Core::new(&choices, &options).unwrap());
        let actions = core.actions();
        let mut vector = Vector::new(core, SEATS, 5);
        let mut space = Space::new(SEATS, actions);
        vector.look(&mut space.buffers());
        let mut random = 9;
        let (mut rounds, mut won) = (0, 0.0);
        for _ in 0..400 {
            let masks = space.masks.clone();
            let allowed = |seat: usize, action: usize| masks[seat * actions + action] == 1;
            let mut answers: Vec<i64> = Vec::new();
            for seat in 0..SEATS {
                let open: Vec<usize> = (0..actions).filter(|&action| allowed(seat, action)).collect();
                answers.push(open[(mix(&mut random) % open.len() as u64) as usize] as i64);
            }
            let seat = (mix(&mut random) % SEATS as u64) as usize;
            for wrong in (-1..=actions as i64)
                .filter(|&a| a < 0 || a as usize >= actions || !allowed(seat, a as usize))
            {
                let mut answers = answers.clone();
                answers[seat] = wrong;
                let before = space.observations.clone();
                let refused = vector.step(&answers, &mut space.buffers()).unwrap_err();
                assert_eq!((refused.seat, refused.action), (seat, wrong));
                assert_eq!(before, space.observations);
            }
            vector.step(&answers, &mut space.buffers()).unwrap();
            rounds += space.terminated.iter().map(|&over| usize::from(over)).sum::<usize>();
            won += space.rewards.iter().map(|&reward| f64::from(reward)).sum::<f64>();
        }
        assert!(rounds > 1000 && won < 0.0, "{name}: {rounds} rounds, {won}");
    }
}
