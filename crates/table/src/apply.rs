//! `apply`: carries an event out. It is total, decides nothing, and is the only place that changes a table.

use crate::event::{Event, Fact, Finding, Settlement};
use crate::ids::{BoxId, HandNumber, Place, Side, Wager};
use crate::irregular::Irregularity;
use crate::round::{
    BettorPlay, CoAsk, HandPlay, Hole, LateCard, Opening, Peeked, Remedy, SevensCard, Stakes, State,
    SwitchState,
};
use crate::shoe::{Occasion, Procedure};
use crate::streak::LAMMER_MOVED;
use crate::table::{Awaiting, Next, Streak, Table};
use rules::choice::Shuffle;
use rules::play::Doubled;
use rules::script::{Offer, Step};
use rules::settle::Stake;
use rules::{Card, Cents, Game, Hand, Shoe};

impl Table {
    /// Carries the event out and finds what comes next.
    pub fn apply(&mut self, event: &Event) {
        self.change(event);
        self.find_next();
    }

    fn change(&mut self, event: &Event) {
        match event.fact {
            Fact::Performed(procedure) => self.performed(procedure),
            Fact::CutOffered(box_id) => self.custody.cut_put_to = Some(box_id),
            Fact::CutDeclined(box_id) => self.custody.cut_offered.push(box_id),
            Fact::CuttingCardOut(place) => {
                self.custody.cutting_card_out = Some(place);
                self.custody.cutting_card_told = true;
            }
            Fact::Burned(card) => self.burned(card),
            Fact::BurnDisclosed(_) => {}
            Fact::SetAside(card) => self.custody.burn(Some(card)),
            Fact::Destroyed(card) => self.destroyed(card, event),
            Fact::Determined { card, drawn_from, deals } => self.determined(card, drawn_from, deals),
            Fact::DealerRelieved(_) => self.custody.dealer_relieved(&self.rules),
            Fact::ReshuffleOrdered => self.custody.require(&self.rules, Occasion::LicenseeOrders),

            Fact::RecutOrdered => self.custody.cut_again(&self.rules),
            Fact::FellIdle => {
                self.custody.require(&self.rules, Occasion::Idle);
                self.memory.first_player = None;
                self.memory.wagered_boxes.clear();
            }

            Fact::Seated { box_id, .. } => {
                self.memory.first_player.get_or_insert(box_id);
                if !self.memory.wagered_boxes.contains(&box_id) {
                    self.memory.wagered_boxes.push(box_id);
                }
            }
            Fact::SupervisorNotified | Fact::UpCardFound(_) | Fact::UpCardPutBack(_) => {
                self.round.remedy = self.round.remedy.next();
            }
            Fact::CardsTucked(box_id) => self.in_box(box_id, |play| play.tucked = true),
            Fact::CardsRemoved(box_id) => self.in_box(box_id, |play| play.removed = true),
            Fact::CardsLookedAt(box_id) => self.in_box(box_id, |play| play.announced = true),
            Fact::CardsTurned(box_id) | Fact::CardsThrownIn { box_id, .. } => {
                self.in_box(box_id, |play| play.face_down = false);
            }
            Fact::Consented(box_id) => {
                let at = self.round.open_box(box_id);
                self.round.boxes[at].consent = true;
            }
            Fact::Admitted(person) => self.memory.admitted.push(person),
            Fact::Wagered { box_id, person, seated, amounts } => {
                let at = self.round.open_box(box_id);
                self.memory.first_player.get_or_insert(box_id);
                self.round.boxes[at].bettors.push(BettorPlay::new(person, seated, amounts));
            }
            Fact::SideWagered { box_id, bettor, bet, amount } => {
                self.side_wagered(box_id, bettor.0, bet, amount)
            }
            Fact::Withdrawn { box_id, bettor } => self.withdrawn(box_id, usize::from(bettor.0)),
            Fact::WagersClosed => self.wagers_closed(),
            Fact::MeterRaised { meter, .. } => {
                self.memory.meter = meter;
                self.round.opening = self.round.opening.next();
            }
            Fact::MeterReset(seed) => self.memory.meter = seed,

            Fact::Dealt { to, card } => self.dealt(to, card),
            Fact::Announced(announcement) => self.announced(announcement),
            Fact::Attacked { box_id, bettor, offer, amount } => {
                self.attacked(box_id, bettor.0, offer, amount)
            }
            Fact::Declined { box_id, bettor, .. } => self.bettor(box_id, bettor.0, |b| b.answered = true),
            Fact::Insured { box_id, bettor, hand, amounts } => self.insured(box_id, bettor.0, hand, amounts),
            Fact::EvenMoneyTaken { box_id, bettor } => self.bettor(box_id, bettor.0, |b| {
                b.answered = true;
                b.even_money = true;
            }),
            Fact::ReaderUsed(finding) => {
                self.round.peeked = match finding {
                    Finding::Blackjack => Peeked::Blackjack,
                    Finding::NoBlackjack => Peeked::NoBlackjack,
                }
            }

            Fact::SwitchDeclined(box_id) => self.in_box(box_id, |play| play.switch = SwitchState::Closed),
            Fact::Switched(box_id) => self.exchange(box_id, SwitchState::Switched, Hand::switched),
            Fact::Revoked(box_id) => self.exchange(box_id, SwitchState::Closed, Hand::restored),
            Fact::Stood { box_id, hand } => self.in_hand(box_id, hand, |play| play.state = State::Complete),
            Fact::Drew { box_id, hand } => self.in_hand(box_id, hand, |play| play.card_due = true),
            Fact::Doubled { box_id, hand, bettor, amounts, face_down } => {
                self.doubled(box_id, hand, usize::from(bettor.0), amounts, face_down);
            }
            Fact::NotDoubled { box_id, bettor, .. } => {
                self.bettor(box_id, bettor.0, |b| b.answered = true);
                self.co_answered();
            }
            Fact::Split { box_id, hand, new } => self.split(box_id, hand, new),
            Fact::Covered { box_id, bettor } => {
                self.covered(box_id, usize::from(bettor.0));
                self.co_answered();
            }
            Fact::Followed { box_id, bettor, hand } => {
                self.followed(box_id, usize::from(bettor.0), hand);
                self.co_answered();
            }
            Fact::Surrendered { box_id, hand } => {
                self.in_hand(box_id, hand, |play| play.state = State::Parked);
                self.in_box(box_id, |play| play.dues = true);
            }
            Fact::SevensCard { box_id, taken } => self.in_box(box_id, |play| {
                play.sevens_card = if taken { SevensCard::Due } else { SevensCard::Over };
            }),
            Fact::LateCard { box_id, taken } => self.late_card_answered(box_id, taken),
            Fact::Refused(box_id) => self.refused(box_id),

            Fact::HoleTurned(card) => {
                self.round.dealer.push(card);
                self.round.hole = Hole::Turned;
            }
            Fact::DoubleTurned { box_id, hand } => self.double_turned(box_id, hand),
            Fact::Approved { what, .. } => {
                use crate::event::Approval::*;
                let (Progressive(box_id, bettor) | Bonus(box_id, bettor) | QueensOfHearts(box_id, bettor)) =
                    what;
                self.bettor(box_id, bettor.0, |b| b.approved = true);
            }
            Fact::LightOn(box_id) => self.in_box(box_id, |play| play.light_on = true),
            Fact::LightsCounted(_) => self.round.opening = self.round.opening.next(),
            Fact::CardsVerified { box_id, bettor }
            | Fact::LightVerified { box_id, bettor }
            | Fact::AmountVerified { box_id, bettor, .. } => {
                self.bettor(box_id, bettor.0, |b| b.checks += 1);
            }
            Fact::ButtonPlaced { box_id, bettor } => self.bettor(box_id, bettor.0, |b| b.button = true),
            Fact::Awarded { box_id, bettor, amount } => {
                self.bettor(box_id, bettor.0, |b| b.award = Some(amount))
            }
            Fact::Settled(settlement) => self.settle_one(&settlement),
            Fact::LammerMoved { box_id, bettor, .. } => self.lammer_moved(box_id, bettor.0),
            Fact::NextDealerHand(spot) => self.next_dealer_hand(usize::from(spot.0)),
            Fact::PickedUp => self.picked_up(),

            Fact::Irregular(irregularity) => self.irregular(irregularity, event),
            Fact::Voided => self.voided(event),
            Fact::Reversed(settlement) => self.reversed(&settlement),
        }
    }

