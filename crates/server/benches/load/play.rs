//! Clients that play as fast as they can, and sockets that only listen.

use crate::house::{Process, Socket, connect, directory, guest, processor, start};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio_tungstenite::tungstenite::Message;

const SECONDS: u64 = 10;

/// Who must act, and how. Clients share the CPU with the house, so they parse no more of a view than this.
#[derive(Deserialize)]
struct Awaited<'a> {
    what: &'a str,
    #[serde(default)]
    r#box: Option<usize>,
    #[serde(default)]
    offer: Option<&'a str>,
    #[serde(default)]
    asked: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    r#box: usize,
}

/// Returns the round of a view, from its text.
fn round_in(text: &str) -> Option<i64> {
    let (_, rest) = text.split_once("\"round\":")?;
    serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()
}

impl<'a> Awaited<'a> {
    fn in_view(text: &'a str) -> Option<Awaited<'a>> {
        let (_, rest) = text.split_once("\"awaiting\":")?;
        serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()
    }
}

/// A client's seat at its table, and the state of its last bet.
pub struct Player {
    seat: usize,
    name: String,
    turn: u64,
    /// Whether the client has chips on the layout for the round in betting.
    wagered: bool,
    ready: bool,
    waits: Vec<Duration>,
}

impl Player {
    pub fn at(seat: usize, name: impl Into<String>) -> Player {
        Player { seat, name: name.into(), turn: 0, wagered: false, ready: false, waits: Vec::new() }
    }

    /// Plays until the round is over.
    pub async fn round(&mut self, socket: &mut Socket) {
        let (mut played, mut last, mut waits) = (None, None, false);
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else { continue };
            if text.starts_with("{\"type\":\"view\"") {
                last = Some(text);
            } else if text.starts_with("{\"type\":\"ack\"") {
                waits = false;
            } else if text.starts_with("{\"type\":\"refused\"") {
                // The next view shows what is awaited now.
                (waits, self.wagered, self.ready) = (false, false, false);
            }
            if waits {
                continue;
            }
            let Some(view) = last.take() else { continue };
            let (Some(awaiting), Some(round)) = (Awaited::in_view(&view), round_in(&view)) else { continue };
            if round > *played.get_or_insert(round) {
                return;
            }
            if let Some(action) = self.reply(&awaiting, round) {
                waits = true;
                socket.send(Message::Text(action.into())).await.expect("sent");
            }
        }
        panic!("the house ended the live view");
    }

    /// Returns this seat's reply to a view, if it has one.
    fn reply(&mut self, awaiting: &Awaited<'_>, round: i64) -> Option<String> {
        let seat = self.seat;
        let mut action = match awaiting.what {
            "wagers" if !self.wagered => {
                self.wagered = true;
                format!("{{\"do\":\"wager\",\"box\":{seat},\"amounts\":[\"10.00\"]")
            }
            "wagers" if !self.ready => {
                self.ready = true;
                "{\"do\":\"deal\"".into()
            }
            "wagers" => return None,
            what => {
                (self.wagered, self.ready) = (false, false);
                match what {
                    "decision" if awaiting.r#box == Some(seat) => {
                        format!("{{\"do\":\"stand\",\"box\":{seat}")
                    }
                    "offer" if awaiting.asked.iter().any(|asked| asked.r#box == seat) => {
                        let offer = awaiting.offer.unwrap_or_default();
                        format!("{{\"do\":\"decline\",\"box\":{seat},\"offer\":\"{offer}\"")
                    }
                    _ => return None,
                }
            }
        };
        self.turn += 1;
        // Ids grow with time, like those of the page and version 7 UUIDs.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let _ = write!(action, ",\"round\":{round},\"id\":\"{now:012x}-{}-{}\"}}", self.name, self.turn);
        Some(action)
    }

    async fn play(mut self, mut socket: Socket, stop: Arc<AtomicBool>) -> Vec<Duration> {
        let mut sent: Option<Instant> = None;
        let mut last: Option<tokio_tungstenite::tungstenite::Utf8Bytes> = None;
        while !stop.load(Ordering::Relaxed) {
            let message = match socket.next().await {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(_)) => continue,
                _ => break,
            };
            if message.starts_with("{\"type\":\"view\"") {
                last = Some(message);
            } else if message.starts_with("{\"type\":\"ack\"") {
                let Some(at) = sent.take() else { continue };
                // A request without a record is acknowledged with record 0; it does not count as an action.
                if !message.contains("\"seq\":0,") {
                    self.waits.push(at.elapsed());
                }
            } else if message.starts_with("{\"type\":\"refused\"") {
                // Another client was faster; the next view shows what is awaited now.
                sent = None;
                self.wagered &= !message.contains("-wager");
            }
            if sent.is_none()
                && let Some(view) = &last
                && let (Some(awaiting), Some(round)) = (Awaited::in_view(view), round_in(view))
                && let Some(action) = self.reply(&awaiting, round)
            {
                last = None;
                sent = Some(Instant::now());
                if socket.send(Message::Text(action.into())).await.is_err() {
                    break;
                }
            }
        }
        self.waits
    }
}

