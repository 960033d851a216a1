//! What the law wants alike at all tables of a house.

use super::TableSetup;
use rules::SideWager;
use rules::wager::bonus::house_advantage;
use std::collections::HashMap;

/// Finds the first pair of tables that may not be in one house, and names the clause in one sentence.
pub fn compare(tables: &[TableSetup]) -> Result<(), String> {
    same_suit(tables)?;
    bonus(tables)
}

/// 2.17(e)2#3: one option of the same-suit wager for all tables with the same number of decks.
fn same_suit(tables: &[TableSetup]) -> Result<(), String> {
    let mut chosen = HashMap::new();
    for table in tables {
        let Some(offer) = table.rules.offer(SideWager::SameSuit) else { continue };
        let (first, paytable) =
            chosen.entry(table.rules.decks).or_insert_with(|| (table.number, offer.paytable.clone()));
        if *paytable != offer.paytable {
            return Err(format!(
                "tables {first} and {}: the same-suit wager has one option at all tables with {} decks ({})",
                table.number,
                table.rules.decks,
                rules::clause!("19:47-2.17(e)2#3").citation()
            ));
        }
    }
    Ok(())
}

/// 2.20(k)#2: one house advantage of each denomination of the bonus wager at all tables.
fn bonus(tables: &[TableSetup]) -> Result<(), String> {
    let mut known: HashMap<_, (u32, (i128, i128))> = HashMap::new();
    for table in tables {
        let Some(offer) = table.rules.offer(SideWager::BlackjackBonus) else { continue };
        for (wager, awards) in &offer.awards {
            let Some(edge) =
                house_advantage(*wager, awards, table.rules.decks, table.rules.rulings.bonus_pays)
            else {
                continue;
            };
            let (first, other) = known.entry(*wager).or_insert((table.number, edge));
            if edge.0 * other.1 != other.0 * edge.1 {
                return Err(format!(
                    "tables {first} and {}: a bonus wager of {wager} has one house advantage in all games ({})",
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
            house(&[&["decks=8", one], &["decks=6", one], &["decks=8", two]]).expect_err("two options");
        assert!(error.contains("tables 1 and 3") && error.contains("2.17(e)2"), "{error}");
    }

    /// Proves 19:47-2.20(k)#2.
    #[test]
    fn one_house_advantage_of_a_bonus_wager() {
        let awards =
            |amount: u32| format!("side_wagers.blackjack-bonus.awards={{ \"1\" = {{ \"{amount}\" = 1 }} }}");
        let (low, high) = (awards(15), awards(16));
        house(&[&["decks=8", &low], &["decks=8", &low], &["decks=8"]]).expect("alike");
        let error = house(&[&["decks=8", &low], &["decks=8", &high]]).expect_err("two advantages");
        assert!(error.contains("tables 1 and 2") && error.contains("2.20(k)"), "{error}");
        let error = house(&[&["decks=8", &low], &["decks=6", &low]]).expect_err("two advantages");
        assert!(error.contains("2.20(k)"), "{error}");
    }
}
