//! Which hands are settled at their player's turn, before the dealer's hand is complete.

use crate::choice::{Choices, Game};
use crate::hand::Hand;
use crate::ruling::WinningHandVDealerBlackjack;

/// Whether a busted hand's wagers are collected at once: 2.6A(e)3, 2.18(f)#2, 36.5(e.2). In Switch and Double Attack they
/// are collected when the round is complete: 2A.5(g), 26.5(e).
pub fn collects_bust_at_turn(choices: &Choices) -> bool {
    matches!(choices.game, Game::Blackjack | Game::TripleAttack)
}

/// Whether a hand is paid as soon as its total is announced: 36.7(h)#3, a blackjack and a 21 in three or more cards.
pub fn pays_at_turn(choices: &Choices, hand: &Hand, dealer_blackjack_possible: bool) -> bool {
    let early = hand.is_blackjack() || (hand.points() == 21 && hand.len() >= 3);
    let at_risk = choices.rulings.winning_hand_v_dealer_blackjack == WinningHandVDealerBlackjack::Loses
        && dealer_blackjack_possible;
    choices.game == Game::TripleAttack && early && !at_risk
}
