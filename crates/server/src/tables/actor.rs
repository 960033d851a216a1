//! One actor a table: the only task that touches it. Order of one live command: the person is known, the machine decides
//! on a copy, the record becomes durable, the copy takes the table's place, everyone sees it, whoever asked is told.

use super::entry::{KIND, KIND_OPEN, body, load};
use super::keep::seat_text;
use super::live::{By, Fixed, Live, Step, Stuck};
use super::request::{Asker, Request, bettor_of};
use super::seats::Seat;
use super::view;
use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult};
use crate::house_file::{Dealing, TableSetup};
use crate::role::Role;
use crate::session::Who;
use crate::wire::{body_digest, time_text};
use axum::http::StatusCode;
use ledger::people::Keep;
use ledger::{
    Cents, Chips, CommandId, Denied, Draft, Epoch, Fault, Holder, Moment, PersonId, Receipt, Stream, TableId,
    journal,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use table::Awaiting;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

/// Most requests that may wait for a table.
const INBOX: usize = 256;
const RETRY: Duration = Duration::from_millis(500);

/// A person's request.
pub struct Ask {
    pub who: Arc<Who>,
    pub id: CommandId,
    pub request: Request,
}

/// What whoever asked is told, once it is durable.
#[derive(Clone, Debug)]
pub struct Acted {
    pub seq: i64,
    pub version: u64,
    pub repeated: bool,
    pub balance: Option<Cents>,
}

/// What everyone sees, in its latest version. Who reads slowly skips versions and holds nothing up.
#[derive(Clone, Debug)]
pub struct Published {
    pub version: u64,
    pub view: Arc<str>,
    /// Balances that the last step changed.
    pub balances: Arc<BTreeMap<PersonId, (Chips, Cents)>>,
    pub card: Arc<Value>,
    /// Boxes with cards face down, for those whose cards they are.
    pub private: Arc<BTreeMap<PersonId, Value>>,
}

enum Message {
    Ask(Box<Ask>, oneshot::Sender<ApiResult<Acted>>),
}

/// A table as the rest of the house reaches it.
#[derive(Clone)]
pub struct TableHandle {
    inbox: mpsc::Sender<Message>,
    pub published: watch::Receiver<Published>,
    pub fixed: Fixed,
}

impl TableHandle {
    pub async fn ask(&self, ask: Ask) -> ApiResult<Acted> {
        let (reply, replied) = oneshot::channel();
        let busy = |_| ApiError::new(StatusCode::TOO_MANY_REQUESTS, "busy", "the table is busy; try again");
        self.inbox.try_send(Message::Ask(Box::new(ask), reply)).map_err(busy)?;
        replied.await.unwrap_or_else(|_| Err(ApiError::stopped()))
    }
}

/// All tables of the house, by number.
#[derive(Default)]
pub struct Tables(HashMap<u32, TableHandle>);

impl Tables {
    /// Reads every table back and lets it go on.
    pub async fn open(app: &App) -> Result<Tables, Stuck> {
        let mut tables = HashMap::new();
        for setup in &app.file.tables {
            let actor = Actor::open(app, setup).await?;
            tables.insert(setup.number, actor.start());
        }
        Ok(Tables(tables))
    }

    pub fn get(&self, number: u32) -> ApiResult<&TableHandle> {
        self.0.get(&number).ok_or_else(|| ApiError::missing("table"))
    }

    pub fn all(&self) -> impl Iterator<Item = &TableHandle> {
        self.0.values()
    }
}

struct Actor {
    app: App,
    name: String,
    live: Live,
    epoch: Epoch,
    version: u64,
    deadline: Option<Instant>,
    asked: Option<Awaiting>,
    ready: HashSet<PersonId>,
    /// No cards before this moment: the pause after the last round.
    pause: Option<Instant>,
    /// The entry in the lobby is of an opening before this one.
    stale_card: bool,
    publish: watch::Sender<Published>,
}

impl Actor {
    async fn open(app: &App, setup: &TableSetup) -> Result<Actor, Stuck> {
        let fixed = Fixed::of(setup);
        let (epoch, live) = take(app, &fixed).await?;
        let card = Arc::new(view::card(&live, &setup.name));
        let empty = Published {
            version: 0,
            view: "{}".into(),
            balances: Arc::default(),
            card,
            private: Arc::default(),
        };
        Ok(Actor {
            app: Arc::clone(app),
            name: setup.name.clone(),
            live,
            epoch,
            version: 0,
            deadline: None,
            asked: None,
            ready: HashSet::new(),
            pause: None,
            stale_card: false,
            publish: watch::Sender::new(empty),
        })
    }

    fn start(self) -> TableHandle {
        let (inbox, messages) = mpsc::channel(INBOX);
        let handle =
            TableHandle { inbox, published: self.publish.subscribe(), fixed: self.live.fixed.clone() };
        tokio::spawn(self.run(messages));
        handle
    }

    async fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        self.settle_down().await;
        self.publish(Vec::new(), BTreeMap::new());
        loop {
            let deadline = self.deadline;
            let timer = async {
                match deadline {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                message = messages.recv() => match message {
                    Some(Message::Ask(ask, reply)) => {
                        let begun = std::time::Instant::now();
                        let outcome = self.ask(*ask).await;
                        if outcome.is_err() {
                            self.app.metrics.refusals.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        }
                        self.app.metrics.action_seconds.record(begun.elapsed());
                        // Whoever asked may have gone.
                        let _ = reply.send(outcome);
                    }
                    None => return,
                },
                () = timer => self.time_is_up().await,
            }
        }
    }

    /// Does whatever nobody has to be asked for, until somebody has.
    async fn settle_down(&mut self) {
        loop {
            let mut next = self.live.clone();
            let mut step = Step::default();
            if self.live.wants_reopening() {
                next.reopen(&mut step);
            } else if self.live.wants_keeping()
                && let Err(stuck) = next.keep(&self.app.vault, &mut step)
            {
                return self.park(&stuck.to_string());
            }
            if let Err(stuck) = next.carry_on(&self.app.vault, &mut step) {
                return self.park(&stuck.to_string());
            }
            if step.lines.is_empty() {
                return self.watch_the_clock();
            }
            if !self.store(next, step).await {
                return;
            }
        }
    }

    async fn ask(&mut self, ask: Ask) -> ApiResult<Acted> {
        let digest = body_digest(&format!("table {}", self.live.fixed.id.0), &ask.request);
        match self.try_ask(&ask, digest).await {
            Err(refusal) if refusal.status != StatusCode::SERVICE_UNAVAILABLE => {
                // It may be refused only because it was done before.
                self.done_before(&ask, digest).await?.ok_or(refusal)
            }
            outcome => outcome,
        }
    }

    async fn done_before(&self, ask: &Ask, digest: ledger::Digest) -> ApiResult<Option<Acted>> {
        let (person, id) = (ask.who.id, ask.id.clone());
        let found = self.app.read(move |db| journal::record_of_command(db, person, &id)).await?;
        match found {
            None => Ok(None),
            Some(record) if record.body != digest => Err(Fault::Denied(Denied::OtherBody).into()),
            Some(record) => {
                let purse = seat(&ask.who).purse();
                let balance = record.legs.iter().rev().find(|leg| leg.account == purse).map(|leg| leg.after);
                Ok(Some(Acted { seq: record.seq.0, version: self.version, repeated: true, balance }))
            }
        }
    }

    async fn try_ask(&mut self, ask: &Ask, digest: ledger::Digest) -> ApiResult<Acted> {
        if !ask.who.role.is_staff() && !self.live.names.contains_key(&ask.who.id) {
            Arc::make_mut(&mut self.live.names).insert(ask.who.id, ask.who.name.clone());
        }
        match ask.request {
            Request::Deal => return self.deal(ask).await,
            Request::CallFloor => return self.call_floor(ask, digest).await,
            _ => {}
        }
        let mut next = self.live.clone();
        let mut step = Step::default();
        let asker = Asker { seat: seat(&ask.who), role: ask.who.role };
        for command in ask.request.commands(&mut next, asker)? {
            next.perform(By::Person, command, &mut step).map_err(|refusal| {
                ApiError::refused("refused", refusal.why.clone().into_owned()).clause(refusal.by.citation())
            })?;
        }
        next.carry_on(&self.app.vault, &mut step).map_err(|stuck| self.stuck(&stuck))?;
        // Whom no line names, nobody meets who carries the record out again.
        let named = seat_text(asker.seat);
        let is_named = step.lines.iter().any(|line| line.split(' ').any(|word| word == named));
        if self.live.seats.number(ask.who.id).is_none() && !is_named {
            next.seats.forget_last(ask.who.id);
        }
        let mut draft = self.draft(ask.who.id, ask.id.clone(), &step);
        draft.body = digest;
        let purse = asker.seat.purse();
        let receipt = self.commit(draft).await?;
        let balance = receipt.legs.iter().rev().find(|leg| leg.account == purse).map(|leg| leg.after);
        let acted =
            Acted { seq: receipt.seq.0, version: self.version + 1, repeated: receipt.repeated, balance };
        if !receipt.repeated {
            let staff = ask.who.role.is_staff();
            self.take_over(next, step, &receipt).await;
            if staff {
                self.note_staff(ask).await;
            }
            self.settle_down().await;
        }
        Ok(acted)
    }

    /// Voids and the like are significant.
    async fn note_staff(&self, ask: &Ask) {
        let what = match ask.request {
            Request::Void => "round-voided",
            Request::Report { .. } => "irregularity",
            Request::Reshuffle => "reshuffle-ordered",
            _ => return,
        };
        let details =
            json!({ "table": self.live.fixed.id.0, "round": self.live.round_no().0, "request": ask.request });
        if let Err(error) = self.app.significant(ask.who.id, what, details).await {
            tracing::error!(error = error.detail.message, "a significant event was not recorded");
        }
    }

    /// Everyone who wagered is ready, so nobody has to wait for the window to close.
    async fn deal(&mut self, ask: &Ask) -> ApiResult<Acted> {
        let dealer_table = self.live.fixed.dealing == Dealing::Dealer;
        if ask.who.role != Role::Player
            || dealer_table
            || self.live.table.awaiting() != Some(Awaiting::Wagers)
        {
            return Err(ApiError::refused("not-now", "the cards cannot be dealt now"));
        }
        let boxes = &self.live.table.round().boxes;
        if !boxes.iter().any(|play| bettor_of(&self.live, play.id, ask.who.id).is_ok()) {
            return Err(ApiError::refused("no-wager", "place a wager first"));
        }
        self.ready.insert(ask.who.id);
        let bettors = boxes.iter().flat_map(|play| &play.bettors);
        let all =
            bettors.filter_map(|b| self.live.seats.seat(b.person)).all(|s| self.ready.contains(&s.person));
        if all {
            match self.pause.filter(|until| *until > Instant::now()) {
                Some(until) => {
                    self.deadline = Some(until);
                    self.publish(Vec::new(), BTreeMap::new());
                }
                None => self.time_is_up().await,
            }
        }
        Ok(Acted { seq: 0, version: self.version, repeated: false, balance: None })
    }

    async fn call_floor(&mut self, ask: &Ask, digest: ledger::Digest) -> ApiResult<Acted> {
        ask.request.permitted(ask.who.role, self.live.fixed.dealing)?;
        let details = json!({ "table": self.live.fixed.id.0, "round": self.live.round_no().0 });
        let mut draft = significant(ask.who.id, "floor-called", details)?;
        (draft.command, draft.body) = (ask.id.clone(), digest);
        let receipt = self.app.commit(draft).await?;
        Ok(Acted { seq: receipt.seq.0, version: self.version, repeated: receipt.repeated, balance: None })
    }

    /// Nobody answered in time: the published rule answers.
    async fn time_is_up(&mut self) {
        self.deadline = None;
        let mut next = self.live.clone();
        let mut step = Step::default();
        // Closing the window is the platform's own business, everything else is for somebody absent.
        let by = match self.live.table.awaiting() {
            Some(Awaiting::Wagers) => By::House,
            _ => By::Absent,
        };
        for command in self.live.absent() {
            if let Err(stuck) = next.by_platform(by, command, &self.app.vault, &mut step) {
                return self.park(&stuck.to_string());
            }
        }
        if let Err(stuck) = next.carry_on(&self.app.vault, &mut step) {
            return self.park(&stuck.to_string());
        }
        if step.lines.is_empty() {
            return self.watch_the_clock();
        }
        if self.store(next, step).await {
            self.settle_down().await;
        }
    }

    fn draft(&self, person: PersonId, id: CommandId, step: &Step) -> Draft {
        let kind = if step.checkpoint.is_some() { KIND_OPEN } else { KIND };
        let mut draft = Draft::new(Stream::Table(self.live.fixed.id), person, id, kind);
        draft.fence = Some(self.epoch);
        draft.round = self.live.round_no();
        draft.event = body(step);
        draft.postings = step.postings.clone();
        draft.checkpoint = step.checkpoint.clone().map(String::into_bytes);
        draft.keep = step
            .openings
            .iter()
            .filter_map(|opening| {
                let name = shoe_setting(self.live.fixed.id, opening.shoe);
                serde_json::to_vec(opening).ok().map(|value| Keep::Setting { name, value })
            })
            .collect();
        draft
    }

    /// Stores a step of the platform. On failure the table is read back, because it is unknown what the store holds.
    async fn store(&mut self, next: Live, step: Step) -> bool {
        let Ok(id) = CommandId::fresh() else {
            self.park("no entropy");
            return false;
        };
        let draft = self.draft(PersonId::HOUSE, id, &step);
        match self.commit(draft).await {
            Ok(receipt) => {
                self.take_over(next, step, &receipt).await;
                true
            }
            Err(error) => {
                if error.status != StatusCode::SERVICE_UNAVAILABLE {
                    self.park(&error.detail.message);
                }
                false
            }
        }
    }

    async fn commit(&mut self, draft: Draft) -> ApiResult<Receipt> {
        match self.app.commit(draft).await {
            Ok(receipt) => Ok(receipt),
            Err(Fault::Store(error)) => {
                tracing::error!(%error, table = self.live.fixed.id.0, "the table stops until the store is back");
                self.read_back().await;
                Err(ApiError::stopped())
            }
            Err(Fault::Denied(Denied::Fenced)) => {
                self.park("another server has taken over this table");
                Err(ApiError::stopped())
            }
            Err(denied) => Err(denied.into()),
        }
    }

    /// The store is away, or was: waits for it and forgets everything that it does not hold.
    async fn read_back(&mut self) {
        let fixed = self.live.fixed.clone();
        loop {
            tokio::time::sleep(RETRY).await;
            if let Ok((epoch, live)) = take(&self.app, &fixed).await {
                (self.epoch, self.live) = (epoch, live);
                self.ready.clear();
                self.asked = None;
                self.watch_the_clock();
                // Whatever the platform has to do is done at the next tick of the clock.
                self.deadline = Some(Instant::now());
                return self.publish(Vec::new(), BTreeMap::new());
            }
        }
    }

    async fn take_over(&mut self, next: Live, step: Step, receipt: &Receipt) {
        let before = std::mem::replace(&mut self.live, next);
        self.stale_card |= step.checkpoint.is_some();
        if before.round_no() != self.live.round_no() {
            self.app.metrics.rounds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            self.ready.clear();
            self.pause = Some(Instant::now() + Duration::from_millis(self.app.file.timings.pause_ms));
        }
        self.note_large(receipt);
        let mut balances = BTreeMap::new();
        for leg in &receipt.legs {
            if let Some(person) = leg.account.person() {
                balances.insert(person, (leg.account.chips, leg.after));
            }
        }
        self.watch_the_clock();
        self.publish(view::events(&before, &step.events, &self.live), balances);
    }

    /// Sets the time by which whoever is asked must have answered.
    fn watch_the_clock(&mut self) {
        let awaiting = self.live.table.awaiting();
        let timings = &self.app.file.timings;
        let dealer_table = self.live.fixed.dealing == Dealing::Dealer;
        let window = match awaiting {
            None => None,
            Some(Awaiting::Wagers) if dealer_table || !self.live.anyone_wagers() => None,
            Some(Awaiting::Wagers) => Some(timings.betting_ms),
            Some(_) if self.live.absent().is_empty() => None,
            Some(_) => Some(timings.decision_ms),
        };
        let goes_on =
            matches!(awaiting, Some(Awaiting::Wagers | Awaiting::Offers(_) | Awaiting::CoBettors(_)));
        if !(goes_on && awaiting == self.asked && self.deadline.is_some()) {
            self.deadline = window.map(|ms| Instant::now() + Duration::from_millis(ms));
            if awaiting == Some(Awaiting::Wagers) {
                self.deadline = self.deadline.map(|at| self.pause.map_or(at, |pause| at.max(pause)));
            }
        }
        if window.is_none() {
            self.deadline = None;
        }
        self.asked = awaiting;
    }

    fn publish(&mut self, events: Vec<Value>, balances: BTreeMap<PersonId, (Chips, Cents)>) {
        self.version += 1;
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()).as_millis() as u64);
        let mut state = view::state(&self.live, None);
        if let Value::Object(fields) = &mut state {
            fields.insert("type".into(), "view".into());
            fields.insert("version".into(), self.version.into());
            fields.insert("at".into(), time_text(Moment::now()).into());
            fields.insert("deadline_ms".into(), left.into());
            fields.insert("events".into(), events.into());
        }
        let view = state.to_string().into();
        let card = self.lobby_card();
        self.publish.send_replace(Published {
            version: self.version,
            view,
            balances: Arc::new(balances),
            card,
            private: Arc::new(view::private(&self.live)),
        });
    }

    /// The table's entry in the lobby, made anew only when a seat is taken or left, or the table opened.
    fn lobby_card(&mut self) -> Arc<Value> {
        let known = Arc::clone(&self.publish.borrow().card);
        let taken = self.live.table.round().boxes.iter().filter(|b| !b.bettors.is_empty()).count();
        let stale = std::mem::take(&mut self.stale_card);
        match known["taken"].as_u64() == Some(taken as u64) && !stale {
            true => known,
            false => Arc::new(view::card(&self.live, &self.name)),
        }
    }

    /// A wager or win of the size that the house file calls large is a significant event, and so are winnings of a void
    /// round that the patron no longer has.
    fn note_large(&self, receipt: &Receipt) {
        let large = self.app.file.large;
        for (at, leg) in receipt.legs.iter().enumerate() {
            let is_last = receipt.legs[at + 1..].iter().all(|later| later.account != leg.account);
            let what = match leg.account.holder {
                Holder::Player(_) if leg.amount.0 <= -large.0 => "large-wager",
                Holder::Player(_) if leg.amount.0 >= large.0 => "large-win",
                Holder::Owed(_) if is_last && leg.after < Cents::ZERO => "winnings-owed",
                _ => continue,
            };
            let details = json!({ "table": self.live.fixed.id.0, "seq": receipt.seq.0,
                "account": leg.account.to_string(), "amount": leg.amount.to_string() });
            let app = Arc::clone(&self.app);
            tokio::spawn(async move {
                if let Err(error) = app.significant(PersonId::HOUSE, what, details).await {
                    tracing::error!(error = error.detail.message, "a significant event was not recorded");
                }
            });
        }
    }

    fn stuck(&mut self, stuck: &Stuck) -> ApiError {
        self.park(&stuck.to_string());
        ApiError::stopped()
    }

    /// The table cannot go on by itself. Nothing is lost; an operator has to look.
    fn park(&mut self, why: &str) {
        tracing::error!(table = self.live.fixed.id.0, why, "the table is parked");
        self.deadline = None;
    }
}

