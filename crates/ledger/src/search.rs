//! Searches the journal by kind, stream, day and person, oldest or newest first.
//!
//! A search for a person finds the records whose command the person gave, or all records that concern the person.
//! Such a search uses indexes, so its cost depends on that person's records and not on the whole journal.

use crate::account::Account;
use crate::db::{Columns, Db, DbResult, Row};
use crate::ids::{GamingDay, PersonId, Seq, Stream};
use crate::journal::{found, records_where};
use crate::record::{Record, journal_columns};
use crate::row;
use std::collections::BTreeMap;

/// A filter for records of the journal.
///
/// Fields that are `None` match anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordFilter {
    pub kind: Option<String>,
    pub who: Option<PersonFilter>,
    pub stream: Option<Stream>,
    pub day: Option<GamingDay>,
}

/// How a person must be related to a record for a search to find the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonFilter {
    /// The person gave the record's command.
    Gave(PersonId),
    /// The person gave the command, or the person's chips moved, or a significant event names the person.
    Concerned(PersonId),
}

/// Where a page of results starts, and in which direction it continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStart {
    /// The page has the records after this record, oldest first.
    After(Seq),
    /// The page has the records before this record, newest first.
    Before(Seq),
}

/// The parameter value that makes a query match any stream or any day.
const ANY: i64 = i64::MIN;

/// The SQL conditions common to all searches.
///
/// Parameters are numbered by first use.
macro_rules! narrowed {
    ($beyond:literal) => {
        concat!(
            "seq ",
            $beyond,
            " $1 AND (kind = $2 OR $2 = '') AND (table_no = $3 OR $3 = $4) AND (day = $5 OR $5 = $4)"
        )
    };
}

macro_rules! any {
    ($beyond:literal, $order:literal) => {
        records_where!(narrowed!($beyond), " ORDER BY seq ", $order, " LIMIT $6")
    };
}

/// The query for records whose command a person gave, which uses the index `journal_person`.
macro_rules! gave {
    ($beyond:literal, $order:literal) => {
        records_where!(narrowed!($beyond), " AND person = $6 ORDER BY seq ", $order, " LIMIT $7")
    };
}

/// The query for the numbers of records that moved an account's chips, which uses `postings_account`.
macro_rules! moved {
    ($beyond:literal, $order:literal) => {
        concat!(
            "SELECT p.seq FROM postings p JOIN journal j ON j.seq = p.seq WHERE p.seq ",
            $beyond,
            " $1 AND (j.kind = $2 OR $2 = '') AND (j.table_no = $3 OR $3 = $4) AND (j.day = $5 OR $5 = $4) \
             AND p.account = $6 GROUP BY p.seq ORDER BY p.seq ",
            $order,
            " LIMIT $7"
        )
    };
}

/// The query for significant events that name a person, which uses `journal_significant`.
macro_rules! named {
    ($beyond:literal, $order:literal) => {
        records_where!(
            narrowed!($beyond),
            " AND kind = 'significant' AND (event LIKE $6 OR event LIKE $7 OR event LIKE $8 OR event LIKE $9 \
             OR event LIKE $10 OR event LIKE $11) ORDER BY seq ",
            $order,
            " LIMIT $12"
        )
    };
}

/// Returns a page of at most `most` records that match `sought`, starting at `from`.
pub fn search(db: &mut dyn Db, sought: &RecordFilter, from: PageStart, most: i64) -> DbResult<Vec<Record>> {
    let (PageStart::After(seq) | PageStart::Before(seq)) = from;
    let stream = sought.stream.map_or(ANY, Stream::number);
    let kind = sought.kind.clone().unwrap_or_default();
    let words = row![seq.0, kind, stream, ANY, sought.day.map_or(ANY, |day| day.0)];
    let with = |more: Row<'static>| -> Row<'static> { words.iter().cloned().chain(more).collect() };
    let (any, gave, moved, named) = match from {
        PageStart::After(_) => (any!(">", ""), gave!(">", ""), moved!(">", ""), named!(">", "")),
        PageStart::Before(_) => {
            (any!("<", "DESC"), gave!("<", "DESC"), moved!("<", "DESC"), named!("<", "DESC"))
        }
    };
    let person = match sought.who {
        None => return found(db, any, with(row![most])),
        Some(PersonFilter::Gave(person)) => return found(db, gave, with(row![person.0, most])),
        Some(PersonFilter::Concerned(person)) => person,
    };
    // Read a full page from each source; the result page is among them.
    let mut page: BTreeMap<i64, Record> = BTreeMap::new();
    let mut keep =
        |records: Vec<Record>| page.extend(records.into_iter().map(|record| (record.seq.0, record)));
    keep(found(db, gave, with(row![person.0, most]))?);
    let names = mentions(person).into_iter().map(|text| format!("%{text}%").into());
    keep(found(db, named, with(names.chain(row![most]).collect()))?);
    let accounts: Vec<Row<'_>> =
        Account::all_of(person).iter().map(|account| with(row![account.number(), most])).collect();
    for row in db.ask(moved, &accounts)?.into_iter().flatten() {
        keep(found(db, records_where!("seq = $1"), row![Columns::of(row).int()?])?);
    }
    let most = usize::try_from(most).unwrap_or(0);
    Ok(match from {
        PageStart::After(_) => page.into_values().take(most).collect(),
        PageStart::Before(_) => page.into_values().rev().take(most).collect(),
    })
}

/// Returns the JSON fragments by which a significant event names a person.
///
/// A fragment is the person's number with the character that ends it, or the person's account.
fn mentions(person: PersonId) -> [String; 6] {
    let id = person.0;
    [
        format!("\"person\":{id},"),
        format!("\"person\":{id}}}"),
        format!("\"patron\":{id},"),
        format!("\"patron\":{id}}}"),
        format!(":player:{id}\""),
        format!(":owed:{id}\""),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_is_named_by_the_whole_number() {
        let named = |event: &str| mentions(PersonId(7)).iter().any(|text| event.contains(text));
        for event in [
            r#"{"details":{"name":"Ann","person":7},"what":"account-made"}"#,
            r#"{"details":{"patron":7,"seq":1}}"#,
            r#"{"details":{"account":"cash:player:7","amount":"500.00"}}"#,
            r#"{"details":{"account":"play:owed:7"}}"#,
        ] {
            assert!(named(event), "{event}");
        }
        for event in [
            r#"{"details":{"person":71}}"#,
            r#"{"details":{"account":"cash:player:17"}}"#,
            r#"{"details":{"reason":"they wrote \"person\":7, and left"}}"#,
            r#"{"details":{"table":7,"round":7}}"#,
        ] {
            assert!(!named(event), "{event}");
        }
    }
}
