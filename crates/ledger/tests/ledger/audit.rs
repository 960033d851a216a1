//! Whatever is done to the journal behind the house's back, the audit names the first record that does not fit.

use crate::house::{House, cash, command, on_both, patron};
use ledger::audit::{Auditor, Outcome, audit};
use ledger::db::{Db, Value};
use ledger::seal::Seal;
use ledger::{Effect, Holder, Measure, PersonId, Record, Seq, Span, Stream};

fn outcome(house: &House) -> Outcome {
    let key = ledger_key(house);
    let mut db = house.place.writer().expect("connects");
    let mut nothing = |_: &Record| Ok(());
    audit(&mut *db, &mut Auditor { key: Some(key), copies: copies(house), replay: &mut nothing })
        .expect("readable")
}

fn ledger_key(house: &House) -> ledger::seal::PublicKey {
    ledger::seal::PublicKey::from_bytes(&house.ledger.public_key()).expect("a key")
}

fn copies(house: &House) -> Vec<Seal> {
    let text = std::fs::read_to_string(house.directory.path().join("seals.log")).unwrap_or_default();
    text.lines().map(|line| Seal::from_line(line).expect("a seal")).collect()
}

fn meddle(house: &House, statements: &[&str]) {
    let mut db: Box<dyn Db> = house.place.writer().expect("connects");
    for sql in statements {
        db.load(sql, &[vec![]]).expect("meddled");
    }
}

fn first_bad(house: &House) -> Option<i64> {
    outcome(house).first_bad.map(|bad| bad.seq.0)
}

#[test]
fn an_honest_journal_passes() {
    on_both(|house| {
        let house = house.with_some_play();
        let mut draft = ledger::Draft::new(Stream::House, PersonId(2), command("l"), "limit");
        draft.effects.push(Effect::Limit {
            person: PersonId(2),
            measure: Measure::Time,
            span: Span::Week,
            most: Some(9),
        });
        house.ledger.commit(draft).expect("recorded");
        assert!(house.ledger.seal_today().expect("sealed").is_some());
        assert!(house.ledger.seal_today().expect("once a day").is_none());
        let outcome = outcome(&house);
        assert_eq!(outcome.first_bad, None);
        assert_eq!((outcome.records, outcome.seals), (house.ledger.head().expect("head").seq.0, 2));
        assert!(outcome.records > 10);
    });
}

#[test]
fn a_change_to_any_column_of_any_record_is_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        let numbers = ["at", "day", "stream", "round", "person"];
        for seq in 1..=last {
            for column in numbers {
                meddle(&house, &[&format!("UPDATE journal SET {column} = {column} + 1 WHERE seq = {seq}")]);
                assert_eq!(first_bad(&house), Some(seq), "{column} of {seq}");
                meddle(&house, &[&format!("UPDATE journal SET {column} = {column} - 1 WHERE seq = {seq}")]);
            }
        }
        for seq in [1, last / 2, last] {
            for column in ["body", "event", "legs", "answer", "hash"] {
                let was = flip(&house, column, seq);
                assert_eq!(first_bad(&house), Some(seq), "{column} of {seq}");
                put(&house, column, seq, was);
            }
            meddle(&house, &[&format!("UPDATE journal SET kind = kind || 'x' WHERE seq = {seq}")]);
            assert_eq!(first_bad(&house), Some(seq), "kind of {seq}");
            meddle(
                &house,
                &[&format!("UPDATE journal SET kind = substr(kind, 1, length(kind) - 1) WHERE seq = {seq}")],
            );
        }
        assert_eq!(first_bad(&house), None, "everything was put back");
    });
}

/// Flips the lowest bit of the last byte of a column, or adds a byte to an empty one; answers what was there.
fn flip(house: &House, column: &str, seq: i64) -> Vec<u8> {
    let mut db = house.place.writer().expect("connects");
    let mut was = Vec::new();
    db.walk(&format!("SELECT {column} FROM journal WHERE seq = {seq}"), vec![], &mut |row| {
        if let Some(Value::Bytes(found)) = row.into_iter().next() {
            was = found.into_owned();
        }
        true
    })
    .expect("read");
    let mut bytes = was.clone();
    match bytes.last_mut() {
        Some(last) => *last ^= 1,
        None => bytes.push(0),
    }
    put(house, column, seq, bytes);
    was
}

fn put(house: &House, column: &str, seq: i64, bytes: Vec<u8>) {
    let mut db = house.place.writer().expect("connects");
    let row = vec![Value::from(bytes), Value::Int(seq)];
    db.load(&format!("UPDATE journal SET {column} = $1 WHERE seq = $2"), &[row]).expect("put");
}

