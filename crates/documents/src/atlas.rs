//! The atlas: every table that a text permits, as far as the value of the main game is concerned, solved. Two tables
//! whose every answer to the solver is the same are one.

use crate::Failure;
use crate::subject::Subject;
use crate::sweep::{Found, Row, Sweep, option, solved};
use crate::tables::table_json;
use crate::{Of, Stamped};
use exact::dealers::Dealers;
use exact::signature::signature;
use exact::threads::{at_once, each_in_turn};
use rules::lawful::check;
use rules::{Choices, file};
use serde_json::{Value, json};
use std::collections::HashSet;

/// What can matter to the value of the main game, with every value that some text knows. Rulings are read as the base table
/// reads them.
const OPTIONS: [(&str, &[&str]); 10] = [
    ("decks", &["1", "2", "3", "4", "5", "6", "7", "8"]),
    ("hole_card", &["none", "down", "reader", "up"]),
    ("soft_17", &["stand", "hit"]),
    ("surrender", &["false", "true"]),
    ("even_money", &["false", "true"]),
    ("split_hands", &["1", "2", "3", "4"]),
    ("resplit_aces", &["false", "true"]),
    ("double_after_split", &["false", "true"]),
    ("attack_amount", &["up-to", "equal"]),
    (
        "bonus_payouts",
        &[
            "[]",
            r#"["suited-678"]"#,
            r#"["three-sevens"]"#,
            r#"["five-card-21"]"#,
            r#"["suited-678","three-sevens"]"#,
            r#"["suited-678","five-card-21"]"#,
            r#"["three-sevens","five-card-21"]"#,
            r#"["suited-678","three-sevens","five-card-21"]"#,
        ],
    ),
];

/// What does not matter to the value, but to whether a table is lawful: a table counts if any of these makes it so.
const AROUND: [(&str, &[&str]); 2] = [
    ("shoe", &["single", "double", "continuous", "hand"]),
    ("shuffle", &["manual", "automated", "bart-carter", "pre-shuffled"]),
];

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Only these values of an option: `decks=6,8`.
    pub only: Vec<String>,
    /// Solve at most so many of the tables, spread evenly over all; the count is of all.
    pub most: Option<usize>,
    /// The standard deviation as well.
    pub spread: bool,
}

/// All tables of one text.
pub struct Atlas {
    pub sweep: Sweep,
    /// Combinations of options that were looked at.
    pub combinations: usize,
    /// Those that are lawful.
    pub lawful: usize,
    /// Those of them that differ in anything that the value depends on.
    pub distinct: usize,
}

type Set = (Choices, Vec<Value>);

impl Asked {
    fn options(&self) -> Result<Vec<(String, Vec<String>)>, Failure> {
        let mut options: Vec<(String, Vec<String>)> = OPTIONS
            .iter()
            .map(|(key, values)| (key.to_string(), values.iter().map(|v| v.to_string()).collect()))
            .collect();
        for text in &self.only {
            let (key, values) = option(text)?;
            let Some(known) = options.iter_mut().find(|(name, _)| *name == key) else {
                let names = OPTIONS.map(|(name, _)| name).join(", ");
                return Err(Failure::NotUnderstood(format!("--only {text}: the atlas varies {names}")));
            };
            known.1 = values;
        }
        Ok(options)
    }

