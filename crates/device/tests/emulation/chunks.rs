//! Compiles the kernel as plain C and checks that it plays every chunk like the CPU engines.

use crate::compiled::{Emulation, SHAPE, job, options, program};
use device::layout::{Layout, Shape};
use program::chart::Take;
use program::infinite_deck::infinite_deck_chart;
use program::{Chart, side};
use rules::SideBet;
use rules::preset::preset;
use sim::Options;
use sim::chunk::Job;
use sim::tally::Tally;

/// Plays chunks with the kernel and on the CPU, and asserts that the sums are identical.
fn same(name: &str, job: &Job, shape: Shape, chunks: u64) {
    let kernel = Emulation::new(job, shape);
    for chunk in 0..chunks {
        let (wanted, came) = (job.chunk(chunk), kernel.chunk(job, chunk));
        assert_eq!(wanted.rounds(), came.rounds(), "{name}, chunk {chunk}: rounds");
        assert!(wanted == came, "{name}, chunk {chunk}:\n{}\n{}", wanted.to_json(), came.to_json());
    }
}

const PRESETS: [&str; 9] = [
    "nj-blackjack",
    "nj-blackjack-reader",
    "nj-blackjack-face-up",
    "nj-six-to-five",
    "nj-multiple-action",
    "nj-switch",
    "ma-switch",
    "nj-double-attack",
    "nj-triple-attack",
];

#[test]
fn every_preset_with_a_cutting_card() {
    for name in PRESETS {
        let choices = preset(name).unwrap();
        let program = program(&choices, &infinite_deck_chart(&choices), &[]);
        same(name, &job(program, &options(None, false)), SHAPE, 2);
    }
}

/// No round of a preset is left to the CPU, even if the strategy plays by the count.
#[test]
fn no_round_is_left_to_the_processor() {
    let indices = r#"{"indices": [{"hand": "hard 16", "up": "T", "from": 0, "play": "S"},
        {"hand": "hard 12", "up": "2", "from": 3, "play": "S"},
        {"hand": "pairs T", "up": "6", "from": 4, "play": "P"}]}"#;
    let indices = Chart::from_json(indices).expect("index plays").indices;
    for name in PRESETS {
        let choices = preset(name).unwrap();
        let mut chart = infinite_deck_chart(&choices);
        // a dealer who shows both cards has other columns and offers no insurance
        if name != "nj-blackjack-face-up" {
            chart.indices.clone_from(&indices);
        }
        if name != "nj-multiple-action" {
            chart.insurance = Take::FromCount(3);
        }
        let program = program(&choices, &chart, &side::offered(&choices));
        let job = job(program, &options(Some("hi-lo"), false));
        let kernel = Emulation::new(&job, SHAPE);
        let (all, played) = (job.chunk(0).rounds(), kernel.chunk(&job, 0).rounds());
        assert!(all > 5_000, "{name}: {all} rounds");
        assert_eq!(all - played, 0, "{name}: rounds left to the processor");
    }
}

/// Alternates between fresh shoes and a count.
#[test]
fn every_preset_from_fresh_shoes_or_with_a_count() {
    for (turn, name) in PRESETS.into_iter().enumerate() {
        let choices = preset(name).unwrap();
        let options = if turn % 2 == 0 { options(None, true) } else { options(Some("hi-lo"), false) };
        same(name, &job(program(&choices, &infinite_deck_chart(&choices), &[]), &options), SHAPE, 1);
    }
}

#[test]
fn every_preset_with_side_wagers() {
    for name in PRESETS {
        let choices = preset(name).unwrap();
        let bets = side::offered(&choices);
        if !bets.is_empty() {
            let program = program(&choices, &infinite_deck_chart(&choices), &bets);
            same(name, &job(program, &options(None, false)), SHAPE, 1);
        }
    }
}

