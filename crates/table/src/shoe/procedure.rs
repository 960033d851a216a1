//! Which procedures an occasion requires, in which order, and the clause of each.

use super::{Occasion, Procedure};
use crate::ids::Person;
use rules::choice::{CutBy, Shuffle};
use rules::text::{Part, Removed};
use rules::{Choices, Clause, Shoe as ShoeKind, clause};

/// The steps that an occasion requires, in order.
pub fn procedures(choices: &Choices, occasion: Occasion) -> Vec<Procedure> {
    let automated = choices.shuffle == Shuffle::Automated;
    let mut steps = Vec::new();
    match occasion {
        Occasion::Opening | Occasion::Idle => {
            if occasion == Occasion::Opening {
                steps.push(Procedure::Inspect);
                if choices.text().cards.removed.is_some() {
                    steps.extend([
                        Procedure::RemoveTens,
                        Procedure::VerifyTens(Person(0)),
                        Procedure::DestroyTens,
                    ]);
                }
            }
            let pre_shuffled = choices.shuffle == Shuffle::PreShuffled && occasion == Occasion::Opening;
            if !pre_shuffled {
                steps.push(Procedure::Spread);
                if occasion == Occasion::Idle {
                    steps.extend([Procedure::TurnUp, Procedure::TurnDown]);
                }
                steps.push(if automated { Procedure::Stack } else { Procedure::Wash });
                // 2.5(j)2#2: at an idle table the batch that lies in the device comes out instead
                if automated && occasion == Occasion::Idle {
                    steps.push(Procedure::SwapBatches);
                } else {
                    shuffle(choices, &mut steps);
                }
            }
        }
        Occasion::CuttingCard | Occasion::LicenseeOrders => match (choices.shuffle, choices.shoe) {
            (_, ShoeKind::Continuous) => return vec![Procedure::ReturnToShuffler],
            (Shuffle::BartCarter, _) => return vec![Procedure::Shuffle, Procedure::InsertThreeStacks],
            (Shuffle::Automated, _) => steps.push(Procedure::SwapBatches),
            _ => {
                steps.push(Procedure::EmptyShoe);
                shuffle(choices, &mut steps);
            }
        },
        Occasion::OutOfCards => {
            return vec![Procedure::ReshuffleDiscards, Procedure::Cut { by: None, at: 0 }, Procedure::Burn];
        }
    }
    // 2A.4(b)1, 26.4(b)1, 36.4(b)1: no cut after a device; blackjack's 2.5(b) knows no such exception, nor 2.5(i)
    if choices.text().cut.after_device || !automated {
        steps.push(Procedure::Cut { by: None, at: 0 });
    }
    let from_the_hand = choices.shoe == ShoeKind::Hand;
    if from_the_hand {
        steps.push(Procedure::CoverBottom);
    }
    if choices.shuffle != Shuffle::BartCarter && choices.shoe != ShoeKind::Continuous {
        steps.push(Procedure::PlaceCuttingCard { behind: 0 });
    }
    steps.push(if from_the_hand { Procedure::TakeInHand } else { Procedure::Load });
    if burns(choices) {
        steps.push(Procedure::Burn);
    }
    steps
}

/// 2.6(c)#4, 2A.7(c)#5: no burn with Bart Carter; 2.6(d): none with a double shoe; 2.6A(c): by election, each round.
pub(super) fn burns(choices: &Choices) -> bool {
    choices.shuffle != Shuffle::BartCarter && choices.shoe == ShoeKind::Single
}

/// MA 4(i): the parts of a manual shuffle; elsewhere one step.
fn shuffle(choices: &Choices, steps: &mut Vec<Procedure>) {
    if choices.shuffle == Shuffle::Manual {
        steps.extend(choices.text().shuffle.parts.iter().map(|(part, _)| match part {
            Part::Plug => Procedure::Plug,
            Part::Riffle => Procedure::Riffle,
            Part::Turn => Procedure::Turn,
            Part::Strip => Procedure::Strip,
        }));
    }
    steps.push(Procedure::Shuffle);
}

