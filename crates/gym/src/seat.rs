//! A seat at a compiled table, which answers one question at a time.
//!
//! An episode is one round: the question for the bet, then the questions of the procedure.

use crate::cards::Cards;
use crate::compile::{Next, start_of};
use crate::core::Core;
use crate::observation::{
    ACTIONS, ATTACK, ATTACKS, DOUBLE, DOUBLED, EVEN_MONEY, HAND, HANDS, HIT, INSURANCE, INSURED, NOTHING,
    Numbers, PASS, QUESTION, Question, SPLIT, SPLIT_HAND, STAKE, STAND, SURRENDER, SWITCH,
};
use crate::settle::Ending;
use crate::stage::{Deal, HOLE_CARD, NONE, PLACES, SECOND_CARD, Stage, UP_CARD};
use program::class::{self, ClassId};
use program::face::Symbol;

/// An upper bound on the number of hands at one box.
const MOST_HANDS: usize = 16;
/// An upper bound, a power of two, on the number of hands of a split that wait for their second cards.
const MOST_WAITING: usize = 8;

/// A finished hand: its class, and the index of the initial hand that it comes from.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct FinishedHand {
    pub(crate) initial: u8,
    pub(crate) class: ClassId,
}

/// A player's seat at a compiled table.
#[derive(Clone, Debug)]
pub struct Seat<C> {
    /// The seat's shoe.
    pub cards: C,
    /// The observation, without the features that depend on the remaining cards.
    pub(crate) shows: Numbers,
    /// The legal actions, one bit each.
    open: u32,
    pub(crate) question: Question,
    /// The index of the round's next stage.
    stage: u8,
    pub(crate) given: u8,
    /// The faces of the round's first cards: the box's own in the order dealt, then the dealer's.
    dealt: [u8; PLACES],
    asked_late: bool,
    even_money: bool,
    /// The index in `Tree::decisions` of the decision that the player must make.
    pub(crate) at: u16,
    pub(crate) initial: u8,
    waiting: u8,
    value: u8,
    /// The faces of the first two cards of the hand in play, if the hand was formed by a split.
    pair: [u8; 2],
    /// The faces of the first cards of the `waiting` hands; the last hand is played first.
    split_off: [u8; MOST_WAITING],
    may_switch: bool,
    /// Whether an earlier initial hand of the box was split.
    pub(crate) split_before: bool,
    switched: bool,
    played: bool,
    pub(crate) void: bool,
    held: [FinishedHand; MOST_HANDS],
    holding: u8,
    pub(crate) sides: u16,
    pub(crate) running: i32,
    pub(crate) hidden: i32,
    /// The state of the settlement, once only the dealer's hands remain to be played.
    pub(crate) ending: Ending,
}

impl<C: Cards> Seat<C> {
    /// Returns a seat with a newly shuffled shoe, at the question for its first bet.
    pub fn new(core: &Core, cards: C) -> Seat<C> {
        let mut seat = Seat {
            cards,
            shows: NOTHING,
            open: 0,
            question: Question::Nothing,
            stage: 0,
            given: 0,
            dealt: [NONE; PLACES],
            asked_late: false,
            even_money: false,
            at: 0,
            initial: 0,
            waiting: 0,
            value: 0,
            pair: [NONE; 2],
            split_off: [NONE; MOST_WAITING],
            may_switch: false,
            split_before: false,
            switched: false,
            played: false,
            void: false,
            held: [FinishedHand::default(); MOST_HANDS],
            holding: 0,
            sides: 0,
            running: 0,
            hidden: 0,
            ending: Ending::default(),
        };
        seat.shuffle(core);
        seat.begin(core);
        seat
    }

    fn shuffle(&mut self, core: &Core) {
        self.cards.shuffle();
        self.running = core.counting.as_ref().map_or(0, |counting| counting.start);
        for _ in 0..core.tree.program.stack.burned {
            let _ = self.cards.draw();
        }
    }

