//! Derives the procedure of a table from its script, as a short list of moves: the deals, offers and draws, in
//! order.

use rules::Choices;
use rules::choice::{HandBurn, OwnProcedure, Shoe, Shuffle};
use rules::script::{Offer, Slot, Step, script};

/// One step of a round that affects cards or money.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// The deal of one card to every hand of the players.
    Each,
    /// The deal of the dealer's first card.
    Up,
    /// The deal of the dealer's second card, face down.
    HoleDown,
    /// The deal of the dealer's second card, face up.
    HoleUp,
    /// The offer of the attack bet of Double Attack.
    Attack,
    /// The offer of the second attack bet of Triple Attack.
    SecondAttack,
    /// The offer of the third attack bet of Triple Attack.
    ThirdAttack,
    /// The offer of insurance and even money.
    Insurance,
    /// The peek, which ends the round if it finds a dealer blackjack.
    Peek,
    /// The check of the face-up hole card, which ends the round if the dealer has a blackjack.
    OpenBlackjack,
    /// The turns of all players.
    Play,
    /// The completion of a dealer hand and the settlement of all bets against it.
    ///
    /// The move occurs once per dealer hand.
    Finish,
}

/// Returns the moves of a round at a table, in order.
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

/// The size of a table's stack of cards, and its use before a shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The number of cards in the full stack.
    pub cards: usize,
    /// The number of cards before the cut card.
    ///
    /// The round that deals the first card behind the cut card is the last round before the shuffle.
    pub before_cut: usize,
    /// The number of cards burned from a newly shuffled stack.
    pub burned: usize,
    /// The number of cards burned before each round.
    pub burned_each_round: usize,
    /// Whether every round begins with a full stack.
    pub fresh: bool,
}

/// Returns the size of a table's stack of cards, and its use before a shuffle.
///
/// The clauses are 2.5(d), 2.6(c), (m), 2.6A(c), 2.21 and the equivalent clauses of the other games.
pub fn stack(choices: &Choices) -> Stack {
    let cards = choices.stack_size();
    let deck = choices.deck().size();
    // Bart Carter shuffle: the discards go back once they exceed about one deck, and no card is burned
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

/// Returns whether the dealer always receives a second card, even if no bet depends on that card.
pub fn second_card_always(choices: &Choices) -> bool {
    use rules::ruling::SecondDealerCard;
    let always = choices.text().deal.second.is_some_and(|second| second.always);
    always || choices.rulings.second_dealer_card == SecondDealerCard::Always
}
