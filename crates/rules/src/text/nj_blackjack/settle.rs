//! The settlement of blackjack (2.3(a)-(b), (e), 2.6(k)1-2, 2.7, 2.16).

use crate::card::{Card, Rank};
use crate::choice::{Choices, HoleCard};
use crate::clause::Clause;
use crate::hand::Hand;
use crate::odds::Odds;
use crate::ruling::{FaceUpBlackjackV21, SpecialOddsOn, SplitTwoCard21};
use crate::settle::{Stake, Verdict, bust};
use std::cmp::Ordering;

/// Returns the verdict on the player's hand against the dealer's (2.3(a)-(b), 2.7).
pub(super) fn compare(choices: &Choices, player: &Hand, dealer: &Hand, stake: Stake) -> Verdict {
    // 2.7(a) against a 2 to 9, 2.7(b) against an ace or ten-value card
    let paid_by = match dealer.cards().first() {
        Some(&up) if crate::play::may_be_blackjack(up) => clause!("19:47-2.7(b)#2"),
        _ => clause!("19:47-2.7(a)"),
    };
    against(choices, player, dealer, stake, paid_by)
}

/// Returns the verdict on the player's hand against the dealer's, with a blackjack paid 6 to 5 (2.3(e)#4).
pub(super) fn compare_six_to_five(choices: &Choices, player: &Hand, dealer: &Hand, stake: Stake) -> Verdict {
    against(choices, player, dealer, stake, clause!("19:47-2.3(e)#4"))
}

fn against(choices: &Choices, player: &Hand, dealer: &Hand, stake: Stake, paid_by: Clause) -> Verdict {
    if player.is_bust() {
        return bust(choices);
    }
    if player.is_blackjack() {
        if dealer.is_blackjack() {
            return Verdict::push(clause!("19:47-2.7(b)#3"));
        }
        let (odds, special) = blackjack_odds(choices, player);
        return Verdict::win(odds, special.unwrap_or(paid_by));
    }
    if dealer.is_blackjack() {
        // 2.3(b): a simple 21 loses to a blackjack, as does any lower total
        return Verdict::lose(match (player.points(), choices.hole_card) {
            (21, _) => clause!("19:47-2.3(b)#2"),
            (_, HoleCard::Reader) => clause!("19:47-2.6(j)1"),
            _ => clause!("19:47-2.3(a)"),
        });
    }
    match order(player, dealer) {
        Ordering::Greater => win(choices, player, dealer, stake),
        Ordering::Less => Verdict::lose(clause!("19:47-2.3(a)")),
        // 2.3(a)3: 21 in two cards against 21 in more, which here can only be a split hand
        Ordering::Equal
            if player.is_two_card_21() && choices.rulings.split_two_card_21 == SplitTwoCard21::Wins =>
        {
            paid(choices, player, stake, clause!("19:47-2.3(a)3"))
        }
        Ordering::Equal if is_five_card_21(choices, player) => Verdict::push(clause!("19:47-2.16(b)#2")),
        Ordering::Equal => Verdict::push(clause!("19:47-2.3(b)")),
    }
}

/// Returns the verdict on the player's hand against the dealer's, with the hole card face up (2.6(k)1-2, 6).
///
/// Equal scores lose; a player's blackjack wins even against a dealer's blackjack.
pub(super) fn compare_face_up(choices: &Choices, player: &Hand, dealer: &Hand, stake: Stake) -> Verdict {
    if player.is_bust() {
        return bust(choices);
    }
    if player.is_blackjack() {
        let (odds, special) = blackjack_odds(choices, player);
        return match (dealer.is_blackjack(), dealer.points()) {
            (true, _) => Verdict::win(odds, special.unwrap_or(clause!("19:47-2.6(k)1#2"))),
            (false, 21) if choices.rulings.face_up_blackjack_v_21 == FaceUpBlackjackV21::Loses => {
                Verdict::lose(clause!("19:47-2.6(k)1"))
            }
            (false, _) => Verdict::win(odds, special.unwrap_or(clause!("19:47-2.6(k)2"))),
        };
    }
    if dealer.is_blackjack() {
        return Verdict::lose(clause!("19:47-2.6(k)6"));
    }
    match order(player, dealer) {
        Ordering::Greater => win(choices, player, dealer, stake),
        Ordering::Less => Verdict::lose(clause!("19:47-2.3(a)")),
        Ordering::Equal if player.is_two_card_21() && survives_face_up(choices) => {
            paid(choices, player, stake, clause!("19:47-2.3(a)3"))
        }
        Ordering::Equal => Verdict::lose(clause!("19:47-2.6(k)1")),
    }
}

