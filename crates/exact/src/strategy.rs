//! Strategy charts of a table: the best action in every cell, and the loss of the second-best action.

use crate::cards::{Counts, Index, each_card, lowest_and_highest, pair_of, plus, points, rank_of_pair};
use crate::game::{Strategy, play_choice};
use crate::given::{Followed, from_rules};
use crate::hands::{Hand, Suits};
use crate::judge::{Blackjack, Judge, Measure};
use crate::play::PlayChoice;
use crate::round::{Solved, by_first_card};
use crate::seen::{Seen, seen_states, sum};
use crate::solve::Solver;
use crate::stack::LETTERS;
use crate::switch::{switched_21, twos};
use crate::table::{Attacked, Table};
use crate::total::weights;
use crate::turn::Action;
use crate::vocabulary::{ACE, RANKS, Rank, TEN, Upcard, by_up};
use program::chart::{Kind, Take};
use rules::Choices;
use rules::text::Form;

/// The strategy charts of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Charts {
    /// The name of the table.
    pub table: String,
    /// The name of the strategy that the charts show.
    pub strategy: &'static str,
    /// The column headings: the dealer's visible cards, such as `A` or `T`.
    pub columns: Vec<String>,
    /// The charts: hard, soft, pairs, hands of more cards, and the options that only this game has.
    pub sections: Vec<Section>,
    /// Whether the player takes even money, or `None` if the strategy follows no chart.
    pub even_money: Option<bool>,
}

/// A chart of a table, such as the one for hard totals.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The name of the chart, such as `hard` or `pairs`.
    pub title: String,
    /// An explanation of the letters in the chart's cells.
    pub legend: &'static str,
    /// The rows of the chart.
    pub rows: Vec<ChartRow>,
}

/// One row of a chart, for a total, a pair or a first card.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartRow {
    /// The label of the row, such as `16`, `A7` or `88`.
    pub label: String,
    /// The cells of the row, one per column.
    pub boxes: Vec<ChartBox>,
}

/// One cell of a chart, with its best action.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartBox {
    /// The action: `S`, `H`, `D` or `Ds`, `P`, `R` …, or `yes` and `no`.
    pub action: String,
    /// The action's value, in units of the initial bet.
    pub ev: f64,
    /// The second-best action, or `None` if only one action is legal.
    pub second: Option<String>,
    /// How much less the second-best action is worth than the cell's action, in units of the initial bet.
    pub loss: f64,
    /// Two-card hands of the cell for which another action is better, each with that action, such as `6T S`.
    pub exceptions: Vec<String>,
}

/// Returns the charts of a table under a strategy, dealt from a full shoe.
///
/// A program can read the charts of a total-dependent strategy back as the same strategy.
pub fn strategy(choices: &Choices, strategy: &Strategy) -> Charts {
    strategy_at(&Table::new(choices, Attacked::No), strategy)
}

/// Returns the charts of a table under a strategy, dealt from the table's shoe.
pub fn strategy_at(table: &Table<'_>, strategy: &Strategy) -> Charts {
    let states = seen_states(table.seen());
    let chart = strategy.chart(table);
    let mut charts = Charts {
        table: table.choices().name.clone(),
        strategy: strategy.name(),
        columns: states.iter().map(label).collect(),
        sections: Vec::new(),
        even_money: chart.as_ref().map(|chart| chart.even_money == Take::Always),
    };
    let followed = chart.as_ref().map(|chart| Followed::new(table, chart));
    let play_choice = play_choice(strategy, followed.as_ref());
    match table.seen() {
        Seen::UpCard => sections::<RANKS>(table, (play_choice, followed.as_ref()), &mut charts),
        _ => sections::<55>(table, (play_choice, followed.as_ref()), &mut charts),
    }
    if table.seen() == Seen::UpCard {
        charts.sections.extend(options(table, (play_choice, followed.as_ref())));
    }
    charts
}

fn label(cards: &Counts) -> String {
    each_card(cards).map(|r| LETTERS[r]).collect()
}

const LEGEND: &str = "S stand, H hit, D double, P split, R surrender; a lowercase letter is what to do if the first \
    is not allowed";

