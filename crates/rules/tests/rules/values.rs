//! The values that each text permits: every text, key and value, and the page of the documentation that lists them.

use rules::choice::SideOffer;
use rules::file::KEYS;
use rules::lawful::{Kind, check};
use rules::ruling::RULINGS;
use rules::text::entries::Frequency;
use rules::text::values::{KeyValues, READINGS, reading, value_of, values_of};
use rules::text::{TEXTS, Text};
use rules::wager::{SideWager, own, paytable};
use rules::{Choices, Clause, file};
use std::fmt::Write;

/// Returns every text with its variations, and its name.
fn texts() -> Vec<(String, &'static Text)> {
    let mut all = Vec::new();
    for text in TEXTS {
        all.push((text.name.to_string(), text));
        for amendment in text.variations {
            let choices = (amendment.text.preset)();
            let what = match choices.variation {
                rules::choice::Variation::Standard => "face-up",
                other => other.word(),
            };
            all.push((format!("{}, {what}", text.name), amendment.text));
        }
    }
    all
}

/// The numbers to try: beyond every limit of the texts on both sides.
const NUMBERS: [&str; 14] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"];

/// The numeric keys that every text covers.
const COUNTS: [&str; 5] = ["decks", "positions", "split_hands", "bettors_per_box", "boxes_per_player"];

/// Returns the keys that take words, truth values or the numbers that the texts cover, except those that select the
/// text.
fn keys(choices: &Choices) -> Vec<(&'static str, Vec<&'static str>)> {
    let values = |key: &rules::file::Key| match (key.words, value_of(choices, key.name).as_deref()) {
        (Some(words), _) => Some(words.to_vec()),
        (None, Some("true" | "false")) => Some(vec!["false", "true"]),
        _ if COUNTS.contains(&key.name) => Some(NUMBERS.to_vec()),
        _ => None,
    };
    let all = KEYS.iter().filter(|key| !matches!(key.name, "game" | "jurisdiction"));
    all.filter_map(|key| Some((key.name, values(key)?))).collect()
}

fn of(text: &'static Text, key: &str) -> &'static KeyValues<'static> {
    text.permits().find(|permits| permits.key == key).unwrap_or_else(|| panic!("{} has no {key}", text.name))
}

/// A clause of the text permits or rejects each value, and the check agrees.
#[test]
fn every_text_key_and_value() {
    let mut rejected = 0;
    for (name, text) in texts() {
        let preset = (text.preset)();
        for (key, values) in keys(&preset) {
            let permits = of(text, key);
            for value in values {
                let mut choices = preset.clone();
                file::set(&mut choices, &format!("{key}={value}")).expect("a value of the key");
                if !std::ptr::eq(choices.text(), text) {
                    // this value selects another variation, whose own rows are checked separately
                    continue;
                }
                let found = check(&choices).violations;
                let broken = |by| found.iter().any(|f| f.clause == by && f.keys.iter().any(|k| k == key));
                match (permits.find(value), permits.rejects(value)) {
                    (Some(permitted), None) => {
                        assert!(text.governs(permitted.by), "{name} {key}={value} {:?}", permitted.by);
                        for asks in permitted.asks {
                            assert!(
                                text.governs(asks.by) && asks.kind != Kind::Violation,
                                "{name} {key}={value}"
                            );
                        }
                    }
                    (None, Some(rejects)) => {
                        assert!(text.governs(rejects.by), "{name} {key}={value} {:?}", rejects.by);
                        assert!(broken(rejects.by), "{name} {key}={value}: {found:?}");
                        rejected += 1;
                    }
                    (found, _) => panic!("{name} {key}={value} is neither or both: {found:?}"),
                }
            }
        }
    }
    assert!(rejected > 200, "{rejected}");
}

