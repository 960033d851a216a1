//! Handles requests to a table in batches.
//!
//! Each waiting request is decided on the state that the request before it leaves, and all are stored as one
//! batch. So requests to one table share a disk sync, as do requests to different tables. A refusal is never based
//! on state that is not stored.

use super::dealer::DealtBy;
use super::{Acted, Actor, Ask, AtTable, QueuedRequest, ViewExtras, seat};
use crate::error::{ApiError, ApiResult};
use crate::house_file::Dealing;
use crate::role::Role;
use crate::tables::event_view::CORRECTED;
use crate::tables::live::{By, Live, Step, TableFault, VoidDeclaration};
use crate::tables::request::{Asker, Request, bettor_of};
use crate::tables::shares::Signing;
use crate::tables::snapshot::seat_text;
use axum::http::StatusCode;
use ledger::{CommandId, Denied, Draft, Fault, PersonId, Receipt, RoundNo};
use rules::message;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use table::Awaiting;
use tokio::time::Instant;

/// The maximum number of requests that are stored as one batch.
const CHAIN: usize = 32;

/// A request that the table has accepted but not yet stored, and the state of the table that it leads to.
struct Decided {
    asked: QueuedRequest,
    next: Live,
    step: Step,
    /// The dealer from this request on, or `None` if the request does not change the dealer.
    dealer: Option<DealtBy>,
}

/// The state on which a request is decided: the table, the version of its view, and its dealer.
struct Base<'a> {
    live: &'a Live,
    version: u64,
    dealer: Option<&'a DealtBy>,
}

impl Actor {
    pub(super) async fn serve(&mut self, mut waiting: VecDeque<QueuedRequest>) {
        if let Some(why) = self.on_hold() {
            return waiting.into_iter().for_each(|asked| self.reply(asked, Err(why.clone())));
        }
        for QueuedRequest { ask, .. } in &waiting {
            self.presence.returned(ask.who.id);
            if !ask.who.role.is_staff() && !self.live.names.contains_key(&ask.who.id) {
                Arc::make_mut(&mut self.live.names).insert(ask.who.id, ask.who.name.clone());
            }
        }
        while let Some(first) = waiting.pop_front() {
            match first.ask.request {
                Request::Deal => {
                    let outcome = self.deal(&first.ask).await;
                    self.reply(first, outcome);
                }
                Request::CallFloor { .. } | Request::AnswerCall | Request::EndCall => {
                    let outcome = self.call(&first.ask).await;
                    self.reply(first, outcome);
                }
                Request::TakeOver => {
                    let outcome = self.take_over_round(&first.ask).await;
                    self.reply(first, outcome);
                }
                _ => {
                    if !matches!(first.ask.request, Request::Correct { .. }) {
                        self.keep_when_due().await;
                    }
                    waiting.push_front(first);
                    self.serve_chain(&mut waiting).await;
                }
            }
        }
    }

    /// Stores a snapshot that is due between two rounds, but has waited because the last card could be corrected.
    ///
    /// Called before each request that does not correct the card, because it makes the card final.
    async fn keep_when_due(&mut self) {
        if self.live.last_card.is_none() {
            return;
        }
        let (mut next, mut step) = (self.live.clone(), Step::default());
        next.last_card = None;
        if next.wants_snapshot() && next.take_snapshot(&self.app.vault, &mut step).is_ok() {
            self.store(next, step).await;
        }
    }

    /// Decides requests from the queue, at least one, and stores them as one batch.
    async fn serve_chain(&mut self, waiting: &mut VecDeque<QueuedRequest>) {
        let (mut decided, mut drafts): (Vec<Decided>, Vec<Draft>) = (Vec::new(), Vec::new());
        while drafts.len() < CHAIN
            && let Some(asked) = waiting.pop_front()
        {
            let alone = asked.ask.request.stands_alone();
            let from = decided.last().map_or(&self.live, |last| &last.next);
            let dealer = decided.iter().rev().find_map(|one| one.dealer.as_ref()).or(self.dealer.as_ref());
            let outcome = match alone {
                true => None,
                // the unstored state will be the next version
                false => {
                    let version = self.version + u64::from(!decided.is_empty());
                    Some(self.decide(&Base { live: from, version, dealer }, &asked.ask))
                }
            };
            match outcome {
                Some(Ok(((next, step, draft), dealer))) => {
                    drafts.push(draft);
                    decided.push(Decided { asked, next, step, dealer });
                }
                Some(Err(refusal)) if decided.is_empty() => {
                    if refusal.status == StatusCode::SERVICE_UNAVAILABLE {
                        self.deadline = None;
                    }
                    return self.reply(asked, Err(refusal));
                }
                // The request is decided again once the ones before it are stored.
                _ => {
                    waiting.push_front(asked);
                    break;
                }
            }
        }
        let next_step = self.platform_step(&decided);
        let next_step = next_step.map(|(draft, next, step)| {
            drafts.push(draft);
            (next, step)
        });
        let outcomes = self.app.commit_chain(drafts).await;
        self.conclude((decided, next_step), outcomes, waiting).await;
    }

