//! Computes the probabilities that a round advances a streak, loses it, or leaves it unchanged, under the best
//! play.
//!
//! The solver's values are sums over single hands, and do not state how two hands end *together*. Therefore the
//! module `joint` computes the rounds in which a pair is split.

use crate::joint::{SplitPair, books};
use crate::streak::Rounds;
use exact::cards::{Counts, Index};
use exact::judge::{Judge, Measure};
use exact::play::AfterSplit;
use exact::round::Solved;
use exact::seen::seen_states;
use exact::solve::{Solution, Solver};
use exact::table::{Attacked, Table};
use exact::threads::{each, threads};
use exact::turn;
use exact::vocabulary::{RANKS, Rank, Upcard};
use rules::text::Form;
use rules::wager::streak::{Record, effect};
use rules::{Action, Card, Choices, HoleCard};

/// The best action on a pair of sevens, for each set of the dealer's visible cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairOfSevens(Vec<(Counts, Action)>);

impl PairOfSevens {
    /// Returns the best action on a pair of sevens against the dealer's visible cards.
    ///
    /// Returns [`Action::Stand`] if these visible cards were not solved.
    pub fn against(&self, dealer: &[Card]) -> Action {
        let seen = exact::table::counts(dealer);
        let found = self.0.iter().find(|(cards, _)| *cards == seen);
        found.map_or(Action::Stand, |(_, action)| *action)
    }
}

/// Returns the probabilities that a round is won, lost, or neither under the best play, as streak bets count it.
///
/// Returns `None` for games without a streak bet: multiple action, and all games other than blackjack. The
/// strategy is composition-dependent, and split hands are played like unsplit ones.
pub fn rounds(choices: &Choices) -> Option<Rounds> {
    is_blackjack(choices).then(|| match choices.hole_card {
        HoleCard::Up => solved::<55, _>(choices, |solved| all_rounds(choices, solved)),
        HoleCard::None | HoleCard::Down | HoleCard::Reader => {
            solved::<10, _>(choices, |solved| all_rounds(choices, solved))
        }
    })
}

/// Returns the best action on a pair of sevens, for each set of the dealer's visible cards.
///
/// Returns `None` for games other than blackjack, and for multiple action, where the best action depends on more
/// than one dealer hand.
pub fn pair_of_sevens(choices: &Choices) -> Option<PairOfSevens> {
    is_blackjack(choices).then(|| {
        PairOfSevens(match choices.hole_card {
            HoleCard::Up => solved::<55, _>(choices, sevens),
            HoleCard::None | HoleCard::Down | HoleCard::Reader => solved::<10, _>(choices, sevens),
        })
    })
}

fn is_blackjack(choices: &Choices) -> bool {
    choices.text().form() == Form::OneHand && choices.dealer_hands() == 1
}

/// Solves the main game of a table, and returns the result of `ask` for the solution.
fn solved<const U: usize, A>(
    choices: &Choices,
    ask: impl FnOnce(&Solved<'_, '_, Table<'_>, f64, U>) -> A,
) -> A {
    let table = Table::new(choices, Attacked::No);
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    ask(&Solved::best(&solver, &dealer, AfterSplit::AsDealt))
}

fn sevens<const U: usize>(solved: &Solved<'_, '_, Table<'_>, f64, U>) -> Vec<(Counts, Action)> {
    let Some(pair) = solved.solver.hands.find(&exact::cards::pair_of(Rank::Seven)) else {
        return Vec::new();
    };
    let play = solved.first[pair as usize].action;
    let states = seen_states(solved.solver.judge.seen());
    states.into_iter().zip(play.map(word)).collect()
}

fn word(action: turn::Action) -> Action {
    match action {
        turn::Action::Stand => Action::Stand,
        turn::Action::Hit => Action::Hit,
        turn::Action::Double => Action::Double,
        turn::Action::Split => Action::Split,
        turn::Action::Surrender => Action::Surrender,
    }
}

/// Returns the probabilities that a round is won, lost, or neither, over all first two cards and visible dealer's
/// cards.
fn all_rounds<J: Judge + Sync, const U: usize>(
    choices: &Choices,
    solved: &Solved<'_, '_, J, f64, U>,
) -> Rounds {
    let solver = solved.solver;
    let states = seen_states(solver.judge.seen());
    let ends = [Measure::Won, Measure::Pushed].map(|measure| solver.follow(measure, &solved.base.choices));
    let mut sum = Rounds::NONE;
    let mut splits = Vec::new();
    for deal in solver.deals() {
        let shown = solver.state_chances(&solver.hand(deal.hand).cards, &states);
        for (u, state) in Upcard::all::<U>().zip(&states) {
            let chance = deal.chance * shown[u];
            if chance <= 0.0 {
                continue;
            }
            if solved.first[deal.hand as usize].action[u] == turn::Action::Split {
                splits.push((chance, deal.hand, (u, state)));
            } else {
                sum.add_all(chance, one_hand(choices, solved, (deal.hand, u), &ends));
            }
        }
    }
    let books = books(solved);
    let of_split = |&(_, hand, seen): &Split<'_>| {
        SplitPair::new(solved, &books, hand, seen).rounds(choices.rulings.streak_splits)
    };
    for (split, round) in splits.iter().zip(each(&splits, threads(), of_split)) {
        sum.add_all(split.0, round);
    }
    sum
}

