//! A rule for switching that a person can follow: a chart of points, with a line for hands and a column for
//! upcards.
//!
//! The chart is as short as a strategy chart. The second cards are exchanged if the two new hands have more points
//! than the two dealt hands. The search minimizes the number of lines at a limited cost: hands that may have the
//! same points against every upcard share a line, and neighboring upcards share a column.

use crate::play::{AfterSplit, PlayChoice};
use crate::stack::LETTERS;
use crate::switch::{Switch, TwoCards};
use crate::table::Table;
use crate::threads::{each, threads};
use crate::vocabulary::{ACE, RANKS, Rank, TEN, Upcard};
use crate::whole::Round;
use std::collections::BTreeMap;

/// The number of the first kind of hard totals, among the kinds of two-card hands that a switching rule
/// distinguishes.
///
/// Soft totals, pairs, ace and ten made by a switch, and a dealt blackjack follow.
const HARD: usize = 0;
const SOFT: usize = 20;
const PAIRS: usize = 32;
const SWITCHED_21: usize = 42;
const NATURAL: usize = 43;
const ROWS: usize = 44;
/// The upcards in the usual order: two first, ace last.
const ORDER: [Rank; RANKS] = {
    use Rank::*;
    [Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Ace]
};
/// The numbers of points per unit of value that the search tries, coarsest first.
const SCALES: [f64; 5] = [20.0, 25.0, 30.0, 40.0, 60.0];
/// The difference in value against any upcard, in units, above which two hands never share a line.
const FAR: f64 = 0.45;
/// The steps by which the search moves the points of a line.
const MOVES: [i32; 6] = [-1, 1, -2, 2, -3, 3];
/// The gain below which the search ignores a change.
const TINY: f64 = 1e-13;

/// One line of a switching chart: kinds of two-card hands that have the same points.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// Labels of the two-card hands, such as `15`, `A7` or `88`.
    ///
    /// `AT` stands for an ace and a ten-value card made by a switch, `blackjack` for a dealt one.
    pub hands: Vec<String>,
    /// Points of these hands in each column.
    pub points: Vec<i32>,
}

/// A chart of points for switching, with its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchRule {
    /// Upcards of each column, as letters.
    pub columns: Vec<String>,
    /// The lines of the chart, those with the most points first.
    pub lines: Vec<ChartLine>,
    /// Expected loss compared with the best switch, in units of both initial bets.
    pub cost: f64,
    /// Expected loss of a player who never switches, compared with the best switch, in units of both initial bets.
    pub never: f64,
}

/// A group of deals that a rule cannot distinguish, with the loss of each decision.
///
/// The fields are the kinds of both hands as dealt and as switched, the loss of keeping the hands where switching
/// is better, and the loss of switching where keeping is better.
#[derive(Clone, Copy)]
struct AlikeDeals {
    keep: [usize; 2],
    change: [usize; 2],
    kept: f64,
    switched: f64,
}

/// The losses of keeping and of switching, by the kinds of both hands as dealt and as switched.
type Losses = BTreeMap<[[usize; 2]; 2], (f64, f64)>;

/// Returns the row of two cards, which is the number of their kind.
fn row([a, b]: [Rank; 2], dealt: bool) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    match (low, high) {
        (ACE, TEN) if dealt => NATURAL,
        (ACE, TEN) => SWITCHED_21,
        (low, high) if low == high => PAIRS + low.index(),
        (ACE, high) => SOFT + high.index(),
        (low, high) => HARD + low.index() + high.index() - 2,
    }
}

fn label(row: usize) -> String {
    match row {
        NATURAL => "blackjack".to_string(),
        SWITCHED_21 => "AT".to_string(),
        PAIRS.. => format!("{0}{0}", LETTERS[row - PAIRS]),
        SOFT.. => format!("A{}", LETTERS[row - SOFT]),
        _ => (row - HARD + 4).to_string(),
    }
}

