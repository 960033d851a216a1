//! Finds the clauses that a source file cites with `clause!("…")`, including ids that a macro of the repository builds.

use crate::source::{Token, after_brackets};
use std::collections::{BTreeMap, BTreeSet};

/// A part of an id that a macro builds.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    /// A parameter of the macro.
    Hole,
}

/// An argument of `clause!` inside a macro, in parts.
type Pattern = Vec<Part>;

/// The macros of the repository that cite clauses, by name, with the ids that they build.
#[derive(Default)]
pub struct Macros(BTreeMap<String, Vec<Pattern>>);

impl Macros {
    /// Adds the macros that this file defines.
    pub fn read(&mut self, tokens: &[Token]) {
        for at in 0..tokens.len() {
            let [head, Token::Mark('!'), Token::Name(name), Token::Mark('{' | '(' | '['), ..] = &tokens[at..]
            else {
                continue;
            };
            if head.is_name("macro_rules") {
                let body = &tokens[at + 3..after_brackets(tokens, at + 3)];
                let made = arguments(body).into_iter().filter(|p| p.contains(&Part::Hole));
                self.0.entry(name.clone()).or_default().extend(made);
            }
        }
    }

    /// Returns the ids that calls of these macros in this file can build, and for which `known` is true.
    fn made(&self, tokens: &[Token], known: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
        let mut ids = BTreeSet::new();
        for at in 0..tokens.len() {
            let [Token::Name(name), Token::Mark('!'), Token::Mark('{' | '(' | '['), ..] = &tokens[at..]
            else {
                continue;
            };
            let Some(patterns) = self.0.get(name) else {
                continue;
            };
            let given: BTreeSet<&str> = tokens[at + 2..after_brackets(tokens, at + 2)]
                .iter()
                .filter_map(|token| match token {
                    Token::Text(text) => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            for pattern in patterns {
                fill(pattern, &given, String::new(), &mut |id| {
                    if known(&id) {
                        ids.insert(id);
                    }
                });
            }
        }
        ids
    }
}

/// Calls `found` with every text that results from putting these words into the holes of the pattern.
fn fill(pattern: &[Part], words: &BTreeSet<&str>, so_far: String, found: &mut dyn FnMut(String)) {
    match pattern {
        [] => found(so_far),
        [Part::Text(text), rest @ ..] => fill(rest, words, so_far + text, found),
        [Part::Hole, rest @ ..] => {
            for word in words {
                fill(rest, words, format!("{so_far}{word}"), found);
            }
        }
    }
}

/// Returns every argument of `clause!` in these tokens.
fn arguments(tokens: &[Token]) -> Vec<Pattern> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if let [clause, Token::Mark('!'), Token::Mark('('), ..] = &tokens[at..]
            && clause.is_name("clause")
        {
            let inside = &tokens[at + 3..after_brackets(tokens, at + 2) - 1];
            found.push(pattern(inside));
        }
    }
    found
}

/// Splits `"…"`, `$id` or `concat!("…", $part, "…")` into parts.
fn pattern(argument: &[Token]) -> Pattern {
    let mut parts = Vec::new();
    let mut tokens = argument.iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Text(text) => parts.push(Part::Text(text.clone())),
            Token::Mark('$') => {
                tokens.next();
                parts.push(Part::Hole);
            }
            _ => {}
        }
    }
    parts
}

/// Returns the ids that a file cites. The caller has removed its tests.
pub fn cited(tokens: &[Token], macros: &Macros, known: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
    let mut ids = macros.made(tokens, known);
    for parts in arguments(tokens) {
        let text: Option<String> = parts
            .into_iter()
            .map(|part| match part {
                Part::Text(text) => Some(text),
                Part::Hole => None,
            })
            .collect();
        ids.extend(text.filter(|id| known(id)));
    }
    ids
}

#[test]
fn plain_and_composed_citations_are_found() {
    let source = r#"
        macro_rules! rows {
            ($item:literal, $($name:literal),+) => { [$(clause!(concat!("2.", $item, " ", $name))),+] };
        }
        macro_rules! one { ($id:literal) => { clause!($id) }; }
        const A: [Clause; 2] = rows!("i", "x", "y");
        fn f() -> Clause { one!("9.9"); clause!("1.1") }
    "#;
    let tokens = crate::source::tokens(source);
    let mut macros = Macros::default();
    macros.read(&tokens);
    let catalogue = ["1.1", "2.i x", "2.i y", "2.ii x", "9.9"];
    let found = cited(&tokens, &macros, &|id| catalogue.contains(&id));
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["1.1", "2.i x", "2.i y", "9.9"]);
}
