//! Enumerates every hand that a player following a chart can hold, and what each next card leads to.
//!
//! A row stands for a hand that waits for a card. Its entries are packed [`Next`]s: another row, a finished hand,
//! a split, or a decision that depends on the current count.

use crate::chart::{BadChart, Cell, Chart, Kind, row_label, situations};
use crate::class::{ClassId, Classes, Finished, MoneyScale};
use crate::face::{Faces, Symbol};
use crate::view::{View, ViewId, value_label};
use rules::card::Rank;
use rules::play::{Action, Actions, Doubled, Situation, actions};
use rules::{Card, Choices, Hand, Origin};
use std::collections::HashMap;

/// The lowest count that is distinguished. It stands for all lower counts.
///
/// KO's running count with eight decks starts at -28 and may fall by as much again; true counts stay within ±24.
pub const LEAST_COUNT: i32 = -64;
/// The highest count that is distinguished. It stands for all higher counts.
pub const MOST_COUNT: i32 = 63;

/// The maximum number of hands into which one hand can be split.
pub const MOST_SPLIT: usize = 8;

/// The next step of a player's hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Next {
    /// The hand waits for a card in the row with this number of [`Hands::rows`].
    Draw(u16),
    /// The hand is finished, in this class.
    Done(ClassId),
    /// The hand is a pair of cards with this point value, and the player splits it.
    Split(u8),
    /// The count decides the next step, as given at this index of [`Hands::consults`].
    Consult(u16),
}

/// A [`Next`] packed into two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Packed(pub u16);

impl Next {
    fn pack(self) -> Packed {
        Packed(match self {
            Next::Draw(row) => row,
            Next::Done(class) => 1 << 14 | class,
            Next::Split(value) => 2 << 14 | u16::from(value),
            Next::Consult(at) => 3 << 14 | at,
        })
    }
}

impl Packed {
    /// Returns the number in the packed step: a row, a class, a point value or the index of a decision.
    #[inline]
    pub fn id(self) -> u16 {
        self.0 & 0x3fff
    }

    /// Returns whether the hand waits for a card.
    #[inline]
    pub fn draws(self) -> bool {
        self.0 >> 14 == 0
    }

    /// Returns whether the hand is split.
    #[inline]
    pub fn splits(self) -> bool {
        self.0 >> 14 == 2
    }

    /// Returns whether the count decides the next step.
    #[inline]
    pub fn consults(self) -> bool {
        self.0 >> 14 == 3
    }

    /// Returns the next step in unpacked form.
    #[inline]
    pub fn open(self) -> Next {
        let id = self.id();
        match self.0 >> 14 {
            0 => Next::Draw(id),
            1 => Next::Done(id),
            2 => Next::Split(id as u8),
            _ => Next::Consult(id),
        }
    }
}

/// How a hand got its first two cards, and whether the player has already acted on the box's first hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Start {
    /// The two cards are as dealt.
    Dealt,
    /// The two cards are as dealt, and the player has acted on the box's first hand (a surrender does not count).
    DealtSecond,
    /// A switch gave the hand its second card.
    Switched,
    /// A switch gave the hand its second card, and the player has acted on the box's first hand (a surrender
    /// does not count).
    SwitchedSecond,
}

impl Start {
    /// All variants, in the order of their numbers.
    pub const ALL: [Start; 4] = [Start::Dealt, Start::DealtSecond, Start::Switched, Start::SwitchedSecond];
}

/// All hands possible at a table, with the next step for each card.
#[derive(Clone, Debug)]
pub struct Hands {
    /// The length of a row: the number of symbols, rounded up to a power of two.
    pub stride: usize,
    /// The step that each card leads to, indexed by row, then by symbol.
    pub rows: Vec<Packed>,
    starts: Vec<Packed>,
    splits: Vec<u16>,
    /// The next step of each decision that depends on the count, indexed by decision, then by count.
    pub consults: Vec<Vec<Packed>>,
    symbols: usize,
    views: usize,
}

impl Hands {
    /// Returns the next step of the hand in `row` after it receives the card `symbol`.
    #[inline]
    pub fn next(&self, row: u16, symbol: Symbol) -> Next {
        self.entry(row, symbol).open()
    }

    /// Returns the packed form of [`Hands::next`].
    #[inline]
    pub fn entry(&self, row: u16, symbol: Symbol) -> Packed {
        self.rows[usize::from(row) * self.stride + usize::from(symbol)]
    }

    /// Returns the next step of a hand with the first card `first` and the second card `second`.
    #[inline]
    pub fn start(&self, start: Start, view: ViewId, first: Symbol, second: Symbol) -> Next {
        self.start_entry(start, view, first, second).open()
    }

