//! Computes the math report of a table, from which all formats of the report are made.
//!
//! The report has the rules with their clauses, every bet with every outcome, the assumed rulings, and the results
//! of a simulation.

use crate::by_count::boxes::several_hands;
use crate::edge::BreakEvenMeter;
use crate::progress::{OnStep, ignore_progress};
use crate::report_document::{
    AssumedRuling, ByTotals, Filing, MainGame, Method, MoreFigures, OtherBet, Report, ReturnInterval,
    SpreadOfBets, StampedReport, WagerFigures, WagerOutcome, WagerReport, WellKnownPlay,
};
use crate::report_plays::plays;
use crate::report_round::RoundResults;
use crate::report_rules::{rules_in_force, rulings};
use crate::report_verified::verified;
use crate::simulate::{Ready, SimulationOptions};
use crate::stamp::StrategyUsed;
use crate::strategy::StrategyCharts;
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
use side::round_nets::{RoundNets, round_nets};
use side::{InsuranceReport, SideReport, insurance, side_wagers};
use sim::Progress;
use sim::Results as Played;
use sim::report::Stakes;
use std::collections::BTreeMap;

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
    charts: StrategyCharts,
    /// The house edges and returns to player of well-known strategies.
    plays: Vec<WellKnownPlay>,
    rulings: Vec<AssumedRuling>,
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
    let charts = strategy(choices, &Strategy::TotalDependent);
    let chart = Chart::from_json(&charts.to_json())
        .map_err(|error| Failure::Refused(format!("cannot parse the charts: {error}")))?;
    let plays = plays(choices, &chart);
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
        charts: StrategyCharts::of(&charts),
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
pub fn document(worked: &ExactFigures, played: Option<Verification<'_>>) -> StampedReport {
    let ExactFigures { choices, main, sides, .. } = worked;
    let mut wagers = vec![main_game(worked)];
    wagers.extend(sides.iter().map(side_bet));
    wagers.extend(worked.insurance.iter().map(insurance_bet));
    let method = method(worked, played.as_ref().map(|(ready, ..)| *ready));
    let mut document = Report {
        assumed: None,
        charts: worked.charts.clone(),
        filing: Filing { method, ..Filing::default() },
        hypothetical: None,
        rules: rules_in_force(choices),
        rulings: worked.rulings.clone(),
        seconds: main.seconds + main.spread_seconds,
        table: TableFile::of(choices),
        verified: None,
        wagers,
    };
    let mut of = Inputs { strategy: Some(StrategyUsed::Named(main.strategy)), ..Inputs::table(choices) };
    if let Some((ready, played, show)) = played {
        document.verified = Some(verified(worked, ready, &ready.outcome(played).document.summary, show));
        (of.seed, of.verify) = (Some(ready.options.seed), Some(ready.options.rounds));
    }
    Stamped::new(document, of)
}

