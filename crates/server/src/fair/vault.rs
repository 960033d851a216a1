//! Undealt cards at rest: encrypted and bound to their table and shoe, under a key that lives in the data directory.

use super::commit::ShoeId;
use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use ledger::TableId;
use ledger::canon::Canon;
use rules::Card;
use std::path::Path;

pub struct Vault {
    cipher: XChaCha20Poly1305,
}

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("the key of the stored shoes: {0}")]
    Key(#[from] std::io::Error),
    #[error("no entropy for a nonce: {0}")]
    Entropy(String),
    #[error("the stored shoe cannot be opened with the key of this data directory")]
    Locked,
}

const NONCE: usize = 24;
/// No table has this number.
const MARK: ShoeId = ShoeId { table: TableId(0), number: 0 };

impl Vault {
    pub fn open(data: &Path) -> Result<Vault, VaultError> {
        Ok(Vault::under(&*ledger::keys::key(&data.join("keys"), "shoe.key")?))
    }

    pub fn under(key: &[u8; 32]) -> Vault {
        Vault { cipher: XChaCha20Poly1305::new(key.into()) }
    }

    /// For those who only read: makes no key.
    pub fn existing(data: &Path) -> Result<Vault, VaultError> {
        Ok(Vault::under(&*ledger::keys::existing_key(&data.join("keys"), "shoe.key")?))
    }

    /// What tells whether a key is the one that the house's shoes are locked with; in hexadecimal, as settings are text.
    pub fn mark(&self) -> Result<Vec<u8>, VaultError> {
        self.lock(MARK, &[0; 32], &[]).map(|mark| ledger::keys::hex(&mark).into_bytes())
    }

    pub fn made(&self, mark: &[u8]) -> bool {
        let mark = std::str::from_utf8(mark).ok().and_then(ledger::keys::from_hex);
        mark.is_some_and(|mark| self.unlock(MARK, &mark).is_ok())
    }

    /// Locks something that is not cards under a name of its own.
    pub fn seal(&self, name: &str, plain: &[u8]) -> Result<Vec<u8>, VaultError> {
        let mut fresh = [0u8; NONCE];
        ledger::world::chance(&mut fresh).map_err(|e| VaultError::Entropy(e.to_string()))?;
        let payload = Payload { msg: plain, aad: &secret_label(name) };
        let locked = self.cipher.encrypt(&XNonce::from(fresh), payload).map_err(|_| VaultError::Locked)?;
        Ok([fresh.as_slice(), &locked].concat())
    }

    pub fn unseal(&self, name: &str, stored: &[u8]) -> Result<Vec<u8>, VaultError> {
        let (fresh, locked) = stored.split_first_chunk::<NONCE>().ok_or(VaultError::Locked)?;
        let payload = Payload { msg: locked, aad: &secret_label(name) };
        self.cipher.decrypt(&XNonce::from(*fresh), payload).map_err(|_| VaultError::Locked)
    }

    /// Locks an order of cards with the nonce of its commitment.
    pub fn lock(&self, shoe: ShoeId, nonce: &[u8; 32], order: &[Card]) -> Result<Vec<u8>, VaultError> {
        let mut fresh = [0u8; NONCE];
        ledger::world::chance(&mut fresh).map_err(|e| VaultError::Entropy(e.to_string()))?;
        let mut plain = nonce.to_vec();
        plain.extend(order.iter().map(|c| c.index()));
        let payload = Payload { msg: &plain, aad: &label(shoe) };
        let locked = self.cipher.encrypt(&XNonce::from(fresh), payload).map_err(|_| VaultError::Locked)?;
        Ok([fresh.as_slice(), &locked].concat())
    }

    pub fn unlock(&self, shoe: ShoeId, stored: &[u8]) -> Result<([u8; 32], Vec<Card>), VaultError> {
        let (fresh, locked) = stored.split_first_chunk::<NONCE>().ok_or(VaultError::Locked)?;
        let payload = Payload { msg: locked, aad: &label(shoe) };
        let plain = self.cipher.decrypt(&XNonce::from(*fresh), payload).map_err(|_| VaultError::Locked)?;
        let (nonce, cards) = plain.split_first_chunk::<32>().ok_or(VaultError::Locked)?;
        let cards: Option<Vec<Card>> = cards.iter().map(|index| Card::from_index(*index)).collect();
        Ok((*nonce, cards.ok_or(VaultError::Locked)?))
    }
}

fn secret_label(name: &str) -> Vec<u8> {
    let mut canon = Canon::new("cutcard locked secret 1");
    canon.bytes(name.as_bytes());
    canon.into_vec()
}

fn label(shoe: ShoeId) -> Vec<u8> {
    let mut canon = Canon::new("cutcard locked shoe 1");
    canon.int(i64::from(shoe.table.0)).int(shoe.number);
    canon.into_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::card::parse_cards;

    const SHOE: ShoeId = ShoeId { table: TableId(1), number: 4 };

    #[test]
    fn a_locked_shoe_opens_with_its_own_key_and_name_only() {
        let directory = tempfile::tempdir().expect("temp dir");
        let vault = Vault::open(directory.path()).expect("opens");
        let order = parse_cards("As Kd 7h").expect("cards");
        let mut stored = vault.lock(SHOE, &[3; 32], &order).expect("locked");
        let again = Vault::open(directory.path()).expect("opens again");
        assert_eq!(again.unlock(SHOE, &stored).expect("unlocked"), ([3; 32], order.clone()));
        assert!(again.unlock(ShoeId { number: 5, ..SHOE }, &stored).is_err(), "another shoe");
        let elsewhere = tempfile::tempdir().expect("temp dir");
        assert!(Vault::open(elsewhere.path()).expect("opens").unlock(SHOE, &stored).is_err(), "another key");
        assert_ne!(vault.lock(SHOE, &[3; 32], &order).expect("locked"), stored, "a fresh nonce each time");
        *stored.last_mut().expect("bytes") ^= 1;
        assert!(vault.unlock(SHOE, &stored).is_err(), "damaged");
        assert!(vault.unlock(SHOE, &[]).is_err());
    }

    #[test]
    fn a_sealed_secret_opens_under_its_own_name_only() {
        let directory = tempfile::tempdir().expect("temp dir");
        let vault = Vault::open(directory.path()).expect("opens");
        let sealed = vault.seal("ann", b"secret").expect("sealed");
        assert_eq!(vault.unseal("ann", &sealed).expect("opened"), b"secret");
        assert!(vault.unseal("bob", &sealed).is_err());
        assert!(vault.unlock(SHOE, &sealed).is_err(), "and is no shoe");
        assert!(!sealed.windows(6).any(|w| w == b"secret"));
    }

    #[test]
    fn the_cards_cannot_be_read_in_what_is_stored() {
        let directory = tempfile::tempdir().expect("temp dir");
        let vault = Vault::open(directory.path()).expect("opens");
        let order: Vec<Card> = rules::Deck::FIFTY_TWO.cards().collect();
        let stored = vault.lock(SHOE, &[0; 32], &order).expect("locked");
        let plain: Vec<u8> = order.iter().map(|c| c.index()).collect();
        assert!(!stored.windows(8).any(|w| plain.windows(8).any(|p| p == w)));
    }
}
