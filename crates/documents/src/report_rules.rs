//! Lists the rules and rulings that apply to the table of a math report, each with its clauses.

use crate::report_document::{AssumedRuling, EdgeChange, OtherRuling, RuleInForce};
use crate::tables::TableFile;
use exact::dealers::Dealers;
use exact::game::{Strategy, value_at};
use exact::signature::signature;
use exact::table::{Attacked, Table};
use exact::threads::{at_once, each};
use rules::file::KEYS;
use rules::lawful::check;
use rules::ruling::{RULINGS, Ruling};
use rules::text::{TEXTS, find, values};
use rules::{Choices, HoleCard, Shoe};
use side::SideReport;

/// Returns the table-file keys that apply to a table, with their values and clauses.
///
/// The clauses of a key are all clauses about the key in the table's own regulation, and the clause that permits
/// its value.
pub(crate) fn rules_in_force(choices: &Choices) -> Vec<RuleInForce> {
    let text = choices.text();
    let chapter = chapter_of(text.cards.by.citation());
    // keys cite New Jersey; another jurisdiction's text covers the same game as the chapter there
    let at_home = find(&TEXTS, text.game, "nj").unwrap_or(text);
    let home = chapter_of(at_home.cards.by.citation());
    let table = TableFile::of(choices);
    let table = table.keys();
    let rows = KEYS.iter().filter(|key| key_applies(choices, key.name, key.about, home)).map(|key| {
        let permits = text.permits().find(|permits| permits.key == key.name);
        let values = values::values_of(choices, key.name);
        let permitted =
            permits.and_then(|permits| permits.find(values.first()?)).map(|value| value.by.citation());
        RuleInForce {
            about: key.about,
            clauses: clauses_in(key.about, chapter),
            key: key.name,
            permitted_by: permitted,
            value: table[key.name].clone(),
        }
    });
    rows.collect()
}

/// Returns the chapter of a citation, such as `2A` for 19:47-2A.2(a): the text between the last hyphen and the
/// first dot.
fn chapter_of(citation: &str) -> &str {
    citation.rsplit('-').next().and_then(|tail| tail.split('.').next()).unwrap_or_default()
}

/// Returns whether a key of the table file matters to the table `choices`.
///
/// A key matters if the table's regulation covers the key, and if no other option of the table makes the key
/// irrelevant.
fn key_applies(choices: &Choices, key: &str, about: &str, chapter: &str) -> bool {
    let reader = choices.hole_card == HoleCard::Reader;
    let chosen = match key {
        "reader_reveals" | "insurance_collected" => reader,
        "surrender_settled" => reader && choices.surrender.is_yes(),
        "hand_burn" => choices.shoe == Shoe::Hand,
        "cut_behind" | "cut_by" | "recut_by" => choices.shoe != Shoe::Continuous,
        "resplit_aces" | "double_after_split" => choices.split_hands > 1,
        "shared_boxes" => choices.bettors_per_box > 1,
        "own_procedures" | "approval" => !choices.own_procedures.is_empty(),
        "attack_amount" => !choices.text().wagers.attacks.is_empty(),
        "bonus_payouts" => !clauses_in(about, chapter).is_empty(),
        _ => true,
    };
    let permits = choices.text().permits().find(|permits| permits.key == key);
    let only =
        permits.is_some_and(|permits| permits.values.len() == 1 && !permits.values[0].is.contains(".."));
    // a key without a choice that cites only other texts belongs to another game
    chosen && !(only && clauses_in(about, chapter).is_empty())
}

/// Returns the citations of the chapter `chapter` in a text such as `decks: 2.2, 2A.2, 26.2`.
///
/// A letter alone in parentheses continues the citation before it.
fn clauses_in(text: &str, chapter: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut section = "";
    for word in text.split([' ', ',', ':']).filter(|word| !word.is_empty()) {
        if word.starts_with('(') && word.ends_with(')') && !section.is_empty() {
            found.push(format!("{section}{word}"));
            continue;
        }
        let is_section = word.split_once('.').is_some_and(|(before, after)| {
            before == chapter && after.starts_with(|c: char| c.is_ascii_digit())
        });
        section = if is_section { word.split('(').next().unwrap_or_default() } else { "" };
        if is_section {
            found.push(word.to_string());
        }
    }
    found
}

/// Returns whether a ruling matters to a table.
///
/// A ruling matters if another reading changes the main game, or if the ruling is about a side bet that the table
/// offers.
fn ruling_applies(citation: &str, changes_main: bool, sides: &[SideReport]) -> bool {
    let section = |citation: &str| citation.split('(').next().unwrap_or_default().to_string();
    let about = section(citation);
    let offered = sides.iter().flat_map(|side| &side.outcomes).any(|o| section(o.by.citation()) == about);
    changes_main || offered
}

