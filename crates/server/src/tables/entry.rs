//! The journal records of a live table.
//!
//! This module writes steps, restores a table after a restart, replays every round for an audit, and reconstructs
//! the history of a round.

use super::command_codec;
use super::live::{By, Fixed, Live, Step, TableFault, VoidDeclaration};
use crate::fair::Vault;
use crate::house_file::HouseFile;
use ledger::db::Db;
use ledger::keys::{from_hex, hex};
use ledger::{DbResult, Record, RoundNo, Seq, Stream, TableId, journal};
use rules::Choices;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use table::{Event, notation};

/// The kind of a table's journal records, except those that reopen the table or hold a snapshot of it.
///
/// Those records have the kind [`KIND_OPEN`].
pub const KIND: &str = "table";
/// The kind of a table's journal records that reopen the table or hold a snapshot of it.
pub const KIND_OPEN: &str = "table-open";

/// The prefix of a record's last line, whose 128 random bits keep the record's public hash from revealing a card.
const SALT: &str = "salt ";
const SALT_BYTES: usize = 16;

/// Returns the body of the journal record for a step, with a salt as its last line.
///
/// The hash of the journal's head, which covers the record, is public, and a player may know all lines but for one
/// face-down card: without the salt, trying all 52 cards would reveal it. Returns an error if there is no entropy.
pub fn body(step: &Step) -> Result<Vec<u8>, TableFault> {
    let mut salt = [0u8; SALT_BYTES];
    ledger::world::fill_random(&mut salt).map_err(|error| TableFault::Entropy(error.to_string()))?;
    let mut text = step.lines.join("\n");
    text.push('\n');
    text.push_str(SALT);
    text.push_str(&hex(&salt));
    Ok(text.into_bytes())
}

/// Returns whether a line of a record is the record's salt, which a replay skips.
fn is_salt(line: &str) -> bool {
    let salt = line.strip_prefix(SALT).and_then(from_hex);
    salt.is_some_and(|salt| salt.len() == SALT_BYTES)
}

impl Live {
    /// Replays a record of this table, and returns the step that the record stores.
    ///
    /// Returns an error if the table does not accept the record, or if the chips move otherwise than the record
    /// states.
    pub fn replay(&mut self, record: &Record, vault: &Vault) -> Result<Step, TableFault> {
        let wrong = |what: String| TableFault::Journal(format!("record {}: {what}", record.seq.0));
        let text = std::str::from_utf8(&record.event).map_err(|e| wrong(e.to_string()))?;
        let round = self.round_no();
        let mut step = Step::default();
        for line in text.lines().filter(|line| !is_salt(line)) {
            self.replay_line(line, vault, &mut step).map_err(|stuck| wrong(stuck.to_string()))?;
        }
        let round = step.round.unwrap_or(round);
        let opens = text.starts_with("open ") || text.starts_with("kept ");
        if record.round != round && !opens {
            return Err(wrong(format!(
                "the record belongs to round {} but says round {}",
                round.0, record.round.0
            )));
        }
        if !step.postings.fits(&record.legs) {
            return Err(wrong("the chips that moved do not match the events".into()));
        }
        Ok(step)
    }

    pub fn replay_line(&mut self, line: &str, vault: &Vault, step: &mut Step) -> Result<(), TableFault> {
        let unknown =
            || TableFault::Journal(format!("cannot parse `{}`", line.chars().take(80).collect::<String>()));
        if let Some(written) =
            line.strip_prefix("returns").filter(|rest| rest.is_empty() || rest.starts_with(' '))
        {
            return self.check_returns(written);
        }
        match line.split_once(' ') {
            Some(("open", _)) => {
                self.restore_opening(line).ok_or_else(unknown)?;
                if self.first_opening() {
                    step.postings = self.till().seed_meter(self.table.memory().meter);
                }
                Ok(())
            }
            Some(("shoe", _)) => self.shoe_loaded(line, vault),
            Some(("kept", _)) => self.resume(line, vault),
            Some((letter, rest)) => {
                let by = By::from_letter(letter).ok_or_else(unknown)?;
                if let Some(card) = rest.strip_prefix("correct ") {
                    let card = card.parse().map_err(|_| unknown())?;
                    return self
                        .correct(by, card, step)
                        .map_err(|why| TableFault::Refused(format!("{why:?}")));
                }
                if let Some(words) = rest.strip_prefix("because ") {
                    let (name, why) = serde_json::from_str(words).map_err(|_| unknown())?;
                    self.declare_void(by, VoidDeclaration { name, why }, step);
                    return Ok(());
                }
                if let Some(done) = self.replay_share(by, rest, step) {
                    return done.map_err(TableFault::Refused);
                }
                let command = command_codec::decode(rest, &mut self.seats).ok_or_else(unknown)?;
                Ok(self.perform(by, command, step)?)
            }
            None => Err(unknown()),
        }
    }
}

