//! Decides on replies to offers: attack bets, insurance, even money, the switch.

use super::{Decided, no_bet_on};
use crate::event::Fact;
use crate::ids::{Bettor, BoxId, HandNumber, Spots};
use crate::next::revocable;
use crate::round::{BoxPlay, HandState, SwitchState};
use crate::table::{Awaiting, SwitchOption, Table};
use rules::play::Refusal;
use rules::ruling::{CobettorAttack, SwitchRevocation};
use rules::script::{Offer, Step};
use rules::settle::Stake;
use rules::{Cents, HoleCard, limit, message};

impl Table {
    pub(super) fn asked(&self, box_id: BoxId, bettor: Bettor) -> Option<&BoxPlay> {
        self.is_asked(box_id, bettor).then(|| self.round.box_at(box_id).map(|at| &self.round.boxes[at]))?
    }

    pub(super) fn attack(&self, box_id: BoxId, bettor: Bettor, amount: Cents) -> Decided {
        let offer = match self.awaiting() {
            Some(Awaiting::Offers(offer @ (Offer::Attack | Offer::SecondAttack | Offer::ThirdAttack))) => {
                offer
            }
            _ => {
                // in Triple Attack the offer that passed last: with an upcard on the table, the third
                let passed = self.round.up().map(|_| Offer::ThirdAttack);
                let by = limit::attack_by(&self.rules, passed);
                return self.no(by, message!("no-attack-offered", "no attack bet is offered now"));
            }
        };
        let by = limit::attack_by(&self.rules, Some(offer));
        let Some(play) = self.asked(box_id, bettor) else {
            return self.no(
                by,
                message!("offer-answered", "this player has already answered the offer, or has no bet"),
            );
        };
        self.check_box_owner_attacked(play, bettor, offer)?;
        limit::attack(&self.rules, offer, amount, play.bettors[usize::from(bettor.0)].main[0])?;
        self.ok(Fact::Attacked { box_id, bettor, offer, amount }, by)
    }

    /// Refuses a co-bettor's attack bet if the table's ruling requires that the box owner attacks first.
    ///
    /// The ruling is on the word "whenever" in 26.13(e) and 36.12(e).
    fn check_box_owner_attacked(&self, play: &BoxPlay, bettor: Bettor, offer: Offer) -> Result<(), Refusal> {
        let attack = self.text().wagers.attacks.iter().find(|attack| attack.offer == offer);
        let free =
            self.rules.rulings.cobettor_attack == CobettorAttack::OwnChoice || bettor.0 == play.box_owner;
        match attack {
            Some(attack) if !free && !self.box_owner_attacked(play, attack.stake) => self.no(
                attack.shared,
                message!(
                    "caller-has-not-attacked",
                    "you cannot make this attack bet, because the player who calls the decisions has not made it"
                ),
            ),
            _ => Ok(()),
        }
    }

    pub(crate) fn box_owner_attacked(&self, play: &BoxPlay, stake: Stake) -> bool {
        let hand = play.hands.first();
        hand.is_some_and(|hand| hand.stakes[usize::from(play.box_owner)].amount(stake, 0) > Cents::ZERO)
    }

