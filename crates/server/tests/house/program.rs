//! The program that runs the house is in its journal.

use crate::client::House;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

async fn programs(house: &House, supervisor: &str) -> Vec<Value> {
    let events = house.get(supervisor, "/api/significant-events?limit=200").await.ok();
    let events = events["items"].as_array().expect("events").clone();
    events.into_iter().filter(|event| event.to_string().contains("\"sha256\"")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_digest_of_the_program_is_recorded_once_until_it_changes() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let first = programs(&house, &supervisor).await;
    let file = std::fs::read(std::env::current_exe().expect("a program")).expect("readable");
    let digest: String = Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(first.len(), 1);
    assert!(first[0].to_string().contains(&digest), "{}", first[0]);
    let house = house.reopened().await;
    assert_eq!(programs(&house, &supervisor).await.len(), 1, "the same program says nothing");
}
