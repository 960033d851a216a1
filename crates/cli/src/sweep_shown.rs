//! Writes a sweep as text, JSON, CSV, Parquet or SVG.

use documents::Failure;
use documents::side_score::SideScore;
use documents::subject::limit;
use documents::sweep::{Row, Score, Sweep, SweepFigures, document};
use serde::Serialize;
use serde_json::Value;
use sim::parquet::{Cell, Kind, Parquet};
use std::fmt::Write as _;

/// The output formats of a sweep.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Form {
    Text,
    Json,
    Csv,
    Parquet,
    Svg,
}

/// Returns a sweep in the output format `form`, as bytes.
///
/// If `commented` is set, CSV begins with a comment line of provenance. Returns an error if the output cannot be
/// written.
pub fn shown(sweep: &Sweep, form: Form, commented: bool) -> Result<Vec<u8>, Failure> {
    Ok(match form {
        Form::Csv if commented => format!("{}{}", document(sweep).comment(), csv(sweep)).into_bytes(),
        Form::Text => text(sweep).into_bytes(),
        Form::Json => document(sweep).to_text()?.into_bytes(),
        Form::Csv => csv(sweep).into_bytes(),
        Form::Parquet => parquet(sweep)
            .map_err(|error| Failure::Refused(format!("cannot write the Parquet file: {error}")))?,
        Form::Svg => svg(sweep).into_bytes(),
    })
}

/// Returns a JSON value as text, without quotes around a string.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Returns the names of all side bets that appear in any row, in order of first appearance.
fn side_wagers(sweep: &Sweep) -> Vec<String> {
    let found = sweep.rows.iter().filter_map(|row| row.found.as_ref());
    in_order(found.flat_map(|found| found.side_wagers.iter().map(|(name, _)| name)))
}

/// Returns the names of all side bets that have a SCORE in any row, in order of first appearance.
fn side_scores(sweep: &Sweep) -> Vec<String> {
    let found = sweep.rows.iter().filter_map(|row| row.found.as_ref());
    in_order(found.flat_map(|found| found.side_scores.iter().map(|(name, _)| name)))
}

fn in_order<'a>(all: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in all {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Returns the bet spreads for which SCORE was computed, such as `1-12`.
///
/// Every solved table has the same spreads.
fn spreads(sweep: &Sweep) -> Vec<String> {
    let mut scores = sweep.rows.iter().filter_map(|row| row.found.as_ref()).map(|found| &found.scores);
    scores.next().into_iter().flatten().map(Score::spread_text).collect()
}

/// Returns the reason why a row of a sweep has no figures; an empty string unless the table is too large.
fn not_solved(row: &Row) -> String {
    if row.too_large { limit() } else { String::new() }
}

/// Returns the clauses that a row's table violates, separated by semicolons.
fn broken(row: &Row) -> String {
    let clauses: Vec<&str> = row.violations.0.iter().map(|finding| finding.clause).collect();
    clauses.join("; ")
}

