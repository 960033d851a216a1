//! The posted rules of a table: its layout, betting areas, signs and paytables, and its rules in plain words.
//!
//! Each item cites its clause. Anyone may read the rules, without chips or a session.

use crate::app::App;
use crate::error::{ApiResult, ErrorBody};
use crate::wire::{MessageParams, Money, Path, PostedRule};
use axum::Json;
use axum::extract::State;
use rules::layout::{self, Inscription};
use rules::{Choices, Clause, words};
use serde::Serialize;

/// What a table displays: layout, betting areas, signs, paytables and rules in plain words.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TableRules {
    /// The name of the table.
    name: String,
    /// The inscriptions that the layout must have.
    inscriptions: Vec<WrittenLine>,
    /// The betting areas of the layout.
    areas: Vec<BettingArea>,
    /// The signs that must be posted.
    signs: Vec<WrittenLine>,
    /// The paytables of the side bets that are offered.
    paytables: Vec<PayTable>,
    /// The rules of the table in plain words.
    words: Vec<RuleSentence>,
    /// The name of the house that posts the rules, or absent if no house posts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    licensee: Option<String>,
}

/// A line of text on a layout or sign, and its clause.
#[derive(Serialize, utoipa::ToSchema)]
pub struct WrittenLine {
    /// The text of the line.
    text: String,
    /// The code of the line, for programs, or absent for the name of the house.
    ///
    /// Every sentence has its own code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
    /// The parameters of the sentence, for its translation into another language.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    params: Option<MessageParams>,
    /// The clause that requires the line.
    clause: &'static str,
}

/// A betting area of a layout.
#[derive(Serialize, utoipa::ToSchema)]
pub struct BettingArea {
    /// The name of the betting area.
    name: &'static str,
    /// The clause that requires the area.
    clause: &'static str,
}

/// The paytable of a side bet that the table offers.
#[derive(Serialize, utoipa::ToSchema)]
pub struct PayTable {
    /// The key of the side bet.
    wager: &'static str,
    /// The title of the side bet, as the layout shows it.
    title: &'static str,
    /// The lines of the paytable.
    lines: Vec<PayLine>,
    /// The minimum amount of the side bet.
    minimum: Money,
    /// The maximum amount of the side bet.
    maximum: Money,
}

/// A line of a paytable: a combination and the odds at which it pays.
#[derive(Serialize, utoipa::ToSchema)]
pub struct PayLine {
    /// The combination, in words.
    hand: String,
    /// The odds at which the combination pays, such as `40 to 1`.
    pays: String,
    /// The clause that sets the odds of this line.
    clause: &'static str,
}

/// A rule of a table in plain words.
#[derive(Serialize, utoipa::ToSchema)]
pub struct RuleSentence {
    /// The topic of the rule.
    topic: &'static str,
    #[serde(flatten)]
    rule: PostedRule,
    /// The clause that states this rule.
    clause: &'static str,
}

/// Returns the layout, signs, paytables and rules of a table.
#[utoipa::path(get, path = "/api/tables/{table}/rules", tag = "rules", params(("table" = u32, Path)),
    responses((status = 200, body = TableRules), (status = 404, body = ErrorBody)))]
pub async fn of_table(State(app): State<App>, Path(table): Path<u32>) -> ApiResult<Json<TableRules>> {
    let rules = app.rules_table(table)?.fixed.rules;
    let choices = rules.choices();
    let mut posted = posted_at(choices);
    if let Some(by) = choices.text().licensee {
        let line =
            WrittenLine { text: app.file.name.clone(), code: None, params: None, clause: by.citation() };
        posted.inscriptions.insert(0, line);
    }
    posted.licensee = Some(app.file.name.clone());
    Ok(Json(posted))
}

/// Returns everything that a table with these options must post.
pub fn posted_at(choices: &Choices) -> TableRules {
    let pays = |(hand, pays, by): (String, String, Clause)| PayLine { hand, pays, clause: by.citation() };
    let paytables = choices.side_wagers.iter().map(|(wager, offer)| PayTable {
        wager: wager.word(),
        title: layout::title(*wager),
        lines: layout::posted_odds(choices, *wager).into_iter().map(pays).collect(),
        minimum: Money(offer.minimum),
        maximum: Money(offer.maximum),
    });
    let sentence = |sentence: &words::Sentence| RuleSentence {
        topic: sentence.topic,
        rule: PostedRule::from(&sentence.text),
        clause: sentence.by.citation(),
    };
    let areas = layout::areas(choices);
    let areas = areas.iter().map(|area| BettingArea { name: area.name, clause: area.by.citation() });
    TableRules {
        name: choices.name.clone(),
        inscriptions: lines(layout::inscriptions(choices)),
        areas: areas.collect(),
        signs: lines(layout::signs(choices)),
        paytables: paytables.collect(),
        words: words::in_words(choices).iter().map(sentence).collect(),
        licensee: None,
    }
}

fn lines(inscriptions: Vec<Inscription>) -> Vec<WrittenLine> {
    let line = |line: Inscription| {
        let PostedRule { text, code, params } = PostedRule::from(&line.text);
        WrittenLine { text, code: Some(code), params: Some(params), clause: line.by.citation() }
    };
    inscriptions.into_iter().map(line).collect()
}
