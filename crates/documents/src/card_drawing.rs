//! Draws a strategy card as SVG, on as many sides as it needs.
//!
//! Nothing is cut off, and no letter is smaller than 5.5 points. All lengths are in millimetres.

use crate::card::StrategyCard;
use crate::card_lines::{CardLine, CardSection, sections};
use crate::{Failure, Stamped};
use rules::message;
use serde_json::Value;
use std::fmt::Write as _;

/// The maximum number of columns of a chart, one for each dealer upcard.
const MOST_COLUMNS: usize = 10;
/// The smallest letter size in millimetres, which is 5.5 points.
const LEAST: f64 = 1.95;
/// The height of a line of text, in letter sizes.
const LINE: f64 = 1.24;
/// The height of a chart row, in letter sizes.
const ROW: f64 = 1.22;
/// The width of a sheet of letter paper, in millimetres.
const SHEET: f64 = 215.9;
/// The mean width of a letter of running text, in letter sizes.
///
/// The width is measured in the widest of the fonts that substitute for Helvetica.
const WIDTH: f64 = 0.6;
/// The mean width of a letter of a label or a cell, in letter sizes.
///
/// Labels and cells have more capitals and digits than running text, some of them bold.
const WIDE: f64 = 0.72;

/// The format of a printed card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Panels of credit-card size, 54 × 85.6 mm, side by side for folding.
    Credit,
    /// Sheets of letter paper side by side, as many as needed.
    Letter,
}

impl Size {
    /// Returns the left edge and the width of the side with index `nth`, in millimetres.
    ///
    /// The two columns of a sheet of letter paper are two sides, and further sheets follow to the right.
    fn side(self, nth: usize) -> (f64, f64) {
        match self {
            Size::Credit => (54.0 * nth as f64, 54.0),
            Size::Letter => {
                (SHEET * (nth / 2) as f64 + if nth.is_multiple_of(2) { 3.0 } else { 108.0 }, 105.0)
            }
        }
    }

    /// Returns the preferred number of sides of a card, and the height of a side in millimetres.
    ///
    /// Letters shrink until the card fits on this many sides, or until the letters are of size [`LEAST`].
    fn sides(self) -> (usize, f64) {
        match self {
            Size::Credit => (12, 85.6),
            Size::Letter => (2, 279.4),
        }
    }

    fn margin(self) -> f64 {
        if self == Size::Credit { 2.2 } else { 7.0 }
    }

    /// Returns the largest letter size to try, in millimetres.
    fn letters(self) -> f64 {
        if self == Size::Credit { LEAST } else { 6.0 }
    }
}

/// A strategy card drawn as SVG.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The drawing as SVG.
    pub svg: String,
    /// The width and the height of the whole drawing, in millimetres.
    pub size: (f64, f64),
}

/// A card line with its position.
///
/// The elements are the index of the side, the distance from the top in millimetres, the line, and the length of
/// the longest row label in its chart, in letters.
type Placed<'a> = (usize, f64, &'a CardLine, usize);

/// Draws a strategy card, with all its sides side by side.
///
/// Returns an error if the charts have more columns than fit on a card.
pub fn drawing(card: &Stamped<StrategyCard>, size: Size) -> Result<Drawing, Failure> {
    let columns = card.document.columns.len();
    if columns > MOST_COLUMNS {
        return Err(Failure::RefusedFor(message!(
            "card-too-wide",
            "{columns} columns do not fit on a card; use `cutcard strategy --format html`",
            columns
        )));
    }
    let told = serde_json::to_value(card)
        .map_err(|error| Failure::Refused(format!("cannot write the strategy card: {error}")))?;
    Ok(drawn(&told, size))
}

fn drawn(told: &Value, size: Size) -> Drawing {
    let (sides, high) = size.sides();
    let margin = size.margin();
    // start as large as possible and shrink
    let mut letters = size.letters();
    let parts = loop {
        let narrow = size.side(0).1 - 2.0 * margin;
        let parts = sections(told, (narrow / (letters * WIDTH)) as usize);
        let room = laid(&parts, letters, (high - 2.0 * margin, sides)).is_some();
        if letters <= LEAST || (room && parts.iter().all(|part| fits(part, letters, narrow))) {
            break parts;
        }
        letters = (letters * 0.97).max(LEAST);
    };
    let placed = laid(&parts, letters, (high - 2.0 * margin, usize::MAX)).unwrap_or_default();
    let used = placed.last().map_or(1, |line| line.0 + 1);
    // with unlimited sides nothing is left out or overlaps
    let sides: Vec<(f64, f64)> = (0..used).map(|nth| size.side(nth)).collect();
    let wide = match size {
        Size::Credit => 54.0 * used.max(2) as f64,
        Size::Letter => SHEET * used.div_ceil(2) as f64,
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"Helvetica, Arial, sans-serif\">\n<title>{}</title>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>\n",
        escaped(told["title"].as_str().unwrap_or_default())
    );
    for (side, y, line, label) in &placed {
        let (left, wide) = (sides[*side].0 + margin, sides[*side].1 - 2.0 * margin);
        let label = label_width(*label, letters, wide);
        draw(&mut out, line, (left, margin + y, wide), (letters, label));
    }
    if size == Size::Credit {
        for side in 1..used.max(2) {
            let x = 54 * side;
            let _ = writeln!(
                out,
                "<path d=\"M{x} 0V{high}\" stroke=\"#999\" stroke-width=\"0.15\" stroke-dasharray=\"1 1\"/>"
            );
        }
    }
    out.push_str("</svg>\n");
    Drawing { svg: out, size: (wide, high) }
}

