//! Which procedures an occasion requires, in which order, and the clause of each.

use super::{Occasion, Procedure};
use crate::ids::Person;
use rules::choice::{CutBy, Shuffle};
use rules::{Choices, Clause, Deck, Game, Jurisdiction, Shoe as ShoeKind, Variation, clause};

/// The steps that an occasion requires, in order.
pub fn procedures(choices: &Choices, occasion: Occasion) -> Vec<Procedure> {
    let automated = choices.shuffle == Shuffle::Automated;
    let mut steps = Vec::new();
    match occasion {
        Occasion::Opening | Occasion::Idle => {
            if occasion == Occasion::Opening {
                steps.push(Procedure::Inspect);
                if choices.deck() == Deck::FORTY_EIGHT {
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
    if choices.game == Game::Blackjack || !automated {
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
    if choices.jurisdiction == Jurisdiction::Ma && choices.shuffle == Shuffle::Manual {
        steps.extend([
            Procedure::Plug,
            Procedure::Riffle,
            Procedure::Riffle,
            Procedure::Turn,
            Procedure::Strip,
            Procedure::Riffle,
        ]);
    }
    steps.push(Procedure::Shuffle);
}

/// The least number of cards from either end at which the cards may be cut: 2.5(c), 2A.4(f), 26.4(e), 36.4(e);
/// MA 4(f) one deck.
pub fn least_cut(choices: &Choices) -> u16 {
    match choices.jurisdiction {
        Jurisdiction::Nj => 10,
        Jurisdiction::Ma => 52,
    }
}

/// How many cards must lie behind the cutting card.
pub fn least_behind(choices: &Choices) -> u16 {
    let stack = choices.stack_size();
    let least = match choices.variation {
        Variation::SixToFive => stack.div_ceil(3),
        _ => stack.div_ceil(4),
    };
    least.min(stack) as u16
}

/// Whether the dealer cuts without asking the players: MA 4(c).
pub fn dealer_cuts(choices: &Choices) -> bool {
    choices.cut_by == CutBy::Dealer
}

/// 2.5(c), 2A.4(f), 26.4(e), 36.4(e): how the cards are cut.
pub fn cut_by(choices: &Choices) -> Clause {
    match choices.game {
        Game::Blackjack => clause!("19:47-2.5(c)"),
        Game::Switch => clause!("19:47-2A.4(f)"),
        Game::DoubleAttack => clause!("19:47-26.4(e)"),
        Game::TripleAttack => clause!("19:47-36.4(e)"),
    }
}

/// The clause of each step in the text in force.
pub fn procedure_by(choices: &Choices, occasion: Occasion, procedure: Procedure) -> Clause {
    let idle = occasion == Occasion::Idle;
    let double = choices.shoe == ShoeKind::Double;
    let automated = choices.shuffle == Shuffle::Automated;
    let row: [Clause; 4] = match procedure {
        Procedure::Spread if idle => [
            clause!("19:47-2.5(j)"),
            clause!("19:47-2A.4(i)"),
            clause!("19:47-26.4(i)"),
            clause!("19:47-36.4(h)"),
        ],
        Procedure::TurnUp => [
            clause!("19:47-2.5(j)#2"),
            clause!("19:47-2A.4(i)#2"),
            clause!("19:47-26.4(i)#2"),
            clause!("19:47-36.4(h)#2"),
        ],
        Procedure::TurnDown => [
            clause!("19:47-2.5(j)#3"),
            clause!("19:47-2A.4(i)#3"),
            clause!("19:47-26.4(i)#3"),
            clause!("19:47-36.4(h)#3"),
        ],
        Procedure::Wash if idle => [
            clause!("19:47-2.5(j)1"),
            clause!("19:47-2A.4(i)1"),
            clause!("19:47-26.4(i)#3"),
            clause!("19:47-36.4(h)#3"),
        ],
        Procedure::Stack if idle => [
            clause!("19:47-2.5(j)2"),
            clause!("19:47-2A.4(i)2"),
            clause!("19:47-26.4(i)#3"),
            clause!("19:47-36.4(h)#3"),
        ],
        Procedure::SwapBatches if idle && matches!(choices.game, Game::Blackjack | Game::Switch) => [
            clause!("19:47-2.5(j)2#2"),
            clause!("19:47-2A.4(i)2#2"),
            clause!("19:47-26.4(b)1"),
            clause!("19:47-36.4(b)1"),
        ],
        Procedure::CoverBottom => [clause!("19:47-2.5(i)"); 4],
        Procedure::TakeInHand => [clause!("19:47-2.6A(b)"); 4],
        Procedure::Inspect => [
            clause!("19:47-2.4(a)"),
            clause!("19:47-2A.3(a)"),
            clause!("19:47-26.3(a)"),
            clause!("19:47-36.3(a)"),
        ],
        Procedure::RemoveTens => [
            clause!("19:47-26.3(b)"),
            clause!("19:47-26.3(b)"),
            clause!("19:47-26.3(b)"),
            clause!("19:47-36.3(b)"),
        ],
        Procedure::VerifyTens(_) => [
            clause!("19:47-26.3(b)#2"),
            clause!("19:47-26.3(b)#2"),
            clause!("19:47-26.3(b)#2"),
            clause!("19:47-36.3(b)#2"),
        ],
        Procedure::DestroyTens => [
            clause!("19:47-26.3(b)#3"),
            clause!("19:47-26.3(b)#3"),
            clause!("19:47-26.3(b)#3"),
            clause!("19:47-36.3(b)#3"),
        ],
        Procedure::Spread => [
            if double {
                clause!("19:47-2.4(d)")
            } else if automated {
                clause!("19:47-2.4(e)")
            } else {
                clause!("19:47-2.4(b)")
            },
            if automated { clause!("19:47-2A.3(d)") } else { clause!("19:47-2A.3(b)") },
            clause!("19:47-26.3(b)#4"),
            clause!("19:47-36.3(b)#4"),
        ],
        Procedure::Wash => [
            if double { clause!("19:47-2.4(d)#2") } else { clause!("19:47-2.4(c)") },
            clause!("19:47-2A.3(c)"),
            clause!("19:47-26.3(c)"),
            clause!("19:47-36.3(c)"),
        ],
        Procedure::Stack => [
            clause!("19:47-2.4(e)#2"),
            clause!("19:47-2A.3(d)#2"),
            clause!("19:47-26.3(c)"),
            clause!("19:47-36.3(c)"),
        ],
        Procedure::EmptyShoe => [
            if double { clause!("19:47-2.6(l)2.ii") } else { clause!("19:47-2.6(l)2.i") },
            clause!("19:47-2A.7(n)2"),
            clause!("19:47-26.7(j)2"),
            clause!("19:47-36.7(l)2"),
        ],
        Procedure::Shuffle => [
            match (choices.shuffle, occasion) {
                (Shuffle::Automated, _) => clause!("19:47-2.2(d)3"),
                (Shuffle::BartCarter, Occasion::CuttingCard) => clause!("19:47-2.6(m)"),
                (_, Occasion::CuttingCard) => clause!("19:47-2.5(a)#3"),
                (_, Occasion::LicenseeOrders) => clause!("19:47-2.5(a)#2"),
                _ => clause!("19:47-2.5(a)"),
            },
            match (choices.shuffle, occasion) {
                (Shuffle::BartCarter, Occasion::CuttingCard) => clause!("19:47-2A.7(o)"),
                _ => clause!("19:47-2A.4(a)"),
            },
            match occasion {
                Occasion::Opening | Occasion::Idle => clause!("19:47-26.4(a)"),
                _ => clause!("19:47-26.4(a)#2"),
            },
            match occasion {
                Occasion::Opening | Occasion::Idle => clause!("19:47-36.4(a)"),
                _ => clause!("19:47-36.4(a)#2"),
            },
        ],
        Procedure::Plug => [clause!("MA-BJS 4(i)(1)"); 4],
        Procedure::Riffle => [clause!("MA-BJS 4(i)(2)"); 4],
        Procedure::Turn => [clause!("MA-BJS 4(i)(3)"); 4],
        Procedure::Strip => [clause!("MA-BJS 4(i)(4)"); 4],
        Procedure::SwapBatches => {
            let blackjack = match choices.variation {
                // the licensee who deals one round from each deck has it changed after the round
                Variation::SixToFive if occasion == Occasion::LicenseeOrders && choices.decks == 1 => {
                    clause!("19:47-2.5(i)#3")
                }
                Variation::SixToFive => clause!("19:47-2.2(e)#3"),
                _ => clause!("19:47-2.2(d)4"),
            };
            [blackjack, clause!("19:47-2A.4(b)1"), clause!("19:47-26.4(b)1"), clause!("19:47-36.4(b)1")]
        }
        Procedure::Cut { .. } => [
            match procedure {
                // the dealer cuts only when every player has declined
                Procedure::Cut { by: None, .. } => clause!("19:47-2.5(f)#2"),
                _ => clause!("19:47-2.5(c)"),
            },
            match procedure {
                Procedure::Cut { by: None, .. } if choices.cut_by == CutBy::Dealer => {
                    clause!("MA-BJS 4(c)#2")
                }
                Procedure::Cut { by: None, .. } => clause!("19:47-2A.4(e)#2"),
                _ => clause!("19:47-2A.4(f)"),
            },
            match procedure {
                Procedure::Cut { by: None, .. } => clause!("19:47-26.4(c)#2"),
                _ => clause!("19:47-26.4(e)"),
            },
            match procedure {
                Procedure::Cut { by: None, .. } => clause!("19:47-36.4(c)#2"),
                _ => clause!("19:47-36.4(e)"),
            },
        ],
        Procedure::PlaceCuttingCard { .. } => {
            let blackjack = match choices.variation {
                Variation::SixToFive => clause!("19:47-2.5(i)#2"),
                _ => clause!("19:47-2.5(d)#3"),
            };
            [blackjack, clause!("19:47-2A.4(f)#4"), clause!("19:47-26.4(e)#4"), clause!("19:47-36.4(e)#4")]
        }
        Procedure::Load => [
            clause!("19:47-2.5(d)#4"),
            clause!("19:47-2A.4(f)#5"),
            clause!("19:47-26.4(e)#5"),
            clause!("19:47-36.4(e)#5"),
        ],
        Procedure::Burn => [
            clause!("19:47-2.6(c)"),
            clause!("19:47-2A.7(c)"),
            clause!("19:47-26.7(c)"),
            clause!("19:47-36.7(c)"),
        ],
        Procedure::InsertThreeStacks => [
            clause!("19:47-2.6(m)#2"),
            clause!("19:47-2A.7(o)#2"),
            clause!("19:47-2.6(m)#2"),
            clause!("19:47-2.6(m)#2"),
        ],
        Procedure::ReturnToShuffler => [clause!("19:47-2.21"); 4],
        Procedure::ReshuffleDiscards => {
            let blackjack = match choices.variation {
                Variation::SixToFive => clause!("19:47-2.15(f)#2"),
                _ => clause!("19:47-2.15(f)"),
            };
            [blackjack, clause!("19:47-2A.15(f)"), clause!("19:47-26.15(g)"), clause!("19:47-36.14(g)")]
        }
    };
    let by = row[choices.game as usize];
    // Massachusetts leaves the opening and an idle table to the rules of its Commission: MA 3
    match choices.jurisdiction {
        Jurisdiction::Ma if by.id().starts_with("19:47-2A.4(i)") => clause!("MA-BJS 3"),
        _ => by,
    }
}
