//! The best total-dependent strategy, as a chart that can be written and read back.
//!
//! Hitting or standing is one decision for all hands of a total and softness; doubling and surrender are one
//! decision for the two-card hands of a total. Where the number of cards is part of the game (Double and Triple
//! Attack), every number of cards has its own decisions. Each decision is the best on average over its hands,
//! weighted by how often the hands occur under the chart itself: the chart is decided, followed and decided again
//! until nothing changes.

use crate::cards::{Index, NONE, pair_of, shoe_size};
use crate::dealer::DealerTree;
use crate::given::{Followed, from_rules, to_rules};
use crate::hands::Hand;
use crate::judge::{Judge, LegalActions, Measure, Origin};
use crate::num::{Real, inverse};
use crate::play::{AfterSplit, Play};
use crate::round::Solved;
use crate::seen::{Row, constant, seen_states, sum};
use crate::solve::Solver;
use crate::split::Splits;
use crate::table::Table;
use crate::turn::{Action, Turn};
use crate::vocabulary::{ACE, RANKS, Rank, Upcard};
use program::chart::{Cell, Chart, Kind};
use program::view::views;
use rules::{Choices, play as ask};

/// Hand sizes above two cards that have chart sections of their own.
///
/// Larger hands share one section.
pub const SIZES: [u8; 3] = [3, 4, 5];

/// Returns the name of the chart section for a hand size, such as `cards-3`.
pub fn section(choices: &Choices, size: u8) -> String {
    match size {
        _ if !by_size(choices) => "initial".into(),
        0..=2 => "initial".into(),
        n if SIZES.contains(&n) => format!("cards-{n}"),
        _ => "drawn".into(),
    }
}

/// Returns whether decisions depend on the number of cards, as in games that allow doubling on hands of any size.
fn by_size(choices: &Choices) -> bool {
    choices.text().double.two_cards.is_none()
}

/// The maximum number of times that a chart is decided again.
///
/// A few are enough.
const TIMES: usize = 8;

/// Returns the best total-dependent chart for hands and pairs.
///
/// The chart leaves out the attack bets and the switch.
pub fn total_dependent<'j, R: Real, const U: usize>(
    solver: &Solver<'j, Table<'j>, R, U>,
    dealer: &DealerTree<R, U>,
) -> Chart {
    let columns: Vec<String> = views(solver.judge.choices()).iter().map(|v| v.label()).collect();
    let drawn: Vec<Row<R, U>> = solver.hands.list.iter().map(|h| weights(solver, h)).collect();
    // At first every hand is weighted by the chance of drawing its cards, whether or not the play leads to it.
    let mut chart = decided(solver, &columns, &Often { single: drawn.clone(), doubled: drawn.clone() });
    let mut value = split_where_better(&mut chart, solver, dealer, &columns);
    for _ in 0..TIMES {
        let mut next = decided(solver, &columns, &often(solver, &chart, &drawn));
        if next.sections == without_pairs(&chart).sections {
            break;
        }
        let worth = split_where_better(&mut next, solver, dealer, &columns);
        if worth <= value {
            break;
        }
        (chart, value) = (next, worth);
    }
    chart
}

/// Frequencies of hands with a single bet and after doubling, by hand and visible state.
pub(crate) struct Often<R, const U: usize> {
    pub single: Vec<Row<R, U>>,
    pub doubled: Vec<Row<R, U>>,
}