/// Each option is permitted by the sentence that grants it, not by one beside it. Proves 19:47-2.3(e)#5, 19:47-2.3(e)4,
/// 19:47-2.6(j)#3, 19:47-2.10(c)#2, 19:47-2.18(a), 19:47-2A.4(a)#2, 19:47-2A.11(c)#2, MA-BJS 4(a)#2, MA-BJS 4(c),
/// MA-BJS 11(c)#2, 19:47-26.10(c)#2, 19:47-36.7(k), 19:47-36.9(c)#2, 19:47-36.9(c)#3.
#[test]
fn options_are_permitted_by_the_clauses_that_grant_them() {
    let rows = [
        ("nj-blackjack", "bonus_payouts", "[]", "19:47-2.3(e)#5"),
        ("nj-blackjack", "bonus_payouts", "five-card-21", "19:47-2.3(e)4"),
        ("nj-blackjack", "hole_card", "reader", "19:47-2.6(j)#3"),
        ("nj-blackjack", "double_card", "down", "19:47-2.10(c)#2"),
        ("nj-blackjack", "double_card", "on-request", "19:47-2.10(c)#2"),
        ("nj-blackjack", "variation", "multiple-action", "19:47-2.18(a)"),
        ("nj-switch", "shuffle", "automated", "19:47-2A.4(a)#2"),
        ("nj-switch", "double_after_split", "true", "19:47-2A.11(c)#2"),
        ("ma-switch", "shuffle", "automated", "MA-BJS 4(a)#2"),
        ("ma-switch", "cut_by", "dealer", "MA-BJS 4(c)"),
        ("ma-switch", "double_after_split", "true", "MA-BJS 11(c)#2"),
        ("nj-double-attack", "split_hands", "4", "19:47-26.10(c)#2"),
        ("nj-triple-attack", "hole_card", "reader", "19:47-36.7(k)"),
        ("nj-triple-attack", "resplit_aces", "true", "19:47-36.9(c)#2"),
        ("nj-triple-attack", "split_hands", "4", "19:47-36.9(c)#3"),
    ];
    for (name, key, value, by) in rows {
        let text = TEXTS.iter().find(|text| text.name == name).expect("a text");
        let permitted = of(text, key).find(value).unwrap_or_else(|| panic!("{name} {key}={value}"));
        assert_eq!(permitted.by.id(), by, "{name} {key}={value}");
    }
}

/// The smallest chip is a matter of the clause on chips, not of the one on the required bet.
#[test]
fn the_chip_cites_the_clause_on_chips() {
    for (name, by) in [
        ("nj-blackjack", "19:47-2.3(d)"),
        ("nj-switch", "19:47-2A.5(d)"),
        ("ma-switch", "MA-BJS 5(d)"),
        ("nj-double-attack", "19:47-26.5(c)"),
        ("nj-triple-attack", "19:47-36.5(e.1)"),
    ] {
        let text = TEXTS.iter().find(|text| text.name == name).expect("a text");
        let rows = rows(text);
        let chip = rows.iter().find(|row| row.key == "chip").expect("a row");
        assert_eq!((chip.values[0].1.id(), chip.rejects[0].1.id()), (by, by), "{name}");
    }
}

/// A row of permitted values, as owned text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    key: String,
    keys: Vec<String>,
    values: Vec<(String, Clause)>,
    rejects: Vec<(String, Clause)>,
}

/// Returns the text's preset with every side bet that the text has.
fn with_sides(text: &'static Text) -> Choices {
    let mut choices = (text.preset)();
    for side in text.sides.rows {
        choices.side_wagers.entry(side.wager).or_insert_with(|| SideOffer::of(side.wager));
    }
    choices
}

/// Returns every row of a text, for its preset with every side bet.
fn rows(text: &'static Text) -> Vec<Row> {
    let mut rows = Vec::new();
    text.rows(&with_sides(text), &mut |permits| {
        rows.push(Row {
            key: permits.key.to_string(),
            keys: permits.keys.iter().map(ToString::to_string).collect(),
            values: permits.values.iter().map(|value| (value.is.to_string(), value.by)).collect(),
            rejects: permits.rejects.iter().map(|rejects| (rejects.is.to_string(), rejects.by)).collect(),
        });
    });
    rows
}

