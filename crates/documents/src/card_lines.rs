//! What stands on a strategy card, line by line: charts first, then the game's own decisions, rules, legend, exceptions with
//! what each is worth, and what made it.

use serde_json::Value;

/// One line of a card.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// The name of the table.
    Title(String),
    /// A heading.
    Head(String),
    /// Running text, no longer than there is room.
    Text(String),
    /// The head of a chart: its name, and its columns.
    Columns(String, Vec<String>),
    /// A row of a chart: its label, and its boxes.
    Row(String, Vec<String>),
    /// A little room.
    Gap,
}

/// Lines that belong together; those that fit a side are not torn apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub lines: Vec<Line>,
    pub together: bool,
}

impl Part {
    /// The most letters of a label.
    pub fn label(&self) -> usize {
        let label = |line: &Line| match line {
            Line::Row(label, _) | Line::Columns(label, _) => label.chars().count(),
            _ => 0,
        };
        self.lines.iter().map(label).max().unwrap_or(0)
    }
}

/// A row of a chart: its label and what its boxes say.
type Row = (String, Vec<String>);

/// Rules by the number of cards that are told.
const MOST_RULES: usize = 12;

/// All parts of a card whose lines have so many letters, with so many exceptions at most.
pub fn parts(told: &Value, most: usize, exceptions: usize) -> Vec<Part> {
    let edge = 100.0 * told["house_edge"].as_f64().unwrap_or(f64::NAN);
    let mut first = vec![Line::Title(text(&told["table"]))];
    if told["hypothetical"].is_array() {
        first.push(Line::Head("HYPOTHETICAL: the law does not allow this table".into()));
    }
    first.push(Line::Text(format!("house edge {edge:.4} % by this card")));
    let mut parts = vec![Part { lines: first, together: true }];
    for name in ["hard", "soft", "pairs"] {
        parts.extend(chart(told, name).map(|rows| chart_part(told, name, merged(rows))));
    }
    parts.extend(switching(told, most));
    parts.extend(attacks(told, most));
    parts.push(worded(most, "Rules", [list(&told["rules"]).iter().map(text).collect::<Vec<_>>().join(", ")]));
    let legend = "S stand, H hit, D double, P split, R surrender; small: where the first is not allowed";
    parts.push(worded(most, "Legend", [legend.to_string()]));
    parts.extend(departures(told, most, exceptions));
    let by = &told["made_by"];
    let commit: String = text(&by["commit"]).chars().take(12).collect();
    let made = format!("cutcard {} {commit}", text(&by["version"])).trim_end().to_string();
    parts.push(Part { lines: vec![Line::Gap, Line::Text(made)], together: true });
    parts
}

fn worded(most: usize, heading: &str, texts: impl IntoIterator<Item = String>) -> Part {
    let mut lines = vec![Line::Gap];
    lines.extend(heads(heading, most));
    lines.extend(texts.into_iter().flat_map(|text| wrapped(&text, most)).map(Line::Text));
    Part { lines, together: true }
}

fn chart_part(told: &Value, name: &str, rows: Vec<Row>) -> Part {
    let ups = in_order(told);
    let boxes =
        |boxes: &[String]| ups.iter().map(|(at, _)| boxes.get(*at).cloned().unwrap_or_default()).collect();
    let mut lines = vec![Line::Columns(name.to_string(), ups.iter().map(|(_, up)| up.clone()).collect())];
    lines.extend(rows.into_iter().map(|(label, all)| Line::Row(label, boxes(&all))));
    Part { lines, together: true }
}

