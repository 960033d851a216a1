//! The thread that folds records in, on a connection of its own: no command ever waits for it, unless it falls far behind.

use crate::chapter::Chapter;
use crate::db::{Db, DbResult};
use crate::fold::fold_in;
use crate::ids::Seq;
use crate::store::Place;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread::JoinHandle;

/// Pages of the lookup file's log after which it is written back.
const LOG_PAGES: i64 = 4096;

/// What is to be folded in, and who wants to know.
struct Order {
    /// The records after those that were ordered before; read from the journal if that is not where the fold stands.
    chapters: Vec<Arc<Chapter>>,
    asker: Option<SyncSender<DbResult<()>>>,
}

pub struct Folder {
    orders: Option<Sender<Order>>,
    done: Receiver<DbResult<Seq>>,
    under_way: usize,
    thread: Option<JoinHandle<()>>,
}

impl Folder {
    pub fn start(place: Place) -> Folder {
        let (orders, ordered) = channel();
        let (tell, done) = channel();
        let work = move || serve(&place, &ordered, &tell);
        let thread = std::thread::Builder::new().name("ledger-lookup".into()).spawn(work).ok();
        Folder { orders: Some(orders), done, under_way: 0, thread }
    }

    pub fn order(&mut self, chapters: Vec<Arc<Chapter>>, asker: Option<SyncSender<DbResult<()>>>) {
        let sent = self.orders.as_ref().is_some_and(|o| o.send(Order { chapters, asker }).is_ok());
        self.under_way += usize::from(sent);
    }

    pub fn is_idle(&self) -> bool {
        self.under_way == 0
    }

    /// How far the fold has come since this was last asked; waits for an answer if told to and one is due.
    pub fn news(&mut self, wait: bool) -> Vec<DbResult<Seq>> {
        let mut news = Vec::new();
        if wait && self.under_way > 0 {
            news.extend(self.done.recv());
        }
        news.extend(self.done.try_iter());
        self.under_way -= news.len().min(self.under_way);
        news
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.orders.take();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that folds records in ended by a panic");
        }
    }
}

fn serve(place: &Place, ordered: &Receiver<Order>, tell: &Sender<DbResult<Seq>>) {
    let mut connection: Option<Box<dyn Db>> = None;
    // Kept until the writer has forgotten them: then it is this thread, and not the writer, that frees them.
    let mut last: Vec<Arc<Chapter>> = Vec::new();
    while let Ok(Order { chapters, asker }) = ordered.recv() {
        let outcome = fold_with(&mut connection, place, &chapters);
        if let Err(error) = &outcome {
            tracing::error!(%error, "folding records in");
            connection = None;
        }
        // Whoever asked may have gone, and the writer may have ended.
        let _ = tell.send(outcome.clone());
        if let Some(asker) = asker {
            let _ = asker.send(outcome.map(|_| ()));
        }
        drop(std::mem::replace(&mut last, chapters));
    }
}

fn fold_with(
    connection: &mut Option<Box<dyn Db>>,
    place: &Place,
    chapters: &[Arc<Chapter>],
) -> DbResult<Seq> {
    let db = match connection {
        Some(db) => db,
        None => {
            let mut db = place.writer()?;
            // This thread has the time to write its log back, and a short log is read quickly at a start.
            if let Some(sqlite) = db.as_sqlite() {
                sqlite.fold_log_at(LOG_PAGES)?;
            }
            connection.insert(db)
        }
    };
    fold_in(&mut **db, chapters)
}
