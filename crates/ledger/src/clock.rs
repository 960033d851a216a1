//! The house's clock: this machine's, or the database's if several machines share a database.
//!
//! The house uses the clock as long as the clock agrees with the monotonic clock. If the clock jumps, or if the
//! house opens before the time of its last record or more than seven days after it, the house counts the time on
//! its own, and no table is played until a supervisor confirms the time. The duration of a shorter closure is
//! unconfirmed time, which does not bring the end of an exclusion closer. Records are ordered by their numbers and
//! dated by this clock: after a clock that ran ahead is set right, new records carry the right date again.

use crate::ids::{GamingDay, Moment};
use crate::people::RowChange;
use crate::record::Record;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::time::Instant;

/// The difference between the clock and the expected time that is always allowed, in milliseconds.
///
/// It exceeds a leap second. The elapsed time divided by `STEERED` is allowed in addition.
const APART_MS: i64 = 2_000;
/// The divisor that gives the additional allowed difference from the elapsed time.
///
/// A clock that is steered to the right time gains or loses at most one part in 2,000.
const STEERED: i64 = 2_000;

/// The maximum gap between the last record and the clock at opening, in milliseconds.
///
/// After a longer gap, a supervisor must confirm the time.
const AHEAD_MS: i64 = 7 * 86_400_000;

/// The name of the setting that stores the house's time.
pub const SETTING: &str = "clock";

/// The reason why a supervisor must confirm the time: the clock differs from the expected time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The time that the house expected, by the monotonic clock or from the time of the last record.
    pub expected: Moment,
    /// The time that the clock showed instead.
    pub found: Moment,
}

#[derive(Clone, Copy, Debug)]
struct ClockState {
    since: Instant,
    /// The house's time at the instant `since`, in milliseconds since 1970.
    at: Moment,
    /// How much of the house's time is unconfirmed, in milliseconds: the duration of closures, by the clock alone.
    unconfirmed_ms: i64,
    doubt: Option<Doubt>,
    /// The latest house time before a clock that ran ahead was set right.
    ///
    /// Records written before the correction may have dates up to this time.
    ahead: Moment,
}

impl ClockState {
    fn counted(&self, elapsed_ms: i64) -> Moment {
        self.at.plus_ms(elapsed_ms)
    }

    /// Returns the house's time, and records a doubt if `wall` is too far from the expected time.
    ///
    /// `elapsed_ms` is the time elapsed on the monotonic clock. `wall` is the time of the machine's or database's
    /// clock.
    fn judge(&mut self, elapsed_ms: i64, wall: Moment) -> Moment {
        let expected = self.counted(elapsed_ms);
        let apart = wall.0.saturating_sub(expected.0).saturating_abs();
        if self.doubt.is_none() && apart > APART_MS + elapsed_ms / STEERED {
            self.doubt = Some(Doubt { expected, found: wall });
        }
        if self.doubt.is_some() { expected } else { wall }
    }
}

/// One reading of the house's clock, used for a batch of records.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub now: Moment,
    /// The house's time less its unconfirmed part.
    ///
    /// Exclusions end and looser limits apply only by this time.
    pub confirmed: Moment,
    /// Whether no doubt about the time is open.
    ///
    /// Nobody may play while a doubt is open.
    pub certain: bool,
    /// Whether the clock ran ahead and has been set right.
    ///
    /// A record may then be dated before its predecessor.
    pub set_back: bool,
    pub day_starts_ms: i64,
}

/// The kind of record that confirms the time.
const CONFIRMS: &str = "significant";

/// Returns the time that a supervisor confirmed with a record, or `None` if the record confirms no time.
///
/// A record that confirms the time sets the clock's setting to a time without doubt.
pub(crate) fn confirmation(kind: &str, row_changes: &[RowChange]) -> Option<Moment> {
    let stored = row_changes.iter().find_map(|row_change| match row_change {
        RowChange::Setting { name, value } if name == SETTING && kind == CONFIRMS => Some(value.clone()),
        _ => None,
    });
    let stored = StoredClock::read(Some(stored?));
    (stored.doubt.is_none() && stored.unconfirmed_ms == 0 && stored != StoredClock::default())
        .then_some(stored.at)
}

/// Checks that the dates of records never decrease.
///
/// A smaller date is accepted if the clock was set back and an earlier record confirmed the time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dates {
    last: Option<(Moment, GamingDay)>,
    confirmed: Option<Moment>,
}

