//! The result of a round, for people and programs.

use crate::event::{Ending, SettledAt};
use crate::ids::{BoxId, HandNumber, Wager};
use rules::{Card, Cents, Clause, Total};

/// A bet and how it was settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WagerRecord {
    /// The number of the betting box.
    pub box_id: BoxId,
    /// The number of the hand within its box.
    pub hand: HandNumber,
    /// The name of the player who made the bet.
    pub player: String,
    /// The kind of bet.
    pub wager: Wager,
    /// The number of the spot, from 1 to 3; `None` for side bets, and in games other than multiple action.
    pub spot: Option<u8>,
    /// The amount that was bet.
    pub amount: Cents,
    /// How the bet ended.
    pub result: Ending,
    /// The player's net win; a loss is negative.
    pub net: Cents,
    /// The clause that settled the bet.
    pub clause: Clause,
    /// When in the round the bet was settled.
    pub when: SettledAt,
}

/// A player's hand at the end of the round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandRecord {
    /// The number of the betting box.
    pub box_id: BoxId,
    /// The number of the hand within its box.
    pub hand: HandNumber,
    /// The hand's cards, in dealing order.
    pub cards: Vec<Card>,
    /// The hand's total.
    pub total: Total,
}

/// The result of a whole round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundRecord {
    /// The cards of each dealer hand, in order; only multiple action has more than one dealer hand.
    pub dealer: Vec<Vec<Card>>,
    /// The players' hands.
    pub hands: Vec<HandRecord>,
    /// Every settled bet, in order.
    pub wagers: Vec<WagerRecord>,
    /// The name and net win of each player, in order of arrival.
    pub net: Vec<(String, Cents)>,
}

impl RoundRecord {
    /// Returns the cards of the last dealer hand; only multiple action has more than one dealer hand.
    pub fn dealer_cards(&self) -> &[Card] {
        self.dealer.last().map_or(&[], Vec::as_slice)
    }
}
