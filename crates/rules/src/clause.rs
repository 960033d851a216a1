//! Citations: every clause of the five texts, as catalogued in `regulations/`.
//!
//! [`clause!`] finds a citation when the program is compiled: one that is not in the catalogue is a compile error.

use crate::choice::Jurisdiction;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// One requirement of a text: a row of the catalogue in our own words, with how it is honoured. A text that is not in
/// `regulations/` brings rows of its own.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The citation, with `#2`, `#3` ... where one clause holds several requirements.
    pub id: &'static str,
    /// The name of the text: `nj-switch`.
    pub text: &'static str,
    pub section: &'static str,
    pub topic: &'static str,
    pub force: &'static str,
    pub actor: &'static str,
    pub kind: &'static str,
    pub summary: &'static str,
    pub notes: &'static str,
    pub honoured: &'static str,
}

impl Row {
    /// A requirement of which no more is said than what it asks.
    pub const fn new(id: &'static str, text: &'static str, summary: &'static str) -> Row {
        let (section, topic, force, actor) = ("", "", "", "");
        Row { id, text, section, topic, force, actor, kind: "rule", summary, notes: "", honoured: "" }
    }

    pub const fn clause(&'static self) -> Clause {
        Clause(self)
    }
}

/// One clause, or one requirement of it.
#[derive(Clone, Copy)]
pub struct Clause(&'static Row);

/// The clause with this id, found at compile time.
#[macro_export]
macro_rules! clause {
    ($id:expr) => {
        const { $crate::clause::Clause::cited($id) }
    };
}

impl Clause {
    /// The clause with this id; for [`clause!`], which runs it at compile time.
    ///
    /// # Panics
    /// If there is none. Inputs are looked up with [`Clause::find`] instead.
    pub const fn cited(id: &str) -> Clause {
        match Clause::find(id) {
            Some(clause) => clause,
            None => panic!("this citation is not in regulations/*.csv"),
        }
    }

    /// The clause with this id among rows that are not in `regulations/`; for constants.
    ///
    /// # Panics
    /// If there is none.
    pub const fn among(rows: &'static [Row], id: &str) -> Clause {
        let mut at = 0;
        while at < rows.len() {
            if order(rows[at].id.as_bytes(), id.as_bytes()) == 0 {
                return Clause(&rows[at]);
            }
            at += 1;
        }
        panic!("this citation is not among the rows of the text")
    }

    /// The clause of the catalogue with this id.
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

    /// The full id, with its `#n` where one clause holds several requirements.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// The citation a reader looks up: the id without its `#n`.
    pub fn citation(self) -> &'static str {
        let id = self.id();
        match id.rfind('#') {
            Some(at) if id[at + 1..].bytes().all(|b| b.is_ascii_digit()) => &id[..at],
            _ => id,
        }
    }

    /// The rows of this clause; more than one where two texts share an equipment clause of 19:46.
    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        let own = (!ROWS.iter().any(|row| row.id == self.0.id)).then_some(self.0);
        ROWS.iter().filter(move |row| row.id == self.0.id).chain(own)
    }

    pub const fn summary(self) -> &'static str {
        self.0.summary
    }

    /// The same provision in the text that is in force. Blackjack Switch is written once, with New Jersey's
    /// citations; Massachusetts numbers the same rules by section, with the shifts listed in `MASSACHUSETTS`.
    #[inline]
    pub fn in_force(self, jurisdiction: Jurisdiction) -> Clause {
        match jurisdiction {
            Jurisdiction::Nj => self,
            Jurisdiction::Ma => COUNTERPARTS.get(self.id()).copied().unwrap_or(self),
        }
    }
}

/// The counterpart in Massachusetts of every clause, or the clause itself; found once, since every event is cited.
static COUNTERPARTS: LazyLock<std::collections::HashMap<&str, Clause>> = LazyLock::new(|| {
    let counterpart = |id: &str| massachusetts(id).and_then(|id| Clause::find(&id));
    ROWS.iter().filter_map(|row| Some((row.id, counterpart(row.id)?))).collect()
});

/// All rows, in the order of the texts.
pub fn catalogue() -> &'static [Row] {
    &ROWS
}