/// The chart of points for two hands that may switch cards.
fn switching(told: &Value, most: usize) -> Option<Part> {
    let rule = &told["switching"];
    let columns: Vec<String> = list(&rule["chart"]["columns"]).iter().map(text).collect();
    if columns.is_empty() {
        return None;
    }
    let cost = 100.0 * rule["cost"].as_f64().unwrap_or(f64::NAN);
    let told =
        format!("Switch where the two new hands have more points than the two as dealt (costs {cost:.4} %)");
    let mut lines = vec![Line::Gap];
    lines.extend(heads(&told, most));
    // ranks of up cards that share a column: 4-5
    let ups = |ups: &String| match (ups.chars().next(), ups.chars().next_back()) {
        (Some(a), Some(b)) if a != b => format!("{a}-{b}"),
        _ => ups.clone(),
    };
    lines.push(Line::Columns("switch".into(), columns.iter().map(ups).collect()));
    for row in list(&rule["chart"]["rows"]) {
        let hands: Vec<String> = list(&row["hands"]).iter().map(text).collect();
        let points = list(&row["points"]).iter().map(ToString::to_string).collect();
        lines.push(Line::Row(hands.join(" ").replace("blackjack", "BJ"), points));
    }
    Some(Part { lines, together: true })
}

/// When to attack.
fn attacks(told: &Value, most: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let of =
        [("attack", "Attack", "against"), ("second attack", "Second attack, by the own first card", "with")];
    for (name, heading, word) in of {
        if let Some(rows) = chart(told, name) {
            let yes = rows.first().map_or(String::new(), |(_, boxes)| affirmed(told, boxes));
            parts.push(worded(most, heading, [format!("yes {word} {yes}")]));
        }
    }
    if let Some(rows) = chart(told, "third attack") {
        let line = |(own, boxes): (String, Vec<String>)| {
            let yes = affirmed(told, &boxes);
            format!("{own}: {}", if yes.is_empty() { "no".to_string() } else { format!("v {yes}") })
        };
        parts.push(worded(
            most,
            "Third attack, by the own first card and the up card",
            rows.into_iter().map(line),
        ));
    }
    parts
}

/// Where exact cards are played otherwise; what there is no room for is said in sum.
fn departures(told: &Value, most: usize, exceptions: usize) -> Option<Part> {
    let (rules, cards) = (list(&told["by_cards"]), list(&told["exceptions"]));
    if rules.is_empty() && cards.is_empty() {
        return None;
    }
    let mut texts: Vec<String> = Vec::new();
    for rule in rules.iter().take(MOST_RULES) {
        texts.push(format!(
            "{} of {}+ cards v {}: {} ({:.1})",
            text(&rule["hand"]),
            rule["cards"],
            text(&rule["up"]),
            text(&rule["play"]),
            worth(rule)
        ));
    }
    // two cards can be told at a glance; what more cards gain is in the rules above
    let (two, more): (Vec<&Value>, Vec<&Value>) =
        cards.iter().partition(|one| text(&one["cards"]).chars().count() <= 2);
    let shown = two.len().min(exceptions);
    texts.extend(two[..shown].iter().map(|one| {
        format!("{} v {}: {} ({:.1})", text(&one["cards"]), text(&one["up"]), text(&one["play"]), worth(one))
    }));
    let rest: Vec<&Value> = two[shown..].iter().chain(&more).copied().collect();
    if !rest.is_empty() {
        let sum: f64 = rest.iter().map(|one| worth(one)).sum();
        texts.push(format!("{} others of exact cards: {sum:.1} in all", rest.len()));
    }
    let heading = "Exceptions, in millionths of the wager a round";
    Some(Part { together: false, ..worded(most, heading, texts) })
}

fn worth(value: &Value) -> f64 {
    1e6 * value["worth"].as_f64().unwrap_or(0.0)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The columns where a box says yes.
fn affirmed(told: &Value, boxes: &[String]) -> String {
    let yes = in_order(told).into_iter().filter(|(at, _)| boxes.get(*at).is_some_and(|b| b == "yes"));
    yes.map(|(_, up)| up).collect::<Vec<_>>().join(" ")
}

/// The dealer's cards as people read them, two first, each with its place in a row.
fn in_order(told: &Value) -> Vec<(usize, String)> {
    let mut order: Vec<(usize, String)> = list(&told["columns"]).iter().map(text).enumerate().collect();
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
    let rows: Vec<Row> = found["rows"].as_array()?.iter().map(row).collect();
    (!rows.is_empty()).then_some(rows)
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

/// The lines of a heading, whose letters are bold and wider.
fn heads(text: &str, most: usize) -> impl Iterator<Item = Line> {
    wrapped(text, most * 9 / 10).into_iter().map(Line::Head)
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

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
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
