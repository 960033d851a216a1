//! Pairs a table with the cards from which its next round is dealt.

use crate::shoe::Shoe;
use rules::Choices;
use std::borrow::Cow;
use std::ops::Deref;

/// A table, and the cards left in its shoe.
#[derive(Clone, Debug)]
pub struct Dealt<'a> {
    choices: Cow<'a, Choices>,
    shoe: Shoe,
}

impl<'a> Dealt<'a> {
    /// Returns a table whose next round is dealt from its full shoe.
    pub fn fresh(choices: &'a Choices) -> Self {
        Self::from(choices, Shoe::fresh(choices))
    }

    /// Returns a table whose next round is dealt from the cards left in `shoe`.
    pub fn from(choices: &'a Choices, shoe: Shoe) -> Self {
        Dealt { choices: Cow::Borrowed(choices), shoe }
    }

    /// Returns the cards left in the shoe.
    pub fn shoe(&self) -> &Shoe {
        &self.shoe
    }

    /// Returns a copy of the table with the options that `change` sets, and with the same cards left in the shoe.
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
