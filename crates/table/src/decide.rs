//! Turns a command into an event, or refuses it with the clause that forbids it.

mod custody;
mod hand;
mod offers;
mod people;

use crate::command::Command;
use crate::event::{Approval, Event, Fact, Finding};
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person, Role, Side};
use crate::round::{Hole, LateCard, Phase, SwitchState};
use crate::table::{Awaiting, Table};
use rules::play::{self, Refusal};
use rules::wager::{Extras, Prize, bonus};
use rules::{Card, Cents, Clause, Message, clause, message};

type Decided = Result<Event, Refusal>;

fn no_bet_on(box_id: BoxId) -> Message {
    message!("no-bet-on-box", "there is no bet on box {position}", position = box_id.0)
}

fn card_used_up(card: Card) -> Message {
    message!("card-used-up", "every {card} in the stack has already been dealt", card)
}

impl Table {
    /// Returns the event that a command causes, or the refusal of the command, without changing the table.
    pub fn decide(&self, command: Command) -> Decided {
        match command {
            Command::Perform(procedure) => self.perform(procedure),
            Command::AcceptCut { box_id, at } => self.accept_cut(box_id, at),
            Command::DeclineCut { box_id } => self.decline_cut(box_id),
            Command::DiscloseBurn(card) => self.disclose_burn(card),
            Command::RelieveDealer(person) => {
                self.between_rounds(Fact::DealerRelieved(person), self.text().deal.burn_again)
            }
            Command::OrderReshuffle => self.order_reshuffle(),
            Command::OrderRecut { role } => self.order_recut(role),
            Command::FallIdle => self.fall_idle(),
            Command::AskReshuffle(box_id) => self.ask_reshuffle(box_id),
            Command::Sit { box_id, person } => self.sit(box_id, person),
            Command::Consent(box_id) => self.consent(box_id),
            Command::Admit(person) => self.admit(person),
            Command::Wager { box_id, person, seated, amounts } => self.wager(box_id, person, seated, amounts),
            Command::SideWager { box_id, person, bet, amount } => {
                self.side_wager(box_id, person, bet, amount)
            }
            Command::Withdraw { box_id, person } => self.withdraw(box_id, person),
            Command::CloseWagers => self.close_wagers(),
            Command::Card(card) => self.card(Some(card)),
            Command::FaceDown => self.card(None),
            Command::Determinant(card, side) => self.determinant(card, side),
            Command::Reader(finding) => self.reader(finding),
            Command::Attack { box_id, bettor, amount } => self.attack(box_id, bettor, amount),
            Command::Insure { box_id, bettor, hand, amounts } => self.insure(box_id, bettor, hand, amounts),
            Command::TakeEvenMoney { box_id, bettor, spots } => self.even_money(box_id, bettor, spots),
            Command::Decline { box_id, bettor, offer } => self.decline(box_id, bettor, offer),
            Command::Switch(box_id) => self.switch(box_id),
            Command::DeclineSwitch(box_id) => self.decline_switch(box_id),
            Command::Revoke(box_id) => self.revoke(box_id),
            Command::Decide { box_id, bettor, decision } => self.decision(box_id, bettor, decision),
            Command::TakeSevensCard { box_id, take } => self.sevens_card(box_id, take),
            Command::TakeLateCard { box_id, take } => self.late_card(box_id, take),
            Command::RefuseCard(box_id) => self.refuse_card(box_id),
            Command::Approve { what, role, person } => self.approve(what, role, person),
            Command::Award { box_id, bettor, amount } => self.award(box_id, bettor, amount),
            Command::Report(irregularity) => self.report(irregularity),
            Command::ClaimVoid { .. } => self.no(
                self.text().irregular.void,
                message!(
                    "no-void-clause",
                    "no clause declares this round void; to end a round that cannot go on, use `house-void`"
                ),
            ),
            Command::VoidRound { role } => self.void_round(role),
        }
    }

    pub(crate) fn ok(&self, fact: Fact, by: Clause) -> Decided {
        Ok(self.event(fact, by))
    }

    pub(crate) fn no<T>(&self, by: Clause, why: impl Into<Message>) -> Result<T, Refusal> {
        Err(Refusal::new(by, why))
    }

    fn between_rounds(&self, fact: Fact, by: Clause) -> Decided {
        if self.round.step != 0 {
            return self.no(by, message!("between-rounds-only", "this can be done only between rounds"));
        }
        self.ok(fact, by)
    }

