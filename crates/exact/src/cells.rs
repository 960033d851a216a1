//! The value of each action in every cell of a chart, summed over the hands that reach the cell.
//!
//! Computed for many shoes, these values show the count at which the best action in a cell changes, and how much
//! the change adds to a round.

use crate::cards::{Counts, Index, pair_of};
use crate::given::Followed;
use crate::hands::{Hand, Suits};
use crate::judge::{Judge, Measure, Origin};
use crate::play::{AfterSplit, Play, PlayChoice};
use crate::round::Solved;
use crate::seen::{Row, Seen, seen_states};
use crate::solve::Solver;
use crate::spread::if_split;
use crate::table::Table;
use crate::total::{often, weights};
use crate::turn::{Action, Turn};
use crate::vocabulary::{RANKS, Rank, Upcard, by_rank};
use program::Chart;
use program::chart::{Kind, RowKey};
use program::view::views;
use std::collections::{BTreeMap, BTreeSet};

/// The hands that a chart cell covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hands {
    /// Hands that may double or surrender.
    First,
    /// Hands that may only hit or stand.
    Later,
    /// Two equal cards that may be split.
    Pair,
}

/// The key of a chart cell: its row, the label of the dealer's visible cards, and the hands that it covers.
pub type CellKey = (RowKey, String, Hands);

/// The values of the actions in one chart cell, weighted by how often its hands occur in a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellValue {
    /// The expected number of times per round that the cell is used.
    pub chance: f64,
    /// The cell's contribution to the EV of a round if the player follows the chart.
    pub charted: f64,
    /// The cell's contribution to the EV of a round, by the action taken with all hands of the cell.
    ///
    /// Only actions that all hands of the cell may take are included.
    pub values: BTreeMap<Action, f64>,
    /// Average number of visible cards of each value when the cell is used, in the player's and the dealer's hand.
    pub seen: [f64; RANKS],
}

/// Returns the values of all cells of `chart`, for rounds dealt from the table's shoe.
///
/// Hands are weighted by how often they occur when the player follows the chart.
pub fn cells(table: &Table<'_>, chart: &Chart) -> BTreeMap<CellKey, CellValue> {
    match table.seen() {
        Seen::UpCard => of_states::<RANKS>(table, chart),
        _ => of_states::<55>(table, chart),
    }
}

/// Returns the expected squares of the net, where [`cells`] returns the expected net.
///
/// Only the cells of `rows` are returned. The value of splitting includes the products of the split hands' nets.
pub fn squares(table: &Table<'_>, chart: &Chart, rows: &BTreeSet<RowKey>) -> BTreeMap<CellKey, CellValue> {
    match table.seen() {
        Seen::UpCard => squares_of_states::<RANKS>(table, chart, rows),
        _ => squares_of_states::<55>(table, chart, rows),
    }
}

fn squares_of_states<const U: usize>(
    table: &Table<'_>,
    chart: &Chart,
    rows: &BTreeSet<RowKey>,
) -> BTreeMap<CellKey, CellValue> {
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, PlayChoice::Best(AfterSplit::AsDealt));
    let turns = solver.follow(Measure::Squared, &solved.base.choices).turns;
    let mut splits =
        solved.splits.values(&solver, &solver.book_with_splits(&solved.splits, Measure::Squared));
    let wanted = |rank: Rank, _| rows.contains(&(Kind::Pairs, rank.count()));
    splits.retain(|(rank, _)| wanted(*rank, ()));
    for (rank, together) in if_split(&solved, &dealer, |rank, _| wanted(rank, ())) {
        let Some((_, row)) = splits.iter_mut().find(|(of, _)| *of == rank) else { continue };
        row.iter_mut().zip(together).for_each(|(square, more)| *square += more);
    }
    let mut all = summed((table, chart), (&solver, &turns, &splits));
    all.retain(|(row, ..), _| rows.contains(row));
    all
}

#[derive(Clone, Default)]
struct Sum {
    cell: CellValue,
    /// The weight of the hands that may take each action.
    open: BTreeMap<Action, f64>,
}

impl Sum {
    fn add(&mut self, weight: f64, charted: Action, values: &[(Action, f64)], cards: &Counts) {
        self.cell.chance += weight;
        for (action, value) in values {
            *self.cell.values.entry(*action).or_default() += weight * value;
            *self.open.entry(*action).or_default() += weight;
            if *action == charted {
                self.cell.charted += weight * value;
            }
        }
        for (sum, &n) in self.cell.seen.iter_mut().zip(cards) {
            *sum += weight * f64::from(n);
        }
    }

