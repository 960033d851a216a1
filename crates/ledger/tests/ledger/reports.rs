//! Statements and daily reports.

use crate::house::{on_both, patron};
use ledger::report::{self, Class};
use ledger::{Cents, Chips, GamingDay, Postings, RoundNo, Seq, Stream, TableId};

const END: Seq = Seq(i64::MAX);

#[test]
fn a_statement_shows_every_balance_before_and_after() {
    on_both(|house| {
        let house = house.with_some_play();
        let lines = house.ledger.read(|db| report::statement(db, patron(1), END, 100)).expect("readable");
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0].after.0, house.balance(patron(1)));
        for pair in lines.windows(2) {
            assert_eq!(pair[0].before, pair[1].after);
            assert!(pair[0].seq > pair[1].seq);
        }
        assert_eq!((lines[4].before, lines[4].kind.as_str()), (Cents::ZERO, "buy-in"));
        let older =
            house.ledger.read(|db| report::statement(db, patron(1), lines[1].seq, 2)).expect("readable");
        assert_eq!(older, lines[2..4]);
    });
}

#[test]
fn rounds_are_listed_with_stake_and_return() {
    on_both(|house| {
        let house = house.with_some_play();
        let rounds = house.ledger.read(|db| report::rounds_played(db, patron(1), END, 10)).expect("readable");
        assert_eq!(rounds.len(), 1);
        assert_eq!(
            (rounds[0].round, rounds[0].staked, rounds[0].returned),
            (RoundNo(1), Cents(1503), Cents(1500))
        );
    });
}

/// A record without a round creates no round.
#[test]
fn a_record_of_no_round_makes_none() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let mut draft = house.wager_draft("w", 1, 100);
        draft.round = RoundNo(0);
        house.ledger.commit(draft).expect("wagered");
        let mut rows = 0;
        let mut db = house.place.reader().expect("connects");
        db.walk("SELECT round FROM rounds", vec![], &mut |_| {
            rows += 1;
            true
        })
        .expect("read");
        assert_eq!(rows, 0);
        let played = house.ledger.read(|db| report::rounds_played(db, patron(1), END, 10)).expect("readable");
        assert_eq!(played, []);
    });
}

#[test]
fn a_day_counts_the_rounds_of_every_table() {
    on_both(|house| {
        let house = house.with_some_play();
        let epoch = house.ledger.take_over(Stream::Table(TableId(7)), "test").expect("taken over");
        for round in 1..=3 {
            let mut draft = house.wager_draft(&format!("seven-{round}"), 1, 100);
            (draft.stream, draft.fence) = (Stream::Table(TableId(7)), Some(epoch));
            draft.round = RoundNo(round);
            house.ledger.commit(draft).expect("wagered");
        }
        let prepared = house.ledger.take_over(Stream::Table(TableId(8)), "test").expect("taken over");
        let mut shuffle = house.wager_draft("eight-shuffle", 1, 100);
        (shuffle.stream, shuffle.fence) = (Stream::Table(TableId(8)), Some(prepared));
        shuffle.postings = Postings::none();
        shuffle.round = RoundNo(1);
        house.ledger.commit(shuffle).expect("the shoe is prepared under the number of the round to come");
        let day = house.ledger.read(|db| report::day(db, house.ledger.today())).expect("readable");
        let rounds: Vec<_> = day.tables.iter().map(|(table, of)| (*table, of.rounds)).collect();
        assert_eq!(rounds, [(1, 1), (7, 3), (8, 0)], "nobody has wagered at table 8");
    });
}

#[test]
fn a_day_reconciles() {
    on_both(|house| {
        let house = house.with_some_play();
        let today = house.ledger.today();
        let day = house.ledger.read(|db| report::day(db, today)).expect("readable");
        assert!(day.reconciles());
        let patrons = &day.classes[&(Chips::Cash, Class::Patrons)];
        assert_eq!((patrons.opening, patrons.closing), (Cents(0), Cents(30_000 - 4509 + 4500)));
        assert_eq!(patrons.movements["buy-in"].into, Cents(30_000));
        assert_eq!(day.classes[&(Chips::Cash, Class::Layouts)].closing, Cents(9));
        assert_eq!(
            (day.tables[&1].wagered, day.tables[&1].returned, day.tables[&1].rounds),
            (Cents(4509), Cents(4500), 1)
        );
        let before = house.ledger.read(|db| report::day(db, GamingDay(today.0 - 1))).expect("readable");
        assert!(before.reconciles());
        assert_eq!((before.records, before.classes[&(Chips::Cash, Class::Patrons)].closing), (0, Cents(0)));
        let after = house.ledger.read(|db| report::day(db, GamingDay(today.0 + 1))).expect("readable");
        assert_eq!(after.classes[&(Chips::Cash, Class::Patrons)].opening, patrons.closing);
    });
}
