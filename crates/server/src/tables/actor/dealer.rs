//! Who deals: the dealer who came to the table last, by taking over or by doing a dealer's work there. Everyone sees the
//! name; it is a row beside the journal, so that it outlives the house's being closed and the table's change of node.

use super::{Actor, Ask};
use crate::error::ApiResult;
use crate::house_file::Dealing;
use crate::role::Role;
use crate::wire::Time;
use ledger::people::Keep;
use ledger::{Moment, PersonId};
use serde::{Deserialize, Serialize};

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
    /// The row with which it is kept.
    pub fn kept(&self, table: u32) -> Keep {
        Keep::Setting { name: setting(table), value: serde_json::to_vec(self).unwrap_or_default() }
    }
}

fn setting(table: u32) -> String {
    format!("dealer/{table}")
}

impl Actor {
    /// Whoever asks this deals from now on, and did not before.
    pub(super) fn new_dealer(&self, ask: &Ask) -> Option<DealtBy> {
        let deals = self.live.fixed.dealing == Dealing::Dealer && ask.who.role == Role::Dealer;
        let known = self.dealer.as_ref().is_some_and(|dealer| dealer.person == ask.who.id.0);
        let now = Moment::now().0;
        (deals && !known).then(|| DealtBy { person: ask.who.id.0, name: ask.who.name.clone(), at_ms: now })
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
