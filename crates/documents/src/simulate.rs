//! Prepares simulations from their options, and turns their results into documents.

use crate::load::read_chart;
use crate::stamp::StrategyUsed;
use crate::subject::Violations;
use crate::{Failure, Inputs, Stamped};
use program::{Chart, CompileOptions, Program, compile, infinite_deck::infinite_deck_chart};
use rules::{Choices, SideBet, file};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use sim::chunk::{Engine, Job};
use sim::count::{Divisor, Ramp, Rounding, System};
use sim::isa::Isa;
use sim::report::{RunPerformance, Stakes};
use sim::side_counts::SideStakes;
use sim::summary::Summary;
use sim::tally::Tally;
use sim::{Options, Results};
use std::ops::Range;
use utoipa::ToSchema;

/// The options of a simulation, as a user writes them.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulationOptions {
    /// The number of rounds to simulate, or the maximum if `until_error` may end the run earlier.
    ///
    /// `None` stands for 10^8 rounds, or for no maximum if `until_error` is set.
    pub rounds: Option<u64>,
    pub seed: u64,
    /// The number of threads, or `None` for one per processor.
    pub threads: Option<usize>,
    pub fresh_shoes: bool,
    pub boxes: usize,
    /// The strategy: `exact`, `quick`, or the path of a chart file.
    pub strategy: String,
    /// The names of the side bets to make.
    ///
    /// An empty list stands for every side bet that the table offers; `none` stands for no side bet.
    pub side_wagers: Vec<String>,
    pub count: Option<String>,
    pub count_by: Option<Divisor>,
    pub count_start: Option<i32>,
    pub rounding: Rounding,
    /// The bet ramp of the main game by count, such as `1:1,2:4,3:8`, or `None` for flat bets.
    pub ramp: Option<String>,
    /// The separate counting systems for single side bets, such as `over-13=hi-lo`.
    pub side_counts: Vec<String>,
    /// The bet ramps of side bets, such as `over-13=2:0,3:1`.
    ///
    /// A ramp goes by the side bet's own count if there is one, and otherwise by the main count.
    pub side_ramps: Vec<String>,
    pub until_error: Option<f64>,
    pub chunks: Option<Range<u64>>,
    /// The instruction set, such as `avx2`, or `None` for the best that the processor supports.
    pub isa: Option<String>,
}

impl Default for SimulationOptions {
    fn default() -> SimulationOptions {
        SimulationOptions {
            rounds: None,
            seed: 1,
            threads: None,
            fresh_shoes: false,
            boxes: 1,
            strategy: "exact".into(),
            side_wagers: Vec::new(),
            count: None,
            count_by: None,
            count_start: None,
            rounding: Rounding::Down,
            ramp: None,
            side_counts: Vec::new(),
            side_ramps: Vec::new(),
            until_error: None,
            chunks: None,
            isa: None,
        }
    }
}

/// The name of each divisor of the running count.
pub const DIVISORS: [(&str, Divisor); 3] =
    [("decks", Divisor::Decks), ("half-decks", Divisor::HalfDecks), ("running", Divisor::None)];

/// The name of each rounding of the true count.
pub const ROUNDINGS: [(&str, Rounding); 3] =
    [("down", Rounding::Down), ("towards-zero", Rounding::TowardsZero), ("nearest", Rounding::Nearest)];

fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> Option<&'static str> {
    words.iter().find(|row| row.1 == *value).map(|row| row.0)
}

