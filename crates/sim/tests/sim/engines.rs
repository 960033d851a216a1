//! The general engine and the fast ones give the same tally, on every instruction set.

use program::chart::Take;
use program::{Chart, CompileOptions, Program, compile, infinite_deck::infinite_deck_chart};
use rules::preset::{PRESETS, preset};
use rules::{Choices, SideBet, SideWager, file};
use sim::chunk::{Engine, Job};
use sim::count::{Counting, Divisor, Ramp, System};
use sim::isa::Isa;
use sim::part::{RunPart, merge};
use sim::{Hooks, Options, simulate};
use std::ops::Range;

pub fn program(choices: &Choices, bets: &[SideBet]) -> Program {
    let compile_options = CompileOptions { bets: bets.to_vec(), stake: None };
    compile(choices, &infinite_deck_chart(choices), &compile_options).unwrap()
}

/// Plays the same chunk with the general engine, and with the job's engine on every instruction set.
fn same(job: &mut Job, name: &str) {
    let reference = job.chunk_by_rounds(3, u64::MAX, &mut |_| ());
    assert!(reference.rounds() > 0);
    for isa in Isa::available() {
        job.isa = isa;
        assert_eq!(job.chunk(3), reference, "{name} {isa:?}");
    }
}

/// Compares the engines up to the cut card, with a count, and with a full shoe for every round.
fn same_in_every_way(job: &mut Job, name: &str) {
    assert_eq!(job.engine.name(), "fused", "{name}");
    same(job, name);
    let system = System::parse("hi-lo").unwrap();
    job.counting = Some(Counting::new(&job.program, &system, &Ramp::parse("1:1,2:8").unwrap()));
    same(job, name);
    (job.fresh, job.counting, job.shoes) = (true, None, 40);
    same(job, name);
}

/// A job for one box.
fn job(program: Program) -> Job {
    let engine = Engine::of(&program, 1);
    with_engine(program, engine, 1)
}

