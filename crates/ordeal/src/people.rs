//! The people of a simulated house: players who play anything lawful, a cashier, a supervisor. Whoever gets no answer asks
//! again under the same id.

use crate::dice::Dice;
use crate::disk;
use crate::laws::Told;
use crate::network::{Asked, ask, ask_steadily};
use crate::world::Around;
use serde_json::{Value, json};
use server::Opened;
use std::cell::RefCell;
use std::time::Duration;

const LONGEST_THOUGHT_MS: u64 = 6_000;
const PASSWORD: &str = "battery staple 7";

#[derive(Clone, Debug)]
enum Work {
    /// Plays at a table, in a box.
    Play {
        table: u32,
        place: u8,
    },
    /// Sells and takes chips of these members.
    Cage {
        members: Vec<String>,
    },
    Supervise,
}

/// Something that a person wants done, until the answer is known.
#[derive(Clone, Debug)]
struct Order {
    method: &'static str,
    path: String,
    body: Value,
}

pub struct Person {
    id: i64,
    /// Nobody knows a guest by name.
    name: Option<String>,
    token: String,
    work: Work,
    dice: Dice,
    orders: u64,
    unanswered: Option<Order>,
    /// One that was carried out, to be asked for again.
    done: Option<(Order, i64)>,
}

/// What a person needs to act.
pub struct Scene<'a> {
    pub opened: &'a Opened,
    pub world: &'a Around,
    pub told: &'a RefCell<Told>,
}

/// Those who come to a new house: guests with play chips and members with bought ones at every table, and staff.
pub async fn arrive(opened: &Opened, tables: u32, dice: &mut Dice) -> Result<Vec<Person>, String> {
    let call = async |method: &'static str, path: &str, token: &str, body: Value| {
        let body = (!body.is_null()).then_some(&body);
        match ask_steadily(opened, Asked { method, path, token, body }).await {
            Some((200..=299, answer)) => Ok(answer),
            other => Err(format!("{path} answers {other:?} in a house without trouble")),
        }
    };
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let (name, once) = opened.first_supervisor.clone().ok_or("a new house has a first supervisor")?;
    let entered = call("POST", "/api/sessions", "", json!({ "name": name, "password": once })).await?;
    let supervisor = text(&entered, "token");
    call("PUT", "/api/me/password", &supervisor, json!({ "old": once, "new": PASSWORD })).await?;
    let mut people = Vec::new();
    let mut person = |entered: &Value, name: Option<&str>, work: Work| Person {
        id: entered["person"].as_i64().unwrap_or(0),
        name: name.map(str::to_owned),
        token: text(entered, "token"),
        work,
        dice: dice.fork(),
        orders: 0,
        unanswered: None,
        done: None,
    };
    people.push(person(&entered, Some(&name), Work::Supervise));
    let mut members = Vec::new();
    for table in 1..=tables {
        let guest = call("POST", "/api/guests", "", Value::Null).await?;
        people.push(person(&guest, None, Work::Play { table, place: 1 }));
        let name = format!("member{table}");
        let member = call("POST", "/api/people", "", json!({ "name": name, "password": PASSWORD })).await?;
        people.push(person(&member, Some(&name), Work::Play { table, place: 2 }));
        members.push(name);
    }
    let hire = json!({ "name": "cora", "role": "cashier" });
    let hired = call("POST", "/api/staff/people", &supervisor, hire).await?;
    let once = text(&hired, "one_time_password");
    let entered = call("POST", "/api/sessions", "", json!({ "name": "cora", "password": once })).await?;
    let cashier = text(&entered, "token");
    call("PUT", "/api/me/password", &cashier, json!({ "old": once, "new": PASSWORD })).await?;
    people.push(person(&entered, Some("cora"), Work::Cage { members }));
    Ok(people)
}

