//! Parses the address of a PostgreSQL database, with `sslmode` and `sslrootcert` as libpq reads them.
//!
//! Unlike libpq, the ledger never connects to another machine without encryption unless the address says so.

use crate::db::{DbError, DbResult};
use crate::tls::{Check, connector};
use std::path::{Path, PathBuf};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

pub struct Address {
    pub config: Config,
    pub tls: MakeRustlsConnect,
    /// The database address as shown in messages: hosts, ports and `sslmode`, without credentials.
    pub shown: String,
}

const MODES: [&str; 5] = ["disable", "prefer", "require", "verify-ca", "verify-full"];

pub fn read(text: &str) -> DbResult<Address> {
    let Parts { rest, mode, roots } = parts(text)?;
    let mut config: Config = rest.parse().map_err(|e: tokio_postgres::Error| {
        let why = crate::postgres::with_causes(&e);
        DbError::Refused(format!(
            "invalid database address ({why}); expected postgres://name@host:port/database"
        ))
    })?;
    if config.get_password().is_none()
        && let Some(password) = crate::password::stored(&config)?
    {
        config.password(password);
    }
    let mode = match mode.as_deref() {
        Some(mode) => *MODES.iter().find(|known| **known == mode).ok_or_else(|| {
            DbError::Refused(format!("unknown sslmode={mode}; expected one of {}", MODES.join(", ")))
        })?,
        None if config.get_hosts().iter().all(is_near) => "prefer",
        None => "require",
    };
    let check = match (mode, roots.as_deref()) {
        ("require" | "verify-ca", Some(roots)) => Check::Authority(roots),
        ("verify-full", Some(roots)) => Check::Host(roots),
        ("verify-ca" | "verify-full", None) => {
            return Err(DbError::Refused(format!(
                "sslmode={mode} needs sslrootcert, a PEM file of trusted authorities such as \
                    /etc/ssl/certs/ca-certificates.crt"
            )));
        }
        _ => Check::None,
    };
    // A Unix socket is never encrypted.
    let local = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
    config.ssl_mode(match mode {
        _ if local => SslMode::Disable,
        "disable" => SslMode::Disable,
        "prefer" => SslMode::Prefer,
        _ => SslMode::Require,
    });
    let shown = hosts(&config);
    let shown = if local { shown } else { format!("{shown} (sslmode={mode})") };
    Ok(Address { tls: connector(check)?, config, shown })
}

/// Returns whether a database address contains a password.
pub fn holds_password(text: &str) -> bool {
    let config = parts(text).ok().and_then(|parts| parts.rest.parse::<Config>().ok());
    config.is_some_and(|config| config.get_password().is_some())
}

/// Returns whether the host of a database address is this machine.
fn is_near(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
    }
}

/// Returns the database's hosts and ports, without credentials.
fn hosts(config: &Config) -> String {
    let ports = config.get_ports();
    let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(5432);
    let name = |(at, host): (usize, &Host)| match host {
        Host::Tcp(name) => format!("{name}:{}", port(at)),
        Host::Unix(path) => path.display().to_string(),
    };
    config.get_hosts().iter().enumerate().map(name).collect::<Vec<_>>().join(", ")
}

/// A database address, split into `sslmode`, `sslrootcert` and everything else.
struct Parts {
    rest: String,
    mode: Option<String>,
    roots: Option<PathBuf>,
}

fn parts(text: &str) -> DbResult<Parts> {
    let mut parts = Parts { rest: String::new(), mode: None, roots: None };
    let is_url = text.starts_with("postgres://") || text.starts_with("postgresql://");
    let (base, options, between) = match text.split_once('?') {
        Some((base, options)) if is_url => (base, options, '&'),
        _ if is_url => (text, "", '&'),
        _ => ("", text, ' '),
    };
    let mut others = Vec::new();
    for option in options.split(between).filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("sslmode", mode)) => parts.mode = Some(mode.trim_matches('\'').to_owned()),
            Some(("sslrootcert", path)) => {
                let path = if is_url { decoded(path)? } else { path.trim_matches('\'').to_owned() };
                parts.roots = Some(Path::new(&path).to_owned());
            }
            _ => others.push(option),
        }
    }
    let mark = if is_url && !others.is_empty() { "?" } else { "" };
    parts.rest = format!("{base}{mark}{}", others.join(&between.to_string()));
    Ok(parts)
}

