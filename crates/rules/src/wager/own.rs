//! The licensee's own odds for paytable lines.
//!
//! Where the law says "no less than" (2.22(j), 2.23(f), 2.24(f), 2A.6(c), MA 6(c)) a line may pay more than the
//! regulation requires. The functions here return lines as the table pays them.

use super::{PayLine, Pays, SideWager, paytable};
use crate::choice::Choices;
use crate::odds::Odds;
use crate::text::TEXTS;

/// Returns a paytable line's name in a table file.
///
/// For `two pair` it is `two-pair`. Omits the words that all lines of a side bet share.
pub fn key(hand: &str) -> String {
    let hand = hand.strip_prefix("one card of ").unwrap_or(hand);
    let hand = hand.strip_suffix(" consecutive winning hands").unwrap_or(hand);
    hand.replace(' ', "-").to_lowercase()
}

/// Returns the names of paytable lines that accept odds in a table file.
///
/// They are the lines that are not sums of other lines.
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

/// Returns the lines of a side bet's paytable, at the table's odds.
pub fn lines(choices: &Choices, wager: SideWager) -> Vec<PayLine> {
    let table = paytable(choices, wager).map_or(&[][..], |table| table.lines);
    table.iter().map(|&line| paid(choices, wager, line)).collect()
}

/// Returns a paytable line with this table's odds.
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
