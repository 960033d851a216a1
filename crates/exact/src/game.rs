//! The games whole: from a table's choices to the value of a round, its spread and its frequencies.

use crate::cards::{RANKS, shoe_size};
use crate::chart::Chart;
use crate::dealer::{DealerTree, Seen, seen_states};
use crate::judge::{Judge, Measure};
use crate::num::{Real, inverse};
use crate::round::Solved;
use crate::solve::Solver;
use crate::split::AfterSplit;
use crate::switch::Switch;
use crate::table::{Attacked, Table};
use crate::turn::Row;
use rules::{Choices, Game};

/// Which play is valued.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Strategy {
    /// The best action for the exact cards of the hand; split hands are played as if they had been dealt (CDZ-).
    #[default]
    CompositionDependent,
    /// The same, but split hands are played best for one split, whatever follows (CDP1).
    AfterFirstSplit,
    /// The same, but split hands are played best for the number of pair cards seen (CDP).
    AfterPairsSeen,
    /// The best action for the total and softness of the hand alone.
    TotalDependent,
    /// A given chart.
    Given(Box<Chart>),
}

impl Strategy {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::CompositionDependent => "composition-dependent",
            Strategy::AfterFirstSplit => "composition-dependent, best after the first split",
            Strategy::AfterPairsSeen => "composition-dependent, best for the pair cards seen",
            Strategy::TotalDependent => "total-dependent",
            Strategy::Given(_) => "given",
        }
    }

    pub(crate) fn after_split(&self) -> AfterSplit {
        match self {
            Strategy::AfterFirstSplit => AfterSplit::FirstSplit,
            Strategy::AfterPairsSeen => AfterSplit::PairsSeen,
            _ => AfterSplit::AsDealt,
        }
    }
}

/// What a round comes to, in units of one initial required wager.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Expected net.
    pub ev: f64,
    /// Variance of the net.
    pub variance: f64,
    /// Expected amount staked.
    pub staked: f64,
    /// Hands of a round: how many are expected to end in each way.
    pub outcomes: Vec<(&'static str, f64)>,
    /// Shares of rounds in which an option of the game is taken.
    pub shares: Vec<(&'static str, f64)>,
}

/// The expected net of a round alone, in units of the initial required wagers.
pub fn value(choices: &Choices, strategy: &Strategy) -> f64 {
    value_in::<f64>(choices, strategy)
}

/// The same in any arithmetic.
pub fn value_in<R: Real>(choices: &Choices, strategy: &Strategy) -> R {
    let table = Table::new(choices, Attacked::No);
    match (choices.game, table.seen()) {
        (Game::Switch, _) => {
            let switch = Switch::new(&table, &table.dealer::<R, RANKS>(), &table.shoe(), threads());
            switch.value().0 / R::int(2)
        }
        (Game::Blackjack, Seen::BothCards) => {
            let dealer = table.dealer::<R, 55>();
            let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
            sum(&solve(&solver, &dealer, strategy).round(Measure::Net))
        }
        (Game::Blackjack, Seen::UpCard) => {
            let dealer = table.dealer::<R, RANKS>();
            let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
            sum(&solve(&solver, &dealer, strategy).round(Measure::Net))
        }
        (Game::DoubleAttack, _) => double_attack(&table, strategy, &[Measure::Net]).0.remove(0),
        (Game::TripleAttack, _) => triple_attack(&table, strategy, &[Measure::Net]).0.remove(0),
    }
}

/// How many threads a whole game is solved on.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(8)
}

/// The play of a strategy on one shoe.
pub(crate) fn solve<'s, 'j, J: Judge, R: Real, const U: usize>(
    solver: &'s Solver<'j, J, R, U>,
    dealer: &DealerTree<R, U>,
    strategy: &Strategy,
) -> Solved<'s, 'j, J, R, U> {
    match strategy {
        Strategy::TotalDependent => Chart::total_dependent(solver).solve(solver, dealer),
        Strategy::Given(chart) => chart.solve(solver, dealer),
        _ => Solved::best(solver, dealer, strategy.after_split()),
    }
}

