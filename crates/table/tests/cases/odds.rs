//! Compares the payouts of paytable lines with the catalogue: `50 to 1`, `$2,500`, the meter, the amount of the button.

use rules::wager::{PayLine, PayTable, Pays, Side, SideWager};
use rules::{Cents, Clause, Odds};

/// Over and under 13 win by one clause, and another gives the payout.
const ELSEWHERE: [(&str, &str); 2] =
    [("19:47-2.17(b)1", "19:47-2.17(e)1"), ("19:47-2.17(b)2", "19:47-2.17(e)1")];

/// Returns the lines of these side bets that do not pay what the catalogue says.
pub fn disagreements(sides: &[Side]) -> Vec<String> {
    let mut wrong = Vec::new();
    for side in sides {
        for table in side.paytables {
            if side.wager == SideWager::MatchTheDealer {
                if !by_matching_card(table) {
                    wrong.push(format!("match-the-dealer {}", table.name));
                }
                continue;
            }
            let unsaid = (0..table.lines.len()).filter(|&at| said(table, at) != Some(table.lines[at].pays));
            wrong.extend(unsaid.map(|at| {
                let line = &table.lines[at];
                format!(
                    "{} {} {}: {:?}, but {:?} says {}",
                    side.wager.word(),
                    table.name,
                    line.hand,
                    line.pays,
                    line.by,
                    line.by.summary()
                )
            }));
        }
    }
    wrong
}

/// Returns what the clause of a line says that it pays. A clause may describe two tables, A and B, or several lines in
/// order.
fn said(table: &PayTable, at: usize) -> Option<Pays> {
    let line = &table.lines[at];
    let said = amounts(line.by);
    let alike = table.lines.iter().filter(|other| other.by == line.by).count();
    match (said.as_slice(), table.name) {
        ([only], _) => Some(*only),
        (several, _) if alike == several.len() => {
            let before = table.lines[..at].iter().filter(|other| other.by == line.by).count();
            several.get(before).copied()
        }
        ([a, _], "A") => Some(*a),
        ([_, b], "B") => Some(*b),
        _ => None,
    }
}

/// Returns the amounts in the text of a clause, in order.
fn amounts(by: Clause) -> Vec<Pays> {
    let elsewhere = ELSEWHERE.iter().find(|(line, _)| *line == by.id());
    let by = elsewhere.and_then(|(_, odds)| Clause::find(odds)).unwrap_or(by);
    let summary = by.summary();
    // the text after "in place of" is about another line
    let own = summary.split(" in place of ").next().unwrap_or(summary);
    let words: Vec<&str> = own.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_odds =
            words.get(at + 1) == Some(&"to") && words.get(at + 2).is_some_and(|one| one.starts_with('1'));
        if let (true, Some(odds)) = (is_odds, odds(word)) {
            found.push(Pays::Odds(odds));
        } else if let Some(dollars) = word.strip_prefix('$') {
            let whole: String =
                dollars.split('.').next().unwrap_or("").chars().filter(char::is_ascii_digit).collect();
            found.extend(whole.parse().ok().map(|dollars| Pays::Amount(Cents::dollars(dollars))));
        }
    }
    if summary.contains("progressive meter") {
        found.push(Pays::Meter);
    }
    if summary.contains("bonus wager wins") {
        found.push(Pays::Award);
    }
    found
}

/// Parses `3` or `2.5`.
fn odds(word: &str) -> Option<Odds> {
    let (whole, tenths) = word.split_once('.').unwrap_or((word, "0"));
    Some(Odds::new(whole.parse::<u32>().ok()? * 10 + tenths.parse::<u32>().ok()?, 10))
}

/// Checks that each matching card pays, and more in the same suit: 2.23(f). Lines: both cards in suit, one of each, one
/// in suit, both in other suits, one in another suit.
fn by_matching_card(table: &PayTable) -> bool {
    let [both, one_of_each, one, both_other, other] = table.lines else { return false };
    let clauses = [both, one_of_each, one].iter().all(|line| line.by == both.by)
        && both_other.by == other.by
        && both.by != other.by;
    let per_card = |line: &PayLine| match amounts(line.by).as_slice() {
        [Pays::Odds(odds)] => Some(*odds),
        _ => None,
    };
    let (Some(suited), Some(unsuited)) = (per_card(both), per_card(other)) else {
        return false;
    };
    let pays = |line: &PayLine, first: Odds, second: Odds| line.pays == Pays::Odds(first.and(second));
    clauses
        && pays(both, suited, suited)
        && pays(one_of_each, suited, unsuited)
        && one.pays == Pays::Odds(suited)
        && pays(both_other, unsuited, unsuited)
        && other.pays == Pays::Odds(unsuited)
}
