//! Enumerates every way in which a split hand can end, and every way in which the dealer's hand can end.

use super::key::{Key, MOST_OF_ONE, key};
use exact::cards::{Counts, NONE, plus, points, size};
use exact::judge::{Blackjack, Book, Judge, Measure, OriginalBet, Pay, PayId, Stake};
use exact::result::At22;
use exact::round::Solved;
use exact::split::Plan;
use exact::table::Table;
use exact::turn::Action;
use exact::vocabulary::{ACE, BLACKJACK, DealerResult, OVER, RANKS, RESULTS, Rank, TEN, Upcard, by_result};
use std::collections::BTreeMap;

/// A class of finished split hands that all have the same net win against each result of the dealer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Class {
    /// Whether the hands of this class bust and lose the same amount as a busted single bet.
    ///
    /// Such classes sort last.
    pub bust: bool,
    /// The net win of a hand of this class, in half bets, by dealer result.
    ///
    /// With [`Books::Records`], which hold only wins and losses, every bet counts as a single bet.
    pub against: [i8; RESULTS],
}

/// The number of kinds of split hands, which differ in what their second card may be.
///
/// The second card of an `ANY` hand is any card. The second card of an `OTHER` hand is any card except a pair
/// card.
pub(super) const KINDS: usize = 2;
pub(super) const ANY: usize = 0;
pub(super) const OTHER: usize = 1;

/// A way in which a split hand ends: the cards drawn, the class of the finished hand, and the number of card
/// orders.
pub(super) struct End {
    pub cards: Key,
    pub class: usize,
    /// The number of orders in which the strategy draws these cards, by kind of hand.
    pub orders: [f64; KINDS],
}

/// A way in which the dealer's hand ends: the cards drawn, the dealer's result, and the number of card orders.
pub(super) struct DealerEnd {
    /// The cards drawn in addition to the dealer's visible cards.
    pub cards: Key,
    pub result: DealerResult,
    pub orders: f64,
}

/// The solver's settlements of hands, from which the results of split hands are read.
pub(crate) enum Books {
    /// The settlements of wins and the settlements of losses, which show whether a hand wins, pushes or loses.
    Records(Box<[Book<f64>; 2]>),
    /// The settlements of net wins.
    Nets(Box<NetBook>),
}

/// The solver's settlements of split hands by net win.
pub(crate) struct NetBook {
    book: Book<f64>,
    /// The bet on a hand before it is doubled, attack bets included, in units of the initial bet.
    wager: f64,
    /// The moment at which a dealer's blackjack is found.
    blackjack: Blackjack,
    /// Whether a dealer's 22 is a result of its own.
    at_22: At22,
}

/// The net win of a hand that loses a single bet, in half bets.
///
/// `OTHER_NET` stands for any net win that is not in `OUTCOME_NETS`.
pub(super) const LOSS: i8 = -2;
const OTHER_NET: i8 = i8::MAX;
/// The net wins of a hand that the sums in [`super::sums`] tell apart, in half bets.
const OUTCOME_NETS: [i8; 6] = [2, 0, 4, -4, -1, LOSS];

/// Returns the settlements of wins and of losses for a solved main game.
pub(crate) fn books<J: Judge, const U: usize>(solved: &Solved<'_, '_, J, f64, U>) -> Books {
    let of = |measure| solved.solver.book_with_splits(&solved.splits, measure);
    Books::Records(Box::new([Measure::Won, Measure::Lost].map(of)))
}

/// Returns the settlements of net wins for a solved main game.
pub(crate) fn net_book<const U: usize>(solved: &Solved<'_, '_, Table<'_>, f64, U>) -> Books {
    let (solver, judge) = (solved.solver, solved.solver.judge);
    let book = solver.book_with_splits(&solved.splits, Measure::Net);
    let (n, d) = judge.wager();
    let wager = n as f64 / d.max(1) as f64;
    Books::Nets(Box::new(NetBook { book, wager, blackjack: judge.blackjack(), at_22: judge.at_22() }))
}

impl Books {
    /// Returns the net wins of a busted hand with the bet `stake`, in half bets, by dealer result.
    fn bust(&self, early: Early, stake: Stake) -> [i8; RESULTS] {
        match self {
            Books::Records(books) => sign(&books[0].bust[1].single, &books[1].bust[1].single, early),
            Books::Nets(nets) => nets.of(&nets.book.bust[1], stake),
        }
    }

    /// Returns the net wins of a surrendered hand in half bets, by dealer result.
    ///
    /// Returns `None` for [`Books::Records`], which hold only wins and losses.
    fn surrenders(&self, stake: Stake) -> Option<[i8; RESULTS]> {
        match self {
            Books::Records(_) => None,
            Books::Nets(nets) => Some(nets.of(&nets.book.surrender[1], stake)),
        }
    }

    /// Returns half of the bet on a hand before doubling, and the original bet, both in initial bets.
    ///
    /// The original bet is the amount that all hands together lose to a dealer's blackjack; it is zero for
    /// [`Books::Records`].
    pub(crate) fn half_and_original(&self) -> (f64, f64) {
        match self {
            Books::Records(_) => (0.5, 0.0),
            Books::Nets(nets) => (nets.wager / 2.0, -nets.book.together),
        }
    }

