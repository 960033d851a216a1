//! The steps from which a regulation's dealing procedure is composed.
//!
//! A procedure is a list of steps. Procedures differ only in their lists, not in the code that carries them out.

use crate::choice::Choices;

/// Where the next cards are dealt, and whether they are face up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// One card to every box with a bet, from the dealer's left, and in Switch to both hands of each box.
    EachBox,
    /// The dealer's first card, face up.
    Up,
    /// The dealer's second card, face down.
    HoleDown,
    /// The dealer's second card, face up (2.6(k)).
    HoleUp,
}

/// An optional bet that is offered to every player before the hands are played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offer {
    /// The double attack bet (26.1, 26.7(d)).
    Attack,
    /// The second attack bet (36.1, 36.7(d.2)).
    SecondAttack,
    /// The third attack bet (36.1, 36.7(e)).
    ThirdAttack,
    /// Insurance (2.9, 2A.8, 26.11, 36.10), with even money (2.7(c)) if the table offers it.
    Insurance,
}

/// One step of a round of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Players place their bets, until the first card closes betting.
    Wagers,
    /// A card is dealt to each box, or to the dealer.
    Deal(Slot),
    /// Every player is offered this bet.
    Ask(Offer),
    /// Side bets that the initial cards decide are settled (2.17(d)-(e), 2.20(e), 2.23(e), 2A.7(e)).
    InitialSideWagers,
    /// Twenty point bonus bets are settled, from the dealer's right (2.24(d)).
    HoleCardSideWagers,
    /// Blackjacks against a 2 to 9 are paid before any third card (2.7(a)).
    EarlyBlackjacks,
    /// A device reads the hole card if the upcard is an ace or ten-value card.
    ///
    /// The clauses are 2.6(j), 2A.7(l)2, 26.7(i), 36.7(k).
    Peek,
    /// A dealer's blackjack that lies face up ends the round (2.6(k)6).
    OpenBlackjack,
    /// The players decide on their hands, box by box.
    Play,
    /// The dealer's second card is dealt or turned up, and the bets that this card alone decides are settled.
    SecondCard,
    /// The dealer draws by the drawing rule; side bets on the dealer's third card are settled when it is dealt.
    DealerDraws,
    /// All open bets are settled.
    Settle,
    /// The next dealer hand is dealt from the same upcard, if any box has a bet against it (2.18(f)-(h)).
    NextDealerHand,
    /// Players press the bonus button in turn, from the dealer's left (2.20(f)).
    BonusButtons,
    /// The dealer picks up the cards (2.6(i), 2A.7(m), 26.7(h), 36.7(j)).
    PickUp,
}

/// Returns the steps of a round at this table, in order.
pub fn script(choices: &Choices) -> &'static [Step] {
    (choices.text().deal.script)(choices)
}
