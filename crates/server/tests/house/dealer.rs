//! A dealer's table: a person deals from a physical shoe, reports irregularities and calls the floor.

use crate::bot::fresh_id;
use crate::client::House;
use serde_json::{Value, json};
use server::audit;

pub struct Staffed {
    pub house: House,
    pub dealer: String,
    pub floor: String,
    pub supervisor: String,
}

pub async fn staffed(rules: &str) -> Staffed {
    staffed_with(&format!("rules = \"{rules}\"")).await
}

/// Opens a staffed house whose table has these lines in the house file.
pub async fn staffed_with(lines: &str) -> Staffed {
    let house = House::with(&format!("[[table]]\n{lines}\ndealing = \"dealer\"\n"), None).await;
    let supervisor = house.first_supervisor().await;
    let dealer = house.hire(&supervisor, "dora", "dealer").await;
    let floor = house.hire(&supervisor, "fred", "floor").await;
    Staffed { house, dealer, floor, supervisor }
}

impl Staffed {
    pub async fn act(&self, token: &str, mut action: Value) -> crate::client::Answer {
        action["id"] = fresh_id().into();
        action["round"] = self.house.get("", "/api/tables/1").await.ok()["view"]["round"].clone();
        self.house.post(token, "/api/tables/1/actions", action).await
    }

    pub async fn awaiting(&self) -> Value {
        self.house.get("", "/api/tables/1").await.ok()["view"]["awaiting"].clone()
    }

    /// Enters everything that the table still needs in the register.
    pub async fn enter_what_is_due(&self) {
        let due = self.house.get(&self.supervisor, "/api/register/due").await.ok();
        for need in due.as_array().expect("a list") {
            let entry =
                json!({ "id": fresh_id(), "kind": "approval", "clause": need["clause"], "text": "on file" });
            self.house.post(&self.supervisor, "/api/register", entry).await.ok();
        }
    }

    /// Performs the dealer's procedure until bets are open.
    pub async fn prepare(&self) {
        self.prepare_behind(104).await;
    }

    /// Performs the dealer's procedure, with this many cards behind the cut card.
    async fn prepare_behind(&self, behind: u16) {
        for _ in 0..30 {
            let awaiting = self.awaiting().await;
            if awaiting["what"] == "wagers" {
                return;
            }
            assert_eq!(awaiting["what"], "procedure", "{awaiting}");
            let mut action = json!({ "do": "perform", "step": awaiting["step"] });
            match awaiting["step"].as_str().unwrap_or_default() {
                "cut" => action["number"] = 200.into(),
                "place-cutting-card" => action["number"] = behind.into(),
                _ => {}
            }
            self.act(&self.dealer, action).await.ok();
        }
        panic!("the cards are never ready");
    }

    pub async fn deal(&self, cards: &[&str]) {
        for card in cards {
            self.act(&self.dealer, json!({ "do": "card", "card": card })).await.ok();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_deals_a_round_from_a_physical_shoe() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    let refused = table.act(&table.dealer, json!({ "do": "perform", "step": "shuffle" })).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts", "7d", "9h"]).await;
    assert_eq!(table.awaiting().await["what"], "decision");
    assert_eq!(table.act(&table.dealer, json!({ "do": "card", "card": "2c" })).await.status, 409, "not now");
    assert_eq!(table.act(&guest, json!({ "do": "card", "card": "2c" })).await.status, 403);
    table.act(&guest, json!({ "do": "stand", "box": 1 })).await.ok();
    table.deal(&["Tc"]).await;
    assert_eq!(table.house.get(&guest, "/api/me").await.ok()["play"], "1020.00");
    let told = table.house.get(&guest, "/api/tables/1/rounds/1").await.ok().to_string();
    assert!(told.contains("\"result\":\"win\"") && told.contains("\"card\":\"Tc\""), "{told}");
    assert!(audit(&table.house.options).expect("audited").passes);
}

/// The cards of a paid blackjack are still shown, as collected: they are in the discard rack and not counted twice.
/// Proves 19:47-2.7(a)#2.
#[tokio::test(flavor = "multi_thread")]
async fn the_cards_of_a_paid_blackjack_lie_in_the_rack() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let shoe =
        || async { table.house.get("", "/api/tables/1").await.ok()["view"]["shoe"]["discards"].clone() };
    let burned = shoe().await;
    for (player, number) in [(table.house.guest().await, 1), (table.house.guest().await, 2)] {
        table.act(&player, json!({ "do": "wager", "box": number, "amounts": ["20.00"] })).await.ok();
    }
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["As", "5d", "6h", "Kc", "4s"]).await;
    assert_eq!(table.awaiting().await["box"], 2);
    let view = table.house.get("", "/api/tables/1").await.ok()["view"].clone();
    let hand = |at: usize| (view["boxes"][at]["hands"][0]["cards"].clone(), &view["boxes"][at]["hands"][0]);
    assert_eq!((hand(0).0, &hand(0).1["collected"]), (json!(["As", "Kc"]), &json!(true)));
    assert_eq!((hand(1).0, &hand(1).1["collected"]), (json!(["5d", "4s"]), &json!(false)));
    assert_eq!(view["shoe"]["discards"].as_i64(), burned.as_i64().map(|burned| burned + 2));
}

