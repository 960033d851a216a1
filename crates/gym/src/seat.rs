//! One seat at a compiled table, asked one thing after the other. An episode is a round: first the wager, then whatever
//! the procedure asks.

use crate::cards::Cards;
use crate::compile::{Next, start_of};
use crate::core::Core;
use crate::sight::{
    ACTIONS, ATTACK, ATTACKS, CARDS, DOUBLE, EVEN_MONEY, FIRST, HAND, HANDS, HIT, INSURANCE, INSURED,
    NOTHING, Numbers, PASS, Question, SECOND, SPLIT, STAKE, STAND, SURRENDER, SWITCH, UP,
};
use program::class::{ClassId, Ending};
use program::face::Symbol;
use program::moves::Move;

/// More hands than one box can become.
const MOST_HANDS: usize = 16;

/// A hand that is finished, and which of the box's initial hands it grew from.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Held {
    pub(crate) initial: u8,
    pub(crate) class: ClassId,
}

/// A round in which nothing is asked any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Over {
    /// Hands of the dealer that are to be completed, one after the other.
    pub(crate) spots: u8,
}

/// A seat in the middle of a round, or about to wager.
#[derive(Clone, Debug)]
pub struct Seat<C> {
    /// Where its cards come from.
    pub cards: C,
    /// What the agent sees of the round and of the hand in play, but for what follows from the decision that is asked.
    pub(crate) shows: Numbers,
    pub(crate) question: Question,
    /// The next move of the procedure.
    step: u8,
    pub(crate) given: u8,
    /// First cards in the order dealt, by face.
    pub(crate) own: [u8; 4],
    pub(crate) up: u8,
    pub(crate) hole: Option<u8>,
    pub(crate) dealer: [u8; 3],
    pub(crate) dealer_cards: u8,
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
    pub(crate) held: [Held; MOST_HANDS],
    pub(crate) holding: u8,
    pub(crate) sides: u16,
    pub(crate) running: i32,
    pub(crate) hidden: i32,
}

