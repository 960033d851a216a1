//! A rule for switching that a person can keep: every two cards have points, by few groups of up cards, and the second
//! cards change places where that makes more points. The simplest such list is searched that costs less than a limit.

use crate::cards::{ACE, RANKS, TEN};
use crate::play::{AfterSplit, Way};
use crate::stack::LETTERS;
use crate::switch::{Switch, two, twos};
use crate::table::Table;
use crate::threads::{each_in_turn, threads};
use crate::whole::Round;
use std::collections::BTreeMap;

/// The rows of a rule: hard totals, soft totals, pairs, ace and ten by a switch, and a blackjack as dealt.
const HARD: usize = 0;
const SOFT: usize = 20;
const PAIRS: usize = 32;
const MADE: usize = 42;
const NATURAL: usize = 43;
const ROWS: usize = 44;
/// The up cards as people name them: two first, ace last.
const ORDER: [usize; RANKS] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];
/// How many points a unit is worth: the scales that are tried, the coarsest first.
const SCALES: [f64; 14] = [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0, 60.0];
/// The most lines of a list, the names of its groups included.
const MOST_LINES: usize = 400;

/// Points of every row in one group of up cards.
type Points = [i32; ROWS];

/// Points, and the hands that have them.
pub type Pointed = (i32, Vec<String>);

/// A list of rules, with what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchRule {
    /// For each group: the up cards, and the points with the hands that have them, most points first.
    pub groups: Vec<(String, Vec<Pointed>)>,
    /// What it loses to the best switch, in units of both initial wagers.
    pub cost: f64,
    /// How many lines the list has, the names of its groups included.
    pub lines: usize,
    /// What never to switch loses.
    pub never: f64,
}

/// Deals that a rule cannot tell apart: the rows of both hands as dealt and as switched, what it loses to keep them where
/// the switch is better, and what it loses to switch where it is worse.
#[derive(Clone, Copy)]
struct Deal {
    keep: [usize; 2],
    change: [usize; 2],
    kept: f64,
    switched: f64,
}

impl Deal {
    fn lost(&self, points: &Points) -> f64 {
        let sum = |rows: [usize; 2]| points[rows[0]] + points[rows[1]];
        if sum(self.change) > sum(self.keep) { self.switched } else { self.kept }
    }
}

/// By rows as dealt and as switched: what it loses to keep, and to switch.
type Losses = BTreeMap<[[usize; 2]; 2], (f64, f64)>;
/// What runs of up cards cost, and which they are: the place of each run, and which of its lists.
type Made = Option<(f64, Vec<(usize, usize)>)>;

/// The points of one group, with what they cost.
#[derive(Clone)]
struct Part {
    points: Points,
    cost: f64,
    lines: usize,
}

fn row(a: usize, b: usize, dealt: bool) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    match (low, high) {
        (ACE, TEN) if dealt => NATURAL,
        (ACE, TEN) => MADE,
        (low, high) if low == high => PAIRS + low,
        (ACE, high) => SOFT + high,
        (low, high) => HARD + low + high - 2,
    }
}

fn label(row: usize) -> String {
    match row {
        NATURAL => "blackjack".to_string(),
        MADE => "AT".to_string(),
        PAIRS.. => format!("{0}{0}", LETTERS[row - PAIRS]),
        SOFT.. => format!("A{}", LETTERS[row - SOFT]),
        _ => (row - HARD + 4).to_string(),
    }
}

