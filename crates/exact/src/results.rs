//! The results of the main game: how often an unsplit hand ends in each way with each net.
//!
//! Split hands are not listed by ending: the results only say how often hands are split, and what the split
//! hands win in total. All figures are exact.

use crate::cards::{pair_of, plus, points, two_cards};
use crate::game::{Strategy, play_choice};
use crate::given::Followed;
use crate::hands::{Hand, Suits};
use crate::judge::{Blackjack, Ended, Ending, Finish, Judge, Measure, Net, Origin, Stake};
use crate::round::{Solved, by_first_card, first_two_v_blackjack};
use crate::seen::{Row, Seen, sum};
use crate::solve::Solver;
use crate::switch::{TwoCards, twos};
use crate::table::{Attacked, Table};
use crate::vocabulary::{ACE, DealerResult, RANKS, Rank, TEN, Upcard, by_up};
use crate::whole::Round;
use rules::Choices;
use rules::text::Form;
use std::collections::{BTreeMap, BTreeSet};

/// One way for a hand to end, with its frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndingRow {
    /// How the hand ended, with its net in units of the hand's initial bet.
    pub ended: Ended,
    /// The number of equal bets on the hand before doubling: more than one with attack bets.
    pub wagers: u8,
    /// The expected number of hands per round that end this way.
    pub hands: f64,
}

impl EndingRow {
    /// Returns the net in units of the hand's initial bet.
    pub fn net(&self) -> f64 {
        self.ended.net.0 as f64 / self.ended.net.1 as f64
    }
}

/// How the hands of a round end, with frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The ways in which unsplit hands end, best first.
    pub lines: Vec<EndingRow>,
    /// The expected number of dealt hands per round that are split.
    pub split: f64,
    /// The expected net of all split hands per round, in units of one hand's initial bet.
    pub split_net: f64,
    /// The number of hands dealt to a box.
    pub dealt: u8,
}

/// Returns how hands end in the main game, dealt from a full shoe.
pub fn results(choices: &Choices, strategy: &Strategy) -> Results {
    results_at(&Table::new(choices, Attacked::No), strategy)
}

/// Returns how hands end in the main game, dealt from the table's shoe.
pub fn results_at(table: &Table<'_>, strategy: &Strategy) -> Results {
    let chart = strategy.chart(table);
    let followed = chart.as_ref().map(|chart| Followed::new(table, chart));
    let round =
        Round { table, play_choice: play_choice(strategy, followed.as_ref()), followed: followed.as_ref() };
    let (counted, net) = match (table.choices().text().form(), table.seen()) {
        (Form::TwoHands, _) => switch(&round),
        (Form::OneHand, Seen::UpCard) => one_hand::<RANKS>(&round),
        (Form::OneHand, _) => one_hand::<55>(&round),
        (Form::OneAttack, _) => one_attack(&round),
        (Form::TwoAttacks, _) => two_attacks(&round),
    };
    let dealt = table.choices().hands_per_box() as u8;
    let mut lines: Vec<EndingRow> = counted
        .into_iter()
        .filter(|(_, hands)| *hands > 0.0)
        .map(|((ended, wagers), hands)| EndingRow { ended, wagers, hands })
        .collect();
    lines.sort_by(|a, b| b.net().total_cmp(&a.net()).then(a.ended.cmp(&b.ended)));
    let (ended, kept) =
        lines.iter().fold((0.0, 0.0), |(n, net), line| (n + line.hands, net + line.hands * line.net()));
    Results { lines, split: (f64::from(dealt) - ended).max(0.0), split_net: net - kept, dealt }
}

/// Expected number of hands per round, by how they end and by their number of bets.
type Counted = BTreeMap<(Ended, u8), f64>;

