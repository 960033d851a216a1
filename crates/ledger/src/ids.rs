//! Newtypes for ids, amounts and times: people, tables, rounds, records.
//!
//! These types have no behavior beyond conversion.

/// An amount of chips in whole cents, re-exported from `rules`.
pub use rules::Cents;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The number of a person known to the house.
///
/// `PersonId::HOUSE` is the platform itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonId(pub i64);

impl PersonId {
    pub const HOUSE: PersonId = PersonId(0);
}

/// The number of a table in the house, starting at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u32);

/// The sequence of events that a record belongs to: the house's own, or one table's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    House,
    Table(TableId),
}

impl Stream {
    pub fn number(self) -> i64 {
        match self {
            Stream::House => 0,
            Stream::Table(TableId(n)) => i64::from(n),
        }
    }

    pub fn from_number(n: i64) -> Option<Stream> {
        match n {
            0 => Some(Stream::House),
            _ => u32::try_from(n).ok().map(|n| Stream::Table(TableId(n))),
        }
    }
}

/// The number of a round at a table, or 0 for a record that belongs to no round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoundNo(pub i64);

/// The number of a record: its position in the journal, from 1 without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub i64);

/// A point in time, in milliseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    pub fn now() -> Moment {
        crate::world::wall_clock()
    }

    pub fn plus_ms(self, ms: i64) -> Moment {
        Moment(self.0.saturating_add(ms))
    }
}

/// A gaming day, in days since 1970-01-01.
///
/// A gaming day begins at the time of day at which the house's day starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GamingDay(pub i64);

const DAY_MS: i64 = 86_400_000;

impl GamingDay {
    pub fn at(moment: Moment, starts_after_midnight_ms: i64) -> GamingDay {
        GamingDay(moment.0.saturating_sub(starts_after_midnight_ms).div_euclid(DAY_MS))
    }
}

/// The prefix of command ids that the house creates.
const OWN: char = '~';

/// The id of a command, unique per person.
///
/// Clients' ids consist of letters, digits and a few signs; the house's own ids begin with `~`, which clients cannot
/// use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(Arc<str>);

impl CommandId {
    /// Parses a client's id, which has 1 to 64 letters, digits, `-`, `_`, `.` or `:`. Returns `None` for other
    /// text.
    pub fn new(text: &str) -> Option<CommandId> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':');
        let lawful = (1..=64).contains(&text.len()) && text.bytes().all(fits);
        lawful.then(|| CommandId(text.into()))
    }

    /// Returns the id of a house command: `text` with the prefix `~`.
    ///
    /// Returns `None` if `text` is not a valid client's id.
    pub fn own(text: &str) -> Option<CommandId> {
        CommandId::new(text).map(|CommandId(text)| CommandId(format!("{OWN}{text}").into()))
    }

    /// Parses a stored command id, either a client's or the house's. Returns `None` for other text.
    pub fn stored(text: &str) -> Option<CommandId> {
        match text.strip_prefix(OWN) {
            Some(own) => CommandId::own(own),
            None => CommandId::new(text),
        }
    }

    /// Returns a new id for a command of the house itself.
    ///
    /// Ids increase with time.
    pub fn fresh() -> Result<CommandId, getrandom::Error> {
        let mut bytes = [0u8; 8];
        crate::world::fill_random(&mut bytes)?;
        Ok(CommandId(format!("{OWN}{:012x}-{:016x}", Moment::now().0, u64::from_be_bytes(bytes)).into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gaming_day_starts_when_the_house_says() {
        let six = 6 * 3_600_000;
        assert_eq!(GamingDay::at(Moment(DAY_MS + six - 1), six), GamingDay(0));
        assert_eq!(GamingDay::at(Moment(DAY_MS + six), six), GamingDay(1));
    }

    #[test]
    fn a_stream_and_its_number_stand_for_each_other() {
        for stream in [Stream::House, Stream::Table(TableId(1)), Stream::Table(TableId(u32::MAX))] {
            assert_eq!(Stream::from_number(stream.number()), Some(stream));
        }
        assert_eq!((Stream::from_number(-1), Stream::from_number(1 << 32)), (None, None));
    }

    #[test]
    fn command_ids_are_short_and_plain() {
        assert!(CommandId::new("0190-abc_def.1:2").is_some());
        for bad in ["", "a b", "é", "~a", &"x".repeat(65)] {
            assert!(CommandId::new(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn no_client_writes_a_name_of_the_house() {
        let own = [CommandId::own("seal-1").expect("lawful"), CommandId::fresh().expect("entropy")];
        for own in own {
            assert_eq!(CommandId::new(own.as_str()), None, "{own:?}");
            assert_eq!(CommandId::stored(own.as_str()), Some(own));
        }
        assert_eq!(CommandId::stored("a"), CommandId::new("a"));
        assert_eq!((CommandId::stored("~"), CommandId::stored("~~a")), (None, None));
    }
}
