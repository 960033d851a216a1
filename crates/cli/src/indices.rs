//! `cutcard indices`: finds index plays: the counts at which decisions of the chart change.

use crate::counts::{CountArgs, SecondArgs, second_for_people};
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::by_count::insurance::Insurance;
use documents::by_count::reading::CountingPlayer;
use documents::indices::{IndexPlays, Indices, compute_for, document};
use documents::risk_averse::{RiskAverse, risk_averse};
use documents::subject::Subject;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    count: CountArgs,
    #[command(flatten)]
    second: SecondArgs,
    /// Show only the N most valuable.
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Also show the count from which each double and split is worth its risk to a Kelly bettor.
    #[arg(long, conflicts_with = "second_count")]
    risk_averse: bool,
    /// Output format; chart is the full chart with index plays, for `simulate --strategy`.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Text,
    Chart,
    Json,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let asked = args.count.options();
    asked.options()?;
    let player = CountingPlayer { second: args.second.second()?, ..CountingPlayer::default() };
    let format = if output.wants_json() { Format::Json } else { args.format };
    if format == Format::Chart && player.second.is_some() {
        return Err(Failure::NotUnderstood(
            "a chart has no second count; leave out --format chart or --second-count".into(),
        ));
    }
    let mut found = compute_for(&table, &asked, &player, &crate::progress::shown("compositions solved"))?;
    if format == Format::Chart {
        output.text(&found.with_plays(args.most).to_json().to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    found.plays.truncate(args.most.unwrap_or(usize::MAX));
    let mut told = document(&table, &found);
    if args.risk_averse {
        told.document.risk_averse = Some(risk_averse(&table, &found)?);
    }
    table.mark(&mut told.document);
    match format {
        Format::Json => output.document(&told)?,
        _ => {
            let text = for_people(&table, &found, &told.document);
            let averse = told.document.risk_averse.as_deref().unwrap_or_default();
            output.text(&format!("{text}{}", averse_for_people(averse)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn averse_for_people(plays: &[RiskAverse]) -> String {
    if plays.is_empty() {
        return String::new();
    }
    let mut text =
        "\n  risk-averse plays (Kelly bets)  highest EV from   worth its risk from   square raised by\n"
            .to_string();
    for play in plays {
        let averse = play.risk_averse_from.zip(play.exact);
        let averse = averse.map_or_else(|| "never".into(), |(from, exact)| format!("{from} ({exact:+.2})"));
        let name = format!("{} v {}, {}", play.hand, play.up, play.play);
        let _ = writeln!(text, "  {name:<32}{:>14}{averse:>22}{:>19.3}", play.from, play.square_raised);
    }
    text
}

fn for_people(table: &Subject, found: &Indices, told: &IndexPlays) -> String {
    let mut text = format!(
        "{}{}, {}: {} index plays, most valuable first; gain per round in millionths of the initial bet\n",
        table.marked(),
        table.name,
        found.asked.count.as_deref().unwrap_or_default(),
        found.plays.len()
    );
    if let Some(Insurance { from, exact, gain, .. }) = &found.insurance {
        let _ = writeln!(
            text,
            "  {:<12} v A   from {from:>3}  take              ({exact:+.2}) {:>9.2}",
            "insurance",
            1e6 * gain
        );
    }
    for play in &told.indices {
        let second = play.second_weight.map_or_else(String::new, |w| format!("   second {w:+.2}"));
        let _ = writeln!(
            text,
            "  {:<12} v {:<3} from {:>3}  {} otherwise {}     ({:+.2}) {:>9.2}{second}",
            play.hand,
            play.up,
            play.from,
            play.play,
            play.otherwise,
            play.exact,
            1e6 * play.gain
        );
    }
    let _ = writeln!(
        text,
        "\n  betting correlation {:.4}, playing {:.4}{}",
        found.betting,
        found.playing,
        found.insuring.map_or(String::new(), |c| format!(", insurance {c:.4}"))
    );
    if let Some(second) = &told.second_count {
        let _ = writeln!(text, "  second count {}", second_for_people(second));
    }
    text
}
