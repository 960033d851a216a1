//! The round file both ways: what was played is written, read and played again, event by event the same.

use rules::preset::PRESETS;
use rules::{Rules, file, preset};
use std::sync::Arc;
use table::event::{Event, Fact, Settlement};
use table::ids::Person;
use table::notation::{parse::parse, play, write};
use table::random::{Chance, Driver, Style, tables};

/// The rules that the `table` line of a file asks for.
fn rules_of(line: &table::notation::TableLine) -> Rules {
    let mut choices = preset::preset(&line.table).expect("a preset");
    for assignment in &line.overrides {
        file::set(&mut choices, assignment).expect("a key of the table file");
    }
    Rules::new(choices).expect("a lawful table")
}

/// What was settled and undone, with names for the people.
fn money(events: &[Event], name: impl Fn(Person) -> String) -> Vec<String> {
    let line = |what: &str, settlement: &Settlement, event: &Event| {
        let mut anonymous = *settlement;
        anonymous.person = Person(0);
        format!("{what} {} {anonymous:?} {:?}", name(settlement.person), event.by)
    };
    let mut lines: Vec<String> = events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::Settled(settlement) => Some(line("settled", settlement, event)),
            Fact::Reversed(settlement) => Some(line("reversed", settlement, event)),
            Fact::PickedUp => Some("picked up".to_string()),
            _ => None,
        })
        .collect();
    // streaks are abandoned in the order in which they were placed, and a bet line gathers what was placed later
    for run in lines.chunk_by_mut(|one, other| [one, other].iter().all(|line| line.contains("Abandoned"))) {
        run.sort();
    }
    lines
}

fn there_and_back(rules: Arc<Rules>, chance: &mut Chance<'_>) {
    let style = Style::random(chance);
    let mut driver = Driver::new(rules.clone(), style);
    let mut log = Vec::new();
    for _ in 0..=chance.below(8) {
        driver.round(chance, |event| log.push(*event));
    }
    let text = write(rules.choices(), &log, &|person| format!("p{}", person.0));
    let file = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let read = rules_of(&file.table);
    let played = play(&file, Arc::new(read)).unwrap_or_else(|stop| panic!("{stop:?}\n{text}"));
    let again: Vec<Event> = played.events.concat();
    assert_eq!(
        money(&again, |person| played.people[person.0 as usize].clone()),
        money(&log, |person| format!("p{}", person.0)),
        "{text}"
    );
}

#[test]
fn random_rounds_of_every_preset_survive_the_notation() {
    for (at, (name, _)) in PRESETS.iter().enumerate() {
        for seed in 0..150 {
            let mut chance = Chance::seeded((at as u64) << 32 | seed);
            there_and_back(tables::of_preset(name).expect("a preset"), &mut chance);
        }
    }
}

#[test]
fn random_rounds_of_any_lawful_table_survive_the_notation() {
    for seed in 0..2_000 {
        let mut chance = Chance::seeded(7 << 40 | seed);
        let rules = tables::lawful(&mut chance);
        there_and_back(rules, &mut chance);
    }
}

/// Words of the notation in any order, and bytes of no notation at all.
#[test]
fn no_text_makes_the_reader_or_the_player_panic() {
    let words = [
        "table",
        "nj-switch",
        "nj-blackjack",
        "cards",
        "bet",
        "next",
        "1",
        "2",
        "ann",
        "bob",
        "10",
        "10/10",
        "hit",
        "stand",
        "split",
        "double",
        "dealer",
        "floor",
        "void",
        "after",
        "3+1",
        "exposed",
        "As",
        "Td",
        "9c",
        "match=5",
        "decks=6",
        "insurance",
        "pass",
        "opens",
        "cut",
        "admit",
        "relieved",
        "refuse",
        "\"",
        "[",
        "]",
        "#",
        "\n",
        "\n",
    ];
    for seed in 0..20_000 {
        let mut chance = Chance::seeded(3 << 40 | seed);
        let mut text = String::from(if chance.coin() { "table nj-blackjack\n" } else { "" });
        for _ in 0..chance.below(60) {
            match chance.below(30) {
                0 => text.push(char::from(chance.below(256) as u8)),
                _ => text.push_str(words[chance.below(words.len())]),
            }
            text.push(if chance.one_in(5) { '\n' } else { ' ' });
        }
        if let Ok(file) = parse(&text)
            && file.table.table == "nj-blackjack"
            && file.table.overrides.is_empty()
        {
            let _ = play(&file, tables::of_preset("nj-blackjack").expect("a preset"));
        }
    }
}
