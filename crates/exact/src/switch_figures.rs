//! The figures of Switch besides its value: bets and frequencies, which are exact, and the variance.
//!
//! Bets and frequencies add up over the two hands, each played with the other's two cards removed. For the
//! variance, the product of the two hands' nets is computed with all five cards visible, for each result of the
//! dealer as if the hands were then independent. This approximation neglects the cards that one hand's draws take
//! from the other hand.

use crate::figures::{Figures, MEASURES};
use crate::judge::{Blackjack, Book, Judge, Measure, Origin};
use crate::round::{Solved, first_two_v_blackjack};
use crate::solve::Solver;
use crate::spread::once_split;
use crate::switch::{TwoCards, twos};
use crate::table::Table;
use crate::threads::threads;
use crate::vocabulary::{ACE, BLACKJACK, DealerResult, RANKS, RESULTS, TEN, Upcard, by_result, by_up};
use crate::whole::Round;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const U: usize = RANKS;

/// The measures that are summed over both hands of a box, besides their net.
const MEASURED: [Measure; 7] = {
    let [_, rest @ ..] = MEASURES;
    rest
};

/// The figures of one hand when two cards of the other hand are known.
#[derive(Clone)]
struct Hand {
    /// The values of the measures by upcard, in the order of `MEASURED`.
    measured: [[f64; U]; 7],
    /// The net against each result of the dealer, by upcard.
    against: [[f64; U]; RESULTS],
    /// The chance of each result of the dealer, by upcard.
    chances: [[f64; U]; RESULTS],
}

/// The figures of every two cards as dealt and, if they differ, as made by a switch.
///
/// An ace and a ten-value card made by a switch are a plain 21.
type Hands = Vec<Option<(Hand, Option<Hand>)>>;

fn hands<J: Judge>(solved: &Solved<'_, '_, J, f64, U>) -> Hands {
    let solver = solved.solver;
    let book = |measure| solver.book_with_splits(&solved.splits, measure);
    let books = MEASURED.map(book);
    let books_against: [_; RESULTS] = by_result(|o| book(Measure::NetAgainst(o)));
    let measured = books.each_ref().map(|book| solved.values(book));
    let against = books_against.each_ref().map(|book| solved.values(book));
    let fallen = solved.values(&book(Measure::NetFallen));
    let one = |(at, cards)| {
        let i = solver.hands.find(cards)?;
        let chances = *solver.chances(i as usize);
        let mut dealt = Hand {
            measured: measured.each_ref().map(|of| of(i)),
            against: against.each_ref().map(|of| of(i)),
            chances,
        };
        share_out(&mut dealt, fallen(i));
        let stands = |book: &Book<f64>| -> [f64; U] {
            let mut book = book.clone();
            let pay = book.pay(solver.judge, solver.hand(i), Origin::Switched);
            let single = &book.pays[usize::from(pay)].single;
            let of = |u: Upcard| single.iter().zip(&dealt.chances).map(|(pay, chance)| pay * chance[u]).sum();
            by_up(of)
        };
        let plain_21 = (at == TwoCards::of([ACE, TEN])).then(|| Hand {
            measured: books.each_ref().map(&stands),
            against: books_against.each_ref().map(&stands),
            chances: dealt.chances,
        });
        Some((dealt, plain_21))
    };
    TwoCards::all().zip(&twos()).map(one).collect()
}

/// Distributes the net of busted and surrendered hands over all results of the dealer except blackjack.
///
/// The parts are in proportion to the dealer's chances. The solver knows only whether such a hand meets a
/// blackjack, and otherwise counts its net against the first result.
fn share_out(hand: &mut Hand, fallen: [f64; U]) {
    for u in Upcard::all::<U>() {
        hand.against[DealerResult::Seventeen][u] -= fallen[u];
        let no_blackjack = 1.0 - hand.chances[BLACKJACK][u];
        for (o, row) in DealerResult::ALL.into_iter().zip(&mut hand.against).filter(|(o, _)| *o != BLACKJACK)
        {
            row[u] += fallen[u] * hand.chances[o][u] / no_blackjack;
        }
    }
}

