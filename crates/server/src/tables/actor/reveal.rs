//! The moment before the first card of a shoe in which players reveal what they add to the order of its cards.

use super::{Actor, Shown};
use std::time::Duration;
use tokio::time::Instant;

/// So long everyone who gave the hash of a nonce has to reveal it; then it counts as withheld.
const REVEAL: Duration = Duration::from_millis(1500);

impl Actor {
    /// Before the first card of a shoe, those who gave a hash have a moment to reveal their nonces.
    pub(super) fn waits_for_nonces(&mut self) -> bool {
        if !self.live.lacks_nonces() || !self.live.anyone_wagers() {
            return false;
        }
        let first = self.revealing.is_none();
        let until = *self.revealing.get_or_insert_with(|| Instant::now() + REVEAL);
        if until <= Instant::now() {
            return false;
        }
        self.deadline = Some(until);
        if first {
            self.publish(Shown::default());
        }
        true
    }

    /// What the table's state means for that moment; `counting` while somebody is given time for an answer.
    pub(super) fn see_nonces(&mut self, counting: bool) {
        match self.revealing {
            Some(_) if !counting || !self.live.takes_shares() => self.revealing = None,
            // Nothing is left to wait for.
            Some(_) if !self.live.lacks_nonces() => self.deadline = Some(Instant::now()),
            _ => {}
        }
    }
}