/// Returns every way in which an unsplit hand can end.
fn endings<J: Judge>(judge: &J, hands: &[Hand]) -> Vec<Ended> {
    let mut found = BTreeSet::new();
    let mut asked = BTreeSet::new();
    let mut ask = |hand: Hand, origin, ending, stake| {
        let finish = Finish { hand, origin, ending, stake };
        for result in DealerResult::ALL {
            let net = match judge.net(&finish, result) {
                Net::Amount(n, d) | Net::Collected(n, d) | Net::CollectedFirst(n, d) => (n, d.max(1)),
                Net::Original => (-judge.original().0, judge.original().1.max(1)),
            };
            found.insert(Ended::of(&finish, net));
        }
    };
    for hand in hands.iter().filter(|hand| hand.size > 1) {
        let natural = hand.size == 2 && hand.cards[ACE] == 1 && hand.cards[TEN] == 1;
        let sevens = hand.size == 3 && hand.cards[Rank::Seven] == 3;
        // skip hands that settlement does not distinguish from an earlier one
        if !asked.insert((hand.points.total, hand.size.min(6), natural, sevens, hand.suits as u8)) {
            continue;
        }
        ask(*hand, Origin::Dealt, Ending::Stood, Stake::Single);
        if hand.size > 2 {
            ask(*hand, Origin::Dealt, Ending::Stood, Stake::Doubled);
        }
        if hand.suits == Suits::MaybeSuited {
            ask(Hand { suits: Suits::Any, ..*hand }, Origin::Dealt, Ending::Stood, Stake::Single);
        }
        if natural {
            ask(*hand, Origin::Switched, Ending::Stood, Stake::Single);
            if judge.designated().is_some() {
                ask(Hand { suits: Suits::Suited, ..*hand }, Origin::Dealt, Ending::Stood, Stake::Single);
            }
        }
    }
    let cards = plus(pair_of(TEN), Rank::Nine);
    let over = Hand { cards, points: points(&cards), size: 3, suits: Suits::Any };
    let mut ask = |ending, stake| {
        let finish = Finish { hand: over, origin: Origin::Dealt, ending, stake };
        for result in DealerResult::ALL {
            if let Net::Amount(n, d) = judge.net(&finish, result) {
                found.insert(Ended::of(&finish, (n, d.max(1))));
            }
        }
    };
    for stake in [Stake::Single, Stake::Doubled] {
        ask(Ending::Busted, stake);
        ask(Ending::BustedUnseen, stake);
        ask(Ending::Surrendered, stake);
    }
    found.extend(judge.even_money().map(|net| Ended::of(&natural(), net)));
    found.into_iter().collect()
}

/// Returns a dealt blackjack that stands.
fn natural() -> Finish {
    let cards = two_cards([ACE, TEN]);
    let hand = Hand { cards, points: points(&cards), size: 2, suits: Suits::Any };
    Finish { hand, origin: Origin::Dealt, ending: Ending::Stood, stake: Stake::Single }
}

fn one_hand<const U: usize>(round: &Round<'_>) -> (Counted, f64) {
    let table = round.table;
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, round.play_choice);
    let counted = endings(table, &solver.hands.list).into_iter().map(|ended| {
        let rows = solved.unsplit_rounds(Measure::Ended(ended));
        ((ended, 1), rows.iter().map(|(_, row)| sum(row)).sum())
    });
    (counted.collect(), sum(&solved.round(Measure::Net)))
}

fn one_attack(round: &Round<'_>) -> (Counted, f64) {
    let table = round.table;
    let attacked = Table::new(table.choices(), Attacked::Yes).with_shoe(table.shoe());
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let doubled = solver.judged_by(&attacked);
    let (once, twice) =
        (Solved::by(&solver, &dealer, round.play_choice), Solved::by(&doubled, &dealer, round.play_choice));
    let nets = [once.round(Measure::Net), twice.round(Measure::Net)];
    let attacks: [bool; RANKS] = by_up(|u| round.followed.map_or(nets[1][u] > nets[0][u], |f| f.attacks(u)));
    let mut counted = Counted::new();
    for (wagers, (judge, solved)) in (1..).zip([(table, &once), (&attacked, &twice)]) {
        for ended in endings(judge, &solver.hands.list) {
            let rows = solved.unsplit_rounds(Measure::Ended(ended));
            let taken = Upcard::all::<RANKS>().filter(|&u| attacks[u] == (wagers == 2));
            let hands = taken.map(|u| rows.iter().map(|(_, row)| row[u]).sum::<f64>()).sum();
            counted.insert((ended, wagers), hands);
        }
    }
    (counted, Upcard::all::<RANKS>().map(|u| nets[usize::from(attacks[u])][u]).sum())
}

fn two_attacks(round: &Round<'_>) -> (Counted, f64) {
    let table = round.table;
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::by(&solver, &dealer, round.play_choice);
    let net = by_first_card(&solved, &solved.rounds(Measure::Net));
    let made = |first: Rank, u: Upcard| match round.followed {
        Some(followed) => followed.further_attacks(first, u),
        None => [sum(&net[first]) > 0.0, net[first][u] > 0.0],
    };
    let wagers = |first: Rank, u: Upcard| 1 + made(first, u).iter().filter(|&&made| made).count() as u8;
    let all = || Rank::ALL.into_iter().flat_map(|first| Upcard::all::<RANKS>().map(move |u| (first, u)));
    let mut counted = Counted::new();
    for ended in endings(table, &solver.hands.list) {
        let rows = by_first_card(&solved, &solved.unsplit_rounds(Measure::Ended(ended)));
        for (first, u) in all() {
            let n = wagers(first, u);
            let (numerator, denominator) = ended.net;
            let of_all = Ended { net: lowest(numerator * i64::from(n), denominator), ..ended };
            *counted.entry((of_all, n)).or_default() += rows[first][u];
        }
    }
    (counted, all().map(|(first, u)| f64::from(wagers(first, u)) * net[first][u]).sum())
}

