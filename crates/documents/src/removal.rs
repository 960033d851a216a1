//! Computes the effects of removal: the change in the player's EV when one card of a rank leaves the full shoe.

use crate::subject::Subject;
use crate::{Inputs, Stamped};
use exact::removal::{Replay, removal};
use exact::stack::LETTERS;
use exact::table::{Attacked, Table};
use serde_json::{Map, Value, json};
use side::removal::{insurance_removal, side_removal};

/// One figure for each rank; `None` if the stack has no such card.
pub type Effects = [Option<f64>; LETTERS.len()];

pub struct RemovalEffects {
    pub main: Effects,
    pub sides: Vec<(String, Effects)>,
    pub insurance: Option<Effects>,
    /// Whether to keep the full-shoe strategy instead of re-optimizing it.
    pub fixed: bool,
}

/// Computes all effects of removal.
pub fn found(table: &Subject, fixed: bool) -> RemovalEffects {
    let replay = if fixed { Replay::Fixed } else { Replay::Anew };
    RemovalEffects {
        main: removal(&Table::new(table, Attacked::No), replay),
        sides: side_removal(table),
        insurance: insurance_removal(table),
        fixed,
    }
}

/// Returns the document of the effects of removal.
pub fn document(table: &Subject, found: &RemovalEffects) -> Stamped<Value> {
    Stamped::new(told(table, found), Inputs::table(table))
}

fn by_value(effects: &Effects) -> Value {
    let some = LETTERS
        .iter()
        .zip(effects)
        .filter_map(|(letter, effect)| Some((letter.to_string(), json!((*effect)?))));
    some.collect::<Map<String, Value>>().into()
}

fn told(table: &Subject, found: &RemovalEffects) -> Value {
    let sides: Map<String, Value> =
        found.sides.iter().map(|(name, effects)| (name.clone(), by_value(effects))).collect();
    let mut document = json!({
        "table": table.named(), "play": if found.fixed { "fixed" } else { "anew" }, "per": "initial wager",
        "main": by_value(&found.main), "side_wagers": sides,
    });
    if let Some(insurance) = &found.insurance {
        document["insurance"] = by_value(insurance);
    }
    table.mark(&mut document);
    document
}
