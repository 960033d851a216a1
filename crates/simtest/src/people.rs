//! Simulates the people of a house: players, a dealer, a cashier and a supervisor.
//!
//! Players make any legal move over requests and sockets. A person who gets no answer retries with the same
//! command id.

use crate::dealer::Shoe;
use crate::dice::Dice;
use crate::disk;
use crate::invariants::{Answers, RefusedCommand};
use crate::network::{SimRequest, ask};
use crate::socket::SimSocket;
use crate::world::SimWorld;
use ledger::{Moment, PersonId};
use serde_json::{Value, json};
use server::Opened;
use std::cell::RefCell;
use std::time::Duration;

const LONGEST_THOUGHT_MS: u64 = 6_000;
/// The longest pause of a dealer, in milliseconds. It is shorter than other people's, so that players need not
/// wait.
const LONGEST_OF_DEALER_MS: u64 = 900;
/// The largest error of the house's clock that the house need not detect, in milliseconds.
const CLOCKS_DIFFER_MS: i64 = 10_000;
const CONFIRMATION: &str = "/api/clock/confirmation";
pub const PASSWORD: &str = "battery staple 7";

#[derive(Clone, Debug)]
pub enum Work {
    /// Plays at a table, at the box `place`.
    Play { table: u32, place: u8 },
    /// Sells chips to the members with these names and redeems their chips.
    Cage { members: Vec<String> },
    /// Deals real cards from `shoe` at a dealer's table.
    Deal { table: u32, shoe: Shoe },
    /// Confirms the clock, makes register entries, and voids rounds at the tables 1 to `tables`.
    Supervise { tables: u32 },
}

/// A command of a person, stored so that it can be sent again.
#[derive(Clone, Debug)]
struct PendingCommand {
    method: &'static str,
    path: String,
    body: Value,
}

pub struct Person {
    id: i64,
    /// The person's name, or `None` for a guest.
    name: Option<String>,
    token: String,
    work: Work,
    dice: Dice,
    commands: u64,
    unanswered: Option<PendingCommand>,
    /// An executed command with the house's answer; the command may be sent again to test that it is not executed
    /// twice.
    done: Option<(PendingCommand, Value)>,
    /// The person's socket at a table, or `None` if no socket is open.
    socket: Option<SimSocket>,
    /// The time at which the person's exclusion ends, as the house reported it.
    excluded_until: Moment,
}

/// What all people share when they act: the open house, its environment, and the answers to be checked.
pub struct Context<'a> {
    pub opened: &'a Opened,
    pub world: &'a SimWorld,
    pub answers: &'a RefCell<Answers>,
}

impl Person {
    pub fn new((id, name): (i64, Option<String>), token: String, work: Work, dice: Dice) -> Person {
        let (unanswered, done, socket) = (None, None, None);
        Person {
            id,
            name,
            token,
            work,
            dice,
            commands: 0,
            unanswered,
            done,
            socket,
            excluded_until: Moment(0),
        }
    }

    /// Acts as this person until an invariant is broken, and returns a description of that invariant.
    pub async fn live(&mut self, context: &Context<'_>) -> String {
        // An open socket was lost with the previous life of the house.
        self.socket = None;
        let longest = match self.work {
            Work::Deal { .. } => LONGEST_OF_DEALER_MS,
            _ => LONGEST_THOUGHT_MS,
        };
        loop {
            let pause = Duration::from_millis(20 + self.dice.below(longest));
            tokio::time::sleep(pause).await;
            if let Err(wrong) = self.act(context).await {
                return wrong;
            }
        }
    }

    async fn act(&mut self, context: &Context<'_>) -> Result<(), String> {
        let command = match (self.unanswered.take(), self.done.take()) {
            (Some(command), _) => command,
            (None, Some((command, answer))) if self.dice.one_in(12) => {
                return self.repeat(context, command, answer).await;
            }
            (None, _) => match self.choose(context).await? {
                Some(command) => command,
                None => return Ok(()),
            },
        };
        self.unanswered = Some(command.clone());
        let answer = self.send(context, &command).await;
        self.check_socket_views(context)?;
        let id = command.body["id"].as_str().unwrap_or_default().to_owned();
        match answer {
            Some((200, answer)) => {
                self.unanswered = None;
                self.done(context, command, answer)?;
            }
            // The outcome is unknown, so the command is sent again.
            None | Some((429 | 500..=599, _)) => {}
            Some((401, _)) => self.enter(context).await,
            Some((status, answer)) => {
                self.unanswered = None;
                if let Work::Deal { shoe, .. } = &mut self.work {
                    shoe.put_back(&command.body);
                }
                let how = format!("{command:?} with {status} {answer}");
                let at_table = command.path.ends_with("/actions");
                context.answers.borrow_mut().refused.push(RefusedCommand {
                    person: self.id,
                    id,
                    at_table,
                    how,
                });
            }
        }
        Ok(())
    }

