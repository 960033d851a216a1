//! Writes values as lines, a word and then its fields, and parses them back.

use crate::ids::{Bettor, BoxId, HandNumber, Person, Spots};
use rules::{Card, Cents, SideBet};
use std::fmt::{Display, Write as _};
use std::str::FromStr;

/// The word that stands for no box or no person.
pub const NOBODY: &str = "-";

/// A value that is written and parsed as a series of words, such as `decide 3 1 hit`.
pub trait LineCodec: Sized {
    /// Appends the value's words to a line.
    fn write(&self, to: &mut LineWriter<'_>);

    /// Parses the value from the next words of a line.
    ///
    /// Returns `None` if the words are no value of this type.
    fn parse(from: &mut LineParser<'_, '_>) -> Option<Self>;

    /// Returns the sample value with this number.
    ///
    /// Counting up from zero covers every variant with every nested variant.
    #[cfg(test)]
    fn sample(number: usize) -> Self;

    /// Returns the value as a line, in which `name` gives the name of each person.
    fn to_line(&self, name: &dyn Fn(Person) -> String) -> String {
        let mut to = LineWriter { line: String::new(), name };
        self.write(&mut to);
        to.line
    }

    /// Parses a line, or returns `None` if it is not exactly one value. `who` looks up a person by name.
    fn from_line(line: &str, who: &mut dyn FnMut(&str) -> Option<Person>) -> Option<Self> {
        let mut words = line.split(' ');
        let value = Self::parse(&mut LineParser { words: &mut words, who })?;
        words.next().is_none().then_some(value)
    }

    /// Parses the value at the start of the words, and ignores the words after it. Returns `None` if there is no
    /// value.
    fn parse_prefix<'w>(
        mut words: impl Iterator<Item = &'w str>,
        who: &mut dyn FnMut(&str) -> Option<Person>,
    ) -> Option<Self> {
        Self::parse(&mut LineParser { words: &mut words, who })
    }
}

/// A line that is being written.
pub struct LineWriter<'a> {
    line: String,
    name: &'a dyn Fn(Person) -> String,
}

impl LineWriter<'_> {
    pub(super) fn push(&mut self, word: impl Display) {
        let space = if self.line.is_empty() { "" } else { " " };
        // writing to a string cannot fail
        let _ = write!(self.line, "{space}{word}");
    }
}

/// A line that is being read.
pub struct LineParser<'a, 'w> {
    pub(super) words: &'a mut (dyn Iterator<Item = &'w str> + 'a),
    who: &'a mut dyn FnMut(&str) -> Option<Person>,
}

impl LineParser<'_, '_> {
    fn parse_next<T: FromStr>(&mut self) -> Option<T> {
        self.words.next()?.parse().ok()
    }
}

/// Parses a flag written as one of two words, or returns `None` for other words.
pub(super) fn parse_flag(from: &mut LineParser<'_, '_>, yes: &str, no: &str) -> Option<bool> {
    match from.words.next()? {
        word if word == yes => Some(true),
        word if word == no => Some(false),
        _ => None,
    }
}

/// Implements `LineCodec` for types with `Display` and `FromStr`.
///
/// A newtype around a number is written as that number.
macro_rules! shown {
    ($($type:ty $(, $name:ident)? = $sample:expr;)+) => { $(
        impl LineCodec for $type {
            fn write(&self, to: &mut LineWriter<'_>) {
                to.push(shown!(@inner self $($name)?));
            }

            fn parse(from: &mut LineParser<'_, '_>) -> Option<$type> {
                from.parse_next()$(.map($name))?
            }

            #[cfg(test)]
            fn sample(number: usize) -> $type {
                $sample(number)
            }
        }
    )+ };
    (@inner $value:ident) => { $value };
    (@inner $value:ident $name:ident) => { $value.0 };
}

shown! {
    u16 = |number| number as u16;
    bool = |number| number % 2 == 1;
    Card = |number| Card::from_index(number as u8 % 52).expect("a card");
    BoxId, BoxId = |number| BoxId(number as u8);
    Bettor, Bettor = |number| Bettor(number as u8);
    HandNumber, HandNumber = |number| HandNumber(number as u8);
    Cents, Cents = |number| Cents(number as i64 * 5);
}

impl LineCodec for [Cents; 3] {
    fn write(&self, to: &mut LineWriter<'_>) {
        self.iter().for_each(|amount| amount.write(to));
    }

    fn parse(from: &mut LineParser<'_, '_>) -> Option<[Cents; 3]> {
        Some([Cents::parse(from)?, Cents::parse(from)?, Cents::parse(from)?])
    }

    #[cfg(test)]
    fn sample(number: usize) -> [Cents; 3] {
        [number, number + 1, 0].map(Cents::sample)
    }
}

/// Writes the spots as words at the end of a line; no words mean all spots.
impl LineCodec for Spots {
    fn write(&self, to: &mut LineWriter<'_>) {
        self.names().for_each(|word| to.push(word));
    }

    fn parse(from: &mut LineParser<'_, '_>) -> Option<Spots> {
        Spots::from_names(std::iter::from_fn(|| from.words.next()))
    }

    #[cfg(test)]
    fn sample(number: usize) -> Spots {
        let words = Spots::NAMES.into_iter().enumerate().filter(|(spot, _)| (number >> spot) % 2 == 1);
        Spots::from_names(words.map(|(_, word)| word)).expect("a command parses its own words")
    }
}

impl LineCodec for SideBet {
    fn write(&self, to: &mut LineWriter<'_>) {
        to.push(self.name());
    }

    fn parse(from: &mut LineParser<'_, '_>) -> Option<SideBet> {
        SideBet::from_name(from.words.next()?)
    }

    #[cfg(test)]
    fn sample(number: usize) -> SideBet {
        SideBet::ALL[number % SideBet::ALL.len()]
    }
}

impl LineCodec for Person {
    fn write(&self, to: &mut LineWriter<'_>) {
        let name = (to.name)(*self);
        to.push(name);
    }

    fn parse(from: &mut LineParser<'_, '_>) -> Option<Person> {
        (from.who)(from.words.next()?)
    }

    #[cfg(test)]
    fn sample(number: usize) -> Person {
        Person(number as u32)
    }
}

/// Writes a box as its number, and no box as [`NOBODY`].
impl LineCodec for Option<BoxId> {
    fn write(&self, to: &mut LineWriter<'_>) {
        match self {
            Some(box_id) => box_id.write(to),
            None => to.push(NOBODY),
        }
    }

    fn parse(from: &mut LineParser<'_, '_>) -> Option<Option<BoxId>> {
        match from.words.next()? {
            NOBODY => Some(None),
            number => number.parse().ok().map(|number| Some(BoxId(number))),
        }
    }

    #[cfg(test)]
    fn sample(number: usize) -> Option<BoxId> {
        (number % 2 == 1).then(|| BoxId::sample(number))
    }
}
