//! Tests the summary of a run and its plots.

use crate::engines::program;
use program::chart::Take;
use program::{Chart, CompileOptions, compile, infinite_deck::infinite_deck_chart};
use rules::Rules;
use rules::preset::preset;
use serde_json::Value;
use sim::count::System;
use sim::{Hooks, Options, Results, simulate};

fn summary(results: &Results) -> Value {
    let (performance, stakes) = (sim::report::RunPerformance::of(results), sim::report::Stakes::default());
    let told = sim::report::document(&results.job, &results.part.tally, &performance, &stakes, &|_| None);
    serde_json::to_value(told).unwrap()
}

/// Plays nj-blackjack with Hi-Lo, this insurance strategy and this many boxes.
fn insured(insurance: Take, boxes: usize) -> Value {
    let choices = preset("nj-blackjack").unwrap();
    let chart = Chart { insurance, ..infinite_deck_chart(&choices) };
    let program = compile(&choices, &chart, &CompileOptions::default()).unwrap();
    let system = Some(System::parse("hi-lo").unwrap());
    let options = Options { rounds: 4_000_000, boxes, system, ..Options::default() };
    summary(&simulate(program, &options, Hooks::default()).unwrap())
}

fn insurance_edges(summary: &Value) -> Vec<(i64, Option<f64>)> {
    let rows = summary["by_count"].as_array().unwrap().iter();
    rows.map(|row| (row["count"].as_i64().unwrap(), row["insurance_edge"].as_f64())).collect()
}

/// Insurance that is always taken costs what the solver says, and less as the count rises.
#[test]
fn insurance_is_told_by_count() {
    let exact = side::insurance(&Rules::new(preset("nj-blackjack").unwrap()).unwrap()).unwrap().house_edge;
    for boxes in [1, 3] {
        let always = insured(Take::Always, boxes);
        let edge = always["insurance"]["house_edge"].as_f64().unwrap();
        let rounds = always["insurance"]["rounds"].as_f64().unwrap();
        // an ace is up in one of thirteen rounds; one unit wins two with a probability of about 4/13
        assert!((rounds / 4e6 - 1.0 / 13.0).abs() < 1e-3, "{rounds}");
        assert!((edge - exact).abs() < 4.0 * 1.39 / rounds.sqrt(), "{edge} is not {exact}");
        let edges = insurance_edges(&always);
        let at = |count: i64| edges.iter().find(|row| row.0 == count).and_then(|row| row.1).unwrap();
        assert!(at(-3) > at(0) && at(0) > at(3), "{edges:?}");
        // Hi-Lo's known insurance index for eight decks is just above three
        assert!(at(-1) > 0.05 && at(5) < 0.0, "{edges:?}");
    }
}

/// If insurance is taken only from a count on, it is reported only for counts at which it was taken.
#[test]
fn insurance_from_a_count_on_is_told_from_there_on() {
    let from_three = insured(Take::FromCount(3), 1);
    let edges = insurance_edges(&from_three);
    assert!(edges.iter().all(|&(count, edge)| count > -3 || edge.is_none()), "{edges:?}");
    assert!(edges.iter().all(|&(count, edge)| !(4..8).contains(&count) || edge.is_some()), "{edges:?}");
    let all = insured(Take::Always, 1);
    let rounds = |summary: &Value| summary["insurance"]["rounds"].as_f64().unwrap();
    assert!(rounds(&from_three) < 0.2 * rounds(&all));
    assert!(insured(Take::Never, 1).get("insurance").is_none());
}

/// The summary names the engine that played; results of single shoes require the general engine.
#[test]
fn the_engine_that_played_is_named() {
    let program = || program(&preset("nj-blackjack").unwrap(), &[]);
    let options = Options { rounds: 10_000, ..Options::default() };
    let plain = simulate(program(), &options, Hooks::default()).unwrap();
    assert_eq!(summary(&plain)["engine"], "fused");
    let mut net = 0;
    let mut each = |shoe: &sim::chunk::ShoeResult| net += i128::from(shoe.net);
    let shoes = simulate(program(), &options, Hooks { shoes: Some(&mut each), ..Hooks::default() }).unwrap();
    assert_eq!(summary(&shoes)["engine"], "general");
    assert_eq!((&shoes.part, net), (&plain.part, plain.part.tally.cells[0].net.sum));
    let boxes = simulate(program(), &Options { boxes: 3, ..options }, Hooks::default()).unwrap();
    assert_eq!(summary(&boxes)["engine"], "batch");
}

/// A bankroll is drawn to its end with a limited number of points, however many shoes a chunk has.
#[test]
fn bankrolls_are_drawn_with_few_points_and_to_the_end() {
    let mut job = sim::run::job(program(&preset("nj-blackjack").unwrap(), &[]), &Options::default()).unwrap();
    job.fresh = true;
    for (shoes, points) in [(5, 5), (256, 256), (1001, 251), (4096, 256)] {
        job.shoes = shoes;
        let mut net = [0.0; sim::rng::LANES];
        job.chunk_by_rounds(0, u64::MAX, &mut |shoe| net[usize::from(shoe.lane)] += shoe.net as f64);
        let picture = sim::plot::plots(&job, &job.empty()).remove(0);
        assert_eq!(picture.file, "bankroll.svg");
        let svg = picture.svg();
        let paths: Vec<&str> = svg.lines().filter(|line| line.contains("stroke-width")).collect();
        assert_eq!(paths.len(), 24, "{shoes} shoes");
        let mut ends: Vec<(f64, f64)> = Vec::new();
        for (path, net) in paths.iter().zip(net) {
            let steps: Vec<&str> = path.split('"').nth(1).unwrap().split('L').collect();
            assert_eq!(steps.len(), points + 1, "{shoes} shoes");
            let (x, y) = steps.last().unwrap().split_once(' ').unwrap();
            // all lanes play one round per shoe, so all paths end at the right edge
            assert_eq!(x, "780.0", "{shoes} shoes");
            ends.push((net, y.parse().unwrap()));
        }
        // the end of a path is proportional to its net win
        let (low, high) = ends.iter().fold((ends[0], ends[0]), |(low, high), &end| {
            (if end.0 < low.0 { end } else { low }, if end.0 > high.0 { end } else { high })
        });
        for (net, y) in ends {
            let expected = low.1 + (net - low.0) / (high.0 - low.0) * (high.1 - low.1);
            assert!((y - expected).abs() < 0.2, "{shoes} shoes: {y} is not {expected}");
        }
    }
}
