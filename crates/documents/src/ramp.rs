//! Computes the best bet ramp for a bankroll, with its win rate and risk.
//!
//! The bets follow Kelly or an accepted risk of ruin. The value of each count comes from exact solutions of
//! compositions, with the index plays of the counting system.

pub use crate::by_count::CountValue;
use crate::by_count::batches::jackknife;
use crate::by_count::second::{SecondAtTable, SecondCountWeights};
use crate::indices::{Indices, of};
use crate::seat::{Prospects, ReadDecks, Seat, prospects};
use crate::simulate::SimulationOptions;
use crate::subject::Violations;
use crate::{Inputs, Stamped};
use rules::Choices;
use serde::Serialize;
use utoipa::ToSchema;

/// The goal of a bet ramp: the bankroll, the spread, and how much risk to accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RampGoal {
    /// The bankroll, in units of the smallest bet.
    pub bankroll: f64,
    pub min_bet: u32,
    pub max_bet: u32,
    /// The fraction of full Kelly bets, ignored if `risk` is given.
    pub kelly: f64,
    /// The accepted risk of ruin as a fraction, or `None` for Kelly bets.
    pub risk: Option<f64>,
    /// The lowest count at which the player plays, or `None` to play at every count.
    pub sit_out_below: Option<i32>,
    /// Whether the bets may never fall as the count rises.
    pub rising: bool,
}

/// The mean and the variance of the win per round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    pub mean: f64,
    pub variance: f64,
}

impl WinRate {
    /// Returns the win rate of a player who bets `stakes`, with one bet per element of `counts`.
    pub fn of(counts: &[CountValue], stakes: &[f64]) -> WinRate {
        let all = || counts.iter().zip(stakes);
        let mean: f64 = all().map(|(at, stake)| at.frequency * stake * at.ev).sum();
        let squares: f64 = all().map(|(at, b)| at.frequency * b * b * (at.variance + at.ev * at.ev)).sum();
        WinRate { mean, variance: squares - mean * mean }
    }

    /// Returns the win rate over the rounds of all batches except `batch`.
    fn without(batch: usize, counts: &[CountValue], stakes: &[f64]) -> WinRate {
        let all: f64 = counts.iter().map(|at| at.batches.without(batch)[0]).sum();
        if all == 0.0 {
            return WinRate::of(counts, stakes);
        }
        let others = counts.iter().map(|at| match at.batches.without(batch) {
            [rounds, value] if rounds > 0.0 => {
                CountValue { frequency: rounds / all, ev: value / rounds, ..*at }
            }
            _ => CountValue { frequency: 0.0, ..*at },
        });
        WinRate::of(&others.collect::<Vec<CountValue>>(), stakes)
    }

    /// Returns N0, the number of rounds after which the expected win equals one standard deviation.
    ///
    /// Returns `None` if the expected win is not positive.
    pub fn n0(&self) -> Option<f64> {
        (self.mean > 0.0).then(|| self.variance / (self.mean * self.mean))
    }

    /// Returns the SCORE: the win per hundred rounds at Kelly bets with a bankroll of 10,000.
    ///
    /// The SCORE is the square of the desirability index.
    pub fn score(&self) -> f64 {
        self.n0().map_or(0.0, |n0| 1e6 / n0)
    }

    /// Returns the probability of ever losing a bankroll of `bankroll` units.
    pub fn ruin(&self, bankroll: f64) -> f64 {
        if self.mean <= 0.0 { 1.0 } else { (-2.0 * self.mean * bankroll / self.variance).exp() }
    }
}

/// The error that no bets within the spread meet the accepted risk of ruin.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfReach {
    pub reason: String,
    pub least_risk: f64,
}

impl OutOfReach {
    /// Returns the document that `--json` prints if there is no ramp.
    pub fn document(&self, of: Inputs) -> Stamped<RampRefusal> {
        let OutOfReach { least_risk, reason } = self.clone();
        Stamped::new(RampRefusal { refused: RiskOutOfReach { least_risk, reason } }, of)
    }
}

/// The document that `--json` prints if no bets meet the accepted risk of ruin.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct RampRefusal {
    /// The reason why no bets meet the accepted risk of ruin.
    pub refused: RiskOutOfReach,
}

/// The reason why no bets meet the accepted risk of ruin.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct RiskOutOfReach {
    /// The lowest possible risk of ruin with bets within the spread.
    pub least_risk: f64,
    /// The reason why no bets meet the accepted risk, in one sentence.
    pub reason: String,
}

