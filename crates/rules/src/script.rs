//! The vocabulary of dealing procedures. A procedure is a row of steps in a text, and a table walks it: what differs
//! between procedures is the row, not the machine.

use crate::choice::Choices;

/// Who gets the next cards, and how they lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// One card to every box with a wager, from the dealer's left; in Switch to both hands of each box.
    EachBox,
    /// The dealer's first card, face up.
    Up,
    /// The dealer's second card, face down.
    HoleDown,
    /// The dealer's second card, face up: 2.6(k).
    HoleUp,
}

/// A choice put to every player before the decisions on their hands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offer {
    /// 26.1, 26.7(d).
    Attack,
    /// 36.1, 36.7(d.2).
    SecondAttack,
    /// 36.1, 36.7(e).
    ThirdAttack,
    /// 2.9, 2A.8, 26.11, 36.10; with even money, 2.7(c), where it is offered.
    Insurance,
}

/// One step of a round of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Players place their wagers; the first card closes them.
    Wagers,
    /// A card is dealt to this place of every box, or of the dealer.
    Deal(Slot),
    /// Every player is offered this.
    Ask(Offer),
    /// Side wagers that are decided by the initial cards: 2.17(d)-(e), 2.20(e), 2.23(e), 2A.7(e).
    InitialSideWagers,
    /// 2.24(d): twenty point bonus wagers, from the dealer's right.
    TwentyPoint,
    /// 2.7(a): blackjacks against a 2 to 9 are paid before any third card.
    EarlyBlackjacks,
    /// The hole card is read if the up card is an ace or ten value: 2.6(j), 2A.7(l)2, 26.7(i), 36.7(k).
    Peek,
    /// 2.6(k)6: a dealer's blackjack that lies open ends the round.
    OpenBlackjack,
    /// The players' decisions, box by box.
    Play,
    /// The dealer's second card is dealt or turned up, and what depends on it alone is settled.
    SecondCard,
    /// The dealer draws by the drawing rule; third-card wagers are settled on the way.
    DealerDraws,
    /// Everything still open is settled.
    Settle,
    /// 2.18(f)-(h): the dealer's next hand from the same up card, as long as a spot is open.
    NextSpot,
    /// 2.20(f): bonus buttons, from the dealer's left.
    BonusButtons,
    /// Cards are picked up: 2.6(i), 2A.7(m), 26.7(h), 36.7(j).
    PickUp,
}

/// Returns the script of a table's rounds.
pub fn script(choices: &Choices) -> &'static [Step] {
    (choices.text().deal.script)(choices)
}