/// A round with a split: its probability, the pair, and the dealer's visible cards with their index.
type Split<'a> = (f64, Index, (Upcard, &'a Counts));

/// Returns the probabilities that a round without a split is won, lost, or neither (2.22(d), (e), (g)).
fn one_hand<J: Judge, const U: usize>(
    choices: &Choices,
    solved: &Solved<'_, '_, J, f64, U>,
    (hand, u): (Index, Upcard),
    ends: &[Solution<f64, U>; 2],
) -> Rounds {
    let solver = solved.solver;
    let measures = [Measure::Won, Measure::Pushed];
    let even_money = solved.takes_even_money(hand, u);
    let [won, pushed] = std::array::from_fn(|n| {
        let played = ends[n].best[hand as usize][u]
            + solver.dealer_blackjack(hand)[u] * solver.settled_before(hand, measures[n]);
        match solver.even_money(hand, measures[n]) {
            Some(at_once) if even_money => at_once,
            _ => played,
        }
    });
    let chances = [(1, 0, 0, won), (0, 1, 0, 1.0 - won - pushed), (0, 0, 1, pushed)];
    let mut round = Rounds::NONE;
    for (won, lost, pushed, chance) in chances {
        round.add(effect(Record { won, lost, pushed }, choices.rulings.streak_splits), chance);
    }
    round
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::tests::{Random, is_won, sampled_round};
    use exact::cards::{lowest_and_highest, plus, points, size, two_cards};
    use exact::vocabulary::{ACE, TEN};
    use rules::preset::preset;
    use rules::ruling::StreakSplits;

    /// Whole rounds that are dealt card by card, surrender included, agree with the sums.
    #[test]
    fn sampled_rounds_agree() {
        const ROUNDS: u32 = 60_000;
        let mut choices = preset("nj-blackjack").unwrap();
        choices.surrender = rules::Offered::Yes;
        let (found, exact) = solved::<10, _>(&choices, |solved| {
            let mut random = Random(11);
            let mut found = Rounds::NONE;
            for _ in 0..ROUNDS {
                let mut shoe = solved.solver.shoe;
                let record = sampled(solved, &mut || random.card(&mut shoe));
                found.add(effect(record, StreakSplits::Compare), 1.0 / f64::from(ROUNDS));
            }
            (found, all_rounds(&choices, solved))
        });
        assert!((exact.won + exact.lost + exact.pushed - 1.0).abs() < 1e-12);
        for (found, exact) in [(found.won, exact.won), (found.lost, exact.lost), (found.pushed, exact.pushed)]
        {
            let sigma = (exact * (1.0 - exact) / f64::from(ROUNDS)).sqrt();
            assert!((found - exact).abs() < 4.0 * sigma, "{found} {exact}");
        }
    }

    fn sampled<J: Judge>(solved: &Solved<'_, '_, J, f64, 10>, card: &mut dyn FnMut() -> Rank) -> Record {
        let solver = solved.solver;
        let (mut hand, up) = (two_cards([card(), card()]), card());
        let u = Upcard::card(up);
        let index = |hand: &Counts| solver.hands.find(hand).unwrap() as usize;
        let mut action = solved.first[index(&hand)].action[u];
        if action == turn::Action::Split {
            let [rank, _] = lowest_and_highest(&hand).unwrap();
            let plan = solved.splits.plans.iter().find(|plan| plan.rank == rank).unwrap();
            let play = |hand: &Counts| {
                let at = plan.hands.iter().position(|&known| known as usize == index(hand));
                plan.plays[0][at.unwrap()].action[u]
            };
            return sampled_round((rank, usize::from(plan.most)), up, card, &play);
        }
        let natural = hand[ACE] == 1 && hand[TEN] == 1;
        while points(&hand).total < 22 {
            match action {
                turn::Action::Hit => hand = plus(hand, card()),
                turn::Action::Double => {
                    hand = plus(hand, card());
                    break;
                }
                _ => break,
            }
            if points(&hand).total < 22 {
                action = solved.base.choices[index(&hand)].action[u];
            }
        }
        let mut dealer = two_cards([up, card()]);
        while points(&dealer).total < 17 {
            dealer = plus(dealer, card());
        }
        let blackjack = size(&dealer) == 2 && points(&dealer).total == 21;
        let won = match (action, natural) {
            (turn::Action::Surrender, _) => Some(false),
            (_, true) => (!blackjack).then_some(true),
            _ => is_won(&hand, &dealer),
        };
        Record {
            won: u8::from(won == Some(true)),
            lost: u8::from(won == Some(false)),
            pushed: u8::from(won.is_none()),
        }
    }
}
