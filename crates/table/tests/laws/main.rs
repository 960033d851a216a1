//! The invariants of the table machine, checked on random rounds of every preset and of random legal tables.
//!
//! `table::random::Watch` checks all of them after every event: a command is accepted if and only if awaited, cards and
//! money are conserved, everything is settled once and in the order of the text, nobody is offered what the rules
//! forbid, nothing is due while somebody is asked, and every round ends; at the end the log rebuilds the table.

mod notation;

use rules::preset::PRESETS;
use table::random::{Chance, Style, Watch, tables};

/// Returns the percentage of the rounds to play: mutation testing needs fewer than all (`tools/mutants`).
fn part() -> usize {
    std::env::var("LAWS_PART").ok().and_then(|part| part.parse().ok()).unwrap_or(100)
}

/// Plays this many rounds on tables from `rules`, up to 24 rounds on each.
fn play(seed: u64, rounds: usize, mut rules: impl FnMut(&mut Chance<'_>) -> std::sync::Arc<rules::Rules>) {
    let rounds = rounds * part() / 100;
    let mut played = 0;
    let mut seed = seed << 32;
    while played < rounds {
        seed += 1;
        let mut chance = Chance::seeded(seed);
        let style = Style::random(&mut chance);
        let mut watch = Watch::new(rules(&mut chance), style);
        // print the seed if an invariant is broken
        let shown = Shown(seed);
        for _ in 0..=chance.below(24) {
            watch.round(&mut chance);
            played += 1;
        }
        watch.replay();
        std::mem::forget(shown);
    }
}

/// Prints the seed when dropped by a panic.
struct Shown(u64);

impl Drop for Shown {
    fn drop(&mut self) {
        eprintln!("seed {}", self.0);
    }
}

fn preset(at: usize) {
    let (name, _) = PRESETS[at];
    play(at as u64 + 1, 8_000, |_| tables::of_preset(name).expect("a preset"));
}

macro_rules! presets {
    ($($test:ident = $at:literal),+) => { $(#[test] fn $test() { preset($at); })+ };
}

presets!(
    blackjack = 0,
    blackjack_with_a_reader = 1,
    blackjack_face_up = 2,
    six_to_five = 3,
    multiple_action = 4,
    new_jersey_switch = 5,
    massachusetts_switch = 6,
    double_attack = 7,
    triple_attack = 8
);

#[test]
fn any_lawful_table() {
    play(100, 64_000, tables::lawful);
}

#[test]
fn any_other_lawful_table() {
    play(101, 64_000, tables::lawful);
}
