//! Tests the solver against a recursion over single cards, on small shoes and with every kind of rule.

use crate::cards::{Counts, Shoe, pair_of, plus, rank_of_pair, two_cards};
use crate::dealer::DealerTree;
use crate::judge::{Judge, Measure, Origin};
use crate::play::{AfterSplit, PlayChoice};
use crate::result::At22;
use crate::round::{Escapes, Solved};
use crate::seen::seen_states;
use crate::solve::{AsDealt, Solver};
use crate::split::Splits;
use crate::spread::once_split;
use crate::switch::{Switch, TwoCards, twos};
use crate::tests::plain::Plain;
use crate::tests::slow::{Quantity, Slow, hand};
use crate::turn::Action;
use crate::vocabulary::{ACE, Rank, TEN, Upcard};
use std::collections::HashMap;

/// Returns the shoe without the cards of several hands.
///
/// Returns `None` if the shoe does not have them.
pub fn without(shoe: &Shoe, cards: &[&Counts]) -> Option<Shoe> {
    let mut left = *shoe;
    for cards in cards {
        for r in Rank::ALL {
            left[r] = left[r].checked_sub(u16::from(cards[r]))?;
        }
    }
    Some(left)
}

pub fn compare<J: Judge + Sync, const U: usize>(judge: &J, name: &str, shoe: Shoe, pairs: &[Rank]) {
    let dealer = DealerTree::<f64, U>::new(judge.seen(), At22::Apart, |c| judge.dealer_stands(c));
    let solver = Solver::new(judge, &dealer, shoe, &[0; 10]);
    let base = solver.best();
    let after = AfterSplit::AsDealt;
    let splits = Splits::new(&solver, (after, &dealer, &shoe), &AsDealt(&base));
    let solved = Solved::split_with(&solver, base, splits.into(), Escapes::Everywhere);
    let quick = Solved::best(&solver, &dealer, after);
    assert_eq!(quick.round(Measure::Net), solved.round(Measure::Net));
    let counted = of_splits(&solved, &dealer);
    for (u, up) in Upcard::all::<U>().zip(&seen_states(judge.seen())) {
        let in_sight = up[ACE] == 1 && up[TEN] == 1;
        if without(&shoe, &[up]).is_none() || in_sight {
            continue;
        }
        let dealt = |c: &Counts| solver.hands.find(c).map(|i| i as usize);
        let play = |c: &Counts, origin: Origin, _: u8| {
            let may = judge.may(&hand(c), origin);
            let turn = dealt(c).and_then(|i| solved.base.turns[i].as_ref());
            turn.map_or(Action::Stand, |t| t.best(may, u).0)
        };
        let surrender_doubled =
            |c: &Counts| dealt(c).is_some_and(|i| solved.base.choices[i].surrender_doubled[u]);
        let mut slow = Slow {
            of: Quantity::Net,
            judge,
            up: *up,
            play: &play,
            surrender_doubled: &surrender_doubled,
            dealer: HashMap::new(),
        };
        for (i, h) in solver.hands.list.iter().enumerate().filter(|(_, h)| h.size == 2) {
            let Some(left) = without(&shoe, &[up, &h.cards]) else {
                continue;
            };
            let (fast, slow) = (solved.base.best[i][u], slow.dealt(&left, &h.cards));
            assert!((fast - slow).abs() < 1e-12, "{name} {:?} v {up:?}: {fast} {slow}", h.cards);
        }
        for (rank, values) in solved.split_values.iter().filter(|(rank, _)| pairs.contains(rank)) {
            let pair = pair_of(*rank);
            let Some(left) = without(&shoe, &[up, &pair]) else {
                continue;
            };
            slow.of = Quantity::Net;
            let (fast, value) = (values[u], slow.split(&left, *rank));
            assert!((fast - value).abs() < 1e-11, "{name} pair {rank:?} v {up:?}: {fast} {value}");
            for (of, rows) in &counted {
                slow.of = *of;
                let (fast, counted) = (rows[rank][u], slow.split(&left, *rank));
                assert!((fast - counted).abs() < 1e-10, "{name} pair {rank:?} v {up:?}: {fast} {counted}");
            }
            slow.of = Quantity::Net;
        }
    }
}

