//! Loads tables for Python, and solves and simulates them.

use crate::failure::{not_understood, raised, refused, unlawful};
use crate::run::{Run, RunOptions};
use crate::work::{TotalDependentChart, run_cancellable};
use catalogue::{Filter, State};
use documents::simulate::{Ready, SimulationOptions, chart};
use documents::subject::Subject;
use documents::{Failure, Stamped, check, edge, ev, load, play, removal, replay as replayed, shoe, sweep};
use exact::game::value_at;
use exact::strategy::strategy_at;
use exact::table::Attacked;
use program::Chart;
use pyo3::prelude::*;
use rules::lawful;
use rules::ruling::RULINGS;
use rules::{Choices, Rules, SideWager, file, preset};
use serde::Serialize;
use sim::report::Stakes;
use std::sync::Arc;

/// A table that can be solved, simulated and played.
#[pyclass(frozen, module = "cutcard._native")]
pub struct Table {
    pub subject: Arc<Subject>,
    total_dependent: Arc<TotalDependentChart>,
}

fn text(py: Python<'_>, document: &Stamped<impl Serialize>) -> PyResult<String> {
    document.to_text().map_err(|failure| raised(py, &failure))
}

impl Table {
    fn of(py: Python<'_>, choices: Choices, hypothetical: bool) -> PyResult<Table> {
        let report = lawful::check(&choices);
        if !report.is_lawful() && !hypothetical {
            let message = load::unlawful(&choices.name, &report);
            let violations = documents::subject::violations(&report.violations);
            return Err(unlawful(py, &message, &violations));
        }
        let subject = Subject::new(choices).map_err(|failure| raised(py, &failure))?;
        Ok(Table { subject: Arc::new(subject), total_dependent: Arc::default() })
    }

    /// Returns the rules under which the table is played.
    ///
    /// Raises an error if the table is illegal, because an illegal table can only be solved.
    pub fn rules(&self, py: Python<'_>) -> PyResult<Rules> {
        load::lawful(Choices::clone(&self.subject)).map_err(|failure| raised(py, &failure))
    }

    /// Prepares a simulation of the table.
    ///
    /// The exact chart is solved once and shared by all simulations of this table.
    pub fn ready(&self, py: Python<'_>, asked: SimulationOptions, stakes: Stakes) -> PyResult<Ready> {
        let (rules, total_dependent) = (self.rules(py)?.choices().clone(), self.total_dependent.clone());
        run_cancellable(py, move || {
            asked.options()?;
            let chart = match asked.strategy.as_str() {
                "exact" => total_dependent.of(&rules),
                other => chart(&rules, other)?,
            };
            asked.ready_with(rules, chart, stakes)
        })
    }

    /// Returns the best total-dependent chart for the table.
    pub fn chart(&self, py: Python<'_>) -> PyResult<Chart> {
        let (table, total_dependent) = (self.subject.clone(), self.total_dependent.clone());
        run_cancellable(py, move || Ok(total_dependent.of(&table)))
    }

    pub fn shared_rules(&self, py: Python<'_>) -> PyResult<Arc<Rules>> {
        self.rules(py).map(Arc::new)
    }
}

#[pymethods]
impl Table {
    /// Loads the preset named `table`, or the table file at this path, and applies changes such as `decks=6`.
    #[new]
    #[pyo3(signature = (table, changes, hypothetical = false))]
    fn new(py: Python<'_>, table: &str, changes: Vec<String>, hypothetical: bool) -> PyResult<Table> {
        let choices = load::choices(table, &changes).map_err(|failure| raised(py, &failure))?;
        Table::of(py, choices, hypothetical)
    }

    /// Parses the text of a table file, and applies changes such as `decks=6`.
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

    /// Returns the keys and values of the table file, as JSON.
    fn document(&self) -> String {
        documents::tables::TableFile::of(&self.subject).keys().to_string()
    }

    fn check(&self, py: Python<'_>) -> PyResult<String> {
        text(py, &check::document(&self.subject, &lawful::check(&self.subject)))
    }

    fn edge(
        &self,
        py: Python<'_>,
        strategy: String,
        effects: bool,
        removed: String,
        shoe: String,
        spread: bool,
    ) -> PyResult<String> {
        let table = self.subject.clone();
        let document = run_cancellable(py, move || {
            let play = play::strategy(&table, &strategy)?;
            let stack = shoe::stack(&table, &removed, &shoe)?;
            let mut quiet = |_: usize, _: usize| ();
            let tell: Option<&mut dyn FnMut(usize, usize)> = if effects { Some(&mut quiet) } else { None };
            let mut document = match stack {
                stack if !spread => edge::edges_document(&table, &edge::edges(&table, play, stack, tell)?),
                Some(stack) => edge::document(&table, &edge::figures_from_stack(&table, play, stack)?),
                None => edge::document(&table, &edge::figures(&table, play, tell)),
            };
            table.mark(&mut document.document);
            Ok(document)
        })?;
        text(py, &document)
    }

    /// Returns the house edge of the main game under `strategy`, without side bets.
    fn house_edge(&self, py: Python<'_>, strategy: String) -> PyResult<f64> {
        let table = self.subject.clone();
        run_cancellable(py, move || {
            let play = play::strategy(&table, &strategy)?;
            Ok(-value_at(&exact::table::Table::new(&table, Attacked::No), &play))
        })
    }

