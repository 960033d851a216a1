//! A table as the rest of the house reaches it, and all tables of the house.

use super::grace::Coming;
use super::{Acted, Actor, Ask, Published};
use crate::app::App;
use crate::daily::Writes;
use crate::error::{ApiError, ApiResult};
use crate::house_file::{Dealing, TableSetup, solo_of};
use crate::role::Role;
use crate::session::Who;
use crate::share::{Payers, Share, Shares};
use crate::tables::live::{Fixed, Stuck};
use axum::http::StatusCode;
use ledger::PersonId;
use ledger::people::{Keep, setting};
use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

/// Most requests that may wait for a table, or are being decided; a sixteenth of them of one address or person.
const INBOX: usize = 1024;

/// A request that waits for the table.
pub struct Asked {
    pub ask: Ask,
    pub since: Instant,
    pub reply: oneshot::Sender<ApiResult<Acted>>,
    /// Its place among those who wait.
    _place: Share,
}

/// The handle through which the rest of the house reaches a table.
#[derive(Clone)]
pub struct TableHandle {
    inbox: mpsc::Sender<Asked>,
    places: Shares,
    comings: mpsc::UnboundedSender<Coming>,
    pub published: watch::Receiver<Published>,
    /// Whether this node owns the table.
    pub owned: watch::Receiver<bool>,
    pub fixed: Fixed,
}

impl TableHandle {
    /// Notes that somebody opens a live view of the table, or has lost one.
    pub fn note(&self, who: &Who, here: bool) {
        self.count(who.id, who.role, if here { 1 } else { -1 });
    }

    /// Adds or removes views of the table.
    pub fn count(&self, person: PersonId, role: Role, views: i64) {
        // A table that has ended has no clock to give back.
        let _ = self.comings.send(Coming { person, role, views });
    }

    pub async fn ask(&self, ask: Ask) -> ApiResult<Acted> {
        let place = self.places.take(Payers::asking(), 1)?;
        let (reply, replied) = oneshot::channel();
        let busy = |_| ApiError::new(StatusCode::TOO_MANY_REQUESTS, "busy", "table busy; try again");
        self.inbox.try_send(Asked { ask, since: Instant::now(), reply, _place: place }).map_err(busy)?;
        replied.await.unwrap_or_else(|_| Err(ApiError::unknown()))
    }
}

/// All tables of the house, by number: its own, and the solo tables in use.
pub struct Tables {
    own: HashMap<u32, TableHandle>,
    solo: Mutex<HashMap<u32, (TableHandle, Share)>>,
    /// Places for solo tables in memory; the others wait in the journal.
    places: Shares,
    /// One is opened after the other, so that none is opened twice.
    opening: tokio::sync::Mutex<()>,
}

impl Tables {
    /// Restores every table and resumes it.
    pub async fn open(app: &App) -> Result<Tables, Stuck> {
        let mut own = HashMap::new();
        for setup in &app.file.tables {
            own.insert(setup.number, begin(app, setup).await?);
        }
        let places = Shares::of(app.file.rates.solo_tables);
        Ok(Tables { own, solo: Mutex::default(), places, opening: Default::default() })
    }

    /// Returns an open table.
    pub fn get(&self, number: u32) -> ApiResult<TableHandle> {
        let solo = || self.solo.lock().ok()?.get(&number).map(|(handle, _)| handle.clone());
        self.own.get(&number).cloned().or_else(solo).ok_or_else(|| ApiError::missing("table"))
    }

    /// Reaches a table for somebody who may see it (`app::table_for` asks). A solo table that is not in memory is
    /// opened from the journal; that writes records, and is charged to whoever opens it.
    pub async fn reach(
        &self,
        app: &App,
        number: u32,
        (role, payers): (Option<Role>, Payers),
    ) -> ApiResult<TableHandle> {
        let Some((place, base)) = solo_of(number) else { return self.get(number) };
        // Whoever plays does not wait for those who open tables.
        if let Ok(found) = self.get(number) {
            return Ok(found);
        }
        let base =
            app.file.tables.iter().find(|setup| setup.number == base && setup.dealing == Dealing::Automatic);
        let setup = base.and_then(|base| base.solo(place)).ok_or_else(|| ApiError::missing("table"))?;
        // Which node has a table of the house is agreed among them; of solo tables nothing is.
        if app.among_nodes() {
            return Err(ApiError::missing("solo table in a house of several nodes"));
        }
        let _one = self.opening.lock().await;
        if let Ok(found) = self.get(number) {
            return Ok(found);
        }
        let held = self.places.take(payers, 1)?;
        app.writes(payers, role, Writes::Table)?;
        let handle = begin(app, &setup).await.map_err(|stuck| {
            tracing::error!(%stuck, table = number, "a solo table cannot be opened");
            ApiError::stopped()
        })?;
        // whoever opened it sees it: its first view comes when its journal has been carried out again
        let mut published = handle.published.clone();
        let first = published.wait_for(|told| told.view.as_str() != "{}");
        let _ = tokio::time::timeout(std::time::Duration::from_secs(5), first).await;
        self.solo.lock().map_err(|_| ApiError::stopped())?.insert(number, (handle.clone(), held));
        Ok(handle)
    }

