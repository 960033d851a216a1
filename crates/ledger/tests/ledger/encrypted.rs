//! PostgreSQL over TLS: the effect of `sslmode` and `sslrootcert` on a server with a certificate, and on one without.

use crate::cluster::Cluster;
use ledger::db::Value;
use ledger::{DbResult, StoreAddress};

/// Returns a port that nobody listens on now.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("bound").port()
}

/// Connects and asks the server whether the connection is encrypted.
fn encrypted(url: &str) -> DbResult<bool> {
    let mut db = StoreAddress::Postgres(url.to_owned()).reader()?;
    let mut answer = None;
    let sql = "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    db.walk(sql, Vec::new(), &mut |row| {
        answer = row.first().map(|value| *value == Value::from("true".to_owned()));
        true
    })?;
    Ok(answer.expect("a row for this connection"))
}

#[test]
fn the_way_to_the_database_is_as_protected_as_the_address_asks() {
    let port = free_port();
    let Some(cluster) = Cluster::on_port(port, true) else { return };
    let file = |name: &str| cluster.directory().join(name).display().to_string().replace('/', "%2F");
    let (ours, other) = (file("ca.crt"), file("other.crt"));
    let ask =
        |host: &str, options: &str| encrypted(&format!("postgres://house@{host}:{port}/postgres{options}"));
    let is = |host: &str, options: &str, expected: bool| {
        let found = ask(host, options).unwrap_or_else(|e| panic!("{host} {options}: {e}"));
        assert_eq!(found, expected, "{host} {options}");
    };
    is("localhost", "", true);
    is("localhost", "?sslmode=disable", false);
    is("localhost", "?sslmode=prefer", true);
    is("127.0.0.1", "?sslmode=require", true);
    is("localhost", &format!("?sslmode=verify-full&sslrootcert={ours}"), true);
    is("127.0.0.1", &format!("?sslmode=verify-ca&sslrootcert={ours}"), true);
    is("127.0.0.1", &format!("?sslmode=require&sslrootcert={ours}"), true);
    let refused = |host: &str, options: String, why: &str| {
        let told = ask(host, &options).expect_err(&options).to_string();
        assert!(told.contains(why) && told.contains(&format!("{host}:{port}")), "{host} {options}: {told}");
    };
    // The certificate is for `localhost`, and signed by its own authority.
    refused("127.0.0.1", format!("?sslmode=verify-full&sslrootcert={ours}"), "not valid for name");
    for mode in ["require", "verify-ca", "verify-full"] {
        refused("localhost", format!("?sslmode={mode}&sslrootcert={other}"), "UnknownIssuer");
    }
    let keyed = format!("host=localhost port={port} user=house dbname=postgres sslmode=require");
    assert!(encrypted(&keyed).expect("connects"));
}

#[test]
fn a_server_without_tls_is_told_from_one_that_is_away() {
    let port = free_port();
    let Some(_cluster) = Cluster::on_port(port, false) else { return };
    let ask = |mode: &str| encrypted(&format!("postgres://house@127.0.0.1:{port}/postgres?sslmode={mode}"));
    assert!(!ask("disable").expect("connects"));
    assert!(!ask("prefer").expect("connects"));
    let told = ask("require").expect_err("no TLS").to_string();
    assert!(told.contains("server does not support TLS"), "{told}");
    assert!(told.contains(&format!("127.0.0.1:{port} (sslmode=require)")), "{told}");
    let away = encrypted(&format!("postgres://house@127.0.0.1:{}/postgres", free_port()));
    assert!(away.expect_err("nobody is there").to_string().contains("refused"));
}