/// The simplest list of rules for a table with a switch that costs less than this, with best play of the hands.
pub fn switch_rule(table: &Table<'_>, limit: f64) -> Option<SwitchRule> {
    let round = Round { table, way: Way::Best(AfterSplit::AsDealt), followed: None };
    let switch = round.switch::<f64>();
    let mut deals: Vec<Losses> = vec![Losses::new(); RANKS];
    let mut never = 0.0;
    switch.each_deal(|chance, decision, (first, second, up)| {
        let sorted = |a: usize, b: usize| [a.min(b), a.max(b)];
        let keep = sorted(row(first[0], first[1], true), row(second[0], second[1], true));
        let change = sorted(row(first[0], second[1], false), row(second[0], first[1], false));
        // both wagers are the unit
        let gain = chance * (decision.switch - decision.keep) / 2.0;
        never += gain.max(0.0);
        let lost = deals[up].entry([keep, change]).or_default();
        *lost = (lost.0 + gain.max(0.0), lost.1 - gain.min(0.0));
    });
    let worth = worth(&switch);
    let rows = rows(table);
    // of every run of neighbouring up cards, the lists of points that cost least for their length
    let parts = |from: usize, to: usize| -> Vec<Part> {
        let ups = &ORDER[from..to];
        let mut all: Losses = Losses::new();
        for (key, lost) in ups.iter().flat_map(|&u| &deals[u]) {
            let sum = all.entry(*key).or_default();
            *sum = (sum.0 + lost.0, sum.1 + lost.1);
        }
        let all: Vec<Deal> = all
            .into_iter()
            .map(|([keep, change], (kept, switched))| Deal { keep, change, kept, switched })
            .collect();
        let mean = |row: usize| ups.iter().map(|&u| worth[row][u]).sum::<f64>() / ups.len() as f64;
        SCALES.iter().map(|scale| part(&all, &rows, |row| (mean(row) * scale).round() as i32)).collect()
    };
    let runs: Vec<(usize, usize)> =
        (0..RANKS).flat_map(|from| (from + 1..=RANKS).map(move |to| (from, to))).collect();
    let found = each_in_turn(&runs, threads(), |&(from, to)| parts(from, to));
    let chosen = fewest_lines(&runs, &found, limit)?;
    let groups: Vec<(&[usize], &Part)> =
        chosen.iter().map(|&(run, nth)| (&ORDER[runs[run].0..runs[run].1], &found[run][nth])).collect();
    Some(told(&rows, &groups, never))
}

/// What each row is worth on average beside other hands, by up card.
fn worth(switch: &Switch<f64>) -> [[f64; RANKS]; ROWS] {
    let mut sums = [[(0.0, 0.0); RANKS]; ROWS];
    for (a, b) in (0..RANKS).flat_map(|a| (a..RANKS).map(move |b| (a, b))) {
        for (other, dealt) in (0..twos().len()).flat_map(|other| [(other, true), (other, false)]) {
            let Some(beheld) = switch.hand(two(a, b), other) else { continue };
            let values = if dealt { &beheld.dealt } else { &beheld.switched };
            for (sum, value) in sums[row(a, b, dealt)].iter_mut().zip(values) {
                *sum = (sum.0 + value, sum.1 + 1.0);
            }
        }
    }
    sums.map(|ups| ups.map(|(sum, n)| if n > 0.0 { sum / n } else { 0.0 }))
}

