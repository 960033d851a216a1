//! The pause before the first card of a shoe, in which players reveal their nonces.

use super::{Actor, By, Signing, Step, ViewExtras};
use crate::fair::Opening;
use std::time::Duration;
use tokio::time::Instant;

/// How long players have to reveal a nonce before it counts as withheld.
const REVEAL: Duration = Duration::from_millis(1500);

impl Actor {
    /// Closes the list of nonce shares and stores the closed list, before players reveal their nonces.
    ///
    /// Returns `false` if the closed list could not be signed or stored. Does nothing if nobody has given a share;
    /// an empty list is closed together with the betting.
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

    /// Returns the shoe opening with the house's signature added.
    ///
    /// If signing fails, returns the opening without the signature; such an opening does not verify.
    pub(super) fn signed(&self, opening: &Opening) -> Opening {
        let (mut opening, vault) = (opening.clone(), &self.app.vault);
        let signature = vault.sign_text(&opening.signed_text());
        if let Err(error) = &signature {
            tracing::error!(%error, shoe = opening.committed.shoe, "cannot sign the opening of a shoe");
        }
        if let (Some(signatures), Ok(signature)) = (&mut opening.signatures, signature) {
            signatures.house = vault.house().unwrap_or_default();
            signatures.opening = signature;
        }
        opening
    }

    /// Returns whether the table must wait for nonces before the first card, and sets the deadline if it must.
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
            self.publish(ViewExtras::default());
        }
        true
    }

    /// Ends the wait for nonces if all nonces are revealed, or if the table no longer accepts nonces.
    ///
    /// `counting` is true if players have a deadline.
    pub(super) fn see_nonces(&mut self, counting: bool) {
        match self.revealing {
            Some(_) if !counting || !self.live.takes_nonces() => self.revealing = None,
            // All nonces are revealed, so the wait ends now.
            Some(_) if !self.live.lacks_nonces() => self.deadline = Some(Instant::now()),
            _ => {}
        }
    }
}
