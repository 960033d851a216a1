//! The spread of results where several hands end together.
//!
//! Expected values add up over the hands of a split, or the two hands of Switch; squares do not. The square of a round is
//! that of each hand and the products of every two (`two_hands`), exactly for the hands of a split. For the two hands
//! of Switch a product is worked out for each result of the dealer as if the hands were then independent; what that leaves
//! out are the cards that one hand takes from the other.

use crate::cards::{ACE, RANKS, TEN, shoe_size};
use crate::dealer::{BLACKJACK, DealerTree, RESULTS, seen_states};
use crate::game::{Figures, MEASURES, Round, threads};
use crate::joint::escape;
use crate::judge::{Blackjack, Judge, Measure, Origin};
use crate::num::Real;
use crate::round::Solved;
use crate::solve::Solver;
use crate::split::{Plan, pair_of};
use crate::switch::{each_in_turn, two, twos};
use crate::turn::{Action, Row};
use crate::two_hands::products;

/// What the hands of splits add to the expected square of a round beside the squares of each hand: by the value of the
/// pair and the visible state, of those that are `wanted`.
pub fn split_hands_together<J: Judge + Sync, R: Real, const U: usize>(
    solved: &Solved<'_, '_, J, R, U>,
    dealer: &DealerTree<R, U>,
    wanted: impl Fn(usize) -> bool + Sync,
) -> Vec<(usize, Row<R, U>)> {
    let solver = solved.solver;
    let states = seen_states(solver.judge.seen());
    let dealt = |(rank, row): (usize, Row<R, U>)| {
        let pair = solver.hands.find(&pair_of(rank));
        let deal = solver.deals().into_iter().find(|d| Some(d.hand) == pair);
        let chance = deal.map_or_else(R::zero, |d| d.chance);
        let chances = solver.state_chances(&pair_of(rank), &states);
        (rank, std::array::from_fn(|u| chance.clone() * chances[u].clone() * row[u].clone()))
    };
    once_split(solved, dealer, wanted).into_iter().map(dealt).collect()
}

/// What the hands of each pair add to the expected square once it is there, where it is split.
pub fn once_split<J: Judge + Sync, R: Real, const U: usize>(
    solved: &Solved<'_, '_, J, R, U>,
    dealer: &DealerTree<R, U>,
    wanted: impl Fn(usize) -> bool + Sync,
) -> Vec<(usize, Row<R, U>)> {
    let solver = solved.solver;
    let book = solver.book_with_splits(&solved.splits, Measure::Net);
    let against_blackjack = solver.book_with_splits(&solved.splits, Measure::NetAgainst(BLACKJACK));
    let of_plan = |plan: &Plan<U>| -> Option<(usize, Row<R, U>)> {
        let pair = solver.hands.find(&pair_of(plan.rank))?;
        let splits = |u: usize| wanted(u) && solved.first[pair as usize].action[u] == Action::Split;
        if !(0..U).any(splits) {
            return None;
        }
        let mut row = products(solver, dealer, (&book, plan), splits);
        // What hands lose together to a blackjack is one original wager, unless no hand answers for it. Its square is among
        // the squares; the products with the hands that do not answer, and where none does, are not.
        let original = R::zero() - book.together.clone();
        if original > R::zero() {
            let nets = solved.splits.of_plan(solver, &against_blackjack, plan);
            let blackjack = solver.dealer_blackjack(pair);
            for u in [ACE, TEN].into_iter().filter(|&u| u < U && splits(u)) {
                let none = escape(solver, &book, plan, u);
                let net = nets[u].clone() + original.clone() * blackjack[u].clone() - none.net;
                let twice = original.clone() + original.clone();
                row[u] = row[u].clone() - twice * net - original.clone() * original.clone() * none.chance;
            }
        }
        Some((plan.rank, row))
    };
    each_in_turn(&solved.splits.plans, threads(), of_plan).into_iter().flatten().collect()
}

/// The solver knows of a busted or surrendered hand only whether the dealer has blackjack, and counts its net against the
/// first result; here it is shared out over all results but the blackjack, as the dealer's chances are.
fn share_out<const U: usize>(
    by_result: &mut [[f64; U]],
    fallen: [f64; U],
    chance: impl Fn(usize, usize) -> f64,
) {
    for u in 0..U {
        by_result[0][u] -= fallen[u];
        let no_blackjack = 1.0 - chance(BLACKJACK, u);
        for (o, row) in by_result.iter_mut().enumerate().filter(|(o, _)| *o != BLACKJACK) {
            row[u] += fallen[u] * chance(o, u) / no_blackjack;
        }
    }
}

/// What is added up over both hands of a Switch spot, beside their value.
const MEASURED: [Measure; 7] = {
    let [_, rest @ ..] = MEASURES;
    rest
};