    /// Starts a round, after a shuffle if one is due, with the question for the bet.
    pub fn begin(&mut self, core: &Core) {
        if core.fresh || self.void || self.cards.left() <= core.last_start {
            self.shuffle(core);
        }
        self.shows = NOTHING;
        self.ask(Question::Wager, core.wagers);
        self.stage = 0;
        self.given = 0;
        self.dealt = [NONE; PLACES];
        self.asked_late = false;
        self.even_money = false;
        self.initial = 0;
        self.split_before = false;
        self.switched = false;
        self.may_switch = false;
        self.played = false;
        self.void = false;
        self.holding = 0;
        self.sides = 0;
        self.hidden = 0;
    }

    /// Returns the current question.
    pub fn question(&self) -> Question {
        self.question
    }

    /// Returns the index in `Tree::decisions` of the decision that the player must make.
    ///
    /// The index is meaningful only while the question is [`Question::Decision`].
    pub fn decision(&self) -> usize {
        usize::from(self.at)
    }

    /// Returns whether the player may switch cards instead of playing the hand.
    pub fn may_switch(&self) -> bool {
        self.may_switch
    }

    /// Returns the upcard's symbol, or 0 before the upcard is dealt.
    pub fn up_symbol(&self, core: &Core) -> Symbol {
        core.symbol(self.up())
    }

    /// Returns the hole card's symbol, or 0 if no hole card is dealt.
    ///
    /// Call this function only where the hole card is face up.
    pub fn hole_symbol(&self, core: &Core) -> Symbol {
        self.hole().map_or(0, |hole| core.symbol(hole))
    }

    /// Returns the symbol of the first card dealt to the box.
    pub fn first_symbol(&self, core: &Core) -> Symbol {
        core.symbol(self.own(0))
    }

    /// Returns the face of one of the box's own cards, where `at` is the card's index in the order dealt.
    #[inline]
    pub(crate) fn own(&self, at: usize) -> u8 {
        self.dealt[at % PLACES]
    }

    #[inline]
    pub(crate) fn up(&self) -> u8 {
        self.dealt[UP_CARD]
    }

    #[inline]
    pub(crate) fn hole(&self) -> Option<u8> {
        Some(self.dealt[HOLE_CARD]).filter(|&hole| hole != NONE)
    }

    /// Returns the face of the last second card that a dealer hand without a hole card received.
    #[inline]
    pub(crate) fn second(&self) -> u8 {
        self.dealt[SECOND_CARD]
    }

    #[inline]
    pub(crate) fn keep_second_card(&mut self, face: u8) {
        self.dealt[SECOND_CARD] = face;
    }

    /// Returns the cards of a Switch box's two hands, after any switch.
    pub fn hands(&self, core: &Core) -> [[Symbol; 2]; 2] {
        [0, 1].map(|hand| self.faces(core, hand).map(|face| core.symbol(face)))
    }

    #[inline(always)]
    pub(crate) fn draw(&mut self, core: &Core) -> u8 {
        let Some(face) = self.cards.draw() else {
            self.void = true;
            return 0;
        };
        if let Some(counting) = &core.counting {
            self.running += counting.tags[usize::from(face)];
        }
        face
    }

    /// Returns the legal actions, one bit per action.
    #[inline]
    pub fn mask(&self, _core: &Core) -> u32 {
        self.open
    }

    fn may_take_even_money(&self, core: &Core) -> bool {
        let program = &core.tree.program;
        let natural = || {
            let class = program.stood(core.symbol(self.own(0)), core.symbol(self.own(1)));
            program.classes.all[usize::from(class)].ending == class::Ending::Blackjack
        };
        program.even_money.is_some() && natural()
    }

    /// Answers the current question with an action that [`Seat::mask`] allows.
    ///
    /// Returns the net win in initial bets if the action ends the round, or `None` otherwise.
    pub fn answer(&mut self, core: &Core, action: usize) -> Option<f64> {
        self.take(core, action).then(|| self.settle(core))
    }

