//! One actor a table: the only task that touches it. Order of one live command: the person is known, the machine decides
//! on a copy, the record becomes durable, the copy takes the table's place, everyone sees it, whoever asked is told.

mod asks;
mod calls;
mod dealer;
mod follow;
mod grace;
mod handle;
mod reveal;
mod show;
mod take;

use super::entry::{KIND, KIND_OPEN, body};
use super::live::{By, Fixed, Live, Step, Stuck};
use super::request::Request;
use super::seats::Seat;
use super::shares::Signing;
use super::told::Told;
use super::view;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::house_file::{Dealing, TableSetup};
use crate::nodes::Duty;
use crate::role::Role;
use crate::session::Who;
use axum::extract::ws::Utf8Bytes;
use axum::http::StatusCode;
pub use dealer::not_dealing;
use grace::{Coming, Presence};
use handle::Asked;
pub use handle::{TableHandle, Tables, player_at};
use ledger::people::Keep;
use ledger::{
    Cents, Chips, CommandId, Denied, Draft, Epoch, Fault, Holder, PersonId, Receipt, RoundNo, Stream, TableId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use show::Shown;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use table::{Awaiting, Fact};
use take::{look, take};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

const RETRY: Duration = Duration::from_millis(500);
/// At a solo table nobody waits for anybody.
const NO_CLOCK: Duration = Duration::from_secs(400 * 24 * 3600);
/// A solo table that nobody watches and nobody asks leaves memory after this long; the journal has it.
const SOLO_IDLE: Duration = Duration::from_secs(60);

/// A person's request.
#[derive(Clone)]
pub struct Ask {
    pub who: Arc<Who>,
    pub id: CommandId,
    pub meant_for: MeantFor,
    pub request: Request,
}

/// The round, and the version of the view, that a request was made for. A request without either fits always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeantFor {
    pub round: Option<i64>,
    pub version: Option<u64>,
}

impl MeantFor {
    /// Refuses what was meant for another round than this, or for a view that has changed since.
    fn fits(self, round: RoundNo, version: u64) -> ApiResult<()> {
        if let Some(meant) = self.round.filter(|meant| *meant != round.0) {
            let message = format!("this was meant for round {meant}, and the table is at round {}", round.0);
            return Err(ApiError::refused("another-round", message));
        }
        match self.version.filter(|meant| *meant != version) {
            None => Ok(()),
            Some(meant) => {
                let message =
                    format!("this was meant for version {meant} of the table, which is at {version}");
                Err(ApiError::refused("another-version", message))
            }
        }
    }
}

/// The answer to a request, once it is durable.
#[derive(Clone, Debug)]
pub struct Acted {
    pub seq: i64,
    pub version: u64,
    pub repeated: bool,
    pub balance: Option<Cents>,
}

/// The public view in its latest version. A slow reader skips versions and holds nothing up.
#[derive(Clone, Debug)]
pub struct Published {
    pub version: u64,
    /// The round in play, or the one that wagers are placed for.
    pub round: RoundNo,
    pub view: Utf8Bytes,
    /// Balances that the last step changed.
    pub balances: Arc<BTreeMap<PersonId, (Chips, Cents)>>,
    /// The table's entry in the lobby, but for how many seats are taken.
    pub card: Arc<Value>,
    pub taken: usize,
    /// The number of the last shoe.
    pub last_shoe: i64,
    /// Somebody is there to deal.
    pub attended: bool,
    /// What each wager took and paid.
    pub returns: Option<Arc<crate::tables::Returns>>,
    /// The boxes with face-down cards, for their owners.
    pub private: Arc<BTreeMap<PersonId, Value>>,
    /// What happened lately at a table that a person deals, as a list in JSON.
    pub lately: Arc<str>,
}

impl Published {
    /// Returns the table's entry in the lobby.
    pub fn lobby_entry(&self) -> Value {
        let mut entry = (*self.card).clone();
        entry["taken"] = self.taken.into();
        entry["attended"] = self.attended.into();
        entry
    }
}

struct Actor {
    app: App,
    name: String,
    inbox: mpsc::Receiver<Asked>,
    comings: mpsc::UnboundedReceiver<Coming>,
    presence: Presence,
    /// Who deals, where a person does.
    dealer: Option<dealer::DealtBy>,
    /// What happened there lately, as everyone was told.
    lately: VecDeque<Told>,
    /// What this node is to do with the table.
    duty: watch::Receiver<Duty>,
    owned: watch::Sender<bool>,
    /// Whoever has views open here, with how many.
    here: HashMap<PersonId, (Role, i64)>,
    /// What was asked while nobody could be asked.
    waiting: VecDeque<Asked>,
    /// Nobody can reach the table any more.
    ended: bool,
    live: Live,
    epoch: Epoch,
    version: u64,
    deadline: Option<Instant>,
    asked: Option<Awaiting>,
    ready: HashSet<PersonId>,
    /// No cards before this moment: the pause after the last round.
    pause: Option<Instant>,
    /// Until then players may reveal what they add to the order of the cards.
    revealing: Option<Instant>,
    /// The time was in doubt when the table was last to go on.
    waited: bool,
    /// The entry in the lobby is of an opening before this one.
    stale_card: bool,
    publish: watch::Sender<Published>,
}

