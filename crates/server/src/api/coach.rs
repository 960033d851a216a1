//! The coach: exact values of every legal action, for training.
//!
//! The coach accepts presets, changed or not, but never the tables of the house, so that nobody gets advice on
//! live play.

use super::lab::{Asking, TableQuery, answered};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody, ErrorDetail, unknown_card};
use crate::lab::Task;
use crate::lab::answers::ActionValues;
use crate::wire::{Body, Written};
use axum::extract::State;
use axum::http::StatusCode;
use rules::Card;
use rules::card::{parse_cards, show_cards};
use rules::message;
use rules::preset::preset;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A hand and an upcard for which the coach values the actions.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CoachQuestion {
    #[serde(flatten)]
    pub table: TableQuery,
    /// The cards of the hand. With no card or one card, the question is about an attack bet.
    #[serde(default)]
    #[schema(max_length = 200, example = "As 7d")]
    pub hand: String,
    /// The cards of the box's second hand at a Switch table, otherwise empty.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub hand2: String,
    /// The dealer's visible cards.
    #[serde(default)]
    #[schema(max_length = 200, example = "6h")]
    pub up: String,
    /// Whether the attack bet has been made.
    #[serde(default)]
    pub attacked: bool,
    /// The cards that left the shoe before this round.
    #[serde(default)]
    #[schema(max_length = 1300)]
    pub removed: String,
}

/// The exact EV of every legal action, best first, or the reason why the actions have no values.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
pub enum CoachAnswer {
    #[expect(dead_code, reason = "the lab's answer is passed on unchanged")]
    Values(ActionValues),
    Refused(NoValues),
}

/// The reason why the actions have no values.
#[derive(Serialize, utoipa::ToSchema)]
pub struct NoValues {
    /// The reason, in one sentence.
    refused: String,
    /// The code of the reason, for programs.
    code: String,
    /// The parameters of the sentence, such as an amount, keyed by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, String>,
}

/// Maximum number of cards in a hand.
const LONGEST_HAND: usize = 30;
const LONGEST_SHOE: usize = 432;

/// Returns the exact value of every legal action, best first.
#[utoipa::path(post, path = "/api/coach", tag = "training", request_body = CoachQuestion,
    responses((status = 200, body = CoachAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn values(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CoachQuestion>,
) -> ApiResult<Written> {
    if preset(&asked.table.table).is_none() {
        return Err(ApiError::refused(message!(
            "no-coach-at-live-tables",
            "the coach is not available at live tables"
        )));
    }
    let rules = asked.table.clone().lawful_rules(&app).await?;
    let too_many = message!("too-many-cards", "too many cards");
    let cards = |what: &'static str, text: &str, most: usize| -> ApiResult<Vec<Card>> {
        if text.len() > most * 7 {
            return Err(ApiError::bad(what, too_many));
        }
        let cards = parse_cards(text).map_err(|error| ApiError::bad(what, unknown_card(&error.0)))?;
        match cards.len() > most {
            true => Err(ApiError::bad(what, too_many)),
            false => Ok(cards),
        }
    };
    let (hand, other) =
        (cards("hand", &asked.hand, LONGEST_HAND)?, cards("hand2", &asked.hand2, LONGEST_HAND)?);
    let (up, removed) =
        (cards("up", &asked.up, LONGEST_HAND)?, cards("removed", &asked.removed, LONGEST_SHOE)?);
    let task = Task::Values {
        table: Task::table(&rules),
        hand: show_cards(&hand),
        other: show_cards(&other),
        up: show_cards(&up),
        removed: show_cards(&removed),
        attacked: asked.attacked,
    };
    match answered(&app, asking, "application/json", task).await {
        // A question that does not apply to this table is answered with the reason.
        Err(refused) if refused.status == StatusCode::CONFLICT => {
            let ErrorDetail { code, message: refused, params, .. } = *refused.detail;
            Ok(Written::json(&CoachAnswer::Refused(NoValues { refused, code, params })))
        }
        answer => answer,
    }
}
