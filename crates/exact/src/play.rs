//! The player's decisions: a play that is queried hand by hand, and the ways to obtain one.

use crate::cards::{Counts, Index};
use crate::hands::Hand;
use crate::judge::{LegalActions, Origin};
use crate::turn::Action;
use crate::vocabulary::Upcard;

/// A play that ignores the draws of other hands.
pub trait Play: Sync {
    /// Returns the action for a hand that is not to be split, from its legal actions `may`.
    fn action(&self, hand: (Index, &Hand), origin: Origin, may: LegalActions, u: Upcard) -> Action;
    /// Returns whether a doubled hand is surrendered after its card, where that is allowed.
    fn surrenders_doubled(&self, hand: (Index, &Hand), origin: Origin, u: Upcard) -> bool;
    /// Returns whether a dealt pair is split, or `None` to choose the better option.
    fn splits(&self, pair: &Hand, u: Upcard) -> Option<bool>;
    /// Returns whether a pair on a hand of a split is split again where that is allowed.
    fn splits_again(&self, pair: &Hand, origin: Origin, u: Upcard) -> bool;
    /// Returns whether a blackjack takes even money where it is offered, or `None` to choose the better option.
    fn takes_even_money(&self) -> Option<bool>;
    /// Returns the play to follow when the box's other hand holds these cards, or `None` if the play is the same.
    fn beside(&self, _other: &Counts) -> Option<&dyn Play> {
        None
    }
}

/// How split hands are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSplit {
    /// Split hands are played like hands that were not split (CDZ-).
    AsDealt,
    /// All split hands are played in the way that is best if the pair is split only once (CDP1).
    FirstSplit,
    /// Split hands are played in the way that is best for the number of pair cards seen (CDP).
    PairsSeen,
}

/// The play to evaluate: the best one or a supplied one.
#[derive(Clone, Copy)]
pub enum PlayChoice<'a> {
    /// The best play for dealt hands, combined with a way of playing split hands.
    Best(AfterSplit),
    /// A play that the caller supplies.
    Given(&'a dyn Play),
}

impl<'a> PlayChoice<'a> {
    /// Returns the play of a hand beside the hand `other`.
    ///
    /// Both hands are in the same box.
    pub(crate) fn beside(self, other: &Counts) -> PlayChoice<'a> {
        match self {
            PlayChoice::Given(play) => PlayChoice::Given(play.beside(other).unwrap_or(play)),
            best => best,
        }
    }
}