impl Actor {
    async fn open(
        app: &App,
        setup: &TableSetup,
        (inbox, comings): (mpsc::Receiver<Asked>, mpsc::UnboundedReceiver<Coming>),
    ) -> Result<Actor, Stuck> {
        let fixed = Fixed::of(setup);
        // Among nodes it is looked at first, and taken when it is this node's to take.
        let nodes = app.nodes.get();
        let (epoch, live) = match nodes {
            Some(_) => (Epoch(0), look(app, &fixed).await?),
            None => take(app, &fixed).await?.ok_or_else(|| Stuck::Journal("another has the table".into()))?,
        };
        let duty = nodes.and_then(|nodes| nodes.duty(setup.number));
        let duty = duty.unwrap_or_else(|| watch::Sender::new(Duty::Own).subscribe());
        app.recall(setup.number).await.map_err(|error| Stuck::Journal(error.detail.message))?;
        let card = Arc::new(view::card(&live, &setup.name));
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
            private: Arc::default(),
            lately: "[]".into(),
        };
        let mut actor = Actor {
            app: Arc::clone(app),
            name: setup.name.clone(),
            inbox,
            comings,
            presence: Presence::default(),
            dealer: None,
            lately: VecDeque::new(),
            duty,
            owned: watch::Sender::new(nodes.is_none()),
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
        actor.recall_dealer().await.map_err(|error| Stuck::Journal(error.detail.message))?;
        Ok(actor)
    }

    async fn run(mut self) {
        self.publish(Shown::default());
        while !self.ended {
            let owned = *self.owned.borrow();
            match owned {
                true => self.own().await,
                false => self.follow().await,
            }
        }
    }

