//! Holds the actual cards, which are drawn at random without replacement.
//!
//! The table knows only the cards it has been shown.

use super::Chance;
use crate::event::{Event, Fact};
use crate::ids::{CardPlace, Side};
use crate::irregular::Irregularity;
use crate::shoe::Procedure;
use crate::table::Table;
use rules::Card;

/// The actual cards left in a shoe, on both sides.
///
/// Only one side is used unless the shoe is double.
#[derive(Clone, Debug)]
pub struct Cards {
    full: Vec<Card>,
    sides: [Vec<Card>; 2],
    /// The exposed card, drawn in error and dealt next, or `None` if there is none.
    exposed: Option<Card>,
    /// The hole card that nobody has seen, or `None` if there is none.
    hidden: Option<Card>,
}

impl Cards {
    /// Returns the cards of a full shoe for this table.
    pub fn new(table: &Table) -> Cards {
        let rules = table.rules();
        let decks = usize::from(rules.decks);
        let full: Vec<Card> = (0..decks).flat_map(|_| rules.deck().cards()).collect();
        Cards { sides: [full.clone(), full.clone()], full, exposed: None, hidden: None }
    }

    /// Draws a card from this side, or returns `None` if the side is empty.
    pub fn draw_from(&mut self, side: Side, chance: &mut Chance<'_>) -> Option<Card> {
        let stack = &mut self.sides[side as usize];
        (!stack.is_empty()).then(|| stack.swap_remove(chance.below(stack.len())))
    }

    /// Draws the next card from the dealing side, or the exposed card. Returns `None` if no card is left.
    pub fn draw(&mut self, table: &Table, chance: &mut Chance<'_>) -> Option<Card> {
        match self.exposed.take() {
            Some(card) => Some(card),
            None => self.draw_from(table.custody().side, chance),
        }
    }

    /// Puts back a card that was drawn but is not needed.
    pub fn put_back(&mut self, side: Side, card: Card) {
        self.sides[side as usize].push(card);
    }

    /// Returns the unseen hole card, or `None` if there is none.
    pub fn hidden(&self) -> Option<Card> {
        self.hidden
    }

    /// Records this card as the hole card that nobody has seen.
    pub fn hide(&mut self, card: Card) {
        self.hidden = Some(card);
    }

    /// Updates the actual cards after an event, in particular after one that moves cards without naming them.
    pub fn follow(&mut self, table: &Table, event: &Event, chance: &mut Chance<'_>) {
        match event.fact {
            Fact::Performed(
                Procedure::EmptyShoe
                | Procedure::ReturnToShuffler
                | Procedure::SwapBatches
                | Procedure::InsertThreeStacks
                | Procedure::ReshuffleDiscards,
            ) => self.gather(table),
            // cards found face up before the burn stay in the rack
            Fact::RecutOrdered => {
                self.gather(table);
                let stack = &mut self.sides[table.custody().side as usize];
                for card in table.custody().rack.iter().flatten() {
                    if let Some(at) = stack.iter().position(|other| other == card) {
                        stack.swap_remove(at);
                    }
                }
            }
            Fact::Performed(Procedure::Spread) => self.sides = [self.full.clone(), self.full.clone()],
            Fact::Irregular(Irregularity::OutOfCards) => self.gather(table),
            Fact::Performed(Procedure::Burn) | Fact::Burned(None) => {
                let _ = self.draw_from(table.custody().side, chance);
            }
            Fact::Irregular(Irregularity::Exposed(card)) => self.exposed = Some(card),
            Fact::Burned(Some(card)) if self.exposed == Some(card) => self.exposed = None,
            Fact::Dealt { to: CardPlace::Dealer, .. } => self.hidden = None,
            Fact::PickedUp => self.hidden = None,
            _ => {}
        }
    }

    /// Gathers all cards that are not on the layout into one stack.
    fn gather(&mut self, table: &Table) {
        let stack = &mut self.sides[table.custody().side as usize];
        stack.clear();
        stack.extend_from_slice(&self.full);
        let layout = table.custody().layout.iter().flatten().copied();
        for card in layout.chain(self.hidden).chain(self.exposed) {
            if let Some(at) = stack.iter().position(|&other| other == card) {
                stack.swap_remove(at);
            }
        }
    }
}
