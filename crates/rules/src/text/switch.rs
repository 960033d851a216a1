//! The rules of Blackjack Switch that New Jersey and Massachusetts share: the comparison, the script and the
//! preset.
//!
//! The two regulations number the same rules differently; their own files have the clause numbers.

use super::Text;
use crate::choice::*;
use crate::clause::Clause;
use crate::hand::Hand;
use crate::message::Fixed;
use crate::odds::Odds;
use crate::ruling::TwoCard21VDealerBlackjack;
use crate::script::Step;
use crate::settle::{Verdict, bust};
use crate::wager::SideWager;
use std::cmp::Ordering;

/// The message that refuses a second bet of a different amount.
pub(super) const EQUAL_WAGERS: Fixed = message!("two-equal-bets", "a player's two bets must be equal");

/// The clauses on comparing the player's hand with the dealer's (2A.5(a)-(c), (g), MA 5).
pub(super) struct Results {
    pub dealer_over: Clause,
    pub higher: Clause,
    pub blackjack_v_21: Clause,
    pub equal: Clause,
    pub plain_21_v_blackjack: Clause,
    pub dealer_22: Clause,
    pub blackjack_v_22: Clause,
    pub lower: Clause,
}

/// Returns the verdict on the player's hand against the dealer's, under the clauses `by`; every win pays 1 to 1.
pub(super) fn compare(by: &Results, choices: &Choices, player: &Hand, dealer: &Hand) -> Verdict {
    let win = |by| Verdict::win(Odds::EVEN, by);
    if player.is_bust() {
        return bust(choices);
    }
    if dealer.is_blackjack() {
        return match player.points() {
            21 if player.is_blackjack() => Verdict::push(by.equal),
            21 if player.is_two_card_21() => match choices.rulings.two_card_21_v_dealer_blackjack {
                TwoCard21VDealerBlackjack::Push => Verdict::push(by.equal),
                TwoCard21VDealerBlackjack::Lose => Verdict::lose(by.plain_21_v_blackjack),
            },
            21 => Verdict::lose(by.plain_21_v_blackjack),
            _ => Verdict::lose(by.lower),
        };
    }
    match (dealer.points(), player.points().cmp(&dealer.points())) {
        // 2A.5(c): a dealer's 22 pushes everything except an unswitched blackjack
        (22, _) if player.is_blackjack() => win(by.blackjack_v_22),
        (22, _) => Verdict::push(by.dealer_22),
        (23.., _) => win(by.dealer_over),
        (_, Ordering::Greater) => win(by.higher),
        // 2A.5(a)3: an unswitched blackjack beats a drawn 21
        (21, Ordering::Equal) if player.is_blackjack() => win(by.blackjack_v_21),
        (_, Ordering::Equal) => Verdict::push(by.equal),
        (_, Ordering::Less) => Verdict::lose(by.lower),
    }
}

/// Returns the script of a Switch round (2A.7(d)-(l), MA 7).
///
/// The switch is offered during each player's turn, and the match bet is settled before the hole card is dealt
/// (A7).
pub(super) fn script(choices: &Choices) -> &'static [Step] {
    if choices.hole_card == HoleCard::None { NO_HOLE_CARD } else { HOLE_DOWN }
}

const NO_HOLE_CARD: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
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
    ]
};

const HOLE_DOWN: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
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
    ]
};

/// Returns the preset of a Switch regulation.
///
/// Its clauses are 19:46-1.10C(a), 2A.2(a), 2A.11(c)1, 2A.12(b), MA 2(a).
pub(super) fn preset(text: &'static Text) -> Choices {
    Choices {
        text,
        jurisdiction: text.jurisdiction,
        decks: 6,
        positions: 5,
        soft_17: Soft17::Hit,
        split_hands: 2,
        side_wagers: SideOffer::all(&[SideWager::Match]),
        ..super::nj_blackjack::preset()
    }
}