    /// Until the table is another's.
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
                // In this order, so that one seed gives one history; who asks a lot holds up nothing before them.
                biased;
                Ok(()) = self.duty.changed() => {
                    if *self.duty.borrow_and_update() != Duty::Own {
                        self.give_back().await;
                    }
                }
                Some(coming) = self.comings.recv() => {
                    self.count(coming);
                    self.came(coming);
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

    /// Nobody is at this solo table: it is forgotten here, and read from the journal when somebody comes back.
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

    /// Does whatever nobody has to be asked for, until somebody has.
    async fn settle_down(&mut self) {
        if self.on_hold().is_some() {
            return;
        }
        loop {
            match self.next_work(&self.live) {
                Err(stuck) => return self.park(&stuck.to_string()),
                Ok(None) => return self.watch_the_clock(),
                Ok(Some((next, step))) => {
                    if !self.store(next, step).await {
                        return;
                    }
                }
            }
        }
    }

    /// What the platform does next by itself in a state of the table; nothing where somebody has to be asked.
    fn next_work(&self, from: &Live) -> Result<Option<(Live, Step)>, Stuck> {
        if !from.has_work() {
            return Ok(None);
        }
        let (mut next, mut step) = (from.clone(), Step::default());
        if from.wants_reopening() {
            next.reopen(&mut step);
        } else if from.wants_keeping() {
            next.keep(&self.app.vault, &mut step)?;
        }
        next.carry_on(&self.app.vault, &mut step)?;
        Ok((!step.lines.is_empty()).then_some((next, step)))
    }

    /// Returns why nothing is decided now, if the house is on hold. Afterwards whoever is asked has all the time there is.
    fn on_hold(&mut self) -> Option<ApiError> {
        let why = self.app.on_hold();
        if why.is_some() {
            self.deadline = Some(Instant::now() + RETRY);
            self.waited = true;
        }
        why
    }

    /// Nobody answered in time: the published rule answers.
    async fn time_is_up(&mut self) {
        if self.on_hold().is_some() {
            return;
        }
        self.deadline = None;
        if std::mem::take(&mut self.waited) {
            self.asked = None;
            self.settle_down().await;
            return self.publish(Shown::default());
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
        // Closing the window is the platform's own business, everything else is for somebody absent.
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
            return self.watch_the_clock();
        }
        if self.store(next, step).await {
            self.settle_down().await;
        }
    }

    /// The command that led from a state of this table to another.
    fn draft(&self, from: &Live, person: PersonId, id: CommandId, step: &Step) -> Result<Draft, Stuck> {
        let kind = if step.checkpoint.is_some() { KIND_OPEN } else { KIND };
        let mut draft = Draft::new(Stream::Table(self.live.fixed.id), person, id, kind);
        draft.fence = Some(self.epoch);
        draft.round = step.round.unwrap_or_else(|| from.round_no());
        draft.event = body(step)?;
        draft.postings = step.postings.clone();
        draft.checkpoint = step.checkpoint.is_some();
        draft.keep = step
            .openings
            .iter()
            .filter_map(|opening| {
                let name = shoe_setting(self.live.fixed.id, opening.committed.shoe);
                serde_json::to_vec(&self.signed(opening)).ok().map(|value| Keep::Setting { name, value })
            })
            .collect();
        Ok(draft)
    }

    /// Stores a step of the platform. On failure the table is read back, because it is unknown what the store holds.
    async fn store(&mut self, next: Live, step: Step) -> bool {
        let Ok(id) = CommandId::fresh() else {
            self.park("no entropy");
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
        match self.judged(receipt).await {
            Ok(receipt) => {
                self.take_over(next, step, &receipt);
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

    /// What the ledger's answer means for the table.
    async fn judged(&mut self, outcome: Result<Receipt, Fault>) -> ApiResult<Receipt> {
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

    /// The store is away, or was: waits for it and forgets everything that it does not hold.
    async fn read_back(&mut self) {
        let fixed = self.live.fixed.clone();
        loop {
            let again = Instant::now() + RETRY;
            // Nobody waits for a store that is away.
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
                self.app.metrics.go_on(self.live.fixed.id.0);
                self.ready.clear();
                self.asked = None;
                self.watch_the_clock();
                // Whatever the platform has to do is done at the next tick of the clock.
                self.deadline = Some(Instant::now());
                return self.publish(Shown::default());
            }
        }
    }

    /// The table is now in this state, which is durable; everyone sees it.
    fn take_over(&mut self, next: Live, step: Step, receipt: &Receipt) {
        let mut shown = Shown::default();
        self.adopt(next, step, receipt, &mut shown);
        self.publish(shown);
    }

    fn adopt(&mut self, next: Live, step: Step, receipt: &Receipt, shown: &mut Shown) {
        self.app.metrics.go_on(self.live.fixed.id.0);
        let before = std::mem::replace(&mut self.live, next);
        self.stale_card |= step.checkpoint.is_some();
        if before.round_no() != self.live.round_no() {
            self.app.metrics.rounds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            self.ready.clear();
            self.presence.new_round();
            self.pause = Some(Instant::now() + Duration::from_millis(self.app.file.timings.pause_ms));
        }
        self.note_large(receipt);
        // A void that staff declares is noted with who did.
        if step.events.iter().any(|(by, event)| *by == By::House && event.fact == Fact::Voided) {
            self.note("round-voided", json!({ "table": self.live.fixed.id.0, "round": before.round_no().0 }));
        }
        for leg in &receipt.legs {
            if let Some(person) = leg.account.person() {
                shown.balances.insert(person, (leg.account.chips, leg.after));
            }
        }
        self.watch_the_clock();
        shown.events.extend(view::events(&before, &step, &self.live));
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
        let window = match self.live.fixed.is_solo() {
            true => window.map(|_| NO_CLOCK),
            false => window.map(Duration::from_millis),
        };
        let goes_on =
            matches!(awaiting, Some(Awaiting::Wagers | Awaiting::Offers(_) | Awaiting::CoBettors(_)));
        if !(goes_on && awaiting == self.asked && self.deadline.is_some()) {
            self.deadline = window.map(|window| Instant::now() + window);
            self.presence.asked_anew();
            if awaiting == Some(Awaiting::Wagers) {
                self.deadline = self.deadline.map(|at| self.pause.map_or(at, |pause| at.max(pause)));
            }
        }
        if window.is_none() {
            self.deadline = None;
        }
        self.see_nonces(window.is_some());
        self.asked = awaiting;
        self.hurry_the_idle();
        self.wait_for_the_lost();
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
            self.note(what, details);
        }
    }

    /// Records a significant event of the platform's own.
    fn note(&self, what: &'static str, details: Value) {
        let app = Arc::clone(&self.app);
        tokio::spawn(async move {
            if let Err(error) = app.significant(PersonId::HOUSE, what, details).await {
                tracing::error!(error = error.detail.message, "a significant event was not recorded");
            }
        });
    }

    /// The table cannot go on by itself. Nothing is lost; an operator has to look.
    fn park(&mut self, why: &str) {
        self.parked(why);
        self.deadline = None;
    }

    fn parked(&self, why: &str) -> ApiError {
        let table = self.live.fixed.id.0;
        if self.app.metrics.park(table) {
            tracing::error!(table, why, "the table is parked");
            self.note("table-parked", json!({ "table": table, "why": why }));
        }
        ApiError::stopped()
    }
}

fn seat(who: &Who) -> Seat {
    Seat { person: who.id, chips: who.chips }
}

/// Returns the setting that stores a finished shoe for anyone to verify.
pub fn shoe_setting(table: TableId, shoe: i64) -> String {
    format!("shoe/{}/{shoe}", table.0)
}
