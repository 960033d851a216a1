//! Writes the math report as Markdown and as CSV.

use crate::report_document::{
    ChiSquare, OtherRuling, Report, RuleInForce, StampedReport, Verified, VerifiedWager, WagerReport,
    WellKnownPlay,
};
use crate::report_round;
use crate::strategy::StrategyCharts;
use serde_json::{Number, Value};
use std::fmt::Write as _;

/// Formats a fraction as a percentage, or as `-` if it is not a number.
pub fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.6} %", 100.0 * share) } else { "-".to_string() }
}

/// Formats a probability with nine decimal places, or as `-` if it is not a number.
///
/// Uses scientific notation for a small probability.
pub fn chance(p: f64) -> String {
    match p {
        p if !p.is_finite() => "-".to_string(),
        p if p != 0.0 && p.abs() < 1e-4 => format!("{p:.6e}"),
        p => format!("{p:.9}"),
    }
}

/// Formats a number with six decimal places, or as `-` if it is not a number.
pub fn number(n: f64) -> String {
    if n.is_finite() { format!("{n:.6}") } else { "-".to_string() }
}

/// Formats a number with commas between thousands, such as `1,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats any JSON value as plain text: lists with commas, and null as `-`.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_string(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Returns a text, or `-` if there is none.
pub fn or_dash(text: Option<&str>) -> String {
    text.unwrap_or("-").to_string()
}

/// Returns the name of a table.
pub fn table_name(report: &Report) -> String {
    plain(&report.table.keys()["name"])
}

/// Returns the name of a bet, with its paytable and its denomination if the bet has them.
pub fn wager_name(wager: &WagerReport) -> String {
    let name = match wager.figures.wager {
        "main" => "main game",
        name => name,
    };
    let other = wager.other();
    match (other.and_then(|of| of.paytable), other.and_then(|of| of.stake.as_deref())) {
        (Some(table), Some(stake)) => format!("{name} (paytable {table}, ${stake})"),
        (Some(table), None) => format!("{name} (paytable {table})"),
        _ => name.to_string(),
    }
}

/// Returns the label and the value of each known entry in the filing block of a report.
pub fn filed(report: &Report) -> Vec<(&'static str, &str)> {
    let filing = &report.filing;
    let said = [
        ("document number", &filing.document),
        ("author", &filing.author),
        ("date", &filing.date),
        ("SHA-256 of the table file with every key written out", &filing.table_sha256),
        ("SHA-256 of the program", &filing.program_sha256),
    ];
    said.into_iter().filter_map(|(label, value)| Some((label, value.as_deref()?))).collect()
}

/// Returns the methods of a report: the name of each figure, whether the figure is exact, and how it was computed.
pub fn methods(report: &Report) -> impl Iterator<Item = [String; 3]> {
    report.filing.method.iter().map(|method| {
        let exact = if method.exact { "exact" } else { "simulated or approximate" };
        [method.of, exact, &method.how].map(str::to_string)
    })
}

/// Returns the row of a bet in the summary of a report.
pub fn summary_row(wager: &WagerReport) -> Vec<String> {
    let figures = &wager.figures;
    let row = [
        wager_name(wager),
        percent(figures.house_edge),
        percent(figures.returned),
        number(figures.std_dev),
        number(figures.variance),
        number(figures.volatility_index),
        percent(figures.hit_frequency),
    ];
    Vec::from(row)
}

/// Returns the row of a rule: its key, value, meaning and clauses.
pub fn rule_row(rule: &RuleInForce) -> Vec<String> {
    vec![rule.key.to_string(), plain(&rule.value), rule.about.to_string(), rule_clauses(rule)]
}

/// The column headings of the table that compares simulated figures with exact figures.
pub const VERIFIED: [&str; 7] = [
    "figure",
    "simulated",
    "standard error",
    "exact",
    "difference in standard errors",
    "paytable lines: chi-square (df)",
    "p-value",
];

