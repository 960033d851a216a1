//! Checks that the program prints what the README shows.

use crate::{TableFile, cutcard, status, stdout};

const README: &str = include_str!("../../../../README.md");

/// Returns the fenced block after a marker of the README.
fn after(mark: &str) -> &'static str {
    let (_, rest) = README.split_once(mark).expect("a mark of the README");
    let (_, rest) = rest.split_once("```\n").expect("a fence");
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_round_is_played_as_shown() {
    let file = TableFile::new("readme-round", after("<!-- round: the file -->"));
    let output = cutcard(&["replay", file.path()]);
    assert_eq!(status(&output), 0);
    assert_eq!(stdout(&output), after("<!-- round: what `cutcard replay` prints -->"));
}

#[test]
fn the_table_is_checked_as_shown() {
    let shown = after("## Is this table legal?");
    let (command, answer) = shown.split_once('\n').expect("a command and its answer");
    let arguments: Vec<&str> =
        command.strip_prefix("$ cutcard ").expect("a command of this program").split(' ').collect();
    let output = cutcard(&arguments);
    assert_eq!(status(&output), 1);
    assert_eq!(stdout(&output), answer);
}
