//! Applies settlements, their reversal, and the end of the round.

use crate::event::{Event, Settlement};
use crate::ids::{BoxId, CardPlace, Wager};
use crate::round::{Announced, BoxPlay, HandPlay, HandState, Hole, Stakes};
use crate::shoe::Occasion;
use crate::streak::LAMMER_MOVED;
use crate::table::{Streak, Table};
use rules::choice::Shuffle;
use rules::script::Step;
use rules::settle::{self, Stake};
use rules::{Cents, Hand, Rules, Shoe};

impl Table {
    pub(super) fn settle_one(&mut self, settlement: &Settlement) {
        self.round.settled.push(*settlement);
        let spot = usize::from(settlement.spot.0);
        let bettor = usize::from(settlement.bettor.0);
        match settlement.wager {
            Wager::Stake(stake) => self.stake_settled(settlement, stake, spot, bettor),
            Wager::EvenMoney => self.stake_settled(settlement, Stake::Main, spot, bettor),
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

    pub(super) fn stake_settled(
        &mut self,
        settlement: &Settlement,
        stake: Stake,
        spot: usize,
        bettor: usize,
    ) {
        let Some(at) = self.round.box_at(settlement.box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        let Some(index) = play.hand_at(settlement.hand) else {
            return;
        };
        play.hands[index].stakes[bettor].settle(stake, spot);
        // a hand without open bets is out of the round; how it ended counts for other hands of its split
        let count = play.bettors.len();
        let hand = &mut play.hands[index];
        let open = hand.stakes[..count].iter().any(Stakes::any_open);
        if !open {
            hand.state = match hand.state {
                ended @ (HandState::Bust | HandState::Dead) => ended,
                HandState::SurrenderPending | HandState::Surrendered => HandState::Surrendered,
                HandState::Open | HandState::Complete | HandState::Done => HandState::Done,
            };
        }
        let play = &self.round.boxes[at];
        let hand = &play.hands[index];
        if !play.marks.removed && is_collected(&self.rules, play, hand) {
            self.custody.collect(hand.hand.cards().iter());
        }
    }

    pub(super) fn lammer_moved(&mut self, box_id: BoxId, bettor: u8) {
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

    /// Ends the round by order of the house (HOUSE-VOID).
    ///
    /// Settled bets stay settled, and streaks stay as they are (Q22).
    pub(super) fn voided(&mut self, event: &Event) {
        self.round.void = Some(crate::round::Void { by: event.by, reverses: false });
    }

    /// Marks a settlement of a void round as undone.
    ///
    /// Streaks need no change here, because no regulation with streak bets declares a round void.
    pub(super) fn reversed(&mut self, settlement: &Settlement) {
        let at = self.round.settled.iter().position(|settled| settled == settlement);
        self.round.reversed = at.map_or(self.round.settled.len(), |at| at + 1);
    }

    pub(super) fn start_dealer_hand(&mut self, index: usize) {
        self.round.dealer_hand_index = index;
        let up = self.round.up();
        // 2.18(f)2, (h)#2: all dealer cards except the upcard go to the rack before the next hand is dealt
        self.custody.collect(self.round.dealer.cards().iter().skip(1));
        self.round.dealer = Hand::dealt(&up.map_or(vec![], |up| vec![up]));
        self.round.announced = Announced::Nothing;
        self.round.hole = Hole::NotDealt;
        self.round.cursor = 0;
        self.round.step =
            self.script.iter().position(|&step| step == Step::SecondCard).unwrap_or(self.round.step);
    }

    /// Moves the cards of a box to the discard rack: of a paid blackjack (2.7(a)#2), or of a hand thrown in
    /// (2.6A(e)3).
    pub(super) fn cards_removed(&mut self, box_id: BoxId) {
        let Some(at) = self.round.box_at(box_id) else { return };
        let play = &mut self.round.boxes[at];
        if !play.marks.removed {
            self.custody.collect(play.hands.iter().flat_map(|hand| hand.hand.cards()));
        }
        play.marks.removed = true;
    }

    /// Picks up the players' cards from right to left, and then the dealer's cards (2.6(i) and counterparts).
    pub(super) fn pick_up(&mut self) {
        let (rules, players) = (&self.rules, self.round.boxes.iter().rev());
        let hands =
            players.flat_map(|play| play.hands.iter().filter(|hand| !lies_in_the_rack(rules, play, hand)));
        let cards = hands.flat_map(|hand| hand.hand.cards()).chain(self.round.dealer.cards());
        self.custody.pick_up(cards.copied());
    }

    /// Returns whether a hand's cards are already in the discard rack.
    ///
    /// Most cards go to the discard rack only after the round.
    pub fn lies_in_the_rack(&self, play: &BoxPlay, hand: &HandPlay) -> bool {
        lies_in_the_rack(&self.rules, play, hand)
    }

    pub(super) fn picked_up(&mut self) {
        self.pick_up();
        // streaks settled in this round are kept until it is over
        self.memory.streaks.retain(Streak::is_pending);
        self.memory.wagered_last.clear();
        // 2.3(i): an admitted player who has bet is added below; one who has not sits out again
        self.memory.admitted.clear();
        for play in &self.round.boxes {
            self.memory.wagered_last.extend(play.bettors.iter().map(|bettor| bettor.person));
        }
        self.memory.rounds_since_shuffle += 1;
        // 2A.15(a)#2, 26.15(a)#2, (b)#2, 36.14(a)#2, (b)#2; not after a missed upcard, 26.15(d), 36.14(d)
        let reshuffle = self.text().irregular.second_voids
            && (self.round.mishaps.found_face_up > 1 || self.round.mishaps.tens_found > 1);
        self.round.reset();
        // 2.21: a continuous shuffler takes the cards back each round; 2.5(h)2: Bart Carter when the rack holds a deck
        let continuous = self.rules.shoe == Shoe::Continuous;
        let bart_carter =
            self.rules.shuffle == Shuffle::BartCarter && self.custody.rack.len() > self.rules.deck().size();
        if self.custody.cut_card_out == Some(CardPlace::Determinant) {
            self.custody.turn_to_side_past_cut_card();
        }
        // 2.5(a)#3 and counterparts: a shoe that ran out counts as dealt
        let ran_out = self.custody.occasion == Occasion::OutOfCards;
        if self.custody.cut_card_out.is_some() || reshuffle || continuous || bart_carter || ran_out {
            self.custody.require(&self.rules, Occasion::CutCard);
        }
    }
}

/// Returns whether the cards of a hand are in the discard rack (2.7(a)#2, 2.6A(e)3, 2.18(f)#2).
fn lies_in_the_rack(rules: &Rules, play: &BoxPlay, hand: &HandPlay) -> bool {
    play.marks.removed || is_collected(rules, play, hand)
}

/// Returns whether a busted hand's cards are in the discard rack.
///
/// The cards go there when the hand's last bet is collected, if the table's rules say so (2.6A(e)3, 2.18(f)#2).
fn is_collected(rules: &Rules, play: &BoxPlay, hand: &HandPlay) -> bool {
    hand.state == HandState::Bust
        && settle::takes_busted_cards(rules)
        && !hand.stakes[..play.bettors.len()].iter().any(Stakes::any_open)
}
