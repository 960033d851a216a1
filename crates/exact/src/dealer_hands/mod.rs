//! Whole rounds of multiple action: two or three bets on one hand, each against its own dealer hand.
//!
//! The dealer hands begin with one upcard and come from one shoe, so the bets mostly win and lose together.
//! Expected values add up over the bets. Squares and nets do not: they need the results of the dealer hands
//! together with the cards of the player's hands (`dealers`, `player`).

mod dealers;
mod player;

use crate::cards::{Counts, Shoe, pair_of, together};
use crate::game::{Strategy, play_choice};
use crate::given::Followed;
use crate::judge::{Blackjack, Judge, Origin, OriginalBet};
use crate::nets::{NetSums, RoundNets};
use crate::plan::Plan;
use crate::result::At22;
use crate::round::Solved;
use crate::seen::seen_states;
use crate::solve::Solver;
use crate::table::{Attacked, Table};
use crate::threads::{each, threads};
use crate::turn::Action;
use crate::vocabulary::{BLACKJACK, DealerResult, RANKS, RESULTS, Rank, Upcard, by_rank};
use crate::whole::Round;
use dealers::{Dealers, Hands, Three, Two};
use player::{Class, Endings, OneCard, split_endings};
use rules::Choices;
use rules::text::Form;

/// Figures of a round with several bets on one hand, each against its own dealer hand.
#[derive(Clone, Debug, PartialEq)]
pub struct SeveralHands {
    /// The number of bets in the round.
    pub bets: usize,
    /// Expected net of all bets, in units of one bet.
    pub ev: f64,
    /// Exact variance of the net of all bets, with the net in units of one bet.
    pub variance: f64,
    /// The net results of the round with their probabilities.
    ///
    /// With three bets on split hands, the probabilities are approximated from the results of every two dealer
    /// hands.
    pub nets: RoundNets,
}

/// The maximum number of bets in a round.
const MOST_BETS: usize = 3;

/// Returns the figures of a round with `bets` bets on one hand.
///
/// Returns `None` for games other than blackjack, for a number of bets that the table does not allow, where a pair
/// is split into more than two hands, and where a dealer's blackjack is found before play.
pub fn several_hands(choices: &Choices, strategy: &Strategy, bets: usize) -> Option<SeveralHands> {
    computed(choices, strategy, (bets, Nets::Wanted))
}

/// Returns the exact variance of a round's net with `bets` bets on one hand, in units of one bet.
///
/// It skips the net results, which take longer. Returns `None` in the same cases as [`several_hands`].
pub fn variance(choices: &Choices, strategy: &Strategy, bets: usize) -> Option<f64> {
    computed(choices, strategy, (bets, Nets::Omitted)).map(|round| round.variance)
}

/// Whether the net results of rounds are computed. With three bets they take most of the time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nets {
    Wanted,
    Omitted,
}

fn computed(choices: &Choices, strategy: &Strategy, (bets, nets): (usize, Nets)) -> Option<SeveralHands> {
    let table = Table::new(choices, Attacked::No);
    let one_hand = choices.text().form() == Form::OneHand;
    let bets_fit = (1..=MOST_BETS.min(choices.dealer_hands())).contains(&bets);
    let settled_last = table.blackjack() == Blackjack::AfterPlay && table.at_22() == At22::Over;
    if !one_hand || !bets_fit || !settled_last || table.shares() {
        return None;
    }
    let chart = strategy.chart(&table);
    let followed = chart.as_ref().map(|chart| Followed::new(&table, chart));
    let round = Round {
        table: &table,
        play_choice: play_choice(strategy, followed.as_ref()),
        followed: followed.as_ref(),
    };
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, round.play_choice);
    let upcards: Vec<Upcard> = Upcard::all::<RANKS>().filter(|u| table.shoe()[u.rank()] > 0).collect();
    let parts = each(&upcards, threads(), |&u| against(&table, &solved, u, (bets, nets)));
    let mut all = Sums::default();
    for part in parts {
        let part = part?;
        all.net += part.net;
        all.square += part.square;
        all.nets.add_all(&part.nets);
    }
    Some(SeveralHands { bets, ev: all.net, variance: all.square - all.net * all.net, nets: all.nets.done() })
}

/// The sums over the rounds with one upcard.
#[derive(Default)]
struct Sums {
    net: f64,
    square: f64,
    nets: NetSums,
}

/// The total net of a box's hands, by the dealer's result: against the first dealer hand, and against a later one.
type BoxNets = [[f64; RESULTS]; 2];

