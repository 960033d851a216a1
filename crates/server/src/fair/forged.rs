//! Tests the checks of a finished shoe with openings that a dishonest house would forge.
//!
//! Such a house has the signing key, signs anything, and knows all nonces. Each opening is checked against what an
//! honest player's browser noted earlier. The file `vectors.json` holds all openings with the sentence of each
//! check, and also tests the page's own checks. `CUTCARD_REGENERATE=1` rewrites the file.

use super::chance::{Chance, shuffle};
use super::notes::{BrowserNotes, NotedCommitment, NotedCut, NotedList, NotedShare, SeenCard};
use super::opening::{
    CUT_RULE, Committed, DrawnRound, MIX_RULE, Opening, PublishedMix, PublishedShare, Signatures, Statement,
};
use super::order::{Mixed, Share, derived_cut, sequence};
use super::vault::Vault;
use super::verify::{Against, Verdict, verify};
use ledger::keys::hex;
use ledger::seal::Sealer;
use rules::card::{parse_cards, show_cards};
use rules::{Card, Deck};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/browser/vectors.json");
/// The name of the vector whose checks all pass although `unchecked` says that the order is not proven.
const UNPROVEN_VECTOR: &str = "a share made up before the list was closed, and none from the player";

/// A test vector: an opening, the evidence that it is checked against, and the expected verdict.
#[derive(Serialize, Deserialize)]
struct Vector {
    name: String,
    /// The name of the check that must fail, or `None` if every check must pass.
    fails: Option<String>,
    opening: Opening,
    log: Option<BrowserNotes>,
    commitment: Option<String>,
    nonce: Option<String>,
    verdict: Verdict,
}

/// Returns a vault with a signing key made of the byte `key`, so that the vectors never change.
fn vault(key: u8) -> Vault {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(directory.path().join("keys")).expect("made");
    std::fs::write(directory.path().join("keys/seal.key"), hex(&[key; 32])).expect("written");
    let sealer = Sealer::existing(directory.path(), None).expect("a key");
    Vault::under(&[1; 32]).signing(Arc::new(sealer))
}

fn shares() -> PublishedMix {
    let share = |(n, told): (u8, bool)| PublishedShare {
        hash: Share::hash_of(&[n; 32]).to_string(),
        nonce: told.then(|| hex(&[n; 32])),
    };
    PublishedMix { after: 1, shares: [(7, true), (8, false), (9, true)].map(share).into() }
}

fn committed(order: &[Card]) -> Committed {
    Committed {
        table: 3,
        shoe: 9,
        decks: 2,
        deck: 52,
        on_layout: String::new(),
        cut_rule: CUT_RULE.into(),
        mix_rule: MIX_RULE.into(),
        cut_least: 10,
        nonce: "05".repeat(32),
        order: show_cards(order),
    }
}

fn order() -> Vec<Card> {
    let mut order: Vec<Card> = Deck::FIFTY_TWO.cards().chain(Deck::FIFTY_TWO.cards()).collect();
    shuffle(&mut order, &mut Chance::from_entropy(&[4; 32]));
    order
}

/// Returns the honest opening of a shoe from which twelve cards are drawn in two rounds.
fn dealt(committed: Committed, mixed: PublishedMix) -> Opening {
    let commitment = committed.commitment();
    let order = parse_cards(&committed.order).expect("cards");
    let cut = derived_cut(&commitment, order.len(), committed.cut_least);
    let cards = sequence(&order, &commitment, cut, &Mixed::of(&mixed).expect("shares"));
    let mut opening = Opening {
        committed,
        commitment,
        cut,
        cut_by: None,
        mixed,
        drawn: String::new(),
        rounds: Vec::new(),
        signatures: None,
    };
    draw(&mut opening, &cards, &[(41, 7), (42, 12)]);
    opening
}

fn draw(opening: &mut Opening, cards: &[Card], rounds: &[(i64, usize)]) {
    let mut from = 0;
    let round = |(round, to): &(i64, usize)| {
        let cards = show_cards(&cards[std::mem::replace(&mut from, *to)..*to]);
        DrawnRound { round: *round, cards }
    };
    opening.rounds = rounds.iter().map(round).collect();
    opening.drawn = show_cards(&cards[..rounds.last().map_or(0, |(_, to)| *to)]);
}

