//! Nonce shares of a shoe: hashes before any nonce, nonces before the first card, all of them in the opening.

use crate::bot::{Bot, play};
use crate::client::House;
use serde_json::{Value, json};
use server::fair::Share;
use server::{Against, Opening, audit, verify};

const HOUSE: &str = "[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n\
    [[table]]\nrules = \"nj-blackjack\"\nset = [\"decks=1\"]\n";

const NONCES: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];

/// Returns whether the first round has no cards yet. A blackjack may end the round before anybody looks.
fn undealt(view: &Value) -> bool {
    view["round"] == 1 && view["awaiting"]["what"] == "wagers"
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn share(nonce: &[u8; 32]) -> Value {
    json!({ "do": "share", "hash": Share::hash_of(nonce).to_string() })
}

fn reveal(nonce: &[u8; 32]) -> Value {
    json!({ "do": "reveal", "nonce": hex(nonce) })
}

/// Plays until the shoe with this number is over, and returns its opening.
async fn opened(bots: &mut [Bot<'_>], shoe: i64) -> Opening {
    for _ in 0..60 {
        let path = format!("/api/tables/1/shoes/{shoe}");
        let answer = bots[0].house.get(&bots[0].token, &path).await;
        if answer.status == 200 {
            return serde_json::from_value(answer.json()).expect("an opening");
        }
        play(bots, 1).await;
    }
    panic!("shoe {shoe} does not end");
}

/// Returns whether every check passes, including the house's signatures.
fn is_fair(opening: &Opening, noted: &Value, nonce: Option<&str>) -> bool {
    verify(opening, Against { commitment: noted.as_str(), nonce, log: None }).holds
}

#[tokio::test(flavor = "multi_thread")]
async fn nonces_of_players_are_mixed_into_the_order_and_one_that_is_withheld_is_seen() {
    let house = House::with(HOUSE, None).await;
    let mut bots = Vec::new();
    for seat in 1..=3 {
        bots.push(Bot::guest(&house, 1, seat).await);
    }
    assert_eq!(bots[0].act(share(&NONCES[0])).await.code(), "no-wager", "before a wager");
    for bot in &bots {
        bot.wager().await.ok();
    }
    let view = bots[0].view().await;
    assert_eq!(view["shoe"]["takes_shares"], true);
    let (shoe, noted) =
        (view["shoe"]["number"].as_i64().expect("a number"), view["shoe"]["commitment"].clone());
    assert_eq!(bots[0].act(json!({ "do": "share", "hash": "00" })).await.status, 400);
    assert_eq!(bots[0].act(reveal(&NONCES[0])).await.code(), "share-list-open", "nothing was given");
    bots[0].act(share(&NONCES[0])).await.ok();
    bots[1].act(share(&NONCES[1])).await.ok();
    assert_eq!(bots[0].act(share(&NONCES[2])).await.code(), "share-given", "given already");
    assert_eq!(bots[2].act(share(&NONCES[1])).await.code(), "share-taken", "another's hash");
    assert_eq!(bots[0].act(reveal(&NONCES[0])).await.code(), "share-list-open", "before the list is closed");
    let view = bots[0].view().await;
    let hashes: Vec<&Value> =
        view["shoe"]["shares"].as_array().expect("shares").iter().map(|s| &s["hash"]).collect();
    assert_eq!(hashes, [&share(&NONCES[0])["hash"], &share(&NONCES[1])["hash"]], "all hashes, in order");
    assert!(view["shoe"]["shares"][1]["signature"].as_str().is_some_and(|s| s.len() == 128), "acknowledged");
    assert_eq!(view["shoe"]["list"], Value::Null);
    // The second player's nonce never arrives: the house waits a moment, and deals.
    let asked = std::time::Instant::now();
    for bot in &bots {
        bot.act(json!({ "do": "deal" })).await.ok();
    }
    let view = bots[0].view().await;
    assert_eq!(view["reveal"], true);
    let list = view["shoe"]["list"].clone();
    assert!(list.as_str().is_some_and(|signature| signature.len() == 128), "closed and signed");
    assert_eq!(bots[2].act(share(&NONCES[2])).await.code(), "share-closed", "after the list was closed");
    assert_eq!(bots[1].act(reveal(&NONCES[2])).await.code(), "other-nonce", "another nonce");
    bots[0].act(reveal(&NONCES[0])).await.ok();
    while undealt(&bots[0].view().await) {
        assert!(asked.elapsed().as_secs() < 20, "the cards are not dealt");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(bots[1].act(reveal(&NONCES[1])).await.code(), "share-not-now", "too late");
    assert_eq!(bots[0].view().await["shoe"]["withheld"], 1, "counted for everyone");
    let opening = opened(&mut bots, shoe).await;
    assert!(is_fair(&opening, &noted, Some(&hex(&NONCES[0]))));
    assert_eq!(opening.signatures.as_ref().expect("signed").list.as_deref(), list.as_str());
    assert_eq!(opening.shares(), (2, 1));
    assert!(opening.has_nonce(&hex(&NONCES[0])) && !opening.has_nonce(&hex(&NONCES[1])));
    // If the house omits or changes a share, verification fails.
    for change in [
        |opening: &mut Opening| opening.mixed.shares.clear(),
        |opening: &mut Opening| opening.mixed.shares.truncate(1),
        |opening: &mut Opening| opening.mixed.shares[0].nonce = None,
        |opening: &mut Opening| opening.mixed.shares[1].nonce = Some("05".repeat(32)),
        |opening: &mut Opening| opening.mixed.after = 52,
        |opening: &mut Opening| opening.cut += 1,
    ] {
        let mut other = opening.clone();
        change(&mut other);
        assert!(!is_fair(&other, &noted, None), "found out");
    }
}

/// The shares are in the journal: a restart between hash and nonce, and one in the middle of the shoe, change nothing.
#[tokio::test(flavor = "multi_thread")]
async fn shares_survive_a_restart_and_the_audit_derives_the_order_again() {
    let mut house = House::with(HOUSE, None).await;
    let (token, person, shoe, noted);
    {
        let bot = Bot::guest(&house, 1, 1).await;
        bot.wager().await.ok();
        bot.act(share(&NONCES[0])).await.ok();
        let view = bot.view().await;
        (token, person) = (bot.token.clone(), bot.person);
        (shoe, noted) =
            (view["shoe"]["number"].as_i64().expect("a number"), view["shoe"]["commitment"].clone());
    }
    house = house.reopened().await;
    {
        let mut bot = Bot::guest(&house, 1, 1).await;
        (bot.token, bot.person) = (token.clone(), person);
        assert_eq!(bot.view().await["shoe"]["shares"].as_array().map(Vec::len), Some(1));
        bot.act(json!({ "do": "deal" })).await.ok();
        let asked = std::time::Instant::now();
        bot.act(reveal(&NONCES[0])).await.ok();
        while undealt(&bot.view().await) {
            assert!(asked.elapsed().as_secs() < 20, "the cards are not dealt");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
    house = house.reopened().await;
    {
        let mut bot = Bot::guest(&house, 1, 1).await;
        (bot.token, bot.person) = (token, person);
        let mut bots = [bot];
        let opening = opened(&mut bots, shoe).await;
        assert!(is_fair(&opening, &noted, Some(&hex(&NONCES[0]))));
    }
    house.close().await;
    assert!(audit(&house.options).expect("audited").passes);
}
