//! Computes the math report of a table, from which all formats of the report are made.
//!
//! The report has the rules with their clauses, every bet with every outcome, the assumed rulings, and the results
//! of a simulation.

use crate::by_count::boxes::several_hands;
use crate::progress::{OnStep, ignore_progress};
use crate::report_plays::plays;
use crate::report_round::RoundResults;
use crate::report_rules::{rules_json, rulings};
use crate::report_verified::verified;
use crate::simulate::{Ready, SimulationOptions};
use crate::stamp::StrategyUsed;
use crate::tables::TableFile;
use crate::{Failure, Inputs, Stamped};
use exact::dealer_hands::variance;
use exact::edge::{EdgeReport, edge};
use exact::game::Strategy;
use exact::judge::{Blackjack, EndedAs, Judge};
use exact::results::{EndingRow, Results, results};
use exact::strategy::strategy;
use exact::table::{Attacked, Table};
use program::Chart;
use rules::Choices;
use rules::settle::each_its_share;
use serde_json::{Value, json};
use side::round_nets::{RoundNets, round_nets};
use side::{InsuranceReport, SideReport, insurance, side_wagers};
use sim::Progress;
use sim::Results as Played;
use sim::report::Stakes;

/// The numbers of rounds after which the report gives a 95 % confidence interval of the return to player.
const ROUNDS: [u64; 6] = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/// The number of standard deviations in the volatility index, which corresponds to a 90 % confidence interval.
const VOLATILITY: f64 = 1.645;
/// Half the width of a 95 % confidence interval, in standard deviations.
const CONFIDENCE_95: f64 = 1.959_963_985;

/// The exact figures of a table's math report, before any simulation.
pub struct ExactFigures {
    pub(crate) choices: Choices,
    /// The figures of the main game under the composition-dependent strategy.
    ///
    /// The variance is the variance of all bets of a round together, per unit bet.
    main: EdgeReport,
    pub(crate) by_totals: EdgeReport,
    pub(crate) results: Results,
    /// The distribution of a round's net win, or `None` if it cannot be computed.
    round: Option<RoundNets>,
    /// The variance of a round per unit bet, for each possible number of bets in a round from two up.
    spreads: Vec<(usize, f64)>,
    pub(crate) sides: Vec<SideReport>,
    pub(crate) insurance: Option<InsuranceReport>,
    charts: Value,
    /// The house edges and returns to player of well-known strategies, as JSON.
    plays: Value,
    rulings: Value,
}

/// Computes the exact figures of a table's math report.
///
/// Returns an error if the strategy charts cannot be parsed back.
pub fn compute(choices: &Choices) -> Result<ExactFigures, Failure> {
    compute_with_progress(choices, &ignore_progress)
}

/// Computes the exact figures of a table's math report, and calls `on_step` after each of a few steps.
///
/// Returns an error if the strategy charts cannot be parsed back.
pub fn compute_with_progress(choices: &Choices, on_step: OnStep<'_>) -> Result<ExactFigures, Failure> {
    const STEPS: usize = 5;
    let text = strategy(choices, &Strategy::TotalDependent).to_json();
    let unread =
        |error: &dyn std::fmt::Display| Failure::Refused(format!("cannot parse the charts: {error}"));
    let charts = serde_json::from_str(&text).map_err(|error| unread(&error))?;
    let plays = plays(choices, &Chart::from_json(&text).map_err(|error| unread(&error))?);
    on_step(1, STEPS);
    let sides = side_wagers(choices);
    on_step(2, STEPS);
    let main = of_round(choices, &Strategy::CompositionDependent);
    on_step(3, STEPS);
    let by_totals = of_round(choices, &Strategy::TotalDependent);
    let results = results(choices, &Strategy::CompositionDependent);
    on_step(4, STEPS);
    let rulings = rulings(choices, &sides);
    let spreads = spreads(choices);
    on_step(5, STEPS);
    Ok(ExactFigures {
        main,
        by_totals,
        results,
        round: round_nets(choices),
        spreads,
        insurance: insurance(choices),
        rulings,
        choices: choices.clone(),
        charts,
        plays,
        sides,
    })
}

