//! The table file: TOML in, [`Choices`] out, and back. Every error names the line, the key and what would be right.

use crate::card::{Card, parse_cards};
use crate::choice::*;
use crate::odds::Cents;
use crate::preset;
use crate::ruling::{RULINGS, Rulings};
use crate::wager::SideWager;
use std::collections::BTreeMap;
use std::fmt;
use toml::de::{DeTable, DeValue};

/// What is wrong with a table file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    pub line: Option<usize>,
    pub key: String,
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}

/// A value of a table file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Text(String),
    /// A number as it was written.
    Number(String),
    Truth(bool),
    List(Vec<Value>),
    Table(BTreeMap<String, Value>),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text",
            Value::Number(_) => "a number",
            Value::Truth(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// One key of the table file.
pub struct Key {
    pub name: &'static str,
    /// What it takes and means, for people.
    pub about: &'static str,
    set: fn(&mut Choices, &Value) -> Result<(), String>,
    show: fn(&Choices) -> String,
}

macro_rules! word_key {
    ($name:literal, $field:ident: $type:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            set: |choices, value| {
                choices.$field = word(value, $type::WORDS, $type::from_word)?;
                Ok(())
            },
            show: |choices| format!("{:?}", choices.$field.word()),
        }
    };
}

macro_rules! count_key {
    ($name:literal, $field:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            set: |choices, value| {
                choices.$field = count(value)?;
                Ok(())
            },
            show: |choices| choices.$field.to_string(),
        }
    };
}

macro_rules! offer_key {
    ($name:literal, $field:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            set: |choices, value| {
                choices.$field = truth(value)?.into();
                Ok(())
            },
            show: |choices| choices.$field.is_yes().to_string(),
        }
    };
}

macro_rules! money_key {
    ($name:literal, $field:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            set: |choices, value| {
                choices.$field = money(value)?;
                Ok(())
            },
            show: |choices| format!("\"{}\"", choices.$field),
        }
    };
}

/// Every key that stands by itself; side wagers and rulings have sections.
pub static KEYS: &[Key] = &[
    Key {
        name: "name",
        about: "what the table is called",
        set: |choices, value| {
            choices.name = text(value)?.to_string();
            Ok(())
        },
        show: |choices| quote(&choices.name),
    },
    word_key!("game", game: Game, "the game that is dealt"),
    word_key!("variation", variation: Variation, "a rule variation of blackjack: 2.3(e), 2.18"),
    word_key!("jurisdiction", jurisdiction: Jurisdiction, "whose regulations govern the table"),
    count_key!(
        "decks",
        decks,
        "decks in the stack that is dealt from: 2.2, 2A.2, 26.2, 36.2"
    ),
    count_key!(
        "positions",
        positions,
        "betting positions: 2.11(e), 19:46-1.10C(a), 26.10(c), 19:46-1.13V(a)"
    ),
    word_key!("hole_card", hole_card: HoleCard, "the dealer's second card: 2.6(h), (j), (k), 2A.7(l), 26.7(g), (i), 36.7(e), (k)"),
    word_key!("soft_17", soft_17: Soft17, "the dealer on soft 17: 2.12(b), (d), 2A.12(b), 26.12(b), 36.11(b)"),
    offer_key!("surrender", surrender, "2.8(c), 2A.9(c), 26.8(a)"),
    offer_key!(
        "even_money",
        even_money,
        "a blackjack against an ace paid 1 to 1: 2.7(c)"
    ),
    offer_key!(
        "late_insurance",
        late_insurance,
        "insurance at the player's own turn: 2.9(b)"
    ),
    count_key!(
        "split_hands",
        split_hands,
        "most hands that one hand may become: 2.11(e), 2A.11(e), 26.10(c), 36.9(c)"
    ),
    offer_key!("resplit_aces", resplit_aces, "2.11(e), 2A.11(e), 26.10(e)"),
    offer_key!("double_after_split", double_after_split, "2.10(a), (d)"),
    word_key!("double_card", double_card: DoubleCard, "how the card of a doubled hand is dealt: 2.10(c)"),
    Key {
        name: "bonus_payouts",
        about: "special odds: \"suited-678\", \"three-sevens\", \"five-card-21\", \"blackjack:As Ks\": 2.3(e), 2.16",
        set: |choices, value| {
            choices.bonus_payouts = bonus_payouts(value)?;
            Ok(())
        },
        show: show_bonus_payouts,
    },
    word_key!("shoe", shoe: Shoe, "what the cards are dealt from: 2.6(a), (d), 2.6A(a), 2.21"),
    word_key!("shuffle", shuffle: Shuffle, "how the cards are shuffled: 2.5, 2.2(d)"),
    Key {
        name: "cut_behind",
        about: "part of the stack behind the cutting card: 2.5(d), (i), 2A.4(f), 26.4(e), 36.4(e)",
        set: |choices, value| {
            choices.cut_behind = share(value)?;
            Ok(())
        },
        show: |choices| {
            let text = choices.cut_behind.to_string();
            if text.contains('.') {
                text
            } else {
                format!("{text}.0")
            }
        },
    },
    money_key!("minimum", minimum, "least required wager"),
    money_key!("maximum", maximum, "largest required wager"),
    money_key!("chip", chip, "smallest chip in play, the \"next unit\" of 2.9(b)"),
    count_key!(
        "bettors_per_box",
        bettors_per_box,
        "1 to 3: 2.13, 2A.13, 26.13, 36.12"
    ),
    count_key!("boxes_per_player", boxes_per_player, "2.14, 2A.14, 26.14, 36.13"),
    offer_key!(
        "mid_shoe_entry",
        mid_shoe_entry,
        "false bars who sat a round out until the reshuffle: 2.3(i), 2A.5(h), 26.5(h), 36.5(h)"
    ),
    word_key!("attack_amount", attack_amount: AttackAmount, "attack wagers up to the first, or equal to it: 26.1 and 26.7(d), 36.1 and 36.7"),
    word_key!("cut_by", cut_by: CutBy, "who cuts: players, or in Massachusetts the dealer: MA 4(c)"),
    word_key!("recut_by", recut_by: RecutBy, "who recuts on a supervisor's order: 2.5(g), 2A.4(g), 26.4(f), 36.4(f)"),
    word_key!("reader_reveals", reader_reveals: ReaderReveals, "what a player can learn from the card reader: 2.15(j), 2A.15(k), 26.15(l), 36.14(l)"),
    word_key!("surrender_settled", surrender_settled: SurrenderSettled, "surrender against an ace or ten value at a table with a reader: 2.8(a)2, 26.8(a)3"),
    word_key!("insurance_collected", insurance_collected: InsuranceCollected, "losing insurance at a table with a reader: 2.9(d)"),
    word_key!("hand_burn", hand_burn: HandBurn, "burn before each round dealt from the hand: 2.6A(c)"),
];

