//! What players add to the order of a fresh shoe (see `fair::mix`): while wagers are placed they hand in hashes, when the
//! window closes they reveal the nonces, and before the first card all of them are mixed in. Each is a line of the journal.

use super::keep::{seat_of, seat_text};
use super::live::{By, Live, Step};
use super::request::bettor_of;
use super::seats::Seat;
use super::shoe::sides;
use crate::error::ApiError;
use crate::fair::{MOST_BURNED, Mixed, Share, bytes_of};
use crate::house_file::Dealing;
use ledger::keys::hex;
use ledger::{Digest, PersonId};
use table::{Awaiting, Side};

/// Why a share is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    #[error("a hash and a nonce are 64 hexadecimal digits each")]
    Unreadable,
    #[error("a share of the shoe's order can be given before its first card only, while wagers are placed")]
    NotNow,
    #[error("place a wager first")]
    NoWager,
    #[error("you have given your share already")]
    Given,
    #[error("nonces are being revealed, so that no more shares are taken")]
    Revealing,
    #[error("you have given no share of this shoe's order")]
    NoShare,
    #[error("this nonce does not fit the hash that you gave")]
    OtherNonce,
}

impl From<NotTaken> for ApiError {
    fn from(why: NotTaken) -> ApiError {
        match why {
            NotTaken::Unreadable => ApiError::bad("share", why.to_string()),
            _ => ApiError::refused("share", why.to_string()),
        }
    }
}

/// The shares of those who play, in the order in which they were given.
pub type Shares = Vec<(PersonId, Share)>;

impl Live {
    /// The sides from which no card was dealt yet, and into which nothing was mixed.
    fn fresh(&self) -> Vec<Side> {
        let left = |side| self.table.custody().stack_of(side);
        let fresh = |side: &Side| {
            let shoe = self.shoes.of(*side);
            shoe.is_some_and(|shoe| shoe.mixed().is_none() && shoe.gone(left(*side)) <= MOST_BURNED)
        };
        sides(&self.table).iter().copied().filter(fresh).collect()
    }

    /// May players add to the order of the cards now?
    pub fn takes_shares(&self) -> bool {
        self.fixed.dealing == Dealing::Automatic
            && self.table.awaiting() == Some(Awaiting::Wagers)
            && !self.fresh().is_empty()
    }

    /// Has somebody still to reveal a nonce before the cards can be dealt?
    pub fn lacks_nonces(&self) -> bool {
        self.takes_shares() && self.shares.iter().any(|(_, share)| share.nonce.is_none())
    }

    pub fn give_share(&mut self, by: By, seat: Seat, hash: &str, step: &mut Step) -> Result<(), NotTaken> {
        let hash = Digest(bytes_of(hash).ok_or(NotTaken::Unreadable)?);
        if !self.takes_shares() {
            return Err(NotTaken::NotNow);
        }
        if self.shares.iter().any(|(_, share)| share.nonce.is_some()) {
            return Err(NotTaken::Revealing);
        }
        if self.shares.iter().any(|(person, _)| *person == seat.person) {
            return Err(NotTaken::Given);
        }
        let boxes = &self.table.round().boxes;
        if !boxes.iter().any(|play| bettor_of(self, play.id, seat.person).is_ok()) {
            return Err(NotTaken::NoWager);
        }
        self.shares.push((seat.person, Share { hash, nonce: None }));
        step.lines.push(format!("{} share {} {hash}", by.letter(), seat_text(seat)));
        Ok(())
    }

    pub fn reveal(&mut self, by: By, seat: Seat, nonce: &str, step: &mut Step) -> Result<(), NotTaken> {
        let nonce = bytes_of(nonce).ok_or(NotTaken::Unreadable)?;
        if !self.takes_shares() {
            return Err(NotTaken::NotNow);
        }
        let share = self.shares.iter_mut().find(|(person, _)| *person == seat.person);
        let (_, share) = share.ok_or(NotTaken::NoShare)?;
        if share.nonce.is_some() {
            return Err(NotTaken::Given);
        }
        if Share::hash_of(&nonce) != share.hash {
            return Err(NotTaken::OtherNonce);
        }
        share.nonce = Some(nonce);
        step.lines.push(format!("{} nonce {} {}", by.letter(), seat_text(seat), hex(&nonce)));
        Ok(())
    }

    /// Mixes what was given into every fresh side; nothing if nobody gave anything.
    pub fn mix(&mut self, by: By, step: &mut Step) {
        if self.shares.is_empty() || !self.takes_shares() {
            return;
        }
        let shares: Vec<Share> =
            std::mem::take(&mut self.shares).into_iter().map(|(_, share)| share).collect();
        for side in self.fresh() {
            let left = self.table.custody().stack_of(side);
            if let Some(shoe) = self.shoes.of_mut(side) {
                shoe.mix(Mixed { after: shoe.gone(left), shares: shares.clone() });
            }
        }
        step.lines.push(format!("{} mix", by.letter()));
    }

    /// Carries out again what a line says about shares; `None` if it is about something else.
    pub fn replay_share(&mut self, by: By, line: &str, step: &mut Step) -> Option<Result<(), String>> {
        if line == "mix" {
            self.mix(by, step);
            return Some(Ok(()));
        }
        let (word, rest) = line.split_once(' ')?;
        let given = matches!(word, "share" | "nonce").then_some(rest)?;
        let Some((seat, text)) = given.split_once(' ').and_then(|(who, text)| Some((seat_of(who)?, text)))
        else {
            return Some(Err(format!("`{word}` names nobody")));
        };
        let done = match word {
            "share" => self.give_share(by, seat, text, step),
            _ => self.reveal(by, seat, text, step),
        };
        Some(done.map_err(|why| why.to_string()))
    }
}
