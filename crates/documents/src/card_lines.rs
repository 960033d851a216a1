//! The lines of a strategy card: charts first, then the game's own decisions, rules, legend, exceptions with their
//! gains, and provenance.

use serde_json::Value;

/// One line of a card.
#[derive(Clone, Debug, PartialEq)]
pub enum CardLine {
    /// The name of the table.
    Title(String),
    /// A heading.
    Head(String),
    /// Running text, wrapped to the width.
    Text(String),
    /// The header of a chart: its name and columns.
    Columns(String, Vec<String>),
    /// A row of a chart: its label and cells.
    Row(String, Vec<String>),
    /// Vertical space.
    Gap,
}

/// Lines that belong together and stay on one side of the card if they fit.
#[derive(Clone, Debug, PartialEq)]
pub struct CardSection {
    pub lines: Vec<CardLine>,
    pub together: bool,
}

impl CardSection {
    /// Returns the length of the longest label.
    pub fn label(&self) -> usize {
        let label = |line: &CardLine| match line {
            CardLine::Row(label, _) | CardLine::Columns(label, _) => label.chars().count(),
            _ => 0,
        };
        self.lines.iter().map(label).max().unwrap_or(0)
    }
}

/// A row of a chart: its label and the text of its cells.
type Row = (String, Vec<String>);

/// Returns all parts of a card, with lines of at most `most` letters.
pub fn parts(told: &Value, most: usize) -> Vec<CardSection> {
    let edge = 100.0 * told["house_edge"].as_f64().unwrap_or(f64::NAN);
    // the letters of a title are bold and a third larger
    let title = wrapped(&text(&told["title"]), most * 6 / 10);
    let mut first: Vec<CardLine> = title.into_iter().map(CardLine::Title).collect();
    if told["hypothetical"].is_array() {
        first.extend(heads("HYPOTHETICAL: this table is not legal", most));
    }
    let by = format!("house edge {edge:.4} % by the charts of this card");
    first.extend(wrapped(&by, most).into_iter().map(CardLine::Text));
    let mut parts = vec![CardSection { lines: first, together: true }];
    let sections = list(&told["sections"]);
    parts.extend(sections.iter().filter(|section| section["rows"].is_array()).map(|s| chart_part(s, most)));
    let takes = sections.iter().filter(|section| section["take"].is_boolean()).map(|section| {
        let take = if section["take"] == true { "always" } else { "never" };
        format!("{}: {take}", text(&section["title"]))
    });
    let offers: Vec<String> = takes.collect();
    if !offers.is_empty() {
        parts.push(worded(most, "Offers", offers));
    }
    parts.push(worded(most, "Rules", [list(&told["rules"]).iter().map(text).collect::<Vec<_>>().join(", ")]));
    let departures = departures(told, most);
    parts.push(worded(most, "Legend", legend(told, departures.is_some())));
    parts.extend(departures);
    let by = &told["made_by"];
    let commit: String = text(&by["commit"]).chars().take(12).collect();
    let made = format!("cutcard {} {commit}", text(&by["version"])).trim_end().to_string();
    parts.push(CardSection { lines: vec![CardLine::Gap, CardLine::Text(made)], together: true });
    parts
}

/// Returns the meaning of the letters in the charts and exceptions, as far as this card uses them.
fn legend(told: &Value, exceptions: bool) -> Vec<String> {
    let sections = list(&told["sections"]);
    let boxes = || {
        let rows = sections.iter().flat_map(|section| list(&section["rows"]));
        rows.flat_map(|row| list(&row["cells"])).filter_map(Value::as_str).filter(|cell| !is_answer(cell))
    };
    let used = |letter: char| boxes().any(|cell| cell.to_ascii_uppercase().contains(letter));
    let words = [('S', "stand"), ('H', "hit"), ('D', "double"), ('P', "split"), ('R', "surrender")];
    let words: Vec<String> =
        words.iter().filter(|(l, _)| used(*l)).map(|(letter, word)| format!("{letter} {word}")).collect();
    let mut texts = vec![words.join(", ")];
    if boxes().any(|cell| cell.chars().count() > 1) {
        texts.push("lowercase letter: what to do if the first choice is not allowed".into());
    }
    texts.push("play a pair that cannot be split as its total; A ace, 10 any ten-value card".into());
    if sections.iter().any(|section| text(&section["chart"]).starts_with("pairs")) {
        texts.push("1010 a pair of ten-value cards".into());
    }
    if exceptions {
        let by_cards = list(&told["by_cards"]).iter().any(|rule| rule["printed"] == true);
        let counted = if by_cards { "; 3+ cards: three or more" } else { "" };
        texts.push(format!("v against the upcard{counted}"));
    }
    if sections.iter().any(|section| text(&section["title"]).contains("attack wager")) {
        texts.push("Y place the wager, - do not".into());
    }
    if sections.iter().any(|section| section["chart"] == "switch") {
        texts.push("switch chart: BJ blackjack as dealt, A10 ace and ten made by a switch".into());
    }
    texts
}

