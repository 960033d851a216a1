//! Computes the effects of removal: the change in the player's EV when one card of a rank leaves the full shoe.

use crate::subject::{Marks, Subject, Violations};
use crate::{Inputs, Stamped};
use exact::removal::{PlayAfterRemoval, removal};
use exact::stack::LETTERS;
use exact::table::{Attacked, Table};
use serde::Serialize;
use side::removal::{insurance_removal, side_removal};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The effects of removal, by rank.
///
/// An effect is `None` if the stack has no card of its rank.
pub type Effects = [Option<f64>; LETTERS.len()];

/// The effects of removal on the bets of a table.
pub struct RemovalEffects {
    pub main: Effects,
    pub sides: Vec<(String, Effects)>,
    pub insurance: Option<Effects>,
    /// Whether the player keeps the full shoe's strategy.
    ///
    /// Otherwise the player adapts to the removal.
    pub fixed: bool,
}

/// Computes all effects of removal at a table.
pub fn found(table: &Subject, fixed: bool) -> RemovalEffects {
    let play = if fixed { PlayAfterRemoval::Fixed } else { PlayAfterRemoval::Reoptimized };
    RemovalEffects {
        main: removal(&Table::new(table, Attacked::No), play),
        sides: side_removal(table),
        insurance: insurance_removal(table),
        fixed,
    }
}

/// Map from ranks to effects of removal.
///
/// Ranks are `A`, `2` to `9`, and `T` for every ten-value card.
pub type ByRank = BTreeMap<char, f64>;

/// The effects of removal: the change of the EV when one card of a rank leaves the full shoe.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = RemovalDocument)]
pub struct Removal {
    /// The rules assumed in addition to the table's own, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The clauses that the table violates, if it is not legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The effects on insurance, per unit of the bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, f64>>, nullable = false)]
    pub insurance: Option<ByRank>,
    /// The effects on the main game, in units of the initial bet.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub main: ByRank,
    /// The unit of the main game's figures: `initial wager`.
    pub per: &'static str,
    /// The player's strategy after a removal: `fixed` or `anew`. With `fixed` it is that of the full shoe, with `anew`
    /// the best one.
    pub play: &'static str,
    /// Map from side bets to their effects, per unit of the bet.
    #[schema(value_type = BTreeMap<String, BTreeMap<String, f64>>)]
    pub side_wagers: BTreeMap<String, ByRank>,
    /// The name of the table.
    pub table: String,
}

/// Returns the document on effects of removal.
pub fn document(table: &Subject, found: &RemovalEffects) -> Stamped<Removal> {
    let Marks { assumed, hypothetical } = table.marks();
    let told = Removal {
        assumed,
        hypothetical,
        insurance: found.insurance.as_ref().map(by_rank),
        main: by_rank(&found.main),
        per: "initial wager",
        play: if found.fixed { "fixed" } else { "anew" },
        side_wagers: found.sides.iter().map(|(name, effects)| (name.clone(), by_rank(effects))).collect(),
        table: table.named(),
    };
    Stamped::new(told, Inputs::table(table))
}

fn by_rank(effects: &Effects) -> ByRank {
    LETTERS.iter().zip(effects).filter_map(|(letter, effect)| Some((*letter, (*effect)?))).collect()
}
