//! Fields of what a house tells, in short: `box hand? card~ actions[]`. A name has one type wherever it occurs; `?` stands
//! for a field that may be missing, `~` for one that may be null, `[]` for a list.

use rules::script::Offer;
use serde_json::{Map, Value, json};
use table::event::{Announcement, Approval, Ending, When};
use table::ids::Side;
use table::shoe::Procedure;
use table::{Irregularity, Word};

/// Returns a reference to a named schema.
pub fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn words(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

/// What a field holds, by its name.
fn kind(name: &str) -> Value {
    let counted = json!({ "type": "integer", "format": "int32", "minimum": 0 });
    let whole = json!({ "type": "integer", "format": "int64", "minimum": 0 });
    match name {
        "box"
        | "hand"
        | "bettor"
        | "behind"
        | "total"
        | "spot"
        | "new"
        | "count"
        | "wins"
        | "at"
        | "table"
        | "decks"
        | "positions"
        | "bettors_per_box"
        | "boxes_per_player"
        | "taken"
        | "face_down_cards"
        | "left"
        | "discards"
        | "behind_cutting_card"
        | "withheld"
        | "spots"
        | "decisions" => counted,
        // players of a rehearsal have numbers below nothing
        "person" => json!({ "type": "integer", "format": "int64" }),
        "round" | "number" | "version" | "deadline_ms" | "grace_ms" | "waited_ms" | "seq" => whole,
        "seated" | "taken_card" | "burned" | "blackjack" | "face_down" | "placed" | "whole"
        | "even_money" | "soft" | "collected" | "consent" | "caller" | "answered" | "hole"
        | "cutting_card_out" | "attended" | "training" | "takes_shares" | "double_face_down"
        | "rehearsal" | "flag" | "revealed" => {
            json!({ "type": "boolean" })
        }
        "amount" | "net" | "meter" | "most" | "cost" | "insurance" | "attack" | "double" | "minimum"
        | "maximum" | "chip" | "won" | "balance" => named("Money"),
        "amounts" | "main" | "base" | "bets" => json!({ "type": "array", "items": named("Money") }),
        "side" => json!({ "type": "object", "additionalProperties": named("Money") }),
        "card" | "was" | "exposed" => named("Card"),
        "cards" => json!({ "type": "array", "items": named("Card") }),
        "to" => named("Place"),
        "step" => words(Procedure::WORDS),
        "words" => words(Announcement::WORDS),
        "offer" => words(Offer::WORDS),
        "result" => words(Ending::WORDS),
        "when" => words(When::WORDS),
        "drawn_from" | "deals" => words(Side::WORDS),
        "irregularity" => words(Irregularity::WORDS),
        "approval" => words(Approval::WORDS),
        "time" => named("Time"),
        "real" => json!({ "type": "number" }),
        _ => json!({ "type": "string" }),
    }
}

/// Returns the schema of an object with these fields. `name=kind` gives a field the type that another name has, or
/// `name=Schema` a schema by its name.
pub fn object(description: &str, fields: &str) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields.split_whitespace() {
        let bare = field.trim_end_matches(['?', '~']);
        let marks = &field[bare.len()..];
        let (optional, nullable) = (marks.contains('?'), marks.contains('~'));
        let (bare, many) = bare.strip_suffix("[]").map_or((bare, false), |bare| (bare, true));
        let (name, told) = bare.split_once('=').unwrap_or((bare, bare));
        let mut schema = match told.starts_with(char::is_uppercase) {
            true => named(told),
            false => kind(told),
        };
        if many {
            schema = json!({ "type": "array", "items": schema });
        }
        if nullable {
            schema = json!({ "oneOf": [schema, { "type": "null" }] });
        }
        properties.insert(name.to_owned(), schema);
        if !optional {
            required.push(name);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !description.is_empty() {
        schema["description"] = json!(description);
    }
    schema
}

/// Converts a word to a schema name: `no-more-bets` becomes `NoMoreBets`.
pub fn title(word: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    word.split(['-', '_', ' ']).map(capital).collect()
}

/// Adds a union of object kinds that one word distinguishes: each under a name of its own, and the union under
/// `name`.
pub fn one_of(schemas: &mut Map<String, Value>, name: &str, by: &str, kinds: Vec<(String, Value)>) {
    let (mut refs, mut mapping) = (Vec::new(), Map::new());
    for (word, mut schema) in kinds {
        let own = format!("{name}{}", title(&word));
        schema["properties"][by] = json!({ "type": "string", "const": word });
        match schema["required"].as_array_mut() {
            Some(required) if required.contains(&json!(by)) => {}
            Some(required) => required.insert(0, json!(by)),
            None => schema["required"] = json!([by]),
        }
        refs.push(named(&own));
        mapping.insert(word, json!(format!("#/components/schemas/{own}")));
        schemas.insert(own, schema);
    }
    let all = json!({ "oneOf": refs, "discriminator": { "propertyName": by, "mapping": mapping } });
    schemas.insert(name.to_owned(), all);
}
