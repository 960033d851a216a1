//! A patron's own protections: limits on losses, bets and time, and self-exclusion.
//!
//! All functions are pure and depend only on the rows given; `write.rs` applies them in the transaction of the
//! bet.

use crate::ids::{Cents, GamingDay, Moment, PersonId};
use rules::{Message, message};
use serde::{Deserialize, Serialize};

/// What a patron's limit counts: losses, bets or time in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Bets less payouts, in cents.
    Loss,
    /// The total of the bets, in cents.
    Wager,
    /// Time in play, in seconds.
    Time,
}

/// The number of gaming days that a limit covers, including today.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    Day,
    Week,
    Month,
}

impl Measure {
    pub const ALL: [Measure; 3] = [Measure::Loss, Measure::Wager, Measure::Time];

    pub fn from_name(name: &str) -> Option<Measure> {
        Measure::ALL.into_iter().find(|m| m.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Measure::Loss => "loss",
            Measure::Wager => "wager",
            Measure::Time => "time",
        }
    }
}

impl Span {
    pub const ALL: [Span; 3] = [Span::Day, Span::Week, Span::Month];

    /// Returns the length of the span in gaming days.
    pub fn days(self) -> i64 {
        match self {
            Span::Day => 1,
            Span::Week => 7,
            Span::Month => 30,
        }
    }

    pub fn from_name(name: &str) -> Option<Span> {
        Span::ALL.into_iter().find(|s| s.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Span::Day => "day",
            Span::Week => "week",
            Span::Month => "month",
        }
    }
}

/// The waiting time before a loosened limit applies, in milliseconds.
pub const LOOSENING_WAIT_MS: i64 = 24 * 3_600_000;

/// A limit that a patron set: its current value, and a pending value with the moment from which that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub measure: Measure,
    pub span: Span,
    pub most: Option<i64>,
    pub later: Option<(Option<i64>, Moment)>,
}

impl Limit {
    pub fn unset(measure: Measure, span: Span) -> Limit {
        Limit { measure, span, most: None, later: None }
    }

    pub fn most_at(&self, now: Moment) -> Option<i64> {
        match self.later {
            Some((most, from)) if from <= now => most,
            _ => self.most,
        }
    }

    /// Returns the limit after the patron has changed it to `wanted`, where `None` means no limit.
    ///
    /// A tighter limit applies at once and cancels a pending change; a looser limit applies after 24 hours.
    pub fn changed(&self, wanted: Option<i64>, now: Moment) -> Limit {
        let current = self.most_at(now);
        let tighter = match (wanted, current) {
            (Some(new), Some(old)) => new <= old,
            (Some(_), None) => true,
            (None, None) => true,
            (None, Some(_)) => false,
        };
        if tighter {
            Limit { most: wanted, later: None, ..*self }
        } else {
            Limit { most: current, later: Some((wanted, now.plus_ms(LOOSENING_WAIT_MS))), ..*self }
        }
    }
}

/// The longest gap between two bets that counts as continued play, in milliseconds.
const CONTINUED_PLAY_MS: i64 = 5 * 60_000;

/// One person's bets, payouts and time in play on one gaming day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayDay {
    pub wagered: Cents,
    pub returned: Cents,
    pub played_ms: i64,
    pub last_wager: Moment,
}

impl PlayDay {
    pub fn wager(&mut self, amount: Cents, now: Moment) {
        self.wagered.0 = self.wagered.0.saturating_add(amount.0);
        let since = now.0.saturating_sub(self.last_wager.0);
        if self.last_wager != Moment::default() && since <= CONTINUED_PLAY_MS {
            self.played_ms = self.played_ms.saturating_add(since.max(0));
        }
        self.last_wager = now;
    }

    /// Counts a movement of a player's chips at a table as a bet or a payout.
    ///
    /// A debit is a bet, or takes back a payout if `undone` is set. A credit is a payout.
    pub fn count(&mut self, amount: Cents, undone: bool, at: Moment) {
        match amount < Cents::ZERO && !undone {
            true => self.wager(-amount, at),
            false => self.give_back(amount),
        }
    }

    /// Counts a withdrawn bet as if it had never been placed.
    ///
    /// An amount beyond the day's bets belongs to a bet of an earlier day, and counts as a payout of this day.
    pub fn take_back(&mut self, amount: Cents) {
        let undone = amount.min(self.wagered).max(Cents::ZERO);
        self.wagered = Cents(self.wagered.0 - undone.0);
        self.give_back(Cents(amount.0 - undone.0));
    }

    pub fn give_back(&mut self, amount: Cents) {
        self.returned.0 = self.returned.0.saturating_add(amount.0);
    }
}

