//! Follows a table that another node owns: forwards requests to the owner, and shows the owner's views here.
//!
//! When the table moves to another node, or to this one, viewers and callers notice only a pause. Unanswered
//! requests are sent again under the same id, so that no request is carried out twice.

use super::grace::{Presence, ViewCountChange};
use super::{Actor, QueuedRequest, RETRY, ViewExtras};
use crate::error::ApiError;
use crate::nodes::{self, Assignment, FollowStream, FollowerMessage, OwnerMessage, line};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// How long a request to a table without a reachable owner waits before it is answered with an error.
const WAITED_LONG_ENOUGH: Duration = Duration::from_secs(8);
const RETRY_EVERY: Duration = Duration::from_millis(50);

/// What the actor does next, once it no longer follows an owner: own the table, follow again, or end.
enum Next {
    Own,
    Again,
    End,
}

impl Actor {
    pub(super) async fn follow(&mut self) {
        loop {
            if self.unreleased {
                self.release().await;
            }
            let assignment = self.assignment.borrow_and_update().clone();
            let next = match assignment {
                _ if self.unreleased => self.wait().await,
                Assignment::Own => self.take_table().await,
                Assignment::Follow(Some(address)) if !address.is_empty() => self.follow_owner(&address).await,
                Assignment::Follow(_) => self.wait().await,
            };
            match next {
                Next::Own => return,
                Next::Again => {}
                Next::End => {
                    self.ended = true;
                    return;
                }
            }
        }
    }

    async fn take_table(&mut self) -> Next {
        let fixed = self.live.fixed.clone();
        match super::take(&self.app, &fixed).await {
            Ok(Some((epoch, live))) => {
                (self.epoch, self.live) = (epoch, live);
                // Versions of a later owner are always higher than those of an earlier one.
                self.version = u64::try_from(epoch.0).unwrap_or(0) << 32;
                self.presence = Presence::of(&self.here);
                if let Err(error) = self.recall_dealer().await {
                    tracing::warn!(error = error.detail.message, "cannot tell who is dealing");
                }
                self.ready.clear();
                (self.asked, self.deadline, self.revealing, self.stale_card) = (None, None, None, true);
                self.app.metrics.unpark(self.live.fixed.id.0);
                self.owned.send_replace(true);
                Next::Own
            }
            Ok(None) => self.wait().await,
            Err(stuck) => {
                tracing::error!(%stuck, table = self.live.fixed.id.0, "cannot take over the table");
                tokio::time::sleep(RETRY).await;
                self.wait().await
            }
        }
    }

    /// Marks the table as no longer owned by this node.
    pub(super) fn lose(&mut self) {
        self.owned.send_replace(false);
        self.deadline = None;
    }

    /// Answers the requests that have waited too long for an owner of the table with an error.
    fn refuse_late_requests(&mut self) {
        let (late, waiting): (VecDeque<QueuedRequest>, VecDeque<QueuedRequest>) =
            std::mem::take(&mut self.waiting)
                .into_iter()
                .partition(|asked| asked.since.elapsed() > WAITED_LONG_ENOUGH);
        self.waiting = waiting;
        for asked in late {
            let why = if asked.sent { ApiError::unknown() } else { ApiError::owner_away() };
            self.reply(asked, Err(why));
        }
    }

    /// Queues requests until this node's assignment changes or a short time has passed, and then returns what to
    /// do next.
    async fn wait(&mut self) -> Next {
        let until = tokio::time::Instant::now() + RETRY_EVERY;
        loop {
            tokio::select! {
                Ok(()) = self.assignment.changed() => return Next::Again,
                asked = self.inbox.recv() => match asked {
                    Some(asked) => self.waiting.push_back(asked),
                    None => return Next::End,
                },
                Some(change) = self.view_changes.recv() => self.count(change),
                () = tokio::time::sleep_until(until) => {
                    self.refuse_late_requests();
                    return Next::Again;
                }
            }
        }
    }

    /// Counts the views that a person opened or closed on this node.
    pub(super) fn count(&mut self, ViewCountChange { person, role, views }: ViewCountChange) {
        let counted = self.here.entry(person).or_insert((role, 0));
        counted.1 += views;
        if counted.1 <= 0 {
            self.here.remove(&person);
        }
    }

