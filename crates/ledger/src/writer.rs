//! Group commit: one thread owns the writing connection and stores all waiting commands in batches.
//!
//! The commands of a batch share one transaction and one disk sync. No command is acknowledged before its
//! transaction is durable.

use crate::anchor::Note;
use crate::archive::Archive;
use crate::clock::Timepiece;
use crate::db::{Db, DbError, DbResult};
use crate::draft::{Denied, Draft, Fault, Receipt};
use crate::durability::Durability;
use crate::live_segment::LiveSegment;
use crate::outage::Outage;
use crate::store::StoreAddress;
use crate::world;
use crate::write::{Verdicts, write_batch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::time::Instant;

/// The maximum number of commands in one transaction, which bounds how long the first command waits.
const BATCH: usize = 512;
/// The maximum number of waiting commands, which bounds memory.
///
/// Callers that submit more commands block.
const QUEUE: usize = 8192;

/// The length of one nap of the writer, in which further commands may arrive for the next transaction.
///
/// Clients that were just answered usually send another command, and a transaction costs the same for one command
/// as for many. So the writer naps while fewer commands wait than were just answered. A single player never waits.
const NAP: Duration = Duration::from_micros(50);
/// The number of naps in a row that the writer may always take.
///
/// It may take more if more naps fit into a tenth of the last transaction's time. A nap that brings no command is
/// the last in the row.
const NAPS: usize = 2;
const NAPPED: u32 = 10;

/// The results of the commands in a chain, in order.
pub type Outcomes = Vec<Result<Receipt, Fault>>;
type Reply = Box<dyn FnOnce(Result<Receipt, Fault>) + Send>;
type ChainReply = Box<dyn FnOnce(Outcomes) + Send>;
type Job = Box<dyn FnOnce(&mut dyn Db) + Send>;

enum Work {
    Command(Box<Draft>, Reply),
    Chain(Vec<Draft>, ChainReply),
    Job(Job),
    Stop,
}

/// The commands for the next transaction, and their replies.
#[derive(Default)]
struct Waiting {
    drafts: Vec<Draft>,
    replies: Vec<Answer>,
    /// The number of drafts passed to `write_batch` so far.
    commands: usize,
}

impl Waiting {
    fn has_room(&self) -> bool {
        self.drafts.len() < BATCH && self.replies.len() < BATCH
    }

    /// Adds a command or a chain of commands and returns `None`. Returns any other work to the caller.
    fn add(&mut self, work: Work) -> Option<Work> {
        match work {
            Work::Command(draft, reply) => {
                self.drafts.push(*draft);
                self.replies.push(Answer::One(reply));
            }
            Work::Chain(drafts, reply) => {
                self.replies.push(Answer::Chain(drafts.len(), reply));
                self.drafts.extend(drafts);
            }
            other => return Some(other),
        }
        None
    }
}

enum Answer {
    One(Reply),
    Chain(usize, ChainReply),
}

/// The writer's counters, for metrics.
#[derive(Debug, Default)]
pub struct Tally {
    pub batches: AtomicU64,
    pub commands: AtomicU64,
    pub failures: AtomicU64,
    pub busy_micros: AtomicU64,
}

pub struct Writer {
    queue: SyncSender<Work>,
    healthy: Arc<AtomicBool>,
    tally: Arc<Tally>,
    hand: Hand,
}

/// Where the writer runs: on its own thread, or, in a simulation, on the threads of its callers.
enum Hand {
    Thread(Mutex<Option<JoinHandle<()>>>),
    /// On the threads of the callers, in a simulation: the caller that submits work also writes it, after a pause.
    Asker(Arc<Mutex<(Turn, Receiver<Work>)>>),
}

impl Writer {
    pub fn start(
        place: StoreAddress,
        db: Box<dyn Db>,
        note: Arc<Note>,
        (clock, day_starts_ms, durability): (Arc<Timepiece>, i64, Durability),
        (patience, second_copy): (Option<Duration>, Option<SecondCopy>),
    ) -> Writer {
        let (queue, work) = sync_channel(QUEUE);
        let healthy = Arc::new(AtomicBool::new(true));
        let tally = Arc::new(Tally::default());
        let mut turn = Turn {
            place,
            db: Some(db),
            note,
            clock,
            day_starts_ms,
            durability,
            patience,
            second_copy,
            healthy: Arc::clone(&healthy),
            tally: Arc::clone(&tally),
            outage: Outage::of("writing"),
            tried: None,
            put_off: None,
            answered: 0,
            took: Duration::ZERO,
        };
        let hand = match world::simulated() {
            Some(_) => Hand::Asker(Arc::new(Mutex::new((turn, work)))),
            None => {
                let serve = move || turn.serve(&work);
                Hand::Thread(Mutex::new(std::thread::Builder::new().name("ledger".into()).spawn(serve).ok()))
            }
        };
        Writer { queue, healthy, tally, hand }
    }

    /// Submits a command.
    ///
    /// Calls `reply` on the writer's thread once the outcome is known.
    pub fn submit(&self, draft: Draft, reply: impl FnOnce(Result<Receipt, Fault>) + Send + 'static) {
        self.send(Work::Command(Box::new(draft), Box::new(reply)));
        self.write_soon();
    }

    /// Submits a chain of commands. Each is stored only if the one before it is newly stored in the same call.
    pub fn submit_chain(&self, mut drafts: Vec<Draft>, reply: impl FnOnce(Outcomes) + Send + 'static) {
        drafts.iter_mut().skip(1).for_each(|draft| draft.follows = true);
        self.send(Work::Chain(drafts, Box::new(reply)));
        self.write_soon();
    }

    /// Runs `job` on the writing connection between two batches, and returns the job's result.
    pub fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut dyn Db) -> DbResult<T> + Send + 'static,
    ) -> DbResult<T> {
        let (answer, answered) = sync_channel(1);
        self.send(Work::Job(Box::new(move |db| {
            // The caller may be gone; then nobody needs the answer.
            let _ = answer.send(job(db));
        })));
        self.write_now();
        answered.recv().unwrap_or_else(|_| Err(stopped()))
    }

    /// If there is no writer thread, starts a task that writes the waiting commands after a pause.
    fn write_soon(&self) {
        let (Hand::Asker(turn), Some(world)) = (&self.hand, world::simulated()) else { return };
        let (turn, pause) = (Arc::clone(turn), world.pause());
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            write_now(&turn);
        });
    }

    /// Writes the waiting commands immediately if there is no writer thread.
    ///
    /// Call it when the caller waits for the outcome.
    pub(crate) fn write_now(&self) {
        if let Hand::Asker(turn) = &self.hand {
            write_now(turn);
        }
    }

    pub fn healthy(&self) -> bool {
        self.healthy.load(Ordering::Relaxed)
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Writes all waiting commands, and then stops the writer.
    pub fn stop(&self) {
        self.send(Work::Stop);
        match &self.hand {
            Hand::Asker(turn) => write_now(turn),
            Hand::Thread(thread) => {
                let thread = thread.lock().map(|mut t| t.take()).unwrap_or(None);
                if let Some(thread) = thread
                    && thread.join().is_err()
                {
                    tracing::error!("the ledger thread panicked");
                }
            }
        }
    }

    fn send(&self, work: Work) {
        if let Err(unsent) = self.queue.send(work) {
            refuse(unsent.0, stopped());
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn write_now(turn: &Mutex<(Turn, Receiver<Work>)>) {
    if let Ok(mut held) = turn.lock() {
        let (turn, queue) = &mut *held;
        while let Some(first) = turn.put_off.take().or_else(|| queue.try_recv().ok()) {
            turn.take_turn(first, queue, 0);
        }
    }
}

fn stopped() -> DbError {
    DbError::Lost("ledger stopped".into())
}

fn refuse(work: Work, error: DbError) {
    match work {
        Work::Command(_, reply) => reply(Err(Fault::Store(error))),
        Work::Chain(drafts, reply) => {
            reply(drafts.iter().map(|_| Err(Fault::Store(error.clone()))).collect());
        }
        // Dropping the channel notifies the caller.
        Work::Job(_) | Work::Stop => {}
    }
}

/// An archive that receives every batch before the batch is acknowledged.
pub struct SecondCopy {
    archive: Archive,
    tail: LiveSegment,
}

impl SecondCopy {
    pub fn of(archive: &Archive) -> SecondCopy {
        SecondCopy { archive: archive.clone(), tail: LiveSegment::new(&archive.directory) }
    }
}

/// The pause before the writer tries again to connect to a store that it lost.
const RETRY: Duration = Duration::from_millis(500);

struct Turn {
    place: StoreAddress,
    db: Option<Box<dyn Db>>,
    note: Arc<Note>,
    clock: Arc<Timepiece>,
    day_starts_ms: i64,
    durability: Durability,
    /// The statement timeout of the writing connection, or `None` for the default.
    patience: Option<Duration>,
    second_copy: Option<SecondCopy>,
    healthy: Arc<AtomicBool>,
    tally: Arc<Tally>,
    outage: Outage,
    tried: Option<Instant>,
    /// A job or a request to stop that arrived while commands were gathered, or `None`; it is handled next.
    put_off: Option<Work>,
    /// The number of replies sent after the last batch.
    answered: usize,
    took: Duration,
}

impl Turn {
    /// Returns the next piece of work for the batch, or `None` if none is waiting.
    ///
    /// If none is waiting but a further command is likely, naps once and looks again.
    fn gathered(&self, queue: &Receiver<Work>, waiting: usize, naps: &mut usize) -> Option<Work> {
        let mut next = queue.try_recv().ok();
        if next.is_none() && *naps > 0 && waiting < self.answered {
            std::thread::sleep(NAP);
            next = queue.try_recv().ok();
            *naps = if next.is_some() { *naps - 1 } else { 0 };
        }
        next
    }

    fn serve(&mut self, queue: &Receiver<Work>) {
        while let Some(first) = self.put_off.take().or_else(|| queue.recv().ok()) {
            let naps = (self.took / NAPPED).as_nanos() / NAP.as_nanos();
            if self.take_turn(first, queue, NAPS.max(naps as usize)) {
                return;
            }
        }
    }

    /// Writes `first` and everything else that waits, and returns whether the writer must end.
    fn take_turn(&mut self, first: Work, queue: &Receiver<Work>, mut naps: usize) -> bool {
        let mut waiting = Waiting::default();
        let mut next = Some(first);
        let mut ending = false;
        let mut job = None;
        while let Some(work) = next.take() {
            match waiting.add(work) {
                Some(Work::Job(found)) => {
                    job = Some(found);
                    break;
                }
                Some(_) => {
                    ending = true;
                    break;
                }
                None => {}
            }
            if waiting.has_room() {
                next = self.gathered(queue, waiting.replies.len(), &mut naps);
            }
        }
        self.answered = waiting.replies.len();
        if !waiting.replies.is_empty() {
            let more = (job.is_none() && !ending).then_some(queue);
            self.batch(waiting, more);
        }
        if let Some(job) = job {
            self.job(job);
        }
        ending
    }

    fn batch(&mut self, mut waiting: Waiting, more: Option<&Receiver<Work>>) {
        let begun = Instant::now();
        let outcome = self.write(&mut waiting, more);
        let Waiting { replies, commands, .. } = waiting;
        self.answered = replies.len();
        self.tally.batches.fetch_add(1, Ordering::Relaxed);
        self.tally.commands.fetch_add(commands as u64, Ordering::Relaxed);
        self.took = begun.elapsed();
        self.tally.busy_micros.fetch_add(self.took.as_micros() as u64, Ordering::Relaxed);
        match &outcome {
            Ok(_) => self.outage.worked(),
            Err(fault) => {
                self.tally.failures.fetch_add(1, Ordering::Relaxed);
                match fault.of_store() {
                    Some(error @ (DbError::Lost(_) | DbError::Full(_) | DbError::Alone(_))) => {
                        self.outage.failed(error);
                    }
                    _ => tracing::error!(%fault, commands, "a batch was not stored"),
                }
            }
        }
        let stored = outcome.as_ref().map(|_| ()).map_err(Fault::clone);
        let mut verdicts = outcome.unwrap_or_default().into_iter();
        let mut next = || match &stored {
            Ok(()) => verdicts.next().unwrap_or(Err(Denied::Behind)).map_err(Fault::Denied),
            Err(fault) => Err(fault.clone()),
        };
        for answer in replies {
            match answer {
                Answer::One(reply) => reply(next()),
                Answer::Chain(length, reply) => reply((0..length).map(|_| next()).collect()),
            }
        }
    }

    fn write(&mut self, waiting: &mut Waiting, more: Option<&Receiver<Work>>) -> Result<Verdicts, Fault> {
        let durability = self.durability;
        let clock = self.clock.read(self.day_starts_ms);
        let mut put_off = None;
        let drafts = &mut || {
            while waiting.has_room()
                && put_off.is_none()
                && let Some(work) = more.and_then(|queue| queue.try_recv().ok())
            {
                put_off = waiting.add(work);
            }
            waiting.commands += waiting.drafts.len();
            std::mem::take(&mut waiting.drafts)
        };
        let outcome = write_batch(&mut **self.connection()?, (clock, durability), drafts);
        self.put_off = put_off;
        self.judge(outcome.as_ref().err().and_then(Fault::of_store));
        let (verdicts, head) = outcome?;
        if let Err(error) = self.note.write(head) {
            tracing::error!(%error, "cannot write the journal's head");
        }
        if let Err(error) = self.copy() {
            self.judge(Some(&error));
            // The batch is stored, but must not be acknowledged.
            return Err(Fault::Unknown(error));
        }
        Ok(verdicts)
    }

    /// Writes the batch to the archive's live segment before the batch is acknowledged.
    ///
    /// If the write fails, the next batch completes it.
    fn copy(&mut self) -> DbResult<()> {
        let Some(mut copy) = self.second_copy.take() else { return Ok(()) };
        let written = self.connection().map(|db| copy.tail.append(&mut **db, || copy.archive.known()));
        self.second_copy = Some(copy);
        written?
            .map_err(|error| DbError::Lost(format!("cannot write the second copy of the journal: {error}")))
    }

    fn job(&mut self, job: Job) {
        match self.connection() {
            Ok(db) => job(&mut **db),
            // Dropping the job closes its channel, which notifies the caller.
            Err(error) => self.outage.failed(&error),
        }
    }

    fn connection(&mut self) -> DbResult<&mut Box<dyn Db>> {
        if self.db.is_none() {
            if let Some(tried) = self.tried
                && tried.elapsed() < RETRY
            {
                return Err(DbError::Lost("database unavailable; play has stopped".into()));
            }
            self.tried = Some(Instant::now());
            let mut db = self.place.writer()?;
            self.patience.inspect(|patience| db.hurry(*patience));
            self.db = Some(db);
        }
        self.db.as_mut().ok_or_else(stopped)
    }

    /// Records whether the store works, after a result.
    ///
    /// Drops a lost connection, so that the next batch opens a new one.
    fn judge(&mut self, error: Option<&DbError>) {
        match error {
            None => self.healthy.store(true, Ordering::Relaxed),
            Some(DbError::Refused(_)) => {}
            Some(DbError::Full(_) | DbError::Alone(_)) => self.healthy.store(false, Ordering::Relaxed),
            Some(DbError::Lost(_)) => {
                self.healthy.store(false, Ordering::Relaxed);
                self.db = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{CommandId, PersonId, Stream};

    /// A batch is limited in both drafts and replies.
    #[test]
    fn a_batch_is_full_with_its_drafts_or_its_answers() {
        let mut waiting = Waiting::default();
        assert!(waiting.has_room());
        let reply = || Work::Chain(Vec::new(), Box::new(|_| {}));
        for _ in 0..BATCH - 1 {
            waiting.add(reply());
        }
        assert!(waiting.has_room());
        waiting.add(reply());
        assert!(!waiting.has_room());
        waiting.replies.clear();
        assert!(waiting.has_room());
        let draft = || {
            let command = CommandId::new("c").expect("lawful");
            Draft::new(Stream::House, PersonId(1), command, "wager")
        };
        waiting.drafts = (0..BATCH).map(|_| draft()).collect();
        assert!(!waiting.has_room());
    }
}
