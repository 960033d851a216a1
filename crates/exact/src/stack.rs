//! The cards from which a round is dealt: a table's full shoe without the removed cards.
//!
//! A removed card is given with its suit, or by its value alone, which stands for any card of that value. The
//! exact results are the same either way. The module also parses cards as people write them: `As 7d`, `9s7h`,
//! `TT`, `T6`, `A A T`, `5x4`.

use crate::cards::Shoe;
use crate::vocabulary::{RANKS, Rank, TEN, by_rank};
use rules::message;
use rules::message::Message;
use rules::{Card, Choices, Suit};

/// The reason why the solver cannot answer a question, as a message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsolvable(pub Message);

impl std::fmt::Display for Unsolvable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl std::error::Error for Unsolvable {}

pub(crate) fn refused<T>(why: impl Into<Message>) -> Result<T, Unsolvable> {
    Err(Unsolvable(why.into()))
}

/// The letters of the values, ace first.
pub const LETTERS: [char; RANKS] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'];

/// A card that a user names, with or without its suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A card with its suit.
    Card(Card),
    /// A card by its value alone. A ten stands for any ten-value card.
    Value(Rank),
}

impl Named {
    /// Returns the rank of the named card.
    pub fn rank(self) -> Rank {
        match self {
            Named::Card(card) => Rank::of(card),
            Named::Value(value) => value,
        }
    }
}

/// The maximum number after `x` in a list of cards.
///
/// No shoe has more cards of one value.
const MOST_TIMES: u32 = 128;

/// Parses a list of cards, such as `As 7d`, `TT` or `5x4`.
///
/// Each card is a rank, an optional suit, and an optional `x` with the number of times to repeat the card. Spaces
/// are optional. Returns an error if a part of the list is not a card.
pub fn read_cards(text: &str) -> Result<Vec<Named>, Unsolvable> {
    let mut cards = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (card, after) = one_card(rest).ok_or_else(|| not_a_card(text, rest))?;
        let (times, after) = times(after).ok_or_else(|| not_a_card(text, rest))?;
        cards.extend(std::iter::repeat_n(card, times as usize));
        rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    Ok(cards)
}

fn not_a_card(text: &str, rest: &str) -> Unsolvable {
    let word: String = rest.chars().take_while(|c| !c.is_whitespace()).take(12).collect();
    Unsolvable(message!(
        "not-a-card",
        "`{word}` in `{text}` is not a card; expected a rank A 2 to 9 T J Q K, an optional suit c d h s, and x4 for \
            four of them",
        word,
        text = text.trim()
    ))
}

fn one_card(text: &str) -> Option<(Named, &str)> {
    let (rank, after) = match text.strip_prefix("10") {
        Some(after) => ('T', after),
        None => {
            let rank = text.chars().next()?;
            (rank.to_ascii_uppercase(), &text[rank.len_utf8()..])
        }
    };
    let value = match rank {
        'J' | 'Q' | 'K' => TEN,
        _ => Rank::ALL.into_iter().find(|&r| LETTERS[r] == rank)?,
    };
    match after.chars().next().filter(|suit| "cdhs".contains(*suit)) {
        Some(suit) => Some((Named::Card(format!("{rank}{suit}").parse().ok()?), &after[1..])),
        None => Some((Named::Value(value), after)),
    }
}

fn times(text: &str) -> Option<(u32, &str)> {
    let Some(after) = text.strip_prefix(['x', '*']) else { return Some((1, text)) };
    let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let times: u32 = after[..digits].parse().ok()?;
    (times <= MOST_TIMES).then_some((times, &after[digits..]))
}

/// The cards from which a round is dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    decks: u8,
    /// The number of copies left of each card, before cards of unknown suit are removed.
    cards: [u16; 52],
    /// The number of removed cards of unknown suit, by value.
    gone: Shoe,
}

impl Stack {
    /// Returns the full shoe of a table.
    pub fn full(choices: &Choices) -> Stack {
        let mut cards = [0; 52];
        choices.deck().cards().for_each(|card| cards[usize::from(card.index())] = u16::from(choices.decks));
        Stack { decks: choices.decks, cards, gone: [0; RANKS] }
    }

    /// Removes a card from the stack, or returns an error if no such card is left.
    pub fn take(&mut self, named: Named) -> Result<(), Unsolvable> {
        let value = named.rank();
        if let Named::Card(card) = named
            && self.cards[usize::from(card.index())] == 0
        {
            let why = message!(
                "card-not-left",
                "there are not that many {card} in {decks} of this game",
                card,
                decks = self.in_words()
            );
            return refused(self.counted(why));
        }
        if self.values()[value] == 0 {
            let why = message!(
                "rank-not-left",
                "there are only {count} {rank} in {decks} of this game",
                count = self.known()[value],
                rank = value_in_words(value),
                decks = self.in_words()
            );
            return refused(self.counted(why).id("rank", PRINTED[value]));
        }
        match named {
            Named::Card(card) => self.cards[usize::from(card.index())] -= 1,
            Named::Value(value) => self.gone[value] += 1,
        }
        Ok(())
    }