    fn in_box(&mut self, box_id: BoxId, change: impl FnOnce(&mut crate::round::BoxPlay)) {
        if let Some(at) = self.round.box_at(box_id) {
            change(&mut self.round.boxes[at]);
        }
    }

    fn in_hand(&mut self, box_id: BoxId, hand: HandNumber, change: impl FnOnce(&mut HandPlay)) {
        self.in_box(box_id, |play| {
            if let Some(at) = play.hand_at(hand) {
                let group = play.hands[at].group;
                // 2A.9(a)#2: to stand, draw, double or split; a surrender is none of these, nor is 21 a choice
                let chosen = play.hands[at].hand.points() < 21;
                change(&mut play.hands[at]);
                let surrendered = play.hands[at].state == State::Parked;
                // 2A.7(h): a decision on a hand closes the offer; 2A.7(g)2 (A4): the end of the turn the revocation
                let turn_over = play.hands.iter().all(|hand| hand.state != State::Open);
                if play.switch == SwitchState::Offered || turn_over {
                    play.switch = SwitchState::Closed;
                }
                if group == 0 && chosen && !surrendered {
                    play.first_hand_played = true;
                }
            }
        });
    }

    fn bettor(&mut self, box_id: BoxId, bettor: u8, change: impl FnOnce(&mut BettorPlay)) {
        self.in_box(box_id, |play| {
            if let Some(bettor) = play.bettors.get_mut(usize::from(bettor)) {
                change(bettor);
            }
        });
    }