/// Bets on suits need lists of 52 faces. Lists, wide entries, and tables that do not fit next to the counters take
/// other paths through the kernel.
#[test]
fn suits_and_small_devices() {
    let mut suits = preset("nj-blackjack").unwrap();
    for change in ["side_wagers.same-suit.minimum=1", "side_wagers.match-the-dealer.minimum=1"] {
        rules::file::set(&mut suits, change).unwrap();
    }
    let bets = side::offered(&suits);
    assert_eq!(bets.len(), 2);
    let chart = infinite_deck_chart(&suits);
    let small = Shape { threads: 64, shared: 64 * 1024 };
    for shape in [SHAPE, Shape { threads: 32, ..small }] {
        let with = job(program(&suits, &chart, &bets), &options(Some("hi-lo"), false));
        same("suits", &with, shape, 1);
    }
    same("small", &job(program(&suits, &chart, &[]), &options(Some("zen"), false)), small, 1);
}

/// Tests tables that need more of the kernel than the presets do.
#[test]
fn what_is_out_of_the_ordinary() {
    for (name, changes) in [
        ("nj-blackjack", vec!["bonus_payouts=[\"suited-678\",\"five-card-21\"]"]),
        ("nj-blackjack-reader", vec!["side_wagers.twenty-point.minimum=1", "surrender=true", "decks=2"]),
        ("nj-blackjack", vec!["side_wagers.dealer-bust.minimum=1", "hole_card=down", "soft_17=hit"]),
        ("nj-six-to-five", vec!["hand_burn=each-round"]),
        ("nj-double-attack", vec!["decks=1"]),
    ] {
        let mut choices = preset(name).unwrap();
        for change in &changes {
            rules::file::set(&mut choices, change).unwrap_or_else(|error| panic!("{change}: {error:?}"));
        }
        let bets = side::offered(&choices);
        let program = program(&choices, &infinite_deck_chart(&choices), &bets);
        same(&format!("{name} {changes:?}"), &job(program, &options(None, false)), SHAPE, 1);
    }
}

/// Index plays depend on the count in the middle of a round.
#[test]
fn decisions_by_the_count() {
    let choices = preset("nj-blackjack").unwrap();
    let mut chart = infinite_deck_chart(&choices);
    let indices = r#"{"indices": [{"hand": "hard 16", "up": "T", "from": 0, "play": "S"},
        {"hand": "hard 15", "up": "T", "from": 4, "play": "S"}, {"hand": "hard 12", "up": "3", "from": 2, "play": "S"},
        {"hand": "pairs T", "up": "6", "from": 4, "play": "P"}]}"#;
    chart.indices = Chart::from_json(indices).expect("index plays").indices;
    for fresh in [false, true] {
        same("indices", &job(program(&choices, &chart, &[]), &options(Some("hi-lo"), fresh)), SHAPE, 1);
    }
}

/// Tests insurance and even money, always and by the count, with and without an unseen hole card, combined with index
/// plays, splits and side bets.
#[test]
fn insurance_and_even_money() {
    let by_count = Take::FromCount(1);
    let both = [(Take::Always, by_count), (by_count, Take::Always), (Take::Never, by_count)];
    // where even money is not offered, one combination is enough
    let one = [(by_count, Take::Never)];
    for (name, changes, answers) in [
        ("nj-blackjack", vec!["even_money=true"], &both[..]),
        (
            "nj-blackjack",
            vec!["even_money=true", "hole_card=down", "side_wagers.dealer-bust.minimum=1"],
            &both,
        ),
        ("nj-switch", vec![], &one),
        ("nj-double-attack", vec![], &one),
        ("nj-triple-attack", vec![], &one),
    ] {
        let mut choices = preset(name).unwrap();
        for change in &changes {
            rules::file::set(&mut choices, change).unwrap_or_else(|error| panic!("{change}: {error:?}"));
        }
        let bets = side::offered(&choices);
        for &(insurance, even_money) in answers {
            let mut chart = Chart { insurance, even_money, ..infinite_deck_chart(&choices) };
            if name == "nj-blackjack" {
                let index = r#"{"indices": [{"hand": "hard 16", "up": "A", "from": 3, "play": "S"}]}"#;
                chart.indices = Chart::from_json(index).expect("index plays").indices;
            }
            let job = job(program(&choices, &chart, &bets), &options(Some("hi-lo"), false));
            let told = format!("{name} {changes:?}, insurance {insurance:?}, even money {even_money:?}");
            same(&told, &job, SHAPE, 1);
            if insurance != Take::Never {
                let insured = |tally: &Tally| tally.cells.iter().any(|cell| cell.insured > 0);
                assert!(insured(&job.chunk(0)), "{told}: nobody was insured");
            }
        }
    }
}