    /// Checks a command that the house reports as executed. Returns an error if an invariant is broken.
    fn done(&mut self, context: &Context<'_>, command: PendingCommand, answer: Value) -> Result<(), String> {
        let mut answers = context.answers.borrow_mut();
        let id = command.body["id"].as_str().unwrap_or_default();
        answers.repeated += u64::from(answer["repeated"] == true);
        let seq = answer["seq"].as_i64();
        if seq == Some(0) {
            return Ok(());
        }
        if let Some(seq) = answers.acknowledge(context.opened, self.id, id, seq)? {
            disk::with(|disk| disk.last_acknowledged = disk.last_acknowledged.max(seq));
        }
        if let Some(round) = command.body["round"].as_i64() {
            answers.check_round(context.opened, self.id, id, round)?;
        }
        let excluded = self.excluded_until.0 - CLOCKS_DIFFER_MS > context.world.true_time().0;
        if command.body["do"] == "wager" && excluded && answer["repeated"] != true {
            return Err(format!(
                "{command:?} was acknowledged, but its player {} is excluded until {:?}",
                self.id, self.excluded_until
            ));
        }
        if command.path.ends_with("/exclusion")
            && let Ok(protection) = context.opened.ledger().protection(PersonId(self.id))
        {
            self.excluded_until = self.excluded_until.max(protection.excluded_until.unwrap_or_default());
        }
        drop(answers);
        self.done = Some((command, answer));
        Ok(())
    }

    /// Signs the person in again after the session has ended; a guest returns as a new person.
    async fn enter(&mut self, context: &Context<'_>) {
        self.socket = None;
        let body = self.name.as_ref().map(|name| json!({ "name": name, "password": PASSWORD }));
        let path = if body.is_some() { "/api/sessions" } else { "/api/guests" };
        let request = SimRequest { method: "POST", path, token: "", body: body.as_ref() };
        let Some((200 | 201, entered)) = ask(context.opened, request, &mut self.dice).await else { return };
        let person = entered["person"].as_i64().unwrap_or(0);
        if person != self.id {
            // The commands of the previous guest no longer belong to anybody.
            (self.unanswered, self.done, self.excluded_until) = (None, None, Moment(0));
        }
        (self.id, self.token) = (person, entered["token"].as_str().unwrap_or_default().to_owned());
    }

    /// Sends an executed command again.
    ///
    /// Returns an error unless the house repeats its first answer without executing the command a second time.
    async fn repeat(
        &mut self,
        context: &Context<'_>,
        command: PendingCommand,
        first: Value,
    ) -> Result<(), String> {
        let same = |answer: &Value| match first["seq"].is_i64() {
            true => answer["seq"] == first["seq"] && answer["repeated"] != false,
            // The answer shows the account as it is now; a confirmed time stays as it was confirmed.
            false => command.path != CONFIRMATION || *answer == first,
        };
        match self.send(context, &command).await {
            Some((200, answer)) if same(&answer) => {
                context.answers.borrow_mut().repeated += 1;
                Ok(())
            }
            None | Some((401 | 429 | 500..=599, _)) => {
                self.done = Some((command, first));
                Ok(())
            }
            other => {
                Err(format!("{command:?} was answered {first}, but its repetition was answered {other:?}"))
            }
        }
    }

