//! What is asked and answered on every route, as a house once did: `clients/examples` plays it all and writes the file.

use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static ALL: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Returns the routes that have examples.
#[cfg(test)]
pub fn routes() -> impl Iterator<Item = &'static str> {
    ALL.keys().map(String::as_str)
}

/// Adds the examples of a route to its operation.
pub fn add(route: &str, operation: &mut Value) {
    if let Some(error) = operation.pointer_mut("/responses/default/content/application~1json") {
        error["example"] = json!({ "error": { "code": "sign-in", "message": "sign in first" } });
    }
    let Some(example) = ALL.get(route) else { return };
    // looked up by pointers, since an index would write what is not there
    if let (Some(asked), Some(content)) = (example.get("asked"), contents(operation, "/requestBody/content"))
    {
        content.for_each(|content| content["example"] = asked.clone());
    }
    for parameter in operation.pointer_mut("/parameters").and_then(Value::as_array_mut).into_iter().flatten()
    {
        if let Some(value) = parameter["name"].as_str().and_then(|name| example["with"].get(name)).cloned() {
            parameter["example"] = value;
        }
    }
    let answered = example.get("answered");
    for status in ["200", "201", "202"] {
        let place = format!("/responses/{status}/content");
        if let (Some(answered), Some(content)) = (answered, contents(operation, &place)) {
            content.for_each(|content| content["example"] = answered.clone());
        }
    }
}

/// What is taken or answered there, of whatever kind.
fn contents<'o>(operation: &'o mut Value, place: &str) -> Option<impl Iterator<Item = &'o mut Value>> {
    Some(operation.pointer_mut(place)?.as_object_mut()?.values_mut())
}
