//! The figures of a round: value, spread, bets and frequencies.

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
    /// Expected numbers of hands per round, by ending.
    pub outcomes: Vec<(&'static str, f64)>,
    /// Fractions of rounds with an option taken, such as `switched`.
    pub shares: Vec<(&'static str, f64)>,
    /// The part of the expected net from insurance.
    ///
    /// It is zero if the chart does not take insurance. The other figures exclude it.
    pub insured: f64,
    /// The time to compute the products of split hands.
    ///
    /// Only the variance needs these products.
    pub spread_took: Duration,
}

/// The covariance of split hands, and the time to compute it.
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

/// The measures behind the figures of a round, net first.
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

/// Builds the figures of a round from its measures.
///
/// The values are in the order of `MEASURES`.
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
