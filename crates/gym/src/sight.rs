//! What an agent sees and what it may answer: the same numbers from the table machine and from the compiled tables.

use rules::{Hand, Origin};

/// Every answer, in the order of the numbers that stand for them.
pub const ACTIONS: [&str; 10] =
    ["stand", "hit", "double", "split", "surrender", "insurance", "even-money", "attack", "switch", "pass"];

pub const STAND: usize = 0;
pub const HIT: usize = 1;
pub const DOUBLE: usize = 2;
pub const SPLIT: usize = 3;
pub const SURRENDER: usize = 4;
pub const INSURANCE: usize = 5;
pub const EVEN_MONEY: usize = 6;
pub const ATTACK: usize = 7;
pub const SWITCH: usize = 8;
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
    Attack,
    SecondAttack,
    ThirdAttack,
    Insurance,
    Switch,
    Decision,
}

impl Question {
    pub const WORDS: [&'static str; 8] =
        ["nothing", "wager", "attack", "second-attack", "third-attack", "insurance", "switch", "decision"];

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

/// The greatest of each; the least is zero but for the count, which may be as far below.
pub const MOST: [i16; FEATURES.len()] =
    [7, 31, 1, 10, 22, 10, 10, 1, 1, 8, 16, 10, 10, 10, 10, 2, 1, 1000, 64, 416];

/// What an agent sees. Cards are point values, the ace one; what is not there is zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sight {
    pub question: Question,
    pub total: u8,
    pub soft: bool,
    /// The point value of the cards of a pair.
    pub pair: u8,
    pub cards: u8,
    pub up: u8,
    /// The dealer's second card where it lies open.
    pub hole: u8,
    pub split: bool,
    pub doubled: bool,
    /// Hands that the initial hand has become.
    pub hands: u8,
    /// Which hand of the box, in the order in which they lie.
    pub hand: u8,
    /// The first cards of the hand that is asked about, and of the other hand of a Switch spot.
    pub own: [u8; 2],
    pub other: [u8; 2],
    pub attacks: u8,
    pub insured: bool,
    /// Staked, in initial wagers; and a count, where they are asked for.
    pub stake: u16,
    pub count: i8,
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
    pub fn numbers(&self) -> [i16; FEATURES.len()] {
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