/// Returns the fraction `n / d` in lowest terms, for small numbers.
fn lowest(n: i64, d: i64) -> (i64, i64) {
    let common = (1..=d).rev().find(|c| n % c == 0 && d % c == 0).unwrap_or(1);
    (n / common, d / common)
}

/// The chances of each ending of a hand beside another hand: as dealt, and if a switch made the hand.
///
/// The second list is `None` if the chances do not differ.
type DealtAndSwitched = (Vec<Row<f64, RANKS>>, Option<Vec<Row<f64, RANKS>>>);

fn switch(round: &Round<'_>) -> (Counted, f64) {
    let table = round.table;
    let dealer = table.dealer::<f64, RANKS>();
    let solver = Solver::new(table, &dealer, table.shoe(), &[0; RANKS]);
    let endings = endings(table, &solver.hands.list);
    let visit = |solved: &Solved<'_, '_, Table<'_>, f64, RANKS>| {
        let ends: Vec<EndingChances> = endings.iter().map(|&ended| beside(solved, ended)).collect();
        TwoCards::all()
            .map(|hand| {
                let dealt = ends.iter().map(|end| end.0[hand.index()]).collect::<Option<Vec<_>>>()?;
                let switched =
                    (hand == TwoCards::of([ACE, TEN])).then(|| ends.iter().filter_map(|end| end.1).collect());
                Some((dealt, switched))
            })
            .collect::<Vec<Option<DealtAndSwitched>>>()
    };
    let (switch, beside) = round.switch_with(visit);
    let blackjack_first = table.blackjack() == Blackjack::BeforePlay;
    let mut hands = vec![0.0; endings.len()];
    let mut net = 0.0;
    switch.each_deal(|chance, decision, five @ (first, second, up)| {
        let switches = switch.switches(decision, five);
        net += chance * if switches { decision.switch } else { decision.keep };
        let kept = [first, second].map(TwoCards::of);
        let crossed = [[first[0], second[1]], [second[0], first[1]]].map(TwoCards::of);
        let [a, b] = if switches { crossed } else { kept };
        let early_blackjack = match (blackjack_first, switch.hand(kept[0], kept[1])) {
            (true, Some(beheld)) => beheld.blackjack[up],
            _ => 0.0,
        };
        for (hand, other) in [(a, b), (b, a)] {
            let beside = beside[other.index()].as_ref();
            let Some((dealt, switched)) = beside.and_then(|all| all[hand.index()].as_ref()) else {
                return;
            };
            let of = switched.as_ref().filter(|_| switches).unwrap_or(dealt);
            hands.iter_mut().zip(of).for_each(|(sum, row)| *sum += chance * row[up]);
        }
        if early_blackjack > 0.0 {
            for (sum, &ended) in hands.iter_mut().zip(&endings) {
                let lost = |cards| first_two_v_blackjack::<_, f64>(table, cards, Measure::Ended(ended));
                *sum += chance * early_blackjack * (lost(first) + lost(second));
            }
        }
    });
    (endings.into_iter().map(|ended| (ended, 1)).zip(hands).collect(), net)
}

/// The chance of one ending for each two-card hand, and for an ace and a ten-value card made by a switch.
type EndingChances = (Vec<Option<Row<f64, RANKS>>>, Option<Row<f64, RANKS>>);

fn beside(solved: &Solved<'_, '_, Table<'_>, f64, RANKS>, ended: Ended) -> EndingChances {
    let solver = solved.solver;
    let mut book = solver.book_with_splits(&solved.splits, Measure::Ended(ended));
    let unsplit = solved.unsplit(&book);
    let dealt = twos().iter().map(|cards| solver.hands.find(cards).map(&unsplit)).collect();
    let switched = solver.hands.find(&natural().hand.cards).map(|i| {
        let pay = book.pay(solver.judge, solver.hand(i), Origin::Switched);
        let single = book.pays[usize::from(pay)].single;
        let chances = solver.chances(i as usize);
        by_up(|u| DealerResult::ALL.into_iter().map(|o| single[o] * chances[o][u]).sum())
    });
    (dealt, switched)
}
