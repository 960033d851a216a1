//! The strategy charts of a table.

use crate::play::provenance;
use crate::stamp::{MADE_BY, Stamped};
use crate::{Failure, Of};
use exact::game::Strategy;
use exact::strategy::Charts;
use rules::Choices;
use serde_json::{Map, Value};

/// The document of charts, with a line break at its end. The charts are written by the solver, which knows no provenance:
/// it goes behind the last of their keys.
pub fn document(rules: &Choices, play: &Strategy, charts: &Charts) -> Result<String, Failure> {
    let of = Of::table(rules).with("strategy", provenance(play));
    let stamp = Stamped { document: Map::<String, Value>::new(), made_by: MADE_BY, of }.to_text()?;
    let own = charts.to_json();
    let own = own.trim_end().strip_suffix('}').unwrap_or_default();
    Ok(format!("{own},{}\n", stamp.strip_prefix('{').unwrap_or_default()))
}