/// The best bet ramp for a bankroll, with its win rate and risk.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Ramp)]
pub struct BestRamp {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The average total bet on all hands of a round, in units, over all rounds.
    pub average_stake: f64,
    /// The bankroll, in units of the smallest bet.
    pub bankroll: f64,
    /// The betting correlation: the correlation of the tags with the effects of removal on the main game.
    pub betting_correlation: f64,
    /// The highest possible SCORE with bets within the spread, for any bankroll.
    pub c_score: f64,
    /// How the player estimates the decks left; absent if the estimate is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deck_reading: Option<ReadDecks>,
    /// The square root of the SCORE.
    pub desirability_index: f64,
    /// The covariance of the net wins of two hands in a round; absent if the player always plays one hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hands_covariance: Option<f64>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The number of index plays that the player uses.
    pub index_plays: usize,
    /// The correlation of the tags with the effects of removal on insurance; null if insurance is not offered.
    #[schema(required)]
    pub insurance_correlation: Option<f64>,
    /// The lowest count at which the player takes insurance; null if the player never takes it.
    #[schema(required)]
    pub insurance_from: Option<i32>,
    /// The fraction of full Kelly bets that the player bets.
    pub kelly: f64,
    /// How the figures were computed, in words.
    pub method: &'static str,
    /// The number of rounds until the expected win equals one standard deviation; null if the player does not win.
    #[schema(required)]
    pub n0: Option<f64>,
    /// The mean correlation of the tags with the effects of removal on the decisions of the index plays.
    pub playing_correlation: f64,
    /// The win rate and the risks of the bets in `ramp`.
    pub prospects: Prospects,
    /// The bets, one per count.
    pub ramp: Vec<CountStake>,
    /// The ramp as text in the form of `--ramp`, such as `0:1,1:8`.
    pub ramp_text: String,
    /// The accepted risk of ruin; null if the bets follow Kelly.
    #[schema(required)]
    pub risk: Option<f64>,
    /// The probability of ever losing the bankroll.
    pub risk_of_ruin: f64,
    /// The number of rounds simulated to find the frequencies of the counts.
    pub rounds: u64,
    /// The SCORE of the bets in `ramp`.
    pub score: f64,
    /// The standard error of `score`.
    pub score_error: f64,
    /// The second count and its weights; absent if the player keeps only one count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub second_count: Option<SecondCountWeights>,
    /// The lowest count at which the player plays; null if the player plays at every count.
    #[schema(required)]
    pub sit_out_below: Option<i32>,
    /// The minimum and the maximum bet, such as `1-12`.
    pub spread: String,
    /// The standard deviation of the win in 100 rounds, in units.
    pub std_dev_100: f64,
    /// The expected win in 100 rounds, in units.
    pub win_per_100: f64,
    /// The standard error of `win_per_100`.
    pub win_per_100_error: f64,
}

/// A count, with the value of a round at this count and the bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct CountStake {
    /// The rounded count at the start of a round.
    pub count: i32,
    /// The expected net win of a one-unit bet at this count.
    pub ev: f64,
    /// The standard error of `ev`.
    pub ev_error: f64,
    /// The fraction of all rounds that start at this count.
    pub frequency: f64,
    /// The number of hands to play; absent if one hand is played at every count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hands: Option<u8>,
    /// The bet per hand, in units.
    pub stake: f64,
    /// The standard deviation of the net win of a one-unit bet at this count.
    pub std_dev: f64,
}

/// The output of `cutcard ramp`: a ramp, or the reason why there is none.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only for its schema")]
pub enum RampAnswer {
    Found(Box<BestRamp>),
    Refused(RampRefusal),
}

/// The number of standard errors by which the EV at a count must exceed zero for more than the minimum bet.
const MIN_STD_ERRORS: f64 = 2.0;
/// The frequency below which a count at either end is merged with its neighbor, as a fraction of all rounds.
const RARE_SHARE: f64 = 1e-4;

