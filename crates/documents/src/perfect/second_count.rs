//! Combines a counting system with a second count, such as a side count of aces.
//!
//! Finds the weight of the second count that is best for betting, and the performance of both counts together.

use super::{Sampled, compare_by};
use exact::cards::{Shoe, shoe_size};
use exact::vocabulary::Rank;
use serde::Serialize;
use sim::count::{System, count_of};
use utoipa::ToSchema;

/// The performance of a main count combined with a second count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct TwoCounts {
    /// The win from betting by both counts, as a fraction of the possible win from favorable rounds.
    pub captured: f64,
    /// The correlation of the combined count with the exact EV.
    pub correlation: f64,
    /// The name of the main counting system.
    pub count: String,
    /// The SCORE of the best bets by both counts; null if too few compositions are solved.
    #[schema(required)]
    pub score: Option<f64>,
    /// The standard error of `score`; null if too few compositions are solved.
    #[schema(required)]
    pub score_error: Option<f64>,
    // the surplus is the second running count, less its normal value so far, divided like the main count
    /// The weight of the second count: one point of its surplus counts as this many points of the main count.
    pub weight: f64,
}

/// A solved composition: its weight, its two counts, and its exact EV.
struct Row {
    weight: f64,
    first: f64,
    second: f64,
    ev: f64,
}

/// Returns the surplus of the second count per deck left.
///
/// The surplus is the sum of the tags of the cards removed, minus the sum to expect when that many cards are
/// removed.
pub fn surplus(second: &System, full: &Shoe, shoe: &Shoe, deck: f64) -> f64 {
    let (all, left) = (shoe_size(full) as f64, shoe_size(shoe) as f64);
    let gone = |r: Rank| {
        let normal = f64::from(full[r]) * (all - left) / all;
        f64::from(second.tags[r]) * (f64::from(full[r]) - f64::from(shoe[r]) - normal)
    };
    let running: f64 = Rank::ALL.into_iter().map(gone).sum();
    running / f64::from(second.scale) / (left / deck)
}

