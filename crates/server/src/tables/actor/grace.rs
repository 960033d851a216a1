//! Extra time for a player who loses the connection while the table waits for that player.
//!
//! The house file limits the extra time per round. A player who reconnects has the time to act that was left when
//! the connection was lost.

use super::{Actor, ViewExtras};
use crate::role::Role;
use ledger::PersonId;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use table::{Awaiting, BoxId};
use tokio::time::Instant;

/// A change in the number of views of a table that a person has open; `views` is negative if views were closed.
#[derive(Clone, Copy, Debug)]
pub struct ViewCountChange {
    pub person: PersonId,
    pub role: Role,
    pub views: i64,
}

/// The disconnected player for whom the table grants extra time.
#[derive(Clone, Copy, Debug)]
struct Away {
    person: PersonId,
    since: Instant,
    /// The time to act that the player had left when the connection was lost.
    left: Duration,
}

/// Who is connected to the table, who has disconnected, and who let a decision time out.
#[derive(Default)]
pub struct Presence {
    views: HashMap<PersonId, i64>,
    /// The number of views that dealers have open.
    pub dealers: i64,
    lost: HashSet<PersonId>,
    away: Option<Away>,
    /// How long the table has waited in this round for each person who lost the connection.
    waited: HashMap<PersonId, Duration>,
    /// The people who let a decision time out and have sent no request since.
    idle: HashSet<PersonId>,
}

/// The time limit for each decision of a person who has let an earlier decision time out.
const IDLE_WINDOW: Duration = Duration::from_millis(1500);

impl Presence {
    /// Returns the presence of the people in `here`, each with a role and a number of open views, none of them
    /// idle.
    pub fn of(here: &HashMap<PersonId, (Role, i64)>) -> Presence {
        let dealers = here.values().filter(|(role, _)| *role == Role::Dealer).map(|(_, views)| views).sum();
        let views = here.iter().map(|(person, (_, views))| (*person, *views)).collect();
        Presence { views, dealers, ..Presence::default() }
    }

    pub fn sees(&self, person: PersonId) -> bool {
        self.views.contains_key(&person)
    }

    /// Marks a person who sent a request as no longer idle.
    pub fn returned(&mut self, person: PersonId) {
        self.idle.remove(&person);
    }

    pub fn new_round(&mut self) {
        (self.away, self.waited) = (None, HashMap::new());
    }

    /// Ends a disconnected player's extra time, and counts it against the player's limit for the round.
    pub fn end_extra_time(&mut self) {
        if let Some(away) = self.away.take() {
            *self.waited.entry(away.person).or_default() += away.since.elapsed();
        }
    }
}

impl Actor {
    pub(super) fn views_changed(&mut self, ViewCountChange { person, role, views: more }: ViewCountChange) {
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
            self.publish(ViewExtras::default());
        }
        match left {
            true if self.grant_extra_time() => self.publish(ViewExtras::default()),
            true => {}
            false => self.resume_clock_of(person),
        }
    }

    /// Marks everyone who must act as idle, because they let the time for their decision run out.
    pub(super) fn note_idle(&mut self) {
        let idle: Vec<PersonId> = self.asked_people().collect();
        self.presence.idle.extend(idle);
    }

    /// Shortens the deadline if everyone who must act is idle, so that the other players wait less for them.
    ///
    /// A person is idle after letting a decision time out, until that person's next request.
    pub(super) fn shorten_idle_deadline(&mut self) {
        let asked: Vec<PersonId> = self.asked_people().collect();
        if !asked.is_empty() && asked.iter().all(|person| self.presence.idle.contains(person)) {
            let soon = Instant::now() + IDLE_WINDOW;
            self.deadline = self.deadline.map(|at| at.min(soon));
        }
    }

    /// Extends the deadline if a disconnected person who must act has extra time left, and returns whether it did.
    pub(super) fn grant_extra_time(&mut self) -> bool {
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

    fn resume_clock_of(&mut self, person: PersonId) {
        let (Some(away), Some(deadline)) = (self.presence.away, self.deadline) else { return };
        if away.person == person {
            self.presence.end_extra_time();
            self.deadline = Some(deadline.min(Instant::now() + away.left));
            self.publish(ViewExtras::default());
        }
    }

    /// Returns the people who must answer an offer or decide on a hand.
    ///
    /// Returns nobody while bets are placed, a player may cut, or the dealer is at work.
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
        asked.filter_map(|(box_id, bettor)| self.person_at(box_id, bettor.0)).chain(self.box_owner_of(one))
    }

    fn person_at(&self, box_id: BoxId, bettor: u8) -> Option<PersonId> {
        let round = self.live.table.round();
        let play = &round.boxes[round.box_at(box_id)?];
        let bettor = play.bettors.get(usize::from(bettor))?;
        self.live.seats.seat(bettor.person).map(|seat| seat.person)
    }

    fn box_owner_of(&self, box_id: Option<BoxId>) -> Option<PersonId> {
        let round = self.live.table.round();
        let play = &round.boxes[round.box_at(box_id?)?];
        self.person_at(play.id, play.box_owner)
    }
}
