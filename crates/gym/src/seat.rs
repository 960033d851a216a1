//! One seat at a compiled table, asked one thing after the other. An episode is a round: first the wager, then whatever
//! the procedure asks.

use crate::cards::Cards;
use crate::compile::{Next, start_of};
use crate::core::Core;
use crate::settle::Ending;
use crate::sight::{
    ACTIONS, ATTACK, ATTACKS, DOUBLE, DOUBLED, EVEN_MONEY, HAND, HANDS, HIT, INSURANCE, INSURED, NOTHING,
    Numbers, PASS, QUESTION, Question, SPLIT, SPLIT_HAND, STAKE, STAND, SURRENDER, SWITCH,
};
use crate::stage::{Deal, HOLE_CARD, NONE, PLACES, Stage, UP_CARD};
use program::class::{self, ClassId};
use program::face::Symbol;

/// More hands than one box can become.
const MOST_HANDS: usize = 16;

/// A hand that is finished, and which of the box's initial hands it grew from.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Held {
    pub(crate) initial: u8,
    pub(crate) class: ClassId,
}

/// A seat in the middle of a round, or about to wager.
#[derive(Clone, Debug)]
pub struct Seat<C> {
    /// Where its cards come from.
    pub cards: C,
    /// What the agent sees, but for what follows from the cards that are left.
    pub(crate) shows: Numbers,
    /// A bit for each action that is allowed.
    open: u32,
    pub(crate) question: Question,
    /// The next stage of the procedure.
    stage: u8,
    pub(crate) given: u8,
    /// First cards by face: the box's own in the order dealt, then the dealer's.
    dealt: [u8; PLACES],
    asked_late: bool,
    even_money: bool,
    /// The decision that is asked.
    pub(crate) at: u16,
    pub(crate) initial: u8,
    waiting: u8,
    value: u8,
    may_switch: bool,
    /// The first hand of a Switch spot was split.
    pub(crate) split_before: bool,
    switched: bool,
    played: bool,
    pub(crate) void: bool,
    held: [Held; MOST_HANDS],
    holding: u8,
    pub(crate) sides: u16,
    pub(crate) running: i32,
    pub(crate) hidden: i32,
    /// How the round ends, once it is over.
    pub(crate) ending: Ending,
}

impl<C: Cards> Seat<C> {
    /// A seat with a full shoe, asked for its wager.
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
            may_switch: false,
            split_before: false,
            switched: false,
            played: false,
            void: false,
            held: [Held::default(); MOST_HANDS],
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

    /// A new round: the wager is asked for.
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

    /// What it is asked now.
    pub fn question(&self) -> Question {
        self.question
    }

    /// The decision that is asked.
    pub fn decision(&self) -> usize {
        usize::from(self.at)
    }

    /// Whether the switch is offered beside the decision.
    pub fn may_switch(&self) -> bool {
        self.may_switch
    }

    /// What the dealer shows; the first of all while nothing is shown.
    pub fn up_symbol(&self, core: &Core) -> Symbol {
        core.symbol(self.up())
    }

    /// The dealer's second card; it is to be looked at only where it lies open.
    pub fn hole_symbol(&self, core: &Core) -> Symbol {
        self.hole().map_or(0, |hole| core.symbol(hole))
    }

    /// The first card of the box.
    pub fn first_symbol(&self, core: &Core) -> Symbol {
        core.symbol(self.own(0))
    }

    /// A card of the box, in the order dealt.
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

    /// The two hands of a Switch spot as they lie.
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

    /// A bit for each action that is allowed.
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

    /// Takes an answer that the mask allows; the net win in initial wagers once the round is over.
    pub fn answer(&mut self, core: &Core, action: usize) -> Option<f64> {
        self.take(core, action).then(|| self.settle(core))
    }

