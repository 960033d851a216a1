//! The best play by totals, as a chart that can be written down and read back.
//!
//! Hit or stand is one decision for all hands of a total and softness, weighted by the chance of drawing just those cards;
//! doubling and surrender are one decision for the two-card hands of a total. Where the number of cards is part of
//! the game (Double and Triple Attack) every number of cards has decisions of its own.

use crate::cards::{ACE, RANKS, shoe_size};
use crate::dealer::DealerTree;
use crate::given::{Followed, to_rules};
use crate::hands::{Hand, Index};
use crate::judge::{Judge, May, Measure, Origin};
use crate::num::{Real, inverse};
use crate::round::Solved;
use crate::solve::Solver;
use crate::split::pair_of;
use crate::table::Table;
use crate::turn::{Action, Row, Turn, constant};
use program::chart::{Cell, Chart, Kind};
use program::view::views;
use rules::{Game, play as ask};

/// Numbers of cards that a chart tells apart: two, and each of these; more are alike.
pub const SIZES: [u8; 3] = [3, 4, 5];

/// The section of a chart for hands of so many cards.
pub fn section(game: Game, size: u8) -> String {
    match (game, size) {
        (Game::Blackjack | Game::Switch, _) | (_, 0..=2) => "initial".into(),
        (_, n) if SIZES.contains(&n) => format!("cards-{n}"),
        _ => "drawn".into(),
    }
}

/// The chart of hands and pairs; the wagers and the switch of the other games are not decided here.
pub fn total_dependent<'j, R: Real, const U: usize>(
    solver: &Solver<'j, Table<'j>, R, U>,
    dealer: &DealerTree<R, U>,
) -> Chart {
    let columns: Vec<String> = views(solver.judge.choices()).iter().map(|v| v.label()).collect();
    let mut totals = Totals::new(solver, &columns);
    let order: Vec<Index> =
        solver.hands.order.iter().copied().filter(|&i| solver.hand(i).size >= 2).collect();
    for class in order.chunk_by(|&a, &b| solver.hand(a).points == solver.hand(b).points) {
        totals.decide(class);
    }
    let mut chart = totals.chart;
    split_where_better(&mut chart, solver, dealer, &columns);
    chart
}

struct Totals<'a, 'j, R, const U: usize> {
    solver: &'a Solver<'j, Table<'j>, R, U>,
    columns: &'a [String],
    best: Vec<Row<R, U>>,
    doubled: Vec<Row<R, U>>,
    /// The chances of the hands that are being decided.
    weights: Vec<Row<R, U>>,
    chart: Chart,
}

impl<'a, 'j, R: Real, const U: usize> Totals<'a, 'j, R, U> {
    fn new(solver: &'a Solver<'j, Table<'j>, R, U>, columns: &'a [String]) -> Self {
        let rows = || vec![constant::<R, U>(&R::zero()); solver.hands.list.len()];
        Totals {
            solver,
            columns,
            best: rows(),
            doubled: rows(),
            weights: Vec::new(),
            chart: Chart::default(),
        }
    }

    fn game(&self) -> Game {
        self.solver.judge.choices().game
    }