#[test]
fn a_dropped_record_is_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        for seq in (1..=last).rev() {
            meddle(&house, &[&format!("DELETE FROM journal WHERE seq = {seq}")]);
            assert_eq!(first_bad(&house), Some(seq));
        }
    });
}

#[test]
fn two_swapped_records_are_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        for seq in 1..last {
            let swap = [
                format!("UPDATE journal SET seq = -1 WHERE seq = {seq}"),
                format!("UPDATE journal SET seq = {seq} WHERE seq = {}", seq + 1),
                format!("UPDATE journal SET seq = {} WHERE seq = -1", seq + 1),
            ];
            let swap: Vec<&str> = swap.iter().map(String::as_str).collect();
            meddle(&house, &swap);
            assert_eq!(first_bad(&house), Some(seq));
            meddle(&house, &swap);
        }
        assert_eq!(first_bad(&house), None);
    });
}

#[test]
fn a_journal_cut_short_is_noticed_even_with_its_head_rewritten() {
    on_both(|house| {
        let house = house.with_some_play();
        house.ledger.seal_today().expect("sealed");
        let last = house.ledger.head().expect("head").seq.0;
        meddle(&house, &[&format!("DELETE FROM journal WHERE seq = {last}")]);
        assert_eq!(first_bad(&house), Some(last));
        let earlier = last - 1;
        meddle(
            &house,
            &[
                &format!(
                    "UPDATE head SET seq = {earlier}, hash = (SELECT hash FROM journal WHERE seq = {earlier})"
                ),
                "DELETE FROM seals",
            ],
        );
        assert_eq!(first_bad(&house), Some(last), "the seal's second copy knows the record");
    });
}

#[test]
fn a_balance_or_statement_that_differs_from_the_journal_is_noticed() {
    on_both(|house| {
        let house = house.with_some_play();
        // Reading folds everything in.
        house.balance(patron(2));
        meddle(&house, &["UPDATE accounts SET balance = balance + 1 WHERE name = 'cash:player:2'"]);
        let bad = outcome(&house).first_bad.expect("noticed");
        assert_eq!(bad.seq, Seq(0));
        assert!(bad.what.contains("cash:player:2"), "{}", bad.what);
        meddle(&house, &["UPDATE accounts SET balance = balance - 1 WHERE name = 'cash:player:2'"]);
        let layout = cash(Holder::Layout(crate::house::TABLE)).number();
        meddle(
            &house,
            &[&format!("UPDATE legs SET amount = amount + 1 WHERE account = {layout} AND seq = 4")],
        );
        assert!(outcome(&house).first_bad.expect("noticed").what.contains("statement of cash:layout:1"));
        meddle(
            &house,
            &[&format!("UPDATE legs SET amount = amount - 1 WHERE account = {layout} AND seq = 4")],
        );
        for (table, change) in [("commands", "seq = seq - 1"), ("streams", "kind = kind || 'x'")] {
            meddle(&house, &[&format!("UPDATE {table} SET {change} WHERE seq = 4")]);
            let bad = outcome(&house).first_bad.expect("noticed");
            assert!(bad.what.contains(&format!("list of {table}")), "{}", bad.what);
            let back =
                if table == "commands" { "seq = 4" } else { "kind = substr(kind, 1, length(kind) - 1)" };
            let lost = if table == "commands" {
                "seq = 3 AND command = (SELECT command FROM journal WHERE seq = 4)"
            } else {
                "seq = 4"
            };
            meddle(&house, &[&format!("UPDATE {table} SET {back} WHERE {lost}")]);
            assert!(outcome(&house).first_bad.is_none());
        }
        meddle(&house, &["UPDATE play_days SET wagered = 0 WHERE person = 3"]);
        assert!(outcome(&house).first_bad.expect("noticed").what.contains("person 3"));
    });
}

#[test]
fn the_auditors_own_check_of_a_record_counts() {
    let house = House::at(ledger::Place::in_directory).with_some_play();
    let mut db = house.place.writer().expect("connects");
    let mut check = |record: &Record| {
        if record.seq == Seq(5) { Err("wrong".to_owned()) } else { Ok(()) }
    };
    let outcome =
        audit(&mut *db, &mut Auditor { key: None, copies: vec![], replay: &mut check }).expect("readable");
    assert_eq!(outcome.first_bad.map(|bad| bad.seq), Some(Seq(5)));
}
