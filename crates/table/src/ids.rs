//! Identifiers of places and people at a table.

use rules::settle::Stake;
use rules::{Card, SideBet};

/// A betting box, counted from the dealer's left, starting at one. In Switch a box has two hands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BoxId(pub u8);

/// A person, as numbered by the user of this crate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Person(pub u32);

/// The number of a hand within its box: one for the first (one and two in Switch); a split takes the next free number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HandNumber(pub u8);

/// The index of a bettor on a box, in order of arrival.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bettor(pub u8);

/// The index of one of up to three bets in multiple action; zero elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot(pub u8);

/// A set of spots in multiple action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spots([bool; 3]);

impl Spots {
    /// All spots.
    pub const ALL: Spots = Spots([true; 3]);
    /// Only the first spot.
    pub const FIRST: Spots = Spots([true, false, false]);
    /// No spots.
    pub const NONE: Spots = Spots([false; 3]);
    /// The names of the spots, in order.
    pub const WORDS: [&'static str; 3] = ["first", "second", "third"];

    /// Returns whether this spot is in the set.
    pub fn has(self, spot: usize) -> bool {
        self.0.get(spot).is_some_and(|&meant| meant)
    }

    /// Returns whether the set has any spot.
    pub fn any(self) -> bool {
        self != Spots::NONE
    }

    /// Returns the union of two sets of spots.
    pub fn with(self, others: Spots) -> Spots {
        Spots([0, 1, 2].map(|spot| self.0[spot] || others.0[spot]))
    }

    /// Parses the words for a set of spots; no words mean all. Returns `None` for an unknown word.
    pub fn named<'w>(words: impl Iterator<Item = &'w str>) -> Option<Spots> {
        let mut named = Spots::NONE;
        for word in words {
            named.0[Spots::WORDS.iter().position(|known| *known == word)?] = true;
        }
        Some(if named.any() { named } else { Spots::ALL })
    }

    /// Returns the words for the spots; none if the set has all of them.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        (0..3).filter(move |&spot| self != Spots::ALL && self.has(spot)).map(|spot| Spots::WORDS[spot])
    }
}

/// The place that a card goes to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardPlace {
    /// A hand of a box.
    Hand(BoxId, HandNumber),
    /// The dealer's upcard, and every card that the dealer takes face up.
    Dealer,
    /// The hole card, face down.
    HoleDown,
    /// The first card of a round from a double shoe, which decides the side: 2.6(d)1.
    Determinant,
}

/// A role that the texts name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// A player.
    Player,
    /// The dealer of the table.
    Dealer,
    /// A floorperson: 2.24(e)#2, 26.15(b).
    Floorperson,
    /// A casino supervisor: 2.5(g), 2.15(j).
    Supervisor,
}

/// A bet that can be settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wager {
    /// A bet on a hand, settled against the dealer's hand.
    Stake(Stake),
    /// The bet that the dealer has a blackjack.
    Insurance,
    /// A blackjack paid 1 to 1 at once.
    EvenMoney,
    /// A side bet.
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

/// A side of a double shoe, named by the suits that call for it: 2.6(d)1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side that a heart or diamond calls for.
    Red,
    /// The side that a club or spade calls for.
    Black,
}

impl Side {
    /// Returns the side that a determinant card of this suit calls for (2.6(d)1#2).
    pub const fn called_by(card: Card) -> Side {
        match card.suit().colour() {
            rules::card::Colour::Red => Side::Red,
            rules::card::Colour::Black => Side::Black,
        }
    }

    /// Returns the other side.
    pub const fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }
}