/// A player at the house: the view says when a reshuffle of the batch may be requested, and the dealer shuffles it.
/// Proves 19:47-2.5(j)2#3.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_the_batch_of_an_idle_table_shuffled_again() {
    let table = staffed("nj-blackjack\"\nset = [\"shuffle=automated\"]\nname = \"Device").await;
    let asked =
        || async { table.house.get("", "/api/tables/1").await.ok()["view"]["shoe"]["may_reshuffle"].clone() };
    table.prepare().await;
    let guest = table.house.guest().await;
    let (bet, ask) = (
        json!({ "do": "wager", "box": 2, "amounts": ["20.00"] }),
        json!({ "do": "ask-reshuffle", "box": 2 }),
    );
    table.act(&guest, bet.clone()).await.ok();
    assert_eq!(asked().await, Value::Null, "no batch of an idle table");
    assert_eq!(table.act(&guest, ask.clone()).await.status, 409);
    table.act(&guest, json!({ "do": "withdraw", "box": 2 })).await.ok();
    table.act(&table.dealer, json!({ "do": "idle" })).await.ok();
    table.prepare().await;
    assert_eq!(asked().await, Value::Null, "nobody has come yet");
    table.act(&guest, bet).await.ok();
    assert_eq!(asked().await, json!([2]));
    table.act(&guest, ask).await.ok();
    assert_eq!(table.awaiting().await["what"], "procedure");
    table.prepare().await;
    assert_eq!(asked().await, Value::Null, "once");
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn irregularities_and_the_floor_are_recorded() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts"]).await;
    let found = json!({ "do": "report", "irregularity": "found-face-up", "card": "5c" });
    table.act(&table.dealer, found).await.ok();
    table.act(&table.dealer, json!({ "do": "call-floor" })).await.ok();
    assert_eq!(table.act(&table.dealer, json!({ "do": "void" })).await.status, 403, "a dealer voids nothing");
    table.act(&table.supervisor, json!({ "do": "void" })).await.ok();
    assert_eq!(table.house.get(&guest, "/api/me").await.ok()["play"], "1000.00", "the wager went back");
    let events = table.house.get(&table.supervisor, "/api/significant-events").await.ok().to_string();
    for what in ["round-voided", "irregularity", "floor-called"] {
        assert!(events.contains(what), "{what}: {events}");
    }
    assert_eq!(table.act(&table.floor, json!({ "do": "card", "card": "2c" })).await.status, 403);
    assert!(audit(&table.house.options).expect("audited").passes);
}

