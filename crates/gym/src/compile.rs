//! Compiles a table for agents into lookup tables: every decision that a player can face, and what each action
//! leads to.
//!
//! Compiling calls the functions of `rules` once for every case, as the crate `program` does for a player who
//! follows a chart.

use crate::observation::{Numbers, Observation};
use program::chart::Take;
use program::class::{ClassId, Classes, Finished};
use program::face::Symbol;
use program::hand::Node;
use program::infinite_deck::infinite_deck_chart;
use program::{Chart, CompileOptions, Program, compile};
use rules::play::{Action, Doubled};
use rules::{Choices, Hand, Origin, SideBet};
use std::collections::HashMap;

/// The next step of a hand: the index of the decision that the hand needs, or the class of the finished hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next(u16);

const DONE: u16 = 1 << 15;

impl Next {
    /// Returns the class of the finished hand, or `None` if the hand needs a decision.
    #[inline]
    pub fn done(self) -> Option<ClassId> {
        (self.0 & DONE != 0).then_some(self.0 & !DONE)
    }

    /// Returns the index of the decision that the hand needs; the index is meaningless if the hand is finished.
    #[inline]
    pub fn decision(self) -> usize {
        usize::from(self.0)
    }
}

/// A point where a player chooses an action for a hand.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The legal actions, one bit each, in the order of [`Action::ALL`].
    pub open: u16,
    /// The observation features that depend on the hand alone.
    pub shown: Numbers,
    /// The class of the hand if the player stands.
    pub stand: ClassId,
    /// The classes of the surrendered hand: index 0 if the upcard cannot make a blackjack, 1 if it can.
    pub surrender: [ClassId; 2],
    /// The row of the hand that waits for the card of a hit, for [`Tree::next`]; meaningless if a hit is illegal.
    pub hit: u16,
    /// The row of the hand that waits for the card of a double, for [`Tree::next`]; meaningless if a double is
    /// illegal.
    pub double: u16,
    /// The point value of the hand's first card, for [`Tree::split`]; meaningless if a split is illegal.
    pub split: u8,
}

/// Every hand that can arise at a table under any strategy, with its decisions and next steps.
pub struct Tree {
    /// The compiled table, for a chart that takes every insurance and even-money offer.
    pub program: Program,
    /// Every decision that can arise on a hand at the table.
    pub decisions: Vec<Decision>,
    /// An example hand for each entry of `decisions`, in the same order.
    pub nodes: Vec<Node>,
    rows: Vec<Next>,
    stride: usize,
    /// The next step of each two-card hand, indexed by the hand's history (see [`start_of`]), then by its cards.
    starts: Vec<Next>,
    /// The row of a hand formed by a split, indexed by its card's point value, then by whether another split is
    /// allowed.
    splits: Vec<u16>,
    symbols: usize,
}

/// Returns the index of a two-card hand's history, as an argument for [`Tree::start`].
///
/// The history says whether the box's second cards were switched, and whether the box's other hand was played
/// first.
pub fn start_of(switched: bool, other_played: bool) -> usize {
    usize::from(switched) * 2 + usize::from(other_played)
}

impl Tree {
    /// Returns the next step of the hand that `row` stands for, after the hand receives the card `symbol`.
    #[inline]
    pub fn next(&self, row: u16, symbol: Symbol) -> Next {
        self.rows[usize::from(row) * self.stride + usize::from(symbol)]
    }

    /// Returns the next step of a hand with the cards `first` and `second`.
    ///
    /// `start` is the index of the hand's history, which [`start_of`] returns.
    #[inline]
    pub fn start(&self, start: usize, first: Symbol, second: Symbol) -> Next {
        self.starts[(start * self.symbols + usize::from(first)) * self.symbols + usize::from(second)]
    }

    /// Returns the row of a hand that was formed by a split and waits for its second card.
    ///
    /// Each card of the pair has the point value `value`; `again` says whether another split is allowed.
    #[inline]
    pub fn split(&self, value: u8, again: bool) -> u16 {
        self.splits[(usize::from(value) - 1) * 2 + usize::from(again)]
    }

    /// Compiles the table that `choices` describe, with the side bets `bets`.
    ///
    /// Returns an error if the table cannot be compiled or has too many distinct hands.
    pub fn new(choices: &Choices, bets: &[SideBet]) -> Result<Tree, String> {
        // the chart decides nothing here; taking insurance makes the program distinguish the cards that insurance
        // depends on
        let chart =
            Chart { insurance: Take::Always, even_money: Take::Always, ..infinite_deck_chart(choices) };
        let compile_options = CompileOptions { bets: bets.to_vec(), stake: None };
        let mut program = compile(choices, &chart, &compile_options).map_err(|error| error.to_string())?;
        let mut walk = Walk {
            choices,
            program: &program,
            classes: program.classes.clone(),
            most_cards: most_cards(choices),
            known: HashMap::new(),
            waiting: Vec::new(),
            asked: HashMap::new(),
            decisions: Vec::new(),
            nodes: Vec::new(),
        };
        let symbols = program.symbols();
        let mut starts = Vec::new();
        for start in 0..4 {
            for first in 0..symbols {
                for second in 0..symbols {
                    starts.push(walk.start(start, first, second));
                }
            }
        }
        let mut splits = Vec::new();
        for value in 1..=10 {
            for again in [false, true] {
                splits.push(walk.split_row(value, again));
            }
        }
        let stride = symbols.next_power_of_two();
        let mut rows = Vec::new();
        let mut at = 0;
        while at < walk.waiting.len() {
            let node = walk.waiting[at];
            rows.resize((at + 1) * stride, Next(DONE));
            for symbol in 0..symbols {
                let mut drawn = node;
                drawn.hand.push(walk.program.faces.symbols[symbol].0);
                rows[at * stride + symbol] = walk.next(&drawn);
            }
            at += 1;
        }
        let Walk { classes, decisions, nodes, .. } = walk;
        if at >= usize::from(DONE) || decisions.len() >= usize::from(DONE) {
            return Err("the table has too many distinct hands".into());
        }
        program.classes = classes;
        Ok(Tree { program, decisions, nodes, rows, stride, starts, splits, symbols })
    }
}

