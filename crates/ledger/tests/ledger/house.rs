//! A small house for the tests: a ledger in a temporary directory, patrons with chips, bets and payouts.

use crate::cluster;
use ledger::people::{Person, RowChange, Session};
use ledger::{
    Account, Cents, Chips, CommandId, Digest, Draft, Effect, Epoch, Fault, Holder, Ledger, Measure, Moment,
    PersonId, Postings, Receipt, RoundNo, Span, StoreAddress, Stream, TableId,
};
use std::path::Path;
use tempfile::TempDir;

pub struct House {
    pub ledger: Ledger,
    pub place: StoreAddress,
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
    CommandId::new(text).expect("a legal command id")
}

impl House {
    pub fn at(place: impl FnOnce(&Path) -> StoreAddress) -> House {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = place(directory.path());
        House::open(directory, place)
    }

    pub fn open(directory: TempDir, place: StoreAddress) -> House {
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

    /// Returns chips from the layout to the patron.
    pub fn give_back(&self, id: &str, person: i64, cents: i64) -> Result<Receipt, Fault> {
        let mut draft = self.wager_draft(id, person, 0);
        draft.postings = Postings::none().transfer(cash(Holder::Layout(TABLE)), patron(person), Cents(cents));
        self.ledger.commit(draft)
    }

    pub fn balance(&self, account: Account) -> i64 {
        self.ledger.balance(account).expect("readable").0
    }

    /// Adds some play: buy-ins, bets, a payout, limits.
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

    /// Adds everything other than play: people, a session, a setting, limits, an exclusion, a checkpoint, a seal.
    pub fn with_everything_else(self) -> House {
        let mut draft = Draft::new(Stream::House, PersonId(0), command("hired"), "joined");
        let person = |id: i64, name: &str| Person {
            id: PersonId(id),
            name: name.into(),
            role: "dealer".into(),
            secret: "$argon2id$hash".into(),
            guest: false,
            disabled: false,
            created: Moment(5),
            failures: 1,
            locked_until: Moment(6),
        };
        let session = Session {
            token: Digest::of(b"token"),
            person: PersonId(8),
            created: Moment(1),
            seen: Moment(2),
            ends: Moment(i64::MAX - 9),
        };
        draft.row_changes = vec![
            RowChange::NewPerson(person(8, "Ann")),
            RowChange::NewPerson(person(9, "Bob")),
            RowChange::NewSession(session),
            RowChange::Setting { name: "bank".into(), value: b"entered".to_vec() },
        ];
        let limit =
            |most| Effect::Limit { person: PersonId(2), measure: Measure::Loss, span: Span::Day, most };
        draft.effects = vec![
            limit(Some(90_000)),
            limit(Some(95_000)),
            Effect::Exclude { person: PersonId(3), until: Moment(i64::MAX - 9) },
        ];
        self.ledger.commit(draft).expect("hired");
        let mut kept = self.wager_draft("kept", 1, 5);
        (kept.checkpoint, kept.round) = (true, RoundNo(2));
        self.ledger.commit(kept).expect("written down");
        self.ledger.seal_today().expect("sealed");
        self
    }
}

/// Runs a test on SQLite and on PostgreSQL.
pub fn on_both(test: impl Fn(House)) {
    test(House::at(StoreAddress::in_directory));
    if let Some(cluster) = cluster::shared() {
        test(House::at(|_| StoreAddress::Postgres(cluster.database())));
    }
}
