//! Writes the tables of a run as files, for testing kernels on a device without the rest of the program:
//!
//!     cargo run -p device --example tables -- FOLDER [THREADS]
//!
//! For each case, `NAME.h` holds the constants that precede the kernel, and `NAME.table`, `.rest`, `.buckets`, `.lines`
//! and `.left` hold its arrays. `NAME.fused` is the CPU's table as text, in the format that `fused_walk.cu` reads.

use device::layout::{Layout, MOST_THREADS, Shape, Table};
use program::infinite_deck::infinite_deck_chart;
use program::single_box::{SingleBox, Step};
use program::{CompileOptions, compile};
use rules::SideBet;
use rules::file;
use rules::preset::preset;
use sim::Options;
use sim::count::{Ramp, System};
use sim::run::job;
use std::fmt::Write;
use std::fs;
use std::path::Path;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).expect("a folder that can be made");
    let threads =
        std::env::args().nth(2).map_or(MOST_THREADS, |text| text.parse().expect("a number of threads"));
    let shape = Shape { threads, shared: 227 * 1024 };
    let suits = [SideBet::SameSuit, SideBet::MatchTheDealer];
    let triple = [SideBet::SuitedRoyals, SideBet::TripleMatch];
    for (name, table, count, fresh, bets) in [
        ("blackjack", "nj-blackjack", false, false, &[][..]),
        ("fresh", "nj-blackjack", false, true, &[]),
        ("hi-lo", "nj-blackjack", true, false, &[]),
        ("switch", "nj-switch", false, false, &[]),
        ("match", "nj-switch", false, false, &[SideBet::Match]),
        ("suits", "nj-blackjack", false, false, &suits),
        ("royals", "nj-triple-attack", false, false, &triple),
        ("double-attack", "nj-double-attack", false, false, &[]),
        ("dealer-bust", "nj-double-attack", false, false, &[SideBet::DealerBust]),
        ("triple-attack", "nj-triple-attack", false, false, &[]),
        ("multiple-action", "nj-multiple-action", false, false, &[]),
    ] {
        let mut choices = preset(table).expect("a preset");
        if name == "suits" {
            for wager in ["same-suit", "match-the-dealer"] {
                file::set(&mut choices, &format!("side_wagers.{wager}.minimum=1")).expect("a wager");
            }
        }
        let compile_options = CompileOptions { bets: bets.to_vec(), stake: None };
        let program = compile(&choices, &infinite_deck_chart(&choices), &compile_options).expect("a program");
        let options = Options {
            seed: 11,
            fresh,
            system: count.then(|| System::parse("hi-lo").expect("a count")),
            ramp: Ramp::parse("1:1,2:4,4:12").expect("a ramp"),
            ..Options::default()
        };
        if bets.is_empty() && !count && !fresh {
            let solo = SingleBox::fitting(&program, Some).expect("a fused table");
            fs::write(folder.join(format!("{name}.fused")), fused(&program, &solo)).expect("a file");
        }
        let job = job(program, &options).expect("a job");
        let layout = Layout::new(&job, shape).expect("a job for devices");
        let write = |end: &str, bytes: &[u8]| {
            fs::write(folder.join(format!("{name}.{end}")), bytes).expect("a file that can be written");
        };
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let halves = |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let shared =
            format!("#define SHARED_BYTES {}\n#define LISTS_BYTES {}\n", layout.shared, layout.list_bytes);
        write("h", format!("{}{shared}", layout.constants).as_bytes());
        write(
            "table",
            &match &layout.table {
                Table::Narrow(table) => halves(table),
                Table::Wide(table) => words(table),
            },
        );
        write("rest", &words(&layout.rest));
        write("buckets", &layout.buckets);
        write("lines", &halves(&layout.lines));
        write("left", &words(&layout.left));
    }
}

/// Returns the CPU's table in the format that `fused_walk.cu` reads.
fn fused(program: &program::Program, solo: &SingleBox) -> String {
    let states = solo.steps.len() / solo.symbols;
    let mut text = format!("{} {states} {} {}\n", solo.symbols, solo.outcomes.len(), program.decks);
    for (_, cards) in &program.faces.symbols {
        let _ = write!(text, "{cards} ");
    }
    text.push('\n');
    for outcome in &solo.outcomes {
        let _ = write!(text, "{} ", outcome.net);
    }
    text.push('\n');
    for row in solo.steps.chunks_exact(solo.symbols) {
        for step in row {
            let _ = match *step {
                Step::Go(state) => write!(text, "{state} "),
                Step::End(outcome) => write!(text, "{} ", -1 - i32::from(outcome)),
                Step::Replay | Step::Leave(_) | Step::Consult(_) => write!(text, "-1000000 "),
            };
        }
        text.push('\n');
    }
    text
}
