//! How a version of the table reaches everyone who watches it.

use super::{Actor, NO_CLOCK, Published, calls, dealer};
use crate::house_file::Dealing;
use crate::tables::told::Told;
use crate::tables::view;
use crate::wire::{Time, text_of};
use ledger::{Cents, Chips, PersonId};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::Instant;

/// Number of recent events that a console receives when it opens a table: about two rounds at a full table.
const LATELY: usize = 120;

/// View data that is not part of the table's state.
#[derive(Default)]
pub(super) struct Shown {
    pub events: Vec<Told>,
    /// Balances that changed.
    pub balances: BTreeMap<PersonId, (Chips, Cents)>,
}

/// A version of the table, as it is sent to everyone who watches it.
#[derive(Serialize)]
struct View<'a> {
    r#type: &'static str,
    version: u64,
    at: Time,
    /// How long whoever is asked has time.
    deadline_ms: Option<u64>,
    /// How much longer, in one round, for who has lost the connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    grace_ms: Option<u64>,
    /// The floor was called; who comes, once somebody does.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<calls::Called>,
    /// Who deals, at a table that a person deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    dealt_by: Option<dealer::DealerSeen<'a>>,
    /// Who gave the hash of a nonce reveals it now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reveal: bool,
    #[serde(flatten)]
    state: view::State<'a>,
    events: Vec<Told>,
}

impl Actor {
    pub(super) fn publish(&mut self, Shown { events, balances }: Shown) {
        self.version += 1;
        let lately = self.remember(&events);
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let left = left.filter(|left| *left < NO_CLOCK / 2).map(|left| left.as_millis() as u64);
        let shown = View {
            r#type: "view",
            version: self.version,
            at: Time(self.app.ledger.now()),
            deadline_ms: left,
            grace_ms: left.map(|_| self.app.file.timings.grace_ms).filter(|grace| *grace > 0),
            call: self.called(),
            dealt_by: self.dealer_seen(),
            reveal: self.revealing.is_some(),
            state: view::state(&self.live, None),
            events,
        };
        let view = text_of(&shown).into();
        let card = self.lobby_card();
        self.publish.send_replace(Published {
            version: self.version,
            round: self.live.round_no(),
            view,
            balances: Arc::new(balances),
            card,
            taken: self.live.taken(),
            last_shoe: self.live.last_shoe(),
            attended: self.live.fixed.dealing == Dealing::Automatic || self.presence.dealers > 0,
            returns: self.live.returns.clone(),
            private: Arc::new(view::private(&self.live)),
            lately,
        });
    }

    /// A floorperson who is called, or the dealer of the next shift, comes in mid-round and must know what happened. At the
    /// tables of the platform nobody does.
    fn remember(&mut self, events: &[Told]) -> Arc<str> {
        if self.live.fixed.dealing == Dealing::Automatic || events.is_empty() {
            return Arc::clone(&self.publish.borrow().lately);
        }
        self.lately.extend(events.iter().cloned());
        let over = self.lately.len().saturating_sub(LATELY);
        self.lately.drain(..over);
        text_of(&self.lately).into()
    }

    /// The table's entry in the lobby, made anew only when the table was opened anew. The clauses of what a dealer may
    /// report follow the round.
    fn lobby_card(&mut self) -> Arc<Value> {
        let dealer_table = self.live.fixed.dealing == Dealing::Dealer;
        let moved_on = dealer_table && self.publish.borrow().taken != self.live.taken();
        match std::mem::take(&mut self.stale_card) || moved_on {
            false => Arc::clone(&self.publish.borrow().card),
            true => Arc::new(view::card(&self.live, &self.name)),
        }
    }
}
