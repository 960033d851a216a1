//! Computes the SCORE of every side bet, for a player who makes the bet only when the count is favorable.

use crate::Failure;
use crate::by_count::CountValue;
use crate::by_count::bets::{BetValue, CountedRounds, bets_by_count};
use crate::ramp::{Errors, RampGoal, best};
use crate::side_value::{priced, with_bets};
use crate::tags::whole_tags;
use exact::cards::Shoe;
use exact::offers::total_dependent_chart;
use exact::table::{Attacked, Table};
use program::{CompileOptions, compile};
use rules::Choices;
use serde::Serialize;
use side::removal::side_removal;
use sim::count::System;
use sim::rng::shoe_seed;
use utoipa::ToSchema;

/// The largest tag of the count that is made for a side bet.
const LEVEL: i32 = 2;

/// The SCORE of a side bet that is made only at favorable counts, for the best count and for the count of the main
/// game.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideScore {
    /// The ten tags of the best count for this side bet, with whole-number tags up to 2.
    pub count: String,
    /// The SCORE of the best bets by the count `count`, with no bet at unfavorable counts.
    pub score: f64,
    /// The SCORE of the best bets by the count of the main game, with no bet at unfavorable counts.
    pub score_by_main_count: f64,
    /// The standard error of `score_by_main_count`.
    pub score_by_main_count_error: f64,
    /// The standard error of `score`.
    pub score_error: f64,
}

/// A side bet by name, with its SCORE.
pub type NamedScore = (String, SideScore);

/// Returns the SCORE of every side bet of a table whose odds follow from the cards left.
///
/// `main` is the count of the main game. The frequencies of the counts come from `rounds` simulated rounds.
pub fn side_scores(
    choices: &Choices,
    main: &System,
    seed: u64,
    rounds: u64,
) -> Result<Vec<NamedScore>, Failure> {
    let effects = side_removal(choices);
    if effects.is_empty() {
        return Ok(Vec::new());
    }
    let full = Table::new(choices, Attacked::No).shoe();
    let program = compile(choices, &total_dependent_chart(choices), &CompileOptions::default())
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let of = |system: &System, offered: &Choices| {
        let rounds = CountedRounds { program: &program, system, full: &full, seed, rounds };
        bets_by_count(&rounds, &|shoe, nth| values(offered, shoe, shoe_seed(seed, 2, nth)))
    };
    let by_main = of(main, &with_bets(choices, None))?;
    let found = effects.into_iter().zip(by_main).map(|((name, effects), by_main)| {
        let effects = effects.map(|effect| effect.unwrap_or(0.0));
        let (tags, _) = whole_tags(&full.map(f64::from), &effects, LEVEL, true);
        let tags = tags.map(|tag| tag.to_string()).join(",");
        let system = System::parse(&tags).map_err(Failure::NotUnderstood)?;
        let offered = with_bets(choices, Some(&name));
        let at = priced(&offered, &full, seed).iter().position(|report| report.label() == name);
        let mut by_own = of(&system, &offered)?;
        let own = at.map_or((0.0, 0.0), |at| score(&by_own.swap_remove(at)));
        let (score_by_main_count, score_by_main_count_error) = score(&by_main);
        let (score, score_error) = own;
        Ok((
            name,
            SideScore { count: tags, score, score_by_main_count, score_by_main_count_error, score_error },
        ))
    });
    found.collect()
}

/// Returns the EV and the variance of every side bet for the cards left in `shoe`.
fn values(offered: &Choices, shoe: &Shoe, seed: u64) -> Vec<BetValue> {
    let value = |report: side::SideReport| BetValue { ev: -report.house_edge, variance: report.variance };
    priced(offered, shoe, seed).into_iter().map(value).collect()
}

