//! The observation and the actions of an agent.
//!
//! The table's state machine and the compiled tables produce the same observations.

use rules::{Card, Hand, Origin};

/// The names of the actions, such as `stand`, in index order.
pub const ACTIONS: [&str; 10] =
    ["stand", "hit", "double", "split", "surrender", "insurance", "even-money", "attack", "switch", "pass"];

/// The index of the action that takes no more cards.
pub const STAND: usize = 0;
/// The index of the action that takes a card.
pub const HIT: usize = 1;
/// The index of the action `double`: double the bet and take one card.
pub const DOUBLE: usize = 2;
/// The index of the action `split`: split a pair into two hands.
pub const SPLIT: usize = 3;
/// The index of the action `surrender`: give up the hand for half the bet.
pub const SURRENDER: usize = 4;
/// The index of the action that takes insurance.
pub const INSURANCE: usize = 5;
/// The index of the action that takes even money for a blackjack.
pub const EVEN_MONEY: usize = 6;
/// The index of the action that makes the offered attack bet.
pub const ATTACK: usize = 7;
/// The index of the action that switches the second cards of two hands.
pub const SWITCH: usize = 8;
/// The index of the action that declines an offer.
pub const PASS: usize = 9;

/// The question that a player must answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(u8)]
pub enum Question {
    /// No question, because the round is over.
    #[default]
    Nothing,
    /// The question of how much to stake and which side bets to make.
    Wager,
    /// The offer of Double Attack's attack bet.
    Attack,
    /// The offer of Triple Attack's second attack bet.
    SecondAttack,
    /// The offer of Triple Attack's third attack bet.
    ThirdAttack,
    /// The offer of insurance, or of even money for a blackjack.
    Insurance,
    /// The question of whether to switch the second cards of two hands.
    Switch,
    /// The question of how to play a hand.
    Decision,
}

impl Question {
    /// The names of the questions, such as `insurance`, in number order.
    pub const WORDS: [&'static str; 8] =
        ["nothing", "wager", "attack", "second-attack", "third-attack", "insurance", "switch", "decision"];

    /// Returns the name of the question, such as `insurance`.
    pub fn word(self) -> &'static str {
        Question::WORDS[self as usize]
    }
}

/// The names of an observation's features, in order.
pub const FEATURES: [&str; 20] = [
    "question",
    "total",
    "soft",
    "pair",
    "cards",
    "up",
    "hole",
    "split",
    "doubled",
    "hands",
    "hand",
    "first",
    "second",
    "other_first",
    "other_second",
    "attacks",
    "insured",
    "stake",
    "count",
    "left",
];

/// The names of the features that observations have in addition if they show suits, in order.
pub const SUITS: [&str; 4] = ["first_suit", "second_suit", "up_suit", "hole_suit"];

/// The suits of an observation, one per feature, in the order of [`SUITS`].
///
/// 1 to 4 are clubs, diamonds, hearts and spades; zero stands for a missing card.
pub type SuitNumbers = [i16; SUITS.len()];

/// Returns the number that stands for a card's suit in [`SuitNumbers`].
pub(crate) fn suit_number(card: Card) -> u8 {
    card.suit() as u8 + 1
}

/// The numbers of an observation, one per feature, in the order of [`FEATURES`].
pub type Numbers = [i16; FEATURES.len()];

// The index of each feature that a seat writes.
pub(crate) const QUESTION: usize = 0;
pub(crate) const TOTAL: usize = 1;
pub(crate) const SOFT: usize = 2;
pub(crate) const PAIR: usize = 3;
pub(crate) const CARDS: usize = 4;
pub(crate) const UP: usize = 5;
pub(crate) const HOLE: usize = 6;
pub(crate) const SPLIT_HAND: usize = 7;
pub(crate) const DOUBLED: usize = 8;
pub(crate) const HANDS: usize = 9;
pub(crate) const HAND: usize = 10;
pub(crate) const FIRST: usize = 11;
pub(crate) const SECOND: usize = 12;
pub(crate) const OTHER_FIRST: usize = 13;
pub(crate) const OTHER_SECOND: usize = 14;
pub(crate) const ATTACKS: usize = 15;
pub(crate) const INSURED: usize = 16;
pub(crate) const STAKE: usize = 17;
pub(crate) const COUNT: usize = 18;
pub(crate) const LEFT: usize = 19;

