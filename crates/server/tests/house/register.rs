//! Records that the regulations require of people: the register, notices, inspections, and spoken bets backed by cash.

use crate::client::House;
use crate::dealer::{staffed, staffed_with};
use serde_json::{Value, json};
use server::audit;

fn entry(id: &str, kind: &str, clause: &str, text: &str) -> Value {
    json!({ "id": id, "kind": kind, "clause": clause, "text": text })
}

async fn due(house: &House, token: &str) -> Vec<(u64, String)> {
    let found = house.get(token, "/api/register/due").await.ok();
    let lines = found.as_array().expect("a list").iter();
    lines
        .map(|d| (d["table"].as_u64().unwrap_or(0), d["clause"].as_str().unwrap_or_default().into()))
        .collect()
}

/// A supervisor enters everything that needs approval, or is limited, by the Commission or the Division, with its
/// clause; it stays in the journal, and those who keep the books can read it.
/// Records MA-BJS 7(l)(2)#4, MA-BJS 13(a)#3, MA-BJS 13(f), MA-BJS 13(f)#2, 19:47-2.5(j)2.i, 19:47-2.5(j)2.ii,
/// 19:47-2.5(k),
/// 19:47-2.10(c)#6, 19:47-2.13(a)#3, 19:47-2.13(g), 19:47-2.13(g)#2, 19:47-2.13(g)#3, 19:47-2.19(i)#2, 19:47-2.21#2,
/// 19:47-26.2(a)#8, 19:47-26.4(h), 19:47-26.7(i)#4, 19:47-26.13(a)#3, 19:47-26.13(h), 19:46-1.10C(b), 19:46-1.10C(c)#2,
/// 19:47-2A.4(i)2.i, 19:47-2A.4(i)2.ii, 19:47-2A.4(j), 19:47-2A.7(l)2#4, 19:47-2A.13(a)#3, 19:47-2A.13(f),
/// 19:47-2A.13(f)#2, 19:46-1.13V(b), 19:46-1.17(c)#2, 19:46-1.17(f)#2, 19:46-1.19(c)1, 19:47-36.12(a)#3,
/// 19:47-36.12(h).
#[tokio::test(flavor = "multi_thread")]
async fn approvals_and_limits_are_on_record() {
    let clauses = [
        "MA-BJS 7(l)(2)#4",
        "MA-BJS 13(a)#3",
        "MA-BJS 13(f)",
        "MA-BJS 13(f)#2",
        "19:47-2.5(j)2.i",
        "19:47-2.5(j)2.ii",
        "19:47-2.5(k)",
        "19:47-2.10(c)#6",
        "19:47-2.13(a)#3",
        "19:47-2.13(g)",
        "19:47-2.13(g)#2",
        "19:47-2.13(g)#3",
        "19:47-2.19(i)#2",
        "19:47-2.21#2",
        "19:47-26.2(a)#8",
        "19:47-26.4(h)",
        "19:47-26.7(i)#4",
        "19:47-26.13(a)#3",
        "19:47-26.13(h)",
        "19:46-1.10C(b)",
        "19:46-1.10C(c)#2",
        "19:47-2A.4(i)2.i",
        "19:47-2A.4(i)2.ii",
        "19:47-2A.4(j)",
        "19:47-2A.7(l)2#4",
        "19:47-2A.13(a)#3",
        "19:47-2A.13(f)",
        "19:47-2A.13(f)#2",
        "19:46-1.13V(b)",
        "19:46-1.17(c)#2",
        "19:46-1.17(f)#2",
        "19:46-1.19(c)1",
        "19:47-36.12(a)#3",
        "19:47-36.12(h)",
    ];
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "gus", "auditor").await;
    let floor = house.hire(&supervisor, "fred", "floor").await;
    for (n, clause) in clauses.iter().enumerate() {
        let kind = if clause.contains("13(") { "limit" } else { "approval" };
        let order = entry(&format!("a{n}"), kind, clause, &format!("letter {n}"));
        assert_eq!(house.post(&floor, "/api/register", order.clone()).await.status, 403, "not the floor's");
        let first = house.post(&supervisor, "/api/register", order.clone()).await.ok();
        assert_eq!(first["clause"], *clause);
        assert_eq!(house.post(&supervisor, "/api/register", order).await.ok()["seq"], first["seq"], "once");
    }
    for bad in [
        entry("x1", "approval", "19:47-99", "x"),
        entry("x2", "approval", "19:47-2.5(k)", "  "),
        json!({ "id": "x3", "kind": "approval", "clause": "19:47-2.5(k)", "text": "x", "table": 99 }),
    ] {
        assert_eq!(house.post(&supervisor, "/api/register", bad).await.status / 100, 4);
    }
    let house = house.reopened().await;
    let listed = house.get(&auditor, "/api/register?limit=500").await.ok();
    let items = listed["items"].as_array().expect("a list");
    assert_eq!(items.len(), clauses.len());
    for (item, clause) in items.iter().rev().zip(clauses) {
        assert_eq!(item["clause"], clause);
        assert!(item["at"].is_string() && item["person"].is_i64());
    }
    assert!(audit(&house.options).expect("audited").passes);
}

