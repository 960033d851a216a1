//! Solves the main game of every table that a regulation permits (the atlas).
//!
//! Two tables count as one if they differ in no rule that affects the EV of the main game.

use crate::Failure;
use crate::progress::{OnStep, map_with_progress};
use crate::subject::{MOST_DECKS, Subject, Violations, limit, within_limit};
use crate::sweep::{Row, SolvedTable, Sweep, SweepFigures, option, solved, tables, typed};
use crate::tables::TableFile;
use crate::{Inputs, Stamped};
use exact::dealers::Dealers;
use exact::signature::Signatures;
use exact::threads::{at_once, each};
use rules::lawful::check;
use rules::{Choices, Shoe, Shuffle, file};
use serde::Serialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

/// The options that can change the EV of the main game, each with every value that some regulation permits.
///
/// An empty list of values stands for all numbers of decks that can be computed. Rulings are not varied: they are
/// those of the base table, which also names the regulation.
const OPTIONS: [(&str, &[&str]); 10] = [
    // all numbers that can be computed
    ("decks", &[]),
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

/// The options for computing an atlas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AtlasOptions {
    /// The options to restrict to some of their values, such as `decks=6,8`.
    pub only: Vec<String>,
    /// The maximum number of tables to solve, or `None` to solve all.
    ///
    /// The solved tables are spread evenly over all distinct tables. The counts of tables still cover all of them.
    pub max_tables: Option<usize>,
    /// Whether to compute the standard deviation of a round in addition to the house edge.
    pub spread: bool,
}

/// The legal tables of one regulation: counts of the tables, and the solved tables with their figures.
pub struct Atlas {
    pub sweep: Sweep,
    /// The number of combinations of option values that were tried, whether legal or not.
    pub combinations: usize,
    /// The number of combinations that are legal tables, including those that the solver cannot compute.
    pub lawful: usize,
    /// The number of distinct tables among the legal tables that the solver can compute.
    ///
    /// Tables are distinct if they differ in a rule that affects the EV of the main game.
    pub distinct: usize,
    /// The number of legal tables that the solver cannot compute.
    pub too_large: usize,
}

type OptionSet = (Choices, Vec<Value>);

/// What an interrupted atlas needs to resume: the tables already solved, and a callback that saves each further
/// table.
///
/// `solved` maps the values of a table's varied options to its figures.
pub struct AtlasCheckpoint<'n> {
    pub solved: HashMap<Vec<Value>, SweepFigures>,
    pub on_solved: &'n (dyn Fn(&[Value], &SweepFigures) + Sync),
}

impl AtlasCheckpoint<'_> {
    /// Returns a checkpoint that has no earlier results and saves nothing.
    pub fn none() -> AtlasCheckpoint<'static> {
        AtlasCheckpoint { solved: HashMap::new(), on_solved: &|_, _| {} }
    }
}

impl AtlasOptions {
    fn options(&self, base: &Choices) -> Result<Vec<(String, Vec<String>)>, Failure> {
        let attacks = !base.text().wagers.attacks.is_empty();
        let values = |key: &str, all: &[&str]| -> Vec<String> {
            match key {
                "decks" => (1..=MOST_DECKS).map(|decks| decks.to_string()).collect(),
                // a text without attack bets reads nothing from their amount
                "attack_amount" if !attacks => all.iter().take(1).map(ToString::to_string).collect(),
                _ => all.iter().map(ToString::to_string).collect(),
            }
        };
        let mut options: Vec<(String, Vec<String>)> =
            OPTIONS.iter().map(|(key, all)| (key.to_string(), values(key, all))).collect();
        for text in &self.only {
            let (key, values) = option(text)?;
            let Some(known) = options.iter_mut().find(|(name, _)| *name == key) else {
                let names = OPTIONS.map(|(name, _)| name).join(", ");
                return Err(Failure::NotUnderstood(format!(
                    "--only {text}: unknown option; expected {names}"
                )));
            };
            known.1 = values;
        }
        Ok(options)
    }

