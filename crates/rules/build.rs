//! Turns `regulations/*.csv` into the static catalogue behind `Clause`, so that a citation that is not in the
//! catalogue does not compile.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// The files of the catalogue, each named for its text; the last holds powers of the house that no text gives.
const TEXTS: [&str; 6] =
    ["nj-blackjack", "nj-switch", "ma-switch", "nj-double-attack", "nj-triple-attack", "house"];

fn main() {
    // asked when it runs, not when it was compiled: a checkout may move and keep its build
    let crate_folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let folder = Path::new(&crate_folder).join("regulations");
    let mut rows = Vec::new();
    for text in TEXTS {
        let path = folder.join(text).with_extension("csv");
        println!("cargo::rerun-if-changed={}", path.display());
        let mut reader = csv::Reader::from_path(&path).expect("the catalogue is part of the repository");
        for record in reader.records() {
            let record = record.expect("a well-formed catalogue row");
            rows.push((text, record));
        }
    }
    // the first row of each id, in the order of the ids
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&at| (rows[at].1[0].to_string(), at));
    order.dedup_by_key(|at| rows[*at].1[0].to_string());
    let mut code = String::new();
    writeln!(code, "static ORDER: [u16; {}] = {order:?};", order.len()).unwrap();
    writeln!(code, "static ROWS: [Row; {}] = [", rows.len()).unwrap();
    for (text, record) in &rows {
        let field = |n: usize| record.get(n).unwrap_or("");
        writeln!(
            code,
            "    Row {{ id: {:?}, text: {text:?}, section: {:?}, topic: {:?}, force: {:?}, actor: {:?}, kind: {:?}, \
             summary: {:?}, notes: {:?}, honoured: {:?} }},",
            field(0),
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
