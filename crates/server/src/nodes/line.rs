//! Messages between nodes about a table: lines of JSON, both ways, on one HTTP/2 stream per followed table.
//!
//! A lost request is sent again under the same id to whichever node owns the table by then, so no message needs to
//! be durable.

use crate::error::{ApiError, ErrorDetail};
use crate::role::Role;
use crate::session::SignedIn;
use crate::tables::{Acted, Ask, BetTotalsByName, MeantFor, Published, Request};
use axum::http::StatusCode;
use ledger::{Cents, Chips, CommandId, Digest, PersonId, RoundNo};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum length of a message between nodes, in bytes.
///
/// The view of a full table takes a few kilobytes.
pub const LONGEST: usize = 1 << 20;

/// A message from a node that follows a table to the node that owns the table.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FollowerMessage {
    Ask(Box<PeerRequest>),
    /// A person opened `views` views of the table on the follower, or closed them if `views` is negative.
    Here {
        person: PersonId,
        role: Role,
        views: i64,
    },
}

/// A message from the node that owns a table to a node that follows the table.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnerMessage {
    Shown(Box<PeerView>),
    Done { n: u64, seq: i64, version: u64, repeated: bool, balance: Option<i64> },
    Refused { n: u64, status: u16, error: Box<ErrorDetail>, recorded: bool },
}

/// A person's request to a table, forwarded by the node that authenticated the person.
#[derive(Serialize, Deserialize)]
pub struct PeerRequest {
    pub n: u64,
    person: PersonId,
    name: String,
    role: Role,
    guest: bool,
    chips: String,
    session: Digest,
    id: String,
    meant_for: MeantFor,
    request: Request,
}

fn chips_of(text: &str) -> Option<Chips> {
    [Chips::Cash, Chips::Play].into_iter().find(|chips| chips.to_string() == text)
}

impl PeerRequest {
    pub fn new(n: u64, Ask { who, id, meant_for, request }: &Ask) -> PeerRequest {
        PeerRequest {
            n,
            person: who.id,
            name: who.name.clone(),
            role: who.role,
            guest: who.guest,
            chips: who.chips.to_string(),
            session: who.session,
            id: id.as_str().to_owned(),
            meant_for: *meant_for,
            request: request.clone(),
        }
    }

    pub fn ask(self) -> Option<Ask> {
        let who = SignedIn {
            id: self.person,
            name: self.name,
            role: self.role,
            guest: self.guest,
            chips: chips_of(&self.chips)?,
            // The node that authenticated them has already checked this.
            must_change: false,
            must_set_factor: false,
            session: self.session,
        };
        let id = CommandId::new(&self.id)?;
        Some(Ask { who: Arc::new(who), id, meant_for: self.meant_for, request: self.request })
    }
}

impl OwnerMessage {
    pub fn of(n: u64, outcome: Result<Acted, ApiError>) -> OwnerMessage {
        match outcome {
            Ok(Acted { seq, version, repeated, balance }) => {
                OwnerMessage::Done { n, seq, version, repeated, balance: balance.map(|cents| cents.0) }
            }
            Err(ApiError { status, detail, recorded }) => {
                OwnerMessage::Refused { n, status: status.as_u16(), error: detail, recorded }
            }
        }
    }

    /// Returns the number of the request that this message answers and the request's outcome, or `None` if it is a
    /// view.
    pub fn outcome(self) -> Option<(u64, Result<Acted, ApiError>)> {
        match self {
            OwnerMessage::Done { n, seq, version, repeated, balance } => {
                Some((n, Ok(Acted { seq, version, repeated, balance: balance.map(Cents) })))
            }
            OwnerMessage::Refused { n, status, error, recorded } => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
                Some((n, Err(ApiError { status, detail: error, recorded })))
            }
            OwnerMessage::Shown(_) => None,
        }
    }
}

/// The public view of a table, as sent to another node.
#[derive(Serialize, Deserialize)]
pub struct PeerView {
    version: u64,
    round: RoundNo,
    view: String,
    balances: Vec<(PersonId, String, i64)>,
    card: Value,
    taken: usize,
    last_shoe: i64,
    attended: bool,
    /// The table's totals of bets and payouts, in the format of the journal, or `None` before the table counts
    /// them.
    returns: Option<String>,
    /// The people whom the view names, in the order of their numbers at the table.
    ///
    /// Empty in a view from an older version of the program, which names people by their house numbers.
    #[serde(default)]
    people: Vec<PersonId>,
    private: BTreeMap<i64, Value>,
    recent_events: String,
}

impl PeerView {
    pub fn of(published: &Published) -> PeerView {
        let balance =
            |(person, (chips, cents)): (&PersonId, &(Chips, Cents))| (*person, chips.to_string(), cents.0);
        PeerView {
            version: published.version,
            round: published.round,
            view: published.view.to_string(),
            balances: published.balances.iter().map(balance).collect(),
            card: (*published.card).clone(),
            taken: published.taken,
            last_shoe: published.last_shoe,
            attended: published.attended,
            returns: published.returns.as_ref().map(|returns| returns.text()),
            people: (*published.people).clone(),
            private: published.private.iter().map(|(person, boxes)| (person.0, boxes.clone())).collect(),
            recent_events: published.recent_events.to_string(),
        }
    }

    pub fn published(self) -> Published {
        let balance = |(person, chips, cents): (PersonId, String, i64)| {
            Some((person, (chips_of(&chips)?, Cents(cents))))
        };
        Published {
            version: self.version,
            round: self.round,
            view: self.view.into(),
            balances: Arc::new(self.balances.into_iter().filter_map(balance).collect()),
            card: Arc::new(self.card),
            taken: self.taken,
            last_shoe: self.last_shoe,
            attended: self.attended,
            returns: self.returns.and_then(|text| BetTotalsByName::read(&text)).map(Arc::new),
            people: Arc::new(self.people),
            private: Arc::new(self.private.into_iter().map(|(n, boxes)| (PersonId(n), boxes)).collect()),
            recent_events: self.recent_events.into(),
        }
    }
}
