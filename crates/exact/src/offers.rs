//! The whole strategy by totals of a table: hands and pairs, even money, attack wagers, the switch.

use crate::cards::{ACE, RANKS, TEN, plus};
use crate::given::Followed;
use crate::judge::{Judge, Measure};
use crate::play::Way;
use crate::round::{Solved, by_first_card};
use crate::seen::{Seen, sum};
use crate::solve::Solver;
use crate::switch::switched_21;
use crate::table::{Attacked, Table};
use crate::total::total_dependent;
use program::chart::{Chart, Take};
use program::view::value_label;
use rules::Choices;
use rules::text::Form;

/// The best strategy by totals for a table, whole: it can be simulated, and valued, as it stands.
pub fn by_totals(choices: &Choices) -> Chart {
    whole_chart(&Table::new(choices, Attacked::No))
}

/// The chart of a table.
pub fn whole_chart(table: &Table<'_>) -> Chart {
    match table.seen() {
        Seen::BothCards | Seen::TheseCards(..) => {
            let dealer = table.dealer::<f64, 55>();
            let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
            total_dependent(&solver, &dealer)
        }
        Seen::UpCard => against_an_up_card(table),
    }
}

fn label(rank: usize) -> String {
    value_label(rank as u8 + 1).to_string()
}

fn against_an_up_card(table: &Table<'_>) -> Chart {
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let hands = total_dependent(&solver, &dealer);
    let followed = Followed::new(table, &hands);
    let mut solved = Solved::given(&solver, &dealer, &followed);
    let mut chart = hands.clone();
    let natural = solver.hands.find(&plus(plus([0; RANKS], ACE), TEN));
    solved.even_money = None;
    if natural.is_some_and(|i| solved.takes_even_money(i, ACE)) {
        chart.even_money = Take::Always;
    }
    match table.choices().text().form() {
        Form::OneHand => {}
        Form::TwoHands => {
            for (cards, i) in (0..RANKS)
                .flat_map(|a| (a..RANKS).map(move |b| [a, b]))
                .filter_map(|[a, b]| Some(([a, b], solver.hands.find(&plus(plus([0; RANKS], a), b))?)))
            {
                let natural = cards == [ACE, TEN];
                let switched = natural.then(|| switched_21(&solved, i, Way::Given(&followed)));
                for u in 0..RANKS {
                    let worth = chart.offers.switch.entry(label(u)).or_default();
                    let value = solved.value(i, u);
                    worth.insert(
                        cards.map(label).concat(),
                        twelve_places(switched.map_or(value, |row| row[u])),
                    );
                    if natural {
                        worth.insert("BJ".into(), twelve_places(value));
                    }
                }
            }
        }
        Form::OneAttack => {
            let attacked = Table::new(table.choices(), Attacked::Yes).with_shoe(table.shoe());
            let doubled = solver.judged_by(&attacked);
            let twice = total_dependent(&doubled, &dealer);
            let again = Solved::given(&doubled, &dealer, &Followed::new(table, &twice)).round(Measure::Net);
            let once = solved.round(Measure::Net);
            for u in 0..RANKS {
                let attacks = again[u] > once[u];
                chart.offers.attack.insert(label(u), attacks);
                if attacks {
                    take_column(&mut chart, &twice, &label(u));
                }
            }
        }
        Form::TwoAttacks => {
            let net = by_first_card(&solved, &solved.rounds(Measure::Net));
            for (first, row) in net.iter().enumerate() {
                chart.offers.second_attack.insert(label(first), sum(row) > 0.0);
                let third = row.iter().enumerate().map(|(u, &value)| (label(u), value > 0.0));
                chart.offers.third_attack.insert(label(first), third.collect());
            }
        }
    }
    chart
}

/// What two cards are worth, to as many places as a number that is written down and read again surely keeps.
fn twelve_places(x: f64) -> f64 {
    (x * 1e12).round() / 1e12
}

/// Replaces one column by another chart's.
fn take_column(chart: &mut Chart, other: &Chart, column: &str) {
    for (name, section) in &other.sections {
        for (&row, cells) in section {
            if let Some(cell) = cells.get(column) {
                chart.set(name, row, column, cell.clone());
            }
        }
    }
}
