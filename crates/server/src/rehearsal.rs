//! Rehearsals: a table that anybody may deal, with the dealer's console, every step and irregularity of a real one, and
//! players of the house's own making. They live in memory, for chips that are worth nothing, and leave no record.

use crate::api::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::house_file::Dealing;
use crate::role::Role;
use crate::room::Room;
use crate::tables::{Asker, By, Fixed, Live, Request, Seat, Step, Told, card, event_views, state_view};
use crate::wire::Money;
use ledger::{Chips, PersonId, TableId};
use rules::Rules;
use serde_json::{Value, json};
use std::sync::Arc;
use table::Awaiting;

/// Rehearsals that may be open at once.
const MOST: usize = 256;
/// Who plays: made-up people, at the first boxes.
const PLAYERS: [&str; 3] = ["Ada", "Blaise", "Carl"];

#[derive(Clone)]
struct Rehearsal {
    live: Live,
    version: u64,
}

pub struct RehearsalRoom(Room<PersonId, Rehearsal>);

impl Default for RehearsalRoom {
    fn default() -> RehearsalRoom {
        RehearsalRoom(Room::new(MOST))
    }
}

impl RehearsalRoom {
    fn get(&self, person: PersonId) -> ApiResult<Rehearsal> {
        self.0.get(person).ok_or_else(|| ApiError::missing("rehearsal; open one first"))
    }

    fn put(&self, me: &Me, rehearsal: Rehearsal) -> ApiResult<()> {
        Ok(self.0.put(me.id, me.payers, rehearsal, |_| true)?)
    }
}

/// A made-up player. Numbers below nothing are nobody's in the house.
fn player(at: usize) -> Asker {
    let seat = Seat { person: PersonId(-1 - at as i64), chips: Chips::Play };
    Asker { seat, role: Role::Player }
}

impl Rehearsal {
    fn view(&self, events: &[Told]) -> Value {
        let mut view = json!(state_view(&self.live, None));
        if let Value::Object(fields) = &mut view {
            fields.insert("rehearsal".into(), true.into());
            fields.insert("version".into(), self.version.into());
            fields.insert("events".into(), json!(events));
        }
        view
    }

    /// The made-up players answer whatever they are asked, by the published rule for who is away.
    fn answer(&mut self, step: &mut Step) -> ApiResult<()> {
        while !matches!(self.live.table.awaiting(), Some(Awaiting::Wagers)) {
            let commands = self.live.absent();
            if commands.is_empty() {
                break;
            }
            for command in commands {
                self.live.perform(By::Person, command, step)?;
            }
        }
        if self.live.wants_reopening() {
            self.live.reopen(step);
        }
        Ok(())
    }

    /// Every made-up player wagers the least that the table takes.
    fn wager(&mut self, step: &mut Step) -> ApiResult<()> {
        let rules = Arc::clone(&self.live.fixed.rules);
        let boxes = PLAYERS.len().min(usize::from(rules.positions));
        for at in 0..boxes {
            let wager = |amounts: usize| Request::Wager {
                r#box: at as u8 + 1,
                amounts: vec![Money(rules.minimum); amounts],
                side: Default::default(),
                behind: false,
            };
            // Multiple action asks for more than one.
            let mut fewest = wager(1).carry_out(&mut self.live, player(at), step);
            for amounts in 2..=3 {
                if fewest.is_err() {
                    fewest = wager(amounts).carry_out(&mut self.live, player(at), step);
                }
            }
            fewest?;
        }
        Ok(())
    }
}

/// Opens a rehearsal by these rules, in place of the one that this person had: its card, and what is seen.
pub fn open(app: &App, who: &Me, rules: Rules, name: &str) -> ApiResult<Value> {
    let fixed = Fixed { id: TableId(0), rules: Arc::new(rules), dealing: Dealing::Dealer };
    let mut live = Live::new(fixed);
    let names = PLAYERS.iter().enumerate().map(|(at, name)| (player(at).seat.person, (*name).to_owned()));
    live.names = Arc::new(names.collect());
    let mut rehearsal = Rehearsal { live, version: 1 };
    let mut step = Step::default();
    if rehearsal.live.wants_reopening() {
        rehearsal.live.reopen(&mut step);
    }
    let opened = json!({ "card": card(&rehearsal.live, name), "view": rehearsal.view(&[]) });
    app.rehearsals.put(who, rehearsal)?;
    Ok(opened)
}

/// Acts at the table as the dealer, or as the floor where the action is the floor's.
pub fn act(app: &App, who: &Me, request: &Request) -> ApiResult<Value> {
    change(app, who, |rehearsal, step| {
        let seat = Seat { person: who.id, chips: Chips::Play };
        let role = match request.permitted(Role::Dealer, Dealing::Dealer) {
            Ok(()) => Role::Dealer,
            Err(_) => Role::Supervisor,
        };
        if request.stands_alone() {
            return Err(ApiError::refused(
                "rehearsal",
                "there is nobody to call at a rehearsal: you are the floor too",
            ));
        }
        request.carry_out(&mut rehearsal.live, Asker { seat, role }, step)?;
        rehearsal.answer(step)
    })
}

/// Places the bets of the made-up players.
pub fn wager(app: &App, who: &Me) -> ApiResult<Value> {
    change(app, who, |rehearsal, step| match rehearsal.live.table.awaiting() {
        Some(Awaiting::Wagers) if !rehearsal.live.anyone_wagers() => rehearsal.wager(step),
        _ => Err(ApiError::refused("wagers", "players bet between rounds, after the shuffle")),
    })
}

/// Changes a copy, which takes the place of the table only if everything was accepted.
fn change(
    app: &App,
    who: &Me,
    how: impl FnOnce(&mut Rehearsal, &mut Step) -> ApiResult<()>,
) -> ApiResult<Value> {
    let mut rehearsal = app.rehearsals.get(who.id)?;
    let before = rehearsal.live.clone();
    let mut step = Step::default();
    how(&mut rehearsal, &mut step)?;
    rehearsal.version += 1;
    let events = event_views(&before, &step, &rehearsal.live);
    let view = rehearsal.view(&events);
    app.rehearsals.put(who, rehearsal)?;
    Ok(view)
}
