//! Computes the exact value of every legal action on a hand, and the best action.

use crate::shoe::{self, CardsLeft};
use crate::stamp::text;
use crate::subject::Violations;
use crate::{Failure, Inputs, Stamped};
use exact::assume::Assumptions;
use exact::ev::{ActionEv, Answer, Question, Unsolvable, ev_assuming};
use exact::stack::{Named, Stack, read_cards};
use exact::table::Attacked;
use exact::vocabulary::Rank;
use rules::{Choices, message};
use serde::Serialize;
use utoipa::ToSchema;

/// A question about the value of a hand, with cards as people write them, such as `Ts 6d`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EvQuery {
    pub hand: String,
    pub up: String,
    /// The cards of the player's second hand in Switch, or an empty string in other games.
    pub hand2: String,
    /// The cards removed from the shoe in addition to those of the question; an empty string if there are none.
    pub removed: String,
    /// Whether the player has already made the double attack bet.
    pub attacked: bool,
}

impl EvQuery {
    pub fn answer(&self, choices: &Choices) -> Result<Answer, Failure> {
        self.answer_from(choices, shoe::stack(choices, &self.removed, "")?)
    }

    /// Returns the value of each legal action on the hand, dealt from `stack`, or from a full shoe for `None`.
    ///
    /// `stack` still includes the cards of the question: the hand or hands and the upcard.
    pub fn answer_from(&self, choices: &Choices, stack: Option<Stack>) -> Result<Answer, Failure> {
        self.answer_assuming(choices, stack, &Assumptions::default())
    }

    /// Returns the value of each legal action on the hand under assumed rules.
    ///
    /// `stack` is as in [`EvQuery::answer_from`]. Returns an error if the cards cannot be parsed, or if the table
    /// does not have these cards or this decision.
    pub fn answer_assuming(
        &self,
        choices: &Choices,
        stack: Option<Stack>,
        assumed: &Assumptions,
    ) -> Result<Answer, Failure> {
        let cards = |flag: &str, text: &str| -> Result<Vec<Named>, Failure> {
            read_cards(text).map_err(|why| shoe::not_understood(flag, why))
        };
        let (hand, other) = (cards("hand", &self.hand)?, cards("hand2", &self.hand2)?);
        let up = cards("up", &self.up)?;
        let refused = |why: Unsolvable| Failure::RefusedFor(why.0);
        let stack = stack.unwrap_or_else(|| Stack::full(choices));
        let has_suit = |card: &Named| matches!(card, Named::Card(_));
        if suits_matter(choices, &hand) && ![&hand, &other, &up].into_iter().flatten().all(has_suit) {
            let why = message!(
                "suits-needed",
                "this table pays suited 6-7-8, so suits are required, such as \"6s 7s\""
            );
            return Err(Failure::RefusedFor(why.into()));
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

    /// Returns the document of the values that `answer` has for the hand.
    ///
    /// `left` has the cards left in the shoe, or is `None` if the shoe is full.
    pub fn document(&self, rules: &Choices, answer: &Answer, left: Option<&Stack>) -> Stamped<HandValues> {
        let of = Inputs {
            hand: text(&self.hand),
            up: text(&self.up),
            hand2: text(&self.hand2),
            removed: text(&self.removed),
            attacked: self.attacked.then_some(true),
            ..Inputs::table(rules)
        };
        Stamped::new(values_of(answer, left), of)
    }
}

/// Returns whether the suits of a hand can change the value of the hand.
///
/// Suits matter to two or more cards of 6-7-8 if the table pays more for a suited 6-7-8.
fn suits_matter(choices: &Choices, hand: &[Named]) -> bool {
    let mut ranks: Vec<Rank> = hand.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let of_678 =
        ranks.len() == hand.len() && ranks.iter().all(|rank| (Rank::Six..=Rank::Eight).contains(rank));
    choices.bonus_payouts.suited_678.is_yes() && hand.len() >= 2 && of_678
}

/// The expected net win of every option at one decision, in initial bets.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct HandValues {
    /// The legal actions on the hand, best first.
    pub actions: Vec<ActionValue>,
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The options for the attack bet to be decided, best first; absent if there is no attack bet to decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attack: Vec<ActionValue>,
    /// The best option of the decision that the player makes first; null if there is nothing to decide.
    #[schema(required)]
    pub best: Option<&'static str>,
    /// The probability that the dealer has a blackjack.
    pub dealer_blackjack: f64,
    /// The expected net win of taking even money; absent if it is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub even_money: Option<f64>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The expected net win per unit of insurance; absent if insurance is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<f64>,
    /// The legal actions on the second hand in Switch, best first; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_actions: Vec<ActionValue>,
    /// Map from ranks to numbers of cards left; absent if the shoe is full.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, u16>>, nullable = false)]
    pub shoe: Option<CardsLeft>,
    /// The values of keeping and of switching in Switch, best first; absent if there is no switch to decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switch: Vec<ActionValue>,
}

/// An action or other option, with its expected net win.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct ActionValue {
    /// The name of the action as in a round file, such as `hit`.
    pub action: &'static str,
    /// The expected net win, in units of the initial bet.
    pub ev: f64,
}

fn valued(actions: &[ActionEv]) -> Vec<ActionValue> {
    actions.iter().map(|action| ActionValue { action: action.action, ev: action.ev }).collect()
}

fn values_of(answer: &Answer, left: Option<&Stack>) -> HandValues {
    let best = answer.switch.first().or(answer.attack.first()).or(answer.actions.first());
    HandValues {
        actions: valued(&answer.actions),
        assumed: None,
        attack: valued(&answer.attack),
        best: best.map(|action| action.action),
        dealer_blackjack: answer.dealer_blackjack,
        even_money: answer.even_money,
        hypothetical: None,
        insurance: answer.insurance,
        other_actions: valued(&answer.other_actions),
        shoe: left.map(shoe::cards_left),
        switch: valued(&answer.switch),
    }
}
