//! Reads the charts that the exact solver prints (`cutcard strategy --format json`) as a strategy.
//!
//! A total-dependent chart is complete: read back, it is exactly the strategy that the solver evaluated. A
//! composition-dependent chart holds only two-card hands and their exceptions, so the player follows it only that
//! far.

use crate::chart::{BadChart, Cell, Chart, Exception, Kind, RowKey, bad, values_of};
use serde_json::Value;

/// Reads the solver's charts from `document` into `chart`.
///
/// Returns an error if the document lacks a list or holds an invalid entry.
pub fn read(chart: &mut Chart, document: &Value) -> Result<(), BadChart> {
    let columns: Vec<&str> = list(document, "columns")?.iter().filter_map(Value::as_str).collect();
    // a total-dependent chart lists better plays of single hands for information only
    let exceptions = document["strategy"].as_str().is_none_or(|name| name != "total-dependent");
    for section in list(document, "charts")? {
        let title = section["chart"].as_str().unwrap_or_default();
        for row in list(section, "rows")? {
            let label = row["row"].as_str().unwrap_or_default();
            let cells = list(row, "cells")?;
            if cells.len() != columns.len() {
                return bad(format!(
                    "the row `{label}` of the chart `{title}` must have exactly one cell for each column"
                ));
            }
            for (&column, cell) in columns.iter().zip(cells) {
                read_cell(chart, title, label, column, cell)?;
                if exceptions {
                    read_exceptions(chart, title, column, cell);
                }
            }
        }
    }
    for &column in &columns {
        // a pair of twos or aces that may not be resplit is played like the lowest total that has a row
        for (kind, total) in [(Kind::Hard, 4), (Kind::Soft, 12)] {
            let initial = ["initial".to_string()];
            let known = chart.cell(&initial, (kind, total), column).is_some();
            let next = chart.cell(&initial, (kind, total + 1), column).cloned();
            if let (false, Some(cell)) = (known, next) {
                chart.set("initial", (kind, total), column, cell);
            }
        }
    }
    Ok(())
}

fn list<'v>(value: &'v Value, key: &str) -> Result<&'v Vec<Value>, BadChart> {
    value[key].as_array().map_or_else(|| bad(format!("the strategy has no list `{key}`")), Ok)
}

fn read_cell(
    chart: &mut Chart,
    title: &str,
    label: &str,
    column: &str,
    cell: &Value,
) -> Result<(), BadChart> {
    let action = cell["action"].as_str().unwrap_or_default();
    let yes = action == "yes";
    if title.ends_with("attack") && !yes && action != "no" {
        return bad(format!("`{action}` for {title} {label} v {column} must be yes or no"));
    }
    match title {
        "attack" => {
            chart.offers.attack.insert(column.to_string(), yes);
        }
        "second attack" => {
            chart.offers.second_attack.insert(column.to_string(), yes);
        }
        "third attack" => {
            chart.offers.third_attack.entry(label.to_string()).or_default().insert(column.to_string(), yes);
        }
        "switch" => {
            let hand = if label == "AT dealt" { "BJ" } else { label };
            let Some(worth) = cell["ev"].as_f64() else {
                return bad(format!("the chart `{title}` has no value for {label} v {column}"));
            };
            chart.offers.switch.entry(column.to_string()).or_default().insert(hand.to_string(), worth);
        }
        _ => {
            let Some((section, row)) =
                section_of(title).and_then(|(s, kind)| Some((s, row_of(kind, label)?)))
            else {
                return bad(format!("`{label}` is not a row of the chart `{title}`"));
            };
            let Some(play) = Cell::parse(&action.to_ascii_uppercase()) else {
                return bad(format!("`{action}` for {title} {label} v {column} is not an action"));
            };
            chart.set(&section, row, column, play);
        }
    }
    Ok(())
}

/// Returns the chart section that a printed chart's title names, and the kind of its rows.
///
/// Titles are `hard`, `hard, 3 cards`, `hard, more cards`, `hard, doubled`. Returns `None` for any other form.
fn section_of(title: &str) -> Option<(String, &str)> {
    let (kind, hands) = title.split_once(", ").unwrap_or((title, ""));
    let section = match hands {
        "" => "initial".to_string(),
        "more cards" => "drawn".to_string(),
        "doubled" => "doubled".to_string(),
        cards => format!("cards-{}", cards.strip_suffix(" cards")?.parse::<u8>().ok()?),
    };
    Some((section, kind))
}

fn row_of(title: &str, label: &str) -> Option<RowKey> {
    let total = |kind, text: &str| Some((kind, text.parse().ok().filter(|v| (2..=21).contains(v))?));
    match (title, values_of(label)) {
        ("hard", _) => total(Kind::Hard, label),
        ("soft", Some(values)) if values.len() == 2 => Some((Kind::Soft, 11 + values[1])),
        ("pairs", Some(values)) if values.len() == 2 => Some((Kind::Pairs, values[0])),
        _ => None,
    }
}

/// Adds the hands of a cell that are better played differently, such as `T2 H`, to the chart's exceptions.
///
/// Exceptions in rows of pairs are left out, because they apply only to pairs that are not split.
fn read_exceptions(chart: &mut Chart, title: &str, column: &str, cell: &Value) {
    for text in cell["exceptions"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let Some((cards, action)) = text.split_once(' ') else {
            continue;
        };
        if let (Some(mut values), Some(play)) = (values_of(cards), Cell::parse(action))
            && (title == "hard" || title == "soft")
            && values.first() != values.last()
        {
            values.sort_unstable();
            chart.exceptions.push(Exception { values, column: column.to_string(), play });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solvers_document_becomes_a_chart() {
        let text = r#"{"table":"x","strategy":"composition-dependent","columns":["A","4"],"charts":[
            {"chart":"hard","legend":"","rows":[{"row":"5","cells":[{"action":"H"},{"action":"H"}]},
             {"row":"12","cells":[{"action":"H"},{"action":"S","exceptions":["2T H","66 S"]}]}]},
            {"chart":"soft","rows":[{"row":"A7","cells":[{"action":"H"},{"action":"Ds"}]}]},
            {"chart":"pairs","rows":[{"row":"88","cells":[{"action":"Rh"},{"action":"P"}]}]},
            {"chart":"attack","rows":[{"row":"attack","cells":[{"action":"no"},{"action":"yes"}]}]}]}"#;
        let chart = Chart::from_json(text).unwrap();
        let cell = |row, column: &str| chart.cell(&["initial".to_string()], row, column).unwrap().to_string();
        assert_eq!(cell((Kind::Soft, 18), "4"), "DS");
        assert_eq!(cell((Kind::Pairs, 8), "A"), "RH");
        assert_eq!(cell((Kind::Hard, 4), "A"), "H");
        assert_eq!(chart.exceptions.len(), 1);
        // cells written next to the printed charts are read too
        let text = text.replacen(
            '{',
            r#"{"hard":{"12":{"4":"H"}},"insurance":{"from":3},"indices":[
            {"hand":"hard 12","up":"4","from":0,"play":"S"}],"#,
            1,
        );
        let beside = Chart::from_json(&text).unwrap();
        assert_eq!(beside.cell(&["initial".to_string()], (Kind::Hard, 12), "4").unwrap().to_string(), "H");
        assert_eq!((beside.insurance, beside.indices.len()), (crate::chart::Take::FromCount(3), 1));
        assert!(chart.offers.attack["4"] && !chart.offers.attack["A"]);
    }
}
