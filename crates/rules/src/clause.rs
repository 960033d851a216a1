//! Citations of every clause of the five regulations, as catalogued in `regulations/`.
//!
//! [`crate::clause!`] resolves a citation at compile time. A citation that is not in the catalogue is a compile error.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// A row of the catalogue: one requirement of a regulation, and how the system honours it.
///
/// The requirement is stated in our own words. A regulation outside `regulations/` defines its own rows.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The citation, with `#2`, `#3` and so on for the second and later requirements of one clause.
    pub id: &'static str,
    /// The name of the regulation, such as `nj-switch`.
    pub text: &'static str,
    /// The section that contains the requirement, such as `19:47-2.9`.
    pub section: &'static str,
    /// The subject of the requirement, in a word or two.
    pub topic: &'static str,
    /// Whether the requirement binds, permits or defines, such as `must`, `must-not`, `may-player`, `may-licensee`
    /// or `definition`.
    pub force: &'static str,
    /// The person or body that the requirement addresses: `dealer`, `player`, `licensee`, `supervisor`, and so on.
    pub actor: &'static str,
    /// The kind of requirement: `rule`, `procedure`, `constraint`, `option`, and so on.
    pub kind: &'static str,
    /// The requirement in one sentence.
    pub summary: &'static str,
    /// Remarks on the requirement, or empty without remarks.
    pub notes: &'static str,
    /// Where the system honours the requirement, or why software cannot.
    pub honoured: &'static str,
}

impl Row {
    /// Returns a row of the kind `rule` with an id, a regulation and a summary; every other column is empty.
    pub const fn new(id: &'static str, text: &'static str, summary: &'static str) -> Row {
        let (section, topic, force, actor) = ("", "", "", "");
        Row { id, text, section, topic, force, actor, kind: "rule", summary, notes: "", honoured: "" }
    }

    /// Returns the clause that this row states.
    pub const fn clause(&'static self) -> Clause {
        Clause(self)
    }
}

/// A citation of a clause, or of one requirement in it.
#[derive(Clone, Copy)]
pub struct Clause(&'static Row);

/// Returns the clause with this id, or fails to compile if the catalogue has no such clause.
#[macro_export]
macro_rules! clause {
    ($id:expr) => {
        const { $crate::clause::Clause::cited($id) }
    };
}

impl Clause {
    /// Returns the clause with this id; [`crate::clause!`] calls it at compile time.
    ///
    /// # Panics
    ///
    /// Panics if the catalogue has no such clause. For an id that a user enters, call [`Clause::find`].
    pub const fn cited(id: &str) -> Clause {
        match Clause::find(id) {
            Some(clause) => clause,
            None => panic!("this citation is not in regulations/*.csv"),
        }
    }

    /// Returns the clause with this id among `rows`, for constants whose rows are not in `regulations/`.
    ///
    /// # Panics
    ///
    /// Panics if no row has this id.
    pub const fn among(rows: &'static [Row], id: &str) -> Clause {
        let mut at = 0;
        while at < rows.len() {
            if order(rows[at].id.as_bytes(), id.as_bytes()) == 0 {
                return Clause(&rows[at]);
            }
            at += 1;
        }
        panic!("this citation is not among the clauses of the regulation")
    }

    /// Returns the clause with this id, or `None` if the catalogue has no such clause.
    pub const fn find(id: &str) -> Option<Clause> {
        let (mut low, mut high) = (0, ORDER.len());
        while low < high {
            let middle = (low + high) / 2;
            let row = &ROWS[ORDER[middle] as usize];
            match order(row.id.as_bytes(), id.as_bytes()) {
                0 => return Some(Clause(row)),
                1 => high = middle,
                _ => low = middle + 1,
            }
        }
        None
    }

    /// Returns the clause's full id, with `#n` if it is one of several requirements in the clause.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns the number under which the regulation has the clause: the id without `#n`.
    pub fn citation(self) -> &'static str {
        self.id().split_once('#').map_or(self.id(), |(citation, _)| citation)
    }

    /// Returns the catalogue's rows with this clause's id, or the clause's own row if the catalogue has none.
    ///
    /// The catalogue has several such rows if regulations share an equipment clause of 19:46.
    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        let own = (!ROWS.iter().any(|row| row.id == self.0.id)).then_some(self.0);
        ROWS.iter().filter(move |row| row.id == self.0.id).chain(own)
    }

    /// Returns whether the clause is one of the house's own, which `regulations/house.csv` lists.
    pub fn is_of_house(self) -> bool {
        self.0.text == "house"
    }

    /// Returns the clause's requirement in one sentence.
    pub const fn summary(self) -> &'static str {
        self.0.summary
    }
}

/// Returns every row of the catalogue, in the order of the regulations.
pub fn catalogue() -> &'static [Row] {
    &ROWS
}

/// Compares byte strings at compile time: 0 if equal, 1 if `a` comes after `b`, and -1 if `a` comes before `b`.
///
/// [`Ord`] cannot be used in constants.
const fn order(a: &[u8], b: &[u8]) -> i8 {
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return if a[at] > b[at] { 1 } else { -1 };
        }
        at += 1;
    }
    if a.len() == b.len() {
        0
    } else if a.len() > b.len() {
        1
    } else {
        -1
    }
}

impl PartialEq for Clause {
    #[inline]
    fn eq(&self, other: &Clause) -> bool {
        std::ptr::eq(self.0, other.0) || self.0.id == other.0.id
    }
}

impl Eq for Clause {}

impl PartialOrd for Clause {
    fn partial_cmp(&self, other: &Clause) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Clause {
    fn cmp(&self, other: &Clause) -> Ordering {
        self.0.id.cmp(other.0.id)
    }
}

impl Hash for Clause {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.citation())
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_holds_every_row_once() {
        assert_eq!(ROWS.len(), 1546);
        for row in &ROWS {
            assert_eq!(Clause::find(row.id), Some(row.clause()));
            let twins = ROWS.iter().filter(|r| r.id == row.id && r.text == row.text);
            assert_eq!(twins.count(), 1, "{}", row.id);
        }
    }

    #[test]
    fn a_citation_drops_the_number_of_the_requirement() {
        assert_eq!(clause!("19:47-2.9(a)#2").citation(), "19:47-2.9(a)");
        assert_eq!(clause!("19:47-2.25(e) \"Ten\"").citation(), "19:47-2.25(e) \"Ten\"");
    }
}
