//! Fresh shoes against exact figures: the simulated edge of every preset, and of every side wager, lies within four
//! standard errors of the solver's.

use exact::game::{Strategy, value};
use exact::offers::by_totals;
use program::{Chart, Wish, compile};
use rules::preset::{PRESETS, preset};
use rules::{Choices, Rules};
use sim::{Hooks, Options, simulate};

fn rounds() -> u64 {
    // the whole run of 10^10 rounds is for a machine of its own; any number can be asked for
    std::env::var("CUTCARD_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000_000)
}

fn simulated(choices: &Choices, chart: &Chart, seed: u64) -> sim::Results {
    let wish = Wish { bets: program::side::offered(choices), stake: None };
    let options = Options { rounds: rounds(), seed, fresh: true, ..Options::default() };
    simulate(compile(choices, chart, &wish).unwrap(), &options, Hooks::default()).unwrap()
}

#[test]
fn presets_agree_with_the_solver() {
    for (nth, (name, _)) in PRESETS.iter().enumerate() {
        let rules = Rules::new(preset(name).unwrap()).unwrap();
        let results = simulated(&rules, &by_totals(&rules), nth as u64);
        let (ev, error) = sim::report::ev_and_error(&results.job, &results.part.tally);
        let exact = value(&rules, &Strategy::TotalDependent);
        eprintln!(
            "{name}: simulated {ev:.6} ± {error:.6}, exact {exact:.6}, {:+.2} errors",
            (ev - exact) / error
        );
        assert!((ev - exact).abs() < 4.0 * error, "{name}: {ev} ± {error} is not {exact}");
        let reports = side::side_wagers(&rules);
        for (side, tally) in results.job.program.sides.iter().zip(&results.part.tally.sides) {
            let unit = side.unit as f64;
            let (edge, error) = (-tally.net.mean() / unit, tally.net.error() / unit);
            let report = reports.iter().find(|report| report.wager() == side.bet.name()).unwrap();
            eprintln!("  {}: {edge:.6} ± {error:.6}, exact {:.6}", side.bet.name(), report.house_edge);
            assert!((edge - report.house_edge).abs() < 4.0 * error, "{name} {:?}", side.bet);
        }
    }
}
