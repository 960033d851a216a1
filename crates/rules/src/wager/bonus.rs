//! The blackjack bonus wager: 2.20. Its awards are drawn by the bonus system; the law limits them.

use super::{Line, PayTable, Pays};
use crate::card::{Card, Deck};
use crate::hand::Hand;
use crate::odds::Cents;
use crate::ruling::BonusPays;
use std::collections::BTreeMap;

const LINE: Line = Line { hand: "blackjack", pays: Pays::Award, by: clause!("19:47-2.20(d)"), sum: &[] };

/// 2.20(d): the one winning hand.
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &[LINE] }];

/// Pays the blackjack bonus if the player's first two cards are a blackjack: 2.20(d).
pub fn blackjack_bonus(two: [Card; 2]) -> Option<Line> {
    Hand::dealt(&two).is_blackjack().then_some(LINE)
}

/// 2.20(j): the least and the most that may be awarded for each denomination.
pub const LIMITS: [(Cents, Cents, Cents); 2] = [
    (Cents::dollars(1), Cents::dollars(5), Cents::dollars(1_000)),
    (Cents::dollars(5), Cents::dollars(50), Cents::dollars(5_000)),
];

/// Returns whether the bonus system of a table can show this amount for a wager: 2.20(f), (j). If the table states
/// its awards, only those; with the default, which exists for pricing, any whole number of dollars within 2.20(j).
pub fn shows(awards: &BTreeMap<Cents, BTreeMap<Cents, u32>>, wager: Cents, amount: Cents) -> bool {
    let within = |&(of, least, most): &(Cents, Cents, Cents)| of == wager && (least..=most).contains(&amount);
    let stated = awards.get(&wager).filter(|_| *awards != default_awards());
    LIMITS.iter().any(within)
        && stated.map_or(amount.0 % Cents::dollars(1).0 == 0, |stated| stated.contains_key(&amount))
}

/// 2.20(g)3-4: from here on a supervisor confirms the amount; below it the dealer announces it.
pub const CONFIRMED_FROM: Cents = Cents::dollars(100);

/// 2.15(o): what is paid when the bonus system shows nothing.
pub const SYSTEM_FAILED: crate::odds::Odds = crate::odds::Odds::to_1(21);

/// Returns the chance of a blackjack from a fresh stack, as a fraction.
pub fn blackjack_chance(decks: u8) -> (u64, u64) {
    let per_deck = Deck::FIFTY_TWO.values();
    let (aces, tens) = (u64::from(per_deck[0]) * u64::from(decks), u64::from(per_deck[9]) * u64::from(decks));
    let cards = 52 * u64::from(decks);
    (2 * aces * tens, cards * cards.saturating_sub(1))
}

/// Returns the house advantage of one denomination as an exact fraction, numerator over denominator (2.20(k)).
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
    // the player gets the mean award, and with `to-one` the wager back, on `hit` of `all` hands
    let denominator = i128::from(wager.0) * weight * i128::from(all);
    let numerator = denominator - i128::from(hit) * (award + stake);
    Some((numerator, denominator))
}

/// Awards within 2.20(j) whose house advantage is lawful at every deck count: a mean of 16 to 1.
pub(crate) fn default_awards() -> BTreeMap<Cents, BTreeMap<Cents, u32>> {
    let awards =
        |rows: &[(i64, u32)]| rows.iter().map(|&(award, weight)| (Cents::dollars(award), weight)).collect();
    BTreeMap::from([
        (Cents::dollars(1), awards(&[(5, 600), (10, 200), (25, 120), (100, 74), (200, 6)])),
        (Cents::dollars(5), awards(&[(50, 800), (100, 120), (250, 60), (500, 20)])),
    ])
}

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
