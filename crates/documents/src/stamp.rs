//! Adds provenance to documents: the program that made a document, and its table, strategy, count and seed.

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
    /// The commit that the program was built from; null for a build without a repository.
    #[schema(required)]
    pub commit: Option<&'static str>,
}

static COMMIT: OnceLock<Option<&'static str>> = OnceLock::new();

/// Sets the commit of the program that all later documents state.
///
/// Every program calls this function once at startup. If the commit were compiled in here, every commit would
/// recompile this crate and all crates that depend on it.
pub fn set_commit(commit: Option<&'static str>) {
    COMMIT.get_or_init(|| commit);
}

/// Returns this program's name, version and commit.
pub fn made_by() -> MadeBy {
    let commit = COMMIT.get().copied().flatten();
    MadeBy { program: "cutcard", version: env!("CARGO_PKG_VERSION"), commit }
}

/// The inputs from which a document is computed.
///
/// The table is stated with every key. Inputs that a document does not use are absent.
#[derive(Clone, PartialEq, Serialize, ToSchema, Default, Debug)]
pub struct Inputs {
    /// The first of two compared tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub a: Option<TableFile>,
    /// Whether the player has already made the double attack bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub attacked: Option<bool>,
    /// The second of two compared tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub b: Option<TableFile>,
    /// The name of the counting system, or its ten tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count: Option<String>,
    /// The divisor of the running count: `decks`, `half-decks`, or none (`running`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count_by: Option<&'static str>,
    /// The running count of a full shoe; absent if it is the default of the counting system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count_start: Option<i32>,
    /// The name of the engine that ran the simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub engine: Option<&'static str>,
    /// The cards of the player's hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hand: Option<String>,
    /// The cards of the player's second hand, in Switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hand2: Option<String>,
    /// The largest tag to consider in the search for the best tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub level: Option<i32>,
    /// The bet ramp by count, such as `1:1,2:4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ramp: Option<String>,
    /// The cards removed from the shoe.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub removed: Option<String>,
    /// The rounding of the true count: `down`, `towards-zero` or `nearest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rounding: Option<&'static str>,
    /// The second counting system, which is combined with every other system: its name or its ten tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub second_count: Option<String>,
    /// The seed of the random numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seed: Option<u64>,
    /// The separate counting systems of side bets, such as `over-13=hi-lo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub side_counts: Option<Vec<String>>,
    /// The bet ramps of side bets, such as `over-13=2:0,3:1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub side_ramps: Option<Vec<String>>,
    /// The minimum and the maximum bet in units, such as `1-12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub spread: Option<String>,
    /// The strategy that was valued or played.
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
    /// The number of rounds simulated to verify the figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verify: Option<u64>,
}

impl Inputs {
    /// Returns empty inputs, for documents that depend on no table.
    pub fn nothing() -> Inputs {
        Inputs::default()
    }

    /// Returns inputs that state only a table.
    pub fn table(choices: &Choices) -> Inputs {
        Inputs { table: Some(TableFile::of(choices)), ..Inputs::default() }
    }
}

/// Returns `text` as an input of a document, or `None` if the text is empty.
pub(crate) fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Serializes a value with its keys in alphabetical order, whatever the order of its fields.
pub(crate) fn sorted<T: Serialize, S: Serializer>(part: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::to_value(part).map_err(S::Error::custom)?.serialize(serializer)
}

/// The strategy behind a document's figures, as the document states the strategy.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum StrategyUsed {
    /// The name of a strategy that is computed for the table, such as `total-dependent`.
    Named(&'static str),
    /// A whole strategy chart, for a strategy that the user supplied.
    Chart(BTreeMap<String, Value>),
}

impl StrategyUsed {
    /// Returns `chart` in the form in which a document states its strategy.
    pub fn chart(chart: &Chart) -> StrategyUsed {
        match chart.to_json() {
            Value::Object(keys) => StrategyUsed::Chart(keys.into_iter().collect()),
            _ => StrategyUsed::Chart(BTreeMap::new()),
        }
    }
}

/// A document together with its provenance.
///
/// The keys of the document come first, in the document's own order.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Stamped<D> {
    #[serde(flatten)]
    pub document: D,
    pub made_by: MadeBy,
    pub of: Inputs,
}

/// The fields `made_by` and `of`, which state the provenance and come last in every document.
#[derive(Serialize, ToSchema)]
struct Provenance {
    /// The program that made the document.
    made_by: MadeBy,
    /// The inputs that the document is computed from.
    of: Inputs,
}

/// Returns the schema of a document with its provenance, as one object if the document is an object.
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
        format!("{}Document", D::name()).into()
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

    /// Returns the provenance as a line that begins with `#`, for the start of a CSV file.
    pub fn comment(&self) -> String {
        let stamp = Provenance { made_by: self.made_by, of: self.of.clone() };
        format!("# {}\n", serde_json::to_value(stamp).unwrap_or_default())
    }

    /// Returns the document with its provenance as JSON text without line breaks.
    pub fn to_text(&self) -> Result<String, crate::Failure> {
        serde_json::to_string(self)
            .map_err(|error| crate::Failure::Refused(format!("cannot convert the answer to JSON: {error}")))
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