/// Ann's blackjack is paid while Bob still plays; she cashes out, and then the round is void: the money stays hers.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_paid_before_a_round_is_void_stays_paid() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let house = &table.house;
    let (ann, bob) = (house.player("ann").await, house.guest().await);
    let cashier = house.hire(&table.supervisor, "cora", "cashier").await;
    let order = |id: &str, amount: &str| json!({ "id": id, "patron": "ann", "amount": amount });
    house.post(&cashier, "/api/cashier/buy-ins", order("b1", "100.00")).await.ok();
    table.enter_what_is_due().await;
    table.act(&ann, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    table.act(&bob, json!({ "do": "wager", "box": 2, "amounts": ["20.00"] })).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts", "9c", "7d", "Ah", "5h"]).await;
    assert_eq!(table.awaiting().await["box"], 2, "the blackjack is paid");
    house.post(&cashier, "/api/cashier/cash-outs", order("o1", "130.00")).await.ok();
    table.act(&table.supervisor, json!({ "do": "void" })).await.ok();
    assert_eq!(house.get(&bob, "/api/me").await.ok()["play"], "1000.00");
    let patron = house.get(&cashier, "/api/cashier/patrons/ann").await.ok();
    assert_eq!((patron["cash"].as_str(), patron["owed"].as_str()), (Some("0.00"), Some("0.00")));
    assert_eq!(house.get(&table.supervisor, "/api/reports/today").await.ok()["reconciles"], true);
    assert!(audit(&house.options).expect("audited").passes);
}

/// A dealer who lost the answer to a call retries after the first card, and still gets its number.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_repeated_after_the_first_card_gets_its_first_answer() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    table.enter_what_is_due().await;
    let house = &table.house;
    house.player("ann").await;
    let guest = house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 2, "amounts": ["20.00"] })).await.ok();
    let (path, mut order) =
        ("/api/tables/1/cash-wagers", json!({ "id": "c1", "patron": "ann", "amount": "40.00" }));
    let called = house.post(&table.dealer, path, order.clone()).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts"]).await;
    assert_eq!(house.post(&table.dealer, path, order.clone()).await.ok(), called);
    order["id"] = "c2".into();
    assert_eq!(house.post(&table.dealer, path, order).await.code(), "cash-bets-closed", "a new one");
}

/// A table with many rounds is restored from its last snapshot.
#[tokio::test(flavor = "multi_thread")]
async fn a_dealers_table_goes_on_in_the_middle_of_its_shoe() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    for round in 0..36 {
        table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["10.00"] })).await.ok();
        table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
        let suit = ["s", "h", "d", "c"][round / 2 % 4];
        // The player has 19 or 20, and the dealer less.
        let ranks = if round % 2 == 0 { ["T", "7", "9", "K"] } else { ["J", "8", "Q", "A"] };
        let cards = ranks.map(|rank| format!("{rank}{suit}"));
        table.deal(&[&cards[0], &cards[1], &cards[2]]).await;
        table.act(&guest, json!({ "do": "stand", "box": 1 })).await.ok();
        table.deal(&[&cards[3]]).await;
        if table.awaiting().await["what"] != "wagers" {
            break;
        }
    }
    table.act(&guest, json!({ "do": "wager", "box": 3, "amounts": ["10.00"] })).await.ok();
    let before = table.house.get("", "/api/tables/1").await.ok()["view"].clone();
    let (dealer, supervisor, floor) = (table.dealer.clone(), table.supervisor.clone(), table.floor.clone());
    let table = Staffed { house: table.house.reopened().await, dealer, floor, supervisor };
    let after = table.house.get("", "/api/tables/1").await.ok()["view"].clone();
    for field in ["round", "awaiting", "boxes", "shoe", "dealer", "settled"] {
        assert_eq!(before[field], after[field], "{field}");
    }
    assert!(before["round"].as_i64().is_some_and(|round| round > 33), "{before}");
    assert_eq!(after["boxes"][0]["bettors"][0]["name"], before["boxes"][0]["bettors"][0]["name"]);
    assert!(after["boxes"][0]["bettors"][0]["name"].is_string(), "{after}");
    let told = table.house.get(&guest, "/api/tables/1/rounds/34").await.ok().to_string();
    assert!(told.contains("\"result\":\"win\""), "{told}");
    assert!(audit(&table.house.options).expect("audited").passes);
}

