//! Encodes commands for the journal: one line in the table's vocabulary. People appear by their house number with the
//! kind of their chips (`c57`, `p57`), amounts in cents.

use super::seats::Seats;
use super::snapshot::{seat_of, seat_text};
use table::shoe::Procedure;
use table::vocabulary::NOBODY;
use table::{Command, Irregularity, Person, Spoken};

/// Encodes a command as a line.
pub fn encode(command: &Command, seats: &Seats) -> String {
    command.said(&|person| seats.seat(person).map_or(NOBODY.into(), seat_text))
}

/// Decodes a line; the people it names get seats.
pub fn decode(line: &str, seats: &mut Seats) -> Option<Command> {
    Command::heard(line, &mut |name| match name {
        NOBODY => Some(Person(0)),
        name => seat_of(name).map(|seat| seats.meet(seat)),
    })
}

/// Parses a step from its word and its number or person: the position of the cut, the number of cards behind the cut
/// card, or the verifier.
pub fn step_of(word: &str, number: Option<u16>, person: Person) -> Option<Procedure> {
    let number = number.map_or(String::new(), |number| format!(" {number}"));
    let lines = [word.into(), format!("{word}{number}"), format!("{word} {NOBODY}{number}")];
    lines.iter().find_map(|line| Procedure::heard(line, &mut |_| Some(person)))
}

/// Parses an irregularity from its word and the card or box that it needs.
pub fn irregularity_of(word: &str, card: Option<&str>, box_id: Option<u8>) -> Option<Irregularity> {
    let box_id = box_id.map(|number| number.to_string());
    let named = [None, card, box_id.as_deref()].into_iter();
    let lines = named.enumerate().filter(|(at, said)| *at == 0 || said.is_some());
    lines
        .map(|(_, said)| said.map_or(word.to_owned(), |said| format!("{word} {said}")))
        .find_map(|line| Irregularity::heard(&line, &mut |_| None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::seats::Seat;
    use ledger::{Chips, PersonId};
    use table::{BoxId, Word};

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

    #[test]
    fn every_step_and_irregularity_is_asked_for_by_its_word() {
        for word in Procedure::WORDS {
            let step = step_of(word, Some(9), Person(4)).expect(word);
            assert_eq!(step.word(), *word);
        }
        for word in Irregularity::WORDS {
            let found = irregularity_of(word, Some("7d"), Some(2)).expect(word);
            assert_eq!(found.word(), *word);
        }
        assert_eq!(step_of("cut", None, Person(4)), None, "a cut needs a number");
        assert_eq!(irregularity_of("exposed", None, Some(2)), None, "it needs a card");
        assert_eq!(irregularity_of("missed-box", Some("7d"), None), None, "it needs a box");
    }
}
