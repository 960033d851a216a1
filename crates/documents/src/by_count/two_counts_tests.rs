//! Checks a second count against a count that both make up together, and against compositions solved one by one.

use super::sample::{Counts, Sample, sample_rounds};
use super::second::{SecondAtTable, SecondCount};
use super::*;
use crate::indices::{Indices, compute_for};
use crate::perfect::each_round;
use crate::progress::ignore_progress;
use crate::ramp::{Errors, RampGoal, best};
use exact::cards::shoe_size;
use exact::game::value_at;
use exact::offers::total_dependent_chart;
use exact::vocabulary::Rank;

const ACES: &str = "1,0,0,0,0,0,0,0,0,0";

fn table(set: &str) -> Choices {
    let mut choices = rules::preset::preset("nj-blackjack-reader").unwrap();
    rules::file::set(&mut choices, set).unwrap();
    choices
}

fn asked(count: &str, rounds: u64) -> SimulationOptions {
    SimulationOptions {
        count: Some(count.into()),
        rounds: Some(rounds),
        seed: 3,
        ..SimulationOptions::default()
    }
}

fn second(tags: &str, weight: Option<f64>) -> SecondCount {
    SecondCount { system: System::parse(tags).unwrap(), weight }
}

fn with(second: SecondCount) -> CountingPlayer {
    CountingPlayer { second: Some(second), ..CountingPlayer::default() }
}

/// Hi-Opt I and a count of twos less aces are Hi-Lo together: every round begins at the same count.
///
/// The mean cards left of every cell have the tags of both counts that the cell stands for.
#[test]
fn two_counts_begin_rounds_where_their_sum_does() {
    let choices = table("decks=2");
    let chart = total_dependent_chart(&choices);
    let program = compile(&choices, &chart, &CompileOptions::default()).unwrap();
    let full = Table::new(&choices, Attacked::No).shoe();
    let [hi_lo, main] = ["hi-lo", "hi-opt-1"].map(|count| System::parse(count).unwrap());
    let twos_less_aces = "-1,1,0,0,0,0,0,0,0,0";
    let second = SecondAtTable::new(&choices, &chart, &main, &second(twos_less_aces, Some(1.0)));
    let sample = |counts: &Counts<'_>| sample_rounds(&program, counts, &full, (5, 50_000), None).unwrap();
    let one = sample(&Counts { system: &hi_lo, second: None });
    let two = sample(&Counts { system: &main, second: Some(&second) });
    let frequencies = |sample: &Sample| {
        let mut rounds: BTreeMap<(usize, i32), f64> = BTreeMap::new();
        for cell in &sample.depth_cells {
            *rounds.entry((cell.cards, cell.count)).or_default() += (cell.share * 50_000.0).round();
        }
        rounds
    };
    assert_eq!(frequencies(&one), frequencies(&two));
    assert!(two.depth_cells.len() > one.depth_cells.len());
    for cell in &two.depth_cells {
        let sum = |tags: [i8; RANKS]| -> f64 {
            (0..RANKS).map(|r| f64::from(tags[r]) * (f64::from(full[r]) - cell.mean[r])).sum()
        };
        assert!((cell.mean.iter().sum::<f64>() - cell.cards as f64).abs() < 1e-6);
        assert!((sum(main.tags) - f64::from(cell.running)).abs() < 1e-6, "{}", cell.running);
        assert!((sum(second.system.tags) - cell.second).abs() < 1e-6, "{}", cell.second);
    }
}

fn score(found: &Indices, plays: Option<usize>) -> (f64, f64) {
    let goal = RampGoal {
        bankroll: 1.0,
        min_bet: 1,
        max_bet: 12,
        kelly: 1.0,
        risk: None,
        sit_out_below: None,
        rising: true,
    };
    let counts = found.counts(plays);
    let (win_rate, stakes) = best(&counts, &goal);
    (win_rate.score(), Errors::of(&counts, &stakes).score)
}

/// A side count of aces makes Hi-Opt I worth more, as is known; a second count that says nothing changes nothing.
#[test]
fn long_a_side_count_of_aces_makes_hi_opt_worth_more() {
    let choices = table("decks=6");
    let of = |player: &CountingPlayer| {
        compute_for(&choices, &asked("hi-opt-1", 1_000_000), player, &ignore_progress).unwrap()
    };
    let (alone, aces) = (of(&CountingPlayer::default()), of(&with(second(ACES, None))));
    let nothing = of(&with(second("0,0,0,0,0,0,0,0,0,0", None)));
    for (a, b) in alone.counts(None).iter().zip(&nothing.counts(None)) {
        assert!(
            a.count == b.count && (a.ev - b.ev).abs() < 1e-9 && a.frequency == b.frequency,
            "{a:?} {b:?}"
        );
    }
    for plays in [Some(0), None] {
        let (one, both) = (score(&alone, plays), score(&aces, plays));
        assert!(both.0 - one.0 > 3.0 * one.1.hypot(both.1), "{one:?} {both:?}");
    }
    let weights = aces.by_count.second.as_ref().unwrap().weights();
    assert!(weights.betting_correlation > alone.betting + 0.05 && weights.weight < 0.0, "{weights:?}");
    let gain = |found: &Indices| found.plays.iter().map(|play| play.gain).sum::<f64>();
    assert!(gain(&aces) > gain(&alone), "{} {}", gain(&aces), gain(&alone));
    let insured = |found: &Indices| found.insurance.as_ref().unwrap().gain;
    assert!(insured(&aces) > insured(&alone), "{} {}", insured(&aces), insured(&alone));
    compositions_agree(&choices, &aces);
}

