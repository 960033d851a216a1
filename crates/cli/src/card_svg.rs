//! The drawing of a strategy card: the charts on its front, rules, legend, exceptions and the game's own decisions on its
//! back, both beside each other. All measures are millimetres.

use serde_json::Value;
use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Size {
    /// 54 by 85.6 mm, front and back beside each other to be folded.
    Credit,
    /// A sheet of letter paper.
    Letter,
}

impl Size {
    /// The whole drawing.
    pub fn whole(self) -> (f64, f64) {
        match self {
            Size::Credit => (108.0, 85.6),
            Size::Letter => (215.9, 279.4),
        }
    }

    /// Front and back: left edge, width.
    fn faces(self) -> [(f64, f64); 2] {
        match self {
            Size::Credit => [(0.0, 54.0), (54.0, 54.0)],
            Size::Letter => [(8.0, 118.0), (128.0, 80.0)],
        }
    }

    fn margin(self) -> f64 {
        if self == Size::Credit { 2.2 } else { 10.0 }
    }

    /// The greatest height of a row, and of the letters of running text.
    fn most(self) -> (f64, f64) {
        if self == Size::Credit { (3.4, 1.75) } else { (9.0, 3.2) }
    }
}

/// A row of a chart: its label and what its boxes say.
type Row = (String, Vec<String>);

/// The whole card.
pub fn drawing(told: &Value, size: Size) -> String {
    let (wide, high) = size.whole();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"Helvetica, Arial, sans-serif\">\n<title>{}</title>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>\n",
        escaped(&text(&told["table"]))
    );
    let [front, back] = size.faces();
    draw_front(&mut out, told, (front, high), size);
    draw_back(&mut out, told, (back, high), size);
    if size == Size::Credit {
        let _ = writeln!(
            out,
            "<path d=\"M54 0V85.6\" stroke=\"#999\" stroke-width=\"0.15\" stroke-dasharray=\"1 1\"/>"
        );
    }
    out.push_str("</svg>\n");
    out
}

fn draw_front(out: &mut String, told: &Value, ((left, wide), high): ((f64, f64), f64), size: Size) {
    let margin = size.margin();
    let charts: Vec<(String, Vec<Row>)> = ["hard", "soft", "pairs"]
        .iter()
        .filter_map(|name| Some((name.to_string(), merged(chart(told, name)?))))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    let lines: usize = charts.iter().map(|(_, rows)| rows.len() + 1).sum();
    let title = size.most().1 * 1.35;
    let top = margin + title * 2.4;
    let line = ((high - top - margin) / lines.max(1) as f64).min(size.most().0);
    let edge = 100.0 * told["house_edge"].as_f64().unwrap_or(f64::NAN);
    write_text(out, (left + margin, margin + title), title, "start", true, &text(&told["table"]));
    let below = format!("house edge {edge:.4} % by this card");
    write_text(out, (left + margin, margin + title * 2.1), title * 0.72, "start", false, &below);
    let ups = in_order(told);
    let label = (wide - 2.0 * margin) * 0.16;
    let cell = (wide - 2.0 * margin - label) / ups.len().max(1) as f64;
    let mut y = top;
    for (name, rows) in &charts {
        write_text(out, (left + margin, y + line * 0.75), line * 0.62, "start", true, name);
        for (at, (_, up)) in ups.iter().enumerate() {
            let x = left + margin + label + cell * (at as f64 + 0.5);
            write_text(out, (x, y + line * 0.75), line * 0.62, "middle", true, up);
        }
        y += line;
        for (row, boxes) in rows {
            let x = left + margin + label - 0.6;
            write_text(out, (x, y + line * 0.72), line * 0.62, "end", false, row);
            for (at, (place, _)) in ups.iter().enumerate() {
                let action = boxes.get(*place).map_or("", String::as_str);
                let x = left + margin + label + cell * at as f64;
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{cell:.2}\" height=\"{line:.2}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"0.12\"/>",
                    colour(action)
                );
                write_text(out, (x + cell / 2.0, y + line * 0.72), line * 0.62, "middle", false, action);
            }
            y += line;
        }
    }
}

fn draw_back(out: &mut String, told: &Value, ((left, wide), high): ((f64, f64), f64), size: Size) {
    let margin = size.margin();
    let small = size.most().1;
    let parts = back(told);
    // letters are as large as all lines leave room for
    let mut letters = small;
    let fits = |letters: f64| -> Vec<(bool, String)> {
        let most = ((wide - 2.0 * margin) / (letters * 0.52)) as usize;
        parts
            .iter()
            .flat_map(|(bold, text)| wrapped(text, most).into_iter().map(|line| (*bold, line)))
            .collect()
    };
    while letters > 0.9 && fits(letters).len() as f64 * letters * 1.28 > high - 2.0 * margin {
        letters *= 0.97;
    }
    let room = ((high - 2.0 * margin) / (letters * 1.28)) as usize;
    for (at, (bold, line)) in fits(letters).iter().take(room).enumerate() {
        let y = margin + letters * (1.0 + 1.28 * at as f64);
        write_text(out, (left + margin, y), letters, "start", *bold, line);
    }
}

