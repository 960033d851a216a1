//! The twenty point bonus bet (2.24).

use super::{Bet, Kind, PayLine, PayTable, Pays, Sees, SideBet, SideWager, own, paytable};
use crate::card::{Card, Rank, Suit};
use crate::choice::Choices;
use crate::hand::{Hand, Total};
use crate::odds::Cents;
use crate::ruling::AceNineTwenty;

const fn lines(queens: u32, matched: u32, suited: u32) -> [PayLine; 5] {
    [
        PayLine::odds(
            "queen of hearts pair and dealer blackjack",
            1000,
            clause!("19:47-2.24(f) \"Queen of hearts pair and dealer blackjack\""),
        ),
        PayLine::odds("queen of hearts pair", queens, clause!("19:47-2.24(f) \"Queen of hearts pair\"")),
        PayLine::odds("matched 20", matched, clause!("19:47-2.24(f) \"Matched 20\"")),
        PayLine::odds("suited 20", suited, clause!("19:47-2.24(f) \"Suited 20\"")),
        PayLine::odds("any 20", 4, clause!("19:47-2.24(f) \"Any 20\"")),
    ]
}

/// The paytables of the twenty point bonus (2.24(f)).
pub(crate) const PAYTABLES: &[PayTable] = &[
    PayTable { name: "A", decks: &[], lines: &const { lines(125, 19, 9) } },
    PayTable { name: "B", decks: &[], lines: &const { lines(200, 25, 10) } },
];

const QUEEN_OF_HEARTS: Card = Card::new(Rank::Queen, Suit::Hearts);

/// Returns the highest paytable line of the twenty point bonus, or `None` if the first two cards do not count
/// twenty.
///
/// 2.24(g) ranks the lines.
pub fn twenty_point(
    paytable: &PayTable,
    ace_nine: AceNineTwenty,
    two: [Card; 2],
    dealer: &[Card],
) -> Option<PayLine> {
    let total = Total::of(&two);
    let counts = !total.is_soft() || ace_nine == AceNineTwenty::Counts;
    if total.points() != 20 || !counts {
        return None;
    }
    let dealer_blackjack = dealer.len() == 2 && Hand::dealt(dealer).is_blackjack();
    let line = match two {
        _ if is_queens_of_hearts(two) && dealer_blackjack => 0,
        _ if is_queens_of_hearts(two) => 1,
        [first, second] if first == second => 2,
        [first, second] if first.suit() == second.suit() => 3,
        _ => 4,
    };
    Some(paytable.lines[line])
}

fn is_queens_of_hearts(two: [Card; 2]) -> bool {
    two == [QUEEN_OF_HEARTS; 2]
}

/// Returns whether a queen of hearts pair waits until it is known if the dealer has a blackjack (2.24(e)).
///
/// The pair waits if the upcard is an ace or a ten-value card.
pub fn waits(two: [Card; 2], up: Card) -> bool {
    is_queens_of_hearts(two) && (up.is_ace() || up.is_ten_value())
}

/// Returns the lowest legal limit on what all queen of hearts pairs win together in a round (2.24(h)).
///
/// The limit is 25,000 dollars, or what the best paytable line pays for the bet `minimum` if that is more.
pub fn least_cap(choices: &Choices, minimum: Cents) -> Cents {
    let top = own::lines(choices, SideWager::TwentyPoint).first().map(|line| line.pays);
    let most = match top {
        Some(Pays::Odds(odds)) => odds.on(minimum),
        _ => None,
    };
    most.unwrap_or(Cents::ZERO).max(Cents::dollars(25_000))
}

/// Returns the payment to one winner: `due`, or less if `cap` limits what all winners get together.
///
/// If more than `cap` is due to all winners, they share `cap` in proportion to their bets (2.24(h)#3, Q42).
pub fn capped(due: Cents, wager: Cents, all_due: Cents, all_wagers: Cents, cap: Option<Cents>) -> Cents {
    match cap {
        Some(cap) if all_due > cap && all_wagers > Cents::ZERO => {
            Cents((i128::from(cap.0) * i128::from(wager.0) / i128::from(all_wagers.0)) as i64)
        }
        _ => due,
    }
}

/// The definition of the twenty point bonus, on the player's first two cards and a dealer's blackjack.
pub(super) const KIND: Kind = Kind {
    keys: &["cap"],
    ..Kind::plain(
        SideWager::TwentyPoint,
        "twenty-point",
        "Twenty Point Bonus",
        &[Bet {
            bet: SideBet::TwentyPoint,
            name: "twenty-point",
            sees: Sees::TwoAndBlackjack,
            line: |choices, view| {
                twenty_point(
                    paytable(choices, SideWager::TwentyPoint)?,
                    choices.rulings.ace_nine_twenty,
                    view.first_two()?,
                    view.dealer,
                )
            },
        }],
        Card::index,
    )
};
