//! Streak bets, which last over several rounds (2.22(d)-(h), (k)).

use crate::event::{Ending, Event, Fact, SettledAt, Settlement};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Spot, Wager};
use crate::round::BoxPlay;
use crate::table::{Next, Streak, Table};
use rules::settle::Stake;
use rules::wager::streak::{ABANDONED, BETS, Effect, Record, effect, lammer_by, line, lost_by};
use rules::{Cents, Clause};

/// The bit in [`crate::round::BettorPlay::side_settled`] that is set once the lammer has moved in this round.
pub(crate) const LAMMER_MOVED: u32 = 1 << 31;

impl Table {
    pub(crate) fn streak_of(&self, person: Person, box_id: BoxId) -> Option<&Streak> {
        self.memory.streaks.iter().find(|streak| streak.person == person && streak.box_id == box_id)
    }

    fn streak_settled(
        &self,
        streak: &Streak,
        at: usize,
        bettor: usize,
        ending: Ending,
        net: Cents,
        by: Clause,
    ) -> Event {
        self.settled(
            by,
            Settlement {
                box_id: streak.box_id,
                hand: HandNumber(1),
                bettor: Bettor(bettor as u8),
                person: streak.person,
                wager: Wager::Side(BETS[at]),
                spot: Spot(0),
                staked: streak.bets[at],
                net,
                ending,
                when: if ending == Ending::Abandoned { SettledAt::Deal } else { self.settled_when() },
            },
        )
    }

    /// Returns the next settlement of a streak bet whose player made no bet this round (2.22(f)), or `None`.
    pub(crate) fn next_abandoned(&self) -> Option<Next> {
        for streak in &self.memory.streaks {
            let plays = self.round.box_at(streak.box_id).is_some_and(|at| {
                self.round.boxes[at].bettors.iter().any(|bettor| bettor.person == streak.person)
            });
            if !plays && let Some(at) = streak.bets.iter().position(|&bet| bet > Cents::ZERO) {
                let net = -streak.bets[at];
                let lost = self.streak_settled(streak, at, 0, Ending::Abandoned, net, ABANDONED);
                return Some(Next::Due(lost));
            }
        }
        None
    }

    /// Returns the numbers of hands that `person` won, lost and pushed at a box in this round.
    fn record(&self, play: &BoxPlay, person: Person) -> Record {
        let mut record = Record::default();
        for settlement in self.round.settled.iter().filter(|s| s.box_id == play.id && s.person == person) {
            let hand =
                matches!(settlement.wager, Wager::Stake(Stake::Main | Stake::Split) | Wager::EvenMoney);
            match settlement.ending {
                _ if !hand => {}
                Ending::Win => record.won += 1,
                Ending::Lose | Ending::Surrender => record.lost += 1,
                Ending::Push => record.pushed += 1,
                Ending::Void | Ending::Abandoned => {}
            }
        }
        record
    }

    fn streak_won(&self, streak: &Streak, at: usize, bettor: usize) -> Option<Event> {
        let line = line(&self.rules, at as u8 + 2)?;
        let net = match line.pays {
            rules::wager::Pays::Odds(odds) => odds.on(streak.bets[at]).unwrap_or(Cents::ZERO),
            _ => Cents::ZERO,
        };
        Some(self.streak_settled(streak, at, bettor, Ending::Win, net, line.by))
    }

    /// Returns the next event for a bettor's streak bets, or `None` if none is due.
    ///
    /// The events are the move of the lammer (2.22(k)3), and then the settlement of each decided bet.
    pub(crate) fn streak_event(&self, play: &BoxPlay, bettor: usize) -> Option<Event> {
        let who = &play.bettors[bettor];
        let streak = self.streak_of(who.person, play.id)?;
        if !streak.is_pending() {
            return None;
        }
        let moved = who.side_settled & LAMMER_MOVED != 0;
        let won = streak
            .bets
            .iter()
            .enumerate()
            .position(|(at, &bet)| bet > Cents::ZERO && at + 2 <= usize::from(streak.wins));
        if moved {
            return self.streak_won(streak, won?, bettor);
        }
        match effect(self.record(play, who.person), self.rules.rulings.streak_splits) {
            Effect::Holds => None,
            Effect::Advances => {
                let reached = streak.wins + 1;
                let highest = streak.bets.iter().rposition(|&bet| bet > Cents::ZERO)? as u8 + 2;
                // (k)3 "if any": when no further streak is attempted there is no area for the lammer
                if highest <= reached {
                    let at = streak.bets.iter().position(|&bet| bet > Cents::ZERO)?;
                    return self.streak_won(streak, at, bettor);
                }
                let to = reached + 1;
                let fact = Fact::LammerMoved { box_id: play.id, bettor: Bettor(bettor as u8), to };
                let pays = streak
                    .bets
                    .get(usize::from(reached).wrapping_sub(2))
                    .is_some_and(|&bet| bet > Cents::ZERO);
                Some(self.event(fact, lammer_by(reached, highest, pays)))
            }
            Effect::Loses => {
                let at = streak.bets.iter().position(|&bet| bet > Cents::ZERO)?;
                let by = lost_by(play.hands.len() > 1);
                Some(self.streak_settled(streak, at, bettor, Ending::Lose, -streak.bets[at], by))
            }
        }
    }
}
