//! What the fuzz targets do with any bytes. Each panics if a law is broken.

mod frames;

pub use frames::frames;

use rules::{Rules, file, preset};
use std::sync::Arc;
use table::notation::{self, parse::parse};
use table::random::{Chance, Style, Watch, anything, tables};

/// A target by its name.
pub type Target = fn(&[u8]);

/// Every target, with seeds to begin with.
pub const TARGETS: [(&str, Target); 4] =
    [("table_file", table_file), ("round_file", round_file), ("commands", commands), ("frames", frames)];

/// A table file is read or refused; what is read is checked, and shown and read again gives the same table.
pub fn table_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(choices) = file::parse(text) else {
        return;
    };
    let shown = file::show(&choices);
    let again = file::parse(&shown).unwrap_or_else(|error| panic!("{error}\n{shown}"));
    assert_eq!(again, choices, "{shown}");
    let _ = Rules::new(choices);
}

/// A round file is read and played, or refused with a reason.
pub fn round_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(file) = parse(text) else { return };
    let Some(mut choices) = preset::preset(&file.table.table) else {
        return;
    };
    if file.table.overrides.iter().any(|assignment| file::set(&mut choices, assignment).is_err()) {
        return;
    }
    if let Ok(rules) = Rules::new(choices)
        && let Ok(played) = notation::play(&file, Arc::new(rules))
    {
        let _ = notation::show::show(&played);
    }
}

/// The most steps that one input may take.
const MOST_STEPS: usize = 2_000;

/// Bytes choose a table, what people do and what goes wrong; senseless commands are tried at every step, and now and then
/// one that is accepted is carried out. All laws hold, and the log rebuilds the table.
pub fn commands(bytes: &[u8]) {
    let mut chance = Chance::from_bytes(bytes);
    let style = Style::random(&mut chance);
    let mut watch = Watch::new(tables::lawful(&mut chance), style);
    for _ in 0..MOST_STEPS.min(40 + bytes.len()) {
        watch.probe(&mut chance);
        let table = &watch.driver.table;
        let senseless = anything::command(table, &mut chance);
        let event = match table.decide(senseless) {
            // cards that are not really in the stack would run it dry
            Ok(event) if !anything::names_card(senseless) && chance.one_in(4) => event,
            _ => watch.driver.next(&mut chance),
        };
        watch.happen(event, &mut chance);
    }
    watch.replay();
}

/// Texts to begin with: every preset as a table file, and random rounds as round files.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let presets = preset::PRESETS.iter().filter_map(|(name, _)| preset::preset(name));
    match target {
        "table_file" => presets.map(|choices| file::show(&choices).into_bytes()).collect(),
        "frames" => frames::corpus(),
        "round_file" => (0..40).map(|seed| round(seed).into_bytes()).collect(),
        _ => (0..8).map(|seed: u8| (0..200).map(|at: u8| at.wrapping_mul(seed * 2 + 1)).collect()).collect(),
    }
}

fn round(seed: u64) -> String {
    let mut chance = Chance::seeded(seed);
    let rules = tables::lawful(&mut chance);
    let style = Style::random(&mut chance);
    let mut driver = table::random::Driver::new(rules.clone(), style);
    let mut log = Vec::new();
    for _ in 0..=chance.below(3) {
        driver.round(&mut chance, |event| log.push(*event));
    }
    let style = notation::Style { name: &|person| format!("p{}", person.0), remark: &|_| None };
    notation::write(rules.choices(), &log, style)
}
