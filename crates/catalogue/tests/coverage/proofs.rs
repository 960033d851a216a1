//! Finds the clauses that a test or a literate case proves.
//!
//! A test declares them in its documentation: `/// Proves 19:47-2.8(a), 19:47-2.23(f) "Six-deck, matching suit".` A
//! case is a heading of level two or three with its ids, a dash and a title, followed by a fenced round:
//! `## 19:47-2.8(a)1; 19:47-2.8(b) — Surrender against a seven`. Headings without a dash only structure the file.

use crate::source::{Token, after_brackets};

/// The claim of a test about its clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The test fails if the code breaks the clause.
    Proves,
    /// The test shows that register entries about the clause are kept. No test can show whether people honour it.
    Records,
}

/// A named test or case, and the ids that it claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub name: String,
    pub claim: Claim,
    pub ids: Vec<String>,
}

/// Returns the claims of the tests of a Rust file, or the error in a claim.
pub fn of_tests(tokens: &[Token]) -> Vec<Result<Proof, String>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut documentation = Vec::new();
        while let Some(Token::Doc(line)) = tokens.get(at) {
            documentation.push(line.as_str());
            at += 1;
        }
        let documentation = documentation.join(" ");
        for (word, claim) in [("Proves ", Claim::Proves), ("Records ", Claim::Records)] {
            // other sentences may start with `Records` too; a claim continues with a citation
            let is_claim = |list: &&str| {
                claim == Claim::Proves || list.starts_with("19:4") || list.starts_with("MA-BJS ")
            };
            let list = listed(&documentation, word).filter(is_claim);
            found.extend(list.map(|list| of_test(&tokens[at..], claim, list)));
        }
        if documentation.is_empty() {
            at += 1;
        }
    }
    found
}

/// Returns the text after `Proves ` or `Records ` at the start of a sentence.
fn listed<'a>(documentation: &'a str, word: &'a str) -> Option<&'a str> {
    documentation
        .match_indices(word)
        .find(|(at, _)| *at == 0 || documentation[..*at].ends_with(". "))
        .map(|(at, word)| &documentation[at + word.len()..])
}

fn of_test(after: &[Token], claim: Claim, list: &str) -> Result<Proof, String> {
    let ids = ids(list).ok_or_else(|| format!("`{claim:?} {list}` does not end in a full stop"))?;
    let mut at = 0;
    let mut is_test = false;
    while let [Token::Mark('#'), Token::Mark('['), ..] = &after[at..] {
        let end = after_brackets(after, at + 1);
        is_test |= after[at + 2..end].iter().any(|token| token.is_name("test"));
        at = end;
    }
    let name = after[at..].iter().skip_while(|token| !token.is_name("fn")).nth(1);
    match name {
        Some(Token::Name(name)) if is_test && claim == Claim::Proves && is_echo(body(&after[at..])) => {
            Err(format!(
                "`{name}` shows that entries of the register are kept, no more: it `Records` its clauses"
            ))
        }
        Some(Token::Name(name)) if is_test => Ok(Proof { name: name.clone(), claim, ids }),
        _ => Err(format!("`{claim:?} {list}` does not stand above a test")),
    }
}

/// Returns the tokens of a function's body, including the braces.
fn body(function: &[Token]) -> &[Token] {
    let open = function.iter().position(|token| *token == Token::Mark('{')).unwrap_or(function.len());
    &function[open..after_brackets(function, open)]
}

/// Returns whether a test only writes to the register and reads it back. Whatever the clause says, such a test passes
/// as long as entries are kept.
fn is_echo(body: &[Token]) -> bool {
    let asked =
        |path: &str| body.iter().any(|token| matches!(token, Token::Text(text) if text.starts_with(path)));
    let paths = body.iter().filter_map(|token| match token {
        Token::Text(text) if text.starts_with("/api/") => Some(text),
        _ => None,
    });
    let of_the_register = ["/api/register", "/api/notices"];
    asked("/api/register")
        && paths.into_iter().all(|path| of_the_register.iter().any(|own| path.starts_with(own)))
}