pub(crate) fn sum<R: Real, const U: usize>(row: &Row<R, U>) -> R {
    row.iter().fold(R::zero(), |sum, x| sum + x.clone())
}

const MEASURES: [Measure; 8] = [
    Measure::Net,
    Measure::Staked,
    Measure::Squared,
    Measure::Won,
    Measure::Pushed,
    Measure::Lost,
    Measure::Busted,
    Measure::Surrendered,
];

/// All figures of a table.
pub fn figures(choices: &Choices, strategy: &Strategy) -> Figures {
    let table = Table::new(choices, Attacked::No);
    match (choices.game, table.seen()) {
        (Game::Switch, _) => crate::spread::switch(&table),
        (Game::Blackjack, Seen::BothCards) => one_hand::<55>(&table, strategy),
        (Game::Blackjack, Seen::UpCard) => one_hand::<RANKS>(&table, strategy),
        (Game::DoubleAttack, _) => {
            let (values, attacked, together) = double_attack(&table, strategy, &MEASURES);
            of_measures(&values, together, vec![("attacked", attacked)])
        }
        (Game::TripleAttack, _) => {
            let (values, shares, together) = triple_attack(&table, strategy, &MEASURES);
            of_measures(&values, together, shares)
        }
    }
}

fn one_hand<const U: usize>(table: &Table<'_>, strategy: &Strategy) -> Figures {
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = solve(&solver, &dealer, strategy);
    let values: Vec<f64> = MEASURES.iter().map(|&m| sum(&solved.round(m))).collect();
    let together = crate::spread::split_hands_together(&solved).iter().sum();
    of_measures(&values, together, vec![("split", solved.split_share())])
}

