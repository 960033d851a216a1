//! Implements card counting: tags, the true count, and the bet at each count.

use crate::isa::{CommonCounts, NEAR};
use crate::rng::LANES;
use program::Program;
use program::hand::{LEAST_COUNT, MOST_COUNT};

/// What the running count is divided by to give the count for bets and index plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Divisor {
    /// The running count is not divided.
    None,
    /// The running count is divided by the number of decks left.
    #[default]
    Decks,
    /// The running count is divided by the number of half decks left.
    HalfDecks,
}

/// How a count is rounded to a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounding {
    /// Rounding down to a whole number.
    #[default]
    Down,
    /// Rounding towards zero, which drops the fraction.
    TowardsZero,
    /// Rounding to the nearest whole number.
    Nearest,
}

/// A counting system: a tag for each rank.
///
/// The ace comes first, then two to ten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// The name of the system, such as `hi-lo`.
    pub name: String,
    /// The tags of the ranks, multiplied by `scale`.
    ///
    /// The ace comes first, then two to nine, then ten values. The factor turns fractions into whole numbers.
    pub tags: [i8; 10],
    /// The factor by which all tags are multiplied to be whole numbers.
    pub scale: u8,
    /// The running count at the start of a shoe, for each deck beyond the first; unused if `start` is given.
    pub start_per_deck: i32,
    /// The running count at the start of a shoe, or `None` to compute it from `start_per_deck`.
    pub start: Option<i32>,
    /// The divisor of the running count.
    pub divisor: Divisor,
    /// How the quotient is rounded.
    pub rounding: Rounding,
}

/// The named counting systems: name, tags, start per deck and divisor.
pub const SYSTEMS: [(&str, [i8; 10], i32, Divisor); 6] = [
    ("hi-lo", [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1], 0, Divisor::Decks),
    ("ko", [-1, 1, 1, 1, 1, 1, 1, 0, 0, -1], -4, Divisor::None),
    ("hi-opt-1", [0, 0, 1, 1, 1, 1, 0, 0, 0, -1], 0, Divisor::Decks),
    ("hi-opt-2", [0, 1, 1, 2, 2, 1, 1, 0, 0, -2], 0, Divisor::Decks),
    ("omega-2", [0, 1, 1, 2, 2, 2, 1, 0, -1, -2], 0, Divisor::Decks),
    ("zen", [-1, 1, 1, 2, 2, 2, 1, 0, 0, -2], 0, Divisor::Decks),
];

impl System {
    /// Parses a counting system from its name or its ten tags.
    ///
    /// The tags are separated by commas, from the ace to the ten value. Returns an error for any other text.
    pub fn parse(text: &str) -> Result<System, String> {
        if let Some(&(name, tags, start_per_deck, divisor)) = SYSTEMS.iter().find(|s| s.0 == text) {
            return Ok(System {
                name: name.into(),
                tags,
                scale: 1,
                start_per_deck,
                start: None,
                divisor,
                rounding: Rounding::default(),
            });
        }
        let tags: Vec<f64> = text.split(',').filter_map(|tag| tag.trim().parse().ok()).collect();
        let tags = <[f64; 10]>::try_from(tags).ok().filter(|tags| tags.iter().all(|tag| tag.abs() <= 9.0));
        match tags.and_then(|tags| scaled(&tags)) {
            Some((tags, scale)) => Ok(System {
                name: text.into(),
                tags,
                scale,
                start_per_deck: 0,
                start: None,
                divisor: Divisor::Decks,
                rounding: Rounding::default(),
            }),
            None => Err(match SYSTEMS.iter().find(|system| letters(system.0) == letters(text)) {
                Some(meant) => format!("unknown count `{text}`; did you mean `{}`?", meant.0),
                None => format!(
                    "unknown count `{text}`; expected {}, or ten tags from -9 to 9 for A,2,3,4,5,6,7,8,9,T, \
                     fractions such as 0.5 allowed",
                    SYSTEMS.map(|s| s.0).join(", ")
                ),
            }),
        }
    }
}

impl System {
    /// Returns the running count at the start of a shoe with `decks` decks, multiplied by `scale` like the tags.
    pub fn at_start(&self, decks: i32) -> i32 {
        self.start.unwrap_or(self.start_per_deck * (decks - 1)) * i32::from(self.scale)
    }
}

/// Returns the letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the tags as whole numbers, and the factor by which they were multiplied.
///
/// Returns `None` if no factor up to 10 makes all tags whole.
fn scaled(tags: &[f64; 10]) -> Option<([i8; 10], u8)> {
    let whole = |scale: &u8| {
        tags.iter().all(|tag| ((tag * f64::from(*scale)).round() - tag * f64::from(*scale)).abs() < 1e-9)
    };
    let scale = (1..=10).find(whole)?;
    Some((tags.map(|tag| (tag * f64::from(scale)).round() as i8), scale))
}

