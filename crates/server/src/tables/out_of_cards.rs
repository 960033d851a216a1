//! Tests the limit of 19:47-2.15(f): a shoe that runs out in the middle of a round, as do the discards, if any.
//!
//! Six players split a single deck until all of it is on the layout, with real actors and a real ledger, on either
//! store, and with a card of the dealer's that lies face down until the end.

#[path = "../../../ledger/tests/ledger/cluster.rs"]
mod cluster;

use super::actor::{Ask, MeantFor, TableHandle};
use super::entry::{KIND_OPEN, body};
use super::live::{Fixed, Live, Step};
use super::request::Request;
use super::shoe::VirtualShoe;
use crate::app::App;
use crate::audit::audit;
use crate::fair::{Against, Committed, Opening, Vault, verify};
use crate::house_file::HouseFile;
use crate::seed_data;
use crate::serve::{Options, open, place};
use crate::session::SignedIn;
use crate::wire::Money;
use ledger::{Account, Cents, Chips, CommandId, Draft, Ledger, PersonId, Stream};
use rules::Card;
use rules::card::parse_cards;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use table::Side;
use tempfile::TempDir;

const HOUSE: &str = "[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n\
    [[table]]\nrules = \"nj-blackjack\"\nset = [\"decks=1\", \"hole_card=HOLE\"]\n";
/// One card for every box, one for the dealer, and a second one for every box.
const DEALT: &str = "Th Jh Qh Kh 9h 8h 6s Td Jd Qd Kd 9d 8d";
/// The two tens that box 1 draws when it splits.
const TENS: &str = "Ts Tc";
/// The card that lies face down at a table with a hole-card reader; without one, box 6 or box 5 draws it last.
const HOLE: &str = "2c";
/// The cards dealt before and after `DEALT`, in a house whose discards cannot help when the shoe runs out.
///
/// The only card before is the burn card. The cards after run out before the dealer's second card.
const NO_DISCARDS: (&str, &str) = (
    "7s",
    "7h 7d 7c 5s Js Jc 6h 6d 6c 5h Qs Qc 5d 5c 4s 4h Ks Kc 4d 4c 3s 3h 9s 9c 3d 3c As 2s 2h 8s 8c Ah Ad Ac 2d 2c",
);
/// The cards dealt before and after `DEALT`, in a house with discards to continue from when the shoe runs out.
///
/// Before `DEALT` come the burn card and a round of box 1 alone; the cards after it end with the four eights of
/// box 6. The six discards are shuffled and one is burned. Box 6 takes four of them and the dealer one, which
/// leaves the dealer below 17, whichever cards they are.
const DISCARDS: (&str, &str) = (
    "7s 7h 7c 5s 6d 4s",
    "7d 6h 6c 5h Js Jc 5d 5c 4h 4d Qs Qc 4c 3s 3h 2s Ks Kc 2h 2d As Ah 9s 9c 3d 3c Ad 2c Ac 8s 8c",
);

/// The store of a house's records, and whether the dealer's second card lies face down at a reader.
#[derive(Clone, Default)]
struct Setup {
    database: Option<String>,
    reader: bool,
}

impl Setup {
    /// Returns the cards of the deck in order: `before`, the cards that every round begins with, and `after`.
    fn cards(&self, before: &str, after: &str) -> Vec<Card> {
        let (hole, after) = match self.reader {
            true => (HOLE, after.replace(HOLE, "")),
            false => ("", after.to_owned()),
        };
        let cards = parse_cards(&format!("{before} {DEALT} {hole} {TENS} {after}")).expect("cards");
        assert_eq!(cards.iter().map(|c| c.index()).collect::<std::collections::BTreeSet<_>>().len(), 52);
        cards
    }
}

struct House {
    directory: TempDir,
    setup: Setup,
    app: App,
    people: Vec<Arc<SignedIn>>,
}

fn options(directory: &Path, setup: &Setup) -> Options {
    Options {
        listen: "127.0.0.1:0".into(),
        data: directory.join("data"),
        database: setup.database.clone(),
        house: Some(directory.join("house.toml")),
        secure_cookies: false,
        lab_worker: None,
        ..Options::default()
    }
}

