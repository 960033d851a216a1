//! Computes the probability of each possible net win of a whole round, splits included.

use crate::joint::{SplitPair, net_book};
use exact::dealer_hands::several_hands;
use exact::game::Strategy;
use exact::given::Followed;
use exact::judge::{Judge, Measure};
use exact::nets::NetSums;
pub use exact::nets::{NetChance, RoundNets};
use exact::play::{AfterSplit, PlayChoice};
use exact::results::results;
use exact::round::{Solved, bets_made};
use exact::seen::seen_states;
use exact::solve::Solver;
use exact::table::{Attacked, Table};
use exact::threads::{each, threads};
use exact::turn::Action;
use exact::vocabulary::{RANKS, Rank, Upcard};
use rules::text::Form;
use rules::{Choices, HoleCard};

/// The greatest difference between computed net wins and the solver's own sums that still counts as agreement.
const SAME: f64 = 1e-9;

/// Returns the distribution of the player's net win in a round under the best play, in initial bets.
///
/// In multiple action, the net win covers all bets of the round. Returns `None` for Switch. Also returns `None` if
/// a pair may be split into more than two hands that together lose anything but one bet to a dealer's blackjack.
///
/// The strategy is composition-dependent, and split hands are played like unsplit ones. Rounds of up to three
/// hands are exact. Four hands are approximated from every three (`joint`), and three dealer hands in a round with
/// a split from every two.
pub fn round_nets(choices: &Choices) -> Option<RoundNets> {
    round_nets_by(choices, &Strategy::CompositionDependent)
}

/// Returns the distribution of the player's net win in a round under `strategy`, in initial bets.
///
/// Returns `None` in the same cases as [`round_nets`].
pub fn round_nets_by(choices: &Choices, strategy: &Strategy) -> Option<RoundNets> {
    let split = match (choices.text().form(), choices.hole_card) {
        (Form::TwoHands, _) => return None,
        (Form::OneHand, _) if choices.dealer_hands() > 1 => None,
        (Form::OneHand, HoleCard::Up) => solved_by::<55, _>(choices, strategy, all_nets),
        (Form::OneHand, _) => solved_by::<10, _>(choices, strategy, all_nets),
        (Form::OneAttack, _) => {
            solved_by::<10, _>(choices, strategy, |once, play| attacked_nets(choices, once, play))
        }
        (Form::TwoAttacks, _) => solved_by::<10, _>(choices, strategy, |solved, play| {
            let bets = bets_made(solved);
            split_nets(solved, |rank, u| match play {
                Some(play) => 1.0 + play.further_attacks(rank, u).iter().filter(|&&made| made).count() as f64,
                None => bets[rank][u],
            })
        }),
    };
    let known = split.and_then(|split| with_splits(choices, strategy, split));
    known.or_else(|| several_hands(choices, strategy, choices.dealer_hands()).map(|round| round.nets))
}

type OfTable<'s, 'j, 't, const U: usize> = Solved<'s, 'j, Table<'t>, f64, U>;

/// Solves the main game of a table for a strategy, and returns the result of `ask` for this solution.
///
/// `ask` also gets the chart that the strategy follows, or `None` if the strategy follows no chart.
fn solved_by<const U: usize, A>(
    choices: &Choices,
    strategy: &Strategy,
    ask: impl FnOnce(&OfTable<'_, '_, '_, U>, Option<&Followed<'_>>) -> A,
) -> A {
    let table = Table::new(choices, Attacked::No);
    let chart = strategy.chart(&table);
    let followed = chart.as_ref().map(|chart| Followed::new(&table, chart));
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, way(followed.as_ref()));
    ask(&solved, followed.as_ref())
}

fn way<'a>(followed: Option<&'a Followed<'_>>) -> PlayChoice<'a> {
    followed.map_or(PlayChoice::Best(AfterSplit::AsDealt), |play| PlayChoice::Given(play))
}

/// Returns the distribution of net wins over all rounds, given the net wins and probabilities of the rounds with a
/// split.
///
/// Returns `None` if the net wins of the splits do not add up to the solver's own sum.
fn with_splits(choices: &Choices, strategy: &Strategy, split: Vec<(f64, f64)>) -> Option<RoundNets> {
    let known = results(choices, strategy);
    let mut nets = NetSums::default();
    known.lines.iter().for_each(|line| nets.add(line.net(), line.hands, 0.0));
    split.iter().for_each(|&(net, chance)| nets.add(net, chance, chance));
    let split_net: f64 = split.iter().map(|(net, chance)| net * chance).sum();
    let same = (nets.probability() - 1.0).abs() < SAME && (split_net - known.split_net).abs() < SAME;
    same.then(|| nets.done())
}

/// Returns the net wins of all rounds with a split, each with its probability, for a game without attack bets.
fn all_nets<const U: usize>(
    solved: &OfTable<'_, '_, '_, U>,
    _: Option<&Followed<'_>>,
) -> Option<Vec<(f64, f64)>> {
    split_nets(solved, |_, _| 1.0)
}

