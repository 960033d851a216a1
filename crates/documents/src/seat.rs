//! Computes what a bet ramp means for a player: win rate, risks, the result of a trip, and the size of a unit.
//!
//! The player may play several hands at some counts, and may back-count.

use crate::by_count::reading::DeckReading;
use crate::by_count::{BackCountedRounds, CountValue};
use crate::ramp::{RampGoal, WinRate};
use serde::Serialize;
use sim::report::{Spread, Stakes, ruin_on_a_trip};
use utoipa::ToSchema;

/// How a player plays, apart from the size of the bets: estimates of the decks left, hands, trips and dollars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seat {
    pub reading: DeckReading,
    /// The number of hands that the player plays at each count, as pairs of a count and a number of hands, lowest
    /// count first.
    ///
    /// Each pair applies from its count up to the count of the next pair. Below the first count, the player plays
    /// one hand.
    pub hands: Vec<(i32, u8)>,
    /// The covariance between the net wins of two hands in a round, or `None` if the player always plays one hand.
    pub covariance: Option<f64>,
    /// The number of rounds of a trip, or `None` to compute no trip.
    pub trip: Option<f64>,
    /// The bankroll in dollars, or `None` if the bankroll is known only in units.
    pub dollars: Option<f64>,
}

/// The accepted risks of ruin for which the size of a unit is computed.
///
/// The third one is the risk of ruin of full Kelly bets.
const RISKS: [f64; 4] = [0.01, 0.05, 0.135_335_283_236_612_7, 0.2];

impl Seat {
    /// Returns the number of hands that the player plays at the rounded count `count`.
    pub fn hands_at(&self, count: i32) -> u8 {
        self.hands.iter().rev().find(|(from, _)| *from <= count).map_or(1, |(_, hands)| *hands)
    }

    /// Returns the value of a round at each count, given the value of a single hand at each count in `counts`.
    ///
    /// The player bets one unit on each hand.
    pub fn per_round(&self, counts: &[CountValue]) -> Vec<CountValue> {
        let covariance = self.covariance.unwrap_or_default();
        let of = |at: &CountValue| {
            let hands = f64::from(self.hands_at(at.count));
            CountValue {
                ev: hands * at.ev,
                ev_error: hands * at.ev_error,
                fit_error: hands * at.fit_error,
                variance: hands * at.variance + hands * (hands - 1.0) * covariance,
                batches: at.batches.times(hands),
                ..*at
            }
        };
        counts.iter().map(of).collect()
    }
}

/// The win rate and the risks of a bet ramp.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Prospects {
    /// The certainty equivalent of 100 rounds, in units: the certain win that is worth as much as playing the
    /// rounds.
    pub certainty_equivalent_100: f64,
    /// The results of a trip; absent if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub trip: Option<Trip>,
    /// The size of a unit for some accepted risks of ruin; empty if the expected win is not positive.
    pub unit_for_risk: Vec<UnitSize>,
    /// The figures per round that the player sees; absent unless the player back-counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub watched: Option<WatchedRounds>,
}

/// The results of a trip, which is a fixed number of rounds.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Trip {
    /// The probability of losing the whole bankroll during the trip.
    pub risk_of_ruin: f64,
    /// The number of rounds in the trip.
    pub rounds: f64,
    /// The standard deviation of the win on the trip, in units.
    pub std_dev: f64,
    /// The expected win on the trip, in units.
    pub win: f64,
}

/// The size of a betting unit for an accepted risk of ruin.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct UnitSize {
    /// The bankroll, in units, with which the ramp has this risk of ruin.
    pub bankroll: f64,
    /// The size of a unit in dollars; absent if the bankroll in dollars is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dollars: Option<f64>,
    /// The accepted risk of ruin, as a fraction.
    pub risk: f64,
    /// The size of a unit as a fraction of the bankroll.
    pub unit: f64,
}

/// How accurately a player estimates the decks left.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct ReadDecks {
    /// The fraction of a deck to which the estimate is rounded; null if it is not rounded.
    #[schema(required)]
    pub nearest: Option<f64>,
    /// The standard deviation of the estimate, in decks.
    pub std_dev: f64,
}

