//! `cutcard atlas`: counts and solves every legal table of a regulation.
//!
//! Tables that the solver cannot tell apart count as one.

use crate::atlas_checkpoint::CheckpointFile;
use crate::load::TableArgs;
use crate::output::Output;
use crate::progress::shown as shown_steps;
use crate::sweep_shown::{Form, shown};
use documents::Failure;
use documents::atlas::{Atlas, AtlasCheckpoint, AtlasOptions, document};
use documents::subject::limit;
use documents::sweep::SweepFigures;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Table of the regulation; options and rulings that the atlas does not vary are taken from it.
    #[command(flatten)]
    table: TableArgs,
    /// Restrict an option to these values: `--only decks=6,8`.
    #[arg(long, value_name = "KEY=V1,V2,…")]
    only: Vec<String>,
    /// Solve at most N tables, sampled evenly; 0 only counts them.
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Also compute the standard deviation, which is slower than the edge.
    #[arg(long)]
    spread: bool,
    /// Save each solved table to FILE, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Start CSV with a comment line, `# {…}`, that names the program and the table; Parquet always has it in its
    /// footer.
    #[arg(long)]
    provenance: bool,
    /// Write all tables to FILE; required for Parquet.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let base = args.table.choices()?;
    let checkpoint =
        args.checkpoint.map(|path| CheckpointFile::open(path, &base, args.spread)).transpose()?;
    let on_solved =
        |set: &[Value], found: &SweepFigures| checkpoint.iter().for_each(|file| file.append(set, found));
    let solved = checkpoint.as_ref().map(CheckpointFile::solved).unwrap_or_default();
    let asked = AtlasOptions { only: args.only, max_tables: args.most, spread: args.spread };
    let atlas = asked.atlas(
        &base,
        &AtlasCheckpoint { solved, on_solved: &on_solved },
        &shown_steps("tables solved"),
    )?;
    let bytes = |form: Form| match form {
        Form::Json => Ok(document(&atlas).to_text()?.into_bytes()),
        form => shown(&atlas.sweep, form, args.provenance),
    };
    if let Some(path) = &args.out {
        std::fs::write(path, bytes(args.format)?)
            .map_err(|error| Failure::Refused(format!("cannot write {}: {error}", path.display())))?;
    }
    if output.wants_json() {
        output.document(&document(&atlas))?;
    } else if args.out.is_some() || args.format == Form::Text {
        output.text(&for_people(&atlas))?;
    } else {
        let text = String::from_utf8(bytes(args.format)?).map_err(|_| {
            Failure::NotUnderstood("Parquet cannot be printed; add --out atlas.parquet".into())
        })?;
        output.text(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(atlas: &Atlas) -> String {
    let rows = &atlas.sweep.rows;
    let mut text = format!(
        "{}: {} combinations, {} legal, {} that differ in a rule that affects the edge, {} solved\n",
        atlas.sweep.table,
        atlas.combinations,
        atlas.lawful,
        atlas.distinct,
        rows.len()
    );
    if atlas.too_large > 0 {
        text.push_str(&format!("  {} tables omitted: {}\n", atlas.too_large, limit()));
    }
    let ends = [("best for the player", rows.first()), ("worst for the player", rows.last())];
    for (label, row) in ends.into_iter().filter_map(|(label, row)| Some((label, row?))) {
        let edge = row.found.as_ref().map_or(f64::NAN, |found| found.house_edge);
        let set: Vec<String> =
            atlas.sweep.options.iter().zip(&row.set).map(|(key, value)| format!("{key}={value}")).collect();
        text.push_str(&format!("  {label:<22}{:+.4} %  {}\n", 100.0 * edge, set.join(" ")));
    }
    text
}
