//! The games whole: from a table's choices to the value of a round, its spread and its frequencies.

use crate::cards::{ACE, RANKS, plus, shoe_size};
use crate::dealer::{Seen, seen_states};
use crate::given::{Followed, Given};
use crate::judge::{Judge, Measure};
use crate::num::{Real, inverse};
use crate::offers::whole_chart;
use crate::play::Way;
use crate::round::Solved;
use crate::solve::Solver;
use crate::split::AfterSplit;
use crate::spread::split_hands_together;
use crate::switch::{Switch, twos};
use crate::table::{Attacked, Table};
use crate::turn::Row;
use program::Chart;
use rules::{Choices, Game};
use std::time::{Duration, Instant};

/// Which play is valued.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Strategy {
    /// The best action for the exact cards of the hand; split hands are played as if they had been dealt (CDZ-).
    #[default]
    CompositionDependent,
    /// The same, but split hands are played best for one split, whatever follows (CDP1).
    AfterFirstSplit,
    /// The same, but split hands are played best for the number of pair cards seen (CDP).
    AfterPairsSeen,
    /// The best action for the total and softness of the hand alone.
    TotalDependent,
    /// A given chart.
    Given(Box<Given>),
}

impl Strategy {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::CompositionDependent => "composition-dependent",
            Strategy::AfterFirstSplit => "composition-dependent, best after the first split",
            Strategy::AfterPairsSeen => "composition-dependent, best for the pair cards seen",
            Strategy::TotalDependent => "total-dependent",
            Strategy::Given(_) => "given",
        }
    }

    /// The chart that it goes by, if it goes by one.
    pub(crate) fn chart(&self, table: &Table<'_>) -> Option<Chart> {
        match self {
            Strategy::TotalDependent => Some(whole_chart(table)),
            Strategy::Given(given) => Some(given.chart().clone()),
            _ => None,
        }
    }

    pub(crate) fn after_split(&self) -> AfterSplit {
        match self {
            Strategy::AfterFirstSplit => AfterSplit::FirstSplit,
            Strategy::AfterPairsSeen => AfterSplit::PairsSeen,
            _ => AfterSplit::AsDealt,
        }
    }
}

/// What a round comes to, in units of one initial required wager.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Expected net.
    pub ev: f64,
    /// Variance of the net.
    pub variance: f64,
    /// Expected amount staked.
    pub staked: f64,
    /// Hands of a round: how many are expected to end in each way.
    pub outcomes: Vec<(&'static str, f64)>,
    /// Shares of rounds in which an option of the game is taken.
    pub shares: Vec<(&'static str, f64)>,
    /// What insurance adds to the expected net, where a chart takes it; the other figures leave it out.
    pub insured: f64,
    /// How long the products of split hands took, which only the variance needs.
    pub spread_took: Duration,
}

/// What the hands of splits add to the square of a round by ending together, and how long it took to find out.
#[derive(Clone, Copy, Default)]
pub(crate) struct Together {
    square: f64,
    took: Duration,
}

impl Together {
    fn timed(square: impl FnOnce() -> f64) -> Together {
        let begun = Instant::now();
        Together { square: square(), took: begun.elapsed() }
    }
}

/// The expected net of a round alone, in units of the initial required wagers.
pub fn value(choices: &Choices, strategy: &Strategy) -> f64 {
    value_in::<f64>(choices, strategy)
}

/// The same in any arithmetic.
pub fn value_in<R: Real>(choices: &Choices, strategy: &Strategy) -> R {
    value_at(&Table::new(choices, Attacked::No), strategy)
}

/// The same for a table from whatever shoe it is dealt.
pub fn value_at<R: Real>(table: &Table<'_>, strategy: &Strategy) -> R {
    let chart = strategy.chart(table);
    let followed = chart.as_ref().map(|chart| Followed::new(table, chart));
    let round = Round { table, way: way(strategy, followed.as_ref()), followed: followed.as_ref() };
    let (main, insured): (R, f64) = match (table.choices().game, table.seen()) {
        (Game::Switch, _) => (round.switch::<R>().value().0 / R::int(2), round.insurance()),
        (Game::Blackjack, Seen::UpCard) => (round.one_hand::<R, RANKS>(), round.insurance()),
        (Game::Blackjack, _) => (round.one_hand::<R, 55>(), 0.0),
        (Game::DoubleAttack, _) => {
            let mut whole = round.double_attack(&[Measure::Net]);
            (whole.values.remove(0), whole.insured)
        }
        (Game::TripleAttack, _) => {
            let mut whole = round.triple_attack(&[Measure::Net]);
            (whole.values.remove(0), whole.insured)
        }
    };
    // Only charts insure, and what insurance is worth is no matter of arithmetic.
    if insured == 0.0 { main } else { main + R::ratio((insured * 1e15) as i64, 1_000_000_000_000_000) }
}

/// How many threads a whole game is solved on.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(8)
}

