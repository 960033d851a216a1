//! The fuzz targets. Each target takes arbitrary bytes, and panics if an invariant is violated.

mod frames;
mod routes;

pub use routes::{connection, interface, socket};

use rules::{Rules, file, preset};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::notation::{self, parse::parse};
use table::random::{Chance, Style, Watch, nonsense, tables};

/// A fuzz target, which takes any bytes and returns a description of the result.
///
/// The descriptions show which inputs have new results and should be kept.
pub type Target = fn(&[u8]) -> String;

/// The fuzz targets of this crate; all other targets are the server's parsers.
const OWN: [(&str, Target); 7] = [
    ("table_file", table_file),
    ("round_file", round_file),
    ("commands", commands),
    ("frames", frames),
    ("interface", interface),
    ("connection", connection),
    ("socket", socket),
];

/// Returns every fuzz target with its name.
pub fn targets() -> impl Iterator<Item = (&'static str, Target)> {
    OWN.into_iter().chain(server::parsers::PARSERS)
}

/// Returns the fuzz target with the given name, or `None` if there is none.
pub fn target(name: &str) -> Option<Target> {
    targets().find(|(known, _)| *known == name).map(|(_, run)| run)
}

fn frames(bytes: &[u8]) -> String {
    frames::frames(bytes);
    String::new()
}

/// Parses the bytes as a table file, and checks a valid file's table against its regulation.
///
/// Panics unless the table stays the same when it is written and parsed again.
pub fn table_file(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return String::new();
    };
    let choices = match file::parse(text) {
        Ok(choices) => choices,
        Err(error) => return error.to_string(),
    };
    let shown = file::show(&choices);
    let again = file::parse(&shown).unwrap_or_else(|error| panic!("{error}\n{shown}"));
    assert_eq!(again, choices, "{shown}");
    match Rules::new(choices) {
        Ok(_) => "lawful".into(),
        Err(unlawful) => format!("{unlawful:?}"),
    }
}

/// Parses the bytes as a round file and plays its rounds, or returns the reason for refusing the file.
pub fn round_file(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return String::new();
    };
    let file = match parse(text) {
        Ok(file) => file,
        Err(error) => return error.to_string(),
    };
    let Some(mut choices) = preset::preset(&file.table.table) else {
        return "no such table".into();
    };
    if file.table.overrides.iter().any(|assignment| file::set(&mut choices, assignment).is_err()) {
        return "no such choice".into();
    }
    let Ok(rules) = Rules::new(choices) else { return "unlawful".into() };
    match notation::play(&file, Arc::new(rules)) {
        Ok(played) => format!("played {}", notation::show::show(&played).lines().count()),
        Err(error) => format!("{error:?}").chars().take(60).collect(),
    }
}

/// The maximum number of steps that one input plays.
const MOST_STEPS: usize = 2_000;

/// Plays a random table with random commands and irregularities, all chosen by the bytes.
///
/// Tries a random command at every step, and sometimes carries it out if the table accepts it. All invariants must
/// hold, and a replay of the log must rebuild the table.
pub fn commands(bytes: &[u8]) -> String {
    let mut chance = Chance::from_bytes(bytes);
    let style = Style::random(&mut chance);
    let mut watch = Watch::new(tables::lawful(&mut chance), style);
    for _ in 0..MOST_STEPS.min(40 + bytes.len()) {
        watch.probe(&mut chance);
        let table = &watch.driver.table;
        let senseless = nonsense::command(table, &mut chance);
        let event = match table.decide(senseless) {
            // a named card that is not in the shoe would run the shoe out of cards
            Ok(event) if !nonsense::names_card(senseless) && chance.one_in(4) => event,
            _ => watch.driver.next(&mut chance),
        };
        watch.happen(event, &mut chance);
    }
    watch.replay();
    String::new()
}

/// Returns the initial inputs of a target: generated inputs, and those stored in the target's corpus directory.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let mut inputs = made(target);
    let mut kept: Vec<_> = std::fs::read_dir(folder(target)).into_iter().flatten().flatten().collect();
    kept.sort_by_key(std::fs::DirEntry::file_name);
    inputs.extend(kept.iter().filter_map(|entry| std::fs::read(entry.path()).ok()));
    inputs
}

