//! Exports the database tables of a house for other tools: one file per database table, all from one snapshot.
//!
//! Play may continue during the export. The export leaves out all credentials: password hashes (also in journal
//! records), second factors and sessions.

use crate::audit::house_place;
use crate::serve::{Options, ServeError};
use ledger::db::{Purpose, Value, transact};
use ledger::keys::new_private_file;
use ledger::{Column, DbError, Table};
use sim::parquet::{Cell, Kind, Parquet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Csv,
    Parquet,
}

/// Writes each database table except `sessions` to a file of its own in a new directory.
///
/// Returns the name and the number of rows of each exported table.
pub fn export(options: &Options, form: Form, into: &Path) -> Result<Vec<(&'static str, u64)>, ServeError> {
    let opening = |error: &dyn std::fmt::Display| ServeError::Opening(error.to_string());
    let at = |error: io::Error| ServeError::Opening(format!("{}: {error}", into.display()));
    let mut db = house_place(options)?.existing().map_err(|e| opening(&e))?;
    ledger::keys::new_private_directory(into).map_err(at)?;
    transact(&mut *db, Purpose::Snapshot, |db| {
        let mut written = Vec::new();
        for mut table in ledger::tables().into_iter().filter(|table| table.name != "sessions") {
            let (name, secret) = (table.name, |column: &Column| column.name == "secret");
            table.columns.retain(|column| !secret(column));
            let mut file = Sheet::create(form, into, &table).map_err(|e| lost(&e))?;
            let (mut rows, mut failed) = (0, None);
            db.walk(&table.select(), vec![], &mut |mut row| {
                hide(&table, &mut row);
                failed = file.push(&table.columns, &row).err();
                rows += 1;
                failed.is_none()
            })?;
            failed.map_or(Ok(()), Err).and_then(|()| file.finish()).map_err(|e| lost(&e))?;
            written.push((name, rows));
        }
        Ok(written)
    })
    .map_err(|error: DbError| opening(&error))
}

/// The prefix of the settings that store second factors.
const FACTOR: &str = "second-factor/";

/// Removes credentials from a row of a database table.
fn hide(table: &Table, row: &mut [Value<'static>]) {
    let factor = matches!(row.first(), Some(Value::Text(name)) if name.starts_with(FACTOR));
    for (column, value) in table.columns.iter().zip(row) {
        if let Value::Text(text) = value {
            match (table.name, column.name) {
                ("journal", "changes") => *value = Value::from(without_secrets(text)),
                ("settings", "value") if factor => *value = Value::from(String::new()),
                _ => {}
            }
        }
    }
}

/// Returns the changes of a journal record, which are JSON text, without secrets.
fn without_secrets(changes: &str) -> String {
    fn clear(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                let named = fields.get("name").and_then(serde_json::Value::as_str);
                let factor = named.is_some_and(|name| name.starts_with(FACTOR));
                for (name, value) in fields {
                    match name.as_str() {
                        "secret" | "token" => *value = serde_json::Value::Null,
                        "value" if factor => *value = serde_json::Value::Null,
                        _ => clear(value),
                    }
                }
            }
            serde_json::Value::Array(all) => all.iter_mut().for_each(clear),
            _ => {}
        }
    }
    let mut parsed = serde_json::from_str(changes).unwrap_or_default();
    clear(&mut parsed);
    parsed.to_string()
}

fn lost(error: &io::Error) -> DbError {
    DbError::Refused(format!("cannot write an export file: {error}"))
}

enum Sheet {
    Csv(BufWriter<File>),
    Parquet(Parquet<BufWriter<File>>),
}

impl Sheet {
    fn create(form: Form, into: &Path, table: &Table) -> io::Result<Sheet> {
        let Table { name, columns, .. } = table;
        let ending = match form {
            Form::Csv => "csv",
            Form::Parquet => "parquet",
        };
        let mut file = BufWriter::new(new_private_file(&into.join(format!("{name}.{ending}")))?);
        Ok(match form {
            Form::Csv => {
                let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
                writeln!(file, "{}", names.join(","))?;
                Sheet::Csv(file)
            }
            Form::Parquet => {
                let kind = |column: &Column| {
                    (column.name.to_owned(), if number(column) { Kind::Int } else { Kind::Text })
                };
                Sheet::Parquet(Parquet::new(file, name, columns.iter().map(kind).collect())?)
            }
        })
    }

    fn push(&mut self, columns: &[Column], row: &[Value<'_>]) -> io::Result<()> {
        match self {
            Sheet::Csv(file) => {
                let fields: Vec<String> = row.iter().map(|value| quoted(text(value))).collect();
                writeln!(file, "{}", fields.join(","))
            }
            Sheet::Parquet(file) => {
                let cell = |(column, value): (&Column, &Value<'_>)| match value {
                    Value::Int(n) if number(column) => Cell::Int(*n),
                    other => Cell::Text(text(other)),
                };
                file.push(&columns.iter().zip(row).map(cell).collect::<Vec<_>>())
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Sheet::Csv(mut file) => file.flush(),
            Sheet::Parquet(file) => file.finish(),
        }
    }
}

/// Returns whether the export writes a column as numbers: the column holds numbers and is never null.
///
/// A column that may be null is written as text, with empty text for null.
fn number(column: &Column) -> bool {
    column.number && !column.maybe
}

fn text(value: &Value<'_>) -> String {
    match value {
        Value::Null => String::new(),
        Value::Int(n) => n.to_string(),
        Value::Text(text) => text.to_string(),
        Value::Bytes(bytes) => ledger::keys::hex(bytes),
    }
}

/// Returns a CSV field, quoted if necessary as RFC 4180 specifies.
fn quoted(text: String) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}
