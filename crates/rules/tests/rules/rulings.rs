//! The rulings: every ambiguity that changes money or legality is a named choice whose default is the literal text.

use crate::table;
use rules::ruling::{RULINGS, Rulings};
use rules::{Clause, file, lawful, preset};

/// The defaults that the public API promises.
#[test]
fn the_first_reading_is_the_default() {
    for (key, default, other) in [
        ("split_two_card_21", "wins", "push"),
        ("busted_v_dealer_blackjack", "original-only", "busted-too"),
        ("two_card_21_v_dealer_blackjack", "push", "lose"),
        ("lone_seven", "first-card", "either"),
        ("face_up_soft_doubles", "refused", "allowed"),
        ("split_ace_surrender", "allowed", "refused"),
        ("streak_splits", "compare", "majority"),
        ("progressive_pays", "for-one", "to-one"),
    ] {
        let ruling = RULINGS.iter().find(|ruling| ruling.key == key).expect(key);
        assert_eq!(ruling.readings, [default, other]);
        for (name, _) in preset::PRESETS {
            assert_eq!(table(name, &[]).rulings.word(key), Some(default));
        }
    }
}

/// Every ruling names a clause, can be set to each of its readings and to nothing else, and stays legal.
#[test]
fn every_reading_can_be_chosen() {
    for ruling in RULINGS {
        assert!(Clause::find(ruling.clause.id()).is_some() && !ruling.question.is_empty());
        assert!(ruling.readings.len() >= 2);
        assert_eq!(Rulings::DEFAULT.word(ruling.key), Some(ruling.readings[0]));
        for reading in ruling.readings {
            for (name, _) in preset::PRESETS {
                let choices = table(name, &[&format!("rulings.{}={reading}", ruling.key)]);
                assert_eq!(choices.rulings.word(ruling.key), Some(*reading));
                assert!(lawful::check(&choices).is_lawful(), "{name}: {} {reading}", ruling.key);
            }
        }
        let mut choices = table("nj-blackjack", &[]);
        assert!(file::set(&mut choices, &format!("rulings.{}=otherwise", ruling.key)).is_err());
    }
}
