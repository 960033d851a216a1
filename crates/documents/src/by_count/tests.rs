//! Compares exact values by count with simulated rounds, and checks known facts about insurance.

use super::*;
use crate::indices::{self, Indices};
use crate::progress::ignore_progress;
use crate::ramp::{Errors, RampGoal, best};
use serde_json::Value;
use sim::report::Stakes;
use sim::{Hooks, simulate};

fn asked(count: &str, rounds: u64) -> SimulationOptions {
    SimulationOptions {
        count: Some(count.into()),
        rounds: Some(rounds),
        seed: 3,
        ..SimulationOptions::default()
    }
}

fn table(name: &str, set: &str) -> Choices {
    let mut choices = rules::preset::preset(name).unwrap();
    rules::file::set(&mut choices, set).unwrap();
    choices
}

/// Returns the document of a simulation under a chart, with the figures of every count.
fn played(choices: &Choices, asked: &SimulationOptions, chart: Chart, rounds: u64) -> Value {
    let asked = SimulationOptions {
        rounds: Some(rounds),
        side_wagers: vec!["none".into()],
        seed: 99,
        ..asked.clone()
    };
    let ready = asked.ready_with(choices.clone(), chart, Stakes::default()).unwrap();
    let played = simulate(ready.program().unwrap(), &ready.options, Hooks::default()).unwrap();
    serde_json::to_value(ready.outcome(&played).document).unwrap()
}

/// Checks that values and standard deviations at each count agree with simulated rounds within their errors.
///
/// Also checks that the errors of frequent counts are below 0.01 %.
fn agree(choices: &Choices, found: &Indices, plays: Option<usize>, rounds: u64) {
    let told = played(choices, &found.asked, found.with_plays(plays), rounds);
    let rows = told["by_count"].as_array().unwrap();
    let (mut compared, mut squares) = (0, 0.0);
    for at in found.counts(plays).iter().filter(|at| at.frequency > 0.004) {
        let row = rows.iter().find(|row| row["count"] == at.count).unwrap();
        let number = |key: &str| row[key].as_f64().unwrap();
        let error = number("std_dev") / (number("frequency") * rounds as f64).sqrt();
        let apart = (at.ev - number("ev")) / error.hypot(at.ev_error);
        assert!(apart.abs() < 4.5, "{}: {at:?} {row}", choices.name);
        assert!(at.ev_error < 1e-4 || at.frequency < 0.01, "{}: {at:?}", choices.name);
        assert!(
            (at.variance.sqrt() / number("std_dev") - 1.0).abs() < 0.03,
            "{}: {at:?} {row}",
            choices.name
        );
        assert!((at.frequency / number("frequency") - 1.0).abs() < 0.25, "{}: {at:?} {row}", choices.name);
        squares += apart * apart;
        compared += 1;
    }
    assert!(compared > 9 && squares < 2.5 * f64::from(compared), "{}: {squares} of {compared}", choices.name);
}

#[test]
fn every_count_is_worth_what_is_played_there() {
    let choices = table("nj-blackjack-reader", "decks=6");
    let found = indices::compute(&choices, &asked("hi-lo", ROUNDS), &ignore_progress).unwrap();
    agree(&choices, &found, Some(0), 20_000_000);
    agree(&choices, &found, None, 20_000_000);
    // Hi-Lo insures from +3 on, as published
    let insurance = found.insurance.as_ref().unwrap();
    assert_eq!(insurance.from, 3, "{}", insurance.exact);
}

/// Values from two small samples of depths differ by no more than their stated errors.
#[test]
fn long_errors_cover_the_sample_of_depths() {
    let choices = table("nj-blackjack-reader", "decks=6");
    let of = |seed: u64| {
        let asked = SimulationOptions { seed, ..asked("hi-lo", 20_000) };
        indices::compute(&choices, &asked, &ignore_progress).unwrap().counts(Some(0))
    };
    let (mut compared, mut squares) = (0, 0.0);
    let (one, other) = (of(3), of(4));
    // the same inputs give the same result
    assert_eq!(one, of(3));
    for a in one.iter().filter(|at| at.frequency > 0.002) {
        let Some(b) = other.iter().find(|b| b.count == a.count) else { continue };
        let apart = (a.ev - b.ev) / a.ev_error.hypot(b.ev_error);
        assert!(apart.abs() < 5.0, "{a:?} {b:?}");
        squares += apart * apart;
        compared += 1;
    }
    assert!(compared > 9 && squares < 2.5 * f64::from(compared), "{squares} of {compared}");
    // and so do the scores of the best stakes by them
    let wanted = RampGoal {
        bankroll: 1.0,
        min_bet: 1,
        max_bet: 12,
        kelly: 1.0,
        risk: None,
        sit_out_below: None,
        rising: true,
    };
    let [one, other] = [one, other].map(|counts| {
        let (worth, stakes) = best(&counts, &wanted);
        (worth.score(), Errors::of(&counts, &stakes).score)
    });
    assert!((one.0 - other.0).abs() < 4.0 * one.1.hypot(other.1), "{one:?} {other:?}");
}

/// The values of insurance and index plays by Knock-Out, a running count, agree with simulation over all depths.
#[test]
fn long_running_counts_are_worth_what_is_played_there() {
    let choices = table("nj-blackjack-reader", "decks=6");
    let found = indices::compute(&choices, &asked("ko", ROUNDS), &ignore_progress).unwrap();
    agree(&choices, &found, None, 20_000_000);
    let insurance = found.insurance.as_ref().unwrap();
    // as docs/counting.md tells; published is +3
    assert!(insurance.from == 2 && (1.4..2.4).contains(&insurance.exact), "{}", insurance.exact);
    // insuring much earlier or later gains less: shown by simulation, not by formulas
    let gain = |from: i32| {
        let mut chart = found.chart.clone();
        chart.insurance = program::chart::Take::FromCount(from);
        let told = played(&choices, &found.asked, chart, 20_000_000);
        told["ev"].as_f64().unwrap()
    };
    let [here, early, late] = [0, -3, 4].map(|apart| gain(insurance.from + apart));
    assert!(here > early && here > late, "{here} {early} {late}");
}
