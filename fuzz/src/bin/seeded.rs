//! Runs the fuzz targets without a fuzzer.
//!
//! - `seeded TARGET SECONDS` mutates the corpus at random. With `keep`, inputs with a new outcome are added to
//!   `corpus/TARGET`; with `from SEED`, the mutations differ by seed, so that long runs do not repeat each other.
//! - `seeded corpus TARGET FOLDER` writes the initial corpus for libFuzzer.
//! - `seeded targets` lists all targets.
//!
//! An input that makes a target panic is written to a file.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};
use table::random::Chance;
use targets::{Target, corpus, folder, target, targets};

/// Limits on the inputs that `keep` adds. A larger input finds little that a smaller one does not.
const LARGEST: usize = 2_048;
const MOST_KEPT: usize = 60;

fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["targets"] => {
            targets().for_each(|(name, _)| println!("{name}"));
            std::process::ExitCode::SUCCESS
        }
        ["corpus", target, folder] => write(target, Path::new(folder)),
        [name, seconds, rest @ ..] => {
            match (target(name), seconds.parse().map(Duration::from_secs), begun(rest)) {
                (Some(run), Ok(time), Some(how)) => {
                    let tried = try_for(name, run, time, &how);
                    println!("{name}: {} inputs, {} outcomes", tried.0, tried.1);
                    std::process::ExitCode::SUCCESS
                }
                _ => usage(),
            }
        }
        _ => usage(),
    }
}

/// The seed of the mutations, and whether inputs with a new outcome are added to the corpus.
struct How {
    seed: u64,
    keep: bool,
}

fn begun(words: &[&str]) -> Option<How> {
    let now = || std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs());
    match words {
        [] => Some(How { seed: 11, keep: false }),
        ["keep"] => Some(How { seed: now(), keep: true }),
        ["from", seed] => Some(How { seed: seed.parse().ok()?, keep: false }),
        _ => None,
    }
}

/// The input being tried, written to a file if the target panics.
struct Tried<'a> {
    name: &'a str,
    input: &'a [u8],
}

impl Drop for Tried<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let file = format!("broken-{}-{:016x}", self.name, hash(self.input));
            match std::fs::write(&file, self.input) {
                Ok(()) => eprintln!("the input is in {file}"),
                Err(error) => {
                    eprintln!("cannot write the input to {file}: {error}\n{:?}", self.input)
                }
            }
        }
    }
}

fn usage() -> std::process::ExitCode {
    eprintln!("seeded TARGET SECONDS [keep | from SEED] | seeded corpus TARGET FOLDER | seeded targets");
    std::process::ExitCode::from(2)
}

fn write(target: &str, folder: &Path) -> std::process::ExitCode {
    let written = corpus(target)
        .iter()
        .enumerate()
        .try_for_each(|(at, input)| std::fs::write(folder.join(format!("seed-{at}")), input));
    match written {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            std::process::ExitCode::from(2)
        }
    }
}

/// Reduces an outcome to its kind, by removing numbers and quoted names, which are seldom new.
fn kind(came: &str) -> String {
    let mut quoted = false;
    let mut kind = String::new();
    for c in came.chars() {
        quoted ^= matches!(c, '`' | '"');
        if !(quoted || c.is_ascii_digit() && kind.ends_with('0')) {
            kind.push(if c.is_ascii_digit() { '0' } else { c });
        }
    }
    kind
}

/// Returns the part of an outcome by which an input counts as new.
///
/// For `interface`, this part is the route and the status, but not the person.
fn news(name: &str, came: &str) -> String {
    match (name, &came.splitn(4, ' ').collect::<Vec<_>>()[..]) {
        ("interface", [route, _, status, _]) => format!("{route} {status}"),
        ("connection" | "socket", _) => came.to_owned(),
        _ => kind(came),
    }
}

fn try_for(name: &str, run: Target, time: Duration, how: &How) -> (u64, usize) {
    let fresh = Instant::now();
    let mut chance = Chance::seeded(how.seed);
    let mut seeds = corpus(name);
    let mut known: HashSet<String> = seeds.iter().map(|seed| news(name, &run(seed))).collect();
    let mut kept = std::fs::read_dir(folder(name)).map_or(0, Iterator::count);
    let mut inputs = seeds.len() as u64;
    while fresh.elapsed() < time {
        let mut input = seeds[chance.below(seeds.len())].clone();
        for _ in 0..=chance.below(6) {
            change(&mut input, &seeds, &mut chance);
        }
        let tried = Tried { name, input: &input };
        let came = run(&input);
        drop(tried);
        inputs += 1;
        if input.len() <= LARGEST && kept < MOST_KEPT && known.insert(news(name, &came)) {
            if how.keep {
                store(name, &input);
            }
            kept += 1;
            seeds.push(input);
        }
    }
    (inputs, known.len())
}

/// Stores an input in the corpus under a hash of its contents, so that no input is stored twice.
fn store(name: &str, input: &[u8]) {
    let folder = folder(name);
    let stored = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join(format!("{:016x}", hash(input))), input));
    if let Err(error) = stored {
        eprintln!("{}: {error}", folder.display());
    }
}

fn hash(input: &[u8]) -> u64 {
    input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Applies a random mutation: changes a byte, removes a piece, repeats a piece, or inserts a piece of another seed.
fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], chance: &mut Chance<'_>) {
    let at = chance.below(input.len().max(1));
    let end = (at + 1 + chance.below(24)).min(input.len());
    match chance.below(4) {
        _ if input.is_empty() => input.push(chance.below(256) as u8),
        0 => input[at] = chance.below(256) as u8,
        1 => drop(input.drain(at..end)),
        2 => {
            let piece = input[at..end].to_vec();
            let to = chance.below(input.len());
            input.splice(to..to, piece);
        }
        _ => {
            let other = &seeds[chance.below(seeds.len())];
            let from = chance.below(other.len().max(1));
            let piece = other[from.min(other.len())..(from + 24).min(other.len())].to_vec();
            input.splice(at..end, piece);
        }
    }
}
