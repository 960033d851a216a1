//! Charts: what to do by total, softness and pair, and the value of playing by one.

use crate::cards::{ACE, Points, RANKS, shoe_size};
use crate::dealer::DealerTree;
use crate::hands::{Hand, Index};
use crate::judge::{Judge, May, Measure};
use crate::num::{Real, inverse};
use crate::round::Solved;
use crate::solve::Solver;
use crate::turn::{Action, Ahead, Pays, Row, constant};

/// One box of a chart: what to do where it is allowed, and otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The first choice.
    pub first: Action,
    /// Hit or stand, where the first choice is not allowed.
    pub otherwise: Action,
}

/// What to do, by total and visible state of the dealer; pairs say only whether to split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Hard totals, by total.
    pub hard: Vec<Vec<Cell>>,
    /// Soft totals, by total.
    pub soft: Vec<Vec<Cell>>,
    /// Pairs to split, by value.
    pub split: Vec<Vec<bool>>,
}

const STAND: Cell = Cell { first: Action::Stand, otherwise: Action::Stand };
const TOTALS: usize = 22;

impl Chart {
    /// A chart that always stands, for `states` visible states of the dealer.
    pub fn standing(states: usize) -> Self {
        Chart {
            hard: vec![vec![STAND; states]; TOTALS],
            soft: vec![vec![STAND; states]; TOTALS],
            split: vec![vec![false; states]; RANKS],
        }
    }

    fn cell(&self, points: Points, u: usize) -> Cell {
        let rows = if points.soft { &self.soft } else { &self.hard };
        rows.get(usize::from(points.total)).and_then(|row| row.get(u)).copied().unwrap_or(STAND)
    }

    /// What the chart does with a hand, given what it may do.
    pub fn action(&self, points: Points, may: May, u: usize) -> Action {
        let cell = self.cell(points, u);
        let allowed = |action| match action {
            Action::Hit => may.hit,
            Action::Double => may.double,
            Action::Surrender => may.surrender,
            Action::Stand => true,
            Action::Split => false,
        };
        [cell.first, cell.otherwise].into_iter().find(|&a| allowed(a)).unwrap_or(Action::Stand)
    }

    /// The value of the chart: every hand, split ones too, is played by it.
    pub fn solve<'s, 'j, J: Judge, R: Real, const U: usize>(
        &self,
        solver: &'s Solver<'j, J, R, U>,
        dealer: &DealerTree<R, U>,
    ) -> Solved<'s, 'j, J, R, U> {
        let play = |i: Index, may: May, u: usize| self.action(solver.hand(i).points, may, u);
        let splits =
            |rank: usize, u: usize| self.split.get(rank).and_then(|row| row.get(u)).copied().unwrap_or(false);
        Solved::given(solver, dealer, &play, &splits)
    }

    /// The best chart. Hit or stand is chosen for all hands of a total together, weighted by the chance of
    /// drawing just those cards; doubling and surrender for the two-card hands of the total together.
    pub fn total_dependent<J: Judge, R: Real, const U: usize>(solver: &Solver<J, R, U>) -> Self {
        let mut chart = Chart::standing(U);
        let book = solver.book(Measure::Net);
        let zero = constant::<R, U>(&R::zero());
        let mut best = vec![zero.clone(); solver.hands.list.len()];
        let mut doubled = vec![zero; solver.hands.list.len()];
        let order: Vec<Index> =
            solver.hands.order.iter().copied().filter(|&i| solver.hand(i).size >= 2).collect();
        for class in order.chunk_by(|&a, &b| solver.hand(a).points == solver.hand(b).points) {
            let points = solver.hand(class[0]).points;
            let mut turns = Vec::new();
            for &i in class {
                let i = i as usize;
                let pays = Pays {
                    stand: &book.pays[solver.pay[i] as usize],
                    bust: &book.bust[0],
                    surrender: &book.surrender[0],
                };
                let ahead = Ahead {
                    best: &best,
                    doubled: &doubled,
                    next: &solver.hands.next[i],
                    by_double: solver.by_double[i],
                };
                let hand = &solver.hands.list[i];
                turns.push(solver.draws.turn(
                    hand,
                    (0, 0),
                    solver.chances(i),
                    (solver.may[i], &pays, &ahead),
                ));
            }
            for u in 0..U {
                let sums = |size: Option<u8>| {
                    let mut sums: [R; 4] = std::array::from_fn(|_| R::zero());
                    for (&i, turn) in class.iter().zip(&turns) {
                        let hand = solver.hand(i);
                        if size.is_none_or(|n| n == hand.size) {
                            let w: R = weight(solver, hand, u);
                            let values = [&turn.stand[u], &turn.hit[u], &turn.double[u], &turn.surrender[u]];
                            for (sum, value) in sums.iter_mut().zip(values) {
                                *sum = sum.clone() + w.clone() * value.clone();
                            }
                        }
                    }
                    sums
                };
                let may = turns.iter().fold(May::default(), |m, t| any(m, t.may));
                let all = sums(None);
                let two = sums(Some(2));
                let hits = may.hit && all[1] > all[0];
                let otherwise = if hits { Action::Hit } else { Action::Stand };
                let mut first = (otherwise, two[usize::from(hits)].clone());
                for (allowed, action, value) in
                    [(may.double, Action::Double, &two[2]), (may.surrender, Action::Surrender, &two[3])]
                {
                    if allowed && *value > first.1 {
                        first = (action, value.clone());
                    }
                }
                let rows = if points.soft { &mut chart.soft } else { &mut chart.hard };
                if let Some(cell) = rows.get_mut(usize::from(points.total)).and_then(|r| r.get_mut(u)) {
                    *cell = Cell { first: first.0, otherwise };
                }
            }
            for (&i, turn) in class.iter().zip(&turns) {
                let i = i as usize;
                best[i] = std::array::from_fn(|u| turn.value(chart.action(points, turn.may, u), u).clone());
                doubled[i] = std::array::from_fn(|u| {
                    let rescue = turn.may.surrender_doubled && turn.rescued[u] > turn.doubled[u];
                    if rescue { turn.rescued[u].clone() } else { turn.doubled[u].clone() }
                });
            }
        }
        chart.split_where_better(solver, &best);
        chart
    }

    /// Decides the pairs by comparing the chart's own values.
    fn split_where_better<J: Judge, R: Real, const U: usize>(
        &mut self,
        solver: &Solver<J, R, U>,
        best: &[Row<R, U>],
    ) {
        let dealer = DealerTree::new(solver.judge.seen(), crate::dealer::At22::Apart, |c| {
            solver.judge.dealer_stands(c)
        });
        let solved = self.solve(solver, &dealer);
        let values = solved.split_values.clone();
        drop(solved);
        for (rank, value) in values {
            let Some(i) = solver.hands.find(&crate::split::pair_of(rank)) else {
                continue;
            };
            for u in 0..U {
                self.split[rank][u] = value[u] > best[i as usize][u];
            }
        }
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
fn weight<J: Judge, R: Real, const U: usize>(solver: &Solver<J, R, U>, hand: &Hand, u: usize) -> R {
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
    chance * solver.state_chances(&hand.cards, &states)[u].clone()
}
