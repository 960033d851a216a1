//! Computes the sevens bet (2.17(a)3), under both readings of the paytable line for a lone seven.
//!
//! The player takes the third card with every pair of sevens, or only where the main game's strategy draws one.

use crate::dealt::Dealt;
use crate::fraction::Fraction;
use crate::prize::{of_tally, paytable_name, prizes};
use crate::report::{SideReport, Variant, edge, side_report};
use crate::shoe::Shoe;
use crate::tally::{Tally, tally_of_two, view};
use rules::ruling::LoneSeven;
use rules::wager::sevens::waits;
use rules::{Action, Card, Cents, Choices, Hand, HoleCard, SideBet, play};

/// Returns the player's action on a pair of sevens, given the dealer's visible cards.
///
/// There is one visible card, or two if the hole card is dealt face up. The function is not called for a dealer's
/// blackjack that is found before the player acts.
pub type SevensPlay<'a> = dyn Fn(&[Card]) -> Action + 'a;

/// Returns the report on the sevens bet (2.17(e)3).
///
/// Assumes that the player takes a third card with every pair of sevens. If `played` is given, the report also has
/// a variant for a player who plays pairs of sevens by `played`.
pub fn sevens(choices: &Dealt<'_>, bet: SideBet, played: Option<&SevensPlay<'_>>) -> SideReport {
    let found = prizes(choices, bet, Cents::ZERO);
    let paytable = paytable_name(choices, bet.wager());
    let mut report = side_report(bet, paytable, &found);
    for &reading in LoneSeven::ALL {
        if reading != choices.rulings.lone_seven {
            let other = choices.changed(|other| other.rulings.lone_seven = reading);
            let edge = edge(&prizes(&other, bet, Cents::ZERO));
            report.variants.push(Variant::new(format!("rulings.lone_seven={}", reading.word()), edge));
        }
    }
    report.variants.push(Variant::new(
        "the player takes no third card with a pair of sevens",
        edge_of(choices, &tally_of_two(choices, bet)),
    ));
    if let Some(played) = played {
        report.variants.push(Variant::new(
            "the player takes a third card only if hitting or doubling is the best play in the main game",
            edge_of(choices, &as_played(choices, bet, played)),
        ));
    }
    report.notes.push(
        "the player takes a third card with every pair of sevens; a split forfeits it (19:47-2.11(f)), and it is \
            offered even after a dealer's blackjack (19:47-2.6(j)3, 19:47-2.6(k)6#2)"
            .to_string(),
    );
    report
}

fn edge_of(choices: &Choices, tally: &Tally) -> Fraction {
    edge(&of_tally(choices, tally, Cents::ZERO))
}

/// Returns the tally of the sevens bet for a player who plays pairs of sevens by `played`.
///
/// A pair of sevens gets a third card only where `played` hits or doubles. The card that the regulation offers
/// after a dealer's blackjack costs nothing, so the player always takes it.
pub fn as_played(choices: &Dealt<'_>, bet: SideBet, played: &SevensPlay<'_>) -> Tally {
    let mut shoe = choices.shoe().clone();
    // the player's two cards, the dealer's two, and the third card
    let mut tally = Tally::new(shoe.orders(5));
    let mut pairs = Vec::new();
    let rest = shoe.orders(5) / shoe.orders(2).max(1);
    shoe.deal_series(|two: [Card; 2], ways| {
        if waits(&two) {
            pairs.push((two, ways));
        } else {
            tally.add(bet.line(choices, &view(&two, &[])), ways * rest);
        }
    });
    for (two, ways) in pairs {
        let Ok(mut shoe) = shoe.without(&two) else {
            continue;
        };
        shoe.deal(|up, ups, shoe| {
            let known_early = choices.hole_card == HoleCard::Up || play::peeks(choices, up);
            if !known_early {
                let takes = draws(played(&[up]));
                let weight = (ways * ups, shoe.orders(1) - 1);
                settle((choices, bet), two, takes, shoe, weight, &mut tally);
                return;
            }
            shoe.deal(|hole, holes, shoe| {
                let dealer = [up, hole];
                let seen = if choices.hole_card == HoleCard::Up { 2 } else { 1 };
                let takes = Hand::dealt(&dealer).is_blackjack() || draws(played(&dealer[..seen]));
                settle((choices, bet), two, takes, shoe, (ways * ups * holes, 1), &mut tally);
            });
        });
    }
    tally.sorted(choices, bet)
}

fn draws(action: Action) -> bool {
    matches!(action, Action::Hit | Action::Double)
}

/// Adds the paytable line of a hand that begins with two sevens to the tally.
///
/// `takes` says whether the player takes the third card. `ways` is the number of ways to deal the cards so far,
/// and `unseen` the number of ways to deal the unseen card.
fn settle(
    (choices, bet): (&Choices, SideBet),
    two: [Card; 2],
    takes: bool,
    shoe: &Shoe,
    (ways, unseen): (u128, u128),
    tally: &mut Tally,
) {
    let line = |cards: &[Card]| bet.line(choices, &view(cards, &[]));
    if !takes {
        tally.add(line(&two), ways * unseen * shoe.orders(1));
        return;
    }
    for (third, count) in shoe.counts() {
        tally.add(line(&[two[0], two[1], third]), ways * unseen * u128::from(count));
    }
}
