//! The journal records the program that runs the house.

use crate::client::House;
use serde_json::Value;

async fn programs(house: &House, supervisor: &str) -> Vec<Value> {
    let events = house.get(supervisor, "/api/significant-events?limit=200").await.ok();
    let events = events["items"].as_array().expect("events").clone();
    events.into_iter().filter(|event| event.to_string().contains("\"sha256\"")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_digest_of_the_program_is_recorded_once_until_it_changes() {
    let [approved, replaced] = ["a", "b"].map(|digit| digit.repeat(64));
    let mut house =
        House::with_options("", |options, _| options.program_sha256 = Some(approved.clone())).await;
    let supervisor = house.first_supervisor().await;
    let first = programs(&house, &supervisor).await;
    assert_eq!(first.len(), 1);
    assert!(first[0].to_string().contains(&approved), "{}", first[0]);
    house = house.reopened().await;
    assert_eq!(programs(&house, &supervisor).await.len(), 1, "the same program says nothing");
    house.options.program_sha256 = Some(replaced.clone());
    house = house.reopened().await;
    let both = programs(&house, &supervisor).await;
    assert_eq!(both.len(), 2);
    let told = |event: &Value| [&approved, &replaced].map(|sha256| event.to_string().contains(sha256));
    assert!(
        both.iter().any(|event| told(event) == [true, true]),
        "the new one, and the one before: {both:?}"
    );
}
