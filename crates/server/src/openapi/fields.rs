//! Field lists in a short notation: `box hand? card~ actions[]`.
//!
//! A `?` marks an optional field, `~` a nullable field, and `[]` a list. A field name has the same type in every
//! list.

use super::unions::named;
use serde_json::{Map, Value, json};

/// Returns the schema of a field, which depends on the field's name only.
fn kind(name: &str) -> Value {
    match name {
        "person" => json!({ "type": "integer", "format": "int64" }),
        "number" | "rounds" => json!({ "type": "integer", "format": "int64", "minimum": 0 }),
        "real" => json!({ "type": "number" }),
        _ => json!({ "type": "string" }),
    }
}

/// Returns the schema of an object with the fields in `fields`.
///
/// In `name=other` the field has the type of a field named `other`, and in `name=Schema` it has the named schema.
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
