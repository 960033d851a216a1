//! Time given back to who has lost the connection while being asked: as much as the house file allows in one round. Who
//! comes back has the time that was left when the connection went.

use super::{Actor, Shown};
use crate::role::Role;
use ledger::PersonId;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use table::{Awaiting, BoxId};
use tokio::time::Instant;

/// Live views that somebody opens; a negative number for views lost.
#[derive(Clone, Copy, Debug)]
pub struct Coming {
    pub person: PersonId,
    pub role: Role,
    pub views: i64,
}

/// The one for whom the table waits longer.
#[derive(Clone, Copy, Debug)]
struct Away {
    person: PersonId,
    since: Instant,
    /// The time that was left to answer.
    left: Duration,
}

/// Tracks who is connected to the table, and who has disconnected.
#[derive(Default)]
pub struct Presence {
    views: HashMap<PersonId, i64>,
    /// Views that dealers have open.
    pub dealers: i64,
    lost: HashSet<PersonId>,
    away: Option<Away>,
    /// How long the table has waited for each in this round.
    waited: HashMap<PersonId, Duration>,
    /// Who let a decision's time run out, and has asked for nothing since.
    idle: HashSet<PersonId>,
}

/// How long the table waits for each further decision of somebody who let one run out.
const IDLE_WINDOW: Duration = Duration::from_millis(1500);

impl Presence {
    /// Returns the presence of people with these open views.
    pub fn of(here: &HashMap<PersonId, (Role, i64)>) -> Presence {
        let dealers = here.values().filter(|(role, _)| *role == Role::Dealer).map(|(_, views)| views).sum();
        let views = here.iter().map(|(person, (_, views))| (*person, *views)).collect();
        Presence { views, dealers, ..Presence::default() }
    }

    pub fn sees(&self, person: PersonId) -> bool {
        self.views.contains_key(&person)
    }

    /// Notes that a person asked for something and so is back at the table.
    pub fn returned(&mut self, person: PersonId) {
        self.idle.remove(&person);
    }

    pub fn new_round(&mut self) {
        (self.away, self.waited) = (None, HashMap::new());
    }

    /// Notes a new question, with a time limit of its own.
    pub fn asked_anew(&mut self) {
        if let Some(away) = self.away.take() {
            *self.waited.entry(away.person).or_default() += away.since.elapsed();
        }
    }
}

impl Actor {
    pub(super) fn came(&mut self, Coming { person, role, views: more }: Coming) {
        let views = self.presence.views.entry(person).or_default();
        *views = (*views + more).max(0);
        let left = *views == 0;
        if left {
            self.presence.views.remove(&person);
            self.presence.lost.insert(person);
        } else {
            self.presence.lost.remove(&person);
        }
        if role == Role::Dealer {
            self.presence.dealers = (self.presence.dealers + more).max(0);
            self.publish(Shown::default());
        }
        match left {
            true if self.wait_for_the_lost() => self.publish(Shown::default()),
            true => {}
            false => self.go_on_with(person),
        }
    }

    /// Remembers who is asked now as somebody who let the time run out.
    pub(super) fn note_idle(&mut self) {
        let idle: Vec<PersonId> = self.asked_people().collect();
        self.presence.idle.extend(idle);
    }

    /// Shortens the wait where everybody who is asked has let a decision run out before: nobody holds up the others twice.
    pub(super) fn hurry_the_idle(&mut self) {
        let asked: Vec<PersonId> = self.asked_people().collect();
        if !asked.is_empty() && asked.iter().all(|person| self.presence.idle.contains(person)) {
            let soon = Instant::now() + IDLE_WINDOW;
            self.deadline = self.deadline.map(|at| at.min(soon));
        }
    }

    /// Gives more time, if the person asked has lost the connection and the house allows it.
    pub(super) fn wait_for_the_lost(&mut self) -> bool {
        let (Some(deadline), None) = (self.deadline, self.presence.away) else { return false };
        let waits_for =
            |person: &PersonId| self.presence.lost.contains(person) && !self.presence.idle.contains(person);
        let Some(person) = self.asked_people().find(waits_for) else {
            return false;
        };
        let waited = self.presence.waited.get(&person).copied().unwrap_or_default();
        let grace = Duration::from_millis(self.app.file.timings.grace_ms).saturating_sub(waited);
        if grace.is_zero() {
            return false;
        }
        let since = Instant::now();
        self.presence.away = Some(Away { person, since, left: deadline.saturating_duration_since(since) });
        self.deadline = Some(deadline + grace);
        true
    }

    fn go_on_with(&mut self, person: PersonId) {
        let (Some(away), Some(deadline)) = (self.presence.away, self.deadline) else { return };
        if away.person == person {
            self.presence.asked_anew();
            self.deadline = Some(deadline.min(Instant::now() + away.left));
            self.publish(Shown::default());
        }
    }

    /// The people whose answer is awaited; nobody while wagers are open or the dealer is at work.
    fn asked_people(&self) -> impl Iterator<Item = PersonId> + '_ {
        let everyone = matches!(
            self.live.table.awaiting(),
            Some(Awaiting::Offers(_) | Awaiting::LateInsurance(_) | Awaiting::CoBettors(_))
        );
        let one = match self.live.table.awaiting() {
            Some(Awaiting::Decision(ask)) => Some(ask.box_id),
            Some(
                Awaiting::Switch(box_id)
                | Awaiting::Revocation(box_id)
                | Awaiting::SevensCard(box_id)
                | Awaiting::LateCard(box_id),
            ) => Some(box_id),
            _ => None,
        };
        let asked = self.live.asked(None).filter(move |_| everyone);
        asked.filter_map(|(box_id, bettor)| self.person_at(box_id, bettor.0)).chain(self.caller_of(one))
    }

    fn person_at(&self, box_id: BoxId, bettor: u8) -> Option<PersonId> {
        let round = self.live.table.round();
        let play = &round.boxes[round.box_at(box_id)?];
        let bettor = play.bettors.get(usize::from(bettor))?;
        self.live.seats.seat(bettor.person).map(|seat| seat.person)
    }

    fn caller_of(&self, box_id: Option<BoxId>) -> Option<PersonId> {
        let round = self.live.table.round();
        let play = &round.boxes[round.box_at(box_id?)?];
        self.person_at(play.id, play.caller)
    }
}
