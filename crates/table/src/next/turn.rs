//! Determines the next step of the players' turns.

use super::{Move, Pending, revocable, situation};
use crate::event::{Announcement, Event, Fact, SettledAt};
use crate::ids::CardPlace;
use crate::round::{BoxPlay, BoxRole, HandPlay, HandState, LateCard, Peeked, SwitchState};
use crate::table::{Awaiting, Decide, Next, SwitchOption, Table};
use rules::play::{self, Actions};
use rules::wager::Moment;
use rules::{Action, Clause, Origin};

impl Table {
    /// Returns the next step of the players' turns, from the dealer's left, or `None` after the last turn.
    #[inline(never)]
    pub(super) fn next_in_play(&self) -> Option<Pending> {
        if self.round.peeked == Peeked::Blackjack {
            return None;
        }
        let at = self.round.cursor;
        if at < self.round.boxes.len() {
            return match self.next_in_turn(at) {
                None => Some(Move::Place(at + 1).into()),
                found => found,
            };
        }
        if self.round.mishaps.reported { self.next_late_drawn_card() } else { None }
    }

    /// Returns the next step of one player's turn, or `None` after the turn.
    ///
    /// A turn consists of the announcement, the side bets of the turn, the switch, and then the hands one by one.
    pub(super) fn next_in_turn(&self, at: usize) -> Option<Pending> {
        let play = &self.round.boxes[at];
        if !play.turn.begun {
            return Some(Move::BeginTurn(at).into());
        }
        if let Some(event) = self.next_event_in_turn(play) {
            return Some(Next::Due(event).into());
        }
        if play.turn.has_settlements_due {
            return Some(
                self.next_settlement_in_turn(play)
                    .map_or(Move::TurnSettled(at).into(), |due| Next::Due(due).into()),
            );
        }
        if let Some(next) = self.next_input_in_turn(play) {
            return Some(next.into());
        }
        // a hand that waits for a missed card comes after all others
        let waits = |hand: &HandPlay| hand.late_card == LateCard::Taken;
        let Some(index) = play.hands.iter().position(|hand| hand.state == HandState::Open && !waits(hand))
        else {
            let revocable = self.switch_option(play) == SwitchOption::Revoke;
            return revocable.then_some(Next::Await(Awaiting::Revocation(play.id)).into());
        };
        let hand = &play.hands[index];
        if hand.late_card == LateCard::Asked {
            return Some(Next::Await(Awaiting::LateCard(play.id)).into());
        }
        if play.role != BoxRole::RefusesCards && (hand.card_due || hand.hand.len() < 2) {
            return Some(Next::Await(Awaiting::Card(CardPlace::Hand(play.id, hand.number))).into());
        }
        let actions = self.actions(play, hand);
        if actions.is_empty() {
            // decisions that were possible when the hand was dealt no longer are, now that the other hand has been
            // played
            return Some(Move::Complete(at, index).into());
        }
        let switch = self.switch_option(play);
        let asked = Decide { box_id: play.id, hand: hand.number, actions, switch };
        Some(Next::Await(Awaiting::Decision(asked)).into())
    }

    /// Returns the next event of a turn that must precede the box owner's decision, or `None` if none is due.
    ///
    /// The event is an announcement, a turned card, or a settlement.
    fn next_event_in_turn(&self, play: &BoxPlay) -> Option<Event> {
        if !play.turn.announced && play.hands.iter().any(HandPlay::is_live) {
            return Some(self.announce_total(play));
        }
        if let Some(event) = self.next_total(play) {
            return Some(event);
        }
        if play.turn.splits_sevens
            && let Some(by) = self.text().split.sevens
        {
            let announcement = Announcement::SplittingSevens(play.id);
            return Some(self.event(Fact::Announced(announcement), by));
        }
        if play.marks.face_down
            && let Some(event) = self.face_down_cards(play)
        {
            return Some(event);
        }
        let moments = if self.round.any_side { &[Moment::Turn, Moment::Decision][..] } else { &[] };
        moments.iter().find_map(|&moment| self.next_side_of(play, moment, SettledAt::Turn, None))
    }

    /// Returns the next input of a turn before the box owner decides on a hand, or `None` if none is awaited.
    ///
    /// Instead of an input, may return the event that returns a bet on a dead hand.
    fn next_input_in_turn(&self, play: &BoxPlay) -> Option<Next> {
        if let Some(co) = self.round.co {
            return Some(Next::Await(Awaiting::CoBettors(co)));
        }
        if self.rules.late_insurance.is_yes() && play.bettors.iter().any(|bettor| !bettor.answered) {
            return Some(Next::Await(Awaiting::LateInsurance(play.id)));
        }
        let both_live = play.hands.iter().all(HandPlay::is_live);
        if play.switch == SwitchState::Offered && play.hands[0].state != HandState::Open && both_live {
            return Some(Next::Await(Awaiting::Switch(play.id)));
        }
        let irregular = &self.text().irregular;
        let let_out = irregular
            .misdelivered_remedies
            .filter(|_| play.role == BoxRole::LetOut)
            .map(|remedies| remedies.withdraw);
        let dead_by = let_out.unwrap_or(irregular.missed_draw);
        self.dead_hand_event(play, dead_by, SettledAt::Turn).map(Next::Due)
    }

