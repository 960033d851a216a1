//! Represents a shoe as the number of each of its 52 kinds of cards, and enumerates the cards that it can deal.
//!
//! A shuffled shoe deals every order of its cards with equal probability. Any n cards, wherever in the round they
//! are dealt, are therefore distributed like its first n cards: the cards are exchangeable. For this reason, the
//! cards of other boxes, the burn card and the order of dealing never affect the odds, and the dealer's cards may
//! be dealt first.

use rules::{Card, Choices};

/// The cards left in a shoe, counted by rank and suit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shoe {
    counts: [u32; 52],
    left: u32,
}

/// The error that a card to be removed is not left in the shoe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotInShoe(pub Card);

impl std::fmt::Display for NotInShoe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the shoe has no {} left", self.0)
    }
}

impl std::error::Error for NotInShoe {}

impl Shoe {
    /// Returns the full shoe of a table.
    pub fn fresh(choices: &Choices) -> Shoe {
        let mut counts = [0; 52];
        for card in choices.deck().cards() {
            counts[usize::from(card.index())] = u32::from(choices.decks);
        }
        Shoe { counts, left: counts.iter().sum() }
    }

    /// Returns a shoe with the given numbers of cards of each rank and suit.
    pub fn of(kinds: impl IntoIterator<Item = (Card, u16)>) -> Shoe {
        let mut counts = [0; 52];
        kinds.into_iter().for_each(|(card, n)| counts[usize::from(card.index())] += u32::from(n));
        Shoe { counts, left: counts.iter().sum() }
    }

    /// Returns the shoe without these cards, or an error if one of them is not left.
    pub fn without(&self, cards: &[Card]) -> Result<Shoe, NotInShoe> {
        let mut shoe = self.clone();
        for &card in cards {
            if shoe.count(card) == 0 {
                return Err(NotInShoe(card));
            }
            shoe.take(card);
        }
        Ok(shoe)
    }

    /// Returns the number of cards left with the rank and suit of `card`.
    pub fn count(&self, card: Card) -> u32 {
        self.counts[usize::from(card.index())]
    }

    /// Returns the number of cards left.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Iterates over the ranks and suits left, as one card each, with the number of such cards.
    pub fn counts(&self) -> impl Iterator<Item = (Card, u32)> + '_ {
        (0..52)
            .filter_map(Card::from_index)
            .map(|card| (card, self.count(card)))
            .filter(|&(_, count)| count > 0)
    }

    /// Returns the number of ordered ways to draw `n` cards.
    ///
    /// Cards of the same rank and suit count as distinct.
    pub fn orders(&self, n: u32) -> u128 {
        (0..n).map(|taken| u128::from(self.left.saturating_sub(taken))).product()
    }

    fn take(&mut self, card: Card) {
        self.counts[usize::from(card.index())] -= 1;
        self.left -= 1;
    }

    fn put_back(&mut self, card: Card) {
        self.counts[usize::from(card.index())] += 1;
        self.left += 1;
    }

    /// Calls `next` for every card that the shoe can deal next.
    ///
    /// `next` gets the card, the number of such cards left, and the shoe without one such card.
    pub fn deal(&mut self, mut next: impl FnMut(Card, u128, &mut Shoe)) {
        for index in 0..52 {
            let Some(card) = Card::from_index(index) else {
                continue;
            };
            let ways = u128::from(self.count(card));
            if ways > 0 {
                self.take(card);
                next(card, ways, self);
                self.put_back(card);
            }
        }
    }

    /// Calls `visit` with every sequence of `N` cards and the number of ways to draw it.
    ///
    /// The numbers of ways add up to [`Shoe::orders`]`(N)`.
    pub fn deal_series<const N: usize>(&mut self, mut visit: impl FnMut([Card; N], u128)) {
        if let Some(filler) = Card::from_index(0) {
            self.deal_rest([filler; N], 0, 1, &mut visit);
        }
    }

    fn deal_rest<const N: usize>(
        &mut self,
        mut series: [Card; N],
        dealt: usize,
        ways: u128,
        visit: &mut impl FnMut([Card; N], u128),
    ) {
        if dealt == N {
            visit(series, ways);
            return;
        }
        for index in 0..52 {
            let Some(card) = Card::from_index(index) else {
                continue;
            };
            let count = u128::from(self.count(card));
            if count > 0 {
                series[dealt] = card;
                self.take(card);
                self.deal_rest(series, dealt + 1, ways * count, visit);
                self.put_back(card);
            }
        }
    }

    /// Calls `visit` with every multiset of four cards and the number of ordered ways to draw it.
    ///
    /// The numbers of ways add up to [`Shoe::orders`]`(4)`. For bets that ignore the order of the cards, this
    /// enumeration takes a twentieth of the work of [`Shoe::deal_series`].
    pub fn deal_sets_of_four(&self, mut visit: impl FnMut([Card; 4], u128)) {
        let kinds: Vec<(Card, u32)> = self.counts().collect();
        for (a, &(first, _)) in kinds.iter().enumerate() {
            for (b, &(second, _)) in kinds.iter().enumerate().skip(a) {
                for (c, &(third, _)) in kinds.iter().enumerate().skip(b) {
                    for (d, &(fourth, _)) in kinds.iter().enumerate().skip(c) {
                        let ways = self.ways_of_four(&kinds, [a, b, c, d]);
                        if ways > 0 {
                            visit([first, second, third, fourth], ways);
                        }
                    }
                }
            }
        }
    }

    /// Returns the number of ordered ways to draw the multiset of the four kinds at the sorted indices `at`.
    fn ways_of_four(&self, kinds: &[(Card, u32)], at: [usize; 4]) -> u128 {
        let (mut picks, mut orders, mut repeat) = (1, 24, 1);
        for (n, &kind) in at.iter().enumerate() {
            repeat = if n > 0 && at[n - 1] == kind { repeat + 1 } else { 1 };
            orders /= repeat;
            picks *= u128::from(kinds[kind].1).saturating_sub(repeat - 1);
        }
        picks * orders
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::preset::preset;

    #[test]
    fn every_enumeration_counts_all_orders() {
        for (name, decks) in [("nj-blackjack", 1), ("nj-switch", 6), ("nj-triple-attack", 8)] {
            let choices = Choices { decks, ..preset(name).unwrap() };
            let mut shoe = Shoe::fresh(&choices);
            let (mut three, mut four) = (0, 0);
            shoe.deal_series(|_: [Card; 3], ways| three += ways);
            shoe.deal_sets_of_four(|_, ways| four += ways);
            assert_eq!((three, four), (shoe.orders(3), shoe.orders(4)), "{name}");
            assert_eq!(shoe, Shoe::fresh(&choices), "the shoe is full again");
        }
    }

    #[test]
    fn a_card_that_is_gone_cannot_be_removed() {
        let choices = Choices { decks: 1, ..preset("nj-blackjack").unwrap() };
        let ace = "As".parse().unwrap();
        let shoe = Shoe::fresh(&choices).without(&[ace]).unwrap();
        assert_eq!(shoe.left(), 51);
        assert_eq!(shoe.without(&[ace]), Err(NotInShoe(ace)));
    }
}