    fn performed(&mut self, procedure: Procedure) {
        self.custody.perform(procedure);
        let fresh = matches!(
            procedure,
            Procedure::Load
                | Procedure::TakeInHand
                | Procedure::SwapBatches
                | Procedure::InsertThreeStacks
                | Procedure::ReturnToShuffler
        );
        if fresh {
            self.shuffled();
        }
    }

    /// 2.3(i): after a shuffle everyone may wager again.
    fn shuffled(&mut self) {
        self.memory.rounds_since_shuffle = 0;
        self.memory.admitted.clear();
    }

    fn burned(&mut self, card: Option<Card>) {
        match card {
            Some(card) if self.round.exposed == Some(card) => {
                self.round.exposed = None;
                self.custody.burn(Some(card));
            }
            _ => self.custody.burn(card),
        }
        self.round.burn_due = false;
        if self.round.opening == Opening::HandBurn {
            self.round.opening = self.round.opening.next();
        }
    }

    fn destroyed(&mut self, card: Card, event: &Event) {
        self.custody.destroy(card);
        self.round.tens_found += 1;
        if self.round.tens_found > 1 {
            self.round.void = Some(crate::round::Void { by: event.by, reverses: true });
        }
    }

    fn determined(&mut self, card: Card, drawn_from: Side, deals: Side) {
        self.custody.use_side(drawn_from);
        self.round.opening = Opening::Over;
        if drawn_from == deals {
            // 2.6(d)2: it becomes the first player's first card
            let place = self.round.boxes.first().map(|play| Place::Hand(play.id, play.hands[0].number));
            if let Some(place) = place {
                self.dealt(place, Some(card));
            }
        } else {
            self.custody.burn(Some(card));
            self.custody.use_side(deals);
        }
    }

    fn side_wagered(&mut self, box_id: BoxId, bettor: u8, bet: rules::SideBet, amount: Cents) {
        let mut person = None;
        self.bettor(box_id, bettor, |b| {
            person = Some(b.person);
            if bet.streak().is_none() {
                b.side[bet as usize] = amount;
            }
        });
        self.round.any_side = true;
        let (Some(person), Some(hands)) = (person, bet.streak()) else {
            return;
        };
        let at = usize::from(hands - 2);
        let known = self.memory.streaks.iter_mut().find(|s| s.person == person && s.box_id == box_id);
        match known {
            Some(streak) => streak.bets[at] = amount,
            None => {
                let mut bets = [Cents::ZERO; 4];
                bets[at] = amount;
                let placed = self.memory.round_number;
                self.memory.streaks.push(Streak { person, box_id, bets, wins: 0, placed });
            }
        }
    }

