//! Group commit: one thread owns the writing connection and puts whatever waits into the next transaction, so that many
//! commands share one sync of the disk. Nobody is answered before that transaction is durable.

use crate::db::{Db, DbError, DbResult};
use crate::draft::{Draft, Fault, Receipt};
use crate::fold::fold_all;
use crate::ids::Moment;
use crate::people::Keep;
use crate::recent::Recent;
use crate::store::Place;
use crate::write::{Clock, write_batch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Most commands in one transaction: bounds the wait of the first one.
const BATCH: usize = 512;
/// Most commands that may wait; whoever comes after that waits to be let in, which bounds memory.
const QUEUE: usize = 8192;

type Reply = Box<dyn FnOnce(Result<Receipt, Fault>) + Send>;
type RowsReply = Box<dyn FnOnce(DbResult<()>) + Send>;
type Job = Box<dyn FnOnce(&mut dyn Db) + Send>;

enum Work {
    Command(Box<Draft>, Reply),
    Rows(Vec<Keep>, RowsReply),
    Fold(SyncSender<DbResult<()>>),
    Job(Job),
    Stop,
}

/// Figures of the writer, for metrics.
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
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub fn start(place: Place, db: Box<dyn Db>, day_starts_ms: i64) -> Writer {
        let (queue, work) = sync_channel(QUEUE);
        let healthy = Arc::new(AtomicBool::new(true));
        let tally = Arc::new(Tally::default());
        let mut turn = Turn {
            place,
            db: Some(db),
            day_starts_ms,
            healthy: Arc::clone(&healthy),
            tally: Arc::clone(&tally),
            tried: None,
            recent: None,
        };
        let thread = std::thread::Builder::new().name("ledger".into()).spawn(move || turn.serve(&work)).ok();
        Writer { queue, healthy, tally, thread: Mutex::new(thread) }
    }

    /// Hands over a command; `reply` is called on the writer's thread once its fate is certain.
    pub fn submit(&self, draft: Draft, reply: impl FnOnce(Result<Receipt, Fault>) + Send + 'static) {
        self.send(Work::Command(Box::new(draft), Box::new(reply)));
    }

    pub fn keep(&self, rows: Vec<Keep>, reply: impl FnOnce(DbResult<()>) + Send + 'static) {
        self.send(Work::Rows(rows, Box::new(reply)));
    }

    /// Runs `job` with the writing connection between two batches, and waits for what it answers.
    pub fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut dyn Db) -> DbResult<T> + Send + 'static,
    ) -> DbResult<T> {
        let (answer, answered) = sync_channel(1);
        self.send(Work::Job(Box::new(move |db| {
            // The asker may have gone; then nobody wants the answer.
            let _ = answer.send(job(db));
        })));
        answered.recv().unwrap_or_else(|_| Err(stopped()))
    }

    /// Folds everything in that was stored until now.
    pub fn fold(&self) -> DbResult<()> {
        let (answer, answered) = sync_channel(1);
        self.send(Work::Fold(answer));
        answered.recv().unwrap_or_else(|_| Err(stopped()))
    }

    pub fn healthy(&self) -> bool {
        self.healthy.load(Ordering::Relaxed)
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Finishes what waits, then ends.
    pub fn stop(&self) {
        self.send(Work::Stop);
        let thread = self.thread.lock().map(|mut t| t.take()).unwrap_or(None);
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the ledger's thread ended by a panic");
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

fn stopped() -> DbError {
    DbError::Lost("the ledger has stopped".into())
}

fn refuse(work: Work, error: DbError) {
    match work {
        Work::Command(_, reply) => reply(Err(Fault::Store(error))),
        Work::Rows(_, reply) => reply(Err(error)),
        // Dropping the channel tells the asker.
        Work::Fold(_) | Work::Job(_) | Work::Stop => {}
    }
}

/// How long the writer waits before it tries a lost store again.
const RETRY: Duration = Duration::from_millis(500);

struct Turn {
    place: Place,
    db: Option<Box<dyn Db>>,
    day_starts_ms: i64,
    healthy: Arc<AtomicBool>,
    tally: Arc<Tally>,
    tried: Option<Instant>,
    recent: Option<Recent>,
}

/// Records that may wait to be folded in while commands come without a pause: bounds what a restart has to fold.
const UNFOLDED: usize = 1024;
/// A pause in which what waits is folded in.
const PAUSE: Duration = Duration::from_millis(15);

impl Turn {
    fn next(&mut self, queue: &Receiver<Work>) -> Option<Work> {
        if self.unfolded() > 0 {
            match queue.recv_timeout(PAUSE) {
                Ok(work) => return Some(work),
                Err(RecvTimeoutError::Disconnected) => return None,
                // A failure is met again by whoever reads or writes next.
                Err(RecvTimeoutError::Timeout) => drop(self.fold()),
            }
        }
        queue.recv().ok()
    }

    fn unfolded(&self) -> usize {
        self.recent.as_ref().map_or(0, |recent| recent.unfolded.len())
    }

    fn fold(&mut self) -> DbResult<()> {
        let mut recent = self.recent.take();
        let outcome = self.connection().and_then(|db| fold_all(&mut **db, &mut recent));
        self.note(outcome.as_ref().err());
        if let Err(error) = &outcome {
            tracing::error!(%error, "folding records in");
        }
        self.recent = recent.filter(|_| outcome.is_ok());
        outcome
    }

    fn serve(&mut self, queue: &Receiver<Work>) {
        while let Some(first) = self.next(queue) {
            let mut commands = Vec::new();
            let mut rows = Vec::new();
            let mut next = Some(first);
            let mut ending = false;
            let mut job = None;
            let mut fold = None;
            while let Some(work) = next.take() {
                match work {
                    Work::Command(draft, reply) => commands.push((draft, reply)),
                    Work::Rows(keep, reply) => rows.push((keep, reply)),
                    Work::Fold(asker) => {
                        fold = Some(asker);
                        break;
                    }
                    Work::Job(found) => {
                        job = Some(found);
                        break;
                    }
                    Work::Stop => {
                        ending = true;
                        break;
                    }
                }
                if commands.len() + rows.len() < BATCH {
                    next = queue.try_recv().ok();
                }
            }
            if !commands.is_empty() || !rows.is_empty() {
                self.batch(commands, rows);
            }
            if fold.is_some() || ending || self.unfolded() >= UNFOLDED {
                let outcome = self.fold();
                if let Some(asker) = fold {
                    // The asker may have gone.
                    let _ = asker.send(outcome);
                }
            }
            if let Some(job) = job {
                self.job(job);
            }
            if ending {
                return;
            }
        }
    }

    fn batch(&mut self, commands: Vec<(Box<Draft>, Reply)>, rows: Vec<(Vec<Keep>, RowsReply)>) {
        let begun = Instant::now();
        let drafts: Vec<&Draft> = commands.iter().map(|(draft, _)| &**draft).collect();
        let loose: Vec<Keep> = rows.iter().flat_map(|(keep, _)| keep.iter().cloned()).collect();
        let outcome = self.write(&drafts, &loose);
        self.tally.batches.fetch_add(1, Ordering::Relaxed);
        self.tally.commands.fetch_add(drafts.len() as u64, Ordering::Relaxed);
        self.tally.busy_micros.fetch_add(begun.elapsed().as_micros() as u64, Ordering::Relaxed);
        match outcome {
            Ok(verdicts) => {
                for ((_, reply), verdict) in commands.into_iter().zip(verdicts) {
                    reply(verdict.map_err(Fault::Denied));
                }
                rows.into_iter().for_each(|(_, reply)| reply(Ok(())));
            }
            Err(error) => {
                self.tally.failures.fetch_add(1, Ordering::Relaxed);
                tracing::error!(%error, commands = commands.len(), "a batch was not stored");
                commands.into_iter().for_each(|(_, reply)| reply(Err(Fault::Store(error.clone()))));
                rows.into_iter().for_each(|(_, reply)| reply(Err(error.clone())));
            }
        }
    }

    fn write(
        &mut self,
        drafts: &[&Draft],
        loose: &[Keep],
    ) -> DbResult<Vec<Result<Receipt, crate::draft::Denied>>> {
        let clock = Clock { now: Moment::now(), day_starts_ms: self.day_starts_ms };
        let mut recent = self.recent.take();
        let outcome = write_batch(&mut **self.connection()?, clock, (drafts, loose), &mut recent);
        self.recent = recent;
        self.note(outcome.as_ref().err());
        outcome
    }

    fn job(&mut self, job: Job) {
        match self.connection() {
            Ok(db) => job(&mut **db),
            // Dropping the job closes its channel, which tells the asker.
            Err(error) => tracing::error!(%error, "no connection for a job"),
        }
    }

    fn connection(&mut self) -> DbResult<&mut Box<dyn Db>> {
        if self.db.is_none() {
            if let Some(tried) = self.tried
                && tried.elapsed() < RETRY
            {
                return Err(DbError::Lost("the store is away; play has stopped".into()));
            }
            self.tried = Some(Instant::now());
            self.db = Some(self.place.writer()?);
            tracing::info!("the store is back");
        }
        self.db.as_mut().ok_or_else(stopped)
    }

    /// A lost connection is thrown away: the next batch opens another.
    fn note(&mut self, error: Option<&DbError>) {
        match error {
            None => self.healthy.store(true, Ordering::Relaxed),
            Some(DbError::Refused(_)) => {}
            Some(DbError::Full(_)) => self.healthy.store(false, Ordering::Relaxed),
            Some(DbError::Lost(_)) => {
                self.healthy.store(false, Ordering::Relaxed);
                self.db = None;
            }
        }
    }
}