/// Returns the figures of the main game under a strategy.
///
/// The variance is the variance of all bets of a round together, per unit bet.
fn of_round(choices: &Choices, strategy: &Strategy) -> EdgeReport {
    let mut found = edge(choices, strategy);
    found.variance *= several_hands(choices, strategy, found.variance);
    found
}

/// Returns the exact variance of a round, per unit bet, for each number of bets from two up.
///
/// Each bet is against its own dealer hand.
fn spreads(choices: &Choices) -> Vec<(usize, f64)> {
    let of = |bets: usize| {
        Some((bets, variance(choices, &Strategy::CompositionDependent, bets)? / (bets * bets) as f64))
    };
    (2..=choices.dealer_hands()).filter_map(of).collect()
}

/// Prepares the simulation that verifies a report.
///
/// Every round is dealt from a full shoe, with all side bets, and played by the total-dependent chart.
pub fn simulation(rules: &Choices, rounds: u64, seed: u64) -> Result<Ready, Failure> {
    let asked =
        SimulationOptions { rounds: Some(rounds), seed, fresh_shoes: true, ..SimulationOptions::default() };
    asked.ready(rules.clone(), Stakes::default())
}

/// A simulation that verifies a report: its setup, its results, and a callback for the progress of further
/// simulations.
pub type Verification<'v> = (&'v Ready, &'v Played, &'v mut dyn FnMut(&Progress));

/// Returns the math report of a table, compared with the simulation `played` if a simulation is given.
pub fn document(worked: &ExactFigures, played: Option<Verification<'_>>) -> Stamped<Value> {
    let ExactFigures { choices, main, sides, .. } = worked;
    let mut wagers = vec![main_json(worked)];
    wagers.extend(sides.iter().map(side_json));
    wagers.extend(worked.insurance.iter().map(insurance_json));
    let mut document = json!({
        "table": TableFile::of(choices),
        "rules": rules_json(choices),
        "wagers": wagers,
        "charts": worked.charts,
        "rulings": worked.rulings,
        "seconds": main.seconds + main.spread_seconds,
        "filing": { "method": method(worked, played.as_ref().map(|(ready, ..)| *ready)) },
    });
    let mut of = Inputs { strategy: Some(StrategyUsed::Named(main.strategy)), ..Inputs::table(choices) };
    if let Some((ready, played, show)) = played {
        document["verified"] = verified(worked, ready, &json!(ready.outcome(played).document), show);
        (of.seed, of.verify) = (Some(ready.options.seed), Some(ready.options.rounds));
    }
    Stamped::new(document, of)
}

/// Returns how every figure of the report was computed, in words: exactly, approximately, or by simulation.
///
/// States the size of the error where it is known.
fn method(worked: &ExactFigures, verified: Option<&Ready>) -> Value {
    let choices = &worked.choices;
    let row = |of: &str, (exact, how): (bool, &str)| json!({ "of": of, "exact": exact, "how": how });
    let mut all = vec![
        row(
            "house edge and outcomes of the main game",
            (
                true,
                "summed over every sequence of cards from a full shoe, with one box and the best play for the cards \
                 seen, in double precision; nothing is sampled",
            ),
        ),
        row("variance of the main game", variance_method(choices, !worked.spreads.is_empty())),
        row(
            "side bets and insurance",
            (
                true,
                "every deal is enumerated and classified by the rules; lines with ways are exact fractions, and lines \
                 without ways are derived from the main game in double precision",
            ),
        ),
    ];
    if worked.sides.iter().any(|side| side.bet.streak().is_some()) {
        all.push(row("streaks", streak_method(choices)));
    }
    let intervals = "95 % confidence intervals by the normal approximation from the return and the variance";
    all.push(row("actual return", (false, intervals)));
    if worked.round.is_some() {
        all.push(row("net result of a round", round_method(choices)));
    }
    if let Some(ready) = verified {
        let how = format!(
            "{} rounds from fresh shoes by the total-dependent chart, seed {}; each figure is given with its \
                standard error. A second simulation of the same length plays whole shoes to the cut card, for the \
                cut-card effect and the theoretical hold",
            ready.options.rounds, ready.options.seed
        );
        all.push(row("verified by simulation", (false, how.as_str())));
    }
    Value::Array(all)
}

