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

/// The bytes of the page that begins with a record.
fn page(house: &House, seq: i64) -> Vec<u8> {
    let mut db = house.place.writer().expect("connects");
    let mut bytes = Vec::new();
    db.walk(&format!("SELECT records FROM pages WHERE seq = {seq}"), vec![], &mut |row| {
        if let Some(Value::Bytes(found)) = row.into_iter().next() {
            bytes = found.into_owned();
        }
        true
    })
    .expect("read");
    bytes
}

fn put_page(house: &House, seq: i64, bytes: Vec<u8>) {
    let mut db = house.place.writer().expect("connects");
    let row = vec![Value::from(bytes), Value::Int(seq)];
    db.load("UPDATE pages SET records = $1 WHERE seq = $2", &[row]).expect("put");
}

/// The records of a page, each with its length before it and its hash after it.
fn records_of(page: &[u8]) -> Vec<&[u8]> {
    let (mut rest, mut records) = (page, Vec::new());
    while let Some(length) = rest.first_chunk::<8>() {
        let (record, after) = rest.split_at(8 + usize::try_from(u64::from_be_bytes(*length)).unwrap() + 32);
        records.push(record);
        rest = after;
    }
    records
}

#[test]
fn a_change_to_any_byte_of_any_record_is_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        for seq in 1..=last {
            let was = page(&house, seq);
            assert_eq!(records_of(&was).len(), 1, "what is committed alone has a page of its own");
            let some = (seq as usize % 11..was.len()).step_by(if seq == last / 2 { 1 } else { 11 });
            for at in some.chain(was.len() - 40..was.len()) {
                let mut bytes = was.clone();
                bytes[at] ^= 1;
                put_page(&house, seq, bytes);
                assert_eq!(first_bad(&house), Some(seq), "byte {at} of {seq}");
            }
            put_page(&house, seq, was);
        }
        assert_eq!(first_bad(&house), None, "everything was put back");
    });
}

/// Commands that become durable together lie on one page, and each of them is named all the same.
#[test]
fn a_record_among_others_on_its_page_is_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let first = house.ledger.head().expect("head").seq.0 + 1;
        let drafts = (0..9).map(|n| house.wager_draft(&format!("together-{n}"), 2, 1)).collect();
        let (tell, told) = std::sync::mpsc::channel();
        house.ledger.submit_chain(drafts, move |outcomes| tell.send(outcomes).expect("awaited"));
        assert!(told.recv().expect("answered").iter().all(Result::is_ok));
        let was = page(&house, first);
        let records = records_of(&was);
        assert_eq!(records.len(), 9);
        for at in 0..records.len() {
            let seq = first + at as i64;
            for byte in [0, 7, 8, 15, 60, records[at].len() - 40, records[at].len() - 1] {
                let before: usize = records[..at].iter().map(|record| record.len()).sum();
                let mut bytes = was.clone();
                bytes[before + byte] ^= 1;
                put_page(&house, first, bytes);
                assert_eq!(first_bad(&house), Some(seq), "byte {byte} of {seq}");
            }
            let mut others = records.clone();
            others.remove(at);
            put_page(&house, first, others.concat());
            assert_eq!(first_bad(&house), Some(seq), "{seq} is not there");
            if at > 0 {
                let mut swapped = records.clone();
                swapped.swap(at - 1, at);
                put_page(&house, first, swapped.concat());
                assert_eq!(first_bad(&house), Some(seq - 1), "{seq} comes too early");
            }
        }
        put_page(&house, first, was.clone());
        assert_eq!(first_bad(&house), None, "everything was put back");
        put_page(&house, first, [&was[..], &[0]].concat());
        assert_eq!(first_bad(&house), Some(first + 9), "something follows the last record");
    });
}

#[test]
fn a_dropped_record_is_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        for seq in (1..=last).rev() {
            meddle(&house, &[&format!("DELETE FROM pages WHERE seq = {seq}")]);
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
                format!("UPDATE pages SET seq = -1 WHERE seq = {seq}"),
                format!("UPDATE pages SET seq = {seq} WHERE seq = {}", seq + 1),
                format!("UPDATE pages SET seq = {} WHERE seq = -1", seq + 1),
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
        meddle(&house, &[&format!("DELETE FROM pages WHERE seq = {last}")]);
        assert_eq!(first_bad(&house), Some(last));
        let earlier = page(&house, last - 1);
        let head = vec![Value::Int(last - 1), Value::from(earlier[earlier.len() - 32..].to_vec())];
        let mut db = house.place.writer().expect("connects");
        db.load("UPDATE head SET seq = $1, hash = $2", &[head]).expect("rewritten");
        meddle(&house, &["DELETE FROM seals"]);
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
        for (table, key, column, owner, what) in [
            ("legs", "seq", "lines", format!("account = {layout}"), "statement of cash:layout:1"),
            ("streams", "seq", "entries", "stream = 1".into(), "list of streams"),
            ("commands", "first", "entries", "1 = 1".into(), "list of commands"),
        ] {
            let mut db = house.place.writer().expect("connects");
            let mut rows = Vec::new();
            db.walk(&format!("SELECT {key}, {column} FROM {table} WHERE {owner}"), vec![], &mut |row| {
                rows.push(row);
                true
            })
            .expect("read");
            let [found, Value::Bytes(was)] = &rows[0][..] else { panic!("{rows:?}") };
            let mut put = |bytes: Vec<u8>| {
                let row = vec![Value::from(bytes), found.clone()];
                let sql = format!("UPDATE {table} SET {column} = $1 WHERE {key} = $2 AND {owner}");
                db.load(&sql, &[row]).expect("put");
            };
            let mut bytes = was.to_vec();
            *bytes.last_mut().expect("not empty") ^= 1;
            put(bytes);
            let bad = outcome(&house).first_bad.expect("noticed");
            assert!(bad.what.contains(what), "{}", bad.what);
            put(was.to_vec());
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
