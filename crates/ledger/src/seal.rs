//! The daily seal: the journal head signed with the house's key.
//!
//! Only the holder of the key can rewrite past records together with all their hashes. Seals are records, and are
//! also written to a text file beside the store, `seals.log`, as a second copy.

use crate::anchor::new_keys;
use crate::canonical::Canonical;
use crate::db::{Columns, Db, DbResult, Found, ask_one};
use crate::ids::{GamingDay, Moment, Seq};
use crate::journal::Head;
use crate::keys;
use crate::people::RowChange;
use crate::record::Digest;
use crate::row;
use crate::signer::Signer;
pub use ed25519_dalek::VerifyingKey as PublicKey;
use ed25519_dalek::{Signature, Signer as _, SigningKey, Verifier as _, VerifyingKey};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    pub day: GamingDay,
    pub seq: Seq,
    pub hash: Digest,
    pub at: Moment,
    pub signature: [u8; 64],
}

/// The house's signing key, and the file for copies of its seals.
pub struct Sealer {
    key: Key,
    copies: PathBuf,
    /// Whether the key was not new when it was opened, because the journal already had a record.
    used: bool,
}

enum Key {
    Here(SigningKey),
    /// A key that a remote signer holds. This process knows only the public key.
    Elsewhere(Arc<Signer>, VerifyingKey),
}

impl Sealer {
    /// Opens the signing key, or creates a key if there is none.
    ///
    /// A new key counts as new until the journal has a record.
    pub fn open(data: &Path, signer: Option<Arc<Signer>>) -> io::Result<Sealer> {
        let directory = data.join("keys");
        if let Some(signer) = signer {
            let sealer = Sealer::remote(data, signer)?;
            // A house with a note of its journal's head is not new.
            if !directory.join(PUBLIC).exists() && !data.join("head").exists() {
                keys::private_directory(&directory)?;
                keys::write_private(&new_keys(data), b"")?;
            }
            return Ok(Sealer { used: !new_keys(data).exists(), ..sealer });
        }
        if !directory.join(KEY).exists() {
            keys::private_directory(&directory)?;
            keys::write_private(&new_keys(data), b"")?;
            keys::key(&directory, KEY)?;
        }
        Sealer::existing(data, None)
    }

    /// Opens the key of a remote signer.
    ///
    /// Returns an error if the stored public key differs, or if the key directory contains a seal key.
    fn remote(data: &Path, signer: Arc<Signer>) -> io::Result<Sealer> {
        let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let public = signer.key("public seal")?;
        let known = std::fs::read_to_string(data.join("keys").join(PUBLIC)).ok();
        if let Some(known) = known.as_deref().map(str::trim)
            && known != keys::hex(&*public)
        {
            return Err(wrong(format!(
                "the remote signer has the seal key {}, but this house's seal key is {known}; give the signer this \
                    house's keys",
                keys::hex(&*public)
            )));
        }
        if data.join("keys").join(KEY).exists() {
            let what = "contains a seal key; move that key to the remote signer";
            return Err(wrong(format!("{} {what}", data.join("keys").display())));
        }
        let public = VerifyingKey::from_bytes(&public).map_err(|error| wrong(error.to_string()))?;
        let used = !new_keys(data).exists();
        Ok(Sealer { key: Key::Elsewhere(signer, public), copies: data.join("seals.log"), used })
    }

    /// Stores a remote signer's public key, unless one is stored already.
    ///
    /// From then on, a remote signer with another key is refused. Does nothing for a key in the data directory.
    pub fn remember(&self, data: &Path) -> io::Result<()> {
        let (Key::Elsewhere(_, public), path) = (&self.key, data.join("keys").join(PUBLIC)) else {
            return Ok(());
        };
        if path.exists() {
            return Ok(());
        }
        keys::private_directory(&data.join("keys"))?;
        keys::write_private(&path, keys::hex(public.as_bytes()).as_bytes())
    }

