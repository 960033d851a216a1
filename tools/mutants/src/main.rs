//! Mutation testing: the code of a package is changed in one place at a time, and some test must fail.
//!
//! All mutants of the packages are woven into one copy of the workspace, each behind a switch (`weave.rs`), so that they
//! are compiled together; those that the compiler refuses are taken out again. Then the tests run once for each mutant.
//!
//! `mutants PACKAGE,… [all | sample N SEED | only PATTERN…]`

mod find;
mod weave;

use find::places;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};
use weave::{Mutant, Weaver, Woven, what};

type Failure = Box<dyn std::error::Error>;

/// The packages, and the tests that see their mutants, the quickest first.
const PACKAGES: [(&str, &[(&str, &str)]); 3] = [
    ("table", &[("table", "cases"), ("table", "rounds"), ("table", "lib"), ("table", "laws")]),
    (
        "rules",
        &[("table", "cases"), ("rules", "rules"), ("rules", "lib"), ("table", "rounds"), ("table", "laws")],
    ),
    ("ledger", &[("ledger", "lib"), ("ledger", "ledger")]),
];

/// Rigs for tests, and a database that runs only where a server can be started.
const LEFT_OUT: [&str; 2] = ["crates/table/src/random", "crates/ledger/src/postgres.rs"];

/// A mutant whose tests take longer than this hangs, which is noticed as well.
const LONGEST: Duration = Duration::from_secs(60);

const SWITCH: &str = "
#[doc(hidden)]
pub fn mutant(number: u32) -> bool {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    static ON: AtomicU32 = AtomicU32::new(u32::MAX);
    if ON.load(Relaxed) == u32::MAX {
        let on = std::env::var(\"MUTANT\").ok().and_then(|number| number.parse().ok());
        ON.store(on.unwrap_or(0), Relaxed);
    }
    ON.load(Relaxed) == number
}
";

struct File {
    path: String,
    package: &'static str,
    source: String,
    places: Vec<Woven>,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("mutants: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, Failure> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [packages, how @ ..] = words.as_slice() else { return Err("which packages?".into()) };
    let chosen = PACKAGES.into_iter().filter(|(name, _)| packages.split(',').any(|word| word == *name));
    let packages: Vec<&str> = chosen.map(|(name, _)| name).collect();
    let tree = PathBuf::from("target/mutants/tree");
    let (mut files, mut mutants) = find(&packages)?;
    copy(&tree, &files.iter().map(|file| file.path.as_str()).collect())?;
    if let ["only", patterns @ ..] = how.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        mutants.retain(|_, mutant| patterns.iter().any(|pattern| mutant.shown().contains(pattern)));
    }
    let found = mutants.len();
    let tests = build(&tree, &mut files, &mut mutants, &packages)?;
    println!("{found} mutants, of which {} compile", mutants.len());
    let mut order: Vec<&Mutant> = mutants.values().collect();
    if let [word, count, seed] = how
        && word == "sample"
    {
        shuffle(&mut order, seed.parse()?);
        order.truncate(count.parse()?);
    }
    judge(&order, &tests)
}

/// The files of the repository as they are now, but for those that the mutants are woven into.
fn copy(tree: &Path, woven: &BTreeSet<&str>) -> Result<(), Failure> {
    let listed =
        Command::new("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]).output()?;
    let names = String::from_utf8(listed.stdout)?;
    for name in names.lines().filter(|name| Path::new(name).is_file() && !woven.contains(name)) {
        let (now, to) = (fs::read(name)?, tree.join(name));
        if fs::read(&to).ok().as_deref() != Some(&now) {
            fs::create_dir_all(to.parent().ok_or("no folder")?)?;
            fs::write(to, now)?;
        }
    }
    Ok(())
}

/// Every mutant of these packages, numbered from 1.
fn find(packages: &[&'static str]) -> Result<(Vec<File>, BTreeMap<usize, Mutant>), Failure> {
    let (mut files, mut mutants) = (Vec::new(), BTreeMap::new());
    for &package in packages {
        let mut paths = Vec::new();
        sources(&PathBuf::from(format!("crates/{package}/src")), &mut paths);
        paths.sort();
        for path in paths {
            let (path, source) = (path.display().to_string(), fs::read_to_string(&path)?);
            if LEFT_OUT.iter().any(|left_out| path.starts_with(left_out)) {
                continue;
            }
            let mut woven = Vec::new();
            for place in places(&source).map_err(|e| format!("{path}: {e}"))? {
                let numbers = place.instead.iter().map(|instead| {
                    let number = mutants.len() + 1;
                    let (file, line, function) = (path.clone(), place.line, place.function.clone());
                    mutants.insert(
                        number,
                        Mutant { number, package, file, line, function, what: what(&place, instead) },
                    );
                    Some(number)
                });
                let numbers = numbers.collect();
                woven.push(Woven { place, numbers });
            }
            files.push(File { path, package, source, places: woven });
        }
    }
    Ok((files, mutants))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension() {
            _ if path.is_dir() => sources(&path, found),
            Some(end) if end == "rs" && path.file_name().is_some_and(|name| name != "tests.rs") => {
                found.push(path)
            }
            _ => {}
        }
    }
}

/// Compiles the tests with all mutants in them, and takes out those that do not compile until the rest does.
fn build(
    tree: &Path,
    files: &mut [File],
    mutants: &mut BTreeMap<usize, Mutant>,
    packages: &[&'static str],
) -> Result<BTreeMap<&'static str, Vec<PathBuf>>, Failure> {
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
                text.push_str(SWITCH);
            }
            let path = tree.join(&file.path);
            if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
                fs::create_dir_all(path.parent().ok_or("no folder")?)?;
                fs::write(path, text)?;
            }
            stands.insert(file.path.clone(), places);
        }
        let (executables, faults) = compile(tree, packages)?;
        if faults.is_empty() {
            return Ok(executables);
        }
        let before = mutants.len();
        for (path, at) in &faults {
            let Some(places) = stands.get(path) else { continue };
            let innermost =
                places.iter().filter(|(range, _)| range.contains(at)).min_by_key(|(range, _)| range.len());
            // an error may be told a little beside its place
            let nearest = || places.iter().min_by_key(|(range, _)| range.start.abs_diff(*at));
            for number in
                innermost.or_else(nearest).map(|(_, numbers)| numbers.as_slice()).unwrap_or_default()
            {
                mutants.remove(number);
            }
        }
        eprintln!("{} errors, {} mutants left", faults.len(), mutants.len());
        if mutants.len() == before {
            return Err(format!("does not compile, and no mutant is to blame: {faults:?}").into());
        }
    }
    Err("too many mutants do not compile".into())
}