    fn at_22(&self) -> At22 {
        match self {
            Books::Records(_) => At22::Over,
            Books::Nets(nets) => nets.at_22,
        }
    }

    /// Returns the net wins of a hand that stands and is settled by `pay`, in half bets, by dealer result.
    fn stands(&self, pay: PayId, early: Early, stake: Stake) -> [i8; RESULTS] {
        let id = pay as usize;
        match self {
            Books::Records(books) => sign(&books[0].pays[id].single, &books[1].pays[id].single, early),
            Books::Nets(nets) => nets.of(&nets.book.pays[id], stake),
        }
    }
}

/// Whether a pair, as dealt, wins and loses against a dealer's blackjack found before play: 1 for yes, 0 for no.
///
/// Both are `None` if a dealer's blackjack is not found before play.
type Early = [Option<f64>; 2];

fn sign(won: &[f64; RESULTS], lost: &[f64; RESULTS], early: Early) -> [i8; RESULTS] {
    by_result(|o| {
        let [won, lost] = match early {
            [Some(won), Some(lost)] if o == BLACKJACK => [won, lost],
            _ => [won[o], lost[o]],
        };
        2 * (i8::from(won > 0.5) - i8::from(lost > 0.5))
    })
}

impl NetBook {
    /// Returns the net wins of a hand settled by `pay`, in half bets, by dealer result.
    ///
    /// Against a dealer's blackjack, every hand that answers for the original bet gets the net win of a lost
    /// single bet.
    fn of(&self, pay: &Pay<f64>, stake: Stake) -> [i8; RESULTS] {
        let nets = if stake == Stake::Doubled { &pay.doubled } else { &pay.single };
        let halves = |o: DealerResult| {
            let net = 2.0 * nets[o] / self.wager;
            let known = OUTCOME_NETS.iter().find(|known| (net - f64::from(**known)).abs() < 1e-9);
            known.map_or(OTHER_NET, |known| *known)
        };
        by_result(|o| match (o, pay.owes(stake)) {
            (BLACKJACK, _) if self.blackjack == Blackjack::BeforePlay => LOSS,
            (BLACKJACK, OriginalBet::Answers) => LOSS,
            (BLACKJACK, OriginalBet::Collected | OriginalBet::CollectedFirst) => OTHER_NET,
            _ => halves(o),
        })
    }
}

/// Returns the classes of finished split hands, and all ways in which a split hand ends.
///
/// The classes are sorted, with busted classes last.
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
    let given_up = |against| Class { bust: false, against };
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
                let surrenders = books.surrenders(Stake::Single).filter(|_| action == Action::Surrender);
                let class = surrenders.map_or_else(|| stands(at, Stake::Single), given_up);
                end(&cards, class, orders);
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
                    let surrendered_doubled = plan.plays[0][at].surrender_doubled[u];
                    let surrenders = books.surrenders(Stake::Doubled).filter(|_| surrendered_doubled);
                    let class = surrenders.map_or_else(|| stands(at, Stake::Doubled), given_up);
                    end(&plus(cards, r), class, orders);
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

/// Returns whether the sums can tell apart the net wins of all classes.
pub(super) fn are_known(classes: &[Class]) -> bool {
    classes.iter().all(|class| !class.against.contains(&OTHER_NET))
}

/// Returns all ways in which the dealer's hand ends, except busts.
///
/// The probability of a bust is one minus the probability of all other ways.
pub(super) fn dealer_ends<J: Judge>(judge: &J, books: &Books, seen: &Counts) -> Vec<DealerEnd> {
    let mut ends: BTreeMap<(Counts, DealerResult), f64> = BTreeMap::new();
    draw((judge, books.at_22()), *seen, [0; RANKS], &mut ends);
    ends.retain(|(_, result), _| *result != OVER);
    let end = |((cards, result), orders): ((Counts, DealerResult), f64)| DealerEnd {
        cards: key(&cards),
        result,
        orders,
    };
    ends.into_iter().map(end).collect()
}

fn draw<J: Judge>(
    (judge, at_22): (&J, At22),
    hand: Counts,
    drawn: Counts,
    ends: &mut BTreeMap<(Counts, DealerResult), f64>,
) {
    let count = points(&hand);
    let result = match count.total {
        21 if size(&hand) == 2 && hand[ACE] == 1 && hand[TEN] == 1 => Some(BLACKJACK),
        22 if at_22 == At22::Apart => Some(DealerResult::TwentyTwo),
        22.. => Some(OVER),
        17..=21 if size(&hand) >= 2 && judge.dealer_stands(count) => {
            Some(DealerResult::of_points(count.total))
        }
        _ => None,
    };
    match result {
        Some(result) => *ends.entry((drawn, result)).or_insert(0.0) += 1.0,
        None => Rank::ALL.into_iter().for_each(|r| draw((judge, at_22), plus(hand, r), plus(drawn, r), ends)),
    }
}
