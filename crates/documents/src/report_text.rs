//! Writes the math report as Markdown and as CSV.

use crate::report_round;
use serde_json::Value;
use std::fmt::Write as _;

/// Formats a fraction as a percentage, or as `-` if the value is not a number.
pub fn percent(value: &Value) -> String {
    value.as_f64().map_or_else(|| "-".to_string(), |share| format!("{:.6} %", 100.0 * share))
}

/// Formats a probability with nine decimal places, or as `-` if the value is not a number.
///
/// Uses scientific notation for a small probability.
pub fn chance(value: &Value) -> String {
    match value.as_f64() {
        Some(p) if p != 0.0 && p.abs() < 1e-4 => format!("{p:.6e}"),
        Some(p) => format!("{p:.9}"),
        None => "-".to_string(),
    }
}

/// Formats a number with six decimal places, or as `-` if the value is not a number.
pub fn number(value: &Value) -> String {
    value.as_f64().map_or_else(|| "-".to_string(), |n| format!("{n:.6}"))
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

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the name of a bet, with its paytable and its denomination if the bet has them.
pub fn wager_name(wager: &Value) -> String {
    let name = match wager["wager"].as_str() {
        Some("main") => "main game",
        name => name.unwrap_or_default(),
    };
    match (wager["paytable"].as_str(), wager["stake"].as_str()) {
        (Some(table), Some(stake)) => format!("{name} (paytable {table}, ${stake})"),
        (Some(table), None) => format!("{name} (paytable {table})"),
        _ => name.to_string(),
    }
}

/// Returns the label and the value of each known entry in the filing block of a report.
pub fn filed(report: &Value) -> Vec<(&'static str, String)> {
    let filing = &report["filing"];
    let said = [
        ("document number", &filing["document"]),
        ("author", &filing["author"]),
        ("date", &filing["date"]),
        ("SHA-256 of the table file with every key written out", &filing["table_sha256"]),
        ("SHA-256 of the program", &filing["program_sha256"]),
    ];
    said.into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(label, value)| (label, plain(value)))
        .collect()
}

