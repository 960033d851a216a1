//! A store in memory for objects that people open: training tables, rehearsals and simulations.
//!
//! When an address stores more than its share, one of its own objects is evicted. When the store is full, an
//! object of the address with the most objects is evicted.

use crate::share::{Client, Clients, Full, Share, Shares};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

pub struct EvictingStore<K, T> {
    places: Shares,
    things: Mutex<HashMap<K, Entry<T>>>,
}

struct Entry<T> {
    thing: T,
    address: Option<Client>,
    used: Instant,
    _place: Share,
}

impl<K: Copy + Eq + Hash, T: Clone> EvictingStore<K, T> {
    pub fn new(most: usize) -> EvictingStore<K, T> {
        EvictingStore { places: Shares::of(most), things: Mutex::default() }
    }

    fn things(&self) -> MutexGuard<'_, HashMap<K, Entry<T>>> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, key: K) -> Option<T> {
        let mut things = self.things();
        let entry = things.get_mut(&key)?;
        entry.used = Instant::now();
        Some(entry.thing.clone())
    }

    /// Stores a value under this key, in place of the key's earlier value.
    ///
    /// If there is no room, evicts the least recently used value for which `may_go` returns true: a value of the
    /// same address if that address has used up its share, otherwise a value of the address with the most values.
    /// Returns an error if no value can be evicted.
    pub fn put(&self, key: K, clients: Clients, thing: T, may_go: impl Fn(&T) -> bool) -> Result<(), Full> {
        let mut things = self.things();
        if let Some(entry) = things.get_mut(&key) {
            (entry.thing, entry.used) = (thing, Instant::now());
            return Ok(());
        }
        let address = clients.address();
        loop {
            let full = match self.places.take(clients, 1) {
                Ok(place) => {
                    things.insert(key, Entry { thing, address, used: Instant::now(), _place: place });
                    return Ok(());
                }
                Err(full) => full,
            };
            let of = if full == Full::Own { address } else { largest(&things) };
            let leaving = things.iter().filter(|(_, entry)| entry.address == of && may_go(&entry.thing));
            let leaving = leaving.min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key);
            match leaving {
                Some(key) => things.remove(&key),
                None => return Err(full),
            };
        }
    }

    /// Returns whether the predicate `is` returns true for at least one stored value.
    pub fn any(&self, is: impl Fn(&T) -> bool) -> bool {
        self.things().values().any(|entry| is(&entry.thing))
    }
}

/// Returns the address with the most values.
///
/// Values without an address count as those of one address; returns `None` if they are the most.
fn largest<K, T>(things: &HashMap<K, Entry<T>>) -> Option<Client> {
    let mut counts: HashMap<Option<Client>, usize> = HashMap::new();
    things.values().for_each(|entry| *counts.entry(entry.address).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).and_then(|(address, _)| address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::login_throttle::Network;
    use std::net::IpAddr;

    fn from(address: u8) -> Clients {
        Clients::new(Network::of(IpAddr::from([10, 0, 0, address])), None)
    }

    #[test]
    fn whoever_opens_many_loses_their_own() {
        let store = EvictingStore::new(64);
        store.put(1000, from(1), "ann's", |_| true).expect("room");
        for n in 0..500 {
            store.put(n, from(2), "a guest's", |_| true).expect("room");
        }
        assert_eq!(store.get(1000), Some("ann's"));
        assert_eq!((0..500).filter(|n| store.get(*n).is_some()).count(), 4);
        assert!(store.get(499).is_some(), "the latest entry remains");
        assert_eq!(store.put(500, from(2), "one more", |_| false), Err(Full::Own), "no entry may be removed");
        store.put(1000, from(2), "ann's, from elsewhere", |_| true).expect("her entry can be replaced");
        assert_eq!(store.get(1000), Some("ann's, from elsewhere"));
    }

    #[test]
    fn of_a_full_room_one_of_the_address_with_most_goes() {
        let store = EvictingStore::new(32);
        for n in 0..32 {
            store.put(n, from(u8::try_from(n / 2).expect("small")), n, |_| true).expect("room");
        }
        store.put(100, from(100), 100, |_| true).expect("room");
        assert!(store.get(100).is_some());
        assert_eq!((0..32).filter(|n| store.get(*n).is_some()).count(), 31);
    }
}
