//! Computes index plays: the counts at which decisions of a chart change.
//!
//! Decisions are valued by exact solutions of compositions, weighted by their probability at each count and depth.

use crate::by_count::insurance::Insurance;
use crate::by_count::reading::{CountingPlayer, DeckReading};
use crate::by_count::second::{SecondAtTable, SecondCountWeights};
use crate::by_count::{Bucket, ByCount, Choice, CountValue, threshold};
use crate::progress::OnStep;
use crate::risk_averse::RiskAverse;
use crate::simulate::SimulationOptions;
use crate::stamp::StrategyUsed;
use crate::subject::Violations;
use crate::system_tags::{SystemTags, correlation};
use crate::{Failure, Inputs, Stamped};
use exact::cards::Shoe;
use exact::cells::{CellKey, CellValue, cells};
use exact::dealers::Dealers;
use exact::offers::total_dependent_chart;
use exact::removal::{PlayAfterRemoval, removal};
use exact::table::{Attacked, Table};
use exact::threads::{at_once, each};
use exact::turn::Action;
use exact::vocabulary::{RANKS, Rank, by_rank};
use program::chart::{Cell, Chart, Index, Kind, RowKey, Take, letter, row_label};
use rules::{Choices, play};
use serde::Serialize;
use side::removal::insurance_removal;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The frequency, as a fraction of all rounds, up to which a count is ignored when an index is computed.
const MIN_SHARE: f64 = 2e-5;

/// A decision whose best action changes at some count, with the gain from changing the action there.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexPlay {
    pub row: RowKey,
    pub column: String,
    /// The better action at the count `from` and above.
    pub play: Action,
    /// The better action below the count `from`.
    pub otherwise: Action,
    /// The lowest rounded count at which `play` is better.
    pub from: i32,
    /// The count before rounding at which both actions have the same value.
    pub exact: f64,
    /// The standard error of `exact`.
    pub error: f64,
    /// The gain from this index play over always taking the chart's action, in initial bets per round.
    pub gain: f64,
    /// The weight of the second count for this index play; 0 without a second count.
    pub second_weight: f64,
}

impl IndexPlay {
    /// Returns the hand, the upcard, and the letters of two actions: the action at the index and above, then the
    /// action below.
    pub fn words(&self) -> (String, String, [String; 2]) {
        (row_label(self.row), self.column.clone(), [letter_of(self.play), letter_of(self.otherwise)])
    }
}

/// The index plays of a table for one counting system, and the values of a round at each count.
pub struct Indices {
    pub plays: Vec<IndexPlay>,
    /// The count from which insurance is profitable, and the gain from insurance.
    ///
    /// `None` if insurance is profitable at every count or at no count, or if the table does not offer it.
    pub insurance: Option<Insurance>,
    /// The values of the table's rounds and decisions at each count.
    pub by_count: ByCount,
    pub betting: f64,
    pub playing: f64,
    pub insuring: Option<f64>,
    pub chart: Chart,
    pub asked: SimulationOptions,
}

/// Computes the index plays of a table for a player who plays every round.
///
/// `asked` names the counting system, its divisor and its rounding. Returns an error if `asked` names no system.
pub fn compute(
    choices: &Choices,
    asked: &SimulationOptions,
    on_step: OnStep<'_>,
) -> Result<Indices, Failure> {
    compute_for(choices, asked, &CountingPlayer::default(), on_step)
}

/// Computes the index plays of a table for a player who may back-count, or keep a second count.
///
/// Returns an error if `asked` names no counting system, if the player never starts playing, or if the two counts
/// have too many values together.
pub fn compute_for(
    choices: &Choices,
    asked: &SimulationOptions,
    player: &CountingPlayer,
    on_step: OnStep<'_>,
) -> Result<Indices, Failure> {
    let chart = total_dependent_chart(choices);
    let by_count = ByCount::new(choices, &chart, asked, player, on_step)?;
    let table = Table::new(choices, Attacked::No);
    let counted = SystemTags::new(&by_count.system, &table.shoe());
    let open = by_count.choices();
    let mut plays: Vec<IndexPlay> =
        open.iter().filter_map(|choice| index(&by_count, choice, &|_, _| 0.0)).collect();
    plays.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let main = removal(&table, PlayAfterRemoval::Fixed);
    let insuring = insurance_removal(choices).map(|effects| counted.correlation(&effects));
    Ok(Indices {
        insurance: insurance(choices, &by_count),
        betting: counted.correlation(&main),
        playing: playing(choices, &chart, (&counted, &table.shoe()), &plays),
        insuring,
        by_count,
        chart,
        plays,
        asked: asked.clone(),
    })
}

