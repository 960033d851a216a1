//! The strategy of a player who follows a strategy file, looking up the chart in the same way as the simulator.

use crate::cards::{Counts, Index};
use crate::hands::Hand;
use crate::judge::{LegalActions, Origin};
use crate::num::Real;
use crate::play::Play;
use crate::table::Table;
use crate::turn::Action;
use crate::vocabulary::{ACE, Rank, TEN, Upcard};
use program::chart::{BadChart, Chart, Take};
use program::class::MoneyScale;
use program::face::Faces;
use program::hand::{Ground, Node, choose};
use program::moves::{Move, moves};
use program::view::{View, value_label, views};
use program::{CompileOptions, compile};
use rules::play as ask;
use rules::play::{Actions, Doubled};
use rules::{Card, Cents, Choices, Suit};
use std::sync::atomic::{AtomicU8, Ordering};

/// The count at which index plays are decided: zero, since a player knows nothing of the count from a full shoe.
const COUNT: i32 = 0;

/// A chart with valid actions for all hands that can arise under it.
#[derive(Clone, Debug, PartialEq)]
pub struct CompleteChart(Chart);

impl CompleteChart {
    /// Checks that `chart` has valid actions for all hands that can arise under it.
    ///
    /// Returns an error that names the first cell that is missing or has no legal action.
    pub fn new(choices: &Choices, chart: Chart) -> Result<Self, BadChart> {
        compile(choices, &chart, &CompileOptions::default())?;
        Ok(CompleteChart(chart))
    }

    /// Returns the chart that was checked.
    pub fn chart(&self) -> &Chart {
        &self.0
    }
}

/// The strategy of a player who follows a chart at a table.
///
/// Decisions are cached, so that hands which the chart treats alike are looked up once.
pub struct Followed<'a> {
    table: &'a Table<'a>,
    chart: &'a Chart,
    faces: Faces,
    views: Vec<View>,
    money: MoneyScale,
    known: Vec<AtomicU8>,
}

/// The number of hand sizes that the cache distinguishes.
const SIZES: usize = 24;
const UNKNOWN: u8 = u8::MAX;

/// What happened to a hand before the decision, as far as its legal actions depend on it.
#[derive(Clone, Copy)]
struct Past {
    origin: Origin,
    doubled: Doubled,
    /// For a split hand, whether it may be split again.
    again: bool,
}

impl Past {
    fn index(self) -> usize {
        (self.origin as usize * 2 + usize::from(self.doubled == Doubled::Yes)) * 2 + usize::from(self.again)
    }
}

impl<'a> Followed<'a> {
    /// Returns the strategy of a player who follows `chart` at `table`.
    pub fn new(table: &'a Table<'a>, chart: &'a Chart) -> Self {
        let choices = table.choices();
        let views = views(choices);
        let cells = 4 * 2 * 2 * 2 * 32 * SIZES * 2 * views.len();
        Followed {
            table,
            chart,
            faces: Faces::new(choices, false, &|_| 0, &[]),
            views,
            money: MoneyScale::new(choices, rules::limit::least_wager(choices)),
            known: (0..cells).map(|_| AtomicU8::new(UNKNOWN)).collect(),
        }
    }

    /// Returns the chart that is followed.
    pub fn chart(&self) -> &Chart {
        self.chart
    }

    fn action_of(&self, hand: &Hand, past: Past, u: Upcard) -> Action {
        if usize::from(hand.size) <= self.chart.longest_exception() {
            return self.asked(hand, past, u);
        }
        let pair = hand.size == 2 && hand.cards.contains(&2);
        let (total, size) = (usize::from(hand.points.total), usize::from(hand.size).min(SIZES - 1));
        assert!(total < 32, "expected a hand of at most 21, found {hand:?}");
        let at = [(2, usize::from(hand.points.soft)), (32, total), (SIZES, size), (2, usize::from(pair))]
            .into_iter()
            .chain([(self.views.len(), u.index())])
            .fold(past.index(), |at, (many, one)| at * many + one);
        let known = self.known[at].load(Ordering::Relaxed);
        if let Some(&action) = ALL.get(usize::from(known)) {
            return action;
        }
        let action = self.asked(hand, past, u);
        let place = ALL.iter().position(|&a| a == action).unwrap_or(0);
        self.known[at].store(place as u8, Ordering::Relaxed);
        action
    }

    fn asked(&self, hand: &Hand, past: Past, u: Upcard) -> Action {
        let Past { origin, doubled, again } = past;
        let node = Node { hand: self.table.hand(hand, origin), doubled, again, other_played: false };
        let open = node.actions(self.table.choices());
        let ground = Ground {
            choices: self.table.choices(),
            chart: self.chart,
            faces: &self.faces,
            views: &self.views,
            money: self.money,
        };
        // A hand that the chart does not lead to may be missing from it.
        let choose = |open: Actions| choose(&ground, &node, u.index() as u8, open, COUNT);
        if open.is_empty() { Action::Stand } else { choose(open).map_or(Action::Stand, from_rules) }
    }

