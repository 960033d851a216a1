//! The rules of a table in plain words, generated from its choices: every sentence with its clause.

use crate::choice::*;
use crate::clause::Clause;
use crate::layout::title;
use crate::play;
use crate::ruling::RULINGS;
use crate::wager;

/// A sentence about a table, what it is about, and the clause that it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    pub topic: &'static str,
    pub text: String,
    pub by: Clause,
}

struct Words(Vec<Sentence>);

impl Words {
    fn say(&mut self, topic: &'static str, text: impl Into<String>, by: Clause) {
        self.0.push(Sentence { topic, text: text.into(), by });
    }

    fn say_if(&mut self, applies: bool, topic: &'static str, text: &str, by: Clause) {
        if applies {
            self.say(topic, text, by);
        }
    }
}

/// All rules of a table, in the order in which a player meets them.
pub fn in_words(choices: &Choices) -> Vec<Sentence> {
    let mut words = Words(Vec::new());
    the_game(choices, &mut words);
    wagers(choices, &mut words);
    dealing(choices, &mut words);
    insurance(choices, &mut words);
    decisions(choices, &mut words);
    the_dealer(choices, &mut words);
    results(choices, &mut words);
    side_wagers(choices, &mut words);
    rulings(choices, &mut words);
    for sentence in &mut words.0 {
        sentence.by = sentence.by.in_force(choices.jurisdiction);
    }
    words.0
}

fn the_game(choices: &Choices, words: &mut Words) {
    let decks = choices.decks;
    let (name, by) = match choices.game {
        Game::Blackjack => ("Blackjack", clause!("19:47-2.2(a)")),
        Game::Switch => ("Blackjack Switch", clause!("19:47-2A.2(a)")),
        Game::DoubleAttack => ("Double Attack", clause!("19:47-26.2(a)")),
        Game::TripleAttack => ("Triple Attack", clause!("19:47-36.2(a)")),
    };
    words.say(
        "game",
        format!("{name} is played with {decks} deck{}.", if decks == 1 { "" } else { "s" }),
        by,
    );
    match choices.game {
        Game::DoubleAttack => {
            words.say("game", "The tens are removed: each deck has 48 cards.", clause!("19:47-26.2(a)#5"))
        }
        Game::TripleAttack => {
            words.say("game", "The tens are removed: each deck has 48 cards.", clause!("19:47-36.2(a)#5"))
        }
        _ => {}
    }
    words.say_if(
        choices.variation == Variation::SixToFive,
        "game",
        "The cards are dealt from the dealer's hand.",
        clause!("19:47-2.6A(a)"),
    );
}

fn wagers(choices: &Choices, words: &mut Words) {
    let by = crate::limit::required_wager_by(choices);
    let limits = format!("from {} to {}", choices.minimum, choices.maximum);
    let text = match (choices.game, choices.variation) {
        (Game::Switch, _) => format!("You make two equal wagers {limits}, one for each of your two hands."),
        (_, Variation::MultipleAction) => {
            let count = if choices.multiple_action_required == 3 { "three" } else { "two or three" };
            format!("You make {count} wagers {limits}, each against a separate hand of the dealer.")
        }
        _ => format!("You make a wager {limits} before the first card."),
    };
    words.say("wagers", text, by);
    words.say_if(
        choices.variation == Variation::SixToFive,
        "wagers",
        "All wagers are multiples of 5.00.",
        clause!("19:47-2.3(d)#4"),
    );
    let amount = match choices.attack_amount {
        AttackAmount::UpTo => "up to",
        AttackAmount::Equal => "equal to",
    };
    match choices.game {
        Game::DoubleAttack => words.say(
            "wagers",
            format!("When the dealer's first card lies face up you may add a double attack wager {amount} your wager."),
            clause!("19:47-26.7(d)#3"),
        ),
        Game::TripleAttack => {
            let text = format!("On your first card you may add a second attack wager {amount} the first.");
            words.say("wagers", text, clause!("19:47-36.7(d.2)"));
            let text = format!("On the dealer's up card you may add a third attack wager {amount} the first.");
            words.say("wagers", text, clause!("19:47-36.7(e)"));
        }
        _ => {}
    }
    let shared = match choices.game {
        Game::Blackjack => clause!("19:47-2.13(a)"),
        Game::Switch => clause!("19:47-2A.13(a)"),
        Game::DoubleAttack => clause!("19:47-26.13(a)"),
        Game::TripleAttack => clause!("19:47-36.12(a)"),
    };
    if choices.bettors_per_box > 1 {
        words.say(
            "wagers",
            format!("Up to {} people may wager on one box.", choices.bettors_per_box),
            shared,
        );
    }
}

