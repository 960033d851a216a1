//! Masks the parts of a text that differ between two runs of one seed for reasons other than a card.
//!
//! These parts are hashes, signatures and commitments, which hide their content; timestamps, which the scheduler
//! shifts by a few milliseconds; and random numbers that are drawn after such a shift.

/// The JSON keys whose values are masked, because they are durations or random.
const DIFFERENT: [&str; 6] = ["seconds", "deadline_ms", "command", "one_time_password", "secret", "url"];
/// The prefix of a guest's name, which a random number in hexadecimal follows.
const GUEST: &str = "guest-";

/// Masks all parts of a text that may differ for reasons other than a card.
pub fn masked(text: &str) -> String {
    let text = without_times(&without_values(text));
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    for letter in text.chars().chain(['\n']) {
        if letter.is_ascii_hexdigit() {
            run.push(letter);
            continue;
        }
        // numbers of people, and moments in milliseconds; the digits of a fraction stay
        let number =
            run.len() >= 12 && run.bytes().all(|digit| digit.is_ascii_digit()) && !out.ends_with('.');
        match run.len() >= 32 || number || out.ends_with(GUEST) {
            true => out.push('#'),
            false => out.push_str(&run),
        }
        run.clear();
        out.push(letter);
    }
    out
}

fn without_values(text: &str) -> String {
    DIFFERENT.iter().fold(text.to_owned(), |text, key| {
        let key = format!("\"{key}\":");
        let mut parts = text.split(key.as_str());
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |before, part| before + &key + after_value(part))
    })
}

/// Returns the part of a JSON text after the number or the string with which the text starts.
///
/// Returns a text that starts with anything else unchanged.
fn after_value(part: &str) -> &str {
    match part.strip_prefix('"') {
        Some(text) => text.split_once('"').map_or("", |(_, rest)| rest),
        None => part.trim_start_matches(|letter: char| letter.is_ascii_digit() || ".e-".contains(letter)),
    }
}

/// Returns a text in which times of day like `T08:00:00.252Z` are masked.
fn without_times(text: &str) -> String {
    let mut parts = text.split('T');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| match part.split_at_checked(TIME.len()) {
        Some((time, rest)) if is_time(time) => before + "T#" + rest,
        _ => before + "T" + part,
    })
}

const TIME: &str = "00:00:00.000Z";

fn is_time(text: &str) -> bool {
    let plain = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
    text.chars().map(plain).eq(TIME.chars())
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn cards_and_money_stay_while_hashes_and_times_go() {
        let shown = "{\"cards\":\"5c 5d Td\",\"amount\":\"1000.00\",\"edge\":0.123456789012345,\"seq\":81}\n";
        assert_eq!(masked(shown.trim_end()), shown);
        let hash = "ab".repeat(32);
        let one = format!(
            "{{\"hash\":\"{hash}\",\"at\":\"2027-01-15T08:00:00.252Z\",\"at_ms\":1800000000252,\
             \"name\":\"guest-1f2e3d\",\"command\":\"p01a1e36a086d-0e32\",\"seconds\":1.5e-3,\"url\":null}}"
        );
        let masks = "{\"hash\":\"#\",\"at\":\"2027-01-15T#\",\"at_ms\":#,\"name\":\"guest-#\",\"command\":,\
                     \"seconds\":,\"url\":null}\n";
        assert_eq!(masked(&one), masks);
    }
}
