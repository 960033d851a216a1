//! Saves parts of a run as files: whole chunks with their sums, to be resumed and merged exactly.

use crate::chunk::Job;
use crate::identity::identity;
use crate::tally::Tally;
use serde_json::{Value, json};
use std::ops::Range;

/// A part of a run: whole chunks with their sums.
#[derive(Clone, PartialEq, Debug)]
pub struct RunPart {
    /// The identity of the run, which is equal for all its parts.
    pub identity: u64,
    /// The ranges of chunks, in order, possibly with gaps between them.
    pub chunks: Vec<Range<u64>>,
    /// The sums of the chunks.
    pub tally: Tally,
}

impl RunPart {
    /// Returns an empty part of the job's run.
    pub fn empty(job: &Job) -> RunPart {
        RunPart { identity: identity(job), chunks: Vec::new(), tally: job.empty() }
    }

    /// Adds the sums of `chunks`.
    ///
    /// The chunks must come after all chunks in this part.
    pub fn add(&mut self, chunks: Range<u64>, tally: &Tally) {
        self.tally.merge(tally);
        append(&mut self.chunks, chunks);
    }

    /// Returns the ranges of chunks for the summary, each as its first chunk and its end (exclusive).
    pub fn chunk_ranges(&self) -> Vec<[u64; 2]> {
        self.chunks.iter().map(|row| [row.start, row.end]).collect()
    }

    /// Returns the part as the text of a part file.
    ///
    /// `about` describes how to repeat the run.
    pub fn to_text(&self, about: &Value) -> String {
        let document = json!({
            "cutcard": "part of a simulation",
            "about": about,
            "identity": format!("{:016x}", self.identity),
            "chunks": self.chunk_ranges(),
            "tally": self.tally.to_json(),
        });
        format!("{document}\n")
    }

    /// Parses the text of a part file.
    ///
    /// Returns the part and the description of its run, or an error if the text is not a part of a simulation.
    pub fn from_text(text: &str) -> Result<(RunPart, Value), String> {
        let wrong = || "the file is not a part of a simulation".to_string();
        let document: Value = serde_json::from_str(text).map_err(|_| wrong())?;
        let read = || {
            let row = |row: &Value| Some(row.get(0)?.as_u64()?..row.get(1)?.as_u64()?);
            Some(RunPart {
                identity: u64::from_str_radix(document.get("identity")?.as_str()?, 16).ok()?,
                chunks: document.get("chunks")?.as_array()?.iter().map(row).collect::<Option<_>>()?,
                tally: Tally::from_json(document.get("tally")?)?,
            })
        };
        let part = read().filter(|part| in_order(&part.chunks)).ok_or_else(wrong)?;
        Ok((part, document.get("about").cloned().unwrap_or(Value::Null)))
    }
}

/// Returns whether the ranges are in ascending order, and neither empty nor overlapping.
fn in_order(rows: &[Range<u64>]) -> bool {
    rows.iter().all(|row| row.start < row.end) && rows.windows(2).all(|two| two[0].end <= two[1].start)
}

/// Appends a range, or extends the last range if the new one follows it directly.
fn append(rows: &mut Vec<Range<u64>>, row: Range<u64>) {
    match rows.last_mut() {
        Some(last) if last.end == row.start => last.end = row.end,
        _ => rows.push(row),
    }
}

/// Merges parts of one run, in any order.
///
/// Returns an error if the parts belong to different runs, or if a chunk is in two parts.
pub fn merge(parts: &[RunPart]) -> Result<RunPart, String> {
    let Some((first, others)) = parts.split_first() else {
        return Err("there are no parts to merge".into());
    };
    let mut sum = first.clone();
    for part in others {
        if part.identity != sum.identity {
            return Err("the parts belong to different tables, strategies or seeds".into());
        }
        if !part.tally.has_shape_of(&sum.tally) {
            return Err("the parts have different layouts".into());
        }
        sum.tally.merge(&part.tally);
    }
    let mut rows: Vec<Range<u64>> = parts.iter().flat_map(|part| part.chunks.clone()).collect();
    rows.sort_by_key(|row| (row.start, row.end));
    if let Some(two) = rows.windows(2).find(|two| two[1].start < two[0].end) {
        return Err(format!("two parts contain chunk {}", two[1].start));
    }
    sum.chunks.clear();
    rows.into_iter().for_each(|row| append(&mut sum.chunks, row));
    Ok(sum)
}