/// Compares values by count, and the gain from insurance, with compositions of another simulation solved one by one.
fn compositions_agree(choices: &Choices, found: &Indices) {
    let chart = total_dependent_chart(choices);
    let program = compile(choices, &chart, &CompileOptions::default()).unwrap();
    let given = Strategy::Given(Box::new(CompleteChart::new(choices, chart).unwrap()));
    let full = Table::new(choices, Attacked::No).shoe();
    let weights = found.by_count.second.as_ref().unwrap().weights();
    // the counts as a player keeps them: low cards less tens, and aces beyond a thirteenth of the cards seen
    let counts = |left: &Shoe, gone: &[f64; RANKS], weight: f64, dealt: f64| {
        let seen: [f64; RANKS] = std::array::from_fn(|r| f64::from(full[r]) - f64::from(left[r]) + gone[r]);
        let surplus = seen[0] - seen.iter().sum::<f64>() / 13.0;
        let running = seen[2] + seen[3] + seen[4] + seen[5] - seen[9];
        let decks = (312.0 - dealt - gone.iter().sum::<f64>()) / 52.0;
        ((running + weight * surplus) / decks).floor() as i32
    };
    let mut at: BTreeMap<i32, Vec<Shoe>> = BTreeMap::new();
    let (mut rounds, mut gains) = (0, Vec::new());
    let from = found.insurance.as_ref().unwrap().from;
    each_round(&program, 77, |left, dealt| {
        let count = counts(left, &[0.0; RANKS], weights.weight, dealt as f64);
        if rounds % 29 == 0 {
            at.entry(count).or_default().push(*left);
        }
        if rounds % 7 == 0 {
            let insures = |gone: &[f64; RANKS]| {
                counts(left, gone, weights.insurance_weight.unwrap(), dealt as f64) >= from
            };
            gains.push(insurance(left, &insures));
        }
        rounds += 1;
        rounds < 200_000
    });
    let values = found.by_count.values_by_count(&found.chart, &[], None, &DeckReading::default());
    for count in [-2, 0, 2, 4] {
        let shoes = &at[&count][..40];
        let solved: Vec<f64> = shoes
            .iter()
            .map(|shoe| value_at(&Table::new(choices, Attacked::No).with_shoe(*shoe), &given))
            .collect();
        let mean = solved.iter().sum::<f64>() / 40.0;
        let error = (solved.iter().map(|ev| (ev - mean).powi(2)).sum::<f64>() / 39.0 / 40.0).sqrt();
        let value = values.iter().find(|value| value.count == count).unwrap();
        assert!(
            (value.ev - mean).abs() < 4.0 * error.hypot(value.ev_error),
            "{count}: {value:?} {mean} {error}"
        );
    }
    let n = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / n;
    // rounds of a shoe resemble each other: about four independent rounds of ten sampled ones
    let error = 1.6 * (gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / n / n).sqrt();
    let told = found.insurance.as_ref().unwrap().gain;
    assert!((told - mean).abs() < 4.0 * error + 0.02 * mean, "{told} {mean} {error}");
}

/// Returns the gain from half a unit of insurance for the cards left, if the player insures as `insures` says.
fn insurance(left: &Shoe, insures: &impl Fn(&[f64; RANKS]) -> bool) -> f64 {
    let cards = f64::from(u32::try_from(shoe_size(left)).unwrap());
    let mut sum = 0.0;
    for a in Rank::ALL {
        for b in Rank::ALL {
            let mut gone = [0.0; RANKS];
            let mut chance = 1.0;
            for (nth, r) in [Rank::Ace, a, b].into_iter().enumerate() {
                chance *= (f64::from(left[r]) - gone[r]) / (cards - nth as f64);
                gone[r] += 1.0;
            }
            let tens = (f64::from(left[Rank::Ten]) - gone[Rank::Ten]) / (cards - 3.0);
            if chance > 0.0 && insures(&gone) {
                sum += chance * (3.0 * tens - 1.0) / 2.0;
            }
        }
    }
    sum
}