/// Returns the index play of the decision `choice`, or `None` if its best action is the same at every count.
///
/// `cost` returns the cost per round of the additional risk of the decision's action, compared with another
/// action, at a count.
pub(crate) fn index(
    by_count: &ByCount,
    choice: &Choice,
    cost: &dyn Fn(i32, Action) -> f64,
) -> Option<IndexPlay> {
    let buckets = by_count.buckets(choice);
    let bucket_gain = |count: i32, bucket: &Bucket| {
        let (gain, other) = by_count.bucket_gain(choice, bucket);
        (gain - bucket.share * cost(count, other), other)
    };
    let gains: Vec<_> = buckets
        .iter()
        .filter(|(_, bucket)| bucket.share > MIN_SHARE)
        .map(|(count, bucket)| (*count, bucket, bucket_gain(*count, bucket)))
        .collect();
    let all: f64 = gains.iter().map(|(_, bucket, _)| bucket.share).sum();
    let mean = |of: &dyn Fn(usize) -> f64| -> f64 {
        gains.iter().enumerate().map(|(at, (_, bucket, _))| bucket.share / all * of(at)).sum()
    };
    let (count, gain) = (|at: usize| f64::from(gains[at].0), |at: usize| gains[at].2.0 / gains[at].1.share);
    let middle = mean(&count);
    let rises = mean(&|at| (count(at) - middle) * gain(at)) > 0.0;
    let sign = if rises { 1.0 } else { -1.0 };
    let rows: Vec<_> = gains
        .iter()
        .map(|(count, bucket, gain)| (*count, bucket.share, bucket.exact, sign * gain.0))
        .collect();
    let (at, exact) = threshold(&rows)?;
    let (from, bucket, (_, other)) = &gains[at];
    let before = &gains[at - 1];
    let slope = (gain(at) - before.2.0 / before.1.share) / (bucket.exact - before.1.exact);
    let error = by_count.bucket_error(choice, bucket) / bucket.share / slope.abs();
    let charted = by_count.full_shoe_gain(choice) > 0.0;
    let gained = rows
        .iter()
        .enumerate()
        .map(|(nth, row)| ((nth >= at) == rises, sign * row.3))
        .filter(|(plays, _)| *plays != charted)
        .map(|(plays, gain)| if plays { gain } else { -gain })
        .sum();
    let (row, column, _) = &choice.key;
    let (play, otherwise) = if rises { (choice.play, *other) } else { (*other, choice.play) };
    Some(IndexPlay {
        row: *row,
        column: column.clone(),
        play,
        otherwise,
        from: *from,
        exact,
        error,
        gain: gained,
        second_weight: choice.weight,
    })
}

/// Returns the count from which insurance is profitable, and the gain from insurance.
///
/// The player sees one hand and the dealer's ace. Returns `None` if insurance is profitable at every count or at
/// no count, or if the table does not offer it.
fn insurance(choices: &Choices, by_count: &ByCount) -> Option<Insurance> {
    let pays = side::insurance(choices)?;
    // only a ten-value second card wins
    let [(odds, _)] = &pays.wins[..] else { return None };
    by_count.insurance(net_of(odds))
}

fn net_of(odds: &str) -> f64 {
    let (pays, per) = odds.split_once(" to ").unwrap_or((odds, "1"));
    let number = |text: &str| text.trim().parse::<f64>().unwrap_or(f64::NAN);
    number(pays) / number(per)
}

/// Returns the playing correlation: how well the tags follow the effects of removal on the gains of the index
/// plays.
///
/// The result is the mean correlation over all index plays. The weight of an index play is the size of its effects
/// of removal, which include how often the decision comes up.
fn playing(
    choices: &Choices,
    chart: &Chart,
    (counted, full): (&SystemTags, &Shoe),
    plays: &[IndexPlay],
) -> f64 {
    let dealers = Dealers::default();
    let few = u16::from(choices.decks);
    let mut shoes = vec![*full];
    for r in Rank::ALL {
        let mut without = *full;
        without[r] = without[r].saturating_sub(few);
        shoes.push(without);
    }
    let solve =
        |shoe: &Shoe| cells(&Table::new(choices, Attacked::No).sharing(&dealers).with_shoe(*shoe), chart);
    let found = each(&shoes, at_once(choices), solve);
    let cards = full.map(f64::from);
    let (mut sum, mut all) = (0.0, 0.0);
    for play in plays {
        let gain = |cells: &BTreeMap<CellKey, CellValue>| {
            let of = |action: Action| -> f64 {
                let hands = cells.iter().filter(|(key, _)| key.0 == play.row && key.1 == play.column);
                hands.filter_map(|(_, cell)| cell.values.get(&action)).sum()
            };
            of(play.play) - of(play.otherwise)
        };
        let first = gain(&found[0]);
        let effects: [f64; RANKS] = by_rank(|r| (gain(&found[r.index() + 1]) - first) / f64::from(few));
        let moved: f64 = Rank::ALL.into_iter().map(|r| cards[r] * effects[r].powi(2)).sum::<f64>().sqrt();
        all += moved;
        sum += moved * correlation(&cards, &counted.tags, &effects).abs();
    }
    if all > 0.0 { sum / all } else { 0.0 }
}

