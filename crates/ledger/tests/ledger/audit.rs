//! The audit names the first bad record, whatever was done to the journal behind the house's back.

use crate::cluster::Cluster;
use crate::house::{House, command, on_both};
use ledger::audit::{Auditor, Outcome, Progress, audit, self_check};
use ledger::db::{Db, Value};
use ledger::seal::Seal;
use ledger::{Effect, Measure, PersonId, Record, Seq, Span, StoreAddress, Stream};
use std::os::unix::fs::FileExt as _;

fn outcome(house: &House) -> Outcome {
    outcome_at(house, &house.place)
}

/// Audits a house at this address of its store.
pub fn outcome_at(house: &House, place: &StoreAddress) -> Outcome {
    let key = ledger_key(house);
    let mut db = place.writer().expect("connects");
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

/// Returns the event text of a record.
fn event(house: &House, seq: i64) -> String {
    house
        .ledger
        .read(|db| ledger::journal::record(db, Seq(seq)))
        .expect("read")
        .map_or(String::new(), |r| String::from_utf8(r.event).expect("text"))
}

#[test]
fn a_changed_record_is_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        for seq in 1..=last {
            for (column, other) in [
                ("event", format!("'{} '", event(&house, seq))),
                ("at", "at + 1".into()),
                ("round", "round + 1".into()),
                ("legs", "legs || ' '".into()),
                ("answer", "answer || 'x'".into()),
                ("epoch", "epoch + 1".into()),
            ] {
                let mut db = house.place.writer().expect("connects");
                let was = value(&mut *db, &format!("SELECT {column} FROM journal WHERE seq = {seq}"));
                meddle(&house, &[&format!("UPDATE journal SET {column} = {other} WHERE seq = {seq}")]);
                assert_eq!(first_bad(&house), Some(seq), "{column} of {seq}");
                let sql = format!("UPDATE journal SET {column} = $1 WHERE seq = {seq}");
                db.load(&sql, &[vec![was]]).expect("put back");
            }
        }
        assert_eq!(first_bad(&house), None, "everything was put back");
    });
}

fn value(db: &mut dyn Db, sql: &str) -> Value<'static> {
    let mut found = Value::Null;
    db.walk(sql, vec![], &mut |mut row| {
        found = row.remove(0);
        true
    })
    .expect("read");
    found
}

/// Returns a connection that bypasses the store's own constraints.
fn unbridled(house: &House) -> Box<dyn Db> {
    let mut db = house.place.writer().expect("connects");
    match house.place {
        ledger::StoreAddress::Sqlite(_) => db.define("PRAGMA foreign_keys = OFF"),
        ledger::StoreAddress::Postgres(_) => db.define("SET session_replication_role = replica"),
    }
    .expect("unbridled");
    db
}

#[test]
fn a_dropped_record_is_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        let mut db = unbridled(&house);
        for seq in (1..=last).rev() {
            db.load(&format!("DELETE FROM journal WHERE seq = {seq}"), &[vec![]]).expect("dropped");
            assert_eq!(first_bad(&house), Some(seq));
        }
    });
}

#[test]
fn two_swapped_records_are_named() {
    on_both(|house| {
        let house = house.with_some_play();
        let last = house.ledger.head().expect("head").seq.0;
        let mut db = unbridled(&house);
        for seq in 1..last {
            let mut swap = || {
                for (from, to) in [(seq, 999_999), (seq + 1, seq), (999_999, seq + 1)] {
                    let sql = format!("UPDATE journal SET seq = {to} WHERE seq = {from}");
                    db.load(&sql, &[vec![]]).expect("moved");
                }
            };
            swap();
            assert_eq!(first_bad(&house), Some(seq));
            swap();
        }
        assert_eq!(first_bad(&house), None);
    });
}

