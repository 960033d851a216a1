//! Tests the games of the rulebook on small shoes, card by card: the rules themselves drive the slow recursion.

use crate::cards::{Counts, Shoe, plus, shoe_size, two_cards};
use crate::game::{Strategy, value_at};
use crate::judge::{Judge, Origin};
use crate::solve::Solver;
use crate::table::{Attacked, Table};
use crate::tests::slow::{Quantity, Slow, hand};
use crate::tests::small_shoes::{compare, without};
use crate::turn::Action;
use crate::vocabulary::{RANKS, Rank, Upcard};
use rules::preset::{PRESETS, preset};
use rules::{Choices, DoubleCard, HoleCard};
use std::collections::HashMap;

const FEW: Shoe = [5, 0, 0, 0, 5, 0, 0, 7, 0, 9];

fn with(name: &str, change: impl Fn(&mut Choices)) -> Choices {
    let mut choices = preset(name).expect("a preset");
    // Three hands of a split show the same as four, and are faster.
    choices.split_hands = choices.split_hands.min(3);
    change(&mut choices);
    choices
}

/// Checks every hand and every pair of every preset, and of presets with another reading or procedure.
#[test]
fn hands_of_every_game() {
    use Rank::{Ace, Eight, Five, Ten};
    let mut tables: Vec<(String, Choices)> =
        PRESETS.iter().map(|(name, _)| ((*name).to_string(), with(name, |_| ()))).collect();
    for (name, hole_card) in [("nj-triple-attack", HoleCard::Reader), ("nj-blackjack", HoleCard::Down)] {
        tables.push((format!("{name} {hole_card:?}"), with(name, |c| c.hole_card = hole_card)));
    }
    for (name, key, word) in [
        ("nj-blackjack", "busted_v_dealer_blackjack", "busted-too"),
        ("nj-blackjack", "split_two_card_21", "push"),
        ("nj-switch", "two_card_21_v_dealer_blackjack", "lose"),
        ("nj-double-attack", "split_ace_surrender", "refused"),
    ] {
        let choices = with(name, |c| c.rulings.set(key, word).expect("a reading"));
        tables.push((format!("{name} {word}"), choices));
    }
    for name in ["nj-six-to-five", "nj-multiple-action"] {
        tables.push((format!("{name} face down"), with(name, |c| c.double_card = DoubleCard::Down)));
    }
    for (name, choices) in &tables {
        let table = Table::new(choices, Attacked::No);
        if choices.hole_card == HoleCard::Up {
            compare::<_, 55>(&table, name, FEW, &[Ace, Five, Eight, Ten]);
        } else {
            compare::<_, RANKS>(&table, name, FEW, &[Ace, Eight, Ten]);
        }
    }
    let attacked = with("nj-double-attack", |_| ());
    compare::<_, RANKS>(&Table::new(&attacked, Attacked::Yes), "attacked", FEW, &[Ace, Eight, Ten]);
}

/// Returns the value of one bet by first card and upcard, with every card dealt in its turn.
fn by_first_card(table: &Table<'_>, shoe: Shoe) -> [[f64; RANKS]; RANKS] {
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, shoe, &[0; RANKS]);
    let base = solver.best();
    let mut out = [[0.0; RANKS]; RANKS];
    for rank in Rank::ALL.into_iter().filter(|&rank| shoe[rank] > 0) {
        let (up, up_card) = (Upcard::card(rank), plus([0; RANKS], rank));
        let play = |c: &Counts, origin: Origin, _: u8| {
            let turn = solver.hands.find(c).and_then(|i| base.turns[i as usize].as_ref());
            turn.map_or(Action::Stand, |t| t.best(table.may(&hand(c), origin), up).0)
        };
        let surrender_doubled =
            |c: &Counts| solver.hands.find(c).is_some_and(|i| base.choices[i as usize].surrender_doubled[up]);
        let mut slow = Slow {
            of: Quantity::Net,
            judge: table,
            up: up_card,
            play: &play,
            surrender_doubled: &surrender_doubled,
            dealer: HashMap::new(),
        };
        for first in Rank::ALL.into_iter().filter(|&r| shoe[r] > 0) {
            for second in Rank::ALL.into_iter().filter(|&r| shoe[r] > 0) {
                let two = two_cards([first, second]);
                let Some(left) = without(&shoe, &[&two, &up_card]) else { continue };
                let mut value = slow.dealt(&left, &two);
                if first == second && table.split_hands(first) > 1 {
                    value = value.max(slow.split(&left, first));
                }
                let (mut chance, mut cards) = (1.0, shoe);
                for r in [first, rank, second] {
                    chance *= f64::from(cards[r]) / shoe_size(&cards) as f64;
                    cards[r] -= 1;
                }
                out[first][up] += chance * value;
            }
        }
    }
    out
}

#[test]
fn a_round_of_double_attack() {
    let choices = with("nj-double-attack", |_| ());
    let once = by_first_card(&Table::new(&choices, Attacked::No), FEW);
    let twice = by_first_card(&Table::new(&choices, Attacked::Yes), FEW);
    let sum = |rows: &[[f64; RANKS]; RANKS], up: Upcard| rows.iter().map(|row| row[up]).sum::<f64>();
    let slow: f64 = Upcard::all::<RANKS>().map(|up| sum(&once, up).max(sum(&twice, up))).sum();
    let table = Table::new(&choices, Attacked::No).with_shoe(FEW);
    let fast = value_at(&table, &Strategy::CompositionDependent);
    assert!((fast - slow).abs() < 1e-12, "{fast} {slow}");
}

#[test]
fn a_round_of_triple_attack() {
    let choices = with("nj-triple-attack", |_| ());
    let one = by_first_card(&Table::new(&choices, Attacked::No), FEW);
    let slow: f64 = one
        .iter()
        .map(|row| {
            let all: f64 = row.iter().sum();
            all + all.max(0.0) + row.iter().map(|value| value.max(0.0)).sum::<f64>()
        })
        .sum();
    let table = Table::new(&choices, Attacked::No).with_shoe(FEW);
    let fast = value_at(&table, &Strategy::CompositionDependent);
    assert!((fast - slow).abs() < 1e-12, "{fast} {slow}");
}

/// Checks whole rounds from a thin shoe against a separate program, written from the regulations alone.
///
/// The rounds are every five cards of Switch, the attack bets, pairs in two hands, and a dealer without a hole-card
/// reader.
#[test]
fn rounds_worked_out_apart() {
    for (name, apart) in [
        ("nj-double-attack", 0.289_054_179_394_737),
        ("nj-triple-attack", 0.527_516_427_157_294),
        ("nj-switch", 0.149_300_898_848_886),
    ] {
        let choices = with(name, |c| c.split_hands = 2);
        let table = Table::new(&choices, Attacked::No).with_shoe([4, 0, 0, 0, 4, 0, 0, 4, 0, 8]);
        let value = value_at(&table, &Strategy::CompositionDependent);
        assert!((value - apart).abs() < 1e-12, "{name}: {value} {apart}");
    }
}