/// Restores a table from its last checkpoint and the records after it; a checkpoint is a reopening or a snapshot.
///
/// The outer result is an error if the database failed, and the inner one if the records are inconsistent.
pub fn load(db: &mut dyn Db, fixed: &Fixed, vault: &Vault) -> DbResult<Result<Live, TableFault>> {
    let stream = Stream::Table(fixed.id);
    let mut live = Live::new(fixed.clone());
    let mut from = match journal::checkpoint(db, stream)? {
        // The checkpoint's own record has more lines than the checkpoint, so it is replayed too.
        Some(found) => (found.round, Seq(found.seq.0 - 1)),
        None => (RoundNo(0), Seq(0)),
    };
    loop {
        let records = journal::stream_after(db, stream, from, 1000)?;
        for record in &records {
            if let Err(stuck) = live.replay(record, vault) {
                return Ok(Err(stuck));
            }
            from = (record.round, record.seq);
        }
        if records.len() < 1000 {
            return Ok(Ok(live));
        }
    }
}

/// Returns a function that checks a journal record by replaying it, for the ledger's audit to call with every
/// record.
///
/// Each table is replayed under the rules with which it was opened.
pub fn audit_records(vault: &Vault) -> impl FnMut(&Record) -> Result<(), String> + '_ {
    let mut tables: HashMap<TableId, Live> = HashMap::new();
    move |record| {
        let Stream::Table(id) = record.stream else {
            return Ok(());
        };
        let live = match tables.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let standard = HouseFile::standard().map_err(|e| e.to_string())?;
                let setup = standard.tables.first().ok_or("the default house file has no table")?;
                place.insert(Live::new(Fixed { id, ..Fixed::of(setup) }))
            }
        };
        live.replay(record, vault).map(|_| ()).map_err(|stuck| stuck.to_string())
    }
}

/// The history of a round, reconstructed by a replay of the table's records.
pub struct History {
    /// All events since the start of the replay, at a reopening or a snapshot of the table.
    pub log: Vec<(By, Event)>,
    pub steps: Vec<(Record, Step)>,
    /// The table after the last record of the round, with its rules and the players' numbers.
    pub live: Live,
}

/// Writes the rounds of `log` with `write`, and marks decisions that the platform made for absent players.
///
/// The text names people by their public numbers, such as `p57`, or `other1` for a person whose house number the
/// reader may not know.
pub fn write_rounds<T>(
    log: &[(By, Event)],
    live: &Live,
    write: impl FnOnce(&Choices, &[Event], notation::Style<'_>) -> T,
) -> T {
    let name = |person| match live.seats.public_number(person).map(|number| number.0) {
        None => "nobody".into(),
        Some(number @ ..0) => format!("other{}", number.unsigned_abs()),
        Some(number) => format!("p{number}"),
    };
    let remark = |at: usize| {
        let (by, _) = log.get(at)?;
        (*by == By::Absent).then_some("decided by the platform for an absent player")
    };
    let events: Vec<Event> = log.iter().map(|(_, event)| *event).collect();
    write(live.table.rules(), &events, notation::Style { name: &name, remark: &remark })
}

/// A function that is called with every record of a round.
///
/// Its arguments are the table before the record, the record, the record's step, and the table after the record.
pub type RecordCallback = Box<dyn FnMut(&Live, &Record, &Step, &Live) + Send>;

/// The point in a table's journal at which a replay starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayStart {
    /// The last reopening or snapshot before the round, which makes the replay as short as possible.
    Checkpoint,
    /// The last reopening before the round, even if snapshots followed.
    Opening,
}