/// 19:47-2.6(l): the round in which the cut card comes out is dealt to its end, and nothing continues before the
/// shuffle.
#[tokio::test(flavor = "multi_thread")]
async fn the_round_of_the_cutting_card_is_finished_and_then_the_cards_are_shuffled() {
    let table = staffed("nj-blackjack").await;
    // 416 cards, one of them burned, seven per round: eleven are dealt before the cut card comes out with the twelfth.
    table.prepare_behind(404).await;
    let (ann, bob) = (table.house.guest().await, table.house.guest().await);
    let wager = |place: u8| json!({ "do": "wager", "box": place, "amounts": ["10.00"] });
    let shoe = async || table.house.get("", "/api/tables/1").await.ok()["view"]["shoe"].clone();
    for (suit, out) in [("s", false), ("h", true)] {
        table.act(&ann, wager(2)).await.ok();
        table.act(&bob, wager(5)).await.ok();
        table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
        let card = |rank: &str| format!("{rank}{suit}");
        table.deal(&[&card("T"), &card("J"), &card("9"), &card("Q")]).await;
        assert_eq!(shoe().await["cutting_card_out"], false);
        table.deal(&[&card("K")]).await;
        assert_eq!(shoe().await["cutting_card_out"], out, "the second card of box 5");
        // Nothing changes for the players of this round, and the dealer does not shuffle during it.
        let early = table.act(&table.dealer, json!({ "do": "perform", "step": "empty-shoe" })).await;
        assert_eq!(early.status, 409, "{}", early.body);
        table.act(&ann, json!({ "do": "hit", "box": 2 })).await.ok();
        table.deal(&[&card("A")]).await;
        table.act(&bob, json!({ "do": "stand", "box": 5 })).await.ok();
        table.deal(&[&card("8")]).await;
    }
    assert_eq!(table.house.get(&bob, "/api/me").await.ok()["play"], "1020.00", "both rounds were paid");
    let told = table.house.get(&ann, "/api/tables/1/rounds/2").await.ok();
    let events =
        told["steps"].as_array().expect("steps").iter().flat_map(|s| s["events"].as_array().expect("events"));
    let names: Vec<(&str, &str)> = events
        .map(|e| (e["event"].as_str().expect("a name"), e["clause"].as_str().expect("a clause")))
        .collect();
    let at = |wanted: &str| names.iter().position(|(name, _)| *name == wanted).expect(wanted);
    assert_eq!(names[at("cutting-card-out")].1, "19:47-2.6(l)");
    assert!(at("cutting-card-out") < at("settled") && at("settled") < at("picked-up"), "{names:?}");

    // No bet and no card before the shuffle.
    assert_eq!(table.awaiting().await["step"], "empty-shoe");
    let refused = table.act(&ann, wager(2)).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(refused.json()["error"]["clause"].is_string(), "{}", refused.body);
    assert_eq!(table.act(&table.dealer, json!({ "do": "card", "card": "2c" })).await.status, 409);
    for (step, clause) in [("empty-shoe", "19:47-2.6(l)2.i"), ("shuffle", "19:47-2.5(a)")] {
        let before = table.house.get("", "/api/journal/head").await.ok()["seq"].as_i64().expect("a number");
        let done = table.act(&table.dealer, json!({ "do": "perform", "step": step })).await.ok();
        assert!(done["seq"].as_i64().expect("a number") > before);
        let events = table.house.get("", "/api/tables/1").await.ok()["view"]["events"].clone();
        assert_eq!((&events[0]["step"], &events[0]["clause"]), (&json!(step), &json!(clause)), "{events}");
    }
    // 2.5(e)2: the player on whose box the cut card came out makes the cut.
    let awaiting = table.awaiting().await;
    assert_eq!((&awaiting["what"], &awaiting["box"]), (&json!("cut"), &json!(5)), "{awaiting}");
    let cut = |place: u8, at: u16| json!({ "do": "cut", "box": place, "at": at });
    assert_eq!(table.act(&ann, cut(2, 100)).await.status, 409, "not box 2");
    let near = table.act(&bob, cut(5, 5)).await;
    assert_eq!((near.status, near.json()["error"]["clause"].as_str()), (409, Some("19:47-2.5(c)")));
    table.act(&bob, cut(5, 100)).await.ok();
    table.prepare().await;
    let fresh = shoe().await;
    assert_eq!(
        (&fresh["left"], &fresh["discards"]),
        (&json!(415), &json!(1)),
        "all cards but the burned one"
    );
    assert_eq!(fresh["cutting_card_out"], false);
    table.act(&ann, wager(2)).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts"]).await;
    assert!(audit(&table.house.options).expect("audited").passes);
}
