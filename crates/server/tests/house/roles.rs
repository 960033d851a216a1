//! Tries every route with every role: the outcome matches the registry, and no route is missing from the registry.

use crate::ceiling::the_house_stayed_below_its_ceiling;
use crate::client::House;
use serde_json::Value;
use server::{Access, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Sends a request that reaches the handler if it is admitted; the handler's answer does not matter here.
async fn try_route(house: &House, token: &str, method: &str, path: &str) -> u16 {
    let path = path.replace("{day}", "today").replace("{name}", "nobody-here").replace("{person}", "1");
    let path = path
        .split('/')
        .map(|part| if part.starts_with('{') { "1" } else { part })
        .collect::<Vec<_>>()
        .join("/");
    let body = (method != "GET").then(|| serde_json::json!({ "nonsense": true }));
    house.call(token, method, &path, body).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_lets_in_exactly_the_roles_it_names() {
    let house = House::open().await;
    let access: Access = server::access();
    let supervisor = house.first_supervisor().await;
    let mut tokens = BTreeMap::from([(Some(Role::Supervisor), supervisor.clone()), (None, String::new())]);
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Supervisor) {
        tokens
            .insert(Some(role), house.hire(&supervisor, &format!("the-{}", role.name()), role.name()).await);
    }
    let mut tried = 0;
    for (path, method, allow) in access.all() {
        // Signing out would end the session used for the other routes.
        if path == "/api/sessions/current" {
            continue;
        }
        for (role, token) in &tokens {
            let status = try_route(&house, token, method.as_str(), path).await;
            let refused = matches!(status, 401 | 403);
            let bad_credentials =
                ["/api/sessions", "/api/me/password", "/api/me/second-factor"].contains(&path);
            if allow.admits(*role) {
                assert!(!refused || bad_credentials, "{method} {path} refused {role:?}: {status}");
            } else {
                let expected = if role.is_some() { 403 } else { 401 };
                assert_eq!(status, expected, "{method} {path} for {role:?}");
            }
            assert!(status < 500, "{method} {path} for {role:?}: {status}");
            tried += 1;
        }
    }
    assert!(tried >= 7 * 20, "{tried}");
    the_house_stayed_below_its_ceiling();
}

#[test]
fn the_document_and_the_registry_name_the_same_routes() {
    let document = server::openapi();
    let documented: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .flat_map(|(path, item)| {
            item.as_object().expect("methods").keys().map(move |method| (path.clone(), method.to_uppercase()))
        })
        .collect();
    let access = server::access();
    let registered: BTreeSet<(String, String)> =
        access.all().map(|(path, method, _)| (path.to_owned(), method.to_string())).collect();
    assert_eq!(documented, registered);
}

/// Object keys are text, whatever they stand for; a schema that declares them as numbers matches nothing.
#[test]
fn the_document_calls_every_key_of_an_object_text() {
    fn check_keys(value: &Value, path: &str) {
        if let Some(names) = value.get("propertyNames") {
            assert_eq!(names.get("type").unwrap_or(&"string".into()), "string", "{path}");
        }
        match value {
            Value::Object(map) => {
                map.iter().for_each(|(key, value)| check_keys(value, &format!("{path}/{key}")))
            }
            Value::Array(list) => list.iter().for_each(|value| check_keys(value, path)),
            _ => {}
        }
    }
    check_keys(&server::openapi(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_or_path_that_is_not_registered_is_refused() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    assert_eq!(house.call(&supervisor, "DELETE", "/api/staff/people", None).await.status, 405);
    assert_eq!(house.get(&supervisor, "/api/no-such").await.status, 404);
    assert_eq!(house.call(&supervisor, "POST", "/", None).await.status, 405);
}