    /// The wager leaves the box, with the side wagers; a streak that was pending before stays, and may be abandoned.
    fn withdrawn(&mut self, box_id: BoxId, bettor: usize) {
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let person = self.round.boxes[at].bettors.remove(bettor).person;
        let now = self.memory.round_number;
        self.memory
            .streaks
            .retain(|streak| (streak.person, streak.box_id) != (person, box_id) || streak.placed < now);
        if self.round.boxes[at].bettors.is_empty() {
            self.round.boxes.remove(at);
        }
    }

    fn wagers_closed(&mut self) {
        let per_box = self.rules.hands_per_box();
        let switch = self.rules.game == Game::Switch;
        let face_down = self.rules.variation == rules::Variation::SixToFive;
        self.memory.wagered_boxes.clear();
        // a box that somebody consented to share but nobody wagered on takes no part
        self.round.boxes.retain(|play| !play.bettors.is_empty());
        for play in &mut self.round.boxes {
            self.memory.wagered_boxes.push(play.id);
            play.choose_caller();
            play.next_number = per_box as u8 + 1;
            play.face_down = face_down;
            for group in 0..per_box {
                let mut hand = HandPlay::new(group as u8 + 1, group as u8);
                for (at, bettor) in play.bettors.iter().enumerate() {
                    hand.stakes[at].base = bettor.main;
                }
                play.hands.push(hand);
            }
            if switch {
                play.switch = SwitchState::Offered;
            }
        }
        self.round.opening = if self.needs_opening() { Opening::Abandoned } else { Opening::Over };
        self.round.step = 1;
        self.round.cursor = 0;
        self.memory.round_number += 1;
    }

    fn needs_opening(&self) -> bool {
        !self.rules.side_wagers.is_empty()
            || !self.memory.streaks.is_empty()
            || matches!(self.rules.shoe, Shoe::Double | Shoe::Hand)
    }

    /// A card arrives where it was awaited.
    fn dealt(&mut self, to: Place, card: Option<Card>) {
        if self.round.exposed.is_some() && self.round.exposed == card {
            self.round.exposed = None;
        }
        let turned = to == Place::Dealer && self.round.hole == Hole::Down(None);
        if turned && let Some(card) = card {
            self.custody.turn(card);
            self.round.dealer.push(card);
            self.round.hole = Hole::Turned;
            return;
        }
        if self.custody.deal(card) {
            self.custody.cutting_card_out = Some(to);
        }
        match (to, card) {
            (Place::Dealer, Some(card)) => self.round.dealer.push(card),
            (Place::HoleDown, card) => self.round.hole = Hole::Down(card),
            (Place::Hand(box_id, number), Some(card)) => self.dealt_to_hand(box_id, number, card),
            _ => {}
        }
    }

    fn dealt_to_hand(&mut self, box_id: BoxId, number: HandNumber, card: Card) {
        if matches!(self.step(), Step::Deal(_)) {
            self.round.cursor += 1;
        }
        let playing = self.step() == Step::Play;
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        if play.sevens_card == SevensCard::Due {
            // for the side wager only: the hand has lost or pushed already
            play.sevens_card = SevensCard::Over;
            play.series.push(card);
            return;
        }
        let Some(index) = play.hand_at(number) else { return };
        let hand = &mut play.hands[index];
        hand.late_card = LateCard::None;
        hand.hand.push(card);
        hand.card_due = false;
        let face_down = hand.face_down;
        if play.series_open && !face_down && play.series.len() < 4 {
            play.series.push(card);
        }
        let hand = &play.hands[index];
        // the initial two cards may already be complete: a blackjack takes no decisions
        if playing || hand.hand.len() == 2 {
            self.complete_if_done(at, index);
        }
    }

    /// A hand that nothing more can be asked of is complete, or has passed 21.
    pub(crate) fn complete_if_done(&mut self, at: usize, index: usize) {
        let play = &self.round.boxes[at];
        let hand = &play.hands[index];
        let state = if hand.hand.is_bust() && !hand.face_down {
            State::Bust
        } else if self.actions(play, hand).is_empty() || hand.face_down || play.refuses_cards {
            State::Complete
        } else {
            State::Open
        };
        let play = &mut self.round.boxes[at];
        play.hands[index].state = state;
        if state != State::Open {
            play.dues = true;
        }
    }

