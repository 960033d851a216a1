//! Tests strategy files: a chart that is written and read back keeps its value, and a worse chart is worth less.

use exact::game::{Strategy, figures, value};
use exact::given::CompleteChart;
use exact::offers::total_dependent_chart;
use exact::strategy::strategy;
use program::Chart;
use program::chart::{Cell, Kind};
use rules::Rules;
use rules::play::Action;
use rules::preset::{PRESETS, preset};

fn rules(name: &str) -> Rules {
    Rules::new(preset(name).expect("a preset")).expect("a legal table")
}

fn given(rules: &Rules, chart: Chart) -> Strategy {
    Strategy::Given(Box::new(CompleteChart::new(rules.choices(), chart).expect("a whole chart")))
}

fn exported(rules: &Rules) -> Chart {
    Chart::from_json(&strategy(rules, &Strategy::TotalDependent).to_json()).expect("a chart")
}

/// The total-dependent charts of every preset, printed as JSON and read back, are the same play to the last bit.
#[test]
fn long_a_printed_chart_is_worth_what_it_was() {
    for (name, _) in PRESETS {
        let rules = rules(name);
        let read = exported(&rules);
        assert_eq!(read.sections, total_dependent_chart(&rules).sections, "{name}");
        assert_eq!(read.offers, total_dependent_chart(&rules).offers, "{name}");
        let (by_name, by_file) =
            (value(&rules, &Strategy::TotalDependent), value(&rules, &given(&rules, read)));
        assert_eq!(by_name.to_bits(), by_file.to_bits(), "{name}: {by_name} {by_file}");
    }
}

#[test]
fn even_money_is_part_of_a_chart() {
    let mut choices = preset("nj-six-to-five").expect("a preset");
    choices.even_money = rules::Offered::Yes;
    let rules = Rules::new(choices).expect("a legal table");
    let read = exported(&rules);
    assert_eq!(read.even_money, program::chart::Take::Always);
    let mut declined = read.clone();
    declined.even_money = program::chart::Take::Never;
    let (taken, declined) = (value(&rules, &given(&rules, read)), value(&rules, &given(&rules, declined)));
    assert_eq!(taken.to_bits(), value(&rules, &Strategy::TotalDependent).to_bits());
    assert!(declined < taken);
}

/// Any change of the best chart reduces its value, by the loss that the chart states for the second-best action,
/// weighted by how often the hand occurs.
#[test]
fn a_worse_chart_is_worth_less() {
    for (name, section, row, column) in [
        ("nj-blackjack", "initial", (Kind::Hard, 16), "6"),
        ("nj-blackjack", "initial", (Kind::Soft, 18), "9"),
        ("nj-blackjack", "initial", (Kind::Pairs, 8), "6"),
        ("nj-switch", "initial", (Kind::Hard, 16), "6"),
        ("nj-double-attack", "cards-3", (Kind::Hard, 15), "5"),
        ("nj-triple-attack", "cards-5", (Kind::Hard, 15), "5"),
    ] {
        let rules = rules(name);
        let mut worse = exported(&rules);
        let cell = worse.cell(&[section.to_string()], row, column).expect("a cell");
        let other = if cell.0 == [Action::Hit] { Action::Stand } else { Action::Hit };
        worse.set(section, row, column, Cell(vec![other]));
        let best = value(&rules, &Strategy::TotalDependent);
        let worse = value(&rules, &given(&rules, worse));
        assert!(worse < best - 1e-9, "{name} {section} {row:?} v {column}: {worse} {best}");
    }
}

/// A total-dependent chart is hardly worse than composition-dependent play: it loses only close calls.
#[test]
fn totals_lose_little() {
    for (name, _) in PRESETS {
        let rules = rules(name);
        let by_cards = value(&rules, &Strategy::CompositionDependent);
        let lost = by_cards - value(&rules, &Strategy::TotalDependent);
        let most = if rules.decks < 6 { 1.5e-4 } else { 3e-5 };
        assert!(lost > 0.0 && lost < most, "{name}: {lost}");
    }
}

/// No single change improves a cell of the total-dependent chart: neither the action on two cards, nor which pairs are
/// split, nor which doubled hands are surrendered. `./test deep` looks at Double Attack too.
#[test]
fn no_cell_is_better_otherwise() {
    let columns = [("nj-blackjack", "3"), ("nj-double-attack", "T")];
    for &(name, column) in if crate::deep() { &columns[..] } else { &columns[..1] } {
        let rules = rules(name);
        let chart = total_dependent_chart(&rules);
        let best = value(&rules, &given(&rules, chart.clone()));
        for (section, rows) in
            chart.sections.iter().filter(|(name, _)| ["initial", "doubled"].contains(&name.as_str()))
        {
            for (&row, cells) in rows {
                let Some(cell) = cells.get(column) else { continue };
                for other in others(section, row, cell) {
                    let mut changed = chart.clone();
                    changed.set(section, row, column, other.clone());
                    let Ok(changed) = CompleteChart::new(rules.choices(), changed) else { continue };
                    let gain = value(&rules, &Strategy::Given(Box::new(changed))) - best;
                    assert!(gain < 1e-12, "{name} {section} {row:?} v {column}: {cell} {other} {gain}");
                }
            }
        }
    }
}

