//! Plays the rounds of sixty-four tables in step: the batch engine.
//!
//! Every lane (table) is in the same phase of its round, at its own position in its shoe.
//!
//! With several boxes a round has too many states for a fused lookup table. Like the general engine, this engine
//! follows the program's lookup tables, but completes each step for all lanes before the next step. Whether a hand
//! continues is then a bit in a mask instead of an unpredictable branch. Some rounds are rare: those that offer
//! insurance, those that a blackjack ends before play, and those with a side bet that waits for further cards of a
//! hand. The general engine plays these rounds again from their first card.

mod wagers;

use crate::chunk::{Begun, Job, LaneSource};
use crate::lane::lanes_of;
use crate::rng::{LANES, shoe_seed};
use crate::round::{MOST_BOXES, Player, settle_group};
use crate::shoe::Shoes;
use crate::tally::Tally;
use program::Program;
use program::chart::Take;
use program::class::{ATTACKS, ClassId, FINALS};
use program::face::Symbol;
use program::hand::{MOST_SPLIT, Next, Packed, Start};
use program::moves::Move;
use wagers::Wagers;

/// The maximum number of initial hands in a round.
const MOST_INITIAL: usize = 2 * MOST_BOXES;
/// The maximum number of dealer hands in a round.
const MOST_DEALER_HANDS: usize = 3;
/// The class number of an initial hand that was split; [`Run::splits`] has the hands that it was split into.
const SPLIT: ClassId = ClassId::MAX;

/// One value for each lane.
type Lanes<T> = [T; LANES];

/// Lookup tables for settling finished hands.
///
/// The tables are indexed by the hand's class, then by the number of the box's attack bets.
pub struct Pays {
    /// The hand's net win, indexed by class, then by number of attack bets, then by the dealer's final hand.
    net: Vec<i32>,
    staked: Vec<i32>,
    /// Whether the hand's result depends on the dealer's draws, and whether it depends on the dealer's second
    /// card.
    ///
    /// The second flag matters only if the upcard can make a blackjack.
    needs: Vec<(bool, bool)>,
}

impl Pays {
    /// Builds the lookup tables for a program, or returns `None` if the engine cannot play the program's rounds.
    pub fn new(program: &Program) -> Option<Pays> {
        let pays_early = program.even_money.is_some() && program.offers.even_money != Take::Never;
        let fits =
            program.dealer_hands <= MOST_DEALER_HANDS && program.classes.all.len() < usize::from(SPLIT);
        if pays_early || !fits || program.classes.change() {
            return None;
        }
        let each = || program.classes.all.iter().flat_map(|class| (0..ATTACKS).map(move |n| (class, n)));
        Some(Pays {
            net: each().flat_map(|(class, n)| class.pay[n]).collect(),
            staked: each().map(|(class, n)| class.staked[n]).collect(),
            needs: each().map(|(class, n)| (class.depends, class.waits[0][n])).collect(),
        })
    }
}

/// An initial hand that was split, in one lane.
#[derive(Clone, Copy)]
struct Split {
    lane: usize,
    hand: usize,
    /// The classes of the hands that the pair was split into.
    classes: [ClassId; MOST_SPLIT],
    count: usize,
}

/// The sums of those rounds of a chunk that began at one count. The sums of one chunk fit into 64 bits.
#[derive(Clone, Copy, Default)]
struct Sums {
    rounds: u64,
    net: i64,
    squares: u64,
    staked: i64,
    wager_squares: u64,
}

