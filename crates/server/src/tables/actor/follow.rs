//! A table that another node owns: what is asked here is passed on to it, what it shows is shown here, and when it goes to
//! somebody else, or comes here, whoever watches or waits notices nothing but a pause. What was not answered is asked again
//! under the same id, which does nothing twice.

use super::grace::{Coming, Presence};
use super::{Actor, Asked, RETRY, Shown};
use crate::error::ApiError;
use crate::nodes::{self, Duty, Heard, Said, Wire, line};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Whoever asks a table that nobody owns hears so after this long.
const WAITED_LONG_ENOUGH: Duration = Duration::from_secs(8);
const AGAIN: Duration = Duration::from_millis(50);

/// What became of the time as a follower.
enum Next {
    Own,
    Again,
    End,
}

impl Actor {
    pub(super) async fn follow(&mut self) {
        loop {
            let duty = self.duty.borrow_and_update().clone();
            let next = match duty {
                Duty::Own => self.take_it().await,
                Duty::Follow(Some(address)) if !address.is_empty() => self.pass_on(&address).await,
                Duty::Follow(_) => self.wait().await,
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

    async fn take_it(&mut self) -> Next {
        let fixed = self.live.fixed.clone();
        match super::take(&self.app, &fixed).await {
            Ok(Some((epoch, live))) => {
                (self.epoch, self.live) = (epoch, live);
                // No version of an earlier owner comes after one of a later.
                self.version = u64::try_from(epoch.0).unwrap_or(0) << 32;
                self.presence = Presence::of(&self.here);
                if let Err(error) = self.recall_dealer().await {
                    tracing::warn!(error = error.detail.message, "who deals is not known");
                }
                self.ready.clear();
                (self.asked, self.deadline, self.revealing, self.stale_card) = (None, None, None, true);
                self.app.metrics.go_on(self.live.fixed.id.0);
                self.owned.send_replace(true);
                Next::Own
            }
            Ok(None) => self.wait().await,
            Err(stuck) => {
                tracing::error!(%stuck, table = self.live.fixed.id.0, "the table cannot be taken");
                tokio::time::sleep(RETRY).await;
                self.wait().await
            }
        }
    }

    /// Gives the table up, because another node or nobody owns it.
    pub(super) fn lose(&mut self) {
        self.owned.send_replace(false);
        self.deadline = None;
    }

    /// Whoever has waited too long is told.
    fn tell_who_waits(&mut self) {
        let (late, waiting): (VecDeque<Asked>, VecDeque<Asked>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|asked| asked.since.elapsed() > WAITED_LONG_ENOUGH);
        self.waiting = waiting;
        for asked in late {
            self.reply(asked, Err(ApiError::unknown()));
        }
    }

    /// Until there is something else to do; what is asked meanwhile waits.
    async fn wait(&mut self) -> Next {
        let until = tokio::time::Instant::now() + AGAIN;
        loop {
            tokio::select! {
                Ok(()) = self.duty.changed() => return Next::Again,
                asked = self.inbox.recv() => match asked {
                    Some(asked) => self.waiting.push_back(asked),
                    None => return Next::End,
                },
                Some(coming) = self.comings.recv() => self.count(coming),
                () = tokio::time::sleep_until(until) => {
                    self.tell_who_waits();
                    return Next::Again;
                }
            }
        }
    }

    /// Counts views that somebody opened or closed here.
    pub(super) fn count(&mut self, Coming { person, role, views }: Coming) {
        let counted = self.here.entry(person).or_insert((role, 0));
        counted.1 += views;
        if counted.1 <= 0 {
            self.here.remove(&person);
        }
    }

    async fn pass_on(&mut self, address: &str) -> Next {
        let Some(nodes) = self.app.nodes.get() else { return self.wait().await };
        let table = self.live.fixed.id.0;
        let reached = tokio::select! {
            reached = nodes.peers.follow(address, table) => reached,
            // Whoever is to have the table now is not kept from it by one who does not answer.
            Ok(()) = self.duty.changed() => return Next::Again,
        };
        let Wire { say, mut hear } = match reached {
            Ok(wire) => wire,
            Err(error) => {
                tracing::debug!(%error, table, address, "the owner of a table is not reached");
                return self.wait().await;
            }
        };
        let mut asked: BTreeMap<u64, Asked> = BTreeMap::new();
        let mut number = 0;
        // Nothing is lost when the stream has ended: what has no answer is asked again.
        let say = |said: &Said| {
            let _ = say.send(line(said));
        };
        for (person, (role, views)) in &self.here {
            say(&Said::Here { person: *person, role: *role, views: *views });
        }
        let mut first: VecDeque<Asked> = std::mem::take(&mut self.waiting);
        let mut look = tokio::time::interval(AGAIN * 5);
        let next = loop {
            if let Some(waits) = first.pop_front() {
                // Whoever hung up wants nothing any more.
                if waits.reply.is_closed() {
                    continue;
                }
                number += 1;
                say(&Said::Ask(Box::new(nodes::Asked::new(number, &waits.ask))));
                asked.insert(number, waits);
                continue;
            }
            tokio::select! {
                Ok(()) = self.duty.changed() => break Next::Again,
                waits = self.inbox.recv() => match waits {
                    Some(waits) => first.push_back(waits),
                    None => break Next::End,
                },
                Some(coming) = self.comings.recv() => {
                    let Coming { person, role, views } = coming;
                    say(&Said::Here { person, role, views });
                    self.count(coming);
                }
                heard = hear.next::<Heard>() => match heard {
                    Some(Heard::Shown(shown)) => {
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
                    let late = |waits: &Asked| waits.since.elapsed() > WAITED_LONG_ENOUGH;
                    let late: Vec<u64> = asked.iter().filter(|(_, waits)| late(waits)).map(|(n, _)| *n).collect();
                    for waits in late.iter().filter_map(|n| asked.remove(n)) {
                        self.reply(waits, Err(ApiError::unknown()));
                    }
                }
            }
        };
        self.waiting = asked.into_values().chain(first).filter(|waits| !waits.reply.is_closed()).collect();
        match next {
            // The owner has gone, or has given the table away; who has it is known in a moment.
            Next::Again => self.wait().await,
            other => other,
        }
    }

    /// Hands the table to another node: decisions are stored, and the round in play continues there.
    pub(super) async fn give_back(&mut self) {
        let (ledger, stream, epoch) =
            (std::sync::Arc::clone(&self.app.ledger), ledger::Stream::Table(self.live.fixed.id), self.epoch);
        let given = ledger::world::aside(move || ledger.give_back(stream, epoch)).await;
        if let Ok(Err(error)) = given {
            tracing::warn!(%error, table = self.live.fixed.id.0, "the table was not given back");
        }
        self.lose();
    }

    /// Begins as the owner, with what waited.
    pub(super) async fn begin(&mut self) {
        self.settle_down().await;
        self.publish(Shown::default());
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|waits| !waits.reply.is_closed());
        if !waiting.is_empty() {
            self.serve(waiting).await;
        }
    }
}
