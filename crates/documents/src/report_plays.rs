//! Computes the house edges of well-known strategies: mimic the dealer, never bust, and the printed strategy card.
//!
//! Each of these strategies is a chart, and is valued exactly like any other chart.

use crate::card::printed_edge;
use crate::report_document::WellKnownPlay;
use crate::tables::TableFile;
use exact::game::{Strategy, value};
use exact::given::CompleteChart;
use program::Chart;
use program::chart::{Cell, Kind, RowKey};
use rules::{Action, Choices};

/// Returns the name, a description, the house edge and the return to player of each well-known strategy.
///
/// Omits the strategies that cannot be valued.
pub(crate) fn plays(choices: &Choices, by_totals: &Chart) -> Vec<WellKnownPlay> {
    let hits_soft_17 = TableFile::of(choices).keys()["soft_17"] == "hit";
    let plays = [
        (
            "mimic the dealer",
            "hits and stands like the dealer; never doubles, splits, surrenders or attacks",
            mimic(by_totals, hits_soft_17),
        ),
        (
            "never bust",
            "the total-dependent chart, but never hits a hard hand of 12 or more",
            never_bust(by_totals),
        ),
    ];
    let charts = plays.into_iter().filter_map(|(name, how, chart)| {
        let given = CompleteChart::new(choices, chart).ok()?;
        Some(valued(name, how, -value(choices, &Strategy::Given(Box::new(given)))))
    });
    let how = match choices.hands_per_box() {
        1 => "the charts that `cutcard card` prints, without its exceptions",
        _ => "the charts and the rule for switching that `cutcard card` prints, without its exceptions",
    };
    let card = printed_edge(choices).ok().map(|edge| valued("printed card", how, edge));
    charts.chain(card).collect()
}

fn valued(play: &'static str, how: &'static str, house_edge: f64) -> WellKnownPlay {
    WellKnownPlay { house_edge, how, play, returned: 1.0 - house_edge }
}

/// Returns the total of the hands that a chart row covers, and whether these hands are soft.
fn total((kind, row): RowKey) -> (u8, bool) {
    match (kind, row) {
        (Kind::Hard, total) => (total, false),
        (Kind::Soft, total) => (total, true),
        (Kind::Pairs, 1 | 11) => (12, true),
        (Kind::Pairs, card) => (2 * card, false),
    }
}

/// Returns a copy of a chart with every cell replaced by the result of `cell`.
///
/// The section `doubled`, about surrendering doubled hands, stays unchanged.
fn changed(chart: &Chart, cell: impl Fn(RowKey, &Cell) -> Cell) -> Chart {
    let mut chart = chart.clone();
    for (_, section) in chart.sections.iter_mut().filter(|(name, _)| *name != "doubled") {
        for (row, cells) in section.iter_mut() {
            cells.values_mut().for_each(|known| *known = cell(*row, known));
        }
    }
    chart
}

fn mimic(chart: &Chart, hits_soft_17: bool) -> Chart {
    let mut chart = changed(chart, |row, _| {
        let (total, soft) = total(row);
        let draws = total < 17 || (total == 17 && soft && hits_soft_17);
        Cell(vec![if draws { Action::Hit } else { Action::Stand }])
    });
    let offers = &mut chart.offers;
    let third = offers.third_attack.values_mut().flat_map(|by_up| by_up.values_mut());
    offers
        .attack
        .values_mut()
        .chain(offers.second_attack.values_mut())
        .chain(third)
        .for_each(|made| *made = false);
    chart
}

fn never_bust(chart: &Chart) -> Chart {
    changed(chart, |row, cell| match total(row) {
        (12.., false) => {
            let mut kept: Vec<Action> =
                cell.0.iter().copied().filter(|&action| action != Action::Hit).collect();
            if !kept.contains(&Action::Stand) {
                kept.push(Action::Stand);
            }
            Cell(kept)
        }
        _ => cell.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the house edges with published ones: 5.48 % for mimicking the dealer, 3.91 % for never busting.
    ///
    /// The Wizard of Odds publishes these for six to eight decks and other split rules.
    #[test]
    fn the_plays_cost_what_is_published() {
        let choices = rules::preset::preset("nj-blackjack-reader").unwrap();
        let told = plays(&choices, &exact::offers::total_dependent_chart(&choices));
        assert!((told[0].house_edge - 0.055).abs() < 0.003, "{told:?}");
        assert!((told[1].house_edge - 0.039).abs() < 0.003, "{told:?}");
    }

    #[test]
    fn rows_of_a_chart_become_those_of_the_play() {
        let choices = rules::preset::preset("nj-blackjack").unwrap();
        let chart = exact::offers::total_dependent_chart(&choices);
        let cell = |chart: &Chart, row: RowKey| {
            chart.cell(&["initial".to_string()], row, "T").map(ToString::to_string).unwrap_or_default()
        };
        let copied = mimic(&chart, false);
        let rows = [(Kind::Hard, 16), (Kind::Hard, 17), (Kind::Soft, 17), (Kind::Hard, 11)];
        assert_eq!(rows.map(|row| cell(&copied, row)), ["H", "S", "S", "H"]);
        assert_eq!(cell(&mimic(&chart, true), (Kind::Soft, 17)), "H");
        let careful = never_bust(&chart);
        assert_eq!(cell(&careful, (Kind::Hard, 16)), "S");
        assert_eq!(cell(&careful, (Kind::Hard, 11)), cell(&chart, (Kind::Hard, 11)));
        assert_eq!(cell(&careful, (Kind::Soft, 17)), cell(&chart, (Kind::Soft, 17)));
    }
}
