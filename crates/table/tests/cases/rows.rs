//! Mutation tests of data: every row of every text is changed by itself (`changes.rs`), and some case must fail. The
//! cases are written from the regulations, so a row that a case holds is held by the law and not by a copy of the row.
//! The catalogue, which describes paytables in words, also holds their payouts (`odds.rs`).
//!
//! `cases/unheld.md` lists the rows that no case can hold, with the reason; a row that is held must not be in it.

use crate::block::{Block, run, run_under};
use crate::changes::{Mutant, mutants};
use crate::{changes, form, odds};
use libtest_mimic::{Failed, Trial};
use rules::text::{TEXTS, Text};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The text that a mutant is made of: one of the catalogue, or a variation of one.
#[derive(Clone, Copy)]
struct Of {
    base: &'static Text,
    variation: Option<usize>,
}

impl Of {
    fn text(self) -> &'static Text {
        self.variation.map_or(self.base, |at| self.base.variations[at].text)
    }

    fn name(self) -> String {
        let variation = self.variation.map(|at| ["6 to 5", "multiple action", "face up"][at]);
        variation.map_or(self.base.name.to_string(), |name| format!("{} {name}", self.base.name))
    }

    /// Returns the base with the mutant in place of its text, also in what its variations inherit.
    fn with(self, mutant: &Mutant, heirs: &Heirs) -> &'static Text {
        let mut variations = self.base.variations.to_vec();
        let base = match self.variation {
            None => &mutant.text,
            Some(at) => {
                variations[at].text = Box::leak(Box::new(mutant.text));
                self.base
            }
        };
        for (variation, heir) in variations.iter_mut().zip(heirs) {
            if let Some((_, text)) = heir.get(&mutant.row).filter(|(was, _)| *was == mutant.was) {
                variation.text = Box::leak(Box::new(*text));
            }
        }
        Box::leak(Box::new(Text { variations: variations.leak(), ..*base }))
    }
}

/// For each variation of a base: the value of every row, and the text with that row changed.
type Heirs = Vec<BTreeMap<String, (String, Text)>>;

pub fn trials(blocks: &Arc<Vec<Block>>) -> Vec<Trial> {
    let variations =
        |base: &'static Text| (0..base.variations.len()).map(move |at| Of { base, variation: Some(at) });
    let all =
        TEXTS.into_iter().flat_map(|base| [Of { base, variation: None }].into_iter().chain(variations(base)));
    all.map(|of| trial(of, Arc::clone(blocks))).collect()
}

/// Tests one text, or a variation: the rows that differ from its base.
fn trial(of: Of, blocks: Arc<Vec<Block>>) -> Trial {
    let name = of.name();
    Trial::test(format!("every row of {name} is held by a case"), move || {
        // a case that fails anyway holds nothing
        let own: Vec<&Block> =
            blocks.iter().filter(|block| plays(block, of) && run(block).is_empty()).collect();
        let base: BTreeMap<String, String> = match of.variation {
            Some(_) => mutants(of.base).into_iter().map(|mutant| (mutant.row, mutant.was)).collect(),
            None => BTreeMap::new(),
        };
        let heirs: Heirs = match of.variation {
            Some(_) => Vec::new(),
            None => of.base.variations.iter().map(|variation| rows_of(variation.text)).collect(),
        };
        let mut excused = unheld(&name);
        let mut faults = Vec::new();
        for (i, mutant) in mutants(of.text()).into_iter().enumerate() {
            // a variation lists only what differs
            if base.get(&mutant.row) == Some(&mutant.was) {
                continue;
            }
            if i % one_in() != 0 {
                excused.remove(&mutant.row);
                continue;
            }
            match (is_held(&mutant, of, &heirs, &own), excused.remove(&mutant.row)) {
                (true, None) | (false, Some(_)) => {}
                (true, Some(_)) => faults.push(format!("`{}` is excused, but a case holds it", mutant.row)),
                (false, None) => {
                    faults.push(format!("- `{}`: held by no case (it was {})", mutant.row, mutant.was))
                }
            }
        }
        faults.extend(excused.keys().map(|row| format!("`{row}` is excused, but there is no such row")));
        if faults.is_empty() { Ok(()) } else { Err(Failed::from(format!("{name}\n{}", faults.join("\n")))) }
    })
}

/// Returns how many rows one is tested of: 1 in `./test deep`, where `CUTCARD_DEEP` is set, otherwise 4.
fn one_in() -> usize {
    if std::env::var_os("CUTCARD_DEEP").is_some() { 1 } else { 4 }
}

fn rows_of(text: &'static Text) -> BTreeMap<String, (String, Text)> {
    mutants(text).into_iter().map(|mutant| (mutant.row, (mutant.was, mutant.text))).collect()
}

/// Returns whether the block uses a table of this text; a base also has the tables of its variations.
fn plays(block: &Block, of: Of) -> bool {
    block.choices().is_ok_and(|choices| {
        choices.text == of.base && (of.variation.is_none() || std::ptr::eq(choices.text(), of.text()))
    })
}

/// Returns whether some case fails under the mutant.
fn is_held(mutant: &Mutant, of: Of, heirs: &Heirs, blocks: &[&Block]) -> bool {
    if !odds::disagreements(mutant.text.sides.rows).is_empty() {
        return true;
    }
    if !form::holds(&mutant.text) {
        return true;
    }
    let text = of.with(mutant, heirs);
    changes::play_by(mutant);
    let mut order: Vec<&Block> = blocks.to_vec();
    if let Some(by) = mutant.by {
        // cases that expect the clause are most likely to fail
        order.sort_by_key(|block| !block.lines.iter().any(|line| line.contains(by.id())));
    }
    order.iter().any(|block| {
        let result = catch_unwind(AssertUnwindSafe(|| run_under(block, Some(text))));
        result.map_or(true, |missed| !missed.is_empty())
    })
}

/// Returns the rows of one text that no case can hold, with the reason.
fn unheld(name: &str) -> BTreeMap<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/unheld.md");
    let file = std::fs::read_to_string(path).expect("cases/unheld.md");
    let mut rows = BTreeMap::new();
    let mut here = false;
    for line in file.lines() {
        match (line.strip_prefix("## "), line.strip_prefix("- `")) {
            (Some(heading), _) => here = heading == name,
            (_, Some(rest)) if here => {
                let (row, reason) = rest.split_once("`: ").unwrap_or((rest, ""));
                assert!(!reason.is_empty(), "{name} {row} has no reason");
                rows.insert(row.to_string(), reason.to_string());
            }
            _ => {}
        }
    }
    rows
}
