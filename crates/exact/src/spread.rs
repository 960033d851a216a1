//! The spread of results where several hands end together.
//!
//! Expected values add up over the hands of a split, or the two hands of Switch; squares do not. The hands share the
//! dealer's result, which is what makes them win and lose together, so the product of two hands is
//! worked out for each result of the dealer as if the hands were then independent. What that leaves out, the cards
//! that one hand takes from the other, changes the standard deviation by less than a part in a thousand.

use crate::cards::{ACE, RANKS, TEN, shoe_size};
use crate::dealer::{BLACKJACK, RESULTS, seen_states};
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
    let dealt = |rank: usize, u: usize| {
        let pair = solver.hands.find(&pair_of(rank));
        let deal = solver.deals().into_iter().find(|d| Some(d.hand) == pair);
        deal.map_or(0.0, |d| d.chance.to_f64()) * solver.state_chances(&pair_of(rank), &states)[u].to_f64()
    };
    once_split(solved).into_iter().map(|(rank, u, x)| (rank, u, dealt(rank, u) * x)).collect()
}

/// What the hands of a pair add to the expected square once it is there and split.
fn once_split<J: Judge, R: Real, const U: usize>(
    solved: &Solved<'_, '_, J, R, U>,
) -> Vec<(usize, usize, f64)> {
    let solver = solved.solver;
    let mut out = Vec::new();
    let split: Vec<usize> = (0..solved.splits.plans.len())
        .filter(|&i| {
            let pair = solver.hands.find(&pair_of(solved.splits.plans[i].rank));
            pair.is_some_and(|i| solved.first[i as usize].action.contains(&crate::turn::Action::Split))
        })
        .collect();
    let book = |measure| solver.book_with_splits(&solved.splits, measure);
    let books: Vec<_> = (0..RESULTS).map(|o| book(Measure::NetAgainst(o))).collect();
    let fallen_book = book(Measure::NetFallen);
    for i in split {
        let plan = &solved.splits.plans[i];
        let Some(pair) = solver.hands.find(&pair_of(plan.rank)) else {
            continue;
        };
        let first_hand = |book| solved.splits.first_hand(solver, book, plan).map(|x| x.to_f64());
        let mut by_result: Vec<[f64; U]> = books.iter().map(first_hand).collect();
        let dealer = solver.chances(pair as usize);
        share_out(&mut by_result, first_hand(&fallen_book), |o, u| dealer[o][u].to_f64());
        let others = solved.splits.other_hands(solver, plan);
        for u in 0..U {
            if solved.first[pair as usize].action[u] != crate::turn::Action::Split {
                continue;
            }
            let mut product = 0.0;
            for (o, hand) in by_result.iter().enumerate() {
                let p = dealer[o][u].to_f64();
                if p > 1e-12 {
                    product += hand[u] * hand[u] / p;
                }
            }
            out.push((plan.rank, u, others[u] * product));
        }
    }
    out
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
    for (rank, u, x) in once_split(&solved) {
        of_pairs[two(rank, rank)][u] = x;
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
        insured: 0.0,
    }
}
