//! Fuzz targets: the parsers of external input that is not an API request.
//!
//! No input may cause a panic. A value that is parsed, written and parsed again must stay the same.

use crate::crlf::Lines;
use crate::fair::{Against, BrowserNotes, Opening, Vault, verify};
use crate::house_file::{Dealing, HouseFile};
use crate::lab::Task;
use crate::nodes::{FollowerMessage, OwnerMessage};
use crate::proxies::Proxies;
use crate::tables::{Fixed, Live, Step};
use axum::http::{HeaderMap, HeaderValue};
use ledger::archive::Archive;
use ledger::clock::StoredClock;
use ledger::seal::Seal;
use ledger::{Digest, TableId, signer};
use rules::Rules;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;

/// The parser of a fuzz target, which accepts any bytes and describes the result as text.
///
/// The fuzzer recognizes inputs with a new result by this text.
pub type Parser = fn(&[u8]) -> String;

/// The parsers of all fuzz targets, with their names.
pub const PARSERS: [(&str, Parser); 9] = [
    ("house_file", house_file),
    ("forwarded", forwarded),
    ("http_lines", http_lines),
    ("peer_lines", peer_lines),
    ("journal_lines", journal_lines),
    ("opening", opening),
    ("kept_lines", kept_lines),
    ("lab_task", lab_task),
    ("segment", segment),
];

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn outcome_text<T, E: std::fmt::Display>(outcome: Result<T, E>) -> String {
    outcome.map_or_else(|error| error.to_string(), |_| "read".into())
}

fn house_file(bytes: &[u8]) -> String {
    // Table files are looked for in this path, where none can exist.
    outcome_text(HouseFile::parse(&text(bytes), Path::new("/dev/null")))
}

/// Parses three lines: a `Forwarded` header, an `X-Forwarded-For` header, and a trusted proxy.
fn forwarded(bytes: &[u8]) -> String {
    let mut headers = HeaderMap::new();
    let mut trusted = vec!["10.0.0.0/8".to_owned(), "::1".to_owned()];
    for (n, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        match (n % 3, HeaderValue::from_bytes(line)) {
            (0, Ok(value)) => drop(headers.append("forwarded", value)),
            (1, Ok(value)) => drop(headers.append("x-forwarded-for", value)),
            _ => trusted.push(text(line).into_owned()),
        }
    }
    let proxies = Proxies::parse(&trusted).or_else(|_| Proxies::parse(&trusted[..2]));
    let mut came = outcome_text(proxies.as_ref().map_err(String::as_str));
    if let Ok(proxies) = proxies {
        let peer = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
        let source = proxies.source(peer, &headers);
        came = format!("{} hops, {}", headers.len(), if source == peer { "the proxy" } else { "a visitor" });
        let stranger = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
        if trusted.len() == 2 {
            assert_eq!(
                proxies.source(stranger, &headers),
                stranger,
                "the headers of an untrusted peer were believed"
            );
        }
    }
    came
}

/// Checks that the HTTP line filter lets the same bytes through, however a connection's input is split into
/// chunks.
fn http_lines(bytes: &[u8]) -> String {
    let Some((size, bytes)) = bytes.split_first() else { return String::new() };
    let (mut whole, mut pieces) = (bytes.to_vec(), bytes.to_vec());
    Lines::default().follow(&mut whole);
    let mut lines = Lines::default();
    pieces.chunks_mut(usize::from(*size).max(1)).for_each(|piece| lines.follow(piece));
    assert_eq!(whole, pieces, "splitting the connection into chunks of {size} bytes changes the request");
    let changed = whole.iter().zip(bytes).filter(|(after, before)| after != before).count();
    format!("{} changed in {} lines", changed.min(9), bytes.iter().filter(|byte| **byte == b'\n').count())
}

fn peer_lines(bytes: &[u8]) -> String {
    let mut came = String::new();
    for line in text(bytes).lines() {
        match serde_json::from_str::<FollowerMessage>(line) {
            Ok(FollowerMessage::Ask(asked)) => {
                came += if asked.ask().is_some() { "asked " } else { "unclear " }
            }
            Ok(FollowerMessage::Here { .. }) => came += "here ",
            Err(error) => came += &error.to_string(),
        }
        match serde_json::from_str::<OwnerMessage>(line) {
            Ok(OwnerMessage::Shown(shown)) => drop(shown.published()),
            Ok(heard) => came += if heard.outcome().is_some() { "heard " } else { "unheard " },
            Err(error) => came += &error.to_string(),
        }
    }
    came
}