/// Plays whole shoes of a chunk in all lanes, and returns the chunk as far as it was played.
///
/// Stops before a shoe with which the chunk could exceed `most` rounds.
pub fn whole_shoes(job: &Job, pays: &Pays, chunk: u64, most: u64) -> Begun {
    let Begun { memories, tally, .. } = Begun::new(job, chunk);
    let program = &job.program;
    let mut run = Run {
        job,
        program,
        pays,
        wagers: Wagers::new(program, job.boxes, memories),
        shoes: Shoes::new(program, job.isa),
        player: Player::new(program, job.counting.as_ref(), job.boxes),
        hands: job.boxes * program.hands_per_box,
        sums: vec![Sums::default(); tally.cells.len()],
        ended: vec![0; pays.net.len()],
        tally,
        at: [0; LANES],
        running: [0; LANES],
        hidden: [0; LANES],
        up: [0; LANES],
        hole: [0; LANES],
        cards: [[[0; LANES]; 2]; MOST_INITIAL],
        attacks: [[0; LANES]; MOST_BOXES],
        classes: [[0; LANES]; MOST_INITIAL],
        splits: Vec::new(),
        lasts: [[0; LANES]; MOST_DEALER_HANDS],
        net: [0; LANES],
        staked: [0; LANES],
        wager_squares: [0; LANES],
        rounds: 0,
    };
    let fewest = run.wagers.layout.cards;
    let most_in_a_shoe = (job.last_start() - program.stack.burned).div_ceil(fewest);
    let mut shoe = 0;
    while shoe < job.shoes && run.rounds + (LANES * most_in_a_shoe) as u64 <= most {
        run.shoes.shuffle(shoe_seed(job.seed, chunk, shoe));
        run.shoe();
        shoe += 1;
    }
    run.add_up();
    Begun { chunk, shoe, memories: run.wagers.memories, tally: run.tally }
}

struct Run<'j> {
    job: &'j Job,
    program: &'j Program,
    pays: &'j Pays,
    wagers: Wagers,
    shoes: Shoes,
    /// The general engine, which plays the rounds that the batch engine leaves out.
    player: Player<'j>,
    /// The number of initial hands in a round.
    hands: usize,
    tally: Tally,
    /// The sums of the chunk's rounds, indexed by the count bucket in which a round began.
    sums: Vec<Sums>,
    /// The number of unsplit hands by class, number of attack bets and final hand of the dealer.
    ended: Vec<u32>,
    /// The index of the next card of each lane's shoe; `usize::MAX` if the lane's last round was void.
    at: Lanes<usize>,
    running: Lanes<i32>,
    /// The tag of each lane's hole card while nobody has seen the card, and zero otherwise.
    hidden: Lanes<i32>,
    up: Lanes<Symbol>,
    hole: Lanes<Symbol>,
    /// The first and second card of each initial hand.
    cards: [[Lanes<Symbol>; 2]; MOST_INITIAL],
    /// The number of attack bets in each lane, by box.
    attacks: [Lanes<u8>; MOST_BOXES],
    /// The class of each initial hand when it ended.
    classes: [Lanes<ClassId>; MOST_INITIAL],
    splits: Vec<Split>,
    /// The index of the dealer's final hand, for each dealer hand, then for each lane.
    lasts: [Lanes<u8>; MOST_DEALER_HANDS],
    net: Lanes<i32>,
    staked: Lanes<i32>,
    wager_squares: Lanes<u64>,
    rounds: u64,
}

