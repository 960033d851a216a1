//! Defines the outcome of a fused round.

use crate::side::Record;

/// The outcome of a fused round: what the box won, and how its hands ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outcome {
    /// The net win, in parts of the bet.
    pub net: i32,
    /// The total amount bet, in parts of the bet.
    pub staked: i32,
    /// The sum of the squared net wins of the initial bets, in squares of a part of the bet.
    pub wager_squares: u64,
    /// The number of the player's hands at the end of the round.
    pub hands: u8,
    /// The ending and the result of each hand, once for each dealer hand.
    ///
    /// An ending is the number of an [`Ending`](crate::class::Ending). A result is 0 for won, 1 for pushed and 2
    /// for lost.
    pub endings: Vec<(u8, u8)>,
    /// The numbers of hands that won, lost and pushed, in this order.
    pub record: (u8, u8, u8),
    /// The index of the paytable line that a bet on the dealer's third card reaches.
    pub third_card_line: u8,
    /// Whether the dealer's first hand was a blackjack, recorded only if a side bet depends on it.
    pub dealer_blackjack: bool,
    /// The insurance bet, in parts of the bet, which `staked` includes.
    pub insured: i32,
    /// The net win of insurance, in parts of the bet, which `net` includes.
    pub insurance: i32,
}

impl Outcome {
    /// Returns the numbers of hands won, lost and pushed, as a record for streak bets.
    pub fn record(&self) -> Record {
        let (won, lost, pushed) = self.record;
        Record { won, lost, pushed }
    }
}
