//! The interface described for programs: the OpenAPI document, which is what the handlers say of themselves, completed; and
//! the AsyncAPI document of the live views. Clients in other languages are generated from both, by a test.

mod about;
mod documents;
mod events;
mod examples;
mod fields;
mod filled;
mod frames;
mod lab;
mod views;

use fields::{named, one_of};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

pub use frames::{Server, asyncapi};

/// Returns the document, built once.
pub fn openapi() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
        let mut document = serde_json::to_value(&crate::api::routes().1).unwrap_or_default();
        complete(&mut document);
        document
    });
    &DOCUMENT
}

/// What handlers build as JSON has a name all the same: where it stands in the document, and which.
const TYPED: &[(&str, &str)] = &[
    ("/components/schemas/TableView/properties/card", "TableCard"),
    ("/components/schemas/TableView/properties/view", "View"),
    ("/components/schemas/TableView/properties/private/items", "BoxView"),
    ("/components/schemas/TableView/properties/lately/items", "Event"),
    ("/components/schemas/StepView/properties/events/items", "Event"),
    ("/paths/~1api~1openapi.json/get/responses/200/content/application~1json/schema", "Description"),
    ("/paths/~1api~1asyncapi.json/get/responses/200/content/application~1json/schema", "Description"),
    ("/paths/~1api~1tables/get/responses/200/content/application~1json/schema/items", "TableCard"),
    ("/paths/~1api~1training/get/responses/200/content/application~1json/schema", "TrainingView"),
    ("/paths/~1api~1training/post/responses/200/content/application~1json/schema", "TrainingView"),
    ("/paths/~1api~1training~1actions/post/responses/200/content/application~1json/schema", "TrainingView"),
    ("/paths/~1api~1training~1cards/put/responses/200/content/application~1json/schema", "TrainingView"),
    ("/paths/~1api~1training~1coach/get/responses/200/content/application~1json/schema", "CoachAnswer"),
    ("/paths/~1api~1coach/post/responses/200/content/application~1json/schema", "CoachAnswer"),
    ("/paths/~1api~1clauses/get/responses/200/content/application~1json/schema", "ClauseSearch"),
    ("/paths/~1api~1rehearsal/post/responses/200/content/application~1json/schema", "Rehearsal"),
    ("/paths/~1api~1rehearsal~1actions/post/responses/200/content/application~1json/schema", "RehearsalView"),
    ("/paths/~1api~1rehearsal~1wagers/post/responses/200/content/application~1json/schema", "RehearsalView"),
    ("/paths/~1api~1tables~1{table}~1rules/get/responses/200/content/application~1json/schema", "TableRules"),
    ("/paths/~1api~1tables~1{table}~1edge/get/responses/200/content/application~1json/schema", "EdgeAnswer"),
    (
        "/paths/~1api~1tables~1{table}~1rounds~1{round}~1analysis/get/responses/200/content/application~1json/schema",
        "RoundAnalysis",
    ),
    ("/paths/~1api~1lab/get/responses/200/content/application~1json/schema", "LabKnown"),
    ("/paths/~1api~1lab~1check/post/responses/200/content/application~1json/schema", "Lawfulness"),
    ("/paths/~1api~1lab~1edge/post/responses/200/content/application~1json/schema", "EdgeAnswer"),
    ("/paths/~1api~1lab~1strategy/post/responses/200/content/application~1json/schema", "StrategyAnswer"),
    (
        "/paths/~1api~1lab~1simulations~1{id}/get/responses/200/content/application~1json/schema",
        "SimulationState",
    ),
    ("/paths/~1api~1lab~1effects/post/responses/200/content/application~1json/schema/items", "OptionEffect"),
    ("/paths/~1api~1lab~1simulations/post/responses/202/content/application~1json/schema", "SimulationBegun"),
    ("/paths/~1api~1lab~1report/post/responses/200/content/application~1json/schema", "ReportDocument"),
    ("/paths/~1api~1lab~1sweep/post/responses/200/content/application~1json/schema", "SweepDocument"),
    ("/paths/~1api~1lab~1compare/post/responses/200/content/application~1json/schema", "CompareDocument"),
    ("/paths/~1api~1lab~1shoe/post/responses/200/content/application~1json/schema", "NextRound"),
    ("/paths/~1api~1lab~1removal/post/responses/200/content/application~1json/schema", "RemovalDocument"),
    ("/paths/~1api~1lab~1tags/post/responses/200/content/application~1json/schema", "TagsDocument"),
    ("/paths/~1api~1lab~1indices/post/responses/200/content/application~1json/schema", "IndicesDocument"),
    ("/paths/~1api~1lab~1ramp/post/responses/200/content/application~1json/schema", "RampDocument"),
    (
        "/paths/~1api~1lab~1shoe~1strategy/post/responses/200/content/application~1json/schema",
        "StrategyAnswer",
    ),
];

