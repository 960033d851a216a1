//! Maps the first cards of a round to the paytable line that each side bet reaches.

use program::Program;
use program::side::{Pay, Sees};
use sim::sides;
use std::collections::HashMap;

/// The maximum number of sequences of first cards in the lookup table.
const MOST_ORDERS: usize = 1 << 23;
/// The maximum number of distinct sets of paytable lines.
const MOST_SETS: usize = 1 << 12;

/// A lookup table from a round's first cards to the paytable lines that the side bets reach.
pub struct Lines {
    /// The number of first cards on which the side bets depend.
    pub cards: usize,
    /// For each sequence of first cards, the index in `sets` of the lines that the side bets reach.
    ///
    /// The position of a sequence is a number whose digits are the kernel's card numbers, with the first card as
    /// the most significant digit.
    pub of: Vec<u16>,
    /// The distinct sets of paytable lines.
    ///
    /// A set has a pair of lines for each side bet: the line without a dealer's blackjack, and the line with one.
    /// Line zero is a loss.
    pub sets: Vec<Vec<(u8, u8)>>,
}

impl Lines {
    /// Finds the paytable lines that a program's side bets reach for every sequence of first cards.
    ///
    /// `faces` maps the kernel's card numbers to faces. Returns an error with the reason if the lines depend on
    /// more than the first cards, or if the lookup table becomes too large.
    pub fn new(program: &Program, faces: &[usize]) -> Result<Lines, String> {
        if let Some(side) = program.sides.iter().find(|side| {
            matches!(side.sees, Sees::Sevens | Sees::Aces)
                || side.lines.iter().any(|line| !matches!(line.pay, Pay::Net(_)))
        }) {
            return Err(format!(
                "the GPU cannot play the side bet {}, which depends on more than the first cards of a round",
                side.bet.name()
            ));
        }
        let apart = faces.len();
        let dealt = sides::Layout::new(program, 1);
        let own = |cards: usize| dealt.own[0][..cards].iter().copied().max();
        let last = program.sides.iter().filter_map(|side| match side.sees {
            Sees::Two | Sees::TwoAndBlackjack => own(2),
            Sees::TwoAndUp => own(2).max(Some(dealt.up)),
            Sees::Four => own(4),
            _ => None,
        });
        let cards = last.max().map_or(0, |last| last + 1);
        let orders = apart.checked_pow(cards as u32).filter(|&orders| orders <= MOST_ORDERS);
        let orders = orders.ok_or("the side bets distinguish too many cards for a GPU")?;
        let mut known: HashMap<Vec<(u8, u8)>, u16> = HashMap::new();
        let mut sets = Vec::new();
        let mut of = Vec::with_capacity(orders);
        for order in 0..orders {
            let card = |at: usize| match at < cards {
                true => faces[order / apart.pow((cards - 1 - at) as u32) % apart] as u8,
                false => 0,
            };
            let set = lines(program, &dealt.read(0, card));
            let next = sets.len() as u16;
            of.push(*known.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                next
            }));
            if sets.len() > MOST_SETS {
                return Err("the side bets have too many paytable lines for a GPU".into());
            }
        }
        Ok(Lines { cards, of, sets })
    }
}

fn lines(program: &Program, dealt: &sides::Dealt) -> Vec<(u8, u8)> {
    let line = |side: &program::side::Side| {
        let class = |face: u8| side.class_of[usize::from(face)];
        let own = dealt.own.map(class);
        match side.sees {
            Sees::TwoAndUp => same(side.line(&[own[0], own[1], class(dealt.up)])),
            Sees::Four => same(side.line(&own)),
            Sees::TwoAndBlackjack => (side.line(&own[..2]), side.line_v_blackjack([own[0], own[1]])),
            Sees::Two => same(side.line(&own[..2])),
            _ => (0, 0),
        }
    };
    program.sides.iter().map(line).collect()
}

fn same(line: u8) -> (u8, u8) {
    (line, line)
}