fn dealing(choices: &Choices, words: &mut Words) {
    let (text, by) = match (choices.game, choices.hole_card) {
        (Game::Blackjack, HoleCard::None) => {
            ("The dealer takes a second card after all players.", clause!("19:47-2.6(h)"))
        }
        (Game::Blackjack, HoleCard::Down) => {
            ("The dealer's second card is dealt face down.", clause!("19:47-2.6(j)"))
        }
        (Game::Blackjack, HoleCard::Reader) => (
            "A reader checks the dealer's face-down card for blackjack under an ace or ten value.",
            clause!("19:47-2.6(j)#4"),
        ),
        (Game::Blackjack, HoleCard::Up) => {
            ("The dealer's second card is dealt face up.", clause!("19:47-2.6(k)"))
        }
        (Game::Switch, HoleCard::None) => {
            ("The dealer takes a second card after all players.", clause!("19:47-2A.7(l)"))
        }
        (Game::Switch, HoleCard::Reader) => (
            "A reader checks the dealer's face-down card for blackjack under an ace or ten value.",
            clause!("19:47-2A.7(l)2"),
        ),
        (Game::Switch, _) => ("The dealer's second card is dealt face down.", clause!("19:47-2A.7(l)1")),
        (Game::DoubleAttack, HoleCard::None) => {
            ("The dealer takes a second card after all players.", clause!("19:47-26.7(g)"))
        }
        (Game::DoubleAttack, HoleCard::Reader) => (
            "A reader checks the dealer's face-down card for blackjack under an ace or face card.",
            clause!("19:47-26.7(i)#3"),
        ),
        (Game::DoubleAttack, _) => ("The dealer's second card is dealt face down.", clause!("19:47-26.7(i)")),
        (Game::TripleAttack, HoleCard::Reader) => (
            "A reader checks the dealer's face-down card for blackjack under an ace or face card.",
            clause!("19:47-36.7(k)#3"),
        ),
        (Game::TripleAttack, _) => {
            ("The dealer's second card is dealt face down.", clause!("19:47-36.7(e)#3"))
        }
    };
    words.say("dealing", text, by);
}

fn insurance(choices: &Choices, words: &mut Words) {
    let face_up = choices.game == Game::Blackjack && choices.hole_card == HoleCard::Up;
    if face_up {
        return words.say("insurance", "There is no insurance.", clause!("19:47-2.6(k)3#2"));
    }
    let (text, by) = match choices.game {
        Game::Blackjack => (
            "Against an ace you may insure for half your wager; insurance pays 2 to 1.",
            clause!("19:47-2.9(c)"),
        ),
        Game::Switch => (
            "Against an ace you may insure each hand for half its wager; insurance pays 2 to 1.",
            clause!("19:47-2A.8(d)"),
        ),
        Game::DoubleAttack => (
            "Against an ace you may insure for half your initial wager; insurance pays 5 to 2.",
            clause!("19:47-26.11(c)"),
        ),
        Game::TripleAttack => (
            "Against an ace you may insure for half your attack wagers; insurance pays 2 to 1, 5 to 1 for a suited blackjack.",
            clause!("19:47-36.10(c)"),
        ),
    };
    words.say("insurance", text, by);
    words.say_if(
        choices.even_money.is_yes(),
        "insurance",
        "A blackjack against an ace may be paid 1 to 1 at once instead.",
        clause!("19:47-2.7(c)"),
    );
    words.say_if(
        choices.late_insurance.is_yes(),
        "insurance",
        "You may insure until your own decision.",
        clause!("19:47-2.9(b)#4"),
    );
}

fn decisions(choices: &Choices, words: &mut Words) {
    words.say_if(
        choices.game == Game::Switch,
        "decisions",
        "You may once exchange the second cards of your two hands, and take it back before another card is dealt.",
        clause!("19:47-2A.7(g)"),
    );
    let (double, by) = match (choices.game, choices.hole_card) {
        (Game::Blackjack, HoleCard::Up) => {
            ("You may double a first two cards of 9, 10 or 11.", clause!("19:47-2.6(k)4"))
        }
        (Game::Blackjack, _) => ("You may double any first two cards but 21.", clause!("19:47-2.10(a)")),
        (Game::Switch, _) => {
            ("You may double any first two cards but a blackjack.", clause!("19:47-2A.10(a)"))
        }
        (Game::DoubleAttack, _) => ("You may double on any number of cards.", clause!("19:47-26.9(a)")),
        (Game::TripleAttack, _) => ("You may double on any number of cards.", clause!("19:47-36.8(a)")),
    };
    words.say("decisions", double, by);
    words.say_if(
        !choices.double_after_split.is_yes(),
        "decisions",
        "You may not double after a split.",
        clause!("19:47-2.10(d)"),
    );
    let split = format!("A pair may be split; one hand may become up to {}.", choices.split_hands);
    words.say("decisions", split, play::resplit_limit(choices));
    let (aces, by) = match choices.game {
        Game::Blackjack => ("Each split ace gets one card.", clause!("19:47-2.11(c)2")),
        Game::Switch => ("Each split ace gets one card.", clause!("19:47-2A.11(c)2")),
        Game::DoubleAttack => ("Each split ace gets one card.", clause!("19:47-26.10(e)")),
        Game::TripleAttack => {
            ("Each split ace gets one card, and may then be doubled.", clause!("19:47-36.9(e)"))
        }
    };
    words.say("decisions", aces, by);
    let surrender = choices.surrender.is_yes();
    let (text, by) = match choices.game {
        Game::Blackjack if surrender => {
            ("Your first decision may be to surrender half your wager.", clause!("19:47-2.8(a)"))
        }
        Game::Switch if surrender => {
            ("Your first decision on a hand may be to surrender half its wager.", clause!("19:47-2A.9(a)"))
        }
        Game::DoubleAttack => {
            ("You may surrender half of all on a hand at any time until you stand.", clause!("19:47-26.8(a)"))
        }
        Game::TripleAttack => ("There is no surrender.", clause!("19:47-36.7(g)")),
        Game::Blackjack if choices.hole_card == HoleCard::Up => {
            ("There is no surrender.", clause!("19:47-2.6(k)3"))
        }
        Game::Blackjack => ("Surrender is not offered.", clause!("19:47-2.8(c)")),
        Game::Switch => ("Surrender is not offered.", clause!("19:47-2A.9(c)")),
    };
    words.say("decisions", text, by);
}

