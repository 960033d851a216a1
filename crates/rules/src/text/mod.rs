//! The regulations as data: a text is one [`Text`], in the order of the regulation, each part with its clause. A lawyer
//! can open one file and read one regulation.
//!
//! Nothing outside asks which game it is: it reads a field or calls a function of the text. `parts` and `decided`
//! define the parts of a text; `switch` has what both Switch texts share. A text of your own needs no line here: see
//! `docs/a-game-of-your-own.md`.

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

/// A regulation.
#[derive(Clone, Copy)]
pub struct Text {
    /// The name of the text's catalogue: `nj-switch`.
    pub name: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The word for the game in a table file.
    pub game: &'static str,
    /// The jurisdiction in which the text governs.
    pub jurisdiction: &'static str,
    /// The text's own variations, each with the amended text.
    pub variations: &'static [Amendment],
    /// Returns the preset that supplies the omitted keys of a table file.
    pub preset: fn() -> Choices,
    /// The cards, and what is removed from a deck.
    pub cards: Cards,
    /// The required bets, and what may be added to them.
    pub wagers: Wagers,
    /// The preparation of the cards before the table opens.
    pub opening: Opening,
    /// How the cards are shuffled.
    pub shuffle: Shuffling,
    /// How the cards are cut, and where the cut card goes.
    pub cut: Cutting,
    /// The order of the deal and of the turns.
    pub deal: Dealing,
    /// Surrender for half of a bet, if the text knows it.
    pub surrender: Option<Surrender>,
    /// The bet that the dealer has a blackjack.
    pub insurance: Insurance,
    /// Doubling a bet for one card.
    pub double: Doubling,
    /// Splitting a pair.
    pub split: Splitting,
    /// The exchange of second cards, if players have two hands and the text allows it.
    pub switch: Option<Switching>,
    /// When players and dealer draw, and when they must not.
    pub draw: Drawing,
    /// Several people at one box, several boxes for one person.
    pub sharing: Sharing,
    /// Irregularities and their remedies.
    pub irregular: Irregular,
    /// The settlement of bets.
    pub settle: Settling,
    /// The side bets of the text.
    pub sides: Sides,
    /// The clause that requires the licensee's name on the layout.
    pub licensee: Option<Clause>,
    /// The inscriptions of the layout.
    pub felt: &'static [Felt],
    /// The results in plain words.
    pub results: &'static [CitedRule],
    /// Rulings on a clause that is numbered differently in this text than in `ruling.rs`.
    pub rulings: &'static [(&'static str, Clause)],
    /// The values that the text permits for the keys of a table file; those of a variation come first.
    pub values: &'static [&'static [values::Permits<'static>]],
    /// Checks the requirements on a table of this text beyond the values of single keys.
    pub check: fn(&Choices, &mut Report),
}

/// A variation of a text, and when a table plays it.
#[derive(Clone, Copy)]
pub struct Amendment {
    /// The choice that selects the variation.
    pub when: Chosen,
    /// The text as amended by the variation.
    pub text: &'static Text,
}

/// A choice that selects the variation of a table.
#[derive(Clone, Copy)]
pub enum Chosen {
    /// The variation by its name.
    Variation(Variation),
    /// How the dealer's second card is dealt.
    HoleCard(HoleCard),
}

impl Chosen {
    /// Returns whether these choices select this text.
    #[inline]
    fn by(self, choices: &Choices) -> bool {
        match self {
            Chosen::Variation(variation) => choices.variation == variation,
            Chosen::HoleCard(hole_card) => choices.hole_card == hole_card,
        }
    }
}

/// The texts of the catalogue.
pub static TEXTS: [&Text; 5] = [
    &nj_blackjack::TEXT,
    &nj_switch::TEXT,
    &ma_switch::TEXT,
    &nj_double_attack::TEXT,
    &nj_triple_attack::TEXT,
];

/// Returns the text that governs a game in a jurisdiction; the game's first text if the jurisdiction has none.
pub fn find(texts: &[&'static Text], game: &str, jurisdiction: &str) -> Option<&'static Text> {
    let of_game = || texts.iter().copied().filter(|text| text.game == game);
    of_game().find(|text| text.jurisdiction == jurisdiction).or(of_game().next())
}

/// The structure of a text's round, as far as a solver or simulator must know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One hand and one bet for each player.
    OneHand,
    /// Two hands, whose second cards may be exchanged.
    TwoHands,
    /// A bet may be added after the upcard, before the players' cards.
    OneAttack,
    /// A bet may be added on the first card, and another on the upcard.
    TwoAttacks,
}

impl Text {
    /// Returns the text as amended by the variation in these choices, if it has that variation.
    #[inline]
    pub fn amended(&'static self, choices: &Choices) -> &'static Text {
        self.variations.iter().find(|variation| variation.when.by(choices)).map_or(self, |v| v.text)
    }

    /// Returns the rows that the text writes itself; those of a variation come before those of the text it amends.
    pub fn permits(&self) -> impl Iterator<Item = &'static values::Permits<'static>> + use<> {
        let layers = self.values;
        let named_before = move |at: usize, key: &str| {
            layers[..at].iter().flat_map(|layer| layer.iter()).any(|permits| permits.key == key)
        };
        let layers = layers.iter().enumerate();
        layers.flat_map(move |(at, layer)| layer.iter().filter(move |permits| !named_before(at, permits.key)))
    }

    /// Returns whether this clause is part of this text.
    pub fn governs(&self, by: Clause) -> bool {
        by.rows().any(|row| row.text == self.name)
    }

    /// Returns the structure of the text's rounds.
    pub const fn form(&self) -> Form {
        match (self.switch, self.wagers.attacks.len()) {
            (Some(_), _) => Form::TwoHands,
            (None, 0) => Form::OneHand,
            (None, 1) => Form::OneAttack,
            (None, _) => Form::TwoAttacks,
        }
    }

    /// Returns whether a surrender halves everything on a hand, attack and doubling money included: 26.8(a)#4.
    pub fn halves_all(&self) -> bool {
        self.surrender.is_some_and(|rule| rule.halves_all)
    }

    /// Returns a side bet of this text.
    pub fn side(&self, wager: SideWager) -> Option<&'static Side> {
        self.sides.rows.iter().find(|side| side.wager == wager)
    }

    /// Returns what the dealer does for a progressive bet, if the text has one.
    pub fn meter(&self) -> Option<&'static MeterSteps> {
        self.sides.rows.iter().find_map(|side| side.extras.meter.as_ref())
    }

    /// Returns what the dealer does for a bet whose button shows the award, if the text has one.
    pub fn button(&self) -> Option<&'static ButtonSteps> {
        self.sides.rows.iter().find_map(|side| side.extras.button.as_ref())
    }

    /// Returns this text's clause on an ambiguity, or `by` if it has none.
    pub fn ruling_by(&self, key: &str, by: Clause) -> Clause {
        self.rulings.iter().find(|(own, _)| *own == key).map_or(by, |&(_, own)| own)
    }
}

/// Compares texts by name.
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
