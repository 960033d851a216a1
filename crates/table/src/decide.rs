//! `decide`: a command becomes an event, or a cited refusal. Nothing changes here.

use crate::command::{Command, Decision};
use crate::event::{Event, Fact, Finding};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Place, Role, Side};
use crate::next::{award_limits, missed_card_by, situation};
use crate::round::{BoxPlay, CoAsk, HandPlay, Hole, State, SwitchState};
use crate::shoe::{self, Procedure};
use crate::table::{Awaiting, SwitchOption, Table};
use rules::choice::{DoubleCard, Shuffle};
use rules::play::{self, Refusal};
use rules::script::{Offer, Step};
use rules::{Action, Card, Cents, Clause, Game, HoleCard, Rank, SideBet, Variation, clause, limit};

type Decided = Result<Event, Refusal>;

impl Table {
    /// What a command leads to, or why it is refused. A refused command changes nothing.
    pub fn decide(&self, command: Command) -> Decided {
        let mut decided = match command {
            Command::Perform(procedure) => self.perform(procedure),
            Command::AcceptCut { box_id, at } => self.accept_cut(box_id, at),
            Command::DeclineCut { box_id } => self.decline_cut(box_id),
            Command::DiscloseBurn(card) => self.disclose_burn(card),
            Command::RelieveDealer(person) => {
                self.between_rounds(Fact::DealerRelieved(person), burn_by(self.rules.game))
            }
            Command::OrderReshuffle => self.order_reshuffle(),
            Command::OrderRecut { role } => self.order_recut(role),
            Command::FallIdle => self.fall_idle(),
            Command::Sit { box_id, person } => self.sit(box_id, person),
            Command::Consent(box_id) => self.consent(box_id),
            Command::Admit(person) => {
                self.between_rounds(Fact::Admitted(person), admission_by(self.rules.game))
            }
            Command::Wager {
                box_id,
                person,
                seated,
                amounts,
            } => self.wager(box_id, person, seated, amounts),
            Command::SideWager {
                box_id,
                person,
                bet,
                amount,
            } => self.side_wager(box_id, person, bet, amount),
            Command::Withdraw { box_id, person } => self.withdraw(box_id, person),
            Command::CloseWagers => self.close_wagers(),
            Command::Card(card) => self.card(Some(card)),
            Command::FaceDown => self.card(None),
            Command::Determinant(card, side) => self.determinant(card, side),
            Command::Reader(finding) => self.reader(finding),
            Command::Attack {
                box_id,
                bettor,
                amount,
            } => self.attack(box_id, bettor, amount),
            Command::Insure {
                box_id,
                bettor,
                hand,
                amounts,
            } => self.insure(box_id, bettor, hand, amounts),
            Command::TakeEvenMoney { box_id, bettor } => self.even_money(box_id, bettor),
            Command::Decline {
                box_id,
                bettor,
                offer,
            } => self.decline(box_id, bettor, offer),
            Command::Switch(box_id) => self.switch(box_id),
            Command::DeclineSwitch(box_id) => self.decline_switch(box_id),
            Command::Revoke(box_id) => self.revoke(box_id),
            Command::Decide {
                box_id,
                bettor,
                decision,
            } => self.decision(box_id, bettor, decision),
            Command::TakeSevensCard { box_id, take } => self.sevens_card(box_id, take),
            Command::TakeLateCard { box_id, take } => self.late_card(box_id, take),
            Command::RefuseCard(box_id) => self.refuse_card(box_id),
            Command::Approve { what, role, person } => self.approve(what, role, person),
            Command::Award {
                box_id,
                bettor,
                amount,
            } => self.award(box_id, bettor, amount),
            Command::Report(irregularity) => self.report(irregularity),
            Command::VoidRound { role } => self.void_round(role),
        };
        if let Err(refusal) = &mut decided {
            refusal.by = self.cite(refusal.by);
        }
        decided
    }

    pub(crate) fn ok(&self, fact: Fact, by: Clause) -> Decided {
        Ok(self.event(fact, by))
    }