    /// Returns the packed form of [`Hands::start`].
    #[inline]
    pub fn start_entry(&self, start: Start, view: ViewId, first: Symbol, second: Symbol) -> Packed {
        let at = (start as usize * self.views + usize::from(view)) * self.symbols + usize::from(first);
        self.starts[at * self.symbols + usize::from(second)]
    }

    /// Returns the row of a split hand that waits for its second card.
    ///
    /// Each card of the pair had the point value `value`; `again` says whether one more split is allowed.
    #[inline]
    pub fn split(&self, view: ViewId, value: u8, again: bool) -> u16 {
        self.splits[(usize::from(view) * 10 + usize::from(value) - 1) * 2 + usize::from(again)]
    }

    /// Returns the next step at `count` of the decision with index `at`.
    #[inline]
    pub fn consult(&self, at: u16, count: i32) -> Next {
        self.consult_entry(at, count).open()
    }

    /// Returns the packed form of [`Hands::consult`].
    #[inline]
    pub fn consult_entry(&self, at: u16, count: i32) -> Packed {
        let count = count.clamp(LEAST_COUNT, MOST_COUNT) - LEAST_COUNT;
        self.consults[usize::from(at)][count as usize]
    }
}

/// A hand of the player that waits for a decision or a card.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The cards of the hand.
    pub hand: Hand,
    /// Whether the hand was doubled.
    pub doubled: Doubled,
    /// For a split hand, whether one more split is allowed.
    pub again: bool,
    /// Whether the player has acted on the other hand of a Switch box.
    pub other_played: bool,
}

impl Node {
    /// Returns the situation of the hand, the input from which the rules derive its legal actions.
    pub fn situation(&self, choices: &Choices) -> Situation<'_> {
        let hands = match self.hand.origin() {
            Origin::Split if self.again => 2,
            Origin::Split => choices.split_hands.max(2),
            _ => 1,
        };
        Situation { hand: &self.hand, doubled: self.doubled, hands, other_hand_played: self.other_played }
    }

    /// Returns the legal actions for the hand.
    pub fn actions(&self, choices: &Choices) -> Actions {
        actions(choices, &self.situation(choices))
    }
}

/// The properties of a waiting hand that can affect its later play or its settlement.
///
/// Hands with equal keys share a row.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    points: u8,
    soft: bool,
    cards: usize,
    origin: Origin,
    split_ace: bool,
    doubled: Doubled,
    again: bool,
    /// The hand's cards while they can still earn a bonus payout, otherwise an empty list.
    special: Vec<u8>,
    /// The point values of the cards while the chart may have an exception for them, otherwise an empty list.
    values: Vec<u8>,
}

/// The inputs of [`walk`]: the table, the strategy, and what is derived from both.
pub struct Ground<'a> {
    /// The options of the table.
    pub choices: &'a Choices,
    /// The strategy that the player follows.
    pub chart: &'a Chart,
    /// The faces of the deck: groups of cards that the table cannot tell apart.
    pub faces: &'a Faces,
    /// The views of the dealer's cards that a player can have.
    pub views: &'a [View],
    /// The scale of all amounts, in parts of the bet.
    pub money: MoneyScale,
}

/// Enumerates all hands possible at a table.
///
/// Adds the classes of finished hands to `classes`. Returns an error if the chart cannot be used at the table.
pub fn walk(ground: &Ground<'_>, classes: &mut Classes) -> Result<Hands, BadChart> {
    columns_exist(ground)?;
    let mut walk = Walk {
        ground,
        classes,
        known: HashMap::new(),
        todo: Vec::new(),
        consults: Vec::new(),
        most_cards: most_cards(ground),
    };
    let symbols = ground.faces.symbols.len();
    let mut starts = Vec::new();
    for start in Start::ALL {
        for view in 0..ground.views.len() {
            for first in 0..symbols {
                for second in 0..symbols {
                    let next = walk.start(start, view as ViewId, first, second)?;
                    starts.push(next.pack());
                }
            }
        }
    }
    let mut splits = Vec::new();
    for view in 0..ground.views.len() {
        for value in 1..=10 {
            for again in [false, true] {
                splits.push(walk.split_row(view as ViewId, value, again));
            }
        }
    }
    let stride = symbols.next_power_of_two();
    let mut rows = Vec::new();
    let mut at = 0;
    while at < walk.todo.len() {
        let (node, view) = walk.todo[at];
        rows.resize((at + 1) * stride, Packed::default());
        for symbol in 0..symbols {
            let mut drawn = node;
            drawn.hand.push(ground.faces.symbols[symbol].0);
            rows[at * stride + symbol] = walk.decide(&drawn, view)?.pack();
        }
        at += 1;
    }
    if walk.todo.len() > 0x3fff || walk.consults.len() > 0x3fff {
        return Err(BadChart("the strategy has too many distinct hands".into()));
    }
    let consults = walk.consults;
    Ok(Hands { stride, rows, starts, splits, consults, symbols, views: ground.views.len() })
}