    /// Answers the current question with an action that [`Seat::mask`] allows.
    ///
    /// Returns whether only the dealer's hands remain to be played.
    #[inline]
    pub(crate) fn take(&mut self, core: &Core, action: usize) -> bool {
        match self.question {
            Question::Nothing => return false,
            Question::Wager => {
                let stake = action - ACTIONS.len();
                if stake >= core.stakes.len() {
                    self.sides |= 1 << (stake - core.stakes.len());
                    self.open &= !(1 << action);
                    return false;
                }
                self.shows[STAKE] = core.stakes[stake] as i16;
                for _ in 0..core.tree.program.stack.burned_each_round {
                    let _ = self.cards.draw();
                }
            }
            Question::Attack | Question::SecondAttack | Question::ThirdAttack => {
                self.shows[ATTACKS] += i16::from(action == ATTACK);
            }
            Question::Insurance => {
                self.shows[INSURED] = i16::from(action == INSURANCE);
                self.even_money = action == EVEN_MONEY;
            }
            Question::Switch | Question::Decision => return self.play(core, action),
        }
        self.advance(core)
    }

    /// Advances the procedure until a question is due or only the dealer's hands remain.
    ///
    /// Returns whether only the dealer's hands remain.
    fn advance(&mut self, core: &Core) -> bool {
        while let Some(stage) = core.stages.get(usize::from(self.stage)) {
            self.stage += 1;
            let asked = match stage {
                Stage::Deal(deal) => self.deal(core, deal),
                &Stage::Attack(question) => self.offer(core, question, 1 << ATTACK | 1 << PASS),
                Stage::Insurance => core.face(self.up()).insurable && self.offer_insurance(core),
                &Stage::Peek { open } if self.finds_blackjack(core, open) => return true,
                Stage::Peek { .. } => false,
                Stage::Play => self.begin_play(core),
            };
            if asked {
                return false;
            }
        }
        self.end_round(core, core.tree.program.dealer_hands)
    }

    /// Deals the cards of one stage and returns `false`, because dealing asks no question.
    #[inline(never)]
    fn deal(&mut self, core: &Core, deal: &Deal) -> bool {
        for &place in deal.places() {
            self.dealt[usize::from(place) % PLACES] = self.draw(core);
        }
        self.given = deal.given;
        if let (true, Some(counting)) = (deal.hides, &core.counting) {
            self.hidden = counting.tags[usize::from(self.dealt[HOLE_CARD])];
        }
        self.show_dealer(core);
        false
    }

    /// Begins the settlement if the dealer has a blackjack that is face up or found by the peek.
    ///
    /// Returns whether the dealer has such a blackjack.
    #[inline(never)]
    fn finds_blackjack(&mut self, core: &Core, open: bool) -> bool {
        let program = &core.tree.program;
        let up = core.face(self.up());
        let found = |hole: u8| program.is_blackjack(up.symbol, core.symbol(hole));
        if !(open | up.read) || !self.hole().is_some_and(found) {
            return false;
        }
        for hand in 0..program.hands_per_box {
            let [first, second] = self.faces(core, hand).map(|face| *core.face(face));
            self.hold(hand as u8, program.stood(first.symbol, second.symbol));
            self.show_two(first.value, second.value);
            self.initial = hand as u8;
        }
        self.shows[HANDS] = 1;
        self.show_other(core);
        self.end_round(core, 1)
    }

    /// Starts the player's turn, and returns whether a question is due.
    #[inline]
    fn begin_play(&mut self, core: &Core) -> bool {
        if core.late_insurance && core.face(self.up()).insurable {
            let declined = !self.insured() && !self.even_money;
            if declined && !self.asked_late {
                self.asked_late = true;
                self.stage -= 1;
                return self.offer_insurance(core);
            }
        }
        self.may_switch = core.tree.program.hands_per_box == 2;
        self.begin_hands(core)
    }

