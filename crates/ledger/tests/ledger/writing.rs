//! The writer as its operator sees it: its counters, its shutdown, and a store that refuses.

use crate::house::{House, on_both, patron};
use ledger::{Chips, DbError, Denied, Draft, Fault, StoreAddress, Stream};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;

#[test]
fn the_figures_count_what_was_asked_for_and_what_failed() {
    on_both(|house| {
        let tally = house.ledger.tally();
        let figures =
            || (tally.commands.load(Relaxed), tally.batches.load(Relaxed), tally.failures.load(Relaxed));
        let (commands, batches, failures) = figures();
        // The one command is the takeover of the table.
        assert_eq!((commands, batches, failures), (1, 1, 0));
        house.buy_in("b", 1, 100).expect("bought");
        house.wager("w", 1, 1000).expect_err("too much");
        assert_eq!(figures(), (3, 3, 0), "a refusal is an answer");
        let (answer, answered) = channel();
        let chain = (0..5).map(|n| house.wager_draft(&format!("c{n}"), 1, 1)).collect();
        house.ledger.submit_chain(chain, move |outcomes| answer.send(outcomes.len()).expect("listening"));
        assert_eq!(answered.recv(), Ok(5));
        assert_eq!(figures(), (8, 4, 0), "a chain is one batch");
        assert!(tally.busy_micros.load(Relaxed) > 0);
    });
}

#[test]
fn a_ledger_that_closes_answers_everybody() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let (tell, told) = channel();
        for n in 0..100 {
            let tell = tell.clone();
            house.ledger.submit(house.wager_draft(&format!("w{n}"), 1, 1), move |outcome| {
                tell.send(outcome).expect("listening");
            });
        }
        house.ledger.close();
        drop(tell);
        let outcomes: Vec<_> = told.iter().collect();
        assert_eq!(outcomes.len(), 100);
        assert!(outcomes.iter().all(Result::is_ok), "what came before was stored");
        // Later commands get an error.
        let stopped =
            |fault: &Fault| matches!(fault, Fault::Store(DbError::Lost(why)) if why == "ledger stopped");
        assert!(house.wager("late", 1, 1).is_err_and(|fault| stopped(&fault)));
        let (answer, answered) = channel();
        let chain = vec![house.wager_draft("late1", 1, 1), house.wager_draft("late2", 1, 1)];
        house.ledger.submit_chain(chain, move |outcomes| answer.send(outcomes).expect("listening"));
        let outcomes = answered.recv().expect("answered");
        assert_eq!(outcomes.len(), 2);
        assert!(outcomes.iter().all(|outcome| outcome.as_ref().is_err_and(stopped)));
        assert!(house.ledger.cap_pages_for_test(1_000_000).is_err());
        assert_eq!(house.reopened().balance(patron(1)), 900);
    });
}

/// Dropping a ledger answers everybody too.
#[test]
fn a_ledger_that_is_dropped_has_answered_everybody() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1000).expect("bought");
    let (tell, told) = channel();
    for n in 0..300 {
        let tell = tell.clone();
        house.ledger.submit(house.wager_draft(&format!("w{n}"), 1, 1), move |outcome| {
            tell.send(outcome.is_ok()).expect("listening");
        });
    }
    let House { ledger, .. } = house;
    drop(ledger);
    assert_eq!(told.try_iter().filter(|stored| *stored).count(), 300);
}

/// A batch that the store refuses does not stop the writer.
#[test]
fn a_store_that_refuses_one_batch_serves_the_next() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let mut db = house.place.writer().expect("connects");
        db.define("ALTER TABLE accounts RENAME TO hidden").expect("meddled");
        let refused = house.wager("w", 1, 10).expect_err("not stored");
        assert!(matches!(refused, Fault::Store(DbError::Refused(_))), "{refused}");
        assert!(house.ledger.healthy());
        assert_eq!(house.ledger.tally().failures.load(Relaxed), 1);
        db.define("ALTER TABLE hidden RENAME TO accounts").expect("put right");
        assert!(!house.wager("w", 1, 10).expect("stored").repeated, "nothing of it was stored before");
        assert_eq!(house.balance(patron(1)), 990);
    });
}

#[test]
fn what_is_not_text_is_not_stored() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1000).expect("bought");
    let mut draft: Draft = house.wager_draft("w", 1, 10);
    draft.event = vec![0xff];
    assert_eq!(house.ledger.commit(draft), Err(Fault::Denied(Denied::NotText)));
    let mut draft = house.wager_draft("w", 1, 10);
    draft.answer = vec![0xff];
    assert_eq!(house.ledger.commit(draft), Err(Fault::Denied(Denied::NotText)));
    assert_eq!(house.balance(patron(1)), 1000);
    // The house's own stream needs no epoch, unlike a table's.
    let mut unfenced = house.wager_draft("w", 1, 10);
    (unfenced.fence, unfenced.stream) = (None, Stream::House);
    house.ledger.commit(unfenced).expect("the house's own");
    assert_eq!(house.balance(ledger::Account::player(Chips::Play, ledger::PersonId(1))), 0);
}

/// A job that arrives while a batch waits for the store is not lost.
#[test]
fn a_job_that_comes_between_commands_is_done() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1000).expect("bought");
    let mut db = house.place.writer().expect("connects");
    db.begin(ledger::db::Purpose::Write).expect("the store is somebody else's for a while");
    let (tell, told) = channel();
    let submit = |id: &str| {
        let tell = tell.clone();
        house.ledger.submit(house.wager_draft(id, 1, 1), move |outcome| {
            tell.send(outcome.is_ok()).expect("listening");
        });
    };
    submit("first");
    std::thread::scope(|scope| {
        let while_it_waits = || std::thread::sleep(std::time::Duration::from_millis(150));
        while_it_waits();
        let job = scope.spawn(|| house.ledger.cap_pages_for_test(1_000_000));
        while_it_waits();
        (0..3).for_each(|n| submit(&format!("later{n}")));
        while_it_waits();
        db.rollback();
        assert_eq!(job.join().expect("no panic"), Ok(()));
    });
    assert_eq!(told.iter().take(4).collect::<Vec<_>>(), [true; 4]);
    assert_eq!(house.balance(patron(1)), 996);
}

/// The background job checkpoints the WAL, so that the writer need not.
#[test]
fn a_long_log_is_written_back_while_the_house_is_open() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1000).expect("bought");
    let file = house.directory.path().join("house.sqlite");
    let length = || std::fs::metadata(&file).expect("there").len();
    for n in 0..10 {
        let mut draft = house.wager_draft(&format!("w{n}"), 1, 1);
        draft.event = vec![b'x'; 800_000];
        house.ledger.commit(draft).expect("wagered");
    }
    let since = std::time::Instant::now();
    while length() < 4_000_000 {
        assert!(since.elapsed().as_secs() < 30, "{} bytes", length());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
