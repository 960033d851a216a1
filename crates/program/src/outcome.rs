//! What a fused round comes to.

use crate::side::Record;

/// What came of a round.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outcome {
    /// The net win, in parts of the wager.
    pub net: i32,
    /// What was staked.
    pub staked: i32,
    /// The squares of what each initial wager came to.
    pub wager_squares: u64,
    /// How many hands there were.
    pub hands: u8,
    /// How each hand ended, and whether it won, pushed or lost; once a spot.
    pub endings: Vec<(u8, u8)>,
    /// Hands won, lost and pushed.
    pub record: (u8, u8, u8),
    /// The line of a wager on the dealer's third card.
    pub third_card_line: u8,
    /// Whether the dealer's first hand was a blackjack, where a wager asks.
    pub dealer_blackjack: bool,
    /// What was staked on insurance and what it came to, which the sums above contain.
    pub insured: i32,
    /// The net of insurance.
    pub insurance: i32,
}

impl Outcome {
    /// Hands won, lost and pushed, as a streak wager asks.
    pub fn record(&self) -> Record {
        let (won, lost, pushed) = self.record;
        Record { won, lost, pushed }
    }
}
