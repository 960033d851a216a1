//! Checks whether a proof names its clause in an expectation: the citation of a refusal, a step or a settlement. Many
//! clauses are proven without that: a definition by its consequences, an order by the steps before and after. But if an
//! expectation names the clause, the proof fails as soon as the program no longer cites it there.

use crate::source::{Token, after_brackets};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the strings of each function of a Rust file, together with those of the constants and functions of the file
/// that it uses.
pub fn by_tests(tokens: &[Token]) -> BTreeMap<String, String> {
    let items = items(tokens);
    let told = |name: &str| items.get(name).map(|item| item.texts.as_str()).unwrap_or_default();
    items
        .iter()
        .map(|(name, item)| {
            let used = item.names.iter().filter(|used| *used != name).map(|used| told(used));
            (name.clone(), std::iter::once(item.texts.as_str()).chain(used).collect::<Vec<_>>().join("\n"))
        })
        .collect()
}

#[derive(Default)]
struct Item {
    texts: String,
    names: BTreeSet<String>,
}

fn items(tokens: &[Token]) -> BTreeMap<String, Item> {
    let mut found: BTreeMap<String, Item> = BTreeMap::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [Token::Name(kind), Token::Name(name)] = pair else { continue };
        let end = match kind.as_str() {
            "fn" => body_end(tokens, at),
            "const" | "static" => constant_end(tokens, at),
            _ => continue,
        };
        let item = found.entry(name.clone()).or_default();
        for token in &tokens[at + 2..end] {
            match token {
                Token::Text(text) => item.texts.extend([text, "\n"]),
                Token::Name(name) => drop(item.names.insert(name.clone())),
                _ => {}
            }
        }
    }
    found
}

fn body_end(tokens: &[Token], at: usize) -> usize {
    let open = tokens[at..].iter().position(|token| *token == Token::Mark('{'));
    open.map_or(tokens.len(), |open| after_brackets(tokens, at + open))
}

fn constant_end(tokens: &[Token], mut at: usize) -> usize {
    while at < tokens.len() && tokens[at] != Token::Mark(';') {
        let opens = matches!(tokens[at], Token::Mark('(' | '[' | '{'));
        at = if opens { after_brackets(tokens, at) } else { at + 1 };
    }
    at
}

/// Returns the fenced lines of each case of a Markdown file, by title.
pub fn by_cases(markdown: &str) -> BTreeMap<String, String> {
    let (mut found, mut title, mut fenced): (BTreeMap<String, String>, String, bool) = Default::default();
    for line in markdown.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            found.entry(title.clone()).or_default().extend([line, "\n"]);
        } else if line.starts_with('#') {
            title = line.split_once(" — ").map(|(_, title)| title.trim().to_string()).unwrap_or_default();
        }
    }
    found
}

/// Returns whether the text contains this id, and not only one that starts with it.
pub fn names(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(at, _)| {
        let mut behind = text[at + id.len()..].chars();
        match behind.next() {
            Some('.') => behind.next().is_none_or(|next| !next.is_alphanumeric()),
            Some(next) => !next.is_alphanumeric() && !"(#".contains(next) && !is_quoted(text, at + id.len()),
            None => true,
        }
    })
}

/// Returns whether a quoted part follows: `19:47-2.1 "Soft Total"` is a different row from `19:47-2.1`.
fn is_quoted(text: &str, at: usize) -> bool {
    text[at..].starts_with(" \"")
}

#[test]
fn an_id_is_told_from_those_that_begin_with_it() {
    assert!(names("=> refused 19:47-2.5(k)\n", "19:47-2.5(k)"));
    assert!(names("by 19:47-2.5(k).", "19:47-2.5(k)"));
    for other in
        ["19:47-2.5(k)2", "19:47-2.5(k)#2", "19:47-2.5(k)(2)", "19:47-2.5(k).i", "19:47-2.5(k) \"A\""]
    {
        assert!(!names(other, "19:47-2.5(k)"), "{other}");
    }
}

#[test]
fn a_test_tells_what_its_constants_say() {
    let source = r#"
        const ROWS: [&str; 1] = ["19:47-2.3(d)"];
        fn helper() { "helped"; }
        #[test]
        fn proves() { helper(); for row in ROWS { assert_eq!(row, "x"); } }
    "#;
    let told = by_tests(&crate::source::tokens(source));
    assert!(["19:47-2.3(d)", "helped", "x"].iter().all(|text| told["proves"].contains(text)));
    let cases = by_cases("## 19:47-2.3(d) — Title\n\n```round\n=> refused 19:47-2.3(d)\n```\nwords\n");
    assert_eq!(cases["Title"], "=> refused 19:47-2.3(d)\n");
}