pub(crate) fn way<'a>(strategy: &Strategy, followed: Option<&'a Followed<'a>>) -> Way<'a> {
    followed.map_or(Way::Best(strategy.after_split()), |f| Way::Given(f))
}

pub(crate) fn sum<R: Real, const U: usize>(row: &Row<R, U>) -> R {
    row.iter().fold(R::zero(), |sum, x| sum + x.clone())
}

/// What a round is measured by, its net first.
pub(crate) const MEASURES: [Measure; 8] = [
    Measure::Net,
    Measure::Staked,
    Measure::Squared,
    Measure::Won,
    Measure::Pushed,
    Measure::Lost,
    Measure::Busted,
    Measure::Surrendered,
];

/// All figures of a table.
pub fn figures(choices: &Choices, strategy: &Strategy) -> Figures {
    let table = Table::new(choices, Attacked::No);
    let chart = strategy.chart(&table);
    let followed = chart.as_ref().map(|chart| Followed::new(&table, chart));
    let round = Round { table: &table, way: way(strategy, followed.as_ref()), followed: followed.as_ref() };
    let (mut figures, insured) = match (choices.game, table.seen()) {
        (Game::Switch, _) => (crate::switch_figures::figures(&round), round.insurance()),
        (Game::Blackjack, Seen::UpCard) => (round.one_hand_figures::<RANKS>(), round.insurance()),
        (Game::Blackjack, _) => (round.one_hand_figures::<55>(), 0.0),
        (Game::DoubleAttack, _) => round.double_attack(&MEASURES).figures(),
        (Game::TripleAttack, _) => round.triple_attack(&MEASURES).figures(),
    };
    figures.ev += insured;
    figures.insured = insured;
    figures
}

pub(crate) fn of_measures(values: &[f64], together: Together, shares: Vec<(&'static str, f64)>) -> Figures {
    let [ev, staked, squared, won, pushed, lost, busted, surrendered] = values else {
        return Figures::default();
    };
    Figures {
        ev: *ev,
        variance: squared + together.square - ev * ev,
        staked: *staked,
        outcomes: vec![
            ("won", *won),
            ("pushed", *pushed),
            ("lost", *lost),
            ("busted", *busted),
            ("surrendered", *surrendered),
        ],
        shares,
        insured: 0.0,
        spread_took: together.took,
    }
}

/// A round of a table under a play.
pub(crate) struct Round<'a> {
    pub table: &'a Table<'a>,
    pub way: Way<'a>,
    pub followed: Option<&'a Followed<'a>>,
}

/// A round with attack wagers.
pub(crate) struct Attacks<R> {
    pub values: Vec<R>,
    shares: Vec<(&'static str, f64)>,
    together: Together,
    insured: f64,
}

impl Attacks<f64> {
    fn figures(self) -> (Figures, f64) {
        (of_measures(&self.values, self.together, self.shares), self.insured)
    }
}

impl Round<'_> {
    /// What insurance adds to a round of one wager.
    fn insurance(&self) -> f64 {
        let shoe = self.table.shoe();
        let aces = f64::from(shoe[ACE]) / shoe_size(&shoe) as f64;
        self.followed.map_or(0.0, |f| aces * f.insurance(0, &plus([0; RANKS], ACE)))
    }

