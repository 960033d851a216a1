//! Plays one round card by card over the lookup tables of a program: the general engine.
//!
//! A round may have several boxes, splits, attack bets, switches, insurance, several dealer hands and side bets;
//! this engine can play all of them. The module `lane` has a faster engine for one box, and `batch` has one for
//! several boxes. Both leave some rounds to this engine.

use crate::count::Counting;
use program::Program;
use program::chart::Take;
use program::class::{BLACKJACK, ClassId, Ending, taken};
use program::dealer::Drawn;
use program::face::Symbol;
use program::hand::{MOST_SPLIT, Next, Start};
use program::moves::Move;
use program::side::{Record, Sees};
use program::view::ViewId;

/// The maximum number of boxes at a table.
pub const MOST_BOXES: usize = 7;
/// An upper bound on the number of hands at all boxes of a table.
const MOST_HANDS: usize = 64;

/// The bit that marks a card series as closed to further cards.
const CLOSED: u8 = 0x80;

/// A source of cards, one after the other.
pub trait Source {
    /// Returns the face of the next card.
    fn next(&mut self) -> u8;
    /// Returns the number of cards dealt so far.
    fn dealt(&self) -> usize;
}

/// The numbers of hands, indexed by [`Ending`], then by result: won, pushed, lost.
pub type Endings = [[u32; 3]; 4];

/// The result of one box in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoxResult {
    /// The net win without insurance, in parts of the bet.
    pub net: i32,
    /// The net win of insurance, in parts of the bet.
    pub insurance: i32,
    /// The insurance bet, in parts of the bet.
    pub insured: i32,
    /// The total amount bet on the box's hands, in parts of the bet.
    pub staked: i32,
    /// The sum of squares of the net wins of the box's initial bets.
    ///
    /// The net win of an initial bet includes all hands that its hand was split into.
    pub wager_squares: u64,
    /// The numbers of hands won, lost and pushed.
    pub record: Record,
    /// The faces of the box's first two cards, or first four in Switch, in the order dealt.
    pub faces: [u8; 4],
    /// The card series that decides the progressive bet and the sevens bet.
    series: [u8; 4],
    in_series: u8,
    attacks: u8,
}

impl BoxResult {
    /// Starts the box's card series with its first two cards.
    pub fn start_series(&mut self) {
        self.series = [self.faces[0], self.faces[1], 0, 0];
        self.in_series = 2;
    }
}

/// The result of a round at all boxes.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// The results of the boxes.
    pub boxes: [BoxResult; MOST_BOXES],
    /// The first three cards of the dealer's first hand, as faces.
    pub dealer: [u8; 3],
    /// The number of cards in the dealer's first hand.
    pub dealer_cards: usize,
    /// Whether the dealer's first hand was a blackjack.
    pub dealer_blackjack: bool,
    /// The number of hands played, all boxes together.
    pub hands: u32,
    /// The numbers of hands by ending, then by result.
    pub endings: Endings,
}

impl Round {
    /// Returns the net win of the first `boxes` boxes, including insurance.
    pub fn net(&self, boxes: usize) -> i32 {
        self.boxes[..boxes].iter().map(|b| b.net + b.insurance).sum()
    }

    /// Returns the faces of the cards in a box's series.
    pub fn series(&self, box_: usize) -> &[u8] {
        let result = &self.boxes[box_];
        &result.series[..usize::from(result.in_series & !CLOSED).min(4)]
    }
}

/// A finished hand: its box, the initial hand that it came from, and its class.
#[derive(Clone, Copy, Default)]
struct FinishedHand {
    box_: u8,
    initial: u8,
    class: ClassId,
}