/// Returns how every figure of the report was computed, in words: exactly, approximately, or by simulation.
///
/// States the size of the error where it is known.
fn method(worked: &ExactFigures, verified: Option<&Ready>) -> Vec<Method> {
    let choices = &worked.choices;
    let row = |of: &'static str, (exact, how): (bool, &str)| Method { exact, how: how.to_string(), of };
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
    all
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

/// The figures of a bet from which those that every bet has are computed.
struct Basis {
    wager: &'static str,
    per: &'static str,
    outcomes: Vec<WagerOutcome>,
    hit_frequency: f64,
    house_edge: f64,
    variance: f64,
}

impl Basis {
    fn figures(self) -> WagerFigures {
        let Basis { wager, per, outcomes, hit_frequency, house_edge, variance } = self;
        let std_dev = variance.max(0.0).sqrt();
        let returned = 1.0 - house_edge;
        let interval = |&rounds: &u64| {
            let wide = CONFIDENCE_95 * std_dev / (rounds as f64).sqrt();
            ReturnInterval { high: returned + wide, low: returned - wide, rounds }
        };
        let intervals = ROUNDS.iter().map(interval).collect();
        let volatility_index = VOLATILITY * std_dev;
        WagerFigures {
            hit_frequency,
            house_edge,
            intervals,
            outcomes,
            per,
            returned,
            std_dev,
            variance,
            volatility_index,
            wager,
        }
    }
}

fn main_game(worked: &ExactFigures) -> WagerReport {
    let ExactFigures { main, results, .. } = worked;
    let dealt = f64::from(results.dealt);
    let mut outcomes: Vec<WagerOutcome> =
        results.lines.iter().map(|line| hand_outcome(line, dealt)).collect();
    if results.split > 1e-15 {
        outcomes.push(WagerOutcome {
            clause: None,
            contribution: results.split_net / dealt,
            net: results.split_net / results.split,
            outcome: "pair split".into(),
            pays: "hand by hand".into(),
            probability: results.split / dealt,
            ways: None,
        });
    }
    let hands: BTreeMap<&'static str, f64> = main.outcomes.iter().copied().collect();
    let of = |name: &str| hands.get(name).copied().unwrap_or_default();
    let all = of("won") + of("pushed") + of("lost") + of("surrendered");
    let basis = Basis {
        wager: "main",
        per: "initial wager",
        outcomes,
        hit_frequency: of("won") / all,
        house_edge: main.house_edge,
        variance: main.variance,
    };
    let spread =
        |&(bets, variance): &(usize, f64)| SpreadOfBets { bets, std_dev: variance.max(0.0).sqrt(), variance };
    let several = !worked.spreads.is_empty();
    let more = MainGame {
        by_totals: ByTotals { house_edge: worked.by_totals.house_edge, variance: worked.by_totals.variance },
        element_of_risk: main.element_of_risk,
        hands,
        hit_frequency_of: "hands, with split hands counted separately",
        plays: worked.plays.clone(),
        round: worked.round.as_ref().map(|round| RoundResults::of(round, worked.choices.dealer_hands())),
        shares: main.shares.iter().copied().collect(),
        spreads: several.then(|| worked.spreads.iter().map(spread).collect()),
        staked: main.staked,
        std_dev_of: if several { SEVERAL } else { main.std_dev_of },
        strategy: main.strategy,
    };
    WagerReport { figures: basis.figures(), more: MoreFigures::Main(Box::new(more)) }
}

/// The bets to which the standard deviation refers if a round has several dealer hands.
const SEVERAL: &str = "all bets of a round, per unit bet";

fn hand_outcome(line: &EndingRow, dealt: f64) -> WagerOutcome {
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
    WagerOutcome {
        clause: None,
        contribution: line.hands * net / dealt,
        net,
        outcome: words.join(", "),
        pays: pays(line.ended.net),
        probability: line.hands / dealt,
        ways: None,
    }
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

fn side_bet(report: &SideReport) -> WagerReport {
    let mut outcomes: Vec<WagerOutcome> = report
        .outcomes
        .iter()
        .map(|o| WagerOutcome {
            clause: Some(o.by.citation()),
            contribution: o.probability * o.net,
            net: o.net,
            outcome: o.outcome.clone(),
            pays: o.pays.clone(),
            probability: o.probability,
            ways: o.exact.as_ref().map(ToString::to_string),
        })
        .collect();
    outcomes.push(lost(report.exact_loses.as_ref().map(ToString::to_string), report.loses));
    let basis = Basis {
        wager: report.wager(),
        per: "wager",
        outcomes,
        hit_frequency: report.outcomes.iter().filter(|o| o.net > 0.0).map(|o| o.probability).sum(),
        house_edge: report.house_edge,
        variance: report.variance,
    };
    let more = OtherBet {
        break_even: report.break_even.as_ref().map(BreakEvenMeter::of),
        exact_edge: report.exact_edge.as_ref().map(ToString::to_string),
        notes: report.notes.clone(),
        paytable: Some(report.paytable),
        stake: report.stake.map(|stake| stake.to_string()),
    };
    WagerReport { figures: basis.figures(), more: MoreFigures::Other(more) }
}

fn lost(ways: Option<String>, chance: f64) -> WagerOutcome {
    WagerOutcome {
        clause: None,
        contribution: -chance,
        net: -1.0,
        outcome: "lost".into(),
        pays: "loses 1".into(),
        probability: chance,
        ways,
    }
}

fn insurance_bet(report: &InsuranceReport) -> WagerReport {
    let mut outcomes: Vec<WagerOutcome> = report
        .wins
        .iter()
        .map(|(odds, chance)| {
            let (probability, net) = (chance.to_f64(), net_of(odds));
            WagerOutcome {
                clause: None,
                contribution: probability * net,
                net,
                outcome: "the dealer has blackjack".into(),
                pays: odds.to_string(),
                probability,
                ways: Some(chance.to_string()),
            }
        })
        .collect();
    let won: side::Fraction = report.wins.iter().map(|(_, chance)| chance.clone()).sum();
    let loses = side::Fraction::one() - won.clone();
    outcomes.push(lost(Some(loses.to_string()), loses.to_f64()));
    let basis = Basis {
        wager: "insurance",
        per: "wager",
        outcomes,
        hit_frequency: won.to_f64(),
        house_edge: report.house_edge,
        variance: report.variance,
    };
    let more = OtherBet {
        break_even: None,
        exact_edge: Some(report.exact_edge.to_string()),
        notes: vec!["one unit against an ace, no other card known".into()],
        paytable: None,
        stake: None,
    };
    WagerReport { figures: basis.figures(), more: MoreFigures::Other(more) }
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
