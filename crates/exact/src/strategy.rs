//! Strategy charts of a table: the best action in every box, and what the second-best would lose.

use crate::cards::{ACE, Counts, RANKS, TEN, plus, points};
use crate::dealer::{Seen, seen_states};
use crate::game::{Strategy, by_first_card, solve, sum};
use crate::hands::Index;
use crate::judge::{Blackjack, Judge, Measure};
use crate::round::Solved;
use crate::solve::Solver;
use crate::switch::twos;
use crate::table::{Attacked, Table};
use crate::turn::Action;
use rules::{Game, Rules};

/// The charts of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Charts {
    /// The table's name.
    pub table: String,
    /// The play that they show.
    pub strategy: &'static str,
    /// What the columns stand for: the dealer's visible cards.
    pub columns: Vec<String>,
    /// The charts: hard, soft, pairs, and those of the game's own options.
    pub sections: Vec<Section>,
}

/// One chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its name.
    pub title: &'static str,
    /// What its boxes mean.
    pub legend: &'static str,
    /// Its rows.
    pub rows: Vec<ChartRow>,
}

/// One row: a total, a pair, a first card.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartRow {
    /// What the row stands for.
    pub label: String,
    /// One box for each column.
    pub boxes: Vec<ChartBox>,
}

/// One box.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartBox {
    /// What to do: `S`, `H`, `D` or `Ds`, `P`, `R` …, or `yes` and `no`.
    pub action: String,
    /// The value of doing it, in units of the initial wager.
    pub ev: f64,
    /// The second-best action, if there is a choice.
    pub second: Option<String>,
    /// What the second-best action would lose.
    pub loss: f64,
    /// Two-card hands of the row that are better played otherwise, with their best action.
    pub exceptions: Vec<String>,
}

/// The charts of a table under a strategy that is best for each hand.
pub fn strategy(rules: &Rules, strategy: &Strategy) -> Charts {
    let table = Table::new(rules.choices(), Attacked::No);
    let states = seen_states(table.seen());
    let mut charts = Charts {
        table: rules.choices().name.clone(),
        strategy: strategy.name(),
        columns: states.iter().map(label).collect(),
        sections: Vec::new(),
    };
    match table.seen() {
        Seen::UpCard => sections::<RANKS>(&table, strategy, &mut charts),
        Seen::BothCards => sections::<55>(&table, strategy, &mut charts),
    }
    charts
}

const LETTERS: [char; RANKS] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'];

fn label(cards: &Counts) -> String {
    (0..RANKS).flat_map(|r| std::iter::repeat_n(LETTERS[r], usize::from(cards[r]))).collect()
}

fn sections<const U: usize>(table: &Table<'_>, strategy: &Strategy, charts: &mut Charts) {
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = solve(&solver, &dealer, strategy);
    let view = View { table, solver: &solver, solved: &solved };
    let legend = "S stand, H hit, D double, P split, R surrender; a small letter is what to do where the first is not allowed";
    let hard = (5..=20).map(|total| (format!("{total}"), twos_of(total, false)));
    let soft = (13..=20).map(|total| (format!("A{}", total - 11), twos_of(total, true)));
    let pairs =
        (0..RANKS).map(|r| (label(&plus(plus([0; RANKS], r), r)), vec![plus(plus([0; RANKS], r), r)]));
    charts.sections.push(Section { title: "hard", legend, rows: view.rows(hard, Pairs::Unsplit) });
    charts.sections.push(Section { title: "soft", legend, rows: view.rows(soft, Pairs::Unsplit) });
    charts.sections.push(Section { title: "pairs", legend, rows: view.rows(pairs, Pairs::Split) });
    charts.sections.extend(options(table, strategy));
}

