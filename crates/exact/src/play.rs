//! The player's decisions: a play that is queried hand by hand, and the ways to obtain one.

use crate::cards::{Counts, Index};
use crate::hands::Hand;
use crate::judge::{LegalActions, Origin};
use crate::turn::Action;
use crate::vocabulary::Upcard;

/// A play that does not depend on the other hands' draws.
pub trait Play: Sync {
    /// Chooses an action for an unsplit hand from the legal ones.
    fn action(&self, hand: (Index, &Hand), origin: Origin, may: LegalActions, u: Upcard) -> Action;
    /// Returns whether a doubled hand is surrendered where that is allowed.
    fn rescues(&self, hand: (Index, &Hand), origin: Origin, u: Upcard) -> bool;
    /// Returns whether a dealt pair is split; `None` to choose the better option.
    fn splits(&self, pair: &Hand, u: Upcard) -> Option<bool>;
    /// Returns whether a pair on a hand of a split is split again where that is allowed.
    fn splits_again(&self, pair: &Hand, origin: Origin, u: Upcard) -> bool;
    /// Returns whether a blackjack takes even money where it is offered; `None` to choose the better option.
    fn takes_even_money(&self) -> Option<bool>;
    /// Returns the play when another hand holds these cards, if it differs.
    fn beside(&self, _other: &Counts) -> Option<&dyn Play> {
        None
    }
}

/// How split hands are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSplit {
    /// Plays split hands like hands that were not split (CDZ-).
    AsDealt,
    /// Plays all hands of a split as is best for a pair that is split only once (CDP1).
    FirstSplit,
    /// Plays split hands as is best for the number of pair cards that the player has seen (CDP).
    PairsSeen,
}

/// The play to evaluate.
#[derive(Clone, Copy)]
pub enum PlayChoice<'a> {
    /// The best play for dealt hands, with a treatment of split hands.
    Best(AfterSplit),
    /// A given play.
    Given(&'a dyn Play),
}

impl<'a> PlayChoice<'a> {
    /// Returns the play when another hand holds these cards.
    pub(crate) fn beside(self, other: &Counts) -> PlayChoice<'a> {
        match self {
            PlayChoice::Given(play) => PlayChoice::Given(play.beside(other).unwrap_or(play)),
            best => best,
        }
    }
}
