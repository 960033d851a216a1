//! What the writer remembers of the records it stored: good for as long as the journal ends where the writer left it. If
//! another server has written since, or a transaction failed, everything is forgotten and read again.

use crate::ids::{Cents, CommandId, PersonId};
use crate::loaded::{Head, Prior};
use crate::protect::Protection;
use crate::record::Record;
use std::collections::HashMap;

/// Accounts and people remembered at most beyond those that are not folded in.
const MOST: usize = 50_000;

pub struct Recent {
    /// The journal's end as this writer left it.
    pub head: Head,
    /// Commands that are not folded in.
    pub prior: HashMap<(PersonId, CommandId), Prior>,
    pub balances: HashMap<i64, Cents>,
    pub protections: HashMap<PersonId, Protection>,
    /// Records that are not folded in.
    pub unfolded: Vec<Record>,
}

impl Recent {
    /// Nothing is remembered, and everything is folded in.
    pub fn at(head: Head) -> Recent {
        Recent {
            head,
            prior: HashMap::new(),
            balances: HashMap::new(),
            protections: HashMap::new(),
            unfolded: Vec::new(),
        }
    }

    /// The same after a fold.
    pub fn after_fold(mut self) -> Recent {
        self.prior.clear();
        self.unfolded.clear();
        if self.balances.len() + self.protections.len() > MOST {
            self.balances.clear();
            self.protections.clear();
        }
        self
    }
}
