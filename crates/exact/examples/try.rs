use exact::game::{Strategy, figures, value};
use std::time::Instant;
fn main() {
    for (name, _) in rules::preset::PRESETS {
        let choices = rules::preset::preset(name).unwrap();
        let t = Instant::now();
        let v = value(&choices, &Strategy::CompositionDependent);
        let t1 = t.elapsed();
        let f = figures(&choices, &Strategy::CompositionDependent);
        println!("{name} {v:.10} {t1:?} {:?}\n   {f:?} sd {}", t.elapsed() - t1, f.variance.sqrt());
        if !name.contains("switch") {
            let t: Vec<f64> = [Strategy::AfterFirstSplit, Strategy::AfterPairsSeen, Strategy::TotalDependent].iter().map(|s| value(&choices, s)).collect();
            println!("   cdp1 cdp td {t:?}");
        }
    }
}
