//! The figures in the tables of docs/exact.md are those that the solver finds, to the last printed digit.

use crate::game::{Strategy, figures, value};
use rules::Choices;
use rules::preset::preset;

/// Returns the text of docs/exact.md.
pub(crate) fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exact.md");
    std::fs::read_to_string(path).expect("docs/exact.md")
}

/// Returns the rows of the tables in a section of docs/exact.md, including the table heads.
pub(crate) fn rows(section: usize) -> Vec<Vec<String>> {
    let (page, begins) = (page(), format!("## {section}. "));
    let lines = page.lines().skip_while(|line| !line.starts_with(&begins)).skip(1);
    let lines = lines.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with('|'));
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
    };
    lines.map(cells).collect()
}

/// Asserts that `printed` is the figure `found`, rounded to the printed digits.
pub(crate) fn is_printed(what: &str, printed: &str, found: f64) {
    let digits = printed.split_once('.').map_or(0, |(_, digits)| digits.len());
    let half = 0.5 * 0.1_f64.powi(digits as i32);
    let read: f64 = printed.parse().unwrap_or(f64::NAN);
    assert!((read - found).abs() < half * (1.0 + 1e-6), "{what}: printed {printed}, found {found}");
}

/// Returns the first text between backticks in a table cell, or an empty string if there is none.
pub(crate) fn quoted(cell: &str) -> &str {
    cell.split('`').nth(1).unwrap_or_default()
}

fn table(name: &str, sets: &[&str]) -> Choices {
    let mut choices = preset(name).unwrap_or_else(|| panic!("no preset {name}"));
    sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
    choices
}

/// Returns the house edge in percent under the best play by exact cards.
fn by_cards(name: &str, sets: &[&str]) -> f64 {
    -100.0 * value(&table(name, sets), &Strategy::CompositionDependent)
}

/// Sections 4 and 9 of docs/exact.md have the house edges and the standard deviations of the presets.
///
/// Section 4 has the house edges by cards and by totals, section 9 the standard deviations by totals beside simulated
/// rounds with the same play.
#[test]
fn edges_and_spreads_of_the_presets_are_documented() {
    let spreads = rows(9);
    let mut compared = [0, 0];
    for row in rows(4).iter().filter(|row| row[0].starts_with('`')) {
        let name = quoted(&row[0]);
        let totals = figures(&table(name, &[]), &Strategy::TotalDependent);
        let edges = [by_cards(name, &[]), -100.0 * totals.ev];
        is_printed(name, &row[1], edges[0]);
        is_printed(name, &row[2], edges[1]);
        is_printed(name, &row[3], edges[1] - edges[0]);
        compared[0] += 1;
        let Some(spread) = spreads.iter().find(|spread| quoted(&spread[0]) == name) else { continue };
        let exact = totals.variance.sqrt();
        is_printed(name, &spread[1], exact);
        let [simulated, error] = [&spread[2], &spread[3]].map(|cell| cell.parse::<f64>().unwrap());
        assert!((exact - simulated).abs() < 4.0 * error, "{name}: {exact}, simulated {simulated}");
        compared[1] += 1;
    }
    assert_eq!(compared, [7, 6]);
}

/// Section 7 of docs/exact.md has our figures beside the published ones.
///
/// Its first table has common rules, then the presets of section 4; the second has other readings.
#[test]
fn published_figures_stand_beside_ours() {
    let documented = rows(4);
    let push = "rulings.split_two_card_21=push";
    let of = |row: &[String]| -> Vec<f64> {
        match row[0].as_str() {
            "the same, 6 decks / 1 deck" => {
                ["decks=6", "decks=1"].map(|decks| by_cards("nj-blackjack", &[push, decks])).to_vec()
            }
            "soft 17 hit, 8 decks" => vec![by_cards("nj-blackjack", &[push, "soft_17=hit"])],
            "`nj-blackjack`, ruling `busted-too`" => {
                vec![by_cards("nj-blackjack", &["rulings.busted_v_dealer_blackjack=busted-too"])]
            }
            "`nj-triple-attack`, reader" => vec![by_cards("nj-triple-attack", &["hole_card=reader"])],
            first if first.starts_with("8 decks, soft 17 stands") => vec![by_cards("nj-blackjack", &[push])],
            other => {
                let same = documented.iter().find(|row| quoted(&row[0]) == quoted(other));
                vec![same.unwrap_or_else(|| panic!("{other}"))[1].parse().unwrap()]
            }
        }
    };
    let all = rows(7);
    let ours = all.iter().filter(|row| row.len() == 4 && row[1].starts_with(['-', '0', '1']));
    // the published Switch has rules that no preset has
    let ours: Vec<_> = ours.filter(|row| row[1].contains('.') && !row[0].starts_with("Switch, ")).collect();
    assert_eq!(ours.len(), 12);
    for row in ours {
        let (printed, found) = (row[1].split(" / "), of(row));
        printed.zip(found).for_each(|(printed, found)| is_printed(&row[0], printed, found));
    }
    let mut name = String::new();
    let readings = all.iter().filter(|row| row.len() == 5 && row[4].contains('.'));
    let mut read = 0;
    for row in readings {
        if row[0].starts_with('`') {
            name = quoted(&row[0]).to_string();
        }
        let first = documented.iter().find(|row| quoted(&row[0]) == name).expect("a preset of section 4");
        assert_eq!(row[2], first[1], "{name}");
        let reading = match quoted(&row[3]) {
            "busted_v_dealer_blackjack" => "busted_v_dealer_blackjack=busted-too",
            reading => reading,
        };
        is_printed(&row[3], &row[4], by_cards(&name, &[&format!("rulings.{reading}")]));
        read += 1;
    }
    assert_eq!(read, 5);
}
