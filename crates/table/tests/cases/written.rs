//! Every case that can be played is written as a round file, read and played again: what was settled is the same.

use crate::block::{Block, Kind, outcome};
use std::sync::Arc;
use table::ids::Person;
use table::notation::{Style, parse::parse, play, settlements, write};

/// The cases that are not themselves when they are read back.
pub fn changed(blocks: &[Block]) -> Vec<String> {
    let rounds = blocks.iter().filter(|block| block.kind == Kind::Round);
    rounds.filter_map(|block| Some(format!("{}:\n{}", block.heading, there_and_back(block)?))).collect()
}

/// How a case differs from what is written of it.
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

/// Who is no player has no name: a floorperson, a new dealer.
fn called(people: &[String], person: Person) -> String {
    people.get(person.0 as usize).cloned().unwrap_or_else(|| format!("somebody{}", person.0))
}
