//! Compares the actual return to player of each table's bets with the theoretical one.
//!
//! The theoretical return comes from the table's exact figures. If the two returns differ by more than chance
//! explains, the house records a significant event, once per alarm.

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::lab::Task;
use crate::share::Clients;
use crate::tables::{BetTotals, MAIN};
use crate::wire::Money;
use ledger::{Cents, PersonId};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// The difference between actual and theoretical return that raises an alarm, in standard deviations.
///
/// An honest game exceeds it about once in 150,000 checks.
const ALARM: f64 = 4.5;
/// The minimum number of bets of one kind before their return can raise an alarm.
const ENOUGH: u64 = 500;

/// The actual and theoretical return of one bet at one table.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Return {
    /// The number of the table.
    pub table: u32,
    /// The key of the bet: `main`, `insurance`, or the key of a side bet.
    pub wager: String,
    /// The number of bets that players made.
    pub wagers: u64,
    /// The total of the initial bets.
    pub staked: Money,
    /// The net win of the players.
    pub net: Money,
    /// The actual return to player, as a fraction of the initial bets; null without bets.
    ///
    /// It is the initial bets plus the net win of the players, divided by the initial bets.
    pub actual: Option<f64>,
    /// The theoretical return to player, as a fraction of the initial bets; null if it is unknown.
    ///
    /// It assumes best play and comes from the table's exact figures.
    pub theoretical: Option<f64>,
    /// The difference between the actual and the theoretical return, in standard deviations; null if unknown.
    ///
    /// The difference is positive if the actual return is higher.
    pub deviations: Option<f64>,
    /// Whether the difference is larger than chance explains.
    ///
    /// A main game below its theoretical return raises no alarm, because not everyone plays perfectly.
    pub alarm: bool,
}

/// The alarms that are currently raised, each as a table number and the key of a bet.
#[derive(Default)]
pub struct Alarms(Mutex<BTreeSet<(u32, String)>>);

impl Alarms {
    pub fn count(&self) -> usize {
        self.0.lock().map(|told| told.len()).unwrap_or_default()
    }

    /// Raises or clears the alarm of the bet in `found`, and returns whether a new alarm was raised.
    fn note(&self, found: &Return) -> bool {
        let Ok(mut told) = self.0.lock() else { return false };
        let key = (found.table, found.wager.clone());
        match found.alarm {
            true => told.insert(key),
            false => {
                told.remove(&key);
                false
            }
        }
    }
}

/// Returns the actual and theoretical return of every kind of bet that was made at the house's own tables.
pub async fn all(app: &App) -> ApiResult<Vec<Return>> {
    of_tables_with(app, 1).await
}

/// Returns the actual and theoretical returns at tables where some kind of bet was made at least `wagers` times.
async fn of_tables_with(app: &App, wagers: u64) -> ApiResult<Vec<Return>> {
    let tables = app.tables.get().ok_or_else(ApiError::stopped)?;
    let mut handles: Vec<_> = tables.all().collect();
    handles.sort_by_key(|handle| handle.fixed.id);
    let mut all = Vec::new();
    for handle in handles {
        let Some(returns) = handle.published.borrow().returns.clone() else { continue };
        if returns.wagers().all(|(_, taken)| taken.wagers < wagers) {
            continue;
        }
        let task = Task::Edge { table: Task::table(&handle.fixed.rules) };
        let edge = app.lab.answer(Clients::none(), task).await?;
        let edge: Value = serde_json::from_slice(&edge).unwrap_or_default();
        all.extend(returns.wagers().map(|(name, taken)| judge(handle.fixed.id.0, name, taken, &edge)));
    }
    Ok(all)
}

