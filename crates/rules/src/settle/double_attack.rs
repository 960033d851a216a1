//! Settlement of Double Attack: 26.5(a)-(b), (e).

use super::Verdict;
use crate::hand::Hand;
use crate::odds::Odds;
use std::cmp::Ordering;

/// Player against dealer, as in section 2.1 of the notes; every win is 1 to 1, a blackjack too (26.5(e)).
pub(super) fn compare(player: &Hand, dealer: &Hand) -> Verdict {
    let win = |by| Verdict::win(Odds::EVEN, by);
    if player.is_bust() {
        return Verdict::lose(clause!("19:47-26.5(e)"));
    }
    if dealer.is_blackjack() {
        return if player.is_blackjack() {
            Verdict::push(clause!("19:47-26.5(b)#2"))
        } else {
            Verdict::lose(clause!("19:47-26.5(b)#3"))
        };
    }
    if dealer.is_bust() {
        return win(clause!("19:47-26.5(a)1"));
    }
    match player.points().cmp(&dealer.points()) {
        Ordering::Greater => win(clause!("19:47-26.5(a)2")),
        Ordering::Equal if player.is_blackjack() => win(clause!("19:47-26.5(a)3")),
        Ordering::Equal => Verdict::push(clause!("19:47-26.5(b)")),
        Ordering::Less => Verdict::lose(clause!("19:47-26.5(e)")),
    }
}