impl<C: Cards> Seat<C> {
    /// A seat with a full shoe, asked for its wager.
    pub fn new(core: &Core, cards: C) -> Seat<C> {
        let mut seat = Seat {
            cards,
            shows: NOTHING,
            question: Question::Nothing,
            step: 0,
            given: 0,
            own: [0; 4],
            up: 0,
            hole: None,
            dealer: [0; 3],
            dealer_cards: 0,
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
        self.question = Question::Wager;
        self.step = 0;
        self.given = 0;
        self.up = u8::MAX;
        self.hole = None;
        self.dealer_cards = 0;
        self.asked_late = false;
        self.even_money = false;
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
        if self.up == u8::MAX { 0 } else { core.symbol(self.up) }
    }

    /// The dealer's second card; it is to be looked at only where it lies open.
    pub fn hole_symbol(&self, core: &Core) -> Symbol {
        self.hole.map_or(0, |hole| core.symbol(hole))
    }

    /// The first card of the box.
    pub fn first_symbol(&self, core: &Core) -> Symbol {
        core.symbol(self.own[0])
    }

    /// The two hands of a Switch spot as they lie.
    pub fn hands(&self, core: &Core) -> [[Symbol; 2]; 2] {
        [0, 1].map(|hand| self.faces(core, hand).map(|face| core.symbol(face)))
    }

    #[inline]
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
    pub fn mask(&self, core: &Core) -> u32 {
        match self.question {
            Question::Nothing => 0,
            Question::Wager => {
                let stakes = ((1u32 << core.stakes.len()) - 1) << ACTIONS.len();
                let open = ((1u32 << core.side_units.len()) - 1) & !u32::from(self.sides);
                stakes | open << (ACTIONS.len() + core.stakes.len())
            }
            Question::Attack | Question::SecondAttack | Question::ThirdAttack => 1 << ATTACK | 1 << PASS,
            Question::Insurance => {
                let even = u32::from(!self.asked_late && self.may_take_even_money(core));
                1 << INSURANCE | even << EVEN_MONEY | 1 << PASS
            }
            Question::Switch => 1 << SWITCH | 1 << PASS,
            Question::Decision => {
                let open = core.tree.decisions[usize::from(self.at)].open;
                u32::from(open) | u32::from(self.may_switch) << SWITCH
            }
        }
    }

    fn may_take_even_money(&self, core: &Core) -> bool {
        let program = &core.tree.program;
        let natural = || {
            let class = program.stood(core.symbol(self.own[0]), core.symbol(self.own[1]));
            program.classes.all[usize::from(class)].ending == Ending::Blackjack
        };
        program.even_money.is_some() && natural()
    }

    /// Takes an answer that the mask allows; the net win in initial wagers once the round is over.
    pub fn answer(&mut self, core: &Core, action: usize) -> Option<f64> {
        self.take(core, action).map(|over| self.settle(core, over))
    }

    /// Takes an answer that the mask allows, and says when only the dealer's hands are left.
    #[inline]
    pub(crate) fn take(&mut self, core: &Core, action: usize) -> Option<Over> {
        match self.question {
            Question::Nothing => return None,
            Question::Wager => {
                let stake = action - ACTIONS.len();
                if stake >= core.stakes.len() {
                    self.sides |= 1 << (stake - core.stakes.len());
                    return None;
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

    /// Follows the procedure until something is asked or the round is over.
    fn go_on(&mut self, core: &Core) -> Option<Over> {
        let program = &core.tree.program;
        while let Some(&step) = program.moves.get(usize::from(self.step)) {
            self.step += 1;
            match step {
                Move::Each => {
                    let hands = program.hands_per_box;
                    for hand in 0..hands {
                        self.own[usize::from(self.given) * hands + hand] = self.draw(core);
                    }
                    self.given += 1;
                }
                Move::Up => {
                    self.up = self.draw(core);
                    self.shows[UP] = core.value(self.up).into();
                    self.note_dealer(self.up);
                }
                Move::HoleDown | Move::HoleUp => {
                    let face = self.draw(core);
                    self.hole = Some(face);
                    self.note_dealer(face);
                    if let (Move::HoleDown, Some(counting)) = (step, &core.counting) {
                        self.hidden = counting.tags[usize::from(face)];
                    }
                }
                Move::Attack => return self.ask(Question::Attack),
                Move::SecondAttack => return self.ask(Question::SecondAttack),
                Move::ThirdAttack => return self.ask(Question::ThirdAttack),
                Move::Insurance => {
                    if core.face(self.up).insurable {
                        return self.ask(Question::Insurance);
                    }
                }
                Move::Peek | Move::OpenBlackjack => {
                    let up = core.symbol(self.up);
                    let found_out = step == Move::OpenBlackjack || program.offers.read[usize::from(up)];
                    let found = |hole: u8| program.is_blackjack(up, core.symbol(hole));
                    if found_out && self.hole.is_some_and(found) {
                        for hand in 0..program.hands_per_box {
                            let (first, second) = self.pair(core, hand);
                            self.hold(hand as u8, program.stood(first, second));
                        }
                        return self.over(1);
                    }
                }
                Move::Play => {
                    let declined = core.late_insurance && !self.insured() && !self.even_money;
                    let offered = core.face(self.up).insurable;
                    if declined && offered && !self.asked_late {
                        self.asked_late = true;
                        self.step -= 1;
                        return self.ask(Question::Insurance);
                    }
                    self.initial = 0;
                    self.may_switch = program.hands_per_box == 2;
                    if self.begin_hand(core) {
                        return None;
                    }
                }
                Move::Finish => break,
            }
        }
        self.over(program.spots)
    }

    fn over(&mut self, spots: usize) -> Option<Over> {
        self.question = Question::Nothing;
        Some(Over { spots: spots as u8 })
    }

    fn ask(&mut self, question: Question) -> Option<Over> {
        self.question = question;
        None
    }

    pub(crate) fn note_dealer(&mut self, face: u8) {
        if let Some(place) = self.dealer.get_mut(usize::from(self.dealer_cards)) {
            *place = face;
        }
        self.dealer_cards = self.dealer_cards.saturating_add(1);
    }

    /// The two first cards of a hand, after a switch those that it has then.
    pub(crate) fn faces(&self, core: &Core, hand: usize) -> [u8; 2] {
        let hands = core.tree.program.hands_per_box;
        let second = if self.switched { 1 - hand } else { hand };
        [self.own[hand], self.own[hands + second]]
    }

    fn pair(&self, core: &Core, hand: usize) -> (Symbol, Symbol) {
        let [first, second] = self.faces(core, hand);
        (core.symbol(first), core.symbol(second))
    }

    /// A hand of the box begins; whether something is asked about it. Complete hands are held, and the next begins.
    fn begin_hand(&mut self, core: &Core) -> bool {
        let program = &core.tree.program;
        while usize::from(self.initial) < program.hands_per_box {
            let hand = usize::from(self.initial);
            let (first, second) = self.pair(core, hand);
            let start = start_of(self.switched, hand == 1 && self.played);
            let mut next = core.tree.start(start, first, second);
            if let (Some(paid), true) = (program.even_money, self.even_money) {
                // a blackjack that was paid at once
                self.hold(0, paid);
                self.initial += 1;
                continue;
            }
            self.waiting = 0;
            self.shows[HANDS] = 1;
            self.shows[CARDS] = 2;
            let [first, second] = self.faces(core, hand);
            self.show_two(core.value(first), core.value(second));
            if hand == 0 && self.may_switch && next.done().is_some() {
                self.question = Question::Switch;
                return true;
            }
            if self.follow(core, &mut next) {
                return true;
            }
            self.initial += 1;
        }
        false
    }

    /// What comes of a hand: whether a decision is asked. Finished hands are held and those that wait get their card.
    fn follow(&mut self, core: &Core, next: &mut Next) -> bool {
        loop {
            let Some(class) = next.done() else {
                self.at = next.decision() as u16;
                self.question = Question::Decision;
                return true;
            };
            self.hold(self.initial, class);
            self.shows[HAND] += 1;
            if self.waiting == 0 {
                return false;
            }
            self.waiting -= 1;
            *next = self.split_hand(core);
        }
    }

    /// A hand made by a split gets its second card.
    fn split_hand(&mut self, core: &Core) -> Next {
        let row = core.tree.split(self.value, self.shows[HANDS] < i16::from(core.tree.program.split_hands));
        let face = self.draw(core);
        self.shows[CARDS] = 2;
        self.show_two(self.value, core.value(face));
        core.tree.next(row, core.symbol(face))
    }

    /// The first two cards of the hand in play, by value.
    #[inline]
    fn show_two(&mut self, first: u8, second: u8) {
        (self.shows[FIRST], self.shows[SECOND]) = (first.into(), second.into());
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

    fn hold(&mut self, initial: u8, class: ClassId) {
        if let Some(place) = self.held.get_mut(usize::from(self.holding)) {
            *place = Held { initial, class };
            self.holding += 1;
        }
    }

    /// A decision on a hand, or on the switch.
    fn play(&mut self, core: &Core, action: usize) -> Option<Over> {
        if self.question == Question::Switch || action == SWITCH {
            self.may_switch = false;
            self.switched = action == SWITCH;
            return if self.begin_hand(core) { None } else { self.go_on(core) };
        }
        self.may_switch = false;
        let decision = &core.tree.decisions[usize::from(self.at)];
        let mut next = match action {
            STAND => return self.end_hand(core, decision.stand, true),
            SURRENDER => {
                let high = core.face(self.up).high;
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
                self.shows[CARDS] += 1;
                core.tree.next(row, core.symbol(face))
            }
            _ => return None,
        };
        self.played = true;
        if self.follow(core, &mut next) {
            return None;
        }
        self.next_initial(core)
    }

    /// The hand ends here.
    fn end_hand(&mut self, core: &Core, class: ClassId, decided: bool) -> Option<Over> {
        self.played |= decided;
        self.hold(self.initial, class);
        self.shows[HAND] += 1;
        if self.waiting > 0 {
            self.waiting -= 1;
            let mut next = self.split_hand(core);
            if self.follow(core, &mut next) {
                return None;
            }
        }
        self.next_initial(core)
    }

    fn next_initial(&mut self, core: &Core) -> Option<Over> {
        let program = &core.tree.program;
        self.split_before |= self.shows[HANDS] > 1;
        self.initial += 1;
        if usize::from(self.initial) < program.hands_per_box && self.begin_hand(core) {
            return None;
        }
        // mostly nothing is left but the dealer's hand
        match program.moves.get(usize::from(self.step)) {
            Some(Move::Finish) => self.over(program.spots),
            _ => self.go_on(core),
        }
    }
}
