//! Defines strategies as data: charts with a cell for every hand and every view of the dealer.
//!
//! A cell lists letters in order of preference: `S` stand, `H` hit, `D` double, `P` split, `R` surrender. The player
//! takes the first action that the rules allow at that moment, so `DS` doubles if allowed and stands otherwise.
//! docs/simulate.md describes the JSON form, which is also what `cutcard strategy --format json` prints.

use rules::play::{Action, Actions};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// A cell of a chart: actions in order of preference.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell(pub Vec<Action>);

impl Cell {
    /// Returns the first action in the cell that is legal under `open`, or `None` if none of its actions is legal.
    pub fn first_open(&self, open: Actions) -> Option<Action> {
        self.0.iter().copied().find(|&action| open.has(action))
    }

    pub(crate) fn parse(text: &str) -> Option<Cell> {
        text.chars().map(action_of).collect::<Option<Vec<_>>>().map(Cell)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&action| write!(f, "{}", letter(action)))
    }
}

/// Returns the letter of an action in a chart, such as `H`.
pub fn letter(action: Action) -> char {
    match action {
        Action::Stand => 'S',
        Action::Hit => 'H',
        Action::Double => 'D',
        Action::Split => 'P',
        Action::Surrender => 'R',
    }
}

fn action_of(letter: char) -> Option<Action> {
    Action::ALL.into_iter().find(|&action| self::letter(action) == letter)
}

/// The kind of a chart row: hard totals, soft totals or pairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The rows for totals without an ace that counts 11.
    Hard,
    /// The rows for totals with an ace that counts 11.
    Soft,
    /// The rows for two cards of the same point value.
    Pairs,
}

impl Kind {
    /// All kinds of rows, in the order of a chart.
    pub const ALL: [Kind; 3] = [Kind::Hard, Kind::Soft, Kind::Pairs];

    /// Returns the name of this kind of row in a chart file, such as `hard`.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Hard => "hard",
            Kind::Soft => "soft",
            Kind::Pairs => "pairs",
        }
    }
}

/// The key of a chart row: its kind with its total, or with the point value of one card of a pair.
pub type RowKey = (Kind, u8);

/// The cells of one section of a chart, by row, then by column.
pub type Section = BTreeMap<RowKey, BTreeMap<String, Cell>>;

/// When a player accepts an offer: never, always, or from some count on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Take {
    /// The player always declines.
    #[default]
    Never,
    /// The player always accepts.
    Always,
    /// The player accepts at this count and above, and declines below it.
    FromCount(i32),
}

impl Take {
    /// Returns whether the player accepts the offer at `count`.
    pub fn at(self, count: i32) -> bool {
        match self {
            Take::Never => false,
            Take::Always => true,
            Take::FromCount(least) => count >= least,
        }
    }
}

/// An index play: a deviation from the chart at some counts.
///
/// The cell becomes `play` at the count `from` and above, or below `from` if `below` is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    /// The row of the chart in which the index play replaces a cell.
    pub row: RowKey,
    /// The label of the chart's column: the dealer's visible cards, such as `T`.
    pub column: String,
    /// The index: a true count, or a running count in unbalanced systems.
    pub from: i32,
    /// Whether the index play applies below the index, instead of at the index and above.
    pub below: bool,
    /// The actions to try, in order of preference.
    pub play: Cell,
}

/// A deviation from the chart for a hand of exact cards, which are given as point values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exception {
    /// The point values of the hand's cards, sorted.
    pub values: Vec<u8>,
    /// The label of the chart's column: the dealer's visible cards, such as `T`.
    pub column: String,
    /// The actions to try, in order of preference.
    pub play: Cell,
}

/// The player's decisions on attack bets and on switching cards.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Offers {
    /// Whether the player makes the attack bet of Double Attack, by upcard.
    pub attack: BTreeMap<String, bool>,
    /// Whether the player makes the second attack bet of Triple Attack, by the player's first card.
    pub second_attack: BTreeMap<String, bool>,
    /// Whether the player makes the third attack bet of Triple Attack, by the player's first card, then by upcard.
    pub third_attack: BTreeMap<String, BTreeMap<String, bool>>,
    /// The value of each two-card hand in Switch, by upcard, then by hand.
    ///
    /// A hand is written like `AT` or `86`; `BJ` is a blackjack as dealt. The player exchanges the second cards
    /// if the two new hands have a greater sum of values than the two dealt hands.
    pub switch: BTreeMap<String, BTreeMap<String, f64>>,
}