/// Percent-decodes a URL value.
fn decoded(text: &str) -> DbResult<String> {
    let wrong = || DbError::Refused(format!("invalid `{text}` in the database address"));
    let mut bytes = Vec::new();
    let mut pieces = text.split('%');
    bytes.extend(pieces.next().unwrap_or_default().bytes());
    for piece in pieces {
        let (digits, rest) = piece.split_at_checked(2).ok_or_else(wrong)?;
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
        bytes.extend(rest.bytes());
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_far_away_is_asked_in_the_clear_only_in_so_many_words() {
        for (text, mode) in [
            ("postgres://h@localhost/x", SslMode::Prefer),
            ("postgres://h@127.0.0.1:5432/x", SslMode::Prefer),
            ("postgres://h@%2Frun%2Fpostgresql/x", SslMode::Disable),
            ("postgres://h@%2Frun%2Fpostgresql/x?sslmode=require", SslMode::Disable),
            ("host=/tmp user=h", SslMode::Disable),
            ("postgres://h@db.example/x?sslmode=disable", SslMode::Disable),
            ("host=db.example sslmode=disable user=h", SslMode::Disable),
            ("postgres://h@db.example/x?sslmode=prefer&application_name=a", SslMode::Prefer),
            ("postgres://h@localhost/x?sslmode=require", SslMode::Require),
            ("postgres://h@db.example/x", SslMode::Require),
            ("postgres://h@10.0.0.7/x", SslMode::Require),
            ("host=db.example user=h", SslMode::Require),
        ] {
            let address = read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(address.config.get_ssl_mode(), mode, "{text}");
            assert_eq!(address.config.get_user(), Some("h"), "{text}");
        }
    }

    /// A question mark starts the options only in a URL.
    #[test]
    fn a_password_may_ask() {
        let address = read("host=db.example user=h password=who?me sslmode=disable").expect("an address");
        assert_eq!(address.config.get_password(), Some(&b"who?me"[..]));
        assert_eq!(address.config.get_ssl_mode(), SslMode::Disable);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        for (text, why) in [
            ("postgres://h@db.example/x?sslmode=allow", "one of disable, prefer, require"),
            ("postgres://h@db.example/x?sslmode=verify-full", "needs sslrootcert"),
            ("postgres://h@db.example/x?sslmode=verify-ca", "needs sslrootcert"),
            (
                "postgres://h@db.example/x?sslmode=verify-full&sslrootcert=%2Fnowhere",
                "sslrootcert /nowhere: ",
            ),
            ("postgres://h@db.example/x?sslmode=verify-full&sslrootcert=%2", "invalid `"),
            ("postgres://h@db.example/x?sslrootcert=/dev/null", "it holds no certificate"),
            ("postgres://h@db.example/x?colour=red", "invalid database address"),
        ] {
            let Err(DbError::Refused(told)) = read(text).map(|_| ()) else { panic!("{text} is taken") };
            assert!(told.contains(why), "{text}: {told}");
        }
    }

    #[test]
    fn a_database_is_told_by_its_hosts_and_ports() {
        let of = |text: &str| hosts(&text.parse().expect("an address"));
        assert_eq!(of("postgres://h@a.example:6000,b.example:6001/x"), "a.example:6000, b.example:6001");
        assert_eq!(of("host=a.example,b.example port=7000 user=h"), "a.example:7000, b.example:7000");
        assert_eq!(of("host=/run/postgresql user=h"), "/run/postgresql");
    }
}
