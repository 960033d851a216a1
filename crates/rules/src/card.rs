//! Cards, suits, ranks and the two decks: 52 cards, and 48 for the games without tens.

use crate::message::Message;
use std::fmt;
use std::str::FromStr;

/// The thirteen ranks, ace first.
///
/// Their point values are those of 2.2(b), 2A.2(b), 26.2(b) and 36.2(b).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Rank {
    /// The ace, which counts 11, or 1 if 11 would bust the hand.
    Ace,
    /// The two, which counts 2.
    Two,
    /// The three, which counts 3.
    Three,
    /// The four, which counts 4.
    Four,
    /// The five, which counts 5.
    Five,
    /// The six, which counts 6.
    Six,
    /// The seven, which counts 7.
    Seven,
    /// The eight, which counts 8.
    Eight,
    /// The nine, which counts 9.
    Nine,
    /// The ten, which counts 10. The decks of Double Attack and Triple Attack have none.
    Ten,
    /// The jack, which counts 10.
    Jack,
    /// The queen, which counts 10.
    Queen,
    /// The king, which counts 10.
    King,
}

impl Rank {
    /// Every rank, ace first.
    pub const ALL: [Rank; 13] = [
        Rank::Ace,
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
    ];

    /// Returns the point value of the rank, with an ace as one.
    ///
    /// Whether an ace counts eleven depends on its hand (2.2(b)1-2, 2A.2(b)1-2, 26.2(b)1-2, 36.2(b)1-2).
    pub const fn value(self) -> u8 {
        let pips = self as u8 + 1;
        if pips > 10 { 10 } else { pips }
    }

    /// Returns whether the rank is a king, queen or jack.
    ///
    /// 2.3(e)3 and 36.6(a)1ii speak of face cards; a ten is not a face card.
    pub const fn is_face(self) -> bool {
        matches!(self, Rank::Jack | Rank::Queen | Rank::King)
    }

    /// Returns the rank's letter in card codes: `A`, `2` to `9`, `T`, `J`, `Q`, `K`.
    pub const fn letter(self) -> char {
        b"A23456789TJQK"[self as usize] as char
    }

    /// Returns the rank's name in English.
    pub const fn name(self) -> &'static str {
        [
            "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
            "king",
        ][self as usize]
    }
}

/// The four suits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Suit {
    /// A black suit.
    Clubs,
    /// A red suit.
    Diamonds,
    /// A red suit.
    Hearts,
    /// A black suit.
    Spades,
}

/// The color of a suit, red or black.
///
/// The clauses that depend on color are 2.6(d)1 (double shoe), 2.19(c) (four aces) and 2.25(f), 26.6(d)3 (three
/// eights).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// The color of diamonds and hearts.
    Red,
    /// The color of clubs and spades.
    Black,
}

impl Suit {
    /// Every suit, in the alphabetical order of their letters.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Returns the suit's color, red or black.
    pub const fn colour(self) -> Colour {
        match self {
            Suit::Clubs | Suit::Spades => Colour::Black,
            Suit::Diamonds | Suit::Hearts => Colour::Red,
        }
    }

    /// Returns the suit's letter in card codes: `c`, `d`, `h`, `s`.
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// Returns the suit's name in English.
    pub const fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades"][self as usize]
    }
}

/// A playing card in one byte.
///
/// The byte is the rank's number times four, plus the suit's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// Returns the card with this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// Returns the card with this index, or `None` if the index is above 51.
    ///
    /// Index 0 is the ace of clubs; see [`Card`] for the numbering.
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < 52 { Some(Card(index)) } else { None }
    }

    /// Returns the card's index in a full deck, 0 to 51, as [`Card::from_index`] takes it.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Returns the card's rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 / 4) as usize]
    }

    /// Returns the card's suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 % 4) as usize]
    }

    /// Returns the card's point value: 1 for an ace, 10 for tens and face cards.
    pub const fn value(self) -> u8 {
        self.rank().value()
    }

    /// Returns whether the card is an ace.
    pub const fn is_ace(self) -> bool {
        matches!(self.rank(), Rank::Ace)
    }

    /// Returns whether the card is a ten, jack, queen or king.
    pub const fn is_ten_value(self) -> bool {
        self.value() == 10
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a string that is not a card code; it holds the string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotACard(pub String);

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why().text)
    }
}

impl NotACard {
    /// Returns the error as a message that a page can translate.
    pub fn why(&self) -> Message {
        crate::message!(
            "unknown-card",
            "unknown card `{card}`; expected a rank A 2..9 T J Q K and a suit c d h s, such as As or Td",
            card = self.0
        )
    }
}

