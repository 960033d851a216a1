//! Formats choices as a complete table file.

use super::keys::KEYS;
use crate::choice::{Choices, SideOffer};
use crate::odds::Cents;
use crate::preset;
use crate::ruling::RULINGS;
use crate::wager::SideWager;

/// Formats `choices` as a table file, with every key except those of side bets that have no value.
pub fn show(choices: &Choices) -> String {
    let mut file = String::new();
    for key in KEYS {
        file.push_str(&format!("{} = {}\n", key.name, (key.show)(choices)));
    }
    file.push_str(&format!("multiple_action = {{ required = {} }}\n", choices.multiple_action_required));
    // what the game's preset offers and this table does not must be written, or parsing would bring it back
    let preset = preset::base(choices);
    let withdrawn: Vec<&SideWager> =
        preset.side_wagers.keys().filter(|wager| !choices.side_wagers.contains_key(wager)).collect();
    if !withdrawn.is_empty() {
        file.push_str("\n[side_wagers]\n");
        file.extend(withdrawn.iter().map(|wager| format!("{} = false\n", wager.word())));
    }
    for (wager, offer) in &choices.side_wagers {
        file.push_str(&format!("\n[side_wagers.{}]\n", wager.word()));
        if let Some(paytable) = &offer.paytable {
            file.push_str(&format!("paytable = {}\n", quote(paytable)));
        }
        if !offer.odds.is_empty() {
            let lines: Vec<String> =
                offer.odds.iter().map(|(line, odds)| format!("{} = \"{odds}\"", quote(line))).collect();
            file.push_str(&format!("odds = {{ {} }}\n", lines.join(", ")));
        }
        file.push_str(&format!("minimum = \"{}\"\nmaximum = \"{}\"\n", offer.minimum, offer.maximum));
        file.extend(wager.kind().keys.iter().map(|key| show_own_key(offer, key)));
    }
    file.push_str("\n[rulings]\n");
    for ruling in RULINGS {
        file.push_str(&format!(
            "{} = \"{}\"\n",
            ruling.key,
            choices.rulings.word(ruling.key).unwrap_or_default()
        ));
    }
    file
}

/// Returns the line of the table file for a key that only one side bet has, or an empty string if the key has no
/// value.
fn show_own_key(offer: &SideOffer, key: &str) -> String {
    let amount =
        |amount: Option<Cents>| amount.map_or(String::new(), |amount| format!("{key} = \"{amount}\"\n"));
    match key {
        "meter" => amount(offer.meter),
        "seed" => amount(Some(offer.seed)),
        "rate" => format!("rate = {}.{:02}\n", offer.rate / 100, offer.rate % 100),
        "awards" => show_awards(offer),
        _ => amount(offer.cap),
    }
}

fn show_awards(offer: &SideOffer) -> String {
    let rows: Vec<String> = offer
        .awards
        .iter()
        .map(|(wager, awards)| {
            let awards: Vec<String> =
                awards.iter().map(|(award, weight)| format!("\"{award}\" = {weight}")).collect();
            format!("\"{wager}\" = {{ {} }}", awards.join(", "))
        })
        .collect();
    format!("awards = {{ {} }}\n", rows.join(", "))
}

pub(super) fn show_bonus_payouts(choices: &Choices) -> String {
    let payouts = &choices.bonus_payouts;
    let mut items = Vec::new();
    for (offered, name) in [
        (payouts.suited_678, "suited-678"),
        (payouts.three_sevens, "three-sevens"),
        (payouts.five_card_21, "five-card-21"),
    ] {
        if offered.is_yes() {
            items.push(format!("\"{name}\""));
        }
    }
    items.extend(payouts.blackjacks.iter().map(|[a, b]| format!("\"blackjack:{a} {b}\"")));
    format!("[{}]", items.join(", "))
}

pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04X}", control as u32)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