/// Opens a table as the house does, with a shoe that holds `cards` in this order, and records the opening.
fn table_with(directory: &Path, setup: &Setup, cards: &[Card]) {
    let options = options(directory, setup);
    std::fs::create_dir(&options.data).expect("made");
    let hole = if setup.reader { "reader" } else { "none" };
    std::fs::write(directory.join("house.toml"), HOUSE.replace("HOLE", hole)).expect("written");
    let file = HouseFile::read(&directory.join("house.toml")).expect("lawful");
    let vault = Vault::open(&options.data).expect("opens");
    let (mut live, mut step) = (Live::new(Fixed::of(&file.tables[0])), Step::default());
    live.reopen(&mut step);
    live.carry_on(&vault, &mut step).expect("opens");
    let shuffled = live.shoes.of(Side::Red).expect("a shoe");
    let cut = shuffled.cut_at();
    let mut order = cards.to_vec();
    order.rotate_right(cut.at);
    // The cut is already recorded, and is derived from the commitment: searches for a nonce that gives this cut.
    let arranged = (0u32..).find_map(|n| {
        let (nonce, order) = (format!("{n:064x}"), rules::card::show_cards(&order));
        let committed = Committed { nonce, order, ..shuffled.committed().clone() };
        VirtualShoe::restored(committed).filter(|shoe| shoe.cut_at() == cut)
    });
    let arranged = arranged.expect("there is one");
    let sealer = ledger::seal::Sealer::open(&options.data, None).expect("a key");
    let vault = vault.signing(Arc::new(sealer));
    let signature = vault.sign(&arranged.commitment_statement()).expect("signed");
    let locked = ledger::keys::hex(&vault.lock(arranged.committed()).expect("locked"));
    let line = step.lines.iter_mut().find(|line| line.starts_with("shoe ")).expect("a shoe");
    *line = format!("shoe {} {} {signature} {locked}", arranged.id.number, arranged.commitment());
    let ledger = Ledger::open(&options.data, place(&options), file.day_starts_ms).expect("opens");
    let stream = Stream::Table(live.fixed.id);
    let mut draft =
        Draft::new(stream, PersonId::HOUSE, CommandId::new("arranged").expect("lawful"), KIND_OPEN);
    draft.fence = Some(ledger.take_over(stream, "test").expect("taken over"));
    draft.round = live.round_no();
    (draft.event, draft.checkpoint) = (body(&step).expect("entropy"), step.checkpoint.is_some());
    ledger.commit(draft).expect("stored");
    ledger.close();
}

/// Opens the house, and returns once the actor of its table has started.
async fn opened(directory: &Path, setup: &Setup) -> App {
    let app = open(&options(directory, setup)).await.expect("opens").app;
    let mut published = app.table(1).expect("there").published.clone();
    published.wait_for(|published| published.version > 0).await.expect("it runs");
    app
}

impl House {
    async fn with((before, after): (&str, &str), setup: Setup) -> House {
        let directory = tempfile::tempdir().expect("temp dir");
        let cards = setup.cards(before, after);
        tokio::task::block_in_place(|| table_with(directory.path(), &setup, &cards));
        let app = opened(directory.path(), &setup).await;
        let mut people = Vec::new();
        for n in 1..=6 {
            people.push(Arc::new(seed_data::player(&app, n).await.expect("joined")));
        }
        House { directory, setup, app, people }
    }

    /// Simulates a power failure: opens a copy of what is on disk at this moment as a new house.
    ///
    /// A house on PostgreSQL, which has its records elsewhere, is closed and opened again.
    async fn plug_pulled(self) -> House {
        if self.setup.database.is_some() {
            return self.restarted().await;
        }
        let directory = tempfile::tempdir().expect("temp dir");
        // Waits for the ledger's thread, whose unfinished write would otherwise be copied in part.
        self.app.read(|_| Ok(())).await.expect("folded");
        copy(self.directory.path(), directory.path());
        let app = opened(directory.path(), &self.setup).await;
        House { directory, app, ..self }
    }

    async fn restarted(self) -> House {
        let closing = Arc::clone(&self.app);
        if let Some(nodes) = closing.nodes.get() {
            nodes.leave(tokio::time::Instant::now() + std::time::Duration::from_secs(3)).await;
        }
        closing.closing.send_replace(true);
        let closed = tokio::task::spawn_blocking(move || {
            if let Some(nodes) = closing.nodes.get() {
                nodes.end();
            }
            closing.ledger.close();
        });
        closed.await.expect("closed");
        let app = opened(self.directory.path(), &self.setup).await;
        House { app, ..self }
    }

    fn table(&self) -> TableHandle {
        self.app.table(1).expect("there")
    }

    fn view(&self) -> Value {
        serde_json::from_str(&self.table().published.borrow().view).expect("JSON")
    }

