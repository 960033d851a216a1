//! Clients of the chaos test: each plays through any node, retries unanswered commands under the same id, and notes
//! everything it is told.

use super::Dice;
use crate::bot::fresh_id;
use crate::client::Peer;
use crate::kill::choose;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a client waits for an answer, and how long it avoids a node that gave none, as a load balancer would.
const PATIENCE: Duration = Duration::from_millis(900);
const AVOIDED: Duration = Duration::from_secs(2);
const AGAIN: Duration = Duration::from_millis(120);
/// Pause between actions: faster than any person, and slow enough that the test measures the house and not the load of
/// its own machine.
const THINKS: Duration = Duration::from_millis(120);

/// One acknowledged command.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    pub person: i64,
    pub id: String,
    pub seq: i64,
    pub table: u32,
    /// The round it was made for.
    pub round: i64,
    pub sent: Instant,
    pub answered: Instant,
}

/// The position of a card on the layout: the table, the round, the box (0 is the dealer's) and its place there.
pub type Spot = (u32, u64, u64, usize);

/// Everything that clients were told.
#[derive(Default)]
pub struct Ears {
    pub told: Mutex<Vec<Acknowledged>>,
    /// The refused commands: person and id.
    pub refused: Mutex<Vec<(i64, String)>>,
    /// Every card that was shown to anyone.
    pub seen: Mutex<HashMap<Spot, String>>,
    /// Answers that no fault excuses.
    pub wrong: Mutex<Vec<String>>,
    /// What each client saw last, for debugging.
    pub last: Mutex<BTreeMap<i64, String>>,
    pub stop: AtomicBool,
}

impl Ears {
    fn is_wrong(&self, what: String) {
        self.wrong.lock().expect("unpoisoned").push(what);
    }

    /// Checks that a position always shows the same card, whichever node shows it: two owners would deal two.
    fn see(&self, view: &Value) {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let (table, round) = (number(&view["table"]) as u32, number(&view["round"]));
        let dealer = view["dealer"]["cards"].as_array().into_iter().flatten().enumerate();
        let dealer = dealer.map(|(n, card)| ((table, round, 0, n), card));
        // The first card of a box stays in place, whatever is split.
        let boxes = view["boxes"].as_array().into_iter().flatten();
        let firsts =
            boxes.map(|each| ((table, round, number(&each["box"]), 0), &each["hands"][0]["cards"][0]));
        let mut seen = self.seen.lock().expect("unpoisoned");
        for (spot, card) in dealer.chain(firsts) {
            let Some(card) = card.as_str() else { continue };
            let before = seen.entry(spot).or_insert_with(|| card.to_owned());
            if before != card {
                self.is_wrong(format!("{spot:?} is shown as {before} and as {card}"));
            }
        }
    }
}

pub struct Client {
    pub nodes: watch::Receiver<Vec<String>>,
    pub ears: Arc<Ears>,
    pub token: String,
    pub person: i64,
    pub table: u32,
    pub place: u8,
}

impl Client {
    fn note(&self, what: String) {
        self.ears
            .last
            .lock()
            .expect("unpoisoned")
            .insert(self.person, format!("table {}: {what}", self.table));
    }

    pub async fn play(self) {
        let mut dice = Dice::new(self.person as u64);
        let mut avoided: HashMap<String, Instant> = HashMap::new();
        let mut unanswered: Option<(String, Value, Instant)> = None;
        while !self.ears.stop.load(Ordering::Relaxed) {
            let address = {
                avoided.retain(|_, since| since.elapsed() < AVOIDED);
                let nodes = self.nodes.borrow();
                let good: Vec<&String> = nodes.iter().filter(|node| !avoided.contains_key(*node)).collect();
                let from = if good.is_empty() { nodes.iter().collect() } else { good };
                from[dice.below(from.len() as u64) as usize].clone()
            };
            let peer = Peer { address: address.clone() };
            let (id, action, sent) = match unanswered.take() {
                Some(again) => again,
                None => match self.next_action(&peer, &mut dice).await {
                    Ok(Some(action)) => (fresh_id(), action, Instant::now()),
                    Ok(None) => {
                        tokio::time::sleep(AGAIN).await;
                        continue;
                    }
                    Err(()) => {
                        avoided.insert(address, Instant::now());
                        continue;
                    }
                },
            };
            let mut body = action.clone();
            body["id"] = id.clone().into();
            let path = self.path("/actions");
            let asked = peer.try_post(&self.token, &path, body);
            let met = tokio::time::timeout(PATIENCE, asked).await.ok().flatten();
            self.note(format!("{action} at {address}: {met:?}"));
            match met {
                Some((200, answer)) => {
                    let (seq, answered) = (answer["seq"].as_i64().unwrap_or(0), Instant::now());
                    if seq > 0 {
                        let round = action["round"].as_i64().expect("an action names its round");
                        let (person, table) = (self.person, self.table);
                        let told = Acknowledged { person, id, seq, table, round, sent, answered };
                        self.ears.told.lock().expect("unpoisoned").push(told);
                    }
                    tokio::time::sleep(THINKS).await;
                }
                // Refused, for good.
                Some((409 | 422, _)) => {
                    self.ears.refused.lock().expect("unpoisoned").push((self.person, id));
                    tokio::time::sleep(AGAIN).await;
                }
                // The outcome is unknown: retries at another node.
                again => {
                    if !matches!(again, Some((429 | 503, _)) | None) {
                        self.ears.is_wrong(format!("{action} at table {}: {again:?}", self.table));
                    }
                    avoided.insert(address, Instant::now());
                    unanswered = Some((id, action, sent));
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/tables/{}{rest}", self.table)
    }

    /// Returns the client's next action by the table's view, if it is its turn; an error if the node does not answer.
    async fn next_action(&self, peer: &Peer, dice: &mut Dice) -> Result<Option<Value>, ()> {
        let path = self.path("");
        let asked = peer.try_get(&self.token, &path);
        let view = tokio::time::timeout(PATIENCE, asked).await.ok().flatten().ok_or(())?;
        let view = &view["view"];
        self.ears.see(view);
        let chosen = choose(view, (self.place, 1), dice.below(1 << 40));
        if chosen.is_none() {
            self.note(format!("waits at {}: {}", peer.address, view["awaiting"]));
        }
        Ok(chosen)
    }
}
