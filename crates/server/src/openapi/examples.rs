//! Example requests and responses of every route.
//!
//! The program `clients/examples` records the examples from a real house and writes them to `examples.json`.

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
    // uses pointers, since indexing would insert missing keys
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
        // a request that needs a second person is answered by the request
        let waits = (status == "202").then(|| example.get("waits")).flatten();
        if let (Some(answered), Some(content)) = (waits.or(answered), contents(operation, &place)) {
            content.for_each(|content| content["example"] = answered.clone());
        }
    }
}

/// Returns the contents of every media type at `place`, or `None` if the operation has no contents there.
fn contents<'o>(operation: &'o mut Value, place: &str) -> Option<impl Iterator<Item = &'o mut Value>> {
    Some(operation.pointer_mut(place)?.as_object_mut()?.values_mut())
}