/// Changes the values as little as possible so that they never fall as the count rises.
///
/// Rare counts at both ends get the value of their neighbors.
pub fn smoothed(counts: &[CountValue]) -> Vec<CountValue> {
    // classes of neighbors: frequency, value, number of counts
    let mut classes: Vec<(f64, f64, usize)> = Vec::new();
    for at in counts {
        classes.push((at.frequency, at.ev, 1));
        // merge a class with those before it if it has a lower value or they are too rare
        while let [.., before, last] = &classes[..]
            && (before.1 > last.1 || before.0 < RARE_SHARE)
        {
            let share = before.0 + last.0;
            let both = (share, (before.0 * before.1 + last.0 * last.1) / share, before.2 + last.2);
            classes.truncate(classes.len() - 2);
            classes.push(both);
        }
    }
    while let [.., before, last] = &classes[..]
        && last.0 < RARE_SHARE
    {
        let share = before.0 + last.0;
        let both = (share, (before.0 * before.1 + last.0 * last.1) / share, before.2 + last.2);
        classes.truncate(classes.len() - 2);
        classes.push(both);
    }
    let values = classes.iter().flat_map(|&(_, ev, many)| std::iter::repeat_n(ev, many));
    counts.iter().zip(values).map(|(at, ev)| CountValue { ev, ..*at }).collect()
}

/// Returns the bet at each count, in whole units.
///
/// By Kelly, a bet is a fraction of the bankroll that follows from the advantage at its count, within the spread.
/// With an accepted risk of ruin, the bets win as much as possible within that risk. Returns an error if no bets
/// meet the accepted risk.
pub fn stakes(counts: &[CountValue], wanted: &RampGoal) -> Result<Vec<f64>, OutOfReach> {
    let by = |part: f64| -> Vec<f64> {
        let mut most = 0.0_f64;
        // a higher variance at a higher count is no reason to bet less there
        let rising = counts.iter().map(|at| stake(at, wanted, part).round());
        rising
            .map(|stake| {
                most = most.max(stake);
                if wanted.rising { most } else { stake }
            })
            .collect()
    };
    let Some(risk) = wanted.risk else { return Ok(by(wanted.kelly)) };
    let all: Vec<(Vec<f64>, WinRate)> = (0..=700)
        .map(|nth| by(1e-3 * 1.016_f64.powi(nth)))
        .map(|stakes| {
            let win_rate = WinRate::of(counts, &stakes);
            (stakes, win_rate)
        })
        .collect();
    let ruin = |win_rate: &WinRate| win_rate.ruin(wanted.bankroll);
    let least_risk = all.iter().map(|(_, win_rate)| ruin(win_rate)).fold(1.0, f64::min);
    let kept = all.into_iter().filter(|(_, win_rate)| ruin(win_rate) <= risk);
    let best = kept.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    best.map(|(stakes, _)| stakes).ok_or_else(|| OutOfReach {
        reason: format!(
            "no bets of {} to {} units on a bankroll of {} units have a risk of ruin of {risk}; the lowest possible \
                is {least_risk:.6}",
            wanted.min_bet, wanted.max_bet, wanted.bankroll
        ),
        least_risk,
    })
}

fn stake(at: &CountValue, wanted: &RampGoal, part: f64) -> f64 {
    if wanted.sit_out_below.is_some_and(|least| at.count < least) {
        return 0.0;
    }
    let sure = at.ev > MIN_STD_ERRORS * at.ev_error && at.variance > 0.0;
    let kelly = if sure { part * wanted.bankroll * at.ev / at.variance } else { 0.0 };
    kelly.clamp(f64::from(wanted.min_bet), f64::from(wanted.max_bet))
}

/// Returns the highest SCORE that bets within the spread can have, for any bankroll and with fractional bets.
pub fn best_score(counts: &[CountValue], wanted: &RampGoal) -> f64 {
    best(counts, wanted).0.score()
}

/// Returns the bets with the highest SCORE, one per element of `counts`, and their win rate.
pub fn best(counts: &[CountValue], wanted: &RampGoal) -> (WinRate, Vec<f64>) {
    let even = if wanted.rising { smoothed(counts) } else { counts.to_vec() };
    let at_scale = |scale: f64| {
        let free = RampGoal { bankroll: scale, ..*wanted };
        let stakes: Vec<f64> = even.iter().map(|at| stake(at, &free, 1.0)).collect();
        (WinRate::of(counts, &stakes), stakes)
    };
    let all = (0..400).map(|nth| at_scale(10.0 * 1.03f64.powi(nth)));
    let least = (WinRate { mean: 0.0, variance: 1.0 }, vec![0.0; counts.len()]);
    all.fold(least, |best, next| if next.0.score() > best.0.score() { next } else { best })
}

