//! Explains why two tables have different house edges.
//!
//! Divides the difference among the options in which the tables differ (Shapley value). The share of an option is
//! the amount that changing it adds to the house edge, averaged over all orders of changing the options. The
//! shares do not depend on any one order, and add up to the whole difference.

use crate::subject::{Marks, Subject, Violations};
use crate::tables::{OptionValue, TableFile};
use crate::{Failure, Inputs, Stamped};
use exact::dealers::Dealers;
use exact::game::{Strategy, value_at};
use exact::table::{Attacked, Table};
use exact::threads::each;
use rules::{Choices, file, message};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The keys of a table file that can change the EV of the main game, apart from the rulings.
const MATTER: [&str; 12] = [
    "game",
    "variation",
    "jurisdiction",
    "decks",
    "hole_card",
    "soft_17",
    "surrender",
    "even_money",
    "split_hands",
    "resplit_aces",
    "double_after_split",
    "bonus_payouts",
];

/// The maximum number of options in which two compared tables may differ.
///
/// Every additional option doubles the number of tables to solve.
const MOST: usize = 10;

/// An option in which two tables differ, with its value in table `a` and in table `b`.
pub struct Differs {
    pub option: String,
    pub a: Value,
    pub b: Value,
}

/// The options in which two tables differ, and the share of each option in the house-edge difference.
pub struct Compared {
    pub options: Vec<Differs>,
    /// The differing table-file keys that have no effect on the main game.
    pub without_effect: Vec<String>,
    /// The house edges of the first and the second table.
    pub house_edges: (f64, f64),
    /// The share of each option in the house-edge difference, in the order of `options`.
    pub values: Vec<f64>,
}

/// Compares two tables option by option, and computes the share of each option in the house-edge difference.
///
/// Returns an error if the tables differ in too many options.
pub fn compared(a: &Subject, b: &Subject) -> Result<Compared, Failure> {
    let (options, without_effect) = differences(&flat(a), &flat(b));
    let (house_edges, values) = attributed(a, b, &options)?;
    Ok(Compared { options, without_effect, house_edges, values })
}

/// The difference in house edge between two tables, divided among the options in which the tables differ.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Compare)]
pub struct Comparison {
    /// The first of the two compared tables.
    pub a: ComparedTable,
    /// The second of the two compared tables.
    pub b: ComparedTable,
    /// The share of each option in `difference`. The shares add up to `difference`.
    pub by_option: Vec<OptionShare>,
    /// The house edge of the second table minus the house edge of the first table.
    pub difference: f64,
    /// The unit of the figures: `initial wager`.
    pub per: &'static str,
    /// The differing table-file keys that have no effect on the main game.
    pub without_effect: Vec<String>,
}

/// One of the two compared tables.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct ComparedTable {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The house edge of the table, as a fraction of the initial bet.
    pub house_edge: f64,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The name of the table.
    pub table: String,
}

/// An option in which two tables differ, and its share of the house-edge difference.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct OptionShare {
    /// The option's value in the first table; null if the first table does not set it.
    #[schema(required, value_type = Option<OptionValue>)]
    pub a: Value,
    /// The option's value in the second table; null if the second table does not set it.
    #[schema(required, value_type = Option<OptionValue>)]
    pub b: Value,
    /// The option's key in the table file, such as `soft_17`.
    pub option: String,
    /// The option's share of the house-edge difference.
    pub value: f64,
}

/// Returns the document of a comparison of two tables.
pub fn document(a: &Subject, b: &Subject, found: &Compared) -> Stamped<Comparison> {
    let table = |table: &Subject, house_edge: f64| {
        let Marks { assumed, hypothetical } = table.marks();
        ComparedTable { assumed, house_edge, hypothetical, table: table.named() }
    };
    let option = |(differs, &value): (&Differs, &f64)| OptionShare {
        a: differs.a.clone(),
        b: differs.b.clone(),
        option: differs.option.clone(),
        value,
    };
    let (of_a, of_b) = found.house_edges;
    let document = Comparison {
        a: table(a, of_a),
        b: table(b, of_b),
        by_option: found.options.iter().zip(&found.values).map(option).collect(),
        difference: of_b - of_a,
        per: "initial wager",
        without_effect: found.without_effect.clone(),
    };
    let of = Inputs { a: Some(TableFile::of(a)), b: Some(TableFile::of(b)), ..Inputs::nothing() };
    Stamped::new(document, of)
}

