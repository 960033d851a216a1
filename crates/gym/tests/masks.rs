//! Checks that the vector accepts every answer that a mask allows, and refuses every other without moving any seat.

use gym::cards::{Cards, CountedShoe, ListedShoe, MAX_COUNTED_FACES};
use gym::core::{Core, Options};
use gym::observation::FEATURES;
use gym::seat::Seat;
use gym::vector::{Buffers, NextRound, Vector};
use rules::SideBet;
use rules::preset::{PRESETS, preset};
use sim::rng::mix;
use std::sync::Arc;

struct Space {
    observations: Vec<i16>,
    masks: Vec<i8>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    finals: Vec<i16>,
}

impl Space {
    fn new(seats: usize, actions: usize) -> Space {
        Space {
            observations: vec![0; seats * FEATURES.len()],
            masks: vec![0; seats * actions],
            rewards: vec![0.0; seats],
            terminated: vec![0; seats],
            finals: vec![0; seats * FEATURES.len()],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            finals: &mut self.finals,
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
        let seeds: Vec<u64> = (5..5 + SEATS as u64).collect();
        let mut vector = Vector::new(core, &seeds, NextRound::SameStep);
        let mut space = Space::new(SEATS, actions);
        vector.observe(&mut space.buffers());
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

/// A vector gives the same observations and rewards as its seats played one by one, so dealers that draw in parallel
/// draw the same cards.
#[test]
fn a_vector_is_its_seats() {
    const SEATS: usize = 48;
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        // side bets that depend on the dealer's third card or on suits
        let lasting = [SideBet::Sevens, SideBet::Progressive];
        let played = |bet: &SideBet| {
            choices.offer(bet.wager()).is_some() && bet.streak().is_none() && !lasting.contains(bet)
        };
        let sides: Vec<SideBet> = SideBet::ALL.into_iter().filter(played).take(2).collect();
        for options in [with_sides(&[]), with_sides(&sides)] {
            let core = Arc::new(Core::new(&choices, &options).unwrap());
            let few = core.full().len() <= MAX_COUNTED_FACES;
            let seeds: Vec<u64> = (21..21 + SEATS as u64).collect();
            let mixed = seeds.iter().map(|&seed| mix(&mut { seed }));
            if few {
                let seats = mixed.map(|seed| Seat::new(&core, CountedShoe::new(core.full(), seed)));
                play(name, &core, &seeds, seats.collect());
            } else {
                let seats = mixed.map(|seed| Seat::new(&core, ListedShoe::new(core.full(), seed)));
                play(name, &core, &seeds, seats.collect());
            }
        }
    }
}

fn with_sides(sides: &[SideBet]) -> Options {
    let count = sim::count::System::parse("hi-lo").ok();
    Options { stakes: vec![1, 3], sides: sides.to_vec(), count, fresh: false, suits: false }
}

fn play<C: Cards>(name: &str, core: &Arc<Core>, seeds: &[u64], mut seats: Vec<Seat<C>>) {
    let actions = core.actions();
    let mut vector = Vector::new(core.clone(), seeds, NextRound::SameStep);
    let mut space = Space::new(seats.len(), actions);
    vector.observe(&mut space.buffers());
    let mut random = 4;
    for step in 0..200 {
        let answers: Vec<i64> = seats
            .iter()
            .map(|seat| {
                let open: Vec<i64> = (0..32).filter(|&bit| seat.mask(core) >> bit & 1 == 1).collect();
                open[(mix(&mut random) % open.len() as u64) as usize]
            })
            .collect();
        vector.step(&answers, &mut space.buffers()).unwrap();
        for (at, seat) in seats.iter_mut().enumerate() {
            let won = seat.answer(core, answers[at] as usize);
            assert_eq!(space.rewards[at], won.unwrap_or(0.0) as f32, "{name}, seat {at}, step {step}");
            assert_eq!(space.terminated[at], u8::from(won.is_some()));
            let mut sees = [0; FEATURES.len()];
            if won.is_some() {
                seat.write(core, &mut sees);
                assert_eq!(space.finals[at * sees.len()..][..sees.len()], sees, "{name}, seat {at}");
                seat.begin(core);
            }
            seat.write(core, &mut sees);
            assert_eq!(space.observations[at * sees.len()..][..sees.len()], sees, "{name}, seat {at}");
            let mask: u32 = (0..actions).map(|a| u32::from(space.masks[at * actions + a] == 1) << a).sum();
            assert_eq!(mask, seat.mask(core), "{name}, seat {at}, step {step}");
        }
    }
}

/// Starting the next round in the next step only adds a step without reward, and a clone plays the same.
#[test]
fn the_next_step_begins_the_next_round() {
    for (name, _) in PRESETS {
        let core = Arc::new(Core::new(&preset(name).unwrap(), &Options::default()).unwrap());
        let actions = core.actions();
        let [mut same, mut next] = [NextRound::SameStep, NextRound::NextStep]
            .map(|how| (Vector::new(core.clone(), &[8], how), Space::new(1, actions)));
        for (vector, space) in [&mut same, &mut next] {
            vector.observe(&mut space.buffers());
        }
        let (mut random, mut rounds) = (17, 0);
        while rounds < 100 {
            let open: Vec<i64> = (0..actions as i64).filter(|&a| same.1.masks[a as usize] == 1).collect();
            let answer = [open[(mix(&mut random) % open.len() as u64) as usize]];
            if rounds % 10 == 0 {
                next.0 = next.0.clone();
            }
            for (vector, space) in [&mut same, &mut next] {
                vector.step(&answer, &mut space.buffers()).unwrap();
            }
            assert_eq!((&same.1.rewards, &same.1.terminated), (&next.1.rewards, &next.1.terminated));
            if same.1.terminated[0] == 1 {
                rounds += 1;
                assert_eq!(same.1.finals, next.1.observations, "{name}");
                assert!(next.1.masks.iter().all(|&allowed| allowed == 0));
                next.0.step(&[-1], &mut next.1.buffers()).unwrap();
                assert_eq!((next.1.rewards[0], next.1.terminated[0]), (0.0, 0));
            }
            assert_eq!(same.1.observations, next.1.observations, "{name}");
            assert_eq!(same.1.masks, next.1.masks, "{name}");
        }
    }
}

/// A seat with a new seed plays like a newly created one, and the other seats are unaffected.
#[test]
fn some_seats_are_seated_again() {
    let core = Arc::new(Core::new(&preset("nj-blackjack").unwrap(), &Options::default()).unwrap());
    let mut spaces = [(); 2].map(|()| Space::new(2, core.actions()));
    let mut vectors = [[1, 2], [3, 2]].map(|seeds| Vector::new(core.clone(), &seeds, NextRound::SameStep));
    vectors[0].reseat(&[Some(3), None]);
    for _ in 0..200 {
        for (vector, space) in vectors.iter_mut().zip(&mut spaces) {
            vector.observe(&mut space.buffers());
            let first = |mask: &[i8]| mask.iter().position(|&allowed| allowed == 1).unwrap() as i64;
            let answers: Vec<i64> = space.masks.chunks(core.actions()).map(first).collect();
            vector.step(&answers, &mut space.buffers()).unwrap();
        }
        assert_eq!(spaces[0].rewards, spaces[1].rewards);
        assert_eq!(spaces[0].observations, spaces[1].observations);
    }
}

/// No state carries over between rounds: with the same cards, a used seat gives the same observations and rewards as a
/// new one.
#[test]
fn a_round_leaves_nothing_behind() {
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        let core = Core::new(&choices, &Options { fresh: true, ..Options::default() }).unwrap();
        let mut random = 31;
        let mut played = Seat::new(&core, CountedShoe::new(core.full(), 6));
        for round in 0..400 {
            let mut new = Seat::new(&core, played.cards.full_copy(round));
            played.cards = new.cards.clone();
            loop {
                let sees = [&played, &new].map(|seat| {
                    let mut sees = [0; FEATURES.len()];
                    seat.write(&core, &mut sees);
                    (seat.mask(&core), sees)
                });
                assert_eq!(sees[0], sees[1], "{name}, round {round}");
                let open: Vec<usize> = (0..32).filter(|&bit| sees[0].0 >> bit & 1 == 1).collect();
                let action = open[(mix(&mut random) % open.len() as u64) as usize];
                let won = [&mut played, &mut new].map(|seat| seat.answer(&core, action));
                assert_eq!(won[0], won[1], "{name}, round {round}");
                if won[0].is_some() {
                    break;
                }
            }
            played.begin(&core);
        }
    }
}
