//! The boxes whose cards lie face down, and who may see those cards.
//!
//! Players may look only at their own face-down cards, 2.6A(c), so each player gets those boxes apart from
//! the public view.

use super::awaiting::awaiting;
use super::live::Live;
use super::seats::with_own_number;
use super::view::box_view;
use crate::wire::text_of;
use ledger::PersonId;
use serde_json::Value;
use std::collections::BTreeMap;
use table::CardPlace;
use table::round::{BettorPlay, BoxPlay};

/// Returns whether `viewer` may see the cards of a box; `None` stands for the public.
///
/// Everyone may see face-up cards, but only the box's own players its face-down cards (2.6A(c)).
pub fn sees_cards_of(live: &Live, play: &BoxPlay, viewer: Option<PersonId>) -> bool {
    let of_viewer = |b: &BettorPlay| live.seats.seat(b.person).map(|s| s.person) == viewer;
    !play.marks.face_down || (viewer.is_some() && play.bettors.iter().any(of_viewer))
}

/// Returns the boxes with face-down cards of each person who bets on them, as JSON that shows these cards.
pub fn private_boxes(live: &Live) -> BTreeMap<PersonId, Value> {
    let mut private: BTreeMap<PersonId, Vec<Value>> = BTreeMap::new();
    for play in live.table.round().boxes.iter().filter(|play| play.marks.face_down) {
        for seat in play.bettors.iter().filter_map(|b| live.seats.seat(b.person)) {
            let mut seen = box_view(live, play, Some(seat.person));
            seen.awaiting = Some(awaiting(live, Some(seat.person)));
            let seen = text_of(&seen);
            let own = with_own_number(&seen, &live.seats.people(), seat.person).unwrap_or(seen);
            private.entry(seat.person).or_default().extend(serde_json::from_str::<Value>(&own));
        }
    }
    private.into_iter().map(|(person, boxes)| (person, boxes.into())).collect()
}

/// Returns whether a card that was dealt to the place `to` lies face down, hidden from the public.
pub fn is_hidden(live: &Live, to: Option<CardPlace>) -> bool {
    let round = live.table.round();
    let face_down = |box_id, hand| {
        let play = round.box_at(box_id).map(|at| &round.boxes[at])?;
        Some(play.marks.face_down || play.hands[play.hand_at(hand)?].face_down)
    };
    match to {
        Some(CardPlace::HoleDown) => true,
        Some(CardPlace::Hand(box_id, hand)) => face_down(box_id, hand).unwrap_or(false),
        _ => false,
    }
}
