//! Makes random legal tables: presets with random keys changed, as long as the result is legal.

use super::Chance;
use rules::choice::*;
use rules::preset::{PRESETS, preset};
use rules::ruling::RULINGS;
use rules::wager::own;
use rules::{Card, Cents, Choices, Odds, Rank, Rules, SideWager, Suit};
use std::sync::Arc;

/// Returns the rules of a preset, or `None` if the name is unknown.
pub fn of_preset(name: &str) -> Option<Arc<Rules>> {
    Rules::new(preset(name)?).ok().map(Arc::new)
}

/// The exclusive upper limit on the number of changes tried on a preset.
///
/// Most tables differ from their preset in a few keys, some in many.
const MOST_CHANGES: usize = 24;

/// Returns a random legal table.
///
/// Each change of a key is kept only if the table stays legal.
pub fn lawful(chance: &mut Chance<'_>) -> Arc<Rules> {
    let (name, _) = PRESETS[chance.below(PRESETS.len())];
    let mut choices = preset(name).expect("the presets exist");
    for _ in 0..chance.below(MOST_CHANGES) {
        let mut changed = choices.clone();
        change(&mut changed, chance);
        if Rules::new(changed.clone()).is_ok() {
            choices = changed;
        }
    }
    Arc::new(Rules::new(choices).expect("every step was legal"))
}

fn word<T: Copy>(all: &[T], chance: &mut Chance<'_>) -> T {
    all[chance.below(all.len())]
}

fn offered(chance: &mut Chance<'_>) -> Offered {
    chance.coin().into()
}

/// Changes one random key, whether or not the result is legal.
fn change(choices: &mut Choices, chance: &mut Chance<'_>) {
    match chance.below(32) {
        0 => choices.decks = 1 + chance.below(8) as u8,
        1 => choices.positions = 1 + chance.below(7) as u8,
        2 | 3 => choices.hole_card = word(HoleCard::ALL, chance),
        4 => choices.soft_17 = word(Soft17::ALL, chance),
        5 => choices.surrender = offered(chance),
        6 => choices.even_money = offered(chance),
        7 => choices.late_insurance = offered(chance),
        8 => choices.split_hands = 2 + chance.below(4) as u8,
        9 => choices.resplit_aces = offered(chance),
        10 => choices.double_after_split = offered(chance),
        11 => choices.double_card = word(DoubleCard::ALL, chance),
        12 => bonus_payouts(choices, chance),
        13 | 14 => choices.shoe = word(Shoe::ALL, chance),
        15 | 16 => choices.shuffle = word(Shuffle::ALL, chance),
        17 => choices.cut_behind = Millionths(250_000 + 50_000 * chance.below(8) as u32),
        18 => limits(choices, chance),
        19 | 20 => choices.bettors_per_box = 1 + chance.below(3) as u8,
        21 => choices.boxes_per_player = 1 + chance.below(3) as u8,
        22 => choices.mid_shoe_entry = offered(chance),
        23 => choices.attack_amount = word(AttackAmount::ALL, chance),
        24 => choices.multiple_action_required = 2 + chance.below(2) as u8,
        25 => procedures(choices, chance),
        26..=28 => side_wagers(choices, chance),
        _ => {
            let ruling = &RULINGS[chance.below(RULINGS.len())];
            let reading = word(ruling.readings, chance);
            choices.rulings.set(ruling.key, reading).expect("every ruling accepts its own readings");
        }
    }
}

fn procedures(choices: &mut Choices, chance: &mut Chance<'_>) {
    match chance.below(8) {
        0 => choices.cut_by = word(CutBy::ALL, chance),
        1 => choices.recut_by = word(RecutBy::ALL, chance),
        2 => choices.reader_reveals = word(ReaderReveals::ALL, chance),
        3 => choices.surrender_settled = word(SurrenderSettled::ALL, chance),
        4 => choices.insurance_collected = word(InsuranceCollected::ALL, chance),
        5 => choices.shared_boxes = chance.coin().then(|| chance.below(3) as u8),
        6 => {
            choices.own_procedures = vec![word(OwnProcedure::ALL, chance)];
            choices.approval = "A-1".to_string();
        }
        _ => choices.hand_burn = word(HandBurn::ALL, chance),
    }
}

