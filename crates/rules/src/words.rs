//! The rules of a table in plain words, generated from its choices and its regulation; each sentence names its
//! clause.

use crate::choice::*;
use crate::clause::Clause;
use crate::layout::title;
use crate::message::{Fixed, Message};
use crate::play;
use crate::ruling::RULINGS;
use crate::text::CitedRule;
use crate::wager;

/// A sentence about a table, with its topic and its clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The topic of the sentence, such as `wagers`, `insurance` or `decisions`.
    pub topic: &'static str,
    /// The sentence in English, with its code and values.
    pub text: Message,
    /// The clause that the sentence states.
    pub by: Clause,
}

struct Words(Vec<Sentence>);

impl Words {
    fn say(&mut self, topic: &'static str, text: impl Into<Message>, by: Clause) {
        self.0.push(Sentence { topic, text: text.into(), by });
    }

    fn said(&mut self, topic: &'static str, (text, by): CitedRule) {
        self.say(topic, text, by);
    }

    fn say_if(&mut self, applies: bool, topic: &'static str, text: Fixed, by: Clause) {
        if applies {
            self.say(topic, text, by);
        }
    }
}

/// Returns all rules of a table in words, in the order in which a player needs them.
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
    let game = text.title;
    let played = match decks {
        1 => rule!("played-with-one-deck", "{game} is played with 1 deck.", game),
        _ => rule!("played-with-decks", "{game} is played with {decks} decks.", game, decks),
    };
    words.say("game", played, text.cards.by);
    if let Some(removed) = text.cards.removed {
        words.said("game", removed.sentence);
    }
    if let Some(by) = text.shuffle.own.filter(|_| !choices.own_procedures.is_empty()) {
        let own: Vec<&str> = choices.own_procedures.iter().map(|own| own.word()).collect();
        let said = rule!(
            "own-procedures",
            "The licensee's own procedures ({procedures}) are approved: {approval}.",
            procedures = own.join(", "),
            approval = choices.approval
        );
        words.say("game", said, by);
    }
    words.say_if(
        text.deal.face_down.is_some(),
        "game",
        rule!("dealt-from-hand", "The cards are dealt from the dealer's hand."),
        clause!("19:47-2.6A(a)"),
    );
}

fn wagers(choices: &Choices, words: &mut Words) {
    let text = choices.text();
    let (minimum, maximum) = (choices.minimum, choices.maximum);
    let required = match (text.wagers.hands, text.wagers.dealer_hands) {
        (2, _) => rule!(
            "two-equal-bets",
            "You make two equal bets of {minimum} to {maximum}, one on each of your two hands.",
            minimum,
            maximum
        ),
        (_, 3) if choices.multiple_action_required == 3 => rule!(
            "three-bets",
            "You make three bets of {minimum} to {maximum} each, each against a separate dealer hand.",
            minimum,
            maximum
        ),
        (_, 3) => rule!(
            "two-or-three-bets",
            "You make two or three bets of {minimum} to {maximum} each, each against a separate dealer hand.",
            minimum,
            maximum
        ),
        _ => rule!(
            "bet-before-first-card",
            "You bet {minimum} to {maximum} before the first card is dealt.",
            minimum,
            maximum
        ),
    };
    words.say("wagers", required, text.wagers.required);
    if let Some((unit, by)) = text.wagers.unit {
        words.say("wagers", rule!("multiples-of-unit", "All bets are multiples of {unit}.", unit), by);
    }
    for attack in text.wagers.attacks {
        let sentence = match choices.attack_amount {
            AttackAmount::UpTo => attack.sentence,
            AttackAmount::Equal => attack.equal_sentence,
        };
        words.say("wagers", sentence, attack.by);
    }
    words.say(
        "wagers",
        rule!("multiples-of-chip", "Every amount is a multiple of the {chip} chip.", chip = choices.chip),
        text.wagers.chips,
    );
    if choices.bettors_per_box > 1 {
        let shared = rule!(
            "people-per-box",
            "Up to {most} people may bet on one box.",
            most = choices.bettors_per_box
        );
        words.say("wagers", shared, text.sharing.by);
        if let Some(boxes) = choices.shared_boxes {
            let at_once = rule!("shared-boxes", "At most {boxes} boxes may be shared at once.", boxes);
            words.say("wagers", at_once, text.sharing.limited);
        }
    }
}

