//! Sends several statements to PostgreSQL without waiting for the answer to each.
//!
//! All statements together cost one round trip. The server runs the statements in order; once a statement fails
//! within a transaction, all later statements fail as well.

use crate::db::{Begun, Db as _, DbResult, Found, Query, Row, Sets, Value};
use crate::draft::Fault;
use crate::postgres::{BEGIN, Postgres, fault, locking, read};
use crate::row;
use futures_util::TryStreamExt as _;
use futures_util::future::{MaybeDone, maybe_done};
use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Statement};

/// The maximum number of parameter rows in one batch statement.
const AT_ONCE: usize = 1024;
/// The part of the longest uncontended wait for a lock that is added to four round trips.
///
/// A longer wait means that another server held the lock.
const HELD: Duration = Duration::from_millis(1);
/// The number of parameter rows from which a batch statement is sent before the next one is encoded.
const LARGE: usize = 16;
const NOTIFY: &str = "SELECT pg_notify('cutcard', $1)::text";

/// A statement to send, with its parameters.
pub(crate) enum Request<'a> {
    /// SQL text without parameters or result.
    Text(&'a str),
    One(Statement, &'a Row<'a>),
    /// The batch form of a statement, with an array for each column.
    Batch(Statement, Vec<Vec<&'a Value<'a>>>),
}

/// The answer to one request: the rows found, and the number of rows changed.
#[derive(Default)]
pub(crate) struct Answer {
    pub rows: Vec<tokio_postgres::Row>,
    pub changed: u64,
    /// When the answer was complete, or `None` for plain SQL text, whose answer is empty.
    pub at: Option<Instant>,
}

/// The answers to the requests of a pipeline, in order.
pub(crate) struct Answers {
    pub answered: Vec<Result<Answer, Error>>,
    /// The error of the first request that could not be sent, or `None` if all requests were sent.
    ///
    /// The requests after that one were not sent either.
    pub unsent: Option<Error>,
}

impl Request<'_> {
    async fn send(&self, client: &Client) -> Result<Answer, Error> {
        match self {
            Request::Text(sql) => client.batch_execute(sql).await.map(|()| Answer::default()),
            Request::One(statement, row) => {
                answer(client, statement, row.iter().map(|v| v as &(dyn ToSql + Sync)).collect()).await
            }
            Request::Batch(statement, columns) => {
                answer(client, statement, columns.iter().map(|c| c as &(dyn ToSql + Sync)).collect()).await
            }
        }
    }

    /// Returns whether the server works on this request for longer than it takes to pass it on by itself.
    fn is_large(&self) -> bool {
        matches!(self, Request::Batch(_, columns) if columns.first().is_some_and(|column| column.len() >= LARGE))
    }

    /// Splits the answer to this request into one list of result rows per row of parameters.
    pub fn sets(&self, answer: Answer) -> DbResult<Sets> {
        let Request::Batch(_, columns) = self else {
            return Ok(vec![answer.rows.iter().map(read).collect::<DbResult<_>>()?]);
        };
        let mut sets = vec![Vec::new(); columns.first().map_or(0, Vec::len)];
        for line in &answer.rows {
            let mut found = read(line)?;
            let Value::Int(nth) = found.remove(0) else { continue };
            if let Some(set) = usize::try_from(nth - 1).ok().and_then(|nth| sets.get_mut(nth)) {
                set.push(found);
            }
        }
        Ok(sets)
    }
}

async fn answer(
    client: &Client,
    statement: &Statement,
    parameters: Vec<&(dyn ToSql + Sync)>,
) -> Result<Answer, Error> {
    let mut stream = pin!(client.query_raw(statement, parameters).await?);
    let mut rows = Vec::new();
    while let Some(row) = stream.try_next().await? {
        rows.push(row);
    }
    Ok(Answer { rows, changed: stream.rows_affected().unwrap_or(0), at: Some(Instant::now()) })
}

