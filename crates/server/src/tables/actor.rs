//! The actor of a table: the only task that changes the table.
//!
//! It decides each command on a copy of the table, stores the record durably, publishes the copy and then answers.

mod asks;
mod calls;
mod dealer;
mod follow;
mod grace;
mod handle;
mod meant_for;
mod reveal;
mod show;
mod significant;
mod take;

use super::entry::{KIND, KIND_OPEN, body};
use super::event_view::EventView;
use super::live::{By, Fixed, Live, Step, TableFault};
use super::request::Request;
use super::seats::{Seat, with_own_number};
use super::shares::Signing;
use super::view::{self, TableCard};
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::house_file::{Dealing, TableSetup};
use crate::nodes::Assignment;
use crate::role::Role;
use crate::session::SignedIn;
use axum::extract::ws::Utf8Bytes;
use axum::http::StatusCode;
pub use dealer::not_dealing;
use grace::{Presence, ViewCountChange};
use handle::QueuedRequest;
pub use handle::{TableHandle, Tables, solo_player};
use ledger::people::RowChange;
use ledger::{
    Cents, Chips, CommandId, Denied, Draft, Epoch, Fault, Holder, PersonId, Receipt, RoundNo, Stream, TableId,
};
pub use meant_for::MeantFor;
use serde::Serialize;
use serde_json::Value;
pub use show::View;
use show::ViewExtras;
use significant::{AtTable, LargeLeg, Parked};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use table::{Awaiting, Fact};
use take::{observe, take};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

const RETRY: Duration = Duration::from_millis(500);
/// The time limit for decisions at a solo table: in effect none, since no other player waits.
const NO_CLOCK: Duration = Duration::from_secs(400 * 24 * 3600);
/// How long a solo table stays in memory after its last use; the journal can restore it.
const SOLO_IDLE: Duration = Duration::from_secs(60);

/// A person's request to a table, with the round and the view version that it was made for.
#[derive(Clone)]
pub struct Ask {
    pub who: Arc<SignedIn>,
    pub id: CommandId,
    pub meant_for: MeantFor,
    pub request: Request,
}

/// The answer to a request that has been carried out and stored.
#[derive(Clone, Debug)]
pub struct Acted {
    pub seq: i64,
    pub version: u64,
    pub repeated: bool,
    pub balance: Option<Cents>,
}

/// The latest version of a table's public view.
#[derive(Clone, Debug)]
pub struct Published {
    pub version: u64,
    /// The round in play, or the next round while bets are placed.
    pub round: RoundNo,
    pub view: Utf8Bytes,
    /// The balances that the last step changed, by person.
    pub balances: Arc<BTreeMap<PersonId, (Chips, Cents)>>,
    /// The table's lobby entry, without `taken` and `attended`.
    pub card: Arc<Value>,
    pub taken: usize,
    /// The number of the table's latest shoe.
    pub last_shoe: i64,
    /// Whether the platform deals, or a dealer has the table open.
    pub attended: bool,
    /// The table's totals of bets and payouts; `None` before counting starts.
    pub returns: Option<Arc<crate::tables::BetTotalsByName>>,
    /// The people in the view, ordered by their numbers at the table.
    pub people: Arc<Vec<PersonId>>,
    /// The boxes with face-down cards of each person who may see them, as JSON that shows these cards.
    pub private: Arc<BTreeMap<PersonId, Value>>,
    /// The recent events of a table with a human dealer, as a JSON list for consoles; empty at other tables.
    pub recent_events: Arc<str>,
}

impl Published {
    /// Returns the view for `person`.
    ///
    /// In it the person appears under the house-wide number, not under the number at the table.
    pub fn view_of(&self, person: PersonId) -> Utf8Bytes {
        with_own_number(&self.view, &self.people, person).map_or_else(|| self.view.clone(), Into::into)
    }

    /// Returns the table's lobby entry.
    pub fn lobby_entry(&self) -> TableCard {
        TableCard { facts: Arc::clone(&self.card), taken: self.taken, attended: self.attended }
    }
}