/// Signs the opening with the signing key of `vault`.
fn signed(mut opening: Opening, vault: &Vault) -> Opening {
    let sign = |text: Vec<u8>| vault.sign_text(&text).expect("signed");
    let signatures = Signatures {
        house: vault.house().expect("a key"),
        commitment: sign(opening.commitment_text()),
        list: opening.committed.on_layout.is_empty().then(|| sign(opening.list_text())),
        opening: sign(opening.signed_text()),
    };
    opening.signatures = Some(signatures);
    opening
}

/// Returns the browser's notes of a player who gave the first share, if any, and left after ten cards.
fn log(opening: &Opening, vault: &Vault) -> BrowserNotes {
    let (table, shoe, commitment) = (opening.committed.table, opening.committed.shoe, &opening.commitment);
    let hashes: Vec<String> = opening.mixed.shares.iter().map(|share| share.hash.clone()).collect();
    let share = hashes.first().map(|own| {
        let said = Statement::Share { table, shoe, commitment, place: 1, hash: own };
        NotedShare { place: 1, hash: own.clone(), signature: vault.sign(&said).expect("signed") }
    });
    let size = opening.committed.order.split(' ').count();
    let drawn: Vec<&str> = opening.drawn.split(' ').collect();
    let seen = |(at, card): (usize, &&str)| SeenCard {
        round: if at < 7 { 41 } else { 42 },
        left: Some(size - 1 - at),
        card: (*card).into(),
    };
    let signatures = opening.signatures.as_ref().expect("signed");
    BrowserNotes {
        table,
        shoe,
        house: signatures.house.clone(),
        decks: opening.committed.decks,
        deck: opening.committed.deck,
        commitment: NotedCommitment {
            commitment: commitment.clone(),
            signature: signatures.commitment.clone(),
            left: size,
        },
        layout: Vec::new(),
        face_down: 0,
        cut: Some(NotedCut { at: opening.cut, by: None }),
        list: signatures.list.clone().map(|signature| NotedList {
            cut: opening.cut,
            cut_by: None,
            after: opening.mixed.after,
            hashes,
            signature,
        }),
        sent: share.is_some(),
        revealed: share.is_some(),
        share,
        nonce: opening.mixed.shares.first().and_then(|share| share.nonce.clone()),
        // the burn card is face down, so it is not in the notes
        cards: drawn.iter().enumerate().skip(1).take(9).map(seen).collect(),
    }
}

fn vector(name: &str, fails: Option<&str>, opening: &Opening, against: Against<'_>) -> Vector {
    Vector {
        name: name.into(),
        fails: fails.map(str::to_owned),
        opening: opening.clone(),
        log: against.log.cloned(),
        commitment: against.commitment.map(str::to_owned),
        nonce: against.nonce.map(str::to_owned),
        verdict: verify(opening, against),
    }
}

