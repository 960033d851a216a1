//! Simulates a dealer with a shoe of real cards; a crash of the house does not change these cards.

use crate::dice::Dice;
use serde_json::{Value, json};

const RANKS: &str = "23456789TJQKA";
const SUITS: &str = "shdc";

#[derive(Clone, Debug, Default)]
pub struct Shoe {
    /// The cards as text, such as `As`, with the next card at the end.
    cards: Vec<String>,
}

impl Shoe {
    fn shuffled(decks: u64, dice: &mut Dice) -> Shoe {
        let deck = || RANKS.chars().flat_map(|rank| SUITS.chars().map(move |suit| format!("{rank}{suit}")));
        let mut cards: Vec<String> = (0..decks).flat_map(|_| deck()).collect();
        dice.shuffle(&mut cards);
        Shoe { cards }
    }

    /// Puts the card of an action back on top of the shoe, because the house refused the action.
    pub fn put_back(&mut self, action: &Value) {
        if let (Some("card" | "correct"), Some(card)) = (action["do"].as_str(), action["card"].as_str()) {
            self.cards.push(card.to_owned());
        }
    }

    /// Returns the dealer's next request to the house, given the dealer's view of the table.
    ///
    /// Returns `None` if the table awaits nothing from the dealer.
    pub fn deal(&mut self, seen: &Value, dice: &mut Dice) -> Option<Value> {
        let (view, awaiting) = (&seen["view"], &seen["view"]["awaiting"]);
        // Now and then the last card was entered wrongly.
        if dice.one_in(40) && view["last_card"]["card"].is_string() {
            return Some(json!({ "do": "correct", "card": self.cards.pop()? }));
        }
        match awaiting["what"].as_str()? {
            "procedure" => {
                let step = awaiting["step"].as_str()?;
                let mut action = json!({ "do": "perform", "step": step });
                match step {
                    "shuffle" => {
                        *self = Shoe::shuffled(seen["card"]["decks"].as_u64().unwrap_or(8), dice);
                    }
                    "cut" => action["number"] = (50 + dice.below(100)).into(),
                    "place-cutting-card" => action["number"] = (80 + dice.below(60)).into(),
                    "burn" => drop(self.cards.pop()),
                    _ => {}
                }
                Some(action)
            }
            "wagers" if awaiting["placed"] == true => {
                Some(json!({ "do": if dice.one_in(12) { "call-floor" } else { "close-wagers" } }))
            }
            "card" => Some(json!({ "do": "card", "card": self.cards.pop()? })),
            "reader" => Some(json!({ "do": "reader", "blackjack": false })),
            _ => None,
        }
    }
}
