//! Writes values as lines, a word and then its fields, and parses them back.

use crate::ids::{Bettor, BoxId, HandNumber, Person, Spots};
use rules::{Card, Cents, SideBet};
use std::fmt::{Display, Write as _};
use std::str::FromStr;

/// The word that stands for no box or no person.
pub const NOBODY: &str = "-";

/// A value that can be written as a line of words, such as `decide 3 1 hit`, and parsed back.
pub trait Spoken: Sized {
    /// Appends the value's words to a line.
    fn say(&self, to: &mut Saying<'_>);

    /// Parses the value from the next words of a line.
    ///
    /// Returns `None` if the words are something else.
    fn hear(from: &mut Hearing<'_, '_>) -> Option<Self>;

    /// Returns a sample value; enough numbers cover every variant with every nested variant.
    #[cfg(test)]
    fn sample(number: usize) -> Self;

    /// Returns the value as a line. `name` returns the name of a person.
    fn said(&self, name: &dyn Fn(Person) -> String) -> String {
        let mut to = Saying { line: String::new(), name };
        self.say(&mut to);
        to.line
    }

    /// Parses a line, or returns `None` if it contains anything else. `who` resolves a person's name.
    fn heard(line: &str, who: &mut dyn FnMut(&str) -> Option<Person>) -> Option<Self> {
        let mut words = line.split(' ');
        let heard = Self::hear(&mut Hearing { words: &mut words, who })?;
        words.next().is_none().then_some(heard)
    }

    /// Parses the value at the start of the words, and ignores the words after it.
    fn begun<'w>(
        mut words: impl Iterator<Item = &'w str>,
        who: &mut dyn FnMut(&str) -> Option<Person>,
    ) -> Option<Self> {
        Self::hear(&mut Hearing { words: &mut words, who })
    }
}

/// A line that is being written.
pub struct Saying<'a> {
    line: String,
    name: &'a dyn Fn(Person) -> String,
}

impl Saying<'_> {
    pub(super) fn push(&mut self, word: impl Display) {
        let space = if self.line.is_empty() { "" } else { " " };
        // writing to a string cannot fail
        let _ = write!(self.line, "{space}{word}");
    }
}

/// A line that is being read.
pub struct Hearing<'a, 'w> {
    pub(super) words: &'a mut (dyn Iterator<Item = &'w str> + 'a),
    who: &'a mut dyn FnMut(&str) -> Option<Person>,
}

impl Hearing<'_, '_> {
    fn parsed<T: FromStr>(&mut self) -> Option<T> {
        self.words.next()?.parse().ok()
    }
}

/// Parses a flag that is written as one of two words, or returns `None` for any other word.
pub(super) fn either(from: &mut Hearing<'_, '_>, yes: &str, no: &str) -> Option<bool> {
    match from.words.next()? {
        word if word == yes => Some(true),
        word if word == no => Some(false),
        _ => None,
    }
}

/// Implements `Spoken` for types with `Display` and `FromStr`.
///
/// A newtype around a number is written as that number.
macro_rules! shown {
    ($($type:ty $(, $name:ident)? = $sample:expr;)+) => { $(
        impl Spoken for $type {
            fn say(&self, to: &mut Saying<'_>) {
                to.push(shown!(@inner self $($name)?));
            }

            fn hear(from: &mut Hearing<'_, '_>) -> Option<$type> {
                from.parsed()$(.map($name))?
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

impl Spoken for [Cents; 3] {
    fn say(&self, to: &mut Saying<'_>) {
        self.iter().for_each(|amount| amount.say(to));
    }

    fn hear(from: &mut Hearing<'_, '_>) -> Option<[Cents; 3]> {
        Some([Cents::hear(from)?, Cents::hear(from)?, Cents::hear(from)?])
    }

    #[cfg(test)]
    fn sample(number: usize) -> [Cents; 3] {
        [number, number + 1, 0].map(Cents::sample)
    }
}

/// Writes the spots as words at the end of a line; no words mean all spots.
impl Spoken for Spots {
    fn say(&self, to: &mut Saying<'_>) {
        self.words().for_each(|word| to.push(word));
    }

    fn hear(from: &mut Hearing<'_, '_>) -> Option<Spots> {
        Spots::named(std::iter::from_fn(|| from.words.next()))
    }

    #[cfg(test)]
    fn sample(number: usize) -> Spots {
        let words = Spots::WORDS.into_iter().enumerate().filter(|(spot, _)| (number >> spot) % 2 == 1);
        Spots::named(words.map(|(_, word)| word)).expect("a command parses its own words")
    }
}

impl Spoken for SideBet {
    fn say(&self, to: &mut Saying<'_>) {
        to.push(self.name());
    }

    fn hear(from: &mut Hearing<'_, '_>) -> Option<SideBet> {
        SideBet::from_name(from.words.next()?)
    }

    #[cfg(test)]
    fn sample(number: usize) -> SideBet {
        SideBet::ALL[number % SideBet::ALL.len()]
    }
}

impl Spoken for Person {
    fn say(&self, to: &mut Saying<'_>) {
        let name = (to.name)(*self);
        to.push(name);
    }

    fn hear(from: &mut Hearing<'_, '_>) -> Option<Person> {
        (from.who)(from.words.next()?)
    }

    #[cfg(test)]
    fn sample(number: usize) -> Person {
        Person(number as u32)
    }
}

/// Writes a box as its number, and no box as [`NOBODY`].
impl Spoken for Option<BoxId> {
    fn say(&self, to: &mut Saying<'_>) {
        match self {
            Some(box_id) => box_id.say(to),
            None => to.push(NOBODY),
        }
    }

    fn hear(from: &mut Hearing<'_, '_>) -> Option<Option<BoxId>> {
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
