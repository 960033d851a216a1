//! Checks the references from the catalogue to `regulations/notes.md`.

use rules::clause::catalogue;
use std::collections::BTreeSet;

/// Returns the heading of each section of the file with the notes that it defines.
fn sections() -> Vec<(String, BTreeSet<String>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../regulations/notes.md");
    let file = std::fs::read_to_string(path).expect("the notes are part of the repository");
    let mut sections: Vec<(String, BTreeSet<String>)> = Vec::new();
    for line in file.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push((title.to_string(), BTreeSet::new()));
        } else if let (Some((_, notes)), Some(rest)) = (sections.last_mut(), line.strip_prefix("| ")) {
            notes.extend(rest.split(' ').next().filter(|word| is_note(word)).map(String::from));
        }
    }
    sections
}

/// Returns whether a word such as `Q12` or `A3` names a note.
fn is_note(word: &str) -> bool {
    let number = word.strip_prefix(['Q', 'A']);
    number.is_some_and(|n| !n.is_empty() && n.len() < 3 && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Each number names only one note of its section.
#[test]
fn no_note_is_numbered_twice() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../regulations/notes.md");
    let file = std::fs::read_to_string(path).expect("the notes are part of the repository");
    for section in file.split("\n## ") {
        let mut seen = BTreeSet::new();
        for line in section.lines().filter_map(|line| line.strip_prefix("| ")) {
            let number = line.split(' ').next().unwrap_or("");
            assert!(!is_note(number) || seen.insert(number), "{number} is numbered twice");
        }
    }
}

/// Every note says what is unclear and how it is read, and the notes of a section are in the order of their numbers.
#[test]
fn notes_are_complete_and_in_order() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../regulations/notes.md");
    let file = std::fs::read_to_string(path).expect("the notes are part of the repository");
    let mut notes = 0;
    for section in file.split("\n## ") {
        let mut last = (0, "");
        for line in section.lines().filter(|line| line.starts_with("| Q") || line.starts_with("| A")) {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            assert!(cells.len() == 4 && cells.iter().all(|cell| cell.len() > 1), "{line}");
            let letter = cells[0].trim_start_matches(|c: char| !c.is_lowercase());
            let digits = cells[0][1..].trim_end_matches(letter);
            let number = (digits.parse::<u32>().expect("a number"), letter);
            assert!(last < number, "{} is out of order", cells[0]);
            last = number;
            notes += 1;
        }
    }
    assert!(notes > 100, "{notes}");
}

/// Every note that a row refers to is in the section of its regulation.
#[test]
fn no_row_points_to_a_note_that_is_not_there() {
    let sections = sections();
    let mut pointers = 0;
    for row in catalogue() {
        let title = match row.text {
            "nj-blackjack" => "Blackjack (",
            "nj-switch" | "ma-switch" => "Blackjack Switch",
            _ => "Double and Triple",
        };
        let (_, notes) =
            sections.iter().find(|(name, _)| name.starts_with(title)).expect("a section of the text");
        let words = [row.notes, row.honoured].into_iter();
        for word in words.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric())) {
            if is_note(word) {
                pointers += 1;
                assert!(
                    notes.contains(word),
                    "{} ({}) names {word}, which is not in notes.md",
                    row.id,
                    row.text
                );
            }
        }
    }
    assert!(pointers > 300, "{pointers}");
}