/// A notice or approval that a table's rules need is due until it is entered; everyone can read the notices.
/// Records 19:47-2.6(k)#2, 19:47-2.7(c)#2, 19:47-2.8(c)#5, 19:47-2.11(e)#3, 19:47-2.11(e)#5, 19:47-2.21#2,
/// 19:47-26.7(i)#7, 19:47-36.7(k)#6.
#[tokio::test(flavor = "multi_thread")]
async fn notices_are_due_until_they_are_given() {
    let file = "[[table]]\nrules = \"nj-blackjack\"\nset = [\"even_money=true\", \"surrender=true\", \"split_hands=4\"]\n\
                [[table]]\nrules = \"nj-blackjack-face-up\"\n[[table]]\nrules = \"nj-blackjack\"\nset = [\"shoe=continuous\"]\n\
                [[table]]\nrules = \"nj-double-attack\"\nset = [\"hole_card=reader\"]\n\
                [[table]]\nrules = \"nj-triple-attack\"\nset = [\"hole_card=reader\"]\n";
    let house = House::with(file, None).await;
    let supervisor = house.first_supervisor().await;
    let wanted = [
        (1, "19:47-2.7(c)#2"),
        (1, "19:47-2.8(c)#5"),
        (1, "19:47-2.11(e)#3"),
        (1, "19:47-2.11(e)#5"),
        (2, "19:47-2.6(k)#2"),
        (3, "19:47-2.21#2"),
        (4, "19:47-26.7(i)#7"),
        (5, "19:47-36.7(k)#6"),
    ];
    for (n, (table, clause)) in wanted.into_iter().enumerate() {
        let line = (table, clause.to_owned());
        assert!(due(&house, &supervisor).await.contains(&line), "{line:?}");
        let mut notice = entry(&format!("n{n}"), "notice", clause, "posted at the pit");
        notice["table"] = table.into();
        house.post(&supervisor, "/api/register", notice).await.ok();
        assert!(!due(&house, &supervisor).await.contains(&line), "{line:?}");
    }
    let notices = house.get("", "/api/notices").await.ok();
    assert_eq!(notices["items"].as_array().map(Vec::len), Some(wanted.len()), "without signing in");
}

