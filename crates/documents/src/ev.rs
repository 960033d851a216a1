//! The exact value of every legal action for a hand, and the best.

use crate::{Failure, Of, Stamped};
use exact::ev::{Answer, Option_, Question, ev};
use exact::table::Attacked;
use rules::card::parse_cards;
use rules::{Card, Rules};
use serde_json::{Value, json};

/// A question in words: cards as people write them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    pub hand: String,
    pub up: String,
    /// The second hand in Switch.
    pub hand2: String,
    /// Further cards that are gone from the shoe.
    pub removed: String,
    /// A double attack wager stands.
    pub attacked: bool,
}

impl Asked {
    pub fn answer(&self, rules: &Rules) -> Result<Answer, Failure> {
        let cards = |flag: &str, text: &str| -> Result<Vec<Card>, Failure> {
            parse_cards(text).map_err(|error| Failure::NotUnderstood(format!("--{flag}: {error}")))
        };
        let (hand, other) = (cards("hand", &self.hand)?, cards("hand2", &self.hand2)?);
        let (up, removed) = (cards("up", &self.up)?, cards("removed", &self.removed)?);
        let question = Question {
            hand: &hand,
            other: &other,
            up: &up,
            removed: &removed,
            attacked: if self.attacked { Attacked::Yes } else { Attacked::No },
        };
        ev(rules, &question).map_err(|refused| Failure::Refused(refused.to_string()))
    }

    pub fn document(&self, rules: &Rules, answer: &Answer) -> Stamped<Value> {
        let of = Of::table(rules)
            .with("hand", self.hand.as_str())
            .with("up", self.up.as_str())
            .with("hand2", self.hand2.as_str())
            .with("removed", self.removed.as_str())
            .with("attacked", self.attacked.then_some(true));
        Stamped::new(told(answer), of)
    }
}

fn actions_json(actions: &[Option_]) -> Vec<Value> {
    actions.iter().map(|action| json!({ "action": action.action, "ev": action.ev })).collect()
}

fn told(answer: &Answer) -> Value {
    let best = answer.switch.first().or(answer.attack.first()).or(answer.actions.first());
    let mut document = json!({
        "actions": actions_json(&answer.actions),
        "best": best.map(|action| action.action),
        "dealer_blackjack": answer.dealer_blackjack,
    });
    for (key, actions) in
        [("other_actions", &answer.other_actions), ("switch", &answer.switch), ("attack", &answer.attack)]
    {
        if !actions.is_empty() {
            document[key] = actions_json(actions).into();
        }
    }
    if let Some(value) = answer.insurance {
        document["insurance"] = json!(value);
    }
    if let Some(value) = answer.even_money {
        document["even_money"] = json!(value);
    }
    document
}