impl Indices {
    /// Returns the chart of the full shoe with the `most` most valuable index plays, or with all if `most` is
    /// `None`.
    ///
    /// `simulate --strategy` reads charts of this form.
    pub fn with_plays(&self, most: Option<usize>) -> Chart {
        let mut chart = self.chart.clone();
        chart.indices = self.departures(most).map(|(index, _)| index).collect();
        if let Some(insurance) = &self.insurance {
            chart.insurance = Take::FromCount(insurance.from);
        }
        chart
    }

    /// Returns the `most` most valuable index plays as departures from the chart, in the order of the chart, each with
    /// the weight of the second count.
    fn departures(&self, most: Option<usize>) -> impl Iterator<Item = (Index, f64)> {
        let mut plays: Vec<&IndexPlay> = self.plays.iter().take(most.unwrap_or(usize::MAX)).collect();
        // plays allowed only on first hands come before hit and stand
        plays.sort_by_key(|play| (rank(play.play).min(rank(play.otherwise)), play.row));
        plays.into_iter().filter_map(|play| Some((self.departure(play)?, play.second_weight)))
    }

    /// Returns the value of a round at each count for a player who knows the number of decks left.
    ///
    /// The player uses the `most` most valuable index plays, or all if `most` is `None`.
    pub fn counts(&self, most: Option<usize>) -> Vec<CountValue> {
        self.counts_read(most, &DeckReading::default())
    }

    /// Returns the value of a round at each count for a player who estimates the decks left as `reading`
    /// describes.
    ///
    /// The player uses the `most` most valuable index plays, or all if `most` is `None`.
    pub fn counts_read(&self, most: Option<usize>, reading: &DeckReading) -> Vec<CountValue> {
        let insured = self.insurance.as_ref().map(|insurance| &insurance.by_depth_cell[..]);
        let weights: Vec<f64> = self.departures(most).map(|(_, weight)| weight).collect();
        self.by_count.values_by_count(&self.with_plays(most), &weights, insured, reading)
    }

    /// Converts an index play into a departure from the chart.
    ///
    /// The departure applies either at its count and above, or below its count. Returns `None` if the chart has no
    /// cell for the hand.
    fn departure(&self, play: &IndexPlay) -> Option<Index> {
        let cell = self.chart.cell(&["initial".to_string()], play.row, &play.column)?;
        let charted = cell.0.first().copied();
        let plays = [play.play, play.otherwise].map(to_rules);
        // the small letter of a doubled cell is the play with more cards
        let stays = match (charted, rank(play.play).min(rank(play.otherwise))) {
            (Some(first), 3) => plays.iter().position(|p| cell.0.last() == Some(p) || first == *p),
            (first, _) => plays.iter().position(|p| first == Some(*p)),
        };
        let below = match stays {
            Some(at) => at == 0,
            None => play.from <= 0,
        };
        let done = if below { plays[1] } else { plays[0] };
        Some(Index {
            row: play.row,
            column: play.column.clone(),
            from: play.from,
            below,
            play: Cell(vec![done]),
        })
    }
}

/// Returns the rank of an action in the order in which a player considers actions, from 0.
fn rank(action: Action) -> u8 {
    match action {
        Action::Surrender => 0,
        Action::Split => 1,
        Action::Double => 2,
        Action::Hit | Action::Stand => 3,
    }
}

fn to_rules(action: Action) -> play::Action {
    match action {
        Action::Stand => play::Action::Stand,
        Action::Hit => play::Action::Hit,
        Action::Double => play::Action::Double,
        Action::Split => play::Action::Split,
        Action::Surrender => play::Action::Surrender,
    }
}

fn letter_of(action: Action) -> String {
    letter(to_rules(action)).to_string()
}