    pub(super) fn insure(
        &self,
        box_id: BoxId,
        bettor: Bettor,
        hand: HandNumber,
        amounts: [Cents; 3],
    ) -> Decided {
        let by = limit::may_insure(&self.rules, self.round.up())?;
        let insured = self.round.box_at(box_id).is_some_and(|at| {
            let bettor = self.round.boxes[at].bettors.get(usize::from(bettor.0));
            let made = |group: usize| {
                bettor.is_some_and(|bettor| bettor.insurance[group].iter().any(|&made| made > Cents::ZERO))
            };
            (1..=2).contains(&hand.0) && made(usize::from(hand.0 - 1))
        });
        if insured {
            return self.no(
                self.text().wagers.confirmed,
                message!(
                    "already-insured",
                    "this hand is already insured, and a confirmed bet cannot be changed"
                ),
            );
        }
        let took_even_money = self
            .round
            .box_at(box_id)
            .and_then(|at| self.round.boxes[at].bettors.get(usize::from(bettor.0)))
            .is_some_and(|bettor| {
                amounts.iter().enumerate().any(|(spot, &a)| a != Cents::ZERO && bettor.even_money.has(spot))
            });
        if took_even_money {
            return self.no(
                self.text().insurance.even_money,
                message!("even-money-taken", "even money was taken instead of insurance"),
            );
        }
        let read = self.round.peeked != crate::round::Peeked::NotYet;
        let open = match self.awaiting() {
            Some(Awaiting::Offers(Offer::Insurance)) => true,
            Some(Awaiting::LateInsurance(asked)) => asked == box_id,
            _ => false,
        };
        if self.round.box_at(box_id).is_none() {
            return self.no(by, no_bet_on(box_id));
        }
        let rule = &self.text().insurance;
        let reader = self.rules.hole_card == HoleCard::Reader && !self.memory.reader_failed;
        let time_by =
            if read || (reader && rule.cites_before_reader) { rule.before_reader } else { rule.in_time };
        if !open {
            return self.no(time_by, message!("insurance-too-late", "insurance can no longer be made"));
        }
        let Some(play) = self.asked(box_id, bettor) else {
            return self.no(
                time_by,
                message!("offer-answered", "this player has already answered the offer, or has no bet"),
            );
        };
        let at = usize::from(bettor.0);
        if hand.0 == 0 || usize::from(hand.0) > self.rules.hands_per_box() {
            return self.no(by, message!("no-such-hand", "this hand does not exist"));
        }
        if play.hands[usize::from(hand.0 - 1)].is_out() {
            return self.no(by, message!("hand-out-of-round", "the hand is no longer in the round"));
        }
        // a spot may stay uninsured, but not all of them
        let none = amounts.iter().all(|&amount| amount == Cents::ZERO);
        let asked = |&(spot, amount): &(usize, &Cents)| *amount != Cents::ZERO || (none && spot == 0);
        for (spot, &amount) in amounts.iter().enumerate().filter(asked) {
            let insured = play.hands[0].stakes[at].laid(spot).insured(&self.rules);
            limit::insurance(&self.rules, amount, insured)?;
        }
        self.ok(Fact::Insured { box_id, bettor, hand, amounts }, by)
    }

    pub(super) fn even_money(&self, box_id: BoxId, bettor: Bettor, spots: Spots) -> Decided {
        let by = self.text().insurance.even_money;
        if !self.rules.even_money.is_yes() {
            return self.no(by, message!("no-even-money", "even money is not offered at this table"));
        }
        let asked = match self.awaiting() {
            Some(Awaiting::Offers(Offer::Insurance)) => self.asked(box_id, bettor),
            _ => None,
        };
        let Some(play) = asked else {
            return self.no(
                by,
                message!(
                    "even-money-time",
                    "even money can be taken only against an ace, before any additional card is dealt"
                ),
            );
        };
        if !play.hands[0].hand.is_blackjack() {
            return self.no(
                by,
                message!("even-money-needs-blackjack", "even money can be taken only with a blackjack"),
            );
        }
        // 2.18(d), 2.7(c): each bet by itself
        let who = &play.bettors[usize::from(bettor.0)];
        let meant = |spot: &usize| spots.has(*spot) && who.main[*spot] > Cents::ZERO;
        if (0..3).filter(meant).any(|spot| who.insurance_open(0, spot)) {
            return self.no(
                by,
                message!("even-money-or-insurance", "even money replaces insurance; you cannot take both"),
            );
        }
        if (0..3).filter(meant).all(|spot| who.even_money.has(spot)) {
            return self.no(by, message!("no-bet-for-even-money", "no bet here qualifies for even money"));
        }
        self.ok(Fact::EvenMoneyTaken { box_id, bettor, spots }, by)
    }

    pub(super) fn decline(&self, box_id: BoxId, bettor: Bettor, offer: Offer) -> Decided {
        let by = match offer {
            Offer::Insurance => self.text().insurance.by,
            attack => limit::attack_by(&self.rules, Some(attack)),
        };
        let now = match self.awaiting() {
            Some(Awaiting::Offers(made)) => made == offer,
            Some(Awaiting::LateInsurance(asked)) => offer == Offer::Insurance && asked == box_id,
            _ => false,
        };
        if let Some(Awaiting::Decision(ask)) = self.awaiting()
            && ask.box_id == box_id
        {
            let by = self.text().deal.decisions;
            return self
                .no(by, message!("decide-the-hand", "there is no offer to decline; decide on the hand"));
        }
        if !matches!(self.awaiting(), Some(Awaiting::Offers(_) | Awaiting::LateInsurance(_))) {
            return self.no(
                self.text().deal.decisions,
                message!("nothing-to-decline", "there is no offer to decline now"),
            );
        }
        if !now || self.asked(box_id, bettor).is_none() {
            return self.no(by, message!("offer-not-yours", "this player has no such offer now"));
        }
        self.ok(Fact::Declined { box_id, bettor, offer }, by)
    }

