//! Lists the steps that prepare the cards on each occasion, in order, and the clause of each step.

use super::{Occasion, Procedure};
use crate::ids::Person;
use rules::choice::{CutBy, OwnProcedure, Shuffle};
use rules::text::{Removed, ShuffleStep};
use rules::{Choices, Clause, Shoe as ShoeKind, clause};
use std::iter;

/// Returns the steps of preparing the cards, in order.
///
/// `device` says whether a shuffling device stands on the table.
pub fn procedures(choices: &Choices, occasion: Occasion, device: bool) -> Vec<Procedure> {
    let text = choices.text();
    let cut = Procedure::Cut { by: None, at: 0 };
    let mut steps = Vec::new();
    // both sides of a double shoe are prepared when the table opens, and after it was idle
    let both = choices.shoe == ShoeKind::Double && matches!(occasion, Occasion::Opening | Occasion::Idle);
    let sides = if both { 2 } else { 1 };
    let mut shuffled = true;
    match occasion {
        Occasion::Opening if choices.shuffle == Shuffle::PreShuffled => {
            // 2.4(a), 26.3(a), 36.3(a): pre-shuffled cards fall under 19:46-1.18(e)2 and (r), not under (b) and the
            // following
            steps.push(Procedure::Inspect);
            shuffled = false;
        }
        Occasion::Opening => {
            steps.push(Procedure::Inspect);
            if text.cards.removed.is_some() {
                let tens = [Procedure::RemoveTens, Procedure::VerifyTens(Person(0)), Procedure::DestroyTens];
                steps.extend(tens);
            }
            // 26.3(c), 36.3(c): washed whether or not a device shuffles; 2.4(e), 2A.3(d) make an exception
            let stacked = device && text.opening.stack.is_some();
            // 2.4(d), (e), 2A.3(d): each side, and each batch, by itself
            let sets = if stacked && text.shuffle.swap.is_some() { 2 } else { sides };
            let mixed = if stacked { Procedure::Stack } else { Procedure::Wash };
            steps.extend(iter::repeat_n(Procedure::Spread, sets));
            steps.extend(iter::repeat_n(mixed, sets));
        }
        Occasion::Idle => {
            steps.extend([Procedure::Spread, Procedure::TurnUp, Procedure::TurnDown]);
            if device && text.opening.idle.is_some_and(|idle| idle.device.is_some()) {
                // 2.5(j)2#2: the batch in the device comes out instead
                steps.extend([Procedure::Stack, Procedure::SwapBatches]);
                shuffled = false;
            } else {
                steps.extend(iter::repeat_n(Procedure::Wash, sides));
            }
        }
        Occasion::Requested => steps.extend([Procedure::Spread, Procedure::Stack]),
        Occasion::CutCard | Occasion::LicenseeOrders => match (choices.shuffle, choices.shoe) {
            (_, ShoeKind::Continuous) => return vec![Procedure::ReturnToShuffler],
            (Shuffle::BartCarter, _) => return vec![Procedure::Shuffle, Procedure::InsertThreeStacks],
            _ if device && text.shuffle.swap.is_some() => {
                steps.push(Procedure::SwapBatches);
                shuffled = false;
            }
            _ => steps.push(Procedure::EmptyShoe),
        },
        Occasion::ShufflerFailed => steps.push(Procedure::EmptyShoe),
        // 2.15(f) and counterparts: the discards are shuffled, by the same means as before, and cut; then one is burned
        Occasion::OutOfCards => return vec![Procedure::ReshuffleDiscards, cut],
    }
    let mut each_side = Vec::new();
    if shuffled {
        shuffle(choices, occasion, device, &mut each_side);
    }
    // 2A.4(b)1, 26.4(b)1, 36.4(b)1: no cut after a device; blackjack's 2.5(b) and 2.5(i) have no such exception
    if !device || text.cut.not_after_device.is_none() {
        each_side.push(cut);
    }
    let from_the_hand = choices.shoe == ShoeKind::Hand;
    if from_the_hand {
        each_side.push(Procedure::CoverBottom);
    }
    if has_cut_card(choices) {
        each_side.push(Procedure::PlaceCutCard { behind: 0 });
    }
    each_side.push(if from_the_hand { Procedure::TakeInHand } else { Procedure::Load });
    steps.extend(iter::repeat_n(&each_side, sides).flatten());
    if burns(choices) {
        steps.push(Procedure::Burn);
    }
    steps
}

