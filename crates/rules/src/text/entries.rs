//! The register entries that a regulation requires before a table accepts cage chips.

use super::Text;
use crate::choice::{Choices, HoleCard, OwnProcedure, Shoe, Shuffle, Variation};
use crate::clause::Clause;
use crate::lawful::Kind;
use crate::wager::SideWager;

/// An entry that the house's register must hold before a table with a dealer may accept cage chips.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The clause that requires the entry.
    pub by: Clause,
    /// The kind of requirement that the entry meets.
    pub kind: Kind,
    /// The function that returns whether a table needs the entry.
    pub applies: fn(&Choices) -> bool,
    /// The keys of the table file that the entry is about, or empty without any.
    pub keys: &'static [&'static str],
    /// What the entry records, in words.
    pub what: &'static str,
    /// How often the house must make the entry.
    pub due: Frequency,
}

/// How often a register entry must be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frequency {
    /// The entry is made once for the table.
    Once,
    /// The entry is made on each gaming day.
    Daily,
}

impl Entry {
    /// Returns what the entry records in words, with its frequency if it is made daily.
    pub fn sentence(&self) -> String {
        match self.due {
            Frequency::Once => self.what.to_string(),
            Frequency::Daily => format!("{}, on each gaming day", self.what),
        }
    }
}

/// A function that returns whether a table needs an entry, and the table file keys that the entry is about.
type When = (fn(&Choices) -> bool, &'static [&'static str]);

const ALWAYS: When = (|_| true, &[]);
const READER: When = (|choices| choices.hole_card == HoleCard::Reader, &["hole_card"]);
const DEVICE: When = (|choices| choices.shuffle == Shuffle::Automated, &["shuffle"]);
/// Tables with two batches of cards, whose back colors must be inspected.
///
/// At 6 to 5, 2.2(e) replaces the two batches of 2.2(d) with decks that alternate, and says nothing about their
/// backs.
const TWO_BATCHES: When = (
    |choices| choices.shuffle == Shuffle::Automated && choices.variation != Variation::SixToFive,
    &["shuffle", "variation"],
);
const TWO_SIDES: When = (|choices| choices.shoe == Shoe::Double, &["shoe"]);
/// Every table, because 2.10(c)#6 requires the licensee to submit how double cards are dealt.
///
/// Even "face up at all tables" must be submitted.
const DOUBLE_CARD_SUBMISSION: When = (|_| true, &["double_card"]);
const PROGRESSIVE: When =
    (|choices| choices.offer(SideWager::Progressive).is_some(), &["side_wagers.progressive"]);
const STREAK: When = (|choices| choices.offer(SideWager::Streak).is_some(), &["side_wagers.streak"]);
const CAPPED_QUEENS: When = (
    |choices| choices.offer(SideWager::TwentyPoint).is_some_and(|offer| offer.cap.is_some()),
    &["side_wagers.twenty-point.cap"],
);
const CUTTING_CARD: When = (
    |choices| choices.shoe != Shoe::Continuous && !choices.has_own(OwnProcedure::NoCutCard),
    &["shoe", "own_procedures"],
);
/// Tables at which the tens are removed: all except those with pre-shuffled cards.
const TENS_TAKEN_OUT: When = (|choices| choices.shuffle != Shuffle::PreShuffled, &["shuffle"]);

/// The clause on inspecting shoes and shuffling devices at every table in New Jersey.
///
/// Massachusetts regulates the inspection in rules that are not part of this project: MA 3, note A31.
const DEVICE_INSPECTION: Clause = clause!("19:46-1.19(g)");

