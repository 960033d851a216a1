//! The presets, each a complete legal table.

use crate::{Inputs, Stamped};
use rules::{Choices, file, preset};
use serde::Serialize;
use serde_json::{Value, json};

/// A preset; `table` has the keys of the table file.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Preset {
    pub name: &'static str,
    pub about: &'static str,
    pub table: Value,
}

/// All presets, each with the keys of [`Preset`] in alphabetical order, as in every list of documents.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Presets {
    pub tables: Vec<Value>,
}

/// Returns a table as JSON: the keys and values of its table file.
pub fn table_json(choices: &Choices) -> Value {
    // a table file written by the program can always be read; a test reads that of every preset
    toml::from_str(&file::show(choices)).unwrap_or_default()
}

fn entry(name: &'static str, about: &'static str) -> Option<Preset> {
    Some(Preset { name, about, table: table_json(&preset::preset(name)?) })
}

/// Returns the preset of this name.
pub fn one(name: &str) -> Option<Stamped<Preset>> {
    let &(name, about) = preset::PRESETS.iter().find(|(known, _)| *known == name)?;
    Some(Stamped::new(entry(name, about)?, Inputs::table(&preset::preset(name)?)))
}

/// Returns all presets.
pub fn all() -> Stamped<Presets> {
    let tables = preset::PRESETS.iter().filter_map(|(name, about)| entry(name, about));
    let tables = tables.map(|preset| json!(preset)).collect();
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
