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

/// The effect of removal of each rank, or `None` for a rank of which the full shoe has no card.
pub type Effects = [Option<f64>; LETTERS.len()];

/// The effects of removal on the main game, the side bets and insurance of a table.
pub struct RemovalEffects {
    pub main: Effects,
    pub sides: Vec<(String, Effects)>,
    pub insurance: Option<Effects>,
    /// Whether the player keeps the full shoe's strategy after a card is removed, instead of adapting the
    /// strategy.
    pub fixed: bool,
}

/// Computes the effects of removal at a table; `fixed` is stored in the result.
pub fn found(table: &Subject, fixed: bool) -> RemovalEffects {
    let play = if fixed { PlayAfterRemoval::Fixed } else { PlayAfterRemoval::Reoptimized };
    RemovalEffects {
        main: removal(&Table::new(table, Attacked::No), play),
        sides: side_removal(table),
        insurance: insurance_removal(table),
        fixed,
    }
}

/// Map from ranks to effects of removal; ranks of which the shoe has no card are absent.
///
/// The ranks are `A`, `2` to `9`, and `T` for every ten-value card.
pub type ByRank = BTreeMap<char, f64>;

/// The effects of removal: the change in the player's EV when one card of a rank leaves the full shoe.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Removal)]
pub struct Removal {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The effects on insurance, per unit of the insurance bet; absent if insurance is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, f64>>, nullable = false)]
    pub insurance: Option<ByRank>,
    /// The effects on the main game, in units of the initial bet.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub main: ByRank,
    /// The unit of the main game's figures: `initial wager`.
    pub per: &'static str,
    /// The strategy after a card is removed: `fixed` for the strategy of the full shoe, or `anew` for the best
    /// strategy without the removed card.
    pub play: &'static str,
    /// Map from the names of the side bets to the effects of removal on each, per unit of the side bet.
    #[schema(value_type = BTreeMap<String, BTreeMap<String, f64>>)]
    pub side_wagers: BTreeMap<String, ByRank>,
    /// The name of the table.
    pub table: String,
}

/// Returns the document on the effects of removal.
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
