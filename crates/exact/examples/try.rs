use exact::judge::Measure;
use exact::round::Solved;
use exact::solve::Solver;
use exact::split::AfterSplit;
use exact::table::{Attacked, Table};
use std::time::Instant;
fn main() {
    for (name, _) in rules::preset::PRESETS {
        let choices = rules::preset::preset(name).unwrap();
        let t = Instant::now();
        let table = Table::new(&choices, Attacked::No);
        if name.contains("face-up") {
            let dealer = table.dealer::<f64, 55>();
            let solver = Solver::new(&table, &dealer, table.shoe(), &[0; 10]);
            let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
            let ev: f64 = solved.round(Measure::Net).iter().sum();
            println!("{name} {ev:.10} {:?}", t.elapsed());
        } else {
            let dealer = table.dealer::<f64, 10>();
            let solver = Solver::new(&table, &dealer, table.shoe(), &[0; 10]);
            let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
            let ev: f64 = solved.round(Measure::Net).iter().sum();
            println!("{name} {ev:.10} {:?}", t.elapsed());
        }
    }
}