struct Actor {
    app: App,
    name: String,
    inbox: mpsc::Receiver<QueuedRequest>,
    view_changes: mpsc::UnboundedReceiver<ViewCountChange>,
    presence: Presence,
    /// The person who deals, or `None` at an automatic table and before a dealer works there.
    dealer: Option<dealer::DealtBy>,
    /// The table's recent events as the public saw them, for consoles that open the table.
    recent_events: VecDeque<EventView>,
    /// Whether this node owns the table or follows its owner.
    assignment: watch::Receiver<Assignment>,
    owned: watch::Sender<bool>,
    unreleased: bool, // the store still names this node as the owner, though it no longer runs the table
    /// The people with views open on this node, each with the number of views.
    here: HashMap<PersonId, (Role, i64)>,
    waiting: VecDeque<QueuedRequest>, // requests received while the table had no reachable owner
    /// Whether the table has been removed from memory.
    ended: bool,
    live: Live,
    epoch: Epoch,
    version: u64,
    deadline: Option<Instant>,
    asked: Option<Awaiting>,
    ready: HashSet<PersonId>,
    /// The end of the pause after the last round, before which no cards are dealt; `None` without one.
    pause: Option<Instant>,
    /// The end of the time for players to reveal their nonces, or `None` if the table does not wait for nonces.
    revealing: Option<Instant>,
    /// Whether the house was on hold the last time the table tried to act.
    waited: bool,
    /// Whether the lobby entry must be rebuilt, because the table was reopened or a snapshot was taken.
    stale_card: bool,
    publish: watch::Sender<Published>,
}

impl Actor {
    async fn open(
        app: &App,
        setup: &TableSetup,
        (inbox, view_changes): (mpsc::Receiver<QueuedRequest>, mpsc::UnboundedReceiver<ViewCountChange>),
    ) -> Result<Actor, TableFault> {
        let fixed = Fixed::of(setup);
        // Among several nodes the table is only read here, and taken when it is assigned to this node.
        let nodes = app.nodes.get();
        let (epoch, live) = match nodes {
            Some(_) => (Epoch(0), observe(app, &fixed).await?),
            None => take(app, &fixed)
                .await?
                .ok_or_else(|| TableFault::Journal("another node owns the table".into()))?,
        };
        let assignment = nodes.and_then(|nodes| nodes.assignment(setup.number));
        let assignment = assignment.unwrap_or_else(|| watch::Sender::new(Assignment::Own).subscribe());
        app.recall(setup.number).await.map_err(|error| TableFault::Journal(error.detail.message))?;
        let card = view::card_json(&live, &setup.name);
        let empty = Published {
            version: 0,
            round: live.round_no(),
            view: "{}".into(),
            balances: Arc::default(),
            card,
            taken: live.taken(),
            last_shoe: live.last_shoe(),
            attended: setup.dealing == Dealing::Automatic,
            returns: live.returns.clone(),
            people: Arc::default(),
            private: Arc::default(),
            recent_events: "[]".into(),
        };
        let mut actor = Actor {
            app: Arc::clone(app),
            name: setup.name.clone(),
            inbox,
            view_changes,
            presence: Presence::default(),
            dealer: None,
            recent_events: VecDeque::new(),
            assignment,
            owned: watch::Sender::new(nodes.is_none()),
            unreleased: false,
            here: HashMap::new(),
            waiting: VecDeque::new(),
            ended: false,
            live,
            epoch,
            version: 0,
            deadline: None,
            asked: None,
            ready: HashSet::new(),
            pause: None,
            revealing: None,
            waited: false,
            stale_card: false,
            publish: watch::Sender::new(empty),
        };
        actor.recall_dealer().await.map_err(|error| TableFault::Journal(error.detail.message))?;
        Ok(actor)
    }

    async fn run(mut self) {
        self.publish(ViewExtras::default());
        while !self.ended {
            let owned = *self.owned.borrow();
            match owned {
                true => self.own().await,
                false => self.follow().await,
            }
        }
    }