/// Returns an error if the chart has a deviation against cards that the dealer cannot show at this table.
///
/// Such a deviation would never apply.
fn columns_exist(ground: &Ground<'_>) -> Result<(), BadChart> {
    let labels: Vec<String> = ground.views.iter().map(|view| view.label()).collect();
    let indices = ground.chart.indices.iter().map(|i| (row_label(i.row), &i.column));
    let exceptions = ground.chart.exceptions.iter().map(|e| {
        let cards: String = e.values.iter().map(|&value| value_label(value)).collect();
        (cards, &e.column)
    });
    match indices.chain(exceptions).find(|(_, column)| !labels.contains(column)) {
        Some((hand, column)) => Err(BadChart(format!(
            "the strategy has a play for {hand} v {column}, which the dealer cannot show at this table; the columns \
                are {}",
            labels.join(", ")
        ))),
        None => Ok(()),
    }
}

/// Returns the smallest hand size from which the number of cards no longer matters to the rules or the chart.
fn most_cards(ground: &Ground<'_>) -> usize {
    let five_cards = if ground.choices.bonus_payouts.five_card_21.is_yes() { 6 } else { 0 };
    let rules = ground.choices.text().settle.most_cards.max(five_cards);
    let named = |name: &String| name.strip_prefix("cards-").and_then(|n| n.parse::<usize>().ok());
    let chart = ground.chart.sections.keys().filter_map(named).max();
    rules.max(chart.map_or(0, |n| n.min(12) + 1))
}

struct Walk<'a> {
    ground: &'a Ground<'a>,
    classes: &'a mut Classes,
    known: HashMap<(Key, ViewId), u16>,
    todo: Vec<(Node, ViewId)>,
    consults: Vec<Vec<Packed>>,
    most_cards: usize,
}

impl Walk<'_> {
    fn start(&mut self, start: Start, view: ViewId, first: usize, second: usize) -> Result<Next, BadChart> {
        let switched = matches!(start, Start::Switched | Start::SwitchedSecond);
        let later = matches!(start, Start::DealtSecond | Start::SwitchedSecond);
        if start != Start::Dealt && self.ground.choices.text().switch.is_none() {
            return Ok(Next::Done(0));
        }
        let card = |symbol: usize| self.ground.faces.symbols[symbol].0;
        let origin = if switched { Origin::Switched } else { Origin::Dealt };
        let node = Node {
            hand: Hand::new(origin, &[card(first), card(second)]),
            doubled: Doubled::No,
            again: true,
            other_played: later,
        };
        self.decide(&node, view)
    }

    fn split_row(&mut self, view: ViewId, value: u8, again: bool) -> u16 {
        let symbols = &self.ground.faces.symbols;
        let card = symbols.iter().map(|s| s.0).find(|c| c.value() == value).unwrap_or(symbols[0].0);
        let node = Node {
            hand: Hand::new(Origin::Split, &[card]),
            doubled: Doubled::No,
            again,
            other_played: false,
        };
        self.row(&node, view)
    }

    /// Returns the row of a hand that waits for a card, adding a row if the hand has none.
    fn row(&mut self, node: &Node, view: ViewId) -> u16 {
        let key = (self.key(node), view);
        if let Some(&row) = self.known.get(&key) {
            return row;
        }
        let row = self.todo.len().min(usize::from(u16::MAX)) as u16;
        self.known.insert(key, row);
        self.todo.push((*node, view));
        row
    }

    fn key(&self, node: &Node) -> Key {
        let hand = &node.hand;
        let mut values: Vec<u8> = hand.cards().iter().map(|c| c.value()).collect();
        values.sort_unstable();
        if values.len() >= self.ground.chart.longest_exception() {
            values.clear();
        }
        Key {
            points: hand.points(),
            soft: hand.total().is_soft(),
            cards: hand.len().min(self.most_cards),
            origin: hand.origin(),
            split_ace: hand.is_split_ace(),
            doubled: node.doubled,
            again: node.again && hand.len() == 1,
            special: special(self.ground.choices, hand.cards()),
            values,
        }
    }

    fn decide(&mut self, node: &Node, view: ViewId) -> Result<Next, BadChart> {
        let open = node.actions(self.ground.choices);
        if open.is_empty() {
            return Ok(self.done(node, None));
        }
        let first = choose(self.ground, node, view, open, LEAST_COUNT)?;
        if self.ground.chart.indices.is_empty() {
            return Ok(self.follow(node, view, first));
        }
        let mut by_count = vec![first];
        for count in LEAST_COUNT + 1..=MOST_COUNT {
            by_count.push(choose(self.ground, node, view, open, count)?);
        }
        if by_count.iter().all(|&action| action == first) {
            return Ok(self.follow(node, view, first));
        }
        let entries = by_count.into_iter().map(|action| self.follow(node, view, action).pack()).collect();
        let at = self.consults.iter().position(|known| *known == entries).unwrap_or_else(|| {
            self.consults.push(entries);
            self.consults.len() - 1
        });
        Ok(Next::Consult(at as u16))
    }

    fn follow(&mut self, node: &Node, view: ViewId, action: Action) -> Next {
        match action {
            Action::Stand => self.done(node, None),
            Action::Surrender => self.done(node, Some(self.ground.views[view as usize].high())),
            Action::Hit => Next::Draw(self.row(node, view)),
            Action::Double => {
                let doubled = Node { doubled: Doubled::Yes, ..*node };
                Next::Draw(self.row(&doubled, view))
            }
            Action::Split => Next::Split(node.hand.cards()[0].value()),
        }
    }

    fn done(&mut self, node: &Node, surrendered: Option<bool>) -> Next {
        let finished = Finished { hand: node.hand, doubled: node.doubled, surrendered };
        Next::Done(self.classes.of(self.ground.choices, self.ground.money, &finished))
    }
}

