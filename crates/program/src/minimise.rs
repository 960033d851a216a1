//! States that no sequence of cards can tell apart are made one: Moore's partition refinement.

use crate::solo::Step;
use std::collections::HashMap;

/// The same table with as few states as possible. State 0 stays state 0.
pub fn minimise(steps: &[Step], symbols: usize) -> Vec<Step> {
    let states = steps.len() / symbols;
    let mut block = vec![0u32; states];
    let mut blocks = 1;
    loop {
        let mut known: HashMap<Vec<Step>, u32> = HashMap::new();
        let mut next = vec![0u32; states];
        for state in 0..states {
            let row = &steps[state * symbols..(state + 1) * symbols];
            let mut signature: Vec<Step> = row.iter().map(|&step| rename(step, &block)).collect();
            // states once told apart stay apart
            signature.push(Step::Go(block[state]));
            let fresh = known.len() as u32;
            next[state] = *known.entry(signature).or_insert(fresh);
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
