//! The register of approvals, notices, inspections and limits that the regulations leave to people.
//!
//! Each entry cites its clause. The register also lists the entries that each table still needs.

use super::Me;
use crate::app::App;
use crate::compliance::{self, Need};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::role::Role;
use crate::wire::{Body, ClientId, Page, PageQuery, Query, Time, body_digest, day_text};
use axum::Json;
use axum::extract::State;
use ledger::db::Db;
use ledger::people::{RowChange, setting};
use ledger::{DbResult, GamingDay, Record, Seq, report};
use rules::Clause;
use rules::message;
use serde::{Deserialize, Serialize};

/// The kind of the journal records of register entries.
const KIND: &str = "register";

/// The kind of a register entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// An approval by the Commission or the Division: equipment, procedures, layouts, submissions.
    Approval,
    /// A notice given to the public before a rule is offered, changed or withdrawn.
    Notice,
    /// An inspection of cards, shoes and shuffling devices by a floorperson.
    Inspection,
    /// A limit that the Commission imposes, for example on shared boxes.
    Limit,
}

impl EntryKind {
    fn word(self) -> &'static str {
        match self {
            EntryKind::Approval => "approval",
            EntryKind::Notice => "notice",
            EntryKind::Inspection => "inspection",
            EntryKind::Limit => "limit",
        }
    }
}

/// A request to add an entry to the register.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct RegisterOrder {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    /// The kind of the entry.
    kind: EntryKind,
    /// The clause that requires the entry, by its id in the catalogue.
    #[schema(min_length = 1, max_length = 64)]
    clause: String,
    /// The number of the table that the entry is for. Default: all tables.
    #[serde(default)]
    table: Option<u32>,
    /// The text of the entry, such as a document and its date, the colors of the card backs, or the inspector.
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
}

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
struct Written {
    /// The kind of the entry.
    kind: EntryKind,
    /// The clause that requires the entry.
    clause: String,
    /// The number of the table that the entry is for, if it is not for all.
    #[serde(default)]
    table: Option<u32>,
    /// The text of the entry.
    text: String,
}

/// An entry of the register.
#[derive(Serialize, utoipa::ToSchema)]
pub struct EntryView {
    /// The number of the record in the journal.
    seq: i64,
    /// The time of the entry.
    at: Time,
    /// The gaming day of the entry.
    day: String,
    /// The number of the person who made the entry.
    person: i64,
    /// The kind of the entry.
    kind: EntryKind,
    /// The clause that requires the entry.
    clause: String,
    /// The number of the table that the entry is for, or absent for all tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    /// The text of the entry.
    text: String,
}

fn entry_view(record: &Record) -> Option<EntryView> {
    let written: Written = serde_json::from_slice(&record.event).ok()?;
    Some(EntryView {
        seq: record.seq.0,
        at: Time(record.at),
        day: day_text(record.day),
        person: record.person.0,
        kind: written.kind,
        clause: written.clause,
        table: written.table,
        text: written.text,
    })
}

/// Returns the key of the setting that stores the gaming day of the last entry of this kind for `clause`.
///
/// The setting is for one table, or for all tables if `table` is `None`.
fn place(kind: EntryKind, clause: &str, table: Option<u32>) -> String {
    let table = table.map_or("all".into(), |table| table.to_string());
    format!("register/{}/{table}/{clause}", kind.word())
}

