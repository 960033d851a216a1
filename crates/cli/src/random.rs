//! `cutcard random`: writes output of the house's random number generator, for statistical test suites.

use crate::output::Output;
use clap::{Args as ClapArgs, Subcommand};
use documents::Failure;
use rules::card::show_cards;
use rules::{Card, Deck};
use server::fair::{Chance, Words as _, shuffle};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

#[derive(ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    what: RandomOutput,
}

#[derive(Subcommand)]
enum RandomOutput {
    /// Write raw 32-bit little-endian words, endlessly or up to --bytes, for dieharder or PractRand.
    Words {
        /// Number of bytes. Default: until the reader closes the pipe.
        #[arg(long, value_name = "N")]
        bytes: Option<u64>,
    },
    /// Write numbers below a bound, one per line, scaled as in a shuffle.
    Numbers {
        /// Exclusive upper bound.
        #[arg(long, value_name = "BOUND", value_parser = clap::value_parser!(u32).range(1..))]
        below: u32,
        #[arg(long, default_value_t = 1_000_000, value_name = "N")]
        count: u64,
    },
    /// Write shuffled shoes, one per line, first card first, each from fresh entropy as for a live shoe.
    Shuffles {
        #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=8))]
        decks: u32,
        /// Use 48-card decks (no tens).
        #[arg(long)]
        spanish: bool,
        #[arg(long, default_value_t = 1_000, value_name = "N")]
        count: u64,
    },
}

/// The number of random words to draw before taking fresh entropy.
///
/// A shuffle of the largest shoe needs this number of words.
const WORDS_OF_A_SHOE: u64 = 8 * 52;

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    if output.wants_json() {
        return Err(Failure::NotUnderstood("`cutcard random` does not support --json".into()));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match args.what {
        RandomOutput::Words { bytes } => words(bytes.unwrap_or(u64::MAX), &mut out),
        RandomOutput::Numbers { below, count } => numbers(below, count, &mut out),
        RandomOutput::Shuffles { decks, spanish, count } => shuffles(decks, spanish, count, &mut out),
    };
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Refused(format!("cannot generate or write the numbers: {error}")))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn words(bytes: u64, out: &mut impl Write) -> io::Result<()> {
    let mut left = bytes;
    while left > 0 {
        let mut chance = Chance::live().map_err(io::Error::other)?;
        for _ in 0..WORDS_OF_A_SHOE {
            let word = chance.word().to_le_bytes();
            let part = word.len().min(usize::try_from(left).unwrap_or(word.len()));
            out.write_all(&word[..part])?;
            left -= part as u64;
        }
    }
    Ok(())
}

fn numbers(below: u32, count: u64, out: &mut impl Write) -> io::Result<()> {
    let mut left = count;
    while left > 0 {
        let mut chance = Chance::live().map_err(io::Error::other)?;
        for _ in 0..left.min(WORDS_OF_A_SHOE) {
            writeln!(out, "{}", chance.below(below))?;
            left -= 1;
        }
    }
    Ok(())
}

fn shuffles(decks: u32, spanish: bool, count: u64, out: &mut impl Write) -> io::Result<()> {
    let deck = if spanish { Deck::FORTY_EIGHT } else { Deck::FIFTY_TWO };
    let ordered: Vec<Card> = (0..decks).flat_map(|_| deck.cards()).collect();
    for _ in 0..count {
        let mut cards = ordered.clone();
        shuffle(&mut cards, &mut Chance::live().map_err(io::Error::other)?);
        writeln!(out, "{}", show_cards(&cards))?;
    }
    Ok(())
}
