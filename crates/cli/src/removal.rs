//! `cutcard removal`: what it is worth to the player that one card of each value is gone from the full stack.

use crate::load::{Subject, TableArgs};
use crate::output::Output;
use documents::{Failure, Of, Stamped};
use exact::removal::{Replay, removal};
use exact::stack::LETTERS;
use exact::table::{Attacked, Table};
use serde_json::{Map, Value, json};
use side::removal::{insurance_removal, side_removal};
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Play goes on as is best for the full stack; otherwise it is chosen anew.
    #[arg(long)]
    fixed_play: bool,
}

/// One figure for each value; none where the stack has no such card.
type Effects = [Option<f64>; LETTERS.len()];

struct Found {
    main: Effects,
    sides: Vec<(String, Effects)>,
    insurance: Option<Effects>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let replay = if args.fixed_play { Replay::Fixed } else { Replay::Anew };
    let found = Found {
        main: removal(&Table::new(&table, Attacked::No), replay),
        sides: side_removal(&table),
        insurance: insurance_removal(&table),
    };
    if output.wants_json() {
        let document = document(&table, &found, args.fixed_play);
        output.document(&Stamped::new(document, Of::table(&table)))?;
    } else {
        output.text(&for_people(&table, &found, args.fixed_play))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn by_value(effects: &Effects) -> Value {
    let some = LETTERS
        .iter()
        .zip(effects)
        .filter_map(|(letter, effect)| Some((letter.to_string(), json!((*effect)?))));
    some.collect::<Map<String, Value>>().into()
}

fn document(table: &Subject, found: &Found, fixed: bool) -> Value {
    let sides: Map<String, Value> =
        found.sides.iter().map(|(name, effects)| (name.clone(), by_value(effects))).collect();
    let mut document = json!({
        "table": table.named(), "play": if fixed { "fixed" } else { "anew" }, "per": "initial wager",
        "main": by_value(&found.main), "side_wagers": sides,
    });
    if let Some(insurance) = &found.insurance {
        document["insurance"] = by_value(insurance);
    }
    table.mark(&mut document);
    document
}

fn for_people(table: &Subject, found: &Found, fixed: bool) -> String {
    let play = if fixed { "play of the full stack" } else { "play chosen anew" };
    let mut text = format!(
        "{}{}, {play}\nwhat one card less adds to the player's expectation, in percent of the initial wager\n\n{:<24}",
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