impl std::error::Error for NotACard {}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Card, NotACard> {
        let mut letters = text.chars();
        let (rank, suit, rest) = (letters.next(), letters.next(), letters.next());
        let found = |rank: char, suit: char| {
            let rank = Rank::ALL.into_iter().find(|r| r.letter() == rank)?;
            let suit = Suit::ALL.into_iter().find(|s| s.letter() == suit)?;
            Some(Card::new(rank, suit))
        };
        match (rank, suit, rest) {
            (Some(rank), Some(suit), None) => found(rank, suit).ok_or_else(|| NotACard(text.to_string())),
            _ => Err(NotACard(text.to_string())),
        }
    }
}

/// Parses cards separated by spaces, such as `As Td`.
///
/// Returns an error for the first word that is not a card.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, NotACard> {
    text.split_whitespace().map(Card::from_str).collect()
}

/// Formats cards separated by spaces, such as `As Td`.
pub fn show_cards(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// The composition of one deck: the ranks in it, each in all four suits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deck {
    /// The included ranks, one bit each, with the ace in the lowest bit.
    ranks: u16,
}

impl Deck {
    /// The deck of 52 cards (19:46-1.17(a)).
    pub const FIFTY_TWO: Deck = Deck::without(&[]);
    /// The deck of 48 cards, without tens (26.2(a), 36.2(a), 19:46-1.17(a)2).
    pub const FORTY_EIGHT: Deck = Deck::without(&[Rank::Ten]);

    /// Returns a full deck without the ranks in `left_out`.
    pub const fn without(left_out: &[Rank]) -> Deck {
        let (mut ranks, mut at) = ((1 << 13) - 1, 0);
        while at < left_out.len() {
            ranks &= !(1 << left_out[at] as u16);
            at += 1;
        }
        Deck { ranks }
    }

    /// Returns the deck's ranks as a bit mask, with the ace in the lowest bit.
    pub const fn ranks(self) -> u16 {
        self.ranks
    }

    /// Returns the deck whose ranks a bit mask lists, with the ace in the lowest bit.
    ///
    /// Returns `None` if the mask is empty or has a bit above the king's.
    pub const fn of_ranks(ranks: u16) -> Option<Deck> {
        if ranks < 1 << 13 && ranks != 0 { Some(Deck { ranks }) } else { None }
    }

    /// Returns the number of cards in one deck: 52, or 48 without the tens.
    #[inline]
    pub const fn size(self) -> usize {
        4 * self.ranks.count_ones() as usize
    }

    /// Returns whether this card is in the deck.
    #[inline]
    pub const fn holds(self, card: Card) -> bool {
        self.ranks & (1 << card.rank() as u16) != 0
    }

    /// Returns the cards of one deck, in the order of [`Card::index`].
    pub fn cards(self) -> impl Iterator<Item = Card> {
        (0..52).filter_map(Card::from_index).filter(move |&card| self.holds(card))
    }

    /// Returns how many cards of each point value one deck contains.
    ///
    /// Index 0 counts the aces, and index 9 all cards that count ten.
    pub fn values(self) -> [u32; 10] {
        let mut counts = [0; 10];
        for card in self.cards() {
            counts[card.value() as usize - 1] += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_as_it_is_written() {
        for index in 0..52 {
            let card = Card::from_index(index).unwrap();
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
        }
        assert_eq!(std::mem::size_of::<Card>(), 1);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "A", "1s", "10h", "AS", "as", "Ah ", "éh", "Xx"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }

    /// Proves 19:47-2.2(b), 19:47-2.2(b)1, 19:47-2.2(b)2, 19:47-2A.2(b)1, 19:47-2A.2(b)2, MA-BJS 2(b)(1),
    /// MA-BJS 2(b)(2), 19:47-26.2(b)1, 19:47-26.2(b)2, 19:47-36.2(b)1, 19:47-36.2(b)2.
    #[test]
    fn cards_have_their_point_values() {
        let values: Vec<u8> = Rank::ALL.iter().map(|r| r.value()).collect();
        assert_eq!(values, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]);
    }

    /// Proves 19:46-1.17(a), 19:46-1.17(a)2, 19:46-1.17(b), 19:46-1.17(c), 19:47-26.2(a)#5, 19:47-36.2(a)#5.
    #[test]
    fn decks_have_52_and_48_cards() {
        assert_eq!(Deck::FIFTY_TWO.cards().count(), 52);
        assert_eq!(Deck::FORTY_EIGHT.cards().count(), 48);
        assert!(Deck::FORTY_EIGHT.cards().all(|c| c.rank() != Rank::Ten));
        assert_eq!(Deck::FIFTY_TWO.values(), [4, 4, 4, 4, 4, 4, 4, 4, 4, 16]);
        assert_eq!(Deck::FORTY_EIGHT.values(), [4, 4, 4, 4, 4, 4, 4, 4, 4, 12]);
        for suit in Suit::ALL {
            assert_eq!(Deck::FIFTY_TWO.cards().filter(|c| c.suit() == suit).count(), 13);
        }
    }
}
