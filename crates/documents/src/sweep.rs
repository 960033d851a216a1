//! Solves the main game of every legal combination of some table options.

use crate::progress::{OnStep, ignore_progress, map_with_progress};
use crate::ramp::{Errors, RampGoal, best};
use crate::side_score::{NamedScore, SideScore, side_scores};
use crate::subject::{Subject, Violations, checked_table, limit, within_limit};
use crate::tables::{OptionValue, TableFile};
use crate::{Failure, Inputs, Stamped, indices, simulate};
use exact::dealers::Dealers;
use exact::game::{Strategy, figures_at, value_at};
use exact::table::{Attacked, Table};
use exact::threads::at_once;
use rules::{Choices, file, message};
use serde::Serialize;
use serde_json::Value;
use side::side_wagers;
use sim::count::System;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The options of a sweep, as a user writes them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SweepOptions {
    /// The options to vary, each with its values, such as `decks=4,6,8`.
    pub vary: Vec<String>,
    /// The range of house edges to list, such as `0.35%..0.45%`, or `None` to list all tables.
    pub within: Option<String>,
    /// Whether to list illegal combinations too, with their violations.
    pub all: bool,
    /// Whether to omit the standard deviation, which takes longer to compute than the house edge.
    pub no_spread: bool,
    /// The column to sort by, such as `house_edge`, or `-house_edge` for descending order.
    ///
    /// `None` keeps the order of the combinations.
    pub sort: Option<String>,
    /// Whether to compute illegal tables too, as hypothetical tables.
    pub hypothetical: bool,
    /// The counting system and the bet spreads for which to compute the SCORE, or `None` to omit the SCORE.
    pub score: Option<(String, Vec<(u32, u32)>)>,
}

/// The maximum number of combinations of options in a sweep.
const MOST: usize = 100_000;

/// A combination of options, with the figures of its table.
pub struct Row {
    /// The values of the varied options, in the order of [`Sweep::options`].
    pub set: Vec<Value>,
    /// The clauses that the table violates; empty if the table is legal.
    pub violations: Violations,
    /// The figures of the table, or `None` if they were not computed.
    pub found: Option<SweepFigures>,
    /// Whether the table has no figures because it has too many decks or split hands.
    pub too_large: bool,
}

/// The figures of one table in a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepFigures {
    pub house_edge: f64,
    pub std_dev: Option<f64>,
    /// The SCORE of the best bets, with one element for each requested bet spread.
    pub scores: Vec<Score>,
    /// The SCORE of the side bets whose odds follow from the cards left; empty if no SCORE was requested.
    pub side_scores: Vec<NamedScore>,
    pub side_wagers: Vec<(String, f64)>,
}

/// The SCORE of the best bets within one bet spread, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The minimum and maximum bet, in units.
    pub spread: (u32, u32),
    pub score: f64,
    pub error: f64,
}

impl Score {
    /// Returns the bet spread as text, such as `1-12`.
    pub fn spread_text(&self) -> String {
        format!("{}-{}", self.spread.0, self.spread.1)
    }
}

/// The combinations of options that a sweep lists, with the figures of each.
pub struct Sweep {
    pub table: String,
    /// The base table, whose options are varied, as a table file.
    pub of: TableFile,
    pub options: Vec<String>,
    pub rows: Vec<Row>,
}

impl SweepOptions {
    /// Returns the number of combinations of the varied options, whether legal or not.
    ///
    /// Returns an error if an option cannot be parsed.
    pub fn combinations(&self) -> Result<usize, Failure> {
        let options: Vec<_> = self.vary.iter().map(|text| option(text)).collect::<Result<_, _>>()?;
        Ok(options.iter().fold(1_usize, |many, (_, values)| many.saturating_mul(values.len())))
    }

    /// Computes the figures of all combinations of options, starting from the table `base`.
    ///
    /// Returns an error if an option, the range or the sort column is invalid, or if there are too many
    /// combinations.
    pub fn sweep(&self, base: &Choices) -> Result<Sweep, Failure> {
        self.sweep_with_progress(base, &ignore_progress)
    }