fn seat(who: &Who) -> Seat {
    Seat { person: who.id, chips: if who.guest { Chips::Play } else { Chips::Cash } }
}

/// Where a finished shoe is kept for anyone to verify.
pub fn shoe_setting(table: TableId, shoe: i64) -> String {
    format!("shoe/{}/{shoe}", table.0)
}

/// Takes the table over from whoever had it, and reads it.
async fn take(app: &App, fixed: &Fixed) -> Result<(Epoch, Live), Stuck> {
    let (app, fixed) = (Arc::clone(app), fixed.clone());
    let work = move || {
        let lost = |e: ledger::DbError| Stuck::Journal(e.to_string());
        let epoch = app.ledger.take_over(Stream::Table(fixed.id), "house").map_err(lost)?;
        let mut live = app.ledger.read(|db| load(db, &fixed, &app.vault)).map_err(lost)??;
        live.names = Arc::new(app.ledger.read(|db| names(db, &live)).map_err(lost)?);
        Ok((epoch, live))
    };
    tokio::task::spawn_blocking(work).await.map_err(|e| Stuck::Journal(e.to_string()))?
}

/// The names of those who have chips on the layout.
fn names(db: &mut dyn ledger::db::Db, live: &Live) -> ledger::DbResult<HashMap<PersonId, String>> {
    let mut names = HashMap::new();
    let bettors = live.table.round().boxes.iter().flat_map(|play| &play.bettors).map(|b| b.person);
    for seat in bettors.filter_map(|person| live.seats.seat(person)) {
        if let Some(person) = ledger::people::by_id(db, seat.person)? {
            names.insert(seat.person, person.name);
        }
    }
    Ok(names)
}