/// Returns the methods of a report: the name of each figure, whether the figure is exact, and how it was computed.
pub fn methods(report: &Value) -> impl Iterator<Item = [String; 3]> {
    list(&report["filing"]["method"]).iter().map(|method| {
        let exact = if method["exact"] == true { "exact" } else { "simulated or approximate" };
        [plain(&method["of"]), exact.to_string(), plain(&method["how"])]
    })
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
/// Each bet has one row. The variance and the distribution of a round's net win have one row each if they were
/// compared.
pub fn verified_rows(verified: &Value) -> Vec<Vec<String>> {
    let tested = |lines: &Value| {
        let found = lines["chi_square"].as_f64();
        let told = found.map(|found| format!("{found:.2} ({})", plain(&lines["degrees_of_freedom"])));
        vec![told.unwrap_or("-".into()), number(&lines["p_value"])]
    };
    let apart = |of: &Value| of["errors_apart"].as_f64().map_or("-".to_string(), |n| format!("{n:+.2}"));
    let wager = |w: &Value| {
        let name = match w["exact_assumes"].as_str() {
            Some(assumed) => format!("{} (exact if {assumed})", plain(&w["wager"])),
            None => plain(&w["wager"]),
        };
        let edges = ["house_edge", "std_error", "exact"].map(|key| percent(&w[key]));
        [vec![name], edges.to_vec(), vec![apart(w)], tested(&w["lines"])].concat()
    };
    let mut rows: Vec<Vec<String>> = list(&verified["wagers"]).iter().map(wager).collect();
    let variance = &verified["variance"];
    if !variance.is_null() {
        let told = ["simulated", "std_error", "exact"].map(|key| number(&variance[key]));
        let name = vec!["variance of a round".to_string()];
        rows.push([name, told.to_vec(), vec![apart(variance), "-".into(), "-".into()]].concat());
    }
    let nets = &verified["net_result"];
    if !nets.is_null() {
        let name = vec!["net result of a round".to_string()];
        rows.push([name, vec!["-".into(); 4], tested(nets)].concat());
    }
    rows
}

/// Returns a sentence about the simulation of whole shoes, or `None` if the report has no such simulation.
pub fn whole_shoes(verified: &Value) -> Option<String> {
    let told = &verified["whole_shoes"];
    let of = |key: &str| percent(&told[key]);
    told["house_edge"].as_f64()?;
    Some(format!(
        "Simulated over {} rounds of whole shoes to the cut card: house edge {} (standard error {}), cut-card \
            effect {} (standard \
         error {}), theoretical hold {} of the handle (standard error {}).",
        plain(&told["rounds"]),
        of("house_edge"),
        of("std_error"),
        of("cut_card_effect"),
        of("cut_card_effect_error"),
        of("theoretical_hold"),
        of("theoretical_hold_error")
    ))
}

/// Returns a sentence about the house edge and the return to player of each well-known strategy.
pub fn plays(wager: &Value) -> impl Iterator<Item = String> {
    list(&wager["plays"]).iter().map(|play| {
        let (edge, returned) = (percent(&play["house_edge"]), percent(&play["return"]));
        format!(
            "Play \"{}\" ({}): house edge {edge}, RTP {returned}, exact.",
            plain(&play["play"]),
            plain(&play["how"])
        )
    })
}

/// Returns the clauses about a rule in the table's own regulation, or if there are none, the clause that permits
/// its value.
pub fn rule_clauses(rule: &Value) -> String {
    if list(&rule["clauses"]).is_empty() { plain(&rule["permitted_by"]) } else { plain(&rule["clauses"]) }
}

/// Returns a sentence about the meter or award at which the house edge is zero, or `None` if the bet has neither.
pub fn break_even(wager: &Value) -> Option<String> {
    let even = &wager["break_even"];
    let (of, dollars) = (even["of"].as_str()?, even["dollars"].as_f64()?);
    Some(format!(
        "Break-even: the house edge is zero at a {of} of ${dollars:.2}, exactly {}.",
        plain(&even["exact"])
    ))
}

/// Returns the name, version and commit of the program that made a report.
pub fn made_by(report: &Value) -> String {
    let made = &report["made_by"];
    let commit = made["commit"].as_str().map_or(String::new(), |commit| format!(", commit {commit}"));
    format!("{} {}{commit}", plain(&made["program"]), plain(&made["version"]))
}

/// Describes in words how another reading of a ruling changes the house edge of each bet.
pub fn changes(other: &Value) -> String {
    let told: Vec<String> = list(&other["changes"])
        .iter()
        .map(|c| format!("{} {:+.6} %", plain(&c["wager"]), 100.0 * c["change"].as_f64().unwrap_or(0.0)))
        .collect();
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
pub fn markdown(report: &Value) -> String {
    let mut page = Page(format!("# Math report: {}\n\n", plain(&report["table"]["name"])));
    page.line(format!(
        "Made by {}. House edges are fractions of the initial required bets.",
        made_by(report)
    ));
    for broken in list(&report["hypothetical"]) {
        page.line(format!(
            "\n**Hypothetical**: violates {}: {}",
            plain(&broken["clause"]),
            plain(&broken["message"])
        ));
    }
    let filed = filed(report);
    if !filed.is_empty() {
        page.heading("Filing");
        page.table(&["", ""], filed.into_iter().map(|(label, value)| vec![label.to_string(), value]));
    }
    page.heading("Method and exactness");
    page.table(&["figures", "", "how they were computed"], methods(report).map(Vec::from));
    page.heading("Summary");
    page.table(
        &["bet", "house edge", "RTP", "standard deviation", "variance", "volatility index", "hit frequency"],
        list(&report["wagers"]).iter().map(|w| {
            let spread = ["std_dev", "variance", "volatility_index"].map(|key| number(&w[key]));
            let mut row = vec![wager_name(w), percent(&w["house_edge"]), percent(&w["return"])];
            row.extend(spread);
            row.push(percent(&w["hit_frequency"]));
            row
        }),
    );
    page.heading("Rules");
    let rules = list(&report["rules"]).iter();
    page.table(
        &["key", "value", "meaning", "clauses"],
        rules.map(|r| vec![plain(&r["key"]), plain(&r["value"]), plain(&r["about"]), rule_clauses(r)]),
    );
    for wager in list(&report["wagers"]) {
        page.heading(&wager_name(wager));
        page.table(
            &["outcome", "ways", "probability", "pays", "contribution"],
            list(&wager["outcomes"]).iter().map(|o| {
                let (ways, p, pays) = (plain(&o["ways"]), chance(&o["probability"]), plain(&o["pays"]));
                vec![plain(&o["outcome"]), ways, p, pays, number(&o["contribution"])]
            }),
        );
        let nets = report_round::rows(wager);
        if !nets.is_empty() {
            page.line("\nNet result of a whole round, in initial bets:\n");
            page.table(&report_round::COLUMNS, nets.into_iter());
            page.line(format!("\n{}", report_round::sentence(wager)));
        }
        page.line("\nActual return, 95 % confidence interval:\n");
        page.table(
            &["rounds", "from", "to"],
            list(&wager["intervals"])
                .iter()
                .map(|i| vec![plain(&i["rounds"]), percent(&i["low"]), percent(&i["high"])]),
        );
        for note in plays(wager).chain(break_even(wager)).chain(list(&wager["notes"]).iter().map(plain)) {
            page.line(format!("\n{note}"));
        }
    }
    charts(&mut page, &report["charts"]);
    page.heading("Rulings");
    let readings = list(&report["rulings"]).iter().flat_map(|ruling| {
        let others = list(&ruling["others"]).iter();
        others.map(move |other| {
            let told =
                [&ruling["ruling"], &ruling["clause"], &ruling["assumed"], &other["reading"]].map(plain);
            told.into_iter().chain([changes(other)]).collect()
        })
    });
    page.table(&["ruling", "clause", "assumed", "other reading", "it would change"], readings);
    if !report["verified"].is_null() {
        verified(&mut page, &report["verified"]);
    }
    page.0
}

fn charts(page: &mut Page, charts: &Value) {
    page.heading("Strategy by totals");
    for chart in list(&charts["charts"]) {
        page.line(format!("\n**{}**: {}\n", plain(&chart["chart"]), plain(&chart["legend"])));
        let columns = list(&charts["columns"]).iter().map(plain);
        let head: Vec<String> = std::iter::once(String::new()).chain(columns).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let values = chart["chart"] == "switch";
        page.table(
            &head,
            list(&chart["rows"]).iter().map(|row| {
                let cell = |cell: &Value| {
                    if values {
                        format!("{:.3}", cell["ev"].as_f64().unwrap_or(0.0))
                    } else {
                        plain(&cell["action"])
                    }
                };
                std::iter::once(plain(&row["row"])).chain(list(&row["cells"]).iter().map(cell)).collect()
            }),
        );
    }
}

fn verified(page: &mut Page, verified: &Value) {
    page.heading("Verified by simulation");
    page.line(format!(
        "{} rounds from full shoes, seed {}, total-dependent play; {} of rounds won.\n",
        plain(&verified["rounds"]),
        plain(&verified["seed"]),
        percent(&verified["rounds_won"])
    ));
    page.table(&VERIFIED, verified_rows(verified).into_iter());
    if let Some(told) = whole_shoes(verified) {
        page.line(format!("\n{told}"));
    }
}

/// Formats a math report as CSV, with one line for every outcome of every bet.
pub fn csv(report: &Value) -> String {
    let mut text = String::from(
        "wager,paytable,outcome,ways,probability,pays,contribution,house_edge,variance,break_even\n",
    );
    for wager in list(&report["wagers"]) {
        for outcome in list(&wager["outcomes"]) {
            let cells = [
                &wager["wager"],
                &wager["paytable"],
                &outcome["outcome"],
                &outcome["ways"],
                &outcome["probability"],
                &outcome["pays"],
                &outcome["contribution"],
                &wager["house_edge"],
                &wager["variance"],
                &wager["break_even"]["dollars"],
            ];
            let cells = cells.map(|cell| if cell.is_null() { String::new() } else { quoted(&plain(cell)) });
            text.push_str(&cells.join(","));
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