/// Returns the shortest chart whose cost is below `limit`, or `None` if no chart costs less.
///
/// The cost is the expected loss compared with the best switch. The hands themselves are played best.
pub fn switch_rule(table: &Table<'_>, limit: f64) -> Option<SwitchRule> {
    let round = Round { table, play_choice: PlayChoice::Best(AfterSplit::AsDealt), followed: None };
    let switch = round.switch::<f64>();
    let mut deals: Vec<Losses> = vec![Losses::new(); RANKS];
    let mut never = 0.0;
    switch.each_deal(|chance, decision, (first, second, up)| {
        let sorted = |a: usize, b: usize| [a.min(b), a.max(b)];
        let keep = sorted(row(first, true), row(second, true));
        let change = sorted(row([first[0], second[1]], false), row([second[0], first[1]], false));
        // in units of both bets
        let gain = chance * (decision.switch - decision.keep) / 2.0;
        never += gain.max(0.0);
        let lost = deals[up].entry([keep, change]).or_default();
        *lost = (lost.0 + gain.max(0.0), lost.1 - gain.min(0.0));
    });
    let (row_values, rows) = (row_values(&switch), rows(table));
    let found = each(&SCALES, threads(), |&scale| {
        let mut chart = Chart::new(&deals, &rows, &row_values, scale);
        (chart.cost() < limit).then(|| {
            chart.share_lines(limit, (FAR * scale) as i32);
            chart.share_columns(limit);
            chart
        })
    });
    // of equally short charts, take the first, which has the smallest points
    let chart = found.into_iter().flatten().min_by_key(|chart| chart.lines().count())?;
    Some(chart.readable(never))
}

/// One column of a chart, for one or several upcards.
///
/// It has the deals against these upcards, the deals that contain each kind of hand, and the points of every line.
#[derive(Clone)]
struct Column {
    ups: Vec<Rank>,
    losses: Losses,
    deals: Vec<AlikeDeals>,
    of_row: Vec<Vec<usize>>,
    points: Vec<i32>,
}

impl Column {
    fn new(ups: Vec<Rank>, losses: Losses, points: Vec<i32>) -> Column {
        let deals: Vec<AlikeDeals> = losses
            .iter()
            .map(|(&[keep, change], &(kept, switched))| AlikeDeals { keep, change, kept, switched })
            .collect();
        let mut of_row = vec![Vec::new(); ROWS];
        for (at, deal) in deals.iter().enumerate() {
            for row in deal.keep.iter().chain(&deal.change) {
                if of_row[*row].last() != Some(&at) {
                    of_row[*row].push(at);
                }
            }
        }
        Column { ups, losses, deals, of_row, points }
    }

    /// Returns the loss of a deal if every kind of hand has the points of its line.
    fn lost(&self, line_of: &[usize; ROWS], deal: &AlikeDeals) -> f64 {
        let sum = |rows: [usize; 2]| self.points[line_of[rows[0]]] + self.points[line_of[rows[1]]];
        if sum(deal.change) > sum(deal.keep) { deal.switched } else { deal.kept }
    }

    fn cost(&self, line_of: &[usize; ROWS]) -> f64 {
        self.deals.iter().map(|deal| self.lost(line_of, deal)).sum()
    }

    /// Returns the indices of the deals that contain any of these kinds of hands.
    fn touched(&self, rows: &[usize]) -> Vec<usize> {
        let mut all: Vec<usize> = rows.iter().flat_map(|&row| &self.of_row[row]).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn part(&self, line_of: &[usize; ROWS], touched: &[usize]) -> f64 {
        touched.iter().map(|&at| self.lost(line_of, &self.deals[at])).sum()
    }

    /// Moves the points of single lines as long as that reduces the cost of the column.
    fn improve(&mut self, line_of: &[usize; ROWS], members: &[Vec<usize>]) {
        loop {
            let mut better = false;
            for (line, rows) in members.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
                let touched = self.touched(rows);
                let (from, mut least) = (self.points[line], self.part(line_of, &touched));
                let mut best = from;
                for by in MOVES {
                    self.points[line] = from + by;
                    let cost = self.part(line_of, &touched);
                    if cost < least - TINY {
                        (least, best, better) = (cost, from + by, true);
                    }
                }
                self.points[line] = best;
            }
            if !better {
                return;
            }
        }
    }

    /// Returns the points that two lines of the column would share, and the added cost.
    fn shared(&mut self, line_of: &[usize; ROWS], (a, b): (usize, usize), rows: &[usize]) -> (i32, f64) {
        let (of_a, of_b) = (self.points[a], self.points[b]);
        if of_a == of_b {
            return (of_a, 0.0);
        }
        let touched = self.touched(rows);
        let before = self.part(line_of, &touched);
        let mut best = (of_a, f64::MAX);
        for points in of_a.min(of_b)..=of_a.max(of_b) {
            (self.points[a], self.points[b]) = (points, points);
            let cost = self.part(line_of, &touched);
            if cost < best.1 {
                best = (points, cost);
            }
        }
        (self.points[a], self.points[b]) = (of_a, of_b);
        (best.0, best.1 - before)
    }
}

