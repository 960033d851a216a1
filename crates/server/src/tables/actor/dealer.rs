//! Who deals: the first dealer who worked at the table, until another takes over. No other dealer may deal there. Everyone
//! sees the name; it is a row beside the journal, so that it outlives a restart and the table's change of node.

use super::{Acted, Actor, Ask, Shown};
use crate::app::significant;
use crate::error::{ApiError, ApiResult};
use crate::house_file::Dealing;
use crate::role::Role;
use crate::tables::request::Request;
use crate::wire::Time;
use ledger::people::Keep;
use ledger::{Moment, PersonId};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The dealer, and since when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealtBy {
    pub person: i64,
    pub name: String,
    pub at_ms: i64,
}

/// What everyone may know of the dealer.
#[derive(Serialize)]
pub struct DealerSeen<'a> {
    person: i64,
    name: &'a str,
    since: Time,
    /// Has the table in view.
    here: bool,
}

impl DealtBy {
    /// Whoever asks, from now on.
    fn from_now(ask: &Ask) -> DealtBy {
        DealtBy { person: ask.who.id.0, name: ask.who.name.clone(), at_ms: Moment::now().0 }
    }

    /// Returns the row that stores the dealer.
    pub fn kept(&self, table: u32) -> Keep {
        Keep::Setting { name: setting(table), value: serde_json::to_vec(self).unwrap_or_default() }
    }
}

/// Returns the error that another dealer deals at this table.
pub fn not_dealing(name: &str) -> ApiError {
    ApiError::refused("not-dealing", format!("{name} deals at this table: take over before you deal"))
}

fn setting(table: u32) -> String {
    format!("dealer/{table}")
}

impl Actor {
    /// Refuses a dealer's request where another dealer deals, and returns the new dealer if this request makes one: the
    /// first who works at the table, or whoever relieves the dealer.
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

    /// Hands a round in progress to another dealer. That is a significant event and burns no card: 2.6(c) has a new
    /// dealer burn one between rounds, where `relieve` is the way to take over.
    pub(super) async fn take_over_round(&mut self, ask: &Ask) -> ApiResult<Acted> {
        ask.request.permitted(ask.who.role, self.live.fixed.dealing)?;
        if self.dealer.as_ref().is_some_and(|dealer| dealer.person == ask.who.id.0) {
            return Err(ApiError::refused("dealing", "you already deal at this table"));
        }
        if self.live.table.round().step == 0 {
            return Err(ApiError::refused("not-now", "no round is in progress: relieve the dealer instead"));
        }
        let (table, dealer) = (self.live.fixed.id.0, DealtBy::from_now(ask));
        let before = self.dealer.as_ref().map(|dealer| &dealer.name);
        let details = json!({ "table": table, "round": self.live.round_no().0, "before": before });
        let mut draft = significant(ask.who.id, "dealer-changed", details)?;
        (draft.command, draft.body) = (ask.id.clone(), self.digest(ask));
        draft.keep.push(dealer.kept(table));
        let receipt = self.app.commit(draft).await?;
        if !receipt.repeated {
            self.dealer = Some(dealer);
            self.publish(Shown::default());
        }
        Ok(Acted { seq: receipt.seq.0, version: self.version, repeated: receipt.repeated, balance: None })
    }

    /// Reads back who dealt when the house was closed, or at the node that had the table.
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