/// A bet ramp: pairs of a count and of the bet from that count on, in initial bets.
///
/// The last pair whose count is not above the current count applies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ramp(pub Vec<(i32, u32)>);

impl Ramp {
    /// Parses a ramp of counts and bets, such as `1:1,2:4,3:8`.
    ///
    /// Below the first count the first bet applies. A bet of zero means that the round is not bet on. Returns an
    /// error if the text has another form or a number exceeds 1000.
    pub fn parse(text: &str) -> Result<Ramp, String> {
        let bad = || {
            format!(
                "invalid bet ramp `{text}`; expected counts and bets such as 1:1,2:4,3:8, at most 1000 each"
            )
        };
        let mut rows = Vec::new();
        for part in text.split(',') {
            let (count, stake) = part.split_once(':').ok_or_else(bad)?;
            let count = count.trim().parse::<i32>().map_err(|_| bad())?;
            let stake = stake.trim().parse::<u32>().map_err(|_| bad())?;
            if stake > 1000 || count.abs() > 1000 {
                return Err(bad());
            }
            rows.push((count, stake));
        }
        rows.sort_unstable();
        Ok(Ramp(rows))
    }

    /// Returns the bet at `count`, in initial bets.
    pub fn at(&self, count: i32) -> u32 {
        let below = self.0.iter().rev().find(|row| row.0 <= count);
        below.or(self.0.first()).map_or(1, |row| row.1)
    }
}

/// The number of count buckets: one per count from [`LEAST_COUNT`] to [`MOST_COUNT`].
pub const BUCKETS: usize = (MOST_COUNT - LEAST_COUNT + 1) as usize;
/// The maximum size in bytes of the lookup table from running counts to buckets.
const MOST_BYTES: usize = 1 << 22;

/// A counting system and a bet ramp, compiled for a table.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The counting system.
    pub system: System,
    /// The tag of each face.
    pub tags: Vec<i32>,
    /// The tag of each face, as an array of fixed length for the fast engine.
    pub tag_of: [i8; LANES],
    /// The running count at the start of a shoe.
    pub start: i32,
    /// The bet for each count bucket, in initial bets.
    pub stakes: [u32; BUCKETS],
    /// The largest absolute running count that `buckets` covers; running counts beyond it are clamped to it.
    reach: i32,
    /// The count bucket, indexed by number of cards dealt, then by running count from `-reach` to `reach`.
    buckets: Vec<u8>,
    /// The count buckets of the common running counts, indexed by number of cards dealt, for the fast engine.
    pub near: Vec<CommonCounts>,
}

impl Counting {
    /// Compiles a counting system and a bet ramp for a table.
    pub fn new(program: &Program, system: &System, ramp: &Ramp) -> Counting {
        let deck: u32 = program.faces.faces.iter().map(|face| face.1).sum();
        let cards = program.stack.cards;
        let start = system.at_start(program.decks as i32);
        let faces = &program.faces.faces;
        let tags: Vec<i32> =
            faces.iter().map(|face| i32::from(system.tags[face.0.value() as usize - 1])).collect();
        let all: i32 = tags.iter().zip(faces).map(|(tag, face)| tag.abs() * face.1 as i32).sum();
        // no running count of a shoe exceeds this; only for huge shoes does the limit on bytes cut it off
        let room = MOST_BYTES / (cards + 1) / 2;
        let reach = (start.abs() + all * program.decks as i32).min(room as i32);
        let mut buckets = Vec::with_capacity((cards + 1) * width(reach));
        for dealt in 0..=cards {
            let left = (cards - dealt).max(1) as f64 / f64::from(deck);
            for running in -reach..=reach {
                let count = count_of(system, running, left);
                buckets.push((count - LEAST_COUNT) as u8);
            }
        }
        let mut tag_of = [0; LANES];
        for (place, &tag) in tag_of.iter_mut().zip(&tags) {
            *place = tag as i8;
        }
        let mut counting = Counting {
            system: system.clone(),
            tags,
            tag_of,
            near: Vec::new(),
            start,
            reach,
            stakes: std::array::from_fn(|bucket| ramp.at(bucket as i32 + LEAST_COUNT)),
            buckets,
        };
        counting.near = (0..=cards).map(|dealt| counting.near_row(dealt)).collect();
        counting
    }

    fn near_row(&self, dealt: usize) -> CommonCounts {
        let mut row = CommonCounts([0; NEAR]);
        for running in -(NEAR as i16)..NEAR as i16 {
            if let Some(place) = CommonCounts::place(running) {
                row.0[place] = self.bucket(i32::from(running), dealt) as u8;
            }
        }
        row
    }

    /// Returns the largest absolute running count in the lookup table of buckets.
    pub fn reach(&self) -> i32 {
        self.reach
    }

    /// Returns the count bucket of a running count after `dealt` cards.
    #[inline(always)]
    pub fn bucket(&self, running: i32, dealt: usize) -> usize {
        let at = dealt * width(self.reach) + (running.clamp(-self.reach, self.reach) + self.reach) as usize;
        usize::from(self.buckets.get(at).copied().unwrap_or(0))
    }

