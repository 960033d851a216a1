//! In-memory objects that people open: training tables, rehearsals and simulations.
//!
//! When an address opens one too many, one of its own is evicted; nobody loses theirs because of somebody at another
//! address.

use crate::share::{Full, Payer, Payers, Share, Shares};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

pub struct Room<K, T> {
    places: Shares,
    things: Mutex<HashMap<K, Entry<T>>>,
}

struct Entry<T> {
    thing: T,
    address: Option<Payer>,
    used: Instant,
    _place: Share,
}

impl<K: Copy + Eq + Hash, T: Clone> Room<K, T> {
    pub fn new(most: usize) -> Room<K, T> {
        Room { places: Shares::of(most), things: Mutex::default() }
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

    /// Stores a value under this key, or returns an error if there is no room for it.
    ///
    /// It replaces an existing value of the key. If there is no room, evicts the least recently used value that
    /// `may_go`: one of the same address if that address has used its share, otherwise one of the address with the most
    /// values.
    pub fn put(&self, key: K, payers: Payers, thing: T, may_go: impl Fn(&T) -> bool) -> Result<(), Full> {
        let mut things = self.things();
        if let Some(entry) = things.get_mut(&key) {
            (entry.thing, entry.used) = (thing, Instant::now());
            return Ok(());
        }
        let address = payers.address();
        loop {
            let full = match self.places.take(payers, 1) {
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

    /// Returns whether `is` holds for any value.
    pub fn any(&self, is: impl Fn(&T) -> bool) -> bool {
        self.things().values().any(|entry| is(&entry.thing))
    }
}

/// Returns the address with the most values, or `None` if those have no address.
fn largest<K, T>(things: &HashMap<K, Entry<T>>) -> Option<Payer> {
    let mut counts: HashMap<Option<Payer>, usize> = HashMap::new();
    things.values().for_each(|entry| *counts.entry(entry.address).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).and_then(|(address, _)| address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::login_throttle::Network;
    use std::net::IpAddr;

    fn from(address: u8) -> Payers {
        Payers::new(Network::of(IpAddr::from([10, 0, 0, address])), None)
    }

    #[test]
    fn whoever_opens_many_loses_their_own() {
        let room = Room::new(64);
        room.put(1000, from(1), "ann's", |_| true).expect("room");
        for n in 0..500 {
            room.put(n, from(2), "a guest's", |_| true).expect("room");
        }
        assert_eq!(room.get(1000), Some("ann's"));
        assert_eq!((0..500).filter(|n| room.get(*n).is_some()).count(), 4);
        assert!(room.get(499).is_some(), "the latest entry remains");
        assert_eq!(room.put(500, from(2), "one more", |_| false), Err(Full::Own), "no entry may be removed");
        room.put(1000, from(2), "ann's, from elsewhere", |_| true).expect("her entry can be replaced");
        assert_eq!(room.get(1000), Some("ann's, from elsewhere"));
    }

    #[test]
    fn of_a_full_room_one_of_the_address_with_most_goes() {
        let room = Room::new(32);
        for n in 0..32 {
            room.put(n, from(u8::try_from(n / 2).expect("small")), n, |_| true).expect("room");
        }
        room.put(100, from(100), 100, |_| true).expect("room");
        assert!(room.get(100).is_some());
        assert_eq!((0..32).filter(|n| room.get(*n).is_some()).count(), 31);
    }
}
