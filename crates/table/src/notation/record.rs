//! What came out of a round, in the shape that people and programs read.

use crate::event::{Ending, When};
use crate::ids::{BoxId, HandNumber, Wager};
use rules::{Card, Cents, Clause, Total};

/// A wager and how it was settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WagerRecord {
    pub box_id: BoxId,
    pub hand: HandNumber,
    pub player: String,
    pub wager: Wager,
    /// 1 to 3 in multiple action.
    pub spot: Option<u8>,
    pub amount: Cents,
    pub result: Ending,
    pub net: Cents,
    pub clause: Clause,
    pub when: When,
}

/// A player's hand as it lay at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandRecord {
    pub box_id: BoxId,
    pub hand: HandNumber,
    pub cards: Vec<Card>,
    pub total: Total,
}

/// A whole round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundRecord {
    /// The dealer's hand; in multiple action the last of them, with the earlier ones before it.
    pub dealer: Vec<Vec<Card>>,
    pub hands: Vec<HandRecord>,
    pub wagers: Vec<WagerRecord>,
    /// What each player won or lost by what this round settled, in the order they came.
    pub net: Vec<(String, Cents)>,
}

impl RoundRecord {
    pub fn dealer_cards(&self) -> &[Card] {
        self.dealer.last().map_or(&[], Vec::as_slice)
    }
}