/// The keys inside a side wager's section.
const SIDE_KEYS: [&str; 8] = [
    "paytable", "minimum", "maximum", "meter", "seed", "rate", "awards", "cap",
];

/// Reads a table file.
pub fn parse(file: &str) -> Result<Choices, FileError> {
    let table = DeTable::parse(file).map_err(|error| FileError {
        line: error.span().map(|span| line_of(file, span.start)),
        key: String::new(),
        message: format!("this is not TOML: {}", error.message().trim()),
    })?;
    let mut entries = Vec::new();
    flatten(file, "", table.get_ref(), &mut entries);
    // game, variation and jurisdiction choose the preset that fills in the rest
    let mut start = preset::base(Game::Blackjack, Variation::Standard, Jurisdiction::Nj);
    for (key, value, line) in &entries {
        if ["game", "variation", "jurisdiction"].contains(&key.as_str()) {
            set_value(&mut start, key, value).map_err(|message| at(*line, key, message))?;
        }
    }
    let mut choices = preset::base(start.game, start.variation, start.jurisdiction);
    for (key, value, line) in &entries {
        set_value(&mut choices, key, value).map_err(|message| at(*line, key, message))?;
    }
    Ok(choices)
}

fn at(line: usize, key: &str, message: String) -> FileError {
    FileError {
        line: Some(line),
        key: key.to_string(),
        message,
    }
}

/// Sets one key as on the command line: a dotted key, and a value as in TOML where a bare word is a text.
pub fn set(choices: &mut Choices, assignment: &str) -> Result<(), FileError> {
    let error = |key: &str, message: String| FileError {
        line: None,
        key: key.to_string(),
        message,
    };
    let (key, value) = assignment
        .split_once('=')
        .ok_or_else(|| error(assignment, "write key=value, like decks=6".to_string()))?;
    let (key, value) = (key.trim(), value.trim());
    let line = format!("v = {value}");
    let parsed = DeTable::parse(&line).ok().and_then(|table| {
        let table = table.into_inner();
        (table.len() == 1).then(|| table.iter().next().map(|(_, value)| convert(value.get_ref())))?
    });
    let value = parsed.unwrap_or_else(|| Value::Text(value.to_string()));
    set_value(choices, key, &value).map_err(|message| error(key, message))
}

