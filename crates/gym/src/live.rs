//! Drives the table's state machine with random cards, and asks the players one question at a time.
//!
//! Procedures such as shuffles run by themselves. Every event is returned with its clause.

use crate::observation::{ACTIONS, MOST, Observation, Question, STAKE, suit_number};
use rules::card::Card;
use rules::limit::{least_wager, most_insurance};
use rules::play::Refusal;
use rules::script::Offer;
use rules::wager::Prize;
use rules::{Cents, Choices, Rules, SideBet};
use sim::count::{System, count_of};
use sim::rng::mix;
use std::collections::VecDeque;
use std::sync::Arc;
use table::round::Round;
use table::shoe::{Procedure, least_behind};
use table::{
    Awaiting, Bettor, BoxId, CardPlace, Command, Decision, Event, Fact, HandNumber, Irregularity, Person,
    Role, Side, Spots, Table,
};

/// The words that can answer a question, such as `stand`; `revoke` takes back a switch.
const WORDS: [&str; 11] = [
    "stand",
    "hit",
    "double",
    "split",
    "surrender",
    "insurance",
    "even-money",
    "attack",
    "switch",
    "revoke",
    "pass",
];

/// A question that the player at a box must answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingQuestion {
    /// The kind of question, such as a decision on a hand.
    pub question: Question,
    /// The number of the box that must answer.
    pub box_id: u8,
    /// The number of the hand in question, or zero for an offer to the whole box.
    pub hand: u8,
    /// The legal answers, such as `hit`.
    pub actions: Vec<&'static str>,
}

/// The bets that one box places for a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stake {
    /// The number of the box that places the bets.
    pub box_id: u8,
    /// The amounts of the required bets; a single amount stands for all of them.
    pub amounts: Vec<Cents>,
    /// The side bets and their amounts.
    pub sides: Vec<(SideBet, Cents)>,
}

/// A table driven step by step, with random cards.
#[derive(Clone, Debug)]
pub struct Live {
    table: Table,
    full: Vec<Card>,
    sides: [Vec<Card>; 2],
    /// The arranged cards, which are dealt before any random ones.
    next: VecDeque<Card>,
    chance: u64,
    over: bool,
    /// The last finished round, in its state just before its cards were picked up.
    last: Arc<Round>,
    /// The net win of each box from the bets settled so far in the current round, indexed by box.
    nets: [Cents; 16],
    system: Option<System>,
    running: i32,
}

impl Live {
    /// Returns a table that has just opened.
    ///
    /// The same seed and the same decisions give the same cards.
    pub fn new(rules: Arc<Rules>, seed: u64) -> Live {
        let full: Vec<Card> = (0..rules.decks).flat_map(|_| rules.deck().cards()).collect();
        let sides = [full.clone(), full.clone()];
        Live {
            table: Table::new(rules),
            full,
            sides,
            next: VecDeque::new(),
            chance: seed,
            over: true,
            last: Arc::default(),
            nets: [Cents::ZERO; 16],
            system: None,
            running: 0,
        }
    }

    /// Returns the table's state machine.
    pub fn table(&self) -> &Table {
        &self.table
    }

    fn choices(&self) -> &Choices {
        self.table.rules().choices()
    }

    /// Returns the current round or, once it is over, the round as it was just before its cards were picked up.
    pub fn round(&self) -> &Round {
        if self.over { &self.last } else { self.table.round() }
    }

    /// Returns whether no round is in play, that is, before the first round and after each round's cards are
    /// picked up.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Starts counting cards with `system`.
    pub fn count_by(&mut self, system: System) {
        self.system = Some(system);
        self.begin_count();
    }

    fn begin_count(&mut self) {
        let decks = i32::from(self.choices().decks);
        self.running = self.system.as_ref().map_or(0, |system| system.at_start(decks));
    }

    /// Returns the true count, or the running count of an unbalanced system.
    ///
    /// Returns zero if [`Live::count_by`] was not called.
    pub fn count(&self) -> i32 {
        let left = self.table.custody().stack().max(1) as f64 / self.choices().deck().size() as f64;
        self.system.as_ref().map_or(0, |system| count_of(system, self.running, left))
    }