/// Returns the keys and values of a table's file, with nested keys in dotted form such as `rulings.lone_seven`.
fn flat(choices: &Choices) -> Map<String, Value> {
    fn add(at: &str, value: &Value, flat: &mut Map<String, Value>) {
        match value {
            Value::Object(inner) => inner.iter().for_each(|(key, value)| {
                let key = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                add(&key, value, flat);
            }),
            value => {
                flat.insert(at.to_string(), value.clone());
            }
        }
    }
    let mut keys = Map::new();
    add("", TableFile::of(choices).keys(), &mut keys);
    keys
}

/// Returns the options in which two tables differ and that can change the main game, and all other keys that
/// differ.
///
/// The options of two different games cannot be compared, so the game is then the only option returned.
fn differences(a: &Map<String, Value>, b: &Map<String, Value>) -> (Vec<Differs>, Vec<String>) {
    let (mut options, mut others) = (Vec::new(), Vec::new());
    let two_games = a.get("game") != b.get("game");
    let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        let of = |table: &Map<String, Value>| table.get(key).cloned().unwrap_or(Value::Null);
        if of(a) == of(b) {
            continue;
        }
        let matters = MATTER.contains(&key.as_str()) || key.starts_with("rulings.");
        match matters && (!two_games || key == "game") {
            true => options.push(Differs { option: key.clone(), a: of(a), b: of(b) }),
            false => others.push(key.clone()),
        }
    }
    (options, others)
}

/// Returns the house edges of both tables, and the share of each option in their difference.
///
/// Returns an error if there are more than [`MOST`] options.
fn attributed(a: &Choices, b: &Choices, options: &[Differs]) -> Result<((f64, f64), Vec<f64>), Failure> {
    if options.len() > MOST {
        return Err(Failure::RefusedFor(message!(
            "too-many-differences",
            "the tables differ in {count} options; at most {most} can be compared, so compare each with a table in between",
            count = options.len(),
            most = MOST
        )));
    }
    // One table for each subset of options taken from `b`, one bit each.
    let all = (1_usize << options.len()) - 1;
    let mut tables = Vec::new();
    for set in 0..=all {
        let mut choices = if set == all { b.clone() } else { a.clone() };
        for option in
            options.iter().enumerate().filter(|(at, _)| set != all && set >> at & 1 == 1).map(|(_, o)| o)
        {
            let assignment = format!("{}={}", option.option, option.b);
            file::set(&mut choices, &assignment)
                .map_err(|error| Failure::Refused(format!("{assignment}: {error}")))?;
        }
        tables.push(choices);
    }
    let dealers = Dealers::default();
    let house_edge = |choices: &Choices| -> f64 {
        let table = Table::new(choices, Attacked::No).sharing(&dealers);
        -value_at(&table, &Strategy::CompositionDependent)
    };
    let found = each(&tables, exact::threads::at_once(a), house_edge);
    Ok(((found[0], found[all]), shapley(&found, options.len())))
}

/// Returns the Shapley value of each of `n` changes: how much it adds to a figure, averaged over all orders of
/// changes.
///
/// `found` has the figure for every set of changes; bit `i` of the index says whether the set includes change `i`.
fn shapley(found: &[f64], n: usize) -> Vec<f64> {
    // The fraction of all orders in which exactly this many others come first.
    let weight = |before: usize| -> f64 {
        let choose = (0..before).fold(1.0, |c, i| c * (n - 1 - i) as f64 / (i + 1) as f64);
        1.0 / (n as f64 * choose)
    };
    let weights: Vec<f64> = (0..n).map(weight).collect();
    (0..n)
        .map(|at| {
            let without = (0..found.len()).filter(|set| set >> at & 1 == 0);
            without.map(|set| weights[set.count_ones() as usize] * (found[set | 1 << at] - found[set])).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::shapley;

    /// Compares the shares of three changes with those computed by hand over all six orders.
    #[test]
    fn parts_are_means_over_all_orders() {
        // nothing, a, b, ab, c, ac, bc, abc
        let found = [0.0, 1.0, 2.0, 4.0, 0.0, 1.0, 2.0, 7.0];
        // a: 1, 1 | after b 2 | after c 1 | after bc 5, 5 over 6; b: 2, 2, after a 3, after c 2, after ac 6, 6 over 6.
        let [a, b, c] = shapley(&found, 3)[..] else { panic!("three parts") };
        assert!((a - 15.0 / 6.0).abs() < 1e-15, "{a}");
        assert!((b - 21.0 / 6.0).abs() < 1e-15, "{b}");
        assert!((c - 6.0 / 6.0).abs() < 1e-15, "{c}");
        assert!((a + b + c - 7.0).abs() < 1e-15);
        assert!(shapley(&[0.5], 0).is_empty());
        assert_eq!(shapley(&[0.5, 2.0], 1), [1.5]);
    }
}
