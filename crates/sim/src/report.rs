//! Reports the results of a run: edges with their errors, deviations and risk.

use crate::chunk::Job;
use crate::count::Counting;
use crate::run::Results;
use crate::summary::*;
use crate::tally::{Cell, Moments, Tally};
use program::hand::LEAST_COUNT;
use program::side::{Sees, SideLine};

/// The report's assumptions: pace, bankroll, trip length and accepted risk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stakes {
    /// The number of rounds played per hour.
    pub pace: f64,
    /// The amount that the player can lose, in initial bets.
    pub bankroll: f64,
    /// The number of rounds in a trip.
    pub trip: f64,
    /// The accepted risk of ruin, as a probability.
    pub risk: f64,
}

impl Default for Stakes {
    fn default() -> Stakes {
        Stakes { pace: 80.0, bankroll: 200.0, trip: 400.0, risk: 0.05 }
    }
}

/// The mean and standard deviation of a round, in initial bets.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// The number of rounds in the run.
    pub rounds: f64,
    /// The mean net win of a round, all boxes together.
    pub mean: f64,
    /// The standard deviation of a round's net win.
    pub deviation: f64,
    /// The mean initial bet of a round, all boxes together.
    pub initial: f64,
    /// The mean total bet of a round, all boxes together.
    pub staked: f64,
    /// The standard error of `mean / initial`.
    pub error: f64,
}

/// Returns the mean and standard deviation of a round's net win with bets by the ramp.
pub fn spread(job: &Job, tally: &Tally) -> Spread {
    let unit = job.initial() as f64;
    let boxes = job.boxes as f64;
    let (mut rounds, mut net, mut squares, mut initial, mut staked) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (bucket, cell) in tally.cells.iter().enumerate() {
        let stake = f64::from(job.stake(bucket));
        rounds += cell.net.count as f64;
        net += stake * cell.net.sum as f64;
        squares += stake * stake * cell.net.squares as f64;
        initial += stake * cell.net.count as f64 * boxes * unit;
        staked += stake * cell.staked as f64;
    }
    if rounds == 0.0 {
        return Spread::default();
    }
    let edge = if initial > 0.0 { net / initial } else { 0.0 };
    // the residual variance around each round's share of the edge
    let mut left = 0.0;
    for (bucket, cell) in tally.cells.iter().enumerate() {
        let stake = f64::from(job.stake(bucket));
        let fair = edge * boxes * unit;
        let n = cell.net.count as f64;
        left +=
            stake * stake * (cell.net.squares as f64 - 2.0 * fair * cell.net.sum as f64 + n * fair * fair);
    }
    let mean = net / rounds;
    Spread {
        rounds,
        mean: mean / unit,
        deviation: (squares / rounds - mean * mean).max(0.0).sqrt() / unit,
        initial: initial / rounds / unit,
        staked: staked / rounds / unit,
        error: if initial > 0.0 { left.max(0.0).sqrt() / initial } else { 0.0 },
    }
}

/// Returns the EV of an initial bet, and its standard error.
pub fn ev_and_error(job: &Job, tally: &Tally) -> (f64, f64) {
    let spread = spread(job, tally);
    if spread.initial == 0.0 { (0.0, f64::INFINITY) } else { (spread.mean / spread.initial, spread.error) }
}

/// The speed, threads and devices of a run, as shown in the report.
///
/// For merged parts, all numbers are zero.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunPerformance {
    /// The number of rounds played in the time `seconds`.
    pub played: u64,
    /// The number of threads that played.
    pub threads: usize,
    /// The wall-clock time of the run, in seconds.
    pub seconds: f64,
    /// The processor time of all threads together, in seconds.
    pub cpu_seconds: f64,
    /// The names of the devices that played the run.
    pub devices: Vec<String>,
}

impl RunPerformance {
    /// Returns the speed, threads and devices of the run that gave `results`.
    pub fn of(results: &Results) -> RunPerformance {
        let &Results { played, threads, seconds, cpu_seconds, .. } = results;
        RunPerformance { played, threads, seconds, cpu_seconds, devices: results.devices.clone() }
    }
}