    /// Counts and solves all legal tables under the regulation of the table `base`.
    ///
    /// Returns an error if an option is unknown or a value of an option cannot be parsed.
    pub fn atlas(
        &self,
        base: &Choices,
        checkpoint: &AtlasCheckpoint<'_>,
        on_step: OnStep<'_>,
    ) -> Result<Atlas, Failure> {
        let options = self.options(base)?;
        let combinations = options.iter().map(|(_, values)| values.len()).product();
        let all = lawful_sets(base, &options)?;
        let (all, too_large): (Vec<OptionSet>, Vec<OptionSet>) =
            all.into_iter().partition(|(choices, _)| within_limit(choices));
        let lawful = all.len();
        let known = Signatures::default();
        let signatures = each(&all, at_once(base).max(2), |(choices, _)| known.of(choices));
        let mut seen = HashSet::new();
        let mut sets: Vec<OptionSet> =
            all.into_iter().zip(signatures).filter_map(|(set, s)| seen.insert(s).then_some(set)).collect();
        let distinct = sets.len();
        if let Some(most) = self.max_tables.filter(|&most| most < distinct) {
            let taken: HashSet<usize> = (0..most).map(|nth| nth * distinct / most.max(1)).collect();
            sets = sets
                .into_iter()
                .enumerate()
                .filter(|(at, _)| taken.contains(at))
                .map(|(_, set)| set)
                .collect();
        }
        let dealers = Dealers::default();
        let found: Vec<Option<SweepFigures>> =
            map_with_progress(&sets, at_once(base), on_step, |(choices, set)| {
                if let Some(found) = checkpoint.solved.get(set) {
                    return Some(found.clone());
                }
                let table = Subject::lawful(choices.clone()).ok()?;
                let found = solved(&table, &dealers, (f64::MIN, f64::MAX), self.spread)?;
                (checkpoint.on_solved)(set, &found);
                Some(found)
            });
        let rows = sets.into_iter().zip(found);
        let mut rows: Vec<Row> = rows
            .map(|((_, set), found)| Row { set, violations: Violations::default(), found, too_large: false })
            .collect();
        rows.sort_by(|a, b| edge(a).total_cmp(&edge(b)));
        let options = options.into_iter().map(|(key, _)| key).collect();
        let sweep = Sweep { table: base.name.clone(), of: TableFile::of(base), options, rows };
        Ok(Atlas {
            sweep,
            combinations,
            lawful: lawful + too_large.len(),
            distinct,
            too_large: too_large.len(),
        })
    }
}

fn edge(row: &Row) -> f64 {
    row.found.as_ref().map_or(f64::MAX, |found| found.house_edge)
}

/// Returns every combination of options that is legal with at least one kind of shoe and one kind of shuffle.
fn lawful_sets(base: &Choices, options: &[(String, Vec<String>)]) -> Result<Vec<OptionSet>, Failure> {
    let mut all: Vec<OptionSet> = vec![(base.clone(), Vec::new())];
    for (key, values) in options {
        let mut next = Vec::with_capacity(all.len() * values.len());
        for (choices, set) in &all {
            for value in values {
                let (mut choices, mut set) = (choices.clone(), set.clone());
                file::set(&mut choices, &format!("{key}={value}"))
                    .map_err(|error| Failure::NotUnderstood(format!("{key}={value}: {error}")))?;
                set.push(typed(value));
                next.push((choices, set));
            }
        }
        all = next;
    }
    let shoes_and_shuffles = shoes_and_shuffles();
    let lawful = each(&all, at_once(base).max(2), |(choices, _)| made_lawful(choices, &shoes_and_shuffles));
    Ok(all.into_iter().zip(lawful).filter_map(|((_, set), choices)| Some((choices?, set))).collect())
}

