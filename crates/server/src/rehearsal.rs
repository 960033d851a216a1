//! Rehearsals: practice tables at which anybody may deal.
//!
//! A rehearsal has the dealer console, every step and irregularity of a real table, and simulated players. It is
//! kept in memory, uses chips without value, and leaves no record.

use crate::api::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::evicting_store::EvictingStore;
use crate::house_file::Dealing;
use crate::role::Role;
use crate::tables::{
    Asker, By, EventView, Fixed, Live, Request, Seat, State, Step, TableFacts, card, event_views, state_view,
};
use crate::wire::{Money, Written};
use ledger::{Chips, PersonId, TableId};
use rules::Rules;
use rules::message;
use serde::Serialize;
use std::sync::Arc;
use table::Awaiting;

/// The maximum number of open rehearsals.
const MOST: usize = 256;
/// The names of the simulated players, who sit at the first boxes.
const PLAYERS: [&str; 3] = ["Ada", "Blaise", "Carl"];

/// The answer to opening a rehearsal: the rules of its table, and its first view.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Rehearsal<'a> {
    /// The rules and limits of the table.
    card: TableFacts,
    /// The view of the rehearsal table.
    view: RehearsalView<'a>,
}

/// The view of a rehearsal table.
#[derive(Serialize, utoipa::ToSchema)]
pub struct RehearsalView<'a> {
    #[serde(flatten)]
    state: State<'a>,
    /// Always true, as a mark that no chips with value are played at this table.
    rehearsal: bool,
    /// The version of the view, which rises with every change.
    version: u64,
    /// The events that the request caused; empty when the rehearsal is opened.
    events: Vec<EventView>,
}

#[derive(Clone)]
struct Stage {
    live: Live,
    version: u64,
}

pub struct RehearsalStore(EvictingStore<PersonId, Stage>);

impl Default for RehearsalStore {
    fn default() -> RehearsalStore {
        RehearsalStore(EvictingStore::new(MOST))
    }
}

impl RehearsalStore {
    fn get(&self, person: PersonId) -> ApiResult<Stage> {
        self.0
            .get(person)
            .ok_or_else(|| ApiError::missing(message!("no-rehearsal", "no such rehearsal; open one first")))
    }

    fn put(&self, me: &Me, rehearsal: Stage) -> ApiResult<()> {
        Ok(self.0.put(me.id, me.clients, rehearsal, |_| true)?)
    }
}

/// Returns the simulated player who sits at the box with the index `at`, counted from 0.
///
/// The player's person id is negative, and thus belongs to nobody in the house.
fn player(at: usize) -> Asker {
    let seat = Seat { person: PersonId(-1 - at as i64), chips: Chips::Play };
    Asker { seat, role: Role::Player }
}

impl Stage {
    fn view(&self, events: Vec<EventView>) -> RehearsalView<'_> {
        let state = state_view(&self.live, None);
        RehearsalView { state, rehearsal: true, version: self.version, events }
    }

    /// Answers every offer and decision that is open to a simulated player, until bets or the dealer are awaited.
    ///
    /// The answers follow the published rule for absent players.
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

    /// Places the minimum bet for every simulated player.
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
            // Multiple action requires more than one bet.
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

/// Opens a rehearsal with these rules for a person, and returns its rules and first view.
///
/// The new rehearsal replaces an earlier one of the same person.
pub fn open(app: &App, who: &Me, rules: Rules, name: &str) -> ApiResult<Written> {
    let fixed = Fixed { id: TableId(0), rules: Arc::new(rules), dealing: Dealing::Dealer };
    let mut live = Live::new(fixed);
    let names = PLAYERS.iter().enumerate().map(|(at, name)| (player(at).seat.person, (*name).to_owned()));
    live.names = Arc::new(names.collect());
    let mut rehearsal = Stage { live, version: 1 };
    let mut step = Step::default();
    if rehearsal.live.wants_reopening() {
        rehearsal.live.reopen(&mut step);
    }
    let opened = Rehearsal { card: card(&rehearsal.live, name), view: rehearsal.view(Vec::new()) };
    let opened = Written::json(&opened);
    app.rehearsals.put(who, rehearsal)?;
    Ok(opened)
}

/// Performs a request in the person's rehearsal, as the dealer or, if a dealer may not make it, as the supervisor.
pub fn act(app: &App, who: &Me, request: &Request) -> ApiResult<Written> {
    change(app, who, |rehearsal, step| {
        let seat = Seat { person: who.id, chips: Chips::Play };
        let role = match request.permitted(Role::Dealer, Dealing::Dealer) {
            Ok(()) => Role::Dealer,
            Err(_) => Role::Supervisor,
        };
        if request.stands_alone() {
            return Err(ApiError::refused(message!(
                "rehearsal-has-no-floor",
                "a rehearsal has no floor to call: you are also the floor supervisor"
            )));
        }
        request.carry_out(&mut rehearsal.live, Asker { seat, role }, step)?;
        rehearsal.answer(step)
    })
}

/// Places the bets of the simulated players, and returns the new view of the rehearsal.
pub fn wager(app: &App, who: &Me) -> ApiResult<Written> {
    change(app, who, |rehearsal, step| match rehearsal.live.table.awaiting() {
        Some(Awaiting::Wagers) if !rehearsal.live.anyone_wagers() => rehearsal.wager(step),
        _ => Err(ApiError::refused(message!(
            "bets-between-rounds",
            "players bet between rounds, after the shuffle"
        ))),
    })
}

/// Applies a change to a copy of the person's rehearsal, and returns the new view.
///
/// The copy replaces the rehearsal only if the change succeeds.
fn change(
    app: &App,
    who: &Me,
    how: impl FnOnce(&mut Stage, &mut Step) -> ApiResult<()>,
) -> ApiResult<Written> {
    let mut rehearsal = app.rehearsals.get(who.id)?;
    let before = rehearsal.live.clone();
    let mut step = Step::default();
    how(&mut rehearsal, &mut step)?;
    rehearsal.version += 1;
    let events = event_views(&before, &step, &rehearsal.live);
    let view = Written::json(&rehearsal.view(events));
    app.rehearsals.put(who, rehearsal)?;
    Ok(view)
}
