//! Numbers distinct values in the order in which they are first seen.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// An interner: it numbers distinct values in the order of first use.
pub(crate) struct Numbers<T> {
    known: HashMap<Rc<T>, u32>,
    all: Vec<Rc<T>>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    pub fn new() -> Numbers<T> {
        Numbers { known: HashMap::new(), all: Vec::new() }
    }

    pub fn of(&mut self, thing: T) -> u32 {
        if let Some(&number) = self.known.get(&thing) {
            return number;
        }
        let (number, thing) = (self.all.len() as u32, Rc::new(thing));
        self.all.push(thing.clone());
        self.known.insert(thing, number);
        number
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the value with this number, if there is one.
    pub fn get(&self, number: usize) -> Option<Rc<T>> {
        self.all.get(number).cloned()
    }

    /// Returns all values in the order of their numbers.
    pub fn into_all(self) -> Vec<T> {
        drop(self.known);
        self.all.into_iter().map(Rc::unwrap_or_clone).collect()
    }
}