/// Returns the frequencies of all hands under a chart.
///
/// Hands that the chart never reaches get a weight so small that it matters only in the absence of others.
pub(crate) fn often<'j, R: Real, const U: usize>(
    solver: &Solver<'j, Table<'j>, R, U>,
    chart: &Chart,
    drawn: &[Row<R, U>],
) -> Often<R, U> {
    let followed = Followed::new(solver.judge, chart);
    let little = R::ratio(1, 1_000_000_000);
    let rare = || drawn.iter().map(|row| row.clone().map(|p| p * little.clone())).collect::<Vec<Row<R, U>>>();
    let mut often = Often { single: rare(), doubled: rare() };
    let states = seen_states(solver.judge.seen());
    for deal in solver.deals() {
        let hand = solver.hand(deal.hand);
        let chances = solver.state_chances(&hand.cards, &states);
        let pair = hand.cards.contains(&2) && hand.size == 2;
        for (u, chance) in Upcard::all::<U>().zip(chances) {
            if !(pair && followed.splits(hand, u) == Some(true)) {
                let at = &mut often.single[deal.hand as usize][u];
                *at = at.clone() + deal.chance.clone() * chance;
            }
        }
    }
    // A hand comes after all hands that it can become.
    for &i in solver.hands.order.iter().rev().filter(|&&i| solver.hand(i).size >= 2) {
        let draw: [Row<R, U>; RANKS] = solver.draws.next_card(solver.hand(i), ACE, 0);
        for u in Upcard::all::<U>() {
            let action = followed.action((i, solver.hand(i)), Origin::Dealt, solver.may[i as usize], u);
            let here = often.single[i as usize][u].clone();
            let into = match action {
                Action::Hit => &mut often.single,
                Action::Double => &mut often.doubled,
                _ => continue,
            };
            let links = Rank::ALL.into_iter().zip(&solver.hands.next[i as usize]);
            for (r, &next) in links.filter(|(_, n)| **n != NONE) {
                let at = &mut into[next as usize][u];
                *at = at.clone() + here.clone() * draw[r][u].clone();
            }
        }
    }
    often
}

fn without_pairs(chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    chart.sections.values_mut().for_each(|rows| rows.retain(|(kind, _), _| *kind != Kind::Pairs));
    chart
}

/// Returns the best chart if hands occur with the frequencies in `often`.
fn decided<'j, R: Real, const U: usize>(
    solver: &Solver<'j, Table<'j>, R, U>,
    columns: &[String],
    often: &Often<R, U>,
) -> Chart {
    let mut totals = Totals::new(solver, columns, often);
    let order: Vec<Index> =
        solver.hands.order.iter().copied().filter(|&i| solver.hand(i).size >= 2).collect();
    for class in order.chunk_by(|&a, &b| solver.hand(a).points == solver.hand(b).points) {
        totals.decide(class);
    }
    totals.chart
}

struct Totals<'a, 'j, R, const U: usize> {
    solver: &'a Solver<'j, Table<'j>, R, U>,
    columns: &'a [String],
    best: Vec<Row<R, U>>,
    doubled: Vec<Row<R, U>>,
    often: &'a Often<R, U>,
    chart: Chart,
}

impl<'a, 'j, R: Real, const U: usize> Totals<'a, 'j, R, U> {
    fn new(solver: &'a Solver<'j, Table<'j>, R, U>, columns: &'a [String], often: &'a Often<R, U>) -> Self {
        let rows = || vec![constant::<R, U>(&R::zero()); solver.hands.list.len()];
        Totals { solver, columns, best: rows(), doubled: rows(), often, chart: Chart::default() }
    }

    fn choices(&self) -> &Choices {
        self.solver.judge.choices()
    }

    /// Decides the actions for all hands of one total and softness.
    fn decide(&mut self, class: &[Index]) {
        let points = self.solver.hand(class[0]).points;
        let row = (if points.soft { Kind::Soft } else { Kind::Hard }, points.total);
        let turns = self.turns(class);
        let mut sizes: Vec<String> =
            class.iter().map(|&i| section(self.choices(), self.solver.hand(i).size)).collect();
        let of_hand = sizes.clone();
        sizes.sort();
        sizes.dedup();
        for u in Upcard::all::<U>() {
            let mut surrender_doubled: Option<bool> = None;
            if turns.iter().any(|t| t.may.surrender_doubled) {
                // Hands that no double leads to have no doubled value.
                let ends: Vec<_> =
                    class.iter().zip(&turns).filter(|(i, _)| self.solver.by_double[**i as usize]).collect();
                let gain = ends.iter().fold(R::zero(), |sum, (i, t)| {
                    let often = self.often.doubled[**i as usize][u].clone();
                    sum + often * (t.surrendered_doubled[u].clone() - t.doubled[u].clone())
                });
                surrender_doubled = Some(gain > R::zero());
                let cell =
                    if surrender_doubled == Some(true) { ask::Action::Surrender } else { ask::Action::Stand };
                self.chart.set("doubled", row, &self.columns[u], Cell(vec![cell]));
            }
            for name in &sizes {
                let actions = self.cell(class, &turns, u, (name, &of_hand));
                for (at, (&i, turn)) in class.iter().zip(&turns).enumerate() {
                    if of_hand[at] == *name {
                        let done = actions.iter().copied().find(|&a| allows(turn.may, a));
                        self.best[i as usize][u] = turn.value(done.unwrap_or(Action::Stand), u).clone();
                        let given_up = turn.may.surrender_doubled && surrender_doubled == Some(true);
                        let doubled = if given_up { &turn.surrendered_doubled[u] } else { &turn.doubled[u] };
                        self.doubled[i as usize][u] = doubled.clone();
                    }
                }
                let asked = (0..turns.len()).any(|at| of_hand[at] == *name && leaves_open(turns[at].may));
                if asked {
                    let cell = Cell(actions.into_iter().map(to_rules).collect());
                    self.chart.set(name, row, &self.columns[u], cell);
                }
            }
        }
    }

