//! How the values of a table look in JSON: each has a type here with its schema, and [`Show`] makes it.

use super::seats::Seats;
use crate::wire::Money;
use ledger::PersonId;
use rules::Cents;
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use table::event::{Announcement, Finding};
use table::{CardPlace, Word};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A value of the rules engine that the JSON shows.
pub trait Show {
    /// The type of the value in the JSON.
    type Shown;

    /// Returns what everyone at the table may see of it.
    fn show(&self, seats: &Seats) -> Self::Shown;
}

/// Defines numbers: what each means, its type here, and how to get it from the rules engine's.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident($inner:ty) = $from:ty, $value:ident => $number:expr;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
        pub struct $name(pub $inner);

        impl Show for $from {
            type Shown = $name;

            fn show(&self, _: &Seats) -> $name {
                let $value = self;
                $name($number)
            }
        }
    )+ };
}

numbers! {
    /// The number of a box, counted from the dealer's left.
    BoxNumber(u8) = table::BoxId, id => id.0;
    /// The number of a hand within its box.
    HandNumber(u8) = table::HandNumber, hand => hand.0;
    /// A bettor of a box, by order of arrival.
    BettorNumber(u8) = table::Bettor, bettor => bettor.0;
    /// Which wager, or which of the dealer's hands in Multiple Action; 1 elsewhere.
    SpotNumber(u8) = table::Spot, spot => spot.0 + 1;
}

/// Defines words of the vocabulary.
macro_rules! words {
    ($($name:ident = $from:ty: $about:literal;)+) => { $(
        #[doc = $about]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
        pub struct $name(&'static str);

        impl From<$from> for $name {
            fn from(value: $from) -> $name {
                $name(value.word())
            }
        }

        impl Show for $from {
            type Shown = $name;

            fn show(&self, _: &Seats) -> $name {
                (*self).into()
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                one_of_words(<$from as Word>::WORDS, $about)
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    )+ };
}

fn one_of_words(words: &[&'static str], about: &str) -> RefOr<Schema> {
    let words = words.iter().copied();
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).description(Some(about)).into()
}

words! {
    StepWord = table::shoe::Procedure: "A step of preparing the cards.";
    AnnouncementWord = Announcement: "What the dealer announces.";
    OfferWord = rules::script::Offer: "An offer.";
    SideWord = table::Side: "A side of a double shoe.";
    EndingWord = table::Ending: "How a wager ended.";
    SettledAtWord = table::SettledAt: "At which moment of the round.";
    ApprovalWord = table::event::Approval: "What is to be approved.";
    IrregularityWord = table::Irregularity: "An irregularity.";
    TableRole = table::Role: "A role at a table.";
}

/// A card: rank and suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(as = Card, value_type = String, pattern = "^(10|[2-9AJQKT])[cdhs]$", example = "As")]
pub struct Face(pub rules::Card);

impl Serialize for Face {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// The number of a person; null for somebody whom the house does not know. Other players and simulated ones have negative
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
pub struct PersonNumber(pub Option<i64>);

impl PersonNumber {
    pub fn of(seats: &Seats, person: table::Person) -> PersonNumber {
        PersonNumber(seats.shown(person).map(|PersonId(number)| number))
    }
}

/// The place of a card: a hand of a box, or a dealer position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
#[serde(untagged)]
pub enum Place {
    Dealer(DealersPlace),
    Hand { r#box: BoxNumber, hand: HandNumber },
}

/// A place of the dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DealersPlace {
    Dealer,
    Hole,
    Determinant,
}

/// An amount for each spot, as far as there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = Vec<Money>)]
pub struct SpotAmounts([Cents; 3]);

impl Serialize for SpotAmounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let made = self.0.iter().rposition(|cents| *cents > Cents::ZERO).map_or(0, |at| at + 1);
        to.collect_seq(self.0[..made].iter().map(|cents| Money(*cents)))
    }
}

/// Whether the card reader shows a blackjack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
pub struct ReaderFinding(bool);

/// The word of a wager: `main`, or that of a side wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
#[schema(value_type = String)]
pub struct WagerWord(&'static str);

/// Defines how the remaining values are shown.
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
    Finding as ReaderFinding, finding, _seats => ReaderFinding(*finding == Finding::Blackjack);
    Cents as Money, cents, _seats => Money(*cents);
    [Cents; 3] as SpotAmounts, amounts, _seats => SpotAmounts(*amounts);
    rules::Card as Face, card, _seats => Face(*card);
    rules::SideBet as WagerWord, bet, _seats => WagerWord(bet.name());
    table::Wager as WagerWord, wager, _seats => WagerWord(wager.name());
    table::Person as PersonNumber, person, seats => PersonNumber::of(seats, *person);
    CardPlace as Place, place, seats => match place {
        CardPlace::Hand(box_id, hand) => Place::Hand { r#box: box_id.show(seats), hand: hand.show(seats) },
        CardPlace::Dealer => Place::Dealer(DealersPlace::Dealer),
        CardPlace::HoleDown => Place::Dealer(DealersPlace::Hole),
        CardPlace::Determinant => Place::Dealer(DealersPlace::Determinant),
    };
}
