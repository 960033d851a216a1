//! Dealing procedures as rows of steps. A table walks the script of its game; what differs between procedures is
//! the row, not the machine.

use crate::choice::{Choices, Game, HoleCard, Variation};

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
    Deal(Slot),
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

use Offer::*;
use Slot::*;
use Step::*;

/// 2.6(h): the dealer's second card after the players.
const NO_HOLE_CARD: &[Step] = &[
    Wagers,
    Deal(EachBox),
    Deal(Up),
    Deal(EachBox),
    InitialSideWagers,
    TwentyPoint,
    EarlyBlackjacks,
    Ask(Insurance),
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    BonusButtons,
    PickUp,
];

/// 2.6(j): hole card face down; with a reader the step `Peek` looks at it.
const HOLE_DOWN: &[Step] = &[
    Wagers,
    Deal(EachBox),
    Deal(Up),
    Deal(EachBox),
    InitialSideWagers,
    Deal(HoleDown),
    TwentyPoint,
    EarlyBlackjacks,
    Ask(Insurance),
    Peek,
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    BonusButtons,
    PickUp,
];

/// 2.6(k): hole card face up, no insurance.
const HOLE_UP: &[Step] = &[
    Wagers,
    Deal(EachBox),
    Deal(Up),
    Deal(EachBox),
    InitialSideWagers,
    Deal(HoleUp),
    TwentyPoint,
    OpenBlackjack,
    EarlyBlackjacks,
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    BonusButtons,
    PickUp,
];

/// 2.18: up to three dealer hands from one up card.
const MULTIPLE_ACTION: &[Step] = &[
    Wagers,
    Deal(EachBox),
    Deal(Up),
    Deal(EachBox),
    InitialSideWagers,
    EarlyBlackjacks,
    Ask(Insurance),
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    NextSpot,
    PickUp,
];

/// 2A.7(d)-(l), MA 7: two hands a player; the switch is offered at each player's turn.
const SWITCH: &[Step] = &[
    Wagers,
    Deal(EachBox),
    Deal(Up),
    Deal(EachBox),
    InitialSideWagers,
    Ask(Insurance),
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    PickUp,
];

/// 2A.7(l)1-2, MA 7(l)(1)-(2): the match wager is settled before the hole card (A7).
const SWITCH_HOLE_DOWN: &[Step] = &[
    Wagers,
    Deal(EachBox),
    Deal(Up),
    Deal(EachBox),
    InitialSideWagers,
    Deal(HoleDown),
    Ask(Insurance),
    Peek,
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    PickUp,
];

/// 26.7(d)-(g): the dealer's card first, then the double attack wager.
const DOUBLE_ATTACK: &[Step] = &[
    Wagers,
    Deal(Up),
    Ask(Attack),
    Deal(EachBox),
    Deal(EachBox),
    Ask(Insurance),
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    PickUp,
];

/// 26.7(i).
const DOUBLE_ATTACK_HOLE_DOWN: &[Step] = &[
    Wagers,
    Deal(Up),
    Ask(Attack),
    Deal(EachBox),
    Deal(EachBox),
    Deal(HoleDown),
    Ask(Insurance),
    Peek,
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    PickUp,
];

/// 36.7(d.1)-(e): second attack on the first card, third on the up card, hole card face down.
const TRIPLE_ATTACK: &[Step] = &[
    Wagers,
    Deal(EachBox),
    Ask(SecondAttack),
    Deal(Up),
    Ask(ThirdAttack),
    Deal(EachBox),
    Deal(HoleDown),
    Ask(Insurance),
    Peek,
    Play,
    SecondCard,
    DealerDraws,
    Settle,
    PickUp,
];

/// The script of a table's rounds.
pub fn script(choices: &Choices) -> &'static [Step] {
    match (choices.game, choices.variation, choices.hole_card) {
        (Game::Blackjack, Variation::MultipleAction, _) => MULTIPLE_ACTION,
        (Game::Blackjack, _, HoleCard::None) => NO_HOLE_CARD,
        (Game::Blackjack, _, HoleCard::Down | HoleCard::Reader) => HOLE_DOWN,
        (Game::Blackjack, _, HoleCard::Up) => HOLE_UP,
        (Game::Switch, _, HoleCard::None) => SWITCH,
        (Game::Switch, ..) => SWITCH_HOLE_DOWN,
        (Game::DoubleAttack, _, HoleCard::None) => DOUBLE_ATTACK,
        (Game::DoubleAttack, ..) => DOUBLE_ATTACK_HOLE_DOWN,
        (Game::TripleAttack, ..) => TRIPLE_ATTACK,
    }
}