fn dealing(choices: &Choices, words: &mut Words) {
    let deal = &choices.text().deal;
    let second = deal.second.map_or(deal.hole_card, |second| second.by);
    match choices.hole_card {
        HoleCard::None => {
            let late =
                rule!("second-card-late", "The dealer takes a second card after all players have finished.");
            words.say("dealing", late, second);
        }
        HoleCard::Down => {
            let down = rule!("second-card-down", "The dealer's second card is dealt face down.");
            words.say("dealing", down, deal.hole_card);
        }
        HoleCard::Reader => words.say("dealing", deal.read_under, deal.reader),
        HoleCard::Up => {
            let up = rule!("second-card-up", "The dealer's second card is dealt face up.");
            words.say("dealing", up, second);
        }
    }
}

fn insurance(choices: &Choices, words: &mut Words) {
    let rule = &choices.text().insurance;
    words.said("insurance", rule.sentence);
    words.say_if(
        choices.even_money.is_yes(),
        "insurance",
        rule!(
            "even-money",
            "If you have a blackjack against an ace, you may take even money (1 to 1 at once) instead."
        ),
        rule.even_money,
    );
    words.say_if(
        choices.late_insurance.is_yes(),
        "insurance",
        rule!("late-insurance", "You may take insurance until your first decision."),
        clause!("19:47-2.9(b)#4"),
    );
}

fn decisions(choices: &Choices, words: &mut Words) {
    let text = choices.text();
    if let Some(switch) = text.switch {
        words.say(
            "decisions",
            rule!(
                "switch-once",
                "You may exchange the second cards of your two hands once, and undo the exchange before another card \
                    is dealt."
            ),
            switch.by,
        );
    }
    words.said("decisions", text.double.sentence);
    words.say_if(
        !choices.double_after_split.is_yes(),
        "decisions",
        rule!("no-double-after-split", "You may not double after a split."),
        text.double.not_after_split,
    );
    let split = rule!(
        "split-up-to",
        "A pair may be split, and split again up to {most} hands.",
        most = choices.split_hands
    );
    words.say("decisions", split, play::resplit_limit(choices));
    words.said("decisions", text.split.ace_sentence);
    let surrender = match text.surrender {
        Some(rule) if choices.surrender.is_yes() => rule.if_offered,
        Some(rule) => rule.if_not,
        None => (rule!("no-surrender", "There is no surrender."), text.deal.decisions),
    };
    words.said("decisions", surrender);
}

fn the_dealer(choices: &Choices, words: &mut Words) {
    let text = match choices.soft_17 {
        Soft17::Stand => rule!("dealer-stands", "The dealer draws to 16 and stands on every 17."),
        Soft17::Hit => rule!("dealer-hits-soft", "The dealer draws to 16 and hits soft 17."),
    };
    words.say("dealer", text, play::dealer_draws_by(choices));
    let needless = choices.text().draw.needless;
    let only = rule!("no-needless-card", "The dealer does not draw a card that cannot change the outcome.");
    words.say("dealer", only, needless);
}

fn side_wagers(choices: &Choices, words: &mut Words) {
    for (&side, offer) in &choices.side_wagers {
        let text = choices.text();
        let row = text.side(side);
        let by = row.map_or((text.sides.refused)(side), |row| row.by);
        let name = row.map_or(title(side), wager::Side::title);
        let limits = rule!(
            "side-bet-limits",
            "{side_bet}: a side bet from {minimum} to {maximum}.",
            side_bet = name,
            minimum = offer.minimum,
            maximum = offer.maximum
        );
        words.say("side wagers", limits.id("side_bet", side.word()), by);
        for line in wager::own::lines(choices, side) {
            let pays = rule!(
                "side-bet-pays",
                "{side_bet}: {outcome} pays {odds}.",
                side_bet = name,
                outcome = line.hand,
                odds = line.pays
            );
            words.say("side wagers", pays.id("side_bet", side.word()), line.by);
        }
    }
}

/// Adds a sentence for each ruling whose reading is not the default.
fn rulings(choices: &Choices, words: &mut Words) {
    for ruling in RULINGS {
        let word = choices.rulings.word(ruling.key).unwrap_or_default();
        if word != ruling.readings[0] {
            let by = choices.text().ruling_by(ruling.key, ruling.clause);
            let read = rule!(
                "house-ruling",
                "House ruling on {ruling}: {reading}.",
                ruling = ruling.question,
                reading = word
            );
            words.say("rulings", read.id("ruling", ruling.key), by);
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