impl SimulationOptions {
    /// Returns the parsed options of the run.
    pub fn options(&self) -> Result<Options, Failure> {
        let not_understood = Failure::NotUnderstood;
        let mut system = self.count.as_deref().map(System::parse).transpose().map_err(not_understood)?;
        if let Some(system) = &mut system {
            system.start = self.count_start;
            system.divisor = self.count_by.unwrap_or(system.divisor);
            system.rounding = self.rounding;
        }
        let by_count = self.ramp.is_some() || self.count_start.is_some() || self.count_by.is_some();
        if system.is_none() && by_count {
            let options = "--ramp, --count-start and --count-by need a count; add --count";
            return Err(Failure::NotUnderstood(options.into()));
        }
        let isa = match &self.isa {
            Some(name) => Some(Isa::from_name(name).ok_or_else(|| {
                let names: Vec<&str> = Isa::available().iter().map(|isa| isa.name()).collect();
                Failure::NotUnderstood(format!(
                    "this CPU does not support `{name}`; supported: {}",
                    names.join(", ")
                ))
            })?),
            None => None,
        };
        let all = Options::default();
        if self.threads.is_some_and(|n| n == 0 || n > 1024) {
            return Err(Failure::NotUnderstood("--threads must be 1 to 1024".into()));
        }
        let ramp = self.ramp.as_deref().map(Ramp::parse).transpose().map_err(not_understood)?;
        let sided = (&self.side_counts[..], &self.side_ramps[..]);
        let side_counts = side_stakes(sided, system.as_ref(), self.rounding)?;
        Ok(Options {
            side_counts,
            rounds: self.rounds.unwrap_or(if self.until_error.is_some() { u64::MAX } else { all.rounds }),
            seed: self.seed,
            threads: self.threads.unwrap_or(all.threads),
            boxes: self.boxes,
            fresh: self.fresh_shoes,
            ramp: ramp.unwrap_or_default(),
            system,
            isa,
            until_error: self.until_error,
            chunks: self.chunks.clone(),
            general: false,
        })
    }

    /// Prepares a run at the table `rules`, with the chart that the option `strategy` names.
    ///
    /// Returns an error if the options are invalid or the chart cannot be read.
    pub fn ready(&self, rules: Choices, stakes: Stakes) -> Result<Ready, Failure> {
        let chart = chart(&rules, &self.strategy)?;
        self.ready_with(rules, chart, stakes)
    }

    /// Prepares a run at the table `rules` with the given chart.
    ///
    /// Returns an error if the options are invalid.
    pub fn ready_with(&self, rules: Choices, chart: Chart, stakes: Stakes) -> Result<Ready, Failure> {
        let options = self.options()?;
        let bets = bets(&rules, &self.side_wagers)?;
        let mut about = json!({
            "table": file::show(&rules), "chart": chart.to_json(), "bets": bets.iter().map(|b| b.name()).collect::<Vec<_>>(),
            "seed": options.seed, "boxes": options.boxes, "fresh": options.fresh, "count": self.count,
            "divisor": options.system.as_ref().map(|s| format!("{:?}", s.divisor)),
            "rounding": options.system.as_ref().map(|s| format!("{:?}", s.rounding)), "ramp": self.ramp,
            "count_start": self.count_start, "strategy": named(&self.strategy),
        });
        if !options.side_counts.is_empty() {
            about["side_counts"] = json!(self.side_counts);
            about["side_ramps"] = json!(self.side_ramps);
            about["side_rounding"] = json!(word_of(&ROUNDINGS, &self.rounding));
        }
        Ok(Ready { rules, chart, bets, options, about, stakes })
    }
}

/// Parses the bet ramps of side bets, with the count that each ramp goes by.
///
/// The count is the side bet's own count, or else the main count. Returns an error if a text cannot be parsed, or
/// if a ramp has no count.
fn side_stakes(
    (counts, ramps): (&[String], &[String]),
    main: Option<&System>,
    rounding: Rounding,
) -> Result<Vec<SideStakes>, Failure> {
    let split = |text: &String, option: &str, like: &str| {
        let parts = text.split_once('=').map(|(name, value)| (name.trim().to_string(), value.to_string()));
        parts
            .ok_or_else(|| Failure::NotUnderstood(format!("{option} {text}: expected a side bet and {like}")))
    };
    let mut all: Vec<SideStakes> = Vec::new();
    for text in counts {
        let (wager, count) = split(text, "--side-count", "a count, over-13=-1,1,1,1,0,0,0,0,0,-1")?;
        let system = System::parse(&count).map_err(Failure::NotUnderstood)?;
        all.retain(|known| known.wager != wager);
        all.push(SideStakes { wager, system: System { rounding, ..system }, ramp: Ramp::default() });
    }
    for text in ramps {
        let (wager, ramp) = split(text, "--side-ramp", "bets by count, such as over-13=2:0,3:1,5:4")?;
        let ramp = Ramp::parse(&ramp).map_err(Failure::NotUnderstood)?;
        match (all.iter_mut().find(|known| known.wager == wager), main) {
            (Some(known), _) => known.ramp = ramp,
            (None, Some(system)) => all.push(SideStakes { wager, system: system.clone(), ramp }),
            (None, None) => {
                return Err(Failure::NotUnderstood(format!(
                    "--side-ramp {text}: a bet ramp needs a count; add --side-count {wager}=… or --count"
                )));
            }
        }
    }
    Ok(all)
}

