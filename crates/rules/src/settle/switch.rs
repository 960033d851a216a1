//! Settlement of Blackjack Switch: 2A.5(a)-(c), (g), and the same rules of Massachusetts, MA 5.

use super::{Verdict, bust};
use crate::choice::Choices;
use crate::hand::Hand;
use crate::odds::Odds;
use crate::ruling::TwoCard21VDealerBlackjack;
use std::cmp::Ordering;

/// Player against dealer, as in section 3 of the notes.
pub(super) fn compare(choices: &Choices, player: &Hand, dealer: &Hand) -> Verdict {
    let win = |by| Verdict::win(Odds::EVEN, by);
    if player.is_bust() {
        return bust(choices);
    }
    if dealer.is_blackjack() {
        return match player.points() {
            21 if player.is_blackjack() => Verdict::push(clause!("19:47-2A.5(b)")),
            21 if player.is_two_card_21() => match choices.rulings.two_card_21_v_dealer_blackjack {
                TwoCard21VDealerBlackjack::Push => Verdict::push(clause!("19:47-2A.5(b)")),
                TwoCard21VDealerBlackjack::Lose => Verdict::lose(clause!("19:47-2A.5(b)1")),
            },
            21 => Verdict::lose(clause!("19:47-2A.5(b)1")),
            _ => Verdict::lose(clause!("19:47-2A.5(g)")),
        };
    }
    match (dealer.points(), player.points().cmp(&dealer.points())) {
        // 2A.5(c): dealer 22 pushes all but a blackjack without switching
        (22, _) if player.is_blackjack() => win(clause!("19:47-2A.5(c)#2")),
        (22, _) => Verdict::push(clause!("19:47-2A.5(c)")),
        (23.., _) => win(clause!("19:47-2A.5(a)1")),
        (_, Ordering::Greater) => win(clause!("19:47-2A.5(a)2")),
        // 2A.5(a)3: a blackjack without switching beats a drawn 21
        (21, Ordering::Equal) if player.is_blackjack() => win(clause!("19:47-2A.5(a)3")),
        (_, Ordering::Equal) => Verdict::push(clause!("19:47-2A.5(b)")),
        (_, Ordering::Less) => Verdict::lose(clause!("19:47-2A.5(g)")),
    }
}
