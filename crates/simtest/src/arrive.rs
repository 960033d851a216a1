//! Brings people into a new house: a guest and a member for every table, and the staff.
//!
//! The guests receive play chips. The cashier sells chips to the members.

use crate::dealer::Shoe;
use crate::dice::Dice;
use crate::network::{SimRequest, ask_steadily};
use crate::people::{PASSWORD, Person, Work};
use serde_json::{Value, json};
use server::Opened;

pub fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

pub async fn call(
    opened: &Opened,
    (method, path): (&'static str, &str),
    token: &str,
    body: Value,
) -> Result<Value, String> {
    let body = (!body.is_null()).then_some(&body);
    match ask_steadily(opened, SimRequest { method, path, token, body }).await {
        Some((200..=299, answer)) => Ok(answer),
        other => Err(format!("{path} answered {other:?} although nothing was wrong in the house")),
    }
}

/// Signs a person in with the person's one-time password, and sets a new password. Returns the house's answer.
pub async fn first_entry(opened: &Opened, name: &str, once: &str) -> Result<Value, String> {
    let credentials = json!({ "name": name, "password": once });
    let entered = call(opened, ("POST", "/api/sessions"), "", credentials).await?;
    let change = json!({ "old": once, "new": PASSWORD });
    call(opened, ("PUT", "/api/me/password"), &text(&entered, "token"), change).await?;
    Ok(entered)
}

/// Creates the people of a house and signs them in. The last of the `tables` tables gets a dealer.
pub async fn arrive(opened: &Opened, tables: u32, dice: &mut Dice) -> Result<Vec<Person>, String> {
    let (name, once) = opened.first_supervisor.clone().ok_or("a new house must have a first supervisor")?;
    let entered = first_entry(opened, &name, &once).await?;
    let supervisor = text(&entered, "token");
    let mut person = |entered: &Value, name: Option<&str>, work: Work| {
        let who = (entered["person"].as_i64().unwrap_or(0), name.map(str::to_owned));
        Person::new(who, text(entered, "token"), work, dice.fork())
    };
    let mut people = vec![person(&entered, Some(&name), Work::Supervise { tables })];
    let mut members = Vec::new();
    for table in 1..=tables {
        let guest = call(opened, ("POST", "/api/guests"), "", Value::Null).await?;
        people.push(person(&guest, None, Work::Play { table, place: 1 }));
        let name = format!("member{table}");
        let joins = json!({ "name": name, "password": PASSWORD });
        let member = call(opened, ("POST", "/api/people"), "", joins).await?;
        people.push(person(&member, Some(&name), Work::Play { table, place: 2 }));
        members.push(name);
    }
    let deals = Work::Deal { table: tables, shoe: Shoe::default() };
    for (name, role, work) in [("cora", "cashier", Work::Cage { members }), ("dora", "dealer", deals)] {
        let hire = json!({ "name": name, "role": role });
        let hired = call(opened, ("POST", "/api/staff/people"), &supervisor, hire).await?;
        let entered = first_entry(opened, name, &text(&hired, "one_time_password")).await?;
        people.push(person(&entered, Some(name), work));
    }
    Ok(people)
}
