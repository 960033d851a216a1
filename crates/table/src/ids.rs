//! Identifiers of places and people at a table.

use rules::settle::Stake;
use rules::{Card, SideBet};

/// A betting box, numbered from one at the dealer's left.
///
/// In Blackjack Switch a box has two hands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BoxId(pub u8);

/// A person's number, assigned by the caller of this crate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Person(pub u32);

/// The number of a hand within its box, counted from one.
///
/// A Switch box starts with hands one and two. A hand formed by a split takes the next free number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HandNumber(pub u8);

/// A bettor's index at a box, counted from zero in order of arrival.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bettor(pub u8);

/// The index of a spot, from 0 to 2; always 0 except in multiple action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot(pub u8);

/// A set of spots.
///
/// Multiple action has up to three spots; other games have one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spots([bool; 3]);

impl Spots {
    /// The set of all three spots.
    pub const ALL: Spots = Spots([true; 3]);
    /// The set of only the first spot.
    pub const FIRST: Spots = Spots([true, false, false]);
    /// The empty set of spots.
    pub const NONE: Spots = Spots([false; 3]);
    /// The names of the three spots, as in round files.
    pub const NAMES: [&'static str; 3] = ["first", "second", "third"];

    /// Returns whether the set contains this spot.
    pub fn has(self, spot: usize) -> bool {
        self.0.get(spot).is_some_and(|&meant| meant)
    }

    /// Returns whether the set contains at least one spot.
    pub fn any(self) -> bool {
        self != Spots::NONE
    }

    /// Returns the union of both sets.
    pub fn with(self, others: Spots) -> Spots {
        Spots([0, 1, 2].map(|spot| self.0[spot] || others.0[spot]))
    }

    /// Parses a set from the names of its spots.
    ///
    /// No names mean all spots. Returns `None` if a name is unknown.
    pub fn from_names<'w>(words: impl Iterator<Item = &'w str>) -> Option<Spots> {
        let mut named = Spots::NONE;
        for word in words {
            named.0[Spots::NAMES.iter().position(|known| *known == word)?] = true;
        }
        Some(if named.any() { named } else { Spots::ALL })
    }

    /// Returns the names of the spots in the set, or no names if the set has all spots.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        (0..3).filter(move |&spot| self != Spots::ALL && self.has(spot)).map(|spot| Spots::NAMES[spot])
    }
}

/// The place at the table that a card is dealt to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardPlace {
    /// A player's hand, given by its box and its number.
    Hand(BoxId, HandNumber),
    /// The dealer's face-up cards: the upcard, and every other card dealt to the dealer face up.
    Dealer,
    /// The dealer's hole card, dealt face down.
    HoleDown,
    /// The determinant card, which decides which side of a double shoe deals the round (2.6(d)1).
    Determinant,
}

/// The role in which a person acts, as the regulations name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// A player at the table.
    Player,
    /// The dealer of the table.
    Dealer,
    /// A floorperson, who for example witnesses a payout (2.24(e)#2) or destroys a ten (26.15(b)).
    Floorperson,
    /// A casino supervisor, who for example orders a recut (2.5(g)) or is notified of an error (2.15(j)).
    Supervisor,
}

/// A kind of bet that can be settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wager {
    /// A bet on a hand, settled against the dealer's hand.
    Stake(Stake),
    /// Insurance, the bet that the dealer has a blackjack.
    Insurance,
    /// Even money: a player's blackjack, paid 1 to 1 immediately.
    EvenMoney,
    /// A side bet, which has its own paytable.
    Side(SideBet),
}

impl Wager {
    /// Returns the bet's name in round files and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Wager::Stake(stake) => stake.name(),
            Wager::Insurance => "insurance",
            Wager::EvenMoney => "even-money",
            Wager::Side(bet) => bet.name(),
        }
    }
}

/// A side of a double shoe, named by the color of the determinant cards that select the side (2.6(d)1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side that deals if the determinant card is a heart or diamond.
    Red,
    /// The side that deals if the determinant card is a club or spade.
    Black,
}

impl Side {
    /// Returns the side that a determinant card selects (2.6(d)1#2).
    pub const fn called_by(card: Card) -> Side {
        match card.suit().colour() {
            rules::card::Colour::Red => Side::Red,
            rules::card::Colour::Black => Side::Black,
        }
    }

    /// Returns the other side of the double shoe.
    pub const fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }
}
