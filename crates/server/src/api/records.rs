//! The books: daily reports, significant events, the journal itself, and its head for anyone to note.

use super::rounds::names;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::returns::Return;
use crate::wire::{Money, Page, PageQuery, Path, Query, Time, Written, day_from_text, day_text};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use ledger::db::Db;
use ledger::report::{self, DayReport};
use ledger::search::{From as Begin, Sought, Who, search};
use ledger::{Account, DbResult, GamingDay, PersonId, Record, Seq, Stream, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write as _;

#[derive(Serialize, utoipa::ToSchema)]
pub struct MovementView {
    kind: String,
    records: i64,
    into: Money,
    out: Money,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct ClassView {
    chips: String,
    holders: &'static str,
    opening: Money,
    movements: Vec<MovementView>,
    closing: Money,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct TableDayView {
    table: i64,
    rounds: i64,
    wagered: Money,
    returned: Money,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct DayView {
    day: String,
    records: i64,
    /// Opening plus movements is closing for every line, and all closings together are nothing.
    reconciles: bool,
    classes: Vec<ClassView>,
    tables: Vec<TableDayView>,
    /// Nothing happened on this day.
    no_activity: bool,
}

fn day_view(report: &DayReport) -> DayView {
    let classes = report.classes.iter().map(|((chips, class), balance)| ClassView {
        chips: chips.to_string(),
        holders: class.name(),
        opening: Money(balance.opening),
        movements: balance
            .movements
            .iter()
            .map(|(kind, m)| MovementView {
                kind: kind.clone(),
                records: m.records,
                into: Money(m.into),
                out: Money(m.out),
            })
            .collect(),
        closing: Money(balance.closing),
    });
    let tables = report.tables.iter().map(|(table, t)| TableDayView {
        table: *table,
        rounds: t.rounds,
        wagered: Money(t.wagered),
        returned: Money(t.returned),
    });
    DayView {
        day: day_text(report.day),
        records: report.records,
        reconciles: report.reconciles(),
        classes: classes.collect(),
        tables: tables.collect(),
        no_activity: report.records == 0,
    }
}

async fn report_of(app: &App, day: &str) -> ApiResult<DayReport> {
    let day = match day {
        "today" => app.ledger.today(),
        text => day_from_text(text).ok_or_else(|| ApiError::missing("day; write today or 2026-11-15"))?,
    };
    let bounded = GamingDay(day.0.clamp(0, 200_000));
    app.read(move |db| report::day(db, bounded)).await
}

/// A gaming day: what each kind of account held, what moved and what it held then. `today` works as a date.
#[utoipa::path(get, path = "/api/reports/{day}", tag = "records", params(("day" = String, Path)),
    responses((status = 200, body = DayView), (status = 404, body = ErrorBody)))]
pub async fn day(State(app): State<App>, Path(day): Path<String>) -> ApiResult<Json<DayView>> {
    Ok(Json(day_view(&report_of(&app, &day).await?)))
}

/// Actual against theoretical return: what each wager of each table took and paid, held against its exact figures.
#[utoipa::path(get, path = "/api/returns", tag = "records", responses((status = 200, body = [Return])))]
pub async fn returns(State(app): State<App>) -> ApiResult<Json<Vec<Return>>> {
    Ok(Json(crate::returns::all(&app).await?))
}

/// The same as a CSV file.
#[utoipa::path(get, path = "/api/reports/{day}/csv", tag = "records", params(("day" = String, Path)),
    responses((status = 200, body = String, content_type = "text/csv"), (status = 404, body = ErrorBody)))]