/// The index plays of a table for one counting system.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Indices)]
pub struct IndexPlays {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The betting correlation: the correlation of the tags with the effects of removal on the main game.
    pub betting_correlation: f64,
    /// The frequency of each count at the start of a round.
    pub counts: Vec<CountFrequency>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The index plays, most valuable first.
    pub indices: Vec<PlayAtCount>,
    /// The count from which insurance is profitable.
    ///
    /// Null if insurance is profitable at every count or at no count, or if the table does not offer it.
    #[schema(required)]
    pub insurance: Option<InsuranceAtCount>,
    /// The insurance correlation: that of the tags with the effects of removal on insurance; null if insurance is
    /// not offered.
    #[schema(required)]
    pub insurance_correlation: Option<f64>,
    /// How the figures were computed, in words.
    pub method: &'static str,
    /// The playing correlation: the mean correlation of the tags with the effects of removal on the index plays'
    /// decisions.
    pub playing_correlation: f64,
    /// The risk-averse indices for doubling and splitting; absent if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub risk_averse: Option<Vec<RiskAverse>>,
    /// The second count and its weights; absent if the player keeps only one count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub second_count: Option<SecondCountWeights>,
}

/// A decision whose best action changes at some count, with the gain from changing the action there.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct PlayAtCount {
    /// The standard error of `exact`.
    pub error: f64,
    /// The count before rounding at which both actions have the same value.
    pub exact: f64,
    /// The lowest rounded count at which `play` is better.
    pub from: i32,
    /// The gain from this index play over always taking the chart's action, in initial bets per round.
    pub gain: f64,
    /// The hand as a chart row, such as `hard 16` or `pairs T`.
    pub hand: String,
    /// The letter of the better action below the count `from`, such as `H`.
    pub otherwise: String,
    /// The letter of the better action from the count `from` up, such as `S`.
    pub play: String,
    /// The points that one point of the second count's surplus adds to the count for this play; absent without a
    /// second count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub second_weight: Option<f64>,
    /// The dealer's upcard, such as `T`.
    pub up: String,
}

/// The count from which insurance is profitable, and the gain per round from insuring at that count and above.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct InsuranceAtCount {
    /// The count before rounding at which insurance is fair.
    pub exact: f64,
    /// The lowest rounded count at which to take insurance.
    pub from: i32,
    /// The gain from insuring at the count `from` and above, in initial bets per round.
    pub gain: f64,
}

/// A count, and the fraction of rounds that begin at this count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct CountFrequency {
    /// The rounded count at the start of a round.
    pub count: i32,
    /// The fraction of all rounds that begin at this count.
    pub frequency: f64,
}

/// Returns the document of a table's index plays.
pub fn document(choices: &Choices, found: &Indices) -> Stamped<IndexPlays> {
    let play = |play: &IndexPlay| {
        let (hand, up, [done, otherwise]) = play.words();
        let IndexPlay { error, exact, from, gain, .. } = *play;
        let second_weight = found.by_count.second.as_ref().map(|_| play.second_weight);
        PlayAtCount { error, exact, from, gain, hand, otherwise, play: done, second_weight, up }
    };
    let insurance =
        |found: &Insurance| InsuranceAtCount { exact: found.exact, from: found.from, gain: found.gain };
    let frequencies = found.by_count.frequencies();
    let document = IndexPlays {
        assumed: None,
        betting_correlation: found.betting,
        counts: frequencies
            .into_iter()
            .map(|(count, frequency)| CountFrequency { count, frequency })
            .collect(),
        hypothetical: None,
        indices: found.plays.iter().map(play).collect(),
        insurance: found.insurance.as_ref().map(insurance),
        insurance_correlation: found.insuring,
        method: "exact solutions of compositions, weighted by their probability at each count and depth",
        playing_correlation: found.playing,
        risk_averse: None,
        second_count: found.by_count.second.as_ref().map(SecondAtTable::weights),
    };
    Stamped::new(document, of(choices, found))
}

/// Returns the inputs that the document of index plays or of a ramp states: table, counts, seed and strategy.
pub fn of(choices: &Choices, found: &Indices) -> Inputs {
    let asked = &found.asked;
    Inputs {
        strategy: Some(StrategyUsed::Named("total-dependent")),
        count: asked.count.clone(),
        count_start: asked.count_start,
        second_count: found.by_count.second.as_ref().map(|second| second.system.name.clone()),
        seed: Some(asked.seed),
        ..Inputs::table(choices)
    }
}

/// Sorts index plays by hand and upcard, with pairs last.
pub fn in_order(plays: &mut [IndexPlay]) {
    plays.sort_by(|a, b| {
        let kind = |play: &IndexPlay| (play.row.0 == Kind::Pairs, play.row, play.column.clone());
        kind(a).cmp(&kind(b))
    });
}
