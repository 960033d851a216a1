//! Login throttle: counts failed sign-ins per name and address, before the password is checked.
//!
//! Parallel attempts are counted like sequential ones, and nobody can lock another's account from elsewhere.
//! Attempts under unknown names count, too. The counts are kept in memory and shared with the other nodes; the
//! database holds the failures that count for an account as a whole.

use ledger::people::folded;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// The number of consecutive failed sign-ins that lock a name for the address that they came from (G 2.5.4).
pub const TRIES: u32 = 3;
pub const LOCKED_FOR: Duration = Duration::from_secs(15 * 60);
/// Maximum number of remembered pairs of name and address.
///
/// Beyond it, a new pair replaces the pair with the oldest attempt.
const MOST: usize = 20_000;

/// The network from which a request comes: an IPv4 address, or the /64 network of an IPv6 address.
///
/// A household or company usually has one /64 network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    pub fn of(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6((u128::from(v6) & (u128::MAX << 64)).into()),
            v4 => v4,
        })
    }

    pub fn address(self) -> IpAddr {
        self.0
    }
}

#[derive(Clone, Copy)]
struct Tried {
    count: u32,
    last: Instant,
}

impl Tried {
    fn is_over(&self, now: Instant) -> bool {
        now.duration_since(self.last) >= LOCKED_FOR
    }
}

type Key = (String, Network);

#[derive(Clone, Default)]
pub struct Attempts(Arc<Mutex<HashMap<Key, Tried>>>);

/// An attempt to sign in, which counts as failed unless it is reported as successful or taken back.
pub struct Attempt {
    attempts: Attempts,
    key: Key,
    count: u32,
}

impl Attempts {
    /// Counts an attempt to sign in as `name`, or returns `None` if the name is locked for the address `from`.
    pub fn begin(&self, name: &str, from: Network) -> Option<Attempt> {
        let (key, now) = ((folded(name), from), Instant::now());
        let mut tried = self.0.lock().ok()?;
        if tried.len() >= MOST && !tried.contains_key(&key) {
            tried.retain(|_, tried| !tried.is_over(now));
            if tried.len() >= MOST
                && let Some(oldest) = tried.iter().min_by_key(|(_, t)| t.last).map(|(key, _)| key.clone())
            {
                tried.remove(&oldest);
            }
        }
        let entry = tried.entry(key.clone()).or_insert(Tried { count: 0, last: now });
        if entry.is_over(now) {
            entry.count = 0;
        }
        if entry.count >= TRIES {
            return None;
        }
        *entry = Tried { count: entry.count + 1, last: now };
        Some(Attempt { attempts: self.clone(), key, count: entry.count })
    }

    /// Forgets the failed attempts of a name at an address, after a successful attempt.
    pub fn forget(&self, name: &str, from: Network) {
        if let Ok(mut tried) = self.0.lock() {
            tried.remove(&(folded(name), from));
        }
    }

    /// Returns how long a name stays locked, or `None` if it is not locked for any address.
    ///
    /// If the name is locked for several addresses, returns the longest of the times.
    pub fn locked_for(&self, name: &str) -> Option<Duration> {
        let (name, now) = (folded(name), Instant::now());
        let tried = self.0.lock().ok()?;
        let locked = tried.iter().filter(|((other, _), tried)| *other == name && tried.count >= TRIES);
        locked.map(|(_, tried)| LOCKED_FOR.saturating_sub(now.duration_since(tried.last))).max()
    }

    /// Unlocks a name for all addresses, and forgets its failed attempts.
    pub fn unlock(&self, name: &str) {
        let name = folded(name);
        if let Ok(mut tried) = self.0.lock() {
            tried.retain(|(other, _), _| *other != name);
        }
    }

    pub fn tidy(&self) {
        let now = Instant::now();
        if let Ok(mut tried) = self.0.lock() {
            tried.retain(|_, tried| !tried.is_over(now));
        }
    }
}

impl Attempt {
    /// Returns whether the name is locked for this address if this attempt fails.
    pub fn is_last(&self) -> bool {
        self.count >= TRIES
    }

    /// Reports that the attempt succeeded, which clears the count of its name and address.
    pub fn succeeded(self) {
        if let Ok(mut tried) = self.attempts.0.lock() {
            tried.remove(&self.key);
        }
    }

    /// Takes back the attempt, which then does not count, because no password was checked.
    pub fn undone(self) {
        if let Ok(mut tried) = self.attempts.0.lock()
            && let Some(entry) = tried.get_mut(&self.key)
        {
            entry.count = entry.count.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::of(text.parse().expect("an address"))
    }

    #[test]
    fn three_tries_at_once_are_all_there_are() {
        let attempts = Attempts::default();
        let (here, there) = (network("127.0.0.1"), network("127.0.0.2"));
        let mut begun: Vec<Attempt> = (0..80).filter_map(|_| attempts.begin("Ann", here)).collect();
        assert_eq!(begun.len(), 3);
        assert!(begun[2].is_last() && !begun[1].is_last());
        assert!(attempts.begin("ann", there).is_some(), "she can sign in from another address");
        assert!(attempts.begin("bob", here).is_some(), "another account can sign in from this address");
        assert!(attempts.locked_for("ANN").is_some() && attempts.locked_for("bob").is_none());
        begun.remove(0).succeeded();
        assert!(attempts.begin("ann", here).is_some());
        for _ in 0..5 {
            attempts.begin("ann", there);
        }
        attempts.unlock("ann");
        assert!(attempts.begin("ann", there).is_some());
    }

    #[test]
    fn a_network_is_one_address() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:10.0.0.1"), network("10.0.0.1"));
    }
}
