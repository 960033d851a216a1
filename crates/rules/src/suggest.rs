//! Spelling suggestions: the known word nearest to a misspelled one, if it is close enough.

/// Returns the known word nearest to `word`, or `None` if every known word is too different.
///
/// At most a third of the letters may differ, but one letter always may.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |known: &'a str| (strsim::damerau_levenshtein(word, known), known);
    let (wrong, nearest) = known.into_iter().map(distance).min()?;
    let letters = word.chars().count().max(nearest.chars().count());
    (wrong <= (letters / 3).max(1)).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn only_what_is_near_is_offered() {
        let known = ["decks", "surrender", "nj-blackjack", "nj-switch"];
        for (word, meant) in [
            ("deks", Some("decks")),
            ("surender", Some("surrender")),
            ("nj-blackjak", Some("nj-blackjack")),
            ("ny-switch", Some("nj-switch")),
            ("table.toml", None),
            ("/dev/nothing", None),
            ("", None),
        ] {
            assert_eq!(closest(word, known), meant, "{word}");
        }
    }
}
