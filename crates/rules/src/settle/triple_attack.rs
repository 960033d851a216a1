//! Settlement of Triple Attack: 36.5(a)-(e).

use super::{Verdict, bust};
use crate::choice::Choices;
use crate::hand::Hand;
use crate::odds::Odds;
use crate::ruling::WinningHandVDealerBlackjack;
use std::cmp::Ordering;

/// 36.5(b): a 21 in any number of cards, and six or more cards below 21.
pub fn always_wins(player: &Hand) -> bool {
    player.points() == 21 || (player.len() >= 6 && player.points() < 21)
}

/// Player against dealer, as in section 2.2 of the notes; every win is 1 to 1 (36.5(e)).
pub(super) fn compare(choices: &Choices, player: &Hand, dealer: &Hand) -> Verdict {
    let win = |by| Verdict::win(Odds::EVEN, by);
    if player.is_bust() {
        return bust(choices);
    }
    if always_wins(player) {
        // A6: the other reading lets a dealer's blackjack beat what is not a blackjack
        let beaten = dealer.is_blackjack()
            && !player.is_blackjack()
            && choices.rulings.winning_hand_v_dealer_blackjack == WinningHandVDealerBlackjack::Loses;
        return match player.points() {
            _ if beaten => Verdict::lose(clause!("19:47-36.5(e.2)#2")),
            21 => win(clause!("19:47-36.5(b)")),
            _ => win(clause!("19:47-36.5(b)#2")),
        };
    }
    match (dealer.points(), player.points().cmp(&dealer.points())) {
        (22, _) => Verdict::push(clause!("19:47-36.5(d.1)#2")),
        (23.., _) => win(clause!("19:47-36.5(c)#2")),
        (_, Ordering::Greater) => win(clause!("19:47-36.5(c)")),
        (_, Ordering::Equal) => Verdict::push(clause!("19:47-36.5(d.1)")),
        (_, Ordering::Less) => Verdict::lose(clause!("19:47-36.5(e.2)#2")),
    }
}
