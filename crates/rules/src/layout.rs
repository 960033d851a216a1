//! The inscriptions and signs at a table: words on the felt, betting areas, paytables and posted limits.

use crate::choice::{Choices, DoubleCard};
use crate::clause::Clause;
use crate::message::Message;
pub use crate::text::Area;
use crate::text::nj_blackjack::blackjack_odds;
use crate::wager::{self, Side, SideWager};

/// Words that players can read at the table, with the clause that requires them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inscription {
    /// The words on the felt or the sign.
    pub text: Message,
    /// The clause that requires the words at the table.
    pub by: Clause,
}

fn inscription(text: impl Into<Message>, by: Clause) -> Inscription {
    Inscription { text: text.into(), by }
}

/// Returns the inscriptions on the felt (19:46-1.10C(b)4, 19:46-1.13V(c)).
///
/// For games without such a clause, the inscriptions follow from the rules of the game.
pub fn inscriptions(choices: &Choices) -> Vec<Inscription> {
    let felt = choices.text().felt.iter();
    felt.filter(|line| line.soft_17.is_none_or(|soft_17| soft_17 == choices.soft_17))
        .map(|line| inscription(line.text, line.by))
        .collect()
}

/// Returns the betting areas of one position on the layout.
///
/// The clauses are 19:46-1.10C(b)2-3, 19:46-1.13V(b)2 and their counterparts.
pub fn areas(choices: &Choices) -> Vec<Area> {
    let text = choices.text();
    let sides = choices.side_wagers.keys().filter_map(|&wager| text.side(wager));
    let sides = sides.map(|side| Area { name: side.title(), by: side.area });
    text.wagers.areas.iter().copied().chain(sides).collect()
}

/// Returns a side bet's name for players.
pub fn title(wager: SideWager) -> &'static str {
    wager.kind().title
}

/// Returns the signs at the table: posted limits, and notices of the options in force.
pub fn signs(choices: &Choices) -> Vec<Inscription> {
    let mut signs = Vec::new();
    let text = choices.text();
    let required = if text.wagers.dealer_hands > 1 {
        let (minimum, maximum) = (choices.minimum, choices.maximum);
        let count = match choices.multiple_action_required {
            3 => rule!("sign-three-bets", "three bets, each {minimum} to {maximum}", minimum, maximum),
            _ => rule!(
                "sign-two-or-three-bets",
                "two or three bets, each {minimum} to {maximum}",
                minimum,
                maximum
            ),
        };
        signs.push(inscription(count, clause!("19:47-2.18(b)#3")));
        clause!("19:47-2.18(b)#3")
    } else {
        text.wagers.required
    };
    let (minimum, maximum) = (choices.minimum, choices.maximum);
    let limits = rule!("sign-limits", "Minimum {minimum}, maximum {maximum}", minimum, maximum);
    signs.push(inscription(limits, required));
    for (&wager, offer) in &choices.side_wagers {
        let side = text.side(wager);
        let by = side.map_or((text.sides.refused)(wager), |side| side.sign);
        let limits = rule!(
            "sign-side-bet",
            "{side_bet}: {minimum} to {maximum}",
            side_bet = side.map_or(title(wager), Side::title),
            minimum = offer.minimum,
            maximum = offer.maximum
        );
        signs.push(inscription(limits.id("side_bet", wager.word()), by));
    }
    for (&wager, offer) in &choices.side_wagers {
        let limited = text.side(wager).and_then(|side| side.extras.cap);
        if let (Some(limited), Some(cap)) = (limited, offer.cap) {
            let text = rule!(
                "sign-queens-cap",
                "All queen of hearts pairs with a dealer blackjack win at most {cap} together, \
                 shared in proportion to their wagers",
                cap
            );
            signs.push(inscription(text, limited.sign));
        }
    }
    let offered = choices.side_wagers.keys().filter_map(|&wager| text.side(wager));
    for by in offered.filter_map(|side| side.highest_line_only) {
        let once = rule!(
            "sign-match-once",
            "If more than one match occurs in a player's initial four cards, the match wager is paid only once, \
             using the highest payoff that occurs within those cards"
        );
        signs.push(inscription(once, by));
    }
    signs.extend(notices(choices));
    signs
}

/// Returns the notices that the regulation requires for the options that the table offers.
fn notices(choices: &Choices) -> Vec<Inscription> {
    let mut notices = Vec::new();
    if choices.double_card != DoubleCard::Up {
        let text = match choices.double_card {
            DoubleCard::Down => {
                rule!("sign-double-face-down", "The card of a doubled hand is dealt face down")
            }
            _ => rule!("sign-double-on-request", "The card of a doubled hand is dealt face down on request"),
        };
        notices.push(inscription(text, clause!("19:47-2.10(c)#5")));
    }
    for pair in &choices.bonus_payouts.blackjacks {
        let (odds, _) = blackjack_odds(choices, &crate::hand::Hand::dealt(pair));
        let cards = crate::card::show_cards(pair);
        let pays = rule!("sign-cards-pay", "{cards} pays {odds}", cards, odds);
        notices.push(inscription(pays, clause!("19:47-2.3(e)#7")));
    }
    let special = &choices.bonus_payouts;
    for (offered, text) in [
        (special.suited_678, rule!("sign-suited-run", "6, 7 and 8 of one suit pay 2 to 1")),
        (special.three_sevens, rule!("sign-three-sevens", "Three sevens pay 3 to 2")),
        (special.five_card_21, rule!("sign-five-cards", "Five cards totaling 21 pay 2 to 1")),
    ] {
        if offered.is_yes() {
            notices.push(inscription(text, clause!("19:47-2.3(e)#7")));
        }
    }
    notices
}

