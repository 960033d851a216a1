//! The handles through which the rest of the house reaches the tables, and the set of all tables.

use super::grace::ViewCountChange;
use super::{Acted, Actor, Ask, Published};
use crate::app::App;
use crate::daily::Writes;
use crate::error::{ApiError, ApiResult, NO_TABLE};
use crate::house_file::{Dealing, TableSetup, solo_of};
use crate::role::Role;
use crate::session::SignedIn;
use crate::share::{Clients, Share, Shares};
use crate::tables::live::{Fixed, TableFault};
use axum::http::StatusCode;
use ledger::PersonId;
use ledger::people::{RowChange, setting};
use rules::message;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

/// The maximum number of requests that wait for one table or are being decided there.
///
/// One address or person may have a sixteenth of them.
const INBOX: usize = 1024;

/// The longest wait for the first view of a table that is restored from the journal.
const FIRST_VIEW_WITHIN: Duration = Duration::from_secs(5);

/// A request that waits in a table's queue.
pub struct QueuedRequest {
    pub ask: Ask,
    pub since: Instant,
    pub reply: oneshot::Sender<ApiResult<Acted>>,
    /// Whether the request was sent to the table's owner, which may have carried it out.
    pub sent: bool,
    /// The share of the table's queue that the request takes up until it is answered.
    _place: Share,
}

/// A handle through which other parts of the house send requests to a table and read its views.
#[derive(Clone)]
pub struct TableHandle {
    inbox: mpsc::Sender<QueuedRequest>,
    places: Shares,
    view_changes: mpsc::UnboundedSender<ViewCountChange>,
    pub published: watch::Receiver<Published>,
    /// Whether this node owns the table.
    pub owned: watch::Receiver<bool>,
    pub fixed: Fixed,
}

impl TableHandle {
    /// Counts one live view of the table that a person opened, or one that the person closed if `here` is false.
    pub fn note(&self, who: &SignedIn, here: bool) {
        self.count(who.id, who.role, if here { 1 } else { -1 });
    }

    /// Adds `views`, which may be negative, to the number of views of this table that a person has open.
    pub fn count(&self, person: PersonId, role: Role, views: i64) {
        // A table that has ended needs no presence updates.
        let _ = self.view_changes.send(ViewCountChange { person, role, views });
    }

    pub async fn ask(&self, ask: Ask) -> ApiResult<Acted> {
        let place = self.places.take(Clients::asking(), 1)?;
        let (reply, replied) = oneshot::channel();
        let busy =
            |_| ApiError::new(StatusCode::TOO_MANY_REQUESTS, message!("table-busy", "table busy; try again"));
        self.inbox
            .try_send(QueuedRequest { ask, since: Instant::now(), reply, sent: false, _place: place })
            .map_err(busy)?;
        replied.await.unwrap_or_else(|_| Err(ApiError::unknown()))
    }
}

/// All open tables: the house's own, and the solo tables in use.
pub struct Tables {
    own: HashMap<u32, TableHandle>,
    solo: Mutex<HashMap<u32, (TableHandle, Share)>>,
    /// The limit on solo tables in memory; the journal restores a solo table that is no longer in memory.
    places: Shares,
    /// The lock that is held while a solo table is opened, so that no table is opened twice.
    opening: tokio::sync::Mutex<()>,
}

impl Tables {
    /// Restores the house's tables from the journal and resumes them.
    pub async fn open(app: &App) -> Result<Tables, TableFault> {
        let mut own = HashMap::new();
        for setup in &app.file.tables {
            own.insert(setup.number, begin(app, setup).await?);
        }
        let places = Shares::of(app.file.rates.solo_tables);
        Ok(Tables { own, solo: Mutex::default(), places, opening: Default::default() })
    }

    /// Returns the table with this number, or an error if no such table is open.
    pub fn get(&self, number: u32) -> ApiResult<TableHandle> {
        let solo = || self.solo.lock().ok()?.get(&number).map(|(handle, _)| handle.clone());
        self.own.get(&number).cloned().or_else(solo).ok_or_else(|| ApiError::missing(NO_TABLE))
    }

    /// Returns the table with this number, and opens it first if it is a solo table that is not in memory.
    ///
    /// `app::table_for` checks who may see the table. Opening a solo table writes records, and is charged to the
    /// person who opens it. Returns an error if there is no such table, or if too many solo tables are open.
    pub async fn reach(
        &self,
        app: &App,
        number: u32,
        (role, clients): (Option<Role>, Clients),
    ) -> ApiResult<TableHandle> {
        let Some((place, base)) = solo_of(number) else { return self.get(number) };
        // Players do not wait for others who open tables.
        if let Ok(found) = self.get(number) {
            return Ok(found);
        }
        let base =
            app.file.tables.iter().find(|setup| setup.number == base && setup.dealing == Dealing::Automatic);
        let setup = base.and_then(|base| base.solo(place)).ok_or_else(|| ApiError::missing(NO_TABLE))?;
        // Nodes agree on the owners of the house's own tables, but not on those of solo tables.
        if app.among_nodes() {
            return Err(ApiError::missing(message!(
                "no-solo-tables",
                "a house of several nodes has no solo tables"
            )));
        }
        let _one = self.opening.lock().await;
        if let Ok(found) = self.get(number) {
            return Ok(found);
        }
        let held = self.places.take(clients, 1)?;
        app.writes(clients, role, Writes::Table)?;
        let handle = begin(app, &setup).await.map_err(|stuck| {
            tracing::error!(%stuck, table = number, "cannot open a solo table");
            ApiError::stopped()
        })?;
        self.solo.lock().map_err(|_| ApiError::stopped())?.insert(number, (handle.clone(), held));
        Ok(handle)
    }

