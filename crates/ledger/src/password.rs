//! Finds the password of a PostgreSQL database where PostgreSQL's own programs look for it.
//!
//! These are `PGPASSWORD`, the file that `PGPASSFILE` names, and `.pgpass` in the home directory. A password in a
//! command-line argument would be visible to every user of the machine.

use crate::db::{DbError, DbResult};
use std::path::{Path, PathBuf};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Finds the password for a database address that has no password, or returns `None` if there is no password.
pub fn stored(config: &Config) -> DbResult<Option<String>> {
    lookup(config, |name| std::env::var_os(name).map(PathBuf::from))
}

fn lookup(config: &Config, variable: impl Fn(&str) -> Option<PathBuf>) -> DbResult<Option<String>> {
    if let Some(password) = variable("PGPASSWORD") {
        return Ok(password.to_str().map(str::to_owned));
    }
    let named = variable("PGPASSFILE");
    let Some(file) = named.clone().or_else(|| variable("HOME").map(|home| home.join(".pgpass"))) else {
        return Ok(None);
    };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(_) if named.is_none() => return Ok(None),
        Err(error) => {
            let file = file.display();
            return Err(DbError::Refused(format!("the password file {file} cannot be read: {error}")));
        }
    };
    readable_by_its_owner(&file)?;
    Ok(matching(&text, config))
}

#[cfg(unix)]
fn readable_by_its_owner(file: &Path) -> DbResult<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(file).map_or(0, |data| data.permissions().mode());
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let file = file.display();
    let message = format!("the password file {file} is open to other users; run: chmod 600 {file}");
    Err(DbError::Refused(message))
}

#[cfg(not(unix))]
fn readable_by_its_owner(_: &Path) -> DbResult<()> {
    Ok(())
}

/// Returns the password of the first line `host:port:database:user:password` that matches the database address.
///
/// The field `*` matches everything. Returns `None` if no line matches.
fn matching(text: &str, config: &Config) -> Option<String> {
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .flat_map(|host| match host {
            Host::Tcp(name) => vec![name.clone()],
            Host::Unix(path) => vec![path.display().to_string(), "localhost".to_owned()],
        })
        .collect();
    let ports = match config.get_ports() {
        [] => vec!["5432".to_owned()],
        ports => ports.iter().map(u16::to_string).collect(),
    };
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut fields = fields(line);
        let password = fields.pop()?;
        let fits = |field: &str, ours: &[String]| field == "*" || ours.iter().any(|ours| ours == field);
        let [host, port, base, name] = fields.as_slice() else { return None };
        let is_it = fits(host, &hosts)
            && fits(port, &ports)
            && fits(base, &[database.to_owned()])
            && fits(name, &[user.to_owned()]);
        is_it.then_some(password)
    })
}

/// Splits a line at its first four colons.
///
/// A backslash escapes a colon or a backslash.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field) = (Vec::new(), String::new());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            // everything after the fourth colon is the password
            ':' if fields.len() < 4 => fields.push(std::mem::take(&mut field)),
            '\\' => field.extend(chars.next()),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        text.parse().expect("an address")
    }

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let file = "# of the house\nother:5432:cutcard:house:no\ndb.example:5432:cutcard:audit:reads\n\
                    db.example:5432:*:house:a\\:b\\\\c:d\n*:*:*:*:last\nbroken\n";
        let of = |address: &str| matching(file, &config(address));
        assert_eq!(of("postgres://house@db.example/cutcard").as_deref(), Some("a:b\\c:d"));
        assert_eq!(of("postgres://audit@db.example/cutcard").as_deref(), Some("reads"));
        assert_eq!(of("postgres://house@db.example:6432/cutcard").as_deref(), Some("last"));
        assert_eq!(
            matching("localhost:*:*:house:here", &config("host=/run/postgresql user=house")).as_deref(),
            Some("here")
        );
        assert_eq!(matching("broken\na:b", &config("postgres://house@db.example/cutcard")), None);
    }

    #[test]
    fn the_environment_comes_before_the_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join(".pgpass");
        std::fs::write(&file, "*:*:*:*:filed").expect("written");
        let ours = config("postgres://house@db.example/cutcard");
        let home = |name: &str| (name == "HOME").then(|| directory.path().to_owned());
        let open = lookup(&ours, home).map_err(|why| why.to_string());
        assert!(
            open.is_err_and(|why| why.contains("chmod 600")),
            "a password file that others can read is refused"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("changed");
        }
        assert_eq!(lookup(&ours, home).expect("read").as_deref(), Some("filed"));
        let both = |name: &str| if name == "PGPASSWORD" { Some("said".into()) } else { home(name) };
        assert_eq!(lookup(&ours, both).expect("read").as_deref(), Some("said"));
        let named = |name: &str| (name == "PGPASSFILE").then(|| directory.path().join("none"));
        assert!(lookup(&ours, named).is_err(), "a password file that PGPASSFILE names must exist");
        assert_eq!(lookup(&ours, |_| None).expect("nothing"), None);
    }
}
