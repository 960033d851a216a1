//! A chapter of the journal: records that are folded in together, as they lie on their pages, with their commands. Chapters
//! are kept and forgotten as a whole, so that nothing has to be done for each record of one.

use crate::ids::{CommandId, PersonId, Seq};
use crate::page::Page;
use crate::posting::PostedLeg;
use crate::record::{Lying, Record, read_legs};
use std::collections::HashMap;

/// Who gave a command, and the id that it was given.
pub type Key = (PersonId, CommandId);

#[derive(Default)]
pub struct Chapter {
    pages: Vec<Page>,
    commands: HashMap<Key, Seq>,
    /// The lowest and the highest id among the commands: ids grow with time, so most are known to be of no older chapter.
    ids: Option<(CommandId, CommandId)>,
    last: Seq,
}

impl Chapter {
    /// An empty one with room for as much as this one has.
    pub fn of_same_size(&self) -> Chapter {
        let (pages, commands) = (Vec::with_capacity(self.pages.len()), HashMap::with_capacity(self.len()));
        Chapter { pages, commands, ids: None, last: self.last }
    }

    pub fn add(&mut self, key: Key, seq: Seq) {
        let (lowest, highest) = self.ids.get_or_insert_with(|| (key.1.clone(), key.1.clone()));
        if key.1 > *highest {
            *highest = key.1.clone();
        } else if key.1 < *lowest {
            *lowest = key.1.clone();
        }
        self.commands.insert(key, seq);
        self.last = seq;
    }

    pub fn bind(&mut self, pages: Vec<Page>) {
        self.pages.extend(pages);
    }

    /// How many records it has.
    pub fn len(&self) -> usize {
        self.commands.len()
    }

    /// The place of the last record.
    pub fn last(&self) -> Seq {
        self.last
    }

    pub fn seq_of(&self, key: &Key) -> Option<Seq> {
        let (lowest, highest) = self.ids.as_ref()?;
        match key.1 < *lowest || key.1 > *highest {
            true => None,
            false => self.commands.get(key).copied(),
        }
    }

    pub fn record(&self, seq: Seq) -> Option<Record> {
        let after = self.pages.partition_point(|page| page.first <= seq);
        self.pages[..after].last()?.leaf().record(seq)?.ok()
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = Option<Lying<'_>>> {
        self.pages.iter().flat_map(Page::leaf)
    }

    pub fn legs(&self) -> Vec<PostedLeg> {
        let mut legs = Vec::new();
        for record in self.records().flatten() {
            let _ = read_legs(record.legs, &mut legs);
        }
        legs
    }
}
