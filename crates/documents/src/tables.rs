//! Lists the presets, each a complete legal table.

use crate::{Inputs, Stamped};
use rules::{Choices, file, preset};
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A table in the form of its table file: every key with its value.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
#[serde(transparent)]
pub struct TableFile(Value);

/// The keys that every table file has; docs/values.md lists the other keys.
#[derive(ToSchema)]
#[allow(dead_code, reason = "used only for its schema")]
struct TableKeys {
    /// The name of the table.
    name: String,
    /// The game: `blackjack`, `switch`, `double-attack` or `triple-attack`.
    game: String,
    /// The jurisdiction: `nj` or `ma`.
    jurisdiction: String,
    /// The number of decks.
    decks: u8,
}

impl PartialSchema for TableFile {
    fn schema() -> RefOr<Schema> {
        let mut schema = TableKeys::schema();
        if let RefOr::T(Schema::Object(keys)) = &mut schema {
            keys.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(true)));
        }
        schema
    }
}

impl ToSchema for TableFile {}

impl TableFile {
    /// Returns the table file of a table, with every key written out.
    pub fn of(choices: &Choices) -> TableFile {
        // a table file written by the program can always be read; a test reads that of every preset
        TableFile(toml::from_str(&file::show(choices)).unwrap_or_default())
    }

    /// Returns the keys of the table file with their values, as a JSON object.
    pub fn keys(&self) -> &Value {
        &self.0
    }
}

/// The value of a key in a table file, in one of several types.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only for its schema")]
pub enum OptionValue {
    /// A word such as `stand`, or an amount of money.
    Text(String),
    /// A number, such as the number of decks.
    Number(f64),
    /// A truth value, such as whether the table offers surrender.
    Flag(bool),
    /// A list of words.
    Texts(Vec<String>),
}

/// A preset table with its description.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Preset {
    /// The name of the preset.
    pub name: &'static str,
    /// A short description of the preset.
    pub about: &'static str,
    /// The table of the preset, as a table file.
    pub table: TableFile,
}

/// All preset tables, each with its keys in alphabetical order.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Presets {
    /// The presets, in the order in which users see them.
    #[schema(value_type = Vec<Preset>)]
    pub tables: Vec<Value>,
}

/// The output of `cutcard tables`: all presets, or the preset that the user names.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only for its schema")]
pub enum Tables {
    All(Presets),
    One(Preset),
}

fn entry(name: &'static str, about: &'static str) -> Option<Preset> {
    Some(Preset { name, about, table: TableFile::of(&preset::preset(name)?) })
}

/// Returns the document of the preset `name`, or `None` if there is no such preset.
pub fn one(name: &str) -> Option<Stamped<Preset>> {
    let &(name, about) = preset::PRESETS.iter().find(|(known, _)| *known == name)?;
    Some(Stamped::new(entry(name, about)?, Inputs::table(&preset::preset(name)?)))
}

/// Returns the document of all presets.
pub fn all() -> Stamped<Presets> {
    let tables = preset::PRESETS.iter().filter_map(|(name, about)| entry(name, about));
    let tables = tables.map(|preset| serde_json::to_value(preset).unwrap_or_default()).collect();
    Stamped::new(Presets { tables }, Inputs::nothing())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_preset_can_be_shown_as_json() {
        let all = super::all().document.tables;
        assert_eq!(all.len(), rules::preset::PRESETS.len());
        for preset in all {
            let name = preset["name"].as_str().unwrap();
            assert_eq!(preset["table"]["name"], name);
            assert_eq!(serde_json::json!(super::one(name).unwrap().document), preset);
        }
        assert!(super::one("nj-poker").is_none());
    }
}