/// All two-card hands of a total.
fn twos_of(total: u8, soft: bool) -> Vec<Counts> {
    let of = |c: &Counts| points(c).total == total && points(c).soft == soft;
    twos().into_iter().filter(of).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Pairs {
    Split,
    Unsplit,
}

struct View<'a, 'j, const U: usize> {
    table: &'a Table<'j>,
    solver: &'a Solver<'a, Table<'j>, f64, U>,
    solved: &'a Solved<'a, 'a, Table<'j>, f64, U>,
}

impl<const U: usize> View<'_, '_, U> {
    fn rows(&self, rows: impl Iterator<Item = (String, Vec<Counts>)>, pairs: Pairs) -> Vec<ChartRow> {
        rows.map(|(label, hands)| ChartRow {
            label,
            boxes: (0..U).map(|u| self.cell(&hands, u, pairs)).collect(),
        })
        .collect()
    }

    /// One box: the actions' values averaged over the hands, as often as each is dealt.
    fn cell(&self, hands: &[Counts], u: usize, pairs: Pairs) -> ChartBox {
        let states = seen_states(self.table.seen());
        let mut sums: Vec<(Action, f64)> = Vec::new();
        let mut weight = 0.0;
        let mut single = Vec::new();
        for cards in hands {
            let Some(i) = self.solver.hands.find(cards) else {
                continue;
            };
            let mut values = self.values(i, u, pairs);
            let w = self.chance(cards, &states, u);
            weight += w;
            for &(action, value) in &values {
                match sums.iter_mut().find(|(a, _)| *a == action) {
                    Some((_, sum)) => *sum += w * value,
                    None => sums.push((action, w * value)),
                }
            }
            values.sort_by(|a, b| b.1.total_cmp(&a.1));
            single.extend(values.first().map(|v| (label(cards), v.0)));
        }
        sums.iter_mut().for_each(|(_, sum)| *sum /= if weight > 0.0 { weight } else { 1.0 });
        sums.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (best, ev) = sums.first().copied().unwrap_or((Action::Stand, 0.0));
        let second = sums.get(1);
        ChartBox {
            action: code(best, &sums),
            ev,
            second: second.map(|s| letter(s.0).to_string()),
            loss: second.map_or(0.0, |s| ev - s.1),
            exceptions: single
                .into_iter()
                .filter(|(_, action)| *action != best)
                .map(|(cards, action)| format!("{cards} {}", letter(action)))
                .collect(),
        }
    }

    fn values(&self, i: Index, u: usize, pairs: Pairs) -> Vec<(Action, f64)> {
        let Some(turn) = self.solved.base.turns[i as usize].as_ref() else {
            return Vec::new();
        };
        let blackjack = match self.table.blackjack() {
            Blackjack::BeforePlay => self.solver.dealer_blackjack(i)[u],
            Blackjack::AfterPlay => 0.0,
        };
        // Against a dealer's blackjack in sight there is nothing to decide.
        let given = if blackjack < 1.0 { 1.0 - blackjack } else { 1.0 };
        let mut values = vec![(Action::Stand, turn.stand[u] / given)];
        for (allowed, action) in [
            (turn.may.hit, Action::Hit),
            (turn.may.double, Action::Double),
            (turn.may.surrender, Action::Surrender),
        ] {
            if allowed {
                values.push((action, turn.value(action, u) / given));
            }
        }
        let rank = self.solver.hand(i).cards.iter().position(|&n| n == 2);
        if let (Pairs::Split, Some(rank)) = (pairs, rank) {
            let split = self.solved.split_values.iter().find(|(r, _)| *r == rank);
            values.extend(split.map(|(_, row)| (Action::Split, row[u] / given)));
        }
        values
    }

    fn chance(&self, cards: &Counts, states: &[Counts], u: usize) -> f64 {
        let pair = cards.contains(&2);
        let ranks: Vec<usize> = (0..RANKS).filter(|&r| cards[r] > 0).collect();
        let count = |r: usize| f64::from(self.solver.shoe[r]);
        let orders = match ranks[..] {
            [r] if pair => count(r) * (count(r) - 1.0),
            [a, b] => 2.0 * count(a) * count(b),
            _ => 0.0,
        };
        orders * self.solver.state_chances(cards, states)[u]
    }
}

/// The letters of a box: the action, and what to do where it is not allowed.
fn code(best: Action, sums: &[(Action, f64)]) -> String {
    let otherwise = sums.iter().find(|(a, _)| matches!(a, Action::Stand | Action::Hit));
    match (best, otherwise) {
        (Action::Double | Action::Surrender, Some((a, _))) => {
            format!("{}{}", letter(best), letter(*a).to_ascii_lowercase())
        }
        _ => letter(best).to_string(),
    }
}

fn letter(action: Action) -> char {
    match action {
        Action::Stand => 'S',
        Action::Hit => 'H',
        Action::Double => 'D',
        Action::Split => 'P',
        Action::Surrender => 'R',
    }
}

fn yes_no(value: f64, otherwise: f64) -> ChartBox {
    let (action, second) = if value > otherwise { ("yes", "no") } else { ("no", "yes") };
    ChartBox {
        action: action.to_string(),
        ev: value.max(otherwise),
        second: Some(second.to_string()),
        loss: (value - otherwise).abs(),
        exceptions: Vec::new(),
    }
}

/// The charts of the options that only one game has.
fn options(table: &Table<'_>, strategy: &Strategy) -> Vec<Section> {
    if table.seen() == Seen::BothCards {
        return Vec::new();
    }
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = solve(&solver, &dealer, strategy);
    let states = seen_states(table.seen());
    match table.choices().game {
        Game::Blackjack => Vec::new(),
        Game::Switch => vec![values_of_hands(&solver, &solved)],
        Game::DoubleAttack => {
            let attacked = Table::new(table.choices(), Attacked::Yes);
            let doubled = solver.judged_by(&attacked);
            let again = solved.again(&doubled).unwrap_or_else(|| solve(&doubled, &dealer, strategy));
            let chance = solver.state_chances(&[0; RANKS], &states);
            let (once, twice) = (solved.round(Measure::Net), again.round(Measure::Net));
            let boxes = (0..RANKS).map(|u| yes_no(twice[u] / chance[u], once[u] / chance[u])).collect();
            let rows = vec![ChartRow { label: "attack".to_string(), boxes }];
            vec![Section {
                title: "attack",
                legend: "whether to place the double attack wager, by the up card",
                rows,
            }]
        }
        Game::TripleAttack => triple_attack(&solver, &solved, &states),
    }
}

fn triple_attack(
    solver: &Solver<'_, Table<'_>, f64, RANKS>,
    solved: &Solved<'_, '_, Table<'_>, f64, RANKS>,
    states: &[Counts],
) -> Vec<Section> {
    let net = by_first_card(solved, &solved.rounds(Measure::Net));
    let all: f64 = solver.shoe.iter().map(|&n| f64::from(n)).sum();
    let first = |r: usize| f64::from(solver.shoe[r]) / all;
    let second = (0..RANKS).map(|r| yes_no(2.0 * sum(&net[r]) / first(r), sum(&net[r]) / first(r))).collect();
    let third = (0..RANKS).map(|r| {
        let up = solver.state_chances(&plus([0; RANKS], r), states);
        let value = |u: usize| net[r][u] / (first(r) * up[u]);
        let boxes = (0..RANKS).map(|u| yes_no(2.0 * value(u), value(u))).collect();
        ChartRow { label: LETTERS[r].to_string(), boxes }
    });
    vec![
        Section {
            title: "second attack",
            legend: "whether to place the second attack wager; the columns are the own first card",
            rows: vec![ChartRow { label: "second".to_string(), boxes: second }],
        },
        Section {
            title: "third attack",
            legend: "whether to place the third attack wager, by the own first card and the up card",
            rows: third.collect(),
        },
    ]
}

/// Switch: the value of every two cards; of two ways to lay out four cards the better has the greater sum.
fn values_of_hands(
    solver: &Solver<'_, Table<'_>, f64, RANKS>,
    solved: &Solved<'_, '_, Table<'_>, f64, RANKS>,
) -> Section {
    let mut rows = Vec::new();
    for cards in twos() {
        let Some(i) = solver.hands.find(&cards) else {
            continue;
        };
        let value = |u: usize| {
            let ev = solved.value(i, u);
            let action = letter(solved.first[i as usize].action[u]).to_string();
            ChartBox { action, ev, second: None, loss: 0.0, exceptions: Vec::new() }
        };
        let mut row = ChartRow { label: label(&cards), boxes: (0..RANKS).map(value).collect() };
        if cards[ACE] == 1 && cards[TEN] == 1 {
            row.label = "AT dealt".to_string();
        }
        rows.push(row);
    }
    Section {
        title: "switch",
        legend: "the value of each two cards: switch where the two new hands have the greater sum",
        rows,
    }
}
