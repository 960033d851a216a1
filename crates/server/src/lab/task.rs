//! What can be asked of the lab, as it is handed to whoever works it out, and how it is worked out.

use super::Bench;
use exact::edge::{edge, effects};
use exact::ev::{Answer, Option_, Question, ev};
use exact::game::Strategy;
use exact::strategy::strategy;
use exact::table::Attacked;
use program::{Wish, compile};
use rules::card::parse_cards;
use rules::{Rules, file};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use side::SideReport;
use sim::chunk::Job;
use sim::count::{Ramp, System};
use sim::report::{Making, Stakes, document};
use sim::{Hooks, Options, Progress, simulate};
use std::sync::atomic::AtomicBool;

/// One question. Tables are written as table files, cards as in a round file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Task {
    Edge { table: String },
    Effects { table: String },
    Strategy { table: String },
    Chart { table: String },
    Values { table: String, hand: String, other: String, up: String, removed: String, attacked: bool },
    Simulation { table: String, rounds: u64, seed: u64, count: Option<String>, ramp: Option<String> },
    Bench { table: String, ask: Bench },
}

/// The maximum number of rounds of one run, so that nobody occupies the processor, or a device, for long.
pub const MOST_ON_THE_PROCESSOR: u64 = 50_000_000;
pub const MOST_ON_A_DEVICE: u64 = 100_000_000_000;

impl Task {
    /// Returns whether only a device plays this in good time.
    pub fn is_for_a_device(&self) -> bool {
        matches!(self, Task::Simulation { rounds, .. } if *rounds > MOST_ON_THE_PROCESSOR)
    }

    /// Returns a lawful table without its name, which changes no figure.
    pub fn table(rules: &Rules) -> String {
        let mut choices = rules.choices().clone();
        choices.name.clear();
        file::show(&choices)
    }

    /// Returns whether the task takes as long as many others together.
    pub fn is_long(&self) -> bool {
        match self {
            Task::Effects { .. } | Task::Simulation { .. } => true,
            Task::Bench { ask, .. } => ask.is_long(),
            _ => false,
        }
    }

    fn rules(&self) -> Result<Rules, String> {
        let (Task::Edge { table }
        | Task::Effects { table }
        | Task::Strategy { table }
        | Task::Chart { table }
        | Task::Values { table, .. }
        | Task::Simulation { table, .. }
        | Task::Bench { table, .. }) = self;
        let choices = file::parse(table).map_err(|error| error.to_string())?;
        Rules::new(choices).map_err(|_| "not a legal table".to_owned())
    }

    /// Computes the document that answers the task, or the reason why there is none.
    pub fn work(&self, tell: &mut dyn FnMut(Value), stop: &AtomicBool) -> Result<String, String> {
        let rules = self.rules()?;
        Ok(match self {
            Task::Bench { ask, .. } => return ask.work(rules.choices().clone()),
            Task::Edge { .. } => edge_report(&rules),
            Task::Effects { .. } => effects_report(&rules),
            Task::Strategy { .. } => strategy(&rules, &Strategy::TotalDependent).to_json(),
            Task::Chart { .. } => strategy(&rules, &Strategy::TotalDependent).to_svg(),
            Task::Values { hand, other, up, removed, attacked, .. } => {
                let cards = |text: &str| parse_cards(text).map_err(|error| error.to_string());
                let (hand, other, up, removed) = (cards(hand)?, cards(other)?, cards(up)?, cards(removed)?);
                let attacked = if *attacked { Attacked::Yes } else { Attacked::No };
                let question = Question { hand: &hand, other: &other, up: &up, removed: &removed, attacked };
                values(&ev(&rules, &question).map_err(|refused| refused.to_string())?).to_string()
            }
            Task::Simulation { rounds, seed, count, ramp, .. } => {
                let options = simulation((*rounds, *seed), count.as_deref(), ramp.as_deref())?;
                return simulated(&rules, &options, tell, stop);
            }
        })
    }
}

/// Returns the options of a simulation, on one thread.
pub fn simulation(
    (rounds, seed): (u64, u64),
    count: Option<&str>,
    ramp: Option<&str>,
) -> Result<Options, String> {
    let (system, ramp) = (count.map(System::parse).transpose()?, ramp.map(Ramp::parse).transpose()?);
    if system.is_none() && ramp.is_some() {
        return Err("a bet ramp needs a count".to_owned());
    }
    Ok(Options { rounds, seed, threads: 1, system, ramp: ramp.unwrap_or_default(), ..Options::default() })
}

