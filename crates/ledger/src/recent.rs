//! What the writer remembers of the records it stored: good for as long as the journal ends where the writer left it. If
//! another server has written since, or a transaction failed, everything is forgotten and read again.

use crate::chapter::{Chapter, Key};
use crate::draft::Epoch;
use crate::ids::{Cents, PersonId, Seq, Stream};
use crate::loaded::Head;
use crate::numbers::ByNumber;
use crate::page::Page;
use crate::protect::Protection;
use crate::record::Record;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// Accounts and people remembered at most beyond those that are not folded in.
const MOST: usize = 50_000;

pub struct Recent {
    /// The journal's end as this writer left it.
    pub head: Head,
    pub epochs: ByNumber<Stream, Epoch>,
    pub balances: ByNumber<i64, Cents>,
    pub protections: ByNumber<PersonId, Protection>,
    /// Records that are not folded in: the journal's last, without a gap. First those that are complete chapters.
    chapters: VecDeque<Arc<Chapter>>,
    /// How many chapters the folding thread has been given.
    ordered: usize,
    /// The chapter that is being written.
    open: Chapter,
}

impl Recent {
    /// Nothing is remembered, and everything is folded in.
    pub fn at(head: Head) -> Recent {
        Recent {
            head,
            epochs: ByNumber::default(),
            balances: ByNumber::default(),
            protections: ByNumber::default(),
            chapters: VecDeque::new(),
            ordered: 0,
            open: Chapter::default(),
        }
    }

    /// The place of a command's record that is not folded in.
    pub fn seq_of(&self, key: &Key) -> Option<Seq> {
        self.chapters().find_map(|chapter| chapter.seq_of(key))
    }

    /// A record that is not folded in and lies on a page that is complete.
    pub fn record(&self, seq: Seq) -> Option<Record> {
        self.chapters().find_map(|chapter| chapter.record(seq))
    }

    fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        std::iter::once(&self.open).chain(self.chapters.iter().map(|chapter| &**chapter))
    }

    /// A command was accepted; its record is on a page that comes with the batch.
    pub fn add(&mut self, key: Key, seq: Seq) {
        self.open.add(key, seq);
    }

    /// The pages of a batch.
    pub fn bind(&mut self, pages: Vec<Page>) {
        self.open.bind(pages);
    }

    /// Records that are not folded in.
    pub fn unfolded(&self) -> usize {
        self.chapters().map(Chapter::len).sum()
    }

    /// Those that the folding thread has not been given.
    pub fn fresh(&self) -> usize {
        self.open.len() + self.chapters.range(self.ordered..).map(|chapter| chapter.len()).sum::<usize>()
    }

    /// What the folding thread has not been given, for it.
    pub fn order(&mut self) -> Vec<Arc<Chapter>> {
        if self.open.len() > 0 {
            let next = self.open.of_same_size();
            self.chapters.push_back(Arc::new(std::mem::replace(&mut self.open, next)));
        }
        let fresh = self.chapters.range(self.ordered..).cloned().collect();
        self.ordered = self.chapters.len();
        fresh
    }

    /// The folding thread has to be given everything again.
    pub fn order_again(&mut self) {
        self.ordered = 0;
    }

    /// Forgets the records that are folded in, and accounts and people if there are too many.
    pub fn forget_folded(&mut self, folded: Seq) {
        while self.chapters.front().is_some_and(|chapter| chapter.last() <= folded) {
            self.chapters.pop_front();
            self.ordered = self.ordered.saturating_sub(1);
        }
        if self.balances.len() + self.protections.len() > MOST {
            let legs: Vec<_> = self.chapters().flat_map(Chapter::legs).collect();
            let accounts: HashSet<i64> = legs.iter().map(|leg| leg.account.number()).collect();
            let people: HashSet<PersonId> = legs.iter().filter_map(|leg| leg.account.person()).collect();
            self.balances.retain(|account, _| accounts.contains(account));
            self.protections.retain(|person, _| people.contains(person));
        }
    }
}