/// Returns the net wins of all rounds with a split in Double Attack, each with its probability.
///
/// The bet is doubled against the upcards at which the player makes the attack bet.
fn attacked_nets(
    choices: &Choices,
    once: &OfTable<'_, '_, '_, 10>,
    play: Option<&Followed<'_>>,
) -> Option<Vec<(f64, f64)>> {
    let attacked = Table::new(choices, Attacked::Yes);
    let dealer = attacked.dealer::<f64, 10>();
    let solver = once.solver.judged_by(&attacked);
    let twice = Solved::by(&solver, &dealer, way(play));
    let values = [once.round(Measure::Net), twice.round(Measure::Net)];
    let attacks = |u: Upcard| play.map_or(values[1][u] > values[0][u], |play| play.attacks(u));
    let mut all = split_nets(once, |_, u| f64::from(u8::from(!attacks(u))))?;
    all.extend(split_nets(&twice, |_, u| f64::from(u8::from(attacks(u))))?);
    Some(all)
}

/// Returns the net wins of all rounds with a split, over all pairs and all visible cards, each with its
/// probability.
///
/// `bets` returns the factor by which the net wins of a pair against some visible cards are multiplied. Splits
/// with the factor zero are left out.
fn split_nets<const U: usize>(
    solved: &OfTable<'_, '_, '_, U>,
    bets: impl Fn(Rank, Upcard) -> f64,
) -> Option<Vec<(f64, f64)>> {
    let solver = solved.solver;
    let states = seen_states(solver.judge.seen());
    let mut splits = Vec::new();
    for deal in solver.deals() {
        let cards = &solver.hand(deal.hand).cards;
        let shown = solver.state_chances(cards, &states);
        for (u, state) in Upcard::all::<U>().zip(&states) {
            let chance = deal.chance * shown[u];
            if chance > 0.0 && solved.first[deal.hand as usize].action[u] == Action::Split {
                let bets = Rank::ALL.into_iter().find(|&r| cards[r] == 2).map_or(1.0, |rank| bets(rank, u));
                splits.extend((bets > 0.0).then_some(((chance, bets), deal.hand, (u, state))));
            }
        }
    }
    let book = net_book(solved);
    let of_split = |&(_, hand, seen): &(_, _, _)| SplitPair::new(solved, &book, hand, seen).nets();
    let mut all = Vec::new();
    for (((chance, bets), ..), nets) in splits.iter().zip(each(&splits, threads(), of_split)) {
        all.extend(nets?.into_iter().map(|(net, part)| (bets * net, chance * part)));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use exact::dealer_hands::variance;
    use exact::game::figures;
    use rules::preset::preset;

    /// Compares the nets of a round with the solver's figures, and returns the worst and the best net.
    fn compared(name: &str, sets: &[&str]) -> (f64, f64) {
        let mut choices = preset(name).unwrap();
        sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
        let found = round_nets(&choices).unwrap_or_else(|| panic!("{name} {sets:?}"));
        let exact = figures(&choices, &Strategy::CompositionDependent);
        let bets = choices.dealer_hands();
        let spread = match bets {
            1 => exact.variance,
            _ => variance(&choices, &Strategy::CompositionDependent, bets).unwrap(),
        };
        let ev = exact.ev * bets as f64;
        assert!((found.ev - ev).abs() < 1e-10, "{name} {sets:?}: {} {ev}", found.ev);
        let apart = (found.variance - spread).abs();
        assert!(apart < 1e-7, "{name} {sets:?}: {} {spread}", found.variance);
        assert!(found.nets.iter().all(|at| at.probability > 0.0 && at.split > -1e-15), "{found:?}");
        (found.nets.first().unwrap().net, found.nets.last().unwrap().net)
    }

    /// The variance that follows from the nets of a round is the solver's variance.
    ///
    /// The solver sums squares over every two hands, without the nets of a round.
    #[test]
    fn the_variance_follows_from_the_nets() {
        for (name, sets, most) in [
            ("nj-blackjack", &[][..], 8.0),
            ("nj-blackjack-reader", &["decks=2", "surrender=true", "soft_17=hit"], 8.0),
            ("nj-blackjack-reader", &["split_hands=2"], 4.0),
            ("nj-blackjack-face-up", &[], 4.0),
            ("nj-six-to-five", &[], 4.0),
        ] {
            assert_eq!(compared(name, sets), (-most, most), "{name} {sets:?}");
        }
    }

    /// The variance also follows from the nets in games whose attack bets multiply the nets.
    ///
    /// A hand may be surrendered after doubling, and some hands win against a blackjack.
    #[test]
    fn long_the_variance_follows_from_the_nets_of_attack_games() {
        for (name, sets) in [
            ("nj-double-attack", &[][..]),
            ("nj-double-attack", &["hole_card=reader", "decks=6"]),
            ("nj-triple-attack", &[]),
        ] {
            let (worst, best) = compared(name, sets);
            assert!(worst < -8.0 && best > 8.0, "{name} {sets:?}: {worst} {best}");
        }
    }

    /// The variance also follows from the nets in multiple action, where each bet is against its own dealer hand.
    #[test]
    fn the_variance_follows_from_the_nets_of_multiple_action() {
        assert_eq!(compared("nj-multiple-action", &[]), (-12.0, 12.0));
    }

    #[test]
    fn switch_has_no_nets_of_a_round() {
        assert_eq!(round_nets(&preset("nj-switch").unwrap()), None);
    }
}