/// Returns whether the table uses a cut card.
///
/// No cut card is used with Bart Carter (2.5(d)#5, 2A.4(f)#6), with a continuous shuffler (2.21), or where its
/// absence is approved (2.5(k)).
fn has_cut_card(choices: &Choices) -> bool {
    choices.shuffle != Shuffle::BartCarter
        && choices.shoe != ShoeKind::Continuous
        && !choices.has_own(OwnProcedure::NoCutCard)
}

/// Returns whether a card is burned after a shuffle.
///
/// No card is burned with Bart Carter (2.6(c)#4, 2A.7(c)#5), with a double shoe (2.6(d)), or where an approved
/// procedure omits the burn (2.5(k)). A table that deals from the hand burns a card before each round instead, if it
/// elects so (2.6A(c)).
pub(super) fn burns(choices: &Choices) -> bool {
    choices.shuffle != Shuffle::BartCarter
        && choices.shoe == ShoeKind::Single
        && !choices.has_own(OwnProcedure::NoBurn)
}

fn shuffle(choices: &Choices, occasion: Occasion, device: bool, steps: &mut Vec<Procedure>) {
    let by_dealer = matches!(choices.shuffle, Shuffle::Manual | Shuffle::Automated) && !device;
    match by_dealer && !choices.has_own(OwnProcedure::Shuffle) {
        // MA 4(i)(1): the cards left in the shoe are plugged, and a table that opens has none
        true => {
            steps.extend(by_hand(choices, matches!(occasion, Occasion::CutCard | Occasion::LicenseeOrders)))
        }
        false => steps.push(Procedure::Shuffle),
    }
}

/// Returns the steps of a manual shuffle: several in Massachusetts (MA 4(i)), one elsewhere.
///
/// `undealt` says whether the shoe still holds cards that must be plugged.
pub(super) fn by_hand(choices: &Choices, undealt: bool) -> Vec<Procedure> {
    let parts = choices.text().shuffle.parts.iter().map(|(part, _)| match part {
        ShuffleStep::Plug => Procedure::Plug,
        ShuffleStep::Riffle => Procedure::Riffle,
        ShuffleStep::Turn => Procedure::Turn,
        ShuffleStep::Strip => Procedure::Strip,
    });
    parts.filter(|part| undealt || *part != Procedure::Plug).chain([Procedure::Shuffle]).collect()
}

/// Returns whether a step is part of a Massachusetts manual shuffle.
pub(crate) fn is_by_hand(procedure: Procedure) -> bool {
    matches!(procedure, Procedure::Plug | Procedure::Riffle | Procedure::Turn | Procedure::Strip)
}

/// Returns the minimum number of cards behind the cut card.
///
/// The number is the table's own if the licensee chooses the place of the cut card, and the regulation's
/// otherwise.
pub fn least_behind(choices: &Choices) -> u16 {
    if choices.has_own(OwnProcedure::CutCardPlacement) {
        return choices.cut_behind.of(choices.stack_size()) as u16;
    }
    choices.stack_size().div_ceil(choices.text().cut.behind.max(1)) as u16
}

/// Returns whether the dealer always cuts, and players are not offered the cut (MA 4(c)).
pub fn dealer_cuts(choices: &Choices) -> bool {
    choices.cut_by == CutBy::Dealer
}

