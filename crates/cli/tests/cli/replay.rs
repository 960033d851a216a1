//! `cutcard replay`.

use crate::{TableFile, cutcard, document, status, stderr};

#[test]
fn a_table_file_may_lie_beside_the_round_file() {
    let table = TableFile::new("beside-the-round", "name = \"Table 12\"\ndecks = 6\nsurrender = true\n");
    let round = "\u{feff}table beside-the-round.toml\r\ncards Tc 7d 6h Ks\r\nbet 1 ann 10\r\n1 surrender\r\n";
    let file = TableFile::new("round-beside", round);
    let output = cutcard(&["replay", file.path(), "--json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(document(&output)["rounds"][0]["net"]["ann"], "-5.00");
    drop(table);
    assert_eq!(status(&cutcard(&["replay", file.path(), "--json"])), 2);
}

#[test]
fn a_refused_line_is_told_whole() {
    let file = TableFile::new(
        "round-refused",
        "table nj-blackjack\ncards Tc 7d 6h Ks\nbet 1 ann 10\n1 surrender # no\n",
    );
    let output = cutcard(&["replay", file.path(), "--json"]);
    assert_eq!(status(&output), 1);
    let refused = &document(&output)["refused"];
    assert_eq!((&refused["line"], &refused["text"]), (&4.into(), &"1 surrender".into()));
    assert_eq!(refused["clause"], "19:47-2.8(c)");
    assert!(refused["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
}

#[test]
fn a_line_that_is_not_understood_is_status_2() {
    let file =
        TableFile::new("round-error", "table nj-blackjack\ncards Tc 7d 6h Ks\nbet 1 ann 10\n1 stand now\n");
    let output = cutcard(&["replay", file.path(), "--json"]);
    assert_eq!(status(&output), 2);
    assert!(
        document(&output)["error"]
            .as_str()
            .is_some_and(|why| why.contains("line 4") && why.contains("`now`"))
    );
}

#[test]
fn a_fault_of_the_table_line_is_named_by_file_and_line() {
    for (table, message) in [
        ("nj-switch deck=8", "unknown key `deck`"),
        ("nj-swich", "no preset or file is named `nj-swich`"),
        ("nj-blackjack minimum=abc", "minimum: invalid amount `abc`"),
    ] {
        let file = TableFile::new("round-table-line", format!("# a table\ntable {table}\nbet 1 ann 10\n"));
        let output = cutcard(&["replay", file.path()]);
        assert_eq!(status(&output), 2);
        let expected = format!("{}: line 2: {message}", file.path());
        assert!(stderr(&output).contains(&expected), "{} lacks {expected}", stderr(&output));
    }
}
