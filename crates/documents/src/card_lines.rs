//! Lays out a strategy card as lines of text.
//!
//! The charts come first. The offers, rules, legend, exceptions with their gains, and version of the program
//! follow.

use serde_json::Value;

/// One line of a strategy card.
#[derive(Clone, Debug, PartialEq)]
pub enum CardLine {
    /// A line of the card's title.
    Title(String),
    /// A line of a heading.
    Head(String),
    /// A line of running text, already wrapped to the width of the card.
    Text(String),
    /// The header of a chart: the label above its rows and the labels of its columns.
    Columns(String, Vec<String>),
    /// A row of a chart: its label and its cells.
    Row(String, Vec<String>),
    /// Vertical space between sections.
    Gap,
}

/// A section of lines on a strategy card.
///
/// If `together` is set, the lines stay on one side of the card if they fit on one.
#[derive(Clone, Debug, PartialEq)]
pub struct CardSection {
    pub lines: Vec<CardLine>,
    pub together: bool,
}

impl CardSection {
    /// Returns the length of the section's longest row label, in letters; 0 if the section has no chart.
    pub fn label(&self) -> usize {
        let label = |line: &CardLine| match line {
            CardLine::Row(label, _) | CardLine::Columns(label, _) => label.chars().count(),
            _ => 0,
        };
        self.lines.iter().map(label).max().unwrap_or(0)
    }
}

/// A row of a chart: its label, and the text of its cells.
type Row = (String, Vec<String>);