    async fn send(&mut self, context: &Context<'_>, command: &PendingCommand) -> Option<(u16, Value)> {
        if let (Some(mut socket), true) = (self.socket.take(), command.path.ends_with("/actions")) {
            let drops = self.dice.one_in(25);
            let answer = match drops {
                // Send the command, and drop the connection before the answer.
                true => socket.send(&command.body).await.and(None),
                false => socket.ask(&command.body).await,
            };
            if answer.is_some() {
                self.socket = Some(socket);
            }
            return answer;
        }
        let request = SimRequest {
            method: command.method,
            path: &command.path,
            token: &self.token,
            body: Some(&command.body),
        };
        ask(context.opened, request, &mut self.dice).await
    }

    /// Checks the views received through the socket since the last check. Returns an error if a view is wrong.
    fn check_socket_views(&mut self, context: &Context<'_>) -> Result<(), String> {
        let (Some(socket), Work::Play { table, .. }) = (&mut self.socket, &self.work) else { return Ok(()) };
        for view in socket.views.drain(..) {
            context.answers.borrow_mut().check_view(context.opened, *table, &view)?;
        }
        Ok(())
    }

    /// Signs out and in again. Returns an error if a socket opened before signing out still takes commands.
    async fn sign_out(&mut self, context: &Context<'_>, table: u32, place: u8) -> Result<(), String> {
        let request =
            SimRequest { method: "DELETE", path: "/api/sessions/current", token: &self.token, body: None };
        let Some((204, _)) = ask(context.opened, request, &mut self.dice).await else { return Ok(()) };
        let wager = json!({ "do": "wager", "round": 1, "box": place, "amounts": ["10.00"] });
        let command = self.command("POST", format!("/api/tables/{table}/actions"), wager);
        if let (Some(mut socket), Some(command)) = (self.socket.take(), command)
            && let Some((status, answer)) = socket.ask(&command.body).await
        {
            return Err(format!("a socket still answered {status} {answer} after its user signed out"));
        }
        self.enter(context).await;
        Ok(())
    }

    async fn get(&mut self, context: &Context<'_>, path: &str) -> Option<Value> {
        let request = SimRequest { method: "GET", path, token: &self.token, body: None };
        ask(context.opened, request, &mut self.dice)
            .await
            .filter(|(status, _)| *status == 200)
            .map(|(_, body)| body)
    }

    fn command(&mut self, method: &'static str, path: String, mut body: Value) -> Option<PendingCommand> {
        self.commands += 1;
        body["id"] = format!("o-{}-{}", self.id, self.commands).into();
        Some(PendingCommand { method, path, body })
    }

    async fn choose(&mut self, context: &Context<'_>) -> Result<Option<PendingCommand>, String> {
        match self.work.clone() {
            Work::Play { table, place } => self.play(context, table, place).await,
            Work::Cage { members } => Ok(self.sell(&members)),
            Work::Deal { table, .. } => self.deal(context, table).await,
            Work::Supervise { tables } => self.supervise(context, tables).await,
        }
    }

    async fn play(
        &mut self,
        context: &Context<'_>,
        table: u32,
        place: u8,
    ) -> Result<Option<PendingCommand>, String> {
        if self.dice.one_in(30) {
            return Ok(self.command("POST", "/api/me/refill".into(), json!({})));
        }
        if self.name.is_some() && self.dice.one_in(80) {
            return Ok(self.protect_themselves());
        }
        if self.socket.is_some() && self.dice.one_in(if self.name.is_some() { 1_500 } else { 120 }) {
            self.sign_out(context, table, place).await?;
            return Ok(None);
        }
        if self.socket.is_none() && self.dice.one_in(4) {
            self.socket = SimSocket::open(context.opened, table, &self.token).await;
        }
        let Some(seen) = self.get(context, &format!("/api/tables/{table}")).await else { return Ok(None) };
        context.answers.borrow_mut().check_view(context.opened, table, &seen["view"])?;
        let Some(action) = self.answer(&seen, place) else { return Ok(None) };
        Ok(self.command("POST", format!("/api/tables/{table}/actions"), action))
    }

    /// Returns a request to set a limit that the person's bets reach now and then, or, rarely, to exclude oneself.
    fn protect_themselves(&mut self) -> Option<PendingCommand> {
        if self.dice.one_in(6) {
            return self.command(
                "POST",
                "/api/me/exclusion".into(),
                json!({ "days": 1 + self.dice.clone().below(3) }),
            );
        }
        let measure = *self.dice.pick(&["loss", "wager", "time"])?;
        let span = *self.dice.pick(&["day", "week", "month"])?;
        let most = if measure == "time" { 3_600 } else { 60_000 } + self.dice.below(400_000);
        let limit = json!({ "measure": measure, "span": span, "most": most });
        self.command("PUT", "/api/me/limits".into(), limit)
    }

