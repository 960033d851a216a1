//! Opens a crash image as SQLite would after a power cut, and checks the journal records in the image.
//!
//! Every acknowledged record must be in the image, and no record may be there only in part.

use crate::disk::CrashImage;
use rusqlite::Connection;
use std::path::Path;

/// Checks that a crash image is intact and holds the acknowledged records.
pub fn check_image(image: &CrashImage, scratch: &Path) -> Result<(), String> {
    let store = scratch.join("picture.sqlite");
    for (end, name) in [("house.sqlite", "picture.sqlite"), ("house.sqlite-wal", "picture.sqlite-wal")] {
        let found = image.files.iter().find(|(path, _)| path.ends_with(end));
        let path = scratch.join(name);
        match found {
            Some((_, bytes)) => std::fs::write(path, bytes).map_err(|error| error.to_string())?,
            None => drop(std::fs::remove_file(path)),
        }
    }
    let _ = std::fs::remove_file(scratch.join("picture.sqlite-shm"));
    let outcome =
        examine(&store, image.last_acknowledged).map_err(|error| error.to_string()).and_then(|found| found);
    outcome.map_err(|wrong| {
        format!("after a power cut, {wrong}; record {} had been acknowledged", image.last_acknowledged)
    })
}

fn examine(store: &Path, acknowledged: i64) -> rusqlite::Result<Result<(), String>> {
    let db = Connection::open(store)?;
    let one = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0));
    let sound: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        return Ok(Err(format!("SQLite's integrity check found: {sound}")));
    }
    if !db.table_exists(None, "journal")? {
        return Ok(if acknowledged == 0 { Ok(()) } else { Err("there is no journal".into()) });
    }
    let (records, last) =
        (one("SELECT COUNT(*) FROM journal")?, one("SELECT COALESCE(MAX(seq), 0) FROM journal")?);
    if records != last || last < acknowledged {
        return Ok(Err(format!("{records} records are there, the last is {last}")));
    }
    if one("SELECT COALESCE(SUM(amount), 0) FROM postings")? != 0 {
        return Ok(Err("chips do not sum to 0".into()));
    }
    let ends = "SELECT COUNT(*) FROM head LEFT JOIN journal ON journal.seq = head.seq \
                WHERE head.seq = ?1 AND (head.seq = 0 OR journal.hash = head.hash)";
    match db.query_row(ends, [last], |row| row.get::<_, i64>(0))? {
        1 => Ok(Ok(())),
        _ => Ok(Err("the head does not match the journal's last record".into())),
    }
}