/// Returns the clause that requires this step of preparing the cards.
pub fn procedure_by(choices: &Choices, occasion: Occasion, device: bool, procedure: Procedure) -> Clause {
    let text = choices.text();
    let (opening, shuffle, cut) = (&text.opening, &text.shuffle, &text.cut);
    let idle = opening.idle.filter(|_| matches!(occasion, Occasion::Idle | Occasion::Requested));
    let idle_device = idle.and_then(|idle| idle.device);
    let idle = idle.filter(|_| occasion == Occasion::Idle);
    let requested =
        idle_device.and_then(|device| device.on_request.filter(|_| occasion == Occasion::Requested));
    let double_shoe = opening.double_shoe.filter(|_| choices.shoe == ShoeKind::Double);
    let removed = |by: fn(&Removed) -> Clause| text.cards.removed.as_ref().map_or(text.cards.by, by);
    let part =
        |part: ShuffleStep| shuffle.parts.iter().find(|(own, _)| *own == part).map_or(shuffle.by, |p| p.1);
    match procedure {
        Procedure::Inspect => opening.inspect,
        Procedure::RemoveTens => removed(|removed| removed.remove),
        Procedure::VerifyTens(_) => removed(|removed| removed.verify),
        Procedure::DestroyTens => removed(|removed| removed.destroy),
        Procedure::Spread => match (requested, idle, double_shoe) {
            (Some(by), ..) => by,
            (_, Some(idle), _) => idle.spread,
            (_, _, Some(double)) => double.spread,
            _ if device => opening.spread_for_device,
            _ => opening.spread,
        },
        Procedure::TurnUp => idle.map_or(opening.spread, |idle| idle.turn_up),
        Procedure::TurnDown => idle.map_or(opening.wash, |idle| idle.turn_down),
        Procedure::Wash => match (idle, double_shoe) {
            (Some(idle), _) => idle.wash,
            (_, Some(double)) => double.wash,
            _ => opening.wash,
        },
        Procedure::Stack => match requested {
            Some(by) => by,
            None => idle_device.map(|device| device.stack).or(opening.stack).unwrap_or(opening.wash),
        },
        Procedure::EmptyShoe => double_shoe.map_or(shuffle.empty_shoe, |double| double.empty),
        Procedure::Shuffle => match (choices.shuffle, occasion, shuffle.bart_carter, shuffle.by_device) {
            (_, Occasion::ShufflerFailed, ..) => text.irregular.shuffler_failed,
            (_, Occasion::Requested, ..) => requested.unwrap_or(shuffle.on_order),
            (_, _, _, Some(by)) if device => by,
            (Shuffle::BartCarter, Occasion::CutCard, Some([by, _]), _) => by,
            (_, Occasion::CutCard, ..) => shuffle.at_cut_card,
            (_, Occasion::LicenseeOrders | Occasion::OutOfCards, ..) => shuffle.on_order,
            _ => shuffle.by,
        },
        Procedure::Plug => part(ShuffleStep::Plug),
        Procedure::Riffle => part(ShuffleStep::Riffle),
        Procedure::Turn => part(ShuffleStep::Turn),
        Procedure::Strip => part(ShuffleStep::Strip),
        Procedure::SwapBatches => match idle_device {
            Some(device) => device.swap,
            // a licensee who deals one round from each deck has it changed after the round
            None => {
                let each_round = occasion == Occasion::LicenseeOrders && choices.decks == 1;
                shuffle.swap_each_round.filter(|_| each_round).or(shuffle.swap).unwrap_or(shuffle.by)
            }
        },
        // elsewhere the dealer cuts only when every player has declined
        Procedure::Cut { by: None, .. } => {
            cut.dealer_instead.filter(|_| dealer_cuts(choices)).unwrap_or(cut.by_dealer)
        }
        Procedure::Cut { .. } => cut.by,
        Procedure::PlaceCutCard { .. } => cut.place,
        Procedure::CoverBottom => cut.hand.map_or(cut.place, |[cover, _]| cover),
        Procedure::TakeInHand => cut.hand.map_or(cut.load, |[_, take]| take),
        Procedure::Load => cut.load,
        Procedure::Burn if occasion == Occasion::OutOfCards => text.irregular.reshuffle_burn,
        Procedure::Burn => text.deal.burn,
        Procedure::InsertThreeStacks => shuffle.bart_carter.map_or(shuffle.by, |[_, insert]| insert),
        Procedure::ReturnToShuffler => clause!("19:47-2.21"),
        Procedure::ReshuffleDiscards => text.irregular.out_of_cards,
    }
}
