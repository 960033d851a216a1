//! Defines the JSON form and the schema of the values of a live table: numbers, words, cards and places of cards.
//!
//! The server's views and the Python package's live table both use these forms.

use rules::script::Offer;
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use table::event::{Announcement, Approval};
use table::shoe::Procedure;
use table::{CardPlace, Ending, Irregularity, Role, SettledAt, Side, Word};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Defines number types: for each type a description, the inner type, and the conversion from the rules engine's
/// type.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident($inner:ty) = $from:ty, $value:ident => $number:expr;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
        pub struct $name(pub $inner);

        impl From<$from> for $name {
            fn from($value: $from) -> $name {
                $name($number)
            }
        }
    )+ };
}

numbers! {
    /// The number of a box, counted from the dealer's left, starting at 1.
    BoxNumber(u8) = table::BoxId, id => id.0;
    /// The number of a hand within its box.
    HandNumber(u8) = table::HandNumber, hand => hand.0;
    /// The number of a bettor at a shared box, in order of arrival, starting at 0.
    BettorNumber(u8) = table::Bettor, bettor => bettor.0;
    /// In Multiple Action, the number of a required bet and of the dealer hand that it is against; 1 in other
    /// games.
    SpotNumber(u8) = table::Spot, spot => spot.0 + 1;
}

/// Defines string types, whose values are the words of an enum of the rules engine.
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
    StepWord = Procedure: "The name of a step in preparing the cards, such as `shuffle` or `cut`.";
    AnnouncementWord = Announcement: "An announcement that the dealer makes, such as `no more bets`.";
    OfferWord = Offer: "The name of an optional bet that is offered to the players, such as `insurance`.";
    SideWord = Side: "A side of a double shoe, named by the color of its determinant cards.";
    EndingWord = Ending: "How a settled bet ended, such as `win` or `push`.";
    SettledAtWord = SettledAt: "When in the round a bet was settled, such as `deal` or `end`.";
    ApprovalWord = Approval: "The kind of payout that needs approval, such as `progressive` or `bonus`.";
    IrregularityWord = Irregularity: "A dealing error or device fault, such as `exposed` or `reader-failed`.";
    TableRole = Role: "The role in which a person acts at a table, such as `dealer`.";
}

/// A card: its rank and its suit, such as `As`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(as = Card, value_type = String, pattern = "^(10|[2-9AJQKT])[cdhs]$", example = "As")]
pub struct Face(pub rules::Card);

impl Serialize for Face {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl From<rules::Card> for Face {
    fn from(card: rules::Card) -> Face {
        Face(card)
    }
}

/// The place to which a card is dealt: a hand of a box, or one of the dealer's places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
#[serde(untagged)]
pub enum Place {
    Dealer(DealersPlace),
    Hand { r#box: BoxNumber, hand: HandNumber },
}

/// One of the dealer's places for a card: the dealer's hand, the hole card, or the determinant card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DealersPlace {
    Dealer,
    Hole,
    Determinant,
}

impl From<CardPlace> for Place {
    fn from(place: CardPlace) -> Place {
        match place {
            CardPlace::Hand(box_id, hand) => Place::Hand { r#box: box_id.into(), hand: hand.into() },
            CardPlace::Dealer => Place::Dealer(DealersPlace::Dealer),
            CardPlace::HoleDown => Place::Dealer(DealersPlace::Hole),
            CardPlace::Determinant => Place::Dealer(DealersPlace::Determinant),
        }
    }
}

/// The name of a bet: `main`, or the name of a side bet or other bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
#[schema(value_type = String)]
pub struct WagerWord(&'static str);

impl From<rules::SideBet> for WagerWord {
    fn from(bet: rules::SideBet) -> WagerWord {
        WagerWord(bet.name())
    }
}

impl From<table::Wager> for WagerWord {
    fn from(wager: table::Wager) -> WagerWord {
        WagerWord(wager.name())
    }
}