/// A complete strategy for a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Chart {
    /// Sections of the chart by name, such as `initial` (see [`situations`]).
    pub sections: BTreeMap<String, Section>,
    /// The player's decisions on attack bets and on switching cards.
    pub offers: Offers,
    /// The counts at which the player takes insurance.
    pub insurance: Take,
    /// The counts at which the player takes even money.
    pub even_money: Take,
    /// The index plays, which replace cells of the chart at some counts.
    pub indices: Vec<Index>,
    /// The deviations from the chart for hands of exact cards.
    pub exceptions: Vec<Exception>,
}

/// Returns the names of the chart sections to search for a hand's cell, the most specific first.
pub fn situations(cards: usize, split: bool, doubled: bool) -> Vec<String> {
    match (doubled, cards) {
        (true, _) => vec!["doubled".into()],
        (_, 2) if split => vec!["split".into(), "initial".into()],
        (_, 2) => vec!["initial".into()],
        _ => vec![format!("cards-{cards}"), "drawn".into(), "initial".into()],
    }
}

/// The reason why a chart cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadChart(pub String);

impl fmt::Display for BadChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadChart {}

pub(crate) fn bad<T>(why: impl Into<String>) -> Result<T, BadChart> {
    Err(BadChart(why.into()))
}

impl Chart {
    /// Returns the cell at a row and column, from the first of the sections `situations` that has it.
    ///
    /// Returns `None` if none of these sections has the cell.
    pub fn cell(&self, situations: &[String], row: RowKey, column: &str) -> Option<&Cell> {
        situations.iter().find_map(|name| self.sections.get(name)?.get(&row)?.get(column))
    }

    /// Sets the cell at a row and column of the section `situation`.
    pub fn set(&mut self, situation: &str, row: RowKey, column: &str, cell: Cell) {
        self.sections
            .entry(situation.to_string())
            .or_default()
            .entry(row)
            .or_default()
            .insert(column.to_string(), cell);
    }

    /// Returns the number of cards in the longest exception.
    pub fn longest_exception(&self) -> usize {
        self.exceptions.iter().map(|e| e.values.len()).max().unwrap_or(0)
    }

    /// Parses a chart from JSON.
    ///
    /// Returns an error if the text is not JSON, has an unknown key or holds an invalid entry.
    pub fn from_json(text: &str) -> Result<Chart, BadChart> {
        let value: Value =
            serde_json::from_str(text).map_err(|e| BadChart(format!("the strategy is not JSON: {e}")))?;
        let Some(map) = value.as_object() else {
            return bad("the strategy is not a JSON object");
        };
        known_keys(map, &KEYS, "a strategy")?;
        let mut chart = Chart::default();
        // read the solver's charts first, so that cells written by hand next to them override them
        if map.contains_key("charts") {
            crate::solved::read(&mut chart, &value)?;
        }
        if Kind::ALL.iter().any(|kind| map.contains_key(kind.word())) {
            read_section(&mut chart, "initial", map)?;
        }
        for (name, section) in object(map.get("sections"), "sections")? {
            let section = as_object(section, name)?;
            known_keys(section, &Kind::ALL.map(Kind::word), "a section")?;
            read_section(&mut chart, section_name(name)?, section)?;
        }
        chart.insurance = read_take(map.get("insurance"), "insurance")?;
        chart.even_money = read_take(map.get("even_money"), "even_money")?;
        chart.offers.attack.extend(read_flags(map.get("attack"), "attack")?);
        chart.offers.second_attack.extend(read_flags(map.get("second_attack"), "second_attack")?);
        for (card, row) in object(map.get("third_attack"), "third_attack")? {
            let flags = read_flags(Some(row), "third_attack")?;
            chart.offers.third_attack.entry(card.clone()).or_default().extend(flags);
        }
        for (up, row) in object(map.get("switch"), "switch")? {
            for (hand, value) in as_object(row, "switch")? {
                let Some(worth) = value.as_f64() else {
                    return bad(format!("`switch` for {hand} v {up} is not a number"));
                };
                chart.offers.switch.entry(up.clone()).or_default().insert(hand.clone(), worth);
            }
        }
        for entry in array(map.get("indices"), "indices")? {
            chart.indices.push(read_index(entry)?);
        }
        for entry in array(map.get("exceptions"), "exceptions")? {
            chart.exceptions.push(read_exception(entry)?);
        }
        Ok(chart)
    }

