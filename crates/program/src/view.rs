//! Views: what a player can see of the dealer's hand when deciding, which is what a strategy has columns for.

use rules::{Card, Choices, HoleCard, Total};

/// The index of a view in [`views`].
pub type ViewId = u8;

/// One thing that the dealer may show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The point value of the up card; of the first card where both lie open.
    pub up: u8,
    /// The total of both cards where the hole card lies face up (2.6(k)).
    pub open: Option<Total>,
}

impl View {
    /// The name of the column in a chart: `2` to `9`, `T`, `A`; with both cards open `hard 12`, `soft 17`.
    pub fn label(self) -> String {
        match self.open {
            Some(total) => total_label(total),
            None => value_label(self.up).to_string(),
        }
    }

    /// Whether the up card can belong to a blackjack.
    pub fn high(self) -> bool {
        matches!(self.up, 1 | 10)
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

/// How a chart writes a total.
pub fn total_label(total: Total) -> String {
    let kind = if total.is_soft() { "soft" } else { "hard" };
    format!("{kind} {}", total.points())
}

/// All views of a table: an up card of each value, ace first; or every total of two open cards.
pub fn views(choices: &Choices) -> Vec<View> {
    if choices.hole_card != HoleCard::Up {
        return (1..=10).map(|up| View { up, open: None }).collect();
    }
    let mut all: Vec<View> = Vec::new();
    for first in 1..=10 {
        for second in 1..=10 {
            let view = open_view(first, second);
            if !all.iter().any(|v| v.open == view.open) {
                all.push(view);
            }
        }
    }
    all
}

fn open_view(first: u8, second: u8) -> View {
    View {
        up: first,
        open: Some(Total::NONE.with(first).with(second)),
    }
}

/// The view that these cards of the dealer give: the up card, and the hole card if it lies open.
pub fn view_of(choices: &Choices, views: &[View], up: Card, hole: Option<Card>) -> ViewId {
    let found = if choices.hole_card == HoleCard::Up {
        let second = hole.map_or(1, Card::value);
        let wanted = open_view(up.value(), second).open;
        views.iter().position(|view| view.open == wanted)
    } else {
        views.iter().position(|view| view.up == up.value())
    };
    found.unwrap_or(0) as ViewId
}
