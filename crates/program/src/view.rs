//! Views: what a player can see of the dealer's hand when deciding, which is what a strategy has columns for.

use rules::{Card, Choices, HoleCard, Total};

/// The index of a view in [`views`].
pub type ViewId = u8;

/// One thing that the dealer may show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The point value of the up card; of the lower card where both lie open.
    pub up: u8,
    /// The point value of the other card where the hole card lies face up (2.6(k)).
    pub open: Option<u8>,
}

impl View {
    /// The name of the column in a chart: `2` to `9`, `T`, `A`; with both cards open `A6`, `58`, `TT`, the lower first.
    pub fn label(self) -> String {
        [Some(self.up), self.open].into_iter().flatten().map(value_label).collect()
    }

    /// Whether the up card can belong to a blackjack.
    pub fn high(self) -> bool {
        matches!(self.up, 1 | 10)
    }

    /// The total of what is seen.
    pub fn total(self) -> Total {
        let first = Total::NONE.with(self.up);
        self.open.map_or(first, |second| first.with(second))
    }
}

/// The letter of a point value.
pub fn value_label(value: u8) -> char {
    match value {
        1 => 'A',
        10 => 'T',
        pips => char::from(b'0' + pips),
    }
}

/// All views of a table: an up card of each value, ace first; or every two values where both cards lie open.
pub fn views(choices: &Choices) -> Vec<View> {
    if choices.hole_card != HoleCard::Up {
        return (1..=10).map(|up| View { up, open: None }).collect();
    }
    let pairs = (1..=10).flat_map(|low| (low..=10).map(move |high| (low, high)));
    pairs.map(|(up, open)| View { up, open: Some(open) }).collect()
}

/// The view that these cards of the dealer give: the up card, and the hole card if it lies open.
pub fn view_of(choices: &Choices, views: &[View], up: Card, hole: Option<Card>) -> ViewId {
    let (up, hole) = (up.value(), hole.map_or(1, Card::value));
    let wanted = if choices.hole_card == HoleCard::Up {
        View { up: up.min(hole), open: Some(up.max(hole)) }
    } else {
        View { up, open: None }
    };
    views.iter().position(|&view| view == wanted).unwrap_or(0) as ViewId
}