    /// Runs the table as its owner, until another node owns it.
    async fn own(&mut self) {
        self.begin().await;
        while *self.owned.borrow() && !self.ended {
            let deadline = self.deadline;
            let (solo, unwatched) = (self.live.fixed.is_solo(), self.here.is_empty());
            let unused = async {
                match solo && unwatched {
                    true => tokio::time::sleep(SOLO_IDLE).await,
                    false => std::future::pending().await,
                }
            };
            let timer = async {
                match deadline {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // Polled in order, so that one seed gives one history; many requests delay nothing listed before them.
                biased;
                Ok(()) = self.assignment.changed() => {
                    if *self.assignment.borrow_and_update() != Assignment::Own {
                        self.give_back().await;
                    }
                }
                Some(change) = self.view_changes.recv() => {
                    self.count(change);
                    self.views_changed(change);
                }
                () = timer => self.time_is_up().await,
                asked = self.inbox.recv() => match asked {
                    Some(first) => {
                        let mut waiting = VecDeque::from([first]);
                        while let Ok(next) = self.inbox.try_recv() {
                            waiting.push_back(next);
                        }
                        self.serve(waiting).await;
                    }
                    None => self.ended = true,
                },
                () = unused => self.leave_memory().await,
            }
        }
    }

    /// Removes an unused solo table from memory; the journal restores it when somebody comes back.
    async fn leave_memory(&mut self) {
        if let Some(tables) = self.app.tables.get() {
            tables.close_solo(self.live.fixed.id.0);
        }
        self.ended = true;
        let mut waiting = VecDeque::new();
        while let Ok(asked) = self.inbox.try_recv() {
            waiting.push_back(asked);
        }
        if !waiting.is_empty() {
            self.serve(waiting).await;
        }
    }

    /// Performs all automatic steps of the table, until a person must act or the table is parked.
    async fn settle_down(&mut self) {
        if self.on_hold().is_some() {
            return;
        }
        loop {
            match self.next_work(&self.live) {
                Err(stuck) => return self.park(&stuck.to_string()),
                Ok(None) => return self.set_deadline(),
                Ok(Some((next, step))) => {
                    if !self.store(next, step).await {
                        return;
                    }
                }
            }
        }
    }

    /// Returns the next automatic step from the state `from`, and its result, or `None` if a person must act.
    fn next_work(&self, from: &Live) -> Result<Option<(Live, Step)>, TableFault> {
        if !from.has_work() {
            return Ok(None);
        }
        let (mut next, mut step) = (from.clone(), Step::default());
        if from.wants_reopening() {
            next.reopen(&mut step);
        } else if from.wants_snapshot() {
            next.take_snapshot(&self.app.vault, &mut step)?;
        }
        next.carry_on(&self.app.vault, &mut step)?;
        Ok((!step.lines.is_empty()).then_some((next, step)))
    }

    /// Returns why the house is on hold, or `None`; after a hold, the person who must act has the full time again.
    fn on_hold(&mut self) -> Option<ApiError> {
        let why = self.app.on_hold();
        if why.is_some() {
            self.deadline = Some(Instant::now() + RETRY);
            self.waited = true;
        }
        why
    }

    /// Acts when the table's deadline has passed: applies the published rule to players who did not act in time.
    async fn time_is_up(&mut self) {
        if self.on_hold().is_some() {
            return;
        }
        self.deadline = None;
        if std::mem::take(&mut self.waited) {
            self.asked = None;
            self.settle_down().await;
            return self.publish(ViewExtras::default());
        }
        if !self.closes_shares().await || self.waits_for_nonces() {
            return;
        }
        let mut next = self.live.clone();
        let mut step = Step::default();
        if next.anyone_wagers()
            && let Err(stuck) = next.close_shares(By::House, &Signing::Now(&self.app.vault), &mut step)
        {
            return self.park(&stuck.to_string());
        }
        next.mix(By::House, &mut step);
        // The platform closes the betting itself; everything else is decided for an absent player.
        let by = match self.live.table.awaiting() {
            Some(Awaiting::Wagers) => By::House,
            _ => By::Absent,
        };
        self.note_idle();
        for command in self.live.absent() {
            if let Err(stuck) = next.by_platform(by, command, &self.app.vault, &mut step) {
                return self.park(&stuck.to_string());
            }
        }
        if let Err(stuck) = next.carry_on(&self.app.vault, &mut step) {
            return self.park(&stuck.to_string());
        }
        if step.lines.is_empty() {
            return self.set_deadline();
        }
        if self.store(next, step).await {
            self.settle_down().await;
        }
    }

    /// Returns the draft of the journal record for `step`, which starts from the state `from` of this table.
    fn draft(&self, from: &Live, person: PersonId, id: CommandId, step: &Step) -> Result<Draft, TableFault> {
        let kind = if step.checkpoint.is_some() { KIND_OPEN } else { KIND };
        let mut draft = Draft::new(Stream::Table(self.live.fixed.id), person, id, kind);
        draft.fence = Some(self.epoch);
        draft.round = step.round.unwrap_or_else(|| from.round_no());
        draft.event = body(step)?;
        draft.postings = step.postings.clone();
        draft.checkpoint = step.checkpoint.is_some();
        draft.row_changes = step
            .openings
            .iter()
            .filter_map(|opening| {
                let name = shoe_setting(self.live.fixed.id, opening.committed.shoe);
                serde_json::to_vec(&self.signed(opening)).ok().map(|value| RowChange::Setting { name, value })
            })
            .collect();
        Ok(draft)
    }

    /// Stores an automatic step and the state `next` that it leads to, and returns whether they were stored.
    ///
    /// If the ledger fails, reloads the table, because it is unknown what was stored.
    async fn store(&mut self, next: Live, step: Step) -> bool {
        let Ok(id) = CommandId::fresh() else {
            self.park("cannot get random numbers from the system");
            return false;
        };
        let draft = match self.draft(&self.live, PersonId::HOUSE, id, &step) {
            Ok(draft) => draft,
            Err(stuck) => {
                self.park(&stuck.to_string());
                return false;
            }
        };
        let receipt = self.app.commit(draft).await;
        match self.handle_receipt(receipt).await {
            Ok(receipt) => {
                self.publish_stored(next, step, &receipt);
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

    /// Handles the ledger's answer to a stored step, and returns the receipt or the error for the client.
    async fn handle_receipt(&mut self, outcome: Result<Receipt, Fault>) -> ApiResult<Receipt> {
        match outcome {
            Ok(receipt) => Ok(receipt),
            Err(fault @ (Fault::Store(_) | Fault::Unknown(_))) => {
                self.read_back().await;
                Err(fault.into())
            }
            Err(Fault::Denied(Denied::Clock)) => {
                self.on_hold();
                Err(ApiError::clock())
            }
            Err(Fault::Denied(Denied::Fenced)) => {
                match self.app.among_nodes() {
                    true => self.lose(),
                    false => self.park("another server took over this table"),
                }
                Err(ApiError::stopped())
            }
            Err(denied) => Err(denied.into()),
        }
    }

    /// Waits for the database after a failure, and reloads the table from the journal without what was not stored.
    async fn read_back(&mut self) {
        let fixed = self.live.fixed.clone();
        loop {
            let again = Instant::now() + RETRY;
            // Requests are refused while the database is away, so that nobody waits for it.
            while let Ok(asked) = tokio::time::timeout_at(again, self.inbox.recv()).await {
                let Some(asked) = asked else { return };
                self.reply(asked, Err(ApiError::stopped()));
            }
            let taken = take(&self.app, &fixed).await;
            if let Ok(None) = taken {
                return self.lose();
            }
            if let Ok(Some((epoch, live))) = taken {
                (self.epoch, self.live) = (epoch, live);
                self.app.metrics.unpark(self.live.fixed.id.0);
                self.ready.clear();
                self.asked = None;
                self.set_deadline();
                // The platform's next step happens at the next timer tick.
                self.deadline = Some(Instant::now());
                return self.publish(ViewExtras::default());
            }
        }
    }

    /// Replaces the table's state with `next`, which the journal has stored, and publishes its view.
    fn publish_stored(&mut self, next: Live, step: Step, receipt: &Receipt) {
        let mut shown = ViewExtras::default();
        self.apply_stored(next, step, receipt, &mut shown);
        self.publish(shown);
    }

    fn apply_stored(&mut self, next: Live, step: Step, receipt: &Receipt, shown: &mut ViewExtras) {
        self.app.metrics.unpark(self.live.fixed.id.0);
        let before = std::mem::replace(&mut self.live, next);
        self.stale_card |= step.checkpoint.is_some();
        if before.round_no() != self.live.round_no() {
            self.app.metrics.rounds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            self.ready.clear();
            self.presence.new_round();
            self.pause = Some(Instant::now() + Duration::from_millis(self.app.file.timings.pause_ms));
        }
        self.note_large(receipt);
        // A void declared by staff is recorded elsewhere, with its author; this records one by the house.
        if step.events.iter().any(|(by, event)| *by == By::House && event.fact == Fact::Voided) {
            self.note(
                "round-voided",
                AtTable { table: self.live.fixed.id.0, round: before.round_no().0, request: None },
            );
        }
        for leg in &receipt.legs {
            if let Some(person) = leg.account.person() {
                shown.balances.insert(person, (leg.account.chips, leg.after));
            }
        }
        self.set_deadline();
        shown.events.extend(view::events(&before, &step, &self.live));
    }

    /// Sets the deadline for the people who must act now, or no deadline if nobody must act.
    fn set_deadline(&mut self) {
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
        let window = match self.live.fixed.is_solo() {
            true => window.map(|_| NO_CLOCK),
            false => window.map(Duration::from_millis),
        };
        let goes_on =
            matches!(awaiting, Some(Awaiting::Wagers | Awaiting::Offers(_) | Awaiting::CoBettors(_)));
        if !(goes_on && awaiting == self.asked && self.deadline.is_some()) {
            self.deadline = window.map(|window| Instant::now() + window);
            self.presence.end_extra_time();
            if awaiting == Some(Awaiting::Wagers) {
                self.deadline = self.deadline.map(|at| self.pause.map_or(at, |pause| at.max(pause)));
            }
        }
        if window.is_none() {
            self.deadline = None;
        }
        self.see_nonces(window.is_some());
        self.asked = awaiting;
        self.shorten_idle_deadline();
        self.grant_extra_time();
    }

    /// Records bets and wins of at least the amount `large` of the house file as significant events.
    ///
    /// Also records winnings of an undone settlement that the patron has already spent, and owes the house.
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
            let details = LargeLeg {
                table: self.live.fixed.id.0,
                seq: receipt.seq.0,
                account: leg.account.to_string(),
                amount: leg.amount.to_string(),
            };
            self.note(what, details);
        }
    }

    /// Records a significant event under the house's own name, in the background.
    fn note(&self, what: &'static str, details: impl Serialize + Send + 'static) {
        let app = Arc::clone(&self.app);
        tokio::spawn(async move {
            if let Err(error) = app.significant(PersonId::HOUSE, what, details).await {
                tracing::error!(error = error.detail.message, "a significant event was not recorded");
            }
        });
    }

    /// Parks the table until an operator looks at it, because it cannot continue by itself. Nothing is lost.
    fn park(&mut self, why: &str) {
        self.parked(why);
        self.deadline = None;
    }

    fn parked(&self, why: &str) -> ApiError {
        let table = self.live.fixed.id.0;
        if self.app.metrics.park(table) {
            tracing::error!(table, why, "the table is parked");
            self.note("table-parked", Parked { table, why: why.to_owned() });
        }
        ApiError::stopped()
    }
}

pub(super) fn seat(who: &SignedIn) -> Seat {
    Seat { person: who.id, chips: who.chips }
}

/// Returns the name of the setting that stores the opening of a shoe of `table`; `shoe` is the shoe's number.
pub fn shoe_setting(table: TableId, shoe: i64) -> String {
    format!("shoe/{}/{shoe}", table.0)
}
