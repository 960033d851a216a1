//! A ledger in a simulated environment: its clock, its randomness, and no other threads.

use crate::house::{House, TABLE, patron};
use ledger::anchor::{Anchor, InDirectory};
use ledger::world::{self, World};
use ledger::{CommandId, Ledger, Moment, Opening, StoreAddress, Stream};
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::time::Duration;

const NOON: i64 = 1_800_000_000_000;

struct Still {
    wall: Cell<i64>,
    alive: Cell<bool>,
    pauses: Cell<u32>,
}

impl World for Still {
    fn wall_clock(&self) -> Moment {
        Moment(self.wall.get())
    }

    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn pause(&self) -> Duration {
        self.pauses.set(self.pauses.get() + 1);
        Duration::from_millis(1)
    }

    fn alive(&self) -> bool {
        self.alive.get()
    }
}

/// Runs a test in a simulated environment, and leaves it again.
fn in_a_still_world(test: impl AsyncFnOnce(Rc<Still>)) {
    let still = Rc::new(Still { wall: Cell::new(NOON), alive: Cell::new(true), pauses: Cell::new(0) });
    world::enter(Some(still.clone()));
    assert!(!world::is_real());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(test(still));
    world::enter(None);
    assert!(world::is_real());
}

fn anchored(data: &Path, anchor: &Path) -> Ledger {
    let anchors: Vec<Box<dyn Anchor>> = vec![Box::new(InDirectory(anchor.to_owned()))];
    let opening = Opening { anchors, ..Opening::default() };
    Ledger::open_with(data, StoreAddress::in_directory(data), opening).expect("opens")
}

/// Returns the number of the anchored record.
fn anchored_seq(anchor: &Path) -> Option<i64> {
    let line = InDirectory(anchor.to_owned()).last().expect("readable")?;
    ledger::seal::Seal::from_line(line.trim()).map(|seal| seal.seq.0)
}

#[test]
fn time_and_chance_are_what_the_world_says() {
    in_a_still_world(async |still| {
        let house = House::at(StoreAddress::in_directory);
        assert_eq!(house.buy_in("b", 1, 100).expect("bought").at, Moment(NOON));
        still.wall.set(NOON + 700);
        assert_eq!(house.wager("w", 1, 10).expect("wagered").at, Moment(NOON + 700));
        assert_eq!(
            CommandId::fresh().map(|id| id.as_str().to_owned()),
            CommandId::fresh().map(|id| id.as_str().to_owned())
        );
        let mut bytes = [0; 4];
        world::fill_random(&mut bytes).expect("chance");
        assert_eq!(bytes, [7; 4]);
        let before = still.pauses.get();
        assert_eq!(world::run_blocking(|| 5).await, Ok(5));
        assert_eq!(still.pauses.get(), before + 1, "what is done aside takes a while");
    });
    let mut bytes = [[0; 16]; 2];
    bytes.iter_mut().for_each(|bytes| world::fill_random(bytes).expect("chance"));
    assert!(bytes[0] != bytes[1] && bytes[0] != [7; 16]);
}

#[test]
fn whoever_hands_something_over_is_answered_after_a_while() {
    in_a_still_world(async |_| {
        let house = House::at(StoreAddress::in_directory);
        house.buy_in("b", 1, 100).expect("whoever waits has it at once");
        let (tell, told) = channel();
        for n in 0..3 {
            let tell = tell.clone();
            house.ledger.submit(house.wager_draft(&format!("w{n}"), 1, 10), move |outcome| {
                tell.send(outcome.is_ok()).expect("listening");
            });
        }
        assert!(told.try_recv().is_err(), "not before anybody waits");
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(told.try_iter().collect::<Vec<_>>(), [true; 3]);
        let chain = vec![house.wager_draft("c1", 1, 10), house.wager_draft("c2", 1, 10)];
        let (tell, told) = channel();
        house.ledger.submit_chain(chain, move |outcomes| tell.send(outcomes.len()).expect("listening"));
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(told.try_recv(), Ok(2));
        // Closing the ledger writes what was submitted.
        let (tell, told) = channel();
        house.ledger.submit(house.wager_draft("last", 1, 10), move |outcome| {
            tell.send(outcome.is_ok()).expect("listening");
        });
        house.ledger.close();
        assert_eq!(told.try_recv(), Ok(true));
    });
}

#[test]
fn a_job_is_done_between_two_batches() {
    in_a_still_world(async |_| {
        let house = House::at(StoreAddress::in_directory);
        house.ledger.cap_pages_for_test(1_000_000).expect("whoever asks has the connection");
        house.buy_in("b", 1, 100).expect("bought");
        assert_eq!(house.balance(patron(1)), 100);
    });
}

#[test]
fn what_is_done_again_and_again_is_done_a_last_time_unless_the_power_is_off() {
    for power in [true, false] {
        in_a_still_world(async |still| {
            let (data, anchor) =
                (tempfile::tempdir().expect("temp dir"), tempfile::tempdir().expect("temp dir"));
            let ledger = anchored(data.path(), anchor.path());
            ledger.take_over(Stream::Table(TABLE), "test").expect("taken over");
            assert_eq!(anchored_seq(anchor.path()), None, "not yet");
            let mut waited = 0;
            while anchored_seq(anchor.path()).is_none() {
                tokio::time::sleep(Duration::from_millis(50)).await;
                waited += 1;
                assert!(waited < 600, "the head is not anchored");
            }
            assert_eq!(anchored_seq(anchor.path()), Some(1));
            // A command's id is made of randomness and time, and here only time advances.
            still.wall.set(NOON + 1);
            ledger.take_over(Stream::Table(TABLE), "again").expect("taken over");
            still.alive.set(power);
            drop(ledger);
            assert_eq!(anchored_seq(anchor.path()), Some(if power { 2 } else { 1 }));
        });
    }
}
