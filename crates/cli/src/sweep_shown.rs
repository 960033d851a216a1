//! A sweep as text, JSON, CSV, Parquet, and as a picture.

use documents::Failure;
use documents::sweep::{Row, Sweep, document};
use serde_json::Value;
use sim::parquet::{Cell, Kind, Parquet};
use std::fmt::Write as _;

/// The forms in which a sweep can be had.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Form {
    Text,
    Json,
    Csv,
    Parquet,
    Svg,
}

pub fn shown(sweep: &Sweep, form: Form) -> Result<Vec<u8>, Failure> {
    Ok(match form {
        Form::Text => text(sweep).into_bytes(),
        Form::Json => document(sweep).to_text()?.into_bytes(),
        Form::Csv => csv(sweep).into_bytes(),
        Form::Parquet => parquet(sweep)
            .map_err(|error| Failure::Refused(format!("the Parquet file cannot be made: {error}")))?,
        Form::Svg => svg(sweep).into_bytes(),
    })
}

/// A value without the quotes of a text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Every side wager of any row, in the order in which they come.
fn side_wagers(sweep: &Sweep) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in
        sweep.rows.iter().filter_map(|row| row.found.as_ref()).flat_map(|found| &found.side_wagers)
    {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The clauses that a row breaks.
fn broken(row: &Row) -> String {
    let clause = |finding: &Value| finding["clause"].as_str().unwrap_or_default().to_string();
    let clauses: Vec<String> = row.violations.as_array().into_iter().flatten().map(clause).collect();
    clauses.join("; ")
}

/// The columns behind the options, and their cells.
fn figures(sweep: &Sweep) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let sides = side_wagers(sweep);
    let mut names = vec!["house_edge".to_string(), "std_dev".to_string()];
    let scored = sweep.rows.iter().any(|row| row.found.as_ref().is_some_and(|found| found.score.is_some()));
    if scored {
        names.extend(["score", "score_error"].map(str::to_string));
    }
    names.extend(sides.iter().cloned());
    let row = |row: &Row| {
        let found = row.found.as_ref();
        let mut cells = vec![found.map(|f| f.house_edge), found.and_then(|f| f.std_dev)];
        if scored {
            let score = found.and_then(|found| found.score);
            cells.extend([score.map(|score| score.0), score.map(|score| score.1)]);
        }
        let side = |name: &String| found?.side_wagers.iter().find(|(n, _)| n == name).map(|(_, edge)| *edge);
        cells.extend(sides.iter().map(side));
        cells
    };
    (names, sweep.rows.iter().map(row).collect())
}