    /// Opens the existing signing key, or returns an error if there is none.
    ///
    /// If `signer` is given, the key is the remote signer's; otherwise it is the one in the data directory.
    pub fn existing(data: &Path, signer: Option<Arc<Signer>>) -> io::Result<Sealer> {
        if let Some(signer) = signer {
            return Sealer::remote(data, signer);
        }
        let secret = keys::existing_key(&data.join("keys"), KEY)?;
        let used = !new_keys(data).exists();
        Ok(Sealer { key: Key::Here(SigningKey::from_bytes(&secret)), copies: data.join("seals.log"), used })
    }

    /// Returns whether the key was not new when it was opened, because the journal already had a record.
    pub fn used_before(&self) -> bool {
        self.used
    }

    pub fn public(&self) -> VerifyingKey {
        match &self.key {
            Key::Here(key) => key.verifying_key(),
            Key::Elsewhere(_, public) => *public,
        }
    }

    /// Returns whether this key signed the last seal of a store. Also true if the store has no seal.
    pub fn fits(&self, db: &mut dyn Db) -> DbResult<bool> {
        let sql = "SELECT day, seq, hash, at, signature FROM seals ORDER BY seq DESC LIMIT 1";
        match ask_one(db, sql, row![])?.into_iter().next() {
            Some(row) => Ok(Seal::read(row)?.is_some_and(|seal| seal.verify(&self.public()))),
            None => Ok(true),
        }
    }

    /// Signs a head of the journal, and returns the seal.
    ///
    /// The signature of a remote signer is verified before the seal is returned.
    pub fn sign(&self, day: GamingDay, head: Head, now: Moment) -> io::Result<Seal> {
        let message = signed(day, head.seq, head.hash, now);
        let signature = match &self.key {
            Key::Here(key) => key.sign(&message).to_bytes(),
            Key::Elsewhere(signer, _) => signer.sign(&message)?,
        };
        let seal = Seal { day, seq: head.seq, hash: head.hash, at: now, signature };
        match seal.verify(&self.public()) {
            true => Ok(seal),
            false => Err(io::Error::other("the remote signer signed with a different key")),
        }
    }

    /// Signs `text`, a statement about a shoe.
    ///
    /// The caller must begin `text` with the prefix [`FAIR`].
    pub fn sign_fair(&self, text: &[u8]) -> io::Result<[u8; 64]> {
        let signature = match &self.key {
            Key::Here(key) => key.sign(text).to_bytes(),
            Key::Elsewhere(signer, _) => signer.sign(text)?,
        };
        match is_signed(self.public().as_bytes(), text, &signature) {
            true => Ok(signature),
            false => Err(io::Error::other("the remote signer signed with a different key")),
        }
    }

    /// Appends a seal to the file of copies.
    pub fn copy(&self, seal: &Seal) -> io::Result<()> {
        let mut file = keys::private_file(&self.copies)?;
        file.write_all(seal.to_line().as_bytes())?;
        file.sync_all()
    }

    /// Moves the copies of those seals that `fits` rejects from `seals.log` to `seals.lost.log`.
    ///
    /// Called once a supervisor has accepted a loss; `fits` tells whether a seal matches the journal.
    pub(crate) fn set_aside(&self, fits: &mut dyn FnMut(&Seal) -> bool) -> io::Result<()> {
        let Ok(text) = std::fs::read_to_string(&self.copies) else { return Ok(()) };
        let (kept, lost): (Vec<&str>, Vec<&str>) = text
            .split_inclusive('\n')
            .partition(|line| Seal::from_line(line.trim_end()).is_some_and(|seal| fits(&seal)));
        if lost.is_empty() {
            return Ok(());
        }
        let mut aside = keys::private_file(&self.copies.with_extension("lost.log"))?;
        aside.write_all(lost.concat().as_bytes())?;
        aside.sync_all()?;
        keys::write_private(&self.copies, kept.concat().as_bytes())
    }
}

const KEY: &str = "seal.key";
/// The name of the file with the public key of a remote signer.
const PUBLIC: &str = "seal.public";
const PURPOSE: &str = "cutcard seal 1";
/// The prefix of all statements about shoes that the house signs.
///
/// No seal begins with this prefix.
pub const FAIR: &str = "cutcard fair 1\n";

