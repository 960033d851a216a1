//! The preset tables: one lawful table for each game, variation and jurisdiction, and for the dealing procedures that
//! people ask for by name. A key left out of a table file takes its value from here.

use crate::choice::*;
use crate::text::{TEXTS, nj_blackjack};

/// Lists the presets by name, each with a description.
pub const PRESETS: [(&str, &str); 9] = [
    ("nj-blackjack", "New Jersey blackjack, eight decks, no hole card"),
    ("nj-blackjack-reader", "New Jersey blackjack, hole card down and read by a card reader device"),
    ("nj-blackjack-face-up", "New Jersey blackjack, hole card dealt face up"),
    ("nj-six-to-five", "the 6 to 5 variation, two decks dealt from the hand"),
    ("nj-multiple-action", "multiple action: up to three dealer hands from one up card"),
    ("nj-switch", "Blackjack Switch under New Jersey's temporary rules"),
    ("ma-switch", "Blackjack Switch under the rules of Massachusetts"),
    ("nj-double-attack", "Double Attack Blackjack"),
    ("nj-triple-attack", "Triple Attack Blackjack"),
];

/// Returns the preset with this name.
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

/// Returns the preset that supplies what a table file of this text, variation and jurisdiction leaves out.
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