/// How many cards must lie behind the cutting card.
pub fn least_behind(choices: &Choices) -> u16 {
    choices.stack_size().div_ceil(choices.text().cut.behind.max(1)) as u16
}

/// Whether the dealer cuts without asking the players: MA 4(c).
pub fn dealer_cuts(choices: &Choices) -> bool {
    choices.cut_by == CutBy::Dealer
}

/// The clause of each step.
pub fn procedure_by(choices: &Choices, occasion: Occasion, procedure: Procedure) -> Clause {
    let text = choices.text();
    let (opening, shuffle, cut) = (&text.opening, &text.shuffle, &text.cut);
    let idle = (occasion == Occasion::Idle).then_some(&opening.idle);
    let double_shoe = opening.double_shoe.filter(|_| choices.shoe == ShoeKind::Double);
    let removed = |by: fn(&Removed) -> Clause| text.cards.removed.as_ref().map_or(text.cards.by, by);
    let part = |part: Part| shuffle.parts.iter().find(|(own, _)| *own == part).map_or(shuffle.by, |p| p.1);
    match procedure {
        Procedure::Inspect => opening.inspect,
        Procedure::RemoveTens => removed(|removed| removed.remove),
        Procedure::VerifyTens(_) => removed(|removed| removed.verify),
        Procedure::DestroyTens => removed(|removed| removed.destroy),
        Procedure::Spread => match (idle, double_shoe) {
            (Some(idle), _) => idle.spread,
            (_, Some(double)) => double.spread,
            _ if choices.shuffle == Shuffle::Automated => opening.spread_for_device,
            _ => opening.spread,
        },
        Procedure::TurnUp => opening.idle.turn_up,
        Procedure::TurnDown => opening.idle.turn_down,
        Procedure::Wash => match (idle, double_shoe) {
            (Some(idle), _) => idle.wash,
            (_, Some(double)) => double.wash,
            _ => opening.wash,
        },
        Procedure::Stack => idle.map_or(opening.stack, |idle| idle.stack),
        Procedure::EmptyShoe => double_shoe.map_or(shuffle.empty_shoe, |double| double.empty),
        Procedure::Shuffle => match (choices.shuffle, occasion, shuffle.bart_carter, shuffle.by_device) {
            (Shuffle::Automated, _, _, Some(by)) => by,
            (Shuffle::BartCarter, Occasion::CuttingCard, Some([by, _]), _) => by,
            (_, Occasion::CuttingCard, ..) => shuffle.at_cutting_card,
            (_, Occasion::LicenseeOrders | Occasion::OutOfCards, ..) => shuffle.on_order,
            _ => shuffle.by,
        },
        Procedure::Plug => part(Part::Plug),
        Procedure::Riffle => part(Part::Riffle),
        Procedure::Turn => part(Part::Turn),
        Procedure::Strip => part(Part::Strip),
        Procedure::SwapBatches => match idle {
            Some(idle) => idle.swap,
            // the licensee who deals one round from each deck has it changed after the round
            None if occasion == Occasion::LicenseeOrders && choices.decks == 1 => shuffle.swap_each_round,
            None => shuffle.swap,
        },
        Procedure::Cut { by: None, .. } if choices.cut_by == CutBy::Dealer => cut.dealer_instead,
        // the dealer cuts only when every player has declined
        Procedure::Cut { by: None, .. } => cut.by_dealer,
        Procedure::Cut { .. } => cut.by,
        Procedure::PlaceCuttingCard { .. } => cut.place,
        Procedure::CoverBottom => cut.hand[0],
        Procedure::TakeInHand => cut.hand[1],
        Procedure::Load => cut.load,
        Procedure::Burn => text.deal.burn,
        Procedure::InsertThreeStacks => shuffle.bart_carter.map_or(shuffle.by, |[_, insert]| insert),
        Procedure::ReturnToShuffler => clause!("19:47-2.21"),
        Procedure::ReshuffleDiscards => text.irregular.out_of_cards,
    }
}
