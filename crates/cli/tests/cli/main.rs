//! Tests the program as people and other programs use it: arguments in, text and exit status out.

mod assume;
mod atlas;
mod card;
mod check;
mod clauses;
mod count;
mod dependencies;
mod doctor;
mod edge;
mod games;
mod keeper;
mod layers;
mod licences;
mod manners;
mod page_atlas;
mod perfect;
mod provenance;
mod random;
mod readme;
mod recipes;
mod replay;
mod report;
mod seat;
mod shoes;
mod simulate;
mod sweep;
mod tables;
mod tidy;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn cutcard(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cutcard")).args(arguments).output().expect("the program starts")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("the program ends by itself, not by a signal")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// Parses the single JSON document on standard output.
fn document(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(&output.stdout)))
}

/// Returns the document that a command prints with `--json`.
fn answer(arguments: &[&str]) -> serde_json::Value {
    let output = cutcard(&[arguments, &["--json"]].concat());
    assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    document(&output)
}

/// Returns a JSON value as a number.
fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A table file in the tests' temporary directory, removed when dropped.
struct TableFile(PathBuf);

impl TableFile {
    fn new(name: &str, contents: impl AsRef<[u8]>) -> TableFile {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
        std::fs::write(&path, contents).expect("the temporary folder is writable");
        TableFile(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn the_help_lists_the_commands() {
    let output = cutcard(&["--help"]);
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).contains("Usage: cutcard"), "{}", stdout(&output));
}

#[test]
fn a_flag_or_command_that_is_not_known_is_status_2() {
    for arguments in [&["chekc"][..], &["check"], &["check", "nj-switch", "--quick"], &["tables", "--set"]] {
        let output = cutcard(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stdout(&output).is_empty(), "{arguments:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut shell = Command::new("bash")
        .args(["-c", "set -o pipefail; \"$0\" tables --json | true; exit $?"])
        .arg(env!("CARGO_BIN_EXE_cutcard"))
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash starts");
    let ended = shell.wait().expect("bash ends");
    assert!(ended.success());
}

#[test]
fn nothing_to_write_to_is_told_and_not_a_panic() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_cutcard"))
        .arg("tables")
        .stdout(full)
        .output()
        .expect("the program starts");
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("cannot write output"), "{}", stderr(&output));
}
