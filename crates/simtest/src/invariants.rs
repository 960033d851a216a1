//! Checks the invariants of a house against the answers that it gave to people.
//!
//! - Chips sum to zero.
//! - Every acknowledged command is in the journal once, in the record that the acknowledgement named.
//! - A refused command is not in the journal, unless it was sent to a table: then it is recorded there as refused.
//! - No card is on the table twice or missing, and no card is shown before it is recorded.
//! - Every command was executed in the round for which it was sent.

use ledger::db::{Columns, Db, ask_one};
use ledger::{CommandId, DbResult, PersonId, Record, RoundNo, Stream, TableId, journal};
use serde_json::Value;
use server::Opened;
use std::collections::BTreeMap;

/// The answers that the house gave to people, to be checked.
#[derive(Default)]
pub struct Answers {
    /// The acknowledged commands, each as its person, its id and the sequence number of its record.
    pub acknowledged: Vec<(i64, String, i64)>,
    pub refused: Vec<RefusedCommand>,
    /// How many of the acknowledged and of the refused commands the last check had covered.
    checked: (usize, usize),
    pub repeated: u64,
    /// The number of cards at each table, by table number, as its first view showed it.
    cards: BTreeMap<u32, i64>,
}

/// A refused command: the person who sent it, the command id, and the refusal as text.
pub struct RefusedCommand {
    pub person: i64,
    pub id: String,
    /// Whether the command was sent to a table.
    ///
    /// The journal then records the refusal, so that a later copy of the command is not executed.
    pub at_table: bool,
    pub how: String,
}

/// How many commands that earlier checks covered each check looks up once more.
const RECHECKED: usize = 40;

fn record(db: &mut dyn Db, person: i64, id: &str) -> DbResult<Option<Record>> {
    let Some(id) = CommandId::new(id) else { return Ok(None) };
    journal::record_of_command(db, PersonId(person), &id)
}

/// Returns the sequence number of the record that executed a command, or `None` if the command was not executed.
fn executed_record(db: &mut dyn Db, person: i64, id: &str) -> DbResult<Option<i64>> {
    let found = record(db, person, id)?.filter(|record| record.kind != server::KIND_REFUSED);
    Ok(found.map(|record| record.seq.0))
}

fn chips(db: &mut dyn Db) -> DbResult<i64> {
    let sum = "SELECT COALESCE(SUM(balance), 0) + 0 FROM accounts WHERE chips = $1";
    let mut off = 0;
    for kind in ["cash", "play"] {
        let rows = ask_one(db, sum, vec![kind.into()])?;
        off += rows.into_iter().next().map(|row| Columns::of(row).int()).transpose()?.unwrap_or(0).abs();
    }
    Ok(off)
}

impl Answers {
    /// Returns an error if a command was executed in another round than the one it was meant for.
    pub fn check_round(&self, opened: &Opened, person: i64, id: &str, round: i64) -> Result<(), String> {
        let Some(command) = CommandId::new(id) else { return Ok(()) };
        let record = |db: &mut dyn Db| journal::record_of_command(db, PersonId(person), &command);
        match opened.ledger().read(record).map_err(|error| error.to_string())? {
            Some(record) if record.round.0 != round => Err(format!(
                "command {id} of person {person} was meant for round {round}, but was recorded in round {}",
                record.round.0
            )),
            _ => Ok(()),
        }
    }