    fn see(&mut self, card: Card) {
        if let Some(system) = &self.system {
            self.running += i32::from(system.tags[usize::from(card.value()) - 1]);
        }
    }

    /// Returns the net win of a box from the bets settled so far in this round.
    pub fn net(&self, box_id: u8) -> Cents {
        self.nets.get(usize::from(box_id)).copied().unwrap_or(Cents::ZERO)
    }

    /// Sets the cards that are dealt next, before any random cards.
    pub fn arrange(&mut self, cards: &[Card]) {
        self.next = cards.iter().copied().collect();
    }

    fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        let fair = u64::MAX - u64::MAX % bound;
        loop {
            let number = mix(&mut self.chance);
            if number < fair {
                return (number % bound) as usize;
            }
        }
    }

    fn draw(&mut self, side: Side) -> Option<Card> {
        if let Some(card) = self.next.pop_front() {
            let stack = &mut self.sides[side as usize];
            if let Some(at) = stack.iter().position(|&other| other == card) {
                stack.swap_remove(at);
            }
            return Some(card);
        }
        let left = self.sides[side as usize].len();
        let at = self.below(left);
        (left > 0).then(|| self.sides[side as usize].swap_remove(at))
    }

    /// Puts all cards that are not on the layout back into the stack.
    fn gather(&mut self) {
        let stack = &mut self.sides[self.table.custody().side as usize];
        stack.clone_from(&self.full);
        for card in self.table.custody().layout.iter().flatten() {
            if let Some(at) = stack.iter().position(|other| other == card) {
                stack.swap_remove(at);
            }
        }
    }

    fn apply(&mut self, event: Event, events: &mut Vec<Event>) {
        if event.fact == Fact::PickedUp {
            self.last = Arc::new(self.table.round().clone());
        }
        self.table.apply(&event);
        events.push(event);
        match event.fact {
            Fact::Dealt { to, card: Some(card) } if to != CardPlace::HoleDown => self.see(card),
            Fact::HoleTurned(card) => self.see(card),
            Fact::Settled(settled) => self.nets[usize::from(settled.box_id.0) % 16] += settled.net,
            Fact::Reversed(settled) => self.nets[usize::from(settled.box_id.0) % 16] -= settled.net,
            _ => {}
        }
        match event.fact {
            Fact::Performed(
                Procedure::EmptyShoe
                | Procedure::ReturnToShuffler
                | Procedure::SwapBatches
                | Procedure::InsertThreeStacks
                | Procedure::ReshuffleDiscards,
            ) => {
                self.gather();
                self.begin_count();
            }
            Fact::Performed(Procedure::Spread) => self.sides = [self.full.clone(), self.full.clone()],
            Fact::Irregular(Irregularity::OutOfCards) => {
                self.gather();
                let _ = self.draw(self.table.custody().side);
            }
            Fact::Performed(Procedure::Burn) | Fact::Burned(None) if self.next.is_empty() => {
                let _ = self.draw(self.table.custody().side);
            }
            Fact::PickedUp => self.over = true,
            _ => {}
        }
    }

    fn command(&mut self, command: Command, events: &mut Vec<Event>) -> Result<(), Refusal> {
        let event = self.table.decide(command)?;
        self.apply(event, events);
        Ok(())
    }

    /// Advances the round until a player must act or bets can be placed, and returns the events.
    ///
    /// Returns an error if the rules refuse a step.
    pub fn advance(&mut self) -> Result<Vec<Event>, Refusal> {
        let mut events = Vec::new();
        loop {
            if let Some(event) = self.table.due() {
                self.apply(event, &mut events);
                continue;
            }
            let command = match self.table.awaiting() {
                Some(Awaiting::Procedure(step)) => Command::Perform(self.performed(step)),
                Some(Awaiting::Cut(box_id)) => Command::DeclineCut { box_id },
                Some(Awaiting::Card(place)) => self.card(place),
                Some(Awaiting::Award(box_id, bettor)) => {
                    let amount = self.award(box_id, bettor);
                    Command::Award { box_id, bettor, amount }
                }
                Some(Awaiting::Approval(what)) => {
                    Command::Approve { what, role: what.role(), person: Person(0) }
                }
                Some(Awaiting::SevensCard(box_id)) => Command::TakeSevensCard { box_id, take: true },
                _ => return Ok(events),
            };
            self.command(command, &mut events)?;
        }
    }

    fn performed(&self, step: Procedure) -> Procedure {
        let custody = self.table.custody();
        match step {
            Procedure::Cut { .. } => Procedure::Cut { by: None, at: (custody.to_cut() / 2) as u16 },
            Procedure::PlaceCutCard { .. } => {
                let wanted = self.choices().cut_behind.of(self.choices().stack_size()) as u16;
                Procedure::PlaceCutCard { behind: wanted.max(least_behind(self.choices())) }
            }
            Procedure::VerifyTens(_) => Procedure::VerifyTens(Person(0)),
            other => other,
        }
    }

    fn card(&mut self, place: CardPlace) -> Command {
        let side = self.table.custody().side;
        match self.draw(side) {
            Some(card) if place == CardPlace::Determinant => Command::Determinant(card, side),
            Some(card) => Command::Card(card),
            None if self.table.custody().rack.len() > 1 => Command::Report(Irregularity::OutOfCards),
            None => Command::VoidRound { role: Role::Supervisor },
        }
    }

    /// Returns an award of the bonus button, drawn at random by the weights that the table sets (2.20(f)).
    fn award(&mut self, box_id: BoxId, bettor: Bettor) -> Cents {
        let round = self.table.round();
        let staked = round.box_at(box_id).and_then(|at| round.boxes[at].bettors.get(usize::from(bettor.0)));
        let awards: Vec<(Cents, u32)> = staked
            .zip(self.choices().bet_for(Prize::Button))
            .and_then(|(who, (bet, offer))| offer.awards.get(&who.side(bet)))
            .map(|awards| awards.iter().map(|(award, weight)| (*award, *weight)).collect())
            .unwrap_or_default();
        let mut at = self.below(awards.iter().map(|award| award.1 as usize).sum());
        for (award, weight) in awards {
            if at < weight as usize {
                return award;
            }
            at -= weight as usize;
        }
        Cents::ZERO
    }

    /// Places the bets, closes betting and advances the round.
    ///
    /// If the rules refuse any bet, returns an error and changes nothing.
    pub fn wager(&mut self, stakes: &[Stake]) -> Result<Vec<Event>, Refusal> {
        let mut after = self.clone();
        let mut events = after.advance()?;
        for stake in stakes {
            let (box_id, person) = (BoxId(stake.box_id), Person(u32::from(stake.box_id)));
            let mut amounts = [Cents::ZERO; 3];
            match stake.amounts.as_slice() {
                [one] => amounts[..self.choices().dealer_hands()].fill(*one),
                several => amounts.iter_mut().zip(several).for_each(|(place, amount)| *place = *amount),
            }
            after.command(Command::Wager { box_id, person, seated: true, amounts }, &mut events)?;
            for &(bet, amount) in &stake.sides {
                after.command(Command::SideWager { box_id, person, bet, amount }, &mut events)?;
            }
        }
        after.command(Command::CloseWagers, &mut events)?;
        after.over = false;
        after.nets = [Cents::ZERO; 16];
        *self = after;
        events.append(&mut self.advance()?);
        Ok(events)
    }

    /// Returns the current question and its legal answers, or `None` if no player is asked.
    pub fn ask(&self) -> Option<PendingQuestion> {
        let (question, box_id, hand) = match self.table.awaiting()? {
            Awaiting::Offers(offer) => {
                let asked = self.table.round().boxes.iter().find(|play| !play.bettors[0].answered)?;
                (question_of(offer), asked.id, 0)
            }
            Awaiting::LateInsurance(box_id) => (Question::Insurance, box_id, 0),
            Awaiting::Switch(box_id) | Awaiting::Revocation(box_id) => (Question::Switch, box_id, 1),
            Awaiting::Decision(ask) => (Question::Decision, ask.box_id, ask.hand.0),
            _ => return None,
        };
        let answers = |word: &&'static str| {
            self.answer(word, None).is_some_and(|command| self.table.decide(command).is_ok())
        };
        let actions = WORDS.into_iter().filter(answers).collect();
        Some(PendingQuestion { question, box_id: box_id.0, hand, actions })
    }

    /// Returns the command by which `word` answers the current question, or `None` if `word` is not an answer.
    fn answer(&self, word: &str, amount: Option<Cents>) -> Option<Command> {
        let bettor = Bettor(0);
        let awaiting = self.table.awaiting()?;
        match awaiting {
            Awaiting::Offers(offer) => {
                let box_id = self.table.round().boxes.iter().find(|play| !play.bettors[0].answered)?.id;
                self.answer_offer(word, box_id, offer, amount)
            }
            Awaiting::LateInsurance(box_id) => self.answer_offer(word, box_id, Offer::Insurance, amount),
            Awaiting::Switch(box_id) | Awaiting::Revocation(box_id) => match word {
                "switch" => Some(Command::Switch(box_id)),
                "revoke" => Some(Command::Revoke(box_id)),
                "pass" => Some(Command::DeclineSwitch(box_id)),
                _ => None,
            },
            Awaiting::Decision(ask) => {
                let decision = match word {
                    "stand" => Decision::Stand,
                    "hit" => Decision::Hit,
                    "split" => Decision::Split,
                    "surrender" => Decision::Surrender,
                    "double" => {
                        let most = self.table.cost(ask.box_id, ask.hand, bettor);
                        let amounts = amount.map_or(most, |amount| {
                            most.map(|most| if most > Cents::ZERO { amount } else { most })
                        });
                        Decision::Double { amounts, face_down: false }
                    }
                    "switch" => return Some(Command::Switch(ask.box_id)),
                    "revoke" => return Some(Command::Revoke(ask.box_id)),
                    _ => return None,
                };
                Some(Command::Decide { box_id: ask.box_id, bettor, decision })
            }
            _ => None,
        }
    }

    fn answer_offer(
        &self,
        word: &str,
        box_id: BoxId,
        offer: Offer,
        amount: Option<Cents>,
    ) -> Option<Command> {
        let bettor = Bettor(0);
        let round = self.table.round();
        let play = &round.boxes[round.box_at(box_id)?];
        match word {
            "attack" if offer != Offer::Insurance => {
                Some(Command::Attack { box_id, bettor, amount: amount.unwrap_or(play.bettors[0].main[0]) })
            }
            "insurance" if offer == Offer::Insurance => {
                let stakes = play.hands.first()?.stakes[0];
                let amounts = std::array::from_fn(|spot| {
                    let of = stakes.laid(spot).insured(self.choices());
                    let most = most_insurance(self.choices(), of);
                    if of == Cents::ZERO { Cents::ZERO } else { amount.unwrap_or(most) }
                });
                let insured = |group: usize| play.bettors[0].insurance[group] != [Cents::ZERO; 3];
                let group = (0..self.choices().hands_per_box()).find(|&group| !insured(group))?;
                Some(Command::Insure { box_id, bettor, hand: HandNumber(group as u8 + 1), amounts })
            }
            "even-money" if offer == Offer::Insurance => {
                Some(Command::TakeEvenMoney { box_id, bettor, spots: Spots::ALL })
            }
            "pass" => Some(Command::Decline { box_id, bettor, offer }),
            _ => None,
        }
    }

    /// Answers the current question with `word` and advances the round.
    ///
    /// `amount` is the amount of the bet that `word` makes, or `None` for the highest amount allowed. Returns an
    /// error if `word` does not answer the question or if the rules refuse the answer.
    pub fn decide(&mut self, word: &str, amount: Option<Cents>) -> Result<Vec<Event>, AnswerError> {
        let command = self.answer(word, amount).ok_or(AnswerError::NotAnAnswer)?;
        let mut events = Vec::new();
        self.command(command, &mut events).map_err(AnswerError::Refused)?;
        events.append(&mut self.advance().map_err(AnswerError::Refused)?);
        Ok(events)
    }

    /// Answers the current question with an agent's `word` and advances the round.
    ///
    /// An agent insures all hands of a box together, and never takes back a switch.
    pub fn act(&mut self, word: &str) -> Result<Vec<Event>, AnswerError> {
        let asked = self.ask();
        let mut events = self.decide(word, None)?;
        while let (Some(before), Some(now)) = (&asked, self.ask()) {
            let again =
                word == "insurance" && now.question == Question::Insurance && now.box_id == before.box_id;
            let more = match () {
                () if again && now.actions.contains(&"insurance") => "insurance",
                () if again || now.actions.contains(&"revoke") && now.question == Question::Switch => "pass",
                () => break,
            };
            events.append(&mut self.decide(more, None)?);
        }
        Ok(events)
    }

    /// Returns which of [`ACTIONS`] are legal answers to the current question, one bit per action.
    pub fn mask(&self) -> u32 {
        let actions = self.ask().map_or_else(Vec::new, |ask| ask.actions);
        let bits = ACTIONS.iter().enumerate().filter(|(_, action)| actions.contains(action));
        bits.map(|(bit, _)| 1 << bit).sum()
    }

    /// Returns what an agent at the box `box_id` sees.
    ///
    /// The observation describes the hand in question, or the box's last hand if the box is not asked.
    pub fn observation(&self, box_id: u8) -> Observation {
        let round = self.round();
        let ask = self.ask().filter(|ask| ask.box_id == box_id);
        let question = ask.as_ref().map_or(Question::Nothing, |ask| ask.question);
        let value = |card: &Card| card.value();
        let (up, hole) = (round.up(), round.dealer.cards().get(1).copied());
        let mut observation = Observation {
            question,
            up: up.as_ref().map_or(0, value),
            hole: hole.as_ref().map_or(0, value),
            left: self.table.custody().stack() as u16,
            count: self.count().clamp(-64, 63) as i8,
            suits: [0, 0, up.map_or(0, suit_number), hole.map_or(0, suit_number)],
            ..Observation::default()
        };
        let Some(play) = round.box_at(BoxId(box_id)).map(|at| &round.boxes[at]) else { return observation };
        let place = match &ask {
            Some(ask) => play.hand_at(HandNumber(ask.hand)).unwrap_or(0),
            None => play.hands.len().saturating_sub(1),
        };
        if let Some(hand) = play.hands.get(place) {
            observation = observation.of_hand(&hand.hand);
            observation.doubled = hand.doubled == rules::play::Doubled::Yes;
            observation.hands = play.hands_of(hand.group);
            let others: Vec<_> = play.hands.iter().filter(|other| other.group != hand.group).collect();
            if let [other] = others.as_slice()
                && let [a, b, ..] = other.hand.cards()
            {
                observation.other = [value(a), value(b)];
            }
        }
        observation.hand = place as u8;
        let stake = play.bettors[0].main[0].0 / least_wager(self.choices()).0.max(1);
        observation.stake = stake.clamp(0, MOST[STAKE].into()) as u16;
        observation.insured = play.bettors[0].insurance.iter().flatten().any(|staked| *staked > Cents::ZERO);
        // the attack bets stay with the first hand, even after a split
        let laid = play.hands.first().map(|hand| hand.stakes[0].laid(0).attacks).unwrap_or_default();
        observation.attacks = (laid.0 / play.bettors[0].main[0].0.max(1)) as u8;
        observation
    }
}

/// The reason why an answer was rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerError {
    /// The word does not answer the current question.
    NotAnAnswer,
    /// The rules refuse the answer; the [`Refusal`] states the reason and the clause.
    Refused(Refusal),
}

fn question_of(offer: Offer) -> Question {
    match offer {
        Offer::Attack => Question::Attack,
        Offer::SecondAttack => Question::SecondAttack,
        Offer::ThirdAttack => Question::ThirdAttack,
        Offer::Insurance => Question::Insurance,
    }
}
