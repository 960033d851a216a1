//! Who is who at a table: the machine numbers people from one, the house knows them by their own number and by the kind
//! of chips they play with.

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

/// People in the order in which the table met them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats(Vec<Seat>);

impl Seats {
    /// Returns the table's number of this person with these chips, a new one if the table has not met them.
    pub fn meet(&mut self, seat: Seat) -> Person {
        let known = self.0.iter().position(|s| *s == seat);
        let at = known.unwrap_or_else(|| {
            self.0.push(seat);
            self.0.len() - 1
        });
        Person(u32::try_from(at + 1).unwrap_or(u32::MAX))
    }

    /// Has the table met this person with these chips?
    pub fn knows(&self, seat: Seat) -> bool {
        self.0.contains(&seat)
    }

    /// Removes the last seat, if it is this one.
    pub fn forget_last(&mut self, seat: Seat) {
        if self.0.last() == Some(&seat) {
            self.0.pop();
        }
    }

    /// Iterates over all seats, in the order in which the table met them.
    pub fn iter(&self) -> impl Iterator<Item = Seat> + '_ {
        self.0.iter().copied()
    }

    /// Returns the same people under other numbers of the house.
    pub fn renumbered(&self, number: impl Fn(PersonId) -> PersonId) -> Seats {
        Seats(self.0.iter().map(|seat| Seat { person: number(seat.person), ..*seat }).collect())
    }

    pub fn number(&self, person: PersonId) -> Option<Person> {
        let at = self.0.iter().position(|s| s.person == person)?;
        u32::try_from(at + 1).ok().map(Person)
    }

    pub fn seat(&self, person: Person) -> Option<Seat> {
        let at = usize::try_from(person.0).ok()?.checked_sub(1)?;
        self.0.get(at).copied()
    }
}