    /// Returns a player's place among solo players, assigned at the first time.
    pub async fn place_of(&self, app: &App, player: PersonId) -> ApiResult<u32> {
        let _one = self.opening.lock().await;
        let (own, last) = (format!("solo-place/{}", player.0), "solo-places");
        let known = own.clone();
        let found = app.read(move |db| Ok((setting(db, &known)?, setting(db, last)?))).await?;
        if let Some(place) = found.0.as_deref().and_then(number_in) {
            return Ok(place);
        }
        let place = found.1.as_deref().and_then(number_in).unwrap_or(0_u32).saturating_add(1);
        let keep = |name: String, value: String| Keep::Setting { name, value: value.into_bytes() };
        let rows = vec![
            keep(own, place.to_string()),
            keep(format!("solo-player/{place}"), player.0.to_string()),
            keep(last.to_owned(), place.to_string()),
        ];
        app.keep(rows).await?;
        Ok(place)
    }

    /// Removes a solo table that nobody plays at from memory.
    pub fn close_solo(&self, number: u32) {
        if let Ok(mut open) = self.solo.lock() {
            open.remove(&number);
        }
    }

    /// Returns the house's own tables.
    pub fn all(&self) -> impl Iterator<Item = &TableHandle> {
        self.own.values()
    }
}

/// Returns the solo player at this place, if there is one.
pub async fn player_at(app: &App, place: u32) -> ApiResult<Option<PersonId>> {
    let name = format!("solo-player/{place}");
    let found = app.read(move |db| setting(db, &name)).await?;
    Ok(found.as_deref().and_then(number_in).map(PersonId))
}

fn number_in<T: std::str::FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// Reads a table back and lets it go on.
async fn begin(app: &App, setup: &TableSetup) -> Result<TableHandle, Stuck> {
    let (inbox, asked) = mpsc::channel(INBOX);
    let (comings, came) = mpsc::unbounded_channel();
    let actor = Actor::open(app, setup, (asked, came)).await?;
    let (published, owned) = (actor.publish.subscribe(), actor.owned.subscribe());
    let fixed = actor.live.fixed.clone();
    tokio::spawn(actor.run());
    Ok(TableHandle { inbox, places: Shares::of(INBOX), comings, published, owned, fixed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempts::Network;
    use crate::serve::{Options, open};
    use crate::share::PARTS;
    use crate::tables::{MeantFor, Request};
    use futures_util::future::{join, join_all};
    use ledger::CommandId;
    use std::net::IpAddr;
    use std::sync::Arc;

    /// On one thread, so that everybody has asked before the table hears of any.
    #[tokio::test]
    async fn one_address_has_a_sixteenth_of_the_places_at_a_table() {
        let directory = tempfile::tempdir().expect("temp dir");
        let file = directory.path().join("house.toml");
        std::fs::write(&file, "[[table]]\nrules = \"nj-blackjack\"\n").expect("written");
        let options =
            Options { data: directory.path().join("data"), house: Some(file), ..Options::default() };
        let app = open(&options).await.expect("opens").app;
        let who = Arc::new(crate::stock::player(&app, 1).await.expect("joined"));
        let table = app.table(1).expect("there");
        let from = |address: u8| Payers::new(Network::of(IpAddr::from([10, 0, 0, address])), None);
        let ask = |address: u8| {
            let id = CommandId::fresh().expect("entropy");
            let ask =
                Ask { who: Arc::clone(&who), id, meant_for: MeantFor::default(), request: Request::Deal };
            from(address).charged(table.ask(ask))
        };
        // Fewer than a task of tokio asks for in one go before it lets others work.
        let asked = join(join_all((0..INBOX / PARTS + 20).map(|_| ask(1))), ask(2));
        let (of_one, of_another) = asked.await;
        let busy =
            |answer: &ApiResult<Acted>| answer.as_ref().is_err_and(|error| error.detail.code == "busy");
        assert_eq!(of_one.iter().filter(|answer| !busy(answer)).count(), INBOX / PARTS);
        assert!(!busy(&of_another), "{of_another:?}");
        assert!(!busy(&ask(1).await), "there is room again");
    }
}