    /// Returns the actions that the box owner may take on a hand.
    ///
    /// A player who refused an exposed card gets no more cards (2.15(c)#2), but may still surrender.
    pub(crate) fn actions(&self, play: &BoxPlay, hand: &HandPlay) -> Actions {
        let open = play::actions(&self.rules, &situation(play, hand));
        match play.role {
            BoxRole::RefusesCards if !open.has(Action::Surrender) => Actions::NONE,
            BoxRole::RefusesCards => Actions::NONE.with(Action::Stand).with(Action::Surrender),
            BoxRole::Plays | BoxRole::LetOut => open,
        }
    }

    pub(crate) fn switch_option(&self, play: &BoxPlay) -> SwitchOption {
        match play.switch {
            // 2A.15(g), A20: a dead hand has nothing to exchange
            SwitchState::Offered if play.hands.iter().all(HandPlay::is_live) => SwitchOption::Switch,
            SwitchState::Switched if revocable(play) => SwitchOption::Revoke,
            _ => SwitchOption::Nothing,
        }
    }

    /// Returns the next announcement of a total at a box, or `None` if none is due.
    ///
    /// An announcement is due for a hand that has received a card, or whose turn has come.
    pub(super) fn next_total(&self, play: &BoxPlay) -> Option<Event> {
        let text = self.text();
        let mut earlier_open = false;
        for hand in &play.hands {
            let silent = hand.face_down || play.marks.face_down || hand.is_out();
            if !silent && usize::from(hand.announced) < hand.hand.len() {
                let turn_of_second = hand.group == 1 && !earlier_open && play.switch != SwitchState::Offered;
                let by = match (hand.hand.len(), hand.hand.origin()) {
                    (0 | 1, _) => None,
                    (2, Origin::Split) => Some(text.split.total),
                    (2, Origin::Switched) => text.switch.map(|switch| switch.switched_total),
                    (2, Origin::Dealt) => text.switch.filter(|_| turn_of_second).map(|s| s.second_total),
                    _ => text.deal.new_total,
                };
                if let Some(by) = by {
                    let total = Announcement::PlayerTotal(play.id, hand.number, hand.hand.points());
                    return Some(self.event(Fact::Announced(total), by));
                }
            }
            earlier_open |= hand.state == HandState::Open;
        }
        None
    }

    pub(super) fn announce_total(&self, play: &BoxPlay) -> Event {
        let live = play.hands.iter().find(|hand| hand.is_live());
        let hand = live.unwrap_or(&play.hands[0]);
        let announcement = match self.switch_option(play) {
            SwitchOption::Switch => Announcement::OrSwitch(play.id, hand.number, hand.hand.points()),
            _ => Announcement::PlayerTotal(play.id, hand.number, hand.hand.points()),
        };
        match self.text().deal.total {
            by if self.text().deal.face_down.is_some() => self.event(Fact::CardsLookedAt(play.id), by),
            by => self.event(Fact::Announced(announcement), by),
        }
    }

    /// Returns the next event for a box's face-down cards (2.6A(e)1-2), or `None` if none is due.
    ///
    /// After a split, the event turns up the two cards. If the only hand is bust, the event throws in its cards.
    pub(super) fn face_down_cards(&self, play: &BoxPlay) -> Option<Event> {
        let (box_id, by) = (play.id, self.text().deal.face_down?);
        match play.hands.as_slice() {
            [hand] if hand.state == HandState::Bust => {
                Some(self.event(Fact::CardsThrownIn { box_id, hand: hand.number }, by.thrown_in))
            }
            [_] | [] => None,
            _ => self.cards_turned(play, by.split),
        }
    }

    /// Returns the event that turns over a box's first two cards, in one hand or in the two hands of a split.
    ///
    /// Returns `None` if the box has fewer than two cards.
    pub(super) fn cards_turned(&self, play: &BoxPlay, by: Clause) -> Option<Event> {
        let mut cards = play.hands.iter().flat_map(|hand| hand.hand.cards()).copied();
        let (first, second) = (cards.next()?, cards.next()?);
        Some(self.event(Fact::CardsTurned { box_id: play.id, first, second }, by))
    }

    /// Returns the next step of dealing missed cards, after all other players' cards are dealt (2.15(i)).
    ///
    /// The step deals a card that its player takes, or continues the turn of the box. `None` if no step is left.
    pub(super) fn next_late_drawn_card(&self) -> Option<Pending> {
        self.round.boxes.iter().enumerate().find_map(|(at, play)| match play.late_hand(LateCard::Taken) {
            Some(hand) => Some(Next::Await(Awaiting::Card(CardPlace::Hand(play.id, hand.number))).into()),
            None => self.next_in_turn(at),
        })
    }
}