/// Returns the summary of a run.
///
/// `exact` returns the exact house edge of a side bet by its name, if it is known.
pub fn document(
    job: &Job,
    tally: &Tally,
    performance: &RunPerformance,
    stakes: &Stakes,
    exact: &dyn Fn(&str) -> Option<f64>,
) -> Summary {
    let spread = spread(job, tally);
    let (ev, error) = ev_and_error(job, tally);
    let rounds = tally.rounds();
    let n = rounds.max(1) as f64;
    let per_round = |count: u64| count as f64 / n;
    let here = performance.threads > 0;
    let several = job.program.hands_per_box * job.program.dealer_hands > 1;
    let insured = tally.cells.iter().any(|cell| cell.insurance.count > 0);
    let on_device = !performance.devices.is_empty();
    Summary {
        boxes: job.boxes,
        by_count: job.counting.is_some().then(|| by_count(job, tally)),
        cards_per_round: per_round(tally.cards),
        confidence_95: [ev - 1.959_963_985 * error, ev + 1.959_963_985 * error],
        cpu_seconds: performance.cpu_seconds,
        devices: on_device.then(|| performance.devices.clone()),
        distribution: distribution(tally),
        element_of_risk: if spread.staked > 0.0 { -spread.mean / spread.staked } else { 0.0 },
        engine: if on_device { Some("device") } else { here.then(|| job.engine.name()) },
        ev,
        fresh_shoes: job.fresh,
        hands: endings(tally),
        hands_per_round: per_round(tally.hands),
        house_edge: -ev,
        initial_wagers_per_round: spread.initial,
        instruction_set: here.then(|| job.isa.name()),
        insurance: insured.then(|| insurance(job, tally)),
        risk: risk(&spread, stakes),
        rounds,
        rounds_per_second: if performance.seconds > 0.0 {
            performance.played as f64 / performance.seconds
        } else {
            0.0
        },
        rounds_per_shoe: n / tally.shoes.max(1) as f64,
        seconds: performance.seconds,
        seed: job.seed,
        shoes: tally.shoes,
        side_wagers: sides(job, tally, exact),
        staked_per_round: spread.staked,
        std_dev: spread.deviation,
        std_dev_100: spread.deviation * 10.0,
        std_dev_wager: several.then(|| wager_deviation(job, tally)),
        std_error: error,
        threads: performance.threads,
        void_rounds: tally.void,
    }
}

/// Returns the standard deviation of the net win of one of a box's several bets.
///
/// A box makes several bets in multiple action, and two in Blackjack Switch.
fn wager_deviation(job: &Job, tally: &Tally) -> f64 {
    let (mut wagers, mut net, mut squares) = (0.0, 0.0, 0.0);
    for (bucket, cell) in tally.cells.iter().enumerate() {
        let stake = f64::from(job.stake(bucket));
        wagers +=
            cell.net.count as f64 * (job.boxes * job.program.hands_per_box * job.program.dealer_hands) as f64;
        net += stake * (cell.net.sum - cell.insurance.sum) as f64;
        squares += stake * stake * cell.wager_squares as f64;
    }
    let mean = net / f64::max(wagers, 1.0);
    (squares / f64::max(wagers, 1.0) - mean * mean).max(0.0).sqrt() / f64::from(job.program.money.unit)
}

/// Returns the results of insurance, with initial bets by the ramp.
fn insurance(job: &Job, tally: &Tally) -> InsuranceSummary {
    let (mut rounds, mut net, mut insured) = (0, 0.0, 0.0);
    for (bucket, cell) in tally.cells.iter().enumerate() {
        let stake = f64::from(job.stake(bucket));
        rounds += if stake > 0.0 { cell.insurance.count } else { 0 };
        net += stake * cell.insurance.sum as f64;
        insured += stake * cell.insured as f64;
    }
    InsuranceSummary {
        house_edge: if insured > 0.0 { -net / insured } else { 0.0 },
        net_per_round: net / tally.rounds().max(1) as f64 / job.initial() as f64,
        rounds,
    }
}

