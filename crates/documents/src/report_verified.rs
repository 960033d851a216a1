//! Compares the exact figures of a math report with a simulation of its table.
//!
//! Compares house edges, the variance, the distribution of a round's net win, insurance, and the outcomes of every
//! bet.

use crate::report::ExactFigures;
use crate::simulate::{Ready, SimulationOptions};
use exact::game::Strategy;
use exact::judge::EndedAs;
use program::chart::Take;
use rules::text::Form;
use serde_json::{Value, json};
use side::round_nets::{RoundNets, round_nets_by};
use side::{InsuranceReport, SideReport};
use sim::report::Stakes;
use sim::{Hooks, Progress, simulate};
use std::collections::BTreeMap;

/// The maximum number of rounds to simulate for insurance; with so many, the standard error is 0.01 % of the bet.
const INSURED: u64 = 100_000_000;
/// The expected number of occurrences below which an outcome is pooled with other outcomes for the chi-square
/// test.
const RARE: f64 = 5.0;
/// The net win or loss, in half bets, beyond which the simulator counts all results together.
const MOST_HALVES: i64 = 128;

/// Compares the exact figures with the simulated figures `played`, and returns the comparison as JSON.
///
/// Runs further simulations for insurance and for whole shoes; `show` gets the progress of these simulations.
pub(crate) fn verified(
    worked: &ExactFigures,
    ready: &Ready,
    played: &Value,
    show: &mut dyn FnMut(&Progress),
) -> Value {
    let main = with_lines(main(worked, played), blackjacks(worked, played));
    let sides = played["side_wagers"].as_array().into_iter().flatten().map(|side| {
        let name = side["wager"].as_str().unwrap_or_default();
        let mut entry =
            row(name, number(&side["house_edge"]), number(&side["std_error"]), number(&side["exact_edge"]));
        if !side["exact_assumes"].is_null() {
            entry["exact_assumes"] = side["exact_assumes"].clone();
            return entry;
        }
        let exact = worked.sides.iter().find(|report| report.wager() == name);
        with_lines(entry, exact.and_then(|exact| side_lines(exact, side)))
    });
    // where a bet depends on the first card, so does the insured amount, and its edge differs
    let alike = ready.rules.text().form() != Form::TwoAttacks;
    let insured = worked.insurance.as_ref().filter(|_| alike).and_then(|exact| insured(exact, ready, show));
    let exact_nets = round_nets_by(&worked.choices, &Strategy::TotalDependent);
    let nets = exact_nets.and_then(|exact| net_results(&exact, worked.choices.dealer_hands(), played));
    let won = played["distribution"].as_array().into_iter().flatten();
    let won: f64 = won.filter(|row| row[0].as_f64() > Some(0.0)).map(|row| number(&row[1])).sum();
    json!({
        "rounds": played["rounds"], "seed": played["seed"], "strategy": "total-dependent", "shoes": "fresh",
        "engine": played["engine"], "std_dev": played["std_dev"], "rounds_won": won, "distribution": played["distribution"],
        "variance": variance(worked, played), "net_result": nets.map(Tested::json),
        "whole_shoes": whole_shoes(worked, ready, show),
        "wagers": std::iter::once(main).chain(sides).chain(insured).collect::<Vec<_>>(),
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// Returns a simulated house edge, the exact house edge, and their difference in standard errors, as JSON.
fn row(wager: &str, simulated: f64, error: f64, exact: f64) -> Value {
    let apart = apart(simulated, error, exact);
    json!({ "wager": wager, "house_edge": simulated, "std_error": error, "exact": exact, "errors_apart": apart })
}

fn apart(simulated: f64, error: f64, exact: f64) -> Option<f64> {
    (error > 0.0).then(|| (simulated - exact) / error)
}

fn main(worked: &ExactFigures, played: &Value) -> Value {
    let (edge, error) = (number(&played["house_edge"]), number(&played["std_error"]));
    row("main", edge, error, worked.by_totals.house_edge)
}

fn with_lines(mut wager: Value, tested: Option<Tested>) -> Value {
    if let Some(tested) = tested {
        wager["lines"] = tested.json();
    }
    wager
}

/// Returns the simulated variance of a round, its standard error, and the exact variance, as JSON.
///
/// The standard error of a variance depends on the fourth moment, which is taken from the simulated results.
fn variance(worked: &ExactFigures, played: &Value) -> Value {
    let rows: Vec<(f64, f64)> = played["distribution"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| (number(&row[0]), number(&row[1])))
        .collect();
    let mean: f64 = rows.iter().map(|(net, share)| net * share).sum();
    let moment = |n: i32| rows.iter().map(|(net, share)| share * (net - mean).powi(n)).sum::<f64>();
    let error = ((moment(4) - moment(2).powi(2)).max(0.0) / number(&played["rounds"])).sqrt();
    let (simulated, exact) = (number(&played["std_dev"]).powi(2), worked.by_totals.variance);
    json!({
        "simulated": simulated, "std_error": error, "exact": exact, "errors_apart": apart(simulated, error, exact),
    })
}

/// The result of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tested {
    chi_square: f64,
    freedom: usize,
    /// The probability that chance alone causes a larger deviation.
    p_value: f64,
}

impl Tested {
    fn json(self) -> Value {
        json!({ "chi_square": self.chi_square, "degrees_of_freedom": self.freedom, "p_value": self.p_value })
    }
}

/// Tests observed numbers of outcomes against the expected numbers by chi-square.
///
/// Each element of `lines` is an observed and an expected number. Rare outcomes are pooled. Returns `None` if
/// fewer than two classes of outcomes are left.
fn tested(lines: &[(f64, f64)]) -> Option<Tested> {
    let (rare, mut cells): (Vec<_>, Vec<_>) =
        lines.iter().copied().partition(|(_, expected)| *expected < RARE);
    let rare = rare.iter().fold((0.0, 0.0), |sum, line| (sum.0 + line.0, sum.1 + line.1));
    if rare.1 >= RARE {
        cells.push(rare);
    } else if let Some(least) = cells.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) {
        (least.0, least.1) = (least.0 + rare.0, least.1 + rare.1);
    }
    let freedom = cells.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    let chi_square = cells.iter().map(|(met, expected)| (met - expected).powi(2) / expected).sum();
    Some(Tested { chi_square, freedom, p_value: above(chi_square, freedom) })
}

/// Tests the simulated outcomes of a side bet against the exact outcomes by chi-square.
///
/// Returns `None` for a streak bet, because its bets span several rounds and are not independent. Also returns
/// `None` if a simulated outcome has a name that no exact outcome has.
fn side_lines(exact: &SideReport, played: &Value) -> Option<Tested> {
    if exact.wager().starts_with("streak") {
        return None;
    }
    let wagers = number(&played["wagers"]);
    let mut lines: Vec<(&str, f64, f64)> = Vec::new();
    let expected = exact.outcomes.iter().map(|o| (o.outcome.as_str(), o.probability));
    for (name, chance) in expected.chain([("lost", exact.loses)]) {
        match lines.iter_mut().find(|line| line.0 == name) {
            Some(line) => line.2 += chance * wagers,
            None => lines.push((name, 0.0, chance * wagers)),
        }
    }
    for met in played["outcomes"].as_array()? {
        let (name, times) = (met["outcome"].as_str()?, number(&met["frequency"]) * wagers);
        match lines.iter_mut().find(|line| line.0 == name) {
            Some(line) => line.1 += times,
            None if times > 0.0 => return None,
            None => {}
        }
    }
    let lines: Vec<(f64, f64)> = lines.iter().map(|&(_, met, expected)| (met, expected)).collect();
    tested(&lines)
}

/// Tests the simulated numbers of won, pushed and lost blackjacks of the player by chi-square.
///
/// All rounds without a player's blackjack form one more class. Their outcomes are not tested, because a split has
/// several outcomes, which are not independent. Returns `None` if a box is dealt two hands or plays against
/// several dealer hands.
fn blackjacks(worked: &ExactFigures, played: &Value) -> Option<Tested> {
    if worked.results.dealt != 1 || worked.choices.dealer_hands() > 1 {
        return None;
    }
    let rounds = number(&played["rounds"]);
    let hands = &played["hands"]["blackjack"];
    let naturals = worked.results.lines.iter().filter(|line| line.ended.way == EndedAs::Blackjack);
    let lines = [("win", 1.0), ("push", 0.0), ("lose", -1.0)].map(|(came, sign)| {
        let of =
            naturals.clone().filter(|line| (line.net() > 0.0, line.net() < 0.0) == (sign > 0.0, sign < 0.0));
        (number(&hands[came]) * rounds, of.map(|line| line.hands).sum::<f64>() * rounds)
    });
    let sum = lines.iter().fold((0.0, 0.0), |sum, line| (sum.0 + line.0, sum.1 + line.1));
    tested(&[&lines[..], &[(rounds - sum.0, rounds - sum.1)]].concat())
}

/// Tests the simulated net wins of whole rounds with `bets` bets against the exact distribution by chi-square.
///
/// Net wins are compared per bet, in half bets, rounded down as the simulator counts them.
fn net_results(exact: &RoundNets, bets: usize, played: &Value) -> Option<Tested> {
    let rounds = number(&played["rounds"]);
    let place = |net: f64| ((2.0 * net + 1e-9).floor() as i64).clamp(-MOST_HALVES, MOST_HALVES);
    let mut bins: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for at in &exact.nets {
        bins.entry(place(at.net / bets as f64)).or_default().1 += at.probability * rounds;
    }
    for row in played["distribution"].as_array()? {
        bins.entry(place(number(&row[0]))).or_default().0 += number(&row[1]) * rounds;
    }
    tested(&bins.into_values().collect::<Vec<_>>())
}

/// Simulates insurance, taken in every round that offers it, and compares its house edge with the exact house
/// edge.
///
/// Insurance needs its own simulation, because no chart of a full shoe takes insurance. Returns `None` if the
/// simulation fails.
fn insured(exact: &InsuranceReport, ready: &Ready, show: &mut dyn FnMut(&Progress)) -> Option<Value> {
    let mut chart = ready.chart.clone();
    chart.insurance = Take::Always;
    let asked = SimulationOptions {
        rounds: Some(ready.options.rounds.min(INSURED)),
        seed: ready.options.seed,
        fresh_shoes: true,
        side_wagers: vec!["none".into()],
        ..SimulationOptions::default()
    };
    let ready = asked.ready_with(ready.rules.clone(), chart, Stakes::default()).ok()?;
    let hooks = Hooks { progress: Some(show), ..Hooks::default() };
    let played = simulate(ready.program().ok()?, &ready.options, hooks).ok()?;
    let told = ready.outcome(&played).document.summary.insurance?;
    let rounds = Some(told.rounds as f64).filter(|rounds| *rounds > 0.0)?;
    let edge = told.house_edge;
    let mut entry = row("insurance", edge, (exact.variance / rounds).sqrt(), exact.house_edge);
    entry["insured"] = json!(rounds);
    let tested = apart(edge, (exact.variance / rounds).sqrt(), exact.house_edge).map(|apart| {
        let chi_square = apart * apart;
        Tested { chi_square, freedom: 1, p_value: above(chi_square, 1) }
    });
    Some(with_lines(entry, tested))
}

/// Simulates the game in whole shoes, dealt to the cut card, for as many rounds as the simulation from full shoes.
///
/// The cut-card effect is the house edge in whole shoes minus the house edge from full shoes. The theoretical hold
/// is the fraction of the handle that the house keeps. Returns `None` if every round is dealt from a full shoe, or
/// if the simulation fails.
fn whole_shoes(worked: &ExactFigures, ready: &Ready, show: &mut dyn FnMut(&Progress)) -> Option<Value> {
    let asked = SimulationOptions {
        rounds: Some(ready.options.rounds),
        seed: ready.options.seed,
        side_wagers: vec!["none".into()],
        ..SimulationOptions::default()
    };
    let ready = asked.ready_with(ready.rules.clone(), ready.chart.clone(), Stakes::default()).ok()?;
    let program = ready.program().ok()?;
    if program.stack.fresh {
        return None;
    }
    let hooks = Hooks { progress: Some(show), ..Hooks::default() };
    let played = simulate(program, &ready.options, hooks).ok()?;
    let told = ready.outcome(&played).document.summary;
    let (edge, error) = (told.house_edge, told.std_error);
    let staked = told.staked_per_round / told.initial_wagers_per_round;
    Some(json!({
        "rounds": told.rounds, "rounds_per_shoe": told.rounds_per_shoe, "house_edge": edge, "std_error": error,
        "cut_card_effect": edge - worked.by_totals.house_edge, "cut_card_effect_error": error,
        "theoretical_hold": edge / staked, "theoretical_hold_error": error / staked, "simulated": true,
    }))
}

/// Returns the probability that a chi-square variable with `freedom` degrees of freedom exceeds `chi_square`.
///
/// The probability is the upper incomplete gamma function, computed by its series or its continued fraction,
/// whichever converges faster.
fn above(chi_square: f64, freedom: usize) -> f64 {
    let (a, x) = (freedom as f64 / 2.0, chi_square / 2.0);
    if x.is_nan() || x <= 0.0 {
        return 1.0;
    }
    // the logarithm of the gamma function, upwards from one half or one
    let (mut at, mut gamma) =
        if freedom.is_multiple_of(2) { (1.0, 0.0) } else { (0.5, 0.5 * std::f64::consts::PI.ln()) };
    while at < a {
        gamma += f64::ln(at);
        at += 1.0;
    }
    let scale = (a * x.ln() - x - gamma).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return (1.0 - scale * sum).clamp(0.0, 1.0);
    }
    // by Lentz's method
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / TINY, 1.0 / b);
    let mut whole = d;
    for n in 1..10_000 {
        let n = f64::from(n);
        let part = -n * (n - a);
        b += 2.0;
        d = 1.0 / (part * d + b);
        c = b + part / c;
        whole *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (scale * whole).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::simulation;
    use rules::preset::preset;

    /// Compares the probabilities with standard chi-square tables, and with exp(-x/2) for two degrees of freedom.
    #[test]
    fn the_chance_of_chi_square_is_that_of_the_tables() {
        let known =
            [(3.841_458_8, 1, 0.05), (6.634_896_6, 1, 0.01), (18.307_038, 10, 0.05), (0.103, 2, 0.949_804)];
        for (chi_square, freedom, chance) in known {
            let found = above(chi_square, freedom);
            assert!((found - chance).abs() < 1e-6, "{chi_square} {freedom}: {found}");
        }
        for chi_square in [0.1_f64, 1.0, 5.0, 40.0] {
            assert!((above(chi_square, 2) - (-chi_square / 2.0).exp()).abs() < 1e-13, "{chi_square}");
        }
        assert_eq!(above(0.0, 3), 1.0);
    }

    /// Compares the statistic with one computed by hand for sixty throws of a die: (25 + 1 + 4 + 16 + 0 + 4) / 10.
    #[test]
    fn lines_are_tested_by_chi_square() {
        let die = [5.0, 9.0, 12.0, 14.0, 10.0, 8.0].map(|met| (met, 10.0));
        let found = tested(&die).unwrap();
        assert!(found.freedom == 5 && (found.chi_square - 5.0).abs() < 1e-12, "{found:?}");
        // two rare outcomes are pooled into one, and one still too rare joins the smallest of the others
        let rare = tested(&[(50.0, 52.0), (4.0, 4.0), (6.0, 4.0)]).unwrap();
        assert_eq!((rare.freedom, rare.chi_square), (1, 4.0 / 52.0 + 4.0 / 8.0));
        let one = tested(&[(50.0, 48.0), (40.0, 41.0), (0.0, 1.0)]).unwrap();
        assert_eq!((one.freedom, one.chi_square), (1, 4.0 / 48.0 + 4.0 / 42.0));
        assert_eq!(tested(&[(10.0, 10.0)]), None);
    }
    /// Simulated rounds end with the exact net results, and with no others.
    ///
    /// A shift of half a bet would show. The other games are verified with their reports.
    #[test]
    fn simulated_rounds_end_with_the_exact_nets() {
        for name in ["nj-blackjack", "nj-six-to-five"] {
            let choices = preset(name).unwrap();
            let exact = round_nets_by(&choices, &Strategy::TotalDependent).unwrap();
            let ready = simulation(&choices, 2_000_000, 39).unwrap();
            let played = simulate(ready.program().unwrap(), &ready.options, Hooks::default()).unwrap();
            let mut played = json!(ready.outcome(&played).document);
            let found = net_results(&exact, 1, &played).unwrap();
            assert!(found.p_value > 1e-5 && found.freedom > 5, "{name}: {found:?}");
            for row in played["distribution"].as_array_mut().unwrap() {
                row[0] = json!(number(&row[0]) + 0.5);
            }
            let shifted = net_results(&exact, 1, &played).unwrap();
            assert!(shifted.p_value < 1e-5, "{name}: {shifted:?}");
        }
    }
}