/// Returns whether the seal key may sign `message`: a seal, or a statement about a shoe.
pub(crate) fn may_be_signed(message: &[u8]) -> bool {
    is_a_seal(message) || message.starts_with(FAIR.as_bytes())
}

/// Returns whether `signature` is valid for the message and the key `public`.
pub fn is_signed(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let signature = Signature::from_bytes(signature);
    VerifyingKey::from_bytes(public).is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}

/// Returns whether `message` has the form of a seal.
pub(crate) fn is_a_seal(message: &[u8]) -> bool {
    let empty = signed(GamingDay(0), Seq(0), Digest::default(), Moment(0));
    let begins = Canonical::new(PURPOSE).into_vec();
    message.len() == empty.len() && message.starts_with(&begins)
}

fn signed(day: GamingDay, seq: Seq, hash: Digest, at: Moment) -> Vec<u8> {
    let mut canon = Canonical::new(PURPOSE);
    canon.int(day.0).int(seq.0).fixed(&hash.0).int(at.0);
    canon.into_vec()
}

impl Seal {
    pub fn verify(&self, key: &VerifyingKey) -> bool {
        let signature = Signature::from_bytes(&self.signature);
        key.verify(&signed(self.day, self.seq, self.hash, self.at), &signature).is_ok()
    }

    /// Returns the change that stores this seal in a record.
    pub(crate) fn row_change(&self) -> RowChange {
        let Seal { day, seq, hash, at, signature } = *self;
        RowChange::Seal { day, seq, hash, at, signature: keys::hex(&signature) }
    }

    /// Returns the seal in a record's change, or `None` if the change is not a seal.
    ///
    /// An inner `None` means that the seal's signature is malformed.
    pub(crate) fn of_row_change(row_change: &RowChange) -> Option<Option<Seal>> {
        let RowChange::Seal { day, seq, hash, at, signature } = row_change else { return None };
        let signature = keys::from_hex(signature).and_then(|bytes| bytes.try_into().ok());
        Some(signature.map(|signature| Seal { day: *day, seq: *seq, hash: *hash, at: *at, signature }))
    }

    fn read(row: Found) -> DbResult<Option<Seal>> {
        let mut c = Columns::of(row);
        let (day, seq, hash) = (GamingDay(c.int()?), Seq(c.int()?), c.bytes()?);
        let (at, signature) = (Moment(c.int()?), c.bytes()?);
        Ok(match (Digest::from_slice(&hash), <[u8; 64]>::try_from(signature.as_slice())) {
            (Some(hash), Ok(signature)) => Some(Seal { day, seq, hash, at, signature }),
            _ => None,
        })
    }

    /// Formats the seal as one line of text.
    ///
    /// Files and anchors store it in this form.
    pub fn to_line(&self) -> String {
        let Seal { day, seq, hash, at, signature } = self;
        let signature = keys::hex(signature);
        format!("day={} seq={} hash={hash} at={} signature={signature}\n", day.0, seq.0, at.0)
    }

    /// Parses a seal from a line written by `to_line`. Returns `None` for other text.
    pub fn from_line(line: &str) -> Option<Seal> {
        let mut fields = line.split(' ').filter_map(|part| part.split_once('='));
        let mut field = |name: &str| fields.next().filter(|(key, _)| *key == name).map(|(_, value)| value);
        Some(Seal {
            day: GamingDay(field("day")?.parse().ok()?),
            seq: Seq(field("seq")?.parse().ok()?),
            hash: Digest::from_slice(&keys::from_hex(field("hash")?)?)?,
            at: Moment(field("at")?.parse().ok()?),
            signature: keys::from_hex(field("signature")?)?.try_into().ok()?,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a message that may be signed.
    pub fn message() -> Vec<u8> {
        signed(GamingDay(20_000), Seq(7), Digest([3; 32]), Moment(1_800_000_000_000))
    }

    #[test]
    fn what_is_no_seal_is_told_from_one() {
        assert!(is_a_seal(&message()));
        let mut longer = message();
        longer.push(0);
        assert!(!is_a_seal(&longer) && !is_a_seal(&message()[1..]) && !is_a_seal(b""));
        let mut other = message();
        other[10] ^= 1;
        assert!(!is_a_seal(&other), "another purpose");
    }
}
