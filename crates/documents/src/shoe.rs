//! Parses and describes the cards left in the shoe, from which the next round is dealt.
//!
//! A stack holds the cards left of those that are dealt from together, such as the cards of a shoe.

use crate::Failure;
use exact::cards::Shoe;
use exact::stack::{LETTERS, Named, Stack, Unsolvable, read_cards};
use exact::vocabulary::Rank;
use rules::{Choices, message};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Parses the cards left in a stack, or returns `None` for a full stack if both texts are empty.
///
/// `removed` lists the cards that have left the stack. `left` states the number of cards left of some ranks, such
/// as `A=30,T=120`. Returns an error if a text cannot be parsed, or if a full stack lacks these cards.
pub fn stack(choices: &Choices, removed: &str, left: &str) -> Result<Option<Stack>, Failure> {
    if removed.trim().is_empty() && left.trim().is_empty() {
        return Ok(None);
    }
    let mut stack = Stack::full(choices);
    let named = read_cards(removed).map_err(|why| not_understood("removed", why))?;
    for card in named {
        stack.take(card).map_err(|why| Failure::RefusedFor(why.0).about("--removed"))?;
    }
    for (rank, left) in counts(left).map_err(|why| not_understood("shoe", why))? {
        stack.leave(rank, left).map_err(|why| Failure::RefusedFor(why.0).about("--shoe"))?;
    }
    Ok(Some(stack))
}

pub(crate) fn not_understood(flag: &str, why: Unsolvable) -> Failure {
    Failure::NotUnderstoodFor(why.0).about(&format!("--{flag}"))
}

/// Returns the rank that a word such as `A` or `T` names, or `None` if the word names no rank.
///
/// The rank ten stands for all ten-value cards.
fn rank_named(word: &str) -> Option<Rank> {
    match read_cards(word).as_deref() {
        Ok([named @ Named::Value(_)]) => Some(named.rank()),
        _ => None,
    }
}

fn counts(text: &str) -> Result<Vec<(Rank, u32)>, Unsolvable> {
    let mut counts: Vec<(Rank, u32)> = Vec::new();
    for part in text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty()) {
        let found = part
            .split_once(['=', ':'])
            .and_then(|(rank, left)| Some((rank_named(rank.trim())?, left.trim().parse::<u32>().ok()?)));
        let (rank, left) = found.ok_or_else(|| {
            Unsolvable(message!(
                "rank-count-invalid",
                "invalid count `{part}`; expected RANK=NUMBER, such as A=30,2=32,T=120",
                part
            ))
        })?;
        if counts.iter().any(|(other, _)| *other == rank) {
            let twice = message!("rank-given-twice", "rank {rank} is given twice", rank = LETTERS[rank]);
            return Err(Unsolvable(twice));
        }
        counts.push((rank, left));
    }
    Ok(counts)
}

/// Parses the cards left in a stack from a JSON object of numbers by rank, such as `{"A":30,"T":120}`.
///
/// Ranks that the object does not name are full. Returns an error if a rank or a number is invalid.
pub fn stack_of_json(choices: &Choices, line: &str) -> Result<Stack, Failure> {
    let wrong = |why: String| Failure::NotUnderstood(why);
    let counts: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
        wrong(format!("expected a JSON object of counts such as {{\"A\":30,\"T\":120}}: {error}"))
    })?;
    let mut stack = Stack::full(choices);
    let mut named = [false; LETTERS.len()];
    for (key, count) in &counts {
        let rank = rank_named(key)
            .ok_or_else(|| wrong(format!("unknown rank `{key}`; expected A, 2 to 9, or T")))?;
        let left = count.as_u64().and_then(|n| u32::try_from(n).ok());
        let left = left.ok_or_else(|| wrong(format!("{key}: {count} is not a valid number of cards")))?;
        if std::mem::replace(&mut named[rank], true) {
            return Err(wrong(format!("rank {} is given twice", LETTERS[rank])));
        }
        stack.leave(rank, left).map_err(|why| Failure::Refused(why.to_string()))?;
    }
    Ok(stack)
}

/// Map from ranks to numbers of cards left.
///
/// The ranks are `A`, `2` to `9`, and `T` for every ten-value card.
pub type CardsLeft = BTreeMap<char, u16>;

/// Returns the number of cards left of each rank in a stack.
pub fn cards_left(stack: &Stack) -> CardsLeft {
    by_rank(&stack.values())
}

/// Returns the number of cards of each rank in a shoe.
pub fn by_rank(shoe: &Shoe) -> CardsLeft {
    LETTERS.iter().zip(shoe).map(|(letter, left)| (*letter, *left)).collect()
}

/// Describes the cards left in a stack as text, such as `2 cards left: A=1 2=0 ...`.
pub fn shoe_in_words(stack: &Stack) -> String {
    let counts = LETTERS.iter().zip(stack.values());
    let counts: Vec<String> = counts.map(|(letter, left)| format!("{letter}={left}")).collect();
    let cards: u32 = stack.values().iter().map(|&n| u32::from(n)).sum();
    format!("{cards} cards left: {}", counts.join(" "))
}
