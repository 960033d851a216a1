//! The rulebook against the texts. Expected values are written down from the regulations and counted by hand; none is
//! taken from the code. A line `Proves …` names the requirements of the catalogue that a test proves.

mod against_blackjack;
mod citations;
mod dealer;
mod early_wagers;
mod edges;
mod entries;
mod exclusions;
mod file_words;
mod independence;
mod lawful_attack;
mod lawful_blackjack;
mod lawful_side_wagers;
mod lawful_switch;
mod limits;
mod mangled;
mod notices;
mod own_odds;
mod paytables;
mod play_attack;
mod play_blackjack;
mod play_switch;
mod rulings;
mod settle;
mod settle_attack;
mod settle_blackjack;
mod settle_switch;
mod texts;
mod third_card_wagers;
mod values;

use rules::card::parse_cards;
use rules::{Card, Choices, Clause, Hand, Origin, file, lawful, preset};
use std::collections::BTreeSet;

/// Returns a preset with overrides as on the command line.
pub fn table(name: &str, overrides: &[&str]) -> Choices {
    let mut choices = preset::preset(name).expect("a preset");
    for assignment in overrides {
        file::set(&mut choices, assignment).unwrap_or_else(|error| panic!("{assignment}: {error}"));
    }
    choices
}

pub fn cards(text: &str) -> Vec<Card> {
    parse_cards(text).expect("cards")
}

pub fn card(text: &str) -> Card {
    text.parse().expect("a card")
}

pub fn dealt(text: &str) -> Hand {
    Hand::dealt(&cards(text))
}

pub fn split(text: &str) -> Hand {
    Hand::new(Origin::Split, &cards(text))
}

pub fn switched(text: &str) -> Hand {
    Hand::new(Origin::Switched, &cards(text))
}

/// Returns the full ids of all violations.
pub fn violations(choices: &Choices) -> BTreeSet<&'static str> {
    lawful::check(choices).violations.iter().map(|f| f.clause.id()).collect()
}

/// Returns the full ids of all warnings.
pub fn warnings(choices: &Choices) -> BTreeSet<&'static str> {
    lawful::check(choices).warnings.iter().map(|f| f.clause.id()).collect()
}

/// Asserts that a preset with these overrides is legal.
pub fn lawful(preset: &str, overrides: &[&str]) {
    let found = violations(&table(preset, overrides));
    assert!(found.is_empty(), "{preset} {overrides:?}: {found:?}");
}

/// Asserts that a preset with these overrides breaks this requirement and no other.
pub fn unlawful(preset: &str, overrides: &[&str], id: &str) {
    assert!(Clause::find(id).is_some(), "{id} is not in the catalogue");
    let found = violations(&table(preset, overrides));
    assert_eq!(found, BTreeSet::from([id]), "{preset} {overrides:?}");
}

/// Asserts that a preset with these overrides is legal and warns about this requirement.
pub fn warned(preset: &str, overrides: &[&str], id: &str) {
    lawful(preset, overrides);
    let found = warnings(&table(preset, overrides));
    assert!(found.contains(id), "{preset} {overrides:?}: {found:?}");
}
