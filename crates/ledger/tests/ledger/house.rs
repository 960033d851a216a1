//! A small house for the tests: a ledger in a temporary directory, patrons with chips, wagers and payouts.

use crate::cluster;
use ledger::{
    Account, Cents, Chips, CommandId, Digest, Draft, Epoch, Fault, Holder, Ledger, PersonId, Place, Postings,
    Receipt, RoundNo, Stream, TableId,
};
use std::path::Path;
use tempfile::TempDir;

pub struct House {
    pub ledger: Ledger,
    pub place: Place,
    pub directory: TempDir,
    pub epoch: Epoch,
}

pub const TABLE: TableId = TableId(1);

pub fn cash(holder: Holder) -> Account {
    Account::new(Chips::Cash, holder)
}

pub fn patron(id: i64) -> Account {
    cash(Holder::Player(PersonId(id)))
}

pub fn command(text: &str) -> CommandId {
    CommandId::new(text).expect("a lawful command id")
}

impl House {
    pub fn at(place: impl FnOnce(&Path) -> Place) -> House {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = place(directory.path());
        House::open(directory, place)
    }

    pub fn open(directory: TempDir, place: Place) -> House {
        let ledger = Ledger::open(directory.path(), place.clone(), 0).expect("opens");
        let epoch = ledger.take_over(Stream::Table(TABLE), "test").expect("taken over");
        House { ledger, place, directory, epoch }
    }

    pub fn reopened(self) -> House {
        let House { ledger, place, directory, .. } = self;
        drop(ledger);
        House::open(directory, place)
    }

    pub fn buy_in(&self, id: &str, person: i64, cents: i64) -> Result<Receipt, Fault> {
        let mut draft = Draft::new(Stream::House, PersonId(person), command(id), "buy-in");
        draft.postings = Postings::none().transfer(cash(Holder::Outside), patron(person), Cents(cents));
        draft.answer = format!("bought {cents}").into_bytes();
        self.ledger.commit(draft)
    }

    pub fn wager_draft(&self, id: &str, person: i64, cents: i64) -> Draft {
        let mut draft = Draft::new(Stream::Table(TABLE), PersonId(person), command(id), "round");
        draft.fence = Some(self.epoch);
        draft.round = RoundNo(1);
        draft.body = Digest::of(format!("wager {cents}").as_bytes());
        draft.event = id.as_bytes().to_vec();
        draft.answer = format!("wagered {cents}").into_bytes();
        draft.postings = Postings::none().transfer(patron(person), cash(Holder::Layout(TABLE)), Cents(cents));
        draft
    }

    pub fn wager(&self, id: &str, person: i64, cents: i64) -> Result<Receipt, Fault> {
        self.ledger.commit(self.wager_draft(id, person, cents))
    }

    /// The layout's chips go back to the patron.
    pub fn give_back(&self, id: &str, person: i64, cents: i64) -> Result<Receipt, Fault> {
        let mut draft = self.wager_draft(id, person, 0);
        draft.postings = Postings::none().transfer(cash(Holder::Layout(TABLE)), patron(person), Cents(cents));
        self.ledger.commit(draft)
    }

    pub fn balance(&self, account: Account) -> i64 {
        self.ledger.balance(account).expect("readable").0
    }

    /// A little of everything: buy-ins, wagers, a payout, limits.
    pub fn with_some_play(self) -> House {
        for person in 1..=3 {
            self.buy_in(&format!("b{person}"), person, 10_000).expect("bought");
        }
        for n in 0..3 {
            for person in 1..=3 {
                self.wager(&format!("w{person}-{n}"), person, 500 + n).expect("wagered");
            }
            self.give_back(&format!("g{n}"), 1 + n, 1500).expect("returned");
        }
        self
    }
}

/// Runs a test on SQLite and on PostgreSQL.
pub fn on_both(test: impl Fn(House)) {
    test(House::at(Place::in_directory));
    if let Some(cluster) = cluster::shared() {
        test(House::at(|_| Place::Postgres(cluster.database())));
    }
}
