//! Maps people at a table between the rules engine's numbers and the house's.
//!
//! The rules engine numbers them from one; the house identifies them by their own number and the kind of chips they
//! play with.

use ledger::{Account, Chips, PersonId};
use table::Person;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub person: PersonId,
    pub chips: Chips,
}

impl Seat {
    pub fn purse(self) -> Account {
        Account::player(self.chips, self.person)
    }
}

/// The numbers by which views and histories name people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Numbers {
    /// The person's number at this table, from -1 down.
    ///
    /// The house's number would let strangers follow a player across tables.
    #[default]
    OfTable,
    /// The house's own number of the person, which a private table shows.
    OfHouse,
    /// The numbers that the person who asks for a finished round may know.
    Known(Vec<PersonId>),
}

/// The people at a table and their kinds of chips, ordered by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    seats: Vec<Seat>,
    numbers: Numbers,
}

impl Seats {
    /// Returns the seats of a private table, whose only viewer may know everyone's number.
    pub fn private() -> Seats {
        Seats { seats: Vec::new(), numbers: Numbers::OfHouse }
    }

    /// Returns the rules engine's number for a seat, and assigns a new number if the seat has none.
    ///
    /// A seat is a person with one kind of chips.
    pub fn meet(&mut self, seat: Seat) -> Person {
        let known = self.seats.iter().position(|s| *s == seat);
        let at = known.unwrap_or_else(|| {
            self.seats.push(seat);
            self.seats.len() - 1
        });
        Person(u32::try_from(at + 1).unwrap_or(u32::MAX))
    }

    /// Returns whether a seat has a number at the table.
    pub fn knows(&self, seat: Seat) -> bool {
        self.seats.contains(&seat)
    }

    /// Removes `seat` if it is the last seat.
    pub fn forget_last(&mut self, seat: Seat) {
        if self.seats.last() == Some(&seat) {
            self.seats.pop();
        }
    }

    /// Returns all seats in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats.iter().copied()
    }

    /// Returns the same seats with the public numbers that `number` gives.
    pub fn renumbered(&self, number: impl Fn(PersonId) -> PersonId) -> Seats {
        let numbers = Numbers::Known(self.seats.iter().map(|seat| number(seat.person)).collect());
        Seats { seats: self.seats.clone(), numbers }
    }

    pub fn number(&self, person: PersonId) -> Option<Person> {
        let at = self.seats.iter().position(|s| s.person == person)?;
        u32::try_from(at + 1).ok().map(Person)
    }

    /// Returns the person with this public number or, if there is none, with this house number.
    ///
    /// Returns `None` if nobody at the table has the number.
    pub fn person_of_public_number(&self, number: PersonId) -> Option<Person> {
        let people = (1..).map(Person).take(self.seats.len());
        people
            .into_iter()
            .find(|person| self.public_number(*person) == Some(number))
            .or_else(|| self.number(number))
    }

    pub fn seat(&self, person: Person) -> Option<Seat> {
        self.seats.get(Seats::place(person)?).copied()
    }

    /// Returns the public number by which views name this person, or `None` if the person has no seat.
    pub fn public_number(&self, person: Person) -> Option<PersonId> {
        let at = Seats::place(person)?;
        let seat = self.seats.get(at)?;
        Some(match &self.numbers {
            Numbers::OfTable => of_table(at),
            Numbers::OfHouse => seat.person,
            Numbers::Known(numbers) => *numbers.get(at)?,
        })
    }

    fn place(person: Person) -> Option<usize> {
        usize::try_from(person.0).ok()?.checked_sub(1)
    }

    /// Returns the people's house numbers, in the order of their numbers at the table.
    pub fn people(&self) -> Vec<PersonId> {
        self.seats.iter().map(|seat| seat.person).collect()
    }
}

/// Returns the number by which views name the person at this place: -1 for the first.
fn of_table(at: usize) -> PersonId {
    PersonId(-1 - i64::try_from(at).unwrap_or(i64::MAX - 1))
}

/// Returns a table's view in which `reader` has the house's number instead of the table's.
///
/// Returns `None` if the view does not name that person. No text of a person can contain the pattern, because its
/// quotation marks would be escaped.
pub fn with_own_number(document: &str, people: &[PersonId], reader: PersonId) -> Option<String> {
    let mut own: Option<String> = None;
    for (at, _) in people.iter().enumerate().filter(|(_, person)| **person == reader) {
        for end in [',', '}'] {
            let text = own.as_deref().unwrap_or(document);
            let named = format!("\"person\":{}{end}", of_table(at).0);
            if text.contains(&named) {
                own = Some(text.replace(&named, &format!("\"person\":{}{end}", reader.0)));
            }
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_reads_their_own_number_and_nobody_elses() {
        let mut seats = Seats::default();
        for person in [41, 52, 41] {
            let chips = if seats.people().is_empty() { Chips::Cash } else { Chips::Play };
            seats.meet(Seat { person: PersonId(person), chips });
        }
        let document =
            r#"[{"person":-1,"name":"\"person\":-1,"},{"person":-2},{"x":1,"person":-3},{"person":-33}]"#;
        let own = |reader| with_own_number(document, &seats.people(), PersonId(reader));
        assert_eq!(
            own(41).expect("their own"),
            r#"[{"person":41,"name":"\"person\":-1,"},{"person":-2},{"x":1,"person":41},{"person":-33}]"#
        );
        assert!(own(52).expect("their own").contains(r#"{"person":52},{"x":1,"person":-3}"#));
        assert_eq!(own(7), None, "somebody who watches");
    }

    #[test]
    fn a_number_names_one_person() {
        let mut seats = Seats::default();
        let ann = seats.meet(Seat { person: PersonId(41), chips: Chips::Cash });
        assert_eq!(
            (seats.public_number(ann), seats.person_of_public_number(PersonId(-1))),
            (Some(PersonId(-1)), Some(ann))
        );
        assert_eq!(
            (seats.person_of_public_number(PersonId(41)), seats.person_of_public_number(PersonId(-2))),
            (Some(ann), None)
        );
        assert_eq!(seats.public_number(Person(0)), None);
        assert_eq!(seats.renumbered(|_| PersonId(-9)).public_number(ann), Some(PersonId(-9)));
        let mut own = Seats::private();
        assert_eq!(
            {
                let me = own.meet(Seat { person: PersonId(5), chips: Chips::Play });
                own.public_number(me)
            },
            Some(PersonId(5))
        );
    }
}
