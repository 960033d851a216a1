//! The presets: complete legal tables, from which a table file takes the keys that it omits.
//!
//! Each game, variation and jurisdiction has a preset; some commonly requested dealing procedures have their own.

use crate::choice::*;
use crate::text::{TEXTS, nj_blackjack};

/// The name and the description of each preset.
pub const PRESETS: [(&str, &str); 9] = [
    ("nj-blackjack", "New Jersey blackjack, eight decks, no hole card"),
    ("nj-blackjack-reader", "New Jersey blackjack, hole card down and read by a card reader device"),
    ("nj-blackjack-face-up", "New Jersey blackjack, hole card dealt face up"),
    ("nj-six-to-five", "6 to 5 variation, two decks dealt from the hand"),
    ("nj-multiple-action", "multiple action: up to three dealer hands from one upcard"),
    ("nj-switch", "Blackjack Switch under New Jersey's temporary rules"),
    ("ma-switch", "Blackjack Switch under the rules of Massachusetts"),
    ("nj-double-attack", "Double Attack Blackjack"),
    ("nj-triple-attack", "Triple Attack Blackjack"),
];

/// Returns the preset with this name, or `None` if no preset has the name.
pub fn preset(name: &str) -> Option<Choices> {
    let varied = |variation| base(&Choices { variation, ..nj_blackjack::preset() });
    let choices = match name {
        "nj-blackjack-reader" => Choices { hole_card: HoleCard::Reader, ..nj_blackjack::preset() },
        "nj-blackjack-face-up" => base(&Choices { hole_card: HoleCard::Up, ..nj_blackjack::preset() }),
        "nj-six-to-five" => varied(Variation::SixToFive),
        "nj-multiple-action" => varied(Variation::MultipleAction),
        other => (TEXTS.iter().find(|text| text.name == other)?.preset)(),
    };
    Some(Choices { name: name.to_string(), ..choices })
}

/// Returns the default choices for the regulation, variation and jurisdiction of `start`.
///
/// A table file with the same game, variation and jurisdiction takes the keys that it omits from these choices.
pub fn base(start: &Choices) -> Choices {
    let Choices { text, variation, jurisdiction, .. } = *start;
    Choices { text, variation, jurisdiction, ..(start.text().preset)() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lawful::Rules;

    #[test]
    fn every_preset_is_lawful() {
        for (name, _) in PRESETS {
            let choices = preset(name).unwrap();
            assert_eq!(choices.name, name);
            if let Err(report) = Rules::new(choices) {
                panic!("{name}: {:?}", report.violations);
            }
        }
    }
}
