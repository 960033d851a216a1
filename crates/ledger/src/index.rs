//! The index of commands: from the id that a person gave a command to the place of its record. Commands that stand next
//! to one another in the order of ids lie in one drawer, which is a row, under the label of the first of them; a drawer
//! reaches to the next one. Ids grow with time, so new commands mostly go to the last drawer and little is read or
//! written for many.

use crate::chapter::Key;
use crate::db::{Columns, Db, DbError, DbResult, Found};
use crate::ids::{PersonId, Seq};
use crate::row;
use std::ops::Range;

/// A drawer takes commands until it has so many bytes: it then fits a page of SQLite's with its label.
const FULL: usize = 3_800;
/// Drawers asked for at a time, at most.
const AT_ONCE: usize = 1_024;

/// Under what a command stands: its id, a zero, which no id has, and who gave it. Labels are in the order of ids.
pub type Label = Vec<u8>;

pub fn label(person: PersonId, command: &str) -> Label {
    let mut label = Vec::with_capacity(command.len() + 9);
    label.extend_from_slice(command.as_bytes());
    label.push(0);
    label.extend_from_slice(&person.0.to_be_bytes());
    label
}

/// A command and the place of its record.
pub type Entry<'a> = (&'a [u8], Seq);

/// The entries of a drawer; `None` when these bytes cannot be any.
pub fn entries(mut bytes: &[u8]) -> Option<Vec<Entry<'_>>> {
    let mut entries = Vec::with_capacity(bytes.len() / 40);
    while let Some((length, rest)) = bytes.split_first() {
        let (label, rest) = rest.split_at_checked(usize::from(*length))?;
        let (seq, rest) = rest.split_first_chunk::<8>()?;
        entries.push((label, Seq(i64::from_be_bytes(*seq))));
        bytes = rest;
    }
    Some(entries)
}

fn write(to: &mut Vec<u8>, (label, seq): Entry<'_>) {
    // An id has at most 64 letters.
    to.push(u8::try_from(label.len()).unwrap_or(u8::MAX));
    to.extend_from_slice(label);
    to.extend_from_slice(&seq.0.to_be_bytes());
}

fn size((label, _): Entry<'_>) -> usize {
    label.len() + 9
}

fn malformed() -> DbError {
    DbError::Refused("the index of commands is malformed; run the audit".into())
}

/// A drawer as one question found it: while another connection adds to the index, what lies in a drawer may move on to a
/// new one between two questions, but never between its label and its entries.
#[derive(PartialEq, Eq)]
struct Drawer {
    first: Label,
    bytes: Vec<u8>,
}

impl Drawer {
    fn of(row: Found) -> DbResult<Drawer> {
        let mut c = Columns::of(row);
        Ok(Drawer { first: c.bytes()?, bytes: c.bytes()? })
    }

    fn entries(&self) -> DbResult<Vec<Entry<'_>>> {
        entries(&self.bytes).ok_or_else(malformed)
    }
}

/// The places of the records of these commands, where the index has them.
pub fn find(db: &mut dyn Db, keys: &[Key]) -> DbResult<Vec<Option<Seq>>> {
    let mut labels: Vec<(Label, usize)> =
        keys.iter().enumerate().map(|(n, (person, command))| (label(*person, command.as_str()), n)).collect();
    labels.sort_unstable();
    let sought: Vec<&[u8]> = labels.iter().map(|(label, _)| &label[..]).collect();
    let mut found = vec![None; keys.len()];
    for (drawer, places) in open(db, &sought)? {
        let mut entries = drawer.entries()?.into_iter().peekable();
        for (label, n) in &labels[places] {
            while entries.next_if(|(there, _)| *there < &label[..]).is_some() {}
            found[*n] = entries.peek().filter(|(there, _)| *there == &label[..]).map(|(_, seq)| *seq);
        }
    }
    Ok(found)
}

/// Adds commands to the index. One connection at a time does this.
pub fn add(db: &mut dyn Db, mut commands: Vec<(Label, Seq)>) -> DbResult<()> {
    commands.sort_unstable();
    let new: Vec<Entry<'_>> = commands.iter().map(|(label, seq)| (&label[..], *seq)).collect();
    let labels: Vec<&[u8]> = new.iter().map(|(label, _)| *label).collect();
    let opened = open(db, &labels)?;
    let before_all = opened.first().map_or(new.len(), |(_, places)| places.start);
    let mut drawers = divided(&new[..before_all], true);
    for (drawer, places) in &opened {
        let mut all = drawer.entries()?;
        let behind = all.last().is_none_or(|(last, _)| *last < labels[places.start]);
        all.extend_from_slice(&new[places.clone()]);
        all.sort_unstable();
        drawers.extend(divided(&all, behind));
    }
    let rows: Vec<_> = drawers.iter().map(|drawer| row![&drawer.first[..], &drawer.bytes[..]]).collect();
    let sql = "INSERT INTO commands (first, entries) VALUES ($1, $2) \
               ON CONFLICT (first) DO UPDATE SET entries = excluded.entries";
    db.run(sql, &rows).map(|_| ())
}

