//! The players' shares of the shuffle of a new shoe, each made from a nonce (see `fair::order`).
//!
//! While bets are placed, players submit the hashes of their nonces. When betting closes, the list of hashes is
//! closed and signed; then players reveal the nonces, and before the first card all nonces are mixed into the
//! order of the cards. Each step is a line of the journal.

use super::live::{By, Live, Step, TableFault};
use super::request::bettor_of;
use super::seats::Seat;
use super::shoe::{VirtualShoe, sides};
use super::snapshot::{seat_of, seat_text};
use crate::error::ApiError;
use crate::fair::{MOST_BURNED, Mixed, Share, Vault, bytes_of};
use crate::house_file::Dealing;
use ledger::keys::hex;
use ledger::{Digest, PersonId};
use rules::message;
use table::{Awaiting, Side};

/// The reason why the house does not accept a share or a nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareRefusal {
    Unreadable,
    NotNow,
    Closed,
    NoWager,
    Given,
    Taken,
    Open,
    NoShare,
    OtherNonce,
    Unsigned,
}

impl From<ShareRefusal> for ApiError {
    fn from(why: ShareRefusal) -> ApiError {
        ApiError::refused(match why {
            ShareRefusal::Unsigned => return ApiError::stopped(),
            ShareRefusal::Unreadable => {
                let digits = message!("share-unreadable", "hash and nonce must each be 64 hex digits");
                return ApiError::bad("share", digits);
            }
            ShareRefusal::NotNow => message!(
                "share-not-now",
                "nonces are accepted only before the first card, while betting is open"
            ),
            ShareRefusal::Closed => {
                message!("share-closed", "too late to add a nonce to this shoe; add one to the next shoe")
            }
            ShareRefusal::NoWager => message!("no-wager", "place a bet first"),
            ShareRefusal::Given => message!("share-given", "you have already added a nonce"),
            ShareRefusal::Taken => message!("share-taken", "another player has already used this hash"),
            ShareRefusal::Open => message!(
                "share-list-open",
                "the list of shares is still open; reveal your nonce when it has closed"
            ),
            ShareRefusal::NoShare => message!("no-share", "you have not added a nonce to this shoe"),
            ShareRefusal::OtherNonce => message!("other-nonce", "nonce does not match your hash"),
        })
    }
}

/// A share that a player has given, with the house's signatures that acknowledge it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenShare {
    pub person: PersonId,
    pub share: Share,
    /// The house's acknowledgements in hexadecimal, one for each side of the shoe that takes the share.
    pub signatures: Vec<String>,
}

/// The source of the house's signatures: the signing key, or the journal during a replay.
pub enum Signing<'a> {
    Now(&'a Vault),
    Recorded(&'a str),
}

impl Signing<'_> {
    /// Returns one signature for each of `texts`.
    ///
    /// Returns `None` if the key cannot sign, or if the journal has another number of signatures.
    fn of(&self, texts: &[Vec<u8>]) -> Option<Vec<String>> {
        match self {
            Signing::Now(vault) => texts.iter().map(|text| vault.sign_text(text).ok()).collect(),
            Signing::Recorded(line) => {
                let signatures: Vec<String> = line.split(',').map(str::to_owned).collect();
                (signatures.len() == texts.len()).then_some(signatures)
            }
        }
    }
}

impl Live {
    /// Returns the sides of the shoe that still take shares: the list is open, and only burned cards have left.
    fn fresh(&self) -> Vec<Side> {
        let left = |side| self.table.custody().stack_of(side);
        let fresh = |side: &Side| {
            let shoe = self.shoes.of(*side);
            // A shoe shuffled in mid-round takes no shares: its cards are dealt before anybody could give any.
            let whole = |shoe: &VirtualShoe| shoe.list().is_none() && shoe.committed().on_layout.is_empty();
            shoe.is_some_and(|shoe| whole(shoe) && shoe.gone(left(*side)) <= MOST_BURNED)
        };
        sides(&self.table).iter().copied().filter(fresh).collect()
    }

