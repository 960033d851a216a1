//! The player's strategy, queried hand by hand, and the strategies to evaluate.

use crate::cards::{Counts, Index};
use crate::hands::Hand;
use crate::judge::{LegalActions, Origin};
use crate::turn::Action;
use crate::vocabulary::Upcard;

/// A strategy whose decisions on a hand ignore the draws of other hands.
pub trait Play: Sync {
    /// Returns the action for a hand that is not split, out of its legal actions `may`.
    fn action(&self, hand: (Index, &Hand), origin: Origin, may: LegalActions, u: Upcard) -> Action;
    /// Returns whether a doubled hand is surrendered after its double card, where that is allowed.
    fn surrenders_doubled(&self, hand: (Index, &Hand), origin: Origin, u: Upcard) -> bool;
    /// Returns whether a dealt pair is split, or `None` to take whichever is worth more.
    fn splits(&self, pair: &Hand, u: Upcard) -> Option<bool>;
    /// Returns whether a pair that a split formed is split again, where that is allowed.
    fn splits_again(&self, pair: &Hand, origin: Origin, u: Upcard) -> bool;
    /// Returns whether a blackjack takes even money where it is offered, or `None` to take whichever is worth
    /// more.
    fn takes_even_money(&self) -> Option<bool>;
    /// Returns the strategy for a hand whose box has `_other` as its other hand, or `None` for this same strategy.
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

/// The strategy to evaluate: the best one, or one that the caller supplies.
#[derive(Clone, Copy)]
pub enum PlayChoice<'a> {
    /// The best play of dealt hands, with this way of playing split hands.
    Best(AfterSplit),
    /// A strategy that the caller supplies.
    Given(&'a dyn Play),
}

impl<'a> PlayChoice<'a> {
    /// Returns the strategy to follow when the box's other hand is `other`.
    pub(crate) fn beside(self, other: &Counts) -> PlayChoice<'a> {
        match self {
            PlayChoice::Given(play) => PlayChoice::Given(play.beside(other).unwrap_or(play)),
            best => best,
        }
    }
}
