//! Audits a whole house: the hash chain, the seals, every balance, and a replay of every round.

use crate::keys;
use crate::serve::{Options, ServeError, place};
use crate::tables::audit_records;
use crate::wire::time_from_text;
use ledger::anchor::check_journal;
use ledger::archive::RestorePoint;
use ledger::audit::{Auditor, audit as audit_ledger};
use ledger::backup::{Source, restore_until};
use ledger::seal::{PublicKey, Seal, Sealer};
use serde::Serialize;
use std::path::Path;
use utoipa::ToSchema;

/// The result of an audit.
///
/// The audit passes if it finds no fault.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuditReport {
    /// Whether the audit found no fault.
    pub passes: bool,
    /// The number of journal records that the audit read.
    pub records: i64,
    /// The hash of the journal's last record, in hexadecimal.
    pub head: String,
    /// The number of seals checked.
    pub seals: usize,
    /// The number of accounts whose balances were compared with the journal.
    pub accounts: usize,
    /// The first fault that the audit found, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_bad: Option<FirstBad>,
}

/// A fault that an audit found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FirstBad {
    /// The number of the faulty record, or 0 if the fault does not belong to a single record.
    pub seq: i64,
    /// The fault in one sentence.
    pub what: String,
}

/// Audits a house: recomputes everything from the journal and compares the result with the store.
///
/// The audit needs the data directory for the keys. It changes nothing, so the house may be open.
pub fn audit(options: &Options) -> Result<AuditReport, ServeError> {
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    let place = house_place(options)?;
    let signer = keys::signer(options);
    let vault = keys::vault(options, signer.as_deref(), false)?;
    let sealer = Sealer::existing(&options.data, signer).map_err(|e| opening(&e))?;
    let key = PublicKey::from_bytes(&sealer.public().to_bytes()).map_err(|e| opening(&e))?;
    let copies = std::fs::read_to_string(options.data.join("seals.log")).unwrap_or_default();
    let mut unreadable = None;
    let copies: Vec<Seal> = copies
        .lines()
        .filter_map(|line| {
            let seal = Seal::from_line(line);
            if seal.is_none() {
                unreadable = Some(FirstBad { seq: 0, what: format!("malformed line in seals.log: {line}") });
            }
            seal
        })
        .collect();
    let mut anchors = crate::anchors::named(options)?;
    let mut db = place.existing().map_err(|e| opening(&e))?;
    let held = check_journal(&mut *db, &options.data, &sealer, &mut anchors).map_err(|e| opening(&e))?;
    let lost = held.losses.first().map(|loss| FirstBad { seq: loss.seq.0, what: loss.to_string() });
    let unreachable = held.unreachable.first().map(|what| FirstBad { seq: 0, what: what.clone() });
    let mut replay = audit_records(&vault);
    let mut auditor = Auditor { key: Some(key), copies, replay: &mut replay };
    let found = audit_ledger(&mut *db, &mut auditor).map_err(|e| opening(&e))?;
    let first_bad = found.first_bad.map(|bad| FirstBad { seq: bad.seq.0, what: bad.what });
    let first_bad = first_bad.or(unreadable).or(lost).or(unreachable);
    Ok(AuditReport {
        passes: first_bad.is_none(),
        records: found.records,
        head: found.head.to_string(),
        seals: found.seals,
        accounts: found.accounts,
        first_bad,
    })
}

/// Returns the location of an existing house's store, or an error if there is no house.
pub(crate) fn house_place(options: &Options) -> Result<ledger::StoreAddress, ServeError> {
    let place = place(options);
    match &place {
        ledger::StoreAddress::Sqlite(path) if !path.exists() => {
            let data = options.data.display();
            Err(ServeError::Opening(format!("no house found in {data}; set its directory with --data")))
        }
        _ => Ok(place),
    }
}

/// Backs up a house to a new directory, and returns the number of database rows in the backup.
///
/// The house may be open.
pub fn backup(options: &Options, into: &Path) -> Result<u64, ServeError> {
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    let mut db = house_place(options)?.existing().map_err(|e| opening(&e))?;
    let summary = ledger::backup::write(&mut *db, &options.data, into).map_err(|e| opening(&e))?;
    Ok(summary.rows)
}

/// Rebuilds a stopped house's projections from its journal, and audits them.
pub fn rebuild(options: &Options) -> Result<AuditReport, ServeError> {
    ledger::Ledger::rebuild(&options.data, &house_place(options)?)?;
    audit(options)
}

/// Restores a backup into an empty data directory and database, and audits the result.
///
/// If `archive` is set, also adds the archive's later records. If `until` is set, it is the number or time of the
/// last record to restore.
pub fn restore(
    options: &Options,
    backup: &Path,
    archive: Option<&Path>,
    until: Option<&str>,
) -> Result<AuditReport, ServeError> {
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    let until = match until {
        None => RestorePoint::End,
        Some(text) => match (text.parse(), time_from_text(text)) {
            (Ok(seq), _) => RestorePoint::Record(ledger::Seq(seq)),
            (_, Some(moment)) => RestorePoint::Moment(moment),
            _ => {
                let what = format!(
                    "invalid record or time `{text}`; expected a record number or a time such as \
                        2026-11-15T20:30:00Z"
                );
                return Err(ServeError::Opening(what));
            }
        },
    };
    let source = Source { backup, archive, until };
    restore_until(source, &options.data, &place(options)).map_err(|e| opening(&e))?;
    audit(options)
}

/// Keeps a copy of a house up to date from an archive.
///
/// After each reading of the archive, calls `again` with the number of the copy's last record, and stops when
/// `again` returns `false`.
pub fn follow(
    options: &Options,
    archive: &Path,
    mut again: impl FnMut(i64) -> bool,
) -> Result<(), ServeError> {
    let place = house_place(options)?;
    Ok(ledger::Ledger::follow(&options.data, &place, archive, |head| again(head.seq.0))?)
}
