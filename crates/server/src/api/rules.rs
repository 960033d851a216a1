//! What a table says of itself: the inscriptions of its felt, its betting areas, signs and pay tables, and its rules in
//! plain words, each with its clause. Readable by anyone, without chips and without signing in.

use crate::app::App;
use crate::error::{ApiResult, ErrorBody};
use crate::wire::Path;
use axum::Json;
use axum::extract::State;
use rules::layout::{self, Inscription};
use rules::{Choices, words};
use serde_json::{Value, json};

/// The layout, signs, pay tables and rules of a table.
#[utoipa::path(get, path = "/api/tables/{table}/rules", tag = "rules", params(("table" = u32, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn of_table(State(app): State<App>, Path(table): Path<u32>) -> ApiResult<Json<Value>> {
    let rules = app.rules_table(table)?.fixed.rules;
    let choices = rules.choices();
    let mut told = told(choices);
    if let (Some(by), Some(lines)) = (choices.text().licensee, told["inscriptions"].as_array_mut()) {
        lines.insert(0, json!({ "text": app.file.name, "clause": by.citation() }));
    }
    told["licensee"] = app.file.name.as_str().into();
    Ok(Json(told))
}

/// Everything that is written at a table with these choices.
pub fn told(choices: &Choices) -> Value {
    let paytables: Vec<Value> = choices
        .side_wagers
        .iter()
        .map(|(wager, offer)| {
            let lines: Vec<Value> = layout::posted_odds(choices, *wager)
                .into_iter()
                .map(|(hand, pays, by)| json!({ "hand": hand, "pays": pays, "clause": by.citation() }))
                .collect();
            json!({
                "wager": wager.word(), "title": layout::title(*wager), "lines": lines,
                "minimum": offer.minimum.to_string(), "maximum": offer.maximum.to_string(),
            })
        })
        .collect();
    let areas: Vec<Value> = layout::areas(choices)
        .iter()
        .map(|area| json!({ "name": area.name, "clause": area.by.citation() }))
        .collect();
    let sentences: Vec<Value> = words::in_words(choices)
        .iter()
        .map(|s| json!({ "topic": s.topic, "text": s.text, "clause": s.by.citation() }))
        .collect();
    json!({
        "name": choices.name,
        "inscriptions": lines(layout::inscriptions(choices)),
        "areas": areas,
        "signs": lines(layout::signs(choices)),
        "paytables": paytables,
        "words": sentences,
    })
}

fn lines(inscriptions: Vec<Inscription>) -> Vec<Value> {
    inscriptions.iter().map(|line| json!({ "text": line.text, "clause": line.by.citation() })).collect()
}
