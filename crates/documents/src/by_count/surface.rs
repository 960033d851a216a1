//! Fits a smooth surface through the exactly solved values of compositions.
//!
//! Each figure of a composition, such as the value of an action, is approximated by a polynomial. The polynomial
//! is of second order in the shares of the ranks, and of higher order in the count and the depth. The mean of a
//! figure over all compositions of a count follows from their means and products, without sampling.

use super::moments::Moments;
use exact::cards::{Shoe, shoe_size};
use exact::vocabulary::RANKS;

/// The number of terms of the polynomial: one constant, five of depth and count, and those of the ranks.
///
/// Each rank but the last has three terms, and every pair of these ranks has one.
const TERMS: usize = 6 + 3 * (RANKS - 1) + (RANKS - 1) * RANKS / 2;
/// The factor that scales the shares of the ranks to the size of the other terms.
const SCALE: f64 = 20.0;
/// The factor that scales the count per card to the size of the other terms.
const COUNT_SCALE: f64 = 5.0;

/// The full shoe and the tags of a counting system, which the terms of every composition are relative to.
pub struct Scene {
    share: [f64; RANKS],
    cards: f64,
    /// The tag of each rank minus the mean tag, in standard deviations.
    tags: [f64; RANKS],
}

impl Scene {
    pub fn new(full: &Shoe, tags: &[f64; RANKS]) -> Scene {
        let cards = shoe_size(full) as f64;
        let share = full.map(|n| f64::from(n) / cards);
        let mean = |of: &dyn Fn(usize) -> f64| (0..RANKS).map(|r| share[r] * of(r)).sum::<f64>();
        let middle = mean(&|r| tags[r]);
        let spread = mean(&|r| (tags[r] - middle).powi(2)).sqrt();
        let tag = |r: usize| if spread > 0.0 { (tags[r] - middle) / spread } else { 0.0 };
        Scene { share, cards, tags: std::array::from_fn(tag) }
    }

    /// Returns the depth in the shoe and the distance of the count from its mean, both scaled for the polynomial.
    ///
    /// `mean` has the mean number of cards left of each rank, and `cards` is the number of all cards left.
    fn place(&self, mean: &[f64; RANKS], cards: f64) -> (f64, f64) {
        let count: f64 = (0..RANKS).map(|r| self.tags[r] * mean[r] / cards).sum();
        (52.0 / cards - 52.0 / self.cards, COUNT_SCALE * count)
    }

    /// Returns the weight of a solved composition in the fit.
    ///
    /// The weight is lower deep in the shoe and far from the mean count, where third-order terms are larger and
    /// the surface lies further from the solved values.
    pub fn weight(&self, shoe: &Shoe) -> f64 {
        let (deep, count) = self.place(&shoe.map(f64::from), shoe_size(shoe) as f64);
        (0.05 + deep + 0.2 * count * count).powi(-2)
    }
}

/// The values of the polynomial's terms for one composition, or their means over many compositions.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms(pub Vec<f64>);

impl Terms {
    pub fn zero() -> Terms {
        Terms(vec![0.0; TERMS])
    }

    /// Returns the polynomial's terms for one composition of the shoe.
    pub fn of(shoe: &Shoe, scene: &Scene) -> Terms {
        let mean = shoe.map(f64::from);
        let product = mean.map(|a| mean.map(|b| a * b));
        Terms::mean(&Moments { mean, product }, shoe_size(shoe) as f64, scene)
    }

    /// Returns the mean terms of many compositions that have the same number of cards and the same count.
    ///
    /// `moments` are the moments of these compositions. Because their count is the same, any term may be
    /// multiplied by the count.
    pub fn mean(moments: &Moments, cards: f64, scene: &Scene) -> Terms {
        let (deep, count) = scene.place(&moments.mean, cards);
        let squared = count * count;
        let share = &scene.share;
        let mut terms = Vec::with_capacity(TERMS);
        terms.extend([1.0, deep, deep * deep, squared * squared, squared * deep, count * deep * deep]);
        for r in 0..RANKS - 1 {
            let off = SCALE * (moments.mean[r] / cards - share[r]);
            terms.extend([off, off * deep, off * squared]);
            for q in r..RANKS - 1 {
                let product = moments.product[r][q] / (cards * cards)
                    - share[r] * moments.mean[q] / cards
                    - share[q] * moments.mean[r] / cards
                    + share[r] * share[q];
                terms.push(SCALE * SCALE * product);
            }
        }
        Terms(terms)
    }

    /// Adds every term of `other`, multiplied by `weight`, to these terms.
    pub fn add(&mut self, weight: f64, other: &Terms) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, term)| *sum += weight * term);
    }

    pub fn divided(mut self, by: f64) -> Terms {
        self.0.iter_mut().for_each(|term| *term /= by);
        self
    }

    fn dot(&self, coefficients: &[f64]) -> f64 {
        self.0.iter().zip(coefficients).map(|(a, b)| a * b).sum()
    }
}

/// Surfaces fitted to the same solved compositions, one per figure.
pub struct Surfaces {
    coefficients: Vec<Vec<f64>>,
    /// For each surface, the standard deviation of the solved values around it, for a composition of mean weight.
    deviations: Vec<f64>,
    /// The Cholesky factor of the terms' normal equations.
    factor: Vec<Vec<f64>>,
}

/// The minimum number of solved compositions for a fit.
pub const FEWEST: usize = TERMS + TERMS / 2;

