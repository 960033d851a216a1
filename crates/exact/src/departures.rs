//! Departures from a total-dependent chart: hands whose exact cards make another action better.
//!
//! The hands have any number of cards. Each departure comes with its gain per round.

use crate::cards::{Counts, Index, each_card, rank_of_pair};
use crate::given::Followed;
use crate::hands::Suits;
use crate::judge::{Judge, Origin};
use crate::play::{AfterSplit, Play, PlayChoice};
use crate::round::Solved;
use crate::seen::{Row, Seen};
use crate::solve::Solver;
use crate::stack::LETTERS;
use crate::table::Table;
use crate::total::{often, weights};
use crate::turn::Action;
use crate::vocabulary::{RANKS, Upcard};
use program::Chart;
use program::chart::{Kind, RowKey};
use program::view::views;
use std::collections::BTreeMap;

/// A hand of exact cards for which another action is better than the chart's.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// Numbers of the hand's cards, by value.
    pub cards: Counts,
    /// The chart's column: the label of the dealer's visible cards.
    pub column: String,
    /// The best action for the hand.
    pub play: Action,
    /// The action that the chart gives.
    pub otherwise: Action,
    /// Fraction of rounds in which the player holds this hand against this column.
    pub chance: f64,
    /// Average gain per round of playing the best action instead, in units of the initial bet.
    pub worth: f64,
}

/// A chart cell in which another action is better for all hands with at least a given number of cards.
#[derive(Clone, Debug, PartialEq)]
pub struct ByCards {
    /// The row of the chart.
    pub row: RowKey,
    /// The chart's column: the label of the dealer's visible cards.
    pub column: String,
    /// The number of cards from which on the other action is taken.
    pub from_cards: u8,
    /// The better action.
    pub play: Action,
    /// The action that the chart gives.
    pub otherwise: Action,
    /// Fraction of rounds in which the player holds such a hand against this column.
    pub chance: f64,
    /// Average gain per round of playing the better action, in units of the initial bet.
    pub worth: f64,
}

/// The departures from a chart, most valuable first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Departures {
    /// The departures for hands of exact cards.
    pub cards: Vec<Departure>,
    /// The departures for all hands of a chart cell that have a minimum number of cards.
    pub by_cards: Vec<ByCards>,
}

/// Returns the letters of the cards, ace first, such as `A7T`.
pub fn letters(cards: &Counts) -> String {
    each_card(cards).map(|r| LETTERS[r]).collect()
}

/// Returns the departures from `chart` that each gain at least `least` per round.
pub fn departures(table: &Table<'_>, chart: &Chart, least: f64) -> Departures {
    match table.seen() {
        Seen::UpCard => of_states::<RANKS>(table, chart, least),
        _ => of_states::<55>(table, chart, least),
    }
}

/// The sums over those hands of a chart cell that have the same number of cards.
#[derive(Clone, Default)]
struct Sum {
    chance: f64,
    values: BTreeMap<Action, f64>,
    charted: Option<Action>,
    /// Whether the chart has the same action for all hands of the cell.
    alike: bool,
}