/// Returns the rows of the table that compares simulated figures with exact figures.
///
/// Each bet has one row, and so has the variance. The distribution of a round's net win has one row if it was compared.
pub fn verified_rows(verified: &Verified) -> Vec<Vec<String>> {
    let tested = |lines: Option<&ChiSquare>| {
        let told = lines.map(|of| format!("{:.2} ({})", of.chi_square, of.degrees_of_freedom));
        [told.unwrap_or("-".into()), lines.map_or("-".into(), |of| number(of.p_value))]
    };
    let apart = |apart: Option<f64>| apart.map_or("-".to_string(), |n| format!("{n:+.2}"));
    let row = |name: String, cells: [String; 4], tested: [String; 2]| [&[name][..], &cells, &tested].concat();
    let wager = |of: &VerifiedWager| {
        let name = match of.exact_assumes {
            Some(assumed) => format!("{} (exact if {assumed})", of.wager),
            None => of.wager.to_string(),
        };
        let exact = of.exact.map_or("-".to_string(), percent);
        let cells = [percent(of.house_edge), percent(of.std_error), exact, apart(of.errors_apart)];
        row(name, cells, tested(of.lines.as_ref()))
    };
    let of = &verified.variance;
    let variance = [number(of.simulated), number(of.std_error), number(of.exact), apart(of.errors_apart)];
    let mut rows: Vec<Vec<String>> = verified.wagers.iter().map(wager).collect();
    rows.push(row("variance of a round".into(), variance, tested(None)));
    if let Some(nets) = &verified.net_result {
        let none = std::array::from_fn(|_| "-".to_string());
        rows.push(row("net result of a round".into(), none, tested(Some(nets))));
    }
    rows
}

/// Returns a sentence about the simulation of whole shoes, or `None` if the report has no such simulation.
pub fn whole_shoes(verified: &Verified) -> Option<String> {
    let of = verified.whole_shoes.as_ref()?;
    Some(format!(
        "Simulated over {} rounds of whole shoes to the cut card: house edge {} (standard error {}), cut-card \
            effect {} (standard \
         error {}), theoretical hold {} of the handle (standard error {}).",
        of.rounds,
        percent(of.house_edge),
        percent(of.std_error),
        percent(of.cut_card_effect),
        percent(of.cut_card_effect_error),
        percent(of.theoretical_hold),
        percent(of.theoretical_hold_error)
    ))
}

/// Returns what a report says below the outcomes of a bet: well-known strategies, the break-even amount, and notes.
pub fn remarks(wager: &WagerReport) -> Vec<String> {
    let plays = wager.main().into_iter().flat_map(|main| main.plays.iter().map(play));
    let notes = wager.other().into_iter().flat_map(|other| other.notes.iter().cloned());
    plays.chain(break_even(wager)).chain(notes).collect()
}

fn play(of: &WellKnownPlay) -> String {
    let (edge, returned) = (percent(of.house_edge), percent(of.returned));
    format!("Play \"{}\" ({}): house edge {edge}, RTP {returned}, exact.", of.play, of.how)
}

/// Returns the clauses about a rule in the table's own regulation, or if there are none, the clause that permits
/// its value.
fn rule_clauses(rule: &RuleInForce) -> String {
    if rule.clauses.is_empty() { or_dash(rule.permitted_by) } else { rule.clauses.join(", ") }
}

/// Returns a sentence about the meter or award at which the house edge is zero, or `None` if the bet has neither.
fn break_even(wager: &WagerReport) -> Option<String> {
    let even = wager.other()?.break_even.as_ref()?;
    Some(format!(
        "Break-even: the house edge is zero at a {} of ${:.2}, exactly {}.",
        even.of, even.dollars, even.exact
    ))
}

/// Returns the name, version and commit of the program that made a report.
pub fn made_by(report: &StampedReport) -> String {
    let made = &report.made_by;
    let commit = made.commit.map_or(String::new(), |commit| format!(", commit {commit}"));
    format!("{} {}{commit}", made.program, made.version)
}

/// Describes in words how another reading of a ruling changes the house edge of each bet.
pub fn changes(other: &OtherRuling) -> String {
    let told: Vec<String> =
        other.changes.iter().map(|c| format!("{} {:+.6} %", c.wager, 100.0 * c.change)).collect();
    if told.is_empty() { "nothing here".to_string() } else { told.join(", ") }
}

struct Page(String);

impl Page {
    fn line(&mut self, text: impl AsRef<str>) {
        self.0.push_str(text.as_ref());
        self.0.push('\n');
    }

    fn heading(&mut self, text: &str) {
        let _ = write!(self.0, "\n## {text}\n\n");
    }

    fn table(&mut self, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
        self.line(format!("| {} |", head.join(" | ")));
        self.line(format!("|{}", " --- |".repeat(head.len())));
        for row in rows {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            self.line(format!("| {} |", cells.join(" | ")));
        }
    }
}