    async fn ask(&self, person: usize, request: Request) {
        let id = CommandId::fresh().expect("entropy");
        let meant_for = MeantFor::default();
        let ask = Ask { who: Arc::clone(&self.people[person]), id, meant_for, request };
        self.table().ask(ask).await.expect("accepted");
    }

    fn balances(&self) -> Vec<Cents> {
        let purse = |who: &Arc<SignedIn>| Account::player(Chips::Play, who.id);
        let balance = |who| self.app.ledger.balance(purse(who)).expect("known");
        tokio::task::block_in_place(|| self.people.iter().map(balance).collect())
    }

    /// Waits until a significant event is recorded.
    async fn is_noted(&self, event: &str) {
        for _ in 0..500 {
            let records = self.app.read(|db| ledger::journal::records(db, ledger::Seq(0), 1000)).await;
            let mut records = records.expect("readable").into_iter();
            if records.any(|record| record.kind == "significant" && record.event == event.as_bytes()) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("the event {event} is not recorded");
    }

    async fn deal(&self, boxes: usize) {
        let amounts = vec![Money(self.table().fixed.rules.minimum)];
        for person in 0..boxes {
            let (r#box, amounts) = (person as u8 + 1, amounts.clone());
            self.ask(person, Request::Wager { r#box, amounts, side: Default::default(), behind: false })
                .await;
        }
        for person in 0..boxes {
            self.ask(person, Request::Deal).await;
        }
    }

    /// Checks that no shoe of the round in play has been opened, and that the dealer's card still lies face down.
    async fn tells_no_card_early(&self) {
        let view = self.view();
        let dealt = view["dealer"]["cards"].as_array().is_some_and(|cards| !cards.is_empty());
        assert_eq!(view["dealer"]["hole"] == true, dealt && self.setup.reader, "{view}");
        for shoe in (1..=view["shoe"]["number"].as_i64().unwrap_or(0)).filter(|_| dealt) {
            let asked = axum::extract::State(Arc::clone(&self.app));
            let answer = crate::api::shoe(asked, crate::wire::Path((1, shoe))).await;
            let Err(refusal) = answer else {
                panic!("a shoe's order was published while its cards lay on the layout")
            };
            assert_eq!(refusal.status, axum::http::StatusCode::NOT_FOUND);
            assert!(refusal.detail.message.contains("is not public yet"), "{}", refusal.detail.message);
        }
    }

    /// Makes one decision, and returns `false` if nobody must act: splits every possible pair and hits below 12.
    async fn decides_once(&self) -> bool {
        let view = self.view();
        let awaiting = &view["awaiting"];
        if awaiting["what"] == "offer" {
            for asked in awaiting["asked"].as_array().expect("people") {
                let r#box = asked["box"].as_u64().expect("a box") as u8;
                self.ask(usize::from(r#box) - 1, Request::Decline { r#box, offer: "insurance".into() }).await;
            }
            return true;
        }
        if awaiting["what"] == "cut" {
            let r#box = awaiting["box"].as_u64().expect("a box") as u8;
            self.ask(usize::from(r#box) - 1, Request::DeclineCut { r#box }).await;
            return true;
        }
        if awaiting["what"] != "decision" {
            return false;
        }
        let r#box = awaiting["box"].as_u64().expect("a box") as u8;
        let may = |action: &str| {
            awaiting["actions"].as_array().expect("actions").iter().any(|a| a["action"] == action)
        };
        let play =
            view["boxes"].as_array().expect("boxes").iter().find(|b| b["box"] == r#box).expect("there");
        let hands = play["hands"].as_array().expect("hands");
        let hand = hands.iter().find(|hand| hand["hand"] == awaiting["hand"]).expect("there");
        let total = hand["total"].as_u64().expect("a total");
        let request = match may("split") {
            true => Request::Split { r#box },
            false if total < 12 => Request::Hit { r#box },
            false => Request::Stand { r#box },
        };
        self.ask(usize::from(r#box) - 1, request).await;
        true
    }
}

fn copy(from: &Path, into: &Path) {
    for entry in std::fs::read_dir(from).expect("there").flatten() {
        let target = into.join(entry.file_name());
        if entry.file_type().expect("known").is_dir() {
            std::fs::create_dir(&target).expect("made");
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// Returns the events of one round with their names, from its history.
async fn events_of(house: &House, round: i64) -> Vec<(String, String)> {
    let (fixed, app) = (house.table().fixed.clone(), Arc::clone(&house.app));
    let question = move |db: &mut dyn ledger::db::Db| {
        super::entry::history(
            db,
            &fixed,
            &app.vault,
            (ledger::RoundNo(round), super::entry::ReplayStart::Checkpoint),
            None,
        )
    };
    let history = house.app.read(question).await.expect("readable").expect("a round").expect("fits");
    let events = history.steps.iter().flat_map(|(_, step)| &step.events);
    events.map(|(_, event)| (format!("{:?}", event.fact), event.by.citation().to_owned())).collect()
}

async fn is_void_and_goes_on(cards: (&str, &str), discards: usize, setup: Setup) {
    let mut house = House::with(cards, setup).await;
    if discards > 0 {
        house.deal(1).await;
        while house.decides_once().await {}
    }
    let (before, round) = (house.balances(), house.view()["round"].as_i64().expect("a number"));
    house.deal(6).await;
    let mut decided = 0;
    while house.decides_once().await {
        decided += 1;
        house.tells_no_card_early().await;
        // Also when the last card is about to be dealt.
        if decided % 9 == 0 || house.view()["shoe"]["left"] == 1 {
            house = house.plug_pulled().await;
        }
    }
    assert!(
        decided >= 40,
        "at least 40 decisions expected from 18 splits and 24 hands, two of which may have 21: {decided}"
    );
    house.is_noted(&format!(r#"{{"details":{{"round":{round},"table":1}},"what":"round-voided"}}"#)).await;
    let house = house.plug_pulled().await;
    assert_eq!(house.balances(), before, "every bet is returned");
    let events = events_of(&house, round).await;
    let of = |name: &str| events.iter().filter(|(fact, _)| fact.starts_with(name)).collect::<Vec<_>>();
    assert_eq!(of("Voided").len(), 1, "{events:?}");
    assert_eq!(of("Voided")[0].1, "HOUSE-VOID");
    let (out, reshuffled) = (of("Irregular(OutOfCards)"), usize::from(discards > 0));
    assert_eq!(out.len(), reshuffled);
    assert!(out.iter().all(|(_, clause)| clause == "19:47-2.15(f)"), "{out:?}");

    let view = house.view();
    assert_eq!(
        (&view["round"], &view["awaiting"]["what"]),
        (&(round + 1).into(), &"wagers".into()),
        "{view}"
    );
    assert_eq!(view["shoe"]["number"], reshuffled + 2, "the next round has a new shoe");
    for shoe in 1..=1 + reshuffled {
        let name = super::shoe_setting(house.table().fixed.id, shoe as i64);
        let kept = house.app.read(move |db| ledger::people::setting(db, &name)).await;
        let opening: Opening = serde_json::from_slice(&kept.expect("readable").expect("kept")).expect("JSON");
        let verdict = verify(&opening, Against::default());
        assert!(verdict.holds, "{verdict:?}");
        let drawn = opening.drawn.split(' ').count();
        assert_eq!(drawn, if shoe == 1 { 52 } else { discards }, "all of shoe {shoe} was drawn");
    }
    audit_passes(&house);

    house.deal(6).await;
    while house.view()["round"] == round + 1 {
        assert!(house.decides_once().await, "{}", house.view());
    }
    audit_passes(&house);
}

fn audit_passes(house: &House) {
    let options = options(house.directory.path(), &house.setup);
    let found = tokio::task::block_in_place(|| audit(&options)).expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
}

/// Proves HOUSE-VOID.
#[tokio::test(flavor = "multi_thread")]
async fn a_round_for_which_the_shoe_does_not_suffice_is_void_without_discards() {
    is_void_and_goes_on(NO_DISCARDS, 0, Setup::default()).await;
}

/// Proves 19:47-2.15(f).
#[tokio::test(flavor = "multi_thread")]
async fn a_round_is_void_when_the_discards_run_out_too() {
    is_void_and_goes_on(DISCARDS, 6, Setup::default()).await;
}

/// Checks that a shoe that runs out with the dealer's face-down card is opened only when the round is over.
#[tokio::test(flavor = "multi_thread")]
async fn a_shoe_that_runs_out_does_not_tell_the_card_that_lies_face_down() {
    for (cards, discards) in [(NO_DISCARDS, 0), (DISCARDS, 6)] {
        is_void_and_goes_on(cards, discards, Setup { reader: true, database: None }).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shoe_that_runs_out_on_postgres_tells_no_card_early() {
    let Some(cluster) = cluster::shared() else { return };
    for reader in [false, true] {
        is_void_and_goes_on(DISCARDS, 6, Setup { reader, database: Some(cluster.database()) }).await;
    }
}
