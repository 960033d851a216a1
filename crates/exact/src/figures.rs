//! The figures of a round: its EV, variance, bets and frequencies.

use crate::judge::Measure;
use std::time::{Duration, Instant};

/// Figures of a round, in units of one initial required bet.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The expected net of a round.
    pub ev: f64,
    /// The variance of a round's net.
    pub variance: f64,
    /// The expected total bet of a round.
    pub staked: f64,
    /// Expected numbers of hands per round, by ending such as `won`.
    pub outcomes: Vec<(&'static str, f64)>,
    /// Fractions of rounds in which the player takes each optional action, such as `switched`.
    pub shares: Vec<(&'static str, f64)>,
    /// The part of the expected net that comes from insurance, or zero if the chart declines insurance.
    ///
    /// The other figures exclude insurance.
    pub insured: f64,
    /// The time to compute the products of split hands' nets, which only the variance needs.
    pub spread_took: Duration,
}

/// The covariance of split hands' nets, and the time to compute it.
#[derive(Clone, Copy, Default)]
pub(crate) struct SplitCovariance {
    pub square: f64,
    pub took: Duration,
}

impl SplitCovariance {
    pub fn timed(square: impl FnOnce() -> f64) -> SplitCovariance {
        let begun = Instant::now();
        SplitCovariance { square: square(), took: begun.elapsed() }
    }
}

/// The measures from which the figures of a round are computed, the net first.
pub(crate) const MEASURES: [Measure; 8] = [
    Measure::Net,
    Measure::Staked,
    Measure::Squared,
    Measure::Won,
    Measure::Pushed,
    Measure::Lost,
    Measure::Busted,
    Measure::Surrendered,
];

/// Builds the figures of a round from the values of its measures, in the order of `MEASURES`.
pub(crate) fn of_measures(
    values: &[f64],
    together: SplitCovariance,
    shares: Vec<(&'static str, f64)>,
) -> Figures {
    let [ev, staked, squared, won, pushed, lost, busted, surrendered] = values else {
        return Figures::default();
    };
    Figures {
        ev: *ev,
        variance: squared + together.square - ev * ev,
        staked: *staked,
        outcomes: vec![
            ("won", *won),
            ("pushed", *pushed),
            ("lost", *lost),
            ("busted", *busted),
            ("surrendered", *surrendered),
        ],
        shares,
        insured: 0.0,
        spread_took: together.took,
    }
}