    /// Returns the next automatic step after the last of the `decided` requests, to be stored in the same batch.
    ///
    /// Returns `None` if no automatic step is due or it fails; `settle_down` then tries it again.
    fn platform_step(&self, decided: &[Decided]) -> Option<(Draft, Live, Step)> {
        let from = &decided.last()?.next;
        let (next, step) = self.next_work(from).ok()??;
        let draft = self.draft(from, PersonId::HOUSE, CommandId::fresh().ok()?, &step).ok()?;
        Some((draft, next, step))
    }

    /// Decides a request on the state in `base`, without changing that state.
    ///
    /// Returns the resulting state, its step and draft, and the new dealer, or `None` if the dealer stays.
    fn decide(&self, base: &Base<'_>, ask: &Ask) -> ApiResult<((Live, Step, Draft), Option<DealtBy>)> {
        let from = base.live;
        ask.meant_for.fits(from.round_no(), base.version)?;
        let dealer = self.new_dealer(base.dealer, ask)?;
        let mut next = from.clone();
        let mut step = Step::default();
        let asker = Asker { seat: seat(&ask.who), role: ask.who.role };
        if let Request::Void { reason } = &ask.request {
            let why = lawful_reason(reason)?;
            next.declare_void(By::Person, VoidDeclaration { name: ask.who.name.clone(), why }, &mut step);
        }
        match &ask.request {
            Request::Share { hash } => {
                ask.request.permitted(asker.role, next.fixed.dealing)?;
                let signing = Signing::Now(&self.app.vault);
                next.give_share(By::Person, (asker.seat, hash), &signing, &mut step)?;
            }
            request => request.carry_out(&mut next, asker, &mut step)?,
        }
        let parked = |stuck: TableFault| self.parked(&stuck.to_string());
        next.carry_on(&self.app.vault, &mut step).map_err(parked)?;
        // Forgets a new seat that no line names: a replay would not learn of it.
        let named = seat_text(asker.seat);
        let is_named = step.lines.iter().any(|line| line.split(' ').any(|word| word == named));
        if !from.seats.knows(asker.seat) && !is_named {
            next.seats.forget_last(asker.seat);
        }
        let mut draft = self.draft(from, ask.who.id, ask.id.clone(), &step).map_err(parked)?;
        draft.body = ask.digest(self.live.fixed.id.0);
        draft.row_changes.extend(dealer.as_ref().map(|dealer| dealer.to_setting(self.live.fixed.id.0)));
        Ok(((next, step, draft), dealer))
    }

    /// Finishes a batch of requests after its records were stored or rejected.
    ///
    /// On success, it publishes the new state and answers the callers; on failure, it rolls back to the last stored
    /// state and requeues the commands that depended on it.
    async fn conclude(
        &mut self,
        (decided, next_step): (Vec<Decided>, Option<(Live, Step)>),
        outcomes: Vec<Result<Receipt, Fault>>,
        waiting: &mut VecDeque<QueuedRequest>,
    ) {
        let (mut shown, mut answers, mut again) = (ViewExtras::default(), Vec::new(), Vec::new());
        let (mut trouble, mut staff) = (None, Vec::new());
        let mut outcomes = outcomes.into_iter();
        for (Decided { asked, next, step, dealer }, outcome) in decided.into_iter().zip(outcomes.by_ref()) {
            match outcome {
                Ok(receipt) => {
                    if !receipt.repeated {
                        let round = step.round.unwrap_or_else(|| self.live.round_no());
                        self.apply_stored(next, step, &receipt, &mut shown);
                        self.dealer = dealer.or(self.dealer.take());
                        staff.extend(asked.ask.who.role.is_staff().then(|| (asked.ask.clone(), round)));
                    }
                    let acted = asked.ask.outcome(&receipt, self.version + 1);
                    answers.push((asked, acted));
                }
                Err(Fault::Denied(Denied::Behind)) => again.push(asked),
                // The table's new owner gets the request.
                Err(fault @ Fault::Denied(Denied::Fenced)) if self.app.among_nodes() => {
                    trouble = Some(fault);
                    again.push(asked);
                }
                Err(fault) => {
                    let denied = match &fault {
                        Fault::Denied(Denied::Clock) => ApiError::clock(),
                        Fault::Denied(Denied::Fenced) => ApiError::stopped(),
                        _ => fault.clone().into(),
                    };
                    trouble = Some(fault);
                    answers.push((asked, Err(denied)));
                }
            }
        }
        again.into_iter().rev().for_each(|asked| waiting.push_front(asked));
        let changed = answers.iter().any(|(_, outcome)| matches!(outcome, Ok(acted) if !acted.repeated));
        if changed {
            self.publish(shown);
        }
        // Recorded before the answer, so that a client who learns of a void round finds it among the significant
        // events.
        for (ask, round) in staff {
            self.note_staff(&ask, round).await;
        }
        for (asked, outcome) in answers {
            self.reply(asked, outcome);
        }
        if let (Some((next, step)), Some(Ok(receipt))) = (next_step, outcomes.next()) {
            self.publish_stored(next, step, &receipt);
        }
        let stops = |fault: &Fault| match fault {
            Fault::Store(_) | Fault::Unknown(_) => true,
            Fault::Denied(denied) => matches!(denied, Denied::Fenced | Denied::Clock),
        };
        if let Some(fault) = trouble.filter(stops) {
            let elsewhere = fault == Fault::Denied(Denied::Fenced) && self.app.among_nodes();
            for asked in waiting.drain(..) {
                match elsewhere {
                    true => self.waiting.push_back(asked),
                    false => self.reply(asked, Err(ApiError::stopped())),
                }
            }
            // All callers have been answered; this handles the fault for the table itself.
            let _ = self.handle_receipt(Err(fault)).await;
        }
        if changed {
            self.settle_down().await;
        }
    }

