use program::{Wish, compile, reckon::reckon};
use sim::{chunk::Job, isa::Isa};
fn main() {
    let boxes: usize = std::env::args().nth(2).map_or(1, |b| b.parse().unwrap());
    let fresh = std::env::args().nth(1).is_some_and(|a| a == "fresh");
    for (name, _) in rules::preset::PRESETS {
        let choices = rules::preset::preset(name).unwrap();
        let t = std::time::Instant::now();
        let chart = reckon(&choices);
        let tr = t.elapsed();
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
            let shoes = Job::shoes_a_chunk(&program, boxes, fresh);
            let job = Job {
                program,
                counting: None,
                boxes,
                seed: 1,
                fresh,
                isa: Isa::best(),
                shoes,
                lane: None,
            };
            let lane = if boxes == 1 {
                sim::lane::Table::new(&job.program)
            } else {
                None
            };
            let job = Job { lane, ..job };
            let t = std::time::Instant::now();
            let mut tally = job.empty();
            let c0 = cpu();
            for c in 0..40 {
                tally.merge(&job.chunk(c));
            }
            let s = (cpu() - c0) as f64 / 1e9;
            let _ = t;
            let m = tally.cells[0].net;
            let u = job.initial() as f64;
            println!(
                "{name} reckon {:.2}s  rounds {} {:.1} M/s ev {:.4}% +- {:.4} sd {:.4} cards {:.3} faces {} rows {} classes {}",
                tr.as_secs_f64(),
                m.count,
                m.count as f64 / s / 1e6,
                m.mean() / u * 100.0,
                m.error() / u * 100.0,
                m.variance().sqrt() / u,
                tally.cards as f64 / m.count as f64,
                job.program.faces.faces.len(),
                job.program.hands.rows.len() / job.program.hands.stride,
                job.program.classes.all.len()
            );
            for (side, t) in job.program.sides.iter().zip(&tally.sides) {
                println!(
                    "   {} edge {:.4}% +- {:.4}",
                    side.bet.name(),
                    -t.net.mean() / side.unit as f64 * 100.0,
                    t.net.error() / side.unit as f64 * 100.0
                );
            }
        }
    }
}

fn cpu() -> u64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    s.split_whitespace().next().unwrap().parse().unwrap()
}