impl Dates {
    /// Returns whether the record's date is consistent with the dates of the records before it.
    ///
    /// Stores the date for the next check.
    pub fn fits(&mut self, record: &Record) -> bool {
        self.confirmed = confirmation(&record.kind, &record.row_changes).or(self.confirmed);
        let in_order = self.last.is_none_or(|(at, day)| record.at >= at && record.day >= day);
        let set_back = self.confirmed.is_some_and(|from| record.at.plus_ms(APART_MS) >= from);
        self.last = Some((record.at, record.day));
        in_order || set_back
    }
}

/// The state of the house's clock as stored in a setting, from which the clock starts when the house opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredClock {
    at: Moment,
    unconfirmed_ms: i64,
    doubt: Option<Doubt>,
}

impl StoredClock {
    /// Parses the clock's setting.
    ///
    /// Returns the default state, at time zero, if the setting is missing or unreadable.
    pub fn read(setting: Option<Vec<u8>>) -> StoredClock {
        let text = setting.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let numbers: Vec<i64> = text.split(' ').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [at, unconfirmed_ms] => StoredClock { at: Moment(at), unconfirmed_ms, doubt: None },
            [at, unconfirmed_ms, expected, found] => {
                let doubt = Some(Doubt { expected: Moment(expected), found: Moment(found) });
                StoredClock { at: Moment(at), unconfirmed_ms, doubt }
            }
            _ => StoredClock::default(),
        }
    }
}

/// The house's clock.
///
/// The clock reports a [`Doubt`] if a supervisor must confirm the time.
pub struct Timepiece {
    state: Mutex<ClockState>,
    /// How long the house was closed before it opened, in milliseconds by the house's clock.
    ///
    /// Zero for a new house, and if the time was in doubt.
    pub closed_ms: i64,
    /// An offset added to the machine's clock, in milliseconds, for tests.
    shift_ms: Arc<AtomicI64>,
    /// The database's last known time and the instant of that reading; `None` if the house uses this machine's
    /// clock.
    database: Option<Mutex<(Instant, Moment)>>,
}

impl Timepiece {
    /// Starts the house's clock from its stored state.
    ///
    /// `last` is the time of the journal's last record. `database` is the database's time if the house uses the
    /// database's clock, and `None` otherwise.
    pub fn start(
        last: Moment,
        remembered: StoredClock,
        (shift_ms, database): (Arc<AtomicI64>, Option<Moment>),
    ) -> Timepiece {
        let wall = database.unwrap_or_else(|| Moment::now().plus_ms(shift_ms.load(Ordering::Relaxed)));
        let (state, closed_ms) = opened(last, remembered, wall);
        let database = database.map(|now| Mutex::new((Instant::now(), now)));
        Timepiece { state: Mutex::new(state), closed_ms, shift_ms, database }
    }