    fn finished(mut self) -> CellValue {
        let (open, all) = (&self.open, self.cell.chance);
        self.cell.values.retain(|action, _| open.get(action).is_some_and(|part| *part > all * (1.0 - 1e-9)));
        self.cell.seen = self.cell.seen.map(|n| n / all);
        self.cell
    }
}

fn of_states<const U: usize>(table: &Table<'_>, chart: &Chart) -> BTreeMap<CellKey, CellValue> {
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, PlayChoice::Best(AfterSplit::AsDealt));
    summed((table, chart), (&solver, &solved.base.turns, &solved.split_values))
}

/// A solver, with the values of the actions on every hand and the value of splitting each pair.
type Valued<'a, 't, const U: usize> =
    (&'a Solver<'a, Table<'t>, f64, U>, &'a [Option<Turn<f64, U>>], &'a [(Rank, Row<f64, U>)]);

/// Returns the values of all actions, summed by chart cell.
fn summed<const U: usize>(
    (table, chart): (&Table<'_>, &Chart),
    (solver, turns, split_values): Valued<'_, '_, U>,
) -> BTreeMap<CellKey, CellValue> {
    let drawn: Vec<Row<f64, U>> = solver.hands.list.iter().map(|hand| weights(solver, hand)).collect();
    let often = often(solver, chart, &drawn);
    let followed = Followed::new(table, chart);
    let columns: Vec<String> = views(table.choices()).iter().map(|view| view.label()).collect();
    let states = seen_states(table.seen());
    let mut sums: BTreeMap<(RowKey, Upcard, Hands), Sum> = BTreeMap::new();
    for (i, hand) in solver.hands.list.iter().enumerate().filter(|(_, hand)| hand.size > 1) {
        let Some(turn) = &turns[i] else { continue };
        let first = turn.may.double || turn.may.surrender;
        if !(first || turn.may.hit) {
            continue;
        }
        let row = (if hand.points.soft { Kind::Soft } else { Kind::Hard }, hand.points.total);
        let hands = if first { Hands::First } else { Hands::Later };
        for (u, state) in Upcard::all::<U>().zip(&states) {
            let charted = followed.action((i as Index, hand), Origin::Dealt, turn.may, u);
            let sum = sums.entry((row, u, hands)).or_default();
            sum.add(often.single[i][u], charted, &unsplit(turn, u), &in_sight(hand, state));
        }
    }
    for (rank, values) in split_values {
        let Some(i) = solver.hands.find(&pair_of(*rank)) else { continue };
        let (hand, at) = (solver.hand(i), i as usize);
        let Some(turn) = turns[at].as_ref().filter(|_| hand.suits == Suits::Any) else {
            continue;
        };
        for u in Upcard::all::<U>() {
            let mut all = unsplit(turn, u);
            all.push((Action::Split, values[u]));
            let charted = match followed.splits(hand, u) {
                Some(true) => Action::Split,
                _ => followed.action((i, hand), Origin::Dealt, turn.may, u),
            };
            // whether a pair is dealt does not depend on the chart
            let sum = sums.entry(((Kind::Pairs, rank.count()), u, Hands::Pair)).or_default();
            sum.add(drawn[at][u], charted, &all, &in_sight(hand, &states[u]));
        }
    }
    let told =
        sums.into_iter().filter(|(_, sum)| sum.cell.chance > 1e-12).filter_map(|((row, u, hands), sum)| {
            Some(((row, columns.get(u.index())?.clone(), hands), sum.finished()))
        });
    told.collect()
}

fn in_sight(hand: &Hand, dealer: &Counts) -> Counts {
    by_rank(|r| hand.cards[r] + dealer[r])
}

fn unsplit<const U: usize>(turn: &Turn<f64, U>, u: Upcard) -> Vec<(Action, f64)> {
    let mut all = vec![(Action::Stand, turn.stand[u])];
    for (allowed, action) in [
        (turn.may.hit, Action::Hit),
        (turn.may.double, Action::Double),
        (turn.may.surrender, Action::Surrender),
    ] {
        if allowed {
            all.push((action, *turn.value(action, u)));
        }
    }
    all
}
