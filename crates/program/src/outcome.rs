//! Defines the outcome of a fused round.

use crate::side::Record;

/// The outcome of a fused round.
///
/// It says what the box won and how its hands ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outcome {
    /// The net win, in parts of the bet.
    pub net: i32,
    /// The total amount bet, in parts of the bet.
    pub staked: i32,
    /// The sum of squares of the initial bets' net wins.
    pub wager_squares: u64,
    /// The number of player hands at the end of the round.
    pub hands: u8,
    /// The endings and results of the hands.
    ///
    /// An ending is an [`Ending`](crate::class::Ending). A result is 0 for won, 1 for pushed and 2 for lost. A hand has
    /// one entry for each dealer hand.
    pub endings: Vec<(u8, u8)>,
    /// The numbers of hands won, lost and pushed.
    pub record: (u8, u8, u8),
    /// The paytable line of a bet on the dealer's third card.
    pub third_card_line: u8,
    /// Whether the dealer's first hand was a blackjack.
    ///
    /// It is recorded only if a side bet depends on it.
    pub dealer_blackjack: bool,
    /// The insurance bet, in parts of the bet.
    ///
    /// The field `staked` includes it.
    pub insured: i32,
    /// The net win of insurance, in parts of the bet.
    ///
    /// The field `net` includes it.
    pub insurance: i32,
}

impl Outcome {
    /// Returns the hands won, lost and pushed, as a record for streak bets.
    pub fn record(&self) -> Record {
        let (won, lost, pushed) = self.record;
        Record { won, lost, pushed }
    }
}
