//! Everything a table says to its players, line by line: its rules in words, the inscriptions on the felt, its betting
//! areas, its signs, warnings to the licensee, and what is illegal. A fenced `words` block has the line `table …` and
//! then all of it, or, after a line `only TOPIC`, one topic.

use rules::{Choices, lawful, layout, words};

pub fn sentences(choices: &Choices, only: Option<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say =
        |topic: &str, text: &str, by: rules::Clause| lines.push(format!("{topic} | {text} | {}", by.id()));
    for sentence in words::in_words(choices) {
        say(sentence.topic, &sentence.text.text, sentence.by);
    }
    for felt in layout::inscriptions(choices) {
        say("felt", &felt.text.text, felt.by);
    }
    for area in layout::areas(choices) {
        say("area", area.name, area.by);
    }
    for sign in layout::signs(choices) {
        say("sign", &sign.text.text, sign.by);
    }
    for wager in choices.side_wagers.keys() {
        for (hand, pays, by) in layout::posted_odds(choices, *wager) {
            say("posted", &format!("{}: {hand} {pays}", layout::title(*wager)), by);
        }
    }
    if let Some(by) = choices.text().licensee {
        say("felt", "the name of the licensee", by);
    }
    let report = lawful::check(choices);
    for warning in report.warnings {
        say("warning", &warning.message, warning.clause);
    }
    for violation in report.violations {
        say("unlawful", &violation.message, violation.clause);
    }
    lines.retain(|line| only.is_none_or(|topic| line.starts_with(&format!("{topic} | "))));
    lines
}