/// Returns all test vectors.
///
/// Each vector has its name, the check that must fail, the opening that the house publishes, and what the browser
/// noted.
fn all() -> Vec<Vector> {
    let house = vault(6);
    let honest = signed(dealt(committed(&order()), shares()), &house);
    let noted = log(&honest, &house);
    let mut vectors = Vec::new();
    let mut add = |name: &str, fails: Option<&str>, opening: &Opening, log: Option<&BrowserNotes>| {
        vectors.push(vector(name, fails, opening, Against { log, ..Against::default() }));
    };
    add("an honest house", None, &honest, Some(&noted));
    add("an honest house, without a log", None, &honest, None);
    let mut all_told = shares();
    all_told.shares.retain(|share| share.nonce.is_some());
    let opening = signed(dealt(committed(&order()), all_told), &house);
    add("an honest house, with every nonce revealed", None, &opening, Some(&log(&opening, &house)));

    // Two cards lie on the layout, one of them face down, while the others are shuffled.
    let mut rest = order();
    for card in parse_cards("As Kd").expect("cards") {
        rest.remove(rest.iter().position(|other| *other == card).expect("there"));
    }
    let in_mid_round = Committed { on_layout: "As Kd".into(), ..committed(&rest) };
    let opening = signed(dealt(in_mid_round.clone(), PublishedMix::default()), &house);
    let saw = |card: &str| BrowserNotes { layout: vec![card.into()], face_down: 1, ..log(&opening, &house) };
    add("an honest house that shuffles in mid-round", None, &opening, Some(&saw("As")));
    add("a card falsely reported on the layout", Some("composition"), &opening, Some(&saw("Qh")));

    // Forged afterwards: the house deals and signs what it made up.
    let mut forge = |name: &str, fails: &str, change: &dyn Fn(&mut Opening)| {
        let mut opening = honest.clone();
        change(&mut opening);
        add(name, Some(fails), &signed(opening, &house), Some(&noted));
    };
    let cards = |opening: &Opening| {
        let order = parse_cards(&opening.committed.order).expect("cards");
        let mixed = Mixed::of(&opening.mixed).expect("shares");
        sequence(&order, &opening.commitment, opening.cut, &mixed)
    };
    let again = |opening: &mut Opening| {
        let cards = cards(opening);
        draw(opening, &cards, &[(41, 7), (42, 12)]);
    };
    forge("a changed cut", "cut", &|opening| {
        opening.cut += 1;
        again(opening);
    });
    forge("a cut by a player who never cut", "cut", &|opening| {
        (opening.cut, opening.cut_by) = (opening.cut + 1, Some(2));
        again(opening);
    });
    forge("a cut too near the end", "cut", &|opening| {
        opening.cut = 4;
        again(opening);
    });
    forge("an invented share", "shares", &|opening| {
        let nonce = Some(hex(&[10; 32]));
        let hash = Share::hash_of(&[10; 32]).to_string();
        opening.mixed.shares.push(PublishedShare { hash, nonce });
        again(opening);
    });
    forge("a dropped share", "shares", &|opening| {
        opening.mixed.shares.pop();
        again(opening);
    });
    forge("a repeated share", "shares", &|opening| {
        opening.mixed.shares[1] = opening.mixed.shares[0].clone();
        again(opening);
    });
    forge("an invented share in the place of another", "shares", &|opening| {
        let nonce = Some(hex(&[10; 32]));
        let hash = Share::hash_of(&[10; 32]).to_string();
        opening.mixed.shares[2] = PublishedShare { hash, nonce };
        again(opening);
    });
    forge("a share that cannot be read", "shares", &|opening| {
        opening.mixed.shares[1].hash = "+a".repeat(32);
    });
    forge("the player's own share dropped", "nonce", &|opening| {
        opening.mixed.shares.remove(0);
        again(opening);
    });
    forge("a revealed nonce reported as withheld", "nonce", &|opening| {
        opening.mixed.shares[0].nonce = None;
        again(opening);
    });
    forge("a nonce that does not match its hash", "shares", &|opening| {
        opening.mixed.shares[1].nonce = Some(hex(&[11; 32]));
        again(opening);
    });
    forge("nonces that were not mixed in", "mix", &|opening| {
        let mut cards = parse_cards(&opening.committed.order).expect("cards");
        cards.rotate_left(opening.cut);
        draw(opening, &cards, &[(41, 7), (42, 12)]);
    });
    forge("nonces mixed in after cards were seen", "mix", &|opening| {
        opening.mixed.after = 5;
        again(opening);
    });
    forge("nonces mixed in before the burn card", "shares", &|opening| {
        opening.mixed.after = 0;
        again(opening);
    });
    forge("two later cards swapped", "mix", &|opening| {
        let mut cards = cards(opening);
        cards.swap(11, 50);
        draw(opening, &cards, &[(41, 7), (42, 12)]);
    });
    forge("a truncated list of cards drawn", "drawn", &|opening| {
        let cards = cards(opening);
        draw(opening, &cards, &[(41, 7)]);
    });
    forge("a round cut short", "drawn", &|opening| {
        let cards = cards(opening);
        draw(opening, &cards, &[(41, 7), (42, 9)]);
    });
    forge("cards drawn that are in no round", "drawn", &|opening| {
        opening.rounds.pop();
    });
    forge("rounds that run backwards", "drawn", &|opening| {
        let cards = cards(opening);
        draw(opening, &cards, &[(42, 7), (41, 12)]);
    });
    forge("no card drawn", "drawn", &|opening| draw(opening, &[], &[]));
    forge("more cards drawn than the shoe has", "drawn", &|opening| {
        let mut cards = cards(opening);
        cards.push(cards[0]);
        draw(opening, &cards, &[(41, 7), (42, 105)]);
    });
    forge("a round that cannot be read", "drawn", &|opening| {
        opening.rounds[1].cards.replace_range(..2, "??");
    });
    forge("cards that cannot be read", "composition", &|opening| {
        opening.drawn.replace_range(..2, "??");
    });
    forge("cards moved to another round", "seen", &|opening| {
        let cards = cards(opening);
        draw(opening, &cards, &[(41, 6), (42, 12)]);
    });
    forge("a replaced commitment", "commitment", &|opening| {
        opening.committed.nonce = "06".repeat(32);
        opening.commitment = opening.committed.commitment();
        opening.cut = derived_cut(&opening.commitment, 104, 10);
        again(opening);
    });
    forge("an order that does not match the commitment", "commitment", &|opening| {
        let mut order = order();
        order.swap(3, 90);
        opening.committed.order = show_cards(&order);
        again(opening);
    });

    // Dishonest from the beginning: the browser noted what the house published.
    let mut begin = |name: &str, fails: &str, committed: Committed, change: &dyn Fn(&mut BrowserNotes)| {
        let opening = signed(dealt(committed, shares()), &house);
        let mut log = log(&opening, &house);
        change(&mut log);
        add(name, Some(fails), &opening, Some(&log));
    };
    let low: Vec<Card> =
        order().into_iter().map(|c| Card::from_index(c.index() % 24).expect("a card")).collect();
    begin("a shoe of low cards", "composition", committed(&low), &|_| {});
    let single = Deck::FIFTY_TWO.cards().collect::<Vec<_>>();
    begin(
        "fewer decks than announced",
        "composition",
        Committed { decks: 1, ..committed(&single) },
        &|log| {
            log.decks = 2;
        },
    );
    begin("decks of fifty cards", "composition", Committed { deck: 50, ..committed(&order()) }, &|_| {});
    let other = Committed { mix_rule: "cutcard mix by the house".into(), ..committed(&order()) };
    begin("an unknown mixing rule", "mix", other, &|_| {});
    let other = Committed { cut_rule: "cutcard cut by the house".into(), ..committed(&order()) };
    begin("an unknown cut rule", "cut", other, &|_| {});
    begin("a late commitment", "commitment", committed(&order()), &|log| log.commitment.left -= 5);
    begin("two cards shown in the same place", "seen", committed(&order()), &|log| {
        let first = log.cards[2].clone();
        log.cards.push(SeenCard { card: log.cards[5].card.clone(), ..first });
    });
    begin("a card shown without its place", "seen", committed(&order()), &|log| log.cards[2].left = None);
    begin("a card shown in a place before the first", "seen", committed(&order()), &|log| {
        log.cards[0].left = Some(104);
    });
    begin("a house that shows no card", "seen", committed(&order()), &|log| log.cards.clear());
    begin("a house that shows no cut", "cut", committed(&order()), &|log| log.cut = None);
    begin("the log of another shoe", "commitment", committed(&order()), &|log| log.shoe += 1);
    begin("a list closed after a different cut", "shares", committed(&order()), &|log| {
        let list = log.list.as_mut().expect("closed");
        list.cut += 1;
        let (table, shoe, commitment) = (log.table, log.shoe, log.commitment.commitment.as_str());
        let hashes = list.hashes.iter().map(String::as_str).collect();
        let (cut, after) = (list.cut, list.after);
        let said = Statement::List { table, shoe, commitment, cut, cut_by: None, after, hashes };
        list.signature = house.sign(&said).expect("signed");
    });
    begin("a share acknowledged in a different place", "shares", committed(&order()), &|log| {
        let share = log.share.as_mut().expect("acknowledged");
        share.place = 2;
        let (table, shoe, commitment) = (log.table, log.shoe, log.commitment.commitment.as_str());
        let said = Statement::Share { table, shoe, commitment, place: 2, hash: &share.hash };
        share.signature = house.sign(&said).expect("signed");
    });
    begin("unseen cards reported on the layout", "composition", in_mid_round, &|_| {});

    // Signed by another house, in whole or in part.
    let stranger = vault(9);
    let strange = signed(honest.clone(), &stranger);
    add("another house's signatures", Some("signature"), &strange, Some(&noted));
    let theirs = strange.signatures.clone().expect("signed");
    let their_log = log(&strange, &stranger);
    let mut signed_by_another = |what: &str, change: &dyn Fn(&mut Signatures, &mut BrowserNotes)| {
        let (mut opening, mut log) = (honest.clone(), noted.clone());
        change(opening.signatures.as_mut().expect("signed"), &mut log);
        add(&format!("{what} that another house signed"), Some("signature"), &opening, Some(&log));
    };
    signed_by_another("a commitment", &|own, _| own.commitment.clone_from(&theirs.commitment));
    signed_by_another("a closed list", &|own, _| own.list.clone_from(&theirs.list));
    signed_by_another("a logged commitment", &|_, log| {
        log.commitment.signature.clone_from(&their_log.commitment.signature);
    });
    signed_by_another("a logged list", &|_, log| log.list.clone_from(&their_log.list));
    signed_by_another("an acknowledgement", &|_, log| log.share.clone_from(&their_log.share));

    // The house takes nobody's share, and tries nonces of its own until the first card after the burned one is an ace.
    let made_up = |n: u8| {
        let share = PublishedShare { hash: Share::hash_of(&[n; 32]).to_string(), nonce: Some(hex(&[n; 32])) };
        dealt(committed(&order()), PublishedMix { after: 1, shares: vec![share] })
    };
    let suits = |opening: &Opening| opening.drawn.split(' ').nth(1).is_some_and(|card| card.starts_with('A'));
    let opening = signed((0..=u8::MAX).map(made_up).find(suits).expect("an ace"), &house);
    let noted_alone =
        BrowserNotes { share: None, nonce: None, sent: false, revealed: false, ..log(&opening, &house) };
    add(UNPROVEN_VECTOR, None, &opening, Some(&noted_alone));

    // The player's own nonce is missing: withheld by the player, or ignored by the house.
    let mut mixed = shares();
    mixed.shares[0].nonce = None;
    let opening = signed(dealt(committed(&order()), mixed), &house);
    let mut log =
        BrowserNotes { nonce: noted.nonce.clone(), sent: false, revealed: false, ..log(&opening, &house) };
    add("a player who does not reveal", None, &opening, Some(&log));
    log.sent = true;
    add("a nonce that was sent but ignored", Some("nonce"), &opening, Some(&log));

    // Not signed at all, or something else.
    let mut opening = honest.clone();
    opening.signatures = None;
    add("no signature", Some("signature"), &opening, None);
    let mut opening = honest.clone();
    opening.drawn = opening.drawn.replacen(' ', "  ", 1);
    add("an opening changed after it was signed", Some("signature"), &opening, Some(&noted));
    let mut log = noted.clone();
    log.list = None;
    add("a log without the closed list", Some("shares"), &honest, Some(&log));

    // What was noted by hand, without a log.
    let mut by_hand = |name: &str, fails: Option<&str>, commitment: &str, nonce: &str| {
        let against = Against { log: None, commitment: Some(commitment), nonce: Some(nonce) };
        vectors.push(vector(name, fails, &honest, against));
    };
    let (commitment, own) = (honest.commitment.to_uppercase(), "07".repeat(32));
    by_hand("a commitment and a nonce entered by hand", None, &commitment, &own);
    by_hand("a wrong commitment entered by hand", Some("commitment"), &"0".repeat(64), &own);
    by_hand("a withheld nonce entered by hand", Some("nonce"), &commitment, &"08".repeat(32));
    by_hand("an unknown nonce entered by hand", Some("nonce"), &commitment, &"0a".repeat(32));
    by_hand("an invalid nonce entered by hand", Some("nonce"), &commitment, &"+a".repeat(32));
    vectors
}

