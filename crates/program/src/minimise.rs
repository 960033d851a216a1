//! Merges states that no sequence of cards can tell apart, and orders the remaining ones for the cache.
//!
//! The method is Moore's partition refinement.

use crate::consult::Consult;
use crate::hand::LEAST_COUNT;
use crate::single_box::Step;
use std::collections::HashMap;

/// Returns the lookup table with the fewest states that gives every sequence of cards the same result as `steps`.
///
/// Renumbers the states in `consults`. State 0 stays state 0.
pub fn minimise(steps: &[Step], symbols: usize, consults: &mut [Consult]) -> Vec<Step> {
    let states = steps.len() / symbols;
    let mut block = vec![0u32; states];
    let mut blocks = 1;
    loop {
        let mut known: HashMap<Box<[u32]>, u32> = HashMap::with_capacity(blocks);
        let mut next = vec![0u32; states];
        let mut signature = Vec::with_capacity(symbols + 1);
        let classes = classes(consults, &block);
        for state in 0..states {
            let row = &steps[state * symbols..(state + 1) * symbols];
            signature.clear();
            signature.extend(row.iter().map(|&step| number(rename(step, &block), &classes)));
            // states that were distinguished once stay distinguished
            signature.push(block[state]);
            let fresh = known.len() as u32;
            next[state] = match known.get(&signature[..]) {
                Some(&same) => same,
                None => *known.entry(signature.as_slice().into()).or_insert(fresh),
            };
        }
        block = next;
        if known.len() == blocks {
            break;
        }
        blocks = known.len();
    }
    let mut merged = vec![Step::Replay; blocks * symbols];
    for state in 0..states {
        let at = block[state] as usize * symbols;
        for symbol in 0..symbols {
            merged[at + symbol] = rename(steps[state * symbols + symbol], &block);
        }
    }
    rename_consults(consults, &block);
    merged
}

/// Returns a class for each decision that depends on the count.
///
/// Decisions with equivalent next steps at every count have the same class.
fn classes(consults: &[Consult], block: &[u32]) -> Vec<u32> {
    let mut known = HashMap::new();
    let class = |consult: &Consult| {
        let steps: Vec<Step> = consult.steps.iter().map(|&step| rename(step, block)).collect();
        let fresh = known.len() as u32;
        *known.entry((consult.hidden, steps)).or_insert(fresh)
    };
    consults.iter().map(class).collect()
}

fn rename_consults(consults: &mut [Consult], block: &[u32]) {
    consults.iter_mut().flat_map(|consult| &mut consult.steps).for_each(|step| *step = rename(*step, block));
}

/// Returns the lookup table `steps` with its states renumbered, the most frequent first.
///
/// Frequently read rows are then adjacent in memory. State 0 stays state 0. `chances` holds the probability of
/// each symbol. Where the count decides the step, the count is assumed to be zero.
pub fn often_first(steps: &[Step], chances: &[f64], consults: &mut [Consult]) -> Vec<Step> {
    let symbols = chances.len();
    let states = steps.len() / symbols;
    let mut reached = vec![0.0; states];
    let mut now = vec![0.0; states];
    now[0] = 1.0;
    // no round visits a state twice, so this loop terminates
    while now.iter().any(|&chance| chance > 0.0) {
        let mut next = vec![0.0; states];
        for (row, at) in steps.chunks_exact(symbols).zip(&now).filter(|(_, at)| **at > 0.0) {
            for (step, chance) in row.iter().zip(chances) {
                let answer = match *step {
                    Step::Consult(consult) => consults[usize::from(consult)].steps.get(-LEAST_COUNT as usize),
                    _ => Some(step),
                };
                if let Some(Step::Go(state)) = answer {
                    next[*state as usize] += at * chance;
                }
            }
        }
        reached.iter_mut().zip(&now).for_each(|(sum, chance)| *sum += chance);
        now = next;
    }
    let mut order: Vec<usize> = (0..states).collect();
    order[1..].sort_by(|&a, &b| reached[b].total_cmp(&reached[a]));
    let mut place = vec![0; states];
    order.iter().enumerate().for_each(|(at, &state)| place[state] = at as u32);
    rename_consults(consults, &place);
    let rows = order.iter().flat_map(|&state| &steps[state * symbols..][..symbols]);
    rows.map(|&step| rename(step, &place)).collect()
}

/// Returns a number that identifies the step, the same for decisions of the same class in `classes`.
fn number(step: Step, classes: &[u32]) -> u32 {
    match step {
        Step::Go(state) => state,
        Step::Consult(consult) => 1 << 30 | classes[usize::from(consult)],
        Step::End(outcome) => 1 << 31 | u32::from(outcome),
        Step::Replay => u32::MAX,
        Step::Leave(exit) => 3 << 30 | exit,
    }
}

fn rename(step: Step, block: &[u32]) -> Step {
    match step {
        Step::Go(state) => Step::Go(block[state as usize]),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_become_one() {
        // states 1 and 2 are equivalent, state 3 is not
        let steps = [
            Step::Go(1),
            Step::Go(2),
            Step::End(0),
            Step::Go(3),
            Step::End(0),
            Step::Go(3),
            Step::End(1),
            Step::Go(0),
        ];
        let merged = minimise(&steps, 2, &mut []);
        assert_eq!(merged.len(), 6);
        assert_eq!(merged[0], merged[1]);
    }

    #[test]
    fn questions_that_lead_to_the_same_are_one() {
        let ask = |of: [Step; 2]| Consult { hidden: None, steps: of.to_vec() };
        // states 2 and 3 are equivalent, so the first two decisions are the same and the third differs
        let mut consults = vec![
            ask([Step::Go(2), Step::End(5)]),
            ask([Step::Go(3), Step::End(5)]),
            ask([Step::End(1), Step::End(5)]),
        ];
        let rows = [
            [Step::Consult(0), Step::Go(1)],
            [Step::Consult(2), Step::End(0)],
            [Step::End(7), Step::End(8)],
            [Step::End(7), Step::End(8)],
            [Step::Consult(1), Step::Go(1)],
        ];
        let merged = minimise(&rows.concat(), 2, &mut consults);
        assert_eq!(merged.len() / 2, 3, "{merged:?}");
        assert_eq!(consults[0].steps, consults[1].steps);
        assert_ne!(consults[0].steps, consults[2].steps);
    }

    #[test]
    fn states_that_are_often_reached_come_first() {
        // a quarter of the cards lead from 0 to 1 and three quarters to 2; both lead to 3
        let go = Step::Go;
        let steps =
            [[go(1), go(2)], [go(3), Step::End(7)], [Step::End(8), go(3)], [Step::Replay; 2]].concat();
        let sorted = often_first(&steps, &[0.25, 0.75], &mut []);
        // 2 is reached with probability 3/4, 3 with 10/16 and 1 with 1/4
        let expected =
            [[go(3), go(1)], [Step::End(8), go(2)], [Step::Replay; 2], [go(2), Step::End(7)]].concat();
        assert_eq!(sorted, expected);
    }
}