/// A rule change without its required notice is a significant event, and the notice stays due.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_without_notice_is_found_when_the_house_opens() {
    let file = |set: &str| format!("[[table]]\nrules = \"nj-blackjack\"\nset = [{set}]\n");
    let house = House::with(&file("\"side_wagers.sevens=true\""), None).await;
    let supervisor = house.first_supervisor().await;
    let path = house.options.house.clone().expect("a file");
    std::fs::write(path, file("")).expect("written");
    let house = house.reopened().await;
    let line = (1, "19:47-2.17(a)#3".to_owned());
    assert!(due(&house, &supervisor).await.contains(&line));
    let events = house.get(&supervisor, "/api/significant-events").await.ok().to_string();
    assert!(events.contains("rules-changed-without-notice"), "{events}");
    let lobby = house.get("", "/api/tables").await.ok();
    assert_eq!(lobby[0]["side_wagers"], json!({}), "the table is open under its new rules");
    house.post(&supervisor, "/api/register", entry("n1", "notice", &line.1, "withdrawn")).await.ok();
    assert!(!due(&house, &supervisor).await.contains(&line));
    assert!(audit(&house.options).expect("audited").passes);
}

/// Records 19:46-1.19(g), 19:47-2.2(c)#3, 19:47-2.2(d)2, 19:46-1.10C(f)#2, 19:46-1.18(n), 19:46-1.18(n)1, 19:46-1.17(g)1.
#[tokio::test(flavor = "multi_thread")]
async fn the_floor_inspects_and_it_is_on_record() {
    let table = staffed("nj-blackjack").await;
    let line = (1, "19:46-1.19(g)".to_owned());
    assert!(due(&table.house, &table.floor).await.contains(&line), "each gaming day, at a dealer's table");
    for (n, clause) in [
        "19:46-1.19(g)",
        "19:47-2.2(c)#3",
        "19:47-2.2(d)2",
        "19:46-1.10C(f)#2",
        "19:46-1.18(n)",
        "19:46-1.18(n)1",
        "19:46-1.17(g)1",
    ]
    .into_iter()
    .enumerate()
    {
        let mut order =
            entry(&format!("i{n}"), "inspection", clause, "red and blue backs; nothing tampered with");
        order["table"] = 1.into();
        assert_eq!(table.house.post(&table.dealer, "/api/register", order.clone()).await.status, 403);
        let entered = table.house.post(&table.floor, "/api/register", order).await.ok();
        assert_eq!((entered["clause"].as_str(), entered["table"].as_u64()), (Some(clause), Some(1)));
    }
    assert!(!due(&table.house, &table.floor).await.contains(&line));
    let listed = table.house.get(&table.floor, "/api/register").await.ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(7));
}