    pub(crate) fn no<T>(
        &self,
        by: Clause,
        why: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Result<T, Refusal> {
        Err(Refusal::new(by, why))
    }

    fn between_rounds(&self, fact: Fact, by: Clause) -> Decided {
        if self.round.step != 0 {
            return self.no(by, "this is done between rounds");
        }
        self.ok(fact, by)
    }

    // custody

    fn perform(&self, procedure: Procedure) -> Decided {
        let by = self.procedure_by(procedure);
        let Some(expected) = self.custody.next_procedure() else {
            return self.no(by, "the cards are ready; nothing is to be done with them now");
        };
        if self.round.step != 0 || std::mem::discriminant(&expected) != std::mem::discriminant(&procedure) {
            return self.no(self.procedure_by(expected), "another step comes first");
        }
        match procedure {
            Procedure::Cut { by: None, at } => {
                if let Some(box_id) = self.cut_offered_to() {
                    return self.no(
                        cut_refused_by(self.rules.game),
                        format!("the cut is to be offered to the player at box {}", box_id.0),
                    );
                }
                self.cut_distance(at)?;
            }
            Procedure::Cut { by: Some(_), .. } => {
                return self.no(by, "a player accepts the cut that is offered");
            }
            Procedure::PlaceCuttingCard { behind } if usize::from(behind) > self.rules.stack_size() => {
                return self.no(by, "there are not so many cards in the stack");
            }
            Procedure::PlaceCuttingCard { behind } if behind < shoe::least_behind(&self.rules) => {
                return self.no(
                    by,
                    format!(
                        "at least {} cards must lie behind it",
                        shoe::least_behind(&self.rules)
                    ),
                );
            }
            Procedure::Shuffle
                if self.custody.device_on_table && self.rules.shuffle != Shuffle::Automated =>
            {
                return self.no(by, "the shuffling device must be removed from the table first");
            }
            _ => {}
        }
        self.ok(Fact::Performed(procedure), by)
    }

    /// 2.5(c), 2A.4(f), 26.4(e), 36.4(e): ten cards from either end; one deck in Massachusetts, MA 4(f).
    fn cut_distance(&self, at: u16) -> Result<(), Refusal> {
        let by = shoe::cut_by(&self.rules);
        let stack = self.custody.stack() as u16;
        let least = shoe::least_cut(&self.rules).min(stack / 2);
        if at < least || at > stack.saturating_sub(least) {
            return self.no(
                by,
                format!("the cutting card goes in at least {least} cards from either end"),
            );
        }
        Ok(())
    }

    fn accept_cut(&self, box_id: BoxId, at: u16) -> Decided {
        let by = cut_order_by(self.rules.game);
        match self.awaiting() {
            Some(Awaiting::Cut(offered)) if offered == box_id => {
                self.cut_distance(at)?;
                let procedure = Procedure::Cut { by: Some(box_id), at };
                self.ok(Fact::Performed(procedure), self.procedure_by(procedure))
            }
            _ => self.no(by, "the cut is not offered to this player now"),
        }
    }

    fn decline_cut(&self, box_id: BoxId) -> Decided {
        let by = cut_refused_by(self.rules.game);
        match self.awaiting() {
            Some(Awaiting::Cut(offered)) if offered == box_id => self.ok(Fact::CutDeclined(box_id), by),
            _ => self.no(by, "the cut is not offered to this player now"),
        }
    }

    fn disclose_burn(&self, card: Card) -> Decided {
        let by = match self.rules.game {
            Game::Blackjack => clause!("19:47-2.6(c)#3"),
            Game::Switch => clause!("19:47-2A.7(c)#4"),
            Game::DoubleAttack => clause!("19:47-26.7(c)#4"),
            Game::TripleAttack => clause!("19:47-36.7(c)#4"),
        };
        if !self.custody.burned {
            return self.no(by, "no card has been burned from this shoe");
        }
        self.ok(Fact::BurnDisclosed(card), by)
    }

    fn order_reshuffle(&self) -> Decided {
        let by = match self.rules.game {
            Game::Blackjack => clause!("19:47-2.5(h)1"),
            Game::Switch => clause!("19:47-2A.4(h)1"),
            Game::DoubleAttack => clause!("19:47-26.4(g)#2"),
            Game::TripleAttack => clause!("19:47-36.4(g)#2"),
        };
        if self.round.step != 0 || !self.round.boxes.is_empty() {
            return self.no(by, "a reshuffle is ordered after a round of play");
        }
        self.ok(Fact::ReshuffleOrdered, by)
    }

    /// 2.5(g), 2A.4(g), 26.4(f), 36.4(f): between the cut and the first card a supervisor may have the cards cut again.
    fn order_recut(&self, role: Role) -> Decided {
        let by = match self.rules.game {
            Game::Blackjack => clause!("19:47-2.5(g)"),
            Game::Switch => clause!("19:47-2A.4(g)"),
            Game::DoubleAttack => clause!("19:47-26.4(f)"),
            Game::TripleAttack => clause!("19:47-36.4(f)"),
        };
        if role != Role::Supervisor {
            return self.no(by, "a casino supervisor orders a recut");
        }
        if self.round.step != 0 || !self.custody.may_be_recut {
            return self.no(
                by,
                "cards are cut again only after a cut and before any card has been dealt",
            );
        }
        self.ok(Fact::RecutOrdered, by)
    }

    /// 2.5(j), 2A.4(i), 26.4(i), 36.4(h): at an open table without play the cards are spread.
    fn fall_idle(&self) -> Decided {
        let by = shoe::procedure_by(&self.rules, shoe::Occasion::Idle, Procedure::Spread);
        if !self.is_idle() || !self.custody.is_ready() {
            return self.no(by, "a table falls idle between rounds");
        }
        self.ok(Fact::FellIdle, by)
    }

    // people and wagers

    fn sit(&self, box_id: BoxId, person: Person) -> Decided {
        let by = match self.rules.game {
            Game::Blackjack => clause!("19:47-2.4(b)"),
            Game::Switch => clause!("19:47-2A.3(b)"),
            Game::DoubleAttack => clause!("19:47-26.3(b)#4"),
            Game::TripleAttack => clause!("19:47-36.3(b)#4"),
        };
        if box_id.0 == 0 || box_id.0 > self.rules.positions {
            return self.no(by, format!("this table has boxes 1 to {}", self.rules.positions));
        }
        self.ok(Fact::Seated { box_id, person }, by)
    }

    fn wagers_open(&self) -> Result<(), Refusal> {
        let by = closed_by(self.rules.game);
        match self.awaiting() {
            Some(Awaiting::Wagers) => Ok(()),
            Some(Awaiting::Procedure(_) | Awaiting::Cut(_)) => self.no(by, "the cards are being prepared"),
            _ => self.no(
                by,
                "no wager may be made, increased or withdrawn after the first card",
            ),
        }
    }

    fn consent(&self, box_id: BoxId) -> Decided {
        self.wagers_open()?;
        let by = sharing_by(self.rules.game);
        if self.round.box_at(box_id).is_none() {
            return self.no(by, "nobody has a wager on the box who could consent");
        }
        self.ok(Fact::Consented(box_id), by)
    }

    fn wager(&self, box_id: BoxId, person: Person, seated: bool, amounts: [Cents; 3]) -> Decided {
        self.wagers_open()?;
        let by = limit::required_wager_by(&self.rules);
        if box_id.0 == 0 || box_id.0 > self.rules.positions {
            return self.no(by, format!("this table has boxes 1 to {}", self.rules.positions));
        }
        self.may_enter(person)?;
        self.may_take_box(box_id, person)?;
        self.amounts(amounts)?;
        self.ok(
            Fact::Wagered {
                box_id,
                person,
                seated,
                amounts,
            },
            by,
        )
    }

    /// 2.3(i), 2A.5(h), 26.5(h), 36.5(h): who sat a round out since the shuffle may be barred.
    fn may_enter(&self, person: Person) -> Result<(), Refusal> {
        let barred = !self.rules.mid_shoe_entry.is_yes()
            && self.memory.rounds_since_shuffle > 0
            && !self.memory.wagered_last.contains(&person)
            && !self.memory.admitted.contains(&person);
        if barred {
            return self.no(
                entry_by(self.rules.game),
                "who sat a round out may not wager until the next shuffle",
            );
        }
        Ok(())
    }

    /// 2.13(a), 2.14 and counterparts: how many people share a box, and on how many boxes a person wagers.
    fn may_take_box(&self, box_id: BoxId, person: Person) -> Result<(), Refusal> {
        let holds = |play: &&BoxPlay| play.bettors.iter().any(|bettor| bettor.person == person);
        if let Some(at) = self.round.box_at(box_id) {
            let play = &self.round.boxes[at];
            if holds(&play) {
                return self.no(
                    limit::required_wager_by(&self.rules),
                    "this player has a wager on the box already",
                );
            }
            if play.bettors.len() >= usize::from(self.rules.bettors_per_box) {
                let most = self.rules.bettors_per_box;
                return self.no(
                    sharing_by(self.rules.game),
                    format!("at most {most} may wager on one box here"),
                );
            }
            if !play.bettors.is_empty() && !play.consent {
                let by = match self.rules.game {
                    Game::Blackjack => clause!("19:47-2.13(a)#2"),
                    Game::Switch => clause!("19:47-2A.13(a)#2"),
                    Game::DoubleAttack => clause!("19:47-26.13(a)#2"),
                    Game::TripleAttack => clause!("19:47-36.12(a)#2"),
                };
                return self.no(by, "the first person wagering on the box has not consented");
            }
        }
        let boxes = self.round.boxes.iter().filter(holds).count();
        if boxes >= usize::from(self.rules.boxes_per_player) {
            let by = match self.rules.game {
                Game::Blackjack => clause!("19:47-2.14"),
                Game::Switch => clause!("19:47-2A.14"),
                Game::DoubleAttack => clause!("19:47-26.14"),
                Game::TripleAttack => clause!("19:47-36.13"),
            };
            return self.no(
                by,
                format!(
                    "a player may wager on at most {} box(es) here",
                    self.rules.boxes_per_player
                ),
            );
        }
        Ok(())
    }

    /// The required wagers: one; two or three equal or unequal ones in multiple action, 2.18(b).
    fn amounts(&self, amounts: [Cents; 3]) -> Result<(), Refusal> {
        if self.rules.variation != Variation::MultipleAction {
            if amounts[1] != Cents::ZERO || amounts[2] != Cents::ZERO {
                let by = limit::required_wager_by(&self.rules);
                let why = match self.rules.game {
                    Game::Switch => "the two wagers of a player must be equal",
                    _ => "one wager is made here; several belong to multiple action",
                };
                return self.no(by, why);
            }
            return limit::required_wager(&self.rules, amounts[0]);
        }
        let made = amounts.iter().take_while(|&&amount| amount > Cents::ZERO).count();
        if made < usize::from(self.rules.multiple_action_required)
            || amounts[made..].iter().any(|&amount| amount != Cents::ZERO)
        {
            let by = match self.rules.multiple_action_required {
                3 => clause!("19:47-2.18(b)#2"),
                _ => clause!("19:47-2.18(b)"),
            };
            return self.no(
                by,
                format!(
                    "at least {} wagers must be made",
                    self.rules.multiple_action_required
                ),
            );
        }
        amounts[..made]
            .iter()
            .try_for_each(|&amount| limit::required_wager(&self.rules, amount))
    }

    fn side_wager(&self, box_id: BoxId, person: Person, bet: SideBet, amount: Cents) -> Decided {
        self.wagers_open()?;
        let by = bet.wager().offered_by(self.rules.game);
        let found = self.round.box_at(box_id).and_then(|at| {
            let play = &self.round.boxes[at];
            play.bettors
                .iter()
                .position(|bettor| bettor.person == person)
                .map(|bettor| (play, bettor))
        });
        let Some((play, at)) = found else {
            return self.no(by, "a side wager needs a main wager on the same box");
        };
        let bettor = &play.bettors[at];
        let smallest = bettor
            .main
            .iter()
            .copied()
            .filter(|&amount| amount > Cents::ZERO)
            .min()
            .unwrap_or(Cents::ZERO);
        limit::side_wager(&self.rules, bet, amount, smallest)?;
        if bettor.side(bet) > Cents::ZERO {
            return self.no(by, "this side wager has been made already");
        }
        match bet {
            // Q9: a player picks one side
            SideBet::Over13 | SideBet::Under13
                if bettor.side(SideBet::Over13) > Cents::ZERO
                    || bettor.side(SideBet::Under13) > Cents::ZERO =>
            {
                return self.no(
                    clause!("19:47-2.17(a)"),
                    "over and under 13 are one wager; pick one side",
                );
            }
            // 2.15(n)
            SideBet::Progressive if self.memory.lights_out & (1 << box_id.0.min(31)) != 0 => {
                return self.no(
                    clause!("19:47-2.15(n)"),
                    "the light of this betting area does not work",
                );
            }
            _ => {}
        }
        if bet.streak().is_some()
            && let Some(streak) = self.streak_of(person, box_id)
        {
            // 2.22(k)1: several streak wagers are placed at the same time
            let placed_now = streak.placed == self.memory.round_number;
            let again = streak.bets[usize::from(bet.streak().unwrap_or(2) - 2)] > Cents::ZERO;
            if again || !placed_now {
                return self.no(
                    clause!("19:47-2.22(k)2"),
                    "earlier streak wagers must be decided first",
                );
            }
        }
        self.ok(
            Fact::SideWagered {
                box_id,
                bettor: Bettor(at as u8),
                bet,
                amount,
            },
            by,
        )
    }

    fn withdraw(&self, box_id: BoxId, person: Person) -> Decided {
        self.wagers_open()?;
        let by = closed_by(self.rules.game);
        let bettor = self.round.box_at(box_id).and_then(|at| {
            self.round.boxes[at]
                .bettors
                .iter()
                .position(|bettor| bettor.person == person)
        });
        match bettor {
            Some(bettor) => self.ok(
                Fact::Withdrawn {
                    box_id,
                    bettor: Bettor(bettor as u8),
                },
                by,
            ),
            None => self.no(by, "this player has no wager on the box"),
        }
    }

    fn close_wagers(&self) -> Decided {
        self.wagers_open()?;
        let by = closed_by(self.rules.game);
        if self.round.boxes.iter().all(|play| play.bettors.is_empty()) {
            return self.no(limit::required_wager_by(&self.rules), "no wager has been placed");
        }
        self.ok(Fact::WagersClosed, by)
    }

    // cards

    fn card(&self, card: Option<Card>) -> Decided {
        let Some(Awaiting::Card(place)) = self.awaiting() else {
            return self.no(dealing_by(self, Place::Dealer), "no card is to be dealt now");
        };
        let by = dealing_by(self, place);
        let Some(card) = card else {
            return match place {
                Place::HoleDown if self.custody.stack() == 0 => self.no(by, "no card is left in the stack"),
                Place::HoleDown => self.ok(
                    Fact::Dealt {
                        to: place,
                        card: None,
                    },
                    by,
                ),
                _ => self.no(by, "this card is dealt face up"),
            };
        };
        if self.rules.deck() == rules::Deck::FortyEight && card.rank() == Rank::Ten {
            return self.ok(Fact::Destroyed(card), self.ten_found_by());
        }
        let turns_hole = place == Place::Dealer && self.round.hole == Hole::Down(None);
        if let Some(exposed) = self.round.exposed
            && exposed != card
            && !turns_hole
        {
            return self.no(by, "the exposed card is the next card");
        }
        let there = match place {
            Place::Dealer if turns_hole => self.custody.may_be_face_down(card),
            Place::Determinant => self.custody.side_may_hold(Side::called_by(card), card),
            _ => self.custody.may_hold(card),
        };
        if !there {
            return self.no(by, format!("all {card} of this stack have been dealt"));
        }
        if place == Place::Determinant {
            let side = Side::called_by(card);
            return self.ok(
                Fact::Determined {
                    card,
                    drawn_from: side,
                    deals: side,
                },
                clause!("19:47-2.6(d)2"),
            );
        }
        self.ok(
            Fact::Dealt {
                to: place,
                card: Some(card),
            },
            by,
        )
    }

    pub(crate) fn ten_found_by(&self) -> Clause {
        match (self.rules.game, self.round.tens_found) {
            (Game::TripleAttack, 0) => clause!("19:47-36.14(b)"),
            (Game::TripleAttack, _) => clause!("19:47-36.14(b)#2"),
            (_, 0) => clause!("19:47-26.15(b)"),
            _ => clause!("19:47-26.15(b)#2"),
        }
    }

    fn determinant(&self, card: Card, drawn_from: Side) -> Decided {
        let by = clause!("19:47-2.6(d)1");
        if self.awaiting() != Some(Awaiting::Card(Place::Determinant)) {
            return self.no(by, "no determinant card is to be drawn now");
        }
        if !self.custody.side_may_hold(drawn_from, card) {
            return self.no(by, format!("all {card} of that side have been dealt"));
        }
        let deals = Side::called_by(card);
        let by = if deals == drawn_from {
            clause!("19:47-2.6(d)2")
        } else {
            clause!("19:47-2.6(d)2#2")
        };
        self.ok(
            Fact::Determined {
                card,
                drawn_from,
                deals,
            },
            by,
        )
    }

    fn reader(&self, finding: Finding) -> Decided {
        let by = play::peek_by(&self.rules);
        match self.awaiting() {
            Some(Awaiting::Reader) => self.ok(Fact::ReaderUsed(finding), by),
            _ => self.no(by, "the hole card is not to be read now"),
        }
    }

    // offers

    fn asked(&self, box_id: BoxId, bettor: Bettor) -> Option<&BoxPlay> {
        self.is_asked(box_id, bettor)
            .then(|| self.round.box_at(box_id).map(|at| &self.round.boxes[at]))?
    }

    fn attack(&self, box_id: BoxId, bettor: Bettor, amount: Cents) -> Decided {
        let offer = match self.awaiting() {
            Some(Awaiting::Offers(offer @ (Offer::Attack | Offer::SecondAttack | Offer::ThirdAttack))) => {
                offer
            }
            _ => {
                // in Triple Attack the offer that has passed last: with an up card on the table, the third
                let passed = self.round.up().map(|_| Offer::ThirdAttack);
                let by = attack_by(self.rules.game, passed);
                return self.no(by, "no attack wager is offered now");
            }
        };
        let by = attack_by(self.rules.game, Some(offer));
        let Some(play) = self.asked(box_id, bettor) else {
            return self.no(by, "this player has answered the offer, or has no wager");
        };
        limit::attack(
            &self.rules,
            offer,
            amount,
            play.bettors[usize::from(bettor.0)].main[0],
        )?;
        self.ok(
            Fact::Attacked {
                box_id,
                bettor,
                offer,
                amount,
            },
            by,
        )
    }

    fn insure(&self, box_id: BoxId, bettor: Bettor, hand: HandNumber, amounts: [Cents; 3]) -> Decided {
        let by = limit::insurance_by(&self.rules);
        if self.rules.hole_card == HoleCard::Up && self.rules.game == Game::Blackjack {
            return self.no(by, "there is no insurance with the hole card face up");
        }
        if !self.round.up().is_some_and(|up| up.is_ace()) {
            return self.no(by, "insurance is offered only when the dealer shows an ace");
        }
        let insured = self.round.box_at(box_id).is_some_and(|at| {
            let bettor = self.round.boxes[at].bettors.get(usize::from(bettor.0));
            let made = |group: usize| {
                bettor.is_some_and(|bettor| bettor.insurance[group].iter().any(|&made| made > Cents::ZERO))
            };
            (1..=2).contains(&hand.0) && made(usize::from(hand.0 - 1))
        });
        if insured {
            return self.no(
                confirmed_by(self.rules.game),
                "this hand is insured already, and a confirmed wager is not altered",
            );
        }
        let read = self.round.peeked != crate::round::Peeked::NotYet;
        let open = match self.awaiting() {
            Some(Awaiting::Offers(Offer::Insurance)) => true,
            Some(Awaiting::LateInsurance(asked)) => asked == box_id,
            _ => false,
        };
        if self.round.box_at(box_id).is_none() {
            return self.no(by, format!("there is no wager on box {}", box_id.0));
        }
        let time_by = match (self.rules.game, self.rules.hole_card) {
            (Game::Blackjack, HoleCard::Reader) if !self.memory.reader_failed => clause!("19:47-2.9(b)#5"),
            (game, _) => insurance_time_by(game, read),
        };
        if !open {
            return self.no(time_by, "insurance can no longer be made");
        }
        let Some(play) = self.asked(box_id, bettor) else {
            return self.no(time_by, "this player has answered the offer, or has no wager");
        };
        let at = usize::from(bettor.0);
        if hand.0 == 0 || usize::from(hand.0) > self.rules.hands_per_box() {
            return self.no(by, "there is no such hand");
        }
        if play.hands[usize::from(hand.0 - 1)].state == State::Done {
            return self.no(by, "the hand is out of the round");
        }
        if amounts.iter().all(|&amount| amount == Cents::ZERO) {
            return self.no(by, "insurance needs an amount");
        }
        for (spot, &amount) in amounts
            .iter()
            .enumerate()
            .filter(|(_, amount)| **amount != Cents::ZERO)
        {
            let stakes = &play.hands[0].stakes[at];
            let wager = match self.rules.game {
                Game::TripleAttack => stakes.undoubled(spot),
                _ => play.bettors[at].main[spot],
            };
            limit::insurance(&self.rules, amount, wager)?;
        }
        self.ok(
            Fact::Insured {
                box_id,
                bettor,
                hand,
                amounts,
            },
            by,
        )
    }

    fn even_money(&self, box_id: BoxId, bettor: Bettor) -> Decided {
        let by = clause!("19:47-2.7(c)");
        if !self.rules.even_money.is_yes() {
            let by = match self.rules.game {
                Game::Blackjack => by,
                _ => play::decisions_clause(&self.rules),
            };
            return self.no(by, "even money is not offered at this table");
        }
        let asked = match self.awaiting() {
            Some(Awaiting::Offers(Offer::Insurance)) => self.asked(box_id, bettor),
            _ => None,
        };
        let Some(play) = asked else {
            return self.no(
                by,
                "even money can be taken only against an ace, before any additional card",
            );
        };
        if !play.hands[0].hand.is_blackjack() {
            return self.no(by, "even money is for a blackjack");
        }
        if play.bettors[usize::from(bettor.0)].any_insurance_open() {
            return self.no(by, "even money is taken instead of insurance, not beside it");
        }
        self.ok(Fact::EvenMoneyTaken { box_id, bettor }, by)
    }

    fn decline(&self, box_id: BoxId, bettor: Bettor, offer: Offer) -> Decided {
        let by = match offer {
            Offer::Insurance => limit::insurance_by(&self.rules),
            attack => attack_by(self.rules.game, Some(attack)),
        };
        let now = match self.awaiting() {
            Some(Awaiting::Offers(made)) => made == offer,
            Some(Awaiting::LateInsurance(asked)) => offer == Offer::Insurance && asked == box_id,
            _ => false,
        };
        if !now || self.asked(box_id, bettor).is_none() {
            return self.no(by, "there is no such offer to this player now");
        }
        self.ok(
            Fact::Declined {
                box_id,
                bettor,
                offer,
            },
            by,
        )
    }

    // Switch

    fn switching(&self, box_id: BoxId) -> Option<SwitchOption> {
        match self.awaiting() {
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id => Some(ask.switch),
            Some(Awaiting::Switch(asked)) if asked == box_id => Some(SwitchOption::Switch),
            Some(Awaiting::Revocation(asked)) if asked == box_id => Some(SwitchOption::Revoke),
            _ => None,
        }
    }

    fn switch(&self, box_id: BoxId) -> Decided {
        let by = clause!("19:47-2A.7(g)");
        if self.rules.game != Game::Switch {
            return self.no(
                play::decisions_clause(&self.rules),
                "cards are switched only in Blackjack Switch",
            );
        }
        match self.switching(box_id) {
            Some(SwitchOption::Switch) => self.ok(Fact::Switched(box_id), clause!("19:47-2A.7(g)1")),
            Some(_) => self.no(
                clause!("19:47-2A.7(g)3"),
                "only one switch is permitted in a round",
            ),
            None if self.round.peeked == crate::round::Peeked::Blackjack => self.no(
                blackjack_ends_by(self.rules.game, self.rules.hole_card),
                "the dealer has blackjack; no switch is offered",
            ),
            None => self.no(by, "the switch is not offered to this player now"),
        }
    }

    fn decline_switch(&self, box_id: BoxId) -> Decided {
        let by = clause!("19:47-2A.7(g)");
        match self.switching(box_id) {
            Some(SwitchOption::Switch) => self.ok(Fact::SwitchDeclined(box_id), by),
            // the switch stays as it is and the turn ends
            Some(SwitchOption::Revoke) if self.awaiting() == Some(Awaiting::Revocation(box_id)) => {
                self.ok(Fact::SwitchDeclined(box_id), clause!("19:47-2A.7(k)"))
            }
            _ => self.no(by, "the switch is not offered to this player now"),
        }
    }

    fn revoke(&self, box_id: BoxId) -> Decided {
        let by = clause!("19:47-2A.7(g)2");
        if self.rules.game != Game::Switch {
            return self.no(
                play::decisions_clause(&self.rules),
                "cards are switched only in Blackjack Switch",
            );
        }
        match self.switching(box_id) {
            Some(SwitchOption::Revoke) => self.ok(Fact::Revoked(box_id), by),
            _ => self.no(
                by,
                "a switch can be revoked only after it was made and before any further card",
            ),
        }
    }

    // decisions

    fn decision(&self, box_id: BoxId, bettor: Bettor, decision: Decision) -> Decided {
        let listed = play::decisions_clause(&self.rules);
        let Some(at) = self.round.box_at(box_id) else {
            return self.no(listed, format!("there is no wager on box {}", box_id.0));
        };
        let play = &self.round.boxes[at];
        if usize::from(bettor.0) >= play.bettors.len() {
            return self.no(listed, "this person has no wager on the box");
        }
        if let Some(Awaiting::CoBettors(ask)) = self.awaiting() {
            return self.co_decision(play, at, bettor, decision, ask);
        }
        if bettor.0 != play.caller {
            let by = caller_by(self.rules.game);
            return self.no(by, "the player who calls the decisions decides for the box");
        }
        let ask = match self.awaiting() {
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id => ask,
            _ => return Err(self.out_of_turn(play, decision)),
        };
        let Some(index) = play.hand_at(ask.hand) else {
            return self.no(listed, "there is no such hand");
        };
        let hand = &play.hands[index];
        let Some(action) = decision.action() else {
            return self.no(
                sharing_by(self.rules.game),
                "this is for co-bettors after a double or a split",
            );
        };
        if action != Action::Stand && play.refuses_cards && action != Action::Surrender {
            return self.no(
                refused_card_by(self.rules.game),
                "who refused an exposed card gets no more cards",
            );
        }
        let by = play::may(&self.rules, &situation(play, hand), action)?;
        let number = hand.number;
        match decision {
            Decision::Stand => self.ok(Fact::Stood { box_id, hand: number }, by),
            Decision::Hit => self.ok(Fact::Drew { box_id, hand: number }, by),
            Decision::Double { amounts, face_down } => {
                self.double_amounts(hand, bettor, amounts)?;
                let face_down = self.face_down(face_down)?;
                self.ok(
                    Fact::Doubled {
                        box_id,
                        hand: number,
                        bettor,
                        amounts,
                        face_down,
                    },
                    by,
                )
            }
            Decision::Split => self.ok(
                Fact::Split {
                    box_id,
                    hand: number,
                    new: HandNumber(play.next_number),
                },
                by,
            ),
            _ => self.ok(Fact::Surrendered { box_id, hand: number }, by),
        }
    }

    /// 2.10(a)#3, 2.18(c)#3: up to the stake of the hand, for each of its wagers.
    fn double_amounts(&self, hand: &HandPlay, bettor: Bettor, amounts: [Cents; 3]) -> Result<(), Refusal> {
        let stakes = &hand.stakes[usize::from(bettor.0)];
        for (spot, &amount) in amounts.iter().enumerate() {
            let staked = stakes.undoubled(spot);
            match (staked > Cents::ZERO, amount != Cents::ZERO) {
                (true, _) => limit::double(&self.rules, amount, staked)?,
                (false, true) => {
                    return self.no(clause!("19:47-2.18(c)#3"), "there is no wager on that spot");
                }
                (false, false) => {}
            }
        }
        Ok(())
    }

    /// 2.10(c): face up, face down, or as the player asks.
    fn face_down(&self, asked: bool) -> Result<bool, Refusal> {
        match (self.rules.double_card, asked) {
            (DoubleCard::Down, _) => Ok(true),
            (DoubleCard::OnRequest, asked) => Ok(asked),
            (DoubleCard::Up, false) => Ok(false),
            (DoubleCard::Up, true) => self.no(
                clause!("19:47-2.10(c)"),
                "the card is dealt face up at this table",
            ),
        }
    }

    /// 2.13(d)-(e) and counterparts: a co-bettor's answer to the caller's double or split.
    fn co_decision(
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
        let (double_by, split_by) = (co_double_by(self.rules.game), co_split_by(self.rules.game));
        if asked_at != at || !self.is_asked(play.id, bettor) {
            return self.no(double_by, "the other players on the box are to answer first");
        }
        let Some(index) = play.hand_at(number) else {
            return self.no(double_by, "there is no such hand");
        };
        let (box_id, hand) = (play.id, number);
        match (ask, decision) {
            (CoAsk::Double(..), Decision::Double { amounts, .. }) => {
                self.double_amounts(&play.hands[index], bettor, amounts)?;
                let face_down = play.hands[index].face_down;
                self.ok(
                    Fact::Doubled {
                        box_id,
                        hand,
                        bettor,
                        amounts,
                        face_down,
                    },
                    double_by,
                )
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
            (CoAsk::Split(..), _) => self.no(split_by, "cover both hands, or say which of the two to follow"),
            _ => self.no(double_by, "double the wager too, or leave it"),
        }
    }

    /// Why a decision cannot be made now: what the last hand of the box allows, or whose turn it is.
    fn out_of_turn(&self, play: &BoxPlay, decision: Decision) -> Refusal {
        let listed = play::decisions_clause(&self.rules);
        if self.round.peeked == crate::round::Peeked::Blackjack {
            let by = blackjack_ends_by(self.rules.game, self.rules.hole_card);
            return Refusal::new(by, "the dealer has blackjack; no more cards are dealt");
        }
        let Some(action) = decision.action() else {
            return Refusal::new(sharing_by(self.rules.game), "nothing is asked of co-bettors now");
        };
        if play.refuses_cards && matches!(action, Action::Hit | Action::Double | Action::Split) {
            let by = refused_card_by(self.rules.game);
            return Refusal::new(by, "who refused an exposed card gets no more cards");
        }
        let turn_over = self.round.step > self.script.iter().position(|&s| s == Step::Play).unwrap_or(0)
            || self
                .round
                .boxes
                .iter()
                .position(|b| b.id == play.id)
                .is_some_and(|at| at < self.round.cursor);
        let mut finished = play
            .hands
            .iter()
            .filter(|hand| hand.state != State::Open && hand.hand.len() >= 2);
        // a split is explained by the hand that is a pair, if there is one
        let pair = finished
            .clone()
            .rfind(|hand| action == Action::Split && hand.hand.is_pair());
        let finished = pair.or_else(|| finished.next_back());
        if (turn_over || play.hands.iter().all(|hand| hand.state != State::Open))
            && let Some(hand) = finished
        {
            return match play::may(&self.rules, &situation(play, hand), action) {
                Err(refusal) => refusal,
                Ok(_) if action == Action::Surrender => {
                    Refusal::new(late_surrender_by(self.rules.game), "it is too late to surrender")
                }
                Ok(by) => Refusal::new(by, "the decisions on this hand have been made"),
            };
        }
        // 2A.7(k) says who follows; the other texts say it where they list the decisions
        let by = match self.rules.game {
            Game::Switch => clause!("19:47-2A.7(k)"),
            _ => listed,
        };
        Refusal::new(by, format!("it is not the turn of box {}", play.id.0))
    }

    // offers of cards

    fn sevens_card(&self, box_id: BoxId, taken: bool) -> Decided {
        let by = match self.rules.hole_card {
            HoleCard::Up => clause!("19:47-2.6(k)6#2"),
            _ => clause!("19:47-2.6(j)3"),
        };
        match self.awaiting() {
            Some(Awaiting::SevensCard(asked)) if asked == box_id => {
                self.ok(Fact::SevensCard { box_id, taken }, by)
            }
            _ => self.no(by, "no card is offered for the sevens wager now"),
        }
    }

    fn late_card(&self, box_id: BoxId, taken: bool) -> Decided {
        let initial = self.round.step < self.script.iter().position(|&s| s == Step::Play).unwrap_or(0);
        let by = match (self.rules.game, initial) {
            (Game::Blackjack, true) => clause!("19:47-2.15(g)#2"),
            (Game::Switch, true) => clause!("19:47-2A.15(g)#2"),
            (Game::DoubleAttack, true) => clause!("19:47-26.15(h)#2"),
            (Game::TripleAttack, true) => clause!("19:47-36.14(h)#2"),
            (game, false) => missed_card_by(game),
        };
        match self.awaiting() {
            Some(Awaiting::LateCard(asked)) if asked == box_id => {
                self.ok(Fact::LateCard { box_id, taken }, by)
            }
            _ => self.no(by, "no missed card is offered to this player now"),
        }
    }

    /// 2.15(c)#2: a player about to get the exposed card may refuse it.
    fn refuse_card(&self, box_id: BoxId) -> Decided {
        let by = refused_card_by(self.rules.game);
        // Q31: before all have two cards it is simply the next card
        if self.round.exposed.is_none() || !self.round.initial_dealt {
            return self.no(by, "no exposed card is to be dealt that could be refused");
        }
        match self.awaiting() {
            Some(Awaiting::Decision(ask)) if ask.box_id == box_id => self.ok(Fact::Refused(box_id), by),
            Some(Awaiting::Card(Place::Hand(to, _))) if to == box_id => self.ok(Fact::Refused(box_id), by),
            _ => self.no(by, "the exposed card is not for this player now"),
        }
    }

    // verification

    fn approve(&self, what: crate::event::Approval, role: Role, person: Person) -> Decided {
        use crate::event::Approval;
        let by = match what {
            Approval::Progressive(..) => clause!("19:47-2.19(g)3"),
            Approval::Bonus(..) => clause!("19:47-2.20(g)4"),
            Approval::QueensOfHearts(..) => clause!("19:47-2.24(e)#2"),
        };
        if self.awaiting() != Some(Awaiting::Approval(what)) {
            return self.no(by, "nothing of the kind is to be approved now");
        }
        let needed = what.role();
        if role != needed && role != Role::Supervisor {
            return self.no(
                by,
                format!(
                    "this needs a {}",
                    if needed == Role::Supervisor {
                        "supervisor"
                    } else {
                        "floorperson"
                    }
                ),
            );
        }
        self.ok(
            Fact::Approved {
                what,
                by: role,
                person,
            },
            by,
        )
    }

    fn award(&self, box_id: BoxId, bettor: Bettor, amount: Cents) -> Decided {
        let by = clause!("19:47-2.20(f)#3");
        if self.awaiting() != Some(Awaiting::Award(box_id, bettor)) {
            let by = match self.awaiting() {
                Some(Awaiting::Award(..)) => clause!("19:47-2.20(f)#2"),
                _ => by,
            };
            return self.no(by, "no bonus button is to be pressed there now");
        }
        let staked = self
            .round
            .box_at(box_id)
            .map(|at| self.round.boxes[at].bettors[usize::from(bettor.0)].side(SideBet::BlackjackBonus));
        let limits = staked.and_then(award_limits);
        match limits {
            Some((least, most)) if (least..=most).contains(&amount) => self.ok(
                Fact::Awarded {
                    box_id,
                    bettor,
                    amount,
                },
                by,
            ),
            _ => self.no(
                clause!("19:47-2.20(j)"),
                format!("{amount} is not an award for this wager"),
            ),
        }
    }

    fn void_round(&self, role: Role) -> Decided {
        let by = match self.rules.game {
            Game::Blackjack => clause!("19:47-2.15(j)1"),
            Game::Switch => clause!("19:47-2A.15(a)#2"),
            Game::DoubleAttack => clause!("19:47-26.15(a)#2"),
            Game::TripleAttack => clause!("19:47-36.14(a)#2"),
        };
        if self.round.step == 0 {
            return self.no(by, "no round is in play");
        }
        if !matches!(role, Role::Floorperson | Role::Supervisor) {
            return self.no(by, "a floorperson or supervisor declares a round void");
        }
        self.ok(Fact::Voided, by)
    }
}

impl Table {
    /// Where a co-bettor or caller stands on the stakes of a hand: what a full double or split would cost, by spot.
    pub fn cost(&self, box_id: BoxId, hand: HandNumber, bettor: Bettor) -> [Cents; 3] {
        let stakes = self.round.box_at(box_id).and_then(|at| {
            let play = &self.round.boxes[at];
            play.hand_at(hand)
                .map(|index| play.hands[index].stakes[usize::from(bettor.0)])
        });
        stakes.map_or([Cents::ZERO; 3], |stakes| {
            [stakes.undoubled(0), stakes.undoubled(1), stakes.undoubled(2)]
        })
    }

    /// Whether anybody on this box still has the switch before them.
    pub fn switch_state(&self, box_id: BoxId) -> Option<SwitchState> {
        self.round.box_at(box_id).map(|at| self.round.boxes[at].switch)
    }

    /// What the required wager of this bettor is.
    pub fn main_wager(&self, box_id: BoxId, bettor: Bettor) -> Option<[Cents; 3]> {
        let at = self.round.box_at(box_id)?;
        self.round.boxes[at]
            .bettors
            .get(usize::from(bettor.0))
            .map(|bettor| bettor.main)
    }
}

fn dealing_by(table: &Table, place: Place) -> Clause {
    let game = table.rules.game;
    let initial = !table.round.initial_dealt;
    // the first of the two initial cards goes to a hand that is still empty
    let first = match place {
        Place::Hand(box_id, number) => table.round.box_at(box_id).is_none_or(|at| {
            let play = &table.round.boxes[at];
            play.hand_at(number)
                .is_none_or(|index| play.hands[index].hand.is_empty())
        }),
        _ => false,
    };
    let doubled = match place {
        Place::Hand(box_id, number) => table.round.box_at(box_id).is_some_and(|at| {
            let play = &table.round.boxes[at];
            let index = play.hand_at(number);
            index.is_some_and(|index| play.hands[index].doubled == play::Doubled::Yes)
        }),
        _ => false,
    };
    match (game, table.rules.variation, place) {
        (Game::Switch, ..) if doubled => clause!("19:47-2A.10(b)"),
        (Game::DoubleAttack, ..) if doubled => clause!("19:47-26.9(a)#5"),
        (Game::TripleAttack, ..) if doubled => clause!("19:47-36.8(a)#5"),
        (Game::Blackjack, Variation::SixToFive, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-2.6A(c)1")
            } else {
                clause!("19:47-2.6A(c)3")
            }
        }
        (Game::Blackjack, Variation::SixToFive, Place::Hand(..)) => clause!("19:47-2.6A(e)"),
        (Game::Blackjack, Variation::SixToFive, Place::Dealer) if table.round.dealer.is_empty() => {
            clause!("19:47-2.6A(c)2")
        }
        (Game::Blackjack, Variation::SixToFive, Place::Dealer) if table.round.dealer.len() == 1 => {
            clause!("19:47-2.6A(f)")
        }
        (Game::Blackjack, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-2.6(e)1")
            } else {
                clause!("19:47-2.6(e)3")
            }
        }
        (Game::Blackjack, _, Place::Hand(..)) => clause!("19:47-2.6(g)"),
        (Game::Blackjack, _, Place::Dealer) if table.round.dealer.is_empty() => clause!("19:47-2.6(e)2"),
        (Game::Blackjack, _, Place::Dealer) if table.round.dealer.len() == 1 => match table.rules.hole_card {
            HoleCard::Up => clause!("19:47-2.6(k)"),
            _ => clause!("19:47-2.6(h)"),
        },
        (Game::Blackjack, _, Place::HoleDown) => clause!("19:47-2.6(j)"),
        (Game::Blackjack, _, Place::Determinant) => clause!("19:47-2.6(d)1"),
        (Game::Switch, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-2A.7(d)1")
            } else {
                clause!("19:47-2A.7(d)3")
            }
        }
        (Game::Switch, _, Place::Hand(..)) => clause!("19:47-2A.7(i)"),
        (Game::Switch, _, Place::Dealer) if table.round.dealer.is_empty() => clause!("19:47-2A.7(d)2"),
        (Game::Switch, _, Place::Dealer) if table.round.dealer.len() == 1 => clause!("19:47-2A.7(l)"),
        (Game::Switch, _, Place::HoleDown) => clause!("19:47-2A.7(l)1"),
        (Game::DoubleAttack, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-26.7(d)1")
            } else {
                clause!("19:47-26.7(d)2")
            }
        }
        (Game::DoubleAttack, _, Place::Hand(..)) => clause!("19:47-26.7(f)"),
        (Game::DoubleAttack, _, Place::Dealer) if table.round.dealer.is_empty() => clause!("19:47-26.7(d)#2"),
        (Game::DoubleAttack, _, Place::Dealer) if table.round.dealer.len() == 1 => clause!("19:47-26.7(g)"),
        (Game::DoubleAttack, _, Place::HoleDown) => clause!("19:47-26.7(i)"),
        (Game::TripleAttack, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-36.7(d.1)#3")
            } else {
                clause!("19:47-36.7(e)#3")
            }
        }
        (Game::TripleAttack, _, Place::Hand(..)) => clause!("19:47-36.7(h)"),
        (Game::TripleAttack, _, Place::Dealer) if table.round.dealer.is_empty() => {
            clause!("19:47-36.7(d.2)#2")
        }
        (Game::TripleAttack, _, Place::HoleDown) => clause!("19:47-36.7(e)#3"),
        _ => play::dealer_draws_by(&table.rules),
    }
}

