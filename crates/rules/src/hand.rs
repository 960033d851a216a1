//! Hands of cards in the order dealt, with their totals and their origin.

use crate::card::Card;

/// The total of a hand, hard or soft, as 2.1, 2A.1, MA 1, 26.1 and 36.1 define it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Total {
    /// The total of a hand that has no ace, or that counts every ace as one.
    Hard(u8),
    /// The total of a hand that counts one ace as eleven.
    Soft(u8),
}

impl Total {
    /// The total of a hand without cards.
    pub const NONE: Total = Total::Hard(0);

    /// Returns the points of the total, hard or soft.
    pub const fn points(self) -> u8 {
        match self {
            Total::Hard(points) | Total::Soft(points) => points,
        }
    }

    /// Returns whether the total counts an ace as eleven.
    pub const fn is_soft(self) -> bool {
        matches!(self, Total::Soft(_))
    }

    /// Returns whether the total is more than 21.
    pub const fn is_bust(self) -> bool {
        self.points() > 21
    }

    /// Returns the total after another card of this value (2.2(b)3.i, 2A.2(b)3, 26.2(b)3, 36.2(b)3).
    ///
    /// An ace, `value` 1, counts eleven unless that would take the total above 21; then it counts one.
    #[inline]
    pub const fn with(self, value: u8) -> Total {
        match self {
            Total::Soft(points) if points + value <= 21 => Total::Soft(points + value),
            Total::Soft(points) => Total::Hard(points - 10 + value),
            Total::Hard(points) if value == 1 && points + 11 <= 21 => Total::Soft(points + 11),
            Total::Hard(points) => Total::Hard(points + value),
        }
    }

    /// Returns the total of these cards, with an ace as eleven unless that would exceed 21.
    pub fn of(cards: &[Card]) -> Total {
        cards.iter().fold(Total::NONE, |total, card| total.with(card.value()))
    }
}

/// How a hand was formed.
///
/// An ace and a ten-value card are a blackjack only as the initial two cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The hand was dealt, and neither switched nor formed by a split.
    Dealt,
    /// The second cards of two hands were exchanged to form the hand (2A.7(g)1).
    Switched,
    /// The hand was formed by splitting a pair.
    Split,
}

/// The maximum number of cards in a hand: the longest hand that has not busted, and one more card.
const MOST_CARDS: usize = 23;

/// A hand of cards in the order dealt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    cards: [Card; MOST_CARDS],
    len: u8,
    origin: Origin,
    total: Total,
}

/// An empty hand at the start of a round.
impl Default for Hand {
    fn default() -> Hand {
        Hand::empty(Origin::Dealt)
    }
}

impl Hand {
    /// Returns a hand without cards.
    pub const fn empty(origin: Origin) -> Hand {
        let filler = Card::new(crate::card::Rank::Ace, crate::card::Suit::Clubs);
        Hand { cards: [filler; MOST_CARDS], len: 0, origin, total: Total::NONE }
    }

    /// Returns a hand of these cards; cards beyond the largest possible hand are dropped.
    pub fn new(origin: Origin, cards: &[Card]) -> Hand {
        let mut hand = Hand::empty(origin);
        for &card in cards {
            hand.push(card);
        }
        hand
    }

    /// Returns a hand of these cards as dealt at the start of a round.
    pub fn dealt(cards: &[Card]) -> Hand {
        Hand::new(Origin::Dealt, cards)
    }

    /// Adds a card to the hand.
    ///
    /// A card beyond the maximum number is dropped; play never reaches it, because a busted hand takes no more
    /// cards.
    #[inline]
    pub fn push(&mut self, card: Card) {
        if usize::from(self.len) < MOST_CARDS {
            self.cards[usize::from(self.len)] = card;
            self.len += 1;
            self.total = self.total.with(card.value());
        }
    }

    /// Returns the hand's cards, in dealing order.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// Returns how many cards the hand has.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns whether the hand has no cards yet.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the hand's origin, which decides whether its 21 is a blackjack.
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the hand's total, hard or soft.
    pub const fn total(&self) -> Total {
        self.total
    }

    /// Returns the points of the hand's total.
    pub const fn points(&self) -> u8 {
        self.total.points()
    }

    /// Returns whether the hand is over 21.
    pub const fn is_bust(&self) -> bool {
        self.total.is_bust()
    }

    /// Returns whether the hand is a blackjack, as 2.1, 2A.1, MA 1, 26.1, 36.1 define it.
    ///
    /// A blackjack is an ace and a ten-value card dealt as the initial two cards. A hand formed by a split or by a
    /// switch is not a blackjack.
    #[inline]
    pub fn is_blackjack(&self) -> bool {
        matches!(self.origin, Origin::Dealt) && self.is_two_card_21()
    }

