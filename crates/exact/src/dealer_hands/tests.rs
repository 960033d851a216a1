//! Compares rounds of several dealer hands with the solver's figures of one bet.

use super::*;
use crate::game::figures;
use rules::preset::preset;

/// A round of one bet is the game that the solver knows, and several bets have its expected value.
///
/// Busts that nobody sees count at the first dealer hand alone.
#[test]
fn long_one_bet_is_the_solvers_game() {
    for sets in [&[][..], &["decks=1", "soft_17=hit", "double_card=down"]] {
        let mut choices = preset("nj-multiple-action").unwrap();
        sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
        let by = Strategy::CompositionDependent;
        let exact = figures(&choices, &by);
        for bets in 1..=2 {
            let found = several_hands(&choices, &by, bets).unwrap();
            let all = bets as f64;
            let apart = (found.nets.ev - found.ev).abs().max((found.nets.variance - found.variance).abs());
            assert!(apart < 1e-9, "{sets:?} {bets}: {apart}");
            if sets.is_empty() || bets == 1 {
                assert!(
                    (found.ev - all * exact.ev).abs() < 1e-10,
                    "{sets:?} {bets}: {} {}",
                    found.ev,
                    exact.ev
                );
            }
            if sets.is_empty() && bets == 1 {
                assert!(
                    (found.variance - exact.variance).abs() < 1e-9,
                    "{} {}",
                    found.variance,
                    exact.variance
                );
            }
        }
    }
}

/// The bets of a round win and lose together more often than bets of different rounds.
///
/// They share the upcard and the player's hand.
#[test]
fn bets_win_and_lose_together() {
    let choices = preset("nj-multiple-action").unwrap();
    let of = |bets: usize| {
        variance(&choices, &Strategy::CompositionDependent, bets).unwrap() / (bets * bets) as f64
    };
    let [one, two, three] = [1, 2, 3].map(of);
    // every two bets have the same covariance
    let shared = 2.0 * two - one;
    assert!((three - (one + 2.0 * shared) / 3.0).abs() < 1e-9, "{one} {two} {three}");
    assert!(0.5 < shared && shared < 0.53, "{shared}");
}
