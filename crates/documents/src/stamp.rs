//! Provenance: the program that made a document, and its table, strategy, count and seed.

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

/// The subject of a document: the whole table, and the other inputs that apply.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
#[serde(transparent)]
pub struct Inputs(Map<String, Value>);

impl Inputs {
    /// Returns no particular subject, for the catalogue and the presets.
    pub fn nothing() -> Inputs {
        Inputs::default()
    }

    /// Returns a table as the subject.
    pub fn table(choices: &Choices) -> Inputs {
        Inputs::nothing().with("table", table_json(choices))
    }

    /// Adds a key to the subject; omits null and empty text.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Inputs {
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
    pub of: Inputs,
}

impl<D: Serialize> Stamped<D> {
    pub fn new(document: D, of: Inputs) -> Stamped<D> {
        Stamped { document, made_by: made_by(), of }
    }

    /// Returns the provenance as a comment line for CSV, which readers skip if `#` begins a comment.
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
        let of = Inputs::nothing().with("seed", 7).with("count", None::<String>).with("hand2", "");
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