fn limits(choices: &mut Choices, chance: &mut Chance<'_>) {
    choices.minimum = Cents::dollars(word(&[5, 10, 25], chance));
    choices.maximum = Cents::dollars(word(&[25, 100, 1_000], chance));
    choices.chip = Cents::dollars(word(&[1, 5, 25], chance));
}

fn bonus_payouts(choices: &mut Choices, chance: &mut Chance<'_>) {
    let payouts = &mut choices.bonus_payouts;
    match chance.below(4) {
        0 => payouts.suited_678 = offered(chance),
        1 => payouts.three_sevens = offered(chance),
        2 => payouts.five_card_21 = offered(chance),
        _ => {
            let card = |rank| Card::new(rank, Suit::Spades);
            payouts.blackjacks =
                if chance.coin() { vec![[card(Rank::Ace), card(Rank::King)]] } else { Vec::new() };
        }
    }
}

fn side_wagers(choices: &mut Choices, chance: &mut Chance<'_>) {
    let wager = word(SideWager::ALL, chance);
    if choices.side_wagers.remove(&wager).is_some() && chance.coin() {
        return;
    }
    let mut offer = SideOffer::of(wager);
    let tables = choices.text().side(wager).map_or(&[][..], |side| side.paytables);
    if chance.coin()
        && let Some(table) = chance.pick(tables)
    {
        offer.paytable = Some(table.name.to_string());
    }
    if chance.coin()
        && let Some(line) = chance.pick(&own::names(wager))
    {
        offer.odds = [(line.clone(), Odds::to_1(2 + chance.below(2_000) as u32))].into();
    }
    match wager {
        SideWager::Progressive if chance.coin() => {
            offer.meter = Some(Cents::dollars(chance.between(1, 9_000)))
        }
        SideWager::TwentyPoint => offer.cap = Some(Cents::dollars(25_000)),
        _ => {}
    }
    choices.side_wagers.insert(wager, offer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every regulation, way of dealing, side bet and ruling occurs among a few thousand tables.
    #[test]
    fn long_random_tables_reach_every_choice() {
        let mut chance = Chance::seeded(1);
        let mut seen = BTreeSet::new();
        for _ in 0..4_000 {
            let rules = lawful(&mut chance);
            seen.insert(format!("{:?} {:?}", rules.text, rules.hole_card));
            seen.insert(format!("{:?} {:?}", rules.variation, rules.shoe));
            seen.insert(format!("{:?}", rules.shuffle));
            seen.extend(rules.side_wagers.keys().map(|wager| format!("{:?}", wager)));
            for ruling in RULINGS {
                seen.insert(format!("{} {:?}", ruling.key, rules.rulings.word(ruling.key)));
            }
        }
        let readings: usize = RULINGS.iter().map(|ruling| ruling.readings.len()).sum();
        let wagers = SideWager::ALL.len();
        // 4 ways in blackjack, 3 in each Switch and in Double Attack, 2 in Triple Attack
        let dealing = 4 + 3 + 3 + 3 + 2;
        let missing = |what: &str| !seen.iter().any(|known| known == what);
        for what in ["Standard Double", "Standard Continuous", "SixToFive Hand", "BartCarter", "PreShuffled"]
        {
            assert!(!missing(what), "{what} in {seen:?}");
        }
        let shoes = seen
            .iter()
            .filter(|known| Variation::ALL.iter().any(|v| known.starts_with(&format!("{v:?} "))))
            .count();
        assert_eq!(seen.len(), readings + wagers + dealing + shoes + Shuffle::ALL.len(), "{seen:?}");
    }
}
