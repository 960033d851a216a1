//! The documents of the analyst's bench, described as `docs/schema` describes them for the command line.

use super::fields::named;
use serde_json::{Map, Value, json};

/// Names of documents with their schemas.
const DOCUMENTS: [(&str, &str); 7] = [
    ("ReportDocument", include_str!("../../../../docs/schema/report.json")),
    ("SweepDocument", include_str!("../../../../docs/schema/sweep.json")),
    ("CompareDocument", include_str!("../../../../docs/schema/compare.json")),
    ("RemovalDocument", include_str!("../../../../docs/schema/removal.json")),
    ("TagsDocument", include_str!("../../../../docs/schema/tags.json")),
    ("IndicesDocument", include_str!("../../../../docs/schema/indices.json")),
    ("RampDocument", include_str!("../../../../docs/schema/ramp.json")),
];

/// Adds the schemas of the documents, with one schema for what all have in common.
pub fn add(schemas: &mut Map<String, Value>) {
    for (name, text) in DOCUMENTS {
        let whole: Value = serde_json::from_str(text).unwrap_or_default();
        let mut own = whole["allOf"][0].clone();
        own["description"] = whole["title"].clone();
        own["properties"]["made_by"] = named("MadeBy");
        own["properties"]["of"] = json!({ "type": "object" });
        // what the program prints when it refuses, the house says in an error
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
        "type": "object", "description": "The next round from what is left of the stack.",
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
            "hand": { "type": "object", "description": "The values of a hand's actions, or why it has none." },
            "made_by": named("MadeBy"),
            "of": { "type": "object" },
        },
        "required": ["shoe", "main", "side_wagers", "made_by", "of"],
    });
    schemas.insert("NextRound".to_owned(), next_round);
}
