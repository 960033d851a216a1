//! Checks the invariants of the house: compares the last primary's journal with everything that any client was told.

use super::client::{Acknowledged, Ears, Spot};
use ledger::db::{Columns, Found};
use server::{Options, audit};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, SystemTime};

const JOURNAL: &str =
    "SELECT seq, table_no, round, epoch, person, command, kind, event, legs FROM journal ORDER BY seq";

const TAKEN: &str = "SELECT at, changes FROM journal WHERE kind = 'taken-over' ORDER BY seq";

/// A node's failure: when it began and ended, by the machine's clock, and the tables that the node owned.
pub struct Death {
    pub at: SystemTime,
    pub until: SystemTime,
    pub tables: Vec<u32>,
}

/// Returns how long after each failure its tables were taken over, by the takeover records, or the failure's whole
/// duration if there is none.
pub fn takeovers(options: &Options, deaths: &[Death]) -> Vec<Duration> {
    let mut taken: Vec<(u64, SystemTime)> = Vec::new();
    let each = &mut |row: Found| {
        let mut c = Columns::of(row);
        let (at, changes) = (c.int().expect("a number"), c.text().expect("text"));
        let changes: serde_json::Value = serde_json::from_str(&changes).expect("changes");
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(at.unsigned_abs());
        taken.extend(changes[0]["owner"]["table"].as_u64().map(|table| (table, at)));
        true
    };
    server::place(options).reader().expect("readable").walk(TAKEN, vec![], each).expect("readable");
    let first = |death: &Death, table: u32| {
        let mut of = taken.iter().filter(|(of, at)| *of == u64::from(table) && *at >= death.at);
        let at = of.next().map_or(death.until, |(_, at)| *at).min(death.until);
        at.duration_since(death.at).unwrap_or_default()
    };
    let lost = deaths.iter().flat_map(|death| death.tables.iter().map(move |table| (death, *table)));
    lost.map(|(death, table)| first(death, table)).collect()
}

/// State of a pass over the journal.
#[derive(Default)]
struct Walk {
    /// The records of each command: number and round.
    seqs: HashMap<(i64, String), Vec<(i64, i64)>>,
    refused: HashSet<(i64, String)>,
    epochs: BTreeMap<i64, i64>,
    changes: usize,
    balances: HashMap<String, i64>,
    /// The cards of each round, in the order of dealing.
    cards: HashMap<(i64, i64), Vec<String>>,
}

impl Walk {
    fn record(&mut self, row: Found) {
        let mut c = Columns::of(row);
        let mut number = || c.int().expect("a number");
        let (seq, table, round, epoch, person) = (number(), number(), number(), number(), number());
        let mut text = || c.text().expect("text");
        let (command, kind, event, legs) = (text(), text(), text(), text());
        if kind == server::KIND_REFUSED {
            self.refused.insert((person, command.clone()));
        }
        self.seqs.entry((person, command)).or_default().push((seq, round));
        // Chips sum to zero in every record, and so in every prefix; and every balance is the sum of what was moved.
        let legs: Vec<(String, i64, i64)> = serde_json::from_str(&legs).expect("legs");
        for chips in ["cash:", "play:"] {
            let of = legs.iter().filter(|(account, ..)| account.starts_with(chips));
            assert_eq!(of.map(|(_, amount, _)| amount).sum::<i64>(), 0, "record {seq} makes chips");
        }
        for (account, amount, after) in legs {
            let balance = self.balances.entry(account).or_default();
            *balance += amount;
            assert_eq!(*balance, after, "record {seq} does not go on from the records before it");
        }
        if table > 0 {
            let before = self.epochs.insert(table, epoch).unwrap_or(0);
            assert!(epoch >= before, "record {seq}: an epoch falls at table {table}");
            self.changes += usize::from(epoch > before);
            let dealt = event.lines().flat_map(|line| line.split(' ')).filter(|word| is_card(word));
            self.cards.entry((table, round)).or_default().extend(dealt.map(str::to_owned));
        }
    }
}

fn is_card(word: &str) -> bool {
    let mut letters = word.chars();
    let (rank, suit) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    letters.next().is_none() && "23456789TJQKA".contains(rank) && "cdhs".contains(suit)
}

