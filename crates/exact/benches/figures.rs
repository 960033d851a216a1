#[path = "../tests/common/mod.rs"]
mod common;
use common::Plain;
use exact::dealer::{At22, DealerTree, Seen};
use exact::judge::{Judge, Measure};
use exact::round::Solved;
use exact::solve::Solver;
use exact::split::AfterSplit;
use std::time::Instant;
fn main() {
    for decks in [1u16, 6, 8] {
        let judge = Plain::default();
        let shoe = [4 * decks, 4 * decks, 4 * decks, 4 * decks, 4 * decks, 4 * decks, 4 * decks, 4 * decks, 4 * decks, 16 * decks];
        for _ in 0..3 {
            let t = Instant::now();
            let dealer = DealerTree::<f64, 10>::new(Seen::UpCard, At22::Over, |c| judge.dealer_stands(c));
            let t1 = t.elapsed();
            let solver = Solver::new(&judge, &dealer, shoe, &[0; 10]);
            let t2 = t.elapsed();
            let b = solver.best();
            let t25 = t.elapsed();
            drop(b);
            let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
            let t3 = t.elapsed();
            let ev: f64 = solved.round(Measure::Net).iter().sum();
            println!("{decks} {ev:.12} {t1:?} {t2:?} {t25:?} {t3:?} {:?} hands {}", t.elapsed(), solver.hands.list.len());
        }
    }
}
