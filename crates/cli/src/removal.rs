//! `cutcard removal`: computes the effects of removal.
//!
//! An effect is the change in the player's EV when one card of a rank leaves the full shoe.

use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::removal::{Effects, RemovalEffects, document, found};
use documents::subject::Subject;
use exact::stack::LETTERS;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Keep the full-shoe strategy instead of re-optimizing it.
    #[arg(long)]
    fixed_play: bool,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let found = found(&table, args.fixed_play);
    if output.wants_json() {
        output.document(&document(&table, &found))?;
    } else {
        output.text(&for_people(&table, &found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(table: &Subject, found: &RemovalEffects) -> String {
    let play = if found.fixed { "play of the full shoe" } else { "play re-optimized" };
    let mut text = format!(
        "{}{}, {play}\nchange in the player's EV per card removed, in percent of the initial bet\n\n{:<24}",
        table.marked(),
        table.name,
        ""
    );
    LETTERS.iter().for_each(|letter| text.push_str(&format!("{letter:>10}")));
    let mut row = |name: &str, effects: &Effects| {
        let _ = write!(text, "\n{name:<24}");
        for effect in effects {
            let shown = effect.map_or_else(|| "-".to_string(), |effect| format!("{:+.5}", 100.0 * effect));
            let _ = write!(text, "{shown:>10}");
        }
    };
    row("main game", &found.main);
    found.sides.iter().for_each(|(name, effects)| row(name, effects));
    found.insurance.iter().for_each(|effects| row("insurance", effects));
    text.push('\n');
    text
}
