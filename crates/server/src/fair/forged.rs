//! Openings that a dishonest house would forge: it has the key, signs anything, and knows all nonces. Each is checked
//! against what an honest player's browser noted earlier. `vectors.json` holds them all with every sentence; the page's
//! own checks are tested with the same file. `CUTCARD_REGENERATE=1` rewrites it.

use super::chance::{Chance, shuffle};
use super::log::{Log, NotedCommitment, NotedCut, NotedList, NotedShare, SeenCard};
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

/// An opening, what it is checked against, and the verdict.
#[derive(Serialize, Deserialize)]
struct Vector {
    name: String,
    /// The check that must fail; none for an honest house.
    fails: Option<String>,
    opening: Opening,
    log: Option<Log>,
    commitment: Option<String>,
    nonce: Option<String>,
    verdict: Verdict,
}

/// Returns a vault with a fixed key, so that the vectors never change.
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

/// Signs the opening with the house's key.
fn signed(mut opening: Opening, vault: &Vault) -> Opening {
    let sign = |text: Vec<u8>| vault.sign_text(&text).expect("signed");
    let signatures = Signatures {
        house: vault.house().expect("a key"),
        commitment: sign(opening.commitment_text()),
        list: Some(sign(opening.list_text())),
        opening: sign(opening.signed_text()),
    };
    opening.signatures = Some(signatures);
    opening
}

/// Returns the browser notes of the player who gave the first share and left after ten cards.
fn log(opening: &Opening, vault: &Vault) -> Log {
    let (table, shoe, commitment) = (opening.committed.table, opening.committed.shoe, &opening.commitment);
    let hashes: Vec<String> = opening.mixed.shares.iter().map(|share| share.hash.clone()).collect();
    let own = hashes[0].clone();
    let sign = |said: &Statement<'_>| vault.sign(said).expect("signed");
    let acknowledged = Statement::Share { table, shoe, commitment, place: 1, hash: &own };
    let size = opening.committed.order.split(' ').count();
    let drawn: Vec<&str> = opening.drawn.split(' ').collect();
    let seen = |(at, card): (usize, &&str)| SeenCard {
        round: if at < 7 { 41 } else { 42 },
        left: Some(size - 1 - at),
        card: (*card).into(),
    };
    let signatures = opening.signatures.as_ref().expect("signed");
    Log {
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
        list: Some(NotedList {
            cut: opening.cut,
            cut_by: None,
            after: opening.mixed.after,
            hashes: hashes.clone(),
            signature: signatures.list.clone().expect("closed"),
        }),
        share: Some(NotedShare { place: 1, signature: sign(&acknowledged), hash: own }),
        nonce: opening.mixed.shares[0].nonce.clone(),
        sent: true,
        revealed: true,
        // the burn card is face down, so it is not in the notes
        cards: drawn.iter().enumerate().skip(1).take(9).map(seen).collect(),
    }
}

