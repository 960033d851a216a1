//! The spread of results where several hands end together.
//!
//! Expected values add up over the hands of a split, or the two hands of Switch; squares do not. The hands share the
//! dealer's result, which is what makes them win and lose together, so the product of two hands is
//! worked out for each result of the dealer as if the hands were then independent. What that leaves out, the cards
//! that one hand takes from the other, changes the standard deviation in the fifth digit.

use crate::cards::{ACE, RANKS, TEN, shoe_size};
use crate::dealer::{RESULTS, seen_states};
use crate::game::{Figures, Round};
use crate::judge::{Blackjack, Judge, Measure, Origin};
use crate::num::Real;
use crate::round::Solved;
use crate::solve::Solver;
use crate::split::pair_of;
use crate::switch::{two, twos};

/// What the hands of splits add to the expected square of a round, by visible state.
pub fn split_hands_together<J: Judge, R: Real, const U: usize>(solved: &Solved<'_, '_, J, R, U>) -> [f64; U] {
    let mut out = [0.0; U];
    for (_, u, x) in pairs_together(solved) {
        out[u] += x;
    }
    out
}

/// The same for each pair: its value, the visible state, and the amount.
pub fn pairs_together<J: Judge, R: Real, const U: usize>(
    solved: &Solved<'_, '_, J, R, U>,
) -> Vec<(usize, usize, f64)> {
    let solver = solved.solver;
    let states = seen_states(solver.judge.seen());
    let mut out = Vec::new();
    let split: Vec<usize> = (0..solved.splits.plans.len())
        .filter(|&i| {
            let pair = solver.hands.find(&pair_of(solved.splits.plans[i].rank));
            pair.is_some_and(|i| solved.first[i as usize].action.contains(&crate::turn::Action::Split))
        })
        .collect();
    let books: Vec<_> =
        (0..RESULTS).map(|o| solver.book_with_splits(&solved.splits, Measure::NetAgainst(o))).collect();
    for i in split {
        let plan = &solved.splits.plans[i];
        let Some(pair) = solver.hands.find(&pair_of(plan.rank)) else {
            continue;
        };
        let deal = solver.deals().into_iter().find(|d| d.hand == pair).map_or(0.0, |d| d.chance.to_f64());
        let chance = solver.state_chances(&pair_of(plan.rank), &states);
        let by_result: Vec<[R; U]> =
            books.iter().map(|b| solved.splits.first_hand(solver, b, plan)).collect();
        let others = solved.splits.other_hands(solver, plan);
        for u in 0..U {
            if solved.first[pair as usize].action[u] != crate::turn::Action::Split {
                continue;
            }
            let dealer = solver.chances(pair as usize);
            let mut product = 0.0;
            for (o, hand) in by_result.iter().enumerate() {
                let p = dealer[o][u].to_f64();
                if p > 1e-12 {
                    product += hand[u].to_f64() * hand[u].to_f64() / p;
                }
            }
            out.push((plan.rank, u, deal * chance[u].to_f64() * others[u] * product));
        }
    }
    out
}

/// What is added up over both hands of a Switch spot, beside their value.
const MEASURED: [Measure; 7] = [
    Measure::Staked,
    Measure::Squared,
    Measure::Won,
    Measure::Pushed,
    Measure::Lost,
    Measure::Busted,
    Measure::Surrendered,
];

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
    let by_result: Vec<Vec<[f64; RANKS]>> = (0..RESULTS).map(|o| per_hand(Measure::NetAgainst(o))).collect();
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
        let of = |k: usize, values: &[[f64; RANKS]], plain_21: &[f64; RANKS]| {
            if plain[k] { plain_21[up] } else { values[hands[k]][up] }
        };
        for (at, sum) in sums.iter_mut().enumerate() {
            *sum += chance * (of(0, &measures[at], &plain_21s[at]) + of(1, &measures[at], &plain_21s[at]));
        }
        // A blackjack read before play loses both wagers, and it is as if it were a result like any other.
        sums[0] += chance * read * 2.0;
        sums[1] += chance * read * 2.0;
        sums[4] += chance * read * 2.0;
        products += chance * 2.0 * read;
        if let Some(i) = solver.hands.find(&cards) {
            for (o, values) in by_result.iter().enumerate() {
                let p = solver.chances(i as usize)[o][up];
                if p > 1e-12 {
                    let against = &plain_21_against[o];
                    products += 2.0 * chance * of(0, values, against) * of(1, values, against) / p;
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
        insured: 0.0,
    }
}