impl Person {
    /// Acts on and on; ends only when a law is broken.
    pub async fn live(&mut self, scene: &Scene<'_>) -> String {
        loop {
            let pause = Duration::from_millis(20 + self.dice.below(LONGEST_THOUGHT_MS));
            tokio::time::sleep(pause).await;
            if let Err(wrong) = self.act(scene).await {
                return wrong;
            }
        }
    }

    async fn act(&mut self, scene: &Scene<'_>) -> Result<(), String> {
        let order = match (self.unanswered.take(), self.done.take()) {
            (Some(order), _) => order,
            (None, Some((order, seq))) if self.dice.one_in(12) => {
                return self.repeat(scene, order, seq).await;
            }
            (None, _) => match self.choose(scene).await? {
                Some(order) => order,
                None => return Ok(()),
            },
        };
        self.unanswered = Some(order.clone());
        let answer = self.send(scene, &order).await;
        let id = order.body["id"].as_str().unwrap_or_default().to_owned();
        match answer {
            Some((200, answer)) => {
                self.unanswered = None;
                let mut told = scene.told.borrow_mut();
                told.repeated += u64::from(answer["repeated"] == true);
                if let Some(seq) = answer["seq"].as_i64().filter(|seq| *seq > 0) {
                    disk::with(|disk| disk.told = disk.told.max(seq));
                    told.acknowledge(scene.opened, (self.id, &id, seq))?;
                    self.done = Some((order, seq));
                }
            }
            // Nobody knows; it is asked again.
            None | Some((429 | 500..=599, _)) => {}
            Some((401, _)) => self.enter(scene).await,
            Some(_) => {
                self.unanswered = None;
                scene.told.borrow_mut().refused.push((self.id, id));
            }
        }
        Ok(())
    }

    /// Their session has ended: members and staff sign in, a guest comes as somebody new.
    async fn enter(&mut self, scene: &Scene<'_>) {
        let body = self.name.as_ref().map(|name| json!({ "name": name, "password": PASSWORD }));
        let path = if body.is_some() { "/api/sessions" } else { "/api/guests" };
        let asked = Asked { method: "POST", path, token: "", body: body.as_ref() };
        let Some((200 | 201, entered)) = ask(scene.opened, asked, &mut self.dice).await else { return };
        let person = entered["person"].as_i64().unwrap_or(0);
        if person != self.id {
            // What the guest before wanted is nobody's now.
            (self.unanswered, self.done) = (None, None);
        }
        (self.id, self.token) = (person, entered["token"].as_str().unwrap_or_default().to_owned());
    }

    /// What was done once is not done again, and gets its first answer.
    async fn repeat(&mut self, scene: &Scene<'_>, order: Order, seq: i64) -> Result<(), String> {
        match self.send(scene, &order).await {
            Some((200, answer)) if answer["seq"] == seq && answer["repeated"] == true => {
                scene.told.borrow_mut().repeated += 1;
                Ok(())
            }
            None | Some((401 | 429 | 500..=599, _)) => {
                self.done = Some((order, seq));
                Ok(())
            }
            other => Err(format!("{order:?} was record {seq}; asked again it is {other:?}")),
        }
    }

    async fn send(&mut self, scene: &Scene<'_>, order: &Order) -> Option<(u16, Value)> {
        let asked =
            Asked { method: order.method, path: &order.path, token: &self.token, body: Some(&order.body) };
        ask(scene.opened, asked, &mut self.dice).await
    }

    async fn get(&mut self, scene: &Scene<'_>, path: &str) -> Option<Value> {
        let asked = Asked { method: "GET", path, token: &self.token, body: None };
        ask(scene.opened, asked, &mut self.dice)
            .await
            .filter(|(status, _)| *status == 200)
            .map(|(_, body)| body)
    }

    fn order(&mut self, method: &'static str, path: String, mut body: Value) -> Option<Order> {
        self.orders += 1;
        body["id"] = format!("o-{}-{}", self.id, self.orders).into();
        Some(Order { method, path, body })
    }