/// The groups of routes.
const TAGS: &[(&str, &str)] = &[
    ("account", "My chips, limits, statement and second factor."),
    ("cashier", "The cage: chips for cash and cash for chips."),
    ("lab", "Lawfulness, exact edges, strategies and simulations of tables that nobody plays at."),
    ("operations", "The house itself: whether it runs, its time, this document."),
    ("people", "Joining, signing in and out, passwords."),
    ("records", "The books: gaming days, the journal, significant events, the register."),
    ("rounds", "Finished rounds."),
    ("rules", "What a table plays by, and the catalogue of clauses."),
    ("staff", "Who works here."),
    ("tables", "Live tables."),
    ("training", "Training tables with the coach."),
];

fn complete(document: &mut Value) {
    for (place, name) in TYPED {
        if let Some(schema) = document.pointer_mut(place) {
            *schema = named(name);
        }
    }
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        documents::add(schemas);
        views::add(schemas);
        lab::add(schemas);
        events::add(schemas);
        filled::add(schemas);
        for whole in ["Action", "TrainingAction"] {
            commands(schemas, whole);
        }
        // which is in both of them, and by itself a command
        alone(schemas);
        about::schemas(schemas);
    }
    let token =
        json!({ "type": "http", "scheme": "bearer", "description": "The token that signing in answers." });
    let cookie = json!({ "type": "apiKey", "in": "cookie", "name": crate::session::COOKIE });
    document["components"]["securitySchemes"] = json!({ "token": token, "cookie": cookie });
    document["servers"] =
        json!([{ "url": "/", "description": "The house that answers with this document." }]);
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

/// Whoever generates a client needs a name for every operation, and words for every answer.
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

/// Routes that are never refused: nobody signs in there, and no rate applies.
const NEVER_REFUSED: [&str; 2] = ["/health", "/ready"];

/// Every other route refuses whoever is not signed in or, where anybody may ask, whoever asks too often.
fn may_refuse(path: &str, operation: &mut Value) {
    let status = if operation["security"] == json!([]) { "429" } else { "401" };
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    if NEVER_REFUSED.contains(&path) || responses.keys().any(|status| status.starts_with('4')) {
        return;
    }
    if let Some(mut refusal) = responses.get("default").cloned() {
        refusal["description"] = json!(meaning(status));
        responses.insert(status.to_owned(), refusal);
    }
}

/// What a status means in this house.
fn meaning(status: &str) -> &'static str {
    match status {
        "202" => "It is begun.",
        "204" => "It is done.",
        "400" => "What was sent cannot be meant.",
        "401" => "Nobody is signed in, or the credentials are wrong.",
        "403" => "This is not for your role.",
        "404" => "There is no such thing.",
        "409" => "Understood and refused; the clause says why where one does.",
        "422" => "What was sent is not what this takes.",
        "429" => "Too much at once; try again.",
        "503" => "The house cannot do this now; try again.",
        _ => "",
    }
}

/// Commands with something besides, each under a name of its own: many generators cannot make one object of a choice and
/// an object.
fn commands(schemas: &mut Map<String, Value>, whole: &str) {
    let besides = schemas.get(whole).and_then(|schema| schema["allOf"][1].as_object()).cloned();
    let kinds = schemas.get("Request").and_then(|schema| schema["oneOf"].as_array()).cloned();
    let (Some(besides), Some(kinds)) = (besides, kinds) else { return };
    let merged = kinds.into_iter().filter_map(|mut kind| {
        let word = kind["properties"]["do"]["enum"][0].as_str()?.to_owned();
        for (name, schema) in besides.get("properties")?.as_object()? {
            kind["properties"][name] = schema.clone();
        }
        let more = besides.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        kind["required"].as_array_mut()?.extend(more);
        Some((word, kind))
    });
    one_of(schemas, whole, "do", merged.collect());
}

/// Commands with nothing besides, each under a name of its own.
fn alone(schemas: &mut Map<String, Value>) {
    let kinds = schemas.remove("Request").and_then(|schema| schema["oneOf"].as_array().cloned());
    let word = |kind: &Value| kind["properties"]["do"]["enum"][0].as_str().map(str::to_owned);
    let kinds = kinds.into_iter().flatten().filter_map(|kind| Some((word(&kind)?, kind)));
    one_of(schemas, "Request", "do", kinds.collect());
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn what_is_typed_here_was_not_typed_before() {
        let document = serde_json::to_value(&crate::api::routes().1).expect("json");
        for (place, name) in TYPED {
            let schema = document.pointer(place).unwrap_or_else(|| panic!("{place} is nowhere"));
            assert_eq!(schema, &json!({ "type": "object" }), "{place} is typed");
            assert!(openapi()["components"]["schemas"][name].is_object(), "{name}");
        }
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
            let never = NEVER_REFUSED.iter().any(|path| route == format!("GET {path}"));
            assert!(never || refuses.any(|status| status.starts_with('4')), "{route} never refuses");
            for content in operation["requestBody"]["content"].as_object().into_iter().flatten() {
                assert!(!content.1["example"].is_null(), "{route} takes a body and shows none");
            }
        }
        for example in examples::routes() {
            assert!(operations().any(|(route, _)| route == example), "{example} is no route");
        }
    }
}
