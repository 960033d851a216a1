//! Turns the solver's strategy charts of a table into a document.

use crate::play::provenance;
use crate::stamp::Stamped;
use crate::subject::{Subject, Violations};
use crate::{Failure, Inputs};
use exact::game::Strategy;
use exact::strategy::{ChartBox, ChartRow, Charts, Section};
use serde::Serialize;
use utoipa::ToSchema;

/// The strategy charts of a table, with the EV of the best action in each cell.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct StrategyCharts {
    /// The name of the charted table.
    pub table: String,
    /// The name of the strategy that is charted, such as `total-dependent`.
    pub strategy: &'static str,
    /// Whether to take even money; absent if the table does not offer it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub even_money: Option<bool>,
    /// The dealer's visible cards, one entry per chart column.
    pub columns: Vec<String>,
    /// The charts for hard hands, soft hands, pairs and so on.
    pub charts: Vec<StrategyChart>,
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
}

/// A strategy chart, with a row per hand and a cell per column.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct StrategyChart {
    /// The name of the chart: `hard`, `soft`, `pairs`, or the name of an offer of the game.
    pub chart: String,
    /// The meaning of the letters in the chart's cells.
    pub legend: &'static str,
    /// The rows of the chart.
    pub rows: Vec<StrategyRow>,
}

/// A chart row, with the best action of one hand against each upcard.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct StrategyRow {
    /// The label of the row: the player's hand, such as `16` or `A7`.
    pub row: String,
    /// The cells of the row, one per chart column.
    pub cells: Vec<StrategyCell>,
}

/// The best action of a hand against one set of the dealer's visible cards.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct StrategyCell {
    /// The best action, as letters of the legend, such as `Ds`.
    pub action: String,
    /// The EV of the best action, in units of the initial bet; null if it was not computed.
    #[schema(required)]
    pub ev: Option<f64>,
    /// The letters of the second-best action; null if there is only one action.
    #[schema(required)]
    pub second: Option<String>,
    /// The loss from taking the second-best action instead, in units of the initial bet; null if it was not
    /// computed.
    #[schema(required)]
    pub loss: Option<f64>,
    /// The two-card hands of the row for which another action is best, each with that action.
    pub exceptions: Vec<String>,
}

impl StrategyChart {
    /// Returns the text of a cell in a printed chart: the action, or for the chart of switches the EV.
    pub(crate) fn shown(&self, cell: &StrategyCell) -> String {
        match self.chart == "switch" {
            true => format!("{:.3}", cell.ev.unwrap_or_default()),
            false => cell.action.clone(),
        }
    }
}

impl StrategyCharts {
    /// Returns the solver's charts as a document.
    pub fn of(charts: &Charts) -> StrategyCharts {
        let cell = |found: &ChartBox| StrategyCell {
            action: found.action.clone(),
            ev: found.ev.is_finite().then_some(found.ev),
            second: found.second.clone(),
            loss: found.loss.is_finite().then_some(found.loss),
            exceptions: found.exceptions.clone(),
        };
        let row = |found: &ChartRow| StrategyRow {
            row: found.label.clone(),
            cells: found.boxes.iter().map(cell).collect(),
        };
        let chart = |found: &Section| StrategyChart {
            chart: found.title.clone(),
            legend: found.legend,
            rows: found.rows.iter().map(row).collect(),
        };
        StrategyCharts {
            table: charts.table.clone(),
            strategy: charts.strategy,
            even_money: charts.even_money,
            columns: charts.columns.clone(),
            charts: charts.sections.iter().map(chart).collect(),
            assumed: None,
            hypothetical: None,
        }
    }
}

/// Returns the document of a table's strategy charts as JSON text that ends in a line break.
pub fn document(table: &Subject, play: &Strategy, charts: &Charts) -> Result<String, Failure> {
    let mut told = StrategyCharts::of(charts);
    table.mark(&mut told);
    let of = Inputs { strategy: Some(provenance(play)), ..Inputs::table(table) };
    Ok(format!("{}\n", Stamped::new(told, of).to_text()?))
}

#[cfg(test)]
mod tests {
    use exact::ev::{Question, ev};
    use exact::game::Strategy;
    use exact::strategy::strategy;
    use exact::table::Attacked;

    /// Returns the chart letter of an action.
    fn letter(action: &str) -> char {
        match action {
            "stand" => 'S',
            "hit" => 'H',
            "double" => 'D',
            "split" => 'P',
            _ => 'R',
        }
    }

    /// The second letter of a hard row is the best alternative for some two-card hand of that row.
    ///
    /// A row of a hard total is one decision for many hands. A letter that is best for none of them could not be
    /// best on average. Pairs and soft hands have one hand per row, and are tested in the solver.
    #[test]
    fn second_choices_of_hard_rows_are_the_best_that_are_left() {
        let card = |points: u8, suit: char| {
            let rank = if points == 10 { "K".to_string() } else { points.to_string() };
            format!("{rank}{suit}").parse::<rules::Card>().unwrap()
        };
        for (name, sets) in [
            ("nj-blackjack", &["surrender=true", "soft_17=hit"][..]),
            ("nj-blackjack-reader", &["surrender=true", "decks=2"]),
            ("nj-six-to-five", &[]),
        ] {
            let mut choices = rules::preset::preset(name).unwrap();
            sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
            let charts = strategy(&choices, &Strategy::TotalDependent);
            let hard = charts.sections.iter().find(|section| section.title == "hard").unwrap();
            let mut seconds = 0;
            for (row, (at, up)) in
                hard.rows.iter().flat_map(|row| charts.columns.iter().enumerate().map(move |up| (row, up)))
            {
                let letters: Vec<char> = row.boxes[at].action.to_uppercase().chars().collect();
                let [first, second, ..] = letters[..] else { continue };
                let total: u8 = row.label.parse().unwrap();
                let up = match up.as_str() {
                    "A" => "Ad".parse().unwrap(),
                    "T" => card(10, 'd'),
                    pips => card(pips.parse().unwrap(), 'd'),
                };
                let pairs = (2..=10).map(|low| (low, total.saturating_sub(low)));
                let mut hands = pairs.filter(|(low, high)| low < high && *high <= 10).peekable();
                if hands.peek().is_none() {
                    continue;
                }
                let is_best = |(low, high): (u8, u8)| {
                    let (hand, up) = ([card(low, 's'), card(high, 'h')], [up]);
                    let question =
                        Question { hand: &hand, other: &[], up: &up, removed: &[], attacked: Attacked::No };
                    let answer = ev(&choices, &question).unwrap();
                    // best first
                    let mut left = answer.actions.iter().map(|one| letter(one.action));
                    left.find(|&one| one != first) == Some(second)
                };
                assert!(hands.any(is_best), "{name} hard {total} column {at}: {letters:?}");
                seconds += 1;
            }
            assert!(seconds > 15, "{name}: {seconds}");
        }
    }
}
