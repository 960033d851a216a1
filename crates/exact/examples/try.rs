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
        if name.contains("switch") {
            for (decks, hands, reader) in [(6, 2, false), (6, 4, false), (8, 2, true)] {
                let mut choices = choices.clone();
                choices.decks = decks;
                choices.split_hands = hands;
                if reader { choices.hole_card = rules::HoleCard::Reader; }
                let table = Table::new(&choices, Attacked::No);
                let t = Instant::now();
                let dealer = table.dealer::<f64, 10>();
                let sw = exact::switch::Switch::new(&table, &dealer, &table.shoe(), 2);
                let t1 = t.elapsed();
                let (v, s) = sw.value();
                println!("{name} {decks} {hands} {reader} {:.10} switched {s:.6} {t1:?} {:?}", v / 2.0, t.elapsed());
            }
            continue;
        }
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
#[allow(dead_code)]
fn switch() {}
