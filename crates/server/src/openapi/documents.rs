//! The documents of the workbench, which the command line prints too.

use super::unions::named;
use documents::compare::Comparison;
use documents::indices::IndexPlays;
use documents::ramp::BestRamp;
use documents::removal::Removal;
use documents::sweep::Combinations;
use documents::tags::Tags;
use documents::{Stamped, next_round};
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::Object;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

pub type SweepDocument = Stamped<Combinations>;
pub type CompareDocument = Stamped<Comparison>;
pub type RemovalDocument = Stamped<Removal>;
pub type TagsDocument = Stamped<Tags>;
pub type IndicesDocument = Stamped<IndexPlays>;
pub type RampDocument = Stamped<BestRamp>;
pub type NextRound = Stamped<next_round::NextRound>;

/// Stands for the math report in the handlers' types.
///
/// The schema of the math report comes from `docs/schema`, because it is not generated from a type yet.
pub struct ReportDocument;

impl PartialSchema for ReportDocument {
    fn schema() -> RefOr<Schema> {
        Object::new().into()
    }
}

impl ToSchema for ReportDocument {}

/// Adds the schema of the math report, taken from `docs/schema`.
pub fn add(schemas: &mut Map<String, Value>) {
    let whole: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/report.json")).unwrap_or_default();
    let mut own = whole["allOf"][0].clone();
    own["description"] = whole["title"].clone();
    own["properties"]["made_by"] = named("MadeBy");
    own["properties"]["of"] = json!({ "type": "object" });
    if let Some(required) = own["required"].as_array_mut() {
        required.extend([json!("made_by"), json!("of")]);
    }
    schemas.insert("ReportDocument".to_owned(), own);
}