/// Returns whether the variance of the main game is exact, and how it is computed, in words.
///
/// If `several` is true, the variance is that of all bets of a round together.
fn variance_method(choices: &Choices, several: bool) -> (bool, &'static str) {
    let splits = choices.split_hands > 1;
    let found_last = Table::new(choices, Attacked::No).blackjack() == Blackjack::AfterPlay;
    if choices.hands_per_box() > 1 {
        return (
            false,
            "the product of the two hands is computed with all five visible cards removed, as if the hands were independent \
                given the dealer's result, and a split pair as if the other hand's cards were not removed; at nj-switch by \
                the total-dependent chart the standard deviation is within 0.004 % of 2e8 simulated rounds, which is \
                their standard error",
        );
    }
    if splits && found_last && each_its_share(choices) {
        return (
            false,
            "the squares of every hand and the products of every two hands of a split, but without the products of \
                hands that lose their share of the original bet to a dealer's blackjack; the size of this error is not \
                known",
        );
    }
    if splits && choices.bonus_payouts.suited_678.is_yes() {
        return (
            false,
            "the squares of every hand and the products of every two hands of a split, but as if two 6-7-8 hands of \
             one split were suited independently of each other; the size of this error is not known",
        );
    }
    match (several, choices.dealer_hands()) {
        (true, _) => (
            true,
            "the variance of all bets of a round together, per unit bet: a sum over the cards of the player's hands \
             and of every two of the dealer's hands",
        ),
        (false, 0 | 1) => (
            true,
            "the squares of every hand and the products of every two hands of a split, summed over every sequence of \
                cards",
        ),
        (false, _) => (
            true,
            "the variance of one bet against one dealer hand; that of all bets of a round together differs",
        ),
    }
}

/// Returns whether the odds of streak bets are exact, and how they are computed, in words.
fn streak_method(choices: &Choices) -> (bool, &'static str) {
    if choices.split_hands < 4 {
        return (
            true,
            "computed from the rounds won, lost and pushed, summed over every sequence of cards; rounds are treated \
             as independent, each from a fresh shoe",
        );
    }
    (
        false,
        "computed from the rounds won, lost and pushed; rounds are treated as independent, each from a fresh shoe. \
         Rounds with four hands are combined from every three of them, with an error of about 1e-11 of all rounds at \
         eight decks and 1e-9 at one or two",
    )
}

/// Returns whether the distribution of a round's net win is exact, and how it is computed, in words.
fn round_method(choices: &Choices) -> (bool, &'static str) {
    match (choices.dealer_hands() > 1, choices.split_hands) {
        (true, _) => (
            false,
            "rounds without a split are exact sums over all cards; the results of a split against three dealer hands \
             are combined from those against every two, which leaves the variance exact",
        ),
        (false, ..4) => (true, "sums over all cards of the player's hands and the dealer's hand"),
        (false, _) => (
            false,
            "rounds without a split and with up to three hands are exact sums over all cards; those with four hands \
             are combined from every three of them, with an error below 1e-9 of all rounds",
        ),
    }
}

/// Adds the figures that every bet has, such as its standard deviation, to the JSON of a bet.
fn with_spread(mut wager: Value, house_edge: f64, variance: f64) -> Value {
    let deviation = variance.max(0.0).sqrt();
    let returned = 1.0 - house_edge;
    wager["house_edge"] = json!(house_edge);
    wager["return"] = json!(returned);
    wager["variance"] = json!(variance);
    wager["std_dev"] = json!(deviation);
    wager["volatility_index"] = json!(VOLATILITY * deviation);
    let interval = |rounds: &u64| {
        let wide = CONFIDENCE_95 * deviation / (*rounds as f64).sqrt();
        json!({ "rounds": rounds, "low": returned - wide, "high": returned + wide })
    };
    wager["intervals"] = ROUNDS.iter().map(interval).collect();
    wager
}

