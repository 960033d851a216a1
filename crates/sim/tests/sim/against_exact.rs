//! Checks simulations of fresh shoes against exact figures: the simulated edge of every preset and every side bet is
//! within four standard errors of the solver's.

use exact::game::{Strategy, value};
use exact::given::CompleteChart;
use exact::offers::total_dependent_chart;
use program::chart::{Cell, Kind};
use program::{Chart, CompileOptions, compile};
use rules::play::Action;
use rules::preset::{PRESETS, preset};
use rules::{Choices, DoubleCard, Rules};
use sim::{Hooks, Options, simulate};

/// Returns the number of rounds for each preset, from `CUTCARD_ROUNDS`; `./test deep` plays a hundred million.
fn rounds() -> u64 {
    std::env::var("CUTCARD_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000_000)
}

/// Returns whether to test this preset; `CUTCARD_PRESET` selects one, to split a long run.
fn asked(name: &str) -> bool {
    std::env::var("CUTCARD_PRESET").map_or(true, |only| only == name)
}

fn simulated(choices: &Choices, chart: &Chart, seed: u64, rounds: u64) -> sim::Results {
    let compile_options = CompileOptions { bets: program::side::offered(choices), stake: None };
    let options = Options { rounds, seed, fresh: true, ..Options::default() };
    simulate(compile(choices, chart, &compile_options).unwrap(), &options, Hooks::default()).unwrap()
}

#[test]
fn presets_agree_with_the_solver() {
    for (nth, (name, _)) in PRESETS.iter().enumerate().filter(|(_, (name, _))| asked(name)) {
        let rules = Rules::new(preset(name).unwrap()).unwrap();
        let results = simulated(&rules, &total_dependent_chart(&rules), nth as u64, rounds());
        let (ev, error) = sim::report::ev_and_error(&results.job, &results.part.tally);
        let exact = value(&rules, &Strategy::TotalDependent);
        eprintln!(
            "{name}: simulated {ev:.6} ± {error:.6}, exact {exact:.6}, {:+.2} errors",
            (ev - exact) / error
        );
        assert!((ev - exact).abs() < 4.0 * error, "{name}: {ev} ± {error} is not {exact}");
        if *name != "nj-multiple-action" {
            counts_agree(name, &rules, &Strategy::TotalDependent, &results);
        }
        let reports = side::side_wagers(&rules);
        for (side, tally) in results.job.program.sides.iter().zip(&results.part.tally.sides) {
            let unit = side.unit as f64;
            let (edge, error) = (-tally.net.mean() / unit, tally.net.error() / unit);
            let report = reports.iter().find(|report| report.wager() == side.bet.name()).unwrap();
            eprintln!("  {}: {edge:.6} ± {error:.6}, exact {:.6}", side.bet.name(), report.house_edge);
            assert!((edge - report.house_edge).abs() < 4.0 * error, "{name} {:?}", side.bet);
        }
    }
}

/// Checks the bets, how hands end, and the spread of a round.
fn counts_agree(name: &str, rules: &Rules, strategy: &Strategy, results: &sim::Results) {
    let (performance, stakes) = (sim::report::RunPerformance::of(results), sim::report::Stakes::default());
    let simulated =
        sim::report::document(&results.job, &results.part.tally, &performance, &stakes, &|_| None);
    let exact = exact::edge::edge(rules, strategy);
    // at least four standard errors, since no round's bets or counts exceed the average by much
    let close = 8.0 / (rounds() as f64).sqrt();
    let ended = |way: fn(&sim::summary::Ways) -> f64| {
        let hands = &simulated.hands;
        way(&hands.blackjack) + way(&hands.bust) + way(&hands.stood)
    };
    let of = |what: &str| exact.outcomes.iter().find(|(name, _)| *name == what).unwrap().1;
    for (what, simulated, exact) in [
        ("staked", simulated.staked_per_round, exact.staked),
        ("won", ended(|ways| ways.win), of("won")),
        ("pushed", ended(|ways| ways.push), of("pushed")),
        ("lost", ended(|ways| ways.lose), of("lost")),
    ] {
        eprintln!("  {what}: {simulated:.6}, exact {exact:.6}");
        assert!((simulated - exact).abs() < close, "{name}, {what}: {simulated} is not {exact}");
    }
    let (simulated, exact) = (simulated.std_dev, exact.std_dev);
    eprintln!("  standard deviation: {simulated:.6}, exact {exact:.6}");
    assert!((simulated / exact - 1.0).abs() < 0.5 * close, "{name}: {simulated} is not {exact}");
}

/// The simulation of a poor chart also agrees with the solver: it hits 13 to 16 against low cards, splits nines against
/// a ten, and doubles soft 18 against a 9. The chart is so poor that a simulation of the best chart would not agree
/// with its exact edge.
#[test]
fn a_poor_chart_agrees_with_the_solver() {
    let rules = Rules::new(preset("nj-blackjack").unwrap()).unwrap();
    let mut poor = total_dependent_chart(&rules);
    for total in 13..=16 {
        for column in ["2", "3", "4", "5", "6"] {
            poor.set("initial", (Kind::Hard, total), column, Cell(vec![Action::Hit]));
        }
    }
    poor.set("initial", (Kind::Pairs, 9), "T", Cell(vec![Action::Split]));
    poor.set("initial", (Kind::Soft, 18), "9", Cell(vec![Action::Double, Action::Hit]));
    let results = simulated(&rules, &poor, 99, rounds());
    let (ev, error) = sim::report::ev_and_error(&results.job, &results.part.tally);
    let best = value(&rules, &Strategy::TotalDependent);
    let exact = value(&rules, &Strategy::Given(Box::new(CompleteChart::new(&rules, poor).unwrap())));
    eprintln!("simulated {ev:.6} ± {error:.6}, exact {exact:.6}, the best chart {best:.6}");
    assert!(best - exact > 8.0 * error, "{exact} {best}");
    assert!((ev - exact).abs() < 4.0 * error, "{ev} ± {error} is not {exact}");
}

/// At 6 to 5 and in multiple action, a face-down bust is not collected before a dealer's blackjack: 2.10(b), (c). A
/// chart that doubles stiff hands against a ten and an ace shows this; the best chart doubles nothing that can bust.
#[test]
fn doubles_that_bust_face_down_agree_with_the_solver() {
    for (nth, name) in ["nj-six-to-five", "nj-multiple-action"].into_iter().enumerate() {
        let mut choices = preset(name).unwrap();
        let mut stiff = total_dependent_chart(&choices);
        for total in 12..=17 {
            for column in ["T", "A"] {
                let double = Cell(vec![Action::Double, Action::Hit]);
                stiff.set("initial", (Kind::Hard, total), column, double);
            }
        }
        let valued = |choices: &Choices| {
            value(choices, &Strategy::Given(Box::new(CompleteChart::new(choices, stiff.clone()).unwrap())))
        };
        let face_up = valued(&choices);
        choices.double_card = DoubleCard::Down;
        let rules = Rules::new(choices).unwrap();
        // the two readings differ by less than the other tests look for
        let results = simulated(&rules, &stiff, 7 + nth as u64, 4 * rounds());
        let (ev, error) = sim::report::ev_and_error(&results.job, &results.part.tally);
        let exact = valued(&rules);
        eprintln!("{name}: simulated {ev:.6} ± {error:.6}, exact {exact:.6}, face up {face_up:.6}");
        assert!(exact - face_up > 5.0 * error, "{name}: {exact} {face_up} ± {error}");
        assert!((ev - exact).abs() < 4.0 * error, "{name}: {ev} ± {error} is not {exact}");
        if name == "nj-six-to-five" {
            let strategy = Strategy::Given(Box::new(CompleteChart::new(&rules, stiff).unwrap()));
            counts_agree(name, &rules, &strategy, &results);
        }
    }
}
