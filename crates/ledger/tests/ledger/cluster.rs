//! A private PostgreSQL cluster in a temporary directory, shared by the tests of one process and gone with it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Cluster {
    directory: PathBuf,
    keeper: Child,
}

/// Keeps the server running while its standard input stays open, so that it ends with the test however that ends.
/// Lines on standard input stop and start the server, for tests of a lost database, and do the same for a standby.
const KEEPER: &str = r#"
set -eu
dir=$1; bin=$2; listen=$3
case $listen in
*ssl=on*)
    cd "$dir"
    key="openssl req -newkey rsa:2048 -nodes"
    for name in ca other; do
        $key -x509 -days 2 -subj /CN=$name -keyout $name.key -out $name.crt -addext keyUsage=keyCertSign 2>>openssl
    done
    $key -subj /CN=localhost -keyout server.key -out server.csr 2>>openssl
    echo subjectAltName=DNS:localhost >names
    signed="-CA ca.crt -CAkey ca.key -CAcreateserial -extfile names"
    openssl x509 -req -days 2 -in server.csr $signed -out server.crt 2>>openssl
    chmod 600 server.key
    listen="$listen -c ssl_cert_file=$dir/server.crt -c ssl_key_file=$dir/server.key"
    cd /
    ;;
esac
"$bin/initdb" -D "$dir/data" -U house -A trust --no-sync >/dev/null
start() { "$bin/pg_ctl" -D "$dir/data" -w -l "$dir/log" -o "-k $dir $listen -c max_connections=200" start >/dev/null; }
follow() {
    options="-k $dir/second -c listen_addresses= -c max_connections=200"
    "$bin/pg_ctl" -D "$dir/standby" -w -l "$dir/log2" -o "$options" start >/dev/null
}
names() {
    "$bin/psql" -q -h "$dir" -U house -d postgres -c "ALTER SYSTEM SET synchronous_standby_names = '$1'" \
        -c "SELECT pg_reload_conf()" >/dev/null
}
start
echo ready
while read -r word; do
    case $word in
    stop) "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null; echo stopped ;;
    start) start; echo started ;;
    standby)
        "$bin/pg_basebackup" -d "host=$dir user=house application_name=standby" -D "$dir/standby" -R -c fast --no-sync
        mkdir -p "$dir/second"
        follow
        echo following
        ;;
    attach) follow; echo attached ;;
    detach) "$bin/pg_ctl" -D "$dir/standby" -m immediate stop >/dev/null; echo detached ;;
    promote) "$bin/pg_ctl" -D "$dir/standby" -w promote >/dev/null; echo promoted ;;
    wait-for-standby) names standby; echo waiting ;;
    wait-for-nobody) names ''; echo alone ;;
    esac
done
"$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true
"$bin/pg_ctl" -D "$dir/standby" -m immediate stop >/dev/null 2>&1 || true
rm -rf "$dir"
"#;

impl Cluster {
    /// Starts a cluster, or tells clearly why not. `CUTCARD_WITHOUT_POSTGRES=1` skips what needs one.
    pub fn start() -> Option<Cluster> {
        Cluster::listening("-c listen_addresses=")
    }

    #[allow(dead_code, reason = "the server's tests share this file and use a local socket")]
    /// Starts a cluster that listens on a port of this machine: with certificates of its own, or in the clear only.
    pub fn on_port(port: u16, encrypted: bool) -> Option<Cluster> {
        let ssl = if encrypted { "on" } else { "off" };
        Cluster::listening(&format!("-c listen_addresses=127.0.0.1 -c port={port} -c ssl={ssl}"))
    }

    #[allow(dead_code, reason = "the server's tests share this file and use a local socket")]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Starts a cluster with these settings.
    pub fn listening(listen: &str) -> Option<Cluster> {
        if std::env::var_os("CUTCARD_WITHOUT_POSTGRES").is_some() {
            eprintln!("skipped: CUTCARD_WITHOUT_POSTGRES is set");
            return None;
        }
        let bin = programs().expect("PostgreSQL's initdb is not installed: apt-get install postgresql");
        let directory = tempfile::Builder::new().prefix("cutcard-pg").tempdir().expect("temp dir").keep();
        let root = std::fs::metadata("/proc/self")
            .map(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0)
            .unwrap_or(false);
        let mut command = if root {
            // The server refuses to run as root, so the package's own user runs it.
            let owned = Command::new("chown").arg("postgres").arg(&directory).status();
            assert!(owned.is_ok_and(|s| s.success()), "chown to the user postgres");
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        command.arg("-c").arg(KEEPER).arg("keeper").arg(&directory).arg(bin).arg(listen);
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let keeper = command.spawn().expect("the keeper starts");
        let mut cluster = Cluster { directory, keeper };
        cluster.expect("ready");
        Some(cluster)
    }

    fn expect(&mut self, word: &str) {
        let output = self.keeper.stdout.as_mut().expect("piped");
        let mut line = String::new();
        let mut output = BufReader::with_capacity(1, output);
        output.read_line(&mut line).expect("the keeper speaks");
        assert_eq!(line.trim(), word);
    }

    #[allow(dead_code, reason = "the server's tests share this file and do not stop the database")]
    /// Says a word to the keeper and waits for its answer: `stop` or `start`, and those of the standby.
    pub fn say(&mut self, word: &str, answer: &str) {
        let input = self.keeper.stdin.as_mut().expect("piped");
        writeln!(input, "{word}").expect("the keeper listens");
        self.expect(answer);
    }

    #[allow(dead_code, reason = "not every binary that shares this file has a standby")]
    /// The address of the same database at the standby.
    pub fn at_standby(&self, url: &str) -> String {
        let directory = self.directory.display();
        url.replace(&format!("host={directory} "), &format!("host={directory}/second "))
    }

    pub fn url(&self, database: &str) -> String {
        format!("host={} user=house dbname={database}", self.directory.display())
    }

    /// Makes an empty database and answers its address.
    pub fn database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("house_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let made = Command::new(programs().expect("found before").join("createdb"))
            .args(["-h", &self.directory.display().to_string(), "-U", "house", &name])
            .status();
        assert!(made.is_ok_and(|s| s.success()), "createdb");
        self.url(&name)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// The cluster that tests share; each asks it for a database of its own.
pub fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(Cluster::start).as_ref()
}

fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut candidates: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    candidates.sort();
    candidates.push(PathBuf::from("/usr/bin"));
    candidates.into_iter().find(|bin| Path::new(bin).join("initdb").exists())
}
