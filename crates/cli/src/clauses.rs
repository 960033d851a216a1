//! `cutcard clauses`: lists the clauses, how each requirement is met, where it is cited, and which tests prove it.

use crate::output::Output;
use catalogue::{Counts, Entry, Filter, KINDS, State, Tally};
use clap::builder::PossibleValuesParser;
use documents::Failure;
use documents::clauses::{Clauses, document};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Clause number, as in the regulation: `36.5(d)`, `19:47-2.3(a)1`, `MA 15(a)`.
    id: Option<String>,
    /// Show only this kind of requirement.
    #[arg(long, value_parser = PossibleValuesParser::new(KINDS))]
    kind: Option<String>,
    /// Show only the requirements of this game or regulation.
    #[arg(long, value_parser = PossibleValuesParser::new(Entry::games()))]
    game: Option<String>,
    /// Show only requirements with this status.
    #[arg(long, value_parser = PossibleValuesParser::new(State::ALL.map(State::word)))]
    state: Option<String>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let state = args.state.as_deref().and_then(State::from_word);
    let filter = Filter { kind: args.kind, game: args.game, state, id: args.id };
    let answer = document(&filter);
    if let (Some(id), true) = (&filter.id, answer.document.clauses.is_empty()) {
        return Err(Failure::NotUnderstood(format!("no clause {id}; `cutcard clauses` lists them")));
    }
    if output.wants_json() {
        output.document(&answer)?;
    } else {
        let Clauses { counts, clauses } = &answer.document;
        output.text(&for_people(clauses, counts))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(clauses: &[Entry], counts: &Counts) -> String {
    let mut text = String::new();
    let mut heading = None;
    for entry in clauses {
        if heading.replace(entry.text()) != Some(entry.text()) {
            let _ = writeln!(text, "{}\n", entry.text());
        }
        let _ = writeln!(
            text,
            "{} [{}] {}, {} {}",
            entry.id,
            entry.state.word(),
            entry.kind,
            entry.actor,
            entry.force
        );
        let _ = writeln!(text, "    {}", entry.summary);
        let _ = writeln!(text, "    honoured  {}", entry.honoured);
        list(&mut text, "cited in", &entry.cited_in);
        list(&mut text, "proven by", &entry.proven_by);
        list(&mut text, "kept by", &entry.recorded_by);
        text.push('\n');
    }
    table(&mut text, counts);
    text
}

fn list(text: &mut String, what: &str, parts: &BTreeSet<String>) {
    for (at, part) in parts.iter().enumerate() {
        let what = if at == 0 { what } else { "" };
        let _ = writeln!(text, "    {what:<9} {part}");
    }
}

/// Writes a table with the number of clauses of each kind and state.
fn table(text: &mut String, counts: &Counts) {
    let heads: String = State::ALL.map(|state| format!("{:>11}", state.word())).concat();
    let _ = writeln!(text, "{:<14}{heads}{:>11}", "kind", "total");
    for (kind, tally) in counts.kinds().chain([("all", counts.all)]) {
        let Tally { proven, recorded, cited, explained, open, total, .. } = tally;
        let numbers = [proven, recorded, cited, explained, open, total].map(|n| format!("{n:>11}")).concat();
        let _ = writeln!(text, "{kind:<14}{numbers}");
    }
}