/// Returns the net win of the hands from one initial hand, and their total bet.
///
/// `last` is the index of the dealer's final hand. Each hand's ending and result (won, pushed, lost) is passed to
/// `ended`.
pub fn settle_group(
    program: &Program,
    hands: impl Iterator<Item = ClassId> + Clone,
    attacks: usize,
    last: usize,
    mut ended: impl FnMut(Ending, usize),
) -> (i32, i32) {
    let (mut net, mut staked, mut count) = (0, 0, 0);
    for class in hands.clone() {
        let class = &program.classes.all[usize::from(class)];
        let pay = class.pay[attacks][last];
        net += pay;
        staked += class.staked[attacks];
        count += 1;
        ended(class.ending, if pay > 0 { 0 } else { usize::from(pay < 0) + 1 });
    }
    if last == BLACKJACK && count > 1 {
        let mut lost = [Default::default(); MOST_SPLIT];
        for (place, (nth, class)) in lost.iter_mut().zip(hands.enumerate()) {
            *place = program.classes.all[usize::from(class)].split[usize::from(nth > 0)][attacks];
        }
        net = taken(&lost[..count.min(MOST_SPLIT)], program.original[attacks], program.shared);
    }
    (net, staked)
}

/// The general engine, which plays the rounds of a table card by card.
///
/// All boxes follow the program's strategy.
pub struct Player<'p> {
    program: &'p Program,
    counting: Option<&'p Counting>,
    boxes: usize,
    /// The running count of the cards dealt, the hole card included; `hidden` is the hole card's tag while it is
    /// unseen.
    pub running: i32,
    hidden: i32,
    up: Symbol,
    hole: Option<Symbol>,
    view: ViewId,
    insured: bool,
    held: [FinishedHand; MOST_HANDS],
    holding: usize,
    wants_third: bool,
    tracks_series: bool,
    /// The round that was played last.
    pub round: Round,
}

