//! The exact value of every legal action for a hand, and the best.

use crate::shoe;
use crate::{Failure, Inputs, Stamped};
use exact::assume::Assumptions;
use exact::ev::{Answer, Option_, Question, Unsolvable, ev_assuming};
use exact::stack::{Named, Stack, read_cards};
use exact::table::Attacked;
use exact::vocabulary::Rank;
use rules::Choices;
use serde_json::{Value, json};

/// A question in text: cards as people write them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EvQuery {
    pub hand: String,
    pub up: String,
    /// The second hand in Switch.
    pub hand2: String,
    /// Further cards removed from the shoe.
    pub removed: String,
    /// Whether the double attack bet has been made.
    pub attacked: bool,
}

impl EvQuery {
    pub fn answer(&self, choices: &Choices) -> Result<Answer, Failure> {
        self.answer_from(choices, shoe::stack(choices, &self.removed, "")?)
    }

    /// Returns the answer from the rest of the stack, which includes the cards of the question; from the full stack if
    /// it is `None`.
    pub fn answer_from(&self, choices: &Choices, stack: Option<Stack>) -> Result<Answer, Failure> {
        self.answer_assuming(choices, stack, &Assumptions::default())
    }

    /// Returns the answer under assumed rules.
    pub fn answer_assuming(
        &self,
        choices: &Choices,
        stack: Option<Stack>,
        assumed: &Assumptions,
    ) -> Result<Answer, Failure> {
        let cards = |flag: &str, text: &str| -> Result<Vec<Named>, Failure> {
            read_cards(text).map_err(|why| Failure::NotUnderstood(format!("--{flag}: {why}")))
        };
        let (hand, other) = (cards("hand", &self.hand)?, cards("hand2", &self.hand2)?);
        let up = cards("up", &self.up)?;
        let refused = |why: Unsolvable| Failure::Refused(why.to_string());
        let stack = stack.unwrap_or_else(|| Stack::full(choices));
        let has_suit = |card: &Named| matches!(card, Named::Card(_));
        if suits_matter(choices, &hand) && ![&hand, &other, &up].into_iter().flatten().all(has_suit) {
            return Err(Failure::Refused(
                "this table pays suited 6-7-8, so suits are required, such as \"6s 7s\"".into(),
            ));
        }
        // One after the other, so that no card is used twice.
        let all: Vec<Named> = hand.iter().chain(&other).chain(&up).copied().collect();
        let all = stack.with_suits(&all).map_err(refused)?;
        let (hand, rest) = all.split_at(hand.len());
        let (other, up) = rest.split_at(other.len());
        let attacked = if self.attacked { Attacked::Yes } else { Attacked::No };
        let question = Question { hand, other, up, removed: &[], attacked };
        ev_assuming(choices, &question, &stack, assumed).map_err(refused)
    }

    pub fn document(&self, rules: &Choices, answer: &Answer) -> Stamped<Value> {
        let of = Inputs::table(rules)
            .with("hand", self.hand.as_str())
            .with("up", self.up.as_str())
            .with("hand2", self.hand2.as_str())
            .with("removed", self.removed.as_str())
            .with("attacked", self.attacked.then_some(true));
        Stamped::new(told(answer), of)
    }
}

/// Returns whether the suits of a hand change its value: two cards of 6-7-8, if suited ones have their own odds.
fn suits_matter(choices: &Choices, hand: &[Named]) -> bool {
    let mut ranks: Vec<Rank> = hand.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let of_678 =
        ranks.len() == hand.len() && ranks.iter().all(|rank| (Rank::Six..=Rank::Eight).contains(rank));
    choices.bonus_payouts.suited_678.is_yes() && hand.len() >= 2 && of_678
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
