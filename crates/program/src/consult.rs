//! The decisions of a fused round that depend on the count.

use crate::face::Symbol;
use crate::numbers::Numbers;
use crate::single_box::Step;

/// A decision that depends on the count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Consult {
    /// The symbol of the dealer's face-down card, which the player has not counted, or `None` if there is no such
    /// card.
    pub hidden: Option<Symbol>,
    /// The next step at each count, starting at [`crate::hand::LEAST_COUNT`].
    pub steps: Vec<Step>,
}

/// Removes decisions to which no step refers, merges equal decisions, and renumbers the decisions in the steps.
pub(crate) fn only_asked(mut steps: Vec<Step>, consults: &[Consult]) -> (Vec<Step>, Vec<Consult>) {
    let mut asked = Numbers::new();
    let mut places = vec![None; consults.len()];
    for step in &mut steps {
        if let Step::Consult(at) = step {
            let consult = usize::from(*at);
            *at = *places[consult].get_or_insert_with(|| asked.of(consults[consult].clone()) as u16);
        }
    }
    (steps, asked.into_all())
}