/// Returns the document of a bet ramp.
///
/// The player uses the `plays` most valuable index plays, or all if `plays` is `None`. Returns an error if no
/// bets meet the accepted risk of ruin.
pub fn document(
    choices: &Choices,
    (asked, wanted): (&SimulationOptions, &RampGoal),
    found: &Indices,
    plays: Option<usize>,
) -> Result<Stamped<BestRamp>, OutOfReach> {
    document_seated(choices, (asked, wanted, &Seat::default()), found, plays)
}

/// Returns the document of a bet ramp for a player with the hands, estimates and trips that `seat` describes.
///
/// Returns an error if no bets meet the accepted risk of ruin.
pub fn document_seated(
    choices: &Choices,
    (asked, wanted, seat): (&SimulationOptions, &RampGoal, &Seat),
    found: &Indices,
    plays: Option<usize>,
) -> Result<Stamped<BestRamp>, OutOfReach> {
    let single = found.counts_read(plays, &seat.reading);
    let counts = seat.per_round(&single);
    // with more hands from a count on, the bet on each of them may fall there
    let wanted = &RampGoal { rising: wanted.rising && seat.hands.is_empty(), ..*wanted };
    let stakes = stakes(&smoothed(&counts), wanted)?;
    let win_rate = WinRate::of(&counts, &stakes);
    let row = |(at, &stake): (&CountValue, &f64)| CountStake {
        count: at.count,
        ev: at.ev,
        ev_error: at.ev_error,
        frequency: at.frequency,
        hands: (!seat.hands.is_empty()).then(|| seat.hands_at(at.count)),
        stake,
        std_dev: at.variance.sqrt(),
    };
    let all = |at: &CountValue| f64::from(seat.hands_at(at.count));
    let errors = Errors::of(&counts, &stakes);
    let text = in_text(&counts, &stakes);
    let document = BestRamp {
        assumed: None,
        average_stake: counts.iter().zip(&stakes).map(|(at, stake)| at.frequency * stake * all(at)).sum(),
        bankroll: wanted.bankroll,
        betting_correlation: found.betting,
        c_score: best_score(&counts, wanted),
        deck_reading: (!seat.reading.is_exact())
            .then_some(ReadDecks { nearest: seat.reading.nearest, std_dev: seat.reading.error }),
        desirability_index: win_rate.score().sqrt(),
        hands_covariance: seat.covariance,
        hypothetical: None,
        index_plays: found.with_plays(plays).indices.len(),
        insurance_correlation: found.insuring,
        insurance_from: found.insurance.as_ref().map(|insurance| insurance.from),
        kelly: wanted.kelly,
        method: "exact solutions of compositions, weighted by their probability at each count and depth",
        n0: win_rate.n0(),
        playing_correlation: found.playing,
        prospects: prospects(&win_rate, wanted, seat, found.by_count.back_counted),
        ramp: single.iter().zip(&stakes).map(row).collect(),
        ramp_text: text.clone(),
        risk: wanted.risk,
        risk_of_ruin: win_rate.ruin(wanted.bankroll),
        rounds: asked.rounds.unwrap_or(crate::by_count::ROUNDS),
        score: win_rate.score(),
        score_error: errors.score,
        second_count: found.by_count.second.as_ref().map(SecondAtTable::weights),
        sit_out_below: wanted.sit_out_below,
        spread: format!("{}-{}", wanted.min_bet, wanted.max_bet),
        std_dev_100: 10.0 * win_rate.variance.sqrt(),
        win_per_100: 100.0 * win_rate.mean,
        win_per_100_error: 100.0 * errors.win,
    };
    Ok(Stamped::new(document, Inputs { ramp: Some(text), ..of(choices, found) }))
}

/// The standard errors of the win and the SCORE of a bet ramp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// The standard error of the win per round.
    pub win: f64,
    pub score: f64,
}

impl Errors {
    /// Returns the standard errors of the win and the SCORE of the bets `stakes`.
    ///
    /// Two sources add to them: the errors of the fitted values, which may all have the same sign, and how often
    /// and how deep in the shoe the simulation reached each count.
    pub fn of(counts: &[CountValue], stakes: &[f64]) -> Errors {
        let win_rate = WinRate::of(counts, stakes);
        let fit: f64 = counts.iter().zip(stakes).map(|(at, stake)| at.frequency * stake * at.fit_error).sum();
        // the score depends on the square of the win
        let fit_score = if win_rate.mean > 0.0 { 2.0 * win_rate.score() * fit / win_rate.mean } else { 0.0 };
        let without = |batch: usize| WinRate::without(batch, counts, stakes);
        Errors {
            win: fit.hypot(jackknife(|batch| without(batch).mean)),
            score: fit_score.hypot(jackknife(|batch| without(batch).score())),
        }
    }
}

