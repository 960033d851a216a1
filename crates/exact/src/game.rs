//! Whole games: from a table's options to the EV of a round, its variance and its frequencies.

pub use crate::figures::Figures;
use crate::figures::MEASURES;
use crate::given::{CompleteChart, Followed};
use crate::judge::{Judge, Measure};
use crate::num::Real;
use crate::offers::total_dependent_chart_at;
use crate::play::{AfterSplit, PlayChoice};
use crate::seen::Seen;
use crate::switch_figures;
use crate::table::{Attacked, Table};
use crate::vocabulary::RANKS;
use crate::whole::Round;
use program::Chart;
use rules::Choices;
use rules::text::Form;

/// The strategy to evaluate.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Strategy {
    /// The best action for the exact cards, with split hands played as if they had been dealt (CDZ-).
    #[default]
    CompositionDependent,
    /// The best action for the exact cards, with all split hands played as is best for a single split (CDP1).
    ///
    /// A resplit does not change how the hands are played.
    AfterFirstSplit,
    /// The best action for the exact cards, with split hands played as is best for the pair cards seen (CDP).
    AfterPairsSeen,
    /// The best action for the total and softness of the hand alone.
    TotalDependent,
    /// A chart that the caller supplies.
    Given(Box<CompleteChart>),
}

impl Strategy {
    /// Returns the strategy's name in reports, such as `total-dependent`.
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::CompositionDependent => "composition-dependent",
            Strategy::AfterFirstSplit => "composition-dependent, best after the first split",
            Strategy::AfterPairsSeen => "composition-dependent, best for the pair cards seen",
            Strategy::TotalDependent => "total-dependent",
            Strategy::Given(_) => "given",
        }
    }

    /// Returns the strategy's chart, or `None` if it has none.
    pub fn chart(&self, table: &Table<'_>) -> Option<Chart> {
        match self {
            Strategy::TotalDependent => Some(total_dependent_chart_at(table)),
            Strategy::Given(given) => Some(given.chart().clone()),
            _ => None,
        }
    }

    pub(crate) fn after_split(&self) -> AfterSplit {
        match self {
            Strategy::AfterFirstSplit => AfterSplit::FirstSplit,
            Strategy::AfterPairsSeen => AfterSplit::PairsSeen,
            _ => AfterSplit::AsDealt,
        }
    }
}

/// Returns the expected net of a round from a full shoe, in units of the initial required bets.
pub fn value(choices: &Choices, strategy: &Strategy) -> f64 {
    value_at(&Table::new(choices, Attacked::No), strategy)
}

/// Returns the expected net of a round from the table's shoe, in units of the initial required bets.
///
/// Not generic, so that the crates that ask for a value do not compile the whole solver once more.
pub fn value_at(table: &Table<'_>, strategy: &Strategy) -> f64 {
    value_in(table, strategy)
}

/// Returns the same value as [`value_at`], computed in the number type `R`.
pub(crate) fn value_in<R: Real>(table: &Table<'_>, strategy: &Strategy) -> R {
    let chart = strategy.chart(table);
    let followed = chart.as_ref().map(|chart| Followed::new(table, chart));
    let round =
        Round { table, play_choice: play_choice(strategy, followed.as_ref()), followed: followed.as_ref() };
    match (table.choices().text().form(), table.seen()) {
        (Form::TwoHands, _) => round.switch::<R>().value().0 / R::int(2) + round.insurance(),
        (Form::OneHand, Seen::UpCard) => round.one_hand::<R, RANKS>() + round.insurance(),
        (Form::OneHand, _) => round.one_hand::<R, 55>(),
        (Form::OneAttack, _) => round.double_attack(&[Measure::Net]).net(),
        (Form::TwoAttacks, _) => round.triple_attack(&[Measure::Net]).net(),
    }
}

/// Returns the expected net and the expected squared net of a round, dealt from the table's shoe.
///
/// The square leaves out the products of two hands of a split. It is `None` for Switch, where it would take too
/// long.
pub fn net_and_square(table: &Table<'_>, strategy: &Strategy) -> (f64, Option<f64>) {
    let chart = strategy.chart(table);
    let followed = chart.as_ref().map(|chart| Followed::new(table, chart));
    let round =
        Round { table, play_choice: play_choice(strategy, followed.as_ref()), followed: followed.as_ref() };
    let measures = [Measure::Net, Measure::Squared];
    let with_square = |(net, square): (f64, f64)| (net, Some(square));
    match (table.choices().text().form(), table.seen()) {
        (Form::TwoHands, _) => (round.switch::<f64>().value().0 / 2.0, None),
        (Form::OneHand, Seen::UpCard) => with_square(round.one_hand_squared::<RANKS>()),
        (Form::OneHand, _) => with_square(round.one_hand_squared::<55>()),
        (Form::OneAttack, _) => with_square(round.double_attack(&measures).two()),
        (Form::TwoAttacks, _) => with_square(round.triple_attack(&measures).two()),
    }
}

pub(crate) fn play_choice<'a>(strategy: &Strategy, followed: Option<&'a Followed<'a>>) -> PlayChoice<'a> {
    followed.map_or(PlayChoice::Best(strategy.after_split()), |f| PlayChoice::Given(f))
}

/// Returns the figures of a table under a strategy, dealt from a full shoe.
pub fn figures(choices: &Choices, strategy: &Strategy) -> Figures {
    figures_at(&Table::new(choices, Attacked::No), strategy)
}

/// Returns the figures of a table under a strategy, dealt from the table's shoe.
pub fn figures_at(table: &Table<'_>, strategy: &Strategy) -> Figures {
    let chart = strategy.chart(table);
    let followed = chart.as_ref().map(|chart| Followed::new(table, chart));
    let round =
        Round { table, play_choice: play_choice(strategy, followed.as_ref()), followed: followed.as_ref() };
    let (mut figures, insured) = match (table.choices().text().form(), table.seen()) {
        (Form::TwoHands, _) => (switch_figures::figures(&round), round.insurance()),
        (Form::OneHand, Seen::UpCard) => (round.one_hand_figures::<RANKS>(), round.insurance()),
        (Form::OneHand, _) => (round.one_hand_figures::<55>(), 0.0),
        (Form::OneAttack, _) => round.double_attack(&MEASURES).figures(),
        (Form::TwoAttacks, _) => round.triple_attack(&MEASURES).figures(),
    };
    figures.ev += insured;
    figures.insured = insured;
    figures
}
