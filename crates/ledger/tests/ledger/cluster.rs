//! A private PostgreSQL cluster in a temporary directory, shared by the tests of one process and gone with it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Cluster {
    directory: PathBuf,
    /// None keeps one that was running before.
    keeper: Option<Child>,
    /// On a disk of its own.
    disk: bool,
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
# Which side is the primary; after a failover the other one is. Each has a socket of its own.
primary=data; other=standby
socket() { if [ "$1" = data ]; then echo "$dir"; else echo "$dir/second"; fi; }
# How a standby comes to its primary: through what the drill has put between them, if it has.
link() { if [ -d "$dir/link" ]; then echo "$dir/link/$primary"; else socket $primary; fi; }
ask() { "$bin/psql" -qAt -h "$(socket $primary)" -U house -d postgres -c "$1"; }
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
    fail-over)
        "$bin/pg_ctl" -D "$dir/$primary" -m immediate stop >/dev/null
        "$bin/pg_ctl" -D "$dir/$other" -w promote >/dev/null
        gone=$primary; primary=$other; other=$gone
        echo promoted
        ;;
    renew) # the side that is not the primary follows it, and every commit waits for it
        rm -rf "$dir/$other"
        mkdir -p "$dir/second"
        "$bin/pg_basebackup" -d "host=$(link) user=house application_name=standby" -D "$dir/$other" -R -c fast --no-sync
        "$bin/pg_ctl" -D "$dir/$other" -w -l "$dir/log-$other" -o "-k $(socket $other) -c listen_addresses= -c max_connections=200" \
            start >/dev/null
        ask "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
        ask "SELECT pg_reload_conf()" >/dev/null
        until [ "$(ask "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" = 1 ]; do sleep 0.1; done
        # This commit returns when the standby has it, and with it everything before.
        ask "SELECT pg_logical_emit_message(true, 'drill', 'all')" >/dev/null
        echo renewed
        ;;
    revive) # what a full disk has ended is started again, as whoever supervises it would
        for side in $primary $other; do
            "$bin/pg_ctl" -D "$dir/$side" status >/dev/null || "$bin/pg_ctl" -D "$dir/$side" -w -l "$dir/log-$side" \
                -o "-k $(socket $side) -c listen_addresses= -c max_connections=200" start >/dev/null
        done
        echo revived
        ;;
    standby-away) "$bin/pg_ctl" -D "$dir/$other" -m immediate stop >/dev/null; echo away ;;
    standby-back)
        "$bin/pg_ctl" -D "$dir/$other" -w -l "$dir/log-$other" -o "-k $(socket $other) -c listen_addresses= -c max_connections=200" \
            start >/dev/null
        echo back
        ;;
    esac
done
"$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true
"$bin/pg_ctl" -D "$dir/standby" -m immediate stop >/dev/null 2>&1 || true
rm -rf "$dir" 2>/dev/null || true
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

    #[allow(dead_code, reason = "not every binary that shares this file asks")]
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
        Some(Cluster::inside(directory, &bin, listen))
    }

    /// Starts a cluster on a disk of its own, of so many megabytes, which `fill` fills; only root can.
    #[allow(dead_code, reason = "not every binary that shares this file fills a disk")]
    pub fn on_a_disk(megabytes: usize) -> Option<Cluster> {
        let bin = programs()?;
        let directory = tempfile::Builder::new().prefix("cutcard-pg").tempdir().expect("temp dir").keep();
        let size = format!("size={megabytes}m");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&directory).status();
        assert!(mounted.is_ok_and(|status| status.success()), "a disk is mounted");
        let mut cluster = Cluster::inside(directory, &bin, "-c listen_addresses=");
        cluster.disk = true;
        Some(cluster)
    }

    /// Fills the disk, or makes room again.
    #[allow(dead_code, reason = "not every binary that shares this file fills a disk")]
    pub fn fill(&self, full: bool) {
        let ballast = self.directory.join("ballast");
        if !full {
            return std::fs::remove_file(ballast).expect("room");
        }
        let mut file = std::fs::File::create(ballast).expect("a file");
        let block = vec![1u8; 1 << 16];
        while file.write_all(&block).is_ok() {}
        while file.write_all(&block[..512]).is_ok() {}
    }

    fn inside(directory: PathBuf, bin: &Path, listen: &str) -> Cluster {
        let mut command = if is_root() {
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
        let keeper = Some(command.spawn().expect("the keeper starts"));
        let mut cluster = Cluster { directory, keeper, disk: false };
        cluster.expect("ready");
        cluster
    }

    fn expect(&mut self, word: &str) {
        let keeper = self.keeper.as_mut().expect("a cluster of one's own");
        let output = keeper.stdout.as_mut().expect("piped");
        let mut line = String::new();
        let mut output = BufReader::with_capacity(1, output);
        output.read_line(&mut line).expect("the keeper speaks");
        assert_eq!(line.trim(), word);
    }

    #[allow(dead_code, reason = "the server's tests share this file and do not stop the database")]
    /// Says a word to the keeper and waits for its answer: `stop` or `start`, and those of the standby.
    pub fn say(&mut self, word: &str, answer: &str) {
        let keeper = self.keeper.as_mut().expect("a cluster of one's own");
        let input = keeper.stdin.as_mut().expect("piped");
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
        let Some(keeper) = &mut self.keeper else { return };
        drop(keeper.stdin.take());
        let _ = keeper.wait();
        if self.disk {
            let _ = Command::new("umount").arg("-l").arg(&self.directory).status();
        }
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// The cluster that tests share; each asks it for a database of its own.
pub fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(|| running().or_else(Cluster::start)).as_ref()
}

/// One that runs already, with its socket in the directory that `CUTCARD_CLUSTER` names: who starts many processes, each
/// for a few tests, starts it once.
fn running() -> Option<Cluster> {
    let directory = PathBuf::from(std::env::var_os("CUTCARD_CLUSTER")?);
    let wanted = std::env::var_os("CUTCARD_WITHOUT_POSTGRES").is_none();
    wanted.then_some(Cluster { directory, keeper: None, disk: false })
}

/// Whether this process may do everything.
pub fn is_root() -> bool {
    let myself = std::fs::metadata("/proc/self");
    myself.is_ok_and(|found| std::os::unix::fs::MetadataExt::uid(&found) == 0)
}

fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut candidates: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    candidates.sort();
    candidates.push(PathBuf::from("/usr/bin"));
    candidates.into_iter().find(|bin| Path::new(bin).join("initdb").exists())
}