/// Tests index plays in Switch, where the legal actions of the second hand depend on the first, on both hands and after
/// splits.
#[test]
fn decisions_by_the_count_in_switch() {
    for name in ["nj-switch", "ma-switch"] {
        let choices = preset(name).unwrap();
        let mut chart = infinite_deck_chart(&choices);
        let indices = r#"{"indices": [{"hand": "hard 16", "up": "T", "from": 0, "play": "S"},
            {"hand": "hard 12", "up": "3", "from": 2, "play": "S"},
            {"hand": "hard 11", "up": "T", "from": 1, "play": "DH"},
            {"hand": "pairs 8", "up": "9", "below": -1, "play": "S"},
            {"hand": "soft 18", "up": "A", "from": -2, "play": "S"}]}"#;
        chart.indices = Chart::from_json(indices).expect("index plays").indices;
        chart.insurance = Take::FromCount(2);
        let bets = side::offered(&choices);
        same(name, &job(program(&choices, &chart, &bets), &options(Some("hi-lo"), false)), SHAPE, 1);
    }
}

/// Streaks outlive rounds and shoes: each lane carries them through its chunk.
#[test]
fn rounds_won_in_a_row() {
    for (name, changes) in [
        ("nj-blackjack", vec!["side_wagers.streak.minimum=1"]),
        (
            "nj-blackjack",
            vec!["side_wagers.streak.minimum=1", "side_wagers.over-under-13.minimum=1", "decks=2"],
        ),
        ("nj-blackjack-reader", vec!["side_wagers.streak.minimum=1", "side_wagers.twenty-point.minimum=1"]),
    ] {
        let mut choices = preset(name).unwrap();
        for change in &changes {
            rules::file::set(&mut choices, change).unwrap_or_else(|error| panic!("{change}: {error:?}"));
        }
        let bets = side::offered(&choices);
        assert!(bets.contains(&SideBet::Streak5));
        let chart = Chart { insurance: Take::FromCount(1), ..infinite_deck_chart(&choices) };
        let job = job(program(&choices, &chart, &bets), &options(Some("hi-lo"), false));
        same(&format!("{name} {changes:?}"), &job, SHAPE, 2);
        let tally = job.chunk(1);
        let decided = |bet: SideBet| {
            let at = job.program.sides.iter().position(|side| side.bet == bet).expect("the wager");
            tally.sides[at].lines[1]
        };
        assert!(decided(SideBet::Streak2) > decided(SideBet::Streak5) && decided(SideBet::Streak5) > 0);
    }
}

#[test]
fn what_devices_leave_to_the_processor_is_said_in_words() {
    let choices = preset("nj-blackjack").unwrap();
    let chart = infinite_deck_chart(&choices);
    let refused = |job: &Job| Layout::new(job, SHAPE).err().expect("a reason");
    let several = Options { boxes: 3, ..options(None, false) };
    let reason = refused(&job(program(&choices, &chart, &[]), &several));
    assert_eq!(reason, "the GPU cannot play more than one box");
    let several = preset("nj-multiple-action").unwrap();
    let insured = Chart { insurance: Take::Always, ..infinite_deck_chart(&several) };
    let reason = refused(&job(program(&several, &insured, &[]), &options(None, false)));
    assert_eq!(reason, "the GPU cannot take insurance against more than one dealer hand");
    let tiny = Shape { shared: 64, ..SHAPE };
    let plain = job(program(&choices, &chart, &[]), &options(None, false));
    assert_eq!(
        Layout::new(&plain, tiny).err().unwrap(),
        "this device has too little shared memory for the table"
    );
}

/// Returns devices on a machine with CUDA, and one sentence otherwise.
#[test]
fn a_machine_says_which_devices_it_has() {
    match device::devices() {
        Ok(found) => assert!(!found.is_empty()),
        Err(sentence) => assert!(sentence.contains("CUDA") && !sentence.contains('\n'), "{sentence}"),
    }
}
