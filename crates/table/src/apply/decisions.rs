//! Applies accepted offers and players' decisions.

use super::split_stakes;
use crate::ids::{BoxId, HandNumber};
use crate::round::{BoxPlay, BoxRole, CoAsk, HandPlay, HandState, LateCard, Stakes, SwitchState};
use crate::table::Table;
use rules::play::Doubled;
use rules::script::{Offer, Step};
use rules::wager::Sees;
use rules::{Cents, Hand};

impl Table {
    pub(super) fn attacked(&mut self, box_id: BoxId, bettor: u8, offer: Offer, amount: Cents) {
        let at = match offer {
            Offer::Attack => 0,
            Offer::SecondAttack => 1,
            Offer::ThirdAttack => 2,
            Offer::Insurance => return,
        };
        self.in_box(box_id, |play| {
            let bettor = usize::from(bettor);
            play.hands[0].stakes[bettor].put_attack(at, amount);
            play.bettors[bettor].answered = true;
        });
    }

    pub(super) fn insured(&mut self, box_id: BoxId, bettor: u8, hand: HandNumber, amounts: [Cents; 3]) {
        let groups = self.rules.hands_per_box();
        let play = self.round.box_at(box_id).map(|at| &self.round.boxes[at]);
        let even_money =
            self.rules.even_money.is_yes() && play.is_some_and(|play| play.hands[0].hand.is_blackjack());
        self.bettor(box_id, bettor, |b| {
            b.insurance[usize::from(hand.0 - 1)] = amounts;
            let each = b.insurance[..groups].iter().all(|spots| spots.iter().any(|&s| s > Cents::ZERO));
            b.answered = each && (!even_money || b.is_covered());
        });
    }

    pub(super) fn exchange(
        &mut self,
        box_id: BoxId,
        state: SwitchState,
        exchange: fn(&Hand, &Hand) -> [Hand; 2],
    ) {
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        // 2A.7(g)2: after the turn only the cards go back; a hand that the player stood on stays so
        let turn_over = play.switch == SwitchState::Kept;
        let stood = |hand: &HandPlay| turn_over && hand.hand.points() < 21;
        play.switch = state;
        let mut stays = [false; 2];
        if let [first, second] = &mut play.hands[..] {
            stays = [stood(first), stood(second)];
            let [new_first, new_second] = exchange(&first.hand, &second.hand);
            (first.hand, second.hand) = (new_first, new_second);
            (first.state, second.state) = (HandState::Open, HandState::Open);
            // 2A.7(g)1#2: new totals are announced; those of a revoked switch have been
            (first.announced, second.announced) = (0, 0);
            if state != SwitchState::Switched {
                first.announced = 2;
            }
        }
        play.first_hand_played = false;
        for (index, stays) in stays.into_iter().enumerate() {
            match stays {
                true => self.round.boxes[at].hands[index].state = HandState::Complete,
                false => self.complete_if_done(at, index),
            }
        }
        if turn_over && self.round.boxes[at].hands.iter().any(|hand| hand.state == HandState::Open) {
            self.round.step =
                self.script.iter().position(|&step| step == Step::Play).unwrap_or(self.round.step);
            self.round.cursor = at;
        }
    }

    pub(super) fn doubled(
        &mut self,
        box_id: BoxId,
        number: HandNumber,
        bettor: usize,
        amounts: [Cents; 3],
        face_down: bool,
    ) {
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let box_owner = usize::from(self.round.boxes[at].box_owner);
        let play = &mut self.round.boxes[at];
        let Some(index) = play.hand_at(number) else { return };
        play.hands[index].stakes[bettor].put_double(amounts);
        if bettor == box_owner {
            let hand = &mut play.hands[index];
            hand.doubled = Doubled::Yes;
            hand.card_due = true;
            hand.face_down = face_down;
            if play.switch == SwitchState::Offered {
                play.switch = SwitchState::Closed;
            }
            play.first_hand_played |= play.hands[index].group == 0;
            self.ask_co_bettors(at, index, CoAsk::Double(at, number));
        } else {
            play.bettors[bettor].answered = true;
            self.co_answered();
        }
    }

    /// Asks every co-bettor with money on the hand to reply to the box owner's double or split.
    ///
    /// The double or split takes effect after all replies.
    pub(super) fn ask_co_bettors(&mut self, at: usize, index: usize, ask: CoAsk) {
        let play = &mut self.round.boxes[at];
        let box_owner = usize::from(play.box_owner);
        let mut any = false;
        for bettor in 0..play.bettors.len() {
            let concerned = bettor != box_owner && !play.hands[index].stakes[bettor].is_empty();
            play.bettors[bettor].answered = !concerned;
            any |= concerned;
        }
        self.round.co = any.then_some(ask);
    }

    pub(super) fn co_answered(&mut self) {
        let at = match self.round.co {
            Some(CoAsk::Double(at, _) | CoAsk::Split(at, ..)) => at,
            None => return,
        };
        if self.round.boxes[at].bettors.iter().all(|bettor| bettor.answered) {
            self.round.co = None;
        }
    }

