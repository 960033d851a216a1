//! `cutcard edge`: computes the exact house edge of the main game and of every side bet that a table offers.

use crate::assume::AssumeArgs;
use crate::load::TableArgs;
use crate::output::Output;
use crate::shoe::ShoeArgs;
use documents::Failure;
use documents::edge::{
    EdgeFigures, document, figures, figures_assuming, figures_from_stack, not_priced_reason,
};
use documents::play::strategy;
use documents::shoe::shoe_in_words;
use documents::subject::Subject;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    assume: AssumeArgs,
    /// Strategy to evaluate: composition-dependent, cdp1, cdp, total-dependent, or the path of a JSON chart from
    /// `cutcard strategy`.
    #[arg(long, default_value = "composition-dependent")]
    strategy: String,
    /// Also show how each legal change of one option moves the edge.
    #[arg(long, conflicts_with_all = ["removed", "shoe", "assume"])]
    effects: bool,
    #[command(flatten)]
    shoe: ShoeArgs,
    /// Read shoes as JSON Lines from FILE (- for standard input), such as {"A":30,"T":120}, and print one document per
    /// line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["removed", "shoe", "effects", "assume"])]
    shoes: Option<String>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let rules = args.assume.subject(&args.table)?;
    let strategy = strategy(&rules, &args.strategy)?;
    if let Some(path) = &args.shoes {
        return crate::shoes::run(path, &rules, &strategy, output);
    }
    let mut show = |done, of| tell(done, of);
    let figures = match args.shoe.stack(&rules)? {
        Some(_) if !rules.assumed().is_empty() => {
            return Err(Failure::NotUnderstood(
                "--assume requires a full shoe; remove --removed and --shoe".into(),
            ));
        }
        None if !rules.assumed().is_empty() => figures_assuming(&rules, strategy)?,
        None => figures(&rules, strategy, args.effects.then_some(&mut show)),
        Some(stack) => figures_from_stack(&rules, strategy, stack)?,
    };
    if output.wants_json() {
        let mut document = document(&rules, &figures);
        rules.mark(&mut document.document);
        output.document(&document)?;
    } else {
        output.text(&for_people(&rules, &figures))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows on a terminal how many of the changed tables for `--effects` are solved.
///
/// Solving one changed table takes seconds in Switch.
fn tell(done: usize, of: usize) {
    if io::stderr().is_terminal() {
        let line = if done + 1 < of { format!("{done} of {of} tables") } else { String::new() };
        // a failure to show progress must not end the program
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
        let _ = io::stderr().flush();
    }
}

fn percent(share: f64) -> String {
    format!("{:.6} %", share * 100.0)
}

fn for_people(rules: &Subject, figures: &EdgeFigures) -> String {
    let EdgeFigures { main, sides, effects, .. } = figures;
    let mut text = String::new();
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<34}{value}");
    };
    row("house edge, main game", percent(main.house_edge));
    row(&format!("standard deviation of {}", main.std_dev_of), format!("{:.6}", main.std_dev));
    row("variance", format!("{:.6}", main.variance));
    row("element of risk", percent(main.element_of_risk));
    row("average amount bet", format!("{:.6}", main.staked));
    for (name, share) in &main.shares {
        row(&format!("rounds {name}"), percent(*share));
    }
    for (name, frequency) in &main.outcomes {
        row(&format!("hands {name} a round"), format!("{frequency:.6}"));
    }
    if main.insured != 0.0 {
        row("part of the edge from insurance", percent(-main.insured));
    }
    if let Some(insurance) = &figures.insurance {
        row("insurance", percent(insurance.house_edge));
    }
    let shoe = figures.stack.as_ref().map_or_else(|| "a fresh shoe".to_string(), shoe_in_words);
    let mut whole = format!("{}{}, {} play, {shoe}\n{text}", rules.marked(), rules.name, main.strategy);
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
    if !figures.not_priced.is_empty() {
        let why = not_priced_reason(figures.stack.as_ref());
        let _ = writeln!(whole, "\n  not computed: {} ({why})", figures.not_priced.join(", "));
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