/// The entries of all regulations, in the order of the clauses that require them.
#[rustfmt::skip]
const ENTRIES: &[Entry] = {
    use Frequency::{Daily, Once};
    use Kind::{Approval, Equipment, Staffing};
    const fn of(by: Clause, kind: Kind, when: When, what: &'static str, due: Frequency) -> Entry {
        Entry { by, kind, applies: when.0, keys: when.1, what, due }
    }
    &[
        of(clause!("19:47-2.2(a)#5"), Approval, CUTTING_CARD, "the cut card needs approval", Once),
        of(clause!("19:47-2.2(c)#3"), Equipment, TWO_SIDES, "the back colors of the shoe's two sides must be \
            inspected", Once),
        of(clause!("19:47-2.2(d)2"), Equipment, TWO_BATCHES, "the back colors of the two batches must be \
            inspected", Once),
        of(clause!("19:47-2.5(j)2.i"), Approval, DEVICE, "the storage of the shuffled batch needs approval", Once),
        of(clause!("19:47-2.5(j)2.ii"), Approval, DEVICE, "the procedure for the stored batch needs approval", Once),
        of(clause!("19:47-2.6(j)#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-2.10(c)#6"), Approval, DOUBLE_CARD_SUBMISSION, "the submission that says how double cards are dealt \
            needs approval", Once),
        of(clause!("19:47-2.19(i)#2"), Approval, PROGRESSIVE, "the initial and reset amounts of the meter need \
            approval", Once),
        of(clause!("19:47-2.22(d)"), Approval, STREAK, "the marker of the streak bet needs approval", Once),
        of(clause!("19:47-2.24(h)"), Approval, CAPPED_QUEENS, "the maximum total payout for queen of \
             hearts pairs needs approval", Once),
        of(clause!("19:46-1.10C(b)"), Approval, ALWAYS, "the layout needs approval", Once),
        of(clause!("19:46-1.10C(c)#2"), Approval, ALWAYS, "the sign needs approval", Once),
        of(clause!("19:46-1.10C(d)"), Approval, ALWAYS, "the locations of the drop box and the tip box need \
            approval", Once),
        of(clause!("19:46-1.10C(f)"), Approval, READER, "the card reader device needs approval", Once),
        of(clause!("19:46-1.10C(f)#2"), Equipment, READER, "the card reader must be inspected", Daily),
        of(clause!("19:47-2A.2(a)#5"), Approval, CUTTING_CARD, "the cut card needs approval", Once),
        of(clause!("19:47-2A.3(b)#3"), Staffing, ALWAYS, "the floorperson must verify the cards before they are \
            spread", Daily),
        of(clause!("19:47-2A.4(i)2.i"), Approval, DEVICE, "the storage of the shuffled batch needs approval", Once),
        of(clause!("19:47-2A.4(i)2.ii"), Approval, DEVICE, "the procedure for the stored batch needs approval", Once),
        of(clause!("19:47-2A.7(l)2#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-2A.15(i)"), Approval, DEVICE, "the reshuffle after a failure of the device needs \
            approval", Once),
        of(clause!("MA-BJS 7(l)(2)#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-26.2(a)#8"), Approval, CUTTING_CARD, "the cut card needs approval", Once),
        of(clause!("19:47-26.3(b)#3"), Approval, TENS_TAKEN_OUT, "the method of destroying the tens needs \
            approval", Once),
        of(clause!("19:47-26.7(i)#4"), Approval, READER, "the reader's procedure needs approval", Once),
        of(clause!("19:47-26.15(b)"), Approval, ALWAYS, "the method of destroying a ten found in the shoe needs \
            approval", Once),
        of(clause!("19:47-26.15(j)"), Approval, DEVICE, "the reshuffle after a failure of the device needs \
            approval", Once),
        of(clause!("19:47-36.3(b)#3"), Approval, TENS_TAKEN_OUT, "the method of destroying the tens needs \
            approval", Once),
        of(clause!("19:47-36.14(b)"), Approval, ALWAYS, "the method of destroying a ten found in the shoe needs \
            approval", Once),
        of(clause!("19:46-1.13V(b)"), Approval, ALWAYS, "the layout needs approval", Once),
        of(clause!("19:46-1.17(c)#2"), Approval, READER, "the marks on the card faces need approval", Once),
        of(clause!("19:46-1.17(f)#2"), Approval, ALWAYS, "the design of the card backs needs approval", Once),
        of(clause!("19:46-1.17(g)#2"), Approval, ALWAYS, "the seal of the card packages needs approval", Once),
        of(clause!("19:46-1.19(c)1"), Approval, DEVICE, "the shuffling device and its procedures must be \
            submitted", Once),
        of(DEVICE_INSPECTION, Equipment, ALWAYS, "the shoe and the shuffling device must be inspected before cards are \
            loaded", Daily),
    ]
};

impl Text {
    /// Returns the register entries that this regulation requires for a table with a human dealer.
    pub fn entries(&self, choices: &Choices) -> Vec<&'static Entry> {
        self.possible_entries().filter(|entry| (entry.applies)(choices)).collect()
    }

    /// Returns every register entry that this regulation requires for any table.
    pub fn possible_entries(&self) -> impl Iterator<Item = &'static Entry> {
        let inspection = (self.jurisdiction == "nj").then_some(DEVICE_INSPECTION);
        ENTRIES.iter().filter(move |entry| Some(entry.by) == inspection || self.governs(entry.by))
    }
}
