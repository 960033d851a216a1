//! Starts Debian's PgBouncer in front of a database.

use crate::cluster::is_root;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PROGRAM: &str = "/usr/sbin/pgbouncer";

/// A PgBouncer on a port of its own, which ends with this value.
pub struct Pooler {
    process: Child,
    pub port: u16,
    _directory: TempDir,
}

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("bound").port()
}

impl Pooler {
    pub fn is_installed() -> bool {
        Path::new(PROGRAM).exists()
    }

    /// Starts one in front of the database at this port.
    pub fn start(database: u16, mode: &str) -> Pooler {
        let (directory, port) = (tempfile::tempdir().expect("temp dir"), free_port());
        let file = directory.path().join("pgbouncer.ini");
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={database} user=house\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n\
             default_pool_size = 50\nserver_connect_timeout = 2\nserver_login_retry = 1\n"
        );
        std::fs::write(&file, settings).expect("written");
        let mut command = Command::new(PROGRAM);
        if is_root() {
            // It refuses to run as root.
            for path in [directory.path(), &file] {
                let owned = Command::new("chown").arg("postgres").arg(path).status();
                assert!(owned.is_ok_and(|status| status.success()), "chown to the user postgres");
            }
            command.args(["-u", "postgres"]);
        }
        command.arg("-q").arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let pooler = Pooler { process: command.spawn().expect("starts"), port, _directory: directory };
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(since.elapsed() < Duration::from_secs(10), "the pooler does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        pooler
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
