//! Checks an invariant that a single history cannot show: nobody learns a card before it is turned.
//!
//! Two houses run the same history from one seed, with shoes that differ only in one face-down card. While that
//! card is face down, people of every role send requests to every route (`crowd.rs`), players and staff keep
//! sockets open, and the metrics and the log are read. Any difference between the two houses would reveal the
//! card.
//!
//! Hashes differ between the houses, because they cover the card, and both houses draw the same salt from the
//! seed. The check therefore does not compare hashes. Instead it tries what somebody without the salt could do.

use crate::crowd::{Crowd, PLAYER};
use crate::dice::Dice;
use crate::masked::masked;
use crate::world::SimWorld;
use ledger::seal::Sealer;
use ledger::{CommandId, Draft, Ledger, Moment, PersonId, Record, RoundNo, Seq, Stream, TableId, journal};
use serde_json::{Value, json};
use server::fair::{Committed, ShoeId, Statement, Vault, derived_cut};
use server::{Opened, Options, place};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// The start of the house file, before the rules of the table.
///
/// The player has an hour to decide, because the crowd sends more than a thousand requests meanwhile.
const HOUSE: &str = "[timings]\nbetting_ms = 60000\ndecision_ms = 3600000\npause_ms = 0\n\
    [rates]\nrequests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n\
    [[table]]\nset = [\"decks=2\", \"hole_card=reader\"]\n";

/// A face-down card that differs between two houses.
pub struct FaceDown {
    rules: &'static str,
    /// The index of the card in the dealing order of the shoe.
    at: usize,
    cards: [&'static str; 2],
    /// The name of the person who may look at the card, or `None` if nobody may.
    seen_by: Option<&'static str>,
}

/// The dealer's hole card.
///
/// With a six as upcard, the dealer has 16 in one house and 11 in the other.
pub const HOLE_CARD: FaceDown = FaceDown { rules: "nj-blackjack", at: 4, cards: ["Kd", "5s"], seen_by: None };
/// A player's face-down card (2.6A(c)).
///
/// The player has a pair in one house and no pair in the other.
pub const PLAYER_CARD: FaceDown =
    FaceDown { rules: "nj-six-to-five", at: 2, cards: ["2h", "9d"], seen_by: Some(PLAYER) };
const BEGINNING: Moment = Moment(1_800_000_000_000);
const TABLE: Stream = Stream::Table(TableId(1));

/// What one house answered to each request while the card was face down, and the card as later turned over.
struct HouseAnswers {
    answers: Vec<(String, String)>,
    turned: Value,
}

/// Everything that is logged, as text.
#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl LogBuffer {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

/// Runs both houses, and returns the number of answers compared.
///
/// Answers to a person who may look at the card are not compared. Returns an error if any other answer differs.
pub fn face_down(seed: u64, card: &FaceDown) -> Result<usize, String> {
    let (one, other) = (live(seed, card, card.cards[0])?, live(seed, card, card.cards[1])?);
    if one.turned == other.turned {
        return Err(format!("the two houses should differ, but do not: {}", one.turned));
    }
    if one.answers.len() != other.answers.len() {
        return Err("one house sent more answers than the other".into());
    }
    let knows = |asked: &str| card.seen_by.is_some_and(|who| asked.contains(&format!("of {who} ")));
    let both = one.answers.iter().zip(&other.answers).filter(|((asked, _), _)| !knows(&format!("{asked} ")));
    let mut compared = 0;
    for ((asked, first), (_, second)) in both {
        compared += 1;
        if first != second {
            return Err(format!("the answer to {asked} reveals a face-down card:\n{first}\n{second}"));
        }
    }
    Ok(compared)
}

fn live(seed: u64, card: &FaceDown, hidden: &str) -> Result<HouseAnswers, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let lines = LogBuffer::default();
    let writer = lines.clone();
    let log = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .without_time()
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _logged = tracing::subscriber::set_default(log);
    let answers = runtime.block_on(async {
        let world = Rc::new(SimWorld::new(Dice::new(seed), BEGINNING));
        ledger::world::enter(Some(world.clone() as Rc<dyn ledger::world::World>));
        play(directory.path(), card, hidden, &lines, &world).await
    });
    ledger::world::enter(None);
    answers
}