    // cards

    fn card(&self, card: Option<Card>) -> Decided {
        let Some(Awaiting::Card(place)) = self.awaiting() else {
            return self
                .no(self.dealing_by(CardPlace::Dealer), message!("no-card-due", "no card is due now"));
        };
        let by = self.dealing_by(place);
        let Some(card) = card else {
            return match place {
                CardPlace::HoleDown if self.custody.stack() == 0 => {
                    self.no(by, message!("stack-empty", "no card is left in the stack"))
                }
                CardPlace::HoleDown => self.ok(Fact::Dealt { to: place, card: None }, by),
                _ => self.no(by, message!("card-goes-face-up", "this card must be dealt face up")),
            };
        };
        if let Some(by) = self.removed_found_by()
            && !self.rules.deck().holds(card)
        {
            return self.ok(Fact::Destroyed(card), by);
        }
        let turns_hole = place == CardPlace::Dealer && self.round.hole == Hole::Down(None);
        if let Some(exposed) = self.round.mishaps.exposed
            && exposed != card
            && !turns_hole
        {
            return self.no(by, message!("exposed-card-next", "the exposed card must be dealt next"));
        }
        let there = match place {
            CardPlace::Dealer if turns_hole => self.custody.may_be_face_down(card),
            CardPlace::Determinant => self.custody.side_may_hold(Side::called_by(card), card),
            _ => self.custody.may_hold(card),
        };
        if !there {
            return self.no(by, card_used_up(card));
        }
        if place == CardPlace::Determinant {
            let side = Side::called_by(card);
            let by = self.text().opening.double_shoe.map_or(by, |double| double.same_side);
            return self.ok(Fact::Determined { card, drawn_from: side, deals: side }, by);
        }
        self.ok(Fact::Dealt { to: place, card: Some(card) }, by)
    }

    /// Returns the clause by which the next card is dealt to this place.
    fn dealing_by(&self, place: CardPlace) -> Clause {
        let (text, dealt) = (self.text(), self.round.dealer.len());
        match place {
            CardPlace::Hand(box_id, number) => {
                let play = self.round.box_at(box_id).map(|at| &self.round.boxes[at]);
                let hand = play.and_then(|play| play.hand_at(number).map(|index| &play.hands[index]));
                match hand {
                    Some(hand) if hand.late_card == LateCard::Taken => self.late_card_by(),
                    Some(hand) if hand.doubled == play::Doubled::Yes => text.double.card,
                    _ if self.round.phase == Phase::Play => text.deal.drawn,
                    Some(hand) if !hand.hand.is_empty() => text.deal.next_card,
                    _ => text.deal.first_card,
                }
            }
            CardPlace::Dealer if dealt == 0 => text.deal.up_card,
            CardPlace::Dealer if dealt == 1 => text.deal.second.map_or(text.deal.hole_card, |card| card.by),
            CardPlace::Dealer => play::dealer_draws_by(&self.rules),
            CardPlace::HoleDown => text.deal.hole_card,
            CardPlace::Determinant => clause!("19:47-2.6(d)1"),
        }
    }

    /// Returns the clause on a ten that turns up in a game without tens, or `None` if the game's decks are
    /// complete.
    ///
    /// See 26.15(b), 36.14(b).
    pub(crate) fn removed_found_by(&self) -> Option<Clause> {
        let removed = self.text().cards.removed?;
        Some(if self.round.mishaps.tens_found == 0 { removed.found } else { removed.found_again })
    }

    fn determinant(&self, card: Card, drawn_from: Side) -> Decided {
        let by = clause!("19:47-2.6(d)1");
        if self.awaiting() != Some(Awaiting::Card(CardPlace::Determinant)) {
            return self.no(by, message!("no-determinant-due", "no determinant card is due now"));
        }
        if !self.custody.side_may_hold(drawn_from, card) {
            return self.no(
                by,
                message!(
                    "side-card-used-up",
                    "every {card} on that side of the shoe has already been dealt",
                    card
                ),
            );
        }
        let deals = Side::called_by(card);
        let by = self.text().opening.double_shoe.map_or(by, |double| match deals == drawn_from {
            true => double.same_side,
            false => double.other_side,
        });
        self.ok(Fact::Determined { card, drawn_from, deals }, by)
    }