    /// Returns the chart as JSON.
    pub fn to_json(&self) -> Value {
        let sections: Map<String, Value> =
            self.sections.iter().map(|(name, section)| (name.clone(), section_json(section))).collect();
        let take = |take: Take| match take {
            Take::Never => json!(false),
            Take::Always => json!(true),
            Take::FromCount(least) => json!({ "from": least }),
        };
        let index = |i: &Index| {
            let side = if i.below { "below" } else { "from" };
            json!({"hand": row_label(i.row), "up": i.column, side: i.from, "play": i.play.to_string()})
        };
        let exception = |e: &Exception| {
            let cards: String = e.values.iter().map(|&v| crate::view::value_label(v)).collect();
            json!({"cards": cards, "up": e.column, "play": e.play.to_string()})
        };
        json!({
            "sections": sections,
            "insurance": take(self.insurance),
            "even_money": take(self.even_money),
            "attack": self.offers.attack,
            "second_attack": self.offers.second_attack,
            "third_attack": self.offers.third_attack,
            "switch": self.offers.switch,
            "indices": self.indices.iter().map(index).collect::<Vec<_>>(),
            "exceptions": self.exceptions.iter().map(exception).collect::<Vec<_>>(),
        })
    }
}

/// Returns the name of a row in messages and index plays, such as `hard 16` or `pairs 8`.
pub fn row_label((kind, value): RowKey) -> String {
    match kind {
        Kind::Pairs => format!("pairs {}", crate::view::value_label(value)),
        _ => format!("{} {value}", kind.word()),
    }
}

fn row_of(label: &str) -> Option<RowKey> {
    let (kind, value) = label.split_once(' ')?;
    let kind = Kind::ALL.into_iter().find(|k| k.word() == kind)?;
    Some((kind, row_value(kind, value)?))
}

fn row_value(kind: Kind, text: &str) -> Option<u8> {
    match kind {
        Kind::Pairs => values_of(text).filter(|v| v.len() == 1).map(|v| v[0]),
        _ => text.parse().ok().filter(|v| (2..=21).contains(v)),
    }
}

/// Parses cards such as `A2` or `775` into point values, or returns `None` if a letter stands for no card.
pub fn values_of(text: &str) -> Option<Vec<u8>> {
    let value = |c: char| match c {
        'A' => Some(1),
        'T' => Some(10),
        '2'..='9' => Some(c as u8 - b'0'),
        _ => None,
    };
    text.chars().filter(|c| *c != ' ').map(value).collect()
}

fn section_json(section: &Section) -> Value {
    let mut kinds: BTreeMap<&str, BTreeMap<String, BTreeMap<&str, String>>> = BTreeMap::new();
    for (&(kind, value), row) in section {
        let label = match kind {
            Kind::Pairs => crate::view::value_label(value).to_string(),
            _ => value.to_string(),
        };
        let cells = row.iter().map(|(column, cell)| (column.as_str(), cell.to_string())).collect();
        kinds.entry(kind.word()).or_default().insert(label, cells);
    }
    json!(kinds)
}

/// The keys that a strategy may have at the top level of its JSON.
///
/// The first four are also in the charts that the solver prints; the next two tell where the strategy comes from.
const KEYS: [&str; 18] = [
    "table",
    "strategy",
    "columns",
    "charts",
    "made_by",
    "of",
    "hard",
    "soft",
    "pairs",
    "sections",
    "insurance",
    "even_money",
    "attack",
    "second_attack",
    "third_attack",
    "switch",
    "indices",
    "exceptions",
];

/// Returns an error if `map` has a key that is not in `known`, since an unknown key is probably misspelled.
fn known_keys(map: &Map<String, Value>, known: &[&str], of: &str) -> Result<(), BadChart> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => bad(format!("unknown key `{key}` in {of}; expected {}", known.join(", "))),
        None => Ok(()),
    }
}

fn section_name(name: &str) -> Result<&str, BadChart> {
    let cards =
        |name: &str| name.strip_prefix("cards-").is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n > 2));
    match name {
        "initial" | "split" | "drawn" | "doubled" => Ok(name),
        name if cards(name) => Ok(name),
        _ => bad(format!(
            "unknown section `{name}`; expected initial, split, cards-3, cards-4, …, drawn or doubled"
        )),
    }
}

fn read_section(chart: &mut Chart, name: &str, map: &Map<String, Value>) -> Result<(), BadChart> {
    for kind in Kind::ALL {
        for (label, row) in object(map.get(kind.word()), kind.word())? {
            let Some(value) = row_value(kind, label) else {
                return bad(format!("`{label}` is not a row of the chart `{}`", kind.word()));
            };
            for (column, cell) in as_object(row, label)? {
                let text = cell.as_str().unwrap_or("?");
                let Some(cell) = Cell::parse(text) else {
                    return bad(format!(
                        "invalid cell `{text}` for {} v {column}; expected letters out of S H D P R",
                        row_label((kind, value))
                    ));
                };
                chart.set(name, (kind, value), column, cell);
            }
        }
    }
    Ok(())
}

