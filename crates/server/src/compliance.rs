//! Compliance holds: approvals, notices and inspections that play depends on and only people can provide.
//!
//! A dealer's table takes no cage chips until the register holds its entries. Play chips are exempt, and so are
//! automatic tables, where the platform itself posts what it offers: there, missing entries are only listed as due.

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::house_file::{Dealing, TableSetup};
use crate::notices::{Needed, lacking_setting};
use crate::tables::{Ask, Request, TableHandle};
use ledger::db::Db;
use ledger::people::setting;
use ledger::{Chips, DbResult, GamingDay};
use rules::message;
use rules::text::entries::Frequency;
use rules::{Clause, Finding};
use std::collections::HashMap;
use std::sync::Mutex;

/// An approval, notice or inspection that the register must hold for a table.
pub struct Need {
    pub clause: &'static str,
    /// What the clause requires at this table.
    pub what: String,
    /// Whether a new entry is required on every gaming day.
    pub daily: bool,
}

/// Returns the entries that the register must hold for a table.
///
/// Every table needs the entries that its chosen rules require. A table with a human dealer also needs the entries
/// that the regulation requires of every such table.
pub fn of(table: &TableSetup) -> Vec<Need> {
    let mut needs = required(&rules::lawful::check(&table.rules).warnings);
    if table.dealing == Dealing::Dealer {
        let entries = table.rules.text().entries(&table.rules);
        needs.extend(entries.into_iter().map(|entry| Need {
            clause: entry.by.id(),
            what: entry.what.to_owned(),
            daily: entry.due == Frequency::Daily,
        }));
    }
    needs
}

/// Returns the register entries that the warnings of a legality check require.
fn required(warnings: &[Finding]) -> Vec<Need> {
    let asked = warnings.iter().filter(|finding| finding.entry);
    asked
        .map(|finding| Need { clause: finding.clause.id(), what: finding.message.clone(), daily: false })
        .collect()
}

/// Returns the entries that a table needs but the register lacks, including overdue notices of earlier rule
/// changes.
pub fn missing(db: &mut dyn Db, table: &TableSetup, today: GamingDay) -> DbResult<Vec<Need>> {
    let mut missing = Vec::new();
    for need in of(table) {
        if !crate::api::entered(db, need.clause, table.number, need.daily.then_some(today))? {
            missing.push(need);
        }
    }
    let lacking = setting(db, &lacking_setting(table.number))?;
    let lacking: Vec<Needed> =
        lacking.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    for Needed { clause, what } in lacking {
        let Some(clause) = Clause::find(&clause).map(Clause::id) else { continue };
        if !crate::api::entered(db, clause, table.number, None)? {
            missing.push(Need { clause, what, daily: false });
        }
    }
    Ok(missing)
}

/// The last gaming day on which a table's register entries were complete, keyed by table number.
///
/// Every check updates the map. Entries are never withdrawn, so a complete register stays complete for that day.
#[derive(Default)]
pub struct Complete(Mutex<HashMap<u32, GamingDay>>);

impl Complete {
    fn on(&self, table: u32) -> Option<GamingDay> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(&table).copied()
    }

    fn note(&self, table: u32, day: GamingDay) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(table, day);
    }
}

/// Returns an error if a bet needs register entries that are missing.
///
/// Only a bet of bought chips at a dealer's table needs register entries; a bet of play chips is practice. The error
/// cites the clause of the first missing entry. A retry of an accepted bet gets its original response, whatever is due
/// now.
pub async fn admit(app: &App, table: &TableHandle, ask: &Ask) -> ApiResult<()> {
    let wagers = matches!(ask.request, Request::Wager { .. }) && ask.who.chips == Chips::Cash;
    if table.fixed.dealing != Dealing::Dealer || !wagers {
        return Ok(());
    }
    match complete(app, table.fixed.id.0).await {
        Err(_) if app.did(ask.who.id, &ask.id).await? => Ok(()),
        outcome => outcome,
    }
}

/// Returns an error if the register lacks an entry that the table needs today.
pub async fn complete(app: &App, number: u32) -> ApiResult<()> {
    let today = app.ledger.today();
    if app.complete.on(number) == Some(today) {
        return Ok(());
    }
    let Some(setup) = app.file.tables.iter().find(|setup| setup.number == number).cloned() else {
        return Ok(());
    };
    let missing = app.read(move |db| missing(db, &setup, today)).await?;
    let Some(first) = missing.first() else {
        app.complete.note(number, today);
        return Ok(());
    };
    let message = message!(
        "entry-missing",
        "the register has no entry for {clause} yet; this table accepts no purchased chips until a supervisor adds it",
        clause = first.clause
    );
    let error = ApiError::refused(message).in_english(format!(
        "{}, but the register has no entry for this yet; this table accepts no purchased chips until a supervisor \
         adds it",
        first.what
    ));
    Err(match Clause::find(first.clause) {
        Some(by) => error.clause(by.citation()),
        None => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewording_a_warning_changes_nothing() {
        for (name, _) in rules::preset::PRESETS {
            let mut choices = rules::preset::preset(name).expect("a preset");
            choices
                .side_wagers
                .entry(rules::SideWager::Streak)
                .or_insert_with(|| rules::choice::SideOffer::of(rules::SideWager::Streak));
            let mut warnings = rules::lawful::check(&choices).warnings;
            let clauses = |warnings: &[Finding]| -> Vec<&str> {
                required(warnings).into_iter().map(|need| need.clause).collect()
            };
            let before = clauses(&warnings);
            for (n, finding) in warnings.iter_mut().enumerate() {
                finding.message = if n % 2 == 0 { "Otherwise.".into() } else { "this needs no entry".into() };
            }
            assert_eq!(clauses(&warnings), before, "{name}");
        }
    }
}