    /// Returns the actions of one cell, best first, up to the first that is always allowed.
    fn cell(
        &self,
        class: &[Index],
        turns: &[Turn<R, U>],
        u: Upcard,
        (name, of_hand): (&str, &[String]),
    ) -> Vec<Action> {
        let named = |at: usize| of_hand[at] == name;
        let all = |value: &dyn Fn(&Turn<R, U>) -> R| {
            self.sum((class, turns), u, |at, t| named(at).then(|| value(t)))
        };
        let by_size = by_size(self.choices());
        // Doubling and surrender are decided for two-card hands, unless decisions depend on the number of cards.
        let first = |value: &dyn Fn(&Turn<R, U>) -> R| {
            let of = |at: usize| named(at) && (by_size || self.solver.hand(class[at]).size == 2);
            self.sum((class, turns), u, |at, t| of(at).then(|| value(t)))
        };
        let may = (0..turns.len())
            .filter(|&at| named(at))
            .fold(LegalActions::default(), |m, at| any(m, turns[at].may));
        let hits = may.hit && all(&|t| t.hit[u].clone()) > all(&|t| t.stand[u].clone());
        let otherwise = if hits { Action::Hit } else { Action::Stand };
        let better_than = |base: R, may: LegalActions| -> Vec<Action> {
            let mut better: Vec<(Action, R)> =
                [(may.double, Action::Double), (may.surrender, Action::Surrender)]
                    .into_iter()
                    .filter(|&(allowed, _)| allowed)
                    .map(|(_, action)| (action, first(&|t| t.value(action, u).clone())))
                    .filter(|(_, value)| *value > base)
                    .collect();
            better.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(std::cmp::Ordering::Equal));
            better.into_iter().map(|(action, _)| action).collect()
        };
        let mut cell = better_than(first(&|t| t.value(otherwise, u).clone()), may);
        cell.push(otherwise);
        if otherwise == Action::Hit {
            // Split aces that may not draw double or surrender if that beats standing.
            let no_hit = self.split_aces_may(class, name);
            let mut instead = better_than(first(&|t| t.stand[u].clone()), no_hit);
            instead.retain(|action| !cell.contains(action));
            if !instead.is_empty() {
                cell.extend(instead);
                cell.push(Action::Stand);
            }
        }
        cell
    }

    /// Returns the legal actions for split aces of this class if they cannot hit, or none if they can.
    fn split_aces_may(&self, class: &[Index], name: &str) -> LegalActions {
        let first = class.iter().map(|&i| self.solver.hand(i)).find(|h| h.size == 2 && h.cards[ACE] > 0);
        match first.filter(|h| h.points.soft && name == "initial") {
            Some(hand) => {
                let may = self.solver.judge.may(hand, Origin::SplitAce);
                if may.hit { LegalActions::default() } else { may }
            }
            None => LegalActions::default(),
        }
    }

    /// Returns the sum of a value over hands, each weighted by its frequency.
    fn sum(
        &self,
        (class, turns): (&[Index], &[Turn<R, U>]),
        u: Upcard,
        value: impl Fn(usize, &Turn<R, U>) -> Option<R>,
    ) -> R {
        let mut sum = R::zero();
        for (at, turn) in turns.iter().enumerate() {
            if let Some(value) = value(at, turn) {
                sum = sum + self.often.single[class[at] as usize][u].clone() * value;
            }
        }
        sum
    }

    fn turns(&self, class: &[Index]) -> Vec<Turn<R, U>> {
        let solver = self.solver;
        let book = solver.book(Measure::Net);
        class.iter().map(|&i| solver.turn_of(i as usize, &book, (&self.best, &self.doubled))).collect()
    }
}