    /// Computes the figures of all combinations of options, and calls `on_step` after each combination.
    ///
    /// Options that are not varied are those of the table `base`. Returns an error if an option, the range or the
    /// sort column is invalid, or if there are too many combinations.
    pub fn sweep_with_progress(&self, base: &Choices, on_step: OnStep<'_>) -> Result<Sweep, Failure> {
        if let Some((count, ..)) = &self.score {
            System::parse(count).map_err(Failure::NotUnderstood)?;
        }
        let options: Vec<(String, Vec<String>)> =
            self.vary.iter().map(|text| option(text)).collect::<Result<_, _>>()?;
        let within = self.within.as_deref().map_or(Ok((f64::MIN, f64::MAX)), range)?;
        let mut rows = Vec::new();
        let mut tables = Vec::new();
        for (choices, set) in combinations(base, &options)? {
            let within = within_limit(&choices);
            let (table, violations) = checked_table(choices, self.hypothetical)?;
            let too_large = !within && (self.hypothetical || violations.0.is_empty());
            if table.is_some() || too_large || self.all {
                rows.push(Row { set, violations, found: None, too_large });
                tables.push(table);
            }
        }
        let dealers = Dealers::default();
        let solve = |table: &Option<Subject>| -> Result<Option<SweepFigures>, Failure> {
            let found = table.as_ref().and_then(|t| Some((t, solved(t, &dealers, within, !self.no_spread)?)));
            let Some((table, mut found)) = found else { return Ok(None) };
            if let Some((count, spreads)) = &self.score {
                found.scores = scores(table, count, spreads)?;
                let system = System::parse(count).map_err(Failure::NotUnderstood)?;
                found.side_scores = side_scores(table, &system, 1, COUNTED)?;
            }
            Ok(Some(found))
        };
        let found: Vec<Option<SweepFigures>> = map_with_progress(&tables, at_once(base), on_step, solve)
            .into_iter()
            .collect::<Result<_, _>>()?;
        for (row, found) in rows.iter_mut().zip(found) {
            row.found = found;
        }
        // omit tables outside the range, and illegal ones if a range is given
        rows.retain(|row| row.found.is_some() || row.too_large || (self.all && self.within.is_none()));
        let options = options.into_iter().map(|(key, _)| key).collect();
        let mut sweep = Sweep { table: base.name.clone(), of: TableFile::of(base), options, rows };
        if let Some(column) = &self.sort {
            sort(&mut sweep, column)?;
        }
        Ok(sweep)
    }
}

/// The combinations of a base table's varied options, with the figures of each.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Sweep)]
pub struct Combinations {
    /// The name of the base table, whose options are varied.
    pub table: String,
    /// The combinations of the varied options that the sweep lists, with the figures of each.
    pub tables: Vec<SolvedTable>,
}

/// A combination of options, with the figures of its table.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SolvedTable {
    /// The house edge of the main game, in units of the initial bet; absent if it was not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub house_edge: Option<f64>,
    /// Whether the combination is a legal table.
    pub lawful: bool,
    /// The reason why the table cannot be computed; absent if it can be computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub not_solved: Option<String>,
    /// The SCORE of the best bets within the first requested bet spread; absent if no SCORE was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub score: Option<f64>,
    /// The standard error of `score`; absent if no SCORE was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub score_error: Option<f64>,
    /// The SCORE of the best bets for each requested bet spread; absent if no SCORE was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub scores: Option<Vec<ScoreOfSpread>>,
    /// Map from the keys of the varied options to their values.
    #[schema(value_type = BTreeMap<String, OptionValue>)]
    pub set: BTreeMap<String, Value>,
    /// Map from the names of the side bets to their SCOREs; absent if none was computed.
    ///
    /// Streak bets have no SCORE, because their later rounds are dealt from other cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub side_scores: Option<BTreeMap<String, SideScore>>,
    /// Map from the names of the side bets to their house edges, in units of the side bet; absent if none was
    /// computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub side_wagers: Option<BTreeMap<String, f64>>,
    /// The standard deviation of a round, in units of the initial bet; absent if it was not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_dev: Option<f64>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub violations: Option<Violations>,
}

/// The SCORE of the best bets within one bet spread, with its standard error.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct ScoreOfSpread {
    /// The SCORE of the best bets within the bet spread.
    pub score: f64,
    /// The standard error of `score`.
    pub score_error: f64,
    /// The minimum and the maximum bet, such as `1-12`.
    pub spread: String,
}

/// Returns the document of a sweep.
pub fn document(sweep: &Sweep) -> Stamped<Combinations> {
    let document = Combinations { table: sweep.table.clone(), tables: tables(sweep) };
    Stamped::new(document, Inputs { table: Some(sweep.of.clone()), ..Inputs::nothing() })
}