fn closed_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(c)"),
        Game::Switch => clause!("19:47-2A.5(e)"),
        Game::DoubleAttack => clause!("19:47-26.5(d)"),
        Game::TripleAttack => clause!("19:47-36.5(d.2)"),
    }
}

fn entry_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(i)"),
        Game::Switch => clause!("19:47-2A.5(h)"),
        Game::DoubleAttack => clause!("19:47-26.5(h)"),
        Game::TripleAttack => clause!("19:47-36.5(h)"),
    }
}

/// What ends the bar: 2.3(i), 2A.5(h)#2, 26.5(h)#2, 36.5(h)#2.
fn admission_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(i)"),
        Game::Switch => clause!("19:47-2A.5(h)#2"),
        Game::DoubleAttack => clause!("19:47-26.5(h)#2"),
        Game::TripleAttack => clause!("19:47-36.5(h)#2"),
    }
}

/// Each new dealer burns a card too.
pub(crate) fn burn_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.6(c)#2"),
        Game::Switch => clause!("19:47-2A.7(c)#3"),
        Game::DoubleAttack => clause!("19:47-26.7(c)#3"),
        Game::TripleAttack => clause!("19:47-36.7(c)#3"),
    }
}

fn sharing_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(a)"),
        Game::Switch => clause!("19:47-2A.13(a)"),
        Game::DoubleAttack => clause!("19:47-26.13(a)"),
        Game::TripleAttack => clause!("19:47-36.12(a)"),
    }
}

