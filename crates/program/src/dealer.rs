//! Compiles the dealer's hand into a lookup table: for each further card, the next row and whether the hand ends.

use crate::class::final_of;
use crate::face::{Faces, Symbol};
use rules::play::dealer_draws;
use rules::wager::dealer_bust::is_decided_on_two;
use rules::{Choices, Hand, Total};
use std::collections::HashMap;

/// The row of the lookup table for a dealer hand that waits for a card.
///
/// The first rows are the hands of one card, in the order of the symbols.
pub type DealerRow = u16;

/// The state of a dealer hand that has just received a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Drawn {
    /// The row in which the hand waits for its next card.
    ///
    /// The row is used only if the drawing rule or a bet requires that card.
    pub row: DealerRow,
    /// The index of the hand's final result, or `None` if the drawing rule requires another card.
    pub last: Option<u8>,
}

/// All hands that the dealer can have, with the state of each after its next card.
#[derive(Clone, Debug)]
pub struct Dealer {
    /// The length of a row of the lookup table: the number of symbols, rounded up to a power of two.
    pub stride: usize,
    rows: Vec<Drawn>,
    /// The total and the number of cards of each hand, indexed by row.
    ///
    /// A hand of more than three cards counts as three.
    pub hands: Vec<(Total, usize)>,
    /// For each row of a two-card hand, whether a bet on the dealer's third card has already lost.
    ///
    /// The dealer draws no card for a bet that has lost.
    pub decided_on_two: Vec<bool>,
}

impl Dealer {
    /// Returns the state of the dealer hand in `row` after it receives the card `symbol`.
    #[inline]
    pub fn next(&self, row: DealerRow, symbol: Symbol) -> Drawn {
        self.rows[usize::from(row) * self.stride + usize::from(symbol)]
    }

    /// Returns the row of a dealer hand with only the upcard `symbol`.
    pub fn up(&self, symbol: Symbol) -> DealerRow {
        DealerRow::from(symbol)
    }
}

/// Lists all hands that the dealer can have at a table.
pub fn walk(choices: &Choices, faces: &Faces) -> Dealer {
    let stride = faces.symbols.len().next_power_of_two();
    let mut hands: Vec<Hand> = faces.symbols.iter().map(|&(card, _)| Hand::dealt(&[card])).collect();
    // keep one-card rows separate by symbol, because it may matter whether the second card has the first card's suit
    let mut known: HashMap<(Total, usize), DealerRow> = HashMap::new();
    let mut rows = Vec::new();
    let mut at = 0;
    while at < hands.len() {
        let hand = hands[at];
        for &(card, _) in &faces.symbols {
            let mut drawn = hand;
            drawn.push(card);
            let draws = dealer_draws(choices, drawn.total());
            let last = (!draws).then(|| final_of(&drawn) as u8);
            let key = (drawn.total(), drawn.len().min(3));
            let row = *known.entry(key).or_insert_with(|| {
                hands.push(drawn);
                (hands.len() - 1) as DealerRow
            });
            rows.push(Drawn { row, last });
        }
        rows.resize((at + 1) * stride, Drawn { row: 0, last: None });
        at += 1;
        // a busted hand draws no further; its row is never read
        if hands[at - 1].is_bust() {
            rows[(at - 1) * stride..].fill(Drawn { row: 0, last: Some(6) });
        }
    }
    Dealer {
        stride,
        rows,
        decided_on_two: hands.iter().map(|hand| is_decided_on_two(hand.cards())).collect(),
        hands: hands.iter().map(|hand| (hand.total(), hand.len().min(3))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::BLACKJACK;
    use rules::card::parse_cards;
    use rules::preset::preset;

    #[test]
    fn rows_follow_the_drawing_rule() {
        for name in ["nj-blackjack", "nj-switch"] {
            let choices = preset(name).unwrap();
            let faces = Faces::new(&choices, false, &|_| 0, &[]);
            let dealer = walk(&choices, &faces);
            for (cards, last) in
                [("As Ks", BLACKJACK), ("Ts 7d", 0), ("9s 7d 6s", 5), ("9s 7d Ks", 6), ("5s 6s Kd", 4)]
            {
                let symbols: Vec<u8> = parse_cards(cards).unwrap().iter().map(|&c| faces.symbol(c)).collect();
                let mut row = dealer.up(symbols[0]);
                let mut end = None;
                for &symbol in &symbols[1..] {
                    let drawn = dealer.next(row, symbol);
                    (row, end) = (drawn.row, drawn.last);
                }
                assert_eq!(end, Some(last as u8), "{name} {cards}");
            }
        }
    }
}