/// Returns the bets in the form of `simulate --ramp`: each count at which the bet changes, with the new bet.
pub fn in_text(counts: &[CountValue], stakes: &[f64]) -> String {
    let mut text: Vec<String> = Vec::new();
    let mut before = None;
    for (at, stake) in counts.iter().zip(stakes) {
        if before != Some(*stake) {
            text.push(format!("{}:{stake:.0}", at.count));
        }
        before = Some(*stake);
    }
    text.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_count::batches::BATCHES;

    /// Returns two counts, each with half of the rounds and a variance of one: one loses 1 %, the other wins 2 %.
    fn two() -> Vec<CountValue> {
        let at = |count, ev| CountValue { count, frequency: 0.5, ev, variance: 1.0, ..CountValue::default() };
        vec![at(0, -0.01), at(1, 0.02)]
    }

    fn wanted(bankroll: f64) -> RampGoal {
        let (min_bet, max_bet, kelly) = (1, 12, 1.0);
        RampGoal { bankroll, min_bet, max_bet, kelly, risk: None, sit_out_below: None, rising: true }
    }

    #[test]
    fn kelly_stakes_the_advantage_of_the_bankroll() {
        let staked = |wanted: RampGoal| stakes(&two(), &wanted).unwrap();
        assert_eq!(staked(wanted(400.0)), [1.0, 8.0]);
        assert_eq!(staked(wanted(10_000.0)), [1.0, 12.0]);
        assert_eq!(staked(RampGoal { kelly: 0.5, ..wanted(400.0) }), [1.0, 4.0]);
        assert_eq!(staked(RampGoal { sit_out_below: Some(1), ..wanted(400.0) }), [0.0, 8.0]);
        assert_eq!(in_text(&two(), &[1.0, 8.0]), "0:1,1:8");
    }

    /// Compares the results of bets of 1 and 8 with sums computed by hand.
    ///
    /// These bets win (8 * 0.02 - 0.01) / 2 per round; their mean square is half of 1.0001 plus half of 64
    /// times 1.0004.
    #[test]
    fn what_stakes_come_to_is_what_is_summed_by_hand() {
        let win_rate = WinRate::of(&two(), &[1.0, 8.0]);
        assert!((win_rate.mean - 0.075).abs() < 1e-15);
        let variance = (1.0001 + 64.0 * 1.0004) / 2.0 - 0.075 * 0.075;
        assert!((win_rate.variance - variance).abs() < 1e-12);
        assert!((win_rate.n0().unwrap() - variance / 0.005_625).abs() < 1e-9);
        assert!((win_rate.score() - 1e6 * 0.005_625 / variance).abs() < 1e-9);
        assert!((win_rate.ruin(400.0) - (-2.0 * 0.075 * 400.0 / variance).exp()).abs() < 1e-12);
        assert_eq!(WinRate::of(&two(), &[1.0, 0.0]).ruin(1e6), 1.0);
    }

    #[test]
    fn a_risk_that_is_accepted_is_kept() {
        let asked = RampGoal { risk: Some(0.05), max_bet: 100, ..wanted(2000.0) };
        let found = WinRate::of(&two(), &stakes(&two(), &asked).unwrap()).ruin(2000.0);
        assert!(found <= 0.05 && found > 0.03, "{found}");
    }

    /// With any bankroll and a wide spread, everything is bet on the good count.
    ///
    /// The SCORE is computed by hand: (0.02)^2 / 2 over 1.0004 - 0.0002.
    #[test]
    fn the_best_score_is_that_of_the_good_count_alone() {
        let out = RampGoal { sit_out_below: Some(1), max_bet: 1000, ..wanted(1.0) };
        let expected = 1e6 * 0.01f64.powi(2) / (1.0004 / 2.0 - 0.0001);
        assert!((best_score(&two(), &out) / expected - 1.0).abs() < 1e-6);
    }

    /// A risk that no bets achieve is rejected, and the error has the lowest achievable risk.
    #[test]
    fn a_risk_out_of_reach_is_refused_with_the_least() {
        let asked = RampGoal { risk: Some(0.01), ..wanted(20.0) };
        let refused = stakes(&two(), &asked).unwrap_err();
        assert!(refused.least_risk > 0.01 && refused.least_risk < 1.0, "{refused:?}");
        let reached = RampGoal { risk: Some(refused.least_risk), ..asked };
        let found = WinRate::of(&two(), &stakes(&two(), &reached).unwrap()).ruin(20.0);
        assert!((found - refused.least_risk).abs() < 1e-12, "{found} {refused:?}");
        // if no count is favorable, no risk can be achieved
        let bad: Vec<CountValue> = two().into_iter().map(|at| CountValue { ev: -0.01, ..at }).collect();
        assert_eq!(stakes(&bad, &asked).unwrap_err().least_risk, 1.0);
    }

    /// Zigzag values are merged, rare counts at the ends join their neighbors, and uncertain values count as zero.
    #[test]
    fn noise_is_not_staked_on() {
        let at = |count, frequency, ev| CountValue {
            count,
            frequency,
            ev,
            variance: 1.0,
            ..CountValue::default()
        };
        let counts = [
            at(-20, 1e-6, 0.5),
            at(-1, 0.3, -0.02),
            at(0, 0.4, -0.01),
            at(1, 0.2, 0.02),
            at(2, 0.1, 0.01),
            at(21, 1e-6, -0.9),
        ];
        let even = smoothed(&counts);
        assert!(even.windows(2).all(|two| two[0].ev <= two[1].ev), "{even:?}");
        assert!((even[0].ev - -0.02).abs() < 1e-5 && (even[5].ev - 0.05 / 3.0).abs() < 1e-4, "{even:?}");
        let staked = stakes(&even, &wanted(400.0)).unwrap();
        assert!(staked.windows(2).all(|two| two[0] <= two[1]), "{staked:?}");
        assert_eq!(staked[0], 1.0);
        let unsure: Vec<CountValue> = even.iter().map(|at| CountValue { ev_error: 0.02, ..*at }).collect();
        assert_eq!(stakes(&unsure, &wanted(400.0)).unwrap(), [1.0; 6]);
    }

    /// The stated errors match the spread of the figures over many simulations of three counts.
    ///
    /// The frequencies of the counts drift from shoe to shoe.
    #[test]
    fn errors_are_the_spread_over_many_simulations() {
        let values = [-0.02, 0.005, 0.03];
        let stakes = [1.0, 4.0, 12.0];
        let mut state = 7_u64;
        let mut chance = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut simulated = || {
            let mut rounds = [[0_u32; BATCHES]; 3];
            for shoe in 0..400 {
                let good = 0.4 * chance();
                for _ in 0..20 {
                    let x = chance();
                    rounds[if x < good {
                        2
                    } else if x < 0.5 {
                        1
                    } else {
                        0
                    }][shoe % BATCHES] += 1;
                }
            }
            let at = |nth: usize| {
                let many: u32 = rounds[nth].iter().sum();
                let mut at =
                    CountValue { count: nth as i32, ev: values[nth], variance: 1.3, ..CountValue::default() };
                at.frequency = f64::from(many) / 8000.0;
                at.batches.add(&rounds[nth], 1.0, values[nth]);
                at
            };
            let counts: Vec<CountValue> = (0..3).map(at).collect();
            (WinRate::of(&counts, &stakes), Errors::of(&counts, &stakes))
        };
        let all: Vec<(WinRate, Errors)> = (0..400).map(|_| simulated()).collect();
        let spread = |figure: &dyn Fn(&WinRate) -> f64| {
            let mean = all.iter().map(|(win_rate, _)| figure(win_rate)).sum::<f64>() / 400.0;
            (all.iter().map(|(win_rate, _)| (figure(win_rate) - mean).powi(2)).sum::<f64>() / 399.0).sqrt()
        };
        let stated = |figure: &dyn Fn(&Errors) -> f64| {
            (all.iter().map(|(_, errors)| figure(errors).powi(2)).sum::<f64>() / 400.0).sqrt()
        };
        let win = stated(&|errors| errors.win) / spread(&|win_rate| win_rate.mean);
        let score = stated(&|errors| errors.score) / spread(&WinRate::score);
        assert!((win - 1.0).abs() < 0.15 && (score - 1.0).abs() < 0.15, "{win} {score}");
    }
}
