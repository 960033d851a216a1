//! Encrypts the undealt cards of a shoe at rest, under a key in the data directory.
//!
//! Each encrypted shoe is bound to its table and its number, so that it cannot be decrypted as another shoe.

use super::opening::{Committed, ShoeId, Statement};
use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use ledger::canonical::Canonical;
use ledger::keys::hex;
use ledger::seal::Sealer;
use std::path::Path;
use std::sync::Arc;

/// The house's encryption key for undealt cards and its signing key for statements about shoes.
#[derive(Clone)]
pub struct Vault {
    cipher: XChaCha20Poly1305,
    /// The signing key, or `None` where nothing is signed: at training tables, and in processes that only read.
    sealer: Option<Arc<Sealer>>,
}

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("cannot open the key of the stored shoes: {0}")]
    Key(#[from] std::io::Error),
    #[error("cannot get random numbers for a nonce: {0}")]
    Entropy(String),
    #[error("cannot sign with the house's seal key: {0}")]
    Unsigned(std::io::Error),
    #[error("cannot decrypt the stored shoe with this data directory's key")]
    Locked,
}

const NONCE: usize = 24;
const MARK: &str = "mark";

impl Vault {
    pub fn open(data: &Path) -> Result<Vault, VaultError> {
        Ok(Vault::under(&*ledger::keys::key(&data.join("keys"), "shoe.key")?))
    }

    pub fn under(key: &[u8; 32]) -> Vault {
        Vault { cipher: XChaCha20Poly1305::new(key.into()), sealer: None }
    }

    /// Returns the vault with `sealer` as its signing key.
    pub fn signing(mut self, sealer: Arc<Sealer>) -> Vault {
        self.sealer = Some(sealer);
        self
    }

    /// Returns the vault without its signing key, for tables whose shoes need no proof.
    pub fn unsigned(&self) -> Vault {
        Vault { sealer: None, ..self.clone() }
    }

    /// Returns the public key of the house's signing key in hexadecimal, or `None` if the vault has no signing
    /// key.
    pub fn house(&self) -> Option<String> {
        self.sealer.as_ref().map(|sealer| hex(sealer.public().as_bytes()))
    }

    /// Signs a statement and returns the signature in hexadecimal.
    ///
    /// Returns an empty string if the vault has no signing key.
    pub fn sign(&self, said: &Statement<'_>) -> Result<String, VaultError> {
        self.sign_text(&said.text())
    }

    pub fn sign_text(&self, text: &[u8]) -> Result<String, VaultError> {
        match &self.sealer {
            None => Ok(String::new()),
            Some(sealer) => sealer.sign_fair(text).map(|bytes| hex(&bytes)).map_err(VaultError::Unsigned),
        }
    }

    /// Opens the vault with its existing encryption key and without a signing key, for a process that only reads.
    ///
    /// Returns an error if there is no such key, and does not create a key.
    pub fn existing(data: &Path) -> Result<Vault, VaultError> {
        Ok(Vault::under(&*ledger::keys::existing_key(&data.join("keys"), "shoe.key")?))
    }

    /// Returns an encrypted mark, in hexadecimal, that only the same encryption key can decrypt.
    ///
    /// The house stores the mark as a setting, and `key_matches` later checks a vault's key against the mark.
    pub fn mark(&self) -> Result<Vec<u8>, VaultError> {
        self.seal(MARK, &[]).map(|mark| hex(&mark).into_bytes())
    }

    pub fn key_matches(&self, mark: &[u8]) -> bool {
        let mark = std::str::from_utf8(mark).ok().and_then(ledger::keys::from_hex);
        mark.is_some_and(|mark| self.unseal(MARK, &mark).is_ok())
    }

    /// Encrypts a secret and binds it to `name`.
    ///
    /// The result can be decrypted only under the same name.
    pub fn seal(&self, name: &str, plain: &[u8]) -> Result<Vec<u8>, VaultError> {
        let mut fresh = [0u8; NONCE];
        ledger::world::fill_random(&mut fresh).map_err(|e| VaultError::Entropy(e.to_string()))?;
        let payload = Payload { msg: plain, aad: &secret_label(name) };
        let locked = self.cipher.encrypt(&XNonce::from(fresh), payload).map_err(|_| VaultError::Locked)?;
        Ok([fresh.as_slice(), &locked].concat())
    }

    pub fn unseal(&self, name: &str, stored: &[u8]) -> Result<Vec<u8>, VaultError> {
        let (fresh, locked) = stored.split_first_chunk::<NONCE>().ok_or(VaultError::Locked)?;
        let payload = Payload { msg: locked, aad: &secret_label(name) };
        self.cipher.decrypt(&XNonce::from(*fresh), payload).map_err(|_| VaultError::Locked)
    }

    /// Encrypts a shoe's committed data, bound to its table and number.
    pub fn lock(&self, committed: &Committed) -> Result<Vec<u8>, VaultError> {
        let plain = serde_json::to_vec(committed).map_err(|_| VaultError::Locked)?;
        self.seal(&name(committed.id()), &plain)
    }

    pub fn unlock(&self, shoe: ShoeId, stored: &[u8]) -> Result<Committed, VaultError> {
        let plain = self.unseal(&name(shoe), stored)?;
        let committed: Committed = serde_json::from_slice(&plain).map_err(|_| VaultError::Locked)?;
        if committed.id() == shoe { Ok(committed) } else { Err(VaultError::Locked) }
    }
}

fn secret_label(name: &str) -> Vec<u8> {
    let mut canon = Canonical::new("cutcard locked secret 1");
    canon.bytes(name.as_bytes());
    canon.into_vec()
}

/// Returns the name to which an encrypted shoe is bound, such as `shoe 3 9`.
fn name(shoe: ShoeId) -> String {
    format!("shoe {} {}", shoe.table.0, shoe.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::{CUT_RULE, MIX_RULE};
    use ledger::TableId;

    fn committed(order: &str) -> Committed {
        Committed {
            table: 1,
            shoe: 4,
            decks: 1,
            deck: 52,
            on_layout: String::new(),
            cut_rule: CUT_RULE.into(),
            mix_rule: MIX_RULE.into(),
            cut_least: 10,
            nonce: "03".repeat(32),
            order: order.into(),
        }
    }

    const SHOE: ShoeId = ShoeId { table: TableId(1), number: 4 };

    #[test]
    fn a_locked_shoe_opens_with_its_own_key_and_name_only() {
        let directory = tempfile::tempdir().expect("temp dir");
        let vault = Vault::open(directory.path()).expect("opens");
        let shoe = committed("As Kd 7h");
        let mut stored = vault.lock(&shoe).expect("locked");
        let again = Vault::open(directory.path()).expect("opens again");
        assert_eq!(again.unlock(SHOE, &stored).expect("unlocked"), shoe);
        assert!(again.unlock(ShoeId { number: 5, ..SHOE }, &stored).is_err(), "another shoe");
        let elsewhere = tempfile::tempdir().expect("temp dir");
        assert!(Vault::open(elsewhere.path()).expect("opens").unlock(SHOE, &stored).is_err(), "another key");
        assert_ne!(vault.lock(&shoe).expect("locked"), stored, "a fresh nonce each time");
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
        let order = rules::card::show_cards(&rules::Deck::FIFTY_TWO.cards().collect::<Vec<_>>());
        let stored = vault.lock(&committed(&order)).expect("locked");
        assert!(!stored.windows(8).any(|w| order.as_bytes().windows(8).any(|p| p == w)));
    }
}