    /// Sets the number of cards left of a value, or returns an error if the stack has fewer.
    pub fn leave(&mut self, value: Rank, left: u32) -> Result<(), Unsolvable> {
        let known = self.known()[value];
        match u16::try_from(left).ok().and_then(|left| known.checked_sub(left)) {
            Some(gone) => self.gone[value] = gone,
            None => {
                let why = message!(
                    "rank-left-too-high",
                    "{left} {rank} cannot be left, because there are only {count} in {decks} of this game",
                    left,
                    rank = value_in_words(value),
                    count = known,
                    decks = self.in_words()
                );
                return refused(self.counted(why).id("rank", PRINTED[value]));
            }
        }
        Ok(())
    }

    /// Returns the numbers of cards left, by value.
    pub fn values(&self) -> Shoe {
        let known = self.known();
        by_rank(|r| known[r].saturating_sub(self.gone[r]))
    }

    /// Returns whether the suits of all removed cards are known.
    pub fn knows_suits(&self) -> bool {
        self.gone == [0; RANKS]
    }

    /// Returns every card, by rank and suit, with the number of copies left.
    ///
    /// Cards removed without a known suit are given arbitrary suits, so that the counts by value are right, but
    /// not those by suit.
    pub fn left(&self) -> Vec<(Card, u16)> {
        let mut gone = self.gone;
        let all = (0..52).filter_map(Card::from_index);
        all.map(|card| {
            let (many, gone) = (self.cards[usize::from(card.index())], &mut gone[Rank::of(card)]);
            let taken = many.min(*gone);
            *gone -= taken;
            (card, many - taken)
        })
        .collect()
    }

    /// Returns how many copies of `card` are left, and how many cards of its value are left.
    ///
    /// Both numbers still include cards that are removed without a known suit.
    pub(crate) fn share(&self, card: Card) -> (i64, i64) {
        (i64::from(self.cards[usize::from(card.index())]), i64::from(self.known()[Rank::of(card)]))
    }

    /// Returns whether, in each of `values`, every suit has the same number of cards left.
    pub(crate) fn is_even_in(&self, values: &[Rank]) -> bool {
        let count = |value: Rank, suit| self.cards[usize::from(Card::new(value.face(), suit).index())];
        values
            .iter()
            .all(|&value| Suit::ALL.into_iter().all(|suit| count(value, suit) == count(value, Suit::Spades)))
    }

    /// Returns the named cards as cards with suits.
    ///
    /// A card named without a suit gets a suit that is still in the shoe, and the suits differ within a hand.
    /// Where suits do not matter, the value of the hand is the same for any suits. Returns an error if a card is
    /// not left.
    pub fn with_suits(&self, named: &[Named]) -> Result<Vec<Card>, Unsolvable> {
        let mut left = self.clone();
        let mut take = |(nth, named): (usize, &Named)| -> Result<Card, Unsolvable> {
            let card = match *named {
                Named::Card(card) => card,
                Named::Value(value) => left.one_of(value, nth)?,
            };
            left.take(Named::Card(card))?;
            Ok(card)
        };
        named.iter().enumerate().map(&mut take).collect()
    }

    /// Returns a card of a value that is left, a different one for each `nth`, or an error if none is left.
    fn one_of(&self, value: Rank, nth: usize) -> Result<Card, Unsolvable> {
        let is_left = |card: &Card| Rank::of(*card) == value && self.cards[usize::from(card.index())] > 0;
        let found: Vec<Card> = (0..52).filter_map(Card::from_index).filter(is_left).collect();
        match found.get(nth % found.len().max(1)) {
            Some(&card) if self.values()[value] > 0 => Ok(card),
            _ => {
                let why = message!(
                    "rank-used-up",
                    "there are not that many {rank} in {decks} of this game",
                    rank = value_in_words(value),
                    decks = self.in_words()
                );
                refused(self.counted(why).id("rank", PRINTED[value]))
            }
        }
    }

    fn known(&self) -> Shoe {
        let mut known = [0; RANKS];
        for card in (0..52).filter_map(Card::from_index) {
            known[Rank::of(card)] += self.cards[usize::from(card.index())];
        }
        known
    }

    fn in_words(&self) -> String {
        if self.decks == 1 { "1 deck".to_string() } else { format!("{} decks", self.decks) }
    }

    /// Adds the stack's number of decks to a message, for translations to choose between singular and plural.
    fn counted(&self, why: Message) -> Message {
        why.id("decks", &self.decks.to_string())
    }

    /// Returns an error if a round could exhaust the shoe.
    pub fn suffices(&self, choices: &Choices) -> Result<(), Unsolvable> {
        let values = self.values();
        let cards: u32 = values.iter().map(|&n| u32::from(n)).sum();
        if is_enough(&values, choices) {
            return Ok(());
        }
        refused(message!(
            "too-few-cards-for-a-round",
            "only {cards} cards are left; at least {least} are needed to evaluate a round",
            cards,
            least = FEWEST
        ))
    }
}

/// A number of cards assumed to be enough for a round.
pub(crate) const FEWEST: u32 = 26;

