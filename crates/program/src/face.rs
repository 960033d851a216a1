//! Groups the cards of a table into faces: cards that nothing at the table can tell apart.
//!
//! Drawing needs only faces. A table without bets on suits has ten faces, one per point value, which makes drawing
//! fast. A bet on suits makes every card a face of its own. The main game uses the coarser [`Symbol`]s.

use rules::{Card, Choices, Deck, Rank};
use std::collections::BTreeMap;

/// A group of cards that the main game cannot tell apart, as an index into [`Faces::symbols`].
pub type Symbol = u8;

/// The partition of a deck into faces and into symbols.
#[derive(Clone, Debug)]
pub struct Faces {
    /// For each face, one of its cards and the number of its cards in a deck.
    pub faces: Vec<(Card, u32)>,
    /// For each symbol, one of its cards and the number of its cards in a deck.
    pub symbols: Vec<(Card, u32)>,
    /// The symbol of each face.
    pub symbol_of: Vec<Symbol>,
    /// The face of each card, indexed by the card's index.
    pub face_of: [u8; 52],
}

/// A function that returns the class of a card. A bet or the main game treats all cards of a class alike.
pub type Classing<'a> = &'a dyn Fn(Card) -> u8;

impl Faces {
    /// Groups the cards of a table into faces and symbols.
    ///
    /// Each group holds all cards that neither the main game nor a bet can tell apart. `wagers` are the classings
    /// of the bets. `dealer` is the classing of a bet on the dealer's hand, which the symbols must respect too.
    pub fn new(choices: &Choices, insures: bool, dealer: Classing<'_>, wagers: &[Classing<'_>]) -> Faces {
        let main = |card: Card| main_class(choices, insures, card);
        let (symbols, symbol_by_card) = partition(choices.deck(), &[&main, dealer]);
        let mut all: Vec<Classing<'_>> = vec![&main, dealer];
        all.extend_from_slice(wagers);
        let (faces, face_of) = partition(choices.deck(), &all);
        let symbol_of = faces.iter().map(|(card, _)| symbol_by_card[card.index() as usize]).collect();
        Faces { faces, symbols, symbol_of, face_of }
    }

    /// Returns the symbol of a card.
    pub fn symbol(&self, card: Card) -> Symbol {
        self.symbol_of[self.face_of[card.index() as usize] as usize]
    }

    /// Returns the probability of drawing each symbol from an infinite deck.
    pub fn chances(&self) -> Vec<f64> {
        let all: u32 = self.symbols.iter().map(|&(_, n)| n).sum();
        self.symbols.iter().map(|&(_, n)| f64::from(n) / f64::from(all)).collect()
    }
}

/// Returns the class of a card in the main game.
///
/// The class is the card's point value, and its suit where bonus payouts or suited insurance depend on it.
fn main_class(choices: &Choices, insures: bool, card: Card) -> u8 {
    let offered = &choices.bonus_payouts;
    let suited_678 =
        offered.suited_678.is_yes() && matches!(card.rank(), Rank::Six | Rank::Seven | Rank::Eight);
    let designated = offered.blackjacks.iter().flatten().any(|&c| c == card);
    let suited_insurance =
        insures && choices.text().insurance.suited.is_some() && (card.is_ace() || card.is_ten_value());
    let exact = suited_678 || designated || suited_insurance;
    // ten-value ranks are distinguished only where the exact card matters
    let base = card.value() * 5;
    match exact {
        _ if designated => 60 + card.index(),
        true => base + 1 + card.suit() as u8,
        false => base,
    }
}

type Partition = (Vec<(Card, u32)>, [u8; 52]);

fn partition(deck: Deck, classings: &[Classing<'_>]) -> Partition {
    let mut groups: BTreeMap<Vec<u8>, u8> = BTreeMap::new();
    let mut members: Vec<(Card, u32)> = Vec::new();
    let mut of = [0; 52];
    for card in deck.cards() {
        let signature = classings.iter().map(|class| class(card)).collect();
        let next = members.len() as u8;
        let group = *groups.entry(signature).or_insert(next);
        if group == next {
            members.push((card, 0));
        }
        members[group as usize].1 += 1;
        of[card.index() as usize] = group;
    }
    (members, of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::preset::preset;

    #[test]
    fn plain_blackjack_has_ten_faces_and_a_suit_wager_fifty_two() {
        let choices = preset("nj-blackjack").unwrap();
        let plain = Faces::new(&choices, false, &|_| 0, &[]);
        assert_eq!(plain.faces.len(), 10);
        assert_eq!(plain.faces.iter().map(|f| f.1).sum::<u32>(), 52);
        let suits = Faces::new(&choices, false, &|_| 0, &[&|card: Card| card.index()]);
        assert_eq!((suits.faces.len(), suits.symbols.len()), (52, 10));
        for index in 0..52 {
            let card = Card::from_index(index).unwrap();
            assert_eq!(suits.symbols[suits.symbol(card) as usize].0.value(), card.value());
        }
    }
}