    /// Returns the expected net of insurance, in units of the initial bet.
    ///
    /// It is zero if the chart declines insurance. `attacks` is the number of attack bets, and `gone` holds the cards
    /// out of the shoe. A player who does not count declines an offer that depends on a count.
    pub fn insurance<R: Real>(&self, attacks: usize, gone: &Counts) -> R {
        let choices = self.table.choices();
        let ace = Card::new(ACE.face(), Suit::Spades);
        let insures = self.chart.insurance == Take::Always && moves(choices).contains(&Move::Insurance);
        if !insures {
            return R::zero();
        }
        let values = self.table.shoe();
        let faces = |r: Rank| choices.deck().cards().filter(|card| Rank::of(*card) == r).count() as i64;
        let left: Vec<(Card, R)> = choices
            .deck()
            .cards()
            .map(|card| {
                // Which cards of a value are left is unknown, so all of them are equally likely.
                let r = Rank::of(card);
                let left = (i64::from(values[r]) - i64::from(gone[r])).max(0);
                (card, R::ratio(left, faces(r)))
            })
            .collect();
        let unit = Cents(60_000);
        let net =
            |card: Card| rules::settle::insurance(choices, ace, card).net(unit).unwrap_or(Cents::ZERO).0;
        let sum = |sum: R, n: R| sum + n;
        let all = left.iter().map(|(_, n)| n.clone()).fold(R::zero(), sum);
        let won = left.iter().map(|(card, n)| n.clone() * R::int(net(*card))).fold(R::zero(), sum);
        let amount = R::ratio(i64::from(self.money.insurance[attacks.min(2)]), i64::from(self.money.unit));
        amount * (won / (all * R::int(unit.0)))
    }

    /// Returns the two values that the chart gives a two-card hand in Switch: as dealt, and as made by a switch.
    pub fn two_card_values(&self, [a, b]: [Rank; 2], up: Upcard) -> (f64, f64) {
        let column = up.column().and_then(|card| self.chart.offers.switch.get(&label(card)));
        let Some(table) = column else { return (0.0, 0.0) };
        let both = |cards: [Rank; 2]| cards.map(label).concat();
        let plain = table.get(&both([a, b])).or_else(|| table.get(&both([b, a]))).copied().unwrap_or(0.0);
        let natural = [a.min(b), a.max(b)] == [ACE, TEN];
        (if natural { table.get("BJ").copied().unwrap_or(plain) } else { plain }, plain)
    }

    /// Returns whether the chart makes the attack bet of Double Attack against this upcard.
    pub fn attacks(&self, up: Upcard) -> bool {
        up.column().and_then(|card| self.chart.offers.attack.get(&label(card)).copied()).unwrap_or(false)
    }

    /// Returns whether the chart makes the second bet of Triple Attack, and whether it makes the third.
    pub fn further_attacks(&self, first: Rank, up: Upcard) -> [bool; 2] {
        let offers = &self.chart.offers;
        let row = offers.third_attack.get(&label(first));
        let third = row.zip(up.column()).and_then(|(row, card)| row.get(&label(card)));
        [offers.second_attack.get(&label(first)), third].map(|flag| flag.copied().unwrap_or(false))
    }
}

/// Returns the label of a rank in charts, such as `A` or `T`.
pub(crate) fn label(rank: Rank) -> String {
    value_label(rank.count()).to_string()
}

const ALL: [Action; 5] = [Action::Stand, Action::Hit, Action::Double, Action::Split, Action::Surrender];

/// Converts an action of the `rules` crate to the solver's action.
pub fn from_rules(action: ask::Action) -> Action {
    match action {
        ask::Action::Stand => Action::Stand,
        ask::Action::Hit => Action::Hit,
        ask::Action::Double => Action::Double,
        ask::Action::Split => Action::Split,
        ask::Action::Surrender => Action::Surrender,
    }
}

/// Converts an action of the solver to one of the `rules` crate.
pub fn to_rules(action: Action) -> ask::Action {
    match action {
        Action::Stand => ask::Action::Stand,
        Action::Hit => ask::Action::Hit,
        Action::Double => ask::Action::Double,
        Action::Split => ask::Action::Split,
        Action::Surrender => ask::Action::Surrender,
    }
}

impl Play for Followed<'_> {
    fn action(&self, (_, hand): (Index, &Hand), origin: Origin, _: LegalActions, u: Upcard) -> Action {
        let again = Past { origin, doubled: Doubled::No, again: true };
        match self.action_of(hand, again, u) {
            // A hand that may not be split again is played by its total.
            Action::Split => self.action_of(hand, Past { again: false, ..again }, u),
            action => action,
        }
    }

    fn surrenders_doubled(&self, (_, hand): (Index, &Hand), origin: Origin, u: Upcard) -> bool {
        self.table.choices().text().halves_all()
            && self.action_of(hand, Past { origin, doubled: Doubled::Yes, again: false }, u)
                == Action::Surrender
    }

    fn splits(&self, pair: &Hand, u: Upcard) -> Option<bool> {
        let dealt = Past { origin: Origin::Dealt, doubled: Doubled::No, again: true };
        Some(self.action_of(pair, dealt, u) == Action::Split)
    }

    fn splits_again(&self, pair: &Hand, origin: Origin, u: Upcard) -> bool {
        self.action_of(pair, Past { origin, doubled: Doubled::No, again: true }, u) == Action::Split
    }

    fn takes_even_money(&self) -> Option<bool> {
        Some(self.chart.even_money == Take::Always)
    }
}
