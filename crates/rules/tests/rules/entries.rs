//! The entries of the register that each text requires, whatever the keys of a table say.

use rules::Clause;
use rules::file::KEYS;
use rules::lawful::Kind;
use rules::text::TEXTS;
use rules::text::entries::Frequency;

/// Returns the clauses whose entries a table needs.
fn entries(preset: &str, overrides: &[&str]) -> Vec<&'static str> {
    let choices = crate::table(preset, overrides);
    choices.text().entries(&choices).into_iter().map(|entry| entry.by.id()).collect()
}

/// "As approved by the Commission" requires an entry, if the table has the thing to be approved.
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
        assert!(!needs(preset, &[own], by), "{by} without a cut card");
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

/// The rules of Massachusetts do not name the inspection of 19:46-1.19(g), which binds every table of New Jersey.
#[test]
fn each_jurisdiction_has_its_own_entries() {
    for text in TEXTS {
        let foreign = |by: Clause| by.id().starts_with("MA-BJS") != (text.jurisdiction == "ma");
        let foreign: Vec<&str> =
            text.possible_entries().map(|entry| entry.by).filter(|by| foreign(*by)).map(Clause::id).collect();
        assert_eq!(foreign, [""; 0], "{}", text.name);
        let inspected = text.possible_entries().any(|entry| entry.by.id() == "19:46-1.19(g)");
        assert_eq!(inspected, text.jurisdiction == "nj", "{}", text.name);
    }
    assert_eq!(entries("ma-switch", &[]), [""; 0]);
    assert_eq!(entries("ma-switch", &["hole_card=reader"]), ["MA-BJS 7(l)(2)#4"]);
}

/// 2.2(e) holds notwithstanding 2.2(d): decks that alternate at 6 to 5 need no inspection of two batches.
#[test]
fn six_to_five_has_no_two_batches() {
    let needs = |preset: &str, by: &str| entries(preset, &["shuffle=automated"]).contains(&by);
    assert!(needs("nj-blackjack", "19:47-2.2(d)2"));
    assert!(!needs("nj-six-to-five", "19:47-2.2(d)2"));
    for by in ["19:47-2.2(a)#5", "19:47-2.5(j)2.i", "19:47-2.5(j)2.ii", "19:46-1.19(g)"] {
        assert!(needs("nj-six-to-five", by), "{by}");
    }
}

/// The submission names the dealing of double cards also where it is "face up at all tables": 2.10(c)#6.
#[test]
fn the_submission_names_the_double_card_however_dealt() {
    for double_card in ["up", "down", "on-request"] {
        let set = format!("double_card={double_card}");
        for preset in ["nj-blackjack", "nj-blackjack-face-up", "nj-six-to-five", "nj-multiple-action"] {
            assert!(entries(preset, &[&set]).contains(&"19:47-2.10(c)#6"), "{preset} {set}");
        }
    }
    assert!(!entries("nj-switch", &[]).contains(&"19:47-2.10(c)#6"));
}

/// Every entry names keys of a table file, and is no violation; one of each day says so.
#[test]
fn entries_name_their_keys() {
    let mut kinds = std::collections::BTreeSet::new();
    for entry in TEXTS.iter().flat_map(|text| text.possible_entries()) {
        let known =
            |key: &&str| key.starts_with("side_wagers.") || KEYS.iter().any(|known| known.name == *key);
        assert!(entry.keys.iter().all(known), "{}: {:?}", entry.by.id(), entry.keys);
        let daily = entry.sentence().ends_with(", on each gaming day");
        assert_eq!(daily, entry.due == Frequency::Daily, "{}", entry.by.id());
        kinds.insert(entry.kind);
    }
    assert_eq!(kinds, [Kind::Approval, Kind::Equipment, Kind::Staffing].into());
}
