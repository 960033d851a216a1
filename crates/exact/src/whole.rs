//! A whole round of each game under a strategy: one hand, two hands that may switch cards, attack bets.

use crate::cards::{plus, shoe_size, two_cards};
use crate::figures::{Figures, MEASURES, SplitCovariance, of_measures};
use crate::given::Followed;
use crate::judge::Measure;
use crate::num::{Real, inverse};
use crate::play::PlayChoice;
use crate::round::{Solved, by_first_card};
use crate::seen::{Row, sum};
use crate::solve::Solver;
use crate::spread::split_hands_together;
use crate::switch::{Switch, twos};
use crate::table::{Attacked, Table};
use crate::threads::threads;
use crate::vocabulary::{ACE, RANKS, Rank, Upcard, by_rank, by_up};

/// A round of a table, with the strategy to evaluate.
pub(crate) struct Round<'a> {
    pub table: &'a Table<'a>,
    pub play_choice: PlayChoice<'a>,
    pub followed: Option<&'a Followed<'a>>,
}

/// The values of the measures of a round with attack bets.
pub(crate) struct Attacks<R> {
    pub values: Vec<R>,
    shares: Vec<(&'static str, f64)>,
    together: SplitCovariance,
    insured: R,
}

impl<R: Real> Attacks<R> {
    /// Returns the expected net of a round, including insurance. The first measure must be the net.
    pub fn net(mut self) -> R {
        self.values.swap_remove(0) + self.insured
    }
}

impl Attacks<f64> {
    /// Returns the values of the round's first two measures.
    pub fn two(&self) -> (f64, f64) {
        (self.values[0], self.values[1])
    }

    pub fn figures(self) -> (Figures, f64) {
        (of_measures(&self.values, self.together, self.shares), self.insured)
    }
}

impl Round<'_> {
    /// Returns the expected net of insurance per round, in units of one bet.
    pub fn insurance<R: Real>(&self) -> R {
        let shoe = self.table.shoe();
        let aces = R::ratio(i64::from(shoe[ACE]), shoe_size(&shoe));
        self.followed.map_or_else(R::zero, |f| aces * f.insurance(0, &plus([0; RANKS], ACE)))
    }

    /// Solves Switch under the strategy of the round.
    pub fn switch<R: Real>(&self) -> Switch<R> {
        self.switch_with(|_| ()).0
    }

    /// Solves Switch under the strategy of the round, and calls `visit` once per other hand.
    ///
    /// `visit` gets the solved shoe beside that hand. The second result has what `visit` returned, by the other
    /// hand's index.
    pub fn switch_with<R: Real, W: Send>(
        &self,
        visit: impl Fn(&Solved<'_, '_, Table, R, RANKS>) -> W + Sync,
    ) -> (Switch<R>, Vec<Option<W>>) {
        let dealer = self.table.dealer::<R, RANKS>();
        let hands = (&twos()[..], &[0; RANKS]);
        let how = (hands, (self.play_choice, threads()));
        let (switch, found) = Switch::solve_with(self.table, &dealer, &self.table.shoe(), how, visit);
        match self.followed {
            Some(followed) => {
                (switch.by_charted_values(|cards, u| followed.two_card_values(cards, u)), found)
            }
            None => (switch, found),
        }
    }

    pub fn one_hand<R: Real, const U: usize>(&self) -> R {
        let dealer = self.table.dealer::<R, U>();
        let solver = Solver::new(self.table, &dealer, self.table.shoe(), &[0; RANKS]);
        sum(&Solved::by(&solver, &dealer, self.play_choice).round(Measure::Net))
    }

    /// Returns the expected net of a round, and the expected sum of the squares of its hands' nets.
    pub fn one_hand_squared<const U: usize>(&self) -> (f64, f64) {
        let dealer = self.table.dealer::<f64, U>();
        let solver = Solver::new(self.table, &dealer, self.table.shoe(), &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, self.play_choice);
        (sum(&solved.round(Measure::Net)), sum(&solved.round(Measure::Squared)))
    }

    pub fn one_hand_figures<const U: usize>(&self) -> Figures {
        let dealer = self.table.dealer::<f64, U>();
        let solver = Solver::new(self.table, &dealer, self.table.shoe(), &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, self.play_choice);
        let values: Vec<f64> = MEASURES.iter().map(|&m| sum(&solved.round(m))).collect();
        let together = SplitCovariance::timed(|| {
            split_hands_together(&solved, &dealer, |_| true).iter().map(|(_, row)| sum(row)).sum()
        });
        of_measures(&values, together, vec![("split", solved.split_share())])
    }

