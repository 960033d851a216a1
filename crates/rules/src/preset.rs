//! The preset tables: one lawful table for each game, variation and jurisdiction, and for the dealing procedures that
//! people ask for by name. A key left out of a table file takes its value from here.

use crate::choice::*;
use crate::odds::Cents;
use crate::ruling::Rulings;
use crate::wager::SideWager;
use std::collections::BTreeMap;

/// The names of the presets, with what they are.
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

/// The preset with this name.
pub fn preset(name: &str) -> Option<Choices> {
    let choices = match name {
        "nj-blackjack" => blackjack(),
        "nj-blackjack-reader" => Choices { hole_card: HoleCard::Reader, ..blackjack() },
        "nj-blackjack-face-up" => Choices { hole_card: HoleCard::Up, split_hands: 2, ..blackjack() },
        "nj-six-to-five" => six_to_five(),
        "nj-multiple-action" => {
            Choices { variation: Variation::MultipleAction, split_hands: 2, ..blackjack() }
        }
        "nj-switch" => switch(Jurisdiction::Nj),
        "ma-switch" => switch(Jurisdiction::Ma),
        "nj-double-attack" => double_attack(),
        "nj-triple-attack" => triple_attack(),
        _ => return None,
    };
    Some(Choices { name: name.to_string(), ..choices })
}

/// The preset that fills in what a table file for this game leaves out.
pub fn base(game: Game, variation: Variation, jurisdiction: Jurisdiction) -> Choices {
    let choices = match (game, variation) {
        (Game::Blackjack, Variation::Standard) => blackjack(),
        (Game::Blackjack, Variation::SixToFive) => six_to_five(),
        (Game::Blackjack, Variation::MultipleAction) => {
            preset("nj-multiple-action").unwrap_or_else(blackjack)
        }
        (Game::Switch, _) => switch(jurisdiction),
        (Game::DoubleAttack, _) => double_attack(),
        (Game::TripleAttack, _) => triple_attack(),
    };
    Choices { game, variation, jurisdiction, ..choices }
}

fn blackjack() -> Choices {
    Choices {
        name: "nj-blackjack".to_string(),
        game: Game::Blackjack,
        variation: Variation::Standard,
        jurisdiction: Jurisdiction::Nj,
        decks: 8,
        positions: 6,
        hole_card: HoleCard::None,
        soft_17: Soft17::Stand,
        surrender: Offered::No,
        even_money: Offered::No,
        late_insurance: Offered::No,
        split_hands: 4,
        resplit_aces: Offered::No,
        double_after_split: Offered::Yes,
        double_card: DoubleCard::Up,
        bonus_payouts: BonusPayouts::NONE,
        shoe: Shoe::Single,
        shuffle: Shuffle::Manual,
        cut_behind: Millionths(250_000),
        minimum: Cents::dollars(10),
        maximum: Cents::dollars(500),
        chip: Cents::dollars(1),
        bettors_per_box: 1,
        boxes_per_player: 1,
        mid_shoe_entry: Offered::Yes,
        attack_amount: AttackAmount::UpTo,
        multiple_action_required: 2,
        cut_by: CutBy::Players,
        recut_by: RecutBy::LastCutter,
        reader_reveals: ReaderReveals::Nothing,
        surrender_settled: SurrenderSettled::AtDisclosure,
        insurance_collected: InsuranceCollected::AtDisclosure,
        hand_burn: HandBurn::None,
        side_wagers: BTreeMap::new(),
        rulings: Rulings::LITERAL,
    }
}

/// 2.2(a)1, 2.2(e), 2.5(i), 2.6A, 2.12(d).
fn six_to_five() -> Choices {
    Choices {
        variation: Variation::SixToFive,
        decks: 2,
        soft_17: Soft17::Hit,
        split_hands: 2,
        shoe: Shoe::Hand,
        shuffle: Shuffle::Automated,
        cut_behind: Millionths(400_000),
        chip: Cents::dollars(5),
        ..blackjack()
    }
}

/// 19:46-1.10C(a), 2A.2(a), 2A.11(c)1, 2A.12(b), MA 2(a).
fn switch(jurisdiction: Jurisdiction) -> Choices {
    Choices {
        game: Game::Switch,
        jurisdiction,
        decks: 6,
        positions: 5,
        soft_17: Soft17::Hit,
        split_hands: 2,
        side_wagers: offers(&[SideWager::Match]),
        ..blackjack()
    }
}

/// 26.2(a), 26.8(a), 26.10(c), 26.12(b).
fn double_attack() -> Choices {
    Choices {
        game: Game::DoubleAttack,
        surrender: Offered::Yes,
        side_wagers: offers(&[SideWager::DealerBust]),
        ..blackjack()
    }
}

/// 36.2(a), 36.7(e), 36.9(c), 36.11(b).
fn triple_attack() -> Choices {
    Choices {
        game: Game::TripleAttack,
        hole_card: HoleCard::Down,
        soft_17: Soft17::Hit,
        side_wagers: offers(&[SideWager::SuitedRoyals, SideWager::TripleMatch]),
        ..blackjack()
    }
}

fn offers(wagers: &[SideWager]) -> BTreeMap<SideWager, SideOffer> {
    wagers.iter().map(|&wager| (wager, SideOffer::of(wager))).collect()
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
