//! The daily seal: the head of the journal signed with the house's key, so that nobody can rewrite the past together
//! with all its hashes. Seals are records, and written to a text file beside the store as a second copy.

use crate::anchor::new_keys;
use crate::canon::Canon;
use crate::db::{Columns, Db, DbResult, Found, ask_one};
use crate::ids::{GamingDay, Moment, Seq};
use crate::journal::Head;
use crate::keys;
use crate::people::Keep;
use crate::record::Digest;
use crate::row;
pub use ed25519_dalek::VerifyingKey as PublicKey;
use ed25519_dalek::{Signature, Signer as _, SigningKey, Verifier as _, VerifyingKey};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    pub day: GamingDay,
    pub seq: Seq,
    pub hash: Digest,
    pub at: Moment,
    pub signature: [u8; 64],
}

/// The house's signing key and where its seals are copied to.
pub struct Sealer {
    key: SigningKey,
    copies: PathBuf,
    /// The key was there already, and something was recorded under it.
    used: bool,
}

impl Sealer {
    /// Makes the key if there is none, marked as new until the journal has a record.
    pub fn open(data: &Path) -> io::Result<Sealer> {
        let directory = data.join("keys");
        if !directory.join(KEY).exists() {
            std::fs::create_dir_all(&directory)?;
            keys::write_private(&new_keys(data), b"")?;
            keys::key(&directory, KEY)?;
        }
        Sealer::existing(data)
    }

    /// For those who only read: makes no key.
    pub fn existing(data: &Path) -> io::Result<Sealer> {
        let secret = keys::existing_key(&data.join("keys"), KEY)?;
        let used = !new_keys(data).exists();
        Ok(Sealer { key: SigningKey::from_bytes(&secret), copies: data.join("seals.log"), used })
    }

    /// Was anything recorded under this key before now?
    pub fn used_before(&self) -> bool {
        self.used
    }

    pub fn public(&self) -> VerifyingKey {
        self.key.verifying_key()
    }

    /// Is the last seal of a store this key's? A store without seals is anybody's.
    pub fn fits(&self, db: &mut dyn Db) -> DbResult<bool> {
        let sql = "SELECT day, seq, hash, at, signature FROM seals ORDER BY seq DESC LIMIT 1";
        match ask_one(db, sql, row![])?.into_iter().next() {
            Some(row) => Ok(Seal::read(row)?.is_some_and(|seal| seal.verify(&self.public()))),
            None => Ok(true),
        }
    }

    /// Signs a head of the journal.
    pub fn sign(&self, day: GamingDay, head: Head, now: Moment) -> Seal {
        let signature = self.key.sign(&signed(day, head.seq, head.hash, now)).to_bytes();
        Seal { day, seq: head.seq, hash: head.hash, at: now, signature }
    }

    /// Writes a seal to the second copy.
    pub fn copy(&self, seal: &Seal) -> io::Result<()> {
        let mut file = keys::private_file(&self.copies)?;
        file.write_all(seal.to_line().as_bytes())?;
        file.sync_all()
    }

    /// Puts those copies aside that do not fit the journal, when their loss was accepted.
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

fn signed(day: GamingDay, seq: Seq, hash: Digest, at: Moment) -> Vec<u8> {
    let mut canon = Canon::new("cutcard seal 1");
    canon.int(day.0).int(seq.0).fixed(&hash.0).int(at.0);
    canon.into_vec()
}

impl Seal {
    pub fn verify(&self, key: &VerifyingKey) -> bool {
        let signature = Signature::from_bytes(&self.signature);
        key.verify(&signed(self.day, self.seq, self.hash, self.at), &signature).is_ok()
    }

    /// The change that a seal's record makes.
    pub(crate) fn keep(&self) -> Keep {
        let Seal { day, seq, hash, at, signature } = *self;
        Keep::Seal { day, seq, hash, at, signature: keys::hex(&signature) }
    }

    /// Reads such a change.
    pub(crate) fn of_keep(keep: &Keep) -> Option<Option<Seal>> {
        let Keep::Seal { day, seq, hash, at, signature } = keep else { return None };
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

    /// A line of the second copy, and of an anchor.
    pub fn to_line(&self) -> String {
        let Seal { day, seq, hash, at, signature } = self;
        let signature = keys::hex(signature);
        format!("day={} seq={} hash={hash} at={} signature={signature}\n", day.0, seq.0, at.0)
    }

    /// Reads such a line.
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
