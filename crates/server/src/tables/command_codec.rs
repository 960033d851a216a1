//! Encodes commands of the rules engine for the journal, each as one line of words.
//!
//! People appear by their house number after a letter for their kind of chips (`c57` for cash, `p57` for play);
//! amounts are in cents.

use super::seats::Seats;
use super::snapshot::{seat_of, seat_text};
use table::vocabulary::NOBODY;
use table::{Command, LineCodec, Person};

/// Encodes a command as a line for the journal, such as `sit 3 c57`.
pub fn encode(command: &Command, seats: &Seats) -> String {
    command.to_line(&|person| seats.seat(person).map_or(NOBODY.into(), seat_text))
}

/// Decodes a command from a line of the journal, and seats the people whom the line names.
///
/// Returns `None` if the line is not a command.
pub fn decode(line: &str, seats: &mut Seats) -> Option<Command> {
    Command::from_line(line, &mut |name| match name {
        NOBODY => Some(Person(0)),
        name => seat_of(name).map(|seat| seats.meet(seat)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::seats::Seat;
    use ledger::{Chips, PersonId};
    use table::BoxId;

    #[test]
    fn people_are_named_by_their_number_and_chips() {
        let mut seats = Seats::default();
        let ann = seats.meet(Seat { person: PersonId(57), chips: Chips::Cash });
        let guest = seats.meet(Seat { person: PersonId(58), chips: Chips::Play });
        for (person, line) in [(ann, "sit 3 c57"), (guest, "sit 3 p58"), (Person(0), "sit 3 -")] {
            let command = Command::Sit { box_id: BoxId(3), person };
            assert_eq!(encode(&command, &seats), line);
            assert_eq!(decode(line, &mut seats), Some(command));
            // A new decoder assigns seats as it meets people.
            let mut fresh = Seats::default();
            let again = decode(line, &mut fresh).expect("readable");
            assert_eq!(encode(&again, &fresh), line);
        }
        assert_eq!(decode("sit 3 z57", &mut seats), None);
    }
}