/// Returns the width of a chart's row labels in millimetres, if the longest label has `label` letters.
///
/// `letters` is the letter size and `wide` the width of a side.
fn label_width(label: usize, letters: f64, wide: f64) -> f64 {
    (label as f64 * letters * WIDE + 0.8).max(wide * 0.16)
}

/// Returns whether every cell of a chart is wide enough for its text.
///
/// `letters` is the letter size and `wide` the width of a side.
fn fits(part: &CardSection, letters: f64, wide: f64) -> bool {
    part.lines.iter().all(|line| match line {
        CardLine::Columns(_, boxes) | CardLine::Row(_, boxes) => {
            let cell = (wide - label_width(part.label(), letters, wide)) / boxes.len().max(1) as f64;
            boxes.iter().all(|text| text.chars().count() as f64 * letters * WIDE <= cell)
        }
        _ => true,
    })
}

fn height(line: &CardLine, letters: f64) -> f64 {
    match line {
        CardLine::Title(_) => 1.35 * LINE * letters,
        CardLine::Head(_) | CardLine::Text(_) => LINE * letters,
        CardLine::Columns(..) | CardLine::Row(..) => ROW * letters,
        CardLine::Gap => 0.5 * letters,
    }
}

/// Returns the position of every card line, or `None` if the lines need more than `sides` sides.
///
/// A section that fits on one side is not split between two sides.
fn laid(parts: &[CardSection], letters: f64, (high, sides): (f64, usize)) -> Option<Vec<Placed<'_>>> {
    let (mut side, mut y) = (0, 0.0);
    let mut placed = Vec::new();
    for part in parts {
        let whole: f64 = part.lines.iter().map(|line| height(line, letters)).sum();
        if part.together && y > 0.0 && whole <= high && y + whole > high {
            (side, y) = (side + 1, 0.0);
        }
        for line in &part.lines {
            let tall = height(line, letters);
            if y + tall > high {
                (side, y) = (side + 1, 0.0);
            }
            // no side begins with a gap
            if matches!(line, CardLine::Gap) && y == 0.0 {
                continue;
            }
            placed.push((side, y, line, part.label()));
            y += tall;
        }
    }
    placed.last().is_none_or(|last| last.0 < sides).then_some(placed)
}

fn draw(out: &mut String, line: &CardLine, (left, top, wide): (f64, f64, f64), (letters, label): (f64, f64)) {
    // the baseline of the text within a row
    let foot = top + 0.92 * letters;
    let place = |n: usize, at: usize| {
        (left + label + (wide - label) / n as f64 * at as f64, (wide - label) / n as f64)
    };
    match line {
        CardLine::Title(text) => {
            write_text(out, (left, top + 1.3 * letters), 1.3 * letters, "start", true, text)
        }
        CardLine::Head(text) => write_text(out, (left, foot), letters, "start", true, text),
        CardLine::Text(text) => write_text(out, (left, foot), letters, "start", false, text),
        CardLine::Gap => {}
        CardLine::Columns(name, heads) => {
            write_text(out, (left, foot), letters, "start", true, name);
            for (at, head) in heads.iter().enumerate() {
                let (x, cell) = place(heads.len(), at);
                write_text(out, (x + cell / 2.0, foot), letters, "middle", true, head);
            }
        }
        CardLine::Row(name, boxes) => {
            write_text(out, (left + label - 0.5, foot), letters, "end", false, name);
            for (at, text) in boxes.iter().enumerate() {
                let (x, cell) = place(boxes.len(), at);
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.2}\" y=\"{top:.2}\" width=\"{cell:.2}\" height=\"{:.2}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"0.12\"/>",
                    ROW * letters,
                    colour(text)
                );
                write_text(out, (x + cell / 2.0, foot), letters, "middle", false, text);
            }
        }
    }
}