fn main_json(worked: &ExactFigures) -> Value {
    let ExactFigures { main, results, .. } = worked;
    let dealt = f64::from(results.dealt);
    let mut outcomes: Vec<Value> = results.lines.iter().map(|line| line_json(line, dealt)).collect();
    if results.split > 1e-15 {
        outcomes.push(json!({
            "outcome": "pair split", "ways": null, "probability": results.split / dealt, "pays": "hand by hand",
            "net": results.split_net / results.split, "contribution": results.split_net / dealt,
        }));
    }
    let hands = |name: &str| main.outcomes.iter().find(|(known, _)| *known == name).map_or(0.0, |row| row.1);
    let all = hands("won") + hands("pushed") + hands("lost") + hands("surrendered");
    let wager = json!({
        "wager": "main", "per": "initial wager", "outcomes": outcomes,
        "hit_frequency": hands("won") / all, "hit_frequency_of": "hands, with split hands counted separately",
        "std_dev_of": if worked.spreads.is_empty() { main.std_dev_of } else { SEVERAL }, "element_of_risk": main.element_of_risk, "staked": main.staked,
        "strategy": main.strategy, "plays": worked.plays,
        "by_totals": { "house_edge": worked.by_totals.house_edge, "variance": worked.by_totals.variance },
        "hands": main.outcomes.iter().map(|(name, n)| (name.to_string(), json!(n))).collect::<serde_json::Map<_, _>>(),
        "shares": main.shares.iter().map(|(name, n)| (name.to_string(), json!(n))).collect::<serde_json::Map<_, _>>(),
    });
    let mut wager = with_spread(wager, main.house_edge, main.variance);
    if !worked.spreads.is_empty() {
        let spread = |(bets, variance): &(usize, f64)| json!({ "bets": bets, "variance": variance, "std_dev": variance.max(0.0).sqrt() });
        wager["spreads"] = worked.spreads.iter().map(spread).collect();
    }
    if let Some(round) = &worked.round {
        wager["round"] = json!(RoundResults::of(round, worked.choices.dealer_hands()));
    }
    wager
}

/// The bets to which the standard deviation refers if a round has several dealer hands.
const SEVERAL: &str = "all bets of a round, per unit bet";

fn line_json(line: &EndingRow, dealt: f64) -> Value {
    let net = line.net();
    let ended = match line.ended.way {
        EndedAs::Blackjack => "blackjack",
        EndedAs::Stood => "",
        EndedAs::Doubled => "doubled",
        EndedAs::Busted => "busted",
        EndedAs::Surrendered => "surrendered",
    };
    let came = match (line.ended.way, net) {
        (EndedAs::Surrendered | EndedAs::Busted, net) if net < 0.0 => "",
        (_, net) if net > 0.0 => "won",
        (_, 0.0) => "pushed",
        _ => "lost",
    };
    let wagers = if line.wagers > 1 { format!("{} bets", line.wagers) } else { String::new() };
    let words: Vec<&str> = [ended, came, &wagers].into_iter().filter(|word| !word.is_empty()).collect();
    json!({
        "outcome": words.join(", "), "ways": null, "probability": line.hands / dealt, "pays": pays(line.ended.net),
        "net": net, "contribution": line.hands * net / dealt,
    })
}

/// Formats a net win in units of the initial bet, such as `3 to 2` or `loses 1`.
///
/// The net win is the fraction `n` over `d`.
fn pays((n, d): (i64, i64)) -> String {
    match n {
        0 => "returned".into(),
        1.. => format!("{n} to {d}"),
        _ if d == 1 => format!("loses {}", -n),
        _ => format!("loses {}/{d}", -n),
    }
}

