//! Renders the math report as one self-contained HTML page that prints well.

use crate::report_document::{AssumedRuling, Report, StampedReport, Verified, WagerOutcome, WagerReport};
use crate::report_round;
use crate::report_text::{
    VERIFIED, chance, changes, filed, grouped, made_by, methods, number, percent, remarks, rule_row,
    summary_row, table_name, verified_rows, wager_name, whole_shoes,
};
use crate::stamp::StrategyUsed;
use crate::strategy::StrategyCharts;
use std::fmt::Write as _;

const STYLE: &str = "
@page{size:letter;margin:18mm 14mm}
:root{color-scheme:light}
*{box-sizing:border-box}
body{font:14px/1.45 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:1000px;margin:24px auto;
padding:0 20px}
h1{font-size:26px;margin:0 0 4px}
h2{font-size:18px;margin:28px 0 8px;border-bottom:2px solid #1b5e43;padding-bottom:3px}
h3{font-size:14px;margin:16px 0 6px}p{margin:4px 0 8px}.made,.note{color:#57606a;font-size:12px}
.law{border:2px solid #b42318;background:#fef3f2;padding:8px 12px;margin:12px 0}
table{border-collapse:collapse;width:100%;font-size:12.5px;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #d0d7de;padding:3px 8px;text-align:right;vertical-align:top}
th{background:#f1f5f3;text-align:right}th:first-child,td:first-child,.words td,.words th{text-align:left}
td.ways{font-size:11px;overflow-wrap:anywhere;min-width:110px;max-width:260px}
td:nth-child(4),.lines td:first-child{white-space:nowrap}.words td:nth-child(4){white-space:normal}
tr{break-inside:avoid}thead{display:table-header-group}
tfoot{display:table-row-group}tfoot td{font-weight:600;border-top:2px solid #1b1f24;border-bottom:0}
.two{display:grid;grid-template-columns:5fr 3fr;gap:20px;align-items:start}
.block{display:inline-block;vertical-align:top;width:49%;break-inside:avoid}
.block:has(.wide){width:100%}.chart{width:auto;margin-bottom:14px}
.chart td,.chart th{text-align:center;border:1px solid #c9d1d9;padding:1px 6px;min-width:30px}
.chart td:first-child{text-align:center}.wide td,.wide th{font-size:9px;padding:0 1px;min-width:0}
.s{background:#f6d55c}.h{background:#fff}.d{background:#8ecae6}.p,.y{background:#b7e4c7}.r{background:#f4acb7}
.n{background:#eee}
.filing td{overflow-wrap:anywhere;font-variant-numeric:normal}.filing th{width:34%;font-weight:600}
.bar{height:9px;background:#1b5e43;display:inline-block;vertical-align:middle}
@media (max-width:700px){.two{grid-template-columns:1fr}}
@media print{body{margin:0;padding:0;max-width:none;font-size:10.5px}h1{font-size:20px}
h2{font-size:14px}.made,.note{font-size:9.5px}h2,h3,h2+p,h3+p,tbody tr:has(+tr:last-child){break-after:avoid}
.chart td,.chart th{min-width:26px;padding:1px 4px}.wide td,.wide th{font-size:6.5px;padding:0;min-width:0}
table{font-size:9.5px}th,td{padding:2px 5px}
.s,.h,.d,.p,.y,.r,.n,th,.bar,.law{-webkit-print-color-adjust:exact;print-color-adjust:exact}
h3{font-size:12px}.two{grid-template-columns:3fr 2fr;break-inside:avoid}}";

/// Renders a math report as an HTML page.
pub fn page(report: &StampedReport) -> String {
    let name = escaped(&table_name(&report.document));
    let strategy = match &report.of.strategy {
        Some(StrategyUsed::Named(name)) => name,
        _ => "by a chart",
    };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
            content=\"width=device-width\">\n<title>Math report: \
            {name}</title>\n<style>{STYLE}\n{}</style></head><body>\n<header><h1>Math report: {name}</h1>\n<p \
            class=\"made\">Made by {}. House edges are fractions of the initial required bets; play is {} unless \
            stated otherwise.</p></header>\n",
        running_heads(&report.document),
        escaped(&made_by(report)),
        escaped(strategy),
    );
    if let Some(broken) = &report.document.hypothetical {
        out.push_str("<div class=\"law\"><strong>Hypothetical: no legal table.</strong><ul>");
        for finding in &broken.0 {
            let _ = write!(out, "<li>{}: {}</li>", escaped(finding.clause), escaped(&finding.message));
        }
        out.push_str("</ul></div>\n");
    }
    let report = &report.document;
    filing(&mut out, report);
    summary(&mut out, report);
    rules(&mut out, report);
    report.wagers.iter().for_each(|wager| of_wager(&mut out, wager));
    charts(&mut out, &report.charts);
    rulings(&mut out, &report.rulings);
    if let Some(of) = &report.verified {
        verified(&mut out, of);
    }
    out.push_str("</body></html>\n");
    out
}

/// Returns the CSS of the headers and footers that are printed on every page of the report.
///
/// They show the table, the document number or date, the hash of the table file, and the page number.
fn running_heads(report: &Report) -> String {
    let filing = &report.filing;
    let told = |label: &str, value: Option<&String>| match value {
        Some(value) => quoted(&format!("{label}{value}")),
        None => quoted(""),
    };
    format!(
        "@page{{@top-left{{content:{};{FOOT}}}@top-right{{content:{};{FOOT}}}@bottom-left{{content:{};{FOOT}}}\
            @bottom-right{{content:\"Page \" counter(page) \" of \" counter(pages);{FOOT}}}}}",
        told("Math report: ", Some(&table_name(report))),
        told("", filing.document.as_ref().or(filing.date.as_ref())),
        told("Table file ", filing.table_sha256.as_ref()),
    )
}

/// The font and color of the headers and footers, in CSS.
const FOOT: &str = "font:7.5pt system-ui,sans-serif;color:#57606a";

/// Returns `text` as a quoted CSS string.
///
/// Every character except ASCII letters, digits and a few punctuation marks is escaped by its code point.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || " -.,:".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "\\{:06x}", u32::from(c));
        }
    }
    out.push('"');
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn table(out: &mut String, class: &str, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let _ = write!(out, "<table class=\"{class}\"><thead><tr>");
    for cell in head {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(cell));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", escaped(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}

fn filing(out: &mut String, report: &Report) {
    let filed = filed(report);
    if !filed.is_empty() {
        out.push_str("<table class=\"words filing\"><tbody>\n");
        for (label, value) in filed {
            let _ = writeln!(out, "<tr><th scope=\"row\">{label}</th><td>{}</td></tr>", escaped(value));
        }
        out.push_str("</tbody></table>\n");
    }
    out.push_str("<h2>Method and exactness</h2>\n");
    table(out, "words", &["figures", "", "how they were computed"], methods(report).map(Vec::from));
}

fn summary(out: &mut String, report: &Report) {
    out.push_str("<h2>Summary</h2>\n");
    let head =
        ["bet", "house edge", "RTP", "standard deviation", "variance", "volatility index", "hit frequency"];
    table(out, "", &head, report.wagers.iter().map(summary_row));
    out.push_str(
        "<p class=\"note\">The volatility index is 1.645 standard deviations. The hit frequency of the main game is \
            the fraction of all hands that win.</p>\n",
    );
}

fn rules(out: &mut String, report: &Report) {
    out.push_str("<h2>Rules</h2>\n");
    table(out, "words", &["key", "value", "meaning", "clauses"], report.rules.iter().map(rule_row));
}

fn of_wager(out: &mut String, wager: &WagerReport) {
    let figures = &wager.figures;
    let _ = write!(
        out,
        "<section class=\"wager\"><h2>{}</h2>\n<p>House edge <strong>{}</strong>",
        escaped(&wager_name(wager)),
        percent(figures.house_edge)
    );
    if let Some(exact) = wager.other().and_then(|other| other.exact_edge.as_ref()) {
        let _ = write!(out, ", exactly {}", escaped(exact));
    }
    if let Some(main) = wager.main() {
        let totals = 100.0 * main.by_totals.house_edge;
        let _ = write!(out, "; with the total-dependent charts below {totals:.6} %");
    }
    out.push_str(".</p>\n<div class=\"two\"><div>");
    outcomes(out, &figures.outcomes);
    for note in remarks(wager) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&note));
    }
    out.push_str("</div><div><h3>Actual return, 95 % confidence interval</h3>\n");
    let intervals = figures.intervals.iter();
    let intervals = intervals.map(|i| vec![grouped(i.rounds), percent(i.low), percent(i.high)]);
    table(out, "", &["rounds", "from", "to"], intervals);
    out.push_str("</div></div>\n");
    if let Some(round) = wager.main().and_then(|main| main.round.as_ref()) {
        out.push_str("<h3>Net result of a whole round, in initial bets</h3>\n");
        table(out, "", &report_round::COLUMNS, report_round::rows(round).into_iter());
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&report_round::sentence(round)));
    }
    out.push_str("</section>\n");
}

fn outcomes(out: &mut String, all: &[WagerOutcome]) {
    // the main game has no ways, and its outcomes need the room
    let counted = all.iter().any(|o| o.ways.is_some());
    let (class, ways) = if counted { ("", "<th scope=\"col\">ways</th>") } else { (" class=\"lines\"", "") };
    let _ = writeln!(
        out,
        "<table{class}><thead><tr><th scope=\"col\">outcome</th>{ways}<th scope=\"col\">probability</th><th scope=\"col\">pays</th><th scope=\"col\">contribution</th></tr></thead><tbody>"
    );
    for o in all {
        let _ = writeln!(
            out,
            "<tr><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&o.outcome),
            match &o.ways {
                Some(ways) => format!("<td class=\"ways\">{}</td>", escaped(ways)),
                None if counted => "<td></td>".to_string(),
                None => String::new(),
            },
            chance(o.probability),
            escaped(&o.pays),
            number(o.contribution)
        );
    }
    let _ = writeln!(
        out,
        "</tbody><tfoot><tr><td>sum</td>{}<td>{:.9}</td><td></td><td>{:.6}</td></tr></tfoot></table>",
        if counted { "<td></td>" } else { "" },
        all.iter().map(|o| o.probability).sum::<f64>(),
        all.iter().map(|o| o.contribution).sum::<f64>()
    );
}

fn charts(out: &mut String, charts: &StrategyCharts) {
    out.push_str("<h2>Strategy by totals</h2>\n");
    let wide = if charts.columns.len() > 10 { " wide" } else { "" };
    for chart in &charts.charts {
        let _ = write!(
            out,
            "<div class=\"block\"><h3>{}</h3><p class=\"note\">{}</p><table class=\"chart{wide}\"><thead><tr><th></th>",
            escaped(&chart.chart),
            escaped(chart.legend)
        );
        for column in &charts.columns {
            let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(column));
        }
        out.push_str("</tr></thead><tbody>\n");
        for row in &chart.rows {
            let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(&row.row));
            for cell in &row.cells {
                let class = cell.action.chars().next().unwrap_or('s').to_ascii_lowercase();
                let _ = write!(out, "<td class=\"{class}\">{}</td>", escaped(&chart.shown(cell)));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
    }
}

fn rulings(out: &mut String, rulings: &[AssumedRuling]) {
    out.push_str("<h2>Rulings assumed</h2>\n<p class=\"note\">Some clauses can be read in more than one way. Listed \
        are the reading that this report assumes and what another would add to the house edge. Rulings without \
        effect at this table are omitted.</p>\n");
    let rows = rulings.iter().flat_map(|ruling| {
        ruling.others.iter().map(move |other| {
            let AssumedRuling { ruling, clause, about, assumed, .. } = ruling;
            let told = [ruling, clause, about, assumed, other.reading];
            told.map(str::to_string).into_iter().chain([changes(other)]).collect()
        })
    });
    table(
        out,
        "words",
        &["ruling", "clause", "about", "assumed", "other reading", "adds to the house edge of"],
        rows,
    );
}

fn verified(out: &mut String, verified: &Verified) {
    let _ = writeln!(
        out,
        "<h2>Verified by simulation</h2>\n<p>{} rounds from full shoes, seed {}, total-dependent play. {} of rounds \
            won.</p>",
        grouped(verified.rounds),
        verified.seed,
        percent(verified.rounds_won)
    );
    table(out, "", &VERIFIED, verified_rows(verified).into_iter());
    if let Some(told) = whole_shoes(verified) {
        let _ = writeln!(out, "<p>{}</p>", escaped(&told));
    }
    out.push_str("<h3>Net result of a round, in initial bets rounded down to halves</h3>\n<table><thead><tr><th scope=\"col\">net</th><th scope=\"col\">share</th><th scope=\"col\"></th></tr></thead><tbody>\n");
    for (net, share) in &verified.distribution {
        let _ = writeln!(
            out,
            "<tr><td>{net:?}</td><td>{}</td><td style=\"text-align:left;width:55%\"><span class=\"bar\" style=\"width:{:.2}%\"></span></td></tr>",
            chance(*share),
            200.0 * share.min(0.5)
        );
    }
    out.push_str("</tbody></table>\n");
}
