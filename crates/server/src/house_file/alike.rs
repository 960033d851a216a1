//! Checks what the regulations require to be the same at all tables of a house.

use super::TableSetup;
use rules::wager::Prize;
use rules::wager::bonus::house_advantage;
use std::collections::HashMap;

/// Returns an error if two tables may not be in the same house.
///
/// The error is one sentence that names the tables and cites the clause.
pub fn compare(tables: &[TableSetup]) -> Result<(), String> {
    paytables(tables)?;
    bonus(tables)
}

/// Checks that all tables with the same number of decks have the same paytable for certain side bets, 2.17(e)2#3.
fn paytables(tables: &[TableSetup]) -> Result<(), String> {
    let mut chosen = HashMap::new();
    for table in tables {
        for (&wager, offer) in &table.rules.side_wagers {
            let alike = table.rules.text().side(wager).and_then(|side| side.extras.same_paytable);
            let Some(by) = alike else { continue };
            let decks = table.rules.decks;
            let (first, paytable) =
                chosen.entry((wager, decks)).or_insert_with(|| (table.number, offer.paytable.clone()));
            if *paytable != offer.paytable {
                return Err(format!(
                    "tables {first} and {}: all tables with {decks} decks must offer the {} bet with the same \
                     paytable ({})",
                    table.number,
                    wager.word(),
                    by.citation()
                ));
            }
        }
    }
    Ok(())
}

/// Checks that the bonus bet of each denomination has the same house advantage at all tables, 2.20(k)#2.
fn bonus(tables: &[TableSetup]) -> Result<(), String> {
    let mut known: HashMap<_, (u32, (i128, i128))> = HashMap::new();
    for table in tables {
        let Some((_, offer)) = table.rules.bet_for(Prize::Button) else { continue };
        for (wager, awards) in &offer.awards {
            let Some(edge) =
                house_advantage(*wager, awards, table.rules.decks, table.rules.rulings.bonus_pays)
            else {
                continue;
            };
            let (first, other) = known.entry(*wager).or_insert((table.number, edge));
            if edge.0 * other.1 != other.0 * edge.1 {
                return Err(format!(
                    "tables {first} and {}: a bonus bet of {wager} must have the same house advantage at every \
                        table ({})",
                    table.number,
                    rules::clause!("19:47-2.20(k)#2").citation()
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::house_file::HouseFile;
    use std::path::Path;

    fn house(tables: &[&[&str]]) -> Result<HouseFile, String> {
        let mut text = String::new();
        for set in tables {
            text += &format!("[[table]]\nrules = \"nj-blackjack\"\nset = {set:?}\n");
        }
        HouseFile::parse(&text, Path::new("")).map_err(|e| e.to_string())
    }

    /// Proves 19:47-2.17(e)2#3.
    #[test]
    fn one_option_of_the_same_suit_wager_for_a_number_of_decks() {
        let (one, two) = ("side_wagers.same-suit.paytable=1", "side_wagers.same-suit.paytable=2");
        house(&[&["decks=8", one], &["decks=8", one], &["decks=6", two], &["decks=8"]]).expect("alike");
        let error =
            house(&[&["decks=8", one], &["decks=6", one], &["decks=8", two]]).expect_err("two paytables");
        assert!(error.contains("tables 1 and 3") && error.contains("2.17(e)2"), "{error}");
    }

    /// Proves 19:47-2.20(k)#2.
    #[test]
    fn one_house_advantage_of_a_bonus_wager() {
        let awards =
            |amount: u32| format!("side_wagers.blackjack-bonus.awards={{ \"1\" = {{ \"{amount}\" = 1 }} }}");
        let (low, high) = (awards(15), awards(16));
        house(&[&["decks=8", &low], &["decks=8", &low], &["decks=8"]]).expect("alike");
        let error = house(&[&["decks=8", &low], &["decks=8", &high]]).expect_err("two house advantages");
        assert!(error.contains("tables 1 and 2") && error.contains("2.20(k)"), "{error}");
        let error = house(&[&["decks=8", &low], &["decks=6", &low]]).expect_err("two house advantages");
        assert!(error.contains("2.20(k)"), "{error}");
    }
}