    /// Returns the current time of the machine's or the database's clock, whichever the house uses.
    ///
    /// The database's time is the time last read, plus the time elapsed since then.
    pub fn wall_clock(&self) -> Moment {
        let Some(database) = &self.database else {
            return Moment::now().plus_ms(self.shift_ms.load(Ordering::Relaxed));
        };
        let (since, then) = *database.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        then.plus_ms(i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    /// Sets the database's time to `said`, read at `then`.
    pub(crate) fn follow(&self, then: impl Into<Instant>, said: Moment) {
        if let Some(database) = &self.database {
            *database.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = (then.into(), said);
        }
    }

    fn observe<T>(&self, with: impl FnOnce(&mut ClockState, Moment) -> T) -> T {
        let wall = self.wall_clock();
        // The state is consistent even after a panic.
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let elapsed_ms = i64::try_from(state.since.elapsed().as_millis()).unwrap_or(i64::MAX);
        let now = state.judge(elapsed_ms, wall);
        with(&mut state, now)
    }

    pub fn now(&self) -> Moment {
        self.observe(|_, now| now)
    }

    /// Returns the house's time less its unconfirmed part.
    ///
    /// Exclusions end and looser limits apply only by this time.
    pub fn confirmed(&self) -> Moment {
        self.observe(|state, now| now.plus_ms(-state.unconfirmed_ms))
    }

    /// Returns the doubt about the time, or `None` if the time is certain.
    ///
    /// While there is a doubt, nobody may play.
    pub fn doubt(&self) -> Option<Doubt> {
        self.observe(|state, _| state.doubt)
    }

    /// Returns how much of the house's time is unconfirmed, in milliseconds.
    pub fn unconfirmed_ms(&self) -> i64 {
        self.observe(|state, _| state.unconfirmed_ms)
    }

    /// Reads the clock for a batch of records.
    pub(crate) fn read(&self, day_starts_ms: i64) -> Clock {
        self.observe(|state, now| Clock {
            now,
            confirmed: now.plus_ms(-state.unconfirmed_ms),
            certain: state.doubt.is_none(),
            set_back: state.doubt.is_none() && now < state.ahead,
            day_starts_ms,
        })
    }

    /// Accepts the clock's current time as the house's time, and ends any doubt.
    ///
    /// An authorized person must have confirmed the time before this call.
    pub fn confirm(&self) {
        let wall = self.wall_clock();
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let elapsed_ms = i64::try_from(state.since.elapsed().as_millis()).unwrap_or(i64::MAX);
        let ahead = state.counted(elapsed_ms).max(state.ahead);
        *state = ClockState { since: Instant::now(), at: wall, unconfirmed_ms: 0, doubt: None, ahead };
    }

    /// Returns the setting that stores the time `machine` as confirmed.
    pub fn confirmed_row(machine: Moment) -> RowChange {
        RowChange::Setting { name: SETTING.into(), value: format!("{} 0", machine.0).into_bytes() }
    }

    /// Returns the setting that stores the clock's current state.
    pub fn row(&self) -> RowChange {
        let value = self.observe(|state, now| match state.doubt {
            None => format!("{} {}", now.0, state.unconfirmed_ms),
            Some(Doubt { expected, found }) => {
                format!("{} {} {} {}", now.0, state.unconfirmed_ms, expected.0, found.0)
            }
        });
        RowChange::Setting { name: SETTING.into(), value: value.into_bytes() }
    }
}

fn opened(last: Moment, remembered: StoredClock, wall: Moment) -> (ClockState, i64) {
    let last = last.max(remembered.at);
    let (since, ahead) = (Instant::now(), Moment::default());
    let unconfirmed_ms = remembered.unconfirmed_ms.max(0);
    // With an empty journal any time is acceptable.
    if last == Moment::default() {
        return (ClockState { since, at: wall, unconfirmed_ms: 0, doubt: None, ahead }, 0);
    }
    let far = wall.plus_ms(APART_MS) < last || last.plus_ms(AHEAD_MS) < wall;
    let doubt = remembered.doubt.or(far.then_some(Doubt { expected: last, found: wall }));
    if doubt.is_some() {
        return (ClockState { since, at: last, unconfirmed_ms, doubt, ahead }, 0);
    }
    let closed_ms = (wall.0 - last.0).max(0);
    let unconfirmed_ms = unconfirmed_ms.saturating_add(closed_ms);
    (ClockState { since, at: wall, unconfirmed_ms, doubt: None, ahead }, closed_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;
    const NOON: Moment = Moment(1_800_000_000_000);

    fn running() -> ClockState {
        ClockState { since: Instant::now(), at: NOON, unconfirmed_ms: 0, doubt: None, ahead: Moment(0) }
    }

    #[test]
    fn a_clock_that_is_steered_is_followed_and_one_that_jumps_is_not() {
        let mut state = running();
        assert_eq!(state.judge(1_000, NOON.plus_ms(1_900)), NOON.plus_ms(1_900));
        assert_eq!(
            state.judge(DAY, NOON.plus_ms(DAY + 40_000)),
            NOON.plus_ms(DAY + 40_000),
            "half a thousandth"
        );
        assert_eq!(state.doubt, None);
        for jump in [60 * DAY, -60 * DAY, 10_000, -10_000] {
            let mut state = running();
            let wall = NOON.plus_ms(1_000 + jump);
            assert_eq!(
                state.judge(1_000, wall),
                NOON.plus_ms(1_000),
                "while the clock is in doubt, the house keeps its own time"
            );
            assert_eq!(state.doubt, Some(Doubt { expected: NOON.plus_ms(1_000), found: wall }));
            assert_eq!(state.judge(2_000, NOON.plus_ms(2_000)), NOON.plus_ms(2_000));
            assert!(
                state.doubt.is_some(),
                "even when the clock is right again, a supervisor must confirm the time"
            );
        }
    }

    #[test]
    fn time_while_the_house_was_closed_is_not_confirmed() {
        let remembered = StoredClock { at: NOON, unconfirmed_ms: 7, doubt: None };
        let (state, closed) = opened(NOON.plus_ms(-DAY), remembered, NOON.plus_ms(6 * DAY));
        assert_eq!((state.unconfirmed_ms, closed, state.doubt), (6 * DAY + 7, 6 * DAY, None));
        let (state, _) = opened(NOON, StoredClock::default(), NOON.plus_ms(-DAY));
        assert_eq!(state.doubt, Some(Doubt { expected: NOON, found: NOON.plus_ms(-DAY) }));
        assert_eq!(state.at, NOON);
        let (state, _) = opened(Moment(0), StoredClock::default(), NOON);
        assert_eq!((state.unconfirmed_ms, state.doubt), (0, None), "a new house");
    }

    #[test]
    fn where_the_databases_time_counts_the_machines_does_not() {
        let shift = Arc::new(AtomicI64::new(0));
        let timepiece = Timepiece::start(Moment(0), StoredClock::default(), (Arc::clone(&shift), Some(NOON)));
        shift.store(60 * DAY, Ordering::Relaxed);
        let apart = timepiece.now().0 - NOON.0;
        assert!((0..60_000).contains(&apart) && timepiece.doubt().is_none(), "{apart}");
        timepiece.follow(Instant::now(), NOON.plus_ms(apart + 700));
        assert!(
            timepiece.now().0 >= NOON.0 + apart + 700 && timepiece.doubt().is_none(),
            "the clock is followed while it runs steadily"
        );
        timepiece.follow(Instant::now(), NOON.plus_ms(DAY));
        assert!(timepiece.doubt().is_some(), "a clock that jumps is doubted");
    }

    #[test]
    fn what_is_remembered_is_read_back_with_its_doubt() {
        let shift = Arc::new(AtomicI64::new(0));
        let timepiece = Timepiece::start(Moment(0), StoredClock::default(), (Arc::clone(&shift), None));
        let read = |timepiece: &Timepiece| match timepiece.row() {
            RowChange::Setting { value, .. } => StoredClock::read(Some(value)),
            other => panic!("{other:?}"),
        };
        assert_eq!(read(&timepiece).doubt, None);
        shift.store(60 * DAY, Ordering::Relaxed);
        let doubt = timepiece.doubt();
        assert!(doubt.is_some());
        assert_eq!(read(&timepiece).doubt, doubt);
        let again = Timepiece::start(Moment(0), read(&timepiece), (Arc::clone(&shift), None));
        assert_eq!(again.doubt(), doubt, "a restart does not confirm the time");
        assert!(again.now() < timepiece.wall_clock());
        again.confirm();
        assert_eq!(again.doubt(), None);
        assert_eq!(StoredClock::read(Some(b"nonsense".to_vec())), StoredClock::default());
    }

    #[test]
    fn two_seconds_are_not_a_jump_and_a_little_more_is() {
        for (apart, jumps) in [(2_000, false), (2_001, true), (-2_000, false), (-2_001, true)] {
            let mut state = running();
            state.judge(1_000, NOON.plus_ms(1_000 + apart));
            assert_eq!(state.doubt.is_some(), jumps, "{apart}");
        }
    }

    #[test]
    fn a_clock_that_was_found_two_seconds_back_has_not_jumped() {
        for (back, jumped) in [(2_000, false), (2_001, true)] {
            let (state, _) = opened(NOON, StoredClock::default(), NOON.plus_ms(-back));
            assert_eq!(state.doubt.is_some(), jumped, "{back}");
        }
    }

    #[test]
    fn a_clock_more_than_seven_days_ahead_waits_for_a_supervisor() {
        for (ahead, waits) in [(7 * DAY, false), (7 * DAY + 1, true), (400 * DAY, true)] {
            let wall = NOON.plus_ms(ahead);
            let (state, closed) = opened(NOON, StoredClock::default(), wall);
            let doubt = waits.then_some(Doubt { expected: NOON, found: wall });
            assert_eq!(state.doubt, doubt, "{ahead}");
            // Meanwhile the house counts on from its last time.
            let (at, away) = if waits { (NOON, 0) } else { (wall, ahead) };
            assert_eq!((state.at, closed, state.unconfirmed_ms), (at, away, away));
        }
        // The journal's last record is old, but the house was open yesterday.
        let yesterday = StoredClock { at: NOON, unconfirmed_ms: 0, doubt: None };
        let (state, _) = opened(NOON.plus_ms(-30 * DAY), yesterday, NOON.plus_ms(DAY));
        assert_eq!(state.doubt, None);
    }

    #[test]
    fn a_confirmation_survives_a_restart() {
        let wall = NOON.plus_ms(60 * DAY);
        let start = |remembered| Timepiece::start(NOON, remembered, (Arc::default(), Some(wall)));
        assert!(start(StoredClock::default()).doubt().is_some());
        let RowChange::Setting { value, .. } = Timepiece::confirmed_row(wall) else { panic!("a setting") };
        let again = start(StoredClock::read(Some(value)));
        assert_eq!((again.doubt(), again.unconfirmed_ms()), (None, 0));
    }

    #[test]
    fn what_nobody_has_confirmed_has_not_certainly_come() {
        let remembered = StoredClock { at: NOON, unconfirmed_ms: 7, doubt: None };
        let database = Some(NOON.plus_ms(DAY));
        let timepiece = Timepiece::start(NOON, remembered, (Arc::default(), database));
        assert_eq!((timepiece.unconfirmed_ms(), timepiece.closed_ms), (DAY + 7, DAY));
        let (now, confirmed) = (timepiece.now(), timepiece.confirmed());
        assert!((0..60_000).contains(&(confirmed.0 - now.plus_ms(-DAY - 7).0)), "{confirmed:?}");
        timepiece.confirm();
        assert_eq!(timepiece.unconfirmed_ms(), 0);
        assert!(timepiece.confirmed() >= now);
    }

    #[test]
    fn a_clock_is_set_back_until_its_former_time_has_come() {
        let timepiece =
            Timepiece::start(Moment(0), StoredClock::default(), (Arc::default(), Some(NOON.plus_ms(DAY))));
        assert!(!timepiece.read(0).set_back);
        timepiece.follow(Instant::now(), NOON);
        let doubted = timepiece.read(0);
        assert!(!doubted.certain && !doubted.set_back && doubted.now >= NOON.plus_ms(DAY));
        timepiece.confirm();
        let corrected = timepiece.read(0);
        assert!(corrected.certain && corrected.set_back && corrected.now < NOON.plus_ms(60_000));
        timepiece.follow(Instant::now(), NOON.plus_ms(DAY + 60_000));
        timepiece.confirm();
        assert!(
            !timepiece.read(0).set_back,
            "the clock has caught up with the time it showed before the correction"
        );
    }

    #[test]
    fn a_date_goes_back_only_as_far_as_a_confirmed_time() {
        let record = |at: Moment, row_changes: Vec<RowChange>| Record {
            at,
            day: GamingDay::at(at, 0),
            kind: CONFIRMS.into(),
            row_changes,
            ..crate::record::sample()
        };
        let plain = |at: Moment| record(at, Vec::new());
        let mut dates = Dates::default();
        assert!(dates.fits(&plain(NOON.plus_ms(DAY))) && dates.fits(&plain(NOON.plus_ms(DAY))));
        assert!(!{ dates }.fits(&plain(NOON)), "nobody confirmed that the time went back");
        let doubted = RowChange::Setting { name: SETTING.into(), value: b"5 0 7 8".to_vec() };
        assert!(!{ dates }.fits(&record(NOON, vec![doubted])), "recording a doubt does not confirm the time");
        assert!(dates.fits(&record(NOON, vec![Timepiece::confirmed_row(NOON)])));
        assert!(dates.fits(&plain(NOON.plus_ms(1))));
        assert!(
            !{ dates }.fits(&plain(NOON.plus_ms(-APART_MS - 1))),
            "the record is dated before the confirmed time"
        );
        // Another node's record, dated before that node heard of the confirmation.
        assert!(dates.fits(&plain(NOON.plus_ms(DAY))) && dates.fits(&plain(NOON.plus_ms(2))));
    }

    #[test]
    fn what_is_remembered_may_be_free_of_doubt() {
        let read = |text: &str| StoredClock::read(Some(text.as_bytes().to_vec()));
        assert_eq!(read("12 3"), StoredClock { at: Moment(12), unconfirmed_ms: 3, doubt: None });
        assert_eq!(read("12"), StoredClock::default());
        assert_eq!(read("12 3 4"), StoredClock::default());
    }
}
