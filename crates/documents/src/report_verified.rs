//! Compares the exact figures of a math report with a simulation of its table.
//!
//! Compares house edges, the variance, the distribution of a round's net win, insurance, and the outcomes of every
//! bet.

use crate::report::ExactFigures;
use crate::report_document::{ChiSquare, Verified, VerifiedVariance, VerifiedWager, WholeShoes};
use crate::simulate::{Ready, SimulationOptions};
use exact::game::Strategy;
use exact::judge::EndedAs;
use program::chart::Take;
use rules::text::Form;
use side::InsuranceReport;
use side::round_nets::{RoundNets, round_nets_by};
use sim::report::Stakes;
use sim::summary::{SideSummary, Summary};
use sim::{Hooks, Progress, simulate};
use std::collections::BTreeMap;

/// The maximum number of rounds to simulate for insurance; with so many, the standard error is 0.01 % of the bet.
const INSURED: u64 = 100_000_000;
/// The expected number of occurrences below which an outcome is pooled with other outcomes for the chi-square
/// test.
const RARE: f64 = 5.0;
/// The net win or loss, in half bets, beyond which the simulator counts all results together.
const MOST_HALVES: i64 = 128;

/// Compares the exact figures with the simulated figures `played`.
///
/// Runs further simulations for insurance and for whole shoes; `show` gets the progress of these simulations.
pub(crate) fn verified(
    worked: &ExactFigures,
    ready: &Ready,
    played: &Summary,
    show: &mut dyn FnMut(&Progress),
) -> Verified {
    let main = VerifiedWager {
        lines: blackjacks(worked, played),
        ..compared("main", played.house_edge, played.std_error, Some(worked.by_totals.house_edge))
    };
    let sides = played.side_wagers.iter().map(|side| {
        // outcomes that follow from an assumption about the player's decisions are not tested
        let tested = side.exact_assumes.is_none().then(|| side_lines(worked, side)).flatten();
        VerifiedWager {
            exact_assumes: side.exact_assumes,
            lines: tested,
            ..compared(side.wager, side.house_edge, side.std_error, side.exact_edge)
        }
    });
    // where a bet depends on the first card, so does the insured amount, and its edge differs
    let alike = ready.rules.text().form() != Form::TwoAttacks;
    let insured = worked.insurance.as_ref().filter(|_| alike).and_then(|exact| insured(exact, ready, show));
    let exact_nets = round_nets_by(&worked.choices, &Strategy::TotalDependent);
    let net_result = exact_nets.and_then(|exact| net_results(&exact, worked.choices.dealer_hands(), played));
    Verified {
        distribution: played.distribution.clone(),
        engine: played.engine,
        net_result,
        rounds: played.rounds,
        rounds_won: played.distribution.iter().filter(|row| row.0 > 0.0).map(|row| row.1).sum(),
        seed: played.seed,
        shoes: "fresh",
        std_dev: played.std_dev,
        strategy: "total-dependent",
        variance: variance(worked, played),
        whole_shoes: whole_shoes(worked, ready, show),
        wagers: std::iter::once(main).chain(sides).chain(insured).collect(),
    }
}

/// Returns a bet's simulated and exact house edges, and their difference in standard errors.
fn compared(wager: &'static str, simulated: f64, error: f64, exact: Option<f64>) -> VerifiedWager {
    VerifiedWager {
        errors_apart: exact.and_then(|exact| apart(simulated, error, exact)),
        exact,
        exact_assumes: None,
        house_edge: simulated,
        insured: None,
        lines: None,
        std_error: error,
        wager,
    }
}

fn apart(simulated: f64, error: f64, exact: f64) -> Option<f64> {
    (error > 0.0).then(|| (simulated - exact) / error)
}

/// Returns the simulated variance of a round, its standard error, and the exact variance.
///
/// The standard error of a variance depends on the fourth moment, which is taken from the simulated results.
fn variance(worked: &ExactFigures, played: &Summary) -> VerifiedVariance {
    let rows = &played.distribution;
    let mean: f64 = rows.iter().map(|(net, share)| net * share).sum();
    let moment = |n: i32| rows.iter().map(|(net, share)| share * (net - mean).powi(n)).sum::<f64>();
    let std_error = ((moment(4) - moment(2).powi(2)).max(0.0) / played.rounds as f64).sqrt();
    let (simulated, exact) = (played.std_dev.powi(2), worked.by_totals.variance);
    VerifiedVariance { errors_apart: apart(simulated, std_error, exact), exact, simulated, std_error }
}

/// Tests observed numbers of outcomes against the expected numbers by chi-square.
///
/// Each element of `lines` is an observed and an expected number. Rare outcomes are pooled. Returns `None` if
/// fewer than two classes of outcomes are left.
fn tested(lines: &[(f64, f64)]) -> Option<ChiSquare> {
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
    Some(ChiSquare { chi_square, degrees_of_freedom: freedom, p_value: above(chi_square, freedom) })
}