/// Returns `choices` with a kind of shoe and a kind of shuffle that make the table legal.
///
/// Shoe and shuffle do not affect the EV, but may decide whether a table is legal. Returns `None` if no shoe and
/// shuffle make the table legal, or if the table cannot be computed.
fn made_lawful(choices: &Choices, shoes_and_shuffles: &[(Shoe, Shuffle)]) -> Option<Choices> {
    // a table that cannot be computed is not in the atlas: a face-up hole card with two hands
    if within_limit(choices) {
        Subject::new(choices.clone()).ok()?;
    }
    if check(choices).violations.is_empty() {
        return Some(choices.clone());
    }
    let mut changed = choices.clone();
    let mut lawful = shoes_and_shuffles.iter().filter(|(shoe, shuffle)| {
        (changed.shoe, changed.shuffle) = (*shoe, *shuffle);
        check(&changed).violations.is_empty()
    });
    let (shoe, shuffle) = *lawful.next()?;
    Some(Choices { shoe, shuffle, ..choices.clone() })
}

/// Returns every combination of a kind of shoe and a kind of shuffle.
fn shoes_and_shuffles() -> Vec<(Shoe, Shuffle)> {
    Shoe::ALL.iter().flat_map(|shoe| Shuffle::ALL.iter().map(|shuffle| (*shoe, *shuffle))).collect()
}

/// The atlas of a regulation: the numbers of its legal tables, and the solved tables.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct AtlasOfTables {
    /// The number of combinations of option values that were tried, whether legal or not.
    pub combinations: usize,
    /// The number of distinct tables among the legal tables that the solver can compute.
    ///
    /// Tables are distinct if they differ in a rule that affects the EV of the main game.
    pub distinct: usize,
    /// The number of different house edges among the solved tables.
    pub edges: usize,
    /// The number of combinations that are legal tables, including those that the solver cannot compute.
    pub lawful: usize,
    /// The number of legal tables that the solver cannot compute, with the reason; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub not_solved: Option<TooLargeTables>,
    /// The number of tables that were solved.
    pub solved: usize,
    /// The name of the base table, which supplies the regulation and the options that are not varied.
    pub table: String,
    /// The solved tables, best for the player first.
    pub tables: Vec<SolvedTable>,
}

/// The number of legal tables that the solver cannot compute, and the reason.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct TooLargeTables {
    /// The reason why the solver cannot compute these tables.
    pub reason: String,
    /// The number of legal tables that the solver cannot compute.
    pub tables: usize,
}

/// Returns the document of an atlas: the counts of tables, and all solved tables, best for the player first.
pub fn document(atlas: &Atlas) -> Stamped<AtlasOfTables> {
    let Atlas { sweep, combinations, lawful, distinct, too_large } = atlas;
    let edges: HashSet<u64> = sweep.rows.iter().map(|row| edge(row).to_bits()).collect();
    let document = AtlasOfTables {
        combinations: *combinations,
        distinct: *distinct,
        edges: edges.len(),
        lawful: *lawful,
        not_solved: (*too_large > 0).then(|| TooLargeTables { reason: limit(), tables: *too_large }),
        solved: sweep.rows.iter().filter(|row| row.found.is_some()).count(),
        table: sweep.table.clone(),
        tables: tables(sweep),
    };
    Stamped::new(document, Inputs { table: Some(sweep.of.clone()), ..Inputs::nothing() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The atlas tries every computable number of decks, and attack amounts only in games with attack bets.
    #[test]
    fn the_atlas_looks_at_every_number_of_decks() {
        let values = |preset: &str, key: &str| {
            let base = rules::preset::preset(preset).unwrap();
            let options = AtlasOptions::default().options(&base).unwrap();
            options.into_iter().find(|(name, _)| name == key).unwrap().1
        };
        let decks = values("nj-blackjack", "decks");
        assert_eq!((decks.len(), decks[0].as_str(), decks[11].as_str()), (12, "1", "12"));
        assert_eq!(values("nj-blackjack", "attack_amount").len(), 1);
        assert_eq!(values("nj-double-attack", "attack_amount").len(), 2);
    }
}