/// Adds an approval, a notice, an inspection or a limit to the register.
///
/// Floor supervisors may add only inspections; supervisors may add every kind of entry.
#[utoipa::path(post, path = "/api/register", tag = "records", request_body = RegisterOrder,
    responses((status = 200, body = EntryView), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn enter(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<RegisterOrder>,
) -> ApiResult<Json<EntryView>> {
    if me.role == Role::Floor && asked.kind != EntryKind::Inspection {
        return Err(ApiError::role());
    }
    let clause = Clause::find(&asked.clause)
        .ok_or_else(|| ApiError::missing(message!("no-such-clause", "no such clause")))?;
    if let Some(table) = asked.table {
        app.table(table)?;
    }
    if asked.text.trim().is_empty() || asked.text.chars().count() > 2000 {
        return Err(ApiError::bad(
            "text",
            message!("entry-text", "entry text is required, up to 2000 characters"),
        ));
    }
    let mut draft = app.draft(&me, asked.id.lawful()?, KIND, body_digest(KIND, &asked));
    let written =
        Written { kind: asked.kind, clause: clause.id().to_owned(), table: asked.table, text: asked.text };
    draft.event = serde_json::to_vec(&written).unwrap_or_default();
    let name = place(written.kind, &written.clause, written.table);
    let day = app.ledger.today().0.to_string().into_bytes();
    draft.row_changes.push(RowChange::Setting { name, value: day });
    let receipt = app.commit(draft).await?;
    Ok(Json(EntryView {
        seq: receipt.seq.0,
        at: Time(receipt.at),
        day: day_text(app.ledger.today()),
        person: me.id.0,
        kind: written.kind,
        clause: written.clause,
        table: written.table,
        text: written.text,
    }))
}

async fn entries(app: &App, page: PageQuery, notices: bool) -> ApiResult<Json<Page<EntryView>>> {
    let (before, limit) = (Seq(page.cursor.unwrap_or(i64::MAX)), page.limit());
    let found = app.read(move |db| report::of_kind(db, KIND, before, limit)).await?;
    let next = found.last().filter(|_| found.len() as i64 >= limit).map(|record| record.seq.0);
    let wanted = |entry: &EntryView| !notices || entry.kind == EntryKind::Notice;
    Ok(Json(Page { items: found.iter().filter_map(entry_view).filter(wanted).collect(), next }))
}

/// Returns the entries of the register, newest first.
#[utoipa::path(get, path = "/api/register", tag = "records", params(PageQuery),
    responses((status = 200, body = Page<EntryView>)))]
pub async fn list(State(app): State<App>, Query(page): Query<PageQuery>) -> ApiResult<Json<Page<EntryView>>> {
    entries(&app, page, false).await
}

/// Returns the public notices of the house, newest first.
#[utoipa::path(get, path = "/api/notices", tag = "records", params(PageQuery),
    responses((status = 200, body = Page<EntryView>)))]
pub async fn notices(
    State(app): State<App>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<Page<EntryView>>> {
    entries(&app, page, true).await
}

/// A required entry that is missing from the register.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DueEntry {
    /// The number of the table that needs the entry.
    table: u32,
    /// The clause that requires the entry.
    clause: String,
    /// What the clause requires at this table.
    what: String,
}

/// Returns the required entries that are missing from the register.
///
/// Notices and approvals can be missing at every table. Tables with a human dealer also need equipment checks,
/// such as the daily inspection of shoe and shuffler.
#[utoipa::path(get, path = "/api/register/due", tag = "records", responses((status = 200, body = Vec<DueEntry>)))]
pub async fn due(State(app): State<App>) -> ApiResult<Json<Vec<DueEntry>>> {
    let (today, tables) = (app.ledger.today(), app.file.tables.clone());
    let missing = app.read(move |db| {
        let mut missing = Vec::new();
        for table in &tables {
            let due =
                |need: Need| DueEntry { table: table.number, clause: need.clause.into(), what: need.what };
            missing.extend(compliance::missing(db, table, today)?.into_iter().map(due));
        }
        Ok(missing)
    });
    Ok(Json(missing.await?))
}

/// Returns whether the register has an entry for a clause, for this table or for all tables.
///
/// If `since` is set, only entries of that gaming day or later count.
pub fn entered(db: &mut dyn Db, clause: &str, table: u32, since: Option<GamingDay>) -> DbResult<bool> {
    for table in [Some(table), None] {
        for kind in [EntryKind::Approval, EntryKind::Notice, EntryKind::Inspection] {
            let day = setting(db, &place(kind, clause, table))?;
            let day = day.and_then(|day| std::str::from_utf8(&day).ok()?.parse().ok());
            if day.is_some_and(|day: i64| since.is_none_or(|since| day >= since.0)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Returns whether the register has an entry of any date for a clause, for this table or for all tables.
pub async fn registered(app: &App, clause: &str, table: u32) -> ApiResult<bool> {
    let clause = clause.to_owned();
    app.read(move |db| entered(db, &clause, table, None)).await
}