fn of_states<const U: usize>(table: &Table<'_>, chart: &Chart, least: f64) -> Departures {
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, PlayChoice::Best(AfterSplit::AsDealt));
    let drawn: Vec<Row<f64, U>> = solver.hands.list.iter().map(|hand| weights(&solver, hand)).collect();
    let often = often(&solver, chart, &drawn);
    let followed = Followed::new(table, chart);
    let columns: Vec<String> = views(table.choices()).iter().map(|view| view.label()).collect();
    let mut found = Departures::default();
    let mut sums: BTreeMap<(RowKey, Upcard, u8), Sum> = BTreeMap::new();
    for (i, hand) in solver.hands.list.iter().enumerate() {
        let Some(turn) = solved.base.turns[i].as_ref().filter(|_| hand.size > 1 && hand.suits == Suits::Any)
        else {
            continue;
        };
        let rank = rank_of_pair(&hand.cards).filter(|_| hand.size == 2);
        let split = rank.and_then(|rank| solved.split_values.iter().find(|(r, _)| *r == rank));
        let row = (if hand.points.soft { Kind::Soft } else { Kind::Hard }, hand.points.total);
        for u in Upcard::all::<U>() {
            let mut values = vec![(Action::Stand, turn.stand[u])];
            for (allowed, action) in [
                (turn.may.hit, Action::Hit),
                (turn.may.double, Action::Double),
                (turn.may.surrender, Action::Surrender),
            ] {
                if allowed {
                    values.push((action, *turn.value(action, u)));
                }
            }
            let mut charted = followed.action((i as Index, hand), Origin::Dealt, turn.may, u);
            // whether a pair is dealt does not depend on the chart
            let chance = if rank.is_some() { drawn[i][u] } else { often.single[i][u] };
            if let Some((_, split)) = split {
                values.push((Action::Split, split[u]));
                if followed.splits(hand, u) == Some(true) {
                    charted = Action::Split;
                }
            }
            let of = |action: Action| values.iter().find(|(a, _)| *a == action).map(|(_, value)| *value);
            let best = values.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
            let (Some((play, value)), Some(by_chart)) = (best, of(charted)) else { continue };
            let worth = chance * (value - by_chart);
            if play != charted && worth >= least {
                let (cards, column) = (hand.cards, columns[u].clone());
                found.cards.push(Departure { cards, column, play, otherwise: charted, chance, worth });
            }
            if hand.size > 2 {
                let sum =
                    sums.entry((row, u, hand.size)).or_insert_with(|| Sum { alike: true, ..Sum::default() });
                sum.chance += chance;
                sum.alike &= sum.charted.replace(charted).is_none_or(|before| before == charted);
                values.iter().for_each(|(a, value)| *sum.values.entry(*a).or_default() += chance * value);
            }
        }
    }
    found.by_cards = by_cards(&sums, &columns, least);
    found.cards.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    found
}

/// Returns, for each chart cell, the minimum number of cards and the other action that together gain most.
///
/// Leaves out cells that gain less than `least` per round.
fn by_cards(sums: &BTreeMap<(RowKey, Upcard, u8), Sum>, columns: &[String], least: f64) -> Vec<ByCards> {
    let mut places: Vec<(RowKey, Upcard)> = sums.keys().map(|(row, u, _)| (*row, *u)).collect();
    places.dedup();
    let mut best: Vec<ByCards> = places
        .into_iter()
        .filter_map(|(row, u)| {
            let from = |size: u8| {
                let all: Vec<&Sum> =
                    sums.range((row, u, size)..=(row, u, u8::MAX)).map(|(_, sum)| sum).collect();
                let otherwise = all.first()?.charted?;
                let same = all.iter().all(|sum| sum.alike && sum.charted == Some(otherwise));
                // an action that some of the hands may not take is not a rule for all
                let open = |action: &Action| all.iter().all(|sum| sum.values.contains_key(action));
                let value =
                    |action: Action| all.iter().filter_map(|sum| sum.values.get(&action)).sum::<f64>();
                let plays = all.first()?.values.keys().copied().filter(open);
                let play = plays.max_by(|a, b| value(*a).total_cmp(&value(*b)))?;
                let chance = all.iter().map(|sum| sum.chance).sum();
                let worth = value(play) - value(otherwise);
                let column = columns.get(u.index())?.clone();
                (same && play != otherwise).then_some(ByCards {
                    row,
                    column,
                    from_cards: size,
                    play,
                    otherwise,
                    chance,
                    worth,
                })
            };
            (3..=6).filter_map(from).max_by(|a, b| a.worth.total_cmp(&b.worth))
        })
        .filter(|rule| rule.worth >= least)
        .collect();
    best.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    best
}
