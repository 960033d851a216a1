//! A table together with the cards that its next round is dealt from.

use crate::shoe::Shoe;
use rules::Choices;
use std::borrow::Cow;
use std::ops::Deref;

/// A table and what is left of its stack.
#[derive(Clone, Debug)]
pub struct Dealt<'a> {
    choices: Cow<'a, Choices>,
    shoe: Shoe,
}

impl<'a> Dealt<'a> {
    /// A table dealt from its full stack.
    pub fn fresh(choices: &'a Choices) -> Self {
        Self::from(choices, Shoe::fresh(choices))
    }

    /// A table dealt from what is left.
    pub fn from(choices: &'a Choices, shoe: Shoe) -> Self {
        Dealt { choices: Cow::Borrowed(choices), shoe }
    }

    /// The cards that are left.
    pub fn shoe(&self) -> &Shoe {
        &self.shoe
    }

    /// The same cards at a table that chooses otherwise.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut Choices)) -> Dealt<'static> {
        let mut choices = self.choices.clone().into_owned();
        change(&mut choices);
        Dealt { choices: Cow::Owned(choices), shoe: self.shoe.clone() }
    }
}

impl Deref for Dealt<'_> {
    type Target = Choices;

    fn deref(&self) -> &Choices {
        &self.choices
    }
}
