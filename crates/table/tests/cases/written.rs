//! Every playable case is written as a round file, parsed and played again, with the same settlements.

use crate::block::{Block, Kind, outcome};
use std::sync::Arc;
use table::ids::Person;
use table::notation::{Style, parse::parse, play, settlements, write};

/// Returns the cases that change when they are read back.
pub fn changed(blocks: &[Block]) -> Vec<String> {
    let rounds = blocks.iter().filter(|block| block.kind == Kind::Round);
    rounds.filter_map(|block| Some(format!("{}:\n{}", block.heading, there_and_back(block)?))).collect()
}

/// Returns how a case differs from its written form.
fn there_and_back(block: &Block) -> Option<String> {
    let played = outcome(block, None).ok()?;
    let rules = Arc::new(played.table.rules().clone());
    let name = |person: Person| called(&played.people, person);
    let log = played.events.concat();
    let text = write(rules.choices(), &log, Style { name: &name, remark: &|_| None });
    let file = match parse(&text) {
        Ok(file) => file,
        Err(error) => return Some(format!("{error}\n{text}")),
    };
    let again = match play(&file, rules) {
        Ok(again) => again,
        Err(stop) => return Some(format!("{stop:?}\n{text}")),
    };
    let name_again = |person: Person| called(&again.people, person);
    let (before, now) = (settlements(&log, &name), settlements(&again.events.concat(), &name_again));
    let told = |settled: &[(String, table::Event)]| format!("{settled:#?}");
    (told(&before) != told(&now)).then(|| format!("{text}\n{}\nis not\n{}", told(&now), told(&before)))
}

/// Returns a person's name; those who are not players, such as a floorperson or a new dealer, get a made-up one.
fn called(people: &[String], person: Person) -> String {
    people.get(person.0 as usize).cloned().unwrap_or_else(|| format!("somebody{}", person.0))
}
