//! Tests a house with a remote signer, and its archive, with real processes that are killed.

use crate::{cutcard, status, stderr, stdout};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cutcard");

pub(crate) struct Running {
    child: Child,
    address: String,
}

/// Starts a server and waits until it is open.
pub(crate) fn open(data: &Path, options: &[&str]) -> Running {
    let mut child = Command::new(PROGRAM)
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .args(options)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let address = line.trim().rsplit_once("http://").expect("an address").1.to_owned();
    Running { child, address }
}

impl Running {
    /// Creates a guest and returns its id.
    fn guest(&self) -> i64 {
        let mut stream = TcpStream::connect(&self.address).expect("connects");
        let request =
            "POST /api/guests HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        let body: Value =
            serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("JSON");
        body["person"].as_i64().expect("a number")
    }

    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// Asks the server to stop, and waits for it.
    pub(crate) fn close(mut self) {
        let asked = Command::new("kill").arg(self.child.id().to_string()).status().expect("kill starts");
        assert!(asked.success() && self.child.wait().expect("ends").success());
    }
}

fn audited(arguments: &[&str]) -> Value {
    let output = cutcard(&[&["audit", "--json"], arguments].concat());
    assert_eq!(status(&output), 0, "{} {}", stdout(&output), stderr(&output));
    serde_json::from_str(stdout(&output)).expect("JSON")
}

/// Returns every file of a directory with its contents, except the lock.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).expect("listed").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.path().is_dir() {
            true => files.extend(self::files(&entry.path())),
            false if name == "lock" => {}
            false => files.push((name, std::fs::read(entry.path()).expect("read"))),
        }
    }
    files.sort();
    files
}

#[test]
fn the_keys_of_a_house_live_elsewhere() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, keys, others) =
        (place.path().join("data"), place.path().join("keys"), place.path().join("others"));
    let keeper = |keys: &Path| format!("{PROGRAM} keeper {}", keys.display());
    let (own, other) = (keeper(&keys), keeper(&others));
    let house = open(&data, &["--key-command", &own]);
    house.guest();
    // The day's seal is written after the server has opened.
    while !data.join("seals.log").exists() {
        std::thread::sleep(Duration::from_millis(100));
    }
    house.kill();
    let kept = files(&data.join("keys"));
    assert_eq!(kept.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["seal.public"]);
    assert!(keys.join("seal.key").is_file() && keys.join("shoe.key").is_file());

    let at = data.to_str().expect("text");
    let report = audited(&["--data", at, "--key-command", &own]);
    assert!(report["seals"].as_u64() >= Some(1), "the keeper has signed: {report}");
    let without = cutcard(&["audit", "--data", at]);
    assert_eq!(status(&without), 2);
    assert!(stderr(&without).contains("shoe.key"), "{}", stderr(&without));

    let before = files(&data);
    let refusal = |command: &str| {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", at, "--key-command", command];
        let output = cutcard(&arguments);
        assert_eq!(status(&output), 2, "{command}");
        stderr(&output).to_owned()
    };
    let why = refusal(&other);
    assert!(
        why.contains("this house's seal key is") && why.contains("give the signer this house's keys"),
        "{why}"
    );
    let why = refusal("exit 3");
    assert!(why.contains("remote signer `exit 3` ended without an answer"), "{why}");
    let why = refusal("while read line; do echo error locked; done");
    assert!(why.contains("refused the request: locked"), "{why}");
    assert!(before == files(&data), "nothing was touched");

    // The seal key belongs to this house, the shoe key does not.
    std::fs::copy(keys.join("seal.key"), others.join("seal.key")).expect("copied");
    let why = refusal(&other);
    assert!(why.contains("belong to another house"), "{why}");
    open(&data, &["--key-command", &own]).close();
    audited(&["--data", at, "--key-command", &own]);
}

#[test]
fn a_house_moves_its_keys_to_a_keeper() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, keys) = (place.path().join("data"), place.path().join("keys"));
    let own = format!("{PROGRAM} keeper {}", keys.display());
    open(&data, &[]).close();
    let at = data.to_str().expect("text");
    let both = cutcard(&["serve", "--listen", "127.0.0.1:0", "--data", at, "--key-command", &own]);
    assert!(stderr(&both).contains("move that key to the remote signer"), "{}", stderr(&both));
    for name in ["seal.key", "shoe.key"] {
        std::fs::rename(data.join("keys").join(name), keys.join(name)).expect("moved");
    }
    open(&data, &["--key-command", &own]).close();
    audited(&["--data", at, "--key-command", &own]);
}

/// Restores a house from its archive and a copy of its keys, and returns the audit.
fn restored(data: &Path, archive: &Path, again: &Path) -> Value {
    let keys = again.with_extension("keys");
    std::fs::create_dir_all(keys.join("keys")).expect("made");
    for name in ["seal.key", "shoe.key"] {
        std::fs::copy(data.join("keys").join(name), keys.join("keys").join(name)).expect("copied");
    }
    let [again, archive, keys] = [again, archive, &keys].map(|path| path.to_str().expect("text"));
    let restored = cutcard(&["restore", "--data", again, "--archive", archive, keys]);
    assert_eq!(status(&restored), 0, "{}", stderr(&restored));
    audited(&["--data", again])
}

/// With `--archive-at-once`, nothing that was acknowledged before a kill is missing from the archive.
#[test]
fn a_second_copy_that_is_written_at_once_lacks_nothing_after_a_kill() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, archive) = (place.path().join("data"), place.path().join("archive"));
    let archived = ["--archive", archive.to_str().expect("text"), "--archive-at-once"];
    let mut told = Vec::new();
    for round in 0..3 {
        let house = open(&data, &archived);
        told.extend((0..15).map(|_| house.guest()));
        house.kill();
        let (again, tables) =
            (place.path().join(format!("again{round}")), place.path().join(format!("csv{round}")));
        restored(&data, &archive, &again);
        let [again, tables] = [&again, &tables].map(|path| path.to_str().expect("text"));
        let exported = cutcard(&["export", "--data", again, tables]);
        assert_eq!(status(&exported), 0, "{}", stderr(&exported));
        let people = std::fs::read_to_string(Path::new(tables).join("people.csv")).expect("written");
        for person in &told {
            assert!(
                people.contains(&format!("\n{person},")),
                "{person} was told, and is not there: {people}"
            );
        }
    }
}

/// After a kill the archive lacks at most the newest records. The next start completes it before adding any, and the
/// house can be restored from the archive alone.
#[test]
fn the_second_copy_of_the_journal_is_whole_after_a_kill() {
    let place = tempfile::tempdir().expect("a directory");
    let (data, archive, again) =
        (place.path().join("data"), place.path().join("archive"), place.path().join("again"));
    let archived = ["--archive", archive.to_str().expect("text")];
    let house = open(&data, &archived);
    for _ in 0..20 {
        house.guest();
    }
    house.kill();
    let house = open(&data, &archived);
    house.guest();
    house.close();
    let report = audited(&["--data", data.to_str().expect("text")]);
    let copy = restored(&data, &archive, &again);
    assert_eq!((&copy["records"], &copy["head"]), (&report["records"], &report["head"]), "every record");
    assert!(report["records"].as_i64() > Some(25), "{report}");
}