/// Returns the chart of a strategy: total-dependent for `exact`, infinite-deck approximation for `quick`, else
/// from a file.
///
/// Returns an error if the file cannot be read as a chart.
pub fn chart(rules: &Choices, strategy: &str) -> Result<Chart, Failure> {
    match named(strategy) {
        Some("quick") => Ok(infinite_deck_chart(rules)),
        Some(_) => Ok(exact::offers::total_dependent_chart(rules)),
        None => read_chart(strategy),
    }
}

/// Returns the name of a built-in strategy, or `None` if `strategy` is the path of a chart file.
fn named(strategy: &str) -> Option<&'static str> {
    ["exact", "quick"].into_iter().find(|name| *name == strategy)
}

fn bets(rules: &Choices, names: &[String]) -> Result<Vec<SideBet>, Failure> {
    let offered = program::side::offered(rules);
    if names.is_empty() {
        return Ok(offered);
    }
    let mut bets = Vec::new();
    for name in names.iter().filter(|name| *name != "none") {
        let bet = SideBet::from_name(name).filter(|bet| offered.contains(bet));
        let all = || offered.iter().map(|bet| bet.name()).collect::<Vec<_>>().join(", ");
        bets.push(bet.ok_or_else(|| {
            let known = if offered.is_empty() {
                "it offers no side bets".into()
            } else {
                format!("it offers {}", all())
            };
            Failure::Refused(format!("this table does not offer `{name}`; {known}"))
        })?);
    }
    Ok(bets)
}

/// The results of a simulation, with facts about the run.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[serde(remote = "Self")]
pub struct Simulation {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The ranges of chunks played, each as its first chunk and the chunk after its last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub chunks: Option<Vec<[u64; 2]>>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The peak memory of the process in bytes; null if the operating system does not report it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub peak_memory: Option<Option<u64>>,
    /// Whether the run was stopped before it had played all rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stopped: Option<bool>,
    /// The results of the simulated rounds.
    #[serde(flatten)]
    pub summary: Summary,
}

/// Serializes the fields of `summary` and of the run as one object, with keys in alphabetical order.
impl Serialize for Simulation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told = Simulation::serialize(self, serde_json::value::Serializer).map_err(S::Error::custom)?;
        told.serialize(serializer)
    }
}

/// A run that is ready to start: the table, the chart, the side bets and the options determine its result.
///
/// The caller has checked that the table is legal, or accepts the table as hypothetical.
pub struct Ready {
    pub rules: Choices,
    pub chart: Chart,
    pub bets: Vec<SideBet>,
    pub options: Options,
    /// The settings needed to repeat the run, as JSON; part files contain these settings.
    pub about: Value,
    pub stakes: Stakes,
}

impl Ready {
    /// Prepares the run whose settings `about` contains, as stored in a part file.
    ///
    /// Returns an error if a setting is missing or invalid.
    pub fn from_about(about: &Value, stakes: Stakes) -> Result<Ready, Failure> {
        let wrong =
            || Failure::NotUnderstood("the file does not contain the settings of its simulation".into());
        let text = |key: &str| about.get(key).and_then(Value::as_str);
        let rules = file::parse(text("table").ok_or_else(wrong)?).map_err(|_| wrong())?;
        let chart = about.get("chart").map(Value::to_string).ok_or_else(wrong)?;
        let chart = Chart::from_json(&chart).map_err(|_| wrong())?;
        let names = about.get("bets").and_then(Value::as_array).ok_or_else(wrong)?;
        let bets = names.iter().filter_map(Value::as_str).filter_map(SideBet::from_name).collect();
        let mut system = text("count").map(System::parse).transpose().map_err(|_| wrong())?;
        if let Some(system) = &mut system {
            system.start = about.get("count_start").and_then(Value::as_i64).map(|start| start as i32);
            system.divisor = match text("divisor") {
                Some("HalfDecks") => Divisor::HalfDecks,
                Some("None") => Divisor::None,
                _ => Divisor::Decks,
            };
            system.rounding = match text("rounding") {
                Some("TowardsZero") => Rounding::TowardsZero,
                Some("Nearest") => Rounding::Nearest,
                _ => Rounding::Down,
            };
        }
        let texts = |key: &str| -> Vec<String> {
            let all = about.get(key).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(String::from).collect()
        };
        let rounding = ROUNDINGS.iter().find(|row| Some(row.0) == text("side_rounding"));
        let rounding = rounding.map_or(Rounding::Down, |row| row.1);
        let sided = (&texts("side_counts")[..], &texts("side_ramps")[..]);
        let side_counts = side_stakes(sided, system.as_ref(), rounding).map_err(|_| wrong())?;
        let options = Options {
            side_counts,
            seed: about.get("seed").and_then(Value::as_u64).ok_or_else(wrong)?,
            boxes: about.get("boxes").and_then(Value::as_u64).ok_or_else(wrong)? as usize,
            fresh: about.get("fresh").and_then(Value::as_bool).ok_or_else(wrong)?,
            ramp: text("ramp").map(Ramp::parse).transpose().map_err(|_| wrong())?.unwrap_or_default(),
            system,
            ..Options::default()
        };
        Ok(Ready { rules, chart, bets, options, about: about.clone(), stakes })
    }