pub fn hold(options: &Options, ears: &Ears) {
    let wrong = ears.wrong.lock().expect("unpoisoned");
    assert!(wrong.is_empty(), "{} wrong answers, the first: {:?}", wrong.len(), &wrong[..wrong.len().min(3)]);
    let found = audit(options).expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
    let mut walk = Walk::default();
    let mut db = server::place(options).reader().expect("readable");
    let each = &mut |row| {
        walk.record(row);
        true
    };
    db.walk(JOURNAL, vec![], each).expect("readable");
    let told = ears.told.lock().expect("unpoisoned");
    every_acknowledgement_is_there_once(&told, &walk);
    let refused = ears.refused.lock().expect("unpoisoned");
    every_refusal_is_final(&refused, &told, &walk);
    answers_and_records_have_one_order(&told);
    every_card_was_dealt_once(&ears.seen.lock().expect("unpoisoned"), &walk);
    let records = found.records;
    println!(
        "invariants hold: {records} records, {} acknowledged, {} refused, tables changed hands {} times",
        told.len(),
        refused.len(),
        walk.changes
    );
}

/// Checks that an acknowledged command has one record, in the round it was made for.
fn every_acknowledgement_is_there_once(told: &[Acknowledged], walk: &Walk) {
    for Acknowledged { person, id, seq, round, .. } in told {
        let Some([(found, of)]) = walk.seqs.get(&(*person, id.clone())).map(Vec::as_slice) else {
            panic!("an acknowledged command is not in the journal once: {id:?}");
        };
        assert_eq!(found, seq, "an acknowledged command has another record: {id:?}");
        assert_eq!(of, round, "a command was carried out in another round: {id:?}");
    }
}

/// Checks that a refused command has one record, which is its refusal, and that no acknowledged command has one.
fn every_refusal_is_final(refused: &[(i64, String)], told: &[Acknowledged], walk: &Walk) {
    for key in refused {
        let records = walk.seqs.get(key).map_or(0, Vec::len);
        assert!(records == 1 && walk.refused.contains(key), "refused, and not for good: {key:?}");
    }
    for Acknowledged { person, id, .. } in told {
        assert!(!walk.refused.contains(&(*person, id.clone())), "acknowledged, and refused: {id:?}");
    }
}

/// Checks that a command sent after another was acknowledged has a later record.
fn answers_and_records_have_one_order(told: &[Acknowledged]) {
    let mut by_answer: Vec<&Acknowledged> = told.iter().collect();
    by_answer.sort_by_key(|told| told.answered);
    let mut by_sent: Vec<&Acknowledged> = told.iter().collect();
    by_sent.sort_by_key(|told| told.sent);
    let (mut before, mut highest) = (by_answer.into_iter().peekable(), 0);
    for told in by_sent {
        while let Some(earlier) = before.next_if(|earlier| earlier.answered < told.sent) {
            highest = highest.max(earlier.seq);
        }
        assert!(told.seq > highest, "{told:?} stands before what was answered before it was asked");
    }
}

/// Checks that every card shown is in the journal of its round, and that no position showed two cards.
fn every_card_was_dealt_once(seen: &HashMap<Spot, String>, walk: &Walk) {
    assert!(!seen.is_empty(), "nobody saw a card");
    let mut rounds: HashMap<(i64, i64), Vec<&str>> = HashMap::new();
    for ((table, round, ..), card) in seen {
        rounds.entry((i64::from(*table), *round as i64)).or_default().push(card);
    }
    for (round, shown) in rounds {
        let mut dealt = walk.cards.get(&round).cloned().unwrap_or_default();
        for card in shown {
            let at = dealt.iter().position(|each| each == card);
            let at = at.unwrap_or_else(|| panic!("{card} was shown in {round:?}, and is not in its record"));
            dealt.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// Checks a command for round 7 that was acknowledged as record 3, against these records: number and round.
    fn check(records: &[(i64, i64)]) {
        let (now, id) = (Instant::now(), "one".to_owned());
        let seqs = HashMap::from([((1, id.clone()), records.to_vec())]);
        let told = Acknowledged { person: 1, id, seq: 3, table: 1, round: 7, sent: now, answered: now };
        every_acknowledgement_is_there_once(&[told], &Walk { seqs, ..Walk::default() });
    }

    #[test]
    fn a_command_recorded_once_in_its_round_passes() {
        check(&[(3, 7)]);
    }

    #[test]
    #[should_panic(expected = "in another round")]
    fn a_command_recorded_in_another_round_fails() {
        check(&[(3, 8)]);
    }

    #[test]
    #[should_panic(expected = "not in the journal once")]
    fn a_command_recorded_twice_fails() {
        check(&[(3, 7), (4, 7)]);
    }
}
