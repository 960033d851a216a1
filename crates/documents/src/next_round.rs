//! The next round from the rest of the stack: the main game, side bets and insurance, fast enough for a stream.

use crate::edge::side_wagers_of;
use crate::play::provenance;
use crate::shoe::shoe_json;
use crate::subject::Subject;
use crate::{Failure, Inputs, Stamped};
use exact::dealers::Dealers;
use exact::game::{Strategy, value_at};
use exact::stack::Stack;
use exact::table::{Attacked, Table};
use serde_json::{Value, json};
use side::{Dealt, Shoe, insurance_from};

/// Returns the document; compositions share the dealer tables.
pub fn document(
    table: &Subject,
    strategy: &Strategy,
    dealers: &Dealers,
    stack: &Stack,
) -> Result<Stamped<Value>, Failure> {
    let main = Table::new(table, Attacked::No).sharing(dealers).with_stack(stack);
    let main = main.map_err(|why| Failure::Refused(why.to_string()))?;
    let ev: f64 = value_at(&main, strategy);
    let dealt = Dealt::from(table, Shoe::of(stack.left()));
    let (sides, _) = side_wagers_of(table, &dealt, stack);
    let sides = sides.iter().map(|side| json!({ "wager": side.wager(), "house_edge": side.house_edge }));
    let mut document = json!({
        "shoe": shoe_json(stack),
        "main": { "ev": ev, "house_edge": -ev, "strategy": strategy.name() },
        "side_wagers": sides.collect::<Vec<_>>(),
    });
    if let Some(insurance) = insurance_from(&dealt) {
        document["insurance"] = json!({ "house_edge": insurance.house_edge });
    }
    table.mark(&mut document);
    Ok(Stamped::new(document, Inputs::table(table).with("strategy", provenance(strategy))))
}
