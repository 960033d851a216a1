//! The shape of the store: its tables, columns, constraints, indexes, views and triggers.
//!
//! The shape is compared with the shape that this version of the program creates. The expected shape is not
//! written down a second time: the program creates its schema in a scratch database, and the same query lists both
//! schemas.

use crate::db::{Db, DbResult, Value};
use crate::{anchor, nodes, practice, schema};
use std::collections::{BTreeMap, BTreeSet};

/// A part of a schema: its kind, such as `index`, the table that it belongs to, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SchemaObject {
    pub kind: String,
    pub of: String,
    pub name: String,
}

/// All parts of a schema, with their definitions.
pub type Parts = BTreeMap<SchemaObject, String>;

impl std::fmt::Display for SchemaObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SchemaObject { kind, of, name } = self;
        match of == name {
            true => write!(f, "{kind} `{name}`"),
            false => write!(f, "{kind} `{name}` of table `{of}`"),
        }
    }
}

/// The tables that are created on first use, so that a store may lack them.
const MAY_BE_ABSENT: [&str; 4] = ["schema_least", "nodes", "practice", "cutcard_anchor"];

/// Creates every table and index that this program may create in a store.
fn lay_out_all(db: &mut dyn Db) -> DbResult<()> {
    schema::lay_out(db)?;
    schema::index(db)?;
    schema::note_version(db)?;
    db.define(schema::LEAST)?;
    if db.as_sqlite().is_some() {
        return Ok(());
    }
    // With SQLite these have their own files, or are not needed.
    nodes::lay_out(db)?;
    db.define(practice::TABLE)?;
    db.define(anchor::TABLE)
}

/// Describes how the store's schema differs from this version's, in one sentence.
///
/// Returns `None` if there is no difference.
pub fn difference(db: &mut dyn Db) -> DbResult<Option<String>> {
    let found = db.parts()?;
    // Read the version last: a later program may expand the store meanwhile.
    let later = schema::version(db)? > schema::NEWEST;
    let wanted = db.parts_of(&mut lay_out_all)?;
    Ok(compare(&found, &wanted, later))
}

/// Describes the first mismatch between two schemas, or returns `None` if they match.
///
/// If `later` is set, a later program also uses the store, and may have added parts but not removed any.
fn compare(found: &Parts, wanted: &Parts, later: bool) -> Option<String> {
    let table = |name: &str| SchemaObject { kind: "table".into(), of: name.into(), name: name.into() };
    let absent = |of: &str| MAY_BE_ABSENT.contains(&of) && !found.contains_key(&table(of));
    // In order, so that a changed column is reported before the table that it belongs to.
    let parts: BTreeSet<&SchemaObject> = found.keys().chain(wanted.keys()).collect();
    parts.into_iter().find_map(|part| match (found.get(part), wanted.get(part)) {
        (Some(there), Some(made)) if there != made && !later => {
            Some(format!("{part} differs from this version's schema"))
        }
        (Some(_), None) if !later => {
            Some(format!("the store has {part}, which is not in this version's schema"))
        }
        (None, Some(_)) if !absent(&part.of) => {
            Some(format!("the store is missing {part}, which is in this version's schema"))
        }
        _ => None,
    })
}

/// Returns the parts that a query lists: kind, table, name and definition.
pub(crate) fn list(db: &mut dyn Db, sql: &str) -> DbResult<Parts> {
    let mut parts = Parts::new();
    db.walk(sql, vec![], &mut |row| {
        let mut texts = row.into_iter().map(|value| match value {
            Value::Text(text) => text.into_owned(),
            _ => String::new(),
        });
        let mut next = || texts.next().unwrap_or_default();
        let part = SchemaObject { kind: next(), of: next(), name: next() };
        parts.insert(part, plain(&next()));
        true
    })?;
    Ok(parts)
}

/// Returns a definition without comments and with single spaces.
fn plain(definition: &str) -> String {
    let code = definition.lines().map(|line| line.split("--").next().unwrap_or_default());
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(list: &[(&str, &str, &str, &str)]) -> Parts {
        let part = |kind: &str, of: &str, name: &str| SchemaObject {
            kind: kind.into(),
            of: of.into(),
            name: name.into(),
        };
        list.iter().map(|(kind, of, name, text)| (part(kind, of, name), (*text).to_owned())).collect()
    }

    #[test]
    fn a_later_program_may_add_and_change_and_takes_nothing_away() {
        let wanted = parts(&[("table", "people", "people", "a"), ("index", "people", "by_name", "b")]);
        assert_eq!(compare(&wanted, &wanted, false), None);
        let mut added = wanted.clone();
        added.extend(parts(&[("trigger", "people", "sly", "c")]));
        let told = compare(&added, &wanted, false).expect("one");
        assert_eq!(
            told,
            "the store has trigger `sly` of table `people`, which is not in this version's schema"
        );
        assert_eq!(compare(&added, &wanted, true), None);
        let changed = parts(&[("table", "people", "people", "x"), ("index", "people", "by_name", "b")]);
        let told = compare(&changed, &wanted, false).expect("one");
        assert_eq!(told, "table `people` differs from this version's schema");
        assert_eq!(compare(&changed, &wanted, true), None);
        let less = parts(&[("table", "people", "people", "a")]);
        for later in [false, true] {
            let told = compare(&less, &wanted, later).expect("one");
            assert!(told.starts_with("the store is missing index `by_name` of table `people`,"), "{told}");
        }
    }

    #[test]
    fn a_table_that_may_be_absent_is_compared_where_it_is() {
        let wanted = parts(&[("table", "nodes", "nodes", "a"), ("column", "nodes", "name", "b")]);
        assert_eq!(compare(&Parts::new(), &wanted, false), None);
        let halved = parts(&[("table", "nodes", "nodes", "a")]);
        assert!(compare(&halved, &wanted, false).is_some());
    }

    #[test]
    fn comments_and_spaces_are_no_part_of_a_definition() {
        assert_eq!(plain("CREATE TABLE t (  -- why\n    a INTEGER\n)"), "CREATE TABLE t ( a INTEGER )");
    }
}