    async fn follow_owner(&mut self, address: &str) -> Next {
        let Some(nodes) = self.app.nodes.get() else { return self.wait().await };
        let table = self.live.fixed.id.0;
        let reached = tokio::select! {
            reached = nodes.peers.follow(address, table) => reached,
            // An owner that does not answer must not delay a new assignment.
            Ok(()) = self.assignment.changed() => return Next::Again,
        };
        let FollowStream { sender, mut lines } = match reached {
            Ok(stream) => stream,
            Err(error) => {
                tracing::debug!(%error, table, address, "cannot reach the owner of a table");
                return self.wait().await;
            }
        };
        let mut asked: BTreeMap<u64, QueuedRequest> = BTreeMap::new();
        let mut number = 0;
        // If the stream has ended, nothing is lost: unanswered requests are sent again.
        let send = |message: &FollowerMessage| {
            let _ = sender.send(line(message));
        };
        for (person, (role, views)) in &self.here {
            send(&FollowerMessage::Here { person: *person, role: *role, views: *views });
        }
        let mut first: VecDeque<QueuedRequest> = std::mem::take(&mut self.waiting);
        let mut look = tokio::time::interval(RETRY_EVERY * 5);
        let next = loop {
            if let Some(mut waits) = first.pop_front() {
                // The caller has disconnected, so the request is dropped.
                if waits.reply.is_closed() {
                    continue;
                }
                number += 1;
                waits.sent = true;
                send(&FollowerMessage::Ask(Box::new(nodes::PeerRequest::new(number, &waits.ask))));
                asked.insert(number, waits);
                continue;
            }
            tokio::select! {
                Ok(()) = self.assignment.changed() => break Next::Again,
                waits = self.inbox.recv() => match waits {
                    Some(waits) => first.push_back(waits),
                    None => break Next::End,
                },
                Some(change) = self.view_changes.recv() => {
                    let ViewCountChange { person, role, views } = change;
                    send(&FollowerMessage::Here { person, role, views });
                    self.count(change);
                }
                message = lines.next::<OwnerMessage>() => match message {
                    Some(OwnerMessage::Shown(shown)) => {
                        self.publish.send_replace(shown.published());
                    }
                    Some(answer) => {
                        let Some((n, outcome)) = answer.outcome() else { continue };
                        let Some(waits) = asked.remove(&n) else { continue };
                        self.reply(waits, outcome);
                    }
                    None => break Next::Again,
                },
                _ = look.tick() => {
                    let late = |waits: &QueuedRequest| waits.since.elapsed() > WAITED_LONG_ENOUGH;
                    let late: Vec<u64> = asked.iter().filter(|(_, waits)| late(waits)).map(|(n, _)| *n).collect();
                    for waits in late.iter().filter_map(|n| asked.remove(n)) {
                        self.reply(waits, Err(ApiError::unknown()));
                    }
                }
            }
        };
        self.waiting = asked.into_values().chain(first).collect();
        match next {
            // The owner is gone or has released the table; the new owner is known shortly.
            Next::Again => self.wait().await,
            other => other,
        }
    }

    /// Stops to run the table, so that another node continues the round in play.
    ///
    /// Every decision is already stored.
    pub(super) async fn give_back(&mut self) {
        self.unreleased = true;
        self.release().await;
        self.lose();
    }

    /// Releases the table in the store. If that fails, the next call tries again: until then no other node takes it.
    async fn release(&mut self) {
        let (ledger, stream, epoch) =
            (std::sync::Arc::clone(&self.app.ledger), ledger::Stream::Table(self.live.fixed.id), self.epoch);
        match ledger::world::run_blocking(move || ledger.give_back(stream, epoch)).await {
            Ok(Ok(())) => self.unreleased = false,
            Ok(Err(error)) => {
                tracing::warn!(%error, table = self.live.fixed.id.0, "the table was not released; it is tried again");
            }
            Err(_) => {}
        }
    }

    /// Starts to run the table as its owner: performs automatic steps, publishes the view and serves waiting
    /// requests.
    pub(super) async fn begin(&mut self) {
        self.settle_down().await;
        self.publish(ViewExtras::default());
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|waits| !waits.reply.is_closed());
        if !waiting.is_empty() {
            self.serve(waiting).await;
        }
    }
}
