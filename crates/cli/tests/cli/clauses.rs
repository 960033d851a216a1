//! Tests `cutcard clauses` from outside.

use crate::{cutcard, document, status, stderr, stdout};

#[test]
fn the_document_holds_every_row_with_all_its_fields() {
    let output = cutcard(&["clauses", "--json"]);
    assert_eq!(status(&output), 0);
    let document = document(&output);
    let clauses = document["clauses"].as_array().expect("a list");
    assert_eq!(clauses.len(), 1546);
    assert_eq!(document["counts"]["all"]["total"], 1546);
    for clause in clauses {
        for field in
            ["id", "game", "kind", "force", "actor", "section", "topic", "summary", "honoured", "state"]
        {
            let text = clause[field].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{field} of {clause}");
        }
        assert!(clause["cited_in"].is_array() && clause["proven_by"].is_array(), "{clause}");
    }
}

#[test]
fn the_catalogue_is_cut_by_kind_game_and_state() {
    let of = |arguments: &[&str]| {
        let output = cutcard(&[&["clauses", "--json"], arguments].concat());
        document(&output)["clauses"].as_array().expect("a list").clone()
    };
    let some = of(&["--kind", "irregularity", "--game", "ma-switch"]);
    assert!(!some.is_empty());
    assert!(
        some.iter()
            .all(|c| c["kind"] == "irregularity" && c["game"] == "switch" && c["jurisdiction"] == "ma")
    );
    let physical = of(&["--kind", "physical"]);
    assert!(!physical.is_empty());
    // physical requirements are explained, or proven where software can show them after all
    assert!(physical.iter().all(|c| c["state"] == "explained" || c["state"] == "proven"));
}

/// A number that the regulation uses twice returns both clauses, and an unknown number is reported as missing.
#[test]
fn a_number_is_answered_with_all_that_stands_under_it() {
    let output = cutcard(&["clauses", "36.5(d)", "--json"]);
    assert_eq!(status(&output), 0);
    let document = document(&output);
    let ids: Vec<&str> =
        document["clauses"].as_array().expect("a list").iter().filter_map(|c| c["id"].as_str()).collect();
    assert!(ids.contains(&"19:47-36.5(d.1)") && ids.contains(&"19:47-36.5(d.2)"), "{ids:?}");
    assert!(ids.iter().all(|id| id.starts_with("19:47-36.5(d.")), "{ids:?}");
    let unknown = cutcard(&["clauses", "99.9"]);
    assert_eq!(status(&unknown), 2);
    assert!(stderr(&unknown).contains("no clause 99.9"), "{}", stderr(&unknown));
}

#[test]
fn the_counts_close_the_text() {
    let output = cutcard(&["clauses", "--game", "double-attack", "--kind", "option"]);
    assert_eq!(status(&output), 0);
    let text = stdout(&output);
    assert!(text.starts_with("nj-double-attack"), "{text}");
    assert!(text.contains("    honoured  "), "{text}");
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("all "), "{last}");
}

#[test]
fn a_kind_that_is_not_known_is_status_2() {
    for arguments in
        [["clauses", "--kind", "rules"], ["clauses", "--game", "poker"], ["clauses", "--state", "done"]]
    {
        let output = cutcard(&arguments);
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains(arguments[2]), "{}", stderr(&output));
    }
}
