//! Questions of a fused round to the count.

use crate::face::Symbol;
use crate::numbers::Numbers;
use crate::solo::Step;

/// What follows at each count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Consult {
    /// A card on the table that has not been seen and does not count.
    pub hidden: Option<Symbol>,
    /// By count, from the least that is told apart.
    pub steps: Vec<Step>,
}

/// The same steps with only those questions that are asked, each once.
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
