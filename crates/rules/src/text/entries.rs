//! Entries that people make in the register, and on which a text makes play depend whatever the keys of a table say.

use super::Text;
use crate::choice::{Choices, DoubleCard, HoleCard, OwnProcedure, Shoe, Shuffle};
use crate::clause::Clause;
use crate::lawful::Kind;
use crate::wager::SideWager;

/// An entry that the register of a house must hold before a dealer's table takes cage chips.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The clause that requires the entry.
    pub by: Clause,
    /// The entry's kind.
    pub kind: Kind,
    /// Whether the entry concerns a table.
    pub applies: fn(&Choices) -> bool,
    /// The content of the entry.
    pub what: &'static str,
    /// How often the entry is due.
    pub due: Frequency,
}

/// How often an entry is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frequency {
    /// Once for the table.
    Once,
    /// The entry is due on each gaming day.
    Daily,
}

fn always(_: &Choices) -> bool {
    true
}

fn reader(choices: &Choices) -> bool {
    choices.hole_card == HoleCard::Reader
}

fn device(choices: &Choices) -> bool {
    choices.shuffle == Shuffle::Automated
}

fn two_sides(choices: &Choices) -> bool {
    choices.shoe == Shoe::Double
}

fn double_card_down(choices: &Choices) -> bool {
    choices.double_card != DoubleCard::Up
}

fn progressive(choices: &Choices) -> bool {
    choices.offer(SideWager::Progressive).is_some()
}

fn streak(choices: &Choices) -> bool {
    choices.offer(SideWager::Streak).is_some()
}

fn capped_queens(choices: &Choices) -> bool {
    choices.offer(SideWager::TwentyPoint).is_some_and(|offer| offer.cap.is_some())
}

fn cutting_card(choices: &Choices) -> bool {
    choices.shoe != Shoe::Continuous && !choices.has_own(OwnProcedure::NoCuttingCard)
}

/// Returns whether the tens are removed at the table; those of pre-shuffled cards were removed before.
fn tens_taken_out(choices: &Choices) -> bool {
    choices.shuffle != Shuffle::PreShuffled
}

/// The inspection of shoes and shuffling devices, which is the same for all games of New Jersey and required of every
/// table there. Massachusetts leaves the inspection to rules that are not among the texts: MA 3, note A31.
const EVERYWHERE: Clause = clause!("19:46-1.19(g)");

/// The entries of all texts, by the clauses that require them.
#[rustfmt::skip]
const ENTRIES: &[Entry] = {
    use Frequency::{Daily, Once};
    use Kind::{Approval, Equipment, Staffing};
    const fn of(by: Clause, kind: Kind, applies: fn(&Choices) -> bool, what: &'static str, due: Frequency) -> Entry {
        Entry { by, kind, applies, what, due }
    }
    &[
        of(clause!("19:47-2.2(a)#5"), Approval, cutting_card, "the cut card needs approval", Once),
        of(clause!("19:47-2.2(c)#3"), Equipment, two_sides, "the back colors of the two sides are inspected", Once),
        of(clause!("19:47-2.2(d)2"), Equipment, device, "the back colors of the two batches are inspected", Once),
        of(clause!("19:47-2.5(j)2.i"), Approval, device, "the storage of the shuffled batch needs approval", Once),
        of(clause!("19:47-2.5(j)2.ii"), Approval, device, "the procedure for the stored batch needs approval", Once),
        of(clause!("19:47-2.6(j)#4"), Approval, reader, "the reader's procedure needs approval", Once),
        of(clause!("19:47-2.10(c)#6"), Approval, double_card_down, "the submission that names the dealing of double cards needs approval", Once),
        of(clause!("19:47-2.19(i)#2"), Approval, progressive, "the initial and reset amounts of the meter need approval", Once),
        of(clause!("19:47-2.22(d)"), Approval, streak, "the marker of the streak bet needs approval", Once),
        of(clause!("19:47-2.24(h)"), Approval, capped_queens, "the maximum for all queen of hearts pairs needs approval", Once),
        of(clause!("19:46-1.10C(b)"), Approval, always, "the layout needs approval", Once),
        of(clause!("19:46-1.10C(c)#2"), Approval, always, "the sign needs approval", Once),
        of(clause!("19:46-1.10C(d)"), Approval, always, "the places of the drop box and the tip box need approval", Once),
        of(clause!("19:46-1.10C(f)"), Approval, reader, "the card reader device needs approval", Once),
        of(clause!("19:46-1.10C(f)#2"), Equipment, reader, "the reader is inspected", Daily),
        of(clause!("19:47-2A.2(a)#5"), Approval, cutting_card, "the cut card needs approval", Once),
        of(clause!("19:47-2A.3(b)#3"), Staffing, always, "the floorperson verifies the cards before they are spread", Daily),
        of(clause!("19:47-2A.4(i)2.i"), Approval, device, "the storage of the shuffled batch needs approval", Once),
        of(clause!("19:47-2A.4(i)2.ii"), Approval, device, "the procedure for the stored batch needs approval", Once),
        of(clause!("19:47-2A.7(l)2#4"), Approval, reader, "the reader's procedure needs approval", Once),
        of(clause!("19:47-2A.15(i)"), Approval, device, "the reshuffle after a failure of the device needs approval", Once),
        of(clause!("MA-BJS 7(l)(2)#4"), Approval, reader, "the reader's procedure needs approval", Once),
        of(clause!("19:47-26.2(a)#8"), Approval, cutting_card, "the cut card needs approval", Once),
        of(clause!("19:47-26.3(b)#3"), Approval, tens_taken_out, "the method of destroying the tens needs \
            approval", Once),
        of(clause!("19:47-26.7(i)#4"), Approval, reader, "the reader's procedure needs approval", Once),
        of(clause!("19:47-26.15(b)"), Approval, always, "the method of destroying a ten found in the shoe needs \
            approval", Once),
        of(clause!("19:47-26.15(j)"), Approval, device, "the reshuffle after a failure of the device needs approval", Once),
        of(clause!("19:47-36.3(b)#3"), Approval, tens_taken_out, "the method of destroying the tens needs \
            approval", Once),
        of(clause!("19:47-36.14(b)"), Approval, always, "the method of destroying a ten found in the shoe needs \
            approval", Once),
        of(clause!("19:46-1.13V(b)"), Approval, always, "the layout needs approval", Once),
        of(clause!("19:46-1.17(c)#2"), Approval, reader, "the marks on the faces need approval", Once),
        of(clause!("19:46-1.17(f)#2"), Approval, always, "the design of the backs needs approval", Once),
        of(clause!("19:46-1.17(g)#2"), Approval, always, "the seal of the packages needs approval", Once),
        of(clause!("19:46-1.19(c)1"), Approval, device, "the device and its procedures are submitted", Once),
        of(EVERYWHERE, Equipment, always, "shoe and shuffling device are inspected before cards go in", Daily),
    ]
};

impl Text {
    /// Returns the entries that this text requires of a table with a human dealer.
    pub fn entries(&self, choices: &Choices) -> Vec<&'static Entry> {
        self.possible_entries().filter(|entry| (entry.applies)(choices)).collect()
    }

    /// Returns the entries that this text may require of a table, whatever its keys say.
    pub fn possible_entries(&self) -> impl Iterator<Item = &'static Entry> {
        let everywhere = (self.jurisdiction == "nj").then_some(EVERYWHERE);
        ENTRIES.iter().filter(move |entry| Some(entry.by) == everywhere || self.governs(entry.by))
    }
}