/// The figures of a back-counting player per round that the player sees, whether played or not.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct WatchedRounds {
    /// The lowest count at the start of a round at which the player starts playing.
    pub enter: i32,
    /// The lowest count at the start of a round at which the player continues playing.
    pub leave: i32,
    /// The fraction of the rounds seen that the player plays.
    pub played: f64,
    /// The SCORE per round seen, instead of per round played.
    pub score_seen: f64,
    /// The standard deviation of the win per 100 rounds seen, in units.
    pub std_dev_100_seen: f64,
    /// The expected win in 100 rounds seen, in units.
    pub win_per_100_seen: f64,
}

/// Returns the win rate and the risks of a bet ramp.
///
/// `win_rate` is the mean and the variance of the win per round played. `back_counted` has the numbers of rounds
/// that a back-counting player saw and played, or is `None` for a player who plays every round.
pub fn prospects(
    win_rate: &WinRate,
    wanted: &RampGoal,
    seat: &Seat,
    back_counted: Option<BackCountedRounds>,
) -> Prospects {
    let WinRate { mean, variance } = *win_rate;
    let bankroll = wanted.bankroll;
    let kelly = if wanted.risk.is_some() { 1.0 } else { wanted.kelly };
    let spread = Spread { mean, deviation: variance.sqrt(), ..Spread::default() };
    let trip = seat.trip.map(|rounds| Trip {
        rounds,
        win: mean * rounds,
        std_dev: (variance * rounds).sqrt(),
        risk_of_ruin: ruin_on_a_trip(&spread, &Stakes { bankroll, trip: rounds, ..Stakes::default() }),
    });
    let mut risks: Vec<f64> = RISKS.into_iter().chain(wanted.risk).collect();
    risks.sort_by(f64::total_cmp);
    risks.dedup();
    let unit = |risk: f64| {
        let bankroll = -variance * risk.ln() / (2.0 * mean);
        UnitSize { risk, bankroll, unit: 1.0 / bankroll, dollars: seat.dollars.map(|all| all / bankroll) }
    };
    Prospects {
        certainty_equivalent_100: 100.0 * (mean - variance / (2.0 * kelly * bankroll)),
        trip,
        unit_for_risk: if mean > 0.0 { risks.into_iter().map(unit).collect() } else { Vec::new() },
        watched: back_counted.map(|rounds| WatchedRounds {
            enter: rounds.by.enter,
            leave: rounds.by.leave,
            played: rounds.share(),
            win_per_100_seen: 100.0 * mean * rounds.share(),
            std_dev_100_seen: 10.0 * (variance * rounds.share()).sqrt(),
            score_seen: win_rate.score() * rounds.share(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_count::reading::{BackCounting, CountingPlayer};
    use crate::indices::{Indices, compute, compute_for};
    use crate::progress::ignore_progress;
    use crate::ramp::{document, document_seated};
    use crate::simulate::SimulationOptions;
    use rules::Choices;

    fn goal(bankroll: f64) -> RampGoal {
        RampGoal {
            bankroll,
            min_bet: 1,
            max_bet: 12,
            kelly: 1.0,
            risk: None,
            sit_out_below: None,
            rising: true,
        }
    }

    /// Kelly bets on one favorable game have half of their win as certainty equivalent, and a risk of ruin of e^-2.
    #[test]
    fn kelly_bets_are_worth_half_their_win_for_certain() {
        let (bankroll, ev, variance) = (400.0, 0.01, 1.25);
        let stake: f64 = bankroll * ev / variance;
        let win_rate = WinRate { mean: stake * ev, variance: stake * stake * variance };
        let found = prospects(&win_rate, &goal(bankroll), &Seat::default(), None);
        assert!((found.certainty_equivalent_100 - 50.0 * win_rate.mean).abs() < 1e-12);
        let full =
            found.unit_for_risk.iter().find(|unit| (unit.risk - (-2.0f64).exp()).abs() < 1e-9).unwrap();
        assert!((full.bankroll - bankroll).abs() < 1e-6, "{full:?}");
        assert!(
            found.unit_for_risk.iter().all(|unit| (win_rate.ruin(unit.bankroll) - unit.risk).abs() < 1e-9)
        );
    }

    /// Compares the risk of ruin on a trip with that of a random walk.
    ///
    /// Each step of the walk is won with probability 0.52, and the risk of the walk is summed step by step.
    #[test]
    fn the_risk_of_a_trip_is_that_of_a_walk() {
        let (p, bottom, rounds) = (0.52, 20_usize, 900);
        let mut at = vec![0.0; bottom + rounds + 1];
        at[bottom] = 1.0;
        let mut ruined = 0.0;
        for _ in 0..rounds {
            let mut next = vec![0.0; at.len()];
            for (place, chance) in at.iter().enumerate().filter(|(place, _)| *place > 0) {
                if place + 1 < next.len() {
                    next[place + 1] += p * chance;
                }
                next[place - 1] += (1.0 - p) * chance;
            }
            ruined += std::mem::take(&mut next[0]);
            at = next;
        }
        let mean = 2.0 * p - 1.0;
        let win_rate = WinRate { mean, variance: 1.0 - mean * mean };
        let seat = Seat { trip: Some(rounds as f64), dollars: Some(1000.0), ..Seat::default() };
        let found = prospects(&win_rate, &goal(bottom as f64), &seat, None);
        let trip = found.trip.unwrap();
        assert!((trip.risk_of_ruin / ruined - 1.0).abs() < 0.03, "{} {ruined}", trip.risk_of_ruin);
        assert!(found.unit_for_risk.iter().all(|unit| unit.dollars == Some(1000.0 / unit.bankroll)));
    }

    /// Two hands with a variance of 1.35 and a covariance of 0.5 are bet at 73 % of one hand's bet each, for the
    /// same risk.
    #[test]
    fn two_hands_are_worth_what_their_covariance_leaves() {
        let at = CountValue { count: 3, frequency: 1.0, ev: 0.01, variance: 1.35, ..CountValue::default() };
        let seat = Seat { hands: vec![(1, 1), (3, 2)], covariance: Some(0.5), ..Seat::default() };
        assert_eq!([0, 1, 2, 3, 9].map(|count| seat.hands_at(count)), [1, 1, 1, 2, 2]);
        let two = seat.per_round(&[at]).remove(0);
        assert!((two.ev - 0.02).abs() < 1e-15 && (two.variance - 3.7).abs() < 1e-12);
        let part = (two.ev / two.variance) / (at.ev / at.variance);
        assert!((part - 0.73).abs() < 0.003, "{part}");
    }

    #[test]
    fn rounds_seen_count_the_rounds_that_are_watched() {
        let back_counted =
            BackCountedRounds { by: BackCounting { enter: 2, leave: 1 }, seen: 400, played: 100 };
        let win_rate = WinRate { mean: 0.02, variance: 4.0 };
        let found = prospects(&win_rate, &goal(100.0), &Seat::default(), Some(back_counted)).watched.unwrap();
        assert!(
            (found.win_per_100_seen - 0.5).abs() < 1e-12 && (found.std_dev_100_seen - 10.0).abs() < 1e-12
        );
        assert!((found.score_seen - 25.0).abs() < 1e-9);
    }

    fn table() -> (Choices, SimulationOptions) {
        let mut choices = rules::preset::preset("nj-blackjack-reader").unwrap();
        choices.decks = 6;
        let asked = SimulationOptions {
            count: Some("hi-lo".into()),
            rounds: Some(200_000),
            ..SimulationOptions::default()
        };
        (choices, asked)
    }

    fn plain(told: &impl Serialize) -> serde_json::Value {
        serde_json::to_value(told).unwrap()
    }

    fn number(of: &serde_json::Value, key: &str) -> f64 {
        of[key].as_f64().unwrap_or_else(|| panic!("{key} in {of}"))
    }

    /// One simulation serves several tests, because it takes many seconds.
    #[test]
    fn long_one_simulation_tells_what_a_player_makes_of_it() {
        let (choices, asked) = table();
        let found = compute(&choices, &asked, &ignore_progress).unwrap();
        watching_agrees_with_sitting_out(&choices, &asked, &found);
        estimates_cost_a_little_and_two_hands_win_more(&choices, &asked, &found);
        risk_averse_plays_come_later(&choices, &found);
    }

    /// Entering and leaving at one count gives the same figures per round seen as sitting out below that count.
    ///
    /// A player who leaves at a lower count plays more rounds, each of which is worth less.
    fn watching_agrees_with_sitting_out(choices: &Choices, asked: &SimulationOptions, all: &Indices) {
        let told = |found: &Indices, sit_out_below: Option<i32>| {
            let wanted = RampGoal { sit_out_below, ..goal(1000.0) };
            plain(&document(choices, (asked, &wanted), found, Some(0)).unwrap().document)
        };
        let plays = |back_counting: Option<BackCounting>| {
            let player = CountingPlayer { back_counting, ..CountingPlayer::default() };
            told(&compute_for(choices, asked, &player, &ignore_progress).unwrap(), None)
        };
        let sat_out = told(all, Some(2));
        let same = plays(Some(BackCounting { enter: 2, leave: 2 }));
        let watched = &same["prospects"]["watched"];
        for (key, other) in [("win_per_100", "win_per_100_seen"), ("score", "score_seen")] {
            let (a, b) = (number(&sat_out, key), number(watched, other));
            assert!((a / b - 1.0).abs() < 0.01, "{key}: {a} {b}");
        }
        let later = plays(Some(BackCounting { enter: 2, leave: 0 }));
        let late = &later["prospects"]["watched"];
        assert!(number(late, "played") > number(watched, "played") + 0.02, "{late} {watched}");
        assert!(number(&later, "win_per_100") < number(&same, "win_per_100"));
    }

    /// Estimating the decks left costs a little, and two hands win more than one.
    ///
    /// Rounding to half decks costs hardly anything. The covariance of two hands is about a half, as published.
    fn estimates_cost_a_little_and_two_hands_win_more(
        choices: &Choices,
        asked: &SimulationOptions,
        found: &Indices,
    ) {
        let told = |seat: Seat| {
            plain(&document_seated(choices, (asked, &goal(2000.0), &seat), found, None).unwrap().document)
        };
        let reading = |error: f64, nearest: Option<f64>| {
            number(&told(Seat { reading: DeckReading { error, nearest }, ..Seat::default() }), "score")
        };
        let exact = reading(0.0, None);
        assert!((reading(0.0, Some(0.001)) / exact - 1.0).abs() < 0.02, "{}", reading(0.0, Some(0.001)));
        assert!((reading(0.0, Some(0.5)) / exact - 1.0).abs() < 0.05, "{}", reading(0.0, Some(0.5)));
        let poor = reading(1.0, None);
        assert!(poor < exact && poor > 0.6 * exact, "{poor} {exact}");
        let covariance = crate::by_count::boxes::covariance(choices).unwrap();
        assert!((0.45..0.52).contains(&covariance), "{covariance}");
        let hands = vec![(-60, 1), (2, 2)];
        let two = told(Seat { hands, covariance: Some(covariance), ..Seat::default() });
        let one = told(Seat::default());
        assert!(number(&two, "win_per_100") > 1.1 * number(&one, "win_per_100"));
    }

    /// At high counts, an action that raises the bet is never worth its risk below the count from which it wins.
    fn risk_averse_plays_come_later(choices: &Choices, found: &Indices) {
        let all = crate::risk_averse::risk_averse(choices, found).unwrap();
        let of = |hand: &str, up: &str| all.iter().find(|play| play.hand == hand && play.up == up).unwrap();
        let tens = of("pairs T", "6");
        assert!(tens.square_raised > 4.0 && tens.risk_averse_from > Some(tens.from), "{tens:?}");
        // doubling wins or loses two bets: the square is four times as large, less pushes
        let nine = of("hard 9", "2");
        assert!((2.5..3.2).contains(&nine.square_raised), "{nine:?}");
        let moved = all.iter().filter(|play| play.from > 1);
        assert!(moved.clone().count() > 5);
        for play in moved.filter(|play| play.play == "D" || play.play == "P") {
            assert!(play.risk_averse_from.is_none_or(|from| from >= play.from), "{play:?}");
        }
    }
}