pub async fn day_csv(State(app): State<App>, Path(day): Path<String>) -> ApiResult<impl IntoResponse> {
    let view = day_view(&report_of(&app, &day).await?);
    let mut csv = String::from("day,chips,holders,line,records,into,out,balance\n");
    let text = |money: Money| money.0.to_string();
    for class in view.classes {
        let head = format!("{},{},{}", view.day, class.chips, class.holders);
        let _ = writeln!(csv, "{head},opening,,,,{}", text(class.opening));
        for m in class.movements {
            let _ = writeln!(csv, "{head},{},{},{},{},", m.kind, m.records, text(m.into), text(m.out));
        }
        let _ = writeln!(csv, "{head},closing,,,,{}", text(class.closing));
    }
    Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], csv))
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct RecordView {
    seq: i64,
    at: Time,
    day: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<i64>,
    kind: String,
    person: i64,
    /// What whoever it was is called; absent for the house itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Name of the person the record is about, if its event names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    command: String,
    /// What happened, where the record holds it as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<serde_json::Value>,
    legs: Vec<LegView>,
    hash: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct LegView {
    account: String,
    /// Whose chips, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    amount: Money,
    after: Money,
}

impl From<Record> for RecordView {
    fn from(record: Record) -> RecordView {
        let legs = record.legs.iter().map(|leg| LegView {
            account: leg.account.to_string(),
            name: None,
            amount: Money(leg.amount),
            after: Money(leg.after),
        });
        RecordView {
            seq: record.seq.0,
            at: Time(record.at),
            day: day_text(record.day),
            table: match record.stream {
                Stream::House => None,
                Stream::Table(table) => Some(table.0),
            },
            round: (record.round.0 > 0).then_some(record.round.0),
            kind: record.kind.clone(),
            person: record.person.0,
            name: None,
            about: None,
            command: record.command.as_str().to_owned(),
            // A table's records know cards that nobody has seen; finished rounds are told at the table.
            event: match record.stream {
                Stream::House => serde_json::from_slice(&record.event).ok(),
                Stream::Table(_) => None,
            },
            legs: legs.collect(),
            hash: record.hash.to_string(),
        }
    }
}

/// A page of records with the names of the people in them, written where they are read.
async fn views(
    app: &App,
    limit: i64,
    find: impl FnOnce(&mut dyn Db) -> DbResult<Vec<Record>> + Send + 'static,
) -> ApiResult<Written> {
    let page = app.read(move |db| {
        let records = find(db)?;
        let items = named(db, records)?;
        Ok(Written::json(&Page::of(items, limit, |record| record.seq)))
    });
    page.await
}

fn named(db: &mut dyn Db, records: Vec<Record>) -> DbResult<Vec<RecordView>> {
    let owners = records.iter().flat_map(|record| &record.legs).filter_map(|leg| leg.account.kept_for());
    let told: Vec<Option<PersonId>> = records.iter().map(told_about).collect();
    let people =
        records.iter().map(|record| record.person).chain(owners).chain(told.iter().copied().flatten());
    let people: BTreeSet<PersonId> = people.filter(|person| *person != PersonId::HOUSE).collect();
    let names = names(db, people.into_iter())?;
    let called = |person: PersonId| names.get(&person.0.to_string()).cloned();
    let views = records.into_iter().zip(told).map(|(record, about)| {
        let people: Vec<_> = record.legs.iter().map(|leg| leg.account.kept_for().and_then(called)).collect();
        let name = called(record.person);
        let mut view = RecordView::from(record);
        (view.name, view.about) = (name, about.and_then(called));
        for (leg, name) in view.legs.iter_mut().zip(people) {
            leg.name = name;
        }
        view
    });
    Ok(views.collect())
}

/// Whom an event of the house names: a person, a patron at the cage, the holder of an account.
fn told_about(record: &Record) -> Option<PersonId> {
    let Stream::House = record.stream else { return None };
    let event: serde_json::Value = serde_json::from_slice(&record.event).ok()?;
    let told = event.get("details").unwrap_or(&event);
    let number = ["person", "patron"].iter().find_map(|key| told.get(key)?.as_i64());
    let holder = || Account::from_name(told.get("account")?.as_str()?)?.kept_for();
    number.map(PersonId).or_else(holder)
}

/// Significant events, newest first.
#[utoipa::path(get, path = "/api/significant-events", tag = "records", params(PageQuery),
    responses((status = 200, body = Page<RecordView>)))]