/// Compares the totals `taken` of one kind of bet with the exact figures `edge` of the table.
fn judge(table: u32, name: &str, taken: &BetTotals, edge: &Value) -> Return {
    let figures = match name {
        MAIN => Some(&edge["main"]),
        // A bet whose denominations have separate paytables has several figures, none of which is its return.
        _ => {
            match edge["side_wagers"].as_array().map(|all| all.iter().filter(|side| side["wager"] == name)) {
                Some(mut found) => found.next().filter(|_| found.next().is_none()),
                None => None,
            }
        }
    };
    let figure = |key: &str| figures.and_then(|figures| figures[key].as_f64());
    let (staked, net) = (taken.staked as f64, taken.net as f64);
    let house_edge = figure("house_edge");
    let scatter = figure("std_dev").map(|deviation| deviation * (taken.squares as f64).sqrt());
    let deviations = house_edge
        .zip(scatter)
        .filter(|(_, scatter)| *scatter > 0.0)
        .map(|(house_edge, scatter)| (net + house_edge * staked) / scatter);
    let alarming = |deviations: f64| deviations > ALARM || (name != MAIN && deviations < -ALARM);
    Return {
        table,
        wager: name.to_owned(),
        wagers: taken.wagers,
        staked: Money(Cents(taken.staked)),
        net: Money(Cents(taken.net)),
        actual: (taken.staked > 0).then(|| 1.0 + net / staked),
        theoretical: house_edge.map(|house_edge| 1.0 - house_edge),
        deviations,
        alarm: taken.wagers >= ENOUGH && deviations.is_some_and(alarming),
    }
}

/// An actual return that differs by more than chance explains, as the journal stores it.
#[derive(Serialize)]
struct OutOfBounds<'a> {
    table: u32,
    wager: &'a str,
    wagers: u64,
    actual: Option<f64>,
    theoretical: Option<f64>,
    deviations: Option<f64>,
}

/// Compares the returns of all tables once, and records new alarms as significant events.
pub async fn check(app: &App) -> ApiResult<()> {
    // Skips tables with too few bets to raise the alarm.
    for found in of_tables_with(app, ENOUGH).await? {
        // Each table is watched by the node that owns it.
        let owned = app.table(found.table).is_ok_and(|handle| *handle.owned.borrow());
        if owned && app.alarms.note(&found) {
            tracing::error!(
                table = found.table,
                wager = found.wager,
                "the actual return of a bet is outside its confidence interval"
            );
            let details = OutOfBounds {
                table: found.table,
                wager: &found.wager,
                wagers: found.wagers,
                actual: found.actual,
                theoretical: found.theoretical,
                deviations: found.deviations,
            };
            app.significant(PersonId::HOUSE, "return-out-of-bounds", details).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(name: &str, wagers: u64, net: i64) -> Return {
        let edge = json!({ "main": { "house_edge": 0.01, "std_dev": 1.0 },
            "side_wagers": [{ "wager": "match", "house_edge": 0.05, "std_dev": 2.0 }] });
        let stake = 100;
        let staked = i64::try_from(wagers).expect("few") * stake;
        judge(1, name, &BetTotals { wagers, staked, squares: u128::from(wagers) * 10_000, net }, &edge)
    }

    #[test]
    fn a_difference_is_measured_in_standard_deviations_of_all_rounds_together() {
        // 10,000 rounds of 100: one standard deviation is 100 times 100 for the main game, and 200 times 100 for the
        // side bet.
        let even = judged(MAIN, 10_000, -10_000);
        assert!(even.deviations.expect("known").abs() < 1e-9 && !even.alarm);
        assert_eq!((even.actual, even.theoretical), (Some(0.99), Some(0.99)));
        assert!((judged(MAIN, 10_000, 30_000).deviations.expect("known") - 4.0).abs() < 1e-9);
        assert!(judged(MAIN, 10_000, 40_000).alarm, "five standard deviations above raise the alarm");
        assert!(!judged(MAIN, 10_000, -100_000).alarm, "a low return of the main bet may be bad play");
        assert!(
            judged("match", 10_000, 50_000).alarm && judged("match", 10_000, -150_000).alarm,
            "a side bet raises the alarm in both directions"
        );
        assert!(!judged("match", 10_000, 30_000).alarm);
        assert!(!judged(MAIN, 100, 40_000).alarm, "too few rounds for an alarm");
        let unknown = judged("progressive", 10_000, 1_000_000);
        assert!(unknown.deviations.is_none() && !unknown.alarm, "no alarm without an exact figure");
    }

    #[test]
    fn an_alarm_is_news_once_until_it_is_over() {
        let alarms = Alarms::default();
        let (loud, calm) = (judged(MAIN, 10_000, 40_000), judged(MAIN, 10_000, 0));
        assert!(alarms.note(&loud) && !alarms.note(&loud));
        assert_eq!(alarms.count(), 1);
        assert!(!alarms.note(&calm) && alarms.note(&loud));
    }
}