    pub(super) fn split(&mut self, box_id: BoxId, number: HandNumber, new: HandNumber) {
        let continues =
            self.rules.rulings.progressive_split_aces == rules::ruling::ProgressiveSplitAces::Continue;
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        let Some(index) = play.hand_at(number) else { return };
        let box_owner = usize::from(play.box_owner);
        let [first, second] = play.hands[index].hand.split();
        let old = play.hands[index];
        // 2.11(f): an initial pair of sevens with its side bet, which no other hand can have open during its turn
        play.turn.splits_sevens = play.bettors.iter().any(|bettor| bettor.has_open(Sees::Sevens));
        let mut twin = HandPlay::new(new.0, old.group);
        twin.hand = second;
        twin.stakes[box_owner] = split_stakes(&old.stakes[box_owner]);
        play.hands[index].hand = first;
        play.hands[index].announced = 0;
        play.hands.insert(index + 1, twin);
        play.next_number += 1;
        play.series_open &= continues && old.hand.cards()[0].is_ace();
        if play.switch == SwitchState::Offered {
            play.switch = SwitchState::Closed;
        }
        play.first_hand_played |= old.group == 0;
        self.ask_co_bettors(at, index, CoAsk::Split(at, number, new));
    }

    pub(super) fn covered(&mut self, box_id: BoxId, bettor: usize) {
        let Some(CoAsk::Split(at, number, new)) = self.round.co else {
            return;
        };
        let play = &mut self.round.boxes[at];
        debug_assert_eq!(play.id, box_id);
        if let (Some(old), Some(twin)) = (play.hand_at(number), play.hand_at(new)) {
            play.hands[twin].stakes[bettor] = split_stakes(&play.hands[old].stakes[bettor]);
        }
        play.bettors[bettor].answered = true;
    }

    pub(super) fn followed(&mut self, box_id: BoxId, bettor: usize, hand: HandNumber) {
        let Some(CoAsk::Split(at, number, new)) = self.round.co else {
            return;
        };
        let play = &mut self.round.boxes[at];
        debug_assert_eq!(play.id, box_id);
        if hand == new
            && let (Some(old), Some(twin)) = (play.hand_at(number), play.hand_at(new))
        {
            play.hands[twin].stakes[bettor] = play.hands[old].stakes[bettor];
            play.hands[old].stakes[bettor] = Stakes::NONE;
        }
        play.bettors[bettor].answered = true;
    }

    pub(super) fn late_card_answered(&mut self, box_id: BoxId, taken: bool) {
        self.in_box(box_id, |play| {
            let asked = play.hands.iter_mut().find(|hand| hand.late_card == LateCard::Asked);
            let Some(hand) = asked else { return };
            if taken {
                hand.late_card = LateCard::Taken;
                return;
            }
            hand.late_card = LateCard::None;
            hand.state = HandState::Dead;
            hand.card_due = false;
        });
    }

    /// Stops dealing to the player who refused the exposed card, at every box that the player owns.
    ///
    /// See 2.15(c)#2 and counterparts.
    pub(super) fn refused(&mut self, box_id: BoxId) {
        let calls =
            |play: &BoxPlay| play.bettors.get(usize::from(play.box_owner)).map(|box_owner| box_owner.person);
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let who = calls(&self.round.boxes[at]);
        for at in 0..self.round.boxes.len() {
            let play = &self.round.boxes[at];
            if calls(play) == who && play.role == BoxRole::Plays {
                self.no_more_cards(at);
            }
        }
    }

    fn no_more_cards(&mut self, at: usize) {
        self.round.boxes[at].role = BoxRole::RefusesCards;
        for index in 0..self.round.boxes[at].hands.len() {
            let hand = &mut self.round.boxes[at].hands[index];
            // a missed card to be dealt late is an additional card too: 2.15(i)
            hand.late_card = LateCard::None;
            let asked = std::mem::take(&mut hand.card_due);
            if hand.state != HandState::Open {
                continue;
            }
            hand.state = HandState::Complete;
            // 2.8(a)#2, 2A.9(a)#2: a player who has asked for a card can no longer surrender; 26.8(a)#2 allows it
            if !asked || self.text().surrender.is_some_and(|rule| rule.until_standing) {
                self.complete_if_done(at, index);
            }
        }
    }

    pub(super) fn double_turned(&mut self, box_id: BoxId, number: HandNumber) {
        let spot = self.round.dealer_hand_index;
        self.in_box(box_id, |play| {
            let Some(index) = play.hand_at(number) else { return };
            play.hands[index].face_down = false;
            play.hands[index].turned_on = Some(spot);
            if play.hands[index].hand.is_bust() {
                play.hands[index].state = HandState::Bust;
            }
            if play.series_open {
                play.series.extend(play.hands[index].hand.cards().last());
            }
        });
    }
}