impl Surfaces {
    /// Fits one surface to each figure, by weighted least squares over the compositions.
    pub fn through(points: &[Terms], weights: &[f64], figures: &[Vec<f64>]) -> Surfaces {
        let mean = weights.iter().sum::<f64>() / weights.len().max(1) as f64;
        let weights: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut normal = vec![vec![0.0; TERMS]; TERMS];
        for (terms, weight) in points.iter().zip(&weights) {
            for (a, row) in normal.iter_mut().enumerate() {
                let part = weight * terms.0[a];
                row[..=a].iter_mut().zip(&terms.0).for_each(|(sum, term)| *sum += part * term);
            }
        }
        // regularize: terms that these compositions cannot distinguish share their effect
        for (a, row) in normal.iter_mut().enumerate() {
            row[a] += 1e-9 * points.len() as f64;
        }
        let factor = decomposed(normal);
        let many = figures.first().map_or(0, Vec::len);
        let figure = |at: usize| {
            let mut right = vec![0.0; TERMS];
            for ((terms, weight), figures) in points.iter().zip(&weights).zip(figures) {
                let part = weight * figures[at];
                right.iter_mut().zip(&terms.0).for_each(|(sum, term)| *sum += part * term);
            }
            let coefficients = solved(&factor, right);
            let squares: f64 = points
                .iter()
                .zip(&weights)
                .zip(figures)
                .map(|((terms, weight), figures)| weight * (figures[at] - terms.dot(&coefficients)).powi(2))
                .sum();
            let free = points.len().saturating_sub(TERMS).max(1) as f64;
            (coefficients, (squares / free).sqrt())
        };
        let (coefficients, deviations) = (0..many).map(figure).unzip();
        Surfaces { coefficients, deviations, factor }
    }

    /// Returns the value of a figure's surface at `terms`.
    pub fn at(&self, figure: usize, terms: &Terms) -> f64 {
        terms.dot(&self.coefficients[figure])
    }

    /// Returns the standard deviation of a figure's solved values around its surface.
    pub fn deviation(&self, figure: usize) -> f64 {
        self.deviations[figure]
    }

    /// Returns the standard error of any surface at `terms`, as a multiple of the surface's
    /// [`Surfaces::deviation`].
    ///
    /// The multiple grows with the distance of `terms` from the solved compositions.
    pub fn reach(&self, terms: &Terms) -> f64 {
        let mut forward = terms.0.clone();
        for a in 0..TERMS {
            let known: f64 = (0..a).map(|b| self.factor[a][b] * forward[b]).sum();
            forward[a] = (forward[a] - known) / self.factor[a][a];
        }
        forward.iter().map(|x| x * x).sum::<f64>().sqrt()
    }
}

/// Returns the Cholesky factor of a positive definite matrix, given its lower triangle.
fn decomposed(mut of: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for a in 0..TERMS {
        for b in 0..=a {
            let known: f64 = (0..b).map(|c| of[a][c] * of[b][c]).sum();
            let left = of[a][b] - known;
            of[a][b] = if a == b { left.max(1e-12).sqrt() } else { left / of[b][b] };
        }
    }
    of
}

fn solved(factor: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    for a in 0..TERMS {
        let known: f64 = (0..a).map(|b| factor[a][b] * right[b]).sum();
        right[a] = (right[a] - known) / factor[a][a];
    }
    for a in (0..TERMS).rev() {
        let known: f64 = (a + 1..TERMS).map(|b| factor[b][a] * right[b]).sum();
        right[a] = (right[a] - known) / factor[a][a];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_count::moments::moments;

    /// A figure of second order is recovered exactly, for one composition and as a mean over a count.
    #[test]
    fn a_figure_of_second_order_is_found_again() {
        let full: Shoe = [8, 8, 8, 8, 8, 8, 8, 8, 8, 32];
        let worth = |shoe: &[f64; RANKS]| {
            let n: f64 = shoe.iter().sum();
            0.3 * shoe[9] / n - 0.2 * shoe[4] / n + (shoe[0] / n) * (shoe[9] / n) - 1.0 / n
        };
        // many shoes with some cards removed
        let mut state = 1_u64;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let shoes: Vec<Shoe> = (0..200)
            .map(|_| std::array::from_fn(|r| full[r] - next(u64::from(full[r]) / 2 + 1) as u16))
            .collect();
        let tags = [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1];
        let scene = Scene::new(&full, &tags.map(f64::from));
        let points: Vec<Terms> = shoes.iter().map(|shoe| Terms::of(shoe, &scene)).collect();
        let weights: Vec<f64> = shoes.iter().map(|shoe| scene.weight(shoe)).collect();
        let figures: Vec<Vec<f64>> = shoes.iter().map(|shoe| vec![worth(&shoe.map(f64::from))]).collect();
        let found = Surfaces::through(&points, &weights, &figures);
        assert!(found.deviation(0) < 1e-6, "{}", found.deviation(0));
        let known = moments(&full, &tags, &[(70, -4)]).remove(0).expect("it can be");
        let terms = Terms::mean(&known, 70.0, &scene);
        let exact = 0.3 * known.mean[9] / 70.0 - 0.2 * known.mean[4] / 70.0 + known.product[0][9] / 4900.0
            - 1.0 / 70.0;
        assert!((found.at(0, &terms) - exact).abs() < 1e-6, "{} {exact}", found.at(0, &terms));
        assert!(found.reach(&terms) < 1.0);
    }
}