    /// Returns the sides of the shoe whose list of shares is closed, but into which no nonces are mixed yet.
    fn closed(&self) -> Vec<Side> {
        let closed = |side: &Side| {
            let shoe = self.shoes.of(*side);
            shoe.is_some_and(|shoe| shoe.list().is_some() && shoe.mixed().is_none())
        };
        sides(&self.table).iter().copied().filter(closed).collect()
    }

    fn takes_wagers(&self) -> bool {
        self.fixed.dealing == Dealing::Automatic && self.table.awaiting() == Some(Awaiting::Wagers)
    }

    /// Returns whether players may submit shares of the shuffle now.
    pub fn takes_shares(&self) -> bool {
        self.takes_wagers() && self.closed().is_empty() && !self.fresh().is_empty()
    }

    /// Returns whether players may reveal their nonces now, because a list of shares is closed.
    pub fn takes_nonces(&self) -> bool {
        self.takes_wagers() && !self.closed().is_empty()
    }

    /// Returns whether players may reveal their nonces now and at least one nonce is still missing.
    pub fn lacks_nonces(&self) -> bool {
        self.takes_nonces() && self.shares.iter().any(|given| given.share.nonce.is_none())
    }

    /// Accepts and acknowledges the hash of a player's nonce, or returns the reason for the refusal.
    pub fn give_share(
        &mut self,
        by: By,
        (seat, hash): (Seat, &str),
        signing: &Signing<'_>,
        step: &mut Step,
    ) -> Result<(), ShareRefusal> {
        let hash = Digest(bytes_of(hash).ok_or(ShareRefusal::Unreadable)?);
        if self.takes_nonces() {
            return Err(ShareRefusal::Closed);
        }
        if !self.takes_shares() {
            return Err(ShareRefusal::NotNow);
        }
        if self.shares.iter().any(|given| given.person == seat.person) {
            return Err(ShareRefusal::Given);
        }
        if self.shares.iter().any(|given| given.share.hash == hash) {
            return Err(ShareRefusal::Taken);
        }
        let boxes = &self.table.round().boxes;
        if !boxes.iter().any(|play| bettor_of(self, play.id, seat.person).is_ok()) {
            return Err(ShareRefusal::NoWager);
        }
        let (place, text) = (self.shares.len() + 1, hash.to_string());
        let shoes = self.fresh().into_iter().filter_map(|side| self.shoes.of(side));
        let texts: Vec<Vec<u8>> = shoes.map(|shoe| shoe.share_statement(place, &text).text()).collect();
        let signatures = signing.of(&texts).ok_or(ShareRefusal::Unsigned)?;
        step.lines.push(format!("{} share {} {hash} {}", by.letter(), seat_text(seat), signatures.join(",")));
        self.shares.push(GivenShare { person: seat.person, share: Share { hash, nonce: None }, signatures });
        Ok(())
    }

    /// Returns the house's acknowledgement of the share `given` for the shoe on `side`, or `None` if there is
    /// none.
    pub fn acknowledgement(&self, side: Side, given: &GivenShare) -> Option<String> {
        let mut takers = self.fresh();
        takers.extend(self.closed());
        let at = takers.iter().position(|taker| *taker == side)?;
        given.signatures.get(at).filter(|signature| !signature.is_empty()).cloned()
    }

    /// Closes the list of shares of every shoe that still takes shares, and signs the lists.
    ///
    /// Afterwards, only nonces whose hashes are in the list are accepted. An empty list is mixed in at once,
    /// because there are no nonces to wait for. Returns an error if a list cannot be signed.
    pub fn close_shares(&mut self, by: By, signing: &Signing<'_>, step: &mut Step) -> Result<(), TableFault> {
        if !self.takes_shares() {
            return Ok(());
        }
        let hashes: Vec<String> = self.shares.iter().map(|given| given.share.hash.to_string()).collect();
        let sides = self.fresh();
        let text = |side: &Side| {
            let (shoe, hashes) = (self.shoes.of(*side)?, hashes.iter().map(String::as_str).collect());
            Some(shoe.list_statement(self.gone(*side), hashes).text())
        };
        let texts: Vec<Vec<u8>> = sides.iter().filter_map(text).collect();
        let unsigned = || TableFault::Shoe("cannot sign the closed list of shares".into());
        let signatures = signing.of(&texts).ok_or_else(unsigned)?;
        step.lines.push(format!("{} close {}", by.letter(), signatures.join(",")));
        for (side, signature) in sides.into_iter().zip(signatures) {
            if let Some(shoe) = self.shoes.of_mut(side) {
                shoe.close(signature);
            }
        }
        if self.shares.is_empty() {
            self.mix_in();
        }
        Ok(())
    }

