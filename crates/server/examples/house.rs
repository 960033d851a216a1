//! Runs a house alone, for the browser tests: `house LISTEN DATA [HOUSE_FILE]`. Prints the address and, at the first
//! start, the first supervisor, as one line of JSON; ends when its standard input closes.
//! `house openapi` prints the OpenAPI document, with the schemas of the live frames added.

use server::{Options, serve};
use std::io::Read as _;

#[tokio::main]
async fn main() {
    let mut words = std::env::args().skip(1).peekable();
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
        lab_worker: None,
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