/// The figures of splitting every pair, by quantity, rank of the pair and visible state.
type Counted<const U: usize> = Vec<(Quantity, HashMap<Rank, [f64; U]>)>;

/// Returns the solver's figures of splits besides their value: expected square, bets and frequencies.
fn of_splits<J: Judge + Sync, const U: usize>(
    solved: &Solved<'_, '_, J, f64, U>,
    dealer: &DealerTree<f64, U>,
) -> Counted<U> {
    let solver = solved.solver;
    let rows = |measure| -> HashMap<Rank, [f64; U]> {
        let book = solver.book_with_splits(&solved.splits, measure);
        solved.splits.values(solver, &book).into_iter().collect()
    };
    let mut split = Solved {
        solver,
        base: solver.best(),
        splits: solved.splits.clone(),
        split_values: solved.split_values.clone(),
        first: solved.first.clone(),
        even_money: None,
    };
    split.first.iter_mut().for_each(|choice| choice.action = [Action::Split; U]);
    let mut squares = rows(Measure::Squared);
    for (rank, row) in once_split(&split, dealer, |_| true) {
        let square = squares.get_mut(&rank).expect("a pair");
        square.iter_mut().zip(row).for_each(|(square, x)| *square += x);
    }
    let each = [
        Measure::Staked,
        Measure::Won,
        Measure::Pushed,
        Measure::Lost,
        Measure::Busted,
        Measure::Surrendered,
    ];
    let mut counted: Counted<U> = each.into_iter().map(|m| (Quantity::Each(m), rows(m))).collect();
    counted.push((Quantity::Square, squares));
    counted
}

const FEW: Shoe = [5, 0, 0, 0, 5, 0, 0, 7, 0, 9];

fn all(mut change: impl FnMut(&mut Plain)) {
    for hands in [2, 3] {
        let mut judge = Plain { hands, ace_hands: 2, ..Plain::default() };
        change(&mut judge);
        compare::<_, 10>(&judge, &format!("{judge:?}"), FEW, &[Rank::Ace, Rank::Eight, Rank::Ten]);
    }
}

#[test]
fn plain() {
    all(|_| ());
    all(|j| j.peek = false);
    all(|j| j.hit_soft_17 = true);
    all(|j| j.surrender = true);
    all(|j| j.das = false);
    all(|j| j.ace_hands = 3);
    all(|j| j.split_21_wins = true);
}

#[test]
fn four_hands() {
    let judge = Plain { hands: 4, ace_hands: 4, peek: false, ..Plain::default() };
    compare::<_, 10>(
        &judge,
        "four hands",
        [6, 0, 0, 0, 0, 0, 0, 8, 0, 10],
        &[Rank::Ace, Rank::Eight, Rank::Ten],
    );
}

#[test]
fn busted_hands_lose_all() {
    all(|j| (j.peek, j.busted_too) = (false, true));
    all(|j| (j.peek, j.busted_too, j.first_counts) = (false, true, true));
    // with hands that neither answer for the original bet nor were collected
    all(|j| (j.peek, j.busted_too, j.always_21) = (false, true, true));
    all(|j| (j.peek, j.busted_too, j.first_counts, j.always_21) = (false, true, true, true));
}

/// Doubled hands that busted face down answer for the original bet, besides other hands that were collected.
#[test]
fn doubled_busts_that_lie_face_down() {
    for unseen in [(1, 1), (1, 3)] {
        let face_down = |j: &mut Plain| {
            (j.peek, j.busted_too, j.doubled_wins, j.unseen) = (false, true, 9, unseen);
        };
        all(face_down);
        all(|j| (face_down(j), j.always_21 = true).1);
        all(|j| (face_down(j), j.double_cards = 5).1);
    }
}

#[test]
fn switch_like() {
    all(|j| (j.peek, j.push_22, j.two_card_21_push_bj) = (false, true, true));
}

