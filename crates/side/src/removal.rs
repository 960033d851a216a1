//! Computes the effects of removal on side bets and insurance.
//!
//! An effect of removal is the change in the player's EV when one card of a value leaves the full shoe. All cards
//! of the value are equally likely to leave, so the effect is the mean over suits and ranks.

use crate::all::side_wagers_from;
use crate::dealt::Dealt;
use crate::insurance::insurance_from;
use crate::shoe::Shoe;
use exact::threads::{each, threads};
use rules::{Card, Choices};

/// The effects of removing one card of each value from the full shoe, aces first and ten-value cards last.
///
/// An effect is `None` if the deck has no card of the value.
pub type Effects = [Option<f64>; 10];

/// Returns the name of each side bet with the effects of removal on its EV, per unit bet.
///
/// Leaves out streak bets, because their later rounds are dealt from other cards.
pub fn side_removal(choices: &Choices) -> Vec<(String, Effects)> {
    let mut priced = choices.clone();
    priced.side_wagers.retain(|wager, _| wager.bets().all(|bet| bet.streak().is_none()));
    let edges = |shoe: Shoe| -> Vec<(String, f64)> {
        let reports = side_wagers_from(&Dealt::from(&priced, shoe));
        reports.iter().map(|report| (report.label(), -report.house_edge)).collect()
    };
    let whole = edges(Shoe::fresh(choices));
    if whole.is_empty() {
        return Vec::new();
    }
    let found = without_each(choices, &edges);
    let mut all: Vec<(String, Effects)> = Vec::new();
    for (at, (name, before)) in whole.into_iter().enumerate() {
        let after = |found: &Vec<(String, f64)>| found.get(at).map(|(_, value)| *value);
        all.push((name, means(&found, after).map(|mean| mean.map(|mean| mean - before))));
    }
    all
}

/// Returns the effects of removal on the EV of insurance against an ace, per unit of the insurance bet.
///
/// Returns `None` if the table has no insurance.
pub fn insurance_removal(choices: &Choices) -> Option<Effects> {
    let value = |shoe: Shoe| insurance_from(&Dealt::from(choices, shoe)).map(|found| -found.house_edge);
    let before = value(Shoe::fresh(choices))?;
    let found = without_each(choices, &value);
    Some(means(&found, |value| *value).map(|mean| mean.map(|mean| mean - before)))
}

/// Calls `find` with the full shoe less one card, for each card of a deck in the order of the deck.
fn without_each<T: Send>(choices: &Choices, find: &(impl Fn(Shoe) -> T + Sync)) -> Vec<(Card, T)> {
    let (fresh, mut cards) = (Shoe::fresh(choices), choices.deck().cards().collect::<Vec<Card>>());
    cards.sort_by_key(|card| card.index());
    let without = |&card: &Card| fresh.without(&[card]).map(|shoe| (card, find(shoe)));
    each(&cards, threads(), without).into_iter().flatten().collect()
}

/// Returns the mean of `value` over the removed cards of each card value.
///
/// The mean is `None` for a card value without cards.
fn means<T>(found: &[(Card, T)], value: impl Fn(&T) -> Option<f64>) -> Effects {
    std::array::from_fn(|r| {
        let of_value = found.iter().filter(|(card, _)| usize::from(card.value()) == r + 1);
        let values: Vec<f64> = of_value.filter_map(|(_, found)| value(found)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::preset::preset;

    /// The effects on insurance agree with counting cards, where a ten-value card pays 2 to 1.
    #[test]
    fn insurance_by_counting_cards() {
        let choices = Choices { decks: 6, ..preset("nj-blackjack").unwrap() };
        let effects = insurance_removal(&choices).unwrap();
        let value = |tens: f64, cards: f64| 3.0 * tens / cards - 1.0;
        let whole = value(96.0, 311.0);
        for (r, effect) in effects.iter().enumerate() {
            let expected = value(if r == 9 { 95.0 } else { 96.0 }, 310.0) - whole;
            assert!((effect.unwrap() - expected).abs() < 1e-15, "{r}: {effect:?} {expected}");
        }
    }

    /// The effects on over and under 13 agree with counting the first two cards of one deck.
    ///
    /// One card is removed from the deck, and the ace counts as one.
    #[test]
    fn over_and_under_13_by_counting_two_cards() {
        let mut choices = Choices { decks: 1, ..preset("nj-blackjack").unwrap() };
        rules::file::set(&mut choices, "side_wagers.over-under-13=true").unwrap();
        let value = |counts: [i64; 10], over: bool| {
            let (mut won, mut all) = (0, 0);
            for a in 0..10 {
                for b in 0..10 {
                    let ways = counts[a] * (counts[b] - i64::from(a == b));
                    let total = a + b + 2;
                    all += ways;
                    won += if (over && total > 13) || (!over && total < 13) { ways } else { 0 };
                }
            }
            (2 * won - all) as f64 / all as f64
        };
        let full = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16];
        for (name, effects) in side_removal(&choices) {
            let over = name == "over-13";
            for r in 0..10 {
                let mut counts = full;
                counts[r] -= 1;
                let expected = value(counts, over) - value(full, over);
                assert!(
                    (effects[r].unwrap() - expected).abs() < 1e-14,
                    "{name} {r}: {:?} {expected}",
                    effects[r]
                );
            }
        }
    }
}
