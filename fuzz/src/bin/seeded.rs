//! The fuzz targets without a fuzzer: `seeded TARGET SECONDS` changes the corpus at random; `seeded corpus TARGET FOLDER`
//! writes the corpus for libFuzzer to begin with.

use std::path::Path;
use std::time::{Duration, Instant};
use table::random::Chance;
use targets::{TARGETS, corpus};

fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["corpus", target, folder] => write(target, Path::new(folder)),
        [target, seconds] => match (TARGETS.iter().find(|(name, _)| name == target), seconds.parse()) {
            (Some((name, run)), Ok(seconds)) => {
                let inputs = try_for(name, *run, Duration::from_secs(seconds));
                println!("{name}: {inputs} inputs");
                std::process::ExitCode::SUCCESS
            }
            _ => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> std::process::ExitCode {
    eprintln!("seeded TARGET SECONDS | seeded corpus TARGET FOLDER");
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

fn try_for(name: &str, run: fn(&[u8]), time: Duration) -> u64 {
    let mut chance = Chance::seeded(11);
    let seeds = corpus(name);
    let (begun, mut inputs) = (Instant::now(), 0);
    for seed in &seeds {
        run(seed);
    }
    while begun.elapsed() < time {
        let mut input = seeds[chance.below(seeds.len())].clone();
        for _ in 0..=chance.below(6) {
            change(&mut input, &seeds, &mut chance);
        }
        run(&input);
        inputs += 1;
    }
    inputs
}

/// One of the changes that fuzzers make: a byte, a piece left out, a piece repeated, a piece of another seed.
fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], chance: &mut Chance<'_>) {
    let at = chance.below(input.len());
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
            let from = chance.below(other.len());
            let piece = other[from..(from + 24).min(other.len())].to_vec();
            input.splice(at..end, piece);
        }
    }
}
