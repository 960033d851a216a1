//! The values that each text permits: every text, key and value, and the page of the documentation that lists them.

use rules::file::KEYS;
use rules::lawful::{Kind, check};
use rules::text::entries::Due;
use rules::text::values::{Permits, READINGS, reading, value_of};
use rules::text::{TEXTS, Text};
use rules::{Choices, file};
use std::fmt::Write;

/// Every text with its variations, and the words for it.
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

/// The numbers that are tried: beyond every limit of the texts on both sides.
const NUMBERS: [&str; 14] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"];

/// The keys that count things of which every text speaks.
const COUNTS: [&str; 5] = ["decks", "positions", "split_hands", "bettors_per_box", "boxes_per_player"];

/// The keys that take words, truth values or the numbers of which the texts speak, but for those that choose the text.
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

fn of(text: &'static Text, key: &str) -> &'static Permits {
    text.permits().find(|permits| permits.key == key).unwrap_or_else(|| panic!("{} has no {key}", text.name))
}

/// Each value is permitted by a clause of the text, or rejected by one; and the check says the same.
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
                    // this value chooses another variation, whose own rows are walked
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

/// A preset breaks nothing, and no row names a key or a word that there is not.
#[test]
fn rows_name_keys_and_words_that_exist() {
    for (name, text) in texts() {
        for permits in text.permits() {
            let key = KEYS.iter().find(|key| key.name == permits.key).expect("a key");
            for value in permits.values {
                let known = key.words.is_none_or(|words| words.contains(&value.is));
                assert!(known, "{name} {}={}", permits.key, value.is);
            }
        }
    }
}

/// A value that no clause grants in words is permitted all the same, and its note stands in `regulations/notes.md`.
#[test]
fn readings_are_of_permitted_values_and_noted() {
    let notes = include_str!("../../../../regulations/notes.md");
    for row in READINGS {
        let text = TEXTS.iter().find(|text| text.name == row.text).expect("a text");
        assert!(of(text, row.key).find(row.value).is_some(), "{} {}={}", row.text, row.key, row.value);
        let number = row.why.split(',').next().unwrap_or("");
        assert!(
            row.why.starts_with("no effect") || notes.contains(&format!("\n| {number} |")),
            "{}",
            row.why
        );
    }
    assert_eq!(reading("nj-blackjack", "surrender_settled", "at-once"), Some("Q17, not in words"));
    assert_eq!(reading("nj-blackjack", "surrender_settled", "at-disclosure"), None);
}

/// What a value asks for has its kind, and only violations are of the kind `violation`.
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

/// The clauses whose entries a table needs.
fn entries(preset: &str, overrides: &[&str]) -> Vec<&'static str> {
    let choices = crate::table(preset, overrides);
    choices.text().entries(&choices).into_iter().map(|entry| entry.by.id()).collect()
}

/// "As approved by the Commission" asks for an entry, where the table has the thing that is approved.
#[test]
fn what_is_approved_is_entered() {
    let needs = |preset: &str, overrides: &[&str], by: &str| entries(preset, overrides).contains(&by);
    let own = "own_procedures=[\"no-cutting-card\"]";
    for (preset, by) in [
        ("nj-blackjack", "19:47-2.2(a)#5"),
        ("nj-switch", "19:47-2A.2(a)#5"),
        ("nj-double-attack", "19:47-26.2(a)#8"),
    ] {
        assert!(needs(preset, &[], by), "{by}");
        assert!(!needs(preset, &[own], by), "{by} without a cutting card");
    }
    for (preset, by) in [("nj-double-attack", "19:47-26.3(b)#3"), ("nj-triple-attack", "19:47-36.3(b)#3")] {
        assert!(needs(preset, &["shuffle=automated"], by), "{by}");
        assert!(!needs(preset, &["shuffle=pre-shuffled"], by), "{by}: no ten is taken out at the table");
    }
    for (preset, with, by) in [
        ("nj-switch", "shuffle=automated", "19:47-2A.15(i)"),
        ("nj-double-attack", "shuffle=automated", "19:47-26.15(j)"),
        ("nj-switch", "hole_card=reader", "19:46-1.10C(f)"),
    ] {
        assert!(needs(preset, &[with], by), "{by}");
        assert!(!needs(preset, &["shuffle=manual", "hole_card=down"], by), "{by} without {with}");
    }
    for (preset, by) in [
        ("nj-switch", "19:46-1.10C(d)"),
        ("nj-double-attack", "19:47-26.15(b)"),
        ("nj-triple-attack", "19:47-36.14(b)"),
        ("nj-triple-attack", "19:46-1.17(g)#2"),
    ] {
        assert!(needs(preset, &["shuffle=pre-shuffled"], by), "{by}");
    }
    assert!(
        !needs("nj-triple-attack", &["shuffle=automated"], "19:47-26.15(j)"),
        "36.14(j) asks for no approval"
    );
}

fn page() -> String {
    let mut page = String::from(
        "# Permitted values\n\nWhich values each text permits for the keys of a table file, and by which clause. \
         Made from the texts by \
         `UPDATE=1 cargo test -p cutcard-rules --test rules values`; a variation lists only \
         what it has otherwise. What two keys exclude \
         together is told by `cutcard check`.\n",
    );
    for (name, text) in texts() {
        let own = text.values.first().copied().unwrap_or(&[]);
        let _ = write!(page, "\n## {name}\n\n| key | value | clause | asks for |\n|---|---|---|---|\n");
        for permits in own {
            for value in permits.values {
                let asks: Vec<String> = value
                    .asks
                    .iter()
                    .map(|asks| format!("{} ({})", asks.kind.word(), asks.by.id()))
                    .collect();
                let by = match reading(text.name, permits.key, value.is) {
                    Some(reading) => format!("{} ({reading})", value.by.id()),
                    None => value.by.id().to_string(),
                };
                let _ = writeln!(page, "| `{}` | `{}` | {by} | {} |", permits.key, value.is, asks.join(", "));
            }
            for rejects in permits.rejects {
                let is =
                    if rejects.is.is_empty() { "any other".to_string() } else { format!("`{}`", rejects.is) };
                let _ = writeln!(page, "| `{}` | {is} | not permitted: {} | |", permits.key, rejects.by.id());
            }
        }
        if TEXTS.iter().any(|base| std::ptr::eq(*base, text)) {
            let _ = write!(
                page,
                "\nA table that a person deals needs these entries in the register before it takes chips that were bought, as \
                 far as it has what they speak of:\n\n| clause | kind | entry | due |\n|---|---|---|---|\n"
            );
            for entry in text.possible_entries() {
                let due = if entry.due == Due::Daily { "each gaming day" } else { "once" };
                let _ =
                    writeln!(page, "| {} | {} | {} | {due} |", entry.by.id(), entry.kind.word(), entry.what);
            }
        }
    }
    page
}

/// `docs/values.md` is made from the texts.
#[test]
fn the_page_of_permitted_values_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/values.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, page()).expect("the page can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page(), "UPDATE=1 writes docs/values.md anew");
}