    fn announced(&mut self, announcement: crate::event::Announcement) {
        use crate::event::Announcement::*;
        match announcement {
            NoMoreBets => self.round.opening = self.round.opening.next(),
            Bonus(box_id, bettor, _) => self.bettor(box_id, bettor.0, |b| b.checks += 1),
            DealersCard => self.round.dealer_card_announced = true,
            DealerTotal(_) => self.round.dealer_total_announced = true,
            Blackjack(box_id) => self.in_box(box_id, |play| play.announced = true),
            PlayerTotal(box_id, number, _) | OrSwitch(box_id, number, _) => self.in_box(box_id, |play| {
                play.announced = true;
                if let Some(at) = play.hand_at(number) {
                    play.hands[at].announced = play.hands[at].hand.len() as u8;
                }
            }),
            SplittingSevens(box_id) => self.in_box(box_id, |play| play.splits_sevens = false),
        }
    }

    fn attacked(&mut self, box_id: BoxId, bettor: u8, offer: Offer, amount: Cents) {
        let at = match offer {
            Offer::Attack => 0,
            Offer::SecondAttack => 1,
            Offer::ThirdAttack => 2,
            Offer::Insurance => return,
        };
        self.in_box(box_id, |play| {
            let bettor = usize::from(bettor);
            play.hands[0].stakes[bettor].attack[at] = amount;
            play.bettors[bettor].answered = true;
        });
    }

    fn insured(&mut self, box_id: BoxId, bettor: u8, hand: HandNumber, amounts: [Cents; 3]) {
        let groups = self.rules.hands_per_box();
        self.bettor(box_id, bettor, |b| {
            b.insurance[usize::from(hand.0 - 1)] = amounts;
            b.answered = b.insurance[..groups].iter().all(|spots| spots.iter().any(|&s| s > Cents::ZERO));
        });
    }

    fn exchange(&mut self, box_id: BoxId, state: SwitchState, exchange: fn(&Hand, &Hand) -> [Hand; 2]) {
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        play.switch = state;
        if let [first, second] = &mut play.hands[..] {
            let [new_first, new_second] = exchange(&first.hand, &second.hand);
            (first.hand, second.hand) = (new_first, new_second);
            (first.state, second.state) = (State::Open, State::Open);
            // 2A.7(g)1#2: new totals are announced; those of a revoked switch have been
            (first.announced, second.announced) = (0, 0);
            if state != SwitchState::Switched {
                first.announced = 2;
            }
        }
        play.first_hand_played = false;
        for index in 0..2 {
            self.complete_if_done(at, index);
        }
    }

