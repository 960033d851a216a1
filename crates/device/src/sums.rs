//! Converts the kernel's counters into the sums of a run: how often each outcome occurred, times its amounts.

use crate::layout::{CounterPlaces, Layout};
use crate::streaks::Streaks;
use program::side::{Pay, Sees};
use sim::chunk::Job;
use sim::rng::LANES;
use sim::tally::Tally;

/// Returns the sums of `chunks` chunks, computed from the kernel's counters `counted`.
pub fn tally(job: &Job, layout: &Layout, chunks: u64, counted: &[u64]) -> Tally {
    let places = &layout.places;
    let mut tally = job.empty();
    tally.shoes = chunks * job.shoes * LANES as u64;
    tally.cards = counted[places.cards_at];
    tally.void = counted[places.void_at];
    whole_rounds(job, places, counted, &mut tally);
    parts_of_rounds(job, places, counted, &mut tally);
    if !job.program.sides.is_empty() {
        sides(job, places, counted, &mut tally);
        streaks(job, places, counted, &mut tally);
    }
    tally
}

/// Adds the rounds that ended within the fused table to the tally.
fn whole_rounds(job: &Job, places: &CounterPlaces, counted: &[u64], tally: &mut Tally) {
    let all = places.outcomes.len();
    for (label, &bucket) in places.labels.iter().enumerate() {
        for (outcome, &times) in places.outcomes.iter().zip(&counted[label * all..]).filter(|o| *o.1 > 0) {
            let net = i64::from(outcome.net);
            let cell = &mut tally.cells[bucket];
            cell.net.add_many(net, times);
            cell.staked += i128::from(outcome.staked) * i128::from(times);
            cell.wager_squares += u128::from(outcome.wager_squares) * u128::from(times);
            if outcome.insured > 0 {
                cell.insurance.add_many(i64::from(outcome.insurance), times);
                cell.insured += i128::from(outcome.insured) * i128::from(times);
            }
            tally.hands += u64::from(outcome.hands) * times;
            for &(ending, way) in &outcome.endings {
                tally.endings[usize::from(ending)][usize::from(way)] += times;
            }
            tally.distribution[Tally::place(net, job.initial())] += times;
        }
    }
}

/// Adds the rounds that left the fused table to the tally.
///
/// For these rounds, the kernel counts the results of initial hands with their splits, and the net wins of whole
/// rounds.
fn parts_of_rounds(job: &Job, places: &CounterPlaces, counted: &[u64], tally: &mut Tally) {
    let used = places.labels.len();
    let mut hands = 0;
    for (at, part) in places.parts.iter().enumerate() {
        for (label, &bucket) in places.labels.iter().enumerate() {
            let times = counted[places.parts_at + at * used + label];
            let cell = &mut tally.cells[bucket];
            cell.staked += i128::from(part.staked) * i128::from(times);
            cell.wager_squares += u128::from(part.net.unsigned_abs()).pow(2) * u128::from(times);
            hands += u64::from(part.hands) * times;
            for (sum, &ended) in tally.endings.iter_mut().flatten().zip(&part.endings) {
                *sum += u64::from(ended) * times;
            }
        }
    }
    // every hand is counted once per dealer hand
    tally.hands += hands / job.program.dealer_hands as u64;
    for (at, &(insured, net)) in places.insurances.iter().enumerate().skip(1) {
        for (label, &bucket) in places.labels.iter().enumerate() {
            let times = counted[places.insured_at + at * used + label];
            let cell = &mut tally.cells[bucket];
            cell.staked += i128::from(insured) * i128::from(times);
            cell.insurance.add_many(i64::from(net), times);
            cell.insured += i128::from(insured) * i128::from(times);
        }
    }
    for at in 0..places.nets {
        let net = i64::from(places.least_net) + at as i64;
        for (label, &bucket) in places.labels.iter().enumerate() {
            let times = counted[places.nets_at + at * used + label];
            tally.cells[bucket].net.add_many(net, times);
            tally.distribution[Tally::place(net, job.initial())] += times;
        }
    }
}

/// Adds the streak bets to the tally.
///
/// Each counter holds the number of rounds with one joint state of the streaks and one effect on them.
fn streaks(job: &Job, places: &CounterPlaces, counted: &[u64], tally: &mut Tally) {
    let streaks = Streaks::new(&job.program);
    for key in 0..2 * streaks.states() {
        let times = counted[places.streaks_at + key as usize];
        streaks.follow(key, |at, line| {
            if let (Pay::Net(net), 1..) = (job.program.sides[at].lines[line].pay, times) {
                tally.sides[at].net.add_many(net, times);
                tally.sides[at].lines[line] += times;
            }
        });
    }
}

fn sides(job: &Job, places: &CounterPlaces, counted: &[u64], tally: &mut Tally) {
    if job.program.sides.iter().all(|side| matches!(side.sees, Sees::Streak(_))) {
        return;
    }
    for (at, set) in places.sets.iter().enumerate() {
        for aspect in 0..places.aspects {
            let times = counted[places.side_at + at * places.aspects + aspect];
            if times == 0 {
                continue;
            }
            let wagers = job.program.sides.iter().zip(&mut tally.sides).zip(set);
            for ((side, sums), &(line, against_blackjack)) in wagers {
                let line = match side.sees {
                    Sees::Streak(_) => continue,
                    Sees::DealerThree => aspect / 2,
                    _ if aspect % 2 == 1 => usize::from(against_blackjack),
                    _ => usize::from(line),
                };
                if let Pay::Net(net) = side.lines[line].pay {
                    sums.net.add_many(net, times);
                    sums.lines[line] += times;
                }
            }
        }
    }
}
