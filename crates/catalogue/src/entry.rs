//! A requirement with everything known about it, and the filter that selects requirements.

use crate::coverage::{self, CoverageRow};
use rules::clause::{Row, catalogue};
use rules::text::TEXTS;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

/// The kinds of requirement, in display order.
pub const KINDS: [&str; 8] =
    ["rule", "option", "constraint", "procedure", "irregularity", "display", "record", "physical"];

/// The strongest evidence that a requirement is honoured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// A named test or case shows that the requirement is honoured.
    ///
    /// If the code breaks the requirement, that test fails.
    Proven,
    /// People meet the requirement by making a register entry, and a test shows that the server stores such
    /// entries.
    Recorded,
    /// Code cites the requirement, but no test proves it yet.
    Cited,
    /// Neither code nor test cites the requirement, and the field `honoured` explains why software cannot or need
    /// not honour it.
    Explained,
    /// Neither code nor test cites the requirement, and the field `honoured` only names the part of the system
    /// that the requirement belongs to.
    Open,
}

impl State {
    /// Every state, from the strongest evidence to none.
    pub const ALL: [State; 5] = [State::Proven, State::Recorded, State::Cited, State::Explained, State::Open];

    /// Returns the state's word in documents and on the command line, such as `proven`.
    pub const fn word(self) -> &'static str {
        match self {
            State::Proven => "proven",
            State::Recorded => "recorded",
            State::Cited => "cited",
            State::Explained => "explained",
            State::Open => "open",
        }
    }

    /// Returns the state that a word stands for, or `None` if the word is unknown.
    pub fn from_word(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Returns the state of the requirement `row`.
    ///
    /// `line` is the line of the coverage file for `row`, or `None` if the file has no such line.
    pub fn of(row: &Row, line: Option<&CoverageRow>) -> State {
        let explains = ["physical:", "reason:"].iter().any(|opening| row.honoured.starts_with(opening));
        match line {
            Some(line) if !line.proven_by.is_empty() => State::Proven,
            Some(line) if !line.recorded_by.is_empty() => State::Recorded,
            Some(line) if !line.cited_in.is_empty() => State::Cited,
            _ if explains => State::Explained,
            _ => State::Open,
        }
    }
}

/// A requirement of the catalogue, how it is honoured, and the evidence for it.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub struct Entry {
    /// The citation of the requirement, such as `19:47-2.9(a)#2`.
    pub id: &'static str,
    /// The game's name in a table file, such as `switch`, or `house` for a requirement that the house made itself.
    pub game: &'static str,
    /// The jurisdiction's word in a table file, such as `nj`, or empty for a requirement that the house made
    /// itself.
    pub jurisdiction: &'static str,
    /// The kind of requirement, such as `rule` or `procedure`.
    pub kind: &'static str,
    /// Whether the requirement binds, permits or defines, such as `must` or `definition`.
    pub force: &'static str,
    /// The person or body that the requirement addresses, such as `dealer`.
    pub actor: &'static str,
    /// The section that contains the requirement, such as `19:47-2.9`.
    pub section: &'static str,
    /// The subject of the requirement, in a word or two.
    pub topic: &'static str,
    /// The requirement in one sentence.
    pub summary: &'static str,
    /// The part of the system that honours the requirement, or the reason why software cannot honour it.
    pub honoured: &'static str,
    /// The files that cite the requirement.
    pub cited_in: BTreeSet<String>,
    /// The tests that prove the requirement.
    pub proven_by: BTreeSet<String>,
    /// The tests that show that the server stores register entries about the requirement.
    pub recorded_by: BTreeSet<String>,
    /// The strongest evidence that the requirement is honoured.
    pub state: State,
}

/// A filter that selects requirements; a field that is `None` does not restrict the selection.
#[derive(Clone, Default, Debug)]
pub struct Filter {
    /// The kind of requirement to select, such as `rule`.
    pub kind: Option<String>,
    /// The game to select, such as `switch`, or one of its regulations, such as `ma-switch`.
    pub game: Option<String>,
    /// The state of the requirements to select.
    pub state: Option<State>,
    /// The number of the clause to select, as people write it, such as `36.5(d)`.
    ///
    /// If a number occurs twice in a regulation, as `36.5(d)` does, the filter selects both clauses.
    pub id: Option<String>,
}

/// Returns the bare clause number of a citation, such as `36.5(d)`.
///
/// The result omits the regulation's name, the requirement's number, and the suffix that distinguishes clauses
/// with the same number.
fn number(id: &str) -> String {
    let id = id.split('#').next().unwrap_or_default().trim();
    let bare = ["19:47-", "19:46-", "MA-BJS ", "MA "].iter().find_map(|title| id.strip_prefix(title));
    let mut number = String::new();
    let (mut inside, mut twin) = (false, false);
    for letter in bare.unwrap_or(id).chars() {
        match letter {
            '(' => (inside, twin) = (true, false),
            ')' => (inside, twin) = (false, false),
            '.' if inside => twin = true,
            _ => {}
        }
        if !twin {
            number.push(letter);
        }
    }
    number
}

