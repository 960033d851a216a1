//! Tests completions, manual pages, signals, and files for other programs.

use crate::{cutcard, document, status, stderr, stdout};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = cutcard(&["completions", shell]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        for word in ["simulate", "report", "fresh-shoes", "hypothetical"] {
            assert!(stdout(&output).contains(word), "{shell}: {word}");
        }
    }
    let script = stdout(&cutcard(&["completions", "bash"])).to_string();
    let done = Command::new("bash").args(["-n", "-c", &script]).output().expect("bash starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(status(&cutcard(&["completions", "cmd"])), 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let whole = cutcard(&["man"]);
    assert!(stdout(&whole).contains(".TH cutcard 1") && stdout(&whole).contains("compare"));
    let edge = cutcard(&["man", "edge"]);
    assert!(stdout(&edge).contains(".TH cutcard\\-edge 1") || stdout(&edge).contains(".TH cutcard-edge 1"));
    assert!(stdout(&edge).contains("removed"));
    assert_eq!(status(&cutcard(&["man", "egde"])), 2);
    let folder = place("man");
    let written = cutcard(&["man", "--out", folder.to_str().expect("UTF-8")]);
    assert_eq!(status(&written), 0, "{}", stderr(&written));
    for page in ["cutcard", "cutcard-simulate", "cutcard-report"] {
        let text = std::fs::read_to_string(folder.join(format!("{page}.1"))).expect("a page");
        assert!(text.contains(".SH OPTIONS"), "{page}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// A terminated run writes its checkpoint and prints its results so far. The first checkpoint is written within a
/// second of the first rounds.
#[cfg(unix)]
#[test]
fn a_run_that_is_terminated_keeps_what_it_has() {
    let file = place("terminated.json");
    let _ = std::fs::remove_file(&file);
    let run = Command::new(env!("CARGO_BIN_EXE_cutcard"))
        .args([
            "simulate",
            "nj-blackjack",
            "--strategy",
            "quick",
            "--rounds",
            "1e12",
            "--json",
            "--checkpoint",
        ])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begun = Instant::now();
    while !file.exists() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(file.exists(), "no checkpoint after {:?}", begun.elapsed());
    let told = Command::new("kill").args(["-TERM", &run.id().to_string()]).status().expect("kill starts");
    assert!(told.success());
    let output = run.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let summary = document(&output);
    assert_eq!(summary["stopped"], true);
    let saved = std::fs::read_to_string(&file).expect("the checkpoint");
    assert!(!saved.is_empty() && summary["rounds"].as_u64() > Some(0));
    let _ = std::fs::remove_file(&file);
}

#[test]
fn chunks_without_a_file_say_that_they_need_one() {
    let output = cutcard(&["simulate", "nj-blackjack", "--chunks", "0..2"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--out"), "{}", stderr(&output));
}

#[test]
fn what_is_piped_has_no_colours() {
    for arguments in
        [&["--help"][..], &["simulate", "nj-blackjack", "--rounds", "x"], &["edge", "nj-six-to-five"]]
    {
        let output = cutcard(arguments);
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{arguments:?}");
    }
}

/// Returns what a server logs to a pipe until it has written the day's seal.
fn logged(format: Option<&str>) -> String {
    let data = tempfile::tempdir().expect("a directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cutcard"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
    command
        .env_remove("CUTCARD_LOG")
        .env_remove("RUST_LOG")
        .envs(format.map(|format| ("CUTCARD_LOG", format)));
    let mut server =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut log = String::new();
    let mut lines = BufReader::new(server.stderr.take().expect("a pipe"));
    while !log.contains("the journal is sealed") {
        assert!(lines.read_line(&mut log).expect("text") > 0, "the server ended: {log}");
    }
    server.kill().expect("killed");
    server.wait().expect("gone");
    log
}

#[test]
fn a_server_logs_json_to_a_pipe_and_readable_lines_if_asked() {
    let json = logged(None);
    for line in json.lines() {
        let record: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(record["level"].is_string() && record["timestamp"].is_string(), "{line}");
    }
    let text = logged(Some("text"));
    assert!(
        text.lines().any(|line| line.contains(" INFO ") && line.contains("the journal is sealed")),
        "{text}"
    );
    assert!(text.lines().all(|line| !line.starts_with('{')), "{text}");
    assert!(!text.contains('\x1b'), "no colours in a file: {text:?}");
}

/// Parquet is smaller than CSV for the same shoes.
#[test]
fn parquet_is_no_larger_than_csv() {
    let sizes = ["csv", "parquet"].map(|form| {
        let path = place(&format!("sizes.{form}"));
        let name = path.to_str().expect("UTF-8");
        let run = ["simulate", "nj-blackjack", "--strategy", "quick", "--rounds", "3e5", "--shoes", name];
        let output = cutcard(&run);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let size = std::fs::metadata(&path).expect("the file").len();
        let _ = std::fs::remove_file(path);
        size
    });
    assert!(sizes[1] * 2 < sizes[0], "{sizes:?}");
}

/// `-` reads a table, a strategy or a round from standard input.
#[test]
fn a_dash_is_standard_input() {
    let told = |arguments: &[&str], text: &[u8]| -> Output {
        let mut asking = Command::new(env!("CARGO_BIN_EXE_cutcard"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        asking.stdin.take().expect("a way in").write_all(text).expect("written");
        asking.wait_with_output().expect("the program ends")
    };
    let table = cutcard(&["tables", "nj-six-to-five"]).stdout;
    let read = told(&["edge", "-", "--json"], &table);
    assert_eq!(status(&read), 0, "{}", stderr(&read));
    let edge =
        |output: &Output| serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["main"].clone();
    let named = edge(&cutcard(&["edge", "nj-six-to-five", "--json"]));
    assert_eq!(edge(&read)["house_edge"], named["house_edge"]);
    let chart = cutcard(&["strategy", "nj-six-to-five", "--json"]).stdout;
    let charted = told(&["edge", "nj-six-to-five", "--strategy", "-", "--json"], &chart);
    assert!(edge(&charted)["house_edge"].as_f64() > named["house_edge"].as_f64());
    let round = told(&["replay", "-"], b"table nj-blackjack\ncards Ts 6h 9d Qs 9c\nbet 1 ann 10\n1 stand\n");
    assert_eq!(status(&round), 0, "{}", stderr(&round));
    let nothing = told(&["check", "-"], b"");
    assert_eq!(status(&nothing), 2);
    assert!(stderr(&nothing).contains("standard input"), "{}", stderr(&nothing));
}
