//! Finds the best counting tags for a bet from its effects of removal.
//!
//! Also finds the best integer tags up to a largest tag, and how much accuracy integer tags lose.

use crate::subject::Violations;
use crate::system_tags::correlation;
use crate::{Failure, Inputs, Stamped};
use exact::removal::{PlayAfterRemoval, removal};
use exact::stack::LETTERS;
use exact::table::{Attacked, Table};
use exact::vocabulary::RANKS;
use rules::Choices;
use serde::Serialize;
use side::removal::{insurance_removal, side_removal};
use sim::count::SYSTEMS;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The largest tag that a user may allow in a search.
pub const MOST_LEVEL: i32 = 9;

/// The name of a bet, with its effects of removal by rank.
struct Wager {
    name: String,
    effects: [f64; RANKS],
}

fn wagers(choices: &Choices) -> Vec<Wager> {
    let plain = |effects: [Option<f64>; RANKS]| effects.map(|effect| effect.unwrap_or(0.0));
    let main = removal(&Table::new(choices, Attacked::No), PlayAfterRemoval::Fixed);
    let mut all = vec![Wager { name: "main".into(), effects: plain(main) }];
    all.extend(side_removal(choices).into_iter().map(|(name, e)| Wager { name, effects: plain(e) }));
    all.extend(insurance_removal(choices).map(|e| Wager { name: "insurance".into(), effects: plain(e) }));
    all
}

/// Returns the integer tags from `-level` to `level` that follow some effects of removal best, and their
/// correlation.
///
/// Rounds the effects at many scales, then changes one or two tags at a time as long as the correlation rises. If
/// `balanced` is set, the tags of all cards of the shoe add up to zero.
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

/// The best counting tags for every bet of a table.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Tags)]
pub struct Tags {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The meaning of `lost`, in words.
    pub lost: &'static str,
    /// The best tags for each bet: the main game, then the side bets, then insurance.
    pub wagers: Vec<WagerTags>,
}

/// The best counting tags for one bet, compared with known counting systems.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct WagerTags {
    /// Map from ranks to effects of removal: the change in EV when one card of the rank leaves the full shoe.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub effects: BTreeMap<char, f64>,
    /// Map from ranks to the best tags, scaled so that the mean square of the tags of all cards is one.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub optimal: BTreeMap<char, f64>,
    /// The known counting systems, each with its correlation with the bet.
    pub systems: Vec<CountCorrelation>,
    /// The name of the bet: `main`, `insurance`, or the name of a side bet.
    pub wager: String,
    /// The best integer tags for the bet, for each limit on the largest tag.
    pub whole: Vec<WholeTags>,
}

/// A known counting system, with its correlation with a bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct CountCorrelation {
    /// The correlation of the system's tags with the effects of removal on the bet.
    pub correlation: f64,
    /// The name of the counting system, such as `hi-lo`.
    pub count: &'static str,
}

/// The best integer tags for a bet within a limit, with their correlation with the bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct WholeTags {
    /// Whether the tags of a whole deck add up to zero.
    pub balanced: bool,
    /// The correlation of these tags with the effects of removal on the bet.
    pub correlation: f64,
    /// The tags as text in the form of `--count`, such as `-1,1,1,1,1,1,0,0,0,-1`.
    pub count: String,
    /// The largest tag that was allowed.
    pub level: i32,
    /// The fraction of the variance of the advantage that these tags miss: one minus the square of `correlation`.
    pub lost: f64,
    /// Map from ranks to tags.
    #[schema(value_type = BTreeMap<String, i32>)]
    pub tags: BTreeMap<char, i32>,
}

/// Returns a map from the letters of ranks to their values, for the ranks of which the table has cards.
fn by_rank<T: Copy>(cards: &[f64; RANKS], values: &[T; RANKS]) -> BTreeMap<char, T> {
    let some = LETTERS.iter().zip(values).zip(cards).filter(|(_, n)| **n > 0.0);
    some.map(|((letter, value), _)| (*letter, *value)).collect()
}

/// Returns the document of the best counting tags for every bet of a table.
///
/// Tags are at most `level`. Returns an error if `level` is out of range.
pub fn document(choices: &Choices, level: i32, balanced: bool) -> Result<Stamped<Tags>, Failure> {
    if !(1..=MOST_LEVEL).contains(&level) {
        return Err(Failure::NotUnderstood(format!("--level must be 1 to {MOST_LEVEL}")));
    }
    let cards = Table::new(choices, Attacked::No).shoe().map(f64::from);
    let told = wagers(choices).into_iter().map(|wager| tags(&cards, wager, level, balanced));
    let document = Tags {
        assumed: None,
        hypothetical: None,
        lost: "the fraction of the advantage's variance that a perfect linear count captures and these tags miss",
        wagers: told.collect(),
    };
    Ok(Stamped::new(document, Inputs { level: Some(level), ..Inputs::table(choices) }))
}

fn tags(cards: &[f64; RANKS], wager: Wager, level: i32, balanced: bool) -> WagerTags {
    let all: f64 = cards.iter().sum();
    let mean = cards.iter().zip(&wager.effects).map(|(n, e)| n * e).sum::<f64>() / all;
    let spread = cards.iter().zip(&wager.effects).map(|(n, e)| n * (e - mean).powi(2)).sum::<f64>() / all;
    // tags with a mean square of one: a count per deck then has the same scale for every bet
    let optimal = wager.effects.map(|e| if spread > 0.0 { (e - mean) / spread.sqrt() } else { 0.0 });
    let whole = |level| {
        let (tags, found) = whole_tags(cards, &wager.effects, level, balanced);
        let sum: f64 = tags.iter().zip(cards).map(|(t, n)| f64::from(*t) * n).sum();
        WholeTags {
            balanced: sum == 0.0,
            correlation: found,
            count: tags.map(|tag| tag.to_string()).join(","),
            level,
            lost: 1.0 - found * found,
            tags: by_rank(cards, &tags),
        }
    };
    let system = |name, tags: &[i8; RANKS]| CountCorrelation {
        correlation: correlation(cards, &tags.map(f64::from), &wager.effects),
        count: name,
    };
    WagerTags {
        effects: by_rank(cards, &wager.effects),
        optimal: by_rank(cards, &optimal),
        systems: SYSTEMS.iter().map(|(name, tags, ..)| system(*name, tags)).collect(),
        whole: (1..=level).map(whole).collect(),
        wager: wager.name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECK: [f64; RANKS] = [4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 16.0];

    /// Compares the tags found with the best of all level-one tags, found by exhaustive search.
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
