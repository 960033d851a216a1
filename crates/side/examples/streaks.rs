//! The chances of a round and the streaks of some tables.
use rules::preset::preset;
use std::time::Instant;
fn main() {
    for name in [
        "nj-blackjack",
        "nj-blackjack-reader",
        "nj-blackjack-face-up",
        "nj-six-to-five",
    ] {
        let choices = preset(name).unwrap();
        let t = Instant::now();
        let played = side::rounds::played(&choices).unwrap();
        println!(
            "{name} {:?} sum {} in {:?}",
            played.rounds,
            played.rounds.won + played.rounds.lost + played.rounds.pushed,
            t.elapsed()
        );
    }
}