#[test]
fn a_journal_cut_short_is_noticed_even_with_everything_else_rewritten() {
    on_both(|house| {
        let house = house.with_some_play();
        house.wager("last", 1, 1).expect("wagered");
        house.ledger.seal_today().expect("sealed");
        let last = house.ledger.head().expect("head").seq.0;
        let mut db = unbridled(&house);
        db.load(&format!("DELETE FROM journal WHERE seq = {last}"), &[vec![]]).expect("cut");
        assert_eq!(first_bad(&house), Some(last), "its head knows");
        db.load(&format!("DELETE FROM journal WHERE seq = {}", last - 1), &[vec![]]).expect("cut");
        ledger::rebuild(&mut *db).expect("rebuilt");
        assert_eq!(first_bad(&house), Some(last - 1), "the seal's second copy knows the record");
    });
}

/// Returns the columns of every table, and its key columns.
fn columns() -> Vec<(String, Vec<String>, Vec<String>)> {
    let names = |columns: &[ledger::Column]| columns.iter().map(|c| c.name.to_owned()).collect::<Vec<_>>();
    let table = |t: ledger::Table| (t.name.to_owned(), names(&t.columns), names(&t.columns[..t.key]));
    ledger::tables().into_iter().map(table).collect()
}

#[test]
fn the_schema_is_read_as_it_is_written() {
    let tables = columns();
    assert_eq!(tables.len(), include_str!("../../src/schema/tables.sql").matches("CREATE TABLE").count());
    assert_eq!(tables[0].2, ["seq"]);
    let wagers = tables.iter().find(|(name, ..)| name == "wagers").expect("there");
    assert_eq!((wagers.1.len(), wagers.2.join(" ")), (9, "table_no round person chips".into()));
    assert!(tables.iter().all(|(_, columns, key)| !key.is_empty() && key.len() < columns.len()));
    let tables = ledger::tables();
    let limits = tables.iter().find(|table| table.name == "limits").expect("there");
    let columns: Vec<_> = limits.columns.iter().map(|c| (c.name, c.number, c.maybe)).collect();
    assert_eq!(
        columns,
        [
            ("person", true, false),
            ("measure", false, false),
            ("span", false, false),
            ("most", true, true),
            ("later_most", true, true),
            ("later_at", true, true),
        ]
    );
}

/// A house may be sealed before its first record; a seal of a missing record is invalid.
#[test]
fn a_seal_is_of_a_record_that_is_there_or_of_the_beginning() {
    let directory = tempfile::tempdir().expect("temp dir");
    let place = ledger::StoreAddress::in_directory(directory.path());
    let ledger = ledger::Ledger::open(directory.path(), place.clone(), 0).expect("opens");
    let seal = ledger.seal_today().expect("sealed").expect("the first today");
    assert_eq!(seal.seq, Seq(0));
    let found = |copies: Vec<Seal>| {
        let mut nothing = |_: &Record| Ok(());
        let mut auditor = Auditor { key: None, copies, replay: &mut nothing };
        audit(&mut *place.reader().expect("connects"), &mut auditor).expect("readable").first_bad
    };
    assert_eq!(found(vec![seal]), None);
    let nowhere = Seal { seq: Seq(99), ..seal };
    assert_eq!(found(vec![nowhere]).map(|bad| bad.seq), Some(Seq(99)));
}

/// A rebuild names the record that cannot be read.
#[test]
fn a_record_that_cannot_be_read_is_named_by_the_one_before() {
    on_both(|house| {
        let house = house.with_some_play();
        meddle(&house, &["UPDATE journal SET legs = 'x' WHERE seq = 6"]);
        let refused = ledger::rebuild(&mut *house.place.writer().expect("connects")).expect_err("unreadable");
        assert!(refused.to_string().contains("the record after 5 cannot be read"), "{refused}");
        let bad = outcome(&house).first_bad.expect("one");
        assert_eq!((bad.seq, bad.what.contains("hash does not follow")), (Seq(6), true), "{}", bad.what);
    });
}

