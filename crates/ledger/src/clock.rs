//! The house's time: the machine's clock, or the database's where several machines share one, as long as it keeps step
//! with the monotonic one. When it jumps, or the house opens before what is recorded already or more than seven days after
//! it, the house goes on counting by itself and no table is played until a supervisor has confirmed the time. Less time
//! that passed while the house was closed is not confirmed either: exclusions do not end by it.

use crate::ids::Moment;
use crate::people::Keep;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::time::Instant;

/// The clocks may differ by this much, a leap second and a little more,
const APART_MS: i64 = 2_000;
/// and by one part in this many of the time that has passed, which is the most by which a clock is steered.
const STEERED: i64 = 2_000;

/// A house that opens with a clock further ahead than this of its last time waits for a supervisor's word.
const AHEAD_MS: i64 = 7 * 86_400_000;

/// The setting in which the house stores its time.
pub const SETTING: &str = "clock";

/// Why the time has to be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The time that was expected: counted on, or the time of the last record.
    pub expected: Moment,
    /// What the machine's clock said.
    pub found: Moment,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    since: Instant,
    /// The house's time then.
    at: Moment,
    /// Time that nobody has confirmed: the house was closed, or so its clock says.
    unconfirmed_ms: i64,
    doubt: Option<Doubt>,
}

impl Kept {
    fn counted(&self, elapsed_ms: i64) -> Moment {
        self.at.plus_ms(elapsed_ms)
    }

    /// The time after so much of the monotonic clock, when the machine's clock says this.
    fn judge(&mut self, elapsed_ms: i64, wall: Moment) -> Moment {
        let expected = self.counted(elapsed_ms);
        let apart = wall.0.saturating_sub(expected.0).saturating_abs();
        if self.doubt.is_none() && apart > APART_MS + elapsed_ms / STEERED {
            self.doubt = Some(Doubt { expected, found: wall });
        }
        if self.doubt.is_some() { expected } else { wall }
    }
}

/// The house's stored time at opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remembered {
    at: Moment,
    unconfirmed_ms: i64,
    doubt: Option<Doubt>,
}

impl Remembered {
    /// Reads the setting; what cannot be read is as good as nothing.
    pub fn read(setting: Option<Vec<u8>>) -> Remembered {
        let text = setting.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let numbers: Vec<i64> = text.split(' ').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [at, unconfirmed_ms] => Remembered { at: Moment(at), unconfirmed_ms, doubt: None },
            [at, unconfirmed_ms, expected, found] => {
                let doubt = Some(Doubt { expected: Moment(expected), found: Moment(found) });
                Remembered { at: Moment(at), unconfirmed_ms, doubt }
            }
            _ => Remembered::default(),
        }
    }
}

/// The house's time.
pub struct Timepiece {
    kept: Mutex<Kept>,
    /// The time that the house was closed, as far as its clock can tell.
    pub closed_ms: i64,
    /// Sets the machine's clock wrong, for tests.
    shift_ms: Arc<AtomicI64>,
    /// What the database said, and when, where its clock counts and the machine's does not.
    database: Option<Mutex<(Instant, Moment)>>,
}

impl Timepiece {
    /// Starts the clock. `last` is the time of the journal's last record; `database` is the database's time, if
    /// that is the house's.
    pub fn start(
        last: Moment,
        remembered: Remembered,
        (shift_ms, database): (Arc<AtomicI64>, Option<Moment>),
    ) -> Timepiece {
        let wall = database.unwrap_or_else(|| Moment::now().plus_ms(shift_ms.load(Ordering::Relaxed)));
        let (kept, closed_ms) = opened(last, remembered, wall);
        let database = database.map(|now| Mutex::new((Instant::now(), now)));
        Timepiece { kept: Mutex::new(kept), closed_ms, shift_ms, database }
    }

