//! Computes the value of a side bet at each count, for a player who counts for this side bet alone.
//!
//! Finds the count from which the side bet is profitable, the best bets at each count, and how much of the win of
//! a player with perfect knowledge these bets achieve. The compositions come from a simulation; their values are
//! exact.

use crate::perfect::{CountComparison, ValuedShoe, compare_count, compositions};
use crate::ramp::{self, RampGoal, WinRate, in_text};
use crate::side_value::{priced, with_bets};
use crate::subject::Violations;
use crate::system_tags::weighted_correlation;
use crate::tags::whole_tags;
use crate::{Failure, Inputs, Stamped};
use exact::cards::{Shoe, shoe_size};
use exact::offers::total_dependent_chart;
use exact::table::{Attacked, Table};
use exact::threads::{at_once, each};
use exact::vocabulary::Rank;
use program::{CompileOptions, compile};
use rules::Choices;
use serde::Serialize;
use side::removal::side_removal;
use sim::count::{Ramp, System, count_of};
use sim::rng::shoe_seed;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The options for counting a side bet.
#[derive(Clone, Debug, PartialEq)]
pub struct SideCountOptions {
    /// The name of the side bet, such as `over-13`.
    pub wager: String,
    /// The counting system, by name or as ten tags, or `None` for the best integer tags up to `level`.
    pub count: Option<String>,
    pub level: i32,
    pub rounds: u64,
    pub seed: u64,
    /// How to bet at each count, or `None` to compute no bets.
    pub staked: Option<Staked>,
}

/// How the player bets on a side bet at each count.
#[derive(Clone, Debug, PartialEq)]
pub enum Staked {
    /// The bets of a ramp that the user supplies.
    By(Ramp),
    /// The bets of the ramp that is best for a goal.
    Best(RampGoal),
}

/// The value of a side bet at each count of a counting system chosen for this bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideCount {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The result of the side bet for a player with perfect knowledge of the cards left.
    pub bound: KnowingAll,
    /// The values of the side bet, one for each count.
    pub by_count: Vec<SideAtCount>,
    /// The win per 100 rounds by this count, as a fraction of the win with perfect knowledge in `bound`.
    pub captured: f64,
    /// The correlation of the count before rounding with the side bet's EV.
    pub correlation: f64,
    /// The correlation of the rounded count with the side bet's EV.
    pub correlation_rounded: f64,
    /// The name of the counting system, or its tags.
    pub count: String,
    /// The EV of the side bet if it is made in every round, in units of the bet.
    pub flat: f64,
    /// The rounded count from which betting wins most; null if no count is profitable.
    #[schema(required)]
    pub from: Option<i32>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// How the figures were computed, in words.
    pub method: &'static str,
    /// The number of rounds valued, one for each sampled composition of the shoe.
    pub rounds: usize,
    /// The fraction of rounds that start at the count `from` or above.
    pub share: f64,
    /// The bets on the side bet at each count, and their results; absent if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stakes: Option<SideStakes>,
    /// The name of the side bet, such as `over-13`.
    pub wager: String,
    /// The expected win per 100 rounds, in units, if the player bets one unit at the count `from` and above.
    pub win_per_100: f64,
}

/// The value of a side bet at one rounded count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideAtCount {
    /// The rounded count at the start of a round.
    pub count: i32,
    /// The EV of the side bet at this count, in units of the bet.
    pub ev: f64,
    /// The fraction of rounds that start at this count.
    pub frequency: f64,
    /// The full Kelly bet at this count, as a fraction of the bankroll.
    pub kelly: f64,
    /// The standard deviation of the side bet's net win at this count, in units of the bet.
    pub std_dev: f64,
}

/// The result of a side bet for a player with perfect knowledge of the cards left.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct KnowingAll {
    /// The fraction of rounds in which the side bet is profitable.
    pub share: f64,
    /// The expected win per 100 rounds, in units, if the player bets one unit whenever the side bet is profitable.
    pub win_per_100: f64,
}