#[test]
fn double_attack_like() {
    all(|j| (j.peek, j.any_time, j.double_cards) = (false, true, 9));
}

#[test]
fn triple_attack_like() {
    all(|j| {
        (j.peek, j.always_21, j.double_cards, j.ace_double, j.push_22) = (false, true, 9, true, true);
    });
}

#[test]
fn both_cards_face_up() {
    let judge = Plain {
        both: true,
        ties_lose: true,
        hands: 2,
        double_totals: (9, 11),
        natural: (1, 1),
        ..Plain::default()
    };
    compare::<_, 55>(&judge, "face up", FEW, &[Rank::Ace, Rank::Five, Rank::Eight, Rank::Ten]);
}

/// In Switch each hand is valued separately.
///
/// Two hands played one after the other from the same cards have the same total.
#[test]
fn two_hands_are_worth_the_sum_of_each() {
    let judge = Plain { push_22: true, hit_soft_17: true, natural: (1, 1), ..Plain::default() };
    let dealer = DealerTree::<f64, 10>::new(judge.seen(), At22::Apart, |c| judge.dealer_stands(c));
    let shoe: Shoe = [4, 0, 0, 4, 0, 5, 0, 0, 0, 8];
    let switch = Switch::solve_hands(
        &judge,
        &dealer,
        &shoe,
        (&twos(), &[0; 10]),
        (PlayChoice::Best(AfterSplit::AsDealt), 2),
    );
    use Rank::{Ace, Four, Six, Ten};
    for (first, second, rank) in
        [([Four, Six], [Ace, Ten], Ten), ([Ten, Six], [Four, Four], Six), ([Ten, Ten], [Ace, Six], Ace)]
    {
        let up = Upcard::card(rank);
        let (h1, h2, up_card) = (two_cards(first), two_cards(second), plus([0; 10], rank));
        let solve = |other: &Counts| {
            let left = without(&shoe, &[other]).unwrap();
            let solver = Solver::new(&judge, &dealer, left, &[0; 10]);
            let base = solver.best();
            (solver, base)
        };
        let (beside_second, beside_first) = (solve(&h2), solve(&h1));
        let contains = |c: &Counts, h: &Counts| c.iter().zip(h).all(|(a, b)| a >= b);
        let play = |c: &Counts, origin: Origin, _: u8| {
            let (solver, base) = if contains(c, &h1) { &beside_second } else { &beside_first };
            let turn = solver.hands.find(c).and_then(|i| base.turns[i as usize].as_ref());
            turn.map_or(Action::Stand, |t| t.best(judge.may(&hand(c), origin), up).0)
        };
        let mut slow = Slow {
            of: Quantity::Net,
            judge: &judge,
            up: up_card,
            play: &play,
            surrender_doubled: &|_| false,
            dealer: HashMap::new(),
        };
        let slow = slow.both(&without(&shoe, &[&h1, &h2, &up_card]).unwrap(), &h1, &h2);
        let unsplit = |(solver, base): &(Solver<'_, Plain, f64, 10>, crate::solve::Solution<f64, 10>),
                       h: &Counts| {
            base.best[solver.hands.find(h).unwrap() as usize][up]
        };
        let fast = unsplit(&beside_second, &h1) + unsplit(&beside_first, &h2);
        assert!((fast - slow).abs() < 1e-12, "{first:?} {second:?} v {rank:?}: {fast} {slow}");
        let whole = switch.hand(TwoCards::of(first), TwoCards::of(second)).unwrap().dealt[up];
        assert!(whole + 1e-12 >= unsplit(&beside_second, &h1), "splitting can only add");
    }
}

/// Checks a whole round of Switch, deal by deal in every order of the five cards.
///
/// Each hand is valued card by card.
#[test]
fn a_round_of_switch() {
    let shoe: Shoe = [3, 0, 0, 0, 0, 4, 0, 0, 4, 6];
    for peek in [true, false] {
        let judge = Plain {
            peek,
            push_22: true,
            hit_soft_17: true,
            natural: (1, 1),
            hands: 2,
            two_card_21_push_bj: true,
            ..Plain::default()
        };
        let dealer = DealerTree::<f64, 10>::new(judge.seen(), At22::Apart, |c| judge.dealer_stands(c));
        let (fast, _) = Switch::solve_hands(
            &judge,
            &dealer,
            &shoe,
            (&twos(), &[0; 10]),
            (PlayChoice::Best(AfterSplit::AsDealt), 1),
        )
        .value();
        let slow = Rounds { judge: &judge, shoe, known: HashMap::new() }.value();
        assert!((fast - slow).abs() < 1e-12, "peek {peek}: {fast} {slow}");
    }
}

struct Rounds<'j> {
    judge: &'j Plain,
    shoe: Shoe,
    known: HashMap<(Counts, Counts, Rank, bool), f64>,
}

