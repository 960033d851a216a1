//! A command is stored once or not at all, whatever its sender does.

use crate::house::{House, TABLE, cash, command, on_both, patron};
use ledger::{
    Cents, Denied, Draft, Epoch, Fault, Holder, PersonId, Postings, Receipt, RoundNo, StoreAddress, Stream,
    journal, people,
};
use std::sync::mpsc::channel;

#[test]
fn a_repeat_gets_the_first_answer_and_moves_nothing() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let first = house.wager("w", 1, 300).expect("wagered");
        let second = house.wager("w", 1, 300).expect("repeated");
        assert!(second.repeated && !first.repeated);
        assert_eq!((second.seq, second.answer, second.legs), (first.seq, first.answer, first.legs));
        assert_eq!(house.wager("w", 1, 301), Err(Fault::Denied(Denied::OtherBody)));
        assert_eq!(house.balance(patron(1)), 700);
        let house = house.reopened();
        assert!(house.wager("w", 1, 300).expect("repeated after a restart").repeated);
        assert_eq!(house.balance(patron(1)), 700);
        house
            .wager("w", 2, 1)
            .expect_err("another person's id is another command: and this one has no chips");
    });
}

/// Whatever the order of ids, each is found again, and only for its own person.
#[test]
fn repeats_are_known_whatever_the_order_of_ids() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        house.buy_in("b", 2, 1000).expect("bought");
        let ids: Vec<String> = (0..400_u64)
            .map(|n| match n % 3 {
                0 => format!("z{:04}", 400 - n),
                1 => format!("{:016x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
                _ => format!("p{n:012x}-{n}"),
            })
            .collect();
        let send_all = |person: i64| {
            let (answers, answered) = channel();
            for id in &ids {
                let answers = answers.clone();
                house.ledger.submit(house.wager_draft(id, person, 1), move |outcome| {
                    answers.send(outcome.expect("accepted").repeated).expect("listening");
                });
            }
            answered.iter().take(ids.len()).filter(|repeated| *repeated).count()
        };
        assert_eq!(send_all(1), 0);
        assert_eq!(house.balance(patron(1)), 600);
        assert_eq!((send_all(1), send_all(2)), (400, 0));
        assert_eq!((house.balance(patron(1)), house.balance(patron(2))), (600, 600));
    });
}

#[test]
fn a_hundred_parallel_copies_move_chips_once() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let (answers, answered) = channel();
        for _ in 0..100 {
            let answers = answers.clone();
            house.ledger.submit(house.wager_draft("same", 1, 10), move |outcome| {
                answers.send(outcome.expect("accepted")).expect("listening");
            });
        }
        let receipts: Vec<_> = answered.iter().take(100).collect();
        assert_eq!(receipts.iter().filter(|r| !r.repeated).count(), 1);
        assert!(receipts.iter().all(|r| r.seq == receipts[0].seq && r.answer == receipts[0].answer));
        assert_eq!(house.balance(patron(1)), 990);
    });
}

#[test]
fn no_balance_falls_below_zero_even_for_a_moment() {
    on_both(|house| {
        let bought = house.buy_in("b", 1, 100).expect("bought").seq;
        assert_eq!(house.wager("w", 1, 101), Err(Fault::Denied(Denied::Short(patron(1)))));
        let mut both = house.wager_draft("both", 1, 101);
        both.postings = both.postings.transfer(cash(Holder::Layout(TABLE)), patron(1), Cents(101));
        assert_eq!(house.ledger.commit(both), Err(Fault::Denied(Denied::Short(patron(1)))));
        let bank = cash(Holder::Bank);
        let mut pay = house.wager_draft("pay", 1, 0);
        pay.postings = Postings::none().transfer(bank, patron(1), Cents(1));
        assert_eq!(house.ledger.commit(pay), Err(Fault::Denied(Denied::Short(bank))));
        assert_eq!(house.balance(patron(1)), 100);
        assert_eq!(house.ledger.head().expect("head").seq, bought, "refusals leave no record");
        house.wager("w", 1, 100).expect("a refused id may be used again");
    });
}

#[test]
fn one_refusal_does_not_hurt_the_others_of_its_batch() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let (answers, answered) = channel();
        for n in 0..40 {
            let answers = answers.clone();
            house.ledger.submit(house.wager_draft(&format!("w{n}"), 1, 100), move |outcome| {
                answers.send(outcome.is_ok()).expect("listening");
            });
        }
        assert_eq!(answered.iter().take(40).filter(|ok| *ok).count(), 10);
        assert_eq!(house.balance(patron(1)), 0);
        assert_eq!(house.balance(cash(Holder::Layout(TABLE))), 1000);
    });
}

#[test]
fn a_former_owner_of_a_table_is_fenced_off() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        let old = house.wager_draft("old", 1, 10);
        let epoch = house.ledger.take_over(Stream::Table(TABLE), "another").expect("taken over");
        assert_eq!(house.ledger.commit(old), Err(Fault::Denied(Denied::Fenced)));
        let mut none = house.wager_draft("none", 1, 10);
        none.fence = None;
        assert_eq!(house.ledger.commit(none), Err(Fault::Denied(Denied::Fenced)));
        let mut new = house.wager_draft("new", 1, 10);
        new.fence = Some(epoch);
        house.ledger.commit(new).expect("the new owner writes");
        assert_eq!(epoch, Epoch(2));
    });
}

