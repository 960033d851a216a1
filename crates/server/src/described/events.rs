//! Every event of a table with what it tells, as rounds and live views have them.

use super::fields::{object, one_of};
use serde_json::{Map, Value, json};

/// Lists event names and their fields. Every event also has a clause, and an actor if it was not a person.
pub const EVENTS: &[(&str, &str)] = &[
    ("performed", "step box=box? at? behind? person?"),
    ("cut-offered", "box"),
    ("cut-declined", "box"),
    ("cutting-card-out", "to"),
    ("burned", ""),
    ("burn-disclosed", "card"),
    ("set-aside", "card"),
    ("destroyed", "card"),
    ("determined", "card drawn_from deals burned left?"),
    ("dealer-relieved", "person~"),
    ("reshuffle-ordered", ""),
    ("recut-ordered", ""),
    ("fell-idle", ""),
    ("batch-asked-for", "box"),
    ("seated", "box person~"),
    ("consented", "box"),
    ("admitted", "person~"),
    ("wagered", "box person~ seated amounts"),
    ("side-wagered", "box bettor wager amount"),
    ("withdrawn", "box bettor"),
    ("wagers-closed", ""),
    ("light-on", "box"),
    ("lights-counted", "count"),
    ("meter-raised", "amount meter"),
    ("dealt", "to card~ left?"),
    ("announced", "words box? hand? bettor? total? amount?"),
    ("attacked", "box bettor offer amount"),
    ("declined", "box bettor offer"),
    ("insured", "box bettor hand amounts"),
    ("even-money-taken", "box bettor"),
    ("reader-used", "blackjack"),
    ("switch-declined", "box"),
    ("switched", "box"),
    ("revoked", "box"),
    ("stood", "box hand"),
    ("drew", "box hand"),
    ("doubled", "box hand bettor amounts face_down"),
    ("not-doubled", "box hand bettor"),
    ("split", "box hand new"),
    ("covered", "box bettor"),
    ("followed", "box bettor hand"),
    ("surrendered", "box hand"),
    ("sevens-card", "box taken=taken_card"),
    ("late-card", "box taken=taken_card"),
    ("card-refused", "box"),
    ("hole-turned", "card"),
    ("double-turned", "box hand"),
    ("cards-tucked", "box"),
    ("cards-removed", "box"),
    ("cards-looked-at", "box"),
    ("cards-turned", "box"),
    ("cards-thrown-in", "box hand"),
    ("approved", "what=approval box bettor role person~"),
    ("cards-verified", "box bettor"),
    ("light-verified", "box bettor"),
    ("amount-verified", "box bettor amount"),
    ("button-placed", "box bettor"),
    ("awarded", "box bettor amount"),
    ("settled", "box hand person~ wager spot amount net result when blackjack?"),
    ("lammer-moved", "box bettor to=count"),
    ("next-dealer-hand", "spot"),
    ("meter-reset", "meter"),
    ("picked-up", ""),
    ("irregularity", "name=irregularity"),
    ("supervisor-notified", ""),
    ("up-card-found", "card"),
    ("up-card-put-back", "card"),
    ("voided", "name? reason?"),
    ("reversed", "box hand person~ wager spot amount net result when"),
    ("card-corrected", "was~ card~ to~"),
];

/// Adds a schema for each, and `Event` for all.
pub fn add(schemas: &mut Map<String, Value>) {
    let kinds = EVENTS.iter().map(|(word, fields)| {
        let mut schema = object("", &format!("{fields} clause by?"));
        schema["properties"]["clause"]["description"] = json!("The clause that it follows.");
        schema["properties"]["by"] =
            json!({ "type": "string", "enum": ["house", "platform-for-absent"], "description": "Who acted, where it was no person." });
        ((*word).to_owned(), schema)
    });
    one_of(schemas, "Event", "event", kinds.collect());
    // a cut by nobody has no box, and somebody whom the house does not know no number
    for field in ["box", "person"] {
        let schema = schemas["EventPerformed"]["properties"][field].take();
        schemas["EventPerformed"]["properties"][field] = json!({ "oneOf": [schema, { "type": "null" }] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{By, CORRECTED, Seats, fact_view};
    use std::collections::BTreeSet;
    use table::random::{Chance, Driver, Style, tables};
    use table::{Fact, Word};

    #[test]
    fn every_event_has_a_schema() {
        let typed: Vec<&str> = EVENTS.iter().map(|(word, _)| *word).collect();
        let words: Vec<&str> = Fact::WORDS.iter().copied().chain([CORRECTED]).collect();
        assert_eq!(typed, words);
    }

    /// Whole random shoes with all that can go wrong: every event has the fields of its schema, each of its type.
    #[test]
    fn events_have_the_fields_of_their_schemas() {
        let mut schemas = Map::new();
        add(&mut schemas);
        let mut seen = BTreeSet::new();
        for seed in 0..400 {
            let mut chance = Chance::seeded(seed);
            let rules = tables::lawful(&mut chance);
            let mut driver = Driver::new(rules, Style::random(&mut chance));
            for _ in 0..500 {
                let event = driver.next(&mut chance);
                let told = json!(fact_view(By::Person, &event, &Seats::default(), false));
                check(&schemas, &told);
                seen.insert(event.fact.word());
                driver.apply(&event, &mut chance);
            }
        }
        assert!(seen.len() > 50, "{seen:?}");
    }

    fn check(schemas: &Map<String, Value>, told: &Value) {
        let name = format!("Event{}", super::super::fields::title(told["event"].as_str().expect("a word")));
        let schema = &schemas[&name];
        let properties = schema["properties"].as_object().expect("properties");
        for (field, value) in told.as_object().expect("an object") {
            let kind = properties.get(field).unwrap_or_else(|| panic!("{name} has no {field}: {told}"));
            assert!(fits(kind, value), "{name}.{field}: {value} is no {kind}");
        }
        for field in schema["required"].as_array().expect("required") {
            assert!(told.get(field.as_str().expect("a name")).is_some(), "{told} lacks {field}");
        }
    }

    fn fits(kind: &Value, value: &Value) -> bool {
        if let Some(kinds) = kind["oneOf"].as_array() {
            return kinds.iter().any(|kind| fits(kind, value));
        }
        if let Some(name) = kind["$ref"].as_str() {
            return match name.rsplit('/').next() {
                Some("Place") => value.is_string() || value["box"].is_u64(),
                _ => value.is_string(),
            };
        }
        if let Some(words) = kind["enum"].as_array() {
            return words.contains(value);
        }
        match kind["type"].as_str() {
            Some("integer") => value.is_u64(),
            Some("boolean") => value.is_boolean(),
            Some("array") => value.is_array(),
            Some("null") => value.is_null(),
            _ => value.is_string(),
        }
    }
}
