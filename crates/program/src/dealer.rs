//! The dealer's hand as rows: what each further card makes of it, and where it ends.

use crate::class::final_of;
use crate::face::{Faces, Symbol};
use rules::play::dealer_draws;
use rules::wager::dealer_bust::is_decided_on_two;
use rules::{Choices, Hand, Total};
use std::collections::HashMap;

/// A dealer's hand that waits for a card. Rows 0 to n-1 are those with one card, by its symbol.
pub type DealerRow = u16;

/// What a card makes of the dealer's hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Drawn {
    /// The row to draw on from, if further cards are drawn by the drawing rule or made compulsory by a wager.
    pub row: DealerRow,
    /// Whether the drawing rule ends here, and with which final hand.
    pub last: Option<u8>,
}

/// All hands of the dealer.
#[derive(Clone, Debug)]
pub struct Dealer {
    /// The length of a row: symbols rounded up to a power of two.
    pub stride: usize,
    rows: Vec<Drawn>,
    /// The total in each row, and how many cards it has (three stands for more).
    pub hands: Vec<(Total, usize)>,
    /// By row of two cards: whether a wager on the third card is lost already, so that none need be drawn for it.
    pub decided_on_two: Vec<bool>,
}

impl Dealer {
    /// What this card makes of the hand in this row.
    #[inline]
    pub fn next(&self, row: DealerRow, symbol: Symbol) -> Drawn {
        self.rows[usize::from(row) * self.stride + usize::from(symbol)]
    }

    /// The row of a dealer who shows this card.
    pub fn up(&self, symbol: Symbol) -> DealerRow {
        DealerRow::from(symbol)
    }
}

/// Walks all hands of the dealer.
pub fn walk(choices: &Choices, faces: &Faces) -> Dealer {
    let stride = faces.symbols.len().next_power_of_two();
    let mut hands: Vec<Hand> = faces.symbols.iter().map(|&(card, _)| Hand::dealt(&[card])).collect();
    // one-card rows stay apart by symbol: whether a second card suits the first may matter
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
        // a hand that has passed 21 goes no further; its row is never read
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
