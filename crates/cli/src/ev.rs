//! `cutcard ev`: computes the exact EV of every legal action for a hand, and names the best one.

use crate::assume::AssumeArgs;
use crate::load::TableArgs;
use crate::output::Output;
use crate::shoe::ShoeArgs;
use documents::Failure;
use documents::ev::EvQuery;
use exact::ev::Answer;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    assume: AssumeArgs,
    /// Player's hand: "As 7d", "9 7", "TT". Leave empty (Double Attack) or give one card (Triple Attack) to evaluate
    /// the attack bet.
    #[arg(long, default_value = "")]
    hand: String,
    /// Dealer's upcard. Give both cards if the hole card is dealt face up, none for the second attack.
    #[arg(long, default_value = "")]
    up: String,
    /// Player's second hand (Switch only).
    #[arg(long, default_value = "")]
    hand2: String,
    #[command(flatten)]
    shoe: ShoeArgs,
    /// Assume the double attack bet has been made.
    #[arg(long)]
    attacked: bool,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let rules = args.assume.subject(&args.table)?;
    let stack = args.shoe.stack(&rules)?;
    let Args { hand, up, hand2, shoe, attacked, .. } = args;
    let asked = EvQuery { hand, up, hand2, removed: shoe.removed, attacked };
    let answer = asked.answer_assuming(&rules, stack.clone(), rules.assumed())?;
    if output.wants_json() {
        let mut document = asked.document(&rules, &answer, stack.as_ref());
        rules.mark(&mut document.document);
        output.document(&document)?;
    } else {
        output.text(&format!("{}{}", rules.marked(), for_people(&answer)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(answer: &Answer) -> String {
    let mut text = String::new();
    for (title, actions) in [
        ("attack", &answer.attack),
        ("switch", &answer.switch),
        ("hand", &answer.actions),
        ("second hand", &answer.other_actions),
    ] {
        if actions.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title}");
        let best = actions[0].ev;
        for action in actions {
            let loss =
                if action.ev < best { format!("costs {:.6}", best - action.ev) } else { "best".to_string() };
            let _ = writeln!(text, "  {:<14}{:>+12.8}   {loss}", action.action, action.ev);
        }
    }
    if let Some(value) = answer.insurance {
        let _ = writeln!(text, "insurance       {value:>+12.8} per unit");
    }
    if let Some(value) = answer.even_money {
        let _ = writeln!(text, "even money      {value:>+12.8}");
    }
    text
}