/// Returns every key of a table file that a text can be asked about, except those that name the table or select the
/// text. A reading of an ambiguous clause is always permitted and has its clause in `RULINGS`.
fn all_keys(text: &'static Text) -> Vec<String> {
    let named = |key: &&rules::file::Key| !matches!(key.name, "name" | "game" | "jurisdiction");
    let mut keys: Vec<String> = KEYS.iter().filter(named).map(|key| key.name.to_string()).collect();
    keys.push("multiple_action.required".to_string());
    for &wager in SideWager::ALL {
        let key = format!("side_wagers.{}", wager.word());
        if text.side(wager).is_some() {
            keys.extend(["minimum", "maximum"].map(|inner| format!("{key}.{inner}")));
        }
        // the text has no pay table for some numbers of decks, and refuses the wager there by another clause
        if paytable(&with_sides(text), wager).is_some() {
            keys.push(format!("{key}.paytable"));
            keys.extend(own::names(wager).iter().map(|line| format!("{key}.odds.{line}")));
        }
        let inner: &[&str] = match wager {
            _ if text.side(wager).is_none() => &[],
            SideWager::Progressive => &["seed", "meter", "rate"],
            SideWager::BlackjackBonus => &["awards", "awards.1.00", "awards.5.00"],
            SideWager::TwentyPoint => &["cap"],
            _ => &[],
        };
        keys.extend(inner.iter().map(|inner| format!("{key}.{inner}")));
        keys.push(key);
    }
    keys
}

/// Every key of a table file has exactly one row in every text, whose clauses are the text's own.
#[test]
fn every_key_of_every_text_has_a_row() {
    for (name, text) in texts() {
        let rows = rows(text);
        for key in all_keys(text) {
            let found: Vec<&Row> = rows.iter().filter(|row| row.key == key).collect();
            assert_eq!(found.len(), 1, "{name} {key}: {found:?}");
        }
        assert_eq!(rows.len(), all_keys(text).len(), "{name}: a row for something that is no key");
        for row in &rows {
            for (is, by) in row.values.iter().chain(&row.rejects) {
                assert!(text.governs(*by), "{name} {}={is} cites {}", row.key, by.id());
            }
        }
        assert!(RULINGS.iter().any(|ruling| text.governs(text.ruling_by(ruling.key, ruling.clause))));
    }
}

/// Returns values that an entry covers, and values just beyond it.
fn samples(key: &str, is: &str) -> (Vec<String>, Vec<String>) {
    let odds = is.contains(" to ");
    let money =
        key.ends_with("minimum") || key.ends_with("maximum") || key == "chip" || key.ends_with("seed");
    let Some((from, to)) = is.split_once("..") else {
        let written = if is == "*" { "anything" } else { is };
        return (vec![written.replace('?', "s")], Vec::new());
    };
    if odds {
        let (pays, per) = from.split_once(" to ").expect("odds");
        let pays: u32 = pays.parse().expect("a number");
        let beyond =
            (pays > 0).then(|| format!("{} to {}", 2 * pays - 1, 2 * per.parse::<u32>().expect("a number")));
        return (vec![from.to_string(), format!("{} to {per}", pays + 1)], beyond.into_iter().collect());
    }
    let step = match key {
        "cut_behind" => 0.001,
        _ if money || key.contains("side_wagers") => 0.01,
        _ => 1.0,
    };
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let written = |number: f64| match step {
        1.0 => format!("{number}"),
        0.01 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    };
    let mut inside = vec![written(number(from))];
    let mut outside = Vec::new();
    if number(from) >= step {
        outside.push(written(number(from) - step));
    }
    if let Some(most) = to.strip_prefix('=') {
        inside.push(written(number(most)));
        if !(key == "cut_behind" || key.ends_with("rate")) {
            outside.push(written(number(most) + step));
        }
    }
    (inside, outside)
}

/// Sets a key to a value, as a list where the key takes one.
fn with_value(choices: &Choices, key: &str, value: &str) -> Option<Choices> {
    let mut choices = choices.clone();
    let assignment = match key {
        "bonus_payouts" | "own_procedures" if value == "[]" => format!("{key}=[]"),
        "bonus_payouts" | "own_procedures" => format!("{key}=[\"{value}\"]"),
        "approval" => format!("{key}={value}"),
        _ if key.ends_with(".awards") => format!("{key}={{ \"{value}\" = {{ \"50\" = 1 }} }}"),
        _ if key.contains(".awards.") => {
            let (key, of) = key.split_once(".awards.").expect("awards");
            format!("{key}.awards={{ \"{of}\" = {{ \"{value}\" = 1 }} }}")
        }
        _ => format!("{key}={value}"),
    };
    file::set(&mut choices, &assignment).ok()?;
    Some(choices)
}