    /// Checks all new answers against the journal, and some of the earlier answers once more.
    ///
    /// Returns an error if an answer does not match the journal, or if the chips do not sum to zero.
    pub fn check_answers(&mut self, opened: &Opened, turn: usize) -> Result<(), String> {
        let (acknowledged, refused) = (&self.acknowledged, &self.refused);
        let (known, unknown) = self.checked;
        let old = |n: usize, many: usize| (turn.wrapping_mul(7919) + n * 104_729) % many.max(1);
        let check = |db: &mut dyn Db| -> DbResult<Option<String>> {
            let off = chips(db)?;
            if off != 0 {
                return Ok(Some(format!("the chips do not sum to zero: they are off by {off} cents")));
            }
            let again = (0..RECHECKED.min(known)).map(|n| old(n, known));
            for n in again.chain(known..acknowledged.len()) {
                let (person, id, seq) = &acknowledged[n];
                let found = executed_record(db, *person, id)?;
                if found != Some(*seq) {
                    return Ok(Some(format!(
                        "command {id} of person {person} was acknowledged as record {seq}, but the journal has it as \
                            {found:?}"
                    )));
                }
            }
            let again = (0..RECHECKED.min(unknown)).map(|n| old(n, unknown));
            for n in again.chain(unknown..refused.len()) {
                let RefusedCommand { person, id, at_table, how } = &refused[n];
                let found = record(db, *person, id)?.map(|record| (record.seq.0, record.kind));
                let as_refused = found.as_ref().is_some_and(|(_, kind)| kind == server::KIND_REFUSED);
                if as_refused != *at_table || found.is_some() != *at_table {
                    return Ok(Some(format!(
                        "command {id} of person {person} was refused, but its record is {found:?}: {how}"
                    )));
                }
            }
            Ok(None)
        };
        let wrong = opened.ledger().read(check).map_err(|error| error.to_string())?;
        self.checked = (self.acknowledged.len(), self.refused.len());
        wrong.map_or(Ok(()), Err)
    }

    /// Checks a new acknowledgement against the journal, and adds it to the answers.
    ///
    /// Returns the number of the record that executed the command. `seq` is that number if the house named it;
    /// `seq` is returned unchecked if the database cannot be read.
    pub fn acknowledge(
        &mut self,
        opened: &Opened,
        person: i64,
        id: &str,
        seq: Option<i64>,
    ) -> Result<Option<i64>, String> {
        let check = |db: &mut dyn Db| Ok((executed_record(db, person, id)?, chips(db)?));
        // A database that has just failed cannot answer; the command is checked when it is back.
        let found = match opened.ledger().read(check) {
            Err(_) => seq,
            Ok((Some(found), 0)) if seq.is_none_or(|seq| seq == found) => Some(found),
            Ok((found, off)) => {
                return Err(format!(
                    "command {id} of person {person} was reported as record {seq:?}, but the journal has {found:?}; the chips are \
                        off by {off} cents"
                ));
            }
        };
        self.acknowledged.extend(found.map(|seq| (person, id.to_owned(), seq)));
        Ok(found)
    }

    /// Returns an error if a table's view shows duplicate, missing or unrecorded cards.
    pub fn check_view(&mut self, opened: &Opened, table: u32, view: &Value) -> Result<(), String> {
        let Some(left) = view["shoe"]["left"].as_i64() else { return Ok(()) };
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut seen: Vec<Value> = list(&view["dealer"]["cards"]);
        let mut lying = seen.len() as i64 + i64::from(view["dealer"]["hole"] == true);
        for hand in list(&view["boxes"]).iter().flat_map(|play| list(&play["hands"])) {
            let cards = list(&hand["cards"]);
            if hand["collected"] != true {
                lying += cards.len() as i64 + hand["face_down"].as_i64().unwrap_or(0);
            }
            seen.extend(cards);
        }
        let discards = view["shoe"]["discards"].as_i64().unwrap_or(0);
        let all = left + discards + lying;
        let cards = *self.cards.entry(table).or_insert(all);
        if cards != all {
            return Err(format!("table {table} has {cards} cards but shows {all}: {view}"));
        }
        match seen.is_empty() {
            true => Ok(()),
            false => recorded(opened, table, view["round"].as_i64().unwrap_or(0), &seen, view),
        }
    }
}

/// Returns an error unless the records of the round include every card that the view shows, as often as it does.
fn recorded(opened: &Opened, table: u32, round: i64, seen: &[Value], view: &Value) -> Result<(), String> {
    let stream = Stream::Table(TableId(table));
    let read = |db: &mut dyn Db| journal::round(db, stream, RoundNo(round));
    // A database that has just failed cannot answer.
    let Ok(records) = opened.ledger().read(read) else { return Ok(()) };
    let events: Vec<_> = records.iter().map(|record| String::from_utf8_lossy(&record.event)).collect();
    let text = events.join("\n");
    let mut recorded: Vec<&str> = text.split_ascii_whitespace().filter(|word| word.len() == 2).collect();
    for card in seen.iter().filter_map(Value::as_str) {
        match recorded.iter().position(|word| *word == card) {
            Some(at) => drop(recorded.swap_remove(at)),
            None => {
                return Err(format!(
                    "{card} is visible at table {table} in round {round} but is not recorded: {view}"
                ));
            }
        }
    }
    Ok(())
}
