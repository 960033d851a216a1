//! Field lists in a short notation: `box hand? card~ actions[]`.
//!
//! A name has one type wherever it occurs; `?` marks an optional field, `~` a nullable one, and `[]` a list.

use super::unions::named;
use serde_json::{Map, Value, json};

/// Returns the type of a field, by its name.
fn kind(name: &str) -> Value {
    match name {
        "person" => json!({ "type": "integer", "format": "int64" }),
        "number" | "rounds" => json!({ "type": "integer", "format": "int64", "minimum": 0 }),
        "real" => json!({ "type": "number" }),
        _ => json!({ "type": "string" }),
    }
}

/// Returns the schema of an object with these fields.
///
/// `name=other` gives the field the type of the field name `other`; `name=Schema` gives it the named schema.
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