fn read_take(value: Option<&Value>, name: &str) -> Result<Take, BadChart> {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => Ok(Take::Never),
        Some(Value::Bool(true)) => Ok(Take::Always),
        Some(other) => match other.get("from").and_then(Value::as_i64) {
            Some(least) => Ok(Take::FromCount(least as i32)),
            None => bad(format!("`{name}` must be true, false or {{\"from\": count}}")),
        },
    }
}

fn read_flags(value: Option<&Value>, name: &str) -> Result<BTreeMap<String, bool>, BadChart> {
    let mut flags = BTreeMap::new();
    for (card, flag) in object(value, name)? {
        match flag.as_bool() {
            Some(flag) => flags.insert(card.clone(), flag),
            None => return bad(format!("`{name}` for {card} must be true or false")),
        };
    }
    Ok(flags)
}

fn read_index(value: &Value) -> Result<Index, BadChart> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let number = |key: &str| value.get(key).and_then(Value::as_i64).map(|n| n as i32);
    let row = text("hand").and_then(row_of);
    let play = text("play").and_then(Cell::parse);
    let from = number("from").map(|n| (n, false)).or(number("below").map(|n| (n, true)));
    match (row, text("up"), play, from) {
        (Some(row), Some(up), Some(play), Some((from, below))) => {
            Ok(Index { row, column: up.to_string(), from, below, play })
        }
        _ => bad(format!(
            "{value} is not an index play; it needs the fields hand, up and play, and either from or below"
        )),
    }
}

fn read_exception(value: &Value) -> Result<Exception, BadChart> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match (text("cards").and_then(values_of), text("up"), text("play").and_then(Cell::parse)) {
        (Some(mut values), Some(up), Some(play)) => {
            values.sort_unstable();
            Ok(Exception { values, column: up.to_string(), play })
        }
        _ => bad(format!("{value} is not an exception; it needs the fields cards, up and play")),
    }
}

fn as_object<'a>(value: &'a Value, name: &str) -> Result<&'a Map<String, Value>, BadChart> {
    value.as_object().map_or_else(|| bad(format!("`{name}` is not a JSON object")), Ok)
}

fn object<'a>(
    value: Option<&'a Value>,
    name: &str,
) -> Result<Box<dyn Iterator<Item = (&'a String, &'a Value)> + 'a>, BadChart> {
    match value {
        None | Some(Value::Null) => Ok(Box::new(std::iter::empty())),
        Some(value) => Ok(Box::new(as_object(value, name)?.iter())),
    }
}

fn array<'a>(value: Option<&'a Value>, name: &str) -> Result<&'a [Value], BadChart> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(value) => value
            .as_array()
            .map_or_else(|| bad(format!("`{name}` is not a JSON list")), |list| Ok(list.as_slice())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_survives_json() {
        let text = r#"{"hard":{"16":{"T":"RH","2":"S"}},"pairs":{"8":{"T":"P"}},"insurance":{"from":3},
            "indices":[{"hand":"hard 16","up":"T","from":0,"play":"S"}],
            "exceptions":[{"cards":"T 2","up":"4","play":"H"}]}"#;
        let chart = Chart::from_json(text).unwrap();
        assert_eq!(Chart::from_json(&chart.to_json().to_string()).unwrap(), chart);
        let cell = chart.cell(&situations(2, true, false), (Kind::Hard, 16), "T").unwrap();
        assert_eq!(cell.to_string(), "RH");
    }

    #[test]
    fn what_is_not_a_chart_is_refused_in_a_sentence() {
        for text in ["", "[]", r#"{"hard":{"16":{"T":"X"}}}"#, r#"{"hard":{"99":{}}}"#, r#"{"indices":[1]}"#]
        {
            assert!(Chart::from_json(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_nobody_would_read_is_refused_by_name() {
        for (text, name) in [
            (r#"{"hard":{},"indicies":[]}"#, "`indicies`"),
            (r#"{"sections":{"initial":{"hards":{}}}}"#, "`hards`"),
            (r#"{"sections":{"cards-2":{}}}"#, "`cards-2`"),
        ] {
            assert!(Chart::from_json(text).unwrap_err().0.contains(name), "{text}");
        }
    }
}
