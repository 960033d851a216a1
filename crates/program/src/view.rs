//! Defines views: what a player sees of the dealer's hand when deciding.
//!
//! A strategy has one column per view.

use rules::{Card, Choices, HoleCard, Total};

/// The index of a view in [`views`].
pub type ViewId = u8;

/// The dealer's cards visible to a deciding player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The point value of the upcard, or of the lower card if both cards are face up.
    pub up: u8,
    /// The point value of the higher card if both cards are face up, otherwise `None` (2.6(k)).
    pub open: Option<u8>,
}

impl View {
    /// Returns the name of the view's column in a chart, such as `T` or `A6`.
    ///
    /// An upcard is `2` to `9`, `T` or `A`. With both cards face up the lower card comes first: `A6`, `58`, `TT`.
    pub fn label(self) -> String {
        [Some(self.up), self.open].into_iter().flatten().map(value_label).collect()
    }

    /// Returns whether the upcard can be part of a blackjack.
    pub fn high(self) -> bool {
        matches!(self.up, 1 | 10)
    }

    /// Returns the total of the dealer's visible cards.
    pub fn total(self) -> Total {
        let first = Total::NONE.with(self.up);
        self.open.map_or(first, |second| first.with(second))
    }
}

/// Returns the letter or digit of a point value, such as `A` or `T`.
pub fn value_label(value: u8) -> char {
    match value {
        1 => 'A',
        10 => 'T',
        pips => char::from(b'0' + pips),
    }
}

/// Returns all views that a player can have at a table.
///
/// There is one view for each value of the upcard, ace first, or one for every pair of values if both cards are
/// face up.
pub fn views(choices: &Choices) -> Vec<View> {
    if choices.hole_card != HoleCard::Up {
        return (1..=10).map(|up| View { up, open: None }).collect();
    }
    let pairs = (1..=10).flat_map(|low| (low..=10).map(move |high| (low, high)));
    pairs.map(|(up, open)| View { up, open: Some(open) }).collect()
}

/// Returns the index in `views` of a player's view of the dealer's cards.
///
/// The hole card matters only at a table where it is face up.
pub fn view_of(choices: &Choices, views: &[View], up: Card, hole: Option<Card>) -> ViewId {
    let (up, hole) = (up.value(), hole.map_or(1, Card::value));
    let wanted = if choices.hole_card == HoleCard::Up {
        View { up: up.min(hole), open: Some(up.max(hole)) }
    } else {
        View { up, open: None }
    };
    views.iter().position(|&view| view == wanted).unwrap_or(0) as ViewId
}
