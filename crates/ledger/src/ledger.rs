//! The ledger as a whole: the store with its writer, readers, anchors, archive and daily seals.
//!
//! In the background, the ledger anchors the head, archives the journal and checkpoints SQLite's WAL.

use crate::account::Account;
use crate::anchor::{self, Anchor, Loss, Note};
use crate::archive::{self, Archive};
use crate::background::Background;
use crate::backup::{self, BackupError};
use crate::clock::{self, StoredClock, Timepiece};
use crate::copies::{Copies, archiving, last_backup};
use crate::db::{Db, DbError, DbResult, ask_one};
use crate::draft::{Claim, ClaimFrom, Denied, Draft, Epoch, Fault, Receipt};
use crate::durability::Durability;
use crate::ids::{Cents, CommandId, GamingDay, Moment, PersonId, Stream};
use crate::journal::Head;
use crate::nodes::{self, Membership, Node, NodeNotification};
use crate::outage::Outage;
use crate::people::{self, RowChange};
use crate::practice::Practice;
use crate::protect::Protection;
use crate::readers::Readers;
use crate::seal::{Seal, Sealer};
use crate::signer::Signer;
use crate::sqlite::Sqlite;
use crate::store::StoreAddress;
use crate::writer::SecondCopy;
use crate::writer::{Outcomes, Tally, Writer};
use crate::{journal, keys, project, report, row, schema};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicI64;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The reason why a ledger cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("data directory {0} is in use by another server")]
    InUse(PathBuf),
    #[error("cannot use the data directory {0}: {1}")]
    Directory(PathBuf, std::io::Error),
    #[error(
        "durability = \"replicated\" needs PostgreSQL with a synchronous standby; set --database or remove the key"
    )]
    NoStandby,
    #[error("no anchor responds: {0}")]
    NoAnchor(String),
    #[error(
        "records are missing from the journal: {0}. Restore the house from its archive or a backup, or accept the \
            loss with --accept-loss REASON --supervisor NAME"
    )]
    Lost(String),
    #[error(
        "the archive in {0} has record {1}, which the journal lacks; restore the house from it, or choose a new \
            directory with --archive"
    )]
    Archived(PathBuf, i64),
    #[error(transparent)]
    Archive(#[from] BackupError),
    #[error(transparent)]
    Store(#[from] DbError),
}

/// Options for opening a ledger. The default is a local store without anchors and without an archive.
#[derive(Default)]
pub struct Opening {
    /// The start of the gaming day, in milliseconds after midnight UTC.
    pub day_starts_ms: i64,
    /// The durability required before a command is acknowledged.
    pub durability: Durability,
    /// Whether the store is a PostgreSQL database shared with other servers.
    ///
    /// The clock is then the database's, statements have a time limit, and `Ledger::join` must follow.
    pub shared: bool,
    /// The anchors, which store the journal's head outside the database.
    pub anchors: Vec<Box<dyn Anchor>>,
    /// Whether to open despite lost records; `Ledger::accept_loss` must then be called before anything else.
    pub accept_loss: bool,
    /// The archive, a copy of the journal in segments, or `None` if the house has no archive.
    pub archive: Option<Archive>,
    /// The remote signer, or `None` if the keys are in the data directory.
    pub signer: Option<Arc<Signer>>,
    /// An offset added to the machine's clock, in milliseconds, for tests.
    #[doc(hidden)]
    pub shift_ms: Arc<AtomicI64>,
}

/// The longest time a statement may take on a server that holds a lease.
const HURRY: Duration = Duration::from_secs(2);
/// How often the head is written to the anchors, if the head has changed.
const ANCHOR_EVERY: Duration = Duration::from_millis(500);

/// The anchors, and the archive if the house has one.
type Outside = (Vec<Box<dyn Anchor>>, Option<Archive>);

pub struct Ledger {
    place: StoreAddress,
    data: PathBuf,
    /// The writer, dropped before the background jobs so that the jobs see everything that was written.
    writer: Writer,
    clock: Arc<Timepiece>,
    readers: Readers,
    reading: Outage,
    practice: Practice,
    sealer: Arc<Sealer>,
    note: Arc<Note>,
    day_starts_ms: i64,
    durability: Durability,
    losses: Vec<Loss>,
    /// The anchors and the archive, until their jobs start: at opening, or once a supervisor accepts a loss.
    outside: Mutex<Outside>,
    copies: Copies,
    background: Mutex<Vec<Background>>,
    lock: Mutex<Option<File>>,
}

impl Ledger {
    /// Opens the store of a data directory, without anchors. Migrates the store if necessary.
    pub fn open(data: &Path, place: StoreAddress, day_starts_ms: i64) -> Result<Ledger, OpenError> {
        Ledger::open_with(data, place, Opening { day_starts_ms, ..Opening::default() })
    }

    /// Opens the store of a data directory, migrates it, and checks its journal against anchors and archive.
    pub fn open_with(data: &Path, place: StoreAddress, mut opening: Opening) -> Result<Ledger, OpenError> {
        let trouble = |error| OpenError::Directory(data.to_owned(), error);
        if opening.durability == Durability::Replicated && matches!(place, StoreAddress::Sqlite(_)) {
            return Err(OpenError::NoStandby);
        }
        let lock = locked(data)?;
        let sealer = Arc::new(Sealer::open(data, opening.signer.take()).map_err(trouble)?);
        if opening.shared {
            place.refuse_transaction_pooler()?;
        }
        let mut db = laid_out(&place)?;
        opening.durability.attached(&mut *db)?;
        let losses = check_witnesses(&mut *db, data, &sealer, &mut opening)?;
        if let (Some(archive), true) = (opening.archive.as_ref().filter(|a| a.at_once), losses.is_empty()) {
            // Archive older missing records as segments, so that the first command does not wait for them.
            archive.advance(&mut *db)?;
        }
        let mut background = Vec::new();
        if let StoreAddress::Sqlite(path) = &place {
            background.push(write_back(path.clone()));
        }
        let head = journal::head(&mut *db)?;
        let note = Arc::new(Note::open(data, head).map_err(trouble)?);
        let remembered = StoredClock::read(people::setting(&mut *db, clock::SETTING)?);
        // From here on every statement counts against the lease.
        let (database_now, patience) = match opening.shared {
            true => (Some(nodes::database_time(&mut *db)?), Some(HURRY)),
            false => (None, None),
        };
        patience.inspect(|patience| db.hurry(*patience));
        let clock = Arc::new(Timepiece::start(head.at, remembered, (opening.shift_ms, database_now)));
        let day_starts_ms = opening.day_starts_ms;
        let writer = Writer::start(
            place.clone(),
            db,
            Arc::clone(&note),
            (Arc::clone(&clock), day_starts_ms, opening.durability),
            (patience, opening.archive.as_ref().filter(|archive| archive.at_once).map(SecondCopy::of)),
        );
        let ledger = Ledger {
            practice: Practice::new(&place),
            place,
            data: data.to_owned(),
            writer,
            clock,
            readers: Readers::default(),
            reading: Outage::of("reading"),
            sealer,
            note,
            day_starts_ms,
            durability: opening.durability,
            losses,
            outside: Mutex::new((opening.anchors, opening.archive)),
            copies: Copies::default(),
            background: Mutex::new(background),
            lock: Mutex::new(Some(lock)),
        };
        if ledger.losses.is_empty() {
            ledger.write_outside();
        }
        Ok(ledger)
    }

    /// Returns the losses that witnesses such as anchors revealed at opening; empty if no record was lost.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Records a supervisor's decision to continue without the missing records.
    pub fn accept_loss(&self, decision: Draft) -> Result<Receipt, Fault> {
        let receipt = self.commit(decision)?;
        self.read(|db| {
            let mut fits =
                |seal: &Seal| anchor::hash_of(db, seal.seq).is_ok_and(|found| found == Some(seal.hash));
            self.sealer.set_aside(&mut fits).map_err(|error| DbError::Lost(format!("seals.log: {error}")))
        })?;
        self.write_outside();
        Ok(receipt)
    }

    fn write_outside(&self) {
        let mut outside = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        let (anchors, archive) = std::mem::take(&mut *outside);
        let mut background = self.background.lock().unwrap_or_else(PoisonError::into_inner);
        background
            .extend(archive.map(|archive| archiving(archive, self.place.clone(), self.copies.add_archive())));
        for mut anchor in anchors {
            let (note, sealer) = (Arc::clone(&self.note), Arc::clone(&self.sealer));
            let (clock, starts) = (Arc::clone(&self.clock), self.day_starts_ms);
            let up_to_date = self.copies.add_anchor();
            let (mut anew, mut last, mut failed) = (!self.losses.is_empty(), Head::default(), false);
            background.push(Background::every("ledger-anchor", ANCHOR_EVERY, move || {
                let (head, now) = (note.head(), clock.now());
                if head == last {
                    return up_to_date.note();
                }
                let signed = sealer.sign(GamingDay::at(now, starts), head, now).map_err(|e| e.to_string());
                match signed.and_then(|seal| anchor::put(&mut *anchor, &seal, &sealer, anew)) {
                    Ok(()) => {
                        (anew, last, failed) = (false, head, false);
                        up_to_date.note();
                    }
                    Err(error) if !failed => {
                        tracing::error!(%error, anchor = anchor.name(), "cannot anchor the journal's head");
                        failed = true;
                    }
                    Err(_) => {}
                }
            }));
        }
    }

    /// Rebuilds all projections of a stopped house from its journal. Returns the number of records.
    pub fn rebuild(data: &Path, place: &StoreAddress) -> Result<i64, OpenError> {
        let _lock = locked(data)?;
        Ok(project::rebuild(&mut *laid_out(place)?)?)
    }

    /// Appends an archive's newer records to the store of a stopped house, and repeats that until `again` returns
    /// false.
    pub fn follow(
        data: &Path,
        place: &StoreAddress,
        archive: &Path,
        mut again: impl FnMut(Head) -> bool,
    ) -> Result<(), OpenError> {
        let _lock = locked(data)?;
        let mut db = laid_out(place)?;
        while again(archive::catch_up(&mut *db, archive)?) {}
        Ok(())
    }

    /// Submits a command. The writer's thread calls `reply` once the command is durable or has failed.
    pub fn submit(&self, draft: Draft, reply: impl FnOnce(Result<Receipt, Fault>) + Send + 'static) {
        self.writer.submit(draft, reply);
    }

    /// Submits a chain of commands. The ledger stores each only if it newly stores the one before, in the same
    /// call. The other commands fail with `Denied::Behind`. When `reply` is called, every stored command is
    /// durable.
    pub fn submit_chain(&self, drafts: Vec<Draft>, reply: impl FnOnce(Outcomes) + Send + 'static) {
        self.writer.submit_chain(drafts, reply);
    }

    /// Submits one command and waits for its receipt.
    pub fn commit(&self, draft: Draft) -> Result<Receipt, Fault> {
        let (answer, answered) = channel();
        self.submit(draft, move |outcome| {
            // The send fails only if the waiting thread has ended.
            let _ = answer.send(outcome);
        });
        self.writer.write_now();
        answered.recv().unwrap_or_else(|_| Err(Fault::Unknown(DbError::Lost("ledger stopped".into()))))
    }

    /// Stores changes to people, sessions or settings. Calls `reply` once the changes are durable or have failed.
    pub fn store_rows(&self, rows: Vec<RowChange>, reply: impl FnOnce(DbResult<()>) + Send + 'static) {
        let mut draft = match house_draft("people") {
            Ok(draft) => draft,
            Err(error) => return reply(Err(error)),
        };
        draft.row_changes = rows;
        self.submit(draft, |outcome| reply(outcome.map(|_| ()).map_err(refused)));
    }

    /// Runs `question` on a read connection. The connection sees every command acknowledged so far.
    ///
    /// Blocks; call it where blocking is allowed.
    pub fn read<T>(&self, question: impl FnOnce(&mut dyn Db) -> DbResult<T>) -> DbResult<T> {
        let found = self.readers.ask(&self.place, question);
        match &found {
            Ok(_) => self.reading.worked(),
            Err(error @ (DbError::Lost(_) | DbError::Full(_))) => self.reading.failed(error),
            // A missing standby says nothing about reading, and a refusal is not an outage.
            Err(DbError::Alone(_) | DbError::Refused(_)) => {}
        }
        found
    }

    /// Returns a person's practice data (not in the journal) for a subject, or `None` if there is none. Blocks.
    pub fn practice_data(&self, person: PersonId, subject: &str) -> DbResult<Option<Vec<u8>>> {
        self.practice.of(person, subject)
    }

    /// Replaces a person's practice data with the result of `change`. Blocks.
    pub fn change_practice<E: From<DbError>>(
        &self,
        person: PersonId,
        subject: &str,
        change: impl FnOnce(Option<Vec<u8>>) -> Result<Vec<u8>, E>,
    ) -> Result<(), E> {
        self.practice.change(person, subject, change)
    }

    /// Deletes all practice data of a person. Blocks.
    pub fn forget_practice(&self, person: PersonId) -> DbResult<()> {
        self.practice.forget(person)
    }

    pub fn balance(&self, account: Account) -> DbResult<Cents> {
        self.read(|db| report::balance(db, account))
    }

    pub fn head(&self) -> DbResult<Head> {
        self.read(journal::head)
    }

    pub fn protection(&self, person: PersonId) -> DbResult<Protection> {
        let today = self.today();
        let mut found = self.read(|db| project::protections(db, &BTreeSet::from([person]), today))?;
        Ok(found.remove(&person).unwrap_or_default())
    }

    pub fn today(&self) -> GamingDay {
        GamingDay::at(self.now(), self.day_starts_ms)
    }

    /// Returns the current time on the house's clock.
    pub fn now(&self) -> Moment {
        self.clock.now()
    }

    pub fn clock(&self) -> &Timepiece {
        &self.clock
    }

    /// Makes `owner` the owner of a table, whoever owns the table now, and returns the new epoch.
    pub fn take_over(&self, stream: Stream, owner: &str) -> DbResult<Epoch> {
        self.change_owner("taken-over", stream, (owner, ClaimFrom::Anybody)).map_err(refused)
    }

    /// Makes `owner` the owner of a table, and returns the new epoch. Returns `None` if another live node owns it.
    pub fn take_if_free(&self, stream: Stream, owner: &str) -> DbResult<Option<Epoch>> {
        match self.change_owner("taken-over", stream, (owner, ClaimFrom::TheAbsent)) {
            Ok(epoch) => Ok(Some(epoch)),
            Err(Fault::Denied(Denied::Held)) => Ok(None),
            Err(fault) => Err(refused(fault)),
        }
    }

    /// Gives back a table that this node owns with `epoch`. From then on, commands with this epoch are refused.
    pub fn give_back(&self, stream: Stream, epoch: Epoch) -> DbResult<()> {
        match self.change_owner("given-back", stream, (nodes::NOBODY, ClaimFrom::Owner(epoch))) {
            // Another node already owns it.
            Ok(_) | Err(Fault::Denied(Denied::Fenced)) => Ok(()),
            Err(fault) => Err(refused(fault)),
        }
    }

    fn change_owner(
        &self,
        kind: &'static str,
        stream: Stream,
        (owner, from): (&str, ClaimFrom),
    ) -> Result<Epoch, Fault> {
        let mut draft = house_draft(kind)?;
        draft.claim = Some(Claim { stream, owner: owner.to_owned(), from });
        let receipt = self.commit(draft)?;
        let epoch = std::str::from_utf8(&receipt.answer).ok().and_then(|text| text.parse().ok());
        let epoch = epoch.map(Epoch);
        epoch.ok_or_else(|| DbError::Refused("the epoch is not a number".into()).into())
    }

    /// Joins the house as one of several nodes. Calls `tell` with each notification until this node leaves.
    pub fn join(&self, node: Node, tell: impl Fn(NodeNotification) + Send + 'static) -> DbResult<Membership> {
        let StoreAddress::Postgres(url) = &self.place else {
            return Err(DbError::Refused("several nodes need PostgreSQL; set --database".into()));
        };
        let (keys, clock) = (keys::hex(&self.public_key()), Arc::clone(&self.clock));
        self.read(|db| nodes::join(db, url, (node, keys), (clock, Box::new(tell))))
    }

    /// Signs the journal's head as the seal of today's gaming day. Returns `None` if the day already has a seal.
    pub fn seal_today(&self) -> DbResult<Option<Seal>> {
        let (today, now) = (self.today(), self.now());
        let sealed = "SELECT seq FROM seals WHERE day = $1";
        let unsealed = |db: &mut dyn Db| match ask_one(db, sealed, row![today.0])?.is_empty() {
            true => journal::head(db).map(Some),
            false => Ok(None),
        };
        let Some(head) = self.read(unsealed)? else {
            return Ok(None);
        };
        let seal = self.sealer.sign(today, head, now).map_err(|error| DbError::Lost(error.to_string()))?;
        let mut draft = house_draft("seal")?;
        // The fixed id allows one seal a day, even if several nodes try.
        draft.command = CommandId::own(&format!("seal-{}", today.0)).unwrap_or(draft.command);
        draft.row_changes.push(seal.row_change());
        if self.commit(draft).map_err(refused)?.repeated {
            return Ok(None);
        }
        if let Err(error) = self.sealer.copy(&seal) {
            tracing::error!(%error, "cannot write the second copy of the seal");
        }
        Ok(Some(seal))
    }

    /// Returns whether this house's key signed the store's last seal. Also true if the store has no seal.
    pub fn key_fits(&self) -> DbResult<bool> {
        self.read(|db| self.sealer.fits(db))
    }

    /// Stores a remote signer's public key. A signer with another key can then no longer open this house.
    pub fn remember_key(&self) -> std::io::Result<()> {
        self.sealer.remember(&self.data)
    }

    /// Returns the house's signing key, which signs seals and statements about shoes.
    pub fn sealer(&self) -> Arc<Sealer> {
        Arc::clone(&self.sealer)
    }

    /// Returns the public key that verifies the seals.
    pub fn public_key(&self) -> [u8; 32] {
        self.sealer.public().to_bytes()
    }

    /// Writes a backup of everything, keys included, while play continues.
    pub fn backup(&self, into: &Path) -> Result<backup::Summary, backup::BackupError> {
        let mut db = self.place.reader()?;
        backup::write(&mut *db, &self.data, into)
    }

    /// Returns an error if writes are currently less durable than the house requires.
    pub fn durable(&self) -> DbResult<()> {
        self.read(|db| self.durability.attached(db))
    }

    pub fn healthy(&self) -> bool {
        self.writer.healthy()
    }

    /// Returns when each copy of the journal outside the store was last complete.
    pub fn copies(&self) -> &Copies {
        &self.copies
    }

    /// Returns the time of the last backup, or `None` if there was none.
    pub fn last_backup(&self) -> Option<Moment> {
        last_backup(&self.data)
    }

    pub fn tally(&self) -> &Tally {
        self.writer.tally()
    }

    /// Returns how many reads have failed since the ledger opened.
    pub fn failed_reads(&self) -> u64 {
        self.reading.total()
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    pub fn place(&self) -> &StoreAddress {
        &self.place
    }

    /// Finishes pending commands, stops writing, and releases the data directory.
    pub fn close(&self) {
        self.store_rows(vec![self.clock.row()], |_| {});
        self.writer.stop();
        self.end_background();
        self.readers.close();
        self.practice.close();
        if let Ok(mut lock) = self.lock.lock() {
            lock.take();
        }
    }

    /// Stops the background jobs; each runs one last time.
    fn end_background(&self) {
        self.background.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Limits the store to `pages` pages, to simulate a full disk.
    #[doc(hidden)]
    pub fn cap_pages_for_test(&self, pages: i64) -> DbResult<()> {
        self.writer.run(move |db| match db.as_sqlite() {
            Some(sqlite) => sqlite.cap_pages(pages),
            None => Ok(()),
        })
    }
}

/// Checks the journal against archive and anchors. Returns the losses, or an error if losses are not accepted.
fn check_witnesses(
    db: &mut dyn Db,
    data: &Path,
    sealer: &Sealer,
    opening: &mut Opening,
) -> Result<Vec<Loss>, OpenError> {
    if let Some(archive) = &opening.archive {
        keys::private_directory(&archive.directory)
            .map_err(|error| OpenError::Directory(archive.directory.clone(), error))?;
        if let Some((seq, hash)) = archive.last()?
            && anchor::hash_of(db, seq)? != Some(hash)
        {
            return Err(OpenError::Archived(archive.directory.clone(), seq.0));
        }
    }
    let held = anchor::check_journal(db, data, sealer, &mut opening.anchors)?;
    let told = |told: &[String]| told.join("; ");
    if !held.unreachable.is_empty() && held.unreachable.len() == opening.anchors.len() {
        return Err(OpenError::NoAnchor(told(&held.unreachable)));
    }
    held.unreachable.iter().for_each(|silent| tracing::error!(silent, "an anchor does not respond"));
    if !held.losses.is_empty() && !opening.accept_loss {
        return Err(OpenError::Lost(told(&held.losses.iter().map(Loss::to_string).collect::<Vec<_>>())));
    }
    Ok(held.losses)
}

/// Opens a store for writing, and creates the tables if the store is new.
fn laid_out(place: &StoreAddress) -> DbResult<Box<dyn Db>> {
    let mut db = place.writer()?;
    let shared = matches!(place, StoreAddress::Postgres(_));
    if shared {
        db.define(nodes::LOCK_STORE)?;
    }
    schema::create(&mut *db)?;
    if shared {
        db.define(nodes::UNLOCK_STORE)?;
    }
    Ok(db)
}

/// Locks the data directory, so that only one server uses the directory at a time.
fn locked(data: &Path) -> Result<File, OpenError> {
    let trouble = |error| OpenError::Directory(data.to_owned(), error);
    keys::private_directory(data).map_err(trouble)?;
    let lock = keys::private_file(&data.join("lock")).map_err(trouble)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(std::fs::TryLockError::WouldBlock) => Err(OpenError::InUse(data.to_owned())),
        Err(std::fs::TryLockError::Error(error)) => Err(trouble(error)),
    }
}

/// Returns a draft of a command by the house itself.
fn house_draft(kind: &'static str) -> DbResult<Draft> {
    let id = CommandId::fresh().map_err(|e| DbError::Lost(e.to_string()))?;
    Ok(Draft::new(Stream::House, PersonId::HOUSE, id, kind))
}

fn refused(fault: Fault) -> DbError {
    match fault {
        Fault::Store(error) | Fault::Unknown(error) => error,
        Fault::Denied(denied) => DbError::Refused(denied.to_string()),
    }
}

const WRITE_BACK_EVERY: Duration = Duration::from_millis(700);
const WRITE_BACK_FROM_BYTES: u64 = 4 << 20;

/// Returns a background job that checkpoints SQLite's WAL, so that the writer rarely has to do so.
fn write_back(path: PathBuf) -> Background {
    let mut wal = path.clone().into_os_string();
    wal.push("-wal");
    let mut db = None;
    Background::every("ledger-log", WRITE_BACK_EVERY, move || {
        if std::fs::metadata(&wal).map_or(0, |found| found.len()) < WRITE_BACK_FROM_BYTES {
            return;
        }
        if db.is_none() {
            db = Sqlite::open(&path).ok();
        }
        if let Some(Err(error)) = db.as_mut().map(Sqlite::write_back) {
            tracing::warn!(%error, "checkpointing the database's write-ahead log");
            db = None;
        }
    })
}