/// Each row accepts a value inside of what it permits, and refuses one outside by its clause.
#[test]
fn a_value_inside_is_accepted_and_one_outside_refused() {
    let (mut accepted, mut refused) = (0, 0);
    for (name, text) in texts() {
        let preset = with_sides(text);
        for row in rows(text) {
            let by_row = |choices: &Choices, value: &str| {
                let found = check(choices).violations;
                let own = |f: &rules::lawful::Finding| {
                    f.keys == row.keys && row.rejects.iter().any(|r| r.1 == f.clause)
                };
                let found: Vec<Clause> = found.iter().filter(|f| own(f)).map(|f| f.clause).collect();
                assert!(
                    values_of(choices, &row.key).contains(&value.to_string()),
                    "{name} {} {value}",
                    row.key
                );
                found
            };
            let mut outside: Vec<String> = Vec::new();
            for (is, _) in &row.values {
                let (inside, beyond) = samples(&row.key, is);
                for value in inside {
                    let Some(choices) = with_value(&preset, &row.key, &value) else { continue };
                    if !std::ptr::eq(choices.text(), text) {
                        continue;
                    }
                    let shown = values_of(&choices, &row.key).first().cloned().unwrap_or_default();
                    assert_eq!(by_row(&choices, &shown), [], "{name} {}={value}", row.key);
                    accepted += 1;
                }
                outside.extend(beyond);
            }
            let words = KEYS.iter().find(|key| key.name == row.key).and_then(|key| key.words);
            outside.extend(words.unwrap_or_default().iter().map(ToString::to_string));
            outside.extend(match row.key.as_str() {
                "bonus_payouts" => vec!["blackjack:As Td".to_string(), "five-card-21".to_string()],
                "own_procedures" => vec!["no-burn".to_string(), "shuffle".to_string()],
                key if key.ends_with(".paytable") => vec!["Z".to_string()],
                key if key.ends_with(".awards") => vec!["2.00".to_string()],
                key if key.starts_with("side_wagers.") && key.matches('.').count() == 1 => {
                    vec!["false".to_string(), "true".to_string()]
                }
                key if key.contains(".odds.") => vec!["1 to 1".to_string()],
                key if key.ends_with(".minimum") || key.ends_with(".maximum") => vec!["0.50".to_string()],
                key if COUNTS.contains(&key) => NUMBERS.map(String::from).to_vec(),
                key if value_of(&preset, key).is_some_and(|v| v == "true" || v == "false") => {
                    vec!["false".to_string(), "true".to_string()]
                }
                _ => Vec::new(),
            });
            let permits_it = |value: &str| {
                row.values
                    .iter()
                    .any(|(is, by)| rules::text::values::Value { is, by: *by, asks: &[] }.takes(value))
            };
            let mut tried = 0;
            for value in outside {
                let Some(choices) = with_value(&preset, &row.key, &value) else { continue };
                if !std::ptr::eq(choices.text(), text) {
                    tried += 1;
                    continue;
                }
                let shown = values_of(&choices, &row.key).first().cloned().unwrap_or_default();
                if permits_it(&shown) {
                    continue;
                }
                assert_ne!(by_row(&choices, &shown), [], "{name} {}={value}", row.key);
                tried += 1;
                refused += 1;
            }
            assert!(row.rejects.is_empty() || tried > 0, "{name} {}: nothing outside was tried", row.key);
        }
    }
    assert!(accepted > 600 && refused > 500, "{accepted} {refused}");
}

/// Every row that a text writes itself names an existing word of its key.
#[test]
fn rows_name_words_that_exist() {
    for (name, text) in texts() {
        for permits in text.permits() {
            let words = KEYS.iter().find(|key| key.name == permits.key).and_then(|key| key.words);
            for value in permits.values {
                let known = words.is_none_or(|words| words.contains(&value.is));
                assert!(known, "{name} {}={}", permits.key, value.is);
            }
        }
    }
}

