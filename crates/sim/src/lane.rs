//! (placeholder)
use crate::chunk::Job;
use crate::tally::Tally;
pub struct Table;
pub fn chunk(job: &Job, _table: &Table, _chunk: u64) -> Tally {
    job.empty()
}
