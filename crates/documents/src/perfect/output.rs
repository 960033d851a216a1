//! The document on the value of perfect play.

use super::efficiency::PlayingEfficiency;
use super::second_count::{TwoCounts, two_counts};
use super::{BIN_WIDTH, CountComparison, PerfectOptions, Sampled, ValuedShoe, compare_count};
use crate::shoe::{CardsLeft, by_rank};
use crate::subject::Violations;
use crate::{Inputs, Stamped};
use exact::cards::{Shoe, shoe_size};
use exact::game::{Strategy, figures};
use exact::table::{Attacked, Table};
use exact::vocabulary::Rank;
use rules::Choices;
use serde::Serialize;
use sim::count::{SYSTEMS, System, count_of};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The value of perfect play, an upper bound for every counting system.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Perfect {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The solved composition with the highest EV; null if no composition was solved.
    #[schema(required)]
    pub best: Option<SolvedShoe>,
    /// The EV of a player who follows the full shoe's chart and always bets one unit.
    pub chart: Estimate,
    /// The performance of every built-in counting system, compared with perfect play.
    pub counts: Vec<SystemBound>,
    /// The distribution of the EV of a round under perfect play, as fractions of rounds by range.
    pub distribution: Vec<ValueBin>,
    /// The result of betting one unit on favorable rounds and sitting out all others.
    pub favourable: Favourable,
    /// The EV of perfect play if the player always bets one unit.
    pub flat: Estimate,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The gain from insurance for a player who knows every card left and insures only when insurance is
    /// profitable.
    pub insurance: Estimate,
    /// How the figures were computed, in words.
    pub method: &'static str,
    /// The number of rounds until the expected win equals one standard deviation; null if no round is favorable.
    #[schema(required)]
    pub n0: Option<f64>,
    /// The gain from the actions of perfect play over the actions of the full shoe's chart, without insurance.
    pub playing: Estimate,
    /// The playing efficiency of a count: the gain of its index plays as a fraction of the gain of perfect play.
    ///
    /// Absent if it was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub playing_efficiency: Option<PlayingEfficiency>,
    /// The number of rounds solved, one for each sampled composition of the shoe.
    pub rounds: usize,
    /// The SCORE of the best bets if the player sits out unfavorable rounds; null if no round is favorable.
    #[schema(required)]
    pub score: Option<f64>,
    /// The standard error of `score`.
    pub score_error: f64,
    /// The minimum and the maximum bet, such as `1-12`.
    pub spread: String,
    /// The standard deviation of a round's net win, in initial bets.
    pub std_dev: f64,
    /// The performance of every built-in counting system combined with a second count; absent if none was
    /// requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub two_counts: Option<Vec<TwoCounts>>,
    /// The expected win in 100 rounds, in units.
    ///
    /// The player bets the maximum on favorable rounds and the minimum on all others.
    pub win_per_100: f64,
    /// The standard error of `win_per_100`.
    pub win_per_100_error: f64,
    /// The solved composition with the lowest EV; null if no composition was solved.
    #[schema(required)]
    pub worst: Option<SolvedShoe>,
}

/// An EV with its standard error.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Estimate {
    /// The EV, in units of the initial bet.
    pub ev: f64,
    /// The standard error of `ev`.
    pub std_error: f64,
}

/// The result of betting one unit on favorable rounds and sitting out all others.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Favourable {
    /// The expected win in units, averaged over all rounds including those sat out.
    pub ev: f64,
    /// The fraction of rounds that are favorable.
    pub share: f64,
    /// The standard error of `ev`.
    pub std_error: f64,
}

/// A solved composition with its EV.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SolvedShoe {
    /// The EV of perfect play, in units of the initial bet.
    pub ev: f64,
    /// Map from ranks to numbers of cards left.
    #[schema(value_type = BTreeMap<String, u16>)]
    pub shoe: CardsLeft,
}

/// A range of EVs, and the fraction of rounds whose EV is in this range.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct ValueBin {
    /// The fraction of rounds whose EV is in the range.
    pub frequency: f64,
    /// The lower end of the range, in initial bets.
    pub from: f64,
    /// The upper end of the range, in initial bets.
    pub to: f64,
}

/// The performance of a counting system, compared with perfect knowledge of the cards left.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SystemBound {
    /// The win from betting at the count `from` and above, as a fraction of the possible win from favorable
    /// rounds.
    pub captured: f64,
    /// The correlation of the count with the exact EV.
    pub correlation: f64,
    /// The name of the counting system.
    pub count: String,
    /// The count before rounding from which betting wins most; null if no count is favorable.
    #[schema(required)]
    pub from: Option<f64>,
    /// The SCORE of the best bets by this count alone; null if too few compositions are solved.
    #[schema(required)]
    pub score: Option<f64>,
    /// The standard error of `score`; null if too few compositions are solved.
    #[schema(required)]
    pub score_error: Option<f64>,
}

