//! `cutcard tables`: the presets, each a complete lawful table file.

use crate::failure::Failure;
use crate::output::Output;
use rules::{Choices, file, preset};
use serde::Serialize;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Print this preset as a table file.
    name: Option<String>,
}

/// A preset as `--json` shows it; `table` has the keys of the table file.
#[derive(Serialize)]
struct Document {
    name: &'static str,
    about: &'static str,
    table: serde_json::Value,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    match &args.name {
        Some(name) => one(name, output)?,
        None => all(output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn one(name: &str, output: &Output) -> Result<(), Failure> {
    let known = preset::PRESETS.iter().find(|(known, _)| *known == name);
    let (Some(&(name, about)), Some(choices)) = (known, preset::preset(name)) else {
        let names: Vec<&str> = preset::PRESETS.iter().map(|(name, _)| *name).collect();
        let message = format!("there is no preset `{name}`; there are {}", names.join(", "));
        return Err(Failure::NotUnderstood(message));
    };
    if output.wants_json() {
        output.document(&document(name, about, &choices)?)
    } else {
        output.text(&file::show(&choices))
    }
}

fn all(output: &Output) -> Result<(), Failure> {
    if !output.wants_json() {
        let lines = preset::PRESETS.iter().map(|(name, about)| format!("{name:<22}{about}\n"));
        return output.text(&lines.collect::<String>());
    }
    let mut documents = Vec::new();
    for (name, about) in preset::PRESETS {
        if let Some(choices) = preset::preset(name) {
            documents.push(document(name, about, &choices)?);
        }
    }
    output.document(&serde_json::json!({ "tables": documents }))
}

fn document(name: &'static str, about: &'static str, choices: &Choices) -> Result<Document, Failure> {
    Ok(Document { name, about, table: table_json(choices)? })
}

/// A table as JSON: the keys and values of its table file.
pub fn table_json(choices: &Choices) -> Result<serde_json::Value, Failure> {
    toml::from_str(&file::show(choices))
        .map_err(|error| Failure::Refused(format!("{} cannot be shown as JSON: {error}", choices.name)))
}
