//! Runs a short simulation test; `cargo run --release -p simtest -- --minutes 60` runs for longer.

use simtest::{HistoryConfig, history};
use std::time::Duration;

fn config(seed: u64, lives: u32) -> HistoryConfig {
    HistoryConfig { seed, lives, image_interval: 300, audit_every: 8, longest: Duration::from_secs(40) }
}

#[test]
fn one_seed_gives_one_history() {
    let (first, again) = (history(config(7, 4)), history(config(7, 4)));
    assert_eq!(first, again);
    let first = first.expect("no law is broken");
    assert!(first.acknowledged > 20 && !first.head.is_empty(), "{first:?}");
    assert_ne!(history(config(8, 4)).expect("no law is broken").head, first.head);
}

/// Runs seeds that once broke an invariant, and others.
#[test]
fn no_history_breaks_a_law() {
    for seed in 1..=2 {
        let summary = history(config(seed, 14)).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(summary.killed + summary.power_cuts > 6 && summary.crash_images > 10, "{summary:?}");
    }
}

/// Every route, socket frame, metric and log line is the same whichever card is face down.
#[test]
fn nobody_learns_a_card_before_it_is_turned() {
    let compared = simtest::face_down(5, &simtest::HOLE_CARD).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(compared > 1400, "{compared}");
}

/// A player's face-down cards at 6 to 5 show in nobody else's answers, 2.6A(c).
#[test]
fn only_their_player_learns_what_face_down_cards_are() {
    let compared = simtest::face_down(5, &simtest::PLAYER_CARD).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(compared > 1200, "{compared}");
}
