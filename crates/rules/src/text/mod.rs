//! The regulations as data: each is one [`Text`], whose parts follow the regulation and cite its clauses.
//!
//! A lawyer can open one file and read one regulation. No other code depends on which game is played: it reads a
//! field or calls a function of the [`Text`]. `parts` and `decided` define the parts; `switch` has what both
//! Switch regulations share. To add a regulation of your own, see `docs/a-game-of-your-own.md`; this module needs
//! no change.

mod decided;
pub mod entries;
pub mod ma_switch;
mod ma_switch_values;
pub mod nj_blackjack;
pub mod nj_double_attack;
mod nj_double_attack_values;
pub mod nj_switch;
mod nj_switch_values;
pub mod nj_triple_attack;
mod nj_triple_attack_values;
mod parts;
mod rows;
mod switch;
pub mod values;
mod why;

pub use decided::*;
pub use parts::*;

use crate::choice::{Choices, HoleCard, Variation};
use crate::clause::Clause;
use crate::lawful::Report;
use crate::wager::{ButtonSteps, MeterSteps, Side, SideWager};
use std::fmt;

/// A regulation as data: its clauses and parameters, in the order of the regulation.
#[derive(Clone, Copy)]
pub struct Text {
    /// The regulation's name in the catalogue, such as `nj-switch`.
    pub name: &'static str,
    /// The game's name for people, such as `Blackjack Switch`.
    pub title: &'static str,
    /// The game's name in a table file, such as `switch`.
    pub game: &'static str,
    /// The regulation's jurisdiction in a table file, such as `nj`.
    pub jurisdiction: &'static str,
    /// The game's variations, each with the regulation as the variation amends it.
    pub variations: &'static [Amendment],
    /// The function that returns the preset, from which a table file takes the keys that it omits.
    pub preset: fn() -> Choices,
    /// The cards in use, and the cards that are removed from each deck.
    pub cards: Cards,
    /// The required bets, and the bets that may be added to them.
    pub wagers: Wagers,
    /// How the cards are prepared before the table opens.
    pub opening: Opening,
    /// How the cards are shuffled.
    pub shuffle: Shuffling,
    /// How the cards are cut, and where the cut card goes.
    pub cut: Cutting,
    /// The rules for the deal and for the order of the turns.
    pub deal: Dealing,
    /// The rules for surrendering half of a bet, or `None` if the regulation has no surrender.
    pub surrender: Option<Surrender>,
    /// The rules for insurance, the bet that the dealer has a blackjack.
    pub insurance: Insurance,
    /// The rules for doubling a bet for one more card.
    pub double: Doubling,
    /// The rules for splitting pairs.
    pub split: Splitting,
    /// The rules for exchanging second cards, or `None` if the regulation has no switch.
    pub switch: Option<Switching>,
    /// The rules on when the players and the dealer draw cards.
    pub draw: Drawing,
    /// The rules for shared boxes, and for several boxes of one person.
    pub sharing: Sharing,
    /// The irregularities and their remedies.
    pub irregular: Irregular,
    /// The rules for settling bets.
    pub settle: Settling,
    /// The side bets that the regulation has.
    pub sides: Sides,
    /// The clause that requires the licensee's name on the layout, if there is one.
    pub licensee: Option<Clause>,
    /// The inscriptions on the layout, each with its clause.
    pub felt: &'static [Felt],
    /// The results of a round in plain words, each with its clause.
    pub results: &'static [CitedRule],
    /// The rulings that this regulation cites under a clause of its own, not the one in `ruling.rs`: each key with
    /// its clause.
    pub rulings: &'static [(&'static str, Clause)],
    /// The rows of permitted values in layers; the layer of a variation comes before that of the regulation it
    /// amends.
    pub values: &'static [&'static [values::KeyValues<'static>]],
    /// The function that checks the requirements that concern more than one key.
    pub check: fn(&Choices, &mut Report),
}

/// A variation of a regulation, and the choice in a table file that selects the variation.
#[derive(Clone, Copy)]
pub struct Amendment {
    /// The choice that selects the variation.
    pub when: Chosen,
    /// The regulation as the variation amends it.
    pub text: &'static Text,
}

/// A choice in a table file that selects a variation.
#[derive(Clone, Copy)]
pub enum Chosen {
    /// The variation that the key `variation` names.
    Variation(Variation),
    /// The way in which the dealer's second card is dealt, by the key `hole_card`.
    HoleCard(HoleCard),
}

