//! Checks a filed report: recomputes all of it, and lists the path of every figure that differs.

use crate::Failure;
use rules::{Choices, file};
use serde::Serialize;
use serde_json::{Map, Value};

/// The paths in a report whose values may differ between two computations of the same report.
///
/// At these paths are the program, the duration, the filing data, and the engine that ran the simulation.
const PASSING: [&str; 7] = [
    "made_by",
    "seconds",
    "filing.document",
    "filing.author",
    "filing.date",
    "filing.program_sha256",
    "verified.engine",
];
/// The relative difference up to which two numbers count as equal, since writing and parsing may change a number.
const SAME: f64 = 1e-12;

/// Returns the table of a report, or an error if the report has no valid table.
pub fn table_of(report: &Value) -> Result<Choices, Failure> {
    let Some(table) = report["table"].as_object() else {
        return Err(Failure::NotUnderstood("not a report: `table` is missing".into()));
    };
    let lines = table.iter().filter(|(_, value)| !value.is_null());
    let text: String =
        lines.map(|(key, value)| format!("{} = {}\n", Value::from(key.as_str()), in_toml(value))).collect();
    file::parse(&text)
        .map_err(|error| Failure::NotUnderstood(format!("cannot read the report's table: {error}")))
}

fn in_toml(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(in_toml).collect::<Vec<_>>().join(", ")),
        Value::Object(keys) => {
            let keys = keys.iter().filter(|(_, value)| !value.is_null());
            let keys = keys.map(|(key, value)| format!("{} = {}", Value::from(key.as_str()), in_toml(value)));
            format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

/// The result of comparing a filed report with its recomputation.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Differs {
    /// The figures that differ from the recomputed figures; empty if the report is correct.
    pub differs: Vec<Difference>,
}

/// A figure of a filed report that differs from the recomputed figure.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Difference {
    /// The recomputed figure.
    pub computed: Value,
    /// The path of the figure in the report, such as `wagers[0].house_edge`.
    pub path: String,
    /// The figure as it was reported.
    pub reported: Value,
}

/// Returns the figures that differ between a report and its recomputation.
pub fn differences(reported: &Value, computed: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare("", reported, computed, &mut found);
    found
}

fn compare(path: &str, reported: &Value, computed: &Value, found: &mut Vec<Difference>) {
    match (reported, computed) {
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                let place = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                if PASSING.contains(&place.as_str()) {
                    continue;
                }
                let of = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                compare(&place, &of(a), &of(b), found);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for at in 0..a.len().max(b.len()) {
                let of = |list: &[Value]| list.get(at).cloned().unwrap_or(Value::Null);
                compare(&format!("{path}[{at}]"), &of(a), &of(b), found);
            }
        }
        (a, b) if same(a, b) => {}
        (a, b) => found.push(Difference { computed: b.clone(), path: path.to_owned(), reported: a.clone() }),
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= SAME * a.abs().max(1.0),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::TableFile;
    use serde_json::json;

    #[test]
    fn the_table_of_a_report_is_read_back() {
        for (name, _) in rules::preset::PRESETS {
            let choices = rules::preset::preset(name).unwrap();
            assert_eq!(table_of(&json!({ "table": TableFile::of(&choices) })).unwrap(), choices, "{name}");
        }
        assert!(table_of(&json!({})).is_err());
    }

    #[test]
    fn every_figure_that_differs_is_named_by_its_place() {
        let reported = json!({
            "filing": { "author": "A", "date": "2026-01-31", "program_sha256": "0a", "table_sha256": "0b" },
            "seconds": 1.0, "verified": { "engine": "device", "rounds": 5 },
            "wagers": [{ "edge": 0.5, "pays": "2 to 1" }, { "edge": 0.1 }],
        });
        let computed = json!({
            "filing": { "table_sha256": "0c" }, "seconds": 2.0, "verified": { "engine": "avx2", "rounds": 5 },
            "wagers": [{ "edge": 0.5 + 1e-15, "pays": "3 to 2" }, {}],
        });
        let found = differences(&reported, &computed);
        assert_eq!(
            serde_json::to_value(&found).unwrap(),
            json!([
                { "path": "filing.table_sha256", "reported": "0b", "computed": "0c" },
                { "path": "wagers[0].pays", "reported": "2 to 1", "computed": "3 to 2" },
                { "path": "wagers[1].edge", "reported": 0.1, "computed": null },
            ])
        );
        assert!(differences(&reported, &reported).is_empty());
    }
}
