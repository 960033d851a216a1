//! Runs the literate cases: every fenced `round` block of `cases/**/*.md`, with the expected results as `=>` lines.
//!
//! With UPDATE_CASES=1 the expectations are rewritten from the program's results; the diff is reviewed like code.
//! `cases/README.md` describes the forms of expectations.

mod block;
mod changes;
mod form;
mod odds;
mod own_text;
mod rows;
mod sentences;
mod snapshot;
mod written;

use block::{Block, actual, blocks, run};
use libtest_mimic::{Arguments, Trial};
use snapshot::Named;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn main() -> std::process::ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    if std::env::var_os("UPDATE_CASES").is_some() {
        files.iter().for_each(|path| rewrite(path));
    }
    let mut trials = Vec::new();
    let mut words = Words::default();
    let (mut all, mut named) = (Vec::new(), Vec::new());
    for path in &files {
        let text = fs::read_to_string(path).unwrap_or_default();
        let file = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        for block in blocks(&text) {
            let name = format!("{file}:{} {}", block.first_line, block.heading);
            words.add(&name, &block);
            all.push(block.clone());
            named.push(Named { file: file.clone(), block: block.clone() });
            trials.push(Trial::test(name, move || match run(&block) {
                found if found.is_empty() => Ok(()),
                found => Err(found.join("\n").into()),
            }));
        }
    }
    let (all, snapshot) = (Arc::new(all), root.join("snapshot"));
    if std::env::var_os("UPDATE_CASES").is_some() {
        snapshot::rewrite(&snapshot, &named);
    }
    trials.push(Trial::test("every case does what it did", move || {
        let changed = snapshot::changed(&snapshot, &named);
        match changed.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "If this is what the law says, write it with UPDATE_CASES=1 and review the diff of cases/snapshot:\n{}",
                changed.join("\n")
            )
            .into()),
        }
    }));
    trials.extend(rows::trials(&all));
    let cases = Arc::clone(&all);
    trials.push(Trial::test("every table cites its own text", move || {
        let foreign = own_text::foreign(&cases);
        if foreign.is_empty() { Ok(()) } else { Err(foreign.join("\n").into()) }
    }));
    trials.push(Trial::test("every case is played again as it is written", move || {
        let changed = written::changed(&all);
        if changed.is_empty() { Ok(()) } else { Err(changed.join("\n").into()) }
    }));
    for text in rules::text::TEXTS {
        trials.push(Trial::test(format!("the pay tables of {} pay what its clauses say", text.name), || {
            if !form::holds(text) {
                return Err("at_22 or most_cards is not what its comparison does".into());
            }
            let wrong = odds::disagreements(text.sides.rows);
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
        }));
    }
    trials.push(Trial::test("every `no-step` has the words of a step", move || words.judge()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The steps that the cases expect, and those that they expect not to happen. An unwanted step whose words no case ever
/// produces would prove nothing.
#[derive(Default)]
struct Words {
    steps: Vec<String>,
    unwanted: Vec<(String, String)>,
}

impl Words {
    fn add(&mut self, case: &str, block: &Block) {
        let with = |form: &'static str| block.lines.iter().filter_map(move |line| line.strip_prefix(form));
        self.steps.extend(with("=> step ").map(|step| step.trim().to_string()));
        self.unwanted.extend(with("=> no-step ").map(|words| (case.to_string(), words.trim().to_string())));
    }

    fn judge(&self) -> Result<(), libtest_mimic::Failed> {
        let unknown = |words: &String| !self.steps.iter().any(|step| step.starts_with(words));
        let faults: Vec<String> = self
            .unwanted
            .iter()
            .filter(|(_, words)| unknown(words))
            .map(|(case, words)| format!("{case}: no case has a step that begins with `{words}`"))
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
    }
}

/// Rewrites the expectations of a file.
fn rewrite(path: &Path) {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut rewritten = text.clone();
    for block in blocks(&text).iter().filter(|block| !run(block).is_empty()) {
        let fenced = |lines: &[String]| lines.join("\n") + "\n```";
        rewritten = rewritten.replace(&fenced(&block.lines), &fenced(&actual(block)));
    }
    if rewritten != text {
        fs::write(path, rewritten).expect("cases can be rewritten");
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "md")
            && path.file_name().is_some_and(|n| n != "README.md")
        {
            files.push(path);
        }
    }
}
