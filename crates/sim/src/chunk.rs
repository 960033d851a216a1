//! Plays one chunk of a run: a fixed number of shoes in each of sixty-four lanes. Each shoe has its own seed.

use crate::count::{BUCKETS, Counting};
use crate::isa::Isa;
use crate::rng::{LANES, shoe_seed};
use crate::round::{Player, Source};
use crate::shoe::Shoes;
use crate::side_counts::{self, RunningCounts, SideCount};
use crate::sides::Memory;
use crate::tally::Tally;
use program::Program;

/// A simulation run: the compiled table and all settings that affect the rounds.
pub struct Job {
    /// The compiled table and strategy.
    pub program: Program,
    /// The counting system with its bets, or `None` if no cards are counted.
    pub counting: Option<Counting>,
    /// The side bets with counting systems of their own.
    pub side_counts: Vec<SideCount>,
    /// The number of boxes in play, which all follow the same strategy.
    pub boxes: usize,
    /// The seed that determines every card of the run.
    pub seed: u64,
    /// Whether every round starts from a full shoe.
    pub fresh: bool,
    /// The instruction set, which does not change the results.
    pub isa: Isa,
    /// The number of shoes that each lane plays in a chunk.
    pub shoes: u64,
    /// The engine that plays the rounds.
    pub engine: Engine,
}

/// An engine that plays rounds; all engines give the same results.
pub enum Engine {
    /// The general engine, which plays card by card and can play everything.
    General,
    /// The engine for one box, with a whole round fused into one lookup table.
    Fused(Box<crate::lane::Table>),
    /// The engine that plays all lanes in step, one phase of the round at a time.
    Batch(crate::batch::Pays),
}

impl Engine {
    /// Returns the fastest engine for a table with `boxes` boxes in play.
    pub fn of(program: &Program, boxes: usize) -> Engine {
        let fused = (boxes == 1).then(|| crate::lane::Table::new(program)).flatten();
        let batch = || crate::batch::Pays::new(program).map(Engine::Batch);
        fused.map(|table| Engine::Fused(Box::new(table))).or_else(batch).unwrap_or(Engine::General)
    }

    /// Returns the engine's name for the report, such as `fused`.
    pub fn name(&self) -> &'static str {
        match self {
            Engine::General => "general",
            Engine::Fused(_) => "fused",
            Engine::Batch(_) => "batch",
        }
    }
}

/// The result of one shoe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShoeResult {
    /// The number of the chunk that the shoe belongs to.
    pub chunk: u64,
    /// The net win of the shoe, with bets by the ramp, in parts of an initial bet.
    pub net: i64,
    /// The number of the shoe among those of its lane in the chunk.
    pub shoe: u32,
    /// The number of rounds dealt from the shoe.
    pub rounds: u32,
    /// The number of cards dealt from the shoe.
    pub cards: u32,
    /// The number of the lane that played the shoe.
    pub lane: u8,
}

/// The approximate number of rounds in a chunk.
const ROUNDS: usize = 1 << 18;

impl Job {
    /// Returns the number of shoes per lane in a chunk.
    ///
    /// The number depends on the arguments alone, so that a chunk has the same shoes on every machine.
    pub fn shoes_a_chunk(program: &Program, boxes: usize, fresh: bool) -> u64 {
        let hands = boxes * program.hands_per_box + program.dealer_hands;
        let rounds = if fresh { 1 } else { program.stack.before_cut / (3 * hands) + 1 };
        (ROUNDS / LANES / rounds).max(1) as u64
    }

    /// Returns an empty tally with room for the job's counts and side bets.
    pub fn empty(&self) -> Tally {
        let lines: Vec<usize> = self.program.sides.iter().map(|side| side.lines.len()).collect();
        let cells = if self.counting.is_some() { BUCKETS } else { 1 };
        Tally { side_counts: side_counts::empty(&self.side_counts), ..Tally::new(cells, &lines) }
    }