/// A person's limits and self-exclusion, and the days of play that the limits are compared with.
#[derive(Clone, Debug, Default)]
pub struct Protection {
    pub limits: Vec<Limit>,
    pub excluded_until: Option<Moment>,
    /// The person's days of play, in no particular order.
    ///
    /// Only the days within a limit's span count.
    pub days: Vec<(GamingDay, PlayDay)>,
}

/// Why a limit or exclusion that a player set for themselves blocks a bet or a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    Excluded { until: Moment },
    Limit { measure: Measure, span: Span },
}

impl Stopped {
    /// Describes the reason for a person, with times formatted by `time`.
    pub fn message(&self, time: fn(Moment) -> String) -> Message {
        match self {
            Stopped::Excluded { until } => {
                message!("excluded", "self-excluded until {time}", time = time(*until))
            }
            Stopped::Limit { measure, span } => message!(
                "limit",
                "the player reached their {measure} limit for the {span}",
                measure = measure.name(),
                span = span.name()
            ),
        }
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message(|until| until.0.to_string()))
    }
}

impl std::error::Error for Stopped {}

impl Protection {
    /// Returns an error if the person is self-excluded at `now`.
    ///
    /// Excluded people may neither bet nor deposit, but may always withdraw.
    pub fn admits(&self, now: Moment) -> Result<(), Stopped> {
        match self.excluded_until {
            Some(until) if until > now => Err(Stopped::Excluded { until }),
            _ => Ok(()),
        }
    }

    /// Returns an error if a limit or self-exclusion forbids the person to bet `amount` more.
    pub fn allows_wager(&self, amount: Cents, today: GamingDay, now: Moment) -> Result<(), Stopped> {
        self.admits(now)?;
        for limit in &self.limits {
            let Some(most) = limit.most_at(now) else { continue };
            let first = today.0 - limit.span.days() + 1;
            let within = self.days.iter().filter(|(day, _)| (first..=today.0).contains(&day.0));
            let used: i64 = within.map(|(_, day)| used(limit.measure, day)).fold(0, i64::saturating_add);
            let fits = match limit.measure {
                Measure::Time => used < most,
                Measure::Loss | Measure::Wager => used.saturating_add(amount.0) <= most,
            };
            if !fits {
                return Err(Stopped::Limit { measure: limit.measure, span: limit.span });
            }
        }
        Ok(())
    }

    pub fn today(&mut self, today: GamingDay) -> &mut PlayDay {
        let at = match self.days.iter().position(|(day, _)| *day == today) {
            Some(at) => at,
            None => {
                self.days.push((today, PlayDay::default()));
                self.days.len() - 1
            }
        };
        &mut self.days[at].1
    }

    pub fn change_limit(
        &mut self,
        (measure, span): (Measure, Span),
        most: Option<i64>,
        now: Moment,
    ) -> Limit {
        let at = self.limits.iter().position(|l| l.measure == measure && l.span == span);
        let before = at.map_or(Limit::unset(measure, span), |at| self.limits[at]);
        let after = before.changed(most, now);
        match at {
            Some(at) => self.limits[at] = after,
            None => self.limits.push(after),
        }
        after
    }

    /// Excludes the person until `until` at least, and returns when the person's exclusion ends.
    ///
    /// An exclusion that already ends later stays as it is.
    pub fn exclude(&mut self, until: Moment) -> Moment {
        let until = self.excluded_until.map_or(until, |old| old.max(until));
        self.excluded_until = Some(until);
        until
    }
}

fn used(measure: Measure, day: &PlayDay) -> i64 {
    match measure {
        Measure::Loss => day.wagered.0.saturating_sub(day.returned.0),
        Measure::Wager => day.wagered.0,
        Measure::Time => day.played_ms / 1000,
    }
}

/// A change of a person's protections, stored in the record of the command that requested the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    Limit { person: PersonId, measure: Measure, span: Span, most: Option<i64> },
    Exclude { person: PersonId, until: Moment },
}