/// Returns the alternatives for a cell.
fn others(section: &str, row: (Kind, u8), cell: &Cell) -> Vec<Cell> {
    use Action::*;
    let all: &[&[Action]] = match (section, row.0, cell.0[0]) {
        ("doubled", _, Stand) => &[&[Surrender]],
        ("doubled", ..) => &[&[Stand]],
        (_, Kind::Pairs, Split) => &[],
        (_, Kind::Pairs, _) => &[&[Split]],
        (_, _, Stand) => &[&[Hit], &[Double, Stand]],
        (_, _, Hit) => &[&[Stand], &[Double, Hit], &[Surrender, Hit]],
        (_, _, _) => &[&[Hit]],
    };
    all.iter().map(|actions| Cell(actions.to_vec())).collect()
}

/// The additional bets and the switch of other games are part of a chart too, and wrong choices cost.
#[test]
fn offers_that_are_taken_wrongly_cost() {
    for name in ["nj-switch", "nj-double-attack", "nj-triple-attack"] {
        let rules = rules(name);
        let best = value(&rules, &Strategy::TotalDependent);
        let mut worse = exported(&rules);
        let six = |flags: &mut std::collections::BTreeMap<String, bool>| {
            flags.values_mut().for_each(|flag| *flag = !*flag);
        };
        six(&mut worse.offers.attack);
        six(&mut worse.offers.second_attack);
        for row in worse.offers.switch.values_mut() {
            row.values_mut().for_each(|worth| *worth = -*worth);
        }
        assert!(value(&rules, &given(&rules, worse)) < best - 0.001, "{name}");
    }
}

#[test]
fn insurance_costs_what_it_loses() {
    let rules = rules("nj-blackjack");
    let mut insured = exported(&rules);
    insured.insurance = program::chart::Take::Always;
    let insured = figures(&rules, &given(&rules, insured));
    let decks = f64::from(rules.decks);
    // half a bet in one round of thirteen, at 2 to 1 on the tens among all cards but one ace
    let tens = 16.0 * decks / (52.0 * decks - 1.0);
    let lost = 0.5 / 13.0 * (3.0 * tens - 1.0);
    assert!((insured.insured - lost).abs() < 1e-12, "{} {lost}", insured.insured);
    let plain = value(&rules, &Strategy::TotalDependent);
    assert!((insured.ev - plain - lost).abs() < 1e-12);
}

/// A pair that a chart splits once but not again becomes two hands.
#[test]
fn a_chart_may_split_once_and_not_again() {
    let mut once = rules("nj-blackjack").choices().clone();
    once.split_hands = 2;
    let once = Rules::new(once).expect("a legal table");
    let four = rules("nj-blackjack");
    let mut chart = total_dependent_chart(&once);
    let all = chart.clone();
    for (&row, cells) in all.sections["initial"].iter().filter(|((kind, _), _)| *kind == Kind::Pairs) {
        for column in cells.keys() {
            // the action for the hand's total
            let total = if row.1 == 1 { (Kind::Soft, 12) } else { (Kind::Hard, 2 * row.1) };
            let cell = all.cell(&["initial".to_string()], total, column).expect("a cell").clone();
            chart.set("split", row, column, cell);
        }
    }
    let limited = value(&once, &given(&once, total_dependent_chart(&once)));
    let unwilling = value(&four, &given(&four, chart));
    assert!((limited - unwilling).abs() < 1e-14, "{limited} {unwilling}");
}

#[test]
fn incomplete_charts_are_refused_by_the_cell_that_is_missing() {
    let refused =
        |rules: &Rules, chart: Chart| CompleteChart::new(rules.choices(), chart).unwrap_err().to_string();
    let blackjack = rules("nj-blackjack");
    let mut chart = exported(&blackjack);
    chart.sections.get_mut("initial").unwrap().get_mut(&(Kind::Hard, 13)).unwrap().remove("7");
    assert_eq!(refused(&blackjack, chart), "the strategy has no cell for hard 13 v 7 (initial)");
    let mut chart = exported(&blackjack);
    chart.set("initial", (Kind::Hard, 13), "7", Cell(vec![Action::Surrender]));
    assert!(refused(&blackjack, chart).starts_with("the strategy says `R` for hard 13 v 7"));
    let attack = rules("nj-double-attack");
    let mut chart = exported(&attack);
    chart.offers.attack.remove("6");
    assert_eq!(
        refused(&attack, chart),
        "the strategy does not say whether to make the double attack bet on 6"
    );
    let switch = rules("nj-switch");
    let mut chart = exported(&switch);
    chart.offers.switch.get_mut("6").unwrap().remove("58");
    assert_eq!(refused(&switch, chart), "the strategy has no switch value for 58 v 6");
}
