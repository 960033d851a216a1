//! Finished rounds: history for players, search for auditors, exports.
//!
//! Rounds still in play are not available, because their records contain hidden cards.

use super::Me;
use super::account::purse;
use crate::app::{App, table_for};
use crate::error::{ApiError, ApiResult, ErrorBody, NO_PATRON, NO_ROUND};
use crate::role::Role;
use crate::tables::{
    EventView, History, Live, RecordCallback, ReplayStart, event_views, history, write_rounds,
};
use crate::wire::{Money, Page, PageQuery, Path, Query, Time, Written};
use axum::Json;
use axum::extract::State;
use ledger::db::Db;
use ledger::{Account, Chips, DbResult, PersonId, RoundNo, Seq, Stream, report};
use rules::message;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;
use table::{Fact, Word, notation as round_file};

/// A round from a player's history.
#[derive(Serialize, utoipa::ToSchema)]
pub struct PlayedRound {
    /// The number of the table.
    table: u32,
    /// The number of the round.
    round: i64,
    /// The time of the player's last record in the round.
    at: Time,
    /// The total amount that the player bet in the round.
    staked: Money,
    /// The amount paid out to the player, including returned bets.
    returned: Money,
    #[serde(skip)]
    last: i64,
}

/// Returns the caller's rounds, newest first.
#[utoipa::path(get, path = "/api/me/rounds", tag = "rounds", params(PageQuery),
    responses((status = 200, body = Page<PlayedRound>)))]
pub async fn mine(
    State(app): State<App>,
    me: Me,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<Page<PlayedRound>>> {
    played(&app, purse(&me), page).await
}

/// Returns the rounds of the named patron, newest first.
#[utoipa::path(get, path = "/api/patrons/{name}/rounds", tag = "rounds", params(("name" = String, Path), PageQuery),
    responses((status = 200, body = Page<PlayedRound>), (status = 404, body = ErrorBody)))]
pub async fn of_patron(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<Page<PlayedRound>>> {
    let found = app.read(move |db| ledger::people::by_name(db, &name)).await?;
    let patron =
        found.filter(|p| p.role == Role::Player.name()).ok_or_else(|| ApiError::missing(NO_PATRON))?;
    let chips = if patron.guest { Chips::Play } else { Chips::Cash };
    let account = Account::player(chips, patron.id);
    played(&app, account, page).await
}

async fn played(app: &App, account: Account, page: PageQuery) -> ApiResult<Json<Page<PlayedRound>>> {
    let (before, limit) = (Seq(page.cursor.unwrap_or(i64::MAX)), page.limit());
    let most = usize::try_from(limit).unwrap_or(50);
    let found = app.read(move |db| report::rounds_played(db, account, before, most)).await?;
    let items = found.into_iter().filter_map(|r| match r.stream {
        Stream::House => None,
        Stream::Table(table) => Some(PlayedRound {
            table: table.0,
            round: r.round.0,
            at: Time(r.at),
            staked: Money(r.staked),
            returned: Money(r.returned),
            last: r.last.0,
        }),
    });
    Ok(Json(Page::of(items.collect(), limit, |round: &PlayedRound| round.last)))
}

/// A finished round, step by step.
#[derive(Serialize, utoipa::ToSchema)]
pub struct RoundView {
    /// The number of the table.
    table: u32,
    /// The number of the round.
    round: i64,
    /// Always true: the round is a replay of a record, not a live round.
    replay: bool,
    /// The names of the people in the round, keyed by the person's number.
    ///
    /// Auditors, supervisors and floor supervisors see every name, other callers only their own. People whom the
    /// caller may not know have negative numbers, which are valid for this round only.
    names: BTreeMap<String, String>,
    /// The steps of the round, in order.
    steps: Vec<StepView>,
}

/// A step of a round: a record and its events.
#[derive(Serialize, utoipa::ToSchema)]
pub struct StepView {
    /// The number of the record in the journal.
    seq: i64,
    /// The time of the record.
    at: Time,
    /// The number of the person who gave the command.
    ///
    /// The number is 0 for the platform, and negative for a person whose identity the caller may not see.
    person: i64,
    /// The events of the step, in order.
    events: Vec<EventView>,
    /// The balances before and after the step of the players whose chips moved.
    ///
    /// Auditors, supervisors and floor supervisors see every balance, other callers only their own.
    balances: Vec<BalanceView>,
    /// The hash of the record, computed from the record and the previous record's hash.
    hash: String,
}

/// A player's chips before and after a step.
#[derive(Serialize, utoipa::ToSchema)]
pub struct BalanceView {
    /// The number of the player.
    person: i64,
    /// The player's balance before the step.
    before: Money,
    /// The player's balance after the step.
    after: Money,
}

/// Replays a finished round from the journal, and returns the result of `write` on its history.
///
/// Returns an error if the round is unknown or not finished, or if its records are inconsistent.
pub(super) async fn replayed<T: Send + 'static>(
    (app, me): (&App, &Me),
    (table, round): (u32, i64),
    (from, on_record): (ReplayStart, Option<RecordCallback>),
    write: impl FnOnce(&mut dyn Db, &History) -> DbResult<T> + Send + 'static,
) -> ApiResult<T> {
    let handle = table_for(app, table, me.asks()).await?;
    if round >= handle.published.borrow().round.0 {
        return Err(ApiError::missing(NO_ROUND));
    }
    let (app, fixed) = (Arc::clone(app), handle.fixed.clone());
    let asked = Arc::clone(&app);
    let found =
        asked.read(move |db| match history(db, &fixed, &app.vault, (RoundNo(round), from), on_record)? {
            None => Ok(None),
            Some(Err(stuck)) => Ok(Some(Err(stuck))),
            Some(Ok(history)) => Ok(Some(Ok(write(db, &history)?))),
        });
    match found.await? {
        None => Err(ApiError::missing(NO_ROUND)),
        Some(Err(stuck)) => {
            tracing::error!(%stuck, table, round, "a recorded round cannot be replayed");
            Err(ApiError::refused(message!(
                "record",
                "the record of this round is inconsistent; run `cutcard audit`"
            )))
        }
        Some(Ok(written)) => Ok(written),
    }
}