/// Returns whether a split hand's two-card 21 beats a dealer's drawn 21 when the hole card is face up.
///
/// 2.6(k)1 determines winning bets by 2.3(a), and lets the dealer win equal scores. Only if the rulings let both a
/// split hand's two-card 21 and a blackjack win does 2.3(a)3 take precedence (Q1, Q4).
fn survives_face_up(choices: &Choices) -> bool {
    choices.rulings.split_two_card_21 == SplitTwoCard21::Wins
        && choices.rulings.face_up_blackjack_v_21 == FaceUpBlackjackV21::Wins
}

/// Compares the points of the hands; a busted dealer hand ranks below every other hand (2.3(a)1-2).
fn order(player: &Hand, dealer: &Hand) -> Ordering {
    if dealer.is_bust() { Ordering::Greater } else { player.points().cmp(&dealer.points()) }
}

fn win(choices: &Choices, player: &Hand, dealer: &Hand, stake: Stake) -> Verdict {
    let by = if dealer.is_bust() { clause!("19:47-2.3(a)1") } else { clause!("19:47-2.3(a)2") };
    paid(choices, player, stake, by)
}

/// Returns the odds that a player's blackjack pays, with the clause if they are special odds.
///
/// The odds are 3 to 2, 6 to 5 or 1 to 1 by 2.3(e), and 2 to 1 on the designated ace and face card by 2.3(e)3.
pub fn blackjack_odds(choices: &Choices, player: &Hand) -> (Odds, Option<Clause>) {
    let designated = |pair: &[Card; 2]| match player.cards() {
        [first, second] => pair == &[*first, *second] || pair == &[*second, *first],
        _ => false,
    };
    if choices.bonus_payouts.blackjacks.iter().any(designated) {
        (Odds::to_1(2), Some(clause!("19:47-2.3(e)3")))
    } else {
        (choices.blackjack_odds(), None)
    }
}

/// Returns the verdict of a win at 1 to 1, or at the hand's special odds if it has any (2.3(e)#2).
///
/// Special odds apply to the whole stake on the hand, or by ruling not to doubling money (Q16).
fn paid(choices: &Choices, player: &Hand, stake: Stake, by: Clause) -> Verdict {
    let doubling_excluded =
        stake == Stake::Double && choices.rulings.special_odds_on == SpecialOddsOn::Original;
    match special_odds(choices, player) {
        Some((odds, by)) if !doubling_excluded => Verdict::win(odds, by),
        _ => Verdict::win(Odds::EVEN, by),
    }
}

/// Returns the special odds of a winning hand other than a blackjack (2.3(e)1, 2, 4, 2.16), or `None` without any.
fn special_odds(choices: &Choices, player: &Hand) -> Option<(Odds, Clause)> {
    let offered = &choices.bonus_payouts;
    if is_five_card_21(choices, player) {
        return Some((Odds::to_1(2), clause!("19:47-2.16(a)")));
    }
    let three: &[Card; 3] = player.cards().try_into().ok()?;
    let has = |rank: Rank| three.iter().any(|card| card.rank() == rank);
    let suited = three.iter().all(|card| card.suit() == three[0].suit());
    if offered.suited_678.is_yes() && suited && [Rank::Six, Rank::Seven, Rank::Eight].into_iter().all(has) {
        return Some((Odds::to_1(2), clause!("19:47-2.3(e)1")));
    }
    if offered.three_sevens.is_yes() && three.iter().all(|card| card.rank() == Rank::Seven) {
        return Some((Odds::new(3, 2), clause!("19:47-2.3(e)2")));
    }
    None
}

/// Returns whether the hand is a five-card 21 at a table that offers special odds for it (2.3(e)4, 2.16(a)).
fn is_five_card_21(choices: &Choices, player: &Hand) -> bool {
    choices.bonus_payouts.five_card_21.is_yes() && player.len() == 5 && player.points() == 21
}