/// Returns the posted lines of a side bet's paytable: combination, payout and clause.
///
/// The clauses that require the posting are 19:46-1.10C(b)5, 19:46-1.13V(d), 2.24(f)#2.
pub fn posted_odds(choices: &Choices, side: SideWager) -> Vec<(String, String, Clause)> {
    wager::own::lines(choices, side)
        .iter()
        .map(|line| (line.hand.to_string(), line.pays.to_string(), line.by))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::preset;

    fn texts(name: &str) -> Vec<String> {
        inscriptions(&preset(name).unwrap()).into_iter().map(|line| line.text.text.into_owned()).collect()
    }

    /// Proves 19:46-1.10C(b)4, 19:46-1.10C(b)4.i, 19:46-1.10C(b)4.ii, 19:46-1.10C(b)4.iii, 19:46-1.10C(b)4.iv,
    /// 19:46-1.10C(b)2, 19:46-1.10C(b)3, 19:46-1.10C(b)5, 19:46-1.10C(c), 19:46-1.10C(c)1, 19:46-1.10C(c)2.
    #[test]
    fn a_switch_layout_says_what_the_regulation_wants() {
        assert_eq!(
            texts("nj-switch"),
            [
                "Blackjack pays 1 to 1",
                "Insurance pays 2 to 1",
                "Dealer must hit a soft 17",
                "Dealer pushes on 22"
            ]
        );
        let choices = preset("nj-switch").unwrap();
        let names: Vec<_> = areas(&choices).iter().map(|area| area.name).collect();
        assert_eq!(names, ["First hand", "Second hand", "Match"]);
        assert!(signs(&choices).iter().any(|sign| sign.by.id() == "19:46-1.10C(c)1"));
        assert_eq!(posted_odds(&choices, SideWager::Match).len(), 4);
    }

    /// Proves 19:46-1.13V(b)2, 19:46-1.13V(c)1, 19:46-1.13V(c)2, 19:46-1.13V(c)3, 19:46-1.13V(c)4, 19:46-1.13V(d),
    /// 19:47-36.6(b)2#2, 19:47-26.6(b)2#2.
    #[test]
    fn an_attack_layout_says_what_the_regulation_wants() {
        assert_eq!(texts("nj-triple-attack").len(), 4);
        let choices = preset("nj-triple-attack").unwrap();
        let names: Vec<_> = areas(&choices).iter().map(|area| area.name).collect();
        assert_eq!(names, ["First Attack", "Second Attack", "Third Attack", "Suited Royals", "Triple Match"]);
        for side in [SideWager::SuitedRoyals, SideWager::TripleMatch] {
            assert!(!posted_odds(&choices, side).is_empty());
        }
        for name in ["nj-triple-attack", "nj-double-attack"] {
            let signs = signs(&preset(name).unwrap());
            assert!(signs.iter().any(|sign| sign.text.text.contains("1.00 to 25.00")), "{signs:?}");
        }
    }

    /// Proves 19:47-2.10(c)#5, 19:47-2.3(e)#7, 19:47-2.17(h), 19:47-2.18(b)#3, 19:47-2.23(c)#2, 19:47-2.24(c)#3,
    /// 19:47-2.24(f)#2, 19:47-2.24(h)#4, 19:47-2.25(c)#2.
    #[test]
    fn limits_options_and_pay_tables_are_posted() {
        let signs_of = |name: &str, sets: &[&str]| {
            let mut choices = preset(name).unwrap();
            for set in sets {
                crate::file::set(&mut choices, set).unwrap();
            }
            signs(&choices).into_iter().map(|sign| sign.by.id()).collect::<Vec<_>>()
        };
        let rows = [
            ("double_card=down", "19:47-2.10(c)#5"),
            ("bonus_payouts=[\"suited-678\"]", "19:47-2.3(e)#7"),
            ("side_wagers.same-suit=true", "19:47-2.17(h)"),
            ("side_wagers.match-the-dealer=true", "19:47-2.23(c)#2"),
            ("side_wagers.dealer-bust=true", "19:47-2.25(c)#2"),
        ];
        for (set, clause) in rows {
            assert!(signs_of("nj-blackjack", &[set]).contains(&clause), "{set}");
        }
        assert!(signs_of("nj-multiple-action", &[]).contains(&"19:47-2.18(b)#3"));
        let twenty = signs_of("nj-blackjack-reader", &["side_wagers.twenty-point.cap=30000"]);
        assert!(twenty.contains(&"19:47-2.24(c)#3") && twenty.contains(&"19:47-2.24(h)#4"));
    }
}
