//! What the player does: the best play of dealt hands, or one that is given beforehand.

use crate::hands::{Hand, Index};
use crate::judge::{May, Origin};
use crate::num::Real;
use crate::solve::Solution;
use crate::split::AfterSplit;
use crate::turn::Action;

/// A play that does not look at the other hands' draws.
pub trait Play: Sync {
    /// What is done with a hand that is not split, among what it may do.
    fn action(&self, hand: (Index, &Hand), origin: Origin, may: May, u: usize) -> Action;
    /// Whether a hand is given up once it is doubled and may be.
    fn rescues(&self, hand: (Index, &Hand), origin: Origin, u: usize) -> bool;
    /// Whether a dealt pair is split; nothing where the better is done.
    fn splits(&self, pair: &Hand, u: usize) -> Option<bool>;
    /// Whether a pair that comes to a hand of a split is split again where it may be.
    fn splits_again(&self, pair: &Hand, origin: Origin, u: usize) -> bool;
    /// Whether a blackjack is paid at once where that is offered; nothing where the better is done.
    fn takes_even_money(&self) -> Option<bool>;
}

/// Split hands are played as the same cards are best played when they are dealt.
pub struct AsDealt<'a, R, const U: usize>(pub &'a Solution<R, U>);

impl<R: Real, const U: usize> Play for AsDealt<'_, R, U> {
    fn action(&self, (i, _): (Index, &Hand), _: Origin, may: May, u: usize) -> Action {
        self.0.turns[i as usize].as_ref().map_or(Action::Stand, |t| t.best(may, u).0)
    }

    fn rescues(&self, (i, _): (Index, &Hand), _: Origin, u: usize) -> bool {
        self.0.choices[i as usize].rescue[u]
    }

    fn splits(&self, _: &Hand, _: usize) -> Option<bool> {
        None
    }

    fn splits_again(&self, _: &Hand, _: Origin, _: usize) -> bool {
        true
    }

    fn takes_even_money(&self) -> Option<bool> {
        None
    }
}

/// Which play is valued.
#[derive(Clone, Copy)]
pub enum Way<'a> {
    /// The best one for dealt hands, with a treatment of split hands.
    Best(AfterSplit),
    /// A given one.
    Given(&'a dyn Play),
}