/// Entries in as many drawers as they need: filled one after the other where only later ones will come, and otherwise
/// evenly, so that each has room.
fn divided(entries: &[Entry<'_>], growing: bool) -> Vec<Drawer> {
    let bytes: usize = entries.iter().copied().map(size).sum();
    let most = if growing { FULL } else { bytes.div_ceil(bytes.div_ceil(FULL).max(1)) };
    let mut drawers: Vec<Drawer> = Vec::new();
    for entry in entries {
        match drawers.last_mut().filter(|drawer| drawer.bytes.len() + size(*entry) <= most) {
            Some(drawer) => write(&mut drawer.bytes, *entry),
            None => {
                let mut bytes = Vec::with_capacity(most);
                write(&mut bytes, *entry);
                drawers.push(Drawer { first: entry.0.to_vec(), bytes });
            }
        }
    }
    drawers
}

/// The drawers to which these labels belong, which are in order: each with the places of its labels. Labels before every
/// drawer are left out.
fn open(db: &mut dyn Db, labels: &[&[u8]]) -> DbResult<Vec<(Drawer, Range<usize>)>> {
    let mut opened: Vec<(Drawer, Range<usize>)> = Vec::new();
    // An answer tells of every label from its drawer's first up to the one asked about, so one may do for all. If it does
    // not, more are asked about at a time, spread over those that are left.
    let mut left: Vec<usize> = (0..labels.len()).collect();
    let mut many = 1;
    while !left.is_empty() {
        let asked: Vec<usize> = left.iter().rev().step_by(left.len().div_ceil(many)).copied().collect();
        let rows: Vec<_> = asked.iter().map(|place| row![labels[*place]]).collect();
        let sql = "SELECT first, entries FROM commands WHERE first <= $1 ORDER BY first DESC LIMIT 1";
        for (place, found) in asked.into_iter().zip(db.ask(sql, &rows)?) {
            let end = left.partition_point(|other| *other <= place);
            let Some(row) = found.into_iter().next() else {
                left.drain(..end);
                continue;
            };
            let drawer = Drawer::of(row)?;
            let begin = left[..end].partition_point(|other| labels[*other] < &drawer.first[..]);
            // Whatever was left between these two belongs here, and nothing else does.
            if let (Some(first), true) = (left.get(begin).copied(), begin < end) {
                opened.push((drawer, first..place + 1));
            }
            left.drain(begin..end);
        }
        many = (4 * many).min(AT_ONCE);
    }
    opened.sort_unstable_by_key(|(_, places)| places.start);
    opened.dedup_by(|(later, after), (drawer, places)| {
        let same = drawer == later;
        if same {
            places.end = after.end;
        }
        same
    });
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::{Drawer, FULL, Label, add, entries, find, label, write};
    use crate::chapter::Key;
    use crate::db::Db;
    use crate::ids::{CommandId, PersonId, Seq};
    use crate::row;
    use crate::store::Place;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;

    /// Ids as clients make them: growing with time, at random, and all alike but for the person.
    fn key() -> impl Strategy<Value = (String, i64)> {
        let growing = (0..5_000_u32).prop_map(|n| format!("0190{n:08x}"));
        let id = prop_oneof![growing, "[a-z0-9]{1,6}", "[zZ]{64}", Just("same".to_owned())];
        (id, 0..300_i64)
    }

    fn drawers(db: &mut dyn Db) -> Vec<Drawer> {
        let mut all = Vec::new();
        db.walk("SELECT first, entries FROM commands ORDER BY first", row![], &mut |row| {
            all.push(Drawer::of(row).expect("a drawer"));
            true
        })
        .expect("read");
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn the_index_finds_what_was_added_and_nothing_else(
            batches in prop::collection::vec(prop::collection::vec(key(), 0..400), 1..8),
            strangers in prop::collection::vec(key(), 0..50),
        ) {
            let directory = tempfile::tempdir().expect("temp dir");
            let mut db = Place::in_directory(directory.path()).writer().expect("opens");
            let mut model: BTreeMap<(String, i64), Seq> = BTreeMap::new();
            for batch in batches {
                let mut new = Vec::new();
                for key in batch {
                    let seq = Seq(model.len() as i64 + 1);
                    if let Entry::Vacant(place) = model.entry(key) {
                        let (id, person) = place.key();
                        new.push((label(PersonId(*person), id), seq));
                        place.insert(seq);
                    }
                }
                add(&mut *db, new).expect("added");
            }
            let mut last = Label::new();
            for drawer in drawers(&mut *db) {
                let entries = drawer.entries().expect("whole");
                prop_assert!(drawer.bytes.len() <= FULL && entries[0].0 == &drawer.first[..]);
                for (label, _) in entries {
                    prop_assert!(label > &last[..]);
                    last = label.to_vec();
                }
            }
            let sought: Vec<(String, i64)> = model.keys().cloned().chain(strangers).collect();
            let keys: Vec<Key> = sought
                .iter()
                .map(|(id, person)| (PersonId(*person), CommandId::new(id).expect("lawful")))
                .collect();
            let found = find(&mut *db, &keys).expect("asked");
            for (key, found) in sought.iter().zip(found) {
                prop_assert_eq!(found, model.get(key).copied(), "{:?}", key);
            }
        }
    }

    /// Ids that grow fill their drawers, one after the other.
    #[test]
    fn growing_ids_leave_no_room_behind() {
        let directory = tempfile::tempdir().expect("temp dir");
        let mut db = Place::in_directory(directory.path()).writer().expect("opens");
        for n in 0..500 {
            let seq = Seq(n + 1);
            add(&mut *db, vec![(label(PersonId(1), &format!("p{n:020}")), seq)]).expect("added");
        }
        let drawers = drawers(&mut *db);
        let full = drawers.iter().filter(|drawer| drawer.bytes.len() > FULL - 50).count();
        assert_eq!((drawers.len(), full), (6, 5));
    }

    #[test]
    fn torn_drawers_are_refused() {
        let mut bytes = Vec::new();
        write(&mut bytes, (b"a\0", Seq(7)));
        assert_eq!(entries(&bytes), Some(vec![(&b"a\0"[..], Seq(7))]));
        for cut in 1..bytes.len() {
            assert_eq!(entries(&bytes[..cut]), None, "cut at {cut}");
        }
    }
}
