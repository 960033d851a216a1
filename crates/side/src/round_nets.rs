//! The net result of a whole round of blackjack: how likely each is, splits included.

use crate::rounds::{is_blackjack, solved};
use crate::together::{SplitPair, net_book};
use exact::game::Strategy;
use exact::judge::{Blackjack, Judge};
use exact::results::results;
use exact::round::Solved;
use exact::seen::seen_states;
use exact::table::Table;
use exact::threads::{each_in_turn, threads};
use exact::turn::Action;
use exact::vocabulary::Upcard;
use rules::{Choices, HoleCard};
use std::collections::BTreeMap;

/// The net results of a round under the best play, in units of the bet.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundNets {
    /// Each net with its probability, the worst first, and the part of it from rounds in which a pair is split.
    pub nets: Vec<NetChance>,
    /// The expected net, summed over the nets.
    pub ev: f64,
    /// The variance, summed over the nets.
    pub variance: f64,
}

/// One net result of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetChance {
    /// The net in units of the bet.
    pub net: f64,
    /// Its probability.
    pub probability: f64,
    /// The probability of this net in a round in which a pair is split.
    pub split: f64,
}

/// Nets are told apart in these parts of a bet.
const PARTS: f64 = 60_000.0;
/// How far the nets may be from the solver's own sum of them.
const SAME: f64 = 1e-9;

/// Computes how likely each net result of a round is. Returns `None` for other games, for several dealer hands, and
/// where hands of a split answer for a dealer's blackjack in another way than by one bet together.
///
/// The play is composition-dependent, and split hands are played like unsplit ones. Rounds of up to three hands are exact;
/// four hands are approximated from every three (`together`).
pub fn round_nets(choices: &Choices) -> Option<RoundNets> {
    if !is_blackjack(choices) {
        return None;
    }
    let known = results(choices, &Strategy::CompositionDependent);
    let split = match choices.hole_card {
        HoleCard::Up => solved::<55, _>(choices, split_nets),
        HoleCard::None | HoleCard::Down | HoleCard::Reader => solved::<10, _>(choices, split_nets),
    }?;
    let mut nets: BTreeMap<i64, NetChance> = BTreeMap::new();
    let mut add = |net: f64, chance: f64, split: f64| {
        let at = nets.entry((net * PARTS).round() as i64).or_insert(NetChance {
            net,
            probability: 0.0,
            split: 0.0,
        });
        at.probability += chance;
        at.split += split;
    };
    known.lines.iter().for_each(|line| add(line.net(), line.hands, 0.0));
    split.iter().for_each(|(net, chance)| add(f64::from(*net), *chance, *chance));
    let nets: Vec<NetChance> = nets.into_values().filter(|at| at.probability > 0.0).collect();
    let sum = |of: &dyn Fn(&NetChance) -> f64| nets.iter().map(of).sum::<f64>();
    let ev = sum(&|at| at.probability * at.net);
    let variance = sum(&|at| at.probability * at.net * at.net) - ev * ev;
    let split_net: f64 = split.iter().map(|(net, chance)| f64::from(*net) * chance).sum();
    // hands that answer for the blackjack by themselves would show here
    let same = (sum(&|at| at.probability) - 1.0).abs() < SAME && (split_net - known.split_net).abs() < SAME;
    same.then_some(RoundNets { nets, ev, variance })
}

/// Sums the nets of all splits: over all pairs and all visible states of the dealer.
fn split_nets<const U: usize>(solved: &Solved<'_, '_, Table<'_>, f64, U>) -> Option<BTreeMap<i32, f64>> {
    let solver = solved.solver;
    let states = seen_states(solver.judge.seen());
    let mut splits = Vec::new();
    for deal in solver.deals() {
        let shown = solver.state_chances(&solver.hand(deal.hand).cards, &states);
        for (u, state) in Upcard::all::<U>().zip(&states) {
            let chance = deal.chance * shown[u];
            if chance > 0.0 && solved.first[deal.hand as usize].action[u] == Action::Split {
                splits.push((chance, deal.hand, (u, state)));
            }
        }
    }
    let book = net_book(solved);
    let of_split = |&(_, hand, seen): &(f64, _, _)| SplitPair::new(solved, &book, hand, seen).nets();
    let mut all: BTreeMap<i32, f64> = BTreeMap::new();
    for ((chance, hand, (u, _)), nets) in splits.iter().zip(each_in_turn(&splits, threads(), of_split)) {
        nets?.iter().for_each(|(net, part)| *all.entry(*net).or_insert(0.0) += chance * part);
        // all hands together lose one bet to a blackjack that is found last
        if solver.judge.blackjack() == Blackjack::AfterPlay {
            *all.entry(-1).or_insert(0.0) += chance * solver.dealer_blackjack(*hand)[*u];
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use exact::game::figures;
    use rules::preset::preset;

    /// The solver sums squares over every two hands, and knows nothing of the nets of a round: its variance is the one that
    /// follows from them.
    #[test]
    fn the_variance_follows_from_the_nets() {
        for (name, sets) in [
            ("nj-blackjack", &[][..]),
            ("nj-blackjack-reader", &["decks=2", "surrender=true", "soft_17=hit"]),
            ("nj-blackjack-reader", &["split_hands=2"]),
            ("nj-blackjack-face-up", &[]),
        ] {
            let mut choices = preset(name).unwrap();
            sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
            let found = round_nets(&choices).unwrap_or_else(|| panic!("{name} {sets:?}"));
            let exact = figures(&choices, &Strategy::CompositionDependent);
            assert!((found.ev - exact.ev).abs() < 1e-10, "{name} {sets:?}: {} {}", found.ev, exact.ev);
            let apart = (found.variance - exact.variance).abs();
            assert!(apart < 1e-7, "{name} {sets:?}: {} {}", found.variance, exact.variance);
            assert!(found.nets.iter().all(|at| at.probability > 0.0 && at.split > -1e-15), "{found:?}");
            let most = if choices.split_hands == 2 { 4.0 } else { 8.0 };
            let ends = (found.nets.first().unwrap().net, found.nets.last().unwrap().net);
            let doubles = if choices.double_after_split.is_yes() { most } else { most / 2.0 };
            assert_eq!(ends, (-doubles, doubles), "{name} {sets:?}");
        }
    }

    #[test]
    fn other_games_have_no_nets_of_a_round() {
        for name in ["nj-switch", "nj-double-attack", "nj-triple-attack", "nj-multiple-action"] {
            assert_eq!(round_nets(&preset(name).unwrap()), None, "{name}");
        }
    }
}