/// Tests the simulated outcomes of a side bet against the exact outcomes by chi-square.
///
/// Returns `None` for a streak bet, because its bets span several rounds and are not independent. Also returns
/// `None` if the bet has no exact outcomes, or if a simulated outcome has a name that no exact outcome has.
fn side_lines(worked: &ExactFigures, played: &SideSummary) -> Option<ChiSquare> {
    let exact = worked.sides.iter().find(|report| report.wager() == played.wager)?;
    if exact.bet.streak().is_some() {
        return None;
    }
    let wagers = played.wagers as f64;
    let mut lines: Vec<(&str, f64, f64)> = Vec::new();
    let expected = exact.outcomes.iter().map(|o| (o.outcome.as_str(), o.probability));
    for (name, chance) in expected.chain([("lost", exact.loses)]) {
        match lines.iter_mut().find(|line| line.0 == name) {
            Some(line) => line.2 += chance * wagers,
            None => lines.push((name, 0.0, chance * wagers)),
        }
    }
    for met in &played.outcomes {
        let times = met.frequency * wagers;
        match lines.iter_mut().find(|line| line.0 == met.outcome) {
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
fn blackjacks(worked: &ExactFigures, played: &Summary) -> Option<ChiSquare> {
    if worked.results.dealt != 1 || worked.choices.dealer_hands() > 1 {
        return None;
    }
    let rounds = played.rounds as f64;
    let hands = &played.hands.blackjack;
    let naturals = worked.results.lines.iter().filter(|line| line.ended.way == EndedAs::Blackjack);
    let lines = [(hands.win, 1.0), (hands.push, 0.0), (hands.lose, -1.0)].map(|(per_round, sign)| {
        let of =
            naturals.clone().filter(|line| (line.net() > 0.0, line.net() < 0.0) == (sign > 0.0, sign < 0.0));
        (per_round * rounds, of.map(|line| line.hands).sum::<f64>() * rounds)
    });
    let sum = lines.iter().fold((0.0, 0.0), |sum, line| (sum.0 + line.0, sum.1 + line.1));
    tested(&[&lines[..], &[(rounds - sum.0, rounds - sum.1)]].concat())
}

/// Tests the simulated net wins of whole rounds with `bets` bets against the exact distribution by chi-square.
///
/// Net wins are compared per bet, in half bets, rounded down as the simulator counts them.
fn net_results(exact: &RoundNets, bets: usize, played: &Summary) -> Option<ChiSquare> {
    let rounds = played.rounds as f64;
    let place = |net: f64| ((2.0 * net + 1e-9).floor() as i64).clamp(-MOST_HALVES, MOST_HALVES);
    let mut bins: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for at in &exact.nets {
        bins.entry(place(at.net / bets as f64)).or_default().1 += at.probability * rounds;
    }
    for (net, share) in &played.distribution {
        bins.entry(place(*net)).or_default().0 += share * rounds;
    }
    tested(&bins.into_values().collect::<Vec<_>>())
}

/// Simulates insurance, taken in every round that offers it, and compares its house edge with the exact house
/// edge.
///
/// Insurance needs its own simulation, because no chart of a full shoe takes insurance. Returns `None` if the
/// simulation fails.
fn insured(exact: &InsuranceReport, ready: &Ready, show: &mut dyn FnMut(&Progress)) -> Option<VerifiedWager> {
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
    let rounds = Some(told.rounds).filter(|rounds| *rounds > 0)?;
    let error = (exact.variance / rounds as f64).sqrt();
    let entry = compared("insurance", told.house_edge, error, Some(exact.house_edge));
    let lines = entry.errors_apart.map(|apart| {
        let chi_square = apart * apart;
        ChiSquare { chi_square, degrees_of_freedom: 1, p_value: above(chi_square, 1) }
    });
    Some(VerifiedWager { insured: Some(rounds), lines, ..entry })
}

/// Simulates the game in whole shoes, dealt to the cut card, for as many rounds as the simulation from full shoes.
///
/// The cut-card effect is the house edge in whole shoes minus the house edge from full shoes. The theoretical hold
/// is the fraction of the handle that the house keeps. Returns `None` if every round is dealt from a full shoe, or
/// if the simulation fails.
fn whole_shoes(worked: &ExactFigures, ready: &Ready, show: &mut dyn FnMut(&Progress)) -> Option<WholeShoes> {
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
    Some(WholeShoes {
        cut_card_effect: edge - worked.by_totals.house_edge,
        cut_card_effect_error: error,
        house_edge: edge,
        rounds: told.rounds,
        rounds_per_shoe: told.rounds_per_shoe,
        simulated: true,
        std_error: error,
        theoretical_hold: edge / staked,
        theoretical_hold_error: error / staked,
    })
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
        assert!(found.degrees_of_freedom == 5 && (found.chi_square - 5.0).abs() < 1e-12, "{found:?}");
        // two rare outcomes are pooled into one, and one still too rare joins the smallest of the others
        let rare = tested(&[(50.0, 52.0), (4.0, 4.0), (6.0, 4.0)]).unwrap();
        assert_eq!((rare.degrees_of_freedom, rare.chi_square), (1, 4.0 / 52.0 + 4.0 / 8.0));
        let one = tested(&[(50.0, 48.0), (40.0, 41.0), (0.0, 1.0)]).unwrap();
        assert_eq!((one.degrees_of_freedom, one.chi_square), (1, 4.0 / 48.0 + 4.0 / 42.0));
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
            let mut played = ready.outcome(&played).document.summary;
            let found = net_results(&exact, 1, &played).unwrap();
            assert!(found.p_value > 1e-5 && found.degrees_of_freedom > 5, "{name}: {found:?}");
            played.distribution.iter_mut().for_each(|row| row.0 += 0.5);
            let shifted = net_results(&exact, 1, &played).unwrap();
            assert!(shifted.p_value < 1e-5, "{name}: {shifted:?}");
        }
    }
}
