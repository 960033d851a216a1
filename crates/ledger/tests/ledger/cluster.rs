//! A private PostgreSQL cluster in a temporary directory, shared by the tests of one process and removed with it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Cluster {
    directory: PathBuf,
    /// The process that runs the server; `None` for a cluster that was already running.
    keeper: Option<Child>,
    /// Whether the cluster has its own disk.
    disk: bool,
}

/// Runs the server while its standard input stays open, so that the server ends with the test, however the test ends.
const KEEPER: &str = include_str!("cluster.sh");

impl Cluster {
    /// Starts a cluster, or fails with a clear message. `CUTCARD_WITHOUT_POSTGRES=1` skips the tests that need one.
    pub fn start() -> Option<Cluster> {
        Cluster::listening("-c listen_addresses=")
    }

    #[allow(dead_code, reason = "the server's tests share this file and use a local socket")]
    /// Starts a cluster that listens on a local port, with its own certificates or without TLS.
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

    /// Starts a cluster on its own disk of this many megabytes, which `fill` fills; requires root.
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

    /// Fills the disk, or frees it again.
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
            // The server refuses to run as root, so the package's user runs it.
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
    /// Sends a command to the server's script and waits for the answer: `stop`, `start`, or one for the standby.
    pub fn say(&mut self, word: &str, answer: &str) {
        let keeper = self.keeper.as_mut().expect("a cluster of one's own");
        let input = keeper.stdin.as_mut().expect("piped");
        writeln!(input, "{word}").expect("the keeper listens");
        self.expect(answer);
    }

    #[allow(dead_code, reason = "not every binary that shares this file has a standby")]
    /// Returns the address of the same database on the standby.
    pub fn at_standby(&self, url: &str) -> String {
        let directory = self.directory.display();
        url.replace(&format!("host={directory} "), &format!("host={directory}/second "))
    }

    pub fn url(&self, database: &str) -> String {
        format!("host={} user=house dbname={database}", self.directory.display())
    }

    /// Creates an empty database and returns its address.
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

/// Returns the cluster that tests share; each creates its own database in it.
pub fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(|| running().or_else(Cluster::start)).as_ref()
}

/// Returns the cluster whose socket is in the directory that `CUTCARD_CLUSTER` names. `./test` starts one for all test
/// processes of a run, because each of them would otherwise spend seconds on `initdb`.
fn running() -> Option<Cluster> {
    let directory = PathBuf::from(std::env::var_os("CUTCARD_CLUSTER")?);
    let wanted = std::env::var_os("CUTCARD_WITHOUT_POSTGRES").is_none();
    wanted.then_some(Cluster { directory, keeper: None, disk: false })
}

/// Returns whether this process is root.
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