fn edge_report(rules: &Rules) -> String {
    let main = edge(rules, &Strategy::CompositionDependent);
    let pairs = |rows: &[(&'static str, f64)]| -> Map<String, Value> {
        rows.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
    };
    let mut document = json!({
        "main": {
            "ev": main.ev, "house_edge": main.house_edge, "per": "initial wager", "std_dev": main.std_dev,
            "std_dev_of": main.std_dev_of,
            "element_of_risk": main.element_of_risk, "staked": main.staked,
            "outcomes": pairs(&main.outcomes), "shares": pairs(&main.shares),
            "strategy": main.strategy, "seconds": main.seconds + main.spread_seconds,
        },
        "side_wagers": side::side_wagers(rules).iter().map(side_json).collect::<Vec<_>>(),
    });
    if let Some(insurance) = side::insurance(rules) {
        document["insurance"] =
            json!({ "house_edge": insurance.house_edge, "exact_edge": insurance.exact_edge.to_string() });
    }
    document.to_string()
}

fn side_json(report: &SideReport) -> Value {
    let outcomes: Vec<Value> = report
        .outcomes
        .iter()
        .map(|o| {
            json!({
                "outcome": o.outcome, "probability": o.probability, "pays": o.pays, "clause": o.by.citation(),
                "exact": o.exact.as_ref().map(ToString::to_string),
            })
        })
        .collect();
    json!({
        "wager": report.wager(), "paytable": report.paytable, "house_edge": report.house_edge,
        "exact_edge": report.exact_edge.as_ref().map(ToString::to_string), "std_dev": report.std_dev,
        "outcomes": outcomes, "loses": report.loses, "notes": report.notes,
        "stake": report.stake.map(|stake| stake.to_string()),
    })
}

fn effects_report(rules: &Rules) -> String {
    let all: Vec<Value> = effects(rules, &Strategy::CompositionDependent)
        .iter()
        .map(|e| json!({ "key": e.key, "value": e.value, "house_edge": e.house_edge, "change": e.change }))
        .collect();
    Value::from(all).to_string()
}

/// Values of every lawful action, best first.
fn values(answer: &Answer) -> Value {
    let list = |options: &[Option_]| -> Vec<Value> {
        options.iter().map(|o| json!({ "action": o.action, "ev": o.ev })).collect()
    };
    json!({
        "actions": list(&answer.actions), "other_actions": list(&answer.other_actions),
        "switch": list(&answer.switch), "attack": list(&answer.attack),
        "insurance": answer.insurance, "even_money": answer.even_money,
        "dealer_blackjack": answer.dealer_blackjack,
    })
}

fn simulated(
    rules: &Rules,
    options: &Options,
    tell: &mut dyn FnMut(Value),
    stop: &AtomicBool,
) -> Result<String, String> {
    let wish = Wish { bets: program::side::offered(rules), stake: None };
    let program =
        compile(rules, &exact::offers::by_totals(rules), &wish).map_err(|error| error.to_string())?;
    let mut show = |p: &Progress| {
        tell(json!({ "done": false, "rounds": p.rounds, "of": p.of, "seconds": p.seconds, "ev": p.ev,
            "std_error": p.error }));
    };
    let mut devices = |job: &Job| match sim::device::offered(job, options) {
        none if none.is_empty() && options.rounds > MOST_ON_THE_PROCESSOR => Err(format!(
            "no GPU supports this table; the CPU limit is {} million rounds",
            MOST_ON_THE_PROCESSOR / 1_000_000
        )),
        devices => Ok(devices),
    };
    let hooks = Hooks {
        progress: Some(&mut show),
        stop: Some(stop),
        devices: Some(&mut devices),
        ..Hooks::default()
    };
    let results = simulate(program, options, hooks)?;
    let tally = &results.part.tally;
    let summary = document(&results.job, tally, &Making::of(&results), &Stakes::default(), &|_| None);
    let pictures: Map<String, Value> = sim::plot::pictures(&results.job, tally)
        .into_iter()
        .map(|picture| (picture.file.trim_end_matches(".svg").to_owned(), picture.svg.into()))
        .collect();
    let told = json!({ "done": true, "stopped": results.stopped, "result": summary, "pictures": pictures });
    Ok(told.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A house that had a device when it opened does not keep its processor busy for hours when the device is gone.
    #[test]
    fn only_a_device_plays_very_long_runs() {
        let choices = rules::preset::preset("nj-six-to-five").expect("a preset");
        let table = Task::table(&Rules::new(choices).expect("lawful"));
        let task =
            |rounds| Task::Simulation { table: table.clone(), rounds, seed: 1, count: None, ramp: None };
        assert!(task(MOST_ON_THE_PROCESSOR + 1).is_for_a_device() && !task(1_000).is_for_a_device());
        let mut tell = |_: Value| ();
        let refused = task(MOST_ON_A_DEVICE).work(&mut tell, &AtomicBool::new(false)).unwrap_err();
        assert!(refused.ends_with("the CPU limit is 50 million rounds"), "{refused}");
    }
}