fn the_dealer(choices: &Choices, words: &mut Words) {
    let text = match choices.soft_17 {
        Soft17::Stand => "The dealer draws to 16 and stands on every 17.",
        Soft17::Hit => "The dealer draws to 16 and to a soft 17.",
    };
    words.say("dealer", text, play::dealer_draws_by(choices));
    words.say(
        "dealer",
        "The dealer draws no card that cannot change the outcome.",
        play::needless_draw_by(choices),
    );
}

fn results(choices: &Choices, words: &mut Words) {
    let odds = choices.blackjack_odds();
    match choices.game {
        Game::Blackjack => {
            words.say(
                "results",
                format!("A blackjack pays {odds}, other wins 1 to 1."),
                clause!("19:47-2.3(e)#3"),
            );
            if choices.hole_card == HoleCard::Up {
                words.say(
                    "results",
                    "Equal totals lose; a blackjack wins even against a blackjack.",
                    clause!("19:47-2.6(k)1"),
                );
            } else {
                words.say("results", "Equal totals are a stand-off.", clause!("19:47-2.3(b)"));
                words.say(
                    "results",
                    "A dealer's blackjack takes the original wager only.",
                    clause!("19:47-2.10(b)"),
                );
            }
        }
        Game::Switch => {
            words.say("results", "Every win pays 1 to 1, a blackjack too.", clause!("19:47-2A.5(g)#2"));
            words.say(
                "results",
                "A dealer total of 22 is a push except against an unswitched blackjack.",
                clause!("19:47-2A.5(c)"),
            );
            words.say(
                "results",
                "A switched or split ace and ten is 21, not a blackjack.",
                clause!("19:47-2A.1 \"Blackjack\"#3"),
            );
        }
        Game::DoubleAttack => {
            words.say("results", "Every win pays 1 to 1, a blackjack too.", clause!("19:47-26.5(e)#2"));
            words.say(
                "results",
                "A dealer's blackjack takes the initial wager only; the double attack wager is returned.",
                clause!("19:47-26.5(b)#4"),
            );
        }
        Game::TripleAttack => {
            words.say("results", "A 21 always wins.", clause!("19:47-36.5(b)"));
            words.say("results", "Six cards below 21 always win.", clause!("19:47-36.5(b)#2"));
            words.say(
                "results",
                "A dealer total of 22 is a push against 20 or less.",
                clause!("19:47-36.5(d.1)#2"),
            );
            words.say("results", "Every win pays 1 to 1.", clause!("19:47-36.5(e.2)#3"));
        }
    }
}

fn side_wagers(choices: &Choices, words: &mut Words) {
    for (&side, offer) in &choices.side_wagers {
        let name = title(side);
        let text = format!("{name}: a side wager from {} to {}.", offer.minimum, offer.maximum);
        words.say("side wagers", text, side.offered_by(choices.game));
        for line in wager::paytable(choices, side).map_or(&[][..], |table| table.lines) {
            words.say("side wagers", format!("{name}: {} pays {}.", line.hand, line.pays), line.by);
        }
    }
}

/// Readings that differ from the literal text are said aloud.
fn rulings(choices: &Choices, words: &mut Words) {
    for ruling in RULINGS {
        let word = choices.rulings.word(ruling.key).unwrap_or_default();
        if word != ruling.readings[0] {
            words.say("rulings", format!("House ruling on {}: {word}.", ruling.about), ruling.by);
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
                match (choices.game, choices.jurisdiction) {
                    (_, Jurisdiction::Ma) => !id.starts_with("MA-BJS"),
                    (Game::Blackjack, _) => !id.starts_with("19:47-2."),
                    (Game::Switch, _) => !id.starts_with("19:47-2A."),
                    (Game::DoubleAttack, _) => !id.starts_with("19:47-26."),
                    (Game::TripleAttack, _) => !id.starts_with("19:47-36."),
                }
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
