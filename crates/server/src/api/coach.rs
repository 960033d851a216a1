//! The coach: exact values of every lawful action, for training. It knows presets and changed tables, never the tables of
//! the house, so nobody is advised at live play.

use super::lab::{Asked, Asking, answered};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::lab::Task;
use crate::wire::{Body, Written};
use axum::extract::State;
use rules::Card;
use rules::card::{parse_cards, show_cards};
use rules::preset::preset;
use serde::Deserialize;
use serde_json::json;

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CoachQuestion {
    #[serde(flatten)]
    pub table: Asked,
    /// The hand; empty or one card asks about an attack wager.
    #[serde(default)]
    #[schema(max_length = 200, example = "As 7d")]
    pub hand: String,
    /// The second hand in Switch.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub hand2: String,
    /// The dealer's card or cards that can be seen.
    #[serde(default)]
    #[schema(max_length = 200, example = "6h")]
    pub up: String,
    /// Whether the double attack bet has been made.
    #[serde(default)]
    pub attacked: bool,
    /// Cards that have left the shoe before this round.
    #[serde(default)]
    #[schema(max_length = 1300)]
    pub removed: String,
}

/// Cards of one hand, and cards that may have left a shoe.
const LONGEST_HAND: usize = 30;
const LONGEST_SHOE: usize = 432;

/// The exact value of every lawful action, best first.
#[utoipa::path(post, path = "/api/coach", tag = "training", request_body = CoachQuestion,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn values(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CoachQuestion>,
) -> ApiResult<Written> {
    if preset(&asked.table.table).is_none() {
        return Err(ApiError::refused("live", "the coach is not available at live tables"));
    }
    let rules = asked.table.clone().lawful_rules(&app).await?;
    let cards = |what: &'static str, text: &str, most: usize| -> ApiResult<Vec<Card>> {
        if text.len() > most * 7 {
            return Err(ApiError::bad(what, "too many cards"));
        }
        let cards = parse_cards(text).map_err(|error| ApiError::bad(what, error.to_string()))?;
        match cards.len() > most {
            true => Err(ApiError::bad(what, "too many cards")),
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
        // What cannot be asked of this table is an answer too.
        Err(refused) if refused.detail.code == "no-value" => {
            Ok(Written::json(&json!({ "refused": refused.detail.message })))
        }
        answer => answer,
    }
}
