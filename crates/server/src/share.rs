//! Lends shares of limited resources, so that no client takes a whole resource.
//!
//! No address or person may hold more than a sixteenth of a pool. Only a client that holds its maximum is refused,
//! as long as the pool has units left.

use crate::error::ApiError;
use crate::login_throttle::Network;
use axum::http::StatusCode;
use ledger::PersonId;
use rules::message;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The part of a pool that one address or person may hold, as a divisor: a sixteenth.
pub const PARTS: usize = 16;

/// A person or an address to which a share of a pool is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    Person(PersonId),
    Address(IpAddr),
}

/// The clients to which a request is charged: the network it came from, and the person if one is signed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clients {
    from: Option<Network>,
    person: Option<PersonId>,
}

tokio::task_local! {
    static ASKING: Clients;
}

impl Clients {
    /// Runs `work`, and charges these clients for the resources that it takes from pools.
    pub async fn charged<T>(self, work: impl Future<Output = T>) -> T {
        ASKING.scope(self, work).await
    }

    /// Returns the clients to which the current task is charged; none if the house works for itself.
    pub fn asking() -> Clients {
        ASKING.try_with(|clients| *clients).unwrap_or_default()
    }

    pub fn new(from: Network, person: Option<PersonId>) -> Clients {
        Clients { from: Some(from), person }
    }

    /// Returns a set of clients with only this person, so that nothing is charged to an address.
    pub fn person(person: PersonId) -> Clients {
        Clients { from: None, person: Some(person) }
    }

    /// Returns an empty set of clients, so that nothing is charged.
    ///
    /// It is used for the house's own work, and for trusted proxies, which carry the connections of many clients.
    pub fn none() -> Clients {
        Clients::default()
    }

    /// Returns the client whose rate limit applies: the person if there is one, and otherwise the address.
    ///
    /// Returns `None` if the set is empty.
    pub fn first(self) -> Option<Client> {
        self.person.map(Client::Person).or_else(|| self.address())
    }

    pub fn address(self) -> Option<Client> {
        self.from.map(|from| Client::Address(from.address()))
    }

    /// Returns these clients without the person, so that only the address is charged.
    pub fn at_address(self) -> Clients {
        Clients { person: None, ..self }
    }

    fn all(self) -> impl Iterator<Item = Client> {
        self.address().into_iter().chain(self.person.map(Client::Person))
    }
}

/// The reason why a pool lends no more units to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The address or the person would hold more than its maximum.
    Own,
    /// The pool has too few units left.
    All,
}

impl From<Full> for ApiError {
    fn from(full: Full) -> ApiError {
        match full {
            Full::Own => ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                message!(
                    "too-much-at-once",
                    "too much work at once from you or your address; try again in a moment"
                ),
            ),
            Full::All => ApiError::busy(message!("busy", "server busy; try again in a moment")),
        }
    }
}

/// A pool of units that is lent to clients in shares.
#[derive(Clone)]
pub struct Shares(Arc<Pool>);

struct Pool {
    all: usize,
    each: usize,
    held: Mutex<PoolState>,
}

#[derive(Default)]
struct PoolState {
    all: usize,
    by: HashMap<Client, usize>,
}

impl Pool {
    fn held(&self) -> MutexGuard<'_, PoolState> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shares {
    /// Creates a pool of `all` units, of which one address or person may hold at most `each`.
    pub fn new(all: usize, each: usize) -> Shares {
        Shares(Arc::new(Pool { all, each, held: Mutex::default() }))
    }

    /// Creates a pool of `all` units, of which one address or person may hold at most a sixteenth.
    pub fn of(all: usize) -> Shares {
        Shares::new(all, all.div_ceil(PARTS))
    }

    /// Lends `units` units of the pool to `clients`, until the returned share is dropped.
    ///
    /// Returns an error in the same cases as [`Share::grow`].
    pub fn take(&self, clients: Clients, units: usize) -> Result<Share, Full> {
        let mut share = Share { pool: Arc::clone(&self.0), clients, units: 0 };
        share.grow(units).map(|()| share)
    }

    /// Returns whether nothing is lent from the pool.
    #[cfg(test)]
    fn is_whole(&self) -> bool {
        let held = self.0.held();
        held.all == 0 && held.by.is_empty()
    }
}

/// Units lent from a pool, which return to the pool on drop.
pub struct Share {
    pool: Arc<Pool>,
    clients: Clients,
    units: usize,
}

impl Share {
    /// Adds `units` more units of the pool to the share.
    ///
    /// Returns an error if a client that holds units already would exceed its maximum, or if the pool has too few
    /// units left. A client that holds nothing may exceed its maximum, so that one long response at a time can be
    /// sent.
    pub fn grow(&mut self, units: usize) -> Result<(), Full> {
        let mut held = self.pool.held();
        let full = |client| held.by.get(&client).is_some_and(|own| own + units > self.pool.each);
        if self.clients.all().any(full) {
            return Err(Full::Own);
        }
        if held.all + units > self.pool.all {
            return Err(Full::All);
        }
        if units > 0 {
            held.all += units;
            self.clients.all().for_each(|client| *held.by.entry(client).or_default() += units);
            self.units += units;
        }
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.units == 0 {
            return;
        }
        let mut held = self.pool.held();
        held.all -= self.units;
        for client in self.clients.all() {
            if let Some(own) = held.by.get_mut(&client) {
                *own -= self.units;
                if *own == 0 {
                    held.by.remove(&client);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clients(address: u8, person: Option<i64>) -> Clients {
        Clients::new(Network::of(IpAddr::from([10, 0, 0, address])), person.map(PersonId))
    }

    #[test]
    fn neither_an_address_nor_a_person_takes_more_than_a_sixteenth() {
        let pool = Shares::of(160);
        let of_address: Vec<_> = (0..50).filter_map(|n| pool.take(clients(1, Some(n)), 1).ok()).collect();
        assert_eq!(of_address.len(), 10, "an address has a sixteenth, however many people use it");
        let of_person: Vec<_> = (10..60).filter_map(|n| pool.take(clients(n, Some(99)), 1).ok()).collect();
        assert_eq!(of_person.len(), 10, "a person has a sixteenth, from however many addresses");
        assert_eq!(pool.take(clients(1, None), 1).err(), Some(Full::Own));
        assert!(pool.take(clients(2, Some(7)), 1).is_ok(), "another person at another address has room");
        assert!(pool.take(Clients::none(), 140).is_ok(), "only the whole pool limits work charged to nobody");
        assert_eq!(pool.take(Clients::none(), 141).err(), Some(Full::All));
        drop((of_address, of_person));
        assert!(pool.is_whole());
    }

    #[test]
    fn a_share_grows_up_to_a_sixteenth_and_comes_back_whole() {
        let pool = Shares::of(1600);
        let mut share = pool.take(clients(1, Some(1)), 0).expect("nothing");
        assert!((0..10).all(|_| share.grow(10).is_ok()));
        assert_eq!(share.grow(1), Err(Full::Own));
        let large = pool.take(clients(2, None), 1_000).expect("a single large piece is accepted");
        assert_eq!(
            pool.take(clients(2, None), 1).err(),
            Some(Full::Own),
            "nothing is accepted beside a large piece"
        );
        assert_eq!(pool.take(clients(3, None), 600).err(), Some(Full::All));
        drop((share, large));
        assert!(pool.is_whole());
    }
}