fn caller_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(b)"),
        Game::Switch => clause!("19:47-2A.13(b)"),
        Game::DoubleAttack => clause!("19:47-26.13(b)"),
        Game::TripleAttack => clause!("19:47-36.12(b)"),
    }
}

fn co_double_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(d)"),
        Game::Switch => clause!("19:47-2A.13(d)"),
        Game::DoubleAttack => clause!("19:47-26.13(d)"),
        Game::TripleAttack => clause!("19:47-36.12(d)"),
    }
}

/// Switch has no clause of its own for splits on a shared spot; A17 reads it like 2.13(e).
fn co_split_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(e)"),
        Game::Switch => clause!("19:47-2A.13(b)"),
        Game::DoubleAttack => clause!("19:47-26.13(f)"),
        Game::TripleAttack => clause!("19:47-36.12(f)"),
    }
}

pub(crate) fn cut_order_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.5(e)"),
        Game::Switch => clause!("19:47-2A.4(d)1"),
        Game::DoubleAttack => clause!("19:47-26.4(d)"),
        Game::TripleAttack => clause!("19:47-36.4(d)"),
    }
}

pub(crate) fn cut_refused_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.5(f)"),
        Game::Switch => clause!("19:47-2A.4(e)"),
        Game::DoubleAttack => clause!("19:47-26.4(c)#2"),
        Game::TripleAttack => clause!("19:47-36.4(c)#2"),
    }
}

