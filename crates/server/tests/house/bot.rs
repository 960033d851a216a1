//! Random players: they look at the table and take a legal action.

use crate::client::House;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Bot<'a> {
    pub house: &'a House,
    pub token: String,
    pub person: i64,
    pub table: u32,
    pub seat: u8,
    dice: u64,
}

pub fn fresh_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("t-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl<'a> Bot<'a> {
    pub async fn guest(house: &'a House, table: u32, seat: u8) -> Bot<'a> {
        let token = house.guest().await;
        let person = house.get(&token, "/api/me").await.ok()["person"].as_i64().expect("a number");
        Bot {
            house,
            token,
            person,
            table,
            seat,
            dice: 0x9e37_79b9_7f4a_7c15 ^ (u64::from(seat) << 32) ^ u64::from(table),
        }
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice % sides.max(1) as u64) as usize
    }

    pub async fn view(&self) -> Value {
        self.house.get(&self.token, &format!("/api/tables/{}", self.table)).await.ok()["view"].clone()
    }

    pub async fn act(&self, action: Value) -> crate::client::Answer {
        self.act_as(&fresh_id(), action).await
    }

    /// Takes an action in the table's current round, unless the action names another.
    pub async fn act_as(&self, id: &str, mut action: Value) -> crate::client::Answer {
        action["id"] = id.into();
        if action["round"].is_null() {
            action["round"] = self.view().await["round"].clone();
        }
        self.house.post(&self.token, &format!("/api/tables/{}/actions", self.table), action).await
    }

    /// Bets the minimum, with every side bet of the table.
    pub async fn wager(&self) -> crate::client::Answer {
        let card = self.house.get("", &format!("/api/tables/{}", self.table)).await.ok()["card"].clone();
        let side: serde_json::Map<String, Value> = card["side_wagers"]
            .as_object()
            .expect("side wagers")
            .iter()
            .map(|(name, limits)| (name.clone(), limits["minimum"].clone()))
            .collect();
        let minimum = card["minimum"].clone();
        let spots = if card["variation"] == "multiple-action" { 3 } else { 1 };
        let amounts = vec![minimum; spots];
        self.act(json!({ "do": "wager", "box": self.seat, "amounts": amounts, "side": side })).await
    }

    /// Answers what the table asks of this seat; returns whether there was anything to answer.
    pub async fn answer(&mut self, view: &Value) -> bool {
        let awaiting = &view["awaiting"];
        let mine =
            |asked: &Value| asked.as_array().is_some_and(|list| list.iter().any(|a| a["box"] == self.seat));
        let seat = self.seat;
        let action = match awaiting["what"].as_str().unwrap_or_default() {
            "decision" if awaiting["box"] == seat => {
                let actions = awaiting["actions"].as_array().expect("actions").clone();
                let chosen = actions[self.roll(actions.len())]["action"].clone();
                json!({ "do": chosen, "box": seat })
            }
            "offer" if mine(&awaiting["asked"]) => {
                json!({ "do": "decline", "box": seat, "offer": awaiting["offer"] })
            }
            "switch" | "revocation" if awaiting["box"] == seat => {
                json!({ "do": "decline-switch", "box": seat })
            }
            "cut" if awaiting["box"] == seat => {
                let left = view["shoe"]["left"].as_u64().expect("a number") as usize;
                json!({ "do": "cut", "box": seat, "at": 10 + self.roll(left - 19) })
            }
            "sevens-card" if awaiting["box"] == seat => {
                json!({ "do": "sevens-card", "box": seat, "take": true })
            }
            _ => return false,
        };
        let mut bound = action.clone();
        bound["round"] = view["round"].clone();
        let answer = self.act(bound).await;
        // Another player may have been faster, or the chips may not suffice; then the bot stands.
        if answer.status == 409 {
            self.act(json!({ "do": "stand", "box": seat, "round": view["round"] })).await;
        } else {
            assert_eq!(answer.status, 200, "{action}: {} at {awaiting}", answer.body);
        }
        true
    }
}

/// Lets these bots play this many rounds together.
pub async fn play(bots: &mut [Bot<'_>], rounds: i64) {
    let first = bots[0].view().await["round"].as_i64().expect("a round");
    let mut idle = 0;
    loop {
        let view = bots[0].view().await;
        let round = view["round"].as_i64().expect("a round");
        if round >= first + rounds {
            return;
        }
        let mut moved = false;
        if view["awaiting"]["what"] == "wagers" {
            for bot in bots.iter() {
                let placed = view["boxes"].as_array().expect("boxes").iter().any(|b| b["box"] == bot.seat);
                if !placed {
                    let answer = bot.wager().await;
                    assert!(answer.status == 200 || answer.code() == "not-enough-chips", "{}", answer.body);
                }
            }
            for bot in bots.iter() {
                bot.act(json!({ "do": "deal" })).await;
            }
            moved = true;
        } else {
            for bot in bots.iter_mut() {
                if bot.answer(&view).await {
                    moved = true;
                    break;
                }
            }
        }
        idle = if moved { 0 } else { idle + 1 };
        assert!(idle < 500, "nobody can do anything at table {}: {view}", bots[0].table);
        if !moved {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }
}
