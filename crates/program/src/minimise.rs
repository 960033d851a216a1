//! States that no sequence of cards can tell apart are made one: Moore's partition refinement.

use crate::solo::Step;
use std::collections::HashMap;

/// The same table with as few states as possible. State 0 stays state 0.
pub fn minimise(steps: &[Step], symbols: usize) -> Vec<Step> {
    let states = steps.len() / symbols;
    let mut block = vec![0u32; states];
    let mut blocks = 1;
    loop {
        let mut known: HashMap<Box<[u32]>, u32> = HashMap::with_capacity(blocks);
        let mut next = vec![0u32; states];
        let mut signature = Vec::with_capacity(symbols + 1);
        for state in 0..states {
            let row = &steps[state * symbols..(state + 1) * symbols];
            signature.clear();
            signature.extend(row.iter().map(|&step| number(rename(step, &block))));
            // states once told apart stay apart
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
    merged
}

/// A step as a number of its own.
fn number(step: Step) -> u32 {
    match step {
        Step::Go(state) => state,
        Step::End(outcome) => 1 << 31 | u32::from(outcome),
        Step::Replay => u32::MAX,
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
        // states 1 and 2 do the same, state 3 does not
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
        let merged = minimise(&steps, 2);
        assert_eq!(merged.len(), 6);
        assert_eq!(merged[0], merged[1]);
    }
}