/// Sets one dotted key.
pub fn set_value(choices: &mut Choices, key: &str, value: &Value) -> Result<(), String> {
    if let Some(known) = KEYS.iter().find(|known| known.name == key) {
        return (known.set)(choices, value);
    }
    let mut parts = key.splitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("side_wagers"), Some(name), inner) => side_wager(choices, name, inner, value),
        (Some("rulings"), Some(name), None) => ruling(&mut choices.rulings, name, value),
        (Some("multiple_action"), Some("required"), None) => {
            choices.multiple_action_required = count(value)?;
            Ok(())
        }
        (Some(section @ ("side_wagers" | "rulings" | "multiple_action")), None, None) => match value {
            Value::Table(inner) => inner
                .iter()
                .try_for_each(|(name, value)| set_value(choices, &format!("{section}.{name}"), value)),
            other => Err(format!("`{section}` is a section, not {}", other.kind())),
        },
        _ => Err(unknown(key, &all_keys())),
    }
}

fn all_keys() -> Vec<String> {
    let mut keys: Vec<String> = KEYS.iter().map(|key| key.name.to_string()).collect();
    keys.extend(["side_wagers", "rulings", "multiple_action.required"].map(String::from));
    keys.extend(SideWager::WORDS.iter().map(|name| format!("side_wagers.{name}")));
    keys.extend(RULINGS.iter().map(|ruling| format!("rulings.{}", ruling.key)));
    keys
}

fn unknown(word: &str, known: &[String]) -> String {
    let nearest = known
        .iter()
        .min_by_key(|key| strsim::damerau_levenshtein(word, key));
    match nearest {
        Some(nearest) => format!("there is no `{word}` in a table file; the nearest is `{nearest}`"),
        None => format!("there is no `{word}` in a table file"),
    }
}

fn side_wager(choices: &mut Choices, name: &str, inner: Option<&str>, value: &Value) -> Result<(), String> {
    let names: Vec<String> = SideWager::WORDS.iter().map(ToString::to_string).collect();
    let wager = SideWager::from_word(name).ok_or_else(|| unknown(name, &names))?;
    let Some(inner) = inner else {
        return match value {
            Value::Truth(false) => {
                choices.side_wagers.remove(&wager);
                Ok(())
            }
            Value::Truth(true) => {
                choices
                    .side_wagers
                    .entry(wager)
                    .or_insert_with(|| SideOffer::of(wager));
                Ok(())
            }
            Value::Table(table) => {
                choices
                    .side_wagers
                    .entry(wager)
                    .or_insert_with(|| SideOffer::of(wager));
                table
                    .iter()
                    .try_for_each(|(key, value)| side_wager(choices, name, Some(key), value))
            }
            other => Err(format!("`side_wagers.{name}` is a section, not {}", other.kind())),
        };
    };
    let offer = choices
        .side_wagers
        .entry(wager)
        .or_insert_with(|| SideOffer::of(wager));
    match inner {
        "paytable" => offer.paytable = Some(paytable_name(value)?),
        "minimum" => offer.minimum = money(value)?,
        "maximum" => offer.maximum = money(value)?,
        "meter" => offer.meter = Some(money(value)?),
        "seed" => offer.seed = money(value)?,
        "rate" => offer.rate = percent(value)?,
        "awards" => offer.awards = awards(value)?,
        "cap" => offer.cap = Some(money(value)?),
        _ => match inner.strip_prefix("awards.") {
            Some(denomination) => {
                let denomination = denomination
                    .trim_matches('"')
                    .parse()
                    .map_err(|e| format!("{e}"))?;
                offer.awards.insert(denomination, weights(value)?);
            }
            None => return Err(unknown(inner, &SIDE_KEYS.map(String::from))),
        },
    }
    Ok(())
}

fn ruling(rulings: &mut Rulings, key: &str, value: &Value) -> Result<(), String> {
    let word = text(value)?;
    rulings.set(key, word).map_err(|words| match words {
        Some(words) => format!("`{word}` is not a reading of it; it takes {}", one_of(words)),
        None => unknown(
            key,
            &RULINGS
                .iter()
                .map(|ruling| ruling.key.to_string())
                .collect::<Vec<_>>(),
        ),
    })
}

fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

fn word<T>(value: &Value, words: &[&str], find: fn(&str) -> Option<T>) -> Result<T, String> {
    let word = text(value)?;
    find(word).ok_or_else(|| format!("`{word}` is not possible here; it takes {}", one_of(words)))
}

fn text(value: &Value) -> Result<&str, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(format!("this takes a text in quotes, not {}", other.kind())),
    }
}