impl Effect {
    pub fn person(&self) -> PersonId {
        match *self {
            Effect::Limit { person, .. } | Effect::Exclude { person, .. } => person,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment(1_000_000_000);
    const TODAY: GamingDay = GamingDay(100);

    fn with_limit(measure: Measure, span: Span, most: i64) -> Protection {
        let mut protection = Protection::default();
        protection.change_limit((measure, span), Some(most), NOW);
        protection
    }

    #[test]
    fn tightening_counts_at_once_and_loosening_after_a_day() {
        let first = Limit::unset(Measure::Loss, Span::Day).changed(Some(500), NOW);
        assert_eq!(first.most_at(NOW), Some(500));
        let looser = first.changed(Some(900), NOW);
        assert_eq!(looser.most_at(NOW), Some(500));
        assert_eq!(looser.most_at(NOW.plus_ms(LOOSENING_WAIT_MS - 1)), Some(500));
        assert_eq!(looser.most_at(NOW.plus_ms(LOOSENING_WAIT_MS)), Some(900));
        let lifted = first.changed(None, NOW);
        assert_eq!(lifted.most_at(NOW.plus_ms(1)), Some(500));
        assert_eq!(lifted.most_at(NOW.plus_ms(LOOSENING_WAIT_MS)), None);
        let tighter = looser.changed(Some(100), NOW);
        assert_eq!(tighter.most_at(NOW), Some(100));
        assert_eq!(tighter.later, None, "a tighter limit cancels a pending loosening");
        assert_eq!(looser.changed(Some(500), NOW), first, "setting the same limit again cancels it, too");
    }

    #[test]
    fn a_loss_limit_counts_what_came_back() {
        let mut p = with_limit(Measure::Loss, Span::Day, 1000);
        p.today(TODAY).wager(Cents(800), NOW);
        assert!(p.allows_wager(Cents(201), TODAY, NOW).is_err());
        assert!(p.allows_wager(Cents(200), TODAY, NOW).is_ok());
        p.today(TODAY).give_back(Cents(800));
        assert!(p.allows_wager(Cents(1000), TODAY, NOW).is_ok());
    }

    #[test]
    fn a_wager_that_is_taken_back_was_never_placed() {
        let mut p = with_limit(Measure::Wager, Span::Day, 1000);
        p.today(TODAY).wager(Cents(800), NOW);
        p.today(TODAY).take_back(Cents(300));
        assert!(p.allows_wager(Cents(501), TODAY, NOW).is_err());
        assert!(p.allows_wager(Cents(500), TODAY, NOW).is_ok());
        // The rest was bet the day before: today has no bet to subtract it from, so it counts as returned.
        let mut next = PlayDay { wagered: Cents(100), ..PlayDay::default() };
        next.take_back(Cents(300));
        assert_eq!((next.wagered, next.returned), (Cents(0), Cents(200)));
    }

    #[test]
    fn a_week_counts_seven_gaming_days() {
        let mut p = with_limit(Measure::Wager, Span::Week, 1000);
        p.days.push((GamingDay(94), PlayDay { wagered: Cents(900), ..PlayDay::default() }));
        assert!(p.allows_wager(Cents(101), TODAY, NOW).is_err());
        assert!(p.allows_wager(Cents(1000), GamingDay(101), NOW).is_ok());
    }

    #[test]
    fn time_runs_between_wagers_that_follow_each_other() {
        let mut p = with_limit(Measure::Time, Span::Day, 60);
        p.today(TODAY).wager(Cents(1), NOW);
        p.today(TODAY).wager(Cents(1), NOW.plus_ms(59_000));
        assert!(p.allows_wager(Cents(1), TODAY, NOW).is_ok());
        p.today(TODAY).wager(Cents(1), NOW.plus_ms(60_000));
        assert_eq!(
            p.allows_wager(Cents(1), TODAY, NOW),
            Err(Stopped::Limit { measure: Measure::Time, span: Span::Day })
        );
        let mut long = Protection::default();
        long.today(TODAY).wager(Cents(1), NOW);
        long.today(TODAY).wager(Cents(1), NOW.plus_ms(CONTINUED_PLAY_MS));
        assert_eq!(long.today(TODAY).played_ms, CONTINUED_PLAY_MS, "a pause of five minutes counts as play");
        let mut idle = Protection::default();
        idle.today(TODAY).wager(Cents(1), NOW);
        idle.today(TODAY).wager(Cents(1), NOW.plus_ms(CONTINUED_PLAY_MS + 1));
        assert_eq!(idle.today(TODAY).played_ms, 0, "a longer pause does not count as play");
    }

    #[test]
    fn an_exclusion_is_never_shortened() {
        let mut p = Protection::default();
        p.exclude(NOW.plus_ms(1000));
        p.exclude(NOW.plus_ms(10));
        assert!(p.allows_wager(Cents(1), TODAY, NOW.plus_ms(999)).is_err());
        assert!(p.allows_wager(Cents(1), TODAY, NOW.plus_ms(1000)).is_ok());
    }

    #[test]
    fn a_limit_is_changed_for_its_own_measure_and_span() {
        let mut protection = with_limit(Measure::Loss, Span::Day, 500);
        protection.change_limit((Measure::Loss, Span::Week), Some(900), NOW);
        protection.change_limit((Measure::Wager, Span::Day), Some(70), NOW);
        protection.change_limit((Measure::Loss, Span::Day), Some(400), NOW);
        let most: Vec<_> = protection.limits.iter().map(|l| (l.measure, l.span, l.most_at(NOW))).collect();
        assert_eq!(
            most,
            [
                (Measure::Loss, Span::Day, Some(400)),
                (Measure::Loss, Span::Week, Some(900)),
                (Measure::Wager, Span::Day, Some(70)),
            ]
        );
    }
}
