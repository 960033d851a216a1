//! Splits the rounds of a simulation into batches to estimate standard errors.
//!
//! The standard error of a mean over the rounds follows from the differences between the batches.

/// The number of batches in a simulation.
///
/// All rounds of a shoe belong to one batch, because they resemble each other.
pub const BATCHES: usize = 20;

/// For rounds that start at one count: the number of rounds and the sum of their values, by batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Batches([[f64; 2]; BATCHES]);

impl Batches {
    /// Adds rounds of equal weight and equal value to the batches.
    ///
    /// `rounds` has the number of rounds to add to each batch.
    pub fn add(&mut self, rounds: &[u32; BATCHES], weight: f64, value: f64) {
        for (sum, &rounds) in self.0.iter_mut().zip(rounds) {
            sum[0] += weight * f64::from(rounds);
            sum[1] += weight * f64::from(rounds) * value;
        }
    }

    /// Multiplies the sums of values by `times`, and leaves the numbers of rounds unchanged.
    pub fn times(mut self, times: f64) -> Batches {
        self.0.iter_mut().for_each(|[_, value]| *value *= times);
        self
    }

    /// Returns the number of rounds in all batches except `batch`, and the sum of their values.
    pub fn without(&self, batch: usize) -> [f64; 2] {
        let others = self.0.iter().enumerate().filter(|(at, _)| *at != batch);
        others.fold([0.0; 2], |sum, (_, [rounds, value])| [sum[0] + rounds, sum[1] + value])
    }

    /// Returns the standard error of `mean`, the mean value per round over all batches.
    pub fn error(&self, mean: f64) -> f64 {
        let rounds: f64 = self.0.iter().map(|[rounds, _]| rounds).sum();
        let squares: f64 = self.0.iter().map(|[rounds, value]| (value - mean * rounds).powi(2)).sum();
        (squares * BATCHES as f64 / (BATCHES - 1) as f64).sqrt() / rounds
    }
}

/// Returns the jackknife standard error of a figure.
///
/// `without` returns the figure computed from all batches except the batch with the given index.
pub fn jackknife(without: impl Fn(usize) -> f64) -> f64 {
    let values: [f64; BATCHES] = std::array::from_fn(without);
    let mean = values.iter().sum::<f64>() / BATCHES as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares * (BATCHES - 1) as f64 / BATCHES as f64).sqrt()
}
