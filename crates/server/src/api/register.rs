//! The register: approvals, notices, inspections and limits that the law leaves to people, each with its clause, in the
//! journal and in one list; and what each table still needs.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::needs::{self, Need};
use crate::role::Role;
use crate::wire::{Body, ClientId, Page, PageQuery, Query, Time, body_digest, day_text};
use axum::Json;
use axum::extract::State;
use ledger::db::Db;
use ledger::people::{Keep, setting};
use ledger::{DbResult, GamingDay, Record, Seq, report};
use rules::Clause;
use serde::{Deserialize, Serialize};

/// The kind of the journal's records.
const KIND: &str = "register";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// Of the Commission or the Division: equipment, procedures, layouts, submissions.
    Approval,
    /// Given to the public before a rule is offered, changed or withdrawn.
    Notice,
    /// Of cards, shoes and shuffling devices, by a floorperson.
    Inspection,
    /// Imposed by the Commission on shared boxes and the like.
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

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct RegisterOrder {
    id: ClientId,
    kind: EntryKind,
    /// The clause that asks for it, by its id in the catalogue.
    #[schema(max_length = 64)]
    clause: String,
    /// One table; all of them when left out.
    #[serde(default)]
    table: Option<u32>,
    /// What it says: the document and its date, the back colours, who inspected.
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
}

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
struct Written {
    kind: EntryKind,
    clause: String,
    #[serde(default)]
    table: Option<u32>,
    text: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct EntryView {
    seq: i64,
    at: Time,
    /// The gaming day.
    day: String,
    /// Who entered it.
    person: i64,
    kind: EntryKind,
    clause: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
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

/// Where the last entry of a kind about a clause is found at once.
fn place(kind: EntryKind, clause: &str, table: Option<u32>) -> String {
    let table = table.map_or("all".into(), |table| table.to_string());
    format!("register/{}/{table}/{clause}", kind.word())
}

/// Enters an approval, a notice, an inspection or a limit. A floorperson enters inspections, a supervisor everything.
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
    let clause = Clause::find(&asked.clause).ok_or_else(|| ApiError::missing("clause"))?;
    if let Some(table) = asked.table {
        app.table(table)?;
    }
    if asked.text.trim().is_empty() || asked.text.chars().count() > 2000 {
        return Err(ApiError::bad("text", "entry text is required, up to 2000 characters"));
    }
    let mut draft = app.draft(&me, asked.id.lawful()?, KIND, body_digest(KIND, &asked));
    let written =
        Written { kind: asked.kind, clause: clause.id().to_owned(), table: asked.table, text: asked.text };
    draft.event = serde_json::to_vec(&written).unwrap_or_default();
    let name = place(written.kind, &written.clause, written.table);
    let day = app.ledger.today().0.to_string().into_bytes();
    draft.keep.push(Keep::Setting { name, value: day });
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

/// The register, newest first.
#[utoipa::path(get, path = "/api/register", tag = "records", params(PageQuery),
    responses((status = 200, body = Page<EntryView>)))]
pub async fn list(State(app): State<App>, Query(page): Query<PageQuery>) -> ApiResult<Json<Page<EntryView>>> {
    entries(&app, page, false).await
}

/// The notices of the house, for everyone to read, newest first.
#[utoipa::path(get, path = "/api/notices", tag = "records", params(PageQuery),
    responses((status = 200, body = Page<EntryView>)))]
pub async fn notices(
    State(app): State<App>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<Page<EntryView>>> {
    entries(&app, page, true).await
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct Due {
    table: u32,
    clause: String,
    /// What the clause asks for at this table.
    what: String,
}

/// What the tables need and the register does not hold: notices and approvals by their clauses, and at dealers' tables what
/// their equipment needs, such as the inspection of shoe and shuffler on each gaming day.
#[utoipa::path(get, path = "/api/register/due", tag = "records", responses((status = 200, body = Vec<Due>)))]
pub async fn due(State(app): State<App>) -> ApiResult<Json<Vec<Due>>> {
    let (today, tables) = (app.ledger.today(), app.file.tables.clone());
    let missing = app.read(move |db| {
        let mut missing = Vec::new();
        for table in &tables {
            let due = |need: Need| Due { table: table.number, clause: need.clause.into(), what: need.what };
            missing.extend(needs::missing(db, table, today)?.into_iter().map(due));
        }
        Ok(missing)
    });
    Ok(Json(missing.await?))
}

/// Does the register hold something about a clause, for this table or for all? On or after a gaming day, if one is given.
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

/// Does the register hold something about a clause, for this table or for all?
pub async fn registered(app: &App, clause: &str, table: u32) -> ApiResult<bool> {
    let clause = clause.to_owned();
    app.read(move |db| entered(db, &clause, table, None)).await
}