/// Combines a main count with a second count, and returns the performance of both counts together.
pub fn two_counts(
    sampled: &Sampled,
    (main, second): (&System, &System),
    (full, decks): (&Shoe, f64),
    variance: f64,
) -> TwoCounts {
    let deck = shoe_size(full) as f64 / decks;
    let start = f64::from(main.at_start(decks as i32));
    let first = |shoe: &Shoe| {
        let gone = |r: Rank| f64::from(main.tags[r]) * (f64::from(full[r]) - f64::from(shoe[r]));
        let running = (start + Rank::ALL.into_iter().map(gone).sum::<f64>()) / f64::from(main.scale);
        running / (shoe_size(shoe) as f64 / deck)
    };
    // least squares of the exact values by both counts
    let rows: Vec<Row> = sampled
        .solved
        .iter()
        .map(|met| Row {
            weight: met.weight,
            first: first(&met.shoe),
            second: surplus(second, full, &met.shoe, deck),
            ev: met.ev,
        })
        .collect();
    let all: f64 = rows.iter().map(|row| row.weight).sum();
    let mean = |of: &dyn Fn(&Row) -> f64| rows.iter().map(|row| row.weight * of(row)).sum::<f64>() / all;
    let (a, b, ev) = (mean(&|row| row.first), mean(&|row| row.second), mean(&|row| row.ev));
    let (a, b, ev) = (&|row: &Row| row.first - a, &|row: &Row| row.second - b, &|row: &Row| row.ev - ev);
    let (aa, ab, bb) =
        (mean(&|row| a(row) * a(row)), mean(&|row| a(row) * b(row)), mean(&|row| b(row) * b(row)));
    let (ae, be) = (mean(&|row| a(row) * ev(row)), mean(&|row| b(row) * ev(row)));
    let (by_first, by_second) = (bb * ae - ab * be, aa * be - ab * ae);
    let weight = if by_first > 0.0 { by_second / by_first } else { 0.0 };
    let both = |shoe: &Shoe| first(shoe) + weight * surplus(second, full, shoe, deck);
    let found = compare_by(&sampled.solved, main.name.clone(), both);
    // round the sum of both as the main count is rounded
    let rounded = |shoe: &Shoe| {
        let left = shoe_size(shoe) as f64 / deck;
        let running = both(shoe) * left * f64::from(main.scale);
        count_of(main, running.round() as i32, left)
    };
    let score = sampled.score_of(rounded, variance);
    TwoCounts {
        count: found.count,
        weight,
        correlation: found.correlation,
        captured: found.captured,
        score: score.map(|(score, _)| score),
        score_error: score.map(|(_, error)| error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perfect::{ValuedShoe, compare_count};

    /// Checks the surplus when too many aces have been removed, against the definition.
    #[test]
    fn a_surplus_is_what_is_gone_beyond_its_share() {
        let full: Shoe = std::array::from_fn(|r| if r == 9 { 96 } else { 24 });
        let aces = System::parse("1,0,0,0,0,0,0,0,0,0").unwrap();
        // half of all cards are removed in equal parts
        assert!(surplus(&aces, &full, &full.map(|n| n / 2), 52.0).abs() < 1e-12);
        let mut less = full.map(|n| n / 2);
        less[0] -= 3;
        let (left, normal) = (153.0, 24.0 * 159.0 / 312.0);
        let expected = (15.0 - normal) / (left / 52.0);
        assert!((surplus(&aces, &full, &less, 52.0) - expected).abs() < 1e-12);
    }
    /// The weight of the second count is recovered from values that follow from both counts.
    ///
    /// The main count alone has a lower correlation with these values.
    #[test]
    fn the_weight_of_the_second_count_is_found() {
        let full: Shoe = std::array::from_fn(|r| if r == 9 { 96 } else { 24 });
        let [main, aces] =
            ["0,0,1,1,1,1,0,0,0,-1", "1,0,0,0,0,0,0,0,0,0"].map(|tags| System::parse(tags).unwrap());
        // the cards removed, aces first
        let gone: [[u16; 10]; 7] = [
            [2, 10, 12, 11, 14, 12, 8, 7, 9, 20],
            [12, 10, 9, 8, 9, 10, 11, 12, 10, 44],
            [14, 12, 14, 15, 13, 14, 10, 9, 11, 36],
            [1, 5, 4, 6, 5, 4, 7, 6, 5, 28],
            [9, 15, 16, 15, 17, 16, 15, 14, 13, 60],
            [0, 3, 2, 1, 4, 3, 2, 3, 1, 8],
            [6, 6, 2, 3, 2, 1, 6, 5, 5, 30],
        ];
        let met = gone.map(|gone| {
            let all = f64::from(gone.iter().sum::<u16>());
            let decks = (312.0 - all) / 52.0;
            let low = f64::from(gone[2..6].iter().sum::<u16>());
            let first = (low - f64::from(gone[9])) / decks;
            let second = (f64::from(gone[0]) - all / 13.0) / decks;
            let shoe: Shoe = std::array::from_fn(|r| full[r] - gone[r]);
            let ev = 0.005 * (first + 0.75 * second) - 0.004;
            ValuedShoe { shoe, weight: 1.0 / 7.0, ev, insured: 0.0, charted: ev }
        });
        let sampled = Sampled { solved: met.to_vec(), terms: Vec::new(), pool: Vec::new() };
        let found = two_counts(&sampled, (&main, &aces), (&full, 6.0), 1.3);
        assert!((found.weight - 0.75).abs() < 1e-9, "{found:?}");
        assert!((found.correlation - 1.0).abs() < 1e-9 && (found.captured - 1.0).abs() < 1e-9, "{found:?}");
        let alone = compare_count(&sampled.solved, &main, &full, 6.0);
        assert!(alone.correlation < 0.99, "{alone:?}");
        // so few compositions have no SCORE
        assert_eq!((found.score, found.score_error), (None, None));
    }
}