/// Returns a finished round: every card and decision, the chips moved, and the clause of each event.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}", tag = "rounds",
    params(("table" = u32, Path), ("round" = i64, Path)),
    responses((status = 200, body = RoundView), (status = 404, body = ErrorBody)))]
pub async fn round(
    State(app): State<App>,
    me: Me,
    Path((table, round)): Path<(u32, i64)>,
) -> ApiResult<Written> {
    let reader = Reader::of(&me);
    replayed((&app, &me), (table, round), (ReplayStart::Checkpoint, None), move |db, told| {
        let visible = |person: PersonId| reader.knows(person);
        let (number, live) = reader.sees(told);
        let names = names(db, people(told).into_iter().filter(|person| visible(*person)))?;
        let steps = told.steps.iter().map(|(record, step)| StepView {
            seq: record.seq.0,
            at: Time(record.at),
            person: number(record.person).0,
            events: event_views(&live, step, &live),
            balances: balances(record, visible),
            hash: record.hash.to_string(),
        });
        Ok(Written::json(&RoundView { table, round, replay: true, names, steps: steps.collect() }))
    })
    .await
}

/// The person who reads a round.
///
/// Only auditors, supervisors and floor supervisors see the numbers of other people.
#[derive(Clone, Copy)]
struct Reader {
    person: PersonId,
    sees_all: bool,
}

impl Reader {
    fn of(me: &Me) -> Reader {
        let sees_all = matches!(me.role, Role::Auditor | Role::Supervisor | Role::Floor);
        Reader { person: me.id, sees_all }
    }

    fn knows(self, person: PersonId) -> bool {
        self.sees_all || person == self.person || person == PersonId::HOUSE
    }

    /// Returns a function that maps each person to the number shown to this reader, and the table with these
    /// numbers.
    ///
    /// People whom the reader may not know get the numbers -1, -2 and so on, in order of appearance. Their own
    /// numbers would let a stranger follow how they play from round to round.
    fn sees(self, told: &History) -> (impl Fn(PersonId) -> PersonId, Live) {
        let mut others: Vec<PersonId> = Vec::new();
        let records = told.steps.iter().map(|(record, _)| record);
        let acted = records.flat_map(|record| {
            let moved = record.legs.iter().filter_map(|leg| leg.account.person());
            std::iter::once(record.person).chain(moved)
        });
        for person in acted.chain(told.live.seats.iter().map(|seat| seat.person)) {
            if !self.knows(person) && !others.contains(&person) {
                others.push(person);
            }
        }
        let number = move |person: PersonId| match others.iter().position(|other| *other == person) {
            Some(at) => PersonId(-1 - at as i64),
            None => person,
        };
        let mut live = told.live.clone();
        live.seats = live.seats.renumbered(&number);
        (number, live)
    }
}