/// What depends on one key alone is a row of permitted values; any other finding names the keys that it compares.
#[test]
fn only_rows_have_findings_of_one_key() {
    let mut compared = std::collections::BTreeSet::new();
    let mut look = |choices: &Choices| {
        let mut of_rows: Vec<(String, Clause)> = Vec::new();
        choices.text().rows(choices, &mut |permits| {
            of_rows.extend(permits.rejects.iter().map(|rejects| (permits.keys[0].to_string(), rejects.by)));
            let asks = permits.values.iter().flat_map(|value| value.asks);
            of_rows.extend(asks.map(|asks| (permits.key.to_string(), asks.by)));
        });
        let report = check(choices);
        for found in report.violations.iter().chain(&report.warnings) {
            if !of_rows.contains(&(found.keys[0].clone(), found.clause)) {
                assert!(found.keys.len() > 1, "{found:?}");
                compared.insert(found.clause.id());
            }
        }
    };
    for (_, text) in texts() {
        let preset = (text.preset)();
        look(&preset);
        look(&with_sides(text));
        for (key, values) in keys(&preset) {
            values.iter().filter_map(|value| with_value(&preset, key, value)).for_each(|table| look(&table));
        }
        for row in rows(text) {
            let values = row.values.iter().flat_map(|(is, _)| samples(&row.key, is).0);
            let tables = values.filter_map(|value| with_value(&with_sides(text), &row.key, &value));
            tables.for_each(|table| look(&table));
        }
    }
    for (preset, overrides) in [
        ("nj-six-to-five", &["minimum=7"][..]),
        ("nj-blackjack", &["hole_card=reader", "late_insurance=true"]),
        ("nj-blackjack", &["side_wagers.same-suit=true"]),
        ("nj-blackjack", &["side_wagers.blackjack-bonus.minimum=6", "side_wagers.blackjack-bonus.maximum=6"]),
        ("nj-triple-attack", &["split_hands=2", "resplit_aces=true"]),
    ] {
        look(&crate::table(preset, overrides));
    }
    for by in ["19:47-2.3(d)#4", "19:47-2.9(b)#5", "19:47-2.17(e)2#3"] {
        assert!(compared.contains(by), "{by} was not found");
    }
}

/// A value that no clause grants explicitly is still permitted, and `regulations/notes.md` has its note.
#[test]
fn readings_are_of_permitted_values_and_noted() {
    let notes = include_str!("../../../../regulations/notes.md");
    for row in READINGS {
        let text = TEXTS.iter().find(|text| text.name == row.text).expect("a text");
        let listed = |own: &Row| own.key == row.key && own.values.iter().any(|(is, _)| is == row.value);
        assert!(rows(text).iter().any(listed), "{} {}={}", row.text, row.key, row.value);
        let number = row.why.split(',').next().unwrap_or("");
        assert!(
            row.why.starts_with("no effect") || notes.contains(&format!("\n| {number} |")),
            "{}",
            row.why
        );
    }
    assert_eq!(
        reading("nj-blackjack", "surrender_settled", "at-once"),
        Some("Q17, because no clause says so")
    );
    assert_eq!(reading("nj-blackjack", "surrender_settled", "at-disclosure"), None);
}

/// The requirements of a value have their kind, and only violations have the kind `violation`.
#[test]
fn findings_have_kinds() {
    let table =
        crate::table("nj-blackjack", &["surrender=true", "shoe=continuous", "double_after_split=false"]);
    let report = check(&table);
    assert!(report.violations.iter().all(|finding| finding.kind == Kind::Violation));
    let kinds: Vec<(&str, &str)> =
        report.warnings.iter().map(|finding| (finding.clause.id(), finding.kind.word())).collect();
    assert!(kinds.contains(&("19:47-2.8(c)#5", "notice")), "{kinds:?}");
    assert!(kinds.contains(&("19:47-2.21#2", "approval")), "{kinds:?}");
    assert!(report.warnings.iter().all(|finding| finding.kind != Kind::Violation));
}