fn csv(sweep: &Sweep) -> String {
    let field = |text: &str| match text.contains(['"', ',', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    };
    let (names, cells) = figures(sweep);
    let head = sweep.options.iter().chain(&names).map(|name| field(name)).collect::<Vec<_>>().join(",");
    let mut text = format!("{head},breaks\n");
    for (row, cells) in sweep.rows.iter().zip(cells) {
        let set = row.set.iter().map(|value| field(&plain(value)));
        let cells = cells.iter().map(|cell| cell.map_or_else(String::new, |x| format!("{x:?}")));
        let line = set.chain(cells).collect::<Vec<_>>().join(",");
        let _ = writeln!(text, "{line},{}", field(&broken(row)));
    }
    text
}

fn parquet(sweep: &Sweep) -> std::io::Result<Vec<u8>> {
    let (names, cells) = figures(sweep);
    let kind = |at: usize| match sweep.rows.iter().all(|row| row.set[at].is_i64()) {
        true => Kind::Int,
        false => Kind::Text,
    };
    let options = sweep.options.iter().enumerate().map(|(at, name)| (name.clone(), kind(at)));
    let mut columns: Vec<(String, Kind)> = options.collect();
    columns.extend(names.into_iter().map(|name| (name, Kind::Double)));
    columns.push(("breaks".to_string(), Kind::Text));
    let mut bytes = Vec::new();
    let mut file = Parquet::new(&mut bytes, "tables", columns.clone())?;
    for (row, cells) in sweep.rows.iter().zip(cells) {
        let set = row.set.iter().zip(&columns).map(|(value, (_, kind))| match (kind, value.as_i64()) {
            (Kind::Int, Some(n)) => Cell::Int(n),
            _ => Cell::Text(plain(value)),
        });
        let cells = cells.iter().map(|cell| Cell::Double(cell.unwrap_or(f64::NAN)));
        let row: Vec<Cell> = set.chain(cells).chain([Cell::Text(broken(row))]).collect();
        file.push(&row)?;
    }
    file.finish()?;
    Ok(bytes)
}

fn text(sweep: &Sweep) -> String {
    let wide = |at: usize| {
        let values = sweep.rows.iter().map(|row| plain(&row.set[at]).chars().count());
        values.chain([sweep.options[at].len()]).max().unwrap_or(0) + 2
    };
    let wide: Vec<usize> = (0..sweep.options.len()).map(wide).collect();
    let mut text = String::new();
    for (name, wide) in sweep.options.iter().zip(&wide) {
        let _ = write!(text, "{name:<wide$}");
    }
    text.push_str("  house edge     std dev\n");
    for row in &sweep.rows {
        for (value, wide) in row.set.iter().zip(&wide) {
            let _ = write!(text, "{:<wide$}", plain(value));
        }
        if let Some(found) = &row.found {
            let _ = write!(text, "{:>10.6} %", 100.0 * found.house_edge);
            let _ = match found.std_dev {
                Some(std_dev) => write!(text, "{std_dev:>12.6}"),
                None => write!(text, "{:>12}", "-"),
            };
            for (name, edge) in &found.side_wagers {
                let _ = write!(text, "  {name} {:.4} %", 100.0 * edge);
            }
        }
        if row.violations.as_array().is_some_and(|all| !all.is_empty()) {
            let _ = write!(text, "  breaks {}", broken(row));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{} tables", sweep.rows.len());
    text
}

/// One line a table, in the order of the sweep: a dot at its house edge beside what was set.
fn svg(sweep: &Sweep) -> String {
    const LINE: usize = 16;
    const LEFT: f64 = 330.0;
    const WIDE: f64 = 560.0;
    let edges: Vec<f64> =
        sweep.rows.iter().filter_map(|row| row.found.as_ref()).map(|f| 100.0 * f.house_edge).collect();
    let (least, most) = edges.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
    let (least, most) = if edges.is_empty() { (0.0, 1.0) } else { (least, most) };
    let step = step(most - least);
    let (from, to) = ((least / step).floor() * step, ((most / step).ceil() * step).max(least + step));
    let x = |edge: f64| LEFT + WIDE * (edge - from) / (to - from);
    let high = 60 + LINE * sweep.rows.len() + 30;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 940 {high}\" font-family=\"sans-serif\" font-size=\"11\">\n<title>{0}</title>\n<rect width=\"940\" height=\"{high}\" fill=\"#fff\"/>\n<text x=\"10\" y=\"22\" font-size=\"16\">{0}: house edge in percent</text>\n",
        escaped(&sweep.table)
    );
    let mut tick = from;
    while tick <= to + step / 2.0 {
        let at = x(tick);
        let bottom = 60 + LINE * sweep.rows.len();
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"44\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"40\" text-anchor=\"middle\">{tick:.3}</text>"
        );
        tick += step;
    }
    for (nth, row) in sweep.rows.iter().enumerate() {
        let y = 60 + LINE * nth;
        let set = sweep.options.iter().zip(&row.set).map(|(key, value)| format!("{key} {}", plain(value)));
        let mut label: String = set.collect::<Vec<_>>().join(", ");
        if row.violations.as_array().is_some_and(|all| !all.is_empty()) {
            label = format!("hypothetical: {label}");
        }
        let short: String = if label.chars().count() > 58 {
            label.chars().take(57).chain(['…']).collect()
        } else {
            label.clone()
        };
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{y}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            escaped(&short)
        );
        if let Some(found) = &row.found {
            let edge = 100.0 * found.house_edge;
            let fill = if edge > 0.0 { "#1d6fa5" } else { "#2a9d5c" };
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{}\" r=\"4\" fill=\"{fill}\"><title>{}: {edge:.6} %</title></circle>",
                x(edge),
                y - 4,
                escaped(&label)
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// A step of 1, 2 or 5 times a power of ten that divides a range into some parts.
fn step(range: f64) -> f64 {
    let rough = (range / 6.0).max(1e-6);
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= rough).unwrap_or(power)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
