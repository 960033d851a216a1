//! Runs a house alone, for the browser tests: `house LISTEN DATA [HOUSE_FILE]`. Prints the address and, at the first
//! start, the first supervisor, as one line of JSON; ends when its standard input closes.
//! `house openapi` prints the OpenAPI document, with the schemas of the live frames added.
//! `house lab` is the lab's process. Houses with one folder `CUTCARD_ANSWERS` solve each table once for all of them.

use server::{Options, serve};
use sha2::{Digest as _, Sha256};
use std::ffi::OsString;
use std::io::{BufRead as _, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

#[tokio::main]
async fn main() {
    let mut words = std::env::args().skip(1).peekable();
    match words.peek().map(String::as_str) {
        Some("lab") => return answer_once(words.nth(1).map(Into::into)),
        Some("solve") => return server::run_worker(),
        _ => {}
    }
    if words.peek().is_some_and(|word| word == "openapi") {
        let (mut document, live) = (server::openapi(), server::asyncapi());
        for (name, schema) in live["components"]["schemas"].as_object().into_iter().flatten() {
            if document["components"]["schemas"][name].is_null() {
                document["components"]["schemas"][name] = schema.clone();
            }
        }
        println!("{document}");
        return;
    }
    let options = Options {
        listen: words.next().unwrap_or_else(|| "127.0.0.1:0".into()),
        data: words.next().unwrap_or_else(|| "data".into()).into(),
        database: None,
        house: words.next().map(Into::into),
        secure_cookies: false,
        lab_worker: lab_worker(),
        ..Options::default()
    };
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = end.send(());
    });
    let stop = async {
        let _ = ended.await;
    };
    let outcome = serve(options, stop, |address, supervisor| {
        println!("{}", serde_json::json!({ "address": address, "supervisor": supervisor }));
    });
    if let Err(error) = outcome.await {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

/// The house starts its lab without an environment, so the folder is an argument.
fn lab_worker() -> Option<Vec<OsString>> {
    let house = std::env::current_exe().ok()?.into();
    Some([house, "lab".into()].into_iter().chain(std::env::var_os("CUTCARD_ANSWERS")).collect())
}

/// Answers the house's question as `house solve` does, or as an earlier process with the same folder did.
fn answer_once(folder: Option<PathBuf>) {
    let mut question = String::new();
    let _ = std::io::stdin().lock().read_line(&mut question);
    let file = folder.map(|folder| {
        let name: String = Sha256::digest(&question).iter().map(|byte| format!("{byte:02x}")).collect();
        folder.join(name)
    });
    if let Some(known) = file.as_ref().and_then(|file| std::fs::read(file).ok()) {
        let _ = std::io::stdout().write_all(&known);
        return;
    }
    let house = std::env::current_exe().expect("the path of this program");
    let mut solver = Command::new(house);
    let solver = solver.arg("solve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut solver = solver.expect("this program starts again");
    let mut ask = solver.stdin.take().expect("a pipe");
    let _ = ask.write_all(question.as_bytes());
    // what the house says later stops a simulation; the solver ends with its input
    std::thread::spawn(move || std::io::copy(&mut std::io::stdin().lock(), &mut ask));
    let mut said = Vec::new();
    for line in std::io::BufReader::new(solver.stdout.take().expect("a pipe")).lines().map_while(Result::ok) {
        let _ = writeln!(std::io::stdout(), "{line}");
        said.push(line);
    }
    // its output has ended, so it has ended too
    let _ = solver.wait();
    let whole = said.last().is_some_and(|last| last.starts_with("{\"document\""));
    if let Some(file) = file.filter(|_| whole && said.len() == 1) {
        // under its name only when it is complete: several processes may write it at once
        let part = file.with_extension(std::process::id().to_string());
        let kept = std::fs::write(&part, format!("{}\n", said[0]));
        let _ = kept.and_then(|()| std::fs::rename(&part, &file));
    }
}
