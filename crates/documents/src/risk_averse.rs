//! Computes risk-averse index plays: the count from which an action is worth its risk to a Kelly bettor.
//!
//! A bet of `f` of the bankroll grows the bankroll by `f E - f^2 S / 2` per round, where `E` is the expected net
//! win of a unit bet and `S` its expected square. The Kelly bet is the EV divided by the variance at the count. An
//! action with a larger square, such as a double or a split, therefore costs half of the Kelly bet times the
//! increase of the square.

use crate::Failure;
use crate::by_count::Choice;
use crate::indices::{IndexPlay, Indices, index};
use exact::cells::squares;
use exact::table::{Attacked, Table};
use exact::turn::Action;
use rules::Choices;
use rules::text::Form;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

/// A decision with two indices: the count from which an action has the highest EV, and the count from which it is
/// also worth its risk.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct RiskAverse {
    /// The count before rounding at which both actions are equally good, risk included; null if there is none.
    #[schema(required)]
    pub exact: Option<f64>,
    /// The lowest rounded count at which the action `play` has the highest EV, regardless of risk.
    pub from: i32,
    /// The hand as a row of the chart, such as `hard 9`.
    pub hand: String,
    /// The letter of the better action below the count `from`, such as `H`.
    pub otherwise: String,
    /// The letter of the better action from the count `from` up, such as `D`.
    pub play: String,
    /// The lowest rounded count at which the action `play` is worth its risk; null if there is none.
    #[schema(required)]
    pub risk_averse_from: Option<i32>,
    /// The increase in the expected square of the hand's net win if the player doubles or splits.
    pub square_raised: f64,
    /// The dealer's upcard, such as `2`.
    pub up: String,
}

/// Returns the risk-averse indices for doubling and splitting, in the order of the index plays in `found`.
///
/// Returns an error unless each round is one hand against one dealer hand.
pub fn risk_averse(choices: &Choices, found: &Indices) -> Result<Vec<RiskAverse>, Failure> {
    if choices.text().form() != Form::OneHand || choices.dealer_hands() > 1 {
        return Err(Failure::Refused(format!(
            "{}: risk-averse index plays are supported only for one hand against one dealer hand",
            choices.name
        )));
    }
    let by_count = &found.by_count;
    let raises = |play: &IndexPlay| [play.play, play.otherwise].iter().any(|&action| is_raised(action));
    let rows: BTreeSet<_> = found.plays.iter().filter(|play| raises(play)).map(|play| play.row).collect();
    let squares = squares(&Table::new(choices, Attacked::No), &found.chart, &rows);
    // half of Kelly's stake at each count
    let half: BTreeMap<i32, f64> = found
        .counts(None)
        .iter()
        .map(|at| (at.count, if at.variance > 0.0 { at.ev.max(0.0) / at.variance / 2.0 } else { 0.0 }))
        .collect();
    let highest = half.iter().next_back().map_or(0.0, |(_, stake)| *stake);
    let stake = |count: i32| half.range(..=count).next_back().map_or(0.0, |(_, stake)| *stake).min(highest);
    let open = by_count.choices();
    let told = found.plays.iter().filter(|play| raises(play)).filter_map(|play| {
        let is_of = |choice: &&Choice| {
            let (row, column, _) = &choice.key;
            let actions = [play.play, play.otherwise];
            *row == play.row
                && *column == play.column
                && is_raised(choice.play)
                && actions.contains(&choice.play)
        };
        let choice = open.iter().find(is_of)?;
        let other = if choice.play == play.play { play.otherwise } else { play.play };
        let raised = by_count.increase(choice, other, &squares)?;
        let cost = |count: i32, other: Action| {
            stake(count) * by_count.increase(choice, other, &squares).unwrap_or(raised)
        };
        let averse = index(by_count, choice, &cost);
        let (hand, up, letters) = play.words();
        let [done, otherwise] = letters;
        Some(RiskAverse {
            hand,
            up,
            play: done,
            otherwise,
            from: play.from,
            risk_averse_from: averse.as_ref().map(|play| play.from),
            exact: averse.map(|play| play.exact),
            square_raised: raised / by_count.chance(choice),
        })
    });
    Ok(told.collect())
}

fn is_raised(action: Action) -> bool {
    matches!(action, Action::Double | Action::Split)
}