/// Parses ids separated by commas, up to the full stop. Commas and full stops inside quotes belong to the id.
fn ids(claim: &str) -> Option<Vec<String>> {
    let mut ids = vec![String::new()];
    let mut quoted = false;
    let mut letters = claim.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '.' if !quoted && letters.peek().is_none_or(|next| next.is_whitespace()) => {
                return Some(ids.iter().map(|id| id.trim().to_string()).collect());
            }
            ',' if !quoted => ids.push(String::new()),
            _ => {
                quoted ^= letter == '"';
                ids.last_mut()?.push(letter);
            }
        }
    }
    None
}

/// Returns the claims of the cases of a Markdown file, or the error in a claim.
pub fn of_cases(markdown: &str) -> Vec<Result<Proof, String>> {
    let mut found: Vec<(Proof, bool)> = Vec::new();
    let mut fenced = false;
    let mut in_case = false;
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            if let (true, Some((_, has_round))) = (in_case, found.last_mut()) {
                *has_round = true;
            }
        } else if !fenced && line.starts_with('#') {
            let case = heading(line);
            in_case = case.is_some();
            found.extend(case.map(|proof| (proof, false)));
        }
    }
    found
        .into_iter()
        .map(
            |(proof, has_round)| {
                if has_round { Ok(proof) } else { Err(format!("the case `{}` has no round", proof.name)) }
            },
        )
        .collect()
}

fn heading(line: &str) -> Option<Proof> {
    let text = line.strip_prefix("### ").or_else(|| line.strip_prefix("## "))?;
    let (ids, title) = text.split_once(" — ")?;
    Some(Proof {
        name: title.trim().to_string(),
        claim: Claim::Proves,
        ids: ids.split("; ").map(|id| id.trim().to_string()).collect(),
    })
}

#[test]
fn the_ids_above_a_test_are_read() {
    let source = r#"
        /// Aces. Proves 19:47-2.2(b)3.i, 19:47-2.23(f) "Six-deck, matching suit",
        /// MA-BJS 1 "Hard total". More words.
        #[test]
        fn aces_count() {}

        /// Proves nothing
        fn helper() {}

        /// A test without a claim.
        #[test]
        fn other() {}

        /// Records 19:47-2.5(k).
        #[test]
        fn kept() { house.post("/api/register", entry()); }
    "#;
    let found = of_tests(&crate::source::tokens(source));
    let ids = ["19:47-2.2(b)3.i", "19:47-2.23(f) \"Six-deck, matching suit\"", "MA-BJS 1 \"Hard total\""];
    assert_eq!(found.len(), 3);
    let claim = Claim::Proves;
    assert_eq!(found[0], Ok(Proof { name: "aces_count".into(), claim, ids: ids.map(String::from).to_vec() }));
    assert!(found[1].is_err());
    let (name, ids) = ("kept".into(), vec!["19:47-2.5(k)".into()]);
    assert_eq!(found[2], Ok(Proof { name, claim: Claim::Records, ids }));
}

/// A claim of a test that only echoes the register is rejected.
#[test]
fn an_echo_of_the_register_proves_nothing() {
    let of = |body: &str| {
        let source = format!("/// Proves 19:47-2.5(k).\n#[test]\nfn f() {{ {body} }}");
        of_tests(&crate::source::tokens(&source)).remove(0)
    };
    let echo = r#"house.post("/api/register", entry()); house.get("/api/register?limit=5");"#;
    assert!(of(echo).is_err());
    assert!(of(&format!(r#"{echo} house.post("/api/tables/1/actions", wager());"#)).is_ok());
    assert!(of("assert_eq!(1 + 1, 2);").is_ok());
}

#[test]
fn the_ids_above_a_case_are_read() {
    let markdown = "# Surrender\n## Offered\n## 19:47-2.8(a)1; 19:47-2.8(b) — Against a seven\ngist\n\
                    ```\n# a comment — in a round\n```\n\
                    ### 19:47-2.8(c) — Not offered\nno round\n";
    let found = of_cases(markdown);
    assert_eq!(found.len(), 2);
    let first = found[0].as_ref().unwrap();
    assert_eq!((first.name.as_str(), first.ids.len()), ("Against a seven", 2));
    assert_eq!(found[1], Err("the case `Not offered` has no round".into()));
}
