//! The modules of this crate are in layers: none knows, by whatever way, one that knows it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Graph = BTreeMap<String, BTreeSet<String>>;

/// The modules that a source names after `crate::`, comments and tests at its end left out.
fn named(source: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
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

/// Every module with those it names; files in a folder belong to the module of the folder.
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

/// The modules that can be taken away one after the other, each knowing none that is left; what remains is a circle and
/// what stands on it.
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
    assert!(all.len() > 30, "the sources are not where they were");
    assert!(all["cards"].is_empty(), "the vocabulary knows {:?}", all["cards"]);
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
