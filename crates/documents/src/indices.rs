//! Index plays: at which count each play of a chart changes. Decisions are valued exactly from the shoe that is to be
//! expected at each count; nothing is sampled but how often the counts come about.

use crate::counted::{Counted, correlation, whole_cards};
use crate::simulate::Asked;
use crate::{Failure, Of, Stamped};
use exact::cards::Shoe;
use exact::dealers::Dealers;
use exact::decisions::{Decision, decisions};
use exact::offers::by_totals;
use exact::removal::{Replay, removal};
use exact::table::{Attacked, Table};
use exact::threads::{at_once, each_in_turn};
use exact::turn::Action;
use exact::vocabulary::{RANKS, Rank, TEN, by_rank};
use program::chart::{Cell, Chart, Index, Kind, RowKey, Take, letter, row_label};
use rules::{Choices, play};
use serde_json::{Value, json};
use side::removal::insurance_removal;
use sim::count::{Rounding, System};
use sim::report::Stakes;
use sim::{Hooks, simulate};
use std::collections::BTreeMap;

/// Counts above the mean, in tags a deck, whose shoes are solved: for tags as large as those of Hi-Lo.
const ABOVE: [f64; 9] = [-20.0, -15.0, -10.0, -5.0, 0.0, 5.0, 10.0, 15.0, 20.0];
/// Rounds that are played to learn how often each count comes about.
const ROUNDS: u64 = 2_000_000;

/// A play that changes at a count.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexPlay {
    pub row: RowKey,
    pub column: String,
    /// The play from `from` on, and what is better below.
    pub play: Action,
    pub otherwise: Action,
    /// The count as it is rounded.
    pub from: i32,
    /// The count at which both are worth the same.
    pub exact: f64,
    /// How far that may be off, by how far the values are from a straight line.
    pub error: f64,
    /// What it adds to a round of one unit to depart from the chart.
    pub gain: f64,
}

/// All index plays of a table for a system.
pub struct Indices {
    pub plays: Vec<IndexPlay>,
    /// The count from which on insurance gains, where the table has it, and what it adds to a round.
    pub insurance: Option<(i32, f64, f64)>,
    /// How often each count comes about when a round begins.
    pub often: Vec<(i32, f64)>,
    pub betting: f64,
    pub playing: f64,
    pub insuring: Option<f64>,
    pub chart: Chart,
    pub asked: Asked,
}

/// Works them out. `asked` names the system, and how it is divided and rounded.
pub fn work_out(choices: &Choices, asked: &Asked) -> Result<Indices, Failure> {
    let system = asked.options()?.system.ok_or_else(|| {
        Failure::NotUnderstood("index plays go by a count: name one, --count hi-lo or ten tags".into())
    })?;
    let chart = by_totals(choices);
    let often = often(choices, asked)?;
    let table = Table::new(choices, Attacked::No);
    let program = program::compile(choices, &chart, &program::Wish::default())
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let counted = Counted::new(&program, &system, &table.shoe());
    let curves = curves(choices, &chart, &counted);
    let mut plays: Vec<IndexPlay> = curves.iter().filter_map(|curve| curve.index(&system, &often)).collect();
    plays.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let main = removal(&table, Replay::Fixed);
    let insuring = insurance_removal(choices).map(|effects| counted.correlation(&effects));
    Ok(Indices {
        insurance: insurance(choices, &counted, &often),
        betting: counted.correlation(&main),
        playing: playing(&counted, &table.shoe(), &curves),
        insuring,
        often,
        chart,
        plays,
        asked: asked.clone(),
    })
}

/// How often each count comes about, by a short simulation.
fn often(choices: &Choices, asked: &Asked) -> Result<Vec<(i32, f64)>, Failure> {
    let asked = Asked {
        rounds: Some(ROUNDS),
        strategy: "quick".into(),
        side_wagers: vec!["none".into()],
        ramp: None,
        until_error: None,
        chunks: None,
        ..asked.clone()
    };
    let ready = asked.ready(choices.clone(), Stakes::default())?;
    let played = simulate(ready.program()?, &ready.options, Hooks::default()).map_err(Failure::Refused)?;
    let told = ready.outcome(&played).document;
    let rows = told["by_count"].as_array().into_iter().flatten();
    Ok(rows.filter_map(|row| Some((row["count"].as_i64()? as i32, row["frequency"].as_f64()?))).collect())
}