    #[inline]
    fn end_round(&mut self, core: &Core, dealer_hands: usize) -> bool {
        self.ask(Question::Nothing, 0);
        // the final observation shows the last hand
        self.shows[HAND] = i16::from(self.holding.saturating_sub(1));
        self.begin_settlement(core, dealer_hands);
        true
    }

    #[inline]
    fn ask(&mut self, question: Question, open: u32) {
        self.question = question;
        self.open = open;
        self.shows[QUESTION] = question as i16;
    }

    /// Asks a question other than a decision on a hand, and returns `true`.
    #[inline(never)]
    fn offer(&mut self, core: &Core, question: Question, open: u32) -> bool {
        self.ask(question, open);
        self.show_offer(core);
        true
    }

    #[inline(never)]
    fn offer_insurance(&mut self, core: &Core) -> bool {
        let even = u32::from(!self.asked_late && self.may_take_even_money(core));
        self.offer(core, Question::Insurance, 1 << INSURANCE | even << EVEN_MONEY | 1 << PASS)
    }

    /// Returns the faces of a hand's first two cards, after any switch.
    #[inline]
    pub(crate) fn faces(&self, core: &Core, hand: usize) -> [u8; 2] {
        let hands = core.tree.program.hands_per_box;
        let second = hand ^ usize::from(self.switched);
        [self.own(hand), self.own(hands + second)]
    }

    /// Returns the faces of the first two cards of the hand that the observation shows.
    pub(crate) fn first_two(&self, core: &Core) -> [u8; 2] {
        if self.shows[SPLIT_HAND] != 0 {
            return self.pair;
        }
        let last = core.tree.program.hands_per_box - 1;
        self.faces(core, usize::from(self.initial).min(last))
    }

    /// Starts the box's hands in order until a question is due, and returns whether one is due.
    #[inline]
    fn begin_hands(&mut self, core: &Core) -> bool {
        while usize::from(self.initial) < core.tree.program.hands_per_box {
            if self.begin_hand(core) {
                return true;
            }
            self.initial += 1;
        }
        false
    }

    /// Starts the box's next hand, and returns whether a question is due.
    ///
    /// A hand that needs no decision is stored as finished.
    fn begin_hand(&mut self, core: &Core) -> bool {
        if let (true, Some(paid)) = (self.even_money, core.tree.program.even_money) {
            // a blackjack that took even money
            self.hold(0, paid);
            return false;
        }
        let hand = usize::from(self.initial);
        let [first, second] = self.faces(core, hand);
        let (first, second) = (core.face(first), core.face(second));
        let start = start_of(self.switched, hand == 1 && self.played);
        let next = core.tree.start(start, first.symbol, second.symbol);
        self.waiting = 0;
        self.shows[HANDS] = 1;
        self.shows[SPLIT_HAND] = 0;
        self.show_two(first.value, second.value);
        self.show_other(core);
        if hand == 0 && self.may_switch && next.done().is_some() {
            return self.offer(core, Question::Switch, 1 << SWITCH | 1 << PASS);
        }
        self.follow(core, next)
    }

    /// Advances a hand to its next decision, and returns whether a decision is due.
    ///
    /// Stores each finished hand, then deals the second card to the next hand formed by a split.
    #[inline]
    fn follow(&mut self, core: &Core, mut next: Next) -> bool {
        loop {
            let Some(class) = next.done() else {
                let decision = &core.tree.decisions[next.decision()];
                self.at = next.decision() as u16;
                self.ask(Question::Decision, u32::from(decision.open) | u32::from(self.may_switch) << SWITCH);
                self.show_hand(&decision.shown);
                return true;
            };
            self.hold(self.initial, class);
            self.shows[HAND] += 1;
            if self.waiting == 0 {
                return false;
            }
            next = self.split_hand(core);
        }
    }

