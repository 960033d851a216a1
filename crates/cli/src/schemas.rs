//! Makes `docs/schema`: the JSON Schema of every document that `--json` prints, from its type.

use crate::backup::BackedUp;
use crate::export::Exported;
use crate::follow::Followed;
use documents::Stamped;
use documents::atlas::AtlasOfTables;
use documents::card::StrategyCard;
use documents::check::Check;
use documents::clauses::Clauses;
use documents::compare::Comparison;
use documents::edge::Edge;
use documents::ev::HandValues;
use documents::failure::ErrorDocument;
use documents::indices::IndexPlays;
use documents::perfect::Perfect;
use documents::ramp::RampAnswer;
use documents::removal::Removal;
use documents::replay::Replayed;
use documents::report_document::Report;
use documents::schema::page;
use documents::side_count::SideCount;
use documents::simulate::Simulation;
use documents::strategy::StrategyCharts;
use documents::sweep::Combinations;
use documents::tables::Tables;
use documents::tags::Tags;
use server::{AuditReport, Diagnosis, Verdict};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the name and the JSON Schema of every typed document.
fn schemas() -> Vec<(&'static str, String)> {
    macro_rules! schemas {
        ($($name:literal $title:literal $document:ty),+ $(,)?) => {
            vec![$(($name, page::<Stamped<$document>>(concat!("cutcard ", $name, ": ", $title)))),+]
        };
    }
    schemas![
        "atlas" "Every legal table under one regulation" AtlasOfTables,
        "audit" "Every recorded round and balance, verified against the journal" AuditReport,
        "backup" "A backup of a house" BackedUp,
        "card" "A strategy card" StrategyCard,
        "check" "The legality of a table" Check,
        "clauses" "The clause catalogue" Clauses,
        "compare" "The difference in house edge between two tables, by option" Comparison,
        "doctor" "The problems of a house" Diagnosis,
        "edge" "The exact house edge of a table" Edge,
        "error" "An error" ErrorDocument,
        "ev" "The exact value of every legal action for a hand" HandValues,
        "export" "The exported data of a house" Exported,
        "follow" "The progress of a replica" Followed,
        "indices" "Index plays" IndexPlays,
        "merge" "The merged results of a simulation" Simulation,
        "perfect" "The value of perfect play, the upper bound for any count" Perfect,
        "ramp" "The best bet ramp" RampAnswer,
        "rebuild" "Projections rebuilt from the journal, and their audit" AuditReport,
        "removal" "Effects of removal" Removal,
        "replay" "The replayed rounds of a round file" Replayed,
        "report" "The math report of a table" Report,
        "restore" "A restored backup, and its audit" AuditReport,
        "side" "A side bet with a count of its own" SideCount,
        "simulate" "The results of a simulation" Simulation,
        "strategy" "Strategy charts" StrategyCharts,
        "sweep" "Every legal combination of chosen options" Combinations,
        "tables" "The preset tables" Tables,
        "tags" "The best counting tags for every bet" Tags,
        "verify-shoe" "The checks of a finished shoe" Verdict,
    ]
}

/// Compares the schemas in `docs/schema` with the types; `UPDATE=1` rewrites the schemas.
#[test]
fn the_schemas_are_current() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema"));
    for (name, schema) in schemas() {
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &schema).expect("the schema can be written");
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == schema,
            "docs/schema/{name}.json is out of date; UPDATE=1 cargo test -p cli schemas rewrites it"
        );
    }
}

#[test]
fn every_schema_has_a_type() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema");
    let files = std::fs::read_dir(folder).expect("docs/schema").filter_map(Result::ok);
    let names = files.filter_map(|file| file.file_name().to_str()?.strip_suffix(".json").map(str::to_owned));
    let typed = schemas().into_iter().map(|(name, _)| name.to_owned());
    let known: BTreeSet<String> = typed.collect();
    assert_eq!(names.collect::<BTreeSet<String>>(), known);
    assert_eq!(known.len(), schemas().len(), "a document name is listed twice");
}