/// Returns the listed combinations of a sweep as they stand in documents.
pub(crate) fn tables(sweep: &Sweep) -> Vec<SolvedTable> {
    let one = |s: &Score| ScoreOfSpread { score: s.score, score_error: s.error, spread: s.spread_text() };
    let table = |row: &Row| {
        let (found, lawful) = (row.found.as_ref(), row.violations.0.is_empty());
        let first = found.and_then(|found| found.scores.first());
        let sides = found.map(|found| found.side_wagers.iter().cloned().collect::<BTreeMap<_, _>>());
        let side_scores = found.map(|found| found.side_scores.iter().cloned().collect::<BTreeMap<_, _>>());
        SolvedTable {
            house_edge: found.map(|found| found.house_edge),
            lawful,
            not_solved: row.too_large.then(limit),
            score: first.map(|first| first.score),
            score_error: first.map(|first| first.error),
            scores: first.and(found).map(|found| found.scores.iter().map(one).collect()),
            set: sweep.options.iter().cloned().zip(row.set.iter().cloned()).collect(),
            side_scores: side_scores.filter(|scores| !scores.is_empty()),
            side_wagers: sides.filter(|sides| !sides.is_empty()),
            std_dev: found.and_then(|found| found.std_dev),
            violations: (!lawful).then(|| row.violations.clone()),
        }
    };
    sweep.rows.iter().map(table).collect()
}

/// Returns the figures of a table without SCORE, or `None` if its house edge is outside the range.
///
/// `spread` says whether to compute the standard deviation.
pub(crate) fn solved(
    table: &Subject,
    dealers: &Dealers,
    (from, to): (f64, f64),
    spread: bool,
) -> Option<SweepFigures> {
    let judge = Table::new(table, Attacked::No).sharing(dealers);
    let play = Strategy::CompositionDependent;
    let house_edge = -value_at(&judge, &play);
    if !(from..=to).contains(&house_edge) {
        return None;
    }
    let std_dev = spread.then(|| figures_at(&judge, &play).variance.max(0.0).sqrt());
    let sides = side_wagers(table);
    let side_wagers = sides.iter().map(|side| (side.label(), side.house_edge)).collect();
    Some(SweepFigures { house_edge, std_dev, scores: Vec::new(), side_scores: Vec::new(), side_wagers })
}

/// The number of rounds to simulate to find the frequency of each count.
const COUNTED: u64 = 300_000;

/// Returns the SCORE of the best bets within each bet spread, for a player who plays every round by the count
/// `count`.
///
/// The values of the counts are computed once for all spreads.
fn scores(table: &Choices, count: &str, spreads: &[(u32, u32)]) -> Result<Vec<Score>, Failure> {
    let asked = simulate::SimulationOptions {
        count: Some(count.into()),
        rounds: Some(COUNTED),
        ..simulate::SimulationOptions::default()
    };
    let counts = indices::compute(table, &asked, &ignore_progress)?.counts(None);
    let score = |&(least, most): &(u32, u32)| {
        let wanted = RampGoal {
            bankroll: 1.0,
            min_bet: least,
            max_bet: most,
            kelly: 1.0,
            risk: None,
            sit_out_below: None,
            rising: true,
        };
        let (win_rate, stakes) = best(&counts, &wanted);
        Score { spread: (least, most), score: win_rate.score(), error: Errors::of(&counts, &stakes).score }
    };
    Ok(spreads.iter().map(score).collect())
}

/// Parses an option with a list of values, such as `decks=4,6,8`.
///
/// A comma within brackets or quotes belongs to a value. Returns an error if the key or a value is missing.
pub(crate) fn option(text: &str) -> Result<(String, Vec<String>), Failure> {
    let wrong = || {
        let message = message!(
            "option-values-expected",
            "--vary {text}: expected KEY=V1,V2, such as decks=4,6,8",
            text
        );
        Failure::NotUnderstoodFor(message)
    };
    let (key, list) = text.split_once('=').ok_or_else(wrong)?;
    let (mut values, mut value, mut depth, mut quoted) = (Vec::new(), String::new(), 0_usize, false);
    for c in list.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 && !quoted {
            values.push(std::mem::take(&mut value));
        } else {
            value.push(c);
        }
    }
    values.push(value);
    let values: Vec<String> = values.iter().map(|v| v.trim().to_string()).collect();
    if key.trim().is_empty() || values.iter().any(String::is_empty) {
        return Err(wrong());
    }
    Ok((key.trim().to_string(), values))
}

