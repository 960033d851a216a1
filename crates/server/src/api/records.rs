//! The books: daily reports, significant events, the journal, and the journal's head, which anyone may read.

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
use ledger::search::{PageStart as Begin, PersonFilter, RecordFilter, search};
use ledger::{Account, DbResult, GamingDay, PersonId, Record, Seq, Stream, TableId};
use rules::message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The chips moved by one kind of record on a gaming day.
#[derive(Serialize, utoipa::ToSchema)]
pub struct MovementView {
    /// The kind of record that moved the chips, such as `settle`.
    kind: String,
    /// The number of records of this kind on the day.
    records: i64,
    /// The amount of chips that these records moved into the accounts of the class.
    into: Money,
    /// The amount of chips that these records moved out of the accounts of the class.
    out: Money,
}

/// The opening and closing balance of one class of accounts on a gaming day, and the movements in between.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ClassView {
    /// The kind of chips: `cash` or `play`.
    chips: String,
    /// The class of accounts, such as `patrons` or `bank`.
    holders: &'static str,
    /// The total balance of the class at the beginning of the day.
    opening: Money,
    /// The chips moved into and out of the class, for each kind of journal record.
    movements: Vec<MovementView>,
    /// The total balance of the class at the end of the day.
    closing: Money,
}

/// The handle and payouts of a table for a gaming day.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TableDayView {
    /// The number of the table.
    table: i64,
    /// The number of rounds played at the table.
    rounds: i64,
    /// The amount bet at the table.
    wagered: Money,
    /// The amount that the table paid out, including returned bets.
    returned: Money,
}

/// The report of a gaming day.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DayView {
    /// The gaming day, such as `2026-11-15`.
    day: String,
    /// The number of records on the day.
    records: i64,
    /// Whether the opening balance plus movements equals the closing balance in every class, and the closing
    /// balances sum to zero.
    reconciles: bool,
    /// The balances and movements of each class of accounts.
    classes: Vec<ClassView>,
    /// The handle and payouts of each table.
    tables: Vec<TableDayView>,
    /// Whether the day has no records.
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
        text => day_from_text(text).ok_or_else(|| {
            ApiError::missing(message!("no-such-day", "no such day; write today or 2026-11-15"))
        })?,
    };
    let bounded = GamingDay(day.0.clamp(0, 200_000));
    app.read(move |db| report::day(db, bounded)).await
}

/// Returns the report of a gaming day.
///
/// The report has the opening balance, movements and closing balance of each class of accounts. The day may be a
/// date or `today`.
#[utoipa::path(get, path = "/api/reports/{day}", tag = "records", params(("day" = String, Path)),
    responses((status = 200, body = DayView), (status = 404, body = ErrorBody)))]
pub async fn day(State(app): State<App>, Path(day): Path<String>) -> ApiResult<Json<DayView>> {
    Ok(Json(day_view(&report_of(&app, &day).await?)))
}

/// Returns the actual return to player of each bet at each table, next to the theoretical return.
#[utoipa::path(get, path = "/api/returns", tag = "records", responses((status = 200, body = [Return])))]
pub async fn returns(State(app): State<App>) -> ApiResult<Json<Vec<Return>>> {
    Ok(Json(crate::returns::all(&app).await?))
}

/// Returns the report of a gaming day as a CSV file.
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

/// A record of the journal, as shown to auditors.
#[derive(Serialize, utoipa::ToSchema)]
pub struct RecordView {
    /// The number of the record in the journal.
    seq: i64,
    /// The time of the record.
    at: Time,
    /// The gaming day, such as `2026-11-15`.
    day: String,
    /// The number of the table, or absent if the record belongs to no table.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    /// The number of the round, or absent if the record belongs to no round.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<i64>,
    /// The kind of the record.
    kind: String,
    /// The number of the person who gave the command, or 0 for the house itself.
    person: i64,
    /// The name of the person who gave the command, or absent for the house itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The name of the person that the record is about, if its event names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// The client's id of the command that made the record.
    command: String,
    /// The event, or absent for the records of tables, whose events contain hidden cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<serde_json::Value>,
    /// The postings of the record.
    legs: Vec<LegView>,
    /// The hash of the record, computed from the record and the previous record's hash.
    hash: String,
}

/// One side of a posting: an account and the amount it gains or loses.
#[derive(Serialize, utoipa::ToSchema)]
pub struct LegView {
    /// The name of the account in the books, such as `cash:player:7`.
    account: String,
    /// The name of the person that the account belongs to, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The amount that the account gains, or loses if it is negative.
    amount: Money,
    /// The balance of the account after the record.
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
            // A table's records contain hidden cards; finished rounds are available at the table.
            event: match record.stream {
                Stream::House => serde_json::from_slice(&record.event).ok(),
                Stream::Table(_) => None,
            },
            legs: legs.collect(),
            hash: record.hash.to_string(),
        }
    }
}

