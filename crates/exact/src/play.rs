//! What the player does: a play that is asked of hand by hand, and the ways to come by one.

use crate::cards::{Counts, Index};
use crate::hands::Hand;
use crate::judge::{May, Origin};
use crate::turn::Action;
use crate::vocabulary::Up;

/// A play that does not look at the other hands' draws.
pub trait Play: Sync {
    /// Chooses an action for an unsplit hand from the legal ones.
    fn action(&self, hand: (Index, &Hand), origin: Origin, may: May, u: Up) -> Action;
    /// Returns whether a doubled hand is given up where that is allowed.
    fn rescues(&self, hand: (Index, &Hand), origin: Origin, u: Up) -> bool;
    /// Returns whether a dealt pair is split; `None` to do what is better.
    fn splits(&self, pair: &Hand, u: Up) -> Option<bool>;
    /// Returns whether a pair on a hand of a split is split again where that is allowed.
    fn splits_again(&self, pair: &Hand, origin: Origin, u: Up) -> bool;
    /// Returns whether a blackjack takes even money where that is offered; `None` to do what is better.
    fn takes_even_money(&self) -> Option<bool>;
    /// Returns the play in the presence of these cards of another hand, if it differs.
    fn beside(&self, _other: &Counts) -> Option<&dyn Play> {
        None
    }
}

/// How split hands are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSplit {
    /// As hands that were not split (CDZ-).
    AsDealt,
    /// Best for a pair that was split once, and so for all further hands (CDP1).
    FirstSplit,
    /// Best for the number of pair cards that the player has seen (CDP).
    PairsSeen,
}

/// Which play is valued.
#[derive(Clone, Copy)]
pub enum Way<'a> {
    /// The best one for dealt hands, with a treatment of split hands.
    Best(AfterSplit),
    /// A given one.
    Given(&'a dyn Play),
}

impl<'a> Way<'a> {
    /// Returns the play in the presence of these cards of another hand.
    pub(crate) fn beside(self, other: &Counts) -> Way<'a> {
        match self {
            Way::Given(play) => Way::Given(play.beside(other).unwrap_or(play)),
            best => best,
        }
    }
}