fn with_engine(program: Program, engine: Engine, boxes: usize) -> Job {
    Job {
        engine,
        program,
        counting: None,
        side_counts: Vec::new(),
        boxes,
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

/// The engines agree on side bets that need more than the first cards, a burn card before each round, index plays and
/// insurance.
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
    let mut chart = infinite_deck_chart(&choices);
    chart.insurance = Take::FromCount(3);
    chart.indices = Chart::from_json(
        r#"{"indices":[{"hand":"hard 16","up":"T","from":0,"play":"S"},{"hand":"hard 12","up":"3","from":2,"play":"S"}]}"#,
    )
    .unwrap()
    .indices;
    let mut job = job(compile(&choices, &chart, &CompileOptions::default()).unwrap());
    let system = System::parse("hi-lo").unwrap();
    job.counting = Some(Counting::new(&job.program, &system, &Ramp::parse("1:0,2:1,3:8").unwrap()));
    same(&mut job, "index plays");
    assert!(job.chunk(3).cells.iter().any(|cell| cell.insurance.count > 0));
}

/// The engines agree on index plays for most hands, including doubles, pairs and surrender, and on insurance by the
/// count, at every preset that offers insurance: with an uncounted face-down hole card, and with two hands.
#[test]
fn both_engines_agree_on_many_index_plays() {
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        let mut chart = infinite_deck_chart(&choices);
        let columns = chart.sections["initial"].values().next().unwrap().keys().cloned().collect::<Vec<_>>();
        let hands =
            [("hard 16", "S"), ("hard 12", "S"), ("hard 15", "H"), ("soft 18", "H"), ("hard 10", "H")];
        let mut indices = Vec::new();
        for (nth, column) in columns.iter().enumerate().take(10) {
            for (at, (hand, play)) in hands.iter().enumerate() {
                let from = (nth as i32 * 3 + at as i32) % 7 - 3;
                indices.push(format!(r#"{{"hand":"{hand}","up":"{column}","from":{from},"play":"{play}"}}"#));
            }
            indices.push(format!(r#"{{"hand":"pairs T","up":"{column}","from":5,"play":"PS"}}"#));
            indices.push(format!(r#"{{"hand":"pairs 8","up":"{column}","below":-2,"play":"SH"}}"#));
        }
        let text = format!(r#"{{"indices":[{}]}}"#, indices.join(","));
        chart.indices = Chart::from_json(&text).unwrap().indices;
        chart.insurance = Take::FromCount(2);
        let mut job = job(compile(&choices, &chart, &CompileOptions::default()).unwrap());
        for count in ["hi-lo", "ko", "9,9,9,9,9,9,0,-9,-9,-9"] {
            let system = System::parse(count).unwrap();
            job.counting = Some(Counting::new(&job.program, &system, &Ramp::parse("1:1,2:8").unwrap()));
            job.shoes = 1;
            same(&mut job, &format!("{name} {count}"));
        }
        assert_eq!(job.engine.name(), "fused", "{name}");
    }
}

/// The engines agree on running counts far beyond the fast engine's lookup table, with and without a burn card before
/// each round.
#[test]
fn both_engines_agree_on_great_counts() {
    for change in ["hand_burn=each-round", "soft_17=hit"] {
        let mut choices = preset("nj-six-to-five").unwrap();
        file::set(&mut choices, change).unwrap();
        let mut job = job(program(&choices, &[]));
        let mut system = System::parse("9,9,9,9,9,9,0,-9,-9,-9").unwrap();
        system.divisor = Divisor::None;
        job.counting = Some(Counting::new(&job.program, &system, &Ramp::parse("1:0,2:1,3:8").unwrap()));
        same(&mut job, change);
        let cells = job.chunk(3).cells;
        let beyond = [&cells[0], cells.last().unwrap()].map(|cell| cell.net.count);
        assert!(beyond.iter().all(|&rounds| rounds > 10), "{change}: {beyond:?}");
    }
}

/// The engines agree at random legal tables, as far as their rounds can be fused.
#[test]
fn both_engines_agree_on_random_lawful_tables() {
    let mut chance = table::random::Chance::seeded(5);
    let mut fused = 0;
    let tables = table::random::sized(8);
    for seed in 0..tables {
        let rules = table::random::tables::lawful(&mut chance);
        let mut job = job(program(&rules, &program::side::offered(&rules)));
        if job.engine.name() == "fused" {
            fused += 1;
            (job.seed, job.shoes) = (seed, 1);
            job.fresh = job.program.stack.fresh;
            same(&mut job, &file::show(&rules));
        }
    }
    assert!(fused * 4 >= tables * 3, "only {fused} tables are fused");
}

/// The batch engine agrees with the general engine for one to seven boxes, at every preset and at random legal tables.
#[test]
fn batch_lanes_agree_with_the_general_engine() {
    let mut chance = table::random::Chance::seeded(7);
    let lawful =
        (0..table::random::sized(8)).map(|_| table::random::tables::lawful(&mut chance).choices().clone());
    let presets = PRESETS.iter().map(|(name, _)| preset(name).unwrap());
    for (nth, choices) in presets.chain(lawful).enumerate() {
        let boxes = 1 + nth % usize::from(choices.positions.min(7));
        for insurance in [Take::Never, Take::Always] {
            let chart = Chart { insurance, ..infinite_deck_chart(&choices) };
            let program = compile(&choices, &chart, &CompileOptions::default()).unwrap();
            let pays = sim::batch::Pays::new(&program).expect("no side wagers");
            let mut job = with_engine(program, Engine::Batch(pays), boxes);
            job.seed = nth as u64;
            (job.fresh, job.shoes) = (job.program.stack.fresh, if job.program.stack.fresh { 60 } else { 4 });
            let name = format!("{boxes} boxes of {}", file::show(&choices));
            same(&mut job, &name);
            let most = 500 + 7 * nth as u64;
            assert_eq!(job.chunk_up_to(9, most), job.chunk_by_rounds(9, most, &mut |_| ()), "{name}");
            (job.fresh, job.shoes) = (true, 60);
            same(&mut job, &name);
        }
    }
}

/// The batch engine agrees with every side bet that a table can offer.
#[test]
fn batch_lanes_agree_with_side_wagers() {
    let mut chance = table::random::Chance::seeded(11);
    let lawful =
        (0..table::random::sized(8)).map(|_| table::random::tables::lawful(&mut chance).choices().clone());
    let with = |wager: SideWager, mut choices: Choices| {
        choices.side_wagers.clear();
        choices.side_wagers.insert(wager, rules::choice::SideOffer::of(wager));
        rules::Rules::new(choices.clone()).ok().map(|_| choices)
    };
    let presets = PRESETS.iter().map(|(name, _)| preset(name).unwrap());
    let single = presets
        .flat_map(|choices| SideWager::ALL.iter().filter_map(move |&wager| with(wager, choices.clone())));
    // Triple Attack is legal only with all of its bonus areas
    let triple = preset("nj-triple-attack");
    let mut seen = std::collections::BTreeSet::new();
    for (nth, choices) in single.chain(triple).chain(lawful).enumerate() {
        let boxes = 1 + nth % usize::from(choices.positions.min(7));
        let bets = program::side::offered(&choices);
        let program = program(&choices, &bets);
        let pays = sim::batch::Pays::new(&program).expect("nobody is paid early");
        let mut job = with_engine(program, Engine::Batch(pays), boxes);
        (job.seed, job.fresh) = (nth as u64, job.program.stack.fresh);
        job.shoes = if job.fresh { 60 } else { 4 };
        let name = format!("{boxes} boxes of {}", file::show(&choices));
        same(&mut job, &name);
        let most = 500 + 7 * nth as u64;
        assert_eq!(job.chunk_up_to(9, most), job.chunk_by_rounds(9, most, &mut |_| ()), "{name}");
        seen.extend(bets.iter().map(|bet| bet.name()));
    }
    assert_eq!(seen.len(), SideBet::ALL.len(), "{seen:?}");
}

/// The batch engine agrees when the count decides bets, index plays and insurance.
#[test]
fn batch_lanes_agree_where_the_count_decides() {
    for name in ["nj-blackjack", "nj-blackjack-reader", "nj-switch", "nj-multiple-action"] {
        let choices = preset(name).unwrap();
        let index = r#"{"indices":[{"hand":"hard 16","up":"T","from":0,"play":"S"},
            {"hand":"hard 12","up":"3","from":2,"play":"S"},{"hand":"pairs T","up":"6","from":1,"play":"P"}]}"#;
        let indices = Chart::from_json(index).unwrap().indices;
        let chart = Chart { indices, insurance: Take::FromCount(1), ..infinite_deck_chart(&choices) };
        let program = compile(&choices, &chart, &CompileOptions::default()).unwrap();
        let engine = Engine::of(&program, 4);
        let mut job = with_engine(program, engine, 4);
        assert_eq!(job.engine.name(), "batch");
        let system = System::parse("zen").unwrap();
        job.counting = Some(Counting::new(&job.program, &system, &Ramp::parse("1:0,2:1,3:8").unwrap()));
        same(&mut job, name);
        assert!(job.chunk(3).cells.iter().any(|cell| cell.insurance.count > 0), "{name}");
    }
}

/// The first checkpoint is saved as soon as there is anything to save, so that even a short run has one before its end.
#[test]
fn the_first_checkpoint_does_not_wait() {
    let options = Options { rounds: 700_001, threads: 1, ..Options::default() };
    let mut saved = Vec::new();
    let mut save = |part: &RunPart| saved.push(part.tally.rounds());
    let table = program(&preset("nj-blackjack").unwrap(), &[]);
    let hooks = Hooks { checkpoint: Some(&mut save), ..Hooks::default() };
    let whole = simulate(table, &options, hooks).unwrap();
    assert!(saved.len() > 1 && 0 < saved[0] && saved[0] < whole.played, "{saved:?} of {}", whole.played);
}

/// The result does not depend on the number of threads or on how a run is split, and the number of rounds is exact.
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
    let parts = [RunPart::from_text(&text).unwrap().0, chunks(0..3)];
    assert_eq!(merge(&parts).unwrap(), whole);
    assert!(merge(&[whole.clone(), chunks(2..3)]).is_err());
    // parts with a gap between them can be merged, and the gap can be filled later
    let gap = merge(&[chunks(3..4), chunks(0..1)]).unwrap();
    assert_eq!(gap.chunks, [0..1, 3..4]);
    let gap = RunPart::from_text(&gap.to_text(&serde_json::Value::Null)).unwrap().0;
    assert_eq!(merge(&[gap.clone(), chunks(1..3)]).unwrap(), whole);
    assert!(merge(&[gap.clone(), chunks(2..4)]).is_err());
    let resume = |options: &Options| {
        simulate(program(), options, Hooks { resume: Some(chunks(0..2)), ..Hooks::default() })
    };
    let options = Options { rounds: 700_001, ..Options::default() };
    let resumed = resume(&options).unwrap();
    assert_eq!(resumed.part, one.part);
    assert!(resumed.played < 700_001);
    // a saved part must be a beginning of the run
    let fewer = Options { rounds: 1000, ..Options::default() };
    let elsewhere = Options { chunks: Some(1..5), ..Options::default() };
    let otherwise = Options { seed: 2, ..options };
    for wrong in [fewer, elsewhere, otherwise.clone()] {
        assert!(resume(&wrong).is_err());
    }
    let with_gap = Hooks { resume: Some(gap), ..Hooks::default() };
    assert!(simulate(program(), &Options { seed: 1, ..otherwise }, with_gap).is_err());
}

/// The fast engine plays most of a run's last chunk, and the general engine finishes it at the exact round.
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

/// A run ends when its error is small enough, whatever number of rounds that takes.
#[test]
fn a_run_ends_at_the_error_that_was_asked_for() {
    let choices = preset("nj-blackjack").unwrap();
    let options = Options { rounds: u64::MAX, until_error: Some(0.001), ..Options::default() };
    let results = simulate(program(&choices, &[]), &options, Hooks::default()).unwrap();
    let error = sim::report::ev_and_error(&results.job, &results.part.tally).1;
    assert!(error <= 0.001 && !results.stopped, "{error}");
    // one chunk less would not have been enough
    let chunks = results.part.chunks[0].end as f64;
    assert!(error * (chunks / (chunks - 1.0)).sqrt() > 0.001 * 0.999, "{error} after {chunks} chunks");
}

/// A strategy that depends on the count is refused without one.
#[test]
fn index_plays_need_a_count() {
    let choices = preset("nj-blackjack").unwrap();
    let index = r#"{"indices":[{"hand":"hard 16","up":"T","from":0,"play":"S"}]}"#;
    let indices =
        Chart { indices: Chart::from_json(index).unwrap().indices, ..infinite_deck_chart(&choices) };
    let insured = Chart { insurance: Take::FromCount(3), ..infinite_deck_chart(&choices) };
    for chart in [indices, insured] {
        let program = || compile(&choices, &chart, &CompileOptions::default()).unwrap();
        assert!(sim::run::job(program(), &Options::default()).is_err());
        let system = Some(System::parse("hi-lo").unwrap());
        assert!(sim::run::job(program(), &Options { system, ..Options::default() }).is_ok());
    }
}

/// KO starts an eight-deck shoe at -28, and the counts from there on are distinguished.
#[test]
fn running_counts_far_below_zero_are_told_apart() {
    let choices = preset("nj-blackjack").unwrap();
    let mut job = job(program(&choices, &[]));
    job.counting = Some(Counting::new(&job.program, &System::parse("ko").unwrap(), &Ramp::default()));
    let tally = job.chunk(0);
    let rounds = |count: i32| tally.cells[(count - program::hand::LEAST_COUNT) as usize].net.count;
    assert!((-40..=0).all(|count| rounds(count) > 0));
    assert!(rounds(-28) > tally.shoes, "every shoe begins there");
}

/// The simulated spread of one bet of multiple action agrees with the solver's; that of all three together differs.
#[test]
fn the_spread_of_one_wager_is_told_beside_that_of_a_round() {
    for name in ["nj-multiple-action", "nj-blackjack"] {
        let rules = rules::Rules::new(preset(name).unwrap()).unwrap();
        let exact = exact::edge::edge(&rules, &exact::game::Strategy::TotalDependent).std_dev;
        let program =
            compile(&rules, &exact::offers::total_dependent_chart(&rules), &CompileOptions::default())
                .unwrap();
        let options = Options { rounds: 4_000_000, fresh: true, ..Options::default() };
        let results = simulate(program, &options, Hooks::default()).unwrap();
        let (performance, stakes) =
            (sim::report::RunPerformance::of(&results), sim::report::Stakes::default());
        let summary =
            sim::report::document(&results.job, &results.part.tally, &performance, &stakes, &|_| None);
        let wager = summary.std_dev_wager.unwrap_or(summary.std_dev);
        assert!((wager / exact - 1.0).abs() < 0.002, "{name}: {wager} is not {exact}");
        assert_eq!(name == "nj-multiple-action", summary.std_dev < 0.95 * exact, "{name}");
    }
}
