//! `cutcard ramp` for a player: rounds watched, several hands, estimates of the decks, trips and units.

use crate::{cutcard, status, stderr, stdout};

const RAMP: [&str; 6] = ["ramp", "nj-blackjack-reader", "--count", "hi-lo", "--rounds", "1e5"];

/// All questions about a player are answered at once, in words.
#[test]
fn a_ramp_tells_what_it_comes_to_for_a_player() {
    let player =
        ["--enter", "2", "--leave", "0", "--hands", "0:1,2:2", "--deck-nearest", "0.5", "--index-plays", "0"];
    let output = cutcard(&[&RAMP[..], &player, &["--trip", "1000", "--dollars", "10000"]].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for expected in [
        "certainty equivalent per 100",
        "fraction of seen rounds played",
        "covariance of two hands",
        "a trip of 1000 rounds",
        "a unit of $",
        " 2 x ",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_player_who_cannot_be_is_refused() {
    for (more, expected) in [
        (&["--enter", "1", "--leave", "2"][..], "--leave"),
        (&["--leave", "2"], "--enter"),
        (&["--hands", "3:2,1:1"], "ascending"),
        (&["--hands", "1:9"], "1 to 6"),
        (&["--deck-error=-1"], "--deck-error"),
        (&["--deck-error=nan"], "--deck-error"),
        (&["--dollars", "0"], "--dollars"),
    ] {
        let output = cutcard(&[&RAMP[..], more].concat());
        assert_eq!(status(&output), 2, "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{more:?}: {}", stderr(&output));
    }
    let output = cutcard(&[&RAMP[..], &["--enter", "60"]].concat());
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("never reaches"), "{}", stderr(&output));
}