/// Returns all vectors: the name, the check that must fail, what the house publishes, and what the browser noted.
fn all() -> Vec<Vector> {
    let house = vault(6);
    let honest = signed(dealt(committed(&order()), shares()), &house);
    let noted = log(&honest, &house);
    let mut vectors = Vec::new();
    let mut add = |name: &str, fails: Option<&str>, opening: &Opening, log: Option<&Log>| {
        let against = Against { log, ..Against::default() };
        vectors.push(Vector {
            name: name.into(),
            fails: fails.map(str::to_owned),
            opening: opening.clone(),
            log: log.cloned(),
            commitment: None,
            nonce: None,
            verdict: verify(opening, against),
        });
    };
    add("an honest house", None, &honest, Some(&noted));
    add("an honest house, and nothing was noted", None, &honest, None);

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
    forge("another cut", "cut", &|opening| {
        opening.cut += 1;
        again(opening);
    });
    forge("a cut by a player who never cut", "cut", &|opening| {
        (opening.cut, opening.cut_by) = (opening.cut + 1, Some(2));
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
    forge("the player's own share dropped", "nonce", &|opening| {
        opening.mixed.shares.remove(0);
        again(opening);
    });
    forge("a revealed nonce said to be withheld", "nonce", &|opening| {
        opening.mixed.shares[0].nonce = None;
        again(opening);
    });
    forge("a nonce that does not fit its hash", "shares", &|opening| {
        opening.mixed.shares[1].nonce = Some(hex(&[11; 32]));
        again(opening);
    });
    forge("no mix", "mix", &|opening| {
        let mut cards = parse_cards(&opening.committed.order).expect("cards");
        cards.rotate_left(opening.cut);
        draw(opening, &cards, &[(41, 7), (42, 12)]);
    });
    forge("mixed in when cards had been seen", "mix", &|opening| {
        opening.mixed.after = 5;
        again(opening);
    });
    forge("mixed in before the burned card", "shares", &|opening| {
        opening.mixed.after = 0;
        again(opening);
    });
    forge("a swapped later card", "mix", &|opening| {
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
    forge("cards moved to another round", "seen", &|opening| {
        let cards = cards(opening);
        draw(opening, &cards, &[(41, 6), (42, 12)]);
    });
    forge("another commitment", "commitment", &|opening| {
        opening.committed.nonce = "06".repeat(32);
        opening.commitment = opening.committed.commitment();
        opening.cut = derived_cut(&opening.commitment, 104, 10);
        again(opening);
    });
    forge("an order that does not fit the commitment", "commitment", &|opening| {
        let mut order = order();
        order.swap(3, 90);
        opening.committed.order = show_cards(&order);
        again(opening);
    });

    // Dishonest from the beginning: the browser noted what the house published.
    let mut begin = |name: &str, fails: &str, committed: Committed, change: &dyn Fn(&mut Log)| {
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
    let other = Committed { mix_rule: "cutcard mix by the house".into(), ..committed(&order()) };
    begin("another mixing rule", "mix", other, &|_| {});
    let other = Committed { cut_rule: "cutcard cut by the house".into(), ..committed(&order()) };
    begin("another rule of the cut", "cut", other, &|_| {});
    begin("a late commitment", "commitment", committed(&order()), &|log| log.commitment.left -= 5);
    begin("two cards shown as one", "seen", committed(&order()), &|log| {
        let first = log.cards[2].clone();
        log.cards.push(SeenCard { card: log.cards[5].card.clone(), ..first });
    });
    begin("a card shown without its place", "seen", committed(&order()), &|log| log.cards[2].left = None);
    let on_layout = "As Kd".to_owned();
    let rest: Vec<Card> = {
        let mut rest = order();
        for card in parse_cards(&on_layout).expect("cards") {
            rest.remove(rest.iter().position(|other| *other == card).expect("there"));
        }
        rest
    };
    let other = Committed { on_layout, ..committed(&rest) };
    begin("cards said to lie on the layout", "composition", other, &|_| {});

    // The player's own nonce is missing: withheld by the player, or ignored by the house.
    let mut mixed = shares();
    mixed.shares[0].nonce = None;
    let opening = signed(dealt(committed(&order()), mixed), &house);
    let mut log = Log { nonce: noted.nonce.clone(), sent: false, revealed: false, ..log(&opening, &house) };
    add("a player who does not reveal", None, &opening, Some(&log));
    log.sent = true;
    add("a nonce that was sent and is ignored", Some("nonce"), &opening, Some(&log));

    // Signed by another house, and not signed at all.
    add("another house's signatures", Some("signature"), &signed(honest.clone(), &vault(9)), Some(&noted));
    let mut opening = honest.clone();
    opening.signatures = None;
    add("no signature", Some("signature"), &opening, None);
    let mut opening = honest.clone();
    opening.drawn = opening.drawn.replacen(' ', "  ", 1);
    add("changed after it was signed", Some("signature"), &opening, Some(&noted));
    let mut log = noted.clone();
    log.list = None;
    add("a log without the closed list", Some("shares"), &honest, Some(&log));
    vectors
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
        let before = sentences.insert(check.message.clone(), name);
        assert_eq!(before, None, "{name} and another fail with the same sentence");
    }
    let text = serde_json::to_string_pretty(&vectors).expect("written") + "\n";
    if std::env::var_os("CUTCARD_REGENERATE").is_some() {
        std::fs::write(VECTORS, &text).expect("written");
    }
    let stored = std::fs::read_to_string(VECTORS).unwrap_or_default();
    assert!(stored == text, "{VECTORS} differs; set CUTCARD_REGENERATE=1 to write it anew");
}

#[test]
fn what_was_noted_by_hand_is_compared() {
    let opening = signed(dealt(committed(&order()), shares()), &vault(6));
    let holds = |commitment: &str, nonce: &str| {
        verify(&opening, Against { log: None, commitment: Some(commitment), nonce: Some(nonce) }).holds
    };
    let (commitment, own) = (opening.commitment.to_uppercase(), "07".repeat(32));
    assert!(holds(&commitment, &own));
    assert!(!holds(&"0".repeat(64), &own), "another commitment");
    for nonce in ["08", "0a", "zz", ""] {
        assert!(!holds(&commitment, &nonce.repeat(32)), "{nonce}: withheld, never given, not a nonce");
    }
}