/// Returns all figures of Switch.
pub(crate) fn figures(round: &Round<'_>) -> Figures {
    let table = round.table;
    let dealer = table.dealer::<f64, U>();
    let visiting = AtomicU64::new(0);
    let visit = |solved: &Solved<'_, '_, Table<'_>, f64, U>| {
        let begun = Instant::now();
        let hands = hands(solved);
        visiting.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        hands
    };
    let (switch, beside) = round.switch_with(visit);
    let begun = Instant::now();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, round.play_choice);
    let mut of_pairs = vec![[0.0; U]; twos().len()];
    for (rank, row) in once_split(&solved, &dealer, |_| true) {
        of_pairs[TwoCards::of([rank; 2]).index()] = row;
    }
    let mut sums = Sums::default();
    let blackjack_first = table.blackjack() == Blackjack::BeforePlay;
    let v_blackjack =
        |cards, measure| if blackjack_first { first_two_v_blackjack(table, cards, measure) } else { 0.0 };
    switch.each_deal(|chance, decision, (first, second, up)| {
        let switches = switch.switches(decision, (first, second, up));
        sums.ev += chance * if switches { decision.switch } else { decision.keep };
        let kept = [first, second].map(TwoCards::of);
        let crossed = [[first[0], second[1]], [second[0], first[1]]].map(TwoCards::of);
        let [a, b] = if switches { crossed } else { kept };
        let early_blackjack = match (blackjack_first, switch.hand(kept[0], kept[1])) {
            (true, Some(beheld)) => beheld.blackjack[up],
            _ => 0.0,
        };
        sums.switched += if switches { chance * (1.0 - early_blackjack) } else { 0.0 };
        let of = |hand: TwoCards, other: TwoCards| -> Option<&Hand> {
            let (dealt, switched) = beside[other.index()].as_ref()?[hand.index()].as_ref()?;
            Some(switched.as_ref().filter(|_| switches).unwrap_or(dealt))
        };
        let (Some(one), Some(other)) = (of(a, b), of(b, a)) else { return };
        for (at, measure) in MEASURED.into_iter().enumerate() {
            let early_loss = early_blackjack * (v_blackjack(first, measure) + v_blackjack(second, measure));
            sums.measured[at] += chance * (one.measured[at][up] + other.measured[at][up] + early_loss);
        }
        let net = Measure::Net;
        let mut product = early_blackjack * v_blackjack(first, net) * v_blackjack(second, net);
        for (o, chances) in
            DealerResult::ALL.into_iter().zip(&one.chances).filter(|(_, chances)| chances[up] > 1e-12)
        {
            product += one.against[o][up] * other.against[o][up] / chances[up];
        }
        sums.products += chance * (2.0 * product + of_pairs[a.index()][up] + of_pairs[b.index()][up]);
    });
    let visited = Duration::from_nanos(visiting.into_inner() / threads().max(1) as u64);
    sums.figures(visited + begun.elapsed())
}

#[derive(Default)]
struct Sums {
    ev: f64,
    switched: f64,
    measured: [f64; 7],
    /// The sum of the products of the two hands' nets, in both orders.
    products: f64,
}

impl Sums {
    /// Returns the figures of a round, in units of both initial bets.
    fn figures(self, spread_took: Duration) -> Figures {
        let [staked, squared, won, pushed, lost, busted, surrendered] = self.measured;
        Figures {
            ev: self.ev / 2.0,
            variance: (squared + self.products - self.ev * self.ev) / 4.0,
            staked: staked / 2.0,
            outcomes: vec![
                ("won", won),
                ("pushed", pushed),
                ("lost", lost),
                ("busted", busted),
                ("surrendered", surrendered),
            ],
            shares: vec![("switched", self.switched)],
            spread_took,
            ..Figures::default()
        }
    }
}