    /// Decides all hands of one total.
    fn decide(&mut self, class: &[Index]) {
        let points = self.solver.hand(class[0]).points;
        let row = (if points.soft { Kind::Soft } else { Kind::Hard }, points.total);
        let turns = self.turns(class);
        self.weights = class.iter().map(|&i| weights(self.solver, self.solver.hand(i))).collect();
        let mut sizes: Vec<String> =
            class.iter().map(|&i| section(self.game(), self.solver.hand(i).size)).collect();
        let of_hand = sizes.clone();
        sizes.sort();
        sizes.dedup();
        for u in 0..U {
            let mut rescue: Option<bool> = None;
            if turns.iter().any(|t| t.may.surrender_doubled) {
                let gain = self.sum(&turns, u, |_, t| Some(t.rescued[u].clone() - t.doubled[u].clone()));
                rescue = Some(gain > R::zero());
                let cell = if rescue == Some(true) { ask::Action::Surrender } else { ask::Action::Stand };
                self.chart.set("doubled", row, &self.columns[u], Cell(vec![cell]));
            }
            for name in &sizes {
                let actions = self.cell(class, &turns, u, (name, &of_hand));
                for (at, (&i, turn)) in class.iter().zip(&turns).enumerate() {
                    if of_hand[at] == *name {
                        let done = actions.iter().copied().find(|&a| allows(turn.may, a));
                        self.best[i as usize][u] = turn.value(done.unwrap_or(Action::Stand), u).clone();
                        let given_up = turn.may.surrender_doubled && rescue == Some(true);
                        let doubled = if given_up { &turn.rescued[u] } else { &turn.doubled[u] };
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

    /// The actions of one cell, best first, up to the first that is always allowed.
    fn cell(
        &self,
        class: &[Index],
        turns: &[Turn<R, U>],
        u: usize,
        (name, of_hand): (&str, &[String]),
    ) -> Vec<Action> {
        let named = |at: usize| of_hand[at] == name;
        let all = |value: &dyn Fn(&Turn<R, U>) -> R| self.sum(turns, u, |at, t| named(at).then(|| value(t)));
        let by_size = !matches!(self.game(), Game::Blackjack | Game::Switch);
        // Doubling and surrender are for first hands, where the number of cards does not matter.
        let first = |value: &dyn Fn(&Turn<R, U>) -> R| {
            let of = |at: usize| named(at) && (by_size || self.solver.hand(class[at]).size == 2);
            self.sum(turns, u, |at, t| of(at).then(|| value(t)))
        };
        let may =
            (0..turns.len()).filter(|&at| named(at)).fold(May::default(), |m, at| any(m, turns[at].may));
        let hits = may.hit && all(&|t| t.hit[u].clone()) > all(&|t| t.stand[u].clone());
        let otherwise = if hits { Action::Hit } else { Action::Stand };
        let base = first(&|t| t.value(otherwise, u).clone());
        let mut better: Vec<(Action, R)> = [(may.double, Action::Double), (may.surrender, Action::Surrender)]
            .into_iter()
            .filter(|&(allowed, _)| allowed)
            .map(|(_, action)| (action, first(&|t| t.value(action, u).clone())))
            .filter(|(_, value)| *value > base)
            .collect();
        better.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(std::cmp::Ordering::Equal));
        let mut cell: Vec<Action> = better.into_iter().map(|(action, _)| action).chain([otherwise]).collect();
        let no_hit = self.split_aces_may(class, name);
        if otherwise == Action::Hit && no_hit.double && !cell.contains(&Action::Double) {
            // A split ace may double and not draw, where that beats standing.
            if first(&|t| t.double[u].clone()) > first(&|t| t.stand[u].clone()) {
                cell.extend([Action::Double, Action::Stand]);
            }
        }
        cell
    }

    /// What a hand of split aces of this class may do where it may not draw; nothing where it may.
    fn split_aces_may(&self, class: &[Index], name: &str) -> May {
        let first = class.iter().map(|&i| self.solver.hand(i)).find(|h| h.size == 2 && h.cards[ACE] > 0);
        match first.filter(|h| h.points.soft && name == "initial") {
            Some(hand) => {
                let may = self.solver.judge.may(hand, Origin::SplitAce);
                if may.hit { May::default() } else { may }
            }
            None => May::default(),
        }
    }

    /// The sum of something over hands, weighted by their chances.
    fn sum(&self, turns: &[Turn<R, U>], u: usize, value: impl Fn(usize, &Turn<R, U>) -> Option<R>) -> R {
        let mut sum = R::zero();
        for (at, turn) in turns.iter().enumerate() {
            if let Some(value) = value(at, turn) {
                sum = sum + self.weights[at][u].clone() * value;
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

/// Decides the pairs by the chart's own values. A pair that is not split is played by its total.
fn split_where_better<'j, R: Real, const U: usize>(
    chart: &mut Chart,
    solver: &Solver<'j, Table<'j>, R, U>,
    dealer: &DealerTree<R, U>,
    columns: &[String],
) {
    let initial = ["initial".to_string()];
    let unsplit = chart.clone();
    let followed = Followed::new(solver.judge, &unsplit);
    let solved = Solved::given(solver, dealer, &followed);
    for rank in 0..RANKS {
        let Some(i) = solver.hands.find(&pair_of(rank)) else {
            continue;
        };
        let points = solver.hand(i).points;
        let total = (if points.soft { Kind::Soft } else { Kind::Hard }, points.total);
        let values = solved.split_values.iter().find(|(r, _)| *r == rank);
        for (u, column) in columns.iter().enumerate() {
            let split = values.is_some_and(|(_, row)| row[u] > solved.base.best[i as usize][u]);
            let cell = if split {
                Some(Cell(vec![ask::Action::Split]))
            } else {
                unsplit.cell(&initial, total, column).cloned()
            };
            if let Some(cell) = cell {
                chart.set("initial", (Kind::Pairs, rank as u8 + 1), column, cell);
            }
        }
    }
}

/// Whether there is anything to decide.
fn leaves_open(may: May) -> bool {
    may.hit || may.double || may.surrender
}

fn allows(may: May, action: Action) -> bool {
    match action {
        Action::Hit => may.hit,
        Action::Double => may.double,
        Action::Surrender => may.surrender,
        Action::Stand => true,
        Action::Split => false,
    }
}

fn any(a: May, b: May) -> May {
    May {
        hit: a.hit || b.hit,
        double: a.double || b.double,
        surrender: a.surrender || b.surrender,
        surrender_doubled: a.surrender_doubled || b.surrender_doubled,
    }
}

/// The chance, up to a factor that all hands share, of drawing just these cards and then the visible state.
pub fn weights<R: Real, const U: usize>(solver: &Solver<'_, Table<'_>, R, U>, hand: &Hand) -> Row<R, U> {
    let cards = shoe_size(&solver.shoe);
    let (mut chance, mut drawn) = (R::one(), 0);
    for r in ACE..RANKS {
        for j in 0..i64::from(hand.cards[r]) {
            drawn += 1;
            // The number of orders grows by drawn / (j + 1) with each card.
            let left = (i64::from(solver.shoe[r]) - j).max(0);
            chance = chance * R::ratio(left * drawn, j + 1) * inverse(cards - drawn + 1);
        }
    }
    let states = crate::dealer::seen_states(solver.judge.seen());
    solver.state_chances(&hand.cards, &states).map(|p| chance.clone() * p)
}
