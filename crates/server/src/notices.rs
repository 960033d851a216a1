//! Finds rule changes that require a notice, by comparing each table's rules with those at the last opening.
//!
//! If a notice is not in the register, the change is recorded as a significant event, and the notice stays due.

use crate::app::{App, significant};
use crate::error::ApiResult;
use ledger::people::{RowChange, setting};
use ledger::{Draft, PersonId};
use rules::{Choices, Clause, clause};
use serde::{Deserialize, Serialize};

/// A notice that the regulation requires before a change of rules: the clause, and the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needed {
    pub clause: String,
    pub what: String,
}

/// Returns the notices that the regulation requires if a table's rules change from `old` to `new`.
pub fn needed(old: &Choices, new: &Choices) -> Vec<Needed> {
    let mut found: Vec<(Clause, &str)> = Vec::new();
    let mut withdrawn = |was: bool, is: bool, by: Clause, what: &'static str| {
        if was && !is {
            found.push((by, what));
        }
    };
    let five = |choices: &Choices| choices.bonus_payouts.five_card_21.is_yes();
    withdrawn(
        five(old),
        five(new),
        clause!("19:47-2.16(c)#2"),
        "the payout for five cards totaling 21 is withdrawn",
    );
    for side in old.side_wagers.keys().filter_map(|&wager| old.text().side(wager)) {
        if let Some(by) = side.extras.withdrawn {
            withdrawn(true, new.offer(side.wager).is_some(), by, "a side bet is withdrawn");
        }
    }
    let multiple = |choices: &Choices| choices.dealer_hands() > 1;
    withdrawn(multiple(old), multiple(new), clause!("19:47-2.18(a)#2"), "multiple action is withdrawn");
    let surrender = |choices: &Choices| choices.surrender.is_yes();
    if let Some(by) = new.text.surrender.and_then(|rule| rule.notice).filter(|_| old.text == new.text)
        && surrender(old) != surrender(new)
    {
        found.push((by, "surrender is introduced or withdrawn"));
    }
    for (&wager, was) in &old.side_wagers {
        let Some((is, side)) = new.offer(wager).zip(old.text().side(wager)) else { continue };
        if let Some(by) = side.extras.changed.filter(|_| was.paytable != is.paytable) {
            found.push((by, "the paytable of the same-suit bet is changed"));
        }
        match (side.extras.cap, was.cap, is.cap) {
            (Some(limited), Some(was), Some(is)) if is < was => {
                found.push((limited.decreased, "the aggregate payout limit is decreased"));
            }
            _ => {}
        }
    }
    let needed = |(by, what): (Clause, &str)| Needed { clause: by.id().to_owned(), what: what.to_owned() };
    found.into_iter().map(needed).collect()
}

/// Returns the name of the setting that stores a table's rules at the last opening.
fn rules_setting(table: u32) -> String {
    format!("rules/{table}")
}

pub fn lacking_setting(table: u32) -> String {
    format!("notices-lacking/{table}")
}

/// Compares every table's rules with those at the last opening, and records the changes.
pub async fn compare(app: &App) -> ApiResult<()> {
    for table in &app.file.tables {
        let (number, now) = (table.number, rules::file::show(&table.rules));
        let read = app.read(move |db| {
            Ok((setting(db, &rules_setting(number))?, setting(db, &lacking_setting(number))?))
        });
        let (before, lacking) = read.await?;
        if before.as_deref() == Some(now.as_bytes()) {
            continue;
        }
        let old = before.and_then(|text| rules::file::parse(std::str::from_utf8(&text).ok()?).ok());
        let new = old.map_or(Vec::new(), |old| needed(&old, &table.rules));
        let mut all: Vec<Needed> =
            lacking.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let mut without = Vec::new();
        for change in new {
            if !super::api::registered(app, &change.clause, number).await? && !all.contains(&change) {
                without.push(change);
            }
        }
        all.extend(without.iter().cloned());
        let mut rows = vec![RowChange::Setting { name: rules_setting(number), value: now.into_bytes() }];
        if !without.is_empty() {
            let value = serde_json::to_vec(&all).unwrap_or_default();
            rows.push(RowChange::Setting { name: lacking_setting(number), value });
        }
        app.commit(changed(number, &without, rows)?).await?;
    }
    Ok(())
}

/// A change of a table's rules, with the required notices that the register lacks, if any, as the journal stores
/// it.
#[derive(Serialize)]
struct RulesChanged<'a> {
    table: u32,
    notices_lacking: &'a [Needed],
}

fn changed(table: u32, without: &[Needed], rows: Vec<RowChange>) -> ApiResult<Draft> {
    let what = if without.is_empty() { "rules-of-table" } else { "rules-changed-without-notice" };
    let mut draft = significant(PersonId::HOUSE, what, RulesChanged { table, notices_lacking: without })?;
    draft.row_changes = rows;
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(set: &[&str]) -> Choices {
        let mut choices = rules::preset::preset("nj-blackjack").expect("a preset");
        for assignment in set {
            rules::file::set(&mut choices, assignment).expect(assignment);
        }
        choices
    }

    /// Proves 19:47-2.16(c)#2, 19:47-2.17(a)#3, 19:47-2.17(e)2#2, 19:47-2.18(a)#2, 19:47-2.8(c)#5, 19:47-2.24(h)#5.
    #[test]
    fn changes_that_need_notice_are_found() {
        let suit = |option: u8| format!("side_wagers.same-suit.paytable={option}");
        let (one, two) = (suit(1), suit(2));
        let multiple = "variation=multiple-action";
        for (old, new, clauses) in [
            (vec!["bonus_payouts=[\"five-card-21\"]"], vec![], vec!["19:47-2.16(c)#2"]),
            (vec![&*one], vec![], vec!["19:47-2.17(a)#3"]),
            (vec![&*one], vec![&*two], vec!["19:47-2.17(e)2#2"]),
            (vec![multiple], vec![], vec!["19:47-2.18(a)#2"]),
            (vec![], vec!["surrender=true"], vec!["19:47-2.8(c)#5"]),
            (vec!["surrender=true"], vec![], vec!["19:47-2.8(c)#5"]),
            (vec![], vec![&*one, multiple], vec![]),
            (vec![&*one], vec![&*one], vec![]),
            (
                vec!["side_wagers.twenty-point.cap=50000"],
                vec!["side_wagers.twenty-point.cap=40000"],
                vec!["19:47-2.24(h)#5"],
            ),
            (vec!["side_wagers.twenty-point.cap=50000"], vec!["side_wagers.twenty-point.cap=60000"], vec![]),
        ] {
            let found = needed(&choices(&old), &choices(&new));
            let found: Vec<&str> = found.iter().map(|n| n.clause.as_str()).collect();
            assert_eq!(found, clauses, "{old:?} to {new:?}");
        }
    }
}
