//! Defines the outcome of a fused round.

use crate::side::Record;

/// The outcome of a round.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outcome {
    /// The net win, in parts of the bet.
    pub net: i32,
    /// The total amount bet.
    pub staked: i32,
    /// The sum of the squared net wins of the initial bets.
    pub wager_squares: u64,
    /// The number of hands.
    pub hands: u8,
    /// How each hand ended, and whether it won, pushed or lost; one entry per dealer hand.
    pub endings: Vec<(u8, u8)>,
    /// The number of hands won, lost and pushed.
    pub record: (u8, u8, u8),
    /// The paytable line of a bet on the dealer's third card.
    pub third_card_line: u8,
    /// Whether the dealer's first hand was a blackjack, recorded only if a side bet depends on it.
    pub dealer_blackjack: bool,
    /// The insurance bet. The totals above include it.
    pub insured: i32,
    /// The net win of insurance. The totals above include it.
    pub insurance: i32,
}

impl Outcome {
    /// Returns the hands won, lost and pushed, in the form that a streak bet needs.
    pub fn record(&self) -> Record {
        let (won, lost, pushed) = self.record;
        Record { won, lost, pushed }
    }
}
