//! Where the round stands: what the script says is due or awaited now, or how the round has to move on before anything is.
//! Nothing is changed here (`apply/onward.rs` makes the moves), and what is lawful is asked of `rules`.

mod before;
mod deal;
mod dealer;
mod end;
mod turn;

use crate::event::{Event, Fact, When};
use crate::round::{BoxPlay, HandPlay, Remedy, State};
use crate::settlement::Order;
use crate::table::{Next, Table};
use rules::play::{self, Situation};
use rules::script::{Offer, Step};
use rules::wager::Moment;
use rules::{Clause, clause};

/// What a look at the table finds.
pub(crate) enum Found {
    /// Something is due or awaited.
    Next(Next),
    /// The round moves on before anything else happens.
    Move(Move),
}

/// How a round moves on without anything that happens at the table.
#[derive(Clone, Copy)]
pub(crate) enum Move {
    /// The script moves to this place of the step: a box, a hand, or a kind of stake.
    Place(usize),
    /// The round moves to the next phase.
    Phase,
    /// An offer is put to the bettors whom it concerns.
    Ask(Offer),
    /// Everybody sees the dealer's blackjack.
    BlackjackSeen,
    /// The player at this place is offered a card for two sevens.
    OfferSevens(usize),
    /// The turn of the box at this place has come.
    BeginTurn(usize),
    /// What ended in the turn of the box at this place is settled.
    DuesOver(usize),
    /// Nothing more can be asked of this hand of the box at this place.
    Complete(usize, usize),
}

impl From<Next> for Found {
    fn from(next: Next) -> Found {
        Found::Next(next)
    }
}

impl From<Move> for Found {
    fn from(to: Move) -> Found {
        Found::Move(to)
    }
}

impl Table {
    /// Returns what interrupts the script at any step.
    pub(crate) fn before_all_else(&self) -> Option<Next> {
        let begun = self.round.step > 0;
        if begun
            && let Some(place) = self.custody.cutting_card_out
            && !self.custody.cutting_card_told
        {
            return Some(Next::Due(self.event(Fact::CuttingCardOut(place), self.text().cut.card_out)));
        }
        if self.round.mishaps.remedy != Remedy::Nothing
            && let Some(event) = self.remedy_due()
        {
            return Some(Next::Due(event));
        }
        if let Some(void) = self.round.void {
            return Some(self.after_void(void));
        }
        // 2.15(f) and counterparts: the discards are cut before the round goes on
        if begun && !self.custody.is_ready() {
            return Some(self.before_the_round());
        }
        self.round
            .mishaps
            .burn_due
            .then(|| Next::Due(self.event(Fact::Burned(None), self.text().irregular.reshuffle_burn)))
    }

    /// The remedy of an irregularity, which comes before anything else.
    #[cold]
    fn remedy_due(&self) -> Option<Event> {
        let up = self.round.up();
        match (self.round.mishaps.remedy, up) {
            (Remedy::NotifyOfReader, _) => {
                Some(self.event(Fact::SupervisorNotified, self.text().irregular.reader_notice))
            }
            (Remedy::NotifyOfUpCard, _) => {
                Some(self.event(Fact::SupervisorNotified, clause!("19:47-2.15(m)")))
            }
            (Remedy::FindUpCard, Some(up)) => {
                Some(self.event(Fact::UpCardFound(up), clause!("19:47-2.15(m)#2")))
            }
            (Remedy::PutBackUpCard, Some(up)) => {
                Some(self.event(Fact::UpCardPutBack(up), clause!("19:47-2.15(m)#3")))
            }
            _ => None,
        }
    }

    /// Returns what comes next in the current step of the script; `None` if the step asks for nothing more.
    ///
    /// The functions of the steps are not inlined: in the loop that asks, the address of every clause that any of them
    /// cites would be worked out before each look.
    #[inline]
    pub(crate) fn in_step(&self) -> Option<Found> {
        match self.step() {
            Step::Wagers => Some(self.before_the_round().into()),
            Step::Deal(slot) => self.deal(slot),
            Step::Ask(offer) => self.ask(offer),
            Step::InitialSideWagers => self.initial_side_wagers().map(Found::from),
            Step::TwentyPoint => {
                self.side_due(Moment::AfterHoleCard, When::Deal, Order::FromTheRight).map(Found::from)
            }
            Step::EarlyBlackjacks => self.early_blackjacks().map(Found::from),
            Step::Peek => self.peek(),
            Step::OpenBlackjack => self.open_blackjack(),
            Step::Play => self.play(),
            Step::SecondCard => self.second_card().map(Found::from),
            Step::DealerDraws => self.dealer_draws().map(Found::from),
            Step::Settle => self.settle(),
            Step::NextSpot => self.next_spot().map(Found::from),
            Step::BonusButtons => self.bonus_buttons().map(Found::from),
            Step::PickUp => Some(self.picking_up().into()),
        }
    }

    pub(crate) fn event(&self, fact: Fact, by: Clause) -> Event {
        Event { fact, by }
    }

    /// The next side wager of a moment, if there are any on the layout.
    #[inline]
    fn side_due(&self, moment: Moment, when: When, order: Order) -> Option<Next> {
        if self.round.any_side { self.next_side(moment, when, order).map(Next::Due) } else { None }
    }
}

/// Returns a hand's situation, as the questions of `rules` take it.
pub(crate) fn situation<'a>(play: &BoxPlay, hand: &'a HandPlay) -> Situation<'a> {
    Situation {
        hand: &hand.hand,
        doubled: hand.doubled,
        hands: play.hands_of(hand.group),
        other_hand_played: hand.group == 1 && play.first_hand_played,
    }
}

/// Returns whether a switch may be revoked: until a card goes to either hand, or one of them is surrendered,
/// doubled or split. 2A.7(g)2, A4.
pub(crate) fn revocable(play: &BoxPlay) -> bool {
    play.hands.len() == 2
        && play.hands.iter().all(|hand| {
            hand.hand.len() == 2
                && hand.doubled == play::Doubled::No
                && matches!(hand.state, State::Open | State::Complete)
                && !hand.card_due
        })
}
