//! Turns `regulations/*.csv` into the static catalogue behind `Clause`, so that a citation that is not in the
//! catalogue does not compile.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// Each file of the catalogue with the text that it catalogues.
const FILES: [(&str, &str); 5] = [
    ("nj-blackjack", "Source::NjBlackjack"),
    ("nj-switch", "Source::NjSwitch"),
    ("ma-switch", "Source::MaSwitch"),
    ("nj-double-attack", "Source::NjDoubleAttack"),
    ("nj-triple-attack", "Source::NjTripleAttack"),
];

fn main() {
    // asked when it runs, not when it was compiled: a checkout may move and keep its build
    let crate_folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let folder = Path::new(&crate_folder).join("../../regulations");
    let mut ids = BTreeSet::new();
    let mut rows = Vec::new();
    for (file, source) in FILES {
        let path = folder.join(file).with_extension("csv");
        println!("cargo::rerun-if-changed={}", path.display());
        let mut reader = csv::Reader::from_path(&path).expect("the catalogue is part of the repository");
        for record in reader.records() {
            let record = record.expect("a well-formed catalogue row");
            ids.insert(record[0].to_string());
            rows.push((source, record));
        }
    }
    let mut code = String::new();
    writeln!(code, "pub(crate) static IDS: [&str; {}] = [", ids.len()).unwrap();
    for id in &ids {
        writeln!(code, "    {id:?},").unwrap();
    }
    writeln!(code, "];\npub(crate) static ROWS: [Row; {}] = [", rows.len()).unwrap();
    for (source, record) in &rows {
        let index = ids.range(..record[0].to_string()).count();
        let field = |n: usize| record.get(n).unwrap_or("");
        writeln!(
            code,
            "    Row {{ clause: Clause({index}), source: {source}, section: {:?}, topic: {:?}, force: {:?}, \
             actor: {:?}, kind: {:?}, summary: {:?}, notes: {:?}, honoured: {:?} }},",
            field(1),
            field(2),
            field(3),
            field(4),
            field(5),
            field(6),
            field(7),
            field(8),
        )
        .unwrap();
    }
    code.push_str("];\n");
    let out = Path::new(&env::var("OUT_DIR").unwrap()).join("catalogue.rs");
    fs::write(out, code).unwrap();
}