/// Returns the people who acted in a round or whose chips moved.
fn people(told: &History) -> BTreeSet<PersonId> {
    let records = || told.steps.iter().map(|(record, _)| record);
    let moved = records().flat_map(|record| &record.legs).filter_map(|leg| leg.account.person());
    records().map(|record| record.person).chain(moved).filter(|person| *person != PersonId::HOUSE).collect()
}

pub(super) fn names(
    db: &mut dyn Db,
    people: impl Iterator<Item = PersonId>,
) -> DbResult<BTreeMap<String, String>> {
    let mut names = BTreeMap::new();
    for id in people {
        names.extend(ledger::people::by_id(db, id)?.map(|person| (id.0.to_string(), person.name)));
    }
    Ok(names)
}

fn balances(record: &ledger::Record, visible: impl Fn(PersonId) -> bool) -> Vec<BalanceView> {
    let mut lines: Vec<BalanceView> = Vec::new();
    for leg in &record.legs {
        let Some(person) = leg.account.person().filter(|p| visible(*p)) else {
            continue;
        };
        match lines.iter_mut().find(|line| line.person == person.0) {
            Some(line) => line.after = Money(leg.after),
            None => {
                let before = Money(ledger::Cents(leg.after.0 - leg.amount.0));
                lines.push(BalanceView { person: person.0, before, after: Money(leg.after) });
            }
        }
    }
    lines
}

/// Returns the settlements of a finished round as a CSV file.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/csv", tag = "rounds",
    params(("table" = u32, Path), ("round" = i64, Path)),
    responses((status = 200, body = String, content_type = "text/csv"), (status = 404, body = ErrorBody)))]
pub async fn csv(State(app): State<App>, me: Me, Path(round): Path<(u32, i64)>) -> ApiResult<Written> {
    let reader = Reader::of(&me);
    let lines = move |_: &mut dyn Db, told: &History| Ok(write_csv(told, &reader.sees(told).1, round));
    Ok(Written::text(
        "text/csv; charset=utf-8",
        replayed((&app, &me), round, (ReplayStart::Checkpoint, None), lines).await?,
    ))
}

fn write_csv(told: &History, live: &Live, (table, round): (u32, i64)) -> String {
    let mut csv = String::from("table,round,seq,box,hand,person,wager,spot,amount,net,result,when,clause\n");
    for (record, step) in &told.steps {
        for (_, event) in &step.events {
            let Fact::Settled(s) = event.fact else { continue };
            let person = live.seats.public_number(s.person).map_or(0, |number| number.0);
            let _ = writeln!(
                csv,
                "{table},{round},{},{},{},{person},{},{},{},{},{},{},\"{}\"",
                record.seq.0,
                s.box_id.0,
                s.hand.0,
                s.wager.name(),
                s.spot.0 + 1,
                s.staked,
                s.net,
                s.ending.word(),
                s.when.word(),
                event.by.citation()
            );
        }
    }
    csv
}

/// Returns a finished round in the round notation, for `cutcard replay`.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/notation", tag = "rounds",
    params(("table" = u32, Path), ("round" = i64, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = ErrorBody)))]
pub async fn notation(
    State(app): State<App>,
    me: Me,
    Path((table, round)): Path<(u32, i64)>,
) -> ApiResult<Written> {
    let reader = Reader::of(&me);
    let alone = move |_: &mut dyn Db, told: &History| {
        Ok(write_rounds(&told.log, &reader.sees(told).1, round_file::write_alone))
    };
    let text = match replayed((&app, &me), (table, round), (ReplayStart::Checkpoint, None), alone).await? {
        Some(text) => text,
        None => {
            let whole = move |_: &mut dyn Db, told: &History| {
                Ok(write_rounds(&told.log, &reader.sees(told).1, round_file::write))
            };
            replayed((&app, &me), (table, round), (ReplayStart::Opening, None), whole).await?
        }
    };
    Ok(Written::text("text/plain; charset=utf-8", format!("# round {round}\n{text}")))
}