    /// Returns a player's place among the house's solo players, and assigns the next place on first use.
    pub async fn solo_number_of(&self, app: &App, player: PersonId) -> ApiResult<u32> {
        let _one = self.opening.lock().await;
        let (own, last) = (format!("solo-place/{}", player.0), "solo-places");
        let known = own.clone();
        let found = app.read(move |db| Ok((setting(db, &known)?, setting(db, last)?))).await?;
        if let Some(place) = found.0.as_deref().and_then(number_in) {
            return Ok(place);
        }
        let place = found.1.as_deref().and_then(number_in).unwrap_or(0_u32).saturating_add(1);
        let setting_of = |name: String, value: String| RowChange::Setting { name, value: value.into_bytes() };
        let rows = vec![
            setting_of(own, place.to_string()),
            setting_of(format!("solo-player/{place}"), player.0.to_string()),
            setting_of(last.to_owned(), place.to_string()),
        ];
        app.store_rows(rows).await?;
        Ok(place)
    }

    /// Removes an unused solo table from memory.
    pub fn close_solo(&self, number: u32) {
        if let Ok(mut open) = self.solo.lock() {
            open.remove(&number);
        }
    }

    /// Returns the house's own tables, without the solo tables.
    pub fn all(&self) -> impl Iterator<Item = &TableHandle> {
        self.own.values()
    }
}

/// Returns the player at this place among the house's solo players, or `None` if no player has the place.
pub async fn solo_player(app: &App, place: u32) -> ApiResult<Option<PersonId>> {
    let name = format!("solo-player/{place}");
    let found = app.read(move |db| setting(db, &name)).await?;
    Ok(found.as_deref().and_then(number_in).map(PersonId))
}

fn number_in<T: std::str::FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// Restores a table from the journal, starts its actor, and returns its handle.
async fn begin(app: &App, setup: &TableSetup) -> Result<TableHandle, TableFault> {
    let (inbox, asked) = mpsc::channel(INBOX);
    let (view_changes, changes) = mpsc::unbounded_channel();
    let actor = Actor::open(app, setup, (asked, changes)).await?;
    let (published, owned) = (actor.publish.subscribe(), actor.owned.subscribe());
    let fixed = actor.live.fixed.clone();
    tokio::spawn(actor.run());
    if !app.among_nodes() {
        // The first view is published once the journal has been replayed. Among nodes another one may own the table.
        let mut first = published.clone();
        let _ =
            tokio::time::timeout(FIRST_VIEW_WITHIN, first.wait_for(|told| told.view.as_str() != "{}")).await;
    }
    Ok(TableHandle { inbox, places: Shares::of(INBOX), view_changes, published, owned, fixed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::login_throttle::Network;
    use crate::serve::{Options, open};
    use crate::share::PARTS;
    use crate::tables::{MeantFor, Request};
    use futures_util::future::{join, join_all};
    use ledger::CommandId;
    use std::net::IpAddr;
    use std::sync::Arc;

    /// Runs on one thread, so that all requests are queued before the table reads any.
    #[tokio::test]
    async fn one_address_has_a_sixteenth_of_the_places_at_a_table() {
        let directory = tempfile::tempdir().expect("temp dir");
        let file = directory.path().join("house.toml");
        std::fs::write(&file, "[[table]]\nrules = \"nj-blackjack\"\n").expect("written");
        let options =
            Options { data: directory.path().join("data"), house: Some(file), ..Options::default() };
        let app = open(&options).await.expect("opens").app;
        let who = Arc::new(crate::seed_data::player(&app, 1).await.expect("joined"));
        let table = app.table(1).expect("there");
        let from = |address: u8| Clients::new(Network::of(IpAddr::from([10, 0, 0, address])), None);
        let ask = |address: u8| {
            let id = CommandId::fresh().expect("entropy");
            let ask =
                Ask { who: Arc::clone(&who), id, meant_for: MeantFor::default(), request: Request::Deal };
            from(address).charged(table.ask(ask))
        };
        // Fewer than the tokio budget for one task before it yields.
        let asked = join(join_all((0..INBOX / PARTS + 20).map(|_| ask(1))), ask(2));
        let (of_one, of_another) = asked.await;
        let busy = |answer: &ApiResult<Acted>| {
            answer.as_ref().is_err_and(|error| error.detail.code == "too-much-at-once")
        };
        assert_eq!(of_one.iter().filter(|answer| !busy(answer)).count(), INBOX / PARTS);
        assert!(!busy(&of_another), "{of_another:?}");
        assert!(!busy(&ask(1).await), "there is room again");
    }
}