    /// Takes an answer that the mask allows; whether the round is over but for the dealer's hands.
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
        self.go_on(core)
    }

    /// Follows the procedure until something is asked, or the round is over.
    fn go_on(&mut self, core: &Core) -> bool {
        while let Some(stage) = core.stages.get(usize::from(self.stage)) {
            self.stage += 1;
            let asked = match stage {
                Stage::Deal(deal) => self.deal(core, deal),
                &Stage::Attack(question) => self.offer(core, question, 1 << ATTACK | 1 << PASS),
                Stage::Insurance => core.face(self.up()).insurable && self.offer_insurance(core),
                &Stage::Peek { open } if self.finds_blackjack(core, open) => return true,
                Stage::Peek { .. } => false,
                Stage::Play => self.play_begins(core),
            };
            if asked {
                return false;
            }
        }
        self.over(core, core.tree.program.spots)
    }

    /// Cards up to the next question; nothing is asked about them yet.
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

    /// Whether the round ends here because the dealer has a blackjack that lies open, or is found out.
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
        self.over(core, 1)
    }

    /// The player's turn; whether something is asked.
    #[inline]
    fn play_begins(&mut self, core: &Core) -> bool {
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
    fn over(&mut self, core: &Core, spots: usize) -> bool {
        self.ask(Question::Nothing, 0);
        // the last hand is the one that is seen at the end
        self.shows[HAND] = i16::from(self.holding.saturating_sub(1));
        self.end(core, spots);
        true
    }

    #[inline]
    fn ask(&mut self, question: Question, open: u32) {
        self.question = question;
        self.open = open;
        self.shows[QUESTION] = question as i16;
    }

    /// Asks for something else than a decision on a hand.
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

    /// The two first cards of a hand, after a switch those that it has then.
    #[inline]
    pub(crate) fn faces(&self, core: &Core, hand: usize) -> [u8; 2] {
        let hands = core.tree.program.hands_per_box;
        let second = hand ^ usize::from(self.switched);
        [self.own(hand), self.own(hands + second)]
    }

    /// The hands of the box begin, one after the other; whether something is asked about one of them.
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

    /// A hand of the box begins; whether something is asked about it. A complete hand is held.
    fn begin_hand(&mut self, core: &Core) -> bool {
        if let (true, Some(paid)) = (self.even_money, core.tree.program.even_money) {
            // a blackjack that was paid at once
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

    /// What comes of a hand: whether a decision is asked. Finished hands are held and those that wait get their card.
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
            self.waiting -= 1;
            next = self.split_hand(core);
        }
    }

    /// A hand made by a split gets its second card.
    fn split_hand(&mut self, core: &Core) -> Next {
        let row = core.tree.split(self.value, self.shows[HANDS] < i16::from(core.tree.program.split_hands));
        let face = self.draw(core);
        self.show_two(self.value, core.value(face));
        self.shows[SPLIT_HAND] = 1;
        core.tree.next(row, core.symbol(face))
    }

    #[inline]
    pub(crate) fn insured(&self) -> bool {
        self.shows[INSURED] != 0
    }

    /// How many attack wagers were made.
    #[inline]
    pub(crate) fn attacks(&self) -> usize {
        self.shows[ATTACKS] as usize
    }

    /// The hands that are finished.
    #[inline]
    pub(crate) fn held(&self) -> &[Held] {
        &self.held[..usize::from(self.holding).min(MOST_HANDS)]
    }

    /// Double cards that lay face down are turned over, so that the hands count otherwise from now on.
    pub(crate) fn turn_over(&mut self, core: &Core) {
        let classes = &core.tree.program.classes;
        self.held.iter_mut().for_each(|held| held.class = classes.later(held.class));
    }

    #[inline]
    fn hold(&mut self, initial: u8, class: ClassId) {
        if let Some(place) = self.held.get_mut(usize::from(self.holding)) {
            *place = Held { initial, class };
            self.holding += 1;
        }
    }

    /// A decision on a hand, or on the switch.
    fn play(&mut self, core: &Core, action: usize) -> bool {
        if self.question == Question::Switch || action == SWITCH {
            self.may_switch = false;
            self.switched = action == SWITCH;
            return !self.begin_hands(core) && self.go_on(core);
        }
        self.may_switch = false;
        let decision = &core.tree.decisions[usize::from(self.at)];
        let next = match action {
            STAND => return self.end_hand(core, decision.stand, true),
            SURRENDER => {
                let high = core.face(self.up()).high;
                return self.end_hand(core, decision.surrender[usize::from(high)], false);
            }
            SPLIT => {
                self.value = decision.split;
                self.shows[HANDS] += 1;
                self.waiting += 1;
                self.split_hand(core)
            }
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

    /// The hand ends here.
    #[inline]
    fn end_hand(&mut self, core: &Core, class: ClassId, decided: bool) -> bool {
        self.played |= decided;
        self.hold(self.initial, class);
        self.shows[HAND] += 1;
        if self.waiting > 0 {
            self.waiting -= 1;
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
        // mostly nothing is left but the dealer's hand
        if usize::from(self.stage) == core.stages.len() {
            self.over(core, program.spots)
        } else {
            self.go_on(core)
        }
    }
}