fn side_json(report: &SideReport) -> Value {
    let mut outcomes: Vec<Value> = report
        .outcomes
        .iter()
        .map(|o| {
            json!({
                "outcome": o.outcome, "ways": o.exact.as_ref().map(ToString::to_string), "probability": o.probability,
                "pays": o.pays, "net": o.net, "contribution": o.probability * o.net, "clause": o.by.citation(),
            })
        })
        .collect();
    outcomes.push(lost(report.exact_loses.as_ref().map(ToString::to_string), report.loses));
    let hit: f64 = report.outcomes.iter().filter(|o| o.net > 0.0).map(|o| o.probability).sum();
    let mut wager = json!({
        "wager": report.wager(), "paytable": report.paytable, "per": "wager", "outcomes": outcomes, "hit_frequency": hit,
        "exact_edge": report.exact_edge.as_ref().map(ToString::to_string), "notes": report.notes,
    });
    if let Some(stake) = report.stake {
        wager["stake"] = json!(stake.to_string());
    }
    if let Some(even) = &report.break_even {
        wager["break_even"] =
            json!({ "of": even.of, "dollars": even.dollars, "exact": even.exact.to_string() });
    }
    with_spread(wager, report.house_edge, report.variance)
}

fn lost(ways: Option<String>, chance: f64) -> Value {
    json!({ "outcome": "lost", "ways": ways, "probability": chance, "pays": "loses 1", "net": -1.0, "contribution": -chance })
}

fn insurance_json(report: &InsuranceReport) -> Value {
    let mut outcomes: Vec<Value> = report
        .wins
        .iter()
        .map(|(odds, chance)| {
            let (probability, net) = (chance.to_f64(), net_of(odds));
            json!({
                "outcome": "the dealer has blackjack", "ways": chance.to_string(), "probability": probability,
                "pays": odds, "net": net, "contribution": probability * net,
            })
        })
        .collect();
    let won: side::Fraction = report.wins.iter().map(|(_, chance)| chance.clone()).sum();
    let loses = side::Fraction::one() - won.clone();
    outcomes.push(lost(Some(loses.to_string()), loses.to_f64()));
    let wager = json!({
        "wager": "insurance", "per": "wager", "outcomes": outcomes, "hit_frequency": won.to_f64(),
        "exact_edge": report.exact_edge.to_string(),
        "notes": ["one unit against an ace, no other card known"],
    });
    with_spread(wager, report.house_edge, report.variance)
}

/// Parses odds such as `2 to 1` into the net win per unit bet, here 2.
fn net_of(odds: &str) -> f64 {
    let (pays, per) = odds.split_once(" to ").unwrap_or((odds, "1"));
    let number = |text: &str| text.trim().parse::<f64>().unwrap_or(f64::NAN);
    number(pays) / number(per)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures that are computed under an assumption are not called exact.
    #[test]
    fn approximations_are_not_exact() {
        let table = |name: &str, sets: &[&str]| {
            let mut choices = rules::preset::preset(name).unwrap();
            sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
            choices
        };
        let shares = "rulings.split_hands_v_dealer_blackjack=each-its-share";
        let suited = "bonus_payouts=[\"suited-678\"]";
        for (name, sets, exact) in [
            ("nj-switch", &[][..], false),
            ("ma-switch", &[], false),
            ("nj-triple-attack", &[], true),
            ("nj-triple-attack", &[shares], false),
            // the reader ends the round before a pair is split
            ("nj-triple-attack", &[shares, "hole_card=reader"], true),
            ("nj-blackjack", &[], true),
            ("nj-blackjack", &[suited], false),
            ("nj-multiple-action", &[], true),
        ] {
            let choices = table(name, sets);
            assert_eq!(variance_method(&choices, choices.dealer_hands() > 1).0, exact, "{name} {sets:?}");
        }
        for (hands, exact) in [("split_hands=2", true), ("split_hands=3", true), ("split_hands=4", false)] {
            let choices = table("nj-blackjack-reader", &[hands]);
            assert_eq!((streak_method(&choices).0, round_method(&choices).0), (exact, exact), "{hands}");
        }
        assert!(!round_method(&table("nj-multiple-action", &[])).0);
    }

    #[test]
    fn nets_are_told_in_words() {
        let told = [(3, 2), (1, 1), (0, 1), (-1, 1), (-1, 2)].map(pays);
        assert_eq!(told, ["3 to 2", "1 to 1", "returned", "loses 1", "loses 1/2"]);
        assert_eq!((net_of("2 to 1"), net_of("5 to 2")), (2.0, 2.5));
    }
}
