//! Detects passwords that attackers guess first.
//!
//! Such passwords are common words and names, keyboard rows and number sequences, repetitions, and the person's
//! own name, also with common letter substitutions and surrounding digits.

/// The cores of the most guessed passwords, without surrounding digits and signs.
const WORDS: &[&str] = &[
    "abc",
    "account",
    "admin",
    "administrator",
    "adobe",
    "alexander",
    "amanda",
    "america",
    "andrea",
    "andrew",
    "angel",
    "angela",
    "anthony",
    "apple",
    "arsenal",
    "ashley",
    "asshole",
    "august",
    "austin",
    "autumn",
    "badboy",
    "banana",
    "barcelona",
    "baseball",
    "basketball",
    "batman",
    "bigdaddy",
    "blackjack",
    "blink",
    "bailey",
    "brandon",
    "brandy",
    "buster",
    "butterfly",
    "cameron",
    "casino",
    "charlie",
    "charlotte",
    "cheese",
    "chelsea",
    "chester",
    "chicago",
    "chicken",
    "chocolate",
    "chris",
    "christian",
    "christopher",
    "computer",
    "cookie",
    "corvette",
    "cowboys",
    "cutcard",
    "crystal",
    "dallas",
    "daniel",
    "danielle",
    "david",
    "dealer",
    "december",
    "default",
    "diamond",
    "donald",
    "dragon",
    "eagles",
    "elizabeth",
    "family",
    "ferrari",
    "fishing",
    "flower",
    "football",
    "forever",
    "freedom",
    "friday",
    "friends",
    "fuckyou",
    "gambling",
    "gateway",
    "george",
    "ginger",
    "golfer",
    "google",
    "guest",
    "hammer",
    "hannah",
    "harley",
    "hello",
    "hellokitty",
    "hockey",
    "house",
    "hunter",
    "iceman",
    "iloveyou",
    "internet",
    "jackson",
    "january",
    "jasmine",
    "jennifer",
    "jessica",
    "jesus",
    "jordan",
    "joseph",
    "joshua",
    "justin",
    "killer",
    "lakers",
    "letmein",
    "liverpool",
    "login",
    "london",
    "lovely",
    "loveme",
    "maggie",
    "manager",
    "marina",
    "martin",
    "master",
    "matrix",
    "matthew",
    "maverick",
    "mercedes",
    "merlin",
    "michael",
    "michelle",
    "mickey",
    "midnight",
    "money",
    "monkey",
    "monster",
    "morgan",
    "mother",
    "mustang",
    "myspace",
    "naruto",
    "nicholas",
    "nicole",
    "ninja",
    "november",
    "october",
    "oliver",
    "orange",
    "pass",
    "passphrase",
    "passw",
    "passwd",
    "password",
    "patrick",
    "peanut",
    "pepper",
    "phoenix",
    "player",
    "pokemon",
    "pretty",
    "princess",
    "purple",
    "qazwsx",
    "qwert",
    "qwerty",
    "qwertyuiop",
    "rabbit",
    "rachel",
    "ranger",
    "richard",
    "robert",
    "root",
    "samantha",
    "samsung",
    "scooter",
    "secret",
    "september",
    "shadow",
    "silver",
    "smokey",
    "soccer",
    "spider",
    "spiderman",
    "spring",
    "starwars",
    "steelers",
    "summer",
    "sunday",
    "sunshine",
    "superman",
    "superstar",
    "supervisor",
    "taylor",
    "test",
    "tester",
    "testing",
    "thomas",
    "thunder",
    "tigger",
    "tiger",
    "tinkerbell",
    "trustno",
    "unknown",
    "user",
    "victoria",
    "victory",
    "welcome",
    "whatever",
    "william",
    "winner",
    "winter",
    "wizard",
    "yankees",
    "yellow",
    "zxcvb",
    "zxcvbn",
    "zxcvbnm",
];

/// Rows of adjacent keys and other common sequences, which are matched in either direction.
const ROWS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "1qaz2wsx3edc4rfv5tgb",
];

/// Returns whether `password` is easy to guess for somebody who knows the person's name.
pub fn is_common(password: &str, name: &str) -> bool {
    let lower = password.to_lowercase();
    let sign = |c: char| !c.is_alphabetic();
    let core = |text: &str| text.trim_matches(sign).to_owned();
    let plain = unexchanged(lower.trim_end_matches(sign));
    let name = name.to_lowercase();
    let named =
        name.len() >= 3 && (core(&plain) == core(&name) || core(&lower) == core(&name) || lower == name);
    named
        || repeats(&lower)
        || in_a_row(&lower)
        || [core(&lower), core(&plain), unexchanged(&core(&lower))].iter().any(|core| is_word(core))
}

/// Returns whether `core` is one common word, or the same word repeated.
fn is_word(core: &str) -> bool {
    WORDS.iter().any(|word| {
        core == *word
            || (core.len().is_multiple_of(word.len()) && core == word.repeat(core.len() / word.len()))
    }) && !core.is_empty()
}

/// Returns the text with signs that commonly stand for letters replaced by those letters.
fn unexchanged(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '0' => 'o',
            '1' | '!' | '|' => 'i',
            '3' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' => 't',
            other => other,
        })
        .collect()
}

/// Returns whether the text only repeats a sequence of at most four characters.
fn repeats(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    (1..=4).any(|piece| letters.iter().zip(letters.iter().skip(piece)).all(|(a, b)| a == b))
}

/// Returns whether the text consists mostly of sequences in `ROWS`.
fn in_a_row(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let beside = |a: char, b: char| {
        ROWS.iter().any(|row| {
            let pair: String = [a, b].iter().collect();
            let back: String = [b, a].iter().collect();
            row.contains(&pair) || row.contains(&back)
        })
    };
    let steps = letters.windows(2).filter(|pair| beside(pair[0], pair[1])).count();
    // At least three of four steps, as in runs of four keys.
    letters.len() >= 2 && steps * 4 >= (letters.len() - 1) * 3
}

#[cfg(test)]
mod tests {
    use super::is_common;

    #[test]
    fn what_everybody_tries_first_is_refused() {
        for password in [
            "password",
            "Password1",
            "P@ssw0rd!",
            "12345678",
            "123456789",
            "87654321",
            "qwertyuiop",
            "qwerty123",
            "11111111",
            "abcabcabc",
            "iloveyou",
            "Welcome2026",
            "letmein!",
            "1qaz2wsx",
            "abcd1234",
            "blackjack21",
            "supervisor",
            "annabelle1",
            "Annabelle",
            "asdfghjkl",
            "monkeymonkey",
            "00000000",
            "casino2026!",
        ] {
            assert!(is_common(password, "annabelle"), "{password}");
        }
    }

    #[test]
    fn what_nobody_guesses_is_taken() {
        for password in [
            "correct horse",
            "battery staple",
            "a password of my own",
            "xkcd-9f2!",
            "blue pelican 7",
            "tr0ub4dor&3",
            "my dog ate 4 shoes",
            "5Zq!pw82",
            "monkey wrench",
            "guess number 7",
        ] {
            assert!(!is_common(password, "annabelle"), "{password}");
        }
    }
}