/// What a decision is worth at each count.
struct Curve {
    /// The decision from the full shoe.
    at_first: Decision,
    /// By shoe: the count of somebody who decides, and the gain of the play there, with the best of the others.
    points: Vec<(f64, f64, Action)>,
    /// What one card less of each value does to the gain.
    effects: [f64; RANKS],
}

type Key = (RowKey, String, Action);

fn curves(choices: &Choices, chart: &Chart, counted: &Counted) -> Vec<Curve> {
    let dealers = Dealers::default();
    let solve = |shoe: &Shoe| -> BTreeMap<Key, Decision> {
        let table = Table::new(choices, Attacked::No).sharing(&dealers).with_shoe(*shoe);
        let all = decisions(&table, chart);
        all.into_iter().map(|d| ((d.row, d.column.clone(), d.play), d)).collect()
    };
    let full = Table::new(choices, Attacked::No).shoe();
    let few = u16::from(choices.decks);
    let expected = ABOVE.map(|above| counted.expected(above * counted.size()));
    let mut shoes: Vec<Shoe> = expected.iter().map(whole_cards).collect();
    for r in Rank::ALL {
        let mut without = full;
        without[r] = without[r].saturating_sub(few);
        shoes.push(without);
    }
    let mut found = each_in_turn(&shoes, at_once(choices), solve);
    let without = found.split_off(ABOVE.len());
    let Some(whole) = ABOVE.iter().position(|&above| above == 0.0).and_then(|at| found.get(at)) else {
        return Vec::new();
    };
    let curve = |(key, first): (&Key, &Decision)| {
        let effects = by_rank(|r| {
            let change = without[r.index()].get(key).map_or(0.0, |d| d.gain - first.gain);
            if full[r] > 0 { change / f64::from(few) } else { 0.0 }
        });
        let points = expected.iter().zip(&shoes).zip(&found).filter_map(|((expected, shoe), at)| {
            let here = at.get(key)?;
            // whole cards are not just those expected; what the difference is worth is known to the first order
            let off: f64 =
                Rank::ALL.into_iter().map(|r| effects[r] * (f64::from(shoe[r]) - expected[r])).sum();
            let left = std::array::from_fn(|r| (expected[r] - here.seen[r]).max(0.0));
            Some((counted.count(&left), here.gain + off, here.otherwise))
        });
        Curve { at_first: first.clone(), points: points.collect(), effects }
    };
    whole.iter().map(curve).collect()
}

impl Curve {
    /// The gain at a count: by the parabola through the three nearest points.
    fn gain(&self, count: f64) -> f64 {
        let mut near: Vec<&(f64, f64, Action)> = self.points.iter().collect();
        near.sort_by(|a, b| (a.0 - count).abs().total_cmp(&(b.0 - count).abs()));
        let near = &near[..near.len().min(3)];
        let term = |i: usize| {
            let others = near.iter().enumerate().filter(|(j, _)| *j != i);
            others.fold(near[i].1, |value, (_, other)| value * (count - other.0) / (near[i].0 - other.0))
        };
        (0..near.len()).map(term).sum()
    }

