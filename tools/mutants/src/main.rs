//! Mutation testing: changes the code of a package in one place at a time, and expects some test to fail.
//!
//! All mutants of the packages are woven into one copy of the workspace, each behind a switch (`weave.rs`), so that
//! they are compiled together; those that do not compile are taken out again (`tree.rs`). Each test runs once to see
//! which mutants it reaches; then the tests that reach a mutant run with it until one fails (`tests.rs`).
//!
//! `mutants PACKAGE,… [all | continue | build | short | sample N SEED | only PATTERN…]`, or `mutants plan FILE`, which
//! tries the mutants of an earlier `build` on a machine that cannot compile. `JOBS` is the number of mutants tried at a
//! time, `LEAVE_OUT` names tests that are too slow to run (parts of their names, separated by commas; `server:house`
//! means all tests of an executable), `LAWS_PART` is the percentage of the random rounds to play.

mod find;
mod plan;
mod tests;
mod tree;
mod weave;

use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;
use std::{env, fs};
use tests::{Caught, Tests};
use weave::Mutant;

type Failure = Box<dyn std::error::Error>;

/// The packages, and the tests that can catch their mutants, the fastest first.
const PACKAGES: [(&str, &[(&str, &str)]); 3] = [
    ("table", &[("table", "cases"), ("table", "rounds"), ("table", "lib"), ("table", "laws")]),
    (
        "rules",
        &[("table", "cases"), ("rules", "lib"), ("rules", "rules"), ("table", "rounds"), ("table", "laws")],
    ),
    ("ledger", &[("ledger", "lib"), ("ledger", "ledger"), ("simtest", "simtest"), ("server", "house")]),
];

/// The mutants of the short run, one per line: the literate cases alone catch each of them.
const SHORT: &str = include_str!("../short.txt");

/// The results, one line per mutant, so that an interrupted run can be continued.
const FOUND: &str = "target/mutants/found";

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
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (packages, how) = match words.as_slice() {
        ["plan", file] => {
            let (executables, mutants) = plan::read(&fs::read_to_string(file)?)?;
            let mut order: Vec<&Mutant> = mutants.iter().collect();
            shuffle(&mut order, 1);
            slow_last(&mut order);
            return judge(&order, fs::exists(found_path())?, Tests::new(executables));
        }
        [packages, how @ ..] => (packages.split(',').collect::<Vec<_>>(), how),
        [] => return Err("which packages?".into()),
    };
    let chosen = PACKAGES.into_iter().map(|(name, _)| name).filter(|name| packages.contains(name));
    let packages: Vec<&str> = chosen.collect();
    let tree = env::current_dir()?.join("target/mutants/tree");
    let (mut files, mut mutants) = tree::find(&packages)?;
    tree::copy(&tree, &files.iter().map(|file| file.path()).collect())?;
    if let ["only", patterns @ ..] = how {
        mutants.retain(|_, mutant| patterns.iter().any(|pattern| mutant.shown.contains(pattern)));
    }
    let short = how == ["short"];
    if short {
        let wanted: BTreeSet<&str> = SHORT.lines().collect();
        mutants.retain(|_, mutant| wanted.contains(&*mutant.shown));
        let known: BTreeSet<&str> = mutants.values().map(|mutant| &*mutant.shown).collect();
        if let Some(gone) = wanted.difference(&known).next() {
            return Err(format!("tools/mutants/short.txt: there is no mutant `{gone}` any more").into());
        }
    }
    let (found, begun) = (mutants.len(), Instant::now());
    let executables = tree::build(&tree, &mut files, &mut mutants, &packages, short)?;
    println!("{found} mutants, of which {} compile, in {} s", mutants.len(), begun.elapsed().as_secs());
    let mut order: Vec<&Mutant> = mutants.values().collect();
    match how {
        ["build"] => {
            fs::write("target/mutants/plan", plan::write(&executables, &order))?;
            return Ok(true);
        }
        ["sample", count, seed] => {
            shuffle(&mut order, seed.parse()?);
            order.truncate(count.parse()?);
        }
        // shuffled, so that an interrupted run has tried a fair sample
        _ => {
            shuffle(&mut order, 1);
            slow_last(&mut order);
        }
    }
    judge(&order, how == ["continue"], Tests::new(executables))
}

/// Returns the results file of this run: a short or partial run does not overwrite those of the full run.
fn found_path() -> String {
    env::var("FOUND").unwrap_or(FOUND.to_string())
}

fn jobs() -> usize {
    env::var("JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1)
}

/// Shuffles in the same order for the same seed.
fn shuffle(order: &mut [&Mutant], seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for last in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(last, (state % (last as u64 + 1)) as usize);
    }
}

/// Puts mutants of the ledger last, because its tests write to disk.
fn slow_last(order: &mut [&Mutant]) {
    order.sort_by_key(|mutant| mutant.shown.starts_with("crates/ledger/"));
}

/// Tries each mutant that was not caught before and reports it; returns whether every survivor is listed in
/// docs/mutants.md.
fn judge(order: &[&Mutant], goes_on: bool, tests: Tests) -> Result<bool, Failure> {
    let listed = fs::read_to_string("docs/mutants.md")?;
    let path = found_path();
    let found = if goes_on { fs::read_to_string(&path)? } else { String::new() };
    let before = |word: &str| -> BTreeSet<&str> {
        let lines = found.lines().filter_map(|line| line.strip_prefix(word)?.split_once(" | "));
        lines.map(|(shown, _)| shown).collect()
    };
    let (before, survived) = (before("caught: "), before("survived: "));
    // untried mutants come first
    let mut order = order.to_vec();
    order.sort_by_key(|mutant| survived.contains(&*mutant.shown));
    let found = Mutex::new(
        fs::OpenOptions::new().create(true).append(goes_on).write(true).truncate(!goes_on).open(path)?,
    );
    let (tried, begun) = (AtomicUsize::new(0), Instant::now());
    let survivors = tests::together(jobs(), &order, |mutant| {
        let place = format!("line {}", mutant.line);
        let (line, survivor) = match before.contains(&*mutant.shown) {
            true => (None, None),
            false => match tests.catch(mutant)? {
                Caught::By(test) => (Some(format!("caught: {} | {test}", mutant.shown)), None),
                Caught::No => (Some(format!("survived: {} | {place}", mutant.shown)), Some(place)),
                Caught::NotReached => {
                    let place = place + ", not reached";
                    (Some(format!("survived: {} | {place}", mutant.shown)), Some(place))
                }
            },
        };
        if let Some(line) = line {
            writeln!(found.lock().map_err(|_| "broken")?, "{line}")?;
        }
        let tried = tried.fetch_add(1, Relaxed) + 1;
        if tried % 50 == 0 {
            println!("-- {tried} of {} tried in {} s", order.len(), begun.elapsed().as_secs());
        }
        Ok(survivor.map(|place| (mutant.shown.clone(), place)))
    })?;
    let unlisted = survivors.iter().filter(|(shown, _)| !listed.contains(&format!("- `{shown}`: ")));
    unlisted.clone().for_each(|(shown, place)| println!("SURVIVED: {shown} ({place})"));
    let caught = order.len() - survivors.len();
    let share = caught as f64 * 100.0 / order.len().max(1) as f64;
    let unlisted = unlisted.count();
    println!(
        "caught {caught} of {} mutants ({share:.1} %); {unlisted} survivors are not in docs/mutants.md",
        order.len()
    );
    Ok(unlisted == 0)
}
