//! The general engine and the fast one, on every instruction set, add up to the same tally.

use program::chart::Take;
use program::{Chart, Program, Wish, compile, reckon::reckon};
use rules::preset::{PRESETS, preset};
use rules::{Choices, SideBet, file};
use sim::chunk::Job;
use sim::count::{Counting, Ramp, System};
use sim::isa::Isa;
use sim::lane::Table;
use sim::part::{Part, merge};
use sim::{Hooks, Options, simulate};
use std::ops::Range;

pub fn program(choices: &Choices, bets: &[SideBet]) -> Program {
    let wish = Wish { bets: bets.to_vec(), stake: None };
    compile(choices, &reckon(choices), &wish).unwrap()
}

/// Plays the same chunk with the general engine and, on every instruction set, with the fast one.
fn same(job: &mut Job, name: &str) {
    let reference = job.chunk_by_rounds(3, u64::MAX, &mut |_| ());
    assert!(reference.rounds() > 0);
    for isa in Isa::available() {
        job.isa = isa;
        assert_eq!(job.chunk(3), reference, "{name} {isa:?}");
    }
}

/// To the cutting card, with a count, and with a full shoe for every round.
fn same_in_every_way(job: &mut Job, name: &str) {
    assert!(job.lane.is_some(), "{name} is not fused");
    same(job, name);
    let system = System::parse("hi-lo").unwrap();
    job.counting = Some(Counting::new(&job.program, &system, &Ramp::parse("1:1,2:8").unwrap()));
    same(job, name);
    (job.fresh, job.counting, job.shoes) = (true, None, 40);
    same(job, name);
}

fn job(program: Program) -> Job {
    Job {
        lane: Table::new(&program),
        program,
        counting: None,
        boxes: 1,
        seed: 5,
        fresh: false,
        isa: Isa::Portable,
        shoes: 3,
    }
}

#[test]
fn both_engines_agree_on_every_preset() {
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        let mut job = job(program(&choices, &program::side::offered(&choices)));
        same_in_every_way(&mut job, name);
    }
}

/// Side wagers that need more than the first cards, a burned card before each round, index plays and insurance.
#[test]
fn both_engines_agree_on_what_is_out_of_the_ordinary() {
    let tables = [
        ("nj-blackjack", vec!["side_wagers.sevens.minimum=1", "side_wagers.match-the-dealer.minimum=1"]),
        ("nj-blackjack", vec!["side_wagers.progressive.minimum=1", "decks=4"]),
        (
            "nj-blackjack",
            vec!["side_wagers.streak.minimum=1", "bonus_payouts=[\"suited-678\",\"five-card-21\"]"],
        ),
        ("nj-blackjack-reader", vec!["side_wagers.twenty-point.minimum=1", "surrender=true", "decks=2"]),
        ("nj-blackjack", vec!["side_wagers.dealer-bust.minimum=1"]),
        ("nj-blackjack", vec!["side_wagers.dealer-bust.minimum=1", "hole_card=down", "soft_17=hit"]),
        ("nj-multiple-action", vec!["side_wagers.dealer-bust.minimum=1"]),
        ("nj-blackjack", vec!["side_wagers.blackjack-bonus.minimum=1"]),
        ("nj-six-to-five", vec!["hand_burn=each-round"]),
        ("nj-six-to-five", vec!["hand_burn=each-round", "side_wagers.match-the-dealer.minimum=1"]),
    ];
    for (name, changes) in tables {
        let mut choices = preset(name).unwrap();
        for change in &changes {
            file::set(&mut choices, change).unwrap();
        }
        let name = format!("{name} {changes:?}");
        let mut job = job(program(&choices, &program::side::offered(&choices)));
        same_in_every_way(&mut job, &name);
    }
    let choices = preset("nj-blackjack").unwrap();
    let mut chart = reckon(&choices);
    chart.insurance = Take::FromCount(3);
    chart.indices = Chart::from_json(
        r#"{"indices":[{"hand":"hard 16","up":"T","from":0,"play":"S"},{"hand":"hard 12","up":"3","from":2,"play":"S"}]}"#,
    )
    .unwrap()
    .indices;
    let mut job = job(compile(&choices, &chart, &Wish::default()).unwrap());
    let system = System::parse("hi-lo").unwrap();
    job.counting = Some(Counting::new(&job.program, &system, &Ramp::parse("1:0,2:1,3:8").unwrap()));
    same(&mut job, "index plays");
    assert!(job.chunk(3).insurance.count > 0);
}

