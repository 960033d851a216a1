//! What came out of a round, in the shape that people and programs read.

use crate::event::{Ending, When};
use crate::ids::{BoxId, HandNumber, Wager};
use rules::{Card, Cents, Clause, Total};

/// A wager and how it was settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WagerRecord {
    /// The box.
    pub box_id: BoxId,
    /// The hand.
    pub hand: HandNumber,
    /// Whose wager it was.
    pub player: String,
    /// Which wager.
    pub wager: Wager,
    /// 1 to 3 in multiple action.
    pub spot: Option<u8>,
    /// What was staked.
    pub amount: Cents,
    /// How the wager ended.
    pub result: Ending,
    /// What the player won; a loss is negative.
    pub net: Cents,
    /// The clause that settled the wager.
    pub clause: Clause,
    /// When in the round.
    pub when: When,
}

/// A player's hand as it lay at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandRecord {
    /// The box.
    pub box_id: BoxId,
    /// The hand.
    pub hand: HandNumber,
    /// The hand's cards, in dealing order.
    pub cards: Vec<Card>,
    /// The hand's total.
    pub total: Total,
}

/// A whole round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundRecord {
    /// The dealer's hand; in multiple action the last of them, with the earlier ones before it.
    pub dealer: Vec<Vec<Card>>,
    /// The players' hands.
    pub hands: Vec<HandRecord>,
    /// Every wager that was settled, in order.
    pub wagers: Vec<WagerRecord>,
    /// What each player won or lost by what this round settled, in the order they came.
    pub net: Vec<(String, Cents)>,
}

impl RoundRecord {
    /// Returns the dealer's hand; in multiple action the last one.
    pub fn dealer_cards(&self) -> &[Card] {
        self.dealer.last().map_or(&[], Vec::as_slice)
    }
}