/// The notice of limiting aces to one split is data: the row of `resplit_aces` states it, with the splits that it needs.
#[test]
fn the_row_of_split_aces_states_its_notice() {
    for (name, by) in [
        ("nj-blackjack", "19:47-2.11(e)#5"),
        ("nj-switch", "19:47-2A.11(e)#3"),
        ("ma-switch", "MA-BJS 11(e)#3"),
    ] {
        let text = TEXTS.iter().find(|text| text.name == name).expect("a text");
        let value = of(text, "resplit_aces").find("false").expect("a permitted value");
        let asks: Vec<_> = value.asks.iter().map(|asks| (asks.by.id(), asks.kind, asks.register)).collect();
        assert_eq!(asks, [(by, Kind::Notice, true)], "{name}");
        for (hands, needed) in [(2, false), (3, true), (4, true)] {
            let table = crate::table(name, &[&format!("split_hands={hands}"), "resplit_aces=false"]);
            let found = check(&table).warnings;
            let found = found.iter().find(|finding| finding.clause.id() == by);
            assert_eq!(found.is_some_and(|finding| finding.entry), needed, "{name} {hands}");
            assert!(found.is_none_or(|finding| finding.keys == ["resplit_aces", "split_hands"]), "{name}");
        }
    }
}

/// Returns the lines of the page for one row, and marks the value of the text's preset.
fn lines(text: &Text, choices: &Choices, permits: &KeyValues<'_>) -> String {
    let mut lines = String::new();
    let chosen = values_of(choices, permits.key);
    for value in permits.values {
        let asks: Vec<String> = value
            .asks
            .iter()
            .map(|asks| {
                let with: String =
                    asks.with.iter().map(|(key, is)| format!(", with `{key}` `{is}`")).collect();
                let what = if asks.register { asks.kind.word() } else { "warning" };
                format!("{what} ({}{with})", asks.by.id())
            })
            .collect();
        let by = match reading(text.name, permits.key, value.is) {
            Some(reading) => format!("{} ({reading})", value.by.id()),
            None => value.by.id().to_string(),
        };
        let default = match chosen.first().filter(|chosen| value.takes(chosen)) {
            Some(chosen) if chosen == value.is => "default".to_string(),
            Some(chosen) if !chosen.is_empty() => format!("default `{chosen}`"),
            _ => String::new(),
        };
        let asks = asks.join(", ");
        let _ = writeln!(lines, "| `{}` | `{}` | {default} | {by} | {asks} |", permits.key, value.is);
    }
    for rejects in permits.rejects {
        let is = if rejects.is.is_empty() { "any other".to_string() } else { format!("`{}`", rejects.is) };
        let _ = writeln!(lines, "| `{}` | {is} | | not permitted: {} | |", permits.key, rejects.by.id());
    }
    lines
}

fn page() -> String {
    let mut page = String::from(
        "# Permitted values\n\nWhich values each text permits for the keys of a table file, and by which clause. \
         Made from the texts by \
         `UPDATE=1 cargo test -p cutcard-rules --test rules values`; a variation lists only \
         what it has otherwise. What two keys exclude \
         together is told by `cutcard check`. The keys of a side bet are shown for the text's preset with every side \
         bet \
         that the text has; `..` begins a range, `?` stands for any letter, `*` for any value, `[]` for an empty \
         list.\n",
    );
    for (name, text) in texts() {
        let _ = write!(
            page,
            "\n## {name}\n\n| key | value | default | clause | asks for |\n|---|---|---|---|---|\n"
        );
        let base = TEXTS.into_iter().find(|base| base.name == text.name && !std::ptr::eq(*base, text));
        let mut told = std::collections::BTreeSet::new();
        if let Some(base) = base {
            let choices = with_sides(base);
            base.rows(&choices, &mut |permits| {
                told.insert(lines(base, &choices, permits));
            });
        }
        let choices = with_sides(text);
        text.rows(&choices, &mut |permits| {
            let lines = lines(text, &choices, permits);
            if !told.contains(&lines) {
                page.push_str(&lines);
            }
        });
        if TEXTS.iter().any(|base| std::ptr::eq(*base, text)) {
            let _ = write!(
                page,
                "\nA table that a person deals needs these entries in the register before it takes chips that were \
                    bought, as \
                 far as it has what they speak of:\n\n| clause | kind | entry | due |\n|---|---|---|---|\n"
            );
            for entry in text.possible_entries() {
                let due = if entry.due == Frequency::Daily { "each gaming day" } else { "once" };
                let _ =
                    writeln!(page, "| {} | {} | {} | {due} |", entry.by.id(), entry.kind.word(), entry.what);
            }
        }
    }
    page
}

/// `docs/values.md` is generated from the texts.
#[test]
fn the_page_of_permitted_values_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/values.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, page()).expect("the page can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page(), "UPDATE=1 writes docs/values.md anew");
}