/// Returns what a side bet's exact house edge assumes about the player's decisions.
///
/// Returns `None` if the edge does not depend on the player's decisions.
fn assumes(sees: Sees) -> Option<&'static str> {
    match sees {
        Sees::Sevens => Some("the player takes a third card with every pair of sevens"),
        Sees::Aces => {
            Some("the player takes another card with two or three aces, and the meter does not change")
        }
        _ => None,
    }
}

fn sides(job: &Job, tally: &Tally, exact: &dyn Fn(&str) -> Option<f64>) -> Vec<SideSummary> {
    let rows = job.program.sides.iter().zip(&tally.sides).enumerate().map(|(nth, (side, of))| {
        let counted = job.side_counts.iter().zip(&tally.side_counts).find(|(count, _)| count.side == nth);
        let (unit, n) = (side.unit as f64, of.net.count.max(1) as f64);
        let line = |(line, &times): (&SideLine, &u64)| LineSummary {
            frequency: times as f64 / n,
            outcome: line.hand,
        };
        let own = counted.map(|(count, buckets)| by_own_count(job, (&count.counting, unit), buckets));
        let (by_count, stakes) = own.unzip();
        SideSummary {
            by_count,
            exact_assumes: assumes(side.sees),
            exact_edge: exact(side.bet.name()),
            house_edge: -of.net.mean() / unit,
            outcomes: side.lines.iter().zip(&of.lines).map(line).collect(),
            stakes,
            std_dev: of.net.variance().sqrt() / unit,
            std_error: of.error() / unit,
            wager: side.bet.name(),
            wagers: of.net.count,
        }
    });
    rows.collect()
}

/// Returns the EV of a side bet at each of its own counts, and the results of its ramp.
///
/// Amounts are in units of the side bet.
fn by_own_count(
    job: &Job,
    (counting, unit): (&Counting, f64),
    buckets: &[Moments],
) -> (Vec<SideCountSummary>, SideStakesSummary) {
    let rounds = buckets.iter().map(|bucket| bucket.count).sum::<u64>().max(1) as f64;
    let boxes = job.boxes as f64;
    let met = || buckets.iter().enumerate().filter(|(_, bucket)| bucket.count > 0);
    let row = |(at, bucket): (usize, &Moments)| SideCountSummary {
        count: at as i32 + LEAST_COUNT,
        ev: bucket.mean() / unit / boxes,
        frequency: bucket.count as f64 / rounds,
        stake: counting.stakes[at],
        std_dev: bucket.variance().sqrt() / unit,
        std_error: finite(bucket.error() / unit / boxes),
    };
    let sum = |what: &dyn Fn(f64, &Moments) -> f64| {
        met().map(|(at, bucket)| what(f64::from(counting.stakes[at]), bucket)).sum::<f64>() / rounds
    };
    let mean = sum(&|stake, bucket| stake * bucket.sum as f64) / unit;
    let squares = sum(&|stake, bucket| stake * stake * bucket.squares as f64) / unit / unit;
    let deviation = (squares - mean * mean).max(0.0).sqrt();
    let staked = boxes * sum(&|stake, bucket| stake * bucket.count as f64);
    let stakes = SideStakesSummary {
        average_stake: staked,
        count: counting.system.name.clone(),
        house_edge: (staked > 0.0).then(|| -mean / staked),
        n0: (mean > 0.0).then(|| deviation * deviation / (mean * mean)),
        std_dev_100: 10.0 * deviation,
        wagered: sum(&|stake, bucket| if stake > 0.0 { bucket.count as f64 } else { 0.0 }),
        win_per_100: 100.0 * mean,
        win_per_100_error: 100.0 * deviation / rounds.sqrt(),
    };
    (met().map(row).collect(), stakes)
}

/// Returns the number if it is finite, and `None` otherwise.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