/// Reconstructs the history of a round from the table's records.
///
/// Returns `None` if the round has no records. The outer result is an error if the database failed, and the inner
/// one if the records are inconsistent.
pub fn history(
    db: &mut dyn Db,
    fixed: &Fixed,
    vault: &Vault,
    (round, from): (RoundNo, ReplayStart),
    mut on_record: Option<RecordCallback>,
) -> DbResult<Option<Result<History, TableFault>>> {
    let stream = Stream::Table(fixed.id);
    let mut records = journal::since_opening(db, stream, KIND_OPEN, (round, journal::MAX_SEQ))?;
    while from == ReplayStart::Opening
        && let Some(first) = records.first().filter(|first| first.event.starts_with(b"kept "))
    {
        let before = (first.round, Seq(first.seq.0 - 1));
        let mut earlier = journal::since_opening(db, stream, KIND_OPEN, before)?;
        if earlier.is_empty() {
            break;
        }
        earlier.append(&mut records);
        records = earlier;
    }
    if !records.iter().any(|record| record.round == round) {
        return Ok(None);
    }
    let mut live = Live::new(fixed.clone());
    let mut log: Vec<(By, Event)> = Vec::new();
    let mut steps: Vec<(Record, Step)> = Vec::new();
    let mut last = 0;
    for record in records {
        let before = on_record.is_some().then(|| live.clone());
        let step = match live.replay(&record, vault) {
            Ok(step) => step,
            Err(stuck) => return Ok(Some(Err(stuck))),
        };
        if let (Some(on_record), Some(before), true) = (&mut on_record, &before, record.round == round) {
            on_record(before, &record, &step, &live);
        }
        // The consequences of a wrongly entered card have not happened.
        if step.corrected.is_some() {
            log.truncate(last);
        }
        last = log.len();
        log.extend_from_slice(&step.events);
        if record.round == round {
            if let (Some(_), Some((_, wrong))) = (step.corrected, steps.last_mut()) {
                wrong.events.clear();
                wrong.corrected = None;
            }
            steps.push((record, step));
        }
    }
    Ok(Some(Ok(History { log, steps, live })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house_file::Dealing;
    use crate::tables::snapshot::tests::{record, round};
    use ledger::record::GENESIS;
    use rules::Deck;

    /// Checks that the public hash of a record does not reveal the one card that a player does not know.
    ///
    /// The player knows every line of the record except the salt and that card.
    #[test]
    fn the_hash_of_a_record_does_not_tell_a_card_that_lies_face_down() {
        let keys = tempfile::tempdir().expect("a directory");
        let vault = Vault::open(keys.path()).expect("opens");
        let house = HouseFile::standard().expect("a house");
        let setup =
            house.tables.iter().find(|t| t.dealing == Dealing::Automatic).expect("an automatic table");
        let mut live = Live::new(Fixed { id: TableId(1), ..Fixed::of(setup) });
        let mut steps = vec![(1, Step::default())];
        live.reopen(&mut steps[0].1);
        live.carry_on(&vault, &mut steps[0].1).expect("opens");
        round(&mut live, &vault, 1, &mut steps);
        let mut cards = 0;
        for (at, step) in steps.iter().enumerate() {
            let record = record(at, step);
            let head = record.chained(GENESIS).expect("text");
            let text = String::from_utf8(record.event.clone()).expect("text");
            let known: Vec<&str> = text.lines().filter(|line| !is_salt(line)).collect();
            assert_eq!(known, step.1.lines, "nothing else is hidden");
            for at in (0..known.len()).filter(|at| known[*at].starts_with("h card ")) {
                cards += 1;
                for card in Deck::FIFTY_TWO.cards() {
                    let (card, mut guess) = (format!("h card {card}"), known.clone());
                    guess[at] = &card;
                    let guess = Record { event: guess.join("\n").into_bytes(), ..record.clone() };
                    assert_ne!(guess.chained(GENESIS), Some(head), "`{card}` is found by its hash");
                }
            }
        }
        assert!(cards >= 3, "two cards of the box and one of the dealer: {cards}");
    }
}
