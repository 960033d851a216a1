//! Checks an installation without changing anything, and reports each problem in a sentence.

use crate::audit::house_place;
use crate::house_file::HouseFile;
use crate::join::house_digest;
use crate::keys;
use crate::serve::Options;
use crate::wire::time_text;
use ledger::db::{Columns, Db};
use ledger::{DbResult, Durability, Moment, OpenError, StoreAddress, nodes, schema, shape};
use serde::Serialize;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use utoipa::ToSchema;

/// The oldest supported PostgreSQL version, as `server_version_num`.
const OLDEST_POSTGRES: i64 = 130_000;
/// The minimum free disk space in bytes, below which the disk may fill up within a day of play.
const LEAST_FREE_BYTES: u64 = 256 << 20;
/// The tolerance for comparing clocks with each other and with the last record's time, in milliseconds.
const APART_MS: i64 = 2_000;
const REACHED_WITHIN: Duration = Duration::from_secs(2);

/// The result of one of the doctor's checks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Checkup {
    /// The name of the check.
    pub check: &'static str,
    /// Whether the check found no problem.
    pub ok: bool,
    /// The result in one sentence: what was found, or what is wrong and what to do.
    pub message: String,
}

/// The results of all the doctor's checks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Diagnosis {
    /// The checks, in the order in which they ran.
    pub checks: Vec<Checkup>,
}

impl Diagnosis {
    pub fn is_well(&self) -> bool {
        self.checks.iter().all(|found| found.ok)
    }

    fn add(&mut self, check: &'static str, found: Result<String, String>) {
        let ok = found.is_ok();
        let message = found.unwrap_or_else(|wrong| wrong);
        self.checks.push(Checkup { check, ok, message });
    }
}

/// Checks an existing house, whether or not it is running.
///
/// If the options name a house file, also checks that the installation meets the requirements of that file.
pub fn doctor(options: &Options) -> Diagnosis {
    let mut diagnosis = Diagnosis { checks: Vec::new() };
    let mut wanted = Durability::Local;
    if let Some(path) = &options.house {
        let read = HouseFile::read(path).map(|file| wanted = file.durability);
        let valid = |()| format!("{} is valid", path.display());
        diagnosis.add("house file", read.map(valid).map_err(|error| error.to_string()));
    }
    let found = house_place(options).map_err(|error| error.to_string());
    let opened = found.and_then(|place| match place.reader() {
        Ok(db) => Ok((place, db)),
        Err(error) => Err(error.to_string()),
    });
    let (place, mut db) = match opened {
        Ok(opened) => opened,
        Err(wrong) => {
            diagnosis.add("store", Err(wrong));
            return diagnosis;
        }
    };
    diagnosis.add("program", program(&mut *db));
    diagnosis.add("schema", schema_fits(&mut *db));
    diagnosis.add("keys", keys_there(&options.data));
    diagnosis.add("permissions", permissions(&options.data));
    diagnosis.add("disk", disk(&options.data));
    diagnosis.add("clock", clock(&mut *db, &place));
    if wanted == Durability::Replicated && matches!(place, StoreAddress::Sqlite(_)) {
        diagnosis.add("durability", Err(OpenError::NoStandby.to_string()));
    }
    if let StoreAddress::Postgres(_) = &place {
        diagnosis.add("server", server_version(&mut *db));
        let pooler = place.refuse_transaction_pooler();
        let sessions = || "connections keep their session between transactions".to_owned();
        diagnosis.add("pooler", pooler.map(|()| sessions()).map_err(|error| error.to_string()));
        diagnosis.add("grants", grants(&mut *db));
        diagnosis.add("durability", durability(&mut *db, wanted));
        diagnosis.add("peers", peers(&mut *db, options));
    }
    diagnosis
}

fn program(db: &mut dyn Db) -> Result<String, String> {
    let version = schema::version(db).map_err(|error| error.to_string())?;
    schema::must_fit(db).map_err(|error| error.to_string())?;
    Ok(format!("program {}, store schema version {version}", env!("CARGO_PKG_VERSION")))
}

fn schema_fits(db: &mut dyn Db) -> Result<String, String> {
    match shape::difference(db) {
        Ok(None) => Ok("the schema matches this version of the program".into()),
        Ok(Some(differs)) => Err(format!("{differs}; find out who changed it and undo it")),
        Err(error) => Err(error.to_string()),
    }
}

fn keys_there(data: &Path) -> Result<String, String> {
    let directory = data.join("keys");
    for name in keys::NAMES {
        let wrong = |error| format!("{error}; restore this house's keys from a backup");
        ledger::keys::existing_key(&directory, name).map_err(wrong)?;
    }
    Ok(format!("the keys in {} belong to this house", directory.display()))
}

/// Returns an error that names the first key or data file that users other than the file's owner can access.
fn permissions(data: &Path) -> Result<String, String> {
    let keys = data.join("keys");
    let files = keys::NAMES.iter().map(|name| keys.join(name));
    let stores = ["house.sqlite", "house.sqlite-wal", "house.sqlite-shm"].map(|name| data.join(name));
    let paths: Vec<PathBuf> =
        [data.to_owned(), keys.clone()].into_iter().chain(files).chain(stores).collect();
    for path in paths {
        // Another check reports missing files.
        let Ok(found) = path.metadata() else { continue };
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            let (path, right) = (path.display(), if found.is_dir() { 700 } else { 600 });
            return Err(format!("{path} is open to other users (mode {mode:o}); run: chmod {right} {path}"));
        }
    }
    Ok(format!("{} and the keys are private to their owner", data.display()))
}