/// Checks that no shoe is reported as proven to an observer whose own nonce was not mixed in.
///
/// The check `nonce` is then listed as unchecked instead of passed.
#[test]
fn an_order_without_an_own_nonce_is_not_proven() {
    let vectors = all();
    let reason = |name: &str| {
        let verdict = &vectors.iter().find(|vector| vector.name == name).expect("such a vector").verdict;
        assert!(verdict.checks.iter().all(|check| check.check != "nonce"), "{name}: {verdict:?}");
        let unchecked = verdict.unchecked.iter().find(|unchecked| unchecked.check == "nonce");
        unchecked.expect("not checked").message.clone()
    };
    assert!(
        reason(UNPROVEN_VECTOR)
            .contains("whoever made the shares could have chosen the order after the commitment")
    );
    assert!(reason("an honest house, without a log").starts_with("your nonce was not given"));
    assert!(reason("a player who does not reveal").starts_with("your nonce was never revealed"));
    assert!(reason("an honest house that shuffles in mid-round").starts_with("nobody added a nonce"));
}

#[test]
fn no_opening_that_a_dishonest_house_forges_holds() {
    let vectors = all();
    let mut sentences = std::collections::BTreeMap::new();
    for Vector { name, fails, verdict, .. } in &vectors {
        let failed: Vec<&str> =
            verdict.checks.iter().filter(|c| !c.holds).map(|c| c.check.as_str()).collect();
        assert_eq!(verdict.holds, fails.is_none(), "{name}: {verdict:?}");
        let Some(fails) = fails else { continue };
        assert!(failed.contains(&fails.as_str()), "{name}: {verdict:?}");
        let check = verdict.checks.iter().find(|check| check.check == *fails).expect("there");
        let before = sentences.insert((fails.clone(), check.message.clone()), name);
        assert_eq!(before, None, "{name} and another vector fail with the same sentence");
    }
    let text = serde_json::to_string_pretty(&vectors).expect("written") + "\n";
    if std::env::var_os("CUTCARD_REGENERATE").is_some() {
        std::fs::write(VECTORS, &text).expect("written");
    }
    let stored = std::fs::read_to_string(VECTORS).unwrap_or_default();
    assert!(stored == text, "{VECTORS} differs; set CUTCARD_REGENERATE=1 to rewrite it");
}