impl Sums {
    /// Adds rounds in which each bet has the net `net` against every result of the dealer, with probability
    /// `chance`.
    fn add_constant(&mut self, (net, chance): (f64, f64), bets: usize) {
        let all = net * bets as f64;
        self.net += all * chance;
        self.square += all * all * chance;
        self.nets.add(all, chance, 0.0);
    }

    /// Adds rounds in which the box's hands have these `nets`, for every combination of the dealer's results.
    ///
    /// The probability of a combination is its entry in `two` or `three` times `chance`. `split` tells whether
    /// a pair was split.
    fn add(
        &mut self,
        nets: &BoxNets,
        (two, three): (&Two, &Three),
        (chance, split): (f64, bool),
        bets: usize,
    ) {
        let [first, later] = nets;
        let all = || DealerResult::ALL.into_iter();
        let others = bets as f64 - 1.0;
        for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
            let part = chance * two[a][b];
            self.net += part * (first[a] + others * later[a]);
            self.square += part * (first[a] * first[a] + others * later[a] * later[a]);
            self.square += part * others * (2.0 * first[a] * later[b] + (others - 1.0) * later[a] * later[b]);
        }
        let mut add = |net: f64, part: f64| {
            if part != 0.0 {
                self.nets.add(net, chance * part, if split { chance * part } else { 0.0 });
            }
        };
        for a in all() {
            match bets {
                1 => add(first[a], two[a].iter().sum()),
                2 => all().for_each(|b| add(first[a] + later[b], two[a][b])),
                _ => all().for_each(|b| {
                    all().for_each(|c| add(first[a] + later[b] + later[c], three[a][b][c]));
                }),
            }
        }
    }
}

/// Returns the sums over the rounds with one upcard, or `None` if a pair is split into more than two hands.
fn against(
    judge: &Table<'_>,
    solved: &OneCard<'_, '_, '_>,
    u: Upcard,
    (bets, nets): (usize, Nets),
) -> Option<Sums> {
    let (solver, up) = (solved.solver, u.rank());
    let dealers = Dealers::new(judge, up);
    let mut sums = Sums::default();
    let mut shoe = solver.shoe;
    let shown = f64::from(shoe[up]) / shoe.iter().copied().map(f64::from).sum::<f64>();
    shoe[up] -= 1;
    let orders = crate::one_order::OneOrder::<f64>::new(&shoe);
    let dealt = Endings::new(judge, Origin::Dealt).dealt(solved, u);
    let mut hands = Hands::new();
    for ((cards, class), ways) in &dealt.ends {
        match dealt.classes[*class].constant() {
            Some(net) => sums.add_constant((net, shown * ways * orders.chance(cards)), bets),
            None => hands.entry(*cards).or_default().push((*class, *ways)),
        }
    }
    let two = dealers.two(&shoe, &hands, dealt.classes.len());
    let thirds = bets > 2 && nets == Nets::Wanted;
    let three = if thirds { dealers.three(&shoe, &hands, &two) } else { vec![NOTHING; two.len()] };
    for (class, of_class) in dealt.classes.iter().zip(two.iter().zip(&three)) {
        sums.add(&class.nets, of_class, (shown, false), bets);
    }
    let states = seen_states(judge.seen());
    for deal in solver.deals() {
        let cards = solver.hand(deal.hand).cards;
        let chance = deal.chance * solver.state_chances(&cards, &states)[u];
        if chance > 0.0 && solved.first[deal.hand as usize].action[u] == Action::Split {
            let plan = solved.splits.plans.iter().find(|plan| pair_of(plan.rank) == cards)?;
            if plan.most_against(u) > 2 {
                return None;
            }
            split(judge, solved, (plan, &dealers, u), |nets, two| {
                let three = if thirds { superposed(two) } else { NOTHING };
                sums.add(nets, (two, &three), (chance, true), bets);
            });
        }
    }
    Some(sums)
}

const NOTHING: Three = [[[0.0; RESULTS]; RESULTS]; RESULTS];

