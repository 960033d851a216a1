//! The best stakes by count for a bankroll: by Kelly's rule, or for a risk of ruin that the player accepts; and what they
//! come to. The counts with their advantage and spread come from a simulation with the index plays of the system.

use crate::indices::{Indices, of};
use crate::simulate::{Asked, Ready};
use crate::{Failure, Stamped};
use rules::Choices;
use serde_json::{Value, json};
use sim::Results as Played;
use sim::report::Stakes;

/// What is wanted of the stakes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// In units of the least stake.
    pub bankroll: f64,
    pub least: u32,
    pub most: u32,
    /// The part of Kelly's stakes, where no risk decides.
    pub kelly: f64,
    /// The risk of ruin for good that is accepted.
    pub risk: Option<f64>,
    /// Rounds are sat out below this count.
    pub sit_out_below: Option<i32>,
}

/// A count with what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    pub count: i32,
    pub frequency: f64,
    pub ev: f64,
    pub variance: f64,
}

/// What stakes come to, a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    pub mean: f64,
    pub variance: f64,
}

impl Worth {
    /// Of these stakes, one for each count.
    pub fn of(counts: &[At], stakes: &[f64]) -> Worth {
        let all = || counts.iter().zip(stakes);
        let mean: f64 = all().map(|(at, stake)| at.frequency * stake * at.ev).sum();
        let squares: f64 = all().map(|(at, b)| at.frequency * b * b * (at.variance + at.ev * at.ev)).sum();
        Worth { mean, variance: squares - mean * mean }
    }

    /// Rounds after which the expected win is one standard deviation; none where nothing is won.
    pub fn n0(&self) -> Option<f64> {
        (self.mean > 0.0).then(|| self.variance / (self.mean * self.mean))
    }

    /// The square of the desirability index: what a hundred rounds win by Kelly's stakes on 10,000.
    pub fn score(&self) -> f64 {
        self.n0().map_or(0.0, |n0| 1e6 / n0)
    }

    pub fn ruin(&self, bankroll: f64) -> f64 {
        if self.mean <= 0.0 { 1.0 } else { (-2.0 * self.mean * bankroll / self.variance).exp() }
    }
}

/// The stakes in whole units: Kelly's part of the bankroll by the advantage of each count, within the spread.
pub fn stakes(counts: &[At], wanted: &Wanted) -> Vec<f64> {
    let by = |part: f64| -> Vec<f64> { counts.iter().map(|at| stake(at, wanted, part).round()).collect() };
    let Some(risk) = wanted.risk else { return by(wanted.kelly) };
    // the more of Kelly's stakes, the greater the risk
    let (mut low, mut high) = (0.0, 1.0);
    while Worth::of(counts, &by(high)).ruin(wanted.bankroll) <= risk && high < 64.0 {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if Worth::of(counts, &by(middle)).ruin(wanted.bankroll) <= risk {
            low = middle
        } else {
            high = middle
        }
    }
    by(low)
}

fn stake(at: &At, wanted: &Wanted, part: f64) -> f64 {
    if wanted.sit_out_below.is_some_and(|least| at.count < least) {
        return 0.0;
    }
    let kelly = if at.variance > 0.0 { part * wanted.bankroll * at.ev / at.variance } else { 0.0 };
    kelly.clamp(f64::from(wanted.least), f64::from(wanted.most))
}

/// The greatest score that stakes within the spread can have, whatever the bankroll and in parts of a unit.
pub fn best_score(counts: &[At], wanted: &Wanted) -> f64 {
    let at_scale = |scale: f64| {
        let free = Wanted { bankroll: scale, ..*wanted };
        let stakes: Vec<f64> = counts.iter().map(|at| stake(at, &free, 1.0)).collect();
        Worth::of(counts, &stakes).score()
    };
    (0..400).map(|nth| at_scale(10.0 * 1.03f64.powi(nth))).fold(0.0, f64::max)
}

/// The simulation that tells what each count is worth.
pub fn simulation(
    choices: &Choices,
    asked: &Asked,
    found: &Indices,
    plays: Option<usize>,
) -> Result<Ready, Failure> {
    let asked = Asked { side_wagers: vec!["none".into()], ramp: None, ..asked.clone() };
    asked.ready_with(choices.clone(), found.with_plays(plays), Stakes::default())
}

