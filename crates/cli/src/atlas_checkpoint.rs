//! The checkpoint file of an atlas: one JSON line that identifies the atlas, then one JSON line per solved table.
//!
//! Each table is appended as soon as it is solved, so that an interrupted run can resume.

use documents::sweep::SweepFigures;
use documents::tables::TableFile;
use documents::{Failure, made_by};
use rules::Choices;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// An open checkpoint file of an atlas.
///
/// Holds the tables that earlier runs solved, as read when the file was opened.
pub struct CheckpointFile {
    path: PathBuf,
    file: Mutex<File>,
    solved: HashMap<Vec<Value>, SweepFigures>,
}

impl CheckpointFile {
    /// Opens the checkpoint file at `path` for appending, and reads the tables already solved.
    ///
    /// Creates the file if it does not exist. Returns an error if the file is the checkpoint of another atlas, or
    /// if the file cannot be read or written.
    pub fn open(path: PathBuf, base: &Choices, spread: bool) -> Result<CheckpointFile, Failure> {
        let cannot =
            |error: std::io::Error| Failure::Refused(format!("cannot write {}: {error}", path.display()));
        let of = json!({ "atlas": TableFile::of(base), "spread": spread, "made_by": made_by() });
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(cannot)?,
        };
        let mut lines = text.lines();
        let begins = lines.next().unwrap_or_default();
        if !begins.is_empty() && serde_json::from_str(begins).ok() != Some(of.clone()) {
            return Err(other(&path));
        }
        let solved = lines.filter_map(|line| read(&serde_json::from_str(line).ok()?)).collect();
        let mut file = File::options().create(true).append(true).open(&path).map_err(cannot)?;
        if begins.is_empty() {
            writeln!(file, "{of}").map_err(cannot)?;
        } else if !text.ends_with('\n') {
            // end a line that was cut off when an earlier run was killed; it does not parse, so its table is solved
            // again
            writeln!(file).map_err(cannot)?;
        }
        Ok(CheckpointFile { path, file: Mutex::new(file), solved })
    }

    pub fn solved(&self) -> HashMap<Vec<Value>, SweepFigures> {
        self.solved.clone()
    }

    pub fn append(&self, set: &[Value], found: &SweepFigures) {
        let sides: Map<String, Value> =
            found.side_wagers.iter().map(|(name, edge)| (name.clone(), json!(edge))).collect();
        let line = json!({
            "set": set, "house_edge": found.house_edge, "std_dev": found.std_dev, "side_wagers": sides,
        });
        let Ok(mut file) = self.file.lock() else { return };
        if let Err(error) = file.write_all(format!("{line}\n").as_bytes()) {
            let _ = writeln!(std::io::stderr(), "cannot write {}: {error}", self.path.display());
        }
    }
}

fn other(path: &Path) -> Failure {
    Failure::Refused(format!(
        "{} is a checkpoint of a different atlas (with another table, version or --spread); choose another file",
        path.display()
    ))
}

fn read(line: &Value) -> Option<(Vec<Value>, SweepFigures)> {
    let sides = line["side_wagers"].as_object()?.iter();
    let side_wagers =
        sides.map(|(name, edge)| Some((name.clone(), edge.as_f64()?))).collect::<Option<_>>()?;
    let found = SweepFigures {
        house_edge: line["house_edge"].as_f64()?,
        std_dev: line["std_dev"].as_f64(),
        scores: Vec::new(),
        side_scores: Vec::new(),
        side_wagers,
    };
    Some((line["set"].as_array()?.clone(), found))
}
