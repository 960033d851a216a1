//! The licensee's own odds for paytable lines.
//!
//! Where a regulation says "no less than" (2.22(j), 2.23(f), 2.24(f), 2A.6(c), MA 6(c)), a table may pay more than
//! the regulation requires. The functions here return paytable lines with the table's odds.

use super::{PayLine, Pays, SideWager, paytable};
use crate::choice::Choices;
use crate::odds::Odds;
use crate::text::TEXTS;

/// Returns the name of a paytable line in a table file, such as `two-pair` for `two pair`.
///
/// The name omits words that all lines of its side bet have, such as `consecutive winning hands`.
pub fn key(hand: &str) -> String {
    let hand = hand.strip_prefix("one card of ").unwrap_or(hand);
    let hand = hand.strip_suffix(" consecutive winning hands").unwrap_or(hand);
    hand.replace(' ', "-").to_lowercase()
}

/// Returns the names of a side bet's paytable lines for which a table file can state odds.
///
/// Lines that add up the odds of other lines have no odds of their own.
pub fn names(wager: SideWager) -> Vec<String> {
    let sides = TEXTS.iter().filter_map(|text| text.side(wager));
    let lines = sides.flat_map(|side| side.paytables).flat_map(|table| table.lines);
    let mut names: Vec<String> = Vec::new();
    for line in lines.filter(|line| line.sum.is_empty()) {
        let name = key(line.hand);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the lines of a side bet's paytable, with the table's odds.
pub fn lines(choices: &Choices, wager: SideWager) -> Vec<PayLine> {
    let table = paytable(choices, wager).map_or(&[][..], |table| table.lines);
    table.iter().map(|&line| paid(choices, wager, line)).collect()
}

/// Returns a paytable line with the table's odds.
pub(super) fn paid(choices: &Choices, wager: SideWager, line: PayLine) -> PayLine {
    let Some(offer) = choices.offer(wager).filter(|offer| !offer.odds.is_empty()) else {
        return line;
    };
    let own = |line: PayLine| match (offer.odds.get(&key(line.hand)), line.pays) {
        (Some(&odds), _) | (None, Pays::Odds(odds)) => odds,
        _ => Odds::EVEN,
    };
    let of_table = paytable(choices, wager).map_or(&[][..], |table| table.lines);
    let parts: Vec<Odds> =
        line.sum.iter().filter_map(|&at| of_table.get(at)).map(|&part| own(part)).collect();
    let pays = match parts.split_first() {
        _ if !matches!(line.pays, Pays::Odds(_)) => line.pays,
        Some((&first, rest)) => Pays::Odds(rest.iter().fold(first, |sum, &odds| sum.and(odds))),
        None => Pays::Odds(own(line)),
    };
    PayLine { pays, ..line }
}
