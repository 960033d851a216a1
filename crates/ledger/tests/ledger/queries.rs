//! The auditor's queries in docs/house/audit.md, run on both stores.

use crate::audit::outcome_at;
use crate::cluster;
use crate::house::{House, on_both};
use ledger::StoreAddress;
use ledger::db::Value;

const HOUSE: &str = include_str!("../../../../docs/house/audit.md");

/// Returns the fenced blocks that begin with this line.
fn blocks(fence: &str) -> Vec<&'static str> {
    let fenced = HOUSE.split(fence).skip(1);
    fenced.map(|rest| rest.split_once("```").expect("a block ends").0.trim().trim_end_matches(';')).collect()
}

/// Counts a query's rows, because sums have different types on PostgreSQL and SQLite.
fn as_text(sql: &str) -> String {
    format!("SELECT COUNT(*) FROM ({sql}) q")
}

#[test]
fn every_question_is_answered() {
    let questions = blocks("```sql\n");
    assert!(questions.len() >= 10, "{}", questions.len());
    // Roles belong to the whole cluster, which all tests of a run share.
    let auditor = format!("cutcard_auditor_{}", std::process::id());
    on_both(|house| {
        let house = house.with_some_play().with_everything_else();
        if let StoreAddress::Postgres(_) = house.place {
            let mut db = house.place.writer().expect("connects");
            for block in blocks("```sql role\n") {
                db.define(&block.replace("cutcard_auditor", &auditor)).expect("granted");
            }
        }
        let mut db = house.place.reader().expect("connects");
        if let StoreAddress::Postgres(_) = house.place {
            db.define(&format!("SET ROLE {auditor}")).expect("an auditor");
            for forbidden in ["UPDATE accounts SET balance = 0", "DELETE FROM journal", "TABLE sessions"] {
                assert!(db.define(forbidden).is_err(), "{forbidden}");
            }
            assert!(db.define("SELECT secret FROM people").is_err());
        }
        for sql in &questions {
            let mut rows = Vec::new();
            db.walk(&as_text(sql), vec![], &mut |row| {
                rows.push(row);
                true
            })
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
            let voids = sql.contains("voids");
            assert_eq!(rows[0][0] == Value::Int(0), voids, "{sql}: {rows:?}");
        }
        let mut zero = Vec::new();
        let sums = "SELECT chips FROM accounts GROUP BY chips HAVING SUM(balance) <> 0";
        db.walk(sums, vec![], &mut |row| {
            zero.push(row);
            true
        })
        .expect("read");
        assert!(zero.is_empty(), "{zero:?}");
    });
}

/// The documented rights are enough for an audit, checks of the indexes included, and for nothing else.
#[test]
fn the_role_of_the_audit_can_audit_and_writes_nothing() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let house = House::at(|_| StoreAddress::Postgres(url.clone())).with_some_play().with_everything_else();
    let mut db = house.place.writer().expect("connects");
    db.define("CREATE EXTENSION amcheck").expect("comes with PostgreSQL");
    let role = format!("cutcard_audit_{}", std::process::id());
    let grants = blocks("```sql audit\n");
    assert_eq!(grants.len(), 1);
    db.define(&grants[0].replace("cutcard_audit", &role)).expect("granted");
    let place = StoreAddress::Postgres(url.replace("user=house", &format!("user={role}")));
    let mut db = place.reader().expect("connects");
    for forbidden in ["UPDATE accounts SET balance = 0", "DELETE FROM journal", "CREATE TABLE t (n INTEGER)"]
    {
        assert!(db.define(forbidden).is_err(), "{forbidden}");
    }
    let found = outcome_at(&house, &place);
    assert_eq!(found.first_bad, None);
    assert_eq!(found.records, house.ledger.head().expect("head").seq.0);
}
