//! The shape of the store: its tables, columns, constraints, indexes, views and triggers, compared with what this version
//! of the program makes. What is expected is not written down a second time: the schema is laid out in a scratch database,
//! and both are listed by the same question.

use crate::db::{Db, DbResult, Value};
use crate::{anchor, nodes, practice, schema};
use std::collections::{BTreeMap, BTreeSet};

/// A part of a schema: its kind (`index`), the table that it belongs to, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub kind: String,
    pub of: String,
    pub name: String,
}

/// Every part of a schema, with its definition.
pub type Parts = BTreeMap<Part, String>;

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Part { kind, of, name } = self;
        match of == name {
            true => write!(f, "the {kind} {name}"),
            false => write!(f, "the {kind} {name} of {of}"),
        }
    }
}

/// Tables that are made when they are first needed, so that a store may be without them.
const MAY_BE_ABSENT: [&str; 4] = ["schema_least", "nodes", "practice", "cutcard_anchor"];

/// Lays out everything that this program may make in a store.
fn lay_out_all(db: &mut dyn Db) -> DbResult<()> {
    schema::lay_out(db)?;
    schema::index(db)?;
    schema::note_version(db)?;
    db.define(schema::LEAST)?;
    if db.as_sqlite().is_some() {
        return Ok(());
    }
    // Beside SQLite these have files of their own, or are not needed.
    nodes::lay_out(db)?;
    db.define(practice::TABLE)?;
    db.define(anchor::TABLE)
}

/// Returns in one sentence how the store's schema differs from what this version of the program makes.
pub fn difference(db: &mut dyn Db) -> DbResult<Option<String>> {
    let found = db.parts()?;
    // Asked afterwards: a later program may expand the store meanwhile.
    let later = schema::version(db)? > schema::NEWEST;
    let wanted = db.parts_of(&mut lay_out_all)?;
    Ok(compare(&found, &wanted, later))
}

/// `later`: the store belongs to a later program too, which may add to it and take nothing away.
fn compare(found: &Parts, wanted: &Parts, later: bool) -> Option<String> {
    let table = |name: &str| Part { kind: "table".into(), of: name.into(), name: name.into() };
    let absent = |of: &str| MAY_BE_ABSENT.contains(&of) && !found.contains_key(&table(of));
    // In order, so that a column is told before the table that it changes.
    let parts: BTreeSet<&Part> = found.keys().chain(wanted.keys()).collect();
    parts.into_iter().find_map(|part| match (found.get(part), wanted.get(part)) {
        (Some(there), Some(made)) if there != made && !later => {
            Some(format!("{part} is not as this version of the program makes it"))
        }
        (Some(_), None) if !later => {
            Some(format!("the store has {part}, which this version of the program does not make"))
        }
        (None, Some(_)) if !absent(&part.of) => {
            Some(format!("the store lacks {part}, which this version of the program makes"))
        }
        _ => None,
    })
}

/// Lists the parts that a question finds: kind, table, name and definition.
pub(crate) fn list(db: &mut dyn Db, sql: &str) -> DbResult<Parts> {
    let mut parts = Parts::new();
    db.walk(sql, vec![], &mut |row| {
        let mut texts = row.into_iter().map(|value| match value {
            Value::Text(text) => text.into_owned(),
            _ => String::new(),
        });
        let mut next = || texts.next().unwrap_or_default();
        let part = Part { kind: next(), of: next(), name: next() };
        parts.insert(part, plain(&next()));
        true
    })?;
    Ok(parts)
}

/// Returns the text of a definition without comments, each space once.
fn plain(definition: &str) -> String {
    let code = definition.lines().map(|line| line.split("--").next().unwrap_or_default());
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(list: &[(&str, &str, &str, &str)]) -> Parts {
        let part =
            |kind: &str, of: &str, name: &str| Part { kind: kind.into(), of: of.into(), name: name.into() };
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
            "the store has the trigger sly of people, which this version of the program does not make"
        );
        assert_eq!(compare(&added, &wanted, true), None);
        let changed = parts(&[("table", "people", "people", "x"), ("index", "people", "by_name", "b")]);
        let told = compare(&changed, &wanted, false).expect("one");
        assert_eq!(told, "the table people is not as this version of the program makes it");
        assert_eq!(compare(&changed, &wanted, true), None);
        let less = parts(&[("table", "people", "people", "a")]);
        for later in [false, true] {
            let told = compare(&less, &wanted, later).expect("one");
            assert!(told.starts_with("the store lacks the index by_name of people,"), "{told}");
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