fn options(directory: &Path, name: &str) -> Options {
    let house = Some(directory.join("house.toml"));
    Options { listen: "127.0.0.1:0".into(), data: directory.join(name), house, ..Options::default() }
}

/// Returns the cards of one deck.
fn deck() -> Vec<String> {
    let ranks = "A23456789TJQK".chars();
    ranks.flat_map(|rank| "cdhs".chars().map(move |suit| format!("{rank}{suit}"))).collect()
}

/// Returns two decks of cards in dealing order: first the cards that the check needs, then the rest in deck order.
///
/// The first card is the burn card, except at 6 to 5, which has none.
fn cards(card: &FaceDown, hidden: &str) -> Vec<String> {
    let mut first = ["2c", "5c", "6d", "5h", "Kd"];
    first[card.at] = hidden;
    let mut rest = [deck(), deck()].concat();
    for card in first {
        if let Some(at) = rest.iter().position(|other| other == card) {
            rest.remove(at);
        }
    }
    // The other house's card comes last here, and this house's comes last there, so the cards in between are the same.
    for card in card.cards.iter().filter(|card| **card != hidden) {
        if let Some(at) = rest.iter().position(|other| other == card) {
            let card = rest.remove(at);
            rest.push(card);
        }
    }
    first.iter().map(|card| (*card).to_owned()).chain(rest).collect()
}

/// Opens a house whose table deals from a shoe with the cards in a known order.
async fn open_arranged_house(directory: &Path, card: &FaceDown, hidden: &str) -> Result<Opened, String> {
    let wrong = |error: &dyn std::fmt::Display| error.to_string();
    let house = format!("{HOUSE}rules = \"{}\"\n", card.rules);
    std::fs::write(directory.join("house.toml"), house).map_err(|e| wrong(&e))?;
    // Take the opening record from a house that opens its table at random.
    let model = options(directory, "model");
    let opened = server::open(&model).await.map_err(|e| wrong(&e))?;
    let records = opened.ledger().read(|db| journal::round(db, TABLE, RoundNo(1))).map_err(|e| wrong(&e))?;
    opened.ledger().close();
    let record = records.into_iter().next().ok_or("no table was opened")?;
    let lines = String::from_utf8(record.event).map_err(|e| wrong(&e))?;
    let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    let shoe = lines.iter_mut().find(|line| line.starts_with("shoe ")).ok_or("no shoe was loaded")?;
    let locked = shoe.split(' ').nth(4).and_then(ledger::keys::from_hex).ok_or("no cards were locked")?;
    let id = ShoeId { table: TableId(1), number: 1 };
    let vault = Vault::existing(&model.data).map_err(|e| wrong(&e))?;
    let made = vault.unlock(id, &locked).map_err(|e| wrong(&e))?;
    let (cut, mut order) = (derived_cut(&made.commitment(), 104, made.cut_least), cards(card, hidden));
    order.rotate_right(cut);
    // The cut is recorded already and is derived from the commitment, so search for a nonce that gives the same cut.
    let order = order.join(" ");
    let mut nonces =
        (0u32..).map(|n| Committed { nonce: format!("{n:064x}"), order: order.clone(), ..made.clone() });
    let fits = |made: &Committed| derived_cut(&made.commitment(), 104, made.cut_least) == cut;
    let made = nonces.find(fits).ok_or("no such nonce")?;

    let house = options(directory, "house");
    std::fs::create_dir(&house.data).map_err(|e| wrong(&e))?;
    let sealer = Sealer::open(&house.data, None).map_err(|e| wrong(&e))?;
    let vault = Vault::open(&house.data).map_err(|e| wrong(&e))?.signing(Arc::new(sealer));
    let commitment = made.commitment();
    let said = Statement::Commitment { table: 1, shoe: 1, commitment: &commitment };
    let signature = vault.sign(&said).map_err(|e| wrong(&e))?;
    let locked = ledger::keys::hex(&vault.lock(&made).map_err(|e| wrong(&e))?);
    *shoe = format!("shoe 1 {commitment} {signature} {locked}");
    let ledger = Ledger::open(&house.data, place(&house), 0).map_err(|e| wrong(&e))?;
    let id = CommandId::new("arranged").ok_or("no id")?;
    let mut draft = Draft::new(TABLE, PersonId::HOUSE, id, "table-open");
    draft.fence = Some(ledger.take_over(TABLE, "test").map_err(|e| wrong(&e))?);
    (draft.round, draft.checkpoint, draft.event) = (RoundNo(1), true, lines.join("\n").into_bytes());
    ledger.commit(draft).map_err(|e| wrong(&e))?;
    ledger.close();
    drop(ledger);
    server::open(&house).await.map_err(|e| wrong(&e))
}

