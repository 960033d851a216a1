//! What an agent sees and what it may answer: the same numbers from the table machine and from the compiled tables.

use rules::{Hand, Origin};

/// Every answer, in the order of the numbers that stand for them.
pub const ACTIONS: [&str; 10] =
    ["stand", "hit", "double", "split", "surrender", "insurance", "even-money", "attack", "switch", "pass"];

/// Takes no more cards.
pub const STAND: usize = 0;
/// Takes a card.
pub const HIT: usize = 1;
/// Doubles the wager for one card.
pub const DOUBLE: usize = 2;
/// Makes two hands of a pair.
pub const SPLIT: usize = 3;
/// Gives the hand up for half.
pub const SURRENDER: usize = 4;
/// Takes insurance.
pub const INSURANCE: usize = 5;
/// Has a blackjack paid 1 to 1 at once.
pub const EVEN_MONEY: usize = 6;
/// Makes the attack wager that is offered.
pub const ATTACK: usize = 7;
/// Exchanges the second cards of two hands.
pub const SWITCH: usize = 8;
/// Declines what is offered.
pub const PASS: usize = 9;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(u8)]
pub enum Question {
    /// Nothing: the round is over.
    #[default]
    Nothing,
    /// How much to wager, and on what besides.
    Wager,
    /// The attack wager of Double Attack.
    Attack,
    /// The second attack wager of Triple Attack.
    SecondAttack,
    /// Its third.
    ThirdAttack,
    /// Insurance, or even money for a blackjack.
    Insurance,
    /// Whether to switch.
    Switch,
    /// What to do with the hand.
    Decision,
}

impl Question {
    /// Their words, by their numbers.
    pub const WORDS: [&'static str; 8] =
        ["nothing", "wager", "attack", "second-attack", "third-attack", "insurance", "switch", "decision"];

    /// Its word.
    pub fn word(self) -> &'static str {
        Question::WORDS[self as usize]
    }
}

/// The names of the numbers that an agent sees, in their order.
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

/// One of each.
pub type Numbers = [i16; FEATURES.len()];

// Where each that a seat writes by itself stands among them.
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

/// The greatest of each; the least is zero but for the count, which may be as far below.
pub const MOST: Numbers = [7, 31, 1, 10, 22, 10, 10, 1, 1, 8, 16, 10, 10, 10, 10, 2, 1, 1000, 64, 416];

/// Before anything is there to be seen.
pub(crate) const NOTHING: Numbers = [0; FEATURES.len()];

/// What an agent sees. Cards are point values, the ace one; what is not there is zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sight {
    /// What is asked.
    pub question: Question,
    /// The total of the hand.
    pub total: u8,
    /// Whether an ace counts 11.
    pub soft: bool,
    /// The point value of the cards of a pair.
    pub pair: u8,
    /// How many cards it has.
    pub cards: u8,
    /// The point value of the dealer's up card.
    pub up: u8,
    /// The dealer's second card where it lies open.
    pub hole: u8,
    /// Whether it came of a split.
    pub split: bool,
    /// Whether it is doubled.
    pub doubled: bool,
    /// Hands that the initial hand has become.
    pub hands: u8,
    /// Which hand of the box, in the order in which they lie.
    pub hand: u8,
    /// The first cards of the hand that is asked about, and of the other hand of a Switch spot.
    pub own: [u8; 2],
    /// The first cards of the other hand in Switch.
    pub other: [u8; 2],
    /// Attack wagers that were made.
    pub attacks: u8,
    /// Whether insurance was taken.
    pub insured: bool,
    /// Staked, in initial wagers; and a count, where they are asked for.
    pub stake: u16,
    /// The count.
    pub count: i8,
    /// Cards left in the stack.
    pub left: u16,
}

impl Sight {
    /// What a hand by itself shows.
    pub fn of_hand(mut self, hand: &Hand) -> Sight {
        let value = |at: usize| hand.cards().get(at).map_or(0, |card| card.value());
        self.total = hand.points();
        self.soft = hand.total().is_soft();
        self.pair = if hand.is_pair() { value(0) } else { 0 };
        self.cards = hand.len() as u8;
        self.split = hand.origin() == Origin::Split;
        self.own = [value(0), value(1)];
        self
    }

    /// The numbers in the order of [`FEATURES`].
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
