//! Changes of a table's rules that the law ties to a notice: what was withdrawn or changed since the house was last open is
//! found when it opens, and a change without its notice in the register is a significant event that stays due.

use crate::app::App;
use crate::error::ApiResult;
use ledger::people::{Keep, setting};
use ledger::{CommandId, Draft, PersonId, Stream};
use rules::wager::SideWager;
use rules::{Choices, Clause, clause};
use serde::{Deserialize, Serialize};

/// A notice that a change needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needed {
    pub clause: String,
    pub what: String,
}

/// Returns the notices that this change of a table requires in advance.
pub fn needed(old: &Choices, new: &Choices) -> Vec<Needed> {
    let mut found: Vec<(Clause, &str)> = Vec::new();
    let mut withdrawn = |was: bool, is: bool, by: Clause, what: &'static str| {
        if was && !is {
            found.push((by, what));
        }
    };
    let five = |choices: &Choices| choices.bonus_payouts.five_card_21.is_yes();
    withdrawn(five(old), five(new), clause!("19:47-2.16(c)#2"), "five cards totalling 21 are withdrawn");
    for wager in [SideWager::OverUnder13, SideWager::SameSuit, SideWager::Sevens] {
        let offered = |choices: &Choices| choices.offer(wager).is_some();
        withdrawn(offered(old), offered(new), clause!("19:47-2.17(a)#3"), "an additional wager is withdrawn");
    }
    let multiple = |choices: &Choices| choices.spots() > 1;
    withdrawn(multiple(old), multiple(new), clause!("19:47-2.18(a)#2"), "multiple action is withdrawn");
    let surrender = |choices: &Choices| choices.surrender.is_yes();
    if let Some(by) = new.text.surrender.notice.filter(|_| old.text == new.text)
        && surrender(old) != surrender(new)
    {
        found.push((by, "surrender is introduced or withdrawn"));
    }
    let paytable = |choices: &Choices| choices.offer(SideWager::SameSuit).map(|offer| offer.paytable.clone());
    if let (Some(was), Some(is)) = (paytable(old), paytable(new))
        && was != is
    {
        found.push((clause!("19:47-2.17(e)2#2"), "the same-suit option is changed"));
    }
    let cap = |choices: &Choices| choices.offer(SideWager::TwentyPoint).and_then(|offer| offer.cap);
    match (cap(old), cap(new)) {
        (Some(was), Some(is)) if is < was => {
            found.push((clause!("19:47-2.24(h)#5"), "the limit of the aggregate payout is decreased"));
        }
        _ => {}
    }
    let needed = |(by, what): (Clause, &str)| Needed { clause: by.id().to_owned(), what: what.to_owned() };
    found.into_iter().map(needed).collect()
}

/// Where a table's rules at the last opening, and the notices that its changes lack, are kept.
fn rules_setting(table: u32) -> String {
    format!("rules/{table}")
}

pub fn lacking_setting(table: u32) -> String {
    format!("notices-lacking/{table}")
}

/// Compares every table with what it was when the house was last open.
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
        let mut rows = vec![Keep::Setting { name: rules_setting(number), value: now.into_bytes() }];
        if !without.is_empty() {
            let value = serde_json::to_vec(&all).unwrap_or_default();
            rows.push(Keep::Setting { name: lacking_setting(number), value });
        }
        app.commit(changed(number, &without, rows)?).await?;
    }
    Ok(())
}

fn changed(table: u32, without: &[Needed], rows: Vec<Keep>) -> ApiResult<Draft> {
    let details = serde_json::json!({ "table": table, "notices_lacking": without });
    let id = CommandId::fresh().map_err(|_| crate::error::ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, PersonId::HOUSE, id, "significant");
    let what = if without.is_empty() { "rules-of-table" } else { "rules-changed-without-notice" };
    draft.event = serde_json::json!({ "what": what, "details": details }).to_string().into_bytes();
    draft.keep = rows;
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