/// The rows that two cards of the table can have.
fn rows(table: &Table<'_>) -> Vec<usize> {
    let shoe = table.shoe();
    let mut rows: Vec<usize> = (0..RANKS)
        .flat_map(|a| (a..RANKS).map(move |b| (a, b)))
        .filter(|&(a, b)| shoe[a] > 0 && shoe[b] > 0)
        .flat_map(|(a, b)| [row(a, b, true), row(a, b, false)])
        .collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Points that begin as they are given and are changed one by one as long as that costs less.
fn part(deals: &[Deal], rows: &[usize], given: impl Fn(usize) -> i32) -> Part {
    let mut points: Points = std::array::from_fn(given);
    let mut of_row: Vec<Vec<Deal>> = vec![Vec::new(); ROWS];
    for deal in deals {
        let mut touched: Vec<usize> = deal.keep.iter().chain(&deal.change).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().for_each(|row| of_row[row].push(*deal));
    }
    loop {
        let mut better = false;
        for &row in rows {
            let cost = |points: &Points| of_row[row].iter().map(|deal| deal.lost(points)).sum::<f64>();
            for by in [-1, 1] {
                let before = cost(&points);
                points[row] += by;
                if cost(&points) < before - 1e-13 { better = true } else { points[row] -= by }
            }
        }
        if !better {
            break;
        }
    }
    let mut levels: Vec<i32> = rows.iter().map(|&row| points[row]).collect();
    levels.sort_unstable();
    levels.dedup();
    Part { points, cost: deals.iter().map(|deal| deal.lost(&points)).sum(), lines: levels.len() + 1 }
}

/// The runs that cover all up cards in the fewest lines and cost less than the limit: each with its place among the runs,
/// and which of its lists is taken.
fn fewest_lines(runs: &[(usize, usize)], found: &[Vec<Part>], limit: f64) -> Option<Vec<(usize, usize)>> {
    // by up cards covered and lines taken: the least cost, with what it is made of
    let mut best: Vec<Vec<Made>> = vec![vec![None; MOST_LINES + 1]; RANKS + 1];
    best[0][0] = Some((0.0, Vec::new()));
    for (run, &(from, to)) in runs.iter().enumerate() {
        // runs come in the order in which they begin, so that all that ends before is there
        for lines in 0..=MOST_LINES {
            let Some((cost, made)) = best[from][lines].clone() else { continue };
            for (nth, part) in found[run].iter().enumerate() {
                let (sum, long) = (cost + part.cost, lines + part.lines);
                if long <= MOST_LINES && best[to][long].as_ref().is_none_or(|known| sum < known.0) {
                    let made = made.iter().copied().chain([(run, nth)]).collect();
                    best[to][long] = Some((sum, made));
                }
            }
        }
    }
    best[RANKS].iter().flatten().find(|(cost, _)| *cost < limit).map(|(_, made)| made.clone())
}

fn told(rows: &[usize], groups: &[(&[usize], &Part)], never: f64) -> SwitchRule {
    let group = |(ups, part): &(&[usize], &Part)| {
        let points = &part.points;
        let ups: String = ups.iter().map(|&u| LETTERS[u]).collect();
        let mut levels: Vec<i32> = rows.iter().map(|&row| points[row]).collect();
        levels.sort_unstable_by(|a, b| b.cmp(a));
        levels.dedup();
        let least = levels.last().copied().unwrap_or(0);
        let hands = |level: i32| {
            rows.iter().filter(|&&row| points[row] == level).map(|&row| label(row)).collect::<Vec<_>>()
        };
        (ups, levels.iter().map(|&level| (level - least, hands(level))).collect())
    };
    SwitchRule {
        groups: groups.iter().map(group).collect(),
        cost: groups.iter().map(|(_, part)| part.cost).sum(),
        lines: groups.iter().map(|(_, part)| part.lines).sum(),
        never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::points;

    #[test]
    fn every_two_cards_have_one_row() {
        assert_eq!([row(0, 9, true), row(9, 0, false)], [NATURAL, MADE]);
        assert_eq!([row(4, 4, true), row(0, 6, false), row(6, 2, true)].map(label), ["55", "A7", "10"]);
        for cards in twos() {
            let ranks: Vec<usize> =
                (0..RANKS).flat_map(|r| std::iter::repeat_n(r, usize::from(cards[r]))).collect();
            let named = label(row(ranks[0], ranks[1], true));
            let total = points(&cards).total;
            assert!(ranks[0] == ranks[1] || ranks[0] == ACE || named == total.to_string(), "{named} {total}");
        }
    }

    /// The cost is counted anew here from the points as they are told, deal by deal.
    #[test]
    fn a_list_costs_what_it_says_and_less_than_asked() {
        let choices = rules::preset::preset("nj-switch").unwrap();
        let table = Table::new(&choices, crate::table::Attacked::No);
        let rule = switch_rule(&table, 1e-4).unwrap();
        assert!(rule.cost < 1e-4 && rule.never > 0.05 && rule.lines < 200, "{rule:?}");
        let points_of = |up: usize, hand: [usize; 2], dealt: bool| {
            let (_, levels) = rule.groups.iter().find(|(ups, _)| ups.contains(LETTERS[up])).unwrap();
            let name = label(row(hand[0], hand[1], dealt));
            levels.iter().find(|(_, hands)| hands.contains(&name)).unwrap().0
        };
        let round = Round { table: &table, way: Way::Best(AfterSplit::AsDealt), followed: None };
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
