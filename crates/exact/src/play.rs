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
    /// Whether a hand is given up once it is doubled and may be.
    fn rescues(&self, hand: (Index, &Hand), origin: Origin, u: Up) -> bool;
    /// Whether a dealt pair is split; nothing where the better is done.
    fn splits(&self, pair: &Hand, u: Up) -> Option<bool>;
    /// Whether a pair that comes to a hand of a split is split again where it may be.
    fn splits_again(&self, pair: &Hand, origin: Origin, u: Up) -> bool;
    /// Whether a blackjack is paid at once where that is offered; nothing where the better is done.
    fn takes_even_money(&self) -> Option<bool>;
    /// The play beside these cards of another hand, where it differs.
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