    fn reader(&self, finding: Finding) -> Decided {
        let by = self.text().deal.reader;
        match self.awaiting() {
            Some(Awaiting::Reader) => self.ok(Fact::ReaderUsed(finding), by),
            _ => self.no(by, message!("reader-not-due", "the hole card cannot be read now")),
        }
    }

    // verification

    fn approve(&self, what: Approval, role: Role, person: Person) -> Decided {
        let text = self.text();
        let is_meant = |extras: &Extras| match what {
            Approval::Progressive(..) => extras.meter.is_some(),
            Approval::Bonus(..) => extras.button.is_some(),
            Approval::QueensOfHearts(..) => extras.cap.is_some(),
        };
        let side = text.sides.rows.iter().find(|side| is_meant(&side.extras));
        // a text without such a bet lists no such decision
        let by = side.and_then(|side| side.extras.approved).unwrap_or(text.deal.decisions);
        if self.awaiting() != Some(Awaiting::Approval(what)) {
            return self.no(by, message!("no-approval-due", "no such approval is pending"));
        }
        let needed = what.role();
        if role != needed && role != Role::Supervisor {
            return self.no(
                by,
                match needed {
                    Role::Supervisor => message!("needs-supervisor", "this needs a supervisor"),
                    _ => message!("needs-floorperson", "this needs a floor supervisor"),
                },
            );
        }
        self.ok(Fact::Approved { what, by: role, person }, by)
    }

    fn award(&self, box_id: BoxId, bettor: Bettor, amount: Cents) -> Decided {
        let button = self.text().button();
        let by = button.map_or(self.text().deal.decisions, |button| button.shown);
        if self.awaiting() != Some(Awaiting::Award(box_id, bettor)) {
            let by = match (self.awaiting(), button) {
                (Some(Awaiting::Award(..)), Some(button)) => button.placed,
                _ => by,
            };
            return self.no(by, message!("no-award-due", "no bonus button is active on that box"));
        }
        let play = self.round.box_at(box_id).map(|at| &self.round.boxes[at]);
        let who = play.and_then(|play| play.bettors.get(usize::from(bettor.0)));
        let staked = who.zip(self.rules.bet_for(Prize::Button));
        match staked.map(|(who, (bet, offer))| (who.side(bet), offer)) {
            Some((staked, offer)) if bonus::shows(&offer.awards, staked, amount) => {
                self.ok(Fact::Awarded { box_id, bettor, amount }, by)
            }
            _ => self.no(
                button.map_or(by, |button| button.listed),
                message!(
                    "no-such-award",
                    "this table's bonus system has no award of {amount} for the bet",
                    amount
                ),
            ),
        }
    }

    fn void_round(&self, role: Role) -> Decided {
        let by = clause!("HOUSE-VOID");
        if self.round.step == 0 {
            return self.no(by, message!("no-round-in-play", "no round is in play"));
        }
        if !matches!(role, Role::Floorperson | Role::Supervisor) {
            return self.no(
                by,
                message!(
                    "void-needs-floor",
                    "only a floorperson or supervisor can end a round that cannot go on"
                ),
            );
        }
        self.ok(Fact::Voided, by)
    }
}

impl Table {
    /// Returns the most that a double costs the bettor, by spot; a split costs the same. All zero without such a
    /// hand.
    pub fn cost(&self, box_id: BoxId, hand: HandNumber, bettor: Bettor) -> [Cents; 3] {
        let stakes = self.round.box_at(box_id).and_then(|at| {
            let play = &self.round.boxes[at];
            play.hand_at(hand).map(|index| play.hands[index].stakes[usize::from(bettor.0)])
        });
        stakes.map_or([Cents::ZERO; 3], |stakes| {
            [stakes.undoubled(0), stakes.undoubled(1), stakes.undoubled(2)]
        })
    }

    /// Returns the state of a box's switch, or `None` if the box is not in the round.
    pub fn switch_state(&self, box_id: BoxId) -> Option<SwitchState> {
        self.round.box_at(box_id).map(|at| self.round.boxes[at].switch)
    }

    /// Returns a bettor's required bets by spot, or `None` if the box has no such bettor.
    pub fn main_wager(&self, box_id: BoxId, bettor: Bettor) -> Option<[Cents; 3]> {
        let at = self.round.box_at(box_id)?;
        self.round.boxes[at].bettors.get(usize::from(bettor.0)).map(|bettor| bettor.main)
    }
}
