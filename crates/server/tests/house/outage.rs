//! A disk that fails under a running house: the archive directory, which must have every record before anybody is
//! answered, disappears like an unmounted disk, and returns.

use crate::bot::fresh_id;
use crate::ceiling::the_house_stayed_below_its_ceiling;
use crate::client::House;
use serde_json::json;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The log of this process.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("held").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Returns the log lines of this level about the store.
    fn lines(&self, level: &str) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.0.lock().expect("held")).into_owned();
        let level = format!("\"level\":\"{level}\"");
        let found = text.lines().filter(|line| line.contains(&level) && line.contains("the store"));
        found.map(str::to_owned).collect()
    }
}

const FILE: &str =
    "[timings]\nbetting_ms = 600000\n[[table]]\nrules = \"nj-blackjack\"\nset = [\"boxes_per_player=3\"]\n";

/// A command whose outcome is in doubt is reported as such, and later ones as stopped; a hundred failures are one log
/// line.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_in_doubt_says_so_and_an_outage_is_one_line_in_the_log() {
    let log = Log::default();
    let written = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::INFO)
        .with_writer(move || written.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).expect("nobody else listens");
    let house = House::with_options(FILE, |options, directory| {
        options.archive = Some(directory.join("archive"));
        options.archive_at_once = true;
    })
    .await;
    let guest = house.guest().await;
    let wager = |r#box: u8, id: &str| json!({ "id": id, "round": 1, "do": "wager", "box": r#box, "amounts": ["10.00"] });
    let path = "/api/tables/1/actions";
    house.post(&guest, path, wager(1, &fresh_id())).await.ok();
    assert_eq!(log.lines("ERROR"), Vec::<String>::new());

    let archive = house.options.archive.clone().expect("an archive");
    let away = archive.with_extension("away");
    std::fs::rename(&archive, &away).expect("away");
    let in_doubt = wager(2, &fresh_id());
    let answer = house.post(&guest, path, in_doubt.clone()).await;
    assert_eq!((answer.status, answer.code().as_str()), (503, "outcome-unknown"), "{}", answer.body);
    assert_eq!(answer.json()["error"]["message"], "outcome unknown: retry with the same id");
    for _ in 0..50 {
        let answer = house.post(&guest, path, wager(3, &fresh_id())).await;
        assert_eq!((answer.status, answer.code().as_str()), (503, "stopped"), "never handed over");
        assert_eq!(house.call("", "POST", "/api/guests", None).await.status, 503);
    }
    assert_eq!(log.lines("ERROR").len(), 1, "{:#?}", log.lines("ERROR"));

    std::fs::rename(&away, &archive).expect("back");
    let since = Instant::now();
    let done = loop {
        let answer = house.post(&guest, path, in_doubt.clone()).await;
        if answer.status == 200 {
            break answer.json();
        }
        assert_eq!(answer.status, 503, "{}", answer.body);
        assert!(since.elapsed() < Duration::from_secs(30), "{}", answer.body);
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(done["repeated"], true, "it was stored, and nothing happened twice: {done}");
    let back = log.lines("INFO");
    assert_eq!(back.iter().filter(|line| line.contains("the store has recovered")).count(), 1, "{back:#?}");
    assert_eq!(log.lines("ERROR").len(), 1, "{:#?}", log.lines("ERROR"));
    the_house_stayed_below_its_ceiling();
}