/// Returns a math report in Markdown.
pub fn markdown(report: &StampedReport) -> String {
    let Report { wagers, rules, rulings, .. } = &report.document;
    let mut page = Page(format!("# Math report: {}\n\n", table_name(&report.document)));
    page.line(format!(
        "Made by {}. House edges are fractions of the initial required bets.",
        made_by(report)
    ));
    for broken in report.document.hypothetical.iter().flat_map(|broken| &broken.0) {
        page.line(format!("\n**Hypothetical**: violates {}: {}", broken.clause, broken.message));
    }
    let filed = filed(&report.document);
    if !filed.is_empty() {
        page.heading("Filing");
        let rows = filed.into_iter().map(|(label, value)| vec![label.to_string(), value.to_string()]);
        page.table(&["", ""], rows);
    }
    page.heading("Method and exactness");
    page.table(&["figures", "", "how they were computed"], methods(&report.document).map(Vec::from));
    page.heading("Summary");
    page.table(
        &["bet", "house edge", "RTP", "standard deviation", "variance", "volatility index", "hit frequency"],
        wagers.iter().map(summary_row),
    );
    page.heading("Rules");
    page.table(&["key", "value", "meaning", "clauses"], rules.iter().map(rule_row));
    wagers.iter().for_each(|wager| of_wager(&mut page, wager));
    charts(&mut page, &report.document.charts);
    page.heading("Rulings");
    let readings = rulings.iter().flat_map(|ruling| {
        ruling.others.iter().map(move |other| {
            let told = [ruling.ruling, ruling.clause, ruling.assumed, other.reading];
            told.map(str::to_string).into_iter().chain([changes(other)]).collect()
        })
    });
    page.table(&["ruling", "clause", "assumed", "other reading", "it would change"], readings);
    if let Some(of) = &report.document.verified {
        verified(&mut page, of);
    }
    page.0
}

fn of_wager(page: &mut Page, wager: &WagerReport) {
    page.heading(&wager_name(wager));
    page.table(
        &["outcome", "ways", "probability", "pays", "contribution"],
        wager.figures.outcomes.iter().map(|o| {
            let (ways, p, pays) = (or_dash(o.ways.as_deref()), chance(o.probability), o.pays.clone());
            vec![o.outcome.clone(), ways, p, pays, number(o.contribution)]
        }),
    );
    if let Some(round) = wager.main().and_then(|main| main.round.as_ref()) {
        page.line("\nNet result of a whole round, in initial bets:\n");
        page.table(&report_round::COLUMNS, report_round::rows(round).into_iter());
        page.line(format!("\n{}", report_round::sentence(round)));
    }
    page.line("\nActual return, 95 % confidence interval:\n");
    let intervals = wager.figures.intervals.iter();
    page.table(
        &["rounds", "from", "to"],
        intervals.map(|i| vec![i.rounds.to_string(), percent(i.low), percent(i.high)]),
    );
    remarks(wager).iter().for_each(|note| page.line(format!("\n{note}")));
}

fn charts(page: &mut Page, charts: &StrategyCharts) {
    page.heading("Strategy by totals");
    let head: Vec<&str> = std::iter::once("").chain(charts.columns.iter().map(String::as_str)).collect();
    for chart in &charts.charts {
        page.line(format!("\n**{}**: {}\n", chart.chart, chart.legend));
        page.table(
            &head,
            chart.rows.iter().map(|row| {
                let cells = row.cells.iter().map(|cell| chart.shown(cell));
                std::iter::once(row.row.clone()).chain(cells).collect()
            }),
        );
    }
}

fn verified(page: &mut Page, verified: &Verified) {
    page.heading("Verified by simulation");
    page.line(format!(
        "{} rounds from full shoes, seed {}, total-dependent play; {} of rounds won.\n",
        verified.rounds,
        verified.seed,
        percent(verified.rounds_won)
    ));
    page.table(&VERIFIED, verified_rows(verified).into_iter());
    if let Some(told) = whole_shoes(verified) {
        page.line(format!("\n{told}"));
    }
}

/// Formats a math report as CSV, with one line for every outcome of every bet.
pub fn csv(report: &Report) -> String {
    let mut text = String::from(
        "wager,paytable,outcome,ways,probability,pays,contribution,house_edge,variance,break_even\n",
    );
    let shown = |n: f64| Number::from_f64(n).map_or_else(String::new, |n| n.to_string());
    for wager in &report.wagers {
        let (figures, other) = (&wager.figures, wager.other());
        let break_even = other.and_then(|other| other.break_even.as_ref());
        for outcome in &figures.outcomes {
            let cells = [
                figures.wager.to_string(),
                other.and_then(|other| other.paytable).unwrap_or_default().to_string(),
                outcome.outcome.clone(),
                outcome.ways.clone().unwrap_or_default(),
                shown(outcome.probability),
                outcome.pays.clone(),
                shown(outcome.contribution),
                shown(figures.house_edge),
                shown(figures.variance),
                break_even.map_or_else(String::new, |even| shown(even.dollars)),
            ];
            text.push_str(&cells.map(|cell| quoted(&cell)).join(","));
            text.push('\n');
        }
    }
    text
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_stand_apart() {
        let texts = [0, 999, 1000, 123_456, 10_000_000_000].map(super::grouped);
        assert_eq!(texts, ["0", "999", "1,000", "123,456", "10,000,000,000"]);
    }
}