    async fn choose(&mut self, scene: &Scene<'_>) -> Result<Option<Order>, String> {
        match self.work.clone() {
            Work::Play { table, place } => self.play(scene, table, place).await,
            Work::Cage { members } => Ok(self.sell(&members)),
            Work::Supervise => self.watch_the_clock(scene).await,
        }
    }

    async fn play(&mut self, scene: &Scene<'_>, table: u32, place: u8) -> Result<Option<Order>, String> {
        if self.dice.one_in(30) {
            return Ok(self.order("POST", "/api/me/refill".into(), json!({})));
        }
        let Some(seen) = self.get(scene, &format!("/api/tables/{table}")).await else { return Ok(None) };
        scene.told.borrow_mut().look(table, &seen["view"])?;
        let Some(action) = self.answer(&seen, place) else { return Ok(None) };
        Ok(self.order("POST", format!("/api/tables/{table}/actions"), action))
    }

    /// What to do at the table now.
    fn answer(&mut self, seen: &Value, place: u8) -> Option<Value> {
        let (view, card) = (&seen["view"], &seen["card"]);
        let awaiting = &view["awaiting"];
        let asked =
            |list: &Value| list.as_array().is_some_and(|list| list.iter().any(|one| one["box"] == place));
        let mine = awaiting["box"] == place;
        let do_it = |what: &str| Some(json!({ "do": what, "box": place }));
        match awaiting["what"].as_str()? {
            "wagers" if asked(&view["boxes"]) => Some(json!({ "do": "deal" })),
            "wagers" => {
                let minimum = card["minimum"].clone();
                let side = card["side_wagers"].as_object()?.iter().filter(|_| self.dice.one_in(2));
                let side: serde_json::Map<String, Value> =
                    side.map(|(name, limits)| (name.clone(), limits["minimum"].clone())).collect();
                let spots = if card["variation"] == "multiple-action" { 3 } else { 1 };
                Some(json!({ "do": "wager", "box": place, "amounts": vec![minimum; spots], "side": side }))
            }
            "decision" if mine => {
                let actions = awaiting["actions"].as_array()?;
                Some(json!({ "do": self.dice.pick(actions)?["action"], "box": place }))
            }
            "offer" if asked(&awaiting["asked"]) => {
                Some(json!({ "do": "decline", "box": place, "offer": awaiting["offer"] }))
            }
            "revocation" if mine => do_it("decline-switch"),
            "switch" if mine => do_it(if self.dice.one_in(2) { "switch" } else { "decline-switch" }),
            "cut" if mine => {
                let left = view["shoe"]["left"].as_u64()?;
                Some(
                    json!({ "do": "cut", "box": place, "at": 10 + self.dice.below(left.saturating_sub(19)) }),
                )
            }
            "sevens-card" if mine => Some(json!({ "do": "sevens-card", "box": place, "take": true })),
            _ => None,
        }
    }

    fn sell(&mut self, members: &[String]) -> Option<Order> {
        let patron = self.dice.pick(members)?.clone();
        let amount = format!("{}.00", 10 + self.dice.below(300));
        let path = if self.dice.one_in(4) { "cash-outs" } else { "buy-ins" };
        self.order("POST", format!("/api/cashier/{path}"), json!({ "patron": patron, "amount": amount }))
    }

    /// Sets the machine's clock right and says so, where the house doubts it.
    async fn watch_the_clock(&mut self, scene: &Scene<'_>) -> Result<Option<Order>, String> {
        let Some(clock) = self.get(scene, "/api/clock").await else { return Ok(None) };
        if clock["doubt"].is_null() {
            return Ok(None);
        }
        scene.world.set_right();
        let Some(clock) = self.get(scene, "/api/clock").await else { return Ok(None) };
        let time = clock["machine"].clone();
        Ok(self.order(
            "POST",
            "/api/clock/confirmation".into(),
            json!({ "time": time, "reason": "set right" }),
        ))
    }
}
