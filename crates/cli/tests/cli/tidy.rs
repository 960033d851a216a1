//! Checks what a formatter and a linter do not: sizes, headers, leftovers and machine-specific paths.

use std::collections::BTreeMap;
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

/// Every test that the report of attacks names exists: as a module, or as a part of a test's name.
#[test]
fn reported_attacks_have_tests() {
    let evidence = fs::read_to_string(root().join("docs/house/evidence.md")).expect("the evidence");
    let attacks = evidence.split("\n## ").find(|part| part.starts_with("Attacks")).expect("such a section");
    let sources: Vec<(String, String)> = files(&root().join("crates"), &[".rs"])
        .into_iter()
        .map(|path| {
            let module = path.file_stem().unwrap_or_default().to_string_lossy().to_string();
            (module, fs::read_to_string(&path).expect("a source"))
        })
        .collect();
    let is_test = |name: &str, text: &str| {
        text.lines().any(|line| line.split_once("fn ").is_some_and(|(_, rest)| rest.contains(name)))
    };
    let mut named = 0;
    // attack, test, what must hold
    for tests in attacks.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").nth(1)) {
        for quoted in tests.split('`').skip(1).step_by(2) {
            let filter = quoted.split_once("test(").and_then(|(_, rest)| rest.split(')').next());
            let name = filter.unwrap_or(quoted).trim_end_matches("::");
            let found = sources.iter().any(|(module, text)| module == name || is_test(name, text));
            assert!(found, "there is no test `{name}`");
            named += 1;
        }
    }
    assert!(named > 12, "{named}");
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
    ("documents", 9, "charts read back from a card, and the settings in a part file"),
    ("cli", 4, "checkpoints of an atlas, the request to Ray"),
    ("program", 7, "a chart, as `--strategy` reads it"),
    ("server", 28, "OpenAPI and AsyncAPI: examples, frames, unions"),
    ("sim", 7, "part files: rows of numbers without names"),
    ("simtest", 31, "what simulated people send"),
];

/// Returns the source of every file of every crate without its tests, each with the path of the file.
fn own_sources() -> Vec<(String, String)> {
    let folder = root().join("crates");
    let path_of = |path: &Path| {
        let path = path.strip_prefix(&folder).expect("a file of a crate");
        path.to_string_lossy().replace('\\', "/")
    };
    let mut found = Vec::new();
    for crate_folder in fs::read_dir(&folder).expect("crates").filter_map(Result::ok) {
        for path in files(&crate_folder.path().join("src"), &[".rs"]) {
            let name = path_of(&path);
            if !name.ends_with("/tests.rs") && !name.contains("/tests/") {
                let text = fs::read_to_string(&path).expect("a source");
                found.push((name, text.split("#[cfg(test)]").next().unwrap_or_default().to_string()));
            }
        }
    }
    found
}

/// Adds up a number for each file by the first part of its path, and leaves out zeros.
fn by_folder(files: &[(String, String)], count: impl Fn(&str) -> usize) -> BTreeMap<String, usize> {
    let mut sums = BTreeMap::new();
    for (path, text) in files {
        let folder = path.split('/').next().unwrap_or_default();
        *sums.entry(folder.to_string()).or_default() += count(text);
    }
    sums.retain(|_, sum| *sum > 0);
    sums
}

/// Fails unless these are the known numbers, which may only shrink.
fn only_shrinks(what: &str, known: &[(&str, usize)], found: BTreeMap<String, usize>) {
    let known: BTreeMap<String, usize> = known.iter().map(|(name, sum)| (name.to_string(), *sum)).collect();
    assert_eq!(found, known, "{what}: make the number smaller, or lower it here");
}

#[test]
fn documents_are_types() {
    let known: Vec<(&str, usize)> = JSON_BY_HAND.iter().map(|(name, sum, _)| (*name, *sum)).collect();
    let found = by_folder(&own_sources(), |text| text.matches("json!(").count());
    only_shrinks("`json!` by crate", &known, found);
}

/// Files outside the texts that cite a clause of New Jersey by its number, with the number of places. What only one
/// regulation says belongs into its text, as a part that others lack.
#[rustfmt::skip]
const CLAUSES_OUTSIDE_TEXTS: [(&str, usize); 5] = [
    ("server/src/house_file/alike.rs", 1),
    ("server/src/notices.rs", 2),
    ("table/src/decide.rs", 2),
    ("table/src/settlement.rs", 2),
    ("table/src/shoe/procedure.rs", 1),
];