    /// Splits the hand in play, and returns the next step of its first part.
    fn split(&mut self, core: &Core, value: u8) -> Next {
        self.value = value;
        let [first, second] = self.first_two(core);
        // the part with the second card waits while the first part is played
        self.split_off[usize::from(self.waiting) % MOST_WAITING] = second;
        self.split_off[usize::from(self.waiting + 1) % MOST_WAITING] = first;
        self.waiting += 2;
        self.shows[HANDS] += 1;
        self.split_hand(core)
    }

    /// Deals the second card to the next waiting hand of a split, and returns the hand's next step.
    fn split_hand(&mut self, core: &Core) -> Next {
        self.waiting -= 1;
        let row = core.tree.split(self.value, self.shows[HANDS] < i16::from(core.tree.program.split_hands));
        let face = self.draw(core);
        self.pair = [self.split_off[usize::from(self.waiting) % MOST_WAITING], face];
        self.show_two(self.value, core.value(face));
        self.shows[SPLIT_HAND] = 1;
        core.tree.next(row, core.symbol(face))
    }

    #[inline]
    pub(crate) fn insured(&self) -> bool {
        self.shows[INSURED] != 0
    }

    /// Returns the number of attack bets made in this round.
    #[inline]
    pub(crate) fn attacks(&self) -> usize {
        self.shows[ATTACKS] as usize
    }

    /// Returns the box's finished hands.
    #[inline]
    pub(crate) fn held(&self) -> &[FinishedHand] {
        &self.held[..usize::from(self.holding).min(MOST_HANDS)]
    }

    /// Turns over the face-down double cards, which changes the classes of their hands.
    pub(crate) fn turn_over(&mut self, core: &Core) {
        let classes = &core.tree.program.classes;
        self.held.iter_mut().for_each(|held| held.class = classes.later(held.class));
    }

    #[inline]
    fn hold(&mut self, initial: u8, class: ClassId) {
        if let Some(place) = self.held.get_mut(usize::from(self.holding)) {
            *place = FinishedHand { initial, class };
            self.holding += 1;
        }
    }

    /// Carries out a decision on a hand or on the switch, and returns whether only the dealer's hands remain to be
    /// played.
    fn play(&mut self, core: &Core, action: usize) -> bool {
        if self.question == Question::Switch || action == SWITCH {
            self.may_switch = false;
            self.switched = action == SWITCH;
            return !self.begin_hands(core) && self.advance(core);
        }
        self.may_switch = false;
        let decision = &core.tree.decisions[usize::from(self.at)];
        let next = match action {
            STAND => return self.end_hand(core, decision.stand, true),
            SURRENDER => {
                let high = core.face(self.up()).high;
                return self.end_hand(core, decision.surrender[usize::from(high)], false);
            }
            SPLIT => self.split(core, decision.split),
            HIT | DOUBLE => {
                let row = if action == HIT { decision.hit } else { decision.double };
                let face = self.draw(core);
                self.show_drawn(core.value(face));
                self.shows[DOUBLED] |= i16::from(action == DOUBLE);
                core.tree.next(row, core.symbol(face))
            }
            _ => return false,
        };
        self.played = true;
        if self.follow(core, next) {
            return false;
        }
        self.next_initial(core)
    }

    /// Finishes the current hand as `class`, and returns whether only the dealer's hands remain to be played.
    #[inline]
    fn end_hand(&mut self, core: &Core, class: ClassId, decided: bool) -> bool {
        self.played |= decided;
        self.hold(self.initial, class);
        self.shows[HAND] += 1;
        if self.waiting > 0 {
            let next = self.split_hand(core);
            if self.follow(core, next) {
                return false;
            }
        }
        self.next_initial(core)
    }

    #[inline]
    fn next_initial(&mut self, core: &Core) -> bool {
        let program = &core.tree.program;
        self.split_before |= self.shows[HANDS] > 1;
        self.initial += 1;
        if self.begin_hands(core) {
            return false;
        }
        // usually only the dealer's hand is left
        if usize::from(self.stage) == core.stages.len() {
            self.end_round(core, program.dealer_hands)
        } else {
            self.advance(core)
        }
    }
}
