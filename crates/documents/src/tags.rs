//! Finds the best count for a bet: the effects of removal as tags, and integer tags up to a chosen size with the
//! accuracy they lose.

use crate::counted::correlation;
use crate::{Failure, Inputs, Stamped};
use exact::removal::{Replay, removal};
use exact::stack::LETTERS;
use exact::table::{Attacked, Table};
use exact::vocabulary::RANKS;
use rules::Choices;
use serde_json::{Map, Value, json};
use side::removal::{insurance_removal, side_removal};
use sim::count::SYSTEMS;

/// The largest tag size to search.
pub const MOST_LEVEL: i32 = 9;

/// A bet with its effects of removal.
struct Wager {
    name: String,
    effects: [f64; RANKS],
}

fn wagers(choices: &Choices) -> Vec<Wager> {
    let plain = |effects: [Option<f64>; RANKS]| effects.map(|effect| effect.unwrap_or(0.0));
    let main = removal(&Table::new(choices, Attacked::No), Replay::Fixed);
    let mut all = vec![Wager { name: "main".into(), effects: plain(main) }];
    all.extend(side_removal(choices).into_iter().map(|(name, e)| Wager { name, effects: plain(e) }));
    all.extend(insurance_removal(choices).map(|e| Wager { name: "insurance".into(), effects: plain(e) }));
    all
}

/// Finds the whole tags, from minus to plus a level, that correlate best with the effects: rounds at every scale, then
/// changes single tags as long as that helps.
pub fn whole_tags(
    cards: &[f64; RANKS],
    effects: &[f64; RANKS],
    level: i32,
    balanced: bool,
) -> ([i32; RANKS], f64) {
    let mean = cards.iter().zip(effects).map(|(n, e)| n * e).sum::<f64>() / cards.iter().sum::<f64>();
    let centred = effects.map(|effect| effect - mean);
    let most = centred.iter().zip(cards).filter(|(_, n)| **n > 0.0).map(|(e, _)| e.abs()).fold(0.0, f64::max);
    if most == 0.0 {
        return ([0; RANKS], 0.0);
    }
    let sum = |tags: &[i32; RANKS]| tags.iter().zip(cards).map(|(t, n)| f64::from(*t) * n).sum::<f64>();
    let worth = |tags: &[i32; RANKS]| {
        let off = if balanced { sum(tags).abs() } else { 0.0 };
        // penalize unbalanced tags heavily, if a balanced count is wanted
        correlation(cards, &tags.map(f64::from), effects) - 10.0 * off
    };
    let mut best = ([0; RANKS], f64::NEG_INFINITY);
    for nth in 1..=100 {
        let scale = f64::from(level) * f64::from(nth) / 50.0 / most;
        let mut tags = centred.map(|e| ((e * scale).round() as i32).clamp(-level, level));
        let mut found = worth(&tags);
        loop {
            let mut better = None;
            for (r, by) in (0..RANKS).flat_map(|r| [(r, -1), (r, 1)]) {
                for (s, also) in (0..=RANKS).flat_map(|s| [(s, -1), (s, 1)]) {
                    let mut next = tags;
                    next[r] += by;
                    if s < RANKS && s != r {
                        next[s] += also;
                    }
                    let fits = next.iter().all(|tag| tag.abs() <= level);
                    if fits && worth(&next) > found + 1e-12 {
                        (better, found) = (Some(next), worth(&next));
                    }
                }
            }
            match better {
                Some(next) => tags = next,
                None => break,
            }
        }
        if found > best.1 + 1e-12 {
            best = (tags, found);
        }
    }
    (best.0, correlation(cards, &best.0.map(f64::from), effects))
}

fn by_value<T: Into<Value> + Copy>(cards: &[f64; RANKS], values: &[T; RANKS]) -> Value {
    let some = LETTERS.iter().zip(values).zip(cards).filter(|(_, n)| **n > 0.0);
    some.map(|((letter, value), _)| (letter.to_string(), (*value).into()))
        .collect::<Map<String, Value>>()
        .into()
}