/// Returns the names of the columns that have figures, and for every row the values in these columns.
fn figures(sweep: &Sweep) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let sides = side_wagers(sweep);
    let mut names = vec!["house_edge".to_string(), "std_dev".to_string()];
    let spreads = spreads(sweep);
    names.extend(match &spreads[..] {
        [_] => vec!["score".to_string(), "score_error".to_string()],
        many => many.iter().flat_map(|of| [format!("score_{of}"), format!("score_error_{of}")]).collect(),
    });
    names.extend(sides.iter().cloned());
    let scored = side_scores(sweep);
    let kinds = ["score", "score_error", "score_by_main_count", "score_by_main_count_error"];
    names.extend(scored.iter().flat_map(|name| kinds.map(|kind| format!("{name}_{kind}"))));
    let row = |row: &Row| {
        let found = row.found.as_ref();
        let mut cells = vec![found.map(|f| f.house_edge), found.and_then(|f| f.std_dev)];
        for at in 0..spreads.len() {
            let score = found.and_then(|found| found.scores.get(at));
            cells.extend([score.map(|score| score.score), score.map(|score| score.error)]);
        }
        let side = |name: &String| found?.side_wagers.iter().find(|(n, _)| n == name).map(|(_, edge)| *edge);
        cells.extend(sides.iter().map(side));
        for name in &scored {
            let score = found.and_then(|found| found.side_scores.iter().find(|(scored, _)| scored == name));
            let of = |figure: fn(&SideScore) -> f64| score.map(|(_, score)| figure(score));
            cells.extend([
                of(|score| score.score),
                of(|score| score.score_error),
                of(|score| score.score_by_main_count),
                of(|score| score.score_by_main_count_error),
            ]);
        }
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
    let too_large = sweep.rows.iter().any(|row| row.too_large);
    let mut text = format!("{head},breaks{}\n", if too_large { ",not_solved" } else { "" });
    for (row, cells) in sweep.rows.iter().zip(cells) {
        let set = row.set.iter().map(|value| field(&plain(value)));
        let cells = cells.iter().map(|cell| cell.map_or_else(String::new, |x| format!("{x:?}")));
        let line = set.chain(cells).collect::<Vec<_>>().join(",");
        let why = if too_large { format!(",{}", field(&not_solved(row))) } else { String::new() };
        let _ = writeln!(text, "{line},{}{why}", field(&broken(row)));
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
    let too_large = sweep.rows.iter().any(|row| row.too_large);
    if too_large {
        columns.push(("not_solved".to_string(), Kind::Text));
    }
    let mut bytes = Vec::new();
    let stamped = document(sweep);
    let mut file = Parquet::new(&mut bytes, "tables", columns.clone())?
        .with_optional(Kind::Double)
        .with_footer("made_by", as_json(&stamped.made_by))
        .with_footer("of", as_json(&stamped.of));
    for (row, cells) in sweep.rows.iter().zip(cells) {
        let set = row.set.iter().zip(&columns).map(|(value, (_, kind))| match (kind, value.as_i64()) {
            (Kind::Int, Some(n)) => Cell::Int(n),
            _ => Cell::Text(plain(value)),
        });
        let cells = cells.iter().map(|cell| cell.map_or(Cell::Null, Cell::Double));
        let why = too_large.then(|| Cell::Text(not_solved(row)));
        let row: Vec<Cell> = set.chain(cells).chain([Cell::Text(broken(row))]).chain(why).collect();
        file.push(&row)?;
    }
    file.finish()?;
    Ok(bytes)
}

/// Formats a value as JSON, with its keys in alphabetical order.
pub fn as_json(value: &impl Serialize) -> String {
    serde_json::to_value(value).unwrap_or_default().to_string()
}

fn text(sweep: &Sweep) -> String {
    let wide = |at: usize| {
        let values = sweep.rows.iter().map(|row| plain(&row.set[at]).chars().count());
        values.chain([sweep.options[at].len()]).max().unwrap_or(0) + 2
    };
    let mut wide: Vec<usize> = (0..sweep.options.len()).map(wide).collect();
    let scored =
        sweep.rows.iter().filter_map(|row| row.found.as_ref()).filter(|found| !found.scores.is_empty());
    let names = scored.flat_map(|found| &found.side_wagers).map(|(name, _)| name.len() + 4).max();
    // the names of side bets stand in these columns too
    let more = names.unwrap_or(0).saturating_sub(wide.iter().sum());
    if let Some(last) = wide.last_mut() {
        *last += more;
    }
    let mut text = String::new();
    for (name, wide) in sweep.options.iter().zip(&wide) {
        let _ = write!(text, "{name:<wide$}");
    }
    text.push_str("  house edge     std dev");
    let spreads = spreads(sweep);
    for spread in &spreads {
        let name = if spreads.len() == 1 { "SCORE".to_string() } else { format!("SCORE {spread}") };
        let _ = write!(text, "{name:>14}{:>10}", "error");
    }
    text.push('\n');
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
            for score in &found.scores {
                let _ = write!(text, "{:>14.2}{:>10.2}", score.score, score.error);
            }
            for (name, edge) in found.side_wagers.iter().filter(|_| found.scores.is_empty()) {
                let _ = write!(text, "  {name} {:.4} %", 100.0 * edge);
            }
        }
        if row.too_large {
            let _ = write!(text, "  not solved: {}", limit());
        }
        if !row.violations.0.is_empty() {
            let _ = write!(text, "  breaks {}", broken(row));
        }
        text.push('\n');
        if let Some(found) = row.found.as_ref().filter(|found| !found.scores.is_empty()) {
            text.push_str(&side_lines(found, wide.iter().sum()));
        }
    }
    let _ = writeln!(text, "{} tables", sweep.rows.len());
    text
}