    /// Compiles the table and the chart for the simulator.
    ///
    /// Returns an error if the chart does not fit the table.
    pub fn program(&self) -> Result<Program, Failure> {
        let compile_options = CompileOptions { bets: self.bets.clone(), stake: None };
        compile(&self.rules, &self.chart, &compile_options)
            .map_err(|error| Failure::Refused(error.to_string()))
    }

    /// Returns the job that the simulator or a worker plays, without starting the run.
    pub fn job(&self) -> Result<Job, Failure> {
        sim::run::job(self.program()?, &self.options).map_err(Failure::Refused)
    }

    /// Returns the document of a finished run.
    ///
    /// The document has the exact house edges of the side bets next to the simulated ones.
    pub fn outcome(&self, results: &Results) -> Stamped<Simulation> {
        let mut told = self.summary(&results.job, &results.part.tally, &RunPerformance::of(results));
        told.document.stopped = Some(results.stopped);
        told.document.peak_memory = Some(peak_memory());
        told.document.chunks = Some(results.part.chunk_ranges());
        if !results.devices.is_empty() {
            told.of.engine = Some("device");
        }
        told
    }

    /// Returns the document for the sums in `tally`, which may come from merged parts of a run.
    pub fn summary(&self, job: &Job, tally: &Tally, performance: &RunPerformance) -> Stamped<Simulation> {
        let exact = if job.program.sides.is_empty() { Vec::new() } else { side::side_wagers(&self.rules) };
        let edge =
            |name: &str| exact.iter().find(|report| report.wager() == name).map(|report| report.house_edge);
        let summary = sim::report::document(job, tally, performance, &self.stakes, &edge);
        let document = Simulation {
            assumed: None,
            chunks: None,
            hypothetical: None,
            peak_memory: None,
            stopped: None,
            summary,
        };
        Stamped::new(document, self.of(&job.engine))
    }

    /// Returns the provenance of a file that has the result of every shoe of the run.
    ///
    /// Only the general engine reports the results of single shoes.
    pub fn of_shoes(&self) -> Stamped<()> {
        Stamped::new((), self.of(&Engine::General))
    }

    fn of(&self, engine: &Engine) -> Inputs {
        let system = self.options.system.as_ref();
        let text = |key: &str| self.about[key].as_str().map(str::to_owned);
        let texts = |key: &str| -> Option<Vec<String>> {
            let all = self.about[key].as_array()?;
            Some(all.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        };
        let strategy = match self.about["strategy"].as_str().and_then(named) {
            None => StrategyUsed::chart(&self.chart),
            Some(name) => StrategyUsed::Named(name),
        };
        Inputs {
            strategy: Some(strategy),
            count: text("count"),
            count_by: system.and_then(|s| word_of(&DIVISORS, &s.divisor)),
            count_start: self.about["count_start"].as_i64().map(|start| start as i32),
            rounding: system.and_then(|s| word_of(&ROUNDINGS, &s.rounding)),
            ramp: text("ramp"),
            side_counts: texts("side_counts"),
            side_ramps: texts("side_ramps"),
            seed: Some(self.options.seed),
            engine: Some(engine.name()),
            ..Inputs::table(&self.rules)
        }
    }
}

/// Returns the peak memory of this process in bytes, or `None` if the system does not report it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