fn write_text(out: &mut String, (x, y): (f64, f64), size: f64, anchor: &str, bold: bool, text: &str) {
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(
        out,
        "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size:.2}\" text-anchor=\"{anchor}\"{weight}>{}</text>",
        escaped(text)
    );
}

fn colour(action: &str) -> &'static str {
    match action.chars().next() {
        Some('S') => "#f6d55c",
        Some('D') => "#8ecae6",
        Some('P' | 'Y') => "#b7e4c7",
        Some('R') => "#f4acb7",
        _ => "#eeeeee",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(lines: usize, together: bool) -> CardSection {
        CardSection { lines: (0..lines).map(|n| CardLine::Text(n.to_string())).collect(), together }
    }

    #[test]
    fn parts_that_fit_a_side_stay_together_and_nothing_is_lost() {
        // ten lines per side
        let high = 10.0 * LINE;
        let parts = [part(6, true), part(6, true), part(3, false), part(4, false)];
        let placed = laid(&parts, 1.0, (high + 1e-9, 3)).expect("room");
        let sides: Vec<usize> = placed.iter().map(|line| line.0).collect();
        assert_eq!(
            sides,
            [[0; 6], [1; 6]].concat().into_iter().chain([1, 1, 1, 1, 2, 2, 2]).collect::<Vec<_>>()
        );
        assert!(laid(&parts, 1.0, (high + 1e-9, 2)).is_none());
    }

    /// No line runs into the next column, and no label into its chart, even in the widest substitute for Helvetica.
    #[test]
    fn no_line_is_wider_than_its_side() {
        let choices = rules::preset::preset("nj-blackjack").unwrap();
        let told = serde_json::to_value(crate::card::document(&choices, 1e-6).unwrap()).unwrap();
        for size in [Size::Letter, Size::Credit] {
            let Drawing { svg, .. } = drawn(&told, size);
            let number = |text: &str, name: &str| -> f64 {
                let value = text.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
                value.and_then(|value| value.parse().ok()).unwrap_or(f64::NAN)
            };
            let starts = |line: &&str| line.starts_with("<text") && line.contains("\"start\"");
            for text in svg.lines().filter(starts) {
                let words =
                    text.split('>').nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
                let letter = number(text, "font-size") * if text.contains("bold") { 0.69 } else { 0.58 };
                let end = number(text, "x") + letter * words.chars().count() as f64;
                let (left, wide) =
                    (0..99).map(|nth| size.side(nth)).rfind(|side| side.0 <= number(text, "x")).unwrap();
                assert!(end <= left + wide + 0.2, "{size:?} {end} {left} {wide}: {text}");
                if words == "upcard" {
                    let y = format!(" y=\"{:.2}\"", number(text, "y"));
                    let two =
                        svg.lines().find(|line| line.contains(&y) && line.ends_with(">2</text>")).unwrap();
                    assert!(end < number(two, "x") - 0.3 * number(two, "font-size"), "{text} {two}");
                }
            }
        }
    }

    /// Charts that do not fit on a sheet continue on further sheets: no letter overlaps another or is outside.
    #[test]
    fn what_does_not_fit_a_sheet_goes_on_to_the_next() {
        let columns: Vec<String> = (2..=9).map(|up| up.to_string()).chain(["T".into(), "A".into()]).collect();
        // neighboring rows differ, so that none are merged
        let row = |nth: usize| serde_json::json!({ "row": nth.to_string(), "cells": vec![["S", "H"][nth % 2]; 10] });
        let section = |nth: usize| {
            let rows: Vec<Value> = (0..40).map(row).collect();
            serde_json::json!({ "chart": "hard", "title": format!("chart {nth}"), "columns": columns, "rows": rows })
        };
        let told = serde_json::json!({
            "title": "A table", "house_edge": 0.005, "sections": (0..12).map(section).collect::<Vec<_>>(),
        });
        for size in [Size::Letter, Size::Credit] {
            let Drawing { svg, size: (wide, high) } = drawn(&told, size);
            let attribute = |text: &str, name: &str| -> f64 {
                let value = text.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
                value.and_then(|value| value.parse().ok()).unwrap_or(f64::NAN)
            };
            let mut places = std::collections::BTreeSet::new();
            for text in svg.lines().filter(|line| line.starts_with("<text")) {
                let (x, y) = (attribute(text, "x"), attribute(text, "y"));
                assert!(x > 0.0 && x < wide && y > 0.0 && y < high, "{text}");
                assert!(
                    places.insert((format!("{x:.2}"), format!("{y:.2}"))),
                    "label `{text}` overlaps another label"
                );
            }
            // every cell of every row
            assert!(places.len() > 12 * 40 * 10, "{}", places.len());
            assert!(size == Size::Credit || (wide == 3.0 * SHEET && high == 279.4), "{wide} {high}");
        }
    }
}