/// Returns the number of cards beyond which further cards no longer affect how a hand is settled.
fn most_cards(choices: &Choices) -> usize {
    let five_cards = if choices.bonus_payouts.five_card_21.is_yes() { 6 } else { 0 };
    choices.text().settle.most_cards.max(five_cards).max(3)
}

/// The properties of a hand that can affect its later decisions or its settlement.
///
/// Hands with equal keys share a row and a decision.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    points: u8,
    soft: bool,
    cards: usize,
    origin: Origin,
    split_ace: bool,
    doubled: Doubled,
    again: bool,
    other_played: bool,
    /// The symbols of the first two cards, sorted, or 255 for both once the hand has a third card.
    first: [u8; 2],
}

struct Walk<'a> {
    choices: &'a Choices,
    program: &'a Program,
    classes: Classes,
    most_cards: usize,
    known: HashMap<Key, u16>,
    waiting: Vec<Node>,
    asked: HashMap<Key, u16>,
    decisions: Vec<Decision>,
    nodes: Vec<Node>,
}

impl Walk<'_> {
    fn start(&mut self, start: usize, first: usize, second: usize) -> Next {
        if start > 0 && self.choices.hands_per_box() < 2 {
            return Next(DONE);
        }
        let card = |symbol: usize| self.program.faces.symbols[symbol].0;
        let origin = if start >= 2 { Origin::Switched } else { Origin::Dealt };
        self.next(&Node {
            hand: Hand::new(origin, &[card(first), card(second)]),
            doubled: Doubled::No,
            again: true,
            other_played: start % 2 == 1,
        })
    }

    fn split_row(&mut self, value: u8, again: bool) -> u16 {
        let symbols = &self.program.faces.symbols;
        let card = symbols.iter().map(|s| s.0).find(|card| card.value() == value).unwrap_or(symbols[0].0);
        let hand = Hand::new(Origin::Split, &[card]);
        self.row(&Node { hand, doubled: Doubled::No, again, other_played: false })
    }

    /// Returns the key of a hand that waits for a card or for a decision.
    fn key(&self, node: &Node) -> Key {
        let hand = &node.hand;
        // distinguish the two cards while they can be a pair, or a third can complete a hand with a bonus payout
        let symbol =
            |at: usize| hand.cards().get(at).map_or(u8::MAX, |card| self.program.faces.symbol(*card));
        let mut first = if hand.len() > 2 { [u8::MAX; 2] } else { [symbol(0), symbol(1)] };
        first.sort_unstable();
        Key {
            points: hand.points(),
            soft: hand.total().is_soft(),
            cards: hand.len().min(self.most_cards),
            origin: hand.origin(),
            split_ace: hand.is_split_ace(),
            doubled: node.doubled,
            again: node.again && hand.len() <= 2,
            other_played: node.other_played && hand.len() <= 2,
            first,
        }
    }

    /// Returns the row of a hand that waits for a card, adding it if it is new.
    fn row(&mut self, node: &Node) -> u16 {
        let key = self.key(node);
        if let Some(&row) = self.known.get(&key) {
            return row;
        }
        let row = self.waiting.len().min(usize::from(DONE)) as u16;
        self.known.insert(key, row);
        self.waiting.push(*node);
        row
    }

    fn class(&mut self, node: &Node, surrendered: Option<bool>) -> ClassId {
        let finished = Finished { hand: node.hand, doubled: node.doubled, surrendered };
        self.classes.of(self.choices, self.program.money, &finished)
    }

    fn next(&mut self, node: &Node) -> Next {
        let open = node.actions(self.choices);
        if open.is_empty() {
            return Next(DONE | self.class(node, None));
        }
        let key = self.key(node);
        if let Some(&at) = self.asked.get(&key) {
            return Next(at);
        }
        let at = self.decisions.len().min(usize::from(DONE) - 1) as u16;
        self.asked.insert(key, at);
        let mut observation = Observation::default().of_hand(&node.hand);
        observation.doubled = node.doubled == Doubled::Yes;
        let bits = Action::ALL.iter().enumerate().filter(|(_, action)| open.has(**action));
        let mut decision = Decision {
            open: bits.map(|(bit, _)| 1 << bit).sum(),
            shown: observation.numbers(),
            stand: self.class(node, None),
            surrender: [0; 2],
            hit: 0,
            double: 0,
            split: node.hand.cards()[0].value(),
        };
        if open.has(Action::Surrender) {
            decision.surrender = [false, true].map(|high| self.class(node, Some(high)));
        }
        if open.has(Action::Hit) {
            decision.hit = self.row(node);
        }
        if open.has(Action::Double) {
            decision.double = self.row(&Node { doubled: Doubled::Yes, ..*node });
        }
        self.decisions.push(decision);
        self.nodes.push(*node);
        Next(at)
    }
}