/// Returns a line for every side bet: house edge and SCORE in the columns of the main game, and the best count.
///
/// `wide` is the width of the columns before the house edge.
fn side_lines(found: &SweepFigures, wide: usize) -> String {
    let mut text = String::new();
    for (name, edge) in &found.side_wagers {
        let name = format!("  {name}");
        let _ = write!(text, "{name:<wide$}{:>10.6} %{:>12}", 100.0 * edge, "-");
        let score = found.side_scores.iter().find(|(scored, _)| scored == name.trim());
        let _ = match score {
            Some((_, score)) => writeln!(
                text,
                "{:>14.2}{:>10.2}  by {}; {:.2} (error {:.2}) by the main count",
                score.score,
                score.score_error,
                score.count,
                score.score_by_main_count,
                score.score_by_main_count_error
            ),
            None => writeln!(text, "{:>14}{:>10}", "-", "-"),
        };
    }
    text
}

/// Draws a sweep as SVG, with one line per table: the varied options, and a dot at the house edge.
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
        if !row.violations.0.is_empty() {
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

/// Returns an axis step of 1, 2 or 5 times a power of ten that divides `range` into about six parts.
fn step(range: f64) -> f64 {
    let rough = (range / 6.0).max(1e-6);
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= rough).unwrap_or(power)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use documents::subject::Violations;
    use documents::tables::TableFile;
    use serde_json::json;

    fn side_score() -> SideScore {
        SideScore {
            count: "1,1,1,1,0,0,0,0,0,-1".into(),
            score: 30.25,
            score_by_main_count: 20.5,
            score_by_main_count_error: 0.5,
            score_error: 0.75,
        }
    }

    /// Returns a sweep of two tables: one solved with two spreads, and one beyond the solver's limit.
    fn sweep() -> Sweep {
        let score = |most, score| Score { spread: (1, most), score, error: 0.25 };
        let found = SweepFigures {
            house_edge: 0.005,
            std_dev: None,
            scores: vec![score(8, 12.5), score(12, 20.75)],
            side_scores: vec![("over-13".into(), side_score())],
            side_wagers: vec![("over-13".into(), 0.0655), ("streak-2".into(), 0.04)],
        };
        let row = |decks: u8, found: Option<SweepFigures>| Row {
            set: vec![json!(decks)],
            violations: Violations::default(),
            too_large: found.is_none(),
            found,
        };
        let rows = vec![row(6, Some(found)), row(13, None)];
        Sweep { table: "a table".into(), of: TableFile::default(), options: vec!["decks".into()], rows }
    }

    #[test]
    fn scores_and_tables_that_are_not_solved_are_told_in_text() {
        let told = text(&sweep());
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].contains("SCORE 1-8") && lines[0].contains("SCORE 1-12"), "{told}");
        assert!(
            lines[1].contains("12.50") && lines[1].contains("20.75") && lines[1].contains("0.25"),
            "{told}"
        );
        // side bets stand below their table, in the same columns
        let ends = |line: &str, text: &str| line.find(text).map(|at| at + text.len());
        assert_eq!(ends(lines[2], "6.550000 %"), ends(lines[1], "0.500000 %"), "{told}");
        assert_eq!(ends(lines[2], "30.25"), ends(lines[1], "12.50"), "{told}");
        assert!(lines[2].contains("over-13") && lines[2].contains("0.75  by 1,1,1,1,0"), "{told}");
        assert!(lines[2].ends_with("20.50 (error 0.50) by the main count"), "{told}");
        assert!(lines[3].contains("streak-2") && lines[3].ends_with("-         -"), "{told}");
        assert!(lines[4].starts_with("13") && lines[4].contains(&limit()), "{told}");
        let mut one = sweep();
        one.rows.truncate(1);
        if let Some(found) = &mut one.rows[0].found {
            found.scores.truncate(1);
        }
        let told = text(&one);
        assert!(
            told.contains("SCORE") && !told.contains("SCORE 1-8") && !told.contains("not solved"),
            "{told}"
        );
    }

    #[test]
    fn csv_has_a_column_for_every_spread_and_for_what_is_not_solved() {
        let told = csv(&sweep());
        let lines: Vec<&str> = told.lines().collect();
        let main = "decks,house_edge,std_dev,score_1-8,score_error_1-8,score_1-12,score_error_1-12";
        let sides = "over-13,streak-2,over-13_score,over-13_score_error,over-13_score_by_main_count,\
            over-13_score_by_main_count_error";
        assert_eq!(lines[0], format!("{main},{sides},breaks,not_solved"));
        assert_eq!(lines[1], "6,0.005,,12.5,0.25,20.75,0.25,0.0655,0.04,30.25,0.75,20.5,0.5,,");
        assert_eq!(lines[2], format!("13,,,,,,,,,,,,,,{}", limit()));
        let mut solved = sweep();
        solved.rows.truncate(1);
        assert!(csv(&solved).lines().next().is_some_and(|head| head.ends_with(",breaks")));
    }
}
