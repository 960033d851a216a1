//! Adds the distribution of a round's net win to the math report.
//!
//! Every possible net win is listed with its probability. The variance follows from this list.

use crate::report_text::{chance, number, percent};
use serde::Serialize;
use side::round_nets::RoundNets;
use utoipa::ToSchema;

/// The distribution of a round's net win, as a report states it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RoundResults {
    /// Every possible net win with its probability.
    pub nets: Vec<NetRow>,
    /// The fraction of rounds that win.
    pub won: f64,
    /// The fraction of rounds that push.
    pub pushed: f64,
    /// The fraction of rounds that lose.
    pub lost: f64,
    /// The number of equal bets in a round, each against its own dealer hand.
    pub bets: usize,
    /// The expected net win of a round, in initial bets.
    pub ev: f64,
    /// The variance of a round's net win, in squared initial bets.
    pub variance: f64,
}

/// One possible net win of a round, in initial bets, with its probability.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct NetRow {
    /// The net win.
    pub net: f64,
    /// The probability of the net win.
    pub probability: f64,
    /// The part of `probability` that comes from rounds in which a pair is split.
    pub split: f64,
    /// The probability times the net win.
    pub contribution: f64,
    /// The probability times the square of the net win.
    pub square: f64,
}

impl RoundResults {
    pub fn of(round: &RoundNets, bets: usize) -> RoundResults {
        let row = |at: &side::round_nets::NetChance| NetRow {
            net: at.net,
            probability: at.probability,
            split: at.split,
            contribution: at.probability * at.net,
            square: at.probability * at.net * at.net,
        };
        let share = |of: fn(f64) -> bool| {
            round.nets.iter().filter(|at| of(at.net)).map(|at| at.probability).sum::<f64>()
        };
        RoundResults {
            nets: round.nets.iter().map(row).collect(),
            won: share(|net| net > 0.0),
            pushed: share(|net| net == 0.0),
            lost: share(|net| net < 0.0),
            bets,
            ev: round.ev,
            variance: round.variance,
        }
    }
}

/// The column headings of the table of a round's possible net wins.
pub const COLUMNS: [&str; 5] = ["net", "probability", "of these, split", "contribution", "times net squared"];

/// Returns the rows of the table of a round's possible net wins, with the sums in the last row.
pub fn rows(round: &RoundResults) -> Vec<Vec<String>> {
    let sum = |part: fn(&NetRow) -> f64| round.nets.iter().map(part).sum::<f64>();
    let row = |row: &NetRow| {
        let cells = [
            format!("{:+}", row.net),
            chance(row.probability),
            chance(row.split),
            number(row.contribution),
            number(row.square),
        ];
        Vec::from(cells)
    };
    let last = [
        "sum".to_string(),
        format!("{:.9}", sum(|row| row.probability)),
        format!("{:.9}", sum(|row| row.split)),
        format!("{:.6}", sum(|row| row.contribution)),
        format!("{:.6}", sum(|row| row.square)),
    ];
    round.nets.iter().map(row).chain([Vec::from(last)]).collect()
}

/// Describes the shares of won, pushed and lost rounds and the variance of a round in words.
pub fn sentence(round: &RoundResults) -> String {
    let per_bet = match round.bets {
        bets @ 2.. => {
            let variance = round.variance / (bets * bets) as f64;
            format!(
                " A round has {bets} equal bets; scaled to a total bet of 1, the variance is {variance:.6}."
            )
        }
        _ => String::new(),
    };
    format!(
        "{} of the rounds win, {} push, {} lose. The variance is the sum of the last column less the square of the sum of \
         contributions: {}.{per_bet}",
        percent(round.won),
        percent(round.pushed),
        percent(round.lost),
        number(round.variance)
    )
}
