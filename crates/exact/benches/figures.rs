//! How long each figure takes: best of several runs, in processor time of this process.
fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let _ = name;
    use exact::round::Solved;
    use exact::solve::Solver;
    use exact::split::AfterSplit;
    use exact::table::{Attacked, Table};
    let choices = rules::preset::preset("nj-blackjack").unwrap();
    let mut best = f64::MAX;
    for _ in 0..30 {
        let t = std::time::Instant::now();
        let table = Table::new(&choices, Attacked::No);
        let dealer = table.dealer::<f64, 10>();
        let solver = Solver::new(&table, &dealer, table.shoe(), &[0; 10]);
        let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
        let ev: f64 = solved.round(exact::judge::Measure::Net).iter().sum();
        best = best.min(t.elapsed().as_secs_f64());
        assert!(ev < 0.0);
    }
    println!("{:.2} ms", best * 1e3);
}
