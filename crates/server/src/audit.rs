//! The audit of a whole house: the chain, the seals, every balance, and every round carried out again.

use crate::fair::Vault;
use crate::serve::{Options, ServeError, place};
use crate::tables::audit_records;
use ledger::anchor::hold;
use ledger::audit::{Auditor, audit as audit_ledger};
use ledger::seal::{PublicKey, Seal, Sealer};
use serde::Serialize;

/// What an audit found. It passes when there is no first bad record.
#[derive(Clone, Debug, Serialize)]
pub struct AuditReport {
    pub passes: bool,
    pub records: i64,
    pub head: String,
    pub seals: usize,
    pub accounts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_bad: Option<FirstBad>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FirstBad {
    /// The record; 0 when it is not a record but a row derived from them.
    pub seq: i64,
    pub what: String,
}

/// Re-derives everything from the journal. Needs the data directory for its keys; reads only, so the house may be open.
pub fn audit(options: &Options) -> Result<AuditReport, ServeError> {
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    let place = house_place(options)?;
    let vault = Vault::existing(&options.data)?;
    let sealer = Sealer::existing(&options.data).map_err(|e| opening(&e))?;
    let key = PublicKey::from_bytes(&sealer.public().to_bytes()).map_err(|e| opening(&e))?;
    let copies = std::fs::read_to_string(options.data.join("seals.log")).unwrap_or_default();
    let mut unreadable = None;
    let copies: Vec<Seal> = copies
        .lines()
        .filter_map(|line| {
            let seal = Seal::from_line(line);
            if seal.is_none() {
                unreadable =
                    Some(FirstBad { seq: 0, what: format!("a line of seals.log cannot be read: {line}") });
            }
            seal
        })
        .collect();
    let mut anchors = crate::anchors::named(options)?;
    let mut db = place.newest().map_err(|e| opening(&e))?;
    let held = hold(&mut *db, &options.data, &sealer, &mut anchors).map_err(|e| opening(&e))?;
    let lost = held.losses.first().map(|loss| FirstBad { seq: loss.seq.0, what: loss.to_string() });
    let silent = held.silent.first().map(|what| FirstBad { seq: 0, what: what.clone() });
    let mut replay = audit_records(&vault);
    let mut auditor = Auditor { key: Some(key), copies, replay: &mut replay };
    let found = audit_ledger(&mut *db, &mut auditor).map_err(|e| opening(&e))?;
    let first_bad = found.first_bad.map(|bad| FirstBad { seq: bad.seq.0, what: bad.what });
    let first_bad = first_bad.or(unreadable).or(lost).or(silent);
    Ok(AuditReport {
        passes: first_bad.is_none(),
        records: found.records,
        head: found.head.to_string(),
        seals: found.seals,
        accounts: found.accounts,
        first_bad,
    })
}

/// Where a house is that must be there already.
fn house_place(options: &Options) -> Result<ledger::Place, ServeError> {
    let place = place(options);
    match &place {
        ledger::Place::Sqlite(path) if !path.exists() => {
            let data = options.data.display();
            Err(ServeError::Opening(format!("there is no house in {data}; name its directory with --data")))
        }
        _ => Ok(place),
    }
}

/// Writes a backup of a house into a new directory. The house may be open.
pub fn backup(options: &Options, into: &std::path::Path) -> Result<u64, ServeError> {
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    let mut db = house_place(options)?.newest().map_err(|e| opening(&e))?;
    let summary = ledger::backup::write(&mut *db, &options.data, into).map_err(|e| opening(&e))?;
    Ok(summary.rows)
}

/// Makes everything beside the journal anew from it, in a house that is closed, and audits it.
pub fn rebuild(options: &Options) -> Result<AuditReport, ServeError> {
    ledger::Ledger::rebuild(&options.data, &house_place(options)?)?;
    audit(options)
}

/// Restores a backup into an empty data directory and store, and audits it.
pub fn restore(options: &Options, from: &std::path::Path) -> Result<AuditReport, ServeError> {
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    ledger::backup::restore(from, &options.data, &place(options)).map_err(|e| opening(&e))?;
    audit(options)
}