/// Returns the document on the value of perfect play.
pub fn document(choices: &Choices, wanted: &PerfectOptions, sampled: &Sampled) -> Stamped<Perfect> {
    document_with(choices, wanted, sampled, None)
}

/// Returns the document on the value of perfect play.
///
/// If `second` is given, the document also has every built-in counting system combined with this second count.
pub fn document_with(
    choices: &Choices,
    wanted: &PerfectOptions,
    sampled: &Sampled,
    second: Option<&System>,
) -> Stamped<Perfect> {
    let met = &sampled.solved;
    let full = Table::new(choices, Attacked::No).shoe();
    let variance = figures(choices, &Strategy::TotalDependent).variance;
    let told = |(ev, std_error): (f64, f64)| Estimate { ev, std_error };
    let positive = sampled.mean(|met| met.ev.max(0.0));
    let squares = sampled.mean(|met| met.ev.max(0.0).powi(2));
    let stake = |ev: f64| f64::from(if ev > 0.0 { wanted.max_bet } else { wanted.min_bet });
    let spread = sampled.mean(|met| met.ev * stake(met.ev));
    let n0 = (squares.0 > 0.0).then(|| variance / squares.0);
    let systems = || SYSTEMS.iter().filter_map(|system| System::parse(system.0).ok());
    let decks = f64::from(choices.decks);
    let counts = systems().map(|system| {
        let (deck, start) = (shoe_size(&full) as f64 / decks, system.at_start(i32::from(choices.decks)));
        let rounded = |shoe: &Shoe| {
            let gone = |r: Rank| i32::from(system.tags[r]) * (i32::from(full[r]) - i32::from(shoe[r]));
            let running = start + Rank::ALL.into_iter().map(gone).sum::<i32>();
            count_of(&system, running, shoe_size(shoe) as f64 / deck)
        };
        let score = sampled.score_of(rounded, variance);
        let CountComparison { count, correlation, from, captured } =
            compare_count(met, &system, &full, decks);
        SystemBound {
            captured,
            correlation,
            count,
            from: from.is_finite().then_some(from),
            score: score.map(|(score, _)| score),
            score_error: score.map(|(_, error)| error),
        }
    });
    let of_met =
        |met: Option<&ValuedShoe>| met.map(|met| SolvedShoe { ev: met.ev, shoe: by_rank(&met.shoe) });
    let both = |second: &System| {
        let both = systems().map(|main| two_counts(sampled, (&main, second), (&full, decks), variance));
        both.collect()
    };
    let bets = format!("{}-{}", wanted.min_bet, wanted.max_bet);
    let document = Perfect {
        assumed: None,
        best: of_met(met.iter().max_by(|a, b| a.ev.total_cmp(&b.ev))),
        chart: told(sampled.mean(|met| met.charted)),
        counts: counts.collect(),
        distribution: distribution(met),
        favourable: Favourable {
            ev: positive.0,
            share: sampled.mean(|met| f64::from(u8::from(met.ev > 0.0))).0,
            std_error: positive.1,
        },
        flat: told(sampled.mean(|met| met.ev)),
        hypothetical: None,
        insurance: told(sampled.mean(|met| met.insured)),
        method: "exact EV of compositions sampled from a simulation, favorable ones more often, weighted by the \
            effects of removal",
        n0,
        playing: told(sampled.mean(|met| met.ev - met.insured - met.charted)),
        playing_efficiency: None,
        rounds: met.len(),
        score: n0.map(|n0| 1e6 / n0),
        score_error: 1e6 * squares.1 / variance,
        spread: bets.clone(),
        std_dev: variance.sqrt(),
        two_counts: second.map(both),
        win_per_100: 100.0 * spread.0,
        win_per_100_error: 100.0 * spread.1,
        worst: of_met(met.iter().min_by(|a, b| a.ev.total_cmp(&b.ev))),
    };
    let of = Inputs {
        seed: Some(wanted.seed),
        second_count: second.map(|second| second.name.clone()),
        spread: Some(bets),
        ..Inputs::table(choices)
    };
    Stamped::new(document, of)
}

/// Returns the fractions of rounds by range of EV, lowest range first.
fn distribution(met: &[ValuedShoe]) -> Vec<ValueBin> {
    let mut classes = BTreeMap::<i64, f64>::new();
    met.iter().for_each(|met| *classes.entry((met.ev / BIN_WIDTH).floor() as i64).or_default() += met.weight);
    let bin = |(at, frequency): (i64, f64)| ValueBin {
        frequency,
        from: at as f64 * BIN_WIDTH,
        to: (at + 1) as f64 * BIN_WIDTH,
    };
    classes.into_iter().map(bin).collect()
}
