//! Every decision of a chart by totals, weighed: what a play is worth beside the best other, how often it is asked for,
//! and which cards are then in sight. Asked of many shoes this tells at which count a play changes.

use crate::cards::{Counts, pair_of};
use crate::hands::{Hand, Suits};
use crate::judge::Judge;
use crate::play::{AfterSplit, Way};
use crate::round::Solved;
use crate::seen::{Row, Seen, seen_states};
use crate::solve::Solver;
use crate::table::Table;
use crate::total::{often, weights};
use crate::turn::{Action, Turn};
use crate::vocabulary::{RANKS, Up, by_rank};
use program::Chart;
use program::chart::{Kind, RowKey};
use program::view::views;
use std::collections::BTreeMap;

/// One decision: a play against the best other, for the hands of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The row of the chart.
    pub row: RowKey,
    /// The dealer's visible cards.
    pub column: String,
    /// The play: to stand rather than draw, to double, to split, to surrender.
    pub play: Action,
    /// The best of the others.
    pub otherwise: Action,
    /// What the play is worth more than the best of the others.
    pub gain: f64,
    /// In which part of all rounds the decision is asked for, under the chart.
    pub chance: f64,
    /// How many cards of each value are then in sight on average, the dealer's among them.
    pub seen: [f64; RANKS],
}

/// All decisions at a table, from whatever shoe it is dealt; hands come about as the chart plays them.
pub fn decisions(table: &Table<'_>, chart: &Chart) -> Vec<Decision> {
    match table.seen() {
        Seen::UpCard => of_states::<RANKS>(table, chart),
        _ => of_states::<55>(table, chart),
    }
}

/// What is added up over the hands of a row.
#[derive(Clone, Default)]
struct Sum {
    weight: f64,
    play: f64,
    others: BTreeMap<Action, f64>,
    seen: [f64; RANKS],
}

impl Sum {
    fn add(&mut self, weight: f64, play: f64, others: &[(Action, f64)], cards: &Counts) {
        self.weight += weight;
        self.play += weight * play;
        others.iter().for_each(|(action, value)| *self.others.entry(*action).or_default() += weight * value);
        for (sum, &n) in self.seen.iter_mut().zip(cards) {
            *sum += weight * f64::from(n);
        }
    }
}

fn of_states<const U: usize>(table: &Table<'_>, chart: &Chart) -> Vec<Decision> {
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, Way::Best(AfterSplit::AsDealt));
    let drawn: Vec<Row<f64, U>> = solver.hands.list.iter().map(|hand| weights(&solver, hand)).collect();
    let often = often(&solver, chart, &drawn);
    let columns: Vec<String> = views(table.choices()).iter().map(|view| view.label()).collect();
    let states = seen_states(table.seen());
    let mut sums: BTreeMap<(RowKey, Up, Action), Sum> = BTreeMap::new();
    for (i, hand) in solver.hands.list.iter().enumerate().filter(|(_, hand)| hand.size > 1) {
        let Some(turn) = &solved.base.turns[i] else { continue };
        let row = (if hand.points.soft { Kind::Soft } else { Kind::Hard }, hand.points.total);
        for (u, state) in Up::all::<U>().zip(&states) {
            let weight = often.single[i][u];
            let cards = in_sight(hand, state);
            for (play, others) in open(turn, u) {
                let sum = sums.entry((row, u, play)).or_default();
                sum.add(weight, *turn.value(play, u), &others, &cards);
            }
        }
    }
    for (rank, values) in &solved.split_values {
        let Some(i) = solver.hands.find(&pair_of(*rank)) else { continue };
        let (hand, at) = (solver.hand(i), i as usize);
        let Some(turn) = solved.base.turns[at].as_ref().filter(|_| hand.suits == Suits::Any) else {
            continue;
        };
        for u in Up::all::<U>() {
            // a pair is dealt or not, whatever the chart makes of it
            let (weight, row) = (drawn[at][u], (Kind::Pairs, rank.count()));
            let sum = sums.entry((row, u, Action::Split)).or_default();
            sum.add(weight, values[u], &unsplit(turn, u), &in_sight(hand, &states[u]));
        }
    }
    let told = sums.into_iter().filter(|(_, sum)| sum.weight > 1e-12).filter_map(|((row, u, play), sum)| {
        let best = sum.others.iter().max_by(|a, b| a.1.total_cmp(b.1))?;
        Some(Decision {
            row,
            column: columns.get(u.index())?.clone(),
            play,
            otherwise: *best.0,
            gain: (sum.play - best.1) / sum.weight,
            chance: sum.weight,
            seen: sum.seen.map(|n| n / sum.weight),
        })
    });
    told.collect()
}

fn in_sight(hand: &Hand, dealer: &Counts) -> Counts {
    by_rank(|r| hand.cards[r] + dealer[r])
}

/// The plays that a hand leaves open, each with the others; standing is weighed against drawing alone.
fn open<const U: usize>(turn: &Turn<f64, U>, u: Up) -> Vec<(Action, Vec<(Action, f64)>)> {
    let mut all = Vec::new();
    let plain = || {
        let hit = turn.may.hit.then_some((Action::Hit, turn.hit[u]));
        std::iter::once((Action::Stand, turn.stand[u])).chain(hit).collect::<Vec<_>>()
    };
    if turn.may.hit {
        all.push((Action::Stand, vec![(Action::Hit, turn.hit[u])]));
    }
    if turn.may.double {
        all.push((Action::Double, plain()));
    }
    if turn.may.surrender {
        let mut others = plain();
        if turn.may.double {
            others.push((Action::Double, turn.double[u]));
        }
        all.push((Action::Surrender, others));
    }
    all
}

fn unsplit<const U: usize>(turn: &Turn<f64, U>, u: Up) -> Vec<(Action, f64)> {
    let mut others = vec![(Action::Stand, turn.stand[u])];
    for (allowed, action) in [
        (turn.may.hit, Action::Hit),
        (turn.may.double, Action::Double),
        (turn.may.surrender, Action::Surrender),
    ] {
        if allowed {
            others.push((action, *turn.value(action, u)));
        }
    }
    others
}
