//! The dealer of a table: the first dealer who works at it, until another takes over.
//!
//! No other dealer may deal at the table, and everyone sees the dealer's name. A setting in the database stores
//! the dealer, who thus stays the same after a restart or a move of the table to another node.

use super::{Acted, Actor, Ask, ViewExtras};
use crate::app::significant;
use crate::error::{ApiError, ApiResult};
use crate::house_file::Dealing;
use crate::role::Role;
use crate::tables::request::Request;
use crate::wire::Time;
use ledger::people::RowChange;
use ledger::{Moment, PersonId};
use rules::message;
use serde::{Deserialize, Serialize};

/// The dealer of a table, and the time at which that person started to deal there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealtBy {
    pub person: i64,
    pub name: String,
    pub at_ms: i64,
}

/// A table's human dealer, and whether that person has the table open.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = DealtBy)]
pub struct DealerSeen<'a> {
    /// The house's number of the dealer.
    person: i64,
    /// The dealer's name.
    name: &'a str,
    /// The time at which the dealer started to deal at this table.
    since: Time,
    /// Whether the dealer has the table open.
    here: bool,
}

/// The details of the significant event in which another dealer takes over a round in progress.
#[derive(Serialize)]
struct DealerChanged<'a> {
    table: u32,
    round: i64,
    before: Option<&'a str>,
}

impl DealtBy {
    /// Returns the person who sent the request `ask` as a dealer who starts now.
    fn from_now(ask: &Ask) -> DealtBy {
        DealtBy { person: ask.who.id.0, name: ask.who.name.clone(), at_ms: Moment::now().0 }
    }

    /// Returns the setting that stores this person as the dealer of `table`.
    pub fn to_setting(&self, table: u32) -> RowChange {
        RowChange::Setting { name: setting(table), value: serde_json::to_vec(self).unwrap_or_default() }
    }
}

/// Returns the error for a dealer at a table where the dealer `name` is already dealing.
pub fn not_dealing(name: &str) -> ApiError {
    ApiError::refused(message!(
        "not-dealing",
        "{name} is dealing at this table; relieve that dealer first",
        name
    ))
}

fn setting(table: u32) -> String {
    format!("dealer/{table}")
}

impl Actor {
    /// Returns the table's new dealer if the request `ask` makes its sender the dealer, and otherwise `None`.
    ///
    /// The first dealer who works at a table becomes its dealer, and so does a dealer who relieves the dealer
    /// `now`. Returns an error for any other request of a dealer who does not deal at this table.
    pub(super) fn new_dealer(&self, now: Option<&DealtBy>, ask: &Ask) -> ApiResult<Option<DealtBy>> {
        if self.live.fixed.dealing != Dealing::Dealer || ask.who.role != Role::Dealer {
            return Ok(None);
        }
        ask.request.permitted(ask.who.role, self.live.fixed.dealing)?;
        match now {
            Some(dealer) if dealer.person == ask.who.id.0 => Ok(None),
            Some(dealer) if !matches!(ask.request, Request::Relieve) => Err(not_dealing(&dealer.name)),
            _ => Ok(Some(DealtBy::from_now(ask))),
        }
    }

    /// Makes the sender of `ask` the dealer of a round in progress, and records the change as a significant event.
    ///
    /// No card is burned: under 2.6(c) a new dealer burns one between rounds, where the request `relieve` makes
    /// the change.
    pub(super) async fn take_over_round(&mut self, ask: &Ask) -> ApiResult<Acted> {
        ask.request.permitted(ask.who.role, self.live.fixed.dealing)?;
        if self.dealer.as_ref().is_some_and(|dealer| dealer.person == ask.who.id.0) {
            return Err(ApiError::refused(message!("dealing", "you already deal at this table")));
        }
        if self.live.table.round().step == 0 {
            return Err(ApiError::refused(message!(
                "no-round-to-take-over",
                "no round is in progress; relieve the dealer instead"
            )));
        }
        let (table, dealer) = (self.live.fixed.id.0, DealtBy::from_now(ask));
        let before = self.dealer.as_ref().map(|dealer| dealer.name.as_str());
        let details = DealerChanged { table, round: self.live.round_no().0, before };
        let mut draft = significant(ask.who.id, "dealer-changed", details)?;
        (draft.command, draft.body) = (ask.id.clone(), ask.digest(table));
        draft.row_changes.push(dealer.to_setting(table));
        let receipt = self.app.commit(draft).await?;
        if !receipt.repeated {
            self.dealer = Some(dealer);
            self.publish(ViewExtras::default());
        }
        ask.outcome(&receipt, self.version)
    }

    /// Reads the table's dealer from the database, after a restart or a move from another node.
    pub(super) async fn recall_dealer(&mut self) -> ApiResult<()> {
        let table = self.live.fixed.id.0;
        let kept = self.app.read(move |db| ledger::people::setting(db, &setting(table))).await?;
        self.dealer = kept.and_then(|value| serde_json::from_slice(&value).ok());
        Ok(())
    }

    pub(super) fn dealer_seen(&self) -> Option<DealerSeen<'_>> {
        let DealtBy { person, name, at_ms } = self.dealer.as_ref()?;
        let here = self.presence.sees(PersonId(*person));
        Some(DealerSeen { person: *person, name, since: Time(Moment(*at_ms)), here })
    }
}
