//! The strategy charts of a table.

use crate::play::provenance;
use crate::stamp::{Stamped, made_by};
use crate::subject::Subject;
use crate::{Failure, Inputs};
use exact::game::Strategy;
use exact::strategy::Charts;
use serde_json::{Value, json};

/// Returns the document of charts, ending in a line break. The solver writes the charts without provenance, which is
/// added after their last key.
pub fn document(table: &Subject, play: &Strategy, charts: &Charts) -> Result<String, Failure> {
    let of = Inputs::table(table).with("strategy", provenance(play));
    let mut mark: Value = json!({});
    table.mark(&mut mark);
    let stamp = Stamped { document: mark, made_by: made_by(), of }.to_text()?;
    let own = charts.to_json();
    let own = own.trim_end().strip_suffix('}').unwrap_or_default();
    Ok(format!("{own},{}\n", stamp.strip_prefix('{').unwrap_or_default()))
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

    /// A row of a hard total is one decision for many hands, so its second letter must be the best alternative for some
    /// two-card hand: if it were so for none, it could not be on average. Pairs and soft hands are one hand per row,
    /// and are tested in the solver.
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
