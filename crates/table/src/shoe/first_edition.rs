//! The steps as the first edition had them, for the records of houses that were played by it: a shuffling device made an
//! exception in every text, its batch came in after a failure, and Massachusetts plugged cards at the opening.

use super::{Occasion, Procedure, burns, by_hand};
use crate::ids::Person;
use rules::choice::Shuffle;
use rules::{Choices, Shoe};

pub(super) fn procedures(choices: &Choices, occasion: Occasion) -> Vec<Procedure> {
    let automated = choices.shuffle == Shuffle::Automated;
    let shuffle = || match choices.shuffle {
        Shuffle::Manual => by_hand(choices, true),
        _ => vec![Procedure::Shuffle],
    };
    let mut steps = Vec::new();
    match occasion {
        Occasion::Opening | Occasion::Idle => {
            if occasion == Occasion::Opening {
                steps.push(Procedure::Inspect);
                if choices.text().cards.removed.is_some() {
                    let tens =
                        [Procedure::RemoveTens, Procedure::VerifyTens(Person(0)), Procedure::DestroyTens];
                    steps.extend(tens);
                }
            }
            if choices.shuffle != Shuffle::PreShuffled || occasion == Occasion::Idle {
                steps.push(Procedure::Spread);
                if occasion == Occasion::Idle {
                    steps.extend([Procedure::TurnUp, Procedure::TurnDown]);
                }
                steps.push(if automated { Procedure::Stack } else { Procedure::Wash });
                match automated && occasion == Occasion::Idle {
                    true => steps.push(Procedure::SwapBatches),
                    false => steps.extend(shuffle()),
                }
            }
        }
        _ => match (choices.shuffle, choices.shoe) {
            (_, Shoe::Continuous) => return vec![Procedure::ReturnToShuffler],
            (Shuffle::BartCarter, _) => return vec![Procedure::Shuffle, Procedure::InsertThreeStacks],
            (Shuffle::Automated, _) => steps.push(Procedure::SwapBatches),
            _ => {
                steps.push(Procedure::EmptyShoe);
                steps.extend(shuffle());
            }
        },
    }
    if choices.text().cut.not_after_device.is_none() || !automated {
        steps.push(Procedure::Cut { by: None, at: 0 });
    }
    let from_the_hand = choices.shoe == Shoe::Hand;
    if from_the_hand {
        steps.push(Procedure::CoverBottom);
    }
    if choices.shuffle != Shuffle::BartCarter && choices.shoe != Shoe::Continuous {
        steps.push(Procedure::PlaceCuttingCard { behind: 0 });
    }
    steps.push(if from_the_hand { Procedure::TakeInHand } else { Procedure::Load });
    if burns(choices) {
        steps.push(Procedure::Burn);
    }
    steps
}