impl Chosen {
    /// Returns whether `choices` select the variation.
    #[inline]
    fn by(self, choices: &Choices) -> bool {
        match self {
            Chosen::Variation(variation) => choices.variation == variation,
            Chosen::HoleCard(hole_card) => choices.hole_card == hole_card,
        }
    }
}

/// The regulations of the catalogue.
pub static TEXTS: [&Text; 5] = [
    &nj_blackjack::TEXT,
    &nj_switch::TEXT,
    &ma_switch::TEXT,
    &nj_double_attack::TEXT,
    &nj_triple_attack::TEXT,
];

/// Returns the regulation among `texts` for a game in a jurisdiction.
///
/// If the jurisdiction has no regulation for the game, returns the first regulation for the game. Returns `None`
/// if `texts` has none for the game.
pub fn find(texts: &[&'static Text], game: &str, jurisdiction: &str) -> Option<&'static Text> {
    let of_game = || texts.iter().copied().filter(|text| text.game == game);
    of_game().find(|text| text.jurisdiction == jurisdiction).or(of_game().next())
}

/// The structure of a round; the solver and the simulator treat each structure differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each player has one hand and one bet.
    OneHand,
    /// Each player has two hands, whose second cards may be exchanged.
    TwoHands,
    /// A player may add one bet after the upcard is dealt and before the players' cards.
    OneAttack,
    /// A player may add one bet after the first card is dealt and another after the upcard.
    TwoAttacks,
}

impl Text {
    /// Returns the regulation as amended by the variation that `choices` select, or unamended without a variation.
    #[inline]
    pub fn amended(&'static self, choices: &Choices) -> &'static Text {
        self.variations.iter().find(|variation| variation.when.by(choices)).map_or(self, |v| v.text)
    }

    /// Returns the regulation's own rows of permitted values, one per key.
    ///
    /// For a variation, its row for a key replaces the row of the regulation that it amends.
    pub fn permits(&self) -> impl Iterator<Item = &'static values::KeyValues<'static>> + use<> {
        let layers = self.values;
        let named_before = move |at: usize, key: &str| {
            layers[..at].iter().flat_map(|layer| layer.iter()).any(|permits| permits.key == key)
        };
        let layers = layers.iter().enumerate();
        layers.flat_map(move |(at, layer)| layer.iter().filter(move |permits| !named_before(at, permits.key)))
    }

    /// Returns whether the clause is part of this regulation.
    pub fn governs(&self, by: Clause) -> bool {
        by.rows().any(|row| row.text == self.name)
    }

    /// Returns the structure of a round under this regulation.
    pub const fn form(&self) -> Form {
        match (self.switch, self.wagers.attacks.len()) {
            (Some(_), _) => Form::TwoHands,
            (None, 0) => Form::OneHand,
            (None, 1) => Form::OneAttack,
            (None, _) => Form::TwoAttacks,
        }
    }

    /// Returns whether surrender halves every bet on a hand, including attack bets and doubling money (26.8(a)#4).
    pub fn halves_all(&self) -> bool {
        self.surrender.is_some_and(|rule| rule.halves_all)
    }

    /// Returns the regulation's definition of a side bet, or `None` if the regulation does not have the side bet.
    pub fn side(&self, wager: SideWager) -> Option<&'static Side> {
        self.sides.rows.iter().find(|side| side.wager == wager)
    }

    /// Returns the clauses on the dealer's steps for a progressive bet, or `None` if the regulation has no such
    /// bet.
    pub fn meter(&self) -> Option<&'static MeterSteps> {
        self.sides.rows.iter().find_map(|side| side.extras.meter.as_ref())
    }

    /// Returns the clauses on the dealer's steps for a bonus button bet, or `None` if the regulation has no such
    /// bet.
    pub fn button(&self) -> Option<&'static ButtonSteps> {
        self.sides.rows.iter().find_map(|side| side.extras.button.as_ref())
    }

    /// Returns the clause under which this regulation cites the ruling `key`, or `by` if it has no clause of its
    /// own.
    pub fn ruling_by(&self, key: &str, by: Clause) -> Clause {
        self.rulings.iter().find(|(own, _)| *own == key).map_or(by, |&(_, own)| own)
    }
}

/// Compares regulations by name.
impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.name == other.name
    }
}

impl Eq for Text {}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
