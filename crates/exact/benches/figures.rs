//! Measures the time of each figure and its ratio to the documented limit. Takes the best of several runs, in CPU time
//! where one thread does all the work, so that other load on the machine has little effect.

use exact::ev::{Answer, Question, ev};
use exact::game::{Strategy, value};
use exact::isa::Isa;
use exact::table::Attacked;
use rules::Rules;
use rules::card::parse_cards;
use rules::preset::preset;
use std::time::Instant;

/// The best public analyser takes 0.18 to 0.25 s for eight decks with resplits to four.
const PUBLIC_ANALYSER_MS: f64 = 180.0;

/// Returns the CPU time of this thread in milliseconds, if the system reports it.
fn thread_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|ns| ns / 1e6)
}

/// The number of runs that are timed together, since the system counts CPU time in steps of a few milliseconds.
const TOGETHER: u32 = 10;

fn best_of(runs: usize, mut f: impl FnMut() -> f64) -> (f64, f64) {
    let mut best = f64::MAX;
    let mut result = 0.0;
    for _ in 0..runs {
        let (started, before) = (Instant::now(), thread_ms());
        (0..TOGETHER).for_each(|_| result = f());
        let wall = started.elapsed().as_secs_f64() * 1e3;
        let spent = before.zip(thread_ms()).map_or(wall, |(before, after)| after - before);
        best = best.min(spent / f64::from(TOGETHER));
    }
    (best, result)
}

/// Times a single run without any preparation.
fn once(f: impl FnOnce() -> f64) -> (f64, f64) {
    let (started, before) = (Instant::now(), thread_ms());
    let result = f();
    let wall = started.elapsed().as_secs_f64() * 1e3;
    (before.zip(thread_ms()).map_or(wall, |(before, after)| after - before), result)
}

/// Returns the best wall-clock time of several runs, for work that may use two cores.
fn best_by_clock(runs: usize, mut f: impl FnMut() -> f64) -> (f64, f64) {
    let mut best = (f64::MAX, 0.0);
    for _ in 0..runs {
        let started = Instant::now();
        let result = f();
        best = (best.0.min(started.elapsed().as_secs_f64() * 1e3), result);
    }
    best
}

/// Returns the CPU time of all threads in milliseconds, if the system reports it (in hundredths of a second).
fn process_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok());
    Some(10.0 * (ticks(11)? + ticks(12)?))
}

/// Returns the best time of several runs that share their work between threads, as two cores would take.
fn best_of_two_cores(runs: usize, mut f: impl FnMut() -> f64) -> (f64, f64) {
    let mut best = f64::MAX;
    let mut result = 0.0;
    for _ in 0..runs {
        let (started, before) = (Instant::now(), process_ms());
        result = f();
        let wall = started.elapsed().as_secs_f64() * 1e3;
        best = best.min(before.zip(process_ms()).map_or(wall, |(before, after)| (after - before) / 2.0));
    }
    (best, result)
}

/// Returns the EV of the best action.
fn best_value(answer: &Answer) -> f64 {
    answer.actions.iter().chain(&answer.attack).map(|option| option.ev).fold(f64::MIN, f64::max)
}

fn main() {
    println!("{:<44} {:>10} {:>10} {:>7}  value", "figure", "ms", "promised", "ratio");
    let show = |name: &str, promised: f64, (ms, value): (f64, f64)| {
        println!("{name:<44} {ms:>10.2} {promised:>10.0} {:>7.2}  {value:+.12}", ms / promised);
    };
    let whole = |name: &str| {
        let choices = preset(name).expect("a preset");
        move || value(&choices, &Strategy::CompositionDependent)
    };
    // The first game with a drawing rule builds the dealer's tables, which the others reuse.
    let first = once(whole("nj-blackjack"));
    show("nj-blackjack, the first game of a process", 25.0, first);
    for isa in Isa::available().into_iter().rev() {
        isa.at_most();
        let blackjack = best_of(6, whole("nj-blackjack"));
        let promised = if isa == Isa::Avx512 { 25.0 } else { 60.0 };
        show(&format!("nj-blackjack, 8 decks, resplits to 4, {isa:?}"), promised, blackjack);
        let faster = PUBLIC_ANALYSER_MS / blackjack.0;
        println!(
            "{:<44} {:>10} {:>10} {faster:>7.1}",
            "  times faster than the best public analyser", "", ""
        );
    }
    Isa::Avx512.at_most();
    for (name, promised) in [
        ("nj-six-to-five", 100.0),
        ("nj-blackjack-face-up", 100.0),
        ("nj-double-attack", 100.0),
        ("nj-triple-attack", 500.0),
    ] {
        show(name, promised, best_of(2, whole(name)));
    }
    show("nj-switch, two cores", 2000.0, best_of_two_cores(3, whole("nj-switch")));
    let mut resplit = preset("nj-switch").expect("a preset");
    resplit.split_hands = 4;
    show(
        "nj-switch, two cores, resplits to 4",
        2000.0,
        best_of_two_cores(2, || value(&resplit, &Strategy::CompositionDependent)),
    );
    for (name, hand, other, up) in [
        ("nj-blackjack", "Ts 6d", "", "Kh"),
        ("nj-blackjack", "8s 8d", "", "Kh"),
        ("nj-blackjack", "2s 2d", "", "Kh"),
        ("nj-blackjack-face-up", "2s 2d", "", "Ah 6c"),
        ("nj-switch", "Ts 5d", "6s Td", "6h"),
        ("nj-switch", "2s 2d", "6s Td", "Kh"),
        ("nj-double-attack", "", "", "6h"),
        ("nj-triple-attack", "9s 7d", "", "Kh"),
        ("nj-triple-attack", "8s 8d", "", "Kh"),
        ("nj-triple-attack", "2s 2d", "", "Ah"),
    ] {
        let rules = Rules::new(preset(name).expect("a preset")).expect("a legal preset");
        let cards = |text| parse_cards(text).expect("cards");
        let (hand, other, up) = (cards(hand), cards(other), cards(up));
        let question = Question { hand: &hand, other: &other, up: &up, removed: &[], attacked: Attacked::No };
        let best = best_by_clock(30, || ev(&rules, &question).map_or(f64::NAN, |a| best_value(&a)));
        show(
            &format!("ev {name} {} v {}", rules::card::show_cards(&hand), rules::card::show_cards(&up)),
            15.0,
            best,
        );
    }
}
