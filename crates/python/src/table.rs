//! A table and what can be asked about it.

use crate::failure::{not_understood, raised, refused, unlawful};
use crate::run::{Run, Wanted};
use catalogue::{Filter, State};
use documents::subject::Subject;
use documents::{Failure, Stamped, check, edge, ev, load, play, removal, replay as replayed, shoe, sweep};
use exact::game::value_at;
use exact::strategy::strategy_at;
use exact::table::Attacked;
use pyo3::prelude::*;
use rules::lawful;
use rules::{Choices, Rules, file, preset};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// A table that can be worked with.
#[pyclass(frozen, module = "cutcard._native")]
pub struct Table {
    pub subject: Subject,
}

fn text(py: Python<'_>, document: &Stamped<impl Serialize>) -> PyResult<String> {
    document.to_text().map_err(|failure| raised(py, &failure))
}

/// Works something out without the interpreter's lock.
fn worked<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    py.detach(work).map_err(|failure| raised(py, &failure))
}

impl Table {
    fn of(py: Python<'_>, choices: Choices, hypothetical: bool) -> PyResult<Table> {
        let report = lawful::check(&choices);
        if !report.is_lawful() && !hypothetical {
            let message = load::unlawful(&choices.name, &report);
            let violations = documents::subject::findings(&report.violations).to_string();
            return Err(unlawful(py, &message, &violations));
        }
        let subject = Subject::new(choices).map_err(|failure| raised(py, &failure))?;
        Ok(Table { subject })
    }

    /// The rules, for what is played and not only worked out.
    pub fn rules(&self, py: Python<'_>) -> PyResult<Rules> {
        load::lawful(Choices::clone(&self.subject)).map_err(|failure| raised(py, &failure))
    }

    pub fn shared_rules(&self, py: Python<'_>) -> PyResult<Arc<Rules>> {
        self.rules(py).map(Arc::new)
    }
}

#[pymethods]
impl Table {
    /// A preset's name or the path of a table file, with changes like `decks=6`.
    #[new]
    #[pyo3(signature = (table, changes, hypothetical = false))]
    fn new(py: Python<'_>, table: &str, changes: Vec<String>, hypothetical: bool) -> PyResult<Table> {
        let choices = load::choices(table, &changes).map_err(|failure| raised(py, &failure))?;
        Table::of(py, choices, hypothetical)
    }

    /// The text of a table file.
    #[staticmethod]
    fn from_toml(py: Python<'_>, toml: &str, changes: Vec<String>, hypothetical: bool) -> PyResult<Table> {
        let mut choices = file::parse(toml).map_err(|error| not_understood(py, &error.to_string()))?;
        load::change(&mut choices, &changes).map_err(|failure| raised(py, &failure))?;
        Table::of(py, choices, hypothetical)
    }

    fn toml(&self) -> String {
        file::show(&self.subject)
    }

    #[getter]
    fn name(&self) -> String {
        self.subject.name.clone()
    }

    /// The keys and values of the table file, as JSON.
    fn document(&self) -> String {
        documents::tables::table_json(&self.subject).to_string()
    }

    fn check(&self, py: Python<'_>) -> PyResult<String> {
        text(py, &check::document(&self.subject, &lawful::check(&self.subject)))
    }

    fn edge(
        &self,
        py: Python<'_>,
        strategy: &str,
        effects: bool,
        removed: &str,
        shoe: &str,
    ) -> PyResult<String> {
        let table = &self.subject;
        let document = worked(py, || {
            let play = play::strategy(table, strategy)?;
            let answer = match shoe::stack(table, removed, shoe)? {
                Some(stack) => edge::answer_from(table, play, stack)?,
                None => edge::answer(table, play, effects.then_some(&mut |_, _| ())),
            };
            let mut document = edge::document(table, &answer);
            table.mark(&mut document.document);
            Ok(document)
        })?;
        text(py, &document)
    }

    /// The house edge of the main game alone.
    fn house_edge(&self, py: Python<'_>, strategy: &str) -> PyResult<f64> {
        let table = &self.subject;
        worked(py, || {
            let play = play::strategy(table, strategy)?;
            Ok(-value_at::<f64>(&exact::table::Table::new(table, Attacked::No), &play))
        })
    }

    /// Every lawful table that differs in one choice: its key, its word, its file.
    fn changed(&self) -> Vec<(String, String, String)> {
        let all = exact::edge::changed(&self.subject);
        all.into_iter().map(|(key, word, choices)| (key, word, file::show(&choices))).collect()
    }

    #[pyo3(signature = (hand, up, hand2, removed, shoe, attacked))]
    #[allow(clippy::too_many_arguments)]
    fn ev(
        &self,
        py: Python<'_>,
        hand: String,
        up: String,
        hand2: String,
        removed: String,
        shoe: &str,
        attacked: bool,
    ) -> PyResult<String> {
        let table = &self.subject;
        let asked = ev::Asked { hand, up, hand2, removed, attacked };
        let document = worked(py, || {
            let stack = shoe::stack(table, &asked.removed, shoe)?;
            let answer = asked.answer_from(table, stack.clone())?;
            let mut document = asked.document(table, &answer);
            if let Some(stack) = &stack {
                document.document["shoe"] = shoe::shoe_json(stack);
            }
            table.mark(&mut document.document);
            Ok(document)
        })?;
        text(py, &document)
    }

