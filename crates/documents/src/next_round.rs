//! Computes the figures of the next round from the cards left in the shoe, fast enough for a stream of requests.
//!
//! The figures cover the main game, side bets and insurance.

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

/// The figures of the next round, which is dealt from the cards left in the shoe.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct NextRound {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The values of the actions on a hand, or the reason why the hand has no values; absent if the request has no
    /// hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hand: Option<HandAnswer>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The house edge of insurance; absent if the table does not offer it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceEdge>,
    /// The figures of the main game.
    pub main: NextRoundMain,
    /// Map from ranks to numbers of cards left. The ranks are `A`, `2` to `9`, and `T` for every ten-value card.
    #[schema(value_type = BTreeMap<String, u16>)]
    pub shoe: CardsLeft,
    /// The side bets whose odds follow from the cards left, with their house edges.
    pub side_wagers: Vec<SideEdge>,
}

/// The figures of the main game for the next round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct NextRoundMain {
    /// The player's expected net win, in units of the initial bet.
    pub ev: f64,
    /// The house edge, in units of the initial bet.
    pub house_edge: f64,
    /// The name of the evaluated strategy, such as `composition-dependent`.
    pub strategy: &'static str,
}

/// A side bet with its house edge for the next round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideEdge {
    /// The house edge, in units of the bet.
    pub house_edge: f64,
    /// The name of the side bet, such as `over-13`.
    pub wager: String,
}

/// The house edge of insurance for the next round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct InsuranceEdge {
    /// The house edge, in units of the insurance bet.
    pub house_edge: f64,
}

/// The values of the actions on a hand, or the reason why the hand has no values.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum HandAnswer {
    /// The values of the actions on the hand.
    Valued(Box<HandValues>),
    /// The reason why the hand has no values.
    Refused(RefusedHand),
}

/// The reason why a hand has no values.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct RefusedHand {
    /// The reason why the hand has no values, in one sentence.
    pub refused: String,
    /// The code of the reason, by which the web page looks up the translated reason.
    pub code: String,
    /// Map from placeholders in the translated reason to the texts that replace them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
}

/// Returns the document of the next round, which is dealt from the cards left in `stack`.
///
/// Calls with the same `dealers` share their lookup tables of dealer results. Returns an error if the main
/// game cannot be solved with these cards.
pub fn document(
    table: &Subject,
    strategy: &Strategy,
    dealers: &Dealers,
    stack: &Stack,
) -> Result<Stamped<NextRound>, Failure> {
    let main = Table::new(table, Attacked::No).sharing(dealers).with_stack(stack);
    let main = main.map_err(|why| Failure::RefusedFor(why.0))?;
    let ev = value_at(&main, strategy);
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
