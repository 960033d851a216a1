//! Enumerates every way in which one hand of a split, and the dealer's hand, can end.

use super::key::{Key, MOST_OF_ONE, key};
use exact::cards::{Counts, NONE, plus, points, size};
use exact::judge::{Blackjack, Book, Judge, Measure, Pay, PayId, Stake};
use exact::round::Solved;
use exact::split::Plan;
use exact::turn::Action;
use exact::vocabulary::{ACE, BLACKJACK, DealerResult, OVER, RANKS, RESULTS, Rank, TEN, Upcard, by_result};
use std::collections::BTreeMap;

/// The results of a finished hand against every dealer result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Class {
    /// Whether the hand is busted; busted classes sort last.
    pub bust: bool,
    /// Positive if the hand wins, negative if it loses, zero if it pushes; or what it nets.
    pub against: [i8; RESULTS],
}

/// The number of kinds of hands, by what is known about their second card: any card, or any card that is not a pair
/// card.
pub(super) const KINDS: usize = 2;
pub(super) const ANY: usize = 0;
pub(super) const OTHER: usize = 1;

/// One way in which a hand of the split ends.
pub(super) struct End {
    pub cards: Key,
    pub class: usize,
    /// The number of orders of the cards, by kind.
    pub orders: [f64; KINDS],
}

/// One way in which the dealer's hand ends.
pub(super) struct DealerEnd {
    /// The cards drawn in addition to the visible ones.
    pub cards: Key,
    pub result: DealerResult,
    pub orders: f64,
}

/// How the hands of a split are settled, from the solver's books.
pub(crate) enum Books {
    /// Whether hands win, push or lose, from the books of wins and losses.
    Records(Box<[Book<f64>; 2]>),
    /// What hands net, in units of the bet.
    Nets(Box<Book<f64>>),
}

/// The code of a net that is not a whole number from -2 to 2.
const OTHER_NET: i8 = i8::MAX;

/// Returns the books by which hands win and lose.
pub(crate) fn books<J: Judge, const U: usize>(solved: &Solved<'_, '_, J, f64, U>) -> Books {
    let of = |measure| solved.solver.book_with_splits(&solved.splits, measure);
    Books::Records(Box::new([Measure::Won, Measure::Lost].map(of)))
}

/// Returns the book of what hands net.
pub(crate) fn net_book<J: Judge, const U: usize>(solved: &Solved<'_, '_, J, f64, U>) -> Books {
    Books::Nets(Box::new(solved.solver.book_with_splits(&solved.splits, Measure::Net)))
}

impl Books {
    /// Returns the results of hands that bust, with a single or a doubled bet.
    fn bust(&self, early: Early, stake: Stake) -> [i8; RESULTS] {
        match self {
            Books::Records(books) => sign(&books[0].bust[1].single, &books[1].bust[1].single, early),
            Books::Nets(book) => net(&book.bust[1], stake),
        }
    }

    /// Returns the results of hands that stand with this settlement.
    fn stands(&self, pay: PayId, early: Early, stake: Stake) -> [i8; RESULTS] {
        let id = pay as usize;
        match self {
            Books::Records(books) => sign(&books[0].pays[id].single, &books[1].pays[id].single, early),
            Books::Nets(book) => net(&book.pays[id], stake),
        }
    }
}

/// The wins and losses of a pair against a blackjack that is known before play.
type Early = [Option<f64>; 2];

fn sign(won: &[f64; RESULTS], lost: &[f64; RESULTS], early: Early) -> [i8; RESULTS] {
    by_result(|o| {
        let [won, lost] = match early {
            [Some(won), Some(lost)] if o == BLACKJACK => [won, lost],
            _ => [won[o], lost[o]],
        };
        i8::from(won > 0.5) - i8::from(lost > 0.5)
    })
}

/// Returns the nets against every result but a blackjack, against which no hand is counted by itself.
fn net(pay: &Pay<f64>, stake: Stake) -> [i8; RESULTS] {
    let nets = if stake == Stake::Doubled { &pay.doubled } else { &pay.single };
    by_result(|o| match nets[o] {
        _ if o == BLACKJACK => -1,
        net if (net - net.round()).abs() < 1e-9 && net.abs() < 2.5 => net.round() as i8,
        _ => OTHER_NET,
    })
}

