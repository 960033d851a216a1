//! `cutcard edge`: the exact house edge of the main game and of every side wager that a table offers.

use crate::failure::Failure;
use crate::load::{TableArgs, read_chart};
use crate::output::Output;
use crate::tables::table_json;
use exact::edge::{EdgeReport, Effect, edge, effects_told};
use exact::game::Strategy;
use exact::given::Given;
use rules::Rules;
use rules::ruling::RULINGS;
use serde::Serialize;
use serde_json::{Map, Value, json};
use side::{SideReport, insurance, side_wagers};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The play that is valued: composition-dependent, cdp1, cdp, total-dependent, or the path of a chart in the JSON of
    /// `cutcard strategy`.
    #[arg(long, default_value = "composition-dependent")]
    strategy: String,
    /// Also what each lawful change of one option would do to the edge.
    #[arg(long)]
    effects: bool,
}

/// The strategies that can be valued by name.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Play {
    /// Best for the exact cards; split hands are played as if dealt (CDZ-).
    CompositionDependent,
    /// Split hands are played best for one split (CDP1).
    Cdp1,
    /// Split hands are played best for the pair cards seen (CDP).
    Cdp,
    /// Best for the total alone.
    TotalDependent,
}

impl Play {
    pub fn strategy(self) -> Strategy {
        match self {
            Play::CompositionDependent => Strategy::CompositionDependent,
            Play::Cdp1 => Strategy::AfterFirstSplit,
            Play::Cdp => Strategy::AfterPairsSeen,
            Play::TotalDependent => Strategy::TotalDependent,
        }
    }
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let rules = args.table.rules()?;
    let strategy = strategy(&rules, &args.strategy)?;
    let main = edge(&rules, &strategy);
    let sides = side_wagers(&rules);
    let mut show = |done, of| tell(done, of);
    let effects = if args.effects { effects_told(&rules, &strategy, &mut show) } else { Vec::new() };
    if output.wants_json() {
        output.document(&document(&rules, &main, &sides, &effects)?)?;
    } else {
        output.text(&for_people(&rules, &main, &sides, &effects))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How far the effects are, for somebody who waits at a terminal: a change of Switch takes seconds.
fn tell(done: usize, of: usize) {
    if io::stderr().is_terminal() {
        let line = if done + 1 < of { format!("{done} of {of} tables") } else { String::new() };
        // progress that cannot be shown is not worth ending for
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
        let _ = io::stderr().flush();
    }
}

/// A play by its name, or a chart from its file, which is refused where it leaves a hand open.
fn strategy(rules: &Rules, name: &str) -> Result<Strategy, Failure> {
    if let Ok(play) = <Play as clap::ValueEnum>::from_str(name, false) {
        return Ok(play.strategy());
    }
    let given = Given::new(rules.choices(), read_chart(name)?);
    given
        .map(|given| Strategy::Given(Box::new(given)))
        .map_err(|error| Failure::Refused(format!("{name}: {error}")))
}

#[derive(Serialize)]
struct Outcome<'a> {
    outcome: &'a str,
    probability: f64,
    exact: Option<String>,
    pays: &'a str,
    clause: &'static str,
}

fn document(
    rules: &Rules,
    main: &EdgeReport,
    sides: &[SideReport],
    effects: &[Effect],
) -> Result<Value, Failure> {
    let pairs = |rows: &[(&'static str, f64)]| -> Map<String, Value> {
        rows.iter().map(|(name, value)| ((*name).to_string(), json!(value))).collect()
    };
    let rulings: Map<String, Value> = RULINGS
        .iter()
        .map(|ruling| (ruling.key.to_string(), json!(rules.rulings.word(ruling.key))))
        .collect();
    let mut document = json!({
        "table": table_json(rules)?,
        "main": {
            "ev": main.ev, "house_edge": main.house_edge, "per": "initial wager",
            "std_dev": main.std_dev, "std_dev_of": main.std_dev_of, "variance": main.variance, "element_of_risk": main.element_of_risk,
            "staked": main.staked, "outcomes": pairs(&main.outcomes), "shares": pairs(&main.shares),
            "strategy": main.strategy, "rulings": rulings, "seconds": main.seconds,
            "spread_seconds": main.spread_seconds,
        },
        "side_wagers": sides.iter().map(side_json).collect::<Vec<_>>(),
    });
    if main.insured != 0.0 {
        document["main"]["insured"] = json!(main.insured);
    }
    if let Some(insurance) = insurance(rules) {
        let exact = insurance.exact_edge.to_string();
        document["insurance"] =
            json!({ "house_edge": insurance.house_edge, "exact_edge": exact, "std_dev": insurance.std_dev });
    }
    if !effects.is_empty() {
        document["effects"] = effects
            .iter()
            .map(
                |e| json!({ "key": e.key, "value": e.value, "house_edge": e.house_edge, "change": e.change }),
            )
            .collect();
    }
    Ok(document)
}

fn side_json(report: &SideReport) -> Value {
    let outcomes: Vec<Outcome> = report
        .outcomes
        .iter()
        .map(|o| Outcome {
            outcome: &o.outcome,
            probability: o.probability,
            exact: o.exact.as_ref().map(ToString::to_string),
            pays: &o.pays,
            clause: o.by.citation(),
        })
        .collect();
    let mut entry = json!({
        "wager": report.wager(), "paytable": report.paytable, "house_edge": report.house_edge,
        "exact_edge": report.exact_edge.as_ref().map(ToString::to_string),
        "std_dev": report.std_dev, "variance": report.variance, "outcomes": outcomes,
        "loses": report.loses, "exact_loses": report.exact_loses.as_ref().map(ToString::to_string),
        "notes": report.notes,
    });
    if let Some(stake) = report.stake {
        entry["stake"] = json!(stake.to_string());
    }
    if let Some(even) = &report.break_even {
        entry["break_even"] =
            json!({ "of": even.of, "dollars": even.dollars, "exact": even.exact.to_string() });
    }
    if !report.variants.is_empty() {
        let variant = |v: &side::Variant| json!({ "assuming": v.assuming, "house_edge": v.house_edge, "exact_edge": v.exact_edge.as_ref().map(ToString::to_string) });
        entry["variants"] = report.variants.iter().map(variant).collect();
    }
    entry
}

fn percent(share: f64) -> String {
    format!("{:.6} %", share * 100.0)
}

fn for_people(rules: &Rules, main: &EdgeReport, sides: &[SideReport], effects: &[Effect]) -> String {
    let mut text = String::new();
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<34}{value}");
    };
    row("house edge, main game", percent(main.house_edge));
    row(&format!("standard deviation of {}", main.std_dev_of), format!("{:.6}", main.std_dev));
    row("variance", format!("{:.6}", main.variance));
    row("element of risk", percent(main.element_of_risk));
    row("staked on average", format!("{:.6}", main.staked));
    for (name, share) in &main.shares {
        row(&format!("rounds {name}"), percent(*share));
    }
    for (name, frequency) in &main.outcomes {
        row(&format!("hands {name} a round"), format!("{frequency:.6}"));
    }
    if main.insured != 0.0 {
        row("of the edge, by insurance", percent(-main.insured));
    }
    if let Some(insurance) = insurance(rules) {
        row("insurance", percent(insurance.house_edge));
    }
    let mut whole = format!("{}, {} play, a fresh shoe\n{text}", rules.name, main.strategy);
    for side in sides {
        let _ = writeln!(
            whole,
            "\n  {:<34}{}",
            format!("{} ({})", side.wager(), side.paytable),
            percent(side.house_edge)
        );
        for outcome in &side.outcomes {
            let _ =
                writeln!(whole, "    {:<48}{:>14.9}  {}", outcome.outcome, outcome.probability, outcome.pays);
        }
        for note in &side.notes {
            let _ = writeln!(whole, "    {note}");
        }
    }
    if !effects.is_empty() {
        whole.push_str("\n  one change at a time             house edge        change\n");
        for e in effects {
            let _ = writeln!(
                whole,
                "  {:<52}{:>14} {:>+11.6} %",
                format!("{} = {}", e.key, e.value),
                percent(e.house_edge),
                e.change * 100.0
            );
        }
    }
    whole
}