    fn doubled(
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
        let caller = usize::from(self.round.boxes[at].caller);
        let play = &mut self.round.boxes[at];
        let Some(index) = play.hand_at(number) else { return };
        play.hands[index].stakes[bettor].double = amounts;
        if bettor == caller {
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

    /// Co-bettors with money on the hand are asked before the caller's decision takes effect.
    fn ask_co_bettors(&mut self, at: usize, index: usize, ask: CoAsk) {
        let play = &mut self.round.boxes[at];
        let caller = usize::from(play.caller);
        let mut any = false;
        for bettor in 0..play.bettors.len() {
            let concerned = bettor != caller && !play.hands[index].stakes[bettor].is_empty();
            play.bettors[bettor].answered = !concerned;
            any |= concerned;
        }
        self.round.co = any.then_some(ask);
    }

    fn co_answered(&mut self) {
        let at = match self.round.co {
            Some(CoAsk::Double(at, _) | CoAsk::Split(at, ..)) => at,
            None => return,
        };
        if self.round.boxes[at].bettors.iter().all(|bettor| bettor.answered) {
            self.round.co = None;
        }
    }

    fn split(&mut self, box_id: BoxId, number: HandNumber, new: HandNumber) {
        let continues =
            self.rules.rulings.progressive_split_aces == rules::ruling::ProgressiveSplitAces::Continue;
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        let Some(index) = play.hand_at(number) else { return };
        let caller = usize::from(play.caller);
        let [first, second] = play.hands[index].hand.split();
        let old = play.hands[index];
        // 2.11(f): the initial pair of sevens with its side wager
        play.splits_sevens = play.series_open
            && rules::wager::sevens::waits(&play.series)
            && play.bettors.iter().any(|bettor| bettor.side_open(rules::SideBet::Sevens));
        let mut twin = HandPlay::new(new.0, old.group);
        twin.hand = second;
        twin.stakes[caller] = split_stakes(&old.stakes[caller]);
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

    fn covered(&mut self, box_id: BoxId, bettor: usize) {
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

    fn followed(&mut self, box_id: BoxId, bettor: usize, hand: HandNumber) {
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

    fn late_card_answered(&mut self, box_id: BoxId, taken: bool) {
        self.in_box(box_id, |play| {
            let asked = play.hands.iter_mut().find(|hand| hand.late_card == LateCard::Asked);
            let Some(hand) = asked else { return };
            if taken {
                hand.late_card = LateCard::Taken;
                return;
            }
            hand.late_card = LateCard::None;
            hand.state = State::Done;
            hand.card_due = false;
        });
    }

    fn refused(&mut self, box_id: BoxId) {
        self.in_box(box_id, |play| {
            play.refuses_cards = true;
            for hand in &mut play.hands {
                hand.card_due = false;
                if hand.state == State::Open {
                    hand.state = State::Complete;
                }
            }
        });
    }

    fn double_turned(&mut self, box_id: BoxId, number: HandNumber) {
        self.in_box(box_id, |play| {
            let Some(index) = play.hand_at(number) else { return };
            play.hands[index].face_down = false;
            if play.hands[index].hand.is_bust() {
                play.hands[index].state = State::Bust;
            }
            if play.series_open && play.series.len() < 4 {
                play.series.extend(play.hands[index].hand.cards().last());
            }
        });
    }

    fn settle_one(&mut self, settlement: &Settlement) {
        self.round.settled.push(*settlement);
        let spot = usize::from(settlement.spot.0);
        let bettor = usize::from(settlement.bettor.0);
        match settlement.wager {
            Wager::Stake(stake) => self.stake_settled(settlement, stake, spot, bettor),
            Wager::EvenMoney => {
                self.stake_settled(settlement, Stake::Main, spot, bettor);
                self.bettor(settlement.box_id, settlement.bettor.0, |b| b.answered = true);
            }
            Wager::Insurance => {
                let group = usize::from(settlement.hand.0 - 1);
                self.bettor(settlement.box_id, settlement.bettor.0, |b| {
                    b.insurance_settled |= 1 << (group * 3 + spot)
                });
            }
            Wager::Side(bet) => match bet.streak() {
                Some(hands) => {
                    let of = |s: &Streak| s.person == settlement.person && s.box_id == settlement.box_id;
                    if let Some(streak) = self.memory.streaks.iter_mut().find(|s| of(s)) {
                        streak.bets[usize::from(hands - 2)] = Cents::ZERO;
                    }
                }
                None => {
                    self.bettor(settlement.box_id, settlement.bettor.0, |b| b.side_settled |= 1 << bet as u32)
                }
            },
        }
    }

    fn stake_settled(&mut self, settlement: &Settlement, stake: Stake, spot: usize, bettor: usize) {
        let Some(at) = self.round.box_at(settlement.box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        let Some(index) = play.hand_at(settlement.hand) else {
            return;
        };
        play.hands[index].stakes[bettor].settled |= Stakes::bit(stake, spot);
        // a hand with nothing left on it is out of the round, but a busted one is still remembered as such
        let count = play.bettors.len();
        let hand = &mut play.hands[index];
        let open = hand.stakes[..count].iter().any(|stakes| {
            Stake::ALL.into_iter().any(|kind| {
                (0..3).any(|spot| stakes.amount(kind, spot) > Cents::ZERO && !stakes.is_settled(kind, spot))
            })
        });
        if !open && hand.state != State::Bust {
            hand.state = State::Done;
        }
    }

    fn lammer_moved(&mut self, box_id: BoxId, bettor: u8) {
        let mut person = None;
        self.bettor(box_id, bettor, |b| {
            b.side_settled |= LAMMER_MOVED;
            person = Some(b.person);
        });
        for streak in &mut self.memory.streaks {
            if Some(streak.person) == person && streak.box_id == box_id {
                streak.wins += 1;
            }
        }
    }

    /// Q22: a void round does not count for a streak, so the lammers go back.
    fn voided(&mut self, event: &Event) {
        self.round.void = Some(crate::round::Void { by: event.by, reverses: true });
        for play in &mut self.round.boxes {
            for bettor in &mut play.bettors {
                if bettor.side_settled & LAMMER_MOVED == 0 {
                    continue;
                }
                bettor.side_settled &= !LAMMER_MOVED;
                let of = |s: &&mut Streak| s.person == bettor.person && s.box_id == play.id;
                for streak in self.memory.streaks.iter_mut().filter(of) {
                    streak.wins -= 1;
                }
            }
        }
    }

    /// A streak that a void round had decided is pending again.
    fn reversed(&mut self, settlement: &Settlement) {
        let at = self.round.settled.iter().position(|settled| settled == settlement);
        self.round.reversed = at.map_or(self.round.settled.len(), |at| at + 1);
        let Wager::Side(bet) = settlement.wager else {
            return;
        };
        let Some(hands) = bet.streak() else { return };
        let of = |s: &&mut Streak| s.person == settlement.person && s.box_id == settlement.box_id;
        for streak in self.memory.streaks.iter_mut().filter(of) {
            streak.bets[usize::from(hands - 2)] = settlement.staked;
        }
    }

    fn next_dealer_hand(&mut self, spot: usize) {
        self.round.spot = spot;
        let up = self.round.up();
        self.round.dealer = Hand::dealt(&up.map_or(vec![], |up| vec![up]));
        self.round.dealer_card_announced = false;
        self.round.dealer_total_announced = false;
        self.round.hole = Hole::NotDealt;
        self.round.cursor = 0;
        self.round.step =
            self.script.iter().position(|&step| step == Step::SecondCard).unwrap_or(self.round.step);
    }

    /// 2.6(i) and counterparts: from the player at the far right to the left, the dealer's cards last.
    fn pick_up(&mut self) {
        let players = self.round.boxes.iter().rev();
        let cards = players
            .flat_map(|play| &play.hands)
            .flat_map(|hand| hand.hand.cards())
            .chain(self.round.dealer.cards());
        self.custody.pick_up(cards.copied());
    }

    fn picked_up(&mut self) {
        self.pick_up();
        // streaks are remembered until now, so that a void round can bring them back
        self.memory.streaks.retain(Streak::is_pending);
        self.memory.wagered_last.clear();
        for play in &self.round.boxes {
            self.memory.wagered_last.extend(play.bettors.iter().map(|bettor| bettor.person));
        }
        self.memory.rounds_since_shuffle += 1;
        // 2A.15(a)#2, 26.15(a)#2, (b)#2, 36.14(a)#2, (b)#2; not after a missed up card, 26.15(d), 36.14(d)
        let reshuffle =
            self.rules.game != Game::Blackjack && (self.round.found_face_up > 1 || self.round.tens_found > 1);
        self.round.reset();
        // 2.21: a continuous shuffler takes the cards back each round; 2.5(h)2: Bart Carter when the rack holds a deck
        let continuous = self.rules.shoe == Shoe::Continuous;
        let bart_carter =
            self.rules.shuffle == Shuffle::BartCarter && self.custody.rack.len() > self.rules.deck().size();
        if self.custody.cutting_card_out.is_some() || reshuffle || continuous || bart_carter {
            self.custody.require(&self.rules, Occasion::CuttingCard);
        }
    }

    fn irregular(&mut self, irregularity: Irregularity, event: &Event) {
        match irregularity {
            Irregularity::FoundFaceUp(card) => {
                self.custody.burn(Some(card));
                self.round.found_face_up += 1;
                if self.round.found_face_up > 1 && self.rules.game != Game::Blackjack {
                    self.round.void = Some(crate::round::Void { by: event.by, reverses: true });
                }
            }
            Irregularity::TenFound(card) => self.destroyed(card, event),
            Irregularity::Exposed(card) => self.round.exposed = Some(card),
            Irregularity::DrewOnStanding(card) => self.custody.burn(Some(card)),
            Irregularity::Misdelivered(card) => {
                self.custody.burn(Some(card));
                self.round.misdelivered = true;
            }
            Irregularity::MovedForward(card) => {
                self.round.exposed = Some(card);
                self.round.misdelivered = true;
            }
            Irregularity::LetOut(box_id) => self.in_box(box_id, |play| {
                play.let_out = true;
                for hand in play.hands.iter_mut().filter(|hand| hand.is_live()) {
                    hand.state = State::Done;
                    hand.card_due = false;
                    hand.late_card = LateCard::None;
                }
            }),
            Irregularity::SeenInMixing => self.custody.pending.push(match self.rules.shuffle {
                Shuffle::Automated => Procedure::Stack,
                _ => Procedure::Wash,
            }),
            Irregularity::MissedOwnCard => self.missed_own_card(event),
            Irregularity::MissedBox(box_id) => self.missed_box(box_id),
            Irregularity::MissedDraw(box_id) => self.in_box(box_id, |play| {
                let missed =
                    |hand: &&mut HandPlay| hand.state == State::Open && hand.late_card == LateCard::None;
                if let Some(hand) = play.hands.iter_mut().find(missed) {
                    hand.late_card = LateCard::Asked;
                }
            }),
            Irregularity::ReaderMisused => {
                self.round.remedy = Remedy::NotifyOfReader;
                if self.rules.reader_reveals == rules::choice::ReaderReveals::HoleCard {
                    self.round.void = Some(crate::round::Void { by: event.by, reverses: false });
                }
            }
            Irregularity::ReaderFailed => self.memory.reader_failed = true,
            Irregularity::LightFailed(box_id) => self.memory.lights_out |= 1 << box_id.0.min(31),
            Irregularity::BonusFailed(box_id) => self.in_box(box_id, |play| {
                for bettor in &mut play.bettors {
                    bettor.bonus_failed = true;
                }
            }),
            Irregularity::DoubleDealtUp(box_id) => self.in_box(box_id, |play| {
                for hand in &mut play.hands {
                    hand.face_down = false;
                }
            }),
            Irregularity::OutOfCards => {
                self.custody.perform(Procedure::ReshuffleDiscards);
                self.round.burn_due = true;
            }
            Irregularity::ShufflerFailed => self.custody.require(&self.rules, Occasion::LicenseeOrders),
            Irregularity::ShufflerRemoved => self.custody.device_on_table = false,
            Irregularity::BurnForgotten => self.custody.pending.retain(|&step| step != Procedure::Burn),
            Irregularity::DrawnUnexposed | Irregularity::WrongSide | Irregularity::UpCardNotMoved => {}
            Irregularity::UpCardDiscarded => self.round.remedy = Remedy::NotifyOfUpCard,
        }
    }

    fn missed_own_card(&mut self, event: &Event) {
        match self.rules.game {
            Game::Blackjack | Game::Switch => self.round.own_card_late = true,
            Game::DoubleAttack | Game::TripleAttack => {
                self.round.void = Some(crate::round::Void { by: event.by, reverses: true });
            }
        }
    }

    /// 2.15(g): no initial card means a dead hand; one card may be followed by a late second.
    fn missed_box(&mut self, box_id: BoxId) {
        let mut dead = false;
        self.in_awaited_hand(|hand| {
            dead = hand.hand.is_empty();
            if dead {
                hand.state = State::Done;
            } else {
                hand.late_card = LateCard::Asked;
            }
        });
        if dead {
            // A20: no switch with only one live hand
            self.in_box(box_id, |play| play.switch = SwitchState::Closed);
        }
        self.round.cursor += 1;
    }

    /// The hand that the next card was to go to.
    fn in_awaited_hand(&mut self, change: impl FnOnce(&mut HandPlay)) {
        let Next::Await(Awaiting::Card(Place::Hand(box_id, number))) = self.next else {
            return;
        };
        self.in_box(box_id, |play| {
            if let Some(at) = play.hand_at(number) {
                change(&mut play.hands[at]);
            }
        });
    }
}

/// The money on a new hand of a split: everything that was on the old one before a double.
fn split_stakes(old: &Stakes) -> Stakes {
    Stakes {
        base_kind: Stake::Split,
        base: [old.undoubled(0), old.undoubled(1), old.undoubled(2)],
        ..Stakes::NONE
    }
}