/// Decides for each pair whether the chart splits it, and returns the value of a round.
///
/// The value of a split is that under the chart itself, including resplits. An unsplit pair follows its total.
fn split_where_better<'j, R: Real, const U: usize>(
    chart: &mut Chart,
    solver: &Solver<'j, Table<'j>, R, U>,
    dealer: &DealerTree<R, U>,
    columns: &[String],
) -> R {
    let initial = ["initial".to_string()];
    let split = || Cell(vec![ask::Action::Split]);
    let mut all_split = chart.clone();
    for rank in Rank::ALL {
        let row = (Kind::Pairs, rank.count());
        columns.iter().for_each(|column| all_split.set("initial", row, column, split()));
    }
    let of = (AfterSplit::AsDealt, dealer, &solver.whole_shoe());
    let splits = Splits::new(solver, of, &Followed::new(solver.judge, &all_split));
    let unsplit = solver.given(&Followed::new(solver.judge, chart));
    let solved = Solved::split(solver, unsplit, splits.into());
    for rank in Rank::ALL {
        let Some(i) = solver.hands.find(&pair_of(rank)) else {
            continue;
        };
        let points = solver.hand(i).points;
        let total = (if points.soft { Kind::Soft } else { Kind::Hard }, points.total);
        for (u, column) in Upcard::all::<U>().zip(columns) {
            let cell = match solved.first[i as usize].action[u] {
                Action::Split => Some(split()),
                _ => chart.cell(&initial, total, column).map(|cell| {
                    let values = solved.split_values.iter().find(|(r, _)| *r == rank).map(|(_, row)| &row[u]);
                    let turn = solved.base.turns[i as usize].as_ref();
                    turn.zip(values).map_or(cell.clone(), |(turn, split)| or_split(cell, turn, u, split))
                }),
            };
            if let Some(cell) = cell {
                chart.set("initial", (Kind::Pairs, rank.count()), column, cell);
            }
        }
    }
    sum(&solved.round(Measure::Net))
}

/// Returns the cell of a pair for which another action is better than splitting.
///
/// The alternatives in `cell` that are worth less than a split give way to the split.
fn or_split<R: Real, const U: usize>(cell: &Cell, turn: &Turn<R, U>, u: Upcard, split: &R) -> Cell {
    let actions = || cell.0.iter().map(|action| from_rules(*action));
    // the chosen action is better than a split, but an alternative for when it is not allowed may be worse
    let done = actions().position(|action| allows(turn.may, action)).unwrap_or(0);
    match actions().skip(done + 1).position(|action| turn.value(action, u) < split) {
        Some(next) => Cell(cell.0[..=done + next].iter().copied().chain([ask::Action::Split]).collect()),
        None => cell.clone(),
    }
}

/// Returns whether any action besides standing is legal.
fn leaves_open(may: LegalActions) -> bool {
    may.hit || may.double || may.surrender
}

fn allows(may: LegalActions, action: Action) -> bool {
    match action {
        Action::Hit => may.hit,
        Action::Double => may.double,
        Action::Surrender => may.surrender,
        Action::Stand => true,
        Action::Split => false,
    }
}

fn any(a: LegalActions, b: LegalActions) -> LegalActions {
    LegalActions {
        hit: a.hit || b.hit,
        double: a.double || b.double,
        surrender: a.surrender || b.surrender,
        surrender_doubled: a.surrender_doubled || b.surrender_doubled,
    }
}

/// Returns the relative chance of drawing the hand and then the dealer's visible cards, by visible state.
pub fn weights<R: Real, const U: usize>(solver: &Solver<'_, Table<'_>, R, U>, hand: &Hand) -> Row<R, U> {
    let cards = shoe_size(&solver.shoe);
    let (mut chance, mut drawn) = (R::one(), 0);
    for r in Rank::ALL {
        for j in 0..i64::from(hand.cards[r]) {
            drawn += 1;
            // The number of orders grows by drawn / (j + 1) with each card.
            let left = (i64::from(solver.shoe[r]) - j).max(0);
            chance = chance * R::ratio(left * drawn, j + 1) * inverse(cards - drawn + 1);
        }
    }
    let states = seen_states(solver.judge.seen());
    solver.state_chances(&hand.cards, &states).map(|p| chance.clone() * p)
}
