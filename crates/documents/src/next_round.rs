//! The next round from the rest of the stack: the main game, side bets and insurance, fast enough for a stream.

use crate::edge::side_wagers_of;
use crate::ev::HandValues;
use crate::play::provenance;
use crate::shoe::{CardsLeft, cards_left};
use crate::subject::{Marks, Subject, Violations};
use crate::{Failure, Inputs, Stamped};
use exact::dealers::Dealers;
use exact::game::{Strategy, value_at};
use exact::stack::Stack;
use exact::table::{Attacked, Table};
use serde::Serialize;
use side::{Dealt, Shoe, SideReport, insurance_from};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The next round from the rest of the stack.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct NextRound {
    /// The rules assumed in addition to the table's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The EV of each action of a hand, or why there is none; only if a hand is asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hand: Option<HandAnswer>,
    /// What the table violates, if it is not legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The edge of insurance, if it is offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceEdge>,
    /// The main game.
    pub main: NextRoundMain,
    /// The cards left by rank: `A`, `2` to `9`, and `T` for every ten-value card.
    #[schema(value_type = BTreeMap<String, u16>)]
    pub shoe: CardsLeft,
    /// The side bets that these cards decide.
    pub side_wagers: Vec<SideEdge>,
}

/// The main game of the next round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct NextRoundMain {
    /// The player's EV, in units of the initial bet.
    pub ev: f64,
    /// The house edge, in units of the initial bet.
    pub house_edge: f64,
    /// The strategy played.
    pub strategy: &'static str,
}

/// The edge of a side bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideEdge {
    /// The house edge, in units of the bet.
    pub house_edge: f64,
    /// The side bet.
    pub wager: String,
}

/// The edge of insurance.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct InsuranceEdge {
    /// The house edge, in units of the bet.
    pub house_edge: f64,
}

/// What is known of a hand.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum HandAnswer {
    /// The values of the actions.
    Valued(Box<HandValues>),
    /// Why the hand has no values.
    Refused(RefusedHand),
}

/// Why a hand has no values.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct RefusedHand {
    /// The reason, in one sentence.
    pub refused: String,
    /// The code of the reason.
    pub code: String,
    /// The values that the reason names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
}

/// Returns the document; compositions share the dealer tables.
pub fn document(
    table: &Subject,
    strategy: &Strategy,
    dealers: &Dealers,
    stack: &Stack,
) -> Result<Stamped<NextRound>, Failure> {
    let main = Table::new(table, Attacked::No).sharing(dealers).with_stack(stack);
    let main = main.map_err(|why| Failure::RefusedFor(why.0))?;
    let ev: f64 = value_at(&main, strategy);
    let dealt = Dealt::from(table, Shoe::of(stack.left()));
    let (sides, _) = side_wagers_of(table, &dealt, stack);
    let side = |side: &SideReport| SideEdge { house_edge: side.house_edge, wager: side.wager().to_string() };
    let Marks { assumed, hypothetical } = table.marks();
    let document = NextRound {
        assumed,
        hand: None,
        hypothetical,
        insurance: insurance_from(&dealt).map(|found| InsuranceEdge { house_edge: found.house_edge }),
        main: NextRoundMain { ev, house_edge: -ev, strategy: strategy.name() },
        shoe: cards_left(stack),
        side_wagers: sides.iter().map(side).collect(),
    };
    Ok(Stamped::new(document, Inputs { strategy: Some(provenance(strategy)), ..Inputs::table(table) }))
}