/// Returns the corpus directory of a target.
pub fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// Generates the initial inputs of a target.
///
/// They include every preset as a table file, random rounds as round files, and an example request per route.
fn made(target: &str) -> Vec<Vec<u8>> {
    let presets = preset::PRESETS.iter().filter_map(|(name, _)| preset::preset(name));
    match target {
        "table_file" => presets.map(|choices| file::show(&choices).into_bytes()).collect(),
        "frames" => frames::corpus(),
        "interface" => routes::interface_corpus(),
        "connection" => routes::connection_corpus(),
        "socket" => routes::socket_corpus(),
        "house_file" => texts(HOUSE_FILES),
        "forwarded" => texts(FORWARDED),
        "http_lines" => {
            routes::connection_corpus().into_iter().map(|input| [&[7][..], &input].concat()).collect()
        }
        "peer_lines" => texts(PEER_LINES),
        "journal_lines" => texts(JOURNAL),
        "opening" => texts(OPENINGS),
        "kept_lines" => texts(KEPT),
        "lab_task" => texts(TASKS),
        "segment" => vec![vec![1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
        "round_file" => (0..40).map(|seed| round(seed).into_bytes()).collect(),
        _ => (0..8).map(|seed: u8| (0..200).map(|at: u8| at.wrapping_mul(seed * 2 + 1)).collect()).collect(),
    }
}

fn round(seed: u64) -> String {
    let mut chance = Chance::seeded(seed);
    let rules = tables::lawful(&mut chance);
    let style = Style::random(&mut chance);
    let mut driver = table::random::Driver::new(rules.clone(), style);
    let mut log = Vec::new();
    for _ in 0..=chance.below(3) {
        driver.round(&mut chance, |event| log.push(*event));
    }
    let style = notation::Style { name: &|person| format!("p{}", person.0), remark: &|_| None };
    notation::write(rules.choices(), &log, style)
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const HOUSE_FILES: &[&str] = &[
    "name = \"Pier Seven\"\npath_prefix = \"/blackjack\"\ngaming_day_starts = \"06:00\"\nguest_chips = \"1000.00\"\n\
     bank = \"1000000000.00\"\nlarge = \"10000.00\"\ntrusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]\n\
     metrics_listen = \"127.0.0.1:9090\"\ndurability = \"local\"\nsecond_factor = \"offered\"\n\
     [timings]\nbetting_ms = 12000\ndecision_ms = 20000\npause_ms = 1500\ngrace_ms = 15000\n\
     [rates]\nrequests_per_second = 50\nentries_per_minute = 120\nsockets_per_person = 16\nconnections = 5000\n\
     [sessions]\nidle_s = 1800\nlongest_s = 43200\n\
     [[table]]\nrules = \"nj-blackjack\"\nset = [\"minimum=25\", \"surrender=true\"]\ndealing = \"dealer\"\n",
    "[[table]]\nrules = \"nj-switch\"\n[[table]]\nrules = \"nj-blackjack\"\nset = [\"shoe=double\"]\n",
];
const FORWARDED: &[&str] = &[
    "for=192.0.2.60;proto=http;by=203.0.113.43, for=\"[2001:db8::1]:4711\"\n192.0.2.1, 10.0.0.7\n10.1.0.0/16",
    "for=_hidden, for=unknown\n[::1]:80\n::/0",
];
const PEER_LINES: &[&str] = &[
    "{\"ask\":{\"n\":1,\"person\":7,\"name\":\"ann\",\"role\":\"player\",\"guest\":false,\"chips\":\"play\",\"session\":[0],\
     \"id\":\"a\",\"request\":{\"do\":\"deal\"}}}\n{\"here\":{\"person\":7,\"role\":\"player\",\"views\":-1}}",
    "{\"done\":{\"n\":1,\"seq\":2,\"version\":3,\"repeated\":false,\"balance\":100}}\n\
     {\"refused\":{\"n\":1,\"status\":409,\"error\":{\"code\":\"x\",\"message\":\"y\"}}}",
];
const JOURNAL: &[&str] = &[
    "\0p wager 2 p7 seated 1000 0 0\np side 2 p7 match 100\nh close-wagers\nh card 8h\nh card Qc\nh card 2s\n\
     p decide 2 0 hit\nh card 7d\np decide 2 0 stand\nh card 8d\nh card Kc",
    "\u{1}h perform shuffle\nh perform cut\np cut 1 100\nh correct 7h\np because [\"ann\",\"a card lay face up\"]",
    "\u{2}kept 3 1 p7 - 0,0,0 \"game = \\\"switch\\\"\"\nopen 0 0 0 \"x\"",
];
const OPENINGS: &[&str] =
    &["{\"table\":1,\"shoe\":1,\"decks\":1,\"deck\":52,\"on_layout\":\"\",\"cut_rule\":\"cutcard cut 1\
     \",\"mix_rule\":\"cutcard mix 2\",\"cut_least\":0,\"cut_with\":null,\"nonce\":\"00\",\"order\":\
     \"As Kd\",\"commitment\":\"00\",\"cut\":1,\"cut_by\":null,\"mixed\":{\"after\":0,\"shares\":[{\
     \"hash\":\"00\",\"nonce\":\"00\"}]},\"drawn\":\"Kd\",\"rounds\":[{\"round\":1,\"cards\":\"Kd\"}\
     ],\"signatures\":{\"house\":\"00\",\"commitment\":\"00\",\"list\":null,\"opening\":\"00\"}}"];
const KEPT: &[&str] = &[
    "day=20000 seq=7 hash=0303030303030303030303030303030303030303030303030303030303030303 at=1 signature=00\n1 2 3 4",
    "ok 00ff\nerror locked\npublic seal\nsign seal 00\nkey shoe\nkey peers",
];
const TASKS: &[&str] = &[
    "{\"do\":\"edge\",\"table\":\"game = \\\"switch\\\"\"}",
    "{\"do\":\"simulation\",\"table\":\"\",\"rounds\":1,\"seed\":2,\"count\":null,\"ramp\":\"1-8\"}",
    "{\"do\":\"values\",\"table\":\"\",\"hand\":\"As\",\"other\":\"\",\"up\":\"Td\",\"removed\":\"\",\"attacked\":false}",
];
