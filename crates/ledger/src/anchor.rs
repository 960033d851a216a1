//! Anchors: places outside the database that store the signed journal head.
//!
//! A database that was rolled back or truncated, or that lost its log, is consistent in itself, so that only
//! evidence from outside shows the loss. When the house opens, it therefore checks the journal against several
//! witnesses: the database's own head, a file written beside the database after every transaction, the copies of
//! the seals, and the anchors.

use crate::db::{Columns, Db, DbResult, Purpose, ask_one, transact};
use crate::ids::Seq;
use crate::journal::{self, Head};
use crate::keys;
use crate::record::{Digest, GENESIS};
use crate::seal::{Seal, Sealer};
use crate::store::StoreAddress;
use crate::{row, schema};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A place outside the database that stores one line: the signed journal head.
pub trait Anchor: Send {
    /// Returns the anchor's name, for messages.
    fn name(&self) -> String;
    /// Returns the line stored last, or `None` if none was stored.
    fn last(&mut self) -> Result<Option<String>, String>;
    fn put(&mut self, line: &str) -> Result<(), String>;
}

/// An anchor stored as a file in a directory.
///
/// The directory is best on another machine's disk.
pub struct InDirectory(pub PathBuf);

impl InDirectory {
    fn file(&self) -> PathBuf {
        self.0.join("cutcard.anchor")
    }
}

impl Anchor for InDirectory {
    fn name(&self) -> String {
        format!("the anchor in {}", self.0.display())
    }

    fn last(&mut self) -> Result<Option<String>, String> {
        match std::fs::read_to_string(self.file()) {
            Ok(line) => Ok(Some(line)),
            // A missing directory means an unmounted disk, not a new anchor.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.0.is_dir() => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    fn put(&mut self, line: &str) -> Result<(), String> {
        keys::write_private(&self.file(), line.as_bytes()).map_err(|error| error.to_string())
    }
}

/// An anchor stored in a database other than the house's.
pub struct InDatabase {
    place: StoreAddress,
    db: Option<Box<dyn Db>>,
}

/// The SQL that creates the anchor table in the second database.
///
/// A house's own store has this table only if the store also serves as another house's anchor.
pub(crate) const TABLE: &str = "CREATE TABLE IF NOT EXISTS cutcard_anchor \
    (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), line TEXT NOT NULL) STRICT";

impl InDatabase {
    pub fn at(place: StoreAddress) -> InDatabase {
        InDatabase { place, db: None }
    }

    fn with<T>(&mut self, work: impl FnOnce(&mut dyn Db) -> DbResult<T>) -> Result<T, String> {
        let attempt = || {
            let mut db = match self.db.take() {
                Some(db) => db,
                None => self.place.writer()?,
            };
            db.define(TABLE)?;
            let done = work(&mut *db)?;
            self.db = Some(db);
            Ok(done)
        };
        attempt().map_err(|error: crate::DbError| error.to_string())
    }
}

impl Anchor for InDatabase {
    fn name(&self) -> String {
        "the anchor in a second database".into()
    }

    fn last(&mut self) -> Result<Option<String>, String> {
        self.with(|db| {
            let rows = ask_one(db, "SELECT line FROM cutcard_anchor WHERE one = 1", row![])?;
            rows.into_iter().next().map(|row| Columns::of(row).text()).transpose()
        })
    }

    fn put(&mut self, line: &str) -> Result<(), String> {
        let sql = "INSERT INTO cutcard_anchor (one, line) VALUES (1, $1) \
                   ON CONFLICT (one) DO UPDATE SET line = excluded.line";
        self.with(|db| transact(db, Purpose::Write, |db| db.run(sql, &[row![line]]).map(|_| ())))
    }
}

/// Stores the signed journal head `seal` in the anchor, unless the anchor has a later head signed with the same
/// key.
///
/// If `anew` is set, overwrites the anchor in any case.
pub(crate) fn put(anchor: &mut dyn Anchor, seal: &Seal, sealer: &Sealer, anew: bool) -> Result<(), String> {
    let last = if anew { None } else { anchor.last()? };
    let later = last.and_then(|line| Seal::from_line(line.trim())).filter(|last| last.seq > seal.seq);
    match later.is_some_and(|last| last.verify(&sealer.public())) {
        true => Ok(()),
        false => anchor.put(&seal.to_line()),
    }
}

/// A contradiction between the journal and a witness such as an anchor.
///
/// The witness knows of a record that is missing from the journal, or that has another hash there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The name of the witness, such as `seals.log`.
    pub witness: String,
    /// The number of the lost record, or `Seq(0)` if unknown.
    pub seq: Seq,
    pub what: String,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.witness, self.what)
    }
}

