use program::{Wish, compile, reckon::reckon};
use sim::{chunk::Job, isa::Isa};
fn main() {
    let fresh = std::env::args().nth(1).is_some_and(|a| a == "fresh");
    for (name, _) in rules::preset::PRESETS {
        let choices = rules::preset::preset(name).unwrap();
        let t = std::time::Instant::now();
        let chart = reckon(&choices);
        let tr = t.elapsed();
        for sides in [false, true] {
            let bets = if sides { program::side::offered(&choices) } else { vec![] };
            if sides && bets.is_empty() { continue; }
            let program = compile(&choices, &chart, &Wish { bets, stake: None }).unwrap();
            let shoes = Job::shoes_a_chunk(&program, 1, fresh);
            let job = Job { program, counting: None, boxes: 1, seed: 1, fresh, isa: Isa::best(), shoes, lane: None };
            let t = std::time::Instant::now();
            let mut tally = job.empty();
            for c in 0..40 { tally.merge(&job.chunk(c)); }
            let s = t.elapsed().as_secs_f64();
            let m = tally.cells[0].net;
            let u = job.initial() as f64;
            println!("{name} reckon {:.2}s  rounds {} {:.1} M/s ev {:.4}% +- {:.4} sd {:.4} cards {:.3} faces {} rows {} classes {}", tr.as_secs_f64(), m.count, m.count as f64/s/1e6, m.mean()/u*100.0, m.error()/u*100.0, m.variance().sqrt()/u, tally.cards as f64/m.count as f64, job.program.faces.faces.len(), job.program.hands.rows.len()/job.program.hands.stride, job.program.classes.all.len());
            for (side, t) in job.program.sides.iter().zip(&tally.sides) {
                println!("   {} edge {:.4}% +- {:.4}", side.bet.name(), -t.net.mean()/side.unit as f64*100.0, t.net.error()/side.unit as f64*100.0);
            }
        }
    }
}
