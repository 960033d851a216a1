//! Checks the odds against the figures of the notes, hand-counted binomials and sampled deals.

mod counted;
mod figures;
mod insurance;
mod sampled;
mod special;
mod streaks;

use rules::{Choices, Rules, file, preset::preset};
use side::{Fraction, MainGame, SideReport, side_wagers_with};

/// Returns a preset with settings in the syntax of `--set`.
pub fn choices(name: &str, settings: &[&str]) -> Choices {
    let mut choices = preset(name).unwrap();
    for setting in settings {
        file::set(&mut choices, setting).unwrap();
    }
    choices
}

/// Returns the reports of a legal table.
pub fn reports(name: &str, settings: &[&str]) -> Vec<SideReport> {
    let rules =
        Rules::new(choices(name, settings)).unwrap_or_else(|report| panic!("{:?}", report.violations));
    side_wagers_with(&rules, &MainGame::default())
}

/// Returns the report of one bet of a legal table.
pub fn report(name: &str, settings: &[&str], wager: &str) -> SideReport {
    let mut found = reports(name, settings).into_iter();
    found.find(|report| report.wager() == wager).unwrap()
}

pub fn fraction(numerator: i128, denominator: i128) -> Fraction {
    Fraction::of(numerator, denominator).unwrap()
}

/// Returns n over k.
pub fn choose(n: i128, k: i128) -> i128 {
    (0..k).fold(1, |product, taken| product * (n - taken) / (taken + 1))
}

/// Returns the probability of the outcome with this name.
pub fn chance(report: &SideReport, outcome: &str) -> Fraction {
    let named = |found: &&side::SideOutcome| found.outcome == outcome;
    report.outcomes.iter().find(named).and_then(|found| found.exact.clone()).unwrap()
}
