use program::{Wish, compile, reckon::reckon, solo::Solo};
fn main() {
    for (name, _) in rules::preset::PRESETS {
        let choices = rules::preset::preset(name).unwrap();
        let chart = reckon(&choices);
        for sides in [false, true] {
            let bets = if sides {
                program::side::offered(&choices)
            } else {
                vec![]
            };
            if sides && bets.is_empty() {
                continue;
            }
            let program = compile(&choices, &chart, &Wish { bets, stake: None }).unwrap();
            let t = std::time::Instant::now();
            let solo = Solo::new(&program);
            println!(
                "{name} {:?} {:?}",
                t.elapsed(),
                solo.map(|s| (
                    s.steps.len() / s.symbols,
                    s.outcomes.len(),
                    s.steps
                        .iter()
                        .filter(|s| matches!(s, program::solo::Step::Replay))
                        .count()
                ))
            );
        }
    }
}
