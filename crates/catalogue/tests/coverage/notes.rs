//! Checks the references to `regulations/notes.md`: from the catalogue, comments, documents and cases.

use crate::{files, name, read, root};
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

/// Returns whether a word such as `Q12`, `Q31e` or `A3` names a note.
fn is_note(word: &str) -> bool {
    let Some(number) = word.strip_prefix(['Q', 'A']) else { return false };
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (1..3).contains(&digits.len())
        && number.len() - digits.len() < 2
        && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the notes that a text names.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_note(word))
}

#[test]
fn a_note_may_have_a_letter() {
    assert!(["Q1", "Q28a", "Q31e", "A30"].into_iter().all(is_note));
    assert!(["Q", "Qa", "Q123", "Q1ab", "B1", "A1B", "As"].into_iter().all(|word| !is_note(word)));
    assert_eq!(named("(Q31e, A3); Ac Qd").collect::<Vec<_>>(), ["Q31e", "A3"]);
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
        for word in [row.notes, row.honoured].into_iter().flat_map(named) {
            pointers += 1;
            assert!(notes.contains(word), "{} ({}) names {word}, which is not in notes.md", row.id, row.text);
        }
    }
    assert!(pointers > 300, "{pointers}");
}

/// Returns the beginning of the section of notes that a file is about, empty for a file about several texts.
fn section_of(file: &str) -> &'static str {
    let about = |words: &[&str]| words.iter().any(|word| file.contains(word));
    if about(&["nj_blackjack", "cases/nj/2."]) {
        "Blackjack ("
    } else if about(&["switch", "cases/nj/2A.", "cases/ma/"]) {
        "Blackjack Switch"
    } else if about(&["attack", "cases/nj/26.", "cases/nj/36."]) {
        "Double and Triple"
    } else {
        ""
    }
}

/// Every note that a comment, a document or a case names is there, in the section of the file's text.
#[test]
fn no_comment_document_or_case_points_to_a_note_that_is_not_there() {
    let sections = sections();
    let mut pointers = 0;
    let mut dangling = Vec::new();
    for (folder, ending, comment) in [
        ("crates", ".rs", "//"),
        ("oracles", ".py", "#"),
        ("docs", ".md", ""),
        ("cases", ".md", ""),
        ("regulations", ".md", ""),
    ] {
        for path in files(&root().join(folder), ending) {
            let (file, text) = (name(&path), read(&path));
            let title = section_of(&file);
            let is_there = |note: &str| {
                sections.iter().any(|(name, notes)| name.starts_with(title) && notes.contains(note))
            };
            let said = text.lines().filter_map(|line| line.split_once(comment).map(|(_, said)| said));
            for note in said.flat_map(named) {
                pointers += 1;
                if !is_there(note) {
                    dangling.push(format!("{file} names {note}"));
                }
            }
        }
    }
    assert!(dangling.is_empty(), "not in notes.md:\n{}", dangling.join("\n"));
    assert!(pointers > 200, "{pointers}");
}

/// The headings of all cases, with their files.
fn case_headings() -> Vec<(String, String)> {
    let mut headings = Vec::new();
    for path in files(&root().join("cases"), ".md") {
        let of_cases = read(&path);
        let titles = of_cases.lines().filter_map(|line| line.strip_prefix("## "));
        headings.extend(titles.map(|title| (name(&path), title.to_string())));
    }
    headings
}

/// Returns the rows of the table in the section of the notes with this heading, without its first row.
fn rows_of<'a>(notes: &'a str, section: &str) -> Vec<&'a str> {
    let (_, rest) = notes.split_once(&format!("\n## {section}\n")).expect("the section");
    let table = rest.split("\n## ").next().unwrap_or_default();
    let rows = table.lines().filter(|line| line.starts_with("| "));
    rows.skip(1).map(|line| line.trim_matches(['|', ' '])).collect()
}

/// Asserts that the cases which a cell of the notes names exist in the files that stand beside them, and returns how
/// many it names.
fn assert_cases_exist(proof: &str, headings: &[(String, String)]) -> usize {
    let marked = |mark: char| proof.split(mark).skip(1).step_by(2);
    // `2A.15` is short for `cases/nj/2A.15`
    let begins = |file: &str, short: &str| {
        let long = if short.starts_with("cases/") { short.to_string() } else { format!("cases/nj/{short}") };
        file.starts_with(&format!("{long}-"))
    };
    let has = |words: &str| {
        headings
            .iter()
            .any(|(file, title)| title.contains(words) && marked('`').any(|short| begins(file, short)))
    };
    let mut named = 0;
    for title in marked('"') {
        named += 1;
        assert!(has(title.trim_end_matches(" ...")), "{proof}: there is no case `{title}`");
    }
    for rest in ["the case of ", "the cases of "].into_iter().flat_map(|words| proof.split(words).skip(1)) {
        let clause = rest.split([' ', ',', ';']).next().unwrap_or_default();
        if clause.starts_with(|first: char| first.is_ascii_digit()) {
            named += 1;
            assert!(has(clause), "{proof}: there is no case of {clause}");
        }
    }
    named
}

/// The cases by which the notes prove whom the irregularities bind exist, in the files that are named beside them.
#[test]
fn the_cases_on_whom_the_irregularities_bind_exist() {
    let (notes, headings) = (read(&root().join("regulations/notes.md")), case_headings());
    let rows = rows_of(&notes, "Whom the irregularities bind");
    let proofs = rows.iter().map(|row| row.rsplit(" | ").next().unwrap_or_default());
    let named: usize = proofs.map(|proof| assert_cases_exist(proof, &headings)).sum();
    assert!(named > 30, "{named}");
}

/// Each ruling has a row in the notes with cases of the default and of the other reading, which exist; a case sets
/// each other reading; and an oracle plays it.
#[test]
fn both_readings_of_each_ruling_have_cases_and_an_oracle() {
    let (notes, headings) = (read(&root().join("regulations/notes.md")), case_headings());
    let rows = rows_of(&notes, "Both readings of each ruling");
    let all = |folder: &str, ending: &str| -> String {
        files(&root().join(folder), ending).iter().map(|path| read(path)).collect()
    };
    let (cases, oracles) = (all("cases", ".md"), all("oracles", ".py"));
    assert_eq!(rows.len(), rules::ruling::RULINGS.len());
    for ruling in rules::ruling::RULINGS {
        let key = ruling.key;
        let row = rows.iter().find(|row| row.starts_with(&format!("`{key}` | ")));
        let row = row.unwrap_or_else(|| panic!("{key} has no row in notes.md"));
        let proof = row.rsplit(" | ").next().unwrap_or_default();
        let (default, other) = proof.split_once("; other: ").unwrap_or_default();
        assert!(default.starts_with("default: ") && default.contains('"') && other.contains('"'), "{row}");
        assert_cases_exist(proof, &headings);
        for word in &ruling.readings[1..] {
            assert!(cases.contains(&format!("rulings.{key}={word}")), "no case sets {key} to {word}");
            let plays = oracles.contains(&format!("\"{key}\"")) && oracles.contains(&format!("\"{word}\""));
            assert!(plays, "no oracle plays {key} = {word}");
        }
    }
}
