//! `cutcard ev`: the exact value of every legal action for a hand, and the best.

use crate::failure::Failure;
use crate::load::TableArgs;
use crate::output::Output;
use exact::ev::{Answer, Option_, Question, ev};
use exact::table::Attacked;
use rules::Card;
use rules::card::parse_cards;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The hand: "As 7d". Empty in Double Attack or one card in Triple Attack asks about the attack wager.
    #[arg(long, default_value = "")]
    hand: String,
    /// The dealer's up card; both cards where the hole card is dealt face up; none for the second attack.
    #[arg(long, default_value = "")]
    up: String,
    /// The player's second hand in Switch.
    #[arg(long, default_value = "")]
    hand2: String,
    /// Further cards that are gone from the shoe.
    #[arg(long, default_value = "")]
    removed: String,
    /// A double attack wager stands.
    #[arg(long)]
    attacked: bool,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let rules = args.table.rules()?;
    let cards = |flag: &str, text: &str| -> Result<Vec<Card>, Failure> {
        parse_cards(text).map_err(|error| Failure::NotUnderstood(format!("--{flag}: {error}")))
    };
    let (hand, other) = (cards("hand", &args.hand)?, cards("hand2", &args.hand2)?);
    let (up, removed) = (cards("up", &args.up)?, cards("removed", &args.removed)?);
    let question = Question {
        hand: &hand,
        other: &other,
        up: &up,
        removed: &removed,
        attacked: if args.attacked { Attacked::Yes } else { Attacked::No },
    };
    let answer = ev(&rules, &question).map_err(|refused| Failure::Refused(refused.to_string()))?;
    if output.wants_json() {
        output.document(&document(&answer))?;
    } else {
        output.text(&for_people(&answer))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn actions_json(actions: &[Option_]) -> Vec<Value> {
    actions.iter().map(|action| json!({ "action": action.action, "ev": action.ev })).collect()
}

fn document(answer: &Answer) -> Value {
    let best = answer.switch.first().or(answer.attack.first()).or(answer.actions.first());
    let mut document = json!({
        "actions": actions_json(&answer.actions),
        "best": best.map(|action| action.action),
        "dealer_blackjack": answer.dealer_blackjack,
    });
    for (key, actions) in
        [("other_actions", &answer.other_actions), ("switch", &answer.switch), ("attack", &answer.attack)]
    {
        if !actions.is_empty() {
            document[key] = actions_json(actions).into();
        }
    }
    if let Some(value) = answer.insurance {
        document["insurance"] = json!(value);
    }
    if let Some(value) = answer.even_money {
        document["even_money"] = json!(value);
    }
    document
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
        let _ = writeln!(text, "insurance       {value:>+12.8} for each unit");
    }
    if let Some(value) = answer.even_money {
        let _ = writeln!(text, "even money      {value:>+12.8}");
    }
    text
}