    pub(super) fn switching(&self, box_id: BoxId) -> Option<SwitchOption> {
        match self.awaiting() {
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id => Some(ask.switch),
            Some(Awaiting::Switch(asked)) if asked == box_id => Some(SwitchOption::Switch),
            Some(Awaiting::Revocation(asked)) if asked == box_id => Some(SwitchOption::Revoke),
            _ => None,
        }
    }

    pub(super) fn switch(&self, box_id: BoxId) -> Decided {
        let Some(rule) = self.text().switch else {
            return self.no(
                self.text().deal.decisions,
                message!("switch-game-only", "cards are switched only in Blackjack Switch"),
            );
        };
        let by = rule.by;
        match self.switching(box_id) {
            Some(SwitchOption::Switch) => self.ok(Fact::Switched(box_id), rule.switched),
            Some(_) if self.switch_state(box_id) == Some(SwitchState::Closed) => self.no(
                by,
                message!(
                    "switch-closed",
                    "the switch is offered once, on two live hands, before the first decision"
                ),
            ),
            Some(_) => self.no(rule.once, message!("one-switch", "only one switch is permitted in a round")),
            None if self.round.peeked == crate::round::Peeked::Blackjack => self.no(
                self.text().deal.blackjack_ends,
                message!("no-switch-after-blackjack", "the dealer has blackjack; no switch is offered"),
            ),
            None => {
                self.no(by, message!("switch-not-offered", "the switch is not offered to this player now"))
            }
        }
    }

    pub(super) fn decline_switch(&self, box_id: BoxId) -> Decided {
        let text = self.text();
        let (by, kept) =
            text.switch.map_or((text.deal.decisions, text.deal.decisions), |s| (s.by, s.revocation_declined));
        match self.switching(box_id) {
            Some(SwitchOption::Switch) => self.ok(Fact::SwitchDeclined(box_id), by),
            // the switch stays and the turn ends
            Some(SwitchOption::Revoke) if self.awaiting() == Some(Awaiting::Revocation(box_id)) => {
                self.ok(Fact::SwitchDeclined(box_id), kept)
            }
            _ => self.no(by, message!("switch-not-offered", "the switch is not offered to this player now")),
        }
    }

    /// Returns whether a switch may be revoked after the player's turn, by the table's ruling on 2A.7(g)2.
    ///
    /// Since the turn, neither hand of the box and not the dealer may have received a card.
    pub(crate) fn revocable_after_turn(&self, box_id: BoxId) -> bool {
        let kept = |play: &BoxPlay| play.switch == SwitchState::Kept && revocable(play);
        let no_card = self.round.dealer.len() == 1 && matches!(self.step(), Step::Play | Step::SecondCard);
        self.rules.rulings.switch_revocation == SwitchRevocation::UntilCard
            && no_card
            && self.round.void.is_none()
            && self.round.box_at(box_id).is_some_and(|at| kept(&self.round.boxes[at]))
    }

    pub(super) fn revoke(&self, box_id: BoxId) -> Decided {
        let Some(rule) = self.text().switch else {
            return self.no(
                self.text().deal.decisions,
                message!("switch-game-only", "cards are switched only in Blackjack Switch"),
            );
        };
        let by = rule.revoked;
        match self.switching(box_id) {
            Some(SwitchOption::Revoke) => self.ok(Fact::Revoked(box_id), by),
            _ if self.revocable_after_turn(box_id) => self.ok(Fact::Revoked(box_id), by),
            _ if self.surrendered_after_switch(box_id) => self.no(
                by,
                message!(
                    "switch-surrendered",
                    "a hand was surrendered after the switch, so its card cannot be switched back"
                ),
            ),
            _ => self.no(
                by,
                message!(
                    "switch-not-revocable",
                    "a switch can be revoked only before another card is dealt, and only if one was made"
                ),
            ),
        }
    }

    /// Returns whether a hand of this box was surrendered after the cards were switched (A4).
    fn surrendered_after_switch(&self, box_id: BoxId) -> bool {
        let switched = matches!(self.switch_state(box_id), Some(SwitchState::Switched | SwitchState::Kept));
        let given_up = |play: &BoxPlay| {
            play.hands
                .iter()
                .any(|hand| matches!(hand.state, HandState::SurrenderPending | HandState::Surrendered))
        };
        switched && self.round.box_at(box_id).is_some_and(|at| given_up(&self.round.boxes[at]))
    }
}
