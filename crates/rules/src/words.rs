//! The rules of a table in plain words, generated from its choices and its text: every sentence with its clause.

use crate::choice::*;
use crate::clause::Clause;
use crate::layout::title;
use crate::play;
use crate::ruling::RULINGS;
use crate::text::Said;
use crate::wager;

/// A sentence about a table, what it is about, and the clause that it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// What the sentence is about: `wagers`, `insurance`, `decisions`.
    pub topic: &'static str,
    /// The sentence.
    pub text: String,
    /// The clause that the sentence states.
    pub by: Clause,
}

struct Words(Vec<Sentence>);

impl Words {
    fn say(&mut self, topic: &'static str, text: impl Into<String>, by: Clause) {
        self.0.push(Sentence { topic, text: text.into(), by });
    }

    fn said(&mut self, topic: &'static str, (text, by): Said) {
        self.say(topic, text, by);
    }

    fn say_if(&mut self, applies: bool, topic: &'static str, text: &str, by: Clause) {
        if applies {
            self.say(topic, text, by);
        }
    }
}

/// Returns all rules of a table in words, in the order in which a player meets them.
pub fn in_words(choices: &Choices) -> Vec<Sentence> {
    let mut words = Words(Vec::new());
    the_game(choices, &mut words);
    wagers(choices, &mut words);
    dealing(choices, &mut words);
    insurance(choices, &mut words);
    decisions(choices, &mut words);
    the_dealer(choices, &mut words);
    for &result in choices.text().results {
        words.said("results", result);
    }
    side_wagers(choices, &mut words);
    rulings(choices, &mut words);
    words.0
}

fn the_game(choices: &Choices, words: &mut Words) {
    let (text, decks) = (choices.text(), choices.decks);
    let plural = if decks == 1 { "" } else { "s" };
    words.say("game", format!("{} is played with {decks} deck{plural}.", text.title), text.cards.by);
    if let Some(removed) = text.cards.removed {
        words.said("game", removed.sentence);
    }
    if let Some(by) = text.shuffle.own.filter(|_| !choices.own_procedures.is_empty()) {
        let own: Vec<&str> = choices.own_procedures.iter().map(|own| own.word()).collect();
        let said =
            format!("The licensee's own procedures ({}) are approved: {}.", own.join(", "), choices.approval);
        words.say("game", said, by);
    }
    words.say_if(
        text.deal.face_down,
        "game",
        "The cards are dealt from the dealer's hand.",
        clause!("19:47-2.6A(a)"),
    );
}

fn wagers(choices: &Choices, words: &mut Words) {
    let text = choices.text();
    let limits = format!("from {} to {}", choices.minimum, choices.maximum);
    let required = match (text.wagers.hands, text.wagers.spots) {
        (2, _) => format!("You make two equal wagers {limits}, one for each of your two hands."),
        (_, 3) => {
            let count = if choices.multiple_action_required == 3 { "three" } else { "two or three" };
            format!("You make {count} wagers {limits}, each against a separate hand of the dealer.")
        }
        _ => format!("You make a wager {limits} before the first card."),
    };
    words.say("wagers", required, text.wagers.required);
    if let Some((unit, by)) = text.wagers.unit {
        words.say("wagers", format!("All wagers are multiples of {unit}."), by);
    }
    let amount = match choices.attack_amount {
        AttackAmount::UpTo => "up to",
        AttackAmount::Equal => "equal to",
    };
    for attack in text.wagers.attacks {
        let [offered, than] = attack.sentence;
        words.say("wagers", format!("{offered} {amount} {than}."), attack.by);
    }
    words.say(
        "wagers",
        format!("Every amount is a multiple of the chip of {}.", choices.chip),
        text.wagers.chips,
    );
    if choices.bettors_per_box > 1 {
        let shared = format!("Up to {} people may wager on one box.", choices.bettors_per_box);
        words.say("wagers", shared, text.sharing.by);
        if let Some(boxes) = choices.shared_boxes {
            words.say("wagers", format!("At most {boxes} boxes are shared at once."), text.sharing.limited);
        }
    }
}

