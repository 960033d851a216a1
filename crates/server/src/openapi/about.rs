//! Describes the schemas, fields and parameters whose Rust types have no doc comment.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Descriptions of schema fields, by key.
///
/// A key is a field name, a schema and a field name such as `CutView.at` where that field means something else, or
/// the whole path of a field within a schema.
static FIELDS: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("fields.json")).unwrap_or_default());

/// Descriptions of path and query parameters that their handlers do not describe.
const PARAMETERS: &[(&str, &str)] = &[
    ("call", "The call's number."),
    ("day", "A gaming day such as `2026-11-15`, or `today`."),
    ("id", "The number returned when the simulation was started."),
    ("kind", "Only items of this kind."),
    ("name", "The patron's name."),
    ("person", "The person's number."),
    ("request", "The request's id."),
    ("round", "The round's number."),
    ("shoe", "The shoe's number."),
    ("state", "Only items in this state."),
    ("table", "The table's number; for drill progress, the name of its rules."),
];

fn words<'w>(list: &'w [(&str, &'w str)], name: &str) -> Option<&'w str> {
    list.iter().find(|(known, _)| *known == name).map(|(_, about)| *about)
}

fn put(schema: &mut Value, about: &str) {
    if schema.is_object() && schema["description"].as_str().is_none_or(str::is_empty) {
        schema["description"] = json!(about);
    }
}

/// Describes the fields that have no description of their own, in all schemas.
pub fn schemas(schemas: &mut Map<String, Value>) {
    let described =
        |(name, schema): (&String, &Value)| Some((name.clone(), schema["description"].as_str()?.to_owned()));
    let types: Types = schemas.iter().filter_map(described).collect();
    for (name, schema) in schemas {
        fields(schema, name, &types);
    }
}

/// The descriptions of schemas, by name.
type Types = BTreeMap<String, String>;

/// Returns the schemas that a field may have: its own schema, and each variant of a union such as one with null.
fn kinds(field: &Value) -> impl Iterator<Item = &Value> {
    std::iter::once(field).chain(field["oneOf"].as_array().into_iter().flatten())
}

/// Returns the description that stands beside a field's reference to a schema, or `None` if there is none.
fn beside(field: &Value) -> Option<String> {
    kinds(field).find_map(|kind| kind["description"].as_str().map(str::to_owned))
}

/// Returns the description of the schema that a field refers to, or `None` if that schema has none.
fn of_type(field: &Value, types: &Types) -> Option<String> {
    let name = |kind: &Value| kind["$ref"].as_str()?.rsplit('/').next().map(str::to_owned);
    kinds(field).find_map(|kind| types.get(&name(kind)?).cloned())
}

/// Describes the fields of the schema at `path`.
///
/// A path is the name of a schema followed by the names of fields, separated by dots.
fn fields(schema: &mut Value, path: &str, types: &Types) {
    let whole = path.split('.').next().unwrap_or_default();
    let Some(parts) = schema.as_object_mut() else { return };
    for (part, inner) in parts {
        match (part.as_str(), inner) {
            ("properties", Value::Object(all)) => {
                for (name, field) in all {
                    let own = format!("{path}.{name}");
                    if let Some(about) = beside(field) {
                        put(field, &about);
                    }
                    let keys = [own.as_str(), &format!("{whole}.{name}"), name];
                    if let Some(about) = keys.iter().find_map(|key| FIELDS.get(*key)) {
                        put(field, about);
                    }
                    if let Some(about) = of_type(field, types) {
                        put(field, &about);
                    }
                    fields(field, &own, types);
                }
            }
            ("allOf" | "oneOf" | "anyOf", Value::Array(all)) => {
                all.iter_mut().for_each(|one| fields(one, path, types));
            }
            ("items" | "additionalProperties", inner) => fields(inner, path, types),
            _ => {}
        }
    }
}

/// Describes the parameters of an operation that have no description of their own.
pub fn parameters(operation: &mut Value) {
    let all = operation.pointer_mut("/parameters").and_then(Value::as_array_mut);
    for parameter in all.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default().to_owned();
        if let Some(about) = words(PARAMETERS, &name) {
            put(parameter, about);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::openapi::{asyncapi, openapi};
    use serde_json::Value;

    fn is_described(value: &Value) -> bool {
        value["description"].as_str().is_some_and(|words| !words.is_empty())
    }

    /// Calls `each` with the path and the schema of every property.
    fn properties(value: &Value, path: &str, each: &mut impl FnMut(&str, &Value)) {
        match value {
            Value::Object(parts) => {
                for (name, property) in
                    parts.get("properties").and_then(Value::as_object).into_iter().flatten()
                {
                    each(&format!("{path}.{name}"), property);
                }
                for (name, inner) in parts.iter().filter(|(name, _)| !name.starts_with("example")) {
                    properties(inner, &format!("{path}.{name}"), each);
                }
            }
            Value::Array(items) => items.iter().for_each(|inner| properties(inner, path, each)),
            _ => {}
        }
    }

    #[test]
    fn every_schema_every_parameter_and_every_property_is_described() {
        let (mut lacking, mut all) = (Vec::new(), 0);
        for document in [openapi(), asyncapi()] {
            for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
                if !is_described(schema) {
                    lacking.push(name.clone());
                }
            }
            properties(document, "", &mut |path, property| {
                all += 1;
                if !is_described(property) {
                    lacking.push(path.to_owned());
                }
            });
        }
        for (path, item) in openapi()["paths"].as_object().expect("paths") {
            for operation in item.as_object().expect("operations").values() {
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    if !is_described(parameter) {
                        lacking.push(format!("{path} {}", parameter["name"]));
                    }
                }
            }
        }
        assert!(all > 2_500, "{all}");
        assert!(lacking.is_empty(), "{} of {all}:\n{}", lacking.len(), lacking.join("\n"));
    }

    #[test]
    fn what_is_described_here_is_there() {
        let mut said = std::collections::BTreeSet::new();
        for document in [openapi(), asyncapi()] {
            properties(document, "", &mut |_, property| {
                said.extend(property["description"].as_str().map(str::to_owned));
            });
        }
        let unused: Vec<_> = super::FIELDS.iter().filter(|(_, about)| !said.contains(*about)).collect();
        assert!(unused.is_empty(), "fields.json describes fields that describe themselves: {unused:?}");
    }
}