fn endings(tally: &Tally) -> Endings {
    let n = tally.rounds().max(1) as f64;
    let [blackjack, stood, bust, surrendered] = tally.endings.map(|[win, push, lose]| Ways {
        lose: lose as f64 / n,
        push: push as f64 / n,
        win: win as f64 / n,
    });
    Endings { blackjack, bust, stood, surrendered }
}

/// Returns the net results of a round, each with its fraction of rounds.
///
/// Net results are in initial bets, rounded down to halves.
fn distribution(tally: &Tally) -> Vec<(f64, f64)> {
    let n = tally.rounds().max(1) as f64;
    let rows = tally.distribution.iter().enumerate().filter(|row| *row.1 > 0);
    rows.map(|(place, &times)| (Tally::result_at(place), times as f64 / n)).collect()
}

fn by_count(job: &Job, tally: &Tally) -> Vec<CountSummary> {
    let n = tally.rounds().max(1) as f64;
    let (unit, boxes) = (job.initial() as f64, job.boxes as f64);
    let rows = tally.cells.iter().enumerate().filter(|row| row.1.net.count > 0);
    let row = |(bucket, cell): (usize, &Cell)| CountSummary {
        count: bucket as i32 + LEAST_COUNT,
        ev: cell.net.mean() / unit / boxes,
        frequency: cell.net.count as f64 / n,
        insurance_edge: (cell.insured > 0).then(|| -(cell.insurance.sum as f64) / cell.insured as f64),
        stake: job.stake(bucket),
        std_dev: cell.net.variance().sqrt() / unit,
        std_error: cell.net.error() / unit / boxes,
    };
    rows.map(row).collect()
}

/// Returns N0, the hourly win, and the risk of ruin.
///
/// The formulas are the usual ones for a random walk with drift.
fn risk(spread: &Spread, stakes: &Stakes) -> Risk {
    let (mean, deviation) = (spread.mean, spread.deviation);
    let variance = deviation * deviation;
    let wins = mean > 0.0 && variance > 0.0;
    let wide = deviation * stakes.trip.sqrt();
    let quantiles =
        [("5", -1.644_854), ("25", -0.674_490), ("50", 0.0), ("75", 0.674_490), ("95", 1.644_854)];
    Risk {
        accepted_risk: stakes.risk,
        bankroll: stakes.bankroll,
        n0: (mean != 0.0).then(|| variance / (mean * mean)),
        required_bankroll: wins.then(|| -variance * stakes.risk.ln() / (2.0 * mean)),
        risk_of_ruin: ruin(spread, stakes),
        rounds_per_hour: stakes.pace,
        std_dev_per_hour: deviation * stakes.pace.sqrt(),
        trip_quantiles: quantiles
            .into_iter()
            .map(|(name, z)| (name, mean * stakes.trip + z * wide))
            .collect(),
        trip_risk_of_ruin: ruin_on_a_trip(spread, stakes),
        trip_rounds: stakes.trip,
        win_per_hour: mean * stakes.pace,
    }
}

/// Returns the logarithm of the risk of ruin in unlimited play, for a positive expected win.
fn drift(spread: &Spread, stakes: &Stakes) -> f64 {
    let variance = spread.deviation * spread.deviation;
    if variance > 0.0 { -2.0 * spread.mean * stakes.bankroll / variance } else { f64::NEG_INFINITY }
}

/// Returns the probability that the bankroll is lost sooner or later.
pub(crate) fn ruin(spread: &Spread, stakes: &Stakes) -> f64 {
    if spread.mean > 0.0 && spread.deviation > 0.0 { drift(spread, stakes).exp() } else { 1.0 }
}

/// Returns the probability that the bankroll is lost during a trip.
pub fn ruin_on_a_trip(spread: &Spread, stakes: &Stakes) -> f64 {
    let wide = spread.deviation * stakes.trip.sqrt();
    if wide <= 0.0 {
        return 0.0;
    }
    let below = normal((-stakes.bankroll - spread.mean * stakes.trip) / wide);
    let reflected =
        scaled_normal((-stakes.bankroll + spread.mean * stakes.trip) / wide, drift(spread, stakes));
    (below + reflected).min(1.0)
}