/// Seats clients at tables and lets them play until `stop` is set. A waiting client notices only that the server has
/// exited.
pub async fn seat(
    process: &Process,
    (clients, tables): (usize, usize),
    stop: &Arc<AtomicBool>,
) -> Vec<tokio::task::JoinHandle<Vec<Duration>>> {
    seat_at(&[&process.address], (clients, tables), stop).await
}

/// Seats clients at several nodes in turn.
pub async fn seat_at(
    addresses: &[&str],
    (clients, tables): (usize, usize),
    stop: &Arc<AtomicBool>,
) -> Vec<tokio::task::JoinHandle<Vec<Duration>>> {
    let mut players = Vec::new();
    for n in 0..clients {
        // Clients of one table connect to different nodes.
        let address = addresses[(n / tables + n) % addresses.len()];
        let token = guest(address).await;
        let socket = connect(address, &token, n % tables + 1).await;
        players.push((Player::at(n / tables + 1, format!("c{n}")), socket));
    }
    let begin = |(player, socket): (Player, Socket)| tokio::spawn(player.play(socket, Arc::clone(stop)));
    players.into_iter().map(begin).collect()
}

/// Returns the wait at this fraction of the sorted waits.
pub fn percentile(waits: &[Duration], part: f64) -> Duration {
    waits.get((waits.len() as f64 * part) as usize).copied().unwrap_or_default()
}

pub async fn play(clients: usize, tables: usize) {
    let directory = directory(tables);
    let process = start(directory.path());
    let stop = Arc::new(AtomicBool::new(false));
    let tasks = seat(&process, (clients, tables), &stop).await;
    let (begun, house, own) = (Instant::now(), process.processor(), processor("self"));
    tokio::time::sleep(Duration::from_secs(SECONDS)).await;
    stop.store(true, Ordering::Relaxed);
    let seconds = begun.elapsed().as_secs_f64();
    let (house, own) = (process.processor() - house, processor("self") - own);
    drop(process);
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.expect("ended"));
    }
    waits.sort();
    let at = |part: f64| percentile(&waits, part);
    println!(
        "{clients} clients at {tables} tables: {:.0} durable actions/s, p50 {:.1?}, p99 {:.1?}, longest {:.1?}; \
         processors: house {:.2}, clients {:.2}",
        waits.len() as f64 / seconds,
        at(0.5),
        at(0.99),
        waits.last().copied().unwrap_or_default(),
        house / seconds,
        own / seconds,
    );
}

pub async fn idle(sockets: usize) {
    let directory = directory(10);
    let process = start(directory.path());
    let token = guest(&process.address).await;
    let before = process.resident_mib();
    let mut open = Vec::new();
    for n in 0..sockets {
        open.push(connect(&process.address, &token, n % 10 + 1).await);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("{sockets} idle sockets: {} MiB resident, {before} MiB before", process.resident_mib());
}