/// A chart of points that is being shortened.
#[derive(Clone)]
struct Chart {
    columns: Vec<Column>,
    /// The line of every kind of hand.
    ///
    /// Its reverse, `members`, has the kinds of every line, and none for a line that was merged into another.
    line_of: [usize; ROWS],
    members: Vec<Vec<usize>>,
}

impl Chart {
    /// Returns a chart with a line for every kind of hand and a column for every upcard.
    ///
    /// The points are the values of each kind against the upcard, times `scale`.
    fn new(deals: &[Losses], rows: &[usize], row_values: &[[f64; RANKS]; ROWS], scale: f64) -> Chart {
        let mut line_of = [0; ROWS];
        rows.iter().enumerate().for_each(|(line, &row)| line_of[row] = line);
        let column = |&rank: &Rank| {
            let up = Upcard::card(rank);
            let points = rows.iter().map(|&row| (row_values[row][up] * scale).round() as i32).collect();
            Column::new(vec![rank], deals[up].clone(), points)
        };
        let columns = ORDER.iter().map(column).collect();
        let mut chart = Chart { columns, line_of, members: rows.iter().map(|&row| vec![row]).collect() };
        chart.improve();
        chart
    }

    fn improve(&mut self) {
        for column in &mut self.columns {
            column.improve(&self.line_of, &self.members);
        }
    }

    fn cost(&self) -> f64 {
        self.columns.iter().map(|column| column.cost(&self.line_of)).sum()
    }

    /// Returns the indices of the lines that have hands.
    fn lines(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.members.len()).filter(|&line| !self.members[line].is_empty())
    }

    /// Merges pairs of lines, each time the pair with the least cost, as long as the limit allows it.
    fn share_lines(&mut self, limit: f64, far: i32) {
        loop {
            let lines: Vec<usize> = self.lines().collect();
            let pairs = lines.iter().flat_map(|&a| lines.iter().map(move |&b| (a, b))).filter(|(a, b)| a < b);
            let mut best: Option<((usize, usize), Vec<i32>)> = None;
            let mut least = f64::MAX;
            for (a, b) in pairs {
                let apart = |column: &Column| (column.points[a] - column.points[b]).abs() > far;
                if self.columns.iter().any(apart) {
                    continue;
                }
                let rows = [&self.members[a][..], &self.members[b]].concat();
                let (mut points, mut added) = (Vec::new(), 0.0);
                for column in &mut self.columns {
                    let (shared, cost) = column.shared(&self.line_of, (a, b), &rows);
                    points.push(shared);
                    added += cost;
                    if added >= least {
                        break;
                    }
                }
                if added < least {
                    (least, best) = (added, Some(((a, b), points)));
                }
            }
            let Some(((a, b), points)) = best else { return };
            let mut next = self.clone();
            let taken = std::mem::take(&mut next.members[b]);
            taken.iter().for_each(|&row| next.line_of[row] = a);
            next.members[a].extend(taken);
            next.columns.iter_mut().zip(points).for_each(|(column, points)| column.points[a] = points);
            next.improve();
            if next.cost() >= limit {
                return;
            }
            *self = next;
        }
    }

    /// Merges neighboring columns, those with the least cost first, as long as the limit allows it.
    fn share_columns(&mut self, limit: f64) {
        loop {
            let joined = |at: usize| {
                let (left, right) = (&self.columns[at], &self.columns[at + 1]);
                let mut losses = left.losses.clone();
                for (key, lost) in &right.losses {
                    let sum = losses.entry(*key).or_default();
                    *sum = (sum.0 + lost.0, sum.1 + lost.1);
                }
                let ups = [&left.ups[..], &right.ups].concat();
                let mut next = self.clone();
                next.columns[at] = Column::new(ups, losses, left.points.clone());
                next.columns.remove(at + 1);
                next.columns[at].improve(&self.line_of, &self.members);
                next
            };
            let all = (0..self.columns.len().saturating_sub(1)).map(joined);
            let best = all.map(|chart| (chart.cost(), chart)).min_by(|a, b| a.0.total_cmp(&b.0));
            match best {
                Some((cost, chart)) if cost < limit => *self = chart,
                _ => return,
            }
        }
    }

    /// Returns the rule in a form for people: no negative points, and lines with the most points first.
    fn readable(&self, never: f64) -> SwitchRule {
        let least = |column: &Column| self.lines().map(|line| column.points[line]).min().unwrap_or(0);
        let line = |line: usize| {
            let mut rows = self.members[line].clone();
            rows.sort_unstable();
            let points = self.columns.iter().map(|column| column.points[line] - least(column)).collect();
            ChartLine { hands: rows.into_iter().map(label).collect(), points }
        };
        let mut lines: Vec<ChartLine> = self.lines().map(line).collect();
        lines.sort_by_key(|line| -line.points.iter().sum::<i32>());
        let ups = |column: &Column| column.ups.iter().map(|&up| LETTERS[up]).collect::<String>();
        SwitchRule { columns: self.columns.iter().map(ups).collect(), lines, cost: self.cost(), never }
    }
}