impl Filter {
    /// Returns whether the filter selects a requirement.
    pub fn takes(&self, entry: &Entry) -> bool {
        let kind = self.kind.as_deref().is_none_or(|kind| kind == entry.kind);
        let game = self.game.as_deref().is_none_or(|game| game == entry.game || game == entry.text());
        let id = self.id.as_deref().is_none_or(|id| {
            entry.id == id || entry.id.split('#').next() == Some(id) || number(entry.id) == number(id)
        });
        kind && game && id && self.state.is_none_or(|state| state == entry.state)
    }
}

impl Entry {
    fn new(row: &Row, line: Option<&CoverageRow>) -> Entry {
        // the house's own powers belong to no regulation
        let (jurisdiction, game) = row.text.split_once('-').unwrap_or(("", row.text));
        Entry {
            id: row.id,
            game,
            jurisdiction,
            kind: row.kind,
            force: row.force,
            actor: row.actor,
            section: row.section,
            topic: row.topic,
            summary: row.summary,
            honoured: row.honoured,
            cited_in: line.map(|line| line.cited_in.clone()).unwrap_or_default(),
            proven_by: line.map(|line| line.proven_by.clone()).unwrap_or_default(),
            recorded_by: line.map(|line| line.recorded_by.clone()).unwrap_or_default(),
            state: State::of(row, line),
        }
    }

    /// Returns the name of the requirement's regulation, such as `ma-switch`, or `house` if the house made the
    /// requirement itself.
    pub fn text(&self) -> String {
        match self.jurisdiction {
            "" => self.game.to_owned(),
            jurisdiction => format!("{jurisdiction}-{}", self.game),
        }
    }

    /// Returns the names of games and regulations that [`Filter::game`] accepts.
    pub fn games() -> Vec<&'static str> {
        let mut names: Vec<&str> = Vec::new();
        for text in TEXTS {
            if !names.contains(&text.game) {
                names.push(text.game);
            }
        }
        names.extend(TEXTS.map(|text| text.name));
        names.push("house");
        names
    }
}

/// Returns the requirements that the filter selects, in the order of the catalogue.
pub fn entries(filter: &Filter) -> Vec<Entry> {
    let lines = coverage::parse(coverage::EMBEDDED).unwrap_or_default();
    let by_row: BTreeMap<(&str, &str), &CoverageRow> =
        lines.iter().map(|line| ((line.text.as_str(), line.id.as_str()), line)).collect();
    catalogue()
        .iter()
        .map(|row| {
            let key = (row.text, row.id);
            Entry::new(row, by_row.get(&key).copied())
        })
        .filter(|entry| filter.takes(entry))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_an_entry_that_says_how_it_is_honoured() {
        let all = entries(&Filter::default());
        assert_eq!(all.len(), catalogue().len());
        for entry in &all {
            assert!(!entry.honoured.is_empty(), "{} {}", entry.text(), entry.id);
            assert!(KINDS.contains(&entry.kind), "{} {}", entry.id, entry.kind);
        }
    }

    #[test]
    fn a_filter_takes_a_game_in_all_its_texts_or_one_text() {
        let of = |game: &str| entries(&Filter { game: Some(game.to_string()), ..Filter::default() }).len();
        assert_eq!(of("switch"), of("nj-switch") + of("ma-switch"));
        assert!(of("ma-switch") > 0);
        assert_eq!(of("poker"), 0);
    }

    /// 36.5(d) occurs twice in the regulation; the result contains the requirements of both.
    #[test]
    fn a_number_answers_with_all_that_has_it() {
        let of = |id: &str| {
            let found = entries(&Filter { id: Some(id.to_string()), ..Filter::default() });
            found.iter().map(|entry| entry.id).collect::<Vec<_>>()
        };
        let twins = of("36.5(d)");
        assert!(twins.iter().any(|id| id.starts_with("19:47-36.5(d.1)")), "{twins:?}");
        assert!(twins.iter().any(|id| id.starts_with("19:47-36.5(d.2)")), "{twins:?}");
        assert_eq!(of("19:47-36.5(d)"), twins);
        assert!(of("MA 5(i)").iter().all(|id| id.starts_with("MA-BJS 5(i)")) && !of("MA 5(i)").is_empty());
        assert!(of("2.3(a)").contains(&"19:47-2.3(a)") && !of("2.3(a)").contains(&"19:47-2.3(a)1"));
        assert!(of("99.1").is_empty());
    }

    #[test]
    fn what_is_physical_is_explained() {
        let filter = Filter { kind: Some("physical".to_string()), ..Filter::default() };
        let states = entries(&filter).into_iter().map(|entry| entry.state);
        assert!(states.into_iter().all(|state| state != State::Open));
    }
}
