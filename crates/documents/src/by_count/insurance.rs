//! The value of insurance by count, for a player who sees their own two cards and the dealer's ace.

use super::{ByCount, threshold};
use exact::vocabulary::{RANKS, Rank};
use std::collections::BTreeMap;

/// The count from which insurance gains, and how much it gains.
///
/// `from` is the rounded count and `exact` the count before rounding. `by_place` has the gain for each element of
/// [`ByCount::places`]. Gains are in units of the initial bet.
pub struct Insurance {
    pub from: i32,
    pub exact: f64,
    pub gain: f64,
    pub by_place: Vec<f64>,
}

impl ByCount {
    /// Returns the value of insurance that pays `pays` to 1, for a player who sees their own two cards and the ace.
    ///
    /// Returns `None` if it is best to insure at every count, or at none.
    pub fn insurance(&self, pays: f64) -> Option<Insurance> {
        // by the count at the decision: rounds, their counts, and the win of half a unit; and the win by place too
        let mut at_decision: BTreeMap<i32, [f64; 3]> = BTreeMap::new();
        let mut by_place: Vec<BTreeMap<i32, f64>> = Vec::new();
        for place in &self.places {
            let mut here: BTreeMap<i32, f64> = BTreeMap::new();
            let n = place.cards as f64;
            let mut gone = [0.0; RANKS];
            gone[Rank::Ace] += 1.0;
            let ace = place.mean[Rank::Ace] / n;
            for a in Rank::ALL {
                let first = place.mean[a] * place.after[Rank::Ace][a] / (n - 1.0);
                gone[a] += 1.0;
                for b in Rank::ALL {
                    let second = place.mean[b] * place.after[Rank::Ace][b] * place.after[a][b] / (n - 2.0);
                    let chance = ace * first * second;
                    gone[b] += 1.0;
                    let tens: f64 =
                        [Rank::Ace, a, b].iter().map(|&seen| place.after[seen][Rank::Ten]).product();
                    let tens = tens * place.mean[Rank::Ten] / (n - 3.0);
                    let (exact, count) = self.count_after(place, &gone);
                    let won = chance * (tens * (pays + 1.0) - 1.0) / 2.0;
                    let sum = at_decision.entry(count).or_default();
                    sum[0] += place.share * chance;
                    sum[1] += place.share * chance * exact;
                    sum[2] += place.share * won;
                    *here.entry(count).or_default() += won;
                    gone[b] -= 1.0;
                }
                gone[a] -= 1.0;
            }
            by_place.push(here);
        }
        let rows: Vec<(i32, f64, f64, f64)> =
            at_decision.iter().map(|(count, sum)| (*count, sum[0], sum[1] / sum[0], sum[2])).collect();
        let (at, exact) = threshold(&rows)?;
        let from = rows[at].0;
        let by_place = by_place.iter().map(|here| here.range(from..).map(|(_, won)| won).sum()).collect();
        let gain = rows[at..].iter().map(|row| row.3).sum();
        Some(Insurance { from, exact, gain, by_place })
    }
}