    async fn deal(&mut self, context: &Context<'_>, table: u32) -> Result<Option<PendingCommand>, String> {
        let Some(seen) = self.get(context, &format!("/api/tables/{table}")).await else { return Ok(None) };
        context.answers.borrow_mut().check_view(context.opened, table, &seen["view"])?;
        let Work::Deal { shoe, .. } = &mut self.work else { return Ok(None) };
        let Some(mut action) = shoe.deal(&seen, &mut self.dice) else { return Ok(None) };
        // The other actions apply to no round, or to the one of the last card.
        if ["card", "close-wagers", "reader"].iter().any(|what| action["do"] == *what) {
            action["round"] = seen["view"]["round"].clone();
        }
        Ok(self.command("POST", format!("/api/tables/{table}/actions"), action))
    }

    /// Returns the player's next action for the round in the view, or `None` if the player has nothing to do.
    fn answer(&mut self, seen: &Value, place: u8) -> Option<Value> {
        let mut action = self.chosen(seen, place)?;
        action["round"] = seen["view"]["round"].clone();
        Some(action)
    }

    fn chosen(&mut self, seen: &Value, place: u8) -> Option<Value> {
        let (view, card) = (&seen["view"], &seen["card"]);
        let awaiting = &view["awaiting"];
        let asked =
            |list: &Value| list.as_array().is_some_and(|list| list.iter().any(|one| one["box"] == place));
        let mine = awaiting["box"] == place;
        let do_it = |what: &str| Some(json!({ "do": what, "box": place }));
        match awaiting["what"].as_str()? {
            "wagers" if asked(&view["boxes"]) && card["dealing"] == "dealer" => None,
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

    fn sell(&mut self, members: &[String]) -> Option<PendingCommand> {
        let patron = self.dice.pick(members)?.clone();
        let amount = format!("{}.00", 10 + self.dice.below(300));
        let path = if self.dice.one_in(4) { "cash-outs" } else { "buy-ins" };
        self.command("POST", format!("/api/cashier/{path}"), json!({ "patron": patron, "amount": amount }))
    }

    async fn supervise(
        &mut self,
        context: &Context<'_>,
        tables: u32,
    ) -> Result<Option<PendingCommand>, String> {
        if let Some(command) = self.watch_the_clock(context).await {
            return Ok(Some(command));
        }
        match self.dice.below(8) {
            0 => {
                let table = 1 + self.dice.below(u64::from(tables)) as u32;
                let Some(seen) = self.get(context, &format!("/api/tables/{table}")).await else {
                    return Ok(None);
                };
                let awaiting = &seen["view"]["awaiting"]["what"];
                match awaiting == "wagers" || awaiting == "procedure" || awaiting == "nothing" {
                    true => Ok(None),
                    false => {
                        let round = &seen["view"]["round"];
                        let void = json!({ "do": "void", "round": round, "reason": "a card lay face up" });
                        Ok(self.command("POST", format!("/api/tables/{table}/actions"), void))
                    }
                }
            }
            1 => {
                let Some(due) = self.get(context, "/api/register/due").await else { return Ok(None) };
                let Some(need) = due.as_array().and_then(|due| self.dice.pick(due)) else { return Ok(None) };
                let entry = json!({ "kind": "approval", "clause": need["clause"], "text": "on file" });
                Ok(self.command("POST", "/api/register".into(), entry))
            }
            _ => Ok(None),
        }
    }

    /// If the house doubts the clock, sets the machine's clock right and returns the request that confirms the
    /// time.
    ///
    /// Returns `None` if there is no doubt.
    async fn watch_the_clock(&mut self, context: &Context<'_>) -> Option<PendingCommand> {
        let clock = self.get(context, "/api/clock").await?;
        if clock["doubt"].is_null() {
            return None;
        }
        context.world.correct_clock();
        let time = self.get(context, "/api/clock").await?["machine"].clone();
        self.command("POST", CONFIRMATION.into(), json!({ "time": time, "reason": "set right" }))
    }
}