    /// Solves Double Attack (26.7(d)): the player may double the bet after seeing the upcard.
    pub fn double_attack<R: Real>(&self, measures: &[Measure]) -> Attacks<R> {
        let table = self.table;
        let attacked = Table::new(table.choices(), Attacked::Yes).with_shoe(table.shoe());
        let dealer = table.dealer::<R, RANKS>();
        let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, self.play_choice);
        let doubled = solver.judged_by(&attacked);
        let again = if self.followed.is_some() { None } else { solved.under_judge(&doubled) };
        let again = again.unwrap_or_else(|| Solved::by(&doubled, &dealer, self.play_choice));
        let (once, twice) = (solved.round(Measure::Net), again.round(Measure::Net));
        let attacks: [bool; RANKS] = by_up(|u| self.followed.map_or(twice[u] > once[u], |f| f.attacks(u)));
        let pick = |once: &Row<R, RANKS>, twice: &Row<R, RANKS>| {
            Rank::ALL
                .into_iter()
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
        let attacking: i64 =
            Upcard::all::<RANKS>().filter(|&u| attacks[u]).map(|u| i64::from(shoe[u.rank()])).sum();
        let together = || {
            let once = split_hands_together(&solved, &dealer, |u| !attacks[u]);
            let twice = split_hands_together(&again, &dealer, |u| attacks[u]);
            once.iter().chain(&twice).map(|(_, row)| sum(row).to_f64()).sum()
        };
        let together =
            if measures.len() > 2 { SplitCovariance::timed(together) } else { SplitCovariance::default() };
        let cards = shoe_size(&shoe);
        let insurance = |f: &Followed| -> R {
            f.insurance(usize::from(attacks[Upcard::card(ACE)]), &plus([0; RANKS], ACE))
        };
        let aces = R::ratio(i64::from(shoe[ACE]), cards);
        Attacks {
            values,
            shares: vec![("attacked", attacking as f64 / cards as f64)],
            together,
            insured: self.followed.map_or_else(R::zero, |f| aces * insurance(f)),
        }
    }

    /// Solves Triple Attack (36.7(d.2), (e)), in which the player may add two equal bets.
    ///
    /// The player decides the first of them after seeing their own first card, and the second after seeing the
    /// upcard. All attack bets win or lose together, so each is made where one bet has a positive value.
    pub fn triple_attack<R: Real>(&self, measures: &[Measure]) -> Attacks<R> {
        let table = self.table;
        let dealer = table.dealer::<R, RANKS>();
        let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
        let solved = Solved::by(&solver, &dealer, self.play_choice);
        let net = by_first_card(&solved, &solved.rounds(Measure::Net));
        let made = |first: Rank, u: Upcard| match self.followed {
            Some(followed) => followed.further_attacks(first, u),
            None => [sum(&net[first]) > R::zero(), net[first][u] > R::zero()],
        };
        let wagers: [[[bool; 2]; RANKS]; RANKS] = by_rank(|first| by_up(|u| made(first, u)));
        let count = |first: Rank, u: Upcard| 1 + wagers[first][u].iter().filter(|&&made| made).count() as i64;
        let weigh = |m: Measure, rows: &[Row<R, RANKS>; RANKS]| {
            let mut total = R::zero();
            for (first, row) in Rank::ALL.into_iter().zip(rows) {
                for (u, value) in Upcard::all::<RANKS>().zip(row) {
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
        let (mut seconds, mut thirds, mut insured) = (0.0, 0.0, R::zero());
        for first in Rank::ALL {
            for u in Upcard::all::<RANKS>() {
                let up = u.rank();
                let left = i64::from(shoe[up]) - i64::from(first == up);
                let orders = i64::from(shoe[first]) * left;
                let chance = orders as f64 * per;
                let [second, third] = wagers[first][u];
                seconds += if second { chance } else { 0.0 };
                thirds += if third { chance } else { 0.0 };
                if let (ACE, Some(followed)) = (up, self.followed) {
                    let attacks = count(first, u) as usize - 1;
                    let chance = R::int(orders) * (inverse::<R>(cards) * inverse(cards - 1));
                    let gone = two_cards([first, ACE]);
                    insured = insured + chance * followed.insurance(attacks, &gone);
                }
            }
        }
        let together = || {
            let wagers = |rank: Rank, u: Upcard| (count(rank, u) * count(rank, u)) as f64;
            let of_pair = |(rank, row): &(Rank, Row<R, RANKS>)| -> f64 {
                Upcard::all::<RANKS>().map(|u| wagers(*rank, u) * row[u].to_f64()).sum()
            };
            split_hands_together(&solved, &dealer, |_| true).iter().map(of_pair).sum()
        };
        let together =
            if measures.len() > 2 { SplitCovariance::timed(together) } else { SplitCovariance::default() };
        Attacks {
            values,
            shares: vec![("second attack", seconds), ("third attack", thirds)],
            together,
            insured,
        }
    }
}
