//! Tests `cutcard random`: raw words, scaled numbers and shuffled shoes.

use crate::{cutcard, status, stderr, stdout};

#[test]
fn words_are_as_many_bytes_as_asked_for_and_never_the_same() {
    let ask = || cutcard(&["random", "words", "--bytes", "10001"]).stdout;
    let (one, other) = (ask(), ask());
    assert_eq!((one.len(), other.len()), (10_001, 10_001));
    assert_ne!(one, other);
    // half of the 80,008 bits are set, within six standard deviations
    let set: u32 = one.iter().map(|byte| byte.count_ones()).sum();
    assert!((40_004 - 849..40_004 + 849).contains(&set), "{set} bits of 80,008 are set");
}

#[test]
fn numbers_stay_below_their_bound_and_reach_all_below_it() {
    let output = cutcard(&["random", "numbers", "--below", "52", "--count", "5000"]);
    let numbers: Vec<u32> = stdout(&output).lines().map(|line| line.parse().expect("a number")).collect();
    assert_eq!(numbers.len(), 5000);
    assert!((0..52).all(|n| numbers.contains(&n)));
    assert!(numbers.iter().all(|n| *n < 52));
    assert_eq!(status(&cutcard(&["random", "numbers", "--below", "0"])), 2);
}

#[test]
fn a_shuffle_holds_every_card_of_its_decks() {
    for (arguments, cards) in [(&["--decks", "2"][..], 104), (&["--decks", "8", "--spanish"], 384)] {
        let output = cutcard(&[&["random", "shuffles", "--count", "3"], arguments].concat());
        let stacks: Vec<&str> = stdout(&output).lines().collect();
        assert_eq!(stacks.len(), 3);
        assert_ne!(stacks[0], stacks[1]);
        let sorted = |stack: &str| {
            let mut cards: Vec<String> = stack.split(' ').map(str::to_owned).collect();
            cards.sort();
            cards
        };
        assert_eq!(sorted(stacks[0]).len(), cards);
        assert_eq!(sorted(stacks[0]), sorted(stacks[1]));
        assert_eq!(stacks[0].contains("Ts"), cards == 104);
    }
}

#[test]
fn raw_numbers_are_no_json() {
    let output = cutcard(&["random", "words", "--bytes", "4", "--json"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("does not support --json"));
}