    /// The count nearest to zero at which the play becomes better or worse, with how far a straight line would be from it.
    fn root(&self) -> Option<(f64, f64)> {
        let mut points = self.points.clone();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let roots = points.windows(2).filter(|two| (two[0].1 > 0.0) != (two[1].1 > 0.0)).map(|two| {
            let (mut low, mut high) = (two[0].0, two[1].0);
            let straight = low - two[0].1 * (high - low) / (two[1].1 - two[0].1);
            let rises = two[1].1 > 0.0;
            for _ in 0..50 {
                let middle = (low + high) / 2.0;
                if (self.gain(middle) > 0.0) == rises { high = middle } else { low = middle }
            }
            (low, (low - straight).abs())
        });
        roots.min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))
    }

    fn index(&self, system: &System, often: &[(i32, f64)]) -> Option<IndexPlay> {
        let (exact, error) = self.root()?;
        let at = self.points.iter().min_by(|a, b| (a.0 - exact).abs().total_cmp(&(b.0 - exact).abs()))?;
        let first = &self.at_first;
        let rises = self.gain(exact + 1.0) > self.gain(exact - 1.0);
        let (play, otherwise) = if rises { (first.play, at.2) } else { (at.2, first.play) };
        let from = rounded(system, exact);
        let charted = first.gain > 0.0;
        let gain: f64 = often
            .iter()
            .map(|&(count, share)| (self.gain(middle(system, count)), (count >= from) == rises, share))
            .filter(|(_, plays, _)| *plays != charted)
            .map(|(gain, plays, share)| share * first.chance * if plays { gain } else { -gain })
            .sum();
        Some(IndexPlay {
            row: first.row,
            column: first.column.clone(),
            play,
            otherwise,
            from,
            exact,
            error,
            gain,
        })
    }
}

/// The mean of the counts that are rounded to this one.
fn middle(system: &System, count: i32) -> f64 {
    let whole = f64::from(count);
    match system.rounding {
        Rounding::Nearest => whole,
        Rounding::Down => whole + 0.5,
        Rounding::TowardsZero if count == 0 => 0.0,
        Rounding::TowardsZero => whole + 0.5 * whole.signum(),
    }
}

/// The least rounded count whose mean is not below this one.
fn rounded(system: &System, exact: f64) -> i32 {
    let near = exact.floor() as i32;
    (near - 2..=near + 2).find(|&count| middle(system, count) >= exact).unwrap_or(near)
}

/// Insurance from the shoe that is expected with an ace in sight: the count, as rounded and exactly, and the gain.
fn insurance(choices: &Choices, counted: &Counted, often: &[(i32, f64)]) -> Option<(i32, f64, f64)> {
    let pays = side::insurance(choices)?;
    let odds: Vec<(f64, f64)> = pays.wins.iter().map(|(text, _)| (net_of(text), 1.0)).collect();
    // what wins is a second card of ten value
    let [(net, _)] = odds[..] else { return None };
    let value = |above: f64| {
        let mut left = counted.expected(above);
        left[0] -= 1.0;
        let tens = left[TEN] / left.iter().sum::<f64>();
        (counted.count(&left), tens * (net + 1.0) - 1.0)
    };
    let [mut low, mut high] = [ABOVE[0], ABOVE[ABOVE.len() - 1]].map(|above| above * counted.size());
    if value(low).1 > 0.0 || value(high).1 < 0.0 {
        return None;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if value(middle).1 > 0.0 { high = middle } else { low = middle }
    }
    let exact = value(low).0;
    let from = rounded(&counted.system, exact);
    let slope = (value(low + 1.0).1 - value(low).1) / (value(low + 1.0).0 - exact);
    let aces = counted.expected(0.0)[0] / counted.expected(0.0).iter().sum::<f64>();
    // insurance is half of the wager
    let taken = often.iter().filter(|(count, _)| *count >= from);
    let gain =
        taken.map(|&(count, share)| share * slope * (middle(&counted.system, count) - exact)).sum::<f64>();
    Some((from, exact, aces * gain / 2.0))
}

fn net_of(odds: &str) -> f64 {
    let (pays, per) = odds.split_once(" to ").unwrap_or((odds, "1"));
    let number = |text: &str| text.trim().parse::<f64>().unwrap_or(f64::NAN);
    number(pays) / number(per)
}

/// How well the tags tell when to depart from the chart: the mean correlation of tags and effects over all decisions, each
/// weighed by how often it is asked for and how much cards move it.
fn playing(counted: &Counted, shoe: &Shoe, curves: &[Curve]) -> f64 {
    let cards = shoe.map(f64::from);
    let (mut sum, mut all) = (0.0, 0.0);
    for curve in curves.iter().filter(|curve| curve.root().is_some()) {
        let moved: f64 =
            Rank::ALL.into_iter().map(|r| cards[r] * curve.effects[r].powi(2)).sum::<f64>().sqrt();
        let weight = curve.at_first.chance * moved;
        all += weight;
        sum += weight * correlation(&cards, &counted.tags, &curve.effects).abs();
    }
    if all > 0.0 { sum / all } else { 0.0 }
}