/// Enumerates every way in which one hand of the split ends under its play. Busted hands are the last class.
pub(super) fn finished<J: Judge, const U: usize>(
    solved: &Solved<'_, '_, J, f64, U>,
    books: &Books,
    plan: &Plan<U>,
    u: Upcard,
) -> (Vec<Class>, Vec<End>) {
    let solver = solved.solver;
    // a blackjack that is known before play is settled against the pair as dealt
    let pair = solver.hands.find(&exact::cards::pair_of(plan.rank));
    let early = [Measure::Won, Measure::Lost].map(|measure| match (solver.judge.blackjack(), pair) {
        (Blackjack::BeforePlay, Some(pair)) => Some(solver.settled_before(pair, measure)),
        _ => None,
    });
    let bust = Class { bust: true, against: books.bust(early, Stake::Single) };
    // a doubled bust that loses no more than a single one is the same
    let doubled_bust = books.bust(early, Stake::Doubled);
    let doubled_bust = Class { bust: doubled_bust == bust.against, against: doubled_bust };
    let stands =
        |at: usize, stake: Stake| Class { bust: false, against: books.stands(plan.pay[at], early, stake) };
    let mut found: BTreeMap<(Key, Class), [f64; KINDS]> = BTreeMap::new();
    for paired in [false, true] {
        let mut ways = vec![0.0; solver.hands.list.len()];
        for r in Rank::ALL.into_iter().filter(|&r| (r == plan.rank) == paired) {
            for (i, part) in solver.second(plan.rank, r) {
                ways[i as usize] += part;
            }
        }
        let mut end = |cards: &Counts, class: Class, orders: f64| {
            let mut drawn = *cards;
            // the card that the hand began with is not drawn
            drawn[plan.rank] -= 1;
            if drawn.iter().any(|&n| n > MOST_OF_ONE) {
                return;
            }
            let ways = found.entry((key(&drawn), class)).or_insert([0.0; KINDS]);
            ways[ANY] += orders;
            if !paired {
                ways[OTHER] += orders;
            }
        };
        // longer hands are listed first, so the reverse order visits a hand after all hands that lead to it
        for (at, &i) in plan.hands.iter().enumerate().rev() {
            let orders = std::mem::take(&mut ways[i as usize]);
            if orders == 0.0 {
                continue;
            }
            let cards = solver.hand(i).cards;
            let action = plan.plays[0][at].action[u];
            if !matches!(action, Action::Hit | Action::Double) {
                end(&cards, stands(at, Stake::Single), orders);
                continue;
            }
            for r in Rank::ALL {
                let next = solver.hands.next[i as usize][r];
                let doubled = || plan.hands.iter().position(|&hand| hand == next);
                if next == NONE {
                    let class = if action == Action::Double { doubled_bust } else { bust };
                    end(&plus(cards, r), class, orders);
                } else if action == Action::Hit {
                    ways[next as usize] += orders;
                } else if let Some(at) = doubled() {
                    end(&plus(cards, r), stands(at, Stake::Doubled), orders);
                }
            }
        }
    }
    let mut classes: Vec<Class> = found.keys().map(|(_, class)| *class).collect();
    classes.push(bust);
    classes.sort_unstable();
    classes.dedup();
    let place = |class: &Class| classes.binary_search(class).unwrap_or(0);
    let ends =
        found.iter().map(|((cards, class), &orders)| End { cards: *cards, class: place(class), orders });
    let ends = ends.collect();
    (classes, ends)
}

/// Returns whether every class nets a whole number of bets.
pub(super) fn are_whole(classes: &[Class]) -> bool {
    classes.iter().all(|class| !class.against.contains(&OTHER_NET))
}

/// Returns the dealer's finished hands except busts, which are the complement.
pub(super) fn dealer_ends<J: Judge>(judge: &J, seen: &Counts) -> Vec<DealerEnd> {
    let mut ends: BTreeMap<(Counts, DealerResult), f64> = BTreeMap::new();
    draw(judge, *seen, [0; RANKS], &mut ends);
    ends.retain(|(_, result), _| *result != OVER);
    let end = |((cards, result), orders): ((Counts, DealerResult), f64)| DealerEnd {
        cards: key(&cards),
        result,
        orders,
    };
    ends.into_iter().map(end).collect()
}

fn draw<J: Judge>(judge: &J, hand: Counts, drawn: Counts, ends: &mut BTreeMap<(Counts, DealerResult), f64>) {
    let count = points(&hand);
    let result = match count.total {
        21 if size(&hand) == 2 && hand[ACE] == 1 && hand[TEN] == 1 => Some(BLACKJACK),
        22.. => Some(OVER),
        17..=21 if size(&hand) >= 2 && judge.dealer_stands(count) => {
            Some(DealerResult::of_points(count.total))
        }
        _ => None,
    };
    match result {
        Some(result) => *ends.entry((drawn, result)).or_insert(0.0) += 1.0,
        None => Rank::ALL.into_iter().for_each(|r| draw(judge, plus(hand, r), plus(drawn, r), ends)),
    }
}