fn truth(value: &Value) -> Result<bool, String> {
    match value {
        Value::Truth(truth) => Ok(*truth),
        other => Err(format!("this takes true or false, not {}", other.kind())),
    }
}

fn count(value: &Value) -> Result<u8, String> {
    match value {
        Value::Number(number) => number
            .parse()
            .map_err(|_| format!("`{number}` is not a whole number from 0 to 255")),
        other => Err(format!("this takes a whole number, not {}", other.kind())),
    }
}

fn money(value: &Value) -> Result<Cents, String> {
    match value {
        Value::Text(text) | Value::Number(text) => text.parse().map_err(|error| format!("{error}")),
        other => Err(format!(
            "this takes an amount like \"12.50\", not {}",
            other.kind()
        )),
    }
}

/// A decimal number from 0 to `most`, in units of `10^-places`.
fn decimal(value: &Value, places: usize, most: u64, example: &str) -> Result<u64, String> {
    let bad = |text: &str| format!("`{text}` is not a number like {example}");
    let (Value::Number(text) | Value::Text(text)) = value else {
        return Err(format!(
            "this takes a number like {example}, not {}",
            value.kind()
        ));
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() > 6 || part.len() > places || !digits(whole) || !digits(part) {
        return Err(bad(text));
    }
    let all: u64 = format!("{whole}{part:0<places$}")
        .parse()
        .map_err(|_| bad(text))?;
    if all > most {
        return Err(bad(text));
    }
    Ok(all)
}

fn share(value: &Value) -> Result<Millionths, String> {
    Ok(Millionths(
        decimal(value, 6, 1_000_000, "0.25, from 0 to 1")? as u32
    ))
}

fn percent(value: &Value) -> Result<u32, String> {
    Ok(decimal(value, 2, 1_000_000, "75, a percentage")? as u32)
}

/// Pay tables are named by a digit, a letter or a word; a digit may be written without quotes.
fn paytable_name(value: &Value) -> Result<String, String> {
    match value {
        Value::Text(name) | Value::Number(name) => Ok(name.clone()),
        other => Err(format!(
            "this takes the name of a pay table, not {}",
            other.kind()
        )),
    }
}

fn awards(value: &Value) -> Result<BTreeMap<Cents, BTreeMap<Cents, u32>>, String> {
    let Value::Table(table) = value else {
        return Err(format!(
            "this takes a table like {{ \"1\" = {{ \"5\" = 60, \"20\" = 40 }} }}, not {}",
            value.kind()
        ));
    };
    table
        .iter()
        .map(|(wager, value)| Ok((wager.parse().map_err(|e| format!("{e}"))?, weights(value)?)))
        .collect()
}

fn weights(value: &Value) -> Result<BTreeMap<Cents, u32>, String> {
    let Value::Table(table) = value else {
        return Err(format!(
            "this takes awards with weights like {{ \"5\" = 60 }}, not {}",
            value.kind()
        ));
    };
    let weight = |value: &Value| match value {
        Value::Number(number) => number
            .parse::<u32>()
            .ok()
            .filter(|w| *w <= 1_000_000_000)
            .ok_or_else(|| format!("`{number}` is not a weight")),
        other => Err(format!("a weight is a whole number, not {}", other.kind())),
    };
    table
        .iter()
        .map(|(award, value)| Ok((award.parse().map_err(|e| format!("{e}"))?, weight(value)?)))
        .collect()
}

fn bonus_payouts(value: &Value) -> Result<BonusPayouts, String> {
    let Value::List(list) = value else {
        return Err(format!(
            "this takes a list like [\"suited-678\"], not {}",
            value.kind()
        ));
    };
    let mut payouts = BonusPayouts::NONE;
    for item in list {
        match text(item)? {
            "suited-678" => payouts.suited_678 = Offered::Yes,
            "three-sevens" => payouts.three_sevens = Offered::Yes,
            "five-card-21" => payouts.five_card_21 = Offered::Yes,
            other => match other.strip_prefix("blackjack:").map(parse_cards) {
                Some(Ok(cards)) => {
                    let pair: [Card; 2] = cards
                        .try_into()
                        .map_err(|_| format!("`{other}` must name two cards"))?;
                    payouts.blackjacks.push(pair);
                }
                Some(Err(error)) => return Err(error.to_string()),
                None => {
                    let known = ["suited-678", "three-sevens", "five-card-21", "blackjack:As Ks"];
                    return Err(format!(
                        "`{other}` is no special payout; it takes {}",
                        one_of(&known)
                    ));
                }
            },
        }
    }
    Ok(payouts)
}

fn show_bonus_payouts(choices: &Choices) -> String {
    let payouts = &choices.bonus_payouts;
    let mut items = Vec::new();
    for (offered, name) in [
        (payouts.suited_678, "suited-678"),
        (payouts.three_sevens, "three-sevens"),
        (payouts.five_card_21, "five-card-21"),
    ] {
        if offered.is_yes() {
            items.push(format!("\"{name}\""));
        }
    }
    items.extend(
        payouts
            .blackjacks
            .iter()
            .map(|[a, b]| format!("\"blackjack:{a} {b}\"")),
    );
    format!("[{}]", items.join(", "))
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04X}", control as u32)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes choices as a complete table file.
pub fn show(choices: &Choices) -> String {
    let mut file = String::new();
    for key in KEYS {
        file.push_str(&format!("{} = {}\n", key.name, (key.show)(choices)));
    }
    file.push_str(&format!(
        "multiple_action = {{ required = {} }}\n",
        choices.multiple_action_required
    ));
    for (wager, offer) in &choices.side_wagers {
        file.push_str(&format!("\n[side_wagers.{}]\n", wager.word()));
        if let Some(paytable) = &offer.paytable {
            file.push_str(&format!("paytable = {}\n", quote(paytable)));
        }
        file.push_str(&format!(
            "minimum = \"{}\"\nmaximum = \"{}\"\n",
            offer.minimum, offer.maximum
        ));
        match wager {
            SideWager::Progressive => {
                if let Some(meter) = offer.meter {
                    file.push_str(&format!("meter = \"{meter}\"\n"));
                }
                file.push_str(&format!(
                    "seed = \"{}\"\nrate = {}.{:02}\n",
                    offer.seed,
                    offer.rate / 100,
                    offer.rate % 100
                ));
            }
            SideWager::BlackjackBonus => file.push_str(&show_awards(offer)),
            SideWager::TwentyPoint => {
                if let Some(cap) = offer.cap {
                    file.push_str(&format!("cap = \"{cap}\"\n"));
                }
            }
            _ => {}
        }
    }
    file.push_str("\n[rulings]\n");
    for ruling in RULINGS {
        file.push_str(&format!(
            "{} = \"{}\"\n",
            ruling.key,
            choices.rulings.word(ruling.key).unwrap_or_default()
        ));
    }
    file
}

fn show_awards(offer: &SideOffer) -> String {
    let rows: Vec<String> = offer
        .awards
        .iter()
        .map(|(wager, awards)| {
            let awards: Vec<String> = awards
                .iter()
                .map(|(award, weight)| format!("\"{award}\" = {weight}"))
                .collect();
            format!("\"{wager}\" = {{ {} }}", awards.join(", "))
        })
        .collect();
    format!("awards = {{ {} }}\n", rows.join(", "))
}

/// The document as dotted keys with their lines. Sections and inline tables of the known sections are opened.
fn flatten(file: &str, prefix: &str, table: &DeTable<'_>, entries: &mut Vec<(String, Value, usize)>) {
    for (key, value) in table.iter() {
        let line = line_of(file, key.span().start);
        let name = if prefix.is_empty() {
            key.get_ref().to_string()
        } else {
            format!("{prefix}.{}", key.get_ref())
        };
        let opened = ["side_wagers", "rulings", "multiple_action"].contains(&name.as_str())
            || (prefix == "side_wagers" && SideWager::from_word(key.get_ref()).is_some());
        match value.get_ref() {
            DeValue::Table(inner) if opened => {
                if prefix == "side_wagers" {
                    entries.push((name.clone(), Value::Truth(true), line));
                }
                flatten(file, &name, inner, entries);
            }
            other => entries.push((name, convert(other), line)),
        }
    }
}

fn convert(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Value::Number(number.as_str().to_string()),
        DeValue::Integer(number) => {
            let digits = number.as_str();
            let parsed =
                i64::from_str_radix(digits, number.radix()).map_or(digits.to_string(), |n| n.to_string());
            Value::Number(parsed)
        }
        DeValue::Float(number) => Value::Number(number.as_str().to_string()),
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(moment) => Value::Text(moment.to_string()),
        DeValue::Array(items) => Value::List(items.iter().map(|item| convert(item.get_ref())).collect()),
        DeValue::Table(table) => Value::Table(
            table
                .iter()
                .map(|(key, value)| (key.get_ref().to_string(), convert(value.get_ref())))
                .collect(),
        ),
    }
}

fn line_of(file: &str, offset: usize) -> usize {
    file.as_bytes()[..offset.min(file.len())]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
        + 1
}