#[test]
fn clauses_stand_in_their_texts() {
    let cited = own_sources().into_iter().filter(|(path, _)| !path.starts_with("rules/"));
    let places = cited.map(|(path, text)| (path, text.matches("clause!(\"19:47").count()));
    only_shrinks(
        "clauses outside their text",
        &CLAUSES_OUTSIDE_TEXTS,
        places.filter(|(_, n)| *n > 0).collect(),
    );
}

/// The longest a function of the program or of the page should be, in lines.
const MOST_FUNCTION_LINES: (usize, usize) = (70, 60);

/// Longer functions by crate.
const LONG_FUNCTIONS: [(&str, usize); 9] = [
    ("cli", 1),
    ("documents", 2),
    ("exact", 2),
    ("ledger", 1),
    ("program", 1),
    ("server", 8),
    ("side", 1),
    ("sim", 1),
    ("table", 10),
];

/// Longer functions of the page by room.
const LONG_PAGE_FUNCTIONS: [(&str, usize); 9] = [
    ("account", 3),
    ("app.js", 2),
    ("felt", 5),
    ("lab", 13),
    ("play", 6),
    ("review", 5),
    ("shared", 3),
    ("staff", 15),
    ("train", 2),
];

/// Parameters whose type is a tuple, by crate: a name for each part reads better.
const TUPLE_PARAMETERS: [(&str, usize); 12] = [
    ("cli", 4),
    ("documents", 20),
    ("exact", 70),
    ("gym", 1),
    ("ledger", 15),
    ("program", 1),
    ("rules", 1),
    ("server", 38),
    ("side", 8),
    ("sim", 8),
    ("simtest", 2),
    ("table", 2),
];

fn begins_function(line: &str) -> bool {
    let modifiers = ["pub", "pub(crate)", "pub(super)", "const", "async", "unsafe"];
    line.split_whitespace().find(|word| !modifiers.contains(word)) == Some("fn")
}

/// Returns whether a line of the page begins a function, a constant that is one, or a method.
fn begins_page_function(line: &str) -> bool {
    let words = line.trim_start().trim_start_matches("export ").trim_start_matches("async ");
    let name = words.split('(').next().unwrap_or_default();
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
    words.starts_with("function ")
        || words.starts_with("const ") && words.ends_with("=> {")
        || line.starts_with("  ") && plain && words.ends_with(") {")
}

/// Returns how many functions have more lines than this, from the line that begins one to the brace that closes it.
fn long_functions(text: &str, begins: fn(&str) -> bool, most: usize) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let is_long = |at: &usize| {
        let indent = &lines[*at][..lines[*at].len() - lines[*at].trim_start().len()];
        let (body, declared) = (format!("{indent}}}"), format!("{indent})"));
        let ends =
            |line: &&str| line.starts_with(&body) || line.starts_with(&declared) && line.ends_with(';');
        let more = lines[at + 1..].iter().position(ends).unwrap_or_default();
        begins(lines[*at]) && !lines[*at].ends_with(['}', ';']) && more + 2 > most
    };
    (0..lines.len()).filter(is_long).count()
}

/// Returns how many parameters of a source's functions are tuples.
fn tuple_parameters(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let signature = |at: usize| {
        let end = lines[at..].iter().position(|line| line.ends_with(['{', ';', '}'])).unwrap_or_default();
        lines[at..=at + end].join(" ").split(" -> ").next().unwrap_or_default().to_string()
    };
    let is_tuple = |rest: &str| {
        let rest = rest.trim_start_matches('&').trim_start_matches("mut ");
        rest.starts_with('(') && !rest.starts_with("()")
    };
    let begun = (0..lines.len()).filter(|at| begins_function(lines[*at])).map(signature);
    begun.map(|text| text.split(": ").skip(1).filter(|rest| is_tuple(rest)).count()).sum()
}

#[test]
fn functions_are_short_and_their_parameters_have_names() {
    let (most, page) = MOST_FUNCTION_LINES;
    let sources = own_sources();
    let long = by_folder(&sources, |text| long_functions(text, begins_function, most));
    only_shrinks("functions over 70 lines", &LONG_FUNCTIONS, long);
    only_shrinks("parameters that are tuples", &TUPLE_PARAMETERS, by_folder(&sources, tuple_parameters));
    let folder = root().join("crates/server/web/page");
    let modules: Vec<(String, String)> = files(&folder, &[".js"])
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a module of the page");
            (path.strip_prefix(&folder).expect("of the page").to_string_lossy().replace('\\', "/"), text)
        })
        .collect();
    let long = by_folder(&modules, |text| long_functions(text, begins_page_function, page));
    only_shrinks("functions of the page over 60 lines", &LONG_PAGE_FUNCTIONS, long);
}
