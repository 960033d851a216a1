//! Above the limits of the house file, what one member of staff asks for waits for the approval of another.

use crate::bot::fresh_id;
use crate::client::{Answer, House, stores, token};
use serde_json::{Value, json};
use std::time::Duration;

const CAGE: &str = "[second_person]\ncage_above = \"100.00\"\n";

async fn cash(house: &House, cashier: &str) -> String {
    let patron = house.get(cashier, "/api/cashier/patrons/ann").await.ok();
    patron["cash"].as_str().expect("an amount").to_owned()
}

async fn order(house: &House, cashier: &str, path: &str, (id, amount): (&str, &str)) -> Answer {
    let order = json!({ "id": id, "patron": "ann", "amount": amount });
    house.post(cashier, &format!("/api/cashier/{path}"), order).await
}

async fn decide(house: &House, token: &str, request: &Value, decision: &str) -> Answer {
    let path = format!("/api/staff/requests/{}/decision", request["request"].as_str().expect("an id"));
    house.post(token, &path, json!({ "decision": decision, "reason": "asked at the desk" })).await
}

/// Returns the answer to a request that waits.
fn waits(answer: Answer) -> Value {
    assert_eq!(answer.status, 202, "{}", answer.body);
    answer.json()
}

async fn open(house: &House, token: &str) -> Vec<Value> {
    house.get(token, "/api/staff/requests").await.ok().as_array().expect("a list").clone()
}

