//! Truth tables: every hand a player can hold against every way a dealer can finish, compared with a table written down
//! from the regulation.

use crate::dealt;
use rules::card::{Rank, Suit};
use rules::settle::{self, Outcome, Stake};
use rules::{Card, Choices, Clause, Hand, Odds, Origin};
use std::collections::BTreeSet;

/// The number of columns: how the dealer finished, seen from the player's hand: blackjack, 21 in three or more cards,
/// then 20 or less that is lower than, equal to or higher than the player's total, then 22, and 23 or more.
pub const COLUMNS: usize = 7;

/// A row: a class of player hands, and for each column the outcome with its clause.
///
/// `W` wins 1 to 1, `3/2` wins at these odds, `P` is a push, `L` loses, `-` cannot happen. `2.7*` is any clause of that
/// section; no clause is given if the text only implies the outcome.
pub type Row = (&'static str, [&'static str; COLUMNS]);

/// Returns every hand of two or more cards by point values, in the games with tens (`King` stands for all ten values).
pub fn player_hands(origin: Origin) -> Vec<Hand> {
    let mut hands = Vec::new();
    extend(&mut Vec::new(), 1, origin, &mut hands);
    hands
}

fn extend(values: &mut Vec<u8>, least: u8, origin: Origin, hands: &mut Vec<Hand>) {
    for value in least..=10 {
        values.push(value);
        if values.len() >= 2 {
            hands.push(Hand::new(origin, &with_values(values)));
        }
        // counting aces as one: a hand below 21 so far might draw
        if values.iter().sum::<u8>() < 21 {
            extend(values, value, origin, hands);
        }
        values.pop();
    }
}

/// Returns cards with these values, with suits in turn so that no two neighbors are suited.
fn with_values(values: &[u8]) -> Vec<Card> {
    let rank = |value: u8| {
        if value == 10 { Rank::King } else { Rank::ALL[usize::from(value) - 1] }
    };
    values
        .iter()
        .zip(Suit::ALL.into_iter().cycle())
        .map(|(&value, suit)| Card::new(rank(value), suit))
        .collect()
}

/// Returns the ways a dealer can finish, low totals included: the dealer may stop early when nothing depends on the
/// hand.
pub fn dealer_hands() -> Vec<Hand> {
    let mut hands: Vec<Hand> = [
        "As Kd",
        "Kd As",
        "Qc Ah",
        "Kd 5h 6c",
        "6h 5d Kc",
        "As 5d 5h",
        "7c 7d 7h",
        "2c 3d 4h 5s 7c",
        "As Ad 9c",
        "Kd 6h 6c",
        "6d Kh 6c",
        "9d 7h 6c",
        "Kd 6h 7c",
        "Kd 6h 8c",
        "5d Qh 9c",
        "Kd 6h 9c",
        "Kd 6h Qc",
        "As 5d 9c Jh 6s",
        "Kd 3h 3c Qs",
        "9d 2h 4c Qs",
        "As 4d 2c",
        "Ad 6c",
        "8d 2c 7h",
        "As 2d 5c",
        "Kd 4c 4h",
        "Ah 7c 3d",
        "5d 4c Kh",
        "As 7d Kc",
        "Ah 2c 3d 4s Kc",
        "As Ac Ad 5h",
        "8h 8c 2d",
        "3d 4c 5h 7s",
        "9c 9d 2h",
    ]
    .map(dealt)
    .to_vec();
    for first in 1..=10 {
        for second in 1..=10 {
            hands.push(Hand::dealt(&with_values(&[first, second])));
        }
    }
    hands
}

pub fn column(player: &Hand, dealer: &Hand) -> usize {
    match dealer.points() {
        21 if dealer.len() == 2 => 0,
        21 => 1,
        22 => 5,
        23.. => 6,
        points if points < player.points() => 2,
        points if points == player.points() => 3,
        _ => 4,
    }
}

/// Returns the class of a hand in blackjack, Switch and Double Attack.
pub fn class(hand: &Hand) -> &'static str {
    match (hand.points(), hand.len(), hand.origin()) {
        (21, 2, Origin::Dealt) => "blackjack",
        (21, 2, Origin::Split) => "split A-T",
        (21, 2, Origin::Switched) => "switched A-T",
        (21, ..) => "21",
        (22.., ..) => "over 21",
        _ => "20 or less",
    }
}

fn outcome(word: &str) -> Outcome {
    match word {
        "W" => Outcome::Win(Odds::EVEN),
        "P" => Outcome::Push,
        "L" => Outcome::Lose,
        odds => {
            let (pays, per) = odds.split_once('/').expect("odds like 3/2");
            Outcome::Win(Odds::new(pays.parse().expect("odds"), per.parse().expect("odds")))
        }
    }
}

/// Compares every hand of these origins with every dealer hand and checks the verdict against the table.
pub fn holds(
    choices: &Choices,
    origins: &[Origin],
    class: fn(&Hand) -> &'static str,
    rows: &[Row],
    citation: fn(&str) -> String,
) {
    let dealers = dealer_hands();
    let cells: Vec<[Option<(Outcome, &str)>; COLUMNS]> = rows.iter().map(|(_, row)| row.map(cell)).collect();
    let mut used = vec![0_u32; rows.len()];
    let mut cited = BTreeSet::new();
    for player in origins.iter().flat_map(|&origin| player_hands(origin)) {
        let class = class(&player);
        let row = rows
            .iter()
            .position(|(name, _)| *name == class)
            .unwrap_or_else(|| panic!("no row for {class}, {player:?}"));
        used[row] += 1;
        for dealer in &dealers {
            let column = column(&player, dealer);
            let Some((outcome, clauses)) = cells[row][column] else {
                panic!("{player:?} v {dealer:?} cannot happen");
            };
            for stake in [Stake::Main, Stake::Split, Stake::Double] {
                let verdict = settle::compare(choices, &player, dealer, stake);
                assert_eq!(verdict.outcome, outcome, "{player:?} v {dealer:?}, {stake:?}");
                // a clause already checked for this cell need not be looked up again
                if !clauses.is_empty() && cited.insert((row, column, verdict.by)) {
                    let by = verdict.by.id();
                    let named = match clauses.strip_suffix('*') {
                        Some(section) => by.starts_with(&format!("19:47-{section}")),
                        None => citation(clauses) == by,
                    };
                    assert!(named, "{player:?} v {dealer:?}: {by}, not {clauses}");
                }
            }
        }
    }
    for ((name, _), used) in rows.iter().zip(used) {
        assert!(used > 0, "no hand is in the row {name}");
    }
}

/// Returns the outcome and the clauses of a cell; `None` if it cannot happen.
fn cell(text: &str) -> Option<(Outcome, &str)> {
    let (word, clauses) = text.split_once(' ').unwrap_or((text, ""));
    (word != "-").then(|| (outcome(word), clauses))
}

/// Returns a citation of New Jersey: the section after `19:47-`.
pub fn nj(clause: &str) -> String {
    let id = format!("19:47-{clause}");
    assert!(Clause::find(&id).is_some(), "{id} is not in the catalogue");
    id
}

/// The total of a hand does not depend on the order of its cards.
#[test]
fn totals_do_not_depend_on_order() {
    for hand in player_hands(Origin::Dealt) {
        let mut backwards = hand.cards().to_vec();
        backwards.reverse();
        assert_eq!(Hand::dealt(&backwards).total(), hand.total(), "{hand:?}");
    }
}