    /// Switch solved.
    pub fn switch<R: Real>(&self) -> Switch<R> {
        self.switch_watched(|_| ()).0
    }

    /// The same, with what `watch` finds beside each two cards of the other hand.
    pub fn switch_watched<R: Real, W: Send>(
        &self,
        watch: impl Fn(&Solved<'_, '_, Table, R, RANKS>) -> W + Sync,
    ) -> (Switch<R>, Vec<Option<W>>) {
        let dealer = self.table.dealer::<R, RANKS>();
        let hands = (&twos()[..], &[0; RANKS]);
        let how = (hands, (self.way, threads()));
        let (switch, found) = Switch::watched(self.table, &dealer, &self.table.shoe(), how, watch);
        match self.followed {
            Some(followed) => (switch.by_worth(|cards, u| followed.worth(cards, u)), found),
            None => (switch, found),
        }
    }

    fn one_hand<R: Real, const U: usize>(&self) -> R {
        let dealer = self.table.dealer::<R, U>();
        let solver = Solver::new(self.table, &dealer, self.table.shoe(), &[0; RANKS]);
        sum(&Solved::by(&solver, &dealer, self.way).round(Measure::Net))
    }

    fn one_hand_figures<const U: usize>(&self) -> Figures {
        let dealer = self.table.dealer::<f64, U>();
        let solver = Solver::new(self.table, &dealer, self.table.shoe(), &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, self.way);
        let values: Vec<f64> = MEASURES.iter().map(|&m| sum(&solved.round(m))).collect();
        let together = Together::timed(|| {
            split_hands_together(&solved, &dealer, |_| true).iter().map(|(_, row)| sum(row)).sum()
        });
        of_measures(&values, together, vec![("split", solved.split_share())])
    }