/// Restores a table from arbitrary journal lines.
fn journal_lines(bytes: &[u8]) -> String {
    let Some((which, bytes)) = bytes.split_first() else { return String::new() };
    let (preset, _) = rules::preset::PRESETS[usize::from(*which) % rules::preset::PRESETS.len()];
    let Some(Ok(rules)) = rules::preset::preset(preset).map(Rules::new) else { return String::new() };
    let dealing = if which % 2 == 0 { Dealing::Dealer } else { Dealing::Automatic };
    let mut live = Live::new(Fixed { id: TableId(1), rules: Arc::new(rules), dealing });
    live.reopen(&mut Step::default());
    let vault = Vault::under(&[7; 32]);
    for line in text(bytes).lines() {
        if let Err(stuck) = live.replay_line(line, &vault, &mut Step::default()) {
            return format!("{} {stuck}", live.table.awaiting().is_some());
        }
    }
    format!("{:?}", live.table.awaiting().map(|awaiting| std::mem::discriminant(&awaiting)))
}

/// Parses a shoe opening, and checks that it never verifies against a wrong commitment.
///
/// Parses the input as the notes of a browser if it is no shoe opening.
fn opening(bytes: &[u8]) -> String {
    let opening = match serde_json::from_slice::<Opening>(bytes) {
        Ok(opening) => opening,
        Err(error) => return format!("{error} {:?}", serde_json::from_slice::<BrowserNotes>(bytes).err()),
    };
    let _ = opening.shares();
    let _ = opening.has_nonce(&text(&bytes[bytes.len() / 2..]));
    let verdict = verify(&opening, Against::default());
    let noted = Against { commitment: Some(&"0".repeat(64)), ..Against::default() };
    assert!(!verify(&opening, noted).holds, "the opening matches a wrong commitment");
    format!("{verdict:?}")
}

/// Parses seals, stored clock rows, and messages of a remote signer.
fn kept_lines(bytes: &[u8]) -> String {
    let mut came = String::new();
    for line in text(bytes).lines() {
        if let Some(seal) = Seal::from_line(line) {
            assert_eq!(Seal::from_line(seal.to_line().trim_end()), Some(seal));
            came += "seal ";
        }
        let _ = StoredClock::read(Some(line.as_bytes().to_vec()));
        came += &outcome_text(signer::answer(line));
        // This directory cannot exist, so no key is created.
        came += &outcome_text(signer::reply(Path::new("/dev/null/keys"), line));
    }
    came
}

fn lab_task(bytes: &[u8]) -> String {
    let task = match serde_json::from_slice::<Task>(bytes) {
        Ok(task) => task,
        Err(error) => return error.to_string(),
    };
    let came = format!("{} {}", task.is_long(), task.is_for_a_device());
    let again = serde_json::to_string(&task).map(|text| serde_json::from_str::<Task>(&text).ok());
    assert_eq!(again.ok().flatten(), Some(task));
    came
}

/// Parses an archive segment, which has the format of a backup.
///
/// For most inputs, the parser first sets the digest to that of the input, so that the check of the digest passes.
fn segment(bytes: &[u8]) -> String {
    let directory = std::env::temp_dir().join(format!("cutcard-segments-{}", std::process::id()));
    let mut written = bytes.to_vec();
    if bytes.first().is_some_and(|byte| byte % 4 != 0) {
        written = [b"cutcard backup 1\n", &bytes[1..]].concat();
        written.extend(Digest::of(&written).0);
    }
    let path = directory.join("journal-000000000001-000000000009.segment");
    let mut came = String::new();
    if std::fs::create_dir_all(&directory).is_ok() && std::fs::write(path, written).is_ok() {
        came = outcome_text(Archive { directory: directory.clone(), command: None, at_once: false }.last());
    }
    let _ = std::fs::remove_dir_all(directory);
    came
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_nonsense_do_no_harm() {
        for (_, parser) in PARSERS {
            for bytes in [&b""[..], b"\0", b"\xff\xfe\n{}", b"0\r\n\r\n", b"{\"a\":[1,2"] {
                parser(bytes);
            }
        }
    }
}
