//! The strategy charts of a table.

use crate::play::provenance;
use crate::stamp::{Stamped, made_by};
use crate::subject::Subject;
use crate::{Failure, Of};
use exact::game::Strategy;
use exact::strategy::Charts;
use serde_json::{Value, json};

/// The document of charts, with a line break at its end. The charts are written by the solver, which knows no provenance:
/// it goes behind the last of their keys.
pub fn document(table: &Subject, play: &Strategy, charts: &Charts) -> Result<String, Failure> {
    let of = Of::table(table).with("strategy", provenance(play));
    let mut mark: Value = json!({});
    table.mark(&mut mark);
    let stamp = Stamped { document: mark, made_by: made_by(), of }.to_text()?;
    let own = charts.to_json();
    let own = own.trim_end().strip_suffix('}').unwrap_or_default();
    Ok(format!("{own},{}\n", stamp.strip_prefix('{').unwrap_or_default()))
}