/// The document of a ramp.
pub fn document(
    choices: &Choices,
    (asked, wanted): (&Asked, &Wanted),
    found: &Indices,
    (ready, played): (&Ready, &Played),
) -> Stamped<Value> {
    let told = ready.outcome(played).document;
    let counts = counts(&told);
    let stakes = stakes(&counts, wanted);
    let worth = Worth::of(&counts, &stakes);
    let per_100 = 100.0 * worth.mean;
    let rows: Vec<Value> = counts
        .iter()
        .zip(&stakes)
        .map(|(at, stake)| {
            json!({ "count": at.count, "stake": stake, "frequency": at.frequency, "ev": at.ev, "std_dev": at.variance.sqrt() })
        })
        .collect();
    let average: f64 = counts.iter().zip(&stakes).map(|(at, stake)| at.frequency * stake).sum();
    let document = json!({
        "ramp": rows,
        "ramp_text": in_text(&counts, &stakes),
        "bankroll": wanted.bankroll, "spread": format!("{}-{}", wanted.least, wanted.most),
        "kelly": wanted.kelly, "risk": wanted.risk, "sit_out_below": wanted.sit_out_below,
        "win_per_100": per_100, "std_dev_100": 10.0 * worth.variance.sqrt(), "average_stake": average,
        "score": worth.score(), "c_score": best_score(&counts, wanted),
        "desirability_index": worth.score().sqrt(), "n0": worth.n0(), "risk_of_ruin": worth.ruin(wanted.bankroll),
        "index_plays": found.with_plays(None).indices.len().min(ready.chart.indices.len()),
        "insurance_from": found.insurance.map(|(from, ..)| from),
        "betting_correlation": found.betting, "playing_correlation": found.playing,
        "insurance_correlation": found.insuring,
        "rounds": told["rounds"], "std_error": told["std_error"], "engine": told["engine"],
    });
    Stamped::new(document, of(choices, asked).with("ramp", in_text(&counts, &stakes)))
}

/// What a simulation says of each count.
pub fn counts(told: &Value) -> Vec<At> {
    let row = |row: &Value| {
        let number = |key: &str| row[key].as_f64();
        let deviation = number("std_dev").unwrap_or(0.0);
        let count = row["count"].as_i64()? as i32;
        Some(At {
            count,
            frequency: number("frequency")?,
            ev: number("ev")?,
            variance: deviation * deviation,
        })
    };
    told["by_count"].as_array().into_iter().flatten().filter_map(row).collect()
}

/// The stakes as `simulate --ramp` reads them: where they change.
pub fn in_text(counts: &[At], stakes: &[f64]) -> String {
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

    /// Two counts: half of the rounds lose one percent, half win two, each with a variance of one.
    fn two() -> Vec<At> {
        let at = |count, ev| At { count, frequency: 0.5, ev, variance: 1.0 };
        vec![at(0, -0.01), at(1, 0.02)]
    }

    fn wanted(bankroll: f64) -> Wanted {
        Wanted { bankroll, least: 1, most: 12, kelly: 1.0, risk: None, sit_out_below: None }
    }

    #[test]
    fn kelly_stakes_the_advantage_of_the_bankroll() {
        assert_eq!(stakes(&two(), &wanted(400.0)), [1.0, 8.0]);
        assert_eq!(stakes(&two(), &wanted(10_000.0)), [1.0, 12.0]);
        assert_eq!(stakes(&two(), &Wanted { kelly: 0.5, ..wanted(400.0) }), [1.0, 4.0]);
        assert_eq!(stakes(&two(), &Wanted { sit_out_below: Some(1), ..wanted(400.0) }), [0.0, 8.0]);
        assert_eq!(in_text(&two(), &[1.0, 8.0]), "0:1,1:8");
    }

    /// Stakes of 1 and 8 win (8 * 0.02 - 0.01) / 2 a round, with half of 1.0001 and of 64 times 1.0004 as mean square.
    #[test]
    fn what_stakes_come_to_is_what_is_summed_by_hand() {
        let worth = Worth::of(&two(), &[1.0, 8.0]);
        assert!((worth.mean - 0.075).abs() < 1e-15);
        let variance = (1.0001 + 64.0 * 1.0004) / 2.0 - 0.075 * 0.075;
        assert!((worth.variance - variance).abs() < 1e-12);
        assert!((worth.n0().unwrap() - variance / 0.005_625).abs() < 1e-9);
        assert!((worth.score() - 1e6 * 0.005_625 / variance).abs() < 1e-9);
        assert!((worth.ruin(400.0) - (-2.0 * 0.075 * 400.0 / variance).exp()).abs() < 1e-12);
        assert_eq!(Worth::of(&two(), &[1.0, 0.0]).ruin(1e6), 1.0);
    }

    #[test]
    fn a_risk_that_is_accepted_is_kept() {
        let asked = Wanted { risk: Some(0.05), most: 100, ..wanted(2000.0) };
        let found = Worth::of(&two(), &stakes(&two(), &asked)).ruin(2000.0);
        assert!(found <= 0.05 && found > 0.03, "{found}");
    }

    /// With a free bankroll and a wide spread everything is staked on the good count: (0.02)^2 / 2 over 1.0004 - 0.0002.
    #[test]
    fn the_best_score_is_that_of_the_good_count_alone() {
        let out = Wanted { sit_out_below: Some(1), most: 1000, ..wanted(1.0) };
        let expected = 1e6 * 0.01f64.powi(2) / (1.0004 / 2.0 - 0.0001);
        assert!((best_score(&two(), &out) / expected - 1.0).abs() < 1e-6);
    }
}