/// The highest value of each feature.
///
/// The lowest value is zero, except for the count, whose lowest value is its negated highest value.
pub const MOST: Numbers = [7, 31, 1, 10, 22, 10, 10, 1, 1, 8, 16, 10, 10, 10, 10, 2, 1, 1000, 64, 416];

/// The observation before the first card; every feature is zero.
pub(crate) const NOTHING: Numbers = [0; FEATURES.len()];

/// What an agent sees of the table, as a list of features.
///
/// Cards are point values, with an ace as 1; zero stands for a missing card.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Observation {
    /// The question that the agent must answer.
    pub question: Question,
    /// The point total of the hand.
    pub total: u8,
    /// Whether the hand has an ace that counts eleven.
    pub soft: bool,
    /// The point value of one card of a pair, or zero without a pair.
    pub pair: u8,
    /// The number of cards in the hand.
    pub cards: u8,
    /// The point value of the upcard, or zero before it is dealt.
    pub up: u8,
    /// The point value of the hole card, or zero if it is not face up.
    pub hole: u8,
    /// Whether the hand was formed by a split.
    pub split: bool,
    /// Whether the hand is doubled.
    pub doubled: bool,
    /// The number of hands that come from the same initial hand, which is 1 without a split.
    pub hands: u8,
    /// The index of the hand in the box, in layout order.
    pub hand: u8,
    /// The point values of the current hand's first two cards.
    pub own: [u8; 2],
    /// The point values of the other hand's first two cards in Switch.
    pub other: [u8; 2],
    /// The number of attack bets that the player has made in this round.
    pub attacks: u8,
    /// Whether the player took insurance in this round.
    pub insured: bool,
    /// The stake of this round, in initial bets.
    pub stake: u16,
    /// The true count, or the running count of an unbalanced system; zero if no cards are counted.
    pub count: i8,
    /// The number of cards left in the stack.
    pub left: u16,
    /// The suits of the cards in `own`, of the upcard and of the hole card.
    pub suits: [u8; SUITS.len()],
}

impl Observation {
    /// Returns the observation with the features that depend on `hand` filled in.
    pub fn of_hand(mut self, hand: &Hand) -> Observation {
        let value = |at: usize| hand.cards().get(at).map_or(0, |card| card.value());
        self.total = hand.points();
        self.soft = hand.total().is_soft();
        self.pair = if hand.is_pair() { value(0) } else { 0 };
        self.cards = hand.len() as u8;
        self.split = hand.origin() == Origin::Split;
        self.own = [value(0), value(1)];
        for (place, &card) in self.suits.iter_mut().zip(&hand.cards()[..hand.len().min(2)]) {
            *place = suit_number(card);
        }
        self
    }

    /// Returns the suits in the order of [`SUITS`].
    pub fn suit_numbers(&self) -> SuitNumbers {
        self.suits.map(i16::from)
    }

    /// Returns the features in the order of [`FEATURES`].
    #[inline]
    pub fn numbers(&self) -> Numbers {
        [
            self.question as i16,
            i16::from(self.total),
            i16::from(self.soft),
            i16::from(self.pair),
            i16::from(self.cards),
            i16::from(self.up),
            i16::from(self.hole),
            i16::from(self.split),
            i16::from(self.doubled),
            i16::from(self.hands),
            i16::from(self.hand),
            i16::from(self.own[0]),
            i16::from(self.own[1]),
            i16::from(self.other[0]),
            i16::from(self.other[1]),
            i16::from(self.attacks),
            i16::from(self.insured),
            self.stake as i16,
            i16::from(self.count),
            self.left as i16,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_seat_writes_stands_where_its_name_does() {
        let named = [
            (QUESTION, "question"),
            (TOTAL, "total"),
            (SOFT, "soft"),
            (PAIR, "pair"),
            (CARDS, "cards"),
            (UP, "up"),
            (HOLE, "hole"),
            (SPLIT_HAND, "split"),
            (DOUBLED, "doubled"),
            (HANDS, "hands"),
            (HAND, "hand"),
            (FIRST, "first"),
            (SECOND, "second"),
            (OTHER_FIRST, "other_first"),
            (OTHER_SECOND, "other_second"),
            (ATTACKS, "attacks"),
            (INSURED, "insured"),
            (STAKE, "stake"),
            (COUNT, "count"),
            (LEFT, "left"),
        ];
        for (at, name) in named {
            assert_eq!(FEATURES[at], name);
        }
    }
}
