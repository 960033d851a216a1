//! Takes ownership of a table, and reads the table's state.
//!
//! A house of a single process takes a table from any previous owner. A node of a house of several nodes takes a
//! table only if the table has no live owner.

use crate::app::App;
use crate::tables::entry::load;
use crate::tables::live::{Fixed, Live, TableFault};
use ledger::db::Db;
use ledger::{DbResult, Epoch, PersonId, Stream};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The longest time for one statement that loads a table.
///
/// The table plays nowhere meanwhile, so a database connection that is silently lost must be noticed soon.
const LOADED_WITHIN: Duration = Duration::from_secs(2);

/// Takes ownership of a table and returns its state, or returns `None` if another node owns the table.
///
/// The epoch allows this node to write to the table's journal.
pub async fn take(app: &App, fixed: &Fixed) -> Result<Option<(Epoch, Live)>, TableFault> {
    let (app, fixed) = (Arc::clone(app), fixed.clone());
    let work = move || {
        let lost = |e: ledger::DbError| TableFault::Journal(e.to_string());
        // Loads the table before taking it: a node that cannot read it, for want of the keys, must not take it.
        read(&app, |db| load(db, &fixed, &app.vault)).map_err(lost)??;
        let stream = Stream::Table(fixed.id);
        let epoch = match app.nodes.get() {
            Some(nodes) => app.ledger.take_if_free(stream, &nodes.membership.owner()),
            None => app.ledger.take_over(stream, "house").map(Some),
        };
        let Some(epoch) = epoch.map_err(lost)? else { return Ok(None) };
        Ok(Some((epoch, now(&app, &fixed)?)))
    };
    ledger::world::run_blocking(work).await.map_err(|e| TableFault::Journal(e.to_string()))?
}

/// Loads a table's current state, whichever node owns the table.
pub async fn observe(app: &App, fixed: &Fixed) -> Result<Live, TableFault> {
    let (app, fixed) = (Arc::clone(app), fixed.clone());
    let work = move || now(&app, &fixed);
    ledger::world::run_blocking(work).await.map_err(|e| TableFault::Journal(e.to_string()))?
}

fn now(app: &App, fixed: &Fixed) -> Result<Live, TableFault> {
    let lost = |e: ledger::DbError| TableFault::Journal(e.to_string());
    let mut live = read(app, |db| load(db, fixed, &app.vault)).map_err(lost)??;
    live.names = Arc::new(read(app, |db| names(db, &live)).map_err(lost)?);
    Ok(live)
}

fn read<T>(app: &App, question: impl FnOnce(&mut dyn Db) -> DbResult<T>) -> DbResult<T> {
    app.ledger.read(|db| {
        db.wait_at_most(Some(LOADED_WITHIN));
        let found = question(db);
        db.wait_at_most(None);
        found
    })
}

/// Returns the names of the people who bet on a box of the table, by person.
fn names(db: &mut dyn Db, live: &Live) -> DbResult<HashMap<PersonId, String>> {
    let mut names = HashMap::new();
    let bettors = live.table.round().boxes.iter().flat_map(|play| &play.bettors).map(|b| b.person);
    for seat in bettors.filter_map(|person| live.seats.seat(person)) {
        if let Some(person) = ledger::people::by_id(db, seat.person)? {
            names.insert(seat.person, person.name);
        }
    }
    Ok(names)
}