fn dealing(choices: &Choices, words: &mut Words) {
    let deal = &choices.text().deal;
    match choices.hole_card {
        HoleCard::None => {
            words.say("dealing", "The dealer takes a second card after all players.", deal.second_card)
        }
        HoleCard::Down => {
            words.say("dealing", "The dealer's second card is dealt face down.", deal.hole_card)
        }
        HoleCard::Reader => {
            let under = deal.read_under;
            let text = format!("A reader checks the dealer's face-down card for blackjack under {under}.");
            words.say("dealing", text, deal.reader);
        }
        HoleCard::Up => words.say("dealing", "The dealer's second card is dealt face up.", deal.second_card),
    }
}

fn insurance(choices: &Choices, words: &mut Words) {
    let rule = &choices.text().insurance;
    words.said("insurance", rule.sentence);
    words.say_if(
        choices.even_money.is_yes(),
        "insurance",
        "A blackjack against an ace may be paid 1 to 1 at once instead.",
        rule.even_money,
    );
    words.say_if(
        choices.late_insurance.is_yes(),
        "insurance",
        "You may insure until your own decision.",
        clause!("19:47-2.9(b)#4"),
    );
}

fn decisions(choices: &Choices, words: &mut Words) {
    let text = choices.text();
    if let Some(switch) = text.switch {
        words.say(
            "decisions",
            "You may once exchange the second cards of your two hands, and take it back before another card is dealt.",
            switch.by,
        );
    }
    words.said("decisions", text.double.sentence);
    words.say_if(
        !choices.double_after_split.is_yes(),
        "decisions",
        "You may not double after a split.",
        text.double.not_after_split,
    );
    let split = format!("A pair may be split; one hand may become up to {}.", choices.split_hands);
    words.say("decisions", split, play::resplit_limit(choices));
    words.said("decisions", text.split.ace_sentence);
    let rule = &text.surrender;
    words.said("decisions", if choices.surrender.is_yes() { rule.if_offered } else { rule.if_not });
}

fn the_dealer(choices: &Choices, words: &mut Words) {
    let text = match choices.soft_17 {
        Soft17::Stand => "The dealer draws to 16 and stands on every 17.",
        Soft17::Hit => "The dealer draws to 16 and to a soft 17.",
    };
    words.say("dealer", text, play::dealer_draws_by(choices));
    let needless = choices.text().draw.needless;
    words.say("dealer", "The dealer draws no card that cannot change the outcome.", needless);
}

fn side_wagers(choices: &Choices, words: &mut Words) {
    for (&side, offer) in &choices.side_wagers {
        let (name, text) = (title(side), choices.text());
        let by = text.side(side).map_or((text.sides.refused)(side), |side| side.by);
        words.say(
            "side wagers",
            format!("{name}: a side wager from {} to {}.", offer.minimum, offer.maximum),
            by,
        );
        for line in wager::own::lines(choices, side) {
            words.say("side wagers", format!("{name}: {} pays {}.", line.hand, line.pays), line.by);
        }
    }
}

/// Readings that differ from the literal text are said aloud.
fn rulings(choices: &Choices, words: &mut Words) {
    for ruling in RULINGS {
        let word = choices.rulings.word(ruling.key).unwrap_or_default();
        if word != ruling.readings[0] {
            let by = choices.text().ruling_by(ruling.key, ruling.by);
            words.say("rulings", format!("House ruling on {}: {word}.", ruling.about), by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{PRESETS, preset};

    #[test]
    fn every_preset_is_told_in_the_words_of_its_own_text() {
        for (name, _) in PRESETS {
            let choices = preset(name).unwrap();
            let sentences = in_words(&choices);
            assert!(sentences.len() >= 10, "{name}");
            let foreign = sentences.iter().find(|sentence| {
                let id = sentence.by.id();
                !id.starts_with(match choices.text.name {
                    "nj-blackjack" => "19:47-2.",
                    "nj-switch" => "19:47-2A.",
                    "ma-switch" => "MA-BJS",
                    "nj-double-attack" => "19:47-26.",
                    _ => "19:47-36.",
                })
            });
            assert_eq!(foreign, None, "{name}");
        }
    }

    #[test]
    fn a_changed_option_changes_the_words() {
        let mut choices = preset("nj-blackjack").unwrap();
        let before = in_words(&choices);
        crate::file::set(&mut choices, "surrender=true").unwrap();
        let after = in_words(&choices);
        assert_ne!(before, after);
        assert!(after.iter().any(|sentence| sentence.by.id() == "19:47-2.8(a)"));
    }
}