/// Returns a page of records with the names of the people in them.
///
/// The page is serialized on the thread that reads the database.
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
    let owners = records.iter().flat_map(|record| &record.legs).filter_map(|leg| leg.account.belongs_to());
    let told: Vec<Option<PersonId>> = records.iter().map(told_about).collect();
    let people =
        records.iter().map(|record| record.person).chain(owners).chain(told.iter().copied().flatten());
    let people: BTreeSet<PersonId> = people.filter(|person| *person != PersonId::HOUSE).collect();
    let names = names(db, people.into_iter())?;
    let called = |person: PersonId| names.get(&person.0.to_string()).cloned();
    let views = records.into_iter().zip(told).map(|(record, about)| {
        let people: Vec<_> =
            record.legs.iter().map(|leg| leg.account.belongs_to().and_then(called)).collect();
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

/// Returns the person named by the event of a house record, or `None` if the event names nobody.
///
/// The event may name a person, a patron at the cage, or an account, which stands for its holder.
fn told_about(record: &Record) -> Option<PersonId> {
    let Stream::House = record.stream else { return None };
    let event: serde_json::Value = serde_json::from_slice(&record.event).ok()?;
    let told = event.get("details").unwrap_or(&event);
    let number = ["person", "patron"].iter().find_map(|key| told.get(key)?.as_i64());
    let holder = || Account::from_name(told.get("account")?.as_str()?)?.belongs_to();
    number.map(PersonId).or_else(holder)
}

/// Returns the significant events, newest first.
#[utoipa::path(get, path = "/api/significant-events", tag = "records", params(PageQuery),
    responses((status = 200, body = Page<RecordView>)))]
pub async fn significant_events(State(app): State<App>, Query(page): Query<PageQuery>) -> ApiResult<Written> {
    let (before, limit) = (Seq(page.cursor.unwrap_or(i64::MAX)), page.limit());
    views(&app, limit, move |db| report::of_kind(db, "significant", before, limit)).await
}

/// A search of the journal, for records that match every given field.
#[derive(Clone, Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct JournalQuery {
    /// The cursor: the value of `next` on the previous page.
    #[serde(default)]
    cursor: Option<i64>,
    /// Maximum number of records, 1 to 500. Default: 50.
    #[serde(default)]
    #[param(minimum = 1, maximum = 500)]
    limit: Option<i64>,
    /// The kind of record, like `settle`.
    #[serde(default)]
    #[param(max_length = 64)]
    kind: Option<String>,
    /// The number of the person who gave the command.
    #[serde(default)]
    person: Option<i64>,
    /// The name of the person who gave the command.
    #[serde(default)]
    #[param(max_length = 64)]
    name: Option<String>,
    /// The name of a person whom the records concern.
    ///
    /// A record concerns a person by their command, by their chip movements, or as a significant event that mentions
    /// them.
    #[serde(default)]
    #[param(max_length = 64)]
    concerns: Option<String>,
    /// Whether to list records from newest to oldest; `cursor` then counts down.
    #[serde(default)]
    newest: bool,
    #[serde(default)]
    table: Option<u32>,
    /// The gaming day of the records, such as `2026-01-31`.
    #[serde(default)]
    #[param(max_length = 10)]
    day: Option<String>,
}

/// Returns the records of the journal that match a search, oldest first unless `newest` is true.
///
/// A search without fields matches every record.
#[utoipa::path(get, path = "/api/journal", tag = "records", params(JournalQuery),
    responses((status = 200, body = Page<RecordView>), (status = 400, body = ErrorBody)))]
pub async fn journal(State(app): State<App>, Query(asked): Query<JournalQuery>) -> ApiResult<Written> {
    let page = PageQuery { cursor: asked.cursor, limit: asked.limit };
    let limit = page.limit();
    let day = match asked.day.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => Some(
            day_from_text(text)
                .ok_or_else(|| ApiError::bad("day", message!("invalid-date", "invalid date")))?,
        ),
        None => None,
    };
    let said = |text: Option<String>| text.filter(|text| !text.is_empty());
    let who = match (said(asked.concerns), said(asked.name), asked.person) {
        (None, None, person) => person.map(PersonId).map(PersonFilter::Gave),
        (None, Some(name), _) => Some(PersonFilter::Gave(called(&app, name).await?)),
        (Some(name), None, None) => Some(PersonFilter::Concerned(called(&app, name).await?)),
        _ => {
            return Err(ApiError::bad(
                "concerns",
                message!("either-concerns-or-name", "use either `concerns` or `name`/`person`, not both"),
            ));
        }
    };
    let stream = asked.table.map(|table| Stream::Table(TableId(table)));
    let sought = RecordFilter { kind: said(asked.kind), who, stream, day };
    let from = match asked.newest {
        true => Begin::Before(Seq(asked.cursor.unwrap_or(i64::MAX))),
        false => Begin::After(Seq(asked.cursor.unwrap_or(0).max(0))),
    };
    views(&app, limit, move |db| search(db, &sought, from, limit)).await
}

/// Returns the number of the person with this name, or an error if there is none.
async fn called(app: &App, name: String) -> ApiResult<PersonId> {
    let found = app.read(move |db| ledger::people::by_name(db, &name)).await?;
    Ok(found
        .ok_or_else(|| {
            ApiError::missing(message!("no-person-of-name", "no person with that number and name"))
        })?
        .id)
}

/// The last record of the journal.
#[derive(Serialize, utoipa::ToSchema)]
pub struct HeadView {
    /// The number of the last record in the journal.
    seq: i64,
    /// The hash of the last record.
    hash: String,
    /// The time of the last record.
    at: Time,
}

/// Returns the number and hash of the journal's last record.
///
/// Anyone who saves the hash can later prove that no record up to this one was changed.
#[utoipa::path(get, path = "/api/journal/head", tag = "records", responses((status = 200, body = HeadView)))]
pub async fn head(State(app): State<App>) -> ApiResult<Json<HeadView>> {
    let ledger = std::sync::Arc::clone(&app.ledger);
    let head = app.desk.run(move || ledger.head()).await??;
    Ok(Json(HeadView { seq: head.seq.0, hash: head.hash.to_string(), at: Time(head.at) }))
}
