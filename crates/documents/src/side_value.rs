//! Prices side bets for the cards left in a shoe, of which only the values are known.
//!
//! Bets on suits and ranks need more than the values of the cards left. Which cards of a value are gone is drawn at
//! random: every choice of cards is equally likely, so the mean over many compositions is right.

use exact::cards::Shoe;
use exact::vocabulary::Rank;
use rules::{Card, Choices};
use side::{Dealt, Shoe as Cards, SideReport, side_wagers_from};
use sim::rng::shoe_seed;

/// Returns a table that offers only the side bets whose odds follow from the cards left in the shoe.
///
/// `wager` is the only side bet to keep, as [`SideReport::label`] names it, or `None` to keep them all. Streak bets are
/// always left out.
pub fn with_bets(choices: &Choices, wager: Option<&str>) -> Choices {
    let mut choices = choices.clone();
    let is_named = |name: &str, wager: &str| wager == name || wager.starts_with(&format!("{name} of "));
    choices.side_wagers.retain(|offered, _| {
        offered.bets().all(|bet| bet.streak().is_none())
            && wager.is_none_or(|wager| offered.bets().any(|bet| is_named(bet.name(), wager)))
    });
    choices
}

/// Returns the odds of a table's side bets for a round that is dealt from the cards left.
///
/// `left` has the number of cards left of each value. The same `seed` always gives the same suits and ranks.
pub fn priced(choices: &Choices, left: &Shoe, seed: u64) -> Vec<SideReport> {
    side_wagers_from(&Dealt::from(choices, with_suits(choices, left, seed)))
}

/// Returns cards of the given values, with suits and ranks drawn at random from the full shoe.
fn with_suits(choices: &Choices, left: &Shoe, seed: u64) -> Cards {
    let mut kinds: Vec<(Card, u16)> =
        Cards::fresh(choices).counts().map(|(card, n)| (card, n as u16)).collect();
    let mut drawn = 0;
    for rank in Rank::ALL {
        let of_value = |card: Card| Rank::of(card) == rank;
        let mut cards: u16 = kinds.iter().filter(|(card, _)| of_value(*card)).map(|(_, n)| n).sum();
        while cards > left[rank] {
            drawn += 1;
            let mut at = (shoe_seed(seed, 0, drawn) % u64::from(cards)) as u16;
            for (_, n) in kinds.iter_mut().filter(|(card, _)| of_value(*card)) {
                if at < *n {
                    *n -= 1;
                    break;
                }
                at -= *n;
            }
            cards -= 1;
        }
    }
    Cards::of(kinds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::preset::preset;

    fn table(wagers: &[&str]) -> Choices {
        let mut choices = Choices { decks: 1, ..preset("nj-blackjack").unwrap() };
        wagers.iter().for_each(|wager| rules::file::set(&mut choices, wager).unwrap());
        choices
    }

    /// Every card of a value is gone equally often, and no more cards than the values say.
    #[test]
    fn suits_are_drawn_evenly() {
        let choices = table(&[]);
        let left: Shoe = [2, 4, 4, 4, 4, 4, 4, 4, 4, 10];
        let mut gone = [0_u32; 52];
        for seed in 0..4000 {
            let cards = with_suits(&choices, &left, seed);
            assert_eq!(cards.left(), 44);
            (0..52)
                .filter_map(Card::from_index)
                .for_each(|card| gone[usize::from(card.index())] += 1 - cards.count(card));
        }
        for card in (0..52).filter_map(Card::from_index) {
            let chance = match card.value() {
                1 => 0.5,
                10 => 6.0 / 16.0,
                _ => 0.0,
            };
            let apart = f64::from(gone[usize::from(card.index())]) / 4000.0 - chance;
            assert!(apart.abs() < 0.035, "{card}: {apart}");
        }
    }

    /// A bet on suits has its value for the full shoe, and on average the value with one card of a value gone.
    #[test]
    fn bets_on_suits_are_priced_by_values() {
        let choices = with_bets(
            &table(&["side_wagers.same-suit=true", "side_wagers.over-under-13=true"]),
            Some("same-suit"),
        );
        let full: Shoe = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16];
        let fresh = priced(&choices, &full, 1);
        assert_eq!(fresh.len(), 1);
        assert_eq!(fresh[0].house_edge, side::side_wagers(&choices)[0].house_edge);
        let mut less = full;
        less[9] -= 1;
        let values: Vec<f64> = (0..300).map(|seed| -priced(&choices, &less, seed)[0].house_edge).collect();
        let mean = values.iter().sum::<f64>() / 300.0;
        let error = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 299.0 / 300.0).sqrt();
        let effect = side::removal::side_removal(&choices)[0].1[9].unwrap();
        let apart = mean + fresh[0].house_edge - effect;
        assert!(apart.abs() < 4.0 * error && error < 0.002, "{mean} {effect} {error}");
    }
}