/// The figures of Switch: the value is exact, the spread and the frequencies are those of hands whose play does not
/// know the other hand's cards.
pub(crate) fn switch(round: &Round<'_>) -> Figures {
    let table = round.table;
    let dealer = table.dealer::<f64, RANKS>();
    let shoe = table.shoe();
    let switch = round.switch::<f64>();
    let solver = Solver::new(table, &dealer, shoe, &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, round.way);
    let per_hand = |m: Measure| -> Vec<[f64; RANKS]> {
        let rows = solved.values(m);
        twos().iter().map(|c| solver.hands.find(c).map_or([0.0; RANKS], &rows)).collect()
    };
    let measures = MEASURED.map(per_hand);
    let against: Vec<Vec<[f64; RANKS]>> = (0..RESULTS).map(|o| per_hand(Measure::NetAgainst(o))).collect();
    let fallen = per_hand(Measure::NetFallen);
    // by hand, then by result
    let by_result: Vec<Vec<[f64; RANKS]>> = twos()
        .iter()
        .enumerate()
        .map(|(at, cards)| {
            let mut rows: Vec<[f64; RANKS]> = against.iter().map(|of_hand| of_hand[at]).collect();
            if let Some(i) = solver.hands.find(cards) {
                share_out(&mut rows, fallen[at], |o, u| solver.chances(i as usize)[o][u]);
            }
            rows
        })
        .collect();
    // ace and ten-value made by a switch are a plain 21, which stands
    let natural = two(ACE, TEN);
    let plain_21 = |m: Measure| -> [f64; RANKS] {
        let Some(i) = solver.hands.find(&twos()[natural]) else { return [0.0; RANKS] };
        let mut book = solver.book(m);
        let pay = book.pay(table, solver.hand(i), Origin::Switched);
        let single = &book.pays[usize::from(pay)].single;
        let chances = solver.chances(i as usize);
        std::array::from_fn(|u| single.iter().zip(chances).map(|(pay, chance)| pay * chance[u]).sum())
    };
    let plain_21s = MEASURED.map(plain_21);
    let plain_21_against: Vec<[f64; RANKS]> =
        (0..RESULTS).map(|o| plain_21(Measure::NetAgainst(o))).collect();
    let (mut ev, mut switched) = (0.0, 0.0);
    let mut sums = [0.0; 7];
    let mut products = 0.0;
    let mut of_pairs = vec![[0.0; RANKS]; twos().len()];
    for (rank, row) in once_split(&solved, &dealer, |_| true) {
        of_pairs[two(rank, rank)] = row;
    }
    let blackjack_first = table.blackjack() == Blackjack::BeforePlay;
    switch.each_deal(|chance, decision, (first, second, up)| {
        let switches = switch.switches(decision, (first, second, up));
        ev += chance * if switches { decision.switch } else { decision.keep };
        let hands = if switches {
            [two(first[0], second[1]), two(second[0], first[1])]
        } else {
            [two(first[0], first[1]), two(second[0], second[1])]
        };
        let cards = twos()[hands[0]];
        let read = match (blackjack_first, solver.hands.find(&cards)) {
            (true, Some(i)) => solver.dealer_blackjack(i)[up],
            _ => 0.0,
        };
        switched += if switches { chance * (1.0 - read) } else { 0.0 };
        let plain = hands.map(|hand| switches && hand == natural);
        for (at, sum) in sums.iter_mut().enumerate() {
            let of = |k: usize| if plain[k] { plain_21s[at][up] } else { measures[at][hands[k]][up] };
            *sum += chance * (of(0) + of(1));
        }
        // A blackjack read before play loses both wagers, and it is as if it were a result like any other.
        sums[0] += chance * read * 2.0;
        sums[1] += chance * read * 2.0;
        sums[4] += chance * read * 2.0;
        products += chance * 2.0 * read;
        products += chance * (of_pairs[hands[0]][up] + of_pairs[hands[1]][up]);
        if let Some(i) = solver.hands.find(&cards) {
            for o in 0..RESULTS {
                let p = solver.chances(i as usize)[o][up];
                let of =
                    |k: usize| if plain[k] { plain_21_against[o][up] } else { by_result[hands[k]][o][up] };
                if p > 1e-12 {
                    products += 2.0 * chance * of(0) * of(1) / p;
                }
            }
        }
    });
    let [staked, squared, won, pushed, lost, busted, surrendered] = sums;
    debug_assert!(shoe_size(&shoe) > 0 && ACE != TEN);
    Figures {
        ev: ev / 2.0,
        variance: (squared + products - ev * ev) / 4.0,
        staked: staked / 2.0,
        outcomes: vec![
            ("won", won),
            ("pushed", pushed),
            ("lost", lost),
            ("busted", busted),
            ("surrendered", surrendered),
        ],
        shares: vec![("switched", switched)],
        ..Figures::default()
    }
}