async fn play(
    directory: &Path,
    card: &FaceDown,
    hidden: &str,
    lines: &LogBuffer,
    world: &SimWorld,
) -> Result<HouseAnswers, String> {
    let opened = open_arranged_house(directory, card, hidden).await?;
    let mut crowd = Crowd::enter(&opened, world).await?;
    crowd.deal().await?;
    crowd.write_everything(false).await?;
    crowd.read_everything().await?;
    crowd.write_everything(true).await?;
    crowd.end_sockets().await?;
    crowd.check_signed_in().await?;
    hides_cards_in_hashes(&opened)?;
    let mut answers = std::mem::take(&mut crowd.answers);
    let figures = opened.app.metrics.text(opened.ledger(), None, &opened.app.self_check.state());
    // durations and memory sizes differ from run to run
    let figures = figures.lines().filter(|line| !line.contains("seconds") && !line.contains("bytes"));
    answers.push(("the metrics".into(), masked(&figures.collect::<Vec<_>>().join("\n"))));
    answers.push(("the log".into(), masked(&lines.text())));
    let seen = crowd.read("/api/tables/1").await?;
    crowd.act(json!({ "do": "stand", "box": 1 })).await?;
    let turned = match card.seen_by {
        Some(_) => seen["private"][0]["hands"][0]["cards"][1].clone(),
        None => turned(&crowd).await?,
    };
    opened.app.closing.send_replace(true);
    opened.ledger().close();
    if turned != hidden {
        return Err(format!("{turned} was turned over, but the face-down card was {hidden}"));
    }
    Ok(HouseAnswers { answers, turned })
}

/// Waits until the first round is over, and returns the hole card that the dealer turned over.
async fn turned(crowd: &Crowd<'_>) -> Result<Value, String> {
    let mut steps = Value::Null;
    for _ in 0..200 {
        if let Ok(round) = crowd.read("/api/tables/1/rounds/1").await {
            steps = round["steps"].clone();
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let card = |step: &Value| {
        let events = step["events"].as_array().cloned().unwrap_or_default();
        let hole = events.into_iter().find(|event| event["event"] == "hole-turned");
        hole.map(|event| event["card"].clone())
    };
    let turned = steps.as_array().and_then(|steps| steps.iter().find_map(card));
    turned.ok_or_else(|| "the face-down card was never turned over".to_owned())
}

/// Returns an error if the hash of a table's record reveals a card.
///
/// For each card in a record, tries every other card in its place: somebody who knows the whole record except that
/// card and the salt must not find the card whose hash matches.
fn hides_cards_in_hashes(opened: &Opened) -> Result<(), String> {
    let records = opened.ledger().read(|db| journal::records(db, Seq(0), 10_000));
    let records = records.map_err(|error| error.to_string())?;
    let mut tried = 0;
    for pair in records.windows(2) {
        let [before, record] = pair else { continue };
        if record.stream != TABLE {
            continue;
        }
        if record.chained(before.hash) != Some(record.hash) {
            return Err(format!("record {} has a hash that does not match its contents", record.seq.0));
        }
        let text = String::from_utf8_lossy(&record.event);
        let known: Vec<&str> = text.lines().filter(|line| !line.starts_with("salt ")).collect();
        for at in (0..known.len()).filter(|at| known[*at].starts_with("h card ")) {
            for card in deck() {
                let (line, mut guess) = (format!("h card {card}"), known.clone());
                guess[at] = &line;
                let guess = Record { event: guess.join("\n").into_bytes(), ..record.clone() };
                if guess.chained(before.hash) == Some(record.hash) {
                    return Err(format!("the hash of record {} reveals the card {card}", record.seq.0));
                }
                tried += 1;
            }
        }
    }
    if tried < 4 * 52 {
        return Err(format!("four cards were dealt, but {tried} hashes were tried"));
    }
    Ok(())
}