fn is_answer(cell: &str) -> bool {
    cell == "yes" || cell == "no"
}

fn worded(most: usize, heading: &str, texts: impl IntoIterator<Item = String>) -> CardSection {
    let mut lines = vec![CardLine::Gap];
    lines.extend(heads(heading, most));
    lines.extend(texts.into_iter().flat_map(|text| wrapped(&text, most)).map(CardLine::Text));
    CardSection { lines, together: true }
}

/// Returns a chart: its heading, its columns, and its rows, with equal neighbors merged.
fn chart_part(section: &Value, most: usize) -> CardSection {
    let boxes = |row: &Value| {
        let cell = |cell: &Value| match cell.as_str() {
            Some("yes") => "Y".to_string(),
            Some("no") => "-".to_string(),
            Some(letters) => letters.to_string(),
            None => cell.to_string(),
        };
        list(&row["cells"]).iter().map(cell).collect()
    };
    let rows = list(&section["rows"]).iter();
    let rows: Vec<Row> = match section["chart"].as_str() {
        // single rows are named by their heading
        Some("attack" | "second attack") => rows.map(|row| (String::new(), boxes(row))).collect(),
        Some("switch") => {
            rows.map(|row| (text(&row["row"]).replace("blackjack", "BJ"), boxes(row))).collect()
        }
        _ => merged(rows.map(|row| (text(&row["row"]), boxes(row))).collect()),
    };
    // upcards that share a column: 4-5
    let column = |ups: &Value| {
        let ups = text(ups);
        let (first, last) = (ups.chars().next(), ups.chars().next_back());
        match (first, last) {
            (Some(a), Some(b)) if a != b => ten(&format!("{a}-{b}")),
            _ => ten(&ups),
        }
    };
    let mut lines = vec![CardLine::Gap];
    lines.extend(heads(&text(&section["title"]), most));
    let upcard = if section["chart"] == "second attack" { "own card" } else { "upcard" };
    lines.push(CardLine::Columns(upcard.into(), list(&section["columns"]).iter().map(column).collect()));
    lines.extend(rows.into_iter().map(|(label, boxes)| CardLine::Row(ten(&label), boxes)));
    CardSection { lines, together: true }
}

/// Writes ranks as people do: 10 for any ten-value card.
fn ten(label: &str) -> String {
    label.replace('T', "10")
}

/// Returns the exact hands that are played differently, with their gains.
fn departures(told: &Value, most: usize) -> Option<CardSection> {
    let printed = |key: &str| list(&told[key]).iter().filter(|one| one["printed"] == true);
    let (rules, cards) = (printed("by_cards"), printed("exceptions"));
    let play = |one: &Value| match one["play"].as_str() {
        Some("S") => "stand",
        Some("H") => "hit",
        Some("D") => "double",
        Some("P") => "split",
        _ => "surrender",
    };
    let mut texts: Vec<String> = Vec::new();
    texts.extend(rules.map(|rule| {
        let (hand, up) = (text(&rule["hand"]), ten(&text(&rule["up"])));
        format!("{hand} of {}+ cards v {up}: {} ({:.1})", rule["cards"], play(rule), worth(rule))
    }));
    texts.extend(cards.map(|one| {
        let hand: Vec<String> = text(&one["cards"]).chars().map(|c| ten(&c.to_string())).collect();
        format!("{} v {}: {} ({:.1})", hand.join("-"), ten(&text(&one["up"])), play(one), worth(one))
    }));
    if texts.is_empty() {
        return None;
    }
    let edge = 100.0 * told["house_edge_with_exceptions"].as_f64().unwrap_or(f64::NAN);
    texts.insert(
        0,
        format!(
            "house edge {edge:.4} % with the exceptions too; in brackets: gain per round in \
        millionths of the bet"
        ),
    );
    Some(CardSection { together: false, ..worded(most, "Exceptions", texts) })
}

