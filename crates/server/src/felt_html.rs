//! What the page of a table shows before its modules arrive: the felt with its printed words.
//!
//! The words are the largest text of that page. Without them in the HTML they would wait for every module of the
//! table. `felt/print.js` places them, before and after the table's modules draw the felt.

use crate::api::rules::inscriptions_of;
use crate::app::App;
use rules::{Choices, Rules};
use std::fmt::Write as _;

/// Returns the felt of the table at this path as HTML, or `None` if the path is not that of a table.
///
/// The HTML of a solo table says nothing about its player: it depends on the number of the copied table only.
pub fn felt(app: &App, path: &str) -> Option<String> {
    let number = path.strip_prefix("table/")?.parse().ok()?;
    let rules = app.rules_table(number).ok()?.fixed.rules;
    let solo = crate::house_file::solo_of(number).is_some() || rules.choices().positions == 1;
    let mut lines: Vec<String> = inscriptions_of(app, &rules).into_iter().map(|line| line.text).collect();
    // Insurance is printed last, on a band of its own.
    lines.sort_by_key(|line| line.starts_with("Insurance"));
    Some(drawn(&rules, solo, &lines))
}

/// Returns the elements that `felt/felt.js` draws for an empty felt, as far as they keep its rows in their places.
fn drawn(rules: &Rules, solo: bool, lines: &[String]) -> String {
    let choices = rules.choices();
    let several = if choices.dealer_hands() > 1 { " columns" } else { "" };
    let (single, boxes) = if solo { (" solo", 1) } else { ("", choices.positions) };
    let mut html = format!(
        "<div class=\"table-page first-view\"><div class=\"table-main\"><div class=\"table-head\">\
         <h1>&nbsp;</h1><span class=\"quiet\">&nbsp;</span></div>\
         <section class=\"felt game-{}{single}{several}\" data-hands=\"few\" data-boxes=\"0\">\
         <div class=\"dealer\"><div class=\"dealer-hand\"><div class=\"cards\"></div></div></div>\
         <svg class=\"print inscriptions\"><path class=\"band\"/>",
        choices.text().game
    );
    for at in 0..lines.len() {
        let _ = write!(html, "<path id=\"arc-{at}\" class=\"arc\"/>");
    }
    for (at, line) in lines.iter().enumerate() {
        let first = if at == 0 { " first" } else { "" };
        let line = escaped(line);
        let _ = write!(
            html,
            "<text class=\"inscription{first}\" text-anchor=\"middle\" lang=\"en\">\
             <textPath href=\"#arc-{at}\" startOffset=\"50%\">{line}</textPath></text>"
        );
    }
    let _ = write!(html, "</svg><div class=\"boxes{}\">", if solo { " single" } else { "" });
    let areas = if solo { areas(choices) } else { String::new() };
    for _ in 0..boxes {
        let _ = write!(
            html,
            "<div class=\"box\"><div class=\"hands\"></div><div class=\"box-areas\">{areas}</div></div>"
        );
    }
    html.push_str(
        "</div></section><div class=\"bar\"><div class=\"say\"></div><div class=\"controls\"></div></div>",
    );
    html.push_str("</div></div>");
    html
}

/// Returns the betting areas of a box, by whose number a table for one sizes its cards.
fn areas(choices: &Choices) -> String {
    let main = "<span class=\"area main\"></span>".repeat(choices.dealer_hands());
    let side = "<span class=\"area side\"></span>".repeat(choices.side_wagers.len());
    format!("<div class=\"areas\">{main}{side}</div>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