fn attack_by(game: Game, offer: Option<Offer>) -> Clause {
    match (game, offer) {
        (Game::DoubleAttack, _) => clause!("19:47-26.7(d)#3"),
        (Game::TripleAttack, Some(Offer::ThirdAttack)) => clause!("19:47-36.7(e)"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(d.2)"),
        (Game::Blackjack, _) => clause!("19:47-2.3(c)"),
        (Game::Switch, _) => clause!("19:47-2A.5(e)"),
    }
}

fn insurance_time_by(game: Game, read: bool) -> Clause {
    match (game, read) {
        (Game::Blackjack, false) => clause!("19:47-2.9(b)#3"),
        (Game::Blackjack, true) => clause!("19:47-2.9(b)#5"),
        (Game::Switch, false) => clause!("19:47-2A.8(a)2"),
        (Game::Switch, true) => clause!("19:47-2A.8(a)3"),
        (Game::DoubleAttack, false) => clause!("19:47-26.11(b)#3"),
        (Game::DoubleAttack, true) => clause!("19:47-26.11(b)#4"),
        (Game::TripleAttack, false) => clause!("19:47-36.10(b)#3"),
        (Game::TripleAttack, true) => clause!("19:47-36.10(b)#4"),
    }
}

/// 2.3(g), 2A.5(f), 26.5(g), 36.5(g): a wager that the dealer has confirmed.
fn confirmed_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(g)"),
        Game::Switch => clause!("19:47-2A.5(f)"),
        Game::DoubleAttack => clause!("19:47-26.5(g)"),
        Game::TripleAttack => clause!("19:47-36.5(g)"),
    }
}

pub(crate) fn refused_card_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(c)#2"),
        Game::Switch => clause!("19:47-2A.15(c)#2"),
        Game::DoubleAttack => clause!("19:47-26.15(e)#2"),
        Game::TripleAttack => clause!("19:47-36.14(e)#2"),
    }
}

fn late_surrender_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.8(a)#2"),
        Game::Switch => clause!("19:47-2A.9(a)#2"),
        Game::DoubleAttack => clause!("19:47-26.8(a)#5"),
        Game::TripleAttack => clause!("19:47-36.7(g)"),
    }
}

pub(crate) fn blackjack_ends_by(game: Game, hole_card: HoleCard) -> Clause {
    match (game, hole_card) {
        (Game::Blackjack, HoleCard::Up) => clause!("19:47-2.6(k)6"),
        (Game::Blackjack, _) => clause!("19:47-2.6(j)1"),
        (Game::Switch, _) => clause!("19:47-2A.7(l)2#3"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(i)#6"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(k)#5"),
    }
}
