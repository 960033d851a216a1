//! The irregularities that a dealer can report, each with what has to be named and the clause that prescribes the remedy.

use super::deed::irregularity_of;
use rules::{Card, Rank, Suit};
use serde_json::{Value, json};
use table::{BoxId, Command, Table};

const CARD: &str = "card";
const BOX: &str = "box";
const NOTHING: &str = "nothing";

const NAMES: [(&str, &str); 24] = [
    ("found-face-up", CARD),
    ("exposed", CARD),
    ("drawn-unexposed", NOTHING),
    ("drew-on-standing", CARD),
    ("missed-box", BOX),
    ("missed-draw", BOX),
    ("missed-own-card", NOTHING),
    ("misdelivered", CARD),
    ("moved-forward", CARD),
    ("let-out", BOX),
    ("ten-found", CARD),
    ("wrong-side", NOTHING),
    ("reader-misused", NOTHING),
    ("reader-failed", NOTHING),
    ("up-card-not-moved", NOTHING),
    ("up-card-discarded", NOTHING),
    ("double-dealt-up", BOX),
    ("light-failed", BOX),
    ("bonus-failed", BOX),
    ("out-of-cards", NOTHING),
    ("shuffler-failed", NOTHING),
    ("shuffler-removed", NOTHING),
    ("burn-forgotten", NOTHING),
    ("seen-in-mixing", NOTHING),
];

/// All of them. The clause is the one under which the machine would follow or refuse such a report now.
pub fn remedies(table: &Table) -> Value {
    let card = Card::new(Rank::Ace, Suit::Spades);
    let clause = |name| {
        let reported = irregularity_of(name, Some(card), Some(BoxId(1)))?;
        Some(match table.decide(Command::Report(reported)) {
            Ok(event) => event.by.citation(),
            Err(refusal) => refusal.by.citation(),
        })
    };
    NAMES
        .iter()
        .filter_map(|(name, needs)| Some(json!({ "name": name, "needs": needs, "clause": clause(name)? })))
        .collect()
}
