//! The copy of the workspace into which the mutants are woven, and its compiler errors.

use crate::find::places;
use crate::tests::{Executable, folder, left_out};
use crate::weave::{Mutant, Weaver, Woven, what};
use crate::{Failure, PACKAGES};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Test utilities, which are not mutated.
const LEFT_OUT: [&str; 1] = ["crates/table/src/random"];

/// Returns the name of the package in this directory: published packages have a prefix.
fn published(folder: &str) -> String {
    match folder {
        "ledger" | "simtest" | "server" => folder.to_owned(),
        _ => format!("cutcard-{folder}"),
    }
}

/// Woven into each package: returns whether a mutant is the active one, or records which mutants are reached.
const SWITCH: &str = include_str!("switch.rs");

/// The mutants that did not compile in the last build, by their descriptions.
const REFUSED: &str = "target/mutants/refused";

pub struct File {
    path: String,
    package: &'static str,
    source: String,
    places: Vec<Woven>,
}

impl File {
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Copies the files of the repository as they are now, except those into which mutants are woven.
pub fn copy(tree: &Path, woven: &BTreeSet<&str>) -> Result<(), Failure> {
    let listed =
        Command::new("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]).output()?;
    let names = String::from_utf8(listed.stdout)?;
    let names: BTreeSet<&str> = names.lines().filter(|name| Path::new(name).exists()).collect();
    let mut there = Vec::new();
    below(tree, &mut there);
    for gone in there
        .iter()
        .filter(|path| path.strip_prefix(tree).is_ok_and(|name| !names.contains(&*name.to_string_lossy())))
    {
        fs::remove_file(gone)?;
        // cargo takes every folder under `crates` for a package, so one that is empty now goes too
        gone.ancestors()
            .skip(1)
            .take_while(|folder| *folder != tree)
            .all(|folder| fs::remove_dir(folder).is_ok());
    }
    for name in names.difference(woven) {
        let to = tree.join(name);
        if let Ok(leads_to) = fs::read_link(name) {
            if fs::read_link(&to).is_err() {
                fs::create_dir_all(to.parent().ok_or("no folder")?)?;
                let _ = fs::remove_file(&to);
                std::os::unix::fs::symlink(leads_to, to)?;
            }
            continue;
        }
        let now = fs::read(name)?;
        if fs::read(&to).ok().as_deref() != Some(&now) {
            fs::create_dir_all(to.parent().ok_or("no folder")?)?;
            fs::write(to, now)?;
        }
    }
    Ok(())
}

/// Finds every mutant of these packages, numbered from 1.
pub fn find(packages: &[&'static str]) -> Result<(Vec<File>, BTreeMap<usize, Mutant>), Failure> {
    let (mut files, mut mutants, mut seen) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for &package in packages {
        let mut paths = Vec::new();
        below(&PathBuf::from(format!("crates/{package}/src")), &mut paths);
        paths.retain(|path| path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs"));
        paths.sort();
        for path in paths {
            let (path, source) = (path.display().to_string(), fs::read_to_string(&path)?);
            if LEFT_OUT.iter().any(|left_out| path.starts_with(left_out)) {
                continue;
            }
            let mut woven = Vec::new();
            for place in places(&source).map_err(|e| format!("{path}: {e}"))? {
                let mut numbers = Vec::new();
                for instead in &place.instead {
                    let number = mutants.len() + 1;
                    let (line, what) = (place.line, what(&place, instead));
                    let mut shown = format!("{path}: {what} in {}", place.function);
                    let same: &mut usize = seen.entry(shown.clone()).or_default();
                    *same += 1;
                    if *same > 1 {
                        shown.push_str(&format!(", {same}"));
                    }
                    mutants.insert(number, Mutant { number, line, shown });
                    numbers.push(Some(number));
                }
                woven.push(Woven { place, numbers });
            }
            files.push(File { path, package, source, places: woven });
        }
    }
    Ok((files, mutants))
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // a symbolic link counts as a file, whatever it points to
        if path.is_dir() && !path.is_symlink() { below(&path, found) } else { found.push(path) }
    }
}

/// Weaves all mutants into the tree, removes those that do not compile until the rest does, and builds the tests.
pub fn build(
    tree: &Path,
    files: &mut [File],
    mutants: &mut BTreeMap<usize, Mutant>,
    packages: &[&'static str],
    short: bool,
) -> Result<Vec<Executable>, Failure> {
    let mut refused: BTreeSet<String> =
        fs::read_to_string(REFUSED).unwrap_or_default().lines().map(str::to_string).collect();
    mutants.retain(|_, mutant| !refused.contains(&mutant.shown));
    for _ in 0..40 {
        let mut stands = BTreeMap::new();
        for file in files.iter_mut() {
            for woven in &mut file.places {
                woven
                    .numbers
                    .iter_mut()
                    .for_each(|number| *number = number.filter(|number| mutants.contains_key(number)));
            }
            let (mut text, places) = Weaver::weave(&file.source, &file.places);
            if file.path == format!("crates/{}/src/lib.rs", file.package) {
                // skips its first line, a module comment that may stand only at the beginning of a file
                text.extend(SWITCH.split_inclusive('\n').skip(1));
            }
            let path = tree.join(&file.path);
            if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
                fs::create_dir_all(path.parent().ok_or("no folder")?)?;
                fs::write(path, text)?;
            }
            stands.insert(file.path.clone(), places);
        }
        let tests = tests_of(packages, short);
        // a mutant's own package shows whether it compiles
        let own: Vec<Target> =
            tests.iter().filter(|(package, _)| packages.contains(package)).copied().collect();
        // the mutants of the short run are known to compile
        let faults = match short {
            true => BTreeSet::new(),
            false => compile(tree, &own, &["check", "--tests", "--keep-going"])?.1,
        };
        if faults.is_empty() {
            let (executables, faults) = compile(tree, &tests, &["test", "--no-run"])?;
            return match faults.is_empty() {
                true => Ok(executables),
                false => Err(format!("checked, but does not compile: {faults:?}").into()),
            };
        }
        let before = mutants.len();
        for (path, at) in &faults {
            let Some(places) = stands.get(path) else { continue };
            let innermost =
                places.iter().filter(|(range, _)| range.contains(at)).min_by_key(|(range, _)| range.len());
            // the compiler may report an error slightly beside its place
            let nearest = || places.iter().min_by_key(|(range, _)| range.start.abs_diff(*at));
            for number in
                innermost.or_else(nearest).map(|(_, numbers)| numbers.as_slice()).unwrap_or_default()
            {
                refused.extend(mutants.remove(number).map(|mutant| mutant.shown));
            }
        }
        eprintln!("{} errors, {} mutants left", faults.len(), mutants.len());
        if mutants.len() == before {
            return Err(format!("does not compile, and no mutant is to blame: {faults:?}").into());
        }
        fs::write(REFUSED, refused.iter().cloned().collect::<Vec<_>>().join("\n"))?;
    }
    Err("too many mutants do not compile".into())
}

/// The location of a compiler error: the file and the offset in it.
type Fault = (String, usize);

/// A test executable: its package and name.
type Target = (&'static str, &'static str);

/// Returns the executables that can catch mutants of these packages, once each, except those left out; only the cases
/// for the short run.
fn tests_of(packages: &[&'static str], short: bool) -> Vec<Target> {
    let mut wanted: Vec<Target> = Vec::new();
    for &test in PACKAGES.iter().filter(|(name, _)| packages.contains(name)).flat_map(|(_, tests)| *tests) {
        let name = format!("{}:{}", test.0, test.1);
        if !wanted.contains(&test) && (!short || test.1 == "cases") && !left_out(&name) {
            wanted.push(test);
        }
    }
    wanted
}

fn compile(
    tree: &Path,
    wanted: &[Target],
    how: &[&str],
) -> Result<(Vec<Executable>, BTreeSet<Fault>), Failure> {
    let mut cargo = Command::new("cargo");
    cargo.args(how).args(["--message-format=json", "--quiet"]).current_dir(tree);
    if wanted.iter().any(|(_, test)| *test == "lib") {
        cargo.arg("--lib");
    }
    // reuses the compiled dependencies
    cargo.env("CARGO_TARGET_DIR", env::current_dir()?.join("target")).stderr(Stdio::inherit());
    for package in wanted.iter().map(|(package, _)| *package).collect::<BTreeSet<_>>() {
        cargo.args(["--package", &published(package)]);
    }
    for test in wanted.iter().map(|(_, test)| *test).filter(|test| *test != "lib").collect::<BTreeSet<_>>() {
        cargo.args(["--test", test]);
    }
    let output = cargo.output()?;
    let (mut executables, mut faults) = (BTreeMap::new(), BTreeSet::new());
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        if message["reason"] == "compiler-artifact" && message["executable"].is_string() {
            let kind = if message["target"]["kind"][0] == "test" {
                message["target"]["name"].as_str()
            } else {
                Some("lib")
            };
            let package = message["package_id"].as_str().unwrap_or_default().to_string();
            let of = wanted
                .iter()
                .find(|(name, test)| kind == Some(*test) && package.contains(&format!("crates/{name}#")));
            if let (Some(of), Some(path)) = (of, message["executable"].as_str()) {
                executables.insert(of, PathBuf::from(path));
            }
        }
        if message["reason"] == "compiler-message" && message["message"]["level"] == "error" {
            let spans = message["message"]["spans"].as_array().cloned().unwrap_or_default();
            let span = spans.iter().find(|span| span["is_primary"] == true).or(spans.first());
            if let Some(span) = span {
                let place = span["byte_start"].as_u64().unwrap_or(0) as usize;
                faults.insert((span["file_name"].as_str().unwrap_or_default().to_string(), place));
            }
        }
    }
    if !output.status.success() && faults.is_empty() {
        return Err("the tests do not compile".into());
    }
    let whole = |test: &str| test == "cases";
    let in_order = wanted.iter().filter_map(|of| {
        let path = executables.get(of)?.clone();
        let (package, test) = *of;
        let name = format!("{package}:{test}");
        Some(Executable { name, path, folder: folder(tree, package), whole: whole(test) })
    });
    Ok((in_order.collect(), faults))
}
