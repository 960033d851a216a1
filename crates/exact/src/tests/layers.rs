//! The modules of this crate form layers: no module depends, directly or indirectly, on one that depends on it.
//!
//! `vocabulary` is at the bottom, and ranks, face-up cards and results are never bare numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the code of a source file without comments and without the tests at its end.
fn code_of(source: &str) -> String {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns the modules that a source file names after `crate::`.
///
/// Comments and the tests at its end are left out.
fn named(source: &str) -> BTreeSet<String> {
    let code = code_of(source);
    let mut found = BTreeSet::new();
    let mut add = |path: &str| {
        let word: String = path.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
        found.insert(word);
    };
    for after in code.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').for_each(|p| add(p.trim())),
            None => add(after),
        }
    }
    found.remove("");
    found
}

/// Adds every module in `folder` with the modules that it names.
///
/// Files in a directory belong to the directory's module.
fn graph(folder: &Path, of: Option<&str>, graph: &mut Graph) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().to_string();
        let module = of.unwrap_or(&name);
        if path.is_dir() {
            self::graph(&path, Some(module), graph);
        } else {
            let known = named(&fs::read_to_string(&path).expect("a source"));
            let own = graph.entry(module.to_string()).or_default();
            own.extend(known.into_iter().filter(|other| other != module));
        }
    }
}

/// Returns the modules that are in cycles of dependencies, and the modules that depend on them.
///
/// Modules that depend on none of the remaining modules are removed one after another.
fn left_over(mut graph: Graph) -> BTreeSet<String> {
    while let Some(free) = graph
        .iter()
        .find(|(_, known)| known.iter().all(|k| !graph.contains_key(k)))
        .map(|(name, _)| name.clone())
    {
        graph.remove(&free);
    }
    graph.into_keys().collect()
}

#[test]
fn no_module_knows_one_that_knows_it() {
    let mut all = Graph::new();
    graph(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut all);
    for outside in ["lib", "tests"] {
        all.remove(outside);
    }
    assert!(all.len() > 30, "the source files are missing from their directory");
    assert!(all["vocabulary"].is_empty(), "the vocabulary knows {:?}", all["vocabulary"]);
    assert_eq!(all["cards"].iter().collect::<Vec<_>>(), ["vocabulary"]);
    assert_eq!(left_over(all), BTreeSet::new());
}

#[test]
fn a_circle_is_found() {
    let of = |text: &str| named(text);
    assert_eq!(
        of("use crate::{a::X, b};\nfn f() { crate::c::g() } // crate::d"),
        of("crate::a crate::b crate::c")
    );
    let graph = |edges: &[(&str, &str)]| -> Graph {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(from.to_string()).or_default().insert(to.to_string());
            graph.entry(to.to_string()).or_default();
        }
        graph
    };
    assert!(left_over(graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    assert_eq!(left_over(graph(&[("a", "b"), ("b", "c"), ("c", "b")])).len(), 3);
}

/// The names of variables for ranks, visible states and results of the dealer.
const NAMES: [&str; 15] = [
    "rank", "r", "card", "first", "second", "low", "high", "hole", "missing", "value", "last", "up", "u",
    "result", "o",
];

/// Returns the places where a source file uses bare numbers for ranks, states or results.
///
/// Such a place declares one as a number, alone, in a tuple or in an array, or iterates over all of them.
fn bare(source: &str) -> Vec<String> {
    let code = code_of(source);
    let is_number = |of: &str| {
        let of = of.trim_start_matches(|c: char| "&[( ".contains(c));
        let word: String = of.chars().take_while(|c| c.is_alphanumeric()).collect();
        ["usize", "u8", "u16", "u32"].contains(&word.as_str())
    };
    let mut found = Vec::new();
    for (at, _) in code.match_indices(": ").filter(|(at, _)| !code[..*at].ends_with(':')) {
        let (before, of) = (&code[..at], code[at + 2..].trim_start());
        let pairs: Vec<(&str, &str)> = match before.strip_suffix(')').and_then(|b| b.rsplit_once('(')) {
            Some((_, names)) => names.split(',').zip(of.split(',')).collect(),
            None => {
                vec![(before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(""), of)]
            }
        };
        let named = |name: &str| NAMES.contains(&name.trim_matches(|c: char| "&[ ".contains(c)));
        found.extend(pairs.into_iter().filter(|(name, of)| named(name) && is_number(of)).map(
            |(name, of)| {
                format!("{name}: {}", of.chars().take_while(|c| !",;|={".contains(*c)).collect::<String>())
            },
        ));
    }
    for counted in ["..RANKS", "..RESULTS", "..=RANKS", "..10)"] {
        found.extend(code.matches(counted).map(str::to_string));
    }
    found
}

#[test]
fn nobody_speaks_in_bare_numbers() {
    fn sources(folder: &Path, visit: &mut dyn FnMut(&Path)) {
        for entry in fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { sources(&path, visit) } else { visit(&path) }
        }
    }
    let (mut all, mut seen) = (Vec::new(), 0);
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut |path| {
        seen += 1;
        let source = fs::read_to_string(path).expect("a source");
        let (code, tests) = source.split_once("#[cfg(test)]").unwrap_or((&source, ""));
        // this file has such declarations in string literals
        if !path.ends_with("tests/layers.rs") {
            let found = [code, tests].into_iter().flat_map(bare);
            all.extend(found.map(|bare| format!("{}: {bare}", path.display())));
        }
    });
    assert!(seen > 50, "the source files are missing from their directory");
    assert!(
        all.is_empty(),
        "these functions take bare numbers instead of the types in `vocabulary`:\n{}",
        all.join("\n")
    );
}

#[test]
fn bare_numbers_are_found() {
    for (code, found) in [
        ("fn pair_of(rank: usize) -> Counts {", 1),
        ("fn left((rank, removed): (usize, u8), u: usize) {", 2),
        ("let of = |r: usize, [a, b]: [Rank; 2]| a;", 1),
        ("fn two(first: [usize; 2], second: &[usize]) {", 2),
        ("for r in 0..RANKS {}", 1),
        ("struct S { result: u8, results: usize, row: usize } // rank: usize", 1),
        ("fn plus(hand: Counts, rank: Rank, n: u8, (u, kinds): (Up, &[Kind])) { let r: [R; 2] = x; }", 0),
    ] {
        assert_eq!(bare(code).len(), found, "{code}: {:?}", bare(code));
    }
}