/// Returns the average value of each kind of two cards beside other hands, by upcard.
fn row_values(switch: &Switch<f64>) -> [[f64; RANKS]; ROWS] {
    let mut sums = [[(0.0, 0.0); RANKS]; ROWS];
    for cards in Rank::twos() {
        for (other, dealt) in TwoCards::all().flat_map(|other| [(other, true), (other, false)]) {
            let Some(beheld) = switch.hand(TwoCards::of(cards), other) else { continue };
            let values = if dealt { &beheld.dealt } else { &beheld.switched };
            for (sum, value) in sums[row(cards, dealt)].iter_mut().zip(values) {
                *sum = (sum.0 + value, sum.1 + 1.0);
            }
        }
    }
    sums.map(|ups| ups.map(|(sum, n)| if n > 0.0 { sum / n } else { 0.0 }))
}

/// Returns the kinds of two cards that the table's shoe can deal.
fn rows(table: &Table<'_>) -> Vec<usize> {
    let shoe = table.shoe();
    let mut rows: Vec<usize> = Rank::twos()
        .filter(|cards| cards.iter().all(|&r| shoe[r] > 0))
        .flat_map(|cards| [row(cards, true), row(cards, false)])
        .collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{lowest_and_highest, points};
    use crate::switch::twos;

    #[test]
    fn every_two_cards_have_one_row() {
        use Rank::*;
        assert_eq!([row([ACE, TEN], true), row([TEN, ACE], false)], [NATURAL, SWITCHED_21]);
        assert_eq!(
            [row([Five; 2], true), row([ACE, Seven], false), row([Seven, Three], true)].map(label),
            ["55", "A7", "10"]
        );
        for cards in twos() {
            let ranks = lowest_and_highest(&cards).unwrap();
            let named = label(row(ranks, true));
            let total = points(&cards).total;
            assert!(ranks[0] == ranks[1] || ranks[0] == ACE || named == total.to_string(), "{named} {total}");
        }
    }

    /// The reported cost is that of the reported points, computed again deal by deal.
    #[test]
    fn a_chart_costs_what_it_says_and_less_than_asked() {
        let choices = rules::preset::preset("nj-switch").unwrap();
        let table = Table::new(&choices, crate::table::Attacked::No);
        let rule = switch_rule(&table, 1e-4).unwrap();
        assert!(rule.cost < 1e-4 && rule.never > 0.05 && rule.lines.len() <= 20, "{rule:?}");
        let points_of = |up: Upcard, hand: [Rank; 2], dealt: bool| {
            let column = rule.columns.iter().position(|ups| ups.contains(LETTERS[up.rank()])).unwrap();
            let name = label(row(hand, dealt));
            rule.lines.iter().find(|line| line.hands.contains(&name)).unwrap().points[column]
        };
        let round =
            Round { table: &table, play_choice: PlayChoice::Best(AfterSplit::AsDealt), followed: None };
        let (mut best, mut by_rule) = (0.0, 0.0);
        round.switch::<f64>().each_deal(|chance, decision, (first, second, up)| {
            let stay = points_of(up, first, true) + points_of(up, second, true);
            let change =
                points_of(up, [first[0], second[1]], false) + points_of(up, [second[0], first[1]], false);
            best += chance * decision.keep.max(decision.switch);
            by_rule += chance * if change > stay { decision.switch } else { decision.keep };
        });
        assert!(((best - by_rule) / 2.0 - rule.cost).abs() < 1e-12, "{best} {by_rule} {}", rule.cost);
    }
}
