//! The API description: the OpenAPI document of the routes and the AsyncAPI document of the live views.
//!
//! The OpenAPI document is generated from the handlers and then completed. A test generates clients in other
//! languages from both documents.

mod about;
#[cfg(test)]
mod complete;
pub mod documents;
mod examples;
mod frames;
mod unions;

use serde_json::{Value, json};
use std::sync::LazyLock;

pub use frames::{Server, asyncapi};

/// Returns the OpenAPI document, which is built once.
pub fn openapi() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
        let mut document = serde_json::to_value(&crate::api::routes().1).unwrap_or_default();
        complete(&mut document);
        document
    });
    &DOCUMENT
}

/// The groups of routes, each with its description.
const TAGS: &[(&str, &str)] = &[
    ("account", "The caller's chips, limits, statement and second factor."),
    ("cashier", "The cage: buy-ins and cash-outs."),
    ("lab", "Legality, exact house edges, strategies and simulations of any table."),
    ("operations", "The server: health, time, and this document."),
    ("people", "Registration, sign-in, sign-out and passwords."),
    ("records", "The books: gaming days, the journal, significant events, the register."),
    ("rounds", "Finished rounds."),
    ("rules", "The rules of a table, and the clause catalogue."),
    ("staff", "Who works here."),
    ("tables", "Live tables."),
    ("training", "Training tables with the coach."),
];

fn complete(document: &mut Value) {
    if let Some(Value::Object(mut schemas)) = document["components"].get_mut("schemas").map(Value::take) {
        unions::name_items(&mut schemas);
        unions::expand(&mut schemas);
        let mut schemas = unions::used(&schemas, &document["paths"]);
        about::schemas(&mut schemas);
        document["components"]["schemas"] = schemas.into();
    }
    let token =
        json!({ "type": "http", "scheme": "bearer", "description": "The token returned at sign-in." });
    let cookie = json!({ "type": "apiKey", "in": "cookie", "name": crate::session::COOKIE });
    document["components"]["securitySchemes"] = json!({ "token": token, "cookie": cookie });
    document["servers"] = json!([{ "url": "/", "description": "The server that returned this document." }]);
    document["tags"] =
        TAGS.iter().map(|(name, about)| json!({ "name": name, "description": about })).collect();
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            describe(operation);
            may_refuse(path, operation);
            about::parameters(operation);
            examples::add(&format!("{} {path}", method.to_uppercase()), operation);
        }
    }
}

/// Adds a unique id, the security requirement, and a description of every response to an operation.
///
/// Client generators need all three.
fn describe(operation: &mut Value) {
    let group = operation["tags"][0].as_str().unwrap_or_default().to_owned();
    let name = operation["operationId"].as_str().unwrap_or_default().to_owned();
    operation["operationId"] = json!(format!("{group}_{name}"));
    let anyone = operation["x-roles"] == json!(["anyone"]);
    operation["security"] = if anyone { json!([]) } else { json!([{ "token": [] }, { "cookie": [] }]) };
    let summary = operation["summary"].as_str().unwrap_or_default().to_owned();
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        if response["description"].as_str().unwrap_or_default().is_empty() {
            let words = meaning(status);
            response["description"] = if words.is_empty() { json!(summary) } else { json!(words) };
        }
    }
}

/// The routes that need no session and have no rate limit.
///
/// A request to these routes is refused only by the HTTP server itself.
const NEVER_REFUSED: [&str; 2] = ["/health", "/ready"];

/// Adds an error response to an operation that has none with a 4xx status.
///
/// The status is 431 for routes in `NEVER_REFUSED`, 401 for routes that need a session, and 429 for other routes.
fn may_refuse(path: &str, operation: &mut Value) {
    let status = if operation["security"] == json!([]) { "429" } else { "401" };
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    if NEVER_REFUSED.contains(&path) {
        responses.insert("431".to_owned(), json!({ "description": meaning("431") }));
    }
    if responses.keys().any(|status| status.starts_with('4')) {
        return;
    }
    if let Some(mut refusal) = responses.get("default").cloned() {
        refusal["description"] = json!(meaning(status));
        responses.insert(status.to_owned(), refusal);
    }
}

/// Returns what an HTTP status means in this house.
fn meaning(status: &str) -> &'static str {
    match status {
        "202" => "The work has started or waits for approval.",
        "204" => "Done.",
        "400" => "The request is malformed.",
        "401" => "The caller is not signed in, or the credentials are wrong.",
        "403" => "The caller's role does not allow this.",
        "404" => "Not found.",
        "409" => "Refused; `clause` names the reason if it is in the regulation.",
        "422" => "The request body does not match the schema.",
        "429" => "Too many requests; try again later.",
        "431" => "More than 100 header fields, or a request line that is too long.",
        "503" => "The server cannot do this now; try again later.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;
    use std::collections::BTreeSet;

    fn operations() -> impl Iterator<Item = (String, &'static Value)> {
        let paths = openapi()["paths"].as_object().expect("paths");
        let of = |(path, item): (&'static String, &'static Value)| {
            let all = item.as_object().expect("operations").iter();
            all.map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
        };
        paths.iter().flat_map(of)
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn walk<'a>(value: &'a Value, to: &mut BTreeSet<&'a str>) {
            match value {
                Value::Object(fields) => {
                    to.extend(fields.get("$ref").and_then(Value::as_str));
                    fields.values().for_each(|inner| walk(inner, to));
                }
                Value::Array(items) => items.iter().for_each(|inner| walk(inner, to)),
                _ => {}
            }
        }
        for document in [openapi(), asyncapi()] {
            let mut all = BTreeSet::new();
            walk(document, &mut all);
            for place in all {
                assert!(document.pointer(&place[1..]).is_some(), "{place}");
            }
        }
    }

    #[test]
    fn every_operation_has_its_own_name_words_and_examples() {
        let mut names = BTreeSet::new();
        for (route, operation) in operations() {
            assert!(names.insert(operation["operationId"].as_str().expect("a name")), "{route}");
            assert!(!operation["summary"].as_str().expect("a summary").is_empty(), "{route}");
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let words = response["description"].as_str().expect("a description");
                assert!(!words.is_empty(), "{route} {status}");
                for (kind, content) in response["content"].as_object().into_iter().flatten() {
                    let needed = status.starts_with('2') || status == "default";
                    assert!(
                        !needed || !content["example"].is_null(),
                        "{route} {status} {kind} has no example"
                    );
                }
            }
            let mut refuses = operation["responses"].as_object().into_iter().flat_map(Map::keys);
            assert!(refuses.any(|status| status.starts_with('4')), "{route} documents no refusal");
            for content in operation["requestBody"]["content"].as_object().into_iter().flatten() {
                assert!(!content.1["example"].is_null(), "{route} takes a body but has no example of one");
            }
        }
        for example in examples::routes() {
            assert!(
                operations().any(|(route, _)| route == example),
                "the example {example} belongs to no route"
            );
        }
    }
}
