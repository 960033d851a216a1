//! What is told of a table, as JSON and without a tree of it in between: a view is made for every version of a table.

use super::live::By;
use crate::wire::Money;
use ledger::PersonId;
use rules::{Card, Cents};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use table::Place;

/// A value of a view: one word or number, or a list of details.
#[derive(Clone, Debug)]
pub enum Detail {
    Nothing,
    Number(i64),
    Flag(bool),
    Word(&'static str),
    Text(String),
    Amount(Cents),
    /// For each spot, as far as there is one.
    Amounts([Cents; 3]),
    Card(Card),
    Place(Place),
    Several(Vec<Details>),
}

/// Several details, each by its name.
#[derive(Clone, Debug, Default)]
pub struct Details(pub Vec<(&'static str, Detail)>);

/// Details, written as JSON is.
macro_rules! details {
    ({ $($name:literal: $value:expr),* $(,)? }) => {
        $crate::tables::told::Details(vec![$(($name, $crate::tables::told::Detail::from($value))),*])
    };
}
pub(super) use details;

/// An event in words for programs.
#[derive(Clone, Debug)]
pub struct Told {
    pub event: &'static str,
    pub details: Details,
    pub clause: &'static str,
    pub by: By,
}

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("event", self.event)?;
        for (name, detail) in &self.details.0 {
            map.serialize_entry(name, detail)?;
        }
        map.serialize_entry("clause", self.clause)?;
        match self.by {
            By::Person => {}
            By::House => map.serialize_entry("by", "house")?,
            By::Absent => map.serialize_entry("by", "platform-for-absent")?,
        }
        map.end()
    }
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, detail)| (name, detail)))
    }
}

impl Serialize for Detail {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Detail::Nothing => to.serialize_none(),
            Detail::Number(number) => to.serialize_i64(*number),
            Detail::Flag(flag) => to.serialize_bool(*flag),
            Detail::Word(word) => to.serialize_str(word),
            Detail::Text(text) => to.serialize_str(text),
            Detail::Amount(cents) => Money(*cents).serialize(to),
            Detail::Amounts(amounts) => {
                let made = amounts.iter().rposition(|c| *c > Cents::ZERO).map_or(0, |at| at + 1);
                to.collect_seq(amounts[..made].iter().map(|cents| Money(*cents)))
            }
            Detail::Card(card) => Face(*card).serialize(to),
            Detail::Place(Place::Hand(box_id, hand)) => to.collect_map([("box", box_id.0), ("hand", hand.0)]),
            Detail::Place(Place::Dealer) => to.serialize_str("dealer"),
            Detail::Place(Place::HoleDown) => to.serialize_str("hole"),
            Detail::Place(Place::Determinant) => to.serialize_str("determinant"),
            Detail::Several(list) => list.serialize(to),
        }
    }
}

/// A face-up card.
#[derive(Clone, Copy, Debug)]
pub struct Face(pub Card);

impl Serialize for Face {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<T> From<Option<T>> for Detail
where
    Detail: From<T>,
{
    fn from(maybe: Option<T>) -> Detail {
        maybe.map_or(Detail::Nothing, Detail::from)
    }
}

macro_rules! told_as {
    ($($kind:ty, $value:ident => $detail:expr;)*) => {
        $(impl From<$kind> for Detail {
            fn from($value: $kind) -> Detail {
                $detail
            }
        })*
    };
}

told_as! {
    u8, number => Detail::Number(i64::from(number));
    u16, number => Detail::Number(i64::from(number));
    u32, number => Detail::Number(i64::from(number));
    PersonId, person => Detail::Number(person.0);
    bool, flag => Detail::Flag(flag);
    &'static str, word => Detail::Word(word);
    Cents, amount => Detail::Amount(amount);
    [Cents; 3], amounts => Detail::Amounts(amounts);
    Card, card => Detail::Card(card);
    Place, place => Detail::Place(place);
    Vec<Details>, list => Detail::Several(list);
}