#[test]
fn chips_are_neither_made_nor_mixed() {
    on_both(|house| {
        let play = ledger::Account::player(ledger::Chips::Play, PersonId(1));
        let mut draft = Draft::new(Stream::House, PersonId(1), command("mix"), "test");
        draft.postings = Postings::none().transfer(cash(Holder::Outside), play, Cents(5));
        assert_eq!(house.ledger.commit(draft), Err(Fault::Denied(Denied::Unbalanced)));
    });
}

#[test]
fn a_name_belongs_to_one_person() {
    on_both(|house| {
        let join = |id: &str, person: i64, name: &str| {
            let mut draft = Draft::new(Stream::House, PersonId(person), command(id), "joined");
            draft.row_changes.push(people::RowChange::NewPerson(people::Person {
                id: PersonId(person),
                name: name.into(),
                role: "player".into(),
                secret: String::new(),
                guest: false,
                disabled: false,
                created: ledger::Moment(1),
                failures: 0,
                locked_until: ledger::Moment(0),
            }));
            draft
        };
        house.ledger.commit(join("a", 1, "Ann")).expect("joined");
        assert_eq!(house.ledger.commit(join("b", 2, "ANN")), Err(Fault::Denied(Denied::NameTaken)));
        let found = house.ledger.read(|db| people::by_name(db, "ann")).expect("readable").expect("found");
        assert_eq!((found.id, found.name.as_str()), (PersonId(1), "Ann"));
    });
}

#[test]
fn a_stream_goes_on_from_its_checkpoint() {
    on_both(|house| {
        house.buy_in("b", 1, 1000).expect("bought");
        for n in 1..=5 {
            let mut draft = house.wager_draft(&format!("w{n}"), 1, 10);
            draft.round = RoundNo(n);
            draft.checkpoint = n % 2 == 0;
            house.ledger.commit(draft).expect("wagered");
        }
        let house = house.reopened();
        let stream = Stream::Table(TABLE);
        let (state, rest) = house
            .ledger
            .read(|db| {
                let found = journal::checkpoint(db, stream)?.expect("there is one");
                let rest = journal::stream_after(db, stream, (found.round, found.seq), 100)?;
                Ok((found, rest))
            })
            .expect("readable");
        assert_eq!(state.round, RoundNo(4));
        assert_eq!(rest.iter().map(|r| r.event.clone()).collect::<Vec<_>>(), [b"w5".to_vec()]);
        let round = house.ledger.read(|db| journal::round(db, stream, RoundNo(3))).expect("readable");
        assert_eq!(round.len(), 1);
        assert_eq!(house.ledger.read(|db| journal::last_round(db, stream)).expect("readable"), RoundNo(5));
    });
}

#[test]
fn a_data_directory_serves_one_server_at_a_time() {
    let house = House::at(StoreAddress::in_directory);
    let second = ledger::Ledger::open(house.directory.path(), house.place.clone(), 0);
    assert!(second.is_err_and(|e| e.to_string().contains("in use")));
}

/// Submits a chain and waits for the results of its commands.
fn chained(house: &House, drafts: Vec<Draft>) -> Vec<Result<Receipt, Fault>> {
    let (answer, answered) = std::sync::mpsc::channel();
    house.ledger.submit_chain(drafts, move |outcomes| answer.send(outcomes).expect("somebody waits"));
    answered.recv().expect("answered")
}

#[test]
fn a_chain_ends_with_the_first_command_that_is_not_stored_now() {
    on_both(|house| {
        let bought = house.buy_in("b", 1, 1000).expect("bought").seq.0;
        let draft = |id: &str, cents| house.wager_draft(id, 1, cents);
        let behind = Err(Fault::Denied(Denied::Behind));
        // Sequence numbers relative to the buy-in.
        let seqs = |outcomes: &[Result<Receipt, Fault>]| -> Vec<Option<i64>> {
            outcomes.iter().map(|o| o.as_ref().ok().map(|r| r.seq.0 - bought)).collect()
        };
        let whole = chained(&house, vec![draft("a", 100), draft("b2", 100), draft("c", 100)]);
        assert_eq!(seqs(&whole), [Some(1), Some(2), Some(3)]);
        // The middle command lacks funds, so the ones that depend on it are not stored.
        let short = chained(&house, vec![draft("d", 100), draft("e", 5000), draft("f", 100)]);
        assert!(matches!(&short[1], Err(Fault::Denied(Denied::Short(_)))));
        assert_eq!((seqs(&short), &short[2]), (vec![Some(4), None, None], &behind));
        // A repeat stores nothing, so it breaks the chain too; it returns its first answer.
        let again = chained(&house, vec![draft("g", 100), draft("a", 100), draft("h", 100)]);
        assert_eq!(seqs(&again), [Some(5), Some(1), None]);
        assert!(again[1].as_ref().is_ok_and(|receipt| receipt.repeated) && again[2] == behind);
        // A broken chain does not affect the next command.
        assert_eq!(house.wager("f", 1, 100).expect("stored").seq.0, bought + 6);
        assert_eq!(house.balance(patron(1)), 400);
    });
}
