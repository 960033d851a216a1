//! The blackjack bonus bet (2.20), whose awards the bonus system draws within legal limits.

use super::{Bet, Kind, PayLine, PayTable, Pays, Prize, Sees, SideBet, SideWager};
use crate::card::{Card, Deck};
use crate::hand::Hand;
use crate::odds::Cents;
use crate::ruling::BonusPays;
use std::collections::BTreeMap;

const LINE: PayLine =
    PayLine { hand: "blackjack", pays: Pays::Award, by: clause!("19:47-2.20(d)"), sum: &[] };

/// The paytable of the blackjack bonus, which pays only for a blackjack (2.20(d)).
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &[LINE] }];

/// Returns the paytable line for a blackjack, or `None` for other cards (2.20(d)).
pub fn blackjack_bonus(two: [Card; 2]) -> Option<PayLine> {
    Hand::dealt(&two).is_blackjack().then_some(LINE)
}

/// The amounts that may be bet, each with its minimum and maximum award (2.20(j)).
pub const LIMITS: [(Cents, Cents, Cents); 2] = [
    (Cents::dollars(1), Cents::dollars(5), Cents::dollars(1_000)),
    (Cents::dollars(5), Cents::dollars(50), Cents::dollars(5_000)),
];

/// Returns whether a table's bonus system can show the award `amount` for the bet `wager` (2.20(f), (j)).
///
/// If `awards` are the table's own, the system shows only those. The default awards exist only to compute the
/// house advantage; with them, the system may show any whole number of dollars within the limits of 2.20(j).
pub fn shows(awards: &BTreeMap<Cents, BTreeMap<Cents, u32>>, wager: Cents, amount: Cents) -> bool {
    let within = |&(of, least, most): &(Cents, Cents, Cents)| of == wager && (least..=most).contains(&amount);
    let stated = awards.get(&wager).filter(|_| *awards != default_awards());
    LIMITS.iter().any(within)
        && stated.map_or(amount.0 % Cents::dollars(1).0 == 0, |stated| stated.contains_key(&amount))
}

/// The lowest award that a supervisor must confirm; the dealer announces a lower award alone (2.20(g)3-4).
pub const CONFIRMED_FROM: Cents = Cents::dollars(100);

/// The odds that a winning bonus bet pays when the bonus system shows no award (2.15(o)).
pub const SYSTEM_FAILED: crate::odds::Odds = crate::odds::Odds::to_1(21);

/// Returns the probability that the first two cards from a full stack are a blackjack, as numerator and
/// denominator.
pub fn blackjack_chance(decks: u8) -> (u64, u64) {
    let per_deck = Deck::FIFTY_TWO.values();
    let (aces, tens) = (u64::from(per_deck[0]) * u64::from(decks), u64::from(per_deck[9]) * u64::from(decks));
    let cards = 52 * u64::from(decks);
    (2 * aces * tens, cards * cards.saturating_sub(1))
}

/// Returns the house advantage on a bet of the amount `wager`, as numerator and denominator (2.20(k)).
///
/// Returns `None` if the house advantage is undefined, for example because no award has a weight.
pub fn house_advantage(
    wager: Cents,
    awards: &BTreeMap<Cents, u32>,
    decks: u8,
    pays: BonusPays,
) -> Option<(i128, i128)> {
    let weight: i128 = awards.values().map(|&w| i128::from(w)).sum();
    let (hit, all) = blackjack_chance(decks);
    if weight == 0 || all == 0 || wager.0 <= 0 {
        return None;
    }
    let award: i128 = awards.iter().map(|(award, &w)| i128::from(award.0) * i128::from(w)).sum();
    let stake = match pays {
        BonusPays::ToOne => i128::from(wager.0) * weight,
        BonusPays::ForOne => 0,
    };
    // the player gets the mean award, and with `to-one` the bet back, on `hit` of `all` hands
    let denominator = i128::from(wager.0) * weight * i128::from(all);
    let numerator = denominator - i128::from(hit) * (award + stake);
    Some((numerator, denominator))
}

/// Returns the default awards, which have a mean of about 16 to 1.
///
/// The awards are within the limits of 2.20(j), and their house advantage is legal for every number of decks.
pub(crate) fn default_awards() -> BTreeMap<Cents, BTreeMap<Cents, u32>> {
    let awards =
        |rows: &[(i64, u32)]| rows.iter().map(|&(award, weight)| (Cents::dollars(award), weight)).collect();
    BTreeMap::from([
        (Cents::dollars(1), awards(&[(5, 600), (10, 200), (25, 120), (100, 74), (200, 6)])),
        (Cents::dollars(5), awards(&[(50, 800), (100, 120), (250, 60), (500, 20)])),
    ])
}

/// Returns a number that is the same for all aces, for all ten-value cards, and for all other cards.
fn ace_or_ten(card: Card) -> u8 {
    u8::from(card.is_ace()) + 2 * u8::from(card.is_ten_value())
}

/// The definition of the blackjack bonus, on the player's first two cards.
pub(super) const KIND: Kind = Kind {
    by_values: true,
    prize: Prize::Button,
    keys: &["awards"],
    maximum: Cents::dollars(5),
    ..Kind::plain(
        SideWager::BlackjackBonus,
        "blackjack-bonus",
        "Blackjack Bonus",
        &[Bet {
            bet: SideBet::BlackjackBonus,
            name: "blackjack-bonus",
            sees: Sees::Two,
            line: |_, view| blackjack_bonus(view.first_two()?),
        }],
        ace_or_ten,
    )
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_awards_are_lawful_at_every_deck_count() {
        for decks in 1..=8 {
            for (&wager, awards) in &default_awards() {
                let (n, d) = house_advantage(wager, awards, decks, BonusPays::ToOne).unwrap();
                assert!(n >= 0 && n * 100 <= d * 30, "{wager:?} at {decks} decks: {}", n as f64 / d as f64);
            }
        }
    }
}
