//! A house that is behind its anchor stays closed until a supervisor accepts the loss, which is a significant event;
//! and nobody who removed a house's books gets a new supervisor's password.

use ledger::{PersonId, Seq, journal};
use server::{Acceptance, Opened, Options};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;

/// Starts a server that stores what is PUT there, as any web server with PUT does.
fn keeper() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut kept: Option<String> = None;
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let (mut request, mut bytes) = (String::new(), [0; 4096]);
            let whole = |request: &str| {
                let (head, body) = request.split_once("\r\n\r\n")?;
                let length = head.split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()?;
                (body.len() >= length).then(|| body.to_owned())
            };
            let body = loop {
                if let Some(body) = whole(&request) {
                    break body;
                }
                let read = stream.read(&mut bytes).expect("read");
                request.push_str(std::str::from_utf8(&bytes[..read]).expect("text"));
            };
            let answer = match (request.starts_with("PUT /house "), &kept) {
                (true, _) => {
                    kept = Some(body);
                    "HTTP/1.0 204 No Content\r\n\r\n".to_owned()
                }
                (false, None) => "HTTP/1.0 404 Not Found\r\n\r\n".to_owned(),
                (false, Some(line)) => format!("HTTP/1.0 200 OK\r\n\r\n{line}"),
            };
            stream.write_all(answer.as_bytes()).expect("answered");
        }
    });
    format!("http://{address}/house")
}

fn close(opened: Opened) {
    opened.app.ledger.close();
}

/// Copies the files of a closed house.
fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("listed").flatten() {
        match entry.path().is_dir() {
            true => copy_files(&entry.path(), &to.join(entry.file_name())),
            false => std::fs::copy(entry.path(), to.join(entry.file_name())).map(|_| ()).expect("copied"),
        }
    }
}

async fn refusal(options: &Options) -> String {
    match server::open(options).await {
        Ok(_) => panic!("the house opens"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supervisor_decides_about_a_loss() {
    let directory = tempfile::tempdir().expect("temp dir");
    let data = directory.path().join("data");
    let mut options = Options { data: data.clone(), anchors: vec![keeper()], ..Options::default() };
    let opened = server::open(&options).await.expect("opens");
    let (name, password) = opened.first_supervisor.clone().expect("a first start");
    close(opened);
    let old = directory.path().join("old");
    copy_files(&data, &old);
    let opened = server::open(&options).await.expect("opens again");
    let lost = opened.app.ledger.head().expect("head").seq;
    close(opened);
    options.data = old;
    let why = refusal(&options).await;
    assert!(why.contains("the anchor at http://") && why.contains("--accept-loss"), "{why}");

    let accept = |password: &str| {
        let reason = "the disk was replaced".into();
        Some(Acceptance { supervisor: name.clone(), password: password.into(), reason })
    };
    options.accept_loss = accept("not it");
    let why = refusal(&options).await;
    assert!(why.contains("needs a supervisor; the name or password is wrong"), "{why}");
    options.accept_loss = accept(&password);
    let opened = server::open(&options).await.expect("opens");
    assert!(opened.first_supervisor.is_none());
    let decided = opened.app.ledger.read(|db| {
        let records = journal::records(db, Seq(0), 1000)?;
        Ok(records.into_iter().find(|r| String::from_utf8_lossy(&r.event).contains("\"loss-accepted\"")))
    });
    let decided = decided.expect("read").expect("recorded");
    assert!(decided.seq <= lost && decided.person != PersonId::HOUSE && decided.kind == "significant");
    let event = String::from_utf8(decided.event).expect("text");
    assert!(event.contains("the disk was replaced") && event.contains("http://"), "{event}");
    close(opened);
    let why = refusal(&options).await;
    assert!(why.contains("no records are missing"), "{why}");
    options.accept_loss = None;
    close(server::open(&options).await.expect("opens as ever"));
    assert!(server::audit(&options).expect("audited").passes);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_keys_beside_an_empty_store_are_no_first_start() {
    let directory = tempfile::tempdir().expect("temp dir");
    let options = Options { data: directory.path().join("data"), ..Options::default() };
    close(server::open(&options).await.expect("opens"));
    for name in ["house.sqlite", "house.sqlite-wal", "house.sqlite-shm", "head", "seals.log"] {
        let _ = std::fs::remove_file(options.data.join(name));
    }
    let why = refusal(&options).await;
    assert!(why.contains("the journal is empty"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_anchor_that_cannot_be_one_is_named() {
    let directory = tempfile::tempdir().expect("temp dir");
    for (anchor, why) in [("ftp://x/y", "not ftp://"), ("http://127.0.0.1:1/x", "no anchor responds")] {
        let options =
            Options { data: directory.path().into(), anchors: vec![anchor.into()], ..Options::default() };
        let told = refusal(&options).await;
        assert!(told.contains(why), "{told}");
    }
}