    pub(super) fn reply(&self, asked: QueuedRequest, outcome: ApiResult<Acted>) {
        if outcome.is_err() {
            self.app.metrics.refusals.fetch_add(1, Ordering::Relaxed);
        }
        self.app.metrics.action_seconds.record(asked.since.elapsed());
        // The caller may have disconnected.
        let _ = asked.reply.send(outcome);
    }

    /// Records voids, corrections, reported irregularities and ordered reshuffles as significant events.
    async fn note_staff(&self, ask: &Ask, round: RoundNo) {
        let what = match ask.request {
            Request::Void { .. } => "round-voided",
            Request::Correct { .. } => CORRECTED,
            Request::Report { .. } => "irregularity",
            Request::Reshuffle => "reshuffle-ordered",
            _ => return,
        };
        let details = AtTable { table: self.live.fixed.id.0, round: round.0, request: Some(&ask.request) };
        if let Err(error) = self.app.significant(ask.who.id, what, details).await {
            tracing::error!(error = error.detail.message, "a significant event was not recorded");
        }
    }

    /// Notes that a player is ready to be dealt to, and closes betting early if every bettor is ready.
    async fn deal(&mut self, ask: &Ask) -> ApiResult<Acted> {
        // Dealing early is not recorded, so the only record of its id is a refusal (`settled.rs`).
        let refused_before = self.app.did(ask.who.id, &ask.id).await?;
        ask.meant_for.fits(self.live.round_no(), self.version)?;
        let dealer_table = self.live.fixed.dealing == Dealing::Dealer;
        if refused_before
            || ask.who.role != Role::Player
            || dealer_table
            || self.live.table.awaiting() != Some(Awaiting::Wagers)
        {
            return Err(ApiError::refused(message!("cannot-deal-now", "cannot deal now")));
        }
        let boxes = &self.live.table.round().boxes;
        if !boxes.iter().any(|play| bettor_of(&self.live, play.id, ask.who.id).is_ok()) {
            return Err(ApiError::refused(message!("no-wager", "place a bet first")));
        }
        self.ready.insert(ask.who.id);
        let bettors = boxes.iter().flat_map(|play| &play.bettors);
        let all =
            bettors.filter_map(|b| self.live.seats.seat(b.person)).all(|s| self.ready.contains(&s.person));
        if all {
            match self.pause.filter(|until| *until > Instant::now()) {
                Some(until) => {
                    self.deadline = Some(until);
                    self.publish(ViewExtras::default());
                }
                None => self.time_is_up().await,
            }
        }
        Ok(Acted { seq: 0, version: self.version, repeated: false, balance: None })
    }
}

/// Returns the reason `text` as one line, or an error if it is longer than 200 characters.
///
/// If `text` is empty, returns a fixed text instead.
pub(super) fn lawful_reason(text: &str) -> ApiResult<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let why = words.join(" ");
    match why.chars().count() {
        0 => Ok("reason is required".into()),
        1..=200 => Ok(why),
        _ => {
            Err(ApiError::bad("reason", message!("reason-too-long", "reason must be at most 200 characters")))
        }
    }
}
