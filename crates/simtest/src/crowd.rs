//! Simulates a person of every role in the house while a card lies face down.
//!
//! These people are the staff, a guest who plays, a member who watches, and somebody who is not signed in. They
//! send a request to every route of the house and keep sockets open. `answers` collects every answer and every
//! frame.

use crate::arrive::{call, first_entry, text};
use crate::dice::Dice;
use crate::masked::masked;
use crate::network::{SimRequest, text_of};
use crate::people::PASSWORD;
use crate::socket::SimSocket;
use crate::world::SimWorld;
use serde_json::{Value, json};
use server::Opened;

/// The name of the guest who plays, in reports.
pub const PLAYER: &str = "the player";
/// The account name of the spectator. The documented example requests name this account as a patron.
const SPECTATOR: &str = "ann";

/// The routes that end the sender's session or close the sender's sockets.
///
/// Only a new guest and somebody who is not signed in send requests to these routes.
const LEAVING: [&str; 2] = ["DELETE /api/sessions/current", "POST /api/me/exclusion"];

/// The request bodies to send to a route instead of the route's documented example.
///
/// `{password}` stands for the password that everybody has. The bodies do not include commands that would turn the
/// card over by ending the hand: the player's decisions for box 1, and `void`, which ends the round.
const BODIES: &[(&str, &str)] = &[
    ("POST /api/coach", r#"{"table":"1","hand":"5c 5h","up":"6d"}"#),
    ("PUT /api/me/password", r#"{"old":"{password}","new":"{password}"}"#),
    ("POST /api/me/second-factor", r#"{"password":"{password}"}"#),
    ("POST /api/people", r#"{"name":"ann","password":"{password}"}"#),
    ("POST /api/sessions", r#"{"name":"ann","password":"{password}"}"#),
    ("POST /api/sessions", r#"{"name":"ann","password":"a wrong horse"}"#),
    ("PATCH /api/staff/people/{person}", r#"{"unlock":true,"reason":"by phone"}"#),
    ("PATCH /api/staff/people/{person}", r#"{"role":"floor"}"#),
    ("PATCH /api/staff/people/{person}", r#"{"reset_password":true}"#),
    ("PATCH /api/staff/people/{person}", r#"{"disabled":true}"#),
    (ACTIONS, r#"{"do":"wager","box":2,"amounts":["10.00"]}"#),
    (ACTIONS, r#"{"do":"withdraw","box":1}"#),
    (ACTIONS, r#"{"do":"sit","box":2}"#),
    (ACTIONS, r#"{"do":"consent","box":1}"#),
    (ACTIONS, r#"{"do":"deal"}"#),
    (ACTIONS, r#"{"do":"cut","box":1,"at":50}"#),
    (ACTIONS, r#"{"do":"decline-cut","box":1}"#),
    (ACTIONS, r#"{"do":"ask-reshuffle","box":1}"#),
    (ACTIONS, r#"{"do":"attack","box":1,"amount":"10.00"}"#),
    (ACTIONS, r#"{"do":"insure","box":1,"amounts":["5.00"]}"#),
    (ACTIONS, r#"{"do":"even-money","box":1}"#),
    (ACTIONS, r#"{"do":"decline","box":1,"offer":"insurance"}"#),
    (ACTIONS, r#"{"do":"switch","box":1}"#),
    (ACTIONS, r#"{"do":"decline-switch","box":1}"#),
    (ACTIONS, r#"{"do":"revoke","box":1}"#),
    (ACTIONS, r#"{"do":"stand","box":2}"#),
    (ACTIONS, r#"{"do":"hit","box":2}"#),
    (ACTIONS, r#"{"do":"double","box":2}"#),
    (ACTIONS, r#"{"do":"split","box":2}"#),
    (ACTIONS, r#"{"do":"surrender","box":2}"#),
    (ACTIONS, r#"{"do":"not-double","box":1}"#),
    (ACTIONS, r#"{"do":"cover","box":1}"#),
    (ACTIONS, r#"{"do":"follow","box":1,"hand":1}"#),
    (ACTIONS, r#"{"do":"sevens-card","box":1,"take":true}"#),
    (ACTIONS, r#"{"do":"late-card","box":1,"take":true}"#),
    (ACTIONS, r#"{"do":"refuse-card","box":1}"#),
    (ACTIONS, r#"{"do":"perform","step":"burn"}"#),
    (ACTIONS, r#"{"do":"card","card":"As"}"#),
    (ACTIONS, r#"{"do":"correct","card":"As"}"#),
    (ACTIONS, r#"{"do":"face-down"}"#),
    (ACTIONS, r#"{"do":"determinant","card":"As","side":"red"}"#),
    (ACTIONS, r#"{"do":"reader","blackjack":false}"#),
    (ACTIONS, r#"{"do":"close-wagers"}"#),
    (ACTIONS, r#"{"do":"award","box":1,"bettor":1,"amount":"10.00"}"#),
    (ACTIONS, r#"{"do":"disclose-burn","card":"2c"}"#),
    (ACTIONS, r#"{"do":"relieve"}"#),
    (ACTIONS, r#"{"do":"take-over"}"#),
    (ACTIONS, r#"{"do":"report","irregularity":"out-of-cards"}"#),
    (ACTIONS, r#"{"do":"idle"}"#),
    (ACTIONS, r#"{"do":"call-floor","reason":"a dispute"}"#),
    (ACTIONS, r#"{"do":"end-call"}"#),
    (ACTIONS, r#"{"do":"answer-call"}"#),
    (ACTIONS, r#"{"do":"approve","what":"bonus","box":1,"bettor":1}"#),
    (ACTIONS, r#"{"do":"reshuffle"}"#),
    (ACTIONS, r#"{"do":"recut"}"#),
    (ACTIONS, r#"{"do":"admit","person":1}"#),
    (ACTIONS, SHARE),
    (ACTIONS, REVEAL),
];
const ACTIONS: &str = "POST /api/tables/{table}/actions";
const SHARE: &str =
    r#"{"do":"share","hash":"abababababababababababababababababababababababababababababababab"}"#;
const REVEAL: &str =
    r#"{"do":"reveal","nonce":"abababababababababababababababababababababababababababababababab"}"#;

/// Somebody who sends requests: the description in reports, and the session's token.
#[derive(Clone)]
struct Sender {
    who: &'static str,
    token: String,
}

/// An open socket of a person, and every frame received over it.
struct OpenSocket {
    who: &'static str,
    socket: SimSocket,
    frames: Vec<String>,
    /// Whether the socket takes commands, as the socket of a table does.
    takes_commands: bool,
}

pub struct Crowd<'o> {
    opened: &'o Opened,
    world: &'o SimWorld,
    people: Vec<Sender>,
    player: String,
    /// The number of an account that nobody signs in to, for requests that change an account.
    spare: String,
    sockets: Vec<OpenSocket>,
    commands: u32,
    /// Every request or socket by its description, with the house's answer or the received frames.
    pub answers: Vec<(String, String)>,
}

async fn hire(opened: &Opened, supervisor: &str, name: &str, role: &str) -> Result<Value, String> {
    call(opened, ("POST", "/api/staff/people"), supervisor, json!({ "name": name, "role": role })).await
}

impl<'o> Crowd<'o> {
    /// Signs everybody in, and opens their sockets.
    pub async fn enter(opened: &'o Opened, world: &'o SimWorld) -> Result<Crowd<'o>, String> {
        let (name, once) =
            opened.first_supervisor.clone().ok_or("a new house must have a first supervisor")?;
        let supervisor = text(&first_entry(opened, &name, &once).await?, "token");
        let sender = |who: &'static str, token: String| Sender { who, token };
        let mut people = vec![sender("nobody", String::new()), sender("a supervisor", supervisor.clone())];
        for role in ["dealer", "floor", "cashier", "auditor"] {
            let name = format!("{role}-one");
            let hired = hire(opened, &supervisor, &name, role).await?;
            let entered = first_entry(opened, &name, &text(&hired, "one_time_password")).await?;
            people.push(sender(role, text(&entered, "token")));
        }
        let spare = hire(opened, &supervisor, "spare-one", "dealer").await?;
        let spare = spare["person"].as_i64().ok_or("a new account must have a number")?.to_string();
        let player = text(&call(opened, ("POST", "/api/guests"), "", Value::Null).await?, "token");
        people.push(sender(PLAYER, player.clone()));
        let joins = json!({ "name": SPECTATOR, "password": PASSWORD });
        let spectator = call(opened, ("POST", "/api/people"), "", joins).await?;
        people.push(sender("a spectator", text(&spectator, "token")));
        let (sockets, answers) = (Vec::new(), Vec::new());
        let mut crowd = Crowd { opened, world, people, player, spare, sockets, commands: 0, answers };
        for who in [PLAYER, "a spectator", "dealer", "floor"] {
            crowd.connect(who, "/api/tables/1/live").await?;
        }
        crowd.connect("floor", "/api/calls/live").await?;
        Ok(crowd)
    }

    async fn connect(&mut self, who: &'static str, path: &str) -> Result<(), String> {
        let sender = self.people.iter().find(|sender| sender.who == who).ok_or("nobody has this name")?;
        let socket = SimSocket::connect(self.opened, path, &sender.token).await;
        let socket = socket.ok_or_else(|| format!("{path} did not open a socket for {who}"))?;
        let takes_commands = path.starts_with("/api/tables/");
        self.sockets.push(OpenSocket { who, socket, frames: Vec::new(), takes_commands });
        Ok(())
    }

    fn command(&mut self, mut body: Value) -> Value {
        self.commands += 1;
        body["id"] = format!("a-{}", self.commands).into();
        body["round"] = 1.into();
        body
    }

    /// Sends a command as the player. Returns an error if the house refuses the command.
    pub async fn act(&mut self, body: Value) -> Result<(), String> {
        let body = self.command(body);
        call(self.opened, ("POST", "/api/tables/1/actions"), &self.player, body).await.map(|_| ())
    }

    /// Sends a GET request as the player, and returns the answer.
    pub async fn read(&self, path: &str) -> Result<Value, String> {
        call(self.opened, ("GET", path), &self.player, Value::Null).await
    }

    /// Plays a round up to the player's first decision, at which a card lies face down.
    pub async fn deal(&mut self) -> Result<(), String> {
        self.act(json!({ "do": "wager", "box": 1, "amounts": ["10.00"] })).await?;
        self.act(json!({ "do": "deal" })).await?;
        for _ in 0..200 {
            if self.check_face_down("the deal").await.is_ok() {
                return Ok(());
            }
            self.read_sockets().await;
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        self.check_face_down("the deal").await
    }

    /// Returns an error unless the card is still face down and the player must still decide.
    async fn check_face_down(&self, after: &str) -> Result<(), String> {
        let view = self.read("/api/tables/1").await?["view"].take();
        match view["dealer"]["hole"] == true && view["awaiting"]["what"] == "decision" {
            true => Ok(()),
            false => Err(format!("no card was face down after {after}: {view}")),
        }
    }

    /// Sends a request to every read-only route as every person.
    ///
    /// Each path parameter such as `{round}` takes two values.
    pub async fn read_everything(&mut self) -> Result<(), String> {
        let access = server::access();
        let people = self.people.clone();
        for (pattern, ..) in access.all().filter(|(_, method, _)| method.as_str() == "GET") {
            for (round, shoe, name) in [("1", "1", "cashier-one"), ("0", "2", SPECTATOR)] {
                let path = pattern
                    .replace("{round}", round)
                    .replace("{shoe}", shoe)
                    .replace("{name}", name)
                    .replace("{day}", "today");
                let path = self.fill_path(&path)?;
                for sender in &people {
                    self.ask(sender, "GET", &path, &Value::Null).await?;
                }
            }
            self.read_sockets().await;
        }
        self.check_face_down("every GET").await
    }

    /// Sends requests to writing routes as every person: to the lab's routes, or to all others.
    ///
    /// The bodies are those in [`BODIES`], or else the documented examples. The lab answers after a moment from
    /// another thread, which shifts later timestamps, so the lab's routes come in a call of their own.
    pub async fn write_everything(&mut self, in_the_lab: bool) -> Result<(), String> {
        let (access, document) = (server::access(), server::openapi());
        let routes = access.all().filter(|(_, method, _)| method.as_str() != "GET");
        for (pattern, method, _) in routes.filter(|(path, ..)| path.starts_with("/api/lab") == in_the_lab) {
            let (route, method) = (format!("{method} {pattern}"), method.as_str());
            let path = self.fill_path(pattern)?;
            let operation = &document["paths"][pattern][method.to_lowercase().as_str()];
            let mut documented = operation["requestBody"]["content"]["application/json"]["example"].clone();
            if in_the_lab {
                ask_about_the_table(&mut documented, ["check", "edge"].iter().any(|end| path.ends_with(end)));
            }
            for body in bodies(&route, documented)? {
                for sender in self.senders(&route).await? {
                    let body = if route == ACTIONS { self.command(body.clone()) } else { body.clone() };
                    self.ask(&sender, method, &path, &body).await?;
                }
                self.read_sockets().await;
            }
            self.check_face_down(&route).await?;
        }
        Ok(())
    }

    /// Returns the people who send requests to this route.
    ///
    /// To a route that ends the session or the sockets, these are only a new guest and somebody who is not signed
    /// in.
    async fn senders(&self, route: &str) -> Result<Vec<Sender>, String> {
        if !LEAVING.contains(&route) {
            return Ok(self.people.clone());
        }
        let guest = call(self.opened, ("POST", "/api/guests"), "", Value::Null).await?;
        let leaves = Sender { who: "a guest who leaves", token: text(&guest, "token") };
        Ok(self.people.iter().filter(|sender| sender.token.is_empty()).cloned().chain([leaves]).collect())
    }

    /// Returns a path with its parameters filled in, or an error if a parameter is unknown.
    fn fill_path(&self, pattern: &str) -> Result<String, String> {
        let table = if pattern.contains("/memory/") { "nj-blackjack" } else { "1" };
        let path = pattern.replace("{table}", table).replace("{person}", &self.spare);
        let path = ["{id}", "{call}", "{request}"].iter().fold(path, |path, name| path.replace(name, "1"));
        match path.contains('{') {
            true => Err(format!("{path} has a parameter that the test of face-down cards does not know")),
            false => Ok(path),
        }
    }

    async fn ask(&mut self, sender: &Sender, method: &str, path: &str, body: &Value) -> Result<(), String> {
        let body = (!body.is_null()).then_some(body);
        let asked = format!("{method} {path} of {}", sender.who);
        // With dice of its own, so that an earlier draw by the scheduler does not change the shoe of a training
        // table.
        self.world.draw_from(Dice::new(self.answers.len() as u64));
        let request = SimRequest { method, path, token: &sender.token, body };
        let (status, answer) =
            text_of(self.opened, request).await.ok_or_else(|| format!("{asked} got no answer"))?;
        let sent = body.map(Value::to_string).unwrap_or_default();
        self.answers.push((format!("{asked} {sent}"), format!("{status} {}", masked(&answer))));
        Ok(())
    }

    /// Reads the frames received over the sockets, and answers the house's heartbeats.
    async fn read_sockets(&mut self) {
        for open in &mut self.sockets {
            open.frames.extend(open.socket.frames().await);
        }
    }

    /// Sends a command over every table socket, and adds the frames of all sockets to `answers`.
    pub async fn end_sockets(&mut self) -> Result<(), String> {
        let asked = self.command(json!({ "do": "deal" }));
        for open in &mut self.sockets {
            if open.takes_commands {
                let answered = open.socket.ask(&asked).await;
                let (status, answer) = answered.ok_or_else(|| format!("{}'s socket has closed", open.who))?;
                open.frames.push(format!("{status} {answer}"));
            }
            open.frames.extend(open.socket.frames().await);
            open.frames.extend(open.socket.views.drain(..).map(|view| view.to_string()));
            if open.frames.is_empty() {
                return Err(format!("nothing arrived on {}'s socket", open.who));
            }
            self.answers.push((format!("the socket of {}", open.who), masked(&open.frames.join("\n"))));
        }
        Ok(())
    }

    /// Returns an error if a person is no longer signed in.
    ///
    /// Most answers to such a person would have been refusals, which would compare as equal.
    pub async fn check_signed_in(&self) -> Result<(), String> {
        for sender in self.people.iter().filter(|sender| !sender.token.is_empty()) {
            call(self.opened, ("GET", "/api/me"), &sender.token, Value::Null).await?;
        }
        Ok(())
    }
}

/// Returns the request bodies to send to a route.
fn bodies(route: &str, documented: Value) -> Result<Vec<Value>, String> {
    let own = BODIES.iter().filter(|(of, _)| *of == route).map(|(_, body)| {
        let body = body.replace("{password}", PASSWORD);
        serde_json::from_str(&body).map_err(|error| format!("{body}: {error}"))
    });
    let own = own.collect::<Result<Vec<Value>, String>>()?;
    Ok(if own.is_empty() { vec![documented] } else { own })
}

/// Changes a request to the lab so that it concerns the table with the face-down card.
///
/// Unless `quick` is set, gives the request an invalid setting, which the lab rejects after it has found the
/// table.
fn ask_about_the_table(question: &mut Value, quick: bool) {
    let Some(fields) = question.as_object_mut() else { return };
    for (name, value) in fields {
        match name.as_str() {
            "table" => *value = "1".into(),
            "set" if quick => *value = Value::Array(Vec::new()),
            "set" => *value = vec!["decks=x"].into(),
            _ => ask_about_the_table(value, quick),
        }
    }
}