/// Returns the highest SCORE of bets on favorable counts alone, and its standard error.
fn score(counts: &[CountValue]) -> (f64, f64) {
    let goal = RampGoal {
        bankroll: 1.0,
        min_bet: 0,
        max_bet: 1000,
        kelly: 1.0,
        risk: None,
        sit_out_below: None,
        rising: false,
    };
    let (win_rate, stakes) = best(counts, &goal);
    (win_rate.score(), Errors::of(counts, &stakes).score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perfect::each_round;
    use crate::ramp::WinRate;
    use rules::preset::preset;
    use sim::count::count_of;
    use std::collections::BTreeMap;

    fn table(wager: &str, decks: u8) -> Choices {
        let mut choices = Choices { decks, ..preset("nj-blackjack").unwrap() };
        rules::file::set(&mut choices, wager).unwrap();
        choices
    }

    /// Returns the SCORE of over 13 by a count, from the rounds of another simulation and sums over two cards.
    fn by_hand(choices: &Choices, system: &System) -> f64 {
        let program = compile(choices, &total_dependent_chart(choices), &CompileOptions::default()).unwrap();
        let full = Table::new(choices, Attacked::No).shoe();
        let mut by_count: BTreeMap<i32, (f64, f64)> = BTreeMap::new();
        let mut rounds = 0;
        each_round(&program, 9, |shoe, dealt| {
            let cards: f64 = shoe.iter().map(|n| f64::from(*n)).sum();
            let mut wins = 0.0;
            for (a, b) in (0..10).flat_map(|a| (0..10).map(move |b| (a, b))).filter(|(a, b)| a + b + 2 > 13) {
                let other = f64::from(shoe[b]) - f64::from(u8::from(a == b));
                wins += f64::from(shoe[a]) * other / (cards * (cards - 1.0));
            }
            let gone = |r: usize| i32::from(system.tags[r]) * (i32::from(full[r]) - i32::from(shoe[r]));
            let running = (0..10).map(gone).sum();
            let decks = (312 - dealt) as f64 / 52.0;
            let at = by_count.entry(count_of(system, running, decks)).or_default();
            (at.0, at.1) = (at.0 + 1.0, at.1 + 2.0 * wins - 1.0);
            rounds += 1;
            rounds < 600_000
        });
        let counts: Vec<CountValue> = by_count
            .iter()
            .map(|(&count, (many, sum))| {
                let ev = sum / many;
                let frequency = many / f64::from(rounds);
                CountValue { count, frequency, ev, variance: 1.0 - ev * ev, ..CountValue::default() }
            })
            .collect();
        // bets in proportion to the advantage over the variance
        let stakes: Vec<f64> = counts.iter().map(|at| (at.ev / at.variance).max(0.0)).collect();
        WinRate::of(&counts, &stakes).score()
    }

    #[test]
    fn over_13_is_worth_what_sums_over_two_cards_say() {
        let choices = table("side_wagers.over-under-13=true", 6);
        let hi_lo = System::parse("hi-lo").unwrap();
        let found = side_scores(&choices, &hi_lo, 1, 300_000).unwrap();
        assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["over-13", "under-13"]);
        let over = &found[0].1;
        let own = System::parse(&over.count).unwrap();
        for (system, score, error) in [
            (&own, over.score, over.score_error),
            (&hi_lo, over.score_by_main_count, over.score_by_main_count_error),
        ] {
            let expected = by_hand(&choices, system);
            // 15,000 shoes have an error of some percent
            let apart = (score - expected).abs();
            assert!(apart < 3.0 * error.hypot(0.04 * expected) && score > 0.0, "{score} {error} {expected}");
        }
        // Hi-Lo counts aces as high, but they hurt the bet
        assert!(over.score > over.score_by_main_count, "{over:?}");
    }

    /// A bet whose odds no count makes favorable has no SCORE.
    #[test]
    fn a_bet_that_is_never_favourable_has_no_score() {
        let choices = Choices { shoe: rules::Shoe::Continuous, ..table("side_wagers.over-under-13=true", 6) };
        let found = side_scores(&choices, &System::parse("hi-lo").unwrap(), 1, 1000).unwrap();
        assert!(found.len() == 2 && found.iter().all(|(_, found)| found.score == 0.0), "{found:?}");
    }
}