/// Where an error is: the file and the place in it.
type Fault = (String, usize);

fn compile(
    tree: &Path,
    packages: &[&'static str],
) -> Result<(BTreeMap<&'static str, Vec<PathBuf>>, BTreeSet<Fault>), Failure> {
    let wanted: BTreeSet<&(&str, &str)> =
        PACKAGES.iter().filter(|(name, _)| packages.contains(name)).flat_map(|(_, tests)| *tests).collect();
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--no-run", "--message-format=json", "--quiet", "--lib"]).current_dir(tree);
    cargo.env("CARGO_TARGET_DIR", env::current_dir()?.join("target/mutants/build")).stderr(Stdio::inherit());
    for package in wanted.iter().map(|(package, _)| *package).collect::<BTreeSet<_>>() {
        cargo.args(["--package", package]);
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
                executables.insert(**of, PathBuf::from(path));
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
    let of = |tests: &[(&'static str, &'static str)]| {
        tests.iter().filter_map(|test| executables.get(test).cloned()).collect()
    };
    let chosen = PACKAGES.into_iter().filter(|(name, _)| packages.contains(name));
    Ok((chosen.map(|(name, tests)| (name, of(tests))).collect(), faults))
}

/// The same order for the same seed.
fn shuffle(order: &mut [&Mutant], seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for last in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(last, (state % (last as u64 + 1)) as usize);
    }
}

/// Tries each mutant and tells of it; whether every survivor is listed in docs/mutants.md.
fn judge(order: &[&Mutant], tests: &BTreeMap<&'static str, Vec<PathBuf>>) -> Result<bool, Failure> {
    let listed = fs::read_to_string("docs/mutants.md")?;
    for (package, executables) in tests {
        if executables.iter().any(|test| !passes(test, 0).unwrap_or(false)) {
            return Err(format!("the tests of {package} fail without a mutant").into());
        }
    }
    let (mut survivors, mut unlisted) = (Vec::new(), 0);
    for (tried, mutant) in order.iter().enumerate() {
        let executables = tests.get(mutant.package).ok_or("no tests")?;
        let mut caught = None;
        for test in executables {
            if !passes(test, mutant.number)? {
                caught = Some(test);
                break;
            }
        }
        let place = format!("{}:{}", mutant.file, mutant.line);
        match caught {
            Some(test) => {
                let test = test
                    .file_name()
                    .map(|name| name.to_string_lossy().split('-').next().unwrap_or("").to_string());
                println!("caught by {}: {} ({place})", test.unwrap_or_default(), mutant.shown());
            }
            None => {
                let known = listed.contains(&format!("- `{}`: ", mutant.shown()));
                println!("SURVIVED{}: {} ({place})", if known { ", as listed" } else { "" }, mutant.shown());
                unlisted += usize::from(!known);
                survivors.push(mutant);
            }
        }
        if tried % 50 == 49 {
            println!("-- {} of {} tried, {} survived", tried + 1, order.len(), survivors.len());
        }
    }
    let caught = order.len() - survivors.len();
    let share = caught as f64 * 100.0 / order.len().max(1) as f64;
    println!(
        "caught {caught} of {} mutants ({share:.1} %); {unlisted} survivors are not in docs/mutants.md",
        order.len()
    );
    Ok(unlisted == 0)
}

/// Whether a test passes under a mutant; one that hangs does not.
fn passes(test: &Path, mutant: usize) -> Result<bool, Failure> {
    let folder = test_folder(test);
    let mut child = Command::new(test)
        .args(["--skip", "held by a case", "-q"])
        .env("MUTANT", mutant.to_string())
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if begun.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Tests run in the folder of their package.
fn test_folder(test: &Path) -> PathBuf {
    let name = test.file_name().map(|name| name.to_string_lossy().to_string()).unwrap_or_default();
    let package = match name.split('-').next() {
        Some("rules") => "rules",
        Some("ledger") => "ledger",
        _ => "table",
    };
    PathBuf::from("target/mutants/tree/crates").join(package)
}
