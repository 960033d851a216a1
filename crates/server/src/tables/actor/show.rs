//! Publishes each version of the table to its viewers.

use super::{Actor, NO_CLOCK, Published, calls, dealer};
use crate::house_file::Dealing;
use crate::tables::event_view::EventView;
use crate::tables::{face_down, view};
use crate::wire::{Time, text_of};
use ledger::{Cents, Chips, PersonId};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::Instant;
use utoipa::ToSchema;

/// The number of recent events that a console receives when it opens a table: about two rounds of a full table.
const RECENT_EVENTS: usize = 120;

/// The part of a view that the table's state does not hold: the events of a step, and the balances that it
/// changed.
#[derive(Default)]
pub(super) struct ViewExtras {
    pub events: Vec<EventView>,
    /// The balances that the step changed, by person.
    pub balances: BTreeMap<PersonId, (Chips, Cents)>,
}

/// A version of a table's view, the same for every viewer.
///
/// A slow client skips versions.
#[derive(Serialize, ToSchema)]
pub struct View<'a> {
    /// The type of the message.
    #[schema(required = false)]
    r#type: ViewType,
    /// The version of the view; it grows with every change.
    version: u64,
    /// The time at which the version was published.
    at: Time,
    /// The time left for the people who must act, in milliseconds; null where there is no time limit.
    #[schema(required)]
    deadline_ms: Option<u64>,
    /// The longest extra time for a player who loses the connection, in milliseconds; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    grace_ms: Option<u64>,
    /// The open floor call, with the floor supervisor on the way; absent if no call is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    call: Option<calls::Called>,
    /// The dealer of the table; absent where the platform deals, and before a dealer works there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    dealt_by: Option<dealer::DealerSeen<'a>>,
    /// Whether players with a share should reveal their nonces now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    reveal: bool,
    #[serde(flatten)]
    state: view::State<'a>,
    /// What happened since the last version, in order.
    events: Vec<EventView>,
}

/// The type of the message: always `view`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ViewType {
    View,
}

impl Actor {
    pub(super) fn publish(&mut self, ViewExtras { events, balances }: ViewExtras) {
        self.version += 1;
        let recent_events = self.remember(&events);
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let left = left.filter(|left| *left < NO_CLOCK / 2).map(|left| left.as_millis() as u64);
        let shown = View {
            r#type: ViewType::View,
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
            people: Arc::new(self.live.seats.people()),
            private: Arc::new(face_down::private_boxes(&self.live)),
            recent_events,
        });
    }

    /// Adds `events` to the recent events of a table with a human dealer, and returns the recent events as a JSON
    /// list.
    ///
    /// A floor supervisor or a new dealer who comes in mid-round must know what happened. An automatic table keeps
    /// no recent events.
    fn remember(&mut self, events: &[EventView]) -> Arc<str> {
        if self.live.fixed.dealing == Dealing::Automatic || events.is_empty() {
            return Arc::clone(&self.publish.borrow().recent_events);
        }
        self.recent_events.extend(events.iter().cloned());
        let over = self.recent_events.len().saturating_sub(RECENT_EVENTS);
        self.recent_events.drain(..over);
        text_of(&self.recent_events).into()
    }

    /// Returns the table's lobby entry, rebuilt if the table was reopened or a snapshot was taken.
    ///
    /// At a dealer's table it is also rebuilt when the number of taken boxes changes, because the clauses of
    /// reportable irregularities depend on the round.
    fn lobby_card(&mut self) -> Arc<Value> {
        let dealer_table = self.live.fixed.dealing == Dealing::Dealer;
        let moved_on = dealer_table && self.publish.borrow().taken != self.live.taken();
        match std::mem::take(&mut self.stale_card) || moved_on {
            false => Arc::clone(&self.publish.borrow().card),
            true => view::card_json(&self.live, &self.name),
        }
    }
}
