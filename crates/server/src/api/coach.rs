//! The coach: exact values of every lawful action, for training. It knows presets and changed tables, never the tables of
//! the house, so nobody is advised at live play.

use super::lab::{Asked, key, worked_out};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use exact::ev::{Answer, Option_, Question, ev};
use exact::table::Attacked;
use rules::Card;
use rules::card::{parse_cards, show_cards};
use rules::preset::preset;
use serde::Deserialize;
use serde_json::{Value, json};

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
    /// A double attack wager stands.
    #[serde(default)]
    pub attacked: bool,
}

/// The exact value of every lawful action, best first.
#[utoipa::path(post, path = "/api/coach", tag = "training", request_body = CoachQuestion,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn values(
    State(app): State<App>,
    Body(asked): Body<CoachQuestion>,
) -> ApiResult<impl IntoResponse> {
    if preset(&asked.table.table).is_none() {
        return Err(ApiError::refused("live", "nobody is advised at a table of the house"));
    }
    let rules = asked.table.clone().lawful_rules(&app).await?;
    let cards = |what: &'static str, text: &str| -> ApiResult<Vec<Card>> {
        if text.len() > 200 {
            return Err(ApiError::bad(what, "these are too many cards"));
        }
        let cards = parse_cards(text).map_err(|error| ApiError::bad(what, error.to_string()))?;
        match cards.len() > 30 {
            true => Err(ApiError::bad(what, "these are too many cards")),
            false => Ok(cards),
        }
    };
    let (hand, other, up) =
        (cards("hand", &asked.hand)?, cards("hand2", &asked.hand2)?, cards("up", &asked.up)?);
    let question = format!(
        "coach {} / {} / {} / {}",
        show_cards(&hand),
        show_cards(&other),
        show_cards(&up),
        asked.attacked
    );
    let answer = worked_out(key(&question, &rules), move || {
        let question = Question {
            hand: &hand,
            other: &other,
            up: &up,
            removed: &[],
            attacked: if asked.attacked { Attacked::Yes } else { Attacked::No },
        };
        match ev(&rules, &question) {
            Ok(answer) => document(&answer).to_string(),
            Err(refused) => json!({ "refused": refused.to_string() }).to_string(),
        }
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], answer.to_string()))
}

fn options(actions: &[Option_]) -> Vec<Value> {
    actions.iter().map(|action| json!({ "action": action.action, "ev": action.ev })).collect()
}

fn document(answer: &Answer) -> Value {
    json!({
        "actions": options(&answer.actions), "other_actions": options(&answer.other_actions),
        "switch": options(&answer.switch), "attack": options(&answer.attack),
        "insurance": answer.insurance, "even_money": answer.even_money,
        "dealer_blackjack": answer.dealer_blackjack,
    })
}