fn disk(data: &Path) -> Result<String, String> {
    let found = rustix::fs::statvfs(data).map_err(|error| format!("{}: {error}", data.display()))?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    let told = format!("{} MiB free on the disk of {}", free >> 20, data.display());
    match free < LEAST_FREE_BYTES {
        true => Err(format!("only {told}; free some space: play stops when the disk is full")),
        false => Ok(told),
    }
}

fn clock(db: &mut dyn Db, place: &StoreAddress) -> Result<String, String> {
    let text = |error: ledger::DbError| error.to_string();
    let (last, machine) = (ledger::journal::head(db).map_err(text)?.at, Moment::now());
    let now = match place {
        StoreAddress::Sqlite(_) => machine,
        StoreAddress::Postgres(_) => nodes::database_time(db).map_err(text)?,
    };
    let (told, said) = (time_text(now), time_text(last));
    if now.plus_ms(APART_MS) < last {
        return Err(format!("the clock shows {told}, before the last record ({said}); correct the clock"));
    }
    if (machine.0 - now.0).abs() > APART_MS {
        let here = time_text(machine);
        return Err(format!("this machine's clock shows {here} and the database's {told}; run NTP on both"));
    }
    Ok(format!("the clock shows {told}, after the last record ({said})"))
}

/// Returns the text columns of the first row that a query finds.
fn texts(db: &mut dyn Db, sql: &str, columns: usize) -> DbResult<Vec<String>> {
    let mut found = Ok(Vec::new());
    db.walk(sql, vec![], &mut |row| {
        let mut c = Columns::of(row);
        found = (0..columns).map(|_| c.text()).collect();
        false
    })?;
    found
}

fn server_version(db: &mut dyn Db) -> Result<String, String> {
    let sql = "SELECT current_setting('server_version_num'), current_setting('server_version')";
    let found = texts(db, sql, 2).map_err(|error| error.to_string())?;
    let [number, name] = &found[..] else { return Err("the database does not report its version".into()) };
    match number.parse::<i64>() {
        Ok(number) if number >= OLDEST_POSTGRES => Ok(format!("the database is PostgreSQL {name}")),
        _ => Err(format!("PostgreSQL {name} is too old; version 13 or later is required")),
    }
}

fn grants(db: &mut dyn Db) -> Result<String, String> {
    let sql = "SELECT CASE WHEN NOT has_database_privilege(current_database(), 'TEMPORARY') \
        THEN 'GRANT TEMPORARY ON DATABASE ' || current_database() || ' TO ' || current_user \
        WHEN NOT has_schema_privilege(current_schema::text, 'CREATE') \
        THEN 'GRANT CREATE ON SCHEMA ' || current_schema || ' TO ' || current_user \
        WHEN NOT pg_has_role('pg_read_all_stats', 'usage') \
        THEN 'GRANT pg_read_all_stats TO ' || current_user ELSE '' END";
    let missing = texts(db, sql, 1).map_err(|error| error.to_string())?.pop().unwrap_or_default();
    match missing.is_empty() {
        true => Ok("the database role has the rights it needs".into()),
        false => Err(format!("the database role lacks a right: {missing}")),
    }
}

fn durability(db: &mut dyn Db, wanted: Durability) -> Result<String, String> {
    let text = |error: ledger::DbError| error.to_string();
    let sql = "SELECT current_setting('fsync'), current_setting('full_page_writes'), \
        current_setting('synchronous_standby_names')";
    let found = texts(db, sql, 3).map_err(text)?;
    let [fsync, pages, standbys] = &found[..] else { return Err("the database does not answer".into()) };
    if fsync != "on" || pages != "on" {
        return Err("a crash may lose acknowledged writes; set fsync and full_page_writes to on".into());
    }
    if standbys.is_empty() && wanted == Durability::Local {
        return Ok("commits are synced to one machine only; no synchronous standby is configured".into());
    }
    Durability::Replicated.attached(db).map_err(text)?;
    Ok("commits wait for a synchronous standby, and one is attached".into())
}

fn peers(db: &mut dyn Db, options: &Options) -> Result<String, String> {
    let alive = nodes::alive_nodes(db).map_err(|error| error.to_string())?;
    let Some(first) = alive.first() else { return Ok("no node is alive".into()) };
    if let Some(other) = alive.iter().find(|node| node.program != first.program) {
        let (a, b) =
            (format!("{} {}", first.name, first.program), format!("{} {}", other.name, other.program));
        return Err(format!("nodes run different versions ({a}, {b}); upgrade the older node"));
    }
    if let Some(other) = alive.iter().find(|node| node.house != first.house) {
        let (a, b) = (&first.name, &other.name);
        return Err(format!(
            "nodes {a} and {b} run with different house files; stop both, and start them with the same file"
        ));
    }
    if let Some(path) = &options.house
        && house_digest(options).is_ok_and(|digest| digest != first.house)
    {
        let (path, name) = (path.display(), &first.name);
        return Err(format!(
            "node {name} runs with a house file that differs from {path}; use the same file on every node"
        ));
    }
    let reached = |address: &str| {
        let mut places = address.to_socket_addrs().ok()?;
        places.find_map(|place| TcpStream::connect_timeout(&place, REACHED_WITHIN).ok())
    };
    for node in alive.iter().filter(|node| !node.address.is_empty()) {
        if reached(&node.address).is_none() {
            let (name, address) = (&node.name, &node.address);
            return Err(format!(
                "node {name} is alive but cannot be reached at {address}; check the network"
            ));
        }
    }
    let names: Vec<&str> = alive.iter().map(|node| node.name.as_str()).collect();
    Ok(format!("alive and reachable: {}", names.join(", ")))
}