pub async fn significant_events(State(app): State<App>, Query(page): Query<PageQuery>) -> ApiResult<Written> {
    let (before, limit) = (Seq(page.cursor.unwrap_or(i64::MAX)), page.limit());
    views(&app, limit, move |db| report::of_kind(db, "significant", before, limit)).await
}

/// Which records are wanted; every word narrows the search.
#[derive(Clone, Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct JournalQuery {
    /// The `next` of the page before.
    #[serde(default)]
    cursor: Option<i64>,
    /// Most entries, 1 to 500; 50 when left out.
    #[serde(default)]
    #[param(minimum = 1, maximum = 500)]
    limit: Option<i64>,
    /// The kind of record, like `settle`.
    #[serde(default)]
    #[param(max_length = 64)]
    kind: Option<String>,
    /// Whose command it was.
    #[serde(default)]
    person: Option<i64>,
    /// The same by name.
    #[serde(default)]
    #[param(max_length = 64)]
    name: Option<String>,
    /// Whom it concerns, by name: what they did, where their chips moved, and significant events that name them.
    #[serde(default)]
    #[param(max_length = 64)]
    concerns: Option<String>,
    /// The newest record first; then `cursor` counts down.
    #[serde(default)]
    newest: bool,
    #[serde(default)]
    table: Option<u32>,
    /// A gaming day, like `2026-01-31`.
    #[serde(default)]
    #[param(max_length = 10)]
    day: Option<String>,
}

/// The journal in its order, or what of it is sought.
#[utoipa::path(get, path = "/api/journal", tag = "records", params(JournalQuery),
    responses((status = 200, body = Page<RecordView>), (status = 400, body = ErrorBody)))]
pub async fn journal(State(app): State<App>, Query(asked): Query<JournalQuery>) -> ApiResult<Written> {
    let page = PageQuery { cursor: asked.cursor, limit: asked.limit };
    let limit = page.limit();
    let day = match asked.day.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => Some(day_from_text(text).ok_or_else(|| ApiError::bad("day", "invalid date"))?),
        None => None,
    };
    let said = |text: Option<String>| text.filter(|text| !text.is_empty());
    let who = match (said(asked.concerns), said(asked.name), asked.person) {
        (None, None, person) => person.map(PersonId).map(Who::Gave),
        (None, Some(name), _) => Some(Who::Gave(called(&app, name).await?)),
        (Some(name), None, None) => Some(Who::Concerned(called(&app, name).await?)),
        _ => return Err(ApiError::bad("concerns", "use either `concerns` or `name`/`person`, not both")),
    };
    let stream = asked.table.map(|table| Stream::Table(TableId(table)));
    let sought = Sought { kind: said(asked.kind), who, stream, day };
    let from = match asked.newest {
        true => Begin::Before(Seq(asked.cursor.unwrap_or(i64::MAX))),
        false => Begin::After(Seq(asked.cursor.unwrap_or(0).max(0))),
    };
    views(&app, limit, move |db| search(db, &sought, from, limit)).await
}

/// The person whom the house knows by this name.
async fn called(app: &App, name: String) -> ApiResult<PersonId> {
    let found = app.read(move |db| ledger::people::by_name(db, &name)).await?;
    Ok(found.ok_or_else(|| ApiError::missing("person of that name"))?.id)
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct HeadView {
    seq: i64,
    hash: String,
    at: Time,
}

/// The end of the journal. Whoever notes it can later prove that nothing before it was changed.
#[utoipa::path(get, path = "/api/journal/head", tag = "records", responses((status = 200, body = HeadView)))]
pub async fn head(State(app): State<App>) -> ApiResult<Json<HeadView>> {
    let ledger = std::sync::Arc::clone(&app.ledger);
    let head = app.desk.run(move || ledger.head()).await??;
    Ok(Json(HeadView { seq: head.seq.0, hash: head.hash.to_string(), at: Time(head.at) }))
}