    /// Returns the sum of one box's initial bets, in parts of a bet.
    pub fn initial(&self) -> i64 {
        self.program.initial()
    }

    /// Returns the bet for a round that begins in count bucket `bucket`, as a multiple of the initial bet.
    ///
    /// Returns 1 if cards are not counted.
    pub fn stake(&self, bucket: usize) -> u32 {
        self.counting.as_ref().map_or(1, |c| c.stakes[bucket])
    }

    /// Returns the number of dealt cards from which on no further round begins in a shoe.
    ///
    /// A round may still begin before the cut card comes out, which happens when the first card behind it is
    /// dealt.
    pub fn last_start(&self) -> usize {
        1 + if self.fresh { self.program.stack.burned } else { self.program.stack.before_cut }
    }

    /// Plays a whole chunk and returns its sums.
    pub fn chunk(&self, chunk: u64) -> Tally {
        self.chunk_up_to(chunk, u64::MAX)
    }

    /// Plays at most `most` rounds of a chunk and returns their sums.
    ///
    /// Plays one shoe in every lane before the next shoe, and the lanes of a shoe in order.
    pub fn chunk_up_to(&self, chunk: u64, most: u64) -> Tally {
        let begun = match &self.engine {
            Engine::Fused(table) => crate::lane::whole_shoes(self, table, chunk, most),
            Engine::Batch(pays) => crate::batch::whole_shoes(self, pays, chunk, most),
            Engine::General => Begun::new(self, chunk),
        };
        self.play_from(begun, most, &mut |_| ())
    }

    /// Plays at most `most` rounds of a chunk one by one, and passes every shoe's result to `each_shoe`.
    pub fn chunk_by_rounds(&self, chunk: u64, most: u64, each_shoe: &mut dyn FnMut(ShoeResult)) -> Tally {
        self.play_from(Begun::new(self, chunk), most, each_shoe)
    }

    fn play_from(&self, begun: Begun, most: u64, each_shoe: &mut dyn FnMut(ShoeResult)) -> Tally {
        let Begun { chunk, shoe: first, mut memories, mut tally } = begun;
        let mut left = most.saturating_sub(tally.rounds());
        if first == self.shoes || left == 0 {
            return tally;
        }
        let mut shoes = Shoes::new(&self.program, self.isa);
        let mut player = Player::new(&self.program, self.counting.as_ref(), self.boxes);
        let mut counts = RunningCounts::new(&self.side_counts);
        for shoe in first..self.shoes {
            shoes.shuffle(shoe_seed(self.seed, chunk, shoe));
            for (lane, memory) in memories.iter_mut().enumerate() {
                if left == 0 {
                    return tally;
                }
                let mut source = LaneSource::new(&mut shoes, lane, self.program.stack.burned);
                player.shuffled();
                counts.shuffled();
                let mut result =
                    ShoeResult { chunk, net: 0, shoe: shoe as u32, rounds: 0, cards: 0, lane: lane as u8 };
                while source.at < self.last_start() && left > 0 {
                    result.cards = source.at as u32;
                    let round = self.round((&mut player, &mut counts), &mut source, memory, &mut tally);
                    let Some(net) = round else { break };
                    result.cards = source.at as u32;
                    result.net += net;
                    result.rounds += 1;
                    left -= 1;
                }
                tally.shoes += 1;
                each_shoe(result);
            }
        }
        tally
    }

    /// Plays one round, adds it to the tally and returns its net win at the ramp's bet.
    ///
    /// Returns `None` if the shoe ran out.
    fn round(
        &self,
        (player, counts): (&mut Player<'_>, &mut RunningCounts<'_>),
        source: &mut LaneSource<'_>,
        memory: &mut Memory,
        tally: &mut Tally,
    ) -> Option<i64> {
        let bucket = self.counting.as_ref().map_or(0, |c| c.bucket(player.running, source.at));
        let before = source.at;
        counts.begin(before, tally);
        source.at += self.program.stack.burned_each_round;
        player.play(source);
        if source.at > source.shoes.cards() {
            tally.void += 1;
            return None;
        }
        tally.cards += (source.at - before) as u64;
        let net = i64::from(self.count_round(player, bucket, tally));
        memory.settle_round(&self.program, &player.round, self.boxes, &mut tally.sides);
        counts.end(tally);
        if !self.side_counts.is_empty() {
            for at in before + self.program.stack.burned_each_round..source.at {
                counts.see(source.shoes.card(at, source.lane));
            }
        }
        Some(net * i64::from(self.stake(bucket)))
    }

