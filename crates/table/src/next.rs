//! Determines the next event or input of a round from its script.
//!
//! Nothing changes here: `apply/advance.rs` changes the state, and the crate `rules` says what is legal.

mod before;
mod deal;
mod dealer;
mod end;
mod turn;

use crate::event::{Event, Fact, SettledAt};
use crate::round::{BoxPlay, HandPlay, HandState, Remedy};
use crate::settlement::Order;
use crate::table::{Next, Table};
use rules::Clause;
use rules::play::{self, Situation};
use rules::script::{Offer, Step};
use rules::wager::Moment;

/// The next event, input or move at a table.
pub(crate) enum Pending {
    /// An event that is due, or an input that is awaited.
    Next(Next),
    /// A move that the round must make before the next event or input.
    Move(Move),
}

/// A change that advances the round without an event.
#[derive(Clone, Copy)]
pub(crate) enum Move {
    /// Moves to this position within the current step: a box, a hand, or a kind of stake.
    Place(usize),
    /// Moves the round to the next phase.
    Phase,
    /// Makes an offer to the bettors whom it concerns.
    Ask(Offer),
    /// Makes the dealer's blackjack known to everybody.
    BlackjackSeen,
    /// Offers a card for two sevens to the player of the box at this index.
    OfferSevens(usize),
    /// Begins the turn of the box at this index.
    BeginTurn(usize),
    /// Records that nothing is left to settle from the turn of the box at this index.
    TurnSettled(usize),
    /// Completes the hand at the second index, in the box at the first index, because it needs no more decisions.
    Complete(usize, usize),
}

impl From<Next> for Pending {
    fn from(next: Next) -> Pending {
        Pending::Next(next)
    }
}

impl From<Move> for Pending {
    fn from(to: Move) -> Pending {
        Pending::Move(to)
    }
}

impl Table {
    /// Returns the event or input that must precede the current step, or `None` if nothing interrupts the script.
    pub(crate) fn interruption(&self) -> Option<Next> {
        let begun = self.round.step > 0;
        if begun
            && let Some(place) = self.custody.cut_card_out
            && !self.custody.cut_card_announced
        {
            return Some(Next::Due(self.event(Fact::CutCardOut(place), self.text().cut.card_out)));
        }
        if self.round.mishaps.remedy != Remedy::Nothing
            && let Some(event) = self.remedy_due()
        {
            return Some(Next::Due(event));
        }
        if let Some(void) = self.round.void {
            return Some(self.next_after_void(void));
        }
        // 2.15(f) and counterparts: the discards are cut before the round continues
        if begun && !self.custody.is_ready() {
            return Some(self.next_before_round());
        }
        self.round
            .mishaps
            .burn_due
            .then(|| Next::Due(self.event(Fact::Burned(None), self.text().irregular.reshuffle_burn)))
    }

    /// Returns the event of an irregularity's remedy, or `None` if no remedy is due.
    #[cold]
    fn remedy_due(&self) -> Option<Event> {
        let irregular = &self.text().irregular;
        match (self.round.mishaps.remedy, self.round.up(), irregular.up_card) {
            (Remedy::NotifyOfReader, ..) => {
                Some(self.event(Fact::SupervisorNotified, irregular.reader_notice))
            }
            (Remedy::NotifyOfUpCard, _, Some(by)) => Some(self.event(Fact::SupervisorNotified, by.notified)),
            (Remedy::FindUpCard, Some(up), Some(by)) => Some(self.event(Fact::UpCardFound(up), by.found)),
            (Remedy::PutBackUpCard, Some(up), Some(by)) => {
                Some(self.event(Fact::UpCardPutBack(up), by.put_back))
            }
            _ => None,
        }
    }

    /// Returns the next event, input or move of the current step, or `None` if the step is finished.
    ///
    /// The functions of the steps are not inlined: inlined, the calling loop would load the address of every
    /// clause that any of them cites before each check.
    #[inline]
    pub(crate) fn next_in_step(&self) -> Option<Pending> {
        match self.step() {
            Step::Wagers => Some(self.next_before_round().into()),
            Step::Deal(slot) => self.next_in_deal(slot),
            Step::Ask(offer) => self.next_in_offer(offer),
            Step::InitialSideWagers => self.next_initial_side_wager().map(Pending::from),
            Step::HoleCardSideWagers => {
                self.side_due(Moment::AfterHoleCard, SettledAt::Deal, Order::FromTheRight).map(Pending::from)
            }
            Step::EarlyBlackjacks => self.next_early_blackjack().map(Pending::from),
            Step::Peek => self.next_in_peek(),
            Step::OpenBlackjack => self.next_at_open_blackjack(),
            Step::Play => self.next_in_play(),
            Step::SecondCard => self.next_for_second_card().map(Pending::from),
            Step::DealerDraws => self.next_in_dealer_draws().map(Pending::from),
            Step::Settle => self.next_in_settlement(),
            Step::NextDealerHand => self.next_dealer_hand().map(Pending::from),
            Step::BonusButtons => self.next_bonus_button().map(Pending::from),
            Step::PickUp => Some(self.next_in_pick_up().into()),
        }
    }

    pub(crate) fn event(&self, fact: Fact, by: Clause) -> Event {
        Event { fact, by }
    }

    /// Returns the settlement of the next side bet that is due at `moment`, or `None` if none is.
    #[inline]
    fn side_due(&self, moment: Moment, when: SettledAt, order: Order) -> Option<Next> {
        if self.round.any_side { self.next_side(moment, when, order).map(Next::Due) } else { None }
    }
}

/// Returns a hand's situation, from which the crate `rules` derives the allowed actions.
pub(crate) fn situation<'a>(play: &BoxPlay, hand: &'a HandPlay) -> Situation<'a> {
    Situation {
        hand: &hand.hand,
        doubled: hand.doubled,
        hands: play.hands_of(hand.group),
        other_hand_played: hand.group == 1 && play.first_hand_played,
    }
}

/// Returns whether the box's switch may still be revoked.
///
/// The player may revoke the switch until a card is dealt to either hand, or either hand is surrendered, doubled
/// or split: 2A.7(g)2, A4.
pub(crate) fn revocable(play: &BoxPlay) -> bool {
    play.hands.len() == 2
        && play.hands.iter().all(|hand| {
            hand.hand.len() == 2
                && hand.doubled == play::Doubled::No
                && matches!(hand.state, HandState::Open | HandState::Complete)
                && !hand.card_due
        })
}