/// Sends the requests in order, and then collects their answers.
///
/// Stops at the first request that cannot be sent, because a later request may commit the work of earlier ones.
pub(crate) async fn answers(client: &Client, requests: &[Request<'_>]) -> Answers {
    let mut sent: Vec<Pin<Box<MaybeDone<_>>>> = Vec::with_capacity(requests.len());
    let mut refused = false;
    for request in requests {
        let mut future = Box::pin(maybe_done(request.send(client)));
        // The first poll of a request sends it; a request that fails at once was not sent.
        refused = poll_fn(|context| {
            let done = future.as_mut().poll(context).is_ready();
            Poll::Ready(done && matches!(future.as_mut().output_mut(), Some(Err(_))))
        })
        .await;
        sent.push(future);
        if refused {
            break;
        }
        if request.is_large() {
            // Lets the connection's task pass the request on, so that the server works while the next is encoded.
            tokio::task::yield_now().await;
        }
    }
    let mut answered = Vec::with_capacity(sent.len());
    for request in &mut sent {
        request.as_mut().await;
        answered.extend(request.as_mut().take_output());
    }
    let unsent = if refused { answered.pop().and_then(Result::err) } else { None };
    Answers { answered, unsent }
}

impl Answers {
    /// Returns all answers, or the first error among them.
    pub fn all(self) -> Result<Vec<Answer>, Error> {
        let answered = self.answered.into_iter().collect::<Result<Vec<_>, _>>()?;
        match self.unsent {
            Some(error) => Err(error),
            None => Ok(answered),
        }
    }
}

impl Postgres {
    /// Returns the requests that run a statement with the parameter rows `rows`.
    ///
    /// The requests use the statement's batch form if it has one.
    pub(crate) fn requests<'a>(&mut self, sql: &str, rows: &'a [Row<'a>]) -> DbResult<Vec<Request<'a>>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(statement) = self.prepare_for_all(sql, rows)? {
            let batch = |rows| Request::Batch(statement.clone(), columns(rows));
            return Ok(rows.chunks(AT_ONCE).map(batch).collect());
        }
        let statement = self.prepare(sql)?;
        Ok(rows.iter().map(|row| Request::One(statement.clone(), row)).collect())
    }

    /// Returns the requests that run several statements, and the number of requests of each statement.
    pub(crate) fn requests_of<'a>(
        &mut self,
        queries: &'a [Query<'a>],
    ) -> DbResult<(Vec<Request<'a>>, Vec<usize>)> {
        let (mut all, mut lengths) = (Vec::new(), Vec::with_capacity(queries.len()));
        for query in queries {
            let requests = self.requests(query.sql, &query.rows)?;
            lengths.push(requests.len());
            all.extend(requests);
        }
        Ok((all, lengths))
    }

    pub(crate) fn begun(&mut self, lock: &str, queries: &[Query<'_>]) -> DbResult<Begun> {
        let no_parameters = [row![]];
        let mut requests = vec![Request::Text(BEGIN)];
        requests.extend(self.requests(&locking(lock), &no_parameters)?);
        let (asked, lengths) = self.requests_of(queries)?;
        requests.extend(asked);
        let sent = Instant::now();
        let answers = self.send(&requests).and_then(|answers| answers.all().map_err(fault));
        let begun = answers.and_then(|mut answers| {
            let rest = answers.split_off(2);
            let Some(locked) = answers.pop() else { return Ok((Vec::new(), Vec::new(), None)) };
            let took = locked.at.map(|at| at.duration_since(sent));
            let row = requests[1].sets(locked)?.pop().unwrap_or_default();
            Ok((row, sets_of(&requests[2..], rest, &lengths)?, took))
        });
        let (locked, answers, took) = begun.inspect_err(|_| self.rollback())?;
        let took = took.unwrap_or_default();
        self.round_trip = self.round_trip.min(took);
        Ok(Begun { locked, answers, waited: took > self.round_trip * 4 + HELD })
    }

    pub(crate) fn committed(
        &mut self,
        changes: &[Query<'_>],
        words: &BTreeSet<String>,
        then: Option<&str>,
    ) -> Result<Vec<Found>, Fault> {
        let words = words.iter().map(|word| row![word.as_str()]).collect::<Vec<_>>();
        let no_parameters = [row![]];
        let made = self.requests_of(changes).and_then(|(mut requests, _)| {
            requests.extend(self.requests(NOTIFY, &words)?);
            requests.push(Request::Text("COMMIT"));
            let commit = requests.len() - 1;
            requests
                .extend(then.map(|sql| self.requests(sql, &no_parameters)).transpose()?.unwrap_or_default());
            Ok((requests, commit))
        });
        let (requests, commit) = made.inspect_err(|_| self.rollback())?;
        let Answers { answered, unsent } = self.send(&requests).map_err(Fault::Unknown)?;
        if answered.len() <= commit
            && let Some(error) = unsent
        {
            self.rollback();
            return Err(Fault::Store(fault(error)));
        }
        let mut answered = answered.into_iter();
        // A COMMIT after a failed statement rolls back, and does not fail.
        for stored in answered.by_ref().take(commit) {
            stored.map_err(|error| match error.as_db_error() {
                Some(_) => Fault::Store(fault(error)),
                // The connection was lost, and the COMMIT may have arrived.
                None => Fault::Unknown(fault(error)),
            })?;
        }
        answered.next().transpose().map_err(|error| Fault::of_commit(fault(error)))?;
        let Some(found) = answered.next() else {
            return match (then, unsent) {
                (Some(_), Some(error)) => Err(Fault::Unknown(fault(error))),
                _ => Ok(Vec::new()),
            };
        };
        let found = found.map_err(fault).and_then(|found| requests[commit + 1].sets(found));
        Ok(found.map_err(Fault::Unknown)?.pop().unwrap_or_default())
    }
}

/// Returns the result rows by statement, then by row of parameters.
///
/// `lengths` has the number of requests of each statement.
pub(crate) fn sets_of(
    requests: &[Request<'_>],
    answers: Vec<Answer>,
    lengths: &[usize],
) -> DbResult<Vec<Sets>> {
    let mut each = requests.iter().zip(answers);
    let of_one = |length: &usize| {
        let mut sets = Vec::new();
        for (request, answer) in each.by_ref().take(*length) {
            sets.extend(request.sets(answer)?);
        }
        Ok(sets)
    };
    lengths.iter().map(of_one).collect()
}

/// Transposes rows into columns, with one array for each column.
fn columns<'a>(rows: &'a [Row<'_>]) -> Vec<Vec<&'a Value<'a>>> {
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|at| rows.iter().filter_map(|row| row.get(at)).collect()).collect()
}