/// The result of checking the journal against its witnesses.
///
/// `unreachable` names each anchor that did not respond, with the reason. The house opens if one anchor responds.
pub struct AnchorReport {
    pub losses: Vec<Loss>,
    pub unreachable: Vec<String>,
}

/// What a witness says: its name, and the number and hash of the record that it knows of.
///
/// The record is `None` if the witness's line cannot be read or is not signed with the house's key.
type Known = (String, Option<(Seq, Digest)>);

/// Checks the journal against its witnesses.
///
/// The witnesses are the store's head, the `head` file, the copies of the seals, and the anchors.
pub fn check_journal(
    db: &mut dyn Db,
    data: &Path,
    sealer: &Sealer,
    anchors: &mut [Box<dyn Anchor>],
) -> DbResult<AnchorReport> {
    let mut held = AnchorReport { losses: Vec::new(), unreachable: Vec::new() };
    let mut known: Vec<Known> = Vec::new();
    let read = |name: &str| std::fs::read_to_string(data.join(name)).ok();
    // Read these before the journal: a running house keeps appending meanwhile.
    if let Some(note) = read(NOTE).filter(|note| !note.is_empty()) {
        known.push(("the head file next to the store".into(), note_of(&note)));
    }
    for line in read("seals.log").iter().flat_map(|text| text.lines()) {
        known.push(("seals.log".into(), Seal::from_line(line).map(|seal| (seal.seq, seal.hash))));
    }
    for anchor in anchors.iter_mut() {
        match anchor.last() {
            Ok(None) => {}
            Ok(Some(line)) => {
                let seal = Seal::from_line(line.trim()).filter(|seal| seal.verify(&sealer.public()));
                known.push((anchor.name(), seal.map(|seal| (seal.seq, seal.hash))));
            }
            Err(why) => held.unreachable.push(format!("{}: {why}", anchor.name())),
        }
    }
    schema::must_fit(db)?;
    held.losses = transact(db, Purpose::Snapshot, |db| losses(db, known, sealer))?;
    Ok(held)
}

/// Returns the losses that the witnesses reveal.
///
/// The witnesses are those in `known`, the store's own head, and keys that were used before although the journal
/// is empty.
fn losses(db: &mut dyn Db, mut known: Vec<Known>, sealer: &Sealer) -> DbResult<Vec<Loss>> {
    let (head, last) = (journal::head(db)?, last_record(db)?);
    known.push(("the store's head".into(), Some((head.seq, head.hash))));
    let mut losses = Vec::new();
    for (witness, known) in known {
        let lost = |seq, what| losses.push(Loss { witness, seq, what });
        let Some((seq, hash)) = known else {
            lost(Seq(0), "its last line cannot be read or is not signed by this house's key".into());
            continue;
        };
        match hash_of(db, seq)? {
            Some(found) if found == hash => {}
            Some(_) => lost(seq, format!("its record {} is different from the journal's", seq.0)),
            None => lost(seq, format!("it has record {}, but the journal ends at record {}", seq.0, last.0)),
        }
    }
    if last > head.seq {
        let what = format!("it ends at record {}, but the journal ends at record {}", head.seq.0, last.0);
        losses.push(Loss { witness: "the store's head".into(), seq: last, what });
    }
    if last == Seq(0) && sealer.used_before() {
        let what = "they were used before, but the journal is empty".into();
        losses.push(Loss { witness: "the keys of the data directory".into(), seq: Seq(0), what });
    }
    Ok(losses)
}

pub(crate) fn hash_of(db: &mut dyn Db, seq: Seq) -> DbResult<Option<Digest>> {
    if seq == Seq(0) {
        return Ok(Some(GENESIS));
    }
    let rows = ask_one(db, "SELECT hash FROM journal WHERE seq = $1", row![seq.0])?;
    let hash = rows.into_iter().next().map(|row| Columns::of(row).bytes()).transpose()?;
    Ok(hash.and_then(|bytes| Digest::from_slice(&bytes)))
}