/// Returns the rulings that apply to a table: the assumed reading, and the effects of every other reading.
///
/// An effect is a change of house edge: of the main game, if the other reading changes it, and of each side bet
/// that is known to depend on the ruling.
pub(crate) fn rulings(choices: &Choices, sides: &[SideReport]) -> Vec<AssumedRuling> {
    let other = |key: &str, word: &str| {
        let mut changed = choices.clone();
        changed.rulings.set(key, word).ok()?;
        check(&changed).violations.is_empty().then_some(changed)
    };
    let stands = signature(choices);
    let readings = RULINGS.iter().flat_map(|ruling| ruling.readings.iter().map(move |word| (ruling, *word)));
    let all: Vec<_> = readings
        .filter(|(ruling, word)| choices.rulings.word(ruling.key) != Some(*word))
        .filter_map(|(ruling, word)| Some((ruling, word, other(ruling.key, word)?)))
        .collect();
    let dealers = Dealers::default();
    let value = |choices: &Choices| -> f64 {
        value_at(&Table::new(choices, Attacked::No).sharing(&dealers), &Strategy::CompositionDependent)
    };
    let matter: Vec<_> =
        all.iter().map(|(_, _, changed)| changed).filter(|c| signature(c) != stands).collect();
    let ev = if matter.is_empty() { 0.0 } else { value(choices) };
    let found = each(&matter, at_once(choices), |changed| value(changed));
    let main_change = |changed: &Choices| {
        let at = matter.iter().position(|known| *known == changed)?;
        Some(ev - found[at])
    };
    // a text may settle in its own clause what the ruling is about
    let clause = |ruling: &Ruling| choices.text().ruling_by(ruling.key, ruling.clause).citation();
    let applies = |ruling: &&Ruling| {
        let mut others = all.iter().filter(|(known, ..)| known.key == ruling.key);
        ruling_applies(clause(ruling), others.any(|(_, _, changed)| matter.contains(&changed)), sides)
    };
    let rows = RULINGS.iter().filter(applies).map(|ruling| {
        let others = all.iter().filter(|(known, ..)| known.key == ruling.key).map(|(_, word, changed)| {
            let assuming = format!("rulings.{}={word}", ruling.key);
            let of_side = sides.iter().flat_map(|side| {
                let variants = side.variants.iter().filter(|variant| variant.assuming == assuming);
                variants.map(|v| EdgeChange { change: v.house_edge - side.house_edge, wager: side.wager() })
            });
            let main = main_change(changed).map(|change| EdgeChange { change, wager: "main" });
            OtherRuling { changes: main.into_iter().chain(of_side).collect(), reading: word }
        });
        AssumedRuling {
            about: ruling.question,
            assumed: choices.rulings.word(ruling.key).unwrap_or_default(),
            clause: clause(ruling),
            others: others.collect(),
            ruling: ruling.key,
        }
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::preset::preset;

    #[test]
    fn clauses_of_one_chapter_are_found_in_what_a_key_is_about() {
        let text =
            "how the dealer's second card is dealt: 2.6(h), (j), (k), 2A.7(l), 26.7(g), (i), 36.7(e), (k)";
        assert_eq!(clauses_in(text, "2"), ["2.6(h)", "2.6(j)", "2.6(k)"]);
        assert_eq!(clauses_in(text, "26"), ["26.7(g)", "26.7(i)"]);
        assert_eq!(clauses_in("smallest required bet", "2"), Vec::<String>::new());
    }

    fn has(choices: &Choices, key: &str) -> bool {
        rules_in_force(choices).iter().any(|rule| rule.key == key)
    }

    #[test]
    fn only_the_keys_that_apply_are_told() {
        let blackjack = preset("nj-blackjack").unwrap();
        for key in ["decks", "soft_17", "minimum", "double_card", "even_money", "cut_behind"] {
            assert!(has(&blackjack, key), "{key}");
        }
        for key in ["attack_amount", "reader_reveals", "insurance_collected", "hand_burn", "approval"] {
            assert!(!has(&blackjack, key), "{key}");
        }
        assert!(has(&preset("nj-blackjack-reader").unwrap(), "reader_reveals"));
        for attacks in ["nj-double-attack", "nj-triple-attack"] {
            assert!(has(&preset(attacks).unwrap(), "attack_amount"), "{attacks}");
        }
        for switch in ["nj-switch", "ma-switch"] {
            let switch = preset(switch).unwrap();
            assert!(has(&switch, "decks") && has(&switch, "split_hands"));
            assert!(!has(&switch, "even_money") && !has(&switch, "attack_amount"));
        }
        let once = Choices { split_hands: 1, ..blackjack };
        assert!(!has(&once, "resplit_aces") && has(&once, "split_hands"));
    }

    /// The clause that permits a key's value is from the table's own regulation, in Massachusetts too.
    #[test]
    fn the_clause_that_permits_a_value_is_told() {
        let by = |name: &str| {
            let rules = rules_in_force(&preset(name).unwrap());
            rules.iter().find(|rule| rule.key == "decks").and_then(|rule| rule.permitted_by).unwrap()
        };
        assert_eq!(by("nj-blackjack"), "19:47-2.2(a)");
        assert!(by("ma-switch").starts_with("MA-BJS"), "{}", by("ma-switch"));
    }

    #[test]
    fn only_the_rulings_that_apply_are_told() {
        let told = |choices: &Choices| -> Vec<&str> {
            rulings(choices, &side::side_wagers(choices)).iter().map(|of| of.ruling).collect()
        };
        let mut blackjack = preset("nj-blackjack").unwrap();
        let plain = told(&blackjack);
        assert_eq!(plain, ["split_two_card_21", "busted_v_dealer_blackjack"]);
        rules::file::set(&mut blackjack, "side_wagers.sevens=true").unwrap();
        assert_eq!(told(&blackjack), [&plain[..], &["lone_seven"]].concat());
    }
}