/// The bets on a side bet at each count, and their results.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideStakes {
    /// The average bet per round, in units.
    pub average_stake: f64,
    /// The bankroll in units; null if the user gave the ramp.
    #[schema(required)]
    pub bankroll: Option<f64>,
    /// The square root of the SCORE.
    pub desirability_index: f64,
    /// The number of rounds until the expected win equals one standard deviation; null if the player does not win.
    #[schema(required)]
    pub n0: Option<f64>,
    /// The bets, one per count.
    pub ramp: Vec<StakeAtCount>,
    /// The ramp as text in the form of `--side-ramp`, such as `2:0,3:1`.
    pub ramp_text: String,
    /// The probability of ever losing the bankroll; null if the user gave the ramp.
    #[schema(required)]
    pub risk_of_ruin: Option<f64>,
    /// The SCORE of the bets in `ramp`.
    pub score: f64,
    /// The standard deviation of the win in 100 rounds, in units.
    pub std_dev_100: f64,
    /// The expected win in 100 rounds, in units.
    pub win_per_100: f64,
}

/// A count, and the bet on the side bet at this count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct StakeAtCount {
    /// The rounded count at the start of a round.
    pub count: i32,
    /// The bet at this count, in units.
    pub stake: f64,
}

/// A composition, with the EV and the variance of the side bet dealt from it.
struct ShoeValue {
    shoe: Shoe,
    ev: f64,
    variance: f64,
}

/// Returns the document of the value of a side bet at each count.
///
/// Returns an error if the table does not offer the bet, if the count cannot be parsed, or if no bets meet the
/// accepted risk of ruin.
pub fn document(choices: &Choices, asked: &SideCountOptions) -> Result<Stamped<SideCount>, Failure> {
    let effects = side_removal(choices).into_iter().find(|(name, _)| *name == asked.wager);
    let Some((_, effects)) = effects else {
        let offered: Vec<String> = side_removal(choices).into_iter().map(|(name, _)| name).collect();
        return Err(Failure::NotUnderstood(format!(
            "--wager {}: not offered; the table offers {}; add a side bet with --set, such as side_wagers.over-under-13=true",
            asked.wager,
            if offered.is_empty() {
                "no side bet that can be counted".to_string()
            } else {
                offered.join(", ")
            }
        )));
    };
    let full = Table::new(choices, Attacked::No).shoe();
    let system = match &asked.count {
        Some(count) => System::parse(count).map_err(Failure::NotUnderstood)?,
        None => {
            let effects = effects.map(|effect| effect.unwrap_or(0.0));
            let (tags, _) = whole_tags(&full.map(f64::from), &effects, asked.level, true);
            let text = tags.map(|tag| tag.to_string()).join(",");
            System::parse(&text).map_err(Failure::NotUnderstood)?
        }
    };
    let program = compile(choices, &total_dependent_chart(choices), &CompileOptions::default())
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let met = compositions(&program, asked.rounds, asked.seed);
    let offered = with_bets(choices, Some(&asked.wager));
    let met: Vec<(u64, Shoe)> = (0..).zip(met).collect();
    let priced = each(&met, at_once(choices).max(2), |(nth, shoe)| value(&offered, asked, *nth, shoe));
    let all: Vec<ShoeValue> = priced.into_iter().collect::<Result<_, _>>()?;
    Ok(Stamped::new(
        counted(choices, asked, (&system, &full), &all)?,
        Inputs { count: Some(system.name.clone()), seed: Some(asked.seed), ..Inputs::table(choices) },
    ))
}

/// Returns the value of the bet for the cards left in `shoe`; `nth` decides the suits, if the bet looks at suits.
fn value(choices: &Choices, asked: &SideCountOptions, nth: u64, shoe: &Shoe) -> Result<ShoeValue, Failure> {
    let reports = priced(choices, shoe, shoe_seed(asked.seed, 1, nth));
    let side = reports.into_iter().find(|side| side.label() == asked.wager);
    let side = side.ok_or_else(|| Failure::Refused(format!("{}: cannot be priced", asked.wager)))?;
    Ok(ShoeValue { shoe: *shoe, ev: -side.house_edge, variance: side.variance })
}

