//! Checks what a formatter and a linter do not: sizes, headers, leftovers and machine-specific paths.

use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES: usize = 600;
const MOST_COLUMNS: usize = 124;

/// Markers of unfinished code, split so that this file passes its own test.
const LEFTOVERS: [&str; 6] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("unimple", "mented!"),
    concat!("to", "do!("),
    concat!("dbg", "!("),
];

/// Directories that exist only on one author's machine.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/tm", "p/")];

/// Directories with generated files.
const NOT_WRITTEN: [&str; 6] = ["target", ".git", "node_modules", "data", "corpus", "artifacts"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns every file below a directory whose name ends in one of `endings`.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder of the repository")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            if !NOT_WRITTEN.contains(&name.as_str()) {
                found.extend(files(&path, endings));
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found
}

/// Calls `judge` with each line of each file, and fails with all faults it returns.
fn every_line(endings: &[&str], judge: impl Fn(&str) -> Option<String>) {
    let mut faults = Vec::new();
    for path in files(&root(), endings) {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (at, line) in text.lines().enumerate() {
            if let Some(fault) = judge(line) {
                faults.push(format!("{}:{}: {fault}", path.display(), at + 1));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn nothing_is_left_over() {
    every_line(&[".rs", ".md", ".toml", ".sh", ".js", ".css", ".html", "test", "run"], |line| {
        let word = LEFTOVERS.iter().find(|word| line.contains(*word))?;
        Some(format!("`{word}` is left over"))
    });
}

#[test]
fn no_path_of_one_machine() {
    every_line(&[".rs", ".md", ".toml", ".sh", ".js", "test", "run"], |line| {
        let path = MACHINE_PATHS.iter().find(|path| line.contains(*path))?;
        Some(format!("`{path}` exists on one machine only"))
    });
}

#[test]
fn lines_fit_a_screen() {
    every_line(&[".rs"], |line| {
        let columns = line.chars().count();
        // a long string literal is better left unbroken
        (columns > MOST_COLUMNS && !line.contains('"')).then(|| format!("{columns} columns"))
    });
}

#[test]
fn files_are_small_and_say_what_they_hold() {
    let mut faults = Vec::new();
    for path in files(&root(), &[".rs", ".js", ".css"]) {
        let text = fs::read_to_string(&path).expect("a source file");
        let lines = text.lines().count();
        if lines > MOST_LINES {
            faults.push(format!("{}: {lines} lines, more than {MOST_LINES}", path.display()));
        }
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        if !text.starts_with("//! ") {
            faults.push(format!("{}: does not begin with what it holds", path.display()));
        }
        if !text.ends_with('\n') || text.ends_with("\n\n") {
            faults.push(format!("{}: must end in one line break", path.display()));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Every path of the repository that the documentation names exists.
#[test]
fn documented_paths_exist() {
    every_line(&[".md"], |line| {
        // every second part stands between backticks
        let mut quoted = line.split('`').skip(1).step_by(2);
        let missing = quoted.find(|path| {
            let ours = ["crates/", "docs/", "oracles/", "packaging/", "python/", "tools/"];
            let plain = path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b));
            ours.iter().any(|folder| path.starts_with(folder)) && plain && !root().join(path).exists()
        })?;
        Some(format!("there is no `{missing}`"))
    });
}

#[test]
fn no_test_is_ignored() {
    let ignored = concat!("#[ig", "nore");
    every_line(&[".rs"], |line| line.contains(ignored).then(|| "an ignored test proves nothing".to_string()));
}

/// What each room of the page may import from, besides its own files.
const ROOMS: [(&str, &[&str]); 8] = [
    ("shared", &[]),
    ("felt", &["shared"]),
    ("play", &["shared", "felt", "review"]),
    ("review", &["shared", "felt"]),
    ("train", &["shared", "felt", "play", "review"]),
    ("lab", &["shared", "felt", "play"]),
    ("staff", &["shared", "felt", "play"]),
    ("account", &["shared"]),
];

#[test]
fn rooms_of_the_page_import_one_way() {
    let page = root().join("crates/server/web/page");
    let mut faults = Vec::new();
    for (room, may) in ROOMS {
        let modules = files(&page.join(room), &[".js"]);
        assert!(!modules.is_empty(), "{room} is empty");
        for path in modules {
            let text = fs::read_to_string(&path).expect("a module of the page");
            // a type in a comment is no import
            let code = text.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
            for other in code.filter_map(|line| Some(line.split_once("'../")?.1.split_once('/')?.0)) {
                let known = ROOMS.iter().any(|(room, _)| *room == other);
                if known && other != room && !may.contains(&other) {
                    faults.push(format!("{} imports from {other}", path.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Where JSON is still put together by hand outside tests: the crate, the number of places, and why. Documents have types;
/// this list only becomes shorter.
#[rustfmt::skip]
const JSON_BY_HAND: [(&str, usize, &str); 6] = [
    ("documents", 49, "reports, which have no types yet, charts read back from a card, and the settings in a part file"),
    ("cli", 9, "the filing block of a report, checkpoints of an atlas, the request to Ray"),
    ("program", 7, "a chart, as `--strategy` reads it"),
    ("server", 58, "OpenAPI and AsyncAPI: examples, frames, unions"),
    ("sim", 7, "part files: rows of numbers without names"),
    ("simtest", 40, "what simulated people send"),
];

#[test]
fn documents_are_types() {
    for crate_folder in fs::read_dir(root().join("crates")).expect("crates").filter_map(Result::ok) {
        let name = crate_folder.file_name().to_string_lossy().to_string();
        let sources = files(&crate_folder.path().join("src"), &[".rs"]);
        let own = sources.iter().filter(|path| !path.ends_with("tests.rs"));
        let text = own.map(|path| fs::read_to_string(path).expect("a source"));
        let by_hand: usize = text
            .map(|text| text.split("#[cfg(test)]").next().unwrap_or_default().matches("json!(").count())
            .sum();
        let known =
            JSON_BY_HAND.iter().find(|(known, ..)| *known == name).map_or(0, |(_, places, _)| *places);
        assert_eq!(by_hand, known, "`json!` in {name}: give the document a type, or lower the number");
    }
}