/// Returns whether `values` has enough cards for a round: at least [`FEWEST`], or as many as any round can use.
pub(crate) fn is_enough(values: &Shoe, choices: &Choices) -> bool {
    values.iter().map(|&n| u32::from(n)).sum::<u32>() >= FEWEST || cannot_run_out(values, choices)
}

/// Returns whether all hands of a box and the dealer's finish before the cards run out.
///
/// Without its last card, each hand totals at most 20 and the dealer's at most 16.
fn cannot_run_out(values: &Shoe, choices: &Choices) -> bool {
    let of_pair = values.iter().map(|&n| n.min(u16::from(choices.split_hands))).max().unwrap_or(1).max(1);
    let hands = u32::from(of_pair) * choices.hands_per_box() as u32;
    let points = 20 * hands + 16;
    let mut last = hands + 1;
    let mut counted = 0;
    // In the worst case the last cards are the largest, and the others as small as possible.
    let mut left = values.map(u32::from);
    for r in Rank::ALL.into_iter().rev() {
        let taken = left[r].min(last);
        left[r] -= taken;
        last -= taken;
    }
    for (r, &n) in Rank::ALL.into_iter().zip(&left) {
        counted += n * u32::from(r.count());
    }
    last == 0 && counted > points
}

/// The labels of the card values as tables print them, ace first.
const PRINTED: [&str; RANKS] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

fn value_in_words(value: Rank) -> &'static str {
    ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "cards of ten value"]
        [value]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::ACE;
    use rules::preset::preset;

    fn shown(text: &str) -> String {
        let show = |named: &Named| match named {
            Named::Card(card) => card.to_string(),
            Named::Value(value) => LETTERS[*value].to_string(),
        };
        read_cards(text)
            .map_or_else(|why| why.to_string(), |cards| cards.iter().map(show).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn cards_are_read_as_people_write_them() {
        for (text, read) in [
            ("As 7d", "As 7d"),
            ("9s7h", "9s 7h"),
            ("TT", "T T"),
            ("T6", "T 6"),
            ("9 7", "9 7"),
            ("A A T", "A A T"),
            ("5x4", "5 5 5 5"),
            ("Kdx2, 3", "Kd Kd 3"),
            ("10 J k", "T T T"),
            ("2x0", ""),
            ("", ""),
        ] {
            assert_eq!(shown(text), read, "{text}");
        }
        for text in ["1", "Az", "x4", "5x", "5x999", "A-", "é", "7dd"] {
            assert!(shown(text).contains("is not a card"), "{text}: {}", shown(text));
        }
    }

    #[test]
    fn what_is_gone_is_gone_by_card_or_by_value() {
        let choices = Choices { decks: 1, ..preset("nj-blackjack").unwrap() };
        let mut stack = Stack::full(&choices);
        for named in read_cards("As K T 5x4").unwrap() {
            stack.take(named).unwrap();
        }
        assert_eq!(stack.values(), [3, 4, 4, 4, 0, 4, 4, 4, 4, 14]);
        assert!(!stack.knows_suits());
        let sum: u16 = stack.left().iter().map(|(_, n)| n).sum();
        assert_eq!(sum, 45);
        assert!(
            stack
                .take(Named::Value(Rank::Five))
                .unwrap_err()
                .0
                .to_string()
                .contains("only 4 fives in 1 deck")
        );
        let ace: Card = "As".parse().unwrap();
        assert!(stack.take(Named::Card(ace)).unwrap_err().0.to_string().contains("not that many As"));
        assert_eq!(stack.share(ace), (0, 3));
        stack.leave(ACE, 1).unwrap();
        assert_eq!(stack.values()[0], 1);
        assert!(
            stack
                .leave(ACE, 4)
                .unwrap_err()
                .0
                .to_string()
                .contains("4 aces cannot be left, because there are only 3 in 1 deck")
        );
    }

    #[test]
    fn suits_that_are_not_said_differ() {
        let stack = Stack::full(&preset("nj-blackjack").unwrap());
        let cards = stack.with_suits(&read_cards("6 7").unwrap()).unwrap();
        assert_ne!(cards[0].suit(), cards[1].suit());
        let one = Stack::full(&Choices { decks: 1, ..preset("nj-blackjack").unwrap() });
        assert!(
            one.with_suits(&read_cards("6x5").unwrap())
                .unwrap_err()
                .0
                .to_string()
                .contains("not that many sixes")
        );
    }

    #[test]
    fn a_stack_that_a_round_could_run_out_of_is_refused() {
        let choices = Choices { decks: 1, ..preset("nj-blackjack").unwrap() };
        let leaving = |values: Shoe| {
            let mut stack = Stack::full(&choices);
            Rank::ALL.into_iter().for_each(|r| stack.leave(r, u32::from(values[r])).unwrap());
            stack.suffices(&choices)
        };
        assert!(leaving([0, 0, 0, 0, 0, 0, 0, 0, 4, 16]).is_ok());
        assert!(
            leaving([4, 4, 4, 4, 0, 0, 0, 0, 0, 0])
                .unwrap_err()
                .0
                .to_string()
                .contains("are needed to evaluate a round")
        );
        assert!(leaving([0; RANKS]).is_err());
    }
}