fn counted(
    choices: &Choices,
    asked: &SideCountOptions,
    (system, full): (&System, &Shoe),
    all: &[ShoeValue],
) -> Result<SideCount, Failure> {
    let decks = f64::from(choices.decks);
    let deck = shoe_size(full) as f64 / decks;
    let count = |shoe: &Shoe| {
        let gone = |r: Rank| i32::from(system.tags[r]) * (i32::from(full[r]) - i32::from(shoe[r]));
        let running =
            system.at_start(i32::from(choices.decks)) + Rank::ALL.into_iter().map(gone).sum::<i32>();
        count_of(system, running, shoe_size(shoe) as f64 / deck)
    };
    let mut by_count: BTreeMap<i32, Vec<&ShoeValue>> = BTreeMap::new();
    all.iter().for_each(|at| by_count.entry(count(&at.shoe)).or_default().push(at));
    let n = all.len().max(1) as f64;
    let mean = |of: &[&ShoeValue], what: fn(&ShoeValue) -> f64| {
        of.iter().map(|at| what(at)).sum::<f64>() / of.len() as f64
    };
    let rows: Vec<(i32, f64, f64, f64)> = by_count
        .iter()
        .map(|(&count, of)| (count, of.len() as f64 / n, mean(of, |at| at.ev), mean(of, |at| at.variance)))
        .collect();
    // betting from this count on wins most
    let won = |from: i32| rows.iter().filter(|row| row.0 >= from).map(|row| row.1 * row.2).sum::<f64>();
    let from = rows
        .iter()
        .map(|row| row.0)
        .max_by(|a, b| won(*a).total_cmp(&won(*b)))
        .filter(|&from| won(from) > 0.0);
    let share = |from: i32| rows.iter().filter(|row| row.0 >= from).map(|row| row.1).sum::<f64>();
    let perfect = all.iter().map(|at| at.ev.max(0.0)).sum::<f64>() / n;
    let met: Vec<ValuedShoe> = all
        .iter()
        .map(|at| ValuedShoe { shoe: at.shoe, weight: 1.0 / n, ev: at.ev, insured: 0.0, charted: at.ev })
        .collect();
    let CountComparison { correlation, .. } = compare_count(&met, system, full, decks);
    let exact: Vec<(f64, f64, f64)> = all.iter().map(|at| (f64::from(count(&at.shoe)), at.ev, 1.0)).collect();
    let counts: Vec<ramp::CountValue> = rows
        .iter()
        .map(|&(count, frequency, ev, variance)| ramp::CountValue {
            count,
            frequency,
            ev,
            variance,
            ..ramp::CountValue::default()
        })
        .collect();
    let stakes = asked.staked.as_ref().map(|staked| stakes(&counts, staked)).transpose()?;
    let shown = rows.iter().map(|&(count, frequency, ev, variance)| {
        // Kelly's fraction of the bankroll
        let kelly = if ev > 0.0 && variance > 0.0 { ev / variance } else { 0.0 };
        SideAtCount { count, ev, frequency, kelly, std_dev: variance.sqrt() }
    });
    Ok(SideCount {
        assumed: None,
        bound: KnowingAll {
            share: all.iter().filter(|at| at.ev > 0.0).count() as f64 / n,
            win_per_100: 100.0 * perfect,
        },
        by_count: shown.collect(),
        captured: if perfect > 0.0 { from.map_or(0.0, won) / perfect } else { 0.0 },
        correlation,
        correlation_rounded: weighted_correlation(&exact),
        count: system.name.clone(),
        flat: all.iter().map(|at| at.ev).sum::<f64>() / n,
        from,
        hypothetical: None,
        method: "exact EV of the bet for the cards left at the start of simulated rounds",
        rounds: all.len(),
        share: from.map_or(0.0, share),
        stakes,
        wager: asked.wager.clone(),
        win_per_100: 100.0 * from.map_or(0.0, won),
    })
}

/// Returns the bets on a side bet at each count, and their results in units.
///
/// Returns an error if no bets meet the accepted risk of ruin.
fn stakes(counts: &[ramp::CountValue], staked: &Staked) -> Result<SideStakes, Failure> {
    let (stakes, bankroll) = match staked {
        Staked::By(ramp) => (counts.iter().map(|at| f64::from(ramp.at(at.count))).collect(), None),
        Staked::Best(wanted) => {
            let found = ramp::stakes(counts, wanted).map_err(|refused| Failure::Refused(refused.reason))?;
            (found, Some(wanted.bankroll))
        }
    };
    let win_rate = WinRate::of(counts, &stakes);
    let rows = counts.iter().zip(&stakes).map(|(at, &stake)| StakeAtCount { count: at.count, stake });
    Ok(SideStakes {
        average_stake: counts.iter().zip(&stakes).map(|(at, stake)| at.frequency * stake).sum(),
        bankroll,
        desirability_index: win_rate.score().sqrt(),
        n0: win_rate.n0(),
        ramp: rows.collect(),
        ramp_text: in_text(counts, &stakes),
        risk_of_ruin: bankroll.map(|bankroll| win_rate.ruin(bankroll)),
        score: win_rate.score(),
        std_dev_100: 10.0 * win_rate.variance.sqrt(),
        win_per_100: 100.0 * win_rate.mean,
    })
}