/// Returns all sections of the strategy card whose document is `told`, with lines of at most `most` letters.
pub fn sections(told: &Value, most: usize) -> Vec<CardSection> {
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

/// Returns an explanation of each letter and abbreviation that the card uses.
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
    if sections.iter().any(|section| text(&section["title"]).contains("attack bet")) {
        texts.push("Y place the bet, - do not".into());
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

/// Returns the card section of a chart: its heading, its column labels and its rows.
///
/// Neighboring rows with equal cells are merged.
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

/// Replaces each `T` in a label by `10`, which is how players write a ten-value card.
fn ten(label: &str) -> String {
    label.replace('T', "10")
}

/// Returns the section with the printed exceptions and their gains, or `None` if nothing is printed there.
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
        format!("{hand} of {}+ cards v {up}: {} ({:.1})", rule["cards"], play(rule), gain(rule))
    }));
    texts.extend(cards.map(|one| {
        let hand: Vec<String> = text(&one["cards"]).chars().map(|c| ten(&c.to_string())).collect();
        format!("{} v {}: {} ({:.1})", hand.join("-"), ten(&text(&one["up"])), play(one), gain(one))
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

fn gain(value: &Value) -> f64 {
    1e6 * value["worth"].as_f64().unwrap_or(0.0)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Merges neighboring rows that have the same cells.
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

/// Returns the lines of a heading.
///
/// A heading wraps earlier than running text, because its letters are bold and wider.
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
    use crate::card::{
        HandException, PrintedCell, PrintedChart, PrintedRow, RuleByCards, StrategyCard, card_title, edge,
        followed, read_back,
    };
    use std::collections::BTreeMap;

    #[test]
    fn rows_that_say_the_same_are_one() {
        let row = |label: &str, action: &str| (label.to_string(), vec![action.to_string()]);
        let told = merged(vec![row("5", "H"), row("6", "H"), row("7", "S"), row("8", "H")]);
        assert_eq!(told, [row("5-6", "H"), row("7", "S"), row("8", "H")]);
    }

    /// Returns the name of the chart that has this printed heading.
    fn chart_of(heading: &str) -> String {
        let (kind, hands) = heading.split_once(", ").unwrap_or((heading, ""));
        let kind = match kind {
            "Hard totals" => "hard",
            "Soft totals" => "soft",
            "Pairs" => "pairs",
            "Double Attack: when to make the attack bet" => return "attack".into(),
            "Second attack bet" => return "second attack".into(),
            "Third attack bet" => return "third attack".into(),
            _ if heading.starts_with("Switch if") => return "switch".into(),
            other => panic!("unknown chart {other}"),
        };
        match hands {
            "" => kind.into(),
            "after doubling: give up?" => format!("{kind}, doubled"),
            "6 or more cards" => format!("{kind}, more cards"),
            hands => format!("{kind}, {hands}"),
        }
    }

    /// Returns the names of the chart rows that a printed label such as `5-8`, `A2-A6` or `22-33` covers.
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
            found.unwrap_or_else(|| panic!("the chart {chart} has no row {end}"))
        };
        let (first, last) = label.split_once('-').unwrap_or((label, label));
        all[known(first)..=known(last)].to_vec()
    }

    /// The charts and exceptions read from the lines of a card.
    #[derive(Default, PartialEq, Debug)]
    struct Read {
        charts: Vec<PrintedChart>,
        rules: Vec<RuleByCards>,
        hands: Vec<HandException>,
        /// The running text under each heading.
        texts: BTreeMap<String, String>,
    }

    impl Read {
        fn text(&self, heading: &str) -> &str {
            self.texts.get(heading).map_or("", String::as_str)
        }
    }

    /// Reads the charts and exceptions from the lines of a card, as a person would.
    fn read_off(parts: &[CardSection]) -> Read {
        let mut read = Read::default();
        for part in parts {
            let mut heading = String::new();
            for line in &part.lines {
                match line {
                    CardLine::Head(text) => add(&mut heading, text),
                    CardLine::Text(text) => add(read.texts.entry(heading.clone()).or_default(), text),
                    CardLine::Columns(_, columns) => {
                        let columns = columns.iter().map(|text| ups(text)).collect();
                        read.charts.push(PrintedChart::new(
                            &chart_of(&heading),
                            String::new(),
                            columns,
                            Vec::new(),
                        ));
                    }
                    CardLine::Row(label, boxes) => {
                        let section = read.charts.last_mut().expect("every row has columns above it");
                        let cells: Vec<PrintedCell> = boxes
                            .iter()
                            .map(|text| match text.as_str() {
                                "Y" => PrintedCell::Play("yes".into()),
                                "-" => PrintedCell::Play("no".into()),
                                points if section.chart == "switch" => {
                                    PrintedCell::Points(points.parse().unwrap())
                                }
                                letters => PrintedCell::Play(letters.into()),
                            })
                            .collect();
                        let rows = section.rows.as_mut().unwrap();
                        let row = |row| PrintedRow { cells: cells.clone(), row };
                        rows.extend(rows_of(&section.chart, label).into_iter().map(row));
                    }
                    CardLine::Title(_) | CardLine::Gap => {}
                }
            }
        }
        for (title, name) in [("Insurance: ", "insurance"), ("Even money for a blackjack: ", "even money")] {
            if let Some((_, when)) = read.text("Offers").split_once(title) {
                let take = when.starts_with("always");
                read.charts.push(PrintedChart::offer(name, "", take));
            }
        }
        let listed = read.text("Exceptions").split_once("millionths of the bet").map_or("", |(_, rest)| rest);
        let listed: Vec<String> = listed.split(')').map(|one| one.trim().to_string()).collect();
        listed.iter().filter(|one| !one.is_empty()).for_each(|one| exception(&mut read, one));
        read
    }

    /// Appends a line to running text.
    fn add(text: &mut String, line: &str) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }

    /// Returns the upcards of a column: 4 and 5 for `4-5`.
    fn ups(text: &str) -> String {
        let order = "23456789TA";
        let text = text.replace("10", "T");
        let ends: Vec<usize> = text.chars().filter_map(|c| order.find(c)).collect();
        order[ends[0]..=ends[ends.len() - 1]].to_string()
    }

    /// Parses an exception such as `hard 16 of 3+ cards v 10: stand (0.5` or `10-2 v 4: hit (0.5`.
    fn exception(read: &mut Read, text: &str) {
        let (place, play) = text.split_once(": ").unwrap();
        let (play, worth) = play.split_once(" (").unwrap();
        let (hand, up) = place.split_once(" v ").unwrap();
        let (up, worth) = (up.replace("10", "T"), 1e-6 * worth.parse::<f64>().unwrap());
        let words = [("stand", "S"), ("hit", "H"), ("double", "D"), ("split", "P"), ("surrender", "R")];
        let (_, play) = words.into_iter().find(|(word, _)| *word == play).unwrap();
        let (chance, otherwise, printed) = (0.0, "", true);
        match hand.split_once(" of ") {
            Some((hand, cards)) => {
                let (hand, cards) = (hand.to_string(), cards.trim_end_matches("+ cards").parse().unwrap());
                read.rules.push(RuleByCards { cards, chance, hand, otherwise, play, printed, up, worth });
            }
            None => {
                let cards = hand.replace("10", "T").replace('-', "");
                read.hands.push(HandException { cards, chance, otherwise, play, printed, up, worth });
            }
        }
    }

    /// A player who follows the printed lines alone has the printed house edges, with and without the exceptions.
    ///
    /// The house edges are the same however the lines are wrapped. Every exception gains the number in its
    /// brackets, and every letter is in the legend.
    #[test]
    fn a_card_is_worth_what_it_prints_and_explains_its_letters() {
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
            let lines = sections(&told, 10_000);
            let read = read_off(&lines);
            assert_eq!(read, read_off(&sections(&told, 40)), "{name}");
            let chart = read_back(&read.charts).unwrap();
            let printed = edge(&choices, &chart).unwrap();
            assert!((printed - card.document.house_edge).abs() < 1e-12, "{name}: {printed}");
            let first = format!("house edge {:.4} % by the charts of this card", 100.0 * printed);
            assert!(read.text("").starts_with(&first), "{name}: {}", read.text(""));
            let all = edge(&choices, &followed(&chart, &read.rules, &read.hands).unwrap()).unwrap();
            let (second, shown) = match read.rules.is_empty() && read.hands.is_empty() {
                true => (String::new(), read.text("Exceptions")),
                false => {
                    let second = format!("house edge {:.4} % with the exceptions too;", 100.0 * all);
                    (second.clone(), read.text("Exceptions").get(..second.len()).unwrap_or_default())
                }
            };
            assert_eq!(shown, second, "{name}: {}", read.text("Exceptions"));
            assert!((all - card.document.house_edge_with_exceptions).abs() < 1e-12, "{name}: {all}");
            // with the printed exceptions it is no worse, and play by exact cards is the best possible
            let best = card.document.house_edge_by_cards;
            assert!(all <= printed + 1e-12 && best <= all + 1e-6, "{name}: {best} {all} {printed}");
            brackets_are_worth(&read, &card.document);
            explains_its_letters(name, &lines, read.text("Legend"));
        }
        let mut choices = rules::preset::preset("nj-blackjack").unwrap();
        choices.name = "Pit 3".into();
        assert_eq!(card_title(&choices), "Pit 3");
    }

    /// Asserts that every printed exception is on the card, with its gain to a tenth of a millionth.
    fn brackets_are_worth(read: &Read, card: &StrategyCard) {
        let alike = |a: f64, b: f64| (a - b).abs() < 0.051e-6;
        let rules: Vec<_> = card.by_cards.iter().filter(|rule| rule.printed).collect();
        let hands: Vec<_> = card.exceptions.iter().filter(|one| one.printed).collect();
        assert_eq!((read.rules.len(), read.hands.len()), (rules.len(), hands.len()));
        // of these games Triple Attack's charts alone need none
        assert_eq!(
            rules.len() + hands.len() > 0,
            card.table != "nj-triple-attack",
            "{}: exceptions",
            card.table
        );
        for (read, rule) in read.rules.iter().zip(rules) {
            let place = (&rule.hand, rule.cards, &rule.up, rule.play);
            assert_eq!((&read.hand, read.cards, &read.up, read.play), place);
            assert!(alike(read.worth, rule.worth), "{read:?} {rule:?}");
        }
        for (read, one) in read.hands.iter().zip(hands) {
            assert_eq!((&read.cards, &read.up, read.play), (&one.cards, &one.up, one.play));
            assert!(alike(read.worth, one.worth), "{read:?} {one:?}");
        }
    }

    /// Asserts that the legend explains every letter and abbreviation on the card, and no other.
    ///
    /// Also asserts that the title consists of words, not of a preset name.
    fn explains_its_letters(name: &str, parts: &[CardSection], legend: &str) {
        let is_legend = |part: &&CardSection| part.lines.contains(&CardLine::Head("Legend".into()));
        let lines: Vec<&CardLine> =
            parts.iter().filter(|part| !is_legend(part)).flat_map(|part| &part.lines).collect();
        let words: Vec<&str> = lines
            .iter()
            .filter_map(|line| match line {
                CardLine::Title(text)
                | CardLine::Head(text)
                | CardLine::Text(text)
                | CardLine::Row(text, _) => Some(text.as_str()),
                CardLine::Columns(..) | CardLine::Gap => None,
            })
            .collect();
        let boxes = lines.iter().flat_map(|line| match line {
            CardLine::Row(_, boxes) => boxes.as_slice(),
            _ => &[],
        });
        // the points of the switching chart are numbers
        let (points, boxes): (Vec<&str>, Vec<&str>) =
            boxes.map(String::as_str).partition(|text| text.parse::<i32>().is_ok());
        let (answers, plays): (Vec<&str>, Vec<&str>) =
            boxes.into_iter().partition(|text| ["Y", "-"].contains(text));
        let letters: String = plays.concat();
        let upper = letters.to_ascii_uppercase();
        assert!(upper.chars().all(|letter| "SHDPR".contains(letter)), "{name}: {upper}");
        let on_card = |part: &str| words.iter().any(|text| text.contains(part));
        for (used, explained) in [
            (upper.contains('S'), "S stand"),
            (upper.contains('H'), "H hit"),
            (upper.contains('D'), "D double"),
            (upper.contains('P'), "P split"),
            (upper.contains('R'), "R surrender"),
            (letters != upper, "lowercase letter"),
            (!answers.is_empty(), "Y place the bet, - do not"),
            (!points.is_empty(), "BJ blackjack"),
            (on_card("BJ"), "BJ blackjack"),
            (on_card(" v "), "v against"),
            (on_card("+ cards"), "3+ cards"),
            (on_card("1010"), "1010 a pair"),
        ] {
            assert_eq!(used, legend.contains(explained), "{name}: {explained}\n{legend}");
        }
        let title = words.first().copied().unwrap_or_default();
        let place = if name.starts_with("ma-") { "Massachusetts" } else { "New Jersey" };
        assert!(title.contains("Blackjack") && title.contains(place) && !title.contains("nj-"), "{title}");
    }

    #[test]
    fn lines_are_no_longer_than_there_is_room() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
    }
}