impl<'p> Player<'p> {
    /// Creates a table before its first round.
    pub fn new(program: &'p Program, counting: Option<&'p Counting>, boxes: usize) -> Player<'p> {
        let sees = |sees: Sees| program.sides.iter().any(|side| side.sees == sees);
        Player {
            program,
            counting,
            boxes: boxes.clamp(1, MOST_BOXES),
            running: counting.map_or(0, |c| c.start),
            hidden: 0,
            up: 0,
            hole: None,
            view: 0,
            insured: false,
            held: [FinishedHand::default(); MOST_HANDS],
            holding: 0,
            wants_third: sees(Sees::DealerThree),
            tracks_series: sees(Sees::Sevens) || sees(Sees::Aces),
            round: Round::default(),
        }
    }

    /// Resets the running count for a new shoe.
    pub fn shuffled(&mut self) {
        self.running = self.counting.map_or(0, |c| c.start);
    }

    #[inline]
    fn draw(&mut self, source: &mut impl Source) -> u8 {
        let face = source.next();
        if let Some(counting) = self.counting {
            self.running += counting.tags[usize::from(face)];
        }
        face
    }

    #[inline]
    fn symbol(&self, face: u8) -> Symbol {
        self.program.faces.symbol_of[usize::from(face)]
    }

    /// Plays a whole round and leaves its result in `round`.
    pub fn play(&mut self, source: &mut impl Source) {
        let program = self.program;
        self.clear();
        let mut given = 0;
        for &step in &program.moves {
            match step {
                Move::Each => {
                    self.deal_each(source, given);
                    given += 1;
                }
                Move::Up => {
                    let face = self.draw(source);
                    self.show(face);
                }
                Move::HoleDown | Move::HoleUp => self.deal_hole(source, step),
                Move::Attack => self.attack(|p, s, _| p.offers.attack[usize::from(s.up)]),
                Move::SecondAttack => self.attack(|p, _, own| p.offers.second_attack[own]),
                Move::ThirdAttack => {
                    self.attack(|p, s, own| p.offers.third_attack[own * p.symbols() + usize::from(s.up)]);
                }
                Move::Insurance => self.ask_insurance(source),
                Move::Peek | Move::OpenBlackjack => {
                    if self.found_blackjack(step) {
                        self.end_on_blackjack(source);
                        return;
                    }
                }
                Move::Play => self.play_boxes(source),
                Move::Finish => {
                    for dealer_hand in 0..program.dealer_hands {
                        self.finish(source, dealer_hand);
                        // turn over face-down double cards at the settlement
                        for held in &mut self.held[..self.holding] {
                            held.class = program.classes.later(held.class);
                        }
                    }
                }
            }
        }
    }

    fn clear(&mut self) {
        self.hole = None;
        self.hidden = 0;
        self.insured = false;
        self.holding = 0;
        self.round.boxes[..self.boxes].fill(BoxResult::default());
        self.round.hands = 0;
        self.round.endings = Endings::default();
        self.round.dealer_cards = 0;
        self.round.dealer_blackjack = false;
    }

    fn deal_each(&mut self, source: &mut impl Source, given: usize) {
        let hands = self.program.hands_per_box;
        for box_ in 0..self.boxes {
            for hand in 0..hands {
                let face = self.draw(source);
                // in dealing order: first cards of both hands, then second cards
                self.round.boxes[box_].faces[given * hands + hand] = face;
            }
        }
    }

    fn show(&mut self, face: u8) {
        self.up = self.symbol(face);
        self.view = self.program.view(self.up, 0);
        self.note_dealer(face);
    }

    fn note_dealer(&mut self, face: u8) {
        if let Some(place) = self.round.dealer.get_mut(self.round.dealer_cards) {
            *place = face;
        }
        self.round.dealer_cards += 1;
    }

    fn deal_hole(&mut self, source: &mut impl Source, step: Move) {
        let face = self.draw(source);
        let hole = self.symbol(face);
        self.hole = Some(hole);
        self.note_dealer(face);
        if step == Move::HoleUp {
            self.view = self.program.view(self.up, hole);
        } else if let Some(counting) = self.counting {
            self.hidden = counting.tags[usize::from(face)];
        }
    }

    fn attack(&mut self, makes: impl Fn(&Program, &Self, usize) -> bool) {
        for box_ in 0..self.boxes {
            let own = usize::from(self.symbol(self.round.boxes[box_].faces[0]));
            let more = makes(self.program, self, own);
            self.round.boxes[box_].attacks += u8::from(more);
        }
    }

    /// Returns the true count of the cards seen so far.
    fn count(&self, source: &impl Source) -> i32 {
        self.counting.map_or(0, |c| c.count(self.running - self.hidden, source.dealt()))
    }

    fn takes(&self, take: Take, source: &impl Source) -> bool {
        match take {
            Take::Never => false,
            Take::Always => true,
            Take::FromCount(_) => self.counting.is_some() && take.at(self.count(source)),
        }
    }

    fn ask_insurance(&mut self, source: &impl Source) {
        let offers = &self.program.offers;
        self.insured = offers.insurable[usize::from(self.up)] && self.takes(offers.insurance, source);
    }

    fn found_blackjack(&self, step: Move) -> bool {
        let found_out = step == Move::OpenBlackjack || self.program.offers.read[usize::from(self.up)];
        found_out && self.hole.is_some_and(|hole| self.program.is_blackjack(self.up, hole))
    }

    /// Ends a round in which a dealer's blackjack shows before play.
    ///
    /// A side bet may still let a box draw another card.
    fn end_on_blackjack(&mut self, source: &mut impl Source) {
        for box_ in 0..self.boxes {
            let faces = self.round.boxes[box_].faces;
            self.round.boxes[box_].start_series();
            let offered = self.program.sides.iter().any(|side| {
                side.waits([side.class_of[usize::from(faces[0])], side.class_of[usize::from(faces[1])]])
            });
            for hand in 0..self.program.hands_per_box {
                let (first, second) = self.two(box_, hand);
                self.hold(box_, hand, self.program.stood(first, second));
            }
            if offered {
                let face = self.draw(source);
                self.extend_series(box_, face);
            }
        }
        self.finish(source, 0);
    }

    fn two(&self, box_: usize, hand: usize) -> (Symbol, Symbol) {
        let faces = &self.round.boxes[box_].faces;
        let hands = self.program.hands_per_box;
        (self.symbol(faces[hand]), self.symbol(faces[hands + hand]))
    }

    fn play_boxes(&mut self, source: &mut impl Source) {
        for box_ in 0..self.boxes {
            if self.tracks_series {
                self.round.boxes[box_].start_series();
            }
            if self.program.hands_per_box == 2 {
                self.play_switch_box(source, box_);
                continue;
            }
            let (first, second) = self.two(box_, 0);
            let next = self.program.hands.start(Start::Dealt, self.view, first, second);
            let next = self.even_money(next, source);
            self.play_hand(source, box_, 0, next);
        }
    }

    /// Returns how a hand continues: it ends with even money if that is offered and taken, and by `next`
    /// otherwise.
    fn even_money(&self, next: Next, source: &impl Source) -> Next {
        let program = self.program;
        let Some(paid) = program.even_money else {
            return next;
        };
        match next {
            Next::Done(class)
                if program.offers.insurable[usize::from(self.up)]
                    && program.classes.all[usize::from(class)].ending == Ending::Blackjack
                    && self.takes(program.offers.even_money, source) =>
            {
                Next::Done(paid)
            }
            _ => next,
        }
    }

    /// Plays the two hands of a Switch box.
    fn play_switch_box(&mut self, source: &mut impl Source, box_: usize) {
        let (a, b) = self.two(box_, 0);
        let (c, d) = self.two(box_, 1);
        let program = self.program;
        let switched = program.switches(self.up, [a, b], [c, d]);
        let (start, b, d) = if switched { (Start::Switched, d, b) } else { (Start::Dealt, b, d) };
        let next = match program.hands.start(start, self.view, a, b) {
            Next::Consult(at) => program.hands.consult(at, self.count(source)),
            next => next,
        };
        let second = program.second_start(start, next, [a, b]);
        self.play_hand(source, box_, 0, next);
        self.play_hand(source, box_, 1, program.hands.start(second, self.view, c, d));
    }

    /// Plays one initial hand and all hands that it is split into.
    fn play_hand(&mut self, source: &mut impl Source, box_: usize, initial: usize, mut next: Next) {
        let program = self.program;
        // hands that wait for their second card; all come from pairs of the same value
        let mut waiting = 0u8;
        let mut made = 1u8;
        let mut value = 0;
        loop {
            match next {
                Next::Draw(row) => {
                    let face = self.draw(source);
                    if self.tracks_series {
                        self.extend_series(box_, face);
                    }
                    next = program.hands.next(row, self.symbol(face));
                }
                Next::Consult(at) => next = program.hands.consult(at, self.count(source)),
                Next::Split(of) => {
                    value = of;
                    made += 1;
                    waiting += 1;
                    self.end_series(box_);
                    next = Next::Draw(program.hands.split(self.view, value, made < program.split_hands));
                }
                Next::Done(class) => {
                    self.hold(box_, initial, class);
                    if waiting == 0 {
                        return;
                    }
                    waiting -= 1;
                    next = Next::Draw(program.hands.split(self.view, value, made < program.split_hands));
                }
            }
        }
    }

    fn hold(&mut self, box_: usize, initial: usize, class: ClassId) {
        if let Some(place) = self.held.get_mut(self.holding) {
            *place = FinishedHand { box_: box_ as u8, initial: initial as u8, class };
            self.holding += 1;
        }
    }

    fn extend_series(&mut self, box_: usize, face: u8) {
        let result = &mut self.round.boxes[box_];
        if let Some(place) = result.series.get_mut(usize::from(result.in_series)) {
            *place = face;
            result.in_series += 1;
        }
    }

    /// Closes the box's card series after a split, if the table's ruling ends the series there.
    fn end_series(&mut self, box_: usize) {
        if self.program.sides.iter().any(|side| side.split_ends) {
            self.round.boxes[box_].in_series |= CLOSED;
        }
    }

    /// Completes one dealer hand and settles the players' hands against it.
    fn finish(&mut self, source: &mut impl Source, dealer_hand: usize) {
        let program = self.program;
        let classes = &program.classes.all;
        let high = program.offers.high[usize::from(self.up)];
        let (mut depends, mut waits) = (false, false);
        let mut before = (usize::MAX, usize::MAX);
        for held in &self.held[..self.holding] {
            let class = &classes[usize::from(held.class)];
            let group = (usize::from(held.box_), usize::from(held.initial));
            let other = usize::from(group == before);
            before = group;
            let attacks = usize::from(self.round.boxes[group.0].attacks);
            depends |= class.depends;
            waits |= high && class.waits[other][attacks];
        }
        let third = self.wants_third && dealer_hand == 0;
        let needed = depends || waits || self.insured || third || program.second_card_always;
        let mut last = 0;
        let mut second = None;
        if self.hole.is_some() || needed {
            let (symbol, drawn) = self.second_card(source, dealer_hand);
            second = Some(symbol);
            last = self.draw_dealer(
                source,
                drawn,
                depends,
                third && !program.dealer.decided_on_two[usize::from(drawn.row)],
                dealer_hand,
            );
        }
        if dealer_hand == 0 {
            self.round.dealer_blackjack = last == BLACKJACK;
        }
        if dealer_hand == 0 {
            self.round.hands = self.holding as u32;
        }
        self.settle(last);
        if let (true, Some(second)) = (self.insured, second) {
            self.settle_insurance(second);
        }
    }

    fn second_card(&mut self, source: &mut impl Source, dealer_hand: usize) -> (Symbol, Drawn) {
        let symbol = match self.hole {
            Some(hole) => hole,
            None => {
                let face = self.draw(source);
                if dealer_hand == 0 {
                    self.note_dealer(face);
                }
                self.symbol(face)
            }
        };
        self.hidden = 0;
        (symbol, self.program.dealer.next(self.program.dealer.up(self.up), symbol))
    }

    /// Draws the dealer's cards after the second one, and returns the index of the dealer's final hand.
    ///
    /// The dealer draws to the end if `depends` says that a hand's result depends on the draws, and draws a third
    /// card if a side bet needs that card.
    fn draw_dealer(
        &mut self,
        source: &mut impl Source,
        mut drawn: Drawn,
        depends: bool,
        mut third: bool,
        dealer_hand: usize,
    ) -> usize {
        loop {
            match drawn.last {
                Some(last) => return usize::from(last),
                None if !depends && !third => return 0,
                None => {
                    let face = self.draw(source);
                    if dealer_hand == 0 {
                        self.note_dealer(face);
                    }
                    drawn = self.program.dealer.next(drawn.row, self.symbol(face));
                    third = false;
                }
            }
        }
    }

    fn settle(&mut self, last: usize) {
        let program = self.program;
        let mut at = 0;
        while at < self.holding {
            let FinishedHand { box_, initial, .. } = self.held[at];
            let same = |held: &&FinishedHand| held.box_ == box_ && held.initial == initial;
            let end = at + self.held[at..self.holding].iter().take_while(same).count();
            let group = &self.held[at..end];
            let box_ = usize::from(box_);
            let attacks = usize::from(self.round.boxes[box_].attacks);
            let hands = group.iter().map(|held| held.class);
            let Round { boxes, endings, .. } = &mut self.round;
            let record = &mut boxes[box_].record;
            let (net, staked) = settle_group(program, hands, attacks, last, |ending, way| {
                endings[ending as usize][way] += 1;
                match way {
                    0 => record.won += 1,
                    1 => record.pushed += 1,
                    _ => record.lost += 1,
                }
            });
            let result = &mut self.round.boxes[box_];
            result.net += net;
            result.staked += staked;
            result.wager_squares += u64::from(net.unsigned_abs()).pow(2);
            at = end;
        }
    }

    fn settle_insurance(&mut self, second: Symbol) {
        let program = self.program;
        let hands = program.hands_per_box as i32;
        for box_ in 0..self.boxes {
            let even_money = |held: &FinishedHand| {
                usize::from(held.box_) == box_ && Some(held.class) == program.even_money
            };
            if self.held[..self.holding].iter().any(even_money) {
                continue;
            }
            let result = &mut self.round.boxes[box_];
            let attacks = usize::from(result.attacks);
            result.insured += program.money.insurance[attacks] * hands;
            result.insurance += program.insurance(attacks, self.up, second) * hands;
        }
    }
}