/// The same at tables of every kind, as far as their rounds can be fused.
#[test]
fn both_engines_agree_on_random_lawful_tables() {
    let mut chance = table::random::Chance::seeded(5);
    let mut fused = 0;
    for seed in 0..24 {
        let rules = table::random::tables::lawful(&mut chance);
        let mut job = job(program(&rules, &program::side::offered(&rules)));
        if job.lane.is_some() {
            fused += 1;
            (job.seed, job.shoes) = (seed, 1);
            job.fresh = job.program.stack.fresh;
            same(&mut job, &file::show(&rules));
        }
    }
    assert!(fused >= 18, "only {fused} tables are fused");
}

/// The result depends on neither threads nor the way a run is cut up, and a number of rounds is met exactly.
#[test]
fn a_run_is_the_same_however_it_is_made() {
    let program = || program(&preset("nj-blackjack").unwrap(), &[]);
    let run = |threads, rounds, isa| {
        let options = Options { rounds, threads, isa: Some(isa), ..Options::default() };
        simulate(program(), &options, Hooks::default()).unwrap()
    };
    let one = run(1, 700_001, Isa::Portable);
    assert_eq!((one.part.tally.rounds(), one.played), (700_001, 700_001));
    assert_eq!(run(3, 700_001, Isa::best()).part, one.part);
    let chunks = |chunks: Range<u64>| {
        let options = Options { chunks: Some(chunks), ..Options::default() };
        simulate(program(), &options, Hooks::default()).unwrap().part
    };
    let whole = chunks(0..4);
    let text = chunks(3..4).to_text(&serde_json::Value::Null);
    let parts = [Part::from_text(&text).unwrap().0, chunks(0..3)];
    assert_eq!(merge(&parts).unwrap(), whole);
    assert!(merge(&[whole.clone(), chunks(2..3)]).is_err());
    let resume = |options: &Options| {
        simulate(program(), options, Hooks { resume: Some(chunks(0..2)), ..Hooks::default() })
    };
    let options = Options { rounds: 700_001, ..Options::default() };
    let resumed = resume(&options).unwrap();
    assert_eq!(resumed.part, one.part);
    assert!(resumed.played < 700_001);
    // what was saved must be a beginning of the run
    let fewer = Options { rounds: 1000, ..Options::default() };
    let elsewhere = Options { chunks: Some(1..5), ..Options::default() };
    let otherwise = Options { seed: 2, ..options };
    for wrong in [fewer, elsewhere, otherwise] {
        assert!(resume(&wrong).is_err());
    }
}

/// The last chunk of a run is played as far as it is wanted by the fast engine, and to the very round by the general one.
#[test]
fn any_number_of_rounds_is_the_same_from_both_engines() {
    let choices = preset("nj-blackjack").unwrap();
    for (change, most) in
        [("shoe=single", 1), ("shoe=single", 1000), ("shoe=single", 9_999), ("shoe=continuous", 3001)]
    {
        let mut choices = choices.clone();
        file::set(&mut choices, change).unwrap();
        file::set(&mut choices, "side_wagers.streak.minimum=1").unwrap();
        let mut job = job(program(&choices, &program::side::offered(&choices)));
        (job.fresh, job.shoes) = (job.program.stack.fresh, 100);
        assert_eq!(job.chunk_up_to(7, most), job.chunk_by_rounds(7, most, &mut |_| ()), "{change} {most}");
        assert_eq!(job.chunk_up_to(7, most).rounds(), most);
    }
}

/// A run ends when its error is small enough, however many rounds that takes.
#[test]
fn a_run_ends_at_the_error_that_was_asked_for() {
    let choices = preset("nj-blackjack").unwrap();
    let options = Options { rounds: u64::MAX, until_error: Some(0.001), ..Options::default() };
    let results = simulate(program(&choices, &[]), &options, Hooks::default()).unwrap();
    let error = sim::report::ev_and_error(&results.job, &results.part.tally).1;
    assert!(error <= 0.001 && !results.stopped, "{error}");
    // one chunk fewer would not have been enough
    let chunks = results.part.chunks.end as f64;
    assert!(error * (chunks / (chunks - 1.0)).sqrt() > 0.001 * 0.999, "{error} after {chunks} chunks");
}