    /// Accepts a player's nonce if its hash is in the closed list, or returns the reason for the refusal.
    pub fn reveal(&mut self, by: By, seat: Seat, nonce: &str, step: &mut Step) -> Result<(), ShareRefusal> {
        let nonce = bytes_of(nonce).ok_or(ShareRefusal::Unreadable)?;
        if self.takes_shares() {
            return Err(ShareRefusal::Open);
        }
        if !self.takes_nonces() {
            return Err(ShareRefusal::NotNow);
        }
        let given = self.shares.iter_mut().find(|given| given.person == seat.person);
        let share = &mut given.ok_or(ShareRefusal::NoShare)?.share;
        if share.nonce.is_some() {
            return Err(ShareRefusal::Given);
        }
        if Share::hash_of(&nonce) != share.hash {
            return Err(ShareRefusal::OtherNonce);
        }
        share.nonce = Some(nonce);
        step.lines.push(format!("{} nonce {} {}", by.letter(), seat_text(seat), hex(&nonce)));
        Ok(())
    }

    /// Mixes the revealed nonces into the order of every shoe whose list of shares is closed.
    pub fn mix(&mut self, by: By, step: &mut Step) {
        if self.takes_nonces() {
            self.mix_in();
            step.lines.push(format!("{} mix", by.letter()));
        }
    }

    fn mix_in(&mut self) {
        let shares: Vec<Share> =
            std::mem::take(&mut self.shares).into_iter().map(|given| given.share).collect();
        for side in self.closed() {
            // No card leaves the shoe between the closing of the list, which states how many had left, and the mix.
            let after = self.gone(side);
            if let Some(shoe) = self.shoes.of_mut(side) {
                shoe.mix(Mixed { after, shares: shares.clone() });
            }
        }
    }

    /// Returns the number of cards that have left the shoe on a side.
    fn gone(&self, side: Side) -> usize {
        let left = self.table.custody().stack_of(side);
        self.shoes.of(side).map_or(0, |shoe| shoe.gone(left))
    }

    /// Returns how many cards had left the shoe on a side when its list of shares was closed.
    ///
    /// Returns `None` while the list is open.
    pub fn closed_after(&self, side: Side) -> Option<usize> {
        let shoe = self.shoes.of(side).filter(|shoe| shoe.list().is_some())?;
        Some(shoe.mixed().map_or_else(|| self.gone(side), |mixed| mixed.after))
    }

    /// Replays a journal line about shares, or returns `None` for any other line.
    pub fn replay_share(&mut self, by: By, line: &str, step: &mut Step) -> Option<Result<(), String>> {
        if line == "mix" {
            self.mix(by, step);
            return Some(Ok(()));
        }
        let (word, rest) = line.split_once(' ')?;
        if word == "close" {
            let closed = self.close_shares(by, &Signing::Recorded(rest), step);
            return Some(closed.map_err(|stuck| stuck.to_string()));
        }
        let given = matches!(word, "share" | "nonce").then_some(rest)?;
        let Some((seat, text)) = given.split_once(' ').and_then(|(who, text)| Some((seat_of(who)?, text)))
        else {
            return Some(Err(format!("`{word}` does not name a person")));
        };
        let done = match (word, text.split_once(' ')) {
            ("share", Some((hash, signatures))) => {
                self.give_share(by, (seat, hash), &Signing::Recorded(signatures), step)
            }
            ("share", None) => Err(ShareRefusal::Unreadable),
            _ => self.reveal(by, seat, text, step),
        };
        Some(done.map_err(|why| ApiError::from(why).detail.message))
    }
}