    /// Counts and solves the tables of the text that this table is of.
    pub fn atlas(&self, base: &Choices) -> Result<Atlas, Failure> {
        let options = self.options()?;
        let combinations = options.iter().map(|(_, values)| values.len()).product();
        let all = lawful_sets(base, &options)?;
        let lawful = all.len();
        let signatures = each_in_turn(&all, at_once(base).max(2), |(choices, _)| signature(choices));
        let mut seen = HashSet::new();
        let mut sets: Vec<Set> =
            all.into_iter().zip(signatures).filter_map(|(set, s)| seen.insert(s).then_some(set)).collect();
        let distinct = sets.len();
        if let Some(most) = self.most.filter(|&most| most < distinct) {
            let taken: HashSet<usize> = (0..most).map(|nth| nth * distinct / most.max(1)).collect();
            sets = sets
                .into_iter()
                .enumerate()
                .filter(|(at, _)| taken.contains(at))
                .map(|(_, set)| set)
                .collect();
        }
        let dealers = Dealers::default();
        let found: Vec<Option<Found>> = each_in_turn(&sets, at_once(base), |(choices, _)| {
            let table = Subject::lawful(choices.clone()).ok()?;
            solved(&table, &dealers, (f64::MIN, f64::MAX), self.spread)
        });
        let rows = sets.into_iter().zip(found);
        let mut rows: Vec<Row> =
            rows.map(|((_, set), found)| Row { set, violations: json!([]), found }).collect();
        rows.sort_by(|a, b| edge(a).total_cmp(&edge(b)));
        let options = options.into_iter().map(|(key, _)| key).collect();
        let sweep = Sweep { table: base.name.clone(), of: table_json(base), options, rows };
        Ok(Atlas { sweep, combinations, lawful, distinct })
    }
}

fn edge(row: &Row) -> f64 {
    row.found.as_ref().map_or(f64::MAX, |found| found.house_edge)
}

/// Every combination that is lawful with some shoe and some shuffle.
fn lawful_sets(base: &Choices, options: &[(String, Vec<String>)]) -> Result<Vec<Set>, Failure> {
    let mut all: Vec<Set> = vec![(base.clone(), Vec::new())];
    for (key, values) in options {
        let mut next = Vec::with_capacity(all.len() * values.len());
        for (choices, set) in &all {
            for value in values {
                let (mut choices, mut set) = (choices.clone(), set.clone());
                file::set(&mut choices, &format!("{key}={value}"))
                    .map_err(|error| Failure::NotUnderstood(format!("{key}={value}: {error}")))?;
                set.push(serde_json::from_str(value).unwrap_or_else(|_| json!(value)));
                next.push((choices, set));
            }
        }
        all = next;
    }
    let lawful = each_in_turn(&all, at_once(base).max(2), |(choices, _)| made_lawful(choices));
    Ok(all.into_iter().zip(lawful).filter_map(|((_, set), choices)| Some((choices?, set))).collect())
}

fn made_lawful(choices: &Choices) -> Option<Choices> {
    // what cannot be worked out is no table of the atlas: a hole card in sight beside two hands
    Subject::new(choices.clone()).ok()?;
    if check(choices).violations.is_empty() {
        return Some(choices.clone());
    }
    let [(shoe, shoes), (shuffle, shuffles)] = AROUND;
    let all = shoes.iter().flat_map(|a| shuffles.iter().map(move |b| (a, b)));
    all.filter_map(|(a, b)| {
        let mut changed = choices.clone();
        file::set(&mut changed, &format!("{shoe}={a}")).ok()?;
        file::set(&mut changed, &format!("{shuffle}={b}")).ok()?;
        Some(changed)
    })
    .find(|changed| check(changed).violations.is_empty())
}

/// The document of an atlas: how many, the best and the worst for the player, and all that were solved.
pub fn document(atlas: &Atlas) -> Stamped<Value> {
    let mut told = crate::sweep::document(&atlas.sweep).document;
    told["combinations"] = json!(atlas.combinations);
    told["lawful"] = json!(atlas.lawful);
    told["distinct"] = json!(atlas.distinct);
    let edges: HashSet<u64> = atlas.sweep.rows.iter().map(|row| edge(row).to_bits()).collect();
    told["edges"] = json!(edges.len());
    told["solved"] = json!(atlas.sweep.rows.iter().filter(|row| row.found.is_some()).count());
    Stamped::new(told, Of::nothing().with("table", atlas.sweep.of.clone()))
}
