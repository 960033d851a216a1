//! Decides on commands about a hand: players' decisions, co-bettors' replies, cards offered or refused.

use super::{Decided, no_bet_on};
use crate::command::Decision;
use crate::event::Fact;
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber};
use crate::next::situation;
use crate::round::{BoxPlay, BoxRole, CoAsk, HandPlay, HandState};
use crate::table::{Awaiting, Table};
use rules::choice::DoubleCard;
use rules::play::{self, Refusal};
use rules::script::Step;
use rules::{Action, Cents, Clause, limit, message};

impl Table {
    pub(super) fn decision(&self, box_id: BoxId, bettor: Bettor, decision: Decision) -> Decided {
        let listed = self.text().deal.decisions;
        let Some(at) = self.round.box_at(box_id) else {
            return self.no(listed, no_bet_on(box_id));
        };
        let play = &self.round.boxes[at];
        if usize::from(bettor.0) >= play.bettors.len() {
            return self.no(listed, message!("person-not-on-box", "this player has no bet on the box"));
        }
        if let Some(Awaiting::CoBettors(ask)) = self.awaiting() {
            return self.co_decision(play, at, bettor, decision, ask);
        }
        self.check_box_owner(box_id, bettor)?;
        let ask = match self.awaiting() {
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id => ask,
            _ => return Err(self.out_of_turn(play, decision)),
        };
        let Some(index) = play.hand_at(ask.hand) else {
            return self.no(listed, message!("no-such-hand", "this hand does not exist"));
        };
        let hand = &play.hands[index];
        let Some(action) = decision.action() else {
            return self.no(
                self.text().sharing.by,
                message!(
                    "co-bettors-only",
                    "only a co-bettor can decide this, after the box owner doubles or splits"
                ),
            );
        };
        self.check_may_draw(play, action)?;
        let by = play::allows(&self.rules, &situation(play, hand), action)?;
        let number = hand.number;
        match decision {
            Decision::Stand => self.ok(Fact::Stood { box_id, hand: number }, by),
            Decision::Hit => self.ok(Fact::Drew { box_id, hand: number }, by),
            Decision::Double { amounts, face_down } => {
                self.check_double_amounts(hand, bettor, amounts)?;
                let face_down = self.face_down(face_down)?;
                self.ok(Fact::Doubled { box_id, hand: number, bettor, amounts, face_down }, by)
            }
            Decision::Split => {
                self.ok(Fact::Split { box_id, hand: number, new: HandNumber(play.next_number) }, by)
            }
            _ => self.ok(Fact::Surrendered { box_id, hand: number }, by),
        }
    }

    /// Refuses any further card to a player who refused an exposed card (2.15(c)#2 and counterparts).
    fn check_may_draw(&self, play: &BoxPlay, action: Action) -> Result<(), Refusal> {
        let needs_a_card = matches!(action, Action::Hit | Action::Double | Action::Split);
        if play.role == BoxRole::RefusesCards && needs_a_card {
            let by = self.text().irregular.refused;
            return self.no(
                by,
                message!(
                    "refused-card-no-more",
                    "a player who refused an exposed card gets no more cards in the round"
                ),
            );
        }
        Ok(())
    }

    /// Refuses a double whose amounts exceed the bets.
    ///
    /// The amount of the double on a spot is at most the bet on that spot (2.10(a)#3, 2.18(c)#3).
    pub(super) fn check_double_amounts(
        &self,
        hand: &HandPlay,
        bettor: Bettor,
        amounts: [Cents; 3],
    ) -> Result<(), Refusal> {
        let stakes = &hand.stakes[usize::from(bettor.0)];
        for (spot, &amount) in amounts.iter().enumerate() {
            let staked = stakes.undoubled(spot);
            match (staked > Cents::ZERO, amount != Cents::ZERO, self.text().wagers.several) {
                (true, false, Some(several)) => {
                    let why = message!("double-each-bet", "a double must add to each bet on the hand");
                    return self.no(several.double_on_all, why);
                }
                (true, ..) => limit::double(&self.rules, amount, staked)?,
                (false, true, several) => {
                    let by = several.map_or(self.text().double.amount, |several| several.double_on_all);
                    return self.no(by, message!("no-bet-on-spot", "there is no bet on that spot"));
                }
                (false, false, _) => {}
            }
        }
        Ok(())
    }

    /// Returns whether the double card is dealt face down, by the table's rules or on request (2.10(c)).
    ///
    /// Returns a refusal if the player requests a face-down card at a table that deals double cards face up.
    pub(super) fn face_down(&self, asked: bool) -> Result<bool, Refusal> {
        match (self.rules.double_card, asked) {
            (DoubleCard::Down, _) => Ok(true),
            (DoubleCard::OnRequest, asked) => Ok(asked),
            (DoubleCard::Up, false) => Ok(false),
            (DoubleCard::Up, true) => self.no(
                self.text().double.face_up,
                message!("double-card-face-up", "at this table, the card of a double must be dealt face up"),
            ),
        }
    }

