//! Tokenizes just enough Rust to find citations and tests in a source file: strings, doc comments, names and marks.

/// One token of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A string literal, unescaped.
    Text(String),
    /// One line of a `///` comment.
    Doc(String),
    Name(String),
    Mark(char),
}

impl Token {
    pub fn is_name(&self, name: &str) -> bool {
        matches!(self, Token::Name(found) if found == name)
    }
}

/// Returns the tokens of a file, without ordinary comments, lifetimes and character literals.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        rest = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            if rest.starts_with("///") && !rest.starts_with("////") {
                found.push(Token::Doc(rest[3..end].trim().to_string()));
            }
            &rest[end..]
        } else if rest.starts_with("/*") {
            after_block_comment(rest)
        } else if let Some((text, after)) = raw_string(rest) {
            found.push(Token::Text(text));
            after
        } else if next == '"' {
            let (text, after) = string(&rest[1..]);
            found.push(Token::Text(text));
            after
        } else if next == '\'' {
            after_quote(rest)
        } else if next.is_alphanumeric() || next == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            found.push(Token::Name(rest[..end].to_string()));
            &rest[end..]
        } else {
            if !next.is_whitespace() {
                found.push(Token::Mark(next));
            }
            &rest[next.len_utf8()..]
        };
    }
    found
}

fn after_block_comment(rest: &str) -> &str {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    &rest[at..]
}

/// Parses `r"…"` or `r#"…"#`, and returns the text and the rest.
fn raw_string(rest: &str) -> Option<(String, &str)> {
    let after_r = rest.strip_prefix('r')?;
    let inside = after_r.trim_start_matches('#');
    let hashes = &after_r[..after_r.len() - inside.len()];
    let inside = inside.strip_prefix('"')?;
    let close = format!("\"{hashes}");
    let end = inside.find(&close)?;
    Some((inside[..end].to_string(), &inside[end + close.len()..]))
}

/// Parses the string after its opening quote, and returns the text and the rest.
fn string(rest: &str) -> (String, &str) {
    let mut text = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (text, &rest[at + 1..]),
            '\\' => match letters.next() {
                // a line continuation
                Some((_, '\n')) => {
                    let after = letters.as_str().trim_start();
                    let skip = letters.as_str().len() - after.len();
                    if skip > 0 {
                        letters.nth(letters.as_str()[..skip].chars().count() - 1);
                    }
                }
                Some((_, 'n')) => text.push('\n'),
                Some((_, escaped)) => text.push(escaped),
                None => break,
            },
            _ => text.push(letter),
        }
    }
    (text, "")
}

/// Returns the rest after a character literal, or after the quote of a lifetime.
fn after_quote(rest: &str) -> &str {
    let mut letters = rest[1..].chars();
    match (letters.next(), letters.next()) {
        (Some('\\'), Some(escaped)) => {
            let from = 2 + escaped.len_utf8();
            rest[from..].find('\'').map_or("", |at| &rest[from + at + 1..])
        }
        (Some(letter), Some('\'')) => &rest[letter.len_utf8() + 2..],
        _ => &rest[1..],
    }
}

/// Returns the index after the bracket that closes the one at `open`.
pub fn after_brackets(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Returns the tokens without the items under `#[cfg(test)]`.
pub fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_cfg_test(&tokens[at..]) {
            at = after_item(tokens, after_brackets(tokens, at + 1));
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

fn is_cfg_test(tokens: &[Token]) -> bool {
    use Token::Mark;
    match tokens {
        [Mark('#'), Mark('['), cfg, Mark('('), test, Mark(')'), ..] => {
            cfg.is_name("cfg") && test.is_name("test")
        }
        _ => false,
    }
}

/// Returns the index after the item that starts here: after its braces or its semicolon.
fn after_item(tokens: &[Token], mut at: usize) -> usize {
    while at < tokens.len() {
        match tokens[at] {
            Token::Mark('{') => return after_brackets(tokens, at),
            Token::Mark('(' | '[') => at = after_brackets(tokens, at),
            Token::Mark(';') => return at + 1,
            _ => at += 1,
        }
    }
    at
}

#[test]
fn strings_comments_and_lifetimes_are_told_apart() {
    let source = r##"/// a doc
        // not "this"
        fn f<'a>(x: &'a str) -> char { g("q\"t", r#"raw "x""#, 'c', '\'', '"') } /* "no" /* nor */ "this" */ "end""##;
    let texts: Vec<Token> =
        tokens(source).into_iter().filter(|token| matches!(token, Token::Text(_) | Token::Doc(_))).collect();
    let text = |t: &str| Token::Text(t.to_string());
    assert_eq!(texts, [Token::Doc("a doc".into()), text("q\"t"), text("raw \"x\""), text("end")]);
}

#[test]
fn items_under_cfg_test_are_left_out() {
    let all = tokens("fn a() {} #[cfg(test)] mod tests { fn b() { c(); } } #[cfg(test)] use d; fn e() {}");
    let names: Vec<String> = without_tests(&all)
        .into_iter()
        .filter_map(|token| match token {
            Token::Name(name) => Some(name),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["fn", "a", "fn", "e"]);
}
