//! Provenance: which program made a document, and of which table, strategy, count and seed.

use crate::tables::table_json;
use rules::Choices;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// The program that made a document.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct MadeBy {
    pub program: &'static str,
    pub version: &'static str,
    /// The commit; `None` for a build without a repository.
    pub commit: Option<&'static str>,
}

static COMMIT: OnceLock<Option<&'static str>> = OnceLock::new();

/// Tells every later document which commit the program was built from. Each program calls this once, when it starts:
/// were the commit compiled in here, every commit would compile this crate and all above it again.
pub fn built_from(commit: Option<&'static str>) {
    COMMIT.get_or_init(|| commit);
}

/// Returns what this program is.
pub fn made_by() -> MadeBy {
    let commit = COMMIT.get().copied().flatten();
    MadeBy { program: "cutcard", version: env!("CARGO_PKG_VERSION"), commit }
}

/// The subject of a document: the whole table, and whatever else was asked, as far as it applies.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
#[serde(transparent)]
pub struct Of(Map<String, Value>);

impl Of {
    /// Returns no particular subject, for the catalogue and the presets.
    pub fn nothing() -> Of {
        Of::default()
    }

    /// Returns a table as the subject.
    pub fn table(choices: &Choices) -> Of {
        Of::nothing().with("table", table_json(choices))
    }

    /// Adds to the subject; null and the empty text do not apply and are left out.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Of {
        let value = value.into();
        if !value.is_null() && value != "" {
            self.0.insert(key.to_string(), value);
        }
        self
    }
}

/// A document with its provenance. The keys of the document come first, in its own order.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Stamped<D> {
    #[serde(flatten)]
    pub document: D,
    pub made_by: MadeBy,
    pub of: Of,
}

impl<D: Serialize> Stamped<D> {
    pub fn new(document: D, of: Of) -> Stamped<D> {
        Stamped { document, made_by: made_by(), of }
    }

    /// Returns the provenance as a comment line for CSV; readers skip it if they are told that `#` begins a
    /// comment.
    pub fn comment(&self) -> String {
        let of = serde_json::json!({ "made_by": self.made_by, "of": self.of });
        format!("# {of}\n")
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
        let of = Of::nothing().with("seed", 7).with("count", None::<String>).with("hand2", "");
        assert_eq!(serde_json::to_value(of).unwrap(), json!({ "seed": 7 }));
    }

    #[test]
    fn the_keys_of_the_document_come_first_and_keep_their_order() {
        #[derive(Serialize)]
        struct Some {
            zebra: u8,
            ant: u8,
        }
        let text = Stamped::new(Some { zebra: 1, ant: 2 }, Of::nothing()).to_text().unwrap();
        assert!(text.starts_with("{\"zebra\":1,\"ant\":2,\"made_by\":{\"program\":\"cutcard\","), "{text}");
        assert!(text.ends_with(",\"of\":{}}"), "{text}");
    }

    #[test]
    fn the_table_is_whole() {
        let table = rules::preset::preset("nj-switch").unwrap();
        let of = serde_json::to_value(Of::table(&table)).unwrap();
        assert_eq!((&of["table"]["game"], &of["table"]["decks"]), (&json!("switch"), &json!(table.decks)));
    }
}