fn last_record(db: &mut dyn Db) -> DbResult<Seq> {
    let rows = ask_one(db, "SELECT MAX(seq) FROM journal", row![])?;
    let last = rows.into_iter().next().map(|row| Columns::of(row).maybe_int()).transpose()?.flatten();
    Ok(Seq(last.unwrap_or(0)))
}

/// The name of the file next to the store that holds the head after the last transaction.
const NOTE: &str = "head";

fn note_of(text: &str) -> Option<(Seq, Digest)> {
    let (seq, hash) = text.trim_end().strip_prefix("seq=")?.split_once(" hash=")?;
    Some((Seq(seq.parse().ok()?), Digest::from_slice(&keys::from_hex(hash)?)?))
}

/// The file `head` next to the store, which holds the journal's head after the last transaction.
///
/// The file is written after every transaction, before the commands are acknowledged. It is overwritten in place
/// and not synced: after a power cut, the file may lag behind the store, but it is never ahead.
pub struct Note {
    file: File,
    head: Mutex<Head>,
    /// The path of the file that marks the keys as new, or `None` once the file is removed.
    ///
    /// The file is removed when the journal has a record.
    new_keys: Mutex<Option<PathBuf>>,
}

impl Note {
    pub fn open(data: &Path, head: Head) -> io::Result<Note> {
        let path = data.join(NOTE);
        // A file opened for appending cannot be overwritten in place.
        drop(keys::private_file(&path)?);
        let file = std::fs::OpenOptions::new().write(true).open(&path)?;
        file.sync_all()?;
        let marker = new_keys(data);
        let new_keys = Mutex::new(marker.exists().then_some(marker));
        Ok(Note { file, head: Mutex::new(head), new_keys })
    }

    pub fn write(&self, head: Head) -> io::Result<()> {
        *self.head.lock().unwrap_or_else(PoisonError::into_inner) = head;
        // The line always has the same length, so it overwrites the previous one.
        self.file.write_all_at(format!("seq={:020} hash={}\n", head.seq.0, head.hash).as_bytes(), 0)?;
        match self.new_keys.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(marker) => std::fs::remove_file(marker),
            None => Ok(()),
        }
    }

    pub fn head(&self) -> Head {
        *self.head.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the path of the file that marks the keys as new: the journal has no record under them yet.
pub(crate) fn new_keys(data: &Path) -> PathBuf {
    data.join("keys").join("new")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{GamingDay, Moment};

    #[test]
    fn a_later_head_of_the_same_key_stays() {
        let (data, others, outside) = (tempfile::tempdir(), tempfile::tempdir(), tempfile::tempdir());
        let [data, others, outside] = [data, others, outside].map(|made| made.expect("temp dir"));
        let sealer = Sealer::open(data.path(), None).expect("a key");
        let stranger = Sealer::open(others.path(), None).expect("another key");
        let mut anchor = InDirectory(outside.path().to_owned());
        let seal = |sealer: &Sealer, seq: i64, at: i64| {
            let head = Head { seq: Seq(seq), hash: Digest([7; 32]), at: Moment(at) };
            sealer.sign(GamingDay(1), head, Moment(at)).expect("signed")
        };
        let mut put = |seal: Seal, anew: bool| {
            super::put(&mut anchor, &seal, &sealer, anew).expect("put");
            let last = Seal::from_line(anchor.last().expect("read").expect("there").trim()).expect("a seal");
            (last.seq.0, last.at.0)
        };
        assert_eq!(put(seal(&sealer, 5, 1), false), (5, 1));
        assert_eq!(
            put(seal(&sealer, 4, 2), false),
            (5, 1),
            "an older head does not replace a newer one of the same house"
        );
        assert_eq!(put(seal(&sealer, 5, 3), false), (5, 3));
        assert_eq!(put(seal(&sealer, 6, 4), false), (6, 4));
        assert_eq!(
            put(seal(&sealer, 2, 5), true),
            (2, 5),
            "after a loss is accepted, an older head replaces a newer one"
        );
        anchor_line(outside.path(), &seal(&stranger, 9, 6));
        assert_eq!(put(seal(&sealer, 3, 7), false), (3, 7), "a line signed with another key is ignored");
    }

    fn anchor_line(directory: &Path, seal: &Seal) {
        InDirectory(directory.to_owned()).put(&seal.to_line()).expect("put");
    }
}
