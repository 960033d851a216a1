//! Adds the distribution of a round's net win to the math report.
//!
//! Every possible net win is listed with its probability. The variance follows from this list.

use crate::report_text::{chance, list, number, percent};
use serde::Serialize;
use serde_json::Value;
use side::round_nets::RoundNets;

/// The distribution of a round's net win, as a report states it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundResults {
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
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetRow {
    pub net: f64,
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

/// Returns the rows of the table of a round's possible net wins for a bet, with the sums in the last row.
///
/// Returns no rows if the report has no net wins for the bet.
pub fn rows(wager: &Value) -> Vec<Vec<String>> {
    let round = &wager["round"];
    if !round["nets"].is_array() {
        return Vec::new();
    }
    let sum = |key: &str| list(&round["nets"]).iter().filter_map(|row| row[key].as_f64()).sum::<f64>();
    let row = |row: &Value| {
        let net = row["net"].as_f64().unwrap_or_default();
        let chances = ["probability", "split"].map(|key| chance(&row[key]));
        let sums = ["contribution", "square"].map(|key| number(&row[key]));
        [vec![format!("{net:+}")], chances.to_vec(), sums.to_vec()].concat()
    };
    let sums = ["probability", "split"].map(|key| format!("{:.9}", sum(key)));
    let more = ["contribution", "square"].map(|key| format!("{:.6}", sum(key)));
    let last = [vec!["sum".to_string()], sums.to_vec(), more.to_vec()].concat();
    list(&round["nets"]).iter().map(row).chain([last]).collect()
}

/// Describes the shares of won, pushed and lost rounds and the variance of a round in words.
pub fn sentence(wager: &Value) -> String {
    let round = &wager["round"];
    let per_bet = match round["bets"].as_u64() {
        Some(bets) if bets > 1 => {
            let variance = round["variance"].as_f64().unwrap_or_default() / (bets * bets) as f64;
            format!(
                " A round has {bets} equal bets; scaled to a total bet of 1, the variance is {variance:.6}."
            )
        }
        _ => String::new(),
    };
    format!(
        "{} of the rounds win, {} push, {} lose. The variance is the sum of the last column less the square of the sum of \
         contributions: {}.{per_bet}",
        percent(&round["won"]),
        percent(&round["pushed"]),
        percent(&round["lost"]),
        number(&round["variance"])
    )
}