/// A wrong row is reported with its actual and expected content.
#[test]
fn a_row_that_does_not_follow_is_shown() {
    on_both(|house| {
        let house = house.with_some_play();
        meddle(&house, &["UPDATE accounts SET balance = 7 WHERE name = 'cash:player:1'"]);
        let what = outcome(&house).first_bad.expect("one").what;
        let [is, should_be] = what.split("; ").collect::<Vec<_>>()[..] else { panic!("{what}") };
        assert!(is.starts_with("the table accounts has ") && is.ends_with("balance 7"), "{is}");
        let balance = "name cash:player:1, chips cash, holder patrons, owner 1, may_owe 0, balance 9997";
        assert!(should_be.starts_with("the journal gives ") && should_be.ends_with(balance), "{should_be}");
        meddle(&house, &["UPDATE accounts SET balance = 9997 WHERE name = 'cash:player:1'"]);
        meddle(&house, &["DELETE FROM play_days WHERE person = 3"]);
        let what = outcome(&house).first_bad.expect("one").what;
        assert!(what.starts_with("the table play_days lacks person 3, "), "{what}");
    });
}

/// Returns values other than this one, the likelier first.
fn others(value: &Value<'static>) -> Vec<Value<'static>> {
    let text = |text: &str| Value::from(text.to_owned());
    match value {
        Value::Null => vec![Value::Int(7)],
        Value::Int(n) => {
            [1, -1, 1_000_000].into_iter().filter_map(|by| n.checked_add(by)).map(Value::Int).collect()
        }
        Value::Text(t) => vec![
            Value::from(format!("{t}x")),
            text(if t == "cash" { "play" } else { "cash" }),
            text(if t == "loss" { "time" } else { "loss" }),
            text(if t == "day" { "week" } else { "day" }),
        ],
        Value::Bytes(bytes) => {
            let mut bytes = bytes.to_vec();
            *bytes.last_mut().expect("not empty") ^= 1;
            vec![Value::from(bytes)]
        }
    }
}

#[test]
fn a_change_to_any_column_of_any_table_is_named() {
    on_both(|house| {
        let house = house.with_some_play().with_everything_else();
        assert_eq!(outcome(&house).first_bad, None);
        let mut db = unbridled(&house);
        let mut changed = 0;
        for (table, columns, key) in columns() {
            let sql = format!("SELECT {} FROM {table} ORDER BY {}", columns.join(", "), key.join(", "));
            let mut rows = Vec::new();
            db.walk(&sql, vec![], &mut |row| {
                rows.push(row);
                true
            })
            .expect("read");
            assert!(!rows.is_empty(), "{table} has a row to change");
            for row in [rows.first(), rows.last()].into_iter().flatten() {
                for (n, column) in columns.iter().enumerate() {
                    let mut row = row.clone();
                    let mut put = |row: &[Value<'static>], value: &Value<'static>| {
                        let at = |k: &String| columns.iter().position(|c| c == k).expect("a column");
                        let places: Vec<String> =
                            (2..).zip(&key).map(|(n, k)| format!("{k} = ${n}")).collect();
                        let sql = format!("UPDATE {table} SET {column} = $1 WHERE {}", places.join(" AND "));
                        let keys = key.iter().map(|k| row[at(k)].clone());
                        db.load(&sql, &[std::iter::once(value.clone()).chain(keys).collect()])
                    };
                    let was = row[n].clone();
                    let Some(other) = others(&was).into_iter().find(|other| put(&row, other) == Ok(1)) else {
                        // The store's constraints allow no other value.
                        let checked = [("head", "one"), ("accounts", "may_owe")];
                        assert!(checked.contains(&(&*table, &**column)), "{table}.{column}: {was:?}");
                        continue;
                    };
                    changed += 1;
                    row[n] = other.clone();
                    let found = outcome_or_refusal(&house);
                    assert!(found.is_some(), "{table}.{column} was {was:?} and is {other:?}");
                    assert_eq!(put(&row, &was), Ok(1), "{table}.{column} is put back");
                }
            }
        }
        assert_eq!(outcome(&house).first_bad, None, "everything was put back");
        assert!(changed > 150, "{changed}");
    });
}

fn outcome_or_refusal(house: &House) -> Option<String> {
    let mut db = house.place.reader().expect("connects");
    let mut nothing = |_: &Record| Ok(());
    let mut auditor = Auditor { key: Some(ledger_key(house)), copies: copies(house), replay: &mut nothing };
    match audit(&mut *db, &mut auditor) {
        Ok(outcome) => outcome.first_bad.map(|bad| bad.what),
        Err(error) => Some(error.to_string()),
    }
}

/// Returns every row of every table, or the error that prevented reading them.
fn everything(place: &ledger::StoreAddress) -> Result<Vec<String>, String> {
    let mut rows = Vec::new();
    let mut db = place.reader().map_err(|e| e.to_string())?;
    for (table, columns, key) in columns() {
        let sql = format!("SELECT {} FROM {table} ORDER BY {}", columns.join(", "), key.join(", "));
        db.walk(&sql, vec![], &mut |row| {
            rows.push(format!("{table} {row:?}"));
            true
        })
        .map_err(|e| e.to_string())?;
    }
    Ok(rows)
}

/// Flipping a byte of the file either changes nothing that anybody reads, or is noticed.
#[test]
fn no_byte_of_the_file_changes_an_answer_unnoticed() {
    let house = House::at(ledger::StoreAddress::in_directory).with_some_play().with_everything_else();
    let key = ledger_key(&house);
    let House { ledger, place, directory, .. } = house;
    drop(ledger);
    let file = directory.path().join("house.sqlite");
    let (whole, right) = (std::fs::read(&file).expect("there"), everything(&place).expect("readable"));
    let (mut dice, mut noticed) = (0x2545_f491_4f6c_dd1du64, 0);
    for _ in 0..2000 {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let mut bytes = whole.clone();
        let at = (dice >> 8) as usize % bytes.len();
        bytes[at] ^= 1 << (dice % 8);
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(directory.path().join(format!("house.sqlite{end}")));
        }
        std::fs::write(&file, bytes).expect("written");
        let mut nothing = |_: &Record| Ok(());
        let mut auditor = Auditor { key: Some(key), copies: vec![], replay: &mut nothing };
        let passes = place
            .reader()
            .and_then(|mut db| audit(&mut *db, &mut auditor))
            .is_ok_and(|outcome| outcome.first_bad.is_none());
        match passes {
            true => assert_eq!(everything(&place).as_ref(), Ok(&right), "byte {at}"),
            false => noticed += 1,
        }
    }
    assert!(noticed > 100, "{noticed}");
}

/// The same for PostgreSQL's files: tables, TOAST tables and indexes. The server caches almost nothing, so that reads
/// come from the files. `CUTCARD_BYTES` sets how many bytes to flip, for a longer run.
#[test]
fn no_byte_of_postgres_files_changes_an_answer_unnoticed() {
    let settings = "-c listen_addresses= -c shared_buffers=128kB -c autovacuum=off -c full_page_writes=off";
    let Some(cluster) = Cluster::listening(settings) else { return };
    let house = House::at(|_| ledger::StoreAddress::Postgres(cluster.database()));
    let house = house.with_some_play().with_everything_else();
    let key = ledger_key(&house);
    let House { ledger, place, .. } = house;
    drop(ledger);
    let mut db = place.writer().expect("connects");
    for sql in ["CREATE EXTENSION amcheck", "VACUUM (FREEZE)", "CHECKPOINT"] {
        db.define(sql).expect("settled");
    }
    let mut files = Vec::new();
    let ours = "SELECT pg_relation_filepath(c.oid) FROM pg_class c WHERE c.relkind IN ('r', 'i', 't') AND \
                (c.relnamespace = 'public'::regnamespace OR c.oid IN (SELECT reltoastrelid FROM pg_class WHERE \
                relnamespace = 'public'::regnamespace))";
    db.walk(ours, vec![], &mut |mut row| {
        let Value::Text(path) = row.remove(0) else { panic!("a path is text") };
        files.push(cluster.directory().join("data").join(&*path));
        true
    })
    .expect("listed");
    files.retain(|file| std::fs::metadata(file).is_ok_and(|found| found.len() > 0));
    let right = everything(&place).expect("readable");
    let bytes: usize = std::env::var("CUTCARD_BYTES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (mut dice, mut noticed) = (0x2545_f491_4f6c_dd1du64, 0);
    let mut flipped = 0;
    while flipped < bytes {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let path = &files[(dice >> 40) as usize % files.len()];
        let file = std::fs::OpenOptions::new().read(true).write(true).open(path).expect("opens");
        let at = (dice >> 8) % file.metadata().expect("there").len();
        let mut was = [0];
        file.read_exact_at(&mut was, at).expect("read");
        if was == [0] && (dice >> 3) % 16 != 0 {
            // Most of a small house's pages is empty space.
            continue;
        }
        file.write_all_at(&[was[0] ^ (1 << (dice % 8))], at).expect("flipped");
        flipped += 1;
        let (what, answers) = (audited_afresh(&place, key), everything_afresh(&place));
        file.write_all_at(&was, at).expect("put back");
        match what {
            None => assert_eq!(answers.as_ref(), Ok(&right), "byte {at} of {}", path.display()),
            Some(_) => noticed += 1,
        }
    }
    assert_eq!(audited_afresh(&place, key), None, "everything was put back");
    assert!(noticed > bytes / 20, "{noticed} of {bytes}");
    println!("{noticed} of {bytes} bytes noticed, the others changed no answer");
}

/// Reads enough other data to evict the house from the database's cache.
fn forget(place: &ledger::StoreAddress) -> Result<(), String> {
    let mut db = place.reader().map_err(|e| e.to_string())?;
    db.define("SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off")
        .map_err(|e| e.to_string())?;
    let much = "SELECT COUNT(q.prosrc) FROM (SELECT prosrc FROM pg_proc ORDER BY oid LIMIT 2000) q";
    db.walk(much, vec![], &mut |_| true).map_err(|e| e.to_string())
}

/// Retries while the server recovers from a crash that a damaged page caused.
fn afresh<T>(place: &ledger::StoreAddress, ask: impl Fn() -> Result<T, String>) -> Result<T, String> {
    for _ in 0..100 {
        if forget(place).is_ok() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    ask()
}

fn audited_afresh(place: &ledger::StoreAddress, key: ledger::seal::PublicKey) -> Option<String> {
    let audited = afresh(place, || {
        let mut nothing = |_: &Record| Ok(());
        let mut auditor = Auditor { key: Some(key), copies: vec![], replay: &mut nothing };
        let mut db = place.reader().map_err(|e| e.to_string())?;
        audit(&mut *db, &mut auditor).map_err(|e| e.to_string())
    });
    match audited {
        Ok(outcome) => outcome.first_bad.map(|bad| bad.what),
        Err(error) => Some(error),
    }
}

fn everything_afresh(place: &ledger::StoreAddress) -> Result<Vec<String>, String> {
    afresh(place, || everything(place))
}

#[test]
fn the_auditors_own_check_of_a_record_counts() {
    let house = House::at(ledger::StoreAddress::in_directory).with_some_play();
    let mut db = house.place.writer().expect("connects");
    let mut check = |record: &Record| {
        if record.seq == Seq(5) { Err("wrong".to_owned()) } else { Ok(()) }
    };
    let outcome =
        audit(&mut *db, &mut Auditor { key: None, copies: vec![], replay: &mut check }).expect("readable");
    assert_eq!(outcome.first_bad.map(|bad| bad.seq), Some(Seq(5)));
}

/// A change of the schema, what the audit says about it, and the statement that undoes it.
const DONE_TO_SCHEMAS: [(&str, &str, &str); 5] = [
    (
        "DROP INDEX journal_day",
        "the store is missing index `journal_day` of table `journal`,",
        "CREATE INDEX journal_day ON journal (day, seq)",
    ),
    (
        "ALTER TABLE exclusions ADD COLUMN lifted INTEGER",
        "the store has column `lifted` of table `exclusions`,",
        "ALTER TABLE exclusions DROP COLUMN lifted",
    ),
    (
        "DROP VIEW commands; CREATE VIEW commands AS SELECT person, command, request, seq, at, kind, answer FROM journal \
         WHERE person <> 7",
        "view `commands` differs from this version",
        "DROP VIEW commands; CREATE VIEW commands AS SELECT person, command, request, seq, at, kind, answer FROM journal",
    ),
    ("CREATE TABLE aside (one INTEGER)", "aside`, which is not in this version's schema", "DROP TABLE aside"),
    ("CREATE VIEW rich AS SELECT owner FROM accounts", "the store has view `rich`,", "DROP VIEW rich"),
];

#[test]
fn a_schema_that_somebody_has_changed_is_told() {
    on_both(|house| {
        let house = house.with_some_play();
        let sqlite = matches!(house.place, ledger::StoreAddress::Sqlite(_));
        let added = "the store has trigger `sly` of table `accounts`,";
        let trigger = match sqlite {
            true => (
                "CREATE TRIGGER sly AFTER INSERT ON accounts BEGIN DELETE FROM exclusions; END",
                added,
                "DROP TRIGGER sly",
            ),
            false => (
                "CREATE TRIGGER sly BEFORE UPDATE ON accounts FOR EACH ROW \
                 EXECUTE FUNCTION suppress_redundant_updates_trigger()",
                added,
                "DROP TRIGGER sly ON accounts",
            ),
        };
        for (done, told, undone) in DONE_TO_SCHEMAS.into_iter().chain([trigger]) {
            house.place.writer().expect("connects").define(done).expect("changed");
            let bad = outcome(&house).first_bad.unwrap_or_else(|| panic!("{done}"));
            assert!(bad.seq == Seq(0) && bad.what.contains(told), "{done}: {}", bad.what);
            let checked = checked(&house).first_bad.map(|bad| bad.what);
            assert_eq!(checked, Some(bad.what), "the self-check says the same");
            house.place.writer().expect("connects").define(undone).expect("undone");
            assert_eq!(outcome(&house).first_bad, None, "{undone}");
        }
    });
}

/// A missing table keeps rows from being read; the schema check explains why.
#[test]
fn a_table_that_is_gone_is_told_and_not_only_refused() {
    on_both(|house| {
        let house = house.with_some_play();
        house.place.writer().expect("connects").define("DROP TABLE exclusions").expect("dropped");
        let what = outcome(&house).first_bad.expect("one").what;
        assert!(what.contains("exclusions") && what.starts_with("the store is missing"), "{what}");
    });
}

fn checked(house: &House) -> Outcome {
    let mut db = house.place.reader().expect("connects");
    let mut nothing = |_: &Record| Ok(());
    let mut auditor = Auditor { key: Some(ledger_key(house)), copies: vec![], replay: &mut nothing };
    self_check(&mut *db, &mut auditor, &mut |_| true).expect("readable").expect("whole")
}

/// A self-check works while the house plays: a record appended between two tables is not a difference.
#[test]
fn a_self_check_finds_what_the_audit_finds_and_goes_on_with_play() {
    on_both(|house| {
        let house = house.with_some_play().with_everything_else();
        assert_eq!(checked(&house).first_bad, None);
        let mut db = house.place.reader().expect("connects");
        let mut nothing = |_: &Record| Ok(());
        let mut auditor = Auditor { key: None, copies: vec![], replay: &mut nothing };
        let (mut steps, mut last) = (0, Progress::default());
        let mut step = |at: Progress| {
            steps += 1;
            house.buy_in(&format!("meanwhile-{steps}"), 1, 1).expect("bought");
            assert!(at.records >= last.records && at.of >= at.records, "{last:?} {at:?}");
            last = at;
            true
        };
        let found = self_check(&mut *db, &mut auditor, &mut step).expect("readable").expect("whole");
        assert_eq!(found.first_bad, None);
        assert!(steps > 10 && last.records > found.accounts as i64, "{steps} {last:?}");
        for (sql, told) in [
            ("DELETE FROM exclusions WHERE person = 3", "the table exclusions lacks person 3"),
            ("UPDATE accounts SET balance = 999999 WHERE name = 'cash:player:2'", "accounts has "),
            ("UPDATE people SET role = 'supervisor' WHERE person = 8", "people has "),
        ] {
            meddle(&house, &[sql]);
            let what = checked(&house).first_bad.expect("one").what;
            assert!(what.contains(told), "{what}");
            ledger::rebuild(&mut *house.place.writer().expect("connects")).expect("rebuilt");
            assert_eq!(checked(&house).first_bad, None, "after {sql}");
        }
        let mut ended = Auditor { key: None, copies: vec![], replay: &mut nothing };
        assert!(self_check(&mut *db, &mut ended, &mut |_| false).expect("readable").is_none());
    });
}
