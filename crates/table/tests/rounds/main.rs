//! What the round files of `cases/` cannot express.

mod equipment;
mod hands_off;
mod last_cards;
mod mishaps;
mod people;
mod words;

use rules::{Card, Rules, preset};
use std::sync::Arc;
use table::{Command, Table};

/// Returns a preset with settings as on the command line.
fn rules(name: &str, settings: &[&str]) -> Arc<Rules> {
    let mut choices = preset::preset(name).expect("a preset");
    for setting in settings {
        rules::file::set(&mut choices, setting).expect("a setting");
    }
    Arc::new(Rules::new(choices).expect("a legal table"))
}

/// Returns a table whose cards have been prepared.
fn open(name: &str, settings: &[&str]) -> Table {
    Table::prepared(rules(name, settings))
}

fn card(text: &str) -> Card {
    text.parse().expect("a card")
}

fn obey(table: &mut Table, command: Command) {
    let event = table.decide(command).expect("an accepted command");
    table.apply(&event);
}