impl Run<'_> {
    /// Plays one shoe in every lane.
    fn shoe(&mut self) {
        self.at = [self.program.stack.burned; LANES];
        self.running = [self.job.counting.as_ref().map_or(0, |c| c.start); LANES];
        let mut playing = u64::MAX;
        while playing != 0 {
            self.round(playing);
            let mut on = 0;
            for lane in lanes_of(playing) {
                on |= u64::from(self.at[lane] < self.job.last_start()) << lane;
            }
            playing = on;
        }
        self.tally.shoes += LANES as u64;
    }

    /// Plays a round in the lanes of the mask `playing`.
    fn round(&mut self, playing: u64) {
        let (begun, running) = (self.at, self.running);
        let buckets = self.begin(playing);
        let (program, mut active, mut given) = (self.program, playing, 0);
        for &step in &program.moves {
            match step {
                Move::Each => {
                    self.deal_each(active, given);
                    given += 1;
                }
                Move::Up => self.deal_up(active),
                Move::HoleDown | Move::HoleUp => self.deal_hole(active, step == Move::HoleDown),
                Move::Attack | Move::SecondAttack | Move::ThirdAttack => self.attack(active, step),
                Move::Insurance => active &= !self.asked(active),
                Move::Peek | Move::OpenBlackjack => active &= !self.found_blackjack(active, step),
                Move::Play => {
                    active &= !self.waits_for_cards(active, &begun);
                    self.play(active);
                }
                Move::Finish => {
                    (0..program.dealer_hands).for_each(|dealer_hand| self.finish(active, dealer_hand))
                }
            }
        }
        for lane in lanes_of(playing & !active) {
            (self.at[lane], self.running[lane]) = (begun[lane], running[lane]);
            self.play_again(lane, buckets[lane]);
        }
        let void = self.lanes_where(active, |run, lane| run.at[lane] > run.shoes.cards());
        lanes_of(void).for_each(|lane| self.void(lane));
        self.settle(active & !void);
        for lane in lanes_of(active & !void) {
            self.tally.cards += (self.at[lane] - begun[lane]) as u64;
            self.count_round(lane, buckets[lane]);
        }
        self.settle_wagers(active & !void, &begun);
    }

    /// Begins a round in the lanes of the mask `playing`, and returns each lane's count bucket.
    fn begin(&mut self, playing: u64) -> Lanes<usize> {
        let mut buckets = [0; LANES];
        for lane in lanes_of(playing) {
            if let Some(counting) = &self.job.counting {
                buckets[lane] = counting.bucket(self.running[lane], self.at[lane]);
            }
            self.at[lane] += self.program.stack.burned_each_round;
        }
        self.attacks = [[0; LANES]; MOST_BOXES];
        self.hidden = [0; LANES];
        self.net = [0; LANES];
        self.staked = [0; LANES];
        self.wager_squares = [0; LANES];
        self.splits.clear();
        buckets
    }

    /// Returns the bit mask of those lanes in `lanes` for which `is_so` returns true.
    #[inline(always)]
    fn lanes_where(&self, lanes: u64, is_so: impl Fn(&Self, usize) -> bool) -> u64 {
        lanes_of(lanes).fold(0, |bits, lane| bits | u64::from(is_so(self, lane)) << lane)
    }

    /// Draws the lane's next card and returns its symbol.
    #[inline(always)]
    fn draw(&mut self, lane: usize) -> Symbol {
        let face = usize::from(self.shoes.card(self.at[lane], lane));
        self.at[lane] += 1;
        if let Some(counting) = &self.job.counting {
            self.running[lane] += counting.tags[face];
        }
        self.program.faces.symbol_of[face]
    }

    fn deal_each(&mut self, active: u64, given: usize) {
        for hand in 0..self.hands {
            for lane in lanes_of(active) {
                self.cards[hand][given][lane] = self.draw(lane);
            }
        }
    }

    fn deal_up(&mut self, active: u64) {
        for lane in lanes_of(active) {
            self.up[lane] = self.draw(lane);
        }
    }

    fn deal_hole(&mut self, active: u64, down: bool) {
        for lane in lanes_of(active) {
            let before = self.running[lane];
            self.hole[lane] = self.draw(lane);
            self.hidden[lane] = if down { self.running[lane] - before } else { 0 };
        }
    }

    fn attack(&mut self, active: u64, step: Move) {
        let offers = &self.program.offers;
        for box_ in 0..self.job.boxes {
            for lane in lanes_of(active) {
                let (own, up) = (usize::from(self.cards[box_][0][lane]), usize::from(self.up[lane]));
                self.attacks[box_][lane] += u8::from(match step {
                    Move::Attack => offers.attack[up],
                    Move::SecondAttack => offers.second_attack[own],
                    _ => offers.third_attack[own * self.program.symbols() + up],
                });
            }
        }
    }

    /// Returns the bit mask of the lanes in which insurance is offered and the strategy may take insurance.
    fn asked(&self, active: u64) -> u64 {
        let offers = &self.program.offers;
        let asks = offers.insurance != Take::Never;
        self.lanes_where(active, |run, lane| asks && offers.insurable[usize::from(run.up[lane])])
    }

    /// Returns the mask of the lanes in which a dealer blackjack is known before play.
    fn found_blackjack(&self, active: u64, step: Move) -> u64 {
        let (program, open) = (self.program, step == Move::OpenBlackjack);
        self.lanes_where(active, |run, lane| {
            let (up, hole) = (run.up[lane], run.hole[lane]);
            program.has_hole
                && (open || program.offers.read[usize::from(up)])
                && program.is_blackjack(up, hole)
        })
    }

    fn play(&mut self, active: u64) {
        let program = self.program;
        let view = |run: &Self, lane: usize| program.view(run.up[lane], run.hole[lane]);
        for box_ in 0..self.job.boxes {
            let first = box_ * program.hands_per_box;
            let [a, b] = self.cards[first];
            let mut entries = [Packed::default(); LANES];
            if program.hands_per_box == 1 {
                for lane in lanes_of(active) {
                    entries[lane] =
                        program.hands.start_entry(Start::Dealt, view(self, lane), a[lane], b[lane]);
                }
                self.play_hand(active, first, entries);
                continue;
            }
            let [c, d] = self.cards[first + 1];
            let mut second = [(Start::Dealt, 0); LANES];
            for lane in lanes_of(active) {
                let (own, other) = ([a[lane], b[lane]], [c[lane], d[lane]]);
                let switched = program.switches(self.up[lane], own, other);
                let (start, b, d) = if switched {
                    (Start::Switched, other[1], own[1])
                } else {
                    (Start::Dealt, own[1], other[1])
                };
                let entry = program.hands.start_entry(start, view(self, lane), own[0], b);
                let entry = self.consulted(lane, entry);
                entries[lane] = entry;
                second[lane] = (program.second_start(start, entry.open(), [own[0], b]), d);
            }
            self.play_hand(active, first, entries);
            for lane in lanes_of(active) {
                let (start, d) = second[lane];
                entries[lane] = program.hands.start_entry(start, view(self, lane), c[lane], d);
            }
            self.play_hand(active, first + 1, entries);
        }
    }

    /// Returns the next entry of a lane's hand: `entry`, or the one that the count selects if `entry` is a
    /// question.
    #[inline(always)]
    fn consulted(&self, lane: usize, entry: Packed) -> Packed {
        match entry.open() {
            Next::Consult(at) => {
                let seen = self.running[lane] - self.hidden[lane];
                let count = self.job.counting.as_ref().map_or(0, |c| c.count(seen, self.at[lane]));
                self.program.hands.consult_entry(at, count)
            }
            _ => entry,
        }
    }

    /// Plays one initial hand in the active lanes; `entries` holds the lookup-table entry at which each lane
    /// starts.
    fn play_hand(&mut self, active: u64, hand: usize, mut entries: Lanes<Packed>) {
        let program = self.program;
        let mut going = active;
        while going != 0 {
            let (mut draws, mut asks) = (0, 0);
            for lane in lanes_of(going) {
                draws |= u64::from(entries[lane].draws()) << lane;
                asks |= u64::from(entries[lane].consults()) << lane;
            }
            for lane in lanes_of(asks) {
                entries[lane] = self.consulted(lane, entries[lane]);
            }
            for lane in lanes_of(draws) {
                let symbol = self.draw(lane);
                entries[lane] = program.hands.entry(entries[lane].id(), symbol);
            }
            going = draws | asks;
        }
        let mut splits = 0;
        for lane in lanes_of(active) {
            self.classes[hand][lane] = entries[lane].id();
            splits |= u64::from(entries[lane].splits()) << lane;
        }
        for lane in lanes_of(splits) {
            self.classes[hand][lane] = SPLIT;
            self.play_split(lane, hand, entries[lane].id() as u8);
        }
    }

    /// Plays the hands that one lane's initial hand is split into, where `value` is the value of the paired cards.
    fn play_split(&mut self, lane: usize, hand: usize, value: u8) {
        let program = self.program;
        let view = program.view(self.up[lane], self.hole[lane]);
        let mut split = Split { lane, hand, classes: [0; MOST_SPLIT], count: 0 };
        let (mut waiting, mut made) = (2u8, 2u8);
        while waiting > 0 {
            waiting -= 1;
            let mut row = program.hands.split(view, value, made < program.split_hands);
            loop {
                let symbol = self.draw(lane);
                match self.consulted(lane, program.hands.entry(row, symbol)).open() {
                    Next::Draw(next) => row = next,
                    Next::Split(_) => {
                        made += 1;
                        waiting += 1;
                        row = program.hands.split(view, value, made < program.split_hands);
                    }
                    Next::Done(class) => {
                        split.classes[split.count % MOST_SPLIT] = class;
                        split.count += 1;
                        break;
                    }
                    Next::Consult(_) => break,
                }
            }
        }
        self.splits.push(split);
    }

    /// Completes a dealer hand in the active lanes, where `dealer_hand` is the hand's index.
    fn finish(&mut self, active: u64, dealer_hand: usize) {
        let program = self.program;
        let (mut depends, mut waits) = (0, 0);
        for hand in 0..self.hands {
            let box_ = hand / program.hands_per_box;
            for lane in lanes_of(active) {
                let place = place(self.classes[hand][lane], self.attacks[box_][lane]);
                let &(needs, needs_second) = self.pays.needs.get(place).unwrap_or(&(false, false));
                depends |= u64::from(needs) << lane;
                waits |= u64::from(needs_second) << lane;
            }
        }
        for split in &self.splits {
            let attacks = usize::from(self.attacks[split.hand / program.hands_per_box][split.lane]);
            for (nth, &class) in split.classes[..split.count].iter().enumerate() {
                let class = &program.classes.all[usize::from(class)];
                depends |= u64::from(class.depends) << split.lane;
                waits |= u64::from(class.waits[usize::from(nth > 0)][attacks]) << split.lane;
            }
        }
        waits &= self.lanes_where(active, |run, lane| program.offers.high[usize::from(run.up[lane])]);
        let third = self.wagers.third_card && dealer_hand == 0;
        let always = program.has_hole || program.second_card_always || third;
        let mut drawing = if always { active } else { depends | waits };
        let mut rows = [0; LANES];
        for lane in lanes_of(active) {
            rows[lane] = program.dealer.up(self.up[lane]);
            self.lasts[dealer_hand][lane] = 0;
        }
        let mut second = true;
        while drawing != 0 {
            let (mut going, mut wanted) = (0, 0);
            for lane in lanes_of(drawing) {
                let held = second && program.has_hole;
                let symbol = if held { self.hole[lane] } else { self.draw(lane) };
                if third && !held {
                    self.note_dealer(lane);
                }
                let drawn = program.dealer.next(rows[lane], symbol);
                rows[lane] = drawn.row;
                self.lasts[dealer_hand][lane] = drawn.last.unwrap_or(0);
                going |= u64::from(drawn.last.is_none()) << lane;
                let decided = program.dealer.decided_on_two[usize::from(drawn.row)];
                wanted |= u64::from(third && second && !decided) << lane;
            }
            drawing = going & (depends | wanted);
            second = false;
        }
    }

    /// Settles the players' hands in `lanes` against every dealer hand.
    fn settle(&mut self, lanes: u64) {
        let program = self.program;
        for dealer_hand in 0..program.dealer_hands {
            let lasts = self.lasts[dealer_hand];
            for hand in 0..self.hands {
                let box_ = hand / program.hands_per_box;
                for lane in lanes_of(lanes) {
                    let place = place(self.classes[hand][lane], self.attacks[box_][lane]);
                    let Some(&staked) = self.pays.staked.get(place) else { continue };
                    let end = place * FINALS + usize::from(lasts[lane]);
                    let net = self.pays.net[end];
                    self.ended[end] += 1;
                    self.net[lane] += net;
                    self.staked[lane] += staked;
                    self.wager_squares[lane] += u64::from(net.unsigned_abs()).pow(2);
                }
            }
            for &Split { lane, hand, classes, count } in &self.splits {
                if lanes >> lane & 1 == 0 {
                    continue;
                }
                let attacks = usize::from(self.attacks[hand / program.hands_per_box][lane]);
                let hands = classes[..count].iter().copied();
                let endings = &mut self.tally.endings;
                let (net, staked) =
                    settle_group(program, hands, attacks, usize::from(lasts[lane]), |ending, way| {
                        endings[ending as usize][way] += 1;
                    });
                self.net[lane] += net;
                self.staked[lane] += staked;
                self.wager_squares[lane] += u64::from(net.unsigned_abs()).pow(2);
                self.tally.hands += if dealer_hand == 0 { count as u64 - 1 } else { 0 };
            }
        }
        self.tally.hands += (self.hands * lanes.count_ones() as usize) as u64;
    }

    fn count_round(&mut self, lane: usize, bucket: usize) {
        let net = i64::from(self.net[lane]);
        let sums = &mut self.sums[bucket];
        sums.rounds += 1;
        sums.net += net;
        sums.squares += net.unsigned_abs().pow(2);
        sums.staked += i64::from(self.staked[lane]);
        sums.wager_squares += self.wager_squares[lane];
        self.tally.distribution[Tally::place(net, self.job.initial())] += 1;
        self.rounds += 1;
    }

    /// Voids the lane's round, because the shoe ran out before the round was over.
    fn void(&mut self, lane: usize) {
        self.tally.void += 1;
        self.at[lane] = usize::MAX;
    }

    /// Plays the lane's round with the general engine, from its first card.
    fn play_again(&mut self, lane: usize, bucket: usize) {
        let begun = self.at[lane];
        self.player.running = self.running[lane];
        let first = begun + self.program.stack.burned_each_round;
        let mut source = LaneSource::new(&mut self.shoes, lane, first);
        self.player.play(&mut source);
        self.at[lane] = source.at;
        self.running[lane] = self.player.running;
        if self.at[lane] > self.shoes.cards() {
            return self.void(lane);
        }
        self.tally.cards += (self.at[lane] - begun) as u64;
        self.job.count_round(&self.player, bucket, &mut self.tally);
        let (memory, sides) = (&mut self.wagers.memories[lane], &mut self.tally.sides);
        memory.settle_round(self.program, &self.player.round, self.job.boxes, sides);
        self.rounds += 1;
    }

    /// Adds the sums of the chunk's rounds to the tally.
    fn add_up(&mut self) {
        for (cell, sums) in self.tally.cells.iter_mut().zip(&self.sums) {
            cell.net.count += sums.rounds;
            cell.net.sum += i128::from(sums.net);
            cell.net.squares += u128::from(sums.squares);
            cell.staked += i128::from(sums.staked);
            cell.wager_squares += u128::from(sums.wager_squares);
        }
        for (end, &times) in self.ended.iter().enumerate() {
            let (net, class) = (self.pays.net[end], end / FINALS / ATTACKS);
            let way = if net > 0 { 0 } else { usize::from(net < 0) + 1 };
            let ending = self.program.classes.all[class].ending;
            self.tally.endings[ending as usize][way] += u64::from(times);
        }
    }
}

/// Returns the index of a class and a number of attack bets in the lookup tables of [`Pays`].
#[inline(always)]
fn place(class: ClassId, attacks: u8) -> usize {
    usize::from(class) * ATTACKS + usize::from(attacks)
}
