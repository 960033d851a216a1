//! The JSON forms of the rules engine's values, as people at the table may see them.
//!
//! [`Show`] converts each value into a type with a schema. Values that look the same to everyone are in
//! `documents::table_values`.

use super::seats::Seats;
use crate::wire::Money;
use ledger::PersonId;
use rules::Cents;
use serde::ser::{Serialize, Serializer};
use table::CardPlace;
use table::event::{Announcement, Finding};
use utoipa::ToSchema;

pub use documents::table_values::{
    AnnouncementWord, ApprovalWord, BettorNumber, BoxNumber, EndingWord, Face, HandNumber, IrregularityWord,
    OfferWord, Place, SettledAtWord, SideWord, SpotNumber, StepWord, TableRole, WagerWord,
};

/// A value of the rules engine with a JSON form.
pub trait Show {
    /// The type of the value in the JSON.
    type Shown;

    /// Returns the value as everyone at the table may see it.
    fn show(&self, seats: &Seats) -> Self::Shown;
}

/// The number by which views name a person; null for a person whom the house does not know.
///
/// Other players and simulated players have negative numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
pub struct PersonNumber(pub Option<i64>);

impl PersonNumber {
    pub fn of(seats: &Seats, person: table::Person) -> PersonNumber {
        PersonNumber(seats.public_number(person).map(|PersonId(number)| number))
    }
}

/// The amounts of a bet against each dealer hand: one amount, or up to three in Multiple Action.
///
/// The JSON leaves out trailing zero amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = Vec<Money>)]
pub struct SpotAmounts([Cents; 3]);

impl Serialize for SpotAmounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let made = self.0.iter().rposition(|cents| *cents > Cents::ZERO).map_or(0, |at| at + 1);
        to.collect_seq(self.0[..made].iter().map(|cents| Money(*cents)))
    }
}

/// Whether the hole-card reader shows a blackjack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
pub struct ReaderFinding(bool);

/// Implements [`Show`] for values of the rules engine.
macro_rules! shown {
    ($($from:ty as $shown:ty, $value:ident, $seats:ident => $how:expr;)+) => { $(
        impl Show for $from {
            type Shown = $shown;

            fn show(&self, $seats: &Seats) -> $shown {
                let $value = self;
                $how
            }
        }
    )+ };
}

shown! {
    u8 as u8, number, _seats => *number;
    bool as bool, flag, _seats => *flag;
    table::BoxId as BoxNumber, id, _seats => (*id).into();
    table::HandNumber as HandNumber, hand, _seats => (*hand).into();
    table::Bettor as BettorNumber, bettor, _seats => (*bettor).into();
    table::Spot as SpotNumber, spot, _seats => (*spot).into();
    table::shoe::Procedure as StepWord, step, _seats => (*step).into();
    Announcement as AnnouncementWord, said, _seats => (*said).into();
    rules::script::Offer as OfferWord, offer, _seats => (*offer).into();
    table::Side as SideWord, side, _seats => (*side).into();
    table::Ending as EndingWord, ending, _seats => (*ending).into();
    table::SettledAt as SettledAtWord, when, _seats => (*when).into();
    table::event::Approval as ApprovalWord, what, _seats => (*what).into();
    table::Irregularity as IrregularityWord, irregularity, _seats => (*irregularity).into();
    table::Role as TableRole, role, _seats => (*role).into();
    Finding as ReaderFinding, finding, _seats => ReaderFinding(*finding == Finding::Blackjack);
    Cents as Money, cents, _seats => Money(*cents);
    [Cents; 3] as SpotAmounts, amounts, _seats => SpotAmounts(*amounts);
    rules::Card as Face, card, _seats => (*card).into();
    rules::SideBet as WagerWord, bet, _seats => (*bet).into();
    table::Wager as WagerWord, wager, _seats => (*wager).into();
    table::Person as PersonNumber, person, seats => PersonNumber::of(seats, *person);
    CardPlace as Place, place, _seats => (*place).into();
}