fn worth(value: &Value) -> f64 {
    1e6 * value["worth"].as_f64().unwrap_or(0.0)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Merges neighboring rows with the same cells.
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

/// Returns the lines of a heading, whose letters are bold and wider.
fn heads(text: &str, most: usize) -> impl Iterator<Item = CardLine> {
    wrapped(text, most * 8 / 10).into_iter().map(CardLine::Head)
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
    use crate::card::{PrintedCell, PrintedChart, PrintedRow};

    #[test]
    fn rows_that_say_the_same_are_one() {
        let row = |label: &str, action: &str| (label.to_string(), vec![action.to_string()]);
        let told = merged(vec![row("5", "H"), row("6", "H"), row("7", "S"), row("8", "H")]);
        assert_eq!(told, [row("5-6", "H"), row("7", "S"), row("8", "H")]);
    }

    /// Returns the chart of a heading.
    fn chart_of(heading: &str) -> String {
        let (kind, hands) = heading.split_once(", ").unwrap_or((heading, ""));
        let kind = match kind {
            "Hard totals" => "hard",
            "Soft totals" => "soft",
            "Pairs" => "pairs",
            "Double attack wager" => return "attack".into(),
            "Second attack wager" => return "second attack".into(),
            "Third attack wager" => return "third attack".into(),
            _ if heading.starts_with("Switch if") => return "switch".into(),
            other => panic!("no chart is called {other}"),
        };
        match hands {
            "" => kind.into(),
            "after doubling: give up?" => format!("{kind}, doubled"),
            "6 or more cards" => format!("{kind}, more cards"),
            hands => format!("{kind}, {hands}"),
        }
    }

    /// Returns the rows of a printed label, in the words of a strategy: `5-8`, `A2-A6`, `22-33`.
    fn rows_of(chart: &str, label: &str) -> Vec<String> {
        let ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"];
        let all: Vec<String> = match chart.split(',').next() {
            Some("hard") => (4..=21).map(|total| total.to_string()).collect(),
            Some("soft") => ranks.map(|rank| format!("A{rank}")).to_vec(),
            Some("pairs") => ranks.map(|rank| format!("{rank}{rank}")).to_vec(),
            Some("third attack") => ranks.map(str::to_string).to_vec(),
            _ => return vec![label.replace("BJ", "blackjack").replace("A10", "AT").replace("1010", "TT")],
        };
        let known = |end: &str| {
            let found = all.iter().position(|row| row == end || row.replace('T', "10") == end);
            found.unwrap_or_else(|| panic!("{end} is no row of {chart}"))
        };
        let (first, last) = label.split_once('-').unwrap_or((label, label));
        all[known(first)..=known(last)].to_vec()
    }

    /// Parses sections from the lines of a card, as a reader would.
    fn read_off(parts: &[CardSection]) -> Vec<PrintedChart> {
        let mut sections: Vec<PrintedChart> = Vec::new();
        let mut heading = String::new();
        for line in parts.iter().flat_map(|part| &part.lines) {
            match line {
                CardLine::Head(text) => heading = text.clone(),
                CardLine::Columns(_, columns) => {
                    let chart = chart_of(&heading);
                    let ups = |text: &String| {
                        let order = "23456789TA";
                        let text = text.replace("10", "T");
                        let ends: Vec<usize> = text.chars().filter_map(|c| order.find(c)).collect();
                        order[ends[0]..=ends[ends.len() - 1]].to_string()
                    };
                    let columns: Vec<String> = columns.iter().map(ups).collect();
                    sections.push(PrintedChart::new(&chart, String::new(), columns, Vec::new()));
                }
                CardLine::Row(label, boxes) => {
                    let section = sections.last_mut().expect("a row has columns above it");
                    let chart = section.chart.clone();
                    let cells: Vec<PrintedCell> = boxes
                        .iter()
                        .map(|text| match text.as_str() {
                            "Y" => PrintedCell::Play("yes".into()),
                            "-" => PrintedCell::Play("no".into()),
                            points if chart == "switch" => PrintedCell::Points(points.parse().unwrap()),
                            letters => PrintedCell::Play(letters.into()),
                        })
                        .collect();
                    for row in rows_of(&chart, label) {
                        let rows = section.rows.as_mut().unwrap();
                        rows.push(PrintedRow { cells: cells.clone(), row });
                    }
                }
                CardLine::Text(text) if heading == "Offers" => {
                    let (what, when) = text.split_once(": ").unwrap();
                    let name = if what == "Insurance" { "insurance" } else { "even money" };
                    sections.push(PrintedChart::offer(name, "", when == "always"));
                }
                _ => {}
            }
        }
        sections
    }

    /// Playing by the printed charts alone gives the printed edge.
    #[test]
    fn the_printed_edge_is_that_of_the_printed_charts() {
        for (name, set) in [
            ("nj-blackjack", "surrender=true"),
            ("nj-blackjack-reader", "decks=6"),
            ("nj-multiple-action", "decks=8"),
            ("nj-six-to-five", "even_money=true"),
            ("nj-double-attack", "decks=8"),
            ("nj-triple-attack", "decks=8"),
            ("nj-switch", "decks=6"),
            ("ma-switch", "decks=8"),
        ] {
            let mut choices = rules::preset::preset(name).unwrap();
            rules::file::set(&mut choices, set).unwrap();
            let card = crate::card::document(&choices, 1e-6).unwrap();
            let told = serde_json::to_value(&card).unwrap();
            let lines = parts(&told, 10_000);
            let chart = crate::card::read_back(&read_off(&lines)).unwrap();
            let given = exact::given::CompleteChart::new(&choices, chart).unwrap();
            let edge = -exact::game::value(&choices, &exact::game::Strategy::Given(Box::new(given)));
            let printed = told["house_edge"].as_f64().unwrap();
            assert!((edge - printed).abs() < 1e-12, "{name}: {edge} {printed}");
            let first = format!("house edge {:.4} % by the charts of this card", 100.0 * edge);
            assert!(lines[0].lines.contains(&CardLine::Text(first)), "{name}: {:?}", lines[0]);
            // with the printed exceptions it is no worse, and play by exact cards is the best possible
            let of = |key: &str| told[key].as_f64().unwrap();
            let (all, best) = (of("house_edge_with_exceptions"), of("house_edge_by_cards"));
            assert!(all <= printed + 1e-12 && best <= all + 1e-6, "{name}: {best} {all} {printed}");
        }
    }

    /// Every abbreviation on a card is in its legend, and its title is in words.
    #[test]
    fn a_card_explains_its_abbreviations() {
        for name in ["nj-blackjack", "nj-double-attack"] {
            let choices = rules::preset::preset(name).unwrap();
            let told = serde_json::to_value(crate::card::document(&choices, 1e-6).unwrap()).unwrap();
            let parts = parts(&told, 10_000);
            let is_legend = |part: &&CardSection| part.lines.contains(&CardLine::Head("Legend".into()));
            let words = |line: &CardLine| match line {
                CardLine::Title(text)
                | CardLine::Head(text)
                | CardLine::Text(text)
                | CardLine::Row(text, _) => text.clone(),
                CardLine::Columns(..) | CardLine::Gap => String::new(),
            };
            let of = |legend: bool| -> Vec<String> {
                let parts = parts.iter().filter(|part| is_legend(part) == legend);
                parts.flat_map(|part| &part.lines).map(words).collect()
            };
            let (legend, others) = (of(true).join("\n"), of(false));
            for (used, explained) in [(" v ", "v against"), ("+ cards", "3+ cards"), ("1010", "1010 a pair")]
            {
                let on_card = others.iter().any(|line| line.contains(used));
                assert_eq!(on_card, legend.contains(explained), "{name}: {used}\n{legend}");
                assert!(on_card || name != "nj-blackjack", "{used}");
            }
            let title = others.first().cloned().unwrap_or_default();
            assert!(title.contains("Blackjack, New Jersey") && !title.contains("nj-"), "{title}");
        }
        let mut choices = rules::preset::preset("nj-blackjack").unwrap();
        choices.name = "Pit 3".into();
        assert_eq!(crate::card::document(&choices, 1e-3).unwrap().document.title, "Pit 3");
    }

    #[test]
    fn lines_are_no_longer_than_there_is_room() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
    }
}
