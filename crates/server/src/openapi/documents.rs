//! Schemas of the workbench's documents, taken from `docs/schema`, which describes them for the command line.

use super::unions::named;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use utoipa::openapi::schema::Object;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Names the documents, for the handlers that answer with them.
macro_rules! documents {
    ($($name:ident)+) => { $(
        /// A document of the command line.
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                Object::new().into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    )+ };
}

documents! {
    ReportDocument SweepDocument CompareDocument RemovalDocument TagsDocument IndicesDocument RampDocument NextRound
}

/// Document names and their schemas.
const DOCUMENTS: [(&str, &str); 7] = [
    ("ReportDocument", include_str!("../../../../docs/schema/report.json")),
    ("SweepDocument", include_str!("../../../../docs/schema/sweep.json")),
    ("CompareDocument", include_str!("../../../../docs/schema/compare.json")),
    ("RemovalDocument", include_str!("../../../../docs/schema/removal.json")),
    ("TagsDocument", include_str!("../../../../docs/schema/tags.json")),
    ("IndicesDocument", include_str!("../../../../docs/schema/indices.json")),
    ("RampDocument", include_str!("../../../../docs/schema/ramp.json")),
];

/// Adds the schemas of the documents, and one schema for their common fields.
pub fn add(schemas: &mut Map<String, Value>) {
    for (name, text) in DOCUMENTS {
        let whole: Value = serde_json::from_str(text).unwrap_or_default();
        let mut own = whole["allOf"][0].clone();
        own["description"] = whole["title"].clone();
        own["properties"]["made_by"] = named("MadeBy");
        own["properties"]["of"] = json!({ "type": "object" });
        // the command line prints a refusal as a document; the house returns an error instead
        if let Some(whole) = own.as_object_mut().and_then(|own| own.remove("anyOf")) {
            own["required"] = whole[0]["required"].clone();
            own["properties"].as_object_mut().and_then(|properties| properties.remove("refused"));
        }
        if let Some(required) = own["required"].as_array_mut() {
            required.extend([json!("made_by"), json!("of")]);
        }
        schemas.insert(name.to_owned(), own);
    }
    let made_by = json!({
        "type": "object", "description": "The program that made a document.",
        "properties": {
            "program": { "type": "string" }, "version": { "type": "string" },
            "commit": { "oneOf": [{ "type": "string" }, { "type": "null" }] },
        },
        "required": ["program", "version", "commit"],
    });
    schemas.insert("MadeBy".to_owned(), made_by);
    let edge = json!({
        "type": "object", "properties": { "wager": { "type": "string" }, "house_edge": { "type": "number" } },
        "required": ["house_edge"],
    });
    let next_round = json!({
        "type": "object", "description": "The next round from the rest of the stack.",
        "properties": {
            "shoe": { "type": "object", "additionalProperties": { "type": "integer" } },
            "main": {
                "type": "object",
                "properties": {
                    "ev": { "type": "number" }, "house_edge": { "type": "number" }, "strategy": { "type": "string" },
                },
                "required": ["ev", "house_edge", "strategy"],
            },
            "side_wagers": { "type": "array", "items": edge.clone() },
            "insurance": edge,
            "hand": { "type": "object", "description": "The EV of each action of a hand, or why there is none." },
            "made_by": named("MadeBy"),
            "of": { "type": "object" },
        },
        "required": ["shoe", "main", "side_wagers", "made_by", "of"],
    });
    schemas.insert("NextRound".to_owned(), next_round);
}
