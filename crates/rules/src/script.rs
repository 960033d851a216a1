//! The vocabulary of dealing procedures. A procedure is a list of steps in a text, which a table follows: procedures
//! differ in their list, not in the machine.

use crate::choice::Choices;

/// Who gets the next cards, and which way up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// One card to every box with a bet, from the dealer's left; in Switch to both hands of each box.
    EachBox,
    /// The dealer's first card, face up.
    Up,
    /// The dealer's second card, face down.
    HoleDown,
    /// The dealer's second card, face up: 2.6(k).
    HoleUp,
}

/// A choice offered to every player before the decisions on their hands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offer {
    /// The double attack bet: 26.1, 26.7(d).
    Attack,
    /// The second attack bet: 36.1, 36.7(d.2).
    SecondAttack,
    /// The third attack bet: 36.1, 36.7(e).
    ThirdAttack,
    /// Insurance: 2.9, 2A.8, 26.11, 36.10; with even money, 2.7(c), if offered.
    Insurance,
}

/// One step of a round of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Players place their bets; the first card closes betting.
    Wagers,
    /// A card is dealt to this place of every box, or of the dealer.
    Deal(Slot),
    /// Every player gets this offer.
    Ask(Offer),
    /// Side bets that the initial cards decide are settled: 2.17(d)-(e), 2.20(e), 2.23(e), 2A.7(e).
    InitialSideWagers,
    /// Twenty point bonus bets are settled, from the dealer's right: 2.24(d).
    HoleCardSideWagers,
    /// Blackjacks against a 2 to 9 are paid before any third card: 2.7(a).
    EarlyBlackjacks,
    /// The hole card is read if the upcard is an ace or ten value: 2.6(j), 2A.7(l)2, 26.7(i), 36.7(k).
    Peek,
    /// A face-up dealer blackjack ends the round: 2.6(k)6.
    OpenBlackjack,
    /// The players' decisions, box by box.
    Play,
    /// The dealer's second card is dealt or turned up, and what depends on it alone is settled.
    SecondCard,
    /// The dealer draws by the drawing rule; third-card bets are settled on the way.
    DealerDraws,
    /// All open bets are settled.
    Settle,
    /// The next dealer hand is dealt from the same upcard, as long as a spot is open: 2.18(f)-(h).
    NextSpot,
    /// Bonus buttons are pressed, from the dealer's left: 2.20(f).
    BonusButtons,
    /// Cards are picked up: 2.6(i), 2A.7(m), 26.7(h), 36.7(j).
    PickUp,
}

/// Returns the script of a table's rounds.
pub fn script(choices: &Choices) -> &'static [Step] {
    (choices.text().deal.script)(choices)
}