/// The lines of the back, with whether they are headings.
fn back(told: &Value) -> Vec<(bool, String)> {
    let list = |value: &Value| -> Vec<Value> { value.as_array().cloned().unwrap_or_default() };
    let mut lines = vec![(true, "Rules".to_string())];
    lines.push((false, list(&told["rules"]).iter().map(text).collect::<Vec<_>>().join(", ")));
    lines.push((
        false,
        "S stand, H hit, D double, P split, R surrender; small: where the first is not allowed".to_string(),
    ));
    let attacks = [("attack", "Attack"), ("second attack", "Second attack, by the own first card")];
    for (name, heading) in attacks {
        if let Some(rows) = chart(told, name) {
            lines.push((true, heading.to_string()));
            let yes = rows.first().map_or(String::new(), |(_, boxes)| affirmed(told, boxes));
            lines.push((
                false,
                format!("yes against {yes}")
                    .replace("against", if name == "attack" { "against" } else { "with" }),
            ));
        }
    }
    if let Some(rows) = chart(told, "third attack") {
        lines.push((true, "Third attack, by the own first card and the up card".to_string()));
        for (own, boxes) in rows {
            let yes = affirmed(told, &boxes);
            lines.push((
                false,
                format!("{own}: {}", if yes.is_empty() { "no".to_string() } else { format!("v {yes}") }),
            ));
        }
    }
    let switching = &told["switching"];
    if switching.is_object() {
        let cost = 100.0 * switching["cost"].as_f64().unwrap_or(f64::NAN);
        lines.push((true, format!("Switch for more points (costs {cost:.4} %)")));
        for group in list(&switching["groups"]) {
            lines.push((true, format!("v {}", spaced(&text(&group["up"])))));
            for level in list(&group["points"]) {
                let hands: Vec<String> = list(&level["hands"]).iter().map(text).collect();
                lines.push((false, format!("{}: {}", level["points"], hands.join(" "))));
            }
        }
    }
    let rules = list(&told["by_cards"]);
    let cards = list(&told["exceptions"]);
    if !rules.is_empty() || !cards.is_empty() {
        lines.push((true, "Exceptions, in millionths of the wager a round".to_string()));
    }
    for rule in rules.iter().take(12) {
        lines.push((
            false,
            format!(
                "{} of {}+ cards v {}: {} ({:.1})",
                text(&rule["hand"]),
                rule["cards"],
                text(&rule["up"]),
                text(&rule["play"]),
                worth(rule)
            ),
        ));
    }
    for one in cards.iter().filter(|one| text(&one["cards"]).len() <= 3).take(12) {
        lines.push((
            false,
            format!(
                "{} v {}: {} ({:.1})",
                text(&one["cards"]),
                text(&one["up"]),
                text(&one["play"]),
                worth(one)
            ),
        ));
    }
    let by = &told["made_by"];
    lines.push((false, String::new()));
    let commit: String = text(&by["commit"]).chars().take(12).collect();
    lines.push((false, format!("cutcard {} {commit}", text(&by["version"])).trim_end().to_string()));
    if told["hypothetical"].is_array() {
        lines.insert(0, (true, "HYPOTHETICAL: the law does not allow this table".to_string()));
    }
    lines
}

fn worth(value: &Value) -> f64 {
    1e6 * value["worth"].as_f64().unwrap_or(0.0)
}

fn spaced(ups: &str) -> String {
    ups.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

/// The columns where a box says yes.
fn affirmed(told: &Value, boxes: &[String]) -> String {
    let yes = in_order(told).into_iter().filter(|(at, _)| boxes.get(*at).is_some_and(|b| b == "yes"));
    yes.map(|(_, up)| up).collect::<Vec<_>>().join(" ")
}

/// The dealer's cards as people read them, two first, each with its place in a row.
fn in_order(told: &Value) -> Vec<(usize, String)> {
    let columns: Vec<String> = told["columns"].as_array().into_iter().flatten().map(text).collect();
    let mut order: Vec<(usize, String)> = columns.into_iter().enumerate().collect();
    order.sort_by_key(|(at, up)| (up == "A", *at));
    order
}

fn chart(told: &Value, name: &str) -> Option<Vec<Row>> {
    let charts = told["charts"].as_array()?;
    let found = charts.iter().find(|chart| chart["chart"] == name)?;
    let row = |row: &Value| {
        let boxes = row["cells"].as_array().into_iter().flatten().map(|cell| text(&cell["action"]));
        (text(&row["row"]), boxes.collect())
    };
    Some(found["rows"].as_array()?.iter().map(row).collect())
}

/// Neighbouring rows that say the same are one.
fn merged(rows: Vec<Row>) -> Vec<Row> {
    let mut out: Vec<(String, String, Vec<String>)> = Vec::new();
    for (label, boxes) in rows {
        match out.last_mut().filter(|last| last.2 == boxes) {
            Some(last) => last.1 = label,
            None => out.push((label.clone(), label, boxes)),
        }
    }
    let named = |(first, last, boxes): (String, String, Vec<String>)| {
        (if first == last { first } else { format!("{first}-{last}") }, boxes)
    };
    out.into_iter().map(named).collect()
}

fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > most {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
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
        Some('P') => "#b7e4c7",
        Some('R') => "#f4acb7",
        _ => "#eeeeee",
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_say_the_same_are_one() {
        let row = |label: &str, action: &str| (label.to_string(), vec![action.to_string()]);
        let told = merged(vec![row("5", "H"), row("6", "H"), row("7", "S"), row("8", "H")]);
        assert_eq!(told, [row("5-6", "H"), row("7", "S"), row("8", "H")]);
    }

    #[test]
    fn lines_are_no_longer_than_there_is_room() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
    }
}