    /// Returns the house clock: this machine's, or the database's as last read plus the time elapsed.
    pub fn wall(&self) -> Moment {
        let Some(database) = &self.database else {
            return Moment::now().plus_ms(self.shift_ms.load(Ordering::Relaxed));
        };
        let (since, then) = *database.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        then.plus_ms(i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    /// Follows the database's time, read at this instant.
    pub(crate) fn follow(&self, then: impl Into<Instant>, said: Moment) {
        if let Some(database) = &self.database {
            *database.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = (then.into(), said);
        }
    }

    fn look<T>(&self, with: impl FnOnce(&mut Kept, Moment) -> T) -> T {
        let wall = self.wall();
        // What it holds is whole after a panic, too.
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let elapsed_ms = i64::try_from(kept.since.elapsed().as_millis()).unwrap_or(i64::MAX);
        let now = kept.judge(elapsed_ms, wall);
        with(&mut kept, now)
    }

    pub fn now(&self) -> Moment {
        self.look(|_, now| now)
    }

    /// Returns the time that has certainly come.
    pub fn confirmed(&self) -> Moment {
        self.look(|kept, now| now.plus_ms(-kept.unconfirmed_ms))
    }

    /// Returns the reason why the time must be confirmed before anyone plays.
    pub fn doubt(&self) -> Option<Doubt> {
        self.look(|kept, _| kept.doubt)
    }

    /// Returns how much of the time is unconfirmed.
    pub fn unconfirmed_ms(&self) -> i64 {
        self.look(|kept, _| kept.unconfirmed_ms)
    }

    /// Returns the time now, the confirmed time, and whether anyone may play.
    pub(crate) fn read(&self) -> (Moment, Moment, bool) {
        self.look(|kept, now| (now, now.plus_ms(-kept.unconfirmed_ms), kept.doubt.is_none()))
    }

    /// Records that an authorized person has confirmed the machine's clock.
    pub fn confirm(&self) {
        let wall = self.wall();
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *kept = Kept { since: Instant::now(), at: wall, unconfirmed_ms: 0, doubt: None };
    }

    /// Returns the row that stores a confirmation at this time of the machine's clock.
    pub fn confirmed_row(machine: Moment) -> Keep {
        Keep::Setting { name: SETTING.into(), value: format!("{} 0", machine.0).into_bytes() }
    }

    /// Returns the row that stores the clock.
    pub fn row(&self) -> Keep {
        let value = self.look(|kept, now| match kept.doubt {
            None => format!("{} {}", now.0, kept.unconfirmed_ms),
            Some(Doubt { expected, found }) => {
                format!("{} {} {} {}", now.0, kept.unconfirmed_ms, expected.0, found.0)
            }
        });
        Keep::Setting { name: SETTING.into(), value: value.into_bytes() }
    }
}

fn opened(last: Moment, remembered: Remembered, wall: Moment) -> (Kept, i64) {
    let last = last.max(remembered.at);
    let since = Instant::now();
    let unconfirmed_ms = remembered.unconfirmed_ms.max(0);
    // Nothing was ever recorded, so any time will do.
    if last == Moment::default() {
        return (Kept { since, at: wall, unconfirmed_ms: 0, doubt: None }, 0);
    }
    let far = wall.plus_ms(APART_MS) < last || last.plus_ms(AHEAD_MS) < wall;
    let doubt = remembered.doubt.or(far.then_some(Doubt { expected: last, found: wall }));
    if doubt.is_some() {
        return (Kept { since, at: last, unconfirmed_ms, doubt }, 0);
    }
    let closed_ms = (wall.0 - last.0).max(0);
    let unconfirmed_ms = unconfirmed_ms.saturating_add(closed_ms);
    (Kept { since, at: wall, unconfirmed_ms, doubt: None }, closed_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;
    const NOON: Moment = Moment(1_800_000_000_000);

    fn running() -> Kept {
        Kept { since: Instant::now(), at: NOON, unconfirmed_ms: 0, doubt: None }
    }

    #[test]
    fn a_clock_that_is_steered_is_followed_and_one_that_jumps_is_not() {
        let mut kept = running();
        assert_eq!(kept.judge(1_000, NOON.plus_ms(1_900)), NOON.plus_ms(1_900));
        assert_eq!(
            kept.judge(DAY, NOON.plus_ms(DAY + 40_000)),
            NOON.plus_ms(DAY + 40_000),
            "half a thousandth"
        );
        assert_eq!(kept.doubt, None);
        for jump in [60 * DAY, -60 * DAY, 10_000, -10_000] {
            let mut kept = running();
            let wall = NOON.plus_ms(1_000 + jump);
            assert_eq!(kept.judge(1_000, wall), NOON.plus_ms(1_000), "the house counts on by itself");
            assert_eq!(kept.doubt, Some(Doubt { expected: NOON.plus_ms(1_000), found: wall }));
            assert_eq!(kept.judge(2_000, NOON.plus_ms(2_000)), NOON.plus_ms(2_000));
            assert!(kept.doubt.is_some(), "also when the clock is right again it has to be confirmed");
        }
    }

    #[test]
    fn time_while_the_house_was_closed_is_not_confirmed() {
        let remembered = Remembered { at: NOON, unconfirmed_ms: 7, doubt: None };
        let (kept, closed) = opened(NOON.plus_ms(-DAY), remembered, NOON.plus_ms(6 * DAY));
        assert_eq!((kept.unconfirmed_ms, closed, kept.doubt), (6 * DAY + 7, 6 * DAY, None));
        let (kept, _) = opened(NOON, Remembered::default(), NOON.plus_ms(-DAY));
        assert_eq!(kept.doubt, Some(Doubt { expected: NOON, found: NOON.plus_ms(-DAY) }));
        assert_eq!(kept.at, NOON);
        let (kept, _) = opened(Moment(0), Remembered::default(), NOON);
        assert_eq!((kept.unconfirmed_ms, kept.doubt), (0, None), "a new house");
    }

    #[test]
    fn where_the_databases_time_counts_the_machines_does_not() {
        let shift = Arc::new(AtomicI64::new(0));
        let timepiece = Timepiece::start(Moment(0), Remembered::default(), (Arc::clone(&shift), Some(NOON)));
        shift.store(60 * DAY, Ordering::Relaxed);
        let apart = timepiece.now().0 - NOON.0;
        assert!((0..60_000).contains(&apart) && timepiece.doubt().is_none(), "{apart}");
        timepiece.follow(Instant::now(), NOON.plus_ms(apart + 700));
        assert!(timepiece.now().0 >= NOON.0 + apart + 700 && timepiece.doubt().is_none(), "it is followed");
        timepiece.follow(Instant::now(), NOON.plus_ms(DAY));
        assert!(timepiece.doubt().is_some(), "and doubted when it jumps");
    }

    #[test]
    fn what_is_remembered_is_read_back_with_its_doubt() {
        let shift = Arc::new(AtomicI64::new(0));
        let timepiece = Timepiece::start(Moment(0), Remembered::default(), (Arc::clone(&shift), None));
        let read = |timepiece: &Timepiece| match timepiece.row() {
            Keep::Setting { value, .. } => Remembered::read(Some(value)),
            other => panic!("{other:?}"),
        };
        assert_eq!(read(&timepiece).doubt, None);
        shift.store(60 * DAY, Ordering::Relaxed);
        let doubt = timepiece.doubt();
        assert!(doubt.is_some());
        assert_eq!(read(&timepiece).doubt, doubt);
        let again = Timepiece::start(Moment(0), read(&timepiece), (Arc::clone(&shift), None));
        assert_eq!(again.doubt(), doubt, "a restart does not confirm it");
        assert!(again.now() < timepiece.wall());
        again.confirm();
        assert_eq!(again.doubt(), None);
        assert_eq!(Remembered::read(Some(b"nonsense".to_vec())), Remembered::default());
    }

    #[test]
    fn two_seconds_are_not_a_jump_and_a_little_more_is() {
        for (apart, jumps) in [(2_000, false), (2_001, true), (-2_000, false), (-2_001, true)] {
            let mut kept = running();
            kept.judge(1_000, NOON.plus_ms(1_000 + apart));
            assert_eq!(kept.doubt.is_some(), jumps, "{apart}");
        }
    }

    #[test]
    fn a_clock_that_was_found_two_seconds_back_has_not_jumped() {
        for (back, jumped) in [(2_000, false), (2_001, true)] {
            let (kept, _) = opened(NOON, Remembered::default(), NOON.plus_ms(-back));
            assert_eq!(kept.doubt.is_some(), jumped, "{back}");
        }
    }

    #[test]
    fn a_clock_more_than_seven_days_ahead_waits_for_a_supervisor() {
        for (ahead, waits) in [(7 * DAY, false), (7 * DAY + 1, true), (400 * DAY, true)] {
            let wall = NOON.plus_ms(ahead);
            let (kept, closed) = opened(NOON, Remembered::default(), wall);
            let doubt = waits.then_some(Doubt { expected: NOON, found: wall });
            assert_eq!(kept.doubt, doubt, "{ahead}");
            // The house counts on from its last time meanwhile.
            let (at, away) = if waits { (NOON, 0) } else { (wall, ahead) };
            assert_eq!((kept.at, closed, kept.unconfirmed_ms), (at, away, away));
        }
        // The journal ends long ago, but the house was open yesterday.
        let yesterday = Remembered { at: NOON, unconfirmed_ms: 0, doubt: None };
        let (kept, _) = opened(NOON.plus_ms(-30 * DAY), yesterday, NOON.plus_ms(DAY));
        assert_eq!(kept.doubt, None);
    }

    #[test]
    fn a_confirmation_survives_a_restart() {
        let wall = NOON.plus_ms(60 * DAY);
        let start = |remembered| Timepiece::start(NOON, remembered, (Arc::default(), Some(wall)));
        assert!(start(Remembered::default()).doubt().is_some());
        let Keep::Setting { value, .. } = Timepiece::confirmed_row(wall) else { panic!("a setting") };
        let again = start(Remembered::read(Some(value)));
        assert_eq!((again.doubt(), again.unconfirmed_ms()), (None, 0));
    }

    #[test]
    fn what_nobody_has_confirmed_has_not_certainly_come() {
        let remembered = Remembered { at: NOON, unconfirmed_ms: 7, doubt: None };
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
    fn what_is_remembered_may_be_free_of_doubt() {
        let read = |text: &str| Remembered::read(Some(text.as_bytes().to_vec()));
        assert_eq!(read("12 3"), Remembered { at: Moment(12), unconfirmed_ms: 3, doubt: None });
        assert_eq!(read("12"), Remembered::default());
        assert_eq!(read("12 3 4"), Remembered::default());
    }
}
