//! Runs the same algorithm in exact fractions, and checks that `f64` is right to twelve places.

use crate::dealer::DealerTree;
use crate::game::{Strategy, value_at, value_in};
use crate::judge::{Judge, Measure};
use crate::num::Real;
use crate::play::AfterSplit;
use crate::result::At22;
use crate::round::Solved;
use crate::seen::Seen;
use crate::solve::Solver;
use crate::spread::once_split;
use crate::table::{Attacked, Table};
use crate::tests::plain::Plain;
use crate::vocabulary::Upcard;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rules::Offered;
use rules::preset::{PRESETS, preset};
use std::ops::{Add, Div, Mul, Sub};

#[derive(Clone, PartialEq, PartialOrd)]
struct Fraction(BigRational);

macro_rules! operation {
    ($name:ident, $method:ident) => {
        impl $name for Fraction {
            type Output = Fraction;
            fn $method(self, other: Fraction) -> Fraction {
                Fraction(self.0.$method(other.0))
            }
        }
    };
}
operation!(Add, add);
operation!(Sub, sub);
operation!(Mul, mul);
operation!(Div, div);

impl Real for Fraction {
    fn int(n: i64) -> Self {
        Fraction(BigRational::from_integer(BigInt::from(n)))
    }

    fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }
}

/// Compares every hand that contains the cards of `root`, against every upcard, in both arithmetics.
fn agree(judge: &Plain, shoe: [u16; 10], root: [u8; 10]) {
    let quick_dealer = DealerTree::<f64, 10>::new(Seen::UpCard, At22::Apart, |c| judge.dealer_stands(c));
    let exact_dealer = DealerTree::<Fraction, 10>::new(Seen::UpCard, At22::Apart, |c| judge.dealer_stands(c));
    let quick_solver = Solver::new(judge, &quick_dealer, shoe, &root);
    let exact_solver = Solver::new(judge, &exact_dealer, shoe, &root);
    let quick = Solved::best(&quick_solver, &quick_dealer, AfterSplit::AsDealt);
    let exact = Solved::best(&exact_solver, &exact_dealer, AfterSplit::AsDealt);
    for i in 0..quick_solver.hands.list.len() {
        for up in Upcard::all::<10>() {
            let (quick, exact) = (quick.base.best[i][up], exact.base.best[i][up].to_f64());
            assert!((quick - exact).abs() < 1e-12, "{:?} v {up:?}", quick_solver.hands.list[i].cards);
        }
    }
    for ((rank, quick), (_, exact)) in quick.split_values.iter().zip(&exact.split_values) {
        for up in Upcard::all::<10>() {
            assert!((quick[up] - exact[up].to_f64()).abs() < 1e-12, "pair of {rank:?} v {up:?}");
        }
    }
    if root == [0; 10] {
        let quick_products = once_split(&quick, &quick_dealer, |_| true);
        for ((rank, quick), (_, exact)) in
            quick_products.iter().zip(once_split(&exact, &exact_dealer, |_| true))
        {
            for up in Upcard::all::<10>() {
                assert!((quick[up] - exact[up].to_f64()).abs() < 1e-12, "products of {rank:?} v {up:?}");
            }
        }
        assert!(!quick_products.is_empty());
        let sum = |row: [f64; 10]| row.iter().sum::<f64>();
        let exact = exact.round(Measure::Net).map(|x| x.to_f64());
        assert!((sum(quick.round(Measure::Net)) - sum(exact)).abs() < 1e-12);
    }
}

const ONE_DECK: [u16; 10] = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16];

#[test]
fn one_deck_pairs_with_resplits() {
    for (rank, peek) in [(0, true), (7, false), (9, false)] {
        let mut root = [0; 10];
        root[rank] = 1;
        // There are many hands with an ace; those that also contain a six show the same with fewer.
        if rank == 0 {
            root[5] = 1;
        }
        agree(&Plain { peek, hands: 4, ..Plain::default() }, ONE_DECK, root);
    }
}

/// Compares whole rounds of every game under the rulebook, from a shoe of few values.
#[test]
fn every_game_from_a_thin_deck() {
    for (name, _) in PRESETS {
        let mut choices = preset(name).unwrap();
        let blackjack = choices.text.game == "blackjack";
        choices.surrender = if blackjack { Offered::Yes } else { choices.surrender };
        let shoe = match choices.text.game {
            // The two hands of Switch give many combinations in fractions, so this shoe has fewer cards.
            "switch" => [3, 0, 0, 0, 0, 4, 0, 3, 0, 7],
            _ => [3, 0, 0, 2, 0, 3, 0, 4, 0, 6],
        };
        let others = [Strategy::AfterPairsSeen, Strategy::TotalDependent];
        let others = others.into_iter().filter(|_| name == "nj-blackjack");
        for strategy in std::iter::once(Strategy::CompositionDependent).chain(others) {
            let table = Table::new(&choices, Attacked::No).with_shoe(shoe);
            let (quick, exact) =
                (value_at(&table, &strategy), value_in::<Fraction>(&table, &strategy).to_f64());
            assert!(quick != 0.0 && (quick - exact).abs() < 1e-12, "{name} {strategy:?}: {quick} {exact}");
        }
    }
}

#[test]
fn a_whole_game_from_a_thin_deck() {
    let judge =
        Plain { peek: false, hands: 3, ace_hands: 3, busted_too: true, surrender: true, ..Plain::default() };
    agree(&judge, [3, 0, 0, 4, 0, 4, 0, 4, 0, 8], [0; 10]);
}
