//! Computes the gain from insurance at each count, counted when the player decides.
//!
//! The player has seen their own two cards and the dealer's ace.

use super::{ByCount, threshold};
use exact::vocabulary::{RANKS, Rank};
use std::collections::BTreeMap;

/// The count from which insurance is profitable, and the gain per round from insuring at that count and above.
///
/// `from` is the rounded count and `exact` the count before rounding. `by_depth_cell` has the gain for each
/// element of [`ByCount::depth_cells`]. Gains are in units of the initial bet.
pub struct Insurance {
    pub from: i32,
    pub exact: f64,
    pub gain: f64,
    pub by_depth_cell: Vec<f64>,
}

impl ByCount {
    /// Returns the count from which insurance is profitable, and the gain per round from insuring at that count
    /// and above.
    ///
    /// A winning insurance bet pays `pays` to 1. The player sees their own two cards and the dealer's ace. Returns
    /// `None` if insurance is profitable at every count, or at none.
    pub fn insurance(&self, pays: f64) -> Option<Insurance> {
        let weight = self.second.as_ref().and_then(|second| second.insurance).unwrap_or_default();
        // by the count at the decision: rounds, their counts, and the win of half a unit; and the win by place too
        let mut at_decision: BTreeMap<i32, [f64; 3]> = BTreeMap::new();
        let mut by_depth_cell: Vec<BTreeMap<i32, f64>> = Vec::new();
        for depth_cell in &self.depth_cells {
            let mut here: BTreeMap<i32, f64> = BTreeMap::new();
            let n = depth_cell.cards as f64;
            let mut gone = [0.0; RANKS];
            gone[Rank::Ace] += 1.0;
            let ace = depth_cell.mean[Rank::Ace] / n;
            for a in Rank::ALL {
                let first = depth_cell.mean[a] * depth_cell.after[Rank::Ace][a] / (n - 1.0);
                gone[a] += 1.0;
                for b in Rank::ALL {
                    let second = depth_cell.mean[b] * depth_cell.after[Rank::Ace][b] * depth_cell.after[a][b]
                        / (n - 2.0);
                    let chance = ace * first * second;
                    gone[b] += 1.0;
                    let tens: f64 =
                        [Rank::Ace, a, b].iter().map(|&seen| depth_cell.after[seen][Rank::Ten]).product();
                    let tens = tens * depth_cell.mean[Rank::Ten] / (n - 3.0);
                    let (exact, count) = self.count_after(depth_cell, &gone, weight);
                    let won = chance * (tens * (pays + 1.0) - 1.0) / 2.0;
                    let sum = at_decision.entry(count).or_default();
                    sum[0] += depth_cell.share * chance;
                    sum[1] += depth_cell.share * chance * exact;
                    sum[2] += depth_cell.share * won;
                    *here.entry(count).or_default() += won;
                    gone[b] -= 1.0;
                }
                gone[a] -= 1.0;
            }
            by_depth_cell.push(here);
        }
        let rows: Vec<(i32, f64, f64, f64)> =
            at_decision.iter().map(|(count, sum)| (*count, sum[0], sum[1] / sum[0], sum[2])).collect();
        let (at, exact) = threshold(&rows)?;
        let from = rows[at].0;
        let by_depth_cell =
            by_depth_cell.iter().map(|here| here.range(from..).map(|(_, won)| won).sum()).collect();
        let gain = rows[at..].iter().map(|row| row.3).sum();
        Some(Insurance { from, exact, gain, by_depth_cell })
    }
}
