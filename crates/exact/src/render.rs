//! Renders strategy charts as text, HTML, SVG and JSON.

use crate::strategy::{ChartBox, Charts, Section};
use std::fmt::Write;

impl Charts {
    /// Renders the charts as plain text, one below the other.
    pub fn to_text(&self) -> String {
        let mut out = format!("{} ({})\n", self.table, self.strategy);
        for section in &self.sections {
            let _ = write!(out, "\n{}: {}\n{:>9}", section.title, section.legend, "");
            let wide = width(section);
            self.columns.iter().for_each(|c| {
                let _ = write!(out, " {c:>wide$}");
            });
            out.push('\n');
            for row in &section.rows {
                let _ = write!(out, "{:>9}", row.label);
                row.boxes.iter().for_each(|b| {
                    let _ = write!(out, " {:>wide$}", shown(section, b));
                });
                out.push('\n');
            }
            for row in &section.rows {
                for (column, b) in self.columns.iter().zip(&row.boxes) {
                    if !b.exceptions.is_empty() {
                        let _ = writeln!(out, "  {} v {column}: but {}", row.label, b.exceptions.join(", "));
                    }
                }
            }
        }
        out
    }

    /// Renders the charts as a self-contained HTML page, without scripts.
    pub fn to_html(&self) -> String {
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\n<style>{STYLE}</style>\n<h1>{0}</h1>\n<p>{1}</p>\n",
            escaped(&self.table),
            escaped(self.strategy)
        );
        for section in &self.sections {
            let _ = write!(
                out,
                "<h2>{}</h2>\n<p>{}</p>\n<table><thead><tr><th></th>",
                section.title,
                escaped(section.legend)
            );
            self.columns.iter().for_each(|c| {
                let _ = write!(out, "<th scope=\"col\">{c}</th>");
            });
            out.push_str("</tr></thead><tbody>\n");
            for row in &section.rows {
                let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(&row.label));
                for b in &row.boxes {
                    let (class, text) = (class(b), shown(section, b));
                    let _ =
                        write!(out, "<td class=\"{class}\" title=\"{}\">{text}</td>", escaped(&tooltip(b)));
                }
                out.push_str("</tr>\n");
            }
            out.push_str("</tbody></table>\n");
        }
        out.push_str("</html>\n");
        out
    }

    /// Renders all charts as one SVG drawing.
    pub fn to_svg(&self) -> String {
        const CELL: usize = 46;
        const LINE: usize = 22;
        let wide = 110 + CELL * self.columns.len();
        let height: usize = 40 + self.sections.iter().map(|s| LINE * (s.rows.len() + 3)).sum::<usize>();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{0}</title>\n<text x=\"10\" y=\"22\" font-size=\"16\">{0}</text>\n",
            escaped(&self.table)
        );
        let mut y = 40;
        for section in &self.sections {
            y += LINE;
            let _ = writeln!(out, "<text x=\"10\" y=\"{y}\" font-weight=\"bold\">{}</text>", section.title);
            self.columns.iter().enumerate().for_each(|(i, c)| {
                let x = 100 + CELL * i + CELL / 2;
                let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{c}</text>");
            });
            y += 6;
            for row in &section.rows {
                let base = y + 15;
                let _ = writeln!(
                    out,
                    "<text x=\"90\" y=\"{base}\" text-anchor=\"end\">{}</text>",
                    escaped(&row.label)
                );
                for (i, b) in row.boxes.iter().enumerate() {
                    let (x, fill) = (100 + CELL * i, colour(b));
                    let middle = x + CELL / 2;
                    let _ = writeln!(
                        out,
                        "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{LINE}\" fill=\"{fill}\" stroke=\"#fff\"/><text x=\"{middle}\" y=\"{base}\" text-anchor=\"middle\">{}</text></g>",
                        escaped(&tooltip(b)),
                        shown(section, b)
                    );
                }
                y += LINE;
            }
            y += LINE;
        }
        out.push_str("</svg>\n");
        out
    }

    /// Renders the charts as one JSON document.
    pub fn to_json(&self) -> String {
        let strings = |texts: &[String]| texts.iter().map(|t| quoted(t)).collect::<Vec<_>>().join(",");
        let mut sections = Vec::new();
        for section in &self.sections {
            let mut rows = Vec::new();
            for row in &section.rows {
                let boxes: Vec<String> = row
                    .boxes
                    .iter()
                    .map(|b| {
                        let second = b.second.as_deref().map_or("null".to_string(), quoted);
                        let (action, ev, loss) = (quoted(&b.action), number(b.ev), number(b.loss));
                        let but = strings(&b.exceptions);
                        format!("{{\"action\":{action},\"ev\":{ev},\"second\":{second},\"loss\":{loss},\"exceptions\":[{but}]}}")
                    })
                    .collect();
                rows.push(format!("{{\"row\":{},\"cells\":[{}]}}", quoted(&row.label), boxes.join(",")));
            }
            let (title, legend) = (quoted(&section.title), quoted(section.legend));
            sections.push(format!("{{\"chart\":{title},\"legend\":{legend},\"rows\":[{}]}}", rows.join(",")));
        }
        let (table, play, columns) = (quoted(&self.table), quoted(self.strategy), strings(&self.columns));
        let even_money = self.even_money.map_or(String::new(), |yes| format!("\"even_money\":{yes},"));
        format!(
            "{{\"table\":{table},\"strategy\":{play},{even_money}\"columns\":[{columns}],\"charts\":[{}]}}\n",
            sections.join(",")
        )
    }
}

const STYLE: &str = "body{font-family:sans-serif}table{border-collapse:collapse}td,th{border:1px solid #999;padding:2px 7px;text-align:center}.s{background:#f6d55c}.h{background:#fff}.d{background:#8ecae6}.p{background:#b7e4c7}.r{background:#f4acb7}.y{background:#b7e4c7}.n{background:#eee}";

/// Returns the text of a cell: the action, or its value in a chart of values.
fn shown(section: &Section, b: &ChartBox) -> String {
    let mark = if b.exceptions.is_empty() { "" } else { "*" };
    if section.title == "switch" { format!("{:.3}", b.ev) } else { format!("{}{mark}", b.action) }
}

fn width(section: &Section) -> usize {
    section.rows.iter().flat_map(|r| &r.boxes).map(|b| shown(section, b).len()).max().unwrap_or(2).max(2)
}

fn tooltip(b: &ChartBox) -> String {
    let mut text = format!("{} {:.5}", b.action, b.ev);
    if let Some(second) = &b.second {
        let _ = write!(text, "; {second} loses {:.5}", b.loss);
    }
    if !b.exceptions.is_empty() {
        let _ = write!(text, "; but {}", b.exceptions.join(", "));
    }
    text
}

fn class(b: &ChartBox) -> char {
    b.action.chars().next().unwrap_or('s').to_ascii_lowercase()
}

fn colour(b: &ChartBox) -> &'static str {
    match class(b) {
        's' => "#f6d55c",
        'd' => "#8ecae6",
        'p' | 'y' => "#b7e4c7",
        'r' => "#f4acb7",
        _ => "#eeeeee",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "null".to_string() }
}