impl Indices {
    /// The chart with its index plays, as `simulate --strategy` reads it; with the most valuable ones only where a number
    /// is given.
    pub fn with_plays(&self, most: Option<usize>) -> Chart {
        let mut chart = self.chart.clone();
        let mut plays: Vec<&IndexPlay> = self.plays.iter().take(most.unwrap_or(usize::MAX)).collect();
        // what is allowed on first hands alone comes before drawing and standing
        plays.sort_by_key(|play| (rank(play.play).min(rank(play.otherwise)), play.row));
        chart.indices = plays.into_iter().filter_map(|play| self.departure(play)).collect();
        if let Some((from, _, _)) = self.insurance {
            chart.insurance = Take::FromCount(from);
        }
        chart
    }

    /// An index play as a departure from the chart: from its count on, or below it.
    fn departure(&self, play: &IndexPlay) -> Option<Index> {
        let cell = self.chart.cell(&["initial".to_string()], play.row, &play.column)?;
        let charted = cell.0.first().copied();
        let plays = [play.play, play.otherwise].map(to_rules);
        // of a doubled cell the small letter is what is done with more cards
        let stays = match (charted, rank(play.play).min(rank(play.otherwise))) {
            (Some(first), 3) => plays.iter().position(|p| cell.0.last() == Some(p) || first == *p),
            (first, _) => plays.iter().position(|p| first == Some(*p)),
        };
        let below = match stays {
            Some(at) => at == 0,
            None => play.from <= 0,
        };
        let done = if below { plays[1] } else { plays[0] };
        Some(Index {
            row: play.row,
            column: play.column.clone(),
            from: play.from,
            below,
            play: Cell(vec![done]),
        })
    }
}

/// The order in which plays are asked about.
fn rank(action: Action) -> u8 {
    match action {
        Action::Surrender => 0,
        Action::Split => 1,
        Action::Double => 2,
        Action::Hit | Action::Stand => 3,
    }
}

fn to_rules(action: Action) -> play::Action {
    match action {
        Action::Stand => play::Action::Stand,
        Action::Hit => play::Action::Hit,
        Action::Double => play::Action::Double,
        Action::Split => play::Action::Split,
        Action::Surrender => play::Action::Surrender,
    }
}

fn letter_of(action: Action) -> String {
    letter(to_rules(action)).to_string()
}

/// The document.
pub fn document(choices: &Choices, found: &Indices) -> Stamped<Value> {
    let plays = found.plays.iter().map(|play| {
        json!({
            "hand": row_label(play.row), "up": play.column, "from": play.from, "play": letter_of(play.play),
            "otherwise": letter_of(play.otherwise), "gain": play.gain, "exact": play.exact, "error": play.error,
        })
    });
    let insurance =
        found.insurance.map(|(from, exact, gain)| json!({ "from": from, "exact": exact, "gain": gain }));
    let document = json!({
        "indices": plays.collect::<Vec<_>>(),
        "insurance": insurance,
        "method": "exact values from the shoe that is expected at each count",
        "betting_correlation": found.betting,
        "playing_correlation": found.playing,
        "insurance_correlation": found.insuring,
        "counts": found.often.iter().map(|(count, share)| json!({ "count": count, "frequency": share })).collect::<Vec<_>>(),
    });
    Stamped::new(document, of(choices, &found.asked))
}

/// What index plays and ramps are of.
pub fn of(choices: &Choices, asked: &Asked) -> Of {
    Of::table(choices)
        .with("strategy", "total-dependent")
        .with("count", asked.count.clone())
        .with("count_start", asked.count_start)
        .with("seed", asked.seed)
}

/// Rows of pairs come last, as in a chart.
pub fn in_order(plays: &mut [IndexPlay]) {
    plays.sort_by(|a, b| {
        let kind = |play: &IndexPlay| (play.row.0 == Kind::Pairs, play.row, play.column.clone());
        kind(a).cmp(&kind(b))
    });
}
