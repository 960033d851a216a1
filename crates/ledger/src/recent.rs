//! What the writer remembers of the records it stored: good for as long as the journal ends where the writer left it. If
//! another server has written since, or a transaction failed, everything is forgotten and read again.

use crate::draft::Epoch;
use crate::ids::{Cents, CommandId, PersonId, Seq, Stream};
use crate::loaded::Head;
use crate::protect::Protection;
use crate::record::Record;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// Accounts and people remembered at most beyond those that are not folded in.
const MOST: usize = 50_000;

pub struct Recent {
    /// The journal's end as this writer left it.
    pub head: Head,
    /// Commands that are not folded in, with their records.
    pub commands: HashMap<(PersonId, CommandId), Seq>,
    pub epochs: HashMap<Stream, Epoch>,
    pub balances: HashMap<i64, Cents>,
    pub protections: HashMap<PersonId, Protection>,
    /// Records that are not folded in: the journal's last, without a gap.
    pub unfolded: VecDeque<Arc<Record>>,
    /// How many of them the folding thread has been given.
    pub ordered: usize,
}

impl Recent {
    /// Nothing is remembered, and everything is folded in.
    pub fn at(head: Head) -> Recent {
        Recent {
            head,
            commands: HashMap::new(),
            epochs: HashMap::new(),
            balances: HashMap::new(),
            protections: HashMap::new(),
            unfolded: VecDeque::new(),
            ordered: 0,
        }
    }

    /// The record of a command that is not folded in.
    pub fn record_of(&self, key: &(PersonId, CommandId)) -> Option<&Record> {
        let (seq, first) = (self.commands.get(key)?, self.unfolded.front()?.seq);
        self.unfolded.get(usize::try_from(seq.0 - first.0).ok()?).map(|record| &**record)
    }

    /// Records that the folding thread has not been given.
    pub fn order(&mut self) -> Vec<Arc<Record>> {
        let records = self.unfolded.range(self.ordered..).cloned().collect();
        self.ordered = self.unfolded.len();
        records
    }

    /// Forgets the records that are folded in, and accounts and people if there are too many.
    pub fn forget_folded(&mut self, folded: Seq) {
        while let Some(record) = self.unfolded.front().filter(|record| record.seq <= folded) {
            self.commands.remove(&(record.person, record.command.clone()));
            self.unfolded.pop_front();
            self.ordered = self.ordered.saturating_sub(1);
        }
        if self.balances.len() + self.protections.len() > MOST {
            let legs = || self.unfolded.iter().flat_map(|record| &record.legs);
            let accounts: HashSet<i64> = legs().map(|leg| leg.account.number()).collect();
            let people: HashSet<PersonId> = legs().filter_map(|leg| leg.account.person()).collect();
            self.balances.retain(|account, _| accounts.contains(account));
            self.protections.retain(|person, _| people.contains(person));
        }
    }
}