    /// Returns whether the hand is an ace and a ten-value card.
    ///
    /// Not every such hand is a blackjack; see [`Hand::origin`].
    pub const fn is_two_card_21(&self) -> bool {
        self.len == 2 && self.points() == 21
    }

    /// Returns whether the hand is two cards of the same value, whatever their ranks (2.11(a), 2A.11(a), 26.10(a),
    /// 36.9(a)).
    #[inline]
    pub fn is_pair(&self) -> bool {
        self.len == 2 && self.cards[0].value() == self.cards[1].value()
    }

    /// Returns whether the hand started with an ace of a split pair.
    #[inline]
    pub fn is_split_ace(&self) -> bool {
        matches!(self.origin, Origin::Split) && self.len > 0 && self.cards[0].is_ace()
    }

    /// Returns the two one-card hands that splitting the pair forms.
    pub fn split(&self) -> [Hand; 2] {
        [Hand::new(Origin::Split, &self.cards[..1]), Hand::new(Origin::Split, &self.cards[1..2])]
    }

    /// Returns two hands with their second cards exchanged; both now have the origin "switched" (2A.7(g)1).
    pub fn switched(first: &Hand, second: &Hand) -> [Hand; 2] {
        [
            Hand::new(Origin::Switched, &[first.cards[0], second.cards[1]]),
            Hand::new(Origin::Switched, &[second.cards[0], first.cards[1]]),
        ]
    }

    /// Returns two switched hands with their second cards exchanged back (2A.7(g)2).
    ///
    /// A hand that was dealt as a blackjack is a blackjack again.
    pub fn restored(first: &Hand, second: &Hand) -> [Hand; 2] {
        [Hand::dealt(&[first.cards[0], second.cards[1]]), Hand::dealt(&[second.cards[0], first.cards[1]])]
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.origin, self.cards())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::parse_cards;

    fn hand(cards: &str) -> Hand {
        Hand::dealt(&parse_cards(cards).unwrap())
    }

    /// Proves 19:47-2.2(b)3, 19:47-2.2(b)3.i, 19:47-2A.2(b)3, MA-BJS 2(b)(3), 19:47-26.2(b)3, 19:47-36.2(b)3,
    /// 19:47-2.1 "Hard Total", 19:47-2.1 "Soft Total", 19:47-2A.1 "Hard Total", 19:47-2A.1 "Soft Total",
    /// MA-BJS 1 "Hard total", MA-BJS 1 "Soft total", 19:47-26.1 "Hard total", 19:47-26.1 "Soft total",
    /// 19:47-36.1 "Hard total", 19:47-36.1 "Soft total".
    #[test]
    fn totals_are_hard_or_soft() {
        let cases = [
            ("Ac Ad", Total::Soft(12)),
            ("As 6d", Total::Soft(17)),
            ("Ac Ad 5h", Total::Soft(17)),
            ("As 6d Th", Total::Hard(17)),
            ("Ac 9d Ah", Total::Soft(21)),
            ("Ac 5d Kh", Total::Hard(16)),
            ("Tc 6d 9h", Total::Hard(25)),
            ("Kc Qd", Total::Hard(20)),
        ];
        for (cards, total) in cases {
            assert_eq!(hand(cards).total(), total, "{cards}");
        }
    }

    /// Proves 19:47-2.1 "Blackjack", 19:47-2A.1 "Blackjack", 19:47-2A.1 "Blackjack"#2, 19:47-2A.1 "Blackjack"#3,
    /// MA-BJS 1 "Blackjack", MA-BJS 1 "Blackjack"#2, MA-BJS 1 "Blackjack"#3, 19:47-26.1 "Blackjack",
    /// 19:47-26.1 "Blackjack"#2, 19:47-36.1 "Blackjack", 19:47-36.1 "Blackjack"#2.
    #[test]
    fn only_the_initial_two_cards_make_a_blackjack() {
        assert!(hand("As Kd").is_blackjack());
        assert!(!hand("As 5d 5h").is_blackjack());
        let cards = parse_cards("As Kd").unwrap();
        assert!(!Hand::new(Origin::Split, &cards).is_blackjack());
        assert!(!Hand::new(Origin::Switched, &cards).is_blackjack());
        let [first, second] = Hand::switched(&hand("As 9c"), &hand("8d Kh"));
        assert_eq!((first.points(), first.is_blackjack()), (21, false));
        let [first, _] = Hand::restored(&first, &second);
        assert_eq!(first.cards(), hand("As 9c").cards());
    }

    #[test]
    fn the_longest_hand_fits() {
        // ten aces, a two and nine more aces are hard 21 in twenty cards; one more card would bust
        let mut cards = vec!["Ac"; 10];
        cards.push("2c");
        cards.extend(vec!["Ad"; 9]);
        let long = hand(&cards.join(" "));
        assert_eq!((long.len(), long.total()), (20, Total::Hard(21)));
    }
}
