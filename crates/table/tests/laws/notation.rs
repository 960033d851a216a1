//! The round file in both directions: a played log is written, parsed and played again with the same events.

use rules::preset::PRESETS;
use rules::{Rules, file, preset};
use std::sync::Arc;
use table::event::{Ending, Event, Fact};
use table::ids::Person;
use table::notation::{self, Played, parse::parse, play, settlements, write, write_alone};
use table::random::{Chance, Driver, Style, tables};

/// Returns the rules of a file's `table` line.
fn rules_of(line: &table::notation::TableLine) -> Rules {
    let mut choices = preset::preset(&line.table).expect("a preset");
    for assignment in &line.overrides {
        file::set(&mut choices, assignment).expect("a key of the table file");
    }
    Rules::new(choices).expect("a legal table")
}

/// Returns the settlements, round by round.
fn money(log: &[Event], name: &dyn Fn(Person) -> String) -> Vec<(String, Event)> {
    let mut settled = settlements(log, name);
    // streaks are abandoned in the order in which they were placed, but a bet line collects those placed later
    let abandoned = |event: &Event| matches!(event.fact, Fact::Settled(s) if s.ending == Ending::Abandoned);
    for run in settled.chunk_by_mut(|one, other| abandoned(&one.1) && abandoned(&other.1)) {
        run.sort_by_key(|line| format!("{line:?}"));
    }
    settled
}

fn p(person: Person) -> String {
    format!("p{}", person.0)
}

const STYLE: notation::Style<'_> = notation::Style { name: &p, remark: &|_| None };

/// Plays the rounds of a file.
fn replayed(text: &str) -> Played {
    let file = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let rules = rules_of(&file.table);
    play(&file, Arc::new(rules)).unwrap_or_else(|stop| panic!("{stop:?}\n{text}"))
}

/// Counts of what occurs in the exported rounds.
#[derive(Default)]
struct Seen {
    rounds: usize,
    alone: usize,
    irregular: usize,
    shared: usize,
    late: usize,
    unseen: usize,
}

/// Writes the whole log and plays it again; then does the same for each exported round.
fn there_and_back(rules: Arc<Rules>, chance: &mut Chance<'_>, seen: &mut Seen) {
    let style = Style::random(chance);
    let mut driver = Driver::new(rules.clone(), style);
    let mut log = Vec::new();
    for _ in 0..=chance.below(8) {
        let start = log.len();
        driver.round(chance, |event| log.push(*event));
        let alone = write_alone(rules.choices(), &log, STYLE);
        let text = alone.unwrap_or_else(|| write(rules.choices(), &log, STYLE));
        let played = replayed(&text);
        let name = |person: Person| played.people[person.0 as usize].clone();
        let last = played.events.last().expect("a round");
        let round = &log[start..];
        assert_eq!(money(last, &name), money(round, &p), "{text}");
        let any = |what: fn(&Fact) -> bool| usize::from(round.iter().any(|event| what(&event.fact)));
        seen.rounds += 1;
        seen.alone += usize::from(played.events.len() == 1);
        seen.irregular += any(|fact| matches!(fact, Fact::Irregular(_)));
        seen.shared += any(|fact| matches!(fact, Fact::Settled(s) if s.bettor.0 > 0));
        seen.late += any(|fact| matches!(fact, Fact::LateCard { .. }));
        seen.unseen += any(|fact| matches!(fact, Fact::Dealt { card: None, .. }));
    }
    let text = write(rules.choices(), &log, STYLE);
    let played = replayed(&text);
    let name = |person: Person| played.people[person.0 as usize].clone();
    assert_eq!(money(&played.events.concat(), &name), money(&log, &p), "{text}");
}

#[test]
fn random_rounds_of_every_preset_survive_the_notation() {
    let mut seen = Seen::default();
    for (at, (name, _)) in PRESETS.iter().enumerate() {
        for seed in 0..150 {
            let mut chance = Chance::seeded((at as u64) << 32 | seed);
            let mut choices = preset::preset(name).expect("a preset");
            if seed % 2 == 1 {
                choices.bettors_per_box = 3;
            }
            let rules = Rules::new(choices).expect("a legal table");
            there_and_back(Arc::new(rules), &mut chance, &mut seen);
        }
    }
    assert!(seen.rounds > 5_000 && seen.alone * 4 > seen.rounds * 3, "{} of {}", seen.alone, seen.rounds);
    for (what, count) in
        [("irregular", seen.irregular), ("shared", seen.shared), ("late", seen.late), ("unseen", seen.unseen)]
    {
        assert!(count > 20, "{what}: {count} rounds");
    }
}

#[test]
fn random_rounds_of_any_lawful_table_survive_the_notation() {
    let mut seen = Seen::default();
    for seed in 0..2_000 {
        let mut chance = Chance::seeded(7 << 40 | seed);
        let rules = tables::lawful(&mut chance);
        there_and_back(rules, &mut chance, &mut seen);
    }
}

/// Tries words of the notation in any order, and arbitrary bytes.
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