    /// Returns every legal table that differs in one option, as (key of the option, its new value, table file).
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
        shoe: String,
        attacked: bool,
    ) -> PyResult<String> {
        let table = self.subject.clone();
        let asked = ev::EvQuery { hand, up, hand2, removed, attacked };
        let document = run_cancellable(py, move || {
            let stack = shoe::stack(&table, &asked.removed, &shoe)?;
            let answer = asked.answer_from(&table, stack.clone())?;
            let mut document = asked.document(&table, &answer, stack.as_ref());
            table.mark(&mut document.document);
            Ok(document)
        })?;
        text(py, &document)
    }

    /// Returns the charts of a strategy in four forms: JSON document, text, HTML page and SVG drawing.
    fn charts(
        &self,
        py: Python<'_>,
        strategy: String,
        removed: String,
        shoe: String,
    ) -> PyResult<[String; 4]> {
        let table = self.subject.clone();
        run_cancellable(py, move || {
            let play = play::named(&strategy).ok_or_else(|| {
                let names = play::PLAYS.map(|play| play.0).join(", ");
                Failure::NotUnderstood(format!("unknown strategy `{strategy}`; expected {names}"))
            })?;
            let judge = exact::table::Table::new(&table, Attacked::No);
            let judge = match shoe::stack(&table, &removed, &shoe)? {
                Some(stack) => judge.with_stack(&stack).map_err(|why| Failure::Refused(why.to_string()))?,
                None => judge,
            };
            let mut charts = strategy_at(&judge, &play);
            charts.table = table.named();
            let document = documents::strategy::document(&table, &play, &charts)?;
            Ok([document, charts.to_text(), charts.to_html(), charts.to_svg()])
        })
    }

    fn removal(&self, py: Python<'_>, fixed_play: bool) -> PyResult<String> {
        let table = self.subject.clone();
        let document =
            run_cancellable(py, move || Ok(removal::document(&table, &removal::found(&table, fixed_play))))?;
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
        let hypothetical = self.subject.marks().hypothetical.is_some();
        let asked = sweep::SweepOptions { vary, within, all, no_spread, sort, hypothetical, score: None };
        let table = self.subject.clone();
        let document = run_cancellable(py, move || asked.sweep(&table).map(|sweep| sweep::document(&sweep)))?;
        text(py, &document)
    }

    /// Simulates whole shoes and reports the progress to the callback `tell`.
    ///
    /// Ctrl-C ends the run, which then returns its results so far.
    fn simulate(&self, py: Python<'_>, wanted: RunOptions, tell: Option<Py<PyAny>>) -> PyResult<Run> {
        let (asked, stakes) = wanted.asked(py)?;
        Run::play(py, self.ready(py, asked, stakes)?, wanted.shoes, tell)
    }
}

/// A key of the table file: its name, its meaning, and the words that the key accepts.
type KeyAbout = (String, &'static str, Vec<&'static str>);

/// Returns the keys of a table file, each with its meaning and the words that it accepts.
///
/// Rulings are named `rulings.…`; `side_wagers` takes the names of the side bets.
#[pyfunction]
pub fn keys() -> Vec<KeyAbout> {
    let plain =
        file::KEYS.iter().map(|key| (key.name.into(), key.about, key.words.unwrap_or_default().to_vec()));
    let sides = ("side_wagers".into(), "the side bets that are offered", SideWager::WORDS.to_vec());
    let rulings =
        RULINGS.iter().map(|one| (format!("rulings.{}", one.key), one.question, one.readings.to_vec()));
    plain.chain([sides]).chain(rulings).collect()
}

/// Returns the document that explains why the tables `a` and `b` have different house edges.
#[pyfunction]
pub fn compare(py: Python<'_>, a: &Table, b: &Table) -> PyResult<String> {
    let (a, b) = (a.subject.clone(), b.subject.clone());
    let document = run_cancellable(py, move || {
        let found = documents::compare::compared(&a, &b)?;
        Ok(documents::compare::document(&a, &b, &found))
    })?;
    text(py, &document)
}

/// Plays a round file, and returns the document of the played rounds.
///
/// Raises `Refused` if a rule rejects a line of the file.
#[pyfunction]
pub fn replay(py: Python<'_>, file: &str, name: &str) -> PyResult<String> {
    let played = py.detach(|| {
        let asked = replayed::ReplayInput::parse(file, name)?;
        let played = asked.play()?;
        Ok((asked, played))
    });
    let (asked, played) = played.map_err(|failure| raised(py, &failure))?;
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

/// Returns the document of the clauses that match all given filters; `None` matches every clause.
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
            Err(not_understood(py, &format!("unknown {what} `{word}`; expected one of {}", words.join(", "))))
        }
        _ => Ok(()),
    };
    known("kind", &kind, &catalogue::KINDS)?;
    known("game", &game, &catalogue::Entry::games())?;
    known("state", &state, &State::ALL.map(State::word))?;
    let filter = Filter { kind, game, state: state.as_deref().and_then(State::from_word), id };
    let answer = documents::clauses::document(&filter);
    if let (Some(id), true) = (&filter.id, answer.document.clauses.is_empty()) {
        return Err(not_understood(
            py,
            &format!("there is no clause {id}; `cutcard clauses` lists all clauses"),
        ));
    }
    text(py, &answer)
}

/// Returns the names of the presets, and the document of all presets.
#[pyfunction]
pub fn presets(py: Python<'_>) -> PyResult<(Vec<&'static str>, String)> {
    let names = preset::PRESETS.iter().map(|preset| preset.0).collect();
    Ok((names, text(py, &documents::tables::all())?))
}
