//! Parts of a run as files: whole chunks with their sums, to be saved, taken up again, and merged exactly.

use crate::chunk::Job;
use crate::tally::Tally;
use serde_json::{Value, json};
use std::fmt::Write;
use std::ops::Range;

/// Whole chunks of a run, in a row, or (after a merge of files) a number of such rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// What was played: equal for all parts of one run.
    pub identity: u64,
    pub chunks: Range<u64>,
    pub tally: Tally,
}

/// A fingerprint of everything that the results of a job depend on.
pub fn identity(job: &Job) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let program = &job.program;
    let counting = job.counting.as_ref().map(|c| (&c.system, &c.stakes));
    // writing to a hash cannot fail
    let _ = write!(
        hash,
        "{:?}{:?}{:?}{:?}{:?}{:?}{:?}{:?}{:?}{:?}",
        program.money,
        program.faces,
        program.classes,
        program.hands,
        program.dealer,
        (&program.moves, program.stack, program.decks, program.split_hands),
        program.sides,
        program.offers,
        counting,
        (job.boxes, job.seed, job.fresh, job.shoes),
    );
    hash.0
}

/// FNV-1a, as a place to write text to.
struct Fnv(u64);

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

impl Part {
    /// Nothing yet, before this chunk.
    pub fn empty(job: &Job, chunk: u64) -> Part {
        Part { identity: identity(job), chunks: chunk..chunk, tally: job.empty() }
    }

    /// The text of the file. `about` is for people: how to make the run again.
    pub fn to_text(&self, about: &Value) -> String {
        let document = json!({
            "cutcard": "part of a simulation",
            "about": about,
            "identity": format!("{:016x}", self.identity),
            "chunks": [self.chunks.start, self.chunks.end],
            "tally": self.tally.to_json(),
        });
        format!("{document}\n")
    }

    /// Reads a file; what it is about comes beside the part.
    pub fn from_text(text: &str) -> Result<(Part, Value), String> {
        let wrong = || "this is not a part of a simulation".to_string();
        let document: Value = serde_json::from_str(text).map_err(|_| wrong())?;
        let read = || {
            let chunks = document.get("chunks")?;
            let (start, end) = (chunks.get(0)?.as_u64()?, chunks.get(1)?.as_u64()?);
            Some(Part {
                identity: u64::from_str_radix(document.get("identity")?.as_str()?, 16).ok()?,
                chunks: start..end,
                tally: Tally::from_json(document.get("tally")?)?,
            })
        };
        let part = read().filter(|part| part.chunks.start <= part.chunks.end).ok_or_else(wrong)?;
        Ok((part, document.get("about").cloned().unwrap_or(Value::Null)))
    }
}

/// Adds up parts of one run. Parts of different runs, and chunks that were played twice, are refused.
pub fn merge(parts: &[Part]) -> Result<Part, String> {
    let mut sorted: Vec<&Part> = parts.iter().collect();
    sorted.sort_by_key(|part| (part.chunks.start, part.chunks.end));
    let Some(first) = sorted.first() else {
        return Err("there is nothing to merge".into());
    };
    let mut sum = (*first).clone();
    for part in &sorted[1..] {
        if part.identity != sum.identity {
            return Err("the parts belong to different tables, strategies or seeds".into());
        }
        if part.tally.cells.len() != sum.tally.cells.len() || part.tally.sides.len() != sum.tally.sides.len()
        {
            return Err("the parts do not have the same shape".into());
        }
        if part.chunks.start < sum.chunks.end && !part.chunks.is_empty() {
            return Err(format!("chunk {} is in two parts", part.chunks.start));
        }
        sum.tally.merge(&part.tally);
        sum.chunks.end = sum.chunks.end.max(part.chunks.end);
    }
    Ok(sum)
}