    /// Double Attack: with the up card in sight the player puts up as much again, or does not (26.7(d)).
    fn double_attack<R: Real>(&self, measures: &[Measure]) -> Attacks<R> {
        let table = self.table;
        let attacked = Table::new(table.choices(), Attacked::Yes).with_shoe(table.shoe());
        let dealer = table.dealer::<R, RANKS>();
        let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, self.way);
        let doubled = solver.judged_by(&attacked);
        let again = if self.followed.is_some() { None } else { solved.again(&doubled) };
        let again = again.unwrap_or_else(|| Solved::by(&doubled, &dealer, self.way));
        let (once, twice) = (solved.round(Measure::Net), again.round(Measure::Net));
        let attacks: [bool; RANKS] =
            std::array::from_fn(|u| self.followed.map_or(twice[u] > once[u], |f| f.attacks(u)));
        let pick = |once: &Row<R, RANKS>, twice: &Row<R, RANKS>| {
            (0..RANKS)
                .fold(R::zero(), |sum, u| sum + if attacks[u] { twice[u].clone() } else { once[u].clone() })
        };
        let values = measures
            .iter()
            .map(|&m| match m {
                Measure::Net => pick(&once, &twice),
                _ => pick(&solved.round(m), &again.round(m)),
            })
            .collect();
        let shoe = table.shoe();
        let attacking: i64 = (0..RANKS).filter(|&u| attacks[u]).map(|u| i64::from(shoe[u])).sum();
        let together = || {
            let once = split_hands_together(&solved, &dealer, |u| !attacks[u]);
            let twice = split_hands_together(&again, &dealer, |u| attacks[u]);
            once.iter().chain(&twice).map(|(_, row)| sum(row).to_f64()).sum()
        };
        let together = if measures.len() > 1 { Together::timed(together) } else { Together::default() };
        let cards = shoe_size(&shoe) as f64;
        let insurance = |f: &Followed| f.insurance(usize::from(attacks[ACE]), &plus([0; RANKS], ACE));
        Attacks {
            values,
            shares: vec![("attacked", attacking as f64 / cards)],
            together,
            insured: self.followed.map_or(0.0, |f| f64::from(shoe[ACE]) / cards * insurance(f)),
        }
    }

    /// Triple Attack: as much again on the own first card, and once more with the up card in sight (36.7(d.2), (e)).
    ///
    /// All attack wagers stand and fall together, so each is placed where one wager has a positive value.
    fn triple_attack<R: Real>(&self, measures: &[Measure]) -> Attacks<R> {
        let table = self.table;
        let dealer = table.dealer::<R, RANKS>();
        let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, self.way);
        let net = by_first_card(&solved, &solved.rounds(Measure::Net));
        let made = |first: usize, u: usize| match self.followed {
            Some(followed) => followed.further_attacks(first, u),
            None => [sum(&net[first]) > R::zero(), net[first][u] > R::zero()],
        };
        let wagers: [[[bool; 2]; RANKS]; RANKS] =
            std::array::from_fn(|first| std::array::from_fn(|u| made(first, u)));
        let count = |first: usize, u: usize| 1 + wagers[first][u].iter().filter(|&&made| made).count() as i64;
        let weigh = |m: Measure, rows: &[Row<R, RANKS>; RANKS]| {
            let mut total = R::zero();
            for (first, row) in rows.iter().enumerate() {
                for (u, value) in row.iter().enumerate() {
                    let n = count(first, u);
                    let scale = match m {
                        Measure::Net | Measure::Staked => n,
                        Measure::Squared => n * n,
                        _ => 1,
                    };
                    total = total + R::int(scale) * value.clone();
                }
            }
            total
        };
        let values = measures
            .iter()
            .map(|&m| match m {
                Measure::Net => weigh(m, &net),
                _ => weigh(m, &by_first_card(&solved, &solved.rounds(m))),
            })
            .collect();
        let shoe = table.shoe();
        let cards = shoe_size(&shoe);
        let per: f64 = inverse::<f64>(cards) * inverse::<f64>(cards - 1);
        let (mut seconds, mut thirds, mut insured) = (0.0, 0.0, 0.0);
        for first in 0..RANKS {
            for u in 0..RANKS {
                let left = i64::from(shoe[u]) - i64::from(first == u);
                let chance = (i64::from(shoe[first]) * left) as f64 * per;
                let [second, third] = wagers[first][u];
                seconds += if second { chance } else { 0.0 };
                thirds += if third { chance } else { 0.0 };
                if let (ACE, Some(followed)) = (u, self.followed) {
                    let attacks = count(first, u) as usize - 1;
                    insured += chance * followed.insurance(attacks, &plus(plus([0; RANKS], first), ACE));
                }
            }
        }
        let together = || {
            let wagers = |rank: usize, u: usize| (count(rank, u) * count(rank, u)) as f64;
            let of_pair = |(rank, row): &(usize, Row<R, RANKS>)| -> f64 {
                (0..RANKS).map(|u| wagers(*rank, u) * row[u].to_f64()).sum()
            };
            split_hands_together(&solved, &dealer, |_| true).iter().map(of_pair).sum()
        };
        let together = if measures.len() > 1 { Together::timed(together) } else { Together::default() };
        Attacks {
            values,
            shares: vec![("second attack", seconds), ("third attack", thirds)],
            together,
            insured,
        }
    }
}

/// The values of one wager in Triple Attack by the player's first card and the up card, chances included.
pub(crate) fn by_first_card<J: Judge, R: Real>(
    solved: &Solved<'_, '_, J, R, RANKS>,
    rounds: &[(u32, Row<R, RANKS>)],
) -> [Row<R, RANKS>; RANKS] {
    let mut out: [Row<R, RANKS>; RANKS] = std::array::from_fn(|_| std::array::from_fn(|_| R::zero()));
    for (hand, values) in rounds {
        let cards = &solved.solver.hand(*hand).cards;
        for first in 0..RANKS {
            // Two different cards are as likely in either order.
            let part = R::ratio(i64::from(cards[first]), 2);
            for u in 0..RANKS {
                out[first][u] = out[first][u].clone() + part.clone() * values[u].clone();
            }
        }
    }
    out
}

/// The visible states of a table, for labels.
pub fn states(table: &Table<'_>) -> Vec<crate::cards::Counts> {
    seen_states(table.seen())
}
