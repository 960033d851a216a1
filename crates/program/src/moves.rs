//! The procedure of a table as a short list of moves, taken from its script: what is dealt, asked and drawn, in order.

use rules::Choices;
use rules::choice::{HandBurn, OwnProcedure, Shoe, Shuffle};
use rules::script::{Offer, Slot, Step, script};

/// One thing that happens to cards or money in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// One card to every hand.
    Each,
    /// The dealer's first card.
    Up,
    /// The dealer's second card, face down.
    HoleDown,
    /// The dealer's second card, face up.
    HoleUp,
    /// The attack wager of Double Attack.
    Attack,
    /// The second attack wager of Triple Attack.
    SecondAttack,
    /// Its third.
    ThirdAttack,
    /// Insurance and even money.
    Insurance,
    /// The round ends here if the dealer has a blackjack and the procedure has found it out.
    Peek,
    /// As `Peek`, where the hole card lies open.
    OpenBlackjack,
    /// The players' turns.
    Play,
    /// The dealer's hand is completed and everything settled; once a spot.
    Finish,
}

/// The moves of a round.
pub fn moves(choices: &Choices) -> Vec<Move> {
    let mut moves = Vec::new();
    for step in script(choices) {
        moves.push(match step {
            Step::Deal(Slot::EachBox) => Move::Each,
            Step::Deal(Slot::Up) => Move::Up,
            Step::Deal(Slot::HoleDown) => Move::HoleDown,
            Step::Deal(Slot::HoleUp) => Move::HoleUp,
            Step::Ask(Offer::Attack) => Move::Attack,
            Step::Ask(Offer::SecondAttack) => Move::SecondAttack,
            Step::Ask(Offer::ThirdAttack) => Move::ThirdAttack,
            Step::Ask(Offer::Insurance) => Move::Insurance,
            Step::Peek => Move::Peek,
            Step::OpenBlackjack => Move::OpenBlackjack,
            Step::Play => Move::Play,
            Step::Settle => Move::Finish,
            _ => continue,
        });
    }
    moves
}

/// How the stack of a table is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack {
    /// Cards in the full stack.
    pub cards: usize,
    /// Cards before the cutting card, which comes out with the first card behind it: that round is the last.
    pub before_cut: usize,
    /// Cards burned from a new stack.
    pub burned: usize,
    /// Cards burned before each round.
    pub burned_each_round: usize,
    /// Whether every round begins with a full stack.
    pub fresh: bool,
}

/// 2.5(d), 2.6(c), (m), 2.6A(c), 2.21 and their like in the other games.
pub fn stack(choices: &Choices) -> Stack {
    let cards = choices.stack_size();
    let deck = choices.deck().size();
    // Bart Carter: the discards go back once they are more than about one deck, and no card is burned
    let bart_carter = choices.shuffle == Shuffle::BartCarter;
    let before_cut =
        if bart_carter { deck.min(cards / 2) } else { cards - choices.cut_behind.of(cards).min(cards) };
    Stack {
        cards,
        before_cut,
        burned: usize::from(
            !bart_carter && choices.shoe == Shoe::Single && !choices.has_own(OwnProcedure::NoBurn),
        ),
        burned_each_round: usize::from(choices.hand_burn == HandBurn::EachRound),
        fresh: choices.shoe == Shoe::Continuous,
    }
}

/// Whether the dealer's second card is dealt even if nothing depends on it.
pub fn second_card_always(choices: &Choices) -> bool {
    use rules::ruling::SecondDealerCard;
    choices.text().deal.second_always || choices.rulings.second_dealer_card == SecondDealerCard::Always
}