/// Returns the best counting system for every bet of a table.
pub fn document(choices: &Choices, level: i32, balanced: bool) -> Result<Stamped<Value>, Failure> {
    if !(1..=MOST_LEVEL).contains(&level) {
        return Err(Failure::NotUnderstood(format!("--level must be 1 to {MOST_LEVEL}")));
    }
    let cards = Table::new(choices, Attacked::No).shoe().map(f64::from);
    let told = wagers(choices).into_iter().map(|wager| {
        let all: f64 = cards.iter().sum();
        let mean = cards.iter().zip(&wager.effects).map(|(n, e)| n * e).sum::<f64>() / all;
        let spread = cards.iter().zip(&wager.effects).map(|(n, e)| n * (e - mean).powi(2)).sum::<f64>() / all;
        // tags with a mean square of one: a count per deck then has the same scale for every bet
        let optimal = wager.effects.map(|e| if spread > 0.0 { (e - mean) / spread.sqrt() } else { 0.0 });
        let whole: Vec<Value> = (1..=level)
            .map(|level| {
                let (tags, found) = whole_tags(&cards, &wager.effects, level, balanced);
                let sum: f64 = tags.iter().zip(&cards).map(|(t, n)| f64::from(*t) * n).sum();
                json!({
                    "level": level, "tags": by_value(&cards, &tags), "count": tags.map(|tag| tag.to_string()).join(","),
                    "correlation": found, "lost": 1.0 - found * found, "balanced": sum == 0.0,
                })
            })
            .collect();
        let systems = SYSTEMS.iter().map(|(name, tags, ..)| {
            json!({ "count": name, "correlation": correlation(&cards, &tags.map(f64::from), &wager.effects) })
        });
        json!({
            "wager": wager.name, "effects": by_value(&cards, &wager.effects), "optimal": by_value(&cards, &optimal),
            "whole": whole, "systems": systems.collect::<Vec<_>>(),
        })
    });
    let document = json!({
        "wagers": told.collect::<Vec<_>>(),
        "lost": "the fraction of the advantage's variance that a perfect linear count captures",
    });
    Ok(Stamped::new(document, Inputs::table(choices).with("level", level)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECK: [f64; RANKS] = [4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 16.0];

    /// Compared with all level-one counts, by exhaustive search.
    #[test]
    fn the_best_tags_of_level_one_are_those_found_by_trying_all() {
        let effects = [-0.58, 0.38, 0.43, 0.57, 0.71, 0.41, 0.27, -0.01, -0.17, -0.51];
        for balanced in [false, true] {
            let mut best = f64::NEG_INFINITY;
            for code in 0..3_i32.pow(10) {
                let tags: [i32; RANKS] = std::array::from_fn(|r| code / 3_i32.pow(r as u32) % 3 - 1);
                let sum: f64 = tags.iter().zip(&DECK).map(|(t, n)| f64::from(*t) * n).sum();
                if !balanced || sum == 0.0 {
                    best = best.max(correlation(&DECK, &tags.map(f64::from), &effects));
                }
            }
            let (tags, found) = whole_tags(&DECK, &effects, 1, balanced);
            assert!((found - best).abs() < 1e-12, "{balanced} {tags:?}: {found} {best}");
        }
    }

    #[test]
    fn larger_tags_lose_less() {
        let effects = [-0.58, 0.38, 0.43, 0.57, 0.71, 0.41, 0.27, -0.01, -0.17, -0.51];
        let found: Vec<f64> = (1..=4).map(|level| whole_tags(&DECK, &effects, level, true).1).collect();
        assert!(found.windows(2).all(|two| two[1] >= two[0] - 1e-12), "{found:?}");
        assert!(found[0] > 0.96 && found[3] > 0.995, "{found:?}");
    }
}
