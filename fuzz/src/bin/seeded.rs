//! The fuzz targets without a fuzzer: `seeded TARGET SECONDS` changes the corpus at random, and with `keep` behind it keeps
//! in `corpus/TARGET` what something new came of; `seeded corpus TARGET FOLDER` writes the corpus for libFuzzer to begin
//! with, `seeded targets` names all targets.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};
use table::random::Chance;
use targets::{Target, corpus, folder, target, targets};

/// What is kept is small: a larger input says little that a smaller one does not.
const LARGEST: usize = 2_048;
const MOST_KEPT: usize = 250;

fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["targets"] => {
            targets().for_each(|(name, _)| println!("{name}"));
            std::process::ExitCode::SUCCESS
        }
        ["corpus", target, folder] => write(target, Path::new(folder)),
        [name, seconds, rest @ ..] if matches!(rest, [] | ["keep"]) => {
            match (target(name), seconds.parse()) {
                (Some(run), Ok(seconds)) => {
                    let tried = try_for(name, run, (Duration::from_secs(seconds), !rest.is_empty()));
                    println!("{name}: {} inputs, {} outcomes", tried.0, tried.1);
                    std::process::ExitCode::SUCCESS
                }
                _ => usage(),
            }
        }
        _ => usage(),
    }
}

fn usage() -> std::process::ExitCode {
    eprintln!("seeded TARGET SECONDS [keep] | seeded corpus TARGET FOLDER | seeded targets");
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

/// What came of an input without its numbers and names, which are seldom news.
fn kind(came: &str) -> String {
    let mut quoted = false;
    let mut kind = String::new();
    for c in came.chars() {
        quoted ^= matches!(c, '`' | '"');
        if !quoted && !(c.is_ascii_digit() && kind.ends_with('0')) {
            kind.push(if c.is_ascii_digit() { '0' } else { c });
        }
    }
    kind
}

/// What is new at a target: the interface tells route, person and status by numbers, of which route and status are news.
fn news(name: &str, came: &str) -> String {
    match (name, came.splitn(4, ' ').collect::<Vec<_>>()[..]) {
        ("interface", [route, _, status, _]) => format!("{route} {status}"),
        ("connection" | "socket", _) => came.to_owned(),
        _ => kind(came),
    }
}

fn try_for(name: &str, run: Target, (time, keep): (Duration, bool)) -> (u64, usize) {
    let fresh = Instant::now();
    let seed = if keep { std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs()) } else { 11 };
    let mut chance = Chance::seeded(seed);
    let mut seeds = corpus(name);
    let mut known: HashSet<String> = seeds.iter().map(|seed| news(name, &run(seed))).collect();
    let mut kept = std::fs::read_dir(folder(name)).map_or(0, Iterator::count);
    let mut inputs = seeds.len() as u64;
    while fresh.elapsed() < time {
        let mut input = seeds[chance.below(seeds.len())].clone();
        for _ in 0..=chance.below(6) {
            change(&mut input, &seeds, &mut chance);
        }
        let came = run(&input);
        inputs += 1;
        if input.len() <= LARGEST && kept < MOST_KEPT && known.insert(news(name, &came)) {
            if keep {
                store(name, &input);
            }
            kept += 1;
            seeds.push(input);
        }
    }
    (inputs, known.len())
}

/// By a name that follows from the content, so that nothing is kept twice.
fn store(name: &str, input: &[u8]) {
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    let folder = folder(name);
    let stored = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join(format!("{hash:016x}")), input));
    if let Err(error) = stored {
        eprintln!("{}: {error}", folder.display());
    }
}

/// One of the changes that fuzzers make: a byte, a piece left out, a piece repeated, a piece of another seed.
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