/// `together` is what the hands of a split add to the square by ending together.
pub(crate) fn of_measures(values: &[f64], together: f64, shares: Vec<(&'static str, f64)>) -> Figures {
    let [ev, staked, squared, won, pushed, lost, busted, surrendered] = values else {
        return Figures::default();
    };
    Figures {
        ev: *ev,
        variance: squared + together - ev * ev,
        staked: *staked,
        outcomes: vec![
            ("won", *won),
            ("pushed", *pushed),
            ("lost", *lost),
            ("busted", *busted),
            ("surrendered", *surrendered),
        ],
        shares,
    }
}

/// Double Attack: with the up card in sight the player puts up as much again, or does not (26.7(d)).
fn double_attack<R: Real>(
    table: &Table<'_>,
    strategy: &Strategy,
    measures: &[Measure],
) -> (Vec<R>, f64, f64) {
    let attacked = Table::new(table.choices(), Attacked::Yes);
    let dealer = table.dealer::<R, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = solve(&solver, &dealer, strategy);
    let doubled = solver.judged_by(&attacked);
    let again = match strategy {
        Strategy::TotalDependent | Strategy::Given(_) => None,
        _ => solved.again(&doubled),
    };
    let again = again.unwrap_or_else(|| solve(&doubled, &dealer, strategy));
    let (once, twice) = (solved.round(Measure::Net), again.round(Measure::Net));
    let attacks: [bool; RANKS] = std::array::from_fn(|u| twice[u] > once[u]);
    let pick = |once: &Row<R, RANKS>, twice: &Row<R, RANKS>| {
        (0..RANKS).fold(R::zero(), |sum, u| sum + if attacks[u] { twice[u].clone() } else { once[u].clone() })
    };
    let values = measures
        .iter()
        .map(|&m| match m {
            Measure::Net => pick(&once, &twice),
            _ => pick(&solved.round(m), &again.round(m)),
        })
        .collect();
    let shoe = table.shoe();
    let attacking: i64 = (0..RANKS).filter(|&u| attacks[u]).map(|u| i64::from(shoe[u])).sum();
    let together = if measures.len() > 1 {
        let (once, twice) =
            (crate::spread::split_hands_together(&solved), crate::spread::split_hands_together(&again));
        (0..RANKS).map(|u| if attacks[u] { twice[u] } else { once[u] }).sum()
    } else {
        0.0
    };
    (values, attacking as f64 / shoe_size(&shoe) as f64, together)
}

/// The values of one wager in Triple Attack by the player's first card and the up card, chances included.
pub(crate) fn by_first_card<J: Judge, R: Real>(
    solved: &Solved<'_, '_, J, R, RANKS>,
    rounds: &[(u32, Row<R, RANKS>)],
) -> [Row<R, RANKS>; RANKS] {
    let mut out: [Row<R, RANKS>; RANKS] = std::array::from_fn(|_| std::array::from_fn(|_| R::zero()));
    for (hand, values) in rounds {
        let cards = &solved.solver.hand(*hand).cards;
        for first in 0..RANKS {
            // Two different cards are as likely in either order.
            let part = R::ratio(i64::from(cards[first]), 2);
            for u in 0..RANKS {
                out[first][u] = out[first][u].clone() + part.clone() * values[u].clone();
            }
        }
    }
    out
}

type Shares = Vec<(&'static str, f64)>;

/// Triple Attack: as much again on the own first card, and once more with the up card in sight (36.7(d.2), (e)).
///
/// All attack wagers stand and fall together, so each is placed where one wager has a positive value.
fn triple_attack<R: Real>(
    table: &Table<'_>,
    strategy: &Strategy,
    measures: &[Measure],
) -> (Vec<R>, Shares, f64) {
    let dealer = table.dealer::<R, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = solve(&solver, &dealer, strategy);
    let net = by_first_card(&solved, &solved.rounds(Measure::Net));
    let wagers: [[i64; RANKS]; RANKS] = std::array::from_fn(|first| {
        let second = sum(&net[first]) > R::zero();
        std::array::from_fn(|u| 1 + i64::from(second) + i64::from(net[first][u] > R::zero()))
    });
    let weigh = |m: Measure, rows: &[Row<R, RANKS>; RANKS]| {
        let mut total = R::zero();
        for first in 0..RANKS {
            for u in 0..RANKS {
                let n = wagers[first][u];
                let scale = match m {
                    Measure::Net | Measure::Staked => n,
                    Measure::Squared => n * n,
                    _ => 1,
                };
                total = total + R::int(scale) * rows[first][u].clone();
            }
        }
        total
    };
    let values = measures
        .iter()
        .map(|&m| match m {
            Measure::Net => weigh(m, &net),
            _ => weigh(m, &by_first_card(&solved, &solved.rounds(m))),
        })
        .collect();
    let shoe = table.shoe();
    let cards = shoe_size(&shoe);
    let per: f64 = inverse::<f64>(cards) * inverse::<f64>(cards - 1);
    let (mut seconds, mut thirds) = (0.0, 0.0);
    for first in 0..RANKS {
        let second = sum(&net[first]) > R::zero();
        for u in 0..RANKS {
            let left = i64::from(shoe[u]) - i64::from(first == u);
            let chance = (i64::from(shoe[first]) * left) as f64 * per;
            seconds += if second { chance } else { 0.0 };
            thirds += if net[first][u] > R::zero() { chance } else { 0.0 };
        }
    }
    let together = if measures.len() > 1 {
        let split = crate::spread::pairs_together(&solved);
        split.iter().map(|&(rank, u, x)| (wagers[rank][u] * wagers[rank][u]) as f64 * x).sum()
    } else {
        0.0
    };
    (values, vec![("second attack", seconds), ("third attack", thirds)], together)
}

/// The visible states of a table, for labels.
pub fn states(table: &Table<'_>) -> Vec<crate::cards::Counts> {
    seen_states(table.seen())
}
