//! The moment before the first card of a shoe in which players reveal what they add to the order of its cards.

use super::{Actor, By, Shown, Signing, Step};
use crate::fair::Opening;
use std::time::Duration;
use tokio::time::Instant;

/// So long everyone who gave the hash of a nonce has to reveal it; then it counts as withheld.
const REVEAL: Duration = Duration::from_millis(1500);

impl Actor {
    /// Closes the list of shares before anybody is asked for a nonce, so that it is durable and seen; returns false
    /// if the table has to wait for its store. A list without shares is closed together with the bets.
    pub(super) async fn closes_shares(&mut self) -> bool {
        if !self.live.takes_shares() || self.live.shares.is_empty() || !self.live.anyone_wagers() {
            return true;
        }
        let (mut next, mut step) = (self.live.clone(), Step::default());
        if let Err(stuck) = next.close_shares(By::House, &Signing::Now(&self.app.vault), &mut step) {
            self.park(&stuck.to_string());
            return false;
        }
        self.store(next, step).await
    }

    /// Signs an opening. One that cannot be signed is published all the same, and does not verify.
    pub(super) fn signed(&self, opening: &Opening) -> Opening {
        let (mut opening, vault) = (opening.clone(), &self.app.vault);
        let signature = vault.sign_text(&opening.signed_text());
        if let Err(error) = &signature {
            tracing::error!(%error, shoe = opening.committed.shoe, "the opening of a shoe is not signed");
        }
        if let (Some(signatures), Ok(signature)) = (&mut opening.signatures, signature) {
            signatures.house = vault.house().unwrap_or_default();
            signatures.opening = signature;
        }
        opening
    }

    /// Waits a moment before the first card of a shoe, in which those who gave a hash may reveal their nonces.
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

    /// Updates the wait for nonces by the table's state; `counting` while somebody is given time for an answer.
    pub(super) fn see_nonces(&mut self, counting: bool) {
        match self.revealing {
            Some(_) if !counting || !self.live.takes_nonces() => self.revealing = None,
            // Nothing is left to wait for.
            Some(_) if !self.live.lacks_nonces() => self.deadline = Some(Instant::now()),
            _ => {}
        }
    }
}