fn sections<const U: usize>(
    table: &Table<'_>,
    (play_choice, followed): (PlayChoice<'_>, Option<&Followed<'_>>),
    charts: &mut Charts,
) {
    let dealer = table.dealer::<f64, U>();
    let attacked = Table::new(table.choices(), Attacked::Yes).with_shoe(table.shoe());
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, play_choice);
    let doubled = solver.judged_by(&attacked);
    // With a double attack bet made, values are those of both bets.
    let attacks: Vec<bool> = Upcard::all::<U>().map(|u| followed.is_some_and(|f| f.attacks(u))).collect();
    let again = attacks.contains(&true).then(|| Solved::by(&doubled, &dealer, play_choice));
    let view =
        View { table, solver: &solver, solved: &solved, again: again.as_ref().zip(Some(&attacks)), followed };
    let twos = |kind: Kind, total: u8| twos_of(total, kind == Kind::Soft);
    let pairs = Rank::ALL.into_iter().map(|r| (label(&pair_of(r)), vec![pair_of(r)]));
    let mut add = |title: &str, rows| {
        charts.sections.push(Section { title: title.to_string(), legend: LEGEND, rows });
    };
    let initial = "initial".to_string();
    add("hard", view.rows(totals(Kind::Hard, 4..=20, &twos), &initial, Pairs::Unsplit));
    add("soft", view.rows(totals(Kind::Soft, 12..=20, &twos), &initial, Pairs::Unsplit));
    add("pairs", view.rows(pairs, &initial, Pairs::Split));
    // Hands of more cards have their own charts where a chart distinguishes them.
    let Some(chart) = followed.map(Followed::chart) else { return };
    for (name, words) in SECTIONS {
        let Some(section) = chart.sections.get(name) else { continue };
        let drawn = |kind: Kind, total: u8| view.hands_in(name, kind, total);
        for (kind, word, range) in [(Kind::Hard, "hard", 4..=21), (Kind::Soft, "soft", 12..=21)] {
            let named = range.filter(|&total| section.contains_key(&(kind, total)));
            let rows: Vec<u8> = named.collect();
            if !rows.is_empty() {
                let rows = totals(kind, rows.into_iter(), &drawn);
                add(&format!("{word}, {words}"), view.rows(rows, name, Pairs::Unsplit));
            }
        }
    }
}

/// The names and the titles of the chart's sections, except the section of first two-card hands.
const SECTIONS: [(&str, &str); 5] = [
    ("cards-3", "3 cards"),
    ("cards-4", "4 cards"),
    ("cards-5", "5 cards"),
    ("drawn", "more cards"),
    ("doubled", "doubled"),
];

/// Returns the label of each total's row, with the hands of that total.
fn totals<'a>(
    kind: Kind,
    totals: impl Iterator<Item = u8> + 'a,
    hands: &'a dyn Fn(Kind, u8) -> Vec<Counts>,
) -> impl Iterator<Item = (String, Vec<Counts>)> + 'a {
    totals.map(move |total| {
        let label = match (kind, total) {
            (Kind::Soft, 12) => "AA".to_string(),
            (Kind::Soft, 21) => "AT".to_string(),
            (Kind::Soft, _) => format!("A{}", total - 11),
            _ => total.to_string(),
        };
        (label, hands(kind, total))
    })
}

/// Returns all two-card hands of a total.
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
    /// The solution with a double attack bet, and whether the bet is made in each visible state.
    again: Option<(&'a Solved<'a, 'a, Table<'j>, f64, U>, &'a Vec<bool>)>,
    followed: Option<&'a Followed<'a>>,
}

impl<const U: usize> View<'_, '_, U> {
    fn rows(
        &self,
        rows: impl Iterator<Item = (String, Vec<Counts>)>,
        section: &str,
        pairs: Pairs,
    ) -> Vec<ChartRow> {
        rows.map(|(label, hands)| ChartRow {
            label,
            boxes: Upcard::all::<U>().map(|u| self.cell(&hands, u, (section, pairs))).collect(),
        })
        .collect()
    }

    /// Returns all hands of a total that belong to a section.
    fn hands_in(&self, section: &str, kind: Kind, total: u8) -> Vec<Counts> {
        let of = |hand: &&Hand| {
            let points = (hand.points.total, hand.points.soft) == (total, kind == Kind::Soft);
            let sized = match section {
                "doubled" => hand.size > 2,
                name => crate::total::section(self.table.choices(), hand.size) == name,
            };
            points && sized && hand.suits == Suits::Any
        };
        self.solver.hands.list.iter().filter(of).map(|hand| hand.cards).collect()
    }