/// Parses a range of house edges as fractions, such as `0.35%..0.45%` or `0.004..`.
///
/// Returns an error if a bound is not a number, or if the bounds are out of order.
fn range(text: &str) -> Result<(f64, f64), Failure> {
    let wrong = || {
        Failure::NotUnderstoodFor(message!(
            "house-edge-range-expected",
            "--where {text}: expected a range of house edges, such as 0.35%..0.45%",
            text
        ))
    };
    let bound = |text: &str, open: f64| -> Option<f64> {
        match (text.trim(), text.trim().strip_suffix('%')) {
            ("", _) => Some(open),
            (_, Some(percent)) => Some(percent.trim().parse::<f64>().ok()? / 100.0),
            (share, None) => share.parse().ok(),
        }
    };
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let bounds = bound(from, f64::MIN).zip(bound(to, f64::MAX)).filter(|(from, to)| from <= to);
    bounds.ok_or_else(wrong)
}

/// Returns every combination of the options' values: the table `base` with these values set, and the values
/// themselves.
///
/// Returns an error if there are too many combinations, or if a key or a value is invalid.
fn combinations(
    base: &Choices,
    options: &[(String, Vec<String>)],
) -> Result<Vec<(Choices, Vec<Value>)>, Failure> {
    let many = options.iter().try_fold(1_usize, |many, (_, values)| many.checked_mul(values.len()));
    if many.is_none_or(|many| many > MOST) {
        return Err(Failure::RefusedFor(message!(
            "too-many-combinations",
            "more than {most} combinations; vary fewer options",
            most = MOST
        )));
    }
    let mut all = vec![(base.clone(), Vec::new())];
    for (key, values) in options {
        let mut next = Vec::new();
        for (choices, set) in &all {
            for value in values {
                let (mut choices, mut set) = (choices.clone(), set.clone());
                file::set(&mut choices, &format!("{key}={value}")).map_err(|error| {
                    Failure::NotUnderstoodFor(error.why()).about(&format!("--vary {key}={value}"))
                })?;
                set.push(typed(value));
                next.push((choices, set));
            }
        }
        all = next;
    }
    Ok(all)
}

/// Parses a value as in a table file, except that a bare word becomes a string.
pub(crate) fn typed(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| value.into())
}

fn sort(sweep: &mut Sweep, column: &str) -> Result<(), Failure> {
    let (name, falling) = column.strip_prefix('-').map_or((column, false), |name| (name, true));
    let option = sweep.options.iter().position(|key| key == name);
    if option.is_none() && !["house_edge", "std_dev", "score"].contains(&name) {
        let columns = sweep.options.join(", ");
        return Err(Failure::NotUnderstood(format!(
            "--sort {column}: unknown column; expected house_edge, std_dev, score, {columns}"
        )));
    }
    let number = |row: &Row| -> f64 {
        match (option, &row.found) {
            (Some(at), _) => row.set[at].as_f64().unwrap_or(f64::MAX),
            (None, Some(found)) if name == "std_dev" => found.std_dev.unwrap_or(f64::MAX),
            (None, Some(found)) if name == "score" => found.scores.first().map_or(f64::MAX, |s| s.score),
            (None, Some(found)) => found.house_edge,
            (None, None) => f64::MAX,
        }
    };
    let text = |row: &Row| option.map_or_else(String::new, |at| row.set[at].to_string());
    sweep.rows.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| text(a).cmp(&text(b))));
    if falling {
        sweep.rows.reverse();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ranges_and_lists_are_read() {
        let of = |text: &str| range(text).ok();
        assert_eq!(of("0.35%..0.45%"), Some((0.35 / 100.0, 0.45 / 100.0)));
        assert_eq!(of("-0.001..0.002"), Some((-0.001, 0.002)));
        assert_eq!(of("..0.5%"), Some((f64::MIN, 0.5 / 100.0)));
        assert_eq!([of("0.5"), of("2..1"), of("a..b")], [None; 3]);
        let values =
            |text: &str| option(text).map(|(key, values)| format!("{key}: {}", values.join(" | "))).ok();
        assert_eq!(values("decks=4,6, 8").as_deref(), Some("decks: 4 | 6 | 8"));
        let bonus = r#"bonus_payouts=[],["suited-678","three-sevens"]"#;
        assert_eq!(values(bonus).as_deref(), Some(r#"bonus_payouts: [] | ["suited-678","three-sevens"]"#));
        assert_eq!(
            [values("decks"), values("decks="), values("=4"), values("decks=4,,6")],
            [const { None }; 4]
        );
        assert_eq!([typed("6"), typed("hit"), typed("true")], [json!(6), json!("hit"), json!(true)]);
    }
}
