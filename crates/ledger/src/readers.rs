//! A pool of database connections for reading.
//!
//! Connections are opened on demand up to a maximum, lent to one reader at a time, and reused.

use crate::db::{Db, DbError, DbResult};
use crate::store::StoreAddress;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of read connections.
///
/// Further readers wait.
const MOST: usize = 8;
/// The longest wait for a read connection.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Default)]
struct Lent {
    idle: Vec<Box<dyn Db>>,
    /// The number of connections that are idle, lent, or being opened.
    open: usize,
}

#[derive(Default)]
pub struct Readers {
    lent: Mutex<Lent>,
    given_back: Condvar,
}

/// A read connection that is lent to one reader, or about to be opened for a reader.
///
/// When a `Loan` is dropped, its connection becomes idle. A loan without a connection stops counting as open.
struct Loan<'a> {
    readers: &'a Readers,
    db: Option<Box<dyn Db>>,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let mut lent = self.readers.lent.lock().unwrap_or_else(PoisonError::into_inner);
        match self.db.take() {
            Some(db) => lent.idle.push(db),
            None => lent.open -= 1,
        }
        self.readers.given_back.notify_one();
    }
}

impl Readers {
    fn borrow(&self) -> DbResult<Loan<'_>> {
        let since = Instant::now();
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(db) = lent.idle.pop() {
                return Ok(Loan { readers: self, db: Some(db) });
            }
            if lent.open < MOST {
                lent.open += 1;
                return Ok(Loan { readers: self, db: None });
            }
            let left = PATIENCE.saturating_sub(since.elapsed());
            if left.is_zero() {
                return Err(DbError::Lost("all database connections are in use".into()));
            }
            lent = self.given_back.wait_timeout(lent, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub fn ask<T>(
        &self,
        place: &StoreAddress,
        question: impl FnOnce(&mut dyn Db) -> DbResult<T>,
    ) -> DbResult<T> {
        let mut loan = self.borrow()?;
        let mut db = match loan.db.take() {
            Some(db) => db,
            None => place.reader()?,
        };
        let answer = question(&mut *db);
        // A failed connection may be broken, so the next reader opens another. If the database is lost, the idle
        // connections are closed too.
        loan.db = answer.is_ok().then_some(db);
        if matches!(answer, Err(DbError::Lost(_))) {
            self.close();
        }
        answer
    }

    /// Closes every read connection that is not lent.
    pub fn close(&self) {
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        lent.open -= lent.idle.len();
        lent.idle.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn connections_that_were_ended_count_no_more() {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = StoreAddress::in_directory(directory.path());
        schema::create(&mut *place.writer().expect("opens")).expect("laid out");
        let readers = Readers::default();
        for _ in 0..3 * MOST {
            readers.ask(&place, |_| Ok(())).expect("asked");
            readers.close();
            assert_eq!(readers.lent.lock().expect("unpoisoned").open, 0);
        }
        // After the database is lost, the idle connections are closed too.
        readers.ask(&place, |_| Ok(())).expect("asked");
        let gone: DbResult<()> = readers.ask(&place, |_| Err(DbError::Lost("gone".into())));
        assert!(gone.is_err());
        assert_eq!(readers.lent.lock().expect("unpoisoned").open, 0);
    }

    #[test]
    fn however_many_ask_there_are_so_many_connections() {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = StoreAddress::in_directory(directory.path());
        schema::create(&mut *place.writer().expect("opens")).expect("laid out");
        let readers = Readers::default();
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for n in 0..40 {
                let (readers, place, now, most) = (&readers, &place, &now, &most);
                scope.spawn(move || {
                    let asked = readers.ask(place, |_| {
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(5));
                        now.fetch_sub(1, Ordering::SeqCst);
                        // Some queries fail, and their connections are not reused.
                        if n % 5 == 0 { Err(DbError::Refused("no".into())) } else { Ok(()) }
                    });
                    assert_eq!(asked.is_ok(), n % 5 != 0);
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= MOST);
        let lent = readers.lent.lock().expect("unpoisoned");
        assert_eq!(lent.open, lent.idle.len(), "all connections were returned");
    }
}