    /// Returns one box: the values of the actions, averaged over the hands by how often each is dealt.
    fn cell(&self, hands: &[Counts], u: Upcard, (section, pairs): (&str, Pairs)) -> ChartBox {
        let mut sums: Vec<(Action, f64)> = Vec::new();
        let mut weight = 0.0;
        let mut single = Vec::new();
        for cards in hands {
            let Some(i) = self.solver.hands.find(cards) else {
                continue;
            };
            let mut values = self.values(i, u, (section, pairs));
            let w = weights(self.solver, self.solver.hand(i))[u];
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
        let charted = self.charted(hands, u, (section, pairs));
        if let Some(done) = charted.first() {
            // The chart averages over all hands of its cell, of which these may be only some.
            sums.sort_by_key(|(action, _)| action != done);
        }
        let (best, ev) = sums.first().copied().unwrap_or((Action::Stand, 0.0));
        let second = sums.get(1);
        ChartBox {
            action: if charted.is_empty() { code(best, &sums) } else { spelled(&charted) },
            ev,
            second: second.map(|s| letter(s.0).to_string()),
            loss: second.map_or(0.0, |s| ev - s.1),
            exceptions: match section {
                "initial" => single
                    .into_iter()
                    .filter(|(_, action)| *action != best)
                    .map(|(cards, action)| format!("{cards} {}", letter(action)))
                    .collect(),
                _ => Vec::new(),
            },
        }
    }

    /// Returns the chart's actions in a box, or none if no chart is followed.
    fn charted(&self, hands: &[Counts], u: Upcard, (section, pairs): (&str, Pairs)) -> Vec<Action> {
        let Some((chart, cards)) = self.followed.map(Followed::chart).zip(hands.first()) else {
            return Vec::new();
        };
        let points = points(cards);
        let row = match pairs {
            Pairs::Split => (Kind::Pairs, lowest_and_highest(cards).map_or(ACE, |[low, _]| low).count()),
            Pairs::Unsplit => (if points.soft { Kind::Soft } else { Kind::Hard }, points.total),
        };
        let column = label(&seen_states(self.table.seen())[u]);
        let cell = chart.cell(&[section.to_string()], row, &column);
        cell.map_or_else(Vec::new, |cell| cell.0.iter().map(|&a| from_rules(a)).collect())
    }

    fn values(&self, i: Index, u: Upcard, (section, pairs): (&str, Pairs)) -> Vec<(Action, f64)> {
        let solved = match self.again {
            Some((again, attacks)) if attacks[u] => again,
            _ => self.solved,
        };
        let Some(turn) = solved.base.turns[i as usize].as_ref() else {
            return Vec::new();
        };
        let blackjack = match self.table.blackjack() {
            Blackjack::BeforePlay => self.solver.dealer_blackjack(i)[u],
            Blackjack::AfterPlay => 0.0,
        };
        // Against a visible dealer's blackjack there is nothing to decide.
        let given = if blackjack < 1.0 { 1.0 - blackjack } else { 1.0 };
        if section == "doubled" {
            return vec![
                (Action::Stand, turn.doubled[u] / given),
                (Action::Surrender, turn.surrendered_doubled[u] / given),
            ];
        }
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
        let rank = rank_of_pair(&self.solver.hand(i).cards);
        if let (Pairs::Split, Some(rank)) = (pairs, rank) {
            let split = solved.split_values.iter().find(|(r, _)| *r == rank);
            values.extend(split.map(|(_, row)| (Action::Split, row[u] / given)));
        }
        values
    }
}

/// Returns the letters of a chart's box: the first action in upper case, the others in lower case.
fn spelled(actions: &[Action]) -> String {
    let mut letters = actions.iter().map(|&action| letter(action));
    letters.next().into_iter().chain(letters.map(|l| l.to_ascii_lowercase())).collect()
}

/// Returns the letters of a box: the best action, then the alternatives where it is not allowed.
///
/// The letters end with the first action that is always allowed. For a pair this is the split, since other actions are
/// found at its total.
fn code(best: Action, sums: &[(Action, f64)]) -> String {
    let mut actions = vec![best];
    if matches!(best, Action::Double | Action::Surrender) {
        for &(action, _) in sums.iter().skip(1) {
            actions.push(action);
            if matches!(action, Action::Stand | Action::Hit | Action::Split) {
                break;
            }
        }
    }
    spelled(&actions)
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

fn yes_no(yes: bool, value: f64, otherwise: f64) -> ChartBox {
    let (action, second) = if yes { ("yes", "no") } else { ("no", "yes") };
    let (ev, other) = if yes { (value, otherwise) } else { (otherwise, value) };
    ChartBox {
        action: action.to_string(),
        ev,
        second: Some(second.to_string()),
        loss: ev - other,
        exceptions: Vec::new(),
    }
}

/// Returns the charts of the options that only one game has.
fn options(
    table: &Table<'_>,
    (play_choice, followed): (PlayChoice<'_>, Option<&Followed<'_>>),
) -> Vec<Section> {
    if table.choices().text().form() == Form::OneHand {
        return Vec::new();
    }
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, play_choice);
    let states = seen_states(table.seen());
    match table.choices().text().form() {
        Form::OneHand => Vec::new(),
        Form::TwoHands => vec![values_of_hands(&solver, &solved, (play_choice, followed))],
        Form::OneAttack => {
            let attacked = Table::new(table.choices(), Attacked::Yes).with_shoe(table.shoe());
            let doubled = solver.judged_by(&attacked);
            let again = Solved::by(&doubled, &dealer, play_choice);
            let chance = solver.state_chances(&[0; RANKS], &states);
            let (once, twice) = (solved.round(Measure::Net), again.round(Measure::Net));
            let decided = |u: Upcard| followed.map_or(twice[u] > once[u], |f| f.attacks(u));
            let boxes = Upcard::all::<RANKS>()
                .map(|u| yes_no(decided(u), twice[u] / chance[u], once[u] / chance[u]))
                .collect();
            let rows = vec![ChartRow { label: "attack".to_string(), boxes }];
            vec![Section {
                title: "attack".to_string(),
                legend: "whether to make the double attack bet, by the dealer's upcard",
                rows,
            }]
        }
        Form::TwoAttacks => triple_attack(&solver, &solved, (&states, followed)),
    }
}

fn triple_attack(
    solver: &Solver<'_, Table<'_>, f64, RANKS>,
    solved: &Solved<'_, '_, Table<'_>, f64, RANKS>,
    (states, followed): (&[Counts], Option<&Followed<'_>>),
) -> Vec<Section> {
    let net = by_first_card(solved, &solved.rounds(Measure::Net));
    let all: f64 = solver.shoe.iter().map(|&n| f64::from(n)).sum();
    let first = |r: Rank| f64::from(solver.shoe[r]) / all;
    let made = |r: Rank, u: Upcard| {
        followed.map_or([sum(&net[r]) > 0.0, net[r][u] > 0.0], |f| f.further_attacks(r, u))
    };
    let second = Rank::ALL
        .into_iter()
        .map(|r| {
            yes_no(made(r, Upcard::card(ACE))[0], 2.0 * sum(&net[r]) / first(r), sum(&net[r]) / first(r))
        })
        .collect();
    let third = Rank::ALL.into_iter().map(|r| {
        let up = solver.state_chances(&plus([0; RANKS], r), states);
        let value = |u: Upcard| net[r][u] / (first(r) * up[u]);
        let boxes = Upcard::all::<RANKS>().map(|u| yes_no(made(r, u)[1], 2.0 * value(u), value(u))).collect();
        ChartRow { label: LETTERS[r].to_string(), boxes }
    });
    vec![
        Section {
            title: "second attack".to_string(),
            legend: "whether to make the second attack bet; columns are your first card",
            rows: vec![ChartRow { label: "second".to_string(), boxes: second }],
        },
        Section {
            title: "third attack".to_string(),
            legend: "whether to make the third attack bet, by your first card and the dealer's upcard",
            rows: third.collect(),
        },
    ]
}

/// Returns the chart of Switch: the value of every two cards.
///
/// Of two ways to arrange four cards, the one with the greater sum is better.
fn values_of_hands(
    solver: &Solver<'_, Table<'_>, f64, RANKS>,
    solved: &Solved<'_, '_, Table<'_>, f64, RANKS>,
    (play_choice, followed): (PlayChoice<'_>, Option<&Followed<'_>>),
) -> Section {
    let mut rows = Vec::new();
    let row = |label: String, values: [f64; RANKS], i: Index| {
        let value = |u: Upcard| {
            let action = letter(solved.first[i as usize].action[u]).to_string();
            ChartBox { action, ev: values[u], second: None, loss: 0.0, exceptions: Vec::new() }
        };
        ChartRow { label, boxes: Upcard::all::<RANKS>().map(value).collect() }
    };
    for cards in twos() {
        let Some(i) = solver.hands.find(&cards) else {
            continue;
        };
        let ranks = lowest_and_highest(&cards).unwrap_or([ACE; 2]);
        let charted = |u: Upcard| followed.map(|f| f.two_card_values(ranks, u));
        let dealt = by_up(|u| charted(u).map_or(solved.value(i, u), |worth| worth.0));
        if cards[ACE] == 1 && cards[TEN] == 1 {
            let switched = switched_21(solved, i, play_choice);
            let switched = by_up(|u| charted(u).map_or(switched[u], |worth| worth.1));
            rows.push(row("AT dealt".to_string(), dealt, i));
            rows.push(row(label(&cards), switched, i));
        } else {
            rows.push(row(label(&cards), dealt, i));
        }
    }
    Section {
        title: "switch".to_string(),
        legend: "the value of each two-card hand: switch if the values of the two new hands add up to more; AT is an \
            ace and ten made by a switch",
        rows,
    }
}