    /// Adds the player's last round to the tally, without its side bets, and returns the round's net win.
    ///
    /// `bucket` is the count bucket in which the round began. The net win is in parts of the bet, without the
    /// ramp.
    pub fn count_round(&self, player: &Player<'_>, bucket: usize, tally: &mut Tally) -> i32 {
        let round = &player.round;
        let boxes = &round.boxes[..self.boxes];
        let net = round.net(self.boxes);
        let cell = &mut tally.cells[bucket];
        cell.net.add(i64::from(net));
        cell.staked += boxes.iter().map(|b| i128::from(b.staked + b.insured)).sum::<i128>();
        cell.wager_squares += boxes.iter().map(|b| u128::from(b.wager_squares)).sum::<u128>();
        let insured: i32 = boxes.iter().map(|b| b.insured).sum();
        if insured > 0 {
            cell.insurance.add(boxes.iter().map(|b| i64::from(b.insurance)).sum());
            cell.insured += i128::from(insured);
        }
        tally.hands += u64::from(round.hands);
        tally.add_endings(&round.endings);
        tally.distribution[Tally::place(i64::from(net), self.initial())] += 1;
        net
    }
}

/// A partly played chunk: its sums so far, and what is needed to play its other shoes.
pub struct Begun {
    /// The number of the chunk.
    pub chunk: u64,
    /// The number of the next shoe to play in all lanes.
    pub shoe: u64,
    /// The streaks and meters of each lane, which carry over between rounds.
    pub memories: Vec<Memory>,
    /// The sums of the shoes played so far.
    pub tally: Tally,
}

impl Begun {
    /// Returns the state of a chunk before its first shoe.
    pub fn new(job: &Job, chunk: u64) -> Begun {
        let memory = |lane| Memory::new(&job.program, shoe_seed(!job.seed, chunk, lane as u64));
        Begun { chunk, shoe: 0, memories: (0..LANES).map(memory).collect(), tally: job.empty() }
    }
}

/// A source that deals the cards of one lane.
pub struct LaneSource<'s> {
    /// The shoes of all lanes.
    pub shoes: &'s mut Shoes,
    /// The number of the lane.
    pub lane: usize,
    /// The number of cards dealt from the lane's shoe, which is the index of the next card.
    pub at: usize,
}

impl<'s> LaneSource<'s> {
    /// Returns a source that deals a lane's cards from index `at` of the shoe on.
    pub fn new(shoes: &'s mut Shoes, lane: usize, at: usize) -> LaneSource<'s> {
        LaneSource { shoes, lane, at }
    }
}

impl Source for LaneSource<'_> {
    #[inline]
    fn next(&mut self) -> u8 {
        let face = self.shoes.card(self.at, self.lane);
        self.at += 1;
        face
    }

    fn dealt(&self) -> usize {
        self.at
    }
}

/// A source that deals given cards in order, for replaying a shoe.
///
/// After the end of the list, the source deals the last card again and again.
pub struct ListSource<'c> {
    /// The faces of the cards, in order.
    pub faces: &'c [u8],
    /// The number of cards dealt so far.
    pub at: usize,
}

impl Source for ListSource<'_> {
    fn next(&mut self) -> u8 {
        let face = self.faces.get(self.at).or(self.faces.last()).copied().unwrap_or(0);
        self.at += 1;
        face
    }

    fn dealt(&self) -> usize {
        self.at
    }
}