async fn events(house: &House, supervisor: &str) -> Vec<Value> {
    let events = house.get(supervisor, "/api/significant-events?limit=100").await.ok();
    events["items"].as_array().expect("a list").iter().map(|item| item["event"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cage_order_above_the_limit_waits_for_another_person() {
    for database in stores() {
        let house = House::with(CAGE, database).await;
        let supervisor = house.first_supervisor().await;
        let cora = house.hire(&supervisor, "cora", "cashier").await;
        let carl = house.hire(&supervisor, "carl", "cashier").await;
        let floor = house.hire(&supervisor, "fred", "floor").await;
        house.player("ann").await;
        assert_eq!(order(&house, &cora, "buy-ins", ("b1", "100.00")).await.status, 200, "at the limit");

        let request = waits(order(&house, &cora, "buy-ins", ("b2", "100.01")).await);
        assert_eq!(cash(&house, &cora).await, "100.00", "nothing has moved");
        assert_eq!((&request["action"], &request["amount"]), (&json!("buy-in"), &json!("100.01")));
        let again = waits(order(&house, &cora, "buy-ins", ("b2", "100.01")).await);
        assert_eq!(again["request"], request["request"], "a repeat is the same request");
        assert_eq!(order(&house, &cora, "buy-ins", ("b2", "100.02")).await.code(), "id-used");
        assert_eq!((open(&house, &carl).await.len(), open(&house, &supervisor).await.len()), (1, 1));
        assert_eq!(open(&house, &cora).await[0]["mine"], true);

        assert_eq!(decide(&house, &cora, &request, "approve").await.code(), "second-person");
        assert_eq!(decide(&house, &floor, &request, "approve").await.status, 403);
        let (one, other) = tokio::join!(
            decide(&house, &carl, &request, "approve"),
            decide(&house, &supervisor, &request, "approve")
        );
        let mut statuses = [one.status, other.status];
        statuses.sort();
        assert_eq!(statuses, [200, 409], "one of the two approves it");
        assert_eq!(cash(&house, &cora).await, "200.01", "it is carried out once");
        assert_eq!(decide(&house, &carl, &request, "decline").await.code(), "request-decided");
        let receipt = order(&house, &cora, "buy-ins", ("b2", "100.01")).await.ok();
        assert_eq!((&receipt["after"], &receipt["repeated"]), (&json!("200.01"), &json!(true)));

        // The order is the first cashier's: the cash is in that drawer, and the record names who asked for it.
        let auditor = house.hire(&supervisor, "otto", "auditor").await;
        let records = house.get(&auditor, "/api/journal?kind=buy-in&newest=true&limit=1").await.ok();
        let record = &records["items"][0];
        assert_eq!((&record["seq"], &record["name"]), (&receipt["seq"], &json!("cora")));
        let told = events(&house, &supervisor).await;
        let approved: Vec<_> = told.iter().filter(|event| event["what"] == "request-approved").collect();
        assert_eq!(approved.len(), 1, "{told:?}");
        assert_eq!(
            (&approved[0]["details"]["by"], &approved[0]["details"]["name"]),
            (&json!("cora"), &json!("ann"))
        );
        assert!(told.iter().any(|event| event["what"] == "request-made"));
        assert!(open(&house, &supervisor).await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_declined_withdrawn_or_late_is_not_carried_out() {
    let house = House::with(&format!("{CAGE}within_s = 3\n"), None).await;
    let supervisor = house.first_supervisor().await;
    let cora = house.hire(&supervisor, "cora", "cashier").await;
    house.player("ann").await;
    for n in 0..3 {
        order(&house, &cora, "buy-ins", (&format!("b{n}"), "100.00")).await.ok();
    }
    let declined = waits(order(&house, &cora, "cash-outs", ("c1", "150.00")).await);
    decide(&house, &supervisor, &declined, "decline").await.ok();
    assert_eq!(order(&house, &cora, "cash-outs", ("c1", "150.00")).await.code(), "request-declined");
    assert_eq!(decide(&house, &supervisor, &declined, "approve").await.code(), "request-decided");
    let withdrawn = waits(order(&house, &cora, "cash-outs", ("c2", "150.00")).await);
    decide(&house, &cora, &withdrawn, "decline").await.ok();
    assert_eq!(decide(&house, &supervisor, &withdrawn, "approve").await.code(), "request-decided");

    // More than the patron has: the approval is refused, and the request stays open until it is decided.
    let too_much = waits(order(&house, &cora, "cash-outs", ("c3", "300.01")).await);
    assert_eq!(decide(&house, &supervisor, &too_much, "approve").await.code(), "not-enough-chips");
    let late = waits(order(&house, &cora, "cash-outs", ("c4", "150.00")).await);
    tokio::time::sleep(Duration::from_millis(3_200)).await;
    assert_eq!(decide(&house, &supervisor, &late, "approve").await.code(), "request-expired");
    assert_eq!(order(&house, &cora, "cash-outs", ("c4", "150.00")).await.code(), "request-expired");
    assert!(open(&house, &supervisor).await.is_empty());
    assert_eq!(cash(&house, &cora).await, "300.00");
    let missing = json!({ "request": "no-such" });
    assert_eq!(decide(&house, &supervisor, &missing, "approve").await.code(), "no-such-request");
}

/// Returns a house with two supervisors, who from now on need each other's approval.
async fn with_two_supervisors() -> (House, String, String) {
    let house = House::open().await;
    let one = house.first_supervisor().await;
    let two = house.hire(&one, "sue", "supervisor").await;
    let house = house
        .reopened_after(|options| {
            let file = options.house.as_ref().expect("a house file");
            let text = std::fs::read_to_string(file).expect("read");
            std::fs::write(file, format!("[second_person]\naccounts = \"approved\"\n{text}"))
                .expect("written");
        })
        .await;
    (house, one, two)
}

async fn change(house: &House, supervisor: &str, person: &Value, change: Value) -> Answer {
    house.call(supervisor, "PATCH", &format!("/api/staff/people/{person}"), Some(change)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn new_staff_roles_passwords_and_second_factors_wait_for_another_supervisor() {
    let (house, one, two) = with_two_supervisors().await;
    let hired =
        waits(house.post(&one, "/api/staff/people", json!({ "name": "cora", "role": "cashier" })).await);
    let people = house.get(&one, "/api/staff/people").await.ok();
    assert!(!people.to_string().contains("cora"), "nobody is hired yet");
    // A request survives a restart.
    let house = house.reopened().await;
    assert_eq!(decide(&house, &one, &hired, "approve").await.code(), "second-person");
    let done = decide(&house, &two, &hired, "approve").await.ok();
    let cora = house.settle_in("cora", done["one_time_password"].as_str().expect("a password")).await;
    let person = house.get(&cora, "/api/me").await.ok()["person"].clone();
    let taken = house.post(&one, "/api/staff/people", json!({ "name": "Cora", "role": "floor" })).await;
    assert_eq!(taken.code(), "name-taken");

    assert_eq!(change(&house, &one, &person, json!({ "unlock": true })).await.status, 200, "not guarded");
    let role = waits(change(&house, &one, &person, json!({ "role": "supervisor" })).await);
    assert_eq!(house.get(&cora, "/api/me").await.ok()["role"], "cashier");
    assert!(open(&house, &cora).await.is_empty(), "a cashier decides about the cage only");
    assert_eq!(decide(&house, &cora, &role, "approve").await.status, 403);
    decide(&house, &two, &role, "decline").await.ok();
    assert_eq!(house.get(&cora, "/api/me").await.ok()["role"], "cashier");
    let role = waits(change(&house, &one, &person, json!({ "role": "floor", "reason": "promoted" })).await);
    decide(&house, &two, &role, "approve").await.ok();
    assert_eq!(house.get(&cora, "/api/me").await.status, 401, "another role ends the sessions");
    let told = events(&house, &two).await;
    let changed = told.iter().find(|event| event["what"] == "account-changed").expect("recorded");
    assert_eq!(
        (&changed["details"]["after"]["role"], &changed["details"]["reason"]),
        (&json!("floor"), &json!("promoted"))
    );

    let reset = waits(change(&house, &one, &person, json!({ "reset_password": true })).await);
    let cora = token(house.sign_in("cora", "battery staple").await.ok());
    let done = decide(&house, &two, &reset, "approve").await.ok();
    assert_eq!(house.get(&cora, "/api/me").await.status, 401);
    assert_eq!(house.sign_in("cora", "battery staple").await.status, 401);
    house.settle_in("cora", done["one_time_password"].as_str().expect("a password")).await;
    let factor = waits(change(&house, &two, &person, json!({ "remove_second_factor": true })).await);
    decide(&house, &one, &factor, "approve").await.ok();
}

/// Whoever has lost the role cannot have a request carried out that they made before.
#[tokio::test(flavor = "multi_thread")]
async fn the_request_of_somebody_who_has_left_is_not_approved() {
    let (house, one, two) = with_two_supervisors().await;
    let sue = house.get(&two, "/api/me").await.ok()["person"].clone();
    let hired =
        waits(house.post(&two, "/api/staff/people", json!({ "name": "pal", "role": "supervisor" })).await);
    change(&house, &one, &sue, json!({ "disabled": true, "reason": fresh_id() })).await.ok();
    assert_eq!(decide(&house, &one, &hired, "approve").await.code(), "requester-gone");
    decide(&house, &one, &hired, "decline").await.ok();
    let people = house.get(&one, "/api/staff/people").await.ok();
    assert!(!people.to_string().contains("\"pal\""), "{people}");
}

/// One supervisor who could enable a dismissed one alone would have the second person.
#[tokio::test(flavor = "multi_thread")]
async fn a_dismissed_supervisor_is_enabled_only_with_the_approval_of_another() {
    let (house, one, two) = with_two_supervisors().await;
    let sue = house.get(&two, "/api/me").await.ok()["person"].clone();
    let hired =
        waits(house.post(&one, "/api/staff/people", json!({ "name": "sam", "role": "supervisor" })).await);
    let done = decide(&house, &two, &hired, "approve").await.ok();
    let three = house.settle_in("sam", done["one_time_password"].as_str().expect("a password")).await;
    change(&house, &one, &sue, json!({ "disabled": true })).await.ok();
    assert_eq!(house.get(&two, "/api/me").await.status, 401, "disabling does not wait");

    let enabling = waits(change(&house, &one, &sue, json!({ "disabled": false, "unlock": true })).await);
    assert_eq!(enabling["disabled"], false);
    assert_eq!(house.sign_in("sue", "battery staple").await.status, 401, "still dismissed");
    assert_eq!(decide(&house, &one, &enabling, "approve").await.code(), "second-person");
    decide(&house, &three, &enabling, "approve").await.ok();
    house.sign_in("sue", "battery staple").await.ok();
}