    /// Returns the true count for a running count after `dealt` cards.
    pub fn count(&self, running: i32, dealt: usize) -> i32 {
        self.bucket(running, dealt) as i32 + LEAST_COUNT
    }
}

fn width(reach: i32) -> usize {
    2 * reach as usize + 1
}

/// Returns the count for bets and index plays, from the running count and the number of decks left.
pub fn count_of(system: &System, running: i32, decks_left: f64) -> i32 {
    let running = f64::from(running) / f64::from(system.scale);
    let exact = match system.divisor {
        Divisor::None => running,
        Divisor::Decks => running / decks_left,
        Divisor::HalfDecks => running / (2.0 * decks_left),
    };
    let whole = match system.rounding {
        Rounding::Down => exact.floor(),
        Rounding::TowardsZero => exact.trunc(),
        Rounding::Nearest => exact.round(),
    };
    (whole as i32).clamp(LEAST_COUNT, MOST_COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_its_hyphen_is_told_how_it_is_written() {
        for (text, name) in [("hilo", "`hi-lo`"), ("HI OPT 2", "`hi-opt-2`"), ("Omega2", "`omega-2`")] {
            assert!(System::parse(text).unwrap_err().contains(name), "{text}");
        }
        assert!(System::parse("wong").unwrap_err().contains("expected hi-lo, "));
    }

    #[test]
    fn balanced_systems_sum_to_zero_over_a_deck() {
        for (name, tags, start, _) in SYSTEMS {
            let sum: i32 = tags[..9].iter().map(|&t| 4 * i32::from(t)).sum::<i32>() + 16 * i32::from(tags[9]);
            assert_eq!(sum, -start, "{name}");
        }
    }

    #[test]
    fn every_running_count_of_a_shoe_has_its_true_count() {
        let choices = rules::preset::preset("nj-blackjack").unwrap();
        let chart = program::infinite_deck::infinite_deck_chart(&choices);
        let program = program::compile(&choices, &chart, &program::CompileOptions::default()).unwrap();
        let mut system = System::parse("9,9,9,9,9,9,-9,-9,-9,-9").unwrap();
        let decks = Counting::new(&program, &system, &Ramp::default());
        system.divisor = Divisor::HalfDecks;
        let halves = Counting::new(&program, &system, &Ramp::default());
        // with eight decks left, and in the last line with one
        assert_eq!([-23, 160, 999].map(|running| decks.count(running, 0)), [-3, 20, MOST_COUNT]);
        assert_eq!([-23, 320, 2000].map(|running| halves.count(running, 0)), [-2, 20, MOST_COUNT]);
        assert_eq!([-13, 13, 7].map(|running| halves.count(running, 364)), [-7, 6, 3]);
        let mut ko = System::parse("ko").unwrap();
        assert_eq!(Counting::new(&program, &ko, &Ramp::default()).start, -28);
        ko.start = Some(-20);
        assert_eq!(Counting::new(&program, &ko, &Ramp::default()).start, -20);
    }

    #[test]
    fn ramps_and_tags_are_read() {
        let ramp = Ramp::parse("1:1, 2:4,4:12").unwrap();
        assert_eq!([-3, 1, 2, 3, 9].map(|c| ramp.at(c)), [1, 1, 4, 4, 12]);
        assert!(Ramp::parse("x").is_err() && System::parse("1,2").is_err());
        assert_eq!(System::parse("-1,1,1,1,1,1,0,0,0,-1").unwrap().tags, SYSTEMS[0].1);
        assert!(
            System::parse("-1,1,1,1,1,1,0,0,0,x").is_err() && System::parse("10,1,1,1,1,1,0,0,0,1").is_err()
        );
    }

    /// Checks that fractional tags count at their true value.
    ///
    /// Tags with halves are stored doubled, and the count is divided by two.
    #[test]
    fn tags_may_be_fractions() {
        let halves = System::parse("-1,0.5,1,1,1.5,1,0.5,0,-0.5,-1").unwrap();
        assert_eq!((halves.tags, halves.scale), ([-2, 1, 2, 2, 3, 2, 1, 0, -1, -2], 2));
        let choices = rules::preset::preset("nj-blackjack").unwrap();
        let chart = program::infinite_deck::infinite_deck_chart(&choices);
        let program = program::compile(&choices, &chart, &program::CompileOptions::default()).unwrap();
        let mut doubled = System::parse("-2,1,2,2,3,2,1,0,-1,-2").unwrap();
        let counting = |system: &System| Counting::new(&program, system, &Ramp::default());
        assert_eq!(counting(&halves).count(17, 208), counting(&doubled).count(8, 208));
        (doubled.start, doubled.divisor) = (Some(3), Divisor::None);
        assert_eq!(counting(&System { start: Some(3), divisor: Divisor::None, ..halves }).start, 6);
        assert_eq!(counting(&doubled).start, 3);
    }
}
