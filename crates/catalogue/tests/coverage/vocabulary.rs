//! Checks that everything that `honoured` names exists: keys of the table file, steps of the script, parts of the code,
//! irregularities and events of the table.

use crate::root;
use rules::clause::{Row, catalogue};
use std::collections::BTreeSet;
use std::fs;

/// The prefixes with which `honoured` must start.
const OPENINGS: [&str; 9] =
    ["rules::", "table: ", "key ", "section ", "sections ", "record: ", "view: ", "physical: ", "reason: "];

/// Returns every word that follows `word` in a phrase.
fn after<'a>(phrase: &'a str, word: &str) -> Vec<&'a str> {
    phrase
        .split(word)
        .skip(1)
        .map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !"_.-".contains(c)).unwrap_or(rest.len());
            rest[..end].trim_end_matches(['.', '-'])
        })
        .collect()
}

fn every_row(judge: impl Fn(&Row) -> Vec<String>) {
    let faults: Vec<String> = catalogue()
        .iter()
        .flat_map(|row| judge(row).into_iter().map(move |fault| format!("{} {}: {fault}", row.text, row.id)))
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

fn missing(words: Vec<&str>, known: &dyn Fn(&str) -> bool) -> Vec<String> {
    words.into_iter().filter(|word| !known(word)).map(|word| format!("there is no `{word}`")).collect()
}

#[test]
fn every_row_opens_with_what_honours_it() {
    every_row(|row| {
        let opens = OPENINGS.iter().any(|opening| row.honoured.starts_with(opening));
        let physical = (row.kind == "physical") == row.honoured.starts_with("physical: ");
        match (opens, physical) {
            (true, true) => vec![],
            _ => vec![format!("`{}` for a row of kind {}", row.honoured, row.kind)],
        }
    });
}

#[test]
fn the_keys_and_sections_exist() {
    let choices = rules::preset::preset("nj-blackjack").expect("a preset");
    let known = |key: &str| {
        let side = ["paytable", "odds", "minimum", "maximum", "meter", "seed", "rate", "awards", "cap"];
        // the message for an unknown key says so; the message for a known key is about the value
        let refusal = rules::file::set(&mut choices.clone(), &format!("{key}=nonsense")).err();
        side.contains(&key) || refusal.is_none_or(|error| !error.message.starts_with("unknown key"))
    };
    assert!(known("rulings.lone_seven") && !known("rulings.lone_eight") && !known("deck"));
    every_row(|row| missing(after(row.honoured, "key "), &known));
    let names: BTreeSet<&str> = rules::SideWager::WORDS.iter().copied().collect();
    every_row(|row| missing(after(row.honoured, "side_wagers."), &|name| names.contains(name)));
}

/// Returns whether a path such as `settle::surrender` exists: follows modules as far as there are files, then looks for
/// the word in the last one.
fn is_part(path: &str) -> bool {
    let mut folder = root().join("crates/rules/src");
    let mut text = fs::read_to_string(folder.join("lib.rs")).expect("a source file");
    path.split("::").all(|part| {
        let module = [folder.join(part).join("mod.rs"), folder.join(part).with_extension("rs")];
        match module.iter().find_map(|file| fs::read_to_string(file).ok()) {
            Some(inner) => {
                text = inner;
                folder.push(part);
                true
            }
            None => text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == part),
        }
    })
}

#[test]
fn the_parts_of_the_code_exist() {
    assert!(is_part("settle::surrender") && is_part("lawful::side_wagers"));
    assert!(!is_part("settle::surrendering") && !is_part("lawful::sidewagers"));
    every_row(|row| {
        row.honoured
            .split("rules::")
            .skip(1)
            .map(|rest| {
                let path = rest.split([',', ';', ' ', ')']).next().unwrap_or("");
                path.trim_end_matches(':')
            })
            .filter(|path| !is_part(path))
            .map(|path| format!("there is no rules::{path}"))
            .collect()
    });
}

#[test]
fn the_steps_exist() {
    let script = fs::read_to_string(root().join("crates/rules/src/script.rs")).expect("the script");
    let known =
        |step: &str| script.contains(&format!("    {step},")) || script.contains(&format!("    {step}("));
    every_row(|row| {
        let steps = after(row.honoured, "step ");
        let steps = steps.into_iter().filter(|step| step.starts_with(char::is_uppercase));
        missing(steps.collect(), &known)
    });
}

/// Checks the names of irregularities, events, commands and procedures. Checks nothing if the source files of `table`
/// are missing.
#[test]
fn the_words_of_the_table_exist() {
    let source = root().join("crates/table/src");
    let read = |file: &str| fs::read_to_string(source.join(file));
    let (Ok(irregular), Ok(event), Ok(command), Ok(shoe)) =
        (read("irregular.rs"), read("event.rs"), read("command.rs"), read("shoe.rs"))
    else {
        return;
    };
    let variant = |text: &str, name: &str| {
        [",", "(", " {", " as "].iter().any(|end| text.contains(&format!("    {name}{end}")))
    };
    let camel = |name: &str| -> String {
        name.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
    };
    every_row(|row| {
        let mut faults =
            missing(after(row.honoured, "irregularity "), &|name| variant(&irregular, &camel(name)));
        faults.extend(missing(after(row.honoured, "event "), &|name| variant(&event, name)));
        faults.extend(missing(after(row.honoured, "table: command "), &|name| variant(&command, name)));
        faults.extend(missing(after(row.honoured, "table: procedure "), &|name| variant(&shoe, name)));
        faults
    });
}

/// The rows of the house's own powers name every role that the program accepts, and no other.
#[test]
fn the_rows_of_the_house_name_who_may_use_them() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("a source file");
    let says = |id: &str, word: &str| {
        let row = catalogue().iter().find(|row| row.id == id).expect("a power of the house");
        row.summary.to_lowercase().contains(word)
    };
    let between = |text: &str, from: &str, to: &str| -> String {
        let found = text.split_once(from).and_then(|(_, rest)| rest.split_once(to));
        found.map_or_else(|| panic!("no `{from}` before `{to}`"), |(found, _)| found.to_string())
    };
    let accepts = between(&read("crates/table/src/decide.rs"), "fn void_round(", "\n    }\n");
    for (role, word) in [
        ("Role::Floorperson", "floorperson"),
        ("Role::Supervisor", "supervisor"),
        ("Role::Dealer", "dealer"),
        ("Role::Player", "player"),
    ] {
        assert_eq!(accepts.contains(role), says("HOUSE-VOID", word), "{word} ends a round");
    }
    for path in ["crates/server/src/tables/platform.rs", "crates/gym/src/live.rs"] {
        let alone = read(path).contains("None => Command::VoidRound { role: Role::Supervisor }");
        assert!(alone && says("HOUSE-VOID", "automatic table"), "{path}");
    }
    let requests = read("crates/server/src/tables/request.rs");
    let corrects =
        between(&between(&requests, "fn for_staff(", "Request::Approve"), "match self {", "Request::EndCall");
    assert!(corrects.contains("Request::Correct { .. }") && corrects.contains("Some(DEALER)"));
    for (word, named) in [("dealer", true), ("floorperson", false), ("supervisor", false)] {
        assert_eq!(says("HOUSE-CORRECTION", word), named, "{word} corrects a card");
    }
}
