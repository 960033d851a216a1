//! A command as the journal holds it: one line in the words of the table's vocabulary. People appear by the house's number
//! with the kind of their chips (`c57`, `p57`), amounts in cents.

use super::keep::{seat_of, seat_text};
use super::seats::Seats;
use table::shoe::Procedure;
use table::vocabulary::NOBODY;
use table::{Command, Irregularity, Person, Spoken};

/// Writes a command as a line.
pub fn deed(command: &Command, seats: &Seats) -> String {
    command.said(&|person| seats.seat(person).map_or(NOBODY.into(), seat_text))
}

/// Reads a line back; people it names take their seats.
pub fn read(line: &str, seats: &mut Seats) -> Option<Command> {
    Command::heard(line, &mut |name| match name {
        NOBODY => Some(Person(0)),
        name => seat_of(name).map(|seat| seats.meet(seat)),
    })
}

/// Reads a step by its word, with its number or person: where the cards are cut, how many lie behind the cutting
/// card, who verified.
pub fn step_of(word: &str, number: Option<u16>, person: Person) -> Option<Procedure> {
    let number = number.map_or(String::new(), |number| format!(" {number}"));
    let lines = [word.into(), format!("{word}{number}"), format!("{word} {NOBODY}{number}")];
    lines.iter().find_map(|line| Procedure::heard(line, &mut |_| Some(person)))
}

/// Reads an irregularity by its word, with the card or the box that it needs.
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
            assert_eq!(deed(&command, &seats), line);
            assert_eq!(read(line, &mut seats), Some(command));
            // A reader that has met nobody seats people as it meets them.
            let mut fresh = Seats::default();
            let again = read(line, &mut fresh).expect("readable");
            assert_eq!(deed(&again, &fresh), line);
        }
        assert_eq!(read("sit 3 z57", &mut seats), None);
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