/// Visits every combination of two classes in which the two hands of a split can end.
///
/// `visit` gets the nets of both hands together and the probabilities of the results of two dealer hands.
fn split(
    judge: &Table<'_>,
    solved: &OneCard<'_, '_, '_>,
    (plan, dealers, u): (&Plan<RANKS>, &Dealers, Upcard),
    mut visit: impl FnMut(&BoxNets, &Two),
) {
    let gone = |r: Rank| u16::from(pair_of(plan.rank)[r]) + u16::from(r == u.rank());
    let shoe: Shoe = by_rank(|r| solved.solver.shoe[r].saturating_sub(gone(r)));
    let ended = split_endings(judge, solved, plan, u);
    let many = ended.classes.len();
    // hands that go over 21 with a single bet are the complement of the others
    let listed: Vec<(&Counts, usize, f64)> = ended
        .ends
        .iter()
        .filter(|((_, class), _)| Some(*class) != ended.bust)
        .map(|((cards, class), ways)| (cards, *class, *ways))
        .collect();
    let mut one = Hands::new();
    let mut both: Vec<(Counts, usize, f64)> = Vec::with_capacity(listed.len() * listed.len());
    for &(cards, class, ways) in &listed {
        one.entry(*cards).or_default().push((class, ways));
        let pairs = listed.iter().map(|&(c, k, more)| (together(cards, c), class * many + k, ways * more));
        both.extend(pairs);
    }
    both.sort_unstable_by_key(|end| (end.0, end.1));
    let mut two = Hands::new();
    for alike in both.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let ways = alike.iter().map(|end| end.2).sum();
        two.entry(alike[0].0).or_default().push((alike[0].1, ways));
    }
    let alone = dealers.two(&shoe, &Hands::from([([0; RANKS], vec![(0, 1.0)])]), 1).swap_remove(0);
    let one = dealers.two(&shoe, &one, many);
    let mut two = dealers.two(&shoe, &two, many * many);
    if let Some(bust) = ended.bust {
        let less = |from: &mut Two, other: &Two| {
            let cells = from.as_flattened_mut().iter_mut().zip(other.as_flattened());
            cells.for_each(|(x, y)| *x -= y);
        };
        let others = || (0..many).filter(|class| *class != bust);
        let mut none = alone;
        for class in others() {
            let mut with_bust = one[class];
            others().for_each(|other| less(&mut with_bust, &two[class * many + other]));
            two[class * many + bust] = with_bust;
            two[bust * many + class] = with_bust;
            less(&mut none, &one[class]);
            less(&mut none, &with_bust);
        }
        two[bust * many + bust] = none;
    }
    for (at, table) in two.iter().enumerate() {
        visit(&both_nets(judge, &ended.classes[at / many], &ended.classes[at % many]), table);
    }
}

/// Returns the total net of the two hands of a split, of which `first` is played first.
fn both_nets(judge: &Table<'_>, first: &Class, second: &Class) -> BoxNets {
    let (n, d) = judge.original();
    let original = n as f64 / d.max(1) as f64;
    std::array::from_fn(|at| {
        let mut nets: [f64; RESULTS] = std::array::from_fn(|o| first.nets[at][o] + second.nets[at][o]);
        let owes = [first.owes[at], second.owes[at]];
        let spared = owes.contains(&OriginalBet::Collected) || owes[0] == OriginalBet::CollectedFirst;
        if owes.contains(&OriginalBet::Answers) && !spared {
            nets[BLACKJACK] -= original;
        }
        nets
    })
}

/// Returns approximate probabilities of the results of three dealer hands, from those of every two.
///
/// They are the product of the probabilities of every two hands (Kirkwood superposition), scaled until every two hands
/// have their exact probabilities again. So expected values and squares stay exact.
fn superposed(two: &Two) -> Three {
    let one: [f64; RESULTS] = std::array::from_fn(|a| two[a].iter().sum());
    let ratio = |x: f64, y: f64| if y > 0.0 { x / y } else { 0.0 };
    let mut found = NOTHING;
    for (a, b, c) in triples() {
        found[a][b][c] = ratio(two[a][b] * two[a][c] * two[b][c], one[a] * one[b] * one[c]);
    }
    for _ in 0..SCALINGS {
        for pair in [[0, 1], [0, 2], [1, 2]] {
            let place = |(a, b, c): (usize, usize, usize)| pair.map(|at| [a, b, c][at]);
            let mut sums = [[0.0; RESULTS]; RESULTS];
            triples().for_each(|at| {
                let [x, y] = place(at);
                sums[x][y] += found[at.0][at.1][at.2];
            });
            for at in triples() {
                let [x, y] = place(at);
                found[at.0][at.1][at.2] *= ratio(two[x][y], sums[x][y]);
            }
        }
    }
    found
}

/// The number of scalings after which the probabilities of every two hands are exact in double precision.
const SCALINGS: usize = 12;

fn triples() -> impl Iterator<Item = (usize, usize, usize)> {
    let all = || DealerResult::ALL.into_iter().map(DealerResult::index);
    all().flat_map(move |a| all().flat_map(move |b| all().map(move |c| (a, b, c))))
}

#[cfg(test)]
mod tests;