/// Dealer's tables, and the entries that each needs before cage chips can be bet there, in the order of the refusals.
const NEEDED: [(&str, &str, &[&str]); 15] = [
    (
        "nj-blackjack",
        "\"split_hands=2\", \"even_money=true\"",
        &["19:47-2.7(c)#2", "19:47-2.2(a)#5", "19:47-2.10(c)#6"],
    ),
    (
        "nj-blackjack",
        "\"split_hands=2\", \"surrender=true\"",
        &["19:47-2.8(c)#5", "19:47-2.2(a)#5", "19:47-2.10(c)#6"],
    ),
    (
        "nj-blackjack",
        "\"split_hands=3\"",
        &["19:47-2.11(e)#3", "19:47-2.11(e)#5", "19:47-2.2(a)#5", "19:47-2.10(c)#6"],
    ),
    (
        "nj-blackjack",
        "\"split_hands=2\", \"shoe=double\", \"decks=6\"",
        &["19:47-2.2(a)#5", "19:47-2.2(c)#3", "19:47-2.10(c)#6"],
    ),
    (
        "nj-blackjack",
        "\"split_hands=2\", \"shuffle=automated\"",
        &["19:47-2.2(a)#5", "19:47-2.2(d)2", "19:47-2.5(j)2.i", "19:47-2.5(j)2.ii", "19:47-2.10(c)#6"],
    ),
    (
        "nj-blackjack",
        "\"split_hands=2\", \"double_card=down\"",
        &["19:47-2.10(c)#5", "19:47-2.2(a)#5", "19:47-2.10(c)#6"],
    ),
    ("nj-blackjack", "\"split_hands=2\", \"shoe=continuous\"", &["19:47-2.21#2", "19:47-2.10(c)#6"]),
    ("nj-blackjack-face-up", "", &["19:47-2.6(k)#2", "19:47-2.2(a)#5", "19:47-2.10(c)#6"]),
    (
        "nj-blackjack",
        "\"split_hands=2\", \"hole_card=reader\"",
        &["19:47-2.2(a)#5", "19:47-2.6(j)#4", "19:47-2.10(c)#6"],
    ),
    (
        "nj-blackjack",
        "\"split_hands=2\", \"side_wagers.streak.minimum=1\"",
        &["19:47-2.22(a)#2", "19:47-2.2(a)#5", "19:47-2.10(c)#6", "19:47-2.22(d)"],
    ),
    (
        "nj-blackjack",
        "\"split_hands=2\", \"hole_card=down\", \"side_wagers.twenty-point.cap=30000\"",
        &["19:47-2.2(a)#5", "19:47-2.10(c)#6", "19:47-2.24(h)"],
    ),
    (
        "nj-switch",
        "\"hole_card=reader\", \"shuffle=automated\"",
        &[
            "19:46-1.10C(b)",
            "19:46-1.10C(c)#2",
            "19:46-1.10C(d)",
            "19:46-1.10C(f)",
            "19:46-1.10C(f)#2",
            "19:47-2A.2(a)#5",
            "19:47-2A.3(b)#3",
            "19:47-2A.4(i)2.i",
            "19:47-2A.4(i)2.ii",
            "19:47-2A.7(l)2#4",
            "19:47-2A.15(i)",
        ],
    ),
    ("ma-switch", "\"hole_card=reader\"", &["MA-BJS 7(l)(2)#4"]),
    (
        "nj-double-attack",
        "\"hole_card=reader\", \"shuffle=automated\"",
        &[
            "19:47-26.7(i)#7",
            "19:47-26.2(a)#8",
            "19:47-26.3(b)#3",
            "19:47-26.7(i)#4",
            "19:47-26.15(b)",
            "19:47-26.15(j)",
        ],
    ),
    (
        "nj-triple-attack",
        "\"hole_card=reader\", \"shuffle=automated\"",
        &[
            "19:47-36.7(k)#6",
            "19:47-36.3(b)#3",
            "19:47-36.14(b)",
            "19:46-1.13V(b)",
            "19:46-1.17(c)#2",
            "19:46-1.17(f)#2",
            "19:46-1.17(g)#2",
            "19:46-1.19(c)1",
        ],
    ),
];

