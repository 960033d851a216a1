//! Limits how much a person, or an address without a session, may write per gaming day.
//!
//! The journal thus grows with the number of people, and one person cannot make it grow without limit. Every route
//! declares what it writes (`registry.rs`).

use crate::error::{ApiError, ApiResult};
use crate::share::{Client, Clients};
use axum::http::StatusCode;
use ledger::GamingDay;
use rules::message;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The kind of write that a route makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Writes {
    /// No writes that outlive the process.
    Nothing,
    /// New guests, accounts and sessions, counted per address.
    Entry,
    /// The end of the caller's own session, which has no limit.
    ///
    /// A session ends only once, so the limits on sign-ins suffice. With a limit, somebody else at the same
    /// address could keep a person signed in.
    SignOut,
    /// Sign-ins, counted per person, from all addresses together.
    Session,
    /// Updates of the time at which a session was last used.
    Presence,
    /// A person's changes to their own account.
    Account,
    /// Limits and exclusions that a person sets for themselves.
    ///
    /// These writes have a limit of their own, so that no other writes use it up.
    Protection,
    /// Actions at tables, counted once for the person and once for the address.
    Table,
    /// Practice results of members, stored outside the journal.
    Practice,
    /// Writes that only staff make, which have no limit.
    Staff,
}

impl Writes {
    pub fn word(self) -> &'static str {
        match self {
            Writes::Nothing => "nothing",
            Writes::Entry => "entry",
            Writes::SignOut => "sign-out",
            Writes::Session => "session",
            Writes::Presence => "presence",
            Writes::Account => "account",
            Writes::Protection => "protection",
            Writes::Table => "table",
            Writes::Practice => "practice",
            Writes::Staff => "staff",
        }
    }
}

/// The limits on writes per gaming day, by kind of write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DailyLimits {
    pub entry: u32,
    pub session: u32,
    pub presence: u32,
    pub account: u32,
    pub protection: u32,
    pub table: u32,
    /// The limit on the table actions of all people at one address together.
    pub table_of_address: u32,
    pub practice: u32,
}

impl Default for DailyLimits {
    fn default() -> DailyLimits {
        DailyLimits {
            entry: 5_000,
            session: 200,
            presence: 5_000,
            account: 200,
            protection: 50,
            table: 50_000,
            table_of_address: 1_000_000,
            practice: 5_000,
        }
    }
}

impl DailyLimits {
    /// Returns each limit with its name, such as `entry`.
    pub fn all(&self) -> [(&'static str, u32); 8] {
        [
            ("entry", self.entry),
            ("session", self.session),
            ("presence", self.presence),
            ("account", self.account),
            ("protection", self.protection),
            ("table", self.table),
            ("table_of_address", self.table_of_address),
            ("practice", self.practice),
        ]
    }

    fn of(&self, writes: Writes) -> Option<u32> {
        self.all().into_iter().find(|(word, _)| *word == writes.word()).map(|(_, most)| most)
    }
}

/// Today's number of writes, keyed by client and kind of write.
///
/// The counts are in memory only, so a restart resets them.
#[derive(Default)]
pub struct Daily(Mutex<(GamingDay, Counts)>);

type Counts = HashMap<(Client, Writes), u32>;

impl Daily {
    /// Counts one write of today, or returns an error if the write would exceed a limit of the client.
    ///
    /// `most` converts a limit of the whole house to the limit that this node enforces.
    pub fn count(
        &self,
        (clients, writes): (Clients, Writes),
        today: GamingDay,
        most: impl Fn(u32) -> u32,
        limits: &DailyLimits,
    ) -> ApiResult<()> {
        let client = if writes == Writes::Entry { clients.address() } else { clients.first() };
        let (Some(client), Some(limit)) = (client, limits.of(writes)) else { return Ok(()) };
        // Guest accounts are free: without a limit per address, a client with many guests would have the limit of
        // each guest.
        let address = clients.address().filter(|_| writes == Writes::Table);
        let charged = [Some((client, limit)), address.map(|address| (address, limits.table_of_address))];
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.0 != today {
            *counted = (today, HashMap::new());
        }
        for (client, limit) in charged.into_iter().flatten() {
            if counted.1.get(&(client, writes)).is_some_and(|count| *count >= most(limit)) {
                let message = message!(
                    "daily",
                    "daily limit reached: {limit} {kind} writes per gaming day; try again tomorrow",
                    limit,
                    kind = writes.word()
                );
                return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, message));
            }
        }
        for (client, _) in charged.into_iter().flatten() {
            *counted.1.entry((client, writes)).or_default() += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::login_throttle::Network;
    use ledger::PersonId;
    use std::net::IpAddr;

    #[test]
    fn everybody_has_a_number_of_each_kind_every_day() {
        let limits = DailyLimits { account: 2, entry: 3, ..DailyLimits::default() };
        let daily = Daily::default();
        let from = |person| Clients::new(Network::of(IpAddr::from([10, 0, 0, 1])), person);
        let let_in = |clients, writes, day| {
            (0..9).filter(|_| daily.count((clients, writes), GamingDay(day), |n| n, &limits).is_ok()).count()
        };
        let (ann, bob) = (from(Some(PersonId(1))), from(Some(PersonId(2))));
        assert_eq!(let_in(ann, Writes::Account, 1), 2);
        assert_eq!(let_in(bob, Writes::Account, 1), 2, "another person");
        assert_eq!(let_in(ann, Writes::Table, 1), 9, "another kind");
        assert_eq!(
            (let_in(ann, Writes::Entry, 1), let_in(from(None), Writes::Entry, 1)),
            (3, 0),
            "one address"
        );
        assert_eq!(let_in(ann, Writes::Account, 2), 2, "another day");
        assert_eq!((let_in(ann, Writes::Nothing, 2), let_in(ann, Writes::Staff, 2)), (9, 9));
        assert_eq!(let_in(ann, Writes::SignOut, 1), 9, "signing out is never refused");
    }

    #[test]
    fn everybody_at_one_address_has_a_number_of_actions_together() {
        let limits = DailyLimits { table: 3, table_of_address: 7, practice: 2, ..DailyLimits::default() };
        let daily = Daily::default();
        let let_in = |last: u8, person: i64, writes| {
            let clients = Clients::new(Network::of(IpAddr::from([10, 0, 0, last])), Some(PersonId(person)));
            (0..9).filter(|_| daily.count((clients, writes), GamingDay(1), |n| n, &limits).is_ok()).count()
        };
        assert_eq!([1, 2, 3, 4].map(|person| let_in(1, person, Writes::Table)), [3, 3, 1, 0]);
        assert_eq!(let_in(2, 4, Writes::Table), 3, "refused actions do not count");
        assert_eq!(let_in(1, 4, Writes::Practice), 2, "another kind");
    }
}
