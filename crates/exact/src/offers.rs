//! The complete total-dependent strategy of a table: hands and pairs, even money, attack bets, the switch.

use crate::cards::two_cards;
use crate::given::{Followed, label};
use crate::judge::{Judge, Measure};
use crate::play::PlayChoice;
use crate::round::{Solved, by_first_card};
use crate::seen::{Seen, sum};
use crate::solve::Solver;
use crate::switch::switched_21;
use crate::table::{Attacked, Table};
use crate::total::total_dependent;
use crate::vocabulary::{ACE, RANKS, Rank, TEN, Upcard};
use program::chart::{Chart, Take};
use rules::Choices;
use rules::text::Form;

/// Returns the best total-dependent strategy for a table, dealt from a full shoe.
///
/// The strategy is complete: it covers hands, even money, attack bets and switching.
pub fn total_dependent_chart(choices: &Choices) -> Chart {
    total_dependent_chart_at(&Table::new(choices, Attacked::No))
}

/// Returns the best total-dependent strategy for a table, dealt from the table's shoe.
pub fn total_dependent_chart_at(table: &Table<'_>) -> Chart {
    match table.seen() {
        Seen::BothCards | Seen::TheseCards(..) => {
            let dealer = table.dealer::<f64, 55>();
            let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
            total_dependent(&solver, &dealer)
        }
        Seen::UpCard => against_an_up_card(table),
    }
}

fn against_an_up_card(table: &Table<'_>) -> Chart {
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let hands = total_dependent(&solver, &dealer);
    let followed = Followed::new(table, &hands);
    let mut solved = Solved::given(&solver, &dealer, &followed);
    let mut chart = hands.clone();
    let natural = solver.hands.find(&two_cards([ACE, TEN]));
    solved.even_money = None;
    if natural.is_some_and(|i| solved.takes_even_money(i, Upcard::card(ACE))) {
        chart.even_money = Take::Always;
    }
    match table.choices().text().form() {
        Form::OneHand => {}
        Form::TwoHands => {
            for (cards, i) in
                Rank::twos().filter_map(|cards| Some((cards, solver.hands.find(&two_cards(cards))?)))
            {
                let natural = cards == [ACE, TEN];
                let switched = natural.then(|| switched_21(&solved, i, PlayChoice::Given(&followed)));
                for u in Upcard::all::<RANKS>() {
                    let worth = chart.offers.switch.entry(label(u.rank())).or_default();
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
            for u in Upcard::all::<RANKS>() {
                let attacks = again[u] > once[u];
                chart.offers.attack.insert(label(u.rank()), attacks);
                if attacks {
                    take_column(&mut chart, &twice, &label(u.rank()));
                }
            }
        }
        Form::TwoAttacks => {
            let net = by_first_card(&solved, &solved.rounds(Measure::Net));
            for (first, row) in Rank::ALL.into_iter().zip(&net) {
                chart.offers.second_attack.insert(label(first), sum(row) > 0.0);
                let third = Rank::ALL.into_iter().zip(row).map(|(up, &value)| (label(up), value > 0.0));
                chart.offers.third_attack.insert(label(first), third.collect());
            }
        }
    }
    chart
}

/// Rounds a value to twelve decimal places, so that writing and reading it again gives the same number.
fn twelve_places(x: f64) -> f64 {
    (x * 1e12).round() / 1e12
}

/// Replaces the cells of one column of `chart` by those of `other`.
fn take_column(chart: &mut Chart, other: &Chart, column: &str) {
    for (name, section) in &other.sections {
        for (&row, cells) in section {
            if let Some(cell) = cells.get(column) {
                chart.set(name, row, column, cell.clone());
            }
        }
    }
}
