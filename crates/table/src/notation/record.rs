//! The result of a round, for people and programs.

use crate::event::{Ending, SettledAt};
use crate::ids::{BoxId, HandNumber, Wager};
use rules::{Card, Cents, Clause, Total};

/// A bet and how it was settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WagerRecord {
    /// The box.
    pub box_id: BoxId,
    /// The hand.
    pub hand: HandNumber,
    /// The player's name.
    pub player: String,
    /// The kind of bet.
    pub wager: Wager,
    /// The spot, 1 to 3, in multiple action.
    pub spot: Option<u8>,
    /// The stake.
    pub amount: Cents,
    /// How the bet ended.
    pub result: Ending,
    /// The player's net win; a loss is negative.
    pub net: Cents,
    /// The clause that settled the bet.
    pub clause: Clause,
    /// When in the round.
    pub when: SettledAt,
}

/// A player's hand at the end of the round.
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
    /// The dealer's hand; in multiple action all of them, in order.
    pub dealer: Vec<Vec<Card>>,
    /// The players' hands.
    pub hands: Vec<HandRecord>,
    /// Every settled bet, in order.
    pub wagers: Vec<WagerRecord>,
    /// Each player's net win in this round, in order of arrival.
    pub net: Vec<(String, Cents)>,
}

impl RoundRecord {
    /// Returns the dealer's hand; in multiple action the last one.
    pub fn dealer_cards(&self) -> &[Card] {
        self.dealer.last().map_or(&[], Vec::as_slice)
    }
}
