//! Translates between the rules engine's numbers of the people at a table and the house's numbers.
//!
//! The rules engine numbers the people at a table from 1. The house identifies each by a house number and the kind
//! of chips that the person plays with.

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

/// Which numbers name people in views and histories of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Numbers {
    /// Numbers that hold only at this table, from -1 down.
    ///
    /// House numbers would let strangers follow a player across tables.
    #[default]
    OfTable,
    /// The house's own numbers, which a private table shows.
    OfHouse,
    /// One number for each seat, chosen for the reader of a finished round, who may not know every house number.
    Known(Vec<PersonId>),
}

/// The people at a table with their kinds of chips, in the order of the rules engine's numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    seats: Vec<Seat>,
    numbers: Numbers,
}

impl Seats {
    /// Returns the empty seats of a private table, whose only viewer may know everyone's house number.
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

    /// Returns whether a seat has a number of the rules engine at this table.
    pub fn knows(&self, seat: Seat) -> bool {
        self.seats.contains(&seat)
    }

    /// Removes `seat` if it is the seat with the highest number.
    pub fn forget_last(&mut self, seat: Seat) {
        if self.seats.last() == Some(&seat) {
            self.seats.pop();
        }
    }

    /// Returns all seats in the order of the rules engine's numbers.
    pub fn iter(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats.iter().copied()
    }

    /// Returns the same seats, in which views name each person by the number that `number` gives for the house
    /// number.
    pub fn renumbered(&self, number: impl Fn(PersonId) -> PersonId) -> Seats {
        let numbers = Numbers::Known(self.seats.iter().map(|seat| number(seat.person)).collect());
        Seats { seats: self.seats.clone(), numbers }
    }

    pub fn number(&self, person: PersonId) -> Option<Person> {
        let at = self.seats.iter().position(|s| s.person == person)?;
        u32::try_from(at + 1).ok().map(Person)
    }

    /// Returns the person whom views name by `number` or, if there is none, the person with this house number.
    ///
    /// Returns `None` if neither number belongs to anyone at the table.
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

    /// Returns the number by which views name this person, or `None` if the person has no seat.
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

    /// Returns the house number of each seat, in the order of the rules engine's numbers.
    pub fn people(&self) -> Vec<PersonId> {
        self.seats.iter().map(|seat| seat.person).collect()
    }
}

/// Returns the number by which views name the person in the seat at index `at`: -1 for the first.
fn of_table(at: usize) -> PersonId {
    PersonId(-1 - i64::try_from(at).unwrap_or(i64::MAX - 1))
}

/// Returns a table's view in which `reader` is named by the house number instead of the number at this table.
///
/// `people` are the house numbers of the seats. Returns `None` if the view does not name the reader. Text that a
/// person wrote cannot contain the replaced pattern, because its quotation marks would be escaped.
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