/// Where Massachusetts does not simply repeat the New Jersey number: its counterpart, by prefix.
const MASSACHUSETTS: [(&str, &str); 26] = [
    ("19:47-2A.2(a)#5", "MA-BJS 2(a)#4"),
    ("19:47-2A.3(a)", "MA-BJS 3"),
    ("19:47-2A.3(b)", "MA-BJS 3"),
    ("19:47-2A.3(c)", "MA-BJS 3"),
    ("19:47-2A.3(d)", "MA-BJS 3"),
    ("19:47-2A.4(h)1", "MA-BJS 4(h)#2"),
    ("19:47-2A.5(i)", "MA-BJS 5(i)"),
    ("19:47-2A.7(p)", "MA-BJS 7(o)"),
    ("19:47-2A.7(q)", "MA-BJS 7(p)"),
    ("19:47-2A.15(a)", "MA-BJS 15(b)"),
    ("19:47-2A.15(b)", "MA-BJS 15(c)"),
    ("19:47-2A.15(c)", "MA-BJS 15(d)"),
    ("19:47-2A.15(d)", "MA-BJS 15(e)"),
    ("19:47-2A.15(e)", "MA-BJS 15(f)"),
    ("19:47-2A.15(f)", "MA-BJS 15(g)"),
    ("19:47-2A.15(g)", "MA-BJS 15(h)"),
    ("19:47-2A.15(h)", "MA-BJS 15(i)"),
    ("19:47-2A.15(i)", "MA-BJS 15(j)"),
    ("19:47-2A.15(j)", "MA-BJS 15(k)"),
    ("19:47-2A.15(k)1", "MA-BJS 15(l)(1)"),
    ("19:47-2A.15(k)2", "MA-BJS 15(l)(2)"),
    ("19:47-2A.15(k)", "MA-BJS 15(l)"),
    ("19:47-2A.15(l)", "MA-BJS 15(m)"),
    ("19:47-2A.1 \"Hard Total\"", "MA-BJS 1 \"Hard total\""),
    ("19:47-2A.1 \"Soft Total\"", "MA-BJS 1 \"Soft total\""),
    ("19:47-2A.14", "MA-BJS 14"),
];

/// New Jersey's provisions that Massachusetts does not have although it uses the same letters for something else.
const ONLY_NEW_JERSEY: [&str; 3] = ["19:47-2A.2(a)#4", "19:47-2A.4(i)", "19:47-2A.7(o)"];

fn massachusetts(id: &str) -> Option<String> {
    let section = id.strip_prefix("19:47-2A.")?;
    if ONLY_NEW_JERSEY.iter().any(|only| id.starts_with(only)) {
        return None;
    }
    let (bare, more) = match id.rfind('#') {
        Some(at) => (&id[..at], &id[at..]),
        None => (id, ""),
    };
    if let Some((_, ma)) = MASSACHUSETTS.iter().find(|(nj, _)| *nj == id) {
        return Some((*ma).to_string());
    }
    if let Some((_, ma)) = MASSACHUSETTS.iter().find(|(nj, _)| *nj == bare) {
        let with_more = format!("{ma}{more}");
        return Some(if Clause::find(&with_more).is_some() { with_more } else { (*ma).to_string() });
    }
    // 2A.5(a)2#3 is MA-BJS 5(a)(2)#3: paragraph numbers go into brackets
    let mut ma = String::from("MA-BJS ");
    let mut letters = section.chars().peekable();
    let mut after_bracket = false;
    while let Some(letter) = letters.next() {
        if after_bracket && letter.is_ascii_digit() {
            ma.push('(');
            ma.push(letter);
            while let Some(next) = letters.next_if(char::is_ascii_digit) {
                ma.push(next);
            }
            ma.push(')');
        } else {
            ma.push(letter);
        }
        after_bracket = letter == ')';
    }
    Some(ma)
}

/// 0 for equal, 1 if `a` comes after `b`, -1 before; `Ord` is not available in constants.
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
        assert_eq!(ROWS.len(), 1544);
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

    #[test]
    fn massachusetts_has_its_own_numbers() {
        let ma = |id: &str| Clause::find(id).unwrap().in_force(Jurisdiction::Ma).id();
        assert_eq!(ma("19:47-2A.5(a)2"), "MA-BJS 5(a)(2)");
        assert_eq!(ma("19:47-2A.7(g)1#2"), "MA-BJS 7(g)(1)#2");
        assert_eq!(ma("19:47-2A.7(l)2#3"), "MA-BJS 7(l)(2)#3");
        assert_eq!(ma("19:47-2A.6(c) 6-deck \"One pair\""), "MA-BJS 6(c) 6-deck \"One pair\"");
        assert_eq!(ma("19:47-2A.15(a)#2"), "MA-BJS 15(b)#2");
        assert_eq!(ma("19:47-2A.5(i)#3"), "MA-BJS 5(i)");
        assert_eq!(ma("19:47-2A.14"), "MA-BJS 14");
        assert_eq!(ma("19:47-2A.2(a)#5"), "MA-BJS 2(a)#4");
        assert_eq!(ma("19:47-2A.3(c)#2"), "MA-BJS 3");
    }

    /// Only the provisions that Massachusetts lacks (notes, part 1) keep their New Jersey citation.
    #[test]
    fn nearly_every_switch_clause_has_a_massachusetts_counterpart() {
        let missing: Vec<_> = ROWS
            .iter()
            .filter(|row| row.id.starts_with("19:47-2A."))
            .filter(|row| !row.clause().in_force(Jurisdiction::Ma).id().starts_with("MA-BJS"))
            .map(|row| row.id)
            .collect();
        assert!(missing.len() < 40, "{missing:?}");
        assert!(missing.iter().all(|id| !id.contains("2A.5(") && !id.contains("2A.9(")), "{missing:?}");
    }
}