    /// The charts of a play.
    fn charts(&self, py: Python<'_>, strategy: &str, removed: &str, shoe: &str) -> PyResult<Charts> {
        let table = &self.subject;
        worked(py, || {
            let play = play::named(strategy).ok_or_else(|| {
                let names = play::PLAYS.map(|play| play.0).join(", ");
                Failure::NotUnderstood(format!("`{strategy}` is no play that has charts; there are {names}"))
            })?;
            let judge = exact::table::Table::new(table, Attacked::No);
            let judge = match shoe::stack(table, removed, shoe)? {
                Some(stack) => judge.with_stack(&stack).map_err(|why| Failure::Refused(why.to_string()))?,
                None => judge,
            };
            let mut charts = strategy_at(&judge, &play);
            charts.table = table.named();
            let document = documents::strategy::document(table, &play, &charts)?;
            Ok(Charts { charts, document })
        })
    }

    fn removal(&self, py: Python<'_>, fixed_play: bool) -> PyResult<String> {
        let table = &self.subject;
        let document = worked(py, || Ok(removal::document(table, &removal::found(table, fixed_play))))?;
        text(py, &document)
    }

    #[pyo3(signature = (vary, within, all, no_spread, sort))]
    fn sweep(
        &self,
        py: Python<'_>,
        vary: Vec<String>,
        within: Option<String>,
        all: bool,
        no_spread: bool,
        sort: Option<String>,
    ) -> PyResult<String> {
        let hypothetical = self.subject.findings() != Value::Array(Vec::new());
        let asked = sweep::Asked { vary, within, all, no_spread, sort, hypothetical };
        let table = &self.subject;
        let document = worked(py, || asked.sweep(table).map(|sweep| sweep::document(&sweep)))?;
        text(py, &document)
    }

    /// Plays whole shoes. `tell` hears how far it is; an interrupt ends the run with what there is.
    fn simulate(&self, py: Python<'_>, wanted: Wanted, tell: Option<Py<PyAny>>) -> PyResult<Run> {
        Run::play(py, self.rules(py)?.choices().clone(), &wanted, tell)
    }
}

/// Strategy charts in their forms.
#[pyclass(frozen, module = "cutcard._native")]
pub struct Charts {
    charts: exact::strategy::Charts,
    document: String,
}

#[pymethods]
impl Charts {
    fn text(&self) -> String {
        self.charts.to_text()
    }

    fn html(&self) -> String {
        self.charts.to_html()
    }

    fn svg(&self) -> String {
        self.charts.to_svg()
    }

    fn document(&self) -> &str {
        &self.document
    }
}

/// Why two tables differ.
#[pyfunction]
pub fn compare(py: Python<'_>, a: &Table, b: &Table) -> PyResult<String> {
    let (a, b) = (&a.subject, &b.subject);
    let document = worked(py, || {
        let found = documents::compare::compared(a, b)?;
        Ok(documents::compare::document(a, b, &found))
    })?;
    text(py, &document)
}

/// Plays a round file.
#[pyfunction]
pub fn replay(py: Python<'_>, file: &str, name: &str) -> PyResult<String> {
    let (asked, played) = worked(py, || {
        let asked = replayed::Asked::parse(file, name)?;
        let played = asked.play()?;
        Ok((asked, played))
    })?;
    match played {
        Ok(played) => text(py, &asked.document(&played)),
        Err(why) => {
            let message = format!(
                "{name}: line {}: `{}` is refused by {}: {}",
                why.line, why.text, why.clause, why.reason
            );
            Err(refused(py, &message, Some(why.clause), Some(why.line)))
        }
    }
}

/// The clauses that a filter lets through.
#[pyfunction]
#[pyo3(signature = (kind, game, state, id))]
pub fn clauses(
    py: Python<'_>,
    kind: Option<String>,
    game: Option<String>,
    state: Option<String>,
    id: Option<String>,
) -> PyResult<String> {
    let known = |what: &str, given: &Option<String>, words: &[&str]| match given {
        Some(word) if !words.contains(&word.as_str()) => {
            Err(not_understood(py, &format!("there is no {what} `{word}`; there are {}", words.join(", "))))
        }
        _ => Ok(()),
    };
    known("kind", &kind, &catalogue::KINDS)?;
    known("game", &game, &catalogue::Entry::games())?;
    known("state", &state, &State::ALL.map(State::word))?;
    let filter = Filter { kind, game, state: state.as_deref().and_then(State::from_word), id };
    let answer = documents::clauses::document(&filter);
    if let (Some(id), true) = (&filter.id, answer.document.clauses.is_empty()) {
        return Err(not_understood(py, &format!("there is no clause {id} in the catalogue")));
    }
    text(py, &answer)
}

/// The presets: their names, and the document of all of them.
#[pyfunction]
pub fn presets(py: Python<'_>) -> PyResult<(Vec<&'static str>, String)> {
    let names = preset::PRESETS.iter().map(|preset| preset.0).collect();
    Ok((names, text(py, &documents::tables::all())?))
}