impl Rounds<'_> {
    /// Returns the value of a round, summed over every five cards in order: first cards, upcard, second cards.
    fn value(&mut self) -> f64 {
        let mut sum = 0.0;
        for code in 0..4_usize.pow(5) {
            let ranks = [Rank::Ace, Rank::Six, Rank::Nine, Rank::Ten];
            let cards: [Rank; 5] = std::array::from_fn(|i| ranks[code / 4_usize.pow(i as u32) % 4]);
            let (mut left, mut chance) = (self.shoe, 1.0);
            for r in cards {
                chance *= f64::from(left[r]) / f64::from(left.iter().sum::<u16>());
                left[r] = left[r].saturating_sub(1);
            }
            if chance == 0.0 {
                continue;
            }
            let [a, b, up, c, d] = cards;
            let two = |x, y| two_cards([x, y]);
            let blackjack = self.read(&left, [two(a, c), two(b, d)], up);
            let keep =
                self.hand(two(a, c), two(b, d), up, false) + self.hand(two(b, d), two(a, c), up, false);
            let switch =
                self.hand(two(a, d), two(b, c), up, true) + self.hand(two(b, c), two(a, d), up, true);
            sum += chance * (keep.max(switch) + blackjack);
        }
        sum
    }

    /// Returns the loss to a blackjack found before the switch: one bet for each hand without blackjack.
    fn read(&self, left: &Shoe, hands: [Counts; 2], up: Rank) -> f64 {
        let hole = match up {
            ACE => TEN,
            TEN => ACE,
            _ => return 0.0,
        };
        let chance = f64::from(left[hole]) / f64::from(left.iter().sum::<u16>());
        let losing = hands.iter().filter(|h| !(h[ACE] == 1 && h[TEN] == 1)).count();
        if self.judge.peek { -chance * losing as f64 } else { 0.0 }
    }

    fn hand(&mut self, cards: Counts, other: Counts, up: Rank, switched: bool) -> f64 {
        if let Some(&value) = self.known.get(&(cards, other, up, switched)) {
            return value;
        }
        let judge = self.judge;
        let left = without(&self.shoe, &[&other]).unwrap();
        let dealer = DealerTree::<f64, 10>::new(judge.seen(), At22::Apart, |c| judge.dealer_stands(c));
        let solver = Solver::new(judge, &dealer, left, &[0; 10]);
        let base = solver.best();
        let play = |c: &Counts, origin: Origin, _: u8| {
            let turn = solver.hands.find(c).and_then(|i| base.turns[i as usize].as_ref());
            turn.map_or(Action::Stand, |t| t.best(judge.may(&hand(c), origin), Upcard::card(up)).0)
        };
        let up_card = plus([0; 10], up);
        let mut slow = Slow {
            of: Quantity::Net,
            judge,
            up: up_card,
            play: &play,
            surrender_doubled: &|_| false,
            dealer: HashMap::new(),
        };
        let left = without(&left, &[&cards, &up_card]).unwrap();
        let mut value = if switched { slow.switched(&left, &cards) } else { slow.dealt(&left, &cards) };
        if let Some(rank) = rank_of_pair(&cards) {
            value = value.max(slow.split(&left, rank));
        }
        self.known.insert((cards, other, up, switched), value);
        value
    }
}
