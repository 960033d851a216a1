//! Tests that the API description is complete: no example has a field that its schema lacks, and no schema is bare.

use crate::openapi::{asyncapi, openapi};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

static ANYTHING: Value = Value::Bool(true);

/// The fields that a schema names for an object, and the schema of all other fields if the object may have
/// any.
#[derive(Default)]
struct Known {
    names: BTreeMap<&'static str, &'static Value>,
    others: Option<&'static Value>,
}

impl Known {
    fn of(schema: &'static Value, object: &Map<String, Value>) -> Known {
        let schema = resolved(schema);
        let mut known = Known::default();
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            known.names.insert(name, inner);
        }
        known.others = match &schema["additionalProperties"] {
            Value::Null | Value::Bool(false) => None,
            others => Some(others),
        };
        if ["type", "properties", "allOf", "oneOf", "anyOf"].iter().all(|key| schema[*key].is_null()) {
            known.others = Some(&ANYTHING);
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            known.add(Known::of(part, object));
        }
        // of several variants, the one that fits best
        let kinds = ["oneOf", "anyOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
        let fitting = kinds.map(|kind| Known::of(kind, object));
        if let Some(kind) = fitting.min_by_key(|kind| kind.strangers(object)) {
            known.add(kind);
        }
        known
    }

    fn add(&mut self, other: Known) {
        self.names.extend(other.names);
        self.others = self.others.or(other.others);
    }

    fn get(&self, name: &str) -> Option<&'static Value> {
        self.names.get(name).copied().or(self.others)
    }

    fn strangers(&self, object: &Map<String, Value>) -> usize {
        object.keys().filter(|name| self.get(name).is_none()).count()
    }
}

fn resolved(schema: &'static Value) -> &'static Value {
    match schema["$ref"].as_str() {
        Some(place) => resolved(openapi().pointer(&place[1..]).expect("a schema")),
        None => schema,
    }
}

fn items_of(schema: &'static Value) -> Option<&'static Value> {
    let schema = resolved(schema);
    if schema["items"].is_object() {
        return Some(&schema["items"]);
    }
    let mut parts = ["allOf", "oneOf", "anyOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
    parts.find_map(items_of)
}

/// Collects the properties of an example that its schema does not name.
fn strangers(schema: &'static Value, value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            let known = Known::of(schema, object);
            for (name, inner) in object {
                let place = format!("{at}.{name}");
                match known.get(name) {
                    Some(Value::Bool(_)) => {}
                    Some(schema) => strangers(schema, inner, &place, found),
                    None => found.push(place),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                if let Some(schema) = items_of(schema) {
                    strangers(schema, item, &format!("{at}[]"), found);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_property_of_an_example_is_in_its_schema() {
    let (mut found, mut examples) = (Vec::new(), 0);
    for (path, item) in openapi()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let answers = operation["responses"].as_object().expect("responses").values();
            for body in answers.chain([&operation["requestBody"]]) {
                for content in body["content"].as_object().into_iter().flat_map(Map::values) {
                    examples += usize::from(!content["example"].is_null());
                    let at = format!("{} {path}", method.to_uppercase());
                    strangers(&content["schema"], &content["example"], &at, &mut found);
                }
            }
        }
    }
    assert!(examples > 100, "{examples}");
    assert!(found.is_empty(), "{} of {examples}:\n{}", found.len(), found.join("\n"));
}

/// The places in the schemas where any value is allowed, each with the reason.
const OPEN: &[(&str, &str)] = &[
    ("Description/additionalProperties", "the rest of an OpenAPI or AsyncAPI document"),
    ("RecordView/properties/event", "each kind of record has its own event"),
    ("RuleInForce/properties/value", "the value of a table file key; some values are lists of objects"),
    ("SimulatedWager/additionalProperties", "figures that only some bets have"),
    ("SimulationResult/additionalProperties", "figures that only some games and counts have"),
    ("StrategyUsed/oneOf/additionalProperties", "a chart, whose rows depend on its game"),
    ("TableFile/additionalProperties", "the other keys of a table file, which docs/values.md lists"),
];

/// Returns whether a schema allows any value, or any fields in an object.
fn is_bare(schema: &Value) -> bool {
    let lacks = |keys: &[&str]| keys.iter().all(|key| schema[*key].is_null());
    let is_object = match &schema["type"] {
        Value::String(kind) => kind == "object",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
        _ => false,
    };
    match schema {
        Value::Bool(anything) => *anything,
        Value::Object(_) if is_object => {
            lacks(&["properties", "additionalProperties", "allOf", "oneOf", "anyOf"])
        }
        Value::Object(_) => {
            lacks(&["type", "$ref", "const", "enum", "properties", "allOf", "oneOf", "anyOf"])
        }
        _ => false,
    }
}

/// Collects the places of schemas that allow any value.
///
/// A place within a named schema begins with the schema's name.
fn bare(value: &'static Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields.iter().filter(|(name, _)| !name.starts_with("example")) {
                let place = if name == "schemas" { String::new() } else { format!("{at}{name}/") };
                let mut check = |schema: &Value, place: &str| {
                    if is_bare(schema) {
                        found.insert(place.trim_end_matches('/').to_owned());
                    }
                };
                match (name.as_str(), inner) {
                    ("items" | "additionalProperties" | "schema", schema) => check(schema, &place),
                    ("properties" | "schemas", Value::Object(all)) => {
                        all.iter().for_each(|(name, schema)| check(schema, &format!("{place}{name}")));
                    }
                    ("allOf" | "oneOf" | "anyOf" | "prefixItems", Value::Array(all)) => {
                        all.iter().for_each(|schema| check(schema, &place));
                    }
                    _ => {}
                }
                bare(inner, &place, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|inner| bare(inner, at, found)),
        _ => {}
    }
}

#[test]
fn no_schema_is_bare() {
    let mut found = BTreeSet::new();
    bare(openapi(), "", &mut found);
    bare(asyncapi(), "", &mut found);
    let known: BTreeSet<String> = OPEN.iter().map(|(place, _)| (*place).to_owned()).collect();
    assert_eq!(found, known);
}
