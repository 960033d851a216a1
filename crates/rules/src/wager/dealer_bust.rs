//! The optional bonus bet that the dealer busts with the third card (2.25, 26.6).

use super::{Bet, Kind, PayLine, PayTable, Sees, SideBet, SideWager, paytable};
use crate::card::{Card, Rank};
use crate::hand::Total;

/// The paytable of the dealer bust bet in blackjack (2.25(e), (f)).
pub(crate) const BLACKJACK: &[PayTable] = &[PayTable {
    name: "1",
    decks: &[],
    lines: &[
        PayLine::odds(
            "three eights of the same suit",
            200,
            clause!("19:47-2.25(f) \"Three eights of the same suit\""),
        ),
        PayLine::odds(
            "three eights of the same color",
            50,
            clause!("19:47-2.25(f) \"Three eights of the same color\""),
        ),
        PayLine::odds("third card a ten", 3, clause!("19:47-2.25(e) \"Ten\"")),
        PayLine::odds("third card a nine", 5, clause!("19:47-2.25(e) \"Nine\"")),
        PayLine::odds("third card an eight", 7, clause!("19:47-2.25(e) \"Eight\"")),
        PayLine::odds("third card a seven", 9, clause!("19:47-2.25(e) \"Seven\"")),
        PayLine::odds("third card a six", 15, clause!("19:47-2.25(e) \"Six\"")),
    ],
}];

/// The paytable of the dealer bust bet in Double Attack (26.6(d)2, (d)3).
pub(crate) const DOUBLE_ATTACK: &[PayTable] = &[PayTable {
    name: "1",
    decks: &[],
    lines: &[
        PayLine::odds("three eights of the same suit", 200, clause!("19:47-26.6(d)3#2")),
        PayLine::odds("three eights of the same color", 50, clause!("19:47-26.6(d)3")),
        PayLine::odds("third card a ten", 3, clause!("19:47-26.6(d)2#3")),
        PayLine::odds("third card a nine", 6, clause!("19:47-26.6(d)2#4")),
        PayLine::odds("third card an eight", 8, clause!("19:47-26.6(d)2#5")),
        PayLine::odds("third card a seven", 10, clause!("19:47-26.6(d)2#6")),
        PayLine::odds("third card a six", 15, clause!("19:47-26.6(d)2#7")),
    ],
}];

/// Returns the winning paytable line of a dealer bust bet, or `None` if the bet loses (2.25(d), 26.6(d)).
///
/// The bet loses if the dealer has 17 or more in two cards, or 21 or less in three. Otherwise the third card
/// decides the payout. Three eights of one suit or one color have their own lines (2.25(f), 26.6(d)3).
pub fn dealer_bust(paytable: &PayTable, dealer: &[Card]) -> Option<PayLine> {
    let three: &[Card; 3] = dealer.first_chunk()?;
    if is_decided_on_two(dealer) || !Total::of(three).is_bust() {
        return None;
    }
    let eights = three.iter().all(|card| card.rank() == Rank::Eight);
    let one_suit = three.iter().all(|card| card.suit() == three[0].suit());
    let one_colour = three.iter().all(|card| card.suit().colour() == three[0].suit().colour());
    let line = match three[2].value() {
        _ if eights && one_suit => 0,
        _ if eights && one_colour => 1,
        10 => 2,
        9 => 3,
        8 => 4,
        7 => 5,
        6 => 6,
        _ => return None,
    };
    Some(paytable.lines[line])
}

/// Returns whether the dealer has a hard or soft 17 or more in two cards, so that the bet has lost (2.25(d)).
pub fn is_decided_on_two(dealer: &[Card]) -> bool {
    dealer.len() >= 2 && Total::of(&dealer[..2]).points() >= 17
}

/// Returns a number for the card's value; each suit of an eight has its own number.
fn value_or_eight(card: Card) -> u8 {
    match card.rank() {
        Rank::Eight => 20 + card.suit() as u8,
        _ => card.value(),
    }
}

/// The definition of the bet on a bust with the dealer's third card.
pub(super) const KIND: Kind = Kind::plain(
    SideWager::DealerBust,
    "dealer-bust",
    "Dealer Bust Bonus",
    &[Bet {
        bet: SideBet::DealerBust,
        name: "dealer-bust",
        sees: Sees::DealerThree,
        line: |choices, view| dealer_bust(paytable(choices, SideWager::DealerBust)?, view.dealer),
    }],
    value_or_eight,
);