/// If play depends on an approval, a notice or an inspection, a dealer's table takes no cage chips before it is
/// entered: the bet is refused with the first clause whose entry is missing, and accepted once the last one is there.
/// Practice with play chips continues.
/// Proves 19:47-2.6(k)#2, 19:47-2.7(c)#2, 19:47-2.8(c)#5, 19:47-2.11(e)#3, 19:47-2.11(e)#5,
/// 19:47-2.21#2, 19:47-26.7(i)#7, 19:47-36.7(k)#6, 19:47-2.2(c)#3, 19:47-2.2(d)2, 19:47-2.5(j)2.i, 19:47-2.5(j)2.ii,
/// 19:47-2.10(c)#6, 19:46-1.10C(b), 19:46-1.10C(c)#2, 19:46-1.10C(f)#2, 19:47-2A.7(l)2#4, MA-BJS 7(l)(2)#4,
/// 19:47-26.2(a)#8, 19:47-26.7(i)#4, 19:46-1.13V(b), 19:46-1.17(c)#2, 19:46-1.17(f)#2, 19:46-1.19(c)1, 19:46-1.19(g),
/// 19:47-2A.3(b)#3, 19:47-2A.4(i)2.i, 19:47-2A.4(i)2.ii, 19:47-2.2(a)#5, 19:47-2A.2(a)#5, 19:47-2.6(j)#4,
/// 19:47-2.10(c)#5,
/// 19:47-2.22(d), 19:47-2.24(h), 19:46-1.10C(d), 19:46-1.10C(f), 19:47-2A.15(i), 19:47-26.3(b)#3, 19:47-26.15(b),
/// 19:47-26.15(j), 19:47-36.3(b)#3, 19:47-36.14(b), 19:46-1.17(g)#2.
#[tokio::test(flavor = "multi_thread")]
async fn no_bought_chips_are_wagered_before_the_entries_are_made() {
    let tables = NEEDED.map(|(rules, set, _)| {
        format!("[[table]]\nrules = \"{rules}\"\ndealing = \"dealer\"\nset = [{set}]\n")
    });
    let house = House::with(&tables.concat(), None).await;
    let supervisor = house.first_supervisor().await;
    let cashier = house.hire(&supervisor, "cora", "cashier").await;
    let (ann, bob, guest) = (house.player("ann").await, house.player("bob").await, house.guest().await);
    house.call(&bob, "PUT", "/api/me/chips", Some(json!({ "chips": "play" }))).await.ok();
    let order = json!({ "id": "b1", "patron": "ann", "amount": "1000.00" });
    house.post(&cashier, "/api/cashier/buy-ins", order).await.ok();
    for (number, (rules, _, clauses)) in (1u64..).zip(NEEDED) {
        let wager = async |who: &str, id: &str| {
            let id = format!("{id}-{number}");
            let action = json!({ "id": id, "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
            house.post(who, &format!("/api/tables/{number}/actions"), action).await
        };
        // the inspection of each gaming day is a rule of New Jersey
        let inspection = (rules != "ma-switch").then_some(&"19:46-1.19(g)");
        for (n, clause) in clauses.iter().chain(inspection).enumerate() {
            assert!(due(&house, &supervisor).await.contains(&(number, (*clause).to_owned())), "{clause}");
            let refused = wager(&ann, &format!("r{n}")).await;
            let error = &refused.json()["error"];
            assert_eq!(refused.code(), "entry-missing", "{rules} without {clause}: {}", refused.body);
            let citation = clause.split('#').next();
            assert_eq!(error["clause"].as_str(), citation, "{rules}: {}", refused.body);
            for (who, name) in [(&guest, "g"), (&bob, "b")] {
                assert_ne!(wager(who, &format!("{name}{n}")).await.code(), "entry-missing", "play chips");
            }
            let mut made = entry(&format!("e{number}-{n}"), "approval", clause, "letter of the third");
            made["table"] = number.into();
            house.post(&supervisor, "/api/register", made).await.ok();
        }
        let answer = wager(&ann, "w").await;
        assert_ne!(answer.code(), "entry-missing", "{rules}: {}", answer.body);
    }
}

/// Dealer and supervisor confirm together, before the first card, and the cash becomes chips at once.
/// Proves MA-BJS 5(d)#2, MA-BJS 5(d)#3, 19:47-2.3(d)#2, 19:47-2.3(d)#3, 19:47-2.17(f)#2, 19:47-2.20(b)#2,
/// 19:47-2.23(d)#2,
/// 19:47-2.24(c)#2, 19:47-2.25(b)#2, 19:47-26.5(c)#3, 19:47-26.5(c)#4, 19:47-26.6(c)#2, 19:47-26.6(c)#3,
/// 19:47-2A.5(d)#2,
/// 19:47-2A.5(d)#3, 19:47-36.5(e.1)#3, 19:47-36.5(e.1)#4, 19:47-36.6(c)#2, 19:47-36.6(c)#3.
#[tokio::test(flavor = "multi_thread")]
async fn a_spoken_wager_is_confirmed_by_dealer_and_supervisor() {
    for rules in ["nj-blackjack", "nj-switch", "ma-switch", "nj-double-attack", "nj-triple-attack"] {
        let table = staffed(rules).await;
        let house = &table.house;
        let ann = house.player("ann").await;
        let order = json!({ "id": "c1", "patron": "ann", "amount": "40.00" });
        let early = house.post(&table.dealer, "/api/tables/1/cash-wagers", order.clone()).await;
        assert_eq!(early.code(), "cash-bets-closed", "the cards are not ready");
        table.prepare().await;
        if rules != "ma-switch" {
            let unready = house.post(&table.dealer, "/api/tables/1/cash-wagers", order.clone()).await;
            assert_eq!(unready.code(), "entry-missing", "the day's inspection at least");
        }
        table.enter_what_is_due().await;
        let sole = house.post(&table.supervisor, "/api/tables/1/cash-wagers", order.clone()).await;
        assert_eq!(sole.status, 403, "the dealer calls it");
        let called = house.post(&table.dealer, "/api/tables/1/cash-wagers", order).await.ok();
        assert_eq!(house.get(&ann, "/api/me").await.ok()["cash"], "0.00", "not yet confirmed");
        // A dealer who uses the id from which confirmations were formerly derived takes nothing from the patron.
        let name = format!("cash-wager-{}", called["call"]);
        let first = json!({ "id": name, "patron": "ann", "amount": "1.00" });
        house.post(&table.dealer, "/api/tables/1/cash-wagers", first).await.ok();
        let own = json!({ "id": format!("~{name}"), "patron": "ann", "amount": "1.00" });
        assert_eq!(house.post(&table.dealer, "/api/tables/1/cash-wagers", own).await.code(), "id");
        let path = format!("/api/tables/1/cash-wagers/{}/confirmation", called["call"]);
        for stranger in [&table.dealer, &table.floor, &ann] {
            assert_eq!(house.post(stranger, &path, json!({})).await.status, 403);
        }
        let first = house.post(&table.supervisor, &path, json!({})).await.ok();
        let again = house.post(&table.supervisor, &path, json!({})).await.ok();
        assert_eq!(first["confirmed"], again["confirmed"], "once");
        assert_eq!(house.get(&ann, "/api/me").await.ok()["cash"], "40.00", "chips");
        let missing =
            house.post(&table.supervisor, "/api/tables/1/cash-wagers/1/confirmation", json!({})).await;
        assert_eq!(missing.status, 404);
        let report = house.get(&table.supervisor, "/api/reports/today").await.ok();
        assert_eq!(report["reconciles"], true);
    }
}

/// Tables with a side bet, the name of the bet, and the citation for a call that comes too late.
const SPOKEN: [(&str, &str, &str, &str); 9] = [
    ("nj-blackjack", "over-under-13", "over-13", "19:47-2.3(d)"),
    ("nj-blackjack", "blackjack-bonus", "blackjack-bonus", "19:47-2.3(d)"),
    ("nj-blackjack", "match-the-dealer", "match-the-dealer", "19:47-2.3(d)"),
    ("nj-blackjack-reader", "twenty-point", "twenty-point", "19:47-2.3(d)"),
    ("nj-blackjack", "dealer-bust", "dealer-bust", "19:47-2.3(d)"),
    ("nj-switch", "match", "match", "19:47-2A.5(d)"),
    ("ma-switch", "match", "match", "MA-BJS 5(d)"),
    ("nj-double-attack", "dealer-bust", "dealer-bust", "19:47-26.5(c)"),
    ("nj-triple-attack", "suited-royals", "suited-royals", "19:47-36.5(e.1)"),
];

/// Chips for spoken cash can also go on the side bet; after the first card no call is accepted, and none made before is
/// confirmed.
/// Proves 19:47-2.3(d)#2, 19:47-2.17(f)#2, 19:47-2.20(b)#2, 19:47-2.23(d)#2, 19:47-2.24(c)#2, 19:47-2.25(b)#2,
/// 19:47-2A.5(d)#2, MA-BJS 5(d)#2, 19:47-26.5(c)#3, 19:47-26.6(c)#2, 19:47-36.5(e.1)#3, 19:47-36.6(c)#2.
#[tokio::test(flavor = "multi_thread")]
async fn no_spoken_wager_is_confirmed_behind_the_first_card() {
    for (rules, section, side, clause) in SPOKEN {
        let table =
            staffed_with(&format!("rules = \"{rules}\"\nset = [\"side_wagers.{section}=true\"]")).await;
        let house = &table.house;
        let ann = house.player("ann").await;
        table.prepare().await;
        table.enter_what_is_due().await;
        let call = async |id: &str, amount: &str| {
            let order = json!({ "id": id, "patron": "ann", "amount": amount });
            house.post(&table.dealer, "/api/tables/1/cash-wagers", order).await
        };
        let path = |called: &Value| format!("/api/tables/1/cash-wagers/{}/confirmation", called["call"]);
        let cash = async || house.get(&ann, "/api/me").await.ok()["cash"].clone();
        // a Switch player makes two equal bets
        let main = if rules.ends_with("switch") { "20.00" } else { "10.00" };
        let first = call("c1", main).await.ok();
        let beside = call("c2", "1.00").await.ok();
        let late = call("c3", "40.00").await.ok();
        assert_eq!(cash().await, "0.00", "{section}: nobody has confirmed it");
        house.post(&table.supervisor, &path(&first), json!({})).await.ok();
        let wager = json!({ "do": "wager", "box": 1, "amounts": ["10.00"], "side": { side: "1.00" } });
        assert_ne!(
            table.act(&ann, wager.clone()).await.status,
            200,
            "{section}: the dollar is not confirmed"
        );
        house.post(&table.supervisor, &path(&beside), json!({})).await.ok();
        table.act(&ann, wager).await.ok();
        assert_eq!(cash().await, "0.00", "{section}: all of it is on the layout");
        table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
        table.deal(&["9s"]).await;
        let late = house.post(&table.supervisor, &path(&late), json!({})).await;
        assert_eq!(late.code(), "cash-bets-closed", "{section}: {}", late.body);
        assert_eq!(late.json()["error"]["clause"], clause, "{section}");
        assert_eq!(call("c4", "5.00").await.code(), "cash-bets-closed");
        assert_eq!(cash().await, "0.00", "{section}: no chips for it");
    }
}

/// Proves 19:46-1.10C(b)1, 19:46-1.13V(b)1.
#[tokio::test(flavor = "multi_thread")]
async fn the_layout_shows_the_name_of_the_licensee() {
    let file =
        "name = \"Pier Seven\"\n[[table]]\nrules = \"nj-switch\"\n[[table]]\nrules = \"nj-triple-attack\"\n";
    let house = House::with(file, None).await;
    for (table, clause) in [(1, "19:46-1.10C(b)1"), (2, "19:46-1.13V(b)1")] {
        let told = house.get("", &format!("/api/tables/{table}/rules")).await.ok();
        assert_eq!(told["inscriptions"][0], json!({ "text": "Pier Seven", "clause": clause }));
    }
}

/// An auditor finds the rounds of a patron by name.
#[tokio::test(flavor = "multi_thread")]
async fn an_auditor_finds_the_rounds_of_a_patron() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let house = &table.house;
    let auditor = house.hire(&table.supervisor, "gus", "auditor").await;
    let guest = house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts", "7d", "9h"]).await;
    table.act(&guest, json!({ "do": "stand", "box": 1 })).await.ok();
    table.deal(&["Tc"]).await;
    let name = house.get(&guest, "/api/me").await.ok()["name"].as_str().expect("a name").to_owned();
    let path = format!("/api/patrons/{}/rounds", name.replace(' ', "%20"));
    let found = house.get(&auditor, &path).await.ok();
    assert_eq!(
        (found["items"][0]["round"].as_i64(), found["items"][0]["returned"].as_str()),
        (Some(1), Some("40.00"))
    );
    assert_eq!(house.get(&auditor, "/api/patrons/nobody/rounds").await.status, 404);
    assert_eq!(house.get(&guest, &path).await.status, 403);
}