/// Returns the cards of a hand, sorted, while the hand can still earn a bonus payout (2.3(e)1-2).
///
/// The list is empty once the hand cannot earn one.
fn special(choices: &Choices, cards: &[Card]) -> Vec<u8> {
    let offered = &choices.bonus_payouts;
    let sevens = offered.three_sevens.is_yes() && cards.iter().all(|c| c.rank() == Rank::Seven);
    let suited = offered.suited_678.is_yes()
        && cards.iter().all(|c| matches!(c.rank(), Rank::Six | Rank::Seven | Rank::Eight))
        && cards.iter().all(|c| c.suit() == cards[0].suit());
    if cards.len() > 2 || !(sevens || suited) {
        return Vec::new();
    }
    let mut sorted: Vec<u8> = cards.iter().map(|c| c.index()).collect();
    sorted.sort_unstable();
    sorted
}

/// Returns the key of the chart row for a hand's total.
pub fn row_key(hand: &Hand) -> (Kind, u8) {
    let kind = if hand.total().is_soft() { Kind::Soft } else { Kind::Hard };
    (kind, hand.points())
}

/// Returns the action that the chart gives for a hand at `count`.
///
/// Returns an error if the chart has no cell for the hand, or if the cell has no legal action.
pub fn choose(
    ground: &Ground<'_>,
    node: &Node,
    view: ViewId,
    open: Actions,
    count: i32,
) -> Result<Action, BadChart> {
    let hand = &node.hand;
    let column = ground.views[view as usize].label();
    let split = hand.origin() == Origin::Split;
    let situations = situations(hand.len(), split, node.doubled == Doubled::Yes);
    let pair = (Kind::Pairs, hand.cards()[0].value());
    let indexed = |row: (Kind, u8)| {
        let applies = |i: &&crate::chart::Index| {
            i.row == row && i.column == column && (count >= i.from) != i.below && node.doubled == Doubled::No
        };
        ground.chart.indices.iter().filter(applies).find_map(|i| i.play.first_open(open))
    };
    if let Some(action) = exception(ground.chart, hand, &column).and_then(|cell| cell.first_open(open)) {
        return Ok(action);
    }
    if open.has(Action::Split) {
        let cell = ground.chart.cell(&situations, pair, &column);
        if let Some(action) = indexed(pair).or_else(|| cell.and_then(|cell| cell.first_open(open))) {
            return Ok(action);
        }
    }
    let row = row_key(hand);
    if let Some(action) = indexed(row) {
        return Ok(action);
    }
    match ground.chart.cell(&situations, row, &column) {
        Some(cell) => match cell.first_open(open) {
            Some(action) => Ok(action),
            // a doubled hand or a split ace takes no more cards, whatever the chart says about its total
            None if !open.has(Action::Hit) => Ok(Action::Stand),
            None => Err(BadChart(format!(
                "the strategy says `{cell}` for {} v {column} ({}), which the rules do not allow; add a fallback \
                    action",
                row_label(row),
                situations[0]
            ))),
        },
        None if node.doubled == Doubled::Yes || !open.has(Action::Hit) => Ok(Action::Stand),
        None => Err(BadChart(format!(
            "the strategy has no cell for {} v {column} ({})",
            row_label(row),
            situations[0]
        ))),
    }
}

fn exception<'a>(chart: &'a Chart, hand: &Hand, column: &str) -> Option<&'a Cell> {
    if chart.exceptions.is_empty() {
        return None;
    }
    let mut values: Vec<u8> = hand.cards().iter().map(|c| c.value()).collect();
    values.sort_unstable();
    let found = chart.exceptions.iter().find(|e| e.values == values && e.column == column);
    found.map(|e| &e.play)
}
