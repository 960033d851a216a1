//! Renders the math report as one self-contained HTML page that prints well.

use crate::report_round;
use crate::report_text::{
    VERIFIED, break_even, chance, changes, filed, list, made_by, methods, number, percent, plain, plays,
    rule_clauses, verified_rows, wager_name, whole_shoes,
};
use serde_json::Value;
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
pub fn page(report: &Value) -> String {
    let name = escaped(&plain(&report["table"]["name"]));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
            content=\"width=device-width\">\n<title>Math report: \
            {name}</title>\n<style>{STYLE}\n{}</style></head><body>\n<header><h1>Math report: {name}</h1>\n<p \
            class=\"made\">Made by {}. House edges are fractions of the initial required bets; play is {} unless \
            stated otherwise.</p></header>\n",
        running_heads(report),
        escaped(&made_by(report)),
        escaped(&plain(&report["of"]["strategy"])),
    );
    let broken = list(&report["hypothetical"]);
    if !broken.is_empty() {
        out.push_str("<div class=\"law\"><strong>Hypothetical: no legal table.</strong><ul>");
        for finding in broken {
            let _ = write!(
                out,
                "<li>{}: {}</li>",
                escaped(&plain(&finding["clause"])),
                escaped(&plain(&finding["message"]))
            );
        }
        out.push_str("</ul></div>\n");
    }
    filing(&mut out, report);
    summary(&mut out, report);
    rules(&mut out, report);
    list(&report["wagers"]).iter().for_each(|wager| of_wager(&mut out, wager));
    charts(&mut out, &report["charts"]);
    rulings(&mut out, report);
    if !report["verified"].is_null() {
        verified(&mut out, &report["verified"]);
    }
    out.push_str("</body></html>\n");
    out
}

/// Returns the CSS of the headers and footers that are printed on every page of the report.
///
/// They show the table, the document number or date, the hash of the table file, and the page number.
fn running_heads(report: &Value) -> String {
    let filing = &report["filing"];
    let told = |label: &str, value: &Value| match value.as_str() {
        Some(value) => quoted(&format!("{label}{value}")),
        None => quoted(""),
    };
    let document = if filing["document"].is_string() { &filing["document"] } else { &filing["date"] };
    format!(
        "@page{{@top-left{{content:{};{FOOT}}}@top-right{{content:{};{FOOT}}}@bottom-left{{content:{};{FOOT}}}\
            @bottom-right{{content:\"Page \" counter(page) \" of \" counter(pages);{FOOT}}}}}",
        told("Math report: ", &report["table"]["name"]),
        told("", document),
        told("Table file ", &filing["table_sha256"]),
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

fn filing(out: &mut String, report: &Value) {
    let filed = filed(report);
    if !filed.is_empty() {
        out.push_str("<table class=\"words filing\"><tbody>\n");
        for (label, value) in filed {
            let _ = writeln!(out, "<tr><th scope=\"row\">{label}</th><td>{}</td></tr>", escaped(&value));
        }
        out.push_str("</tbody></table>\n");
    }
    out.push_str("<h2>Method and exactness</h2>\n");
    table(out, "words", &["figures", "", "how they were computed"], methods(report).map(Vec::from));
}

fn summary(out: &mut String, report: &Value) {
    out.push_str("<h2>Summary</h2>\n");
    let head =
        ["bet", "house edge", "RTP", "standard deviation", "variance", "volatility index", "hit frequency"];
    table(
        out,
        "",
        &head,
        list(&report["wagers"]).iter().map(|w| {
            let mut row = vec![wager_name(w), percent(&w["house_edge"]), percent(&w["return"])];
            row.extend(["std_dev", "variance", "volatility_index"].map(|key| number(&w[key])));
            row.push(percent(&w["hit_frequency"]));
            row
        }),
    );
    out.push_str(
        "<p class=\"note\">The volatility index is 1.645 standard deviations. The hit frequency of the main game is \
            the fraction of all hands that win.</p>\n",
    );
}

fn rules(out: &mut String, report: &Value) {
    out.push_str("<h2>Rules</h2>\n");
    let rows = list(&report["rules"]).iter();
    let rows = rows.map(|r| vec![plain(&r["key"]), plain(&r["value"]), plain(&r["about"]), rule_clauses(r)]);
    table(out, "words", &["key", "value", "meaning", "clauses"], rows);
}

fn of_wager(out: &mut String, wager: &Value) {
    let _ = write!(
        out,
        "<section class=\"wager\"><h2>{}</h2>\n<p>House edge <strong>{}</strong>",
        escaped(&wager_name(wager)),
        percent(&wager["house_edge"])
    );
    if let Some(exact) = wager["exact_edge"].as_str() {
        let _ = write!(out, ", exactly {}", escaped(exact));
    }
    if let Some(totals) = wager["by_totals"]["house_edge"].as_f64() {
        let _ = write!(out, "; with the total-dependent charts below {:.6} %", 100.0 * totals);
    }
    out.push_str(".</p>\n<div class=\"two\"><div>");
    // the main game has no ways, and its outcomes need the room
    let counted = list(&wager["outcomes"]).iter().any(|o| !o["ways"].is_null());
    let (class, ways) = if counted { ("", "<th scope=\"col\">ways</th>") } else { (" class=\"lines\"", "") };
    let _ = writeln!(
        out,
        "<table{class}><thead><tr><th scope=\"col\">outcome</th>{ways}<th scope=\"col\">probability</th><th scope=\"col\">pays</th><th scope=\"col\">contribution</th></tr></thead><tbody>"
    );
    for o in list(&wager["outcomes"]) {
        let _ = writeln!(
            out,
            "<tr><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&plain(&o["outcome"])),
            match o["ways"].as_str() {
                Some(ways) => format!("<td class=\"ways\">{}</td>", escaped(ways)),
                None if counted => "<td></td>".to_string(),
                None => String::new(),
            },
            chance(&o["probability"]),
            escaped(&plain(&o["pays"])),
            number(&o["contribution"])
        );
    }
    let sum = |key: &str| list(&wager["outcomes"]).iter().filter_map(|o| o[key].as_f64()).sum::<f64>();
    let _ = writeln!(
        out,
        "</tbody><tfoot><tr><td>sum</td>{}<td>{:.9}</td><td></td><td>{:.6}</td></tr></tfoot></table>",
        if counted { "<td></td>" } else { "" },
        sum("probability"),
        sum("contribution")
    );
    for note in plays(wager).chain(break_even(wager)).chain(list(&wager["notes"]).iter().map(plain)) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&note));
    }
    out.push_str("</div><div><h3>Actual return, 95 % confidence interval</h3>\n");
    let intervals = list(&wager["intervals"]).iter();
    let intervals = intervals.map(|i| vec![grouped(&i["rounds"]), percent(&i["low"]), percent(&i["high"])]);
    table(out, "", &["rounds", "from", "to"], intervals);
    out.push_str("</div></div>\n");
    let nets = report_round::rows(wager);
    if !nets.is_empty() {
        out.push_str("<h3>Net result of a whole round, in initial bets</h3>\n");
        table(out, "", &report_round::COLUMNS, nets.into_iter());
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&report_round::sentence(wager)));
    }
    out.push_str("</section>\n");
}

