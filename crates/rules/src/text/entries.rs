//! Entries that people make in the register, and on which a text makes play depend whatever the keys of a table say.

use super::Text;
use crate::choice::{Choices, HoleCard, OwnProcedure, Shoe, Shuffle, Variation};
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
    /// The keys of the table file that the entry is about; empty if it is about none.
    pub keys: &'static [&'static str],
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

impl Entry {
    /// Returns the content of the entry in words, with how often it is due unless once.
    pub fn sentence(&self) -> String {
        match self.due {
            Frequency::Once => self.what.to_string(),
            Frequency::Daily => format!("{}, on each gaming day", self.what),
        }
    }
}

/// Which tables an entry concerns, and the keys that it is about.
type When = (fn(&Choices) -> bool, &'static [&'static str]);

const ALWAYS: When = (|_| true, &[]);
const READER: When = (|choices| choices.hole_card == HoleCard::Reader, &["hole_card"]);
const DEVICE: When = (|choices| choices.shuffle == Shuffle::Automated, &["shuffle"]);
/// 2.2(e) replaces the two batches of 2.2(d) at 6 to 5: decks that alternate, of whose backs it says nothing.
const TWO_BATCHES: When = (
    |choices| choices.shuffle == Shuffle::Automated && choices.variation != Variation::SixToFive,
    &["shuffle", "variation"],
);
const TWO_SIDES: When = (|choices| choices.shoe == Shoe::Double, &["shoe"]);
/// The submission names one of three choices, of which "face up at all tables" is one: 2.10(c)#6.
const DOUBLE_CARD: When = (|_| true, &["double_card"]);
const PROGRESSIVE: When =
    (|choices| choices.offer(SideWager::Progressive).is_some(), &["side_wagers.progressive"]);
const STREAK: When = (|choices| choices.offer(SideWager::Streak).is_some(), &["side_wagers.streak"]);
const CAPPED_QUEENS: When = (
    |choices| choices.offer(SideWager::TwentyPoint).is_some_and(|offer| offer.cap.is_some()),
    &["side_wagers.twenty-point.cap"],
);
const CUTTING_CARD: When = (
    |choices| choices.shoe != Shoe::Continuous && !choices.has_own(OwnProcedure::NoCuttingCard),
    &["shoe", "own_procedures"],
);
/// The tens are removed at the table; those of pre-shuffled cards were removed before.
const TENS_TAKEN_OUT: When = (|choices| choices.shuffle != Shuffle::PreShuffled, &["shuffle"]);

/// The inspection of shoes and shuffling devices, which is the same for all games of New Jersey and required of every
/// table there. Massachusetts leaves the inspection to rules that are not among the texts: MA 3, note A31.
const EVERYWHERE: Clause = clause!("19:46-1.19(g)");

/// The entries of all texts, by the clauses that require them.
#[rustfmt::skip]
const ENTRIES: &[Entry] = {
    use Frequency::{Daily, Once};
    use Kind::{Approval, Equipment, Staffing};
    const fn of(by: Clause, kind: Kind, when: When, what: &'static str, due: Frequency) -> Entry {
        Entry { by, kind, applies: when.0, keys: when.1, what, due }
    }
    &[
        of(clause!("19:47-2.2(a)#5"), Approval, CUTTING_CARD, "the cut card needs approval", Once),
        of(clause!("19:47-2.2(c)#3"), Equipment, TWO_SIDES, "the back colors of the two sides are inspected", Once),
        of(clause!("19:47-2.2(d)2"), Equipment, TWO_BATCHES, "the back colors of the two batches are inspected", Once),
        of(clause!("19:47-2.5(j)2.i"), Approval, DEVICE, "the storage of the shuffled batch needs approval", Once),
        of(clause!("19:47-2.5(j)2.ii"), Approval, DEVICE, "the procedure for the stored batch needs approval", Once),
        of(clause!("19:47-2.6(j)#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-2.10(c)#6"), Approval, DOUBLE_CARD, "the submission that names the dealing of double cards needs approval", Once),
        of(clause!("19:47-2.19(i)#2"), Approval, PROGRESSIVE, "the initial and reset amounts of the meter need approval", Once),
        of(clause!("19:47-2.22(d)"), Approval, STREAK, "the marker of the streak bet needs approval", Once),
        of(clause!("19:47-2.24(h)"), Approval, CAPPED_QUEENS, "the maximum for all queen of hearts pairs needs approval", Once),
        of(clause!("19:46-1.10C(b)"), Approval, ALWAYS, "the layout needs approval", Once),
        of(clause!("19:46-1.10C(c)#2"), Approval, ALWAYS, "the sign needs approval", Once),
        of(clause!("19:46-1.10C(d)"), Approval, ALWAYS, "the places of the drop box and the tip box need approval", Once),
        of(clause!("19:46-1.10C(f)"), Approval, READER, "the card reader device needs approval", Once),
        of(clause!("19:46-1.10C(f)#2"), Equipment, READER, "the reader is inspected", Daily),
        of(clause!("19:47-2A.2(a)#5"), Approval, CUTTING_CARD, "the cut card needs approval", Once),
        of(clause!("19:47-2A.3(b)#3"), Staffing, ALWAYS, "the floorperson verifies the cards before they are spread", Daily),
        of(clause!("19:47-2A.4(i)2.i"), Approval, DEVICE, "the storage of the shuffled batch needs approval", Once),
        of(clause!("19:47-2A.4(i)2.ii"), Approval, DEVICE, "the procedure for the stored batch needs approval", Once),
        of(clause!("19:47-2A.7(l)2#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-2A.15(i)"), Approval, DEVICE, "the reshuffle after a failure of the device needs approval", Once),
        of(clause!("MA-BJS 7(l)(2)#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-26.2(a)#8"), Approval, CUTTING_CARD, "the cut card needs approval", Once),
        of(clause!("19:47-26.3(b)#3"), Approval, TENS_TAKEN_OUT, "the method of destroying the tens needs \
            approval", Once),
        of(clause!("19:47-26.7(i)#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-26.15(b)"), Approval, ALWAYS, "the method of destroying a ten found in the shoe needs \
            approval", Once),
        of(clause!("19:47-26.15(j)"), Approval, DEVICE, "the reshuffle after a failure of the device needs approval", Once),
        of(clause!("19:47-36.3(b)#3"), Approval, TENS_TAKEN_OUT, "the method of destroying the tens needs \
            approval", Once),
        of(clause!("19:47-36.14(b)"), Approval, ALWAYS, "the method of destroying a ten found in the shoe needs \
            approval", Once),
        of(clause!("19:46-1.13V(b)"), Approval, ALWAYS, "the layout needs approval", Once),
        of(clause!("19:46-1.17(c)#2"), Approval, READER, "the marks on the faces need approval", Once),
        of(clause!("19:46-1.17(f)#2"), Approval, ALWAYS, "the design of the backs needs approval", Once),
        of(clause!("19:46-1.17(g)#2"), Approval, ALWAYS, "the seal of the packages needs approval", Once),
        of(clause!("19:46-1.19(c)1"), Approval, DEVICE, "the device and its procedures are submitted", Once),
        of(EVERYWHERE, Equipment, ALWAYS, "shoe and shuffling device are inspected before cards go in", Daily),
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