/// Checks that every sentence of the checks occurs in a vector, so that the vectors also test every sentence of
/// the page.
#[test]
fn every_sentence_of_the_checks_occurs_in_a_vector() {
    let source = include_str!("verify.rs");
    let (_, checks) = source.split_once("const UNREADABLE").expect("there");
    let (checks, _) = checks.split_once("/// Names who cut.").expect("there");
    let vectors = all();
    let made = vectors.iter().flat_map(|vector| &vector.verdict.checks).map(|check| check.message.as_str());
    let unmade =
        vectors.iter().flat_map(|vector| &vector.verdict.unchecked).map(|check| check.message.as_str());
    let messages: Vec<&str> = made.chain(unmade).collect();
    let mut sentences = 0;
    // Code and literals in turn; no literal has a quotation mark in it.
    for pair in checks.split('"').collect::<Vec<_>>().chunks(2) {
        let [code, literal] = pair else { continue };
        if !literal.contains(' ') {
            continue;
        }
        let mut sentence: String = literal.split("\\\n").map(str::trim_start).collect();
        if code.trim_end().ends_with("signed(") {
            sentence = format!("the signature of {sentence} was not made with the house's key");
        }
        let fixed: Vec<&str> = sentence.split('}').filter_map(|part| part.split('{').next()).collect();
        let fits = |message: &str| {
            let mut rest = message;
            message.starts_with(fixed[0])
                && fixed.iter().all(|part| match rest.split_once(*part) {
                    Some((_, after)) => {
                        rest = after;
                        true
                    }
                    None => false,
                })
        };
        assert!(messages.iter().any(|message| fits(message)), "no vector covers the sentence: {sentence}");
        sentences += 1;
    }
    assert!(sentences > 70, "{sentences}");
}