fn grouped(value: &Value) -> String {
    value.as_u64().map_or_else(|| plain(value), crate::report_text::grouped)
}

fn charts(out: &mut String, charts: &Value) {
    out.push_str("<h2>Strategy by totals</h2>\n");
    let columns = list(&charts["columns"]);
    let wide = if columns.len() > 10 { " wide" } else { "" };
    for chart in list(&charts["charts"]) {
        let _ = write!(
            out,
            "<div class=\"block\"><h3>{}</h3><p class=\"note\">{}</p><table class=\"chart{wide}\"><thead><tr><th></th>",
            escaped(&plain(&chart["chart"])),
            escaped(&plain(&chart["legend"]))
        );
        for column in columns {
            let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(&plain(column)));
        }
        out.push_str("</tr></thead><tbody>\n");
        let values = chart["chart"] == "switch";
        for row in list(&chart["rows"]) {
            let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(&plain(&row["row"])));
            for cell in list(&row["cells"]) {
                let action = plain(&cell["action"]);
                let class = action.chars().next().unwrap_or('s').to_ascii_lowercase();
                let shown =
                    if values { format!("{:.3}", cell["ev"].as_f64().unwrap_or(0.0)) } else { action };
                let _ = write!(out, "<td class=\"{class}\">{}</td>", escaped(&shown));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
    }
}

fn rulings(out: &mut String, report: &Value) {
    out.push_str("<h2>Rulings assumed</h2>\n<p class=\"note\">Some clauses can be read in more than one way. Listed \
        are the reading that this report assumes and what another would add to the house edge. Rulings without \
        effect at this table are omitted.</p>\n");
    let rows = list(&report["rulings"]).iter().flat_map(|ruling| {
        list(&ruling["others"]).iter().map(move |other| {
            let told = [
                &ruling["ruling"],
                &ruling["clause"],
                &ruling["about"],
                &ruling["assumed"],
                &other["reading"],
            ]
            .map(plain);
            told.into_iter().chain([changes(other)]).collect()
        })
    });
    table(
        out,
        "words",
        &["ruling", "clause", "about", "assumed", "other reading", "adds to the house edge of"],
        rows,
    );
}

fn verified(out: &mut String, verified: &Value) {
    let _ = writeln!(
        out,
        "<h2>Verified by simulation</h2>\n<p>{} rounds from full shoes, seed {}, total-dependent play. {} of rounds \
            won.</p>",
        grouped(&verified["rounds"]),
        plain(&verified["seed"]),
        percent(&verified["rounds_won"])
    );
    table(out, "", &VERIFIED, verified_rows(verified).into_iter());
    if let Some(told) = whole_shoes(verified) {
        let _ = writeln!(out, "<p>{}</p>", escaped(&told));
    }
    out.push_str("<h3>Net result of a round, in initial bets rounded down to halves</h3>\n<table><thead><tr><th scope=\"col\">net</th><th scope=\"col\">share</th><th scope=\"col\"></th></tr></thead><tbody>\n");
    for row in list(&verified["distribution"]) {
        let share = row[1].as_f64().unwrap_or(0.0);
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td style=\"text-align:left;width:55%\"><span class=\"bar\" style=\"width:{:.2}%\"></span></td></tr>",
            plain(&row[0]),
            chance(&row[1]),
            200.0 * share.min(0.5)
        );
    }
    out.push_str("</tbody></table>\n");
}