/// Returns the value of the standard normal distribution function at `z`.
fn normal(z: f64) -> f64 {
    scaled_normal(z, 0.0)
}

/// Returns the standard normal distribution function at `z` times `exp(scale)`.
///
/// The exponential alone may overflow. Uses the complementary error function (Numerical Recipes' Chebyshev fit,
/// 1.2e-7).
fn scaled_normal(z: f64, scale: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * x);
    let fit = [
        0.170_872_77,
        -0.822_152_23,
        1.488_515_87,
        -1.135_203_98,
        0.278_868_07,
        -0.186_288_06,
        0.096_784_18,
        0.374_091_96,
        1.000_023_68,
        -1.265_512_23,
    ];
    let poly = fit.iter().fold(0.0, |sum, c| sum * t + c);
    let upper = t * (-x * x + poly + scale).exp() / 2.0;
    if z > 0.0 { scale.exp() - upper } else { upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_known() {
        for (z, p) in [(0.0, 0.5), (1.0, 0.841_344_75), (-1.959_964, 0.025), (-4.0, 3.167e-5)] {
            assert!((normal(z) - p).abs() < 1e-6, "{z}");
        }
    }

    #[test]
    fn risk_of_ruin_follows_the_formula() {
        let spread = Spread { mean: 0.02, deviation: 1.5, ..Spread::default() };
        let document = risk(&spread, &Stakes::default());
        let ruin = document.risk_of_ruin;
        assert!((ruin - (-2.0f64 * 0.02 * 200.0 / 2.25).exp()).abs() < 1e-12);
        let needed = document.required_bankroll.unwrap();
        assert!(((-2.0 * 0.02 * needed / 2.25f64).exp() - 0.05).abs() < 1e-9);
        assert!((document.n0.unwrap() - 5625.0).abs() < 1e-6);
    }

    /// Checks the risk of ruin on a trip against an exact sum over a random walk of unit steps.
    ///
    /// The trip risk is the probability that a random walk with drift reaches the bottom. Discrete steps cross the
    /// bottom slightly less often than a continuous walk.
    #[test]
    fn risk_of_a_trip_is_that_of_a_walk() {
        for (up, bottom, rounds) in [(0.5, 30usize, 400), (0.52, 20, 300), (0.47, 25, 500)] {
            let mut at = vec![0.0; 2 * bottom + rounds + 2];
            at[bottom] = 1.0;
            let mut ruined = 0.0;
            for _ in 0..rounds {
                let mut next = vec![0.0; at.len()];
                for place in 1..at.len() - 1 {
                    next[place + 1] += up * at[place];
                    next[place - 1] += (1.0 - up) * at[place];
                }
                ruined += std::mem::take(&mut next[0]);
                at = next;
            }
            let mean: f64 = 2.0 * up - 1.0;
            let spread = Spread { mean, deviation: (1.0 - mean * mean).sqrt(), ..Spread::default() };
            let stakes = Stakes { bankroll: bottom as f64, trip: rounds as f64, ..Stakes::default() };
            let risk = risk(&spread, &stakes).trip_risk_of_ruin;
            assert!((risk / ruined - 1.0).abs() < 0.03, "{risk} {ruined}");
        }
    }

    #[test]
    fn a_great_bankroll_on_a_long_losing_trip_is_not_lost_to_an_overflow() {
        let spread = Spread { mean: -0.005, deviation: 1.15, ..Spread::default() };
        let stakes = Stakes { bankroll: 200_000.0, trip: 4e7, ..Stakes::default() };
        let risk = risk(&spread, &stakes).trip_risk_of_ruin;
        // half of all trips end with a loss beyond the bankroll, and some of the others reached it on the way
        assert!((0.5..0.55).contains(&risk), "{risk}");
    }
}