    /// Decides on a co-bettor's reply to a double or split of the box owner.
    ///
    /// See 2.13(d)-(e) and counterparts.
    pub(super) fn co_decision(
        &self,
        play: &BoxPlay,
        at: usize,
        bettor: Bettor,
        decision: Decision,
        ask: CoAsk,
    ) -> Decided {
        let (asked_at, number) = match ask {
            CoAsk::Double(asked_at, number) | CoAsk::Split(asked_at, number, _) => (asked_at, number),
        };
        let (double_by, split_by) = (self.text().sharing.double, self.text().sharing.split);
        if asked_at != at || !self.is_asked(play.id, bettor) {
            return self.no(
                double_by,
                message!("co-bettors-first", "the other players on the box must answer first"),
            );
        }
        let Some(index) = play.hand_at(number) else {
            return self.no(double_by, message!("no-such-hand", "this hand does not exist"));
        };
        let (box_id, hand) = (play.id, number);
        match (ask, decision) {
            (CoAsk::Double(..), Decision::Double { amounts, .. }) => {
                self.check_double_amounts(&play.hands[index], bettor, amounts)?;
                let face_down = play.hands[index].face_down;
                self.ok(Fact::Doubled { box_id, hand, bettor, amounts, face_down }, double_by)
            }
            (CoAsk::Double(..), Decision::NotDouble | Decision::Stand) => {
                self.ok(Fact::NotDoubled { box_id, hand, bettor }, double_by)
            }
            (CoAsk::Split(..), Decision::Cover | Decision::Split) => {
                self.ok(Fact::Covered { box_id, bettor }, split_by)
            }
            (CoAsk::Split(_, first, second), Decision::Follow(hand)) if hand == first || hand == second => {
                self.ok(Fact::Followed { box_id, bettor, hand }, split_by)
            }
            (CoAsk::Split(..), _) => self.no(
                split_by,
                message!("cover-or-follow", "either bet on both hands or choose which one to follow"),
            ),
            _ => self
                .no(double_by, message!("double-too-or-leave", "either double the bet or leave it as it is")),
        }
    }

    /// Returns the refusal of a decision that cannot be made now.
    ///
    /// The refusal names the state of the box's last hand, or says that the box's turn has not come.
    pub(super) fn out_of_turn(&self, play: &BoxPlay, decision: Decision) -> Refusal {
        if self.round.peeked == crate::round::Peeked::Blackjack {
            let by = self.text().deal.blackjack_ends;
            return Refusal::new(
                by,
                message!("dealer-has-blackjack", "the dealer has blackjack; no more cards are dealt"),
            );
        }
        let Some(action) = decision.action() else {
            return Refusal::new(
                self.text().sharing.by,
                message!("no-co-bettor-decision", "no co-bettor decision is pending"),
            );
        };
        if let Err(refusal) = self.check_may_draw(play, action) {
            return refusal;
        }
        let turn_over = self.round.step > self.script.iter().position(|&s| s == Step::Play).unwrap_or(0)
            || self.round.boxes.iter().position(|b| b.id == play.id).is_some_and(|at| at < self.round.cursor);
        let mut finished =
            play.hands.iter().filter(|hand| hand.state != HandState::Open && hand.hand.len() >= 2);
        // explain a split by the hand that is a pair, if there is one
        let pair = finished.clone().rfind(|hand| action == Action::Split && hand.hand.is_pair());
        let finished = pair.or_else(|| finished.next_back());
        if (turn_over || play.hands.iter().all(|hand| hand.state != HandState::Open))
            && let Some(hand) = finished
        {
            return match play::allows(&self.rules, &situation(play, hand), action) {
                Err(refusal) => refusal,
                Ok(_) if action == Action::Surrender => {
                    let text = self.text();
                    let by = text.surrender.map_or(text.deal.decisions, |rule| rule.too_late);
                    Refusal::new(by, message!("too-late-to-surrender", "it is too late to surrender"))
                }
                Ok(by) => Refusal::new(by, message!("hand-finished", "this hand is finished")),
            };
        }
        // 2A.7(k) gives the order of turns; the other texts give it where they list the decisions
        Refusal::new(
            self.text().deal.turns,
            message!("not-this-turn", "it is not box {position}'s turn", position = play.id.0),
        )
    }

    pub(super) fn sevens_card(&self, box_id: BoxId, taken: bool) -> Decided {
        let by = self.text().deal.sevens_card.unwrap_or(self.text().deal.decisions);
        match self.awaiting() {
            Some(Awaiting::SevensCard(asked)) if asked == box_id => {
                self.ok(Fact::SevensCard { box_id, taken }, by)
            }
            _ => self.no(by, message!("no-sevens-card", "no third card for the sevens bet is offered now")),
        }
    }

    /// Returns the clause on a missed card dealt late: 2.15(g)#2 for a second card, 2.15(i) for a drawn card.
    pub(super) fn late_card_by(&self) -> Clause {
        let initial = self.round.step < self.script.iter().position(|&s| s == Step::Play).unwrap_or(0);
        let irregular = &self.text().irregular;
        if initial { irregular.late_card } else { irregular.missed_draw }
    }

    pub(super) fn late_card(&self, box_id: BoxId, taken: bool) -> Decided {
        let by = self.late_card_by();
        match self.awaiting() {
            Some(Awaiting::LateCard(asked)) if asked == box_id => {
                self.ok(Fact::LateCard { box_id, taken }, by)
            }
            _ => self.no(by, message!("no-missed-card", "no missed card is offered to this player now")),
        }
    }

    /// Decides on a player's refusal of the exposed card (2.15(c)#2).
    pub(super) fn refuse_card(&self, box_id: BoxId) -> Decided {
        let by = self.text().irregular.refused;
        // Q31: until all have two cards it is simply the next card
        if self.round.mishaps.exposed.is_none() || self.step() != Step::Play {
            return self.no(by, message!("no-exposed-card", "no exposed card can be refused now"));
        }
        match self.awaiting() {
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id => self.ok(Fact::Refused(box_id), by),
            Some(Awaiting::Card(CardPlace::Hand(to, _))) if to == box_id => {
                self.ok(Fact::Refused(box_id), by)
            }
            _ => {
                self.no(by, message!("exposed-card-not-yours", "the exposed card is not for this player now"))
            }
        }
    }
}
