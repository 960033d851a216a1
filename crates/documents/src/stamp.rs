//! Provenance: the program that made a document, and its table, strategy, count and seed.

use crate::tables::TableFile;
use program::Chart;
use rules::Choices;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use utoipa::openapi::{AllOf, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The program that made a document.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub struct MadeBy {
    /// The name of the program.
    pub program: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// The commit that it was built from; null for a build without a repository.
    #[schema(required)]
    pub commit: Option<&'static str>,
}

static COMMIT: OnceLock<Option<&'static str>> = OnceLock::new();

/// Sets the commit of the program for all later documents. Each program calls this once at startup: if the commit were
/// compiled in here, every commit would recompile this crate and all that depend on it.
pub fn built_from(commit: Option<&'static str>) {
    COMMIT.get_or_init(|| commit);
}

/// Returns this program's name, version and commit.
pub fn made_by() -> MadeBy {
    let commit = COMMIT.get().copied().flatten();
    MadeBy { program: "cutcard", version: env!("CARGO_PKG_VERSION"), commit }
}

/// The inputs that a document follows from: the whole table, and whatever else applies.
#[derive(Clone, PartialEq, Serialize, ToSchema, Default, Debug)]
pub struct Inputs {
    /// The first of two tables compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub a: Option<TableFile>,
    /// Whether the double attack bet has been made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub attacked: Option<bool>,
    /// The second of two tables compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub b: Option<TableFile>,
    /// The counting system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count: Option<String>,
    /// What the running count is divided by: `decks`, `half-decks`, or nothing (`running`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count_by: Option<&'static str>,
    /// The running count of a full shoe, where it is not the system's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count_start: Option<i32>,
    /// What played the rounds of a simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub engine: Option<&'static str>,
    /// The player's hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hand: Option<String>,
    /// The player's second hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hand2: Option<String>,
    /// The largest tag considered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub level: Option<i32>,
    /// The bets by count, such as `1:1,2:4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ramp: Option<String>,
    /// The cards removed from the shoe.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub removed: Option<String>,
    /// How the count is rounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rounding: Option<&'static str>,
    /// The counting system beside the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub second_count: Option<String>,
    /// The seed of the random numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seed: Option<u64>,
    /// The counting systems of side bets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub side_counts: Option<Vec<String>>,
    /// The amounts of side bets by their counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub side_ramps: Option<Vec<String>>,
    /// The least and the greatest bet, such as `1-12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub spread: Option<String>,
    /// The strategy played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub strategy: Option<StrategyUsed>,
    /// The table, with every key of its table file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub table: Option<TableFile>,
    /// The dealer's visible cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub up: Option<String>,
    /// The rounds simulated to verify the figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verify: Option<u64>,
}

impl Inputs {
    /// Returns empty inputs, for documents that depend on no table: the catalogue and the list of presets.
    pub fn nothing() -> Inputs {
        Inputs::default()
    }

    /// Returns a table as the subject.
    pub fn table(choices: &Choices) -> Inputs {
        Inputs { table: Some(TableFile::of(choices)), ..Inputs::default() }
    }
}

/// Returns a text as an input; an empty one is none.
pub(crate) fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Writes a part of a document with its keys in alphabetical order, whatever order its type has.
pub(crate) fn sorted<T: Serialize, S: Serializer>(part: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::to_value(part).map_err(S::Error::custom)?.serialize(serializer)
}

/// A strategy as provenance.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum StrategyUsed {
    /// The name of a strategy that follows from the table.
    Named(&'static str),
    /// A whole chart.
    Chart(BTreeMap<String, Value>),
}

impl StrategyUsed {
    /// Returns a whole chart as a strategy.
    pub fn chart(chart: &Chart) -> StrategyUsed {
        match chart.to_json() {
            Value::Object(keys) => StrategyUsed::Chart(keys.into_iter().collect()),
            _ => StrategyUsed::Chart(BTreeMap::new()),
        }
    }
}

/// A document with its provenance. The keys of the document come first, in its own order.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Stamped<D> {
    #[serde(flatten)]
    pub document: D,
    pub made_by: MadeBy,
    pub of: Inputs,
}

/// The keys `made_by` and `of`, which end every document.
#[derive(Serialize, ToSchema)]
struct Provenance {
    /// The program that made the document.
    made_by: MadeBy,
    /// The inputs that the document is computed from.
    of: Inputs,
}

/// The schema of the document, and its provenance: in one object if the document is one.
impl<D: ToSchema> PartialSchema for Stamped<D> {
    fn schema() -> RefOr<Schema> {
        let (own, stamp) = (D::schema(), Provenance::schema());
        match (own, stamp) {
            (RefOr::T(Schema::Object(mut own)), RefOr::T(Schema::Object(stamp))) => {
                own.properties.extend(stamp.properties);
                own.required.extend(stamp.required);
                own.into()
            }
            (own, stamp) => AllOf::builder().item(own).item(stamp).into(),
        }
    }
}

impl<D: ToSchema> ToSchema for Stamped<D> {
    fn name() -> Cow<'static, str> {
        D::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        D::schemas(schemas);
        Provenance::schemas(schemas);
    }
}

impl<D: Serialize> Stamped<D> {
    pub fn new(document: D, of: Inputs) -> Stamped<D> {
        Stamped { document, made_by: made_by(), of }
    }

    /// Returns the provenance as a comment line for CSV, which readers skip if `#` begins a comment.
    pub fn comment(&self) -> String {
        let stamp = Provenance { made_by: self.made_by, of: self.of.clone() };
        format!("# {}\n", serde_json::to_value(stamp).unwrap_or_default())
    }

    /// Returns the text of the document, without a line break.
    pub fn to_text(&self) -> Result<String, crate::Failure> {
        serde_json::to_string(self).map_err(|error| {
            crate::Failure::Refused(format!("the answer cannot be written as JSON: {error}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_does_not_apply_is_left_out() {
        let of = Inputs { seed: Some(7), hand2: text(""), ..Inputs::nothing() };
        assert_eq!(serde_json::to_value(of).unwrap(), json!({ "seed": 7 }));
    }

    #[test]
    fn the_keys_of_the_document_come_first_and_keep_their_order() {
        #[derive(Serialize)]
        struct Some {
            zebra: u8,
            ant: u8,
        }
        let text = Stamped::new(Some { zebra: 1, ant: 2 }, Inputs::nothing()).to_text().unwrap();
        assert!(text.starts_with("{\"zebra\":1,\"ant\":2,\"made_by\":{\"program\":\"cutcard\","), "{text}");
        assert!(text.ends_with(",\"of\":{}}"), "{text}");
    }

    #[test]
    fn the_table_is_whole() {
        let table = rules::preset::preset("nj-switch").unwrap();
        let of = serde_json::to_value(Inputs::table(&table)).unwrap();
        assert_eq!((&of["table"]["game"], &of["table"]["decks"]), (&json!("switch"), &json!(table.decks)));
    }
}
